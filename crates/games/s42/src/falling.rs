//! Section 12: a retreat as it is asked for and carried out, and what it costs.

use crate::battle::{At, Cause, Falling, Kind, Stage};
use crate::combat::no;
use crate::retreat::End;
use crate::state::{Cx, Frame, Pos, flag};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, HexSet, Route};
use table::{BoxId, Place, Rule, Unit};
use text::count;

impl Pos {
    /// 12.1.1: the defenders fall back; those who fled here before do not survive it (12.4).
    pub(crate) fn begin_retreat(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let (hex, side, kind) = (b.hex, b.side, b.kind);
        let foe = side.foe();
        self.set_at(At::Vacated);
        if kind == Kind::Regular {
            let fled: Vec<Unit> = self
                .of_side(foe, hex)
                .filter(|&u| self.combat(u) && self.flagged(u, flag::RETREATED))
                .collect();
            for u in fled {
                self.destroy(u, "12.4", "fled here and cannot flee again", cx);
            }
        }
        let Some(b) = self.battle() else { return };
        let f = self.would_fall(b);
        if f.units.iter().any(|&u| self.combat(u)) {
            self.fall_back(f);
        }
    }

    /// Puts a retreat on the table.
    pub(crate) fn fall_back(&mut self, mut f: Falling) {
        f.hand = f.units.clone();
        self.s.fight.falling.push(f);
        self.s.frames.push(Frame::Fight(Stage::Retreat));
    }

    /// Eliminates a unit, and the story says why.
    pub(crate) fn destroy(&mut self, u: Unit, rule: &'static str, why: &str, cx: &mut Cx<'_>) {
        let at = self.on_map(u);
        let code = self.code(u).to_string();
        cx.say(|| {
            let mut line = Line::new("eliminated", Rule(rule), format!("{code} {why}: eliminated."));
            line.hexes.extend(at);
            line.fact("eliminated", &code)
        });
        self.ground_air(u);
        self.eliminate(u);
    }

    /// Settles what leaves no choice in a retreat; true if nobody is to be asked now.
    pub(crate) fn forced_retreat(&mut self, cx: &mut Cx<'_>) -> bool {
        let Some(f) = self.s.fight.falling.last() else {
            self.s.frames.pop();
            return true;
        };
        let mut f = f.clone();
        let from = f.from;
        f.units.retain(|&u| self.on_map(u) == Some(from));
        // 19.3: Non-Combat Units go back only with somebody.
        if !f.units.iter().any(|&u| self.combat(u)) && f.cause != Cause::Combat {
            f.units.retain(|&u| f.hand.contains(&u));
        }
        f.hand.retain(|u| f.units.contains(u));
        if f.units.is_empty() {
            self.s.fight.falling.pop();
            self.s.frames.pop();
            self.check_city_battles();
            return true;
        }
        if f.hand.is_empty() {
            f.hand.clone_from(&f.units);
        }
        let side = f.side;
        if let Some(own) = self.s.fight.falling.last_mut() {
            *own = f;
        }
        self.check_supply(side);
        let Some(f) = self.s.fight.falling.last() else { return true };
        let ends = self.retreat_ends(f, &f.hand);
        let areas = self.fall_areas(f, &f.hand);
        if ends.is_empty() && areas.is_empty() {
            if f.hand.len() > 1 {
                let one = f.hand[0];
                if let Some(f) = self.s.fight.falling.last_mut() {
                    f.hand = vec![one];
                }
                return true;
            }
            let u = f.hand[0];
            if self.combat(u) {
                self.destroy(u, "12.2", "has nowhere to retreat to", cx);
            } else {
                self.destroy(u, "19.3", "cannot get away", cx);
            }
            return true;
        }
        if f.hand.len() == 1 && ends.len() == 1 && areas.is_empty() && self.only_way(f, ends[0]) {
            let e = ends[0];
            self.fall(e.route, e.price, cx);
            return true;
        }
        false
    }

    /// Whether an end has nothing to be decided about it.
    fn only_way(&self, f: &Falling, e: End) -> bool {
        e.price == 0 && (f.least == f.most || f.cause == Cause::Disengagement)
    }

    pub(crate) fn ask_retreat(&self, hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        let Some(f) = self.s.fight.falling.last() else { return ("12.1", "retreat", String::new()) };
        hexes.clear();
        hexes.push(f.from);
        let who = self.codes(&f.hand);
        let far =
            if f.least == f.most { format!("{}", f.most) } else { format!("{} or {}", f.least, f.most) };
        let rule = match f.cause {
            Cause::Automatic => "13.3.2",
            Cause::Disengagement => "27.2.3",
            Cause::Delay => "11.6.1",
            Cause::Combat => "12.1.1",
        };
        (
            rule,
            "retreat",
            format!("{who} must retreat {} from {}: where to?", count(far, "hex"), self.called(f.from)),
        )
    }

