//! Section 11: Determined and Desperate Defense.

use crate::battle::{At, Battle, Cause, Falling, Kind, Stage, Thrown};
use crate::charts::Stand;
use crate::combat::no;
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::{Nation, is};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{Rule, Side, Sum, Unit};

impl Pos {
    /// Defenders whose hex is attacked and who are still there.
    fn standing(&self, b: &Battle) -> Vec<Unit> {
        self.of_side(b.side.foe(), b.hex).filter(|&u| self.combat(u)).collect()
    }

    /// 11.1.1, 11.2.2: what comes after the losses of the table.
    pub(crate) fn offer_stand(&mut self) {
        let Some(b) = self.battle() else { return };
        let (foe, hex) = (b.side.foe(), b.hex);
        if !self.has_combat(foe, hex) {
            if let Some(b) = self.battle_mut() {
                b.gone = true;
                b.at = At::Escort;
            }
            return;
        }
        if b.retreat == 0 {
            self.set_at(At::Escort);
            return;
        }
        self.check_supply(foe);
        let Some(b) = self.battle() else { return };
        let offered = b.lead_possible(self);
        self.set_at(At::Retreat);
        if offered {
            self.s.frames.push(Frame::Fight(Stage::Stand));
        }
    }

    /// 11.1.2: until Order 227 Soviet units stand only where the ground helps them.
    fn order_allows(&self, b: &Battle, u: Unit) -> bool {
        self.side(u) == Side::One
            || self.s.turn >= self.data.charts.determined.all_may_from_turn
            || self.is(u, is::NKVD)
            || b.sheltered
            || b.doubled.contains(&u)
    }

    /// 11.2.3: why a unit cannot lead at all.
    pub(crate) fn why_no_lead(&self, b: &Battle, u: Unit) -> Option<Illegal> {
        let code = self.code(u);
        if self.side(u) != b.side.foe() || self.on_map(u) != Some(b.hex) || !self.combat(u) {
            return no("11.2.3", format!("{code} does not defend here"));
        }
        if !self.good_order(u) {
            return no("11.2.3", format!("{code} is not in Good Order"));
        }
        if self.flagged(u, flag::TRAIN) {
            return no("11.2.3", format!("{code} is entrained"));
        }
        if self.is(u, is::ASU) {
            return no("11.2.3", format!("{code} is an Artillery Support Unit"));
        }
        if b.kind == Kind::Regular && self.flagged(u, flag::RETREATED) {
            return no("12.4", format!("{code} has retreated into this hex"));
        }
        if b.excess.contains(&u) {
            return no("15.3.2", format!("{code} is beyond the stacking limit"));
        }
        None
    }

    /// 11.2.2, 11.1.2: why a unit may not lead an ordinary Determined Defense.
    pub(crate) fn why_not_lead(&self, b: &Battle, u: Unit) -> Option<Illegal> {
        if b.barred {
            return no("11.2.2", "the result allows no Determined Defense");
        }
        if b.orange && self.data.map.vp[b.hex.ix()] == 0 {
            return no("11.2.2", "on light orange only a VP hex or a Desperate Defense may hold");
        }
        if b.desperate {
            return no("11.5.2", "the Desperate Defense goes on as one");
        }
        self.why_no_lead(b, u).or_else(|| {
            if self.order_allows(b, u) {
                return None;
            }
            let why = format!("before Order 227 {} stands only where the ground helps it", self.code(u));
            no("11.1.2", why)
        })
    }

    /// 11.5.1: why a stand may not be called desperate.
    fn why_not_desperate(&self, b: &Battle, u: Unit) -> Option<Illegal> {
        if b.barred {
            return no("11.2.2", "the result allows no Determined Defense");
        }
        self.why_no_lead(b, u).or_else(|| {
            if b.desperate || self.cornered(b) {
                return None;
            }
            no("11.5.1", "the stack can retreat: its defence is not desperate")
        })
    }

