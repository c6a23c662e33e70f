//! The limits that associations and service classes set on running jobs.

use std::collections::BTreeMap;

use super::{Bounds, SlurmSite, TresLimit};
use crate::class::NO_CLASS;
use crate::field::Field;
use crate::finding::{Example, Findings, Kind, Level, Refusal};
use crate::limits::{Limit, LimitTable, LimitedQuantity};
use crate::time::Time;
use crate::workload::{JobId, Workload};

/// A job that alone exceeds a limit.
pub static ABOVE_LIMIT: Kind = Kind {
    code: "slurm-above-limit",
    level: Level::Warning,
    what: "{job|jobs} that alone {exceeds|exceed} a limit of {its|their} association or QOS",
    done: "exempted from this limit: the log shows that Slurm did start such jobs",
    advice: "give the associations and QOS of the time of the log",
};

/// A limit that is not followed.
pub static LIMIT_UNSUPPORTED: Kind = Kind {
    code: "slurm-limit-unsupported",
    level: Level::Warning,
    what: "{limit|limits} of associations or QOS on other resources than processors",
    done: "ignored; jobs beyond {it|them} would wait",
    advice: "compare with what really happened: batchlab slurm-check LOG --slurm FILE",
};

/// Whose jobs count together.
type Of<'a> = &'a dyn Fn(JobId) -> Option<i64>;

impl SlurmSite {
    /// Returns the limits on running jobs, if `AccountingStorageEnforce` has them enforced. O(jobs × limits).
    ///
    /// # Errors
    /// In strict mode, at the first warning.
    pub fn limits(&self, workload: &Workload, findings: &mut Findings) -> Result<LimitTable, Refusal> {
        let mut made = Made { workload, findings, table: LimitTable::default() };
        if !self.system.enforces_limits {
            return Ok(made.table);
        }
        let user = |job: JobId| workload.attribute(job, Field::User);
        for (at, one) in self.tree.iter().enumerate().filter(|(_, one)| one.bounds != Bounds::default()) {
            let below =
                |job: JobId| self.association(workload, job).filter(|&own| self.is_below(own, at)).map(|_| 0);
            let name = format!(
                "{}{}",
                one.account,
                one.user.as_ref().map_or(String::new(), |user| format!("/{user}"))
            );
            made.group(&one.bounds, &below, &format!("association {name}"))?;
        }
        // MaxJobs of an account is that of each of its users that has none of its own.
        let of_user = |job: JobId| -> Option<(i64, i64)> {
            let own = self.association(workload, job)?;
            let most = self.above(own).find_map(|at| self.tree[at].bounds.user_jobs)?;
            Some((most, own as i64))
        };
        let mut bounds: Vec<i64> = workload.jobs().filter_map(|job| Some(of_user(job)?.0)).collect();
        bounds.sort_unstable();
        bounds.dedup();
        for most in bounds {
            let of = |job: JobId| of_user(job).filter(|(bound, _)| *bound == most).map(|(_, own)| own);
            made.add(LimitedQuantity::Jobs, most.into(), &of, format!("MaxJobs = {most}"))?;
        }
        for (at, qos) in self.system.qos.iter().enumerate() {
            let is_of = |job: JobId| self.qos(workload, job) == Some(at);
            made.group(&qos.bounds, &|job| is_of(job).then_some(0), &format!("QOS {}", qos.name))?;
            let each = |job: JobId| is_of(job).then(|| user(job));
            if let Some(most) = qos.bounds.user_jobs {
                made.add(
                    LimitedQuantity::Jobs,
                    most.into(),
                    &each,
                    format!("MaxJobsPU = {most} (QOS {})", qos.name),
                )?;
            }
            made.tres(&qos.bounds.user_tres, &each, &format!("MaxTRESPU of QOS {}", qos.name))?;
        }
        Ok(made.table)
    }

    /// Returns an association and those above it.
    fn above(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        // A tree of a broken file may have a cycle.
        std::iter::successors(Some(at), |&at| self.tree[at].parent).take(self.tree.len())
    }

    fn is_below(&self, own: usize, at: usize) -> bool {
        self.above(own).any(|above| above == at)
    }
}

/// The limits under construction.
struct Made<'a> {
    workload: &'a Workload,
    findings: &'a mut Findings,
    table: LimitTable,
}

impl Made<'_> {
    /// Adds the bounds on all jobs of a group.
    fn group(&mut self, bounds: &Bounds, of: Of<'_>, name: &str) -> Result<(), Refusal> {
        if let Some(most) = bounds.group_jobs {
            self.add(LimitedQuantity::Jobs, most.into(), of, format!("GrpJobs = {most} ({name})"))?;
        }
        self.tres(&bounds.group_tres, of, &format!("GrpTRES of {name}"))?;
        for bound in &bounds.group_run_minutes {
            if bound.resource == "cpu" {
                let most = i128::from(bound.most) * i128::from(Time::from_secs(60).ticks());
                self.add(
                    LimitedQuantity::Work,
                    most,
                    of,
                    format!("GrpTRESRunMins = cpu={} ({name})", bound.most),
                )?;
            } else {
                self.unsupported(format!("GrpTRESRunMins {} of {name}", bound.resource))?;
            }
        }
        Ok(())
    }

    fn tres(&mut self, bounds: &[TresLimit], of: Of<'_>, name: &str) -> Result<(), Refusal> {
        for bound in bounds {
            if bound.resource == "cpu" {
                self.add(
                    LimitedQuantity::Procs,
                    bound.most.into(),
                    of,
                    format!("cpu={} ({name})", bound.most),
                )?;
            } else {
                self.unsupported(format!("{} in {name}", bound.resource))?;
            }
        }
        Ok(())
    }

    fn unsupported(&mut self, detail: String) -> Result<(), Refusal> {
        self.findings.report(&LIMIT_UNSUPPORTED, || Example { place: None, detail })
    }

    fn add(
        &mut self,
        quantity: LimitedQuantity,
        most: i128,
        of: Of<'_>,
        words: String,
    ) -> Result<(), Refusal> {
        let rows = self.workload.jobs().map(|job| self.workload.row(job) + 1).max().unwrap_or(0);
        let mut classes = vec![NO_CLASS; rows];
        let mut numbers: BTreeMap<i64, u32> = BTreeMap::new();
        let mut above = 0;
        let probe = Limit::running(quantity, most, Vec::new(), String::new());
        for job in self.workload.jobs() {
            let Some(key) = of(job) else { continue };
            // One that was cancelled while it waited never started.
            if self.workload.patience(job).is_none() && probe.amount(self.workload, job) > most {
                above += 1;
                continue;
            }
            let next = numbers.len() as u32;
            classes[self.workload.row(job)] = *numbers.entry(key).or_insert(next);
        }
        self.findings.report_many(&ABOVE_LIMIT, above, || Example { place: None, detail: words.clone() })?;
        if !numbers.is_empty() {
            self.table.limits.push(Limit::running(quantity, most, classes, words));
        }
        Ok(())
    }
}
