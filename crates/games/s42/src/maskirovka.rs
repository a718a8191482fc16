//! Section 34: Maskirovka. Which Holding Box belongs to which Reserve Army is the Soviet side's secret.

use crate::data::boxes;
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Line, Object};
use hex::Hex;
use table::{BoxId, Place, Rule, Side, Unit};

/// Entry Areas from which Reserve Armies are fed (34.4.1).
const FEEDS: [&str; 5] = ["entry-a", "entry-b", "entry-c", "entry-d", "entry-e"];

impl Pos {
    /// The Reserve Armies, in the order of their counters.
    pub fn armies(&self) -> impl Iterator<Item = Unit> + '_ {
        (0..self.data.sides.len() as u16).map(Unit).filter(|&v| self.info(v).traits & is::RESERVE_ARMY != 0)
    }

    /// The number of a Reserve Army among their counters.
    pub fn army_index(&self, u: Unit) -> Option<usize> {
        if self.info(u).traits & is::RESERVE_ARMY == 0 {
            return None;
        }
        self.armies().position(|v| v == u).filter(|&i| i < self.s.masks.len())
    }

    /// The Holding Box of a Reserve Army.
    pub fn army_box(&self, u: Unit) -> Option<BoxId> {
        self.army_index(u).map(|i| self.data.holding(self.s.masks[i]))
    }

    /// The units in the Holding Box of a Reserve Army (34.1.2).
    pub fn army_units(&self, u: Unit) -> Vec<Unit> {
        self.army_box(u).map_or_else(Vec::new, |b| self.boxed(b).collect())
    }

    /// Whether a Reserve Army has no units in its box (34.3.2).
    pub fn army_empty(&self, u: Unit) -> bool {
        self.army_units(u).is_empty()
    }

    /// The Reserve Army that a Holding Box belongs to, if it is in play.
    pub fn army_of(&self, b: BoxId) -> Option<Unit> {
        self.armies().find(|&u| self.army_box(u) == Some(b) && self.in_play(u))
    }

    /// Whether a unit is in the Holding Box of a Reserve Army in play.
    pub fn in_army(&self, u: Unit) -> bool {
        matches!(self.s.stacks.place(u), Place::Box(b) if self.army_of(b).is_some())
    }

    /// All Holding Boxes.
    pub fn holdings(&self) -> impl Iterator<Item = BoxId> + '_ {
        (0..boxes::HOLDING as u8).map(|i| self.data.holding(i))
    }

    /// 34.3.1: a Reserve Army moves at the rate of the slowest unit in its box.
    pub fn reserve_army_allowance(&self, u: Unit, ma: u8) -> u8 {
        self.army_units(u).into_iter().map(|v| self.face(v).movement).min().map_or(ma, |n| n.min(ma))
    }

    /// 34.3.1: whether a unit in its box got a replacement, so that the army moves one hex at most.
    pub fn army_replaced(&self, u: Unit) -> bool {
        self.army_units(u).into_iter().any(|v| self.flagged(v, flag::REPLACED))
    }

    /// 34.4.1: whether units can come to the army of a Holding Box: it is in supply and has room.
    fn army_takes(&self, b: BoxId) -> bool {
        let room = self.boxed(b).count() < usize::from(self.data.charts.removals.holding_units);
        room && self.options.maskirovka
            && usize::from(self.s.assigned) >= self.s.masks.len()
            && self.army_of(b).is_some_and(|a| self.in_supply(a))
    }

    /// 34.4.1: Holding Boxes into which a reinforcement may go.
    pub fn list_into_armies(&self, u: Unit, out: &mut Vec<Choice>) {
        if self.side(u) == Side::Two && self.combat(u) {
            out.extend(
                self.holdings().filter(|&b| self.army_takes(b)).map(|b| Choice::into(verbs::PLACE, u, b)),
            );
        }
    }

    /// 34.4: moves into and out of Holding Boxes in the Soviet Movement Phase.
    pub fn list_transfers(&self, side: Side, out: &mut Vec<Choice>) {
        if side != Side::Two || !self.options.maskirovka || usize::from(self.s.assigned) < self.s.masks.len()
        {
            return;
        }
        let r = &self.data.charts.removals;
        let takers: Vec<BoxId> = self.holdings().filter(|&b| self.army_takes(b)).collect();
        if self.s.transfers[1] < r.strategic_units && !takers.is_empty() {
            for u in self.s.stacks.units().filter(|&u| self.strategic(u)) {
                out.extend(takers.iter().map(|&b| Choice::into(verbs::TRANSFER, u, b)));
            }
        }
        for from in self.holdings() {
            let Some(army) = self.army_of(from) else { continue };
            let fresh = !self.flagged(army, flag::MOVED);
            for u in self.boxed(from).filter(|&u| !self.flagged(u, flag::MOVED) && fresh) {
                if self.s.transfers[0] < r.box_moves && self.in_supply(army) {
                    let to = takers.iter().copied().filter(|&b| b != from);
                    out.extend(to.map(|b| Choice::into(verbs::TRANSFER, u, b)));
                    for a in FEEDS.iter().filter_map(|n| self.data.area(n)) {
                        out.push(Choice::into(verbs::TRANSFER, u, self.data.areas[a].in_box));
                    }
                }
                if self.on_map(army).is_some() {
                    out.push(Choice::unit(verbs::REVEAL, u));
                }
            }
        }
    }

    /// 34.4.1: a unit that can go to a Holding Box by strategic movement.
    fn strategic(&self, u: Unit) -> bool {
        if self.side(u) != Side::Two || !self.combat(u) || !self.may_pick(Side::Two, u) {
            return false;
        }
        let fit = !self.flagged(u, flag::REPLACED) && self.good_order(u);
        fit && match self.s.stacks.place(u) {
            Place::Hex(h) => {
                self.s.supplied.rail[1].contains(h) && self.in_supply(u) && !self.in_ezoc(Side::Two, h)
            }
            Place::Box(_) => true,
        }
    }

    /// Plays one of these; false if it is none.
    pub fn play_transfer(&mut self, c: Choice, cx: &mut Cx<'_>) -> bool {
        match (c.verb, c.object) {
            (verbs::TRANSFER, Object::Into(u, b)) => {
                let from_box = self.holdings().any(|h| Place::Box(h) == self.s.stacks.place(u));
                self.s.transfers[usize::from(!from_box)] += 1;
                self.put(u, Place::Box(b));
                self.mark(u, flag::MOVED | flag::JUST_IN);
                self.unmark(u, flag::WAITED);
                let text = format!("{} goes to {}.", self.code(u), self.data.box_label(b));
                cx.say(|| Line::new("transfer", Rule("34.4.1"), text));
                true
            }
            (verbs::REVEAL, Object::Unit(u)) => {
                let b = match self.s.stacks.place(u) {
                    Place::Box(b) => b,
                    Place::Hex(_) => return true,
                };
                if let Some(army) = self.army_of(b)
                    && let Some(h) = self.on_map(army)
                {
                    self.reveal_unit(army, u, h, cx);
                }
                true
            }
            _ => false,
        }
    }

    /// A unit comes out of its box: the army is known from now on (34.4.2).
    fn reveal_unit(&mut self, army: Unit, u: Unit, h: Hex, cx: &mut Cx<'_>) {
        cx.tell.reveal();
        self.mark(army, flag::REVEALED);
        self.put(u, Place::Hex(h));
        self.enter(u, h);
        let text = format!("{} comes out of {}.", self.code(u), self.code(army));
        cx.say(|| Line::new("reveal", Rule("34.4.2"), text).at(h));
    }

    /// Whether a Reserve Army lies in a hex without a Combat Unit on the map; the Axis cannot tell whether it is empty.
    pub fn masked(&self, h: Hex) -> bool {
        self.options.maskirovka
            && self.s.stacks.occupied(Side::Two).contains(h)
            && !self.has_combat(Side::Two, h)
            && self.of_side(Side::Two, h).any(|u| self.is(u, is::RESERVE_ARMY))
    }

    /// The units that could come out of the Reserve Armies in a hex, each with its army.
    pub(crate) fn inside(&self, h: Hex) -> Vec<(Unit, Unit)> {
        let mut out = Vec::new();
        for army in self.of_side(Side::Two, h).filter(|&u| self.is(u, is::RESERVE_ARMY)) {
            out.extend(self.army_units(army).into_iter().filter(|&v| self.combat(v)).map(|v| (army, v)));
        }
        out
    }

    /// 34.6.2: an Axis unit comes upon a Reserve Army: unless it is empty, its owner is asked who stands. True if he is.
    pub fn army_stands(&mut self, h: Hex, cx: &mut Cx<'_>) -> bool {
        if !self.masked(h) {
            return false;
        }
        let inside = self.inside(h);
        if inside.is_empty() {
            return false;
        }
        cx.tell.reveal();
        for (army, _) in inside {
            self.mark(army, flag::REVEALED);
        }
        let name = self.data.map.called(h);
        cx.say(|| {
            let text = format!("The Reserve Army in {name} is not empty: the Axis stops before it.");
            Line::new("reveal", Rule("34.6.2"), text).at(h)
        });
        self.s.frames.push(Frame::Emerge { hex: h });
        true
    }

    /// 34.6.2: up to three units, within the stacking limit, one at least.
    pub fn list_emerge(&self, h: Hex, out: &mut Vec<Choice>) {
        let stand = self.of_side(Side::Two, h).filter(|&u| self.combat(u)).count();
        if stand < usize::from(self.data.charts.removals.defenders_revealed) {
            let fits = |v: Unit| self.fits(Side::Two, &self.load_with(Side::Two, h, &[v]));
            let may = self.inside(h).into_iter().filter(|&(_, v)| fits(v));
            out.extend(may.map(|(_, v)| Choice::unit(verbs::REVEAL, v)));
        }
        if stand > 0 {
            out.push(Choice::button(verbs::DONE));
        }
    }

    /// One more stands, or that is all: then the move, the advance or the combat goes on.
    pub fn play_emerge(&mut self, c: Choice, h: Hex, cx: &mut Cx<'_>) {
        if let Object::Unit(u) = c.object
            && let Some(&(army, _)) = self.inside(h).iter().find(|&&(_, v)| v == u)
        {
            self.reveal_unit(army, u, h, cx);
            let mut more = Vec::new();
            self.list_emerge(h, &mut more);
            if more.iter().any(|c| c.verb == verbs::REVEAL) {
                return;
            }
        }
        self.s.frames.pop();
        if self.battle().is_some_and(|b| b.hex == h) {
            let units: Vec<Unit> = self.of_side(Side::Two, h).collect();
            for u in units {
                self.mark(u, flag::DEFENDED);
            }
        }
        match self.s.frames.last() {
            Some(Frame::Hand) => {
                // 6.2: a hex that was entered and now lies in a ZOC ends the move; where it began, it does not.
                let moved = !self.hand_fresh();
                let at = self.s.hand.first().and_then(|&u| self.on_map(u));
                let zoc = moved && at.is_some_and(|at| self.in_ezoc(Side::One, at));
                self.s.march.near |= moved;
                self.s.march.zoc |= zoc;
                self.s.march.ended |= zoc;
            }
            Some(Frame::Fight(_)) => self.run(cx),
            _ => {}
        }
    }

    /// 34.1.2: armies with which the one in hand may exchange markers.
    pub fn list_swaps(&self, out: &mut Vec<Choice>) {
        let u = self.s.hand[0];
        if self.s.hand.len() != 1 || self.army_index(u).is_none() || self.s.interchange {
            return;
        }
        let place = self.s.stacks.place(u);
        let may = |v: &Unit| {
            *v != u && self.army_index(*v).is_some() && !self.flagged(*v, flag::MOVED | flag::REVEALED)
        };
        if !self.flagged(u, flag::REVEALED) {
            out.extend(self.s.stacks.of(place).filter(may).map(|v| Choice::unit(verbs::SWAP, v)));
        }
    }

    /// 34.1.2: exchanges the markers of the army in hand and another; the enemy learns only that it may have happened.
    pub fn swap_masks(&mut self, v: Unit, cx: &mut Cx<'_>) {
        let u = self.s.hand[0];
        if let (Some(i), Some(j)) = (self.army_index(u), self.army_index(v)) {
            self.s.masks.swap(i, j);
            let text = format!("{} and {} may have exchanged their markers.", self.code(u), self.code(v));
            cx.say(|| Line::new("mask", Rule("34.1.2"), text));
        }
    }

    /// 34.7: revealed Reserve Armies leave the map at the end of the Soviet player turn; their units stay in the hex.
    pub fn remove_revealed_armies(&mut self, cx: &mut Cx<'_>) {
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
                    self.enter(v, h);
                }
                let text = format!("{} is dissolved.", self.code(a));
                cx.say(|| Line::new("mask", Rule("34.7"), text).at(h));
            }
            self.eliminate(a);
        }
    }
}
