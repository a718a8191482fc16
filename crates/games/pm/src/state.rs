//! What changes in play: flat arrays by unit, a few sets of hexes, and where we are in the rules.

use crate::badge::UnitSet;
use crate::charts::Weather;
use crate::data::{Data, boxes};
pub use crate::options::Options;
pub use game::Cx;
use hex::{Hex, HexSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use table::{Derived, Place, Side, Stacks, Unit};

/// Bits of what a unit has done or may not do.
pub mod flag {
    /// Its movement is over for this phase (12.2).
    pub const MOVED: u16 = 1;
    /// Has attacked this combat phase (14.4).
    pub const ATTACKED: u16 = 2;
    /// Has been attacked this combat phase (14.4).
    pub const DEFENDED: u16 = 4;
    /// Retreated this combat phase (14.34).
    pub const RETREATED: u16 = 8;
    /// May neither move nor attack this player turn (8.20, 9.18, 11.2, 11.4).
    pub const STAYS: u16 = 16;
    /// Has refitted (8.20).
    pub const REFITTED: u16 = 32;
    /// Has concentrated supply (9.20).
    pub const CHOSEN: u16 = 64;
    /// Came into the Southern Ports box this turn (11.3).
    pub const BOXED: u16 = 128;
    /// May not move this player turn (14.41).
    pub const NO_MOVE: u16 = 256;
    /// Has used sea movement this player turn (11.1).
    pub const SAILED: u16 = 512;
    /// Moved by the one-hex guarantee or a strait: nothing is left (12.3, 12.16).
    pub const SPENT: u16 = 1024;
    /// Has been laid on top of its stack this phase (14.7).
    pub const RAISED: u16 = 2048;
}

/// A phase of the sequence of play (5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// 3.2-3.5
    SetUpSoviet,
    /// 3.6-3.7
    SetUpGerman,
    /// I, German part: security divisions and the ArKo.
    Callout,
    /// I, Soviet part: Guards, reinforcements, replacements.
    Arrivals,
    /// The start of a German player turn: supply concentration, aerial supply, the pause.
    Orders,
    /// B.1
    Refit,
    /// B.2
    Commit,
    /// The start of a German movement phase in December (14.40).
    Hedgehogs,
    /// The start of a Soviet player turn: units leave the RVGK (8.1).
    Reserve,
    /// C.1
    CommitSoviet,
    /// Sea movement, before land movement (11.2).
    Sea,
    /// B.3 and C.2
    Move(Side),
    /// B.4 and C.3
    Fight(Side),
    /// After IV on turns 2 and 3 (9.19).
    Pause,
    /// The game has ended.
    Over,
}

/// What is being done inside a phase; the last frame is the one that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    /// Placing called-out security divisions (8.21).
    Security,
    /// Marking units for concentrated supply (9.20).
    Concentrating,
    /// A withdrawal that is owed: a row of 17.4 and how many of it (8.16).
    Withdrawing {
        /// Row of 17.4.
        row: u8,
        /// How many are still owed.
        left: u8,
    },
    /// Units in hand (12.5).
    Hand,
    /// A mobile assault that may go on (15.6).
    Round {
        /// The assaulted hex.
        hex: Hex,
    },
    /// A prepared assault in the making (14.3).
    Preparing {
        /// Its target.
        hex: Hex,
    },
    /// A battle whose losses are being taken (14.32).
    Losses,
    /// Advance after combat (14.39).
    Advancing {
        /// Into this hex.
        hex: Hex,
    },
    /// An overfull hex (6.2).
    Overfull {
        /// Which.
        hex: Hex,
        /// Whose units.
        side: Side,
    },
}

/// A battle after the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    /// The defenders' hex.
    pub hex: Hex,
    /// Who attacks.
    pub attacker: Side,
    /// A mobile assault (15.0).
    pub mobile: bool,
    /// An invasion (11.4).
    pub invasion: bool,
    /// Half loss points the defender still owes (14.36 counts in halves).
    pub defender_owes: u16,
    /// Half loss points the attacker still owes.
    pub attacker_owes: u16,
    /// The next attacker's loss is the first (14.35).
    pub first: bool,
    /// Whether the defender may retreat for a loss (14.32).
    pub retreat: bool,
}

