//! The known name that was probably meant.

/// Names, each with other words for it that many programs of the field or their readers use, in small letters and without signs.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("actual", &["exact", "perfect"]),
    ("bound", &["at", "threshold"]),
    ("conservative", &["cbf"]),
    ("easy", &["backfill", "backfilling", "ebf"]),
    ("interval", &["ci"]),
    ("kind", &["type"]),
    ("latex", &["tex"]),
    ("level", &["alpha", "confidence"]),
    ("markdown", &["md"]),
    ("policy", &["scheduler"]),
    ("replay", &["compare", "sim", "simulate"]),
    ("says", &["statement", "text"]),
    ("size", &["figsize", "width"]),
    ("table", &["text"]),
    ("trace", &["file", "path", "swf"]),
    ("value", &["average", "mean"]),
];

/// Returns the name most similar to the given one, if one is similar enough to be meant.
///
/// A name that differs only in case and signs comes first, then a name with the given word as a synonym, then the name
/// with the greatest [`likeness`]; ties go to the first name. A number is not a misspelling of another one.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(given, &mut known.into_iter())
}

/// The same, compiled once for all lists.
fn nearest_of<'a>(given: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    if given.starts_with(|first: char| first.is_ascii_digit()) && given.parse::<f64>().is_ok() {
        return None;
    }
    let plain_given = plain(given);
    let mut best = (LIKE, None);
    for name in known {
        let likeness = if !plain_given.is_empty() && plain(name) == plain_given {
            SAME
        } else if is_synonym(&plain_given, name) {
            SYNONYM
        } else {
            likeness(given, name)
        };
        if likeness > best.0 {
            best = (likeness, Some(name));
        }
    }
    best.1
}

/// Returns the first of some known names that has the given word as a synonym.
pub fn synonym<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = plain(given);
    known.into_iter().find(|name| is_synonym(&given, name))
}

/// Returns a word in small letters, without signs between its parts.
fn plain(word: &str) -> String {
    word.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Whether a word in small letters is a synonym of a name.
fn is_synonym(word: &str, name: &str) -> bool {
    SYNONYMS.iter().any(|(known, words)| *known == name && words.contains(&word))
}

/// Returns the known name closest to a misspelt one, in any case of letters: at most two letters differ, and at most one in four
/// (left out, added, changed, or swapped with its neighbour: the distance of optimal string alignment).
///
/// For long lists of long names with common parts, in which [`nearest`] finds a name for nearly every word. Ties go to the
/// first name.
pub fn misspelt<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_ascii_lowercase();
    let length = given.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        let slips = strsim::osa_distance(&given, &name.to_ascii_lowercase());
        if slips <= MOST_SLIPS
            && slips * LETTERS_A_SLIP <= length
            && best.is_none_or(|(least, _)| slips < least)
        {
            best = Some((slips, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The fewest letters of a word for each slip in it: two changes in eight letters are slips, two in seven make another word.
const LETTERS_A_SLIP: usize = 4;

/// The most slips in a word: names of settings have long parts in common, so that three letters make another one.
const MOST_SLIPS: usize = 2;

/// Returns how similar two names are, from 0 to 1.
///
/// The measure is that of Jaro and Winkler, which tolerates transposed letters and favours equal beginnings. It does not detect
/// transpositions in words of three letters, so a single slip in such words is handled separately.
pub fn likeness(given: &str, name: &str) -> f64 {
    // A word of two letters is part of many names.
    if given.len() < 3 && name.len() > 2 * given.len() && !name.starts_with(given) {
        return 0.0;
    }
    let slip = given.len() == 3 && name.len() == 3 && strsim::osa_distance(given, name) == 1
        || letters(given) == letters(name);
    strsim::jaro_winkler(given, name).max(if slip { SLIP } else { 0.0 })
}

/// Returns the letters of a word in sorted order: words with equal results differ only in the order of letters.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Returns the question at the end of an error: ` (did you mean ...?)`, or nothing.
pub fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// The least likeness at which a name counts as a misspelling of another.
const LIKE: f64 = 0.65;

/// The likeness of names that differ in case and signs only, and of a synonym: above that of all misspellings.
const SAME: f64 = 2.0;
const SYNONYM: f64 = 1.5;

/// Likeness of words of three letters that differ by a single slip, and of words with the same letters; no
/// less than the value of Jaro and Winkler for `rum` and `run`.
const SLIP: f64 = 0.82;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_name_and_other_words_find_none() {
        let known = ["run", "submit", "estimate"];
        assert_eq!(nearest("rum", known), Some("run"));
        assert_eq!(nearest("submti", known), Some("submit"));
        assert_eq!(nearest("rnu", ["group", "run"]), Some("run"));
        assert_eq!(nearest("fsfc", ["ff-cons", "fcfs"]), Some("fcfs"));
        assert_eq!(nearest("colour", known), None);
    }

    #[test]
    fn case_signs_and_synonyms_come_before_misspellings() {
        assert_eq!(nearest("easy", ["EASY", "eas"]), Some("EASY"));
        assert_eq!(nearest("Feitelson-4x4", ["feitelson96", "feitelson4x4"]), Some("feitelson4x4"));
        assert_eq!(nearest("type", ["y", "kind"]), Some("kind"));
        assert_eq!(nearest("backfill", ["bkfl", "easy"]), Some("easy"));
        assert_eq!(nearest("0.8", ["0.7", "0.9"]), None);
        assert_eq!(nearest("--", ["_"]), None);
        assert_eq!(nearest("ci", ["rank", "interval"]), Some("interval"));
        assert_eq!(nearest("at", ["caption"]), None);
        assert_eq!(nearest("at", ["caption", "bound"]), Some("bound"));
    }

    #[test]
    fn few_slips_for_the_length_are_a_misspelling() {
        let known = ["bf_max_job_user", "bf_max_job_part", "bf_window", "Defer", "Gres"];
        assert_eq!(misspelt("bf_max_job_usre", known), Some("bf_max_job_user"));
        assert_eq!(misspelt("BF_WINDWO", known), Some("bf_window"));
        assert_eq!(misspelt("defr", known), Some("Defer"));
        assert_eq!(misspelt("Gers", known), Some("Gres"));
        // Names with parts in common are other names.
        assert_eq!(misspelt("bf_max_job_time", known), None);
        assert_eq!(misspelt("bf_max_job_array", known), None);
        assert_eq!(misspelt("bf_interval", known), None);
        assert_eq!(misspelt("def", known), None);
        assert_eq!(misspelt("", known), None);
    }
}
