//! A plan for a phase of movement: which enemy stacks to assault and from where, where to break through and close a ring, what
//! to hold and with whom, and who follows.

use super::Style;
use super::cut::{NEVER, cut};
use super::field::{FAR, Fields, step_worth};
use super::reach::{Mover, movers};
use crate::{Think, World};
use game::{Brief, Choice, Counsel, Goal, Piece};
use hex::{Grid, Hex, HexSet};
use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;
use std::collections::BTreeMap;
use table::Unit;

/// What a unit is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// Attack from here.
    Assault,
    /// Close the ring.
    Encircle,
    /// Take an undefended place, or go deep.
    Exploit,
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
}

/// What planning works on.
pub(crate) struct Desk<'a> {
    pub counsel: &'static dyn Counsel,
    pub world: &'a World,
    pub grid: &'a Grid,
    pub brief: Brief,
    pub fields: Fields,
    pub style: Style,
}

impl<'a> Desk<'a> {
    pub fn new(counsel: &'static dyn Counsel, world: &'a World, style: Style) -> Desk<'a> {
        let grid = world.position().lexicon().grid();
        let mut brief = counsel.brief(world.position(), world.side());
        style.bend(&mut brief);
        let fields = Fields::read(grid, &brief);
        Desk { counsel, world, grid, brief, fields, style }
    }

    fn attacks(&self) -> bool {
        self.brief.attacker == self.brief.side
    }

    /// A goal that the enemy holds, if a hex is one.
    pub fn prize(&self, h: Hex) -> f64 {
        let foes = |g: &&Goal| g.hex == h && g.held != self.brief.side;
        self.brief.goals.iter().find(foes).map_or(0.0, |g| g.worth * self.brief.point)
    }

    /// How much a hex draws an army on: the places that the enemy holds beyond it, by worth and distance.
    pub fn pull(&self, h: Hex) -> f64 {
        let mut best = 0.0f64;
        let mut all = 0.0;
        for (g, to) in self.brief.goals.iter().zip(&self.fields.to_goal) {
            if g.held == self.brief.side || to[h.ix()] == FAR {
                continue;
            }
            let v = g.worth.sqrt() * (-f64::from(to[h.ix()]) / self.style.depth).exp();
            best = best.max(v);
            all += v;
        }
        (best + 0.15 * all) * self.brief.point
    }

    /// What a battle is worth to the side that makes it.
    pub fn gain(&self, target: Hex, stake: game::Stake, own_step: f64, foe_step: f64) -> f64 {
        let open = if self.attacks() { 0.35 * self.pull(target).min(self.brief.point) } else { 0.1 };
        stake.defender_loss * foe_step * self.style.daring - stake.attacker_loss * own_step
            + stake.taken * (self.prize(target) + open)
    }

    pub fn foe_step(&self, h: Hex) -> f64 {
        step_worth(self.brief.pieces.iter().filter(|p| p.hex == h && p.side != self.brief.side))
    }
}

/// Who is where in the plan so far.
struct Draft<'a> {
    desk: &'a Desk<'a>,
    pieces: BTreeMap<Unit, Piece>,
    /// Bulk that will be on a hex.
    filled: Vec<f32>,
    /// Own defence that will be on a hex.
    held: Vec<f32>,
    orders: Vec<Order>,
    /// Units with a task.
    busy: Vec<bool>,
}

impl Draft<'_> {
    fn fits(&self, p: &Piece, h: Hex) -> bool {
        p.hex == h || self.filled[h.ix()] + p.bulk as f32 <= self.desk.brief.room[h.ix()]
    }

    /// Gives a unit its place; an order only if it must move.
    fn send(&mut self, p: &Piece, to: Hex, task: Task) {
        let i = p.unit.ix();
        if self.busy.len() <= i {
            self.busy.resize(i + 1, false);
        }
        self.busy[i] = true;
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

    fn is_busy(&self, u: Unit) -> bool {
        self.busy.get(u.ix()).copied().unwrap_or(false)
    }
}

