use batchlab_traces::status::{CANCELLED, COMPLETED, FAILED};

use super::value::{count, load, of, span, status, text, usage, whole};
use super::{LogColumn, ValueKind};
use crate::info::{LogInstant, WeeklyCycle};
use crate::replay::conditions::short_name;
use crate::table::Cell;

const SWF: &str = "Standard Workload Format, header";
const HERE: &str = "defined here";
const BOOK: &str = "Feitelson 2015, \"Workload Modeling for Computer Systems Performance Evaluation\"";
const ESTIMATES: &str = "Tsafrir, Etsion, Feitelson 2005, \"Modeling user runtime estimates\"";
const DAY: f64 = 86_400.0;

/// Defines each column: its key, heading and kind; its definition and source; its value.
macro_rules! columns {
    ($($key:literal $heading:literal $kind:ident: $definition:literal, $cite:expr, $value:expr;)+) => {
        /// All columns, in the order in which `all` shows them.
        pub static COLUMNS: &[LogColumn] = &[$(LogColumn {
            key: $key, heading: $heading, kind: ValueKind::$kind,
            definition: $definition, cite: $cite, value: $value,
        }),+];
    };
}

columns! {
    "log" "log" Text: "name of the log, shortened to site and machine where that distinguishes the \
        logs", HERE,
        |info| text(Some(short_name(&info.source.name)));
    "version" "version" Text: "name of the file without its ending", HERE,
        |info| text(Some(short_name(&info.source.name)));
    "sha256" "SHA-256" Text: "the first twelve digits of the file's SHA-256", HERE,
        |info| text(info.source.sha256.get(..12));
    "site" "site" Text: "Installation of the header", SWF, |info| text(info.machine.installation.as_deref());
    "computer" "computer" Text: "Computer of the header", SWF, |info| text(info.machine.computer.as_deref());
    "zone" "time zone" Text: "TimeZoneString of the header", SWF, |info| text(info.period.zone.as_deref());
    "procs" "procs" Count: "MaxProcs of the header", SWF, |info| whole(info.machine.procs);
    "nodes" "nodes" Count: "MaxNodes of the header", SWF, |info| whole(info.machine.nodes);
    "jobs" "jobs" Count: "records that are not parts of checkpointed jobs", HERE,
        |info| Cell::Number(info.jobs.jobs as f64);
    "records" "records" Count: "lines that are not comments", HERE,
        |info| Cell::Number(info.jobs.records as f64);
    "users" "users" Count: "different users", HERE, |info| count(info.jobs.users);
    "groups" "groups" Count: "different groups", HERE, |info| count(info.jobs.groups);
    "applications" "applications" Count: "different executables", HERE, |info| count(info.jobs.executables);
    "queues" "queues" Count: "different queues", HERE, |info| count(info.jobs.queues.len() as u64);
    "start" "start" Text: "day of the first submission, on the site's clock", HERE,
        |info| text(info.period.first_submit.as_ref().and_then(LogInstant::date));
    "end" "end" Text: "day of the last submission, on the site's clock", HERE,
        |info| text(info.period.last_submit.as_ref().and_then(LogInstant::date));
    "months" "months" Months: "from the first submission to the last, in months of 365.25/12 days", HERE,
        |info| span(info, DAY * 365.25 / 12.0);
    "days" "days" Days: "from the first submission to the last", HERE, |info| span(info, DAY);
    "load" "offered load" Share:
        "processors x run time of all jobs / (processors of the machine x (last submit - first submit))",
        BOOK, |info| load(info, |load| load.offered_load);
    "work" "work" ProcessorHours: "processors x run time of all jobs, in processor-hours", HERE,
        |info| load(info, |load| Some(load.work / 3600.0));
    "utilization" "utilization" Share:
        "processors x run time of all jobs / (MaxProcs x (last end - first submit)), as the log's \
         own schedule had it",
        BOOK, |info| usage(info, |usage| usage.utilization);
    "peak_procs" "most in use" Count:
        "most processors in use at once, as the log's own schedule had it", HERE,
        |info| usage(info, |usage| Some(usage.peak as f64));
    "mean_procs" "mean size" Number:
        "mean of requested processors, allocated processors where the request is unknown", HERE,
        |info| of(info.sizes.procs.as_ref(), |procs| procs.mean);
    "median_procs" "median size" Number: "median of requested processors", HERE,
        |info| of(info.sizes.procs.as_ref(), |procs| procs.median);
    "max_procs" "largest size" Count:
        "processors of the largest job", HERE, |info| whole(info.machine.largest_job);
    "serial" "serial" Share: "share of jobs with one processor", BOOK,
        |info| info.sizes.procs.as_ref().map(|_| info.sizes.serial).into();
    "powers_of_two" "powers of two" Share: "share of jobs whose size is a power of two, one included", BOOK,
        |info| info.sizes.procs.as_ref().map(|_| info.sizes.powers_of_two).into();
    "mean_run" "mean run time" Seconds:
        "mean run time", HERE, |info| of(info.times.run.as_ref(), |run| run.mean);
    "median_run" "median run time" Seconds: "median run time", HERE,
        |info| of(info.times.run.as_ref(), |run| run.median);
    "max_run" "longest run time" Seconds:
        "longest run time", HERE, |info| of(info.times.run.as_ref(), |run| run.max);
    "mean_wait" "mean wait" Seconds: "mean wait (field 3), as the log's own schedule had it", HERE,
        |info| of(info.times.wait.as_ref(), |wait| wait.mean);
    "median_wait" "median wait" Seconds: "median wait (field 3)", HERE,
        |info| of(info.times.wait.as_ref(), |wait| wait.median);
    "mean_request" "mean request" Seconds: "mean requested time, of jobs with a request", HERE,
        |info| of(info.times.request.as_ref(), |request| request.mean);
    "unrequested" "no request" Share: "share of jobs without a requested time", HERE,
        |info| Cell::Number(info.times.unrequested);
    "accuracy" "mean accuracy" Ratio: "mean of min(run, requested) / max(run, requested) time", ESTIMATES,
        |info| of(info.estimates.as_ref().and_then(|estimates| estimates.accuracy.as_ref()),
        |accuracy| accuracy.mean);
    "median_accuracy" "median accuracy" Ratio:
        "median of min(run, requested) / max(run, requested) time", ESTIMATES,
        |info| of(info.estimates.as_ref().and_then(|estimates| estimates.accuracy.as_ref()),
        |accuracy| accuracy.median);
    "exact" "exact requests" Share: "share of requests that are the run time", ESTIMATES,
        |info| info.estimates.as_ref().map(|estimates| estimates.exact).into();
    "overruns" "overruns" Share: "share of jobs that ran longer than requested", ESTIMATES,
        |info| info.times.accuracy.as_ref().map(|_| info.times.overrun_share).into();
    "requests" "different requests" Count: "different requested times", ESTIMATES,
        |info| info.estimates.as_ref().map(|estimates| estimates.distinct as f64).into();
    "requests_90" "requests for 90 %" Count:
        "fewest requested times that cover nine tenths of the requests", ESTIMATES,
        |info| info.estimates.as_ref().map(|estimates| estimates.cover_90 as f64).into();
    "mean_gap" "mean gap" Seconds: "mean interarrival time", HERE,
        |info| of(info.arrivals.gaps.as_ref(), |gaps| gaps.mean);
    "cv_gap" "cv of gaps" Ratio:
        "standard deviation / mean of interarrival times; 1 in a Poisson process", BOOK,
        |info| info.arrivals.cv.into();
    "autocorrelation" "autocorrelation" Ratio: "autocorrelation of interarrival times at lag 1", BOOK,
        |info| info.arrivals.autocorrelation.into();
    "working_days" "working days" Share:
        "share of jobs submitted from Monday to Friday, on the site's clock", HERE,
        |info| info.arrivals.cycle.as_ref().map(WeeklyCycle::working_days).into();
    "completed" "completed" Share: "share of records with status 1", SWF, |info| status(info, COMPLETED);
    "failed" "failed" Share: "share of records with status 0", SWF, |info| status(info, FAILED);
    "cancelled" "cancelled" Share: "share of records with status 5", SWF, |info| status(info, CANCELLED);
    "anomalies" "kinds of anomalies" Count: "kinds of anomalies", HERE,
        |info| Cell::Number(info.findings.len() as f64);
}
