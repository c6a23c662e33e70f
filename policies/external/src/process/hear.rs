//! The messages of a child.

use std::fmt;

use batchlab_traces::foreign;
use batchlab_traces::{JobId, Time};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::Value;

use super::channel::STREAMS;
use super::tail::begins;
use crate::abi::MOST_VERBS;
use batchlab_contract::placement::{Placement, Rate, Share};
use batchlab_contract::plugin::{Fault, Verb};

/// The most characters quoted from a child's own words.
const WORDS: usize = 500;

/// A message of a child: an object with one key, which names it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    Hello(Hello),
    Ready(bool),
    Verbs(Verbs),
    Scores(Vec<Score>),
    /// It gives up, and why.
    Error(String),
}

/// The greeting of a child. If its version differs, the other fields need not be readable.
#[derive(Debug, Deserialize)]
pub struct Hello {
    pub version: Value,
    #[serde(default)]
    pub policies: Value,
}

#[derive(Debug)]
pub struct Verbs(pub Vec<Verb>);

/// A score: a number, or `"inf"`, `"-inf"`, `"nan"`.
#[derive(Clone, Copy, Debug)]
pub struct Score(pub f64);

/// Reads a line; the child's own error message is an error, too.
pub fn read(line: &[u8], during: &'static str) -> Result<Message, Fault> {
    match serde_json::from_slice(line) {
        Ok(Message::Error(words)) => Err(Fault::GaveUp(foreign::line(&words, WORDS))),
        Ok(message) => Ok(message),
        Err(error) => {
            let begins = begins(line);
            let why = if line.first() == Some(&b'{') {
                format!("`{begins}`: {error}")
            } else {
                format!("`{begins}` is not a message; {STREAMS}")
            };
            Err(Fault::Answer { during, why })
        }
    }
}

impl Message {
    /// The fault of a message of another kind than requested.
    pub fn unasked(&self, wanted: &str, during: &'static str) -> Fault {
        let said = match self {
            Message::Hello(_) => "hello",
            Message::Ready(_) => "ready",
            Message::Verbs(_) => "verbs",
            Message::Scores(_) => "scores",
            Message::Error(_) => "error",
        };
        Fault::Answer { during, why: format!("it says `{said}`, where `{wanted}` is wanted") }
    }
}

/// The first word of a verb.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    Start,
    Place,
    Rate,
    RunOnly,
    Displace,
    Kill,
    Wake,
    Expect,
    Promise,
}

impl<'de> Deserialize<'de> for Verbs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Verbs, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Verbs;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of verbs")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Verbs, A::Error> {
                let mut verbs = Vec::new();
                while let Some(OneVerb(verb)) = list.next_element()? {
                    if verbs.len() == MOST_VERBS as usize {
                        return Err(A::Error::custom(format_args!("more than {MOST_VERBS} verbs")));
                    }
                    verbs.push(verb);
                }
                Ok(Verbs(verbs))
            }
        }
        deserializer.deserialize_seq(Reader)
    }
}

/// Reads `["start", 3]`, `["place", 3, [[0, 8]], 0.5]`.
struct OneVerb(Verb);

impl<'de> Deserialize<'de> for OneVerb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OneVerb, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = OneVerb;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a verb such as [\"start\", 3]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<OneVerb, A::Error> {
                let verb = verb(&mut parts)?;
                match parts.next_element::<IgnoredAny>()? {
                    None => Ok(OneVerb(verb)),
                    Some(_) => Err(A::Error::custom("a verb has something behind its end")),
                }
            }
        }
        deserializer.deserialize_seq(Reader)
    }
}

