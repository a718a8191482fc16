//! What only this game can tell the programs that play it: what its orders are for, what towns and divisions are worth, who
//! must come forward, and what to do with aircraft, reserves and replacements.

use crate::combat::Attack;
use crate::data::{Data, boxes};
use crate::map::side;
use crate::state::{Frame, Pause, Pos, Step, Supplied};
use crate::supply::State;
use crate::units::{Class, NO_POOL, Nation, trait_};
use crate::verbs;
use game::{Brief, Choice, Counsel, Dice, Eyes, Goal, Kept, Object, Piece, Position, Role, Stake, Ward};
use hex::{Hex, HexSet};
use std::rc::Rc;
use std::sync::Arc;
use table::{Place, Side, Unit};

/// What a victory point is worth in strength (attack and defence of a division, halved): about two good divisions.
const POINT: f64 = 14.0;
/// What the end of the game is worth.
const END: f64 = 10_000.0;
/// What a hex nearer to a place that is still wanted is worth to a full division: so little that an army which takes a place does
/// not regret that the next is far.
const NEARER: f64 = 0.02;
/// What a victory point counts when positions are compared: it is what decides.
const DECIDES: f64 = 40.0;
/// What a garrison is worth against the place it holds.
const GARRISON: f64 = 0.6;

/// What a Soviet unit in Greater Germany is worth before it counts (4.4).
const INCURSION: f64 = 0.7;
/// What it is worth while there is a couplet left in which to throw it out.
const SOON: f64 = 0.4;
/// What a hex of Greater Germany is worth that Soviet units can enter next, as a share of what they cost there.
const OPEN: f64 = 0.015;
/// What a Soviet unit is worth that can enter there next, as the same share.
const RAIDER: f64 = 0.03;
/// What it is worth to stand beside a Soviet stack with enough to destroy it, as a share of its strength and of its place.
const CHANCE: f64 = 0.35;
/// The odds, ground included, at which that is sure enough, and those below which it is nothing.
const SURE: f64 = 4.0;
/// See above.
const EVEN: f64 = 1.0;
/// What it is worth to stand before a place that nobody holds, as a share of the place.
const SPEARHEAD: f64 = 0.45;
/// How far that is felt, in hexes: so much nearer makes it about three times as much.
const FADES: f64 = 9.0;
/// A defence, ground included, that halves it.
const BARS: f64 = 6.0;
/// Farther from a place than this no unit is its spearhead.
const AWAY: u32 = 24;
/// A German unit that attacks with less is no spearhead.
const LEAST: f64 = 2.0;
/// What it costs the German side that a place of its own lies open to a Soviet unit beside it, as a share of the place.
const UNKEPT: f64 = 0.6;
/// How far that is felt, in hexes: so much farther makes it about a third.
const STRAYS: f64 = 3.0;
/// A garrison that halves it.
const KEEPS: f64 = 0.5;
/// What a finished game counts in a comparison that goes on with its points: so many points more.
const WON: f64 = 8.0;
/// How far Soviet units see an open hex there.
const RAID: usize = 4;
/// German units farther from a place than this do not threaten it yet.
const NEAR: f64 = 12.0;
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

/// What the ground says while control of towns does not change, worked out once and kept by each thread.
struct Ground {
    data: Arc<Data>,
    held: HexSet,
    places: Vec<(Hex, f64)>,
    /// By hex: steps to the nearest place that the German side wants, less its worth.
    wanted: Vec<f32>,
    /// By hex: steps to the nearest place that the Soviet side has, or a little more to one that it lost.
    home: Vec<f32>,
    /// By hex: the places near it, with the share of a threat that reaches there (1 on the place itself).
    close: Vec<Vec<(u8, f32)>>,
    /// By hex: the places that the German side wants, with how far they are.
    ways: Vec<Vec<(u8, u8)>>,
    /// By hex: the places that it holds, with how far they are.
    kept: Vec<Vec<(u8, u8)>>,
}

thread_local! {
    static KEPT: Kept<Ground> = const { Kept::new() };
}

impl Ground {
    fn of(p: &Pos) -> Rc<Ground> {
        let same = |g: &Ground| Arc::ptr_eq(&g.data, &p.data) && g.held == p.s.german_held;
        KEPT.with(|kept| kept.of(same, || Ground::read(p)))
    }

