//! Orders as people write them: several choices in a row, and less typing for the common ones.
//!
//! | an order | stands for |
//! | --- | --- |
//! | `3Pz,10Pz 2608N-2607N-2707N` | `pick 3Pz`, `pick 10Pz`, `go 2608N-2607N-2707N` |
//! | `3Pz 2707N` | `pick 3Pz`, then the listed `go` that ends there |
//! | `3Pz,10Pz 2707N` | the same where further units are added (`add`), or where the enemy stands (`assault`) |
//! | `attack 2707N with 3Pz,10Pz` | `attack 2707N`, `add 3Pz`, `add 10Pz`, `resolve` |
//! | `attack 2707N with all` | `attack 2707N`, `all`, `resolve` |
//! | `pick 3Pz,10Pz` | `pick 3Pz`, `pick 10Pz` |
//! | `go 2707N`, `go 2608N-2707N` | the listed `go` that ends there, whatever lies between |
//! | `pick 3Pz; go 2707N` | both, in this order |
//! | `pick 4Pz` with others in hand | `stop`, `pick 4Pz` |
//!
//! A game without the verbs `pick`, `go`, `add` or `resolve` has no shorthand that needs them.

use crate::load::read_choice;
use crate::session::{Played, Session};
use crate::{Choice, Lexicon, Object, Position, Refusal, Verb};
use hex::Hex;
use table::Side;

/// An order that could not be carried out to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The part that was refused.
    pub part: String,
    /// Why.
    pub refusal: Refusal,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.part, self.refusal)
    }
}

impl std::error::Error for Stopped {}

/// What an order brought.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// The journal's new lines and where the game stands.
    pub played: Played,
    /// What of it was refused, after dice had been thrown that nobody can take back.
    pub stopped: Option<Stopped>,
}

/// The parts of an order, one choice each, in the words of the game.
pub fn parts(lex: &Lexicon, order: &str) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for line in order.split([';', '\n']).map(str::trim).filter(|l| !l.is_empty()) {
        expand(lex, line, &mut out)?;
    }
    if out.is_empty() { Err("an empty line is no order".into()) } else { Ok(out) }
}

fn expand(lex: &Lexicon, line: &str, out: &mut Vec<String>) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let need = |verb: &str| match lex.find_verb(verb) {
        Some(_) => Ok(()),
        None => Err(format!("'{line}' needs the order '{verb}', which this game does not have")),
    };
    match words[..] {
        [verb, target, "with", units] => {
            need("add")?;
            need("resolve")?;
            out.push(format!("{verb} {target}"));
            match units {
                "all" => out.push("all".into()),
                _ => out.extend(list(units).map(|u| format!("add {u}"))),
            }
            out.push("resolve".into());
        }
        [units, place]
            if lex.find_verb(units).is_none() && list(units).all(|u| lex.find_unit(u).is_some()) =>
        {
            need("pick")?;
            need("go")?;
            out.extend(list(units).map(|u| format!("pick {u}")));
            out.push(format!("go {place}"));
        }
        [verb, many] if many.contains(',') => out.extend(list(many).map(|one| format!("{verb} {one}"))),
        _ => out.push(words.join(" ")),
    }
    Ok(())
}

fn list(units: &str) -> impl Iterator<Item = &str> {
    units.split(',').filter(|u| !u.is_empty())
}

/// The choice that one part of an order means in a position. It need not be legal.
pub fn resolve(p: &dyn Position, part: &str) -> Result<Choice, String> {
    let lex = p.lexicon();
    let read = read_choice(p, part);
    match read {
        Ok(c) if p.why_not(&c).is_none() => Ok(c),
        Ok(c) => Ok(meant(p, &c).unwrap_or(c)),
        Err(what) => {
            let ends = part.split_once(' ').and_then(|(verb, way)| {
                let (from, to) = way.trim().split_once('-')?;
                let (from, to) = (lex.grid().find(from)?, lex.grid().find(to)?);
                Some((lex.find_verb(verb)?, from, to))
            });
            let Some((verb, from, to)) = ends else { return Err(what) };
            listed(p, verb, Some(from), to)
                .ok_or_else(|| format!("no listed path leads from {} to {}", lex.hex(from), lex.hex(to)))
        }
    }
}