fn verb<'de, A: SeqAccess<'de>>(parts: &mut A) -> Result<Verb, A::Error> {
    let word: Word = next(parts, "the name of a verb")?;
    let verb = match word {
        Word::Start => Verb::Start(job(parts)?),
        Word::Place => {
            let job = job(parts)?;
            let shares: Vec<(u32, i64)> = next(parts, "nodes with processors, as in [[0, 8]]")?;
            let placement = shares.into_iter().map(|(node, procs)| Share::new(node, procs)).collect();
            let rate = parts.next_element()?.map_or(Rate::FULL, |Speed(rate)| rate);
            Verb::Place { job, placement: Placement(placement), rate }
        }
        Word::Rate => {
            let (job, Speed(rate)) = (job(parts)?, next(parts, "a rate")?);
            Verb::Rate { job, rate }
        }
        Word::RunOnly => {
            let row: Vec<u32> = next(parts, "the jobs of a row")?;
            Verb::RunOnly(row.into_iter().map(JobId).collect())
        }
        Word::Displace => Verb::Displace { job: job(parts)?, keep: next(parts, "whether progress is kept")? },
        Word::Kill => Verb::Kill(job(parts)?),
        Word::Wake => Verb::Wake(next::<A, Seconds>(parts, "an instant")?.0),
        Word::Expect => {
            let (job, Seconds(duration)) = (job(parts)?, next(parts, "a length of time")?);
            Verb::Expect { job, duration }
        }
        Word::Promise => Verb::Promise { job: job(parts)?, at: next::<A, Seconds>(parts, "an instant")?.0 },
    };
    verb.check_times().map_err(|why| A::Error::custom(format_args!("a verb {why}")))?;
    Ok(verb)
}

fn job<'de, A: SeqAccess<'de>>(parts: &mut A) -> Result<JobId, A::Error> {
    next(parts, "a job").map(JobId)
}

fn next<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(parts: &mut A, what: &str) -> Result<T, A::Error> {
    parts.next_element()?.ok_or_else(|| A::Error::custom(format_args!("a verb lacks {what}")))
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a number")]
enum Number {
    Whole(i64),
    Real(f64),
}

/// Seconds, rounded to the nearest microsecond.
struct Seconds(Time);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seconds, D::Error> {
        Ok(Seconds(match Number::deserialize(deserializer)? {
            Number::Whole(seconds) => Time::from_secs(seconds),
            Number::Real(seconds) => Time::from_secs_f64(seconds),
        }))
    }
}

/// A fraction of full speed, rounded to the nearest of [`Rate::WHOLE`] parts.
struct Speed(Rate);

