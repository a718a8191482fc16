//! The door of the position: which room of the rules answers a question, judges a choice, plays it.

use crate::data::boxes;
use crate::state::{Cx, Frame, Pos, Step};
use crate::verbs;
use game::{Choice, Illegal, Object, Question, Todo};
use hex::Hex;
use table::{Place, Rule, Side, Unit};
use text::count;

impl Pos {
    /// Choices of a phase with no frame open.
    pub fn phase_choices(&self, out: &mut Vec<Choice>) {
        match self.s.step {
            Step::SetUpSoviet => self.soviet_set_up_choices(out),
            Step::SetUpGerman => self.german_set_up_choices(out),
            Step::Callout => self.callout_choices(out),
            Step::Arrivals => self.arrival_choices(out),
            Step::Orders => self.order_choices(out),
            Step::Refit => self.refit_choices(out),
            Step::Commit => self.support_choices(Side::One, out),
            Step::Hedgehogs => self.hedgehog_choices(out),
            Step::Reserve => {
                self.entry_choices(boxes::RVGK, out);
                out.push(Choice::button(verbs::DONE));
            }
            Step::CommitSoviet => self.support_choices(Side::Two, out),
            Step::Sea => self.sea_choices(out),
            Step::Move(_) => self.movement_choices(out),
            Step::Fight(side) => self.fight_choices(side, out),
            Step::Pause => self.pause_choices(out),
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
            Some(Frame::Security) => self.security_choices(out),
            Some(Frame::Concentrating) => self.concentrate_choices(out),
            Some(Frame::Withdrawing { row, .. }) => self.withdrawal_choices(row, out),
            Some(Frame::Hand) => self.hand_choices(out),
            Some(Frame::Round { .. }) => Pos::round_choices(out),
            Some(Frame::Preparing { hex }) => self.preparing_choices(self.side_to_act(), hex, out),
            Some(Frame::Losses) => self.loss_choices(out),
            Some(Frame::Advancing { hex }) => self.advance_choices(hex, out),
            Some(Frame::Overfull { hex, .. }) => {
                out.extend(self.at(hex).map(|u| Choice::unit(verbs::REMOVE, u)));
            }
        }
    }

    /// The side whose player turn it is.
    pub fn side_to_act(&self) -> Side {
        match self.s.step {
            Step::Move(s) | Step::Fight(s) => s,
            _ => self.asked().unwrap_or(Side::One),
        }
    }

    /// Judges a choice.
    pub fn judge(&self, c: &Choice) -> Option<Illegal> {
        if self.s.end.is_some() {
            return Some(Illegal::new(Rule("4.5"), "the game is over"));
        }
        match self.s.frames.last().copied() {
            Some(Frame::Hand) => return self.why_not_hand(c),
            Some(Frame::Preparing { hex }) => return self.why_not_preparing(self.side_to_act(), hex, c),
            Some(Frame::Losses) => return self.why_not_loss(c),
            Some(Frame::Advancing { hex }) => {
                return match (c.verb, c.object) {
                    (verbs::ADVANCE, Object::Unit(u)) => self.why_not_advance(u, hex),
                    (verbs::DONE, Object::Nothing) => None,
                    _ => Some(Illegal::new(Rule("14.39"), "decide on the advance first")),
                };
            }
            None => match (self.s.step, c.verb, c.object) {
                (Step::Move(side), verbs::PICK, Object::Unit(u)) => return self.why_not_pick(side, u),
                (Step::Move(_), verbs::SHIFT, Object::Unit(u)) => return self.why_not_shift(u),
                (Step::Fight(side), verbs::ATTACK, Object::Hex(h)) => return self.why_not_target(side, h),
                (Step::Move(_) | Step::Fight(_), verbs::DONE, Object::Nothing) => return None,
                (Step::SetUpSoviet | Step::SetUpGerman, verbs::FILL, Object::Nothing) => return None,
                (Step::SetUpSoviet | Step::SetUpGerman, verbs::PLACE, Object::At(u, h)) => {
                    let ok = self.may_set_up(u, Place::Hex(h));
                    return (!ok).then(|| self.why_not_set_up(u, Place::Hex(h)));
                }
                (Step::SetUpSoviet | Step::SetUpGerman, verbs::PLACE, Object::Into(u, b)) => {
                    let ok = self.may_set_up(u, Place::Box(b));
                    return (!ok).then(|| self.why_not_set_up(u, Place::Box(b)));
                }
                _ => {}
            },
            _ => {}
        }
        let mut all = Vec::new();
        self.all_choices(&mut all);
        if all.contains(c) { None } else { Some(self.reason(c)) }
    }

