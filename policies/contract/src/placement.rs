//! The place of a resident job, and its speed.

use batchlab_traces::machine::DeviceSet;

/// Processors of a job on one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The node, from 0.
    pub node: u32,
    /// Devices there, on a machine with devices; none if the cluster is to choose them.
    pub devices: DeviceSet,
    /// Processors there; other resources follow in proportion, rounded up.
    pub procs: i64,
}

impl Share {
    /// Returns processors on a node, without devices.
    #[inline]
    pub fn new(node: u32, procs: i64) -> Share {
        Share { node, devices: 0, procs }
    }
}

/// The nodes of a resident job. On a pool it is always the whole job on node 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement(pub Vec<Share>);

impl Placement {
    /// Returns the placement of a whole job on one node.
    pub fn on(node: u32, procs: i64) -> Placement {
        Placement(vec![Share::new(node, procs)])
    }
}

/// How fast a resident job runs, as an exact fraction of full speed.
///
/// Counted in parts of [`Rate::WHOLE`], which all numbers up to 16 divide, so that equal shares of up to 16 jobs are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u32);

impl Rate {
    /// Parts of full speed.
    pub const WHOLE: u32 = 720_720;
    /// Full speed.
    pub const FULL: Rate = Rate(Rate::WHOLE);
    /// Paused: holds space resources, uses no time resources.
    pub const PAUSED: Rate = Rate(0);

    /// Returns one of `jobs` equal shares of full speed; exact for up to 16, otherwise rounded down. 0 jobs count as one.
    pub fn share_of(jobs: u32) -> Rate {
        Rate(Rate::WHOLE / jobs.max(1))
    }

    /// Returns the rate of a number of parts, at most full speed.
    pub fn from_parts(parts: u32) -> Rate {
        Rate(parts.min(Rate::WHOLE))
    }

    /// Returns the parts of [`Rate::WHOLE`].
    pub fn parts(self) -> u32 {
        self.0
    }

    /// Returns the rate as a fraction.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Rate::WHOLE)
    }
}
