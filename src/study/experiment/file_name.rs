//! Names from experiment files that become names of files and folders.
//!
//! An experiment may come from a stranger: a name must not lead out of the folder of the results, hide a file, or
//! coincide with another name on a file system that ignores case.

/// What such a name is made of, in words.
pub const LETTERS: &str = "letters, digits, `-`, `_` and `.`";

/// The most bytes of a name: file systems allow 255, and endings follow.
const MOST_BYTES: usize = 200;

/// Whether a name can be that of a file or folder: [`LETTERS`], no `.` as the first, and not too long.
pub fn is_file_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    !name.is_empty() && name.len() <= MOST_BYTES && !name.starts_with('.') && name.chars().all(is_plain)
}

pub fn is_same_file(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_no_names_of_files() {
        for name in ["easy", "table-1.b", "KTH_SP2", "größe", "a..b"] {
            assert!(is_file_name(name), "{name}");
        }
        let long = "n".repeat(201);
        for name in ["", ".", "..", ".toml", "a/b", "a\\b", "C:x", "a b", "a\nb", "\u{202e}a", &long] {
            assert!(!is_file_name(name), "{name}");
        }
        assert!(is_same_file("Ärger", "äRGER") && is_same_file("E", "e") && !is_same_file("e", "f"));
    }
}
