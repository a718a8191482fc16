//! 8.3 step 3 and section 10: the die, the result, and the order in which everything follows from it.

use crate::battle::{At, Battle, Kind, Stage, Thrown};
use crate::charts::Colour;
use crate::combat::no;
use crate::shifts::odds_word;
use crate::state::{Cx, Frame, Pos};
use crate::verbs;
use game::{Choice, Illegal, Line, Luck, Object};
use hex::Hex;
use table::{Rule, Side, Unit, steps_left};
use text::count;

impl Pos {
    /// Goes on by itself until somebody must be asked.
    pub fn run(&mut self, cx: &mut Cx<'_>) {
        // Every pass settles something that is then gone; the bound only guards against a fault of ours.
        for _ in 0..10_000 {
            if self.s.end.is_some() {
                return;
            }
            let Some(Frame::Fight(stage)) = self.s.frames.last().copied() else { return };
            let asked = match stage {
                Stage::Resolving => {
                    self.resolve_step(cx);
                    false
                }
                Stage::Loss { by, of, left } => !self.forced_loss(by, of, left, cx),
                Stage::Price { left } => !self.forced_price(left, cx),
                Stage::Excess => !self.excess_settled(),
                Stage::Retreat => !self.forced_retreat(cx),
                Stage::Escort => !self.forced_escort(),
                Stage::Contest => !self.contest_settled(),
                Stage::Advance => !self.advance_settled(),
                Stage::Forming => !self.forming_settled(),
                Stage::Group => !self.group_settled(),
                Stage::Stride => !self.stride_settled(),
                Stage::Exploits => !self.exploits_settled(cx),
                _ => true,
            };
            if asked {
                // What these questions offer depends on supply: air bases, hexes with a Line of Supply.
                if matches!(
                    stage,
                    Stage::Making | Stage::Cover | Stage::Stand | Stage::Backing | Stage::Retreat
                ) {
                    self.check_supply(Side::One);
                    self.check_supply(Side::Two);
                }
                return;
            }
        }
    }

    /// Brings the battle one stage further.
    fn resolve_step(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else {
            self.s.frames.pop();
            return;
        };
        match b.at {
            At::Making => {
                self.s.frames.pop();
                self.s.fight.battles.pop();
            }
            At::Roll => self.roll_combat(cx),
            At::Result => self.read_result(cx),
            At::DefenderLoses => self.owe(false),
            At::AttackerLoses => self.owe(true),
            At::Stand => self.offer_stand(),
            At::Stood => self.read_stand(cx),
            At::AfterStand => self.after_stand(),
            At::Retreat => self.begin_retreat(cx),
            At::Vacated => self.see_vacated(),
            At::Escort => {
                self.leave_nobody_behind(cx);
                self.offer_escort();
            }
            At::Contest => self.offer_contest(),
            At::Advance => self.offer_advance(cx),
            At::Over => {
                self.s.fight.battles.pop();
                self.s.frames.pop();
                self.check_city_battles();
            }
        }
    }

    /// Sets how far the battle has come.
    pub(crate) fn set_at(&mut self, at: At) {
        if let Some(b) = self.battle_mut() {
            b.at = at;
        }
    }

    /// 8.4.1, 26.2: rolls one die, or one more for each Planned Offensive, or none.
    fn roll_combat(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let mut b = b.clone();
        b.defenders = self.defending(&b);
        let lot = self.lot(&self.attack_of(&b));
        let foe = b.side.foe();
        let across = self.all_hindered(&self.attack_of(&b));
        b.sheltered = !self.shelter_sum(foe, b.hex).terms().is_empty();
        b.doubled =
            b.defenders.iter().copied().filter(|&u| self.doubled_by(u, b.hex, across).is_some()).collect();
        b.column = lot.column.unwrap_or(0) as u8;
        b.sure = lot.sure;
        b.at = At::Result;
        if !b.sure {
            b.dice = (0..=b.plans.len()).map(|_| cx.d6()).collect();
        }
        let (many, sure, side) = (b.dice.len() > 1, b.sure, b.side);
        let hexes: Vec<Hex> = if side == Side::One { b.from.clone() } else { vec![b.hex] };
        if let Some(own) = self.battle_mut() {
            *own = b;
        }
        if many {
            self.s.frames.push(Frame::Fight(Stage::Die));
        }
        if !sure && self.leader_near(Side::One, &hexes).is_some() {
            self.say_dice(cx);
            self.s.frames.push(Frame::Fight(Stage::Reroll(Thrown::Combat)));
        } else if many {
            self.say_dice(cx);
        }
    }

