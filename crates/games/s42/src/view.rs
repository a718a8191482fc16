//! What each pair of eyes may see, the layers over the map, and what else could be where they cannot look (34).

use crate::charts::Weather;
use crate::data::boxes;
use crate::reach::Mode;
use crate::state::{March, Pos, Step, flag};
use crate::units::is;
use game::{
    BoxView, ControlView, Dice, Eyes, MarkerView, OutcomeView, Overlay, StackView, TrackView, UnitView, View,
    WeatherView,
};
use hex::{Dir, Edge, Hex, HexSet};
use table::{BoxId, Place, Points, Side, Unit};

/// States of a unit as a word each.
const WORDS: [(u32, &str); 14] = [
    (flag::DISRUPTED, "disrupted"),
    (flag::FULL_RETREAT, "full retreat"),
    (flag::OUT, "out of supply"),
    (flag::ISOLATED, "isolated"),
    (flag::USED, "used"),
    (flag::TRAIN, "train"),
    (flag::REPLACED, "replaced"),
    (flag::AUTO_DS, "auto ds"),
    (flag::RESERVE, "reserve"),
    (flag::READY, "ready"),
    (flag::MOVED, "moved"),
    (flag::ATTACKED, "attacked"),
    (flag::RETREATED, "retreated"),
    (flag::KEPT, "kept"),
];

impl Pos {
    fn unit_view(&self, eyes: Eyes, u: Unit) -> UnitView {
        let info = self.info(u);
        let f = self.s.flags[u.ix()];
        let mut status: Vec<String> =
            WORDS.iter().filter(|(bit, _)| f & bit != 0).map(|(_, w)| (*w).to_string()).collect();
        if self.remnant(u) {
            status.push("remnant".into());
        }
        for p in self.s.plans.iter().filter(|p| p.hq == u) {
            status.push(if p.ready { "planned offensive ready" } else { "planned offensive" }.into());
        }
        // 34.1.2: whose Holding Box is whose, only the Soviet side knows.
        if eyes.sees(Side::Two)
            && usize::from(self.s.assigned) >= self.s.masks.len()
            && let Some(b) = self.army_box(u)
        {
            status.push(self.data.lexicon.boxed(b).to_string());
        }
        let steps = (self.s.steps[u.ix()], self.full_steps(u));
        let movement = (self.s.hand.contains(&u) && eyes.sees(info.side))
            .then(|| Points::halves(self.mover().normal.into()).to_string());
        UnitView { status, movement, ..UnitView::of(info, self.figures(u), steps) }
    }

    /// The figures a counter shows.
    fn figures(&self, u: Unit) -> String {
        let f = self.face(u);
        if self.is(u, is::SUPPLY) && self.flagged(u, flag::READY) {
            return "S-0-T".into();
        }
        if self.is(u, is::PAREN) {
            return format!("{}-({})-{}", f.attack, f.defence, f.movement);
        }
        f.to_string()
    }

    /// What those eyes see.
    pub fn look(&self, eyes: Eyes) -> View {
        let grid = self.data.map.grid();
        let mut stacks = Vec::new();
        for side in Side::BOTH {
            for h in self.s.stacks.occupied(side) {
                let units: Vec<UnitView> = self.of_side(side, h).map(|u| self.unit_view(eyes, u)).collect();
                stacks.push(StackView { hex: grid.name(h).to_string(), side, units, unseen: 0 });
            }
        }
        View {
            eyes,
            turn: self.s.turn.into(),
            date: self.data.charts.turn(self.s.turn).dates.clone(),
            phase: self.phase_name(),
            asks: self.asked(),
            stacks,
            boxes: self.box_views(eyes),
            markers: self.marker_views(),
            tracks: self.track_views(),
            weather: vec![WeatherView {
                zone: "map".into(),
                code: self.s.weather.word().into(),
                name: format!("{}{}", self.s.weather.name(), if self.s.mud { " and mud" } else { "" }),
            }],
            control: ControlView::all(
                &self.data.lexicon,
                &(&self.data.map.held & &self.scene().land),
                &self.s.axis_held,
            ),
            outcome: self.how_it_ended().map(OutcomeView::from),
        }
    }

    fn box_views(&self, eyes: Eyes) -> Vec<BoxView> {
        let mut out = Vec::new();
        for b in (0..self.data.box_count as u16).map(BoxId) {
            if matches!(b, boxes::TRAY | boxes::DISPLAY | boxes::GONE | boxes::SUPPLIES) {
                continue;
            }
            let mut all: Vec<Unit> = self.boxed(b).collect();
            let due = self.due_on(b);
            if all.is_empty() && due.is_empty() {
                continue;
            }
            all.sort_unstable();
            let side = match b {
                boxes::AIR | boxes::AIR_USED | boxes::VOLUNTEERS => Some(Side::One),
                boxes::TRANS_CAUCASUS => Some(Side::Two),
                _ => None,
            };
            out.push(BoxView {
                id: self.data.lexicon.boxed(b).to_string(),
                name: self.data.box_label(b),
                side,
                units: all.into_iter().map(|u| self.unit_view(eyes, u)).chain(due).collect(),
                unseen: 0,
            });
        }
        out
    }

