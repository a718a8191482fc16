//! Plain answers to the questions of a combat, for one who gives orders from a file and does not want to be asked.

use crate::state::Pos;
use crate::verbs;
use game::{Choice, Object, Position, Verb};

/// Questions that have one.
const COMBAT: [&str; 19] = [
    "loss",
    "stand",
    "backing",
    "retreat",
    "price",
    "escort",
    "advance",
    "stride",
    "forming",
    "breakthrough",
    "cover",
    "excess",
    "contest",
    "reroll",
    "die",
    "emerge",
    "exploit",
    "overstack",
    "hand",
];

impl Pos {
    /// The retreat that keeps farthest from the enemy, pays nothing and does not crowd a hex.
    fn safest(&self, list: &[Choice]) -> Option<Choice> {
        let grid = self.data.map.grid();
        let side = self.asks()?;
        let foes = &self.s.zones.combat[side.foe().ix()];
        let danger = |c: &Choice| {
            let Object::Route(r) = c.object else { return (0, 9) };
            let h = r.end(grid);
            let price = self.note(c).is_some_and(|n| n.contains("costs"));
            let near = foes.iter().map(|e| grid.distance(e, h)).min().unwrap_or(9);
            let crowd = !self.fits(side, &self.load(side, h));
            (i32::from(price) + i32::from(crowd), -(near.min(4) as i32))
        };
        list.iter().copied().filter(|c| c.verb == verbs::RETREAT).min_by_key(danger)
    }

    /// The plain answer to a question of a combat that is open: the loss that hurts least, the stand that a sensible defender
    /// makes, the safest retreat, no advance. None if the phase itself asks.
    pub fn plain_answer(&self) -> Option<Choice> {
        let key = self.question().key;
        if !COMBAT.contains(&key) {
            return None;
        }
        let mut list = Vec::new();
        self.choices(&mut list);
        let first = list.first().copied();
        let of = |v: Verb| list.iter().copied().find(|c| c.verb == v);
        match key {
            "retreat" => self.safest(&list).or(first),
            "advance" | "forming" | "breakthrough" | "exploit" => {
                of(verbs::DONE).or_else(|| of(verbs::STOP)).or(first)
            }
            "stride" | "hand" => of(verbs::STOP),
            "escort" | "contest" | "emerge" | "excess" | "overstack" => first,
            _ => self.sensible().filter(|c| list.contains(c)).or(first),
        }
    }
}
