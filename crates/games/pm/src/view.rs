//! What each pair of eyes may see (14.7), the layers over the map, and what else could be where they cannot look.

use crate::combat::Attack;
use crate::data::boxes;
use crate::map::Fort;
use crate::state::{Frame, Pause, Pos, Supplied, UNTRIED, flag};
use crate::supply::State;
use game::{
    BoxView, ControlView, Dice, Eyes, MarkerView, OutcomeView, StackView, TrackView, UnitView, View,
    WeatherView,
};
use hex::Hex;
use table::{BoxId, Place, Side, Unit};

impl Pos {
    /// Whether a unit lies open to some eyes: their own, on top of its stack, or in a battle that has been examined.
    pub fn seen(&self, eyes: Eyes, u: Unit) -> bool {
        if eyes.sees(self.info(u).side) || self.options.beginner {
            return true;
        }
        if self.s.battle.is_some() && (self.s.attackers.contains(&u) || self.s.defenders.contains(&u)) {
            return true;
        }
        match self.s.stacks.place(u) {
            Place::Hex(h) => {
                let looked = matches!(self.s.frames.last(), Some(Frame::Overfull { hex, .. }) if *hex == h);
                looked || self.s.stacks.top(h) == Some(u)
            }
            Place::Box(b) => open_box(b),
        }
    }

    fn unit_view(&self, sup: &Supplied, eyes: Eyes, u: Unit) -> UnitView {
        let info = self.info(u);
        let printed = self.s.printed[u.ix()];
        let drawn = (printed != UNTRIED).then(|| &self.data.units.printed[usize::from(printed)]);
        let figures = match self.face(u) {
            Some(f) => f.to_string(),
            None if self.untried(u) => format!("?-?-{}", self.movement(u)),
            None => String::new(),
        };
        let mut status = Vec::new();
        if self.untried(u) {
            status.push("untried".to_string());
        }
        let own = eyes.sees(info.side);
        let f = self.s.flags[u.ix()];
        if self.on_map(u).is_some() {
            let state = self.state_with(sup, u);
            if state != State::Full {
                status.push(state.word().into());
            }
            for (bit, word) in [
                (flag::MOVED, "moved"),
                (flag::ATTACKED, "attacked"),
                (flag::DEFENDED, "defended"),
                (flag::RETREATED, "retreated"),
                (flag::STAYS, "stays"),
            ] {
                if f & bit != 0 && own {
                    status.push(word.into());
                }
            }
            if own && f & flag::CHOSEN != 0 {
                status.push("concentrated supply".into());
            }
        }
        if own && f & flag::REFITTED != 0 {
            status.push("refitted".into());
        }
        let steps = (self.s.steps[u.ix()], info.faces.len().max(1) as u8);
        let mut v = UnitView { status, ..UnitView::of(info, figures, steps) };
        if let Some(p) = drawn {
            (v.name, v.kind) = (p.title.clone(), p.kind.clone());
        }
        if own && self.s.hand.contains(&u) {
            v.movement = Some(self.left_of(u, self.moving_state(u)).to_string());
        }
        v
    }

    /// What those eyes see.
    pub fn look(&self, eyes: Eyes) -> View {
        let grid = self.data.map.grid();
        let sup = self.fresh_supply();
        let mut stacks = Vec::new();
        for h in &(self.s.stacks.occupied(Side::One) | self.s.stacks.occupied(Side::Two)) {
            let Some(side) = self.s.stacks.holder(h) else { continue };
            let units: Vec<UnitView> =
                self.at(h).filter(|&u| self.seen(eyes, u)).map(|u| self.unit_view(&sup, eyes, u)).collect();
            let unseen = (self.s.stacks.height(h) - units.len()) as u32;
            stacks.push(StackView { hex: grid.name(h).to_string(), side, units, unseen });
        }
        View {
            eyes,
            turn: self.s.turn.into(),
            date: format!("{} 1941", self.data.charts.turn(self.s.turn).label),
            phase: self.phase_name(),
            asks: self.asked(),
            stacks,
            boxes: self.box_views(&sup, eyes),
            markers: self.marker_views(),
            tracks: self.track_views(),
            weather: self.weather_views(),
            control: ControlView::all(&self.data.lexicon, &self.data.map.held, &self.s.german_held),
            outcome: self.how_it_ended().map(OutcomeView::from),
        }
    }

