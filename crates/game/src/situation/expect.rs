//! What a situation expects, compared with what is so. Everything that differs is told, not only the first.

use super::run::strings;
use crate::orders::resolve;
use crate::session::Session;
use crate::{ControlView, Eyes, Forecast, LineView, MarkerView, SumView, UnitView, View};
use table::Side;
use toml::{Table, Value};

/// What is looked at.
pub(super) struct Frame<'a> {
    pub session: &'a Session,
    /// The first choice whose story counts.
    pub from: usize,
    /// Whether a key that is nothing else is the name of a fact told.
    pub facts: bool,
}

/// What differs: what, expected, found.
pub(super) type Found = Vec<(String, String, String)>;

const KEYS: [&str; 23] = [
    "unit",
    "track",
    "control",
    "marker",
    "weather",
    "turn",
    "date",
    "phase",
    "asks",
    "question",
    "choices",
    "no_choices",
    "all_choices",
    "illegal",
    "outcome",
    "told",
    "not_told",
    "fact",
    "sum",
    "forecast",
    "overlay",
    "view",
    "unseen_by",
];

/// Compares all that a table expects.
pub(super) fn compare(f: &Frame<'_>, expect: &Table, out: &mut Found) {
    let s = f.session;
    let p = s.position();
    let view = s.view(Eyes::Referee);
    let story = s.story(Eyes::Referee, f.from, usize::MAX);
    for (key, v) in expect {
        match key.as_str() {
            "asks" => same(out, key, v, p.asks().map_or("none", |x| s.sides()[x.ix()].id)),
            "question" => same(out, key, v, if p.asks().is_some() { p.question().key } else { "none" }),
            "choices" => each(out, key, v, |c, out| legal(f, c, true, out)),
            "no_choices" => each(out, key, v, |c, out| legal(f, c, false, out)),
            "all_choices" => all_choices(s, v, out),
            "illegal" => entries(out, key, v, |c, rule, out| illegal(f, c, rule, out)),
            "outcome" => outcome(s, v, out),
            "fact" => entries(out, key, v, |name, v, out| fact(&story, name, v, out)),
            "sum" => entries(out, key, v, |name, v, out| {
                let sums = story.iter().flat_map(|l| &l.sums);
                sum(&sums.collect::<Vec<_>>(), name, v, out)
            }),
            "forecast" => {
                let eyes = p.asks().map_or(Eyes::Referee, Eyes::Side);
                forecast(p.forecast(eyes), v, out)
            }
            "overlay" => entries(out, key, v, |name, v, out| overlay(s, name, v, out)),
            "view" => entries(out, key, v, |eyes, v, out| seen(f, eyes, v, out)),
            "unseen_by" => entries(out, key, v, |eyes, v, out| {
                let mut t = Table::new();
                t.insert("no_unit".into(), v.clone());
                seen(f, eyes, &Value::Table(t), out)
            }),
            _ if of_view(s, &view, &story, key, v, out) => {}
            _ if f.facts => fact(&story, key, v, out),
            _ => push(out, key, "something to compare", text::unknown("expectation", key, &KEYS)),
        }
    }
}

fn push(out: &mut Found, what: &str, expected: impl Into<String>, found: impl Into<String>) {
    out.push((what.into(), expected.into(), found.into()));
}

