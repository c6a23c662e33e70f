//! Amounts of K resources: sums, differences, and whether one fits into another.

/// Returns the sum.
#[inline]
pub fn plus<const K: usize>(mut a: [i64; K], b: [i64; K]) -> [i64; K] {
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
    a
}

/// Returns the difference.
#[inline]
pub fn minus<const K: usize>(mut a: [i64; K], b: [i64; K]) -> [i64; K] {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= b;
    }
    a
}

/// Whether a need fits into what is free, in every resource.
#[inline]
pub fn within<const K: usize>(need: &[i64; K], free: &[i64; K]) -> bool {
    need.iter().zip(free).all(|(need, free)| need <= free)
}
