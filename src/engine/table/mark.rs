//! Marks: what a cell shows besides its number.

/// The mark of one cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Whether it is the best among those with which it competes.
    pub best: bool,
    /// Footnotes, by their position in the table.
    pub footnotes: Vec<usize>,
}

/// The signs of footnotes that papers use; digits would be read as exponents.
const SIGNS: [char; 4] = ['\u{2020}', '\u{2021}', '\u{a7}', '\u{b6}'];

/// How footnotes of each kind begin. The kinds have signs in this order: †, ‡, §, ¶, ††, ... A sign thus means the same in all tables.
const KINDS: [&str; 12] = [
    "saturated",
    "no interval",
    "not tested",
    "not shown to be better",
    "best by its value only",
    "best by its mean only",
    "best by its mean:",
    "no crossing",
    "the bound is",
    "next to a saturated",
    "an end of the interval",
    "ratio of means",
];

/// Returns the sign of each footnote: that of its kind, with a letter if several footnotes are of one kind. O(n²) for n footnotes,
/// of which a table has few.
pub fn signs(footnotes: &[String]) -> Vec<String> {
    let kind = |note: &String| KINDS.iter().position(|begin| note.starts_with(begin)).unwrap_or(KINDS.len());
    let kinds: Vec<usize> = footnotes.iter().map(kind).collect();
    let alike = |of: &[usize], kind: usize| of.iter().filter(|&&other| other == kind).count();
    let sign = |(at, &kind): (usize, &usize)| {
        let base: String = std::iter::repeat_n(SIGNS[kind % SIGNS.len()], 1 + kind / SIGNS.len()).collect();
        match (alike(&kinds, kind), alike(&kinds[..at], kind)) {
            (1, _) => base,
            (_, before) => format!("{base}{}", letters(before)),
        }
    };
    kinds.iter().enumerate().map(sign).collect()
}

/// Returns a number in letters: a, b, ..., z, ba, ...
fn letters(number: usize) -> String {
    let more = if number < 26 { String::new() } else { letters(number / 26) };
    format!("{more}{}", char::from(b'a' + (number % 26) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_means_one_kind_and_a_letter_tells_reasons_apart() {
        let of = |notes: &[&str]| signs(&notes.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(of(&["not tested: few units", "no interval: few units"]), ["§", "‡"]);
        assert_eq!(of(&["no interval: x", "saturated: y", "no interval: z"]), ["‡a", "†", "‡b"]);
        assert_eq!(of(&["best by its value only, not tested", "something else"]), ["††", "††††"]);
        assert_eq!([0, 25, 26, 27].map(letters), ["a", "z", "ba", "bb"]);
    }
}
