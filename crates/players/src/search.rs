//! The staff's plans inside a search: before a phase of movement several inclinations are played out in worlds that fit what
//! is seen, by staffs on both sides, until it is our move again; the one that stands best on average is followed.
//! Every world is met by every inclination with the same dice, so the longer it thinks, the less luck decides.

use crate::{Budget, Player, Seat, Staff, Style, Think, World};
use game::{Choice, Counsel, QuickDice, Role};

/// No playing-out is longer than this many decisions.
const LONGEST: usize = 6000;

/// The searching player.
#[derive(Debug, Default)]
pub struct Search {
    staff: Staff,
    /// Whether the phase of movement that was searched is still under way.
    moving: bool,
    intention: String,
}

/// The inclinations that are compared, the plain one first.
fn styles(attacks: bool, dice: &mut QuickDice) -> Vec<Style> {
    let plain = Style::plain(attacks);
    if attacks {
        vec![
            plain,
            Style { daring: 2.2, least: 0.1, ..plain },
            Style { siege: 1.6, prize: 2.0, ..plain },
            Style { drift: 0.0, ..plain },
            Style { odds: 1.5, caution: 0.3, ..plain },
            Style { axis: dice.bits() | 1, ..plain },
        ]
    } else {
        vec![
            plain,
            Style { daring: 1.2, ..plain },
            Style { least: 2.0, caution: 1.0, ..plain },
            Style { line: 1.0, ..plain },
            Style { line: 0.25, odds: 0.9, ..plain },
        ]
    }
}

/// What the playings-out of one inclination brought.
#[derive(Clone, Default)]
struct Score {
    values: Vec<f64>,
}

impl Score {
    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len().max(1) as f64
    }

    /// By how much it is better than another in the worlds that both met, less what chance alone would explain.
    fn lead(&self, other: &Score) -> f64 {
        let gaps: Vec<f64> = self.values.iter().zip(&other.values).map(|(a, b)| a - b).collect();
        let n = gaps.len() as f64;
        if n < 2.0 {
            return 0.0;
        }
        let mean = gaps.iter().sum::<f64>() / n;
        let spread = (gaps.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        mean - DOUBT * spread / n.sqrt()
    }
}

/// How many standard errors another inclination must be ahead of the plain one.
const DOUBT: f64 = 0.7;

impl Search {
    /// The inclination that does best in worlds like this one.
    fn best(&self, counsel: &'static dyn Counsel, seat: &Seat<'_>, think: &mut Think<'_>) -> Style {
        let world = seat.sample(&mut think.dice);
        let attacks = counsel.brief(world.position(), seat.side()).attacker == seat.side();
        let styles = styles(attacks, &mut think.dice);
        let mut scores = vec![Score::default(); styles.len()];
        let mut alive: Vec<usize> = (0..styles.len()).collect();
        let mut round = 0;
        'thinking: loop {
            let (world_seed, dice_seed) = (think.dice.bits(), think.dice.bits());
            let mut fresh = Vec::new();
            for &i in &alive {
                let world = seat.sample(&mut QuickDice::new(world_seed));
                // A round that is not finished is not counted: every inclination meets the same worlds.
                match play_out(counsel, world, styles[i], dice_seed, think) {
                    Some(v) if !think.spent() => fresh.push((i, v)),
                    _ => break 'thinking,
                }
            }
            fresh.into_iter().for_each(|(i, v)| scores[i].values.push(v));
            round += 1;
            // The worst falls out as the rest is looked at more closely; the plain one stays to be compared with.
            if alive.len() > 2 && round >= 2 {
                alive[1..].sort_by(|&a, &b| scores[b].mean().total_cmp(&scores[a].mean()).then(a.cmp(&b)));
                alive.pop();
            }
            think.say(think.share(), &format!("{round} worlds played out"));
            if think.budget() == Budget::FREE && round >= 6 {
                break;
            }
        }
        let lead = |i: usize| scores[i].lead(&scores[0]);
        let rivals = alive.iter().copied().filter(|&i| i > 0 && lead(i) > 0.0);
        rivals.max_by(|&a, &b| lead(a).total_cmp(&lead(b)).then(b.cmp(&a))).map_or(styles[0], |i| styles[i])
    }
}

/// Plays a world on until the side moves again; how it then stands, or nothing if there was no time.
fn play_out(
    counsel: &'static dyn Counsel,
    mut world: World,
    style: Style,
    seed: u64,
    think: &mut Think<'_>,
) -> Option<f64> {
    let side = world.side();
    let mut dice = QuickDice::new(seed);
    let mut own = QuickDice::new(seed ^ 0x0a0a);
    let mut staffs = [Staff::default(), Staff::default()];
    staffs[side.ix()] = Staff::new(style);
    let mut gone = false;
    let mut list = Vec::new();
    for _ in 0..LONGEST {
        let Some(asked) = world.asks() else { break };
        world.choices(&mut list);
        // The other side bears losses in our phases too: it has moved when it was asked whom to move.
        if list.iter().any(|c| counsel.role(c) == Role::Pick) {
            if asked != side {
                gone = true;
            } else if gone {
                break;
            }
        }
        let c = {
            let seat = world.seat()?;
            staffs[asked.ix()].choose(&seat, &mut Think::new(own.bits(), Budget::FREE))?
        };
        world.apply(c, &mut dice);
        if !think.node() {
            return None;
        }
    }
    Some(counsel.prospect(world.position(), side))
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
                let style = self.best(counsel, seat, think);
                self.staff = Staff::new(style);
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
