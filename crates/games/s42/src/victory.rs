//! Section 24: Victory Points and how the game ends.

use crate::state::{Cx, End, Ending, Pos, Step, flag};
use crate::units::is;
use game::{Line, Outcome};
use hex::HexSet;
use table::{Points, Rule, Side, Size, Sum, Unit};

impl Pos {
    /// 24.1, S1.3: the Axis VP as a sum, judged now.
    pub fn vp_sum(&self) -> Sum {
        let sup = self.fresh_supply();
        let sc = self.scenario();
        let map = &self.data.map;
        let mut sum = Sum::new();
        let line = &sup.los[0];
        let mut n = 0;
        for h in &(&map.vp_hexes & &self.scene().land) {
            let held = self.s.axis_held.contains(h);
            let cut = sc.victory.isolated_from_soviets_counts && !held && !sup.unlimited[1].contains(h);
            if (held && line.contains(h)) || cut {
                n += map.vp[h.ix()];
            }
        }
        sum.and(Rule("24.1.1"), "objectives", n.into());
        self.exit_vp(&sup.road[0], &mut sum);
        if sc.victory.south_of_don_points > 0 {
            let there = self.s.stacks.units().any(|u| {
                self.combat(u)
                    && self.nation(u) == crate::units::Nation::German
                    && self.on_map(u).is_some_and(|h| map.south_of_don.contains(h))
            });
            if there {
                sum.and(Rule("S1.3"), "south of the Don", sc.victory.south_of_don_points.into());
            }
        }
        self.penalties(&mut sum);
        let v = &self.data.charts.victory;
        let baku = self.s.baku && self.baku_held(false) && {
            let area = self.data.area(&v.baku_area);
            area.is_some_and(|a| self.data.areas[a].hexes.meets(&sup.road[0]))
        };
        if baku {
            sum.and(Rule("24.1.2"), "Baku", v.baku.into());
        }
        if self.s.elbrus && (sc.victory.elbrus_permanent || self.s.turn < sc.last_turn) {
            sum.and(Rule("24.3"), "Mount Elbrus", v.elbrus.into());
        }
        sum
    }

    /// S1.3: five steps of Mechanized units off the east or south edge, with a road line to that edge.
    fn exit_vp(&self, road: &HexSet, sum: &mut Sum) {
        let v = &self.scenario().victory;
        for (areas, points, what) in [
            (&v.exit_east_areas, v.exit_east_points, "exited east"),
            (&v.exit_south_areas, v.exit_south_points, "exited south"),
        ] {
            let mut steps = 0;
            let mut line = false;
            for a in areas.iter().filter_map(|n| self.data.area(n)) {
                let area = &self.data.areas[a];
                let axis = |u: &Unit| self.side(*u) == Side::One && self.is(*u, is::MECH) && self.combat(*u);
                steps += self.boxed(area.in_box).filter(axis).map(|u| self.s.steps[u.ix()]).sum::<u8>();
                line |= area.hexes.meets(road);
            }
            if points > 0 && steps >= v.exit_steps && line {
                sum.and(Rule("S1.3"), what, points.into());
            }
        }
    }

    /// 24.1.2: whether enough divisions are on the way to Baku; `new` counts only those that left in this Movement Phase.
    fn baku_held(&self, new: bool) -> bool {
        let v = &self.data.charts.victory;
        let Some(a) = self.data.area(&v.baku_area) else { return false };
        let (mut halves, mut panzers) = (0, 0);
        for u in self.boxed(self.data.areas[a].in_box).filter(|&u| self.side(u) == Side::One) {
            let i = self.info(u);
            if i.size != Size::Division || self.remnant(u) || (new && !self.flagged(u, flag::JUST_IN)) {
                continue;
            }
            let full = self.s.steps[u.ix()] >= self.full_steps(u);
            halves += match (i.nation == crate::units::Nation::German, full) {
                (true, true) => 2,
                (true, false) | (false, true) => 1,
                (false, false) => 0,
            };
            panzers += u8::from(i.kind == "panzer");
        }
        halves >= 2 * v.baku_divisions && panzers >= v.baku_panzers
    }

    /// 24.1.2: five divisions must leave in one Movement Phase; later the same strength must stay.
    pub fn judge_baku(&mut self) {
        self.s.baku = self.scenario().campaign_rules
            && (self.baku_held(true) || (self.s.baku && self.baku_held(false)));
    }

