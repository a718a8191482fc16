//! Section 21: replacements, and 19.4: Non-Combat Units that return.

use crate::data::boxes;
use crate::state::{Cx, Pos, flag};
use crate::units::{Nation, is};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{BoxId, Place, Rule, Side, Unit};

/// Kinds of replacements as indices of [`crate::data::KINDS`].
mod kind {
    pub const TANK: usize = 0;
    pub const INFANTRY: usize = 1;
    pub const CAVALRY: usize = 2;
    pub const SPECIAL: usize = 3;
    pub const HUN: usize = 4;
    pub const ROM: usize = 5;
    pub const ITAL: usize = 6;
    pub const AXIS: usize = 7;
}

impl Pos {
    /// 21.1.1, 32.3: the replacements of a side this turn.
    pub fn receive_replacements(&mut self, side: Side) {
        let (id, turn) = (self.scenario().replacements.clone(), self.s.turn);
        let from = self.scenario().special.replacements_from_turn;
        let row = self.data.rates.iter().find(|r| r.scenario == id && r.turn == turn && r.side == side);
        self.s.replacements = if turn < from { [0; 8] } else { row.map_or([0; 8], |r| r.steps) };
        if side == Side::One {
            let lost = self.s.special_debt.min(self.s.replacements[kind::SPECIAL]);
            self.s.special_debt -= lost;
            self.s.replacements[kind::SPECIAL] -= lost;
        }
        self.s.guards_replaced = false;
        self.s.returned = Default::default();
    }

