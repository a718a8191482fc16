//! A small game for the tests of this crate: two sides, a hidden mine each, untried strengths, dice, losses.
//!
//! 1 Each side lays a mine unseen. 2 A side moves its units up to two hexes, together if they stand together, and
//! attacks what it touches; a mine stepped on is shown, and takes the unit on 1 to 3. 3 An attack throws one die,
//! adds the attackers and takes off the defenders: at 4 the defender loses a unit of his choice. A unit's strength is
//! drawn when it first fights. 4 Twelve turns; more units win.

mod position;
mod view;

use crate::*;
use hex::{Grid, GridSpec, Hex, Route};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};
use table::{Pool, Rule, Side, Sum, Unit};
use text::{Faults, Files};

verbs! {
    /// Lays the mine.
    LAY = "lay", "Lay", "Lay the mine here.";
    /// Takes a unit in hand.
    PICK = "pick", "Pick", "Take this unit in hand.", held;
    /// Moves what is in hand.
    GO = "go", "Go", "Move along this path.";
    /// Names a target.
    ATTACK = "attack", "Attack", "Attack this hex.", held;
    /// Adds an attacker.
    ADD = "add", "Add", "This unit attacks too.", held;
    /// Throws the die.
    RESOLVE = "resolve", "Resolve", "Throw the die.";
    /// Takes a loss.
    LOSS = "loss", "Loss", "This unit is lost.";
    /// Ends the turn.
    DONE = "done", "Done", "End the turn.";
}

const CODES: [&str; 4] = ["A1", "A2", "B1", "B2"];
const ALLOWANCE: i32 = 2;
const TURNS: u32 = 12;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    turn: u32,
    side: Side,
    at: [Option<Hex>; 4],
    moved: [bool; 4],
    strength: [u8; 4],
    pool: Pool,
    hand: Vec<u16>,
    target: Option<Hex>,
    attackers: Vec<u16>,
    losing: Option<Hex>,
    mine: [Option<Hex>; 2],
    sprung: [bool; 2],
    /// Where a side's units were, so that the other side's mine cannot be there.
    trodden: [Vec<Hex>; 2],
}

/// A position of the skirmish.
#[derive(Clone)]
pub struct Skirmish {
    s: State,
    lex: Arc<Lexicon>,
    /// Faults planted to prove that the oracles find them.
    pub bug: Option<&'static str>,
}

/// The game.
pub struct SkirmishGame {
    info: Info,
    /// Faults planted to prove that the oracles find them.
    pub bug: Option<&'static str>,
}

fn lexicon() -> Arc<Lexicon> {
    static LEX: OnceLock<Arc<Lexicon>> = OnceLock::new();
    LEX.get_or_init(|| {
        let spec: GridSpec = toml::from_str("lower = \"even\"\ncolumns = [1, 6]\nrows = [1, 4]\n").unwrap();
        let grid = Grid::new(&spec).unwrap();
        Arc::new(Lexicon::new(grid, VERBS, CODES.map(String::from).to_vec(), vec!["dead".into()]).unwrap())
    })
    .clone()
}

fn side_of(u: u16) -> Side {
    if u < 2 { Side::One } else { Side::Two }
}

impl SkirmishGame {
    pub fn new() -> SkirmishGame {
        SkirmishGame::version(1)
    }

    pub fn version(rules_version: u32) -> SkirmishGame {
        let side = |id, name| SideInfo { id, name, colour: "#335577", commands: &["all"] };
        let scenario = ScenarioInfo {
            id: "field".into(),
            name: "Field".into(),
            about: "The only one.".into(),
            turns: TURNS,
            first_turn: 1,
            source: "reconstructed: for tests".into(),
        };
        let info = Info {
            id: "skirmish",
            name: "Skirmish",
            about: "For tests.",
            rules_version,
            sides: [side("blue", "Blue"), side("red", "Red")],
            scenarios: vec![scenario],
            options: vec![],
            overlays: &[],
            rules: vec![],
        };
        SkirmishGame { info, bug: None }
    }

    fn begin(&self, bug: Option<&'static str>) -> Skirmish {
        let lex = lexicon();
        let find = |n: &str| lex.grid().find(n);
        let at = [find("0101"), find("0101"), find("0604"), find("0604")];
        let s = State {
            turn: 1,
            side: Side::One,
            at,
            moved: [false; 4],
            strength: [0; 4],
            pool: Pool::new(vec![1, 2, 1]),
            hand: vec![],
            target: None,
            attackers: vec![],
            losing: None,
            mine: [None, None],
            sprung: [false; 2],
            trodden: [vec![find("0101").unwrap()], vec![find("0604").unwrap()]],
        };
        Skirmish { s, lex, bug }
    }
}

