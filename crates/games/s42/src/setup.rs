//! How scenarios begin (S1.1, S2.1, S3.1, S4.1).

use crate::data::boxes;
use crate::state::{CityBattle, Plan, Pos, Railhead, Step, flag};
use crate::units::is;
use table::{Place, Side, Unit};
use text::{Faults, Tsv};

impl Pos {
    /// Sets a scenario up; the next thing is the weather of its first turn.
    pub fn set_up(&mut self, faults: &mut Faults) {
        let data = self.data.clone();
        let sc = self.scenario().clone();
        for file in &sc.setups {
            self.read_set_up(file, faults);
        }
        let grid = data.map.grid();
        for u in self.s.stacks.units() {
            let arrives = data.units.of[u.ix()].arrives.as_str();
            let waits = self.s.stacks.place(u) == Place::Box(boxes::TRAY);
            if sc.start.air.iter().any(|c| c == self.code(u)) {
                self.s.stacks.put(u, Place::Box(boxes::AIR));
            } else if waits
                && arrives == "trans-caucasus"
                && (sc.campaign_rules || sc.special.trans_caucasus_box)
            {
                self.s.stacks.put(u, Place::Box(boxes::TRANS_CAUCASUS));
            } else if waits && arrives == "volunteer" && (sc.campaign_rules || sc.special.volunteers) {
                self.s.stacks.put(u, Place::Box(boxes::VOLUNTEERS));
            }
        }
        // Cities and VP hexes belong to whom they lie behind, then to whoever stands there (16.3.4).
        self.s.axis_held = &(&data.map.held & &data.map.west) & &self.scene().land;
        for h in sc.start.axis_controls.iter().filter_map(|h| grid.find(h)) {
            self.s.axis_held.insert(h);
        }
        for &(h, _) in &data.map.ports {
            self.s.axis_ports.set(h, data.map.west.contains(h));
        }
        for u in self.s.stacks.units() {
            if let Some(h) = self.on_map(u)
                && self.combat(u)
            {
                let axis = self.side(u) == Side::One;
                if data.map.held.contains(h)
                    && !sc.start.contested.iter().any(|c| grid.find(&c.hex) == Some(h))
                {
                    self.s.axis_held.set(h, axis);
                }
                if data.map.ports.iter().any(|(p, _)| *p == h) {
                    self.s.axis_ports.set(h, axis);
                }
            }
        }
        for c in &sc.start.contested {
            if let Some(hex) = grid.find(&c.hex) {
                let holder = if c.holder == "axis" { Side::One } else { Side::Two };
                self.s.city_battles.push(CityBattle { hex, level: c.city_battle, holder });
                self.s.axis_held.set(hex, holder == Side::One);
            }
        }
        self.s.axis_held = &self.s.axis_held & &data.map.held;
        for r in sc.start.railheads.iter().filter_map(|h| grid.find(h)) {
            self.s.railheads.push(Railhead::at(r));
            // Everything behind a Railhead is repaired.
            let mut h = r;
            while h.is_some() && !data.map.west.contains(h) {
                self.s.repaired.insert(h);
                h = data.map.rail_back[h.ix()];
            }
        }
        for (g, name) in ["forts-north", "forts-donets", "forts-rostov"].into_iter().enumerate() {
            self.s.deactivated[g] = sc.start.forts_deactivated.iter().any(|f| f == name);
        }
        self.s.wet = sc.start.seasonal_marsh == "marsh";
        self.s.turn = sc.first_turn.saturating_sub(1);
        self.s.step = Step::Victory;
        self.s.winter = sc.first_turn >= data.charts.weather.winter_from_turn;
        self.rebuild_zones();
        self.start_plans();
    }

    /// The Planned Offensives and Supply Points with which a scenario begins lie with the first HQs of that side.
    fn start_plans(&mut self) {
        let st = self.scenario().start.clone();
        for (side, n) in [(Side::One, st.planned_offensives_axis), (Side::Two, st.planned_offensives_soviet)]
        {
            let hqs: Vec<Unit> = self.start_hqs(side);
            if self.options.planned && !hqs.is_empty() {
                for i in 0..usize::from(n) {
                    self.s.plans.push(Plan { hq: hqs[i % hqs.len()], ready: true });
                }
            }
        }
        let hqs = self.start_hqs(Side::Two);
        for i in 0..usize::from(st.supply_points_soviet_ready) {
            let sp = self
                .boxed(boxes::SUPPLIES)
                .filter(|&u| self.side(u) == Side::Two && !self.is(u, is::IMMOBILE))
                .min();
            if let (Some(sp), Some(&hq)) = (sp, hqs.get(i % hqs.len().max(1))) {
                let place = self.s.stacks.place(hq);
                self.put(sp, place);
                self.mark(sp, flag::READY);
            }
        }
    }

    fn start_hqs(&self, side: Side) -> Vec<Unit> {
        self.s
            .stacks
            .units()
            .filter(|&u| self.side(u) == side && self.is(u, is::HQ) && self.on_map(u).is_some())
            .collect()
    }

    /// Reads a set-up: `unit`, `hex` (or an Entry Area), `state`.
    fn read_set_up(&mut self, file: &str, faults: &mut Faults) {
        let data = self.data.clone();
        let want = ["unit", "hex", "state"];
        let Some(t) = Tsv::read(&data.files, file, &want, &[], faults) else { return };
        for row in t.rows() {
            let (code, at) = (row.get("unit"), row.get("hex"));
            let Some(&u) = data.units.by_code.get(code) else {
                row.fault(faults, format!("there is no counter '{code}'"));
                continue;
            };
            let place = match (data.map.grid().find(at), data.lexicon.find_box(at)) {
                (Some(h), _) if self.scene().land.contains(h) => Place::Hex(h),
                (_, Some(b)) => Place::Box(b),
                _ => {
                    row.fault(faults, format!("'{at}' is neither a hex of this scenario nor a box"));
                    continue;
                }
            };
            let full = self.info(u).steps;
            self.s.steps[u.ix()] = match row.get("state") {
                "full" | "" => full,
                "reduced" => full.saturating_sub(1).max(1),
                "remnant" => 1,
                "upgraded" => {
                    self.s.flags[u.ix()] |= flag::UPGRADED;
                    full + 1
                }
                other => {
                    row.fault(faults, format!("'{other}' is no state; expected full, reduced or remnant"));
                    full
                }
            };
            self.s.stacks.put(u, place);
        }
    }
}
