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

/// The inclinations that are compared; later ones are tried when there is time.
fn styles(attacks: bool, dice: &mut QuickDice) -> Vec<Style> {
    let plain = Style::plain(attacks);
    vec![
        plain,
        Style { daring: 1.5, caution: 0.3, least: 0.1, ..plain },
        Style { daring: 0.8, caution: 1.2, least: 1.0, stubborn: 0.8, line: 0.7, ..plain },
        Style { depth: 12.0, ..plain },
        Style { axis: dice.bits() | 1, ..plain },
        Style { axis: dice.bits() | 1, daring: 1.3, ..plain },
    ]
}

impl Search {
    /// The inclination that does best in worlds like this one.
    fn best(&self, counsel: &'static dyn Counsel, seat: &Seat<'_>, think: &mut Think<'_>) -> Style {
        let world = seat.sample(&mut think.dice);
        let attacks = counsel.brief(world.position(), seat.side()).attacker == seat.side();
        let styles = styles(attacks, &mut think.dice);
        let mut sums = vec![(0.0f64, 0u32); styles.len()];
        let mut alive: Vec<usize> = (0..styles.len()).collect();
        let mut round = 0;
        'thinking: loop {
            let (world_seed, dice_seed) = (think.dice.bits(), think.dice.bits());
            for &i in &alive {
                if think.spent() {
                    break 'thinking;
                }
                let world = seat.sample(&mut QuickDice::new(world_seed));
                let Some(v) = play_out(counsel, world, styles[i], dice_seed, think) else { break 'thinking };
                sums[i].0 += v;
                sums[i].1 += 1;
            }
            round += 1;
            let mean = |i: &usize| sums[*i].0 / f64::from(sums[*i].1.max(1));
            // The worse half falls out as the rest is looked at more closely.
            if alive.len() > 2 && round % 2 == 0 {
                alive.sort_by(|a, b| mean(b).total_cmp(&mean(a)).then(a.cmp(b)));
                alive.truncate(alive.len().div_ceil(2));
            }
            think.say(think.share(), &format!("{round} worlds played out"));
            if think.budget() == Budget::FREE && round >= 4 {
                break;
            }
        }
        let most = sums.iter().map(|s| s.1).max().unwrap_or(0);
        let tried = (0..styles.len()).filter(|&i| sums[i].1 == most && most > 0);
        let mean = |i: usize| sums[i].0 / f64::from(sums[i].1.max(1));
        let best = tried.max_by(|&a, &b| mean(a).total_cmp(&mean(b)).then(b.cmp(&a)));
        best.map_or(styles[0], |i| styles[i])
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
        if asked != side {
            gone = true;
        } else if gone {
            world.choices(&mut list);
            if list.iter().any(|c| counsel.role(c) == Role::Pick) {
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
    Some(counsel.terms(world.position(), side).iter().map(|(_, v)| v).sum())
}

impl Player for Search {
    fn choose(&mut self, seat: &Seat<'_>, think: &mut Think<'_>) -> Option<Choice> {
        if let Some(counsel) = seat.counsel() {
            let list = seat.choices();
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
        let c = self.staff.choose(seat, think);
        self.intention = self.staff.intention().unwrap_or_default().to_string();
        c
    }

    fn intention(&self) -> Option<&str> {
        (!self.intention.is_empty()).then_some(self.intention.as_str())
    }
}
