//! The valid value that a mistyped one was probably meant to be.

/// The candidate with the fewest single-letter changes from `word`, if it is near enough to be a likely slip.
pub fn nearest<'a, I, S>(word: &str, candidates: I) -> Option<&'a str>
where
    I: IntoIterator<Item = &'a S>,
    S: AsRef<str> + ?Sized + 'a,
{
    let limit = (word.chars().count() / 2).max(2);
    candidates
        .into_iter()
        .map(|c| (changes(&word.to_lowercase(), &c.as_ref().to_lowercase()), c.as_ref()))
        .filter(|&(n, _)| n <= limit)
        .min_by_key(|&(n, _)| n)
        .map(|(_, c)| c)
}

/// The sentence for a word that is not among the valid ones: what it is, what was expected, the nearest.
pub fn unknown<S: AsRef<str>>(what: &str, word: &str, valid: &[S]) -> String {
    let mut s = format!("unknown {what} \"{word}\"; expected ");
    match valid.len() {
        0 => s.push_str("none here, for none is declared"),
        1..=12 => {
            s.push_str("one of ");
            s.push_str(&valid.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "));
        }
        n => s.push_str(&format!("one of the {n} declared")),
    }
    if let Some(near) = nearest(word, valid) {
        s.push_str(&format!("; nearest valid value \"{near}\""));
    }
    s
}

/// Edit distance with neighbouring letters swapped counted as one change.
fn changes(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_nonsense_finds_none() {
        let kinds = ["clear", "forest", "marsh"];
        assert_eq!(nearest("forrest", &kinds), Some("forest"));
        assert_eq!(nearest("mrash", &kinds), Some("marsh"));
        assert_eq!(nearest("Clear", &kinds), Some("clear"));
        assert_eq!(nearest("qqqqqqqq", &kinds), None);
    }

    #[test]
    fn the_sentence_names_the_word_the_choices_and_the_nearest() {
        assert_eq!(
            unknown("terrain", "forrest", &["clear", "forest"]),
            "unknown terrain \"forrest\"; expected one of clear, forest; nearest valid value \"forest\""
        );
        assert_eq!(
            unknown("flag", "x", &[] as &[&str]),
            "unknown flag \"x\"; expected none here, for none is declared"
        );
    }

    #[test]
    fn swapped_letters_count_as_one_change() {
        assert_eq!(changes("ab", "ba"), 1);
        assert_eq!(changes("kitten", "sitting"), 3);
        assert_eq!(changes("", "abc"), 3);
    }
}
