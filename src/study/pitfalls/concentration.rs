//! Who makes the means that were asked for.

use super::evidence::Evidence;
use super::figure::percent;
use super::pitfall::Case;

/// The share of a sum above which a part makes the mean.
const MOST: f64 = 0.5;

/// Returns a case for each result of which a part makes more than half, of the mean wait and the mean bounded slowdown
/// where they were asked for: `top` begins the keys of the shares (`top_user`), `who` says whose they are.
pub(super) fn in_means(evidence: &Evidence<'_>, top: &str, who: &str) -> Vec<Case> {
    let asked = ["wait", "bsld"].into_iter().filter(|quantity| evidence.asks(&format!("mean_{quantity}")));
    let of = |quantity: &str| {
        let share = format!("{top}_{quantity}");
        evidence.in_design_points(|design_point, policy| {
            let share = evidence.value(design_point, policy, &share).filter(|&share| share > MOST)?;
            Some(format!("mean_{quantity}: {who} {} of the sum", percent(share)))
        })
    };
    asked.flat_map(of).collect()
}
