/// A job of a workload: its position in the order of submission to the queue (ties by the log's submit time, then in
/// the order of the file).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u32);

impl JobId {
    /// Returns the position as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
