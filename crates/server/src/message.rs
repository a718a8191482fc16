//! What travels over the WebSocket; `docs/protocol.md` is the text to this.

use crate::body::{SeatId, side_word};
use crate::patch::Patch;
use crate::store::ChatRow;
use crate::{Code, Fault};
use game::{AskView, Eyes, Forecast, LineView, Overlay, SumView, UndoView, View};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use table::Side;

/// The longest message that is read; a longer one ends the connection.
pub const LONGEST: usize = 64 * 1024;
/// The longest line of chat, in characters.
pub const LONGEST_CHAT: usize = 2_000;
/// The most choices in one message.
pub const MOST_ORDERS: usize = 500;

/// The most choices in one preview: each is tried after all before it.
pub const MOST_PREVIEWED: usize = 100;

/// What a page sends.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Asked {
    /// One choice.
    Play {
        /// The question it answers.
        n: u32,
        /// The choice.
        text: String,
    },
    /// Several choices, all or none of them, unless dice were thrown.
    Orders {
        /// The question that the first one answers.
        n: u32,
        /// The choices, separated by `;` or new lines.
        text: String,
    },
    /// Takes choices back.
    Undo {
        /// The question now asked.
        n: u32,
        /// How many choices shall stand.
        to: usize,
    },
    /// What would follow.
    Preview {
        /// The question that the first one answers.
        n: u32,
        /// The choices.
        texts: Vec<String>,
    },
    /// Whether an order is legal, and why not.
    Why {
        /// The question.
        n: u32,
        /// The order.
        text: String,
    },
    /// A layer of knowledge.
    Overlay {
        /// Which.
        name: String,
        /// Choices that are only in hand: it is shown as it would be after them.
        #[serde(default)]
        texts: Vec<String>,
    },
    /// The battle in the making.
    Forecast,
    /// That side now sits at the screen.
    Take {
        /// Which.
        side: Side,
    },
    /// The program in that seat shall choose now.
    Stop {
        /// Which; the one that thinks if left out.
        #[serde(default)]
        seat: Option<SeatId>,
    },
    /// A line of chat.
    Chat {
        /// What it says.
        text: String,
        /// `all` or `side`.
        #[serde(default)]
        to: String,
    },
    /// Everything anew.
    Sync,
    /// Is anybody there?
    Ping,
}

/// A message with the id that its answer shall carry.
#[derive(Clone, Debug)]
pub struct Letter {
    /// The id, a string or a number.
    pub id: Value,
    /// What is asked.
    pub asked: Asked,
}

impl Letter {
    /// Reads a message; the id comes back even when the rest cannot be read.
    pub fn read(text: &str) -> Result<Letter, (Value, Fault)> {
        let whole: Value = serde_json::from_str(text)
            .map_err(|e| (Value::Null, Fault::malformed(format!("the message is not JSON: {e}"))))?;
        // serde would also read a list as a message; the protocol knows only objects.
        if !whole.is_object() {
            return Err((Value::Null, Fault::malformed("a message is an object with 't'")));
        }
        let id = match whole.get("id") {
            Some(Value::String(s)) if s.len() <= 64 => Value::String(s.clone()),
            Some(Value::Number(n)) => Value::Number(n.clone()),
            None | Some(Value::Null) => Value::Null,
            Some(_) => return Err((Value::Null, Fault::malformed("'id' must be a short text or a number"))),
        };
        match serde_json::from_value(whole) {
            Ok(asked) => Ok(Letter { id, asked }),
            Err(e) => Err((id, Fault::malformed(format!("the message cannot be read: {e}")))),
        }
    }
}