/// What people mean by a choice that cannot be made as it stands: with units in hand another one is added, not picked; a
/// hex alone is the end of a path; and going where the enemy stands is an assault.
fn meant(p: &dyn Position, c: &Choice) -> Option<Choice> {
    let lex = p.lexicon();
    let legal = |word: &str| {
        let other = Choice { verb: lex.find_verb(word)?, object: c.object };
        p.why_not(&other).is_none().then_some(other)
    };
    match (lex.verb(c.verb).word, c.object) {
        ("pick", Object::Unit(_)) => legal("add"),
        // All of one is that one.
        ("all", Object::Nothing) => {
            let (mut list, add) = (Vec::new(), lex.find_verb("add")?);
            p.choices(&mut list);
            let mut adds = list.into_iter().filter(|l| l.verb == add);
            adds.next().filter(|_| adds.next().is_none())
        }
        (word, Object::Hex(end)) => listed(p, c.verb, None, end).or_else(|| {
            let assault = if word == "go" { "assault" } else { return None };
            legal(assault)
        }),
        _ => None,
    }
}

/// The listed path of a verb that ends at a hex; the first when there are several.
fn listed(p: &dyn Position, verb: Verb, from: Option<Hex>, end: Hex) -> Option<Choice> {
    let mut list = Vec::new();
    p.choices(&mut list);
    let grid = p.lexicon().grid();
    list.into_iter().find(|c| match c.object {
        Object::Route(r) => c.verb == verb && r.end(grid) == end && from.is_none_or(|f| r.start() == f),
        _ => false,
    })
}

impl Session {
    /// The choice that a text means now, or why it is refused; nothing is played.
    pub fn judge(&self, side: Side, text: &str) -> Result<Choice, Refusal> {
        match self.position().asks() {
            None => return Err(Refusal::Over),
            Some(asked) if asked != side => return Err(Refusal::NotAsked(asked)),
            Some(_) => {}
        }
        let c = resolve(self.position(), text).map_err(Refusal::Unread)?;
        match self.position().why_not(&c) {
            Some(illegal) => Err(Refusal::Illegal(illegal)),
            None => Ok(c),
        }
    }

    /// Who picks another unit or ends the phase has finished with those in hand: the `stop` to play first, where the game has one
    /// and what follows is
    /// refused without it.
    fn puts_down(&self, side: Side, part: &str) -> Option<Choice> {
        let p = self.position();
        let stop = Choice::button(p.lexicon().find_verb("stop")?);
        let first = part.split_whitespace().next()?;
        (matches!(first, "pick" | "done") && self.judge(side, part).is_err() && p.why_not(&stop).is_none())
            .then_some(stop)
    }

