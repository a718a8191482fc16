//! The game as the house sees it: what it offers, its charts, how it is started and read back.

use crate::badge::UnitSet;
use crate::data::Data;
use crate::state::{Cx, Options, Pos, Ready, State, Step};
use board::Board;
use game::ledger::rule_texts;
use game::{
    Chart, Game, Info, Position, Quiet, ScenarioInfo, ScriptedDice, Shelf, SideInfo, Terms, saved, unfit,
};
use std::sync::Arc;
use table::Side;
use text::{Faults, Files};

/// Proud Monster.
#[derive(Debug)]
pub struct Pm {
    info: Info,
    shelf: Shelf<Data>,
}

const OVERLAYS: &[(&str, &str)] = &[
    ("supply", "Where each side's supply reaches, and who is out of it"),
    ("control", "Who controls towns and cities, and their VP"),
    ("weather", "The weather on the ground"),
    ("reach", "Where the enemy's top units can go next"),
    ("forts", "Works that still stand"),
    ("gas", "East of the German Attenuated Supply Line"),
];

impl Pm {
    /// The game with our data. Faults in it would be ours; they are reported when a game is started.
    pub fn new() -> Pm {
        let shelf = Shelf::new(Data::read);
        let scenarios = shelf.ours().map_or_else(Vec::new, |d| {
            let info = |s: &crate::data::Scenario| ScenarioInfo {
                id: s.id.clone(),
                name: s.name.clone(),
                about: s.about.clone(),
                turns: u32::from(s.last_turn - s.first_turn) + 1,
                first_turn: u32::from(s.first_turn),
                source: if s.ours {
                    "reconstructed: ours, see scenarios.toml".into()
                } else {
                    "3.1-3.9".into()
                },
            };
            d.scenarios.iter().map(info).collect()
        });
        let info = Info {
            id: "pm",
            name: "Proud Monster",
            about: "The Barbarossa campaign, June to December 1941, at twenty miles a hex: two couplets a turn, mobile and \
                    prepared assaults, untried Soviet divisions, and a supply line that wears thin.",
            rules_version: 1,
            sides: [
                SideInfo {
                    id: "german",
                    name: "Axis",
                    colour: "#5b6b5e",
                    commands: &["senior commander", "northern command", "southern command"],
                },
                SideInfo {
                    id: "soviet",
                    name: "Soviet Union",
                    colour: "#a03c2e",
                    commands: &["senior commander", "northern command", "southern command"],
                },
            ],
            scenarios,
            options: shelf.ours().map_or_else(Vec::new, |d| d.options.clone()),
            overlays: OVERLAYS,
            rules: rule_texts(include_str!("../ledger.tsv")),
        };
        Pm { info, shelf }
    }

    /// A position with nothing placed yet.
    pub fn empty(&self, terms: &Terms, overlay: Option<&Files>) -> Result<Pos, Faults> {
        let data = self.shelf.data(overlay)?;
        let mut faults = Faults::new();
        let ids: Vec<_> = data.scenarios.iter().map(|s| s.id.as_str()).collect();
        let scenario = terms.scenario_among(&ids, &mut faults).unwrap_or(0);
        let options = Options::of(&data.options, terms, &mut faults);
        faults.check()?;
        let s = State::new(&data);
        Ok(Pos { data, options, scenario, s })
    }
}

impl Default for Pm {
    fn default() -> Pm {
        Pm::new()
    }
}

impl Game for Pm {
    fn info(&self) -> &Info {
        &self.info
    }

    fn board(&self, overlay: Option<&Files>) -> Result<Arc<Board>, Faults> {
        Ok(self.shelf.data(overlay)?.map.board.clone())
    }

    fn charts(&self, overlay: Option<&Files>) -> Result<Vec<Chart>, Faults> {
        Ok(self.shelf.data(overlay)?.charts.shown())
    }

    fn start(&self, terms: &Terms, overlay: Option<&Files>) -> Result<Box<dyn Position>, Faults> {
        let mut p = self.empty(terms, overlay)?;
        let sc = p.data.scenarios[p.scenario].clone();
        let mut faults = Faults::new();
        p.s.turn = sc.first_turn;
        if let Some(file) = &sc.position {
            p.read_position(file, &mut faults);
            // The turn before has just ended: what the first turn brings is rolled when play begins.
            p.s.turn = sc.first_turn - 1;
            p.s.couplet = p.data.charts.turn(p.s.turn).couplets;
            p.s.step = Step::Pause;
        } else {
            if sc.soviet != "free" {
                p.read_set_up(Side::Two, &sc.soviet, &mut faults);
            }
            if sc.german != "free" {
                p.read_set_up(Side::One, &sc.german, &mut faults);
            }
            if sc.soviet != "free" {
                let mut dice = ScriptedDice::default();
                let mut cx = Cx { dice: &mut dice, tell: &mut Quiet };
                p.next_phase(&mut cx);
            }
        }
        faults.check()?;
        p.refresh_ready();
        p.check_supply(Side::One);
        p.check_supply(Side::Two);
        Ok(Box::new(p))
    }

    fn restore(
        &self,
        terms: &Terms,
        overlay: Option<&Files>,
        state: &[u8],
    ) -> Result<Box<dyn Position>, Faults> {
        let mut p = self.empty(terms, overlay)?;
        let s: State = saved(state)?;
        if s.stacks.len() != p.s.stacks.len()
            || s.air.len() != p.s.air.len()
            || s.in_pool.len() != p.s.in_pool.len()
        {
            return Err(unfit("the saved state was written with other counters"));
        }
        p.s = s;
        let n = p.data.units.ground;
        *p.s.ready = Ready { pick: UnitSet::new(n), begun: UnitSet::new(n) };
        p.refresh_ready();
        p.check_supply(Side::One);
        p.check_supply(Side::Two);
        Ok(Box::new(p))
    }

    fn situate(
        &self,
        terms: &Terms,
        overlay: Option<&Files>,
        setup: &toml::Table,
    ) -> Result<Box<dyn Position>, Faults> {
        let mut p = self.empty(terms, overlay)?;
        let mut faults = Faults::new();
        p.read_situation(setup, &mut faults);
        faults.check()?;
        Ok(Box::new(p))
    }

    fn describe(&self, position: &dyn Position) -> Option<toml::Table> {
        position.as_any().downcast_ref::<Pos>()?.write_situation()
    }
}
