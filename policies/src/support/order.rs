//! Queue orders: who is served first.

mod params;
mod sight;
mod subject;
#[cfg(test)]
mod tests;

use batchlab_traces::workload::MEMORY;
use batchlab_traces::{Machine, Time};

use super::ledger::Ledger;
use crate::facts::{Fact, Facts};
use crate::spec::{ParamSpec, Params};
use crate::view::JobView;
pub use params::{HALF_LIFE, LOG0, ORDER, ORIGIN, SRTF};
use sight::Sight;
use subject::{Log0, Subject};

/// A queue order: jobs are served by ascending score, ties in the order of submission.
#[derive(Clone, Copy, Debug)]
pub struct OrderSpec {
    /// Name in specs.
    pub name: &'static str,
    /// The score in symbols: w wait so far, r estimate of at least 1 s, n processors, m memory, s submit time; of
    /// each resource q demand, f free, c capacity, u what the user's running jobs hold.
    pub formula: &'static str,
    /// Who defined it.
    pub cite: &'static str,
    /// Whether scores change while jobs wait, so that every decision ranks the queue anew.
    pub changes: bool,
    /// What it looks at beside the job.
    pub watches: Watch,
    /// What every job must tell.
    pub facts: Facts,
    /// Its rule in a few sentences, where the formula does not tell it.
    pub rule: &'static str,
    score: fn(&Subject<'_>) -> f64,
}

/// What an order looks at beside the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Nothing.
    Nothing,
    /// What users' running jobs hold: it changes with every start.
    Holdings,
    /// What users have used: it changes with time.
    Usage,
    /// What is free: it changes with every start.
    Free,
}

const fn order(
    name: &'static str,
    formula: &'static str,
    cite: &'static str,
    changes: bool,
    score: fn(&Subject<'_>) -> f64,
) -> OrderSpec {
    OrderSpec { name, formula, cite, changes, watches: Watch::Nothing, facts: Facts::NONE, rule: "", score }
}

impl OrderSpec {
    const fn told(self, fact: Fact) -> OrderSpec {
        OrderSpec { facts: self.facts.and(Facts::of(fact)), ..self }
    }

    const fn with_rule(self, rule: &'static str) -> OrderSpec {
        OrderSpec { rule, ..self }
    }

    const fn watching(self, watches: Watch) -> OrderSpec {
        OrderSpec { watches, changes: true, ..self }
    }

    /// Returns the parameters that set something about it.
    pub fn options(&self) -> &'static [ParamSpec] {
        match (self.watches, self.name) {
            (Watch::Usage, _) => &[HALF_LIFE],
            (Watch::Free, _) => &[SRTF],
            (_, "f1" | "f2" | "f3" | "f4") => &[ORIGIN, LOG0],
            _ => &[],
        }
    }

    /// Whether every start changes the order of those who still wait.
    pub const fn is_fluid(&self) -> bool {
        matches!(self.watches, Watch::Holdings | Watch::Free)
    }
}

const TANG: &str = "Tang, Lan, Desai, Buettner, Cluster 2009";
const CARASTAN: &str = "Carastan-Santos, de Camargo, SC 2017";
const SETIA: &str =
    "Setia, Squillante, Naik, The Impact of Job Memory Requirements on Gang-Scheduling Performance, 1999";
const GHODSI: &str = "Ghodsi, Zaharia, Hindman, Konwinski, Shenker, Stoica, NSDI 2011";
const GRANDL: &str = "Grandl, Ananthanarayanan, Kandula, Rao, Akella, SIGCOMM 2014";
const SLURM: &str = "decayed usage as of Slurm's priority/multifactor plug-in (PriorityDecayHalfLife)";
const LELONG: &str = "Lelong, Reis, Trystram, JSSPP 2017";

/// The queue orders: one line each.
pub const ORDERS: &[OrderSpec] = &[
    order("fcfs", "s", "first come, first served", false, |_| 0.0),
    order("sjf", "r", "shortest job first", false, |job| job.estimate),
    order("ljf", "-r", "longest job first", false, |job| -job.estimate),
    order("saf", "n*r", "smallest area first; Lelong et al., JSSPP 2017", false, |job| {
        job.procs * job.estimate
    }),
    order("laf", "-n*r", "largest area first; Lelong et al., JSSPP 2017", false, |job| {
        -job.procs * job.estimate
    }),
    order("sqf", "n", "smallest job first (LPFS of Aida et al. 1998)", false, |job| job.procs),
    order("lqf", "-n", "largest job first (MPFS of Aida et al. 1998)", false, |job| -job.procs),
    order("srf", "r/n", LELONG, false, |job| job.estimate / job.procs),
    order("expansion", "-(w+r)/r", "largest expansion factor first", true, |job| {
        -(job.wait + job.r()) / job.r()
    }),
    order("wfp3", "-n*(w/r)^3", TANG, true, |job| -job.procs * (job.wait / job.r()).powi(3)),
    order("unicef", "-w/(log2(max(n,2))*r)", TANG, true, |job| {
        -job.wait / (job.procs.max(2.0).log2() * job.r())
    }),
    order("f1", "log10(r)*n + 870*log10(s)", CARASTAN, false, |job| {
        job.r().log10() * job.procs + 870.0 * job.log_submit()
    }),
    order("f2", "sqrt(r)*n + 25600*log10(s)", CARASTAN, false, |job| {
        job.r().sqrt() * job.procs + 25_600.0 * job.log_submit()
    }),
    order("f3", "r*n + 6860000*log10(s)", CARASTAN, false, |job| {
        job.r() * job.procs + 6_860_000.0 * job.log_submit()
    }),
    order("f4", "r*sqrt(n) + 530000*log10(s)", CARASTAN, false, |job| {
        job.r() * job.procs.sqrt() + 530_000.0 * job.log_submit()
    }),
    order("smf", "m", SETIA, false, subject::memory).told(Fact::Memory).with_rule("Memory over all processors of the job: the demand of the resource memory, or, on a machine without it, what \
         the log tells."),
    order("drf", "max u/c", GHODSI, true, subject::of_user).told(Fact::User).watching(Watch::Holdings).with_rule("A user's dominant share is the largest fraction of any resource of the machine that the user's running jobs \
         hold. The user with the smallest is served, one job at a time: shares are taken anew after every start."),
    order("tetris", "-sum (f/c)*(q/c)", GRANDL, true, subject::packing).watching(Watch::Free).with_rule("The job whose demands are best aligned with what is free goes first: the largest sum of products of both, as \
         fractions of the capacities of the whole machine, taken anew after every start. With srtf=W work counts too: \
         W * (mean alignment / mean work of the waiting jobs) * r * sum q/c is added to the score."),
    order("fairshare", "decayed processor-seconds of the user", SLURM, true, subject::of_user)
        .told(Fact::User)
        .watching(Watch::Usage).with_rule("Processor-seconds that the user's jobs have used, those of running jobs up to now included, each halved for \
         every half-life since it was used. All users have the same share."),
];

