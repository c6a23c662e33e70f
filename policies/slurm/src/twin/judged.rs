use batchlab_traces::{JobId, Time};

use super::hypothesis::Held;
use crate::site::StartLoop;

/// What the closed loop says of a real start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub job: JobId,
    pub row: usize,
    /// When it really started.
    pub real: Time,
    /// When it started here: later if it did not fit, or something kept it away.
    pub at: Time,
    /// When the loops first started it in the states that really were, or, once it had really started, in those without its start.
    /// `None` if they did not within [`LATE`] cycles.
    pub loops: Option<Time>,
    pub by: Option<StartLoop>,
    pub verdict: Verdict,
    /// Why they did not start it when it really started.
    pub held: Option<Held>,
    /// Row in the log of the job that it waited behind then.
    pub behind: Option<usize>,
    /// The nodes on which it really ran, and those on which the loops would have started it; empty if unknown.
    pub nodes: [Vec<usize>; 2],
}

/// For how many cycles behind a real start the loops are asked for it.
pub const LATE: i64 = 10;

/// Whether the loops agree with a real start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They start the job within a cycle of the real instant.
    Agreed,
    /// They would have started it more than a cycle before.
    Early,
    /// They start it more than a cycle later.
    Late,
    /// They do not start it within [`LATE`] cycles.
    Missed,
    /// The state of the check was not that of the real start: the job came more than a second later there.
    Postponed,
}

/// How decisions compare in the same states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Real starts in the state that really was: `agreed`, `early`, `late` and `missed` together.
    pub tested: u64,
    /// Starts that the loops make within a cycle of the real instant, neither earlier nor later.
    pub agreed: u64,
    /// Starts that the loops would have made more than a cycle before.
    pub early: u64,
    /// Starts that the loops make more than a cycle later.
    pub late: u64,
    /// Starts that the loops do not make.
    pub missed: u64,
    /// Jobs that the loops would have started more than a cycle before they left the queue, and that never really started.
    pub unstarted: u64,
    /// Starts that came more than a second later in the check than really, since limits, reservations or closures kept them away, or
    /// their nodes were taken: they are not tested.
    pub postponed: u64,
    /// Starts that did not fit on the nodes as they really did.
    pub displaced: u64,
    /// Real starts of jobs whose nodes the log tells, that the loops make in the same second, in which no job ends.
    pub located: u64,
    pub same_nodes: u64,
}

impl Judgement {
    pub(super) fn count(&mut self, verdict: Verdict) {
        self.tested += u64::from(verdict != Verdict::Postponed);
        *match verdict {
            Verdict::Agreed => &mut self.agreed,
            Verdict::Early => &mut self.early,
            Verdict::Late => &mut self.late,
            Verdict::Missed => &mut self.missed,
            Verdict::Postponed => &mut self.postponed,
        } += 1;
    }

    /// Returns the share of the tested starts that the loops make within a cycle of the real instant.
    pub fn agreement(&self) -> f64 {
        share(self.agreed, self.tested)
    }

    /// Returns the share of the tested starts that the loops make by a cycle after the real instant, however much earlier.
    pub fn found(&self) -> f64 {
        share(self.agreed + self.early, self.tested)
    }

    /// Returns the share that is real within a cycle, of the starts that the loops make.
    pub fn precision(&self) -> f64 {
        share(self.agreed, self.agreed + self.early + self.late + self.unstarted)
    }
}

/// Returns a share; 1 of nothing.
pub(crate) fn share(some: u64, all: u64) -> f64 {
    if all == 0 { 1.0 } else { some as f64 / all as f64 }
}