    fn read(p: &Pos) -> Ground {
        let places = p.places();
        let grid = p.data.map.grid();
        let held = p.s.german_held.clone();
        let n = grid.len();
        let (mut wanted, mut home) = (vec![0.0; n], vec![0.0; n]);
        let mut close = vec![Vec::new(); n];
        let mut ways = vec![Vec::new(); n];
        let mut kept = vec![Vec::new(); n];
        for h in &p.data.map.land {
            let (mut want, mut back) = (f32::MAX, f32::MAX);
            for (i, (g, worth)) in places.iter().enumerate() {
                let steps = grid.distance(h, *g);
                let dist = steps as f32;
                let german = held.contains(*g);
                if german {
                    if steps < AWAY / 2 {
                        kept[h.ix()].push((i as u8, steps as u8));
                    }
                } else {
                    if steps < AWAY {
                        ways[h.ix()].push((i as u8, steps as u8));
                    }
                    want = want.min(dist - *worth as f32);
                    if dist < 7.0 {
                        close[h.ix()].push((i as u8, 1.0 / (1.0 + dist)));
                    }
                }
                back = back.min(dist + if german { 2.0 } else { 0.0 });
            }
            wanted[h.ix()] = if want < f32::MAX { want } else { 0.0 };
            home[h.ix()] = if back < f32::MAX { back } else { 0.0 };
        }
        Ground { data: Arc::clone(&p.data), held, places, wanted, home, close, ways, kept }
    }
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

    /// How the German side stands.
    fn stands(&self) -> f64 {
        if let Some(o) = self.how_it_ended() {
            return if o.winner == Some(Side::One) { END } else { -END };
        }
        let means = pool_means(self);
        let ground = Ground::of(self);
        let mut v = DECIDES * f64::from(self.s.vp);
        v -= self.open_border() * DECIDES;
        let m = &self.data.map;
        let mut beside = vec![0.0f64; m.grid().len()];
        let mut garrison = vec![0.0f64; ground.places.len()];
        let mut threat = vec![0.0f64; ground.places.len()];
        let mut nearest = vec![u8::MAX; ground.places.len()];
        for u in self.s.stacks.units() {
            let Some(h) = self.on_map(u) else { continue };
            let (a, d) = self.known(&means, u);
            let strength = (a + d) / 2.0;
            if self.info(u).side == Side::One {
                v += DEAR[0] * strength;
                v -= NEARER * f64::from(ground.wanted[h.ix()]) * strength.min(10.0) / 5.0;
                for &(i, share) in &ground.close[h.ix()] {
                    threat[usize::from(i)] += a * f64::from(share);
                }
                m.grid().neighbours(h).for_each(|(_, n)| beside[n.ix()] += a);
                if a >= LEAST {
                    for &(i, steps) in &ground.ways[h.ix()] {
                        let best = &mut nearest[usize::from(i)];
                        *best = steps.min(*best);
                    }
                }
            } else {
                v -= DEAR[1] * strength;
                v += NEARER / 2.0 * f64::from(ground.home[h.ix()]) * strength / 5.0;
                if self.data.map.zomo_germany.contains(h) {
                    v -= INCURSION * DECIDES * f64::from(self.data.charts.numbers.zomo_vp);
                }
                for &(i, share) in &ground.close[h.ix()] {
                    if share == 1.0 {
                        garrison[usize::from(i)] += d;
                    }
                }
            }
        }
        // What stands before German guns with too little is half lost.
        for h in self.s.stacks.occupied(Side::Two).iter().filter(|h| beside[h.ix()] > 0.0) {
            let all = self.at(h).map(|u| self.known(&means, u));
            let (d, strength) = all.fold((0.0, 0.0), |(x, s), (a, d)| (x + d, s + (a + d) / 2.0));
            let odds = beside[h.ix()] / (f64::max(d, 1.0) * f64::from(self.cover(h)));
            let chance = ((odds - EVEN) / (SURE - EVEN)).clamp(0.0, 1.0);
            let place = if self.s.german_held.contains(h) { 0.0 } else { f64::from(m.vp[h.ix()].max(0)) };
            v += CHANCE * chance * (DEAR[1] * strength + DECIDES * place);
        }
        for (i, (h, worth)) in ground.places.iter().enumerate() {
            if !self.s.german_held.contains(*h) {
                let wanted = 4.0 + 2.0 * threat[i];
                let urgent = 0.15 + 0.85 * (threat[i] / 4.0).min(1.0);
                v -= GARRISON * POINT * worth * urgent * (garrison[i] / wanted).min(1.0);
                if nearest[i] != u8::MAX {
                    let bar = 1.0 + garrison[i] * f64::from(self.cover(*h)) / BARS;
                    v += SPEARHEAD * DECIDES * worth * (-f64::from(nearest[i]) / FADES).exp() / bar;
                }
            }
        }
        v
    }

