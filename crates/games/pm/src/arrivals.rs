//! 8.1-8.13, 8.21 and 14.41: what arrives, is converted and is called out in the Mutual Reinforcement Phase.

use crate::data::boxes;
use crate::options::Returns;
use crate::state::{Cx, Frame, Pos, UNTRIED, flag};
use crate::supply::State;
use crate::units::{Comes, Nation, trait_};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, HexSet};
use table::{BoxId, Place, Rule, Side, Unit};

impl Pos {
    /// I: what comes by schedule, by dice and from the dead pile.
    pub fn bring_arrivals(&mut self, cx: &mut Cx<'_>) {
        for u in self.due(self.s.turn) {
            match self.nation(u) {
                Nation::Soviet => self.into_box(u, boxes::ARRIVING),
                // 8.3, 8.5
                Nation::German => self.into_box(u, boxes::OKH_NORTH),
                _ => self.into_box(u, boxes::OKH_SOUTH),
            }
        }
        self.roll_brigades(cx);
        if !self.options.beginner {
            self.reclaim(cx);
            self.open_conversions();
            self.soviet_air_due(cx);
        }
    }

    /// 8.9: tank brigades by two dice a turn.
    fn roll_brigades(&mut self, cx: &mut Cx<'_>) {
        let t = self.data.charts.tank_brigades.clone();
        let waiting: Vec<Unit> = self.boxed(boxes::DICE).collect();
        if self.s.turn < t.first_turn || waiting.is_empty() {
            return;
        }
        let dice: Vec<u8> = (0..t.dice).map(|_| cx.dice.roll(6)).collect();
        let m = &self.data.map;
        let sup = &self.s.supplied;
        let mut n: i32 = dice.iter().map(|&d| i32::from(d)).sum();
        if !self.options.beginner {
            let leningrad = m.leningrad;
            if self.s.german_held.contains(leningrad)
                || self.lake_supply(sup)
                || !self.soviet_supplied(sup, leningrad)
            {
                n += i32::from(t.leningrad);
            }
        } else if self.s.german_held.contains(m.leningrad) {
            n += i32::from(t.leningrad);
        }
        let lost = m.moscow.iter().any(|h| self.s.german_held.contains(h));
        let cut = m.moscow.iter().all(|h| !self.soviet_supplied(sup, h));
        if lost || cut {
            n += i32::from(t.moscow);
        }
        let n = (n.max(0) as usize).min(waiting.len());
        for &u in waiting.iter().take(n) {
            self.into_box(u, boxes::ARRIVING);
        }
        cx.say(|| {
            let text = format!("Tank brigades: dice {dice:?}, {n} arrive.");
            Line::new("arrivals", Rule("8.9"), text).fact("brigades", n)
        });
    }

    /// 8.13: rifle divisions from the dead pile; drawn blind and untried again, unless players agreed otherwise.
    fn reclaim(&mut self, cx: &mut Cx<'_>) {
        let rate = usize::from(self.data.charts.replacements(self.s.turn));
        let districts = self
            .data
            .map
            .districts
            .iter()
            .filter(|&h| !self.s.german_held.contains(h) && self.s.supplied.overland.contains(h))
            .count();
        let mut n = rate * districts;
        let mut came = 0;
        while n > 0 {
            let rifle = |u: &Unit| {
                let pool = self.data.units.pools.get(usize::from(self.info(*u).pool));
                pool.is_some_and(|p| p.name == "RD")
            };
            let dead: Vec<Unit> = self.boxed(boxes::DEAD).filter(rifle).collect();
            if dead.is_empty() {
                break;
            }
            let strength = |u: &Unit| {
                let f = self.face(*u).unwrap_or_default();
                (f.attack + f.defence, f.defence, std::cmp::Reverse(*u))
            };
            let best = match self.options.returns {
                Returns::Best => dead.iter().copied().max_by_key(strength),
                _ => None,
            };
            let u = best.unwrap_or_else(|| dead[cx.dice.draw(dead.len() as u32) as usize % dead.len()]);
            let p = self.s.printed[u.ix()];
            if p != UNTRIED && self.options.returns == Returns::Untried {
                self.s.in_pool[usize::from(p)] = true;
                self.s.printed[u.ix()] = UNTRIED;
            }
            self.s.steps[u.ix()] = 1;
            self.into_box(u, boxes::ARRIVING);
            n -= 1;
            came += 1;
        }
        if rate > 0 {
            cx.say(|| {
                let text =
                    format!("{came} rifle divisions are raised again ({districts} districts, {rate} each).");
                Line::new("arrivals", Rule("8.13"), text).fact("replaced", came)
            });
        }
    }

