//! What would follow from some choices, as far as the side that would make them may know.

use super::Session;
use crate::ask::{self, AskView};
use crate::chance::Chance;
use crate::{Choice, Eyes, Forecast, Overlay, Position, QuickDice, Refusal, Told, View};
use serde::Serialize;
use table::Side;

/// How matters would stand after some choices.
#[derive(Clone, Debug, Serialize)]
pub struct Preview {
    /// What the side would see.
    pub view: View,
    /// What it would be asked; `None` when the other side would be, or the game would be over.
    pub ask: Option<AskView>,
    /// The battle in the making.
    pub forecast: Option<Forecast>,
}

impl Session {
    /// How matters would look to the asked side after some choices, or which of them is refused and why. What is
    /// hidden from that side is drawn anew first, so a preview tells it nothing; a choice that would roll dice or
    /// reveal something is refused.
    pub fn preview(&self, side: Side, choices: &[Choice]) -> Result<Preview, (usize, Refusal)> {
        let eyes = Eyes::Side(side);
        let shown = |p: &dyn Position, forecast| {
            let ask = if p.asks() == Some(side) { ask::ask_folded(p, self.question_number()) } else { None };
            Preview { view: p.view(eyes), ask, forecast }
        };
        // A battle that begins at once cannot be played here, but it can be foretold.
        if let Some((last, before)) = choices.split_last() {
            let p = self.imagined(side, before)?;
            if p.asks() == Some(side)
                && let Some(forecast) = p.forecast_of(eyes, last)
            {
                return Ok(shown(&*p, Some(forecast)));
            }
        }
        let p = self.imagined(side, choices)?;
        Ok(shown(&*p, p.forecast(eyes)))
    }

    /// A layer of knowledge as it would look to the asked side after some choices, such as the line of supply of units
    /// that are only taken in hand; `None` when the game has no such layer.
    pub fn overlay_after(
        &self,
        side: Side,
        choices: &[Choice],
        name: &str,
    ) -> Result<Option<Overlay>, (usize, Refusal)> {
        Ok(self.imagined(side, choices)?.overlay(Eyes::Side(side), name))
    }

    /// The position after some choices of a side, as far as that side may know it.
    fn imagined(&self, side: Side, choices: &[Choice]) -> Result<Box<dyn Position>, (usize, Refusal)> {
        let eyes = Eyes::Side(side);
        let n = self.question_number();
        let mut p = self.position.imagine(eyes, &mut QuickDice::new(u64::from(n)));
        for (i, c) in choices.iter().enumerate() {
            match p.asks() {
                None => return Err((i, Refusal::Over)),
                Some(asked) if asked != side => return Err((i, Refusal::NotAsked(asked))),
                Some(_) => {}
            }
            let mut dice = Chance::Absent { asked: 0 };
            let mut told = Told::default();
            p.play(*c, &mut dice, &mut told).map_err(|e| (i, Refusal::Illegal(e)))?;
            if matches!(dice, Chance::Absent { asked: 1.. }) || told.revealed {
                return Err((i, Refusal::Chance));
            }
        }
        Ok(p)
    }
}
