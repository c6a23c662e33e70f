//! A campaign without a fuzzer: mutated inputs of the corpora, for a time. It needs no instrumented program, and finds
//! less than one that sees the coverage.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::{CORPUS, files, targets};

const LONGEST: usize = 20_000;

/// Numbers that are often wrong, beside the words of the corpus.
const WORDS: [&str; 12] = [
    "0",
    "-1",
    "1e308",
    "nan",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "0.5",
    "\"\"",
    "[]",
    "true",
    "\n",
];

/// Mutates the inputs of each target for some seconds, and prints how many it ran: rows of RECORDED.md.
///
/// `FUZZ_TARGETS="calendars limits" FUZZ_SECONDS=60 FUZZ_SEED=2 cargo test --test main -- --ignored --nocapture mutated`
#[test]
#[ignore = "a campaign: it runs for FUZZ_SECONDS"]
fn mutated_inputs_hold() {
    let of = |name: &str| std::env::var(name).ok();
    let seconds: u64 = of("FUZZ_SECONDS").map_or(1, |text| text.parse().unwrap());
    let seed: u64 = of("FUZZ_SEED").map_or(1, |text| text.parse().unwrap());
    let wanted = of("FUZZ_TARGETS");
    for (name, _) in targets::TARGETS {
        let is_wanted = |list: &String| list.split_whitespace().any(|wanted| wanted == *name);
        if wanted.as_ref().is_none_or(is_wanted) {
            let counts = campaign(name, Duration::from_secs(seconds), seed);
            eprintln!(
                "| {name} | {} | {} | {} ms |",
                counts.inputs,
                counts.bytes,
                counts.longest.as_millis()
            );
        }
    }
}

/// What a campaign has run.
#[derive(Default)]
struct Counts {
    inputs: u64,
    bytes: u64,
    /// The time of the slowest input.
    longest: Duration,
}

fn campaign(name: &str, time: Duration, seed: u64) -> Counts {
    let corpus: Vec<Vec<u8>> =
        files(&Path::new(CORPUS).join(name)).iter().map(|file| fs::read(file).unwrap()).collect();
    let words = words(&corpus);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (began, mut counts) = (Instant::now(), Counts::default());
    while began.elapsed() < time {
        let input = mutated(&corpus, &words, &mut random);
        let here = Instant::now();
        let held = std::panic::catch_unwind(|| targets::run(name, &input));
        assert!(held.is_ok(), "{name} does not hold for {:?}", String::from_utf8_lossy(&input));
        counts.longest = counts.longest.max(here.elapsed());
        counts.inputs += 1;
        counts.bytes += input.len() as u64;
    }
    counts
}

fn words(corpus: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut words: BTreeSet<Vec<u8>> = WORDS.iter().map(|word| word.as_bytes().to_vec()).collect();
    for input in corpus {
        let pieces = input.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        words.extend(pieces.filter(|word| !word.is_empty()).map(<[u8]>::to_vec));
    }
    words.into_iter().collect()
}

/// Returns an input of the corpus with a few changes: a byte, a word, a line or a part of another input.
fn mutated(corpus: &[Vec<u8>], words: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut below = |bound: usize| (random.next_u64() % bound.max(1) as u64) as usize;
    let mut input = corpus[below(corpus.len())].clone();
    for _ in 0..=below(6) {
        let at = below(input.len() + 1);
        let end = (at + below(12)).min(input.len());
        let place = match below(6) {
            0 => vec![below(256) as u8],
            1 => Vec::new(),
            2 | 3 => words[below(words.len())].clone(),
            4 => lines(&corpus[below(corpus.len())], below(8), below(8)),
            _ => input[at..end].repeat(below(4)),
        };
        // A word takes the place of a word.
        let (at, end) = if below(2) == 0 { (at, end) } else { word_at(&input, at) };
        input.splice(at..end, place);
        input.truncate(LONGEST);
    }
    input
}

fn lines(input: &[u8], skip: usize, take: usize) -> Vec<u8> {
    input.split_inclusive(|byte| *byte == b'\n').skip(skip).take(take).flatten().copied().collect()
}

/// Returns the bounds of the word at a place of an input.
fn word_at(input: &[u8], at: usize) -> (usize, usize) {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let before = input[..at].iter().rev().take_while(is_word).count();
    let behind = input[at..].iter().take_while(is_word).count();
    (at - before, at + behind)
}
