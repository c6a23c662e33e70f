//! Limits on waiting: one for all jobs, or computed for each.

use batchlab_traces::Time;
use batchlab_traces::expr::ExprType;

use super::expressions::{NOT_YET, PerJob, number, vocabulary};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, Setting};
use crate::view::JobView;

/// `none`, the default, is no limit: a length that suits one workload turns another into first come, first served (the paper's
/// 600 s are sixty mean run times there and a fraction of one in real logs), so no other default makes sense. A time holds for
/// all jobs. `expr(…)` is evaluated once per job, at its submission, over what is known of it then; a plain number is in seconds,
/// a negative value counts as zero, and an infinite or missing value as no limit.
pub const WAITLIMIT: ParamSpec = ParamSpec {
    name: "waitlimit",
    kind: ParamKind::WaitLimit,
    default: "none",
    help: "a job that has waited this long lets no job pass while it does not fit",
    ..ParamSpec::PLAIN
};

#[derive(Clone, Debug)]
pub enum WaitLimit {
    Never,
    After(Time),
    /// For each job the value of an expression at its submission.
    Computed(Box<PerJob>),
}

impl WaitLimit {
    /// Returns the limit that a parameter of kind [`ParamKind::WaitLimit`] sets; no limit if it is not declared.
    pub fn from_params(params: &Params, key: &str, setting: &Setting<'_>) -> Result<WaitLimit, BuildError> {
        let Some(program) = number(params, key, &vocabulary(setting).hiding("wait", NOT_YET))? else {
            return Ok(params.duration(key).map_or(WaitLimit::Never, WaitLimit::After));
        };
        if ![ExprType::TIME, ExprType::PLAIN].contains(&program.kind()) {
            let reason = format!("a limit on waiting is a time, and this is {}", program.kind());
            return Err(params.unfit(key, reason));
        }
        Ok(WaitLimit::Computed(Box::new(PerJob::new(program))))
    }

    /// Returns when a job that was just submitted reaches its limit, given its expected run time; `None` for never.
    #[inline]
    pub fn reached(&mut self, job: JobView<'_>, expected: Time) -> Option<Time> {
        let limit = match self {
            WaitLimit::Never => return None,
            WaitLimit::After(limit) => *limit,
            WaitLimit::Computed(computed) => {
                let seconds = computed.of(job, expected);
                if seconds.is_nan() || seconds == f64::INFINITY {
                    return None;
                }
                Time::from_secs_f64(seconds.max(0.0))
            }
        };
        Some(job.submit().saturating_add(limit))
    }
}
