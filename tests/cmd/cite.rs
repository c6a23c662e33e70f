use std::collections::BTreeMap;
use std::io::Read;

use super::Folder;
use super::run::small;

/// Policies with references through their orders, a log of the archive, and a model.
const CITING: &str = include_str!("cite/citing.toml");

const LOG: &str = include_str!("cite/site.swf");

fn citing() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("logs")).unwrap();
    folder.write("logs/site & co.swf", LOG);
    folder.write("citing.toml", CITING);
    folder.run(&["run", "citing.toml", "-q"]).succeeded();
    folder
}

fn unpacked(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(folder.path(name)).unwrap()).unwrap();
    let mut files = BTreeMap::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.insert(file.name().unwrap().into_owned(), bytes);
    }
    files
}

#[test]
fn references_are_those_of_the_used_entries() {
    let folder = citing();
    let done = folder.run(&["cite", "citing-results"]);
    let bibtex = done.succeeded();
    let keys: Vec<&str> = bibtex
        .lines()
        .filter_map(|line| line.strip_prefix('@')?.split_once('{')?.1.strip_suffix(','))
        .collect();
    assert_eq!(
        keys,
        [
            "batchlab",
            "lublin03",
            "tsafrir05",
            "tsafrir07shaking",
            "feitelson14",
            "lifka95",
            "tsafrir07",
            "carastan17",
            "lelong17",
            "feitelson98",
            "zhang01",
            "feitelson97",
            "sabin05",
            "dunn61",
            "log-site-co",
        ]
    );
    assert_eq!(bibtex.matches('{').count(), bibtex.matches('}').count());
    for line in [
        "  annote = {Cited for model lublin}\n",
        "  annote = {Cited for policy EASY, policy F1 \\& SAF}\n",
        "  annote = {Cited for order f1}\n",
        "  annote = {Cited for statistics of the tables}\n",
        "  title = {{Workload log site \\& co.swf: IBM SP2, An Institute}},\n",
        "  note = {Thanks to A. Person (a\\_person@site). Converted by Somebody},\n  annote = {SHA-256 ",
        "  howpublished = {Computer program},\n  year = {2026},\n  note = {Version 0.1.0}\n}\n",
    ] {
        assert!(bibtex.contains(line), "`{line}` is not in {bibtex}");
    }
    let text = folder.run(&["cite", "citing-results", "--format", "text"]);
    for line in [
        "Experiment citing, run by batchlab ",
        "\n  [lifka95] Lifka, David A.: The ANL/IBM SP Scheduling System. Job Scheduling Strategies for Parallel Processing \
         LNCS 949, 295\u{2013}303, 1995.\n    Cited for policy EASY, policy F1 & SAF.\n",
        "\n  site & co.swf\n    machine: IBM SP2\n    machine: An Institute\n    thanks to: A. Person (a_person@site)\n",
        "    note: uses a scheduler\n    SHA-256: ",
    ] {
        assert!(text.succeeded().contains(line), "`{line}` is not in {}", text.out);
    }
    assert!(!text.out.contains("shaped by"), "{}", text.out);
}