/// What the server sends.
#[derive(Debug, Serialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Told<'a> {
    /// Everything.
    State(Box<State<'a>>),
    /// What changed.
    Update(Box<Update<'a>>),
    /// The other side shall sit at the screen.
    Handover {
        /// The question.
        n: u32,
        /// Who.
        to: Side,
    },
    /// A choice or undo is stored.
    Accepted {
        /// Of the message.
        id: &'a Value,
        /// The number that was answered.
        n: u32,
        /// Whether that had been done before.
        again: bool,
        /// Why orders stopped before their end, after dice that nobody can take back.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped: Option<Fault>,
    },
    /// Nothing was changed.
    Refused {
        /// Of the message.
        #[serde(skip_serializing_if = "Value::is_null")]
        id: &'a Value,
        /// The question now asked.
        n: u32,
        /// The reason.
        #[serde(flatten)]
        fault: &'a Fault,
    },
    /// What would follow.
    Preview(Box<Previewed<'a>>),
    /// Whether an order is legal.
    Why {
        /// Of the message.
        id: &'a Value,
        /// The question.
        n: u32,
        /// Whether it is.
        legal: bool,
        /// Why not.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// By which rule.
        #[serde(skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// The sum that failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        sum: Option<Box<SumView>>,
        /// The choice as it is written.
        #[serde(skip_serializing_if = "Option::is_none")]
        listed: Option<String>,
    },
    /// A layer of knowledge.
    Overlay {
        /// Of the message.
        id: &'a Value,
        /// The question.
        n: u32,
        /// Which.
        name: String,
        /// It.
        overlay: Overlay,
    },
    /// The battle in the making.
    Forecast {
        /// Of the message.
        id: &'a Value,
        /// The question.
        n: u32,
        /// It.
        forecast: Option<Forecast>,
    },
    /// Seats, presence, clock or title changed.
    Match {
        /// The match.
        #[serde(rename = "match")]
        of: Box<MatchView>,
    },
    /// A program thinks.
    Thinking {
        /// Where.
        seat: SeatId,
        /// How far it has come.
        share: f64,
        /// A few words.
        text: String,
        /// Whether it is done.
        over: bool,
    },
    /// A line of chat.
    Chat(ChatView),
    /// Somebody is there.
    Pong {
        /// Of the message.
        id: &'a Value,
    },
}

impl Told<'_> {
    /// As it is sent.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| {
            tracing::error!("a message could not be written: {e}");
            r#"{"t":"refused","n":0,"code":"inside","why":"a fault of the server"}"#.into()
        })
    }
}

/// What would follow some choices.
#[derive(Debug, Serialize)]
pub struct Previewed<'a> {
    /// Of the message.
    pub id: &'a Value,
    /// The question.
    pub n: u32,
    /// What would be asked.
    pub ask: Option<AskView>,
    /// The battle in the making.
    pub forecast: Option<Forecast>,
    /// How the view would change.
    pub patch: Patch,
    /// The first choice that was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedAt>,
}

/// The first choice of a preview that was refused.
#[derive(Debug, Serialize)]
pub struct RefusedAt {
    /// Which, from 0.
    pub at: usize,
    /// Why.
    #[serde(flatten)]
    pub fault: Fault,
}

/// Everything that a page needs to begin.
#[derive(Debug, Serialize)]
pub struct State<'a> {
    /// Of the message that asked for it.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub id: &'a Value,
    /// The question now asked.
    pub n: u32,
    /// How many choices stand.
    pub step: usize,
    /// Whose eyes.
    pub eyes: Eyes,
    /// The match.
    #[serde(rename = "match")]
    pub of: MatchView,
    /// What they see.
    pub view: Option<&'a View>,
    /// The side that must take the seat first.
    pub handover: Option<Side>,
    /// The lines of chat they may read.
    pub chat: Vec<ChatView>,
    /// After how many choices the story begins.
    pub since: Option<usize>,
    /// What follows with every change.
    #[serde(flatten)]
    pub now: Now,
}

/// What changed.
#[derive(Debug, Serialize)]
pub struct Update<'a> {
    /// The question that the view before this showed.
    pub from: u32,
    /// The question now asked.
    pub n: u32,
    /// How many choices stand.
    pub step: usize,
    /// How the view changed.
    pub patch: &'a Patch,
    /// Who chose.
    pub by: Option<Side>,
    /// After how many choices the enemy's last turn began.
    pub since: usize,
    /// What follows with every change.
    #[serde(flatten)]
    pub now: Now,
}

/// What goes with every state and update.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Now {
    /// The question with its choices, for those who are asked.
    pub ask: Option<AskView>,
    /// Who is waited for, for the others.
    pub waits: Option<Waits>,
    /// What was told.
    pub story: Vec<LineView>,
    /// What could be taken back.
    pub undo: Vec<UndoView>,
    /// The battle in the making.
    pub forecast: Option<Forecast>,
}

/// Who is waited for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waits {
    /// The side.
    pub side: Side,
    /// Those who sit there.
    pub seat_names: Vec<String>,
}

/// A line of chat as it is sent.
#[derive(Clone, Debug, Serialize)]
pub struct ChatView {
    /// Who wrote it.
    pub from: String,
    /// The side he sits on.
    pub side: Option<Side>,
    /// `all`, `one` or `two`.
    pub to: String,
    /// What it says.
    pub text: String,
    /// When, in unix seconds.
    pub at: i64,
}

