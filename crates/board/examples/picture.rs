//! Draws a board: `cargo run -p verst-board --features png --example picture -- FOLDER OUT.png [HEX_PX] [PALETTE]`.

use std::error::Error;
use verst_board::{Board, draw};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out, rest @ ..] = words.as_slice() else {
        return Err("usage: picture FOLDER OUT.png|OUT.svg [HEX_PX] [light|dark|colour-blind]".into());
    };
    let board = Board::load(&text::Files::folder(folder))?;
    let mut style = draw::Style::default();
    if let Some(px) = rest.first() {
        style.hex_px = px.parse()?;
    }
    if let Some(name) = rest.get(1) {
        style.palette = draw::Palette::named(name).ok_or("no palette of that name")?;
    }
    if out.ends_with(".svg") {
        std::fs::write(out, draw::svg(&board, &style))?;
    } else {
        std::fs::write(out, draw::png(&board, &style)?)?;
    }
    Ok(())
}
