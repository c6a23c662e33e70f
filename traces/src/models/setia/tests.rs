//! The generator compared with tables 1 and 3 of the paper.

use super::*;
use crate::models::checks::{column, lines};
use crate::{Field, Trace};

fn generate(jobs: u32, seed: u64, settings: &[&str]) -> Trace {
    SPEC.generate(jobs, 1024, seed, settings).unwrap()
}

/// Returns a field of the jobs of a queue: 0 interactive, 1 batch.
fn of_queue(trace: &Trace, field: Field, queue: f64) -> Vec<f64> {
    let queues = column(trace, Field::Queue);
    let of_queue = column(trace, field).into_iter().zip(queues).filter(|(_, one)| *one == queue);
    of_queue.map(|(value, _)| value).collect()
}

/// Fails if a sample's mean or coefficient of variation is farther than 3 and 5 % from those of table 1.
fn assert_table_1(sample: &[f64], mean: f64, cv: f64, what: &str) {
    let n = sample.len() as f64;
    let seen = sample.iter().sum::<f64>() / n;
    let deviation = (sample.iter().map(|value| (value - seen).powi(2)).sum::<f64>() / n).sqrt();
    assert!((seen / mean - 1.0).abs() < 0.03, "{what}: mean {seen}, {mean} in table 1");
    assert!((deviation / seen / cv - 1.0).abs() < 0.05, "{what}: cv {}, {cv} in table 1", deviation / seen);
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let mut ranks = vec![0.0; values.len()];
    for equal in order.chunk_by(|&one, &other| values[one] == values[other]) {
        let below = order.partition_point(|&at| values[at] < values[equal[0]]);
        for &at in equal {
            ranks[at] = below as f64 + equal.len() as f64 / 2.0;
        }
    }
    ranks
}

fn spearman(one: &[f64], other: &[f64]) -> f64 {
    let (one, other) = (ranks(one), ranks(other));
    let mean = one.len() as f64 / 2.0;
    let sum = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum() };
    sum(&one, &other) / (sum(&one, &one) * sum(&other, &other)).sqrt()
}

#[test]
fn the_log_has_1467_batch_jobs_and_1053_sessions() {
    let trace = generate(2520, 1, &[]);
    assert_eq!(of_queue(&trace, Field::Run, 1.0).len(), 1467);
    assert_eq!(of_queue(&trace, Field::Run, 0.0).len(), 1053);
}

#[test]
fn sizes_memory_service_and_interarrival_times_have_the_moments_of_table_1() {
    let trace = generate(60_000, 1, &["calibrate=none"]);
    let submits = column(&trace, Field::Submit);
    let gaps: Vec<f64> = submits.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_table_1(&gaps, 1141.0, 1.78, "interarrival times");
    assert_table_1(&of_queue(&trace, Field::Run, 1.0), 51_059.0, 1.5, "batch service times");
    for (queue, size, memory) in [(0.0, (22.0, 1.4), (20.0, 1.71)), (1.0, (32.0, 1.23), (34.6, 0.99))] {
        let megabytes: Vec<f64> =
            of_queue(&trace, Field::UsedMemory, queue).iter().map(|kb| kb / 1024.0).collect();
        assert_table_1(&of_queue(&trace, Field::Requested, queue), size.0, size.1, "sizes");
        assert_table_1(&megabytes, memory.0, memory.1, "memory");
        assert!(megabytes.iter().all(|&one| (0.69..=116.0).contains(&one)));
    }
    // All jobs, as the table has them.
    assert_table_1(&column(&trace, Field::Requested), 28.0, 1.3, "all sizes");
    let all: Vec<f64> = column(&trace, Field::UsedMemory).iter().map(|kb| kb / 1024.0).collect();
    assert_table_1(&all, 28.5, 1.22, "all memory");
    // Section 3: more than half of the jobs have less than 10 MB per processor.
    let small = all.iter().filter(|&&megabytes| megabytes < 10.0).count();
    assert!((0.5..0.53).contains(&(small as f64 / all.len() as f64)), "{small}");
    assert_eq!(column(&trace, Field::UsedMemory), column(&trace, Field::RequestedMemory));
}

#[test]
fn sizes_are_powers_of_two_from_2_to_256() {
    let trace = generate(20_000, 1, &[]);
    let sizes = column(&trace, Field::Requested);
    assert!(sizes.iter().all(|&size| (size as u64).is_power_of_two() && (2.0..=256.0).contains(&size)));
    assert_eq!(of_queue(&trace, Field::Requested, 1.0).into_iter().fold(0.0, f64::max), 128.0);
    let small = SPEC.generate(2000, 100, 1, &["demand=70"]).unwrap();
    assert_eq!(column(&small, Field::Requested).into_iter().fold(0.0, f64::max), 64.0);
}

