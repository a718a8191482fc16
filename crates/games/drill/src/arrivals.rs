//! 5 Arrivals.

use crate::data::RESERVE;
use crate::state::Exercise;
use crate::verbs::{DONE, ENTER};
use game::{Choice, Illegal, Line, Object, Teller};
use hex::{Hex, HexSet};
use table::{Place, Rule, Unit};

impl Exercise {
    /// 5.1 The active side's reinforcements that are due, with where they enter.
    pub(crate) fn due(&self) -> impl Iterator<Item = (Unit, &HexSet)> {
        self.scenario().arrivals.iter().filter_map(|(u, turn, hexes)| {
            let here = self.stacks.place(*u) == Place::Box(RESERVE);
            let ours = self.data.sides[u.ix()] == self.active;
            (here && ours && *turn <= self.turn).then_some((*u, hexes))
        })
    }

    /// 5.2 Entry needs a hex that is free of enemies and has room.
    fn has_entry(&self, h: Hex) -> bool {
        self.stacks.holder(h) != Some(self.active.foe()) && self.stacks.height(h) < self.data.stacking
    }

    pub(crate) fn can_arrive(&self) -> bool {
        self.due().any(|(_, hexes)| hexes.iter().any(|h| self.has_entry(h)))
    }

    pub(crate) fn list_arrivals(&self, out: &mut Vec<Choice>) {
        for (u, hexes) in self.due() {
            out.extend(hexes.iter().filter(|&h| self.has_entry(h)).map(|h| Choice::at(ENTER, u, h)));
        }
        out.push(Choice::button(DONE));
    }

    pub(crate) fn why_not_enter(&self, o: Object) -> Option<Illegal> {
        let Object::At(u, h) = o else {
            return Some(Illegal::new(Rule("5.2"), "name a unit and its hex of entry"));
        };
        let Some((_, hexes)) = self.due().find(|(v, _)| *v == u) else {
            let why = format!("{} is not due to arrive now", self.data.lexicon.unit(u));
            return Some(Illegal::new(Rule("5.1"), why));
        };
        if !hexes.contains(h) {
            let names: Vec<_> = hexes.iter().map(|h| self.data.hex_name(h)).collect();
            let why = format!("{} enters at {}", self.data.lexicon.unit(u), names.join(" or "));
            return Some(Illegal::new(Rule("5.2"), why));
        }
        (!self.has_entry(h)).then(|| {
            Illegal::new(Rule("5.2"), format!("{} is held by the enemy or full", self.data.hex_name(h)))
        })
    }

    /// 5.2 A reinforcement is put on its hex of entry; it moves in the movement phase like any other.
    pub(crate) fn enter(&mut self, u: Unit, h: Hex, tell: &mut dyn Teller) {
        self.put(u, Place::Hex(h));
        if tell.listening() {
            let text = format!("{} arrives at {}.", self.named(u), self.data.hex_name(h));
            tell.tell(Line::new("arrival", Rule("5.2"), text).at(h));
        }
    }
}
