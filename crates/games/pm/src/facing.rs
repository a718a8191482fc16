//! 14.7, 2.15: what may stand against an attack, from what the attacker may know. A unit beneath is any of those that lie hidden
//! from him, an untried one any that is left in its pool; both are drawn without being put back, so the chances are exact.
//!
//! Whether defenders have room to retreat is judged by the units that can be seen where they would go.

use crate::combat::Attack;
use crate::stacking::Load;
use crate::state::{Pos, Supplied, flag};
use crate::supply::State;
use crate::units::{Nation, trait_};
use game::Eyes;
use hex::Hex;
use std::collections::BTreeMap;
use table::{Side, Unit};

/// Units and the steps they have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Heap {
    pub units: u16,
    pub steps: u16,
}

/// What can happen to a defence, whatever its strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Standing {
    /// Those of whom a step satisfies a loss point.
    pub whole: Heap,
    /// Those of whom it satisfies half of one (14.36).
    pub half: Heap,
    /// All of them can retreat together (14.33).
    pub way_back: bool,
    /// Steps of those who fled here and share the fate of the others (14.34).
    pub fled: u16,
}

/// A defence as it may be met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Facing {
    pub defence: i32,
    /// Flak halves tanks (10.1).
    pub flak: bool,
    pub standing: Standing,
}

/// Ways to choose some of many.
fn ways(of: u32, some: u32) -> f64 {
    (0..some).map(|i| f64::from(of - i) / f64::from(i + 1)).product()
}

/// Two figures of a unit, or their sums over several.
pub(crate) type Pair = [u16; 2];

/// The sums of each group, and the chance that they come.
pub(crate) type Deal = (Vec<Pair>, f64);

/// Deals units of several sorts into groups of such sizes, each unit as likely as any other: the sums of each group, with
/// their chances. A sort is its two figures and how many there are of it.
pub(crate) fn deal(sorts: &[(Pair, u32)], sizes: &[u8]) -> Vec<Deal> {
    type Dealt = BTreeMap<(Vec<u8>, Vec<Pair>), f64>;
    fn give(left: &mut [u8], sums: &mut [Pair], g: usize, sort: (Pair, u32), n: f64, out: &mut Dealt) {
        if g == left.len() {
            *out.entry((left.to_vec(), sums.to_vec())).or_default() += n;
            return;
        }
        let ([x, y], many) = sort;
        let (before, sum) = (left[g], sums[g]);
        for k in 0..=u32::from(before).min(many) {
            left[g] = before - k as u8;
            sums[g] = [sum[0] + k as u16 * x, sum[1] + k as u16 * y];
            give(left, sums, g + 1, ([x, y], many - k), n * ways(many, k), out);
        }
        (left[g], sums[g]) = (before, sum);
    }
    let mut dealt: Dealt = BTreeMap::from([((sizes.to_vec(), vec![[0; 2]; sizes.len()]), 1.0)]);
    for &sort in sorts {
        let mut next = Dealt::new();
        for ((mut left, mut sums), n) in dealt {
            give(&mut left, &mut sums, 0, sort, n, &mut next);
        }
        dealt = next;
    }
    let mut many: u32 = sorts.iter().map(|s| s.1).sum();
    let mut all = 1.0;
    for &size in sizes {
        all *= ways(many, u32::from(size).min(many));
        many = many.saturating_sub(size.into());
    }
    let full = |left: &[u8]| left.iter().all(|&n| n == 0);
    dealt.into_iter().filter(|((left, _), _)| full(left)).map(|((_, sums), n)| (sums, n / all)).collect()
}

/// Units that count alike for everything but defence and steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Like {
    nation: Nation,
    quarters: u8,
    small: bool,
    flak: bool,
    half: bool,
    out: bool,
    /// Untried, of this pool.
    pool: Option<u8>,
}

/// Those of a likeness that lie hidden.
struct Class {
    like: Like,
    /// One of them.
    one: Unit,
    /// By defence and steps, how many.
    sorts: BTreeMap<Pair, u32>,
    many: u32,
}

/// Sums of a stack that is being put together: defence in supply and out of it, steps that count whole and half, steps of those
/// who fled here.
type Sums = [u16; 5];

/// What is known of it once it is known who belongs to which class.
#[derive(Clone, Debug)]
struct Shape {
    whole: u16,
    half: u16,
    flak: bool,
    plain: bool,
    load: Load,
    /// Hexes to which all of them may go, as bits.
    may: u8,
    untried: Vec<u8>,
    /// Those of them who are out of supply: Soviet units of a hex are all or none.
    out: bool,
}

