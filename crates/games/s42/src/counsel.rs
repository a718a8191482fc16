//! What only this game can tell the programs that play it: what its orders are for, what objectives and divisions are worth, and
//! who must come forward. The sums of a battle are in `clash`, answers in the midst of combat in `answers`, those of the other
//! phases in `phases`.

mod answers;
mod clash;
mod exits;
mod ground;
mod phases;

use crate::state::{Frame, Pos, Step, flag};
use crate::units::is;
use crate::verbs;
use game::{Brief, Choice, Counsel, Dice, Goal, Piece, Position, Role, Stake, Ward};
use ground::Ground;
use hex::{Hex, HexSet};
use std::collections::VecDeque;
use table::{Place, Side, Unit};

/// What a victory point is worth in strength (attack and defence of a division, halved): about two good divisions.
const POINT: f64 = 14.0;
/// What the end of the game is worth.
const END: f64 = 10_000.0;
/// What a victory point counts when positions are compared: it is what decides.
const DECIDES: f64 = 40.0;
/// What strength counts, by side: the Axis gets little back of what it loses.
const DEAR: [f64; 2] = [1.3, 0.8];
/// What the draw of places counts for a strong division when positions are compared.
const DRAW: f64 = 0.6;
/// What a garrison is worth against the place it holds.
const GARRISON: f64 = 0.6;
/// What a hex over the stacking limit costs when positions are compared.
const OVERFULL: f64 = 6.0;
/// What an attack that is only half put together counts: nothing is gained by leaving it so.
const HALF_DONE: f64 = 0.5;
/// What a Soviet unit on its way into the west costs (24.1.4), in points, as near as can be.
const LOOSE: f64 = 4.0;
/// What is left of that if it stands in a zone: it may not go on as it likes.
const CAUGHT: f64 = 0.35;
/// What it is worth to the Axis besides to be rid of such a unit, in points: who is only caught goes on some day.
const RID: f64 = 5.0;
/// What it is worth to the Axis to come near enough to such a unit to throw it back, in points.
const HUNTED: f64 = 2.0;
/// How far hunters are counted, in hexes: from so much farther a third of their strength.
const HUNTERS: f64 = 5.0;
/// From how near to the west units are hunted, from 0 to 1.
const PROWLS: f32 = 0.2;
/// How much more than its defence a unit is hunted with.
const OVER: f64 = 2.0;
/// What a place counts that the Axis holds and cannot supply (24.1.1).
const CUT_OFF_PLACE: f64 = 0.3;
/// What of a unit's worth is lost while no supply reaches it.
const CUT_OFF: f64 = 0.5;
/// What an HQ or a leader is worth.
const STAFF: f64 = 2.0;
/// What a unit takes of the room in a hex if one of its kind stacks freely (4.2).
const FREE_BULK: f64 = 0.4;

/// What a Soviet unit in the west costs (24.1.4), in points: one of several in the same city or at the same edge costs nothing more.
const TOLL: f64 = 1.0;

/// So many turns before the end the bank of the Don is made for (S1.3).
const BANK_DUE: f64 = 2.0;

/// As many points as the Axis may lack for the toll to count in full.
const LACKS: f64 = 4.0;
/// What it counts at least.
const TOLL_AT_LEAST: f64 = 0.2;

/// The counsel of Stalingrad '42.
#[derive(Debug)]
pub struct Staff;

/// The one there is.
pub static COUNSEL: Staff = Staff;

fn pos(p: &dyn Position) -> Option<&Pos> {
    p.as_any().downcast_ref::<Pos>()
}

impl Pos {
    /// Who must come forward: the Axis until the Soviet side goes first (33.2.2, S3.3).
    fn comes_forward(&self) -> Side {
        let soviet = self.s.soviet_first || self.s.offensive != 0 || self.scenario().first_side == "soviet";
        if soviet { Side::Two } else { Side::One }
    }

