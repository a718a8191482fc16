//! What there is to do besides attacking: seize, raid, guard, encircle, hold, follow. Each gives units their seats in the
//! draft; what comes first has the first choice of units.

use super::cut::{NEVER, cut};
use super::desk::{Desk, reach_of};
use super::field::{FAR, step_worth, steps_from};
use super::mass::Target;
use super::plan::{Draft, Task};
use super::prowl::prowlers;
use game::Piece;
use hex::{Hex, HexSet};
use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;

/// Clusters of the enemy that are looked at for a ring.
const CLUSTERS: usize = 14;
/// A ring of more hexes than this is not closed in one phase.
const RING: u32 = 9;
/// No line is longer than this, in costs of its hexes.
const LINE: u32 = 420;
/// Where units have no zones, who waits draws his line so far from the enemy, in hexes, if the ground allows: who stands in touch
/// with him is assaulted before he can do anything.
const APART: u16 = 5;
/// What lies farther than this behind the front, in hexes, is covered by the line whatever is there.
const COVERED: u16 = 11;
/// The same where units have no zones.
const COVERED_APART: u16 = 10;
/// What a hex costs in a line if nobody can stand there.
const GAP: u32 = 20;
/// No more units than this shut a hex of ground that must stay free.
pub(crate) const GUARDS: f64 = 3.0;
/// An enemy who will be destroyed with this chance is not guarded against.
const DOOMED: f64 = 0.8;
/// What it costs to stand where no supply reaches, of a unit's strength.
const HUNGRY: f64 = 0.6;
/// So far from the enemy, in hexes, nobody of his may get past a front with zones.
const DEEP: u16 = 6;
/// What is sent against an enemy who is cut off, against his defence.
const HUNTERS: f64 = 2.5;
/// What it is worth to be beside him, in points.
const HUNT: f64 = 0.5;
/// How far hunters come, in hexes.
const HUNTED: u32 = 9;
/// The same for hunters of those who are near to ground that must stay free: nobody else comes to throw them out.
const RECALLED: u32 = 25;
/// As far behind the front units are free to hunt.
const BEHIND: u16 = 3;
/// What it is worth to stand beside a place that is held above all others, against standing on it.
const OUTWORK: f64 = 0.3;
/// So near to a place that is ours, in hexes, a reserve is near enough.
const RESERVES: f64 = 6.0;
/// What a hex nearer to the enemy counts for a reserve, against one nearer to a place of ours.
const CLOSE_UP: f64 = 2.0;
/// No reserve is drawn forward from farther than this, in hexes.
const DEPTH: u16 = 40;
/// So near to the enemy, in hexes, places get their garrisons.
const WATCHED: u16 = 8;
/// As many phases of the enemy's fastest units away they do where units have no zones.
const PHASES: u16 = 3;
/// No more places than this are manned by one assignment.
const SLOTS: usize = 200;

/// Undefended places that can be had at once are had.
pub(crate) fn seize(draft: &mut Draft<'_>) {
    let desk = draft.desk;
    let mut prizes: Vec<(f64, Hex)> =
        desk.brief.goals.iter().map(|g| (desk.prize(g.hex), g.hex)).filter(|(w, _)| *w > 0.0).collect();
    prizes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    prizes.dedup_by_key(|(_, h)| *h);
    for (_, h) in prizes {
        if desk.fields.foe_at.contains(h) {
            continue;
        }
        let takers = draft.movers.iter().filter(|m| !draft.is_busy(m.unit) && m.reaches(h));
        let best = takers
            .filter_map(|m| desk.pieces.get(&m.unit).copied())
            .filter(|p| draft.fits(p, h))
            .max_by(|a, b| (a.defence + a.attack).total_cmp(&(b.defence + b.attack)));
        if let Some(p) = best {
            draft.send(&p, h, Task::Seize);
        }
    }
}

