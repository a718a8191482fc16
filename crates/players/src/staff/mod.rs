//! Plans a turn as a staff does: reads the situation, chooses what to take and what to hold, gives units their tasks by
//! assignment, masses for attacks that the game's own sums promise, and carries all this out through legal choices.
//! A plan lasts as long as the enemy stands as it was made for; when dice change that, another is made.

mod battle;
mod cut;
mod desk;
mod field;
mod focus;
mod lanes;
mod mass;
mod overrun;
mod plan;
mod prowl;
mod reach;
mod siege;
mod spear;
mod tasks;

pub use focus::Focus;
pub(crate) use focus::contested;
pub use plan::Task;

use crate::greedy::{best_of, candidates};
use crate::{Player, Random, Seat, Think};
use battle::Attack;
use desk::Desk;
use game::{Brief, Choice, Counsel, Object, Piece, Role};
use hex::Hex;
use plan::{Order, Plan};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use table::Unit;

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
    /// At what odds a place is thought safe.
    pub odds: f64,
    /// What ground won counts for the side that comes forward, against what draws it there.
    pub opened: f64,
    /// What it counts that units massed for an attack leave the way on which they are drawn.
    pub drift: f64,
    /// What it counts to wear a garrison down.
    pub siege: f64,
    /// What a place of the enemy counts, against its worth.
    pub prize: f64,
    /// What holding places counts.
    pub stubborn: f64,
    /// What the line counts.
    pub line: f64,
    /// What it counts to keep the enemy out of ground that must stay free; at nothing it is left open.
    pub guard: f64,
    /// What it counts to get into the ground that the enemy must keep free.
    pub raid: f64,
    /// How much farther on mobile units must find it better to go on where the way is open rather than stay for an attack.
    pub spear: f64,
    /// How far units keep to the places that they are meant for, from 0 to 1, where units have zones.
    pub lanes: f64,
    /// The places that count above all others.
    pub focus: Focus,
}

impl Style {
    /// What serves the side best that must come forward.
    pub const ATTACK: Style = Style {
        daring: 1.5,
        caution: 0.6,
        least: 0.22,
        depth: 7.0,
        odds: 2.5,
        opened: 0.3,
        drift: 0.43,
        siege: 1.43,
        prize: 1.85,
        stubborn: 0.5,
        line: 0.5,
        guard: 1.0,
        raid: 1.0,
        spear: 1.0,
        lanes: 0.8,
        focus: Focus::NONE,
    };

    /// What serves the side best that waits for it: few attacks, strong garrisons, and a line before them.
    pub const DEFEND: Style = Style {
        daring: 0.6,
        odds: 1.2,
        stubborn: 1.5,
        least: 0.4,
        drift: 0.3,
        siege: 0.8,
        prize: 1.0,
        ..Style::ATTACK
    };

    /// What serves the side best that comes forward where units have zones: each defender thrown back opens the way for others.
    pub const PRESS: Style = Style {
        daring: 1.0,
        opened: 1.0,
        drift: 1.0,
        depth: 12.0,
        siege: 2.0,
        least: 0.8,
        prize: 1.0,
        ..Style::ATTACK
    };

    /// What serves a side best, as it must come forward or not.
    pub fn plain(brief: &Brief) -> Style {
        match (brief.attacker == brief.side, brief.zones) {
            (true, true) => Style::PRESS,
            (true, false) => Style::ATTACK,
            (false, _) => Style::DEFEND,
        }
    }
}

/// What a staff remembers: plans and attacks by the situation they were made for, which only saves making them again, and where its
/// units were meant for. A staff that begins in the midst of a game goes on without it: it then sends its units anew.
#[derive(Debug, Default)]
struct Memory {
    plans: VecDeque<(u64, Arc<Plan>)>,
    attacks: VecDeque<(u64, Arc<Vec<Attack>>)>,
    /// By unit of the side that comes forward: the place that it was meant for last.
    lanes: BTreeMap<Unit, Hex>,
    /// Units that were put down again: they are not taken up a second time.
    put_down: Noted<Unit>,
    /// Overruns that came to nothing.
    tried: Noted<Hex>,
}

