//! The programs one can play against, at the terminal and in the page.

use crate::fail::Fail;
use crate::progress::Thinking;
use game::{Choice, Position, QuickDice};
use players::{Budget, LEVELS, Level, Player, Seat, Think};
use server::{OpponentInfo, Watch};
use table::Side;

/// Their names.
pub fn names() -> Vec<&'static str> {
    LEVELS.iter().map(|l| l.id).collect()
}

/// The longest that a program may be told to think about a decision, in seconds: a day.
const LONGEST: f64 = 86_400.0;

/// Seconds of thought, as they are given with `--time`.
pub fn seconds(text: &str) -> Result<f64, String> {
    let n: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    if n > 0.0 && n <= LONGEST {
        Ok(n)
    } else {
        Err(format!("expected more than 0 and at most {LONGEST} seconds"))
    }
}

/// A program that holds a side.
pub struct Opponent {
    player: Box<dyn Player>,
    dice: QuickDice,
    budget: Budget,
}

impl Opponent {
    /// A program by its name.
    pub fn find(name: &str, seed: u64) -> Result<Opponent, Fail> {
        let level = players::level(name).ok_or_else(|| {
            Fail::Usage(format!("there is no program '{name}'; expected one of {}", names().join(", ")))
        })?;
        Ok(Opponent { player: level.player(), dice: QuickDice::new(seed ^ 0x5eed), budget: level.budget() })
    }

    /// Lets it think so much about a decision.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Its choice; `None` only when nothing is asked. It is given a seat, not the position.
    pub fn choose(&mut self, p: &dyn Position) -> Option<Choice> {
        self.decide(p, &|| false, &|_, _| {})
    }

    /// The same while somebody waits for it.
    pub fn choose_before(&mut self, p: &dyn Position, waiting: &Thinking) -> Option<Choice> {
        waiting.begin();
        // What it thinks of is its side's secret.
        let c = self.decide(p, &|| waiting.hurried(), &|share, _| waiting.show(share));
        waiting.end();
        c
    }

    fn decide(
        &mut self,
        p: &dyn Position,
        stopped: &dyn Fn() -> bool,
        report: &dyn Fn(f64, &str),
    ) -> Option<Choice> {
        let seat = Seat::new(p)?;
        let mut think = Think::watched(self.dice.bits(), self.budget, stopped, report);
        self.player.choose(&seat, &mut think)
    }

    /// What it intends, as a sentence.
    pub fn intention(&self) -> Option<&str> {
        self.player.intention()
    }
}

/// A level as the page's server asks for it.
struct Offered(&'static Level);

/// Every level but the random one, which the server has itself.
pub fn all() -> server::Opponents {
    let mut out = server::Opponents::random();
    for level in LEVELS.iter().filter(|l| l.id != "random") {
        out = out.with(std::sync::Arc::new(Offered(level)));
    }
    out
}

impl server::Opponent for Offered {
    fn about(&self) -> OpponentInfo {
        let l = self.0;
        let seconds = l.budget().time.map(|t| t.as_secs_f64().ceil() as u32);
        OpponentInfo { id: l.id.into(), name: l.name.into(), about: l.about.into(), seconds }
    }

    fn sit(&self) -> Box<dyn server::Seated> {
        Box::new(Sitting { level: self.0, player: self.0.player() })
    }
}

/// A player in a seat of a match: it keeps its plans from one choice to the next.
struct Sitting {
    level: &'static Level,
    player: Box<dyn Player>,
}

impl server::Seated for Sitting {
    fn choose(&mut self, position: &dyn Position, side: Side, seed: u64, watch: &Watch) -> Option<Choice> {
        let seat = Seat::new(position).filter(|s| s.side() == side)?;
        let stopped = || watch.stopped();
        // Everyone at the table hears how far it has thought; what it thinks of is its side's secret.
        let report = |share: f64, _: &str| watch.report(share, "");
        let budget = watch.time().map_or(self.level.budget(), Budget::time);
        let mut think = Think::watched(seed, budget, &stopped, &report);
        self.player.choose(&seat, &mut think)
    }
}
