//! Points of a sweep that repeat the results of others.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::experiment::{DesignPoint, Frame, FrameRow};

/// Returns each design point with the results of an earlier one of its workload, and the earlier one: every value of every
/// policy in every unit is the same to the last bit. O(values).
pub fn copies(frame: &Frame) -> Vec<(DesignPoint, DesignPoint)> {
    let mut known: HashMap<u64, Vec<DesignPoint>> = HashMap::new();
    let mut copies = Vec::new();
    for design_point in frame.design_points() {
        // Replays without a value show nothing.
        if rows(frame, &design_point).all(|row| row.values.iter().all(Option::is_none)) {
            continue;
        }
        let alike = known.entry(hash(frame, &design_point)).or_default();
        match alike.iter().find(|original| is_same(frame, original, &design_point)) {
            Some(original) => copies.push((design_point, original.clone())),
            None => alike.push(design_point),
        }
    }
    copies
}

fn rows<'a>(frame: &'a Frame, design_point: &'a DesignPoint) -> impl Iterator<Item = &'a FrameRow> {
    (0..frame.policies.len()).flat_map(move |policy| frame.rows(design_point, policy))
}

/// Returns a row without its point: policy, unit, and the bits of its values.
fn content(row: &FrameRow) -> (usize, Option<u32>, impl Iterator<Item = Option<u64>>) {
    (row.policy, row.unit, row.values.iter().map(|value| value.map(f64::to_bits)))
}

fn hash(frame: &Frame, design_point: &DesignPoint) -> u64 {
    let mut hasher = DefaultHasher::new();
    design_point.workload.hash(&mut hasher);
    for (policy, unit, values) in rows(frame, design_point).map(content) {
        (policy, unit).hash(&mut hasher);
        values.for_each(|value| value.hash(&mut hasher));
    }
    hasher.finish()
}

fn is_same(frame: &Frame, one: &DesignPoint, other: &DesignPoint) -> bool {
    let are_equal = |a: &FrameRow, b: &FrameRow| {
        let ((policy, unit, values), (its_policy, its_unit, its_values)) = (content(a), content(b));
        (policy, unit) == (its_policy, its_unit) && values.eq(its_values)
    };
    one.workload == other.workload
        && rows(frame, one).count() == rows(frame, other).count()
        && rows(frame, one).zip(rows(frame, other)).all(|(a, b)| are_equal(a, b))
}
