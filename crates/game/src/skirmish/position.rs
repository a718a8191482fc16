//! The rules of the skirmish.

use super::*;

impl Skirmish {
    pub(super) fn units_at(&self, h: Hex) -> impl Iterator<Item = u16> + '_ {
        (0..4).filter(move |&u| self.s.at[usize::from(u)] == Some(h))
    }

    fn touches(&self, a: Hex, b: Hex) -> bool {
        self.lex.grid().dir(a, b).is_some()
    }

    pub(super) fn held(&self, h: Hex) -> Option<Side> {
        self.units_at(h).next().map(side_of)
    }

    fn route_sum(&self, r: Route) -> Sum {
        let mut sum = Sum::new();
        sum.and(Rule("2"), "hexes", r.len() as i32);
        sum
    }

    fn strength(&mut self, u: u16, dice: &mut dyn Dice) -> i32 {
        let n = &mut self.s.strength[usize::from(u)];
        if *n == 0 {
            let lot = dice.draw(self.s.pool.len());
            *n = 1 + self.s.pool.take(lot).unwrap_or(0) as u8;
        }
        i32::from(*n)
    }

    fn next_side(&mut self) {
        if self.s.side == Side::Two {
            self.s.turn += 1;
        }
        self.s.side = self.s.side.foe();
        self.s.moved = [false; 4];
    }
}

impl Position for Skirmish {
    fn asks(&self) -> Option<Side> {
        if self.outcome().is_some() {
            return None;
        }
        Some(if self.s.losing.is_some() { self.s.side.foe() } else { self.s.side })
    }

    fn question(&self) -> Question {
        let side = self.asks().unwrap_or(Side::One);
        let (rule, key, prompt) = if self.s.mine[side.ix()].is_none() && !self.s.sprung[side.ix()] {
            ("1", "lay", "Where do you lay your mine?")
        } else if self.s.losing.is_some() {
            ("3", "loss", "Which unit is lost?")
        } else if self.s.target.is_some() {
            ("3", "battle", "Who attacks?")
        } else {
            ("2", "move", "Move and attack.")
        };
        Question { side, rule: Rule(rule), key, prompt: prompt.into(), hexes: vec![], todo: vec![] }
    }

    fn choices(&self, out: &mut Vec<Choice>) {
        if self.asks().is_none() {
            return;
        }
        let grid = self.lex.grid();
        let mut all = vec![Choice::button(DONE), Choice::button(RESOLVE)];
        for u in 0..4 {
            all.extend([PICK, ADD, LOSS].map(|v| Choice::unit(v, Unit(u))));
        }
        for h in grid.hexes() {
            all.extend([LAY, ATTACK].map(|v| Choice::hex(v, h)));
        }
        if let Some(&u) = self.s.hand.first()
            && let Some(h) = self.s.at[usize::from(u)]
        {
            let mut ends = vec![h];
            let near: Vec<Route> = grid.neighbours(h).filter_map(|(d, _)| Route::of(h, [d])).collect();
            let far = near.iter().flat_map(|r| {
                grid.neighbours(r.end(grid)).filter_map(|(d, _)| r.push(d)).collect::<Vec<_>>()
            });
            for r in near.clone().into_iter().chain(far) {
                let go = Choice::route(GO, r);
                if !ends.contains(&r.end(grid)) && self.why_not(&go).is_none() {
                    ends.push(r.end(grid));
                    all.push(go);
                }
            }
        }
        out.extend(all.into_iter().filter(|c| self.why_not(c).is_none()));
        match self.bug {
            Some("list") if self.s.turn == 2 => out.push(Choice::unit(LOSS, Unit(0))),
            Some("unlisted") => out.retain(|c| *c != Choice::unit(PICK, Unit(1))),
            Some("twice") if self.s.turn == 2 => out.push(out[0]),
            Some("silent") if self.s.turn == 2 => out.clear(),
            _ => {}
        }
    }