    /// What the German side leaves open of its own when its move is over: whoever is nearest walks in where nobody stands. The
    /// Soviet side does not count it as gained: before it moves again the German one can shut it.
    fn left_open(&self) -> f64 {
        let means = pool_means(self);
        let ground = Ground::of(self);
        let mut garrison = vec![0.0f64; ground.places.len()];
        let mut nearest = vec![u8::MAX; ground.places.len()];
        for u in self.s.stacks.units() {
            let Some(h) = self.on_map(u) else { continue };
            for &(i, steps) in &ground.kept[h.ix()] {
                if self.info(u).side == Side::Two {
                    let best = &mut nearest[usize::from(i)];
                    *best = steps.min(*best);
                } else if steps == 0 {
                    garrison[usize::from(i)] += self.known(&means, u).1;
                }
            }
        }
        let places = ground.places.iter().zip(nearest.iter().zip(&garrison));
        let near = places.filter(|(_, (near, _))| **near != u8::MAX);
        let cost = |(&(_, worth), (&near, held)): (&(Hex, f64), (&u8, &f64))| {
            UNKEPT * DECIDES * worth * (-f64::from(near) / STRAYS).exp() / (1.0 + held / KEEPS)
        };
        near.map(cost).sum()
    }

    /// 4.4: what lies open in Greater Germany to Soviet units that can come there between the German ones, in points.
    fn open_border(&self) -> f64 {
        let m = &self.data.map;
        let (own, foe) = (self.s.stacks.occupied(Side::One), self.s.stacks.occupied(Side::Two));
        let land = &m.land - own;
        let spread = |from: HexSet| (0..RAID).fold(from, |near, _| &near.dilate(m.grid()) & &land);
        let open = &(&spread(foe.clone()) & &m.zomo_germany) - foe;
        let raiders: usize = (&spread(open.clone()) & foe).iter().map(|h| self.s.stacks.height(h)).sum();
        self.toll() * (OPEN * open.count() as f64 + RAIDER * raiders as f64)
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

impl Pos {
    /// 3.2-3.7: as the armies stood in history, as far as that is legal; what is left is filled in.
    fn advise_set_up(&self, choices: &[Choice]) -> Option<Choice> {
        let soviet = self.s.step == Step::SetUpSoviet;
        let of = |s: &crate::data::Scenario| if soviet { s.soviet.clone() } else { s.german.clone() };
        let file = self.data.scenarios.iter().map(of).find(|f| !f.is_empty() && f != "free")?;
        let fill = choices.iter().copied().find(|c| c.verb == verbs::FILL);
        let columns: &[&str] = if soviet { &["pool", "count", "hex"] } else { &["unit", "hex"] };
        let mut faults = text::Faults::new();
        let Some(t) = text::Tsv::read(&self.data.files, &file, columns, &[], &mut faults) else {
            return fill;
        };
        let grid = self.data.map.grid();
        let pool_of =
            |u: Unit| self.data.units.pools.get(usize::from(self.info(u).pool)).map(|p| p.name.as_str());
        for row in t.rows() {
            let at = row.get("hex");
            let hex = grid.find(at);
            let wanted = |u: Unit| {
                if soviet { pool_of(u) == Some(row.get("pool")) } else { self.code(u) == row.get("unit") }
            };
            if let (true, Some(h)) = (soviet, hex) {
                let there = self.at(h).filter(|&u| wanted(u)).count();
                if there >= row.get("count").parse().unwrap_or(0) {
                    continue;
                }
            }
            let fits = |c: &&Choice| match c.object {
                Object::At(u, h) => Some(h) == hex && wanted(u),
                Object::Into(u, b) => hex.is_none() && self.data.lexicon.find_box(at) == Some(b) && wanted(u),
                _ => false,
            };
            if let Some(c) = choices.iter().filter(|c| c.verb == verbs::PLACE).find(fits) {
                return Some(*c);
            }
        }
        fill
    }

    /// 8.7, 8.11: Guards are raised; what arrives goes where a place is threatened most and held least, else towards the front.
    fn advise_arrival(&self, choices: &[Choice]) -> Option<Choice> {
        if let Some(c) = choices.iter().find(|c| c.verb == verbs::CONVERT) {
            return Some(*c);
        }
        let first =
            choices.iter().find_map(|c| if let Object::At(u, _) = c.object { Some(u) } else { None })?;
        let grid = self.data.map.grid();
        let means = pool_means(self);
        let german: Vec<(Hex, f64)> = self
            .s
            .stacks
            .units()
            .filter(|&u| self.info(u).side == Side::One)
            .filter_map(|u| Some((self.on_map(u)?, self.known(&means, u).0)))
            .collect();
        let mut needs: Vec<(Hex, f64)> = Vec::new();
        for (g, worth) in self.places().into_iter().filter(|(h, _)| !self.s.german_held.contains(*h)) {
            let near = |h: Hex| f64::from(grid.distance(h, g));
            let reach = |h: Hex| if near(h) <= NEAR { 1.0 / (1.0 + near(h) / 3.0) } else { 0.0 };
            let threat: f64 = german.iter().map(|&(h, a)| a * reach(h)).sum();
            let there: f64 = self.at(g).map(|u| self.known(&means, u).1).sum();
            let beside: f64 = grid
                .neighbours(g)
                .flat_map(|(_, n)| self.at(n))
                .filter(|&u| self.info(u).side == Side::Two)
                .map(|u| self.known(&means, u).1)
                .sum();
            let held = (there + beside / 2.0) * f64::from(self.cover(g));
            needs.push((g, worth * threat / (held + 10.0)));
        }
        let score = |h: Hex| {
            let by = |&(g, need): &(Hex, f64)| need * (-f64::from(grid.distance(h, g)) / 2.0).exp();
            let need = needs.iter().map(by).fold(0.0, f64::max);
            let front = german.iter().map(|&(g, _)| grid.distance(g, h)).min().unwrap_or(0);
            need - 0.001 * f64::from(front)
        };
        choices
            .iter()
            .filter_map(|c| match c.object {
                Object::At(u, h) if u == first && c.verb == verbs::PLACE => Some((score(h), *c)),
                _ => None,
            })
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, c)| c)
    }

