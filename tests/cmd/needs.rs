//! Tests that a policy whose needs the log does not meet is refused before the replay, with counts and
//! advice.

use super::Folder;

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
