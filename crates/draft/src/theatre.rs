//! The theatre: coast, lakes, rivers, towns, regions, roads and lines as text, in degrees.

use crate::earth::Geo;
use std::collections::BTreeMap;
use text::{Faults, Files, Row, Tsv};

/// A ring or a course with its name and class.
#[derive(Clone, Debug)]
pub struct Shape {
    /// What the file calls it.
    pub name: String,
    /// Its class or kind; empty where the file has none.
    pub class: String,
    /// Its points.
    pub points: Vec<Geo>,
}

impl Shape {
    /// West, south, east and north limits.
    pub fn limits(&self) -> [f64; 4] {
        let mut out = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        for p in &self.points {
            out = [out[0].min(p.lon), out[1].min(p.lat), out[2].max(p.lon), out[3].max(p.lat)];
        }
        out
    }

    /// True if the closed ring holds the point.
    pub fn holds(&self, at: Geo) -> bool {
        let mut inside = false;
        let mut last = self.points[self.points.len() - 1];
        for &p in &self.points {
            if (p.lat > at.lat) != (last.lat > at.lat)
                && at.lon < (last.lon - p.lon) * (at.lat - p.lat) / (last.lat - p.lat) + p.lon
            {
                inside = !inside;
            }
            last = p;
        }
        inside
    }
}

/// A town.
#[derive(Clone, Debug)]
pub struct Town {
    /// Its name in 1941.
    pub name: String,
    /// Its name today, where it differs.
    pub now: String,
    /// Where it is.
    pub at: Geo,
    /// Its class on the 20-mile maps.
    pub size: String,
    /// Its class on the 10-mile maps.
    pub fine: String,
    /// The sea it is a port of, or nothing.
    pub port: String,
    /// District headquarters, oil, replacement centre, junction.
    pub marks: Vec<String>,
    /// People about 1939, in thousands; 0 if not known.
    pub people: u32,
}

/// A road or railway: the towns it joins, in order.
#[derive(Clone, Debug)]
pub struct Way {
    /// Its name.
    pub name: String,
    /// `highway`, `road`, `track`, `rail`, `pass` and the like.
    pub class: String,
    /// Its stations: a town or a point between.
    pub stations: Vec<Station>,
    /// Remarks of the file in single words, such as `opens=1942-08`.
    pub marks: Vec<String>,
}

/// A point of a way.
#[derive(Clone, Debug)]
pub struct Station {
    /// The town, or nothing for a bare point.
    pub town: Option<String>,
    /// Where it is.
    pub at: Geo,
}

/// A grid of characters or numbers over the theatre.
#[derive(Clone, Debug)]
pub struct Raster<T> {
    west: f64,
    north: f64,
    cell: f64,
    rows: Vec<Vec<T>>,
}

impl<T: Copy> Raster<T> {
    /// The value of the cell that holds a point.
    pub fn at(&self, p: Geo) -> Option<T> {
        let (r, c) = ((self.north - p.lat) / self.cell, (p.lon - self.west) / self.cell);
        if r < 0.0 || c < 0.0 {
            return None;
        }
        self.rows.get(r as usize)?.get(c as usize).copied()
    }
}

/// All layers.
#[derive(Clone, Debug)]
pub struct Theatre {
    /// Rings of seas; a point is at sea in an odd number of rings of one name.
    pub seas: Vec<Shape>,
    /// Rings of lakes.
    pub lakes: Vec<Shape>,
    /// Courses of rivers.
    pub rivers: Vec<Shape>,
    /// Towns by name.
    pub towns: BTreeMap<String, Town>,
    /// Regions of terrain.
    pub regions: Vec<Shape>,
    /// States of June 1941 beyond the Soviet border.
    pub lands: Vec<Shape>,
    /// Lines of the campaign; several parts may share a name, in order.
    pub lines: Vec<Shape>,
    /// Roads and railways.
    pub ways: Vec<Way>,
    /// Land cover: f, o, w or a dot.
    pub cover: Raster<u8>,
    /// Height in metres; none at sea.
    pub height: Raster<Option<u16>>,
}

fn points(row: &Row<'_>, column: &str, faults: &mut Faults) -> Vec<Geo> {
    let mut out = Vec::new();
    for pair in row.get(column).split_whitespace() {
        let read = pair.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        match read {
            Some((lon, lat)) => out.push(Geo { lat, lon }),
            None => row.fault(
                faults,
                format!("{pair:?} is not a point; expected longitude,latitude as in 30.31,59.94"),
            ),
        }
    }
    if out.len() < 2 {
        row.fault(faults, format!("{column} has {} points; expected two or more", out.len()));
    }
    out
}

/// Reads a ring; two points are opposite corners of a rectangle.
pub fn ring(words: &str) -> Option<Shape> {
    let mut points = Vec::new();
    for pair in words.split_whitespace() {
        let (lon, lat) = pair.split_once(',')?;
        points.push(Geo { lat: lat.parse().ok()?, lon: lon.parse().ok()? });
    }
    if let [a, b] = points[..] {
        points = vec![a, Geo { lat: a.lat, lon: b.lon }, b, Geo { lat: b.lat, lon: a.lon }];
    }
    (points.len() > 2).then(|| Shape { name: String::new(), class: String::new(), points })
}

