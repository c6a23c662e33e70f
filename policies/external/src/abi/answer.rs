//! `batchlab_answer`: the verbs of a policy.

use batchlab_traces::{JobId, Time};

use super::{MOST_VERBS, verbs};
use batchlab_contract::placement::{Placement, Rate, Share};
use batchlab_contract::plugin::{Fault, Verb};

const DURING: &str = super::functions::DECIDE;
const HEAD: usize = 8;
const RECORD: usize = 16;

/// The length in bytes of the answer that begins with these bytes; an answer has at most [`MOST_VERBS`] verbs.
pub fn answer_bytes(head: [u8; HEAD]) -> Result<usize, Fault> {
    let count = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
    if count > MOST_VERBS {
        return Err(wrong(format!("it has {count} verbs, and {MOST_VERBS} are taken at most")));
    }
    Ok(HEAD + RECORD * count as usize)
}

pub fn read_answer(bytes: &[u8], out: &mut Vec<Verb>) -> Result<(), Fault> {
    out.clear();
    for (index, record) in bytes[HEAD.min(bytes.len())..].chunks_exact(RECORD).enumerate() {
        let word =
            |at: usize| u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        let value = u64::from(word(8)) | u64::from(word(12)) << 32;
        read_verb(word(0), word(4), value as i64, out)
            .map_err(|why| wrong(format!("record {index} (verb {}) {why}", word(0))))?;
    }
    Ok(())
}

fn read_verb(verb: u32, number: u32, value: i64, out: &mut Vec<Verb>) -> Result<(), String> {
    let job = JobId(number);
    let verb = match verb {
        verbs::START => Verb::Start(job),
        verbs::PLACE => Verb::Place { job, placement: Placement::default(), rate: rate(value)? },
        verbs::RATE => Verb::Rate { job, rate: rate(value)? },
        verbs::RUN_ONLY => Verb::RunOnly(Vec::new()),
        verbs::DISPLACE => Verb::Displace { job, keep: value != 0 },
        verbs::KILL => Verb::Kill(job),
        verbs::WAKE => Verb::Wake(Time::from_ticks(value)),
        verbs::EXPECT => Verb::Expect { job, duration: Time::from_ticks(value) },
        verbs::PROMISE => Verb::Promise { job, at: Time::from_ticks(value) },
        verbs::SHARE => match out.last_mut() {
            Some(Verb::Place { placement, .. }) => {
                placement.0.push(Share::new(number, value));
                return Ok(());
            }
            _ => return Err("is a share, and no placement stands before it".into()),
        },
        verbs::ROW => match out.last_mut() {
            Some(Verb::RunOnly(row)) => {
                row.push(job);
                return Ok(());
            }
            _ => return Err("is a job of a row, and no row stands before it".into()),
        },
        _ => return Err("is no verb".into()),
    };
    verb.check_times()?;
    out.push(verb);
    Ok(())
}

fn rate(parts: i64) -> Result<Rate, String> {
    u32::try_from(parts)
        .ok()
        .filter(|parts| *parts <= Rate::WHOLE)
        .map(Rate::from_parts)
        .ok_or_else(|| format!("has a rate of {parts} parts; full speed is {}", Rate::WHOLE))
}

fn wrong(why: String) -> Fault {
    Fault::Answer { during: DURING, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(records: &[(u32, u32, i64)]) -> Vec<u8> {
        let mut bytes = (records.len() as u64).to_le_bytes().to_vec();
        for (verb, job, value) in records {
            bytes.extend(verb.to_le_bytes());
            bytes.extend(job.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    fn read(records: &[(u32, u32, i64)]) -> Result<Vec<Verb>, String> {
        let (bytes, mut out) = (answer(records), Vec::new());
        assert_eq!(answer_bytes(bytes[..8].try_into().unwrap()), Ok(bytes.len()));
        read_answer(&bytes, &mut out).map(|()| out).map_err(|fault| fault.to_string())
    }

    #[test]
    fn shares_and_rows_belong_to_the_verb_before_them() {
        let verbs = read(&[(2, 7, 720_720), (3, 0, 4), (3, 2, 1), (5, 0, 0), (6, 7, 0), (1, 8, 0)]).unwrap();
        let placement = Placement(vec![Share::new(0, 4), Share::new(2, 1)]);
        let expected = [
            Verb::Place { job: JobId(7), placement, rate: Rate::FULL },
            Verb::RunOnly(vec![JobId(7)]),
            Verb::Start(JobId(8)),
        ];
        assert_eq!(verbs, expected);
    }

    #[test]
    fn what_is_no_answer_is_said() {
        let error = |records| read(records).unwrap_err();
        assert!(error(&[(1, 0, 0), (99, 0, 0)]).contains("record 1 (verb 99) is no verb"));
        assert!(error(&[(3, 0, 4)]).contains("no placement stands before it"));
        assert!(error(&[(4, 0, -1)]).contains("a rate of -1 parts; full speed is 720720"));
        let farthest = Time::FARTHEST.ticks();
        for (verb, value) in [(9, farthest), (9, -farthest), (10, 0), (10, farthest), (11, -1)] {
            assert!(read(&[(verb, 0, value)]).is_ok(), "verb {verb}: {value}");
        }
        for (verb, value) in [(9, farthest + 1), (10, i64::MAX), (11, i64::MIN)] {
            let said = read(&[(verb, 0, value)]).unwrap_err();
            assert!(said.contains("has a time beyond 2305843009213.693951 s"), "verb {verb}: {said}");
        }
        assert!(
            error(&[(10, 0, -1)]).contains("record 0 (verb 10) has a length of time below 0, -0.000001 s")
        );
        let huge = answer_bytes(u64::MAX.to_le_bytes()).unwrap_err().to_string();
        assert!(huge.contains("4294967295 verbs, and 1048576 are taken at most"), "{huge}");
    }
}
