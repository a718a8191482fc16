//! 6 Movement.

use crate::state::{Exercise, Frame};
use crate::units::Units;
use crate::verbs::{DONE, GO, PICK, STAY};
use game::{Choice, Illegal, Line, Object, Teller};
use hex::{Dir, Hex, Route};
use std::cell::RefCell;
use table::{Place, Points, Rule, Subject, Sum, Unit};
use text::count;

/// The room in which moves are worked out, kept by the thread: no list of choices allocates.
#[derive(Default)]
struct Room {
    /// By hex: the fewest half points found so far; 255 is not reached.
    best: Vec<u8>,
    /// By half points spent: hexes and the way to each.
    buckets: Vec<Vec<(Hex, Route)>>,
}

/// Half points that lead anywhere on the map, to say what a hex out of reach would cost.
const FAR: u8 = 120;

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

impl Exercise {
    /// 6.1 A unit's movement in half points; 4.3 halved, rounded up, without supply.
    pub(crate) fn allowance(&self, u: Unit) -> u8 {
        let full = self.face(u).movement;
        2 * if self.out_of_supply(u) { full.div_ceil(2) } else { full }
    }

    fn allowance_sum(&self, u: Unit) -> Sum {
        let mut sum = Sum::new();
        sum.unit(Rule("6.1"), "movement", u, i32::from(self.face(u).movement));
        sum.bring_to(Rule("4.3"), "out of supply", Points::halves(i32::from(self.allowance(u))));
        sum
    }

    /// 6.7 Units in hand move as far as the slowest.
    fn together(&self, units: Units) -> u8 {
        units.iter().map(|u| self.allowance(u)).min().unwrap_or(0)
    }

    pub(crate) fn list_movement(&self, out: &mut Vec<Choice>) {
        out.extend(self.on_map(self.active).filter(|&u| !self.moved.has(u)).map(|u| Choice::unit(PICK, u)));
        out.push(Choice::button(DONE));
    }

    pub(crate) fn list_moving(&self, units: Units, out: &mut Vec<Choice>) {
        let Some(start) = units.first().and_then(|u| self.stacks.hex(u)) else {
            out.push(Choice::button(STAY));
            return;
        };
        let fellows = self.stacks.at(start).filter(|&u| !units.has(u) && !self.moved.has(u));
        out.extend(fellows.map(|u| Choice::unit(PICK, u)));
        let many = units.count() as usize;
        self.reach(start, self.together(units), |h, _, route| {
            if h != start && self.stacks.height(h) + many <= self.data.stacking {
                out.push(Choice::route(GO, route));
            }
        });
        out.push(Choice::button(STAY));
    }

    /// All hexes within so many half points with a cheapest way, cheapest first; [`Exercise::step_fault`] must agree.
    ///
    /// `hex::Reach` answers the same question for large maps; here nearly every hex reached becomes a choice with
    /// its path, so the paths are grown along with the field instead of being traced back one by one.
    pub(crate) fn reach(&self, start: Hex, budget: u8, mut visit: impl FnMut(Hex, u8, Route)) {
        let foe = self.stacks.holder(start).unwrap_or(self.active).foe();
        let enemies = self.stacks.occupied(foe);
        ROOM.with_borrow_mut(|room| {
            let Room { best, buckets } = room;
            best.clear();
            best.resize(self.data.ways.len(), u8::MAX);
            if buckets.len() <= usize::from(budget) {
                buckets.resize_with(usize::from(budget) + 1, Vec::new);
            }
            let Some(first) = best.get_mut(start.ix()) else { return };
            *first = 0;
            buckets[0].push((start, Route::from(start)));
            for spent in 0..=budget {
                let mut bucket = std::mem::take(&mut buckets[usize::from(spent)]);
                for &(h, route) in &bucket {
                    if best[h.ix()] != spent {
                        continue;
                    }
                    visit(h, spent, route);
                    if h != start && self.zoc(foe, h) {
                        continue;
                    }
                    for (i, w) in self.data.ways(h).iter().enumerate() {
                        let cost = spent + w.cost;
                        if w.cost == 0 || cost > budget || cost >= best[w.to.ix()] {
                            continue;
                        }
                        if enemies.contains(w.to) {
                            continue;
                        }
                        let Some(route) = route.push(Dir::from_ix(i)) else { continue };
                        best[w.to.ix()] = cost;
                        buckets[usize::from(cost)].push((w.to, route));
                    }
                }
                bucket.clear();
                buckets[usize::from(spent)] = bucket;
            }
        });
    }

