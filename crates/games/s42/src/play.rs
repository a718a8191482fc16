//! The door of the position: which room of the rules answers a question, judges a choice, plays it.

use crate::state::{Cx, Frame, Pos, Step};
use crate::verbs;
use game::{Choice, Illegal, Object, Question, Todo};
use hex::Hex;
use table::{Rule, Side, Unit};
use text::count;

impl Pos {
    /// Choices of a phase with no frame open.
    pub fn phase_choices(&self, out: &mut Vec<Choice>) {
        match self.s.step {
            Step::Initial(s) => self.list_initial(s, out),
            Step::Move(s) => self.list_movement(s, out),
            Step::PreMove => self.list_movement(Side::Two, out),
            Step::Fight(s) => self.list_fight(s, out),
            Step::Recovery(s) => self.list_recovery(s, out),
            Step::Railheads => self.list_railheads(out),
            Step::Supply(s) => self.list_supply(s, out),
            Step::Weather | Step::Victory => out.push(Choice::button(verbs::DONE)),
            Step::Over => {}
        }
    }

    /// Every legal choice.
    pub fn all_choices(&self, out: &mut Vec<Choice>) {
        if self.s.end.is_some() {
            return;
        }
        match self.s.frames.last().copied() {
            None => self.phase_choices(out),
            Some(Frame::Hand) => self.list_hand(out),
            Some(Frame::Overstack { hex, side }) => self.list_overstack(hex, side, out),
            Some(Frame::Assign | Frame::Removals | Frame::Offensive) => self.list_owed(out),
            Some(Frame::Emerge { hex }) => self.list_emerge(hex, out),
            Some(Frame::MakeWay { from }) => self.list_make_way(from, out),
            Some(f) => self.list_combat(f, out),
        }
    }

    /// Whether a choice is listed.
    fn listed(&self, c: &Choice) -> bool {
        let mut all = Vec::new();
        self.all_choices(&mut all);
        all.contains(c)
    }

    /// Judges a choice.
    pub fn judge(&self, c: &Choice) -> Option<Illegal> {
        if self.s.end.is_some() {
            return Some(Illegal::new(Rule("24.2"), "the game is over"));
        }
        if let Some(i) = self.unknown(c) {
            return Some(i);
        }
        match self.s.frames.last().copied() {
            Some(Frame::Hand) => return self.why_not_hand(c),
            Some(f @ Frame::Fight(_)) => return self.why_not_combat(f, c),
            Some(_) => {}
            None => match (self.s.step, c.verb, c.object) {
                (Step::Move(s), verbs::PICK, Object::Unit(u)) => return self.why_not_pick(s, u),
                (Step::PreMove, verbs::PICK, Object::Unit(u)) => return self.why_not_pick(Side::Two, u),
                (Step::Move(_) | Step::PreMove, verbs::DONE, Object::Nothing) => return None,
                (Step::Move(s), verbs::SHATTER, Object::Hex(h)) => return self.why_not_shatter(s, h),
                (Step::Fight(s), ..) => return self.why_not_fight(s, c),
                (Step::Recovery(s), ..) => return self.why_not_recovery(s, c),
                _ => {}
            },
        }
        if self.listed(c) { None } else { Some(self.reason(c)) }
    }

    /// A unit or hex that this game does not have.
    fn unknown(&self, c: &Choice) -> Option<Illegal> {
        let unit = match c.object {
            Object::Unit(u) | Object::At(u, _) | Object::Into(u, _) => Some(u),
            _ => None,
        };
        if unit.is_some_and(|u| u.ix() >= self.data.sides.len()) {
            return Some(Illegal::new(Rule("2.1"), "there is no such unit"));
        }
        let hex = match c.object {
            Object::Hex(h) | Object::At(_, h) => Some(h),
            Object::Route(r) => Some(r.start()),
            _ => None,
        };
        if hex.is_some_and(|h| !self.data.map.grid().has(h)) {
            return Some(Illegal::new(Rule("2.2"), "there is no such hex"));
        }
        None
    }

