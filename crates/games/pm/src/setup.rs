//! Section 3: set-up played by choices, and set-ups read from files.

use crate::data::boxes;
use crate::state::{Cx, Pos, Step};
use crate::units::{Class, Comes, Nation};
use crate::verbs;
use game::{Choice, Illegal, Object, Todo};
use hex::{Hex, HexSet};
use table::{BoxId, Place, Rule, Side, Size, Unit};
use text::{Faults, Tsv};

/// What a zone still owes (3.3, 3.4).
#[derive(Clone, Debug, Default)]
pub struct Owed {
    /// How many units the strictures still need.
    pub units: usize,
    /// Where they could go.
    pub hexes: HexSet,
}

impl Pos {
    /// The zone of a Soviet token in the set-up.
    fn zone_of(&self, u: Unit) -> Option<&HexSet> {
        match self.info(u).comes {
            Comes::Frontier => Some(&self.data.map.frontier),
            Comes::Interior => Some(&self.data.map.interior),
            _ => None,
        }
    }

    /// 3.3: hexes of the Frontier Zone that still need a unit.
    pub fn frontier_owed(&self, more: Option<Hex>) -> Owed {
        let m = &self.data.map;
        let mut there = self.s.stacks.occupied(Side::Two).clone();
        if let Some(h) = more {
            there.insert(h);
        }
        let must = &(&m.border | &(&m.held & &m.frontier)) - &there;
        let mut owed = Owed { units: must.count(), hexes: must.clone() };
        // Every other hex: of two neighbours along the border one must be held. Taking the later of each open pair
        // in order needs the fewest units on a line.
        let mut held = &there | &must;
        for h in &m.border_alternate {
            for (_, n) in m.grid().neighbours(h) {
                if n > h && m.border_alternate.contains(n) && !held.contains(h) && !held.contains(n) {
                    owed.units += 1;
                    owed.hexes.insert(h);
                    owed.hexes.insert(n);
                    held.insert(n);
                }
            }
        }
        owed
    }

    /// 3.4: hexrows and towns of the Interior Zone that still need units.
    pub fn interior_owed(&self, more: Option<Hex>) -> Owed {
        let m = &self.data.map;
        let grid = m.grid();
        let there = self.s.stacks.occupied(Side::Two);
        let mut count = [0usize; 64];
        let mut open = [0usize; 64];
        let mut owed = Owed::default();
        for h in &(there & &m.interior) {
            count[usize::from(grid.column(h))] += self.s.stacks.height(h);
        }
        if let Some(h) = more {
            count[usize::from(grid.column(h))] += 1;
        }
        let mut towns = HexSet::empty();
        for h in &(&m.held & &m.interior) {
            if !there.contains(h) && more != Some(h) {
                open[usize::from(grid.column(h))] += 1;
                towns.insert(h);
            }
        }
        let least = self.data.charts.numbers.interior_units_in_a_hexrow as usize;
        let mut wide = [false; 64];
        let mut any = [false; 64];
        for h in &m.interior {
            any[usize::from(grid.column(h))] = true;
        }
        for c in (0..64).filter(|&c| any[c]) {
            let row = least.saturating_sub(count[c]);
            owed.units += row.max(open[c]);
            wide[c] = row > open[c];
        }
        for h in &m.interior {
            let c = usize::from(grid.column(h));
            if towns.contains(h) || wide[c] {
                owed.hexes.insert(h);
            }
        }
        owed
    }

    /// Units of a side still to be set up.
    pub fn tray(&self, side: Side) -> Vec<Unit> {
        let mut all: Vec<Unit> = self.boxed(boxes::TRAY).filter(|&u| self.info(u).side == side).collect();
        all.sort_unstable();
        all
    }

    /// One token of each pool and zone still to be placed, and how many of that zone are left.
    fn tokens(&self) -> (Vec<Unit>, [usize; 2]) {
        let mut reps: Vec<Unit> = Vec::new();
        let mut left = [0; 2];
        for u in self.tray(Side::Two) {
            let zone = usize::from(self.info(u).comes == Comes::Interior);
            left[zone] += 1;
            let alike = |v: &Unit| {
                self.info(*v).pool == self.info(u).pool && self.info(*v).comes == self.info(u).comes
            };
            if !reps.iter().any(alike) {
                reps.push(u);
            }
        }
        (reps, left)
    }

