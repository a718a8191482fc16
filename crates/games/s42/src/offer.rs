//! The game as the house sees it: what it offers, its charts, how it is started and read back.

use crate::data::Data;
use crate::state::{Cx, Options, Pos, State};
use board::Board;
use game::{
    Chart, Game, Info, Kind, OptionSpec, Position, Quiet, RuleText, ScenarioInfo, ScriptedDice, SideInfo,
    Terms,
};
use std::sync::{Arc, OnceLock};
use table::Side;
use text::{Faults, Files, Tsv};

/// Stalingrad '42.
#[derive(Debug)]
pub struct S42 {
    info: Info,
    data: OnceLock<Arc<Data>>,
}

const OVERLAYS: &[(&str, &str)] = &[
    ("zoc", "Zones of Control of both sides (6)"),
    ("bonds", "ZOC Bonds of both sides (7)"),
    ("supply", "Where each side's Lines of Supply reach (16)"),
    ("rail", "Connecting Rail Hexes and Railheads (17)"),
    ("control", "Who controls cities and VP hexes (16.3.4)"),
    ("forts", "Fortifications that stand (9.7)"),
];

/// The options: id, name, what it does, rule, default.
const OPTIONS: [(&str, &str, &str, &str, bool); 6] = [
    ("reserves", "Reserves", "Stacks held back advance in the Combat Phase.", "25.0", true),
    ("planned", "Planned Offensives", "Resource Points buy a second die for an attack.", "26.0", true),
    ("disengagement", "Disengagement", "Units may try to leave the enemy in the Combat Phase.", "27.0", true),
    ("leaders", "Leaders", "Chuikov and Manstein may roll again.", "28.0", true),
    ("contested", "Contested cities", "Both sides may share a city hex. Always on in Uranus.", "29.0", true),
    ("maskirovka", "Maskirovka", "Soviet Reserve Armies hide who is where (campaign).", "34.0", true),
];

impl S42 {
    /// The game with our data. Faults in it would be ours; they are reported when a game is started.
    pub fn new() -> S42 {
        let data = Data::read(None).ok().map(Arc::new);
        let scenarios = data.as_ref().map_or_else(Vec::new, |d| {
            let info = |s: &crate::scenario::Scenario| ScenarioInfo {
                id: s.id.clone(),
                name: s.name.clone(),
                about: s.about.clone(),
                turns: u32::from(s.last_turn - s.first_turn) + 1,
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
            options: OPTIONS
                .iter()
                .map(|&(id, name, about, rule, on)| OptionSpec {
                    id: id.into(),
                    name: name.into(),
                    about: about.into(),
                    rule: rule.into(),
                    kind: Kind::Flag,
                    default: if on { "on" } else { "off" }.into(),
                })
                .collect(),
            overlays: OVERLAYS,
            rules: rules(),
        };
        let cell = OnceLock::new();
        if let Some(d) = data {
            let _ = cell.set(d);
        }
        S42 { info, data: cell }
    }

    fn read(&self, overlay: Option<&Files>) -> Result<Arc<Data>, Faults> {
        if overlay.is_none()
            && let Some(d) = self.data.get()
        {
            return Ok(d.clone());
        }
        Data::read(overlay).map(Arc::new)
    }

    /// A position with nothing placed yet.
    pub fn empty(&self, terms: &Terms, overlay: Option<&Files>) -> Result<Pos, Faults> {
        let data = self.read(overlay)?;
        let scenario = data.scenario(&terms.scenario)?;
        let mut faults = Faults::new();
        let mut on = OPTIONS.map(|o| o.4);
        for (k, v) in &terms.options {
            let known: Vec<_> = OPTIONS.iter().map(|o| o.0).collect();
            match (OPTIONS.iter().position(|o| o.0 == k), v.as_str()) {
                (Some(i), "on") => on[i] = true,
                (Some(i), "off") => on[i] = false,
                (Some(_), _) => faults.add("terms", None, format!("{k} is 'on' or 'off', not '{v}'")),
                (None, _) => {
                    let why = format!("'{k}' is no option; expected one of {}", known.join(", "));
                    faults.add("terms", None, why);
                }
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let required = data.scenarios[scenario].contested_cities == "required";
        let options = Options {
            reserves: on[0],
            planned: on[1],
            disengagement: on[2],
            leaders: on[3],
            contested: on[4] || required,
            maskirovka: on[5] && data.scenarios[scenario].campaign_rules,
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

/// Our words on each rule, from the ledger.
fn rules() -> Vec<RuleText> {
    let files = crate::data::files(None);
    if !files.has("ledger.tsv") {
        return Vec::new();
    }
    let mut faults = Faults::new();
    let columns = ["rule", "what", "where", "tests", "status"];
    let Some(t) = Tsv::read(&files, "ledger.tsv", &columns, &[], &mut faults) else { return Vec::new() };
    t.rows().map(|r| RuleText { rule: r.get("rule").into(), text: r.get("what").into() }).collect()
}

impl Game for S42 {
    fn info(&self) -> &Info {
        &self.info
    }

    fn board(&self, overlay: Option<&Files>) -> Result<Arc<Board>, Faults> {
        Ok(self.read(overlay)?.map.board.clone())
    }

    fn charts(&self, overlay: Option<&Files>) -> Result<Vec<Chart>, Faults> {
        Ok(self.read(overlay)?.charts.shown())
    }

    fn start(&self, terms: &Terms, overlay: Option<&Files>) -> Result<Box<dyn Position>, Faults> {
        let mut p = self.empty(terms, overlay)?;
        let mut faults = Faults::new();
        p.set_up(&mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
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
        let fault = |what: &str| {
            let mut f = Faults::new();
            f.add("state", None, what);
            f
        };
        let s: State = postcard::from_bytes(state)
            .map_err(|e| fault(&format!("the saved state cannot be read: {e}")))?;
        if s.stacks.len() != p.s.stacks.len() {
            return Err(fault("the saved state was written with other counters"));
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
        if faults.is_empty() { Ok(Box::new(p)) } else { Err(faults) }
    }

    fn describe(&self, position: &dyn Position) -> Option<toml::Table> {
        position.as_any().downcast_ref::<Pos>()?.write_situation()
    }
}