    /// 8.15-8.19: steps go to what is weakest far from the enemy first; withdrawals are paid with what is least.
    fn advise_refit(&self, choices: &[Choice]) -> Option<Choice> {
        let unit = |c: &Choice| if let Object::Unit(u) = c.object { Some(u) } else { None };
        let means = pool_means(self);
        let strength = |u: Unit| self.known(&means, u).0;
        let best = |verb, score: &dyn Fn(Unit) -> f64| {
            choices
                .iter()
                .filter(|c| c.verb == verb)
                .filter_map(|c| unit(c).map(|u| (*c, score(u))))
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(c, _)| c)
        };
        let owed = choices.iter().any(|c| c.verb == verbs::WITHDRAW);
        if owed {
            return best(verbs::WITHDRAW, &|u| -strength(u));
        }
        if let Some(c) = best(verbs::REPLACE, &strength) {
            return Some(c);
        }
        // A division that refits sits out the turn: only those that have lost half or more, and away from the enemy.
        let worn = |u: Unit| {
            let full = self.info(u).faces.len() as f64;
            let left = f64::from(self.s.steps[u.ix()]);
            let free = self.on_map(u).is_none_or(|h| !self.beside(Side::Two, h));
            if free && left * 2.0 <= full { full - left } else { -1.0 }
        };
        best(verbs::REFIT, &worn).filter(|c| unit(c).is_some_and(|u| worn(u) > 0.0))
    }

    /// 10.2: aircraft go to the strongest stack that stands beside the enemy.
    fn advise_support(&self, side: Side, choices: &[Choice]) -> Option<Choice> {
        let means = pool_means(self);
        let score = |c: &Choice| {
            let Object::At(_, h) = c.object else { return 0.0 };
            let attack: f64 = self.at(h).map(|u| self.known(&means, u).0).sum();
            let mobile = self.at(h).any(|u| self.info(u).class == Class::Mech);
            let near = self.beside(side.foe(), h);
            attack * if near { 2.0 } else { 0.2 } * if mobile { 1.5 } else { 1.0 }
        };
        choices
            .iter()
            .filter(|c| c.verb == verbs::SUPPORT)
            .max_by(|a, b| score(a).total_cmp(&score(b)))
            .filter(|c| score(c) > 1.0)
            .copied()
    }
}
