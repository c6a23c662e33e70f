//! All steps.

use super::spec::StepSpec;
use super::{
    anonymize, arrivals, estimate, filter, merge, resource, sample, scale, shake, shift, split, window,
};

/// All steps, in the order in which they are listed: one line each.
pub static STEPS: &[StepSpec] = &[
    filter::SPEC,
    window::SPEC,
    split::SPEC,
    merge::SPEC,
    scale::SPEC,
    shift::SPEC,
    shake::SPEC,
    sample::SPEC,
    estimate::SPEC,
    arrivals::SPEC,
    resource::SPEC,
    anonymize::SPEC,
];
