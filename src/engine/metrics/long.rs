//! Metrics of replays whose jobs come one after the other, in memory that does not grow with them.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use batchlab_traces::time::TICKS_PER_SECOND;
use batchlab_traces::{Machine, Time};

use super::family::{makespan, utilization};
use super::metric::{Metric, MetricPart};
use super::options::MeasureOptions;
use super::sample::PERCENTS;
use super::served::Served;
use super::spec::{Compute, JobValue, Quantity};
use super::statistic::{Reduced, Statistic};

/// The number of values of a quantity that stay in memory.
const IN_MEMORY: usize = 1 << 20;

/// Creates a temporary file, without a name, for values that do not stay in memory.
pub type Spill = fn() -> io::Result<File>;

/// A metric that needs the whole schedule at once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} needs the whole schedule at once; of a stream of jobs there are the statistics of wait, response, slowdown and \
     other values of jobs, utilization and makespan"
)]
pub struct NotStreamed(pub String);

/// The metrics of a schedule, job by job.
pub struct LongMeasurement<'a> {
    metrics: &'a [Metric],
    machine: &'a Machine,
    options: MeasureOptions,
    quantities: Vec<LongSample>,
    /// Σ demand · run of each resource.
    work: Vec<i128>,
    first_submit: Option<Time>,
    last_end: Time,
}

impl<'a> LongMeasurement<'a> {
    /// Returns the measurement of no jobs.
    pub fn new(
        metrics: &'a [Metric],
        machine: &'a Machine,
        options: MeasureOptions,
        spill: Spill,
    ) -> Result<LongMeasurement<'a>, NotStreamed> {
        let mut quantities: Vec<LongSample> = Vec::new();
        for metric in metrics {
            match (metric.spec.compute, &metric.part) {
                (Compute::PerJob(quantity), MetricPart::Statistic(statistic)) => {
                    let known = quantities.iter().position(|known| std::ptr::eq(known.quantity, quantity));
                    let at = known.unwrap_or_else(|| {
                        quantities.push(LongSample::new(quantity, spill));
                        quantities.len() - 1
                    });
                    quantities[at].asked.push(*statistic);
                }
                _ if is_utilization(metric) || is_makespan(metric) => {}
                _ => return Err(NotStreamed(metric.key())),
            }
        }
        let work = vec![0; machine.kinds()];
        Ok(LongMeasurement {
            metrics,
            machine,
            options,
            quantities,
            work,
            first_submit: None,
            last_end: Time::ZERO,
        })
    }

    /// Adds the next job in the order of submission, with its demand of each resource.
    pub fn add(&mut self, job: &Served, demand: &[i64]) -> io::Result<()> {
        self.first_submit.get_or_insert(job.submit);
        self.last_end = self.last_end.max(job.end);
        for (work, amount) in self.work.iter_mut().zip(demand) {
            *work += i128::from(*amount) * i128::from(job.run.ticks());
        }
        self.quantities.iter_mut().try_for_each(|sample| sample.add(job, &self.options))
    }

    /// Returns how many jobs a quantity leaves out; 0 if no metric is about it.
    pub fn left_out(&self, quantity: &'static Quantity) -> usize {
        let known = self.quantities.iter().find(|known| std::ptr::eq(known.quantity, quantity));
        known.map_or(0, |known| known.left_out)
    }

    /// Returns a value for each metric; O(jobs).
    pub fn values(mut self) -> io::Result<Vec<Option<f64>>> {
        let reduced: Vec<Reduction> =
            self.quantities.iter_mut().map(LongSample::reduce).collect::<io::Result<_>>()?;
        let span = self.first_submit.map(|first| self.last_end - first);
        let value = |metric: &Metric| match (metric.spec.compute, &metric.part) {
            (Compute::PerJob(quantity), MetricPart::Statistic(statistic)) => {
                let at = self.quantities.iter().position(|known| std::ptr::eq(known.quantity, quantity))?;
                statistic.of(&reduced[at])
            }
            (_, MetricPart::Resource { index, .. }) if is_utilization(metric) => {
                let work = *self.work.get(*index)? as f64;
                utilization::share_of(work, self.machine, *index, span?)
            }
            _ => span.map(Time::secs),
        };
        Ok(self.metrics.iter().map(value).collect())
    }
}

fn is_utilization(metric: &Metric) -> bool {
    std::ptr::eq(metric.spec, &raw const utilization::UTILIZATION)
}

fn is_makespan(metric: &Metric) -> bool {
    std::ptr::eq(metric.spec, &raw const makespan::MAKESPAN)
}

