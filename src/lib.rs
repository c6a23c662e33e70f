//! batchlab, the laboratory for batch schedulers.

pub mod engine;
pub mod outcome;

pub use batchlab_parsers as parsers;
pub use batchlab_policies as policies;
pub use batchlab_traces as traces;
pub use outcome::Outcome;
