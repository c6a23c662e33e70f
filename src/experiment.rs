//! Experiments: workloads × parameters × policies × replications, from one file.
//!
//! A [`Section`] reads the file key by key. A [`Frame`] holds the results.

pub mod detail;
pub mod frame;
pub mod names;
pub mod section;

pub use frame::{Frame, Measure, Parameter, PolicyFacts, Row, Site, UnitKind, WorkloadFacts};
pub use names::Names;
pub use section::{ExperimentError, Section, Sheet};
