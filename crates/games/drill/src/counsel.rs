//! What only the drill can tell the programs that play it: what its orders are for, and what towns and steps are worth.

use crate::state::{Exercise, Frame};
use crate::verbs::*;
use game::{Brief, Choice, Counsel, Eyes, Goal, Piece, Position, Role, Stake};
use hex::Hex;
use table::{Side, Unit};

/// What a point is worth in strength (attack and defence of a unit, halved).
const POINT: f64 = 6.0;
/// What the end is worth.
const END: f64 = 10_000.0;
/// What a hex nearer to a wanted town is worth to a unit of middling strength.
const NEARER: f64 = 0.12;
/// What a garrison is worth against its town.
const GARRISON: f64 = 0.4;

/// The counsel of the drill.
#[derive(Debug)]
pub(crate) struct Umpire;

/// The one there is.
pub(crate) static COUNSEL: Umpire = Umpire;

fn exercise(p: &dyn Position) -> Option<&Exercise> {
    p.as_any().downcast_ref::<Exercise>()
}

impl Exercise {
    fn strength(&self, u: Unit) -> f64 {
        let f = self.face(u);
        f64::from(f.attack + f.defence) / 2.0
    }

    /// How Blue stands.
    fn stands(&self) -> f64 {
        if let Some(o) = self.ended() {
            return match o.winner {
                Some(Side::One) => END,
                Some(Side::Two) => -END,
                None => 0.0,
            };
        }
        let grid = self.data.board.grid();
        let mut v = POINT * f64::from(self.points(Side::One));
        for side in Side::BOTH {
            let sign = if side == Side::One { 1.0 } else { -1.0 };
            for u in self.on_map(side) {
                let Some(h) = self.stacks.hex(u) else { continue };
                let s = self.strength(u);
                v += sign * s;
                let mut near = f64::MAX;
                for (i, &(t, vp)) in self.data.towns.iter().enumerate() {
                    let own = self.held[side.ix()] >> i & 1 != 0;
                    // Blue goes for what it lacks; Red stays by what it has.
                    if own != (side == Side::One) {
                        near = near.min(f64::from(grid.distance(h, t)) - f64::from(vp) / 2.0);
                    }
                }
                if near < f64::MAX {
                    v -= sign * NEARER * near * s / 3.0;
                }
            }
        }
        for (i, &(t, vp)) in self.data.towns.iter().enumerate() {
            for side in Side::BOTH {
                let sign = if side == Side::One { 1.0 } else { -1.0 };
                if self.held[side.ix()] >> i & 1 != 0 {
                    let there: f64 = self.stacks.at(t).map(|u| self.strength(u)).sum();
                    v += sign * GARRISON * POINT * f64::from(vp) * (there / 6.0).min(1.0);
                }
            }
        }
        v
    }
}

impl Counsel for Umpire {
    fn role(&self, c: &Choice) -> Role {
        match c.verb {
            PICK => Role::Pick,
            WITH => Role::Join,
            GO => Role::Go,
            STAY => Role::Stop,
            ATTACK => Role::Target,
            RESOLVE => Role::Resolve,
            LOSS => Role::Loss,
            RETREAT | STAND => Role::Retreat,
            ADVANCE => Role::Advance,
            PLACE | ENTER => Role::Place,
            DONE => Role::Done,
            _ => Role::Special,
        }
    }

    fn standing(&self, p: &dyn Position) -> f64 {
        exercise(p).map_or(0.0, Exercise::stands)
    }

    fn brief(&self, p: &dyn Position, side: Side) -> Brief {
        let mut brief = Brief {
            side,
            pieces: Vec::new(),
            goals: Vec::new(),
            cover: Vec::new(),
            room: Vec::new(),
            land: hex::HexSet::empty(),
            sources: [hex::HexSet::empty(), hex::HexSet::empty()],
            fed: hex::HexSet::empty(),
            doors: hex::HexSet::empty(),
            zones: true,
            attacker: Side::One,
            turns_left: 0.0,
            point: POINT,
            dear: [1.0; 2],
            hunger: 0.0,
            ward: None,
        };
        let Some(x) = exercise(p) else { return brief };
        let left = f64::from(x.scenario().turns.saturating_sub(x.turn));
        for side in Side::BOTH {
            let net = x.supplied(side);
            for unit in x.on_map(side) {
                let Some(hex) = x.stacks.hex(unit) else { continue };
                let f = x.face(unit);
                let supplied = net.contains(hex);
                let attack = f64::from(f.attack) * if supplied { 1.0 } else { 0.5 };
                brief.pieces.push(Piece {
                    unit,
                    side,
                    hex,
                    attack,
                    defence: f.defence.into(),
                    steps: x.steps[unit.ix()].into(),
                    speed: f64::from(f.movement) / 1.3,
                    mobile: false,
                    supplied,
                    bulk: 1.0,
                });
            }
        }
        for (i, &(hex, vp)) in x.data.towns.iter().enumerate() {
            let held = if x.held[0] >> i & 1 != 0 { Side::One } else { Side::Two };
            brief.goals.push(Goal { hex, worth: vp.into(), held, due: left });
        }
        let hexes = x.data.board.grid().len();
        brief.cover = (0..hexes).map(|i| 1.0 - 0.4 * f32::from(x.data.shift[i].0)).collect();
        brief.room = vec![x.data.stacking as f32; hexes];
        brief.land = x.data.land.clone();
        brief.sources = x.data.sources.clone();
        brief.turns_left = left + 1.0;
        brief
    }

    fn hand(&self, p: &dyn Position) -> Vec<Unit> {
        match exercise(p).map(Exercise::top) {
            Some(Frame::Moving(units)) => units.iter().collect(),
            _ => Vec::new(),
        }
    }

    fn stamp(&self, p: &dyn Position, side: Side) -> u64 {
        let Some(x) = exercise(p) else { return 0 };
        let phase = u64::from(x.frames.first().is_some_and(|f| matches!(f, Frame::Movement)));
        let mut h = u64::from(x.turn) << 1 | phase;
        for hex in x.stacks.occupied(side.foe()) {
            let n = x.stacks.height(hex) as u64;
            h = (h ^ (u64::from(hex.0) << 8 | n)).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }
        h
    }

    fn weigh(&self, p: &dyn Position, side: Side, _: &Choice) -> Option<Stake> {
        exercise(p)?.stake(Eyes::Side(side))
    }

    fn called(&self, p: &dyn Position, h: Hex) -> String {
        let Some(x) = exercise(p) else { return String::new() };
        let place = x.data.board.places_at(h).find(|q| !q.name.is_empty());
        place.map_or_else(|| x.data.hex_name(h).to_string(), |q| q.name.clone())
    }
}