    /// Carries out an order. If a part of it is refused nothing at all was done, unless dice were thrown or
    /// something was revealed before: that stands, or an order could be used to look at the dice.
    pub fn order(&mut self, side: Side, number: u32, order: &str) -> Result<Ordered, Stopped> {
        let stop_at = |part: &str, refusal| Stopped { part: part.into(), refusal };
        let parts =
            parts(self.position().lexicon(), order).map_err(|what| stop_at(order, Refusal::Unread(what)))?;
        if number != self.question_number() {
            let now = self.question_number();
            return Err(stop_at(order, Refusal::Stale { answered: number, now }));
        }
        let mut lines = Vec::new();
        let mut stopped = None;
        self.attempt(|s| {
            let mut fixed = false;
            for part in &parts {
                if let Some(stop) = s.puts_down(side, part) {
                    lines
                        .extend(s.play(side, s.question_number(), stop).map_err(|r| stop_at(part, r))?.lines);
                }
                let played = s.judge(side, part).and_then(|c| s.play(side, s.question_number(), c));
                match played {
                    Ok(played) => {
                        lines.extend(played.lines);
                        fixed |= s.steps().last().is_some_and(|s| !s.rolls.is_empty() || s.revealed);
                    }
                    Err(refusal) if fixed => {
                        stopped = Some(stop_at(part, refusal));
                        return Ok(());
                    }
                    Err(refusal) => return Err(stop_at(part, refusal)),
                }
            }
            Ok(())
        })?;
        Ok(Ordered { played: Played { lines, step: self.steps().len() }, stopped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skirmish::SkirmishGame;
    use crate::{DiceFrom, Terms};

    fn begin(at: &str) -> Session {
        let setup: toml::Table = toml::from_str(at).unwrap();
        Session::situate(&SkirmishGame::new(), &Terms::of("field"), None, &setup, DiceFrom::Scripted).unwrap()
    }

    const FIELD: &str = r#"
        at = { "blue mine" = "0401", "red mine" = "0402" }
        unit = [
            { counter = "A1", hex = "0101", strength = 3 }, { counter = "A2", hex = "0101", strength = 2 },
            { counter = "B1", hex = "0103", strength = 2 },
        ]"#;

    #[test]
    fn shorthand_stands_for_the_choices_it_is_short_for() {
        let s = begin(FIELD);
        let lex = s.position().lexicon();
        let parts = |o: &str| parts(lex, o).unwrap().join(" / ");
        assert_eq!(parts("A1,A2 0101-0102"), "pick A1 / pick A2 / go 0101-0102");
        assert_eq!(parts("attack 0103 with A1,A2"), "attack 0103 / add A1 / add A2 / resolve");
        assert_eq!(parts("pick A1,A2; go 0102\n done"), "pick A1 / pick A2 / go 0102 / done");
        assert_eq!(parts("loss A1"), "loss A1");
        assert!(super::parts(lex, " ; ").is_err());
    }

    #[test]
    fn a_whole_order_is_carried_out_and_writes_plain_choices() {
        let mut s = begin(FIELD);
        s.order(Side::One, 1, "A1,A2 0102").unwrap();
        let texts: Vec<_> = s.steps().iter().map(|s| s.text.clone()).collect();
        assert_eq!(texts, ["pick A1", "pick A2", "go 0101-0102"]);
        let n = s.question_number();
        let stopped = s.order(Side::One, n, "attack 0103 with A1").unwrap_err();
        assert_eq!(stopped.part, "attack 0103");
        assert!(stopped.to_string().contains("no unit can attack it (3)"), "{stopped}");
        assert_eq!(s.steps().len(), 3, "the part before the refused one was taken back");
    }

    #[test]
    fn an_order_cannot_be_used_to_look_at_the_dice() {
        let mut s = begin(&FIELD.replace("hex = \"0101\"", "hex = \"0102\""));
        s.script([1, 6]);
        let done = s.order(Side::One, 1, "attack 0103 with A1; loss B1").unwrap();
        assert_eq!(done.stopped.unwrap().part, "loss B1");
        assert_eq!(s.steps().len(), 3, "the die was thrown and stands");
        assert_eq!(done.played.lines.len(), 3);
    }

    #[test]
    fn what_is_no_order_is_refused_in_words() {
        let mut s = begin(FIELD);
        for (order, why) in [
            ("fly A1", "'fly' is no order of this game"),
            ("pick Z9", "'Z9' is no unit"),
            ("go 0101-0604", "no listed path leads from 0101 to 0604"),
        ] {
            let stopped = s.order(Side::One, 1, order).unwrap_err();
            assert!(stopped.to_string().contains(why), "{stopped}");
        }
        let stale = s.order(Side::One, 9, "done").unwrap_err();
        assert!(matches!(stale.refusal, Refusal::Stale { .. }));
    }
}