    /// 8.11: Guards that may be raised this turn.
    fn open_conversions(&mut self) {
        self.s.conversions.fill(0);
        let guards: Vec<Unit> = self.boxed(boxes::GUARDS).collect();
        for u in guards {
            if self.info(u).comes == Comes::Convert(self.s.turn) {
                let pool = usize::from(self.info(u).raised_from);
                self.s.conversions[pool] += 1;
            }
        }
    }

    /// 8.7, 9.16: hexes where Soviet units enter.
    pub fn entry_hexes(&self) -> HexSet {
        let m = &self.data.map;
        let sup = &self.s.supplied;
        let german = self.s.stacks.occupied(Side::One);
        let mut set = HexSet::empty();
        for h in &m.held {
            if self.s.german_held.contains(h) || german.contains(h) || !self.soviet_supplied(sup, h) {
                continue;
            }
            set.insert(h);
            let lake = h == m.leningrad && !self.options.beginner && self.lake_supply(sup);
            if m.districts.contains(h) && !lake {
                for (_, n) in m.grid().neighbours(h) {
                    if m.land.contains(n) && !german.contains(n) && !m.zomo.contains(n) {
                        set.insert(n);
                    }
                }
            }
        }
        set
    }

    /// One unit of each kind in a box: untried units of a pool are alike.
    pub fn kinds_in(&self, b: BoxId, side: Side) -> Vec<Unit> {
        let mut out: Vec<Unit> = Vec::new();
        let mut all: Vec<Unit> = self.boxed(b).filter(|&u| self.info(u).side == side).collect();
        all.sort_unstable();
        for u in all {
            let alike =
                |v: &Unit| self.untried(u) && self.untried(*v) && self.info(*v).pool == self.info(u).pool;
            if !out.iter().any(alike) {
                out.push(u);
            }
        }
        out
    }

    /// Hexes of a set where one more unit fits.
    fn room_for(&self, u: Unit, set: &HexSet) -> Vec<Hex> {
        let load = self.load_of(std::iter::once(u));
        set.iter().filter(|&h| self.fits(&self.load_with(h, &load, &[]), h)).collect()
    }

    /// Places for the units of a box: entry hexes and, for those who may sail, the Southern Ports (8.7, 11.3).
    pub fn entry_choices(&self, b: BoxId, out: &mut Vec<Choice>) {
        let entries = self.entry_hexes();
        for u in self.kinds_in(b, Side::Two) {
            out.extend(self.room_for(u, &entries).into_iter().map(|h| Choice::at(verbs::PLACE, u, h)));
            if !self.is(u, trait_::NO_SEA) && !self.options.beginner {
                out.push(Choice::into(verbs::PLACE, u, boxes::PORTS));
            }
        }
    }

    /// Choices of the Soviet part of phase I.
    pub fn arrival_choices(&self, out: &mut Vec<Choice>) {
        let start = out.len();
        self.entry_choices(boxes::ARRIVING, out);
        if self.boxed(boxes::RVGK).count() < self.data.charts.numbers.rvgk as usize {
            out.extend(
                self.kinds_in(boxes::ARRIVING, Side::Two).into_iter().map(|u| Choice::unit(verbs::HOLD, u)),
            );
        }
        let waiting = out.len() > start;
        if waiting {
            out.push(Choice::button(verbs::FILL));
        }
        out.extend(self.convertible().into_iter().map(|u| Choice::unit(verbs::CONVERT, u)));
        if !waiting {
            out.push(Choice::button(verbs::DONE));
        }
    }

