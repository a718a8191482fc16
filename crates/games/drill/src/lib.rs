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
mod files;
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
use game::{Chart, Game, Info, Position, ScenarioInfo, SideInfo, Terms};
use state::{Agreed, Exercise};
use std::sync::Arc;
use text::{Fault, Faults, Files, unknown};

/// What the sides are called.
pub(crate) const NAMES: [&str; 2] = ["Blue", "Red"];

/// The drill as a boxed game.
pub struct Drill {
    info: Info,
    data: Arc<Data>,
}

impl Drill {
    /// The game with its own data; an error can only mean that a file built into the program is broken.
    pub fn new() -> Result<Drill, Faults> {
        let data = Arc::new(Data::load(&files::own())?);
        let scenarios = data.scenarios.iter().map(|s| ScenarioInfo {
            id: s.id.clone(),
            name: s.name.clone(),
            about: s.about.clone(),
            turns: u32::from(s.turns),
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
            rules: data::rule_texts(files::LEDGER),
        };
        Ok(Drill { info, data })
    }

    fn data(&self, overlay: Option<&Files>) -> Result<Arc<Data>, Faults> {
        match overlay {
            None => Ok(Arc::clone(&self.data)),
            Some(files) => Ok(Arc::new(Data::load(&files::own().overlaid(files.clone()))?)),
        }
    }

    /// What was agreed on, or the faults in it with the valid values.
    fn agreed(&self, data: &Data, terms: &Terms) -> Result<Agreed, Faults> {
        let mut faults = Faults::new();
        let ids: Vec<_> = data.scenarios.iter().map(|s| s.id.as_str()).collect();
        let scenario = ids.iter().position(|id| *id == terms.scenario);
        if scenario.is_none() {
            faults.add("terms", None, unknown("scenario", &terms.scenario, &ids));
        }
        let known: Vec<_> = data.options.iter().map(|o| o.id.as_str()).collect();
        for (id, value) in &terms.options {
            if !known.contains(&id.as_str()) {
                faults.add("terms", None, unknown("option", id, &known));
            } else if value != "on" && value != "off" {
                faults.add("terms", None, format!("the option {id} is \"{value}\"; expected on or off"));
            }
        }
        let on = |id: &str| {
            let default = data.options.iter().find(|o| o.id == id).map(|o| &o.default);
            terms.options.get(id).or(default).is_none_or(|v| v == "on")
        };
        let agreed = Agreed {
            scenario: scenario.unwrap_or(0) as u8,
            concealment: on("concealment"),
            attrition: on("attrition"),
        };
        faults.check()?;
        Ok(agreed)
    }
}

impl Game for Drill {
    fn info(&self) -> &Info {
        &self.info
    }

    fn board(&self, overlay: Option<&Files>) -> Result<Arc<Board>, Faults> {
        Ok(Arc::clone(&self.data(overlay)?.board))
    }

    fn charts(&self, overlay: Option<&Files>) -> Result<Vec<Chart>, Faults> {
        let data = self.data(overlay)?;
        Ok(vec![data.results_chart(), data.terrain_chart()])
    }

    fn start(&self, terms: &Terms, overlay: Option<&Files>) -> Result<Box<dyn Position>, Faults> {
        let data = self.data(overlay)?;
        let agreed = self.agreed(&data, terms)?;
        Ok(Box::new(Exercise::start(data, agreed)))
    }

    fn restore(
        &self,
        terms: &Terms,
        overlay: Option<&Files>,
        state: &[u8],
    ) -> Result<Box<dyn Position>, Faults> {
        let data = self.data(overlay)?;
        let agreed = self.agreed(&data, terms)?;
        match Exercise::load(data, agreed, state) {
            Ok(x) => Ok(Box::new(x)),
            Err(what) => Err(Fault { file: "state".into(), line: None, what }.into()),
        }
    }

    fn situate(
        &self,
        terms: &Terms,
        overlay: Option<&Files>,
        setup: &toml::Table,
    ) -> Result<Box<dyn Position>, Faults> {
        let data = self.data(overlay)?;
        let agreed = self.agreed(&data, terms)?;
        Ok(Box::new(Exercise::situate(data, agreed, setup)?))
    }

    fn describe(&self, position: &dyn Position) -> Option<toml::Table> {
        position.as_any().downcast_ref::<Exercise>()?.head()
    }
}
