//! The works that policies, models, metrics and statistics come from.

mod metrics;
mod policies;
mod statistics;
mod workloads;

use super::work::Work;

/// All works, in the order of their families.
pub fn all() -> impl Iterator<Item = &'static Work> {
    [policies::WORKS, workloads::WORKS, metrics::WORKS, statistics::WORKS].into_iter().flatten()
}

/// Returns the work of a key.
pub fn find(key: &str) -> Option<&'static Work> {
    all().find(|work| work.key == key)
}

/// Returns the works on statistics that the captions of tables name.
pub fn of_tables(text: &str) -> Vec<&'static Work> {
    let clauses: Vec<&str> = text.split([';', '\n']).collect();
    let is_named = |work: &&Work| clauses.iter().any(|clause| work.is_named_in(clause));
    statistics::WORKS.iter().filter(is_named).collect()
}

/// Returns the works that a citation in words names, clause by clause, and the clauses that name no known
/// work.
pub fn named(cite: &str) -> (Vec<&'static Work>, Vec<String>) {
    let (mut works, mut others): (Vec<&'static Work>, _) = (Vec::new(), Vec::new());
    for clause in cite.split(';').map(str::trim).filter(|clause| !clause.is_empty()) {
        let clause = clause.split_whitespace().collect::<Vec<_>>().join(" ");
        let found: Vec<&Work> = all().filter(|work| work.is_named_in(&clause)).collect();
        if found.is_empty() {
            others.push(clause);
        }
        for work in found {
            if !works.iter().any(|known| known.key == work.key) {
                works.push(work);
            }
        }
    }
    (works, others)
}
