//! The drill as the house sees it: each frame with its verbs.

use crate::state::{Exercise, Frame};
use crate::units::Units;
use crate::verbs::*;
use game::{
    Choice, Command, Dice, End, Eyes, Forecast, Illegal, Lexicon, Object, Outcome, Overlay, Position,
    Question, Teller, View,
};
use table::{Points, Side, steps_left};

impl Position for Exercise {
    fn asks(&self) -> Option<Side> {
        self.asked()
    }

    fn question(&self) -> Question {
        self.question_now()
    }

    fn choices(&self, out: &mut Vec<Choice>) {
        match self.top() {
            Frame::Hide => self.list_hide(out),
            Frame::Deploy(i) => self.list_deploy(i, out),
            Frame::Arrivals => self.list_arrivals(out),
            Frame::Movement => self.list_movement(out),
            Frame::Moving(units) => self.list_moving(units, out),
            Frame::Combat => self.list_combat(out),
            Frame::Battle(h, with) => self.list_battle(h, with, out),
            Frame::Losses(_, _, among) => self.list_losses(among, out),
            Frame::Retreat(units, stand) => self.list_retreat(units, stand, out),
            Frame::Advance(_, units) => self.list_advance(units, out),
            Frame::Over(_) => {}
        }
    }

    fn why_not(&self, c: &Choice) -> Option<Illegal> {
        let o = c.object;
        let bare = o == Object::Nothing;
        match (self.top(), c.verb) {
            (Frame::Hide, HIDE) => self.why_not_hide(o),
            (Frame::Deploy(i), PLACE) => self.why_not_place(i, o),
            (Frame::Arrivals, ENTER) => self.why_not_enter(o),
            (Frame::Movement, PICK) => self.why_not_pick(o, None),
            (Frame::Moving(units), PICK) => self.why_not_pick(o, Some(units)),
            (Frame::Moving(units), GO) => self.why_not_go(o, units),
            (Frame::Combat, ATTACK) => self.why_not_attack(o),
            (Frame::Battle(h, with), WITH) => self.why_not_with(o, h, with),
            (Frame::Battle(_, with), RESOLVE) if bare => self.why_not_resolve(with),
            (Frame::Losses(_, _, among), LOSS) => self.why_not_loss(o, among),
            (Frame::Retreat(units, _), RETREAT) => self.why_not_retreat(o, units),
            (Frame::Retreat(units, stand), STAND) if bare => self.why_not_stand(units, stand),
            (Frame::Advance(_, units), ADVANCE) => self.why_not_advance(o, units),
            (Frame::Moving(_), STAY) if bare => None,
            (Frame::Arrivals | Frame::Movement | Frame::Combat | Frame::Advance(..), DONE) if bare => None,
            (Frame::Over(_), _) => Some(Illegal::new(table::Rule("3.3"), "the game is over")),
            _ => {
                let q = self.question_now();
                let word = self.data.lexicon.verb(c.verb).word;
                Some(Illegal::new(
                    q.rule,
                    format!("'{word}' does not answer what is asked now: {}", q.prompt),
                ))
            }
        }
    }

    fn apply(&mut self, c: Choice, dice: &mut dyn Dice, tell: &mut dyn Teller) {
        match (self.top(), c.verb, c.object) {
            (Frame::Hide, HIDE, Object::Unit(u)) => self.hide(u, tell),
            (Frame::Deploy(_), PLACE, Object::At(u, h)) => self.place(u, h, tell),
            (Frame::Arrivals, ENTER, Object::At(u, h)) => self.enter(u, h, tell),
            (Frame::Arrivals, DONE, _) => self.phase(Frame::Movement),
            (Frame::Movement | Frame::Moving(_), PICK, Object::Unit(u)) => self.pick(u),
            (Frame::Moving(units), GO, Object::Route(route)) => self.go(units, route, tell),
            (Frame::Moving(units), STAY, _) => self.stay(units),
            (Frame::Movement, DONE, _) => self.phase(Frame::Combat),
            (Frame::Combat, ATTACK, Object::Hex(h)) => self.attack(h),
            (Frame::Battle(h, with), WITH, Object::Unit(u)) => self.replace(Frame::Battle(h, with.with(u))),
            (Frame::Battle(h, with), RESOLVE, _) => self.resolve(h, with, dice, tell),
            // A phase left early is left for good: every unit has had its chance.
            (Frame::Combat, DONE, _) => self.fought = Units::all(self.stacks.len()),
            (Frame::Losses(..) | Frame::Retreat(..), ..) => self.bear(c, tell),
            (Frame::Advance(h, units), ADVANCE, Object::Unit(u)) => self.advance(u, h, units, tell),
            (Frame::Advance(..), DONE, _) => self.leave(),
            _ => {}
        }
        self.settle(tell);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended()
    }

