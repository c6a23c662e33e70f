//! Cleaning: rules as data, expectations about the result, presets.

pub mod flurries;
