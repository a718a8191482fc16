//! The contract between games and everything else.
//!
//! Data flows one way round: a [`Position`] asks a [`Question`]; a [`Choice`] answers it; playing the choice changes
//! the position and tells what happened; a [`View`] shows each side what it may know; the view carries the next
//! question. The server, the command, the programs that play and the studies use any game through [`Game`] and
//! [`Position`] without knowing which.

pub mod ask;
mod chance;
mod choice;
mod counsel;
mod dice;
mod ends;
pub mod fair;
pub mod fold;
pub mod house;
mod illegal;
pub mod journal;
pub mod journal_file;
pub mod journal_text;
mod kept;
pub mod ledger;
mod lexicon;
mod load;
pub mod oracle;
pub mod orders;
mod position;
mod question;
mod refusal;
mod registry;
mod resume;
mod session;
mod shelf;
pub mod situation;
#[cfg(test)]
mod skirmish;
mod tell;
mod terms;
mod trial;
mod verify;
mod view;

pub use ask::{AskView, ChoiceView, IllegalView, LineView, LuckView, TodoView};
pub use chance::{Chance, DiceFrom};
pub use choice::{Choice, Object, Verb, VerbInfo};
pub use counsel::{Brief, Counsel, Goal, Piece, Role, Stake, Ward};
pub use dice::{Dice, QuickDice, Roll, ScriptedDice};
pub use ends::{End, EndChance, Ends, EveryDice};
pub use fair::{FairDice, Recorder, Replay, Secret};
pub use illegal::Illegal;
pub use journal::{Deed, DiceKind, Entry, Header, Journal, Thrown};
pub use journal_file::JournalFile;
pub use journal_text::{Damage, Reading, read_journal};
pub use kept::Kept;
pub use lexicon::Lexicon;
pub use load::LoadFault;
pub use orders::{Ordered, Stopped};
pub use position::{Command, Eyes, Held, Outcome, Position};
pub use question::{Question, Todo};
pub use refusal::Refusal;
pub use registry::{Chart, Game, Info, Registry, RuleText, ScenarioInfo, SideInfo};
pub use resume::Mark;
pub use session::{Difference, LuckLine, LuckSum, Played, Preview, Session, Step, UndoView};
pub use shelf::{Shelf, save, saved, unfit};
pub use tell::{Audience, Cx, Line, Luck, Quiet, Teller, Told};
pub use terms::{Agreed, Kind, OptionSpec, Terms};
pub use trial::{Row as TrialRow, Trial, Verdict as TrialVerdict};
pub use verify::{Verdict, verify};
pub use view::*;
