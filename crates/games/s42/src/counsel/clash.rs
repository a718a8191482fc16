//! Battles for plans: by plain strengths, with ground, rivers, retreats and stands; and the exact stake of the attack in the
//! making, with the support that it could have.

use crate::battle::{Battle, Kind};
use crate::charts::{Colour, Doubles, Stand};
use crate::map::side;
use crate::state::Pos;
use crate::units::{Nation, is};
use crate::verbs;
use game::{Choice, Object, Stake};
use hex::Hex;
use table::{Odds, Rounding, Side};

/// What it is worth, in steps, that a step falls back and is Disrupted.
pub(super) const SHAKEN: f64 = 0.25;
/// How much stronger a column makes the defence.
const COLUMN: f32 = 1.35;
/// From which attack strength one may think that tanks are in it.
const WITH_TANKS: f64 = 9.0;

impl Pos {
    /// By which factor the ground of a hex helps a defender of a side, if the enemy comes from where he stands now; `far` is how
    /// far each hex is from him.
    pub(super) fn shelter(&self, own: Side, h: Hex, far: &[u16]) -> f32 {
        let map = &self.data.map;
        if !self.scene().land.contains(h) {
            return 1.0;
        }
        let mut cover = 1.0;
        let ground = map.ground(h, self.s.wet);
        let firm = map.cities.contains(h) || matches!(ground.doubles, Doubles::All | Doubles::InfantryTypes);
        let here = far[h.ix()];
        let mut before = map
            .grid()
            .neighbours(h)
            .filter(|(_, n)| far[n.ix()] < here)
            .map(|(d, _)| map.sides[h.ix()][d.ix()])
            .peekable();
        let behind_water = before.peek().is_some()
            && before.all(|bits| bits & (side::RIVER | side::LAKE) != 0 && !self.ice(bits));
        if firm || behind_water {
            cover *= 2.0;
        } else if !ground.tanks {
            cover *= 1.2;
        }
        let columns = self.shelter_sum(own, h).total().floor();
        cover * COLUMN.powi(-columns)
    }

    /// Chances that a stand at a hex holds, or holds for a while, for a lead without quality (11.2).
    fn hold_chance(&self, defender: Side, h: Hex, attacker: Side) -> (f64, f64) {
        let column = self.stand_column(defender, h);
        let german =
            defender == Side::One && self.of_side(defender, h).any(|u| self.nation(u) == Nation::German);
        let add =
            if german && self.data.map.cities.contains(h) { self.data.charts.determined.elite } else { 0 };
        let city = self.city_battle_possible(h, attacker);
        let (mut holds, mut steps) = (0.0, 0.0);
        for die in 1..=6 {
            let (held, _) = self.data.charts.determined.at(column, die + add);
            if held.stand == Stand::Success || held.stand == Stand::Partial && city {
                holds += 1.0 / 6.0;
            }
            steps += f64::from(held.defender) / 6.0;
        }
        (holds, steps)
    }

    /// 12.2: whether defenders of a hex could fall back if the enemy also stood on some hexes: a neighbour without his ZOC, or
    /// one with friends in it.
    fn way_back(&self, own: Side, h: Hex, also: &[Hex]) -> bool {
        let grid = self.data.map.grid();
        let land = &self.scene().land;
        let beside = |n: Hex| also.iter().any(|&a| a == n || grid.distance(a, n) == 1);
        let scene = self.scene();
        if scene.borders[h.ix()] & scene.friendly[own] != 0 {
            return true;
        }
        grid.neighbours(h).any(|(d, n)| {
            let bits = self.data.map.sides[h.ix()][d.ix()];
            let friends = self.has_combat(own, n);
            land.contains(n)
                && !self.has_combat(own.foe(), n)
                && !also.contains(&n)
                && bits & (side::SEA | side::VOLGA | side::LAKE) == 0
                && (bits & side::MAJOR == 0 || self.bridged(own, h, d, n, true))
                && !self.bonded(own, h, d, n)
                && (friends || !self.in_ezoc(own, n) && !beside(n))
        })
    }

