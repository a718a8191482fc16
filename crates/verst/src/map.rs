//! `verst map`: the map of a game as a picture.

use crate::boards;
use crate::fail::{Done, Fail};
use crate::store::overlay;
use board::draw::{self, Palette, Style};
use std::path::{Path, PathBuf};

/// How pictures look.
#[derive(clap::Args)]
pub struct Look {
    /// Pixels between two opposite sides of a hex
    #[arg(long, default_value_t = 64.0, value_parser = scale)]
    scale: f64,
    /// The colours: light, dark or colour-blind
    #[arg(long, default_value = "light")]
    style: String,
}

fn scale(s: &str) -> Result<f64, String> {
    match s.parse::<f64>() {
        Ok(n) if (8.0..=400.0).contains(&n) => Ok(n),
        _ => Err("expected a number of pixels from 8 to 400".into()),
    }
}

impl Look {
    /// The style of the drawing.
    pub fn style(&self) -> Result<Style, Fail> {
        let palette = Palette::named(&self.style).ok_or_else(|| {
            let names: Vec<_> = Palette::ALL.iter().map(|p| p.name).collect();
            Fail::Usage(format!("there is no style '{}'; expected one of {}", self.style, names.join(", ")))
        })?;
        Ok(Style { hex_px: self.scale, palette, ..Style::default() })
    }
}

/// What `verst map` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst map drill --png drill.png
  verst map drill --svg drill.svg --scale 90 --style dark")]
pub struct Args {
    /// The game: any of the house, those whose rules are not ready yet too
    game: String,
    /// Write pixels to this file
    #[arg(long, value_name = "OUT", required_unless_present = "svg")]
    png: Option<PathBuf>,
    /// Write a drawing to this file
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    look: Look,
    /// Without title and legend
    #[arg(long)]
    bare: bool,
    /// A folder laid over the game's data
    #[arg(long, value_name = "FOLDER")]
    overlay: Option<PathBuf>,
}

/// Draws the map.
pub fn run(args: &Args) -> Done {
    let files = overlay(args.overlay.as_deref())?;
    let board = boards::board(&args.game, files.as_ref())?;
    let style = Style { legend: !args.bare, ..args.look.style()? };
    let svg = draw::svg(&board, &style);
    if let Some(path) = &args.svg {
        write(path, svg.as_bytes())?;
    }
    if let Some(path) = &args.png {
        write(path, &pixels(&svg)?)?;
    }
    Ok(())
}

/// The pixels of a drawing.
pub fn pixels(svg: &str) -> Result<Vec<u8>, Fail> {
    draw::pixels(svg).map_err(|e| Fail::Usage(e.to_string()))
}

/// Writes a file and says so.
pub fn write(path: &Path, bytes: &[u8]) -> Done {
    std::fs::write(path, bytes)
        .map_err(|e| Fail::File(format!("{}: cannot be written: {e}", path.display())))?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}
