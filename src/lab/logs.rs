//! Logs: how they are opened and read, also while they grow; their names redacted, and rules and steps applied.

pub(crate) mod growing;
pub(crate) mod reading;
pub(crate) mod redact;
pub(crate) mod rules;
pub(crate) mod shaping;