    /// Why a choice is not among those of a phase.
    fn reason(&self, c: &Choice) -> Illegal {
        let unit = |u: Unit| self.code(u);
        match (self.s.step, c.verb, c.object) {
            (Step::Arrivals | Step::Reserve, verbs::PLACE, Object::At(u, h)) => self.why_not_entry(u, h),
            (Step::Arrivals, verbs::HOLD, Object::Unit(u)) => {
                let full = format!("the RVGK is full, or {} is not arriving", unit(u));
                Illegal::new(Rule("8.1"), full)
            }
            (Step::Arrivals, verbs::DONE, _) => {
                Illegal::new(Rule("8.7"), "units are still waiting: place them, or hold them in the RVGK")
            }
            (Step::Arrivals, verbs::CONVERT, Object::Unit(u)) => {
                let why = format!(
                    "{} cannot become Guards now: type, supply, enemies beside it, or a tried unit comes first",
                    unit(u)
                );
                Illegal::new(Rule("8.11"), why)
            }
            (_, verbs::WITHDRAW, Object::Unit(u)) => {
                let owed = match self.s.frames.last() {
                    Some(&Frame::Withdrawing { row, .. }) => self.why_not_owed(row, u),
                    _ => None,
                };
                owed.unwrap_or_else(|| self.not_now(c))
            }
            (Step::Refit, verbs::REPLACE, Object::Unit(u)) => {
                self.why_not_replace(u).unwrap_or_else(|| self.not_now(c))
            }
            (Step::Refit, verbs::REFIT, Object::Unit(u)) => {
                self.why_not_refit(u).unwrap_or_else(|| self.not_now(c))
            }
            (Step::SetUpSoviet | Step::SetUpGerman, verbs::DONE, _) => {
                let left =
                    self.boxed(boxes::TRAY).filter(|&v| Some(self.info(v).side) == self.asked()).count();
                let rule = if self.s.step == Step::SetUpSoviet { "3.2" } else { "3.7" };
                Illegal::new(Rule(rule), format!("still to be set up: {}", count(left, "unit")))
            }
            (Step::Arrivals | Step::Reserve, verbs::PLACE, Object::Into(u, _)) => {
                let why = format!("{} is a tank or motorized division, or is not waiting to enter", unit(u));
                Illegal::new(Rule("11.1"), why)
            }
            (Step::Callout, verbs::ARKO, _) => Illegal::new(
                Rule("14.41"),
                "the ArKo appears once, in a German-controlled city or large town in supply, not beside Soviet units",
            ),
            (Step::Callout, verbs::SECURITY, _) => Illegal::new(
                Rule("8.21"),
                "no three security divisions are left, or no German town in supply has room",
            ),
            (Step::Pause, verbs::PAUSE, _) => {
                Illegal::new(Rule("9.19"), "a pause is declared once, at the end of turn 2 or turn 3")
            }
            (_, verbs::MARK, Object::Unit(_)) if self.s.concentrated => Illegal::new(
                Rule("9.20"),
                "concentrated supply goes to eighteen units on the map, once to each",
            ),
            (Step::CommitSoviet, verbs::SUPPORT, Object::At(_, h)) if self.enemy_at(Side::One, h) => {
                Illegal::new(Rule("10.4"), "the interceptors stay within ten hexes of Moscow")
            }
            (Step::Commit | Step::CommitSoviet, verbs::SUPPORT, _) => Illegal::new(
                Rule("10.2"),
                "aircraft go to a stack of their own side, one to a hex, once in a commitment phase",
            ),
            (Step::Hedgehogs | Step::Move(Side::One), verbs::HEDGEHOG, _) => Illegal::new(
                Rule("14.40"),
                "a hedgehog needs a town and a German unit, and forms before German movement in December",
            ),
            (Step::Orders, verbs::AIRLIFT, _) => Illegal::new(
                Rule("9.18"),
                "aerial supply goes to two German-side hexes, one marker each, and not while supply is concentrated",
            ),
            (Step::Sea, verbs::SAIL | verbs::INVADE, Object::At(u, h)) => {
                self.why_not_sail(u).unwrap_or_else(|| {
                    let name = self.data.map.called(h);
                    if c.verb == verbs::SAIL {
                        return Illegal::new(Rule("11.2"), format!("{} cannot sail to {name}", unit(u)));
                    }
                    let why = if self.s.invaded.is_some() && self.s.invaded != h {
                        "one hex may be invaded in a player turn".to_string()
                    } else {
                        format!("{name} is no coast for invasions, or has no room for {}", unit(u))
                    };
                    Illegal::new(Rule("11.4"), why)
                })
            }
            _ => self.not_now(c),
        }
    }

