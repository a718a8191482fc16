//! What changes nothing: previews, reasons, overlays, forecasts.

use super::Live;
use crate::message::{Asked, MOST_PREVIEWED, Previewed, RefusedAt, Told, refusal};
use crate::patch::Patch;
use crate::{Code, Fault, House};
use game::{Choice, Eyes, Overlay, Refusal, Session};
use serde_json::Value;
use table::Side;

impl House {
    /// Answers a question of a viewer.
    pub(super) async fn query(
        &self,
        live: &Live,
        viewer: u64,
        id: &Value,
        query: Asked,
    ) -> Result<(), Fault> {
        let mut inner = live.inner.lock().await;
        let session = &self.load(&mut inner, &live.id).await?.session;
        let n = session.question_number();
        let Some(v) = inner.viewers.get(&viewer) else { return Ok(()) };
        let Some(eyes) = v.eyes else {
            return Err(Fault::new(Code::Handover, "take the seat first"));
        };
        let Some(playing) = inner.playing.as_ref() else { return Ok(()) };
        let session = &playing.session;
        let desk = self.desks.one().await;
        let text = desk.run(|| answer(session, eyes, n, id, query).map(|a| a.text()))?;
        inner.tell(viewer, text);
        Ok(())
    }
}

/// The answer to a question that changes nothing.
fn answer<'a>(session: &Session, eyes: Eyes, n: u32, id: &'a Value, query: Asked) -> Result<Told<'a>, Fault> {
    Ok(match query {
        Asked::Preview { n: about, texts } => {
            let side = asked_side(session, eyes, about)?;
            preview(session, side, &texts, id)?
        }
        Asked::Why { n: about, text } => {
            asked_side(session, eyes, about)?;
            why(session, &text, id)
        }
        Asked::Overlay { name, texts } => {
            let known = || Fault::unknown(format!("this game has no overlay '{name}'"));
            let overlay = match eyes {
                Eyes::Side(side) if !texts.is_empty() => overlay_after(session, side, &texts, &name)?,
                _ => session.position().overlay(eyes, &name),
            };
            let overlay = overlay.ok_or_else(known)?;
            Told::Overlay { id, n, name, overlay }
        }
        Asked::Forecast => Told::Forecast { id, n, forecast: session.position().forecast(eyes) },
        _ => return Err(Fault::malformed("this message is not a question")),
    })
}

/// The side of these eyes, which must be the one that question `n` asks.
fn asked_side(session: &Session, eyes: Eyes, n: u32) -> Result<Side, Fault> {
    let now = session.question_number();
    if n != now {
        return Err(Fault::new(Code::Stale, format!("question {n} is not asked now; question {now} is")));
    }
    match (session.position().asks(), eyes) {
        (None, _) => Err(Fault::new(Code::Over, "the match is over")),
        (Some(asked), Eyes::Side(side)) if asked == side => Ok(side),
        _ => Err(Fault::new(Code::NotAsked, "the other side is asked now")),
    }
}

/// An overlay as it would be with some choices in hand.
fn overlay_after(
    session: &Session,
    side: Side,
    texts: &[String],
    name: &str,
) -> Result<Option<Overlay>, Fault> {
    if texts.len() > MOST_PREVIEWED {
        return Err(Fault::malformed(format!("expected at most {MOST_PREVIEWED} orders in hand")));
    }
    let lexicon = session.position().lexicon();
    let mut choices: Vec<Choice> = Vec::new();
    for text in texts {
        let c = read_after(session, side, &choices, text).map_err(|r| refusal(lexicon, &r))?;
        choices.push(c);
    }
    session.overlay_after(side, &choices, name).map_err(|(_, r)| refusal(lexicon, &r))
}

fn preview<'a>(session: &Session, side: Side, texts: &[String], id: &'a Value) -> Result<Told<'a>, Fault> {
    if texts.len() > MOST_PREVIEWED {
        return Err(Fault::malformed(format!("expected at most {MOST_PREVIEWED} orders in a preview")));
    }
    let n = session.question_number();
    let now = session.view(Eyes::Side(side));
    // An order is read where it would be played: a lone hex may mean another path after the order before it.
    let mut choices: Vec<Choice> = Vec::new();
    let mut refused: Option<(usize, Refusal)> = None;
    let mut shown = session.preview(side, &[]).map_err(|(_, r)| refusal(session.position().lexicon(), &r))?;
    for (at, text) in texts.iter().enumerate() {
        let read = read_after(session, side, &choices, text);
        let tried = read.map_err(|r| (at, r)).and_then(|c| {
            choices.push(c);
            session.preview(side, &choices)
        });
        match tried {
            Ok(next) => shown = next,
            Err((at, r)) => {
                refused = Some((at, r));
                break;
            }
        }
    }
    if let Some(ask) = &mut shown.ask {
        ask.forecast = None;
    }
    let lexicon = session.position().lexicon();
    Ok(Told::Preview(Box::new(Previewed {
        id,
        n,
        ask: shown.ask,
        forecast: shown.forecast,
        patch: Patch::between(&now, &shown.view),
        refused: refused.map(|(at, r)| RefusedAt { at, fault: refusal(lexicon, &r) }),
    })))
}

/// Reads an order after others that would come before it.
fn read_after(session: &Session, side: Side, before: &[Choice], text: &str) -> Result<Choice, Refusal> {
    if before.is_empty() {
        return game::orders::resolve(session.position(), text).map_err(Refusal::Unread);
    }
    let mut p = session.position().imagine(Eyes::Side(side), &mut game::QuickDice::new(0));
    for c in before {
        p.play(*c, &mut game::QuickDice::new(0), &mut game::Quiet).map_err(Refusal::Illegal)?;
    }
    game::orders::resolve(&*p, text).map_err(Refusal::Unread)
}

fn why<'a>(session: &Session, text: &str, id: &'a Value) -> Told<'a> {
    let n = session.question_number();
    let position = session.position();
    let lexicon = position.lexicon();
    let said = |legal: bool, fault: Option<Fault>, listed: Option<String>| {
        let (why, rule, sum) = fault.map_or((None, None, None), |f| (Some(f.why), f.rule, f.sum));
        Told::Why { id, n, legal, why, rule, sum, listed }
    };
    match game::orders::resolve(position, text).map_err(Refusal::Unread) {
        Err(r) => said(false, Some(refusal(lexicon, &r)), None),
        Ok(choice) => match position.why_not(&choice) {
            None => said(true, None, Some(lexicon.write(&choice))),
            Some(i) => said(false, Some(refusal(lexicon, &Refusal::Illegal(i))), None),
        },
    }
}
