//! Sections 8.1, 8.2 and 8.6: who may attack, and what.

use crate::battle::{Battle, Kind};
use crate::combat::no;
use crate::state::{Pos, flag};
use crate::units::is;
use game::Illegal;
use hex::Hex;
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// 8.1, 13.2.1, 21.4, 9.7.2: why a unit may not attack at all this phase.
    pub fn why_not_attack(&self, side: Side, u: Unit, kind: Kind) -> Option<Illegal> {
        if u.ix() >= self.data.sides.len() || self.side(u) != side {
            return no("8.1", "that unit is not yours");
        }
        let code = self.code(u);
        if !self.combat(u) {
            return no("19.3", format!("{code} is no Combat Unit"));
        }
        if self.flagged(u, flag::ATTACKED) {
            return no("8.1", format!("{code} has attacked this phase"));
        }
        if self.flagged(u, flag::AUTO_DS) {
            return no("8.6.1", format!("{code} has made an Automatic DS this turn"));
        }
        if self.flagged(u, flag::FULL_RETREAT) {
            return no("13.3.2", format!("{code} is in Full Retreat"));
        }
        if self.flagged(u, flag::DISRUPTED) {
            return no("13.2.1", format!("{code} is Disrupted"));
        }
        if self.flagged(u, flag::TRAIN) {
            return no("5.6.4", format!("{code} is entrained"));
        }
        if self.flagged(u, flag::TRIED) {
            return no("27.2.1", format!("{code} has tried to disengage"));
        }
        if self.flagged(u, flag::RESERVE) {
            return no("25.2.1", format!("{code} is in Reserve"));
        }
        if self.refits(u) {
            return no("S1.2", format!("{code} refits on the first turn"));
        }
        if self.face(u).attack == 0 {
            return no("8.3", format!("{code} has no attack strength"));
        }
        match self.on_map(u) {
            Some(h) => {
                if let Some(v) = self.of_side(side, h).find(|&v| self.flagged(v, flag::REPLACED)) {
                    return no("21.4", format!("{} took a Replacement in that hex", self.code(v)));
                }
                if self.s.building[side.ix()].contains(h) {
                    return no("9.7.2", "a Fortification is being built in that hex");
                }
                None
            }
            None if self.flagged(u, flag::WAITED) && kind == Kind::Regular => None,
            None => no("22.7", format!("{code} did not wait in an Entry Area beside the enemy")),
        }
    }

    /// 8.1, 9.5.3, 9.5.6, 29.1.3: why a unit may not attack into a hex from where it stands.
    fn why_out_of_reach(&self, side: Side, u: Unit, target: Hex) -> Option<Illegal> {
        let code = self.code(u);
        let map = &self.data.map;
        match self.s.stacks.place(u) {
            Place::Hex(h) if h == target => None,
            Place::Hex(h) => {
                if self.contested(h) {
                    return no(
                        "29.1.3",
                        format!("{code} stands in a contested city and may not attack out of it"),
                    );
                }
                let Some(d) = map.grid().dir(h, target) else {
                    return no("8.1", format!("{code} is not beside {}", map.called(target)));
                };
                if !self.passable(u, h, d, target) {
                    return no("8.1", format!("{code} could not move into {}", map.called(target)));
                }
                None
            }
            Place::Box(b) => {
                let area = self.data.areas.iter().position(|a| a.in_box == b);
                let scene = self.scene();
                match area {
                    Some(i)
                        if scene.borders[target.ix()] >> i & 1 != 0 && scene.friendly[side] >> i & 1 != 0 =>
                    {
                        None
                    }
                    _ => no("22.7", format!("{code} is not in an Entry Area beside {}", map.called(target))),
                }
            }
        }
    }

    /// Why a unit may not join an attack on a hex in which others take part already.
    pub fn why_not_enlist(
        &self,
        side: Side,
        u: Unit,
        target: Hex,
        kind: Kind,
        with: &[Unit],
    ) -> Option<Illegal> {
        if let Some(i) = self.why_not_attack(side, u, kind).or_else(|| self.why_out_of_reach(side, u, target))
        {
            return Some(i);
        }
        if with.contains(&u) {
            return no("8.2", format!("{} takes part already", self.code(u)));
        }
        if self.is(u, is::ALLY)
            && let Some(&v) = with.iter().find(|&&v| self.is(v, is::ALLY) && self.nation(v) != self.nation(u))
        {
            let why = format!("{} and {} are of different allies of the Axis", self.code(u), self.code(v));
            return no("20.5.1", why);
        }
        if self.on_map(u).is_none() && !self.room_at_edge(side, u, with) {
            return no("22.7", "no more than a stack attacks from the Entry Area");
        }
        None
    }

    /// 22.7: whether another unit fits at the edge of its Entry Area.
    fn room_at_edge(&self, side: Side, u: Unit, with: &[Unit]) -> bool {
        let st = &self.data.charts.stacking;
        let most = if side == Side::One { st.axis } else { st.soviet };
        let here = with.iter().filter(|&&v| self.on_map(v).is_none()).chain([&u]);
        let (mut full, mut free) = (0u8, 0u8);
        for &v in here {
            if self.is(v, is::FREE) { free += 1 } else { full += 1 }
        }
        full + free.saturating_sub(st.free) <= most
    }

    /// Units beside a hex, or in it, or in an Entry Area at its edge.
    fn around(&self, side: Side, target: Hex) -> Vec<Unit> {
        let mut all: Vec<Unit> = Vec::new();
        if self.contested(target) {
            all.extend(self.of_side(side, target));
        }
        for (_, n) in self.data.map.grid().neighbours(target) {
            if self.has_combat(side, n) {
                all.extend(self.of_side(side, n));
            }
        }
        let areas = self.scene().borders[target.ix()] & self.scene().friendly[side];
        if areas != 0 {
            for (i, a) in self.data.areas.iter().enumerate() {
                if areas >> i & 1 != 0 {
                    all.extend(self.boxed(a.in_box).filter(|&u| self.side(u) == side));
                }
            }
        }
        all
    }

    /// Who may still join an attack.
    pub(crate) fn joiners(&self, b: &Battle) -> Vec<Unit> {
        let mut all = self.around(b.side, b.hex);
        all.retain(|&u| self.why_not_enlist(b.side, u, b.hex, b.kind, &b.attackers).is_none());
        all
    }

    /// Why a hex may not be attacked (8.1, 8.4.1).
    pub fn why_not_target(&self, side: Side, h: Hex, kind: Kind) -> Option<Illegal> {
        let army =
            side == Side::One && kind == Kind::Regular && self.data.map.grid().has(h) && self.masked(h);
        if !self.data.map.grid().has(h) || !self.has_combat(side.foe(), h) && !army {
            return no("8.1", "there is no enemy Combat Unit to attack there");
        }
        let able = |u: Unit| self.combat(u) || army && self.is(u, is::RESERVE_ARMY);
        let fresh = |u: Unit| able(u) && !self.flagged(u, flag::DEFENDED);
        if kind == Kind::Regular && !self.of_side(side.foe(), h).any(fresh) {
            return no("8.1", format!("{} has been attacked this phase", self.called(h)));
        }
        let mut first = None;
        let mut units = Vec::new();
        for u in self.around(side, h) {
            match self.why_not_enlist(side, u, h, kind, &[]) {
                None if kind == Kind::Regular => return None,
                None => units.push(u),
                why => first = first.or(why),
            }
        }
        if units.is_empty() {
            return first.or_else(|| no("8.1", format!("nothing stands beside {}", self.called(h))));
        }
        if kind == Kind::Automatic {
            return self.why_not_sure(&self.supposed(side, h, kind, &units));
        }
        None
    }

    /// An attack by all of these units, as far as allies may attack together.
    fn supposed(&self, side: Side, h: Hex, kind: Kind, units: &[Unit]) -> Battle {
        let mut b = Battle::new(h, side, kind);
        for &u in units {
            if self.why_not_enlist(side, u, h, kind, &b.attackers).is_none() {
                b.attackers.push(u);
                b.from.push(self.on_map(u).unwrap_or(Hex::NONE));
            }
        }
        b.defenders = self.defending(&b);
        b
    }

    /// 8.6.1: why an attack by these units is not an Automatic DS.
    pub(crate) fn why_not_sure(&self, b: &Battle) -> Option<Illegal> {
        let lot = self.lot(&self.attack_of(b));
        (!lot.sure).then(|| {
            let word = crate::shifts::odds_word(lot.odds);
            Illegal::new(Rule("8.6.1"), format!("{} can be attacked at {word} only", self.called(b.hex)))
                .because(lot.attack)
        })
    }

    /// 8.6.1: whether units would make an Automatic DS of a hex if they stood on those hexes.
    pub(crate) fn would_shatter(&self, h: Hex, units: &[(Unit, Hex)]) -> bool {
        let Some(side) = units.first().map(|(u, _)| self.side(*u)) else { return false };
        let mut b = Battle::new(h, side, Kind::Automatic);
        for &(u, from) in units {
            if self.why_not_attack(side, u, Kind::Automatic).is_none() {
                b.attackers.push(u);
                b.from.push(from);
            }
        }
        b.defenders = self.defending(&b);
        !b.attackers.is_empty() && self.lot(&self.attack_of(&b)).sure
    }

    /// 15.3.2, 10.2.1: who lends strength to a defence, excess units left out.
    pub fn defending(&self, b: &Battle) -> Vec<Unit> {
        let mut all = self.able_defenders(b.side.foe(), b.hex, b.kind);
        all.retain(|u| !b.excess.contains(u));
        all
    }

    /// Whether an Automatic DS is worth a closer look: never false where one is possible. Two columns are the most that tanks
    /// give (9.2), so the bare odds must reach two less than the automatic ones.
    fn might_shatter(&self, side: Side, h: Hex) -> bool {
        let mut attack = 0i32;
        for (_, n) in self.data.map.grid().neighbours(h) {
            if self.has_combat(side, n) {
                for u in self.of_side(side, n) {
                    let twice = self.is(u, is::MOUNTAIN | is::CITY_DOUBLE);
                    attack += i32::from(self.face(u).attack) << u8::from(twice);
                }
            }
        }
        let mut defence = 0i32;
        for u in self.of_side(side.foe(), h) {
            let f = self.s.flags[u.ix()];
            if !self.combat(u) || f & flag::FULL_RETREAT != 0 || self.is(u, is::PAREN) {
                continue;
            }
            let full = i32::from(self.face(u).defence) - i32::from(self.s.winter);
            defence += if f & (flag::TRAIN | flag::DISRUPTED) != 0 { 1 } else { full };
        }
        let sh = &self.data.charts.shifts;
        let least = self.data.charts.combat.automatic_at - sh.tank - sh.elite_tank;
        // Beyond the stacking limit defenders add nothing (15.3.2).
        self.overstacked(side.foe(), h) || attack >= least * defence
    }

    /// Hexes that a side can attack.
    pub fn targets(&self, side: Side, kind: Kind) -> Vec<Hex> {
        let grid = self.data.map.grid();
        let z = &self.s.zones.combat;
        let mut near = &z[side.ix()].dilate(grid) & &z[side.foe().ix()];
        near |= &(&z[0] & &z[1]);
        let areas = self.scene().friendly[side];
        let mut out: Vec<Hex> = Vec::new();
        if side == Side::One && kind == Kind::Regular && self.options.maskirovka {
            // 34.6.2: Reserve Armies, whether there is anything in them or not.
            for h in self.armies().filter_map(|u| self.on_map(u)) {
                if self.masked(h) && !out.contains(&h) && self.why_not_target(side, h, kind).is_none() {
                    out.push(h);
                }
            }
        }
        for h in &z[side.foe().ix()] {
            let edge = self.scene().borders[h.ix()] & areas != 0;
            let hopeless = kind == Kind::Automatic && !self.might_shatter(side, h);
            let idle = hopeless || !edge && self.nobody_left(side, h, kind);
            if (near.contains(h) || edge) && !idle && self.why_not_target(side, h, kind).is_none() {
                out.push(h);
            }
        }
        out
    }

    /// Whether all who stand beside a hex have fought or cannot, or it has been attacked: never true where an attack is
    /// possible. It spares the reasons that nobody reads.
    fn nobody_left(&self, side: Side, h: Hex, kind: Kind) -> bool {
        let spent = flag::ATTACKED
            | flag::AUTO_DS
            | flag::FULL_RETREAT
            | flag::DISRUPTED
            | flag::TRAIN
            | flag::TRIED
            | flag::RESERVE;
        let fit = |n: Hex| {
            self.has_combat(side, n)
                && self.of_side(side, n).any(|u| self.combat(u) && !self.flagged(u, spent))
        };
        let fresh = |u: Unit| self.combat(u) && !self.flagged(u, flag::DEFENDED);
        kind == Kind::Regular && !self.of_side(side.foe(), h).any(fresh)
            || !fit(h) && !self.data.map.grid().neighbours(h).any(|(_, n)| fit(n))
    }
}
