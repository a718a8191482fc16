//! What planning works on: the situation in one imagined world, and what battles and places in it are worth.

use super::Style;
use super::field::{FAR, Fields, step_worth, steps_from};
use super::lanes::{foresight, lanes};
use super::prowl::prowlers;
use crate::World;
use game::{Brief, Counsel, Goal, Piece, Stake};
use hex::{Grid, Hex, HexSet};
use std::collections::BTreeMap;
use table::Unit;

/// What it is worth to destroy a step that can get into ground that must stay free, against what it would cost there.
const NEAR_WARD: f64 = 0.35;
/// How far a place that is wanted may draw at most, in units of its own pull.
const CROWD: f64 = 0.15;
/// How much farther than others the place draws that a unit is meant for.
const LANE: f64 = 1.5;
/// What it is worth to come a hex farther than the one that is taken.
const THROUGH: f64 = 1.0;
/// No way over land is longer than this, in steps; from farther nothing draws.
const LONGEST: usize = 400;

/// The situation on the table.
pub(crate) struct Desk<'a> {
    pub counsel: &'static dyn Counsel,
    pub world: &'a World,
    pub grid: &'a Grid,
    pub brief: Brief,
    pub fields: Fields,
    pub style: Style,
    /// By hex: how much the places beyond it draw an army on.
    pub pull: Vec<f64>,
    /// By hex: what taking it from the enemy is worth.
    prize: BTreeMap<Hex, f64>,
    /// By hex: what a step of the enemy there is worth.
    foe_step: BTreeMap<Hex, f64>,
    pub pieces: BTreeMap<Unit, Piece>,
    /// By unit: the goal that it is meant for, where units have zones and the side comes forward.
    lane: BTreeMap<Unit, usize>,
}