    /// 24.1.4: what Soviet units in the west cost the Axis.
    fn penalties(&self, sum: &mut Sum) {
        let v = &self.data.charts.victory;
        let map = &self.data.map;
        for name in &v.entry_penalty_areas {
            if let Some(a) = self.data.area(name)
                && self.data.areas[a].hexes.meets(&self.s.zones.combat[1])
            {
                sum.and(Rule("24.1.4"), "Soviets at an Axis edge", v.entry_penalty.into());
            }
        }
        for h in &(&map.west_cities & &self.s.zones.combat[1]) {
            let n = if map.major_cities.contains(h) { v.major_city_penalty } else { v.minor_city_penalty };
            sum.and(Rule("24.1.4"), "Soviets in a western city", n.into());
        }
    }

    /// The Axis VP now.
    pub fn vp(&self) -> i16 {
        self.vp_sum().total().floor() as i16
    }

    /// D: VP are counted; the game may end.
    pub fn victory_phase(&mut self, cx: &mut Cx<'_>) {
        let sum = self.vp_sum();
        let vp = sum.total().floor() as i16;
        let turn = self.s.turn;
        cx.say(|| {
            Line::new("victory", Rule("24.1.1"), format!("The Axis has {vp} VP."))
                .fact("vp", vp)
                .sum("vp", sum)
        });
        let sc = self.scenario().clone();
        if sc.benchmarks {
            let mark = self.data.charts.turn(turn).benchmark;
            let margin = self.data.charts.victory.margin;
            if vp >= mark + margin {
                return self.finish(Side::One, Ending::Benchmark, vp, cx);
            }
            if vp <= mark - margin {
                return self.finish(Side::Two, Ending::Benchmark, vp, cx);
            }
        }
        if sc.victory.checked == "every turn" && vp >= sc.victory.axis_points {
            return self.finish(Side::One, Ending::Points, vp, cx);
        }
        if turn >= sc.last_turn {
            let winner = if vp >= sc.victory.axis_points { Side::One } else { Side::Two };
            self.finish(winner, Ending::Time, vp, cx);
        }
    }

    /// S4.4, S3.5: what is judged at the end, or at the start, of an Axis player turn.
    pub fn axis_turn_check(&mut self, begins: bool, cx: &mut Cx<'_>) {
        let v = self.scenario().victory.clone();
        let map = &self.data.map;
        if begins && v.hold_until_axis_turn == self.s.turn && v.hold_until_axis_turn > 0 {
            let held = map.stalingrad.iter().any(|h| self.s.axis_held.contains(h));
            if !held {
                let vp = self.vp();
                return self.finish(Side::Two, Ending::Stalingrad, vp, cx);
            }
        }
        let turn = self.data.charts.weather.winter_from_turn;
        if !begins && v.turn_28_axis_points > 0 && self.s.turn == turn {
            let vp = self.vp();
            if vp < v.turn_28_axis_points {
                self.finish(Side::Two, Ending::Winter, vp, cx);
            }
        }
    }

    fn finish(&mut self, winner: Side, kind: Ending, vp: i16, cx: &mut Cx<'_>) {
        self.s.end = Some(End { winner, kind, vp });
        self.s.step = Step::Over;
        self.s.frames.clear();
        if let Some(o) = self.how_it_ended() {
            cx.say(|| Line::new("end", o.rule, o.text));
        }
    }

    /// How it ended.
    pub fn how_it_ended(&self) -> Option<Outcome> {
        let e = self.s.end?;
        let who = if e.winner == Side::One { "Axis" } else { "Soviet" };
        let (kind, rule, why) = match e.kind {
            Ending::Points => ("points", "S1.3", "points reached"),
            Ending::Time => ("time", "S1.3", "at the end of the last turn"),
            Ending::Benchmark => ("benchmark", "24.2", "against the benchmark"),
            Ending::Winter => ("winter", "S4.4", "at the benchmark of turn 28"),
            Ending::Stalingrad => ("stalingrad", "S3.5", "for Stalingrad"),
        };
        let text = format!("{who} victory with {} VP, {why}.", Points::whole(e.vp.into()));
        Some(Outcome { winner: Some(e.winner), rule: Rule(rule), kind, text })
    }
}
