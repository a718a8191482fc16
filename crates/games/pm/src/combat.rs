//! Section 14, first half: strengths, odds and shifts, each as a sum that the log, the forecast and the rules share.

use crate::charts::Outcome;
use crate::map::{Fort, Terrain, Town, side};
use crate::state::{Pos, Supplied, flag};
use crate::supply::State;
use crate::units::{Class, trait_};
use hex::Hex;
use table::{Column, Odds, Points, Rounding, Rule, Side, Subject, Sum, Unit};

/// An attack as its figures are worked out: who, from where, on what.
#[derive(Clone, Copy, Debug)]
pub struct Attack<'a> {
    /// Who attacks.
    pub side: Side,
    /// The target.
    pub hex: Hex,
    /// A mobile assault.
    pub mobile: bool,
    /// An invasion takes part (11.4).
    pub invasion: bool,
    /// The attackers.
    pub attackers: &'a [Unit],
    /// The defenders that count.
    pub defenders: &'a [Unit],
}

/// What halves an attack factor, as bits.
const OOS: usize = 1;
const MARSH: usize = 2;
const FLAK: usize = 4;

impl Pos {
    /// 14.24-14.30: the work that still defends a hex.
    pub fn intact(&self, h: Hex) -> Fort {
        let m = &self.data.map;
        let work = m.fort[h.ix()];
        if work == Fort::None || self.options.beginner || self.s.destroyed.contains(h) {
            return Fort::None;
        }
        match m.fort_line[h.ix()] {
            crate::map::NO_LINE => work,
            line if self.s.lines[usize::from(line)] == 1 => work,
            _ => Fort::None,
        }
    }

    /// 9.8, 15.4: the supply state of an attacker.
    pub fn attack_state(&self, sup: &Supplied, a: &Attack<'_>, u: Unit) -> State {
        if a.mobile {
            return State::from(self.s.began[u.ix()]);
        }
        // Invaders are in supply throughout the turn of their landing (11.4).
        self.state_with(sup, u)
    }

    /// The sides of a target that attackers cross.
    fn crossed(&self, a: &Attack<'_>, u: Unit) -> Option<u8> {
        let from = self.on_map(u)?;
        let dir = self.data.map.grid().dir(from, a.hex)?;
        Some(self.data.map.sides[from.ix()][dir.ix()])
    }

    /// 5.5, 13.6: whether an attacker ignores rivers into a hex.
    fn ignores_rivers(&self, a: &Attack<'_>) -> bool {
        (a.side == Side::One && self.s.turn == 1) || self.condition_at(a.hex).rivers_frozen
    }

    /// What a unit brings to an attack before anything is halved (14.17, 14.20).
    pub(crate) fn attack_factor(&self, a: &Attack<'_>, u: Unit, value: i32) -> (Rule, &'static str, i32) {
        let terrain = self.data.map.terrain[a.hex.ix()];
        if !self.options.beginner
            && terrain == Terrain::Hills
            && self.is(u, trait_::MOUNTAIN)
            && let Some(f) = self.face(u)
            && f.defence > f.attack
        {
            return (Rule("14.17"), "mountain infantry into hills", f.defence.into());
        }
        let strait = self.crossed(a, u).is_some_and(|s| s & side::STRAIT != 0);
        let armour = self.is(u, trait_::ARMOUR)
            || (self.options.strait_chart && self.data.badges[u.ix()].class == Class::Mech);
        if strait && armour && !self.straits_frozen() {
            return (Rule("14.20"), "armour through a strait", value.min(1));
        }
        (Rule("14.8"), "attack", value)
    }

    /// Which reductions an attacker suffers.
    pub(crate) fn reductions(&self, sup: &Supplied, a: &Attack<'_>, u: Unit, flak: bool) -> usize {
        let mut bits = 0;
        if self.attack_state(sup, a, u) == State::Out {
            bits |= OOS;
        }
        let marsh =
            self.data.map.terrain[a.hex.ix()] == Terrain::Marsh && !self.condition_at(a.hex).marsh_as_clear;
        if marsh && self.is(u, trait_::ARMOUR) {
            bits |= MARSH;
        }
        if flak && self.is(u, trait_::TANK) {
            bits |= FLAK;
        }
        bits
    }

