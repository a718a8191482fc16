//! Section 18: Resource Points, Artillery Support Units, Supply Points.

use crate::data::boxes;
use crate::state::{Cx, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Line};
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// 18.6.4: ASUs that a Supply Point stacked with them could turn to their Ready side.
    pub fn list_spend(&self, side: Side, out: &mut Vec<Choice>) {
        for u in self.s.stacks.units() {
            if self.side(u) == side && self.may_spend(u) {
                out.push(Choice::unit(verbs::SPEND, u));
            }
        }
    }

    fn may_spend(&self, u: Unit) -> bool {
        self.is(u, is::ASU)
            && self.flagged(u, flag::USED)
            && self.good_order(u)
            && self.in_play(u)
            && self.supply_with(u).is_some()
    }

    /// The Supply Point stacked with an ASU that would be spent: not under a Train marker (18.6.7).
    pub fn supply_with(&self, u: Unit) -> Option<Unit> {
        let place = self.s.stacks.place(u);
        self.s
            .stacks
            .of(place)
            .filter(|&v| {
                self.side(v) == self.side(u) && self.is(v, is::SUPPLY) && !self.flagged(v, flag::TRAIN)
            })
            .min()
    }

    /// Choices of the end of a Supply Phase.
    pub fn list_supply(&self, side: Side, out: &mut Vec<Choice>) {
        self.list_spend(side, out);
        out.push(Choice::button(verbs::DONE));
    }

    /// 18.6.4: spends a Supply Point to ready an ASU.
    pub fn spend_supply(&mut self, u: Unit, cx: &mut Cx<'_>) {
        if let Some(sp) = self.supply_with(u) {
            self.s.flags[sp.ix()] = 0;
            self.put(sp, Place::Box(boxes::SUPPLIES));
            self.unmark(u, flag::USED);
            let text = format!("{} is Ready again; {} is spent.", self.code(u), self.code(sp));
            cx.say(|| Line::new("spend", Rule("18.6.4"), text));
        }
    }
}
