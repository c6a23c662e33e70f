//! Policies on a handful of jobs, with every start computed by hand.

mod aida;
mod capacity;
mod conservative;
mod depth;
mod easy;
mod events;
mod gang;
mod leinberger;
mod limits;
mod lookahead;
mod nodes;
mod orders;
mod overruns;
mod prediction;
mod priorities;
mod queue;
mod relaxed;
mod resources;
mod selective;
mod setia;
mod sharing;
mod sheikhalishahi;
mod slack;
mod suspension;
mod toy;
mod usage_limits;
