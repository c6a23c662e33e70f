//! Joins the runs of jobs that were put back into the queue.

use std::collections::HashMap;

use super::{
    Env, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec, StepText, choices,
    parameters,
};
use crate::arrange::Arrange as _;
use crate::header::{ColumnScope, ResourceDeclaration};
use crate::reading::Requeues;
use crate::trace::{CANCELLED, ELIGIBLE, Trace};
use crate::{Column, Example, Field, Number, Refusal, Time, kinds, status};

pub(super) const SPEC: StepSpec = StepSpec::of::<RequeuesText>(
    "requeues",
    "one job for the runs of each job that was put back into the queue: submitted with the first run, and as \
              long as the last one, or as all together",
);

parameters! {
    struct RequeuesText;
    run: RunTime = "last", "last or sum",
        "the run time of the job: that of its last run (earlier runs lost their work), or the sum of its runs (each \
         went on where the one before had stopped)";
}

choices!(RunTime: Last | Sum);

impl StepText for RequeuesText {
    fn step(self, _: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        Ok(Box::new(match self.run {
            RunTime::Last => Requeues::Last,
            RunTime::Sum => Requeues::Sum,
        }))
    }
}

kinds! {
    RUNS_APART: Note "job-runs-apart",
        "{run|runs} of requeued jobs before {its|their} last one",
        "each run is replayed as a job that enters when its own record was submitted, and not before its \
         previous run had ended",
        "--requeues last replays each job once, with its last run; --requeues sum with all its runs together";
    RUNS_LOST: Note "job-runs-lost",
        "{run|runs} of requeued jobs before {its|their} last one",
        "not replayed: the job is replayed once, from its first submission, with the run time of its last run",
        "--requeues each keeps the load of these runs; what requeues a job in the replay is a calendar (--calendar)";
    RUNS_JOINED: Note "job-runs-joined",
        "{run|runs} of requeued jobs before {its|their} last one",
        "the job is replayed once, from its first submission, with the sum of the run times",
        "--requeues last if the earlier runs lost their work";
}

const RUNS: &str = "runs";

#[derive(Debug)]
struct Job {
    /// The row of the last run, and its run time; zero if it is unknown.
    last: usize,
    run: Time,
    rows: Vec<usize>,
    runs: u64,
    /// The sum of the known run times before the last run.
    before: Time,
    /// When the run before the last one ended.
    ended: Option<Time>,
    /// The rows of later runs, each with the end of the run before.
    later: Vec<(usize, Time)>,
}

impl Requeues {
    /// Joins the runs of each job; with [`Requeues::Each`] each later run is eligible when the run before has ended, as all
    /// records of a job may state its first submission. O(n log n), O(1) if the log gives no number twice.
    pub fn join(self, mut trace: Trace) -> Result<Trace, Refusal> {
        let jobs = jobs(&trace);
        let (kind, word) = match self {
            Requeues::Each => (&RUNS_APART, "each"),
            Requeues::Last => (&RUNS_LOST, "last"),
            Requeues::Sum => (&RUNS_JOINED, "sum"),
        };
        for job in &jobs {
            let first = job.first(&trace);
            let (runs, place) = (job.runs - 1, trace.place(first));
            let number = trace.get(first, Field::Job);
            let detail = format!("job {number}: {} runs, {} s before the last", job.runs, job.before);
            trace.findings.report_many(kind, runs, || Example::at(&place, detail))?;
        }
        if jobs.is_empty() {
            return Ok(trace);
        }
        if self == Requeues::Each {
            let moved = let_later_runs_wait(&mut trace, &jobs);
            if moved > 0 {
                let what = "later runs of requeued jobs eligible when the run before had ended (each)";
                trace.provenance.step("requeues", what, moved);
            }
            return Ok(trace);
        }
        let lost = jobs.iter().map(|job| job.runs - 1).sum();
        trace.provenance.step("requeues", format!("runs of requeued jobs joined ({word})"), lost);
        let rows = kept(&trace, &jobs);
        self.edit(&mut trace, &jobs);
        Ok(trace.select(&rows))
    }

