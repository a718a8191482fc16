//! Running one situation: set up, give its orders, compare, then save, load, take back and play again.

use super::expect::{Frame, compare, show};
use super::{Checked, Differs};
use crate::orders::Stopped;
use crate::session::Session;
use crate::{DiceFrom, Game, Refusal, Registry, Terms, read_journal};
use std::path::Path;
use table::Side;
use text::Files;
use toml::{Table, Value};

/// The parts of a file that are not the game's set-up.
pub const OURS: [&str; 8] = ["game", "rules", "about", "scenario", "options", "overlay", "order", "expect"];
const OF_ORDER: [&str; 6] = ["do", "side", "dice", "refused", "why", "expect"];

/// One situation being checked.
struct Run<'a> {
    text: &'a str,
    /// The owner's folder that the situation lays over our data.
    overlay: Option<Files>,
    out: Checked,
}

/// Checks one situation; `file` is its name in what is reported.
pub fn check_text(registry: &Registry, file: &str, text: &str) -> Checked {
    let out = Checked { file: file.into(), about: String::new(), rules: vec![], orders: 0, differs: vec![] };
    let mut run = Run { text, overlay: None, out };
    match toml::from_str::<Table>(text) {
        Ok(table) => run.run(registry, &table),
        Err(e) => {
            let line = e.span().map(|s| text[..s.start.min(text.len())].matches('\n').count() as u32 + 1);
            run.differs(line, "the file", "reading it", "TOML", e.message().replace('\n', "; "));
        }
    }
    run.out
}

