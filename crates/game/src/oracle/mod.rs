//! Random play with oracles: what must hold of every game, tried on positions that nobody thought of.
//!
//! A [`Trial`] plays random legal choices. After each decision the cheap oracles look at the position; the dear ones take
//! samples. Some games are played through a [`Session`](crate::Session) instead, with undo at every turn, then saved and loaded. A failure
//! carries a journal that loads to the position in which the fault lies.

mod hold;
mod look;
mod round;
#[cfg(test)]
mod tests;

use crate::journal::{Deed, DiceKind, Header, Journal};
use crate::session::with_digest;
use crate::{Choice, Game, Lexicon, Object, Position, QuickDice, Quiet, Recorder, Replay, Roll, Terms, Told};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use table::Side;
use text::{Faults, Files};

/// One of the choices. Buttons such as `done` are taken less often than their share, so that random play does
/// something before it ends a phase.
pub fn any(list: &[Choice], dice: &mut QuickDice) -> Option<Choice> {
    let mut pick = || list.get(dice.below(list.len())).copied();
    let first = pick()?;
    let again = if first.object == Object::Nothing { pick() } else { None };
    Some(again.unwrap_or(first))
}

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// A game that takes more decisions has no bound.
    pub bound: usize,
    /// The whole list of choices is judged, and choices not on it tried, at one in so many decisions.
    pub list: usize,
    /// Copies, saved states and views are compared at one in so many decisions.
    pub copy: usize,
    /// What each side may know is compared with another world that looks the same at one in so many decisions.
    pub look: usize,
    /// One in so many games is played through a session, with undo, and saved.
    pub session: u64,
    /// One in so many games is written to a journal and replayed.
    pub replay: u64,
}

impl Plan {
    /// The usual plan for a scenario of so many turns.
    pub fn of(turns: u32) -> Plan {
        let bound = 20_000 + 5_000 * turns as usize;
        Plan { bound, list: 4, copy: 8, look: 16, session: 8, replay: 4 }
    }
}

/// What was played.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Stats {
    /// Decisions in all.
    pub decisions: u64,
    /// Games finished.
    pub games: u64,
    /// Dice and draws.
    pub rolls: u64,
    /// Decisions of the longest game.
    pub longest: usize,
    /// How often games ended how: `blue points`.
    pub endings: BTreeMap<String, u64>,
    /// How often each oracle looked.
    pub looked: BTreeMap<&'static str, u64>,
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { decisions, games, rolls, longest, .. } = self;
        write!(
            f,
            "{decisions} decisions in {games} games, {rolls} rolls, the longest game {longest}; endings:"
        )?;
        for (how, n) in &self.endings {
            write!(f, " {how} {n}")?;
        }
        f.write_str("; oracles:")?;
        for (which, n) in &self.looked {
            write!(f, " {which} {n}")?;
        }
        Ok(())
    }
}

/// A fault that an oracle found.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The game.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// The seed of the game in which it was found: with it, the same game is played again.
    pub seed: u64,
    /// How many decisions were played before.
    pub decision: usize,
    /// Which oracle.
    pub oracle: &'static str,
    /// What is wrong.
    pub what: String,
    /// The game up to there, as a journal that loads.
    pub journal: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { game, scenario, seed, decision, oracle, what, .. } = self;
        write!(f, "{game} {scenario}, seed {seed}, after {decision} decisions: {oracle}: {what}")
    }
}

impl std::error::Error for Failure {}

/// What an oracle says: nothing, or its name and what is wrong.
pub(crate) type Holds = Result<(), (&'static str, String)>;

/// Who chose what, and what was rolled for it.
pub type Move = (Side, Choice, Vec<Roll>);

/// A game being played.
pub(crate) struct Table<'a> {
    pub trial: &'a Trial<'a>,
    pub dice_seed: u64,
    /// The opening and what was played after it.
    pub played: Vec<Move>,
    /// How long the opening was.
    pub opened: usize,
    pub stats: &'a mut Stats,
    /// Chance for the oracles, apart from the game's, so that looking changes nothing.
    pub look: QuickDice,
    /// Choices seen on lists before, to try where they are not listed.
    pub seen: Vec<Choice>,
}

impl Table<'_> {
    pub(crate) fn counts(&mut self, oracle: &'static str) {
        *self.stats.looked.entry(oracle).or_default() += 1;
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        n > 0 && self.look.below(n) == 0
    }

    /// How many decisions were made here.
    pub(crate) fn made(&self) -> usize {
        self.played.len() - self.opened
    }

    /// The game so far as a journal.
    pub(crate) fn journal(&self, lex: &Lexicon) -> Journal {
        // The rolls of an opening came from other dice: they are as they were written.
        let dice = match self.opened {
            0 => DiceKind::Quick { seed: self.dice_seed },
            _ => DiceKind::Scripted,
        };
        let mut j = Journal::new(Header::new(self.trial.game.info(), self.trial.terms.clone(), dice));
        for (side, choice, rolls) in &self.played {
            j.add(Some(*side), Deed::Choice(lex.write(choice)), rolls.clone());
        }
        j
    }
}

/// What is tried, and how much.
#[derive(Clone)]
pub struct Trial<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// What is agreed on.
    pub terms: Terms,
    /// An owner's files, laid over the game's.
    pub overlay: Option<&'a Files>,
    /// How much.
    pub plan: Plan,
    /// A game that was played: each random one begins somewhere in it. Empty: at the beginning.
    pub opening: Vec<Move>,
}

