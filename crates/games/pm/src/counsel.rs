//! What only this game can tell the programs that play it: what its orders are for, what towns and divisions are worth, who
//! must come forward, and what to do with aircraft, reserves and replacements.

mod phases;
mod worth;

use crate::combat::Attack;
use crate::data::boxes;
use crate::map::side;
use crate::state::{Frame, Pause, Pos, Step, Supplied};
use crate::supply::State;
use crate::units::{Class, NO_POOL, Nation, trait_};
use crate::verbs;
use game::{Brief, Choice, Counsel, Dice, Eyes, Goal, Object, Piece, Position, Role, Stake, Ward};
use hex::{Hex, HexSet};
use table::{Place, Side, Unit};

/// What a victory point is worth in strength (attack and defence of a division, halved): about two good divisions.
const POINT: f64 = 14.0;
/// What a victory point counts when positions are compared: it is what decides.
const DECIDES: f64 = 40.0;

/// What it is worth while there is a couplet left in which to throw it out.
const SOON: f64 = 0.4;
/// What a finished game counts in a comparison that goes on with its points: so many points more.
const WON: f64 = 8.0;
/// What strength counts, by side: German divisions are not replaced, Soviet ones are.
const DEAR: [f64; 2] = [1.5, 0.7];
/// 9.7: what share of its defence a unit loses that is out of supply.
const HUNGER: f64 = 0.5;

/// The counsel of Proud Monster.
#[derive(Debug)]
pub struct Staff;

/// The one there is.
pub static COUNSEL: Staff = Staff;

fn pos(p: &dyn Position) -> Option<&Pos> {
    p.as_any().downcast_ref::<Pos>()
}

/// Attack and defence of each pool's average counter still to be drawn.
fn pool_means(p: &Pos) -> Vec<(f64, f64)> {
    let of = |pool: &crate::units::PoolInfo| {
        let left = (pool.first..pool.last).filter(|&c| p.s.in_pool[usize::from(c)]);
        let (mut n, mut a, mut d) = (0.0, 0.0, 0.0);
        for c in left {
            let f = p.data.units.printed[usize::from(c)].face;
            n += 1.0;
            a += f64::from(f.attack);
            d += f64::from(f.defence);
        }
        if n > 0.0 { (a / n, d / n) } else { (0.0, 0.0) }
    };
    p.data.units.pools.iter().map(of).collect()
}

impl Pos {
    /// A unit's attack and defence as far as anyone knows them.
    fn known(&self, means: &[(f64, f64)], u: Unit) -> (f64, f64) {
        match self.face(u) {
            Some(f) => (f.attack.into(), f.defence.into()),
            None => match self.info(u).pool {
                NO_POOL => (0.0, 0.0),
                pool => means.get(usize::from(pool)).copied().unwrap_or_default(),
            },
        }
    }

    /// The places that count, each with its worth; Moscow's is shared by its hexes (4.3).
    fn places(&self) -> Vec<(Hex, f64)> {
        let m = &self.data.map;
        let parts = m.moscow.count().max(1) as f64;
        let worth = |h: Hex| {
            let vp = f64::from(m.vp[h.ix()]);
            if m.moscow.contains(h) { vp / parts } else { vp }
        };
        m.held.iter().map(|h| (h, worth(h))).filter(|(_, w)| *w > 0.0).collect()
    }

    /// 4.4: what a Soviet unit in Greater Germany costs. It is counted at the end of a turn, and can be thrown out before.
    fn toll(&self) -> f64 {
        let last = self.s.couplet >= self.data.charts.turn(self.s.turn).couplets;
        f64::from(self.data.charts.numbers.zomo_vp) * if last { 1.0 } else { SOON }
    }

    /// Where Soviet units need no line over land: the edge (9.10), ports (9.17), and Leningrad while it has one over the lake (9.16).
    fn soviet_feeds(&self, sup: &Supplied) -> HexSet {
        let m = &self.data.map;
        let mut out = &m.soviet_sources | &(&m.ports - &self.s.german_held);
        if sup.soviet.contains(m.leningrad) && !self.s.german_held.contains(m.leningrad) {
            out.insert(m.leningrad);
        }
        out
    }

