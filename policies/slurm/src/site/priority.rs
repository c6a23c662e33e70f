//! How jobs are ranked: `PriorityType` and what belongs to it.

use super::SlurmVersion;
use batchlab_traces::time::Time;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PriorityType {
    /// The order of submission.
    #[default]
    Basic,
    /// A weighted sum of factors.
    Multifactor,
}

/// When all usage is forgotten (`PriorityUsageResetPeriod`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResetPeriod {
    #[default]
    None,
    /// When slurmctld starts.
    Now,
    /// At midnight.
    Daily,
    /// On Sundays.
    Weekly,
    /// On the first of a month.
    Monthly,
    /// On the first of January, April, July and October.
    Quarterly,
    /// On the first of January.
    Yearly,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// `PriorityWeightAge`.
    pub age: f64,
    /// `PriorityWeightAssoc`.
    pub association: f64,
    /// `PriorityWeightFairshare`.
    pub fairshare: f64,
    /// `PriorityWeightJobSize`.
    pub size: f64,
    /// `PriorityWeightPartition`.
    pub partition: f64,
    /// `PriorityWeightQOS`.
    pub qos: f64,
    /// `PriorityWeightTRES`.
    pub tres: Vec<TresWeight>,
}

/// The weight of a trackable resource, such as `CPU=1.0` or `Mem=0.25G`.
#[derive(Clone, Debug, PartialEq)]
pub struct TresWeight {
    /// The resource in lower case: `cpu`, `mem`, `node`, `gres/gpu`.
    pub resource: String,
    /// Weight of a unit; of memory, of a MB.
    pub weight: f64,
}

/// What a job is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Billing {
    Sum,
    /// The largest resource of a node, and the sum of what belongs to no node (`PriorityFlags=MAX_TRES`).
    Largest,
    /// The same, with all `Gres` of nodes in the sum (`MAX_TRES_GRES`).
    LargestBesideGres,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizeRule {
    /// Whether small jobs go first (`PriorityFavorSmall`).
    pub favors_small: bool,
    /// Whether the size is divided by the time limit (`SMALL_RELATIVE_TO_TIME`).
    pub relative_to_time: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FairshareRule {
    FairTree,
    /// By a power of two of the usage (`NO_FAIR_TREE`).
    Classic {
        /// `FairShareDampeningFactor`.
        dampening: f64,
        /// Whether usage counts the same at every depth of the tree (`DEPTH_OBLIVIOUS`).
        depth_oblivious: bool,
    },
}

impl FairshareRule {
    pub fn classic(dampening: f64) -> FairshareRule {
        FairshareRule::Classic { dampening, depth_oblivious: false }
    }

    /// Returns the rule without a flag: Fair Tree since 19.05.
    pub fn of_version(version: SlurmVersion) -> FairshareRule {
        if version.from(19, 5) { FairshareRule::FairTree } else { FairshareRule::classic(1.0) }
    }
}

/// `PriorityType` and its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorityConfig {
    pub kind: PriorityType,
    pub weights: Weights,
    /// The age at which the factor of age is 1 (`PriorityMaxAge`).
    pub max_age: Time,
    /// The half-life of usage (`PriorityDecayHalfLife`); `None` for no decay.
    pub half_life: Option<Time>,
    /// Time between two computations of all priorities (`PriorityCalcPeriod`).
    pub period: Time,
    pub reset: ResetPeriod,
    pub size: SizeRule,
    /// Whether age counts from the submission (`ACCRUE_ALWAYS`).
    pub accrue_always: bool,
    /// Whether priorities never fall (`INCR_ONLY`).
    pub increase_only: bool,
    pub fairshare: FairshareRule,
    /// `NO_NORMAL_ASSOC`, `NO_NORMAL_PART`, `NO_NORMAL_QOS`, `NO_NORMAL_TRES`.
    pub raw: [bool; 4],
    pub billing: Billing,
}

impl PriorityConfig {
    pub fn of_version(version: SlurmVersion) -> PriorityConfig {
        let kind = if version.from(23, 11) { PriorityType::Multifactor } else { PriorityType::Basic };
        PriorityConfig {
            kind,
            weights: Weights::default(),
            max_age: Time::from_secs(7 * 86_400),
            half_life: Some(Time::from_secs(7 * 86_400)),
            period: Time::from_secs(300),
            reset: ResetPeriod::None,
            size: SizeRule::default(),
            accrue_always: false,
            increase_only: false,
            fairshare: FairshareRule::of_version(version),
            raw: [false; 4],
            billing: Billing::Sum,
        }
    }
}

impl Default for PriorityConfig {
    fn default() -> PriorityConfig {
        PriorityConfig::of_version(SlurmVersion::default())
    }
}
