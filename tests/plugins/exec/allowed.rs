//! Tests of which commands are started: typed commands, and commands in files only with --allow-exec.

use super::{CHILD, python, run};
use crate::cmd::run::tree;
use crate::cmd::{Done, Folder, four_jobs};

/// A command from a foreign file, which leaves a file behind when it is started.
const SPEC: &str = "exec:(sh -c 'touch started; exec python3 child.py')";

/// A folder with a log, the child, a foreign experiment and a foreign file of steps.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    folder.write("child.py", &format!("{CHILD}begin(cite='Somebody, JSSPP 1999')\nfcfs()\n"));
    let policies = format!("[[policy]]\nspec = \"easy\"\n[[policy]]\nlabel = \"mine\"\nspec = \"{SPEC}\"\n");
    folder.write(
        "e.toml",
        &format!("[experiment]\nname = \"e\"\n[[workload]]\nname = \"a\"\ntrace = \"a.swf\"\n{policies}"),
    );
    folder.write("steps.toml", &format!("[[step]]\nkind = \"arrivals\"\nqueue = 1\npolicy = \"{SPEC}\"\n"));
    folder
}

fn started(folder: &Folder, args: &[&str]) -> (Done, bool) {
    let done = run(folder, args);
    let mark = folder.path("started");
    let was = mark.exists();
    if was {
        std::fs::remove_file(mark).unwrap();
    }
    (done, was)
}

/// Each command line, its exit code, and whether the foreign command is started.
#[test]
fn a_command_of_a_file_is_started_with_the_option_alone() {
    if !python() {
        return;
    }
    let folder = folder();
    let typed = ["--policy", SPEC];
    for (line, code, starts) in [
        ("run e.toml -q", 2, false),
        ("run e.toml -q --dry-run", 0, false),
        ("run e.toml -q --dry-run --allow-exec", 0, false),
        ("slurm e.toml -q", 2, false),
        ("run e.toml -q --allow-exec", 0, true),
        ("run e.toml -q --resume", 2, false),
        ("cite e-results -q", 0, false),
        ("cite e-results -q --zip e.zip", 0, false),
        ("table e-results", 0, false),
        ("report e-results -o e.html", 0, false),
        ("merge e-results -o merged -q", 0, false),
        ("shape a.swf --steps steps.toml -o b.swf -q", 3, false),
        ("replay a.swf --steps steps.toml --policy easy -q", 3, false),
    ] {
        let (done, was) = started(&folder, &line.split(' ').collect::<Vec<_>>());
        assert_eq!((done.code, was), (code, starts), "{line}: {}", done.err);
        let refused = done.err.contains("allow it with --allow-exec");
        assert_eq!(refused, code != 0, "{line}: {}", done.err);
    }
    for (words, starts) in [
        (&["replay", "a.swf", "-q"][..], true),
        (&["sweep", "a.swf", "-q", "--load", "0.8,1,1.2", "--out", "swept", "--dry-run"], false),
        (&["sweep", "a.swf", "-q", "--load", "0.8,1,1.2", "--out", "swept"], true),
    ] {
        let (done, was) = started(&folder, &[words, &typed[..]].concat());
        assert_eq!((done.code, was), (0, starts), "{words:?}: {}", done.err);
    }
    let (listed, was) = started(&folder, &["list", "policies", SPEC]);
    assert!(was && listed.succeeded().contains("Somebody, JSSPP 1999"), "{}", listed.out);
}

/// The folder of results contains the plug-in's description, so it can be cited without being started.
#[test]
fn a_plug_in_is_cited_from_the_folder() {
    if !python() {
        return;
    }
    let folder = folder();
    started(&folder, &["run", "e.toml", "-q", "--allow-exec"]).0.succeeded();
    std::fs::remove_file(folder.path("child.py")).unwrap();
    let (done, was) = started(&folder, &["cite", "e-results", "-q"]);
    assert!(!was);
    assert!(
        done.succeeded().contains("title = {{Somebody, JSSPP 1999}},\n  annote = {Cited for policy mine}"),
        "{}",
        done.out
    );
}

/// A command describes itself once and begins once for each replay, and once before all of them on a machine; where nothing is
/// left to replay, it is not started. Its spec has a value that is the default, which the canonical spec leaves out.
#[test]
fn a_resumed_run_without_replays_starts_nothing() {
    if !python() {
        return;
    }
    let folder = folder();
    let spec = "exec:(sh -c 'echo x >> starts; exec python3 child.py'),timeout=60s,memory=4096";
    let model = "[[workload]]\nname = \"m\"\nmodel = \"lublin\"\nprocs = 32\njobs = 20\n[sweep]\nload = [0.5, 0.6, 0.7]\n";
    let head = "[experiment]\nname = \"e\"\nreplications = 2\n[measure]\nmetrics = [\"mean_wait\"]\n";
    folder.write("e.toml", &format!("{head}{model}[[policy]]\nlabel = \"mine\"\nspec = \"{spec}\"\n"));
    let starts = |args: &[&str]| {
        let _ = std::fs::remove_file(folder.path("starts"));
        run(&folder, &[args, &["--allow-exec", "--allow-limit", "timeout=60s", "-q"]].concat()).succeeded();
        std::fs::read_to_string(folder.path("starts")).map_or(0, |text| text.lines().count())
    };
    assert_eq!(starts(&["run", "e.toml"]), 1 + 1 + 6);
    let before = tree(&folder, "e-results");
    assert_eq!(starts(&["run", "e.toml", "--resume"]), 0);
    assert_eq!(tree(&folder, "e-results"), before);
    assert_eq!(starts(&["run", "e.toml", "--resume", "--schedules"]), 1 + 1 + 6);
    // Of another command nothing is known.
    folder.write("e.toml", &folder.read("e.toml").replace("child.py'", "child.py 2'"));
    assert_eq!(starts(&["run", "e.toml", "--resume"]), 1 + 1 + 6);
}

/// The script has the option if `slurm` was given it.
#[test]
fn a_script_passes_on_what_was_allowed() {
    if !python() {
        return;
    }
    let folder = folder();
    let done = run(&folder, &["slurm", "e.toml", "-q", "--tasks", "1", "--allow-exec"]);
    assert!(done.succeeded().contains(" --resume --quiet --threads 1 --allow-exec\n"), "{}", done.out);
    folder.write("plain.toml", &folder.read("e.toml").replace(SPEC, "fcfs"));
    let done = run(&folder, &["slurm", "plain.toml", "-q", "--tasks", "1"]);
    assert!(!done.succeeded().contains("--allow-exec"), "{}", done.out);
}