/// Units that can get into ground that the enemy must keep free go there, if that costs him more than it costs us.
pub(crate) fn raid(draft: &mut Draft<'_>) {
    let desk = draft.desk;
    let Some(ward) = desk.brief.ward.as_ref().filter(|w| w.side != desk.brief.side) else { return };
    let own = desk.brief.dear[desk.brief.side.ix()];
    let free: Vec<Piece> = draft.free().collect();
    for p in free {
        let worth = (p.attack + p.defence) / 2.0 * own;
        let score = |h: Hex, draft: &Draft<'_>| {
            let mates = f64::from(draft.held[h.ix()]) - if p.hex == h { p.defence } else { 0.0 };
            desk.style.raid * ward.toll * desk.brief.point - 0.4 * worth * desk.danger(h, mates + p.defence)
        };
        let here = p.hex.is_some().then_some(p.hex);
        let ends = draft.mover(p.unit).map(|m| m.ends.iter().map(|(h, _)| *h)).into_iter().flatten();
        let best = ends
            .chain(here)
            .filter(|&h| ward.hexes.contains(h) && draft.fits(&p, h))
            .map(|h| (score(h, draft), h))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((_, h)) = best.filter(|(s, _)| *s > 0.0) {
            draft.send(&p, h, Task::Seize);
        }
    }
}

/// Own ground that must stay free is shut: the fewest hexes that part it from every enemy who could get there next and is
/// not about to be destroyed.
///
/// It is done twice: before units are massed, so that somebody stands everywhere, and after, when it is known who will
/// be left to attack them.
pub(crate) fn guard(draft: &mut Draft<'_>, targets: &[Target], most: f64) {
    let desk = draft.desk;
    let Some(ward) = desk.brief.ward.as_ref().filter(|w| w.side == desk.brief.side) else { return };
    if desk.style.guard <= 0.0 {
        return;
    }
    let far = steps_from(desk.grid, &desk.brief.land, &ward.hexes);
    let (mut from, mut open) = (HexSet::empty(), HexSet::empty());
    let mut threat = vec![0.0f64; desk.grid.len()];
    let doomed = |h: Hex| targets.iter().any(|t| t.hex == h && t.taken > DOOMED);
    for p in desk.brief.pieces.iter().filter(|p| p.side != desk.brief.side && p.hex.is_some()) {
        let reach = reach_of(p);
        if far[p.hex.ix()] <= reach && far[p.hex.ix()] > 0 && !doomed(p.hex) {
            from.insert(p.hex);
            for h in desk.grid.range(p.hex, u32::from(reach)) {
                if desk.brief.land.contains(h) {
                    open.insert(h);
                    threat[h.ix()] += p.attack;
                }
            }
        }
    }
    if from.is_empty() {
        return;
    }
    let Some((line, able)) = parting(draft, &from, &open, &ward.hexes, false) else { return };
    let manned = |h: Hex| draft.seat.values().filter(|&&s| s == h).count();
    let manned: Vec<(Hex, usize)> = line.iter().map(|&h| (h, manned(h))).collect();
    // What may be attacked there needs more than one.
    let typical = typical(desk);
    let mut slots = Vec::new();
    for (hex, there) in manned {
        let hold = typical * f64::from(desk.brief.cover[hex.ix()]) * desk.style.odds;
        let n = (desk.style.guard * threat[hex.ix()] / hold).ceil().clamp(1.0, most);
        for k in there..n as usize {
            slots.push(Slot { hex, worth: 10.0 / (1.0 + k as f64), task: Task::Guard });
        }
    }
    man(draft, slots, able, false);
}

