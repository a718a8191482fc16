//! S1.3: points for Mechanized units that leave the map by its far edges with a road behind them: where they make for, when they go.

use super::answers::{first, unit};
use crate::state::{Cx, Frame, Pos, Step};
use crate::units::is;
use crate::verbs;
use game::{Choice, Goal, Object};
use hex::{Hex, HexSet};
use table::{BoxId, Side, Unit};

/// So many turns before the end units leave for points that do not decide at once: until then they are of more use on the map.
const LATE: u8 = 1;
/// As far from the edge, in hexes, units are looked at that might leave in this phase.
const NEAR: u32 = 14;

/// As far from roads that carry supply, in hexes, an edge is not yet made for.
const ROAD_NEAR: u32 = 8;

/// An edge that pays.
pub(super) struct Gate {
    /// What leaving there brings.
    points: f64,
    /// Hexes of the map along it.
    edge: HexSet,
    boxes: Vec<BoxId>,
    /// Steps that have left.
    gone: u8,
    /// Whether a road line reaches it now.
    line: bool,
}

impl Pos {
    /// The edges that pay, with what has been done there.
    pub(super) fn gates(&self) -> Vec<Gate> {
        let v = &self.scenario().victory;
        let both = [(&v.exit_east_areas, v.exit_east_points), (&v.exit_south_areas, v.exit_south_points)];
        if both.iter().all(|(_, points)| *points == 0) {
            return Vec::new();
        }
        let road = &self.fresh_supply().road[0];
        let gate = |(areas, points): (&Vec<String>, i16)| {
            let areas: Vec<usize> = areas.iter().filter_map(|n| self.data.area(n)).collect();
            let boxes: Vec<BoxId> = areas.iter().map(|&a| self.data.areas[a].in_box).collect();
            let mut edge = HexSet::empty();
            for &a in &areas {
                edge |= &(&self.data.areas[a].hexes & &self.scene().land);
            }
            let gone = boxes.iter().flat_map(|&b| self.boxed(b)).filter(|&u| self.may_leave(u));
            let gone = gone.map(|u| self.s.steps[u.ix()]).sum();
            Gate { points: points.into(), line: edge.meets(road), edge, boxes, gone }
        };
        both.into_iter().filter(|(_, points)| *points > 0).map(gate).collect()
    }

    /// Whether a unit counts for those points.
    fn may_leave(&self, u: Unit) -> bool {
        self.side(u) == Side::One && self.is(u, is::MECH) && self.combat(u) && self.s.steps[u.ix()] > 0
    }

    /// Where a road meets a paying edge, nearest to the Mechanized units that could use it; once enough have left, where the road
    /// must be kept.
    pub(super) fn exit_goals(&self, due: f64, goals: &mut Vec<Goal>) {
        let needed = self.scenario().victory.exit_steps;
        let grid = self.data.map.grid();
        for g in self.gates() {
            let ends = &g.edge & &self.data.map.ways.road_ends;
            let road = &self.fresh_supply().road[0];
            let done = g.gone >= needed;
            let spears: Vec<Hex> =
                self.s.stacks.units().filter(|&u| self.may_leave(u)).filter_map(|u| self.on_map(u)).collect();
            let far = |h: &Hex| {
                let mut near: Vec<u32> = spears.iter().map(|&s| grid.distance(s, *h)).collect();
                near.sort_unstable();
                (!(done && road.contains(*h)), near.get(2).or(near.last()).copied().unwrap_or(0), *h)
            };
            let Some(hex) = ends.iter().min_by_key(far) else { continue };
            // What lies far beyond the last road that is ours is a matter for later.
            if !road.iter().any(|r| grid.distance(r, hex) <= ROAD_NEAR) {
                continue;
            }
            if goals.iter().any(|g| g.hex == hex) {
                continue;
            }
            let held = if done && g.line { Side::One } else { Side::Two };
            goals.push(Goal { hex, worth: g.points, held, due });
        }
    }