    /// What forbids the step from one hex to the next, if anything does.
    fn step_fault(&self, start: Hex, from: Hex, to: Hex) -> Option<Illegal> {
        let name = |h| self.data.hex_name(h);
        let cost = self.data.way(from, to).map_or(0, |(_, w)| w.cost);
        if cost == 0 {
            return Some(Illegal::new(
                Rule("6.2"),
                format!("nothing can move from {} to {}", name(from), name(to)),
            ));
        }
        if self.stacks.holder(to) == Some(self.active.foe()) {
            return Some(Illegal::new(Rule("6.8"), format!("the enemy is in {}", name(to))));
        }
        if from != start && self.zoc(self.active.foe(), from) {
            let why = format!("{} is in an enemy zone of control: the move ends there", name(from));
            return Some(Illegal::new(Rule("6.5"), why));
        }
        None
    }

    /// What a path costs, hex by hex (6.2, 6.3, 6.4).
    pub(crate) fn path_sum(&self, route: Route) -> Sum {
        let mut sum = Sum::new();
        let chart = &self.data.terrain;
        let board = &self.data.board;
        let mut from = route.start();
        for dir in route.dirs() {
            let Some(to) = board.grid().neighbour(from, dir) else { break };
            if chart.road(board, from, dir) {
                let cost = Points::halves(i32::from(chart.road_halves()));
                sum.add(Rule("6.4"), "road to", Subject::Hex(to), cost);
            } else {
                let ground = i32::from(chart.cost(board, to).unwrap_or(0));
                sum.add(Rule("6.2"), "ground at", Subject::Hex(to), Points::whole(ground));
                for (e, bridged) in chart.hexsides(board, board.edge(from, dir)) {
                    if !bridged {
                        let extra = Points::whole(i32::from(e.extra));
                        sum.add(Rule("6.3"), "water before", Subject::Hex(to), extra);
                    }
                }
            }
            from = to;
        }
        sum
    }

    /// 6.1 Each unit moves once.
    pub(crate) fn why_not_pick(&self, o: Object, in_hand: Option<Units>) -> Option<Illegal> {
        let Object::Unit(u) = o else { return Some(Illegal::new(Rule("6.1"), "name a unit to move")) };
        let code = self.data.lexicon.unit(u);
        let at = if u.ix() < self.stacks.len() { self.stacks.hex(u) } else { None };
        if at.is_none() || self.data.sides[u.ix()] != self.active {
            return Some(Illegal::new(Rule("6.1"), format!("{code} is not a unit of yours on the map")));
        }
        if self.moved.has(u) || in_hand.is_some_and(|units| units.has(u)) {
            return Some(Illegal::new(Rule("6.1"), format!("{code} has already moved or is in hand")));
        }
        let start = in_hand.and_then(Units::first).and_then(|v| self.stacks.hex(v));
        (start.is_some() && start != at).then(|| {
            Illegal::new(
                Rule("6.7"),
                format!("{code} is not in the hex of the units in hand; move those first"),
            )
        })
    }

    /// Why the units in hand cannot end in a hex at all, by whatever path.
    fn why_not_reach(&self, end: Hex, units: Units) -> Illegal {
        let name = self.data.hex_name(end);
        if !self.data.can_stand(end) {
            return Illegal::new(Rule("6.2"), format!("nothing can enter {name}"));
        }
        if self.stacks.holder(end) == Some(self.active.foe()) {
            return Illegal::new(Rule("6.8"), format!("the enemy is in {name}"));
        }
        let start = units.first().and_then(|u| self.stacks.hex(u)).unwrap_or(Hex::NONE);
        let mut way = None;
        self.reach(start, FAR, |h, _, route| {
            if h == end {
                way = Some(route);
            }
        });
        match way.map(|route| self.why_not_go(Object::Route(route), units)) {
            Some(Some(why)) => why,
            Some(None) => Illegal::new(Rule("6.1"), "name the hexes of the path, as in go 0305-0405"),
            None => Illegal::new(
                Rule("6.5"),
                format!("enemies and their zones of control bar every way to {name}"),
            ),
        }
    }