    /// Tells what was rolled while it may still change.
    fn say_dice(&self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let dice = b.dice.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let name = self.called(b.hex);
        let hex = b.hex;
        cx.say(|| Line::new("dice", Rule("8.3"), format!("The dice at {name} show {dice}.")).at(hex));
    }

    /// The result that a die has in a battle: index and colour.
    pub(crate) fn result_of(&self, b: &Battle, die: u8) -> (usize, Colour) {
        let t = &self.data.charts.combat;
        if b.sure {
            return (t.named("DS"), Colour::Barred);
        }
        let (r, colour) = t.at(usize::from(b.column), die);
        (t.named(&r.code), colour)
    }

    /// 10.1: the result takes effect.
    fn read_result(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let mut b = b.clone();
        if b.die == 0 {
            b.die = b.dice.first().copied().unwrap_or(0);
        }
        let (i, colour) = self.result_of(&b, b.die);
        let r = self.data.charts.combat.result[i].clone();
        b.result = i as u8;
        b.orange = colour == Colour::Orange;
        b.barred = colour == Colour::Barred || !r.determined;
        b.retreat = r.retreat;
        b.advance = self.weathered(r.advance);
        b.limited = r.limited;
        b.at = At::DefenderLoses;
        let lot = self.lot(&self.attack_of(&b));
        let luck = self.luck(&b);
        let (hex, die, kind) = (b.hex, b.die, b.kind);
        let name = self.called(hex);
        let who = self.codes(&b.attackers);
        let column = if b.sure {
            "automatic".to_string()
        } else {
            self.data.charts.combat.columns[usize::from(b.column)].clone()
        };
        let code = r.code;
        cx.say(|| {
            let what = match kind {
                Kind::Regular => "attacks",
                Kind::Breakthrough => "breaks through against",
                Kind::Automatic => "shatters",
            };
            let thrown = if die == 0 { "no die needed".to_string() } else { format!("die {die}") };
            let word = odds_word(lot.odds);
            let side = Pos::called_side(b.side);
            let text = format!("{side} {what} {name} with {who} at {word}: {thrown}, {code}.");
            let rule = match kind {
                Kind::Regular => "8.3",
                Kind::Breakthrough => "15.1",
                Kind::Automatic => "8.6.1",
            };
            Line::new("battle", Rule(rule), text)
                .at(hex)
                .fact("odds", odds_word(lot.raw))
                .fact("shifted", word)
                .fact("column", column)
                .die(die)
                .fact("result", code)
                .fact("attack", lot.attack.total())
                .fact("defence", lot.defence.total())
                .fact("shifts", lot.shifts.total())
                .sum("attack", lot.attack)
                .sum("defence", lot.defence)
                .sum("shifts", lot.shifts)
                .luck(luck)
        });
        if let Some(own) = self.battle_mut() {
            *own = b;
        }
        if kind == Kind::Regular {
            self.use_support(cx);
        }
    }

    /// Expected and actual steps, for the luck of the die.
    fn luck(&self, b: &Battle) -> Luck {
        let steps = |us: &[Unit]| us.iter().map(|&u| f64::from(self.s.steps[u.ix()])).sum::<f64>();
        let (own, foe) = (steps(&b.attackers), steps(&b.defenders));
        let gain = |i: usize| {
            let r = &self.data.charts.combat.result[i];
            f64::from(r.defender).min(foe) - f64::from(r.attacker).min(own)
        };
        let actual = gain(usize::from(b.result));
        if b.sure {
            return Luck { side: b.side, expected: actual, actual };
        }
        let expected = (1..=6).map(|d| gain(self.result_of(b, d).0)).sum::<f64>() / 6.0;
        Luck { side: b.side, expected, actual }
    }

