use batchlab::Registry;
use batchlab::policies::{Needs, Policy, PolicyError, PolicySpec, Turn};
use batchlab::traces::{Citation, JobId};

use super::{Done, Folder, four_jobs};

/// Starts every job on arrival, whether it fits or not.
struct Greedy;

struct Idle;

impl Policy for Greedy {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let waiting: Vec<JobId> = turn.waiting().collect();
        for job in waiting {
            turn.start(job)?;
        }
        Ok(())
    }
}

impl Policy for Idle {
    fn decide(&mut self, _: &mut Turn<'_>) -> Result<(), PolicyError> {
        Ok(())
    }
}

pub(super) const GREEDY: PolicySpec = PolicySpec {
    name: "greedy",
    family: "wrong",
    summary: "starts every job as it comes",
    cite: Citation::foreign("this test"),
    rule: "",
    params: &[],
    needs: Needs::POOL,
    build: |_, _| Ok(Box::new(Greedy)),
};

const IDLE: PolicySpec =
    PolicySpec { name: "idle", summary: "starts no job", build: |_, _| Ok(Box::new(Idle)), ..GREEDY };

/// Not a test by itself: the program with these policies, which the tests below run in a separate process.
#[test]
fn program() {
    let mut registry = Registry::builtin();
    registry.register_policy(GREEDY).unwrap();
    registry.register_policy(IDLE).unwrap();
    super::program(&registry);
}

fn run(folder: &Folder, arguments: &str) -> Done {
    folder.write("a.swf", &four_jobs());
    folder.run_test("cmd::misbehaving::program", arguments)
}

#[test]
fn the_code_is_4_and_the_error_names_policy_job_time_need_and_free() {
    let folder = Folder::new();
    let done = run(&folder, "replay a.swf --policy greedy -q");
    assert_eq!(done.code, 4, "{}", done.err);
    assert_eq!(
        done.err,
        "error: policy `greedy` at 1 s: cannot place job 2 at 1 s: it needs 4 procs on node 0, where 2 are free\n"
    );
}

#[test]
fn the_other_policies_are_reported_all_the_same() {
    let folder = Folder::new();
    let policies = "--policy easy --policy greedy --policy idle --policy fcfs";
    let done = run(&folder, &format!("replay a.swf {policies} -q --format csv --metrics mean_wait --out o"));
    assert_eq!(done.code, 4, "{}", done.err);
    let rows: Vec<&str> =
        done.out.lines().skip(1).map(|line| line.split(",a.swf,").next().unwrap()).collect();
    assert_eq!(rows, ["easy,24.75", "fcfs,61.75", "log,24.75"]);
    assert!(done.err.contains("error: policy `greedy` at 1 s: "), "{}", done.err);
    let idle = "error: policy `idle` leaves 4 jobs waiting for ever; the first is job 1\n";
    assert!(done.err.contains(idle), "{}", done.err);
    assert_eq!(done.err.lines().count(), 2, "each is said once: {}", done.err);
    let mut written: Vec<String> = std::fs::read_dir(folder.path("o"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    written.sort();
    assert_eq!(written, ["easy.csv", "fcfs.csv", "summary.json"]);
}

#[test]
fn a_story_ends_with_the_code_too_and_a_well_behaved_policy_does_not() {
    let folder = Folder::new();
    let done = run(&folder, "explain a.swf 2 --policy idle");
    assert_eq!((done.code, done.err.contains("policy `idle` leaves 4 jobs")), (4, true), "{}", done.err);
    assert_eq!(run(&folder, "replay a.swf --policy easy -q").code, 0);
    assert_eq!(run(&folder, "replay a.swf --policy greedi").code, 2);
    assert_eq!(run(&folder, "replay a.swf --policy greedy -q --procs 8").code, 0, "everything fits");
}
