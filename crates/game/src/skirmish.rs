//! A small game for the tests of this crate: two sides, a hidden mine each, untried strengths, dice, losses.
//!
//! 1 Each side lays a mine unseen. 2 A side moves its units up to two hexes, together if they stand together, and
//! attacks what it touches; a mine stepped on is shown, and takes the unit on 1 to 3. 3 An attack throws one die,
//! adds the attackers and takes off the defenders: at 4 the defender loses a unit of his choice. A unit's strength is
//! drawn when it first fights. 4 Twelve turns; more units win.

use crate::*;
use hex::{Grid, GridSpec, Hex, Route};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};
use table::{Pool, Rule, Side, Sum, Unit};
use text::{Faults, Files};

verbs! {
    /// Lays the mine.
    LAY = "lay", "Lay", "Lay the mine here.";
    /// Takes a unit in hand.
    PICK = "pick", "Pick", "Take this unit in hand.", held;
    /// Moves what is in hand.
    GO = "go", "Go", "Move along this path.";
    /// Names a target.
    ATTACK = "attack", "Attack", "Attack this hex.", held;
    /// Adds an attacker.
    ADD = "add", "Add", "This unit attacks too.", held;
    /// Throws the die.
    RESOLVE = "resolve", "Resolve", "Throw the die.";
    /// Takes a loss.
    LOSS = "loss", "Loss", "This unit is lost.";
    /// Ends the turn.
    DONE = "done", "Done", "End the turn.";
}

const CODES: [&str; 4] = ["A1", "A2", "B1", "B2"];
const ALLOWANCE: i32 = 2;
const TURNS: u32 = 12;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    turn: u32,
    side: Side,
    at: [Option<Hex>; 4],
    moved: [bool; 4],
    strength: [u8; 4],
    pool: Pool,
    hand: Vec<u16>,
    target: Option<Hex>,
    attackers: Vec<u16>,
    losing: Option<Hex>,
    mine: [Option<Hex>; 2],
    sprung: [bool; 2],
    /// Where a side's units were, so that the other side's mine cannot be there.
    trodden: [Vec<Hex>; 2],
}

/// A position of the skirmish.
#[derive(Clone)]
pub struct Skirmish {
    s: State,
    lex: Arc<Lexicon>,
    /// Faults planted to prove that the oracles find them.
    pub bug: Option<&'static str>,
}

/// The game.
pub struct SkirmishGame {
    info: Info,
    /// Faults planted to prove that the oracles find them.
    pub bug: Option<&'static str>,
}

fn lexicon() -> Arc<Lexicon> {
    static LEX: OnceLock<Arc<Lexicon>> = OnceLock::new();
    LEX.get_or_init(|| {
        let spec: GridSpec = toml::from_str("lower = \"even\"\ncolumns = [1, 6]\nrows = [1, 4]\n").unwrap();
        let grid = Grid::new(&spec).unwrap();
        Arc::new(Lexicon::new(grid, VERBS, CODES.map(String::from).to_vec(), vec!["dead".into()]).unwrap())
    })
    .clone()
}

fn side_of(u: u16) -> Side {
    if u < 2 { Side::One } else { Side::Two }
}

impl SkirmishGame {
    pub fn new() -> SkirmishGame {
        SkirmishGame::version(1)
    }

    pub fn version(rules_version: u32) -> SkirmishGame {
        let side = |id, name| SideInfo { id, name, colour: "#335577", commands: &["all"] };
        let scenario = ScenarioInfo {
            id: "field".into(),
            name: "Field".into(),
            about: "The only one.".into(),
            turns: TURNS,
            source: "reconstructed: for tests".into(),
        };
        let info = Info {
            id: "skirmish",
            name: "Skirmish",
            about: "For tests.",
            rules_version,
            sides: [side("blue", "Blue"), side("red", "Red")],
            scenarios: vec![scenario],
            options: vec![],
            overlays: &[],
            rules: vec![],
        };
        SkirmishGame { info, bug: None }
    }

