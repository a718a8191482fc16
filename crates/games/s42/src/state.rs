//! What changes in play: flat arrays by unit, a few sets of hexes, and where we are in the rules.

use crate::battle::{Fighting, Stage};
use crate::charts::Weather;
use crate::data::{Data, boxes};
use crate::units::{Info, Nation, is};
use crate::zones::Zones;
use game::{Dice, Line, Teller};
use hex::{Edge, Hex, HexSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use table::{BoxId, Face, Place, Side, Stacks, Unit};

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

/// What supply reaches, kept between changes; derived, so it is neither saved nor compared.
#[derive(Clone, Debug, Default)]
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

impl PartialEq for Supplied {
    fn eq(&self, _: &Supplied) -> bool {
        true
    }
}

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub zones: Zones,
    /// What supply reaches.
    #[serde(skip)]
    pub supplied: Supplied,
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

/// A position of the game.
#[derive(Clone, Debug)]
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

/// Chance and the story, handed through everything that plays.
pub struct Cx<'a> {
    /// Chance.
    pub dice: &'a mut dyn Dice,
    /// The story.
    pub tell: &'a mut dyn Teller,
}

impl Cx<'_> {
    /// Tells a line, if anyone listens.
    pub fn say(&mut self, line: impl FnOnce() -> Line) {
        if self.tell.listening() {
            self.tell.tell(line());
        }
    }

    /// A die.
    pub fn d6(&mut self) -> u8 {
        self.dice.roll(6)
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
            zones: Zones::default(),
            supplied: Supplied::default(),
        }
    }
}

impl Pos {
    /// A unit's printed facts.
    #[inline]
    pub fn info(&self, u: Unit) -> &Info {
        &self.data.units.of[u.ix()]
    }

    /// Whose a unit is.
    #[inline]
    pub fn side(&self, u: Unit) -> Side {
        self.data.sides[u.ix()]
    }

    /// Whether a unit shows as a Remnant (10.4).
    #[inline]
    pub fn remnant(&self, u: Unit) -> bool {
        self.s.steps[u.ix()] == 1 && self.info(u).traits & is::REMNANTS != 0
    }

    /// What a unit is now, as bits of [`is`]: a Remnant is not what its division was.
    #[inline]
    pub fn traits(&self, u: Unit) -> u64 {
        let info = self.info(u);
        if self.remnant(u) {
            let r = self.data.units.remnants[usize::from(info.remnant)].traits;
            return (r & !is::REMNANT) | is::COMBAT | is::REMNANTS | (info.traits & is::BLUCHER);
        }
        info.traits
    }

    /// Whether a unit has one of these [`is`] bits now.
    #[inline]
    pub fn is(&self, u: Unit, bits: u64) -> bool {
        self.traits(u) & bits != 0
    }

    /// Whether it is a Combat Unit (2.3.1).
    #[inline]
    pub fn combat(&self, u: Unit) -> bool {
        self.info(u).traits & is::COMBAT != 0
    }

    /// Whether a unit carries one of these [`flag`]s.
    #[inline]
    pub fn flagged(&self, u: Unit, bits: u32) -> bool {
        self.s.flags[u.ix()] & bits != 0
    }

    /// Neither Disrupted nor in Full Retreat (13.1.1).
    #[inline]
    pub fn good_order(&self, u: Unit) -> bool {
        !self.flagged(u, flag::DISRUPTED | flag::FULL_RETREAT)
    }

    /// Sets flags of a unit; what derives from them is kept true.
    pub fn mark(&mut self, u: Unit, bits: u32) {
        self.s.flags[u.ix()] |= bits;
        self.touch_unit(u);
    }

    /// Clears flags of a unit; what derives from them is kept true.
    pub fn unmark(&mut self, u: Unit, bits: u32) {
        self.s.flags[u.ix()] &= !bits;
        self.touch_unit(u);
    }

    fn touch_unit(&mut self, u: Unit) {
        if let Some(h) = self.s.stacks.hex(u) {
            self.touch(h);
        }
    }

    /// Steps at full strength (32.4).
    pub fn full_steps(&self, u: Unit) -> u8 {
        self.info(u).steps + u8::from(self.flagged(u, flag::UPGRADED))
    }

