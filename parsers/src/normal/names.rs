//! Numbers for names.

use std::borrow::Cow;
use std::collections::HashMap;

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::header::Named;
use sha2::{Digest, Sha256};

use crate::entry::Name;

/// Numbers names by first appearance, from 1.
pub(crate) struct Names {
    /// Position of each name in the list. It is never iterated, so its order affects no result; the hash is
    /// keyed, so no log can be constructed to slow it down.
    index: HashMap<Box<[u8]>, usize>,
    known: Vec<Known>,
    next: i64,
    /// Position of the last name: equal names come in runs.
    last: Option<usize>,
    /// Whether names that contain `interactive` get number 0, the convention for queues.
    interactive: bool,
    /// Whether long names are kept unchanged.
    pub(super) whole: bool,
}

struct Known {
    name: Box<[u8]>,
    number: i64,
    seen: bool,
}

impl Names {
    /// Returns an empty numbering; `given` names have fixed numbers.
    pub(crate) fn new(given: &[(&str, i64)], interactive: bool) -> Names {
        let known: Vec<Known> = given
            .iter()
            .map(|&(name, number)| Known { name: name.as_bytes().into(), number, seen: false })
            .collect();
        let index = known.iter().enumerate().map(|(at, known)| (known.name.clone(), at)).collect();
        let next = given.iter().map(|(_, number)| number + 1).max().unwrap_or(1).max(1);
        Names { index, known, next, last: None, interactive, whole: false }
    }

    /// Returns the number of a name; -1 if it is unknown. O(1), without hashing for a name that is repeated.
    pub(crate) fn number(&mut self, name: Name<'_>) -> i64 {
        let text = match name {
            Name::Unknown | Name::Text(b"") => return -1,
            Name::Text(text) => text,
        };
        let short = if self.whole { Cow::Borrowed(text) } else { shortened(text) };
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

    pub(crate) fn distinct(&self) -> usize {
        let mut numbers: Vec<i64> = self.seen().map(|known| known.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    }

    /// Returns the names that occurred, by number; for several with one number, the first.
    pub(crate) fn listed(&self) -> Vec<Named> {
        let named =
            |known: &Known| Named { number: known.number, name: String::from_utf8_lossy(&known.name).into() };
        let mut listed: Vec<Named> = self.seen().map(named).collect();
        listed.arrange_by_key(|named| named.number);
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

/// The most bytes of a name that is kept unchanged.
const LONGEST: usize = 256;

/// Returns a name, or for a long name its beginning and digest: names stay distinct in bounded memory.
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
    fn long_names_stay_distinct_and_take_bounded_memory() {
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