/// What was found out in a situation, and holds for as long as it lasts.
#[derive(Debug)]
struct Noted<T> {
    key: u64,
    list: Vec<T>,
}

impl<T> Default for Noted<T> {
    fn default() -> Noted<T> {
        Noted { key: 0, list: Vec::new() }
    }
}

impl<T: Copy> Noted<T> {
    fn add(&mut self, key: u64, found: &[T]) {
        if self.key != key {
            *self = Noted { key, list: Vec::new() };
        }
        self.list.extend_from_slice(found);
    }

    fn at(&self, key: u64) -> &[T] {
        if self.key == key { &self.list } else { &[] }
    }
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
#[derive(Debug, Default)]
pub struct Staff {
    /// Another inclination than the plain one of its side.
    style: Option<Style>,
    memory: Memory,
    intention: String,
}

/// A question to a staff: from whose seat, and what may be answered.
struct Asked<'a> {
    counsel: &'static dyn Counsel,
    seat: &'a Seat<'a>,
    list: Vec<Choice>,
}

impl Asked<'_> {
    fn of(&self, r: Role) -> impl Iterator<Item = &Choice> {
        self.list.iter().filter(move |c| self.counsel.role(c) == r)
    }

    fn first(&self, r: Role) -> Option<Choice> {
        self.of(r).next().copied()
    }

    fn has(&self, r: Role) -> bool {
        self.of(r).next().is_some()
    }

    /// The moves of what is in hand, with where they end.
    fn goes(&self) -> impl Iterator<Item = (Hex, Choice)> {
        let grid = self.seat.lexicon().grid();
        self.of(Role::Go).filter_map(|c| reach::end_of(grid, c).map(|h| (h, *c)))
    }

    /// Where what is in hand stands.
    fn at(&self) -> Option<Hex> {
        self.of(Role::Go).find_map(|c| if let Object::Route(r) = c.object { Some(r.start()) } else { None })
    }

    /// The end of what is asked: done, or whatever there is.
    fn done(&self) -> Option<Choice> {
        self.first(Role::Done).or(self.list.first().copied())
    }
}

impl Staff {
    /// A staff of an inclination.
    pub fn new(style: Style) -> Staff {
        Staff { style: Some(style), ..Staff::default() }
    }

    /// A staff of an inclination, or of the plain one, that knows where this one has sent its units.
    pub fn successor(&self, style: Option<Style>) -> Staff {
        let memory = Memory { lanes: self.memory.lanes.clone(), ..Memory::default() };
        Staff { style, memory, intention: String::new() }
    }

    /// Nothing in hand: the next unit with an order, or the end of the phase.
    fn movement(&mut self, q: &Asked<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let key = q.seat.stamp();
        let down = self.memory.put_down.at(key).to_vec();
        let next = |plan: &Plan| {
            let pick = |o: &Order| {
                let first = o.units.first()?;
                let picks = |c: &&Choice| reach::picked(q.counsel, c) == Some(*first);
                q.list.iter().find(picks).filter(|_| !down.contains(first)).copied()
            };
            plan.orders.iter().find_map(pick)
        };
        let mut known = recall(&self.memory.plans, key);
        loop {
            if let Some(plan) = &known {
                match (next(plan), plan.overrun) {
                    (None, Some(target)) => {
                        if let Some(c) = self.break_in(q, target, think) {
                            return Some(c);
                        }
                        self.memory.tried.add(key, &[target]);
                    }
                    // A plan that ended with an assault goes on with another, even if the enemy stands as he stood.
                    (None, None) if plan.open => {}
                    (c, _) => return c.or_else(|| self.leave(q, think)),
                }
            }
            let world = q.seat.sample(&mut think.dice);
            let desk = Desk::new(q.counsel, &world, self.style, &self.memory.lanes);
            let plan = Arc::new(plan::make(&desk, &q.list, self.memory.tried.at(key), think));
            self.memory.lanes = desk.meant();
            remember(&mut self.memory.plans, key, Arc::clone(&plan));
            think.say(think.share(), &plan.intention);
            self.intention.clone_from(&plan.intention);
            if plan.overrun.is_none() {
                return next(&plan).or_else(|| self.leave(q, think));
            }
            known = Some(plan);
        }
    }