    fn view(&self, eyes: Eyes) -> View {
        self.view_for(eyes)
    }

    fn forecast(&self, eyes: Eyes) -> Option<Forecast> {
        self.forecast_for(eyes)
    }

    fn fought(&self, eyes: Eyes, dice: &mut dyn Dice) -> Option<End> {
        self.fought_for(eyes, dice)
    }

    fn overlay(&self, eyes: Eyes, name: &str) -> Option<Overlay> {
        self.overlay_for(eyes, name)
    }

    fn note(&self, c: &Choice) -> Option<String> {
        match (self.top(), c.verb, c.object) {
            (Frame::Moving(_), GO, Object::Route(route)) => {
                let end = route.end(self.data.board.grid());
                let cost = self.path_sum(route).total();
                let near = if self.zoc(self.active.foe(), end) { ", next to the enemy" } else { "" };
                let town = self.data.board.place_at(end).map_or(String::new(), |p| format!(", {}", p.name));
                Some(format!("{cost} MP{near}{town}"))
            }
            (Frame::Movement | Frame::Moving(_), PICK, Object::Unit(u)) => {
                let mp = Points::halves(i32::from(self.allowance(u)));
                let h = self.stacks.hex(u)?;
                Some(format!("{} at {}, {mp} MP", self.face(u), self.data.hex_name(h)))
            }
            (Frame::Combat, ATTACK, Object::Hex(h)) => {
                let units: Vec<_> = self.stacks.at(h).map(|u| self.data.lexicon.unit(u)).collect();
                Some(format!("{} in {}", units.join(", "), self.data.hex_name(h)))
            }
            (Frame::Battle(h, _), WITH, Object::Unit(u)) => {
                let sum = self.attack_sum(h, Units::one(u));
                Some(self.data.lexicon.sum(&sum))
            }
            (Frame::Losses(..), LOSS, Object::Unit(u)) => Some(steps_left(self.steps[u.ix()])),
            (Frame::Retreat(..), RETREAT, Object::At(_, h)) => Some(self.data.hex_name(h)),
            (Frame::Arrivals | Frame::Movement | Frame::Combat, DONE, _) => {
                Some(format!("ends: {}", self.phase_name()))
            }
            (Frame::Hide, HIDE, Object::Unit(u)) => {
                Some(format!("at {}", self.data.hex_name(self.stacks.hex(u)?)))
            }
            _ => None,
        }
    }

    fn command(&self, _: &Choice) -> Command {
        Command::SENIOR
    }

    fn imagine(&self, eyes: Eyes, dice: &mut dyn Dice) -> Box<dyn Position> {
        Box::new(self.imagined(eyes, dice))
    }

    fn counsel(&self) -> Option<&'static dyn game::Counsel> {
        Some(&crate::counsel::COUNSEL)
    }

    fn lexicon(&self) -> &Lexicon {
        &self.data.lexicon
    }

    fn state(&self) -> Vec<u8> {
        self.save()
    }

    fn conserved(&self) -> Result<(), String> {
        self.prove()
    }
}

impl Exercise {
    /// Another exercise that looks the same to those eyes.
    pub(crate) fn imagined(&self, eyes: Eyes, dice: &mut dyn Dice) -> Exercise {
        let mut other = self.clone();
        if self.revealed || self.real.is_none() || eyes.sees(self.concealer()) {
            return other;
        }
        let lot = dice.draw(self.data.concealed.count().max(1)) as usize;
        other.real = self.data.concealed.iter().nth(lot).or(self.real);
        // An attack that the concealer is putting together is not seen either: what the other world forbids is
        // taken out of it, and if nothing is left, it has not begun.
        if let Frame::Battle(h, with) = other.top()
            && other.active == other.concealer()
        {
            let with: Units = with.iter().filter(|&u| !other.is_decoy(u)).collect();
            other.replace(Frame::Battle(h, with));
            if other.attackers(h).next().is_none() {
                other.leave();
            }
        }
        other
    }
}
