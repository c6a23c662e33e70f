//! Who makes the means that were asked for.

use super::evidence::Evidence;
use super::figure::percent;
use super::pitfall::Case;

/// The share of a sum above which a part makes the mean.
const MOST: f64 = 0.5;

/// Means, and the quantity of which they are means; a slowdown is made by the jobs that make its bounded form.
const MEANS: [(&[&str], &str); 2] =
    [(&["mean_wait"], "wait"), (&["mean_bsld", "mean_slowdown", "rms_bsld"], "bsld")];

/// Returns a case for each result of which a part makes more than half: `top` begins the keys of the shares
/// (`top_user`), `who` says whose they are.
pub(super) fn in_means(evidence: &Evidence<'_>, top: &str, who: &str) -> Vec<Case> {
    let asked = MEANS.iter().flat_map(|(keys, quantity)| {
        let key = keys.iter().find(|key| evidence.asked(&[key]));
        key.map(|key| (key, format!("{top}_{quantity}")))
    });
    let asked: Vec<(&&str, String)> = asked.collect();
    asked
        .iter()
        .flat_map(|(key, share)| {
            evidence.in_sites(|site, policy| {
                let share = evidence.value(site, policy, share).filter(|&share| share > MOST)?;
                Some(format!("{key}: {who} {} of the sum", percent(share)))
            })
        })
        .collect()
}