/// The values of one quantity, in the order of submission: the latest in memory, the others in a file.
struct LongSample {
    quantity: &'static Quantity,
    asked: Vec<Statistic>,
    spill: Spill,
    latest: Vec<f64>,
    file: Option<BufWriter<File>>,
    count: u64,
    left_out: usize,
    ticks: i128,
    sum: f64,
    max: Option<f64>,
}

/// What statistics need of a sample.
struct Reduction {
    mean: Option<f64>,
    variance: Option<f64>,
    quantiles: Option<[f64; PERCENTS.len()]>,
    max: Option<f64>,
}

impl Reduced for Reduction {
    fn mean(&self) -> Option<f64> {
        self.mean
    }

    fn variance(&self) -> Option<f64> {
        self.variance
    }

    fn quantile(&self, which: usize) -> Option<f64> {
        self.quantiles.as_ref().and_then(|quantiles| quantiles.get(which)).copied()
    }

    fn max(&self) -> Option<f64> {
        self.max
    }
}

impl LongSample {
    fn new(quantity: &'static Quantity, spill: Spill) -> LongSample {
        LongSample {
            quantity,
            asked: Vec::new(),
            spill,
            latest: Vec::new(),
            file: None,
            count: 0,
            left_out: 0,
            ticks: 0,
            sum: 0.0,
            max: None,
        }
    }

    /// Whether a statistic reads the values again.
    fn is_kept(&self) -> bool {
        !self.asked.iter().all(|statistic| matches!(statistic, Statistic::Mean | Statistic::Max))
    }

    fn add(&mut self, job: &Served, options: &MeasureOptions) -> io::Result<()> {
        let value = match self.quantity.value {
            JobValue::Time(time) => {
                let ticks = time(job).ticks();
                self.ticks += i128::from(ticks);
                ticks as f64 / TICKS_PER_SECOND as f64
            }
            JobValue::Ratio(ratio) => match ratio(job, options) {
                Some(ratio) => ratio,
                None => {
                    self.left_out += 1;
                    return Ok(());
                }
            },
        };
        self.count += 1;
        self.sum += value;
        if self.max.is_none_or(|max| max.total_cmp(&value).is_lt()) {
            self.max = Some(value);
        }
        if !self.is_kept() {
            return Ok(());
        }
        if self.latest.len() == IN_MEMORY {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(BufWriter::new((self.spill)()?)),
            };
            for value in self.latest.drain(..) {
                file.write_all(&value.to_le_bytes())?;
            }
        }
        self.latest.push(value);
        Ok(())
    }

    fn reduce(&mut self) -> io::Result<Reduction> {
        let mean = (self.count > 0).then(|| match self.quantity.value {
            JobValue::Time(_) => self.ticks as f64 / self.count as f64 / TICKS_PER_SECOND as f64,
            JobValue::Ratio(_) => self.sum / self.count as f64,
        });
        let asks = |wanted: &[Statistic]| self.asked.iter().any(|asked| wanted.contains(asked));
        let (spread, ranked) = (
            asks(&[Statistic::Sd, Statistic::Var, Statistic::Cv]),
            asks(&[Statistic::Median, Statistic::P90, Statistic::P95, Statistic::P99]),
        );
        let variance = match mean.filter(|_| spread && self.count > 1) {
            Some(mean) => {
                let mut squares = 0.0;
                self.scan(|value| squares += (value - mean).powi(2))?;
                Some(squares / (self.count - 1) as f64)
            }
            None => None,
        };
        let quantiles = if ranked && self.count > 0 { Some(self.quantiles()?) } else { None };
        Ok(Reduction { mean, variance, quantiles, max: self.max })
    }

    fn scan(&mut self, mut visit: impl FnMut(f64)) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.flush()?;
            let mut file = file.get_ref();
            file.seek(SeekFrom::Start(0))?;
            let mut reader = BufReader::with_capacity(1 << 16, file);
            let mut bytes = [0; 8];
            for _ in 0..self.count - self.latest.len() as u64 {
                reader.read_exact(&mut bytes)?;
                visit(f64::from_le_bytes(bytes));
            }
        }
        self.latest.iter().copied().for_each(visit);
        Ok(())
    }

    /// Returns the quantiles of [`PERCENTS`], as [`super::sample::quantiles`] has them.
    fn quantiles(&mut self) -> io::Result<[f64; PERCENTS.len()]> {
        let last = self.count - 1;
        let at = PERCENTS.map(|percent| (last * percent as u64 / 100, last * percent as u64 % 100));
        let ranks: Vec<u64> = at.iter().flat_map(|&(at, _)| [at, (at + 1).min(last)]).collect();
        let found = self.ranked(&ranks)?;
        Ok(std::array::from_fn(|which| {
            let (low, next, rest) = (found[2 * which], found[2 * which + 1], at[which].1);
            if rest > 0 { low + (next - low) * (rest as f64 / 100.0) } else { low }
        }))
    }

    /// Returns the values of some ranks from 0 in ascending order: four passes, each of which fixes 16 bits of each of them.
    fn ranked(&mut self, ranks: &[u64]) -> io::Result<Vec<f64>> {
        // The bits fixed so far, and the rank among the values that share them.
        let mut known: Vec<(u64, u64)> = ranks.iter().map(|&rank| (0, rank)).collect();
        for shift in [48, 32, 16, 0] {
            let mut prefixes: Vec<u64> = known.iter().map(|&(prefix, _)| prefix).collect();
            prefixes.sort_unstable();
            prefixes.dedup();
            let mut counts = vec![vec![0_u64; 1 << 16]; prefixes.len()];
            self.scan(|value| {
                let bits = ordered(value);
                let prefix = if shift == 48 { 0 } else { bits >> (shift + 16) };
                if let Ok(at) = prefixes.binary_search(&prefix) {
                    counts[at][(bits >> shift & 0xffff) as usize] += 1;
                }
            })?;
            for (prefix, rank) in &mut known {
                let of = &counts[prefixes.binary_search(prefix).unwrap_or_default()];
                let mut digit = 0;
                while digit < of.len() - 1 && *rank >= of[digit] {
                    *rank -= of[digit];
                    digit += 1;
                }
                *prefix = *prefix << 16 | digit as u64;
            }
        }
        Ok(known.into_iter().map(|(bits, _)| from_ordered(bits)).collect())
    }
}

