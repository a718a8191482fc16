//! Section 10: who loses the steps, and who is left out of a defence (15.3.2).

use crate::battle::{Kind, Stage};
use crate::combat::no;
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{Rule, Side, Unit};

impl Pos {
    /// Whether a unit still has a step and a place.
    pub(crate) fn alive(&self, u: Unit) -> bool {
        self.s.steps[u.ix()] > 0 && (self.on_map(u).is_some() || self.in_area(u))
    }

    /// Whether a unit waits in an Entry Area.
    fn in_area(&self, u: Unit) -> bool {
        match self.s.stacks.place(u) {
            table::Place::Box(b) => self.data.area_of(b).is_some(),
            table::Place::Hex(_) => false,
        }
    }

    /// 10.2, 9.8, 12.4, 20.5.2: the units among which a loss may be picked.
    pub(crate) fn losable(&self, by: Side, of: Side) -> Vec<Unit> {
        let Some(b) = self.battle() else { return Vec::new() };
        let attacking = of == b.side;
        let mut all: Vec<Unit> = if attacking { &b.attackers } else { &b.defenders }
            .iter()
            .copied()
            .filter(|&u| self.alive(u) && (attacking || self.on_map(u) == Some(b.hex)))
            .collect();
        if all.is_empty() && !attacking {
            // 10.2.1: those that lent nothing, once nobody else is left; never those that fled there (12.4).
            let fled = |u: Unit| b.kind == Kind::Regular && self.flagged(u, flag::RETREATED);
            all = self.of_side(of, b.hex).filter(|&u| self.combat(u) && !fled(u)).collect();
        }
        let plain = |u: &Unit| !self.is(*u, is::PAREN);
        if all.iter().any(plain) && (by != of || !attacking) {
            all.retain(plain);
        }
        // 20.5.2: no ally is used up while a German unit at full strength can bear the loss.
        let full =
            |u: &Unit| !self.is(*u, is::ALLY) && plain(u) && self.s.steps[u.ix()] == self.full_steps(*u);
        if of == Side::One && all.iter().any(full) {
            let last =
                |u: &Unit| self.is(*u, is::ALLY) && self.s.steps[u.ix()] == 1 && self.full_steps(*u) > 1;
            all.retain(|u| !last(u));
        }
        all
    }

    /// 10.3: a unit loses a step, and the story says so. True if it is gone.
    pub(crate) fn lose(&mut self, u: Unit, rule: &'static str, cx: &mut Cx<'_>) -> bool {
        let at = self.on_map(u);
        let gone = self.lose_step(u);
        if gone {
            self.ground_air(u);
        }
        let (code, left) = (self.code(u).to_string(), self.s.steps[u.ix()]);
        let remnant = !gone && self.remnant(u);
        cx.say(|| {
            let what = match (gone, remnant) {
                (true, _) => "is eliminated",
                (false, true) => "is reduced to a Remnant",
                _ => "loses a step",
            };
            let mut line = Line::new("loss", Rule(rule), format!("{code} {what}."))
                .fact("unit", &code)
                .fact("steps", left);
            line.hexes.extend(at);
            line
        });
        gone
    }

    /// 19.3: Non-Combat Units whose last Combat Unit was lost are removed at once; Supply Points wait for the enemy.
    pub(crate) fn leave_nobody_behind(&mut self, cx: &mut Cx<'_>) {
        let Some((hex, foe)) = self.battle().map(|b| (b.hex, b.side.foe())) else { return };
        if self.has_combat(foe, hex) {
            return;
        }
        let left: Vec<Unit> = self.of_side(foe, hex).filter(|&u| !self.is(u, is::SUPPLY)).collect();
        for u in left {
            self.destroy(u, "19.3", "is left without a Combat Unit", cx);
        }
    }