/// The cheapest hexes that part some enemies from ground, within what is open to them, and who can man them; where units have
/// zones, every second hex.
fn parting(
    draft: &Draft<'_>,
    from: &HexSet,
    open: &HexSet,
    ground: &HexSet,
    zones: bool,
) -> Option<(Vec<Hex>, Vec<Piece>)> {
    let desk = draft.desk;
    let open = open - &(&desk.fields.foe_at - from);
    let ground = &(ground & &open) - &desk.fields.foe_at;
    // A gap that nobody can fill must not keep the rest open.
    let mut cost = vec![GAP; desk.grid.len()];
    let free: Vec<Piece> = draft.free().filter(|p| !p.mobile && p.defence > 0.0).collect();
    for p in &free {
        if p.hex.is_some() && !desk.fields.foe_at.contains(p.hex) {
            cost[p.hex.ix()] = 2;
        }
        for (h, _) in draft.mover(p.unit).map_or(&[][..], |m| &m.ends[..]) {
            cost[h.ix()] = cost[h.ix()].min(3);
        }
    }
    if !zones {
        for h in draft.seat.values() {
            cost[h.ix()] = 1;
        }
    }
    let mut line = cut(desk.grid, &open, &cost, from, &ground, GAP * LINE)?;
    if zones {
        line = every_second(desk, &line);
    }
    let able = |p: &Piece| line.iter().any(|&h| draft.can(p, h) && draft.fits(p, h));
    let able = free.into_iter().filter(able).collect();
    Some((line, able))
}

/// The same where units have zones: only enemies are watched who find a way past those who have their places by now, and
/// every second hex of the gap is shut.
pub(crate) fn watch(draft: &mut Draft<'_>, targets: &[Target]) {
    let desk = draft.desk;
    let mut rear: HexSet = match &desk.brief.ward {
        Some(w) if w.side == desk.brief.side => w.hexes.clone(),
        _ => HexSet::empty(),
    };
    if desk.attacks() {
        // Whoever gets deep behind the front cuts off those before it.
        let fed: HexSet = desk.fields.foe_at.iter().filter(|h| desk.fields.foe_fed[h.ix()] > 0.0).collect();
        let far = steps_from(desk.grid, &desk.brief.land, &(&fed | &desk.brief.doors));
        let deep = |h: &Hex| far[h.ix()] != FAR && far[h.ix()] >= DEEP;
        rear |= &desk.brief.fed.iter().filter(deep).collect();
    }
    let stands: HexSet = draft.seat.values().copied().collect();
    let doomed = |h: Hex| targets.iter().any(|t| t.hex == h && t.taken > DOOMED);
    let foes = desk.brief.pieces.iter().filter(|p| p.side != desk.brief.side && !doomed(p.hex));
    let (from, open) = prowlers(desk.grid, &desk.brief.land, &stands, &rear, foes, &desk.brief.doors);
    if from.is_empty() {
        return;
    }
    let Some((line, able)) = parting(draft, &from, &open, &rear, true) else { return };
    let slots = line.into_iter().map(|hex| Slot { hex, worth: 10.0, task: Task::Guard }).collect();
    man(draft, slots, able, false);
}

/// Enemies who are cut off behind a front with zones, and without zones those who are near to ground that must stay free, are hunted
/// by those who are not needed at the front.
pub(crate) fn hunt(draft: &mut Draft<'_>) {
    let desk = draft.desk;
    let ward = desk.brief.ward.as_ref().filter(|w| w.side == desk.brief.side && !desk.brief.zones);
    let to_ward = ward.map(|w| steps_from(desk.grid, &desk.brief.land, &w.hexes));
    let at_large = |h: &Hex| match &to_ward {
        Some(to) => u32::from(to[h.ix()]) <= HUNTED,
        None => desk.fields.foe_fed[h.ix()] <= 0.0,
    };
    let (hunted, fed): (Vec<Hex>, Vec<Hex>) = desk.fields.foe_at.iter().partition(at_large);
    let far = steps_from(desk.grid, &desk.brief.land, &fed.into_iter().collect());
    let typical = typical(desk);
    let mut slots = Vec::new();
    for &h in &hunted {
        let wanted = HUNTERS * f64::from(desk.fields.foe[h.ix()]) / typical;
        let beside = desk.grid.neighbours(h).map(|(_, n)| n);
        let mut open: Vec<Hex> =
            beside.filter(|n| desk.brief.land.contains(*n) && !desk.fields.foe_at.contains(*n)).collect();
        open.sort_by(|a, b| desk.brief.cover[b.ix()].total_cmp(&desk.brief.cover[a.ix()]).then(a.cmp(b)));
        for k in 0..(wanted.ceil() as usize).clamp(2, 4) {
            if let Some(&hex) = open.get(k % open.len().max(1)) {
                let worth = desk.brief.point * HUNT / (1.0 + 0.3 * k as f64);
                slots.push(Slot { hex, worth, task: Task::Assault });
            }
        }
    }
    let range = if ward.is_some() { RECALLED } else { HUNTED };
    let near = |p: &Piece| hunted.iter().any(|&h| p.hex.is_some() && desk.grid.distance(h, p.hex) <= range);
    // Without zones, who can attack somebody at once is not sent about.
    let engaged = |p: &Piece| !desk.brief.zones && desk.fields.from_foe[p.hex.ix()] <= reach_of(p);
    let idle = |p: &Piece| {
        !p.mobile && p.attack > 0.0 && p.hex.is_some() && far[p.hex.ix()] > BEHIND && near(p) && !engaged(p)
    };
    let free: Vec<Piece> = draft.free().filter(idle).collect();
    man(draft, slots, free, true);
}

