//! `verst study`: the report of a study as a page with pictures and as tables, and what a change did.

use crate::bout::{Record, interval};
use crate::fail::{Done, Fail};
use crate::folder::{self, Manifest};
use crate::places::Places;
use crate::tables::{Table, Values};
use crate::{boards, games};
use board::Board;
use board::draw::{self, Style};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use table::Side;

/// What `verst study` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst study studies/june                          writes report.html, pictures and tables into the folder
  verst study --compare studies/june studies/rain   says what a change did, and whether that is more than chance")]
pub struct Args {
    /// The study's folder
    #[arg(required_unless_present = "compare")]
    folder: Option<PathBuf>,
    /// Compare two studies
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    compare: Vec<PathBuf>,
}

/// Draws or compares.
pub fn run(args: &Args) -> Done {
    match (&args.folder, &args.compare[..]) {
        (_, [a, b]) => compare(a, b),
        (Some(f), _) => report(f),
        _ => Err(Fail::Usage("name the folder of a study".into())),
    }
}

fn read(path: &Path) -> Result<(Manifest, Vec<Record>), Fail> {
    let manifest = folder::manifest(path)?;
    let (games, spoilt) = folder::games(path)?;
    if !spoilt.is_empty() {
        eprintln!(
            "verst: {}: {} lines are no games and are left out; `verst sim` with the same terms plays them again",
            path.display(),
            spoilt.len()
        );
    }
    if games.is_empty() {
        return Err(Fail::File(format!("{}: no game is finished yet", path.display())));
    }
    Ok((manifest, games))
}

/// Mean, and the values that a tenth lies below and above.
fn spread(mut v: Vec<f64>) -> (f64, f64, f64) {
    v.sort_by(f64::total_cmp);
    let at = |q: f64| v.get(((v.len() - 1) as f64 * q).round() as usize).copied().unwrap_or(0.0);
    let mean = v.iter().sum::<f64>() / v.len().max(1) as f64;
    if v.is_empty() { (0.0, 0.0, 0.0) } else { (mean, at(0.1), at(0.9)) }
}

/// The figures by turn: name to turn to values. Games that have ended are carried on as they ended.
fn curves(games: &[Record]) -> BTreeMap<String, BTreeMap<u32, Vec<f64>>> {
    let last = games.iter().map(|r| r.turns).max().unwrap_or(0);
    let mut out: BTreeMap<String, BTreeMap<u32, Vec<f64>>> = BTreeMap::new();
    for r in games {
        let Some(end) = r.curve.last() else { continue };
        let first = r.curve.first().map_or(1, |s| s.turn);
        for turn in first..=last {
            let s = r.curve.iter().find(|s| s.turn == turn).unwrap_or(end);
            let mut add =
                |name: String, v: f64| out.entry(name).or_default().entry(turn).or_default().push(v);
            for (k, v) in &s.tracks {
                add(k.clone(), *v);
            }
            for (i, side) in ["one", "two"].iter().enumerate() {
                add(format!("steps-{side}"), s.steps[i].into());
                add(format!("lost-{side}"), s.lost[i].into());
                add(format!("cut-{side}"), s.cut_off[i].into());
            }
        }
    }
    out
}

/// The name of a figure as the page shows it.
fn titled(name: &str, sides: [&str; 2]) -> String {
    let side = |word: &str| sides[usize::from(word == "two")];
    match name.split_once('-') {
        Some(("steps", word @ ("one" | "two"))) => format!("{}: steps on the map", side(word)),
        Some(("lost", word @ ("one" | "two"))) => format!("{}: steps lost so far", side(word)),
        Some(("cut", word @ ("one" | "two"))) => format!("{}: steps lost while cut off", side(word)),
        _ if name.len() <= 3 => name.to_uppercase(),
        _ => name.replace('-', " "),
    }
}

