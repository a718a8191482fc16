//! A situation file from a game in play: what a player sends when a ruling looks wrong.

use crate::session::{Session, Step};
use crate::{Eyes, Game, Roll};
use toml::{Table, Value};

/// The situation after the first `at` choices of a game, with the choices from there up to `upto` as orders.
///
/// A game can set up most moments but perhaps not the middle of a battle: then the situation begins at the last
/// moment before that it can set up, or at the beginning of the game, and orders lead to the one wanted.
pub fn export(game: &dyn Game, session: &Session, at: usize, upto: usize) -> Result<String, String> {
    let steps = session.steps();
    let (at, upto) = (at.min(steps.len()), upto.clamp(at.min(steps.len()), steps.len()));
    let mut from = at;
    let setup = loop {
        if let Some(setup) = game.describe(&*session.position_at(from)) {
            break Some(setup);
        }
        if from == 0 {
            break None;
        }
        from -= 1;
    };
    let setup = match (setup, &session.journal().header.setup) {
        (Some(t), _) => t,
        (None, Some(json)) => {
            serde_json::from_str(json).map_err(|e| format!("the set-up cannot be read: {e}"))?
        }
        (None, None) => Table::new(),
    };
    let mut head = Table::new();
    head.insert("game".into(), session.game().into());
    head.insert("rules".into(), Value::Array(vec![]));
    let about = format!("exported from a game after {at} of its {} choices", steps.len());
    head.insert("about".into(), about.into());
    head.insert("scenario".into(), session.terms().scenario.clone().into());
    if !session.terms().options.is_empty() {
        let options = session.terms().options.iter().map(|(k, v)| (k.clone(), Value::from(v.clone())));
        head.insert("options".into(), Value::Table(options.collect()));
    }
    let mut note = String::new();
    if let Some(digest) = &session.terms().overlay {
        note = format!(
            "# Put the owner's folder with the digest {digest}\n# beside this file, under the name overlay.\n"
        );
        head.insert("overlay".into(), "overlay".into());
    }
    head.extend(setup);
    let orders = steps[from..upto].iter().map(|s| Value::Table(order(session, s)));
    let orders: Vec<Value> = orders.collect();
    if !orders.is_empty() {
        head.insert("order".into(), Value::Array(orders));
    }
    head.insert("expect".into(), Value::Table(end(session, upto)));
    let mut text = format!("# Exported from a game in play; see docs/situations.md.\n{note}");
    text.push_str(&toml::to_string(&head).map_err(|e| format!("the situation cannot be written: {e}"))?);
    Ok(text)
}

fn order(session: &Session, s: &Step) -> Table {
    let mut t = Table::new();
    t.insert("side".into(), session.sides()[s.side.ix()].id.into());
    t.insert("do".into(), s.text.clone().into());
    if !s.rolls.is_empty() {
        let shown = s.rolls.iter().map(|r| match *r {
            Roll::Die { face, .. } => Value::Integer(face.into()),
            Roll::Draw { lot, .. } => Value::Integer(lot.into()),
        });
        t.insert("dice".into(), Value::Array(shown.collect()));
    }
    t
}

/// What the game shows at the end of the orders: whoever sends the file changes what looks wrong to what he expects.
fn end(session: &Session, upto: usize) -> Table {
    let p = session.position_at(upto);
    let view = p.view(Eyes::Referee);
    let mut units = Table::new();
    for st in &view.stacks {
        units.extend(st.units.iter().map(|u| (u.code.clone(), Value::from(st.hex.clone()))));
    }
    let mut t = Table::new();
    t.insert("asks".into(), p.asks().map_or("none", |s| session.sides()[s.ix()].id).into());
    if p.asks().is_some() {
        t.insert("question".into(), p.question().key.into());
    }
    if !units.is_empty() {
        t.insert("unit".into(), Value::Table(units));
    }
    t
}