/// A search through all that the hidden units may be.
struct Search<'a> {
    p: &'a Pos,
    hex: Hex,
    side: Side,
    boost: u16,
    classes: Vec<Class>,
    /// Hexes to retreat to, with what is seen to lie there.
    back: Vec<(Hex, Load)>,
    dealt: BTreeMap<(usize, u8, u8), Vec<Deal>>,
    drawn: BTreeMap<(u8, u8), Vec<(u16, f64)>>,
    found: BTreeMap<Facing, f64>,
}

impl Pos {
    /// 14.7, 2.15: every defence that an attack may meet, with its chance.
    pub(crate) fn facings(&self, eyes: Eyes, sup: &Supplied, a: &Attack<'_>) -> BTreeMap<Facing, f64> {
        let side = a.side.foe();
        let by_air = self.aerial_at(a.hex).is_some();
        let like = |u: Unit| Like {
            nation: self.nation(u),
            quarters: self.info(u).quarters,
            small: self.is(u, trait_::SMALL),
            flak: self.is(u, trait_::FLAK),
            half: self.half_loss(u),
            out: self.state_in(sup, u, a.hex, by_air) == State::Out,
            pool: self.untried(u).then(|| self.info(u).pool),
        };
        let mut search = Search {
            p: self,
            hex: a.hex,
            side,
            boost: self.boost(a.hex, side) as u16,
            classes: Vec::new(),
            back: self.ways_back(eyes, a),
            dealt: BTreeMap::new(),
            drawn: BTreeMap::new(),
            found: BTreeMap::new(),
        };
        let mut shape = Shape {
            whole: 0,
            half: 0,
            flak: false,
            plain: false,
            load: Load::default(),
            may: u8::MAX,
            untried: vec![0; self.data.units.pools.len()],
            out: false,
        };
        let mut sums: Sums = [0; 5];
        let (mut beneath, mut fled_beneath) = (0u8, 0u8);
        for u in self.at(a.hex) {
            let fled = self.flagged(u, flag::RETREATED);
            match (self.seen(eyes, u), fled) {
                (false, false) => beneath += 1,
                (false, true) => fled_beneath += 1,
                (true, true) => sums[4] += u16::from(self.s.steps[u.ix()]),
                (true, false) => {
                    let like = like(u);
                    search.count(&mut shape, like, u, 1);
                    let steps = u16::from(self.s.steps[u.ix()]);
                    sums[if like.half { 3 } else { 2 }] += steps;
                    if let Some(f) = self.face(u) {
                        sums[usize::from(like.out)] += u16::from(f.defence) + search.boost;
                    }
                }
            }
        }
        let mut many = 0;
        if beneath + fled_beneath > 0 {
            let mut classes: BTreeMap<Like, Class> = BTreeMap::new();
            for u in self.hidden(eyes, side) {
                let like = like(u);
                let class =
                    classes.entry(like).or_insert(Class { like, one: u, sorts: BTreeMap::new(), many: 0 });
                let defence = self.face(u).map_or(0, |f| u16::from(f.defence));
                *class.sorts.entry([defence, self.s.steps[u.ix()].into()]).or_default() += 1;
                class.many += 1;
                many += 1;
            }
            search.classes = classes.into_values().collect();
        }
        let all = ways(many, beneath.into()) * ways(many - u32::from(beneath), fled_beneath.into());
        search.lay(0, beneath, fled_beneath, &BTreeMap::from([(sums, 1.0 / all)]), &shape);
        search.found
    }

    /// 14.32, 14.33: the hexes to which the defenders could retreat, with what is seen to lie there; none where they may not.
    fn ways_back(&self, eyes: Eyes, a: &Attack<'_>) -> Vec<(Hex, Load)> {
        if !self.may_retreat(a.hex, a.side, a.mobile) {
            return Vec::new();
        }
        let seen = |h: Hex| self.load_of(self.at(h).filter(|&u| self.seen(eyes, u)));
        self.open_back(a.hex, a.side).into_iter().map(|h| (h, seen(h))).collect()
    }
}