    /// What a unit is worth: half of attack and defence, less what its state takes from it.
    fn strength(&self, u: Unit) -> f64 {
        if !self.combat(u) || self.is(u, is::ASU) {
            return STAFF;
        }
        let f = self.face(u);
        let whole = (f64::from(f.attack) + f64::from(f.defence)) / 2.0;
        let state = self.s.flags[u.ix()];
        let mut share = 1.0;
        for (bit, less) in
            [(flag::DISRUPTED, 0.85), (flag::FULL_RETREAT, 0.6), (flag::OUT, 0.85), (flag::ISOLATED, 0.7)]
        {
            if state & bit != 0 {
                share *= less;
            }
        }
        whole * share
    }

    /// How the Axis stands.
    fn stands(&self) -> f64 {
        if let Some(end) = self.s.end {
            return if end.winner == Side::One { END } else { -END };
        }
        let ground = Ground::of(self);
        let sup = self.fresh_supply();
        let los = &sup.los;
        let hungry =
            ground.places.iter().filter(|(h, _)| self.s.axis_held.contains(*h) && !los[0].contains(*h));
        let later: f64 = hungry.map(|(_, worth)| worth * CUT_OFF_PLACE).sum();
        let mut v = DECIDES * (f64::from(self.vp_with(&sup).total().floor()) + later);
        let attacker = self.comes_forward();
        let places = ground.places.len();
        let (mut garrison, mut threat) =
            ([vec![0.0f64; places], vec![0.0f64; places]], [vec![0.0f64; places], vec![0.0f64; places]]);
        for u in self.s.stacks.units() {
            if self.s.steps[u.ix()] == 0 || !self.in_play(u) {
                continue;
            }
            let side = self.side(u);
            let s = self.strength(u);
            let sign = if side == Side::One { 1.0 } else { -1.0 };
            v += sign * DEAR[side.ix()] * s;
            let Some(h) = self.on_map(u) else { continue };
            if !los[side.ix()].contains(h) {
                v -= sign * CUT_OFF * DEAR[side.ix()] * s;
            }
            if side == attacker {
                v += sign * DRAW * f64::from(ground.pull[side.ix()][h.ix()]) * s.min(10.0) / 10.0;
            } else {
                v -= sign * 0.02 * f64::from(ground.home[side.ix()][h.ix()]) * s / 5.0;
            }
            for &(i, share) in &ground.close[h.ix()] {
                threat[side.ix()][usize::from(i)] += s * f64::from(share);
                if share == 1.0 {
                    garrison[side.ix()][usize::from(i)] += s;
                }
            }
            if side == Side::Two && self.combat(u) {
                let caught = if self.in_ezoc(Side::Two, h) { CAUGHT } else { 1.0 };
                v -= LOOSE * POINT * f64::from(ground.west[h.ix()]) * caught;
            }
        }
        for (i, (h, worth)) in ground.places.iter().enumerate() {
            let (holder, sign) =
                if self.s.axis_held.contains(*h) { (Side::One, 1.0) } else { (Side::Two, -1.0) };
            let threat = threat[holder.foe().ix()][i];
            let wanted = 4.0 + 2.0 * threat;
            let urgent = 0.15 + 0.85 * (threat / 4.0).min(1.0);
            v += sign * GARRISON * POINT * worth * urgent * (garrison[holder.ix()][i] / wanted).min(1.0);
        }
        v -= OVERFULL * self.overfull_hexes(Side::One).len() as f64;
        v += OVERFULL * self.overfull_hexes(Side::Two).len() as f64;
        if let (Some(Frame::Fight(crate::battle::Stage::Making)), Some(b)) =
            (self.s.frames.last(), self.battle())
        {
            v -= if b.side == Side::One { HALF_DONE } else { -HALF_DONE };
        }
        v
    }