/// Unpacked anywhere, an archive runs by the command in its README: the files that the experiment reads are in it.
#[test]
fn the_command_of_an_archive_runs_where_it_is_unpacked() {
    let folder = Folder::new();
    let there = folder.path("there/files");
    std::fs::create_dir_all(&there).unwrap();
    let head = "[experiment]\nname = \"e\"\nreplications = 2\n[measure]\nmetrics = [\"mean_wait\"]\n";
    let files =
        "limits = \"files/limits.toml\"\nsteps = \"files/steps.toml\"\ncalendar = \"files/calendar.toml\"\n";
    let workload = format!("[[workload]]\nname = \"m\"\nmodel = \"lublin\"\njobs = 40\nprocs = 64\n{files}");
    let policies =
        "[[policy]]\nspec = \"fcfs\"\n[[policy]]\nlabel = \"mine\"\nspec = \"exec:(sh mine.sh)\"\n";
    folder.write("there/e.toml", &format!("{head}{workload}{policies}"));
    folder.write("there/files/limits.toml", "[[limit]]\nuser = 1\nrunning_jobs = 4\n");
    folder.write("there/files/steps.toml", "[[step]]\nkind = \"filter\"\nkeep = \"run > 1\"\n");
    folder.write(
        "there/files/calendar.toml",
        "[[event]]\nkind = \"outage\"\nfrom = 100\nto = 200\nprocs = 1\n",
    );
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/python/raw_fcfs.py");
    folder.write("there/mine.sh", &format!("exec python3 '{python}'\n"));
    if !crate::plugins::exec::python() {
        return;
    }
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_batchlab")).parent().unwrap();
    let paths = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let run = |at: &str, line: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-ec", line]).current_dir(folder.path(at)).env("PATH", &paths);
        let done = shell.output().unwrap();
        assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    };
    run(
        "there",
        "batchlab run e.toml --out results --allow-exec -q > out; batchlab cite results --zip ../one.zip -q > out",
    );
    let unpacked = unpacked(&folder, "one.zip");
    for (name, bytes) in &unpacked {
        let path = folder.path(&format!("elsewhere/{name}"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    assert_eq!(folder.read("elsewhere/e/files/limits.toml"), folder.read("there/files/limits.toml"));
    let readme = folder.read("elsewhere/e/README.txt");
    assert!(readme.contains("files/limits.toml") && readme.contains("mine.sh"), "{readme}");
    let page = folder.read("elsewhere/e/README.md");
    assert!(page.contains("\nbatchlab run e.toml --allow-exec\n"), "{page}");
    for what in ["To run it all again:", "To compare:", "To run one replay again:", "To check the files:"] {
        let line = readme.lines().find_map(|line| line.strip_prefix(what)).unwrap().trim();
        run("elsewhere/e", &format!("{line} > ../out"));
    }
}

#[test]
fn the_archive_is_the_same_each_time_and_the_results_can_be_made_of_it() {
    let folder = citing();
    std::fs::create_dir_all(folder.path("citing-results/shards/1-of-2")).unwrap();
    folder.write("citing-results/shards/1-of-2/results.csv", "");
    folder.run(&["cite", "citing-results", "--zip", "one.zip", "-q"]).succeeded();
    let done = folder.run(&["cite", "citing-results", "--zip", "citing-results/artifact.zip"]);
    assert!(done.err.contains("the artifact is in citing-results/artifact.zip"), "{}", done.err);
    folder.run(&["cite", "citing-results", "--zip", "citing-results/artifact.zip", "-q"]).succeeded();
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert!(bytes("one.zip") == bytes("citing-results/artifact.zip"), "an archive of its own is in it");
    let files = unpacked(&folder, "one.zip");
    let text = |name: &str| String::from_utf8(files[&format!("citing/{name}")].clone()).unwrap();
    assert_eq!(text("results.csv"), folder.read("citing-results/results.csv"));
    assert_eq!(text("citation.bib"), folder.run(&["cite", "citing-results"]).out);
    for name in
        ["experiment.toml", "manifest.json", "plan.csv", "tables/contrasts.tex", "README.txt", "SHA256SUMS"]
    {
        assert!(files.contains_key(&format!("citing/{name}")), "{name} is not in {:?}", files.keys());
    }
    assert!(!files.keys().any(|name| name.contains("shards") || name.contains(".zip")), "{:?}", files.keys());
    assert_eq!(text("SHA256SUMS").lines().count(), files.len() - 1);
    // The steps of a reader of the archive: unpack it, put the log in place, check, run.
    for (name, bytes) in &files {
        let path = folder.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    std::fs::rename(folder.path("logs"), folder.path("citing/logs")).unwrap();
    let check = ["--check", "--quiet", "SHA256SUMS"];
    match std::process::Command::new("sha256sum").args(check).current_dir(folder.path("citing")).status() {
        Ok(status) => assert!(status.success(), "{}", text("SHA256SUMS")),
        Err(error) => eprintln!("sums are not checked, there is no sha256sum: {error}"),
    }
    folder.run(&["run", "citing/experiment.toml", "--out", "again", "-q"]).succeeded();
    assert_eq!(folder.read("again/results.csv"), text("results.csv"));
    let command = text("README.txt");
    let key = command.split("--key ").nth(1).unwrap().split(' ').next().unwrap();
    folder.run(&["run", "citing/experiment.toml", "--key", key, "--schedule", "replay.csv"]).succeeded();
    assert!(folder.read("replay.csv").starts_with("job_id,submit,start,end,procs"));
}

#[test]
fn unknown_policies_are_reported() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "part", "--shard", "1/2", "-q"]).succeeded();
    let plan = folder.read("part/plan.csv").replace(",EASY,easy,", ",EASY,harbour,");
    folder.write("part/plan.csv", &plan);
    let done = folder.run(&["cite", "part"]);
    assert!(!done.succeeded().contains("lifka95"));
    assert!(
        done.err.contains("no citation for policy EASY (`harbour`): no policy is called `harbour`"),
        "{}",
        done.err
    );
}

