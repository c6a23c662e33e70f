//! Reasons why an interval or a test is missing.

use crate::experiment::UnitKind;
use batchlab_engine::stats::NoInterval;

#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Reason {
    #[error("there is one replay only")]
    OneReplay,
    #[error("input shaking does not give replications")]
    Shaken,
    #[error("no unit has a value")]
    Undefined,
    /// Blocks along a sweep: if submit times change, so do the borders of blocks.
    #[error("blocks of one replay are not the same jobs at every point of the sweep")]
    Blocks,
    /// A curve with negative values, which has no logarithm.
    #[error("a value is below 0, so that the curve has no logarithm")]
    Negative,
    #[error("a statistic over the jobs of all units has no interval of its own")]
    Pooled,
    /// A geometric mean of values of which one is not above 0.
    #[error("a unit has a value that is not above 0, which has no logarithm")]
    NoLogarithm,
    #[error(transparent)]
    Statistics(#[from] NoInterval),
}

impl Reason {
    /// Returns why units of a kind allow neither interval nor test; `None` if they do.
    pub fn of_units(kind: UnitKind) -> Option<Reason> {
        match kind {
            UnitKind::One => Some(Reason::OneReplay),
            UnitKind::Shaken => Some(Reason::Shaken),
            UnitKind::Replications | UnitKind::Windows | UnitKind::Blocks | UnitKind::Draws => None,
        }
    }

    /// Returns why units of a kind allow no interval of a crossing; `None` if they do.
    pub fn of_crossing(kind: UnitKind) -> Option<Reason> {
        Reason::of_units(kind).or((kind == UnitKind::Blocks).then_some(Reason::Blocks))
    }
}
