//! Section 8: the Combat Phase, an attack in the making, Automatic DS.

use crate::battle::{At, Battle, Kind, Stage};
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, HexSet};
use table::{Rule, Side, Unit};

/// A refusal, in short.
pub(crate) fn no(rule: &'static str, why: impl Into<String>) -> Option<Illegal> {
    Some(Illegal::new(Rule(rule), why))
}

impl Pos {
    /// The battle under way.
    pub fn battle(&self) -> Option<&Battle> {
        self.s.fight.battles.last()
    }

    /// The same, to change it.
    pub(crate) fn battle_mut(&mut self) -> Option<&mut Battle> {
        self.s.fight.battles.last_mut()
    }

    /// A hex as players call it.
    pub(crate) fn called(&self, h: Hex) -> String {
        self.data.map.called(h)
    }

    /// Codes of units in a row.
    pub(crate) fn codes(&self, units: &[Unit]) -> String {
        units.iter().map(|&u| self.code(u)).collect::<Vec<_>>().join(", ")
    }

    /// What a side is called.
    pub(crate) fn called_side(side: Side) -> &'static str {
        ["The Axis", "The Soviet side"][side.ix()]
    }

    /// 4.4: hexes over the limit from which an Automatic DS would come: it is put right first.
    fn overfull_sources(&self, b: &Battle) -> Vec<Hex> {
        let mut out: Vec<Hex> = Vec::new();
        if b.kind == Kind::Automatic {
            for &f in &b.from {
                if f.is_some() && !out.contains(&f) && self.overstacked(b.side, f) {
                    out.push(f);
                }
            }
        }
        out
    }

    /// 4.4: the units of such hexes, any of which may be removed.
    fn surplus(&self, b: &Battle) -> Vec<Choice> {
        let mut out = Vec::new();
        for f in self.overfull_sources(b) {
            self.list_overstack(f, b.side, &mut out);
        }
        out
    }

    /// Choices of a Combat Phase with nothing under way.
    pub fn list_fight(&self, side: Side, out: &mut Vec<Choice>) {
        if !self.s.interchange {
            out.extend(self.targets(side, Kind::Regular).into_iter().map(|h| Choice::hex(verbs::ATTACK, h)));
        }
        self.commit_choices(side, out);
        self.disengage_choices(side, out);
        out.extend(self.works_in_the_way(side).iter().map(|h| Choice::hex(verbs::RAZE, h)));
        out.push(Choice::button(verbs::DONE));
    }

    /// 9.7.2, 9.7.5: Fortifications being built that keep units beside the enemy from attacking: they may be given up.
    fn works_in_the_way(&self, side: Side) -> HexSet {
        let mut out = &self.s.building[side.ix()] & &self.s.zones.combat[side.ix()];
        if self.s.interchange {
            out.clear();
        }
        let idle: Vec<Hex> = out.iter().filter(|&h| !self.near_enemy(side, h)).collect();
        for h in idle {
            out.remove(h);
        }
        out
    }

    /// 9.7.5: the owner removes a Fortification.
    pub(crate) fn raze(&mut self, side: Side, h: Hex, cx: &mut Cx<'_>) {
        self.s.forts[side.ix()].remove(h);
        self.s.building[side.ix()].remove(h);
        let name = self.called(h);
        cx.say(|| {
            Line::new("raze", Rule("9.7.5"), format!("The Fortification in {name} is given up.")).at(h)
        });
    }

    /// Why a choice of a Combat Phase is not legal.
    pub fn why_not_fight(&self, side: Side, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::DONE, Object::Nothing) => None,
            (verbs::ATTACK, Object::Hex(_)) if self.s.interchange => {
                no("33.2.3", "there is no combat in the Interchange Turn")
            }
            (verbs::ATTACK, Object::Hex(h)) => self.why_not_target(side, h, Kind::Regular),
            (verbs::COMMIT, Object::Unit(u)) => self.why_not_commit(side, u),
            (verbs::DISENGAGE, o) => self.why_not_disengage(side, o),
            (verbs::RAZE, Object::Hex(h)) if self.works_in_the_way(side).contains(h) => None,
            _ => no("3.0", "in the Combat Phase you attack, disengage, commit Reserves, or end the phase"),
        }
    }

    /// Plays a choice of a Combat Phase.
    pub fn play_fight(&mut self, side: Side, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::ATTACK, Object::Hex(h)) => self.begin_attack(side, h, Kind::Regular),
            (verbs::COMMIT, Object::Unit(u)) => self.commit(side, u, cx),
            (verbs::DISENGAGE, o) => self.disengage(side, o, cx),
            (verbs::RAZE, Object::Hex(h)) => self.raze(side, h, cx),
            _ => {}
        }
        self.run(cx);
    }

    /// Opens an attack on a hex.
    fn begin_attack(&mut self, side: Side, h: Hex, kind: Kind) {
        self.s.fight.battles.push(Battle::new(h, side, kind));
        self.s.frames.push(Frame::Fight(Stage::Making));
    }

    /// 8.6.1: hexes that can be shattered in the Movement Phase.
    pub fn list_shatter(&self, side: Side, out: &mut Vec<Choice>) {
        out.extend(self.targets(side, Kind::Automatic).into_iter().map(|h| Choice::hex(verbs::SHATTER, h)));
    }

    /// Why a hex cannot be shattered.
    pub fn why_not_shatter(&self, side: Side, h: Hex) -> Option<Illegal> {
        self.why_not_target(side, h, Kind::Automatic)
    }

    /// 8.6.1: begins an Automatic DS; the units that make the odds are named next.
    pub fn shatter(&mut self, side: Side, h: Hex, _cx: &mut Cx<'_>) {
        self.begin_attack(side, h, Kind::Automatic);
    }

    /// What a Combat Phase does before it asks.
    pub fn begin_fight(&mut self, _side: Side, _cx: &mut Cx<'_>) {
        self.s.fight.vacated = None;
    }

    /// 8.6.2: what a Combat Phase does when its player is done: the advances of Automatic DS; true if something is asked.
    pub fn end_fight(&mut self, _side: Side, cx: &mut Cx<'_>) -> bool {
        self.s.fight.shattered.retain(|s| !s.units.is_empty());
        if self.s.fight.shattered.is_empty() {
            return false;
        }
        self.s.frames.push(Frame::Fight(Stage::Exploits));
        self.run(cx);
        true
    }

    /// Choices while an attack is put together.
    pub(crate) fn making_choices(&self, out: &mut Vec<Choice>) {
        let Some(b) = self.battle() else { return };
        let all = self.joiners(b);
        out.extend(all.iter().map(|&u| Choice::unit(verbs::ADD, u)));
        if all.len() > 1 {
            out.push(Choice::button(verbs::ALL));
        }
        out.extend(b.attackers.iter().map(|&u| Choice::unit(verbs::LESS, u)));
        if b.kind == Kind::Regular && !b.attackers.is_empty() {
            self.support_choices(b, out);
        }
        out.extend(self.surplus(b));
        if self.why_not_resolve().is_none() {
            out.push(Choice::button(verbs::RESOLVE));
        }
        out.push(Choice::button(verbs::CANCEL));
    }

    /// 8.4.1, 8.6.1: why an attack cannot be resolved as it stands.
    fn why_not_resolve(&self) -> Option<Illegal> {
        let Some(b) = self.battle() else { return no("8.3", "no attack is in the making") };
        if b.attackers.is_empty() {
            return no("8.3", "nobody attacks yet");
        }
        let mut b = b.clone();
        b.defenders = self.defending(&b);
        if let Some(&f) = self.overfull_sources(&b).first() {
            let why = format!("{} holds too many units: remove what is over the limit first", self.called(f));
            return no("4.4", why);
        }
        if b.kind == Kind::Automatic {
            return self.why_not_sure(&b);
        }
        let lot = self.lot(&self.attack_of(&b));
        lot.column.is_none().then(|| {
            let word = crate::shifts::odds_word(lot.odds);
            Illegal::new(Rule("8.4.1"), format!("odds of {word} are below 1-3")).because(lot.attack)
        })
    }

    /// Why a choice is not legal while an attack is put together.
    pub(crate) fn why_not_making(&self, c: &Choice) -> Option<Illegal> {
        let Some(b) = self.battle() else { return no("8.3", "no attack is in the making") };
        match (c.verb, c.object) {
            (verbs::ADD, Object::Unit(u)) => self.why_not_enlist(b.side, u, b.hex, b.kind, &b.attackers),
            (verbs::ALL, Object::Nothing) if self.joiners(b).len() > 1 => None,
            (verbs::ALL, _) => no("8.2", "there are not several units left to add"),
            (verbs::LESS, Object::Unit(u)) if b.attackers.contains(&u) => None,
            (verbs::LESS, _) => no("8.2", "that unit takes no part"),
            (verbs::AIR | verbs::SUPPORT | verbs::OFFENSIVE, _) if b.kind != Kind::Regular => {
                no("8.6.1", "air and artillery are for the Combat Phase")
            }
            (verbs::AIR | verbs::SUPPORT | verbs::OFFENSIVE, _) if b.attackers.is_empty() => {
                no("8.3", "name who attacks before what supports them")
            }
            (verbs::AIR, Object::Unit(u)) => self.why_not_air(b, u),
            (verbs::SUPPORT, Object::Unit(u)) => self.why_not_guns(b, u),
            (verbs::OFFENSIVE, Object::Unit(u)) => self.why_not_offensive(b, u),
            (verbs::RESOLVE, Object::Nothing) => self.why_not_resolve(),
            (verbs::CANCEL, Object::Nothing) => None,
            (verbs::REMOVE, _) if self.surplus(b).contains(c) => None,
            (verbs::REMOVE, _) => no("4.4", "that unit is in no overfull hex from which the attack comes"),
            _ => no("8.3", "finish the attack in the making, or cancel it"),
        }
    }

    fn add_attacker(&mut self, u: Unit) {
        let from = self.on_map(u).unwrap_or(Hex::NONE);
        if let Some(b) = self.battle_mut() {
            b.attackers.push(u);
            b.from.push(from);
        }
    }

    /// Plays a choice while an attack is put together.
    pub(crate) fn play_making(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::REMOVE, Object::Unit(u)) => {
                if let Some(h) = self.on_map(u) {
                    self.remove_overstacked(u, h, self.side(u), cx);
                }
                if let Some(b) = self.battle_mut() {
                    b.forget(u);
                }
            }
            (verbs::ADD, Object::Unit(u)) => self.add_attacker(u),
            (verbs::ALL, _) => {
                // Allies exclude each other, so the list is asked again after each.
                while let Some(u) = self.battle().and_then(|b| self.joiners(b).first().copied()) {
                    self.add_attacker(u);
                }
            }
            (verbs::LESS, Object::Unit(u)) => {
                if let Some(b) = self.battle_mut() {
                    b.forget(u);
                    // What supported it may now be out of reach: it is declared anew.
                    b.air = None;
                    b.guns.clear();
                    b.shells = None;
                    b.plans.clear();
                }
            }
            (verbs::AIR, Object::Unit(u)) => {
                if let Some(b) = self.battle_mut() {
                    b.air = Some(u);
                }
            }
            (verbs::SUPPORT, Object::Unit(u)) => {
                let supply = self.is(u, is::SUPPLY);
                if let Some(b) = self.battle_mut() {
                    if supply { b.shells = Some(u) } else { b.guns.push(u) }
                }
            }
            (verbs::OFFENSIVE, Object::Unit(u)) => {
                if let Some(b) = self.battle_mut() {
                    b.plans.push(u);
                }
            }
            (verbs::CANCEL, _) => {
                self.s.frames.pop();
                self.s.fight.battles.pop();
            }
            _ => self.commit_attack(cx),
        }
    }

    /// 8.3: the attack is declared; from here there is no going back.
    fn commit_attack(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let (side, hex, kind) = (b.side, b.hex, b.kind);
        self.s.frames.pop();
        let masked = self.masked(hex);
        if masked && self.inside(hex).is_empty() {
            self.call_off(hex, cx);
            return;
        }
        self.s.frames.push(Frame::Fight(Stage::Resolving));
        if let Some(b) = self.battle_mut() {
            b.at = At::Roll;
        }
        if kind == Kind::Regular {
            let units: Vec<Unit> = self.of_side(side.foe(), hex).collect();
            for u in units {
                self.mark(u, flag::DEFENDED);
            }
        }
        let attackers = self.battle().map(|b| b.attackers.clone()).unwrap_or_default();
        for u in attackers {
            self.mark(u, if kind == Kind::Automatic { flag::AUTO_DS } else { flag::ATTACKED });
        }
        let foe = side.foe();
        if foe == Side::One && kind == Kind::Regular && !self.cover(hex).is_empty() {
            self.s.frames.push(Frame::Fight(Stage::Cover));
        }
        if self.overstacked(foe, hex) && self.able_defenders(foe, hex, kind).len() > 1 {
            self.s.frames.push(Frame::Fight(Stage::Excess));
        }
        if masked {
            self.army_stands(hex, cx);
        }
    }

    /// 34.6.2, 19.3: the Reserve Army that was attacked turns out to be empty: there is no combat.
    fn call_off(&mut self, hex: Hex, cx: &mut Cx<'_>) {
        cx.tell.reveal();
        self.s.fight.battles.pop();
        let armies: Vec<Unit> = self.of_side(Side::Two, hex).collect();
        for u in armies {
            self.mark(u, flag::DEFENDED);
        }
        let name = self.called(hex);
        cx.say(|| {
            let text = format!("The Reserve Army in {name} is empty: there is nobody to fight.");
            Line::new("reveal", Rule("34.6.2"), text).at(hex)
        });
    }

    /// 8.6.2: when the last of these advances has been made the phase ends by itself.
    pub(crate) fn exploits_settled(&mut self, cx: &mut Cx<'_>) -> bool {
        let none = self.s.fight.shattered.is_empty();
        if none {
            self.s.frames.pop();
            self.next_phase(cx);
        }
        none
    }

    /// 8.6.2: the advances of Automatic DS that are still to be made.
    pub(crate) fn exploit_choices(&self, out: &mut Vec<Choice>) {
        out.extend(self.s.fight.shattered.iter().map(|s| Choice::hex(verbs::EXPLOIT, s.hex)));
        out.push(Choice::button(verbs::DONE));
    }

    pub(crate) fn why_not_exploit(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::EXPLOIT, Object::Hex(h)) if self.s.fight.shattered.iter().any(|s| s.hex == h) => None,
            (verbs::DONE, Object::Nothing) => None,
            _ => no("8.6.2", "name a hex that was shattered this turn, or end the phase"),
        }
    }

    /// 8.6.2: advances after an Automatic DS, at the end of the Combat Phase.
    pub(crate) fn play_exploit(&mut self, c: Choice, cx: &mut Cx<'_>) {
        if let Object::Hex(h) = c.object
            && let Some(i) = self.s.fight.shattered.iter().position(|s| s.hex == h)
        {
            let s = self.s.fight.shattered.remove(i);
            let side = self.phasing().unwrap_or(Side::One);
            let name = self.called(h);
            cx.say(|| {
                let text = format!("The advance after the Automatic DS at {name}.");
                Line::new("exploit", Rule("8.6.2"), text).at(h)
            });
            for &u in &s.units {
                self.unmark(u, flag::AUTO_DS);
            }
            let units: Vec<Unit> = s.units.into_iter().filter(|&u| self.on_map(u).is_some()).collect();
            let most = self.data.charts.combat.result.iter().map(|r| r.advance).max().unwrap_or(0);
            let advance = self.weathered(most);
            self.begin_advance(side, h, crate::battle::Scope::Full, advance, &units, None);
            return;
        }
        self.s.frames.pop();
        let left = std::mem::take(&mut self.s.fight.shattered);
        for u in left.into_iter().flat_map(|s| s.units) {
            self.unmark(u, flag::AUTO_DS);
        }
        self.next_phase(cx);
    }
}