    /// Gives the last record of each job the number, the submission and the eligibility of the first one.
    fn edit(self, trace: &mut Trace, jobs: &[Job]) {
        let mut numbers: Vec<Number> = trace.column(Field::Job).iter().collect();
        let mut times = [Field::Submit, Field::Wait, Field::Run]
            .map(|field| trace.column(field).iter().collect::<Vec<Number>>());
        let mut runs = vec![Number::whole(1); trace.len()];
        let mut columns = [ELIGIBLE, CANCELLED]
            .map(|name| trace.resource(name).map(|column| column.iter().collect::<Vec<Number>>()));
        for job in jobs {
            let (first, last) = (job.first(trace), job.last);
            let time = |field| trace.time(last, field);
            let moved = time(Field::Submit) - trace.time(first, Field::Submit);
            let (wait, run) = (time(Field::Wait), time(Field::Run));
            let before = if self == Requeues::Sum && run >= Time::ZERO { job.before } else { Time::ZERO };
            let micro = |time: Time| Number::from_micro(time.ticks());
            numbers[last] = numbers[first];
            times[0][last] = times[0][first];
            if wait >= Time::ZERO {
                times[1][last] = micro((wait + moved - before).max(Time::ZERO));
            }
            if run >= Time::ZERO {
                times[2][last] = micro(run.saturating_add(before));
            }
            if let [Some(eligible), _] = &mut columns {
                eligible[last] = eligible[first];
            }
            if let [_, Some(cancelled)] = &mut columns
                && !cancelled[last].is_unknown()
            {
                cancelled[last] = Number::from_micro(cancelled[last].to_micro() + moved.ticks());
            }
            runs[last] = Number::whole(job.runs as i64);
        }
        let column = |numbers: Vec<Number>| numbers.into_iter().collect::<Column>();
        trace.set_column(Field::Job, column(numbers));
        for (field, numbers) in [Field::Submit, Field::Wait, Field::Run].into_iter().zip(times) {
            trace.set_column(field, column(numbers));
        }
        for (name, numbers) in [ELIGIBLE, CANCELLED].into_iter().zip(columns) {
            if let Some(numbers) = numbers {
                trace.set_resource(ResourceDeclaration::new(name, "s", ColumnScope::Job), column(numbers));
            }
        }
        trace.set_resource(ResourceDeclaration::new(RUNS, "", ColumnScope::Job), column(runs));
    }
}

/// Returns the rows that stay when the runs of jobs are joined: the last record of a job stands at the place of its first one.
fn kept(trace: &Trace, jobs: &[Job]) -> Vec<u32> {
    let mut content: Vec<Option<u32>> = (0..trace.len() as u32).map(Some).collect();
    for job in jobs {
        for &row in &job.rows {
            content[row] = None;
        }
        content[job.first(trace)] = Some(job.last as u32);
    }
    content.into_iter().flatten().collect()
}

/// Returns the row of a log of each row of the log with its runs joined, that of the last run; `None` if no job ran several times.
/// O(n log n).
pub fn rows_of_joined(trace: &Trace) -> Option<Vec<u32>> {
    let jobs = jobs(trace);
    (!jobs.is_empty()).then(|| kept(trace, &jobs))
}

/// Delays the eligibility of each later run to the end of the run before. Returns the number of runs that this delays.
fn let_later_runs_wait(trace: &mut Trace, jobs: &[Job]) -> u64 {
    let mut eligible: Vec<Number> = match trace.resource(ELIGIBLE) {
        Some(column) => column.iter().collect(),
        None => vec![Number::UNKNOWN; trace.len()],
    };
    let mut moved = 0;
    for &(row, ended) in jobs.iter().flat_map(|job| &job.later) {
        let held = (ended - trace.time(row, Field::Submit)).ticks();
        if held > eligible[row].to_micro().max(0) {
            eligible[row] = Number::from_micro(held);
            moved += 1;
        }
    }
    if moved > 0 {
        trace.set_resource(
            ResourceDeclaration::new(ELIGIBLE, "s", ColumnScope::Job),
            eligible.into_iter().collect::<Column>(),
        );
    }
    moved
}

