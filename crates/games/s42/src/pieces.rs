//! Units and what they do to the hexes they are in: what each is now, the one way it changes its place, its losses; and the
//! proof of what must always hold.

use crate::charts::Weather;
use crate::data::boxes;
use crate::state::{Pos, flag};
use crate::units::{Info, Nation, is};
use hex::Hex;
use table::{BoxId, Face, Place, Side, Unit};

impl Pos {
    /// A unit's printed facts.
    #[inline]
    pub fn info(&self, u: Unit) -> &Info {
        &self.data.units.of[u.ix()]
    }

    /// Whose a unit is.
    #[inline]
    pub fn side(&self, u: Unit) -> Side {
        self.data.sides[u.ix()]
    }

    /// Whether a unit shows as a Remnant (10.4).
    #[inline]
    pub fn remnant(&self, u: Unit) -> bool {
        self.s.steps[u.ix()] == 1 && self.info(u).traits & is::REMNANTS != 0
    }

    /// What a unit is now, as bits of [`is`]: a Remnant is not what its division was.
    #[inline]
    pub fn traits(&self, u: Unit) -> u64 {
        let info = self.info(u);
        if self.remnant(u) {
            let r = self.data.units.remnants[usize::from(info.remnant)].traits;
            return (r & !is::REMNANT) | is::COMBAT | is::REMNANTS | (info.traits & is::BLUCHER);
        }
        info.traits
    }

    /// Whether a unit has one of these [`is`] bits now.
    #[inline]
    pub fn is(&self, u: Unit, bits: u64) -> bool {
        self.traits(u) & bits != 0
    }

    /// Whether it is a Combat Unit (2.3.1).
    #[inline]
    pub fn combat(&self, u: Unit) -> bool {
        self.info(u).traits & is::COMBAT != 0
    }

    /// Whether a unit carries one of these [`flag`]s.
    #[inline]
    pub fn flagged(&self, u: Unit, bits: u32) -> bool {
        self.s.flags[u.ix()] & bits != 0
    }

    /// Neither Disrupted nor in Full Retreat (13.1.1).
    #[inline]
    pub fn good_order(&self, u: Unit) -> bool {
        !self.flagged(u, flag::DISRUPTED | flag::FULL_RETREAT)
    }

    /// Sets flags of a unit; what derives from them is kept true.
    pub fn mark(&mut self, u: Unit, bits: u32) {
        self.s.flags[u.ix()] |= bits;
        self.touch_unit(u);
    }

    /// Clears flags of a unit; what derives from them is kept true.
    pub fn unmark(&mut self, u: Unit, bits: u32) {
        self.s.flags[u.ix()] &= !bits;
        self.touch_unit(u);
    }

    fn touch_unit(&mut self, u: Unit) {
        if let Some(h) = self.s.stacks.hex(u) {
            self.touch(h);
        }
    }

    /// Steps at full strength (32.4).
    pub fn full_steps(&self, u: Unit) -> u8 {
        self.info(u).steps + u8::from(self.flagged(u, flag::UPGRADED))
    }

    /// The face a unit shows now.
    pub fn face(&self, u: Unit) -> Face {
        let info = self.info(u);
        if self.remnant(u) {
            return self.data.units.remnants[usize::from(info.remnant)].face;
        }
        let lost = self.full_steps(u).saturating_sub(self.s.steps[u.ix()]);
        let lost = match (self.flagged(u, flag::UPGRADED), lost) {
            (true, 0) => return self.data.units.upgraded,
            (true, n) => n - 1,
            (false, n) => n,
        };
        info.faces.get(usize::from(lost)).or(info.faces.last()).copied().unwrap_or_default()
    }

    /// Remnant counters of a kind that are still in the display (10.4).
    pub fn remnants_left(&self, kind: u8) -> u8 {
        let Some(r) = self.data.units.remnants.get(usize::from(kind)) else { return 0 };
        let used = self.s.stacks.units().filter(|&u| {
            self.info(u).remnant == kind
                && self.remnant(u)
                && !matches!(self.s.stacks.place(u), Place::Box(boxes::TRAY | boxes::GONE | boxes::DEAD))
        });
        r.count.saturating_sub(used.count() as u8)
    }