/// Makes a plan for the units that can be picked now.
pub(crate) fn make(desk: &Desk<'_>, list: &[Choice], think: &mut Think<'_>) -> Plan {
    let movers = movers(desk.counsel, desk.world, list);
    let pieces: BTreeMap<Unit, Piece> = desk.brief.pieces.iter().map(|p| (p.unit, *p)).collect();
    if let Some(order) = super::battle::best_assault(desk, &movers, &pieces, think) {
        let name = desk.counsel.called(desk.world.position(), order.assault.unwrap_or(order.to));
        return Plan { orders: vec![order], intention: format!("Breaking through at {name}") };
    }
    let mut filled = vec![0.0f32; desk.grid.len()];
    for p in desk.brief.pieces.iter().filter(|p| p.side == desk.brief.side && p.hex.is_some()) {
        filled[p.hex.ix()] += p.bulk as f32;
    }
    let mut draft =
        Draft { desk, pieces, filled, held: desk.fields.own.clone(), orders: Vec::new(), busy: Vec::new() };
    seize(&mut draft, &movers);
    let rings = encircle(&mut draft, &movers);
    if !desk.attacks() {
        hold(&mut draft, &movers);
    }
    let targets = mass(&mut draft, &movers);
    if desk.attacks() {
        hold(&mut draft, &movers);
    }
    follow(&mut draft, &movers);
    let mut orders = draft.orders;
    // Those who clear room for others go first, then those who assault; who follows comes last.
    orders.sort_by_key(|o| o.task);
    let orders = by_room(desk, orders);
    Plan { intention: intention(desk, &targets, &rings), orders }
}

/// Undefended places that can be had at once are had.
fn seize(draft: &mut Draft<'_>, movers: &[Mover]) {
    let desk = draft.desk;
    let mut prizes: Vec<(f64, Hex)> =
        desk.brief.goals.iter().map(|g| (desk.prize(g.hex), g.hex)).filter(|(w, _)| *w > 0.0).collect();
    prizes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, h) in prizes {
        if desk.fields.foe_at.contains(h) {
            continue;
        }
        let takers = movers.iter().filter(|m| !draft.is_busy(m.unit) && m.reaches(h));
        let best = takers
            .filter_map(|m| draft.pieces.get(&m.unit).copied())
            .filter(|p| draft.fits(p, h))
            .max_by(|a, b| (a.defence + a.attack).total_cmp(&(b.defence + b.attack)));
        if let Some(p) = best {
            draft.send(&p, h, Task::Exploit);
        }
    }
}

/// Rings that can be closed this turn around enemy stacks at the front: the fewest hexes that part them from their supply.
fn encircle(draft: &mut Draft<'_>, movers: &[Mover]) -> Vec<Hex> {
    let desk = draft.desk;
    let foe_side = desk.brief.side.foe();
    let mut rings = Vec::new();
    let mut reachable = HexSet::empty();
    for m in movers {
        for (h, _) in &m.ends {
            reachable.insert(*h);
        }
    }
    let open = &desk.brief.land - &desk.fields.own_at;
    let sources = &desk.brief.sources[foe_side.ix()] & &open;
    if sources.is_empty() {
        return rings;
    }
    // Strong clusters first: an enemy hex with its enemy neighbours, in touch with us.
    let touch = desk.fields.own_at.dilate(desk.grid);
    let mut cores: Vec<(f64, Hex)> = Vec::new();
    for h in &(&desk.fields.foe_at & &touch) {
        let near = desk.grid.neighbours(h).map(|(_, n)| n).chain([h]);
        let weight: f64 = near.map(|n| f64::from(desk.fields.foe[n.ix()])).sum();
        cores.push((weight, h));
    }
    cores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut done = HexSet::empty();
    for (weight, core) in cores.into_iter().take(14) {
        if done.contains(core) || weight < 2.0 * desk.brief.point / 4.0 {
            continue;
        }
        let mut cluster = HexSet::empty();
        cluster.insert(core);
        let cluster = &cluster.dilate(desk.grid) & &desk.fields.foe_at;
        let mut cost = vec![NEVER; desk.grid.len()];
        for h in &reachable {
            if !desk.fields.foe_at.contains(h) {
                cost[h.ix()] = 1;
            }
        }
        let Some(ring) = cut(desk.grid, &open, &cost, &cluster, &sources, 9) else { continue };
        if ring.is_empty() || weight < 3.0 * ring.len() as f64 {
            continue;
        }
        // One unit to each hex of the ring, by assignment; the ring is worth closing only if it closes.
        let free: Vec<Piece> = movers
            .iter()
            .filter(|m| !draft.is_busy(m.unit))
            .filter_map(|m| draft.pieces.get(&m.unit).copied())
            .collect();
        let by_unit: BTreeMap<Unit, &Mover> = movers.iter().map(|m| (m.unit, m)).collect();
        let can = |p: &Piece, h: Hex| p.hex == h || by_unit.get(&p.unit).is_some_and(|m| m.reaches(h));
        let able: Vec<Piece> =
            free.into_iter().filter(|p| ring.iter().any(|&h| can(p, h) && draft.fits(p, h))).collect();
        if able.len() < ring.len() {
            continue;
        }
        let weights = Matrix::from_fn(ring.len(), able.len(), |(r, c)| {
            let p = &able[c];
            if can(p, ring[r]) && draft.fits(p, ring[r]) { 1000 + (10.0 * p.defence) as i64 } else { 0 }
        });
        let (_, seats) = kuhn_munkres(&weights);
        if seats.iter().enumerate().any(|(r, &c)| weights[(r, c)] == 0) {
            continue;
        }
        for (r, &c) in seats.iter().enumerate() {
            draft.send(&able[c], ring[r], Task::Encircle);
        }
        for h in &cluster {
            done.insert(h);
        }
        rings.push(core);
    }
    rings
}