    /// What a zone owes, with one more unit on a hex.
    fn owed(&self, interior: bool, more: Option<Hex>) -> Owed {
        if interior { self.interior_owed(more) } else { self.frontier_owed(more) }
    }

    /// Hexes where a token may go: anywhere with room while units are to spare, else only where they are owed.
    fn token_hexes(&self, u: Unit, left: usize) -> HexSet {
        let Some(zone) = self.zone_of(u) else { return HexSet::empty() };
        let interior = self.info(u).comes == Comes::Interior;
        let owed = self.owed(interior, None);
        let mut set = HexSet::empty();
        let load = self.load_of(std::iter::once(u));
        let tight = left <= owed.units;
        for h in zone {
            if !self.fits(&self.load_with(h, &load, &[]), h) {
                continue;
            }
            if tight && (!owed.hexes.contains(h) || self.owed(interior, Some(h)).units >= owed.units) {
                continue;
            }
            set.insert(h);
        }
        set
    }

    /// Choices of the Soviet set-up.
    pub fn soviet_set_up_choices(&self, out: &mut Vec<Choice>) {
        let (reps, left) = self.tokens();
        for zone in [Comes::Frontier, Comes::Interior] {
            let mut set = None;
            for &u in reps.iter().filter(|&&u| self.info(u).comes == zone) {
                let n = left[usize::from(zone == Comes::Interior)];
                let set = set.get_or_insert_with(|| self.token_hexes(u, n));
                out.extend(set.iter().map(|h| Choice::at(verbs::PLACE, u, h)));
            }
        }
        out.push(Choice::button(verbs::FILL));
    }

    /// 3.7: where a German-side unit may be set up, boxes included.
    fn german_places(&self, u: Unit) -> (HexSet, [Option<BoxId>; 2]) {
        let m = &self.data.map;
        match self.nation(u) {
            Nation::Romanian | Nation::Italian => (m.zomo_romania.clone(), [None, Some(boxes::OKH_SOUTH)]),
            Nation::Hungarian => (m.zomo_hungary.clone(), [None, Some(boxes::OKH_SOUTH)]),
            _ if self.may_go_south(u) => {
                (&m.zomo_germany | &m.zomo_romania, [Some(boxes::OKH_NORTH), Some(boxes::OKH_SOUTH)])
            }
            _ => (m.zomo_germany.clone(), [Some(boxes::OKH_NORTH), None]),
        }
    }

    /// 3.7(3): seven non-mechanized divisions and one assault gun battalion may start in the south.
    fn may_go_south(&self, u: Unit) -> bool {
        let n = &self.data.charts.numbers;
        let division = |u: Unit| self.info(u).size == Size::Division && self.info(u).class != Class::Mech;
        let gun = |u: Unit| self.info(u).kind == "assaultgun";
        let south = |v: &Unit| {
            self.nation(*v) == Nation::German
                && match self.s.stacks.place(*v) {
                    Place::Hex(h) => self.data.map.zomo_romania.contains(h),
                    Place::Box(b) => b == boxes::OKH_SOUTH,
                }
        };
        let count = |f: &dyn Fn(Unit) -> bool| {
            self.s.stacks.units().filter(|v| self.info(*v).side == Side::One && south(v) && f(*v)).count()
                as i16
        };
        if gun(u) {
            return count(&gun) < n.german_assaultguns_south;
        }
        division(u) && count(&division) < n.german_divisions_south
    }

    /// Choices of the German set-up.
    pub fn german_set_up_choices(&self, out: &mut Vec<Choice>) {
        for u in self.tray(Side::One) {
            let (set, into) = self.german_places(u);
            let load = self.load_of(std::iter::once(u));
            for h in &set {
                if self.fits(&self.load_with(h, &load, &[]), h) {
                    out.push(Choice::at(verbs::PLACE, u, h));
                }
            }
            out.extend(into.into_iter().flatten().map(|b| Choice::into(verbs::PLACE, u, b)));
        }
        out.push(Choice::button(verbs::FILL));
    }

