//! What a combat under way keeps: the battle, who retreats, who advances; and the stages in which somebody is asked.

use hex::Hex;
use serde::{Deserialize, Serialize};
use table::{Side, Unit};

/// What sort of combat it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// In the Combat Phase (8.1).
    Regular,
    /// During an advance (15.0).
    Breakthrough,
    /// In the Movement Phase (8.6).
    Automatic,
}

/// Whose die may be rolled again by a leader (28.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Thrown {
    /// On the Combat Results Table.
    Combat,
    /// On the Determined Defense table.
    Determined,
    /// On the Disengagement table.
    Disengagement,
}

/// A stage of a combat; the last frame is the one that asks. Those that need no answer are passed by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// The attacker puts the attack together (8.3, steps 1 and 2).
    Making,
    /// The defender leaves out units beyond the stacking limit (15.3.2).
    Excess,
    /// The Axis player may support the defence from the air (8.3, step 2).
    Cover,
    /// A battle on its way to the next decision; it never asks.
    Resolving,
    /// A leader may have a die rolled again (28.1).
    Reroll(Thrown),
    /// The attacker chooses among the dice of a Planned Offensive (26.2).
    Die,
    /// A step is lost: by units of `of`, picked by `by` (10.2).
    Loss {
        /// Who picks.
        by: Side,
        /// Whose steps.
        of: Side,
        /// How many.
        left: u8,
    },
    /// The defender may stand (11.2.1).
    Stand,
    /// The defender may support his stand (11.3).
    Backing,
    /// Units fall back (12.1).
    Retreat,
    /// Steps that shorten a retreat (12.1.3).
    Price {
        /// How many.
        left: u8,
    },
    /// A German air unit stays with a stack (9.3.7).
    Escort,
    /// The attacker enters a contested city (29.1.1).
    Contest,
    /// Advance after combat: who goes (14.1).
    Advance,
    /// A unit in hand advances (14.3).
    Stride,
    /// The Breakthrough Group gathers in the vacated hex (15.2.3).
    Forming,
    /// The Breakthrough Group goes on (15.2).
    Group,
    /// The advances that Automatic DS earned (8.6.2).
    Exploits,
}

/// How far a battle has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// The attack is being put together.
    Making,
    /// The die is to be rolled.
    Roll,
    /// Rolled: the result counts.
    Result,
    /// The defender's losses.
    DefenderLoses,
    /// The attacker's losses.
    AttackerLoses,
    /// The defender may stand.
    Stand,
    /// The stand was rolled.
    Stood,
    /// After the losses of a stand.
    AfterStand,
    /// The defenders fall back.
    Retreat,
    /// Whether the hex is empty.
    Vacated,
    /// The air unit finds its stack.
    Escort,
    /// A contested city is entered.
    Contest,
    /// The attackers advance.
    Advance,
    /// All is done.
    Over,
}

/// A combat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    /// The defenders' hex.
    pub hex: Hex,
    /// Who attacks.
    pub side: Side,
    /// What sort it is.
    pub kind: Kind,
    /// How far it has come.
    pub at: At,
    /// Who attacks, in the order they were named.
    pub attackers: Vec<Unit>,
    /// Where each attacker stood (the same order); [`Hex::NONE`] for one in an Entry Area.
    pub from: Vec<Hex>,
    /// Who defends and may be asked for a loss; all others in the hex lend nothing (10.2.1).
    pub defenders: Vec<Unit>,
    /// Units left out by the defender (15.3.2).
    pub excess: Vec<Unit>,
    /// The air unit that shifts a column, of either side.
    pub air: Option<Unit>,
    /// ASUs that give a shift (18.3.1).
    pub guns: Vec<Unit>,
    /// The Supply Point that gives one (18.6.5).
    pub shells: Option<Unit>,
    /// HQs whose Planned Offensive is used (26.2).
    pub plans: Vec<Unit>,
    /// The dice.
    pub dice: Vec<u8>,
    /// The one that counts; 0 when none was needed.
    pub die: u8,
    /// Index of the column.
    pub column: u8,
    /// Odds of ten to one or better: no die (8.4.1).
    pub sure: bool,
    /// Index of the result.
    pub result: u8,
    /// The result lies on light orange (11.2.2).
    pub orange: bool,
    /// The result's colour forbids a Determined Defense.
    pub barred: bool,
    /// Terrain or fortification shifted a column for the defender (11.1.2).
    pub sheltered: bool,
    /// Defenders that were doubled (11.1.2).
    pub doubled: Vec<Unit>,
    /// The lead unit of the stand under way (11.2.3).
    pub lead: Option<Unit>,
    /// What supports it (11.3).
    pub backing: Option<Unit>,
    /// It is a Desperate Defense (11.5).
    pub desperate: bool,
    /// Delays rolled in it (11.6.1).
    pub delays: u8,
    /// Its last die.
    pub stand_die: u8,
    /// Whether a die of this battle has been rolled again.
    pub again: bool,
    /// Hexes to retreat; 0 when the hex holds.
    pub retreat: u8,
    /// Hexes to advance.
    pub advance: u8,
    /// A Limited Advance (14.2.3).
    pub limited: bool,
    /// A Delay (11.6.1).
    pub delay: bool,
    /// The defenders are gone.
    pub gone: bool,
    /// A city battle that the attacker must enter (29.1.1).
    pub contest: bool,
}

