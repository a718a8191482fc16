//! The obvious version of each thing that is worked out in a hurry elsewhere. Tests compare the two.

use crate::data::NEVER;
use crate::map::{Fort, Terrain, side};
use crate::reach::Mover;
use crate::state::{Pos, Step, flag};
use crate::supply::Army;
use crate::units::{Class, Comes, Nation};
use crate::verbs;
use game::Choice;
use hex::{Hex, HexSet};
use table::{Place, Side, Unit};

/// 12.8-12.21: what a step costs a group of units, [`NEVER`] if it is not possible; read from the charts.
pub fn step(p: &Pos, hand: &[Unit], from: Hex, to: Hex) -> u8 {
    let (map, charts) = (&p.data.map, &p.data.charts);
    let Some(dir) = map.grid().dir(from, to) else { return NEVER };
    let s = map.sides[from.ix()][dir.ix()];
    let here = p.condition_at(to);
    let lake = map.lakes.contains(to);
    if s & side::SEA != 0
        || (s & side::LAKE != 0 && !here.lakes_frozen)
        || (s & side::STRAIT != 0 && !p.straits_frozen())
        || !(map.land.contains(to) || (lake && here.lakes_frozen))
    {
        return NEVER;
    }
    let price = |u: Unit, condition: &crate::charts::Condition| {
        let marsh_as_clear = map.terrain[to.ix()] == Terrain::Marsh && condition.marsh_as_clear;
        let ground = match map.terrain[to.ix()] {
            Terrain::Forest => "forest",
            Terrain::Hills => "hills",
            Terrain::Marsh if !marsh_as_clear => "marsh",
            _ => "clear",
        };
        let g = charts.terrain.iter().find(|g| g.name == ground);
        let base = g.map_or(NEVER, |g| match p.info(u).class {
            _ if lake => charts.terrain.iter().find(|g| g.name == "clear").map_or(NEVER, |g| g.foot),
            Class::Mech => g.mech,
            Class::Foot => g.foot,
            Class::Light => g.costs.get("cavalry").copied().unwrap_or(g.foot),
        });
        base * condition.hex_times
    };
    let mut cost = hand.iter().map(|&u| price(u, here)).max().unwrap_or(0);
    let highway = s & side::HIGHWAY != 0 && map.terrain[to.ix()] == Terrain::Forest && !p.s.highway_over;
    if highway && !p.options.beginner && hand.iter().any(|&u| p.info(u).class == Class::Mech) {
        let fast =
            charts.terrain.iter().find(|g| g.name == "forest").and_then(|g| g.highway).unwrap_or(NEVER);
        // Those on foot gain nothing from it.
        let north = charts.condition(p.s.weather[0]);
        let foot = hand.iter().filter(|&&u| p.info(u).class != Class::Mech).map(|&u| price(u, north)).max();
        cost = cost.min(fast.max(foot.unwrap_or(0)));
    }
    let first_day = p.info(hand[0]).side == Side::One && p.s.turn == 1;
    if s & side::RIVER != 0 && !first_day && !here.rivers_frozen {
        let river = charts.hexside.iter().find(|g| g.name == "river");
        let dear =
            |&u: &Unit| river.map_or(0, |g| if p.info(u).class == Class::Mech { g.mech } else { g.foot });
        cost += hand.iter().map(dear).max().unwrap_or(0);
    }
    cost
}

/// Whether the units in hand may ever enter a hex (5.3, 7.2-7.4, 8.5, 12.4).
pub fn open(p: &Pos, h: Hex) -> bool {
    let map = &p.data.map;
    let ground = map.land.contains(h) || (map.lakes.contains(h) && p.condition_at(h).lakes_frozen);
    let side = p.info(p.s.hand[0]).side;
    let allowed = match side {
        Side::One => p.s.hand.iter().all(|&u| p.may_be_in(u, h)),
        Side::Two => !p.border_closed() || !(map.zomo_hungary.contains(h) || map.zomo_romania.contains(h)),
    };
    ground && allowed && !p.enemy_at(side, h)
}

