//! The staff's plans inside a search over what they are to be about: before a phase of movement it is played out, in worlds that
//! fit what is seen and by staffs on both sides, what comes of putting some of the contested places above all others, and
//! of putting none; what stands best on average is followed.
//! Every such inclination meets the same worlds with the same dice, so the longer it thinks, the less luck decides.

use crate::playout::play_out;
use crate::staff::contested;
use crate::{Budget, Focus, Player, Seat, Staff, Style, Think};
use game::{Brief, Choice, Counsel, QuickDice, Role};
use hex::{Grid, Hex};

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// How many inclinations are compared at first.
    pub arms: usize,
    /// How many of its own moves a world is played on.
    pub moves: u32,
    /// Within how many turns of the end a world is played to its end instead: what is then compared is what decides.
    pub last: f64,
    /// How many standard errors another inclination must be ahead of the usual one.
    pub doubt: f64,
    /// How much more a place counts for who comes forward, if it is above the others.
    pub push: f64,
    /// The same for who holds it.
    pub cling: f64,
    /// How many worlds the last ones meet when there is no budget.
    pub worlds: usize,
}

impl Tuning {
    /// What did best.
    pub const PLAIN: Tuning =
        Tuning { arms: 10, moves: 2, last: 1.0, doubt: 0.5, push: 2.0, cling: 3.0, worlds: 8 };
}

/// The searching player.
#[derive(Debug)]
pub struct Search {
    tuning: Tuning,
    staff: Staff,
    /// The inclination that was followed last.
    liked: Option<Style>,
    /// Whether the phase of movement that was searched is still under way.
    moving: bool,
    /// The places that it puts above all others, by name.
    above: String,
    intention: String,
}

impl Default for Search {
    fn default() -> Search {
        Search::new(Tuning::PLAIN)
    }
}

/// What may be put above all others, of the contested places in their order; the first sets are those that did best by
/// themselves, and the last ones are left out when there is little time.
const SETS: [&[usize]; 9] = [&[0, 1], &[0], &[0, 1, 2], &[1], &[2], &[0, 2], &[1, 2], &[3], &[4]];

/// The inclinations that are compared. The first is followed unless another is seen to be better: for who comes forward the plain one,
/// for who waits the first of the sets, which by itself did at least as well as the plain one wherever it was tried.
fn styles(grid: &Grid, brief: &Brief, liked: Option<Style>, tuning: &Tuning) -> Vec<Style> {
    let plain = Style::plain(brief);
    let comes = brief.attacker == brief.side;
    let above = if comes { tuning.push } else { tuning.cling };
    let places = contested(grid, brief);
    let on = SETS.iter().filter_map(|set| {
        let set: Option<Vec<Hex>> = set.iter().map(|&i| places.get(i).copied()).collect();
        set.map(|s| Style { focus: Focus::on(&s, above), ..plain })
    });
    let mut all: Vec<Style> = on.collect();
    all.insert(if comes { 0 } else { all.len().min(1) }, plain);
    // What was followed last comes next: it shall not be left out for want of time. Who came forward then and waits now leans otherwise.
    let still = |s: &Style| *s != all[0] && Style { focus: plain.focus, ..*s } == plain;
    if let Some(liked) = liked.filter(still) {
        all.retain(|s| *s != liked);
        all.insert(1, liked);
    }
    all.truncate(tuning.arms);
    all
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
/// How many stay beside the usual one.
const FINALISTS: usize = 3;
/// How many worlds there should be time for, for each inclination.
const ENOUGH: f64 = 4.0;
/// Fewer inclinations than this are no choice.
const FEWEST: usize = 3;

impl Search {
    /// A search that goes about it in another way.
    pub fn new(tuning: Tuning) -> Search {
        Search {
            tuning,
            staff: Staff::default(),
            liked: None,
            moving: false,
            above: String::new(),
            intention: String::new(),
        }
    }

    /// The inclination that does best in worlds like this one.
    fn best(&self, counsel: &'static dyn Counsel, seat: &Seat<'_>, think: &mut Think<'_>) -> Style {
        let world = seat.sample(&mut think.dice);
        let brief = counsel.brief(world.position(), seat.side());
        let first = styles(seat.lexicon().grid(), &brief, self.liked, &self.tuning);
        // The first stays first, to be compared with.
        let mut arms: Vec<Arm> = first.into_iter().map(Arm::new).collect();
        let moves = if brief.turns_left <= self.tuning.last { TO_THE_END } else { self.tuning.moves };
        // One seed for all of them: their dice are even together.
        let rolls = think.dice.bits();
        let mut worlds: Vec<u64> = (0..HEAT).map(|_| think.dice.bits()).collect();
        // What the first playing-out costs tells how many inclinations there is time for.
        if !self.meet(counsel, seat, (&worlds[..1], rolls), moves, &mut arms[..1], think) {
            return arms[0].style;
        }
        let allowed = 1.0 / think.share().max(1e-6);
        arms.truncate(((allowed / ENOUGH) as usize).max(FEWEST));
        loop {
            if !self.meet(counsel, seat, (&worlds, rolls), moves, &mut arms, think) {
                break;
            }
            let (usual, rest) = arms.split_at_mut(1);
            rest.sort_by(|a, b| b.ahead(&usual[0]).0.total_cmp(&a.ahead(&usual[0]).0));
            arms.truncate(1 + FINALISTS);
            think.say(think.share(), &format!("{} worlds played out", worlds.len()));
            worlds.extend((0..HEAT).map(|_| think.dice.bits()));
            if think.budget() == Budget::FREE && worlds.len() > self.tuning.worlds {
                break;
            }
        }
        let usual = &arms[0];
        let lead = |a: &Arm| {
            let (mean, error) = a.ahead(usual);
            // Who met half of the worlds or less has shown too little.
            if a.values.len() * 2 > worlds.len() && a.values.len() >= HEAT {
                mean - self.tuning.doubt * error
            } else {
                0.0
            }
        };
        let rivals = arms[1..].iter().map(|a| (lead(a), a.style)).filter(|(l, _)| *l > 0.0);
        rivals.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(usual.style, |(_, s)| s)
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
                match play_out(
                    counsel,
                    world,
                    self.staff.successor(Some(arm.style)),
                    moves,
                    (rolls, n as u64),
                    think,
                ) {
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
                let best = self.best(counsel, seat, think);
                let world = seat.sample(&mut think.dice);
                let names = best.focus.places().map(|h| counsel.called(world.position(), h));
                self.above = names.collect::<Vec<_>>().join(" and ");
                self.liked = Some(best);
                self.staff = self.staff.successor(Some(best));
            }
            if moving {
                self.moving = true;
            } else if has(Role::Target) || has(Role::Place) {
                self.moving = false;
            }
        }
        // The plan itself takes no time to speak of, and is made in full even when the search has used its budget up.
        let c = self.staff.choose(seat, &mut think.unbound());
        let staff = self.staff.intention().unwrap_or_default();
        self.intention = match (staff, self.above.as_str()) {
            ("", _) | (_, "") => staff.to_string(),
            (staff, above) => format!("{staff}, above all {above}"),
        };
        c
    }

    fn intention(&self) -> Option<&str> {
        (!self.intention.is_empty()).then_some(self.intention.as_str())
    }
}
