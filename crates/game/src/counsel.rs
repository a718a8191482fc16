//! What only a game can tell the programs that play it: what its choices are for, what places and losses are worth, and
//! how its own sums weigh an attack. The programs themselves are in `players/` and know no game.
//!
//! A counsel is only ever given a position that was imagined for the side it advises (see [`Position::imagine`]), or
//! asked for what that side may see: what it says may depend on nothing else.

use crate::{Choice, Dice, Eyes, Forecast, Position};
use hex::{Hex, HexSet};
use table::{Side, Unit};

/// What a choice is for, whatever the game calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Takes a unit in hand, to move it.
    Pick,
    /// One more unit comes along, or joins the attack.
    Join,
    /// All that can come along do.
    JoinAll,
    /// Moves what is in hand.
    Go,
    /// Fights during movement with what is in hand.
    Assault,
    /// Ends the move of what is in hand.
    Stop,
    /// Names the target of an attack.
    Target,
    /// Rolls.
    Resolve,
    /// Bears a loss.
    Loss,
    /// Goes back.
    Retreat,
    /// Goes forward into what was won.
    Advance,
    /// Puts a unit on the map: set-up, arrivals.
    Place,
    /// Lets the game place what is left.
    Fill,
    /// Ends a phase, or declines.
    Done,
    /// Takes back part of what is being put together.
    Undo,
    /// Anything else: what only this game has.
    Special,
}

/// A unit on the map as a staff counts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Which.
    pub unit: Unit,
    /// Whose.
    pub side: Side,
    /// Where.
    pub hex: Hex,
    /// Its attack as the rules would count it now, supply included.
    pub attack: f64,
    /// The same of its defence.
    pub defence: f64,
    /// Steps left.
    pub steps: f64,
    /// About how many hexes of open country it moves in a phase.
    pub speed: f64,
    /// Whether it can fight during movement.
    pub mobile: bool,
    /// Whether it has a line of supply.
    pub supplied: bool,
    /// What it takes of the room in a hex; see [`Brief::room`].
    pub bulk: f64,
}

/// A place worth having.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Where.
    pub hex: Hex,
    /// What it is worth to hold at the end, in victory points.
    pub worth: f64,
    /// Who holds it now.
    pub held: Side,
    /// Turns until it counts most: a place that must be had soon is gone for first.
    pub due: f64,
}

/// The situation as a staff reads it from the map: everything in it is known to the side it is made for, or imagined.
#[derive(Clone, Debug)]
pub struct Brief {
    /// For whom.
    pub side: Side,
    /// All units on the map.
    pub pieces: Vec<Piece>,
    /// All places worth having.
    pub goals: Vec<Goal>,
    /// By hex: how many times stronger a defender is there.
    pub cover: Vec<f32>,
    /// By hex: how much bulk fits there.
    pub room: Vec<f32>,
    /// Where units can be.
    pub land: HexSet,
    /// Where each side's supply comes from.
    pub sources: [HexSet; 2],
    /// Where supply reaches the side now, if units should not leave that; empty where it does not bind them.
    pub fed: HexSet,
    /// Where units of the enemy can come onto the map that are not on it yet, if the side should be on its guard.
    pub doors: HexSet,
    /// Whether units hinder movement through the hexes beside them: a line then needs only every second hex.
    pub zones: bool,
    /// Which side must come forward to win.
    pub attacker: Side,
    /// Turns left.
    pub turns_left: f64,
    /// What a victory point is worth, in strength (attack and defence of a unit, halved).
    pub point: f64,
    /// By side: what its strength counts. A side that cannot replace its losses has dearer divisions.
    pub dear: [f64; 2],
    /// What share of a unit's defence is lost while it has no supply.
    pub hunger: f64,
    /// Ground on which an enemy unit costs its owner points, whatever else happens there.
    pub ward: Option<Ward>,
}

/// Ground that one side must keep free of the enemy.
#[derive(Clone, Debug)]
pub struct Ward {
    /// Whose.
    pub side: Side,
    /// Where.
    pub hexes: HexSet,
    /// What an enemy unit costs that stands there when the other side has moved, in victory points.
    pub toll: f64,
}

