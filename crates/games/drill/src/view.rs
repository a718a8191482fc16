//! What each pair of eyes sees: the view and the layers over the map.

use crate::NAMES;
use crate::data::{BOXES, CAMP, LOST, RESERVE};
use crate::state::{Exercise, Frame};
use crate::units::Units;
use game::{
    BoxView, ControlView, Eyes, OutcomeView, Overlay, Question, StackView, Todo, TrackView, UnitView, View,
};
use hex::Hex;
use table::{BoxId, Points, Rule, Side, Unit};
use text::count;

/// The layers that the drill offers.
pub(crate) const OVERLAYS: &[(&str, &str)] = &[
    ("supply", "Where each side can trace supply, and the way it takes"),
    ("zoc", "Zones of control"),
    ("control", "Who holds the towns"),
    ("threat", "Where the enemy could be after his next movement phase"),
];

impl Exercise {
    pub(crate) fn question_now(&self) -> Question {
        let side = self.asked().unwrap_or(Side::One);
        let mut q = Question {
            side,
            rule: Rule("3.2"),
            key: "over",
            prompt: String::new(),
            hexes: Vec::new(),
            todo: Vec::new(),
        };
        let mut ask = |rule, key, prompt: String, hexes: Vec<Hex>| {
            (q.rule, q.key, q.prompt, q.hexes) = (Rule(rule), key, prompt, hexes);
        };
        let name = |h| self.data.hex_name(h);
        let at =
            |units: crate::units::Units| units.iter().filter_map(|u| self.stacks.hex(u)).collect::<Vec<_>>();
        match self.top() {
            Frame::Hide => {
                let hexes = at(self.data.concealed);
                ask("2.3", "hide", "Which of your concealed counters is the Guards?".into(), hexes);
            }
            Frame::Deploy(_) => {
                ask("2.2", "deploy", "Place your units in your camp.".into(), Vec::new());
                let n = self.to_place(side).count() as u32;
                q.todo.push(Todo { what: "units to place".into(), count: n, hexes: Vec::new() });
            }
            Frame::Arrivals => {
                ask("5.1", "arrivals", "Bring in your reinforcement, or let it wait.".into(), Vec::new());
                let hexes = self.due().flat_map(|(_, h)| h.iter()).collect();
                let n = self.due().count() as u32;
                q.todo.push(Todo { what: "reinforcements waiting".into(), count: n, hexes });
            }
            Frame::Movement => {
                ask("6.1", "movement", "Pick a unit to move, or end your movement.".into(), Vec::new());
                let units: Vec<_> = self.on_map(side).filter(|&u| !self.moved.has(u)).collect();
                let mut hexes: Vec<_> = units.iter().filter_map(|&u| self.stacks.hex(u)).collect();
                hexes.sort();
                hexes.dedup();
                q.todo.push(Todo { what: "units not moved".into(), count: units.len() as u32, hexes });
            }
            Frame::Moving(units) => {
                let prompt = format!("Where {} go?", self.doing(units));
                ask("6.1", "go", prompt, at(units));
            }
            Frame::Combat => {
                ask("8.1", "combat", "Choose a hex to attack, or end your turn.".into(), Vec::new());
                let hexes: Vec<_> = self.targets().collect();
                q.todo.push(Todo { what: "attacks possible".into(), count: hexes.len() as u32, hexes });
            }
            Frame::Battle(h, with) => {
                let prompt = if with.is_empty() {
                    format!("Who attacks {}?", name(h))
                } else {
                    format!("Attack {} with {}: add a unit or throw the die.", name(h), self.codes(with))
                };
                ask("8.2", "battle", prompt, vec![h]);
            }
            Frame::Losses(_, n, among) => {
                let prompt = format!("Which unit loses a step? {n} to lose.");
                ask("8.8", "losses", prompt, at(among));
            }
            Frame::Retreat(units, _) => {
                let prompt = format!("Where {} retreat?", self.doing(units));
                ask("8.9", "retreat", prompt, at(units));
            }
            Frame::Advance(h, _) => {
                ask("8.11", "advance", format!("Who advances into {}?", name(h)), vec![h]);
            }
            Frame::Over(_) => {}
        }
        q
    }

