//! How a game of Stalingrad '42 is brought to a wanted ending.
//!
//! The side that must win drives on what it needs, and the other gives ground; where time must run out both do a little of
//! everything and no more. So the games stay short.

use game::{Choice, Object, Position, QuickDice};
use hex::{Hex, HexSet};
use s42::state::{Pos, Step};
use s42::verbs;
use table::Side;

/// What is played for.
pub struct Plan {
    /// Who drives; nobody when time must run out.
    drives: Option<Side>,
    /// What the Soviet side drives on: Stalingrad, or all but Stalingrad, so that the city does not end the game.
    city: bool,
    /// The Axis drives only while it has fewer VP than the benchmark and this; and never beyond `most`.
    pace: Option<i16>,
    most: i16,
    /// Once winter has come the Soviet side drives, until the Axis has too few VP to win.
    answer: bool,
    /// What was done in this phase.
    phase: Option<(u8, Step)>,
    picks: u32,
    attacks: u32,
}

impl Plan {
    /// The plan for a scenario, an ending and a winner.
    pub fn new(scenario: &str, ending: &str, winner: Side) -> Plan {
        let long = scenario == "campaign" && matches!(ending, "winter" | "time");
        Plan {
            drives: match (ending, winner, scenario) {
                ("stalingrad", ..) | ("time", Side::Two, "uranus") => Some(Side::Two),
                ("time", _, "blau" | "uranus") | ("time", Side::Two, "caucasus") => None,
                ("benchmark", Side::Two, _) => None,
                _ => Some(Side::One),
            },
            city: ending == "stalingrad",
            pace: match (long, scenario) {
                (true, _) => Some(if ending == "winter" { 2 } else { 3 }),
                (false, "caucasus") => Some(40),
                _ => None,
            },
            most: match (ending, scenario) {
                ("winter", _) => 26,
                (_, "caucasus") => 14,
                _ => 29,
            },
            answer: (scenario, ending, winner) == ("campaign", "time", Side::Two),
            phase: None,
            picks: 0,
            attacks: 0,
        }
    }

    /// The choice for a position of this game.
    pub fn answer(&mut self, p: &dyn Position, list: &[Choice], dice: &mut QuickDice) -> Option<Choice> {
        p.as_any().downcast_ref::<Pos>().map(|p| self.choose(p, list, dice))
    }

    fn targets(&self, p: &Pos) -> HexSet {
        let map = &p.data.map;
        if self.city {
            return &map.stalingrad & &p.s.axis_held;
        }
        if self.drives == Some(Side::Two) {
            return &(&map.vp_hexes & &p.s.axis_held) - &map.stalingrad;
        }
        let open = &map.vp_hexes & &p.scene().land;
        &open - &p.s.axis_held
    }

    fn idle(&self, p: &Pos) -> bool {
        let mark = p.data.charts.turn(p.s.turn).benchmark;
        self.pace.is_some_and(|n| p.vp() >= (mark + n).min(self.most))
    }

    fn choose(&mut self, p: &Pos, list: &[Choice], dice: &mut QuickDice) -> Choice {
        if self.phase != Some((p.s.turn, p.s.step)) {
            self.phase = Some((p.s.turn, p.s.step));
            (self.picks, self.attacks) = (0, 0);
            if self.answer && p.s.turn > p.data.charts.weather.winter_from_turn {
                let ahead = p.vp() >= p.scenario().victory.axis_points;
                (self.drives, self.pace) = (ahead.then_some(Side::Two), None);
            }
        }
        let grid = p.data.map.grid();
        let targets = self.targets(p);
        let toward = |h: Hex| targets.iter().map(|t| grid.distance(t, h)).min().unwrap_or(0);
        let hex = |c: &Choice| match c.object {
            Object::Route(r) => Some(r.end(grid)),
            Object::Unit(u) => p.on_map(u),
            Object::Hex(h) => Some(h),
            _ => None,
        };
        let far = |c: &Choice| hex(c).map_or(u32::MAX, toward);
        // Those who give ground go east, out of the way; Axis units go west.
        let east = |c: &Choice| {
            let column = hex(c).map_or(0, |h| i32::from(grid.column(h)));
            if p.asked() == Some(Side::Two) { column } else { -column }
        };
        let of = |v: game::Verb| list.iter().copied().filter(move |c| c.verb == v);
        let side = p.asked().unwrap_or(Side::One);
        // A side that is ahead of its pace brings units up, and takes nothing more until the turns catch up with it.
        let drives = self.drives == Some(side);
        let idle = drives && self.idle(p);
        let flees = self.drives == Some(side.foe());
        let room = |c: &Choice| {
            let end = hex(c);
            end.is_some_and(|h| p.fits(side, &p.load_with(side, h, &p.s.hand)))
        };
        let any = |v: game::Verb, dice: &mut QuickDice| {
            let all: Vec<Choice> = of(v).filter(room).collect();
            (!all.is_empty()).then(|| all[dice.below(all.len())])
        };
        // A hand, a unit that advances: towards the goal, away from it, or anywhere.
        if of(verbs::GO).next().is_some() {
            let here = p.s.hand.first().and_then(|&u| p.on_map(u)).map_or(u32::MAX, toward);
            let go = if drives {
                let open = |c: &Choice| room(c) && !(idle && far(c) < 3);
                of(verbs::GO).filter(open).min_by_key(far).filter(|c| far(c) < here || p.s.hand.is_empty())
            } else if flees {
                of(verbs::GO).filter(room).max_by_key(east)
            } else {
                any(verbs::GO, dice)
            };
            if let Some(c) = go {
                return c;
            }
        }
        if let Some(c) = of(verbs::STOP).next() {
            return c;
        }
        // An attack in the making.
        if of(verbs::CANCEL).next().is_some() {
            let more = of(verbs::ALL).chain(of(verbs::ADD)).chain(of(verbs::AIR)).next();
            return more.or_else(|| of(verbs::RESOLVE).next()).unwrap_or(Choice::button(verbs::CANCEL));
        }
        let (picks, attacks) = match (drives || flees, idle) {
            (true, true) => (12, 0),
            (true, false) => (40, 8),
            _ => (3, 1),
        };
        if self.picks < picks {
            let pick = if drives {
                of(verbs::PICK).filter(|c| far(c) > 0 && (far(c) < 24 || hex(c).is_none())).min_by_key(far)
            } else if flees {
                let near = |c: &Choice| hex(c).is_some_and(|h| far(c) < 3 || p.near_enemy(side, h));
                of(verbs::PICK).filter(near).min_by_key(east)
            } else {
                let all: Vec<Choice> = of(verbs::PICK).collect();
                (!all.is_empty()).then(|| all[dice.below(all.len())])
            };
            if let Some(c) = pick {
                self.picks += 1;
                return c;
            }
        }
        if self.attacks < attacks && !flees {
            let attack = if drives { of(verbs::ATTACK).min_by_key(far) } else { any(verbs::ATTACK, dice) };
            if let Some(c) = attack {
                self.attacks += 1;
                return c;
            }
        }
        let first = of(verbs::PLACE).next().filter(|_| of(verbs::DONE).next().is_none());
        let quiet = first.or_else(|| of(verbs::YIELD).next().filter(|_| flees || dice.below(2) == 0));
        if let Some(c) = quiet.or_else(|| of(verbs::DONE).next()).or_else(|| of(verbs::PASS).next()) {
            return c;
        }
        list[dice.below(list.len())]
    }
}