    /// 24.1.4: what the Axis can bring against Soviet units that are in the west or on their way there, less what it is worth to be
    /// rid of them.
    fn hunts(&self) -> f64 {
        let ground = Ground::of(self);
        let grid = self.data.map.grid();
        let foes = || self.s.zones.combat[Side::Two.ix()].iter();
        let units = |h: Hex| self.of_side(Side::Two, h).filter(|&u| self.combat(u)).count() as f64;
        let at_large: f64 = foes().map(|h| f64::from(ground.west[h.ix()]) * units(h)).sum();
        let loose = foes().filter(|h| ground.west[h.ix()] > PROWLS);
        let hunted = |h: Hex| {
            let needs: f64 = self.of_side(Side::Two, h).map(|u| OVER * self.strength(u)).sum();
            let near: f64 = self
                .s
                .stacks
                .units()
                .filter(|&u| self.side(u) == Side::One && self.combat(u))
                .filter_map(|u| self.on_map(u).map(|at| (u, at)))
                .map(|(u, at)| self.strength(u) * (-f64::from(grid.distance(at, h)) / HUNTERS).exp())
                .sum();
            HUNTED * POINT * f64::from(ground.west[h.ix()]) * (1.0 - (-near / needs.max(1.0)).exp())
        };
        loose.map(hunted).sum::<f64>() - RID * POINT * at_large
    }

    /// A unit as a staff counts it; `None` for what is not on the map and cannot come there now.
    fn piece(&self, side: Side, u: Unit, los: &[HexSet; 2]) -> Option<Piece> {
        let own = self.side(u);
        let hex = match self.s.stacks.place(u) {
            Place::Hex(h) => h,
            Place::Box(_) if own == side && self.may_pick(side, u) => Hex::NONE,
            Place::Box(_) => return None,
        };
        let masked = self.is(u, is::RESERVE_ARMY);
        if self.is(u, is::SUPPLY | is::AIR) || masked && (own == side || !self.masked(hex)) {
            return None;
        }
        let f = self.face(u);
        let state = self.s.flags[u.ix()];
        let fights = self.combat(u) && !self.is(u, is::ASU | is::PAREN);
        let mut attack = if fights { f64::from(f.attack) } else { 0.0 };
        let mut defence = if fights { f64::from(f.defence) } else { 0.0 };
        if state & (flag::DISRUPTED | flag::FULL_RETREAT) != 0 {
            attack = 0.0;
            defence /= 2.0;
        }
        if state & flag::AUTO_DS != 0 {
            // 8.6.1: he does nothing else in this turn.
            attack = 0.0;
        }
        if state & flag::OUT != 0 {
            attack /= 2.0;
        }
        if state & flag::FULL_RETREAT != 0 {
            defence = 0.5;
        }
        if state & flag::TRAIN != 0 {
            defence = 1.0;
        }
        if masked {
            // 34.6.2: nobody knows what is in it.
            defence = POINT / 2.0;
        }
        if own != side && self.frozen(u).is_some() {
            attack = 0.0;
        }
        let bulk = match (fights || self.combat(u) && !self.is(u, is::ASU), self.is(u, is::FREE)) {
            (false, _) => 0.0,
            (true, true) => FREE_BULK,
            (true, false) => 1.0,
        };
        Some(Piece {
            unit: u,
            side: own,
            hex,
            attack,
            defence,
            steps: f64::from(self.s.steps[u.ix()]).max(1.0),
            speed: f64::from(self.allowance(u)) / 2.0,
            mobile: fights && self.is(u, is::MECH | is::CAVALRY) && own == self.comes_forward(),
            supplied: state & flag::OUT == 0 && (!hex.is_some() || los[own.ix()].contains(hex)),
            bulk,
        })
    }

    /// 24.1.4: the western cities and the Axis edge of the map, where Soviet units cost points.
    fn western_hexes(&self) -> HexSet {
        let land = &self.scene().land;
        let mut hexes = &self.data.map.west_cities & land;
        for name in &self.data.charts.victory.entry_penalty_areas {
            if let Some(a) = self.data.area(name) {
                hexes |= &(&self.data.areas[a].hexes & land);
            }
        }
        hexes
    }

    /// The same as ground that the Axis must keep free.
    fn western_ground(&self) -> Ward {
        Ward { side: Side::One, hexes: self.western_hexes(), toll: TOLL * self.toll_counts() }
    }

