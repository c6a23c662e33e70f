use batchlab_traces::Findings;
use batchlab_traces::sorted::SortedMap;

use super::file::SystemError;
use super::grammar::{Pair, Statement};
use super::known::{Scope, Standing};
use super::partitions::read;

/// The settings by their names in lower case; the last one of a name.
pub(super) struct ConfSettings<'a>(pub(super) SortedMap<&'a str, &'a Pair>);

impl<'a> ConfSettings<'a> {
    pub(super) fn get(&self, key: &str) -> Option<&'a Pair> {
        self.0.get(key).copied()
    }

    pub(super) fn holds(&self, pair: &Pair) -> bool {
        self.get(&pair.key).is_some_and(|last| std::ptr::eq(last, pair))
    }

    pub(super) fn text(&self, key: &str) -> &'a str {
        self.get(key).map_or("", |pair| pair.value.trim())
    }

    pub(super) fn read<T>(
        &self,
        key: &str,
        reads: impl Fn(&str) -> Option<T>,
        findings: &mut Findings,
    ) -> Result<Option<T>, SystemError> {
        read(self.get(key).filter(|pair| !pair.value.trim().is_empty()), reads, findings)
    }
}

pub(super) fn is_followed(statement: &Statement) -> bool {
    const HEADS: [&str; 3] = ["nodeset", "reservationname", "switchname"];
    let Some(head) = statement.pairs.first() else { return false };
    match Scope::behind(&head.key) {
        Scope::Node | Scope::Partition => true,
        Scope::Other => HEADS.contains(&&*head.key),
        scope @ Scope::Setting => statement.pairs.iter().any(|pair| {
            matches!(scope.fate(&pair.key, &pair.value), Standing::Followed | Standing::Unfollowed(..))
        }),
    }
}