    fn box_views(&self, sup: &Supplied, eyes: Eyes) -> Vec<BoxView> {
        let mut out = Vec::new();
        for b in 0..self.data.box_count as u16 {
            let b = BoxId(b);
            let name = match boxes::NAMES.get(usize::from(b.0)) {
                Some((_, label)) => (*label).to_string(),
                None => format!("Turn {}", b.0 - boxes::TRACK.0 + 1),
            };
            let side = match b {
                boxes::OKH_NORTH | boxes::OKH_SOUTH | boxes::TO_NORTH | boxes::TO_SOUTH | boxes::CALL => {
                    Some(Side::One)
                }
                boxes::RVGK | boxes::PORTS | boxes::LANDING | boxes::DICE | boxes::GUARDS => Some(Side::Two),
                _ => None,
            };
            let mut all: Vec<Unit> = self.boxed(b).collect();
            if all.is_empty() {
                continue;
            }
            all.sort_unstable();
            let units: Vec<UnitView> =
                all.iter().filter(|&&u| self.seen(eyes, u)).map(|&u| self.unit_view(sup, eyes, u)).collect();
            let unseen = (all.len() - units.len()) as u32;
            let id = self.data.lexicon.boxed(b).to_string();
            out.push(BoxView { id, name, side, units, unseen });
        }
        for (side, id, name) in
            [(Side::One, "german-air", "German airfields"), (Side::Two, "soviet-air", "Soviet airfields")]
        {
            let units: Vec<UnitView> = (0..self.s.air.len())
                .filter(|&i| self.air_side(i) == side && !self.s.air[i].is_some() && self.flies(i))
                .map(|i| self.air_view(i))
                .collect();
            if !units.is_empty() {
                out.push(BoxView { id: id.into(), name: name.into(), side: Some(side), units, unseen: 0 });
            }
        }
        out
    }

    /// An air unit or a marker of aerial supply at its base.
    fn air_view(&self, i: usize) -> UnitView {
        let u = self.air_unit(i);
        let at_base = vec!["at base".into()];
        if let Some(info) = self.data.units.of.get(u.ix()) {
            let points = if i < self.airs() { self.air_points(i).to_string() } else { String::new() };
            return UnitView { status: at_base, ..UnitView::of(info, points, (1, 1)) };
        }
        UnitView {
            code: self.code(u).to_string(),
            name: "Air supply (9.18)".into(),
            side: self.air_side(i),
            nation: "german".into(),
            kind: "air".into(),
            size: String::new(),
            figures: String::new(),
            steps: (1, 1),
            status: at_base,
            movement: None,
        }
    }

    fn marker_views(&self) -> Vec<MarkerView> {
        let mut out = Vec::new();
        let mut add = |h: Hex, kind: &str, text: String, side| {
            out.push(MarkerView::new(self.data.lexicon.hex(h), kind, text, side));
        };
        for (i, &h) in self.s.air.iter().enumerate().filter(|(_, h)| h.is_some()) {
            let (kind, text) = match i.checked_sub(self.airs()) {
                Some(_) => ("air-supply", "Air supply".to_string()),
                None => ("air", format!("{} {}", self.code(self.air_unit(i)), self.air_points(i))),
            };
            add(h, kind, text, Some(self.air_side(i)));
        }
        for h in &self.s.hedgehogs {
            add(h, "hedgehog", "Hedgehog".into(), Some(Side::One));
        }
        for h in &self.data.map.forts {
            if self.intact(h) == Fort::None && !self.options.beginner {
                let text = if self.s.destroyed.contains(h) { "destroyed" } else { "not complete" };
                add(h, "fort-down", text.into(), None);
            }
        }
        for h in &(&self.data.map.held & &self.s.german_held) {
            add(h, "control", "German".into(), Some(Side::One));
        }
        out
    }

    fn track_views(&self) -> Vec<TrackView> {
        let (one, two) = (Some(Side::One), Some(Side::Two));
        let need = format!("{} win at the end of this turn", self.vp_needed());
        let mut out = vec![
            TrackView::new("vp", "German victory points", self.s.vp, need, one),
            TrackView::new("couplet", "Couplet", self.s.couplet, "", None),
        ];
        if !self.options.beginner {
            let steps = self.s.replacements;
            out.push(TrackView::new("replacements", "German replacement steps", steps, "", one));
            let (n, note) = match self.s.pause {
                Pause::None => (0, ""),
                Pause::Running(n) => (n, "no German attacks"),
                Pause::Done => (0, "the GAS line is ignored"),
            };
            out.push(TrackView::new("pause", "Pause: couplets left", n, note, one));
        }
        let brigades = self.boxed(boxes::DICE).count() as f64;
        out.push(TrackView::new("brigades", "Tank brigades to come by dice", brigades, "8.9", two));
        out
    }

    fn weather_views(&self) -> Vec<WeatherView> {
        ["weather-north", "weather-south"]
            .into_iter()
            .zip(self.s.weather)
            .map(|(zone, w)| WeatherView {
                zone: zone.into(),
                code: format!("{w:?}"),
                name: self.weather_word(w).into(),
            })
            .collect()
    }

