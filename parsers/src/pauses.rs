//! The suspensions of a run, from one record for each suspension and resumption.

use batchlab_traces::notation::instant::Stamp;

/// The suspensions of a run, on the clock of its log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pauses {
    /// When it was first suspended.
    pub(crate) from: Option<Stamp>,
    /// When it was last resumed.
    pub(crate) until: Option<Stamp>,
    /// When it was suspended, if it was not resumed.
    pub(crate) since: Option<Stamp>,
    /// How long it was suspended until it was last resumed, microseconds.
    pub(crate) micros: i64,
}

impl Pauses {
    pub(crate) fn suspend(&mut self, at: Stamp) {
        self.from.get_or_insert(at);
        self.since.get_or_insert(at);
    }

    pub(crate) fn resume(&mut self, at: Stamp) {
        if let Some(since) = self.since.take() {
            self.until = Some(at);
            self.micros += at.micros.saturating_sub(since.micros).max(0);
        }
    }
}
