//! What readers say of a log hides every word of it once names are hidden: each word of each sample is replaced in turn by a
//! marked one, and neither findings nor errors show it.

use batchlab_parsers::{Input, Options, read_trace};
use batchlab_traces::redact::Pseudonyms;

use super::samples::samples;

/// The marked word, with and without capitals.
const WORD: &str = "zqname";

/// The most lines of a sample of which words are replaced; the others repeat them.
const LINES: usize = 16;

/// The most words of a line that are replaced.
const WORDS: usize = 60;

/// Returns where the words of a line begin and end: letters, digits and the signs of names.
fn words(line: &str) -> Vec<(usize, usize)> {
    let is_of_word = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    let begin = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    let words = line.split(|letter| !is_of_word(letter)).filter(|word| !word.is_empty());
    words.map(|word| (begin(word), begin(word) + word.len())).collect()
}

/// Returns what a reader says of a log, with names hidden.
fn said(bytes: Vec<u8>, options: &Options) -> Vec<String> {
    match read_trace(Input::from_bytes("log", bytes), options) {
        Err(error) => vec![Pseudonyms::default().message(&error.to_string())],
        Ok(mut trace) => {
            Pseudonyms::of(&trace.header).redact(&mut trace);
            let finding = |finding: &batchlab_traces::Finding| {
                finding.examples.iter().map(|example| example.detail.clone()).collect::<Vec<_>>()
            };
            trace.findings.list().iter().flat_map(finding).collect()
        }
    }
}

#[test]
fn no_message_of_a_reader_shows_a_word_of_a_log() {
    let mut shown: Vec<String> = Vec::new();
    for sample in samples() {
        let Ok(text) = String::from_utf8(sample.bytes.clone()) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate().take(LINES) {
            for (from, to) in words(line).into_iter().take(WORDS) {
                let changed = format!("{}{WORD}{}", &line[..from], &line[to..]);
                let all: Vec<&str> = lines
                    .iter()
                    .enumerate()
                    .map(|(at, line)| if at == number { &changed } else { *line })
                    .collect();
                let found = said((all.join("\n") + "\n").into_bytes(), &sample.options());
                let leak = found.into_iter().find(|words| words.to_lowercase().contains(WORD));
                shown.extend(leak.map(|words| format!("{} line {}: {words}", sample.name(), number + 1)));
            }
        }
    }
    shown.dedup();
    assert!(shown.is_empty(), "{} messages show a word:\n{}", shown.len(), shown.join("\n"));
}
