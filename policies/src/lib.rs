//! What a batch scheduling policy may see and do, and the built-in policies.

pub mod aida;
pub mod backfill;
pub mod cluster;
pub mod costs;
pub mod cycle;
pub mod event;
pub mod external;
pub mod facts;
pub mod journal;
pub mod leinberger;
pub mod limits;
pub mod placement;
pub mod policy;
pub mod queue;
pub mod refused;
pub mod registry;
pub mod setia;
pub mod sheikhalishahi;
pub mod spec;
pub mod stage;
pub mod support;
pub mod turn;
pub mod view;
pub mod zhang;

pub use costs::{Costs, SwitchCharge};
pub use cycle::{Checkpoint, Cycle, Resume};
pub use event::Event;
pub use facts::{Fact, Facts};
pub use journal::{Act, Journal, Why};
pub use placement::{Placement, Rate, Share};
pub use policy::{Late, Needs, Policy, PolicyError};
pub use refused::{Reason, Refused};
pub use registry::Registry;
pub use spec::{PolicySpec, Setting};
pub use turn::Turn;
pub use view::{JobView, Oracle};