    /// `does 1Inf`, `do 1Inf, 2Inf`.
    fn doing(&self, units: Units) -> String {
        format!("{} {}", if units.count() == 1 { "does" } else { "do" }, self.codes(units))
    }

    pub(crate) fn phase_name(&self) -> &'static str {
        match self.frames.first() {
            Some(Frame::Hide) => "Hiding the Guards",
            Some(Frame::Deploy(_)) => "Setting up",
            Some(Frame::Arrivals) => ["Blue arrivals", "Red arrivals"][self.active.ix()],
            Some(Frame::Movement) => ["Blue movement", "Red movement"][self.active.ix()],
            Some(Frame::Combat) => ["Blue combat", "Red combat"][self.active.ix()],
            _ => "The end",
        }
    }

    fn unit_view(&self, u: Unit, eyes: Eyes) -> UnitView {
        let c = &self.data.counters[u.ix()];
        let face = self.face(u);
        let hidden = self.face_down(u);
        let knows = !hidden || (eyes.sees(c.side) && self.real.is_some());
        let mut v = UnitView::of(c, face.to_string(), (self.steps[u.ix()], c.steps() as u8));
        if self.data.concealed.has(u) {
            if knows {
                let what = if self.is_decoy(u) { &self.data.decoy } else { &self.data.real };
                (v.name, v.kind) = (what.name.clone(), what.kind.clone());
                v.size = what.size.symbol().into();
            } else {
                v.figures = format!("?-?-{}", self.data.concealed_movement);
            }
            if hidden {
                v.status.push("concealed".into());
            }
        }
        if self.stacks.hex(u).is_none() {
            return v;
        }
        let mut status = |on: bool, word: &str| {
            if on {
                v.status.push(word.into());
            }
        };
        status(self.out_of_supply(u), "out of supply");
        if c.side == self.active {
            let moving = matches!(self.frames.first(), Some(Frame::Movement));
            status(self.moved.has(u) && moving, "moved");
            status(self.fought.has(u), "fought");
            if moving && !self.moved.has(u) {
                v.movement = Some(Points::halves(i32::from(self.allowance(u))).to_string());
            }
        }
        v
    }

    pub(crate) fn view_for(&self, eyes: Eyes) -> View {
        let lexicon = &self.data.lexicon;
        let scenario = self.scenario();
        let grid = self.data.board.grid();
        let occupied = self.stacks.occupied(Side::One) | self.stacks.occupied(Side::Two);
        let stacks = occupied.iter().map(|h| StackView {
            hex: lexicon.hex(h),
            side: self.stacks.holder(h).unwrap_or(Side::One),
            units: self.stacks.at(h).map(|u| self.unit_view(u, eyes)).collect(),
            unseen: 0,
        });
        let boxed = |b: BoxId, name: &str| BoxView {
            id: BOXES[usize::from(b.0)].into(),
            name: name.into(),
            side: None,
            units: {
                let mut units: Vec<Unit> = self.stacks.boxed(b).collect();
                units.sort();
                units.iter().map(|&u| self.unit_view(u, eyes)).collect()
            },
            unseen: 0,
        };
        let points = Side::BOTH.map(|s| {
            let note = match s {
                Side::One => format!("{} wins, {} is a draw", scenario.blue_wins, scenario.blue_wins - 1),
                Side::Two => String::new(),
            };
            let (id, name) = (crate::data::SIDES[s.ix()], NAMES[s.ix()]);
            TrackView::new(&format!("vp-{id}"), &format!("{name} points"), self.points(s), note, Some(s))
        });
        let control = self.data.towns.iter().enumerate().filter_map(|(i, &(h, _))| {
            let side = Side::BOTH.into_iter().find(|s| self.held[s.ix()] >> i & 1 != 0)?;
            Some(ControlView { hex: grid.name(h).to_string(), side })
        });
        View {
            eyes,
            turn: u32::from(self.turn),
            date: format!("Turn {} of {}", self.turn, scenario.turns),
            phase: self.phase_name().into(),
            asks: self.asked(),
            stacks: stacks.collect(),
            boxes: vec![boxed(CAMP, "To be placed"), boxed(RESERVE, "Reserve"), boxed(LOST, "Lost")],
            markers: Vec::new(),
            tracks: points.into(),
            weather: Vec::new(),
            control: control.collect(),
            outcome: self.ended().map(OutcomeView::from),
        }
    }

    /// A layer over the map. All of them follow from what both sides see, so eyes make no difference but to whom
    /// `threat` takes for the enemy.
    pub(crate) fn overlay_for(&self, eyes: Eyes, name: &str) -> Option<Overlay> {
        let mut o = Overlay::default();
        let hex = |h: Hex| self.data.lexicon.hex(h);
        let class = |s: Side| crate::data::SIDES[s.ix()].to_string();
        match name {
            "supply" => {
                for s in Side::BOTH {
                    let mut via = vec![Hex::NONE; self.data.ways.len()];
                    self.flood(s, |h, from| {
                        via[h.ix()] = from;
                        o.hexes.push((hex(h), class(s), format!("{} supply reaches here", NAMES[s.ix()])));
                    });
                    let net = self.supplied(s);
                    for h in self.stacks.occupied(s).iter() {
                        if !net.contains(h) {
                            o.hexes.push((hex(h), format!("{}-cut", class(s)), "no supply".into()));
                            continue;
                        }
                        let mut path = vec![hex(h)];
                        let mut at = h;
                        while via[at.ix()].is_some() {
                            at = via[at.ix()];
                            path.push(hex(at));
                        }
                        o.paths.push((path, class(s)));
                    }
                    o.legend.push((class(s), format!("{} supply", NAMES[s.ix()])));
                    o.legend.push((format!("{}-cut", class(s)), format!("{} out of supply", NAMES[s.ix()])));
                }
            }
            "zoc" => {
                for s in Side::BOTH {
                    for h in self.data.board.grid().hexes().filter(|&h| self.zoc(s, h)) {
                        o.hexes.push((hex(h), class(s), format!("zone of control of {}", NAMES[s.ix()])));
                    }
                    o.legend.push((class(s), format!("{} zone of control", NAMES[s.ix()])));
                }
            }
            "control" => {
                for (i, &(h, vp)) in self.data.towns.iter().enumerate() {
                    for s in Side::BOTH.into_iter().filter(|s| self.held[s.ix()] >> i & 1 != 0) {
                        o.hexes.push((
                            hex(h),
                            class(s),
                            format!("{} holds {}", NAMES[s.ix()], count(vp, "point")),
                        ));
                    }
                }
                o.legend = Side::BOTH.map(|s| (class(s), format!("held by {}", NAMES[s.ix()]))).to_vec();
            }
            "threat" => {
                let foe = match eyes {
                    Eyes::Side(s) => s.foe(),
                    _ => self.asked().unwrap_or(self.active).foe(),
                };
                let mut least = vec![u8::MAX; self.data.ways.len()];
                for u in self.on_map(foe) {
                    let Some(start) = self.stacks.hex(u) else { continue };
                    self.reach(start, self.allowance(u), |h, cost, _| {
                        least[h.ix()] = least[h.ix()].min(cost);
                    });
                }
                for h in self.data.board.grid().hexes().filter(|h| least[h.ix()] != u8::MAX) {
                    let cost = Points::halves(i32::from(least[h.ix()]));
                    o.hexes.push((hex(h), class(foe), format!("{} can be here for {cost}", NAMES[foe.ix()])));
                }
                o.legend.push((class(foe), format!("{} can move here", NAMES[foe.ix()])));
            }
            _ => return None,
        }
        Some(o)
    }
}