/// Maps floats to integers in the order of [`f64::total_cmp`].
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn from_ordered(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 { bits & !(1 << 63) } else { !bits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::family::{bounded_slowdown, wait};
    use crate::metrics::sample::Sample;
    use batchlab_traces::JobId;
    use proptest::prelude::*;

    const STATISTICS: [Statistic; 9] = Statistic::ALL;

    fn quantity(compute: Compute) -> &'static Quantity {
        let Compute::PerJob(quantity) = compute else { panic!("a value of jobs") };
        quantity
    }

    fn job(wait: i64, run: i64) -> Served {
        let [start, end] = [wait, wait + run].map(Time::from_secs);
        Served {
            job: JobId(0),
            submit: Time::ZERO,
            start,
            end,
            run: end - start,
            procs: 1,
            predicted: None,
            service: None,
        }
    }

    /// Adds jobs to a sample whose values go to a file one by one or stay in memory.
    fn reduced(quantity: &'static Quantity, jobs: &[Served], keeps: usize) -> Reduction {
        let mut sample = LongSample::new(quantity, tempfile::tempfile);
        sample.asked = STATISTICS.to_vec();
        for job in jobs {
            sample.add(job, &MeasureOptions::default()).unwrap();
            if sample.latest.len() > keeps {
                let file = sample.file.get_or_insert_with(|| BufWriter::new(tempfile::tempfile().unwrap()));
                sample.latest.drain(..).for_each(|value| file.write_all(&value.to_le_bytes()).unwrap());
            }
        }
        sample.reduce().unwrap()
    }

    proptest! {
        #[test]
        fn values_in_a_file_give_the_statistics_of_values_in_memory(
            times in prop::collection::vec((0i64..50, 0i64..50), 0..60),
            keeps in 0usize..80,
        ) {
            let jobs: Vec<Served> = times.iter().map(|&(wait, run)| job(wait, run)).collect();
            let options = MeasureOptions::default();
            for compute in [wait::WAIT.compute, bounded_slowdown::BSLD.compute] {
                let quantity = quantity(compute);
                let whole = match quantity.value {
                    JobValue::Time(time) => Sample::of_ticks(jobs.iter().map(|job| time(job).ticks())),
                    JobValue::Ratio(ratio) => Sample::of_ratios(jobs.iter().map(|job| ratio(job, &options))),
                };
                let long = reduced(quantity, &jobs, keeps);
                for statistic in STATISTICS {
                    let bits = |value: Option<f64>| value.map(f64::to_bits);
                    prop_assert_eq!(bits(statistic.of(&long)), bits(statistic.of(&whole)), "{}", statistic.name());
                }
            }
        }
    }
}
