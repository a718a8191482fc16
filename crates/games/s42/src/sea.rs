//! Sections 5.5.3 and 5.7: the Volga Flotilla, shipping paths, the Kerch Strait; 18.6: turning Supply Points over.

use crate::map::Sea;
use crate::state::{Cx, Pos, Step, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// 5.5.3: hexsides that the Volga Flotilla may serve, while none is chosen this phase.
    pub fn list_flotilla(&self, side: Side, out: &mut Vec<Choice>) {
        if side != Side::Two || self.s.flotilla.is_some() || self.s.step == Step::PreMove {
            return;
        }
        let land = &self.scene().land;
        let grid = self.data.map.grid();
        for &e in &self.data.map.flotilla {
            let (a, b) = e.hexes(grid);
            if land.contains(a) && land.contains(b) {
                out.push(Choice { verb: verbs::FLOTILLA, object: Object::Edge(e) });
            }
        }
    }

    /// 5.7.1: ports to which the unit in hand may sail.
    fn ports_for(&self, u: Unit) -> Vec<Hex> {
        let mut out = Vec::new();
        let Some(at) = self.on_map(u) else { return out };
        let naval = self.naval(u);
        for (sea, ports) in &self.data.map.shipping {
            let i = usize::from(*sea == Sea::Black);
            if self.s.sailed[i] >= self.data.charts.movement.sea_units_each_sea || !ports.contains(&at) {
                continue;
            }
            // 16.2.4: the sea must not be the enemy's.
            if *sea == Sea::Azov && self.azov_axis() {
                continue;
            }
            for &p in ports {
                let free = self.scene().land.contains(p)
                    && p != at
                    && !self.has_combat(Side::One, p)
                    && (naval || !self.holds_port(p));
                if free {
                    out.push(p);
                }
            }
        }
        out
    }

    /// 5.7.1: a naval infantry brigade.
    fn naval(&self, u: Unit) -> bool {
        self.is(u, is::NAVAL) && self.is(u, is::FREE)
    }

    fn azov_axis(&self) -> bool {
        self.azov() == Some(Side::One)
    }

    fn may_sail(&self) -> bool {
        let u = self.s.hand[0];
        let kind = !self.is(u, is::MECH) || self.is(u, is::SUPPLY);
        // Naval infantry spends one of the two hexes of a Tactical Move on the sea.
        let m = &self.s.march;
        let naval =
            self.naval(u) && m.hexes < self.data.charts.movement.tactical_hexes && !m.ended && !m.entered;
        (self.hand_fresh() || naval)
            && self.s.hand.len() == 1
            && self.side(u) == Side::Two
            && kind
            && self.good_order(u)
            && !self.flagged(u, flag::REPLACED)
            && !self.is(u, is::RESERVE_ARMY)
            && self.s.step != Step::PreMove
    }

    /// Sea moves and the strait.
    pub fn list_sea(&self, out: &mut Vec<Choice>) {
        let u = self.s.hand[0];
        if self.may_sail() {
            out.extend(self.ports_for(u).into_iter().map(|p| Choice::hex(verbs::SAIL, p)));
        }
        if self.hand_fresh() && self.may_cross(u) {
            out.push(Choice::button(verbs::CROSS));
        }
    }

    /// 5.7.2: whether the unit in hand may cross to Taman.
    fn may_cross(&self, u: Unit) -> bool {
        let taman = self.data.map.taman;
        let w = self.data.area("entry-w").map(|a| Place::Box(self.data.areas[a].in_box));
        self.s.hand.len() == 1
            && self.side(u) == Side::One
            && Some(self.s.stacks.place(u)) == w
            && self.s.strait < self.data.charts.movement.kerch_units
            && self.scene().land.contains(taman)
            && !self.s.stacks.occupied(Side::Two).contains(taman)
            && (!self.is(u, is::BLUCHER) || self.holds_port(taman))
            && self.good_order(u)
            && !self.s.interchange
    }

    /// 18.6.2, 18.6.8: a Supply Point in hand can be turned over or exchanged.
    pub fn list_turning(&self, out: &mut Vec<Choice>) {
        let u = self.s.hand[0];
        if self.s.hand.len() != 1 || !self.is(u, is::SUPPLY) || self.s.step == Step::PreMove {
            return;
        }
        if !self.is(u, is::IMMOBILE) {
            out.push(Choice::button(verbs::FLIP));
        }
        if self.supply_twin(u).is_some() {
            out.push(Choice::button(verbs::SWITCH));
        }
    }

    /// 18.6.8: the counter that a Supply Point can be exchanged for, if the limit of mobile ones allows it.
    fn supply_twin(&self, u: Unit) -> Option<Unit> {
        let side = self.side(u);
        let immobile = self.is(u, is::IMMOBILE);
        if immobile && self.mobile_supply(side) >= self.mobile_limit(side) {
            return None;
        }
        self.boxed(crate::data::boxes::SUPPLIES)
            .filter(|&v| self.side(v) == side && self.is(v, is::IMMOBILE) != immobile)
            .min()
    }

    /// Mobile Supply Points of a side in play (18.6.8).
    pub fn mobile_supply(&self, side: Side) -> usize {
        let play = |u: &Unit| {
            self.side(*u) == side
                && self.is(*u, is::SUPPLY)
                && !self.is(*u, is::IMMOBILE)
                && match self.s.stacks.place(*u) {
                    Place::Hex(_) => true,
                    Place::Box(b) => self.data.area_of(b).is_some(),
                }
        };
        self.s.stacks.units().filter(play).count()
    }

    /// 18.6.8: how many may be mobile.
    pub fn mobile_limit(&self, side: Side) -> usize {
        let r = &self.data.charts.resources;
        usize::from(if side == Side::One { r.axis_mobile_supply } else { r.soviet_mobile_supply })
    }

    /// Why one of these is not possible.
    pub fn why_not_special(&self, c: &Choice) -> Illegal {
        let rule = match c.verb {
            verbs::SAIL => "5.7.1",
            verbs::CROSS => "5.7.2",
            verbs::FLIP => "18.6.2",
            verbs::SWITCH => "18.6.8",
            verbs::ALL => "5.1",
            _ => "3.0",
        };
        let word = self.data.lexicon.verb(c.verb).word;
        Illegal::new(Rule(rule), format!("'{word}' is not possible for the units in hand now"))
    }

    /// Plays a sea move, a crossing of the strait, or the turning of a Supply Point.
    pub fn play_special(&mut self, c: Choice, cx: &mut Cx<'_>) {
        let Some(&u) = self.s.hand.first() else { return };
        match (c.verb, c.object) {
            (verbs::SAIL, Object::Hex(p)) => {
                let black = self.data.map.ports.iter().any(|&(h, s)| h == p && s == Sea::Black);
                self.s.sailed[usize::from(black)] += 1;
                self.put(u, Place::Hex(p));
                self.enter(u, p);
                if self.naval(u) {
                    return self.land_marines(u, p, cx);
                }
                if self.combat(u) {
                    self.mark(u, flag::DISRUPTED);
                }
                self.land(u, p, cx);
            }
            (verbs::CROSS, _) => {
                let p = self.data.map.taman;
                self.s.strait += 1;
                self.put(u, Place::Hex(p));
                self.enter(u, p);
                if self.combat(u) {
                    self.mark(u, flag::DISRUPTED);
                }
                self.land(u, p, cx);
            }
            (verbs::FLIP, _) => {
                if self.flagged(u, flag::READY) {
                    self.unmark(u, flag::READY);
                } else {
                    self.mark(u, flag::READY);
                }
            }
            (verbs::SWITCH, _) => {
                if let Some(v) = self.supply_twin(u) {
                    let p = self.s.stacks.place(u);
                    self.put(u, Place::Box(crate::data::boxes::SUPPLIES));
                    self.s.flags[u.ix()] = 0;
                    self.put(v, p);
                    self.s.hand[0] = v;
                }
            }
            _ => {}
        }
    }

    /// 5.7.1: naval infantry lands and may use what is left of its Tactical Move.
    fn land_marines(&mut self, u: Unit, p: Hex, cx: &mut Cx<'_>) {
        let text = format!("{} lands in {}.", self.code(u), self.data.map.called(p));
        cx.say(|| Line::new("sail", Rule("5.7.1"), text).at(p));
        self.overrun_non_combat(Side::Two, p, cx);
        let m = &mut self.s.march;
        m.hexes += 1;
        m.spent = u8::MAX;
        m.origin = p;
        m.near = true;
        let zoc = self.in_ezoc(Side::Two, p);
        self.s.march.ended |= zoc;
        self.s.march.zoc |= zoc;
        self.alarm(Side::Two, p, cx);
        self.automatic_retreats(Side::Two, p, cx);
    }

    fn land(&mut self, u: Unit, p: Hex, cx: &mut Cx<'_>) {
        self.mark(u, flag::MOVED | flag::SHIPPED);
        self.unmark(u, flag::WAITED);
        let text = format!("{} lands in {}.", self.code(u), self.data.map.called(p));
        cx.say(|| Line::new("sail", Rule("5.7.1"), text).at(p));
        let side = self.side(u);
        self.stop(cx);
        if self.combat(u) {
            self.alarm(side, p, cx);
            self.automatic_retreats(side, p, cx);
        }
    }
}
