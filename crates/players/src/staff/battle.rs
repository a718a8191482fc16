//! Attacks chosen by the game's own sums: on the move, and in the combat phase with everything that stands beside.

use super::desk::Desk;
use super::field::step_worth;
use super::plan::{Draft, Order, Task};
use crate::{Think, World};
use game::{Choice, Object, Piece, QuickDice, Role};
use hex::Hex;
use std::collections::BTreeMap;
use table::Unit;

/// An attack to be made: its target, who makes it, and what it is worth.
#[derive(Clone, Debug)]
pub(crate) struct Attack {
    pub target: Hex,
    pub units: Vec<Unit>,
    pub gain: f64,
}

/// The most promising attacks that are looked at closely.
const LOOKED_AT: usize = 24;

/// The best assault on the move that a stack can make now, if one is worth it.
pub(crate) fn best_assault(draft: &Draft<'_>, think: &mut Think<'_>) -> Option<Order> {
    let desk = draft.desk;
    let mut stacks: BTreeMap<Hex, Vec<Piece>> = BTreeMap::new();
    for p in draft.free().filter(|p| p.mobile && p.attack > 0.0 && p.hex.is_some()) {
        if draft.mover(p.unit).is_some() {
            stacks.entry(p.hex).or_default().push(p);
        }
    }
    // Rough order by plain strengths, so that the dear look goes to what may be worth it.
    let mut rough: Vec<(f64, Hex, Hex, Hex)> = Vec::new();
    for (&home, stack) in &stacks {
        let attack: f64 = stack.iter().map(|p| p.attack).sum();
        let mut spots = vec![home];
        if let Some(m) = draft.mover(stack[0].unit) {
            spots.extend(m.ends.iter().map(|(h, _)| *h).filter(|&h| desk.fields.from_foe[h.ix()] == 1));
        }
        let mut best: BTreeMap<Hex, (f64, Hex)> = BTreeMap::new();
        for at in spots {
            for (_, target) in desk.grid.neighbours(at).filter(|(_, n)| desk.fields.foe_at.contains(*n)) {
                let stake = desk.clash(target, &[at], attack);
                let gain = desk.gain(target, stake, step_worth(stack.iter()))
                    - 0.05 * f64::from(desk.grid.distance(home, at));
                if gain > best.get(&target).map_or(0.0, |b| b.0) {
                    best.insert(target, (gain, at));
                }
            }
        }
        rough.extend(best.into_iter().map(|(target, (gain, at))| (gain, home, at, target)));
    }
    rough.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3))));
    let mut scratch = World::copy_of(desk.world);
    let mut best: Option<(f64, Order)> = None;
    for (_, home, at, target) in rough.into_iter().take(LOOKED_AT) {
        let stack = &stacks[&home];
        scratch.become_copy(desk.world);
        let units: Vec<Unit> = stack.iter().map(|p| p.unit).collect();
        let Some((taken, stake)) = rehearse(desk, &mut scratch, &units, at, target) else { continue };
        let own = step_worth(stack.iter().filter(|p| taken.contains(&p.unit)));
        let gain = desk.gain(target, stake, own);
        if gain > desk.style.least && best.as_ref().is_none_or(|(g, _)| gain > *g) {
            best = Some((gain, Order { units: taken, to: at, task: Task::Assault, assault: Some(target) }));
        }
        if !think.node() {
            break;
        }
    }
    best.map(|(_, o)| o)
}