/// Chooses enemy stacks to assault in the combat phase and masses units beside them.
fn mass(draft: &mut Draft<'_>, movers: &[Mover]) -> Vec<(Hex, f64)> {
    let desk = draft.desk;
    let p = desk.world.position();
    let by_unit: BTreeMap<Unit, &Mover> = movers.iter().map(|m| (m.unit, m)).collect();
    // By enemy hex: who can stand where beside it. A unit that cannot move may still attack from where it is.
    let mut options: BTreeMap<Hex, Vec<(Unit, Vec<Hex>)>> = BTreeMap::new();
    for piece in draft.pieces.values().filter(|q| q.side == desk.brief.side && q.attack > 0.0) {
        let mut beside: BTreeMap<Hex, Vec<Hex>> = BTreeMap::new();
        let mut stand = |at: Hex| {
            for (_, n) in desk.grid.neighbours(at) {
                if desk.fields.foe_at.contains(n) {
                    beside.entry(n).or_default().push(at);
                }
            }
        };
        if piece.hex.is_some() {
            stand(piece.hex);
        }
        if let Some(m) = by_unit.get(&piece.unit) {
            m.ends.iter().for_each(|(h, _)| stand(*h));
        }
        for (target, from) in beside {
            options.entry(target).or_default().push((piece.unit, from));
        }
    }
    let mut ranked: Vec<(f64, Hex)> = Vec::new();
    for (&target, who) in &options {
        let attack: f64 = who.iter().filter_map(|(u, _)| draft.pieces.get(u)).map(|q| q.attack).sum();
        let most = 6.0 * f64::from(desk.brief.room[target.ix()]) * 1.5;
        let defence = f64::from(desk.fields.foe[target.ix()] * desk.brief.cover[target.ix()]);
        let steps = f64::from(desk.fields.foe_steps[target.ix()]);
        let stake = desk.counsel.clash(p, attack.min(most.max(attack / 2.0)), defence.max(1.0), steps);
        let gain = desk.gain(target, stake, 1.0, desk.foe_step(target));
        ranked.push((gain, target));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut chosen = Vec::new();
    for (_, target) in ranked {
        let defence = f64::from(desk.fields.foe[target.ix()] * desk.brief.cover[target.ix()]).max(1.0);
        let steps = f64::from(desk.fields.foe_steps[target.ix()]);
        let foe_step = desk.foe_step(target);
        let mut who: Vec<(Piece, &Vec<Hex>)> = options[&target]
            .iter()
            .filter(|(u, _)| !draft.is_busy(*u))
            .filter_map(|(u, from)| draft.pieces.get(u).map(|q| (*q, from)))
            .collect();
        // Those who stand there already, then the strong.
        who.sort_by(|a, b| {
            let here = |x: &(Piece, &Vec<Hex>)| x.1.contains(&x.0.hex);
            here(b).cmp(&here(a)).then(b.0.attack.total_cmp(&a.0.attack)).then(a.0.unit.cmp(&b.0.unit))
        });
        let mut filled = BTreeMap::<Hex, f32>::new();
        let mut placed: Vec<(Piece, Hex)> = Vec::new();
        let mut best = (0.0, 0usize);
        let mut attack = 0.0;
        for (piece, from) in who {
            let room = |h: &&Hex| {
                piece.hex == **h
                    || draft.filled[h.ix()] + filled.get(*h).copied().unwrap_or(0.0) + piece.bulk as f32
                        <= desk.brief.room[h.ix()]
            };
            // Stay if it stands beside already; else the emptiest of the hexes around, so that they surround.
            let stays = from.iter().find(|&&h| h == piece.hex);
            let seat = stays.or_else(|| {
                from.iter().filter(room).min_by(|a, b| {
                    let load = |h: &Hex| {
                        filled.get(h).copied().unwrap_or(0.0) + desk.fields.threat[h.ix()] * 0.02
                            - desk.brief.cover[h.ix()]
                    };
                    load(a).total_cmp(&load(b)).then(a.cmp(b))
                })
            });
            let Some(&at) = seat else { continue };
            if at != piece.hex {
                *filled.entry(at).or_default() += piece.bulk as f32;
            }
            placed.push((piece, at));
            attack += piece.attack;
            let stake = desk.counsel.clash(p, attack, defence, steps);
            let own = step_worth(placed.iter().map(|(q, _)| q));
            let gain = desk.gain(target, stake, own, foe_step) - 0.02 * placed.len() as f64;
            if gain > best.0 {
                best = (gain, placed.len());
            }
            if attack > 9.0 * defence {
                break;
            }
        }
        if best.1 == 0 || best.0 < desk.style.least {
            continue;
        }
        for (piece, at) in placed.into_iter().take(best.1) {
            draft.send(&piece, at, Task::Assault);
        }
        chosen.push((target, best.0));
    }
    chosen
}

/// Places that must be held and hexes of the line, manned by assignment.
fn hold(draft: &mut Draft<'_>, movers: &[Mover]) {
    let desk = draft.desk;
    struct Slot {
        hex: Hex,
        worth: f64,
        task: Task,
    }
    let mut slots: Vec<Slot> = Vec::new();
    let typical = {
        let own = desk.brief.pieces.iter().filter(|p| p.side == desk.brief.side && p.defence > 0.0);
        let (n, sum) = own.fold((0.0, 0.0), |(n, s), p| (n + 1.0, s + p.defence));
        if n > 0.0 { sum / n } else { 1.0 }
    };
    for g in desk.brief.goals.iter().filter(|g| g.held == desk.brief.side) {
        let i = g.hex.ix();
        let threat = f64::from(desk.fields.threat[i]);
        let near = desk.fields.from_foe[i];
        if threat < 0.5 && near > 8 {
            continue;
        }
        let cover = f64::from(desk.brief.cover[i]);
        let wanted = (threat / 2.5 / cover).max(typical * if near < 8 { 1.0 } else { 0.5 });
        let most = (f64::from(desk.brief.room[i]) / 4.0).max(1.0).ceil() as usize;
        let n = ((wanted / typical).ceil() as usize).clamp(1, most.max(2));
        for k in 0..n {
            let worth = g.worth * desk.brief.point * desk.style.stubborn / (1.0 + k as f64);
            slots.push(Slot { hex: g.hex, worth, task: Task::Hold });
        }
    }
    if !desk.attacks() {
        for (h, worth) in line(desk) {
            slots.push(Slot { hex: h, worth, task: Task::Screen });
            if desk.fields.threat[h.ix()] > 3.0 * typical as f32 {
                slots.push(Slot { hex: h, worth: worth * 0.5, task: Task::Screen });
            }
        }
    }
    let by_unit: BTreeMap<Unit, &Mover> = movers.iter().map(|m| (m.unit, m)).collect();
    // A unit of the attacker that is no use for holding is left out; so is what nobody near needs.
    let free: Vec<Piece> = draft
        .pieces
        .values()
        .filter(|p| p.side == desk.brief.side && !draft.is_busy(p.unit) && p.defence > 0.0)
        .filter(|p| !(desk.attacks() && p.mobile))
        .copied()
        .collect();
    if slots.is_empty() || free.is_empty() {
        return;
    }
    slots.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.hex.cmp(&b.hex)));
    slots.truncate(free.len().min(220));
    let can = |p: &Piece, h: Hex| p.hex == h || by_unit.get(&p.unit).is_some_and(|m| m.reaches(h));
    let weights = Matrix::from_fn(slots.len(), free.len(), |(r, c)| {
        let (s, p) = (&slots[r], &free[c]);
        let far = if p.hex.is_some() { f64::from(desk.grid.distance(p.hex, s.hex)) } else { 12.0 };
        let fit = (p.defence / typical).min(2.0);
        let near = if can(p, s.hex) {
            1.0 + if p.hex == s.hex { 0.15 } else { 0.0 }
        } else {
            0.55 * (-far / (2.0 * p.speed.max(1.0))).exp()
        };
        (100.0 * s.worth * fit * near) as i64
    });
    let (_, seats) = kuhn_munkres(&weights);
    let mut pairs: Vec<(usize, usize)> = seats.into_iter().enumerate().collect();
    // Slots in order of worth: the first to come finds room.
    pairs.sort_by(|a, b| weights[*b].cmp(&weights[*a]).then(a.cmp(b)));
    for (r, c) in pairs {
        if weights[(r, c)] <= 0 {
            continue;
        }
        let (h, task, p) = (slots[r].hex, slots[r].task, free[c]);
        if can(&p, h) && draft.fits(&p, h) {
            draft.send(&p, h, task);
        } else if let Some(m) = by_unit.get(&p.unit) {
            // On the way: the nearest hex that it can reach and that does not run into the enemy.
            let here = if p.hex.is_some() { desk.grid.distance(p.hex, h) } else { u32::MAX };
            let step = m
                .ends
                .iter()
                .map(|(e, _)| *e)
                .filter(|&e| draft.fits(&p, e) && desk.fields.from_foe[e.ix()] > 1)
                .min_by_key(|&e| (desk.grid.distance(e, h), e));
            if let Some(e) = step.filter(|&e| desk.grid.distance(e, h) < here) {
                draft.send(&p, e, task);
            }
        }
    }
}

