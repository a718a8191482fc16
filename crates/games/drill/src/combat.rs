//! 8 Combat: declaring an attack, its sums, its result.

use crate::data::Way;
use crate::state::{Exercise, Frame};
use crate::units::Units;
use crate::verbs::{ATTACK, DONE, RESOLVE, WITH};
use game::{Choice, Dice, Illegal, Line, Luck, Object, Teller};
use hex::Hex;
use table::{Column, Odds, Points, Rounding, Rule, Side, Sum, Unit};

/// The column a battle is fought on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lot {
    pub odds: Odds,
    pub shifted: Odds,
    pub column: Column,
}

impl Exercise {
    /// 8.1 A unit attacks once in a phase; 7.3 a decoy never does.
    fn ready(&self, u: Unit) -> bool {
        !self.fought.has(u) && !self.is_decoy(u)
    }

    /// The units that could join an attack on a hex.
    pub(crate) fn attackers(&self, target: Hex) -> impl Iterator<Item = Unit> + '_ {
        let near = self.data.ways(target).iter().filter(|w| w.cost > 0);
        let ours = near.filter(|w| self.stacks.holder(w.to) == Some(self.active));
        ours.flat_map(|w| self.stacks.at(w.to)).filter(|&u| self.ready(u))
    }

    /// The hexes that could be attacked, by the unit on top of each.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Hex> + '_ {
        let foe = self.active.foe();
        self.on_map(foe).filter_map(move |u| {
            let h = self.stacks.hex(u)?;
            let first = self.stacks.top(h) == Some(u) && !self.attacked.contains(h);
            (first && self.attackers(h).next().is_some()).then_some(h)
        })
    }

    /// Whether the active side seems able to attack. A decoy counts while it lies face down: were its owner not
    /// asked, the enemy would know it for what it is.
    pub(crate) fn seems_to_attack(&self) -> bool {
        let seems = |u: Unit| !self.fought.has(u) && (self.face_down(u) || !self.is_decoy(u));
        self.on_map(self.active).filter(|&u| seems(u)).any(|u| {
            let ways = self.stacks.hex(u).map_or(&[][..], |h| &self.data.ways(h)[..]);
            let foe = Some(self.active.foe());
            ways.iter()
                .any(|w| w.cost > 0 && self.stacks.holder(w.to) == foe && !self.attacked.contains(w.to))
        })
    }

    pub(crate) fn list_combat(&self, out: &mut Vec<Choice>) {
        out.extend(self.targets().map(|h| Choice::hex(ATTACK, h)));
        out.push(Choice::button(DONE));
    }

    pub(crate) fn list_battle(&self, target: Hex, with: Units, out: &mut Vec<Choice>) {
        out.extend(self.attackers(target).filter(|&u| !with.has(u)).map(|u| Choice::unit(WITH, u)));
        if !with.is_empty() {
            out.push(Choice::button(RESOLVE));
        }
    }

    /// 8.1 Which hexes may be attacked.
    pub(crate) fn why_not_attack(&self, o: Object) -> Option<Illegal> {
        let Object::Hex(h) = o else { return Some(Illegal::new(Rule("8.1"), "name the hex to attack")) };
        let name = self.data.hex_name(h);
        if !self.data.board.grid().has(h) || self.stacks.holder(h) != Some(self.active.foe()) {
            return Some(Illegal::new(Rule("8.1"), format!("there is no enemy in {name}")));
        }
        if self.attacked.contains(h) {
            return Some(Illegal::new(
                Rule("8.1"),
                format!("{name} has been attacked in this phase already"),
            ));
        }
        self.attackers(h)
            .next()
            .is_none()
            .then(|| Illegal::new(Rule("8.2"), format!("no unit next to {name} can still attack")))
    }

    /// 8.2 Who may join.
    pub(crate) fn why_not_with(&self, o: Object, target: Hex, with: Units) -> Option<Illegal> {
        let Object::Unit(u) = o else { return Some(Illegal::new(Rule("8.2"), "name a unit to attack with")) };
        let code = self.data.lexicon.unit(u);
        if u.ix() >= self.stacks.len() || self.data.sides[u.ix()] != self.active {
            return Some(Illegal::new(Rule("8.2"), format!("{code} is not yours")));
        }
        if with.has(u) {
            return Some(Illegal::new(Rule("8.2"), format!("{code} takes part already")));
        }
        if self.fought.has(u) {
            return Some(Illegal::new(Rule("8.1"), format!("{code} has attacked in this phase already")));
        }
        if self.is_decoy(u) {
            return Some(Illegal::new(Rule("7.3"), format!("{code} is the decoy and cannot attack")));
        }
        (!self.attackers(target).any(|v| v == u)).then(|| {
            let why = format!("{code} is not next to {}", self.data.hex_name(target));
            Illegal::new(Rule("8.2"), why)
        })
    }

    pub(crate) fn why_not_resolve(&self, with: Units) -> Option<Illegal> {
        with.is_empty().then(|| Illegal::new(Rule("8.2"), "an attack needs at least one attacker"))
    }

    /// The way an attacker takes to its target.
    fn attack_way(&self, u: Unit, target: Hex) -> Option<Way> {
        let from = self.stacks.hex(u)?;
        self.data.way(from, target).map(|(_, w)| w)
    }

    /// 8.3 Attack strength; 4.3 halved without supply, 8.4 halved across a river, each rounded up.
    pub(crate) fn attack_sum(&self, target: Hex, with: Units) -> Sum {
        let mut sum = Sum::new();
        for u in with.iter() {
            let full = Points::whole(i32::from(self.face(u).attack));
            sum.unit(Rule("8.3"), "attack", u, full.floor());
            let mut now = full;
            let mut halve = |rule, what| {
                let half = now.half_up();
                if half != now {
                    sum.unit(rule, what, u, (half - now).floor());
                }
                now = half;
            };
            if self.out_of_supply(u) {
                halve(Rule("4.3"), "out of supply");
            }
            if self.attack_way(u, target).is_some_and(|w| w.halved) {
                halve(Rule("8.4"), "across the river");
            }
        }
        sum
    }

    /// 8.3 Defence strength of a hex, if the concealed counters are what `real` says.
    pub(crate) fn defence_sum(&self, target: Hex, real: Option<Unit>) -> Sum {
        let mut sum = Sum::new();
        for u in self.stacks.at(target) {
            if self.data.concealed.has(u) && real != Some(u) {
                continue;
            }
            let face = self.data.counters[u.ix()].face(usize::from(self.steps[u.ix()])).unwrap_or_default();
            sum.unit(Rule("8.3"), "defence", u, i32::from(face.defence));
        }
        sum
    }

    /// 8.6 Terrain moves the column.
    pub(crate) fn shift_sum(&self, target: Hex) -> Sum {
        let mut sum = Sum::new();
        let (n, what) = self.data.shift.get(target.ix()).copied().unwrap_or_default();
        sum.and(Rule("8.6"), what, i32::from(n));
        sum
    }

    /// 8.5 Odds rounded for the defender, then shifted; 8.7 cut to the table.
    pub(crate) fn lot(&self, attack: &Sum, defence: &Sum, shift: &Sum) -> Lot {
        let odds = Odds::of(attack.total().floor(), defence.total().floor(), Rounding::Defender);
        let shifted = odds.shift(shift.total().floor());
        let columns = self.data.results.columns().len();
        let column = match shifted.column(self.data.first_column, columns) {
            Column::Above => Column::At(columns - 1),
            column => column,
        };
        Lot { odds, shifted, column }
    }

    /// The name of a column as the table prints it.
    pub(crate) fn column_name(&self, column: Column) -> String {
        let names = self.data.results.columns();
        match column {
            Column::At(i) => names[i.min(names.len() - 1)].clone(),
            Column::Below => format!("below {}", names[0]),
            Column::Above => names[names.len() - 1].clone(),
        }
    }

    /// The result of a die on a column, as an index into the outcomes.
    pub(crate) fn result(&self, column: Column, die: u8) -> u8 {
        match column {
            Column::Below => self.data.below,
            Column::At(i) => self.data.results.result(i, i32::from(die)),
            Column::Above => self.data.results.result(usize::MAX, i32::from(die)),
        }
    }

    /// Steps that a result takes from attacker and defender, no more than they have.
    pub(crate) fn toll(&self, result: u8, with: Units, against: Units) -> (u32, u32) {
        let r = &self.data.outcomes[usize::from(result)];
        let have = |units: Units| units.iter().map(|u| u32::from(self.steps[u.ix()])).sum::<u32>();
        (u32::from(r.attacker).min(have(with)), u32::from(r.defender).min(have(against)))
    }

    /// 8.2 Names a target.
    pub(crate) fn attack(&mut self, h: Hex) {
        self.frames.push(Frame::Battle(h, Units::NONE));
    }

    /// 8.7 Fights the battle and lays down what must follow.
    pub(crate) fn resolve(&mut self, target: Hex, with: Units, dice: &mut dyn Dice, tell: &mut dyn Teller) {
        self.leave();
        self.attacked.insert(target);
        self.fought = Units(self.fought.0 | with.0);
        let defenders: Units = self.stacks.at(target).collect();
        if (with.0 | defenders.0) & self.data.concealed.0 != 0 {
            self.reveal(tell);
        }
        let against = self.alive(defenders);
        self.frames.push(Frame::Advance(target, with));
        if against.is_empty() {
            if tell.listening() {
                let text = format!("The attack on {} meets no one.", self.data.hex_name(target));
                let line = Line::new("battle", Rule("7.3"), text).at(target).fact("result", "empty");
                tell.tell(line);
            }
            return;
        }
        let attack = self.attack_sum(target, with);
        let defence = self.defence_sum(target, self.real);
        let shift = self.shift_sum(target);
        let lot = self.lot(&attack, &defence, &shift);
        let die = if lot.column == Column::Below { 0 } else { dice.roll(6) };
        let result = self.result(lot.column, die);
        if tell.listening() {
            self.tell_battle(target, with, against, (attack, defence, shift), lot, die, result, tell);
        }
        let r = &self.data.outcomes[usize::from(result)];
        let (foe, attacker, defender, retreat) = (self.active.foe(), r.attacker, r.defender, r.retreat);
        // The last frame pushed is settled first: losses of both sides, the retreat, then the advance.
        if retreat {
            self.frames.push(Frame::Retreat(against, self.data.town(target).is_some()));
        }
        if defender > 0 {
            self.frames.push(Frame::Losses(foe, defender, against));
        }
        if attacker > 0 {
            self.frames.push(Frame::Losses(self.active, attacker, with));
        }
    }

    #[allow(clippy::too_many_arguments, reason = "everything that the line of a battle shows")]
    fn tell_battle(
        &self,
        target: Hex,
        with: Units,
        against: Units,
        (attack, defence, shift): (Sum, Sum, Sum),
        lot: Lot,
        die: u8,
        result: u8,
        tell: &mut dyn Teller,
    ) {
        let gain = |result: u8| {
            let (own, foe) = self.toll(result, with, against);
            f64::from(foe) - f64::from(own)
        };
        let expected = (1..=6).map(|d| gain(self.result(lot.column, d))).sum::<f64>() / 6.0;
        let r = &self.data.outcomes[usize::from(result)];
        let side = ["Blue", "Red"][self.active.ix()];
        let throw = if die == 0 { "without a throw".into() } else { format!("die {die}") };
        let column = self.column_name(lot.column);
        let text = format!(
            "{side} attacks {} with {}: {} to {}, column {column}, {throw}: {}, {}.",
            self.data.hex_name(target),
            self.codes(with),
            attack.total(),
            defence.total(),
            r.code,
            r.text,
        );
        let line = Line::new("battle", Rule("8.7"), text)
            .at(target)
            .fact("odds", lot.odds)
            .fact("column", column)
            .die(die)
            .fact("result", &r.code)
            .sum("attack", attack)
            .sum("defence", defence)
            .sum("shift", shift)
            .luck(Luck { side: self.active, expected, actual: gain(result) });
        tell.tell(line);
    }

    /// The codes of units, in a row.
    pub(crate) fn codes(&self, units: Units) -> String {
        units.iter().map(|u| self.data.lexicon.unit(u)).collect::<Vec<_>>().join(", ")
    }

    /// A unit's name that everyone may read.
    pub(crate) fn named(&self, u: Unit) -> String {
        if self.data.concealed.has(u) && !self.face_down(u) {
            let what = if self.is_decoy(u) { &self.data.decoy.name } else { &self.data.real.name };
            return format!("{what} ({})", self.data.lexicon.unit(u));
        }
        self.data.counters[u.ix()].name.clone()
    }

    /// Which counter is real, as far as these eyes may know: one answer, or each with its chance.
    pub(crate) fn possible(&self, knows: bool) -> Vec<(Option<Unit>, f64)> {
        if self.revealed || knows || self.real.is_none() {
            return vec![(self.real, 1.0)];
        }
        let n = f64::from(self.data.concealed.count());
        self.data.concealed.iter().map(|u| (Some(u), 1.0 / n)).collect()
    }

    /// The side that owns the concealed counters.
    pub(crate) fn concealer(&self) -> Side {
        self.data.concealed.first().map_or(Side::Two, |u| self.data.sides[u.ix()])
    }
}