impl<'a> Trial<'a> {
    /// A scenario with its usual plan.
    pub fn of(game: &'a dyn Game, terms: Terms, overlay: Option<&'a Files>) -> Result<Trial<'a>, Faults> {
        let terms = with_digest(&terms, overlay)?;
        let turns = game.info().scenarios.iter().find(|s| s.id == terms.scenario).map_or(10, |s| s.turns);
        Ok(Trial { game, terms, overlay, plan: Plan::of(turns), opening: Vec::new() })
    }

    /// Plays random games until so many decisions were made; the last game stops where they are.
    pub fn run(
        &self,
        seed: u64,
        decisions: u64,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<Stats, Box<Failure>> {
        self.play(seed, &|s| decisions.saturating_sub(s.decisions), progress)
    }

    /// Plays so many random games, each to its end.
    pub fn run_games(
        &self,
        seed: u64,
        games: u64,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<Stats, Box<Failure>> {
        self.play(seed, &|s| if s.games < games { u64::MAX } else { 0 }, progress)
    }

    /// Plays while some decisions are left to be made.
    fn play(
        &self,
        seed: u64,
        left: &dyn Fn(&Stats) -> u64,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<Stats, Box<Failure>> {
        let mut stats = Stats::default();
        let mut next = seed;
        loop {
            let most = left(&stats).min(self.plan.bound as u64 + 1) as usize;
            if most == 0 {
                return Ok(stats);
            }
            one_game(self, next, most, &mut stats, progress)?;
            next = next.wrapping_add(1);
        }
    }
}

fn one_game(
    trial: &Trial<'_>,
    seed: u64,
    most: usize,
    stats: &mut Stats,
    progress: &mut dyn FnMut(&Stats),
) -> Result<(), Box<Failure>> {
    let plan = &trial.plan;
    let fail = |decision, oracle, what, journal| {
        let (game, scenario) = (trial.game.info().id.into(), trial.terms.scenario.clone());
        Box::new(Failure { game, scenario, seed, decision, oracle, what, journal })
    };
    let start = match trial.game.start(&trial.terms, trial.overlay) {
        Ok(p) => p,
        Err(e) => return Err(fail(0, "start", e.to_string(), String::new())),
    };
    let mut seeds = QuickDice::new(seed);
    let (dice_seed, pick_seed, look_seed) = (seeds.bits(), seeds.bits(), seeds.bits());
    // Not the last of it: something is left to be decided.
    let opened = if trial.opening.is_empty() { 0 } else { seeds.below(trial.opening.len()) };
    let played = trial.opening[..opened].to_vec();
    let mut begin = start.clone();
    for (_, c, rolls) in &played {
        begin.apply(*c, &mut Replay::new(rolls), &mut Quiet);
    }
    let table = RefCell::new(Table {
        trial,
        dice_seed,
        played,
        opened,
        stats,
        look: QuickDice::new(look_seed),
        seen: Vec::new(),
    });
    let pick = QuickDice::new(pick_seed);
    // A panic is a fault like others, and must leave a journal too.
    let held = catch_unwind(AssertUnwindSafe(|| {
        let t = &mut *table.borrow_mut();
        // A session keeps the dice of a game from its beginning on.
        if opened == 0 && plan.session > 0 && seed % plan.session == plan.session - 1 {
            round::session_game(t, begin, pick, most)
        } else {
            play_game(t, begin, pick, most, progress)
        }
    }));
    let mut table = table.into_inner();
    let held = held.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no words");
        Err(("panic", format!("the game panicked: {text}")))
    });
    if let Err((oracle, what)) = held {
        let journal = table.journal(start.lexicon()).text();
        return Err(fail(table.played.len(), oracle, what, journal));
    }
    table.stats.longest = table.stats.longest.max(table.made());
    if plan.replay > 0
        && seed.is_multiple_of(plan.replay)
        && let Err((oracle, what)) = round::replay(&mut table, &*start)
    {
        return Err(fail(table.played.len(), oracle, what, table.journal(start.lexicon()).text()));
    }
    Ok(())
}

/// One game, choice by choice.
fn play_game(
    t: &mut Table<'_>,
    mut p: Box<dyn Position>,
    mut pick: QuickDice,
    most: usize,
    progress: &mut dyn FnMut(&Stats),
) -> Holds {
    let mut dice = QuickDice::new(t.dice_seed);
    let mut list = Vec::new();
    loop {
        hold::always(t, &*p, &mut list)?;
        let Some(side) = p.asks() else {
            return end(t, &*p);
        };
        if t.made() >= t.trial.plan.bound {
            return Err(("bound", format!("the game is not over after {} decisions", t.trial.plan.bound)));
        }
        if t.made() >= most {
            return Ok(());
        }
        let Some(c) = any(&list, &mut pick) else {
            return Err(("choices", "somebody is asked and nothing is legal".into()));
        };
        hold::sampled(t, &*p, &list)?;
        if t.one_in(t.trial.plan.look) {
            look::same_to_those_eyes(t, &*p, &c, &list)?;
        }
        if t.one_in(t.trial.plan.copy) {
            hold::copies(t, &*p, &c, &dice)?;
        }
        let mut rec = Recorder::new(&mut dice);
        p.apply(c, &mut rec, &mut Told::default());
        let rolls = rec.rolls;
        t.stats.rolls += rolls.len() as u64;
        t.stats.decisions += 1;
        t.played.push((side, c, rolls));
        if t.stats.decisions.is_multiple_of(10_000) {
            progress(t.stats);
        }
    }
}

/// Counts how a game ended.
pub(crate) fn end(t: &mut Table<'_>, p: &dyn Position) -> Holds {
    let Some(o) = p.outcome() else {
        return Err(("outcome", "nobody is asked and there is no outcome".into()));
    };
    let winner = o.winner.map_or("draw", |s| t.trial.game.info().of(s).id);
    *t.stats.endings.entry(format!("{winner} {}", o.kind)).or_default() += 1;
    t.stats.games += 1;
    Ok(())
}
