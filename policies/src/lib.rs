//! What a batch scheduling policy may see and do, and the built-in policies.
//!
//! The rooms, in the order of the flow:
//!
//! * [`spec`]: policy specs as text, and the registry entries of policies.
//! * [`mod@registry`]: the policies that specs can name, built in or of a user's crate.
//! * [`mod@facts`]: the facts that a policy may require of every job.
//! * [`needs`]: what a policy needs of the log and the machine, and what it is able to do.
//! * [`policy`]: the contract between a policy and the engine.
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
//! * [`support`]: the parts of which policies are made: orders, queues, profiles, host rules, books.
//! * [`queue`], [`backfill`]: policies without and with reservations.
//! * [`aida`], [`leinberger`], [`setia`], [`sheikhalishahi`], [`zhang`]: policies of papers, by first author.
//! * [`capacity`]: capacity that comes and goes, around any policy.
//! * [`limits`]: limits on users, groups and partitions, around any policy.
//! * [`priorities`]: jobs that take processors from jobs of lower tiers, around any policy that serves a queue in tiers.
//! * [`external`]: policies from outside the program: modules, libraries, child processes.
//! * [`serve`]: the program as the scheduler of a simulator of others.

pub mod aida;
pub mod backfill;
pub mod capacity;
pub mod cluster;
pub mod costs;
pub mod cycle;
pub mod event;
pub mod external;
pub mod facts;
pub mod journal;
pub mod leinberger;
pub mod limits;
pub mod needs;
pub mod placement;
pub mod policy;
pub mod priorities;
pub mod queue;
pub mod refused;
pub mod registry;
pub mod serve;
pub mod setia;
pub mod sheikhalishahi;
pub mod spec;
pub mod stage;
pub mod support;
pub mod tally;
pub mod turn;
pub mod view;
pub mod wrapper;
pub mod zhang;

pub use costs::{Costs, SwitchCharge};
pub use cycle::{Checkpoint, Cycle, CycleChanges, Resume};
pub use event::Event;
pub use facts::{Fact, Facts};
pub use journal::{Act, Journal, Why};
pub use needs::Needs;
pub use placement::{Placement, Rate, Share};
pub use policy::{Late, Overtaking, Policy, PolicyError};
pub use refused::{Reason, Refused};
pub use registry::Registry;
pub use spec::{PolicySpec, Setting};
pub use turn::Turn;
pub use view::{JobView, Oracle};
