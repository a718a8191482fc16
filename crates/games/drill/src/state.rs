//! What changes in play: flat arrays over shared data, one writer for each fact.

use crate::data::{CAMP, Data, LOST};
use crate::units::Units;
use hex::{Hex, HexSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use table::{BoxId, Place, Side, Stacks, Unit};

/// Where we are in the rules. The lowest frame is a phase; those above it are what happens within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Frame {
    /// Red says which concealed counter is real (2.3).
    Hide,
    /// A side places its units: the number of its entry in the scenario (2.2).
    Deploy(u8),
    /// Reinforcements may enter (5).
    Arrivals,
    /// Units move (6).
    Movement,
    /// These are in hand (6.7).
    Moving(Units),
    /// Attacks are declared (8).
    Combat,
    /// An attack on a hex by these.
    Battle(Hex, Units),
    /// A side loses so many steps among these (8.8).
    Losses(Side, u8, Units),
    /// These must leave their hex (8.9); the flag is whether they may still stand fast (8.10).
    Retreat(Units, bool),
    /// These may enter the hex that was won (8.11).
    Advance(Hex, Units),
    /// The game has ended.
    Over(Ending),
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// By points after the last turn (9.2).
    Points,
    /// A side has nothing left on the map (9.3).
    Rout(Side),
}

/// What players agreed on, in the form the rules ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Agreed {
    /// Index of the scenario.
    pub scenario: u8,
    /// Whether there are concealed counters (7.1).
    pub concealment: bool,
    /// Whether units without supply lose steps (4.4).
    pub attrition: bool,
}

table::copied! {
    /// The drill at one moment.
    #[derive(Debug)]
    pub(crate) struct Exercise {
        pub data: Arc<Data>,
        pub agreed: Agreed,
        pub stacks: Stacks,
        /// By side and hex: how many hexes with its units reach there with a zone of control (6.5).
        zoc: [Vec<u8>; 2],
        pub steps: [u8; Units::MOST],
        /// By unit: judgings in a row without supply (4.2).
        pub hungry: [u8; Units::MOST],
        pub moved: Units,
        pub fought: Units,
        /// Hexes attacked in this phase (8.1).
        pub attacked: HexSet,
        /// By side: the towns it holds, as bits (1.4).
        pub held: [u32; 2],
        pub turn: u8,
        pub active: Side,
        /// The concealed counter that is real, once Red has said so (2.3).
        pub real: Option<Unit>,
        /// Whether the concealed counters are turned up (7.3).
        pub revealed: bool,
        pub frames: Vec<Frame>,
    }
}

impl Exercise {
    /// All units in camp at full strength, nothing begun.
    pub fn empty(data: Arc<Data>, agreed: Agreed) -> Exercise {
        let hexes = data.board.grid().len();
        let mut steps = [0; Units::MOST];
        for (s, c) in steps.iter_mut().zip(&data.counters) {
            *s = c.steps() as u8;
        }
        Exercise {
            stacks: Stacks::new(&data.sides, hexes, crate::data::BOXES.len(), CAMP),
            zoc: [vec![0; hexes], vec![0; hexes]],
            steps,
            hungry: [0; Units::MOST],
            moved: Units::NONE,
            fought: Units::NONE,
            attacked: HexSet::empty(),
            held: [0; 2],
            turn: 1,
            active: Side::One,
            real: None,
            revealed: false,
            frames: Vec::with_capacity(8),
            data,
            agreed,
        }
    }

    /// Puts a unit somewhere: the one writer of places, which keeps zones of control true.
    pub fn put(&mut self, u: Unit, to: Place) {
        let from = self.stacks.hex(u);
        self.stacks.put(u, to);
        let side = self.data.sides[u.ix()].ix();
        if let Some(h) = from.filter(|&h| self.stacks.height(h) == 0) {
            for w in self.data.ways(h).iter().filter(|w| w.open) {
                self.zoc[side][w.to.ix()] -= 1;
            }
        }
        if let Place::Hex(h) = to {
            if self.stacks.height(h) == 1 && from != Some(h) {
                for w in self.data.ways(h).iter().filter(|w| w.open) {
                    self.zoc[side][w.to.ix()] += 1;
                }
            }
            self.claim(h, self.data.sides[u.ix()]);
        }
    }