    /// 21.1.2, 21.5: the kinds of replacement that serve a unit, the one to be spent first first.
    fn kinds_for(&self, u: Unit) -> &'static [usize] {
        let info = self.info(u);
        let t = info.traits;
        if t & (is::NON_COMBAT | is::AIR | is::REMNANT | is::NO_REPLACEMENT) != 0 {
            return &[];
        }
        if info.side == Side::One && info.nation != Nation::German {
            return match info.nation {
                Nation::Hungarian => &[kind::HUN, kind::AXIS],
                Nation::Romanian => &[kind::ROM, kind::AXIS],
                Nation::Italian => &[kind::ITAL, kind::AXIS],
                _ => &[kind::AXIS],
            };
        }
        let tank = matches!(info.kind.as_str(), "panzer" | "tank" | "mechanized");
        if t & is::SILHOUETTE != 0 || tank && t & is::FREE != 0 {
            return &[kind::SPECIAL, kind::TANK];
        }
        match info.kind.as_str() {
            "panzer" | "tank" | "mechanized" => &[kind::TANK],
            "panzergrenadier" => &[kind::SPECIAL, kind::TANK],
            "infantry" | "jager" | "security" | "bicycle" | "engineer" => {
                &[kind::INFANTRY, kind::CAVALRY, kind::SPECIAL]
            }
            "cavalry" if t & is::FREE != 0 => &[kind::CAVALRY, kind::SPECIAL],
            "cavalry" => &[kind::CAVALRY],
            _ => &[kind::SPECIAL],
        }
    }

    /// The replacement that a unit would take now.
    fn replacement_for(&self, u: Unit) -> Option<usize> {
        self.kinds_for(u).iter().copied().find(|&k| self.s.replacements[k] > 0)
    }

    /// 21.2: why a unit in play may not be restored.
    pub fn why_not_restore(&self, side: Side, u: Unit) -> Option<Illegal> {
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        let code = self.code(u);
        if self.side(u) != side || !self.combat(u) || !(self.in_play(u) || self.in_army(u)) {
            return no("21.2", format!("{code} is no Combat Unit of yours in play"));
        }
        if self.s.steps[u.ix()] >= self.full_steps(u) {
            return no("21.1.1", format!("{code} is at full strength"));
        }
        if self.flagged(u, flag::REPLACED) {
            return no("21.2", format!("{code} has had a replacement this turn"));
        }
        if !self.good_order(u) {
            return no("21.2", format!("{code} is not in Good Order"));
        }
        if !self.in_supply(u) {
            return no("21.2", format!("{code} is out of supply"));
        }
        if self.replacement_for(u).is_none() {
            return no("21.1.2", format!("no replacement that serves {code} is left"));
        }
        if side == Side::Two && self.s.guards_replaced && self.is(u, is::GUARDS) {
            return no("21.2", "one Guards unit gets a replacement in a turn".into());
        }
        None
    }

    /// 21.3.1: why a unit may not return from the Eliminated Box at all.
    fn why_not_return(&self, side: Side, u: Unit) -> Option<Illegal> {
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        let code = self.code(u);
        if self.side(u) != side || self.s.stacks.place(u) != Place::Box(boxes::DEAD) {
            return no("21.3.1", format!("{code} is not in the Eliminated Box"));
        }
        if self.replacement_for(u).is_none() {
            return no("21.1.2", format!("no replacement that serves {code} is left"));
        }
        if side == Side::Two && self.s.guards_replaced && self.is(u, is::GUARDS) {
            return no("21.2", "one Guards unit gets a replacement in a turn".into());
        }
        if self.info(u).traits & is::REMNANTS != 0 && self.remnants_left(self.info(u).remnant) == 0 {
            return no("10.4.3", format!("{code} would return as a Remnant, and none is left"));
        }
        None
    }

    /// 21.3.1: Entry Areas where a unit may return.
    fn return_boxes(&self, u: Unit) -> Vec<BoxId> {
        let corps = self.info(u).traits & (is::TANK_CORPS | is::MECH_CORPS) != 0;
        let mut out = self.stock_boxes(self.side(u));
        if corps {
            out.retain(|&b| {
                let name = self.data.lexicon.boxed(b);
                matches!(name, "entry-a" | "entry-b" | "entry-c")
            });
        }
        if self.info(u).traits & is::BLUCHER == 0 {
            return out;
        }
        out.retain(|&b| self.data.lexicon.boxed(b) == "entry-w");
        out
    }

    /// 21.3.1: hexes where a unit may return: Major Cities on Connecting Rail Hexes and HQs near them.
    fn return_hexes(&self, u: Unit, out: &mut Vec<Hex>) {
        let side = self.side(u);
        if self.info(u).traits & (is::TANK_CORPS | is::MECH_CORPS | is::BLUCHER) != 0 {
            return;
        }
        let map = &self.data.map;
        let rail = &self.s.supplied.rail[side.ix()];
        let clear = |h: Hex| !self.near_enemy(side, h) && !self.has_combat(side.foe(), h);
        for h in &(&map.major_cities & rail) {
            let own = self.s.axis_held.contains(h) == (side == Side::One);
            if own && clear(h) && !self.s.returned[1].contains(h) {
                out.push(h);
            }
        }
        for hq in self.s.stacks.units() {
            let serves = self.side(hq) == side
                && self.is(hq, is::HQ)
                && self.good_order(hq)
                && (side == Side::Two || self.nation(hq) == self.nation(u));
            let Some(h) = self.on_map(hq).filter(|_| serves) else { continue };
            let near = rail.contains(h)
                || map.grid().neighbours(h).any(|(_, n)| {
                    rail.contains(n) || map.grid().neighbours(n).any(|(_, m)| rail.contains(m))
                });
            if near && self.in_supply(hq) && clear(h) && !self.s.returned[0].contains(h) && !out.contains(&h)
            {
                out.push(h);
            }
        }
    }

    /// Choices for replacements in an Initial Phase.
    pub fn list_replacements(&self, side: Side, out: &mut Vec<Choice>) {
        let any = self.s.replacements.iter().any(|&n| n > 0);
        let mut hexes = Vec::new();
        for u in self.s.stacks.units() {
            if self.side(u) != side || !any {
                continue;
            }
            if self.s.stacks.place(u) == Place::Box(boxes::DEAD) {
                if self.why_not_return(side, u).is_none() {
                    out.extend(self.return_boxes(u).into_iter().map(|b| Choice::into(verbs::PLACE, u, b)));
                    // 34.5: straight into a Holding Box.
                    self.list_into_armies(u, out);
                    hexes.clear();
                    self.return_hexes(u, &mut hexes);
                    out.extend(hexes.iter().map(|&h| Choice::at(verbs::PLACE, u, h)));
                }
            } else if self.s.steps[u.ix()] < self.full_steps(u) && self.why_not_restore(side, u).is_none() {
                out.push(Choice::unit(verbs::RESTORE, u));
            }
        }
    }

    /// 19.4: where a Non-Combat Unit that returns may be put: as other replacements.
    pub fn list_returning(&self, u: Unit, out: &mut Vec<Choice>) {
        out.extend(self.stock_boxes(self.side(u)).into_iter().map(|b| Choice::into(verbs::PLACE, u, b)));
        let mut hexes = Vec::new();
        self.return_hexes(u, &mut hexes);
        out.extend(hexes.into_iter().map(|h| Choice::at(verbs::PLACE, u, h)));
    }

    /// Why a replacement is refused.
    pub fn reason_replacement(&self, side: Side, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::RESTORE, Object::Unit(u)) => self.why_not_restore(side, u),
            (verbs::PLACE, Object::At(u, _) | Object::Into(u, _))
                if self.s.stacks.place(u) == Place::Box(boxes::DEAD) =>
            {
                self.why_not_return(side, u).or_else(|| {
                    let why = "units return in a friendly Entry Area, in a Major City on a Connecting Rail Hex, or with an HQ \
                               of theirs near one, once each, and not beside the enemy";
                    Some(Illegal::new(Rule("21.3.1"), why))
                })
            }
            _ => None,
        }
    }

    /// 21.1.1, 21.4: a replacement is used; the unit gets its marker.
    pub fn restore(&mut self, u: Unit, cx: &mut Cx<'_>) {
        if let Some(k) = self.replacement_for(u) {
            self.s.replacements[k] -= 1;
        }
        self.s.guards_replaced |= self.is(u, is::GUARDS);
        self.s.steps[u.ix()] += 1;
        self.mark(u, flag::REPLACED);
        let text = format!("{} gets a step and has {}.", self.code(u), self.s.steps[u.ix()]);
        cx.say(|| Line::new("replacement", Rule("21.1.1"), text));
    }

    /// 21.3: a unit returns from the Eliminated Box on its lowest step; ASUs on their Used side.
    pub fn bring_back(&mut self, u: Unit, to: Place, cx: &mut Cx<'_>) {
        if let Some(k) = self.replacement_for(u) {
            self.s.replacements[k] -= 1;
        }
        self.s.guards_replaced |= self.is(u, is::GUARDS);
        self.s.steps[u.ix()] = 1;
        self.s.flags[u.ix()] &= flag::UPGRADED | flag::FREED;
        self.note_return(u, to);
        self.put(u, to);
        if let Place::Hex(h) = to {
            self.enter(u, h);
        }
        self.mark(u, flag::REPLACED | if self.is(u, is::ASU) { flag::USED } else { 0 });
        let text = format!("{} returns from the Eliminated Box.", self.code(u));
        cx.say(|| Line::new("replacement", Rule("21.3.1"), text));
    }

    /// 21.3.1: one unit a turn for each HQ and each Major City hex.
    pub fn note_return(&mut self, u: Unit, to: Place) {
        if let Place::Hex(h) = to {
            let side = self.side(u);
            let city = self.data.map.major_cities.contains(h)
                && self.s.supplied.rail[side.ix()].contains(h)
                && !self.s.returned[1].contains(h);
            self.s.returned[usize::from(city)].insert(h);
        }
    }
}
