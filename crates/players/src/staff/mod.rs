//! Plans a turn as a staff does: reads the situation, chooses what to take and what to hold, gives units their tasks by
//! assignment, masses for attacks that the game's own sums promise, and carries all this out through legal choices.
//! A plan lasts as long as the enemy stands as it was made for; when dice change that, another is made.

mod battle;
mod cut;
mod field;
mod plan;
mod reach;

pub use plan::Task;

use crate::greedy::{best_of, candidates};
use crate::{Player, Random, Seat, Think, World};
use battle::Attack;
use game::{Brief, Choice, Counsel, Object, Role};
use hex::Hex;
use plan::{Desk, Plan};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How a staff is inclined. The searching player tries several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// What the enemy's losses count against one's own.
    pub daring: f64,
    /// What danger counts.
    pub caution: f64,
    /// The least gain for which an attack is made.
    pub least: f64,
    /// How far places draw, in hexes.
    pub depth: f64,
    /// What holding places counts.
    pub stubborn: f64,
    /// What the line counts.
    pub line: f64,
    /// A lot that makes some places dearer than others: another axis. Zero leaves them as they are.
    pub axis: u64,
}

impl Style {
    /// What serves best in most positions.
    pub const PLAIN: Style =
        Style { daring: 1.0, caution: 0.6, least: 0.4, depth: 7.0, stubborn: 0.5, line: 0.5, axis: 0 };

    /// Makes places dearer or cheaper by lot.
    fn bend(&self, brief: &mut Brief) {
        if self.axis == 0 {
            return;
        }
        for g in &mut brief.goals {
            let lot = game::QuickDice::new(self.axis ^ (u64::from(g.hex.0) << 20)).below(3);
            g.worth *= [0.6, 1.0, 1.7][lot];
        }
    }
}

/// What a staff remembers: plans and attacks by the situation they were made for. Nothing in it is needed to go on; it
/// only saves making the same plan again.
#[derive(Debug, Default)]
struct Memory {
    plans: VecDeque<(u64, Arc<Plan>)>,
    attacks: VecDeque<(u64, Arc<Vec<Attack>>)>,
}

const REMEMBERED: usize = 12;

fn recall<T>(list: &VecDeque<(u64, Arc<T>)>, key: u64) -> Option<Arc<T>> {
    list.iter().find(|(k, _)| *k == key).map(|(_, p)| Arc::clone(p))
}

fn remember<T>(list: &mut VecDeque<(u64, Arc<T>)>, key: u64, what: Arc<T>) {
    list.retain(|(k, _)| *k != key);
    list.push_front((key, what));
    list.truncate(REMEMBERED);
}

/// The planning player.
#[derive(Clone, Debug)]
pub struct Staff {
    style: Style,
    memory: Arc<Mutex<Memory>>,
    intention: String,
}

impl Default for Staff {
    fn default() -> Staff {
        Staff::new(Style::PLAIN)
    }
}

impl Staff {
    /// A staff of an inclination.
    pub fn new(style: Style) -> Staff {
        Staff { style, memory: Arc::default(), intention: String::new() }
    }

    fn desk<'a>(&self, counsel: &'static dyn Counsel, world: &'a World) -> Desk<'a> {
        Desk::new(counsel, world, self.style)
    }

    /// The plan for the movement that is asked for.
    fn plan(
        &mut self,
        counsel: &'static dyn Counsel,
        seat: &Seat<'_>,
        list: &[Choice],
        think: &mut Think<'_>,
    ) -> Arc<Plan> {
        let key = seat.stamp();
        let known = recall(&self.memory.lock().unwrap_or_else(PoisonError::into_inner).plans, key);
        let plan = known.unwrap_or_else(|| {
            let world = seat.sample(&mut think.dice);
            let plan = Arc::new(plan::make(&self.desk(counsel, &world), list, think));
            remember(
                &mut self.memory.lock().unwrap_or_else(PoisonError::into_inner).plans,
                key,
                Arc::clone(&plan),
            );
            think.say(think.share(), &plan.intention);
            plan
        });
        if self.intention != plan.intention {
            self.intention.clone_from(&plan.intention);
        }
        plan
    }