    /// Another position that looks the same to some eyes: units of the other side that lie hidden change places with
    /// others of their like that lie hidden too.
    pub fn redraw(&self, eyes: Eyes, dice: &mut dyn Dice) -> Pos {
        let mut p = self.clone();
        if eyes == Eyes::Referee || self.options.beginner {
            return p;
        }
        for side in Side::BOTH {
            if eyes.sees(side) {
                continue;
            }
            let busy = |u: &Unit| {
                self.s.hand.contains(u) || self.s.attackers.contains(u) || self.s.defenders.contains(u)
            };
            let hidden: Vec<Unit> = self
                .s
                .stacks
                .units()
                .filter(|u| self.info(*u).side == side && self.on_map(*u).is_some())
                .filter(|u| !self.seen(eyes, *u) && !busy(u))
                .collect();
            p.lay_anew(&hidden, dice);
        }
        p.refresh_ready();
        p
    }

    /// Lays units out anew among the places where units of like stacking lie; what happened at a place this turn stays
    /// with it. Units and places are taken in a fixed order, so that two positions which differ only in who lies
    /// where give the same world for the same dice: whoever samples worlds learns nothing from them.
    fn lay_anew(&mut self, hidden: &[Unit], dice: &mut dyn Dice) {
        struct Slot {
            hex: Hex,
            depth: usize,
            unit: Unit,
            flags: u16,
            used: u8,
            origin: u16,
            began: u8,
        }
        let kind = |p: &Pos, u: Unit| {
            let i = p.info(u);
            (i.nation, i.quarters, i.traits & LIKE, i.class as u8)
        };
        let mut slots: Vec<Slot> = Vec::with_capacity(hidden.len());
        for &u in hidden {
            let Some(hex) = self.on_map(u) else { continue };
            let depth = self.at(hex).position(|v| v == u).unwrap_or(0);
            let i = u.ix();
            let s = &self.s;
            slots.push(Slot {
                hex,
                depth,
                unit: u,
                flags: s.flags[i],
                used: s.used[i],
                origin: s.origin[i],
                began: s.began[i],
            });
        }
        slots.sort_by_key(|s| (s.hex, s.depth));
        let mut kinds: Vec<_> = slots.iter().map(|s| kind(self, s.unit)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for k in kinds {
            let mut units: Vec<Unit> = slots.iter().map(|s| s.unit).filter(|&u| kind(self, u) == k).collect();
            units.sort_unstable();
            let places: Vec<usize> = (0..slots.len()).filter(|&i| kind(self, slots[i].unit) == k).collect();
            for i in (1..units.len()).rev() {
                units.swap(i, dice.draw(i as u32 + 1) as usize % (i + 1));
            }
            for (at, u) in places.into_iter().zip(units) {
                slots[at].unit = u;
            }
        }
        let lasting = flag::REFITTED;
        for s in &slots {
            let i = s.unit.ix();
            self.s.flags[i] = (self.s.flags[i] & lasting) | (s.flags & !lasting);
            self.s.used[i] = s.used;
            self.s.origin[i] = s.origin;
            self.s.began[i] = s.began;
        }
        // The same hexes are occupied as before, so what supply reaches does not change.
        let supplied = std::mem::take(&mut self.s.supplied);
        let mut stacks: Vec<(Hex, Vec<Unit>)> = Vec::new();
        for s in &slots {
            if stacks.last().is_none_or(|(h, _)| *h != s.hex) {
                stacks.push((s.hex, self.at(s.hex).collect()));
            }
            if let Some((_, order)) = stacks.last_mut()
                && let Some(there) = order.get_mut(s.depth)
            {
                *there = s.unit;
            }
        }
        for (h, order) in &stacks {
            for &u in order.iter().rev() {
                self.put(u, Place::Hex(*h));
            }
        }
        self.s.supplied = supplied;
    }

    /// The attack in the making, as its figures are worked out, if there is one.
    pub fn making<'a>(&'a self, defenders: &'a [Unit]) -> Option<Attack<'a>> {
        match self.s.frames.last() {
            Some(&Frame::Preparing { hex }) => {
                let invasion =
                    self.s.attackers.iter().any(|&u| self.s.stacks.place(u) == Place::Box(boxes::LANDING));
                let side = self.side_to_act();
                Some(Attack { side, hex, mobile: false, invasion, attackers: &self.s.attackers, defenders })
            }
            _ => None,
        }
    }
}

/// Traits that two units must share to lie in each other's place unnoticed.
const LIKE: u32 = crate::units::trait_::SMALL | crate::units::trait_::REICH;

/// Boxes whose content lies open to all.
fn open_box(b: BoxId) -> bool {
    !matches!(
        b,
        boxes::RVGK
            | boxes::ARRIVING
            | boxes::TRAY
            | boxes::PORTS
            | boxes::LANDING
            | boxes::OKH_NORTH
            | boxes::OKH_SOUTH
            | boxes::TO_NORTH
            | boxes::TO_SOUTH
    )
}