    /// 10.2.2: hands out the losses of the result: the defender's first, then the attacker's.
    fn owe(&mut self, attacker: bool) {
        let Some(b) = self.battle() else { return };
        let r = &self.data.charts.combat.result[usize::from(b.result)];
        let of = if attacker { b.side } else { b.side.foe() };
        let by = if r.picks == "opponent" { of.foe() } else { of };
        let left = if attacker { r.attacker } else { r.defender };
        self.set_at(if attacker { At::Stand } else { At::AttackerLoses });
        if left > 0 {
            self.s.frames.push(Frame::Fight(Stage::Loss { by, of, left }));
        }
    }

    /// Choices of a leader: roll again, or let it be (28.1).
    pub(crate) fn reroll_choices(&self, what: Thrown, out: &mut Vec<Choice>) {
        match (what, self.battle()) {
            (Thrown::Combat, Some(b)) if b.dice.len() > 1 => {
                let mut faces = b.dice.clone();
                faces.sort_unstable();
                faces.dedup();
                out.extend(faces.into_iter().map(|f| Choice::number(verbs::REROLL, f.into())));
            }
            _ => out.push(Choice::button(verbs::REROLL)),
        }
        out.push(Choice::button(verbs::PASS));
    }

    pub(crate) fn why_not_reroll(&self, what: Thrown, c: &Choice) -> Option<Illegal> {
        let several = what == Thrown::Combat && self.battle().is_some_and(|b| b.dice.len() > 1);
        match (c.verb, c.object) {
            (verbs::PASS, Object::Nothing) => None,
            (verbs::REROLL, Object::Nothing) if !several => None,
            (verbs::REROLL, Object::Number(n))
                if several && self.battle().is_some_and(|b| b.dice.iter().any(|&d| i16::from(d) == n)) =>
            {
                None
            }
            (verbs::REROLL, _) => no("28.1.1", "name the die to be rolled again by what it shows"),
            _ => no("28.1.1", "the leader has the die rolled again, or lets it be"),
        }
    }

    /// Who is asked whether a die is rolled again.
    pub(crate) fn reroller(&self, what: Thrown) -> Side {
        match (what, self.battle()) {
            (Thrown::Determined, Some(b)) => b.side.foe(),
            _ => Side::One,
        }
    }

    /// The hexes to which a leader's range is measured for a roll.
    pub(crate) fn reroll_hexes(&self, what: Thrown) -> Vec<Hex> {
        match (what, self.battle()) {
            (Thrown::Combat, Some(b)) if b.side == Side::One => b.from.clone(),
            (Thrown::Disengagement, _) => {
                self.s.fight.leaving.iter().filter_map(|&u| self.on_map(u)).collect()
            }
            (_, Some(b)) => vec![b.hex],
            _ => Vec::new(),
        }
    }

    /// 28.1.1: a die is rolled again; the new one stands.
    pub(crate) fn play_reroll(&mut self, what: Thrown, c: Choice, cx: &mut Cx<'_>) {
        self.s.frames.pop();
        if c.verb == verbs::REROLL {
            let own = self.reroller(what);
            let hexes = self.reroll_hexes(what);
            let Some(leader) = self.leader_near(own, &hexes) else { return };
            self.mark(leader, crate::state::flag::USED);
            let die = cx.d6();
            match what {
                Thrown::Combat => {
                    if let Some(b) = self.battle_mut() {
                        let i = match c.object {
                            Object::Number(n) => b.dice.iter().position(|&d| i16::from(d) == n).unwrap_or(0),
                            _ => 0,
                        };
                        if let Some(d) = b.dice.get_mut(i) {
                            *d = die;
                        }
                    }
                }
                Thrown::Determined => {
                    if let Some(b) = self.battle_mut() {
                        b.stand_die = die;
                    }
                }
                Thrown::Disengagement => self.s.fight.leaving_die = die,
            }
            let code = self.info(leader).name.clone();
            cx.say(|| {
                Line::new("reroll", Rule("28.1.1"), format!("{code} has the die rolled again: {die}."))
                    .fact("reroll", die)
            });
        }
        if what == Thrown::Disengagement {
            self.read_disengagement(cx);
        }
    }

