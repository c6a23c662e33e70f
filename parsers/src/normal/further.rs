//! Further columns: properties of jobs for which SWF has no field.

use super::names::Names;

/// The properties of a further column besides its declaration.
pub(super) struct Further {
    /// The amount for jobs whose entry gives none.
    pub(super) absent: i64,
    /// Whether the column is left out if all jobs have the same amount.
    pub(super) only_if_varied: bool,
    pub(super) names: Option<Names>,
}

impl Default for Further {
    fn default() -> Further {
        Further { absent: -1, only_if_varied: false, names: None }
    }
}

impl Further {
    /// Whether the column may be left out if it has a single value.
    pub(super) fn tells_nothing(&self) -> bool {
        self.only_if_varied
    }

    /// Returns one line for each name: "qos 2: high".
    pub(super) fn notes(&self, column: &str) -> Vec<String> {
        let listed = self.names.iter().flat_map(Names::listed);
        listed.map(|named| format!("{column} {}: {}", named.number, named.name)).collect()
    }
}

/// Fills in missing amounts and removes the columns that are not in `kept`, which is ascending.
pub(super) fn settle(further: &[Further], kept: &[usize], extra: &mut Vec<i64>) {
    for (amount, further) in extra.iter_mut().zip(further) {
        if *amount == -1 {
            *amount = further.absent;
        }
    }
    if kept.len() < extra.len() {
        for (to, &from) in kept.iter().enumerate() {
            extra[to] = extra[from];
        }
        extra.truncate(kept.len());
    }
}
