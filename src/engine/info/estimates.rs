//! Users' estimates: the accuracy of requested times, and the few values that most jobs share.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Field, Time, Trace};
use serde::Serialize;

use super::rows::share;
use super::spread::Spread;

/// The most requested times that are listed.
const MOST_USED: usize = 10;
/// Classes of the histogram: 0 to 99 %, exactly 100 %, more.
const CLASSES: usize = 102;

/// Requested times as estimates of run times.
///
/// Users choose among few round values, and the choice matters to backfilling (Tsafrir, Etsion, Feitelson
/// 2005, "Modeling user runtime estimates").
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimateAccuracy {
    /// Jobs with a requested time above 0 and a run time.
    pub known: u64,
    /// Accuracy: the shorter of run time and requested time divided by the longer one; 1 is exact.
    pub accuracy: Option<Spread>,
    /// Share of these jobs whose run time equals the requested time.
    pub exact: f64,
    /// Share of these jobs by run time / requested time: position *i* below 100 is from *i* % to below *i* +
    /// 1 %, 100 is exactly 100 %, and 101 is more.
    pub histogram: Vec<f64>,
    /// Number of different requested times above 0.
    pub distinct: u64,
    /// The least number of requested times that cover nine tenths of the requests.
    pub cover_90: u64,
    /// The requested times of the most jobs, at most ten, the most frequent first.
    pub most_used: Vec<Modal>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Modal {
    /// The requested time, seconds.
    pub seconds: f64,
    pub jobs: u64,
    /// Share of all jobs with a request.
    pub share: f64,
}

impl EstimateAccuracy {
    /// Analyses the requests of some rows; `None` if there are none. O(n log n).
    pub(super) fn of(trace: &Trace, rows: &[usize]) -> Option<EstimateAccuracy> {
        let mut requests: SortedMap<Time, u64> = SortedMap::new();
        let mut accuracies = Vec::new();
        let mut histogram = vec![0; CLASSES];
        for &row in rows {
            let request = trace.time(row, Field::RequestedTime);
            if request <= Time::ZERO {
                continue;
            }
            *requests.entry(request).or_default() += 1;
            let run = trace.time(row, Field::Run);
            if run >= Time::ZERO {
                accuracies.push(run.min(request).secs() / run.max(request).secs());
                histogram[class(run, request)] += 1;
            }
        }
        let known = accuracies.len() as u64;
        let of_known = |jobs| share(jobs, known);
        let asked: u64 = requests.values().sum();
        let mut by_use: Vec<(Time, u64)> = requests.into_iter().collect();
        // The sort is stable: of equally frequent values, the shorter comes first.
        by_use.arrange_by_key(|&(_, jobs)| std::cmp::Reverse(jobs));
        let modal = |&(request, jobs): &(Time, u64)| Modal {
            seconds: request.secs(),
            jobs,
            share: share(jobs, asked),
        };
        (asked > 0).then(|| EstimateAccuracy {
            known,
            accuracy: Spread::of(accuracies.into_iter()),
            exact: of_known(histogram[100]),
            histogram: histogram.iter().map(|&jobs| of_known(jobs)).collect(),
            distinct: by_use.len() as u64,
            cover_90: covering(&by_use, asked),
            most_used: by_use.iter().take(MOST_USED).map(modal).collect(),
        })
    }
}

fn class(run: Time, request: Time) -> usize {
    let percent = i128::from(run.ticks()) * 100 / i128::from(request.ticks());
    if run > request { CLASSES - 1 } else { percent as usize }
}

/// Returns how many of the values, the most frequent first, cover nine tenths of all.
fn covering(by_use: &[(Time, u64)], all: u64) -> u64 {
    let mut covered = 0;
    let needed = by_use.iter().take_while(|(_, jobs)| {
        let open = u128::from(covered) * 10 < u128::from(all) * 9;
        covered += jobs;
        open
    });
    needed.count() as u64
}