    /// The retreat that a battle would bring.
    pub(crate) fn would_fall(&self, b: &Battle) -> Falling {
        let units: Vec<Unit> =
            self.of_side(b.side.foe(), b.hex).filter(|&u| !self.is(u, is::SUPPLY)).collect();
        let rout = self.data.charts.combat.result[usize::from(b.result)].status == "full-retreat";
        let (least, most) = if b.delay { (1, 2) } else { (b.retreat, b.retreat) };
        let cause = if b.delay { Cause::Delay } else { Cause::Combat };
        Falling { side: b.side.foe(), from: b.hex, cause, least, most, rout, units, hand: Vec::new() }
    }

    /// 11.5.1: whether every unit would be eliminated by the retreat, or the port they hold is their only supply.
    fn cornered(&self, b: &Battle) -> bool {
        let f = self.would_fall(b);
        let units = self.standing(b);
        let fled = |u: Unit| b.kind == Kind::Regular && self.flagged(u, flag::RETREATED);
        if units.iter().all(|&u| fled(u) || !self.can_fall(&f, &[u])) {
            return true;
        }
        self.data.map.ports.iter().any(|p| p.0 == b.hex) && self.port_decides(b, &f, &units)
    }

    /// 11.5.1: whether losing the port leaves all of them out of supply where they end.
    fn port_decides(&self, b: &Battle, f: &Falling, units: &[Unit]) -> bool {
        let foe = b.side.foe();
        let mut lost = self.clone();
        let here: Vec<Unit> = lost.of_side(foe, b.hex).collect();
        for u in here {
            lost.put(u, table::Place::Box(crate::data::boxes::TRAY));
        }
        lost.s.axis_held.set(b.hex, b.side == Side::One);
        if let Some(&u) = b.attackers.iter().find(|&&u| self.alive(u)) {
            lost.put(u, table::Place::Hex(b.hex));
        }
        lost.s.supplied.fresh = [false; 2];
        lost.check_supply(foe);
        let los = &lost.s.supplied.los[foe.ix()];
        units.iter().all(|&u| self.fall_hexes(f, &[u]).iter().all(|&h| !los.contains(h)))
    }

    pub(crate) fn stand_choices(&self, out: &mut Vec<Choice>) {
        let Some(b) = self.battle() else { return };
        let units = self.standing(b);
        if !b.desperate {
            out.extend(
                units
                    .iter()
                    .filter(|&&u| self.why_not_lead(b, u).is_none())
                    .map(|&u| Choice::unit(verbs::LEAD, u)),
            );
        }
        if units.iter().any(|&u| self.why_no_lead(b, u).is_none()) && (b.desperate || self.cornered(b)) {
            out.extend(
                units
                    .iter()
                    .filter(|&&u| self.why_no_lead(b, u).is_none())
                    .map(|&u| Choice::unit(verbs::DESPERATE, u)),
            );
        }
        if !b.desperate {
            out.push(Choice::button(verbs::YIELD));
        }
    }

    pub(crate) fn why_not_stand(&self, c: &Choice) -> Option<Illegal> {
        let Some(b) = self.battle() else { return no("11.2.1", "there is no combat") };
        match (c.verb, c.object) {
            (verbs::LEAD, Object::Unit(u)) => self.why_not_lead(b, u),
            (verbs::DESPERATE, Object::Unit(u)) => self.why_not_desperate(b, u),
            (verbs::YIELD, Object::Nothing) if !b.desperate => None,
            (verbs::YIELD, _) => no("11.5.2", "a Desperate Defense is fought to its end"),
            _ => no("11.2.1", "name the lead unit of a Determined Defense, or give way"),
        }
    }

    pub(crate) fn play_stand(&mut self, c: Choice, cx: &mut Cx<'_>) {
        self.s.frames.pop();
        let Object::Unit(u) = c.object else {
            if let Some(b) = self.battle() {
                let (name, hex) = (self.called(b.hex), b.hex);
                cx.say(|| {
                    Line::new("yield", Rule("11.2.1"), format!("The defenders of {name} give way.")).at(hex)
                });
            }
            return;
        };
        let desperate = c.verb == verbs::DESPERATE;
        let Some(b) = self.battle_mut() else { return };
        b.lead = Some(u);
        if desperate && !b.desperate {
            b.desperate = true;
            let hex = b.hex;
            let (name, code) = (self.called(hex), self.code(u).to_string());
            cx.say(|| {
                let text = format!("{name} is defended desperately, {code} in the lead.");
                Line::new("desperate", Rule("11.5.2"), text).at(hex)
            });
        }
        let Some(b) = self.battle() else { return };
        if b.backing.is_none() && !self.backing(b, u).is_empty() {
            self.s.frames.push(Frame::Fight(Stage::Backing));
        } else {
            self.roll_stand(cx);
        }
    }

