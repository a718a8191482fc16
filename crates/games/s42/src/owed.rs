//! What is owed before an Initial Phase goes on: markers assigned (34.1.1), removals (32), the Winter Offensive (33.2.1).

use crate::state::{Cx, Frame, Pos};
use crate::verbs;
use game::Choice;

impl Pos {
    /// The choices of such a frame.
    pub fn list_owed(&self, out: &mut Vec<Choice>) {
        out.push(Choice::button(verbs::DONE));
    }

    /// Plays one.
    pub fn play_owed(&mut self, _c: Choice, _cx: &mut Cx<'_>) {
        self.s.frames.pop();
    }

    /// What it asks.
    pub fn ask_owed(&self, f: Frame) -> (&'static str, &'static str, String) {
        match f {
            Frame::Assign => ("34.1.1", "assign", "Assign a Maskirovka marker to each Reserve Army.".into()),
            Frame::Offensive => ("33.2.1", "offensive", "Place the markers of the Winter Offensive.".into()),
            _ => ("32.1", "removals", "Choose what is removed.".into()),
        }
    }
}