impl Run<'_> {
    fn differs(
        &mut self,
        line: Option<u32>,
        part: &str,
        what: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        self.out.differs.push(Differs {
            line,
            part: part.into(),
            what: what.into(),
            expected: expected.into(),
            found: found.into(),
        });
    }

    /// The line of the `n`th table of a name (from 0).
    fn line(&self, header: &str, n: usize) -> Option<u32> {
        let is = |l: &str| l.trim_start().starts_with(header);
        let found = self.text.lines().enumerate().filter(|(_, l)| is(l)).nth(n);
        found.map(|(i, _)| i as u32 + 1)
    }

    fn run(&mut self, registry: &Registry, table: &Table) {
        let word = |key: &str| table.get(key).and_then(Value::as_str);
        self.out.about = word("about").unwrap_or_default().into();
        self.out.rules = strings(table.get("rules")).unwrap_or_default();
        let Some(id) = word("game") else {
            return self.differs(Some(1), "the file", "game", "the id of a game", "nothing");
        };
        let game = match registry.find(id) {
            Ok(game) => game,
            Err(what) => return self.differs(self.line("game", 0), "the file", "game", "a game", what),
        };
        let Some(mut session) = self.begin(game, table) else { return };
        let none = Vec::new();
        let orders = match table.get("order") {
            None => &none,
            Some(Value::Array(orders)) => orders,
            Some(_) => {
                let line = self.line("order", 0);
                return self.differs(line, "the file", "order", "tables [[order]]", "something else");
            }
        };
        for (i, order) in orders.iter().enumerate() {
            let line = self.line("[[order]]", i);
            let part = format!("order {}", i + 1);
            match order.as_table() {
                Some(order) => self.order(&mut session, line, &part, order),
                None => self.differs(line, &part, "order", "a table", show(order)),
            }
            self.out.orders += 1;
        }
        if let Some(expect) = table.get("expect") {
            let line = self.line("[expect", 0);
            self.expect(&session, 0, line, "the end", expect, false);
        }
        if self.out.differs.is_empty() {
            self.again(game, &session);
        }
    }

    /// The game as the file sets it up; without any set-up, from the beginning of its scenario.
    fn begin(&mut self, game: &dyn Game, table: &Table) -> Option<Session> {
        let first = || game.info().scenarios.first().map_or("", |s| &s.id);
        let mut terms = Terms::of(table.get("scenario").and_then(Value::as_str).unwrap_or_else(first));
        if let Some(options) = table.get("options").and_then(Value::as_table) {
            terms.options = options.iter().map(|(k, v)| (k.clone(), show(v))).collect();
        }
        if let Some(folder) = table.get("overlay") {
            let here = Path::new(&self.out.file).parent().unwrap_or(Path::new(""));
            match folder.as_str().map(|f| here.join(f)).filter(|f| f.is_dir()) {
                Some(folder) => self.overlay = Some(Files::folder(folder)),
                None => {
                    let line = self.line("overlay", 0);
                    self.differs(line, "the file", "overlay", "a folder beside this file", show(folder));
                    return None;
                }
            }
        }
        let overlay = self.overlay.as_ref();
        let mut setup = table.clone();
        setup.retain(|k, _| !OURS.contains(&k));
        let session = if setup.is_empty() {
            Session::start(game, &terms, overlay, DiceFrom::Scripted)
        } else {
            Session::situate(game, &terms, overlay, &setup, DiceFrom::Scripted)
        };
        match session {
            Ok(s) => {
                if let Err(what) = s.position().conserved() {
                    self.differs(None, "the set-up", "its counters", "each in one place", what);
                }
                Some(s)
            }
            Err(faults) => {
                for f in &faults {
                    self.differs(None, "the set-up", &f.file, "a set-up that the game understands", &f.what);
                }
                None
            }
        }
    }

    fn order(&mut self, s: &mut Session, line: Option<u32>, part: &str, order: &Table) {
        for key in order.keys().filter(|k| !OF_ORDER.contains(&k.as_str())) {
            self.differs(line, part, "its keys", "one of the known", text::unknown("key", key, &OF_ORDER));
        }
        let Some(texts) = strings(order.get("do")) else {
            return self.differs(line, part, "do", "an order, or a list of orders", "nothing such");
        };
        let asked = s.position().asks();
        let side = match order.get("side").and_then(Value::as_str) {
            None => asked,
            Some(id) => Side::BOTH.into_iter().find(|x| s.sides()[x.ix()].id == id),
        };
        let Some(side) = side else {
            return self.differs(line, part, "who is asked", "a side", "nobody: the game is over");
        };
        let dice = order.get("dice").map(numbers).unwrap_or(Some(vec![]));
        let Some(dice) = dice else {
            return self.differs(line, part, "dice", "a list of numbers", "something else");
        };
        let thrown_before = s.script_left();
        s.script(dice);
        let (steps, before) = (s.steps().len(), s.position().fingerprint());
        let stopped = self.give(s, side, &texts);
        match (order.get("refused"), stopped) {
            (None, None) => {}
            (None, Some(stopped)) => {
                self.differs(line, part, &texts.join("; "), "legal", format!("refused at '{stopped}'"));
            }
            (Some(rule), None) => {
                let wanted = format!("refused under {}", show(rule));
                self.differs(line, part, &texts.join("; "), wanted, "legal");
            }
            (Some(rule), Some(stopped)) => {
                self.refused(line, part, rule, order.get("why"), &stopped);
                if s.steps().len() == steps && s.position().fingerprint() != before {
                    self.differs(line, part, "the position after a refusal", "unchanged", "changed");
                }
            }
        }
        let (left, amiss) = s.script_left();
        if left > 0 {
            self.differs(line, part, "dice", "all of them rolled", format!("{left} left over"));
            s.forget_script();
        }
        if amiss > thrown_before.1 {
            let n = amiss - thrown_before.1;
            self.differs(line, part, "dice", "a fitting number for each roll", format!("{n} without one"));
        }
        if let Err(what) = s.position().conserved() {
            self.differs(line, part, "its counters", "each in one place", what);
        }
        if let Some(expect) = order.get("expect") {
            self.expect(s, steps, line, part, expect, true);
        }
        if self.out.differs.is_empty() && s.steps().len() > steps {
            self.take_back(s, side, steps, line, part);
        }
    }

    /// Gives the orders one after the other; what stops one stops all.
    fn give(&mut self, s: &mut Session, side: Side, texts: &[String]) -> Option<Stopped> {
        for t in texts {
            // A list may go on after the other side has answered: each order is given by the side that is asked,
            // beginning with the one named.
            let side = if texts.len() > 1 { s.position().asks().unwrap_or(side) } else { side };
            match s.order(side, s.question_number(), t) {
                Ok(done) => {
                    if done.stopped.is_some() {
                        return done.stopped;
                    }
                }
                Err(stopped) => return Some(stopped),
            }
        }
        None
    }

    fn refused(
        &mut self,
        line: Option<u32>,
        part: &str,
        rule: &Value,
        why: Option<&Value>,
        stopped: &Stopped,
    ) {
        let found = stopped.to_string();
        match (&stopped.refusal, rule) {
            (Refusal::Illegal(_), Value::Boolean(true)) => {}
            (Refusal::Illegal(i), rule) if rule.as_str() == Some(i.rule.0) => {}
            _ => self.differs(line, part, "refused", format!("under rule {}", show(rule)), found.clone()),
        }
        if let Some(why) = why.and_then(Value::as_str)
            && !found.contains(why)
        {
            self.differs(line, part, "why", format!("a sentence with '{why}'"), found);
        }
    }

    fn expect(
        &mut self,
        s: &Session,
        from: usize,
        line: Option<u32>,
        part: &str,
        expect: &Value,
        facts: bool,
    ) {
        let Some(expect) = expect.as_table() else {
            return self.differs(line, part, "expect", "a table", show(expect));
        };
        let mut found = Vec::new();
        compare(&Frame { session: s, from, facts }, expect, &mut found);
        for (what, expected, is) in found {
            self.differs(line, part, &what, expected, is);
        }
    }

    /// Every order is taken back where undo allows it, and given again.
    fn take_back(&mut self, s: &mut Session, side: Side, to: usize, line: Option<u32>, part: &str) {
        if s.barrier(side) > to {
            return;
        }
        let after = s.position().fingerprint();
        let before = s.position_at(to).fingerprint();
        let again: Vec<_> = s.steps()[to..].iter().map(|s| (s.side, s.choice, s.text.clone())).collect();
        if let Err(e) = s.undo(side, s.question_number(), to) {
            return self.differs(line, part, "undo", "taken back", e.to_string());
        }
        if s.position().fingerprint() != before {
            self.differs(line, part, "undo", "the position before the order", "another");
        }
        for (side, choice, text) in again {
            if let Err(e) = s.play(side, s.question_number(), choice) {
                return self.differs(
                    line,
                    part,
                    &format!("'{text}' after undo"),
                    "legal again",
                    e.to_string(),
                );
            }
        }
        if s.position().fingerprint() != after {
            self.differs(line, part, "the order given again after undo", "the same position", "another");
        }
    }

    /// What passed is saved, loaded and replayed, and its position written and read back.
    fn again(&mut self, game: &dyn Game, s: &Session) {
        let text = s.journal().text();
        let reading = match read_journal("journal", text.as_bytes()) {
            Ok(r) => r,
            Err(e) => return self.differs(None, "saving", "its journal", "readable", e.to_string()),
        };
        let overlay = self.overlay.clone();
        match Session::load(game, overlay.as_ref(), "journal", &reading.journal, None) {
            Err(e) => self.differs(None, "saving", "its journal replayed", "the same game", e.to_string()),
            Ok(back) => {
                if back.position().fingerprint() != s.position().fingerprint() {
                    self.differs(None, "saving", "its journal replayed", "the same position", "another");
                }
            }
        }
        match game.restore(s.terms(), overlay.as_ref(), &s.position().state()) {
            Ok(p) if p.fingerprint() == s.position().fingerprint() => {}
            Ok(_) => self.differs(None, "saving", "its state read back", "the same position", "another"),
            Err(e) => self.differs(None, "saving", "its state read back", "the same position", e.to_string()),
        }
    }
}

/// A string, or a list of strings.
pub(super) fn strings(v: Option<&Value>) -> Option<Vec<String>> {
    match v? {
        Value::String(s) => Some(vec![s.clone()]),
        Value::Array(a) => a.iter().map(|s| s.as_str().map(String::from)).collect(),
        _ => None,
    }
}

fn numbers(v: &Value) -> Option<Vec<u32>> {
    v.as_array()?.iter().map(|n| n.as_integer().and_then(|n| u32::try_from(n).ok())).collect()
}
