//! The engine's verbs and refusals, each driven by a policy of a few lines.

mod clairvoyance;
mod displacement;
mod nodes;
mod rates;
mod refusals;
mod script;
mod standstill;
mod turns;
