//! What changes in play: flat arrays by unit, a few sets of hexes, and where we are in the rules.

use crate::battle::{Fighting, Stage};
use crate::charts::Weather;
use crate::data::{Data, boxes};
use crate::units::is;
use crate::zones::Zones;
pub use game::Cx;
use hex::{Edge, Hex, HexSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use table::{BoxId, Derived, Place, Side, Stacks, Unit};

/// Bits of a unit's state and of what it has done.
pub mod flag {
    /// Its movement is over for this phase.
    pub const MOVED: u32 = 1;
    /// Has attacked this Combat Phase (8.1).
    pub const ATTACKED: u32 = 2;
    /// Has advanced this Combat Phase (14.1).
    pub const ADVANCED: u32 = 4;
    /// Has retreated this Combat Phase (12.4).
    pub const RETREATED: u32 = 8;
    /// Disrupted (13.2).
    pub const DISRUPTED: u32 = 16;
    /// In Full Retreat (13.3).
    pub const FULL_RETREAT: u32 = 32;
    /// Bears an Out of Supply marker (16.4).
    pub const OUT: u32 = 64;
    /// Its marker is on the red side: Isolated (16.5).
    pub const ISOLATED: u32 = 128;
    /// An ASU, a leader: on its Used side.
    pub const USED: u32 = 256;
    /// Under a Train marker (5.6).
    pub const TRAIN: u32 = 512;
    /// Under a Replacement marker (21.4).
    pub const REPLACED: u32 = 1024;
    /// Under an Auto DS marker (8.6).
    pub const AUTO_DS: u32 = 2048;
    /// In Reserve (25.2).
    pub const RESERVE: u32 = 4096;
    /// A Supply Point on its Ready side (18.6.2).
    pub const READY: u32 = 8192;
    /// Went into Full Retreat of its own will this phase (13.3.1).
    pub const VOLUNTARY: u32 = 1 << 14;
    /// Has its new full strength (32.4).
    pub const UPGRADED: u32 = 1 << 15;
    /// Came into its Entry Area this turn: it may not leave it yet (22.3.1).
    pub const JUST_IN: u32 = 1 << 16;
    /// A garrison or frozen unit that has been freed (20.4, 20.6, 31.0).
    pub const FREED: u32 = 1 << 17;
    /// Has tried to disengage this phase (27.2.1).
    pub const TRIED: u32 = 1 << 18;
    /// Began its Movement Phase in the Entry Area where it is and has not moved (22.7).
    pub const WAITED: u32 = 1 << 19;
    /// Stays in Full Retreat by choice (13.4).
    pub const KEPT: u32 = 1 << 20;
    /// A Reserve Army or a unit of one that has been revealed (34.7).
    pub const REVEALED: u32 = 1 << 21;
    /// Moved one hex without entering an enemy ZOC, or not at all (25.2.1).
    pub const SHORT: u32 = 1 << 22;
    /// A Supply Point that was moved by rail or sea: not to be used this turn (18.6.8).
    pub const SHIPPED: u32 = 1 << 23;
    /// Was attacked this Combat Phase (8.1).
    pub const DEFENDED: u32 = 1 << 24;
    /// What ends with a Movement Phase.
    pub const OF_MOVEMENT: u32 = MOVED | VOLUNTARY | SHORT;
    /// What ends with a Combat Phase.
    pub const OF_COMBAT: u32 = ATTACKED | ADVANCED | RETREATED | TRIED | DEFENDED;
}

/// A phase of the sequence of play (3.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// A. Weather.
    Weather,
    /// The Soviet pre-move of the Caucasus scenario (S2.4).
    PreMove,
    /// 1. Initial Phase.
    Initial(Side),
    /// 2. Movement Phase.
    Move(Side),
    /// 3. Combat Phase.
    Fight(Side),
    /// 4. Recovery Phase.
    Recovery(Side),
    /// 5.1 Railheads.
    Railheads,
    /// 5.2-5.4 Supply Phase.
    Supply(Side),
    /// D. Victory Determination.
    Victory,
    /// The game has ended.
    Over,
}

/// What is being done inside a phase; the last frame is the one that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    /// Units in hand (5.1).
    Hand,
    /// A hex over the stacking limit: the owner removes units (4.4).
    Overstack {
        /// Which.
        hex: Hex,
        /// Whose units.
        side: Side,
    },
    /// A stage of combat (8-15, 25-29).
    Fight(Stage),
    /// Maskirovka markers are being assigned (34.1.1).
    Assign,
    /// Something is owed in the Initial Phase: removals (32).
    Removals,
    /// Markers of the Winter Offensive are placed (33.2.1).
    Offensive,
    /// The Axis comes upon a Reserve Army: the Soviet player says which units of it stand (34.6.2).
    Emerge {
        /// Where it lies.
        hex: Hex,
    },
    /// Soviet units must leave an Entry Area, and their owner says for which (23.4, 24.1.3).
    MakeWay {
        /// The area they leave.
        from: BoxId,
    },
}