fn fault(what: impl Into<String>) -> Faults {
    let mut f = Faults::new();
    f.add("skirmish", None, what);
    f
}

impl Game for SkirmishGame {
    fn info(&self) -> &Info {
        &self.info
    }

    fn board(&self, _: Option<&Files>) -> Result<Arc<board::Board>, Faults> {
        Err(fault("this game has no map"))
    }

    fn charts(&self, _: Option<&Files>) -> Result<Vec<Chart>, Faults> {
        Ok(vec![])
    }

    fn start(&self, terms: &Terms, _: Option<&Files>) -> Result<Box<dyn Position>, Faults> {
        if terms.scenario != "field" {
            return Err(fault(format!("unknown scenario '{}'; expected field", terms.scenario)));
        }
        Ok(Box::new(self.begin(self.bug)))
    }

    fn restore(&self, _: &Terms, _: Option<&Files>, state: &[u8]) -> Result<Box<dyn Position>, Faults> {
        let s = postcard::from_bytes(state).map_err(|e| fault(e.to_string()))?;
        Ok(Box::new(Skirmish { s, lex: lexicon(), bug: self.bug }))
    }

    fn situate(
        &self,
        _: &Terms,
        _: Option<&Files>,
        setup: &toml::Table,
    ) -> Result<Box<dyn Position>, Faults> {
        let mut p = self.begin(self.bug);
        p.s.at = [None; 4];
        let at = setup.get("at").and_then(|a| a.as_table()).cloned().unwrap_or_default();
        if let Some(t) = at.get("turn").and_then(|t| t.as_integer()) {
            p.s.turn = t as u32;
        }
        if at.get("side").and_then(|t| t.as_str()) == Some("red") {
            p.s.side = Side::Two;
        }
        let hex = |v: Option<&toml::Value>| v.and_then(|h| h.as_str()).and_then(|h| p.lex.grid().find(h));
        p.s.mine = [hex(at.get("blue mine")), hex(at.get("red mine"))];
        for (i, key) in ["blue sprung", "red sprung"].iter().enumerate() {
            p.s.sprung[i] = at.contains_key(*key);
        }
        for u in setup.get("unit").and_then(|u| u.as_array()).unwrap_or(&vec![]) {
            let code = u.get("counter").and_then(|c| c.as_str()).unwrap_or_default();
            let unit = p.lex.find_unit(code).ok_or_else(|| fault(format!("there is no unit '{code}'")))?;
            let h = hex(u.get("hex"));
            if h.is_none() && u.get("hex").and_then(|h| h.as_str()) != Some("dead") {
                return Err(fault(format!("unit '{code}' is on no hex")));
            }
            p.s.at[unit.ix()] = h;
            p.s.trodden[side_of(unit.0).ix()].extend(h);
            if let Some(n) = u.get("strength").and_then(|n| n.as_integer()) {
                p.s.pool.take_kind(n as usize - 1);
                p.s.strength[unit.ix()] = n as u8;
            }
        }
        Ok(Box::new(p))
    }

    fn describe(&self, position: &dyn Position) -> Option<toml::Table> {
        let p = position.as_any().downcast_ref::<Skirmish>()?;
        if !p.s.hand.is_empty() || p.s.target.is_some() || p.s.losing.is_some() || p.s.moved.contains(&true) {
            return None;
        }
        let mut at = toml::Table::new();
        at.insert("turn".into(), i64::from(p.s.turn).into());
        at.insert("side".into(), ["blue", "red"][p.s.side.ix()].into());
        for (key, mine) in ["blue mine", "red mine"].iter().zip(p.s.mine) {
            if let Some(h) = mine {
                at.insert(key.to_string(), p.lex.hex(h).into());
            }
        }
        for (key, sprung) in ["blue sprung", "red sprung"].iter().zip(p.s.sprung) {
            if sprung {
                at.insert(key.to_string(), true.into());
            }
        }
        let mut units = vec![];
        for (u, h) in p.s.at.iter().enumerate() {
            if h.is_some() || p.s.strength[u] > 0 {
                let mut t = toml::Table::new();
                t.insert("counter".into(), CODES[u].into());
                t.insert("hex".into(), h.map_or("dead".into(), |h| p.lex.hex(h)).into());
                if p.s.strength[u] > 0 {
                    t.insert("strength".into(), i64::from(p.s.strength[u]).into());
                }
                units.push(toml::Value::Table(t));
            }
        }
        let mut out = toml::Table::new();
        out.insert("at".into(), toml::Value::Table(at));
        out.insert("unit".into(), toml::Value::Array(units));
        Some(out)
    }
}