    /// Everyone stands who is to overrun a hex: the choice that does it, if the game finds the same.
    fn break_in(&self, q: &Asked<'_>, target: Hex, think: &mut Think<'_>) -> Option<Choice> {
        let world = q.seat.sample(&mut think.dice);
        let there: Vec<Choice> = q.list.iter().copied().filter(|c| c.object == Object::Hex(target)).collect();
        let advice = q.counsel.advise(world.position(), q.seat.side(), &there, &mut think.dice);
        advice.filter(|c| there.contains(c))
    }

    /// All orders are carried out: what the game still advises, or the end of the phase.
    fn leave(&self, q: &Asked<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let world = q.seat.sample(&mut think.dice);
        let advice = q.counsel.advise(world.position(), q.seat.side(), &q.list, &mut think.dice);
        let down = self.memory.put_down.at(q.seat.stamp());
        let again = |c: &Choice| reach::picked(q.counsel, c).is_some_and(|u| down.contains(&u));
        advice.filter(|c| q.list.contains(c) && !again(c)).or_else(|| q.done())
    }

    /// Units in hand; who is put down is remembered.
    fn handle(&mut self, q: &Asked<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let found = self.hand(q, think);
        if found.is_some_and(|c| q.counsel.role(&c) == Role::Stop) {
            self.memory.put_down.add(q.seat.stamp(), &q.seat.hand());
        }
        found
    }

    /// Units in hand: the rest of the group, the way, the assault, the end.
    fn hand(&mut self, q: &Asked<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let stop = q.first(Role::Stop);
        let hand = q.seat.hand();
        let plan = recall(&self.memory.plans, q.seat.stamp());
        let order = plan.as_ref().and_then(|p| {
            let first = hand.first()?;
            p.orders.iter().find(|o| o.units.contains(first))
        });
        let Some(order) = order else { return self.press_on(q, &hand, think).or(stop) };
        let along = |c: &&Choice| {
            matches!(q.counsel.role(c), Role::Join | Role::Pick)
                && matches!(c.object, Object::Unit(u) if order.units.contains(&u))
        };
        if let Some(c) = q.list.iter().find(along) {
            return Some(*c);
        }
        if let Some(target) = order.assault
            && let Some(c) = q.of(Role::Assault).find(|c| c.object == Object::Hex(target))
        {
            return Some(*c);
        }
        if let Some((_, c)) = q.goes().find(|(h, _)| *h == order.to) {
            return Some(c);
        }
        // Somebody else took the room: as near as can be, if that is nearer than here.
        let grid = q.seat.lexicon().grid();
        let here = q.at().map_or(0, |h| grid.distance(h, order.to));
        let near = q.goes().map(|(h, c)| (grid.distance(h, order.to), h, c)).min_by_key(|(d, h, _)| (*d, *h));
        match near {
            Some((d, _, c)) if d < here && order.assault.is_none() => Some(c),
            _ => stop.or(q.list.first().copied()),
        }
    }

    /// Units in hand for which no order stands, as after a breakthrough: another assault if it is worth it, else on.
    fn press_on(&mut self, q: &Asked<'_>, hand: &[Unit], think: &mut Think<'_>) -> Option<Choice> {
        let world = q.seat.sample(&mut think.dice);
        let desk = Desk::new(q.counsel, &world, self.style, &self.memory.lanes);
        let group: Vec<Piece> = hand.iter().filter_map(|u| desk.pieces.get(u)).copied().collect();
        let own = field::step_worth(group.iter());
        let mut best: Option<(f64, Choice)> = None;
        for c in q.of(Role::Assault) {
            let target = match c.object {
                Object::Hex(h) => h,
                _ => q.seat.question().hexes.first().copied().unwrap_or(Hex::NONE),
            };
            if !target.is_some() {
                continue;
            }
            let Some(stake) = q.counsel.weigh(world.position(), desk.brief.side, c) else { continue };
            let gain = desk.gain(target, stake, own);
            if gain > desk.style.least && best.is_none_or(|(g, _)| gain > g) {
                best = Some((gain, *c));
            }
        }
        if let Some((_, c)) = best {
            return Some(c);
        }
        let at = q.at();
        let score = |h: Hex| {
            let own: f64 = if Some(h) == at { group.iter().map(|p| p.defence).sum() } else { 0.0 };
            let held = f64::from(desk.fields.own[h.ix()]) - own;
            let taken = if desk.fields.foe_at.contains(h) { 0.0 } else { desk.prize(h) };
            taken + desk.keeps(h, held) + tasks::forward(&desk, h, &group, held)
        };
        let here = at.map_or(f64::MIN, |h| score(h) + 0.05);
        let best =
            q.goes().map(|(h, c)| (score(h), c)).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        best.filter(|(s, _)| *s > here).map(|(_, c)| c)
    }

