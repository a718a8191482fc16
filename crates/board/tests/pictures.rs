//! Pictures of the drill's board.

mod common;
use common::board;
use verst_board::draw::{self, Palette, Style};

#[test]
fn each_palette_gives_a_png_of_the_size_the_layers_say() {
    let board = board();
    for palette in Palette::ALL {
        let style = Style { hex_px: 24.0, palette, ..Style::default() };
        let layers = draw::svg_layers(&board, &style);
        let png = draw::png(&board, &style).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| f64::from(u32::from_be_bytes(png[at..at + 4].try_into().unwrap()));
        assert!((number(16) - layers.width).abs() <= 1.0 && (number(20) - layers.height).abs() <= 1.0);
    }
}

#[test]
fn the_same_board_gives_the_same_picture() {
    let style = Style::default();
    assert_eq!(draw::svg(&board(), &style), draw::svg(&board(), &style));
}

#[test]
fn every_hex_has_its_number_and_every_place_its_name() {
    let board = board();
    let layers = draw::svg_layers(&board, &Style::default());
    let numbers = layers.layer("numbers").unwrap();
    for hex in board.grid().hexes() {
        assert!(numbers.contains(&format!(">{}</text>", board.grid().name(hex))));
    }
    let labels = layers.layer("labels").unwrap();
    for place in board.places() {
        assert!(labels.contains(&format!(">{}</text>", place.name)), "{}", place.name);
    }
    assert!(labels.contains(">Wend</text>"), "the river is named");
    assert!(layers.left_out.is_empty());
}

#[test]
fn the_legend_names_every_kind_that_is_drawn() {
    let board = board();
    let layers = draw::svg_layers(&board, &Style::default());
    let frame = layers.layer("frame").unwrap();
    let terrains = board.terrains().iter().map(|k| &k.label);
    let sides = board.hexside_kinds().iter().map(|k| &k.label);
    let places = board.place_kinds().iter().map(|k| &k.label);
    for label in terrains.chain(sides).chain(places) {
        assert!(frame.contains(&format!(">{label}</text>")), "{label}");
    }
    assert!(frame.contains(">The Drill Ground</text>") && frame.contains(">RECONSTRUCTED</text>"));
}

#[test]
fn what_a_style_leaves_out_is_not_drawn() {
    let board = board();
    let style = Style { numbers: false, names: false, zones: false, legend: false, ..Style::default() };
    let layers = draw::svg_layers(&board, &style);
    let names: Vec<&str> = layers.layers.iter().map(|l| l.name).collect();
    assert_eq!(names, ["ground", "grid", "ways", "borders", "places"]);
    assert_eq!(layers.height, layers.map_height);
    assert!(!layers.whole().contains("<text x=\"0"));
}

#[test]
fn centres_and_corners_scale_with_the_hex_size() {
    let board = board();
    let (a, b) = (board.grid().find("0101").unwrap(), board.grid().find("0102").unwrap());
    for px in [20.0, 64.0] {
        let style = Style { hex_px: px, ..Style::default() };
        let (p, q) = (draw::hex_center_px(&board, &style, a), draw::hex_center_px(&board, &style, b));
        assert!((q.1 - p.1 - px).abs() < 1e-9 && (q.0 - p.0).abs() < 1e-9);
        let corners = draw::hex_polygon_px(&board, &style, a);
        for c in corners {
            assert!(((c.0 - p.0).hypot(c.1 - p.1) - px / 3f64.sqrt()).abs() < 1e-9);
        }
        assert!(corners[0].1 < p.1 && corners[0].0 > p.0, "the north-east corner comes first");
    }
}

#[test]
fn names_with_marks_of_markup_are_escaped() {
    let places = common::file("places.tsv").replace("Eskholt", "Esk <&> \"Holt\"");
    let board = verst_board::Board::load(&common::with(&[("places.tsv", places)])).unwrap();
    let style = Style { hex_px: 20.0, ..Style::default() };
    assert!(draw::svg(&board, &style).contains("Esk &lt;&amp;&gt; &quot;Holt&quot;"));
    assert!(draw::png(&board, &style).is_ok());
}

#[test]
fn a_picture_too_large_is_refused_in_a_sentence() {
    let style = Style { hex_px: 4000.0, ..Style::default() };
    let error = draw::png(&board(), &style).unwrap_err().to_string();
    assert!(error.contains("too large; choose a smaller hex size"), "{error}");
}