    pub(crate) fn backing_choices(&self, out: &mut Vec<Choice>) {
        let Some((b, lead)) = self.battle().and_then(|b| Some((b, b.lead?))) else { return };
        out.extend(self.backing(b, lead).into_iter().map(|u| Choice::unit(verbs::SUPPORT, u)));
        out.push(Choice::button(verbs::PASS));
    }

    pub(crate) fn why_not_backing(&self, c: &Choice) -> Option<Illegal> {
        let Some((b, lead)) = self.battle().and_then(|b| Some((b, b.lead?))) else {
            return no("11.3", "nobody leads");
        };
        match (c.verb, c.object) {
            (verbs::PASS, Object::Nothing) => None,
            (verbs::SUPPORT, Object::Unit(u)) if self.backing(b, lead).contains(&u) => None,
            (verbs::SUPPORT, Object::Unit(u)) => no(
                "11.3",
                format!("{} cannot support this stand: it is used, unfit or out of range", self.code(u)),
            ),
            _ => no("11.3", "support the stand with one air unit, ASU or Supply Point, or roll without"),
        }
    }

    pub(crate) fn play_backing(&mut self, c: Choice, cx: &mut Cx<'_>) {
        self.s.frames.pop();
        if let Object::Unit(u) = c.object {
            if let Some(b) = self.battle_mut() {
                b.backing = Some(u);
            }
            let code = self.code(u).to_string();
            cx.say(|| Line::new("support", Rule("11.3"), format!("{code} supports the stand.")));
            self.use_backing(u);
        }
        self.roll_stand(cx);
    }

    /// 11.2.1: the die; a leader may have it rolled again.
    fn roll_stand(&mut self, cx: &mut Cx<'_>) {
        let die = cx.d6();
        let Some(b) = self.battle_mut() else { return };
        b.stand_die = die;
        b.at = At::Stood;
        let (own, hex) = (b.side.foe(), b.hex);
        if self.leader_near(own, &[hex]).is_some() {
            cx.say(|| Line::new("dice", Rule("11.2.1"), format!("The stand rolls {die}.")).at(hex));
            self.s.frames.push(Frame::Fight(Stage::Reroll(Thrown::Determined)));
        }
    }

    /// 11.2.1: the column of the table for a hex: clear, other, city.
    pub fn stand_column(&self, defender: Side, h: Hex) -> usize {
        let t = &self.data.charts;
        let map = &self.data.map;
        let find = |name: &str| t.determined.columns.iter().position(|c| c == name);
        let place = match map.town[h.ix()] {
            crate::map::Town::Major | crate::map::Town::Minor => return find("city").unwrap_or(2),
            crate::map::Town::Town => find("other"),
            _ => None,
        };
        if self.fortified(defender, h) {
            return find("other").unwrap_or(1);
        }
        place.or_else(|| find(&map.ground(h, self.s.wet).column)).unwrap_or(1)
    }

    /// 11.2.4: whether a lead unit counts as Elite.
    pub fn stands_elite(&self, u: Unit, h: Hex) -> bool {
        let walls = self.data.map.cities.contains(h) || self.fortified(self.side(u), h);
        self.is(u, is::ELITE) || self.nation(u) == Nation::German && walls
    }

    /// 11.2.4: the modifiers of a stand.
    pub fn stand_sum(&self, lead: Unit, h: Hex, backed: bool, orange: bool) -> Sum {
        let d = &self.data.charts.determined;
        let mut sum = Sum::new();
        if self.stands_elite(lead, h) {
            sum.unit(Rule("11.2.4"), "elite", lead, d.elite);
        } else if self.is(lead, is::LOW) {
            sum.unit(Rule("11.2.4"), "low quality", lead, d.low);
        }
        if backed {
            sum.and(Rule("11.3"), "support", d.support);
        }
        if orange {
            sum.and(Rule("11.2.2"), "light orange", d.orange);
        }
        sum
    }