    /// 8.11: units that may become Guards now.
    pub fn convertible(&self) -> Vec<Unit> {
        let mut out = Vec::new();
        for pool in 0..self.s.conversions.len() {
            if self.s.conversions[pool] == 0 {
                continue;
            }
            let fit: Vec<Unit> = self
                .s
                .stacks
                .units()
                .filter(|&u| usize::from(self.info(u).pool) == pool && self.fit_for_guards(u))
                .collect();
            let tried: Vec<Unit> = fit.iter().copied().filter(|&u| !self.untried(u)).collect();
            out.extend(if tried.is_empty() { fit } else { tried });
        }
        out
    }

    /// 8.11: in full supply and not beside a German-side unit, or held in the RVGK.
    fn fit_for_guards(&self, u: Unit) -> bool {
        match self.s.stacks.place(u) {
            Place::Box(b) => b == boxes::RVGK,
            Place::Hex(h) => self.s.supplied.overland.contains(h) && !self.beside(Side::One, h),
        }
    }

    /// Raises Guards in place of a unit.
    fn convert(&mut self, u: Unit, cx: &mut Cx<'_>) {
        let pool = self.info(u).pool;
        let mut guards: Vec<Unit> = self.boxed(boxes::GUARDS).collect();
        guards.sort_unstable();
        let turn = Comes::Convert(self.s.turn);
        let Some(g) =
            guards.into_iter().find(|&g| self.info(g).raised_from == pool && self.info(g).comes == turn)
        else {
            return;
        };
        let place = self.s.stacks.place(u);
        if self.untried(u) {
            // The counter leaves the game unseen: what it would have been goes out of the pool with it.
            self.draw(usize::from(pool), cx);
        }
        self.into_box(u, boxes::GONE);
        self.put(g, place);
        self.s.conversions[usize::from(pool)] -= 1;
        cx.say(|| {
            let text = format!("{} becomes {}.", self.code(u), self.code(g));
            Line::new("arrivals", Rule("8.11"), text).only(Side::Two)
        });
    }