impl Battle {
    /// Takes an attacker out again.
    pub(crate) fn forget(&mut self, u: Unit) {
        if let Some(i) = self.attackers.iter().position(|&v| v == u) {
            self.attackers.remove(i);
            self.from.remove(i);
        }
    }

    /// An attack on a hex, with nobody in it yet.
    pub fn new(hex: Hex, side: Side, kind: Kind) -> Battle {
        Battle {
            hex,
            side,
            kind,
            at: At::Making,
            attackers: Vec::new(),
            from: Vec::new(),
            defenders: Vec::new(),
            excess: Vec::new(),
            air: None,
            guns: Vec::new(),
            shells: None,
            plans: Vec::new(),
            dice: Vec::new(),
            die: 0,
            column: 0,
            sure: false,
            result: 0,
            orange: false,
            barred: false,
            sheltered: false,
            doubled: Vec::new(),
            lead: None,
            backing: None,
            desperate: false,
            delays: 0,
            stand_die: 0,
            again: false,
            retreat: 0,
            advance: 0,
            limited: false,
            delay: false,
            gone: false,
            contest: false,
        }
    }
}

/// Why units fall back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// A combat result (12.1.1).
    Combat,
    /// A Delay (11.6.1).
    Delay,
    /// The enemy came next to units in Full Retreat (13.3.2).
    Automatic,
    /// A Disengagement (27.2.3).
    Disengagement,
}

/// Units that fall back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Falling {
    /// Whose.
    pub side: Side,
    /// From where.
    pub from: Hex,
    /// Why.
    pub cause: Cause,
    /// Fewest hexes.
    pub least: u8,
    /// Most hexes.
    pub most: u8,
    /// They go into Full Retreat rather than being Disrupted (13.1.3).
    pub rout: bool,
    /// Those that still stand there.
    pub units: Vec<Unit>,
    /// Those of them that go next, together.
    pub hand: Vec<Unit>,
}

/// One unit's advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strider {
    /// Which.
    pub unit: Unit,
    /// Hexes left.
    pub left: u8,
    /// Took part in the attack (15.1).
    pub fought: bool,
    /// Has taken a hex of its advance.
    pub begun: bool,
}

/// What an advance allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// In any direction (14.3).
    Full,
    /// Into the vacated hex only (14.2.3).
    Limited,
    /// One hex, no Breakthrough (14.2.4).
    Delay,
    /// A Reserve (25.2.3).
    Reserve,
}

/// An advance after combat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advancing {
    /// Whose.
    pub side: Side,
    /// The vacated hex; [`Hex::NONE`] when there is none.
    pub hex: Hex,
    /// What it allows.
    pub scope: Scope,
    /// Who may go.
    pub units: Vec<Strider>,
    /// The unit in hand.
    pub hand: Option<Unit>,
    /// A Breakthrough Group may still be named.
    pub may_group: bool,
    /// The Breakthrough Group.
    pub group: Vec<Unit>,
    /// The group has entered, or paid for not entering, the vacated hex (15.2.4).
    pub turned: bool,
    /// The group stands in an enemy ZOC and goes on only by fighting (15.2.6).
    pub stuck: bool,
    /// The hex that its last combat cleared, which it may enter free of cost.
    pub cleared: Hex,
    /// Its advance is at an end but for the cleared hex (15.2.7).
    pub ended: bool,
}

/// An Automatic DS whose advance is still to come (8.6.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shattered {
    /// The hex.
    pub hex: Hex,
    /// The units that are marked.
    pub units: Vec<Unit>,
}

/// Everything about combat that the state keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fighting {
    /// Battles under way: a Breakthrough Combat lies above the battle from which it came.
    pub battles: Vec<Battle>,
    /// Retreats under way, the last one first.
    pub falling: Vec<Falling>,
    /// Advances under way.
    pub advances: Vec<Advancing>,
    /// Automatic DS of this turn.
    pub shattered: Vec<Shattered>,
    /// The hex that the last regular combat cleared, for Reserves (25.2.3).
    pub vacated: Option<Hex>,
    /// German air units on the map: which one, and the unit it stays with (9.3.7).
    pub escorts: Vec<(Unit, Unit)>,
    /// The unit or units that try to disengage, and the die they rolled (27.2).
    pub leaving: Vec<Unit>,
    /// That die.
    pub leaving_die: u8,
}