    /// Whether leaving now by a gate brings its points: enough can go, and a road leads there.
    fn pays(&self, g: &Gate) -> bool {
        let v = &self.scenario().victory;
        if g.gone >= v.exit_steps || !g.line {
            return false;
        }
        let wins = f64::from(self.vp()) + g.points >= f64::from(v.axis_points);
        if !wins && self.s.turn + LATE < self.scenario().last_turn {
            return false;
        }
        let hand = self.s.hand.iter().copied();
        let hand = hand.filter(|&u| self.s.frames.last() == Some(&Frame::Hand) && self.may_leave(u));
        let free = self.s.stacks.units().filter(|&u| self.may_leave(u) && !self.s.hand.contains(&u));
        let free = free.filter(|&u| self.may_pick(Side::One, u) && self.leaves_by(g, u).is_some());
        let able: u8 = hand.chain(free).map(|u| self.s.steps[u.ix()]).sum();
        g.gone + able >= v.exit_steps
    }

    /// How a unit that has not moved could leave by a gate in this phase: the first choice with it in hand.
    fn leaves_by(&self, g: &Gate, u: Unit) -> Option<Choice> {
        let grid = self.data.map.grid();
        let at = self.on_map(u)?;
        if !g.edge.iter().any(|h| grid.distance(at, h) <= NEAR) {
            return None;
        }
        let mut p = self.clone();
        p.s.frames.clear();
        p.pick(u);
        p.step_out(g)
    }

    /// With units in hand: out, or to the edge if they can go on from there.
    fn step_out(&self, g: &Gate) -> Option<Choice> {
        let mut list = Vec::new();
        self.list_hand(&mut list);
        let out =
            |c: &&Choice| c.verb == verbs::EXIT && matches!(c.object, Object::Box(b) if g.boxes.contains(&b));
        if let Some(c) = list.iter().find(out) {
            return Some(*c);
        }
        let grid = self.data.map.grid();
        let mut dice = game::QuickDice::new(1);
        let mut then = Vec::new();
        let to_edge = |c: &&Choice| match c.object {
            Object::Route(r) => c.verb == verbs::GO && g.edge.contains(r.end(grid)),
            _ => false,
        };
        list.iter().filter(to_edge).copied().find(|&c| {
            let mut p = self.clone();
            p.play_hand(c, &mut Cx { dice: &mut dice, tell: &mut game::Quiet });
            if p.s.frames.last() != Some(&Frame::Hand) {
                return false;
            }
            then.clear();
            p.list_hand(&mut then);
            then.iter().any(|c| out(&c))
        })
    }

    /// Nothing in hand: the next unit that leaves for points.
    pub(super) fn answer_leaving(&self, choices: &[Choice]) -> Option<Choice> {
        if self.s.step != Step::Move(Side::One) {
            return None;
        }
        let needed = self.scenario().victory.exit_steps;
        for g in self.gates() {
            if g.gone >= needed || !self.pays(&g) {
                continue;
            }
            // The weak leave first: five steps are five steps.
            let mut able: Vec<(f64, Choice)> = choices
                .iter()
                .filter(|c| c.verb == verbs::PICK)
                .filter_map(|c| unit(c).map(|u| (u, *c)))
                .filter(|(u, _)| self.may_leave(*u) && self.leaves_by(&g, *u).is_some())
                .map(|(u, c)| (self.strength(u) / f64::from(self.s.steps[u.ix()]), c))
                .collect();
            able.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            if let Some((_, c)) = able.first() {
                return Some(*c);
            }
        }
        None
    }

    /// Units in hand that leave for points.
    pub(super) fn answer_out(&self, choices: &[Choice]) -> Option<Choice> {
        if self.s.step != Step::Move(Side::One) || !self.s.hand.iter().all(|&u| self.may_leave(u)) {
            return None;
        }
        first(choices, verbs::STOP)?;
        self.gates().iter().filter(|g| self.pays(g)).find_map(|g| self.step_out(g))
    }
}