    /// A choice that this question does not offer.
    fn not_now(&self, c: &Choice) -> Illegal {
        let word = self.data.lexicon.verb(c.verb).word;
        Illegal::new(Rule("5.2"), format!("'{word}' is not possible now: {}", self.ask().prompt))
    }

    /// Plays a choice known to be legal.
    pub fn play_choice(&mut self, c: Choice, cx: &mut Cx<'_>) {
        if self.s.end.is_some() {
            return;
        }
        match self.s.frames.last().copied() {
            Some(Frame::Security) => self.play_security(c),
            Some(Frame::Concentrating) => self.play_concentrate(c),
            Some(Frame::Withdrawing { .. }) => {
                self.play_withdrawal(c, cx);
                if self.s.frames.is_empty() {
                    self.skip_if_empty(cx);
                }
            }
            Some(Frame::Hand) => self.play_hand(c, cx),
            Some(Frame::Round { hex }) => self.play_round(hex, c, cx),
            Some(Frame::Preparing { hex }) => self.play_preparing(self.side_to_act(), hex, c, cx),
            Some(Frame::Losses) => self.play_loss(c, cx),
            Some(Frame::Advancing { hex }) => self.play_advance(hex, c, cx),
            Some(Frame::Overfull { hex, .. }) => {
                if let Object::Unit(u) = c.object {
                    self.eliminate(u);
                    self.ground_air();
                }
                if self.fits(&self.load_of(self.at(hex)), hex) || self.at(hex).next().is_none() {
                    self.s.frames.pop();
                    self.next_phase(cx);
                }
            }
            None => self.play_phase(c, cx),
        }
        if self.s.end.is_none()
            && self.s.frames.is_empty()
            && matches!(self.s.step, Step::Fight(_))
            && c.verb != verbs::DONE
        {
            self.skip_if_empty(cx);
        }
    }

    /// Goes on when the phase has nothing left to decide.
    fn skip_if_empty(&mut self, cx: &mut Cx<'_>) {
        let empty = match self.s.step {
            Step::Fight(side) => self.targets(side).next().is_none(),
            _ => {
                let mut out = Vec::new();
                self.phase_choices(&mut out);
                out.len() < 2
            }
        };
        if empty {
            self.next_phase(cx);
        }
    }

