//! Any position from the head of a situation file, and back.
//!
//! `[at]` holds `turn`, `phase` (`blue movement`; `blue supply` judges supply first), and may hold `guards` (the
//! concealed counter that is real; the first if left out), `revealed`, `blue` and `red` (towns held, by hex),
//! `attacked` (hexes attacked in this phase) and `within` (what is under way inside the phase, outermost first).
//! Each `[[unit]]` holds `counter` and `hex` or `box`, and may hold `steps`, `hungry` (judgings in a row without
//! supply), `moved` and `fought`. Of two units on a hex the later lies on top. Units not named are lost.

use crate::data::{BOXES, Data, LOST, SIDES, side_of};
use crate::state::{Agreed, Ending, Exercise, Frame};
use crate::units::Units;
use game::{Lexicon, Quiet};
use hex::Hex;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use table::{Place, Side};
use text::{Faults, unknown};

const PHASES: [&str; 7] = ["hide", "deploy", "supply", "arrivals", "movement", "combat", "over"];

/// The head of a situation.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Head {
    at: At,
    #[serde(default)]
    unit: Vec<UnitAt>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct At {
    turn: u8,
    phase: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    guards: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    revealed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blue: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    red: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    attacked: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    within: Vec<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct UnitAt {
    counter: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hex: Option<String>,
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    in_box: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<u8>,
    #[serde(default, skip_serializing_if = "is_zero")]
    hungry: u8,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    moved: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fought: bool,
}

fn is_zero(n: &u8) -> bool {
    *n == 0
}

/// Faults of a situation's head have no file of ours; the runner knows which it is.
const FILE: &str = "situation";

impl Exercise {
    /// Sets up what the head of a situation says, or tells all that is wrong with it.
    pub(crate) fn situate(data: Arc<Data>, agreed: Agreed, setup: &toml::Table) -> Result<Exercise, Faults> {
        let mut faults = Faults::new();
        let kept = ["at", "unit"];
        let table: toml::Table = setup
            .iter()
            .filter(|(k, _)| kept.contains(&k.as_str()))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        let head: Head = match table.try_into() {
            Ok(head) => head,
            Err(e) => {
                faults.add(FILE, None, e.message().to_string());
                return Err(faults);
            }
        };
        let mut x = Exercise::empty(data, agreed);
        let data = Arc::clone(&x.data);
        let grid = data.board.grid();
        for u in x.stacks.units() {
            x.destroy(u);
        }
        let town = |name: &String, faults: &mut Faults| {
            let t = grid.find(name).and_then(|h| data.town(h));
            if t.is_none() {
                faults.add(FILE, None, format!("\"{name}\" is no town with points"));
            }
            t.map_or(0, |t| 1u32 << t)
        };
        x.held = x.scenario().held;
        for entry in &head.unit {
            let Some(u) = data.lexicon.find_unit(&entry.counter) else {
                faults.add(FILE, None, unknown("counter", &entry.counter, data.lexicon.units()));
                continue;
            };
            let place = match (&entry.hex, &entry.in_box) {
                (Some(h), None) => grid.find(h).filter(|&h| data.can_stand(h)).map(Place::Hex),
                (None, Some(b)) => data.lexicon.find_box(b).map(Place::Box),
                _ => None,
            };
            let Some(place) = place else {
                let what = format!(
                    "{} needs a hex where it can stand, or a box: {}",
                    entry.counter,
                    BOXES.join(", ")
                );
                faults.add(FILE, None, what);
                continue;
            };
            if place.hex().is_some_and(|h| x.stacks.holder(h).is_some_and(|s| s != data.sides[u.ix()])) {
                faults.add(FILE, None, format!("{} stands on a hex of the enemy", entry.counter));
                continue;
            }
            let full = data.counters[u.ix()].steps() as u8;
            x.steps[u.ix()] = if place == Place::Box(LOST) { 0 } else { entry.steps.unwrap_or(full) };
            x.hungry[u.ix()] = entry.hungry;
            x.put(u, place);
            if entry.moved {
                x.moved = x.moved.with(u);
            }
            if entry.fought {
                x.fought = x.fought.with(u);
            }
        }
        for (side, names) in [(Side::One, &head.at.blue), (Side::Two, &head.at.red)] {
            for bit in names.iter().flatten().map(|n| town(n, &mut faults)).collect::<Vec<_>>() {
                x.held[side.ix()] |= bit;
                x.held[side.foe().ix()] &= !bit;
            }
        }
        for name in &head.at.attacked {
            match grid.find(name) {
                Some(h) => drop(x.attacked.insert(h)),
                None => faults.add(FILE, None, format!("\"{name}\" is no hex of this map")),
            }
        }
        x.turn = head.at.turn;
        x.revealed = head.at.revealed || !agreed.concealment;
        x.real = match &head.at.guards {
            None => data.concealed.first(),
            Some(code) => {
                let u = data.lexicon.find_unit(code).filter(|&u| data.concealed.has(u));
                if u.is_none() {
                    faults.add(FILE, None, format!("\"{code}\" is no concealed counter"));
                }
                u
            }
        };
        x.open_phase(&head.at.phase, &mut faults);
        for text in &head.at.within {
            match read_frame(&data.lexicon, text) {
                Some(f) => x.frames.push(f),
                None => faults.add(FILE, None, format!("\"{text}\" is nothing that can be under way")),
            }
        }
        faults.check()?;
        if let Err(what) = x.sound() {
            return Err(text::Fault { file: FILE.into(), line: None, what }.into());
        }
        x.settle(&mut Quiet);
        Ok(x)
    }

    fn open_phase(&mut self, words: &str, faults: &mut Faults) {
        let (side, phase) = words.split_once(' ').unwrap_or(("", words));
        if let Some(s) = side_of(side) {
            self.active = s;
        } else if !side.is_empty() {
            faults.add(FILE, None, unknown("side", side, &SIDES));
        }
        let frame = match phase {
            "hide" => {
                self.real = None;
                Frame::Hide
            }
            "deploy" => {
                let of = |d: &(Side, hex::HexSet)| d.0 == self.active;
                Frame::Deploy(self.scenario().deploy.iter().position(of).unwrap_or(0) as u8)
            }
            "supply" => {
                self.judge_supply(&mut Quiet);
                Frame::Arrivals
            }
            "arrivals" => Frame::Arrivals,
            "movement" => Frame::Movement,
            "combat" => Frame::Combat,
            "over" => Frame::Over(self.routed().map_or(Ending::Points, Ending::Rout)),
            _ => {
                faults.add(FILE, None, unknown("phase", phase, &PHASES));
                Frame::Movement
            }
        };
        self.phase(frame);
    }

    /// The head of a situation that sets this up again.
    pub(crate) fn head(&self) -> Option<toml::Table> {
        let lexicon = &self.data.lexicon;
        let hexes = |bits: u32| {
            let towns = self.data.towns.iter().enumerate();
            towns.filter(|(i, _)| bits >> i & 1 != 0).map(|(_, (h, _))| lexicon.hex(*h)).collect::<Vec<_>>()
        };
        let phase = match self.frames.first()? {
            Frame::Hide => "hide",
            Frame::Deploy(_) => "deploy",
            Frame::Arrivals => "arrivals",
            Frame::Movement => "movement",
            Frame::Combat => "combat",
            _ => "over",
        };
        let owner = match self.frames.first()? {
            Frame::Hide | Frame::Deploy(_) => self.asked().unwrap_or(self.active),
            _ => self.active,
        };
        let mut units: Vec<_> = self.stacks.units().filter(|&u| self.steps[u.ix()] > 0).collect();
        let depth = |u| self.stacks.of(self.stacks.place(u)).position(|v| v == u).unwrap_or(0);
        units.sort_by_key(|&u| (self.stacks.place(u), std::cmp::Reverse(depth(u))));
        let unit = units.into_iter().map(|u| {
            let (steps, full) = (self.steps[u.ix()], self.data.counters[u.ix()].steps() as u8);
            UnitAt {
                counter: lexicon.unit(u).into(),
                hex: self.stacks.hex(u).map(|h| lexicon.hex(h)),
                in_box: match self.stacks.place(u) {
                    Place::Box(b) => Some(lexicon.boxed(b).into()),
                    Place::Hex(_) => None,
                },
                steps: (steps != full).then_some(steps),
                hungry: self.hungry[u.ix()],
                moved: self.moved.has(u),
                fought: self.fought.has(u),
            }
        });
        let head = Head {
            at: At {
                turn: self.turn,
                phase: format!("{} {phase}", SIDES[owner.ix()]),
                guards: self.real.map(|u| lexicon.unit(u).into()),
                revealed: self.revealed,
                blue: Some(hexes(self.held[0])),
                red: Some(hexes(self.held[1])),
                attacked: self.attacked.iter().map(|h| lexicon.hex(h)).collect(),
                within: self.frames.iter().skip(1).map(|f| write_frame(lexicon, f)).collect(),
            },
            unit: unit.collect(),
        };
        toml::Table::try_from(head).ok()
    }
}

fn write_units(lexicon: &Lexicon, units: Units) -> String {
    units.iter().map(|u| format!(" {}", lexicon.unit(u))).collect()
}

/// A frame in a line; [`read_frame`] must agree.
fn write_frame(lexicon: &Lexicon, f: &Frame) -> String {
    match *f {
        Frame::Moving(u) => format!("moving{}", write_units(lexicon, u)),
        Frame::Battle(h, u) => format!("battle {}{}", lexicon.hex(h), write_units(lexicon, u)),
        Frame::Advance(h, u) => format!("advance {}{}", lexicon.hex(h), write_units(lexicon, u)),
        Frame::Losses(s, n, u) => format!("losses {} {n}{}", SIDES[s.ix()], write_units(lexicon, u)),
        Frame::Retreat(u, true) => format!("retreat-or-stand{}", write_units(lexicon, u)),
        Frame::Retreat(u, false) => format!("retreat{}", write_units(lexicon, u)),
        Frame::Hide
        | Frame::Deploy(_)
        | Frame::Arrivals
        | Frame::Movement
        | Frame::Combat
        | Frame::Over(_) => "phase".into(),
    }
}

fn read_frame(lexicon: &Lexicon, text: &str) -> Option<Frame> {
    let mut words = text.split_whitespace();
    let kind = words.next()?;
    let hex = |w: Option<&str>| -> Option<Hex> { lexicon.grid().find(w?) };
    let mut frame = match kind {
        "moving" => Frame::Moving(Units::NONE),
        "battle" => Frame::Battle(hex(words.next())?, Units::NONE),
        "advance" => Frame::Advance(hex(words.next())?, Units::NONE),
        "losses" => Frame::Losses(side_of(words.next()?)?, words.next()?.parse().ok()?, Units::NONE),
        "retreat-or-stand" => Frame::Retreat(Units::NONE, true),
        "retreat" => Frame::Retreat(Units::NONE, false),
        _ => return None,
    };
    let units: Units = words.map(|w| lexicon.find_unit(w)).collect::<Option<Vec<_>>>()?.into_iter().collect();
    match &mut frame {
        Frame::Moving(u) | Frame::Battle(_, u) | Frame::Advance(_, u) | Frame::Losses(_, _, u) => *u = units,
        Frame::Retreat(u, _) => *u = units,
        _ => {}
    }
    Some(frame)
}