    /// 1.4 A town belongs to the side whose unit was last in it: the one writer of control.
    pub fn claim(&mut self, h: Hex, side: Side) {
        if let Some(t) = self.data.town(h) {
            self.held[side.ix()] |= 1 << t;
            self.held[side.foe().ix()] &= !(1 << t);
        }
    }

    /// Takes a unit off the map for good; the last of a concealed pair shows what both were (7.4).
    pub fn destroy(&mut self, u: Unit) {
        self.steps[u.ix()] = 0;
        self.put(u, Place::Box(LOST));
    }

    /// Whether a side's zone of control covers a hex (6.5).
    #[inline]
    pub fn zoc(&self, side: Side, h: Hex) -> bool {
        self.zoc[side.ix()].get(h.ix()).is_some_and(|&n| n > 0)
    }

    /// Whether a unit lies face down (7.1).
    pub fn face_down(&self, u: Unit) -> bool {
        !self.revealed && self.data.concealed.has(u)
    }

    /// Whether a unit is the decoy, as Red knows it (7.3).
    pub fn is_decoy(&self, u: Unit) -> bool {
        self.data.concealed.has(u) && self.real.is_some_and(|r| r != u)
    }

    /// A unit's figures now: attack, defence, movement; a decoy can only move.
    pub fn face(&self, u: Unit) -> table::Face {
        let mut face = self.data.counters[u.ix()].face(usize::from(self.steps[u.ix()])).unwrap_or_default();
        if self.is_decoy(u) {
            (face.attack, face.defence) = (0, 0);
        }
        if self.face_down(u) {
            face.movement = self.data.concealed_movement;
        }
        face
    }

    /// The units of a side on the map.
    pub fn on_map(&self, side: Side) -> impl Iterator<Item = Unit> + '_ {
        self.stacks.units().filter(move |&u| self.data.sides[u.ix()] == side && self.stacks.hex(u).is_some())
    }

    /// Those of these units that are still on the map.
    pub fn alive(&self, units: Units) -> Units {
        units.iter().filter(|&u| self.stacks.hex(u).is_some()).collect()
    }

    /// The frame that asks.
    pub fn top(&self) -> Frame {
        self.frames.last().copied().unwrap_or(Frame::Over(Ending::Points))
    }

    /// Points of a side (9.1).
    pub fn points(&self, side: Side) -> i32 {
        let held = self.held[side.ix()];
        let towns = self.data.towns.iter().enumerate();
        towns.filter(|(i, _)| held >> i & 1 != 0).map(|(_, &(_, vp))| i32::from(vp)).sum()
    }

    /// Proves that each counter is in one place and that what derives from that is true.
    pub fn prove(&self) -> Result<(), String> {
        self.stacks.conserved()?;
        let name = |u: Unit| self.data.lexicon.unit(u);
        let grid = self.data.board.grid();
        for h in grid.hexes() {
            let height = self.stacks.height(h);
            let mut sides = self.stacks.at(h).map(|u| self.data.sides[u.ix()]);
            if height > self.data.stacking || sides.any(|s| Some(s) != self.stacks.holder(h)) {
                return Err(format!("hex {} holds {height} units or both sides", grid.name(h)));
            }
            if height > 0 && !self.data.can_stand(h) {
                return Err(format!("a unit stands on {}, where none can", grid.name(h)));
            }
            for side in Side::BOTH {
                let near = |w: &&crate::data::Way| w.open && self.stacks.holder(w.to) == Some(side);
                let zoc = self.data.ways(h).iter().filter(near).count();
                if zoc != usize::from(self.zoc[side.ix()][h.ix()]) {
                    return Err(format!("the zone of control on {} is wrongly counted", grid.name(h)));
                }
            }
        }
        for u in self.stacks.units() {
            let (steps, full) = (usize::from(self.steps[u.ix()]), self.data.counters[u.ix()].steps());
            if steps > full || (steps == 0) != (self.stacks.place(u) == Place::Box(LOST)) {
                return Err(format!(
                    "{} has {steps} of {full} steps, but is in {:?}",
                    name(u),
                    self.stacks.place(u)
                ));
            }
        }
        if self.held[0] & self.held[1] != 0 {
            return Err("a town is held by both sides".into());
        }
        Ok(())
    }
}