/// Rings that can be closed this phase around enemy stacks at the front: the fewest hexes that part them from their supply.
pub(crate) fn encircle(draft: &mut Draft<'_>) -> Vec<Hex> {
    let desk = draft.desk;
    let foe_side = desk.brief.side.foe();
    let mut rings = Vec::new();
    let mut reachable = HexSet::empty();
    for m in draft.movers {
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
        let mut weight: f64 = near.clone().map(|n| f64::from(desk.fields.foe_fed[n.ix()])).sum();
        if desk.brief.zones && desk.attacks() {
            // A place that is cut off is half taken.
            weight += near.map(|n| desk.prize(n)).sum::<f64>();
        }
        cores.push((weight, h));
    }
    cores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut done = HexSet::empty();
    let mut cost = vec![NEVER; desk.grid.len()];
    for h in &reachable {
        if !desk.fields.foe_at.contains(h) {
            cost[h.ix()] = 1;
        }
    }
    for (weight, core) in cores.into_iter().take(CLUSTERS) {
        if done.contains(core) || weight < 7.0 {
            continue;
        }
        let mut cluster = HexSet::empty();
        cluster.insert(core);
        let cluster = &cluster.dilate(desk.grid) & &desk.fields.foe_at;
        let longest = if desk.brief.zones { 2 * RING } else { RING };
        let Some(mut ring) = cut(desk.grid, &open, &cost, &cluster, &sources, longest) else { continue };
        if desk.brief.zones {
            ring = every_second(desk, &ring);
        }
        if ring.is_empty() || weight < 3.0 * ring.len() as f64 {
            continue;
        }
        // One unit to each hex of the ring, by assignment; the ring is worth closing only if it closes.
        let able: Vec<Piece> =
            draft.free().filter(|p| ring.iter().any(|&h| draft.can(p, h) && draft.fits(p, h))).collect();
        if able.len() < ring.len() {
            continue;
        }
        let weights = Matrix::from_fn(ring.len(), able.len(), |(r, c)| {
            let p = &able[c];
            if draft.can(p, ring[r]) && draft.fits(p, ring[r]) { 1000 + (10.0 * p.defence) as i64 } else { 0 }
        });
        let (_, seats) = kuhn_munkres(&weights);
        if seats.iter().enumerate().any(|(r, &c)| weights[(r, c)] == 0) {
            continue;
        }
        for (r, &c) in seats.iter().enumerate() {
            draft.send(&able[c], ring[r], Task::Encircle);
        }
        done |= &cluster;
        rings.push(core);
    }
    rings
}

/// A place to be manned by one unit.
struct Slot {
    hex: Hex,
    worth: f64,
    task: Task,
}