    /// Plays a choice of a set-up.
    pub fn play_set_up(&mut self, side: Side, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::PLACE, Object::At(u, h)) => self.set_down(u, h),
            (verbs::PLACE, Object::Into(u, b)) => self.into_box(u, b),
            _ => self.fill_set_up(side),
        }
        if self.boxed(boxes::TRAY).all(|u| self.info(u).side != side) {
            self.next_phase(cx);
        }
    }

    /// Places everything that is left: first what is owed, then where stacks are lowest.
    fn fill_set_up(&mut self, side: Side) {
        for u in self.tray(side) {
            if side == Side::Two {
                let interior = self.info(u).comes == Comes::Interior;
                let owed = self.owed(interior, None);
                let first = owed.hexes.iter().find(|&h| {
                    let load = self.load_of(std::iter::once(u));
                    self.fits(&self.load_with(h, &load, &[]), h)
                        && self.owed(interior, Some(h)).units < owed.units
                });
                let best = first.or_else(|| {
                    let all = self.token_hexes(u, usize::MAX);
                    // Spread by a stride over the zone, so that leftovers do not pile up in its north.
                    let n = all.count().max(1);
                    let start = (u.ix() * 37) % n;
                    all.nth(start)
                });
                if let Some(h) = best {
                    self.set_down(u, h);
                }
            } else {
                let (set, into) = self.german_places(u);
                let own = match self.nation(u) {
                    Nation::German => &set & &self.data.map.zomo_germany,
                    _ => set,
                };
                let load = self.load_of(std::iter::once(u));
                let room = own.iter().filter(|&h| self.fits(&self.load_with(h, &load, &[]), h));
                match room.min_by_key(|&h| (self.s.stacks.height(h), h.0)) {
                    Some(h) => self.set_down(u, h),
                    None => {
                        let b = into.into_iter().flatten().next().unwrap_or(boxes::OKH_SOUTH);
                        self.into_box(u, b);
                    }
                }
            }
        }
    }

    /// What the set-up still owes, for the list of things undone.
    pub fn set_up_todo(&self) -> Vec<Todo> {
        let mut out = Vec::new();
        let side = if self.s.step == Step::SetUpSoviet { Side::Two } else { Side::One };
        let tray = self.tray(side);
        if side == Side::Two {
            for (interior, what) in
                [(false, "owed to the Frontier Zone (3.3)"), (true, "owed to the Interior Zone (3.4)")]
            {
                let owed = self.owed(interior, None);
                if owed.units > 0 {
                    out.push(Todo {
                        what: format!("units {what}"),
                        count: owed.units as u32,
                        hexes: owed.hexes.iter().take(60).collect(),
                    });
                }
            }
        }
        out.push(Todo { what: "units to place".into(), count: tray.len() as u32, hexes: Vec::new() });
        out
    }

    /// Why a unit may not be set up there.
    pub fn why_not_set_up(&self, u: Unit, place: Place) -> Illegal {
        let code = self.code(u);
        if u.ix() >= self.data.units.ground || self.s.stacks.place(u) != Place::Box(boxes::TRAY) {
            return Illegal::new(Rule("3.1"), format!("{code} is not waiting to be set up"));
        }
        if let Place::Hex(h) = place {
            let name = self.data.map.called(h);
            let load = self.load_of(std::iter::once(u));
            if let Some(zone) = self.zone_of(u) {
                let interior = self.info(u).comes == Comes::Interior;
                let rule = if interior { "3.4" } else { "3.3" };
                if !zone.contains(h) {
                    return Illegal::new(Rule(rule), format!("{name} is not in the zone of {code}"));
                }
                if let Some(i) = self.why_overfull(&self.load_with(h, &load, &[]), h) {
                    return i;
                }
                let (reps, _) = self.tokens();
                if !reps.contains(&u) {
                    return Illegal::new(
                        Rule("3.2"),
                        "untried units of a kind are placed in the order of their numbers",
                    );
                }
                let owed = self.owed(interior, None).units;
                return Illegal::new(Rule(rule), format!("all {owed} units left are owed elsewhere"));
            }
            if let Some(i) = self.why_overfull(&self.load_with(h, &load, &[]), h) {
                return i;
            }
        }
        Illegal::new(Rule("3.7"), format!("{code} may not be set up there"))
    }

    /// Reads a set-up of one side from a file.
    pub fn read_set_up(&mut self, side: Side, file: &str, faults: &mut Faults) {
        let data = self.data.clone();
        let grid = data.map.grid();
        if side == Side::Two {
            let Some(t) = Tsv::read(&data.files, file, &["pool", "count", "hex"], &[], faults) else {
                return;
            };
            for row in t.rows() {
                let Some(h) = grid.find(row.get("hex")).filter(|h| data.map.land.contains(*h)) else {
                    row.fault(faults, format!("'{}' is no hex for a unit", row.get("hex")));
                    continue;
                };
                let Some(count) = row.parse::<usize>("count", "a number", faults) else { continue };
                let zone = if data.map.interior.contains(h) { Comes::Interior } else { Comes::Frontier };
                let pool = row.get("pool");
                let free: Vec<Unit> = self
                    .tray(Side::Two)
                    .into_iter()
                    .filter(|&u| {
                        let i = &data.units.of[u.ix()];
                        i.comes == zone
                            && data.units.pools.get(usize::from(i.pool)).is_some_and(|p| p.name == pool)
                    })
                    .take(count)
                    .collect();
                if free.len() < count {
                    row.fault(faults, format!("only {} {pool} are left for that zone", free.len()));
                }
                for u in free {
                    self.set_down(u, h);
                }
                if let Some(i) = self.why_overfull(&self.load_of(self.at(h)), h) {
                    row.fault(faults, i.to_string());
                }
            }
            let left = self.tray(Side::Two);
            if !left.is_empty() {
                faults.add(&t.file, None, format!("{} Soviet units are not placed", left.len()));
            }
            for interior in [false, true] {
                let owed = self.owed(interior, None);
                if owed.units > 0 {
                    let names: Vec<String> = owed.hexes.iter().take(8).map(|h| data.map.called(h)).collect();
                    let rule = if interior { "3.4" } else { "3.3" };
                    let what = format!(
                        "rule {rule} still needs {} units, for one at {}",
                        owed.units,
                        names.join(", ")
                    );
                    faults.add(&t.file, None, what);
                }
            }
            return;
        }
        let Some(t) = Tsv::read(&data.files, file, &["unit", "hex"], &[], faults) else { return };
        for row in t.rows() {
            let Some(&u) = data.units.by_code.get(row.get("unit")) else {
                row.fault(faults, format!("'{}' is no unit", row.get("unit")));
                continue;
            };
            let at = row.get("hex");
            let place = match (grid.find(at), data.lexicon.find_box(at)) {
                (Some(h), _) => Place::Hex(h),
                (None, Some(b)) => Place::Box(b),
                _ => {
                    row.fault(faults, format!("'{at}' is neither a hex nor a box"));
                    continue;
                }
            };
            if let Some(i) = self.air_index(u) {
                self.s.air[i] = place.hex().unwrap_or(Hex::NONE);
                continue;
            }
            if self.s.stacks.place(u) != Place::Box(boxes::TRAY) {
                row.fault(faults, format!("{} is not a starting unit, or is placed twice", row.get("unit")));
                continue;
            }
            let (set, into) = self.german_places(u);
            let ok = match place {
                Place::Hex(h) => set.contains(h),
                Place::Box(b) => into.contains(&Some(b)),
            };
            if !ok {
                row.fault(faults, format!("rule 3.7 does not let {} start in {at}", row.get("unit")));
                continue;
            }
            self.put(u, place);
            if let Place::Hex(h) = place
                && let Some(i) = self.why_overfull(&self.load_of(self.at(h)), h)
            {
                // In the beginners' game a battalion counts as much as a division (6.3): what is too much waits.
                if self.options.beginner {
                    self.into_box(u, into.into_iter().flatten().next().unwrap_or(boxes::OKH_SOUTH));
                } else {
                    row.fault(faults, i.to_string());
                }
            }
        }
        for u in self.tray(Side::One) {
            let south = self.nation(u) != Nation::German;
            self.into_box(u, if south { boxes::OKH_SOUTH } else { boxes::OKH_NORTH });
        }
    }
}
