//! 8.8 to 8.11 What follows a battle: losses, retreat, standing fast, advance.

use crate::state::{Exercise, Frame};
use crate::units::Units;
use crate::verbs::{ADVANCE, DONE, LOSS, RETREAT, STAND};
use game::{Choice, Illegal, Line, Object, Teller};
use hex::Hex;
use table::{Place, Rule, Unit};

impl Exercise {
    /// 8.8 A unit loses a step; with none left it is gone.
    pub(crate) fn lose_step(&mut self, u: Unit, rule: Rule, tell: &mut dyn Teller) {
        let left = self.steps[u.ix()].saturating_sub(1);
        if tell.listening() {
            let what = if left == 0 { "is destroyed" } else { "loses a step" };
            let mut line = Line::new("loss", rule, format!("{} {what}.", self.named(u)))
                .fact("unit", self.data.lexicon.unit(u))
                .fact("steps", left);
            line.hexes.extend(self.stacks.hex(u));
            tell.tell(line);
        }
        self.steps[u.ix()] = left;
        if left == 0 {
            let hidden = self.face_down(u);
            self.destroy(u);
            if hidden {
                self.reveal(tell);
            }
        }
    }

    /// Plays the answer to a loss or a retreat.
    pub(crate) fn bear(&mut self, c: Choice, tell: &mut dyn Teller) {
        match (self.top(), c.verb, c.object) {
            (Frame::Losses(side, n, among), LOSS, Object::Unit(u)) => {
                self.replace(Frame::Losses(side, n.saturating_sub(1), among));
                self.lose_step(u, Rule("8.8"), tell);
            }
            (Frame::Retreat(units, _), RETREAT, Object::At(u, h)) => self.retreat(u, h, units, tell),
            (Frame::Retreat(units, _), STAND, _) => self.stand_fast(units, tell),
            _ => {}
        }
    }

    pub(crate) fn list_losses(&self, among: Units, out: &mut Vec<Choice>) {
        out.extend(among.iter().map(|u| Choice::unit(LOSS, u)));
    }

    pub(crate) fn why_not_loss(&self, o: Object, among: Units) -> Option<Illegal> {
        match o {
            Object::Unit(u) if among.has(u) => None,
            _ => {
                let why = format!("the step is lost among {}", self.codes(among));
                Some(Illegal::new(Rule("8.8"), why))
            }
        }
    }

    /// 8.9 Whether a unit may retreat to a hex next to it: no river between, no enemy, no enemy zone, and room.
    fn retreat_fault(&self, u: Unit, h: Hex) -> Option<&'static str> {
        let from = self.stacks.hex(u)?;
        match self.data.way(from, h) {
            None => return Some("is not next to it"),
            Some((_, w)) if w.cost == 0 => return Some("cannot be entered"),
            Some((_, w)) if !w.open => return Some("lies across a river without a bridge"),
            Some(_) => {}
        }
        if self.stacks.holder(h) == Some(self.active) {
            return Some("is held by the enemy");
        }
        if self.zoc(self.active, h) {
            return Some("is in an enemy zone of control");
        }
        (self.stacks.height(h) >= self.data.stacking).then_some("is full")
    }

    pub(crate) fn retreats(&self, u: Unit) -> impl Iterator<Item = Hex> + '_ {
        let from = self.stacks.hex(u).unwrap_or(Hex::NONE);
        self.data
            .ways(from)
            .iter()
            .map(|w| w.to)
            .filter(move |&h| h.is_some() && self.retreat_fault(u, h).is_none())
    }

    pub(crate) fn can_retreat(&self, units: Units) -> bool {
        units.iter().any(|u| self.retreats(u).next().is_some())
    }

    /// 8.10 In a town a stack of two steps or more may hold.
    pub(crate) fn can_stand_fast(&self, units: Units) -> bool {
        units.iter().map(|u| u32::from(self.steps[u.ix()])).sum::<u32>() >= 2
    }

    pub(crate) fn list_retreat(&self, units: Units, stand: bool, out: &mut Vec<Choice>) {
        for u in units.iter() {
            out.extend(self.retreats(u).map(|h| Choice::at(RETREAT, u, h)));
        }
        if stand && self.can_stand_fast(units) {
            out.push(Choice::button(STAND));
        }
    }

    pub(crate) fn why_not_retreat(&self, o: Object, units: Units) -> Option<Illegal> {
        let Object::At(u, h) = o else {
            return Some(Illegal::new(Rule("8.9"), "name a unit and the hex it goes to"));
        };
        if !units.has(u) {
            return Some(Illegal::new(Rule("8.9"), format!("only {} must retreat", self.codes(units))));
        }
        self.retreat_fault(u, h)
            .map(|fault| Illegal::new(Rule("8.9"), format!("{} {fault}", self.data.hex_name(h))))
    }

    pub(crate) fn why_not_stand(&self, units: Units, stand: bool) -> Option<Illegal> {
        if !stand {
            return Some(Illegal::new(Rule("8.10"), "only a whole stack in a town may stand fast"));
        }
        (!self.can_stand_fast(units))
            .then(|| Illegal::new(Rule("8.10"), "standing fast needs a step to give and one to stay"))
    }

    pub(crate) fn retreat(&mut self, u: Unit, h: Hex, units: Units, tell: &mut dyn Teller) {
        self.put(u, Place::Hex(h));
        self.replace(Frame::Retreat(units.without(u), false));
        if tell.listening() {
            let text = format!("{} retreats to {}.", self.named(u), self.data.hex_name(h));
            tell.tell(Line::new("retreat", Rule("8.9"), text).at(h));
        }
    }

    /// 8.10 Holds the town for the price of a step.
    pub(crate) fn stand_fast(&mut self, units: Units, tell: &mut dyn Teller) {
        if tell.listening() {
            let text = format!("{} stands fast.", self.codes(units));
            tell.tell(Line::new("stand", Rule("8.10"), text));
        }
        self.replace(Frame::Losses(self.active.foe(), 1, units));
    }

    /// 8.9 Who cannot retreat is destroyed.
    pub(crate) fn cut_off(&mut self, units: Units, tell: &mut dyn Teller) {
        for u in units.iter() {
            if tell.listening() {
                let text = format!("{} cannot retreat and is destroyed.", self.named(u));
                let mut line = Line::new("loss", Rule("8.9"), text).fact("unit", self.data.lexicon.unit(u));
                line.hexes.extend(self.stacks.hex(u));
                tell.tell(line);
            }
            self.destroy(u);
        }
    }

    pub(crate) fn list_advance(&self, units: Units, out: &mut Vec<Choice>) {
        out.extend(units.iter().map(|u| Choice::unit(ADVANCE, u)));
        out.push(Choice::button(DONE));
    }

    pub(crate) fn why_not_advance(&self, o: Object, units: Units) -> Option<Illegal> {
        match o {
            Object::Unit(u) if units.has(u) => None,
            _ => {
                let why = format!("only units that attacked may advance: {}", self.codes(units));
                Some(Illegal::new(Rule("8.11"), why))
            }
        }
    }

    /// 8.11 Attackers may enter the hex they won, whatever it costs, up to the stacking limit.
    pub(crate) fn advance(&mut self, u: Unit, h: Hex, units: Units, tell: &mut dyn Teller) {
        self.put(u, Place::Hex(h));
        self.replace(Frame::Advance(h, units.without(u)));
        if tell.listening() {
            let text = format!("{} advances into {}.", self.named(u), self.data.hex_name(h));
            tell.tell(Line::new("advance", Rule("8.11"), text).at(h));
        }
    }
}