    /// A prepared assault of plain strengths by the table (17.7), with ground, water and supply as they are.
    fn clash(&self, target: Hex, from: &[Hex], attack: f64, defence: f64, steps: f64) -> Stake {
        let m = &self.data.map;
        let side = if self.enemy_at(Side::One, target) { Side::One } else { Side::Two };
        let a = Attack { side, hex: target, mobile: false, invasion: false, attackers: &[], defenders: &[] };
        let mut shift = self.shift_sum(&a).total().floor();
        let way = |h: &Hex| m.grid().dir(target, *h);
        let ignores = (side == Side::One && self.s.turn == 1) || self.condition_at(target).rivers_frozen;
        let wet = |h: &Hex| {
            way(h).is_some_and(|d| m.sides[target.ix()][d.ix()] & (side::RIVER | side::STRAIT) != 0)
        };
        if !ignores && !from.is_empty() && from.iter().all(wet) {
            shift -= 1;
        }
        let dirs = from.iter().filter_map(way).fold(0u8, |bits, d| bits | 1 << d.ix());
        let opposite = dirs & (dirs >> 3) & 7 != 0;
        let star = dirs & 0b01_0101 == 0b01_0101 || dirs & 0b10_1010 == 0b10_1010;
        if opposite || star || dirs.count_ones() > 3 {
            shift += i32::from(self.data.charts.numbers.concentric_shift);
        }
        let far =
            side == Side::One && self.s.pause != Pause::Done && from.iter().any(|&h| m.gas_east.contains(h));
        let defence = defence + f64::from(self.boost(target, side.foe())) * steps;
        let (attack, defence) = (attack.floor() as i32, defence.ceil() as i32);
        let mut out = Stake::default();
        let dice = if far { 6 } else { 1 };
        for gas in 1..=dice {
            let left = if far { self.gas_left(target, gas) } else { 0 };
            let (_, odds) = Pos::odds(attack, defence, shift - left);
            for die in 1..=6 {
                let r = self.adjust(&a, self.result(odds, die));
                let q = 1.0 / (6.0 * f64::from(dice));
                let hit = r.defender.map_or(steps, |d| f64::from(d).min(steps));
                out.attacker_loss += q * f64::from(r.attacker);
                out.defender_loss += q * hit;
                if hit >= steps {
                    out.taken += q;
                }
            }
        }
        out
    }

    /// What defenders gain from the ground, as a factor on their strength.
    fn cover(&self, h: Hex) -> f32 {
        let m = &self.data.map;
        let shift = |n: i32| 1.0 + 0.45 * n as f32;
        let mut left = 0;
        left += match m.town[h.ix()] {
            crate::map::Town::City => 3,
            crate::map::Town::Large => 1,
            _ => 0,
        };
        left += match m.terrain[h.ix()] {
            crate::map::Terrain::Hills => 1,
            crate::map::Terrain::Marsh => 1,
            _ => 0,
        };
        left += match self.intact(h) {
            crate::map::Fort::Heavy => 2,
            crate::map::Fort::Fort | crate::map::Fort::Stalin => 1,
            crate::map::Fort::None => 0,
        };
        // Who stands behind a river has it before him on two sides or more; a shift, if all who attack must cross it.
        let wet = m.sides[h.ix()].iter().filter(|s| **s & (side::RIVER | side::STRAIT) != 0).count();
        left += i32::from(wet >= 2);
        shift(left)
    }
}

impl Counsel for Staff {
    fn role(&self, c: &Choice) -> Role {
        match c.verb {
            verbs::PICK => Role::Pick,
            verbs::ADD => Role::Join,
            verbs::ADDALL => Role::JoinAll,
            verbs::GO => Role::Go,
            verbs::ASSAULT | verbs::AGAIN => Role::Assault,
            verbs::STOP | verbs::BACK => Role::Stop,
            verbs::ATTACK => Role::Target,
            verbs::RESOLVE => Role::Resolve,
            verbs::LOSS | verbs::REMOVE => Role::Loss,
            verbs::RETREAT => Role::Retreat,
            verbs::ADVANCE => Role::Advance,
            verbs::PLACE => Role::Place,
            verbs::FILL => Role::Fill,
            verbs::DONE => Role::Done,
            _ => Role::Special,
        }
    }

