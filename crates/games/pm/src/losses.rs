//! 14.32-14.39: losses, retreats and advances, for both kinds of assault.

use crate::data::boxes;
use crate::map::side;
use crate::state::{Battle, Cx, Frame, Pos, flag};
use crate::supply::Army;
use crate::units::{Nation, trait_};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, HexSet};
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// Which side bears losses now: the defender first (14.32).
    pub fn bearer(&self, b: &Battle) -> Side {
        if b.defender_owes > 0 { b.attacker.foe() } else { b.attacker }
    }

    /// The units of the bearer that are still alive.
    fn involved(&self, b: &Battle) -> impl Iterator<Item = Unit> + '_ {
        let list = if b.defender_owes > 0 { &self.s.defenders } else { &self.s.attackers };
        list.iter().copied().filter(|u| self.s.steps[u.ix()] > 0)
    }

    /// Half loss points that a step of a unit satisfies (14.36).
    fn worth(&self, u: Unit) -> u16 {
        if self.half_loss(u) { 1 } else { 2 }
    }

    /// 14.35: the units from which the next step may be taken.
    pub fn payers(&self, b: &Battle) -> Vec<Unit> {
        let all: Vec<Unit> = self.involved(b).collect();
        if self.options.beginner {
            return all;
        }
        let attacking = b.defender_owes == 0;
        if attacking && b.first && all.iter().any(|&u| self.is(u, trait_::TANK)) {
            return all.into_iter().filter(|&u| self.is(u, trait_::TANK)).collect();
        }
        if all.iter().any(|&u| self.s.steps[u.ix()] > 1) {
            return all.into_iter().filter(|&u| self.s.steps[u.ix()] > 1).collect();
        }
        all
    }

    /// Goes on with a battle until someone must choose.
    pub fn absorb(&mut self, cx: &mut Cx<'_>) {
        loop {
            let Some(b) = self.s.battle else { return };
            if b.defender_owes == 0 && b.attacker_owes == 0 {
                return self.aftermath(cx);
            }
            let defending = b.defender_owes > 0;
            let owes = if defending { b.defender_owes } else { b.attacker_owes };
            let capacity: u16 =
                self.involved(&b).map(|u| self.worth(u) * u16::from(self.s.steps[u.ix()])).sum();
            let saved = defending && b.retreat && owes != u16::MAX && !self.retreats(&b).is_empty();
            if capacity == 0 || (owes >= capacity && !saved) {
                let all: Vec<Unit> = self.involved(&b).collect();
                for u in all {
                    self.die(u, cx);
                }
                self.owe(0);
                continue;
            }
            let payers = self.payers(&b);
            if payers.len() == 1 && !(saved && owes <= 2) {
                self.pay(payers[0], cx);
                continue;
            }
            return;
        }
    }

    /// Sets what the bearer still owes.
    fn owe(&mut self, owes: u16) {
        if let Some(b) = &mut self.s.battle {
            if b.defender_owes > 0 {
                b.defender_owes = owes;
            } else {
                b.attacker_owes = owes;
            }
        }
    }

    /// A unit of the battle dies.
    fn die(&mut self, u: Unit, cx: &mut Cx<'_>) {
        self.eliminate(u);
        cx.say(|| {
            let code = self.code(u);
            Line::new("loss", Rule("14.35"), format!("{code} is eliminated.")).fact("lost", code)
        });
    }

    /// One step lost by the bearer.
    fn pay(&mut self, u: Unit, cx: &mut Cx<'_>) {
        let Some(b) = self.s.battle else { return };
        let owes = if b.defender_owes > 0 { b.defender_owes } else { b.attacker_owes };
        let attacking = b.defender_owes == 0;
        self.owe(owes.saturating_sub(self.worth(u)));
        if attacking && let Some(b) = &mut self.s.battle {
            b.first = false;
        }
        if self.s.steps[u.ix()] == 1 {
            return self.die(u, cx);
        }
        self.lose_step(u);
        cx.say(|| {
            let (code, left) = (self.code(u), self.s.steps[u.ix()]);
            Line::new("loss", Rule("14.35"), format!("{code} loses a step; {left} left."))
                .fact("reduced", code)
        });
    }

    /// 14.32, 14.40: whether the defenders of a hex may retreat for a loss.
    pub(crate) fn may_retreat(&self, hex: Hex, attacker: Side, mobile: bool) -> bool {
        attacker == Side::Two && !mobile && !self.options.beginner && !self.s.hedgehogs.contains(hex)
    }

    /// 14.33: hexes to which somebody could retreat from a hex, whoever it is and whatever lies there.
    pub(crate) fn open_back(&self, hex: Hex, attacker: Side) -> Vec<Hex> {
        let map = &self.data.map;
        let frozen = self.condition_at(hex);
        let open = |s: u8, h: Hex| {
            let barred = s & side::SEA != 0
                || (s & side::LAKE != 0 && !frozen.lakes_frozen)
                || (s & side::STRAIT != 0 && !self.straits_frozen());
            !barred && map.land.contains(h) && !self.enemy_at(attacker.foe(), h)
        };
        let near = map.grid().neighbours(hex);
        near.filter(|&(d, h)| open(map.sides[hex.ix()][d.ix()], h)).map(|(_, h)| h).collect()
    }

    /// 14.32, 14.33: hexes to which all defenders may retreat together.
    pub fn retreats(&self, b: &Battle) -> Vec<Hex> {
        let grid = self.data.map.grid();
        let units: Vec<Unit> =
            self.s.defenders.iter().copied().filter(|u| self.s.steps[u.ix()] > 0).collect();
        if units.is_empty() {
            return Vec::new();
        }
        let load = self.load_of(units.iter().copied());
        let fits = |h: &Hex| {
            units.iter().all(|&u| self.may_be_in(u, *h)) && self.fits(&self.load_with(*h, &load, &[]), *h)
        };
        let open: Vec<Hex> = self.open_back(b.hex, b.attacker).into_iter().filter(fits).collect();
        if open.len() < 2 {
            return open;
        }
        let sources = self.retreat_sources(&units);
        let near = |h: Hex| sources.iter().map(|s| grid.distance(h, s)).min().unwrap_or(u32::MAX);
        let here = near(b.hex);
        let closer: Vec<Hex> = open.iter().copied().filter(|&h| near(h) < here).collect();
        if !closer.is_empty() {
            return closer;
        }
        let best = open.iter().map(|&h| near(h)).min().unwrap_or(0);
        open.into_iter().filter(|&h| near(h) == best).collect()
    }

    /// The sources of supply that a retreat makes for.
    fn retreat_sources(&self, units: &[Unit]) -> HexSet {
        let nation = units.iter().map(|&u| self.nation(u)).find(|&n| n != Nation::German);
        &self.sources(Army::Axis(nation.unwrap_or(Nation::German))) - self.s.stacks.occupied(Side::Two)
    }

    /// Whether a German-side unit may ever be in a hex (7.2-7.4, 8.5).
    pub fn may_be_in(&self, u: Unit, h: Hex) -> bool {
        let m = &self.data.map;
        self.options.beginner
            || match self.nation(u) {
                Nation::Romanian => !m.north_sheet.contains(h) && !m.zomo_hungary.contains(h),
                Nation::Hungarian => !m.north_sheet.contains(h) && !m.zomo_romania.contains(h),
                Nation::Italian => !m.north_sheet.contains(h),
                _ => true,
            }
    }

    /// Choices of the side that bears losses.
    pub fn loss_choices(&self, out: &mut Vec<Choice>) {
        let Some(b) = self.s.battle else { return };
        out.extend(self.payers(&b).into_iter().map(|u| Choice::unit(verbs::LOSS, u)));
        if b.retreat && b.defender_owes > 0 && b.defender_owes <= 2 {
            out.extend(self.retreats(&b).into_iter().map(|h| Choice::hex(verbs::RETREAT, h)));
        }
    }

    /// Why a choice does not settle a loss.
    pub fn why_not_loss(&self, c: &Choice) -> Option<Illegal> {
        let b = self.s.battle?;
        match (c.verb, c.object) {
            (verbs::LOSS, Object::Unit(u)) => {
                if self.payers(&b).contains(&u) {
                    return None;
                }
                let code = self.code(u);
                let why = if !self.involved(&b).any(|v| v == u) {
                    format!("{code} takes no part in this battle, or is lost already")
                } else if b.defender_owes == 0 && b.first {
                    format!("the attacker's first loss must come from a tank unit, which {code} is not")
                } else {
                    format!("{code} may not be eliminated while others still have more than one step")
                };
                Some(Illegal::new(Rule("14.35"), why))
            }
            (verbs::RETREAT, Object::Hex(h)) => {
                if !b.retreat || b.defender_owes == 0 {
                    return Some(Illegal::new(Rule("14.32"), "these units may not retreat"));
                }
                if b.defender_owes > 2 {
                    let why = "losses are taken first; the retreat satisfies only the last of them";
                    return Some(Illegal::new(Rule("14.35"), why));
                }
                (!self.retreats(&b).contains(&h)).then(|| {
                    let why = format!("the defenders may not retreat to {}", self.data.map.called(h));
                    Illegal::new(Rule("14.33"), why)
                })
            }
            _ => {
                let (_, _, what) = self.ask_losses(&mut Vec::new());
                Some(Illegal::new(Rule("14.32"), format!("losses come first: {what}")))
            }
        }
    }

    /// Plays a loss or a retreat.
    pub fn play_loss(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::LOSS, Object::Unit(u)) => self.pay(u, cx),
            (verbs::RETREAT, Object::Hex(h)) => {
                let joined = self.at(h).next().is_some();
                let units: Vec<Unit> =
                    self.s.defenders.iter().copied().filter(|u| self.s.steps[u.ix()] > 0).collect();
                for i in 0..self.s.air.len() {
                    if self.s.battle.is_some_and(|b| b.hex == self.s.air[i]) && self.air_side(i) == Side::One
                    {
                        self.s.air[i] = h;
                    }
                }
                for &u in units.iter().rev() {
                    self.put(u, Place::Hex(h));
                    self.mark(u, flag::DEFENDED);
                    if joined {
                        self.mark(u, flag::RETREATED);
                    }
                }
                cx.say(|| {
                    let name = self.data.map.called(h);
                    let text = format!("The defenders retreat to {name}.");
                    Line::new("retreat", Rule("14.32"), text).at(h).fact("retreat", &name)
                });
                if self.options.retreat_works {
                    self.enter(Side::One, h, cx);
                } else {
                    self.take(Side::One, h, cx);
                }
                self.owe(0);
            }
            _ => {}
        }
        self.absorb(cx);
    }

    /// What follows when all losses are settled.
    fn aftermath(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.s.battle.take() else { return };
        self.s.frames.pop();
        for i in 0..self.s.defenders.len() {
            let u = self.s.defenders[i];
            if self.s.steps[u.ix()] > 0 && !b.mobile {
                self.mark(u, flag::DEFENDED);
            }
        }
        let cleared = !self.enemy_at(b.attacker, b.hex);
        if cleared {
            self.s.hedgehogs.remove(b.hex);
        }
        self.ground_air();
        if b.mobile {
            self.s.attackers.clear();
            self.s.defenders.clear();
            return self.after_mobile(b, cleared, cx);
        }
        for i in 0..self.s.attackers.len() {
            let u = self.s.attackers[i];
            if self.s.steps[u.ix()] > 0 {
                self.mark(u, flag::ATTACKED);
            }
        }
        self.s.defenders.clear();
        if b.invasion {
            self.end_invasion(b.hex, cleared, cx);
        }
        self.s
            .attackers
            .retain(|u| self.s.steps[u.ix()] > 0 && self.s.stacks.hex(*u).is_some_and(|h| h != b.hex));
        if cleared && self.s.end.is_none() {
            self.s.frames.push(Frame::Advancing { hex: b.hex });
            if self.advancers(b.hex).is_empty() {
                self.end_advance();
            }
        } else {
            self.s.attackers.clear();
        }
    }

    /// 11.4: invaders go ashore or are lost.
    fn end_invasion(&mut self, hex: Hex, cleared: bool, cx: &mut Cx<'_>) {
        let landing: Vec<Unit> = self.boxed(boxes::LANDING).collect();
        for u in landing {
            if cleared {
                self.put(u, Place::Hex(hex));
                self.mark(u, flag::STAYS | flag::MOVED);
            } else {
                self.die(u, cx);
            }
        }
        if cleared && self.enemy_at(Side::One, hex) {
            self.enter(Side::Two, hex, cx);
        }
        self.s.invaded = Hex::NONE;
    }

    /// Aircraft and air supply left without a stack go back to base.
    pub fn ground_air(&mut self) {
        for i in 0..self.s.air.len() {
            let h = self.s.air[i];
            if h.is_some() && !self.s.stacks.occupied(self.air_side(i)).contains(h) {
                self.s.air[i] = Hex::NONE;
            }
        }
    }

    /// 14.39: why an attacker may not advance.
    pub fn why_not_advance(&self, u: Unit, hex: Hex) -> Option<Illegal> {
        let code = self.code(u);
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        if !self.s.attackers.contains(&u) {
            return no("14.39", format!("{code} did not attack here, or has advanced"));
        }
        let Some(h) = self.on_map(u) else { return no("14.39", format!("{code} is not on the map")) };
        let map = &self.data.map;
        let strait = map.grid().dir(h, hex).is_some_and(|d| map.sides[h.ix()][d.ix()] & side::STRAIT != 0);
        if strait && !self.straits_frozen() {
            return no("12.16", format!("{code} may not advance across a strait"));
        }
        if self.info(u).side == Side::One && !self.may_be_in(u, hex) {
            let rule = self.sheet_rule(u).unwrap_or(Rule("8.5"));
            return Some(Illegal::new(rule, format!("{code} may not enter {}", map.called(hex))));
        }
        let load = self.load_of(std::iter::once(u));
        self.why_overfull(&self.load_with(hex, &load, &[]), hex)
    }

    /// Attackers that may advance.
    pub fn advancers(&self, hex: Hex) -> Vec<Unit> {
        self.s.attackers.iter().copied().filter(|&u| self.why_not_advance(u, hex).is_none()).collect()
    }

    /// Choices of an advance.
    pub fn advance_choices(&self, hex: Hex, out: &mut Vec<Choice>) {
        out.extend(self.advancers(hex).into_iter().map(|u| Choice::unit(verbs::ADVANCE, u)));
        out.push(Choice::button(verbs::DONE));
    }

    /// Plays an advance.
    pub fn play_advance(&mut self, hex: Hex, c: Choice, cx: &mut Cx<'_>) {
        let (verbs::ADVANCE, Object::Unit(u)) = (c.verb, c.object) else { return self.end_advance() };
        let from = self.on_map(u);
        let side = self.info(u).side;
        self.put(u, Place::Hex(hex));
        self.s.attackers.retain(|&v| v != u);
        // Aircraft stay with what is left of their stack, or go along with its last unit (10.2).
        for i in 0..self.s.air.len() {
            let stranded =
                from.is_some_and(|h| self.s.air[i] == h && !self.s.stacks.occupied(side).contains(h));
            if stranded && self.air_side(i) == side {
                self.s.air[i] = hex;
            }
        }
        cx.say(|| {
            let (code, name) = (self.code(u), self.data.map.called(hex));
            Line::new("advance", Rule("14.39"), format!("{code} advances into {name}.")).at(hex)
        });
        self.enter(side, hex, cx);
        if self.s.end.is_none() && self.advancers(hex).is_empty() {
            self.end_advance();
        }
    }

    /// Ends an advance.
    fn end_advance(&mut self) {
        self.s.attackers.clear();
        self.s.frames.pop();
    }
}
