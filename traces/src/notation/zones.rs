//! Abbreviations of time zones.

/// Abbreviations with one meaning, and the hours by which their clocks are ahead of UTC, in quarters. Those of the United
/// States are the ones of RFC 5322, section 4.3.
#[rustfmt::skip]
const KNOWN: [(&str, i64); 41] = [
    ("UTC", 0), ("UT", 0), ("GMT", 0), ("Z", 0), ("UCT", 0),
    ("WET", 0), ("WEST", 4), ("CET", 4), ("CEST", 8), ("MET", 4), ("MEST", 8),
    ("EET", 8), ("EEST", 12), ("MSK", 12), ("MSD", 16), ("TRT", 12), ("SAST", 8), ("CAT", 8), ("EAT", 12),
    ("EST", -20), ("EDT", -16), ("CST", -24), ("CDT", -20), ("MST", -28), ("MDT", -24), ("PST", -32), ("PDT", -28),
    ("AKST", -36), ("AKDT", -32), ("HST", -40),
    ("JST", 36), ("KST", 36), ("HKT", 32), ("SGT", 32),
    ("AEST", 40), ("AEDT", 44), ("ACST", 38), ("ACDT", 42), ("AWST", 32), ("NZST", 48), ("NZDT", 52),
];

/// An abbreviation of a zone, or an offset in its place: `PDT`, `+03`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abbreviation {
    letters: [u8; Abbreviation::LONGEST],
    length: usize,
}

impl Abbreviation {
    /// The most letters.
    pub const LONGEST: usize = 6;

    /// Takes the abbreviation that a text begins with; returns it and the rest.
    pub fn of(text: &str) -> Option<(Abbreviation, &str)> {
        let fits = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'+' || letter == b'-';
        let length = text.bytes().position(|letter| !fits(letter)).unwrap_or(text.len());
        let mut letters = [0; Abbreviation::LONGEST];
        letters.get_mut(..length)?.copy_from_slice(&text.as_bytes()[..length]);
        (length > 0).then_some((Abbreviation { letters, length }, &text[length..]))
    }

    /// Returns the letters.
    pub fn letters(&self) -> &str {
        std::str::from_utf8(&self.letters[..self.length]).unwrap_or_default()
    }

    /// Returns the seconds by which the clock is ahead of UTC; `None` if the abbreviation is not known, or has several
    /// meanings (`BST`, `IST`).
    pub fn offset(&self) -> Option<i64> {
        let letters = self.letters();
        let known = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(letters));
        known.map(|(_, quarters)| quarters * 900).or_else(|| offset(letters))
    }
}

/// Reads `+03` and `-0330`: what zones without letters are called.
fn offset(text: &str) -> Option<i64> {
    let (sign, digits) = text.split_at_checked(1)?;
    let sign = match sign {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let number: i64 = digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    let minutes = match digits.len() {
        2 => number * 60,
        4 => number / 100 * 60 + number % 100,
        _ => return None,
    };
    (minutes <= 14 * 60).then_some(sign * minutes * 60)
}

/// Returns the abbreviations with one meaning, for texts: `UTC, UT, GMT, ...`.
pub fn known() -> String {
    KNOWN.map(|(name, _)| name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_have_one_meaning_or_none() {
        let offset = |text: &str| Abbreviation::of(text).and_then(|(found, _)| found.offset());
        assert_eq!(offset("PDT 2017"), Some(-7 * 3600));
        assert_eq!(offset("cest"), Some(7200));
        assert_eq!(offset("ACST"), Some(34_200));
        assert_eq!([offset("+03"), offset("-0330"), offset("Z")], [Some(10_800), Some(-12_600), Some(0)]);
        assert_eq!([offset("BST"), offset("IST"), offset("XYZ"), offset("+99"), offset("")], [None; 5]);
        assert_eq!(Abbreviation::of("TOOLONGNAME"), None);
    }
}