    fn standing(&self, p: &dyn Position) -> f64 {
        pos(p).map_or(0.0, Pos::stands)
    }

    fn value(&self, p: &dyn Position, side: Side) -> f64 {
        let open = |x: &Pos| if x.how_it_ended().is_none() { x.left_open() } else { 0.0 };
        match side {
            Side::One => self.standing(p) - pos(p).map_or(0.0, open),
            Side::Two => -self.standing(p),
        }
    }

    /// What has no supply is worth less. By how much a game was won or lost counts too: of plans that all lose, the one that came
    /// nearest is the best.
    fn outlook(&self, p: &dyn Position) -> f64 {
        let Some(x) = pos(p) else { return 0.0 };
        if let Some(o) = x.how_it_ended() {
            let won = if o.winner == Some(Side::One) { WON } else { -WON };
            let margin = f64::from(x.s.vp - x.vp_needed()).clamp(-WON, WON);
            return DECIDES * (won + margin + f64::from(x.vp_needed()));
        }
        let sup = x.fresh_supply();
        let means = pool_means(x);
        let mut cut = 0.0;
        for u in x.s.stacks.units().filter(|&u| x.on_map(u).is_some()) {
            if x.state_with(&sup, u) == State::Out {
                let (a, d) = x.known(&means, u);
                let toll = (a + d) / 2.0 * 0.6;
                cut += if x.info(u).side == Side::One { -toll } else { toll };
            }
        }
        x.stands() + cut
    }

    fn brief(&self, p: &dyn Position, side: Side) -> Brief {
        let Some(x) = pos(p) else {
            return Brief {
                side,
                pieces: Vec::new(),
                goals: Vec::new(),
                cover: Vec::new(),
                room: Vec::new(),
                land: HexSet::empty(),
                sources: [HexSet::empty(), HexSet::empty()],
                fed: HexSet::empty(),
                doors: HexSet::empty(),
                zones: false,
                attacker: Side::One,
                turns_left: 0.0,
                point: POINT,
                dear: DEAR,
                hunger: HUNGER,
                ward: None,
            };
        };
        let sup = x.fresh_supply();
        let means = pool_means(x);
        let mut pieces = Vec::new();
        for u in x.s.stacks.units() {
            // What waits in the OKH areas can enter this turn (8.2): it is counted, without a hex.
            let hex = match x.s.stacks.place(u) {
                Place::Hex(h) => h,
                Place::Box(boxes::OKH_NORTH | boxes::OKH_SOUTH) => Hex::NONE,
                Place::Box(_) => continue,
            };
            let info = x.info(u);
            let (mut attack, mut defence) = x.known(&means, u);
            let out = x.state_with(&sup, u) == State::Out;
            if out {
                attack /= 2.0;
                defence /= 2.0;
            }
            if x.is(u, trait_::FLAK) {
                attack = 0.0;
            }
            let rider = info.side == Side::Two && x.is(u, trait_::CAVALRY);
            let foreign = !matches!(info.nation, Nation::German | Nation::Soviet);
            pieces.push(Piece {
                unit: u,
                side: info.side,
                hex,
                attack,
                defence,
                steps: f64::from(x.s.steps[u.ix()]),
                speed: f64::from(x.movement(u)) / 1.4,
                mobile: info.class == Class::Mech && !foreign || rider,
                supplied: !out,
                bulk: f64::from(info.quarters),
            });
        }
        let last = x.data.scenarios[x.scenario].last_turn;
        let mut goals: Vec<Goal> = x
            .places()
            .into_iter()
            .map(|(hex, worth)| Goal {
                hex,
                worth,
                held: if x.s.german_held.contains(hex) { Side::One } else { Side::Two },
                due: f64::from(last.saturating_sub(x.s.turn)),
            })
            .collect();
        let m = &x.data.map;
        // 4.4: every Soviet unit in Greater Germany costs a point: a place to clear, or to keep.
        for hex in &(x.s.stacks.occupied(Side::Two) & &m.zomo_germany) {
            let worth = f64::from(x.data.charts.numbers.zomo_vp) * x.s.stacks.height(hex) as f64;
            goals.push(Goal { hex, worth, held: Side::Two, due: 0.0 });
        }
        Brief {
            side,
            pieces,
            goals,
            cover: (0..m.grid().len()).map(|i| x.cover(Hex(i as u16))).collect(),
            room: (0..m.grid().len()).map(|i| f32::from(x.limit(Hex(i as u16)))).collect(),
            land: m.land.clone(),
            sources: [m.german_sources.clone(), x.soviet_feeds(&sup)],
            fed: HexSet::empty(),
            doors: HexSet::empty(),
            zones: false,
            attacker: Side::One,
            turns_left: f64::from(last.saturating_sub(x.s.turn)) + 1.0,
            point: POINT,
            dear: DEAR,
            hunger: HUNGER,
            ward: Some(Ward { side: Side::One, hexes: m.zomo_germany.clone(), toll: x.toll() }),
        }
    }

