//! Tests of accounting whose times count from a zero of its own.

use batchlab_parsers::{Input, Mapping, Options, format, read_trace};
use batchlab_traces::{Field, Trace};

use crate::helpers::column;
use crate::samples::findings;

fn read(text: &str, options: &Options) -> Trace {
    read_trace(Input::from_bytes("log", text.to_owned()), options).unwrap()
}

fn sacct(rows: &[(i64, i64, i64)]) -> Trace {
    let row = |(at, &(submit, start, end)): (usize, &(i64, i64, i64))| {
        format!("{at}|ann|4|COMPLETED|{submit}|{start}|00:05:00|{end}\n")
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    read(&format!("JobID|User|NCPUS|State|Submit|Start|Elapsed|End\n{rows}"), &Options::default())
}

#[test]
fn small_instants_of_sacct_are_times_if_no_instant_is_a_date() {
    let trace = sacct(&[(0, 100, 400), (20_000, 20_100, 20_400), (100_000, 100_100, 100_400)]);
    assert_eq!(column(&trace, Field::Submit), [0, 20_000, 100_000]);
    assert_eq!(column(&trace, Field::Wait), [100, 100, 100]);
    assert!(findings(&trace).contains("archive-own-zero"), "{}", findings(&trace));
    assert_eq!(trace.header.unix_start_time, None);
}

#[test]
fn small_instants_beside_dates_stay_markers_of_missing_ones() {
    let zero = 1_700_000_000;
    let trace = sacct(&[(0, 0, 0), (zero, zero + 5, zero + 305), (zero + 10, 0, 0)]);
    assert_eq!(trace.header.unix_start_time, Some(zero));
    assert_eq!(column(&trace, Field::Submit), [0, 0, 10]);
    assert_eq!(column(&trace, Field::Wait), [-1, 5, -1]);
    assert!(!findings(&trace).contains("archive-own-zero"));
    assert!(findings(&trace).contains("archive-submit-from-predecessor"), "{}", findings(&trace));
}

/// Three jobs of 29 columns that count from zero.
fn gwf() -> String {
    let line = |job: i64, submit: i64, wait: i64| {
        format!(
            "{job} {submit} {wait} 100 2 -1 -1 2 3600 -1 1 U1 G1 X1 Q1 P1 S1 S1 UNITARY{}\n",
            " -1".repeat(10)
        )
    };
    [line(1, 0, 5), line(2, 50, 0), line(3, 70_000, 10)].concat()
}

#[test]
fn a_grid_log_that_counts_from_zero_is_known_and_read() {
    for named in [None, format("gwf")] {
        let trace = read(&gwf(), &Options { format: named, ..Options::default() });
        assert_eq!(trace.provenance.source.format, "gwf");
        assert_eq!(column(&trace, Field::Submit), [0, 50, 70_000]);
        assert_eq!(column(&trace, Field::Wait), [5, 0, 10]);
    }
}

#[test]
fn a_mapping_that_says_so_gives_the_same_without_a_finding() {
    let mapping = |zero: &str| -> Mapping {
        let columns = "column = [{ at = 1, to = \"job\" }, { at = 2, to = \"submit\", format = \"seconds\" }, \
            { at = 3, to = \"start\", format = \"seconds\" }, { at = 4, to = \"end\", format = \"seconds\" }]";
        format!("separator = \"|\"\n{zero}{columns}").parse().unwrap()
    };
    let text = "1|0|0|60\n2|30|60|90000\n";
    let read = |zero| read(text, &Options { mapping: Some(mapping(zero).into()), ..Options::default() });
    let (own, found) = (read("zero = \"own\"\n"), read(""));
    for trace in [&own, &found] {
        assert_eq!(column(trace, Field::Submit), [0, 30]);
        assert_eq!((column(trace, Field::Wait), column(trace, Field::Run)), (vec![0, 30], vec![60, 89_940]));
    }
    assert_eq!((findings(&own).as_str(), findings(&found).as_str()), ("", "archive-own-zero"));
}

/// Writes a job with its number, submission, start and end.
type Row = fn(i64, i64, i64, i64) -> String;

/// Writes a log of jobs.
type Whole = fn(&[String]) -> String;

/// Logs of other systems with three jobs of a minute: submitted at a second, and started at another one.
fn logs() -> [(&'static str, Row, Whole); 6] {
    let lines: Whole = |rows| rows.concat();
    [
        (
            "sacct-json",
            |job, submit, start, end| {
                format!(
                    "{{\"job_id\": {job}, \"user\": \"ann\", \"allocation_nodes\": 1, \"nodes\": \"n1\", \"required\": {{\"CPUs\": 4}}, \
                     \"state\": {{\"current\": \"COMPLETED\"}}, \"time\": {{\"elapsed\": 60, \"submission\": {submit}, \
                     \"eligible\": {submit}, \"start\": {start}, \"end\": {end}}}, \"tres\": {{\"allocated\": [{{\"type\": \"cpu\", \
                     \"count\": 4}}], \"requested\": []}}, \"steps\": []}}"
                )
            },
            |rows| format!("{{\"jobs\": [{}]}}", rows.join(",\n")),
        ),
        (
            "squeue-json",
            |job, submit, start, end| {
                format!(
                    "{{\"job_id\": {job}, \"user_name\": \"ann\", \"nodes\": \"n1\", \"cpus\": 4, \"job_state\": \"COMPLETED\", \
                     \"submit_time\": {submit}, \"eligible_time\": {submit}, \"start_time\": {start}, \"end_time\": {end}, \
                     \"time_limit\": 5, \"partition\": \"p\", \"tres_req_str\": \"cpu=4\", \"state_reason\": \"None\"}}"
                )
            },
            |rows| format!("{{\"jobs\": [{}]}}", rows.join(",\n")),
        ),
        (
            "slurm-jobcomp",
            |job, submit, start, end| {
                format!(
                    "JobId={job} UserId=ann(501) GroupId=staff(20) Name=a JobState=COMPLETED Partition=p TimeLimit=5 \
                     StartTime={start} EndTime={end} NodeList=n1 NodeCnt=1 ProcCnt=4 WorkDir=/ SubmitTime={submit} \
                     EligibleTime={submit} \n"
                )
            },
            lines,
        ),
        (
            "slurm-show-job",
            |job, submit, start, end| {
                format!(
                    "JobId={job} JobName=a\n   UserId=ann(501) GroupId=staff(20)\n   JobState=COMPLETED Reason=None\n   \
                     RunTime=00:01:00 TimeLimit=00:05:00\n   SubmitTime={submit} EligibleTime={submit}\n   StartTime={start} \
                     EndTime={end}\n   Partition=p\n   NodeList=n1\n   NumNodes=1 NumCPUs=4\n\n"
                )
            },
            lines,
        ),
        (
            "lsf",
            |job, submit, start, end| {
                format!(
                    "\"JOB_FINISH\" \"10.1\" {end} {job} 1001 33816578 4 {submit} 0 0 {start} \"ann\" \"normal\" \"\" \"\" \"\" \"login1\" \
                     \"/home/ann\" \"\" \"\" \"\" \"1.{job}\" 0 1 \"4*h1\" 64 60.0 \"relax\" \"./relax\" 2.0 4.0 0 0 0 0 0 0 0 0 0 0 0 0 \
                     0 0 0 0 -1 \"\" \"chem\" 0 4 \"\" \"\" 0 800000 0 \"\" \"\" \"\" \"\" 0 \"\" 0 \"\" -1 \"/ann\" \"\" \"\" \"\" -1 \"\" \
                     \"\" 1040 \"\" 0 \"\" \"\" 1 \"a\" \"b\" 1 h1 1000 0 60 \n"
                )
            },
            lines,
        ),
        (
            "sge",
            |job, submit, start, end| {
                format!(
                    "all.q:n01:chem:ann:relax:{job}:sge:0:{submit}:{start}:{end}:0:0:60:10.5:1.5:4096.0:0:0:0:0:100:0:0:0.0:8:0:0:0:10:\
                     20:NONE:defaultdepartment:mpi:4:0:4.0:1.5:0.001:-l h_rt=300 -pe mpi 4:0.0:NONE:1048576.0:0:0\n"
                )
            },
            lines,
        ),
    ]
}

#[test]
fn the_second_0_is_an_instant_in_each_log_that_counts_from_it() {
    for (name, row, whole) in logs() {
        let row = |(job, submit, start)| row(job, submit, start, start + 60);
        let options = || Options { format: format(name), ..Options::default() };
        let own = [(1, 0, 0), (2, 20_000, 20_100), (3, 100_000, 100_000)].map(row);
        let own = read(&whole(&own), &options());
        assert_eq!(column(&own, Field::Submit), [0, 20_000, 100_000], "{name}");
        assert_eq!(column(&own, Field::Wait), [0, 100, 0], "{name}");
        assert_eq!(column(&own, Field::Run), [60, 60, 60], "{name}");
        assert_eq!(column(&own, Field::Allocated), [4, 4, 4], "{name}");
        assert!(findings(&own).contains("archive-own-zero"), "{name}: {}", findings(&own));
        // Beside dates it is a missing instant.
        let dated = [(1, 1_700_000_000, 0), (2, 1_700_000_000, 1_700_000_005)].map(row);
        let dated = read(&whole(&dated), &options());
        let waits = column(&dated, Field::Wait);
        assert!(waits.contains(&5) && !waits.contains(&0), "{name}: {waits:?}");
        assert!(!findings(&dated).contains("archive-own-zero"), "{name}");
    }
}