    /// Plays a choice of the Soviet part of phase I.
    pub fn play_arrivals(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::PLACE, Object::At(u, h)) => self.set_down(u, h),
            (verbs::PLACE, Object::Into(u, b)) => {
                self.into_box(u, b);
                self.mark(u, flag::BOXED);
            }
            (verbs::HOLD, Object::Unit(u)) => self.into_box(u, boxes::RVGK),
            (verbs::CONVERT, Object::Unit(u)) => self.convert(u, cx),
            (verbs::FILL, _) => self.fill_arrivals(),
            _ => {
                self.s.conversions.fill(0);
                self.next_phase(cx);
            }
        }
    }

    /// Places all arriving units: the emptiest entry hex first, then the RVGK, then the Southern Ports.
    fn fill_arrivals(&mut self) {
        let entries = self.entry_hexes();
        let mut all: Vec<Unit> =
            self.boxed(boxes::ARRIVING).filter(|&u| self.info(u).side == Side::Two).collect();
        all.sort_unstable();
        for u in all {
            let room = self.room_for(u, &entries);
            if let Some(&h) = room.iter().min_by_key(|h| (self.s.stacks.height(**h), h.0)) {
                self.set_down(u, h);
            } else if self.boxed(boxes::RVGK).count() < self.data.charts.numbers.rvgk as usize {
                self.into_box(u, boxes::RVGK);
            } else if !self.is(u, trait_::NO_SEA) && !self.options.beginner {
                self.into_box(u, boxes::PORTS);
                self.mark(u, flag::BOXED);
            }
        }
    }

    /// 8.21, 14.41: German-controlled towns in supply with room for a unit.
    fn callout_hexes(&self, u: Unit, alone: bool) -> Vec<Hex> {
        let mut set = HexSet::empty();
        for h in &self.s.german_held {
            let supplied = self.state_in(&self.s.supplied, u, h, false) != State::Out;
            let quiet = !alone || !self.beside(Side::Two, h);
            if supplied && quiet && !self.enemy_at(Side::One, h) {
                set.insert(h);
            }
        }
        self.room_for(u, &set)
    }

    /// Security divisions not yet called out.
    fn security_left(&self) -> Vec<Unit> {
        let mut all: Vec<Unit> = self.boxed(boxes::CALL).filter(|&u| self.is(u, trait_::SECURITY)).collect();
        all.sort_unstable();
        all
    }

    /// Choices of the German part of phase I.
    pub fn callout_choices(&self, out: &mut Vec<Choice>) {
        let security = self.security_left();
        if security.len() >= self.data.charts.numbers.security_group as usize
            && !self.callout_hexes(security[0], false).is_empty()
        {
            out.push(Choice::button(verbs::SECURITY));
        }
        if let Some(u) = self.boxed(boxes::CALL).find(|&u| self.is(u, trait_::ARKO)) {
            out.extend(self.callout_hexes(u, true).into_iter().map(|h| Choice::hex(verbs::ARKO, h)));
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Plays a choice of the German part of phase I.
    pub fn play_callout(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::SECURITY, _) => {
                let n = self.data.charts.numbers.security_group as usize;
                for u in self.security_left().into_iter().take(n) {
                    self.into_box(u, boxes::ARRIVING);
                }
                self.s.vp -= self.data.charts.numbers.security_vp;
                let vp = self.s.vp;
                cx.say(|| {
                    let text = format!("Three security divisions are called out; {vp} VP.");
                    Line::new("arrivals", Rule("8.21"), text).fact("vp", vp)
                });
                self.s.frames.push(Frame::Security);
            }
            (verbs::ARKO, Object::Hex(h)) => {
                let arko = self.boxed(boxes::CALL).find(|&u| self.is(u, trait_::ARKO));
                if let Some(u) = arko {
                    self.set_down(u, h);
                    self.mark(u, flag::NO_MOVE);
                    let name = self.data.map.called(h);
                    cx.say(|| {
                        Line::new("arrivals", Rule("14.41"), format!("Siege artillery forms at {name}."))
                            .at(h)
                    });
                }
            }
            _ => self.next_phase(cx),
        }
    }

    /// Choices while security divisions are placed.
    pub fn security_choices(&self, out: &mut Vec<Choice>) {
        if let Some(&u) = self.kinds_in(boxes::ARRIVING, Side::One).first() {
            out.extend(self.callout_hexes(u, false).into_iter().map(|h| Choice::at(verbs::PLACE, u, h)));
        }
    }

    /// Places a security division; what finds no room waits in the northern OKH area.
    pub fn play_security(&mut self, c: Choice) {
        if let (verbs::PLACE, Object::At(u, h)) = (c.verb, c.object) {
            self.set_down(u, h);
        }
        let left = self.kinds_in(boxes::ARRIVING, Side::One);
        if left.first().is_none_or(|&u| self.callout_hexes(u, false).is_empty()) {
            for u in left {
                self.into_box(u, boxes::OKH_NORTH);
            }
            self.s.frames.pop();
        }
    }

    /// Why a unit may not be placed here.
    pub fn why_not_entry(&self, u: Unit, h: Hex) -> Illegal {
        let m = &self.data.map;
        let name = m.called(h);
        if u.ix() >= self.data.units.ground {
            return Illegal::new(Rule("8.7"), format!("{} is no ground unit", self.code(u)));
        }
        if !self.entry_hexes().contains(h) {
            let why = format!("{name} is no Soviet town in supply, nor beside a military district");
            return Illegal::new(Rule("8.7"), why);
        }
        let load = self.load_of(std::iter::once(u));
        self.why_overfull(&self.load_with(h, &load, &[]), h).unwrap_or_else(|| {
            Illegal::new(
                Rule("8.7"),
                format!(
                    "{} is not waiting to enter; units of a kind enter in the order of their numbers",
                    self.code(u)
                ),
            )
        })
    }
}
