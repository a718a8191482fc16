//! A seat at the table: all that a player is given. The position stays behind it.

use game::{Choice, Counsel, Dice, Eyes, Forecast, Lexicon, Position, Question, Quiet, Role, View};
use table::{Side, Unit};

/// What a player may know: the view of its side, the question with its answers, the odds of the battle in the
/// making, and worlds that fit all this. The position itself cannot be reached through it.
///
/// ```compile_fail
/// fn peek(seat: &verst_players::Seat<'_>) -> Vec<u8> {
///     seat.position.state()
/// }
/// ```
pub struct Seat<'a> {
    position: &'a dyn Position,
    side: Side,
}

/// A world that fits what a side sees: what is hidden from it was drawn anew. A player may do with it what it likes.
pub struct World {
    position: Box<dyn Position>,
    side: Side,
}

impl<'a> Seat<'a> {
    /// The seat of the side that is asked; `None` when the game is over.
    pub fn new(position: &'a dyn Position) -> Option<Seat<'a>> {
        position.asks().map(|side| Seat { position, side })
    }

    /// Whose seat.
    pub fn side(&self) -> Side {
        self.side
    }

    /// What the side sees.
    pub fn view(&self) -> View {
        self.position.view(Eyes::Side(self.side))
    }

    /// What is asked.
    pub fn question(&self) -> Question {
        self.position.question()
    }

    /// Every legal answer.
    pub fn choices(&self) -> Vec<Choice> {
        let mut out = Vec::new();
        self.position.choices(&mut out);
        out
    }

    /// The battle in the making, as far as the side may know it.
    pub fn forecast(&self) -> Option<Forecast> {
        self.position.forecast(Eyes::Side(self.side))
    }

    /// Names for everything in play.
    pub fn lexicon(&self) -> &Lexicon {
        self.position.lexicon()
    }

    /// What the game tells its programs.
    pub fn counsel(&self) -> Option<&'static dyn Counsel> {
        self.position.counsel()
    }

    /// The units that the side has in hand.
    pub fn hand(&self) -> Vec<Unit> {
        self.counsel().map(|c| c.hand(self.position)).unwrap_or_default()
    }

    /// A number that stays the same as long as a plan for this phase holds; see [`Counsel::stamp`].
    pub fn stamp(&self) -> u64 {
        self.counsel().map_or(0, |c| c.stamp(self.position, self.side))
    }

    /// The game's own answer to a question in the midst of something; see [`Counsel::carry_on`].
    pub fn carry_on(&self, list: &[Choice]) -> Option<Choice> {
        let c = self.counsel().and_then(|c| c.carry_on(self.position, list));
        c.filter(|c| list.contains(c))
    }

    /// A world that fits what the side sees. Equal views and equal dice give equal worlds.
    pub fn sample(&self, dice: &mut dyn Dice) -> World {
        World { position: self.position.imagine(Eyes::Side(self.side), dice), side: self.side }
    }
}

impl World {
    /// The imagined position.
    pub fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// For whom it was imagined.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Plays a choice that is legal in this world.
    pub fn apply(&mut self, c: Choice, dice: &mut dyn Dice) {
        self.position.apply(c, dice, &mut Quiet);
    }

    /// A copy.
    pub fn copy_of(other: &World) -> World {
        World { position: other.position.clone(), side: other.side }
    }

    /// Becomes a copy of another world without new memory.
    pub fn become_copy(&mut self, other: &World) {
        if !self.position.copy_from(&*other.position) {
            self.position = other.position.clone();
        }
        self.side = other.side;
    }

    /// Who is asked in it.
    pub fn asks(&self) -> Option<Side> {
        self.position.asks()
    }

    /// Every legal answer in it, into a list that is emptied first.
    pub fn choices(&self, out: &mut Vec<Choice>) {
        out.clear();
        self.position.choices(out);
    }

    /// The seat of whoever is asked in it.
    pub fn seat(&self) -> Option<Seat<'_>> {
        Seat::new(&*self.position)
    }

    /// Plays on until nothing is half done: units join, attacks roll, losses are borne by whoever comes first. What
    /// is then asked is a new decision of either side. Returns whether dice were thrown.
    pub fn settle(&mut self, counsel: &dyn Counsel, dice: &mut Counted<'_>, list: &mut Vec<Choice>) -> bool {
        let before = dice.thrown;
        for _ in 0..LONGEST {
            if self.asks().is_none() {
                break;
            }
            self.choices(list);
            let sensible = counsel.carry_on(&*self.position, list).filter(|c| list.contains(c));
            let Some(c) = sensible.or_else(|| next_of(counsel, list)) else { break };
            self.apply(c, dice);
            // What was in hand is put down: whatever is asked now is new.
            if sensible.is_none() && counsel.role(&c) == Role::Stop {
                break;
            }
        }
        dice.thrown > before
    }
}

/// No battle has more questions than this.
const LONGEST: usize = 64;

/// The answer that carries on what is half done; `None` when a new decision is asked.
fn next_of(counsel: &dyn Counsel, list: &[Choice]) -> Option<Choice> {
    // With units in hand that may still move, joining would take others along: the move ends here.
    let moving = list.iter().find(|c| counsel.role(c) == Role::Stop);
    if moving.is_some() {
        return moving.copied();
    }
    let mut best: Option<(u8, Choice)> = None;
    for c in list {
        let rank = match counsel.role(c) {
            Role::Pick | Role::Target | Role::Place | Role::Fill | Role::Special => return None,
            Role::JoinAll => 0,
            Role::Resolve => 2,
            Role::Join => 1,
            Role::Loss => 3,
            Role::Retreat => 4,
            Role::Advance => 5,
            Role::Go | Role::Assault | Role::Stop | Role::Done | Role::Undo => continue,
        };
        if best.is_none_or(|(r, _)| rank < r) {
            best = Some((rank, *c));
        }
    }
    best.map(|(_, c)| c)
}

/// Dice that count how often they were thrown.
pub struct Counted<'a> {
    dice: &'a mut dyn Dice,
    /// How often.
    pub thrown: u64,
}

impl<'a> Counted<'a> {
    /// Counts these dice.
    pub fn new(dice: &'a mut dyn Dice) -> Counted<'a> {
        Counted { dice, thrown: 0 }
    }
}

impl Dice for Counted<'_> {
    fn roll(&mut self, sides: u8) -> u8 {
        self.thrown += 1;
        self.dice.roll(sides)
    }

    fn draw(&mut self, of: u32) -> u32 {
        self.thrown += 1;
        self.dice.draw(of)
    }
}
