//! Plays a game by hand from orders on the standard input, and passes over what is refused:
//! `hand FILE SCENARIO SEED < orders`; goes on with FILE if it is there. Lines: an order, or `? HEX`, `?list WORD`, `?units`.

use game::{DiceFrom, Eyes, Game, Position, Session, Terms, read_journal};
use std::io::BufRead;
use verst_pm::Pm;
use verst_pm::state::Pos;

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
    for s in
        view.stacks.iter().filter(|s| word.is_empty() || s.hex == word || (word == "own" && s.side == side))
    {
        let units: Vec<String> = s
            .units
            .iter()
            .map(|u| {
                format!(
                    "{} {}{}",
                    u.code,
                    u.figures,
                    if u.status.iter().any(|x| x == "out of supply") { "!" } else { "" }
                )
            })
            .collect();
        println!("   {} {:?}: {} +{}", s.hex, s.side, units.join(", "), s.unseen);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, scenario, seed] = &args[..] else { return Err("hand FILE SCENARIO SEED".into()) };
    let pm = Pm::new();
    let mut s = match std::fs::read(file) {
        Ok(bytes) => {
            let reading = read_journal(file, &bytes)?;
            Session::load(&pm, None, file, &reading.journal, None).map_err(|f| f.to_string())?
        }
        Err(_) => Session::start(&pm, &Terms::of(scenario), None, DiceFrom::Quick(seed.parse()?))
            .map_err(|f| f.to_string())?,
    };
    let mut skipping = false;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        // What belonged to a refused order is passed over with it.
        skipping &= ["advance", "done", "go", "loss"].iter().any(|w| line.starts_with(w));
        if skipping {
            continue;
        }
        // Losses that nobody named fall on the first that is listed.
        while !line.starts_with("loss")
            && s.position().asks().is_some()
            && s.position().question().key == "loss"
        {
            let mut list = Vec::new();
            s.position().choices(&mut list);
            let (before, n) = (s.steps().len(), s.question_number());
            let side = s.position().asks().unwrap_or(table::Side::One);
            s.play(side, n, list[0])?;
            shown(&s, before);
        }
        let Some(side) = s.position().asks() else { break };
        let pos = s.position().as_any().downcast_ref::<Pos>();
        match (line.trim(), pos) {
            ("", _) => continue,
            ("?units", Some(p)) => look(p, "own"),
            (l, Some(p)) if l.starts_with("?list") => {
                let word = l[5..].trim();
                let mut list = Vec::new();
                p.choices(&mut list);
                for c in &list {
                    let text = p.lexicon().write(c);
                    if text.contains(word) {
                        println!("   {text}  {}", p.note(c).unwrap_or_default());
                    }
                }
            }
            (l, Some(p)) if l.starts_with('?') => look(p, l[1..].trim()),
            (l, _) => {
                let before = s.steps().len();
                match s.order(side, s.question_number(), l) {
                    Ok(done) => {
                        println!("{}> {l}", pm.info().of(side).id);
                        shown(&s, before);
                        if let Some(stopped) = done.stopped {
                            println!("STOPPED {stopped}");
                            break;
                        }
                    }
                    Err(e) => {
                        println!("REFUSED {l}: {e}");
                        skipping = true;
                    }
                }
            }
        }
    }
    std::fs::write(file, s.journal().text())?;
    if let Some(side) = s.position().asks() {
        let q = s.position().question();
        println!(
            "{} [{}] {} ({})",
            pm.info().of(side).id,
            s.position().view(Eyes::Referee).phase,
            q.prompt,
            q.rule
        );
        for t in &q.todo {
            println!("   {}: {}", t.what, t.count);
        }
    } else {
        println!("OVER {:?}", s.position().outcome());
    }
    Ok(())
}
