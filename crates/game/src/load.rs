//! Loading is replaying: a journal becomes a game in play again.

use crate::chance::Chance;
use crate::journal::{Deed, Entry, Journal};
use crate::session::{Difference, Session, with_digest};
use crate::{Choice, Dice, Game, Object, Position, Recorder, Replay, Secret, Told};
use hex::Route;
use table::Side;
use text::{Fault, Faults, Files};

/// A journal that does not play to its end.
#[derive(Debug)]
pub struct LoadFault {
    /// What is wrong and on which line.
    pub fault: Fault,
    /// The game as far as it could be played.
    pub before: Option<Box<Session>>,
}

impl std::fmt::Display for LoadFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.fault)
    }
}

impl std::error::Error for LoadFault {}

impl LoadFault {
    /// A fault found before anything was played.
    pub(crate) fn early(file: &str, line: Option<u32>, what: String) -> Box<LoadFault> {
        Box::new(LoadFault { fault: Fault { file: file.into(), line, what }, before: None })
    }
}

/// Whether the choices of a journal are judged again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judge {
    Each,
    None,
}

impl Session {
    /// Plays a journal again. With the secret of its dice the game can go on, and every roll is thrown again and
    /// compared; without it the rolls are those written down. A journal of an older version of the rules goes on
    /// pinned to what was played, and [`Session::differences`] lists what today's rules would not allow.
    /// `file` is the journal's name in faults.
    pub fn load(
        game: &dyn Game,
        overlay: Option<&Files>,
        file: &str,
        journal: &Journal,
        secret: Option<&Secret>,
    ) -> Result<Session, Box<LoadFault>> {
        Session::replayed(game, overlay, file, journal, secret, Judge::Each)
    }

    /// As [`Session::load`], for a journal that never left our own store: its choices passed the door when they were
    /// made and are not judged again, which makes long games much quicker to open. Dice are compared all the same.
    pub fn resume(
        game: &dyn Game,
        overlay: Option<&Files>,
        file: &str,
        journal: &Journal,
        secret: Option<&Secret>,
    ) -> Result<Session, Box<LoadFault>> {
        let same = journal.header.rules == game.info().rules_version;
        Session::replayed(game, overlay, file, journal, secret, if same { Judge::None } else { Judge::Each })
    }

    fn replayed(
        game: &dyn Game,
        overlay: Option<&Files>,
        file: &str,
        journal: &Journal,
        secret: Option<&Secret>,
        judge: Judge,
    ) -> Result<Session, Box<LoadFault>> {
        Session::fits(game, file, journal)?;
        let early = |what: String| LoadFault::early(file, None, what);
        let head = &journal.header;
        let position = set_up(game, overlay, journal).map_err(|f| early(f.to_string()))?;
        let dice = Chance::of(head, secret.or(journal.secret())).map_err(early)?;
        let session = Session::new(game, Journal::read(head.clone()), position, dice);
        session.go_on(file, journal.entries(), judge)
    }

    /// Whether a journal is one of this game that can be played.
    pub(crate) fn fits(game: &dyn Game, file: &str, journal: &Journal) -> Result<(), Box<LoadFault>> {
        let early = |line: Option<u32>, what: String| LoadFault::early(file, line, what);
        let head = &journal.header;
        let info = game.info();
        if head.game != info.id {
            return Err(early(Some(2), format!("this is a game of '{}', not of '{}'", head.game, info.id)));
        }
        if head.rules > info.rules_version {
            return Err(early(
                Some(3),
                format!(
                    "the game was played under version {} of the rules of {}, and this Verst knows up to {}; \
                     a newer Verst is needed",
                    head.rules, info.id, info.rules_version
                ),
            ));
        }
        if head.sides != info.sides.each_ref().map(|s| s.id.to_string()) {
            return Err(early(
                Some(4),
                format!("'{}' and '{}' are not its sides", head.sides[0], head.sides[1]),
            ));
        }
        if journal.is_sealed() {
            return Err(early(
                None,
                "some of its lines are sealed, so it cannot be played; ask for the whole journal after the end".into(),
            ));
        }
        Ok(())
    }

    /// Plays lines of a journal that follow on those played so far.
    pub(crate) fn go_on(
        mut self,
        file: &str,
        entries: &[Entry],
        judge: Judge,
    ) -> Result<Session, Box<LoadFault>> {
        for entry in entries {
            let deed = &entry.deed;
            let replayed = match (deed, entry.side) {
                (Deed::Choice(text), Some(side)) => {
                    self.replay(entry.number, side, text, entry.thrown.rolls(), judge)
                }
                (Deed::Undo(back), Some(side)) => self.replay_undo(side, *back),
                (Deed::End(winner, kind), None) => self.replay_end(entry.number, winner, kind),
                (Deed::Secret(_), None) => Ok(()),
                _ => Err("the line says neither who did it nor that the house did".into()),
            };
            if let Err(what) = replayed {
                let line = Some(self.journal.line_of(entry.number));
                let fault = Fault { file: file.into(), line, what };
                return Err(Box::new(LoadFault { fault, before: Some(Box::new(self)) }));
            }
            self.journal.add(entry.side, deed.clone(), entry.thrown.rolls().to_vec());
        }
        Ok(self)
    }

