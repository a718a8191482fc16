//! Section 4: stacking.

use crate::state::{Cx, Frame, Pos};
use crate::units::is;
use game::{Choice, Line};
use hex::Hex;
use table::{Rule, Side, Unit};

/// What units weigh on a hex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Combat Units that count.
    pub full: u8,
    /// Free Stacking Units.
    pub free: u8,
    /// Tank and Mechanized Corps (4.3).
    pub corps: u8,
    /// A Soviet Army HQ is there (4.3).
    pub hq: bool,
    /// It is the Tank Army's, which corps may join freely.
    pub tank_hq: bool,
}

impl Pos {
    /// Adds a unit to a load (4.1, 4.2, 4.3).
    pub fn weigh_in(&self, l: &mut Load, u: Unit) {
        let t = self.traits(u);
        if t & is::ARMY_HQ != 0 {
            l.hq = true;
            l.tank_hq |= t & is::TANK_ARMY != 0;
        }
        if t & is::COMBAT == 0 || t & is::ASU != 0 {
            return;
        }
        if t & is::FREE != 0 {
            l.free += 1
        } else {
            l.full += 1
        }
        l.corps += u8::from(t & (is::TANK_CORPS | is::MECH_CORPS) != 0);
    }

    /// The load of a side on a hex.
    pub fn load(&self, side: Side, h: Hex) -> Load {
        let mut l = Load::default();
        for u in self.of_side(side, h) {
            self.weigh_in(&mut l, u);
        }
        l
    }

    /// The load of a hex with more units on it.
    pub fn load_with(&self, side: Side, h: Hex, more: &[Unit]) -> Load {
        let mut l = self.load(side, h);
        for &u in more {
            if self.on_map(u) != Some(h) {
                self.weigh_in(&mut l, u);
            }
        }
        l
    }

    /// 4.1, 4.3: how many units may count for a side with such a load.
    pub fn stack_limit(&self, side: Side, l: &Load) -> u8 {
        let s = &self.data.charts.stacking;
        match side {
            Side::One => s.axis,
            Side::Two if l.hq => s.soviet_with_army_hq,
            Side::Two => s.soviet,
        }
    }

    /// Whether a load keeps to the limit.
    pub fn fits(&self, side: Side, l: &Load) -> bool {
        let s = &self.data.charts.stacking;
        let counted = l.full + l.free.saturating_sub(s.free);
        let third = counted > s.soviet && side == Side::Two;
        let corps = third && !l.tank_hq && l.corps > s.armour_with_guards_or_shock_hq;
        counted <= self.stack_limit(side, l) && !corps
    }

    /// 31.0: whether a hex is the camp of a Reserve Army that waits, which ignores stacking.
    pub fn camp(&self, h: Hex) -> bool {
        self.at(h).any(|u| self.waits_in_camp(u))
    }

    /// 4.4: the first hex where a side is over the limit.
    pub fn overfull(&self, side: Side) -> Option<Hex> {
        self.s.zones.combat[side.ix()].iter().find(|&h| self.overstacked(side, h))
    }

    /// 4.4: the hexes where a side is over the limit and must lose units when its phase ends.
    pub fn overfull_hexes(&self, side: Side) -> Vec<Hex> {
        let over = |&h: &Hex| self.overstacked(side, h);
        self.s.zones.combat[side.ix()].iter().filter(over).collect()
    }

    /// 4.4: what is wrong with a hex once the units in hand are there: nothing stops them, but the phase must not end so.
    pub fn note_overfull(&self, h: Hex) -> Option<String> {
        let side = self.s.hand.first().map(|&u| self.side(u))?;
        let l = self.load_with(side, h, &self.s.hand);
        let counted = l.full + l.free.saturating_sub(self.data.charts.stacking.free);
        let why = || format!("overstacked, {counted} where {} may stay", self.stack_limit(side, &l));
        (!self.fits(side, &l) && !self.camp(h)).then(why)
    }

    /// 4.4: what the end of a Movement Phase would cost now.
    pub fn note_done(&self) -> Option<String> {
        let side = self.phasing().filter(|_| self.s.frames.is_empty())?;
        let moves = matches!(self.s.step, crate::state::Step::Move(_) | crate::state::Step::PreMove);
        let over: Vec<String> = if moves {
            self.overfull_hexes(side).into_iter().map(|h| self.data.map.called(h)).collect()
        } else {
            Vec::new()
        };
        (!over.is_empty()).then(|| format!("overstacked hexes lose units: {}", over.join(", ")))
    }

    /// 4.4: if a side is over the limit somewhere, it must remove units: true if it is asked.
    pub fn enforce_stacking(&mut self, side: Side) -> bool {
        match self.overfull(side) {
            Some(hex) => {
                self.s.frames.push(Frame::Overstack { hex, side });
                true
            }
            None => false,
        }
    }

    /// Units of an overfull hex whose removal helps.
    pub fn list_overstack(&self, hex: Hex, side: Side, out: &mut Vec<Choice>) {
        let may = |u: &Unit| self.combat(*u) && !self.is(*u, is::ASU);
        out.extend(self.of_side(side, hex).filter(may).map(|u| Choice::unit(crate::verbs::REMOVE, u)));
    }

    /// Removes a unit from an overfull hex; true once the hex is in order.
    pub fn remove_overstacked(&mut self, u: Unit, hex: Hex, side: Side, cx: &mut Cx<'_>) -> bool {
        let text =
            format!("{} is one too many in {} and is eliminated.", self.code(u), self.data.map.called(hex));
        cx.say(|| Line::new("overstack", Rule("4.4"), text).at(hex));
        self.eliminate(u);
        self.fits(side, &self.load(side, hex))
    }
}
