//! A plan for a phase of movement: who goes where, for what, and in which order. What is to be done is found in
//! `tasks` and `mass`; here it is put together.

use super::desk::Desk;
use super::field::FAR;
use super::mass::Target;
use super::reach::{Mover, movers};
use super::{battle, mass, overrun, spear, tasks};
use crate::Think;
use game::{Choice, Goal, Piece};
use hex::Hex;
use std::collections::BTreeMap;
use table::Unit;

/// So many turns before the end, where units have zones, what can be taken comes before the line.
const LATE: f64 = 2.0;

/// What a unit is to do. In the order in which tasks are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// Take an undefended place.
    Seize,
    /// Attack from here.
    Assault,
    /// Close the ring.
    Encircle,
    /// Go deep.
    Exploit,
    /// Keep the enemy out of ground that must stay free.
    Guard,
    /// Hold this place.
    Hold,
    /// Stand in the line.
    Screen,
    /// Stay where it can help.
    Reserve,
    /// Get out of reach and back into supply.
    Refit,
}

/// Units that go somewhere together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Order {
    pub units: Vec<Unit>,
    pub to: Hex,
    pub task: Task,
    /// The hex to assault on the move from there.
    pub assault: Option<Hex>,
}

/// Orders in the order in which they are carried out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub orders: Vec<Order>,
    pub intention: String,
    /// Whether it ends with an assault, after which the rest is planned.
    pub open: bool,
    /// The hex that is to be overrun when its orders are carried out.
    pub overrun: Option<Hex>,
}

/// Who is where in the plan so far.
pub(crate) struct Draft<'a> {
    pub desk: &'a Desk<'a>,
    pub movers: &'a [Mover],
    by_unit: BTreeMap<Unit, usize>,
    /// Bulk that will be on a hex.
    pub filled: Vec<f32>,
    /// Own defence that will be on a hex.
    pub held: Vec<f32>,
    pub orders: Vec<Order>,
    /// Units with a task, and where they will be.
    pub seat: BTreeMap<Unit, Hex>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(desk: &'a Desk<'a>, movers: &'a [Mover]) -> Draft<'a> {
        let mut filled = vec![0.0f32; desk.grid.len()];
        for p in desk.brief.pieces.iter().filter(|p| p.side == desk.brief.side && p.hex.is_some()) {
            filled[p.hex.ix()] += p.bulk as f32;
        }
        let by_unit = movers.iter().enumerate().map(|(i, m)| (m.unit, i)).collect();
        let held = desk.fields.own.clone();
        Draft { desk, movers, by_unit, filled, held, orders: Vec::new(), seat: BTreeMap::new() }
    }

    /// How a unit can move, if it can.
    pub fn mover(&self, u: Unit) -> Option<&'a Mover> {
        self.by_unit.get(&u).map(|&i| &self.movers[i])
    }

    /// Whether a unit stands on a hex or can get there.
    pub fn can(&self, p: &Piece, h: Hex) -> bool {
        p.hex == h || self.mover(p.unit).is_some_and(|m| m.reaches(h))
    }

    pub fn fits(&self, p: &Piece, h: Hex) -> bool {
        p.hex == h || self.filled[h.ix()] + p.bulk as f32 <= self.desk.brief.room[h.ix()]
    }

    /// Gives a unit its place; an order only if it must move.
    pub fn send(&mut self, p: &Piece, to: Hex, task: Task) {
        self.seat.insert(p.unit, to);
        if p.hex != to {
            if p.hex.is_some() {
                self.filled[p.hex.ix()] -= p.bulk as f32;
                self.held[p.hex.ix()] -= p.defence as f32;
            }
            self.filled[to.ix()] += p.bulk as f32;
            self.held[to.ix()] += p.defence as f32;
            self.orders.push(Order { units: vec![p.unit], to, task, assault: None });
        }
    }

    /// Whether a unit has a task already.
    pub fn is_busy(&self, u: Unit) -> bool {
        self.seat.contains_key(&u)
    }

    /// Mobile pieces without a task that can move, by the hex on which they stand together, the strongest stack first: only
    /// together can they assault.
    pub fn mobile_stacks(&self) -> Vec<Vec<Piece>> {
        let mut stacks: BTreeMap<Hex, Vec<Piece>> = BTreeMap::new();
        for p in self.free().filter(|p| p.mobile && p.hex.is_some() && self.mover(p.unit).is_some()) {
            stacks.entry(p.hex).or_default().push(p);
        }
        let strength = |g: &[Piece]| g.iter().map(|p| p.attack).sum::<f64>();
        let mut stacks: Vec<Vec<Piece>> = stacks.into_values().collect();
        stacks.sort_by(|a, b| strength(b).total_cmp(&strength(a)).then(a[0].unit.cmp(&b[0].unit)));
        stacks
    }

    /// Own pieces without a task.
    pub fn free(&self) -> impl Iterator<Item = Piece> + '_ {
        let own = self.desk.brief.pieces.iter().filter(|p| p.side == self.desk.brief.side);
        own.filter(|p| !self.is_busy(p.unit)).copied()
    }
}

