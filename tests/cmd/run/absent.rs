//! A policy that one log cannot run is absent there, and everything else is as without that log.

use super::Folder;

/// Two logs of twenty jobs, of which the second has no memory requests, and two policies.
fn folder(policy: &str) -> Folder {
    let folder = Folder::new();
    let log = |memory: i64| {
        let job = |at: i64| {
            let (procs, run) = (1 + at * 7 % 4, 100 + at * 37 % 90);
            format!(
                "{} {} -1 {run} {procs} -1 -1 {procs} 300 {memory} 1 {} -1 -1 -1 -1 -1 -1\n",
                at + 1,
                at * 50,
                at % 3
            )
        };
        format!("; MaxProcs: 4\n{}", (0..20).map(job).collect::<String>())
    };
    folder.write("told.swf", &log(9));
    folder.write("bare.swf", &log(-1));
    folder.write(
        "e.toml",
        &format!(
            "[experiment]\nname = \"e\"\n[measure]\nmetrics = [\"mean_wait\"]\n[[workload]]\ntrace = \"told.swf\"\n\
             [[workload]]\ntrace = \"bare.swf\"\n[[policy]]\nlabel = \"EASY\"\nspec = \"easy\"\n[[policy]]\nlabel = \"SMF\"\n\
             spec = \"easy:order=smf\"\n{policy}\n"
        ),
    );
    folder
}

#[test]
fn a_policy_that_cannot_run_refuses_the_experiment_unless_it_may_be_absent() {
    folder("")
        .run(&["run", "e.toml", "-q"])
        .failed(3, "workload `bare`: policy `easy:order=smf` needs memory per job");
    let folder = folder("absent = \"skip\"");
    let done = folder.run(&["run", "e.toml"]);
    done.succeeded();
    let note = "bare has no SMF: policy `easy:order=smf` needs memory per job";
    assert!(done.err.contains(note), "{}", done.err);
    let results = folder.read("e-results/results.csv");
    let rows = |workload: &str, policy: &str| {
        results.lines().filter(|row| row.contains(workload) && row.contains(policy)).count()
    };
    assert!(rows("told", "SMF") > 0 && rows("told", "EASY") > 0 && rows("bare", "EASY") > 0, "{results}");
    assert_eq!(rows("bare", "SMF"), 0, "{results}");
    // Tables and page say so.
    assert!(folder.read("e-results/README.md").contains(&note.replace('`', "\\`")));
    assert!(folder.run(&["table", "e-results"]).succeeded().contains(note));
    folder.run(&["report", "e-results", "-o", "e.html"]).succeeded();
    assert!(folder.read("e.html").contains("bare has no SMF"));
}

#[test]
fn a_policy_is_replayed_on_its_workloads_alone() {
    let alone = folder("workloads = [\"told\"]");
    let done = alone.run(&["run", "e.toml"]);
    done.succeeded();
    assert!(done.err.contains("bare has no SMF: its `workloads` leave it out"), "{}", done.err);
    folder("workloads = [\"tould\"]")
        .run(&["run", "e.toml", "-q"])
        .failed(2, "unknown `tould` (did you mean `told`?)");
    folder("absent = \"skipp\"").run(&["run", "e.toml", "-q"]).failed(2, "(did you mean `skip`?)");
}

#[test]
fn a_workload_without_any_policy_is_refused() {
    let folder = folder("workloads = [\"told\"]");
    let text =
        folder.read("e.toml").replace("spec = \"easy\"\n", "spec = \"easy\"\nworkloads = [\"told\"]\n");
    folder.write("e.toml", &text);
    folder
        .run(&["run", "e.toml", "-q"])
        .failed(3, "no policy runs on workload `bare`: EASY: its `workloads` leave it out; SMF:");
}