/// The move of the units in hand so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct March {
    /// Where it began.
    pub origin: Hex,
    /// Halves of MP spent.
    pub spent: u8,
    /// Hexes entered.
    pub hexes: u8,
    /// Has been beside an enemy unit: no Extended Movement (5.3).
    pub near: bool,
    /// Came out of an Entry Area.
    pub entered: bool,
    /// Had to stop: entered an enemy ZOC (6.2), or an Entry Area.
    pub ended: bool,
    /// Has entered an enemy ZOC (25.2.1).
    pub zoc: bool,
}

/// A Railhead marker (17.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Railhead {
    /// Where.
    pub hex: Hex,
    /// Moved this Supply Phase.
    pub moved: bool,
    /// Placed at a junction this Supply Phase: it waits for the next one, and is none of the four that move (17.2.2).
    pub placed: bool,
}

impl Railhead {
    /// A marker that has not moved.
    pub fn at(hex: Hex) -> Railhead {
        Railhead { hex, moved: false, placed: false }
    }
}

/// A Planned Offensive marker (26.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Its HQ.
    pub hq: Unit,
    /// On its Ready side.
    pub ready: bool,
}

/// A City Battle marker (11.6.2, 29).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CityBattle {
    /// Where.
    pub hex: Hex,
    /// 1 or 2.
    pub level: u8,
    /// The original defender.
    pub holder: Side,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Who won.
    pub winner: Side,
    /// By what.
    pub kind: Ending,
    /// Axis VP then.
    pub vp: i16,
}

/// The kinds of endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// Points reached before the end (S1.3).
    Points,
    /// The last turn is over.
    Time,
    /// The benchmark was beaten or missed by the margin (24.2).
    Benchmark,
    /// Turn 28 of the campaign (S4.4).
    Winter,
    /// Stalingrad was lost too soon (S3.5).
    Stalingrad,
}

table::copied! {
    /// What supply reaches, kept between changes.
    #[derive(Debug, Default)]
    pub struct Supplied {
        /// By side: hexes with a Line of Supply (16.3).
        pub los: [HexSet; 2],
        /// By side: hexes with an Unlimited Line of Supply (16.5.1).
        pub unlimited: [HexSet; 2],
        /// By side: road hexes from which a source is reached by road alone (16.3.3).
        pub road: [HexSet; 2],
        /// By side: Connecting Rail Hexes (17.4).
        pub rail: [HexSet; 2],
        /// By side: whether its sets are true.
        pub fresh: [bool; 2],
    }
}

