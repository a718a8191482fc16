//! The contract's side of a position.

use crate::state::{Cx, Pos};
use crate::verbs;
use game::{
    Choice, Command, Dice, End, Eyes, Forecast, Illegal, Lexicon, Object, Outcome, Overlay, Position,
    Question, Teller, View,
};
use table::{Side, steps_left};

impl Position for Pos {
    fn asks(&self) -> Option<Side> {
        self.asked()
    }

    fn question(&self) -> Question {
        self.ask()
    }

    fn choices(&self, out: &mut Vec<Choice>) {
        self.all_choices(out);
    }

    fn why_not(&self, c: &Choice) -> Option<Illegal> {
        self.judge(c)
    }

    fn apply(&mut self, c: Choice, dice: &mut dyn Dice, tell: &mut dyn Teller) {
        let chooser = self.asked();
        self.s.bared.0 = [false; 2];
        self.play_choice(c, &mut Cx { dice, tell });
        if chooser.is_some_and(|side| self.s.bared[side.foe().ix()]) {
            tell.reveal();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.how_it_ended()
    }

    fn view(&self, eyes: Eyes) -> View {
        self.look(eyes)
    }

    fn forecast(&self, eyes: Eyes) -> Option<Forecast> {
        self.predict(eyes)
    }

    fn forecast_of(&self, eyes: Eyes, c: &Choice) -> Option<Forecast> {
        self.predict_choice(eyes, c)
    }

    fn fought(&self, eyes: Eyes, dice: &mut dyn Dice) -> Option<End> {
        self.fight_out(eyes, dice)
    }

    fn overlay(&self, eyes: Eyes, name: &str) -> Option<Overlay> {
        self.layer(eyes, name)
    }

    fn note(&self, c: &Choice) -> Option<String> {
        match (c.verb, c.object) {
            (verbs::GO, Object::Route(r)) => {
                let m = self.mover();
                let (cost, _, _) = self.price(&m, r).ok()?;
                Some(format!("costs {cost}, {} left", m.left.saturating_sub(cost)))
            }
            (verbs::ASSAULT, Object::Hex(h)) => Some(self.assault_note(h)),
            (verbs::ATTACK, Object::Hex(h)) => self.attack_note(h),
            (verbs::LOSS, Object::Unit(u)) => Some(steps_left(self.s.steps[u.ix()])),
            (verbs::REFIT | verbs::REPLACE | verbs::WITHDRAW, Object::Unit(u)) => {
                Some(format!("{} of {} steps", self.s.steps[u.ix()], self.info(u).faces.len().max(1)))
            }
            (verbs::DONE, _) => Some(self.done_note()),
            _ => None,
        }
    }

    /// 1.2: the seam between the sheets divides a side's commands; what belongs to neither is the senior's.
    fn command(&self, c: &Choice) -> Command {
        let hex = match c.object {
            Object::Unit(u) | Object::Into(u, _) if u.ix() < self.data.units.ground => self.on_map(u),
            Object::Hex(h) | Object::At(_, h) => Some(h),
            Object::Route(r) => Some(r.start()),
            _ => self.hand_hex(),
        };
        match hex {
            Some(h) if self.data.map.north_sheet.contains(h) => Command(1),
            Some(_) => Command(2),
            None => Command::SENIOR,
        }
    }

    fn imagine(&self, eyes: Eyes, dice: &mut dyn Dice) -> Box<dyn Position> {
        Box::new(self.redraw(eyes, dice))
    }

    fn counsel(&self) -> Option<&'static dyn game::Counsel> {
        Some(&crate::counsel::COUNSEL)
    }

    fn lexicon(&self) -> &Lexicon {
        &self.data.lexicon
    }

    fn state(&self) -> Vec<u8> {
        game::save(&self.s)
    }

    fn conserved(&self) -> Result<(), String> {
        self.check()
    }
}
