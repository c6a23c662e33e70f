//! Tests that a policy whose needs the log does not meet is refused before the replay, with counts and
//! advice.

use super::{Folder, log};

/// A log on four processors of rows (processors, memory per processor, user, group, partition); each job runs
/// for 10 s.
fn told(rows: &[(i64, i64, i64, i64, i64)]) -> String {
    let row = |(index, &(procs, memory, user, group, partition)): (usize, &(i64, i64, i64, i64, i64))| {
        let number = index + 1;
        format!(
            "{number} {index} -1 10 {procs} -1 -1 {procs} 10 {memory} 1 {user} {group} -1 -1 {partition} -1 -1\n"
        )
    };
    format!("; MaxProcs: 4\n{}", rows.iter().enumerate().map(row).collect::<String>())
}

#[test]
fn needs_that_no_job_meets_are_refused_before_any_replay() {
    let folder = Folder::new();
    folder.write("a.swf", &told(&[(4, -1, -1, -1, -1), (2, 0, -1, -1, -1)]));
    let replay = |spec: &str| folder.run(&["replay", "a.swf", "--policy", "easy", "--policy", spec, "-q"]);
    replay("easy:order=smf").failed(
        3,
        "policy `easy:order=smf` needs memory per job; the trace has none (neither field 7 nor field 10 is above 0 in \
         all 2 jobs); add it with a `resource` step (see `batchlab list steps`)",
    );
    replay("expr(memory)")
        .failed(3, "policy `fcfs:order=expr(memory)` needs memory per job; the trace has none");
    replay("expr(group)").failed(3, "policy `fcfs:order=expr(group)` needs groups; the trace has none");
    replay("fcfs:order=drf").failed(3, "needs users; the trace has none (field 12 is -1 in all 2 jobs); ");
    replay("depth:candidates=fairshare").failed(3, "needs users; the trace has none");
    replay("easy:predictor=last2").failed(3, "needs users; the trace has none");
    replay("limits:user-jobs=1").failed(3, "needs users; the trace has none");
    replay("limits:group-procs=4").failed(3, "needs groups; the trace has none (field 13 is -1");
    replay("limits:partition-jobs=1").failed(3, "needs partitions; the trace has none (field 16 is -1");
    replay("limits:policy=(easy:order=smf)")
        .failed(3, "policy `limits:policy=(easy:order=smf)` needs memory");
    folder.run(&["explain", "a.swf", "1", "--policy", "easy:order=smf"]).failed(3, "needs memory per job");
    replay("easy:order=tetris").succeeded();
    folder.write(
        "memory.toml",
        "[[step]]\nkind = \"resource\"\nname = \"memory\"\nlaw = \"constant\"\nvalue = 5\n",
    );
    let stepped = ["replay", "a.swf", "--policy", "easy:order=smf", "--steps", "memory.toml", "-q"];
    folder.run(&stepped).succeeded();
}

#[test]
fn every_job_must_have_a_memory_request_which_need_not_bind() {
    let folder = Folder::new();
    let replay = |extra: &[&str]| {
        let smf = ["replay", "a.swf", "--policy", "fcfs:order=smf", "-q", "--format", "csv", "--metrics"];
        folder.run(&[&smf[..], &["max_wait"], extra].concat())
    };
    folder.write("a.swf", &told(&[(4, 9, 1, 1, 1), (4, 7, 1, 1, 1), (4, -1, 1, 1, 1)]));
    replay(&[]).failed(3, "needs memory per job; 1 of 3 jobs have none (neither field 7 nor field 10");
    // Jobs 2 and 3 wait for job 1; the second of them waits for 17 or 18 s.
    folder.write("a.swf", &told(&[(4, 9, 1, 1, 1), (4, 7, 1, 1, 1), (4, 5, 1, 1, 1)]));
    for capacity in [&[][..], &["--capacity", "memory=36"]] {
        let done = replay(capacity);
        assert!(done.succeeded().contains("\nfcfs:order=smf,19,"), "{}", done.out);
    }
}

#[test]
fn jobs_of_no_known_user_are_one_users_and_counted() {
    let folder = Folder::new();
    folder.write("a.swf", &told(&[(1, 1, 3, 1, 1), (1, 1, -1, 1, 1), (1, 1, -1, 1, -1)]));
    let replay = |extra: &[&str]| folder.run(&[&["replay", "a.swf"], extra].concat());
    let limited = ["--policy", "limits:policy=fcfs,user-jobs=1", "--policy", "easy:order=drf"];
    let done = replay(&limited);
    done.succeeded();
    let counted =
        "warning[job-no-user]: 2 jobs without a user (field 12): they count as those of one unknown user";
    assert_eq!(done.err.matches(counted).count(), 1, "{}", done.err);
    // Job 3 waits for job 2, which has the same unknown user.
    assert!(done.out.contains("1 jobs that limits held back"), "{}", done.out);
    replay(&[&limited[..], &["--strict"]].concat()).failed(3, "refused by --strict: warning[job-no-user]");
    let partitions = replay(&["--policy", "limits:partition-jobs=2", "-q", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(partitions.succeeded()).unwrap();
    let codes = found["findings"].as_array().unwrap().iter().map(|finding| &finding["code"]);
    assert_eq!(codes.filter(|&code| code == "job-no-partition").count(), 1);
    let groups = replay(&["--policy", "limits:policy=fcfs,group-procs=1", "--strict"]);
    assert!(groups.succeeded().contains("2 jobs that limits held back"), "{}", groups.out);
    replay(&["--policy", "easy", "--strict"]).succeeded();
}

#[test]
fn jobs_beyond_a_limit_are_refused_with_their_number() {
    let folder = Folder::new();
    folder.write("a.swf", &log(4, &[(0, -1, 9, 4, 9, 1), (0, -1, 9, 3, 9, 1), (0, -1, 9, 2, 9, 1)]));
    let replay = |spec: &str| folder.run(&["replay", "a.swf", "--policy", spec, "-q"]);
    replay("limits:user-procs=2").failed(
        3,
        "policy `limits:user-procs=2` could never start 2 of 3 jobs: user-procs=2, and the largest has 4 processors; \
         raise the limit, or leave such jobs out with a `filter` step",
    );
    replay("limits:policy=(limits:user-procs=3)").failed(3, "could never start 1 of 3 jobs: user-procs=3");
    replay("limits:user-procs=4").succeeded();
}

#[test]
fn a_policy_within_a_policy_is_named_in_the_table() {
    let folder = Folder::with_log();
    let spec = "limits:user-jobs=2,policy=(easy:candidates=sjf,order=fcfs)";
    let done = folder.run(&["replay", "week.swf", "--policy", spec, "-q", "--format", "csv"]);
    assert!(done.succeeded().contains("limits:policy=(easy:candidates=sjf),user-jobs=2"), "{}", done.out);
    folder.run(&["replay", "week.swf", "--policy", "limits:policy=(esay)"]).failed(2, "did you mean `easy`?");
}
