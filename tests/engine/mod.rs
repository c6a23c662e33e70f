//! Tests of the engine's verbs and refusals, each with a policy of a few lines.

mod clairvoyance;
mod classes;
mod cycle_changes;
mod dependent;
mod displacement;
mod nodes;
mod rates;
mod refusals;
mod rejection;
pub mod script;
mod standstill;
mod stepped;
mod stopped;
mod turns;
