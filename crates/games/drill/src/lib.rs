//! The drill: a two-page training game of our own.
//!
//! Two armies on a map of twelve by ten hexes, six turns, a river, a few towns, one reinforcement and one hidden unit.
//! Its rules are in `RULES.md`; the code follows their order. It is the worked example of `docs/adding-a-game.md`
//! and the model of the other games: the same rooms, flat state over shared data, frames as data.

mod aftermath;
mod arrivals;
mod charts;
mod combat;
mod counsel;
mod data;
mod ends;
mod forecast;
mod movement;
mod position;
mod sequence;
mod setup;
mod situate;
mod state;
mod supply;
mod units;
mod verbs;
mod victory;
mod view;

pub use verbs::*;

use board::Board;
use data::Data;
use game::ledger::rule_texts;
use game::{Chart, Game, Info, Position, ScenarioInfo, Shelf, SideInfo, Terms, saved, unfit};
use state::{Agreed, Exercise};
use std::sync::Arc;
use text::{Faults, Files};

/// What the sides are called.
pub(crate) const NAMES: [&str; 2] = ["Blue", "Red"];

/// The drill as a boxed game.
pub struct Drill {
    info: Info,
    shelf: Shelf<Data>,
}

impl Drill {
    /// The game with its own data; an error can only mean that a file built into the program is broken.
    pub fn new() -> Result<Drill, Faults> {
        let shelf = Shelf::new(Data::read);
        let data = shelf.data(None)?;
        let scenarios = data.scenarios.iter().map(|s| ScenarioInfo {
            id: s.id.clone(),
            name: s.name.clone(),
            about: s.about.clone(),
            turns: u32::from(s.turns),
            first_turn: 1,
            source: s.source.clone(),
        });
        let side = |id, name, colour| SideInfo { id, name, colour, commands: &["Command"] };
        let info = Info {
            id: "drill",
            name: "The Drill",
            about: "A training game of our own: two small armies, a river and six turns. It teaches movement, zones \
                    of control, odds, retreats, supply and concealment in a quarter of an hour.",
            rules_version: 1,
            sides: [side("blue", NAMES[0], "#3b6ea5"), side("red", NAMES[1], "#b5483a")],
            scenarios: scenarios.collect(),
            options: data.options.clone(),
            overlays: view::OVERLAYS,
            rules: rule_texts(include_str!("../ledger.tsv")),
        };
        Ok(Drill { info, shelf })
    }

    /// The data, and what was agreed on, or the faults in it with the valid values.
    fn agreed(&self, terms: &Terms, overlay: Option<&Files>) -> Result<(Arc<Data>, Agreed), Faults> {
        let data = self.shelf.data(overlay)?;
        let mut faults = Faults::new();
        let ids: Vec<_> = data.scenarios.iter().map(|s| s.id.as_str()).collect();
        let scenario = terms.scenario_among(&ids, &mut faults);
        let options = terms.agreed(&data.options, &mut faults);
        let agreed = Agreed {
            scenario: scenario.unwrap_or(0) as u8,
            concealment: options.on("concealment"),
            attrition: options.on("attrition"),
        };
        faults.check()?;
        Ok((data, agreed))
    }
}

impl Game for Drill {
    fn info(&self) -> &Info {
        &self.info
    }

    fn board(&self, overlay: Option<&Files>) -> Result<Arc<Board>, Faults> {
        Ok(Arc::clone(&self.shelf.data(overlay)?.board))
    }

    fn charts(&self, overlay: Option<&Files>) -> Result<Vec<Chart>, Faults> {
        let data = self.shelf.data(overlay)?;
        Ok(vec![data.results_chart(), data.terrain_chart()])
    }

    fn start(&self, terms: &Terms, overlay: Option<&Files>) -> Result<Box<dyn Position>, Faults> {
        let (data, agreed) = self.agreed(terms, overlay)?;
        Ok(Box::new(Exercise::start(data, agreed)))
    }

    fn restore(
        &self,
        terms: &Terms,
        overlay: Option<&Files>,
        state: &[u8],
    ) -> Result<Box<dyn Position>, Faults> {
        let (data, agreed) = self.agreed(terms, overlay)?;
        Ok(Box::new(Exercise::load(data, agreed, saved(state)?).map_err(unfit)?))
    }

    fn situate(
        &self,
        terms: &Terms,
        overlay: Option<&Files>,
        setup: &toml::Table,
    ) -> Result<Box<dyn Position>, Faults> {
        let (data, agreed) = self.agreed(terms, overlay)?;
        Ok(Box::new(Exercise::situate(data, agreed, setup)?))
    }

    fn describe(&self, position: &dyn Position) -> Option<toml::Table> {
        position.as_any().downcast_ref::<Exercise>()?.head()
    }
}
