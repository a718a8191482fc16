//! When places changed hands in the games of a study.

use crate::bout::Record;
use crate::tables::{Table, Values};
use board::Board;
use std::fmt::Write;

/// Places that the first side did not hold throughout every game, those that it had soonest first.
pub struct Places {
    turns: Vec<u32>,
    places: Vec<Place>,
}

struct Place {
    hex: String,
    name: String,
    /// By turn: in what share of the games the first side held it at the end. Games that have ended are carried on as they ended.
    shares: Vec<f64>,
}

impl Places {
    /// Counts them.
    pub fn of(games: &[Record], board: &Board) -> Places {
        let turns = || games.iter().flat_map(|r| &r.curve).map(|s| s.turn);
        let (first, last) = (turns().min().unwrap_or(1), turns().max().unwrap_or(0));
        let turns: Vec<u32> = (first..=last).collect();
        let mut hexes: Vec<&String> = games.iter().flat_map(|r| r.held.keys()).collect();
        hexes.sort();
        hexes.dedup();
        let held = |r: &Record, hex: &str, turn: u32| {
            r.held.get(hex).is_some_and(|turns| turns.contains(&turn.min(r.turns)))
        };
        let share = |hex: &str, turn: u32| {
            games.iter().filter(|r| held(r, hex, turn)).count() as f64 / games.len().max(1) as f64
        };
        let named = |hex: &str| {
            let at = board.grid().find(hex)?;
            board.places_at(at).find(|p| !p.name.is_empty()).map(|p| p.name.clone())
        };
        let place = |hex: &String| Place {
            hex: hex.clone(),
            name: named(hex).unwrap_or_else(|| hex.clone()),
            shares: turns.iter().map(|&t| share(hex, t)).collect(),
        };
        let mut places: Vec<Place> = hexes.into_iter().map(place).collect();
        places.retain(|p| p.shares.iter().any(|s| *s < 1.0));
        // A city of several hexes is told apart by them.
        let names: Vec<String> = places.iter().map(|p| p.name.clone()).collect();
        for p in &mut places {
            if names.iter().filter(|n| **n == p.name).count() > 1 {
                p.name = format!("{} {}", p.name, p.hex);
            }
        }
        let all = |p: &Place| p.shares.iter().sum::<f64>();
        places.sort_by(|a, b| all(b).total_cmp(&all(a)).then(a.hex.cmp(&b.hex)));
        Places { turns, places }
    }

    /// As a table for other tools.
    pub fn table(&self) -> Table {
        let each = |text: fn(&Place) -> &str| {
            let all = self.places.iter().flat_map(|p| self.turns.iter().map(move |_| text(p).to_string()));
            Values::Text(all.collect())
        };
        let turns = self.places.iter().flat_map(|_| self.turns.iter().map(|&t| i64::from(t)));
        Table::default()
            .column("hex", each(|p| &p.hex))
            .column("name", each(|p| &p.name))
            .column("turn", Values::Whole(turns.collect()))
            .column(
                "share",
                Values::Real(self.places.iter().flat_map(|p| p.shares.iter().copied()).collect()),
            )
    }

    /// As a part of the report: a row for each place, the darker the more often.
    pub fn html(&self, side: &str) -> String {
        if self.places.is_empty() {
            return String::new();
        }
        let mut out = format!(
            "<h2>Who held what</h2><p>In how many of 100 games {side} held a place at the end of a turn.</p><table class=\"n\"><tr><th>place</th>"
        );
        for t in &self.turns {
            let _ = write!(out, "<th>{t}</th>");
        }
        out.push_str("</tr>");
        for p in &self.places {
            let _ = write!(out, "<tr><th title=\"{}\">{}</th>", p.hex, p.name);
            for s in &p.shares {
                let _ =
                    write!(out, "<td style=\"background:rgb(157 183 213/{:.2})\">{:.0}</td>", s, 100.0 * s);
            }
            out.push_str("</tr>");
        }
        out.push_str("</table>");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bout::Standing;
    use std::collections::BTreeMap;

    /// A game of so many turns in which the first side held Minsk at the end of some.
    fn game(turns: u32, minsk: &[u32]) -> Record {
        let standing =
            |turn| Standing { turn, tracks: BTreeMap::new(), steps: [0; 2], lost: [0; 2], cut_off: [0; 2] };
        Record {
            game: 0,
            seed: 0,
            players: ["staff".into(), "staff".into()],
            winner: "german".into(),
            kind: "points".into(),
            turns,
            decisions: [0; 2],
            curve: (1..=turns).map(standing).collect(),
            front: BTreeMap::new(),
            lost: BTreeMap::new(),
            held: [("2817N".to_string(), minsk.to_vec())].into(),
        }
    }

    #[test]
    fn a_game_that_has_ended_is_carried_on_as_it_ended() {
        let board = crate::boards::board("pm", None).unwrap_or_else(|f| panic!("{f}"));
        let games = [game(3, &[2]), game(2, &[2]), game(3, &[])];
        let places = Places::of(&games, &board);
        assert_eq!(places.turns, [1, 2, 3]);
        let [minsk] = &places.places[..] else { panic!("one place is told of") };
        assert_eq!(minsk.name, "Minsk");
        assert_eq!(minsk.shares, [0.0, 2.0 / 3.0, 1.0 / 3.0]);
        assert!(places.html("German").contains("<td style=\"background:rgb(157 183 213/0.67)\">67</td>"));
    }
}
