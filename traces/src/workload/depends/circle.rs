//! Jobs that wait for each other.

use std::collections::HashMap;

use super::Claim;
use super::throttles::Array;

/// Marks the jobs that are on a circle, or between two circles: those that remain when jobs without predecessors, and
/// jobs without successors, are removed one after the other. A task of an array with a throttle waits for the tasks before it. O(n + d).
pub(super) fn circular(claims: &[Claim], arrays: &[Array], jobs: usize) -> Vec<bool> {
    let links = || {
        let stated = claims.iter().flat_map(|claim| claim.links.iter().map(move |link| (link.on, claim.job)));
        stated.chain(arrays.iter().flat_map(|array| array.tasks.windows(2).map(|pair| (pair[0], pair[1]))))
    };
    let mut remains = vec![true; jobs];
    for backwards in [false, true] {
        let ends = |(from, to): (usize, usize)| if backwards { (to, from) } else { (from, to) };
        let mut next: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut open = vec![0_u32; jobs];
        for (from, to) in links().map(ends).filter(|&(from, to)| remains[from] && remains[to]) {
            next.entry(from).or_default().push(to);
            open[to] += 1;
        }
        let mut free: Vec<usize> = (0..jobs).filter(|&job| remains[job] && open[job] == 0).collect();
        while let Some(job) = free.pop() {
            remains[job] = false;
            for &to in next.get(&job).into_iter().flatten() {
                open[to] -= 1;
                if open[to] == 0 {
                    free.push(to);
                }
            }
        }
    }
    remains
}
