//! The contract's side of a position.

use crate::state::{Cx, Frame, Pos};
use crate::verbs;
use game::{
    Choice, Command, Counsel, Dice, End, Eyes, Forecast, Illegal, Lexicon, Object, Outcome, Overlay,
    Position, Question, Teller, View,
};
use table::{Points, Side, steps_left};
use text::count;

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
        self.play_choice(c, &mut Cx { dice, tell });
        // 11.6.2, 29.1.1: whatever was done may have ended the fight for a city, unless it is just being fought.
        if self.s.fight.battles.is_empty() {
            self.check_city_battles();
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

    fn overlay(&self, eyes: Eyes, name: &str) -> Option<Overlay> {
        self.layer(eyes, name)
    }

    fn note(&self, c: &Choice) -> Option<String> {
        match (c.verb, c.object, self.s.frames.last()) {
            (verbs::DONE, _, None) => return Some(format!("ends: {}", self.phase_name())),
            (_, Object::Box(b), _) => return Some(self.data.box_label(b)),
            _ => {}
        }
        if let Some(Frame::Fight(stage)) = self.s.frames.last() {
            return self.note_stage(*stage, c);
        }
        match (c.verb, c.object) {
            (verbs::GO, Object::Route(r)) => {
                let m = self.mover();
                let (cost, hexes, _) = self.price(&m, r).ok()?;
                let halves = |n: u8| Points::halves(n.into());
                let mut text = match m.extended {
                    _ if cost <= m.normal => {
                        format!("costs {}, {} left", halves(cost), halves(m.normal - cost))
                    }
                    Some(e) if cost <= e => format!("Extended Movement: costs {}", halves(cost)),
                    _ => format!("Tactical Movement: {}", count(hexes, "hex")),
                };
                if let Some(over) = self.note_overfull(r.end(self.data.map.grid())) {
                    text = format!("{text}; {over}");
                }
                Some(text)
            }
            (verbs::DONE, _) => self.note_done(),
            (verbs::ASSIGN, Object::Number(n)) => {
                let held = self.data.holding(u8::try_from(n - 1).ok()?);
                let units: Vec<&str> = self.boxed(held).map(|u| self.code(u)).collect();
                let units = if units.is_empty() { "empty".to_owned() } else { units.join(", ") };
                Some(format!("Holding Box {n}: {units}"))
            }
            (verbs::LOSS, Object::Unit(u)) => Some(steps_left(self.s.steps[u.ix()])),
            (verbs::RESTORE | verbs::REMOVE, Object::Unit(u)) => {
                Some(format!("{} of {} steps", self.s.steps[u.ix()], self.full_steps(u)))
            }
            _ => None,
        }
    }

    /// Each side has one commander.
    fn command(&self, _: &Choice) -> Command {
        Command::SENIOR
    }

    fn fought(&self, eyes: Eyes, dice: &mut dyn Dice) -> Option<End> {
        self.fight_out(eyes, dice)
    }

    fn imagine(&self, eyes: Eyes, dice: &mut dyn Dice) -> Box<dyn Position> {
        Box::new(self.redraw(eyes, dice))
    }

    fn counsel(&self) -> Option<&'static dyn Counsel> {
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
