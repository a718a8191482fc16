//! A world played on by staffs of both sides, with dice that belong to the battles: the same battle rolls the same in every
//! playing-out of a seed, whatever else was decided differently.

use crate::{Budget, Player, Staff, Think, World};
use game::{Choice, Counsel, Dice, Object, QuickDice, Role};
use hex::Hex;
use std::collections::BTreeMap;
use table::Side;

/// No playing-out is longer than this many decisions for each move of the side.
const LONGEST: usize = 6000;

/// Dice by battle. Over as many worlds as a die has faces every throw of a battle shows each face once: luck that evens out by
/// itself need not be averaged away.
struct Rolls {
    seed: u64,
    /// Which of the worlds this is.
    world: u64,
    /// How many phases were ended.
    phase: u64,
    /// How often each hex was attacked.
    times: BTreeMap<Hex, u64>,
    /// The battle, and how often was thrown in it.
    battle: u64,
    thrown: u64,
}

impl Rolls {
    fn new(seed: u64, world: u64) -> Rolls {
        Rolls { seed, world, phase: 0, times: BTreeMap::new(), battle: 0, thrown: 0 }
    }

    /// The dice for what a choice throws.
    fn of(&mut self, role: Role, c: &Choice, asked: Side) -> &mut Rolls {
        let fresh = match (role, c.object) {
            (Role::Target | Role::Assault, Object::Hex(h)) => {
                let n = self.times.entry(h).or_default();
                *n += 1;
                Some(u64::from(h.0) << 16 | *n << 1 | asked.ix() as u64)
            }
            (Role::Done, _) => {
                self.phase += 1;
                Some(self.phase << 40)
            }
            _ => None,
        };
        if let Some(key) = fresh {
            self.battle = key;
            self.thrown = 0;
        }
        self
    }

    /// Chance for the next throw, the same in all worlds of a round.
    fn chance(&mut self, round: u64) -> QuickDice {
        self.thrown += 1;
        let mut mixed = QuickDice::new(self.seed);
        for part in [self.battle, self.thrown, round] {
            mixed = QuickDice::new(mixed.bits() ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        mixed
    }
}

impl Dice for Rolls {
    fn roll(&mut self, sides: u8) -> u8 {
        let sides = sides.max(1);
        let mut chance = self.chance(self.world / u64::from(sides));
        // A high face and the low one opposite follow each other, so that two worlds already are even.
        let mut pairs: Vec<u8> = (1..=sides.div_ceil(2)).collect();
        let mut faces = Vec::with_capacity(usize::from(sides) + 1);
        while !pairs.is_empty() {
            let low = pairs.swap_remove(chance.below(pairs.len()));
            let both = [low, sides + 1 - low];
            let first = chance.below(2);
            faces.push(both[first]);
            if both[0] != both[1] {
                faces.push(both[1 - first]);
            }
        }
        faces[(self.world % u64::from(sides)) as usize]
    }

    fn draw(&mut self, of: u32) -> u32 {
        let round = self.world;
        self.chance(round).below(of as usize) as u32
    }
}

/// Plays a world on until the side has moved so many times and is to move again, led by a staff; how
/// it then stands, or nothing if there was no time.
pub(crate) fn play_out(
    counsel: &'static dyn Counsel,
    mut world: World,
    staff: Staff,
    moves: u32,
    (seed, nth): (u64, u64),
    think: &mut Think<'_>,
) -> Option<f64> {
    let side = world.side();
    let mut rolls = Rolls::new(seed, nth);
    let mut staffs = [Staff::default(), Staff::default()];
    staffs[side.ix()] = staff;
    let (mut gone, mut made) = (false, 0);
    let mut list = Vec::new();
    for _ in 0..LONGEST * moves.min(50) as usize {
        let Some(asked) = world.asks() else { break };
        world.choices(&mut list);
        // The other side bears losses in our phases too: it has moved when it was asked whom to move.
        if list.iter().any(|c| counsel.role(c) == Role::Pick) {
            if asked != side {
                gone = true;
            } else if gone {
                made += 1;
                if made >= moves {
                    break;
                }
                gone = false;
            }
        }
        let c = {
            let seat = world.seat()?;
            // Equal situations are planned for alike, so that plans differ only where something else does.
            staffs[asked.ix()].choose(&seat, &mut Think::new(seed ^ 0x0a0a, Budget::FREE))?
        };
        let role = counsel.role(&c);
        world.apply(c, rolls.of(role, &c, asked));
        // A staff's answer may take a hundredth of a second: the clock is asked after each.
        if !think.node() || think.spent() {
            return None;
        }
    }
    Some(counsel.prospect(world.position(), side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Verb;

    fn thrown(r: &mut Rolls, h: u16, times: usize) -> Vec<u8> {
        let c = Choice { verb: Verb(1), object: Object::Hex(Hex(h)) };
        let dice = r.of(Role::Target, &c, Side::One);
        (0..times).map(|_| dice.roll(6)).collect()
    }

    #[test]
    fn a_battle_rolls_the_same_whatever_was_rolled_before_it() {
        let (mut one, mut two) = (Rolls::new(5, 3), Rolls::new(5, 3));
        let alone = thrown(&mut one, 7, 8);
        thrown(&mut two, 9, 8);
        assert_eq!(alone, thrown(&mut two, 7, 8));
        // The second attack on a hex is another battle, and so is one of another seed.
        assert_ne!(alone, thrown(&mut two, 7, 8));
        assert_ne!(alone, thrown(&mut Rolls::new(6, 3), 7, 8));
    }

    #[test]
    fn over_six_worlds_every_throw_of_a_battle_shows_every_face() {
        for round in 0..3 {
            let worlds: Vec<Vec<u8>> =
                (6 * round..6 * round + 6).map(|w| thrown(&mut Rolls::new(5, w), 7, 4)).collect();
            for nth in 0..4 {
                let mut faces: Vec<u8> = worlds.iter().map(|w| w[nth]).collect();
                assert!(faces.chunks(2).all(|two| two[0] + two[1] == 7), "two worlds are even already");
                faces.sort_unstable();
                assert_eq!(faces, [1, 2, 3, 4, 5, 6]);
            }
        }
    }
}
