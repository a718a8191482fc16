//! Plays a game by hand from orders on the standard input: `hand GAME FILE SCENARIO SEED < orders`; goes on with FILE if it is
//! there.
//!
//! A line is an order in the words of the terminal. `~ORDER` is given only if it is possible, else passed over: what
//! follows an attack depends on its die. Before an order that does not fit, the open questions of a combat are
//! answered plainly, as far as the game has plain answers. `?HEX`, `?own`, `?all` show units, `?list WORD` the choices.

use game::{Choice, DiceFrom, Eyes, Game, Position, Registry, Session, Terms, UnitView, read_journal};
use std::io::BufRead;
use table::Side;

type Failed = Box<dyn std::error::Error>;

fn shown(s: &Session, from: usize) {
    for l in s.story(Eyes::Referee, from, s.steps().len()) {
        if l.key != "move" {
            println!("   - {}", l.text);
        }
    }
}

fn look(p: &dyn Position, word: &str) {
    let Some(side) = p.asks() else { return };
    let view = p.view(Eyes::Side(side));
    for s in &view.stacks {
        if !(word == "all" || s.hex == word || (word == "own" && s.side == side)) {
            continue;
        }
        let unit = |u: &UnitView| format!("{} {} {}", u.code, u.figures, u.status.join("/"));
        let mut units: Vec<String> = s.units.iter().map(unit).collect();
        if s.unseen > 0 {
            units.push(format!("{} unseen", s.unseen));
        }
        println!("   {} {:?}: {}", s.hex, s.side, units.join(", "));
    }
}

fn list_of(p: &dyn Position) -> Vec<Choice> {
    let mut list = Vec::new();
    p.choices(&mut list);
    list
}

/// The plain answer to the question that is open: the game's own, and the first loss that is listed where it has none.
fn plain(p: &dyn Position) -> Option<Choice> {
    if let Some(p) = p.as_any().downcast_ref::<s42::state::Pos>() {
        return p.plain_answer();
    }
    p.asks()?;
    if p.question().key == "loss" { list_of(p).first().copied() } else { None }
}

/// Gives the plain answer to the question that is open; false if there is none.
fn settle(s: &mut Session) -> Result<bool, Failed> {
    let Some(c) = plain(s.position()) else { return Ok(false) };
    let (before, n) = (s.steps().len(), s.question_number());
    let side = s.position().asks().unwrap_or(Side::One);
    println!("     ({side:?}: {})", s.position().lexicon().write(&c));
    s.play(side, n, c)?;
    shown(s, before);
    Ok(true)
}

/// Gives an order. One that does not fit the open question waits until that has its plain answer.
fn order(s: &mut Session, game: &dyn Game, by: Side, line: &str, maybe: bool) -> Result<(), Failed> {
    let (mut by, mut before) = (by, s.steps().len());
    let mut given = s.order(by, s.question_number(), line);
    while given.is_err() && !maybe && settle(s)? {
        let Some(next) = s.position().asks() else { break };
        (by, before) = (next, s.steps().len());
        given = s.order(by, s.question_number(), line);
    }
    match given {
        Ok(done) => {
            println!("{}> {line}", game.info().of(by).id);
            shown(s, before);
            if let Some(stopped) = done.stopped {
                println!("STOPPED {stopped}");
            }
        }
        Err(_) if maybe => {}
        Err(e) => println!("REFUSED {line}: {e}"),
    }
    Ok(())
}

fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [id, file, scenario, seed] = &args[..] else { return Err("hand GAME FILE SCENARIO SEED".into()) };
    let registry = Registry::new()
        .with(Box::new(drill::Drill::new()?))
        .with(Box::new(pm::Pm::new()))
        .with(Box::new(s42::S42::new()));
    let game = registry.find(id)?;
    let mut s = match std::fs::read(file) {
        Ok(bytes) => {
            let reading = read_journal(file, &bytes)?;
            Session::load(game, None, file, &reading.journal, None).map_err(|f| f.to_string())?
        }
        Err(_) => Session::start(game, &Terms::of(scenario), None, DiceFrom::Quick(seed.parse()?))
            .map_err(|f| f.to_string())?,
    };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (maybe, line) = line.trim().strip_prefix('~').map_or((false, line.trim()), |l| (true, l));
        let Some(side) = s.position().asks() else { break };
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.strip_prefix('?') {
            Some(word) if word.starts_with("list") => {
                let p = s.position();
                for c in list_of(p) {
                    let text = p.lexicon().write(&c);
                    if text.contains(word[4..].trim()) {
                        println!("   {text}  {}", p.note(&c).unwrap_or_default());
                    }
                }
            }
            Some(word) => look(s.position(), word.trim()),
            None => order(&mut s, game, side, line, maybe)?,
        }
    }
    std::fs::write(file, s.journal().text())?;
    if let Some(side) = s.position().asks() {
        let q = s.position().question();
        let phase = s.position().view(Eyes::Referee).phase;
        println!("{} [{phase}] {} ({})", game.info().of(side).id, q.prompt, q.rule);
        for t in &q.todo {
            println!("   {}: {}", t.what, t.count);
        }
    } else {
        println!("OVER {:?}", s.position().outcome());
    }
    Ok(())
}
