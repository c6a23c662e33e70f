//! Schedules as the simulator Batsim writes them, for evalys and other programs that read its results: `jobs.csv` with a row for
//! each job, and `schedule.csv` with one row of sums and means.
//!
//! Source: `JobsTracer` in Batsim 4.1 (`src/export.cpp`), the same columns in the same order, and its definitions: means are over all
//! jobs, rejected ones too, and slowdowns are not bounded. Times are seconds with six decimals. A machine is a processor; see
//! the column `processors` of [`super::SCHEDULE_COLUMNS`] for its number.
//!
//! What a replay does not know is an empty cell: the time that the scheduler took and the energy. Rows follow the trace.

use std::io::{self, Write};

use batchlab_traces::{JobId, Time};

use super::processors::{Processors, numbered};
use crate::metrics::{Measurement, Served};
use crate::outcome::{Fate, Outcome};

const JOBS: &str = "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,\
    starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata";

/// The name of the workload in every row, as Batsim names its first one.
const WORKLOAD: &str = "w0";

/// Writes the jobs that ended or were rejected: Batsim, too, writes a job when it ends. The submission is the instant at which the
/// job entered the queue.
pub fn write_batsim_jobs(measurement: &Measurement<'_>, out: &mut impl Write) -> io::Result<()> {
    let processors = numbered(measurement);
    writeln!(out, "{JOBS}")?;
    for job in measurement.workload().by_row() {
        if let Some(state) = state(measurement.outcome(), job) {
            row(measurement, (job, state), processors[job.index()].as_ref(), out)?;
        }
    }
    Ok(())
}

fn row(
    measurement: &Measurement<'_>,
    (job, state): (JobId, &str),
    processors: Option<&Processors>,
    out: &mut impl Write,
) -> io::Result<()> {
    let workload = measurement.workload();
    let (number, procs) = (workload.number(job), workload.procs(job));
    let (submit, limit) = (seconds(workload.submit(job)), seconds(workload.estimate(job)));
    let success = u8::from(state == SUCCESS);
    write!(out, "{number},{WORKLOAD},{number},{submit},{procs},{limit},{success},{state},")?;
    if state == REJECTED {
        write!(out, ",,,,,,")?;
    } else {
        let served = measurement.served(job);
        let length = served.end - served.start;
        let times = [served.start, length, served.end, served.wait(), served.response()].map(seconds);
        let stretch = stretch(&served).map(|stretch| format!("{stretch:.6}")).unwrap_or_default();
        write!(out, "{},{stretch},", times.join(","))?;
    }
    let words = measurement.outcome().descriptions.get(&job).map_or("", String::as_str).replace('"', "\"\"");
    writeln!(out, "{},,\"{words}\"", processors.map(ToString::to_string).unwrap_or_default())
}

/// Batsim's names of how a job ended, with its fate. A job that it stopped at its requested time has run as long as it may.
const STATES: [(&str, Fate); 5] = [
    (SUCCESS, Fate::Finished),
    ("COMPLETED_FAILED", Fate::Finished),
    ("COMPLETED_WALLTIME_REACHED", Fate::Finished),
    (KILLED, Fate::Killed),
    (REJECTED, Fate::Rejected),
];

const SUCCESS: &str = "COMPLETED_SUCCESSFULLY";
const KILLED: &str = "COMPLETED_KILLED";
const REJECTED: &str = "REJECTED";

pub(super) fn fate(state: &str) -> Option<Fate> {
    STATES.iter().find(|(name, _)| *name == state).map(|(_, fate)| *fate)
}

/// Returns Batsim's name of how a job ended; `None` if it had not ended when the replay was stopped.
fn state(outcome: &Outcome, job: JobId) -> Option<&'static str> {
    match outcome.fate(job) {
        Fate::Rejected => Some(REJECTED),
        Fate::Finished => outcome.started(job).map(|_| SUCCESS),
        Fate::Killed | Fate::Cancelled => outcome.started(job).map(|_| KILLED),
        Fate::Unfinished => None,
    }
}

/// Returns the turnaround time by the time on the machine; `None` if that is 0.
fn stretch(served: &Served) -> Option<f64> {
    crate::metrics::served::ratio(served.response(), served.end - served.start)
}

