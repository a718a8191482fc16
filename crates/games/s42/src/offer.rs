//! The game as the house sees it: what it offers, its charts, how it is started and read back.

use crate::data::Data;
use crate::state::{Cx, Options, Pos, State};
use board::Board;
use game::ledger::rule_texts;
use game::{
    Chart, Game, Info, Position, Quiet, ScenarioInfo, ScriptedDice, Shelf, SideInfo, Terms, saved, unfit,
};
use std::sync::Arc;
use table::Side;
use text::{Faults, Files};

/// Stalingrad '42.
#[derive(Debug)]
pub struct S42 {
    info: Info,
    shelf: Shelf<Data>,
}

const OVERLAYS: &[(&str, &str)] = &[
    ("zoc", "Zones of Control of both sides (6)"),
    ("bonds", "ZOC Bonds of both sides (7)"),
    ("supply", "Where each side's Lines of Supply reach (16)"),
    ("rail", "Connecting Rail Hexes and Railheads (17)"),
    ("control", "Who controls cities and VP hexes (16.3.4)"),
    ("forts", "Fortifications that stand (9.7)"),
    ("reach", "Where the enemy's units can go next (5)"),
    ("weather", "The weather on the ground (23.1)"),
];

impl S42 {
    /// The game with our data. Faults in it would be ours; they are reported when a game is started.
    pub fn new() -> S42 {
        let shelf = Shelf::new(Data::read);
        let scenarios = shelf.ours().map_or_else(Vec::new, |d| {
            let info = |s: &crate::scenario::Scenario| ScenarioInfo {
                id: s.id.clone(),
                name: s.name.clone(),
                about: s.about.clone(),
                turns: u32::from(s.last_turn - s.first_turn) + 1,
                first_turn: u32::from(s.first_turn),
                source: s.rule.clone(),
            };
            d.scenarios.iter().map(info).collect()
        });
        let side = |id, name, colour| SideInfo { id, name, colour, commands: &["commander"] };
        let info = Info {
            id: "s42",
            name: "Stalingrad '42",
            about: "Southern Russia from June to December 1942 at ten miles a hex: ZOC bonds, Determined Defense, breakthrough \
                    combat, railheads, and the winter's answer.",
            rules_version: 1,
            sides: [side("axis", "Axis", "#5b6b5e"), side("soviet", "Soviet Union", "#a03c2e")],
            scenarios,
            options: shelf.ours().map_or_else(Vec::new, |d| d.options.clone()),
            overlays: OVERLAYS,
            rules: rule_texts(include_str!("../ledger.tsv")),
        };
        S42 { info, shelf }
    }

    /// A position with nothing placed yet.
    pub fn empty(&self, terms: &Terms, overlay: Option<&Files>) -> Result<Pos, Faults> {
        let data = self.shelf.data(overlay)?;
        let mut faults = Faults::new();
        let ids: Vec<_> = data.scenarios.iter().map(|s| s.id.as_str()).collect();
        let scenario = terms.scenario_among(&ids, &mut faults).unwrap_or(0);
        let agreed = terms.agreed(&data.options, &mut faults);
        faults.check()?;
        let of = &data.scenarios[scenario];
        let options = Options {
            reserves: agreed.on("reserves"),
            planned: agreed.on("planned"),
            disengagement: agreed.on("disengagement"),
            leaders: agreed.on("leaders"),
            contested: agreed.on("contested") || of.contested_cities == "required",
            maskirovka: agreed.on("maskirovka") && of.campaign_rules,
        };
        let s = State::new(&data);
        Ok(Pos { data, options, scenario, s })
    }
}

impl Default for S42 {
    fn default() -> S42 {
        S42::new()
    }
}

impl Game for S42 {
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
        let mut faults = Faults::new();
        p.set_up(&mut faults);
        faults.check()?;
        // The weather of the first turn is fixed in every scenario, so nothing is rolled here.
        let mut dice = ScriptedDice::default();
        p.next_phase(&mut Cx { dice: &mut dice, tell: &mut Quiet });
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
        if s.stacks.len() != p.s.stacks.len() {
            return Err(unfit("the saved state was written with other counters"));
        }
        p.s = s;
        p.rebuild_zones();
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
