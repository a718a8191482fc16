//! Section 14: the hexes of an advance, one after the other.

use crate::battle::{Advancing, Scope};
use crate::combat::no;
use crate::map::side;
use crate::state::{Cx, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Dir, Hex, HexSet, Route};
use table::{BoxId, Place, Rule, Side, Unit};
use text::count;

impl Pos {
    /// 14.2-14.5: why a unit may not take a hex of its advance.
    pub(crate) fn why_no_stride(
        &self,
        a: &Advancing,
        u: Unit,
        from: Hex,
        d: Dir,
        to: Hex,
        first: bool,
    ) -> Option<Illegal> {
        let own = a.side;
        let code = self.code(u);
        if self.has_combat(own.foe(), to) && !self.contested(to) {
            return no("14.3", format!("{} holds an enemy", self.called(to)));
        }
        if !self.passable(u, from, d, to) {
            return no("14.5", format!("{code} cannot move into {}", self.called(to)));
        }
        let into = to == a.hex;
        if a.scope == Scope::Limited && !into {
            return no("14.2.3", "a Limited Advance leads into the vacated hex and no farther");
        }
        if !into && self.bonded(own, from, d, to) {
            return no("14.4.1", format!("{} lies in or behind an enemy bond", self.called(to)));
        }
        let river_first = into && first && a.scope != Scope::Reserve;
        if !river_first && !self.bridged(own, from, d, to, self.combat(u)) {
            return no(
                "14.5",
                "an unbridged Major River is crossed only with the first hex, into the vacated one",
            );
        }
        let bits = self.data.map.sides[from.ix()][d.ix()];
        let ground = self.data.map.ground(to, self.s.wet);
        if ground.mech_advance_by_road_only && self.is(u, is::MECH) && bits & side::ROAD == 0 {
            return no("14.5", format!("{code} advances into mountains by road only"));
        }
        None
    }

    /// 14.4.2, 14.5: whether an advance ends in the hex it enters.
    pub(crate) fn halts(&self, a: &Advancing, from: Hex, d: Dir, to: Hex) -> bool {
        let bits = self.data.map.sides[from.ix()][d.ix()];
        let ground = self.data.map.ground(to, self.s.wet);
        let zoc = self.in_ezoc(a.side, to) && to != a.hex;
        zoc || a.scope == Scope::Limited || ground.stops_advance && bits & side::ROAD == 0
    }

    /// Whether a unit fits into a hex where its advance ends (14.1).
    pub(crate) fn room(&self, own: Side, h: Hex, units: &[Unit]) -> bool {
        self.fits(own, &self.load_with(own, h, units))
    }

    /// Every hex that a unit, or a group, can advance to with so many hexes left.
    pub(crate) fn strides(&self, a: &Advancing, units: &[Unit], left: u8, begun: bool) -> Vec<(Hex, Route)> {
        self.strides_by(a, units, left, begun, None)
    }

    /// The same by ways whose first hex is this one, if one is named.
    pub(crate) fn strides_by(
        &self,
        a: &Advancing,
        units: &[Unit],
        left: u8,
        begun: bool,
        by: Option<Hex>,
    ) -> Vec<(Hex, Route)> {
        let Some(from) = units.first().and_then(|&u| self.on_map(u)) else { return Vec::new() };
        let grid = self.data.map.grid();
        let mut seen = HexSet::empty();
        seen.insert(from);
        let mut out = Vec::new();
        let mut layer = vec![(from, Route::from(from))];
        for n in 0..left {
            let mut next = Vec::new();
            for &(h, route) in &layer {
                for (d, to) in grid.neighbours(h) {
                    let first = n == 0 && !begun;
                    if seen.contains(to)
                        || n == 0 && by.is_some_and(|b| b != to)
                        || units.iter().any(|&u| self.why_no_stride(a, u, h, d, to, first).is_some())
                    {
                        continue;
                    }
                    let Some(route) = route.push(d) else { continue };
                    seen.insert(to);
                    if self.room(a.side, to, units) {
                        out.push((to, route));
                    }
                    if !self.halts(a, h, d, to) {
                        next.push((to, route));
                    }
                }
            }
            layer = next;
        }
        out
    }

