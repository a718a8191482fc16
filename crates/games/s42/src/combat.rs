//! Sections 8 to 10: combat.

use crate::state::{Cx, Frame, Pos};
use crate::verbs;
use game::{Choice, Illegal, Object};
use hex::Hex;
use table::{Rule, Side};

impl Pos {
    /// What a Combat Phase does before it asks.
    pub fn begin_fight(&mut self, _side: Side, _cx: &mut Cx<'_>) {}

    /// Choices of a Combat Phase with no frame open: attacks, Disengagement, Reserves, done.
    pub fn list_fight(&self, _side: Side, out: &mut Vec<Choice>) {
        out.push(Choice::button(verbs::DONE));
    }

    /// Judges such a choice.
    pub fn why_not_fight(&self, _side: Side, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::DONE, Object::Nothing) => None,
            _ => Some(Illegal::new(Rule("8.1"), "that is not possible in a Combat Phase")),
        }
    }

    /// Plays such a choice, `done` apart.
    pub fn play_fight(&mut self, _side: Side, _c: Choice, _cx: &mut Cx<'_>) {}

    /// What a Combat Phase does when its player is done: advances of Auto DS (8.6.2); true if something is asked.
    pub fn end_fight(&mut self, _side: Side, _cx: &mut Cx<'_>) -> bool {
        false
    }

    /// 8.6: hexes that can be shattered in a Movement Phase.
    pub fn list_shatter(&self, _side: Side, _out: &mut Vec<Choice>) {}

    /// Why a hex cannot be shattered now.
    pub fn why_not_shatter(&self, _side: Side, _h: Hex) -> Option<Illegal> {
        Some(Illegal::new(Rule("8.6.1"), "that is not possible now"))
    }

    /// 8.6.1: shatters the defenders of a hex.
    pub fn shatter(&mut self, _side: Side, _h: Hex, _cx: &mut Cx<'_>) {}

    /// Who is asked in a frame of combat.
    pub fn asked_in_combat(&self, _f: Frame) -> Option<Side> {
        None
    }

    /// The choices of a frame of combat.
    pub fn list_combat(&self, _f: Frame, out: &mut Vec<Choice>) {
        out.push(Choice::button(verbs::DONE));
    }

    /// Judges a choice in a frame of combat; `None` means: legal if [`Pos::list_combat`] lists it.
    pub fn why_not_combat(&self, _f: Frame, _c: &Choice) -> Option<Illegal> {
        None
    }

    /// Plays a choice in a frame of combat.
    pub fn play_combat(&mut self, _f: Frame, _c: Choice, _cx: &mut Cx<'_>) {
        self.s.frames.pop();
    }

    /// What a frame of combat asks: rule, key, prompt, where.
    pub fn ask_combat(&self, _f: Frame, _hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        ("8.1", "combat", "Go on.".into())
    }
}
