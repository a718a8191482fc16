//! Sieges: who is cut off from his supply before he is attacked, and which places can be stormed with all that fits around them.
//! Only where units have no zones; where they have, rings close by themselves and lanes choose the places (`lanes.rs`).

use super::desk::Desk;
use super::field::{FAR, step_worth, steps_from};
use super::plan::Draft;
use game::{Goal, Piece, Stake};
use hex::{Hex, HexSet};

/// What a place still draws whose garrison no storm would wear down, against one that would fall.
const LEAST: f64 = 0.15;

impl Desk<'_> {
    /// Whether sieges are planned.
    pub fn besieges(&self) -> bool {
        self.attacks() && !self.brief.zones
    }

    /// Where the enemy's supply comes from.
    fn foe_sources(&self) -> &HexSet {
        &self.brief.sources[self.brief.side.foe().ix()]
    }

    /// Land that no line of the enemy's reaches when our units stand on these hexes besides their own.
    pub fn parted(&self, seats: &HexSet) -> HexSet {
        let open = &(&self.brief.land - &self.fields.own_at) - seats;
        let far = steps_from(self.grid, &open, &(self.foe_sources() & &open));
        open.iter().filter(|h| far[h.ix()] == FAR).collect()
    }

    /// A battle of plain strengths against an enemy who will be cut off when it comes to it, or not.
    pub fn clash_if(&self, target: Hex, from: &[Hex], attack: f64, starved: bool) -> Stake {
        let i = target.ix();
        let hunger = if starved { f64::from(self.fields.foe_fed[i]) * self.brief.hunger } else { 0.0 };
        let defence = (f64::from(self.fields.foe[i]) - hunger).max(1.0);
        self.counsel.clash(
            self.world.position(),
            target,
            from,
            attack,
            defence,
            f64::from(self.fields.foe_steps[i]),
        )
    }

    /// What a place of the enemy draws: the root of its worth, and the less the worse a storm of it would go with all that fits
    /// around it, after a ring was closed if one can be. An army before a place that it cannot take is missing elsewhere.
    pub fn draw_of(&self, g: &Goal) -> f64 {
        let plain = g.worth.max(0.0).sqrt();
        if !self.besieges() || g.held == self.brief.side || !self.fields.foe_at.contains(g.hex) {
            return plain;
        }
        let prize = self.prize(g.hex);
        let own = || self.brief.pieces.iter().filter(|p| p.side == self.brief.side && p.attack > 0.0);
        let sum = |of: fn(&Piece) -> f64| own().map(of).sum::<f64>();
        let from: Vec<Hex> = self
            .grid
            .neighbours(g.hex)
            .map(|(_, h)| h)
            .filter(|h| self.brief.land.contains(*h) && !self.fields.foe_at.contains(*h))
            .collect();
        let room: f64 = from.iter().map(|h| f64::from(self.brief.room[h.ix()])).sum();
        let attack = sum(|p| p.attack) / sum(|p| p.bulk).max(0.1) * room;
        let stake = self.clash_if(g.hex, &from, attack, !self.foe_sources().contains(g.hex));
        let ease = (self.won(g.hex, stake, step_worth(own())) / prize.max(0.1)).clamp(0.0, 1.0);
        plain * (LEAST + (1.0 - LEAST) * ease)
    }
}

