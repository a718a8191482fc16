//! Every end that a battle may have, with its chance: it is played out with all that dice can show, and where two ways lead to
//! the same position they are gone on with as one. What follows from the rules, retreats and their price included, follows here
//! from the rules themselves.
//!
//! Both sides answer as [`Pos::plain_answer`] does: losses as the owner or the enemy picks them, a stand wherever it is
//! allowed, the safest retreat, no die thrown again. The battle is over when its losses, stands and retreats are settled.

use crate::battle::{Battle, Stage};
use crate::state::{Cx, Frame, Pos};
use game::{Choice, Dice, End, Ends, EveryDice, Eyes, Quiet};
use hex::Hex;
use table::{Side, Unit};

/// A battle that is watched: whose it is, and what stood before it.
struct Fray {
    side: Side,
    hex: Hex,
    /// How many battles are under way while it is: a breakthrough's lies above the one it came from.
    depth: usize,
    own: u16,
    foe: u16,
    there: Vec<Unit>,
}

/// More questions than any battle has; it only guards against a fault of ours.
const MOST: usize = 300;

impl Pos {
    /// Steps of all Combat Units of a side.
    fn side_steps(&self, side: Side) -> u16 {
        let own = self.s.stacks.units().filter(|&u| self.side(u) == side && self.combat(u));
        own.map(|u| u16::from(self.s.steps[u.ix()])).sum()
    }

    fn fray(&self, b: &Battle, depth: usize) -> Fray {
        Fray {
            side: b.side,
            hex: b.hex,
            depth,
            own: self.side_steps(b.side),
            foe: self.side_steps(b.side.foe()),
            there: self.of_side(b.side.foe(), b.hex).filter(|&u| self.combat(u)).collect(),
        }
    }

    /// The plain answer to what a battle asks before it is over; `None` when it is.
    fn next_in(&self, f: &Fray) -> Option<Choice> {
        let Some(Frame::Fight(stage)) = self.s.frames.last() else { return None };
        let asks = matches!(
            stage,
            Stage::Making
                | Stage::Excess
                | Stage::Cover
                | Stage::Reroll(_)
                | Stage::Die
                | Stage::Loss { .. }
                | Stage::Stand
                | Stage::Backing
                | Stage::Retreat
                | Stage::Price { .. }
        );
        let same = self.s.fight.battles.len() == f.depth && self.battle().is_some_and(|b| b.hex == f.hex);
        if !(asks && same) {
            return None;
        }
        if *stage == Stage::Making { self.sensible() } else { self.plain_answer() }
    }

    fn end_of(&self, f: &Fray) -> End {
        let lives = |u: &Unit| self.alive(*u) && self.on_map(*u) != Some(f.hex);
        End {
            attacker: f.own.saturating_sub(self.side_steps(f.side)),
            defender: f.foe.saturating_sub(self.side_steps(f.side.foe())),
            retreat: f.there.iter().any(lives),
            taken: !self.has_combat(f.side.foe(), f.hex),
        }
    }

    /// What dice showed is history once it has been read: without it, ways that lead to the same position are the same.
    fn forget_dice(&mut self) {
        if matches!(self.s.frames.last(), Some(Frame::Fight(Stage::Reroll(_) | Stage::Die))) {
            return;
        }
        if let Some(b) = self.battle_mut() {
            b.dice.clear();
            (b.die, b.stand_die) = (0, 0);
        }
    }

    /// All ends of a battle that goes on with a choice, from what those eyes may know.
    fn ends_of(&self, eyes: Eyes, first: Choice, f: &Fray) -> Ends {
        let mut ends = Ends::default();
        let mut open = vec![(self.veiled(eyes), 1.0)];
        let mut first = Some(first);
        for _ in 0..MOST {
            let mut next: Vec<(Pos, f64)> = Vec::new();
            for (p, chance) in open {
                let Some(c) = first.or_else(|| p.next_in(f)) else {
                    ends.add(p.end_of(f), chance);
                    continue;
                };
                let mut dice = EveryDice::new();
                loop {
                    let mut q = p.clone();
                    q.play_choice(c, &mut Cx { dice: &mut dice, tell: &mut Quiet });
                    q.forget_dice();
                    let chance = chance * dice.chance();
                    match next.iter_mut().find(|(o, _)| o.s == q.s) {
                        Some((_, all)) => *all += chance,
                        None => next.push((q, chance)),
                    }
                    if !dice.turn() {
                        break;
                    }
                }
            }
            first = None;
            open = next;
            if open.is_empty() {
                break;
            }
        }
        ends
    }

    /// All ends of the battle on the table, answered with a choice or as a sensible player would; none while it may not be fought.
    pub(crate) fn ends_now(&self, eyes: Eyes, c: Option<&Choice>) -> Ends {
        let Some(b) = self.battle() else { return Ends::default() };
        let f = self.fray(b, self.s.fight.battles.len());
        match c.copied().or_else(|| self.next_in(&f)) {
            Some(c) if self.why_not_combat(Frame::Fight(self.stage()), &c).is_none() => {
                self.ends_of(eyes, c, &f)
            }
            _ => Ends::default(),
        }
    }

    /// All ends of a combat that a Breakthrough Group would begin.
    pub(crate) fn ends_of_break(&self, eyes: Eyes, b: &Battle, c: &Choice) -> Ends {
        let f = self.fray(b, self.s.fight.battles.len() + 1);
        self.ends_of(eyes, *c, &f)
    }

    fn stage(&self) -> Stage {
        match self.s.frames.last() {
            Some(&Frame::Fight(stage)) => stage,
            _ => Stage::Resolving,
        }
    }

    /// The battle on the table, fought out by sensible players in a world that fits what those eyes see.
    pub(crate) fn fight_out(&self, eyes: Eyes, dice: &mut dyn Dice) -> Option<End> {
        let b = self.battle().filter(|b| !self.masked(b.hex))?;
        let f = self.fray(b, self.s.fight.battles.len());
        self.next_in(&f).filter(|c| self.why_not_combat(Frame::Fight(self.stage()), c).is_none())?;
        let mut p = self.redraw(eyes, dice);
        for _ in 0..MOST {
            let Some(c) = p.next_in(&f) else { break };
            p.play_choice(c, &mut Cx { dice, tell: &mut Quiet });
        }
        Some(p.end_of(&f))
    }
}
