//! Hand corrections: `games/GAME/patch.tsv`, each line with its reason.

use hex::{Edge, Grid, Hex};
use text::{Faults, Files, Tsv};

/// One correction.
#[derive(Clone, Debug, PartialEq)]
pub enum Patch {
    /// The hex is land, whatever the coast says.
    Land(Hex),
    /// The hex is all sea.
    Sea(Hex),
    /// The hex is all lake.
    Lake(Hex),
    /// The hex has this terrain.
    Terrain(Hex, String),
    /// A hexside gets a kind, with a name.
    Side(Edge, String, String),
    /// A hexside loses a kind, or all with `*`.
    Bare(Edge, String),
    /// No river runs along this hexside.
    NoRiver(Edge),
    /// A river runs along this hexside.
    River(Edge),
    /// A place: its kind and name.
    Place(Hex, String, String),
    /// No place of this kind here.
    NoPlace(Hex, String),
    /// A link of two hexes: its kind and name.
    Link(Hex, Hex, String, String),
    /// A line: kind, name and chain of hexes.
    Line(String, String, Vec<Hex>),
    /// No line of this kind crosses this hexside.
    NoLine(Edge, String),
}

/// Reads the patches of a game.
pub fn read(files: &Files, file: &str, grid: &Grid, faults: &mut Faults) -> Vec<Patch> {
    let columns = ["do", "where", "what", "name", "reason"];
    let Some(tsv) = Tsv::read(files, file, &columns, &[], faults) else { return Vec::new() };
    let mut out = Vec::new();
    for row in tsv.rows() {
        if row.need("reason", faults).is_none() {
            continue;
        }
        let (what, name) = (row.get("what").to_string(), row.get("name").to_string());
        let place = row.get("where");
        let read = || -> Result<Vec<Patch>, String> {
            let hex = |w: &str| crate::sets::find(grid, w);
            let edge =
                |w: &str| Edge::read(grid, w).ok_or_else(|| format!("{w} is not a hexside of this grid"));
            let hexes = || place.split_whitespace().map(hex).collect::<Result<Vec<_>, _>>();
            let edges = || place.split_whitespace().map(edge).collect::<Result<Vec<_>, _>>();
            Ok(match row.get("do") {
                "land" => hexes()?.into_iter().map(Patch::Land).collect(),
                "sea" => hexes()?.into_iter().map(Patch::Sea).collect(),
                "lake" => hexes()?.into_iter().map(Patch::Lake).collect(),
                "terrain" => hexes()?.into_iter().map(|h| Patch::Terrain(h, what.clone())).collect(),
                "side" => edges()?.into_iter().map(|e| Patch::Side(e, what.clone(), name.clone())).collect(),
                "bare" => edges()?.into_iter().map(|e| Patch::Bare(e, what.clone())).collect(),
                "no-river" => edges()?.into_iter().map(Patch::NoRiver).collect(),
                "river" => edges()?.into_iter().map(Patch::River).collect(),
                "place" => {
                    hexes()?.into_iter().map(|h| Patch::Place(h, what.clone(), name.clone())).collect()
                }
                "no-place" => hexes()?.into_iter().map(|h| Patch::NoPlace(h, what.clone())).collect(),
                "no-line" => edges()?.into_iter().map(|e| Patch::NoLine(e, what.clone())).collect(),
                "line" => {
                    let chain = place.split('-').map(hex).collect::<Result<Vec<_>, _>>()?;
                    vec![Patch::Line(what.clone(), name.clone(), chain)]
                }
                "link" => match hexes()?[..] {
                    [a, b] => vec![Patch::Link(a, b, what.clone(), name.clone())],
                    _ => return Err("a link joins two hexes".into()),
                },
                other => {
                    let known = [
                        "land", "sea", "lake", "terrain", "side", "bare", "no-river", "river", "place",
                        "no-place", "line", "no-line", "link",
                    ];
                    return Err(text::unknown("correction", other, &known));
                }
            })
        };
        match read() {
            Ok(patches) => out.extend(patches),
            Err(fault) => row.fault(faults, fault),
        }
    }
    out
}
