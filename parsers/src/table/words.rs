#[derive(Clone, Debug, Default)]
pub(super) struct WordSet {
    all: Vec<Box<[u8]>>,
    /// One bit for each byte that a word begins with: it rejects most texts.
    firsts: [u64; 4],
    empty: bool,
}

impl WordSet {
    pub(super) fn of<'a>(words: impl IntoIterator<Item = &'a str>) -> WordSet {
        let mut gathered = WordSet::default();
        for word in words {
            match word.bytes().next() {
                Some(first) => gathered.firsts[usize::from(first >> 6)] |= 1 << (first & 63),
                None => gathered.empty = true,
            }
            gathered.all.push(word.as_bytes().into());
        }
        gathered
    }

    pub(super) fn with(&self, other: &WordSet) -> WordSet {
        let words = self.all.iter().chain(&other.all).map(|word| String::from_utf8_lossy(word).into_owned());
        let words: Vec<String> = words.chain((self.empty || other.empty).then(String::new)).collect();
        WordSet::of(words.iter().map(String::as_str))
    }

    pub(super) fn has(&self, text: &[u8]) -> bool {
        match text.first() {
            None => self.empty,
            Some(&first) => {
                self.firsts[usize::from(first >> 6)] >> (first & 63) & 1 == 1
                    && self.all.iter().any(|word| **word == *text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_word_or_not() {
        let words = WordSet::of(["-1", "é"]).with(&WordSet::of(["", "NULL"]));
        let is = |text: &str| words.has(text.as_bytes());
        assert_eq!(
            ["", "-1", "é", "NULL", "-", "1", "NULLS", "\u{ff}"].map(is),
            [true, true, true, true, false, false, false, false]
        );
        assert!(!WordSet::default().has(b""));
    }
}
