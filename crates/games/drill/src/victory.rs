//! 9 Victory.

use crate::NAMES;
use crate::state::{Ending, Exercise, Frame};
use game::{Line, Outcome, Teller};
use table::{Rule, Side};
use text::count;

impl Exercise {
    /// 9.3 The side that has nothing left on the map, if there is one.
    pub(crate) fn routed(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&s| self.stacks.occupied(s).is_empty())
    }

    pub(crate) fn finish(&mut self, ending: Ending, tell: &mut dyn Teller) {
        self.phase(Frame::Over(ending));
        if tell.listening()
            && let Some(o) = self.ended()
        {
            tell.tell(Line::new("end", o.rule, o.text).fact("kind", o.kind));
        }
    }

    /// How it ended, if it has.
    pub(crate) fn ended(&self) -> Option<Outcome> {
        let Frame::Over(ending) = self.top() else { return None };
        let (blue, red) = (self.points(Side::One), self.points(Side::Two));
        Some(match ending {
            Ending::Rout(side) => Outcome {
                winner: Some(side.foe()),
                rule: Rule("9.3"),
                kind: "rout",
                text: format!("{} has no unit left: {} wins.", NAMES[side.ix()], NAMES[side.foe().ix()]),
            },
            Ending::Points => {
                // 9.2 Blue wins with the scenario's points, one fewer is a draw, less is Red's.
                let need = self.scenario().blue_wins;
                let (winner, what) = match blue {
                    n if n >= need => (Some(Side::One), "Blue wins"),
                    n if n == need - 1 => (None, "the drill is drawn"),
                    _ => (Some(Side::Two), "Red wins"),
                };
                let kind = if winner.is_some() { "points" } else { "draw" };
                let text =
                    format!("Blue holds {} and Red {red}; Blue needed {need}: {what}.", count(blue, "point"));
                Outcome { winner, rule: Rule("9.2"), kind, text }
            }
        })
    }
}