    /// How much 24.1.4 counts now: in full where it may decide, little while the Axis is far from what it needs.
    fn toll_counts(&self) -> f64 {
        let v = &self.scenario().victory;
        if self.scenario().benchmarks || v.checked != "every turn" {
            return 1.0;
        }
        let lacks = f64::from(v.axis_points) - Ground::of(self).points;
        (1.0 - (lacks - LACKS) / 4.0).clamp(TOLL_AT_LEAST, 1.0)
    }

    /// By hex: how far it is on land from the enemies of a side.
    fn far_from_enemy(&self, side: Side) -> Vec<u16> {
        let grid = self.data.map.grid();
        let land = &self.scene().land;
        let mut far = vec![u16::MAX; grid.len()];
        let mut queue: VecDeque<Hex> = VecDeque::new();
        for h in &self.s.zones.combat[side.foe().ix()] {
            far[h.ix()] = 0;
            queue.push_back(h);
        }
        while let Some(h) = queue.pop_front() {
            for (_, n) in grid.neighbours(h) {
                if far[n.ix()] == u16::MAX && land.contains(n) {
                    far[n.ix()] = far[h.ix()] + 1;
                    queue.push_back(n);
                }
            }
        }
        far
    }

    /// The places worth having, S1.3's bank of the Don among them.
    fn goals(&self, ground: &Ground) -> Vec<Goal> {
        let due = f64::from(self.scenario().last_turn.saturating_sub(self.s.turn));
        let held = |axis: bool| if axis { Side::One } else { Side::Two };
        let mut goals: Vec<Goal> = ground
            .places
            .iter()
            .map(|&(hex, worth)| Goal { hex, worth, held: held(self.s.axis_held.contains(hex)), due })
            .collect();
        // 24.1.4: Soviet units in the west are to be thrown out.
        for hex in &(&self.western_hexes() & &self.s.zones.combat[Side::Two.ix()]) {
            goals.push(Goal { hex, worth: TOLL * self.toll_counts(), held: Side::Two, due: 0.0 });
        }
        let points = f64::from(self.scenario().victory.south_of_don_points);
        let bank = &self.data.map.south_of_don & &self.scene().land;
        // 20.6: who crosses early wakes those who wait beyond the river.
        if points > 0.0 && !bank.is_empty() && due <= BANK_DUE {
            let grid = self.data.map.grid();
            let german = |h: &Hex| {
                self.of_side(Side::One, *h)
                    .any(|u| self.combat(u) && self.nation(u) == crate::units::Nation::German)
            };
            let there: Vec<Hex> = bank.iter().filter(german).collect();
            let near = |h: &Hex| {
                let d = self.s.zones.combat[0].iter().map(|a| grid.distance(a, *h)).min().unwrap_or(0);
                (d, *h)
            };
            let empty = |h: &Hex| !self.has_combat(Side::Two, *h);
            match there.first() {
                Some(&hex) => goals.push(Goal { hex, worth: points, held: Side::One, due }),
                None => {
                    let hex = bank.iter().filter(empty).min_by_key(near);
                    goals.extend(hex.map(|hex| Goal { hex, worth: points, held: Side::Two, due }));
                }
            }
        }
        self.exit_goals(due, &mut goals);
        goals
    }
}

impl Counsel for Staff {
    fn role(&self, c: &Choice) -> Role {
        match c.verb {
            verbs::PICK => Role::Pick,
            verbs::ADD | verbs::AIR | verbs::SUPPORT | verbs::OFFENSIVE => Role::Join,
            verbs::ALL => Role::JoinAll,
            verbs::GO | verbs::ENTER => Role::Go,
            verbs::FIGHT => Role::Assault,
            verbs::STOP => Role::Stop,
            verbs::ATTACK => Role::Target,
            verbs::RESOLVE => Role::Resolve,
            verbs::LOSS | verbs::REMOVE => Role::Loss,
            verbs::RETREAT => Role::Retreat,
            verbs::PLACE => Role::Place,
            verbs::LESS | verbs::CANCEL => Role::Undo,
            verbs::DONE => Role::Done,
            _ => Role::Special,
        }
    }

