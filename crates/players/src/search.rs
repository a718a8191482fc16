//! The staff's plans inside a search: before a phase of movement several inclinations are played out in worlds that fit what
//! is seen, by staffs on both sides, until it is our move again; the one that stands best on average is followed.
//! Every inclination meets the same worlds with the same dice, so the longer it thinks, the less luck decides; and new ones are
//! made from the best as it goes on.

use crate::playout::play_out;
use crate::{Budget, Player, Seat, Staff, Style, Think};
use game::{Brief, Choice, Counsel, QuickDice, Role};

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// How many inclinations are compared at first.
    pub arms: usize,
    /// How many of its own moves a world is played on.
    pub moves: u32,
    /// Within how many turns of the end a world is played to its end instead: what is then compared is what decides.
    pub last: f64,
    /// How many standard errors another inclination must be ahead of the plain one.
    pub doubt: f64,
    /// How far the inclinations are apart: at 1 their weights are up to twice or half as much. Those near the plain one are nearly as good as it is
    /// everywhere, and which of them is best here is what a search can find; most of those far from it are worse.
    pub spread: f64,
    /// How many worlds the last ones meet when there is no budget.
    pub worlds: usize,
}

impl Tuning {
    /// What did best.
    pub const PLAIN: Tuning = Tuning { arms: 10, moves: 1, last: 1.0, doubt: 2.5, spread: 0.35, worlds: 8 };
}

/// The searching player.
#[derive(Debug)]
pub struct Search {
    tuning: Tuning,
    staff: Staff,
    /// The inclination that was followed last, if it was not the plain one.
    liked: Option<Style>,
    /// Whether the phase of movement that was searched is still under way.
    moving: bool,
    intention: String,
}

impl Default for Search {
    fn default() -> Search {
        Search::new(Tuning::PLAIN)
    }
}

/// The inclinations that are compared first: the plain one, the one that was followed last, and others by lot.
fn styles(brief: &Brief, liked: Option<Style>, tuning: &Tuning, dice: &mut QuickDice) -> Vec<Style> {
    let plain = Style::plain(brief);
    let mut out = vec![plain];
    out.extend(liked);
    while out.len() < tuning.arms {
        out.push(plain.varied(tuning.spread, dice));
    }
    out
}

/// An inclination with what its playings-out brought, world by world.
struct Arm {
    style: Style,
    values: Vec<f64>,
}

impl Arm {
    fn new(style: Style) -> Arm {
        Arm { style, values: Vec::new() }
    }

    /// By how much it is ahead of another in the worlds that both met, and the standard error of that.
    fn ahead(&self, other: &Arm) -> (f64, f64) {
        let gaps: Vec<f64> = self.values.iter().zip(&other.values).map(|(a, b)| a - b).collect();
        let n = gaps.len().max(1) as f64;
        let mean = gaps.iter().sum::<f64>() / n;
        let spread = gaps.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        (mean, (spread / n).sqrt())
    }
}

/// More moves than any game has.
const TO_THE_END: u32 = 1000;
/// How many worlds every inclination meets before the worse ones fall out, and after each such heat.
const HEAT: usize = 2;
/// How many stay beside the plain one.
const FINALISTS: usize = 3;
/// How many new ones are made from the best after each of the first heats.
const FRESH: usize = 3;
/// After how many heats no new ones are made: they would have to meet all the worlds that the others met.
const BREEDING: usize = 2;

impl Search {
    /// A search that goes about it in another way.
    pub fn new(tuning: Tuning) -> Search {
        Search { tuning, staff: Staff::default(), liked: None, moving: false, intention: String::new() }
    }

    /// The inclination that does best in worlds like this one; `None` when that is the plain one.
    fn best(&self, counsel: &'static dyn Counsel, seat: &Seat<'_>, think: &mut Think<'_>) -> Option<Style> {
        let world = seat.sample(&mut think.dice);
        let brief = counsel.brief(world.position(), seat.side());
        let first = styles(&brief, self.liked, &self.tuning, &mut think.dice);
        // The plain one stays first, to be compared with.
        let mut arms: Vec<Arm> = first.into_iter().map(Arm::new).collect();
        let moves = if brief.turns_left <= self.tuning.last { TO_THE_END } else { self.tuning.moves };
        // One seed for all of them: their dice are even together.
        let rolls = think.dice.bits();
        let mut worlds: Vec<u64> = Vec::new();
        for heat in 0.. {
            worlds.extend((0..HEAT).map(|_| think.dice.bits()));
            if !self.meet(counsel, seat, (&worlds, rolls), moves, &mut arms, think) {
                break;
            }
            let (plain, rest) = arms.split_at_mut(1);
            rest.sort_by(|a, b| b.ahead(&plain[0]).0.total_cmp(&a.ahead(&plain[0]).0));
            arms.truncate(1 + FINALISTS);
            if heat < BREEDING
                && let Some(best) = arms.get(1).map(|a| a.style)
            {
                arms.extend((0..FRESH).map(|_| Arm::new(best.varied(self.tuning.spread, &mut think.dice))));
            }
            think.say(think.share(), &format!("{} worlds played out", worlds.len()));
            if think.budget() == Budget::FREE && worlds.len() >= self.tuning.worlds {
                break;
            }
        }
        let plain = &arms[0];
        let lead = |a: &Arm| {
            let (mean, error) = a.ahead(plain);
            // Who met half of the worlds or less has shown too little.
            if a.values.len() * 2 > worlds.len() && a.values.len() >= HEAT {
                mean - self.tuning.doubt * error
            } else {
                0.0
            }
        };
        let rivals = arms[1..].iter().map(|a| (lead(a), a.style)).filter(|(l, _)| *l > 0.0);
        rivals.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, s)| s)
    }

    /// Lets every inclination meet every world that it has not met; false when there was no time for all.
    fn meet(
        &self,
        counsel: &'static dyn Counsel,
        seat: &Seat<'_>,
        (worlds, rolls): (&[u64], u64),
        moves: u32,
        arms: &mut [Arm],
        think: &mut Think<'_>,
    ) -> bool {
        for (n, &world_seed) in worlds.iter().enumerate() {
            for arm in arms.iter_mut().filter(|a| a.values.len() == n) {
                let world = seat.sample(&mut QuickDice::new(world_seed));
                match play_out(counsel, world, arm.style, moves, (rolls, n as u64), think) {
                    Some(v) if !think.spent() => arm.values.push(v),
                    _ => return false,
                }
            }
        }
        true
    }
}

impl Player for Search {
    fn choose(&mut self, seat: &Seat<'_>, think: &mut Think<'_>) -> Option<Choice> {
        if let Some(counsel) = seat.counsel() {
            let list = seat.choices();
            if let Some(c) = seat.carry_on(&list) {
                return Some(c);
            }
            let has = |r: Role| list.iter().any(|c| counsel.role(c) == r);
            let moving = has(Role::Pick) && !has(Role::Stop);
            if moving && !self.moving {
                self.liked = self.best(counsel, seat, think);
                self.staff = self.liked.map_or_else(Staff::default, Staff::new);
            }
            if moving {
                self.moving = true;
            } else if has(Role::Target) || has(Role::Place) {
                self.moving = false;
            }
        }
        // The plan itself takes no time to speak of, and is made in full even when the search has used its budget up.
        let c = self.staff.choose(seat, &mut think.unbound());
        self.intention = self.staff.intention().unwrap_or_default().to_string();
        c
    }

    fn intention(&self) -> Option<&str> {
        (!self.intention.is_empty()).then_some(self.intention.as_str())
    }
}
