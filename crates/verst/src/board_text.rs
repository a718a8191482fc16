//! A board with its stacks as coloured text: two lines to a hex, every other column half a hex lower.
//!
//! The first line of a hex holds its number, a sign for the terrain and `+` where a road runs; the second the top unit
//! and how many lie beneath, else a mark, else the name of the place. Between two columns `|` is a river, `:` a brook
//! or another watercourse, `=` a bridge; a line beneath a hex is a watercourse on its lower side.

use crate::paint::{self, Style};
use board::Board;
use game::{Info, View};
use hex::{Dir, Hex};
use std::collections::BTreeMap;

/// What to draw besides the board.
pub struct Scene<'a> {
    /// The map.
    pub board: &'a Board,
    /// The game's sides, for their colours.
    pub info: &'a Info,
    /// What lies on it.
    pub view: &'a View,
    /// A few letters on a hex: the number of a choice.
    pub marks: BTreeMap<Hex, String>,
    /// Hexes tinted by a class of an overlay: the colour behind them.
    pub tints: BTreeMap<Hex, u8>,
    /// Where the action is; the window is laid around it.
    pub focus: Vec<Hex>,
    /// Columns and lines of text that there is room for.
    pub room: (usize, usize),
    /// Whether to use colours.
    pub colours: bool,
}

/// The sign and the colour behind a terrain, by how it is drawn.
fn ground(draw: &str) -> (char, u8) {
    match draw {
        "forest" | "wooded-rough" => ('f', 65),
        "woods" => ('w', 107),
        "hills" | "rough" => ('h', 137),
        "mountain" | "alpine" => ('^', 95),
        "marsh" | "seasonal-marsh" => ('m', 109),
        "city" => ('#', 145),
        "sea" | "lake" => ('~', 67),
        "desert" | "steppe" => ('.', 180),
        "off" => (' ', 236),
        _ => (' ', 187),
    }
}

/// The sign of a place, by how it is drawn.
fn place_sign(draw: &str) -> char {
    match draw {
        "city" | "major-city" => 'C',
        "town" | "large-town" | "village" => 'T',
        _ => 'o',
    }
}

/// The sign of what lies on a hexside, by how it is drawn, if it has one.
fn side_sign(draw: &str) -> Option<char> {
    match draw {
        "bridge" | "rail-bridge" | "ferry" => Some('='),
        "river" => Some(':'),
        "none" => None,
        _ => Some('|'),
    }
}

/// What the signs on a map mean, in a line.
pub fn legend(board: &Board) -> String {
    let mut all: Vec<(char, String)> = Vec::new();
    let mut add = |sign: char, label: &str| match all.iter_mut().find(|(s, _)| *s == sign) {
        Some((_, labels)) => *labels = format!("{labels} or {}", label.to_lowercase()),
        None => all.push((sign, label.to_lowercase())),
    };
    for t in board.terrains() {
        let (sign, _) = ground(&t.draw);
        if sign != ' ' {
            add(sign, &t.label);
        }
    }
    board.place_kinds().iter().for_each(|k| add(place_sign(&k.draw), &k.label));
    board.line_kinds_declared().iter().for_each(|k| add('+', &k.label));
    board
        .hexside_kinds()
        .iter()
        .filter_map(|k| Some((side_sign(&k.draw)?, k)))
        .for_each(|(sign, k)| add(sign, &k.label));
    all.iter().map(|(sign, label)| format!("{sign} {label}")).collect::<Vec<_>>().join(", ")
}

