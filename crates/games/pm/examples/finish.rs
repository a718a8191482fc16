//! Plays a game to a wanted ending and writes its journal: `finish june points 1 out.verst`, `finish typhoon moscow 1 out.verst`.
//! With `moscow` the German side drives on the city and the Soviet side leaves it; otherwise both play at random.

use game::journal::{Deed, DiceKind, Header, Journal};
use game::{Choice, Game, Object, QuickDice, Recorder, Terms, Told};
use hex::Hex;
use table::Side;
use verst_pm::state::Pos;
use verst_pm::verbs;

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

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [scenario, wanted, seed, out] = &args[..] else {
        println!("finish SCENARIO points|moscow|time SEED FILE");
        return;
    };
    let first: u64 = seed.parse().unwrap_or(1);
    let pm = verst_pm::Pm::new();
    for seed in first..first + 60 {
        let terms = Terms::of(scenario);
        let mut p = match pm.start(&terms, None) {
            Ok(p) => p,
            Err(f) => return println!("{f}"),
        };
        let mut journal = Journal::new(Header::new(pm.info(), terms, DiceKind::Quick { seed }));
        let (mut dice, mut pick) = (QuickDice::new(seed), QuickDice::new(!seed));
        let mut list = Vec::new();
        while let Some(side) = p.asks() {
            list.clear();
            p.choices(&mut list);
            let c = match (wanted.as_str(), p.as_any().downcast_ref::<Pos>()) {
                ("moscow", Some(pos)) => driven(pos, &list, &mut pick),
                _ => game::oracle::any(&list, &mut pick).unwrap_or(list[0]),
            };
            let text = p.lexicon().write(&c);
            let mut rec = Recorder::new(&mut dice);
            p.apply(c, &mut rec, &mut Told::default());
            let rolls = rec.rolls;
            journal.add(Some(side), Deed::Choice(text), rolls);
        }
        let kind = p.outcome().map_or("none", |o| o.kind);
        println!("seed {seed}: {kind} after {} choices", journal.entries().len());
        if kind == wanted {
            if let Err(e) = std::fs::write(out, journal.text()) {
                println!("{out}: {e}");
            }
            return;
        }
    }
}