    /// The face a unit shows now.
    pub fn face(&self, u: Unit) -> Face {
        let info = self.info(u);
        if self.remnant(u) {
            return self.data.units.remnants[usize::from(info.remnant)].face;
        }
        let lost = self.full_steps(u).saturating_sub(self.s.steps[u.ix()]);
        let lost = match (self.flagged(u, flag::UPGRADED), lost) {
            (true, 0) => return self.data.units.upgraded,
            (true, n) => n - 1,
            (false, n) => n,
        };
        info.faces.get(usize::from(lost)).or(info.faces.last()).copied().unwrap_or_default()
    }

    /// Remnant counters of a kind that are still in the display (10.4).
    pub fn remnants_left(&self, kind: u8) -> u8 {
        let Some(r) = self.data.units.remnants.get(usize::from(kind)) else { return 0 };
        let used = self.s.stacks.units().filter(|&u| {
            self.info(u).remnant == kind
                && self.remnant(u)
                && !matches!(self.s.stacks.place(u), Place::Box(boxes::TRAY | boxes::GONE | boxes::DEAD))
        });
        r.count.saturating_sub(used.count() as u8)
    }

    /// The units on a hex, of both sides in a contested city.
    pub fn at(&self, h: Hex) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.at(h)
    }

    /// The units of a side on a hex.
    pub fn of_side(&self, side: Side, h: Hex) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.at(h).filter(move |&u| self.side(u) == side)
    }

    /// Whether a side has a Combat Unit in a hex.
    #[inline]
    pub fn has_combat(&self, side: Side, h: Hex) -> bool {
        self.s.zones.combat[side.ix()].contains(h)
    }

    /// Where a unit is, if it is on the map.
    pub fn on_map(&self, u: Unit) -> Option<Hex> {
        self.s.stacks.hex(u)
    }

    /// Units of a box, top first.
    pub fn boxed(&self, b: BoxId) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.boxed(b)
    }

    /// A unit's code.
    pub fn code(&self, u: Unit) -> &str {
        self.data.lexicon.unit(u)
    }

    /// The nation of a unit.
    pub fn nation(&self, u: Unit) -> Nation {
        self.info(u).nation
    }

    /// The only way a unit changes its place: ZOC, bonds, control and markers follow.
    pub fn put(&mut self, u: Unit, p: Place) {
        let was = self.s.stacks.hex(u);
        self.s.stacks.put(u, p);
        if let Some(h) = was
            && Some(h) != p.hex()
        {
            self.touch(h);
        }
        if let Place::Hex(h) = p {
            self.touch(h);
        }
    }

    /// What a Combat Unit does to the hex it enters or passes (9.7.5, 16.3.4, 19.3, 24.3).
    pub fn enter(&mut self, u: Unit, h: Hex) {
        if !self.combat(u) {
            return;
        }
        let side = self.side(u);
        if self.data.map.held.contains(h) && !self.has_combat(side.foe(), h) {
            let axis = side == Side::One;
            if self.s.axis_held.contains(h) != axis {
                self.s.axis_held.set(h, axis);
                self.s.supplied.fresh = [false; 2];
            }
        }
        if self.data.map.ports.iter().any(|(p, _)| *p == h) {
            self.s.axis_ports.set(h, side == Side::One);
            self.s.supplied.fresh = [false; 2];
        }
        self.s.forts[side.foe().ix()].remove(h);
        self.s.building[side.foe().ix()].remove(h);
        if h == self.data.map.elbrus && side == Side::One && self.is(u, is::MOUNTAIN) {
            self.s.elbrus = true;
        }
    }

    /// 9.7: a completed Fortification that serves a side in a hex: its marker, or a printed one for the Soviets.
    pub fn fortified(&self, side: Side, h: Hex) -> bool {
        if self.s.forts[side.ix()].contains(h) {
            return true;
        }
        side == Side::Two
            && self.data.map.printed_forts.contains(h)
            && (0..3).any(|g| !self.s.deactivated[g] && self.data.map.fort_groups[g].contains(h))
    }

    /// Eliminates a unit: its markers go, it lies in the Eliminated Box or returns later (10.3, 19.4).
    pub fn eliminate(&mut self, u: Unit) {
        let t = self.info(u).traits;
        let keep = flag::UPGRADED | flag::FREED;
        let to = if t & is::SUPPLY != 0 {
            boxes::SUPPLIES
        } else if t & is::NON_COMBAT != 0 {
            match self.s.turn + 2 {
                n if usize::from(n) <= self.data.charts.turn.len() => self.data.track(n),
                _ => boxes::GONE,
            }
        } else {
            self.s.steps[u.ix()] = 0;
            boxes::DEAD
        };
        // 34.6.2: what a Reserve Army holds is lost with it.
        for v in self.army_units(u) {
            self.s.steps[v.ix()] = 0;
            self.s.flags[v.ix()] &= keep;
            self.put(v, Place::Box(boxes::DEAD));
        }
        self.s.flags[u.ix()] &= keep;
        self.s.plans.retain(|p| p.hq != u);
        self.s.hand.retain(|&v| v != u);
        self.put(u, Place::Box(to));
    }

    /// 10.3: one step lost; true if the unit is gone. A Remnant is formed if one is left (10.4).
    pub fn lose_step(&mut self, u: Unit) -> bool {
        let steps = self.s.steps[u.ix()];
        let becomes = steps.saturating_sub(1);
        let info = self.info(u);
        let no_remnant =
            becomes == 1 && info.traits & is::REMNANTS != 0 && self.remnants_left(info.remnant) == 0;
        if becomes == 0 || no_remnant {
            self.eliminate(u);
            return true;
        }
        self.s.steps[u.ix()] = becomes;
        if let Some(h) = self.on_map(u) {
            self.touch(h);
        }
        false
    }

    /// The scenario.
    pub fn scenario(&self) -> &crate::scenario::Scenario {
        &self.data.scenarios[self.scenario]
    }

    /// What the map is in this scenario.
    #[inline]
    pub fn scene(&self) -> &crate::scenario::Scene {
        &self.data.scenes[self.scenario]
    }

    /// Whether Rain or Mud softens the ground (23.2.3, 23.3.3).
    #[inline]
    pub fn soft(&self) -> bool {
        self.s.weather == Weather::Rain || self.s.mud
    }

    /// Whether a City Battle shares a hex between the sides (29).
    pub fn contested(&self, h: Hex) -> bool {
        self.options.contested && self.has_combat(Side::One, h) && self.has_combat(Side::Two, h)
    }

    /// Proves what must always hold.
    pub fn check(&self) -> Result<(), String> {
        self.s.stacks.conserved()?;
        for u in self.s.stacks.units() {
            let dead = self.s.stacks.place(u) == Place::Box(boxes::DEAD);
            if self.combat(u) && dead != (self.s.steps[u.ix()] == 0) {
                return Err(format!("{} is dead in one place and not in another", self.code(u)));
            }
            if self.s.steps[u.ix()] > self.full_steps(u) {
                return Err(format!("{} has more steps than its counter", self.code(u)));
            }
            if let Some(h) = self.on_map(u)
                && !self.scene().land.contains(h)
            {
                return Err(format!(
                    "{} stands in {} where no unit can be",
                    self.code(u),
                    self.data.map.called(h)
                ));
            }
            if self.flagged(u, flag::DISRUPTED) && self.flagged(u, flag::FULL_RETREAT) {
                return Err(format!("{} is Disrupted and in Full Retreat", self.code(u)));
            }
        }
        for (kind, r) in self.data.units.remnants.iter().enumerate() {
            let used = self.s.stacks.units().filter(|&u| {
                usize::from(self.info(u).remnant) == kind && self.remnant(u) && self.on_map(u).is_some()
            });
            let used = used.count();
            if used > usize::from(r.count) {
                return Err(format!("{used} {} Remnants are in play, there are {}", r.kind, r.count));
            }
        }
        if !self.s.axis_held.is_subset(&self.data.map.held) {
            return Err("the Axis controls a hex that is neither a city nor worth VP".into());
        }
        let shared = &self.s.zones.combat[0] & &self.s.zones.combat[1];
        if let Some(h) = shared.iter().find(|&h| !self.s.city_battles.iter().any(|c| c.hex == h)) {
            return Err(format!("both sides stand in {}", self.data.map.called(h)));
        }
        self.zones_hold()
    }
}