#[test]
fn memory_and_service_time_have_the_rank_correlation_that_is_set() {
    for (setting, expected) in [("memory-run=0", 0.0), ("memory-run=0.6", 0.6), ("memory-run=1", 1.0)] {
        let trace = generate(20_000, 1, &[setting]);
        let [runs, memory] = [Field::Run, Field::UsedMemory].map(|field| of_queue(&trace, field, 1.0));
        let seen = spearman(&runs, &memory);
        // 11,643 batch jobs: the standard error of a rank correlation is below .01.
        assert!((seen - expected).abs() < 0.03, "{setting}: {seen}");
    }
}

#[test]
fn a_correlation_changes_memory_or_sizes_alone() {
    let base = generate(500, 1, &["calibrate=none"]);
    let memory = generate(500, 1, &["calibrate=none", "memory-run=0"]);
    let sizes = generate(500, 1, &["calibrate=none", "size-run=0.6"]);
    for field in [Field::Submit, Field::Run, Field::Queue] {
        assert_eq!(column(&base, field), column(&memory, field));
        assert_eq!(column(&base, field), column(&sizes, field));
    }
    assert_eq!(column(&base, Field::Requested), column(&memory, Field::Requested));
    assert_ne!(column(&base, Field::UsedMemory), column(&memory, Field::UsedMemory));
    assert_eq!(column(&base, Field::UsedMemory), column(&sizes, Field::UsedMemory));
    assert_ne!(column(&base, Field::Requested), column(&sizes, Field::Requested));
}

#[test]
fn work_over_time_is_the_demand_of_table_3() {
    for settings in [&[][..], &["calibrate=gaps"], &["memory-run=0", "size-run=0.6"], &["demand=500"]] {
        let trace = generate(2520, 3, settings);
        let [runs, sizes, submits] =
            [Field::Run, Field::Requested, Field::Submit].map(|field| column(&trace, field));
        let work: f64 = runs.iter().zip(&sizes).map(|(run, size)| run * size).sum();
        let demand = if settings.contains(&"demand=500") { 500.0 } else { 750.0 };
        // Run times are rounded to seconds.
        let seen = work / submits[2519];
        assert!((seen / demand - 1.0).abs() < 1e-3, "{settings:?}: {seen}");
    }
    // The offered loads that the paper prints.
    for (procs, load) in [(1152.0_f64, 0.65_f64), (1024.0, 0.73), (896.0, 0.84), (768.0, 0.98)] {
        assert!((750.0 / procs - load).abs() < 0.006_f64);
    }
}

#[test]
fn sessions_have_the_cpu_time_of_table_1() {
    // Mean 44272, coefficient of variation 7.7, greatest 5526746 of 1,053 sessions.
    let (mut greatest, mut means, mut spreads) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 1..=40 {
        let trace = generate(2520, seed, &["calibrate=none"]);
        let (runs, sizes) = (of_queue(&trace, Field::Run, 0.0), of_queue(&trace, Field::Requested, 0.0));
        let cpu: Vec<f64> = runs.iter().zip(&sizes).map(|(run, size)| run * size).collect();
        let mean = cpu.iter().sum::<f64>() / 1053.0;
        let square = cpu.iter().map(|one| one * one).sum::<f64>() / 1053.0;
        means.push(mean);
        spreads.push((square - mean * mean).sqrt() / mean);
        greatest.push(cpu.into_iter().fold(0.0, f64::max));
    }
    // The coefficient of variation of a mean of 40 logs is about 12 / sqrt(42,120) = 6 %.
    let mean = means.iter().sum::<f64>() / 40.0;
    assert!((mean / 44_272.0 - 1.0).abs() < 0.18, "{mean}");
    for (mut values, published) in [(spreads, 7.7), (greatest, 5_526_746.0)] {
        values.sort_by(f64::total_cmp);
        assert!(values[4] < published && published < values[35], "{published}: {values:?}");
    }
}

#[test]
fn a_session_may_be_shorter_than_two_seconds_and_may_not_exceed_the_demand() {
    let shortest = |settings: &[&str]| {
        of_queue(&generate(20_000, 1, settings), Field::Run, 0.0).into_iter().fold(1e9, f64::min)
    };
    assert_eq!((shortest(&[]), shortest(&["session-min=0.1"])), (2.0, 1.0));
    let settings = ["session-mean=1e6", "session-cv=1", "session-max=1e8"];
    let error = SPEC.generate(500, 1024, 1, &settings).unwrap_err().to_string();
    assert!(error.starts_with("`demand` is 750: it must be above "), "{error}");
}

#[test]
fn the_first_jobs_stay_as_they_are() {
    assert_eq!(lines(&generate(3, 1, &[])), lines(&generate(3, 1, &[])));
    assert_ne!(lines(&generate(300, 1, &[])), lines(&generate(300, 2, &[])));
    assert_eq!(lines(&generate(3, 1, &[])), GOLDEN);
}

const GOLDEN: [&str; 3] = [
    "1 0 -1 6596 2 -1 27421 2 -1 27421 1 -1 -1 -1 1 -1 -1 -1",
    "2 425 -1 145 8 -1 8710 8 -1 8710 1 -1 -1 -1 0 -1 -1 -1",
    "3 648 -1 14740 32 -1 57569 32 -1 57569 1 -1 -1 -1 1 -1 -1 -1",
];
