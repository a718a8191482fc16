//! Section 34: Maskirovka.

use crate::state::{Cx, Pos, flag};
use crate::units::is;
use table::{Place, Unit};

impl Pos {
    /// The number of a Reserve Army among their counters.
    pub fn army_index(&self, u: Unit) -> Option<usize> {
        let armies = (0..self.data.sides.len() as u16)
            .map(Unit)
            .filter(|&v| self.info(v).traits & is::RESERVE_ARMY != 0);
        armies.enumerate().find(|(_, v)| *v == u).map(|(i, _)| i)
    }

    /// The units in the Holding Box of a Reserve Army (34.1.2).
    pub fn army_units(&self, u: Unit) -> Vec<Unit> {
        match self.army_index(u) {
            Some(i) => self.boxed(self.data.holding(self.s.masks[i.min(5)])).collect(),
            None => Vec::new(),
        }
    }

    /// Whether a Reserve Army has no units in its box (34.3.2).
    pub fn army_empty(&self, u: Unit) -> bool {
        self.army_units(u).is_empty()
    }

    /// 34.3.1: a Reserve Army moves at the rate of the slowest unit in its box.
    pub fn reserve_army_allowance(&self, u: Unit, ma: u8) -> u8 {
        self.army_units(u).into_iter().map(|v| self.face(v).movement).min().map_or(ma, |n| n.min(ma))
    }

    /// 34.7: revealed Reserve Armies leave the map at the end of the Soviet player turn; their units stay in the hex.
    pub fn remove_revealed_armies(&mut self, _cx: &mut Cx<'_>) {
        let armies: Vec<Unit> = self
            .s
            .stacks
            .units()
            .filter(|&u| self.is(u, is::RESERVE_ARMY) && self.flagged(u, flag::REVEALED))
            .collect();
        for a in armies {
            if let Some(h) = self.on_map(a) {
                for v in self.army_units(a) {
                    self.put(v, Place::Hex(h));
                }
            }
            self.eliminate(a);
        }
    }
}
