//! Two players against each other on one core, with the time each takes and how each turn ended: for those who change a
//! player.
//!
//! `cargo run --profile play -p verst-players --example duel -- pm june greedy staff 10 --turns`
//!
//! `--turns` prints how each turn ended, `--story` what happened, `--map` draws it, `--phases` draws each phase, `--plans` what each player intends, `--seed N` begins elsewhere, `--nodes N` and
//! `--time SECONDS` say what a decision may cost, `--overlay FOLDER` lays other values over the game's data.

use game::{Brief, Counsel, Eyes, Game, Line, Position, QuickDice, Quiet, Teller, Terms};
use std::time::{Duration, Instant};
use table::Side;
use verst_players::{Budget, Player, Search, Seat, Staff, Style, Think, Tuning, level};

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, scenario, one, two, games, rest @ ..] = &args[..] else {
        return Err("say the game, the scenario, two players, and how many games".into());
    };
    let game: Box<dyn Game> = match game.as_str() {
        "drill" => Box::new(drill::Drill::new().map_err(|f| f.to_string())?),
        "s42" => Box::new(s42::S42::new()),
        _ => Box::new(pm::Pm::new()),
    };
    let after = |key: &str| rest.iter().position(|a| a == key).and_then(|i| rest.get(i + 1));
    let has = |key: &str| rest.iter().any(|a| a == key);
    let nodes = after("--nodes").and_then(|n| n.parse().ok());
    let time = after("--time").and_then(|n| n.parse().ok()).map(Duration::from_secs_f64);
    let first: u64 = after("--seed").and_then(|n| n.parse().ok()).unwrap_or(1);
    let overlay = after("--overlay").map(text::Files::folder);
    let start = game.start(&Terms::of(scenario), overlay.as_ref()).map_err(|f| f.to_string())?;
    let mut points = 0.0;
    let mut by_side = [0.0; 2];
    let mut tracks: Vec<f64> = Vec::new();
    let games: u64 = games.parse().map_err(|_| "how many games?")?;
    for n in 0..games {
        let seed = if has("--fixed") { first + n } else { first + n / 2 };
        let swapped = n % 2 == 0 && !has("--fixed");
        let names = if swapped { [two, one] } else { [one, two] };
        let mut players = [player(names[0])?, player(names[1])?];
        let mut p = start.clone();
        let mut dice = QuickDice::new(seed);
        let mut own = QuickDice::new(seed ^ 0x5eed);
        let (mut spent, mut count, mut longest) = ([0.0; 2], [0u64; 2], [0.0f64; 2]);
        let mut said = String::new();
        let mut turn = 0;
        let mut phase = String::new();
        while let Some(seat) = Seat::new(&*p) {
            let s = seat.side().ix();
            if has("--turns") && count[s] % 20 == 0 && p.view(Eyes::Referee).turn != turn {
                turn = p.view(Eyes::Referee).turn;
                println!("  {}", standing(&*p));
                if has("--map") {
                    println!("{}", map(&*p));
                }
            }
            if has("--phases") {
                let view = p.view(Eyes::Referee);
                if view.phase != phase {
                    phase = view.phase;
                    println!("  == {phase}: {}\n{}", standing(&*p), map(&*p));
                }
            }
            let began = Instant::now();
            let budget = Budget { time, nodes };
            let c = players[s].choose(&seat, &mut Think::new(own.bits(), budget));
            let took = began.elapsed().as_secs_f64();
            spent[s] += took;
            longest[s] = longest[s].max(took);
            count[s] += 1;
            let Some(c) = c else { break };
            if has("--plans")
                && let Some(what) = players[s].intention()
                && what != said
            {
                said = what.to_string();
                println!("    {}: {what}", game.info().sides[s].id);
            }
            if has("--choices") {
                println!("      {}", p.lexicon().write(&c));
            }
            if has("--story") {
                p.apply(c, &mut dice, &mut Aloud);
            } else {
                p.apply(c, &mut dice, &mut Quiet);
            }
        }
        if has("--turns") {
            println!("  {}", standing(&*p));
            if has("--map") {
                println!("{}", map(&*p));
            }
        }
        let outcome = p.outcome();
        let winner = outcome.as_ref().and_then(|o| o.winner);
        let mine = if swapped { Side::One } else { Side::Two };
        let won = winner.map_or(0.5, |w| if w == mine { 1.0 } else { 0.0 });
        points += won;
        by_side[mine.ix()] += won;
        let view = p.view(Eyes::Referee);
        let track_number = view.tracks.first().map_or(0.0, |t| t.number);
        tracks.push(track_number);
        let track = view.tracks.first().map_or(String::new(), |t| format!("{} {}", t.id, t.value));
        println!(
            "{n}: {} v {}: {} turn {} {track}; {:.1} s {} choices (longest {:.2}), {:.1} s {} choices (longest {:.2}); \
             {two} {points} of {} ({} first side, {} second)",
            names[0],
            names[1],
            winner.map_or("draw", |w| game.info().of(w).id),
            view.turn,
            spent[0],
            count[0],
            longest[0],
            spent[1],
            count[1],
            longest[1],
            n + 1,
            by_side[0],
            by_side[1],
        );
    }
    let n = tracks.len().max(1) as f64;
    let mean = tracks.iter().sum::<f64>() / n;
    let spread = (tracks.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / n).sqrt();
    println!("{one} v {two}: {two} {points} of {games}; track {mean:.2} +- {:.2}", spread / n.sqrt());
    Ok(())
}