    fn begin(&self, bug: Option<&'static str>) -> Skirmish {
        let lex = lexicon();
        let find = |n: &str| lex.grid().find(n);
        let at = [find("0101"), find("0101"), find("0604"), find("0604")];
        let s = State {
            turn: 1,
            side: Side::One,
            at,
            moved: [false; 4],
            strength: [0; 4],
            pool: Pool::new(vec![1, 2, 1]),
            hand: vec![],
            target: None,
            attackers: vec![],
            losing: None,
            mine: [None, None],
            sprung: [false; 2],
            trodden: [vec![find("0101").unwrap()], vec![find("0604").unwrap()]],
        };
        Skirmish { s, lex, bug }
    }
}

fn fault(what: impl Into<String>) -> Faults {
    let mut f = Faults::new();
    f.add("skirmish", None, what);
    f
}

impl Game for SkirmishGame {
    fn info(&self) -> &Info {
        &self.info
    }

    fn board(&self, _: Option<&Files>) -> Result<Arc<board::Board>, Faults> {
        Err(fault("this game has no map"))
    }

    fn charts(&self, _: Option<&Files>) -> Result<Vec<Chart>, Faults> {
        Ok(vec![])
    }

    fn start(&self, terms: &Terms, _: Option<&Files>) -> Result<Box<dyn Position>, Faults> {
        if terms.scenario != "field" {
            return Err(fault(format!("unknown scenario '{}'; expected field", terms.scenario)));
        }
        Ok(Box::new(self.begin(self.bug)))
    }

    fn restore(&self, _: &Terms, _: Option<&Files>, state: &[u8]) -> Result<Box<dyn Position>, Faults> {
        let s = postcard::from_bytes(state).map_err(|e| fault(e.to_string()))?;
        Ok(Box::new(Skirmish { s, lex: lexicon(), bug: self.bug }))
    }

    fn situate(
        &self,
        _: &Terms,
        _: Option<&Files>,
        setup: &toml::Table,
    ) -> Result<Box<dyn Position>, Faults> {
        let mut p = self.begin(self.bug);
        p.s.at = [None; 4];
        let at = setup.get("at").and_then(|a| a.as_table()).cloned().unwrap_or_default();
        if let Some(t) = at.get("turn").and_then(|t| t.as_integer()) {
            p.s.turn = t as u32;
        }
        if at.get("side").and_then(|t| t.as_str()) == Some("red") {
            p.s.side = Side::Two;
        }
        let hex = |v: Option<&toml::Value>| v.and_then(|h| h.as_str()).and_then(|h| p.lex.grid().find(h));
        p.s.mine = [hex(at.get("blue mine")), hex(at.get("red mine"))];
        for (i, key) in ["blue sprung", "red sprung"].iter().enumerate() {
            p.s.sprung[i] = at.contains_key(*key);
        }
        for u in setup.get("unit").and_then(|u| u.as_array()).unwrap_or(&vec![]) {
            let code = u.get("counter").and_then(|c| c.as_str()).unwrap_or_default();
            let unit = p.lex.find_unit(code).ok_or_else(|| fault(format!("there is no unit '{code}'")))?;
            let h = hex(u.get("hex"));
            if h.is_none() && u.get("hex").and_then(|h| h.as_str()) != Some("dead") {
                return Err(fault(format!("unit '{code}' is on no hex")));
            }
            p.s.at[unit.ix()] = h;
            p.s.trodden[side_of(unit.0).ix()].extend(h);
            if let Some(n) = u.get("strength").and_then(|n| n.as_integer()) {
                p.s.pool.take_kind(n as usize - 1);
                p.s.strength[unit.ix()] = n as u8;
            }
        }
        Ok(Box::new(p))
    }