/// A queue order with its options, and what it has seen of the machine.
///
/// What an order looks at beside the job is what it saw last ([`Order::look`]): until it looks again, a job keeps its
/// score.
#[derive(Clone, Debug)]
pub struct Order {
    spec: &'static OrderSpec,
    from_first: bool,
    first: Option<Time>,
    log0: Log0,
    /// Weight of the remaining work beside the alignment.
    srtf: f64,
    sight: Sight,
}

impl Order {
    /// Returns the order that a parameter names, with the options that orders have.
    pub fn from_params(params: &Params, key: &str) -> Option<Order> {
        let spec = ORDERS.iter().find(|order| order.name == params.text(key))?;
        Some(Order {
            from_first: params.text(ORIGIN.name) == "first",
            log0: Log0::from_word(params.text(LOG0.name)),
            srtf: params.number(SRTF.name).unwrap_or(0.0),
            ..Order::new(spec)
        })
    }

    /// Returns first come, first served.
    pub fn fcfs() -> Order {
        Order::new(&ORDERS[0])
    }

    fn new(spec: &'static OrderSpec) -> Order {
        Order { spec, from_first: false, first: None, log0: Log0::One, srtf: 0.0, sight: Sight::default() }
    }

    /// Returns the same order for the jobs of a machine.
    #[must_use]
    pub fn on(mut self, machine: &Machine) -> Order {
        self.sight = Sight::new(machine, machine.resource(MEMORY));
        self
    }

    /// Whether scores change while jobs wait.
    pub fn changes(&self) -> bool {
        self.spec.changes
    }

    /// Whether every start changes the order of those who still wait.
    pub fn is_fluid(&self) -> bool {
        self.spec.is_fluid()
    }

    /// Returns what it looks at beside the job.
    pub fn watches(&self) -> Watch {
        self.spec.watches
    }

    /// Looks at what is free and at what users hold and have used.
    pub fn look<const K: usize>(&mut self, now: Time, free: &[i64; K], ledger: &Ledger<K>) {
        match self.spec.watches {
            Watch::Nothing => {}
            Watch::Holdings => self.sight.users = ledger.dominant_shares(),
            Watch::Usage => self.sight.users = ledger.usage(now),
            Watch::Free => self.sight.see_free(free),
        }
    }

    /// Whether it must look at the waiting jobs too: [`Order::weigh`].
    pub fn weighs_work(&self) -> bool {
        self.srtf > 0.0 && self.spec.watches == Watch::Free
    }

    /// Looks at the waiting jobs: work is weighed so that its mean counts as much as the mean alignment, times the
    /// option.
    pub fn weigh<'a>(&mut self, waiting: impl Iterator<Item = (JobView<'a>, Time)>) {
        let (mut alignment, mut work) = (0.0, 0.0);
        for (job, expected) in waiting {
            alignment += self.sight.alignment(job);
            work += self.sight.size(job) * expected.secs().max(1.0);
        }
        self.sight.work_weight = if work > 0.0 { self.srtf * alignment / work } else { 0.0 };
    }

    /// Tells the order of a submission: the first one may be the origin of time.
    pub fn seen(&mut self, submit: Time) {
        self.first.get_or_insert(submit);
    }

    /// Returns the score of a job at an instant; the least is served first.
    pub fn score(&self, job: JobView<'_>, expected: Time, now: Time) -> f64 {
        let origin = self.first.filter(|_| self.from_first).unwrap_or(Time::ZERO);
        let subject = Subject {
            wait: (now - job.submit()).max(Time::ZERO).secs(),
            estimate: expected.secs(),
            procs: job.procs() as f64,
            submit: (job.submit() - origin).secs(),
            log0: self.log0,
            job,
            sight: &self.sight,
        };
        // Adding zero makes -0 and 0 the same score.
        (self.spec.score)(&subject) + 0.0
    }
}
