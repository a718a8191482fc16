//! Section 14: prepared assaults, from the target to the roll.

use crate::combat::Attack;
use crate::data::boxes;
use crate::map::{Fort, Town, side};
use crate::state::{Battle, Cx, Frame, Pause, Pos, flag};
use crate::units::{Nation, trait_};
use crate::verbs;
use game::{Choice, Illegal, Line, Luck, Object};
use hex::Hex;
use table::{Column, Place, Rule, Side, Unit};
use text::count;

impl Pos {
    /// Why a unit may not attack at all this phase.
    pub fn why_not_fight(&self, side: Side, u: Unit) -> Option<Illegal> {
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        if u.ix() >= self.data.units.ground || self.info(u).side != side {
            return no("14.1", format!("{} is not yours", self.code(u)));
        }
        let code = self.code(u);
        if self.flagged(u, flag::ATTACKED) {
            return no("14.4", format!("{code} has attacked this phase"));
        }
        if self.is(u, trait_::FLAK) {
            return no("10.1", format!("{code} is flak and never attacks"));
        }
        if self.face(u).is_some_and(|f| f.attack == 0) && !self.is(u, trait_::ARKO) {
            return no("14.8", format!("{code} has no attack factor"));
        }
        if self.flagged(u, flag::STAYS) {
            return no("8.20", format!("{code} may not attack this turn"));
        }
        if side == Side::Two {
            return None;
        }
        if let Pause::Running(_) = self.s.pause {
            return no("9.19", "no German unit attacks during the pause".into());
        }
        if self.s.concentrated && !self.flagged(u, flag::CHOSEN) {
            return no("9.20", format!("{code} has no concentrated supply"));
        }
        if let Some(h) = self.on_map(u) {
            if self.s.hedgehogs.contains(h) {
                return no("14.40", format!("{code} is in a hedgehog"));
            }
            let m = &self.data.map;
            if self.border_closed() && (m.zomo_hungary.contains(h) || m.zomo_romania.contains(h)) {
                return no("5.3", format!("{code} may not attack from Hungary or Romania during turn 1"));
            }
        }
        None
    }

    /// 7.2-7.4, 5.3: why a unit may not attack into a hex, whatever the hexside.
    pub fn why_closed_to(&self, u: Unit, h: Hex) -> Option<Illegal> {
        let m = &self.data.map;
        if let Some(rule) = self.sheet_rule(u)
            && m.north_sheet.contains(h)
            && !self.options.beginner
        {
            return Some(Illegal::new(rule, format!("{} may not attack on the northern map", self.code(u))));
        }
        if self.info(u).side == Side::Two
            && self.border_closed()
            && (m.zomo_hungary.contains(h) || m.zomo_romania.contains(h))
        {
            return Some(Illegal::new(Rule("5.3"), "Hungary and Romania are closed during turn 1"));
        }
        None
    }

    /// Whether a unit may join a prepared assault on a hex beside it; [`Pos::why_not_join`] says why not.
    pub fn may_join(&self, side: Side, u: Unit, target: Hex) -> bool {
        // What most often forbids it is asked first, without a word.
        let f = self.s.flags[u.ix()];
        self.data.sides[u.ix()] == side
            && f & (flag::ATTACKED | flag::STAYS) == 0
            && !self.s.attackers.contains(&u)
            && self.why_not_join(side, u, target).is_none()
    }

    /// Why a unit may not join a prepared assault on a hex.
    pub fn why_not_join(&self, side: Side, u: Unit, target: Hex) -> Option<Illegal> {
        if let Some(i) = self.why_not_fight(side, u).or_else(|| self.why_closed_to(u, target)) {
            return Some(i);
        }
        let code = self.code(u);
        let Some(h) = self.on_map(u) else {
            return Some(Illegal::new(Rule("14.1"), format!("{code} is not on the map")));
        };
        let afloat = |&v: &Unit| self.s.stacks.place(v) == Place::Box(boxes::LANDING);
        if !self.options.joint_invasion && self.s.attackers.iter().any(afloat) {
            return Some(Illegal::new(
                Rule("11.4"),
                format!("{code} may not join an invasion from the land"),
            ));
        }
        let map = &self.data.map;
        let Some(d) = map.grid().dir(h, target) else {
            return Some(Illegal::new(Rule("14.1"), format!("{code} is not beside {}", map.called(target))));
        };
        if map.sides[h.ix()][d.ix()] & (side::SEA | side::LAKE) != 0 {
            return Some(Illegal::new(Rule("13.7"), "nobody attacks across an all-sea or all-lake hexside"));
        }
        if self.s.attackers.contains(&u) {
            return Some(Illegal::new(Rule("14.4"), format!("{code} takes part already")));
        }
        if !self.options.beginner {
            let own = self.nation(u);
            let allied = |n: Nation| !matches!(n, Nation::German | Nation::Soviet);
            if allied(own)
                && self.s.attackers.iter().any(|&v| allied(self.nation(v)) && self.nation(v) != own)
            {
                let why = format!("{code} attacks only with its own nation and Germans");
                return Some(Illegal::new(self.sheet_rule(u).unwrap_or(Rule("7.1")), why));
            }
        }
        if self.is(u, trait_::ARKO) {
            let worth = map.town[target.ix()] >= Town::Large
                || matches!(self.intact(target), Fort::Fort | Fort::Heavy);
            let beside = self.s.attackers.iter().any(|&v| self.on_map(v) == Some(h));
            if !worth || !beside {
                let why = format!("{code} only supports units stacked with it against towns and forts");
                return Some(Illegal::new(Rule("14.41"), why));
            }
        }
        None
    }