    fn play_phase(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match self.s.step {
            Step::SetUpSoviet => self.play_set_up(Side::Two, c, cx),
            Step::SetUpGerman => self.play_set_up(Side::One, c, cx),
            Step::Callout => self.play_callout(c, cx),
            Step::Arrivals => {
                self.play_arrivals(c, cx);
                if self.s.step == Step::Arrivals {
                    self.skip_if_empty(cx);
                }
            }
            Step::Orders => self.play_orders(c, cx),
            Step::Refit => self.play_refit(c, cx),
            Step::Commit | Step::CommitSoviet => self.play_support(c, cx),
            Step::Hedgehogs => self.play_hedgehogs(c, cx),
            Step::Reserve => match (c.verb, c.object) {
                (verbs::PLACE, Object::At(u, h)) => self.set_down(u, h),
                (verbs::PLACE, Object::Into(u, b)) => {
                    self.into_box(u, b);
                    self.mark(u, crate::state::flag::BOXED);
                }
                _ => self.next_phase(cx),
            },
            Step::Sea => self.play_sea(c, cx),
            Step::Move(_) => match (c.verb, c.object) {
                (verbs::PICK, Object::Unit(u)) => self.pick(u),
                (verbs::SHIFT, Object::Unit(u)) => {
                    let north = self.s.stacks.place(u) == Place::Box(boxes::OKH_NORTH);
                    self.into_box(u, if north { boxes::TO_SOUTH } else { boxes::TO_NORTH });
                }
                _ => self.next_phase(cx),
            },
            Step::Fight(_) => match (c.verb, c.object) {
                (verbs::ATTACK, Object::Hex(hex)) => {
                    self.s.attackers.clear();
                    self.s.frames.push(Frame::Preparing { hex });
                }
                _ => self.next_phase(cx),
            },
            Step::Pause => self.play_pause(c, cx),
            Step::Over => {}
        }
    }

    /// What is asked, under which rule, and what is still undone.
    pub fn ask(&self) -> Question {
        let side = self.asked().unwrap_or(Side::One);
        let mut hexes: Vec<Hex> = Vec::new();
        let (rule, key, prompt) = match self.s.frames.last().copied() {
            Some(Frame::Security) => ("8.21", "security", "Place the security divisions.".to_string()),
            Some(Frame::Concentrating) => {
                ("9.20", "concentrate", "Choose up to eighteen units for concentrated supply.".to_string())
            }
            Some(Frame::Withdrawing { row, left }) => {
                let label =
                    self.data.charts.withdrawals.get(usize::from(row)).map_or("", |w| w.label.as_str());
                ("8.16", "withdrawal", format!("Withdraw {left} {label}, or decline for a VP each."))
            }
            Some(Frame::Hand) => {
                let names: Vec<&str> = self.s.hand.iter().map(|&u| self.code(u)).collect();
                hexes.extend(self.hand_hex());
                let left = self.mover().left;
                (
                    "12.1",
                    "hand",
                    format!("Move {}: {} left.", names.join(", "), count(left, "movement point")),
                )
            }
            Some(Frame::Round { hex }) => {
                hexes.push(hex);
                ("15.6", "round", "Assault again, or fall back?".to_string())
            }
            Some(Frame::Preparing { hex }) => {
                hexes.push(hex);
                let text = format!(
                    "Who attacks {}? Once the odds are computed there is no going back.",
                    self.data.map.called(hex)
                );
                ("14.3", "assault", text)
            }
            Some(Frame::Losses) => self.ask_losses(&mut hexes),
            Some(Frame::Advancing { hex }) => {
                hexes.push(hex);
                ("14.39", "advance", format!("Who advances into {}?", self.data.map.called(hex)))
            }
            Some(Frame::Overfull { hex, .. }) => {
                hexes.push(hex);
                (
                    "6.2",
                    "overfull",
                    format!("{} holds too many enemy units: remove one.", self.data.map.called(hex)),
                )
            }
            None => self.ask_phase(),
        };
        let todo = if self.s.frames.is_empty() { self.todo(side) } else { Vec::new() };
        Question { side, rule: Rule(rule), key, prompt, hexes, todo }
    }

    /// What `done` would do now: it ends a phase in one place and declines an advance in another.
    pub fn done_note(&self) -> String {
        match self.s.frames.last() {
            Some(&Frame::Advancing { hex }) if self.at(hex).next().is_some() => "nobody else advances".into(),
            Some(Frame::Advancing { .. }) => "nobody advances".into(),
            Some(_) => "no more of these".into(),
            None => format!("ends: {}", self.phase_name()),
        }
    }

