//! The values of a job, each under a key: the columns of `squeue`, and what stands before `=` in the other texts.

use batchlab_traces::Refusal;
use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::notation::whole;

use super::gres::{GresAsked, Per};
use super::kinds;
use super::tres::Tres;
use super::values::{self, Value};
use crate::explain::Explanation;
use crate::reporter::{Reporter, quoted};

pub(super) struct Keyed<'a> {
    pub(super) form: &'static KeyedForm,
    pub(super) cells: Vec<(&'a str, &'a [u8])>,
    pub(super) line: u32,
}

pub(super) struct KeyedForm {
    pub(super) keys: &'static [(&'static str, &'static str)],
    /// Texts for a missing value.
    pub(super) unset: &'static [&'static [u8]],
    /// What stands between a key and its value in messages.
    pub(super) between: char,
}

impl<'a> Keyed<'a> {
    /// Returns the first value of a key; empty if it is missing.
    pub(super) fn get(&self, key: &str) -> &'a [u8] {
        let value = self.cells.iter().find(|(known, _)| *known == key).map_or(&b""[..], |(_, value)| *value);
        if self.form.unset.contains(&value) { b"" } else { value }
    }

    pub(super) fn first(&self, keys: [&str; 2]) -> &'a [u8] {
        keys.map(|key| self.get(key)).into_iter().find(|value| !value.is_empty()).unwrap_or_default()
    }

    /// Parses a value; a text that cannot be read is counted and gives `None`.
    pub(super) fn value<T>(
        &self,
        key: &str,
        parse: impl Fn(&[u8]) -> Value<T>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<T>, Refusal> {
        let text = self.get(key);
        match parse(text) {
            Ok(value) => Ok(value),
            Err(values::Odd) => {
                let told = || format!("{key}{}{}", self.form.between, quoted(text));
                reporter.report_at(values::odd(text), self.line, told)?;
                Ok(None)
            }
        }
    }

    /// Whether no other job may share the nodes: `OverSubscribe` is NO, from version 26.05 on `Exclusive` is NODE.
    pub(super) fn is_alone(&self, exclusive: &str, over_subscribe: &str) -> bool {
        match self.get(exclusive) {
            b"" => self.get(over_subscribe) == b"NO",
            exclusive => exclusive == b"NODE",
        }
    }

    /// Returns two whole numbers, if both are there: of an array or a heterogeneous job, and of a part of it.
    pub(super) fn pair(&self, whole_key: &str, part_key: &str) -> Option<(i64, i64)> {
        whole(self.get(whole_key)).zip(whole(self.get(part_key)))
    }

    pub(super) fn tres(&self, key: &str, reporter: &mut Reporter<'_>) -> Result<Tres<'a>, Refusal> {
        let mut odd = None;
        let tres = Tres::of(self.get(key), |part| odd = Some(part));
        if let Some(part) = odd {
            reporter.report_at(&kinds::ODD_VALUE, self.line, || format!("{key} {}", quoted(part)))?;
        }
        Ok(tres)
    }

    /// Returns the resources outside of the lists of trackable resources, by the keys of their lists and of the numbers of tasks and
    /// sockets.
    pub(super) fn gres(&self, lists: [(Per, &str); 5], tasks: &str, sockets: &str) -> GresAsked<'a> {
        let count = |key| whole(self.get(key)).filter(|&count| count > 0);
        let gres = GresAsked::of(lists.map(|(per, key)| (per, self.get(key))));
        GresAsked { tasks: count(tasks), sockets: count(sockets), ..gres }
    }

    /// Returns the instants of submission, eligibility, start and end, by the keys that the controller gives them.
    pub(super) fn instants(&self, reporter: &mut Reporter<'_>) -> Result<[Option<Stamp>; 4], Refusal> {
        let mut instants = [None; 4];
        let keys = ["SubmitTime", "EligibleTime", "StartTime", "EndTime"];
        for (instant, key) in instants.iter_mut().zip(keys) {
            *instant = self.value(key, values::counted, reporter)?;
        }
        Ok(values::known_instants(instants))
    }

    /// Records the destination of each value.
    pub(super) fn explain(&self, explanation: &mut Explanation) {
        let Some(explained) = explanation.line(self.line) else { return };
        for &(key, value) in &self.cells {
            let to = self.form.keys.iter().find(|(known, _)| *known == key).map_or("not used", |(_, to)| *to);
            explained.cell(key, value, to);
        }
    }
}
