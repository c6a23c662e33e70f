use batchlab_slurm::reader::{FACTORS, PriorityRow, PriorityTable};
use batchlab_slurm::site::PriorityConfig;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use serde::Serialize;

use super::JobPriority;

/// What `sprio` told of a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Beside {
    pub priority: Option<f64>,
    /// The factors that differ, the largest difference first.
    pub differs: Vec<Difference>,
    /// Why, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The factor, as the heading of `sprio` names it.
    pub factor: &'static str,
    pub here: f64,
    pub there: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FactorAgreement {
    /// The factor, as the heading of `sprio` names it.
    pub factor: &'static str,
    pub compared: u64,
    /// How many have the same value.
    pub equal: u64,
    pub largest: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<i64>,
}

/// How closely priorities are those that `sprio` told.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PriorityComparison {
    /// Jobs compared, once for each of their partitions.
    pub compared: u64,
    /// How many have the same priority.
    pub equal: u64,
    pub within_1_percent: u64,
    /// The largest difference of priorities.
    pub largest: f64,
    /// The jobs that `sprio` did not tell.
    pub only_here: Vec<i64>,
    /// The jobs that it told alone.
    pub only_in_sprio: Vec<i64>,
    pub factors: Vec<FactorAgreement>,
    /// Why priorities differ, with how many do.
    pub reasons: SortedMap<&'static str, u64>,
}

#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    pub config: &'a PriorityConfig,
    /// Whether usage is what slurmctld had counted.
    pub usage: bool,
}

/// The sum of resources, as the heading of `sprio` names it.
const TRES: &str = "TRES";

/// The greatest priority, of which `sprio -n` shows parts.
const GREATEST: f64 = u32::MAX as f64;

/// Compares priorities with those that `sprio` told, and notes these beside them.
pub fn compare(rows: &mut [JobPriority], table: &PriorityTable, known: Known<'_>) -> PriorityComparison {
    let mut told: SortedMap<(i64, &str), &PriorityRow> = SortedMap::new();
    let mut of_job: SortedMap<i64, &PriorityRow> = SortedMap::new();
    for row in &table.rows {
        told.insert((row.job, row.partition.as_deref().unwrap_or_default()), row);
        of_job.insert(row.job, row);
    }
    let mut comparison = PriorityComparison::default();
    let mut tally = Tally::default();
    for row in rows.iter_mut() {
        let found = told.remove(&(row.job, row.partition.as_str()));
        // Without the names of partitions there is one row for each job.
        let unnamed = || of_job.get(&row.job).copied().filter(|row| row.partition.is_none());
        let Some(there) = found.or_else(unnamed) else {
            comparison.only_here.push(row.job);
            continue;
        };
        let beside = beside(row, there, table.normalized, known, &mut tally);
        comparison.add(row, &beside);
        row.sprio = Some(beside);
    }
    comparison.factors = tally.0.into_values().collect();
    let here: SortedSet<i64> = rows.iter().map(|row| row.job).collect();
    comparison.only_in_sprio = of_job.into_keys().filter(|job| !here.contains(job)).collect();
    comparison
}

impl PriorityComparison {
    fn add(&mut self, row: &JobPriority, beside: &Beside) {
        let Some(there) = beside.priority else { return };
        let apart = (row.priority as f64 - there).abs();
        self.compared += 1;
        self.equal += u64::from(apart < 0.5);
        self.within_1_percent += u64::from(apart <= there.abs() / 100.0);
        self.largest = self.largest.max(apart);
        if let Some(why) = beside.why.filter(|_| apart >= 0.5) {
            *self.reasons.entry(why).or_default() += 1;
        }
    }
}

#[derive(Default)]
struct Tally(SortedMap<usize, FactorAgreement>);

impl Tally {
    fn add(&mut self, place: usize, factor: &'static str, job: i64, (apart, is_equal): (f64, bool)) {
        let known = self.0.entry(place).or_default();
        known.factor = factor;
        known.compared += 1;
        known.equal += u64::from(is_equal);
        if apart > known.largest && !is_equal {
            (known.largest, known.job) = (apart, Some(job));
        }
    }
}

/// Returns what `sprio` told of a job, with the factors that differ.
fn beside(
    row: &JobPriority,
    there: &PriorityRow,
    normalized: bool,
    known: Known<'_>,
    tally: &mut Tally,
) -> Beside {
    let weights = &known.config.weights;
    let weights = [
        1.0,
        weights.age,
        weights.association,
        weights.fairshare,
        weights.size,
        weights.partition,
        weights.qos,
        1.0,
    ];
    let mut differs = Vec::new();
    for (place, ((here, shown), weight)) in
        row.listed().into_iter().zip(there.factors).zip(weights).enumerate()
    {
        let Some(shown) = shown else { continue };
        // Factors are shown as whole numbers, normalized ones with seven decimals.
        let (there, rounding) =
            if normalized { (shown * weight, (weight * 6e-8).max(1e-6)) } else { (shown, 0.5 + 1e-6) };
        note(&mut differs, tally, row.job, (place, FACTORS[place]), (here, there, rounding));
    }
    if let Some(shown) = there.tres.as_ref().filter(|_| !normalized) {
        let here = row.tres.values().map(|factor| factor.round_ties_even()).sum();
        let sum = shown.iter().map(|(_, factor)| factor).sum();
        let rounding = 0.5 + shown.len() as f64;
        note(&mut differs, tally, row.job, (FACTORS.len(), TRES), (here, sum, rounding));
    }
    differs.arrange_by(|a: &Difference, b: &Difference| {
        (b.here - b.there).abs().total_cmp(&(a.here - a.there).abs())
    });
    // The sum is shown truncated, and as a part of the greatest one with 14 decimals.
    let priority =
        there.priority.map(|shown| if normalized { (shown * GREATEST + 1e-4).floor() } else { shown });
    let by_hand = priority.is_some_and(|priority| priority > 1.0)
        && there.factors.iter().flatten().all(|&factor| factor == 0.0);
    let why = if by_hand && row.factors.sum() > 1.0 {
        Some("its priority was set by hand (scontrol update)")
    } else {
        differs.first().map(|first| why(first, known))
    };
    Beside { priority, differs, why }
}

fn note(
    differs: &mut Vec<Difference>,
    tally: &mut Tally,
    job: i64,
    (place, factor): (usize, &'static str),
    (here, there, rounding): (f64, f64, f64),
) {
    let apart = (here - there).abs();
    tally.add(place, factor, job, (apart, apart <= rounding));
    if apart > rounding {
        differs.push(Difference { factor, here, there });
    }
}

fn why(differs: &Difference, known: Known<'_>) -> &'static str {
    let Difference { factor, here, there } = *differs;
    let config = known.config;
    let of_period = config.weights.age * config.period.secs() / config.max_age.secs().max(1.0);
    match factor {
        "SITE" => "a plug-in of the site, or an operator, adds to it",
        "AGE" if there == 0.0 => "its age does not count yet (a limit on the jobs whose age counts)",
        "AGE" if (here - there).abs() <= of_period => "priorities were computed at another second",
        "AGE" => "its age counts from another instant than the log tells",
        "FAIRSHARE" if known.usage => "usage was charged since the factors of fair share were computed",
        "FAIRSHARE" => "usage is computed from the jobs of the log alone; --slurm takes the output of sshare",
        "JOBSIZE" => "Slurm found other nodes for it, or has not tested it yet",
        "NICE" => "the log does not tell its nice",
        TRES => "it asks for other resources than the log tells",
        _ => "the files of --slurm are of another time",
    }
}
