//! All integration tests of the laboratory, in one binary.

mod metrics;
