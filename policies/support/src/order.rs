//! Queue orders: which job is served first.
//!
//! An order may use the free resources (`tetris`), the resources that users hold (`drf`) or their past usage
//! (`fairshare`). It reads the machine at its last look, so that a waiting job keeps its rank until the queue is ranked
//! again: at each decision, and after each start if starts change the order (a *fluid* order).
//!
//! Orders are served without backfilling if a spec is the order alone: `expr(…)` and a plug-in that ranks mean
//! `fcfs:order=…`, because the spec names no backfilling rule.

mod growth;
mod named;
mod params;
mod sight;
mod subject;
#[cfg(test)]
mod tests;

use batchlab_traces::expr::Link::{self, Add, Cube, Divide, Multiply, Negate};
use batchlab_traces::{Citation, Time};

use super::computed::Computed;
use super::expressions::{Waiting, vocabulary};
use super::ledger::Ledger;
use crate::external::Fault;
use crate::facts::{Fact, Facts};
use crate::spec::{BuildError, ParamSpec, Params, Setting};
use crate::view::JobView;
use growth::GrowingExpression;
pub use growth::Growth;
use named::Named;
pub use params::{HALF_LIFE, LOG0, NAMES, ORDER, ORIGIN, SRTF};
use subject::Subject;

/// A queue order: jobs are served by ascending score, ties in the order of submission.
#[derive(Clone, Copy, Debug)]
pub struct OrderSpec {
    pub name: &'static str,
    /// The score in symbols: w wait so far, r estimate of at least 1 s, n processors, m memory, s submit time; of
    /// each resource q demand, f free, c capacity, u what the user's running jobs hold.
    pub formula: &'static str,
    pub cite: Citation,
    /// Whether scores change while jobs wait, so that every decision re-ranks the queue.
    pub changes: bool,
    /// The state besides the job on which it depends.
    pub watches: Watch,
    /// The facts that every job must have.
    pub facts: Facts,
    /// Its rule in a few sentences, if the formula is not enough.
    pub rule: &'static str,
    score: Formula,
}