/// Prints what happens.
struct Aloud;

impl Teller for Aloud {
    fn listening(&self) -> bool {
        true
    }

    fn tell(&mut self, line: Line) {
        let facts: Vec<String> = line.facts.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let terms = line.sums.iter().filter(|(name, _)| *name == "vp").flat_map(|(_, s)| s.terms());
        let terms: Vec<String> = terms.map(|t| format!("<{}:{}>", t.what, t.n.floor())).collect();
        println!("      [{}] {} {} {}", line.key, line.text, facts.join(" "), terms.join(" "));
    }

    fn reveal(&mut self) {}
}

/// A player by the id of its level, or a staff of another inclination than those that come forward plainly have:
/// `staff:daring=1.5,caution=0.3`, or `staff:defends=1,line=1` from the other plain one. A search is tuned likewise:
/// `search:arms=6,moves=2`.
fn player(name: &str) -> Result<Box<dyn Player>, String> {
    if let Some(rest) = name.strip_prefix("search:") {
        let mut t = Tuning::PLAIN;
        for part in rest.split(',') {
            let (key, value) = part.split_once('=').ok_or(format!("'{part}' is not key=value"))?;
            let v: f64 = value.parse().map_err(|_| format!("'{value}' is no number"))?;
            match key {
                "arms" => t.arms = v as usize,
                "moves" => t.moves = v as u32,
                "doubt" => t.doubt = v,
                "last" => t.last = v,
                "push" => t.push = v,
                "cling" => t.cling = v,
                "worlds" => t.worlds = v as usize,
                _ => return Err(format!("a search has no '{key}'")),
            }
        }
        return Ok(Box::new(Search::new(t)));
    }
    let Some(rest) = name.strip_prefix("staff:") else {
        return level(name).map(|l| l.player()).ok_or(format!("there is no player '{name}'"));
    };
    let mut style = Style::ATTACK;
    for part in rest.split(',') {
        let (key, value) = part.split_once('=').ok_or(format!("'{part}' is not key=value"))?;
        let v: f64 = value.parse().map_err(|_| format!("'{value}' is no number"))?;
        match key {
            "defends" => style = Style::DEFEND,
            "daring" => style.daring = v,
            "caution" => style.caution = v,
            "least" => style.least = v,
            "depth" => style.depth = v,
            "odds" => style.odds = v,
            "stubborn" => style.stubborn = v,
            "line" => style.line = v,
            "opened" => style.opened = v,
            "drift" => style.drift = v,
            "siege" => style.siege = v,
            "prize" => style.prize = v,
            "guard" => style.guard = v,
            "raid" => style.raid = v,
            "spear" => style.spear = v,
            "lanes" => style.lanes = v,
            _ => return Err(format!("a staff has no '{key}'")),
        }
    }
    Ok(Box::new(Staff::new(style)))
}

