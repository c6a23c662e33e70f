//! Means that depend on a small part of the jobs.

use super::evidence::{Evidence, value};
use super::figure::percent;
use super::pitfall::Case;

/// Share of a sum above which a part counts as making the mean.
const MOST: f64 = 0.5;

/// Returns a case for each result in which a part makes more than half of the mean wait or mean bounded slowdown, if these were
/// asked for. `top` is the prefix of the shares' keys (`top_user`); `who` names the part.
pub(super) fn in_means(evidence: &Evidence<'_>, top: &str, who: &str) -> Vec<Case> {
    let asked = ["wait", "bsld"].into_iter().filter(|quantity| evidence.asks(&format!("mean_{quantity}")));
    let of = |quantity: &str| {
        let share = format!("{top}_{quantity}");
        evidence.in_design_points(|design_point, policy| {
            let share = value(evidence.frame, design_point, policy, &share).filter(|&share| share > MOST)?;
            Some(format!("mean_{quantity}: {who} {} of the sum", percent(share)))
        })
    };
    asked.flat_map(of).collect()
}
