//! How a game of Proud Monster is brought to a wanted ending: with `moscow` the German side drives on the city and the Soviet
//! side leaves it; otherwise both play at random.

use game::{Choice, Object, Position, QuickDice};
use hex::Hex;
use pm::state::Pos;
use pm::verbs;
use table::Side;

/// The choice for a position of this game.
pub fn answer(p: &dyn Position, ending: &str, list: &[Choice], dice: &mut QuickDice) -> Option<Choice> {
    match p.as_any().downcast_ref::<Pos>() {
        Some(p) if ending == "moscow" => Some(driven(p, list, dice)),
        _ => game::oracle::any(list, dice),
    }
}

fn toward(p: &Pos, h: Hex) -> u32 {
    let grid = p.data.map.grid();
    let open = p.data.map.moscow.iter().filter(|m| !p.s.german_held.contains(*m));
    open.map(|m| grid.distance(m, h)).min().unwrap_or(0)
}

/// What the two sides do when Moscow is to fall.
fn driven(p: &Pos, list: &[Choice], dice: &mut QuickDice) -> Choice {
    let grid = p.data.map.grid();
    let hex = |c: &Choice| match c.object {
        Object::Route(r) => Some(r.end(grid)),
        Object::Unit(u) if u.ix() < p.data.units.ground => p.on_map(u),
        Object::Hex(h) => Some(h),
        _ => None,
    };
    let of = |v: game::Verb| list.iter().copied().filter(move |c| c.verb == v);
    let near = |c: &Choice| hex(c).map_or(u32::MAX, |h| toward(p, h));
    let german = p.asked() == Some(Side::One);
    if german {
        if let Some(c) = of(verbs::RESOLVE).next() {
            return of(verbs::ADDALL).next().unwrap_or(c);
        }
        let go = of(verbs::GO).min_by_key(near);
        let here = p.hand_hex().map_or(u32::MAX, |h| toward(p, h));
        if let Some(c) = go.filter(|c| near(c) < here) {
            return c;
        }
        let attack = of(verbs::ASSAULT).chain(of(verbs::ADDALL)).chain(of(verbs::ADVANCE)).next();
        if let Some(c) = attack {
            return c;
        }
        if let Some(c) = of(verbs::STOP).next() {
            return c;
        }
        if let Some(c) = of(verbs::PICK).filter(|c| near(c) < 16).min_by_key(near) {
            return c;
        }
        if let Some(c) = of(verbs::ATTACK).filter(|c| near(c) < 6).min_by_key(near) {
            return c;
        }
    } else {
        let ports = list.iter().copied().find(|c| matches!(c.object, Object::Into(..)));
        if let Some(c) = ports.or_else(|| of(verbs::FILL).next()) {
            return c;
        }
        if let Some(c) = of(verbs::GO).max_by_key(near) {
            return c;
        }
        if let Some(c) = of(verbs::STOP).next() {
            return c;
        }
        if let Some(c) = of(verbs::PICK).filter(|c| near(c) < 4).min_by_key(near) {
            return c;
        }
    }
    let done = of(verbs::DONE).chain(of(verbs::ADD)).chain(of(verbs::LOSS)).next();
    done.unwrap_or_else(|| list[dice.below(list.len())])
}
