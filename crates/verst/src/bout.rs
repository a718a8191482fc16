//! One game between two programs, and what is kept of it.

use crate::fail::Fail;
use crate::opponent::Opponent;
use game::{Eyes, Game, Line, Position, QuickDice, Teller, Terms, View};
use players::Budget;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use table::Side;
use text::Files;

/// What is kept of a game: everything here follows from the seed, so the same game gives the same line anywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its number in the study, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// The programs, the first side's first.
    pub players: [String; 2],
    /// The winner's id, `draw`, or `unfinished`.
    pub winner: String,
    /// The kind of ending.
    pub kind: String,
    /// Turns played.
    pub turns: u32,
    /// Decisions of each side.
    pub decisions: [u64; 2],
    /// How things stood at the end of each turn.
    pub curve: Vec<Standing>,
    /// By hex: in how many turns the first side's front ran there.
    pub front: BTreeMap<String, u32>,
    /// By hex: steps lost there by both sides.
    pub lost: BTreeMap<String, u32>,
    /// By place: the turns at whose end the first side held it.
    #[serde(default)]
    pub held: BTreeMap<String, Vec<u32>>,
}

/// How things stood at the end of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The turn.
    pub turn: u32,
    /// The tracks by id.
    pub tracks: BTreeMap<String, f64>,
    /// Steps of each side on the map.
    pub steps: [u32; 2],
    /// Steps each side has lost so far.
    pub lost: [u32; 2],
    /// How many of them belonged to units that were out of supply when the phase began.
    #[serde(default)]
    pub cut_off: [u32; 2],
}

/// What is played, by whom, how long.
pub struct Bout<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// Its beginning.
    pub start: &'a dyn Position,
    /// The programs, the first side's first.
    pub players: [String; 2],
    /// What each may think about a decision, if not what it likes.
    pub budget: Option<Budget>,
    /// No game is longer than this many choices.
    pub limit: u64,
}

/// A position from its terms.
pub fn begin(game: &dyn Game, terms: &Terms, files: Option<&Files>) -> Result<Box<dyn Position>, Fail> {
    Ok(game.start(terms, files)?)
}

/// A state of units, as every game calls it.
const UNFED: &str = "out of supply";

/// Hears when turns and phases begin, and where steps are lost and whose.
struct Scribe {
    sides: BTreeMap<String, Side>,
    at: Option<hex::Hex>,
    lost: BTreeMap<hex::Hex, u32>,
    by_side: [u32; 2],
    /// Units that were out of supply when the phase began.
    unfed: BTreeSet<String>,
    cut_off: [u32; 2],
    phase: bool,
    turned: bool,
}

impl Scribe {
    fn new(view: &View) -> Scribe {
        let stacked = view.stacks.iter().flat_map(|s| &s.units);
        let boxed = view.boxes.iter().flat_map(|b| &b.units);
        let sides = stacked.chain(boxed).map(|u| (u.code.clone(), u.side)).collect();
        Scribe {
            sides,
            at: None,
            lost: BTreeMap::new(),
            by_side: [0; 2],
            unfed: BTreeSet::new(),
            cut_off: [0; 2],
            phase: false,
            turned: false,
        }
    }

    /// Notes who is out of supply as a phase begins.
    fn look(&mut self, view: &View) {
        let units = view.stacks.iter().flat_map(|s| &s.units);
        let unfed = units.filter(|u| u.status.iter().any(|s| s == UNFED));
        self.unfed = unfed.map(|u| u.code.clone()).collect();
    }
}

impl Teller for Scribe {
    fn listening(&self) -> bool {
        true
    }

    fn tell(&mut self, line: Line) {
        match line.key {
            "turn" => self.turned = true,
            "phase" => self.phase = true,
            "battle" => self.at = line.hexes.first().copied(),
            "loss" => {
                if let Some(h) = line.hexes.first().copied().or(self.at) {
                    *self.lost.entry(h).or_default() += 1;
                }
                let whose = line.facts.iter().find_map(|(_, v)| Some((v, self.sides.get(v)?.ix())));
                if let Some((unit, side)) = whose {
                    self.by_side[side] += 1;
                    self.cut_off[side] += u32::from(self.unfed.contains(unit));
                }
            }
            _ => {}
        }
    }

    fn reveal(&mut self) {}
}

impl Record {
    /// Notes how things stand at the end of a turn.
    fn stand(&mut self, view: &View, turn: u32, scribe: &Scribe, grid: &hex::Grid) {
        let mut steps = [0u32; 2];
        let mut at = [hex::HexSet::empty(), hex::HexSet::empty()];
        for s in &view.stacks {
            steps[s.side.ix()] += s.units.iter().map(|u| u32::from(u.steps.0.max(1))).sum::<u32>();
            if let Some(h) = grid.find(&s.hex) {
                at[s.side.ix()].insert(h);
            }
        }
        for h in &(&at[0] & &at[1].dilate(grid)) {
            *self.front.entry(grid.name(h).to_string()).or_default() += 1;
        }
        let tracks = view.tracks.iter().map(|t| (t.id.clone(), t.number)).collect();
        self.curve.push(Standing { turn, tracks, steps, lost: scribe.by_side, cut_off: scribe.cut_off });
        for place in view.control.iter().filter(|c| c.side == Side::One) {
            self.held.entry(place.hex.clone()).or_default().push(turn);
        }
        self.turns = turn;
    }
}

