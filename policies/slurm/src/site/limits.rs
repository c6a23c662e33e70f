//! The limits that associations and service classes set on running jobs.

use super::{SlurmLimits, SlurmSite, TresLimit};
use batchlab_contract::JobView;
use batchlab_traces::class::NO_CLASS;
use batchlab_traces::field::Field;
use batchlab_traces::finding::{Example, Findings, Refusal};
use batchlab_traces::kinds;
use batchlab_traces::limits::{Limit, LimitTable, LimitedQuantity};
use batchlab_traces::machine::Machine;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::time::Time;
use batchlab_traces::workload::{JobId, MEMORY, Workload};

kinds! {
    ABOVE_LIMIT: Warning "slurm-above-limit",
        "{job|jobs} that alone {exceeds|exceed} a limit of {its|their} association or QOS",
        "exempted from this limit: the log shows that Slurm did start such jobs",
        "give the associations and QOS of the time of the log";
    LIMIT_UNSUPPORTED: Warning "slurm-limit-unsupported",
        "{limit or flag|limits or flags} of associations or QOS that {is|are} not followed",
        "ignored; in Slurm jobs might wait for {it|them}, or start in another order",
        "compare with what really happened: batchlab slurm-check LOG --slurm FILE";
}

/// Whose jobs count together.
type Class<'a> = &'a dyn Fn(JobId) -> Option<i64>;

/// Whether the bounds of a service class that counts first take the place of a bound.
type Yields<'a> = &'a dyn Fn(&SlurmLimits) -> bool;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Association,
    Qos(usize),
}

/// Returns the limits on running jobs, if `AccountingStorageEnforce` has them enforced. On the same quantity, a bound of the QOS of
/// a job's partition takes the place of the bound of the job's QOS, and this the place of the bounds of its association and of the
/// accounts above: the job counts towards a replaced bound, which does not hold it back. O(jobs × limits).
///
/// Source: `acct_policy_job_runnable_pre_select` and `_post_select` (`acct_policy.c`) of Slurm 22.05.
pub fn running_limits(
    site: &SlurmSite,
    workload: &Workload,
    machine: &Machine,
    findings: &mut Findings,
) -> Result<LimitTable, Refusal> {
    let mut made = Made { site, workload, machine, findings, table: LimitTable::default() };
    if !site.system.enforces_limits {
        return Ok(made.table);
    }
    let user = |job: JobId| workload.attribute(job, Field::User);
    let bounded = site.tree.iter().enumerate().filter(|(_, known)| known.bounds != SlurmLimits::default());
    for (at, association) in bounded {
        let below = |job: JobId| {
            site.association(JobView::new(workload, job)).filter(|&own| is_below(site, own, at)).map(|_| 0)
        };
        let user = association.user.as_ref().map_or(String::new(), |user| format!("/{user}"));
        let name = format!("{}{user}", association.account);
        made.group(&association.bounds, &below, Of::Association, &format!("association {name}"))?;
    }
    // MaxJobs of an account holds for each of its users without a MaxJobs of its own.
    let of_user = |job: JobId| -> Option<(i64, i64)> {
        let own = site.association(JobView::new(workload, job))?;
        let most = above(site, own).find_map(|at| site.tree[at].bounds.user_jobs)?;
        Some((most, own as i64))
    };
    let mut bounds: Vec<i64> = workload.jobs().filter_map(|job| Some(of_user(job)?.0)).collect();
    bounds.sort_unstable();
    bounds.dedup();
    for most in bounds {
        let of = |job: JobId| of_user(job).filter(|(bound, _)| *bound == most).map(|(_, own)| own);
        let yields = |qos: &SlurmLimits| qos.user_jobs.is_some();
        let by = (Of::Association, &yields as Yields<'_>);
        made.add(LimitedQuantity::Jobs, most.into(), &of, by, format!("MaxJobs = {most}"))?;
    }
    for (partition, qos) in site.system.unknown_qos() {
        made.unsupported(format!("QOS {qos} of partition {partition}, which no file of --slurm has"))?;
    }
    for (at, qos) in site.system.qos.iter().enumerate() {
        let is_of = |job: JobId| site.governing(JobView::new(workload, job)).any(|other| other == at);
        let by = Of::Qos(at);
        made.group(&qos.bounds, &|job| is_of(job).then_some(0), by, &format!("QOS {}", qos.name))?;
        let each = |job: JobId| is_of(job).then(|| user(job));
        if let Some(most) = qos.bounds.user_jobs {
            let yields = |first: &SlurmLimits| first.user_jobs.is_some();
            let words = format!("MaxJobsPU = {most} (QOS {})", qos.name);
            made.add(LimitedQuantity::Jobs, most.into(), &each, (by, &yields), words)?;
        }
        let name = format!("MaxTRESPU of QOS {}", qos.name);
        made.tres(&qos.bounds.user_tres, &each, (by, |first| &first.user_tres), &name)?;
    }
    Ok(made.table)
}

fn above(site: &SlurmSite, association: usize) -> impl Iterator<Item = usize> + '_ {
    // A tree of a broken file may have a cycle.
    std::iter::successors(Some(association), |&at| site.tree[at].parent).take(site.tree.len())
}