/// How long after its end a job can still be put back into the queue: Slurm's controller forgets it then.
///
/// Source: slurm.conf(5), `MinJobAge`, default.
const FORGOTTEN: Time = Time::from_secs(300);

/// Returns the row of the first run of each run of a job with several, by the row of the run. O(n log n).
pub fn first_runs(trace: &Trace) -> HashMap<usize, usize> {
    let of_job = |job: Job| {
        let first = job.first(trace);
        job.rows.into_iter().map(move |row| (row, first))
    };
    jobs(trace).into_iter().flat_map(of_job).collect()
}

/// Finds the jobs with several runs, in the order of the file: records with one number of the batch system (or one task of
/// an array without numbers) and one user, each of which [`follows`] the one before. Records with the same start
/// describe the same run, and the longer record counts; other records that overlap are not runs of one job.
fn jobs(trace: &Trace) -> Vec<Job> {
    let Some(own) = trace.resource("id") else { return Vec::new() };
    let value = |name: &str, row: usize| trace.resource(name).map_or(-1, |column| column.whole(row));
    let mut named: HashMap<[i64; 3], Vec<usize>> = HashMap::with_capacity(trace.len());
    let mut order = Vec::new();
    for row in 0..trace.len() {
        let user = trace.get(row, Field::User).truncated();
        let key = match own.whole(row) {
            id if id >= 0 => [id, -1, user],
            _ => [value("array", row), value("array_task", row), user],
        };
        // A row for the rest of an array is no task.
        if key[0] < 0 || own.whole(row) < 0 && key[1] < 0 || trace.get(row, Field::Submit).is_unknown() {
            continue;
        }
        let rows = named.entry(key).or_default();
        rows.push(row);
        if rows.len() == 2 {
            order.push(key);
        }
    }
    let mut jobs = Vec::new();
    for key in order {
        let mut rows = named.remove(&key).unwrap_or_default();
        rows.arrange_by_key(|&row| (start(trace, row), trace.time(row, Field::Run), row));
        let mut job: Option<Job> = None;
        for row in rows {
            let run = trace.time(row, Field::Run).max(Time::ZERO);
            let begin = start(trace, row);
            match &mut job {
                Some(job) if begin == start(trace, job.last) && run > job.run => {
                    (job.last, job.run) = (row, run);
                    job.rows.push(row);
                    job.later.extend(job.ended.map(|ended| (row, ended)));
                }
                Some(job) if follows(trace, row, job) => {
                    let ended = start(trace, job.last).saturating_add(job.run);
                    job.ended = Some(ended);
                    job.later.push((row, ended));
                    job.before = job.before.saturating_add(job.run);
                    (job.last, job.run) = (row, run);
                    job.runs += 1;
                    job.rows.push(row);
                }
                _ => {
                    let (before, ended, later) = (Time::ZERO, None, Vec::new());
                    let next = Job { last: row, run, rows: vec![row], runs: 1, before, ended, later };
                    jobs.extend(job.replace(next).filter(|job| job.runs > 1));
                }
            }
        }
        jobs.extend(job.filter(|job| job.runs > 1));
    }
    jobs
}

/// Whether a record is of the next run of a job, and not of another job that got its number when the batch system's numbers
/// began again: it starts when the run before has ended, it was submitted before the system forgot the job, and that run did
/// not complete.
///
/// Sources: `_job_requeue_op` in slurmctld's `job_mgr.c`, which gives a job that is put back the time of that as its submission;
/// accounting(5) of Grid Engine and the `ctime` of PBS keep the first submission; sacct(1), `--duplicates`, on numbers that are
/// given again.
fn follows(trace: &Trace, row: usize, job: &Job) -> bool {
    let ended = start(trace, job.last).saturating_add(job.run);
    let is_complete = trace.get(job.last, Field::Status).truncated() == status::COMPLETED;
    let is_known = trace.time(row, Field::Submit) <= ended.saturating_add(FORGOTTEN);
    start(trace, row) >= ended && is_known && !is_complete
}