    /// 26.2: the dice among which the attacker chooses.
    pub(crate) fn die_choices(&self, out: &mut Vec<Choice>) {
        let Some(b) = self.battle() else { return };
        let mut faces = b.dice.clone();
        faces.sort_unstable();
        faces.dedup();
        out.extend(faces.into_iter().map(|f| Choice::number(verbs::DIE, f.into())));
    }

    pub(crate) fn why_not_die(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object, self.battle()) {
            (verbs::DIE, Object::Number(n), Some(b)) if b.dice.iter().any(|&d| i16::from(d) == n) => None,
            _ => no("26.2", "choose one of the dice that were rolled"),
        }
    }

    pub(crate) fn play_die(&mut self, c: Choice) {
        self.s.frames.pop();
        if let (Object::Number(n), Some(b)) = (c.object, self.battle_mut()) {
            b.die = n as u8;
        }
    }

    /// Choices of the Axis player who may cover a defence from the air.
    pub(crate) fn cover_choices(&self, out: &mut Vec<Choice>) {
        let Some(b) = self.battle() else { return };
        out.extend(self.cover_for(b).into_iter().map(|u| Choice::unit(verbs::AIR, u)));
        out.push(Choice::button(verbs::PASS));
    }

    pub(crate) fn why_not_cover(&self, c: &Choice) -> Option<Illegal> {
        let Some(b) = self.battle() else { return no("9.3.4", "there is no combat to support") };
        match (c.verb, c.object) {
            (verbs::PASS, Object::Nothing) => None,
            (verbs::AIR, Object::Unit(u)) if self.cover_for(b).contains(&u) => None,
            (verbs::AIR, _) => no("9.3.4", "that air unit cannot support this defence"),
            _ => no("8.3", "support the defence with an air unit, or do without"),
        }
    }

    /// 9.3.4: air for the defence, one column left.
    pub(crate) fn play_cover(&mut self, c: Choice) {
        self.s.frames.pop();
        if let Object::Unit(u) = c.object {
            if let Some(b) = self.battle_mut() {
                b.air = Some(u);
            }
            self.spend_air(u);
        }
    }

    /// What a fight asks, of whom, and where.
    fn ask_stage(&self, stage: Stage, hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        hexes.extend(self.battle().map(|b| b.hex));
        let place = hexes.first().map_or(String::new(), |&h| self.called(h));
        match stage {
            Stage::Making => {
                let auto = self.battle().is_some_and(|b| b.kind == Kind::Automatic);
                if auto {
                    ("8.6.1", "shatter", format!("Which units make the 10-1 at {place}?"))
                } else {
                    ("8.3", "attack", format!("Who attacks {place}, and with what support?"))
                }
            }
            Stage::Excess => {
                ("15.3.2", "excess", format!("Too many units defend {place}: which one adds nothing?"))
            }
            Stage::Cover => ("9.3.4", "cover", format!("Support the defence of {place} from the air?")),
            Stage::Resolving => ("8.3", "resolving", String::new()),
            Stage::Reroll(_) => ("28.1.1", "reroll", "Have the die rolled again?".to_string()),
            Stage::Die => ("26.2", "die", "Which die counts?".to_string()),
            Stage::Loss { of, left, .. } => {
                let role =
                    if self.battle().is_some_and(|b| b.side == of) { "attackers" } else { "defenders" };
                let what = if left == 1 { "a step".to_string() } else { format!("{left} steps") };
                ("10.2.2", "loss", format!("The {role} at {place} lose {what}: which unit?"))
            }
            Stage::Stand => {
                let text = if self.battle().is_some_and(|b| b.desperate) {
                    format!("The Desperate Defense of {place} goes on: who leads?")
                } else {
                    format!("Stand at {place} in a Determined Defense, or give way?")
                };
                ("11.2.1", "stand", text)
            }
            Stage::Backing => ("11.3", "backing", "Support the stand, or roll without?".to_string()),
            Stage::Retreat => self.ask_retreat(hexes),
            Stage::Price { left } => (
                "12.1.3",
                "price",
                format!("The shorter retreat costs {}: which unit pays?", count(left, "step")),
            ),
            Stage::Escort => ("9.3.7", "escort", "With which unit does the air unit stay?".to_string()),
            Stage::Contest => ("29.1.1", "contest", format!("Who enters {place}? At least one unit must.")),
            Stage::Advance => self.ask_advance(hexes),
            Stage::Stride => self.ask_stride(hexes),
            Stage::Forming => {
                ("15.2.3", "forming", "Who joins the Breakthrough Group in the vacated hex?".to_string())
            }
            Stage::Group => self.ask_group(hexes),
            Stage::Exploits => ("8.6.2", "exploit", "Advance after which Automatic DS?".to_string()),
        }
    }

    /// Who is asked in a stage.
    fn stage_asks(&self, stage: Stage) -> Side {
        let attacker = self.battle().map_or_else(|| self.phasing().unwrap_or(Side::One), |b| b.side);
        match stage {
            Stage::Making | Stage::Resolving | Stage::Die | Stage::Contest => attacker,
            Stage::Excess | Stage::Stand | Stage::Backing => attacker.foe(),
            Stage::Cover | Stage::Escort => Side::One,
            Stage::Reroll(what) => self.reroller(what),
            Stage::Loss { by, .. } => by,
            Stage::Retreat | Stage::Price { .. } => {
                self.s.fight.falling.last().map_or(attacker.foe(), |f| f.side)
            }
            Stage::Advance | Stage::Stride | Stage::Forming | Stage::Group => {
                self.s.fight.advances.last().map_or(attacker, |a| a.side)
            }
            Stage::Exploits => self.phasing().unwrap_or(Side::One),
        }
    }

    /// Every legal answer in a stage.
    fn stage_choices(&self, stage: Stage, out: &mut Vec<Choice>) {
        match stage {
            Stage::Making => self.making_choices(out),
            Stage::Excess => self.excess_choices(out),
            Stage::Cover => self.cover_choices(out),
            Stage::Resolving => {}
            Stage::Reroll(what) => self.reroll_choices(what, out),
            Stage::Die => self.die_choices(out),
            Stage::Loss { by, of, .. } => {
                out.extend(self.losable(by, of).into_iter().map(|u| Choice::unit(verbs::LOSS, u)));
            }
            Stage::Stand => self.stand_choices(out),
            Stage::Backing => self.backing_choices(out),
            Stage::Retreat => self.retreat_choices(out),
            Stage::Price { .. } => {
                out.extend(self.payers().into_iter().map(|u| Choice::unit(verbs::LOSS, u)));
            }
            Stage::Escort => self.escort_choices(out),
            Stage::Contest => self.contest_choices(out),
            Stage::Advance => self.advance_choices(out),
            Stage::Stride => self.stride_choices(out),
            Stage::Forming => self.forming_choices(out),
            Stage::Group => self.group_choices(out),
            Stage::Exploits => self.exploit_choices(out),
        }
    }

    /// Why an answer is not legal in a stage.
    fn why_not_stage(&self, stage: Stage, c: &Choice) -> Option<Illegal> {
        match stage {
            Stage::Making => self.why_not_making(c),
            Stage::Excess => self.why_not_excess(c),
            Stage::Cover => self.why_not_cover(c),
            Stage::Resolving => no("8.3", "the combat is being resolved"),
            Stage::Reroll(what) => self.why_not_reroll(what, c),
            Stage::Die => self.why_not_die(c),
            Stage::Loss { by, of, .. } => self.why_not_loss(by, of, c),
            Stage::Stand => self.why_not_stand(c),
            Stage::Backing => self.why_not_backing(c),
            Stage::Retreat => self.why_not_retreat(c),
            Stage::Price { .. } => self.why_not_price(c),
            Stage::Escort => self.why_not_escort(c),
            Stage::Contest => self.why_not_contest(c),
            Stage::Advance => self.why_not_advance(c),
            Stage::Stride => self.why_not_stride(c),
            Stage::Forming => self.why_not_forming(c),
            Stage::Group => self.why_not_group(c),
            Stage::Exploits => self.why_not_exploit(c),
        }
    }

    /// Plays an answer, and whatever follows by itself.
    fn play_stage(&mut self, stage: Stage, c: Choice, cx: &mut Cx<'_>) {
        match stage {
            Stage::Making => self.play_making(c, cx),
            Stage::Excess => self.play_excess(c),
            Stage::Cover => self.play_cover(c),
            Stage::Resolving => {}
            Stage::Reroll(what) => self.play_reroll(what, c, cx),
            Stage::Die => self.play_die(c),
            Stage::Loss { by, of, left } => self.play_loss(by, of, left, c, cx),
            Stage::Stand => self.play_stand(c, cx),
            Stage::Backing => self.play_backing(c, cx),
            Stage::Retreat => self.play_retreat(c, cx),
            Stage::Price { left } => self.play_price(left, c, cx),
            Stage::Escort => self.play_escort(c),
            Stage::Contest => self.play_contest(c, cx),
            Stage::Advance => self.play_advance(c, cx),
            Stage::Stride => self.play_stride(c, cx),
            Stage::Forming => self.play_forming(c, cx),
            Stage::Group => self.play_group(c, cx),
            Stage::Exploits => self.play_exploit(c, cx),
        }
        self.run(cx);
    }

    /// Who is asked in a frame of combat.
    pub fn asked_in_combat(&self, f: Frame) -> Option<Side> {
        match f {
            Frame::Fight(stage) => Some(self.stage_asks(stage)),
            _ => None,
        }
    }

    /// The choices of a frame of combat.
    pub fn list_combat(&self, f: Frame, out: &mut Vec<Choice>) {
        if let Frame::Fight(stage) = f {
            self.stage_choices(stage, out);
        }
    }

    /// Judges a choice in a frame of combat; a path that is not listed may be legal too.
    pub fn why_not_combat(&self, f: Frame, c: &Choice) -> Option<Illegal> {
        match f {
            Frame::Fight(stage) => self.why_not_stage(stage, c),
            _ => no("8.3", "that is not a question of combat"),
        }
    }

    /// Plays a choice in a frame of combat.
    pub fn play_combat(&mut self, f: Frame, c: Choice, cx: &mut Cx<'_>) {
        if let Frame::Fight(stage) = f {
            self.play_stage(stage, c, cx);
        }
    }

    /// What a frame of combat asks: rule, key, prompt, where.
    pub fn ask_combat(&self, f: Frame, hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        match f {
            Frame::Fight(stage) => self.ask_stage(stage, hexes),
            _ => ("8.3", "combat", String::new()),
        }
    }

    /// A few words beside a choice of a stage: what it costs, what it leaves.
    pub fn note_stage(&self, stage: Stage, c: &Choice) -> Option<String> {
        match (stage, c.verb, c.object) {
            (Stage::Loss { .. } | Stage::Price { .. }, _, Object::Unit(u)) => {
                Some(steps_left(self.s.steps[u.ix()]))
            }
            (Stage::Stand, _, Object::Unit(u)) => {
                let b = self.battle()?;
                let n = self.stand_sum(u, b.hex, false, b.orange).total().floor();
                Some(format!("die {n:+}, {}", count(self.s.steps[u.ix()], "step")))
            }
            (Stage::Retreat, verbs::RETREAT, Object::Route(r)) => {
                let f = self.s.fight.falling.last()?;
                let end = r.end(self.data.map.grid());
                let ends = self.retreat_ends(f, &f.hand);
                let price = ends.iter().filter(|e| e.hex == end).map(|e| e.price).min()?;
                let supplied = self.s.supplied.los[f.side.ix()].contains(end);
                let supply = if supplied { "in supply" } else { "no supply" };
                Some(if price > 0 {
                    format!("costs {}, {supply}", count(price, "step"))
                } else {
                    supply.to_string()
                })
            }
            (Stage::Stride | Stage::Group, verbs::GO, Object::Route(r)) => Some(count(r.len(), "hex")),
            (Stage::Advance | Stage::Exploits, verbs::DONE, _) => Some("nobody else advances".into()),
            (Stage::Forming | Stage::Contest, verbs::DONE, _) => Some("nobody else joins".into()),
            (Stage::Group, verbs::DONE, _) => Some("the group stays here".into()),
            (Stage::Group, verbs::FIGHT, Object::Hex(h)) => {
                let b = self.break_battle(self.advancing()?, h);
                let lot = self.lot(&self.attack_of(&b));
                Some(format!("at {}", odds_word(lot.odds)))
            }
            _ => None,
        }
    }
}
