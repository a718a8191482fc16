//! Questions, choices, refusals and the story, written out as plain data for the page and the terminal.
//!
//! Names, not indices, as in a [`View`](crate::View): `2608N`, `3Pz`. The shapes are those of docs/protocol.md.

use crate::SumView;
use crate::fold::{self, Places};
use crate::{Audience, Choice, Command, Eyes, Forecast, Illegal, Lexicon, Line, Object, Position};
use hex::Hex;
use serde::{Deserialize, Serialize};
use table::{Side, Sum};

/// A question with its choices. Written out, a long list of placements is folded ([`crate::fold`]).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "crate::fold::Unfolded")]
pub struct AskView {
    /// The number of the question: an answer must carry it. It rises with each choice and each undo.
    pub n: u32,
    /// Who is asked.
    pub side: Side,
    /// A short name that does not change with wording.
    pub key: String,
    /// The rule it comes from.
    pub rule: String,
    /// The question, as a sentence.
    pub prompt: String,
    /// Where it plays.
    pub hexes: Vec<String>,
    /// What is still undone.
    pub todo: Vec<TodoView>,
    /// Every legal answer, but for those in `places`.
    pub choices: Vec<ChoiceView>,
    /// Placements that were never spelled out ([`ask_folded`]); empty in a question of [`ask`].
    pub places: Vec<Places>,
    /// The battle in the making, as the asked side may know it.
    pub forecast: Option<Forecast>,
}

/// Something still undone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TodoView {
    /// What, in a few words.
    pub what: String,
    /// How many.
    pub count: u32,
    /// Where.
    pub hexes: Vec<String>,
}

/// A legal answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChoiceView {
    /// The choice in notation: what is sent back.
    pub text: String,
    /// The verb's word.
    pub verb: String,
    /// What the button says.
    pub label: String,
    /// One sentence on what it does.
    pub help: String,
    /// The unit it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Where it points on the map; a path's last hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// The hexside it is about, as its two hexes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<[String; 2]>,
    /// The box off the map it is about.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub boxed: Option<String>,
    /// The path, hex by hex, from where it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<String>>,
    /// The number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i16>,
    /// What it costs, what is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether it only takes something in hand, to be completed by another choice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Whether the one who asks may make it; false when it is another command's of a shared side.
    pub mine: bool,
}

/// A line of the story.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineView {
    /// The choice during which it was told, counted from 1 among those that stand.
    pub step: usize,
    /// A short name of what happened.
    pub key: String,
    /// The rule it follows from.
    pub rule: String,
    /// The sentence.
    pub text: String,
    /// Where.
    pub hexes: Vec<String>,
    /// Named values.
    pub facts: Vec<(String, String)>,
    /// The sums behind it.
    pub sums: Vec<SumView>,
    /// What chance gave and what it might have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckView>,
}

/// Expected and actual gain of one throw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LuckView {
    /// Who threw.
    pub side: Side,
    /// Expected gain in steps.
    pub expected: f64,
    /// What it was.
    pub actual: f64,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IllegalView {
    /// The rule.
    pub rule: String,
    /// The sentence.
    pub why: String,
    /// The sum that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<SumView>,
}

/// The question of a position with its choices, or `None` when it is over. `command` is the command for which a
/// shared side's choices are marked as its own; `None` marks all.
pub fn ask(p: &dyn Position, n: u32, command: Option<Command>) -> Option<AskView> {
    p.asks()?;
    let mut list = Vec::new();
    p.choices(&mut list);
    asked(p, n, command, list, Vec::new())
}

/// The question of a position as it is sent to one who may make every choice: thousands of placements are folded without
/// being spelled out first. It is written exactly as [`ask`]'s is.
pub fn ask_folded(p: &dyn Position, n: u32) -> Option<AskView> {
    p.asks()?;
    let mut list = Vec::new();
    p.choices(&mut list);
    let (list, places) = fold::fold_choices(p, list);
    asked(p, n, None, list, places)
}

fn asked(
    p: &dyn Position,
    n: u32,
    command: Option<Command>,
    list: Vec<Choice>,
    places: Vec<Places>,
) -> Option<AskView> {
    let side = p.asks()?;
    let q = p.question();
    let lex = p.lexicon();
    let hexes = |h: &[Hex]| h.iter().map(|&h| lex.hex(h)).collect::<Vec<_>>();
    let todo = |t: &crate::Todo| TodoView { what: t.what.clone(), count: t.count, hexes: hexes(&t.hexes) };
    Some(AskView {
        n,
        side,
        key: q.key.into(),
        rule: q.rule.0.into(),
        hexes: hexes(&q.hexes),
        todo: q.todo.iter().map(todo).collect(),
        prompt: q.prompt,
        choices: list.iter().map(|c| choice(p, c, command)).collect(),
        places,
        forecast: p.forecast(Eyes::Side(side)),
    })
}

/// A choice written out.
pub fn choice(p: &dyn Position, c: &Choice, command: Option<Command>) -> ChoiceView {
    let lex = p.lexicon();
    let verb = lex.verb(c.verb);
    let mut v = ChoiceView {
        text: lex.write(c),
        verb: verb.word.into(),
        label: verb.label.into(),
        help: verb.help.into(),
        unit: None,
        hex: None,
        edge: None,
        boxed: None,
        path: None,
        number: None,
        note: p.note(c),
        held: verb.held,
        mine: command.is_none_or(|mine| mine == p.command(c)),
    };
    match c.object {
        Object::Nothing => {}
        Object::Unit(u) => v.unit = Some(lex.unit(u).into()),
        Object::Hex(h) => v.hex = Some(lex.hex(h)),
        Object::Edge(e) => {
            let (a, b) = e.hexes(lex.grid());
            v.edge = Some([lex.hex(a), lex.hex(b)]);
        }
        Object::At(u, h) => {
            v.unit = Some(lex.unit(u).into());
            v.hex = Some(lex.hex(h));
        }
        Object::Into(u, b) => {
            v.unit = Some(lex.unit(u).into());
            v.boxed = Some(lex.boxed(b).into());
        }
        Object::Box(b) => v.boxed = Some(lex.boxed(b).into()),
        Object::Route(r) => {
            let path: Vec<String> = r.hexes(lex.grid()).map(|h| lex.hex(h)).collect();
            v.hex = path.last().cloned();
            v.path = Some(path);
        }
        Object::Number(n) => v.number = Some(n),
    }
    v
}

/// A line of the story written out, if these eyes may read it.
pub fn line(lex: &Lexicon, eyes: Eyes, step: usize, l: &Line) -> Option<LineView> {
    if let Audience::Only(side) = l.to
        && !eyes.sees(side)
    {
        return None;
    }
    Some(LineView {
        step,
        key: l.key.into(),
        rule: l.rule.0.into(),
        text: l.text.clone(),
        hexes: l.hexes.iter().map(|&h| lex.hex(h)).collect(),
        facts: l.facts.iter().map(|(k, v)| (k.to_string(), v.clone())).collect(),
        sums: l.sums.iter().map(|(name, s)| sum(lex, name, s)).collect(),
        luck: l.luck.map(|l| LuckView { side: l.side, expected: l.expected, actual: l.actual }),
    })
}

/// A sum written out.
pub fn sum(lex: &Lexicon, name: &str, s: &Sum) -> SumView {
    SumView::of(name, s, lex, |h| lex.hex(h))
}

/// A refusal written out.
pub fn illegal(lex: &Lexicon, i: &Illegal) -> IllegalView {
    IllegalView { rule: i.rule.0.into(), why: i.why.clone(), sum: i.sum.as_ref().map(|s| sum(lex, "sum", s)) }
}
