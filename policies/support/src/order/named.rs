//! A built-in order during a replay: it scores job by job, from its last look at the machine.

use batchlab_traces::expr::Link;
use batchlab_traces::workload::MEMORY;
use batchlab_traces::{Machine, Time};

use super::growth::{Growth, Operands};
use super::params::{LOG0, ORIGIN, SRTF};
use super::sight::Sight;
use super::subject::{Log0, Subject};
use super::{Formula, ORDERS, OrderSpec, Watch};
use crate::ledger::Ledger;
use crate::spec::{ParamError, Params};
use crate::view::JobView;

#[derive(Clone, Debug)]
pub struct Named {
    pub spec: &'static OrderSpec,
    from_first: bool,
    first: Option<Time>,
    pub log0: Log0,
    /// The weight of the remaining work relative to the alignment.
    srtf: f64,
    sight: Sight,
}

impl Named {
    /// Returns the order that a parameter names, with the options of orders, for the jobs of a machine.
    pub fn from_params(params: &Params, key: &str, machine: &Machine) -> Result<Option<Named>, ParamError> {
        let Some(spec) = params.entry(key, ORDERS, |order| order.name) else { return Ok(None) };
        Ok(Some(Named {
            from_first: params.is(&ORIGIN, "first")?,
            log0: params.word(&LOG0)?,
            srtf: params.number(SRTF.name).unwrap_or(0.0),
            sight: Sight::new(machine, machine.resource(MEMORY)),
            ..Named::new(spec)
        }))
    }

    /// Returns an order with default options, without a view of the machine.
    pub fn new(spec: &'static OrderSpec) -> Named {
        Named { spec, from_first: false, first: None, log0: Log0::One, srtf: 0.0, sight: Sight::default() }
    }

    pub fn look<const K: usize>(&mut self, now: Time, free: &[i64; K], ledger: &Ledger<K>) {
        match self.spec.watches {
            Watch::Nothing => {}
            Watch::Holdings => self.sight.users = ledger.dominant_shares(),
            Watch::Usage => self.sight.users = ledger.usage(now),
            Watch::Free => self.sight.see_free(free),
        }
    }

    pub fn weighs_work(&self) -> bool {
        self.srtf > 0.0 && self.spec.watches == Watch::Free
    }

    pub fn weigh<'a>(&mut self, waiting: impl Iterator<Item = (JobView<'a>, Time)>) {
        let (mut alignment, mut work) = (0.0, 0.0);
        for (job, expected) in waiting {
            alignment += self.sight.alignment(job);
            work += self.sight.size(job) * expected.secs().max(1.0);
        }
        self.sight.work_weight = if work > 0.0 { self.srtf * alignment / work } else { 0.0 };
    }

    pub fn seen(&mut self, submit: Time) {
        self.first.get_or_insert(submit);
    }

    pub fn score(&self, job: JobView<'_>, expected: Time, now: Time) -> f64 {
        let subject = || self.subject(job, expected, now);
        match self.spec.score {
            Formula::Same => 0.0,
            Formula::Of(score) => score(&subject()),
            Formula::OfWait(links, operands) => {
                let subject = subject();
                Link::run(links, &given(operands, &subject), subject.wait)
            }
        }
    }

    pub fn score_of_user(&self, user: i64) -> Option<f64> {
        matches!(self.spec.watches, Watch::Holdings | Watch::Usage).then(|| self.sight.of_user(user))
    }

    pub fn links(&self) -> Option<&[Link]> {
        match self.spec.score {
            Formula::Same | Formula::Of(_) => None,
            Formula::OfWait(links, _) => Some(links),
        }
    }

    pub fn growth(&self, job: JobView<'_>, expected: Time) -> Option<Growth> {
        let Formula::OfWait(links, operands) = self.spec.score else { return None };
        Some(Growth::new(links, given(operands, &self.subject(job, expected, job.submit()))))
    }

    fn subject<'a>(&'a self, job: JobView<'a>, expected: Time, now: Time) -> Subject<'a> {
        let origin = self.first.filter(|_| self.from_first).unwrap_or(Time::ZERO);
        Subject {
            wait: (now - job.submit()).max(Time::ZERO).secs(),
            estimate: expected.secs(),
            procs: job.procs() as f64,
            submit: (job.submit() - origin).secs(),
            log0: self.log0,
            job,
            sight: &self.sight,
        }
    }
}

fn given(operands: &[fn(&Subject<'_>) -> f64], subject: &Subject<'_>) -> Operands {
    let mut values = Operands::default();
    for (value, operand) in values.iter_mut().zip(operands) {
        *value = operand(subject);
    }
    values
}
