//! Section 13: automatic retreats, units caught in Full Retreat, recovery and rally.

use crate::battle::{Cause, Falling};
use crate::state::{Cx, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{Points, Rule, Side, Sum, Unit};

impl Pos {
    /// 13.3.2: hexes beside `h` whose units of the enemy of `side` are all in Full Retreat.
    fn routed_beside(&self, side: Side, h: Hex) -> Vec<Hex> {
        let z = &self.s.zones;
        let foe = side.foe().ix();
        self.data
            .map
            .grid()
            .neighbours(h)
            .filter(|&(d, n)| z.combat[foe].contains(n) && !z.steady[foe].contains(n) && self.adjacent(h, d))
            .map(|(_, n)| n)
            .collect()
    }

    /// 13.3.2: a Combat Unit of `side` has come to `h`: units in Full Retreat beside it must go. Nothing is played yet.
    pub(crate) fn push_automatic(&mut self, side: Side, h: Hex) {
        let far = self.data.charts.retreat.automatic;
        for n in self.routed_beside(side, h) {
            // Those that are on their way already need no second order.
            if self.s.fight.falling.iter().any(|f| f.from == n && f.side == side.foe()) {
                continue;
            }
            let units: Vec<Unit> = self.of_side(side.foe(), n).filter(|&u| !self.is(u, is::SUPPLY)).collect();
            self.fall_back(Falling {
                side: side.foe(),
                from: n,
                cause: Cause::Automatic,
                least: far,
                most: far,
                rout: true,
                units,
                hand: Vec::new(),
            });
        }
    }

    /// 13.3.2: the same, played as far as it goes by itself; true if somebody is asked before the mover goes on.
    pub fn automatic_retreats(&mut self, side: Side, h: Hex, cx: &mut Cx<'_>) -> bool {
        let before = self.s.frames.len();
        self.push_automatic(side, h);
        if self.s.frames.len() > before {
            self.run(cx);
        }
        self.s.frames.len() > before
    }

    /// 13.3.2: units in Full Retreat beside the enemy at the start of a Movement or Combat Phase are eliminated.
    pub fn catch_full_retreat(&mut self, cx: &mut Cx<'_>) {
        for side in Side::BOTH {
            let caught: Vec<Unit> = self
                .s
                .stacks
                .units()
                .filter(|&u| self.side(u) == side && self.flagged(u, flag::FULL_RETREAT))
                .filter(|&u| {
                    self.on_map(u).is_some_and(|h| {
                        self.near_enemy(side, h) && !self.s.zones.steady[side.ix()].contains(h)
                    })
                })
                .collect();
            for u in caught {
                let text = format!("{} is caught in Full Retreat and eliminated.", self.code(u));
                cx.say(|| Line::new("caught", Rule("13.3.2"), text));
                self.eliminate(u);
            }
        }
    }

    /// 13.4: units that could recover by themselves but may stay in Full Retreat.
    pub fn list_recovery(&self, side: Side, out: &mut Vec<Choice>) {
        for u in self.s.stacks.units().filter(|&u| self.side(u) == side) {
            if self.flagged(u, flag::FULL_RETREAT) && !self.flagged(u, flag::KEPT) && self.in_play(u) {
                out.push(Choice::unit(verbs::KEEP, u));
            }
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Whether a unit is on the map or in an Entry Area.
    pub fn in_play(&self, u: Unit) -> bool {
        match self.s.stacks.place(u) {
            table::Place::Hex(_) => true,
            table::Place::Box(b) => self.data.area_of(b).is_some(),
        }
    }

    /// Judges a choice of the Recovery Phase.
    pub fn why_not_recovery(&self, side: Side, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::DONE, Object::Nothing) => None,
            (verbs::KEEP, Object::Unit(u))
                if u.ix() < self.data.sides.len()
                    && self.side(u) == side
                    && self.flagged(u, flag::FULL_RETREAT)
                    && !self.flagged(u, flag::KEPT)
                    && self.in_play(u) =>
            {
                None
            }
            _ => Some(Illegal::new(Rule("13.4"), "only a unit in Full Retreat can stay as it is")),
        }
    }

    /// 13.4, 13.5, 21.4: the Recovery Phase itself.
    pub fn recover(&mut self, side: Side, cx: &mut Cx<'_>) {
        let units: Vec<Unit> = self.s.stacks.units().filter(|&u| self.side(u) == side).collect();
        for u in units {
            self.unmark(u, flag::REPLACED);
            let kept = self.flagged(u, flag::KEPT);
            self.unmark(u, flag::KEPT);
            if self.good_order(u) || kept || !(self.in_play(u) || self.in_army(u)) {
                continue;
            }
            let zoc = self.on_map(u).is_some_and(|h| self.in_ezoc(side, h));
            if zoc && !self.rally(u, cx) {
                continue;
            }
            let text = if self.flagged(u, flag::DISRUPTED) {
                self.unmark(u, flag::DISRUPTED);
                format!("{} recovers.", self.code(u))
            } else {
                self.unmark(u, flag::FULL_RETREAT);
                self.mark(u, flag::DISRUPTED);
                format!("{} recovers to Disrupted.", self.code(u))
            };
            cx.say(|| Line::new("recovery", Rule("13.4"), text));
        }
    }

    /// 13.5: a unit in an enemy ZOC rolls on the Rally Table.
    fn rally(&mut self, u: Unit, cx: &mut Cx<'_>) -> bool {
        let die = cx.d6();
        let sum = self.rally_sum(u);
        let roll = (i32::from(die) + sum.total().floor()).clamp(1, 6);
        let ok = self.data.charts.rally.results[roll as usize - 1] == "recovers";
        let text = format!("{} {}.", self.code(u), if ok { "rallies" } else { "does not rally" });
        cx.say(|| {
            Line::new("rally", Rule("13.5"), text)
                .fact("die", die)
                .fact("roll", roll)
                .fact("result", if ok { "recovers" } else { "stays" })
                .sum("rally", sum)
        });
        ok
    }

    /// 13.5: the modifiers of a rally.
    pub fn rally_sum(&self, u: Unit) -> Sum {
        let c = &self.data.charts.rally;
        let mut sum = Sum::new();
        if let Some(h) = self.on_map(u)
            && (self.data.map.cities.contains(h) || self.fortified(self.side(u), h))
        {
            sum.and(Rule("13.5"), "city or fortification", c.shelter);
        }
        if self.is(u, is::ELITE) {
            sum.and(Rule("13.5"), "elite", c.elite);
        }
        if self.is(u, is::LOW) {
            sum.and(Rule("13.5"), "low quality", c.low);
        }
        debug_assert!(sum.total() < Points::whole(7));
        sum
    }
}
