//! A summary of a workload in the terms of workload models: arrivals, daily cycle, sizes, run times.

use serde::Serialize;

use crate::reading::Size;
use crate::workload::size;
use crate::{Calendar, Field, Time, Trace};

const DAY: i64 = 86_400;

/// The summary of a workload.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// Rows of the trace.
    pub jobs: u64,
    /// Times between submissions, in the order of submission, seconds.
    pub interarrival: Option<Moments>,
    /// Correlation of each interarrival time with the next: 0 if arrivals have no memory.
    pub interarrival_lag1: Option<f64>,
    /// Run times, seconds.
    pub run: Option<Moments>,
    /// Processors.
    pub size: Option<Moments>,
    /// Work submitted per second and processor of the machine, if the header states its size.
    pub load: Option<f64>,
    /// Share of the submissions in each hour of the day, from midnight on; empty without submissions.
    pub hours: Vec<f64>,
    /// The origin of the hours of the day.
    pub clock: HourOrigin,
    /// Jobs by size: 1, 2, 3–4, 5–8 and so on, up to the largest.
    pub sizes: Vec<Bin>,
    /// Jobs by run time, seconds: below 1, below 3, below 10, below 30 and so on.
    pub runs: Vec<Bin>,
}

/// The origin of the hours of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HourOrigin {
    /// The site's own clock.
    Site,
    /// The trace's zero, taken as midnight, since the header does not state the time.
    Zero,
}

/// Mean and variation of some values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moments {
    /// The number of values.
    pub known: u64,
    /// Mean.
    pub mean: f64,
    /// Coefficient of variation: standard deviation over mean; 0 for a mean of 0.
    pub cv: f64,
}

/// The jobs within an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The least value within the interval.
    pub from: f64,
    /// The least value above the interval.
    pub below: f64,
    /// Jobs.
    pub jobs: u64,
    /// Their share of the jobs whose value is known.
    pub share: f64,
}

/// Summarises a workload. O(n log n), or O(n) if submissions are in order.
pub fn describe(trace: &Trace) -> Description {
    let known = |field: Field| {
        (0..trace.len())
            .filter(move |&row| !trace.get(row, field).is_unknown())
            .map(move |row| trace.time(row, field))
    };
    let mut submits: Vec<Time> = known(Field::Submit).collect();
    submits.sort();
    let gaps: Vec<f64> = submits.windows(2).map(|pair| pair[1].secs() - pair[0].secs()).collect();
    let runs: Vec<f64> = known(Field::Run).map(Time::secs).collect();
    let known = |row| size(trace, Size::Requested, row).map(|size| size as f64);
    let sizes: Vec<f64> = (0..trace.len()).filter_map(known).collect();
    Description {
        jobs: trace.len() as u64,
        interarrival: Moments::of(&gaps),
        interarrival_lag1: lag1(&gaps),
        run: Moments::of(&runs),
        size: Moments::of(&sizes),
        load: load(trace, &submits),
        hours: hours(trace.calendar.as_ref(), &submits),
        clock: if trace.calendar.is_some() { HourOrigin::Site } else { HourOrigin::Zero },
        sizes: bins(&sizes, std::iter::successors(Some(2.0), |below| Some(below * 2.0)).map(above)),
        runs: bins(&runs, (0..).map(|half| [1.0, 3.0][half % 2] * 10f64.powi(half as i32 / 2))),
    }
}

impl Moments {
    /// Returns the moments of some values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Moments> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        let cv = if mean == 0.0 { 0.0 } else { variance.sqrt() / mean };
        (!values.is_empty()).then_some(Moments { known: values.len() as u64, mean, cv })
    }
}

/// Returns the bound above a bin of sizes: 1, 2, 4, ... belong to the bin that they close.
fn above(power: f64) -> f64 {
    power / 2.0 + 1.0
}

/// Returns the lag-1 autocorrelation Σ (xᵢ − m)(xᵢ₊₁ − m) / Σ (xᵢ − m)²; `None` for fewer than two values, or for equal ones.
pub fn lag1(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let square: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let product: f64 = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    (values.len() > 1 && square > 0.0).then(|| product / square)
}

/// Returns the offered load between the first submission and the last.
fn load(trace: &Trace, submits: &[Time]) -> Option<f64> {
    let procs = trace.header.max_procs.as_ref().map(|counted| counted.count).filter(|&procs| procs > 0)?;
    let period = (*submits.last()? - *submits.first()?).secs();
    let work = |row| {
        let run = Some(trace.time(row, Field::Run)).filter(|&run| run >= Time::ZERO)?;
        Some(run.secs() * size(trace, Size::Requested, row)? as f64)
    };
    let work: f64 = (0..trace.len()).filter_map(work).sum();
    (period > 0.0).then(|| work / (period * procs as f64))
}

fn hours(calendar: Option<&Calendar>, submits: &[Time]) -> Vec<f64> {
    if submits.is_empty() {
        return Vec::new();
    }
    let mut counts = [0u64; 24];
    for &submit in submits {
        let seconds = match calendar {
            None => Some(submit.ticks().div_euclid(crate::time::TICKS_PER_SECOND)),
            Some(calendar) => calendar.local(submit).map(|local| local.naive_local().and_utc().timestamp()),
        };
        if let Some(seconds) = seconds {
            counts[(seconds.rem_euclid(DAY) / 3600) as usize] += 1;
        }
    }
    counts.iter().map(|&count| count as f64 / submits.len() as f64).collect()
}