/// The line: the cheapest hexes that part the enemy from the places behind it.
fn line(desk: &Desk<'_>) -> Vec<(Hex, f64)> {
    let own = desk.brief.side;
    let mut behind = HexSet::empty();
    for g in desk.brief.goals.iter().filter(|g| g.held == own && desk.fields.from_foe[g.hex.ix()] > 2) {
        behind.insert(g.hex);
    }
    // What lies far behind the front is to be covered in any case.
    for h in &desk.brief.land {
        if desk.fields.from_foe[h.ix()] != FAR && desk.fields.from_foe[h.ix()] > 11 {
            behind.insert(h);
        }
    }
    if behind.is_empty() || desk.fields.foe_at.is_empty() {
        return Vec::new();
    }
    let mut cost = vec![NEVER; desk.grid.len()];
    for h in &desk.brief.land {
        let i = h.ix();
        let d = desk.fields.from_foe[i];
        if desk.fields.foe_at.contains(h) || behind.contains(h) || d == FAR {
            continue;
        }
        // Good ground is cheap to hold; so is what is held. Right before the enemy everything is dear.
        let mut c = 6.0 / f64::from(desk.brief.cover[i]).max(0.5);
        if desk.fields.own_at.contains(h) {
            c -= 2.0;
        }
        if d <= 1 {
            c += 2.0;
        }
        cost[i] = c.round().clamp(1.0, 12.0) as u32;
    }
    let found = cut(desk.grid, &desk.brief.land, &cost, &desk.fields.foe_at, &behind, 420);
    let worth = |h: Hex| {
        let threat = f64::from(desk.fields.threat[h.ix()]);
        desk.brief.point * desk.style.line * (0.35 + (threat / 40.0).min(0.65))
    };
    found.unwrap_or_default().into_iter().map(|h| (h, worth(h))).collect()
}

