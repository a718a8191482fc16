//! Section 12: where a stack can retreat to. A search over the hexes it can fall back through finds every end that the
//! guidelines leave.

use crate::battle::{Cause, Falling};
use crate::map::side;
use crate::state::{Pos, flag};
use hex::{Dir, Hex, HexSet, Route};
use table::{BoxId, Side, Unit};

/// Where a retreat may end.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The way there.
    pub route: Route,
    /// Where.
    pub hex: Hex,
    /// Steps it costs (12.1.3).
    pub price: u8,
}

/// A hex of the search.
#[derive(Clone, Copy)]
struct Node {
    hex: Hex,
    route: Route,
    /// In a vacant hex of an enemy ZOC.
    bound: bool,
}

impl Pos {
    /// 12.2: whether friends who have not retreated this phase undo an enemy ZOC in a hex.
    fn negated(&self, own: Side, h: Hex, but: &[Unit]) -> bool {
        self.has_combat(own, h)
            && self
                .of_side(own, h)
                .any(|u| self.combat(u) && !self.flagged(u, flag::RETREATED) && !but.contains(&u))
    }

    /// 12.2: an enemy ZOC that nobody undoes.
    pub(crate) fn bad_zoc(&self, own: Side, h: Hex, but: &[Unit]) -> bool {
        self.in_ezoc(own, h) && !self.negated(own, h, but)
    }

    /// 12.2: by what a single step of a retreat eliminates, ZOC apart.
    pub(crate) fn why_no_step(
        &self,
        f: &Falling,
        hand: &[Unit],
        from: Hex,
        d: Dir,
        to: Hex,
    ) -> Option<(&'static str, &'static str)> {
        let own = f.side;
        let army = own == Side::One && self.masked(to);
        if army || self.has_combat(own.foe(), to) && !self.contested(to) {
            return Some(("12.2", "holds an enemy"));
        }
        if !hand.iter().all(|&u| self.passable(u, from, d, to)) {
            return Some(("12.2", "cannot be entered by these units"));
        }
        if self.bonded(own, from, d, to) {
            return Some(("12.2", "lies in or behind an enemy bond"));
        }
        let bits = self.data.map.sides[from.ix()][d.ix()];
        if bits & side::VOLGA != 0 {
            return Some(("12.2", "lies across the Volga"));
        }
        let combat = hand.iter().any(|&u| self.combat(u));
        if !self.bridged(own, from, d, to, combat) {
            return Some(("12.2", "lies across a Major River without a bridge"));
        }
        if f.cause == Cause::Disengagement && self.bad_zoc(own, to, hand) {
            return Some(("27.2.3", "is in an enemy ZOC without friends"));
        }
        None
    }

    /// 12.1.3: whether a stack may stop in a hex free of cost: a friendly city or fort clear of enemy ZOC.
    fn stops_at(&self, own: Side, h: Hex, hand: &[Unit]) -> bool {
        let axis = own == Side::One;
        let city = self.data.map.cities.contains(h) && self.s.axis_held.contains(h) == axis;
        (city || self.fortified(own, h)) && !self.bad_zoc(own, h, hand)
    }

    /// Steps of a stack.
    fn steps_of(&self, units: &[Unit]) -> u8 {
        units.iter().filter(|&&u| self.combat(u)).map(|u| self.s.steps[u.ix()]).sum()
    }

