//! Plays a game by hand from orders on the standard input: `hand FILE SCENARIO SEED < orders`; goes on with FILE if it is there.
//!
//! A line is an order in the words of the terminal. `~ORDER` is given only if it is possible, else passed over: what
//! follows an attack depends on its die. Before an order that does not fit, the open questions of a combat are
//! answered plainly: the loss that hurts least, the stand that a sensible defender makes, the safest retreat, no advance.
//! `?HEX`, `?own`, `?all` show units, `?list WORD` the choices, `?odds HEX` what all units beside a hex would have.

use game::{Choice, DiceFrom, Eyes, Game, Position, Session, Terms, read_journal};
use std::io::BufRead;
use table::Side;
use verst_s42::S42;
use verst_s42::state::Pos;
use verst_s42::verbs;

fn shown(s: &Session, from: usize) {
    for l in s.story(Eyes::Referee, from, s.steps().len()) {
        if l.key != "move" {
            println!("   - {}", l.text);
        }
    }
}

fn look(p: &Pos, word: &str) {
    let Some(side) = p.asks() else { return };
    let view = p.view(Eyes::Side(side));
    for s in &view.stacks {
        if !(word == "all" || s.hex == word || (word == "own" && s.side == side)) {
            continue;
        }
        let unit = |u: &game::UnitView| format!("{} {} {}", u.code, u.figures, u.status.join("/"));
        let units: Vec<String> = s.units.iter().map(unit).collect();
        println!("   {} {:?}: {}", s.hex, s.side, units.join(", "));
    }
}

fn list_of(p: &Pos) -> Vec<Choice> {
    let mut list = Vec::new();
    p.choices(&mut list);
    list
}

/// The retreat that keeps farthest from the enemy, pays nothing and does not crowd a hex.
fn safest(p: &Pos, list: &[Choice]) -> Option<Choice> {
    let grid = p.data.map.grid();
    let side = p.asks()?;
    let danger = |c: &Choice| {
        let game::Object::Route(r) = c.object else { return (0, 9) };
        let h = r.end(grid);
        let price = p.note(c).is_some_and(|n| n.contains("costs"));
        let near = p.s.zones.combat[side.foe().ix()].iter().map(|e| grid.distance(e, h)).min().unwrap_or(9);
        let crowd = !p.fits(side, &p.load(side, h));
        (i32::from(price) + i32::from(crowd), -(near.min(4) as i32))
    };
    list.iter().copied().filter(|c| c.verb == verbs::RETREAT).min_by_key(danger)
}

/// The plain answer to a question of a combat that is open; none if the phase itself asks.
fn plain(p: &Pos) -> Option<Choice> {
    let q = p.question();
    let list = list_of(p);
    let combat = [
        "loss",
        "stand",
        "backing",
        "retreat",
        "price",
        "escort",
        "advance",
        "stride",
        "forming",
        "breakthrough",
        "cover",
        "excess",
        "contest",
        "reroll",
        "die",
        "emerge",
        "exploit",
        "overstack",
        "hand",
    ];
    if !combat.contains(&q.key) {
        return None;
    }
    let of = |v: game::Verb| list.iter().copied().find(|c| c.verb == v);
    match q.key {
        "retreat" => safest(p, &list).or_else(|| list.first().copied()),
        "advance" | "forming" | "breakthrough" | "exploit" => {
            of(verbs::DONE).or_else(|| of(verbs::STOP)).or_else(|| list.first().copied())
        }
        "stride" | "hand" => of(verbs::STOP),
        "escort" | "contest" | "emerge" | "excess" | "overstack" => list.first().copied(),
        _ => p.sensible().filter(|c| list.contains(c)).or_else(|| list.first().copied()),
    }
}

/// Gives the plain answer to the question that is open; false if there is none.
fn settle(s: &mut Session) -> Result<bool, Box<dyn std::error::Error>> {
    let Some(c) = s.position().as_any().downcast_ref::<Pos>().and_then(plain) else { return Ok(false) };
    let (before, n) = (s.steps().len(), s.question_number());
    let side = s.position().asks().unwrap_or(Side::One);
    println!("     ({side:?}: {})", s.position().lexicon().write(&c));
    s.play(side, n, c)?;
    shown(s, before);
    Ok(true)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, scenario, seed] = &args[..] else { return Err("hand FILE SCENARIO SEED".into()) };
    let s42 = S42::new();
    let mut s = match std::fs::read(file) {
        Ok(bytes) => {
            let reading = read_journal(file, &bytes)?;
            Session::load(&s42, None, file, &reading.journal, None).map_err(|f| f.to_string())?
        }
        Err(_) => Session::start(&s42, &Terms::of(scenario), None, DiceFrom::Quick(seed.parse()?))
            .map_err(|f| f.to_string())?,
    };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let line = line.trim();
        let (maybe, line) = line.strip_prefix('~').map_or((false, line), |l| (true, l));
        let Some(side) = s.position().asks() else { break };
        let pos = s.position().as_any().downcast_ref::<Pos>();
        match (line, pos) {
            ("" | "#", _) => {}
            (l, Some(p)) if l.starts_with("?list") => {
                for c in list_of(p) {
                    let text = p.lexicon().write(&c);
                    if text.contains(l[5..].trim()) {
                        println!("   {text}  {}", p.note(&c).unwrap_or_default());
                    }
                }
            }
            (l, Some(p)) if l.starts_with('?') => look(p, l[1..].trim()),
            (l, _) => {
                // An order that does not fit the open question waits until that has its plain answer.
                let mut by = side;
                let mut before = s.steps().len();
                let mut given = s.order(by, s.question_number(), l);
                while given.is_err() && !maybe && settle(&mut s)? {
                    let Some(next) = s.position().asks() else { break };
                    (by, before) = (next, s.steps().len());
                    given = s.order(by, s.question_number(), l);
                }
                match given {
                    Ok(done) => {
                        println!("{}> {l}", s42.info().of(by).id);
                        shown(&s, before);
                        if let Some(stopped) = done.stopped {
                            println!("STOPPED {stopped}");
                        }
                    }
                    Err(_) if maybe => {}
                    Err(e) => println!("REFUSED {l}: {e}"),
                }
            }
        }
    }
    std::fs::write(file, s.journal().text())?;
    if let Some(side) = s.position().asks() {
        let q = s.position().question();
        let phase = s.position().view(Eyes::Referee).phase;
        println!("{} [{phase}] {} ({})", s42.info().of(side).id, q.prompt, q.rule);
        for t in &q.todo {
            println!("   {}: {}", t.what, t.count);
        }
    } else {
        println!("OVER {:?}", s.position().outcome());
    }
    Ok(())
}
