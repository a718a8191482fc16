//! Massing: which enemy stacks to attack in the combat phase, and who stands around them for it.

use super::field::step_worth;
use super::plan::{Draft, Task};
use super::siege::starves;
use super::tasks;
use game::Piece;
use hex::{Hex, HexSet};
use std::collections::BTreeMap;
use table::Unit;

/// What each unit that joins an attack costs, so that nobody comes who is not needed.
const EACH: f64 = 0.03;

/// Who can stand where beside each enemy hex. A unit that cannot move may still attack from where it is, and one that has a
/// task elsewhere from where that task puts it.
pub(super) fn options(draft: &Draft<'_>) -> BTreeMap<Hex, Vec<(Unit, Vec<Hex>)>> {
    let desk = draft.desk;
    let mut out: BTreeMap<Hex, Vec<(Unit, Vec<Hex>)>> = BTreeMap::new();
    for piece in desk.brief.pieces.iter().filter(|q| q.side == desk.brief.side && q.attack > 0.0) {
        let mut beside: BTreeMap<Hex, Vec<Hex>> = BTreeMap::new();
        let mut stand = |at: Hex| {
            if desk.fields.from_foe[at.ix()] != 1 {
                return;
            }
            for (_, n) in desk.grid.neighbours(at) {
                if desk.fields.foe_at.contains(n) {
                    beside.entry(n).or_default().push(at);
                }
            }
        };
        if let Some(&seat) = draft.seat.get(&piece.unit) {
            stand(seat);
        } else {
            if piece.hex.is_some() {
                stand(piece.hex);
            }
            if let Some(m) = draft.mover(piece.unit) {
                m.ends.iter().for_each(|(h, _)| stand(*h));
            }
        }
        for (target, from) in beside {
            out.entry(target).or_default().push((piece.unit, from));
        }
    }
    out
}

/// An enemy stack that is to be attacked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub hex: Hex,
    /// What the attack is worth.
    pub gain: f64,
    /// How likely the hex is taken.
    pub taken: f64,
}

/// An attack as it is being put together.
pub(super) struct Muster<'a> {
    draft: &'a Draft<'a>,
    drawn: &'a BTreeMap<Unit, f64>,
    /// Land that is cut off from the enemy's supply when the plan so far is carried out.
    parted: &'a HexSet,
    target: Hex,
    filled: BTreeMap<Hex, f32>,
    pub placed: Vec<(Piece, Hex)>,
    from: Vec<Hex>,
    attack: f64,
    /// What those who come give up by not going where they are drawn.
    away: f64,
}

impl<'a> Muster<'a> {
    /// Nobody yet, for a target.
    pub fn new(
        draft: &'a Draft<'a>,
        drawn: &'a BTreeMap<Unit, f64>,
        parted: &'a HexSet,
        target: Hex,
    ) -> Muster<'a> {
        Muster {
            draft,
            drawn,
            parted,
            target,
            filled: BTreeMap::new(),
            placed: Vec::new(),
            from: Vec::new(),
            attack: 0.0,
            away: 0.0,
        }
    }

    /// The seat of a unit among those open to it: where it stands if it stands there, else the emptiest, so that the target is
    /// surrounded.
    pub fn seat(&self, piece: &Piece, from: &[Hex]) -> Option<Hex> {
        let desk = self.draft.desk;
        if from.contains(&piece.hex) {
            return Some(piece.hex);
        }
        let room = |h: &&Hex| {
            self.draft.filled[h.ix()] + self.filled.get(*h).copied().unwrap_or(0.0) + piece.bulk as f32
                <= desk.brief.room[h.ix()]
        };
        let load = |h: &Hex| {
            let taken = if self.from.contains(h) { 1.0 } else { 0.0 };
            taken + desk.fields.threat[h.ix()] * 0.02 - desk.brief.cover[h.ix()]
        };
        from.iter().filter(room).min_by(|a, b| load(a).total_cmp(&load(b)).then(a.cmp(b))).copied()
    }

    pub fn add(&mut self, piece: Piece, at: Hex) {
        if at != piece.hex {
            *self.filled.entry(at).or_default() += piece.bulk as f32;
        }
        if !self.from.contains(&at) {
            self.from.push(at);
        }
        self.attack += piece.attack;
        self.away += self
            .drawn
            .get(&piece.unit)
            .map_or(0.0, |best| (best - tasks::forward(self.draft.desk, at, &[piece], 0.0)).max(0.0));
        self.placed.push((piece, at));
    }

    fn weigh(&self) -> Target {
        let desk = self.draft.desk;
        let starved = starves(self.draft, self.parted, self.target, &self.from);
        let stake = desk.clash_if(self.target, &self.from, self.attack, starved);
        let own = step_worth(self.placed.iter().map(|(q, _)| q));
        let gain = desk.gain(self.target, stake, own)
            - EACH * self.placed.len() as f64
            - desk.style.drift * self.away;
        Target { hex: self.target, gain, taken: stake.taken }
    }
}

