//! 11.6.2 City Battles and section 29, contested cities.

use crate::battle::{At, Stage};
use crate::combat::no;
use crate::map::Town;
use crate::state::{CityBattle, Cx, Frame, Pos};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{Rule, Side, Unit};

impl Pos {
    /// 11.6.2: how high a City Battle marker can go in a hex.
    fn battles_possible(&self, h: Hex) -> u8 {
        let d = &self.data.charts.determined;
        match self.data.map.town[h.ix()] {
            Town::Major => d.major_city_battles,
            Town::Minor => d.minor_city_battles,
            _ => 0,
        }
    }

    /// The marker in a hex.
    fn city_marker(&self, h: Hex) -> Option<&CityBattle> {
        self.s.city_battles.iter().find(|c| c.hex == h)
    }

    /// 11.6.2, 29.1.3: whether a partial success at a hex is a City Battle rather than a Delay.
    pub(crate) fn city_battle_possible(&self, h: Hex, attacker: Side) -> bool {
        match self.city_marker(h) {
            // 29.1.3: the original defender attacks: the marker goes down.
            Some(c) if c.holder == attacker => c.level > 1,
            Some(c) => c.level < self.battles_possible(h),
            None => self.battles_possible(h) > 0,
        }
    }

    /// 11.6.2: places or turns the marker; the retreat is cancelled.
    pub(crate) fn city_battle(&mut self, h: Hex, attacker: Side, cx: &mut Cx<'_>) {
        let mut level = 1;
        match self.s.city_battles.iter_mut().find(|c| c.hex == h) {
            Some(c) if c.holder == attacker => {
                c.level -= 1;
                level = c.level;
            }
            Some(c) => {
                c.level += 1;
                level = c.level;
            }
            None => self.s.city_battles.push(CityBattle { hex: h, level: 1, holder: attacker.foe() }),
        }
        let shared = self.contested(h);
        let contest = self.options.contested && !shared;
        if let Some(b) = self.battle_mut() {
            b.contest = contest;
        }
        let name = self.called(h);
        cx.say(|| {
            let text = format!("There is fighting in the streets of {name}: City Battle {level}.");
            Line::new("city", Rule("11.6.2"), text).at(h).fact("city-battle", level)
        });
    }

    /// 11.6.2, 29.1.1: markers go when one side has left, or no attacker is near.
    pub(crate) fn check_city_battles(&mut self) {
        if self.s.city_battles.is_empty() {
            return;
        }
        let stale: Vec<Hex> = self
            .s
            .city_battles
            .iter()
            .filter(|c| {
                let (own, foe) = (c.holder, c.holder.foe());
                let inside = self.has_combat(foe, c.hex);
                let near = !self.options.contested && self.near_enemy(own, c.hex);
                !self.has_combat(own, c.hex) || !inside && !near
            })
            .map(|c| c.hex)
            .collect();
        for h in stale {
            self.s.city_battles.retain(|c| c.hex != h);
            self.touch(h);
            // 16.3.4: whoever is left in the city holds it.
            let alone =
                Side::BOTH.into_iter().find(|&s| self.has_combat(s, h) && !self.has_combat(s.foe(), h));
            if let Some(s) = alone
                && self.data.map.held.contains(h)
            {
                self.s.axis_held.set(h, s == Side::One);
                self.s.supplied.fresh = [false; 2];
            }
        }
    }

    /// 29.1.1: an attacker must enter the city that is fought over.
    pub(crate) fn offer_contest(&mut self) {
        let Some(b) = self.battle() else { return };
        let contest = b.contest;
        self.set_at(At::Advance);
        if contest && !self.entrants().is_empty() {
            self.s.frames.push(Frame::Fight(Stage::Contest));
        }
    }

    /// 29.1.1: attackers that can enter the city.
    fn entrants(&self) -> Vec<Unit> {
        let Some(b) = self.battle() else { return Vec::new() };
        let grid = self.data.map.grid();
        b.attackers
            .iter()
            .copied()
            .filter(|&u| {
                let Some(from) = self.on_map(u) else { return false };
                self.alive(u)
                    && from != b.hex
                    && grid.dir(from, b.hex).is_some_and(|d| self.passable(u, from, d, b.hex))
                    && self.room(b.side, b.hex, &[u])
            })
            .collect()
    }

    pub(crate) fn contest_settled(&mut self) -> bool {
        let none = self.entrants().is_empty();
        if none {
            self.s.frames.pop();
        }
        none
    }

    pub(crate) fn contest_choices(&self, out: &mut Vec<Choice>) {
        out.extend(self.entrants().into_iter().map(|u| Choice::unit(verbs::JOIN, u)));
        if self.battle().is_some_and(|b| self.has_combat(b.side, b.hex)) {
            out.push(Choice::button(verbs::DONE));
        }
    }

    pub(crate) fn why_not_contest(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::JOIN, Object::Unit(u)) if self.entrants().contains(&u) => None,
            (verbs::DONE, Object::Nothing)
                if self.battle().is_some_and(|b| self.has_combat(b.side, b.hex)) =>
            {
                None
            }
            (verbs::DONE, _) => no("29.1.1", "at least one attacker must enter the city"),
            _ => no("29.1.1", "name an attacker that enters the city"),
        }
    }

    pub(crate) fn play_contest(&mut self, c: Choice, cx: &mut Cx<'_>) {
        let Some(hex) = self.battle().map(|b| b.hex) else { return };
        match c.object {
            Object::Unit(u) => {
                self.put(u, table::Place::Hex(hex));
                self.touch(hex);
                let (code, name) = (self.code(u).to_string(), self.called(hex));
                cx.say(|| Line::new("advance", Rule("29.1.1"), format!("{code} enters {name}.")).at(hex));
            }
            _ => {
                self.s.frames.pop();
            }
        }
    }
}
