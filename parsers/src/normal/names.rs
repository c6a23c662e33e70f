//! Names as numbers.

use std::borrow::Cow;
use std::collections::HashMap;

use batchlab_traces::header::Named;
use sha2::{Digest, Sha256};

use crate::entry::Name;

/// Numbers names by first appearance, from 1.
pub(super) struct Names {
    /// Where each name stands among the known ones. Never iterated, so its order reaches no result; its hash
    /// is keyed, so that no log can be made to slow it down.
    index: HashMap<Box<[u8]>, usize>,
    known: Vec<Known>,
    next: i64,
    /// The name seen last, among the known ones: logs come in runs.
    last: Option<usize>,
    /// Whether names with `interactive` in them are number 0, as queues are by convention.
    interactive: bool,
}

struct Known {
    name: Box<[u8]>,
    number: i64,
    seen: bool,
}

impl Names {
    /// Returns an empty numbering; `given` names have their numbers before any is seen.
    pub(super) fn new(given: &[(&str, i64)], interactive: bool) -> Names {
        let known: Vec<Known> = given
            .iter()
            .map(|&(name, number)| Known { name: name.as_bytes().into(), number, seen: false })
            .collect();
        let index = known.iter().enumerate().map(|(at, known)| (known.name.clone(), at)).collect();
        let next = given.iter().map(|(_, number)| number + 1).max().unwrap_or(1).max(1);
        Names { index, known, next, last: None, interactive }
    }

    /// Returns the number of a name; -1 when it is unknown. O(1), and no hash for a name seen again.
    pub(super) fn number(&mut self, name: Name<'_>) -> i64 {
        let text = match name {
            Name::Unknown | Name::Text(b"") => return -1,
            Name::Text(text) => text,
        };
        let short = shortened(text);
        let text = short.as_ref();
        let at = match self.last.filter(|&at| *self.known[at].name == *text) {
            Some(at) => at,
            None => match self.index.get(text) {
                Some(&at) => at,
                None => self.add(text),
            },
        };
        self.last = Some(at);
        self.known[at].seen = true;
        self.known[at].number
    }

    /// Returns how many different numbers were given out.
    pub(super) fn distinct(&self) -> usize {
        let mut numbers: Vec<i64> = self.seen().map(|known| known.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    }

    /// Returns the names that were seen, by number; of several with one number, the first.
    pub(super) fn listed(&self) -> Vec<Named> {
        let named =
            |known: &Known| Named { number: known.number, name: String::from_utf8_lossy(&known.name).into() };
        let mut listed: Vec<Named> = self.seen().map(named).collect();
        listed.sort_by_key(|named| named.number);
        listed.dedup_by_key(|named| named.number);
        listed
    }

    fn seen(&self) -> impl Iterator<Item = &Known> {
        self.known.iter().filter(|known| known.seen)
    }

    fn add(&mut self, text: &[u8]) -> usize {
        let interactive =
            self.interactive && text.to_ascii_lowercase().windows(11).any(|part| part == b"interactive");
        let number = if interactive { 0 } else { self.next };
        self.next += i64::from(!interactive);
        self.known.push(Known { name: text.into(), number, seen: false });
        self.index.insert(text.into(), self.known.len() - 1);
        self.known.len() - 1
    }
}

/// The longest name that is kept as it stands, in bytes.
const LONGEST: usize = 256;

/// Returns a name, a long one by its beginning and its digest: names are told apart as before, and take no memory.
fn shortened(name: &[u8]) -> Cow<'_, [u8]> {
    if name.len() <= LONGEST {
        return Cow::Borrowed(name);
    }
    let mut short = name[..LONGEST / 2].to_vec();
    short.extend_from_slice(b"... sha256 ");
    for byte in Sha256::digest(name) {
        short.extend_from_slice(format!("{byte:02x}").as_bytes());
    }
    Cow::Owned(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_told_apart_and_take_no_memory() {
        let long = |last: u8| [&vec![b'x'; 1 << 20][..], &[last]].concat();
        let mut names = Names::new(&[], false);
        let numbers = [long(b'a'), long(b'b'), long(b'a')].map(|name| names.number(Name::Text(&name)));
        assert_eq!(numbers, [1, 2, 1]);
        assert!(names.listed().iter().all(|named| named.name.len() < 256), "{:?}", names.listed());
    }

    #[test]
    fn names_are_numbered_by_first_appearance_after_the_given_ones() {
        let mut names = Names::new(&[("interactive", 0), ("express", 1)], true);
        let numbers = ["low", "express", "low", "", "interactive2", "high"]
            .map(|name| names.number(Name::of(name.as_bytes())));
        assert_eq!(numbers, [2, 1, 2, -1, 0, 3]);
        let listed: Vec<String> =
            names.listed().into_iter().map(|named| format!("{} {}", named.number, named.name)).collect();
        assert_eq!(listed, ["0 interactive2", "1 express", "2 low", "3 high"]);
        assert_eq!(names.distinct(), 4);
    }
}