    /// 11.4-11.6: what the stand brings.
    pub(crate) fn read_stand(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let Some(lead) = b.lead else {
            self.set_at(At::Retreat);
            return;
        };
        let (hex, side, die, desperate) = (b.hex, b.side, b.stand_die, b.desperate);
        let foe = side.foe();
        let sum = self.stand_sum(lead, hex, b.backing.is_some(), b.orange);
        let column = self.stand_column(foe, hex);
        let (held, code) = {
            let (h, c) = self.data.charts.determined.at(column, i32::from(die) + sum.total().floor());
            (h, c.to_string())
        };
        let city = held.stand == Stand::Partial && self.city_battle_possible(hex, side);
        let delays = b.delays;
        let delay = held.stand == Stand::Partial && !city;
        let second = delay && desperate && delays > 0;
        let fails = held.stand == Stand::Fail || delay && desperate && !second;
        let (name, who) = (self.called(hex), self.code(lead).to_string());
        let word = code.clone();
        cx.say(|| {
            let kind = if desperate { "Desperate Defense" } else { "Determined Defense" };
            let brings = match (held.stand, city, second, fails) {
                (_, true, ..) => "the fight goes on in the streets",
                (_, _, true, _) => "a second delay holds the hex",
                (_, _, _, true) if desperate => "it fails and is tried again",
                (Stand::Fail, ..) => "it fails",
                (Stand::Partial, ..) => "it delays the enemy, then gives way",
                (Stand::Success, ..) => "the hex holds",
            };
            let text = format!("{kind} of {name} led by {who}: die {die}, {word}: {brings}.");
            Line::new("stand", Rule("11.4.1"), text)
                .at(hex)
                .fact("stand", word)
                .fact("stand-die", die)
                .fact("modifier", sum.total())
                .sum("stand", sum)
        });
        let (mut own, mut theirs) = (held.defender, held.attacker);
        if desperate && (fails || second) {
            (own, theirs) = (1, 0);
        }
        if let Some(b) = self.battle_mut() {
            b.at = At::AfterStand;
            b.lead = None;
            b.delays += u8::from(delay && desperate);
            if fails {
                if desperate {
                    b.at = At::Stand;
                }
            } else if delay && !second {
                b.delay = true;
                b.advance = 1;
            } else {
                b.retreat = 0;
                b.advance = 0;
                b.limited = true;
            }
        }
        if city {
            self.city_battle(hex, side, cx);
        }
        for _ in 0..own {
            if self.alive(lead) {
                self.lose(lead, "11.2.3", cx);
            }
        }
        if theirs > 0 {
            let by = if held.defender_picks { foe } else { side };
            self.s.frames.push(Frame::Fight(Stage::Loss { by, of: side, left: theirs }));
        }
    }

    /// 11.4.2, 11.4.3: after the losses of a stand: the hex holds, is lost, or is left.
    pub(crate) fn after_stand(&mut self) {
        let Some(b) = self.battle() else { return };
        let (foe, hex, retreat) = (b.side.foe(), b.hex, b.retreat);
        let empty = !self.has_combat(foe, hex);
        if let Some(b) = self.battle_mut() {
            if empty {
                b.gone = true;
                b.at = At::Escort;
            } else {
                b.at = if retreat == 0 { At::Escort } else { At::Retreat };
            }
        }
    }
}

impl Battle {
    /// Whether anyone may lead a stand, ordinary or desperate.
    fn lead_possible(&self, p: &Pos) -> bool {
        let units = p.standing(self);
        if self.desperate {
            return units.iter().any(|&u| p.why_no_lead(self, u).is_none());
        }
        units.iter().any(|&u| p.why_not_lead(self, u).is_none())
            || units.iter().any(|&u| p.why_not_desperate(self, u).is_none())
    }
}
