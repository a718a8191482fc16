//! Section 15: the Breakthrough Group, its itemised cost, and the combats of its advance.

use crate::battle::{Advancing, At, Battle, Kind, Scope, Stage};
use crate::combat::no;
use crate::map::side;
use crate::state::{Cx, Frame, Pos};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, Route};
use table::{Rule, Side, Unit};
use text::count;

impl Pos {
    /// Units that took part, have hexes left and can enter the vacated hex: they may form the group there (15.2.3).
    fn formers(&self, a: &Advancing) -> Vec<Unit> {
        let grid = self.data.map.grid();
        let free = |s: &&crate::battle::Strider| {
            s.fought && !s.begun && s.left > 0 && self.alive(s.unit) && !a.group.contains(&s.unit)
        };
        a.units
            .iter()
            .filter(free)
            .map(|s| s.unit)
            .filter(|&u| {
                // 22.7: those who attacked out of an Entry Area come onto the map with that hex.
                let Some(from) = self.on_map(u) else { return self.may_come_in(a, u) };
                grid.dir(from, a.hex)
                    .is_some_and(|d| self.why_no_stride(a, u, from, d, a.hex, true).is_none())
                    && self.room(a.side, a.hex, &[u])
            })
            .collect()
    }

    /// 15.2.2: the units of a stack that can be the group where they stand.
    fn stack_of(&self, a: &Advancing, h: Hex) -> Vec<Unit> {
        a.units
            .iter()
            .filter(|s| s.fought && !s.begun && s.left > 1 && self.on_map(s.unit) == Some(h))
            .map(|s| s.unit)
            .collect()
    }

    /// Hexes where the group may be named: the vacated one, and those from which the attack came.
    pub(crate) fn group_hexes(&self, a: &Advancing) -> Vec<Hex> {
        if !a.may_group || a.scope != Scope::Full {
            return Vec::new();
        }
        let mut out = Vec::new();
        if !self.formers(a).is_empty() {
            out.push(a.hex);
        }
        for s in &a.units {
            if let Some(h) = self.on_map(s.unit)
                && h != a.hex
                && !out.contains(&h)
                && !self.stack_of(a, h).is_empty()
            {
                out.push(h);
            }
        }
        out
    }

    pub(crate) fn why_not_group_at(&self, a: &Advancing, h: Hex) -> Option<Illegal> {
        if self.group_hexes(a).contains(&h) {
            return None;
        }
        if !a.may_group {
            return no(
                "15.2.2",
                "one stack of each attack may break through, and only before the others advance",
            );
        }
        no("15.2.3", "the group forms in the vacated hex, or is a stack that attacked and has two hexes left")
    }

    /// 15.2.1: names the Breakthrough Group.
    pub(crate) fn name_group(&mut self, h: Hex, cx: &mut Cx<'_>) {
        let Some(a) = self.advancing() else { return };
        let forming = h == a.hex;
        let stack = self.stack_of(a, h);
        if let Some(a) = self.advancing_mut() {
            a.may_group = false;
            a.group = if forming { Vec::new() } else { stack };
            a.turned = forming;
            a.stuck = false;
            a.ended = false;
            a.cleared = Hex::NONE;
        }
        self.s.frames.push(Frame::Fight(Stage::Group));
        if forming {
            self.s.frames.push(Frame::Fight(Stage::Forming));
        } else {
            self.say_group(h, cx);
        }
    }

    fn say_group(&self, h: Hex, cx: &mut Cx<'_>) {
        let Some(a) = self.advancing() else { return };
        let (names, place) = (self.codes(&a.group), self.called(h));
        cx.say(|| {
            let how = if a.group.len() == 1 { "is" } else { "form" };
            Line::new("group", Rule("15.2.2"), format!("{names} {how} the Breakthrough Group in {place}."))
                .at(h)
        });
    }

    pub(crate) fn forming_settled(&mut self) -> bool {
        let Some(a) = self.advancing() else {
            self.s.frames.pop();
            return true;
        };
        let none = self.formers(a).is_empty();
        if none {
            self.s.frames.pop();
        }
        none
    }

    pub(crate) fn forming_choices(&self, out: &mut Vec<Choice>) {
        let Some(a) = self.advancing() else { return };
        out.extend(self.formers(a).into_iter().map(|u| Choice::unit(verbs::JOIN, u)));
        if !a.group.is_empty() {
            out.push(Choice::button(verbs::DONE));
        }
    }

