//! 4 Supply.

use crate::state::Exercise;
use crate::units::Units;
use game::{Line, Teller};
use hex::{Flood, Hex, HexSet, Trace};
use std::cell::RefCell;
use table::{Rule, Side};

thread_local! {
    static ROOM: RefCell<Flood> = RefCell::default();
}

impl Exercise {
    /// 4.1 The hexes from which supply can be traced: a chain of hexes to the side's road edge, none of them held by
    /// the enemy or in his zone of control (a hex with an own unit is free of it), none across a river without a
    /// bridge.
    pub(crate) fn supplied(&self, side: Side) -> HexSet {
        let mut open = self.data.land.clone();
        for h in self.on_map(side.foe()).filter_map(|u| self.stacks.hex(u)) {
            open.remove(h);
            for w in self.data.ways(h).iter().filter(|w| w.open) {
                open.remove(w.to);
            }
        }
        open |= self.stacks.occupied(side);
        let trace =
            Trace { sides: Some(&self.data.shut), ..Trace::new(&self.data.sources[side.ix()], &open) };
        ROOM.with_borrow_mut(|room| room.fill(self.data.board.grid(), &trace).clone())
    }

    /// Visits each hex of the supply net with the hex it is supplied through ([`Hex::NONE`] at a source). The plain
    /// form of [`Exercise::supplied`], which must agree, for those who want the way too.
    pub(crate) fn flood(&self, side: Side, mut visit: impl FnMut(Hex, Hex)) {
        let foe = side.foe();
        let clear = |h: Hex| {
            let holder = self.stacks.holder(h);
            holder == Some(side) || (holder.is_none() && !self.zoc(foe, h))
        };
        let mut seen = HexSet::empty();
        let mut queue = Vec::new();
        for h in self.data.sources[side.ix()].iter().filter(|&h| clear(h)) {
            seen.insert(h);
            visit(h, Hex::NONE);
            queue.push(h);
        }
        let mut at = 0;
        while let Some(&h) = queue.get(at) {
            at += 1;
            for w in self.data.ways(h).iter().filter(|w| w.open) {
                if clear(w.to) && seen.insert(w.to) {
                    visit(w.to, h);
                    queue.push(w.to);
                }
            }
        }
    }

    /// 4.2 Judged for each unit at the start of its own player turn; 4.4 want of it costs steps in the end.
    pub(crate) fn judge_supply(&mut self, tell: &mut dyn Teller) {
        let side = self.active;
        let net = self.supplied(side);
        let units: Units = self.on_map(side).collect();
        for u in units.iter() {
            let Some(h) = self.stacks.hex(u) else { continue };
            if net.contains(h) {
                self.hungry[u.ix()] = 0;
                continue;
            }
            self.hungry[u.ix()] = self.hungry[u.ix()].saturating_add(1);
            if tell.listening() {
                let text = format!("{} at {} is out of supply.", self.named(u), self.data.hex_name(h));
                tell.tell(Line::new("supply", Rule("4.2"), text).at(h));
            }
            if self.agreed.attrition && self.hungry[u.ix()] >= self.data.attrition_from {
                self.lose_step(u, Rule("4.4"), tell);
            }
        }
    }

    /// Whether a unit was found without supply at the last judging.
    pub(crate) fn out_of_supply(&self, u: table::Unit) -> bool {
        self.hungry[u.ix()] > 0
    }
}

#[cfg(test)]
mod tests {
    use crate::state::{Agreed, Exercise};
    use game::{Position, QuickDice, Quiet};
    use hex::HexSet;
    use std::sync::Arc;
    use table::Side;

    #[test]
    fn the_quick_net_is_the_plain_one_in_any_position() {
        let data = Arc::new(crate::data::Data::read(None).unwrap());
        let agreed = Agreed { scenario: 0, concealment: true, attrition: true };
        for seed in 0..20 {
            let mut x = Exercise::start(Arc::clone(&data), agreed);
            let mut dice = QuickDice::new(seed);
            let mut list = Vec::new();
            while x.asks().is_some() {
                for side in Side::BOTH {
                    let mut plain = HexSet::empty();
                    x.flood(side, |h, _| {
                        plain.insert(h);
                    });
                    assert_eq!(plain, x.supplied(side));
                }
                list.clear();
                x.choices(&mut list);
                x.apply(list[dice.below(list.len())], &mut dice, &mut Quiet);
            }
        }
    }
}