    /// The combat phase: the best attack that is still worth it, or the end.
    fn fight(&mut self, q: &Asked<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let world = q.seat.sample(&mut think.dice);
        let desk = Desk::new(q.counsel, &world, self.style, &self.memory.lanes);
        let found = battle::attacks(&desk, &q.list, think);
        let best = found.iter().max_by(|a, b| a.gain.total_cmp(&b.gain)).map(|a| a.target);
        if let Some(target) = best {
            self.intention = format!("Attacking {}", q.counsel.called(world.position(), target));
            remember(&mut self.memory.attacks, q.seat.stamp(), Arc::new(found));
        }
        let target = q.of(Role::Target).find(|c| best.is_some_and(|h| c.object == Object::Hex(h)));
        target.copied().or_else(|| q.done())
    }

    /// An attack in the making: those who were chosen join, then it is resolved.
    fn join(&self, q: &Asked<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let target = q.seat.question().hexes.first().copied();
        let known = recall(&self.memory.attacks, q.seat.stamp());
        let attack = known.as_ref().and_then(|all| all.iter().find(|a| Some(a.target) == target));
        let next = match attack {
            Some(a) => {
                let joins = |c: &&Choice| matches!(c.object, Object::Unit(u) if a.units.contains(&u));
                q.of(Role::Join).find(joins).copied()
            }
            None => q.first(Role::JoinAll),
        };
        // Who takes part is settled; what supports them, the game knows best.
        let support = || {
            let world = q.seat.sample(&mut think.dice);
            q.counsel.advise(world.position(), q.seat.side(), &q.list, &mut think.dice)
        };
        let next = next.or_else(support).filter(|c| q.list.contains(c));
        next.or_else(|| q.first(Role::Resolve)).or(q.list.first().copied())
    }
}

impl Player for Staff {
    fn choose(&mut self, seat: &Seat<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let Some(counsel) = seat.counsel() else { return Random.choose(seat, think) };
        let q = Asked { counsel, seat, list: seat.choices() };
        if q.list.len() < 2 {
            // Who can only be put down again is not taken up a second time either.
            if q.has(Role::Stop) {
                self.memory.put_down.add(seat.stamp(), &seat.hand());
            }
            return q.list.first().copied();
        }
        if let Some(c) = seat.carry_on(&q.list) {
            return Some(c);
        }
        if q.has(Role::Stop) {
            return self.handle(&q, think);
        }
        if q.has(Role::Pick) {
            return self.movement(&q, think);
        }
        if q.has(Role::Target) {
            return self.fight(&q, think);
        }
        if q.has(Role::Join) || q.has(Role::Resolve) {
            return self.join(&q, think);
        }
        let world = seat.sample(&mut think.dice);
        let advice = counsel.advise(world.position(), seat.side(), &q.list, &mut think.dice);
        if let Some(c) = advice.filter(|c| q.list.contains(c)) {
            return Some(c);
        }
        let tried = candidates(counsel, q.list, &mut think.dice);
        best_of(counsel, &world, &tried, 6, think).map(|(c, _)| c)
    }

    fn intention(&self) -> Option<&str> {
        (!self.intention.is_empty()).then_some(self.intention.as_str())
    }
}
