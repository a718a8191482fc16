//! Documents about the games: what they offer, their boards and charts. Made once, kept, compressed on the way.

use crate::packed::Packed;
use crate::{Fault, House};
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use board::Board;
use board::draw::{FONTS, Frame, Layers, Palette, Style, svg_layers};
use game::{Game, Info};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use text::Files;
use tokio::sync::OnceCell;

/// A document as it is sent.
#[derive(Clone)]
struct Document {
    kind: &'static str,
    tag: String,
    body: Packed,
}

impl Document {
    fn new(kind: &'static str, body: Vec<u8>) -> Document {
        let tag = format!("\"{}\"", &blake3::hash(&body).to_hex()[..24]);
        let body = Packed::new(body);
        body.pack();
        Document { kind, tag, body }
    }

    fn json(value: &impl Serialize) -> Result<Document, Fault> {
        Ok(Document::new("application/json", serde_json::to_vec(value).map_err(Fault::inside)?))
    }

    fn answer(&self, headers: &HeaderMap) -> Response {
        let known = headers.get(IF_NONE_MATCH).is_some_and(|t| {
            // A proxy or the compression may have marked the tag as weak.
            t.to_str().is_ok_and(|t| t.split(',').any(|t| t.trim().trim_start_matches("W/") == self.tag))
        });
        let head = [(ETAG, self.tag.clone()), (CACHE_CONTROL, "no-cache".to_owned())];
        if known {
            return (StatusCode::NOT_MODIFIED, head).into_response();
        }
        let (packed, body) = self.body.answer(headers);
        (head, AppendHeaders(packed), [(CONTENT_TYPE, self.kind)], body).into_response()
    }
}

/// A map, drawn once: what the page reads of its board, and each of its layers.
struct Map {
    board: Document,
    layers: BTreeMap<&'static str, Document>,
}

/// Something that is made once; who asks while it is being made waits for it.
type Made<T> = Mutex<BTreeMap<String, Arc<OnceCell<T>>>>;

/// Documents that were made.
#[derive(Default)]
pub struct Documents {
    made: Made<Document>,
    maps: Made<Arc<Map>>,
}

/// The thing of a name, made when it is asked for the first time, aside from the threads that serve.
async fn once<T: Clone + Send + 'static>(
    all: &Made<T>,
    house: &Arc<House>,
    name: String,
    make: impl FnOnce(&House) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let cell = Arc::clone(all.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default());
    let there = Arc::clone(house);
    let made = cell.get_or_try_init(|| async move {
        tokio::task::spawn_blocking(move || make(&there)).await.map_err(Fault::inside)?
    });
    Ok(made.await?.clone())
}

impl Documents {
    /// The document of a name.
    async fn get(
        &self,
        house: &Arc<House>,
        name: String,
        make: impl FnOnce(&House) -> Result<Document, Fault> + Send + 'static,
    ) -> Result<Document, Fault> {
        once(&self.made, house, name, make).await
    }

    /// The map of a game in some colours, under an overlay.
    async fn map(&self, house: &Arc<House>, game: String, colours: Colours) -> Result<Arc<Map>, Fault> {
        let style = style(colours.palette.as_deref())?;
        let (files, digest) = overlay(house, colours.overlay.as_deref()).await?;
        let name = format!("{game} {} {digest}", style.palette.name);
        let make = move |house: &House| {
            let board = find(house, &game)?.board(files.as_ref());
            let board = board.map_err(|f| Fault::malformed(f.to_string()))?;
            draw(&board, &game, &style, &digest).map(Arc::new)
        };
        once(&self.maps, house, name, make).await
    }
}

fn find<'a>(house: &'a House, game: &str) -> Result<&'a dyn Game, Fault> {
    house.registry.find(game).map_err(Fault::unknown)
}

/// The games, without their rules.
#[utoipa::path(get, path = "/api/games", responses((status = 200, description = "what each game offers", body = Vec<Object>)))]
pub async fn games(State(house): State<Arc<House>>, headers: HeaderMap) -> Result<Response, Fault> {
    let make = |house: &House| {
        let all: Vec<Info> =
            house.registry.games().map(|g| Info { rules: Vec::new(), ..g.info().clone() }).collect();
        Document::json(&all)
    };
    Ok(house.documents.get(&house, "games".into(), make).await?.answer(&headers))
}

/// One game, with our wording of its rules.
#[utoipa::path(get, path = "/api/games/{game}", params(("game" = String, Path, description = "the game")),
    responses((status = 200, description = "what the game offers", body = Object)))]
pub async fn game(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    find(&house, &game)?;
    let name = format!("game {game}");
    let make = move |house: &House| Document::json(find(house, &game)?.info());
    Ok(house.documents.get(&house, name, make).await?.answer(&headers))
}

/// With which overlay a document is made.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
pub struct Under {
    /// The digest of an overlay that is laid over our data.
    #[serde(default)]
    overlay: Option<String>,
}

