//! Tests of the archive's rules, one by one, on hand-written entries.

use batchlab_traces::header::Named;
use batchlab_traces::{Field, Findings, Trace};

use super::*;
use crate::entry::{Member, Name};
use batchlab_traces::provenance::Source;

const DAY: i64 = 1_000_000_000;

#[expect(clippy::unnecessary_wraps, reason = "entries hold what a log may not tell")]
fn at(seconds: i64) -> Option<Time> {
    Some(Time::from_secs(DAY + seconds))
}

/// A job that waits 10 s and runs 100 s on 4 processors.
fn job<'a>() -> AccountingEntry<'a> {
    AccountingEntry {
        line: 1,
        submit: at(0),
        start: at(10),
        end: at(110),
        allocated: Some(4),
        requested: Some(4),
        user: Name::Text(b"ann"),
        ..AccountingEntry::default()
    }
}

fn normalised(entries: &[AccountingEntry<'_>]) -> (Trace, Findings) {
    let mut findings = Findings::lenient();
    let mut reporter = Reporter { findings: &mut findings, file: "log".into() };
    let plan =
        LogPlan { header: Header { max_procs: counted(8), ..Header::default() }, ..LogPlan::default() };
    let (mut normaliser, mut builder) = (Normaliser::new(plan), TraceBuilder::new());
    for entry in entries {
        normaliser.entry(entry, &mut reporter).unwrap();
    }
    let header = normaliser.finish(&mut reporter, &mut builder).unwrap();
    (builder.finish(header, Source::default(), Findings::lenient()).unwrap(), findings)
}

/// Submit time, wait and run time of one job, and the one finding about it.
fn times(entry: AccountingEntry<'_>) -> ([i64; 3], Option<&'static str>) {
    let (trace, findings) = normalised(&[entry]);
    let value = |field| trace.get(0, field).truncated();
    let submit = trace.header.unix_start_time.unwrap() - DAY + value(Field::Submit);
    (
        [submit, value(Field::Wait), value(Field::Run)],
        findings.list().first().map(|finding| finding.kind.code),
    )
}

#[test]
fn waits_are_the_start_minus_the_submission_and_never_invented() {
    assert_eq!(times(job()), ([0, 10, 100], None));
    let none = AccountingEntry { submit: None, ..job() };
    assert_eq!(times(none), ([10, -1, 100], Some("archive-submit-from-start")));
    let early = AccountingEntry { start: at(-3900), ..job() };
    assert_eq!(times(early), ([-3900, 0, 4010], Some("archive-wait-below-zero")));
    let far = AccountingEntry { start: at(-3901), ..job() };
    assert_eq!(times(far), ([0, -1, 4011], Some("archive-wait-far-below-zero")));
}

#[test]
fn run_times_are_the_end_minus_the_start_unless_the_log_measured_them() {
    let unended = AccountingEntry { end: None, ..job() };
    assert_eq!(times(unended.clone()), ([0, 10, -1], None));
    assert_eq!(times(AccountingEntry { fallback_run: Some(Time::SECOND), ..unended }), ([0, 10, 1], None));
    assert_eq!(
        times(AccountingEntry { measured_run: Some(Time::from_secs(60)), ..job() }),
        ([0, 10, 60], None)
    );
    assert_eq!(times(AccountingEntry { end: at(-3890), ..job() }).1, Some("archive-run-below-zero"));
    assert_eq!(
        times(AccountingEntry { end: at(-3891), ..job() }),
        ([0, 10, -1], Some("archive-run-far-below-zero"))
    );
    assert_eq!(
        times(AccountingEntry { start: None, ..job() }),
        ([0, -1, 110], Some("archive-run-from-submit"))
    );
    assert_eq!(times(AccountingEntry { start: None, never_started: true, ..job() }), ([0, -1, -1], None));
}

#[test]
fn a_marker_of_a_missing_time_is_no_time() {
    let zero = AccountingEntry { submit: Some(Time::ZERO), start: Some(Time::from_secs(86_400)), ..job() };
    assert_eq!(times(zero), ([110, -1, 0], Some("archive-submit-from-end")));
}

#[test]
fn zeros_count_as_unknown_and_sizes_stop_at_the_machine() {
    let odd = AccountingEntry { allocated: Some(0), requested: Some(9), cpu: Some(Time::ZERO), ..job() };
    let (trace, findings) = normalised(&[odd]);
    assert_eq!(trace.get(0, Field::Allocated), Number::UNKNOWN);
    assert_eq!(trace.get(0, Field::Requested), Number::whole(8));
    assert_eq!((findings.count("archive-zero-unknown"), findings.count("archive-oversized")), (2, 1));
}

#[test]
fn contradictions_are_counted_and_kept() {
    let odd = AccountingEntry {
        requested: Some(2),
        requested_time: Some(Bound::Most(Time::from_secs(39))),
        cpu: Some(Time::from_secs(101)),
        used_memory: Some(Number::whole(5)),
        requested_memory: Some(Number::whole(4)),
        ..job()
    };
    let (trace, findings) = normalised(&[odd]);
    assert_eq!(trace.get(0, Field::Run), Number::whole(100));
    for code in [
        "cpu-above-run",
        "size-differs",
        "run-above-request",
        "run-far-above-request",
        "memory-above-request",
    ] {
        assert_eq!(findings.count(&format!("archive-{code}")), 1, "{code}");
    }
}

#[test]
fn jobs_are_sorted_by_submission_and_named_by_appearance() {
    let later =
        AccountingEntry { line: 1, submit: at(5), user: Name::Text(b"bob"), number: Some(7), ..job() };
    let earlier = AccountingEntry { line: 2, number: Some(9), ..job() };
    let (trace, findings) = normalised(&[later, earlier]);
    let column = |field| [0, 1].map(|row| trace.get(row, field).truncated());
    assert_eq!((column(Field::Job), column(Field::Submit), column(Field::User)), ([9, 7], [0, 5], [2, 1]));
    assert_eq!([trace.line(0), trace.line(1)], [2, 1]);
    assert_eq!(findings.count("archive-unsorted"), 1);
    assert_eq!(trace.header.start_time.as_deref(), Some("Sun Sep  9 01:46:40 UTC 2001"));
}

#[test]
fn a_single_name_is_number_1_and_numbers_given_twice_are_replaced() {
    let (trace, findings) = normalised(&[0, 1].map(|second| AccountingEntry {
        number: Some(3),
        submit: at(second),
        queue: Name::Text(b"batch"),
        ..job()
    }));
    for (field, number) in [(Field::User, 1), (Field::Queue, 1), (Field::Partition, -1)] {
        assert_eq!(trace.column(field).constant(), Some(Number::whole(number)), "{}", field.name());
    }
    // The name is in the header, so that a machine file can say which nodes the queue has.
    assert_eq!(trace.header.queue, [Named { number: 1, name: "batch".into() }]);
    assert_eq!((trace.header.max_queues, trace.header.max_partitions), (Some(1), None));
    assert_eq!([0, 1].map(|row| trace.get(row, Field::Job).truncated()), [3, 4]);
    assert_eq!((findings.count("archive-one-name"), findings.count("archive-numbered")), (2, 1));
}

#[test]
fn times_from_the_logs_own_zero_stay_as_they_are() {
    let mut findings = Findings::lenient();
    let mut reporter = Reporter { findings: &mut findings, file: "log".into() };
    let plan = LogPlan { relative: true, ..LogPlan::default() };
    let (mut normaliser, mut builder) = (Normaliser::new(plan), TraceBuilder::new());
    for second in [0, 7] {
        let submit = Some(Time::from_secs(second));
        normaliser
            .entry(&AccountingEntry { submit, start: submit, end: None, ..job() }, &mut reporter)
            .unwrap();
    }
    let header = normaliser.finish(&mut reporter, &mut builder).unwrap();
    assert_eq!((header.unix_start_time, header.start_time.clone()), (None, None));
    let trace = builder.finish(header, Source::default(), Findings::lenient()).unwrap();
    assert_eq!([0, 1].map(|row| trace.get(row, Field::Submit).truncated()), [0, 7]);
    assert_eq!((trace.get(1, Field::Wait).truncated(), findings.list().len()), (0, 1));
}

#[test]
fn remarks_stand_behind_the_jobs_submitted_until_then() {
    let mut findings = Findings::lenient();
    let mut reporter = Reporter { findings: &mut findings, file: "log".into() };
    let plan = LogPlan { groups: &[("staff", 2)], ..LogPlan::default() };
    let (mut normaliser, mut builder) = (Normaliser::new(plan), TraceBuilder::new());
    normaliser.remark(Time::from_secs(DAY + 3), "down".into());
    for (second, group) in [(5, "staff"), (0, "users"), (3, "staff")] {
        let group = Name::Text(group.as_bytes());
        normaliser.entry(&AccountingEntry { submit: at(second), group, ..job() }, &mut reporter).unwrap();
    }
    let header = normaliser.finish(&mut reporter, &mut builder).unwrap();
    assert_eq!(header.later_comments, [(2, "; down".to_owned())]);
    let trace = builder.finish(header, Source::default(), Findings::lenient()).unwrap();
    assert_eq!([0, 1, 2].map(|row| trace.get(row, Field::Group).truncated()), [3, 2, 2]);
}

#[test]
fn further_columns_have_defaults_and_are_dropped_if_constant() {
    let mut findings = Findings::lenient();
    let mut reporter = Reporter { findings: &mut findings, file: "log".into() };
    let (mut normaliser, mut builder) = (Normaliser::new(LogPlan::default()), TraceBuilder::new());
    let same = normaliser.column("held", "s", ColumnScope::Job);
    normaliser.only_if_varied(same);
    let site = normaliser.named_column("site");
    let class = normaliser.named_column("class");
    let one = normaliser.number(site, Name::Text(b"here"));
    for (name, gpus) in [("normal", None), ("high", Some(2)), ("normal", None)] {
        let mut extra =
            vec![(same, 0), (site, one), (class, normaliser.number(class, Name::of(name.as_bytes())))];
        if let Some(gpus) = gpus {
            let column = normaliser.column("gpu", "", ColumnScope::Pool);
            normaliser.absent(column, 0);
            extra.push((column, gpus));
        }
        normaliser.entry(&AccountingEntry { extra, ..job() }, &mut reporter).unwrap();
    }
    let header = normaliser.finish(&mut reporter, &mut builder).unwrap();
    let names: Vec<&str> = header.resources.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["site", "class", "gpu"]);
    assert_eq!(header.notes, ["site 1: here", "class 1: normal", "class 2: high"]);
    let trace = builder.finish(header, Source::default(), Findings::lenient()).unwrap();
    let column = |name| trace.resource(name).unwrap().iter().map(Number::truncated).collect::<Vec<_>>();
    assert_eq!((column("class"), column("gpu")), (vec![1, 2, 1], vec![0, 2, 0]));
}

