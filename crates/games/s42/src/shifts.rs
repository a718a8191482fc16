//! Section 9: strengths and shifts. Every halving, doubling and column is a named term with its rule.

use crate::battle::{Battle, Kind};
use crate::charts::Doubles;
use crate::map::side;
use crate::state::{Pos, flag};
use crate::units::{Nation, is};
use hex::Hex;
use table::{Odds, Points, Rounding, Rule, Side, Subject, Sum, Unit};

/// What decides the odds of an attack, whether it is fought or only thought of.
#[derive(Clone, Copy, Debug)]
pub struct Attack<'a> {
    /// Who attacks.
    pub side: Side,
    /// Which hex.
    pub hex: Hex,
    /// Which units.
    pub attackers: &'a [Unit],
    /// From where, in the same order; [`Hex::NONE`] from an Entry Area.
    pub from: &'a [Hex],
    /// Which defenders lend strength.
    pub defenders: &'a [Unit],
    /// The air unit that shifts a column.
    pub air: Option<Unit>,
    /// Columns of artillery (9.4).
    pub artillery: i32,
}

/// What came of the odds (8.3, 8.4).
#[derive(Clone, Debug)]
pub struct Lot {
    /// Attack strength.
    pub attack: Sum,
    /// Defence strength.
    pub defence: Sum,
    /// Columns.
    pub shifts: Sum,
    /// The ratio before shifts.
    pub raw: Odds,
    /// After them.
    pub odds: Odds,
    /// Column of the table; `None` when the odds are too bad to fight.
    pub column: Option<usize>,
    /// Ten to one or better.
    pub sure: bool,
}

/// 8.4.1: where the first column lies, counted from 1-1.
fn first_step(columns: &[String]) -> i32 {
    let mut n = columns.first().map_or("", String::as_str).split('-').map(|n| n.parse::<i32>().unwrap_or(1));
    let (a, d) = (n.next().unwrap_or(1), n.next().unwrap_or(1));
    Odds::of(a, d, Rounding::Defender).step()
}

/// Half of a strength, rounded up (9.1).
pub fn half(n: i32) -> i32 {
    (n + 1) / 2
}

/// Odds in the words of the table: `3-1`.
pub fn odds_word(o: Odds) -> String {
    o.to_string().replace(':', "-")
}

impl Pos {
    /// The columns of artillery that a battle has.
    pub fn artillery_of(&self, b: &Battle) -> i32 {
        let sh = &self.data.charts.shifts;
        match b.guns.len() + usize::from(b.shells.is_some()) {
            0 => 0,
            1 => sh.artillery,
            _ => sh.massive_barrage,
        }
    }