    /// Why a way may not be taken in an advance.
    pub(crate) fn why_not_stride_route(
        &self,
        a: &Advancing,
        units: &[Unit],
        left: u8,
        begun: bool,
        r: Route,
    ) -> Option<Illegal> {
        let grid = self.data.map.grid();
        let Some(from) = units.first().and_then(|&u| self.on_map(u)) else {
            return no("14.1", "those units are not on the map");
        };
        if r.start() != from || r.is_empty() {
            return no("14.3", "an advance begins where the units are");
        }
        if r.len() > usize::from(left) {
            return no("14.2.1", format!("the advance has {} left", count(left, "hex")));
        }
        let mut at = from;
        let mut halted = false;
        for (n, d) in r.dirs().enumerate() {
            let Some(to) = grid.neighbour(at, d) else { return no("14.3", "that way leads off the map") };
            if halted {
                return no("14.4.2", format!("the advance ends in {}", self.called(at)));
            }
            for &u in units {
                if let Some(i) = self.why_no_stride(a, u, at, d, to, n == 0 && !begun) {
                    return Some(i);
                }
            }
            halted = self.halts(a, at, d, to);
            at = to;
        }
        if at == from {
            return no("14.3", "an advance leads to another hex");
        }
        (!self.room(a.side, at, units))
            .then(|| Illegal::new(Rule("14.1"), format!("{} would hold too many units", self.called(at))))
    }

    /// Units enter a hex in an advance, with all that this brings; true if somebody is asked first.
    pub(crate) fn stride_into(&mut self, units: &[Unit], to: Hex, cx: &mut Cx<'_>) -> bool {
        let Some(&first) = units.first() else { return false };
        let own = self.side(first);
        for &u in units {
            self.put(u, Place::Hex(to));
        }
        for &u in units {
            self.enter(u, to);
        }
        if !units.iter().any(|&u| self.combat(u)) {
            return false;
        }
        self.overrun_non_combat(own, to, cx);
        self.alarm(own, to, cx);
        let before = self.s.frames.len();
        self.push_automatic(own, to);
        self.s.frames.len() > before
    }

    pub(crate) fn ask_stride(&self, hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        hexes.clear();
        let Some(u) = self.advancing().and_then(|a| a.hand) else { return ("14.3", "stride", String::new()) };
        hexes.extend(self.on_map(u));
        let left = self.strider(u).map_or(0, |s| s.left);
        ("14.3", "stride", format!("Advance {}: {} left.", self.code(u), count(left, "hex")))
    }

    /// Whether the unit in hand has come to an end.
    pub(crate) fn stride_settled(&mut self) -> bool {
        let Some((a, u)) = self.advancing().and_then(|a| Some((a, a.hand?))) else {
            self.s.frames.pop();
            return true;
        };
        let goes = self.strider(u).is_some_and(|s| {
            let off = || !self.ways_off(a, &s).is_empty();
            self.alive(u) && (!self.strides(a, &[u], s.left, s.begun).is_empty() || off())
        });
        if !goes {
            self.put_down();
        }
        !goes
    }

    fn put_down(&mut self) {
        self.s.frames.pop();
        if let Some(a) = self.advancing_mut() {
            a.hand = None;
        }
    }

    pub(crate) fn stride_choices(&self, out: &mut Vec<Choice>) {
        let Some((a, u)) = self.advancing().and_then(|a| Some((a, a.hand?))) else { return };
        if let Some(s) = self.strider(u) {
            let all = self.strides(a, &[u], s.left, s.begun);
            out.extend(all.into_iter().map(|(_, r)| Choice::route(verbs::GO, r)));
            let off = self.ways_off(a, &s).into_iter();
            out.extend(off.map(|b| Choice { verb: verbs::EXIT, object: Object::Box(b) }));
        }
        out.push(Choice::button(verbs::STOP));
    }

