//! What is asked of counters at every turn: where they are, what they show, whose they are; and the one way they change places.

use crate::charts::Weather;
use crate::data::boxes;
use crate::state::{Cx, Pos, Step, UNTRIED, flag};
use crate::units::{Nation, trait_};
use game::{Eyes, Line};
use hex::Hex;
use table::{BoxId, Face, Place, Rule, Side, Unit};

impl Pos {
    /// A unit's printed facts.
    #[inline]
    pub fn info(&self, u: Unit) -> &crate::units::Info {
        &self.data.units.of[u.ix()]
    }

    /// Whether a unit is of a kind, by [`trait_`] bits.
    #[inline]
    pub fn is(&self, u: Unit, bits: u32) -> bool {
        self.data.badges[u.ix()].traits & bits != 0
    }

    /// Whether a unit carries a [`flag`].
    #[inline]
    pub fn flagged(&self, u: Unit, bits: u16) -> bool {
        self.s.flags[u.ix()] & bits != 0
    }

    /// Sets flags of a unit.
    pub fn mark(&mut self, u: Unit, bits: u16) {
        self.s.flags[u.ix()] |= bits;
        self.touch(u);
    }

    /// Whether a unit is an untried token (2.15).
    #[inline]
    pub fn untried(&self, u: Unit) -> bool {
        self.info(u).pool != crate::units::NO_POOL && self.s.printed[u.ix()] == UNTRIED
    }

    /// The face a unit shows now; `None` while untried.
    pub fn face(&self, u: Unit) -> Option<Face> {
        let info = self.info(u);
        if info.faces.is_empty() {
            let p = self.s.printed[u.ix()];
            return (p != UNTRIED).then(|| self.data.units.printed[usize::from(p)].face);
        }
        let lost = info.faces.len().saturating_sub(usize::from(self.s.steps[u.ix()]));
        info.faces.get(lost).copied()
    }

    /// 2.13: the movement factor printed on the side that shows.
    pub fn movement(&self, u: Unit) -> u8 {
        let (badge, printed) = (&self.data.badges[u.ix()], self.s.printed[u.ix()]);
        if badge.drawn && printed != UNTRIED {
            return self.data.printed_mp[usize::from(printed)];
        }
        badge.movement(self.s.steps[u.ix()])
    }