    fn describe(&self, position: &dyn Position) -> Option<toml::Table> {
        let p = position.as_any().downcast_ref::<Skirmish>()?;
        if !p.s.hand.is_empty() || p.s.target.is_some() || p.s.losing.is_some() || p.s.moved.contains(&true) {
            return None;
        }
        let mut at = toml::Table::new();
        at.insert("turn".into(), i64::from(p.s.turn).into());
        at.insert("side".into(), ["blue", "red"][p.s.side.ix()].into());
        for (key, mine) in ["blue mine", "red mine"].iter().zip(p.s.mine) {
            if let Some(h) = mine {
                at.insert(key.to_string(), p.lex.hex(h).into());
            }
        }
        for (key, sprung) in ["blue sprung", "red sprung"].iter().zip(p.s.sprung) {
            if sprung {
                at.insert(key.to_string(), true.into());
            }
        }
        let mut units = vec![];
        for (u, h) in p.s.at.iter().enumerate() {
            if h.is_some() || p.s.strength[u] > 0 {
                let mut t = toml::Table::new();
                t.insert("counter".into(), CODES[u].into());
                t.insert("hex".into(), h.map_or("dead".into(), |h| p.lex.hex(h)).into());
                if p.s.strength[u] > 0 {
                    t.insert("strength".into(), i64::from(p.s.strength[u]).into());
                }
                units.push(toml::Value::Table(t));
            }
        }
        let mut out = toml::Table::new();
        out.insert("at".into(), toml::Value::Table(at));
        out.insert("unit".into(), toml::Value::Array(units));
        Some(out)
    }
}

impl Skirmish {
    fn units_at(&self, h: Hex) -> impl Iterator<Item = u16> + '_ {
        (0..4).filter(move |&u| self.s.at[usize::from(u)] == Some(h))
    }

    fn touches(&self, a: Hex, b: Hex) -> bool {
        self.lex.grid().dir(a, b).is_some()
    }

    fn held(&self, h: Hex) -> Option<Side> {
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
        let unit = |u: u16| UnitView {
            code: CODES[usize::from(u)].into(),
            name: CODES[usize::from(u)].into(),
            side: side_of(u),
            nation: "n".into(),
            kind: "infantry".into(),
            size: "X".into(),
            figures: match self.s.strength[usize::from(u)] {
                0 => "?".into(),
                n => n.to_string(),
            },
            steps: (1, 1),
            status: if self.s.moved[usize::from(u)] { vec!["moved".into()] } else { vec![] },
            movement: None,
        };
        let mut stacks = vec![];
        for h in self.lex.grid().hexes() {
            if let Some(side) = self.held(h) {
                let units = self.units_at(h).map(unit).collect();
                stacks.push(StackView { hex: self.lex.hex(h), side, units, unseen: 0 });
            }
        }
        let mut markers = vec![];
        for s in Side::BOTH {
            if let Some(h) = self.s.mine[s.ix()]
                && (eyes.sees(s) || self.bug == Some("view"))
            {
                let kind = "mine".into();
                markers.push(MarkerView { hex: self.lex.hex(h), kind, text: "M".into(), side: Some(s) });
            }
        }
        let dead: Vec<UnitView> = (0..4).filter(|&u| self.s.at[usize::from(u)].is_none()).map(unit).collect();
        let track = |id: &str, n: u32| TrackView {
            id: id.into(),
            name: id.into(),
            value: n.to_string(),
            number: f64::from(n),
            note: String::new(),
            side: None,
        };
        View {
            eyes,
            turn: self.s.turn,
            date: format!("turn {}", self.s.turn),
            phase: "play".into(),
            asks: self.asks(),
            stacks,
            boxes: vec![BoxView {
                id: "dead".into(),
                name: "Dead".into(),
                side: None,
                units: dead,
                unseen: 0,
            }],
            markers,
            tracks: vec![track("pool", self.s.pool.len())],
            weather: vec![],
            control: vec![],
            outcome: None,
        }
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