/// Makes a plan for the units that can be picked now.
pub(crate) fn make(desk: &Desk<'_>, list: &[Choice], tried: &[Hex], think: &mut Think<'_>) -> Plan {
    let movers = movers(desk.counsel, desk.world, list);
    let mut draft = Draft::new(desk, &movers);
    tasks::seize(&mut draft);
    if let Some(order) = battle::best_assault(&draft, think) {
        let name = desk.counsel.called(desk.world.position(), order.assault.unwrap_or(order.to));
        let mut orders = draft.orders;
        orders.push(order);
        return Plan { orders, intention: format!("Breaking through at {name}"), open: true, overrun: None };
    }
    tasks::raid(&mut draft);
    if !desk.brief.zones {
        tasks::guard(&mut draft, &[], 2.0);
    }
    let rings = tasks::encircle(&mut draft);
    let press = desk.attacks() && desk.brief.zones;
    // In the last turns what can still be taken comes before the line.
    let late = press && desk.brief.turns_left <= LATE;
    if press {
        if !late {
            tasks::hold(&mut draft);
        }
        if let Some(o) = overrun::overrun(&draft, tried) {
            let intention = format!("Overrunning {}", desk.counsel.called(desk.world.position(), o.target));
            return Plan { orders: o.orders, intention, open: true, overrun: Some(o.target) };
        }
        spear::spear(&mut draft);
    }
    if desk.attacks() {
        tasks::hunt(&mut draft);
    }
    if !press {
        tasks::hold(&mut draft);
    }
    let targets = mass::mass(&mut draft);
    if late {
        tasks::hold(&mut draft);
    }
    if desk.brief.zones {
        tasks::watch(&mut draft, &targets);
    } else {
        tasks::guard(&mut draft, &targets, tasks::GUARDS);
    }
    tasks::follow(&mut draft);
    let mut orders = draft.orders;
    orders.sort_by_key(|o| o.task);
    let orders = by_room(desk, orders);
    Plan { intention: intention(desk, &targets, &rings), orders, open: false, overrun: None }
}

/// Orders so that no one waits for room: who leaves a full hex goes before who enters it, as far as that can be had.
fn by_room(desk: &Desk<'_>, orders: Vec<Order>) -> Vec<Order> {
    let mut load = vec![0.0f32; desk.grid.len()];
    for p in desk.brief.pieces.iter().filter(|p| p.side == desk.brief.side && p.hex.is_some()) {
        load[p.hex.ix()] += p.bulk as f32;
    }
    let mut left = orders;
    let mut out = Vec::with_capacity(left.len());
    loop {
        let before = left.len();
        let mut kept = Vec::new();
        for o in left {
            let movers = || o.units.iter().filter_map(|u| desk.pieces.get(u));
            let bulk: f32 = movers().map(|p| p.bulk as f32).sum();
            if load[o.to.ix()] + bulk <= desk.brief.room[o.to.ix()] {
                load[o.to.ix()] += bulk;
                for p in movers().filter(|p| p.hex.is_some()) {
                    load[p.hex.ix()] -= p.bulk as f32;
                }
                out.push(o);
            } else {
                kept.push(o);
            }
        }
        left = kept;
        if left.is_empty() || left.len() == before {
            out.append(&mut left);
            return out;
        }
    }
}

/// The plan in a sentence.
fn intention(desk: &Desk<'_>, targets: &[Target], rings: &[Hex]) -> String {
    let p = desk.world.position();
    let name = |h: Hex| desk.counsel.called(p, h);
    let mut parts = Vec::new();
    if let Some(&core) = rings.first() {
        parts.push(format!("closing a ring around {}", name(core)));
    }
    if let Some(Target { hex: h, .. }) = targets.iter().max_by(|a, b| a.gain.total_cmp(&b.gain)) {
        let far = |(g, d): &(&Goal, u16)| f64::from(*d) - 2.0 * g.worth;
        match desk.wanted(*h).min_by(|a, b| far(a).total_cmp(&far(b))) {
            Some((g, d)) if d > 0 && d != FAR => {
                parts.push(format!("massing at {} for {}", name(*h), name(g.hex)));
            }
            _ => parts.push(format!("storming {}", name(*h))),
        }
    }
    let held = desk
        .brief
        .goals
        .iter()
        .filter(|g| g.held == desk.brief.side && desk.fields.threat[g.hex.ix()] > 0.0)
        .max_by(|a, b| a.worth.total_cmp(&b.worth));
    if let Some(g) = held {
        parts.push(format!("holding {}", name(g.hex)));
    }
    let mut text = if parts.is_empty() { "waiting for the enemy".to_string() } else { parts.join(", ") };
    if let Some(first) = text.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    text
}
