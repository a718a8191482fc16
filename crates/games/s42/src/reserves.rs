//! Section 25: units that go into Reserve, and are committed.

use crate::battle::Scope;
use crate::combat::no;
use crate::state::{Cx, Pos, flag};
use crate::verbs;
use game::{Choice, Illegal, Line};
use hex::Hex;
use table::{Rule, Side, Unit};

impl Pos {
    /// 25.2.1, 25.2.2: why the units in hand may not go into Reserve.
    pub(crate) fn why_not_reserve(&self) -> Option<Illegal> {
        if !self.options.reserves || self.s.interchange || self.s.step == crate::state::Step::PreMove {
            return Some(Illegal::new(Rule("25.1"), "Reserves are not in play now"));
        }
        let m = &self.s.march;
        let side = self.side(self.s.hand[0]);
        let Some(h) = self.on_map(self.s.hand[0]) else {
            return Some(Illegal::new(Rule("25.2.1"), "only units on the map go into Reserve"));
        };
        if m.hexes > 1 || m.zoc || m.entered {
            let why = "only units that moved one hex at most, and into no enemy ZOC, go into Reserve";
            return Some(Illegal::new(Rule("25.2.1"), why));
        }
        if !self.s.hand.iter().all(|&u| self.good_order(u) && !self.flagged(u, flag::REPLACED)) {
            let why = "only units in Good Order without a Replacement marker go into Reserve";
            return Some(Illegal::new(Rule("25.2.1"), why));
        }
        let mut stacks = hex::HexSet::empty();
        for u in self.s.stacks.units().filter(|&u| self.side(u) == side && self.flagged(u, flag::RESERVE)) {
            if let Some(h) = self.on_map(u) {
                stacks.insert(h);
            }
        }
        let most = self.data.charts.resources.reserve_markers;
        if !stacks.contains(h) && stacks.count() >= usize::from(most) {
            return Some(Illegal::new(Rule("25.2.2"), format!("all {most} Reserve markers are in use")));
        }
        None
    }

    /// 25.2.3: Reserves that may be committed. Any unit of a stack may be named; the stack goes as one.
    pub(crate) fn commit_choices(&self, side: Side, out: &mut Vec<Choice>) {
        if self.options.reserves {
            let may = |u: &Unit| self.why_not_commit(side, *u).is_none();
            out.extend(self.s.stacks.units().filter(may).map(|u| Choice::unit(verbs::COMMIT, u)));
        }
    }

    pub(crate) fn why_not_commit(&self, side: Side, u: Unit) -> Option<Illegal> {
        if !self.options.reserves {
            return no("25.1", "Reserves are not in play");
        }
        if self.s.interchange {
            return no("33.2.3", "no Reserve is committed in the Interchange Turn");
        }
        let strange = u.ix() >= self.data.sides.len() || self.side(u) != side;
        if strange || !self.flagged(u, flag::RESERVE) || self.on_map(u).is_none() {
            return no("25.2.3", "that unit is not in Reserve");
        }
        None
    }

    /// 25.2.3: a Reserve stack leaves its marker and advances up to two hexes.
    pub(crate) fn commit(&mut self, side: Side, u: Unit, cx: &mut Cx<'_>) {
        let Some(h) = self.on_map(u) else { return };
        let units: Vec<Unit> = self.of_side(side, h).filter(|&v| self.flagged(v, flag::RESERVE)).collect();
        for &v in &units {
            self.unmark(v, flag::RESERVE);
            self.mark(v, flag::ATTACKED);
        }
        let names = self.codes(&units);
        cx.say(|| Line::new("reserve", Rule("25.2.3"), format!("{names} are committed from Reserve.")).at(h));
        let hex = self.s.fight.vacated.unwrap_or(Hex::NONE);
        let far = self.data.charts.advance.reserve;
        self.begin_advance(side, hex, Scope::Reserve, far, &units, None);
    }
}