    /// 12.1.3, 12.2: every end that survives, before the guidelines choose among them: full retreats, stops and paid ones.
    pub(crate) fn survivals(&self, f: &Falling, hand: &[Unit]) -> (Vec<End>, Vec<End>, Vec<End>) {
        let grid = self.data.map.grid();
        let (mut full, mut stops, mut paid) = (Vec::new(), Vec::new(), Vec::new());
        let extra = self.data.charts.retreat.extra_to_survive;
        let steps = self.steps_of(hand);
        let mut layer = vec![Node { hex: f.from, route: Route::from(f.from), bound: false }];
        for len in 1..=f.most + extra {
            let mut next: Vec<Node> = Vec::new();
            let (mut free, mut held) = (HexSet::empty(), HexSet::empty());
            for n in &layer {
                // The hex beyond the full length is only for those who would die at its end.
                if len > f.most && !n.bound {
                    continue;
                }
                for (d, to) in grid.neighbours(n.hex) {
                    if to == f.from || self.why_no_step(f, hand, n.hex, d, to).is_some() {
                        continue;
                    }
                    let bound = self.bad_zoc(f.side, to, hand);
                    if bound && (n.bound || len > f.most) {
                        continue;
                    }
                    let fresh = if bound { held.insert(to) } else { free.insert(to) };
                    let Some(route) = n.route.push(d).filter(|_| fresh) else { continue };
                    next.push(Node { hex: to, route, bound });
                    let end = |price| End { route, hex: to, price };
                    if len < f.least {
                        if self.stops_at(f.side, to, hand) {
                            stops.push(end(0));
                        }
                        let price = f.least - len;
                        if self.negated(f.side, to, hand) && steps > price {
                            paid.push(end(price));
                        }
                    } else if !bound {
                        full.push(end(0));
                    }
                }
            }
            layer = next;
        }
        (full, stops, paid)
    }

    /// 12.1.3: the ends that the guidelines leave, in their order: to survive, with a Line of Supply, far enough.
    pub(crate) fn retreat_ends(&self, f: &Falling, hand: &[Unit]) -> Vec<End> {
        let (mut full, mut stops, mut paid) = self.survivals(f, hand);
        let grid = self.data.map.grid();
        let los = &self.s.supplied.los[f.side.ix()];
        let area = !self.fall_areas(f, hand).is_empty();
        let supplied = area || full.iter().chain(&stops).any(|e| los.contains(e.hex));
        if supplied {
            full.retain(|e| los.contains(e.hex));
            stops.retain(|e| los.contains(e.hex));
            paid.retain(|e| los.contains(e.hex));
        }
        let away = |e: &End| grid.distance(f.from, e.hex);
        let goal = full.iter().map(away).max().unwrap_or(0).min(f.least.into());
        full.retain(|e| away(e) >= goal);
        let mut all = full;
        all.extend(stops);
        all.extend(paid);
        all
    }

    /// 12.2, 22.5: friendly Entry Areas into which a stack can fall back.
    pub(crate) fn fall_areas(&self, f: &Falling, hand: &[Unit]) -> Vec<BoxId> {
        let mut out = Vec::new();
        let friendly = self.scene().friendly[f.side];
        let near = |h: Hex| self.scene().borders[h.ix()] & friendly;
        let mut bits = near(f.from);
        if f.most > 1 {
            let grid = self.data.map.grid();
            // Within reach of the edge at all?
            let close = grid.range(f.from, u32::from(f.most) - 1).into_iter().any(|h| near(h) != 0);
            if close {
                let mut layer = vec![(f.from, false)];
                for _ in 1..f.most {
                    let mut next = Vec::new();
                    let mut seen = HexSet::empty();
                    for &(h, bound) in &layer {
                        for (d, to) in grid.neighbours(h) {
                            if to == f.from || self.why_no_step(f, hand, h, d, to).is_some() {
                                continue;
                            }
                            let z = self.bad_zoc(f.side, to, hand);
                            if !(z && bound) && seen.insert(to) {
                                bits |= near(to);
                                next.push((to, z));
                            }
                        }
                    }
                    layer = next;
                }
            }
        }
        for (i, a) in self.data.areas.iter().enumerate() {
            if bits >> i & 1 != 0 && self.may_enter_area(f.side, a.in_box) {
                out.push(a.in_box);
            }
        }
        out
    }

    /// Whether these units survive a retreat.
    pub(crate) fn can_fall(&self, f: &Falling, hand: &[Unit]) -> bool {
        let (full, stops, paid) = self.survivals(f, hand);
        !full.is_empty() || !stops.is_empty() || !paid.is_empty() || !self.fall_areas(f, hand).is_empty()
    }

    /// The hexes where these units could end.
    pub(crate) fn fall_hexes(&self, f: &Falling, hand: &[Unit]) -> Vec<Hex> {
        self.retreat_ends(f, hand).into_iter().map(|e| e.hex).collect()
    }
}