/// 12.1: what each hex costs the units in hand, by trying all steps until nothing gets cheaper.
pub fn reach(p: &Pos, m: &Mover<'_>) -> Vec<u8> {
    let grid = p.data.map.grid();
    let mut cost = vec![NEVER; grid.len()];
    let entries = match p.s.stacks.place(p.s.hand[0]) {
        Place::Hex(at) => {
            cost[at.ix()] = 0;
            HexSet::empty()
        }
        Place::Box(b) if b == crate::data::boxes::OKH_NORTH => p.data.map.okh_north.clone(),
        Place::Box(_) => p.data.map.okh_south.clone(),
    };
    for h in entries.iter().filter(|&h| open(p, h)) {
        let c = p.entry_cost(m, h);
        if c <= m.left {
            cost[h.ix()] = c;
        }
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for from in grid.hexes().filter(|&h| m.hexes.is_none() || Some(h) == m.at) {
            if cost[from.ix()] == NEVER {
                continue;
            }
            for (_, to) in grid.neighbours(from).filter(|&(_, to)| open(p, to)) {
                let total = cost[from.ix()].saturating_add(step(p, &p.s.hand, from, to));
                if total <= m.left && total < cost[to.ix()] {
                    cost[to.ix()] = total;
                    changed = true;
                }
            }
        }
    }
    if m.fresh {
        let near: Vec<Hex> = match m.at {
            Some(at) => {
                let whole = |&(d, to): &(hex::Dir, Hex)| {
                    let strait = p.data.map.sides[at.ix()][d.ix()] & side::STRAIT != 0 && !p.straits_frozen();
                    strait || step(p, &p.s.hand, at, to) != NEVER
                };
                grid.neighbours(at).filter(whole).map(|(_, to)| to).collect()
            }
            None => entries.iter().collect(),
        };
        for to in near.into_iter().filter(|&to| open(p, to)) {
            if cost[to.ix()] == NEVER {
                cost[to.ix()] = m.left;
            }
        }
    }
    cost
}

/// 9.2-9.4: every hex from which an army traces a line, one hex at a time.
pub fn traced(p: &Pos, army: Army) -> HexSet {
    let map = &p.data.map;
    let grid = map.grid();
    let frozen = p.data.charts.condition(p.s.weather[0]).lakes_frozen;
    let passes = |h: Hex| match army {
        Army::Axis(_) => {
            (map.land.contains(h) || (frozen && map.lakes.contains(h)))
                && !p.s.stacks.occupied(Side::Two).contains(h)
                && (p.options.beginner || !matches!(p.intact(h), Fort::Fort | Fort::Heavy))
        }
        Army::Soviet | Army::Overland => {
            (map.land.contains(h) || (army == Army::Soviet && map.lakes.contains(h)))
                && !p.s.stacks.occupied(Side::One).contains(h)
                && !(p.border_closed() && (map.zomo_hungary.contains(h) || map.zomo_romania.contains(h)))
        }
    };
    let home = |h: Hex| match army {
        Army::Axis(n) => {
            map.german_sources.contains(h)
                && match n {
                    Nation::Romanian => map.zomo_romania.contains(h),
                    Nation::Hungarian => map.zomo_hungary.contains(h),
                    _ => true,
                }
        }
        _ => map.soviet_sources.contains(h),
    };
    let mut queue: Vec<Hex> = grid.hexes().filter(|&h| home(h) && passes(h)).collect();
    let mut set: HexSet = queue.iter().copied().collect();
    let lakes = army == Army::Soviet || (matches!(army, Army::Axis(_)) && frozen);
    while let Some(from) = queue.pop() {
        for (d, to) in grid.neighbours(from) {
            let s = map.sides[from.ix()][d.ix()];
            let shut = s & side::SEA != 0 || (s & side::LAKE != 0 && !lakes);
            if !shut && passes(to) && set.insert(to) {
                queue.push(to);
            }
        }
    }
    set
}

/// The choices of a movement phase, by asking every unit.
pub fn movement(p: &Pos, side: Side, out: &mut Vec<Choice>) {
    for u in p.s.stacks.units() {
        if p.why_not_pick(side, u).is_none() {
            out.push(Choice::unit(verbs::PICK, u));
        }
        if side == Side::One && p.why_not_shift(u).is_none() {
            out.push(Choice::unit(verbs::SHIFT, u));
        }
    }
    out.push(Choice::button(verbs::DONE));
}

/// Whether a Soviet token may be set up on a hex: the strictures are worked out before and after.
pub fn token(p: &Pos, u: Unit, h: Hex) -> bool {
    let interior = p.info(u).comes == Comes::Interior;
    let alike = |v: Unit| p.info(v).pool == p.info(u).pool && p.info(v).comes == p.info(u).comes;
    let waiting = |v: Unit| p.s.stacks.place(v) == Place::Box(crate::data::boxes::TRAY);
    let first = p.s.stacks.units().find(|&v| waiting(v) && alike(v)) == Some(u);
    let left = p.s.stacks.units().filter(|&v| waiting(v) && p.info(v).comes == p.info(u).comes).count();
    let now = p.strictures(interior, None).owed.units;
    first
        && p.zone_of(u).is_some_and(|z| z.contains(h))
        && p.has_room(u, h)
        && (left > now || p.strictures(interior, Some(h)).owed.units < now)
}

/// Whether a unit has begun to move and could be picked up again by its own points (12.6).
pub fn begun(p: &Pos, u: Unit) -> bool {
    matches!(p.s.step, Step::Move(_))
        && (p.s.used[u.ix()] > 0 || p.flagged(u, flag::SPENT))
        && !p.flagged(u, flag::MOVED)
}
