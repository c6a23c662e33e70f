#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// The job ended, with this status in SWF's code.
    Ended(i64),
    /// The run ended, and the job was put back into the queue.
    Requeued,
    /// The part ended: the job went on with another size.
    Resized,
    /// The job had not ended.
    Unfinished,
    /// The job had not ended and was suspended: it had given its processors back (squeue(1), SUSPENDED).
    Suspended,
    /// The job's processes had ended or were being killed, and it still had its nodes (squeue(1), COMPLETING).
    Completing,
    /// The job had not started.
    Waiting,
    Unknown,
    #[default]
    NotTold,
}

/// States with their meaning, the frequent ones first; the states of unfinished jobs come from `squeue` and
/// from logs written while jobs ended.
const STATES: [(&[u8], State); 31] = [
    (b"COMPLETED", State::Ended(1)),
    (b"FAILED", State::Ended(0)),
    (b"CANCELLED", State::Ended(5)),
    (b"TIMEOUT", State::Ended(0)),
    (b"OUT_OF_MEMORY", State::Ended(0)),
    (b"NODE_FAIL", State::Ended(0)),
    (b"PREEMPTED", State::Ended(0)),
    (b"BOOT_FAIL", State::Ended(0)),
    (b"LAUNCH_FAILED", State::Ended(0)),
    (b"RECONFIG_FAIL", State::Ended(0)),
    (b"DEADLINE", State::Ended(5)),
    (b"REVOKED", State::Ended(5)),
    (b"REQUEUED", State::Requeued),
    (b"REQUEUE_HOLD", State::Requeued),
    (b"REQUEUE_FED", State::Requeued),
    (b"SPECIAL_EXIT", State::Requeued),
    (b"RESIZING", State::Resized),
    (b"RUNNING", State::Unfinished),
    (b"SUSPENDED", State::Suspended),
    (b"COMPLETING", State::Completing),
    (b"CONFIGURING", State::Unfinished),
    (b"SIGNALING", State::Unfinished),
    (b"STAGE_OUT", State::Unfinished),
    (b"STOPPED", State::Unfinished),
    (b"POWER_UP_NODE", State::Unfinished),
    (b"UPDATE_DB", State::Unfinished),
    (b"EXPEDITING", State::Waiting),
    (b"PENDING", State::Waiting),
    (b"RESV_DEL_HOLD", State::Waiting),
    (b"NOT_FOUND", State::Unknown),
    (b"?", State::Unknown),
];

impl State {
    /// Returns the meaning of a state, such as `CANCELLED by 1001` or the truncated `CANCELLED+`.
    pub(super) fn of(text: &[u8]) -> State {
        if text.is_empty() {
            return State::NotTold;
        }
        let word = text.split(|&byte| byte == b' ').next().unwrap_or_default();
        let fits = |name: &[u8]| match word.strip_suffix(b"+") {
            Some(cut) => cut.len() >= 4 && name.starts_with(cut),
            None => name == word,
        };
        STATES.iter().find(|(name, _)| fits(name)).map_or(State::Unknown, |&(_, state)| state)
    }

    /// Returns the reason why a job waits: the name of a state that holds it, else the controller's reason.
    pub(super) fn reason<'a>(word: &'a [u8], reason: &'a [u8]) -> &'a [u8] {
        let is_hold = matches!(word, b"REQUEUE_HOLD" | b"SPECIAL_EXIT" | b"RESV_DEL_HOLD");
        if is_hold { word } else { reason }
    }

    pub(super) fn has_started(self) -> bool {
        self != State::Waiting
    }

    pub(super) fn has_ended(self) -> bool {
        !matches!(self, State::Waiting | State::Unfinished | State::Suspended | State::Completing)
    }

    /// Returns the state of a job in a queue: a job that was put back waits there.
    pub(super) fn in_queue(self) -> State {
        if self == State::Requeued { State::Waiting } else { self }
    }
}

/// The short forms of `squeue`, with the states.
const SHORT: [(&[u8], &[u8]); 24] = [
    (b"BF", b"BOOT_FAIL"),
    (b"CA", b"CANCELLED"),
    (b"CD", b"COMPLETED"),
    (b"CF", b"CONFIGURING"),
    (b"CG", b"COMPLETING"),
    (b"DL", b"DEADLINE"),
    (b"F", b"FAILED"),
    (b"NF", b"NODE_FAIL"),
    (b"OOM", b"OUT_OF_MEMORY"),
    (b"PD", b"PENDING"),
    (b"PR", b"PREEMPTED"),
    (b"R", b"RUNNING"),
    (b"RD", b"RESV_DEL_HOLD"),
    (b"RF", b"REQUEUE_FED"),
    (b"RH", b"REQUEUE_HOLD"),
    (b"RQ", b"REQUEUED"),
    (b"RS", b"RESIZING"),
    (b"RV", b"REVOKED"),
    (b"SI", b"SIGNALING"),
    (b"SE", b"SPECIAL_EXIT"),
    (b"SO", b"STAGE_OUT"),
    (b"ST", b"STOPPED"),
    (b"S", b"SUSPENDED"),
    (b"TO", b"TIMEOUT"),
];

/// Returns the state of a short form, and any other text as it is.
pub(super) fn spelt_out(text: &[u8]) -> &[u8] {
    SHORT.iter().find(|(short, _)| *short == text).map_or(text, |(_, long)| *long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_cancelled_a_job_does_not_matter() {
        for text in ["CANCELLED", "CANCELLED by 1001", "CANCELLED+"] {
            assert_eq!(State::of(text.as_bytes()), State::Ended(5));
        }
        assert_eq!(State::of(b"RESIZING"), State::Resized);
        assert_eq!(
            (State::of(b"FOO"), State::of(b""), State::of(b"C+")),
            (State::Unknown, State::NotTold, State::Unknown)
        );
    }
}