fn is_below(site: &SlurmSite, own: usize, association: usize) -> bool {
    above(site, own).any(|above| above == association)
}

struct Made<'a> {
    site: &'a SlurmSite,
    workload: &'a Workload,
    machine: &'a Machine,
    findings: &'a mut Findings,
    table: LimitTable,
}

impl Made<'_> {
    fn group(&mut self, bounds: &SlurmLimits, class: Class<'_>, by: Of, name: &str) -> Result<(), Refusal> {
        self.of_one_job(bounds, class, by, name)?;
        if self.workload.jobs().any(|job| class(job).is_some()) {
            for other in &bounds.others {
                self.unsupported(format!("{other} of {name}"))?;
            }
        }
        if let Some(most) = bounds.group_jobs {
            let yields = |first: &SlurmLimits| first.group_jobs.is_some();
            let words = format!("GrpJobs = {most} ({name})");
            self.add(LimitedQuantity::Jobs, most.into(), class, (by, &yields), words)?;
        }
        self.tres(&bounds.group_tres, class, (by, |first| &first.group_tres), &format!("GrpTRES of {name}"))?;
        for bound in &bounds.group_run_minutes {
            if is_cpu(bound) {
                let most = i128::from(bound.most) * i128::from(Time::from_secs(60).ticks());
                let yields = |first: &SlurmLimits| first.group_run_minutes.iter().any(is_cpu);
                let words = format!("GrpTRESRunMins = cpu={} ({name})", bound.most);
                self.add(LimitedQuantity::Work, most, class, (by, &yields), words)?;
            } else {
                self.unsupported(format!("GrpTRESRunMins {} of {name}", bound.resource))?;
            }
        }
        Ok(())
    }

    /// Keeps out the jobs beyond a bound on each job: they wait until they are cancelled. Jobs that started all the same are
    /// reported.
    fn of_one_job(
        &mut self,
        bounds: &SlurmLimits,
        class: Class<'_>,
        by: Of,
        name: &str,
    ) -> Result<(), Refusal> {
        let (workload, site) = (self.workload, self.site);
        let is_of = |job: JobId, yields: Yields<'_>| {
            let mut first = site.governing(JobView::new(workload, job)).take_while(|&at| by != Of::Qos(at));
            class(job).is_some() && !first.any(|at| yields(&site.system.qos[at].bounds))
        };
        for bound in &bounds.job_tres {
            if let Some((quantity, most)) = self.quantity(bound) {
                let yields =
                    |first: &SlurmLimits| first.job_tres.iter().any(|other| other.resource == bound.resource);
                let probe = Limit::running(quantity, most, Vec::new(), Vec::new(), String::new());
                let is_above = |job: JobId| is_of(job, &yields) && probe.amount(workload, job) > most;
                self.keep_out(&is_above, format!("MaxTRES {}={} ({name})", bound.resource, bound.most))?;
            } else if workload.jobs().any(|job| class(job).is_some()) {
                self.unsupported(format!("{} in MaxTRES of {name}", bound.resource))?;
            }
        }
        let Some(most) = bounds.wall else { return Ok(()) };
        let is_above =
            |job: JobId| is_of(job, &|first| first.wall.is_some()) && workload.estimate(job) > most;
        self.keep_out(&is_above, format!("MaxWall = {most} s ({name})"))
    }

    /// Keeps out the jobs that alone exceed a limit and were cancelled while they waited, and reports the others.
    fn keep_out(&mut self, is_above: &dyn Fn(JobId) -> bool, words: String) -> Result<(), Refusal> {
        let workload = self.workload;
        let never = |job: &JobId| workload.patience(*job).is_some();
        let (kept_out, started): (Vec<JobId>, Vec<JobId>) =
            workload.jobs().filter(|&job| is_above(job)).partition(never);
        self.above(started.len() as u64, words.clone())?;
        if !kept_out.is_empty() {
            let rows = workload.jobs().map(|job| workload.row(job) + 1).max().unwrap_or(0);
            let mut classes = vec![NO_CLASS; rows];
            for job in kept_out {
                classes[workload.row(job)] = 0;
            }
            // One job is more than none.
            let limit = Limit::running(LimitedQuantity::Jobs, 0, classes, vec![false; rows], words);
            self.table.limits.push(limit);
        }
        Ok(())
    }

    fn above(&mut self, jobs: u64, words: String) -> Result<(), Refusal> {
        self.findings.report_many(&ABOVE_LIMIT, jobs, || Example { place: None, detail: words })
    }

    fn tres(
        &mut self,
        bounds: &[TresLimit],
        class: Class<'_>,
        (by, same): (Of, fn(&SlurmLimits) -> &Vec<TresLimit>),
        name: &str,
    ) -> Result<(), Refusal> {
        for bound in bounds {
            let Some((quantity, most)) = self.quantity(bound) else {
                self.unsupported(format!("{} in {name}", bound.resource))?;
                continue;
            };
            let yields =
                |first: &SlurmLimits| same(first).iter().any(|other| other.resource == bound.resource);
            let words = format!("{}={} ({name})", bound.resource, bound.most);
            self.add(quantity, most, class, (by, &yields), words)?;
        }
        Ok(())
    }

    /// Returns what a bound is on, and its value: processors, memory in KB, or the amount of a resource that jobs demand; `None` if
    /// the replay does not count it.
    fn quantity(&self, bound: &TresLimit) -> Option<(LimitedQuantity, i128)> {
        let most = i128::from(bound.most);
        match bound.resource.as_str() {
            "cpu" => Some((LimitedQuantity::Procs, most)),
            "mem" => Some((LimitedQuantity::Demand(self.machine.resource(MEMORY)?), most * 1024)),
            other => {
                let kind = self.machine.resource(other.strip_prefix("gres/")?)?;
                Some((LimitedQuantity::Demand(kind), most))
            }
        }
    }

    fn unsupported(&mut self, detail: String) -> Result<(), Refusal> {
        self.findings.report(&LIMIT_UNSUPPORTED, || Example { place: None, detail })
    }

    fn add(
        &mut self,
        quantity: LimitedQuantity,
        most: i128,
        class: Class<'_>,
        (by, yields): (Of, Yields<'_>),
        words: String,
    ) -> Result<(), Refusal> {
        let (workload, site) = (self.workload, self.site);
        let rows = workload.jobs().map(|job| workload.row(job) + 1).max().unwrap_or(0);
        let mut classes = vec![NO_CLASS; rows];
        let mut exempt = vec![false; rows];
        let mut numbers: SortedMap<i64, u32> = SortedMap::new();
        let mut above = 0;
        let probe = Limit::running(quantity, most, Vec::new(), Vec::new(), String::new());
        for job in workload.jobs() {
            let Some(key) = class(job) else { continue };
            let row = workload.row(job);
            let next = numbers.len() as u32;
            classes[row] = *numbers.entry(key).or_insert(next);
            let mut first = site.governing(JobView::new(workload, job)).take_while(|&at| by != Of::Qos(at));
            exempt[row] = first.any(|at| yields(&site.system.qos[at].bounds));
            // One that was cancelled while it waited never started.
            if !exempt[row] && workload.patience(job).is_none() && probe.amount(workload, job) > most {
                exempt[row] = true;
                above += 1;
            }
        }
        self.above(above, words.clone())?;
        if !numbers.is_empty() {
            self.table.limits.push(Limit::running(quantity, most, classes, exempt, words));
        }
        Ok(())
    }
}

fn is_cpu(bound: &TresLimit) -> bool {
    bound.resource == "cpu"
}