impl<'a> Desk<'a> {
    /// The situation for a staff of an inclination, or of the one that is plain for its side; `before` is where units were meant
    /// for until now.
    pub fn new(
        counsel: &'static dyn Counsel,
        world: &'a World,
        style: Option<Style>,
        before: &BTreeMap<Unit, Hex>,
    ) -> Desk<'a> {
        let grid = world.position().lexicon().grid();
        let mut brief = counsel.brief(world.position(), world.side());
        let mut style = style.unwrap_or(Style::plain(&brief));
        if brief.zones && brief.attacker == brief.side {
            style.depth *= foresight(&brief).sqrt();
        }
        style.focus.raise(&mut brief);
        let fields = Fields::read(grid, &brief);
        let mut prize = BTreeMap::new();
        for g in brief.goals.iter().filter(|g| g.held != brief.side) {
            *prize.entry(g.hex).or_default() += g.worth * brief.point * style.prize;
        }
        let mut stacks: BTreeMap<Hex, Vec<&Piece>> = BTreeMap::new();
        for p in brief.pieces.iter().filter(|p| p.side != brief.side && p.hex.is_some()) {
            stacks.entry(p.hex).or_default().push(p);
        }
        let (own, foe) = (brief.side, brief.side.foe());
        let dear = brief.dear[foe.ix()] * style.daring;
        let mut foe_step: BTreeMap<Hex, f64> =
            stacks.iter().map(|(h, s)| (*h, dear * step_worth(s.iter().copied()))).collect();
        // Who can get into ground that must stay free is worth what he would cost there.
        if let Some(ward) = brief.ward.as_ref().filter(|w| w.side == own) {
            let far = steps_from(grid, &brief.land, &ward.hexes);
            let loose = brief.zones.then(|| {
                let foes = stacks.values().flatten().copied();
                prowlers(grid, &brief.land, &fields.own_at, &ward.hexes, foes, &HexSet::empty()).0
            });
            for (h, s) in &stacks {
                let reach = s.iter().map(|p| reach_of(p)).max().unwrap_or(0);
                if far[h.ix()] <= reach && loose.as_ref().is_none_or(|l| l.contains(*h)) {
                    *foe_step.entry(*h).or_default() += NEAR_WARD * ward.toll * brief.point;
                }
            }
        }
        let pieces = brief.pieces.iter().map(|p| (p.unit, *p)).collect();
        let own_lanes = brief.zones && brief.attacker == brief.side && style.lanes > 0.0;
        let lane = if own_lanes { lanes(grid, &brief, &fields, before) } else { BTreeMap::new() };
        let pull = Vec::new();
        let mut desk =
            Desk { counsel, world, grid, brief, fields, style, pull, prize, foe_step, pieces, lane };
        desk.pull = pull_of(&desk);
        desk
    }

    /// By unit of the side that comes forward: the place that it is meant for.
    pub fn meant(&self) -> BTreeMap<Unit, Hex> {
        self.lane.iter().map(|(u, &g)| (*u, self.brief.goals[g].hex)).collect()
    }

    /// Whether the side must come forward to win.
    pub fn attacks(&self) -> bool {
        self.brief.attacker == self.brief.side
    }

    /// How much a hex draws a unit on: by the place it is meant for, if it is meant for one.
    pub fn draws(&self, u: Unit, h: Hex) -> f64 {
        let Some(&g) = self.lane.get(&u) else { return self.pull[h.ix()] };
        let own = self.fields.draw(&self.brief, g, h, LANE * self.style.depth) * self.brief.point;
        self.style.lanes * own + (1.0 - self.style.lanes) * self.pull[h.ix()]
    }

    /// What taking a hex from the enemy is worth.
    pub fn prize(&self, h: Hex) -> f64 {
        self.prize.get(&h).copied().unwrap_or(0.0)
    }

    /// What a step of the enemy on a hex is worth.
    pub fn foe_step(&self, h: Hex) -> f64 {
        self.foe_step.get(&h).copied().unwrap_or(0.0)
    }

    /// What a battle is worth to the side that makes it, if a step of its own is worth so much.
    pub fn gain(&self, target: Hex, stake: Stake, own_step: f64) -> f64 {
        let open = if self.attacks() {
            self.style.opened * self.pull[target.ix()].min(self.brief.point)
        } else {
            0.1
        };
        self.won(target, stake, own_step)
            + stake.taken * open
            + if self.attacks() { THROUGH * stake.through } else { 0.0 }
    }

    /// The part of it that is losses and the place itself.
    pub fn won(&self, target: Hex, stake: Stake, own_step: f64) -> f64 {
        let dear = self.brief.dear[self.brief.side.ix()];
        stake.defender_loss * self.foe_step(target) - stake.attacker_loss * own_step * dear
            + stake.taken * self.prize(target)
            + self.siege(target, stake)
    }

    /// What losses of a garrison bring the side nearer to its place, beyond what is taken at once.
    fn siege(&self, target: Hex, stake: Stake) -> f64 {
        let share = stake.defender_loss / f64::from(self.fields.foe_steps[target.ix()]).max(1.0);
        let fair = if self.brief.zones { 1.0 } else { fair(stake) };
        self.style.siege * self.prize(target) * (share - stake.taken).max(0.0) * fair
    }

    /// What a battle of plain strengths is expected to bring.
    pub fn clash(&self, target: Hex, from: &[Hex], attack: f64) -> Stake {
        self.clash_if(target, from, attack, false)
    }

    /// How likely a stack is hurt where it would stand, from 0 to 2.
    pub fn danger(&self, h: Hex, defence: f64) -> f64 {
        let i = h.ix();
        (f64::from(self.fields.threat[i]) / (3.0 * defence * f64::from(self.brief.cover[i]) + 1.0)).min(2.0)
    }

    /// What is lost if a hex that others hold with so much is left to them: a place of ours that the enemy can reach.
    pub fn keeps(&self, h: Hex, held: f64) -> f64 {
        let near = self.fields.from_foe[h.ix()] <= 6;
        let goal = self.brief.goals.iter().find(|g| g.hex == h && g.held == self.brief.side);
        goal.map_or(0.0, |g| if near && held <= 0.0 { g.worth * self.brief.point } else { 0.0 })
    }

    /// The enemy's goals with the distance to them from a hex.
    pub fn wanted(&self, h: Hex) -> impl Iterator<Item = (&Goal, u16)> {
        let far = self.brief.goals.iter().zip(&self.fields.to_goal);
        far.filter(|(g, _)| g.held != self.brief.side)
            .map(move |(g, to)| (g, to[h.ix()]))
            .filter(|(_, d)| *d != FAR)
    }
}

/// What an exchange of losses counts as a siege: in full if it costs no more than it takes, nothing at twice as much. Whoever throws
/// units away one by one does not wear a garrison down.
fn fair(stake: Stake) -> f64 {
    (2.0 - stake.attacker_loss / stake.defender_loss.max(0.1)).clamp(0.0, 1.0)
}

/// How many hexes a unit comes at most in a phase.
pub(crate) fn reach_of(p: &Piece) -> u16 {
    (p.speed * if p.supplied { 1.4 } else { 0.7 }).ceil() as u16
}

/// How much each hex draws an army on: the places that the enemy holds beyond it, by what they draw and by distance.
fn pull_of(desk: &Desk<'_>) -> Vec<f64> {
    let n = desk.grid.len();
    let (mut best, mut all) = (vec![0.0f64; n], vec![0.0f64; n]);
    let fades: Vec<f64> = (0..LONGEST).map(|d| (-(d as f64) / desk.style.depth).exp()).collect();
    let goals = desk.brief.goals.iter().zip(&desk.fields.to_goal);
    for (g, to) in goals.filter(|(g, _)| g.held != desk.brief.side) {
        let draw = desk.draw_of(g);
        for h in &desk.brief.land {
            if let Some(fade) = fades.get(usize::from(to[h.ix()])) {
                let v = draw * fade;
                best[h.ix()] = best[h.ix()].max(v);
                all[h.ix()] += v;
            }
        }
    }
    best.iter().zip(&all).map(|(b, a)| (b + CROWD * a) * desk.brief.point).collect()
}
