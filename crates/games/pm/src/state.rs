//! What changes in play: flat arrays by unit, a few sets of hexes, and where we are in the rules.

use crate::charts::Weather;
use crate::data::{Data, boxes};
use crate::units::{Nation, trait_};
use game::{Dice, Line, Teller};
use hex::{Hex, HexSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use table::{BoxId, Face, Place, Rule, Side, Stacks, Unit};

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

/// What supply reaches, kept between changes; derived, so it is neither saved nor compared.
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

impl PartialEq for Supplied {
    fn eq(&self, _: &Supplied) -> bool {
        true
    }
}

/// No printed counter: untried.
pub const UNTRIED: u16 = u16::MAX;

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub supplied: Supplied,
}

/// What players agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Leave out every rule marked with an omega.
    pub beginner: bool,
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
            supplied: Supplied::default(),
        }
    }
}

impl Pos {
    /// A unit's printed facts.
    #[inline]
    pub fn info(&self, u: Unit) -> &crate::units::Info {
        &self.data.units.of[u.ix()]
    }

    /// Whether a unit is of a kind, by [`trait_`] bits.
    #[inline]
    pub fn is(&self, u: Unit, bits: u32) -> bool {
        self.info(u).traits & bits != 0
    }

    /// Whether a unit carries a [`flag`].
    #[inline]
    pub fn flagged(&self, u: Unit, bits: u16) -> bool {
        self.s.flags[u.ix()] & bits != 0
    }

    /// Sets flags of a unit.
    pub fn mark(&mut self, u: Unit, bits: u16) {
        self.s.flags[u.ix()] |= bits;
    }

    /// Whether a unit is an untried token (2.15).
    #[inline]
    pub fn untried(&self, u: Unit) -> bool {
        self.info(u).pool != crate::units::NO_POOL && self.s.printed[u.ix()] == UNTRIED
    }

    /// The face a unit shows now; `None` while untried.
    pub fn face(&self, u: Unit) -> Option<Face> {
        let info = self.info(u);
        if info.faces.is_empty() {
            let p = self.s.printed[u.ix()];
            return (p != UNTRIED).then(|| self.data.units.printed[usize::from(p)].face);
        }
        let lost = info.faces.len().saturating_sub(usize::from(self.s.steps[u.ix()]));
        info.faces.get(lost).copied()
    }

    /// 2.13: the movement factor printed on the side that shows.
    pub fn movement(&self, u: Unit) -> u8 {
        match self.face(u) {
            Some(f) => f.movement,
            None => self.data.units.pools[usize::from(self.info(u).pool)].movement,
        }
    }

