//! The program as the scheduler of another simulator: a policy decides about jobs that come one by one.
//!
//! A [`Seat`] has the state that an engine would have behind the policy's turns, without a clock: instants, arrivals and
//! ends come from the simulator. [`batsim`] speaks Batsim's protocol, [`child`] the protocol of child processes.

#[cfg(unix)]
pub mod batsim;
pub mod child;
mod seat;

pub use seat::{Arrival, Seat, SeatOrder};

/// Why a policy cannot serve any longer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ServeError {
    /// The policy cannot be the scheduler of a simulator.
    #[error("`{policy}` cannot be served: {why}")]
    Unfit { policy: String, why: String },
    #[error("`{policy}` at {at} s: {why}")]
    Failed { policy: String, at: batchlab_traces::Time, why: String },
    /// The simulator's message cannot be understood, or cannot be passed to a policy.
    #[error("the simulator's message cannot be used: {0}")]
    Message(String),
    #[error("{0}")]
    Connection(String),
}