/// The files of the overlay that a request names, and what sets its documents apart.
async fn overlay(house: &House, digest: Option<&str>) -> Result<(Option<Files>, String), Fault> {
    match digest {
        None | Some("") => Ok((None, String::new())),
        Some(d) => {
            let held = house.overlay(d).await?;
            Ok((Some(held.files), held.digest))
        }
    }
}

/// The charts of a game.
#[utoipa::path(get, path = "/api/games/{game}/charts", params(("game" = String, Path, description = "the game"), Under),
    responses((status = 200, description = "charts to look at", body = Vec<Object>)))]
pub async fn charts(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    Query(under): Query<Under>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    find(&house, &game)?;
    let (files, digest) = overlay(&house, under.overlay.as_deref()).await?;
    let name = format!("charts {game} {digest}");
    let make = move |house: &House| {
        let charts = find(house, &game)?.charts(files.as_ref());
        Document::json(&charts.map_err(|f| Fault::malformed(f.to_string()))?)
    };
    Ok(house.documents.get(&house, name, make).await?.answer(&headers))
}

/// The programs that can hold a seat.
#[utoipa::path(get, path = "/api/opponents", responses((status = 200, body = Vec<crate::opponent::OpponentInfo>)))]
pub async fn opponents(State(house): State<Arc<House>>) -> axum::Json<Vec<crate::opponent::OpponentInfo>> {
    axum::Json(house.opponents.all())
}

/// Which colours a picture shall have.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
pub struct Colours {
    /// `light`, `dark` or `colour-blind`.
    #[serde(default)]
    palette: Option<String>,
    /// The digest of an overlay that is laid over our data.
    #[serde(default)]
    overlay: Option<String>,
}

/// A board as the page draws on it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct BoardDoc {
    /// Its name.
    pub name: String,
    /// Where its values come from.
    pub source: String,
    /// The viewBox of every layer.
    #[serde(rename = "box")]
    pub frame: [f64; 4],
    /// From the centre of a hex to a corner.
    pub size: f64,
    /// The corners of a hex, from its centre.
    pub corners: Vec<[f64; 2]>,
    /// Its drawn layers, the lowest first.
    pub layers: Vec<LayerDoc>,
    /// Its hexes.
    pub hexes: Vec<HexDoc>,
    /// Boxes off the map that are drawn on it.
    pub boxes: Vec<BoxDoc>,
    /// Terrain, hexsides, lines and places with their labels.
    pub legend: Vec<LegendDoc>,
    /// The colour behind everything.
    pub background: String,
}

/// A box off the map.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct BoxDoc {
    /// Its name in orders.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// Left, top, width and height in the picture.
    pub at: [f64; 4],
}

/// A drawn layer.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LayerDoc {
    /// Its name.
    pub id: String,
    /// Where it is.
    pub url: String,
}

/// A hex.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct HexDoc {
    /// Its name.
    pub hex: String,
    /// Its centre.
    pub x: f64,
    /// Its centre.
    pub y: f64,
    /// Its terrain.
    pub terrain: String,
    /// The place in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceDoc>,
    /// The zones it lies in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<String>,
}

/// A place.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PlaceDoc {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// The victory points printed beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vp: Option<i16>,
}

/// A line of the legend.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LegendDoc {
    /// `terrain`, `hexside`, `line` or `place`.
    pub kind: &'static str,
    /// What rules call it.
    pub name: String,
    /// What the legend calls it.
    pub label: String,
}

/// The board of a game.
#[utoipa::path(get, path = "/api/games/{game}/board", params(("game" = String, Path, description = "the game"), Colours),
    responses((status = 200, body = BoardDoc)))]
pub async fn board(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    Query(colours): Query<Colours>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    find(&house, &game)?;
    Ok(house.documents.map(&house, game, colours).await?.board.answer(&headers))
}

/// One drawn layer of the map.
#[utoipa::path(get, path = "/api/games/{game}/layers/{layer}",
    params(("game" = String, Path, description = "the game"), ("layer" = String, Path, description = "such as ground.svg"), Colours),
    responses((status = 200, description = "SVG", body = String)))]
pub async fn layer(
    State(house): State<Arc<House>>,
    Path((game, layer)): Path<(String, String)>,
    Query(colours): Query<Colours>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    find(&house, &game)?;
    let map = house.documents.map(&house, game, colours).await?;
    let wanted = layer.strip_suffix(".svg").unwrap_or(&layer);
    let found = map.layers.get(wanted);
    Ok(found.ok_or_else(|| Fault::unknown(format!("the map has no layer '{wanted}'")))?.answer(&headers))
}

/// A font of the pictures.
#[utoipa::path(get, path = "/api/fonts/{name}", params(("name" = String, Path, description = "its file name")),
    responses((status = 200, description = "a TrueType font", body = Vec<u8>)))]
