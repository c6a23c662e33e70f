use batchlab_traces::sorted::SortedSet;

use super::common::Common;

/// The amounts that are out of service, by node and resource as in the free amounts.
#[derive(Debug)]
pub(super) struct Closures {
    out: Vec<i64>,
    /// The part of these amounts whose jobs run on until they end.
    draining: Vec<i64>,
    /// The amounts that are out of service and that jobs still hold: they are taken when jobs give resources back. Also the
    /// amounts that jobs hold of resources of suspended jobs.
    owed: Vec<i64>,
    /// The part of these that jobs hold until they end.
    drained: Vec<i64>,
    /// The places with owed amounts.
    owing: SortedSet<usize>,
}

impl Closures {
    /// Returns none, on a machine with this number of amounts.
    pub(super) fn none(cells: usize) -> Closures {
        let zeros = || vec![0; cells];
        Closures { out: zeros(), draining: zeros(), owed: zeros(), drained: zeros(), owing: SortedSet::new() }
    }

    /// Takes amounts of a node out of service: free resources at once, the others when jobs give them back. `drains` says
    /// whether jobs run on.
    pub(super) fn take_out(&mut self, common: &mut Common, node: usize, amounts: &[i64], drains: bool) {
        for (kind, &amount) in amounts.iter().enumerate() {
            let at = node * common.machine().width() + kind;
            self.out[at] += amount;
            if drains {
                self.drained[at] += amount;
                self.draining[at] += amount;
            }
            self.owe_lent(at, amount);
        }
        self.settle(common);
    }

    /// Puts amounts of a node back into service; `drains` as in [`Closures::take_out`].
    pub(super) fn bring_back(&mut self, common: &mut Common, node: usize, amounts: &[i64], drains: bool) {
        for (kind, &amount) in amounts.iter().enumerate() {
            let at = node * common.machine().width() + kind;
            let owed = amount.min(self.owed[at]);
            self.out[at] -= amount;
            if drains {
                self.draining[at] -= amount;
            }
            self.owe_less(at, owed);
            common.free_more(at, amount - owed);
        }
    }

    /// Takes owed amounts from the free amounts.
    pub(super) fn settle(&mut self, common: &mut Common) {
        let owing: Vec<usize> = self.owing.iter().copied().collect();
        for at in owing {
            let paid = common.room().at(at).clamp(0, self.owed[at]);
            common.free_more(at, -paid);
            self.owe_less(at, paid);
        }
    }

    fn owe_less(&mut self, at: usize, amount: i64) {
        self.owed[at] -= amount;
        self.drained[at] = self.drained[at].min(self.owed[at]).min(self.out[at]);
        if self.owed[at] == 0 {
            self.owing.remove(&at);
        }
    }

    /// An amount that is out of service was in use for a while; a job still holds it, or it is free again.
    pub(super) fn owe(&mut self, at: usize, amount: i64) {
        self.drained[at] += amount;
        self.owe_lent(at, amount);
    }

    /// An amount that a suspended job gave back is held by a job or free again.
    pub(super) fn owe_lent(&mut self, at: usize, amount: i64) {
        self.owed[at] += amount;
        if self.owed[at] > 0 {
            self.owing.insert(at);
        }
    }

    /// Returns the amount at a place that is out of service and still held by jobs.
    pub(super) fn owed(&self, at: usize) -> i64 {
        self.owed[at]
    }

    /// Returns the amount at a place that is out of service for new jobs only.
    pub(super) fn draining(&self, at: usize) -> i64 {
        self.draining[at]
    }

    /// Returns the amount at a place that is out of service.
    pub(super) fn out(&self, at: usize) -> i64 {
        self.out[at]
    }

    /// Whether jobs that may not run on hold an amount at a place that is out of service.
    pub(super) fn is_urgent(&self, at: usize) -> bool {
        self.owed[at].min(self.out[at]) > self.drained[at]
    }
}
