//! The needs and abilities of a policy.

use crate::costs::StatedCosts;
use crate::facts::{Fact, Facts};

/// What a policy needs that not every trace and machine has, and the abilities that cost the engine its fast
/// path. Checked before the replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a need of its own")]
pub struct Needs {
    /// The actual run times, through [`Turn::oracle`](crate::Turn::oracle).
    pub clairvoyance: bool,
    /// To pause, resume, displace or migrate jobs, or to run them below full speed.
    pub time_sharing: bool,
    /// A machine that is one pool: the policy does not choose nodes.
    pub pool: bool,
    /// A node for each task of a job.
    pub spread: bool,
    /// The files of a Slurm installation, resolved for the jobs ([`Setting::installation`](crate::spec::Setting::installation)).
    pub installation: bool,
    /// To place jobs on processors, each by its number: the machine that it sees has a node for each processor.
    pub processors: bool,
    /// Interactive jobs and batch jobs, distinguished by [`JobView::is_interactive`](crate::JobView::is_interactive).
    pub classes: bool,
    /// Facts that every job must have, besides times and processors.
    pub facts: Facts,
    /// Not a need but an ability: it plans around changes of the capacity that are known in advance
    /// ([`Turn::foreseen`](crate::Turn::foreseen)).
    pub foresees: bool,
    /// An ability, too: it serves the waiting jobs of a higher tier first ([`JobView::tier`](crate::JobView::tier)).
    pub tiers: bool,
    /// An ability, too: its running jobs may be suspended in place, and resumed, for jobs that may preempt them
    /// ([`Policy::take_over`](crate::Policy::take_over)).
    pub suspends: bool,
    /// The costs that its parameters state, in place of the scenario's.
    pub costs: StatedCosts,
}

impl Needs {
    /// No particular needs.
    pub const NONE: Needs = Needs {
        clairvoyance: false,
        time_sharing: false,
        pool: false,
        spread: false,
        installation: false,
        processors: false,
        classes: false,
        facts: Facts::NONE,
        foresees: false,
        tiers: false,
        suspends: false,
        costs: StatedCosts::NONE,
    };
    /// No particular needs, of a policy that serves a queue in tiers, and whose running jobs may be suspended.
    pub const TIERS: Needs = Needs { tiers: true, suspends: true, ..Needs::NONE };
    /// No particular needs, of a policy that serves a queue in tiers, and plans around changes of the capacity.
    pub const FORESIGHT: Needs = Needs { foresees: true, ..Needs::TIERS };
    /// Needs of a plain space-sharing policy on a pool.
    pub const POOL: Needs = Needs { pool: true, ..Needs::NONE };
    /// Needs of a policy that pauses, resumes, displaces or shares.
    pub const TIME_SHARING: Needs = Needs { time_sharing: true, ..Needs::NONE };
    /// Needs of a policy that runs rows of jobs in turns, each job on its own processors.
    pub const GANG: Needs = Needs { processors: true, ..Needs::TIME_SHARING };

    /// Returns the needs of a policy that requires a fact of every job.
    pub const fn fact(fact: Fact) -> Needs {
        Needs { facts: Facts::of(fact), ..Needs::NONE }
    }

    /// Returns the union of two needs.
    #[must_use]
    pub const fn and(self, other: Needs) -> Needs {
        Needs {
            clairvoyance: self.clairvoyance | other.clairvoyance,
            time_sharing: self.time_sharing | other.time_sharing,
            pool: self.pool | other.pool,
            spread: self.spread | other.spread,
            installation: self.installation | other.installation,
            processors: self.processors | other.processors,
            classes: self.classes | other.classes,
            facts: self.facts.and(other.facts),
            foresees: self.foresees | other.foresees,
            tiers: self.tiers | other.tiers,
            suspends: self.suspends | other.suspends,
            costs: self.costs.and(other.costs),
        }
    }
}
