//! 3.9 and section 4: control, victory points and the ends of the game; and what else entering a hex does (14.25, 14.26).

use crate::map::{Fort, NO_LINE};
use crate::state::{Cx, End, Pos, Step};
use game::{Line, Outcome};
use hex::Hex;
use table::{Rule, Side};
use text::count;

impl Pos {
    /// A side's ground units enter a hex: control, works, Moscow.
    pub fn enter(&mut self, side: Side, h: Hex, cx: &mut Cx<'_>) {
        if side == Side::One {
            self.break_works(h, cx);
        }
        self.take(side, h, cx);
    }

    /// 3.9, 4.2, 4.3: control changes at once, and VP with it.
    pub fn take(&mut self, side: Side, h: Hex, cx: &mut Cx<'_>) {
        let german = side == Side::One;
        if !self.data.map.held.contains(h) || self.s.german_held.contains(h) == german {
            return;
        }
        let before = self.worth_of(h);
        self.s.german_held.set(h, german);
        let change = self.worth_of(h) - before;
        self.s.vp += change;
        // A port gives supply only while it is Soviet.
        self.stale_supply();
        cx.say(|| {
            let (name, vp) = (self.data.map.called(h), self.s.vp);
            let who = if german { "The German side takes" } else { "The Soviet side retakes" };
            Line::new("control", Rule("3.9"), format!("{who} {name}; {vp} VP."))
                .at(h)
                .fact("vp", vp)
                .fact("change", change)
        });
        if german && self.data.map.moscow.contains(h) && self.data.map.moscow.is_subset(&self.s.german_held) {
            self.moscow_die(cx);
        }
    }

    /// What a place and, for Moscow, its other hex are worth to the German side now.
    fn worth_of(&self, h: Hex) -> i16 {
        let m = &self.data.map;
        if m.moscow.contains(h) {
            return if m.moscow.is_subset(&self.s.german_held) { m.vp[h.ix()] } else { 0 };
        }
        if self.s.german_held.contains(h) { m.vp[h.ix()] } else { 0 }
    }

    /// 4.6: the first capture of Moscow may end the war.
    fn moscow_die(&mut self, cx: &mut Cx<'_>) {
        if std::mem::replace(&mut self.s.moscow_rolled, true) {
            return;
        }
        let die = cx.dice.roll(6);
        let falls = i16::from(die) % self.data.charts.numbers.moscow_die_wins_when_multiple_of == 0;
        cx.say(|| {
            let what = if falls { "the Soviet Union collapses" } else { "the Soviet Union fights on" };
            Line::new("moscow", Rule("4.6"), format!("Moscow has fallen: die {die}, {what}."))
                .fact("moscow-die", die)
        });
        if falls {
            self.finish(End::Moscow, cx);
        }
    }

    /// 14.25, 14.26: German units abort an uncompleted line and destroy a work by entering.
    fn break_works(&mut self, h: Hex, cx: &mut Cx<'_>) {
        let m = &self.data.map;
        if self.options.beginner || m.fort[h.ix()] == Fort::None || self.s.destroyed.contains(h) {
            return;
        }
        let line = m.fort_line[h.ix()];
        if line != NO_LINE && self.s.lines[usize::from(line)] != 1 {
            return self.abort_line(usize::from(line), cx);
        }
        self.s.destroyed.insert(h);
        self.s.supplied.fresh[Side::One.ix()] = false;
        cx.say(|| {
            let text = format!("The works of {} are destroyed.", self.data.map.called(h));
            Line::new("fort", Rule("14.26"), text).at(h)
        });
    }

    fn abort_line(&mut self, line: usize, cx: &mut Cx<'_>) {
        if self.s.lines[line] == 2 {
            return;
        }
        self.s.lines[line] = 2;
        let data = self.data.clone();
        let info = &data.charts.fort_lines[line];
        cx.say(|| {
            Line::new("fort", Rule("14.25"), format!("{} will never be completed.", info.label))
                .fact("aborted", &info.name)
        });
        for other in &info.aborts {
            if let Some(i) = data.charts.fort_lines.iter().position(|l| l.name == *other)
                && self.s.lines[i] == 0
            {
                self.abort_line(i, cx);
            }
        }
    }

    /// 17.3: lines that become intact at the start of a turn, or that have one before it began.
    pub fn activate_lines(&mut self, cx: &mut Cx<'_>) {
        let data = self.data.clone();
        for (i, line) in data.charts.fort_lines.iter().enumerate() {
            if self.s.lines[i] == 0 && self.s.turn >= line.activates {
                self.s.lines[i] = 1;
                self.s.supplied.fresh[Side::One.ix()] = false;
                cx.say(|| Line::new("fort", Rule("17.3"), format!("{} is complete.", line.label)));
            }
        }
    }

    /// 17.2: the VP with which the German side wins at the end of this turn.
    pub fn vp_needed(&self) -> i16 {
        let sc = &self.data.scenarios[self.scenario];
        let own = sc
            .victory
            .as_ref()
            .and_then(|v| v.points.get(usize::from(self.s.turn.saturating_sub(sc.first_turn))).copied());
        own.unwrap_or_else(|| self.data.charts.victory[usize::from(self.s.turn) - 1])
    }

    /// IV, 4.4, 4.5: the victory check.
    pub fn victory_check(&mut self, cx: &mut Cx<'_>) {
        let zomo = &self.data.map.zomo_germany;
        let inside: i16 = self
            .s
            .stacks
            .occupied(Side::Two)
            .iter()
            .filter(|h| zomo.contains(*h))
            .map(|h| self.s.stacks.height(h) as i16)
            .sum();
        if inside > 0 {
            self.s.vp -= inside * self.data.charts.numbers.zomo_vp;
            let vp = self.s.vp;
            cx.say(|| {
                let text = format!("In Greater Germany: {}; {vp} VP.", count(inside, "Soviet unit"));
                Line::new("victory", Rule("4.4"), text).fact("vp", vp).fact("incursions", inside)
            });
        }
        let (vp, needed) = (self.s.vp, self.vp_needed());
        cx.say(|| {
            let text = format!("End of turn: {vp} VP, {needed} needed to win.");
            Line::new("victory", Rule("4.5"), text).fact("vp", vp).fact("needed", needed)
        });
        if vp >= needed {
            self.finish(End::Points, cx);
        } else if self.s.turn >= self.data.scenarios[self.scenario].last_turn {
            self.finish(End::Time, cx);
        }
    }

    /// The game ends.
    pub fn finish(&mut self, end: End, cx: &mut Cx<'_>) {
        self.s.end = Some(end);
        self.s.step = Step::Over;
        self.s.frames.clear();
        self.s.hand.clear();
        self.s.attackers.clear();
        self.s.defenders.clear();
        self.s.battle = None;
        if let Some(o) = self.how_it_ended() {
            cx.say(|| Line::new("end", o.rule, o.text).fact("end", o.kind));
        }
    }

    /// How it ended, in words.
    pub fn how_it_ended(&self) -> Option<Outcome> {
        let (winner, rule, kind, text) = match self.s.end? {
            End::Points => {
                (Side::One, "4.5", "points", format!("The German side wins with {} VP.", self.s.vp))
            }
            End::Moscow => (
                Side::One,
                "4.6",
                "moscow",
                "Moscow's fall brings the Soviet Union down: the German side wins.".into(),
            ),
            End::Time => {
                let text =
                    format!("The German side has {} VP when time runs out: the Soviet side wins.", self.s.vp);
                (Side::Two, "4.5", "time", text)
            }
        };
        Some(Outcome { winner: Some(winner), rule: Rule(rule), kind, text })
    }
}