    pub(crate) fn why_not_forming(&self, c: &Choice) -> Option<Illegal> {
        let Some(a) = self.advancing() else { return no("15.2.3", "nobody advances") };
        match (c.verb, c.object) {
            (verbs::JOIN, Object::Unit(u)) if self.formers(a).contains(&u) => None,
            (verbs::JOIN, Object::Unit(u)) => {
                if a.units.iter().any(|s| s.unit == u && s.fought) && !self.room(a.side, a.hex, &[u]) {
                    return no("15.2.3", "the group keeps to the stacking limit");
                }
                no("15.1", "only units that took part in the attack, and can enter the vacated hex, join")
            }
            (verbs::DONE, Object::Nothing) if !a.group.is_empty() => None,
            _ => no("15.2.3", "name who joins the group in the vacated hex"),
        }
    }

    pub(crate) fn play_forming(&mut self, c: Choice, cx: &mut Cx<'_>) {
        let Some(hex) = self.advancing().map(|a| a.hex) else { return };
        match c.object {
            Object::Unit(u) => {
                if let Some(a) = self.advancing_mut() {
                    a.group.push(u);
                }
                if let Some(s) = self.strider_mut(u) {
                    s.left = s.left.saturating_sub(1);
                    s.begun = true;
                }
                let (code, name) = (self.code(u).to_string(), self.called(hex));
                cx.say(|| {
                    Line::new(
                        "advance",
                        Rule("15.2.3"),
                        format!("{code} joins the Breakthrough Group in {name}."),
                    )
                    .at(hex)
                });
                self.stride_into(&[u], hex, cx);
                // Marsh and mountain hold the group (14.5).
                self.hold_in_rough(&[u], hex);
            }
            _ => {
                self.s.frames.pop();
                self.say_group(hex, cx);
            }
        }
    }

    /// 14.5: a unit that entered marsh or mountain off road has ended its advance.
    fn hold_in_rough(&mut self, units: &[Unit], h: Hex) {
        if !self.data.map.ground(h, self.s.wet).stops_advance {
            return;
        }
        // By road from where it attacked is the exception; the battle remembers from where.
        let Some(b) = self.battle() else { return };
        let off_road = |u: &Unit| {
            let from = b.attackers.iter().position(|v| v == u).map(|i| b.from[i]).filter(|f| f.is_some());
            let way = from.and_then(|f| self.data.map.between(f, h));
            way.is_none_or(|s| s & side::ROAD == 0)
        };
        let held: Vec<Unit> = units.iter().copied().filter(off_road).collect();
        for u in held {
            if let Some(s) = self.strider_mut(u) {
                s.left = 0;
            }
        }
    }

    /// Hexes that every unit of the group has left.
    fn group_left(&self, a: &Advancing) -> u8 {
        a.group
            .iter()
            .filter_map(|&u| a.units.iter().find(|s| s.unit == u))
            .map(|s| s.left)
            .min()
            .unwrap_or(0)
    }

    pub(crate) fn group_hex(&self, a: &Advancing) -> Option<Hex> {
        a.group.first().and_then(|&u| self.on_map(u))
    }

    /// 15.2.4: what turning away from the vacated hex costs, once.
    fn detour(&self, a: &Advancing) -> u8 {
        u8::from(!a.turned)
    }

    /// The ways that the group can go.
    fn group_ways(&self, a: &Advancing) -> Vec<(Hex, Route)> {
        if a.ended || a.stuck || a.group.is_empty() {
            return Vec::new();
        }
        let left = self.group_left(a);
        let mut out = self.strides(a, &a.group, left.saturating_sub(self.detour(a)), a.turned);
        if !a.turned {
            // Into the vacated hex and on from there nothing extra is paid.
            for (h, r) in self.strides_by(a, &a.group, left, a.turned, Some(a.hex)) {
                if !out.iter().any(|o| o.0 == h) {
                    out.push((h, r));
                }
            }
        }
        out
    }