    fn older(&self) -> bool {
        self.journal.header.rules < self.rules_version
    }

    fn replay(
        &mut self,
        number: u32,
        side: Side,
        text: &str,
        rolls: &[crate::Roll],
        judge: Judge,
    ) -> Result<(), String> {
        match self.position.asks() {
            None => return Err(format!("'{text}' comes after the end of the game")),
            Some(asked) if asked != side && !self.older() => {
                return Err(format!("'{text}' is by a side that is not asked"));
            }
            Some(_) => {}
        }
        let choice = read_choice(&*self.position, text)?;
        if judge == Judge::Each
            && let Some(why) = self.position.why_not(&choice)
        {
            if !self.older() {
                return Err(format!("'{text}' is not legal: {why}"));
            }
            let what = format!("not legal any more: {why}");
            self.differences.push(Difference { number, text: text.into(), what });
        }
        let mut told = Told::default();
        let mut replay = Replay::new(rolls);
        self.position.apply(choice, &mut replay, &mut told);
        if let Some(what) = replay.amiss() {
            if !self.older() {
                return Err(format!("'{text}' rolls other dice than are written down: {what}"));
            }
            self.differences.push(Difference { number, text: text.into(), what });
        }
        self.throw_again(text, rolls)?;
        self.push_numbered(number, side, choice, text.into(), rolls.to_vec(), told);
        Ok(())
    }

    /// Throws the dice of the game themselves, to bring them to where they were and to compare.
    pub(crate) fn throw_again(&mut self, text: &str, rolls: &[crate::Roll]) -> Result<(), String> {
        if matches!(self.dice, Chance::Absent { .. } | Chance::Scripted(_)) {
            return Ok(());
        }
        let mut dice = Recorder::new(&mut self.dice);
        for r in rolls {
            match *r {
                crate::Roll::Die { sides, .. } => {
                    dice.roll(sides);
                }
                crate::Roll::Draw { of, .. } => {
                    dice.draw(of);
                }
            }
        }
        match dice.rolls.iter().zip(rolls).find(|(thrown, written)| thrown != written) {
            Some((thrown, written)) => {
                Err(format!("'{text}' has {written} written down where the dice of this game show {thrown}"))
            }
            None => Ok(()),
        }
    }

    fn replay_undo(&mut self, side: Side, back: u32) -> Result<(), String> {
        let to = self.steps().len().checked_sub(back as usize);
        match to {
            Some(to) if back > 0 && (to >= self.barrier(side) || self.older()) => {
                self.go_back(to);
                Ok(())
            }
            _ => Err(format!("{back} choices cannot be taken back here")),
        }
    }

    fn replay_end(&mut self, number: u32, winner: &str, kind: &str) -> Result<(), String> {
        let now = self.position.outcome().map(|o| {
            let winner = o.winner.map_or("draw", |s| self.sides()[s.ix()].id);
            format!("{winner} {kind}", kind = o.kind)
        });
        let written = format!("{winner} {kind}");
        if now.as_deref() == Some(&written) {
            return Ok(());
        }
        let now = now.unwrap_or_else(|| "not over".into());
        let what = format!("the game ended as '{written}', and replayed it is '{now}'");
        if !self.older() {
            return Err(what);
        }
        self.differences.push(Difference { number, text: "the end".into(), what });
        Ok(())
    }
}

/// The position that a journal begins with.
fn set_up(game: &dyn Game, overlay: Option<&Files>, journal: &Journal) -> Result<Box<dyn Position>, Faults> {
    let terms = &journal.header.terms;
    with_digest(terms, overlay).and_then(|t| {
        if terms.overlay.is_none() && t.overlay.is_some() {
            let mut f = Faults::new();
            f.add("overlay", None, "the game was begun without an overlay; load it without one");
            return Err(f);
        }
        Ok(())
    })?;
    let Some(setup) = &journal.header.setup else { return game.start(terms, overlay) };
    match serde_json::from_str::<toml::Table>(setup) {
        Ok(table) => game.situate(terms, overlay, &table),
        Err(e) => {
            let mut f = Faults::new();
            f.add("setup", None, format!("the set-up in the header cannot be read: {e}"));
            Err(f)
        }
    }
}

/// Reads a choice as the position means it: a lone hex may stand for the path that stays there.
pub(crate) fn read_choice(p: &dyn Position, text: &str) -> Result<Choice, String> {
    let c = p.lexicon().read(text)?;
    if let Object::Hex(h) = c.object {
        let stay = Choice { object: Object::Route(Route::from(h)), ..c };
        if p.why_not(&c).is_some() && p.why_not(&stay).is_none() {
            return Ok(stay);
        }
    }
    Ok(c)
}