    /// A battle of plain strengths by the table, with ground, water, stands and ways of retreat as they are.
    pub(super) fn clash(&self, target: Hex, from: &[Hex], attack: f64, defence: f64, steps: f64) -> Stake {
        let charts = &self.data.charts;
        let map = &self.data.map;
        let defender = if self.has_combat(Side::One, target) { Side::One } else { Side::Two };
        let attacker = defender.foe();
        let halved = from.iter().filter(|&&f| self.halving_side(f, target)).count();
        let wet = !from.is_empty() && from.iter().all(|&f| self.hindered(f, target));
        let share = if from.is_empty() { 0.0 } else { halved as f64 / from.len() as f64 };
        let attack = (attack * (1.0 - 0.5 * share)).min(charts.combat.most_attack.into());
        let firm = map.cities.contains(target)
            || matches!(map.ground(target, self.s.wet).doubles, Doubles::All | Doubles::InfantryTypes);
        let doubled = firm || wet;
        let defence = if doubled { 2.0 * defence } else { defence };
        let defence = defence.min(charts.combat.most_defence.into());
        let shelter = self.shelter_sum(defender, target).total().floor();
        let mut shift = shelter;
        let tanks = |u: table::Unit| self.is(u, is::BLACK | is::RED | is::WHITE);
        if attacker == Side::One
            && attack >= WITH_TANKS
            && !wet
            && self.tank_country(defender, target)
            && !self.of_side(defender, target).any(tanks)
        {
            shift += charts.shifts.tank;
        }
        let odds = Odds::of(attack.floor() as i32, defence.ceil() as i32, Rounding::Defender).shift(shift);
        let (column, sure) = self.column_of(odds);
        let Some(column) = column else {
            return Stake { attacker_loss: 1.0, ..Stake::default() };
        };
        let order = defender == Side::One
            || self.s.turn >= charts.determined.all_may_from_turn
            || shelter != 0
            || doubled;
        let (holds, hold_steps) = self.hold_chance(defender, target, attacker);
        let doomed = !self.way_back(defender, target, from);
        let shattered = charts.combat.named("DS");
        let mut out = Stake::default();
        for die in 1..=6 {
            let (r, colour) = if sure {
                (&charts.combat.result[shattered], Colour::Barred)
            } else {
                charts.combat.at(column, die)
            };
            let q = 1.0 / 6.0;
            let hit = f64::from(r.defender).min(steps);
            let left = steps - hit;
            out.attacker_loss += q * f64::from(r.attacker);
            out.defender_loss += q * hit;
            if left <= 0.0 {
                out.taken += q;
            } else if r.retreat > 0 {
                let vp = map.vp[target.ix()] > 0;
                let stands = order
                    && r.determined
                    && match colour {
                        Colour::Barred => false,
                        Colour::Orange => vp || doomed,
                        Colour::Plain => true,
                    };
                let (hold, cost) = if stands { (holds, hold_steps) } else { (0.0, 0.0) };
                let fate = if doomed { left } else { SHAKEN * left };
                out.defender_loss += q * (cost.min(left) + (1.0 - hold) * (fate - cost).max(0.0));
                out.taken += q * (1.0 - hold);
                out.through += q * (1.0 - hold) * (f64::from(r.advance) - 1.0).max(0.0);
            }
        }
        out
    }

    /// The support that an attack in the making could still have: each kind once.
    pub(super) fn backed(&self, b: &Battle) -> Battle {
        let mut b = b.clone();
        if b.kind != Kind::Regular {
            return b;
        }
        let mut list: Vec<Choice> = Vec::new();
        self.support_choices(&b, &mut list);
        for c in list {
            let Object::Unit(u) = c.object else { continue };
            match c.verb {
                verbs::AIR if b.air.is_none() => b.air = Some(u),
                verbs::SUPPORT if b.guns.is_empty() && b.shells.is_none() && !self.is(u, is::SUPPLY) => {
                    b.guns.push(u);
                }
                _ => {}
            }
        }
        b
    }

    /// What a battle brings, with what it is worth that the defenders are shaken.
    pub(super) fn worth_of(&self, b: &Battle) -> Option<Stake> {
        let mut stake = self.stake(b)?;
        let steps: f64 = self
            .of_side(b.side.foe(), b.hex)
            .filter(|&u| self.combat(u))
            .map(|u| f64::from(self.s.steps[u.ix()]))
            .sum();
        stake.defender_loss += SHAKEN * stake.taken * (steps - stake.defender_loss).max(0.0);
        Some(stake)
    }

    /// What the attack in the making is expected to bring, with the support that it could have.
    pub(super) fn attack_stake(&self) -> Option<Stake> {
        let b = self.battle().filter(|b| !b.attackers.is_empty())?;
        if self.masked(b.hex) {
            // 34.6.2: who stands there is not known: a division or two.
            let attack = b.attackers.iter().map(|&u| f64::from(self.face(u).attack)).sum();
            return Some(self.clash(b.hex, &b.from, attack, super::POINT / 2.0, 4.0));
        }
        self.worth_of(&self.backed(b))
    }
}