    /// 15.2.5, 15.2.9: why the group may not fight into a hex.
    fn why_not_break(&self, a: &Advancing, h: Hex) -> Option<Illegal> {
        if a.ended {
            return no("15.2.7", "the group's advance is at an end");
        }
        let Some(from) = self.group_hex(a) else { return no("15.2.2", "there is no group") };
        if !self.data.map.grid().has(h) || !self.has_combat(a.side.foe(), h) {
            return no("15.2.5", "there is no enemy Combat Unit in that hex");
        }
        let Some(d) = self.data.map.grid().dir(from, h) else {
            return no("15.2.5", format!("{} is not beside the group", self.called(h)));
        };
        if self.contested(from) {
            return no("29.1.3", "nobody attacks out of a contested city");
        }
        let bits = self.data.map.sides[from.ix()][d.ix()];
        let by_road = bits & side::ROAD != 0;
        let mountain = self.data.map.ground(h, self.s.wet).mech_advance_by_road_only;
        for &u in &a.group {
            let barred = mountain && self.is(u, is::MECH) && !by_road;
            if !self.passable(u, from, d, h) || barred || !self.bridged(a.side, from, d, h, true) {
                return no("15.2.9", format!("{} could not advance into {}", self.code(u), self.called(h)));
            }
        }
        let cost = 1 + self.detour(a);
        if self.group_left(a) < cost {
            return no("15.2.4", format!("the combat costs {} of the advance", count(cost, "hex")));
        }
        if self.overstacked(a.side, from) {
            return no("4.4", format!("{} holds too many units", self.called(from)));
        }
        let b = self.break_battle(a, h);
        if b.attackers.is_empty() {
            return no("15.1", "nobody in the group can attack");
        }
        let lot = self.lot(&self.attack_of(&b));
        lot.column.is_none().then(|| {
            let word = crate::shifts::odds_word(lot.odds);
            Illegal::new(Rule("8.4.1"), format!("odds of {word} are below 1-3")).because(lot.attack)
        })
    }

    /// The group's attack on a hex, with the air unit that goes along (9.3.7).
    pub(crate) fn break_battle(&self, a: &Advancing, h: Hex) -> Battle {
        let mut b = Battle::new(h, a.side, Kind::Breakthrough);
        let from = self.group_hex(a).unwrap_or(Hex::NONE);
        b.attackers =
            a.group.iter().copied().filter(|&u| self.face(u).attack > 0 && self.good_order(u)).collect();
        b.from = vec![from; b.attackers.len()];
        b.air = self.s.fight.escorts.iter().find(|e| a.group.contains(&e.1)).map(|e| e.0);
        if a.side != Side::One || self.phasing() != Some(Side::One) {
            b.air = None;
        }
        b.defenders = self.defending(&b);
        b
    }

    /// Hexes into which the group can fight.
    fn break_targets(&self, a: &Advancing) -> Vec<Hex> {
        let Some(from) = self.group_hex(a) else { return Vec::new() };
        self.data
            .map
            .grid()
            .neighbours(from)
            .map(|(_, n)| n)
            .filter(|&n| self.has_combat(a.side.foe(), n) && self.why_not_break(a, n).is_none())
            .collect()
    }

    /// Whether the group may enter the hex that its last combat cleared, free of cost.
    fn may_follow(&self, a: &Advancing) -> bool {
        a.cleared.is_some()
            && !a.group.is_empty()
            && !self.has_combat(a.side.foe(), a.cleared)
            && self.room(a.side, a.cleared, &a.group)
    }

    /// Whether the group has nothing left to do.
    pub(crate) fn group_settled(&mut self) -> bool {
        let alive: Vec<Unit> = self
            .advancing()
            .map_or(Vec::new(), |a| a.group.iter().copied().filter(|&u| self.alive(u)).collect());
        if let Some(a) = self.advancing_mut() {
            a.group = alive;
        }
        let Some(a) = self.advancing() else {
            self.s.frames.pop();
            return true;
        };
        let goes = !a.group.is_empty()
            && (self.may_follow(a) || !self.group_ways(a).is_empty() || !self.break_targets(a).is_empty());
        // A stack of several may still divide to go on.
        let parts = a.group.len() > 1
            && !a.ended
            && !a.stuck
            && a.group.iter().any(|&u| self.strider(u).is_some_and(|s| s.left > 0));
        if goes || parts {
            return false;
        }
        self.end_group();
        true
    }