/// A curve with its band, as a small drawing.
fn plot(name: &str, by_turn: &BTreeMap<u32, Vec<f64>>) -> String {
    let (w, h, pad) = (460.0, 200.0, 34.0);
    let points: Vec<(u32, (f64, f64, f64))> = by_turn.iter().map(|(t, v)| (*t, spread(v.clone()))).collect();
    let high = points.iter().map(|p| p.1.2.max(p.1.0)).fold(1.0, f64::max);
    let low = points.iter().map(|p| p.1.1.min(p.1.0)).fold(0.0, f64::min);
    let (first, last) = (points.first().map_or(1, |p| p.0), points.last().map_or(1, |p| p.0));
    let x = |t: u32| pad + (w - 2.0 * pad) * f64::from(t - first) / f64::from((last - first).max(1));
    let y = |v: f64| h - pad - (h - 2.0 * pad) * (v - low) / (high - low).max(1e-9);
    let mut band = String::new();
    for (t, (_, _, up)) in &points {
        let _ = write!(band, "{:.1},{:.1} ", x(*t), y(*up));
    }
    for (t, (_, down, _)) in points.iter().rev() {
        let _ = write!(band, "{:.1},{:.1} ", x(*t), y(*down));
    }
    let line: String = points.iter().map(|(t, (m, _, _))| format!("{:.1},{:.1} ", x(*t), y(*m))).collect();
    let mut marks = String::new();
    for (t, _) in &points {
        let _ =
            write!(marks, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{t}</text>", x(*t), h - 14.0);
    }
    format!(
        "<svg viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{name} by turn\"><text x=\"{pad}\" y=\"18\" class=\"t\">{name}</text>\
         <polygon points=\"{band}\" class=\"band\"/><polyline points=\"{line}\" class=\"mean\"/>{marks}\
         <text x=\"4\" y=\"{:.1}\">{high:.0}</text><text x=\"4\" y=\"{:.1}\">{low:.0}</text></svg>",
        y(high) + 4.0,
        y(low) + 4.0
    )
}

/// A map with hexes tinted by a count.
fn heat(board: &Board, counts: &BTreeMap<String, f64>, colour: &str) -> String {
    let style = Style { hex_px: 14.0, legend: false, ..Style::default() };
    let mut out = draw::svg(board, &style);
    let end = out.rfind("</svg>").unwrap_or(out.len());
    out.truncate(end);
    let most = counts.values().copied().fold(1e-9, f64::max);
    for (name, n) in counts {
        let Some(hex) = board.grid().find(name) else { continue };
        let corners = draw::hex_polygon_px(board, &style, hex);
        let points: String = corners.iter().map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
        let shade = (n / most).sqrt() * 0.85;
        let _ = writeln!(
            out,
            "<polygon points=\"{points}\" fill=\"{colour}\" fill-opacity=\"{shade:.2}\"><title>{name}: {n:.2}</title></polygon>"
        );
    }
    out.push_str("</svg>\n");
    out
}

fn write(path: &Path, text: &str) -> Done {
    std::fs::write(path, text)
        .map_err(|e| Fail::File(format!("{}: cannot be written: {e}", path.display())))?;
    println!("{}", path.display());
    Ok(())
}

fn report(path: &Path) -> Done {
    let (m, games) = read(path)?;
    let registry = games::registry()?;
    let game = games::find(&registry, &m.game)?;
    let info = game.info();
    let board = boards::board(&m.game, None)?;
    let n = games.len() as f64;
    let texts = |of: fn(&Record) -> &str| Values::Text(games.iter().map(|r| of(r).to_string()).collect());
    let wholes = |of: fn(&Record) -> i64| Values::Whole(games.iter().map(of).collect());
    Table::default()
        .column("game", wholes(|r| r.game as i64))
        .column("seed", wholes(|r| r.seed as i64))
        .column("winner", texts(|r| &r.winner))
        .column("kind", texts(|r| &r.kind))
        .column("turns", wholes(|r| r.turns.into()))
        .column("decisions_one", wholes(|r| r.decisions[0] as i64))
        .column("decisions_two", wholes(|r| r.decisions[1] as i64))
        .write(path, "games")?;
    let curves = curves(&games);
    let (mut figures, mut turns, mut means, mut lows, mut highs) = (vec![], vec![], vec![], vec![], vec![]);
    for (name, by_turn) in &curves {
        for (turn, v) in by_turn {
            let (mean, low, high) = spread(v.clone());
            figures.push(name.clone());
            turns.push(i64::from(*turn));
            means.push(mean);
            lows.push(low);
            highs.push(high);
        }
    }
    Table::default()
        .column("figure", Values::Text(figures))
        .column("turn", Values::Whole(turns))
        .column("mean", Values::Real(means))
        .column("tenth", Values::Real(lows))
        .column("ninetieth", Values::Real(highs))
        .write(path, "curves")?;
    let places = Places::of(&games, &board);
    places.table().write(path, "places")?;
    let (mut maps, mut hexes, mut shares) = (vec![], vec![], vec![]);
    let mut pictures = String::new();
    type Counts = fn(&Record) -> &BTreeMap<String, u32>;
    let kinds: [(&str, &str, &str, Counts); 2] = [
        ("front", "Where the front of the first side stood, turns a game", "#1f4e9c", |r| &r.front),
        ("lost", "Where steps were lost, steps a game", "#b3261e", |r| &r.lost),
    ];
    for (file, title, colour, of) in kinds {
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        for r in &games {
            for (h, k) in of(r) {
                *counts.entry(h.clone()).or_default() += f64::from(*k) / n;
            }
        }
        for (h, k) in &counts {
            maps.push(file.to_string());
            hexes.push(h.clone());
            shares.push(*k);
        }
        write(&path.join(format!("{file}.svg")), &heat(&board, &counts, colour))?;
        let _ = write!(
            pictures,
            "<figure><img src=\"{file}.svg\" alt=\"{title}\"><figcaption>{title}</figcaption></figure>"
        );
    }
    Table::default()
        .column("map", Values::Text(maps))
        .column("hex", Values::Text(hexes))
        .column("a_game", Values::Real(shares))
        .write(path, "maps")?;
    let mut rows = String::new();
    for id in [info.of(Side::One).id, info.of(Side::Two).id, "draw", "unfinished"] {
        let won = games.iter().filter(|r| r.winner == id).count() as f64;
        if won == 0.0 && (id == "draw" || id == "unfinished") {
            continue;
        }
        let (low, high) = interval(won, n);
        let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
        for r in games.iter().filter(|r| r.winner == id) {
            *kinds.entry(&r.kind).or_default() += 1;
        }
        let kinds: Vec<String> = kinds.iter().map(|(k, n)| format!("{k} {n}")).collect();
        let _ = write!(
            rows,
            "<tr><td>{id}</td><td>{won}</td><td>{:.1}%</td><td>{:.1}% to {:.1}%</td><td>{}</td></tr>",
            100.0 * won / n,
            100.0 * low,
            100.0 * high,
            kinds.join(", ")
        );
    }
    let (turns, t1, t9) = spread(games.iter().map(|r| r.turns.into()).collect());
    let decisions = |i: usize| spread(games.iter().map(|r| r.decisions[i] as f64).collect()).0;
    let names = [info.of(Side::One).name, info.of(Side::Two).name];
    let moves = |c: &BTreeMap<u32, Vec<f64>>| {
        let mut all = c.values().flatten();
        let first = all.next();
        all.any(|v| Some(v) != first)
    };
    let plots: String =
        curves.iter().filter(|c| moves(c.1)).map(|(name, c)| plot(&titled(name, names), c)).collect();
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{} {}: {} games</title><style>body{{font:15px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem}}\
         table{{border-collapse:collapse}}td,th{{border:1px solid #bbb;padding:.2rem .6rem;text-align:left}}.n td{{text-align:right}}\
         svg{{width:30rem;max-width:100%;font-size:10px}}.t{{font-size:13px;font-weight:600}}.band{{fill:#9db7d5;opacity:.5}}\
         .mean{{fill:none;stroke:#1f4e9c;stroke-width:2}}img{{width:100%}}</style>\
         <h1>{}: {}</h1><p>{} games, {} against {}, seeds from {}. Verst {}, rules {}, code {}, start {}.</p>\
         <h2>Who won</h2><table><tr><th>winner</th><th>games</th><th>share</th><th>95 in 100</th><th>how</th></tr>{rows}</table>\
         <p>Length: {turns:.1} turns (a tenth under {t1:.0}, a tenth over {t9:.0}). Decisions a game: {:.0} and {:.0}.</p>\
         <h2>By turn</h2><p>Mean, with the band that holds eight games of ten. A game that has ended is carried on as it ended.</p>\
         {plots}{}<h2>Where</h2>{pictures}<p>Tables, as .tsv and as .parquet: games, curves, places, maps; every game: games.jsonl; terms: manifest.json.</p></html>\n",
        info.name,
        m.terms.scenario,
        games.len(),
        info.name,
        m.terms.scenario,
        games.len(),
        m.players[0],
        m.players[1],
        m.seed,
        m.verst,
        m.rules,
        m.code,
        m.start,
        decisions(0),
        decisions(1),
        places.html(names[0]),
    );
    write(&path.join("report.html"), &html)
}

/// The chance of a difference as large as this by luck alone: a normal deviate, both tails.
fn by_chance(z: f64) -> f64 {
    // Abramowitz and Stegun 26.2.17, good to seven digits.
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let tail = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
        * t
        * (0.319_381_530
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    (2.0 * tail).min(1.0)
}

fn said(p: f64) -> &'static str {
    match p {
        p if p < 0.01 => "more than chance",
        p if p < 0.05 => "probably more than chance",
        _ => "could be chance",
    }
}

fn compare(a: &Path, b: &Path) -> Done {
    let ((ma, ga), (mb, gb)) = (read(a)?, read(b)?);
    if ma.game != mb.game {
        return Err(Fail::Usage(format!("one study is of {}, the other of {}", ma.game, mb.game)));
    }
    let registry = games::registry()?;
    let info = games::find(&registry, &ma.game)?.info().clone();
    println!("A {}: {} games, {} against {}", a.display(), ga.len(), ma.players[0], ma.players[1]);
    println!("B {}: {} games, {} against {}", b.display(), gb.len(), mb.players[0], mb.players[1]);
    let (na, nb) = (ga.len() as f64, gb.len() as f64);
    println!("{:<26}{:>10}{:>10}{:>10}{:>8}", "", "A", "B", "B - A", "chance");
    for side in Side::BOTH {
        let id = info.of(side).id;
        let share = |g: &[Record]| g.iter().filter(|r| r.winner == id).count() as f64 / g.len() as f64;
        let (x, y) = (share(&ga), share(&gb));
        let both = (x * na + y * nb) / (na + nb);
        let error = (both * (1.0 - both) * (1.0 / na + 1.0 / nb)).sqrt();
        let p = if error > 0.0 { by_chance((y - x) / error) } else { 1.0 };
        let what = format!("{id} wins");
        println!(
            "{what:<26}{:>9.1}%{:>9.1}%{:>9.1}%{p:>8.3}  {}",
            100.0 * x,
            100.0 * y,
            100.0 * (y - x),
            said(p)
        );
    }
    let mut figures: Vec<(String, Vec<f64>, Vec<f64>)> = vec![(
        "turns".into(),
        ga.iter().map(|r| r.turns.into()).collect(),
        gb.iter().map(|r| r.turns.into()).collect(),
    )];
    let (ca, cb) = (curves(&ga), curves(&gb));
    for (name, by_turn) in &ca {
        let last = |c: &BTreeMap<u32, Vec<f64>>| c.values().next_back().cloned().unwrap_or_default();
        if let Some(other) = cb.get(name) {
            figures.push((format!("{name} at the end"), last(by_turn), last(other)));
        }
    }
    for (name, x, y) in figures {
        let stats = |v: &[f64]| {
            let n = v.len().max(1) as f64;
            let mean = v.iter().sum::<f64>() / n;
            let var = v.iter().map(|q| (q - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
            (mean, var / n)
        };
        let ((mx, vx), (my, vy)) = (stats(&x), stats(&y));
        let error = (vx + vy).sqrt();
        let p = if error > 0.0 { by_chance((my - mx) / error) } else { 1.0 };
        println!("{name:<26}{mx:>10.2}{my:>10.2}{:>10.2}{p:>8.3}  {}", my - mx, said(p));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_deviations_come_by_chance_in_about_one_of_twenty() {
        assert!((by_chance(1.96) - 0.05).abs() < 0.001);
        assert!((by_chance(0.0) - 1.0).abs() < 0.001);
        assert!(by_chance(-4.0) < 0.001);
    }

    #[test]
    fn a_spread_holds_its_mean_and_its_tenths() {
        let (mean, low, high) = spread((0..=100).map(f64::from).collect());
        assert_eq!((mean, low, high), (50.0, 10.0, 90.0));
    }
}