table::copied! {
    /// The state of a game.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    pub struct State {
        /// Where every unit lies.
        pub stacks: Stacks,
        /// Steps left by unit; 0 when eliminated.
        pub steps: Vec<u8>,
        /// By unit, see [`flag`].
        pub flags: Vec<u32>,
        /// Turn from 1.
        pub turn: u8,
        /// The phase.
        pub step: Step,
        /// The Axis Interchange Turn is under way (33.2.3).
        pub interchange: bool,
        /// The Soviet player goes first (33.2.2, S3.3).
        pub soviet_first: bool,
        /// What is being done in the phase.
        pub frames: Vec<Frame>,
        /// Units in hand, the first picked first.
        pub hand: Vec<Unit>,
        /// Their move so far.
        pub march: March,
        /// Combat under way.
        pub fight: Fighting,
        /// Cities and VP hexes that the Axis controls (16.3.4).
        pub axis_held: HexSet,
        /// Ports without a marker that the Axis entered last (16.2.3).
        pub axis_ports: HexSet,
        /// Completed Fortification markers by side (9.7).
        pub forts: [HexSet; 2],
        /// Fortifications under construction by side.
        pub building: [HexSet; 2],
        /// Groups of printed fortifications that are deactivated (9.7.7).
        pub deactivated: [bool; 3],
        /// City Battle markers.
        pub city_battles: Vec<CityBattle>,
        /// Railheads (17.2).
        pub railheads: Vec<Railhead>,
        /// Rail hexes of green lines that are repaired (17.1).
        pub repaired: HexSet,
        /// Weather of the turn.
        pub weather: Weather,
        /// Weather of the turn before.
        pub weather_before: Weather,
        /// Mud lies (23.3).
        pub mud: bool,
        /// Seasonal marshes are marsh (23.2.3).
        pub wet: bool,
        /// Rivers and lakes are frozen, Alpine hexsides closed (23.4).
        pub winter: bool,
        /// The hexside of the Volga Flotilla this phase (5.5.3).
        pub flotilla: Option<Edge>,
        /// Units railed this phase, and those of them from the map (5.6.2).
        pub railed: [u8; 2],
        /// Uses of the Vladimirovka ferry this phase (5.5.7).
        pub rail_ferried: u8,
        /// Sea moves this phase: Azov, Black Sea (5.7.1).
        pub sailed: [u8; 2],
        /// Crossings of the Kerch Strait this phase (5.7.2).
        pub strait: u8,
        /// Resource Points left this phase (18.1).
        pub resources: u8,
        /// Replacement steps left this phase, by kind (21.1).
        pub replacements: [u8; 8],
        /// A Guards unit has been replaced this phase (21.2).
        pub guards_replaced: bool,
        /// Hexes that got a unit from the Eliminated Box this phase, for HQ or Major City (21.3.1).
        pub returned: [HexSet; 2],
        /// Special Replacements that the Axis still loses (32.3).
        pub special_debt: u8,
        /// Planned Offensives (26).
        pub plans: Vec<Plan>,
        /// The units of 20.6 are free.
        pub caucasus_free: bool,
        /// Reserve Armies of 31.0 released, as bits of their number.
        pub armies_free: u16,
        /// One was released this turn.
        pub army_freed: bool,
        /// The Trans-Caucasus Front has been called (30.0).
        pub front_called: bool,
        /// Units of it that may still come this turn.
        pub front_due: u8,
        /// The turn on which the Winter Offensive began, or 0 (33).
        pub offensive: u8,
        /// The Vasilevsky marker has been received and not used (33.1).
        pub vasilevsky: bool,
        /// Mount Elbrus has been climbed (24.3).
        pub elbrus: bool,
        /// The Axis has Baku's VP (24.1.2).
        pub baku: bool,
        /// What is owed in an Initial Phase (32, 33.2.1), see [`crate::owed`]: task, how many, steps.
        pub removals: [u8; 3],
        /// The hex of a Tank Corps just removed (32.2).
        pub removed_from: Hex,
        /// Maskirovka markers assigned so far (34.1.1).
        pub assigned: u8,
        /// Units moved between boxes, and by strategic movement, this phase (34.4).
        pub transfers: [u8; 2],
        /// By Reserve Army in the order of their counters: the Holding Box that its marker names (34.1.2), hidden.
        pub masks: [u8; 6],
        /// How it ended.
        pub end: Option<End>,
        /// ZOC and bonds, kept current.
        #[serde(skip)]
        pub zones: Derived<Zones>,
        /// What supply reaches.
        #[serde(skip)]
        pub supplied: Derived<Supplied>,
    }
}

/// What players agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "each field is the option of the same name")]
pub struct Options {
    pub reserves: bool,
    pub planned: bool,
    pub disengagement: bool,
    pub leaders: bool,
    pub contested: bool,
    pub maskirovka: bool,
}

table::copied! {
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
}

impl State {
    /// Nothing placed yet: every unit in the tray.
    pub fn new(data: &Data) -> State {
        let n = data.units.of.len();
        let mut stacks = Stacks::new(&data.sides, data.map.grid().len(), data.box_count, boxes::TRAY);
        for u in (0..n as u16).rev().map(Unit) {
            let t = data.units.of[u.ix()].traits;
            if t & is::REMNANT != 0 {
                stacks.put(u, Place::Box(boxes::DISPLAY));
            } else if t & is::SUPPLY != 0 {
                stacks.put(u, Place::Box(boxes::SUPPLIES));
            }
        }
        State {
            stacks,
            steps: data.units.of.iter().map(|u| u.steps).collect(),
            flags: vec![0; n],
            turn: 1,
            step: Step::Weather,
            interchange: false,
            soviet_first: false,
            frames: Vec::new(),
            hand: Vec::new(),
            march: March::default(),
            fight: Fighting::default(),
            axis_held: HexSet::empty(),
            axis_ports: HexSet::empty(),
            forts: Default::default(),
            building: Default::default(),
            deactivated: [false; 3],
            city_battles: Vec::new(),
            railheads: Vec::new(),
            repaired: HexSet::empty(),
            weather: Weather::Clear,
            weather_before: Weather::Clear,
            mud: false,
            wet: false,
            winter: false,
            flotilla: None,
            railed: [0; 2],
            rail_ferried: 0,
            sailed: [0; 2],
            strait: 0,
            resources: 0,
            replacements: [0; 8],
            guards_replaced: false,
            returned: Default::default(),
            special_debt: 0,
            plans: Vec::new(),
            caucasus_free: false,
            armies_free: 0,
            army_freed: false,
            front_called: false,
            front_due: 0,
            offensive: 0,
            vasilevsky: false,
            elbrus: false,
            baku: false,
            removals: [0; 3],
            removed_from: Hex::NONE,
            assigned: 0,
            transfers: [0; 2],
            masks: [0, 1, 2, 3, 4, 5],
            end: None,
            zones: Derived::default(),
            supplied: Derived::default(),
        }
    }
}