/// The pause for supply (9.19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pause {
    /// None so far.
    None,
    /// Running for so many couplets more.
    Running(u8),
    /// Kept to its end: the GAS line is ignored.
    Done,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// 4.5
    Points,
    /// 4.6
    Moscow,
    /// 4.5: the last turn is over.
    Time,
}

/// What supply reaches, kept between changes.
#[derive(Clone, Debug, Default)]
pub struct Supplied {
    /// Hexes from which German units trace (9.3).
    pub german: HexSet,
    /// The same for Romanians (9.11).
    pub romanian: HexSet,
    /// The same for Hungarians (9.11).
    pub hungarian: HexSet,
    /// Hexes from which Soviet units trace, lakes included (9.2).
    pub soviet: HexSet,
    /// The same without lakes (9.16).
    pub overland: HexSet,
    /// By side: whether its sets are true.
    pub fresh: [bool; 2],
}

/// Who can be moved now, kept while units move.
#[derive(Debug, Default)]
pub struct Ready {
    /// Units that may be picked.
    pub pick: UnitSet,
    /// Units that have begun to move and may be picked as long as no other stack begins (12.6).
    pub begun: UnitSet,
}

impl Clone for Ready {
    fn clone(&self) -> Ready {
        Ready { pick: self.pick.clone(), begun: self.begun.clone() }
    }

    fn clone_from(&mut self, o: &Ready) {
        self.pick.copy(&o.pick);
        self.begun.copy(&o.begun);
    }
}

/// No printed counter: untried.
pub const UNTRIED: u16 = u16::MAX;

table::copied! {
    /// The state of a game.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    pub struct State {
        /// Where every ground unit lies.
        pub stacks: Stacks,
        /// Steps left by unit.
        pub steps: Vec<u8>,
        /// By unit: the printed counter it turned out to be, or [`UNTRIED`].
        pub printed: Vec<u16>,
        /// By printed counter: whether it is still in its pool.
        pub in_pool: Vec<bool>,
        /// By unit, see [`flag`].
        pub flags: Vec<u16>,
        /// Movement points spent this phase.
        pub used: Vec<u8>,
        /// The place where it began this phase (hex number, or 0x8000 and box), once it has been picked.
        pub origin: Vec<u16>,
        /// Supply state at the start of its movement (15.4), see [`crate::supply::State`].
        pub began: Vec<u8>,
        /// Air units and aerial supply markers: the hex they are with.
        pub air: Vec<Hex>,
        /// Turn from 1.
        pub turn: u8,
        /// Couplet from 1; 0 before the first.
        pub couplet: u8,
        /// The phase.
        pub step: Step,
        /// What is being done in it.
        pub frames: Vec<Frame>,
        /// Units in hand, the first picked first.
        pub hand: Vec<Unit>,
        /// Markers that go with the hand, as bits.
        pub escort: u8,
        /// The parent stack whose movement is under way (12.6), as in `origin`.
        pub parent: u16,
        /// Attackers of the battle under way.
        pub attackers: Vec<Unit>,
        /// Its defenders.
        pub defenders: Vec<Unit>,
        /// The battle.
        pub battle: Option<Battle>,
        /// Large towns and cities that the German side controls (3.9).
        pub german_held: HexSet,
        /// Works destroyed (14.26).
        pub destroyed: HexSet,
        /// By uncompleted line: 0 uncompleted, 1 intact, 2 aborted (14.25).
        pub lines: Vec<u8>,
        /// Weather, north and south.
        pub weather: [Weather; 2],
        /// Refits have ended (8.19).
        pub refits_over: bool,
        /// The highway has ended (12.20).
        pub highway_over: bool,
        /// Hedgehogs (14.40).
        pub hedgehogs: HexSet,
        /// German victory points.
        pub vp: i16,
        /// Moscow's die has been rolled (4.6).
        pub moscow_rolled: bool,
        /// German replacement steps left (8.15).
        pub replacements: u8,
        /// The pause (9.19).
        pub pause: Pause,
        /// Supply is concentrated this player turn (9.20).
        pub concentrated: bool,
        /// Units that have used sea movement this player turn (11.1).
        pub sea_used: u8,
        /// The coast being invaded, or none (11.4).
        pub invaded: Hex,
        /// Rows of 17.4 dealt with this turn.
        pub withdrawals: u8,
        /// Guards still to be raised this turn, by pool (8.11).
        pub conversions: Vec<u8>,
        /// The Soviet aircraft have come (8.10).
        pub soviet_air: bool,
        /// How it ended.
        pub end: Option<End>,
        /// What supply reaches.
        #[serde(skip)]
        pub supplied: Derived<Supplied>,
        /// Who can be moved.
        #[serde(skip)]
        pub ready: Derived<Ready>,
        /// 14.7: the sides of which the choice being played has laid a unit bare.
        #[serde(skip)]
        pub bared: Derived<[bool; 2]>,
    }
}