impl Scene<'_> {
    /// The lines of the picture.
    pub fn lines(&self) -> Vec<String> {
        let grid = self.board.grid();
        let spec = grid.spec();
        let (columns, rows) = (spec.columns, spec.rows);
        let name = grid.hexes().next().map_or(4, |h| grid.name(h).to_string().len());
        // A wider cell where the whole map still fits.
        let roomy = (columns.last - columns.first + 1) as usize * (name + 4) < self.room.0;
        let wide = name + if roomy { 3 } else { 2 };
        let fit_columns = (self.room.0.saturating_sub(1) / (wide + 1)).max(3) as i16;
        let fit_rows = (self.room.1.saturating_sub(1) / 2).max(3) as i16;
        let (first_c, last_c) =
            window(columns.first, columns.last, fit_columns, self.middle(|h| grid.column(h) as i16));
        let (first_r, last_r) = window(rows.first, rows.last, fit_rows, self.middle(|h| grid.row(h)));
        let mut lines = Vec::new();
        for y in 0..=2 * i32::from(last_r - first_r + 1) {
            let mut line = String::new();
            for c in first_c..=last_c {
                // A lower column begins one line further down.
                let low = i32::from(spec.lower.has(c));
                let at = y - low;
                let row = first_r + at.div_euclid(2) as i16;
                let hex = (row <= last_r).then(|| grid.at(c as u16, row)).flatten();
                match hex {
                    Some(h) if at >= 0 => self.cell(h, at.rem_euclid(2) == 0, wide, &mut line),
                    _ => line.push_str(&" ".repeat(wide + 1)),
                }
            }
            lines.push(line.trim_end().to_string());
        }
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    fn middle(&self, of: impl Fn(Hex) -> i16) -> Option<i16> {
        let all = || self.focus.iter().map(|&h| of(h));
        Some((all().min()? + all().max()?) / 2)
    }

    fn cell(&self, h: Hex, upper: bool, wide: usize, out: &mut String) {
        let board = self.board;
        let (sign, back) = ground(&board.terrains()[board.terrain(h).ix()].draw);
        let back = self.tints.get(&h).copied().unwrap_or(back);
        let place = board.place_at(h);
        if upper {
            let name = board.grid().name(h).to_string();
            let sign = place.map_or(sign, |p| place_sign(&board.place_kinds()[p.kind.ix()].draw));
            let road = if board.line_kinds_in(h).is_empty() { ' ' } else { '+' };
            let text = fit(&format!("{name}{sign}{road}"), wide);
            let held = self.held(h);
            let style = Style {
                fore: Some(held.unwrap_or(238)),
                back: Some(back),
                bold: held.is_some(),
                under: false,
            };
            style.put(out, &text, self.colours);
            self.side(h, Dir::Ne, out);
            return;
        }
        let under = self.water(h, Dir::S).is_some();
        let stack = self.stack(h);
        let mark = self.marks.get(&h);
        let (text, style) = match (&stack, mark) {
            (_, Some(mark)) => {
                let unit = stack.as_ref().map_or("", |(code, ..)| code.as_str());
                let text = format!("[{mark}]{unit}");
                (text, Style { fore: Some(16), back: Some(229), bold: true, under })
            }
            (Some((code, n, colour)), None) => {
                let text = match n {
                    1 => code.clone(),
                    n => format!("{}+{}", fit(code, wide - 2).trim_end(), n - 1),
                };
                (text, Style { fore: Some(231), back: Some(*colour), bold: true, under })
            }
            (None, None) => {
                let name = place.map_or(String::new(), |p| p.name.clone());
                (name, Style { fore: Some(16), back: Some(back), bold: false, under })
            }
        };
        let mut text = fit(&text, wide);
        if !self.colours && under {
            text = text.replace(' ', "_");
        }
        style.put(out, &text, self.colours);
        self.side(h, Dir::Se, out);
    }

    /// The colour of the side that holds a place.
    fn held(&self, h: Hex) -> Option<u8> {
        let name = self.board.grid().name(h).to_string();
        let c = self.view.control.iter().find(|c| c.hex == name)?;
        Some(paint::nearest(self.info.of(c.side).colour))
    }

    /// The top unit of a hex, how many units there are, and the colour of their side.
    fn stack(&self, h: Hex) -> Option<(String, usize, u8)> {
        let name = self.board.grid().name(h).to_string();
        let s = self.view.stacks.iter().find(|s| s.hex == name)?;
        let code = s.units.first().map_or("?".to_string(), |u| u.code.clone());
        Some((code, s.units.len() + s.unseen as usize, paint::nearest(self.info.of(s.side).colour)))
    }

    /// The sign of the watercourse on a side, if there is one.
    fn water(&self, h: Hex, dir: Dir) -> Option<char> {
        let kinds = self.board.edge(h, dir);
        let all = self.board.hexside_kinds();
        let mut sign = None;
        for k in kinds.iter() {
            match side_sign(&all[k.ix()].draw) {
                Some('=') => return Some('='),
                Some('|') => sign = Some('|'),
                other => sign = sign.or(other),
            }
        }
        sign
    }

    fn side(&self, h: Hex, dir: Dir, out: &mut String) {
        let sign = self.water(h, dir).unwrap_or(' ');
        Style { fore: Some(33), back: None, bold: true, under: false }.put(
            out,
            &sign.to_string(),
            self.colours,
        );
    }
}

/// The part of a span that fits, around its middle or a point.
fn window(first: i16, last: i16, fit: i16, middle: Option<i16>) -> (i16, i16) {
    let len = last - first + 1;
    if len <= fit {
        return (first, last);
    }
    let middle = middle.unwrap_or(first + len / 2);
    let from = (middle - fit / 2).clamp(first, last - fit + 1);
    (from, from + fit - 1)
}

/// Exactly so many letters.
fn fit(text: &str, wide: usize) -> String {
    let cut: String = text.chars().take(wide).collect();
    format!("{cut:<wide$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Eyes, Game, Terms};

    fn picture(room: (usize, usize), focus: &str) -> String {
        let game = drill::Drill::new().unwrap();
        let board = game.board(None).unwrap();
        let p = game.start(&Terms::of("first"), None).unwrap();
        let view = p.view(Eyes::Referee);
        let focus = board.grid().find(focus).into_iter().collect();
        let (marks, tints) = (BTreeMap::new(), BTreeMap::new());
        let scene = Scene {
            board: &board,
            info: game.info(),
            view: &view,
            marks,
            tints,
            focus,
            room,
            colours: false,
        };
        scene.lines().join("\n")
    }

    #[test]
    fn the_whole_drill_map_fits_a_large_terminal() {
        let text = picture((100, 40), "0606");
        for what in ["0101", "1210", "4Mot", "0606T+", "11Inf", "0705~", "5Arm+1", "=", "|", ":"] {
            assert!(text.contains(what), "{what} is missing in\n{text}");
        }
        assert!(text.lines().count() <= 21);
    }

    #[test]
    fn every_sign_of_the_drill_map_is_explained() {
        let board = drill::Drill::new().unwrap().board(None).unwrap();
        let legend = legend(&board);
        for what in
            ["f forest", "h hills", "m marsh", "T town", "C city", "+ road", "| river", ": brook", "= bridge"]
        {
            assert!(legend.contains(what), "{what} is missing in {legend}");
        }
    }

    #[test]
    fn a_small_terminal_shows_the_part_where_the_action_is() {
        let text = picture((40, 12), "1206");
        assert!(text.contains("1206") && !text.contains("0101"), "{text}");
        assert!(text.lines().all(|l| l.len() <= 40));
    }
}