pub async fn font(Path(name): Path<String>) -> Result<Response, Fault> {
    let found = FONTS.iter().find(|(n, _)| *n == name);
    let (_, bytes) = found.ok_or_else(|| Fault::unknown(format!("there is no font '{name}'")))?;
    let head = [(CONTENT_TYPE, "font/ttf"), (CACHE_CONTROL, "public, max-age=604800")];
    Ok((head, Bytes::from_static(bytes)).into_response())
}

fn style(palette: Option<&str>) -> Result<Style, Fault> {
    let palette = match palette.unwrap_or_default() {
        "" => Palette::LIGHT,
        name => Palette::named(name).ok_or_else(|| {
            let all: Vec<_> = Palette::ALL.iter().map(|p| p.name).collect();
            Fault::unknown(format!("there is no palette '{name}'; expected one of {}", all.join(", ")))
        })?,
    };
    Ok(Style { palette, legend: false, ..Style::default() })
}

/// To a tenth of a pixel: more would only make the document longer.
fn tenth(n: f64) -> f64 {
    (n * 10.0).round() / 10.0
}

/// Draws a map: all its layers at once, and the description that names them.
fn draw(board: &Board, game: &str, style: &Style, overlay: &str) -> Result<Map, Fault> {
    let drawn = svg_layers(board, style);
    let (w, h) = (tenth(drawn.width), tenth(drawn.height));
    let layers = drawn.layers.iter().enumerate().map(|(i, l)| {
        let defs =
            if l.svg.contains("url(#") { format!("<defs>{}</defs>", drawn.defs) } else { String::new() };
        // The lowest layer has the paper.
        let paper = if i == 0 {
            format!("<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>", drawn.background)
        } else {
            String::new()
        };
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">{defs}{paper}{}</svg>",
            l.svg
        );
        (l.name, Document::new("image/svg+xml", svg.into_bytes()))
    });
    Ok(Map {
        layers: layers.collect(),
        board: Document::json(&describe(board, game, style, overlay, &drawn))?,
    })
}

fn describe(board: &Board, game: &str, style: &Style, overlay: &str, drawn: &Layers) -> BoardDoc {
    let grid = board.grid();
    let frame = Frame::new(board, style);
    let corners = grid.hexes().next().map_or_else(Vec::new, |h| {
        let (x, y) = frame.hex_center_px(h);
        frame.hex_polygon_px(h).iter().map(|p| [tenth(p.0 - x), tenth(p.1 - y)]).collect()
    });
    let hexes = grid.hexes().map(|h| {
        let (x, y) = frame.hex_center_px(h);
        let place = board.place_at(h).filter(|p| !p.name.is_empty()).map(|p| PlaceDoc {
            name: p.name.clone(),
            kind: board.place_kinds().get(p.kind.ix()).map_or_else(String::new, |k| k.name.clone()),
            vp: p.vp.filter(|&v| v != 0),
        });
        let terrain =
            board.terrains().get(board.terrain(h).ix()).map_or_else(String::new, |t| t.name.clone());
        let zones =
            board.zones_of(h).filter_map(|z| board.zones().get(usize::from(z.0))).map(|z| z.name.clone());
        let zones = zones.collect();
        HexDoc { hex: grid.name(h).to_string(), x: tenth(x), y: tenth(y), terrain, place, zones }
    });
    let boxes = board.boxes().iter().filter_map(|b| {
        let [x, y, w, h] = b.at?;
        let (left, top) = frame.px((x, y));
        let at = [tenth(left), tenth(top), tenth(w * frame.hex_px), tenth(h * frame.hex_px)];
        Some(BoxDoc { id: b.name.clone(), label: b.label.clone(), at })
    });
    let entry =
        |kind, name: &String, label: &String| LegendDoc { kind, name: name.clone(), label: label.clone() };
    let mut legend: Vec<LegendDoc> =
        board.terrains().iter().map(|t| entry("terrain", &t.name, &t.label)).collect();
    legend.extend(board.hexside_kinds().iter().map(|k| entry("hexside", &k.name, &k.label)));
    legend.extend(board.line_kinds_declared().iter().map(|k| entry("line", &k.name, &k.label)));
    legend.extend(board.place_kinds().iter().map(|k| entry("place", &k.name, &k.label)));
    let under = if overlay.is_empty() { String::new() } else { format!("&overlay={overlay}") };
    let layers = drawn.layers.iter().map(|l| LayerDoc {
        id: l.name.into(),
        url: format!("/api/games/{game}/layers/{}.svg?palette={}{under}", l.name, style.palette.name),
    });
    BoardDoc {
        name: board.name().into(),
        source: board.source().to_string(),
        frame: [0.0, 0.0, tenth(drawn.width), tenth(drawn.height)],
        size: tenth(frame.hex_px / 3f64.sqrt()),
        corners,
        layers: layers.collect(),
        hexes: hexes.collect(),
        boxes: boxes.collect(),
        legend,
        background: drawn.background.into(),
    }
}