    /// 22.1: the units that the schedule brings on the turn of a box of the track, with the steps they will have; all may
    /// read it.
    fn due_on(&self, b: BoxId) -> Vec<UnitView> {
        let Some(turn) = (self.s.turn..=self.scenario().last_turn).find(|&t| self.data.track(t) == b) else {
            return Vec::new();
        };
        let id = &self.scenario().reinforcements;
        let rows = self.data.arrivals.iter().filter(|a| a.scenario == *id && a.turn == turn);
        let mut due: Vec<(Unit, u8)> = rows
            .filter(|a| self.s.stacks.place(a.unit) == Place::Box(boxes::TRAY) && self.brings(a.unit))
            .map(|a| (a.unit, self.arriving_steps(a)))
            .collect();
        due.sort_unstable();
        let shown = |(u, steps)| {
            let info = self.info(u);
            UnitView::of(info, self.figures(u), (steps, self.full_steps(u).max(steps)))
        };
        due.into_iter().map(shown).collect()
    }

    fn marker_views(&self) -> Vec<MarkerView> {
        let mut out = Vec::new();
        let mut add = |h: Hex, kind: &str, text: String, side| {
            out.push(MarkerView::new(self.data.lexicon.hex(h), kind, text, side));
        };
        for side in Side::BOTH {
            for h in &self.s.forts[side.ix()] {
                add(h, "fort", "Fortification".into(), Some(side));
            }
            for h in &self.s.building[side.ix()] {
                add(h, "fort-building", "Under construction".into(), Some(side));
            }
        }
        for h in &(&self.data.map.printed_forts & &self.scene().land) {
            if !self.fortified(Side::Two, h) {
                add(h, "fort-down", "Deactivated".into(), None);
            }
        }
        // What is shown must not depend on what happens to be worked out already.
        let rail = if self.s.railheads.is_empty() { None } else { Some(self.fresh_supply().rail[0].clone()) };
        for r in &self.s.railheads {
            let stalled = rail.as_ref().is_some_and(|set| !set.contains(r.hex));
            let text = if stalled { "Railhead, inoperative" } else { "Railhead" };
            add(r.hex, "railhead", text.into(), Some(Side::One));
        }
        for c in &self.s.city_battles {
            add(c.hex, "city-battle", format!("City Battle {}", c.level), Some(c.holder));
        }
        for &(air, with) in &self.s.fight.escorts {
            let Some(h) = self.on_map(with) else { continue };
            add(h, "air", self.code(air).to_string(), Some(Side::One));
        }
        if let Some(e) = self.s.flotilla {
            add(
                e.hex(),
                "flotilla",
                format!("Volga Flotilla {}", e.name(self.data.map.grid())),
                Some(Side::Two),
            );
        }
        for h in &self.s.axis_held {
            if !self.data.map.west.contains(h) {
                add(h, "control", "Axis".into(), Some(Side::One));
            }
        }
        out
    }

    fn track_views(&self) -> Vec<TrackView> {
        let sc = self.scenario();
        let need = format!("{} win", sc.victory.axis_points);
        let note = if sc.benchmarks {
            format!("{need}; benchmark {}", self.data.charts.turn(self.s.turn).benchmark)
        } else {
            need
        };
        let vp: f64 = self.vp().into();
        let mut out = vec![TrackView::new("vp", "Axis Victory Points", vp, note, Some(Side::One))];
        if matches!(self.s.step, Step::Initial(_)) {
            let side = self.phasing();
            out.push(TrackView::new("resources", "Resource Points", self.s.resources, "18.1", side));
            for (k, &n) in crate::data::KINDS.iter().zip(&self.s.replacements).filter(|(_, n)| **n > 0) {
                let (id, name) = (format!("replacements-{k}"), format!("Replacements, {k}"));
                out.push(TrackView::new(&id, &name, n, "21.1", side));
            }
        }
        if matches!(self.s.step, Step::Move(_)) {
            let n = self.s.railed[0];
            out.push(TrackView::new("railed", "Units moved by rail", n, "of 4 (5.6.2)", self.phasing()));
        }
        out
    }

