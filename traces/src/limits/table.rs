use super::{Counted, LimitError, LimitFile, LimitedQuantity};
use crate::class::NO_CLASS;
use crate::{
    Example, Findings, JobId, Machine, Provenance, Refusal, SourcePlace, Time, Trace, Workload, kinds,
};

kinds! {
    ABOVE_LIMIT: Warning "job-above-limit",
        "{job|jobs} that alone {exceeds|exceed} a limit of the file of --limits, and could never start",
        "dropped",
        "raise the limit if the site would run such jobs; a batch system leaves them waiting for ever";
    ABOVE_WALL_TIME: Warning "job-above-wall-time",
        "{job|jobs} with an estimate above the wall_time of a limit",
        "dropped; a batch system refuses such jobs at submission",
        "raise wall_time, or cut the requests with a cleaning rule; --overrun raise raises the estimates of jobs \
         that ran longer than they requested";
    IDLE_LIMIT: Note "limit-idle",
        "{limit|limits} about jobs of which the log has none",
        "{it has|they have} no effect",
        "compare the names and numbers with those of `batchlab info LOG`";
}

/// The limits of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LimitTable {
    /// Each bound of each limit.
    pub limits: Vec<Limit>,
}

/// One bound on one quantity, for classes of jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The jobs that count.
    pub counted: Counted,
    /// What is bounded.
    pub quantity: LimitedQuantity,
    /// The bound: jobs, processors, or processors × ticks.
    pub most: i128,
    /// The class of each job by its row in the trace; [`NO_CLASS`] for jobs to which the limit does not apply.
    classes: Vec<u32>,
    /// Whether each job, by its row, counts but is not held back because another limit replaces this one for it. Empty if
    /// the limit holds back all jobs.
    exempt: Vec<bool>,
    /// The limit as the file states it.
    pub words: String,
    /// The bound alone, such as `running_jobs = 4`.
    pub bound: String,
    /// Where the file states the bound.
    pub place: SourcePlace,
}

impl Limit {
    /// Returns a limit on running jobs of a Slurm installation; classes and exemptions are by the rows of the trace.
    pub fn running(
        quantity: LimitedQuantity,
        most: i128,
        classes: Vec<u32>,
        exempt: Vec<bool>,
        words: String,
    ) -> Limit {
        let place = SourcePlace { file: "--slurm".into(), line: 0, column: 0 };
        Limit {
            counted: Counted::Running,
            quantity,
            most,
            classes,
            exempt,
            bound: words.clone(),
            words,
            place,
        }
    }

    /// Returns the class of a job within which amounts are added; `None` if the limit does not apply to the job.
    #[inline]
    pub fn class(&self, workload: &Workload, job: JobId) -> Option<usize> {
        let class = self.classes.get(workload.row(job)).copied().unwrap_or(NO_CLASS);
        (class != NO_CLASS).then_some(class as usize)
    }

    /// Whether the limit may hold a job back; otherwise it only counts the job, or does not apply to it.
    #[inline]
    pub fn binds(&self, workload: &Workload, job: JobId) -> bool {
        let is_exempt = || self.exempt.get(workload.row(job)).copied().unwrap_or(false);
        self.class(workload, job).is_some() && !is_exempt()
    }

    /// Returns the number of classes.
    pub fn count_classes(&self) -> usize {
        self.classes.iter().filter(|&&class| class != NO_CLASS).max().map_or(0, |&most| most as usize + 1)
    }

    /// Returns how much a job counts if it starts on some nodes: more than its demand if it holds an amount on each of more
    /// nodes than it asked for ([`Layout::over`](crate::Layout::over)).
    pub fn amount_on(&self, workload: &Workload, job: JobId, nodes: i64) -> i128 {
        let LimitedQuantity::Demand(kind) = self.quantity else { return self.amount(workload, job) };
        let layout = workload.layout(job);
        if layout.over == 0 || !layout.is_even(kind) {
            return self.amount(workload, job);
        }
        let demand = workload.demand(job).get(kind).copied().unwrap_or(0);
        i128::from(layout.part(demand)) * i128::from(nodes)
    }