    /// Why a hex may not be attacked.
    pub fn why_not_target(&self, side: Side, h: Hex) -> Option<Illegal> {
        let map = &self.data.map;
        if !map.grid().has(h) || !self.enemy_at(side, h) {
            return Some(Illegal::new(Rule("14.1"), "there is no enemy to attack there"));
        }
        if self.at(h).all(|u| self.flagged(u, flag::DEFENDED)) {
            return Some(Illegal::new(
                Rule("14.4"),
                format!("{} has been attacked this phase", map.called(h)),
            ));
        }
        let mut first = None;
        for (_, n) in map.grid().neighbours(h) {
            for u in self.at(n).filter(|&u| self.info(u).side == side) {
                match self.why_not_join(side, u, h) {
                    None if !self.is(u, trait_::ARKO) => return None,
                    why => first = first.or(why),
                }
            }
        }
        first.or_else(|| Some(Illegal::new(Rule("14.1"), format!("nothing stands beside {}", map.called(h)))))
    }

    /// Whether a hex may be attacked; [`Pos::why_not_target`] says why not.
    fn may_target(&self, side: Side, h: Hex) -> bool {
        if self.at(h).all(|u| self.flagged(u, flag::DEFENDED)) {
            return false;
        }
        let grid = self.data.map.grid();
        let joins = |u: Unit| !self.is(u, trait_::ARKO) && self.may_join(side, u, h);
        grid.neighbours(h).any(|(_, n)| self.s.stacks.occupied(side).contains(n) && self.at(n).any(joins))
    }

