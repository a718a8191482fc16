//! Views, questions, forecasts and sums as text.

use crate::paint::Style;
use game::{AskView, End, Ends, Forecast, Info, SumView, TrialVerdict, UnitView, View};
use table::Side;

/// The head over a map: date, phase, counts.
pub fn head(info: &Info, view: &View, colours: bool) -> String {
    let mut out = Style::bold().paint(&format!("{}, {}", view.date, view.phase), colours);
    for t in &view.tracks {
        let note = if t.note.is_empty() { String::new() } else { format!(" ({})", t.note) };
        out.push_str(&format!("   {} {}{note}", t.name, t.value));
    }
    if let Some(o) = &view.outcome {
        let winner = o.winner.map_or("draw", |s| info.of(s).name);
        out.push_str(&format!("\n{} ({winner}, {})", o.text, o.rule));
    }
    out
}

/// A unit in a line.
pub fn unit(u: &UnitView) -> String {
    let mut out = format!("{:<6} {:<7} {}", u.code, u.figures, u.name);
    if u.steps.0 < u.steps.1 {
        out.push_str(&format!(", {} of {} steps", u.steps.0, u.steps.1));
    }
    if let Some(m) = &u.movement {
        out.push_str(&format!(", {m} MP"));
    }
    for s in &u.status {
        out.push_str(&format!(", {s}"));
    }
    out
}

/// All stacks and boxes, or only those of one hex.
pub fn stacks(info: &Info, view: &View, hex: Option<&str>) -> String {
    let mut out = String::new();
    let names = Side::BOTH.map(|s| info.of(s).name.chars().count());
    // The longer side's name, a hex of four figures, and a space on either side of it.
    let wide = names[0].max(names[1]) + 6;
    for side in Side::BOTH {
        for s in view.stacks.iter().filter(|s| s.side == side && hex.is_none_or(|h| h == s.hex)) {
            for (i, u) in s.units.iter().enumerate() {
                let place = if i == 0 { format!("{} {}", info.of(side).name, s.hex) } else { String::new() };
                out.push_str(&format!("{place:<wide$}{}\n", unit(u)));
            }
            if s.unseen > 0 {
                out.push_str(&format!("{:<wide$}and {} that cannot be seen\n", "", s.unseen));
            }
        }
    }
    for b in view.boxes.iter().filter(|b| hex.is_none() && (!b.units.is_empty() || b.unseen > 0)) {
        let codes: Vec<_> = b.units.iter().map(|u| u.code.as_str()).collect();
        let more = if b.unseen > 0 { format!(" and {} more", b.unseen) } else { String::new() };
        out.push_str(&format!("{}: {}{more}\n", b.name, codes.join(", ")));
    }
    out
}

/// A sum in a line: `attack 10: 1Inf attack 4 (8.3), ...`.
pub fn sum(s: &SumView) -> String {
    let terms: Vec<_> = s.terms.iter().map(|t| format!("{} {} ({})", t.what, t.n, t.rule)).collect();
    format!("{} {}: {}", s.name, s.total, terms.join(", "))
}

fn percent(c: f64) -> String {
    format!("{:.1}%", c * 100.0)
}

/// How a battle ends, in the columns of a table.
fn end(e: &End) -> String {
    let retreat = if e.retreat { "retreats" } else { "" };
    let hex = if e.taken { "taken" } else { "held" };
    format!("{:>8} {:>8}  {retreat:<8}  {hex}", e.attacker, e.defender)
}

const END_HEAD: &str = "attacker defender  defender  hex";

/// The ends of a battle, likeliest first, no more than so many.
pub fn ends(all: &Ends, most: usize) -> String {
    let mut list: Vec<_> = all.iter().collect();
    list.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    let mut out = format!("  chance  {END_HEAD}\n");
    for e in list.iter().take(most) {
        out.push_str(&format!("  {:>6}  {}\n", percent(e.chance), end(&e.end)));
    }
    if list.len() > most {
        let rest: f64 = list[most..].iter().map(|e| e.chance).sum();
        out.push_str(&format!("  {:>6}  {} other ends\n", percent(rest), list.len() - most));
    }
    out
}

/// Ends as foretold beside those that were played, likeliest first.
pub fn trial(v: &TrialVerdict, battles: u64) -> String {
    let mut rows = v.rows.clone();
    rows.sort_by(|a, b| b.said.total_cmp(&a.said));
    let mut out = format!("  foretold   played  errors  {END_HEAD}\n");
    for r in rows {
        let (said, found) = (100.0 * r.said, 100.0 * r.found);
        out.push_str(&format!("  {said:>7.3}% {found:>7.3}%  {:>6.2}  {}\n", r.z, end(&r.end)));
    }
    let within = if v.p >= 0.001 { "within chance" } else { "more than chance explains" };
    out.push_str(&format!(
        "  {battles} battles: the largest difference is {:.3}%, or {:.2} standard errors; chi-square p = {:.4}: {within}\n",
        100.0 * v.difference,
        v.z,
        v.p
    ));
    out
}

/// A battle before it is fought.
pub fn forecast(f: &Forecast) -> String {
    let mut out = format!("{} on {}: odds {}\n", f.title, f.hex, f.odds);
    for s in f.sums.iter().filter(|s| !s.terms.is_empty()) {
        out.push_str(&format!("  {}\n", sum(s)));
    }
    let columns = f.columns.iter().map(|c| match c.chance {
        all if all > 0.9999 => c.column.clone(),
        part => format!("{} ({})", c.column, percent(part)),
    });
    let columns: Vec<String> = columns.collect();
    out.push_str(&format!("  column {}\n", columns.join(", ")));
    for r in &f.results {
        out.push_str(&format!("  {:>6}  {:<3} {}\n", percent(r.chance), r.code, r.text));
    }
    out.push_str(&format!(
        "  expected losses: attacker {:.2} steps, defender {:.2}; hex taken {}\n",
        f.attacker_loss,
        f.defender_loss,
        percent(f.taken)
    ));
    if !f.ends.is_empty() {
        out.push_str(&format!("  defender retreats and lives {}\n", percent(f.ends.retreat())));
    }
    for n in &f.notes {
        out.push_str(&format!("  {n}\n"));
    }
    out
}

/// The choices of a question, numbered, those that match a filter, one page of them.
pub fn choices(ask: &AskView, filter: &str, page: usize, lines: usize) -> String {
    let wanted = |text: &str| filter.is_empty() || text.to_lowercase().contains(&filter.to_lowercase());
    let list: Vec<_> = ask
        .choices
        .iter()
        .enumerate()
        .filter(|(_, c)| wanted(&c.text) || c.note.as_deref().is_some_and(wanted))
        .collect();
    let pages = list.len().div_ceil(lines.max(1)).max(1);
    let page = page.min(pages - 1);
    let mut out = String::new();
    for (i, c) in list.iter().skip(page * lines).take(lines) {
        let what = if c.unit.is_none() && c.hex.is_none() { c.help.clone() } else { String::new() };
        let note = c.note.clone().unwrap_or(what);
        out.push_str(&format!("{:>4}  {:<28} {note}\n", i + 1, c.text));
    }
    if pages > 1 {
        out.push_str(&format!(
            "      page {} of {pages}, {} choices: n next, p back, /word filters\n",
            page + 1,
            list.len()
        ));
    }
    if list.is_empty() {
        out.push_str(&format!("      no choice has '{filter}'; / alone shows all\n"));
    }
    out
}