    /// Takes a loss that leaves no choice; true if nothing is to be asked.
    pub(crate) fn forced_loss(&mut self, by: Side, of: Side, left: u8, cx: &mut Cx<'_>) -> bool {
        let all = self.losable(by, of);
        match all[..] {
            [] => {
                self.s.frames.pop();
                true
            }
            [u] => {
                self.take_loss(u, by, of, left, cx);
                true
            }
            _ => false,
        }
    }

    fn take_loss(&mut self, u: Unit, by: Side, of: Side, left: u8, cx: &mut Cx<'_>) {
        self.s.frames.pop();
        self.lose(u, "10.2.2", cx);
        if left > 1 {
            self.s.frames.push(Frame::Fight(Stage::Loss { by, of, left: left - 1 }));
        }
    }

    pub(crate) fn why_not_loss(&self, by: Side, of: Side, c: &Choice) -> Option<Illegal> {
        let (verbs::LOSS, Object::Unit(u)) = (c.verb, c.object) else {
            return no("10.2.2", "a step must be lost: name the unit");
        };
        if self.losable(by, of).contains(&u) {
            return None;
        }
        let Some(b) = self.battle() else { return no("10.2.1", "there is no combat") };
        let part = if of == b.side { b.attackers.contains(&u) } else { self.on_map(u) == Some(b.hex) };
        let code = self.code(u);
        if !part || self.side(u) != of || !self.combat(u) {
            return no("10.2.1", format!("{code} takes no part in this combat"));
        }
        if self.is(u, is::PAREN) {
            return no("9.8", format!("{code} has its defence in parentheses: the others come first"));
        }
        if self.is(u, is::ALLY) && self.s.steps[u.ix()] == 1 {
            return no(
                "20.5.2",
                format!("a German unit at full strength comes before the last step of {code}"),
            );
        }
        if self.flagged(u, flag::RETREATED) {
            return no("12.4", format!("{code} fled here and bears no loss"));
        }
        no("10.2.1", format!("{code} lent no strength: the others come first"))
    }

    pub(crate) fn play_loss(&mut self, by: Side, of: Side, left: u8, c: Choice, cx: &mut Cx<'_>) {
        if let Object::Unit(u) = c.object {
            self.take_loss(u, by, of, left, cx);
        }
    }

    /// Whether a side is over the stacking limit in a hex.
    pub(crate) fn overstacked(&self, side: Side, h: Hex) -> bool {
        !self.fits(side, &self.load(side, h)) && !self.camp(h)
    }

    /// Whether these units alone keep to the stacking limit of their hex.
    fn within_limit(&self, units: &[Unit], h: Hex) -> bool {
        let Some(&first) = units.first() else { return true };
        let side = self.side(first);
        let mut load = crate::stacking::Load::default();
        for &u in units {
            self.weigh_in(&mut load, u);
        }
        for u in self.of_side(side, h).filter(|&u| !self.combat(u)) {
            self.weigh_in(&mut load, u);
        }
        self.fits(side, &load)
    }

    /// 15.3.2: whether the defenders keep to the limit.
    pub(crate) fn excess_settled(&mut self) -> bool {
        let Some(b) = self.battle() else { return true };
        let all = self.defending(b);
        let done = all.len() < 2 || self.within_limit(&all, b.hex);
        if done {
            self.s.frames.pop();
        }
        done
    }

    pub(crate) fn excess_choices(&self, out: &mut Vec<Choice>) {
        let Some(b) = self.battle() else { return };
        out.extend(self.defending(b).into_iter().map(|u| Choice::unit(verbs::LESS, u)));
    }

    pub(crate) fn why_not_excess(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object, self.battle()) {
            (verbs::LESS, Object::Unit(u), Some(b)) if self.defending(b).contains(&u) => None,
            _ => no("15.3.2", "name a defending unit that adds nothing: the hex holds too many"),
        }
    }

    pub(crate) fn play_excess(&mut self, c: Choice) {
        if let (Object::Unit(u), Some(b)) = (c.object, self.battle_mut()) {
            b.excess.push(u);
        }
    }
}