/// A value as one writes it without quotes.
pub(super) fn show(v: &Value) -> String {
    match v {
        Value::String(s) => s.clone(),
        Value::Boolean(true) => "on".into(),
        Value::Boolean(false) => "off".into(),
        Value::Float(n) => number(*n),
        Value::Array(a) => a.iter().map(show).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// A number as players write it: halves and quarters as signs.
fn number(n: f64) -> String {
    let quarters = n * 4.0;
    if quarters.fract() == 0.0 && quarters.abs() < 1e6 {
        return table::Points::quarters(quarters as i32).to_string();
    }
    n.to_string()
}

fn same(out: &mut Found, what: &str, v: &Value, found: &str) {
    if show(v) != found {
        push(out, what, show(v), found);
    }
}

fn each(out: &mut Found, what: &str, v: &Value, mut f: impl FnMut(&str, &mut Found)) {
    match strings(Some(v)) {
        Some(list) => list.iter().for_each(|s| f(s, out)),
        None => push(out, what, "a word or a list of words in the situation", show(v)),
    }
}

fn entries(out: &mut Found, what: &str, v: &Value, mut f: impl FnMut(&str, &Value, &mut Found)) {
    match v.as_table() {
        Some(t) => t.iter().for_each(|(k, v)| f(k, v, out)),
        None => push(out, what, "a table in the situation", show(v)),
    }
}

/// What can be asked of any view; false for a key that is none of these.
fn of_view(s: &Session, view: &View, story: &[LineView], key: &str, v: &Value, out: &mut Found) -> bool {
    let id = |side: Side| s.sides()[side.ix()].id;
    match key {
        "unit" => entries(out, key, v, |code, v, out| unit(view, code, v, out)),
        "no_unit" => each(out, key, v, |code, out| {
            if let Some((at, _)) = find(view, code) {
                push(out, &format!("unit {code}"), "not to be seen", format!("seen at {at}"));
            }
        }),
        "track" => entries(out, key, v, |name, v, out| {
            let what = format!("track {name}");
            match view.tracks.iter().find(|t| t.id == name) {
                Some(t) if show(v) == t.value || v.as_integer().is_some_and(|n| n as f64 == t.number) => {}
                Some(t) => push(out, &what, show(v), &t.value),
                None => {
                    let ids: Vec<&str> = view.tracks.iter().map(|t| t.id.as_str()).collect();
                    push(out, &what, show(v), text::unknown("track", name, &ids));
                }
            }
        }),
        "control" => entries(out, key, v, |hex, v, out| {
            let holder = |c: &&ControlView| c.hex == hex;
            let found = view.control.iter().find(holder).map_or("none", |c| id(c.side));
            same(out, &format!("control of {hex}"), v, found);
        }),
        "marker" => entries(out, key, v, |hex, v, out| markers(view, hex, v, out)),
        "weather" => entries(out, key, v, |zone, v, out| {
            let found = view.weather.iter().find(|w| w.zone == zone).map_or("none", |w| &w.code);
            same(out, &format!("weather of {zone}"), v, found);
        }),
        "turn" => same(out, key, v, &view.turn.to_string()),
        "date" => same(out, key, v, &view.date),
        "phase" => same(out, key, v, &view.phase),
        "told" => each(out, key, v, |words, out| {
            if !story.iter().any(|l| l.text.contains(words)) {
                let all: Vec<&str> = story.iter().map(|l| l.text.as_str()).collect();
                push(out, "told", format!("a line with '{words}'"), none_or(all.join(" / ")));
            }
        }),
        "not_told" => each(out, key, v, |words, out| {
            if let Some(l) = story.iter().find(|l| l.text.contains(words)) {
                push(out, "told", format!("no line with '{words}'"), &l.text);
            }
        }),
        _ => return false,
    }
    true
}

fn none_or(s: String) -> String {
    if s.is_empty() { "nothing".into() } else { s }
}

/// A unit in a view and where it is.
fn find<'v>(view: &'v View, code: &str) -> Option<(&'v str, &'v UnitView)> {
    let stacks = view.stacks.iter().flat_map(|s| s.units.iter().map(move |u| (s.hex.as_str(), u)));
    let boxes = view.boxes.iter().flat_map(|b| b.units.iter().map(move |u| (b.id.as_str(), u)));
    stacks.chain(boxes).find(|(_, u)| u.code == code)
}

fn unit(view: &View, code: &str, v: &Value, out: &mut Found) {
    let what = format!("unit {code}");
    let found = find(view, code);
    let Some(t) = v.as_table() else {
        return same(out, &what, v, found.map_or("nowhere", |(at, _)| at));
    };
    let Some((at, u)) = found else {
        return push(out, &what, show(v), "nowhere");
    };
    for (key, v) in t {
        let what = format!("{what}, {key}");
        match key.as_str() {
            "at" => same(out, &what, v, at),
            "steps" => same(out, &what, v, &u.steps.0.to_string()),
            "figures" => same(out, &what, v, &u.figures),
            "movement" => same(out, &what, v, u.movement.as_deref().unwrap_or("none")),
            "status" => each(out, &what, v, |w, out| {
                if !u.status.iter().any(|s| s == w) {
                    push(out, &what, w, none_or(u.status.join(", ")));
                }
            }),
            "no_status" => each(out, &what, v, |w, out| {
                if u.status.iter().any(|s| s == w) {
                    push(out, &what, format!("not {w}"), u.status.join(", "));
                }
            }),
            _ => {
                let known = ["at", "steps", "figures", "movement", "status", "no_status"];
                push(out, &what, "something to compare", text::unknown("key", key, &known));
            }
        }
    }
}

fn markers(view: &View, hex: &str, v: &Value, out: &mut Found) {
    let here: Vec<&MarkerView> = view.markers.iter().filter(|m| m.hex == hex).collect();
    let kinds: Vec<String> = here.iter().map(|m| m.kind.clone()).collect();
    let what = format!("markers at {hex}");
    if show(v) == "none" {
        if !here.is_empty() {
            push(out, &what, "none", kinds.join(", "));
        }
        return;
    }
    each(out, &what, v, |kind, out| {
        if !here.iter().any(|m| m.kind == kind || m.text == kind) {
            push(out, &what, kind, none_or(kinds.join(", ")));
        }
    });
}

/// Whether a choice is legal now; a lone hex stands for a listed path that ends there.
fn legal(f: &Frame<'_>, c: &str, wanted: bool, out: &mut Found) {
    let p = f.session.position();
    let what = format!("choice '{c}'");
    if p.asks().is_none() {
        if wanted {
            push(out, &what, "legal", "the game is over");
        }
        return;
    }
    let why = match resolve(p, c) {
        Ok(choice) => p.why_not(&choice).map(|i| i.to_string()),
        Err(what) => Some(what),
    };
    match (why, wanted) {
        (Some(why), true) => push(out, &what, "legal", why),
        (None, false) => push(out, &what, "not legal", "legal"),
        _ => {}
    }
}

fn all_choices(s: &Session, v: &Value, out: &mut Found) {
    let lex = s.position().lexicon();
    let mut found: Vec<String> = s.choices().iter().map(|c| lex.write(c)).collect();
    let mut wanted = strings(Some(v)).unwrap_or_default();
    found.sort();
    wanted.sort();
    if found != wanted {
        push(out, "all choices", wanted.join(", "), none_or(found.join(", ")));
    }
}

fn illegal(f: &Frame<'_>, c: &str, rule: &Value, out: &mut Found) {
    let p = f.session.position();
    let what = format!("choice '{c}'");
    let wanted = format!("refused under rule {}", show(rule));
    match resolve(p, c).map(|c| p.why_not(&c)) {
        Ok(Some(i)) if rule.as_str() == Some(i.rule.0) || rule.as_bool() == Some(true) => {}
        Ok(Some(i)) => push(out, &what, wanted, i.to_string()),
        Ok(None) => push(out, &what, wanted, "legal"),
        Err(e) => push(out, &what, wanted, e),
    }
}

fn outcome(s: &Session, v: &Value, out: &mut Found) {
    let o = s.position().outcome();
    let winner = o.as_ref().map_or("none", |o| o.winner.map_or("draw", |w| s.sides()[w.ix()].id));
    let Some(t) = v.as_table() else { return same(out, "outcome", v, winner) };
    for (key, v) in t {
        let what = format!("outcome, {key}");
        let found = match (key.as_str(), &o) {
            ("winner", _) => winner,
            (_, None) => "none",
            ("kind", Some(o)) => o.kind,
            ("rule", Some(o)) => o.rule.0,
            ("text", Some(o)) => &o.text,
            _ => "no such key; expected winner, kind, rule or text",
        };
        same(out, &what, v, found);
    }
}

fn fact(story: &[LineView], name: &str, v: &Value, out: &mut Found) {
    let told: Vec<&str> =
        story.iter().flat_map(|l| &l.facts).filter(|(k, _)| k == name).map(|(_, v)| v.as_str()).collect();
    if told.contains(&show(v).as_str()) {
        return;
    }
    let found = if told.is_empty() {
        let mut names: Vec<&str> = story.iter().flat_map(|l| &l.facts).map(|(k, _)| k.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        format!("no such fact was told; told were {}", none_or(names.join(", ")))
    } else {
        told.join(", ")
    };
    push(out, name, show(v), found);
}

/// A sum by name: its total, or a table with `total`, `has` (terms) and `rules`.
fn sum(sums: &[&SumView], name: &str, v: &Value, out: &mut Found) {
    let named: Vec<&&SumView> = sums.iter().filter(|s| s.name == name).collect();
    let what = format!("sum {name}");
    if named.is_empty() {
        let mut names: Vec<&str> = sums.iter().map(|s| s.name.as_str()).collect();
        names.dedup();
        return push(out, &what, show(v), format!("no such sum; there are {}", none_or(names.join(", "))));
    }
    let written = |s: &SumView| {
        let terms: Vec<String> = s.terms.iter().map(|t| format!("{} {} ({})", t.what, t.n, t.rule)).collect();
        format!("{}: {}", s.total, terms.join(", "))
    };
    let fits = |s: &SumView| match v.as_table() {
        None => show(v) == s.total,
        Some(t) => t.iter().all(|(k, v)| match k.as_str() {
            "total" => show(v) == s.total,
            "has" => strings(Some(v))
                .unwrap_or_default()
                .iter()
                .all(|w| s.terms.iter().any(|t| t.what == *w || format!("{} {}", t.what, t.n) == *w)),
            "rules" => {
                strings(Some(v)).unwrap_or_default().iter().all(|r| s.terms.iter().any(|t| t.rule == *r))
            }
            _ => false,
        }),
    };
    if !named.iter().any(|s| fits(s)) {
        let all: Vec<String> = named.iter().map(|s| written(s)).collect();
        push(out, &what, show(v), all.join(" / "));
    }
}

fn forecast(found: Option<Forecast>, v: &Value, out: &mut Found) {
    let Some(t) = v.as_table() else {
        let is = if found.is_some() { "some" } else { "none" };
        return same(out, "forecast", v, is);
    };
    let Some(fc) = found else { return push(out, "forecast", show(v), "none") };
    for (key, v) in t {
        let what = format!("forecast, {key}");
        let near = |n: f64| {
            v.as_float().or(v.as_integer().map(|i| i as f64)).is_some_and(|w| (w - n).abs() < 0.0051)
        };
        let figure = |n: f64, out: &mut Found| {
            if !near(n) {
                push(out, &what, show(v), format!("{n:.4}"));
            }
        };
        match key.as_str() {
            "title" => same(out, &what, v, &fc.title),
            "hex" => same(out, &what, v, &fc.hex),
            "odds" => same(out, &what, v, &fc.odds),
            "column" => {
                let all: Vec<&str> = fc.columns.iter().map(|c| c.column.as_str()).collect();
                same(out, &what, v, &all.join(", "));
            }
            "attacker_loss" => figure(fc.attacker_loss, out),
            "defender_loss" => figure(fc.defender_loss, out),
            "taken" => figure(fc.taken, out),
            "retreat" => figure(fc.ends.retreat(), out),
            "ends" => entries(out, &what, v, |losses, v, out| {
                let said = |e: &crate::End| format!("{}/{}", e.attacker, e.defender) == losses;
                let chance = fc.ends.chance(said);
                let wanted = v.as_float().or(v.as_integer().map(|i| i as f64)).unwrap_or(-1.0);
                if (wanted - chance).abs() >= 0.0051 {
                    push(out, &format!("{what} {losses}"), show(v), format!("{chance:.4}"));
                }
            }),
            "result" => entries(out, &what, v, |code, v, out| {
                let chance: f64 = fc.results.iter().filter(|r| r.code == code).map(|r| r.chance).sum();
                let wanted = v.as_float().or(v.as_integer().map(|i| i as f64)).unwrap_or(-1.0);
                if (wanted - chance).abs() >= 0.0051 {
                    push(out, &format!("{what} {code}"), show(v), format!("{chance:.4}"));
                }
            }),
            "sum" => {
                entries(out, &what, v, |name, v, out| sum(&fc.sums.iter().collect::<Vec<_>>(), name, v, out))
            }
            _ => {
                let known = [
                    "title",
                    "hex",
                    "odds",
                    "column",
                    "attacker_loss",
                    "defender_loss",
                    "taken",
                    "retreat",
                    "ends",
                    "result",
                    "sum",
                ];
                push(out, &what, "something to compare", text::unknown("key", key, &known));
            }
        }
    }
}

fn overlay(s: &Session, name: &str, v: &Value, out: &mut Found) {
    let Some(layer) = s.position().overlay(Eyes::Referee, name) else {
        return push(out, &format!("overlay {name}"), "a layer of this game", "no such layer");
    };
    entries(out, name, v, |hex, v, out| {
        let class = layer.hexes.iter().find(|(h, _, _)| h == hex).map_or("none", |(_, c, _)| c);
        same(out, &format!("overlay {name} at {hex}"), v, class);
    });
}

/// What some eyes see.
fn seen(f: &Frame<'_>, eyes: &str, v: &Value, out: &mut Found) {
    let s = f.session;
    let whose = match eyes {
        "spectator" => Eyes::Spectator,
        "referee" => Eyes::Referee,
        id => match Side::BOTH.into_iter().find(|x| s.sides()[x.ix()].id == id) {
            Some(side) => Eyes::Side(side),
            None => {
                let ids = [s.sides()[0].id, s.sides()[1].id, "spectator", "referee"];
                return push(out, "view", "somebody's eyes", text::unknown("pair of eyes", eyes, &ids));
            }
        },
    };
    let view = s.view(whose);
    let story = s.story(whose, f.from, usize::MAX);
    let mut found = Vec::new();
    entries(&mut found, "view", v, |key, v, out| match key {
        "unseen" => entries(out, key, v, |hex, v, out| {
            let n: u32 = view.stacks.iter().filter(|st| st.hex == hex).map(|st| st.unseen).sum();
            same(out, &format!("unseen at {hex}"), v, &n.to_string());
        }),
        "lacks" => each(out, key, v, |words, out| {
            let json = serde_json::to_string(&view).unwrap_or_default();
            if json.contains(words) {
                push(out, "the view as JSON", format!("nothing with '{words}'"), "it is there");
            }
        }),
        _ if of_view(s, &view, &story, key, v, out) => {}
        _ => push(out, key, "something to compare", "a key that views do not have"),
    });
    out.extend(found.into_iter().map(|(what, e, is)| (format!("{what}, seen by {eyes}"), e, is)));
}
