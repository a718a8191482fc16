//! Section 20: special units; 30 and 31: fronts and armies that wait.

use crate::state::{Cx, Pos, flag};
use crate::units::is;
use game::{Illegal, Line};
use hex::Hex;
use table::{Rule, Side, Unit};

impl Pos {
    /// 31.0, S1.2: whether a unit waits with a Reserve Army that is not released.
    pub fn waits_in_camp(&self, u: Unit) -> bool {
        let Some(&(army, _)) = self.data.reserves.iter().find(|(_, v)| *v == u) else { return false };
        let sc = self.scenario();
        if sc.campaign_rules {
            return self.s.armies_free >> army & 1 == 0;
        }
        sc.special.sixth_reserve_turn > self.s.turn && army == 6
    }

    /// 20.4, 20.6, 31.0, S1.2: why a unit is frozen.
    pub fn frozen(&self, u: Unit) -> Option<Illegal> {
        let t = self.info(u).traits;
        let f = self.s.flags[u.ix()];
        let sc = self.scenario();
        let code = self.code(u);
        if t & is::GARRISON != 0 && f & flag::FREED == 0 {
            return Some(Illegal::new(
                Rule("20.4"),
                format!("{code} is a garrison that no enemy has come near"),
            ));
        }
        if t & is::NORTH_CAUCASUS != 0
            && sc.special.frozen_south_of_rostov
            && !self.s.caucasus_free
            && f & flag::FREED == 0
            && t & is::GARRISON == 0
            && self.on_map(u).is_some()
        {
            return Some(Illegal::new(Rule("20.6"), format!("{code} waits south of Rostov")));
        }
        if self.data.reserves.iter().any(|(_, v)| *v == u)
            && self.waits_in_camp(u)
            && self.on_map(u).is_some()
        {
            return Some(Illegal::new(Rule("31.0"), format!("{code} belongs to a Reserve Army that waits")));
        }
        if self.s.turn == 1 && sc.special.turn_1_frozen.iter().any(|c| c == code) && self.side(u) == Side::One
        {
            return Some(Illegal::new(Rule("S1.2"), format!("{code} refits on the first turn")));
        }
        None
    }

    /// A Combat Unit has come to a hex: who is freed by it, and which Railheads are pushed back (17.3.1).
    pub fn alarm(&mut self, side: Side, h: Hex, cx: &mut Cx<'_>) {
        if side == Side::Two {
            self.push_railheads(cx);
            return;
        }
        let r = self.data.charts.release.clone();
        let data = self.data.clone();
        let grid = data.map.grid();
        let far = |a: Hex| crate::supply::distance(grid, a, h);
        for u in self.s.stacks.units() {
            if self.info(u).traits & is::GARRISON != 0
                && !self.flagged(u, flag::FREED)
                && let Some(at) = self.on_map(u)
                && far(at) <= r.garrison_hexes
            {
                self.mark(u, flag::FREED);
                let text = format!("{} is released.", self.code(u));
                cx.say(|| Line::new("release", Rule("20.4"), text));
            }
        }
        if !self.s.caucasus_free
            && (data.map.south_of_don.contains(h)
                || data.map.stalingrad.iter().any(|s| far(s) <= r.stalingrad_hexes))
        {
            self.s.caucasus_free = true;
            cx.say(|| Line::new("release", Rule("20.6"), "The units south of Rostov are released."));
        }
        if self.s.armies_free >> 8 & 1 == 0 && far(data.map.saratov) <= r.saratov_hexes {
            self.s.armies_free |= 1 << 8;
            cx.say(|| Line::new("release", Rule("31.0"), "The 8th Reserve Army is released."));
        }
        if data.map.caucasus_maps.contains(h) {
            self.s.front_called = true;
        }
    }
}
