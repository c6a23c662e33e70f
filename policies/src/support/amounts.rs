//! Amounts of K resources: sums, differences, and whether one fits into another.

use std::array::from_fn;

/// Returns the sum.
#[inline]
pub fn plus<const K: usize>(a: [i64; K], b: [i64; K]) -> [i64; K] {
    from_fn(|kind| a[kind] + b[kind])
}

/// Returns the difference.
#[inline]
pub fn minus<const K: usize>(a: [i64; K], b: [i64; K]) -> [i64; K] {
    from_fn(|kind| a[kind] - b[kind])
}

/// Returns the smaller amount of each resource.
#[inline]
pub fn least<const K: usize>(a: [i64; K], b: [i64; K]) -> [i64; K] {
    from_fn(|kind| a[kind].min(b[kind]))
}

/// Returns the larger amount of each resource.
#[inline]
pub fn most<const K: usize>(a: [i64; K], b: [i64; K]) -> [i64; K] {
    from_fn(|kind| a[kind].max(b[kind]))
}

/// Whether a need fits into what is free, in every resource.
#[inline]
pub fn within<const K: usize>(need: &[i64; K], free: &[i64; K]) -> bool {
    (0..K).all(|kind| need[kind] <= free[kind])
}
