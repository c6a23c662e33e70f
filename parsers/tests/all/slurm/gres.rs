//! Resources that a job asks for and accounting does not track.

use batchlab_traces::Trace;

use crate::helpers::read_as as read;

/// Returns the amounts of a resource, job by job; empty if no job has any.
fn amounts(trace: &Trace, resource: &str) -> Vec<i64> {
    let column = trace.resource(resource);
    column.map_or(Vec::new(), |column| (0..trace.len()).map(|row| column.whole(row)).collect())
}

#[test]
fn the_submit_line_of_sacct_has_them() {
    const HEAD: &str = "JobID|User|Submit|Start|End|ElapsedRaw|State|ReqCPUS|AllocCPUS|NNodes|ReqTRES|AllocTRES|SubmitLine\n";
    let row = |(at, (procs, nodes, tracked, options)): (usize, &(i64, i64, &str, &str))| {
        let times = "2025-01-01T00:00:00|2025-01-01T00:00:10|2025-01-01T00:01:10|60|COMPLETED";
        let tres = format!("cpu={procs},mem=1G,node={nodes}{tracked}");
        format!(
            "{}|ann|{times}|{procs}|{procs}|{nodes}|{tres}|{tres}|sbatch {options} job.sh --gres=gpu:9\n",
            at + 1
        )
    };
    let jobs = [
        (1, 1, "", "--gres=gpu:4"),
        (1, 1, "", "--gpus=3"),
        (2, 1, "", "-n2 --gpus-per-task=a100:2"),
        (2, 2, "", "-N2 --gpus-per-node=4"),
        (8, 2, "", "-c 4 --gpus-per-task=1"),
        (1, 1, ",gres/gpu=2", "--gres=gpu:4"),
        (1, 1, ",gres/gpu=2", "--gres=gpu:v100:2,shard:3"),
        (1, 1, "", ""),
    ];
    let trace = read("sacct", HEAD.to_owned() + &jobs.iter().enumerate().map(row).collect::<String>());
    assert_eq!(amounts(&trace, "gpu"), [4, 3, 4, 8, 2, 2, 2, 0]);
    assert_eq!(amounts(&trace, "gpu:a100"), [0, 0, 4, 0, 0, 0, 0, 0]);
    assert_eq!(amounts(&trace, "gpu:v100"), [0, 0, 0, 0, 0, 0, 2, 0], "the type of what is tracked without");
    assert_eq!(amounts(&trace, "shard"), [0, 0, 0, 0, 0, 0, 3, 0]);
    assert_eq!(trace.provenance.source.format, "sacct");
}

#[test]
fn the_submit_line_of_sacct_in_json_has_them() {
    let trace = read(
        "sacct-json",
        r#"{"jobs": [{"job_id": 1, "association": {"user": "ann"}, "submit_line": "sbatch -N 2 --gpus-per-node=3 x",
        "time": {"elapsed": 60, "submission": 1700000000, "start": 1700000010, "end": 1700000070},
        "state": {"current": ["COMPLETED"]}, "required": {"CPUs": 2}, "allocation_nodes": 2, "nodes": "n[1-2]",
        "tres": {"requested": [{"type": "cpu", "name": "", "count": 2}], "allocated": [{"type": "cpu", "name": "", "count": 2}]}}]}"#,
    );
    assert_eq!(amounts(&trace, "gpu"), [6]);
}

#[test]
fn the_queue_in_json_has_them() {
    let job = |id: i64, more: &str| {
        format!(
            r#"{{"job_id": {id}, "job_state": ["PENDING"], "submit_time": 1700000000, "time_limit": 60, "cpus": 4, "node_count": 2,
            "tasks": 4, "user_name": "ann", "tres_req_str": "cpu=4,mem=1G,node=2,billing=4", {more}}}"#
        )
    };
    let jobs = [
        job(1, r#""tres_per_node": "gres/gpu:4""#),
        job(2, r#""tres_per_job": "gres/gpu:a100:3", "tres_per_node": """#),
        job(3, r#""tres_per_task": "cpu=1,gres/gpu=2""#),
        job(
            4,
            r#""tres_per_socket": "gres:gpu:1", "sockets_per_node": {"set": true, "infinite": false, "number": 2}"#,
        ),
    ];
    let trace = read("squeue-json", format!("{{\"jobs\": [{}]}}", jobs.join(",")));
    assert_eq!(amounts(&trace, "gpu"), [8, 3, 8, 4]);
    assert_eq!(amounts(&trace, "gpu:a100"), [0, 3, 0, 0]);
}

#[test]
fn the_queue_as_text_has_them() {
    let trace = read(
        "squeue",
        "JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|TRES_ALLOC|TRES_PER_NODE|TRES_PER_JOB|NODELIST|NAME\n\
         1|ann|RUNNING|2025-01-01T00:00:00|2025-01-01T00:00:10|0:20|1:00:00|2|2|cpu=2,mem=1G,node=2|gres/gpu:4|N/A|n[1-2]|a\n\
         2|ann|PENDING|2025-01-01T00:00:01|N/A|0:00|1:00:00|2|2|cpu=2,mem=1G,node=2|N/A|gres/gpu:3|  |b\n\
         3|ann|PENDING|2025-01-01T00:00:02|N/A|0:00|1:00:00|2|2|cpu=2,mem=1G,node=2,gres/gpu=1|gres/gpu:4|N/A||c\n",
    );
    assert_eq!(amounts(&trace, "gpu"), [8, 3, 1], "what is tracked wins");
}

#[test]
fn the_controllers_view_has_them() {
    let job = |id: i64, more: &str| {
        format!(
            "JobId={id} JobName=a\n   UserId=ann(1001) GroupId=staff(100)\n   JobState=PENDING Reason=Resources\n   \
             RunTime=00:00:00 TimeLimit=01:00:00\n   SubmitTime=2025-01-01T00:00:0{id} StartTime=Unknown\n   NodeList=\n   \
             NumNodes=2 NumCPUs=4 NumTasks=4 CPUs/Task=1\n   ReqTRES=cpu=4,mem=1G,node=2\n   Socks/Node=*\n   WorkDir=/home/a b\n   {more}\n\n"
        )
    };
    let all = [
        job(1, "TresPerNode=gres/gpu:4"),
        job(2, "TresPerJob=gres/gpu:3\n   TresPerTask=cpu=1"),
        job(3, "TresPerTask=gres/gpu:a100:1"),
        job(4, "Gres=gpu:1(S:0)"),
        job(5, "Power="),
    ];
    let text = all.concat();
    let one_line = all.map(|job| job.trim_end().replace("\n   ", " ") + "\n").concat();
    for text in [text, one_line] {
        let trace = read("slurm-show-job", text);
        assert_eq!(amounts(&trace, "gpu"), [8, 3, 4, 2, 0]);
        assert_eq!(amounts(&trace, "gpu:a100"), [0, 0, 4, 0, 0]);
    }
}