/// A state as it is saved: units in stack order, bottom first, so that putting them down again rebuilds the stacks.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved {
    units: Vec<(Unit, Place)>,
    steps: Vec<u8>,
    hungry: Vec<u8>,
    moved: Units,
    fought: Units,
    attacked: HexSet,
    held: [u32; 2],
    turn: u8,
    active: Side,
    real: Option<Unit>,
    revealed: bool,
    frames: Vec<Frame>,
}

impl Exercise {
    /// The whole state as bytes.
    pub fn save(&self) -> Vec<u8> {
        let n = self.stacks.len();
        let mut units: Vec<(Unit, Place)> = self.stacks.units().map(|u| (u, self.stacks.place(u))).collect();
        let depth = |u: Unit, p: Place| self.stacks.of(p).position(|v| v == u).unwrap_or(0);
        units.sort_by_key(|&(u, p)| (p, std::cmp::Reverse(depth(u, p))));
        let saved = Saved {
            units,
            steps: self.steps[..n].to_vec(),
            hungry: self.hungry[..n].to_vec(),
            moved: self.moved,
            fought: self.fought,
            attacked: self.attacked.clone(),
            held: self.held,
            turn: self.turn,
            active: self.active,
            real: self.real,
            revealed: self.revealed,
            frames: self.frames.clone(),
        };
        game::save(&saved)
    }

    /// Lays out what [`Exercise::save`] wrote, or says what is wrong with it.
    pub fn load(data: Arc<Data>, agreed: Agreed, saved: Saved) -> Result<Exercise, String> {
        let n = data.counters.len();
        let mut x = Exercise::empty(data, agreed);
        let mut seen = Units::NONE;
        for &(u, p) in &saved.units {
            let fits = match p {
                Place::Hex(h) => x.data.can_stand(h),
                Place::Box(b) => b < BoxId(crate::data::BOXES.len() as u16),
            };
            if u.ix() >= n || seen.has(u) || !fits {
                return Err(format!("unit {} is unknown, listed twice or in no place of this game", u.0));
            }
            seen = seen.with(u);
            x.put(u, p);
        }
        if seen.count() as usize != n || saved.steps.len() != n || saved.hungry.len() != n {
            return Err(format!("{} units are listed; this game has {n}", saved.units.len()));
        }
        x.steps[..n].copy_from_slice(&saved.steps);
        x.hungry[..n].copy_from_slice(&saved.hungry);
        (x.moved, x.fought, x.attacked) = (saved.moved, saved.fought, saved.attacked);
        (x.held, x.turn, x.active) = (saved.held, saved.turn, saved.active);
        (x.real, x.revealed) = (saved.real, saved.revealed);
        x.frames.extend(saved.frames);
        x.sound()?;
        Ok(x)
    }

    /// What a state from outside must satisfy, beyond what always holds.
    pub fn sound(&self) -> Result<(), String> {
        self.prove()?;
        let all = Units::all(self.stacks.len());
        let inside = |u: Units| u.0 & !all.0 == 0;
        let frame = |f: &Frame| match *f {
            Frame::Moving(u) | Frame::Losses(_, _, u) | Frame::Retreat(u, _) => inside(u),
            Frame::Battle(h, u) | Frame::Advance(h, u) => inside(u) && self.data.can_stand(h),
            Frame::Deploy(i) => usize::from(i) < self.data.scenarios[self.scenario_ix()].deploy.len(),
            _ => true,
        };
        if !inside(self.moved) || !inside(self.fought) || !self.frames.iter().all(frame) {
            return Err("a unit, hex or set-up entry is named that this game does not have".into());
        }
        if self.frames.is_empty() || self.turn == 0 || self.turn > self.scenario().turns {
            return Err(format!("turn {} in no phase of the scenario", self.turn));
        }
        if self.real.is_some_and(|r| !self.data.concealed.has(r)) {
            return Err("what is called the Guards is no concealed counter".into());
        }
        Ok(())
    }

    fn scenario_ix(&self) -> usize {
        usize::from(self.agreed.scenario).min(self.data.scenarios.len().saturating_sub(1))
    }

    /// The scenario played.
    pub fn scenario(&self) -> &crate::data::Scenario {
        &self.data.scenarios[self.scenario_ix()]
    }
}