    /// Why a choice is not among those of a phase.
    fn reason(&self, c: &Choice) -> Illegal {
        match (self.s.frames.last(), self.s.step, c.verb) {
            (Some(Frame::Overstack { .. }), ..) => {
                Illegal::new(Rule("4.4"), "remove a Combat Unit of the overfull hex")
            }
            (Some(Frame::Emerge { .. }), ..) => Illegal::new(
                Rule("34.6.2"),
                "up to three units of the Reserve Army that may stack there stand: one at least",
            ),
            (None, Step::Initial(s), _) => self.reason_initial(s, c),
            (None, Step::Railheads, verbs::REPAIR) => Illegal::new(
                Rule("17.2.1"),
                "a Railhead on a Connecting Rail Hex moves one or two hexes along a green line, clear of the enemy, and four do so in a turn",
            ),
            (None, Step::Move(_), verbs::FLOTILLA) => Illegal::new(
                Rule("5.5.3"),
                "the Flotilla serves one hexside of the Volga in or north of 5622",
            ),
            _ => self.not_now(c),
        }
    }

    /// A choice that this question does not offer.
    pub fn not_now(&self, c: &Choice) -> Illegal {
        let word = self.data.lexicon.verb(c.verb).word;
        Illegal::new(Rule("3.0"), format!("'{word}' is not possible now: {}", self.ask().prompt))
    }

    /// Plays a choice known to be legal.
    pub fn play_choice(&mut self, c: Choice, cx: &mut Cx<'_>) {
        if self.s.end.is_some() {
            return;
        }
        match self.s.frames.last().copied() {
            Some(Frame::Hand) if self.s.hand.is_empty() => {
                self.s.frames.pop();
            }
            Some(Frame::Hand) => self.play_hand(c, cx),
            Some(Frame::Overstack { hex, side }) => {
                if let Object::Unit(u) = c.object
                    && self.remove_overstacked(u, hex, side, cx)
                {
                    self.s.frames.pop();
                    self.after_overstack(cx);
                }
            }
            Some(Frame::Assign | Frame::Removals | Frame::Offensive) => self.play_owed(c, cx),
            Some(Frame::Emerge { hex }) => self.play_emerge(c, hex, cx),
            Some(Frame::MakeWay { from }) => self.play_make_way(c, from, cx),
            Some(f) => self.play_combat(f, c, cx),
            None => self.play_phase(c, cx),
        }
        // What the lists of these phases ask of supply must be true when they are made.
        let asks = match self.s.step {
            Step::Initial(_) | Step::Supply(_) | Step::Railheads => true,
            Step::Move(s) => s == Side::Two && self.s.assigned > 0,
            _ => false,
        };
        if asks && self.s.end.is_none() {
            self.check_supply(Side::One);
            self.check_supply(Side::Two);
        }
    }

    /// A hex is in order again: the phase goes on to its end, unless it was a combat that asked.
    fn after_overstack(&mut self, cx: &mut Cx<'_>) {
        if self.s.frames.is_empty() {
            self.next_phase(cx);
        }
    }

    fn play_phase(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (self.s.step, c.verb, c.object) {
            (Step::Initial(s), ..) => self.play_initial(s, c, cx),
            (_, verbs::DONE, _) => self.next_phase(cx),
            (Step::Move(_) | Step::PreMove, verbs::PICK, Object::Unit(u)) => self.pick(u),
            (Step::Move(s), verbs::SHATTER, Object::Hex(h)) => self.shatter(s, h, cx),
            (Step::Move(_), verbs::FLOTILLA, Object::Edge(e)) => {
                self.s.flotilla = Some(e);
                self.s.supplied.fresh[1] = false;
            }
            (Step::Move(s), verbs::RAZE, Object::Hex(h)) => self.raze(s, h, cx),
            (Step::Move(_), verbs::TRANSFER | verbs::REVEAL, _) => {
                self.play_transfer(c, cx);
            }
            (Step::Fight(s), ..) => self.play_fight(s, c, cx),
            (Step::Recovery(_), verbs::KEEP, Object::Unit(u)) => self.mark(u, crate::state::flag::KEPT),
            (Step::Railheads, verbs::REPAIR, Object::Route(r)) => self.repair(r, cx),
            (Step::Supply(_), verbs::SPEND, Object::Unit(u)) => self.spend_supply(u, cx),
            _ => {}
        }
    }