    /// The units on a hex, of both sides in a contested city.
    pub fn at(&self, h: Hex) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.at(h)
    }

    /// The units of a side on a hex.
    pub fn of_side(&self, side: Side, h: Hex) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.at(h).filter(move |&u| self.side(u) == side)
    }

    /// Whether a side has a Combat Unit in a hex.
    #[inline]
    pub fn has_combat(&self, side: Side, h: Hex) -> bool {
        self.s.zones.combat[side.ix()].contains(h)
    }

    /// Where a unit is, if it is on the map.
    pub fn on_map(&self, u: Unit) -> Option<Hex> {
        self.s.stacks.hex(u)
    }

    /// Units of a box, top first.
    pub fn boxed(&self, b: BoxId) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.boxed(b)
    }

    /// A unit's code.
    pub fn code(&self, u: Unit) -> &str {
        self.data.lexicon.unit(u)
    }

    /// The nation of a unit.
    pub fn nation(&self, u: Unit) -> Nation {
        self.info(u).nation
    }

    /// The only way a unit changes its place: ZOC, bonds, control and markers follow.
    pub fn put(&mut self, u: Unit, p: Place) {
        let was = self.s.stacks.hex(u);
        self.s.stacks.put(u, p);
        if let Some(h) = was
            && Some(h) != p.hex()
        {
            self.touch(h);
        }
        if let Place::Hex(h) = p {
            self.touch(h);
        }
    }

    /// What a Combat Unit does to the hex it enters or passes (9.7.5, 16.3.4, 19.3, 24.3).
    pub fn enter(&mut self, u: Unit, h: Hex) {
        if !self.combat(u) {
            return;
        }
        let side = self.side(u);
        if self.data.map.held.contains(h) && !self.has_combat(side.foe(), h) {
            let axis = side == Side::One;
            if self.s.axis_held.contains(h) != axis {
                self.s.axis_held.set(h, axis);
                self.s.supplied.fresh = [false; 2];
            }
        }
        if self.data.map.ports.iter().any(|(p, _)| *p == h) {
            self.s.axis_ports.set(h, side == Side::One);
            self.s.supplied.fresh = [false; 2];
        }
        self.s.forts[side.foe().ix()].remove(h);
        self.s.building[side.foe().ix()].remove(h);
        if h == self.data.map.elbrus && side == Side::One && self.is(u, is::MOUNTAIN) {
            self.s.elbrus = true;
        }
    }

    /// 9.7: a completed Fortification that serves a side in a hex: its marker, or a printed one for the Soviets.
    pub fn fortified(&self, side: Side, h: Hex) -> bool {
        if self.s.forts[side.ix()].contains(h) {
            return true;
        }
        side == Side::Two
            && self.data.map.printed_forts.contains(h)
            && (0..3).any(|g| !self.s.deactivated[g] && self.data.map.fort_groups[g].contains(h))
    }

    /// Eliminates a unit: its markers go, it lies in the Eliminated Box or returns later (10.3, 19.4).
    pub fn eliminate(&mut self, u: Unit) {
        let t = self.info(u).traits;
        let keep = flag::UPGRADED | flag::FREED;
        let to = if t & is::SUPPLY != 0 {
            boxes::SUPPLIES
        } else if t & is::NON_COMBAT != 0 {
            match self.s.turn + 2 {
                n if usize::from(n) <= self.data.charts.turn.len() => self.data.track(n),
                _ => boxes::GONE,
            }
        } else {
            self.s.steps[u.ix()] = 0;
            boxes::DEAD
        };
        // 34.6.2: what a Reserve Army holds is lost with it.
        for v in self.army_units(u) {
            self.s.steps[v.ix()] = 0;
            self.s.flags[v.ix()] &= keep;
            self.put(v, Place::Box(boxes::DEAD));
        }
        self.s.flags[u.ix()] &= keep;
        self.s.plans.retain(|p| p.hq != u);
        self.s.hand.retain(|&v| v != u);
        self.put(u, Place::Box(to));
    }

    /// 10.3: one step lost; true if the unit is gone. A Remnant is formed if one is left (10.4).
    pub fn lose_step(&mut self, u: Unit) -> bool {
        let steps = self.s.steps[u.ix()];
        let becomes = steps.saturating_sub(1);
        let info = self.info(u);
        let no_remnant =
            becomes == 1 && info.traits & is::REMNANTS != 0 && self.remnants_left(info.remnant) == 0;
        if becomes == 0 || no_remnant {
            self.eliminate(u);
            return true;
        }
        self.s.steps[u.ix()] = becomes;
        if let Some(h) = self.on_map(u) {
            self.touch(h);
        }
        false
    }

    /// The scenario.
    pub fn scenario(&self) -> &crate::scenario::Scenario {
        &self.data.scenarios[self.scenario]
    }

    /// What the map is in this scenario.
    #[inline]
    pub fn scene(&self) -> &crate::scenario::Scene {
        &self.data.scenes[self.scenario]
    }

    /// Whether Rain or Mud softens the ground (23.2.3, 23.3.3).
    #[inline]
    pub fn soft(&self) -> bool {
        self.s.weather == Weather::Rain || self.s.mud
    }

    /// Whether a City Battle shares a hex between the sides (29).
    pub fn contested(&self, h: Hex) -> bool {
        self.options.contested && self.has_combat(Side::One, h) && self.has_combat(Side::Two, h)
    }

    /// Proves what must always hold.
    pub fn check(&self) -> Result<(), String> {
        self.s.stacks.conserved()?;
        for u in self.s.stacks.units() {
            let dead = self.s.stacks.place(u) == Place::Box(boxes::DEAD);
            if self.combat(u) && dead != (self.s.steps[u.ix()] == 0) {
                return Err(format!("{} is dead in one place and not in another", self.code(u)));
            }
            if self.s.steps[u.ix()] > self.full_steps(u) {
                return Err(format!("{} has more steps than its counter", self.code(u)));
            }
            if let Some(h) = self.on_map(u)
                && !self.scene().land.contains(h)
            {
                return Err(format!(
                    "{} stands in {} where no unit can be",
                    self.code(u),
                    self.data.map.called(h)
                ));
            }
            if self.flagged(u, flag::DISRUPTED) && self.flagged(u, flag::FULL_RETREAT) {
                return Err(format!("{} is Disrupted and in Full Retreat", self.code(u)));
            }
        }
        for (kind, r) in self.data.units.remnants.iter().enumerate() {
            let used = self.s.stacks.units().filter(|&u| {
                usize::from(self.info(u).remnant) == kind && self.remnant(u) && self.on_map(u).is_some()
            });
            let used = used.count();
            if used > usize::from(r.count) {
                return Err(format!("{used} {} Remnants are in play, there are {}", r.kind, r.count));
            }
        }
        if !self.s.axis_held.is_subset(&self.data.map.held) {
            return Err("the Axis controls a hex that is neither a city nor worth VP".into());
        }
        let shared = &self.s.zones.combat[0] & &self.s.zones.combat[1];
        if let Some(h) = shared.iter().find(|&h| !self.s.city_battles.iter().any(|c| c.hex == h)) {
            return Err(format!("both sides stand in {}", self.data.map.called(h)));
        }
        self.zones_hold()
    }
}