/// Returns when a run started, or when it was submitted if it never started.
fn start(trace: &Trace, row: usize) -> Time {
    trace.time(row, Field::Submit).saturating_add(trace.time(row, Field::Wait).max(Time::ZERO))
}

impl Job {
    fn first(&self, trace: &Trace) -> usize {
        let rows = self.rows.iter().copied();
        rows.min_by_key(|&row| (trace.time(row, Field::Submit), row)).unwrap_or(self.last)
    }
}

impl Step for Requeues {
    fn apply(&self, mut work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
        let jobs = jobs(&work.trace);
        let (total, runs) = (work.total(), jobs.iter().map(|job| job.runs - 1).sum());
        if !jobs.is_empty() {
            let rows = kept(&work.trace, &jobs);
            self.edit(&mut work.trace, &jobs);
            work = work.select(&rows);
        }
        Ok(StepOutput::one(
            work,
            runs,
            format!("of {total} joined with a later run of the same job ({self})"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Header;
    use crate::trace::{Holds, trace_of};

    /// Records as (number of the batch system, submit, wait, run, status).
    type Run = (i64, i64, i64, i64, i64);

    /// A log with jobs numbered from 1; the third is held for two minutes.
    fn trace(runs: &[Run]) -> Trace {
        let fields = [Field::Job, Field::User, Field::Submit, Field::Wait, Field::Run, Field::Status];
        let rows =
            (1..).zip(runs).map(|(at, &(_, submit, wait, run, status))| [at, 7, submit, wait, run, status]);
        let mut trace = trace_of(Header::default(), fields, rows);
        let ids = runs.iter().map(|run| Number::whole(run.0)).collect();
        trace.set_resource(ResourceDeclaration::new("id", "", ColumnScope::Job), ids);
        let held = (1..=runs.len()).map(|at| Number::whole(if at == 3 { 120 } else { 0 })).collect();
        trace.set_resource(ResourceDeclaration::new(ELIGIBLE, "s", ColumnScope::Job), held);
        trace
    }

    /// Number, submit, wait, run, status and runs of the jobs that are left.
    fn joined(how: Requeues, runs: &[Run]) -> Vec<[i64; 6]> {
        let trace = how.join(trace(runs)).unwrap();
        let get = |row: usize, field| trace.get(row, field).truncated();
        let fields = [Field::Job, Field::Submit, Field::Wait, Field::Run, Field::Status];
        let runs = |row: usize| trace.resource(RUNS).map_or(-1, |column| column.whole(row));
        let job = |row: usize| {
            let [number, submit, wait, run, status] = fields.map(|field| get(row, field));
            [number, submit, wait, run, status, runs(row)]
        };
        (0..trace.len()).map(job).collect()
    }

    /// Job 5 fails twice and completes; job 6 runs once in between.
    const RECORDS: [Run; 4] = [(5, 0, 10, 40, 0), (6, 20, 0, 10, 1), (5, 50, 150, 30, 0), (5, 230, 0, 60, 1)];

    #[test]
    fn a_job_enters_with_its_first_run_and_is_as_long_as_its_last_or_all() {
        // It starts for the last time at 230 and ends at 290.
        assert_eq!(joined(Requeues::Last, &RECORDS), [[1, 0, 230, 60, 1, 3], [2, 20, 0, 10, 1, 1]]);
        // It runs for 40 + 30 + 60 seconds, and waits for the rest of the time until 290.
        assert_eq!(joined(Requeues::Sum, &RECORDS), [[1, 0, 160, 130, 1, 3], [2, 20, 0, 10, 1, 1]]);
        assert_eq!(joined(Requeues::Each, &RECORDS).len(), 4);
        for how in [Requeues::Each, Requeues::Last, Requeues::Sum] {
            let joined = how.join(trace(&RECORDS)).unwrap();
            let counted: Vec<u64> = joined.findings.list().iter().map(|finding| finding.count).collect();
            assert_eq!(counted, [2], "{how}");
        }
        let trace = Requeues::Last.join(trace(&RECORDS)).unwrap();
        assert_eq!(Holds::of(&trace).get(0), Time::ZERO, "the hold of a later run is not that of the job");
    }

    #[test]
    fn a_later_run_of_its_own_enters_when_the_run_before_has_ended() {
        // Grid Engine's records all state the first submission; the runs are from 10 to 50, from 90 to 120 and from 120.
        let of_grid_engine = [(5, 0, 10, 40, 0), (5, 0, 90, 30, 0), (5, 0, 120, 60, 1)];
        let held = |runs: &[Run]| -> Vec<i64> {
            let log = Requeues::Each.join(trace(runs)).unwrap();
            (0..log.len()).map(|row| Holds::of(&log).get(row).ticks() / 1_000_000).collect()
        };
        assert_eq!(held(&of_grid_engine), [0, 50, 120]);
        // A record with a submission of its own keeps it: the third is held for two minutes by the log.
        assert_eq!(held(&RECORDS), [0, 0, 120, 0]);
    }

    #[test]
    fn a_job_that_is_cancelled_while_it_waits_again_has_no_run_time() {
        let runs = [(5, 0, 10, 40, 0), (5, 50, -1, -1, 5)];
        assert_eq!(joined(Requeues::Sum, &runs), [[1, 0, -1, -1, 5, 2]]);
    }

    #[test]
    fn records_of_one_run_are_joined_and_records_that_overlap_are_not() {
        // Two records of the run from 0, then another run.
        let twice = [(5, 0, 0, 15, 1), (5, 0, 0, 35, 0), (5, 35, 100, 9, 1)];
        assert_eq!(joined(Requeues::Sum, &twice), [[1, 0, 100, 44, 1, 2]]);
        // Two jobs with one number at a time: numbers of another machine, or counted from the beginning again.
        let overlapping = [(5, 0, 0, 100, 1), (5, 50, 0, 100, 1)];
        assert_eq!(joined(Requeues::Last, &overlapping).len(), 2);
    }

    #[test]
    fn a_number_given_again_is_another_job() {
        let years = 8 * 365 * 86_400;
        // The first run ends at 50 with this status; the second record has this submission.
        let left = |status: i64, submit: i64| {
            joined(Requeues::Last, &[(5, 0, 10, 40, status), (5, submit, 100, 60, 1)]).len()
        };
        for failed in [0, 5, -1] {
            assert_eq!(left(failed, years), 2, "status {failed}: another job, years later");
            assert_eq!(left(failed, 50), 1, "status {failed}: Slurm submits it anew when its run ends");
            assert_eq!(left(failed, 0), 1, "status {failed}: Grid Engine and PBS keep the first submission");
            assert_eq!(
                (left(failed, 350), left(failed, 351)),
                (1, 2),
                "status {failed}: forgotten after 300 s"
            );
        }
        for submit in [0, 50, years] {
            assert_eq!(left(1, submit), 2, "submitted at {submit}: a job that completed is not requeued");
        }
        // Three jobs with one number, the second of which was requeued once.
        let jobs =
            [(5, 0, 0, 40, 0), (5, years, 0, 40, 0), (5, years + 40, 10, 70, 1), (5, 2 * years, 0, 30, 1)];
        assert_eq!(
            joined(Requeues::Sum, &jobs).iter().map(|job| (job[3], job[5])).collect::<Vec<_>>(),
            [(40, 1), (110, 2), (30, 1)]
        );
    }
}