/// A position of the game.
#[derive(Debug)]
pub struct Pos {
    /// What never changes.
    pub data: Arc<Data>,
    /// What was agreed.
    pub options: Options,
    /// Which scenario, as an index.
    pub scenario: usize,
    /// What changes.
    pub s: State,
}

impl Clone for Pos {
    fn clone(&self) -> Pos {
        Pos { data: self.data.clone(), options: self.options, scenario: self.scenario, s: self.s.clone() }
    }

    fn clone_from(&mut self, o: &Pos) {
        if !Arc::ptr_eq(&self.data, &o.data) {
            self.data = o.data.clone();
        }
        self.options = o.options;
        self.scenario = o.scenario;
        self.s.clone_from(&o.s);
    }
}

/// The number under which `origin` keeps a place.
pub fn place_code(p: Place) -> u16 {
    match p {
        Place::Hex(h) => h.0,
        Place::Box(b) => 0x8000 | b.0,
    }
}

impl State {
    /// Nothing placed yet: every unit in the box where it waits.
    pub fn new(data: &Data) -> State {
        let n = data.units.ground;
        let mut stacks = Stacks::new(&data.sides, data.map.grid().len(), data.box_count, boxes::TRAY);
        for i in (0..n).rev() {
            use crate::units::Comes;
            let to = match data.units.of[i].comes {
                Comes::Start | Comes::Frontier | Comes::Interior => boxes::TRAY,
                Comes::Turn(t) => Data::track(t),
                Comes::Call => boxes::CALL,
                Comes::Dice(_) => boxes::DICE,
                Comes::Convert(_) => boxes::GUARDS,
            };
            if to != boxes::TRAY {
                stacks.put(Unit(i as u16), Place::Box(to));
            }
        }
        State {
            stacks,
            steps: data.units.of[..n].iter().map(|u| u.faces.len().max(1) as u8).collect(),
            printed: vec![UNTRIED; n],
            in_pool: vec![true; data.units.printed.len()],
            flags: vec![0; n],
            used: vec![0; n],
            origin: vec![u16::MAX; n],
            began: vec![0; n],
            air: vec![Hex::NONE; data.units.of.len() - n + crate::data::AERIAL_CODES.len()],
            turn: 1,
            couplet: 0,
            step: Step::SetUpSoviet,
            frames: Vec::new(),
            hand: Vec::new(),
            escort: 0,
            parent: u16::MAX,
            attackers: Vec::new(),
            defenders: Vec::new(),
            battle: None,
            german_held: HexSet::empty(),
            destroyed: HexSet::empty(),
            lines: vec![0; data.charts.fort_lines.len()],
            weather: [data.charts.fair(); 2],
            refits_over: false,
            highway_over: false,
            hedgehogs: HexSet::empty(),
            vp: 0,
            moscow_rolled: false,
            replacements: data.charts.numbers.replacement_steps as u8,
            pause: Pause::None,
            concentrated: false,
            sea_used: 0,
            invaded: Hex::NONE,
            withdrawals: 0,
            conversions: vec![0; data.units.pools.len()],
            soviet_air: false,
            end: None,
            supplied: Derived::default(),
            ready: Derived(Ready { pick: UnitSet::new(n), begun: UnitSet::new(n) }),
            bared: Derived::default(),
        }
    }
}
