//! Tests that requests for unlimited memory or time are refused before they begin.

use super::Folder;

const EXPERIMENT: &str = "\
[experiment]\nname = \"e\"\nREPLICATIONS\n[[workload]]\nWORKLOAD\n[[policy]]\nspec = \"easy\"\n";

/// Each command line, with the beginning of its error message.
#[test]
fn excessive_requests_are_refused_at_once() {
    let folder = Folder::with_log();
    let experiment = |name: &str, replications: &str, workload: &str| {
        let text = EXPERIMENT.replace("REPLICATIONS", replications).replace("WORKLOAD", workload);
        folder.write(name, &text);
    };
    experiment("many.toml", "replications = 4294967295", "model = \"lublin\"\njobs = 10");
    experiment("draws.toml", "replications = 4294967295", "trace = \"week.swf\"\nestimate = \"phi:0.2\"");
    experiment("jobs.toml", "replications = 2", "model = \"downey97\"\njobs = 4294967295");
    experiment("cycles.toml", "", "trace = \"week.swf\"\nevents = \"periodic:0.5\"");
    let list: Vec<String> = (0..100).map(|value| value.to_string()).collect();
    let swept: Vec<String> = (0..10).map(|at| format!("p{at} = [{}]\n", list.join(", "))).collect();
    let spec: Vec<String> = (0..10).map(|at| format!("{{p{at}}}")).collect();
    experiment("points.toml", "", "model = \"lublin\"\njobs = 10");
    let points = folder.read("points.toml").replace("\"easy\"", &format!("\"depth:k={}\"", spec.concat()));
    folder.write("points.toml", &(points + "[sweep]\n" + &swept.concat()));
    let replays =
        "4,294,967,295 replays at least, and at most 1,000,000 are planned; --limit replays=4294967295";
    let jobs = "4,294,967,295 jobs would take 258 GB of memory at least, and at most 20,000,000 are drawn; --limit jobs=";
    let sweep = ["sweep", "--model", "lublin", "--jobs", "10", "--policy", "easy"];
    for (line, words) in [
        ("generate downey97 --jobs 4294967295 -o x.swf", jobs),
        ("generate lublin --jobs 11 --limit jobs=10 -o x.swf", "--limit jobs=11 allows them"),
        ("run many.toml --dry-run", replays),
        ("run many.toml", replays),
        ("slurm many.toml", replays),
        ("run draws.toml --dry-run", replays),
        ("run jobs.toml --dry-run", jobs),
        ("run points.toml --dry-run", "and at most 1,000,000 are planned"),
        ("replay week.swf --policy easy --threads 10000", "it must be a whole number from 1 to 1024"),
        ("replay week.swf --policy easy --events periodic:0.0001", "periodic:S (1s <= S <= 52w)"),
        ("replay week.swf --policy easy --events periodic:0.999999", "periodic:S (1s <= S <= 52w)"),
        ("run cycles.toml", "periodic:S (1s <= S <= 52w)"),
        ("run many.toml --threads 10000", "it must be a whole number from 1 to 1024"),
        (
            "replay week.swf --policy easy --procs 9223372036854775807 --nodes 128",
            "at most 2147483647 can be replayed",
        ),
    ] {
        let done = folder.run(&line.split(' ').collect::<Vec<_>>());
        done.failed(2, words);
    }
    let replications = ["--replications", "1000000000", "--dry-run"];
    folder.run(&[&sweep[..], &replications].concat()).failed(2, "7,000,000,000 replays at least");
    let left: Vec<String> = folder.files().into_iter().filter(|name| !name.contains(".toml")).collect();
    assert_eq!(left, ["week.swf"]);
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let folder = Folder::with_log();
    folder.run(&["replay", "week.swf", "-q", "--policy", "easy", "--schedule", "a.csv"]).succeeded();
    for args in [
        &["--help"][..],
        &["--version"],
        &["replay", "--help"],
        &["list", "policies"],
        &["list", "carriers", "so"],
        &["info", "week.swf", "-q"],
        &["explain", "week.swf", "1", "-q", "--policy", "easy"],
        &["verify", "week.swf", "a.csv", "-q"],
        &["diff", "week.swf", "a.csv", "a.csv", "-q"],
        &["completions", "bash"],
    ] {
        let mut command = std::process::Command::new(folder.command().get_program());
        let done = command
            .current_dir(folder.path(""))
            .args(args)
            .stdout(full.try_clone().unwrap())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(3), "{args:?}: {err}");
        assert!(err.contains("cannot write to standard output: "), "{args:?}: {err}");
    }
}

/// A text may have 16 MiB and a schedule 4 GiB, packed or not. The test files are sparse and take no room on
/// the disk.
#[test]
fn a_text_that_is_too_long_is_refused() {
    let folder = Folder::with_log();
    let hole = |name: &str, length: u64| {
        std::fs::File::create(folder.path(name)).and_then(|file| file.set_len(length)).unwrap();
    };
    let comment = |length: usize| format!("# {}\n", "x".repeat(length - 3));
    let experiment = EXPERIMENT.replace("REPLICATIONS", "").replace("WORKLOAD", "trace = \"week.swf\"");
    let whole = comment((16 << 20) - experiment.len()) + &experiment;
    assert_eq!(whole.len(), 16 << 20);
    folder.write("whole.toml", &whole);
    folder.run(&["run", "whole.toml", "-q", "--dry-run"]).succeeded();
    hole("long.toml", (16 << 20) + 1);
    hole("long.csv", (4 << 30) + 1);
    // 17 MiB of text, packed into 17 KiB.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, comment(17 << 20).as_bytes()).unwrap();
    std::fs::write(folder.path("long.toml.gz"), packed.finish().unwrap()).unwrap();
    let replay = "replay week.swf -q --policy easy";
    for (line, file, most) in [
        ("run long.toml", "long.toml", 16),
        ("run long.toml.gz", "long.toml.gz", 16),
        ("shape week.swf --steps long.toml -o b.swf", "long.toml", 16),
        (&format!("{replay} --steps long.toml"), "long.toml", 16),
        (&format!("{replay} --rules long.toml"), "long.toml", 16),
        (&format!("{replay} --machine long.toml"), "long.toml", 16),
        ("verify week.swf long.csv", "long.csv", 4096),
        ("diff week.swf long.csv long.csv", "long.csv", 4096),
    ] {
        let done = folder.run(&line.split(' ').collect::<Vec<_>>());
        done.failed(3, &format!("{file}: more than {most} MiB of text: it is no such file"));
    }
}
