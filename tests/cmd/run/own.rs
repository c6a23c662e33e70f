//! Experiments with metrics of their own, by expression.

use super::Folder;

/// Four jobs on two processors: each lasts 60 s; the second and third need both.
fn folder(metrics: &str) -> Folder {
    let folder = Folder::new();
    let job = |(at, procs): (usize, &u32)| {
        format!("{} 0 -1 60 {procs} -1 -1 {procs} 60 -1 1 1 1 -1 {at} -1 -1 -1\n", at + 1)
    };
    let log: String = [1, 2, 2, 1].iter().enumerate().map(job).collect();
    folder.write("four.swf", &format!("; MaxProcs: 2\n{log}"));
    folder.write(
        "own.toml",
        &format!(
            "[experiment]\nname = \"own\"\n[measure]\nmetrics = {metrics}\nclasses = [\"narrow=procs = 1\"]\n\
             [[workload]]\ntrace = \"four.swf\"\n[[policy]]\nlabel = \"FCFS\"\nspec = \"fcfs\"\n[[policy]]\nlabel = \
             \"EASY\"\nspec = \"easy\"\n[[table]]\nname = \"t\"\nmetrics = [\"short\", \"per_processor\"]\n\
             columns = [\"metric\"]\ncells = [\"value\"]\n[[plot]]\nname = \"p\"\nkind = \"bars\"\nmetric = \"short\"\n\
             [[claim]]\nname = \"c\"\nsays = \"more\"\nlet = {{ e = {{ policy = \"EASY\", metric = \"short\" }}, f = {{ policy = \"FCFS\", \
             metric = \"short@narrow\" }} }}\nexpect = \"e > f\"\n"
        ),
    );
    folder
}

#[test]
fn a_metric_of_ones_own_stands_in_tables_plots_and_claims() {
    let folder =
        folder("[\"mean_wait\", \"short=share(wait in (0, 60))\", \"per_processor = max(wait / procs)\"]");
    folder.run(&["run", "own.toml", "--out", "r", "-q"]).succeeded();
    // FCFS: waits of 0, 60, 120, 180 s. EASY: the last job fills the gap beside the first: 0, 60, 120, 0 s.
    let table = folder.read("r/tables/t.csv");
    for line in ["FCFS,short,0.5", "FCFS,per_processor,180", "EASY,short,0.75", "EASY,per_processor,60"] {
        assert!(table.contains(&format!("four,all,{line},own,1,")), "{table}");
    }
    assert!(folder.read("r/plots/p.svg").contains("short"));
    assert!(folder.read("r/README.md").contains("share(wait in (0, 60)) over the measured jobs"));
    // A later definition under the same name is another metric: everything is measured again.
    let changed = folder.read("own.toml").replace("(0, 60)", "(0, 120)");
    folder.write("own.toml", &changed);
    let again = folder.run(&["run", "own.toml", "--out", "r", "--resume"]);
    assert!(again.err.contains("2 replays to run"), "{}", again.err);
}

#[test]
fn wrong_definitions_are_refused_before_anything_runs() {
    let refused =
        |metrics: &str, why: &str| folder(metrics).run(&["run", "own.toml", "--dry-run"]).failed(2, why);
    refused("[\"short=share(wiat < 60)\"]", "own.toml:4:11: metrics: short:\nwiat < 60\n^^^^\n");
    refused("[\"short=shar(wait < 60)\"]", "there is no statistic `shar` (did you mean `share`?)");
    refused("[\"short=share(wait < 60)\"]", "metrics: unknown `per_processor`; known are short,");
}

#[test]
fn replay_and_sweep_take_definitions() {
    let folder = folder("[]");
    let options = ["--metrics", "short=share(wait in (0, 60)), mean_wait", "--format", "csv", "-q"];
    let done = folder.run(&[&["replay", "four.swf", "--policy", "fcfs"][..], &options].concat());
    let done = done.succeeded();
    assert!(done.starts_with("policy,short,mean_wait,") && done.contains("\nfcfs,0.5,90,"), "{}", done);
    let refused = folder.run(&["replay", "four.swf", "--policy", "fcfs", "--metrics", "short=share(wait)"]);
    refused.failed(2, "--metrics short:\nwait\n^^^^\nthis is a time, and a condition is needed");
    let options = ["--metrics", "late=max(if(procs > 1, wait, 0))", "--format", "csv", "-q", "--out", "s"];
    let sweep = ["sweep", "--model", "lublin", "--jobs", "50", "--policy", "fcfs", "--load", "0.5,0.6,0.7"];
    let done =
        folder.run(&[&sweep[..], &["--replications", "2", "--criterion", "late <= 100"], &options].concat());
    assert!(done.succeeded().contains("late"));
}