    fn standing(&self, p: &dyn Position) -> f64 {
        pos(p).map_or(0.0, Pos::stands)
    }

    /// The Axis counts who is near those whom it must throw out; the Soviet side does not shrink from going there.
    fn value(&self, p: &dyn Position, side: Side) -> f64 {
        let hunts = |x: &Pos| if x.s.end.is_none() { x.hunts() } else { 0.0 };
        match side {
            Side::One => self.standing(p) + pos(p).map_or(0.0, hunts),
            Side::Two => -self.standing(p),
        }
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
                zones: true,
                attacker: Side::One,
                turns_left: 0.0,
                point: POINT,
                dear: DEAR,
                hunger: 0.0,
                ward: None,
            };
        };
        let sup = x.fresh_supply();
        let ground = Ground::of(x);
        let pieces = x.s.stacks.units().filter_map(|u| x.piece(side, u, &sup.los)).collect();
        let n = x.data.map.grid().len();
        let st = &x.data.charts.stacking;
        let far = x.far_from_enemy(side);
        let room = |i: usize| {
            let base =
                if side == Side::One { st.axis } else { x.stack_limit(side, &x.load(side, Hex(i as u16))) };
            f32::from(base) + FREE_BULK as f32 + 0.05
        };
        Brief {
            side,
            pieces,
            goals: x.goals(&ground),
            cover: (0..n).map(|i| x.shelter(side, Hex(i as u16), &far)).collect(),
            room: (0..n).map(room).collect(),
            land: x.scene().land.clone(),
            sources: [x.sources(Side::One), x.sources(Side::Two)],
            fed: sup.los[side.ix()].clone(),
            doors: x.edge_sources(side.foe()),
            zones: true,
            attacker: x.comes_forward(),
            turns_left: f64::from(x.scenario().last_turn.saturating_sub(x.s.turn)) + 1.0,
            point: POINT,
            dear: DEAR,
            hunger: 0.0,
            ward: Some(x.western_ground()),
        }
    }

    fn hand(&self, p: &dyn Position) -> Vec<Unit> {
        pos(p).map(|x| x.s.hand.clone()).unwrap_or_default()
    }

    fn stamp(&self, p: &dyn Position, side: Side) -> u64 {
        let Some(x) = pos(p) else { return 0 };
        let step = match x.s.step {
            Step::Move(_) | Step::PreMove => 1,
            Step::Fight(_) => 2,
            _ => 3,
        };
        let mut h: u64 = u64::from(x.s.turn) << 16 | u64::from(x.s.interchange) << 8 | step;
        for hex in x.s.stacks.occupied(side.foe()) {
            let n = x.s.stacks.height(hex) as u64;
            h = (h ^ (u64::from(hex.0) << 8 | n)).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }
        h
    }

    fn weigh(&self, p: &dyn Position, _: Side, _: &Choice) -> Option<Stake> {
        pos(p)?.attack_stake()
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

    fn overruns(&self, p: &dyn Position, target: Hex, units: &[(Unit, Hex)]) -> bool {
        pos(p).is_some_and(|x| x.would_shatter(target, units))
    }

    fn advise(&self, p: &dyn Position, side: Side, choices: &[Choice], _: &mut dyn Dice) -> Option<Choice> {
        pos(p)?.advise(side, choices)
    }

    fn carry_on(&self, p: &dyn Position, choices: &[Choice]) -> Option<Choice> {
        pos(p)?.answer(choices)
    }

    fn called(&self, p: &dyn Position, h: Hex) -> String {
        let Some(x) = pos(p) else { return String::new() };
        let b = &x.data.map.board;
        b.places_at(h).find(|q| !q.name.is_empty()).map_or_else(|| x.data.map.called(h), |q| q.name.clone())
    }
}
