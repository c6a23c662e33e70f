//! The known name that was probably meant.

/// Returns the name most similar to the given one, if one is similar enough to be meant.
///
/// The names are compared by their [`likeness`]. The first of equally similar names is returned.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best = (LIKE, None);
    for name in known {
        let likeness = likeness(given, name);
        if likeness > best.0 {
            best = (likeness, Some(name));
        }
    }
    best.1
}

/// Returns the name of which the given one is a misspelling, in any case of letters: at most two letters differ, and at most one
/// in four (left out, added, changed, or swapped with its neighbour: the distance of optimal string alignment).
///
/// It is for long lists of long names with common parts, of which [`nearest`] finds one for nearly every word. The first of equally
/// near names is returned.
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

/// The fewest letters of a word for each slip in it: two in eight letters are slips, two in seven another word.
const LETTERS_A_SLIP: usize = 4;

/// The most slips in a word: names of settings have long parts in common, so that three letters make another one.
const MOST_SLIPS: usize = 2;

/// Returns how similar two names are, from 0 to 1.
///
/// The measure is that of Jaro and Winkler, which tolerates transposed letters and favours equal beginnings.
/// It does not detect transpositions in words of three letters, so a single slip in such words is handled
/// separately.
pub fn likeness(given: &str, name: &str) -> f64 {
    let slip = given.len() == 3 && name.len() == 3 && strsim::osa_distance(given, name) == 1
        || letters(given) == letters(name);
    strsim::jaro_winkler(given, name).max(if slip { SLIP } else { 0.0 })
}

/// Returns the letters of a word in sorted order: words with equal results differ only in the order of
/// letters.
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
