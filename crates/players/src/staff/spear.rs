//! Spearheads: mobile units that find the way open go before anything else wants them.

use super::plan::{Draft, Task};
use super::tasks::forward;
use hex::Hex;

/// How much better a spearhead must find it farther on, in points, to go rather than stay for an attack.
const OPEN: f64 = 0.25;

/// Stacks of mobile units of the side that comes forward go on where the way is open, as far as they are drawn; the strongest
/// first. They may attack from where they come to.
pub(crate) fn spear(draft: &mut Draft<'_>) {
    let desk = draft.desk;
    for mut g in draft.mobile_stacks() {
        g.retain(|p| p.attack > 0.0);
        if g.is_empty() {
            continue;
        }
        let from = g[0].hex;
        let movers: Vec<_> = g.iter().filter_map(|p| draft.mover(p.unit)).collect();
        let bulk: f32 = g.iter().map(|p| p.bulk as f32).sum();
        let own: f64 = g.iter().map(|p| p.defence).sum();
        let open = |h: &Hex| {
            draft.filled[h.ix()] + bulk <= desk.brief.room[h.ix()]
                && movers.iter().skip(1).all(|m| m.reaches(*h))
        };
        let held = |h: Hex| f64::from(draft.held[h.ix()]) - if h == from { own } else { 0.0 };
        let ends = movers[0].ends.iter().map(|(h, _)| *h).filter(open);
        let best = ends
            .map(|h| (forward(desk, h, &g, held(h)), h))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let stay = forward(desk, from, &g, held(from));
        if let Some((_, to)) = best.filter(|(v, _)| v - stay > desk.style.spear * OPEN * desk.brief.point) {
            for p in &g {
                draft.send(p, to, Task::Exploit);
            }
        }
    }
}