/// Counts values between bounds, the first bin being below the first bound; empty bins at the ends are omitted.
fn bins(values: &[f64], bounds: impl Iterator<Item = f64>) -> Vec<Bin> {
    let most = values.iter().copied().fold(0.0, f64::max);
    let mut bins: Vec<Bin> = Vec::new();
    let mut from = 0.0;
    for below in bounds {
        bins.push(Bin { from, below, jobs: 0, share: 0.0 });
        from = below;
        if below > most {
            break;
        }
    }
    for &value in values {
        let at = bins.partition_point(|bin| bin.below <= value);
        bins[at].jobs += 1;
    }
    for bin in &mut bins {
        bin.share = bin.jobs as f64 / values.len().max(1) as f64;
    }
    let first = bins.iter().position(|bin| bin.jobs > 0).unwrap_or(bins.len());
    bins.split_off(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::{Header, RemarkedCount};
    use crate::models::find;
    use crate::trace::trace_of;

    /// A trace of jobs (submit, run, size) for 8 processors.
    fn trace(jobs: &[(i64, i64, i64)], unix_start_time: Option<i64>) -> Trace {
        let max_procs = Some(RemarkedCount { count: 8, remark: String::new() });
        let zone = unix_start_time.map(|_| "Europe/Stockholm".to_owned());
        let header = Header { max_procs, unix_start_time, time_zone_string: zone, ..Header::default() };
        let rows = jobs.iter().map(|&(submit, run, size)| [submit, run, size]);
        trace_of(header, [Field::Submit, Field::Run, Field::Requested], rows)
    }

    #[test]
    fn a_small_trace_is_described_as_worked_out_by_hand() {
        // Out of order, with an unknown run time and an unknown size.
        let told = describe(&trace(
            &[(0, 0, 1), (10, 2, 2), (40, 10, 3), (20, 30, 4), (7200, -1, 8), (60, 5, -1)],
            None,
        ));
        assert_eq!(told.jobs, 6);
        let gaps = [10.0, 10.0, 20.0, 20.0, 7140.0];
        let mean = 1440.0;
        let gap = told.interarrival.unwrap();
        assert_eq!((gap.known, gap.mean), (5, mean));
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / 5.0;
        assert!((gap.cv - variance.sqrt() / mean).abs() < 1e-12);
        let products: f64 = gaps.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
        assert!((told.interarrival_lag1.unwrap() - products / (5.0 * variance)).abs() < 1e-12);
        assert_eq!((told.run.unwrap().known, told.run.unwrap().mean), (5, 9.4));
        assert_eq!((told.size.unwrap().known, told.size.unwrap().mean), (5, 3.6));
        assert!((told.load.unwrap() - (4.0 + 30.0 + 120.0) / 7200.0 / 8.0).abs() < 1e-12);
        assert_eq!((told.hours.len(), told.hours[0], told.hours[2]), (24, 5.0 / 6.0, 1.0 / 6.0));
        let of = |bins: &[Bin]| bins.iter().map(|bin| (bin.from, bin.below, bin.jobs)).collect::<Vec<_>>();
        assert_eq!(of(&told.sizes), [(0.0, 2.0, 1), (2.0, 3.0, 1), (3.0, 5.0, 2), (5.0, 9.0, 1)]);
        let runs = [(0.0, 1.0, 1), (1.0, 3.0, 1), (3.0, 10.0, 1), (10.0, 30.0, 1), (30.0, 100.0, 1)];
        assert_eq!(of(&told.runs), runs);
        assert_eq!(told.sizes.iter().map(|bin| bin.share).sum::<f64>(), 1.0);
    }

    #[test]
    fn nothing_is_described_as_nothing() {
        let told = describe(&trace(&[], None));
        assert_eq!((told.jobs, told.interarrival, told.interarrival_lag1, told.load), (0, None, None, None));
        assert!(told.hours.is_empty() && told.sizes.is_empty() && told.runs.is_empty());
        let one = describe(&trace(&[(5, 5, 5)], None));
        assert_eq!((one.interarrival, one.load, one.run.unwrap().cv), (None, None, 0.0));
    }

    #[test]
    fn hours_are_those_of_the_sites_clock_where_it_is_known() {
        // 2000-01-01 00:00 UTC is one in the morning in Stockholm.
        let told = describe(&trace(&[(0, 1, 1), (3600, 1, 1)], Some(946_684_800)));
        assert_eq!((told.clock, told.hours[1], told.hours[2]), (HourOrigin::Site, 0.5, 0.5));
        assert_eq!(describe(&trace(&[(0, 1, 1)], None)).clock, HourOrigin::Zero);
    }

    #[test]
    fn a_poisson_stream_has_a_variation_of_1_and_no_memory() {
        let told = describe(&find("aida98").unwrap().generate::<&str>(40_000, 256, 1, &[]).unwrap());
        let gap = told.interarrival.unwrap();
        // Level 0.1 %: the standard error of the CV of an exponential sample is 1/sqrt(n), and so is that of lag 1.
        assert!((gap.cv - 1.0).abs() < 3.29 / 200.0, "{}", gap.cv);
        assert!(told.interarrival_lag1.unwrap().abs() < 3.29 / 200.0);
        let lublin = describe(&find("lublin").unwrap().generate::<&str>(20_000, 128, 1, &[]).unwrap());
        assert!(lublin.interarrival.unwrap().cv > 1.5);
        // The daily cycle: quiet at five in the morning, busy at noon.
        assert!(lublin.hours[12] > 4.0 * lublin.hours[5], "{:?}", lublin.hours);
    }
}
