//! A world played on by staffs of both sides, with dice that belong to the battles: the same battle rolls the same in every
//! playing-out of a seed, whatever else was decided differently.

use crate::{Budget, Player, Staff, Style, Think, World};
use game::{Choice, Counsel, Object, QuickDice, Role};
use hex::Hex;
use std::collections::BTreeMap;
use table::Side;

/// No playing-out is longer than this many decisions for each move of the side.
const LONGEST: usize = 6000;

/// Dice by battle.
struct Rolls {
    seed: u64,
    /// How many phases were ended.
    phase: u64,
    /// How often each hex was attacked.
    times: BTreeMap<Hex, u64>,
    dice: QuickDice,
}

impl Rolls {
    fn new(seed: u64) -> Rolls {
        Rolls { seed, phase: 0, times: BTreeMap::new(), dice: QuickDice::new(seed) }
    }

    /// The dice for what a choice throws.
    fn of(&mut self, role: Role, c: &Choice, asked: Side) -> &mut QuickDice {
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
            let mut dice = QuickDice::new(self.seed ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            self.dice = QuickDice::new(dice.bits());
        }
        &mut self.dice
    }
}

/// Plays a world on until the side has moved so many times and is to move again, its first move by a staff of an inclination; how
/// it then stands, or nothing if there was no time.
pub(crate) fn play_out(
    counsel: &'static dyn Counsel,
    mut world: World,
    style: Style,
    moves: u32,
    seed: u64,
    think: &mut Think<'_>,
) -> Option<f64> {
    let side = world.side();
    let mut rolls = Rolls::new(seed);
    let mut staffs = [Staff::default(), Staff::default()];
    staffs[side.ix()] = Staff::new(style);
    let (mut gone, mut made) = (false, 0);
    let mut list = Vec::new();
    for _ in 0..LONGEST * moves as usize {
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
                staffs[side.ix()] = Staff::default();
            }
        }
        let c = {
            let seat = world.seat()?;
            // Equal situations are planned for alike, so that plans differ only where something else does.
            staffs[asked.ix()].choose(&seat, &mut Think::new(seed ^ 0x0a0a, Budget::FREE))?
        };
        let role = counsel.role(&c);
        world.apply(c, rolls.of(role, &c, asked));
        if !think.node() {
            return None;
        }
    }
    Some(counsel.prospect(world.position(), side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Dice, Verb};

    #[test]
    fn a_battle_rolls_the_same_whatever_was_rolled_before_it() {
        let attack = |h: u16| Choice { verb: Verb(1), object: Object::Hex(Hex(h)) };
        let rolls = |r: &mut Rolls, h: u16| {
            let c = attack(h);
            let dice = r.of(Role::Target, &c, Side::One);
            (0..8).map(|_| dice.roll(6)).collect::<Vec<u8>>()
        };
        let (mut one, mut two) = (Rolls::new(5), Rolls::new(5));
        let alone = rolls(&mut one, 7);
        rolls(&mut two, 9);
        assert_eq!(alone, rolls(&mut two, 7));
        // The second attack on a hex is another battle, and so is one of another seed.
        assert_ne!(alone, rolls(&mut two, 7));
        assert_ne!(alone, rolls(&mut Rolls::new(6), 7));
    }
}