    fn why_not(&self, c: &Choice) -> Option<Illegal> {
        let Some(side) = self.asks() else { return Some(Illegal::new(Rule("4"), "the game is over")) };
        let no = |rule, why: &str| Some(Illegal::new(Rule(rule), why));
        let key = self.question().key;
        let mine = |u: Unit| u.ix() < 4 && side_of(u.0) == side && self.s.at[u.ix()].is_some();
        let touching =
            |u: Unit, h: Hex| self.s.at[u.ix()].is_some_and(|a| self.touches(a, h)) && !self.s.moved[u.ix()];
        match (key, c.verb, c.object) {
            ("lay", LAY, Object::Hex(h)) if self.lex.grid().has(h) => {
                if self.s.trodden[side.foe().ix()].contains(&h) {
                    return no("1", "the enemy stands or stood there");
                }
                None
            }
            ("move", PICK, Object::Unit(u)) if mine(u) && !self.s.moved[u.ix()] => {
                if self.s.hand.contains(&u.0) {
                    return no("2", "it is in hand already");
                }
                let elsewhere = |&v: &u16| self.s.at[usize::from(v)] != self.s.at[u.ix()];
                if self.s.hand.iter().any(elsewhere) {
                    return no("2", "units in hand stand together");
                }
                None
            }
            ("move", GO, Object::Route(r)) => {
                let Some(&u) = self.s.hand.first() else { return no("2", "nothing is in hand") };
                if self.s.at[usize::from(u)] != Some(r.start()) || r.is_empty() {
                    return no("2", "the path begins where the unit stands");
                }
                if self.bug == Some("why")
                    && r.len() > 1
                    && self.s.mine[side.foe().ix()] == Some(r.end(self.lex.grid()))
                {
                    return no("2", "something tells us not to");
                }
                let held = |h: Hex| self.held(h) == Some(side.foe());
                if r.end(self.lex.grid()) == Hex::NONE || r.hexes(self.lex.grid()).any(held) {
                    return no("2", "the enemy stands in the way");
                }
                if r.len() as i32 > ALLOWANCE {
                    let too_far = Illegal::new(Rule("2"), "it is too far");
                    return Some(too_far.because(self.route_sum(r)));
                }
                None
            }
            ("move", ATTACK, Object::Hex(h)) if self.s.hand.is_empty() => {
                if self.held(h) != Some(side.foe()) {
                    return no("3", "there is no enemy");
                }
                if !(0..4).any(|u| mine(Unit(u)) && touching(Unit(u), h)) {
                    return no("3", "no unit can attack it");
                }
                None
            }
            ("move", DONE, Object::Nothing) => None,
            ("battle", ADD, Object::Unit(u)) if mine(u) && !self.s.attackers.contains(&u.0) => {
                let h = self.s.target.unwrap_or(Hex::NONE);
                if touching(u, h) { None } else { no("3", "it does not touch the target") }
            }
            ("battle", RESOLVE, Object::Nothing) if !self.s.attackers.is_empty() => None,
            ("loss", LOSS, Object::Unit(u)) if mine(u) && self.s.at[u.ix()] == self.s.losing => None,
            _ => no("0", "that is no answer to what is asked"),
        }
    }

    fn apply(&mut self, c: Choice, dice: &mut dyn Dice, tell: &mut dyn Teller) {
        let Some(side) = self.asks() else { return };
        match (c.verb, c.object) {
            (LAY, Object::Hex(h)) => {
                self.s.mine[side.ix()] = Some(h);
                let line = Line::new("lay", Rule("1"), format!("A mine lies at {}.", self.lex.hex(h)));
                tell.tell(if self.bug == Some("log") { line } else { line.only(side) });
                self.s.side = side.foe();
            }
            (PICK, Object::Unit(u)) => self.s.hand.push(u.0),
            (GO, Object::Route(r)) => {
                let hand = std::mem::take(&mut self.s.hand);
                let foe = side.foe();
                let mine = self.s.mine[foe.ix()];
                let mut end = r.start();
                for h in r.hexes(self.lex.grid()).skip(1) {
                    end = h;
                    if mine == Some(h) {
                        break;
                    }
                    self.s.trodden[side.ix()].push(h);
                }
                for &u in &hand {
                    self.s.at[usize::from(u)] = Some(end);
                    self.s.moved[usize::from(u)] = true;
                }
                if mine == Some(end) {
                    tell.reveal();
                    self.s.sprung[foe.ix()] = true;
                    self.s.mine[foe.ix()] = None;
                    for &u in &hand {
                        let die = dice.roll(6);
                        if die <= 3 {
                            self.s.at[usize::from(u)] = None;
                        }
                        let text = format!("{} steps on a mine: {die}.", CODES[usize::from(u)]);
                        tell.tell(Line::new("mine", Rule("2"), text).at(end).fact("die", die));
                    }
                }
                if self.bug == Some("lost") && self.s.turn == 2 {
                    self.s.at[0] = self.s.at[2];
                }
            }
            (ATTACK, Object::Hex(h)) => self.s.target = Some(h),
            (ADD, Object::Unit(u)) => self.s.attackers.push(u.0),
            (RESOLVE, _) => {
                let target = self.s.target.take().unwrap_or(Hex::NONE);
                let attackers = std::mem::take(&mut self.s.attackers);
                let defenders: Vec<u16> = self.units_at(target).collect();
                let mut sum = Sum::new();
                for &u in &attackers {
                    self.s.moved[usize::from(u)] = true;
                    sum.unit(Rule("3"), "attacks", Unit(u), self.strength(u, dice));
                }
                let attack = sum.clone();
                for &u in &defenders {
                    sum.unit(Rule("3"), "defends", Unit(u), -self.strength(u, dice));
                }
                let die = dice.roll(6);
                sum.and(Rule("3"), "die", i32::from(die));
                let hit = sum.total().floor() >= 4;
                if hit {
                    self.s.losing = Some(target);
                }
                let base = sum.total().floor() - i32::from(die);
                let chance = f64::from((base + 6 - 3).clamp(0, 6)) / 6.0;
                let result = if hit { "loss" } else { "none" };
                let luck = Luck { side, expected: chance, actual: f64::from(u8::from(hit)) };
                tell.tell(
                    Line::new("battle", Rule("3"), format!("An attack at {}.", self.lex.hex(target)))
                        .at(target)
                        .fact("die", die)
                        .fact("result", result)
                        .sum("attack", attack)
                        .sum("battle", sum)
                        .luck(luck),
                );
            }
            (LOSS, Object::Unit(u)) => {
                self.s.at[u.ix()] = None;
                self.s.losing = None;
                tell.tell(Line::new("loss", Rule("3"), format!("{} is lost.", CODES[u.ix()])));
            }
            (DONE, _) => {
                match self.bug {
                    Some("endless") => self.s.turn = 1,
                    Some("forgetful") if !tell.listening() => self.s.turn += 1,
                    Some("panic") if self.s.turn == 3 => panic!("planted"),
                    _ => {}
                }
                self.s.hand.clear();
                self.next_side();
            }
            _ => {}
        }
    }

