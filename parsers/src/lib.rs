//! Bytes to records.
