//! Why the server refused something: a code for programs, a sentence for people.

use crate::store::StoreFault;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use game::{Illegal, SumView};
use serde::Serialize;

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Not in the form that was expected.
    Malformed,
    /// Longer than is accepted.
    TooLarge,
    /// Too often in too short a time.
    TooMany,
    /// An answer to a question that is no longer asked.
    Stale,
    /// The seat is not asked now.
    NotAsked,
    /// Another command of the side must choose.
    NotYours,
    /// Against the rules of the game.
    Illegal,
    /// The seat must be taken first.
    Handover,
    /// The match is over.
    Over,
    /// Not allowed to this person.
    Forbidden,
    /// Nobody is signed in.
    SignIn,
    /// There is no such thing.
    Unknown,
    /// The store failed; nothing was changed.
    Store,
    /// A fault of ours.
    Inside,
}

impl Code {
    fn status(self) -> StatusCode {
        match self {
            Code::Malformed => StatusCode::BAD_REQUEST,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Code::Stale | Code::NotAsked | Code::Handover | Code::Over => StatusCode::CONFLICT,
            Code::NotYours | Code::Forbidden => StatusCode::FORBIDDEN,
            Code::Illegal => StatusCode::UNPROCESSABLE_ENTITY,
            Code::SignIn => StatusCode::UNAUTHORIZED,
            Code::Unknown => StatusCode::NOT_FOUND,
            Code::Store => StatusCode::SERVICE_UNAVAILABLE,
            Code::Inside => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// A refusal. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Serialize, thiserror::Error, utoipa::ToSchema)]
#[error("{why}")]
pub struct Fault {
    /// What kind.
    pub code: Code,
    /// A sentence.
    pub why: String,
    /// The rule, when a rule forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The sum that failed, when one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object)]
    pub sum: Option<Box<SumView>>,
}

impl Fault {
    /// A refusal of a kind.
    pub fn new(code: Code, why: impl Into<String>) -> Fault {
        Fault { code, why: why.into(), rule: None, sum: None }
    }

    /// Something that was sent in a wrong form.
    pub fn malformed(why: impl Into<String>) -> Fault {
        Fault::new(Code::Malformed, why)
    }

    /// Something that does not exist, or that the person may not know of.
    pub fn unknown(why: impl Into<String>) -> Fault {
        Fault::new(Code::Unknown, why)
    }

    /// Something that this person may not do.
    pub fn forbidden(why: impl Into<String>) -> Fault {
        Fault::new(Code::Forbidden, why)
    }

    /// A fault of ours; its reason goes to the log, since it may tell of what others must not know.
    pub fn inside(why: impl std::fmt::Display) -> Fault {
        tracing::error!("{why}");
        Fault::new(Code::Inside, "a fault of the server; its log says more, and nothing was changed")
    }
}

impl From<StoreFault> for Fault {
    fn from(f: StoreFault) -> Fault {
        tracing::error!("store: {f}");
        Fault::new(Code::Store, f.to_string())
    }
}

impl From<&Illegal> for Fault {
    fn from(i: &Illegal) -> Fault {
        Fault { code: Code::Illegal, why: i.why.clone(), rule: Some(i.rule.to_string()), sum: None }
    }
}

/// The body of a refusal over HTTP.
#[derive(Serialize, utoipa::ToSchema)]
pub struct FaultBody {
    /// The refusal.
    pub error: Fault,
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        (self.code.status(), Json(FaultBody { error: self })).into_response()
    }
}