/// How a score is computed.
#[derive(Clone, Copy, Debug)]
enum Formula {
    Same,
    Of(fn(&Subject<'_>) -> f64),
    /// A chain of arithmetic on the wait so far, with its operands.
    OfWait(&'static [Link], &'static [fn(&Subject<'_>) -> f64]),
}

/// The state besides the job on which an order depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    Nothing,
    /// The holdings of the users' running jobs: they change with every start.
    Holdings,
    /// What users have used: it changes with time.
    Usage,
    /// The free amounts: they change with every start.
    Free,
}

const fn order(
    name: &'static str,
    formula: &'static str,
    cite: Citation,
    changes: bool,
    score: fn(&Subject<'_>) -> f64,
) -> OrderSpec {
    let score = Formula::Of(score);
    OrderSpec { name, formula, cite, changes, watches: Watch::Nothing, facts: Facts::NONE, rule: "", score }
}

/// An order in which jobs rise while they wait.
const fn rising(
    name: &'static str,
    formula: &'static str,
    cite: Citation,
    links: &'static [Link],
    operands: &'static [fn(&Subject<'_>) -> f64],
) -> OrderSpec {
    OrderSpec { score: Formula::OfWait(links, operands), ..order(name, formula, cite, true, |_| 0.0) }
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

    pub fn options(&self) -> &'static [ParamSpec] {
        match (self.watches, self.name) {
            (Watch::Usage, _) => &[HALF_LIFE],
            (Watch::Free, _) => &[SRTF],
            (_, "f1" | "f2" | "f3" | "f4") => &[ORIGIN, LOG0],
            _ => &[],
        }
    }

    pub const fn is_fluid(&self) -> bool {
        matches!(self.watches, Watch::Holdings | Watch::Free)
    }
}

const TANG: Citation = Citation::of("Tang, Lan, Desai, Buettner, Cluster 2009", &["tang09"]);
const CARASTAN: Citation = Citation::of("Carastan-Santos, de Camargo, SC 2017", &["carastan17"]);
const SETIA: Citation = Citation::of(
    "Setia, Squillante, Naik, The Impact of Job Memory Requirements on Gang-Scheduling Performance, 1999",
    &["setia99"],
);
const GHODSI: Citation =
    Citation::of("Ghodsi, Zaharia, Hindman, Konwinski, Shenker, Stoica, NSDI 2011", &["ghodsi11"]);
const GRANDL: Citation =
    Citation::of("Grandl, Ananthanarayanan, Kandula, Rao, Akella, SIGCOMM 2014", &["grandl14"]);
const SLURM: Citation =
    Citation::of("decayed usage as of Slurm's priority/multifactor plug-in (PriorityDecayHalfLife)", &[]);
const LELONG: Citation = Citation::of("Lelong, Reis, Trystram, JSSPP 2017", &["lelong17"]);

/// The queue orders, one line each.
pub const ORDERS: &[OrderSpec] = &[
    OrderSpec {
        score: Formula::Same,
        ..order("fcfs", "s", Citation::of("first come, first served", &[]), false, |_| 0.0)
    },
    order("sjf", "r", Citation::of("shortest job first", &[]), false, |job| job.estimate),
    order("ljf", "-r", Citation::of("longest job first", &[]), false, |job| -job.estimate),
    order("saf", "n*r", Citation::of("smallest area first; Lelong et al., JSSPP 2017", &["lelong17"]), false, |job| {
        job.procs * job.estimate
    }),
    order("laf", "-n*r", Citation::of("largest area first; Lelong et al., JSSPP 2017", &["lelong17"]), false, |job| {
        -job.procs * job.estimate
    }),
    order("sqf", "n", Citation::of("smallest job first (LPFS of Aida et al. 1998)", &["aida98"]), false, |job| job.procs),
    order("lqf", "-n", Citation::of("largest job first (MPFS of Aida et al. 1998)", &["aida98"]), false, |job| -job.procs),
    order("srf", "r/n", LELONG, false, |job| job.estimate / job.procs),
    rising("expansion", "-(w+r)/r", Citation::of("largest expansion factor first", &[]), &[Add, Negate, Divide], &[
        |job| job.r(),
        |job| job.r(),
    ]),
    rising("wfp3", "-n*(w/r)^3", TANG, &[Divide, Cube, Multiply], &[|job| job.r(), |job| -job.procs]),
    rising("unicef", "-w/(log2(max(n,2))*r)", TANG, &[Negate, Divide], &[|job| job.procs.max(2.0).log2() * job.r()]),
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
    order("smf", "m", SETIA, false, subject::memory).told(Fact::Memory).with_rule("Memory over all \
        processors of the job: the demand of the resource memory, or, on a machine without it, the amount \
        in the log."),
    order("drf", "max u/c", GHODSI, true, subject::of_user).told(Fact::User).watching(Watch::Holdings).with_rule("A \
         user's dominant share is the largest fraction of any resource of the machine that the user's \
         running jobs hold. The user with the smallest is served, one job at a time: shares are recomputed \
         after every start."),
    order("tetris", "-sum (f/c)*(q/c)", GRANDL, true, subject::packing).watching(Watch::Free).with_rule("The \
         job whose demands are best aligned with what is free goes first: the largest sum of products of \
         both, as fractions of the capacities of the whole machine, recomputed after every start. With \
         srtf=W work counts too: W * (mean alignment / mean work of the waiting jobs) * r * sum q/c is \
         added to the score."),
    order("fairshare", "decayed processor-seconds of the user", SLURM, true, subject::of_user)
        .told(Fact::User)
        .watching(Watch::Usage).with_rule("Processor-seconds that the user's jobs have used, those of running jobs up to now included, each halved for \
         every half-life since it was used. All users have the same share."),
];

/// A queue order with its options, and the state of the machine at its last look.
///
/// An order that depends on more than the job uses the state of its last look ([`Order::look`]): a job keeps its score until
/// the next look. Built-in orders score one job at a time ([`Order::score`]), expressions and plug-ins many together
/// ([`Order::scores`]). If each job rises by a law of its own, known at its submission, the order also has this law
/// ([`Order::growth`]); orders by user have the score of a user ([`Order::score_of_user`]).
pub struct Order(Scorer);

enum Scorer {
    Named(Named),
    Computed(Box<Computed>),
    Growing(Box<GrowingExpression>),
}

impl Order {
    /// Returns the order that a parameter names, with the options of orders; `None` if it names none.
    ///
    /// # Errors
    /// When an expression does not give a number or uses what a policy cannot know, or a plug-in cannot begin.
    pub fn from_params(
        params: &Params,
        key: &str,
        setting: &Setting<'_>,
    ) -> Result<Option<Order>, BuildError> {
        if let Some(growing) = GrowingExpression::from_params(params, key, setting)? {
            return Ok(Some(Order(Scorer::Growing(Box::new(growing)))));
        }
        if let Some(computed) = Computed::from_params(params, key, setting, &vocabulary(setting))? {
            return Ok(Some(Order(Scorer::Computed(Box::new(computed)))));
        }
        let named = Named::from_params(params, key, setting.machine)?;
        Ok(named.map(|named| Order(Scorer::Named(named))))
    }

    pub fn fcfs() -> Order {
        Order(Scorer::Named(Named::new(&ORDERS[0])))
    }

    #[inline]
    pub fn changes(&self) -> bool {
        match &self.0 {
            Scorer::Named(named) => named.spec.changes,
            Scorer::Computed(computed) => computed.changes(),
            Scorer::Growing(_) => true,
        }
    }

    /// Returns the steps from the wait so far to the score, if the order has this form; then
    /// [`Order::growth`] gives how a job's score grows.
    pub fn links(&self) -> Option<&[Link]> {
        match &self.0 {
            Scorer::Named(named) => named.links(),
            Scorer::Computed(_) => None,
            Scorer::Growing(growing) => Some(growing.links()),
        }
    }

    /// Returns how a job's score grows with its wait; `None` for an order of another form.
    pub fn growth(&self, job: JobView<'_>, expected: Time) -> Option<Growth> {
        match &self.0 {
            Scorer::Named(named) => named.growth(job, expected),
            Scorer::Computed(_) => None,
            Scorer::Growing(growing) => Some(growing.growth(job, expected)),
        }
    }

    /// Whether a job's score is that of its user: the jobs of a user are served in the order of submission.
    pub fn is_by_user(&self) -> bool {
        matches!(self.watches(), Watch::Holdings | Watch::Usage)
    }

    /// Returns the score of the jobs of a user, for such an order.
    pub fn score_of_user(&self, user: i64) -> Option<f64> {
        match &self.0 {
            Scorer::Named(named) => named.score_of_user(user),
            Scorer::Computed(_) | Scorer::Growing(_) => None,
        }
    }

    #[inline]
    pub fn is_fluid(&self) -> bool {
        matches!(&self.0, Scorer::Named(named) if named.spec.is_fluid())
    }

    #[inline]
    pub fn is_computed(&self) -> bool {
        matches!(self.0, Scorer::Computed(_))
    }

    pub fn watches(&self) -> Watch {
        match &self.0 {
            Scorer::Named(named) => named.spec.watches,
            Scorer::Computed(_) | Scorer::Growing(_) => Watch::Nothing,
        }
    }

    /// Reads the free amounts, and what users hold and have used.
    pub fn look<const K: usize>(&mut self, now: Time, free: &[i64; K], ledger: &Ledger<K>) {
        if let Scorer::Named(named) = &mut self.0 {
            named.look(now, free, ledger);
        }
    }

    /// Whether it also needs the waiting jobs: [`Order::weigh`].
    pub fn weighs_work(&self) -> bool {
        matches!(&self.0, Scorer::Named(named) if named.weighs_work())
    }

    /// Reads the waiting jobs to weigh work: the mean work counts as much as the mean alignment, times the option.
    pub fn weigh<'a>(&mut self, waiting: impl Iterator<Item = (JobView<'a>, Time)>) {
        if let Scorer::Named(named) = &mut self.0 {
            named.weigh(waiting);
        }
    }