    /// 10.1: whether flak halves the tanks that attack a hex.
    pub fn flak(&self, sup: &Supplied, a: &Attack<'_>) -> bool {
        if a.side == Side::One || self.options.beginner {
            return false;
        }
        let supplied = |u: &Unit| self.state_with(sup, *u) != State::Out;
        let is_flak = |u: &Unit| self.is(*u, trait_::FLAK);
        a.defenders.iter().any(|u| is_flak(u) && supplied(u)) && a.defenders.iter().any(|u| !is_flak(u))
    }

    /// 14.8, 14.12, 10.2: the attack strength. `value` gives each unit's attack factor.
    pub fn attack_sum(&self, sup: &Supplied, a: &Attack<'_>, flak: bool, value: &dyn Fn(Unit) -> i32) -> Sum {
        let mut sum = Sum::new();
        let mut groups = [0i32; 8];
        let mut stacks: [(Hex, [i32; 8]); 8] = [(Hex::NONE, [0; 8]); 8];
        for &u in a.attackers {
            let (rule, what, n) = self.attack_factor(a, u, value(u));
            sum.unit(rule, what, u, n);
            let bits = self.reductions(sup, a, u, flak);
            groups[bits] += n;
            let h = self.on_map(u).unwrap_or(Hex::NONE);
            if let Some(s) = stacks.iter_mut().find(|s| s.0 == h || s.1 == [0; 8]) {
                s.0 = h;
                s.1[bits] += n;
            }
        }
        let halved =
            |g: &[i32; 8]| -> i32 { (0..8).map(|b| ceil_shift(g[b], (b as u32).count_ones())).sum() };
        for (bits, rule, what) in
            [(OOS, "9.7", "out of supply"), (MARSH, "14.18", "armour into marsh"), (FLAK, "10.1", "flak")]
        {
            let n: i32 = (0..8usize)
                .filter(|b| b & bits != 0 && b & (bits - 1) == 0)
                .map(|b| ceil_shift(groups[b], (b as u32).count_ones()) - groups[b])
                .sum();
            sum.and(Rule(rule), what, n);
        }
        let ground = halved(&groups).max(1);
        sum.bring_to(Rule("14.12"), "never below one", Points::whole(ground));
        for (h, group) in stacks {
            if h.is_some() {
                self.add_air(&mut sum, a.side, h, a.mobile, halved(&group));
            }
        }
        sum
    }

    /// 10.2, 10.4: aircraft with a stack, never more than the stack's own factors.
    fn add_air(&self, sum: &mut Sum, side: Side, h: Hex, mobile: bool, cap: i32) {
        for i in self.air_with(side, h, mobile) {
            let n = self.air_points(i).min(cap);
            let rule = if side == Side::One { "10.2" } else { "10.4" };
            sum.add(Rule(rule), "ground support", Subject::Unit(self.air_unit(i)), Points::whole(n));
        }
    }