    /// What is asked, under which rule, and what is still undone.
    pub fn ask(&self) -> Question {
        let side = self.asked().unwrap_or(Side::One);
        let mut hexes: Vec<Hex> = Vec::new();
        let (rule, key, prompt) = match self.s.frames.last().copied() {
            Some(Frame::Hand) => {
                let names: Vec<&str> = self.s.hand.iter().map(|&u| self.code(u)).collect();
                hexes.extend(self.s.hand.first().and_then(|&u| self.on_map(u)));
                let m = self.mover();
                let left = match (m.normal, m.tactical) {
                    (0, 0) => "it can go no further".to_string(),
                    (0, 1) => "one hex left by Tactical Movement".to_string(),
                    (0, n) => format!("{n} hexes left by Tactical Movement"),
                    (n, _) => format!("{} left", count(table::Points::halves(n.into()), "movement point")),
                };
                ("5.1", "hand", format!("Move {}: {left}.", names.join(", ")))
            }
            Some(Frame::Overstack { hex, .. }) => {
                hexes.push(hex);
                let text = format!("{} is overfull: remove a unit.", self.data.map.called(hex));
                ("4.4", "overstack", text)
            }
            Some(f @ (Frame::Assign | Frame::Removals | Frame::Offensive)) => self.ask_owed(f),
            Some(Frame::Emerge { hex }) => {
                hexes.push(hex);
                let name = self.data.map.called(hex);
                ("34.6.2", "emerge", format!("The Axis comes upon the Reserve Army in {name}: who stands?"))
            }
            Some(Frame::MakeWay { from }) => {
                let label = self.data.box_label(from);
                (self.way_rule(from), "make-way", format!("Units leave {label}: which goes where?"))
            }
            Some(f) => self.ask_combat(f, &mut hexes),
            None => {
                let (rule, key) = match self.s.step {
                    Step::Initial(_) => ("3.0", "initial"),
                    Step::Move(_) => ("5.1", "movement"),
                    Step::PreMove => ("S2.4", "pre-move"),
                    Step::Fight(_) => ("8.1", "combat"),
                    Step::Recovery(_) => ("13.4", "recovery"),
                    Step::Railheads => ("17.2.1", "railheads"),
                    Step::Supply(_) => ("18.6.4", "supply"),
                    Step::Weather | Step::Victory | Step::Over => ("3.0", "turn"),
                };
                let what = match self.s.step {
                    Step::Initial(_) => "place what arrives, replace losses, spend Resource Points",
                    Step::Move(_) | Step::PreMove => "pick units to move",
                    Step::Fight(_) => "choose a hex to attack",
                    Step::Recovery(_) => "name those that stay in Full Retreat; the others recover",
                    Step::Railheads => "move Railheads forward",
                    Step::Supply(_) => "spend Supply Points to ready units",
                    Step::Weather | Step::Victory | Step::Over => "go on",
                };
                (rule, key, format!("{}: {what}.", self.phase_name()))
            }
        };
        Question { side, rule: Rule(rule), key, prompt, hexes, todo: self.undone(side) }
    }

    /// What is still undone in this phase.
    fn undone(&self, side: Side) -> Vec<Todo> {
        if !self.s.frames.is_empty() {
            return Vec::new();
        }
        let list = |what: &str, mut hexes: Vec<Hex>, count: usize| {
            hexes.sort_unstable();
            hexes.dedup();
            Todo { what: what.into(), count: count as u32, hexes }
        };
        match self.s.step {
            Step::Move(_) | Step::PreMove => {
                let units: Vec<Unit> = self.s.stacks.units().filter(|&u| self.may_pick(side, u)).collect();
                let hexes: Vec<Hex> = units.iter().filter_map(|&u| self.on_map(u)).collect();
                let waiting = units.iter().filter(|&&u| self.on_map(u).is_none()).count();
                let mut out = vec![list("units not moved", hexes, units.len() - waiting)];
                let over = self.overfull_hexes(side);
                if !over.is_empty() {
                    let n = over.len();
                    out.push(list("overstacked hexes that will lose units (4.4)", over, n));
                }
                if waiting > 0 {
                    out.push(list("units waiting in Entry Areas", Vec::new(), waiting));
                }
                out
            }
            Step::Initial(s) => {
                let n = self.arriving(s).count();
                let mut out = Vec::new();
                if n > 0 {
                    out.push(list("units arriving", Vec::new(), n));
                }
                if self.s.resources > 0 {
                    out.push(list("Resource Points left", Vec::new(), self.s.resources.into()));
                }
                for (kind, &n) in crate::data::KINDS.iter().zip(&self.s.replacements) {
                    if n > 0 {
                        out.push(list(&format!("{kind} replacements left"), Vec::new(), n.into()));
                    }
                }
                out
            }
            _ => Vec::new(),
        }
    }
}
