//! The known name that was probably meant.

/// Returns the name most similar to what was given, if one is similar enough to be meant.
///
/// Likeness is that of Jaro and Winkler, which forgives transposed letters and weighs beginnings; the first
/// of equally similar names is returned.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best = (LIKE, None);
    for name in known {
        let likeness = strsim::jaro_winkler(given, name);
        if likeness > best.0 {
            best = (likeness, Some(name));
        }
    }
    best.1
}

/// Returns the question that an error ends with: ` (did you mean ...?)`, or nothing.
pub fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// From this likeness on a name is taken for a slip of another.
const LIKE: f64 = 0.65;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_name_and_other_words_find_none() {
        let known = ["run", "submit", "estimate"];
        assert_eq!(nearest("rum", known), Some("run"));
        assert_eq!(nearest("submti", known), Some("submit"));
        assert_eq!(nearest("colour", known), None);
    }
}
