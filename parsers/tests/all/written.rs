//! Every file that is written is read back to the same schedule.

use std::fmt::Write;

use batchlab_parsers::{Input, Options, batsim, read_trace, slurm, swf};
use batchlab_traces::{Field, Trace};
use proptest::prelude::*;

const SCHEDULE: [Field; 7] = [
    Field::Job,
    Field::Submit,
    Field::Wait,
    Field::Run,
    Field::Allocated,
    Field::Requested,
    Field::RequestedTime,
];

fn read(text: &[u8]) -> Trace {
    read_trace(Input::from_bytes("log", text.to_vec()), &Options::default()).unwrap()
}

/// Returns fields of all records; submit times count from the first.
fn fields(trace: &Trace, fields: &[Field]) -> Vec<Vec<i64>> {
    let first = (0..trace.len()).map(|row| trace.get(row, Field::Submit).truncated()).min().unwrap_or(0);
    let value =
        |row, field| trace.get(row, field).truncated() - if field == Field::Submit { first } else { 0 };
    (0..trace.len()).map(|row| fields.iter().map(|&field| value(row, field)).collect()).collect()
}

/// A job: gap, wait, run, processors, requested time and status. One in six was cancelled before it started.
fn jobs() -> impl Strategy<Value = Vec<(i64, i64, i64, i64, i64, i64)>> {
    let started = (0..500i64, 0..90_000i64, 1..200_000i64, 1..64i64, 1..300_000i64, 0..=1i64);
    let never = (0..500i64, 0..90_000i64, Just(-1), 1..64i64, 1..300_000i64, Just(5));
    prop::collection::vec(prop_oneof![5 => started, 1 => never], 1..30)
}

fn log(jobs: &[(i64, i64, i64, i64, i64, i64)], zero: i64) -> Trace {
    let mut submit = 0;
    let mut text =
        format!("; UnixStartTime: {zero}\n; MaxProcs: 64\n; Resource: 1 gpu capacity=9 scope=pool\n");
    for (index, &(gap, wait, run, procs, request, status)) in jobs.iter().enumerate() {
        submit += gap;
        let allocated = if status == 5 { -1 } else { procs };
        let (number, user, gpus) = (index + 1, index % 3 + 1, index % 2);
        let _ = writeln!(
            text,
            "{number} {submit} {wait} {run} {allocated} -1 -1 {procs} {request} 640 {status} {user} 2 3 4 5 -1 -1 {gpus}"
        );
    }
    read(text.as_bytes())
}

/// The names of profiles that version 5 has.
#[test]
fn a_workload_of_batsim_5() {
    let job = |id: u32, profile: &str| {
        format!(r#"{{"id": {id}, "subtime": {id}, "walltime": 100, "res": 2, "profile": "{profile}"}}"#)
    };
    let jobs = [job(0, "once"), job(1, "thrice")].join(", ");
    let profiles = r#""once": {"type": "DelayProfile", "delay": 20.25},
        "thrice": {"type": "SequentialCompositionProfile", "repeat": 3, "seq": ["once", "once"]}"#;
    let trace = read(format!(r#"{{"nb_res": 4, "jobs": [{jobs}], "profiles": {{{profiles}}}}}"#).as_bytes());
    assert_eq!([0, 1].map(|row| trace.get(row, Field::Run).to_micro()), [20_250_000, 121_500_000]);
}

#[test]
fn batsim_gets_no_delay_of_zero() {
    let (trace, mut written) = (log(&[(0, 0, 0, 1, 60, 1), (5, 0, 7, 1, 60, 1)], 0), Vec::new());
    batsim::write(&trace, &mut written).unwrap();
    let runs = |trace: &Trace| [0, 1].map(|row| trace.get(row, Field::Run).to_micro());
    assert_eq!(runs(&read(&written)), [1, 7_000_000]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn accounting_of_slurm(jobs in jobs(), zero in prop_oneof![Just(0i64), 1_000_000_000..2_000_000_000i64]) {
        let (trace, mut written) = (log(&jobs, zero), Vec::new());
        let left_out = slurm::write_sacct(&trace, &mut written).unwrap();
        prop_assert_eq!(left_out, slurm::NotInAccounting::default());
        let again = read(&written);
        prop_assert_eq!(again.provenance.source.format.as_str(), "sacct");
        // How long a job waited that never started, accounting does not say.
        let started: Vec<usize> = (0..trace.len()).filter(|&row| jobs[row].5 != 5).collect();
        let of = |trace: &Trace, asked: &[Field]| -> Vec<Vec<i64>> {
            let all = fields(trace, asked);
            started.iter().map(|&row| all[row].clone()).collect()
        };
        prop_assert_eq!(of(&again, &SCHEDULE), of(&trace, &SCHEDULE));
        let all = [Field::Submit, Field::Run, Field::Requested, Field::RequestedTime, Field::Status];
        prop_assert_eq!(fields(&again, &all), fields(&trace, &all));
        let memory = |trace: &Trace| fields(trace, &[Field::RequestedMemory]);
        prop_assert_eq!(memory(&again), memory(&trace));
        let gpus = |trace: &Trace| -> Vec<i64> {
            let gpu = trace.resource("gpu");
            (0..trace.len()).map(|row| gpu.map_or(0, |gpu| gpu.get(row).truncated().max(0))).collect()
        };
        prop_assert_eq!(gpus(&again), gpus(&trace));
    }

    #[test]
    fn tables(jobs in jobs(), zero in 0..2_000_000_000i64) {
        let (trace, mut written) = (log(&jobs, zero), Vec::new());
        swf::csv::write(&trace, &mut written).unwrap();
        prop_assert_eq!(fields(&read(&written), &Field::ALL), fields(&trace, &Field::ALL));
    }

    #[test]
    fn workloads_of_batsim(jobs in jobs(), zero in 0..2_000_000_000i64) {
        let (trace, mut written) = (log(&jobs, zero), Vec::new());
        let left_out = batsim::write(&trace, &mut written).unwrap();
        let started: Vec<usize> = (0..trace.len()).filter(|&row| jobs[row].5 != 5).collect();
        prop_assert_eq!(left_out, (trace.len() - started.len()) as u64);
        let asked = [Field::Job, Field::Run, Field::Requested, Field::RequestedTime];
        let all = fields(&trace, &asked);
        let expected: Vec<Vec<i64>> = started.iter().map(|&row| all[row].clone()).collect();
        if !expected.is_empty() {
            prop_assert_eq!(fields(&read(&written), &asked), expected);
        }
    }
}