fn seconds(time: Time) -> String {
    let ticks = time.ticks();
    let sign = if ticks < 0 { "-" } else { "" };
    format!("{sign}{}.{:06}", ticks.unsigned_abs() / 1_000_000, ticks.unsigned_abs() % 1_000_000)
}

/// Writes the sums and means of a schedule. Processors are idle when no job has them, from the log's zero up to the last end.
pub fn write_batsim_summary(measurement: &Measurement<'_>, out: &mut impl Write) -> io::Result<()> {
    let cells = summary(measurement);
    let join = |cells: Vec<&str>| cells.join(",");
    writeln!(out, "{}", join(cells.iter().map(|(name, _)| *name).collect()))?;
    writeln!(out, "{}", join(cells.iter().map(|(_, cell)| &cell[..]).collect()))
}

/// Returns the columns of the summary in their order, which is the alphabet's.
fn summary(measurement: &Measurement<'_>) -> Vec<(&'static str, String)> {
    let states =
        measurement.workload().jobs().filter_map(|job| Some((job, state(measurement.outcome(), job)?)));
    let states: Vec<(JobId, &str)> = states.collect();
    let count = |name: &str| states.iter().filter(|(_, state)| *state == name).count();
    let (killed, rejected, jobs) = (count(KILLED), count(REJECTED), states.len());
    let ended = states.iter().filter(|(_, state)| *state != REJECTED);
    let ended: Vec<Served> = ended.map(|&(job, _)| measurement.served(job)).collect();
    let ratio = |sum: f64, count: usize| {
        if count > 0 { format!("{:.6}", sum / count as f64) } else { String::new() }
    };
    // A rejected job is in no mean; Batsim divides by all jobs.
    let mean = |sum: f64| ratio(sum, ended.len());
    let sum =
        |time: &dyn Fn(&Served) -> Time| ended.iter().map(time).fold(Time::ZERO, |sum, time| sum + time);
    let most = |time: &dyn Fn(&Served) -> Time| seconds(ended.iter().map(time).max().unwrap_or(Time::ZERO));
    let stretches = || ended.iter().filter_map(stretch);
    let makespan = ended.iter().map(|served| served.end).max().unwrap_or(Time::ZERO);
    let procs = measurement.machine().procs();
    let busy: i128 = ended
        .iter()
        .map(|served| i128::from(served.procs) * i128::from((served.end - served.start).ticks()))
        .sum();
    let idle = i128::from(procs) * i128::from(makespan.ticks()) - busy;
    let long = |ticks: i128| format!("{}.{:06}", ticks.max(0) / 1_000_000, ticks.max(0) % 1_000_000);
    let (none, zero) = (String::new, || seconds(Time::ZERO));
    vec![
        ("batsim_version", none()),
        ("consumed_joules", none()),
        ("makespan", seconds(makespan)),
        ("max_slowdown", format!("{:.6}", stretches().fold(0.0, f64::max))),
        ("max_turnaround_time", most(&Served::response)),
        ("max_waiting_time", most(&Served::wait)),
        ("mean_slowdown", mean(stretches().sum())),
        ("mean_turnaround_time", mean(sum(&Served::response).secs())),
        ("mean_waiting_time", mean(sum(&Served::wait).secs())),
        ("nb_computing_machines", procs.to_string()),
        ("nb_grouped_switches", "0".into()),
        ("nb_jobs", jobs.to_string()),
        ("nb_jobs_finished", ended.len().to_string()),
        ("nb_jobs_killed", killed.to_string()),
        ("nb_jobs_rejected", rejected.to_string()),
        ("nb_jobs_success", (ended.len() - killed).to_string()),
        ("nb_machine_switches", "0".into()),
        ("scheduling_time", none()),
        ("simulation_time", none()),
        ("success_rate", ratio((ended.len() - killed) as f64, jobs)),
        ("time_computing", long(busy)),
        ("time_idle", long(idle)),
        ("time_sleeping", zero()),
        ("time_switching_off", zero()),
        ("time_switching_on", zero()),
        ("time_unavailable", zero()),
    ]
}