    /// Nothing in hand: the next unit with an order, or the end of the phase.
    fn movement(
        &mut self,
        counsel: &'static dyn Counsel,
        seat: &Seat<'_>,
        list: &[Choice],
        think: &mut Think<'_>,
    ) -> Option<Choice> {
        let plan = self.plan(counsel, seat, list, think);
        let next = plan.orders.iter().find_map(|o| {
            let first = o.units.first()?;
            list.iter().find(|c| reach::picked(counsel, c) == Some(*first))
        });
        let done = || list.iter().find(|c| counsel.role(c) == Role::Done);
        next.or_else(done).or(list.first()).copied()
    }

    /// Units in hand: the rest of the group, the way, the assault, the end.
    fn hand(
        &mut self,
        counsel: &'static dyn Counsel,
        seat: &Seat<'_>,
        list: &[Choice],
        think: &mut Think<'_>,
    ) -> Option<Choice> {
        let stop = list.iter().find(|c| counsel.role(c) == Role::Stop).copied();
        let hand = seat.hand();
        let key = seat.stamp();
        let plan = recall(&self.memory.lock().unwrap_or_else(PoisonError::into_inner).plans, key);
        let order = plan.as_ref().and_then(|p| {
            let first = hand.first()?;
            p.orders.iter().find(|o| o.units.contains(first))
        });
        let Some(order) = order else { return self.press_on(counsel, seat, list, think).or(stop) };
        let along = |c: &&Choice| {
            matches!(counsel.role(c), Role::Join | Role::Pick)
                && matches!(c.object, Object::Unit(u) if order.units.contains(&u))
        };
        if let Some(c) = list.iter().find(along) {
            return Some(*c);
        }
        let grid = seat.lexicon().grid();
        if let Some(target) = order.assault {
            let assault = |c: &&Choice| counsel.role(c) == Role::Assault && c.object == Object::Hex(target);
            if let Some(c) = list.iter().find(assault) {
                return Some(*c);
            }
        }
        let goes = || list.iter().filter(|c| counsel.role(c) == Role::Go);
        let there = goes().find(|c| reach::end_of(grid, c) == Some(order.to));
        if there.is_some() {
            return there.copied();
        }
        let at = goes().find_map(|c| if let Object::Route(r) = c.object { Some(r.start()) } else { None });
        // Somebody else took the room: as near as can be, if that is nearer than here.
        let here = at.map_or(0, |h| grid.distance(h, order.to));
        if here == 0 {
            return stop.or(list.first().copied());
        }
        let near = goes()
            .filter_map(|c| reach::end_of(grid, c).map(|h| (grid.distance(h, order.to), h, *c)))
            .min_by_key(|(d, h, _)| (*d, *h));
        match near {
            Some((d, _, c)) if d < here && order.assault.is_none() => Some(c),
            _ => stop.or(list.first().copied()),
        }
    }

    /// Units in hand for which no order stands, as after a breakthrough: another assault if it is worth it, else on.
    fn press_on(
        &mut self,
        counsel: &'static dyn Counsel,
        seat: &Seat<'_>,
        list: &[Choice],
        think: &mut Think<'_>,
    ) -> Option<Choice> {
        let world = seat.sample(&mut think.dice);
        let desk = self.desk(counsel, &world);
        let hand = seat.hand();
        let own = field::step_worth(desk.brief.pieces.iter().filter(|p| hand.contains(&p.unit)));
        let mut best: Option<(f64, Choice)> = None;
        for c in list.iter().filter(|c| counsel.role(c) == Role::Assault) {
            let target = match c.object {
                Object::Hex(h) => h,
                _ => seat.question().hexes.first().copied().unwrap_or(Hex::NONE),
            };
            if !target.is_some() {
                continue;
            }
            let Some(stake) = counsel.weigh(world.position(), desk.brief.side, c) else { continue };
            let gain = desk.gain(target, stake, own, desk.foe_step(target));
            if gain > self.style.least && best.is_none_or(|(g, _)| gain > g) {
                best = Some((gain, *c));
            }
        }
        if let Some((_, c)) = best {
            return Some(c);
        }
        let grid = seat.lexicon().grid();
        let goes = list.iter().filter(|c| counsel.role(c) == Role::Go);
        let at =
            goes.clone().find_map(|c| if let Object::Route(r) = c.object { Some(r.start()) } else { None });
        let score =
            |h: Hex| desk.prize(h) * if desk.fields.foe_at.contains(h) { 0.0 } else { 1.0 } + desk.pull(h);
        let here = at.map_or(f64::MIN, |h| score(h) + 0.05);
        let best = goes
            .filter_map(|c| reach::end_of(grid, c).map(|h| (score(h), *c)))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        best.filter(|(s, _)| *s > here).map(|(_, c)| c)
    }

