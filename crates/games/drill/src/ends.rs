//! Every end that a battle may have, with its chance: it is fought out by the rules for each face of the die and for all that a
//! concealed counter may be.
//!
//! Sensible players bear a loss with the unit that has most steps, the weaker of equals; whoever must retreat goes as far from
//! the enemy as he can, and stands fast in a town only where he has no way back.

use crate::state::{Exercise, Frame};
use crate::units::Units;
use crate::verbs::{LOSS, RETREAT, STAND};
use game::{Choice, Dice, End, Ends, EveryDice, Eyes, Quiet};
use hex::Hex;
use std::cmp::Reverse;
use table::Unit;

impl Exercise {
    /// A sensible answer to a loss or a retreat.
    fn sensible(&self) -> Option<Choice> {
        match self.top() {
            Frame::Losses(_, _, among) => {
                let worth = |u: Unit| {
                    let f = self.face(u);
                    f.attack + f.defence
                };
                let first = |u: &Unit| (self.steps[u.ix()], Reverse(worth(*u)), Reverse(*u));
                among.iter().max_by_key(first).map(|u| Choice::unit(LOSS, u))
            }
            Frame::Retreat(units, _) => {
                let grid = self.data.board.grid();
                let foes: Vec<Hex> = self.on_map(self.active).filter_map(|u| self.stacks.hex(u)).collect();
                let away = |h: Hex| foes.iter().map(|&e| grid.distance(e, h)).min().unwrap_or(0);
                let u = units.iter().find(|&u| self.retreats(u).next().is_some());
                let way = u.and_then(|u| {
                    let to = self.retreats(u).max_by_key(|&h| (away(h), Reverse(h)))?;
                    Some(Choice::at(RETREAT, u, to))
                });
                way.or(Some(Choice::button(STAND)))
            }
            _ => None,
        }
    }

    /// Fights a battle out, as far as the battle itself goes.
    fn fight_out(mut self, target: Hex, with: Units, dice: &mut dyn Dice) -> End {
        let there: Units = self.stacks.at(target).filter(|&u| !self.is_decoy(u)).collect();
        let steps =
            |x: &Exercise, units: Units| -> u16 { units.iter().map(|u| u16::from(x.steps[u.ix()])).sum() };
        let (own, foe) = (steps(&self, with), steps(&self, there));
        self.resolve(target, with, dice, &mut Quiet);
        while matches!(self.top(), Frame::Losses(..) | Frame::Retreat(..)) {
            if self.settle_toll(&mut Quiet) {
                let Some(c) = self.sensible() else { break };
                self.bear(c, &mut Quiet);
            }
        }
        End {
            attacker: own - steps(&self, with),
            defender: foe - steps(&self, there),
            retreat: there.iter().any(|u| self.stacks.hex(u).is_some_and(|h| h != target)),
            taken: self.stacks.holder(target) != Some(self.active.foe()),
        }
    }

    /// All ends of an attack, from what those eyes may know.
    pub(crate) fn ends_of(&self, target: Hex, with: Units, eyes: Eyes) -> Ends {
        let mut ends = Ends::default();
        for (real, chance) in self.worlds(target, eyes) {
            let mut world = self.clone();
            world.real = real;
            let mut dice = EveryDice::new();
            loop {
                let end = world.clone().fight_out(target, with, &mut dice);
                ends.add(end, chance * dice.chance());
                if !dice.turn() {
                    break;
                }
            }
        }
        ends
    }

    /// The attack in the making, fought out by sensible players in a world that fits what those eyes see.
    pub(crate) fn fought_for(&self, eyes: Eyes, dice: &mut dyn Dice) -> Option<End> {
        let (target, with) = self.making(eyes)?;
        Some(self.imagined(eyes, dice).fight_out(target, with, dice))
    }
}