    fn play(&mut self, c: Choice, dice: &mut dyn Dice, tell: &mut dyn Teller) -> Result<(), Illegal> {
        if let Some(illegal) = self.why_not(&c) {
            if self.bug == Some("touch") {
                self.s.moved[0] = true;
            }
            return Err(illegal);
        }
        self.apply(c, dice, tell);
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let count =
            |s: Side| (0..4).filter(|&u| side_of(u) == s && self.s.at[usize::from(u)].is_some()).count();
        let (one, two) = (count(Side::One), count(Side::Two));
        if self.s.turn <= TURNS && one > 0 && two > 0 {
            return None;
        }
        let winner = match one.cmp(&two) {
            std::cmp::Ordering::Greater => Some(Side::One),
            std::cmp::Ordering::Less => Some(Side::Two),
            std::cmp::Ordering::Equal => None,
        };
        let kind = if self.s.turn > TURNS { "time" } else { "destroyed" };
        Some(Outcome { winner, rule: Rule("4"), kind, text: "It is over.".into() })
    }

    fn view(&self, eyes: Eyes) -> View {
        self.look(eyes)
    }

    fn forecast(&self, _: Eyes) -> Option<Forecast> {
        None
    }

    fn overlay(&self, _: Eyes, _: &str) -> Option<Overlay> {
        None
    }

    fn note(&self, _: &Choice) -> Option<String> {
        None
    }

    fn command(&self, _: &Choice) -> Command {
        Command::SENIOR
    }

    fn imagine(&self, eyes: Eyes, dice: &mut dyn Dice) -> Box<dyn Position> {
        let mut p = self.clone();
        for s in Side::BOTH {
            if p.s.mine[s.ix()].is_some() && !eyes.sees(s) {
                let free = |h: &Hex| !p.s.trodden[s.foe().ix()].contains(h);
                let possible: Vec<Hex> = self.lex.grid().hexes().filter(free).collect();
                p.s.mine[s.ix()] = Some(possible[dice.draw(possible.len() as u32) as usize]);
            }
        }
        Box::new(p)
    }

    fn lexicon(&self) -> &Lexicon {
        &self.lex
    }

    fn state(&self) -> Vec<u8> {
        let mut s = self.s.clone();
        if self.bug == Some("state") {
            s.moved = [false; 4];
        }
        postcard::to_allocvec(&s).unwrap()
    }

    fn conserved(&self) -> Result<(), String> {
        let drawn = self.s.strength.iter().filter(|&&n| n > 0).count() as u32;
        if drawn + self.s.pool.len() != 4 {
            return Err(format!("{drawn} strengths drawn and {} left", self.s.pool.len()));
        }
        for h in self.lex.grid().hexes() {
            if self.units_at(h).map(side_of).collect::<std::collections::BTreeSet<_>>().len() > 1 {
                return Err(format!("both sides stand at {}", self.lex.hex(h)));
            }
        }
        Ok(())
    }
}