/// Findings by code, with their counts.
type Counts = Vec<(&'static str, u64)>;

/// The remaining job numbers, each with its run time, and the findings about overlapping extracts.
fn overlapping(entries: &[AccountingEntry<'_>]) -> (Vec<(i64, i64)>, Counts) {
    let (trace, findings) = normalised(entries);
    let value = |row, field| trace.get(row, field).truncated();
    let left = (0..trace.len()).map(|row| (value(row, Field::Job), value(row, Field::Run))).collect();
    let codes = ["archive-repeated", "archive-shown-further", "archive-contradicted", "job-unfinished"];
    let counts = codes.map(|code| (code, findings.count(code)));
    (left, counts.into_iter().filter(|(_, count)| *count > 0).collect())
}

#[test]
fn overlapping_extracts_give_one_record_per_job() {
    let done = AccountingEntry { number: Some(3), ..job() };
    let running =
        AccountingEntry { end: None, stage: JobState::Running, elapsed: Some(Time::SECOND), ..done.clone() };
    let later = AccountingEntry { elapsed: Some(Time::from_secs(50)), ..running.clone() };
    let waiting = AccountingEntry {
        start: None,
        end: None,
        never_started: true,
        stage: JobState::Waiting,
        ..done.clone()
    };
    // The order of the two records does not matter.
    let further = vec![("archive-shown-further", 1)];
    for earlier in [&running, &waiting] {
        assert_eq!(overlapping(&[earlier.clone(), done.clone()]), (vec![(3, 100)], further.clone()));
        assert_eq!(overlapping(&[done.clone(), earlier.clone()]), (vec![(3, 100)], further.clone()));
    }
    let open = vec![("archive-shown-further", 2), ("job-unfinished", 1)];
    assert_eq!(overlapping(&[running.clone(), later, waiting]), (vec![(3, -1)], open));
    // Another submit time under the same number is another job.
    let next = AccountingEntry { submit: at(5), ..done.clone() };
    assert_eq!(overlapping(&[running, next]).0, [(3, -1), (4, 100)]);
    assert_eq!(overlapping(&[done.clone(), done]), (vec![(3, 100)], vec![("archive-repeated", 1)]));
}

#[test]
fn the_more_complete_of_equal_records_counts() {
    let bare = AccountingEntry { number: Some(3), ..job() };
    let full = AccountingEntry { requested_time: Some(Bound::Most(Time::from_secs(500))), ..bare.clone() };
    for both in [[bare.clone(), full.clone()], [full, bare]] {
        let (trace, findings) = normalised(&both);
        assert_eq!((trace.len(), trace.get(0, Field::RequestedTime)), (1, Number::whole(500)));
        assert_eq!(findings.count("archive-repeated"), 1);
    }
}

#[test]
fn records_that_contradict_each_other_are_kept_and_named() {
    let one = AccountingEntry { number: Some(3), ..job() };
    let longer = AccountingEntry { line: 2, end: at(210), ..one.clone() };
    let (left, told) = overlapping(&[one.clone(), longer.clone()]);
    assert_eq!((left, told), (vec![(3, 100), (4, 200)], vec![("archive-contradicted", 1)]));
    let (_, findings) = normalised(&[one, longer]);
    let finding = findings.list().iter().find(|finding| finding.kind.code == "archive-contradicted");
    assert_eq!(finding.unwrap().examples[0].detail, "job 3, of line 1 too: run time 100 against 200");
}

#[test]
fn runs_of_a_job_that_was_put_back_are_records_of_their_own() {
    let first = AccountingEntry { number: Some(3), stage: JobState::PutBack, ..job() };
    let second = AccountingEntry { start: at(200), end: at(250), stage: JobState::Ended, ..first.clone() };
    let again = AccountingEntry {
        start: None,
        end: None,
        never_started: true,
        stage: JobState::Waiting,
        ..first.clone()
    };
    assert_eq!(overlapping(&[first.clone(), second.clone()]), (vec![(3, 100), (4, 50)], vec![]));
    // The run time of the last run is known; its wait may be unknown.
    let told = vec![("archive-shown-further", 1)];
    assert_eq!(overlapping(&[first, again, second]), (vec![(3, 100), (4, 50)], told));
}

#[test]
fn the_logs_own_numbers_stay_beside_those_that_had_to_be_made() {
    let task = |task| Member { array: Some((7, task)), het: None };
    let (trace, findings) = normalised(&[
        AccountingEntry { number: Some(5), ..job() },
        AccountingEntry { member: task(1), ..job() },
        AccountingEntry { member: task(2), ..job() },
        AccountingEntry { number: Some(5), submit: at(5), ..job() },
    ]);
    let column = |name| trace.resource(name).unwrap().iter().map(Number::truncated).collect::<Vec<_>>();
    let jobs: Vec<i64> = trace.column(Field::Job).iter().map(Number::truncated).collect();
    // 7 is the array's number; no job has it.
    assert_eq!(jobs, [5, 8, 9, 10]);
    assert_eq!((column("id"), column("array_task")), (vec![5, -1, -1, 5], vec![-1, 1, 2, -1]));
    assert_eq!(findings.count("archive-numbered"), 3);
    let rows = |id: &str| trace.rows_of(id.parse().unwrap());
    assert_eq!((rows("5"), rows("7_2"), rows("7[1].pbs")), (Ok(vec![0, 3]), Ok(vec![2]), Ok(vec![1])));
    assert_eq!(rows("8").unwrap_err().to_string(), "no job of the log has the id 8");
    assert_eq!(
        rows("7").unwrap_err().to_string(),
        "7 is the id of 2 jobs of the log: give one of them, such as id:7_1"
    );
}
