//! Parameters that many policies share, and how a policy joins them with its own.

use super::estimates::CORRECTOR;
use super::hosts::PLACE;
use super::order::{HALF_LIFE, LOG0, ORIGIN, SRTF};
use super::predictor::PREDICTOR;
use super::queue::THRESHOLD;
use crate::spec::ParamSpec;

/// Joins lists of parameters into one constant list, in their order.
#[macro_export]
macro_rules! params {
    ($($list:expr),+ $(,)?) => {{
        const LISTS: &[&[$crate::spec::ParamSpec]] = &[$($list),+];
        &$crate::params::joined::<{ $crate::params::length(LISTS) }>(LISTS)
    }};
}
pub use params;

/// What every queue order takes besides its name.
pub const ORDERED: &[ParamSpec] = &[ORIGIN, LOG0, HALF_LIFE, SRTF];
/// What every policy takes that keeps its queue and its estimates in [`Books`](super::books::Books).
pub const BOOKED: &[ParamSpec] = params![&[THRESHOLD, PREDICTOR, CORRECTOR, PLACE], ORDERED];

/// Returns the number of parameters in lists.
pub const fn length(lists: &[&[ParamSpec]]) -> usize {
    let (mut list, mut length) = (0, 0);
    while list < lists.len() {
        length += lists[list].len();
        list += 1;
    }
    length
}

/// Returns lists of `N` parameters in all as one.
pub const fn joined<const N: usize>(lists: &[&[ParamSpec]]) -> [ParamSpec; N] {
    let mut joined = [ParamSpec::PLAIN; N];
    let (mut list, mut at) = (0, 0);
    while list < lists.len() {
        let mut within = 0;
        while within < lists[list].len() {
            joined[at] = lists[list][within];
            at += 1;
            within += 1;
        }
        list += 1;
    }
    joined
}