/// What a battle is expected to bring, in strength and chances.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stake {
    /// Steps that the attacker loses.
    pub attacker_loss: f64,
    /// Steps that the defender loses.
    pub defender_loss: f64,
    /// Chance that the hex is taken.
    pub taken: f64,
    /// Hexes that the attacker comes farther than the one he takes.
    pub through: f64,
}

impl From<&Forecast> for Stake {
    fn from(f: &Forecast) -> Stake {
        Stake { attacker_loss: f.attacker_loss, defender_loss: f.defender_loss, taken: f.taken, through: 0.0 }
    }
}

/// A game's advice to the programs. One file in each game, `counsel.rs`.
pub trait Counsel: Send + Sync {
    /// What a choice is for.
    fn role(&self, c: &Choice) -> Role;

    /// How well the first side stands, quickly: more is better for it, and worse for the other. A finished game is worth more
    /// than any position still open.
    fn standing(&self, p: &dyn Position) -> f64;

    /// The same with nothing left out that takes time to see (supply, threats).
    fn outlook(&self, p: &dyn Position) -> f64 {
        self.standing(p)
    }

    /// How well a side stands, quickly.
    fn value(&self, p: &dyn Position, side: Side) -> f64 {
        if side == Side::One { self.standing(p) } else { -self.standing(p) }
    }

    /// How well a side stands, with nothing left out.
    fn prospect(&self, p: &dyn Position, side: Side) -> f64 {
        if side == Side::One { self.outlook(p) } else { -self.outlook(p) }
    }

    /// The situation on the map for a side that plans.
    fn brief(&self, p: &dyn Position, side: Side) -> Brief;

    /// The units in hand, which the asked side knows.
    fn hand(&self, p: &dyn Position) -> Vec<Unit>;

    /// A number that is the same as long as a plan made for this phase holds: turn, phase, and where the enemy's
    /// stacks stand. It may depend only on what that side sees.
    fn stamp(&self, p: &dyn Position, side: Side) -> u64;

    /// What an assault of what is in hand, or the attack in the making, is expected to bring.
    fn weigh(&self, p: &dyn Position, side: Side, c: &Choice) -> Option<Stake> {
        let _ = c;
        p.forecast(Eyes::Side(side)).as_ref().map(Stake::from)
    }

    /// What a battle of plain strengths would bring, for plans: the game's own table and ground where it has them, else a
    /// curve that most of them follow. The attackers stand on `from`; `defence` and `steps` are those of the target.
    fn clash(
        &self,
        p: &dyn Position,
        target: Hex,
        from: &[Hex],
        attack: f64,
        defence: f64,
        steps: f64,
    ) -> Stake {
        let _ = (p, target, from);
        let odds = attack / defence.max(0.5);
        let taken = 1.0 / (1.0 + (-(odds - 3.0) * 1.2).exp());
        Stake { attacker_loss: 2.0 / (1.0 + odds), defender_loss: steps.min(odds / 2.0), taken, through: 0.0 }
    }

    /// Whether units of the side that moves would break the defenders of a hex without a roll, while others still move, if they
    /// stood on those hexes.
    fn overruns(&self, p: &dyn Position, target: Hex, units: &[(Unit, Hex)]) -> bool {
        let _ = (p, target, units);
        false
    }

    /// An answer to a question that only this game asks (set-up, support, refits, reinforcements); `None` leaves it to
    /// the program.
    fn advise(
        &self,
        p: &dyn Position,
        side: Side,
        choices: &[Choice],
        dice: &mut dyn Dice,
    ) -> Option<Choice> {
        let _ = (p, side, choices, dice);
        None
    }

    /// The answer of a sensible player to a question in the midst of something (a loss, a retreat, an advance), quickly: what
    /// an attack that is tried goes on with, and what a staff says at once. `None` where something new is to be decided, or
    /// where the roles of the choices say enough. It may depend only on what the asked side sees.
    fn carry_on(&self, p: &dyn Position, choices: &[Choice]) -> Option<Choice> {
        let _ = (p, choices);
        None
    }

    /// What people call a hex, for sentences.
    fn called(&self, p: &dyn Position, h: Hex) -> String {
        p.lexicon().hex(h)
    }
}