    /// Hexes that a side can attack now.
    pub fn targets(&self, side: Side) -> impl Iterator<Item = Hex> + '_ {
        let grid = self.data.map.grid();
        let near = &self.s.stacks.occupied(side).dilate(grid) & self.s.stacks.occupied(side.foe());
        let all: Vec<Hex> = near.iter().collect();
        all.into_iter().filter(move |&h| self.may_target(side, h))
    }

    /// Choices of a combat phase with no attack in the making.
    pub fn fight_choices(&self, side: Side, out: &mut Vec<Choice>) {
        out.extend(self.targets(side).map(|h| Choice::hex(verbs::ATTACK, h)));
        out.push(Choice::button(verbs::DONE));
    }

    /// Units that may join the assault in the making.
    fn joiners(&self, side: Side, target: Hex) -> Vec<Unit> {
        let mut all = Vec::new();
        for (_, n) in self.data.map.grid().neighbours(target) {
            all.extend(self.at(n).filter(|&u| self.may_join(side, u, target)));
        }
        all
    }

    /// Choices while an assault is prepared.
    pub fn preparing_choices(&self, side: Side, target: Hex, out: &mut Vec<Choice>) {
        let all = self.joiners(side, target);
        out.extend(all.iter().map(|&u| Choice::unit(verbs::ADD, u)));
        if all.len() > 1 {
            out.push(Choice::button(verbs::ADDALL));
        }
        if !self.s.attackers.is_empty() {
            out.push(Choice::button(verbs::RESOLVE));
        }
    }

    /// Why a choice is not legal while an assault is prepared.
    pub fn why_not_preparing(&self, side: Side, target: Hex, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::ADD, Object::Unit(u)) => self.why_not_join(side, u, target),
            (verbs::ADDALL, Object::Nothing) => (self.joiners(side, target).len() < 2)
                .then(|| Illegal::new(Rule("14.3"), "there are not several units left to add")),
            (verbs::RESOLVE, Object::Nothing) => {
                self.s.attackers.is_empty().then(|| Illegal::new(Rule("14.8"), "nobody attacks yet"))
            }
            _ => Some(Illegal::new(Rule("14.5"), "finish the assault in the making first")),
        }
    }

    /// Plays a choice while an assault is prepared.
    pub fn play_preparing(&mut self, side: Side, target: Hex, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::ADD, Object::Unit(u)) => self.s.attackers.push(u),
            (verbs::ADDALL, _) => self.join_all(side, target),
            _ => {
                self.s.frames.pop();
                let invasion =
                    self.s.attackers.iter().any(|&u| self.s.stacks.place(u) == Place::Box(boxes::LANDING));
                self.fight(target, side, false, invasion, cx);
            }
        }
    }

    /// Lets everyone join who may. Allies exclude each other and the ArKo needs company, so the list is asked again after each.
    pub fn join_all(&mut self, side: Side, target: Hex) {
        while let Some(&u) = self.joiners(side, target).first() {
            self.s.attackers.push(u);
        }
    }

    /// Fits an attack together from the units of the battle under way.
    pub fn attack_of<'a>(&'a self, hex: Hex, side: Side, mobile: bool, invasion: bool) -> Attack<'a> {
        Attack { side, hex, mobile, invasion, attackers: &self.s.attackers, defenders: &self.s.defenders }
    }

    /// 14.8-14.31: reveals, computes the odds, rolls, and hands the result to those who must bear it.
    pub fn fight(&mut self, hex: Hex, side: Side, mobile: bool, invasion: bool, cx: &mut Cx<'_>) {
        self.check_supply(Side::One);
        self.check_supply(Side::Two);
        self.s.defenders = self.defenders_at(hex).collect();
        cx.tell.reveal();
        for i in 0..self.s.attackers.len() {
            self.try_out(self.s.attackers[i], cx);
        }
        for i in 0..self.s.defenders.len() {
            self.try_out(self.s.defenders[i], cx);
        }
        let sup = std::mem::take(&mut self.s.supplied);
        let a = self.attack_of(hex, side, mobile, invasion);
        let face = |u: Unit| self.face(u).unwrap_or_default();
        let flak = self.flak(&sup, &a);
        let attack = self.attack_sum(&sup, &a, flak, &|u| face(u).attack.into());
        let defence = self.defence_sum(&sup, &a, &|u| face(u).defence.into());
        let mut shifts = self.shift_sum(&a);
        if self.consults(&sup, &a) {
            let die = cx.dice.roll(6);
            let left = self.gas_left(hex, die);
            shifts.and(Rule("17.10"), "attenuated supply", -left);
            cx.say(|| {
                let name = self.data.map.called(hex);
                let modifier = self.gas_modifier(hex);
                let text =
                    format!("Attenuated supply at {name}: die {die}, {} to the left.", count(left, "column"));
                Line::new("gas", Rule("17.10"), text)
                    .at(hex)
                    .fact("gas-die", die)
                    .fact("gas-modifier", modifier)
                    .fact("gas", left)
            });
        }
        let (raw, odds) = Pos::odds(attack.total().floor(), defence.total().floor(), shifts.total().floor());
        let column = self.column(odds);
        let die = if let Column::At(_) = column { cx.dice.roll(6) } else { 0 };
        let plain = self.result(odds, die);
        let result = self.adjust(&a, plain);
        cx.say(|| {
            let luck = self.luck(&a, odds, result);
            let name = self.data.map.called(hex);
            let kind = if mobile { "Mobile assault" } else { "Prepared assault" };
            let thrown = if die == 0 { "no die needed".to_string() } else { format!("die {die}") };
            let text = format!("{kind} on {name} at {odds}: {thrown}, {result}.");
            Line::new("battle", Rule(if mobile { "15.14" } else { "14.31" }), text)
                .at(hex)
                .fact("odds", raw)
                .fact("column", odds)
                .die(die)
                .fact("result", result)
                .fact("attack", attack.total())
                .fact("defence", defence.total())
                .fact("shifts", shifts.total())
                .sum("attack", attack)
                .sum("defence", defence)
                .sum("shifts", shifts)
                .luck(luck)
        });
        self.s.supplied = sup;
        self.bear(hex, side, mobile, invasion, result, cx);
    }

    /// Expected and actual steps, for the luck of the die.
    fn luck(&self, a: &Attack<'_>, odds: table::Odds, result: crate::charts::Outcome) -> Luck {
        let steps = |us: &[Unit]| us.iter().map(|&u| f64::from(self.s.steps[u.ix()])).sum::<f64>();
        let (own, foe) = (steps(a.attackers), steps(a.defenders));
        let gain = |r: crate::charts::Outcome| {
            let d = r.defender.map_or(foe, |d| f64::from(d).min(foe));
            d - f64::from(r.attacker).min(own)
        };
        let expected = (1..=6).map(|die| gain(self.adjust(a, self.result(odds, die)))).sum::<f64>() / 6.0;
        Luck { side: a.side, expected, actual: gain(result) }
    }

    /// Hands the result out: what each side owes, in half loss points (14.36).
    fn bear(
        &mut self,
        hex: Hex,
        side: Side,
        mobile: bool,
        invasion: bool,
        r: crate::charts::Outcome,
        cx: &mut Cx<'_>,
    ) {
        let retreat = self.may_retreat(hex, side, mobile);
        self.s.battle = Some(Battle {
            hex,
            attacker: side,
            mobile,
            invasion,
            defender_owes: r.defender.map_or(u16::MAX, |d| 2 * u16::from(d)),
            attacker_owes: 2 * u16::from(r.attacker),
            first: true,
            retreat,
        });
        if mobile {
            self.spend_cavalry();
        }
        // 14.34: those who fled here from another battle share its fate.
        if r.defender != Some(0) {
            let fled: Vec<Unit> = self.at(hex).filter(|&u| self.flagged(u, flag::RETREATED)).collect();
            for u in fled {
                self.eliminate(u);
            }
        }
        self.s.frames.push(Frame::Losses);
        self.absorb(cx);
    }
}