/// Everyone else goes where he is drawn: forward for the side that must come, into depth for the other.
fn follow(draft: &mut Draft<'_>, movers: &[Mover]) {
    let desk = draft.desk;
    let pull: Vec<f64> = (0..desk.grid.len()).map(|i| desk.pull(Hex(i as u16))).collect();
    let mut order: Vec<(&Mover, Piece)> = movers
        .iter()
        .filter(|m| !draft.is_busy(m.unit))
        .filter_map(|m| draft.pieces.get(&m.unit).map(|p| (m, *p)))
        .collect();
    order.sort_by(|a, b| {
        b.1.mobile.cmp(&a.1.mobile).then(b.1.attack.total_cmp(&a.1.attack)).then(a.1.unit.cmp(&b.1.unit))
    });
    let home: Vec<u16> = {
        let goals: Vec<usize> = (0..desk.brief.goals.len())
            .filter(|&i| {
                let g = &desk.brief.goals[i];
                g.held == desk.brief.side && desk.fields.from_foe[g.hex.ix()] > 1
            })
            .collect();
        (0..desk.grid.len())
            .map(|h| goals.iter().map(|&g| desk.fields.to_goal[g][h]).min().unwrap_or(FAR))
            .collect()
    };
    for (m, p) in order {
        let score = |h: Hex, draft: &Draft<'_>| {
            let i = h.ix();
            let threat = f64::from(desk.fields.threat[i]);
            let mates = f64::from(draft.held[i]) - if p.hex == h { p.defence } else { 0.0 };
            let danger =
                (threat / (3.0 * (mates + p.defence) * f64::from(desk.brief.cover[i]) + 1.0)).min(2.0);
            if desk.attacks() {
                pull[i] * (if p.mobile { 1.2 } else { 1.0 }) - desk.style.caution * danger
            } else {
                let back = if home[i] == FAR { 8.0 } else { f64::from(home[i]) };
                -0.25 * back - desk.style.caution * danger * p.defence / 3.0
                    + 0.1 * f64::from(desk.brief.cover[i])
                    + if !p.supplied { 0.4 * f64::from(desk.fields.from_foe[i].min(6)) } else { 0.0 }
            }
        };
        let stay = if p.hex.is_some() { score(p.hex, draft) + 0.05 } else { f64::MIN };
        let best = m
            .ends
            .iter()
            .map(|(h, _)| *h)
            .filter(|&h| draft.fits(&p, h))
            .map(|h| (score(h, draft), h))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((s, h)) = best.filter(|(s, _)| *s > stay) {
            let task = if desk.attacks() && p.mobile && s > 0.0 { Task::Exploit } else { Task::Reserve };
            draft.send(&p, h, task);
        }
    }
}