/// Takes units in hand in a world, brings them to the hex of the launch, and weighs the assault.
fn rehearse(
    desk: &Desk<'_>,
    w: &mut World,
    units: &[Unit],
    at: Hex,
    target: Hex,
) -> Option<(Vec<Unit>, game::Stake)> {
    let counsel = desk.counsel;
    let mut dice = QuickDice::new(1);
    let mut list = Vec::new();
    let mut taken = Vec::new();
    for &u in units {
        w.choices(&mut list);
        let role = if taken.is_empty() { Role::Pick } else { Role::Join };
        let take = |c: &&Choice| {
            c.object == Object::Unit(u) && (counsel.role(c) == role || counsel.role(c) == Role::Pick)
        };
        let Some(c) = list.iter().find(take) else { continue };
        w.apply(*c, &mut dice);
        taken.push(u);
    }
    w.choices(&mut list);
    let assault = |list: &[Choice]| {
        list.iter().copied().find(|c| counsel.role(c) == Role::Assault && c.object == Object::Hex(target))
    };
    let mut found = assault(&list);
    if found.is_none() {
        let go = list
            .iter()
            .copied()
            .find(|c| counsel.role(c) == Role::Go && super::reach::end_of(desk.grid, c) == Some(at))?;
        w.apply(go, &mut dice);
        w.choices(&mut list);
        found = assault(&list);
    }
    let stake = counsel.weigh(w.position(), desk.brief.side, &found?)?;
    Some((taken, stake))
}

/// The attacks worth making in a combat phase, best first, no unit in two of them.
pub(crate) fn attacks(desk: &Desk<'_>, list: &[Choice], think: &mut Think<'_>) -> Vec<Attack> {
    let counsel = desk.counsel;
    let pieces = &desk.pieces;
    let mut scratch = World::copy_of(desk.world);
    let mut dice = QuickDice::new(1);
    let mut inner = Vec::new();
    let mut ranked: Vec<(f64, Choice, Hex, Vec<Unit>)> = Vec::new();
    for c in list.iter().filter(|c| counsel.role(c) == Role::Target) {
        let Object::Hex(target) = c.object else { continue };
        scratch.become_copy(desk.world);
        scratch.apply(*c, &mut dice);
        let mut units = joiners(desk, &scratch, &mut inner);
        let mut attack: f64 = units.iter().filter_map(|u| pieces.get(u)).map(|p| p.attack).sum();
        attack *= 1.2;
        let stake = desk.clash(target, &[], attack);
        let own = step_worth(units.iter().filter_map(|u| pieces.get(u)));
        let rough = desk.gain(target, stake, own);
        if rough <= -1.0 {
            continue;
        }
        units.sort_by(|a, b| {
            let strong = |u: &Unit| pieces.get(u).map_or(0.0, |p| p.attack);
            strong(b).total_cmp(&strong(a)).then(a.cmp(b))
        });
        ranked.push((rough, *c, target, units));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    if desk.brief.zones {
        // Sums with zones and ways of retreat are dear, and everything is looked at again after each roll.
        ranked.truncate(LOOKED_AT / 2);
    }
    let mut used: Vec<Unit> = Vec::new();
    let mut out = Vec::new();
    for (_, c, target, units) in ranked {
        scratch.become_copy(desk.world);
        scratch.apply(c, &mut dice);
        let mut joined: Vec<Unit> = Vec::new();
        let mut best = (desk.style.least, 0usize);
        let free: Vec<Unit> = units.into_iter().filter(|u| !used.contains(u)).collect();
        for u in free {
            scratch.choices(&mut inner);
            let join = inner.iter().find(|c| counsel.role(c) == Role::Join && c.object == Object::Unit(u));
            let Some(&join) = join else { continue };
            scratch.apply(join, &mut dice);
            joined.push(u);
            let Some(stake) = counsel.weigh(scratch.position(), desk.brief.side, &join) else { continue };
            let own = step_worth(joined.iter().filter_map(|u| pieces.get(u)));
            let gain = desk.gain(target, stake, own) - 0.03 * joined.len() as f64;
            if gain > best.0 {
                best = (gain, joined.len());
            }
            if !think.node() {
                break;
            }
        }
        if best.1 > 0 {
            joined.truncate(best.1);
            used.extend(joined.iter().copied());
            out.push(Attack { target, units: joined, gain: best.0 });
        }
        if think.spent() {
            break;
        }
    }
    out
}

/// Who could join the attack in the making.
fn joiners(desk: &Desk<'_>, w: &World, list: &mut Vec<Choice>) -> Vec<Unit> {
    w.choices(list);
    let joins = list.iter().filter(|c| desk.counsel.role(c) == Role::Join);
    joins.filter_map(|c| if let Object::Unit(u) = c.object { Some(u) } else { None }).collect()
}