    /// What the question on losses asks.
    pub fn ask_losses(&self, hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        let Some(b) = self.s.battle else { return ("14.32", "loss", String::new()) };
        hexes.push(b.hex);
        let defending = b.defender_owes > 0;
        let owes = if defending { b.defender_owes } else { b.attacker_owes };
        let points = f64::from(owes) / 2.0;
        let who = if defending { "defenders" } else { "attackers" };
        let losses = if owes > 2 { "losses" } else { "loss" };
        let retreat = if defending && b.retreat { " The last of them may be a retreat." } else { "" };
        (
            "14.35",
            "loss",
            format!("The {who} at {} owe {points} {losses}.{retreat}", self.data.map.called(b.hex)),
        )
    }

    fn ask_phase(&self) -> (&'static str, &'static str, String) {
        let (rule, key, text) = match self.s.step {
            Step::SetUpSoviet => {
                ("3.2", "set-up", "Set up the Soviet side: place units in their zones, or fill the rest.")
            }
            Step::SetUpGerman => {
                ("3.7", "set-up", "Set up the German side in the ZOMO and the OKH areas, or fill the rest.")
            }
            Step::Callout => ("8.21", "callout", "Call out security divisions or the siege artillery?"),
            Step::Arrivals => {
                ("8.7", "arrivals", "Place the arriving units, hold up to ten in the RVGK, raise Guards.")
            }
            Step::Orders => ("9.18", "orders", "Give air supply, concentrate supply, or go on."),
            Step::Refit => ("8.14", "refit", "Replace and refit reduced divisions."),
            Step::Commit => ("10.2", "support", "Commit the aircraft to stacks."),
            Step::Hedgehogs => ("14.40", "hedgehogs", "Form hedgehogs?"),
            Step::Reserve => ("8.1", "reserve", "Bring units in from the RVGK?"),
            Step::CommitSoviet => ("10.4", "support", "Commit the aircraft to a stack near Moscow."),
            Step::Sea => ("11.2", "sea", "Move up to five units by sea, before land movement."),
            Step::Move(_) => ("12.2", "movement", "Pick a unit to move, or end the phase."),
            Step::Fight(_) => ("14.5", "combat", "Choose a hex to attack, or end the phase."),
            Step::Pause => ("9.19", "pause", "Declare a pause of three couplets to be rid of the GAS line?"),
            Step::Over => ("4.5", "over", "The game is over."),
        };
        (rule, key, text.to_string())
    }

    /// What is still undone in a phase.
    fn todo(&self, side: Side) -> Vec<Todo> {
        let list = |what: &str, hexes: Vec<Hex>, count: usize| Todo {
            what: what.into(),
            count: count as u32,
            hexes,
        };
        match self.s.step {
            Step::SetUpSoviet | Step::SetUpGerman => self.set_up_todo(),
            Step::Move(_) => {
                let mut hexes = Vec::new();
                let (mut n, mut okh) = (0, 0);
                for u in self.s.stacks.units() {
                    if self.may_pick(side, u) {
                        match self.on_map(u) {
                            Some(h) => {
                                n += 1;
                                if hexes.last() != Some(&h) {
                                    hexes.push(h);
                                }
                            }
                            None => okh += 1,
                        }
                    }
                }
                hexes.sort_unstable();
                hexes.dedup();
                let mut out = vec![list("units not moved", hexes, n)];
                if okh > 0 {
                    out.push(list("units waiting in the OKH areas", Vec::new(), okh));
                }
                out
            }
            Step::Fight(_) => {
                let hexes: Vec<Hex> = self.targets(side).collect();
                let n = hexes.len();
                vec![list("attacks possible", hexes, n)]
            }
            Step::Arrivals => {
                let n = self.boxed(boxes::ARRIVING).count();
                let guards: u8 = self.s.conversions.iter().sum();
                let mut out = vec![list("units arriving", Vec::new(), n)];
                if guards > 0 {
                    out.push(list("Guards to raise", Vec::new(), guards.into()));
                }
                out
            }
            Step::Reserve => vec![list("units in the RVGK", Vec::new(), self.boxed(boxes::RVGK).count())],
            Step::Commit | Step::CommitSoviet => {
                let idle = (0..self.airs()).filter(|&i| self.air_side(i) == side && !self.s.air[i].is_some());
                vec![list("air units at base", Vec::new(), idle.count())]
            }
            _ => Vec::new(),
        }
    }
}
