//! The known name that was probably meant.

/// Returns the name most similar to what was given, if one is similar enough to be meant.
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

/// Returns how similar two names are, from 0 to 1.
///
/// Likeness is that of Jaro and Winkler, which forgives transposed letters and weighs beginnings; in words of three
/// letters it sees no transposition, so that a single slip there is counted apart.
pub fn likeness(given: &str, name: &str) -> f64 {
    let slip = given.len() == 3 && name.len() == 3 && strsim::osa_distance(given, name) == 1
        || letters(given) == letters(name);
    strsim::jaro_winkler(given, name).max(if slip { SLIP } else { 0.0 })
}

/// The letters of a word in order: words that share them are told apart by a slip in their order.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Returns the question that an error ends with: ` (did you mean ...?)`, or nothing.
pub fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// From this likeness on a name is taken for a slip of another.
const LIKE: f64 = 0.65;

/// Likeness of words of three letters that a single slip tells apart, and of words of the same letters: no less than Jaro and Winkler give `rum` and
/// `run`.
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
}
