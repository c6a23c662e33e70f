//! The nodes: what is free on them, what the running jobs hold there, and when and where a waiting job fits.
//!
//! [`Spaces`] is the whole of it: it changes the nodes, and shows them as a job sees them ([`Space`]). A file each:
//!
//! | module | what it is |
//! |---|---|
//! | `tiers`, `gang` | the nodes as jobs of each tier see them; which of them run where tiers share processors |
//! | `space` | the nodes as the jobs of one tier see them |
//! | `outlook`, `bins` | when a job could start as running jobs end |
//! | `chooser`, `choose`, `topology` | which nodes a job gets |
//! | `horizon`, `view` | how many tasks the nodes have room for, now and as running jobs end |
//! | `fields`, `room` | the jobs that need the same of the same nodes, and how many of their tasks a node has room for |
//! | `running`, `amounts` | the running jobs, and what is free on each node |

mod amounts;
mod bins;
mod choose;
mod chooser;
mod fields;
mod gang;
mod horizon;
mod outlook;
mod room;
mod running;
mod space;
mod tiers;
mod topology;
mod view;

pub(super) use bins::Bins;
pub(super) use gang::GangTurn;
pub(super) use outlook::{Forecast, Within};
pub(super) use room::TaskShape;
pub(super) use running::held_by;
pub(super) use space::Space;
pub(super) use tiers::Spaces;