    /// Reports a submission to the order: the first one may be the origin of time.
    #[inline]
    pub fn seen(&mut self, submit: Time) {
        if let Scorer::Named(named) = &mut self.0 {
            named.seen(submit);
        }
    }

    /// Returns the score of a job at an instant, the lowest being served first; `None` for an order that
    /// scores many jobs together.
    #[inline]
    pub fn score(&self, job: JobView<'_>, expected: Time, now: Time) -> Option<f64> {
        match &self.0 {
            Scorer::Named(named) => Some(named.score(job, expected, now)),
            Scorer::Computed(_) => None,
            Scorer::Growing(growing) => Some(growing.score(job, expected, now)),
        }
    }

    /// Returns the scores of jobs, each with its expected run time, at an instant, for an order that scores
    /// many jobs together; empty for other orders.
    pub fn scores(&mut self, jobs: &[(JobView<'_>, Time)], now: Time) -> Result<&[f64], Fault> {
        match &mut self.0 {
            Scorer::Named(_) | Scorer::Growing(_) => Ok(&[]),
            Scorer::Computed(computed) => computed.numbers(&Waiting { jobs, now }),
        }
    }

    /// The replay is over: ends a plug-in.
    pub fn finish(&mut self) -> Result<(), Fault> {
        match &mut self.0 {
            Scorer::Named(_) | Scorer::Growing(_) => Ok(()),
            Scorer::Computed(computed) => computed.finish(),
        }
    }
}