    /// The ground units of a side on a hex.
    pub fn at(&self, h: Hex) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.at(h)
    }

    /// Whether the enemy of a side holds a hex.
    #[inline]
    pub fn enemy_at(&self, side: Side, h: Hex) -> bool {
        self.s.stacks.occupied(side.foe()).contains(h)
    }

    /// Whether a hex touches a unit of a side.
    pub fn beside(&self, side: Side, h: Hex) -> bool {
        self.data.map.grid().neighbours(h).any(|(_, n)| self.s.stacks.occupied(side).contains(n))
    }

    /// The only way a ground unit changes its place: what derives from it is marked stale.
    pub fn put(&mut self, u: Unit, p: Place) {
        let side = self.s.stacks.side(u);
        let was = self.s.stacks.hex(u);
        self.s.stacks.put(u, p);
        let now = p.hex();
        // Only the enemy's occupation bars a line of supply.
        if was != now {
            self.s.supplied.fresh[side.foe().ix()] = false;
        }
    }

    /// Removes a unit to the dead pile (2.16).
    pub fn eliminate(&mut self, u: Unit) {
        self.s.steps[u.ix()] = 0;
        self.s.flags[u.ix()] &= flag::REFITTED;
        self.put(u, Place::Box(boxes::DEAD));
    }

    /// 2.16: one step lost; the unit dies with its last.
    pub fn lose_step(&mut self, u: Unit) {
        if self.s.steps[u.ix()] > 1 {
            self.s.steps[u.ix()] -= 1;
        } else {
            self.eliminate(u);
        }
    }

    /// 2.15: an untried unit is drawn from its pool when it first fights; nobody could know before.
    pub fn try_out(&mut self, u: Unit, cx: &mut Cx<'_>) {
        if !self.untried(u) {
            return;
        }
        let pool = usize::from(self.info(u).pool);
        if let Some(p) = self.draw(pool, cx) {
            self.s.printed[u.ix()] = p;
            cx.tell.reveal();
            let data = self.data.clone();
            cx.say(|| {
                let c = &data.units.printed[usize::from(p)];
                let code = &data.units.of[u.ix()].code;
                Line::new("reveal", Rule("2.15"), format!("{code} is the {} ({}).", c.title, c.face))
            });
        }
    }

    /// Draws a printed counter out of a pool for good.
    pub fn draw(&mut self, pool: usize, cx: &mut Cx<'_>) -> Option<u16> {
        let (first, last) = (self.data.units.pools[pool].first, self.data.units.pools[pool].last);
        let left = (first..last).filter(|&p| self.s.in_pool[usize::from(p)]).count() as u32;
        if left == 0 {
            return None;
        }
        let lot = cx.dice.draw(left) as usize;
        let p = (first..last).filter(|&p| self.s.in_pool[usize::from(p)]).nth(lot)?;
        self.s.in_pool[usize::from(p)] = false;
        Some(p)
    }

    /// The weather at a hex (13.2).
    #[inline]
    pub fn weather_at(&self, h: Hex) -> Weather {
        self.s.weather[usize::from(self.data.map.south_weather.contains(h))]
    }

    /// What the weather at a hex does.
    pub fn condition_at(&self, h: Hex) -> &crate::charts::Condition {
        self.data.charts.condition(self.weather_at(h))
    }

    /// 13.7: whether the straits are frozen. They lie in the southern zone, whichever way they are crossed.
    pub fn straits_frozen(&self) -> bool {
        self.data.charts.condition(self.s.weather[1]).straits_frozen
    }

    /// The air units of a side and, for the German side, the aerial supply markers: indices into `air`.
    pub fn airs(&self) -> usize {
        self.data.units.of.len() - self.data.units.ground
    }

    /// The unit number of an air unit or marker, for orders.
    pub fn air_unit(&self, i: usize) -> Unit {
        Unit((self.data.units.ground + i) as u16)
    }

    /// The air unit or marker of a unit number.
    pub fn air_index(&self, u: Unit) -> Option<usize> {
        u.ix().checked_sub(self.data.units.ground).filter(|&i| i < self.s.air.len())
    }

    /// Whose an air unit is; markers are German.
    pub fn air_side(&self, i: usize) -> Side {
        self.data.units.of.get(self.data.units.ground + i).map_or(Side::One, |u| u.side)
    }

    /// Whether a unit is on the map.
    pub fn on_map(&self, u: Unit) -> Option<Hex> {
        self.s.stacks.hex(u)
    }

    /// Units of a box, top first.
    pub fn boxed(&self, b: BoxId) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.boxed(b)
    }

    /// Puts a unit into a box.
    pub fn into_box(&mut self, u: Unit, b: BoxId) {
        self.put(u, Place::Box(b));
    }

    /// The nation of a unit.
    pub fn nation(&self, u: Unit) -> Nation {
        self.info(u).nation
    }

    /// A unit's code.
    pub fn code(&self, u: Unit) -> &str {
        self.data.lexicon.unit(u)
    }

    /// Whether a unit counts half a loss point (14.36).
    pub fn half_loss(&self, u: Unit) -> bool {
        !self.options.beginner && self.is(u, trait_::HALF_LOSS)
    }

    /// Proves what must always hold.
    pub fn check(&self) -> Result<(), String> {
        self.s.stacks.conserved()?;
        for (pool, info) in self.data.units.pools.iter().enumerate() {
            let left = (info.first..info.last).filter(|&p| self.s.in_pool[usize::from(p)]).count();
            let tokens = self.s.stacks.units().filter(|&u| {
                usize::from(self.info(u).pool) == pool
                    && self.untried(u)
                    && self.s.stacks.place(u) != Place::Box(boxes::GONE)
            });
            let tokens = tokens.count();
            if left != tokens {
                return Err(format!("{} has {left} counters for {tokens} untried units", info.name));
            }
        }
        for u in self.s.stacks.units() {
            let dead = self.s.stacks.place(u) == Place::Box(boxes::DEAD);
            if dead != (self.s.steps[u.ix()] == 0) {
                return Err(format!("{} is dead in one place and not in another", self.code(u)));
            }
            if let Some(h) = self.on_map(u)
                && !self.data.map.land.contains(h)
            {
                return Err(format!(
                    "{} stands in {} where no unit can be",
                    self.code(u),
                    self.data.map.called(h)
                ));
            }
        }
        let held = self.s.german_held.is_subset(&self.data.map.held);
        if !held {
            return Err("the German side controls a hex that is no large town or city".into());
        }
        let shared = self.s.stacks.occupied(Side::One).meets(self.s.stacks.occupied(Side::Two));
        if shared {
            return Err("both sides stand in one hex".into());
        }
        Ok(())
    }
}
