//! Section 13: weather by zone.

use crate::state::{Cx, Pos};
use game::Line;
use table::Rule;

impl Pos {
    /// 13.2, 13.8-13.10: one die for both zones at the start of a couplet.
    pub fn roll_weather(&mut self, cx: &mut Cx<'_>) {
        let (turn, couplet) = (self.s.turn, self.s.couplet);
        if self.options.beginner || self.data.charts.weather(turn, couplet, 1).is_none() {
            return;
        }
        let before = self.s.weather;
        let lasting = before.map(|w| self.data.charts.condition(w).lasts);
        if lasting == [true; 2] {
            return;
        }
        let die = cx.dice.roll(6);
        let Some(now) = self.data.charts.weather(turn, couplet, die) else { return };
        for z in 0..2 {
            if !lasting[z] {
                self.s.weather[z] = now[z];
            }
        }
        let conditions = self.s.weather.map(|w| self.data.charts.condition(w).clone());
        self.s.refits_over |= conditions.iter().any(|c| c.ends_refits);
        self.s.highway_over |= conditions[0].ends_highway;
        if self.s.weather != before {
            self.stale_supply();
        }
        cx.say(|| {
            let text = format!(
                "Weather: die {die}, {} in the north, {} in the south.",
                conditions[0].name, conditions[1].name
            );
            Line::new("weather", Rule("17.1"), text)
                .fact("weather-die", die)
                .fact("north", &conditions[0].name)
                .fact("south", &conditions[1].name)
        });
    }
}
