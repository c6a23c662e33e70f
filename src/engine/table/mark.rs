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

/// Returns the sign of a footnote: †, ‡, §, ¶, ††, ...
pub fn sign(footnote: usize) -> String {
    let sign = SIGNS[footnote % SIGNS.len()];
    std::iter::repeat_n(sign, 1 + footnote / SIGNS.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_footnote_has_a_sign_of_its_own() {
        let signs: Vec<String> = (0..6).map(sign).collect();
        assert_eq!(signs, ["†", "‡", "§", "¶", "††", "‡‡"]);
    }
}
