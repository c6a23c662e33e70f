use batchlab_traces::notation::{tasks, whole};

use crate::entry::Member;

/// A job's number as `sacct` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlurmJobId<'a> {
    pub(super) number: i64,
    /// Whether the leading number is the job's own: the tasks of an array and the parts of a heterogeneous job share it.
    pub(super) own: bool,
    pub(super) member: Member,
    /// Number of array tasks that the row stands for.
    pub(super) tasks: u64,
    /// The number of tasks of its array that may run at a time, if the row stands for several tasks and has a throttle.
    pub(super) at_most: Option<i64>,
    /// The list of these tasks; empty if the row stands for one job.
    pub(super) list: &'a [u8],
    /// The text before the step.
    pub(super) job: &'a [u8],
    /// The step, if the number names one: `batch`, `extern`, `0`.
    pub(super) step: Option<&'a [u8]>,
}

/// Parses `12`, `12_3`, `12_[5-30:5%2]`, `12+0`, each optionally followed by a dot and a step.
pub(super) fn job_id(text: &[u8]) -> Option<SlurmJobId<'_>> {
    let (job, step) = match memchr::memchr(b'.', text) {
        // A list of tasks that was too long to print ends with an ellipsis.
        Some(at) if text[at..].starts_with(b"...") => (text, None),
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let digits = job.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = whole(&job[..digits])?;
    let mut member = Member::default();
    let (mut at_most, mut rest) = (None, &b""[..]);
    let (own, tasks) = match &job[digits..] {
        b"" => (true, 1),
        [b'+', offset @ ..] => {
            let offset = whole(offset).filter(|&offset| offset >= 0)?;
            member.het = Some((number, offset));
            (offset == 0, 1)
        }
        [b'_', b'[', list @ ..] => {
            (at_most, rest) = (tasks::throttle(list), list);
            (true, tasks::count(list)?)
        }
        [b'_', task @ ..] => {
            let mut parts = task.splitn(2, |&byte| byte == b'+');
            member.array = Some((number, parts.next().and_then(whole)?));
            if let Some(offset) = parts.next() {
                member.het = Some((number, whole(offset)?));
            }
            (false, 1)
        }
        _ => return None,
    };
    Some(SlurmJobId { number, own, member, tasks, at_most, list: rest, job, step })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_told_apart() {
        let seen = |text: &'static str| {
            let id = job_id(text.as_bytes()).unwrap();
            (id.number, id.own, id.tasks, id.step.map(|step| std::str::from_utf8(step).unwrap()))
        };
        assert_eq!(seen("12"), (12, true, 1, None));
        assert_eq!(seen("12.batch"), (12, true, 1, Some("batch")));
        assert_eq!(seen("12_3.0"), (12, false, 1, Some("0")));
        assert_eq!(seen("12+0"), (12, true, 1, None));
        assert_eq!(seen("12+1.extern"), (12, false, 1, Some("extern")));
        assert_eq!(seen("12_[5-30:5%2]"), (12, true, 6, None));
        assert_eq!(seen("12_[9-11,13,16-20]"), (12, true, 9, None));
        assert_eq!(seen("12_[1-3,7,..."), (12, true, 4, None));
        assert_eq!(seen("12_[1,3,5,...%4]"), (12, true, 3, None));
        assert_eq!(
            (seen("12_[1,3,5-1..."), seen("12_[1,3,5:...]")),
            ((12, true, 3, None), (12, true, 3, None))
        );
        assert_eq!(job_id(b"12_[1-9:4,11%2]").unwrap().list, b"1-9:4,11%2]");
    }

    #[test]
    fn the_rest_of_an_array_tells_its_throttle() {
        let at_most = |text: &str| job_id(text.as_bytes()).unwrap().at_most;
        assert_eq!((at_most("12_[5-30:5%2]"), at_most("12_[1,3,5,...%4]")), (Some(2), Some(4)));
        for without in ["12", "12_3", "12_[5-30]", "12_[5-30%0]"] {
            assert_eq!(at_most(without), None, "{without}");
        }
    }

    #[test]
    fn anything_else_is_no_number() {
        for no in ["", "x", "12x", "12_", "12_[", "12_[3-1]", "12_[1-9:0]", "12+", "JobID", "12+-1", "-1"] {
            assert_eq!(job_id(no.as_bytes()), None, "{no}");
        }
    }
}