/// Whether a target will be without supply when it is attacked from these hexes: it lies in a ring that the plan closes, or those who
/// come stand all around it.
pub(super) fn starves(draft: &Draft<'_>, parted: &HexSet, target: Hex, from: &[Hex]) -> bool {
    let desk = draft.desk;
    if !desk.besieges() || desk.foe_sources().contains(target) {
        return false;
    }
    let barred = |h: Hex| !desk.brief.land.contains(h) || from.contains(&h) || draft.held[h.ix()] > 0.0;
    parted.contains(target) || desk.grid.neighbours(target).all(|(_, h)| barred(h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seat;
    use game::{Game, QuickDice, Terms};
    use std::collections::BTreeMap;

    /// The German side before Minsk and Odessa, each with a garrison of so many divisions of so much defence.
    fn at_desk<T>(divisions: usize, printed: &str, look: impl FnOnce(&Desk<'_>) -> T) -> T {
        let mut setup = String::from("[at]\nturn = 3\nphase = \"german movement\"\n");
        let mut unit = |counter: &str, hex: &str, more: &str| {
            setup += &format!("[[unit]]\ncounter = \"{counter}\"\nhex = \"{hex}\"\n{more}");
        };
        for (n, code) in ["5ID", "26ID", "6ID", "1Pz", "6Pz"].iter().enumerate() {
            unit(code, ["2617N", "2511S"][n % 2], "");
        }
        for (place, hex) in ["2817N", "2512S"].iter().enumerate() {
            for n in 0..divisions {
                unit(&format!("RD{}", 1 + 10 * place + n), hex, &format!("printed = \"{printed}\"\n"));
            }
        }
        let setup = setup.parse().expect("the head of a situation");
        let p = pm::Pm::new().situate(&Terms::of("campaign"), None, &setup).unwrap_or_else(|f| panic!("{f}"));
        let seat = Seat::new(&*p).expect("the German side is asked");
        let world = seat.sample(&mut QuickDice::new(1));
        let counsel = seat.counsel().expect("the game has a counsel");
        look(&Desk::new(counsel, &world, None, &BTreeMap::new()))
    }

    fn hex(desk: &Desk<'_>, code: &str) -> Hex {
        desk.grid.find(code).expect("a hex of the map")
    }

    fn draw(desk: &Desk<'_>, code: &str) -> f64 {
        let at = hex(desk, code);
        desk.draw_of(desk.brief.goals.iter().find(|g| g.hex == at).expect("a place that counts"))
    }

    fn around(desk: &Desk<'_>, code: &str) -> Vec<Hex> {
        let beside = desk.grid.neighbours(hex(desk, code)).map(|(_, h)| h);
        beside.filter(|h| desk.brief.land.contains(*h)).collect()
    }

    #[test]
    fn a_place_draws_less_the_worse_a_storm_of_it_would_go() {
        let weak = at_desk(1, "1-1-5", |d| [draw(d, "2817N"), draw(d, "2512S")]);
        let strong = at_desk(9, "4-4-5", |d| [draw(d, "2817N"), draw(d, "2512S")]);
        assert!(strong[1] < weak[1], "{strong:?} against {weak:?}");
        // Odessa counts twice as much as Minsk and is as strong, but ships feed it (9.17): nobody starves there.
        assert!(weak[1] > weak[0] && strong[1] < strong[0], "{strong:?} against {weak:?}");
    }

    #[test]
    fn a_ring_parts_what_lies_within_from_its_supply() {
        at_desk(2, "3-3-5", |d| {
            let mut ring: HexSet = around(d, "2817N").into_iter().collect();
            assert!(d.parted(&ring).contains(hex(d, "2817N")));
            ring.remove(around(d, "2817N")[0]);
            assert!(!d.parted(&ring).contains(hex(d, "2817N")), "a gap of one hex feeds it");
        });
    }

    #[test]
    fn who_is_attacked_from_all_around_is_cut_off_but_not_in_a_port() {
        at_desk(2, "3-3-5", |d| {
            let draft = Draft::new(d, &[]);
            let none = HexSet::empty();
            let (minsk, odessa) = (around(d, "2817N"), around(d, "2512S"));
            assert!(starves(&draft, &none, hex(d, "2817N"), &minsk));
            assert!(!starves(&draft, &none, hex(d, "2817N"), &minsk[1..]));
            assert!(!starves(&draft, &none, hex(d, "2512S"), &odessa));
            let storm = |starved| d.clash_if(hex(d, "2817N"), &minsk, 6.0, starved).defender_loss;
            assert!(storm(true) > storm(false), "half the defence (9.7)");
        });
    }
}
