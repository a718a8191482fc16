//! Two players against each other on one core, with the time each takes: for those who change a player.
//!
//! `cargo run --profile play -p verst-players --example duel -- pm june greedy staff 10`

use game::{Eyes, Game, QuickDice, Quiet, Terms};
use std::time::Instant;
use table::Side;
use verst_players::{Budget, Seat, Think, level};

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, scenario, one, two, games, rest @ ..] = &args[..] else {
        return Err("say the game, the scenario, two players, and how many games".into());
    };
    let game: Box<dyn Game> = match game.as_str() {
        "drill" => Box::new(drill::Drill::new().map_err(|f| f.to_string())?),
        _ => Box::new(pm::Pm::new()),
    };
    let nodes = rest.first().and_then(|n| n.parse().ok());
    let start = game.start(&Terms::of(scenario), None).map_err(|f| f.to_string())?;
    let mut points = 0.0;
    let games: u64 = games.parse().map_err(|_| "how many games?")?;
    for n in 0..games {
        let seed = 1 + n / 2;
        let names = if n % 2 == 0 { [two, one] } else { [one, two] };
        let find = |id: &str| level(id).ok_or(format!("there is no player '{id}'"));
        let mut players = [find(names[0])?.player(), find(names[1])?.player()];
        let mut p = start.clone();
        let mut dice = QuickDice::new(seed);
        let mut own = QuickDice::new(seed ^ 0x5eed);
        let (mut spent, mut count) = ([0.0; 2], [0u64; 2]);
        while let Some(seat) = Seat::new(&*p) {
            let s = seat.side().ix();
            let began = Instant::now();
            let budget = Budget { time: None, nodes };
            let c = players[s].choose(&seat, &mut Think::new(own.bits(), budget));
            spent[s] += began.elapsed().as_secs_f64();
            count[s] += 1;
            let Some(c) = c else { break };
            p.apply(c, &mut dice, &mut Quiet);
        }
        let outcome = p.outcome();
        let winner = outcome.as_ref().and_then(|o| o.winner);
        let mine = Side::BOTH[(n % 2) as usize];
        points += winner.map_or(0.5, |w| if w == mine { 1.0 } else { 0.0 });
        let view = p.view(Eyes::Referee);
        let track = view.tracks.first().map_or(String::new(), |t| format!("{} {}", t.id, t.value));
        println!(
            "{n}: {} v {}: {} turn {} {track}; {:.1} s {} choices, {:.1} s {} choices; {two} {points} of {}",
            names[0],
            names[1],
            winner.map_or("draw", |w| game.info().of(w).id),
            view.turn,
            spent[0],
            count[0],
            spent[1],
            count[1],
            n + 1,
        );
    }
    Ok(())
}