fn shapes(
    files: &Files,
    file: &str,
    name: &str,
    class: &str,
    course: &str,
    faults: &mut Faults,
) -> Vec<Shape> {
    let mut required = vec![name, course];
    if !class.is_empty() {
        required.push(class);
    }
    let Some(tsv) = Tsv::read(files, file, &required, &[], faults) else { return Vec::new() };
    let mut out = Vec::new();
    for row in tsv.rows() {
        let points = points(&row, course, faults);
        if points.len() > 1 {
            let class = if class.is_empty() { String::new() } else { row.get(class).to_string() };
            out.push(Shape { name: row.get(name).to_string(), class, points });
        }
    }
    out
}

fn towns(files: &Files, faults: &mut Faults) -> BTreeMap<String, Town> {
    let columns = ["name", "now", "lat", "lon", "size", "fine", "port", "marks", "people"];
    let mut out = BTreeMap::new();
    let Some(tsv) = Tsv::read(files, "towns.tsv", &columns, &[], faults) else { return out };
    for row in tsv.rows() {
        let (Some(name), Some(lat), Some(lon)) = (
            row.need("name", faults),
            row.parse("lat", "degrees north", faults),
            row.parse("lon", "degrees east", faults),
        ) else {
            continue;
        };
        let town = Town {
            name: name.to_string(),
            now: row.get("now").to_string(),
            at: Geo { lat, lon },
            size: row.get("size").to_string(),
            fine: row.get("fine").to_string(),
            port: row.get("port").to_string(),
            marks: row.words("marks").map(str::to_string).collect(),
            people: row.get("people").parse().unwrap_or(0),
        };
        if out.insert(name.to_string(), town).is_some() {
            row.fault(faults, format!("{name} is listed twice; give the second one another name"));
        }
    }
    out
}

fn ways(files: &Files, towns: &BTreeMap<String, Town>, faults: &mut Faults) -> Vec<Way> {
    let Some(tsv) = Tsv::read(files, "ways.tsv", &["way", "class", "stations"], &["marks"], faults) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for row in tsv.rows() {
        let mut stations = Vec::new();
        for word in row.get("stations").split(';').map(str::trim).filter(|w| !w.is_empty()) {
            if let Some(town) = towns.get(word) {
                stations.push(Station { town: Some(word.to_string()), at: town.at });
            } else if let Some((lon, lat)) =
                word.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)))
            {
                stations.push(Station { town: None, at: Geo { lat, lon } });
            } else {
                row.fault(faults, text::unknown("town", word, &towns.keys().collect::<Vec<_>>()));
            }
        }
        out.push(Way {
            name: row.get("way").to_string(),
            class: row.get("class").to_string(),
            stations,
            marks: row.words("marks").map(str::to_string).collect(),
        });
    }
    out
}

fn raster<T>(
    files: &Files,
    file: &str,
    faults: &mut Faults,
    read: impl Fn(&str) -> Option<Vec<T>>,
) -> Raster<T> {
    let mut out = Raster { west: 0.0, north: 0.0, cell: 1.0, rows: Vec::new() };
    let text = match files.read(file) {
        Ok(text) => text,
        Err(fault) => {
            faults.push(fault);
            return out;
        }
    };
    let mut placed = false;
    for (line, words) in (1..).zip(text.lines()) {
        if let Some(remark) = words.strip_prefix('#') {
            let w: Vec<&str> = remark.split_whitespace().collect();
            if let ["west", west, "north", north, "cell", cell] = w[..]
                && let (Ok(west), Ok(north), Ok(cell)) = (west.parse(), north.parse(), cell.parse())
            {
                (out.west, out.north, out.cell, placed) = (west, north, cell, true);
            }
        } else if let Some(row) = read(words) {
            out.rows.push(row);
        } else {
            faults.add(files.shown(file), Some(line), "this row of the grid cannot be read");
        }
    }
    if !placed {
        faults.add(
            files.shown(file),
            None,
            "the grid does not say where it lies; expected a remark: west 18 north 62 cell 0.05",
        );
    }
    out
}

impl Theatre {
    /// Reads the folder `theatre`.
    pub fn read(files: &Files) -> Result<Theatre, Faults> {
        let mut faults = Faults::new();
        let f = &mut faults;
        let towns = towns(files, f);
        let theatre = Theatre {
            seas: shapes(files, "seas.tsv", "sea", "", "ring", f),
            lakes: shapes(files, "lakes.tsv", "lake", "kind", "ring", f),
            rivers: shapes(files, "rivers.tsv", "river", "class", "course", f),
            regions: shapes(files, "terrain.tsv", "region", "kind", "ring", f),
            lands: shapes(files, "lands.tsv", "land", "", "ring", f),
            lines: shapes(files, "lines.tsv", "line", "part", "course", f),
            ways: ways(files, &towns, f),
            towns,
            cover: raster(files, "cover.grid", f, |row| Some(row.bytes().collect())),
            height: raster(files, "height.grid", f, |row| {
                let bytes = row.as_bytes();
                bytes
                    .chunks(2)
                    .map(|c| match std::str::from_utf8(c).ok()? {
                        "--" => Some(None),
                        hex => Some(Some(u16::from_str_radix(hex, 16).ok()? * 28)),
                    })
                    .collect()
            }),
        };
        faults.check()?;
        Ok(theatre)
    }
}