    pub(crate) fn retreat_choices(&self, out: &mut Vec<Choice>) {
        let Some(f) = self.s.fight.falling.last() else { return };
        let mut seen = HexSet::empty();
        let mut ends = self.retreat_ends(f, &f.hand);
        ends.sort_by_key(|e| (e.price, e.hex));
        for e in ends {
            if seen.insert(e.hex) {
                out.push(Choice::route(verbs::RETREAT, e.route));
            }
        }
        for b in self.fall_areas(f, &f.hand) {
            out.push(Choice { verb: verbs::EXIT, object: Object::Box(b) });
        }
        if f.hand.len() > 1 {
            out.extend(
                f.hand.iter().filter(|&&u| self.may_part(f, u)).map(|&u| Choice::unit(verbs::DROP, u)),
            );
        }
    }

    /// Whether a unit may go its own way: those in hand keep a Combat Unit, or are single.
    fn may_part(&self, f: &Falling, u: Unit) -> bool {
        f.hand.len() > 1 && f.hand.contains(&u)
    }

    /// 12.1.3, 12.2: what is wrong with a way back; the end is judged by those that are left.
    fn why_not_route(&self, f: &Falling, r: Route) -> Option<Illegal> {
        let grid = self.data.map.grid();
        if r.start() != f.from || r.is_empty() {
            return no("12.1.1", "a retreat begins in the hex of the battle and leads out of it");
        }
        let (mut at, mut bound) = (f.from, false);
        let mut len = 0usize;
        for d in r.dirs() {
            let Some(to) = grid.neighbour(at, d) else { return no("12.2", "that way leads off the map") };
            len += 1;
            if to == f.from {
                return no("12.1.1", "a retreat does not lead back to where it began");
            }
            if let Some((rule, why)) = self.why_no_step(f, &f.hand, at, d, to) {
                return no(rule, format!("{} {why}", self.called(to)));
            }
            let z = self.bad_zoc(f.side, to, &f.hand);
            if z && bound {
                return no("12.2", format!("{} is the second hex of enemy ZOC in a row", self.called(to)));
            }
            (at, bound) = (to, z);
        }
        let ends = self.retreat_ends(f, &f.hand);
        let fits = |e: &End| e.hex == at && e.route.len() == len;
        if ends.iter().any(fits) {
            return None;
        }
        let (full, _, paid) = self.survivals(f, &f.hand);
        if bound && len >= usize::from(f.least) {
            return no(
                "12.2",
                format!("{} is in an enemy ZOC: the retreat may not end there", self.called(at)),
            );
        }
        let los = &self.s.supplied.los[f.side.ix()];
        if full.iter().chain(&paid).any(fits) && !los.contains(at) && ends.iter().any(|e| los.contains(e.hex))
        {
            return no("12.1.3", format!("{} has no Line of Supply, and others have", self.called(at)));
        }
        no("12.1.3", format!("the retreat must end {} away", count(f.least, "hex")))
    }

    pub(crate) fn why_not_retreat(&self, c: &Choice) -> Option<Illegal> {
        let Some(f) = self.s.fight.falling.last() else { return no("12.1", "nobody retreats") };
        match (c.verb, c.object) {
            (verbs::RETREAT, Object::Route(r)) => self.why_not_route(f, r),
            (verbs::EXIT, Object::Box(b)) if self.fall_areas(f, &f.hand).contains(&b) => None,
            (verbs::EXIT, _) => no("22.5", "no friendly Entry Area lies that way"),
            (verbs::DROP, Object::Unit(u)) if self.may_part(f, u) => None,
            (verbs::DROP, _) => no("12.1.2", "that unit does not go with this stack, or is the last of it"),
            _ => no("12.1.1", "the units must retreat: name the way"),
        }
    }

    pub(crate) fn play_retreat(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match c.object {
            Object::Route(r) => {
                let grid = self.data.map.grid();
                let (end, len) = (r.end(grid), r.len());
                let price = self.s.fight.falling.last().map_or(0, |f| {
                    let ends = self.retreat_ends(f, &f.hand);
                    let fit = ends.iter().filter(|e| e.hex == end && e.route.len() == len);
                    fit.map(|e| e.price).min().unwrap_or(0)
                });
                self.fall(r, price, cx);
            }
            Object::Box(b) => self.fall_into(b, cx),
            Object::Unit(u) => {
                if let Some(f) = self.s.fight.falling.last_mut() {
                    f.hand.retain(|&v| v != u);
                }
            }
            _ => {}
        }
    }

