//! How wide words are, so that labels can be kept apart.

use std::sync::OnceLock;

/// The family of all lettering.
pub(super) const FAMILY: &str = "Barlow Semi Condensed";

/// A face of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    Medium,
    Bold,
    Italic,
}

impl Face {
    /// The attributes that choose the face.
    pub fn attributes(self) -> &'static str {
        match self {
            Face::Medium => "font-weight=\"500\"",
            Face::Bold => "font-weight=\"700\"",
            Face::Italic => "font-weight=\"500\" font-style=\"italic\"",
        }
    }

    /// The width of words in this face, at size 1.
    pub fn width(self, words: &str) -> f64 {
        words.chars().map(|c| f64::from(widths(c)[self as usize])).sum::<f64>() / 1000.0
    }
}

/// The widths of a letter in the three faces, in thousandths; a letter that is not in the table is as wide as an "n".
fn widths(letter: char) -> [u16; 3] {
    static TABLE: OnceLock<Vec<(u32, [u16; 3])>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let rows = include_str!("../../fonts/widths.tsv").lines().skip(2);
        rows.filter_map(|row| {
            let mut cells = row.split('\t');
            let letter = u32::from_str_radix(cells.next()?, 16).ok()?;
            let mut next = || cells.next()?.parse().ok();
            Some((letter, [next()?, next()?, next()?]))
        })
        .collect()
    });
    let find = |c: char| table.binary_search_by_key(&(c as u32), |row| row.0).ok().map(|i| table[i].1);
    find(letter).or_else(|| find('n')).unwrap_or([520; 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_measured_from_the_font() {
        assert_eq!(widths('!'), [295, 311, 286]);
        assert!(Face::Bold.width("Moscow") > Face::Medium.width("Moscow"));
        assert!(Face::Medium.width("W") > 2.0 * Face::Medium.width("i"));
        assert_eq!(widths('\u{4e00}'), widths('n'));
    }
}