    /// Returns how much a job counts if it starts on no more nodes than it asked for.
    #[inline]
    pub fn amount(&self, workload: &Workload, job: JobId) -> i128 {
        match self.quantity {
            LimitedQuantity::Jobs => 1,
            LimitedQuantity::Procs => i128::from(workload.procs(job)),
            LimitedQuantity::Demand(kind) => i128::from(workload.demand(job).get(kind).copied().unwrap_or(0)),
            LimitedQuantity::Work => {
                i128::from(workload.procs(job)) * i128::from(workload.estimate(job).ticks())
            }
        }
    }
}

impl LimitTable {
    /// Whether a limit counts the jobs on the machine only.
    pub fn counts(&self, counted: Counted) -> bool {
        self.limits.iter().any(|limit| limit.counted == counted)
    }
}

impl LimitFile {
    /// Resolves the limits for the jobs of a log, and drops the jobs that could never start. A node-hour is as many
    /// processor-hours as a node has processors, on average; on a pool, a processor is a node.
    ///
    /// O(jobs × limits).
    ///
    /// # Errors
    /// When a name is not one of the log's, the log has no service classes, or strict reading refuses a finding.
    pub fn apply(
        &self,
        workload: Workload,
        trace: &Trace,
        machine: &Machine,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<(Workload, LimitTable), LimitsError> {
        let mut limits = Vec::new();
        for stated in &self.limits {
            let classes = stated.class.of_jobs(&workload, trace)?;
            if classes.iter().all(|&class| class == NO_CLASS) {
                findings
                    .report(&IDLE_LIMIT, || Example::at(&stated.class.place, stated.class.words.clone()))?;
            }
            limits.push((stated, classes));
        }
        let of_node = if machine.is_pool() { 1.0 } else { machine.total(0) as f64 / machine.nodes() as f64 };
        let node_hour = of_node * Time::from_secs(3600).ticks() as f64;
        let mut drops = vec![false; workload.len()];
        let mut table = LimitTable::default();
        for (stated, classes) in &limits {
            if let Some(most) = stated.wall_time {
                for job in workload.jobs().filter(|&job| classes[workload.row(job)] != NO_CLASS) {
                    let asks = workload.estimate(job);
                    if asks > most && !std::mem::replace(&mut drops[workload.position(job)], true) {
                        let detail =
                            || format!("job {}: {asks} s, and {most} s are allowed", workload.number(job));
                        findings.report(&ABOVE_WALL_TIME, || Example::at(&stated.class.place, detail()))?;
                    }
                }
            }
            for bound in &stated.bounds {
                let unit = if bound.quantity == LimitedQuantity::Work { node_hour } else { 1.0 };
                let stated_bound = format!("{} = {}", bound.key, bound.most);
                let limit = Limit {
                    counted: stated.counted,
                    quantity: bound.quantity,
                    most: (bound.most * unit) as i128,
                    classes: classes.clone(),
                    exempt: Vec::new(),
                    words: format!("{stated_bound} ({})", stated.class.words),
                    bound: stated_bound,
                    place: bound.place.clone(),
                };
                for job in workload.jobs() {
                    let above =
                        limit.class(&workload, job).is_some() && limit.amount(&workload, job) > limit.most;
                    if above && !std::mem::replace(&mut drops[workload.position(job)], true) {
                        let size = size(&limit, &workload, job, node_hour);
                        let detail =
                            || format!("job {}: {size}, above {}", workload.number(job), limit.words);
                        findings.report(&ABOVE_LIMIT, || Example::at(&bound.place, detail()))?;
                    }
                }
                table.limits.push(limit);
            }
        }
        let dropped = drops.iter().filter(|&&dropped| dropped).count();
        provenance.step("limits", format!("{dropped} jobs above a limit dropped"), dropped as u64);
        if dropped == workload.len() {
            return Err(LimitsError::NoJobs(dropped));
        }
        let workload = if dropped == 0 { workload } else { workload.without(&drops) };
        Ok((workload, table))
    }
}

fn size(limit: &Limit, workload: &Workload, job: JobId, node_hour: f64) -> String {
    let amount = limit.amount(workload, job);
    match limit.quantity {
        LimitedQuantity::Jobs => "1 job".into(),
        LimitedQuantity::Procs => format!("{} processors", workload.procs(job)),
        LimitedQuantity::Demand(_) => amount.to_string(),
        LimitedQuantity::Work => format!("{:.1} node-hours", amount as f64 / node_hour),
    }
}

/// Why limits do not suit a log.
#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    #[error(transparent)]
    File(#[from] LimitError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("each of the {0} jobs alone exceeds a limit of --limits: raise the limits")]
    NoJobs(usize),
}
