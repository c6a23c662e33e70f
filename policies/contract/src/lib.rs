//! What a batch scheduling policy may see and do, and the machine on which it acts.
//!
//! The rooms, in the order of the flow:
//!
//! * [`spec`]: policy specs as text, and the registry entries of policies.
//! * [`mod@facts`]: the facts that a policy may require of every job.
//! * [`needs`]: what a policy needs of the log and the machine, and what it is able to do.
//! * [`policy`]: the contract between a policy and the engine.
//! * [`plugin`]: the same contract for policies from outside the program.
//! * [`wrapper`]: policies around policies, which pass on what they do not decide.
//! * [`event`]: the events since a policy's last decision.
//! * [`view`]: what a policy may know of a job.
//! * [`turn`]: what a policy may know and do at a decision; [`refused`]: the reasons for a refusal.
//! * [`placement`], [`cycle`]: where jobs run and how fast; rows that take turns.
//! * [`stage`]: the state behind a turn, for tests and the engine.
//! * [`cluster`]: the state of the machine and its legal moves.
//! * [`tally`]: what policies count for the outcome.
//! * [`costs`]: what switching, migrating and swapping cost.
//! * [`journal`]: the decisions of a replay, with their times and rules.
//! * [`limits`]: limits on users, groups and partitions, around any policy.
//! * [`priorities`]: jobs that take processors from jobs of lower tiers, around any policy that serves a queue in tiers.

#![forbid(unsafe_code)]

pub mod cluster;
pub mod costs;
pub mod cycle;
pub mod event;
pub mod facts;
pub mod journal;
pub mod limits;
pub mod needs;
pub mod placement;
pub mod plugin;
pub mod policy;
pub mod priorities;
pub mod refused;
pub mod spec;
pub mod stage;
pub mod tally;
pub mod turn;
pub mod view;
pub mod wrapper;

pub use costs::{Costs, MigrationCharge, SwitchCharge};
pub use cycle::{Checkpoint, Cycle, CycleChanges, Resume};
pub use event::Event;
pub use facts::{Fact, Facts};
pub use journal::{Act, Journal, Why};
pub use needs::Needs;
pub use placement::{Placement, Rate, Share};
pub use policy::{Late, Overtaking, Policy, PolicyError};
pub use refused::{Reason, Refused};
pub use spec::{PolicySpec, Setting};
pub use turn::Turn;
pub use view::{JobView, Oracle};
