//! Amounts of K resources: sums, differences, and whether one fits into another.

#[inline]
pub fn plus<const K: usize>(mut a: [i64; K], b: [i64; K]) -> [i64; K] {
    for kind in 0..K {
        a[kind] += b[kind];
    }
    a
}

#[inline]
pub fn minus<const K: usize>(mut a: [i64; K], b: [i64; K]) -> [i64; K] {
    for kind in 0..K {
        a[kind] -= b[kind];
    }
    a
}

#[inline]
pub fn least<const K: usize>(mut a: [i64; K], b: [i64; K]) -> [i64; K] {
    for kind in 0..K {
        a[kind] = b[kind].min(a[kind]);
    }
    a
}

#[inline]
pub fn most<const K: usize>(mut a: [i64; K], b: [i64; K]) -> [i64; K] {
    for kind in 0..K {
        a[kind] = b[kind].max(a[kind]);
    }
    a
}

#[inline]
pub fn within<const K: usize>(need: &[i64; K], free: &[i64; K]) -> bool {
    (0..K).all(|kind| need[kind] <= free[kind])
}