/// How things stand: strength of both sides, what is cut off, and the places that the side that comes forward holds.
fn standing(p: &dyn Position) -> String {
    let view = p.view(Eyes::Referee);
    let tracks: Vec<String> = view.tracks.iter().take(1).map(|t| format!("{} {}", t.id, t.value)).collect();
    let Some(counsel) = p.counsel() else { return tracks.join(" ") };
    let b: Brief = counsel.brief(p, Side::One);
    let of = |s: Side| {
        let own = || b.pieces.iter().filter(|p| p.side == s && p.hex.is_some());
        let strength: f64 = own().map(|p| (p.attack + p.defence) / 2.0).sum();
        let cut: f64 = own().filter(|p| !p.supplied).map(|p| p.steps).sum();
        format!("{} units {:.0} strong, {cut:.0} steps cut off", own().count(), strength)
    };
    let held: Vec<String> =
        b.goals.iter().filter(|g| g.held == b.attacker).map(|g| called(counsel, p, g.hex)).collect();
    format!(
        "turn {} {}: {} | {} | {}",
        view.turn,
        tracks.join(" "),
        of(Side::One),
        of(Side::Two),
        held.join(" ")
    )
}

/// The map in letters: how many units of the first side (digits) and of the second (letters, capitals when cut off) stand on a
/// hex; places that nobody stands on as `+` (the first side's) or `*`.
fn map(p: &dyn Position) -> String {
    let Some(counsel) = p.counsel() else { return String::new() };
    let b: Brief = counsel.brief(p, Side::One);
    let grid = p.lexicon().grid();
    let mut marks = vec![' '; grid.len()];
    for h in &b.land {
        marks[h.ix()] = '.';
    }
    for g in &b.goals {
        marks[g.hex.ix()] = if g.held == Side::One { '+' } else { '*' };
    }
    let mut count = std::collections::BTreeMap::<hex::Hex, (Side, u32, bool)>::new();
    for q in b.pieces.iter().filter(|q| q.hex.is_some()) {
        let e = count.entry(q.hex).or_insert((q.side, 0, q.supplied));
        e.1 += 1;
    }
    for (h, (side, n, fed)) in count {
        let digit = |base: u8, n: u32| char::from(base + u8::try_from(n).unwrap_or(9));
        marks[h.ix()] = match (side, fed) {
            (Side::One, _) => digit(b'0', n.min(9)),
            (Side::Two, true) => digit(b'a' - 1, n.min(26)),
            (Side::Two, false) => digit(b'A' - 1, n.min(26)),
        };
    }
    let (mut low, mut high) = (i16::MAX, i16::MIN);
    for h in grid.hexes() {
        low = low.min(grid.row(h));
        high = high.max(grid.row(h));
    }
    let mut out = String::new();
    for row in low..=high {
        let first = grid.hexes().map(|h| grid.column(h)).min().unwrap_or(0);
        let last = grid.hexes().map(|h| grid.column(h)).max().unwrap_or(0);
        out.push_str("    ");
        for column in first..=last {
            out.push(grid.at(column, row).map_or(' ', |h| marks[h.ix()]));
        }
        out.push_str(&format!("  {row}\n"));
    }
    out
}

fn called(counsel: &dyn Counsel, p: &dyn Position, h: hex::Hex) -> String {
    counsel.called(p, h)
}