    /// 15.2.2: the group has finished; the others may advance.
    fn end_group(&mut self) {
        self.s.frames.pop();
        let Some(a) = self.advancing_mut() else { return };
        let group = std::mem::take(&mut a.group);
        for s in &mut a.units {
            if group.contains(&s.unit) {
                s.left = 0;
                s.begun = true;
            }
        }
        a.may_group = false;
        a.cleared = Hex::NONE;
    }

    pub(crate) fn ask_group(&self, hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        hexes.clear();
        let Some(a) = self.advancing() else { return ("15.2", "breakthrough", String::new()) };
        hexes.extend(self.group_hex(a));
        let (names, left) = (self.codes(&a.group), self.group_left(a));
        let text = if a.ended {
            format!("The breakthrough of {names} is at an end: enter the cleared hex?")
        } else if a.stuck {
            format!("{names} stand in an enemy ZOC: fight on ({} left), or stop?", count(left, "hex"))
        } else {
            format!("{names}: {} left. Go on, fight, or stop?", count(left, "hex"))
        };
        ("15.2", "breakthrough", text)
    }

    pub(crate) fn group_choices(&self, out: &mut Vec<Choice>) {
        let Some(a) = self.advancing() else { return };
        if self.may_follow(a) {
            out.push(Choice::button(verbs::ENTER));
        }
        out.extend(self.group_ways(a).into_iter().map(|(_, r)| Choice::route(verbs::GO, r)));
        out.extend(self.break_targets(a).into_iter().map(|h| Choice::hex(verbs::FIGHT, h)));
        if a.group.len() > 1 {
            out.extend(a.group.iter().map(|&u| Choice::unit(verbs::DROP, u)));
        }
        out.extend(self.group_surplus(a));
        out.push(Choice::button(verbs::STOP));
    }

    /// 4.4: the hex of the group is over the limit: before it fights, units must be removed.
    fn group_surplus(&self, a: &Advancing) -> Vec<Choice> {
        let mut out = Vec::new();
        if let Some(h) = self.group_hex(a).filter(|&h| !a.ended && self.overstacked(a.side, h)) {
            self.list_overstack(h, a.side, &mut out);
        }
        out
    }

    pub(crate) fn why_not_group(&self, c: &Choice) -> Option<Illegal> {
        let Some(a) = self.advancing() else { return no("15.2", "nobody advances") };
        match (c.verb, c.object) {
            (verbs::STOP, Object::Nothing) => None,
            (verbs::ENTER, Object::Nothing) if self.may_follow(a) => None,
            (verbs::ENTER, _) => no("15.2.8", "there is no cleared hex to enter, or no room in it"),
            (verbs::FIGHT, Object::Hex(h)) => self.why_not_break(a, h),
            (verbs::DROP, Object::Unit(u)) if a.group.len() > 1 && a.group.contains(&u) => None,
            (verbs::REMOVE, _) if self.group_surplus(a).contains(c) => None,
            (verbs::REMOVE, _) => no("4.4", "the hex of the group holds no unit too many"),
            (verbs::DROP, _) => no("15.2.10", "that unit is not in the group, or is the last of it"),
            (verbs::GO, Object::Route(r)) => {
                if a.ended {
                    return no("15.2.7", "the group's advance is at an end");
                }
                if a.stuck {
                    return no("15.2.6", "the group stands in an enemy ZOC: it fights or stops");
                }
                let grid = self.data.map.grid();
                let into = r.hexes(grid).nth(1) == Some(a.hex);
                let extra = if into { 0 } else { self.detour(a) };
                let left = self.group_left(a).saturating_sub(extra);
                self.why_not_stride_route(a, &a.group, left, a.turned, r)
            }
            _ => no("15.2", "the group goes on, fights, leaves units behind, or stops"),
        }
    }

    fn spend(&mut self, n: u8) {
        let Some(a) = self.advancing_mut() else { return };
        let group = a.group.clone();
        for s in a.units.iter_mut().filter(|s| group.contains(&s.unit)) {
            s.left = s.left.saturating_sub(n);
            s.begun = true;
        }
    }