/// A folder received from someone else: nothing in it refers to files outside of it.
#[cfg(unix)]
#[test]
fn links_and_foreign_files_are_refused_by_name() {
    use std::os::unix::fs::symlink;
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    folder.write("secret.txt", "secret");
    let refused = |words: &str| {
        folder.run(&["cite", "r", "--zip", "r.zip", "-q"]).failed(3, words);
        assert!(!folder.path("r.zip").exists(), "{words}");
    };
    for (name, target) in [
        ("findings.txt", "../secret.txt"),
        ("README.txt", "../secret.txt"),
        ("tables/main.csv", "../../secret.txt"),
        ("loop", "."),
        ("plots", ".."),
    ] {
        let at = folder.path(&format!("r/{name}"));
        let aside = folder.path("aside");
        let was_there = std::fs::rename(&at, &aside).is_ok();
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        symlink(target, &at).unwrap();
        refused(&format!("r holds {name}, a link: "));
        std::fs::remove_file(&at).unwrap();
        if was_there {
            std::fs::rename(&aside, &at).unwrap();
        }
    }
    folder.write("r/notes.txt", "mine");
    refused("r holds notes.txt, a file that no experiment writes: ");
    std::fs::remove_file(folder.path("r/notes.txt")).unwrap();
    folder.run(&["cite", "r", "--zip", "r.zip", "-q"]).succeeded();
}

/// Every file that is read, written or removed for a folder of results is inside it.
#[cfg(unix)]
#[test]
fn nothing_is_read_or_written_through_a_link() {
    use std::os::unix::fs::symlink;
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    folder.write("mine.txt", "mine");
    std::fs::create_dir(folder.path("precious")).unwrap();
    folder.write("precious/work.txt", "work");
    std::fs::remove_file(folder.path("r/findings.txt")).unwrap();
    symlink("../mine.txt", folder.path("r/findings.txt")).unwrap();
    folder
        .run(&["run", "small.toml", "--out", "r", "-q", "--resume"])
        .failed(3, "r/findings.txt is a link: ");
    assert_eq!(folder.read("mine.txt"), "mine");
    std::fs::remove_file(folder.path("r/findings.txt")).unwrap();
    symlink("../precious", folder.path("r/schedules")).unwrap();
    folder.run(&["run", "small.toml", "--out", "r", "-q", "--resume"]).failed(3, "r/schedules is a link: ");
    folder.run(&["merge", "r", "-o", "joined", "-q"]).failed(3, "r/schedules is a link: ");
    assert_eq!(folder.read("precious/work.txt"), "work");
    std::fs::remove_file(folder.path("r/schedules")).unwrap();
    let out = SMALL_OUT.replace("NAME", "../../escaped");
    folder.write("out.toml", &(super::run::SMALL.replace("name = \"small\"", "name = \"out\"") + &out));
    let done = folder.run(&["run", "out.toml", "--out", "o", "-q"]);
    assert_ne!(done.code, 0);
    assert!(!folder.path("escaped.csv").exists());
}

const SMALL_OUT: &str = "\n[[table]]\nname = \"NAME\"\n";
