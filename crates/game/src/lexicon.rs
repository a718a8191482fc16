//! The words of a game in play: what its verbs, units, hexes and boxes are called, so that any choice can be
//! written in one line and read back.

use crate::{Choice, Object, Verb, VerbInfo};
use hex::{Edge, Grid, Hex, Route};
use std::collections::BTreeMap;
use table::{BoxId, Subject, Sum, Unit};

/// Names for everything that a choice can hold.
#[derive(Debug)]
pub struct Lexicon {
    grid: Grid,
    verbs: &'static [VerbInfo],
    units: Vec<String>,
    boxes: Vec<String>,
    by_word: BTreeMap<&'static str, Verb>,
    by_unit: BTreeMap<String, Unit>,
    by_box: BTreeMap<String, BoxId>,
}

impl Lexicon {
    /// A lexicon; unit codes and box names must be single words and unique, or a sentence says which is not.
    pub fn new(
        grid: Grid,
        verbs: &'static [VerbInfo],
        units: Vec<String>,
        boxes: Vec<String>,
    ) -> Result<Lexicon, String> {
        let mut by_unit = BTreeMap::new();
        for (i, u) in units.iter().enumerate() {
            check_word(u)?;
            if by_unit.insert(u.clone(), Unit(i as u16)).is_some() {
                return Err(format!("two units are called '{u}'"));
            }
        }
        let mut by_box = BTreeMap::new();
        for (i, b) in boxes.iter().enumerate() {
            check_word(b)?;
            if by_box.insert(b.clone(), BoxId(i as u16)).is_some() {
                return Err(format!("two boxes are called '{b}'"));
            }
        }
        let by_word = verbs.iter().enumerate().map(|(i, v)| (v.word, Verb(i as u8))).collect();
        Ok(Lexicon { grid, verbs, units, boxes, by_word, by_unit, by_box })
    }

    /// A verb as people read it.
    pub fn verb(&self, v: Verb) -> VerbInfo {
        self.verbs.get(usize::from(v.0)).copied().unwrap_or(VerbInfo {
            word: "?",
            label: "?",
            help: "",
            held: false,
        })
    }

    /// The verb of a word.
    pub fn find_verb(&self, word: &str) -> Option<Verb> {
        self.by_word.get(word).copied()
    }

    /// A unit's code.
    pub fn unit(&self, u: Unit) -> &str {
        self.units.get(u.ix()).map_or("?", String::as_str)
    }

    /// The unit of a code.
    pub fn find_unit(&self, code: &str) -> Option<Unit> {
        self.by_unit.get(code).copied()
    }

    /// All unit codes, by unit.
    pub fn units(&self) -> &[String] {
        &self.units
    }

    /// A box's name.
    pub fn boxed(&self, b: BoxId) -> &str {
        self.boxes.get(usize::from(b.0)).map_or("?", String::as_str)
    }

    /// The box of a name.
    pub fn find_box(&self, name: &str) -> Option<BoxId> {
        self.by_box.get(name).copied()
    }

    /// All box names, by box.
    pub fn boxes(&self) -> &[String] {
        &self.boxes
    }

    /// The grid, which names hexes.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// A hex's name.
    pub fn hex(&self, h: Hex) -> String {
        self.grid().name(h).to_string()
    }

    /// A choice in one line.
    pub fn write(&self, c: &Choice) -> String {
        let word = self.verb(c.verb).word;
        let grid = &self.grid;
        match c.object {
            Object::Nothing => word.to_string(),
            Object::Unit(u) => format!("{word} {}", self.unit(u)),
            Object::Hex(h) => format!("{word} {}", self.hex(h)),
            Object::Edge(e) => format!("{word} {}", e.name(grid)),
            Object::At(u, h) => format!("{word} {} {}", self.unit(u), self.hex(h)),
            Object::Into(u, b) => format!("{word} {} {}", self.unit(u), self.boxed(b)),
            Object::Box(b) => format!("{word} {}", self.boxed(b)),
            Object::Route(r) => format!("{word} {}", r.name(grid)),
            Object::Number(n) => format!("{word} {n}"),
        }
    }

    /// Reads what [`Lexicon::write`] wrote. A single hex where a path is meant reads as that hex; the caller finds
    /// the listed path that ends there.
    pub fn read(&self, line: &str) -> Result<Choice, String> {
        let mut words = line.split_whitespace();
        let word = words.next().ok_or("an empty line is no order")?;
        let verb = self.find_verb(word).ok_or_else(|| {
            let known: Vec<_> = self.verbs.iter().map(|v| v.word).collect();
            format!("'{word}' is no order of this game; expected one of {}", known.join(", "))
        })?;
        let rest: Vec<&str> = words.collect();
        let object = match rest[..] {
            [] => Object::Nothing,
            [one] => self.read_one(one)?,
            [unit, place] => {
                let u = self.find_unit(unit).ok_or_else(|| format!("there is no unit '{unit}'"))?;
                match (self.grid().find(place), self.find_box(place)) {
                    (Some(h), _) => Object::At(u, h),
                    (None, Some(b)) => Object::Into(u, b),
                    (None, None) => return Err(format!("'{place}' is neither a hex nor a box")),
                }
            }
            _ => return Err(format!("'{line}' has too many words; expected a verb and one or two names")),
        };
        Ok(Choice { verb, object })
    }

    fn read_one(&self, s: &str) -> Result<Object, String> {
        let grid = self.grid();
        if let Some(u) = self.find_unit(s) {
            return Ok(Object::Unit(u));
        }
        if let Some(h) = grid.find(s) {
            return Ok(Object::Hex(h));
        }
        if let Some(b) = self.find_box(s) {
            return Ok(Object::Box(b));
        }
        if let Ok(n) = s.parse() {
            return Ok(Object::Number(n));
        }
        if let Some(e) = Edge::read(grid, s) {
            return Ok(Object::Edge(e));
        }
        if let Some((first, _)) = s.split_once('-')
            && grid.find(first).is_some()
        {
            return Route::read(grid, s).map(Object::Route).map_err(|e| e.to_string());
        }
        Err(format!("'{s}' is no unit, hex, hexside, box, path or number of this game"))
    }

    /// A sum in words: `clear 1, river +2, in all 3`.
    pub fn sum(&self, sum: &Sum) -> String {
        let mut out = String::new();
        for t in sum.terms() {
            match t.of {
                Subject::Unit(u) => {
                    out.push_str(&format!("{} {} {} ({}), ", self.unit(u), t.what, t.n, t.rule))
                }
                Subject::Hex(h) => {
                    out.push_str(&format!("{} {} {} ({}), ", t.what, self.hex(h), t.n, t.rule))
                }
                Subject::Count(n) => out.push_str(&format!("{} x{n} {} ({}), ", t.what, t.n, t.rule)),
                Subject::None => out.push_str(&format!("{} {} ({}), ", t.what, t.n, t.rule)),
            }
        }
        out.push_str(&format!("in all {}", sum.total()));
        out
    }
}

/// A name in an order is one word: no spaces, not a number, not empty.
fn check_word(w: &str) -> Result<(), String> {
    if w.is_empty() || w.contains(char::is_whitespace) || w.parse::<i64>().is_ok() || w.contains(',') {
        return Err(format!(
            "'{w}' cannot be a name in orders: it must be one word, not a number, without commas"
        ));
    }
    Ok(())
}