    /// A layer over the map.
    pub fn layer(&self, eyes: Eyes, name: &str) -> Option<Overlay> {
        let grid = self.data.map.grid();
        let mut o = Overlay::default();
        let classes = [("axis", "Axis"), ("soviet", "Soviet")];
        let both = |o: &mut Overlay, sets: &[HexSet; 2], what: &str| {
            for ((class, side), set) in classes.into_iter().zip(sets) {
                o.key(class, format!("{side} {what}"));
                o.tint(&self.data.lexicon, set, class, what);
            }
        };
        let z = &self.s.zones;
        match name {
            "zoc" => both(&mut o, &z.zoc, "Zone of Control (6.1)"),
            "bonds" => {
                both(&mut o, &z.hex_bonds, "Hex Bond (7.1)");
                for (i, (class, _)) in classes.into_iter().enumerate() {
                    for h in grid.hexes() {
                        for d in [Dir::N, Dir::Ne, Dir::Se] {
                            if z.side_bonds[i][d.ix()].contains(h)
                                && let Some(e) = Edge::new(grid, h, d)
                            {
                                o.sides.push((e.name(grid), class.into()));
                            }
                        }
                    }
                }
            }
            "supply" => {
                let sup = self.fresh_supply();
                both(&mut o, &sup.los, "Line of Supply (16.3)");
                self.supply_lines(&sup, &mut o);
            }
            "rail" => both(&mut o, &self.fresh_supply().rail, "Connecting Rail Hex (17.4)"),
            "control" => {
                let land = &self.data.map.held & &self.scene().land;
                let axis = &land & &self.s.axis_held;
                let soviet = &land - &axis;
                both(&mut o, &[axis, soviet], "controls it (16.3.4)");
            }
            "forts" => {
                let of = |s: Side| -> HexSet {
                    self.scene().land.iter().filter(|&h| self.fortified(s, h)).collect()
                };
                both(&mut o, &[of(Side::One), of(Side::Two)], "Fortification (9.7)");
            }
            "reach" => self.reach_layer(eyes, &mut o),
            "weather" => {
                let (class, name) = (self.s.weather.word(), self.s.weather.name());
                o.key(class, format!("{name} everywhere (23.1)"));
                o.tint(&self.data.lexicon, &self.scene().land, class, name);
            }
            _ => return None,
        }
        Some(o)
    }

    /// Where the enemy's units on the map could go in their next Movement Phase, by march alone.
    fn reach_layer(&self, eyes: Eyes, o: &mut Overlay) {
        let own = match eyes {
            Eyes::Side(s) => s,
            _ => self.asked().unwrap_or(Side::One),
        };
        let (foe, mut near, mut far) = (own.foe(), HexSet::empty(), HexSet::empty());
        let mut probe = self.clone();
        probe.s.interchange = false;
        // 34.3.1: what a Reserve Army holds is secret, and so is how it slows the army down: its printed allowance counts.
        for b in self.holdings() {
            for u in self.boxed(b) {
                probe.put(u, Place::Box(boxes::TRAY));
            }
        }
        for h in self.s.stacks.occupied(foe) {
            for u in self.of_side(foe, h) {
                probe.s.hand.clear();
                probe.s.hand.push(u);
                probe.s.march = March { origin: h, ..March::default() };
                let m = probe.mover();
                probe.reach(&m, |to, _, mode| {
                    if mode == Mode::Extended { &mut far } else { &mut near }.insert(to);
                });
            }
        }
        far -= &near;
        o.key("reach", "an enemy unit can get here in its next move (5.1, 5.4)");
        o.key("far", "by Extended Movement only (5.3)");
        o.tint(&self.data.lexicon, &near, "reach", "");
        o.tint(&self.data.lexicon, &far, "far", "");
    }

    /// The markers of Reserve Armies that those eyes cannot tell apart (34.1.2), by army.
    fn hidden_masks(&self, eyes: Eyes) -> Vec<usize> {
        if eyes.sees(Side::Two) || !self.options.maskirovka || self.s.assigned == 0 {
            return Vec::new();
        }
        let known = |i: usize| self.armies().nth(i).is_some_and(|u| self.flagged(u, flag::REVEALED));
        let all = usize::from(self.s.assigned) >= self.s.masks.len();
        let given = usize::from(self.s.assigned).min(self.s.masks.len());
        (0..given).filter(|&i| !(all && known(i))).collect()
    }

    /// Another position that looks the same to those eyes.
    ///
    /// Only the markers of Reserve Armies are hidden (34.1.2): they are dealt anew among the armies not revealed.
    pub fn redraw(&self, eyes: Eyes, dice: &mut dyn Dice) -> Pos {
        let mut p = self.clone();
        let hidden = self.hidden_masks(eyes);
        for n in (1..hidden.len()).rev() {
            let m = dice.draw(n as u32 + 1) as usize;
            p.s.masks.swap(hidden[n], hidden[m]);
        }
        p
    }

    /// The one position that stands for all that look the same to those eyes.
    pub(crate) fn veiled(&self, eyes: Eyes) -> Pos {
        let mut p = self.clone();
        let hidden = self.hidden_masks(eyes);
        let mut masks: Vec<_> = hidden.iter().map(|&i| p.s.masks[i]).collect();
        masks.sort_unstable();
        for (i, mask) in hidden.into_iter().zip(masks) {
            p.s.masks[i] = mask;
        }
        p
    }

    /// Whether Snow lies.
    pub fn snow(&self) -> bool {
        self.s.weather == Weather::Snow
    }
}
