//! 2 Setting up, and the concealed counters (7).

use crate::data::{CAMP, LOST, RESERVE};
use crate::state::{Agreed, Exercise, Frame};
use crate::units::Units;
use crate::verbs::{HIDE, PLACE};
use game::{Choice, Illegal, Line, Object, Quiet, Teller};
use hex::Hex;
use std::sync::Arc;
use table::{Place, Rule, Unit};

impl Exercise {
    /// A game from its beginning.
    pub(crate) fn start(data: Arc<crate::data::Data>, agreed: Agreed) -> Exercise {
        let mut x = Exercise::empty(data, agreed);
        let data = Arc::clone(&x.data);
        let scenario = &data.scenarios[usize::from(agreed.scenario)];
        // 2.1 Fixed places.
        for &(u, h) in &scenario.units {
            x.put(u, Place::Hex(h));
        }
        for (u, ..) in &scenario.arrivals {
            x.put(*u, Place::Box(RESERVE));
        }
        // Without a place to be put, a counter takes no part.
        for u in x.stacks.units() {
            let placed_later = scenario.deploy.iter().any(|(s, _)| *s == data.sides[u.ix()]);
            if x.stacks.place(u) == Place::Box(CAMP) && !placed_later {
                x.destroy(u);
            }
        }
        x.held = scenario.held;
        if !agreed.concealment {
            // 7.1 as an option: the first concealed counter is real and face up.
            x.real = data.concealed.first();
            x.revealed = true;
            for decoy in data.concealed.iter().skip(1) {
                x.destroy(decoy);
            }
        }
        x.frames.push(Frame::Hide);
        x.settle(&mut Quiet);
        x
    }

    /// 2.3 Red says in secret which counter is real.
    pub(crate) fn hide(&mut self, u: Unit, tell: &mut dyn Teller) {
        self.real = Some(u);
        if tell.listening() {
            let owner = self.data.sides[u.ix()];
            tell.tell(Line::new("hide", Rule("2.3"), "Red has hidden the Guards."));
            let text = format!("{} is the {}.", self.data.lexicon.unit(u), self.data.real.name);
            tell.tell(Line::new("hide", Rule("2.3"), text).only(owner));
        }
    }

    pub(crate) fn list_hide(&self, out: &mut Vec<Choice>) {
        out.extend(self.data.concealed.iter().map(|u| Choice::unit(HIDE, u)));
    }

    pub(crate) fn why_not_hide(&self, o: Object) -> Option<Illegal> {
        match o {
            Object::Unit(u) if self.data.concealed.has(u) => None,
            _ => Some(Illegal::new(Rule("2.3"), "only a concealed counter can be the Guards")),
        }
    }

    /// Whether a side still has units to place.
    pub(crate) fn waiting(&self, side: table::Side) -> bool {
        self.to_place(side).next().is_some()
    }

    pub(crate) fn to_place(&self, side: table::Side) -> impl Iterator<Item = Unit> + '_ {
        let units: Units = self.stacks.boxed(CAMP).filter(|u| self.data.sides[u.ix()] == side).collect();
        units.iter()
    }

    /// 2.2 Where a unit may be placed: in its zone, where there is room.
    fn can_place(&self, i: u8, h: Hex) -> bool {
        let Some((side, zone)) = self.scenario().deploy.get(usize::from(i)) else { return false };
        zone.contains(h)
            && self.data.can_stand(h)
            && self.stacks.holder(h) != Some(side.foe())
            && self.stacks.height(h) < self.data.stacking
    }

    pub(crate) fn list_deploy(&self, i: u8, out: &mut Vec<Choice>) {
        let Some((side, zone)) = self.scenario().deploy.get(usize::from(i)) else { return };
        let mut room = zone.clone();
        for h in zone.iter().filter(|&h| !self.can_place(i, h)) {
            room.remove(h);
        }
        for u in self.to_place(*side) {
            out.extend(room.iter().map(|h| Choice::at(PLACE, u, h)));
        }
    }

    pub(crate) fn why_not_place(&self, i: u8, o: Object) -> Option<Illegal> {
        let Object::At(u, h) = o else { return Some(Illegal::new(Rule("2.2"), "name a unit and a hex")) };
        let side = self.asked();
        if u.ix() >= self.stacks.len()
            || self.stacks.place(u) != Place::Box(CAMP)
            || Some(self.data.sides[u.ix()]) != side
        {
            let why = format!("{} is not yours to place now", self.data.lexicon.unit(u));
            return Some(Illegal::new(Rule("2.2"), why));
        }
        (!self.can_place(i, h)).then(|| {
            let why =
                format!("{} is outside your camp, full, or no ground to stand on", self.data.hex_name(h));
            Illegal::new(Rule("2.2"), why)
        })
    }

    pub(crate) fn place(&mut self, u: Unit, h: Hex, tell: &mut dyn Teller) {
        self.put(u, Place::Hex(h));
        if tell.listening() {
            let text = format!("{} is placed at {}.", self.named(u), self.data.hex_name(h));
            tell.tell(Line::new("place", Rule("2.2"), text).at(h));
        }
    }

    /// 7.3, 7.4 Both concealed counters are turned up, and the decoy is taken away.
    pub(crate) fn reveal(&mut self, tell: &mut dyn Teller) {
        if self.revealed {
            return;
        }
        let Some(real) = self.real else { return };
        self.revealed = true;
        tell.reveal();
        if tell.listening() {
            let text = format!("{} is the {}.", self.data.lexicon.unit(real), self.data.real.name);
            let mut line = Line::new("reveal", Rule("7.3"), text).fact("real", self.data.lexicon.unit(real));
            line.hexes.extend(self.stacks.hex(real));
            tell.tell(line);
        }
        for decoy in self.data.concealed.without(real).iter() {
            if self.stacks.place(decoy) == Place::Box(LOST) {
                continue;
            }
            if tell.listening() {
                let text = format!("{} was a decoy and is taken away.", self.data.lexicon.unit(decoy));
                let mut line = Line::new("reveal", Rule("7.4"), text);
                line.hexes.extend(self.stacks.hex(decoy));
                tell.tell(line);
            }
            self.destroy(decoy);
        }
    }
}
