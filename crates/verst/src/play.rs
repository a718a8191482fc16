//! `verst play`: a game in the terminal, against a person at the same keyboard or a program.

use crate::board_text::{self, Scene};
use crate::fail::{Done, Fail};
use crate::opponent::{Opponent, seconds};
use crate::paint::{self, Style};
use crate::progress::Thinking;
use crate::store::{self, TermsArgs};
use crate::{eyes, games, table_text};
use board::Board;
use game::journal_file::JournalFile;
use game::{AskView, Eyes, Game, Refusal, Secret, Session};
use hex::Hex;
use players::Budget;
use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use table::Side;

/// How many ends of a battle are shown unasked.
const ENDS: usize = 6;

/// What `verst play` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst play drill
  verst play drill --as blue --against random --seed 7
  verst play pm --scenario june --as soviet --against search --time 20 --aloud
  verst play drill --scenario free --option concealment=off
  verst play drill --save evening.verst

While playing, type the number of a choice, an order such as '5Arm 0305-0405' or
'attack 0606 with 1Inf,5Arm', or 'help'.")]
pub struct Args {
    /// The game
    game: String,
    #[command(flatten)]
    terms: TermsArgs,
    /// The side you play; the other is played by --against [default: both]
    #[arg(long = "as", value_name = "SIDE")]
    side: Option<String>,
    /// The program that plays the other side: random, greedy, staff or search [default: random, when --as is given]
    #[arg(long, value_name = "PROGRAM")]
    against: Option<String>,
    /// Seconds that the program may think about a decision [default: what its level says]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "side")]
    time: Option<f64>,
    /// Hear what the program intends
    #[arg(long)]
    aloud: bool,
    /// Dice from this number instead of a secret: the same choices give the same game
    #[arg(long)]
    seed: Option<u64>,
    /// Keep the game in this file, and go on with it if it is there
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// A game on the terminal.
struct Table<'a> {
    game: &'a dyn Game,
    board: Arc<Board>,
    session: Session,
    secret: Option<Secret>,
    file: Option<JournalFile>,
    programs: [Option<Opponent>; 2],
    /// What the person sees and can do while one of them thinks.
    thinking: Thinking,
    /// Whether programs say what they intend, and what was said last.
    aloud: bool,
    intention: String,
    colours: bool,
    filter: String,
    page: usize,
    layer: Option<String>,
    /// By side: how many choices stood before its last order; it is shown what was told since.
    read: [usize; 2],
    /// How many choices stood before each order that the player gave.
    orders: Vec<usize>,
    /// Who looked at the screen last.
    looked: Option<Side>,
    /// Whether the player was told how to speak and what the map shows.
    greeted: bool,
}

/// Whether the game goes on.
enum Next {
    Redraw,
    Ask,
    Quit,
}

/// Plays until the end, or until the player leaves.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let game = games::find(&registry, &args.game)?;
    let info = game.info();
    let mine = args.side.as_deref().map(|s| eyes::side(info, s)).transpose()?;
    let mut programs = [None, None];
    let seed = args.seed.unwrap_or_else(|| std::process::id().into());
    match (mine, &args.against) {
        (Some(side), name) => {
            let name = name.as_deref().unwrap_or("random");
            let mut program = Opponent::find(name, seed)?;
            if let Some(t) = args.time {
                program.set_budget(Budget::time(Duration::from_secs_f64(t)));
            }
            programs[side.foe().ix()] = Some(program);
        }
        (None, Some(_)) => {
            return Err(Fail::Usage("--against needs --as SIDE: which side do you play?".into()));
        }
        (None, None) => {}
    }
    let files = args.terms.overlay()?;
    let (session, secret, file) = match &args.save {
        Some(path) if path.exists() => {
            let (session, file) = store::resume(&registry, path, files.as_ref())?;
            if session.game() != info.id {
                let what = format!("{}: this is a game of {}", path.display(), session.game());
                return Err(Fail::Usage(what));
            }
            (session, None, Some(file))
        }
        path => {
            let (session, secret) = store::start(game, &args.terms, args.seed)?;
            let file = match path {
                Some(path) => Some(store::create(path, &session, secret.as_ref())?),
                None => None,
            };
            (session, secret, file)
        }
    };
    let read = [session.steps().len(); 2];
    let table = Table {
        board: game.board(files.as_ref())?,
        game,
        session,
        secret,
        file,
        thinking: Thinking::new(),
        programs,
        aloud: args.aloud,
        intention: String::new(),
        colours: paint::wanted(),
        filter: String::new(),
        page: 0,
        layer: None,
        read,
        orders: Vec::new(),
        looked: None,
        greeted: false,
    };
    table.play()
}

