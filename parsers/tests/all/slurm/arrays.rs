//! Rows that stand for several tasks of an array.

use batchlab_parsers::{Input, Options, format, read_trace};
use batchlab_traces::Trace;

const CUT: &str = "slurm-array-cut";

fn read(name: &str, text: &str) -> Trace {
    let options = Options { format: format(name), is_queue: true, ..Options::default() };
    read_trace(Input::from_bytes("log", text.as_bytes().to_vec()), &options).unwrap()
}

/// Returns the number of jobs, the throttle of the first one, and the number of lists that are cut off.
fn seen(trace: &Trace) -> (usize, Option<i64>, u64) {
    let at_most = trace.resource("array_limit").map(|column| column.whole(0));
    (trace.len(), at_most, trace.findings.count(CUT))
}

#[test]
fn a_list_that_is_cut_off_is_a_finding_and_keeps_its_throttle() {
    let squeue = |id: &str, tasks: &str| {
        format!(
            "JOBID|ARRAY_JOB_ID|ARRAY_TASK_ID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|NODELIST|NAME\n\
             {id}|10|{tasks}|ann|PENDING|2025-11-13T02:00:00|N/A|0:00|10:00|1|1||a\n"
        )
    };
    let of_text = |tasks: &str| seen(&read("squeue", &squeue(&format!("10_[{tasks}]"), tasks)));
    assert_eq!(of_text("1-7:2%2"), (4, Some(2), 0));
    assert_eq!(of_text("1,3,5,...%4"), (3, Some(4), 1));
    assert_eq!(of_text("1,3,5,7,..."), (4, None, 1));
    assert_eq!(of_text("1,3,5-1..."), (3, None, 1));
    let sacct = "JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NNodes\n\
                 30_[1,2,3,4,...]|30|ann|2025-11-13T02:00:00|Unknown|Unknown|0|10|PENDING|1|0|1\n";
    assert_eq!(seen(&read("sacct", sacct)), (4, None, 1));
    let json = |tasks: &str| {
        let job = format!(
            r#"{{"job_id": 10, "array_job_id": 10, "array_task_string": "{tasks}", "array_max_tasks": 3, "job_state": ["PENDING"],
            "submit_time": 1700000000, "time_limit": 60, "cpus": 1, "node_count": 1, "user_name": "ann"}}"#
        );
        seen(&read("squeue-json", &format!("{{\"jobs\": [{job}]}}")))
    };
    assert_eq!((json("1,3,...%4"), json("1,3,...")), ((2, Some(4), 1), (2, Some(3), 1)));
    let show = "JobId=10 ArrayJobId=10 ArrayTaskId=1,3,...%4 ArrayTaskThrottle=4 JobName=a\n   UserId=ann(1) JobState=PENDING\n   \
                RunTime=00:00:00 TimeLimit=01:00:00\n   SubmitTime=2025-01-01T00:00:00 StartTime=Unknown\n   NumNodes=1 NumCPUs=1\n";
    assert_eq!(seen(&read("slurm-show-job", show)), (2, Some(4), 1));
}