/// Mans slots by assignment; who cannot get there at once goes as near as he can, if `later`.
fn man(draft: &mut Draft<'_>, mut slots: Vec<Slot>, free: Vec<Piece>, later: bool) {
    let desk = draft.desk;
    if slots.is_empty() || free.is_empty() {
        return;
    }
    let typical = typical(desk);
    slots.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.hex.cmp(&b.hex)));
    slots.truncate(free.len().min(SLOTS));
    let weights = Matrix::from_fn(slots.len(), free.len(), |(r, c)| {
        let (s, p) = (&slots[r], &free[c]);
        let fit = (p.defence / typical).min(2.0);
        let near = if draft.can(p, s.hex) {
            1.0 + if p.hex == s.hex { 0.15 } else { 0.0 }
        } else if later {
            let far = if p.hex.is_some() { f64::from(desk.grid.distance(p.hex, s.hex)) } else { 12.0 };
            0.55 * (-far / (2.0 * p.speed.max(1.0))).exp()
        } else {
            0.0
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
        if draft.can(&p, h) && draft.fits(&p, h) {
            draft.send(&p, h, task);
        } else if let Some(m) = draft.mover(p.unit).filter(|_| later) {
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

/// The defence of a unit of middling strength.
fn typical(desk: &Desk<'_>) -> f64 {
    let own = desk.brief.pieces.iter().filter(|p| p.side == desk.brief.side && p.defence > 0.0);
    let (n, sum) = own.fold((0.0, 0.0), |(n, s), p| (n + 1.0, s + p.defence));
    if n > 0.0 { sum / n } else { 1.0 }
}

/// How near the enemy must be, in hexes, for a place to get its garrison. Where units have no zones nothing stops who has come through
/// the line, so who waits thinks of places far behind it.
fn watched(desk: &Desk<'_>) -> u16 {
    if desk.attacks() || desk.brief.zones {
        return WATCHED;
    }
    let foes = desk.brief.pieces.iter().filter(|p| p.side != desk.brief.side && p.attack > 0.0);
    PHASES * foes.map(reach_of).max().unwrap_or(0)
}

/// Places that must be held and hexes of the line, manned by assignment.
pub(crate) fn hold(draft: &mut Draft<'_>) {
    let desk = draft.desk;
    let mut slots: Vec<Slot> = Vec::new();
    let typical = typical(desk);
    let own = || desk.brief.pieces.iter().filter(|p| p.side == desk.brief.side);
    let bulk = own().map(|p| p.bulk).sum::<f64>() / own().count().max(1) as f64;
    let watched = watched(desk);
    for g in desk.brief.goals.iter().filter(|g| g.held == desk.brief.side) {
        let i = g.hex.ix();
        let threat = f64::from(desk.fields.threat[i]);
        let near = desk.fields.from_foe[i];
        if threat < 0.5 && near > watched {
            continue;
        }
        let cover = f64::from(desk.brief.cover[i]);
        let wanted = (threat / desk.style.odds / cover).max(typical * if near < 8 { 1.0 } else { 0.5 });
        let most = (f64::from(desk.brief.room[i]) / bulk.max(0.1)).max(1.0).ceil() as usize;
        let most = most.max(2);
        let mut n = ((wanted / typical).ceil() as usize).clamp(1, most);
        let worth = g.worth * desk.brief.point * desk.style.stubborn;
        if desk.style.focus.has(g.hex) && !desk.attacks() {
            n = most;
            slots.extend(outworks(desk, g.hex, worth));
        }
        for k in 0..n {
            slots.push(Slot { hex: g.hex, worth: worth / (1.0 + 0.4 * k as f64), task: Task::Hold });
        }
    }
    if !desk.attacks() || desk.brief.zones {
        let seated: HexSet = draft.seat.values().copied().collect();
        let manned = |h: Hex| desk.brief.zones && seated.contains(h);
        for (h, worth) in line(desk, &seated).into_iter().filter(|(h, _)| !manned(*h)) {
            slots.push(Slot { hex: h, worth, task: Task::Screen });
            if desk.fields.threat[h.ix()] > 3.0 * typical as f32 {
                slots.push(Slot { hex: h, worth: worth * 0.5, task: Task::Screen });
            }
        }
    }
    // The mobile units of the attacker hold only where they stand.
    let holds = |p: &Piece| !(desk.attacks() && p.mobile) || slots.iter().any(|s| s.hex == p.hex);
    let free: Vec<Piece> = draft.free().filter(|p| p.defence > 0.0 && holds(p)).collect();
    man(draft, slots, free, true);
}

/// Places for units around a place that is held above all others: nobody attacks it from where they stand.
fn outworks(desk: &Desk<'_>, place: Hex, worth: f64) -> impl Iterator<Item = Slot> {
    let beside = desk.grid.neighbours(place).map(|(_, h)| h);
    let open = beside.filter(|&h| desk.brief.land.contains(h) && !desk.fields.foe_at.contains(h));
    open.flat_map(move |hex| {
        [1.0, 2.0].map(|nth| Slot { hex, worth: OUTWORK * worth / nth, task: Task::Hold })
    })
}

/// The line: the cheapest hexes that part the enemy from the places behind it; where units have zones, every second of them.
fn line(desk: &Desk<'_>, seated: &HexSet) -> Vec<(Hex, f64)> {
    let own = desk.brief.side;
    let attacks = desk.attacks();
    let mut behind = HexSet::empty();
    for g in desk.brief.goals.iter().filter(|g| g.held == own && desk.fields.from_foe[g.hex.ix()] > 2) {
        behind.insert(g.hex);
    }
    if attacks {
        // Who comes forward covers what feeds him.
        behind |= &(&desk.brief.sources[own.ix()] - &desk.fields.foe_at);
    } else {
        // What lies far behind the front is to be covered in any case.
        let covered = if desk.brief.zones { COVERED } else { COVERED_APART };
        for h in &desk.brief.land {
            if desk.fields.from_foe[h.ix()] != FAR && desk.fields.from_foe[h.ix()] > covered {
                behind.insert(h);
            }
        }
    }
    // Who is cut off behind the front does not bend the line of the side that comes forward: he is hunted.
    let mut foes = desk.fields.foe_at.clone();
    if attacks && desk.brief.zones {
        foes = foes.iter().filter(|h| desk.fields.foe_fed[h.ix()] > 0.0).collect();
        foes |= &(&(&desk.brief.doors - &behind) - &desk.fields.own_at);
    }
    let door = desk.brief.doors.dilate(desk.grid);
    if behind.is_empty() || foes.is_empty() {
        return Vec::new();
    }
    let mut cost = vec![NEVER; desk.grid.len()];
    for h in &desk.brief.land {
        let i = h.ix();
        let d = desk.fields.from_foe[i];
        let shut = attacks && desk.brief.zones && door.contains(h);
        if desk.fields.foe_at.contains(h) || behind.contains(h) && !shut || d == FAR {
            continue;
        }
        // Good ground is cheap to hold; so is what is held. Right before the enemy everything is dear, but not to who comes on.
        let mut c = 6.0 / f64::from(desk.brief.cover[i]).max(0.5);
        if attacks {
            c = 3.0 + f64::from(d.min(6));
        }
        if desk.fields.own_at.contains(h) {
            c -= 2.0;
        }
        if d <= 1 && !attacks {
            c += 2.0;
        }
        if !attacks && !desk.brief.zones {
            c += f64::from(APART.saturating_sub(d));
        }
        if desk.brief.zones && seated.contains(h) {
            c = 1.0;
        }
        cost[i] = c.round().clamp(1.0, 12.0) as u32;
    }
    let found = cut(desk.grid, &desk.brief.land, &cost, &foes, &behind, LINE);
    let mut found = found.unwrap_or_default();
    if desk.brief.zones {
        found = every_second(desk, &found);
    }
    let worth = |h: Hex| {
        let threat = f64::from(desk.fields.threat[h.ix()]);
        desk.brief.point * desk.style.line * (0.35 + (threat / 40.0).min(0.65))
    };
    found.into_iter().map(|h| (h, worth(h))).collect()
}

/// Every second hex of a line, from its ends on: zones close what lies between.
fn every_second(desk: &Desk<'_>, line: &[Hex]) -> Vec<Hex> {
    let on: HexSet = line.iter().copied().collect();
    let beside = |h: Hex| desk.grid.neighbours(h).map(|(_, n)| n).filter(|n| on.contains(*n));
    let mut seen = HexSet::empty();
    let mut out = Vec::new();
    let ends = line.iter().copied().filter(|&h| beside(h).count() < 2);
    for start in ends.chain(line.iter().copied()) {
        if !seen.insert(start) {
            continue;
        }
        let mut layer = vec![start];
        let mut even = true;
        while !layer.is_empty() {
            let mut next = Vec::new();
            for h in layer {
                if even {
                    out.push(h);
                }
                next.extend(beside(h).filter(|&n| seen.insert(n)));
            }
            layer = next;
            even = !even;
        }
    }
    out
}

/// Everyone else goes where he is drawn: forward for the side that must come, into depth for the other.
pub(crate) fn follow(draft: &mut Draft<'_>) {
    let desk = draft.desk;
    if desk.attacks() {
        for g in draft.mobile_stacks() {
            advance(draft, &g);
        }
    }
    let mut single: Vec<Piece> = draft.free().filter(|p| draft.mover(p.unit).is_some()).collect();
    single.sort_by(|a, b| b.attack.total_cmp(&a.attack).then(a.unit.cmp(&b.unit)));
    let home = home(desk);
    for p in single {
        if desk.attacks() {
            advance(draft, &[p]);
        } else {
            fall_back(draft, &p, &home);
        }
    }
}

/// By hex: how far it is to a place that is still ours and not yet in touch with the enemy.
fn home(desk: &Desk<'_>) -> Vec<u16> {
    let goals: Vec<usize> = (0..desk.brief.goals.len())
        .filter(|&i| {
            let g = &desk.brief.goals[i];
            g.held == desk.brief.side && desk.fields.from_foe[g.hex.ix()] > 1
        })
        .collect();
    (0..desk.grid.len())
        .map(|h| goals.iter().map(|&g| desk.fields.to_goal[g][h]).min().unwrap_or(FAR))
        .collect()
}

/// What a group of the attacker finds good about a hex.
pub(crate) fn forward(desk: &Desk<'_>, h: Hex, group: &[Piece], held: f64) -> f64 {
    let defence: f64 = group.iter().map(|p| p.defence).sum();
    let worth = step_worth(group.iter());
    let draws = group.first().map_or(0.0, |p| desk.draws(p.unit, h));
    let pull = draws * if group.iter().any(|p| p.mobile) { 1.2 } else { 1.0 };
    let strength: f64 = group.iter().map(|p| (p.attack + p.defence) / 2.0).sum();
    let hungry = !desk.brief.fed.is_empty() && !desk.brief.fed.contains(h);
    let pull = pull - if hungry { HUNGRY * strength } else { 0.0 };
    pull - desk.style.caution * desk.danger(h, held + defence) * (1.0 + 0.2 * worth)
}

/// Sends a group forward; false if it has no common way.
fn advance(draft: &mut Draft<'_>, group: &[Piece]) -> bool {
    let desk = draft.desk;
    let Some(first) = group.first().and_then(|p| draft.mover(p.unit)) else { return false };
    let from = group[0].hex;
    let bulk: f32 = group.iter().map(|p| p.bulk as f32).sum();
    let others: Vec<_> = group[1..].iter().filter_map(|p| draft.mover(p.unit)).collect();
    let own: f64 = group.iter().map(|p| p.defence).sum();
    let held = |h: Hex| f64::from(draft.held[h.ix()]) - if h == from { own } else { 0.0 };
    let open = |h: &Hex| {
        draft.filled[h.ix()] + bulk <= desk.brief.room[h.ix()] && others.iter().all(|m| m.reaches(*h))
    };
    let best = first
        .ends
        .iter()
        .map(|(h, _)| *h)
        .filter(open)
        .map(|h| (forward(desk, h, group, held(h)), h))
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let Some((score, h)) = best else { return false };
    let stay = if from.is_some() { forward(desk, from, group, held(from)) + 0.05 } else { f64::MIN };
    let (to, task) = match group.iter().any(|p| p.mobile) {
        _ if score <= stay => (from, Task::Reserve),
        true => (h, Task::Exploit),
        false => (h, Task::Reserve),
    };
    for p in group {
        draft.send(p, to, task);
    }
    true
}

/// Sends a unit of the defender where it is safe and near what is still to be held.
fn fall_back(draft: &mut Draft<'_>, p: &Piece, home: &[u16]) {
    let desk = draft.desk;
    let score = |h: Hex, draft: &Draft<'_>| {
        let i = h.ix();
        let mates = f64::from(draft.held[i]) - if p.hex == h { p.defence } else { 0.0 };
        let back = if home[i] == FAR { 8.0 } else { f64::from(home[i]) };
        // Where units have no zones depth alone bars the way: who is not needed at a place stands close behind the front.
        let front = f64::from(desk.fields.from_foe[i].min(DEPTH));
        let back = if desk.brief.zones { back } else { back.max(RESERVES) + CLOSE_UP * front };
        -0.25 * back - desk.style.caution * desk.danger(h, mates + p.defence) * p.defence / 3.0
            + 0.1 * f64::from(desk.brief.cover[i])
            + if !p.supplied { 0.4 * f64::from(desk.fields.from_foe[i].min(6)) } else { 0.0 }
    };
    let stay = if p.hex.is_some() { score(p.hex, draft) + 0.05 } else { f64::MIN };
    let Some(m) = draft.mover(p.unit) else { return };
    let best = m
        .ends
        .iter()
        .map(|(h, _)| *h)
        .filter(|&h| draft.fits(p, h))
        .map(|h| (score(h, draft), h))
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    if let Some((_, h)) = best.filter(|(s, _)| *s > stay) {
        draft.send(p, h, Task::Reserve);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Player, Seat, Staff, Think};
    use game::{Game, QuickDice, Quiet, Role, Terms};
    use std::collections::BTreeMap;

    #[test]
    fn who_waits_draws_his_line_out_of_touch_where_units_have_no_zones() {
        let mut p = pm::Pm::new().start(&Terms::of("june"), None).unwrap_or_else(|f| panic!("{f}"));
        let (mut dice, mut german) = (QuickDice::new(3), Staff::default());
        // After the German side's first move.
        let soviet = |seat: &Seat<'_>| {
            let counsel = seat.counsel().expect("pm has counsel");
            seat.side() == table::Side::Two && seat.choices().iter().any(|c| counsel.role(c) == Role::Pick)
        };
        while let Some(seat) = Seat::new(&*p).filter(|s| !soviet(s)) {
            let c = german.choose(&seat, &mut Think::new(1, Budget::FREE)).expect("an answer");
            p.apply(c, &mut dice, &mut Quiet);
        }
        let seat = Seat::new(&*p).expect("the Soviet side is asked");
        let world = seat.sample(&mut dice);
        let counsel = seat.counsel().expect("pm has counsel");
        let desk = Desk::new(counsel, &world, None, &BTreeMap::new());
        let line = line(&desk, &HexSet::empty());
        let far: u32 = line.iter().map(|(h, _)| u32::from(desk.fields.from_foe[h.ix()])).sum();
        let far = f64::from(far) / line.len().max(1) as f64;
        assert!(line.len() > 20, "a line from the Baltic to the Black Sea: {}", line.len());
        assert!(far > 4.0, "its hexes are {far:.1} from the enemy in the mean");
    }
}