    /// The ground units of a side on a hex.
    pub fn at(&self, h: Hex) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.at(h)
    }

    /// Whether the enemy of a side holds a hex.
    #[inline]
    pub fn enemy_at(&self, side: Side, h: Hex) -> bool {
        self.s.stacks.occupied(side.foe()).contains(h)
    }

    /// Whether a hex touches a unit of a side.
    pub fn beside(&self, side: Side, h: Hex) -> bool {
        self.data.map.grid().neighbours(h).any(|(_, n)| self.s.stacks.occupied(side).contains(n))
    }

    /// The only way a ground unit changes its place: what derives from it is marked stale.
    pub fn put(&mut self, u: Unit, p: Place) {
        let side = self.s.stacks.side(u);
        let was = self.s.stacks.hex(u);
        let now = p.hex();
        if let Some(h) = was.filter(|_| was != now) {
            self.lay_bare(u, h);
        }
        self.s.stacks.put(u, p);
        // Only the enemy's occupation bars a line of supply.
        if was != now {
            self.s.supplied.fresh[side.foe().ix()] = false;
        }
        self.touch(u);
    }

    /// 14.7: when the top unit leaves a stack, the next one is shown. If the enemy's own choice brought that about, he has
    /// learned something by it, and may not take it back.
    fn lay_bare(&mut self, u: Unit, h: Hex) {
        if self.s.stacks.top(h) != Some(u) {
            return;
        }
        if let Some(next) = self.s.stacks.at(h).nth(1) {
            let side = self.s.stacks.side(next);
            self.s.bared[side.ix()] |= !self.seen(Eyes::Side(side.foe()), next);
        }
    }

    /// Removes a unit to the dead pile (2.16).
    pub fn eliminate(&mut self, u: Unit) {
        self.s.steps[u.ix()] = 0;
        self.s.flags[u.ix()] &= flag::REFITTED;
        self.put(u, Place::Box(boxes::DEAD));
    }

    /// 2.16: one step lost; the unit dies with its last.
    pub fn lose_step(&mut self, u: Unit) {
        if self.s.steps[u.ix()] > 1 {
            self.s.steps[u.ix()] -= 1;
            self.touch(u);
        } else {
            self.eliminate(u);
        }
    }

    /// 2.15: an untried unit is drawn from its pool when it first fights; nobody could know before.
    pub fn try_out(&mut self, u: Unit, cx: &mut Cx<'_>) {
        if !self.untried(u) {
            return;
        }
        let pool = usize::from(self.info(u).pool);
        if let Some(p) = self.draw(pool, cx) {
            self.s.printed[u.ix()] = p;
            cx.tell.reveal();
            let data = self.data.clone();
            cx.say(|| {
                let c = &data.units.printed[usize::from(p)];
                let code = &data.units.of[u.ix()].code;
                Line::new("reveal", Rule("2.15"), format!("{code} is the {} ({}).", c.title, c.face))
            });
        }
    }

    /// Draws a printed counter out of a pool for good.
    pub fn draw(&mut self, pool: usize, cx: &mut Cx<'_>) -> Option<u16> {
        let (first, last) = (self.data.units.pools[pool].first, self.data.units.pools[pool].last);
        let left = (first..last).filter(|&p| self.s.in_pool[usize::from(p)]).count() as u32;
        if left == 0 {
            return None;
        }
        let lot = cx.dice.draw(left) as usize;
        let p = (first..last).filter(|&p| self.s.in_pool[usize::from(p)]).nth(lot)?;
        self.s.in_pool[usize::from(p)] = false;
        Some(p)
    }

    /// The weather at a hex (13.2).
    #[inline]
    pub fn weather_at(&self, h: Hex) -> Weather {
        self.s.weather[usize::from(self.data.map.south_weather.contains(h))]
    }

    /// What the weather at a hex does.
    pub fn condition_at(&self, h: Hex) -> &crate::charts::Condition {
        self.data.charts.condition(self.weather_at(h))
    }

    /// 13.7: whether the straits are frozen. They lie in the southern zone, whichever way they are crossed.
    pub fn straits_frozen(&self) -> bool {
        self.data.charts.condition(self.s.weather[1]).straits_frozen
    }

    /// The air units of a side and, for the German side, the aerial supply markers: indices into `air`.
    pub fn airs(&self) -> usize {
        self.data.units.of.len() - self.data.units.ground
    }

    /// The unit number of an air unit or marker, for orders.
    pub fn air_unit(&self, i: usize) -> Unit {
        Unit((self.data.units.ground + i) as u16)
    }

    /// The air unit or marker of a unit number.
    pub fn air_index(&self, u: Unit) -> Option<usize> {
        u.ix().checked_sub(self.data.units.ground).filter(|&i| i < self.s.air.len())
    }

    /// Whose an air unit is; markers are German.
    pub fn air_side(&self, i: usize) -> Side {
        self.data.units.of.get(self.data.units.ground + i).map_or(Side::One, |u| u.side)
    }

    /// Whether a unit is on the map.
    pub fn on_map(&self, u: Unit) -> Option<Hex> {
        self.s.stacks.hex(u)
    }

    /// Units of a box, top first.
    pub fn boxed(&self, b: BoxId) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.boxed(b)
    }

    /// Puts a unit into a box.
    pub fn into_box(&mut self, u: Unit, b: BoxId) {
        self.put(u, Place::Box(b));
    }

    /// The nation of a unit.
    pub fn nation(&self, u: Unit) -> Nation {
        self.data.badges[u.ix()].nation
    }

    /// A unit's code.
    pub fn code(&self, u: Unit) -> &str {
        self.data.lexicon.unit(u)
    }

    /// Whether a unit counts half a loss point (14.36).
    pub fn half_loss(&self, u: Unit) -> bool {
        !self.options.beginner && self.is(u, trait_::HALF_LOSS)
    }

    /// Proves what must always hold.
    pub fn check(&self) -> Result<(), String> {
        self.s.stacks.conserved()?;
        for (pool, info) in self.data.units.pools.iter().enumerate() {
            let left = (info.first..info.last).filter(|&p| self.s.in_pool[usize::from(p)]).count();
            let tokens = self.s.stacks.units().filter(|&u| {
                usize::from(self.info(u).pool) == pool
                    && self.untried(u)
                    && self.s.stacks.place(u) != Place::Box(boxes::GONE)
            });
            let tokens = tokens.count();
            if left != tokens {
                return Err(format!("{} has {left} counters for {tokens} untried units", info.name));
            }
        }
        for u in self.s.stacks.units() {
            let dead = self.s.stacks.place(u) == Place::Box(boxes::DEAD);
            if dead != (self.s.steps[u.ix()] == 0) {
                return Err(format!("{} is dead in one place and not in another", self.code(u)));
            }
            if let Some(h) = self.on_map(u)
                && !self.data.map.land.contains(h)
            {
                return Err(format!(
                    "{} stands in {} where no unit can be",
                    self.code(u),
                    self.data.map.called(h)
                ));
            }
        }
        let held = self.s.german_held.is_subset(&self.data.map.held);
        if !held {
            return Err("the German side controls a hex that is no large town or city".into());
        }
        if let Step::Move(side) = self.s.step {
            for u in self.s.stacks.units() {
                let ready = &self.s.ready;
                if ready.pick.contains(u) != self.may_pick(side, u)
                    || ready.begun.contains(u) != self.begun(u)
                {
                    return Err(format!("{} is wrongly recorded as ready to move or not", self.code(u)));
                }
            }
        }
        let shared = self.s.stacks.occupied(Side::One).meets(self.s.stacks.occupied(Side::Two));
        if shared {
            return Err("both sides stand in one hex".into());
        }
        Ok(())
    }
}