    pub(crate) fn why_not_go(&self, o: Object, units: Units) -> Option<Illegal> {
        if let Object::Hex(end) = o {
            return Some(self.why_not_reach(end, units));
        }
        let Object::Route(route) = o else {
            return Some(Illegal::new(Rule("6.1"), "name the hexes of the path, as in go 0305-0405"));
        };
        let start = units.first().and_then(|u| self.stacks.hex(u));
        if start != Some(route.start()) || route.is_empty() {
            return Some(Illegal::new(
                Rule("6.1"),
                "the path must begin where the units in hand are, and lead away",
            ));
        }
        let grid = self.data.board.grid();
        let mut from = route.start();
        let mut spent = 0u32;
        for dir in route.dirs() {
            let Some(to) = grid.neighbour(from, dir) else {
                return Some(Illegal::new(Rule("6.2"), "the path leaves the map"));
            };
            if let Some(fault) = self.step_fault(route.start(), from, to) {
                return Some(fault);
            }
            spent += u32::from(self.data.ways(from)[dir.ix()].cost);
            from = to;
        }
        if from == route.start() {
            return Some(Illegal::new(Rule("6.1"), "the path ends where it begins; stay instead"));
        }
        let has = self.together(units);
        if spent > u32::from(has) {
            let slowest = units.iter().min_by_key(|&u| self.allowance(u));
            let mut why = format!(
                "needs {} movement points, has {}",
                Points::halves(spent as i32),
                Points::halves(i32::from(has))
            );
            if let Some(u) = slowest.filter(|&u| self.out_of_supply(u)) {
                why = format!("{why} ({})", self.data.lexicon.sum(&self.allowance_sum(u)));
            }
            return Some(Illegal::new(Rule("6.1"), why).because(self.path_sum(route)));
        }
        let many = self.stacks.height(from) + units.count() as usize;
        (many > self.data.stacking).then(|| {
            let (name, most) = (self.data.hex_name(from), self.data.stacking);
            Illegal::new(
                Rule("6.6"),
                format!("{name} would hold {}; at most {most} may end there", count(many, "unit")),
            )
        })
    }

    /// 6.7 Takes a unit in hand, or one more.
    pub(crate) fn pick(&mut self, u: Unit) {
        match self.top() {
            Frame::Moving(units) => self.replace(Frame::Moving(units.with(u))),
            _ => self.frames.push(Frame::Moving(Units::one(u))),
        }
    }

    /// Leaves the units in hand where they are.
    pub(crate) fn stay(&mut self, units: Units) {
        self.moved = Units(self.moved.0 | units.0);
        self.leave();
    }

    /// 6.1 Moves the units in hand; 1.4 towns on the way change hands.
    pub(crate) fn go(&mut self, units: Units, route: Route, tell: &mut dyn Teller) {
        let data = std::sync::Arc::clone(&self.data);
        let grid = data.board.grid();
        let mut end = route.start();
        for dir in route.dirs() {
            let Some(to) = grid.neighbour(end, dir) else { break };
            self.claim(to, self.active);
            end = to;
        }
        for u in units.iter() {
            self.put(u, Place::Hex(end));
        }
        self.moved = Units(self.moved.0 | units.0);
        self.leave();
        if tell.listening() {
            let names: Vec<_> = units.iter().map(|u| self.named(u)).collect();
            let from = data.hex_name(route.start());
            let text = format!("{} moves from {from} to {}.", names.join(" with "), data.hex_name(end));
            let sum = self.path_sum(route);
            let mut line = Line::new("move", Rule("6.1"), text).fact("cost", sum.total()).sum("cost", sum);
            line.hexes.extend(route.hexes(grid));
            tell.tell(line);
        }
    }
}