    /// A battle as an attack.
    pub fn attack_of<'a>(&self, b: &'a Battle) -> Attack<'a> {
        Attack {
            side: b.side,
            hex: b.hex,
            attackers: &b.attackers,
            from: &b.from,
            defenders: &b.defenders,
            air: b.air,
            artillery: self.artillery_of(b),
        }
    }

    /// The hexside that an attacker attacks across; 0 from an Entry Area and inside a contested city.
    fn side_between(&self, from: Hex, to: Hex) -> u16 {
        if from.is_some() && from != to { self.data.map.between(from, to).unwrap_or(0) } else { 0 }
    }

    /// 9.5.2, 9.5.3, 23.4: whether an attack across a hexside halves: a Major River, the Volga, a frozen lake.
    pub(crate) fn halving_side(&self, from: Hex, to: Hex) -> bool {
        self.side_between(from, to) & (side::MAJOR | side::VOLGA | side::LAKE) != 0
    }

    /// 9.5.1: whether a unit attacks across a river, or out of a marsh.
    pub(crate) fn hindered(&self, from: Hex, to: Hex) -> bool {
        let s = self.side_between(from, to);
        s & (side::RIVER | side::LAKE) != 0
            || from.is_some() && from != to && self.data.map.marsh(from, self.s.wet)
    }

    /// 9.5.1: whether all attackers are hindered, so that the defender is doubled.
    pub fn all_hindered(&self, a: &Attack<'_>) -> bool {
        !a.from.is_empty() && a.from.iter().all(|&f| self.hindered(f, a.hex))
    }

    /// The attack strength of one unit, term by term (9.1, 9.5.2, 9.6.1, 16.4, 20.2, 20.9, 23.4).
    fn add_attack(&self, sum: &mut Sum, u: Unit, from: Hex, target: Hex) {
        let base = i32::from(self.face(u).attack);
        sum.unit(Rule("8.3"), "attack", u, base);
        let mut now = base;
        let mut bring = |rule: &'static str, what: &'static str, to: i32| {
            if to != now {
                sum.unit(Rule(rule), what, u, to - now);
                now = to;
            }
        };
        let w = &self.data.charts.weather;
        let oos = self.flagged(u, flag::OUT);
        let winter = self.winter_touches(u, from);
        if winter {
            let cold = (base + w.winter_attack).max(w.winter_attack_least.min(base));
            // 23.4: never both; whichever is worse for the unit.
            if oos && half(base) <= cold {
                bring("16.4", "out of supply", half(base));
            } else {
                bring("23.4", "winter", cold);
            }
        } else if oos {
            bring("16.4", "out of supply", half(base));
        }
        let mut after = now;
        if self.halving_side(from, target) {
            after = half(now);
            sum.unit(Rule("9.5.2"), "across a major river", u, after - now);
        }
        let mut doubled = None;
        let map = &self.data.map;
        let alpine = self.side_between(from, target);
        let off_road = alpine & side::ALPINE != 0 && alpine & side::ROAD == 0;
        if self.is(u, is::MOUNTAIN) && self.side(u) == Side::One && map.mountain(target) && !off_road {
            doubled = Some(("20.2", "mountain troops"));
        } else if self.is(u, is::CITY_DOUBLE) && map.cities.contains(target) {
            doubled = Some(("20.9", "against a city"));
        }
        if let Some((rule, what)) = doubled {
            sum.unit(Rule(rule), what, u, after);
        }
    }

    /// 8.3, 8.5.1: the attack strength.
    pub fn attack_sum(&self, a: &Attack<'_>) -> Sum {
        let mut sum = Sum::new();
        for (&u, &from) in a.attackers.iter().zip(a.from) {
            self.add_attack(&mut sum, u, from, a.hex);
        }
        let most = self.data.charts.combat.most_attack;
        if sum.total().floor() > most {
            sum.bring_to(Rule("8.5.1"), "no more than 40 count", Points::whole(most));
        }
        sum
    }

    /// 23.4: whether the winter weakens an Axis unit at a hex.
    fn winter_touches(&self, u: Unit, at: Hex) -> bool {
        self.side(u) == Side::One && self.s.winter && at.is_some() && self.data.map.north_maps.contains(at)
    }

    /// 9.5.1, 9.5.4, 9.6.1, 9.6.3: by which rule a defender is doubled, if it is.
    pub fn doubled_by(&self, u: Unit, h: Hex, across: bool) -> Option<(&'static str, &'static str)> {
        if self.flagged(u, flag::TRAIN) {
            return None;
        }
        let map = &self.data.map;
        if map.cities.contains(h) && !self.is(u, is::ASU | is::TANK_CORPS | is::SILHOUETTE) {
            return Some(("9.6.3", "in a city"));
        }
        match map.ground(h, self.s.wet).doubles {
            Doubles::All => return Some(("9.5.4", "in a marsh")),
            Doubles::InfantryTypes if self.is(u, is::INFANTRY) => return Some(("9.6.1", "in mountains")),
            _ => {}
        }
        across.then_some(("9.5.1", "all attack across rivers or out of marsh"))
    }

    /// The defence strength of one unit, term by term.
    fn add_defence(&self, sum: &mut Sum, u: Unit, h: Hex, across: bool) {
        let charts = &self.data.charts;
        if self.flagged(u, flag::TRAIN) {
            sum.unit(Rule("5.6.4"), "entrained", u, charts.shifts.entrained_defence);
            return;
        }
        let base = i32::from(self.face(u).defence);
        sum.unit(Rule("8.3"), "defence", u, base);
        let mut now = base;
        let mut bring = |rule: &'static str, what: &'static str, to: i32| {
            if to != now {
                sum.unit(Rule(rule), what, u, to - now);
                now = to;
            }
        };
        let w = &charts.weather;
        let disrupted = self.flagged(u, flag::DISRUPTED);
        if self.winter_touches(u, h) && !self.winter_shelter(h) {
            let cold = (base + w.winter_defence).max(w.winter_defence_least.min(base));
            if disrupted && half(base) <= cold {
                bring("13.2.1", "disrupted", half(base));
            } else {
                bring("23.4", "winter", cold);
            }
        } else if disrupted {
            bring("13.2.1", "disrupted", half(base));
        }
        if let Some((rule, what)) = self.doubled_by(u, h, across) {
            let twice = if disrupted && base > 0 { 2 * half(base).min(self.cold_defence(u, h)) } else { 0 };
            let to = if twice > 0 { twice } else { 2 * self.cold_defence(u, h) };
            bring(rule, what, to);
        }
    }

    /// A defender's strength after the winter alone.
    fn cold_defence(&self, u: Unit, h: Hex) -> i32 {
        let w = &self.data.charts.weather;
        let base = i32::from(self.face(u).defence);
        if self.winter_touches(u, h) && !self.winter_shelter(h) {
            (base + w.winter_defence).max(w.winter_defence_least.min(base))
        } else {
            base
        }
    }

    /// 8.3, 8.5.2: the defence strength.
    pub fn defence_sum(&self, a: &Attack<'_>) -> Sum {
        let across = self.all_hindered(a);
        let mut sum = Sum::new();
        for &u in a.defenders {
            self.add_defence(&mut sum, u, a.hex, across);
        }
        let most = self.data.charts.combat.most_defence;
        if sum.total().floor() > most {
            sum.bring_to(Rule("8.5.2"), "no more than 20 count", Points::whole(most));
        }
        if sum.total().floor() < 1 {
            sum.bring_to(Rule("8.3"), "nobody can fight: counted as one", Points::whole(1));
        }
        sum
    }

    /// Whether a unit has a dot that earns the Tank Shift (9.2.1, 9.2.2).
    fn tank(&self, u: Unit) -> bool {
        self.is(u, is::BLACK | is::RED)
    }

    /// 9.2.3: whether tanks can shift columns in a hex.
    pub fn tank_country(&self, defender: Side, h: Hex) -> bool {
        let map = &self.data.map;
        map.ground(h, self.s.wet).tanks && !map.cities.contains(h) && !self.fortified(defender, h)
    }

    /// 9.2: the Tank Shifts of both sides.
    fn tank_shifts(&self, a: &Attack<'_>, sum: &mut Sum) {
        let defender = a.side.foe();
        if !self.tank_country(defender, a.hex) {
            return;
        }
        let sh = &self.data.charts.shifts;
        let mut earns = false;
        let mut elite = None;
        let mut present = false;
        for (&u, &from) in a.attackers.iter().zip(a.from) {
            if !self.tank(u) {
                continue;
            }
            present = true;
            if !self.hindered(from, a.hex) {
                earns = true;
                if self.is(u, is::RED) {
                    elite = Some(u);
                }
            }
        }
        let fit = |u: &&Unit| !self.flagged(**u, flag::TRAIN | flag::FULL_RETREAT);
        let tanks = a.defenders.iter().filter(fit).find(|&&u| self.tank(u)).copied();
        let white = a.defenders.iter().filter(fit).any(|&u| self.is(u, is::WHITE));
        if earns && tanks.is_none() && !white {
            sum.and(Rule("9.2.1"), "tanks attack", sh.tank);
        }
        if let Some(u) = elite {
            sum.unit(Rule("9.2.2"), "elite tanks attack", u, sh.elite_tank);
        }
        if let Some(u) = tanks.filter(|_| !present) {
            sum.unit(Rule("9.2.1"), "tanks defend", u, -sh.tank);
        }
        let red = a.defenders.iter().filter(fit).find(|&&u| self.is(u, is::RED)).copied();
        if let Some(u) = red {
            sum.unit(Rule("9.2.2"), "elite tanks defend", u, -sh.elite_tank);
        }
    }

    /// 9.7.1, 9.9: columns that the ground and works of a hex give its defender.
    pub fn shelter_sum(&self, defender: Side, h: Hex) -> Sum {
        let mut sum = Sum::new();
        let ground = self.data.map.ground(h, self.s.wet);
        if ground.shift != 0 {
            sum.add(Rule("9.9"), "rough ground", Subject::Hex(h), Points::whole(ground.shift));
        }
        if self.fortified(defender, h) {
            let n = self.data.charts.shifts.fortification;
            sum.add(Rule("9.7.1"), "fortification", Subject::Hex(h), Points::whole(n));
        }
        sum
    }

    /// All columns of an attack (9.2-9.9).
    pub fn shift_sum(&self, a: &Attack<'_>) -> Sum {
        let mut sum = Sum::new();
        self.tank_shifts(a, &mut sum);
        sum.append(&self.shelter_sum(a.side.foe(), a.hex));
        if a.artillery > 1 {
            sum.and(Rule("18.5"), "massive barrage", a.artillery);
        } else {
            sum.and(Rule("9.4"), "artillery", a.artillery);
        }
        if let Some(u) = a.air {
            let n = self.data.charts.shifts.air;
            if self.side(u) == a.side {
                sum.unit(Rule("9.3.3"), "air support", u, n);
            } else {
                sum.unit(Rule("9.3.4"), "air support of the defence", u, -n);
            }
        }
        sum
    }

    /// 8.3, 8.4: strengths, shifts and the column.
    pub fn lot(&self, a: &Attack<'_>) -> Lot {
        let attack = self.attack_sum(a);
        let defence = self.defence_sum(a);
        let shifts = self.shift_sum(a);
        let raw = Odds::of(attack.total().floor(), defence.total().floor(), Rounding::Defender);
        let odds = raw.shift(shifts.total().floor());
        let (column, sure) = self.column_of(odds);
        Lot { attack, defence, shifts, raw, odds, column, sure }
    }

    /// 8.4.1: the column of odds, and whether they need no die.
    pub(crate) fn column_of(&self, odds: Odds) -> (Option<usize>, bool) {
        let table = &self.data.charts.combat;
        let i = odds.step() - first_step(&table.columns);
        let column = usize::try_from(i).ok().map(|i| i.min(table.columns.len() - 1));
        (column, odds.step() + 1 >= table.automatic_at)
    }

    /// 9.3.8: whether most of a side's strength in a combat, by defence, is Romanian.
    pub fn mostly_romanian(&self, units: &[Unit]) -> bool {
        let strength = |u: &Unit| i32::from(self.face(*u).defence);
        let all: i32 = units.iter().map(strength).sum();
        let own: i32 = units.iter().filter(|u| self.info(**u).nation == Nation::Romanian).map(strength).sum();
        2 * own > all
    }

    /// 10.2.1, 9.8, 12.4, 13.3.2: the units of a hex that lend strength to its defence, and those beyond the stacking limit
    /// are still among them.
    pub fn able_defenders(&self, side: Side, h: Hex, kind: Kind) -> Vec<Unit> {
        let mut plain = Vec::new();
        let mut paren = Vec::new();
        for u in self.at(h) {
            if self.side(u) != side || !self.combat(u) || self.flagged(u, flag::FULL_RETREAT) {
                continue;
            }
            if kind == Kind::Regular && self.flagged(u, flag::RETREATED) {
                continue;
            }
            if self.is(u, is::PAREN) { paren.push(u) } else { plain.push(u) }
        }
        if plain.is_empty() {
            // 9.8: one alone, the strongest.
            paren.sort_by_key(|&u| std::cmp::Reverse(self.face(u).defence));
            paren.truncate(1);
            return paren;
        }
        plain
    }
}