    pub(crate) fn play_group(&mut self, c: Choice, cx: &mut Cx<'_>) {
        let Some(a) = self.advancing() else { return };
        let (group, hex) = (a.group.clone(), a.hex);
        match (c.verb, c.object) {
            (verbs::GO, Object::Route(r)) => {
                let into = r.hexes(self.data.map.grid()).nth(1) == Some(hex);
                if !into {
                    let extra = self.detour(a);
                    self.spend(extra);
                }
                if let Some(a) = self.advancing_mut() {
                    a.turned = true;
                    a.cleared = Hex::NONE;
                }
                let end = self.walk(&group, r, cx);
                if end == r.start() {
                    return;
                }
                let (names, name) = (self.codes(&group), self.called(end));
                cx.say(|| {
                    Line::new(
                        "advance",
                        Rule("15.2.4"),
                        format!(
                            "{names} {} on to {name}.",
                            if group.len() == 1 { "drives" } else { "drive" }
                        ),
                    )
                    .at(end)
                });
            }
            (verbs::ENTER, _) => {
                let to = a.cleared;
                if let Some(a) = self.advancing_mut() {
                    a.cleared = Hex::NONE;
                    a.turned = true;
                }
                self.stride_into(&group, to, cx);
                let (names, name) = (self.codes(&group), self.called(to));
                cx.say(|| {
                    Line::new(
                        "advance",
                        Rule("15.2.8"),
                        format!("{names} {} {name}.", if group.len() == 1 { "enters" } else { "enter" }),
                    )
                    .at(to)
                });
                let side = self.side(group[0]);
                let stuck = self.in_ezoc(side, to);
                if let Some(a) = self.advancing_mut() {
                    a.stuck = stuck;
                }
            }
            (verbs::FIGHT, Object::Hex(h)) => self.break_through(h, cx),
            (verbs::REMOVE, Object::Unit(u)) => {
                if let Some(h) = self.on_map(u) {
                    self.remove_overstacked(u, h, self.side(u), cx);
                }
            }
            (verbs::DROP, Object::Unit(u)) => {
                if let Some(a) = self.advancing_mut() {
                    a.group.retain(|&v| v != u);
                    let stays = a.stuck || a.ended;
                    if let Some(s) = a.units.iter_mut().find(|s| s.unit == u) {
                        s.begun = true;
                        if stays {
                            s.left = 0;
                        }
                    }
                }
            }
            _ => self.end_group(),
        }
    }

    /// 15.1: a combat of the group.
    fn break_through(&mut self, h: Hex, _cx: &mut Cx<'_>) {
        let Some(a) = self.advancing() else { return };
        let cost = 1 + self.detour(a);
        let mut b = self.break_battle(a, h);
        b.at = At::Roll;
        let foe = a.side.foe();
        self.spend(cost);
        if let Some(a) = self.advancing_mut() {
            a.turned = true;
            a.cleared = Hex::NONE;
        }
        let no_air = b.air.is_none();
        self.s.fight.battles.push(b);
        self.s.frames.push(Frame::Fight(Stage::Resolving));
        if foe == Side::One && no_air && self.battle().is_some_and(|b| !self.cover_for(b).is_empty()) {
            self.s.frames.push(Frame::Fight(Stage::Cover));
        }
        if self.overstacked(foe, h) && self.able_defenders(foe, h, Kind::Breakthrough).len() > 1 {
            self.s.frames.push(Frame::Fight(Stage::Excess));
        }
    }

    /// 15.2.7, 15.2.8: what a combat of the group leaves it.
    pub(crate) fn after_breakthrough(&mut self, hex: Hex, gone: bool, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let r = &self.data.charts.combat.result[usize::from(b.result)];
        let goes_on = gone && r.advance >= 3 && !b.delay && !b.limited;
        let Some(a) = self.advancing() else { return };
        let from = self.group_hex(a);
        let (side, first) = (a.side, a.hex);
        let stuck = from.is_some_and(|f| f != first && self.in_ezoc(side, f));
        if let Some(a) = self.advancing_mut() {
            a.cleared = if gone { hex } else { Hex::NONE };
            a.ended = !goes_on;
            a.stuck = stuck;
        }
        let name = self.called(hex);
        let left = self.advancing().map_or(0, |a| self.group_left(a));
        cx.say(|| {
            let what = match (goes_on, gone) {
                (true, _) if left == 0 => "carries",
                (true, _) => "carries: the group may go on",
                (false, true) => "clears the hex, but the group can only enter it",
                _ => "is held: the group goes no farther",
            };
            Line::new("breakthrough", Rule("15.2.7"), format!("The breakthrough at {name} {what}.")).at(hex)
        });
    }
}
