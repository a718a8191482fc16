//! Section 3: set-up played by choices.

use crate::data::boxes;
use crate::stacking::Load;
use crate::state::{Cx, Pos, Step};
use crate::units::{Class, Comes, Nation};
use crate::verbs;
use game::{Choice, Illegal, Object, Todo};
use hex::{Hex, HexSet};
use table::{BoxId, Place, Rule, Side, Size, Unit};
use text::count;

impl Pos {
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

    /// 3.7: where a German-side unit may be set up: zones (Germany, Romania, Hungary) and boxes. `south` says whether Germans
    /// may still go there, divisions and assault guns apart.
    fn german_zones(&self, u: Unit, south: [bool; 2]) -> ([bool; 3], [Option<BoxId>; 2]) {
        let (north, okh_south) = (Some(boxes::OKH_NORTH), Some(boxes::OKH_SOUTH));
        match self.nation(u) {
            Nation::Romanian | Nation::Italian => ([false, true, false], [None, okh_south]),
            Nation::Hungarian => ([false, false, true], [None, okh_south]),
            _ if self.southern(u).is_some_and(|kind| south[kind]) => {
                ([true, true, false], [north, okh_south])
            }
            _ => ([true, false, false], [north, None]),
        }
    }

    /// The zones of [`Pos::german_zones`].
    fn zones(&self) -> [&HexSet; 3] {
        let m = &self.data.map;
        [&m.zomo_germany, &m.zomo_romania, &m.zomo_hungary]
    }

    /// 3.7: where a German-side unit may be set up, boxes included.
    pub fn german_places(&self, u: Unit) -> (HexSet, [Option<BoxId>; 2]) {
        let (zones, into) = self.german_zones(u, self.room_in_the_south());
        let mut set = HexSet::empty();
        for (zone, _) in self.zones().into_iter().zip(zones).filter(|(_, open)| *open) {
            set |= zone;
        }
        (set, into)
    }

    /// 3.7(3): whether a unit is a non-mechanized division (0) or an assault gun battalion (1).
    fn southern(&self, u: Unit) -> Option<usize> {
        let info = self.info(u);
        if info.kind == "assaultgun" {
            return Some(1);
        }
        (info.size == Size::Division && info.class != Class::Mech).then_some(0)
    }

    /// 3.7(3): seven non-mechanized divisions and one assault gun battalion may start in the south: whether there is room for
    /// one more of each.
    fn room_in_the_south(&self) -> [bool; 2] {
        let mut count = [0i16; 2];
        let mut see = |u: Unit| {
            if self.nation(u) == Nation::German
                && let Some(kind) = self.southern(u)
            {
                count[kind] += 1;
            }
        };
        let held = &self.data.map.zomo_romania & self.s.stacks.occupied(Side::One);
        held.iter().flat_map(|h| self.at(h)).for_each(&mut see);
        self.boxed(boxes::OKH_SOUTH).for_each(see);
        let n = &self.data.charts.numbers;
        [count[0] < n.german_divisions_south, count[1] < n.german_assaultguns_south]
    }

    /// Choices of the German set-up.
    pub fn german_set_up_choices(&self, out: &mut Vec<Choice>) {
        let south = self.room_in_the_south();
        let loads = self.zones().map(|zone| {
            let load = |h: Hex| (h, self.load_with(h, &Load::default(), &[]));
            zone.iter().map(load).collect::<Vec<_>>()
        });
        for u in self.tray(Side::One) {
            let (zones, into) = self.german_zones(u, south);
            for (list, _) in loads.iter().zip(zones).filter(|(_, open)| *open) {
                out.extend(list.iter().filter_map(|&(h, mut load)| {
                    self.load_unit(&mut load, u);
                    self.fits(&load, h).then(|| Choice::at(verbs::PLACE, u, h))
                }));
            }
            out.extend(into.into_iter().flatten().map(|b| Choice::into(verbs::PLACE, u, b)));
        }
        out.push(Choice::button(verbs::FILL));
    }

    /// Whether a unit may be set up at a place now, without the list of all of them.
    pub fn may_set_up(&self, u: Unit, place: Place) -> bool {
        let side = if self.s.step == Step::SetUpSoviet { Side::Two } else { Side::One };
        if u.ix() >= self.data.units.ground
            || self.info(u).side != side
            || self.s.stacks.place(u) != Place::Box(boxes::TRAY)
        {
            return false;
        }
        match (side, place) {
            (Side::Two, Place::Box(_)) => false,
            (Side::Two, Place::Hex(h)) => {
                let (reps, left) = self.tokens();
                let n = left[usize::from(self.info(u).comes == Comes::Interior)];
                reps.contains(&u) && self.may_hold_token(u, h, n)
            }
            (Side::One, place) => {
                let (set, into) = self.german_places(u);
                match place {
                    Place::Box(b) => into.contains(&Some(b)),
                    Place::Hex(h) => set.contains(h) && self.has_room(u, h),
                }
            }
        }
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
                let strictures = self.strictures(self.info(u).comes == Comes::Interior, None);
                let first =
                    strictures.owed.hexes.iter().find(|&h| self.has_room(u, h) && strictures.helps(self, h));
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
                let room = own.iter().filter(|&h| self.has_room(u, h));
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
                let owed = self.strictures(interior, None).owed;
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
                let owed = self.strictures(interior, None).owed.units;
                return Illegal::new(
                    Rule(rule),
                    format!("all that is left is owed elsewhere: {}", count(owed, "unit")),
                );
            }
            if let Some(i) = self.why_overfull(&self.load_with(h, &load, &[]), h) {
                return i;
            }
        }
        Illegal::new(Rule("3.7"), format!("{code} may not be set up there"))
    }
}