    pub(crate) fn why_not_stride(&self, c: &Choice) -> Option<Illegal> {
        let Some((a, u)) = self.advancing().and_then(|a| Some((a, a.hand?))) else {
            return no("14.3", "nothing is in hand");
        };
        match (c.verb, c.object, self.strider(u)) {
            (verbs::STOP, Object::Nothing, _) => None,
            (verbs::GO, Object::Route(r), Some(s)) => self.why_not_stride_route(a, &[u], s.left, s.begun, r),
            (verbs::EXIT, Object::Box(b), Some(s)) if self.ways_off(a, &s).contains(&b) => None,
            (verbs::EXIT, ..) => no("22.3.1", "no friendly Entry Area lies beside the unit"),
            _ => no("14.3", "advance the unit in hand along a way, or put it down"),
        }
    }

    pub(crate) fn play_stride(&mut self, c: Choice, cx: &mut Cx<'_>) {
        let Some(u) = self.advancing().and_then(|a| a.hand) else { return };
        if let Object::Box(b) = c.object {
            self.advance_off(u, b, cx);
            return;
        }
        let Object::Route(r) = c.object else {
            self.put_down();
            return;
        };
        let end = self.walk(&[u], r, cx);
        if end == r.start() {
            return;
        }
        let (code, name) = (self.code(u).to_string(), self.called(end));
        cx.say(|| Line::new("advance", Rule("14.3"), format!("{code} advances to {name}.")).at(end));
    }

    /// 22.3.1: a unit ends its advance in a friendly Entry Area.
    fn advance_off(&mut self, u: Unit, b: BoxId, cx: &mut Cx<'_>) {
        self.put(u, Place::Box(b));
        self.mark(u, flag::JUST_IN);
        if let Some(s) = self.strider_mut(u) {
            (s.left, s.begun) = (0, true);
        }
        let text = format!("{} advances into {}.", self.code(u), self.data.box_label(b));
        cx.say(|| Line::new("advance", Rule("22.3.1"), text));
    }

    /// Takes units along a way of an advance, hex by hex, until it ends or somebody must be asked.
    pub(crate) fn walk(&mut self, units: &[Unit], r: Route, cx: &mut Cx<'_>) -> Hex {
        let data = self.data.clone();
        let grid = data.map.grid();
        let mut at = r.start();
        for d in r.dirs() {
            let Some(to) = grid.neighbour(at, d) else { break };
            // 34.6.2: what looked like an empty army may not be.
            let axis = units.first().is_some_and(|&u| self.side(u) == Side::One);
            if axis && units.iter().any(|&u| self.combat(u)) && self.army_stands(to, cx) {
                if self.advancing().is_some_and(|a| a.hex != at) {
                    self.halt(units);
                }
                break;
            }
            let halted = self.advancing().is_some_and(|a| self.halts(a, at, d, to));
            let asked = self.stride_into(units, to, cx);
            at = to;
            for &u in units {
                if let Some(s) = self.strider_mut(u) {
                    s.left = s.left.saturating_sub(1);
                    s.begun = true;
                }
            }
            if halted {
                self.halt(units);
            }
            if asked || halted {
                break;
            }
        }
        at
    }

    /// An advance ends where it stands; a Breakthrough Group may still fight its way out (15.2.6).
    fn halt(&mut self, units: &[Unit]) {
        let group = self.advancing().is_some_and(|a| units.iter().all(|u| a.group.contains(u)));
        if group {
            if let Some(a) = self.advancing_mut() {
                a.stuck = true;
            }
            return;
        }
        for &u in units {
            if let Some(s) = self.strider_mut(u) {
                s.left = 0;
            }
        }
    }
}
