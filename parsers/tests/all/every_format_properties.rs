//! Properties of every format for any input: no panic, no hang, and strict reading equals lenient reading
//! that stops at the first warning.

use std::time::{Duration, Instant};

use batchlab_parsers::{FORMATS, FormatSpec, Input, Options, ReadError, read_trace};
use batchlab_traces::Trace;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::every_format::rows;
use crate::samples::samples;

fn read(spec: &'static FormatSpec, bytes: &[u8], strict: bool) -> Result<Trace, ReadError> {
    let options = Options { strict, format: Some(spec), explain: 2, ..Options::default() };
    read_trace(Input::from_bytes("log", bytes.to_vec()), &options)
}

/// Reads bytes both ways: lenient reading refuses only input without any record, and strict reading either
/// refuses or gives the same trace.
fn both_ways(spec: &'static FormatSpec, bytes: &[u8]) -> Result<(), TestCaseError> {
    let (lenient, strict) = (read(spec, bytes, false), read(spec, bytes, true));
    match (&lenient, strict) {
        (Err(error @ (ReadError::Refused(_) | ReadError::Io { .. })), _) => {
            prop_assert!(false, "{}: {error}", spec.name);
        }
        (Ok(lenient), Ok(strict)) => {
            prop_assert_eq!(rows(lenient), rows(&strict));
            prop_assert_eq!(lenient.findings.list(), strict.findings.list());
        }
        (_, Err(ReadError::Refused(_))) => {}
        (Err(lenient), Err(strict)) => prop_assert_eq!(lenient.to_string(), strict.to_string()),
        (lenient, strict) => prop_assert!(false, "{}: {lenient:?}, {strict:?}", spec.name),
    }
    Ok(())
}

#[derive(Clone, Debug)]
enum Damage {
    Put(Index, u8),
    Insert(Index, String),
    Cut(Index, usize),
    Repeat(Index, usize),
    End(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let strange = prop::sample::select(b"\0\n\r\t ;:,.-+*/=\"'[](){}|#eE019xN\xff\xe4\x1f".to_vec());
    let piece = prop_oneof![
        Just("-1".to_owned()),
        Just("9223372036854775807".to_owned()),
        Just("-9223372036854775808".to_owned()),
        Just("99999999999999999999999999".to_owned()),
        Just("1e300".to_owned()),
        Just("\"".to_owned()),
        Just("\n".to_owned()),
        "[ -~]{0,12}",
        any::<i64>().prop_map(|value| value.to_string()),
    ];
    prop_oneof![
        4 => (any::<Index>(), strange).prop_map(|(at, byte)| Damage::Put(at, byte)),
        4 => (any::<Index>(), piece).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        3 => (any::<Index>(), 0..80_usize).prop_map(|(at, count)| Damage::Cut(at, count)),
        1 => (any::<Index>(), 0..400_usize).prop_map(|(at, count)| Damage::Repeat(at, count)),
        1 => any::<Index>().prop_map(Damage::End),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let end = bytes.len() + 1;
        match damage {
            Damage::Put(at, byte) => {
                if let Some(place) = bytes.get_mut(at.index(end)) {
                    *place = *byte;
                }
            }
            Damage::Insert(at, piece) => {
                let at = at.index(end);
                bytes.splice(at..at, piece.bytes());
            }
            Damage::Cut(at, count) => {
                let at = at.index(end);
                bytes.drain(at..(at + count).min(end - 1));
            }
            Damage::Repeat(at, count) => {
                let at = at.index(end);
                let piece = bytes[at..(at + count).min(end - 1)].to_vec();
                bytes.splice(at..at, piece);
            }
            Damage::End(at) => bytes.truncate(at.index(end)),
        }
    }
    bytes
}

proptest! {
    // Each case is read in all formats.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn lines_of_tokens_never_panic(
        lines in prop::collection::vec(
            prop::collection::vec("-1|0|[0-9]{1,20}|[0-9]{1,3}[.][0-9]{1,8}|[a-z]{1,5}|[\"|,;:=+*/\\[\\](){}]", 0..60),
            0..8,
        ),
        separator in prop::sample::select(vec![" ", ":", ",", ";", "|", "\t", ""]),
    ) {
        let text: Vec<String> = lines.iter().map(|tokens| tokens.join(separator)).collect();
        for spec in FORMATS {
            both_ways(spec, text.join("\n").as_bytes())?;
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        for spec in FORMATS {
            both_ways(spec, &bytes)?;
        }
    }

    #[test]
    fn arbitrary_lines_never_panic(lines in prop::collection::vec("[ -~]{0,120}", 0..20)) {
        for spec in FORMATS {
            both_ways(spec, lines.join("\n").as_bytes())?;
        }
    }

    #[test]
    fn damaged_samples_never_panic(at in any::<Index>(), damages in prop::collection::vec(damage(), 1..12)) {
        let samples = samples();
        let sample = &samples[at.index(samples.len())];
        let bytes = damaged(sample.bytes.clone(), &damages);
        both_ways(sample.format, &bytes)?;
        // Any result is accepted, as long as nothing panics.
        let _ = read_trace(Input::from_bytes("log", bytes), &Options::default());
    }

    #[test]
    fn samples_of_one_format_read_as_another_never_panic(at in any::<Index>(), by in any::<Index>()) {
        let samples = samples();
        let (sample, spec) = (&samples[at.index(samples.len())], &FORMATS[by.index(FORMATS.len())]);
        both_ways(spec, &sample.bytes)?;
    }
}

#[test]
fn lines_without_end_take_no_time_without_end() {
    let pieces = [
        "a=\"", "a='", " ", "=", "\"", "\" ", ":", "+", "/", "1+", "1:", "(", "[", "{\"a\":", "#", ",", "|",
        ";", "rusage[", "x=1 ", "n1/0+", "jobname=", "\n", "0", "1 ", "-l ",
    ];
    let event = "\"JOB_FINISH\" \"1\" 1 \"\n";
    let mut samples = samples();
    samples.dedup_by_key(|sample| sample.format.name);
    for sample in samples {
        let line = sample.bytes.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for piece in pieces.into_iter().chain([event]) {
            let filling = piece.repeat((1 << 17) / piece.len());
            // Cuts between two lines, and within the second half of the first one.
            for at in [line, line / 2] {
                let bytes = [&sample.bytes[..at], filling.as_bytes(), &sample.bytes[at..]].concat();
                let begun = Instant::now();
                let _ = read(sample.format, &bytes, false);
                let taken = begun.elapsed();
                assert!(taken < Duration::from_secs(5), "{}: {piece:?} at {at}: {taken:?}", sample.name());
            }
        }
    }
}