    fn hand(&self, p: &dyn Position) -> Vec<Unit> {
        pos(p).map(|x| x.s.hand.clone()).unwrap_or_default()
    }

    fn stamp(&self, p: &dyn Position, side: Side) -> u64 {
        let Some(x) = pos(p) else { return 0 };
        let step = match x.s.step {
            Step::Move(_) => 1,
            Step::Fight(_) => 2,
            _ => 3,
        };
        let mut h: u64 = u64::from(x.s.turn) << 16 | u64::from(x.s.couplet) << 8 | step;
        for hex in x.s.stacks.occupied(side.foe()) {
            let n = x.s.stacks.height(hex) as u64;
            h = (h ^ (u64::from(hex.0) << 8 | n)).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }
        h
    }

    fn weigh(&self, p: &dyn Position, side: Side, c: &Choice) -> Option<Stake> {
        let x = pos(p)?;
        match (c.verb, c.object) {
            (verbs::ASSAULT, Object::Hex(h)) => Some(x.stake_mobile(Eyes::Side(side), h)),
            (verbs::AGAIN, _) => match x.s.frames.last() {
                Some(&Frame::Round { hex }) => Some(x.stake_mobile(Eyes::Side(side), hex)),
                _ => None,
            },
            _ => x.stake(Eyes::Side(side)),
        }
    }

    fn clash(
        &self,
        p: &dyn Position,
        target: Hex,
        from: &[Hex],
        attack: f64,
        defence: f64,
        steps: f64,
    ) -> Stake {
        pos(p).map_or_else(Stake::default, |x| x.clash(target, from, attack, defence, steps))
    }

    fn advise(
        &self,
        p: &dyn Position,
        side: Side,
        choices: &[Choice],
        dice: &mut dyn Dice,
    ) -> Option<Choice> {
        let x = pos(p)?;
        let done = choices.iter().copied().find(|c| c.verb == verbs::DONE);
        let _ = dice;
        match x.s.step {
            Step::SetUpSoviet | Step::SetUpGerman => x.advise_set_up(choices),
            Step::Orders | Step::Pause | Step::Callout => done,
            Step::Arrivals | Step::Reserve => x.advise_arrival(choices),
            Step::Refit => x.advise_refit(choices).or(done),
            Step::Commit | Step::CommitSoviet => x.advise_support(side, choices).or(done),
            Step::Sea => done,
            _ => None,
        }
    }

    fn called(&self, p: &dyn Position, h: Hex) -> String {
        let Some(x) = pos(p) else { return String::new() };
        let b = &x.data.map.board;
        b.places_at(h).find(|q| !q.name.is_empty()).map_or_else(|| x.data.map.called(h), |q| q.name.clone())
    }
}
