//! A position as a picture: the board with its counters.

use board::Board;
use board::draw::{self, Style};
use game::{Info, UnitView, View};
use std::fmt::Write;

/// The board with the counters of a view, as SVG.
pub fn svg(board: &Board, info: &Info, view: &View, style: &Style) -> String {
    let covered = view.stacks.iter().filter_map(|s| board.grid().find(&s.hex)).collect();
    let style = &Style { covered, ..style.clone() };
    let mut out = draw::svg(board, style);
    let end = out.rfind("</svg>").unwrap_or(out.len());
    out.truncate(end);
    out.push_str("<g id=\"counters\" font-family=\"Barlow Semi Condensed\" text-anchor=\"middle\">\n");
    for s in &view.stacks {
        let Some(hex) = board.grid().find(&s.hex) else { continue };
        let (x, y) = draw::hex_center_px(board, style, hex);
        let side = style.hex_px * 0.58;
        let many = s.units.len();
        // The lowest first, each a little up and to the left of the one beneath.
        for (i, u) in s.units.iter().rev().enumerate() {
            let shift = style.hex_px * 0.07 * (i as f64 - (many - 1) as f64 / 2.0);
            counter(&mut out, u, info.of(s.side).colour, (x - shift, y - shift), side);
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// One counter: a square with the size above, the symbol of its type, its code and its figures.
fn counter(out: &mut String, u: &UnitView, colour: &str, (x, y): (f64, f64), side: f64) {
    let (left, top) = (x - side / 2.0, y - side / 2.0);
    let shadow = side * 0.04;
    let _ = writeln!(
        out,
        "<g><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"{:.1}\" \
         fill=\"#000\" fill-opacity=\"0.25\"/>",
        plain(&u.name),
        left + shadow,
        top + shadow,
        side * 0.08,
    );
    let _ = writeln!(
        out,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"{:.1}\" fill=\"{colour}\" \
         stroke=\"#1a1a1a\" stroke-width=\"{:.2}\"/>",
        side * 0.08,
        side * 0.025,
    );
    let text = |out: &mut String, y: f64, size: f64, words: &str| {
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" font-weight=\"700\" fill=\"#fff\">{}</text>",
            plain(words)
        );
    };
    text(out, top + side * 0.2, side * 0.17, &u.code);
    symbol(out, &u.kind, x, top + side * 0.45, side);
    text(out, top + side * 0.91, side * 0.25, &u.figures);
    if u.steps.1 > 0 && u.steps.0 < u.steps.1 {
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {top:.1}h{:.1}v{:.1}z\" fill=\"#fff\"/>",
            left + side * 0.8,
            side * 0.2,
            side * 0.2
        );
    }
    out.push_str("</g>\n");
}

/// The box in the middle, marked as the field marks its types.
fn symbol(out: &mut String, kind: &str, x: f64, y: f64, side: f64) {
    let (w, h) = (side * 0.5, side * 0.32);
    let (l, t, r, b) = (x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0);
    let line = format!("fill=\"none\" stroke=\"#fff\" stroke-width=\"{:.2}\"", side * 0.035);
    let _ = writeln!(out, "<rect x=\"{l:.1}\" y=\"{t:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" {line}/>");
    let cross = format!("M{l:.1} {t:.1}L{r:.1} {b:.1}M{r:.1} {t:.1}L{l:.1} {b:.1}");
    let oval = |out: &mut String| {
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\" {line}/>",
            l + w * 0.16,
            t + h * 0.22,
            w * 0.68,
            h * 0.56,
            h * 0.28
        );
    };
    let kind = kind.to_lowercase();
    let has = |word: &str| kind.contains(word);
    if has("unknown") || has("decoy") {
        let mark = if has("decoy") { "x" } else { "?" };
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" font-weight=\"700\" fill=\"#fff\">{mark}</text>",
            y + h * 0.36,
            h
        );
    } else if has("armo") || has("panzer") || has("tank") {
        oval(out);
        if has("infantry") || has("grenad") {
            let _ = writeln!(out, "<path d=\"{cross}\" {line}/>");
        }
    } else if has("mech") {
        oval(out);
        let _ = writeln!(out, "<path d=\"{cross}\" {line}/>");
    } else if has("cav") {
        let _ = writeln!(out, "<path d=\"M{l:.1} {b:.1}L{r:.1} {t:.1}\" {line}/>");
    } else if has("artill") {
        let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"#fff\"/>", h * 0.2);
    } else {
        let _ = writeln!(out, "<path d=\"{cross}\" {line}/>");
        if has("motor") {
            let _ = writeln!(out, "<path d=\"M{x:.1} {t:.1}V{b:.1}\" {line}/>");
        }
    }
}

/// Text that may stand in an SVG.
fn plain(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