/// Orders so that no one waits for room: who leaves a full hex goes before who enters it, as far as that can be had.
fn by_room(desk: &Desk<'_>, orders: Vec<Order>) -> Vec<Order> {
    let pieces: BTreeMap<Unit, &Piece> = desk.brief.pieces.iter().map(|p| (p.unit, p)).collect();
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
            let bulk: f32 = o.units.iter().filter_map(|u| pieces.get(u)).map(|p| p.bulk as f32).sum();
            if load[o.to.ix()] + bulk <= desk.brief.room[o.to.ix()] {
                load[o.to.ix()] += bulk;
                for p in o.units.iter().filter_map(|u| pieces.get(u)).filter(|p| p.hex.is_some()) {
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
fn intention(desk: &Desk<'_>, targets: &[(Hex, f64)], rings: &[Hex]) -> String {
    let p = desk.world.position();
    let name = |h: Hex| desk.counsel.called(p, h);
    let mut parts = Vec::new();
    if let Some(&core) = rings.first() {
        parts.push(format!("closing a ring around {}", name(core)));
    }
    if let Some((h, _)) = targets.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
        let beyond = desk
            .brief
            .goals
            .iter()
            .zip(&desk.fields.to_goal)
            .filter(|(g, to)| g.held != desk.brief.side && to[h.ix()] != FAR)
            .min_by(|a, b| {
                let far = |x: &(&Goal, &Vec<u16>)| f64::from(x.1[h.ix()]) - 2.0 * x.0.worth;
                far(a).total_cmp(&far(b))
            });
        match beyond {
            Some((g, _)) if g.hex != *h => parts.push(format!("massing at {} for {}", name(*h), name(g.hex))),
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