impl Bout<'_> {
    /// Plays one game; `stop` is asked now and then, and a game that it stops is not recorded.
    pub fn play(&self, number: u64, seed: u64, stop: &dyn Fn() -> bool) -> Result<Option<Record>, Fail> {
        let info = self.game.info();
        let mut programs = [
            Opponent::find(&self.players[0], seed)?,
            Opponent::find(&self.players[1], seed.wrapping_mul(31).wrapping_add(7))?,
        ];
        if let Some(b) = self.budget {
            programs.iter_mut().for_each(|p| p.set_budget(b));
        }
        let mut p = self.start.boxed();
        let mut dice = QuickDice::new(seed);
        let first = p.view(Eyes::Referee);
        let mut scribe = Scribe::new(&first);
        let mut record = Record {
            game: number,
            seed,
            players: self.players.clone(),
            winner: "unfinished".into(),
            kind: "limit".into(),
            turns: 0,
            decisions: [0; 2],
            curve: Vec::new(),
            front: BTreeMap::new(),
            lost: BTreeMap::new(),
            held: BTreeMap::new(),
        };
        let mut turn = first.turn;
        let mut n = 0;
        while let Some(side) = p.asks().filter(|_| n < self.limit) {
            let Some(c) = programs[side.ix()].choose(&*p) else { break };
            p.apply(c, &mut dice, &mut scribe);
            record.decisions[side.ix()] += 1;
            n += 1;
            if n.is_multiple_of(64) && stop() {
                return Ok(None);
            }
            if std::mem::take(&mut scribe.turned) {
                let view = p.view(Eyes::Referee);
                if view.turn != turn {
                    record.stand(&view, turn, &scribe, p.lexicon().grid());
                    turn = view.turn;
                }
            }
            if std::mem::take(&mut scribe.phase) {
                scribe.look(&p.view(Eyes::Referee));
            }
        }
        record.stand(&p.view(Eyes::Referee), turn, &scribe, p.lexicon().grid());
        if let Some(o) = p.outcome() {
            record.winner = o.winner.map_or("draw", |s| info.of(s).id).into();
            record.kind = o.kind.into();
        }
        let lex = p.lexicon();
        record.lost = scribe.lost.iter().map(|(h, n)| (lex.hex(*h), *n)).collect();
        Ok(Some(record))
    }
}

/// Games played on several cores: `play` is called with each number, `done` with each result, in any order. It stops when
/// `stop` says so; the numbers that were begun are finished or dropped by `play` itself.
pub fn on_cores<T: Send>(
    cores: usize,
    numbers: &[u64],
    stop: &(dyn Fn() -> bool + Sync),
    play: &(dyn Fn(u64) -> Result<Option<T>, Fail> + Sync),
    done: &mut (dyn FnMut(T) -> Result<(), Fail> + Send),
) -> Result<(), Fail> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let done = std::sync::Mutex::new(done);
    let failed: std::sync::Mutex<Option<Fail>> = std::sync::Mutex::new(None);
    let lock = |f: Fail| {
        failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(f);
    };
    std::thread::scope(|scope| {
        for _ in 0..cores.clamp(1, numbers.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(&number) = numbers.get(at).filter(|_| !stop()) else { return };
                    let kept = match play(number) {
                        Ok(Some(t)) => {
                            let mut done = done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                            (*done)(t)
                        }
                        Ok(None) => return,
                        Err(f) => Err(f),
                    };
                    if let Err(f) = kept {
                        lock(f);
                        return;
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(f) => Err(f),
        None => Ok(()),
    }
}

/// How many cores there are.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// The Wilson interval of a share at 95 in 100: where the true one lies.
pub fn interval(won: f64, of: f64) -> (f64, f64) {
    if of <= 0.0 {
        return (0.0, 1.0);
    }
    let z = 1.96f64;
    let p = won / of;
    let mid = (p + z * z / (2.0 * of)) / (1.0 + z * z / of);
    let half = z * (p * (1.0 - p) / of + z * z / (4.0 * of * of)).sqrt() / (1.0 + z * z / of);
    ((mid - half).max(0.0), (mid + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_its_share_and_narrows_with_more_games() {
        let (a, b) = interval(90.0, 100.0);
        assert!(a < 0.9 && 0.9 < b && a > 0.8 && b < 0.95, "{a} {b}");
        let (c, d) = interval(900.0, 1000.0);
        assert!(d - c < b - a);
        assert_eq!(interval(0.0, 0.0), (0.0, 1.0));
    }

    #[test]
    fn a_seed_gives_the_same_record_again() {
        let registry = crate::games::registry().unwrap_or_else(|f| panic!("{f}"));
        let game = registry.find("drill").unwrap_or_else(|f| panic!("{f}"));
        let start = begin(game, &Terms::of("first"), None).unwrap_or_else(|f| panic!("{f}"));
        let players = ["greedy".to_string(), "staff".to_string()];
        let bout = Bout { game, start: &*start, players, budget: None, limit: 100_000 };
        let play = || bout.play(0, 9, &|| false).unwrap_or_else(|f| panic!("{f}"));
        let (a, b) = (play(), play());
        assert!(a.as_ref().is_some_and(|r| !r.curve.is_empty() && r.winner != "unfinished"));
        assert_eq!(a, b);
    }
}