impl ChatView {
    /// A stored line, if a person on these sides may read it.
    pub fn of(row: &ChatRow, sides: &[Side]) -> Option<ChatView> {
        let may = row.audience == "all" || sides.iter().any(|s| side_word(*s) == row.audience);
        may.then(|| ChatView {
            from: row.who.clone(),
            side: crate::body::read_side(&row.side),
            to: row.audience.clone(),
            text: row.body.clone(),
            at: row.at / 1000,
        })
    }
}

/// A match as its people see it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct MatchView {
    /// The id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The game.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// Options that differ from their defaults.
    pub options: std::collections::BTreeMap<String, String>,
    /// The overlay it was begun with.
    pub overlay: Option<crate::overlays::OverlayRef>,
    /// When it was made, in unix seconds.
    pub made: i64,
    /// When the last choice was made.
    pub turned: i64,
    /// The number of the question.
    pub n: i64,
    /// How many choices stand.
    pub step: i64,
    /// The turn.
    pub turn: u32,
    /// The turn as players call it.
    pub date: String,
    /// Who is asked.
    #[schema(value_type = Option<String>)]
    pub asks: Option<Side>,
    /// Whether it waits for the one who looks.
    pub waiting: bool,
    /// How it ended.
    #[schema(value_type = Option<Object>)]
    pub outcome: Option<game::OutcomeView>,
    /// The seats of the one who looks.
    #[schema(value_type = Vec<String>)]
    pub mine: Vec<SeatId>,
    /// All seats.
    pub seats: Vec<SeatView>,
    /// Who may look on.
    pub watch: crate::body::Watching,
    /// Whether a hotseat hands the screen over.
    pub handover: bool,
    /// The clock.
    pub clock: Option<ClockView>,
    /// The match that followed.
    pub rematch: Option<String>,
    /// What binds the server to its dice; the secret is published at the end.
    pub dice: String,
}

/// A seat as people see it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct SeatView {
    /// `one`, `two`, `one.2`.
    #[schema(value_type = String)]
    pub id: SeatId,
    /// The side.
    #[schema(value_type = String)]
    pub side: Side,
    /// The command, zero for the senior one.
    pub command: u8,
    /// `person`, `program` or `open`.
    pub holder: &'static str,
    /// Who.
    pub name: String,
    /// Whether he looks at this moment.
    pub here: bool,
}

/// The clock as people see it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct ClockView {
    /// Minutes for the match.
    pub minutes: u32,
    /// Seconds added for each turn.
    pub add_seconds: u32,
    /// Seconds left for each side.
    pub left: Left,
    /// Whose time runs.
    #[schema(value_type = Option<String>)]
    pub runs: Option<Side>,
    /// Whose time ran out.
    #[schema(value_type = Option<String>)]
    pub flag: Option<Side>,
}

/// Seconds left.
#[derive(Clone, Copy, Debug, Serialize, utoipa::ToSchema)]
pub struct Left {
    /// Of the first side.
    pub one: i64,
    /// Of the second side.
    pub two: i64,
}

/// A refusal by the session, as people and programs read it.
pub fn refusal(lex: &game::Lexicon, r: &game::Refusal) -> Fault {
    use game::Refusal;
    let code = match r {
        Refusal::Over => Code::Over,
        Refusal::Stale { .. } => Code::Stale,
        Refusal::NotAsked(_) => Code::NotAsked,
        Refusal::Illegal(i) => {
            let v = game::ask::illegal(lex, i);
            return Fault { code: Code::Illegal, why: v.why, rule: Some(v.rule), sum: v.sum.map(Box::new) };
        }
        Refusal::Unread(_) => Code::Malformed,
        Refusal::NoDice | Refusal::Chance | Refusal::NoUndo(_) => Code::Forbidden,
    };
    Fault::new(code, r.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_cannot_be_read_still_gives_its_id_back() {
        let (id, fault) = Letter::read(r#"{"t":"play","id":7,"n":"x"}"#).unwrap_err();
        assert_eq!((id, fault.code), (Value::from(7), Code::Malformed));
        assert!(Letter::read(r#"{"t":"play","id":"a","n":1,"text":"done"}"#).is_ok());
        for bad in [
            "",
            "[]",
            "3",
            "{}",
            r#"{"t":"nonsense"}"#,
            r#"{"t":"play","id":{}}"#,
            r#"{"t":"play","n":-1,"text":""}"#,
            r#"["play",1,"done"]"#,
        ] {
            assert!(Letter::read(bad).is_err(), "{bad}");
        }
    }
}
