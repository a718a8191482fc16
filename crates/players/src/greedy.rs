//! One ply by evaluation: each answer is tried in an imagined world, what it leaves half done is carried through, and
//! the answer with the best value is given. The yardstick for everything that plans.

use crate::seat::Counted;
use crate::{Player, Random, Seat, Think, World};
use game::{Choice, Counsel, Object, QuickDice, Role};
use table::Unit;

/// How often an answer that throws dice is tried.
const SAMPLES: u32 = 4;

/// More placements than this are not compared at once: a sample of them is.
const PLACEMENTS: usize = 160;

/// The one-ply player.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    /// How the enemy stood when what follows was noted.
    stamp: u64,
    /// The units that were taken in hand since.
    taken: Vec<Unit>,
    /// The attacks that were begun since: one that had to be called off is not begun again.
    begun: Vec<Choice>,
}

impl Greedy {
    /// The next unit to be taken in hand: each once, in order; where it goes is compared when it is.
    fn pick(&mut self, counsel: &dyn Counsel, list: &[Choice]) -> Option<Choice> {
        let unit = |c: &Choice| if let Object::Unit(u) = c.object { Some(u) } else { None };
        let fresh =
            |c: &&Choice| counsel.role(c) == Role::Pick && unit(c).is_none_or(|u| !self.taken.contains(&u));
        let pick = list.iter().find(fresh).copied()?;
        self.taken.extend(unit(&pick));
        Some(pick)
    }
}

impl Player for Greedy {
    fn choose(&mut self, seat: &Seat<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let Some(counsel) = seat.counsel() else { return Random.choose(seat, think) };
        let list = seat.choices();
        if list.len() < 2 {
            return list.first().copied();
        }
        let stamp = seat.stamp();
        if self.stamp != stamp {
            *self = Greedy { stamp, ..Greedy::default() };
        }
        let has = |r: Role| list.iter().any(|c| counsel.role(c) == r);
        if has(Role::Pick) && !has(Role::Stop) {
            if let Some(pick) = self.pick(counsel, &list) {
                return Some(pick);
            }
            // Everyone has had his turn.
            if let Some(done) = list.iter().find(|c| counsel.role(c) == Role::Done) {
                return Some(*done);
            }
        }
        let mut tried = candidates(counsel, list, &mut think.dice);
        if tried.iter().any(|c| counsel.role(c) != Role::Target) {
            tried.retain(|c| !self.begun.contains(c));
        }
        let world = seat.sample(&mut think.dice);
        let (best, _) = best_of(counsel, &world, &tried, SAMPLES, think)?;
        if counsel.role(&best) == Role::Target {
            self.begun.push(best);
        }
        Some(best)
    }

    fn intention(&self) -> Option<&str> {
        None
    }
}

/// The answers worth comparing: with units in hand no others are taken along, all join an attack at once, and of many
/// placements only those of the first unit.
pub(crate) fn candidates(counsel: &dyn Counsel, mut list: Vec<Choice>, dice: &mut QuickDice) -> Vec<Choice> {
    let has = |list: &[Choice], r: Role| list.iter().any(|c| counsel.role(c) == r);
    if !list.iter().all(|c| counsel.role(c) == Role::Undo) {
        list.retain(|c| counsel.role(c) != Role::Undo);
    }
    if has(&list, Role::Stop) {
        list.retain(|c| matches!(counsel.role(c), Role::Go | Role::Assault | Role::Stop));
    } else if has(&list, Role::JoinAll) {
        list.retain(|c| counsel.role(c) != Role::Join);
    } else if has(&list, Role::Place) {
        let placed = |c: &Choice| match c.object {
            Object::At(u, _) | Object::Into(u, _) if counsel.role(c) == Role::Place => Some(u),
            _ => None,
        };
        let first: Option<Unit> = list.iter().find_map(placed);
        list.retain(|c| placed(c) == first && first.is_some());
        while list.len() > PLACEMENTS {
            list.swap_remove(dice.below(list.len()));
        }
        list.sort_unstable();
    }
    list
}

/// The answer of best value, with its value. The world's own side is the one that answers.
pub(crate) fn best_of(
    counsel: &dyn Counsel,
    world: &World,
    tried: &[Choice],
    samples: u32,
    think: &mut Think<'_>,
) -> Option<(Choice, f64)> {
    let side = world.side();
    let mut scratch = World::copy_of(world);
    let mut list = Vec::new();
    let mut best: Option<(Choice, f64)> = None;
    // Every answer meets the same dice, so that luck does not choose between them.
    let seed = think.dice.bits();
    for &c in tried {
        let (mut sum, mut n) = (0.0, 0.0);
        for i in 0..u64::from(samples) {
            let mut own = QuickDice::new(seed.wrapping_add(i.wrapping_mul(0x9e37_79b9)));
            let mut dice = Counted::new(&mut own);
            if i > 0 || n == 0.0 {
                scratch.become_copy(world);
            }
            scratch.apply(c, &mut dice);
            let rolled = dice.thrown > 0;
            let rolled = scratch.settle(counsel, &mut dice, &mut list) || rolled;
            sum += counsel.value(scratch.position(), side);
            n += 1.0;
            if !rolled {
                break;
            }
        }
        let value = sum / n;
        if best.is_none_or(|(_, v)| value > v) {
            best = Some((c, value));
            think.hold(c);
        }
        if !think.node() {
            break;
        }
    }
    best
}