/// By unit without a task: the best that it finds where it can go.
fn drawn(draft: &Draft<'_>) -> BTreeMap<Unit, f64> {
    let best = |p: Piece| {
        let ends = draft.mover(p.unit).map_or(&[][..], |m| &m.ends[..]).iter().map(|(h, _)| *h);
        let stay = Some(p.hex).filter(|h| h.is_some());
        let scores = ends.chain(stay).map(|h| tasks::forward(draft.desk, h, &[p], 0.0));
        (p.unit, scores.fold(f64::MIN, f64::max))
    };
    draft.free().map(best).collect()
}

/// Chooses enemy stacks to attack in the combat phase and masses units beside them, the best first.
pub(crate) fn mass(draft: &mut Draft<'_>) -> Vec<Target> {
    let desk = draft.desk;
    let options = options(draft);
    let parted =
        if desk.besieges() { desk.parted(&draft.seat.values().copied().collect()) } else { HexSet::empty() };
    let mut ranked: Vec<(f64, Hex)> = Vec::new();
    for (&target, who) in &options {
        let attack: f64 = who.iter().filter_map(|(u, _)| desk.pieces.get(u)).map(|q| q.attack).sum();
        let mut from: Vec<Hex> = who.iter().flat_map(|(_, f)| f.iter().copied()).collect();
        from.sort_unstable();
        from.dedup();
        // What fits around it, at the strength of those who could come.
        let bulk: f64 = who.iter().filter_map(|(u, _)| desk.pieces.get(u)).map(|q| q.bulk).sum();
        let room: f64 = from.iter().map(|h| f64::from(desk.brief.room[h.ix()])).sum();
        let most = attack * (room / bulk.max(1.0)).min(1.0);
        let starved = starves(draft, &parted, target, &from);
        let gain = desk.gain(target, desk.clash_if(target, &from, most, starved), 1.0);
        if gain > 0.0 {
            ranked.push((gain, target));
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let drawn = if desk.attacks() { drawn(draft) } else { BTreeMap::new() };
    let mut chosen = Vec::new();
    // Who stands beside a target by another task attacks from there, but only one target.
    let mut spent: Vec<Unit> = Vec::new();
    for (_, target) in ranked {
        let mut m = Muster::new(draft, &drawn, &parted, target);
        let mut who: Vec<(Piece, &Vec<Hex>)> = options[&target]
            .iter()
            .filter(|(u, _)| !spent.contains(u))
            .filter(|(u, from)| draft.seat.get(u).is_none_or(|s| from.contains(s)))
            .filter_map(|(u, from)| desk.pieces.get(u).map(|q| (*q, from)))
            .collect();
        // Those who stand there already, then the strong.
        who.sort_by(|a, b| {
            let here = |x: &(Piece, &Vec<Hex>)| draft.is_busy(x.0.unit) || x.1.contains(&x.0.hex);
            here(b).cmp(&here(a)).then(b.0.attack.total_cmp(&a.0.attack)).then(a.0.unit.cmp(&b.0.unit))
        });
        let mut best: Option<(Target, usize)> = None;
        for (piece, from) in who {
            let seat = match draft.seat.get(&piece.unit) {
                Some(&s) => Some(s),
                None => m.seat(&piece, from),
            };
            let Some(at) = seat else { continue };
            m.add(piece, at);
            let now = m.weigh();
            if now.gain > best.map_or(desk.style.least, |(t, _)| t.gain) {
                best = Some((now, m.placed.len()));
            }
            if m.attack > 10.0 * f64::from(desk.fields.foe[target.ix()] * desk.brief.cover[target.ix()]) {
                break;
            }
        }
        let Some((found, who)) = best else { continue };
        let placed: Vec<(Piece, Hex)> = m.placed.into_iter().take(who).collect();
        for (piece, at) in placed {
            spent.push(piece.unit);
            if !draft.is_busy(piece.unit) {
                draft.send(&piece, at, Task::Assault);
            }
        }
        chosen.push(found);
    }
    chosen
}
