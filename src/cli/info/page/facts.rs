//! Facts of the page that are written as sentences: use, estimates, arrivals, unknown fields.

use std::fmt::Write;

use crate::cli::terminal::text::{count, counted, duration, percent};
use crate::info::{Info, Modal};

/// The most requested times that the page lists.
const NAMED: usize = 5;

const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub fn usage(info: &Info) -> String {
    let Some(usage) = &info.usage else { return "unknown: no waits are recorded".into() };
    let utilization =
        usage.utilization.map_or("unknown without MaxProcs".into(), |used| format!("{used:.3}"));
    let mut text = format!(
        "utilization {utilization} by the log's own schedule of {}; at most {} in use at once",
        counted(usage.jobs, "job"),
        counted(usage.peak.max(0) as u64, "processor")
    );
    if usage.spells_above > 0 {
        let _ = write!(text, ", more than there are for {}", duration(usage.above));
    }
    text
}

pub fn estimates(info: &Info) -> String {
    let (times, estimates) = (&info.times, &info.estimates);
    let (Some(accuracy), Some(estimates)) = (&times.accuracy, estimates) else {
        return "no requested times".into();
    };
    let symmetric = estimates.accuracy.as_ref().map_or(0.0, |accuracy| accuracy.mean);
    format!(
        "run/requested {:.2} in the mean, median {:.2}; accuracy {symmetric:.2}, exact {}; no request {}, longer \
         than requested {} ({})",
        accuracy.mean,
        accuracy.median,
        percent(estimates.exact),
        percent(times.unrequested),
        counted(times.overruns, "job"),
        percent(times.overrun_share)
    )
}

pub fn requests(info: &Info) -> String {
    let Some(estimates) = &info.estimates else { return "none".into() };
    let named = |modal: &Modal| format!("{} {}", plain(modal.seconds), percent(modal.share));
    let named: Vec<String> = estimates.most_used.iter().take(NAMED).map(named).collect();
    let lead = match (estimates.cover_90, estimates.distinct) {
        (_, 1) => "the same for all jobs".to_owned(),
        (1, all) => format!("1 of {} different values covers 90 % of jobs", count(all)),
        (some, all) => format!("{} of {} different values cover 90 % of jobs", count(some), count(all)),
    };
    format!("{lead}; {}", named.join(", "))
}

pub fn arrivals(info: &Info) -> String {
    let arrivals = &info.arrivals;
    let Some(gaps) = &arrivals.gaps else { return "fewer than two submissions".into() };
    let ratio = |value: Option<f64>| value.map_or("undefined".into(), |value| format!("{value:.2}"));
    format!(
        "mean gap {}, median {}; coefficient of variation {}, autocorrelation at lag 1 {}; together with another {}",
        duration(gaps.mean),
        duration(gaps.median),
        ratio(arrivals.cv),
        ratio(arrivals.autocorrelation),
        percent(arrivals.together)
    )
}

pub fn cycle(info: &Info) -> String {
    let Some(cycle) = &info.arrivals.cycle else { return "unknown: the log does not give its date".into() };
    let ((busy, most), (quiet, fewest)) = (cycle.busiest_hour(), cycle.quietest_hour());
    let by_jobs = |day: &usize| cycle.days[*day];
    let busiest_day = (0..7).rev().max_by_key(by_jobs).unwrap_or(0);
    format!(
        "{} of jobs from Monday to Friday, most on {}; by hour {busy}:00 has {most:.1} times the mean, {quiet}:00 \
         {fewest:.1} times",
        percent(cycle.working_days()),
        DAYS[busiest_day]
    )
}

pub fn unknown(info: &Info) -> String {
    let (mut never, mut partly) = (Vec::new(), Vec::new());
    for missing in &info.missing {
        if missing.jobs == info.jobs.jobs {
            never.push(missing.field.to_owned());
        } else {
            partly.push(format!(
                "{} in {} ({})",
                missing.field,
                counted(missing.jobs, "job"),
                percent(missing.share)
            ));
        }
    }
    let mut parts = Vec::new();
    if !never.is_empty() {
        parts.push(format!("always {}", never.join(", ")));
    }
    parts.extend(partly);
    if parts.is_empty() { "nothing".into() } else { parts.join("; ") }
}

/// Returns a round time as people write it: "4 h", "90 min", "100 s".
pub fn plain(seconds: f64) -> String {
    for (unit, length) in [("d", 86_400.0), ("h", 3600.0), ("min", 60.0)] {
        if seconds >= length && seconds % length == 0.0 {
            return format!("{} {unit}", seconds / length);
        }
    }
    format!("{seconds} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_times_are_printed_in_the_unit_of_which_they_are_a_multiple() {
        let shown = [172_800.0, 14_400.0, 5400.0, 100.0, 0.5].map(plain);
        assert_eq!(shown, ["2 d", "4 h", "90 min", "100 s", "0.5 s"]);
    }
}