    /// 13.1.2, 13.1.3: what a retreat does to a unit.
    fn shaken(&mut self, u: Unit, rout: bool) {
        self.ground_air(u);
        self.s.plans.retain(|p| p.hq != u);
        // 34.6.2: what is still in the box of a Reserve Army fares as its defenders.
        for v in self.army_units(u) {
            self.shaken(v, rout);
        }
        let was = self.s.flags[u.ix()];
        self.unmark(u, flag::TRAIN | flag::RESERVE);
        if !self.combat(u) {
            return;
        }
        if rout || was & (flag::DISRUPTED | flag::FULL_RETREAT) != 0 {
            self.unmark(u, flag::DISRUPTED);
            self.mark(u, flag::FULL_RETREAT | flag::RETREATED);
        } else {
            self.mark(u, flag::DISRUPTED | flag::RETREATED);
        }
    }

    /// The units in hand go back along a way.
    fn fall(&mut self, r: Route, price: u8, cx: &mut Cx<'_>) {
        let Some(f) = self.s.fight.falling.last_mut() else { return };
        let (hand, side, rout, cause) = (f.hand.clone(), f.side, f.rout, f.cause);
        f.units.retain(|u| !hand.contains(u));
        let data = self.data.clone();
        let grid = data.map.grid();
        let way: Vec<Hex> = r.hexes(grid).skip(1).collect();
        let end = r.end(grid);
        for &u in &hand {
            self.put(u, Place::Hex(end));
            for &h in &way {
                self.enter(u, h);
            }
            self.shaken(u, rout);
        }
        let names = self.codes(&hand);
        let routed = hand.iter().any(|&u| self.flagged(u, flag::FULL_RETREAT));
        let name = self.called(end);
        cx.say(|| {
            let how = match (cause == Cause::Automatic, routed, hand.len() == 1) {
                (true, _, true) => "flees before the enemy",
                (true, _, false) => "flee before the enemy",
                (_, true, true) => "falls back in Full Retreat",
                (_, true, false) => "fall back in Full Retreat",
                (_, false, true) => "falls back Disrupted",
                (_, false, false) => "fall back Disrupted",
            };
            Line::new("retreat", Rule("12.1.1"), format!("{names} {how} to {name}."))
                .at(end)
                .fact("retreat", grid.name(end))
        });
        if hand.iter().any(|&u| self.combat(u)) {
            for &h in &way {
                self.overrun_non_combat(side, h, cx);
                self.alarm(side, h, cx);
                self.push_automatic(side, h);
            }
        }
        if price > 0 {
            if let Some(f) = self.s.fight.falling.last_mut() {
                f.hand = hand;
            }
            self.s.frames.push(Frame::Fight(Stage::Price { left: price }));
        }
    }

    /// 22.5: the units in hand leave the map into a friendly Entry Area.
    fn fall_into(&mut self, b: BoxId, cx: &mut Cx<'_>) {
        let Some(f) = self.s.fight.falling.last_mut() else { return };
        let (hand, rout) = (f.hand.clone(), f.rout);
        f.units.retain(|u| !hand.contains(u));
        for &u in &hand {
            self.shaken(u, rout);
            self.put(u, Place::Box(b));
            self.mark(u, flag::JUST_IN);
        }
        let names = self.codes(&hand);
        let label = self.data.box_label(b).to_string();
        let how = if hand.len() == 1 { "retreats" } else { "retreat" };
        cx.say(|| Line::new("retreat", Rule("22.5"), format!("{names} {how} into {label}.")));
    }

    /// 12.1.3: who can pay for a shorter retreat.
    pub(crate) fn payers(&self) -> Vec<Unit> {
        let Some(f) = self.s.fight.falling.last() else { return Vec::new() };
        f.hand.iter().copied().filter(|&u| self.combat(u) && self.alive(u)).collect()
    }

    pub(crate) fn forced_price(&mut self, left: u8, cx: &mut Cx<'_>) -> bool {
        match self.payers()[..] {
            [] => {
                self.s.frames.pop();
                true
            }
            [u] => {
                self.pay(u, left, cx);
                true
            }
            _ => false,
        }
    }

    fn pay(&mut self, u: Unit, left: u8, cx: &mut Cx<'_>) {
        self.s.frames.pop();
        let leaving = self.s.fight.falling.last().is_some_and(|f| f.cause == Cause::Disengagement);
        self.lose(u, if leaving { "27.2.3" } else { "12.1.3" }, cx);
        if left > 1 {
            self.s.frames.push(Frame::Fight(Stage::Price { left: left - 1 }));
        }
    }

    pub(crate) fn why_not_price(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::LOSS, Object::Unit(u)) if self.payers().contains(&u) => None,
            _ => no("12.1.3", "one of the units that retreated pays with a step"),
        }
    }

    pub(crate) fn play_price(&mut self, left: u8, c: Choice, cx: &mut Cx<'_>) {
        if let Object::Unit(u) = c.object {
            self.pay(u, left, cx);
        }
    }

    /// 12.3: whether the defenders are gone.
    pub(crate) fn see_vacated(&mut self) {
        let Some(b) = self.battle() else { return };
        let gone = !self.has_combat(b.side.foe(), b.hex);
        if let Some(b) = self.battle_mut() {
            b.gone = gone;
            b.at = At::Escort;
        }
    }
}
