//! Section 23: weather.

use crate::charts::{Season, Weather};
use crate::data::boxes;
use crate::state::{Cx, Pos};
use crate::units::{Nation, is};
use game::Line;
use hex::Hex;
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// 23.1, 23.3: the weather of the turn.
    pub fn weather_phase(&mut self, cx: &mut Cx<'_>) {
        let charts = &self.data.charts;
        let season = charts.turn(self.s.turn).season;
        let sc = self.scenario();
        let fixed = (self.s.turn == sc.first_turn).then_some(sc.special.first_turn_weather).flatten();
        let before = self.s.weather;
        let mut die = 0;
        let weather = match fixed {
            Some(w) => w,
            None if self.s.turn < charts.weather.rolls_from_turn => Weather::Clear,
            None => {
                die = cx.d6();
                let wet = matches!(before, Weather::Rain | Weather::Snow);
                let add = if wet { charts.weather.after_rain_or_snow } else { 0 };
                let row = match season {
                    Season::Summer => &charts.weather.summer,
                    Season::EarlyFall => &charts.weather.early_fall,
                    Season::Rasputitsa => &charts.weather.rasputitsa,
                    Season::Winter => &charts.weather.winter,
                };
                row[usize::from((die + add).min(6)) - 1]
            }
        };
        self.s.weather_before = before;
        self.s.weather = weather;
        self.s.mud = season == Season::Rasputitsa
            && before == Weather::Rain
            && matches!(weather, Weather::Clear | Weather::Overcast);
        self.s.wet |= weather == Weather::Rain;
        if !self.s.winter && self.s.turn >= charts.weather.winter_from_turn {
            self.begin_winter(cx);
        }
        self.s.supplied.fresh = [false; 2];
        let mud = self.s.mud;
        cx.say(|| {
            let text =
                format!("The weather is {}{}.", weather.name(), if mud { ", and mud lies" } else { "" });
            let line =
                Line::new("weather", Rule("23.1"), text).fact("weather", weather.word()).fact("mud", mud);
            line.die(die)
        });
    }

    /// 23.4: winter comes: rivers freeze, Alpine hexsides and Entry Area K close.
    pub fn begin_winter(&mut self, cx: &mut Cx<'_>) {
        self.s.winter = true;
        self.rebuild_zones();
        if let Some(k) = self.data.area(&self.data.charts.weather.winter_closes) {
            self.evict(self.data.areas[k].in_box);
        }
        cx.say(|| Line::new("winter", Rule("23.4"), "Winter begins: the rivers freeze."));
    }

    /// 9.3.1, 23.2, S2.2: air units come back to their Holding Box, as many as the weather allows.
    pub fn ready_air(&mut self) {
        let sc = self.scenario();
        let sp = &sc.special;
        let gone = self.s.turn >= self.data.charts.air.one_german_leaves_turn && sp.air_units.is_none();
        let germans: usize = match (sp.air_units, self.s.weather) {
            (Some(n), w) if sp.air_in.contains(&w) && !sp.air_none_turns.contains(&self.s.turn) => n.into(),
            (Some(_), _) => 0,
            (None, Weather::Clear) => {
                if gone {
                    1
                } else {
                    2
                }
            }
            (None, Weather::Overcast) => usize::from(!gone),
            (None, _) => 0,
        };
        let romanian = self.s.weather == Weather::Clear && self.s.offensive == 0 && !gone;
        self.s.fight.escorts.clear();
        let mut n = 0;
        for i in 0..self.data.air.len() {
            let u = self.data.air[i];
            let place = self.s.stacks.place(u);
            if !matches!(place, Place::Box(boxes::AIR | boxes::AIR_USED)) {
                continue;
            }
            let ready = if self.nation(u) == Nation::German {
                n += 1;
                n <= germans
            } else {
                romanian
            };
            let b = if ready { boxes::AIR } else { boxes::AIR_USED };
            self.put(u, Place::Box(b));
        }
    }

    /// 23.4: the winter penalty of an Axis unit in a hex, in attack: -1, never below 1.
    pub fn winter_hits(&self, u: Unit, h: Hex) -> bool {
        self.s.winter
            && self.side(u) == Side::One
            && self.data.map.north_maps.contains(h)
            && !self.is(u, is::AIR)
    }

    /// 23.4: whether a hex shelters an Axis defender from winter: city, town, fortification, or beside a held Major City.
    pub fn winter_shelter(&self, h: Hex) -> bool {
        use crate::map::Town;
        let map = &self.data.map;
        matches!(map.town[h.ix()], Town::Town | Town::Minor | Town::Major)
            || self.fortified(Side::One, h)
            || map
                .grid()
                .neighbours(h)
                .any(|(_, n)| map.major_cities.contains(n) && self.s.axis_held.contains(n))
    }
}