impl<'de> Deserialize<'de> for Speed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Speed, D::Error> {
        let speed = f64::deserialize(deserializer)?;
        if !(0.0..=1.0).contains(&speed) {
            return Err(D::Error::custom(format_args!("a rate of {speed}; it is a number from 0 to 1")));
        }
        Ok(Speed(Rate::from_parts((speed * f64::from(Rate::WHOLE)).round() as u32)))
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Score;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"inf\", \"-inf\" or \"nan\"")
            }
            fn visit_f64<E: Error>(self, number: f64) -> Result<Score, E> {
                Ok(Score(number))
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Score, E> {
                Ok(Score(number as f64))
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Score, E> {
                Ok(Score(number as f64))
            }
            fn visit_str<E: Error>(self, word: &str) -> Result<Score, E> {
                match word {
                    "inf" => Ok(Score(f64::INFINITY)),
                    "-inf" => Ok(Score(f64::NEG_INFINITY)),
                    "nan" => Ok(Score(f64::NAN)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verbs(text: &str) -> Result<Vec<Verb>, String> {
        match read(format!("{{\"verbs\": [{text}]}}").as_bytes(), "decide") {
            Ok(Message::Verbs(Verbs(verbs))) => Ok(verbs),
            Ok(other) => Err(format!("{other:?}")),
            Err(fault) => Err(fault.to_string()),
        }
    }

    #[test]
    fn every_verb_has_its_form() {
        let share = |node, procs| Share::new(node, procs);
        let placement = Placement(vec![share(0, 8), share(3, 4)]);
        let third = Rate::share_of(3);
        let cases = [
            (r#"["start", 3]"#, Verb::Start(JobId(3))),
            (
                r#"["place", 3, [[0, 8], [3, 4]]]"#,
                Verb::Place { job: JobId(3), placement: placement.clone(), rate: Rate::FULL },
            ),
            (
                r#"["place", 3, [[0, 8], [3, 4]], 0.3333333333333333]"#,
                Verb::Place { job: JobId(3), placement, rate: third },
            ),
            (r#"["rate", 3, 0]"#, Verb::Rate { job: JobId(3), rate: Rate::PAUSED }),
            (r#"["run-only", [3, 4]]"#, Verb::RunOnly(vec![JobId(3), JobId(4)])),
            (r#"["displace", 3, true]"#, Verb::Displace { job: JobId(3), keep: true }),
            (r#"["kill", 3]"#, Verb::Kill(JobId(3))),
            (r#"["wake", 120.000001]"#, Verb::Wake(Time::from_ticks(120_000_001))),
            (r#"["expect", 3, 60]"#, Verb::Expect { job: JobId(3), duration: Time::from_secs(60) }),
            (r#"["promise", 3, 500]"#, Verb::Promise { job: JobId(3), at: Time::from_secs(500) }),
        ];
        for (text, verb) in cases {
            assert_eq!(verbs(text), Ok(vec![verb]), "{text}");
        }
    }

    /// Examples of whole sessions are run by the tests of the program.
    #[test]
    fn examples_of_the_page_are_messages() {
        let page = include_str!("../../../abi/PROTOCOL.md");
        let blocks = page.split("```child\n").skip(1).filter_map(|rest| rest.split("```").next());
        let (mut words, mut given_up) = (Vec::new(), 0);
        for line in blocks.flat_map(str::lines) {
            match read(line.as_bytes(), "decide") {
                Ok(Message::Verbs(Verbs(verbs))) => {
                    words.extend(verbs.iter().map(std::mem::discriminant));
                    let table = |word: &str| page.contains(&format!("\n| `{word}` "));
                    let said: Value = serde_json::from_str(line).unwrap();
                    assert!(
                        said["verbs"].as_array().unwrap().iter().all(|verb| table(verb[0].as_str().unwrap()))
                    );
                }
                Err(Fault::GaveUp(_)) => given_up += 1,
                other => panic!("{line}: {other:?}"),
            }
        }
        words.dedup();
        assert_eq!((words.len(), given_up), (9, 1), "every verb has an example");
    }

    #[test]
    fn what_is_no_verb_is_said() {
        let error = |text: &str| verbs(text).unwrap_err();
        assert!(
            error(r#"["strat", 3]"#).contains("unknown variant `strat`, expected one of `start`, `place`")
        );
        assert!(error(r#"["start"]"#).contains("a verb lacks a job"));
        assert!(error(r#"["start", 3, 4]"#).contains("something behind its end"));
        assert!(error(r#"["start", -1]"#).contains("invalid value: integer `-1`"));
        assert!(error(r#"["rate", 3, 1.5]"#).contains("a rate of 1.5; it is a number from 0 to 1"));
        assert!(error(r#"["wake", 1e300]"#).contains("a time beyond 2305843009213"));
        assert!(error(r#"["wake", "soon"]"#).contains("a number"));
        assert!(error(r#"["expect", 3, -1]"#).contains("a length of time below 0"));
        assert!(error("3").contains("expected a verb such as [\"start\", 3]"));
    }

    #[test]
    fn there_is_a_most_of_verbs() {
        let many = vec![r#"["kill",0]"#; MOST_VERBS as usize];
        assert_eq!(verbs(&many.join(",")).map(|verbs| verbs.len()), Ok(MOST_VERBS as usize));
        let more = verbs(&(many.join(",") + r#",["kill",0]"#)).unwrap_err();
        assert!(more.contains("more than 1048576 verbs"), "{more}");
    }

    #[test]
    fn scores_come_back_bit_for_bit() {
        let text =
            r#"{"scores": [1, 0.1, 2.2250738585072014e-308, 123456.78901234567, "inf", "-inf", "nan"]}"#;
        let Ok(Message::Scores(scores)) = read(text.as_bytes(), "order") else { panic!() };
        let bits: Vec<u64> = scores.iter().map(|score| score.0.to_bits()).collect();
        let values =
            [1.0, 0.1, f64::MIN_POSITIVE, 123_456.789_012_345_67, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        assert_eq!(bits, values.map(f64::to_bits));
    }

    #[test]
    fn what_is_no_message_is_quoted() {
        let error = |line: &[u8]| read(line, "decide").unwrap_err().to_string();
        let escaped = format!(r"`debug: 3 jobs\u{{1b}}[0m {}` is not a message; {STREAMS}", '\u{fffd}');
        assert!(error(b"debug: 3 jobs\x1b[0m \xff").contains(&escaped));
        assert!(error(&[b'x'; 1000]).contains(&format!("`{}…` is not a message; {STREAMS}", "x".repeat(60))));
        assert!(error(br#"{"verbs": [["start","#).contains("EOF while parsing"));
        assert!(error(br#"{"verb": []}"#).contains("unknown variant `verb`, expected one of"));
        assert_eq!(error(br#"{"error": "no luck\n"}"#), "the plug-in gave up: no luck");
    }
}