    /// The combat phase: the best attack that is still worth it, or the end.
    fn fight(
        &mut self,
        counsel: &'static dyn Counsel,
        seat: &Seat<'_>,
        list: &[Choice],
        think: &mut Think<'_>,
    ) -> Option<Choice> {
        let world = seat.sample(&mut think.dice);
        let desk = self.desk(counsel, &world);
        let found = battle::attacks(&desk, list, think);
        let best = found.iter().max_by(|a, b| a.gain.total_cmp(&b.gain)).map(|a| a.target);
        if let Some(target) = best {
            self.intention = format!("Attacking {}", counsel.called(world.position(), target));
            remember(
                &mut self.memory.lock().unwrap_or_else(PoisonError::into_inner).attacks,
                seat.stamp(),
                Arc::new(found),
            );
        }
        let target = list
            .iter()
            .find(|c| counsel.role(c) == Role::Target && best.is_some_and(|h| c.object == Object::Hex(h)));
        let done = || list.iter().find(|c| counsel.role(c) == Role::Done);
        target.or_else(done).or(list.first()).copied()
    }

    /// An attack in the making: those who were chosen join, then it is resolved.
    fn join(&self, counsel: &'static dyn Counsel, seat: &Seat<'_>, list: &[Choice]) -> Option<Choice> {
        let target = seat.question().hexes.first().copied();
        let known = recall(&self.memory.lock().unwrap_or_else(PoisonError::into_inner).attacks, seat.stamp());
        let attack = known.as_ref().and_then(|all| all.iter().find(|a| Some(a.target) == target));
        let resolve = list.iter().find(|c| counsel.role(c) == Role::Resolve);
        let next = match attack {
            Some(a) => {
                let joins = |c: &&Choice| {
                    counsel.role(c) == Role::Join
                        && matches!(c.object, Object::Unit(u) if a.units.contains(&u))
                };
                list.iter().find(joins).or(resolve)
            }
            None => list.iter().find(|c| counsel.role(c) == Role::JoinAll).or(resolve),
        };
        next.or(resolve).or(list.first()).copied()
    }
}

impl Player for Staff {
    fn choose(&mut self, seat: &Seat<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let Some(counsel) = seat.counsel() else { return Random.choose(seat, think) };
        let list = seat.choices();
        if list.len() < 2 {
            return list.first().copied();
        }
        let has = |r: Role| list.iter().any(|c| counsel.role(c) == r);
        if has(Role::Stop) {
            return self.hand(counsel, seat, &list, think);
        }
        if has(Role::Pick) {
            return self.movement(counsel, seat, &list, think);
        }
        if has(Role::Target) {
            return self.fight(counsel, seat, &list, think);
        }
        if has(Role::Join) || has(Role::Resolve) {
            return self.join(counsel, seat, &list);
        }
        let world = seat.sample(&mut think.dice);
        let advice = counsel.advise(world.position(), seat.side(), &list, &mut think.dice);
        if let Some(c) = advice.filter(|c| list.contains(c)) {
            return Some(c);
        }
        let tried = candidates(counsel, list, &mut think.dice);
        best_of(counsel, &world, &tried, 6, think).map(|(c, _)| c)
    }

    fn intention(&self) -> Option<&str> {
        (!self.intention.is_empty()).then_some(self.intention.as_str())
    }
}
