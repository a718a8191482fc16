//! Colours of the terminal, or none where nobody wants them.

use std::io::IsTerminal;

/// Whether to use colours: on a terminal, unless `NO_COLOR` says otherwise; `CLICOLOR_FORCE` forces them.
pub fn wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty() && v != "0");
    set("CLICOLOR_FORCE") || (std::io::stdout().is_terminal() && !set("NO_COLOR"))
}

/// How a piece of text looks; colours are those of the 256-colour table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The letters.
    pub fore: Option<u8>,
    /// Behind them.
    pub back: Option<u8>,
    /// Heavier.
    pub bold: bool,
    /// A line beneath.
    pub under: bool,
}

impl Style {
    /// Coloured letters.
    pub const fn fore(colour: u8) -> Style {
        Style { fore: Some(colour), back: None, bold: false, under: false }
    }

    /// Heavier letters.
    pub const fn bold() -> Style {
        Style { fore: None, back: None, bold: true, under: false }
    }

    /// Adds the text with this look to `out`.
    pub fn put(self, out: &mut String, text: &str, colours: bool) {
        if !colours || self == Style::default() {
            out.push_str(text);
            return;
        }
        out.push_str("\x1b[0");
        if self.bold {
            out.push_str(";1");
        }
        if self.under {
            out.push_str(";4");
        }
        if let Some(c) = self.fore {
            out.push_str(&format!(";38;5;{c}"));
        }
        if let Some(c) = self.back {
            out.push_str(&format!(";48;5;{c}"));
        }
        out.push('m');
        out.push_str(text);
        out.push_str("\x1b[0m");
    }

    /// The text with this look.
    pub fn paint(self, text: &str, colours: bool) -> String {
        let mut out = String::new();
        self.put(&mut out, text, colours);
        out
    }
}

/// The nearest of the 256 colours to `#rrggbb`; grey if it is none.
pub fn nearest(colour: &str) -> u8 {
    let part = |i: usize| colour.get(i..i + 2).and_then(|h| u8::from_str_radix(h, 16).ok());
    let (Some(r), Some(g), Some(b)) = (part(1), part(3), part(5)) else { return 244 };
    let level = |c: u8| (u32::from(c) * 5 + 127) / 255;
    (16 + 36 * level(r) + 6 * level(g) + level(b)) as u8
}

/// How many columns and lines the terminal has.
pub fn size() -> (usize, usize) {
    match terminal_size::terminal_size() {
        Some((w, h)) => (usize::from(w.0).max(40), usize::from(h.0).max(16)),
        None => (100, 40),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_without_colours_is_plain_text() {
        assert_eq!(Style::bold().paint("x", false), "x");
        assert_eq!(Style::default().paint("x", true), "x");
        assert!(Style::fore(3).paint("x", true).contains("38;5;3"));
    }

    #[test]
    fn black_and_white_are_the_ends_of_the_cube() {
        assert_eq!((nearest("#000000"), nearest("#ffffff"), nearest("nonsense")), (16, 231, 244));
    }
}