impl Table<'_> {
    fn play(mut self) -> Done {
        let mut input = std::io::stdin().lock();
        let mut redraw = true;
        while let Some(side) = self.session.position().asks() {
            if let Some(program) = &mut self.programs[side.ix()] {
                // A program sees what its side may see: it chooses in a position drawn anew among what is possible.
                let n = self.session.question_number();
                let mut lots = game::QuickDice::new(u64::from(n));
                let seen = self.session.position().imagine(Eyes::Side(side), &mut lots);
                let Some(choice) = program.choose_before(&*seen, &self.thinking) else { break };
                if self.aloud
                    && let Some(intention) = program.intention().filter(|i| *i != self.intention)
                {
                    self.intention = intention.to_string();
                    println!("The program: {intention}.");
                }
                let played = self.session.play(side, n, choice);
                self.store(&played.map_err(|r| Fail::Amiss(r.to_string()))?.lines)?;
                redraw = true;
                continue;
            }
            if redraw {
                self.hand_over(side, &mut input);
                self.show(side);
            }
            let info = self.game.info();
            print!(
                "{}> ",
                Style::fore(paint::nearest(info.of(side).colour)).paint(info.of(side).id, self.colours)
            );
            let _ = std::io::stdout().flush();
            let mut line = String::new();
            if !matches!(input.read_line(&mut line), Ok(n) if n > 0) {
                println!();
                self.part();
                return Ok(());
            }
            match self.answer(side, line.trim())? {
                Next::Quit => {
                    self.part();
                    return Ok(());
                }
                next => redraw = matches!(next, Next::Redraw),
            }
        }
        self.end()
    }

    /// At one keyboard, nobody shall see what is hidden from him while the other gets up.
    fn hand_over(&mut self, side: Side, input: &mut impl BufRead) {
        let both = self.programs.iter().all(Option::is_none);
        if both && self.looked.is_some_and(|s| s != side) && std::io::stdin().is_terminal() {
            let name = self.game.info().of(side).name;
            print!("\x1b[2J\x1b[H");
            for l in self.session.story(Eyes::Spectator, self.read[side.foe().ix()], usize::MAX) {
                println!("- {} ({})", l.text, l.rule);
            }
            print!("\n{name} is asked. Press Enter when {name} sits at the screen. ");
            let _ = std::io::stdout().flush();
            let _ = input.read_line(&mut String::new());
        }
        self.looked = Some(side);
    }

    fn show(&mut self, side: Side) {
        let eyes = Eyes::Side(side);
        let view = self.session.view(eyes);
        let info = self.game.info();
        let Some(ask) = self.session.ask(eyes, None) else { return };
        let (wide, high) = paint::size();
        if self.colours {
            print!("\x1b[2J\x1b[H");
        }
        println!("{}", table_text::head(info, &view, self.colours));
        let listed = ask.choices.len().min(12);
        let room = (wide, high.saturating_sub(listed + 8).max(9));
        println!("{}", self.map(&view, &ask, room).join("\n"));
        let story = self.session.story(eyes, self.read[side.ix()], usize::MAX);
        for l in story.iter().rev().take(12).rev() {
            println!("{}", Style::fore(244).paint(&format!("- {} ({})", l.text, l.rule), self.colours));
        }
        println!("{}", Style::bold().paint(&format!("{} ({})", ask.prompt, ask.rule), self.colours));
        for t in ask.todo.iter().filter(|t| t.count > 0) {
            println!("  {}: {}", t.what, t.count);
        }
        if let Some(f) = &ask.forecast {
            print!("{}", table_text::forecast(f));
            if !f.ends.is_empty() {
                print!("{}", table_text::ends(&f.ends, ENDS));
            }
        }
        print!("{}", table_text::choices(&ask, &self.filter, self.page, 12));
        if !self.greeted {
            self.greeted = true;
            let hint = format!(
                "On the map: {}.\nType a number, an order, or help.",
                board_text::legend(&self.board)
            );
            println!("{}", Style::fore(244).paint(&hint, self.colours));
        }
    }

    fn map(&self, view: &game::View, ask: &AskView, room: (usize, usize)) -> Vec<String> {
        let grid = self.board.grid();
        let find = |name: &String| grid.find(name);
        let mut focus: Vec<Hex> = ask.hexes.iter().filter_map(find).collect();
        let mut marks = BTreeMap::new();
        for (i, c) in ask.choices.iter().enumerate() {
            if let Some(h) = c.hex.as_ref().and_then(find) {
                marks.entry(h).or_insert_with(|| (i + 1).to_string());
                focus.push(h);
            } else if let Some(unit) = &c.unit {
                let stack = view.stacks.iter().find(|s| s.units.iter().any(|u| u.code == *unit));
                focus.extend(stack.and_then(|s| find(&s.hex)));
            }
        }
        let mut tints = BTreeMap::new();
        if let Some(layer) = self.layer.as_deref().and_then(|l| self.session.position().overlay(view.eyes, l))
        {
            for (hex, class, _) in &layer.hexes {
                let place = layer.legend.iter().position(|(c, _)| c == class).unwrap_or(0);
                if let Some(h) = find(hex) {
                    tints.insert(h, [111, 174, 216, 150, 222, 139][place % 6]);
                }
            }
        }
        let info = self.game.info();
        Scene { board: &self.board, info, view, marks, tints, focus, room, colours: self.colours }.lines()
    }

    /// One line from the player: a number, an order, or a word to the table.
    fn answer(&mut self, side: Side, line: &str) -> Result<Next, Fail> {
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(w, r)| (w, r.trim()));
        let lexicon = self.session.position().lexicon();
        if lexicon.find_verb(word).is_some() {
            return self.order(side, line);
        }
        if let Some(filter) = line.strip_prefix('/') {
            (self.filter, self.page) = (filter.trim().into(), 0);
            return Ok(Next::Redraw);
        }
        if let Ok(n) = line.parse::<usize>() {
            let choice = n.checked_sub(1).and_then(|i| self.session.choices().get(i).copied());
            return match choice {
                Some(c) => {
                    let text = lexicon.write(&c);
                    self.order(side, &text)
                }
                // Hexes are numbers too: one beyond the list is where the unit in hand shall go.
                None if self.board.grid().find(line).is_some() => self.order(side, line),
                None => {
                    println!("There is no choice {n}.");
                    Ok(Next::Ask)
                }
            };
        }
        match word {
            "" => return Ok(Next::Redraw),
            "help" | "?" | "h" => {
                println!("{HELP}\n  on the map: {}", board_text::legend(&self.board));
            }
            "n" | "next" => {
                self.page += 1;
                return Ok(Next::Redraw);
            }
            "p" | "back" => {
                self.page = self.page.saturating_sub(1);
                return Ok(Next::Redraw);
            }
            "undo" | "u" => return self.undo(side, rest),
            "why" | "why-not" => self.why_not(side, rest),
            "odds" | "forecast" => match self.session.position().forecast(Eyes::Side(side)) {
                Some(f) => {
                    print!("{}", table_text::forecast(&f));
                    if !f.ends.is_empty() {
                        print!("{}", table_text::ends(&f.ends, usize::MAX));
                    }
                }
                None => println!("No attack is being made; name a target and attackers first."),
            },
            "log" | "story" => self.log(side, rest),
            "units" | "stacks" => {
                let view = self.session.view(Eyes::Side(side));
                print!("{}", table_text::stacks(self.game.info(), &view, None));
            }
            "look" => self.look(side, rest),
            "charts" | "chart" => self.charts(rest),
            "rule" | "rules" => self.rules(rest),
            "overlay" | "layer" => return Ok(self.overlay(rest)),
            "save" => self.save(rest),
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            _ => return self.order(side, line),
        }
        Ok(Next::Ask)
    }

    fn order(&mut self, side: Side, text: &str) -> Result<Next, Fail> {
        let n = self.session.question_number();
        let before = self.session.steps().len();
        match self.session.order(side, n, text) {
            Ok(done) => {
                self.orders.push(before);
                self.read[side.ix()] = before;
                self.store(&done.played.lines)?;
                (self.filter, self.page) = (String::new(), 0);
                if let Some(stopped) = done.stopped {
                    println!("Not done: {stopped}");
                    return Ok(Next::Ask);
                }
                Ok(Next::Redraw)
            }
            Err(stopped) => {
                println!("{}", self.refusal(&stopped.part, &stopped.refusal));
                Ok(Next::Ask)
            }
        }
    }

    fn refusal(&self, part: &str, refusal: &Refusal) -> String {
        let lexicon = self.session.position().lexicon();
        match refusal {
            Refusal::Illegal(i) => {
                let sum = i.sum.as_ref().map_or(String::new(), |s| format!(": {}", lexicon.sum(s)));
                format!("'{part}' is not allowed: {} (rule {}){sum}.", i.why, i.rule)
            }
            Refusal::Unread(what) => format!("{what}; type help for what can be said."),
            other => format!("'{part}': {other}."),
        }
    }

    fn why_not(&mut self, side: Side, text: &str) {
        if text.is_empty() {
            println!("why ORDER, such as: why 5Arm 0606");
            return;
        }
        let n = self.session.question_number();
        // Tried and put back whatever comes of it: nobody learns what the dice would show.
        let tried = self.session.attempt(|s| match s.order(side, n, text) {
            Ok(done) => Err(done.stopped),
            Err(stopped) => Err::<(), _>(Some(stopped)),
        });
        match tried {
            Err(Some(stopped)) => println!("{}", self.refusal(&stopped.part, &stopped.refusal)),
            _ => println!("'{text}' is allowed."),
        }
    }

    /// Takes back the last order, or the last `many` choices.
    fn undo(&mut self, side: Side, many: &str) -> Result<Next, Fail> {
        let stand = self.session.steps().len();
        self.orders.retain(|&before| before < stand);
        let back = match (many, self.orders.last()) {
            ("", Some(before)) => stand - before,
            ("", None) => 1,
            _ => match many.parse::<usize>() {
                Ok(n) if n > 0 => n,
                _ => {
                    println!("undo takes back the last order, undo N the last N choices");
                    return Ok(Next::Ask);
                }
            },
        };
        let to = stand.saturating_sub(back);
        let free = self.session.undo_list(side).len();
        if free == 0 || to < stand - free {
            println!(
                "{free} choices can be taken back: none before the last die, discovery or decision of the other side."
            );
            return Ok(Next::Ask);
        }
        match self.session.undo(side, self.session.question_number(), to) {
            Ok(played) => {
                self.store(&played.lines)?;
                self.read = self.read.map(|n| n.min(to));
                Ok(Next::Redraw)
            }
            Err(r) => {
                println!("{r}.");
                Ok(Next::Ask)
            }
        }
    }

    fn log(&self, side: Side, many: &str) {
        let story = self.session.story(Eyes::Side(side), 0, usize::MAX);
        let n = many.parse().unwrap_or(20);
        for l in story.iter().skip(story.len().saturating_sub(n)) {
            println!("{:>4}  {} ({})", l.step, l.text, l.rule);
            for s in l.sums.iter().filter(|s| !s.terms.is_empty()) {
                println!("      {}", table_text::sum(s));
            }
        }
    }

    fn look(&self, side: Side, name: &str) {
        let grid = self.board.grid();
        let Some(h) = grid.find(name) else {
            println!("look HEX, such as: look 0606");
            return;
        };
        let board = &self.board;
        let mut what = vec![board.terrains()[board.terrain(h).ix()].label.clone()];
        what.extend(board.places_at(h).map(|p| {
            let vp = p.vp.map_or(String::new(), |n| format!(", {n} point{}", if n == 1 { "" } else { "s" }));
            format!("{} ({}{vp})", p.name, board.place_kinds()[p.kind.ix()].label)
        }));
        for (dir, to) in grid.neighbours(h) {
            let mut names: Vec<_> = board
                .edge(h, dir)
                .iter()
                .map(|k| board.hexside_kinds()[k.ix()].label.to_lowercase())
                .collect();
            let lines = board.line_kinds(h, dir);
            names.extend(lines.iter().map(|k| board.line_kinds_declared()[k.ix()].label.to_lowercase()));
            if !names.is_empty() {
                what.push(format!("{dir} {} {}", grid.name(to), names.join(" and ")));
            }
        }
        println!("{name}: {}", what.join("; "));
        let view = self.session.view(Eyes::Side(side));
        print!("{}", table_text::stacks(self.game.info(), &view, Some(name)));
    }

    fn charts(&self, id: &str) {
        let Ok(charts) = self.game.charts(None) else { return };
        for c in charts.iter().filter(|c| id.is_empty() || c.id == id) {
            println!("{} [{}]", Style::bold().paint(&c.name, self.colours), c.source);
            let all = std::iter::once(&c.head).chain(&c.rows);
            let wide: Vec<usize> = (0..c.head.len())
                .map(|i| all.clone().filter_map(|r| r.get(i)).map(|s| s.chars().count()).max().unwrap_or(0))
                .collect();
            for row in all {
                let cells = row.iter().zip(&wide).map(|(s, w)| format!("{s:<w$}"));
                println!("  {}", cells.collect::<Vec<_>>().join("  "));
            }
            for n in &c.notes {
                println!("  {n}");
            }
        }
    }

    fn rules(&self, number: &str) {
        let rules = &self.game.info().rules;
        for r in rules
            .iter()
            .filter(|r| number.is_empty() || r.rule == number || r.rule.starts_with(&format!("{number}.")))
        {
            println!("{:<6}{}", r.rule, r.text);
        }
    }

    fn overlay(&mut self, name: &str) -> Next {
        let known = self.game.info().overlays;
        if name.is_empty() || name == "off" {
            self.layer = None;
        } else if known.iter().any(|(n, _)| *n == name) {
            self.layer = Some(name.into());
        } else {
            for (n, what) in known {
                println!("overlay {n:<10}{what}");
            }
            println!("overlay off");
            return Next::Ask;
        }
        Next::Redraw
    }

    fn save(&mut self, name: &str) {
        if let Some(f) = &self.file {
            println!("The game is kept in {} after each choice.", f.path().display());
            return;
        }
        if name.is_empty() {
            println!("save FILE, such as: save evening.verst");
            return;
        }
        match store::create(&PathBuf::from(name), &self.session, self.secret.as_ref()) {
            Ok(file) => {
                println!("Saved. From now on each choice is kept in {name}.");
                self.file = Some(file);
            }
            Err(e) => println!("{e}"),
        }
    }

    fn store(&mut self, lines: &[String]) -> Result<(), Fail> {
        match &mut self.file {
            Some(file) => Ok(file.append(lines)?),
            None => Ok(()),
        }
    }

    fn part(&self) {
        match &self.file {
            Some(f) => println!(
                "The game is kept; go on with: verst play {} --save {}",
                self.session.game(),
                f.path().display()
            ),
            None => println!("The game was not saved."),
        }
    }

    fn end(self) -> Done {
        let view = self.session.view(Eyes::Referee);
        let info = self.game.info();
        let (wide, high) = paint::size();
        let scene = Scene {
            board: &self.board,
            info,
            view: &view,
            marks: BTreeMap::new(),
            tints: BTreeMap::new(),
            focus: Vec::new(),
            room: (wide, high.saturating_sub(8)),
            colours: self.colours,
        };
        println!("{}", scene.lines().join("\n"));
        println!("{}", table_text::head(info, &view, self.colours));
        for l in &self.session.luck(Eyes::Referee).1 {
            println!(
                "{}: {}, {:+.1} steps expected, {:+.1} came",
                info.of(l.side).name,
                text::count(l.throws, "throw"),
                l.expected,
                l.actual
            );
        }
        if let Some(f) = &self.file {
            let path = f.path().display();
            println!("Look back with: verst replay {path}    Check the dice with: verst verify {path}");
        }
        Ok(())
    }
}

const HELP: &str = "\
  12                         take choice 12
  go 0305-0405               an order in words; the last hex alone will do: go 0405
  5Arm,2Inf 0406             pick both and go there
  attack 0606 with 1Inf,5Arm name the target and all attackers, and throw the die
  undo, undo 3               take back the last order, or the last 3 choices; never past a die or discovery
  why ORDER                  why an order is not allowed
  odds                       the attack in the making
  log, log 50                what happened, with the sums
  look 0606, units           a hex; all stacks
  charts, rules 8            the tables; our words on the rules
  overlay NAME, overlay off  a layer over the map
  /word, n, p                choices with that word; next page; page before
  save FILE, quit";