impl Search<'_> {
    /// Counts defenders of a likeness in, but for their defence and steps.
    fn count(&self, shape: &mut Shape, like: Like, one: Unit, n: u8) {
        if n == 0 {
            return;
        }
        *(if like.half { &mut shape.half } else { &mut shape.whole }) += u16::from(n);
        shape.flak |= like.flak && !like.out;
        shape.plain |= !like.flak;
        shape.out = like.out;
        (0..n).for_each(|_| self.p.load_unit(&mut shape.load, one));
        for (i, (h, _)) in self.back.iter().enumerate() {
            if !self.p.may_be_in(one, *h) {
                shape.may &= !(1 << i);
            }
        }
        if let Some(pool) = like.pool {
            shape.untried[usize::from(pool)] += n;
        }
    }

    /// Lays units of one class after another beneath, in all numbers.
    fn lay(&mut self, class: usize, left: u8, fled: u8, sums: &BTreeMap<Sums, f64>, shape: &Shape) {
        let Some(Class { like, one, many, .. }) = self.classes.get(class) else {
            if left == 0 && fled == 0 {
                self.meet(sums, shape);
            }
            return;
        };
        let (like, one, many) = (*like, *one, *many);
        for i in 0..=left.min(many.min(255) as u8) {
            let mut shape = shape.clone();
            self.count(&mut shape, like, one, i);
            for j in 0..=fled.min((many - u32::from(i)).min(255) as u8) {
                if i == 0 && j == 0 {
                    self.lay(class + 1, left, fled, sums, &shape);
                    continue;
                }
                let number = ways(many, i.into()) * ways(many - u32::from(i), j.into());
                let classes = &self.classes;
                let dealt = self.dealt.entry((class, i, j)).or_insert_with(|| {
                    let sorts: Vec<(Pair, u32)> =
                        classes[class].sorts.iter().map(|(k, n)| (*k, *n)).collect();
                    deal(&sorts, &[i, j])
                });
                let mut next: BTreeMap<Sums, f64> = BTreeMap::new();
                for (sums, p) in sums {
                    for (groups, q) in dealt.iter() {
                        let [defence, steps] = groups[0];
                        let mut s = *sums;
                        if like.pool.is_none() {
                            s[usize::from(like.out)] += defence + u16::from(i) * self.boost;
                        }
                        s[if like.half { 3 } else { 2 }] += steps;
                        s[4] += groups[1][1];
                        *next.entry(s).or_default() += p * q * number;
                    }
                }
                self.lay(class + 1, left - i, fled - j, &next, &shape);
            }
        }
    }

    /// The sums of so many counters drawn from a pool.
    fn draw(&mut self, pool: u8, n: u8) -> Vec<(u16, f64)> {
        let p = self.p;
        self.drawn
            .entry((pool, n))
            .or_insert_with(|| {
                let sorts = p.left_in(pool, &|f| f.defence);
                deal(&sorts, &[n]).into_iter().map(|(sums, q)| (sums[0][0], q)).collect()
            })
            .clone()
    }

    /// A stack that is laid: its untried units are drawn, and it is met.
    fn meet(&mut self, sums: &BTreeMap<Sums, f64>, shape: &Shape) {
        let mut sums = sums.clone();
        for pool in 0..shape.untried.len() {
            let n = shape.untried[pool];
            if n == 0 {
                continue;
            }
            let mut next: BTreeMap<Sums, f64> = BTreeMap::new();
            for (defence, q) in self.draw(pool as u8, n) {
                for (s, p) in &sums {
                    let mut s = *s;
                    s[usize::from(shape.out)] += defence + u16::from(n) * self.boost;
                    *next.entry(s).or_default() += p * q;
                }
            }
            sums = next;
        }
        let fits =
            |i: usize, h: Hex, seen: &Load| shape.may >> i & 1 != 0 && self.p.fits(&shape.load.and(seen), h);
        let way_back = self.back.iter().enumerate().any(|(i, (h, seen))| fits(i, *h, seen));
        for ([full, out, whole, half, fled], p) in sums {
            let ground = i32::from(full) + (i32::from(out) + 1) / 2;
            let ground = ground.max(1);
            let air = self.p.air_with(self.side, self.hex, false).map(|i| self.p.air_points(i).min(ground));
            let facing = Facing {
                defence: ground + air.sum::<i32>(),
                flak: self.side == Side::One && !self.p.options.beginner && shape.flak && shape.plain,
                standing: Standing {
                    whole: Heap { units: shape.whole, steps: whole },
                    half: Heap { units: shape.half, steps: half },
                    way_back,
                    fled,
                },
            };
            *self.found.entry(facing).or_default() += p;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dealing_is_without_putting_back() {
        // Two of three counters, worth 1, 1 and 4: 2 once in three, 5 twice.
        let dealt = deal(&[([1, 0], 2), ([4, 0], 1)], &[2]);
        let of = |n: u16| dealt.iter().filter(|(s, _)| s[0][0] == n).map(|(_, p)| p).sum::<f64>();
        assert!((of(2) - 1.0 / 3.0).abs() < 1e-12 && (of(5) - 2.0 / 3.0).abs() < 1e-12, "{dealt:?}");
    }

    #[test]
    fn two_groups_share_what_there_is() {
        let dealt = deal(&[([1, 1], 1), ([4, 2], 1)], &[1, 1]);
        assert_eq!(dealt.len(), 2, "{dealt:?}");
        assert!(dealt.iter().all(|(s, p)| s[0] != s[1] && (p - 0.5).abs() < 1e-12), "{dealt:?}");
    }
}