    /// The air units that support a stack on a hex; in a mobile assault only those that go along.
    pub fn air_with(&self, side: Side, h: Hex, mobile: bool) -> impl Iterator<Item = usize> + '_ {
        (0..self.airs()).filter(move |&i| {
            self.s.air[i] == h && self.air_side(i) == side && (!mobile || self.goes_along(i))
        })
    }

    /// 17.8, 10.4: ground support points of an air unit this turn.
    pub fn air_points(&self, i: usize) -> i32 {
        match self.air_side(i) {
            Side::One => self.data.charts.aviation[usize::from(self.s.turn) - 1].into(),
            Side::Two => self.data.charts.numbers.soviet_air_points.into(),
        }
    }

    /// 14.30: what the Stalin Line adds to each defender.
    pub fn boost(&self, h: Hex, defender: Side) -> i32 {
        if defender == Side::Two && self.intact(h) == Fort::Stalin {
            return self.built("stalin-line").map_or(0, |b| b.boost.into());
        }
        0
    }

    fn built(&self, name: &str) -> Option<&crate::charts::Ground> {
        self.data.charts.built.iter().find(|b| b.name == name)
    }

    /// 14.8, 9.7, 14.30, 10.2: the defence strength. `value` gives each unit's defence factor.
    pub fn defence_sum(&self, sup: &Supplied, a: &Attack<'_>, value: &dyn Fn(Unit) -> i32) -> Sum {
        let mut sum = Sum::new();
        let boost = self.boost(a.hex, a.side.foe());
        let (mut full, mut out) = (0, 0);
        for &u in a.defenders {
            let n = value(u);
            sum.unit(Rule("14.8"), "defence", u, n);
            if self.state_with(sup, u) == State::Out {
                out += n + boost;
            } else {
                full += n + boost;
            }
        }
        sum.and(Rule("14.30"), "Stalin Line", boost * a.defenders.len() as i32);
        sum.and(Rule("9.7"), "out of supply", ceil_shift(out, 1) - out);
        let ground = (full + ceil_shift(out, 1)).max(1);
        sum.bring_to(Rule("14.12"), "never below one", Points::whole(ground));
        self.add_air(&mut sum, a.side.foe(), a.hex, false, ground);
        sum
    }

    /// 14.11: all shifts but that of the GAS table, in columns to the right.
    pub fn shift_sum(&self, a: &Attack<'_>) -> Sum {
        let mut sum = Sum::new();
        let map = &self.data.map;
        let n = &self.data.charts.numbers;
        let beginner = self.options.beginner;
        let hedgehog = a.side == Side::Two && self.s.hedgehogs.contains(a.hex);
        if !a.mobile && !hedgehog && !beginner && self.concentric(a) {
            sum.and(Rule("14.14"), "concentric assault", n.concentric_shift.into());
        }
        let terrain = map.terrain[a.hex.ix()];
        let ground = self.data.ground.get(terrain as usize);
        match terrain {
            Terrain::Hills => sum.and(Rule("14.16"), "hills", ground.map_or(0, |g| g.shift).into()),
            Terrain::Forest if a.mobile => {
                sum.and(Rule("15.11"), "forest", ground.map_or(0, |g| g.mobile_shift).into())
            }
            _ => &mut sum,
        };
        self.water_shift(a, &mut sum);
        let built = |name: &str| self.built(name).map_or(0, |b| i32::from(b.shift));
        match map.town[a.hex.ix()] {
            Town::Large => sum.and(Rule("14.22"), "large town", built("large-town")),
            Town::City => sum.and(Rule("14.23"), "city", built("city")),
            _ => &mut sum,
        };
        if a.side == Side::One {
            match self.intact(a.hex) {
                Fort::Fort => sum.and(Rule("14.27"), "fortification", built("fort")),
                Fort::Heavy => sum.and(Rule("14.28"), "heavy fortification", built("heavy-fort")),
                _ => &mut sum,
            };
        }
        if hedgehog {
            sum.and(Rule("14.40"), "hedgehog", n.hedgehog_shift.into());
        }
        if a.invasion {
            sum.and(Rule("11.4"), "invasion", n.invasion_shift.into());
        }
        if a.side == Side::Two && !a.mobile {
            sum.and(Rule("13.7"), "snow", self.condition_at(a.hex).soviet_shift.into());
        }
        let viii = |i: usize| self.is(self.air_unit(i), trait_::VIII);
        let attack_viii = a.side == Side::One
            && a.attackers
                .iter()
                .any(|&u| self.on_map(u).is_some_and(|h| self.air_with(Side::One, h, a.mobile).any(viii)));
        if attack_viii {
            sum.and(Rule("10.3"), "VIII Fliegerkorps", n.viii_shift.into());
        }
        if a.side == Side::Two && self.air_with(Side::One, a.hex, false).any(viii) {
            sum.and(Rule("10.3"), "VIII Fliegerkorps", -i32::from(n.viii_shift));
        }
        sum
    }

    /// 14.19, 14.20, 15.10: water that every attacker crosses.
    fn water_shift(&self, a: &Attack<'_>, sum: &mut Sum) {
        let shift = |name: &str| {
            self.data.charts.hexside.iter().find(|g| g.name == name).map_or(0, |g| i32::from(g.shift))
        };
        let frozen = self.straits_frozen();
        let (mut river, mut strait) = (true, true);
        for &u in a.attackers {
            let s = self.crossed(a, u).unwrap_or(0);
            let is_strait = s & side::STRAIT != 0 && !frozen;
            strait &= is_strait;
            river &= is_strait || (s & side::RIVER != 0 && !self.ignores_rivers(a));
        }
        if a.attackers.is_empty() {
            return;
        }
        if strait {
            sum.and(Rule("14.20"), "across a strait", shift("strait"));
        } else if river {
            sum.and(Rule(if a.mobile { "15.10" } else { "14.19" }), "across a river", shift("river"));
        }
    }

    /// 14.14: from opposite hexes, from three with one between each, or from more than three.
    pub fn concentric(&self, a: &Attack<'_>) -> bool {
        let mut from = [false; 6];
        for &u in a.attackers {
            if let Some(h) = self.on_map(u)
                && let Some(d) = self.data.map.grid().dir(a.hex, h)
            {
                from[d.ix()] = true;
            }
        }
        let n = from.iter().filter(|&&f| f).count();
        let opposite = (0..3).any(|d| from[d] && from[d + 3]);
        let star = (0..2).any(|d| from[d] && from[d + 2] && from[d + 4]);
        opposite || star || n > 3
    }

    /// 9.6, 9.7, 9.18: whether an attack must consult the GAS table.
    pub fn consults(&self, sup: &Supplied, a: &Attack<'_>) -> bool {
        a.side == Side::One
            && !self.options.beginner
            && a.attackers.iter().any(|&u| self.attack_state(sup, a, u).consults())
    }

    /// 17.10: what is added to the die of the GAS table.
    pub fn gas_modifier(&self, hex: Hex) -> i32 {
        let month = &self.data.charts.turn(self.s.turn).month;
        let weather = self.weather_at(hex);
        let applies =
            |m: &&crate::charts::AttenuatedModifier| m.weather.contains(&weather) || m.months.contains(month);
        self.data.charts.attenuated_modifiers.iter().filter(applies).map(|m| i32::from(m.add)).sum()
    }

    /// 17.10: columns to the left for a die.
    pub fn gas_left(&self, hex: Hex, die: u8) -> i32 {
        let i = (i32::from(die) + self.gas_modifier(hex)).clamp(1, self.data.charts.attenuated.len() as i32);
        self.data.charts.attenuated[i as usize - 1].into()
    }

    /// 14.8, 14.9, 14.31: the odds of two strengths, shifted.
    pub fn odds(attack: i32, defence: i32, shift: i32) -> (Odds, Odds) {
        let raw = Odds::of(attack, defence, Rounding::Defender);
        (raw, raw.shift(shift))
    }

    /// 14.10: the result of a column and a die; no die is needed past the ends.
    pub fn result(&self, odds: Odds, die: u8) -> Outcome {
        let c = &self.data.charts;
        match self.column(odds) {
            Column::Below => c.below,
            Column::Above => c.above,
            Column::At(i) => c.combat.result(i, die.into()),
        }
    }

    /// The column of final odds.
    pub fn column(&self, odds: Odds) -> Column {
        odds.column(self.data.charts.first_column, self.data.charts.combat.columns().len())
    }

    /// 14.41, 14.23: what a result becomes: siege artillery first, then the city.
    pub fn adjust(&self, a: &Attack<'_>, result: Outcome) -> Outcome {
        let mut r = result;
        let town = self.data.map.town[a.hex.ix()];
        let sieged = a.attackers.iter().any(|&u| self.is(u, trait_::ARKO))
            && !a.mobile
            && (town >= Town::Large || matches!(self.intact(a.hex), Fort::Fort | Fort::Heavy));
        let extra = if sieged { self.data.charts.numbers.arko_loss as u8 } else { 0 };
        let (before, after) = if self.options.arko_after { (0, extra) } else { (extra, 0) };
        r.defender = r.defender.map(|d| d + before);
        if town == Town::City
            && let Some(city) = self.built("city")
        {
            let times = |n: u8| if n == 0 { city.zero_becomes } else { n * city.losses_times };
            r = Outcome { attacker: times(r.attacker), defender: r.defender.map(times) };
        }
        r.defender = r.defender.map(|d| d + after);
        r
    }

    /// Units of a hex that take part in its defence (14.34: those that just retreated there do not).
    pub fn defenders_at(&self, h: Hex) -> impl Iterator<Item = Unit> + '_ {
        self.at(h).filter(|&u| !self.flagged(u, flag::RETREATED))
    }
}

/// `n` halved so many times, remainders rounded up (9.7).
fn ceil_shift(n: i32, times: u32) -> i32 {
    let d = 1 << times;
    (n + d - 1) / d
}
