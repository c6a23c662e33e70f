use super::{Done, Folder, four_jobs, log};

impl Folder {
    /// Returns a folder with the log of four jobs, `a.swf`, and a file of steps, `steps.toml`.
    fn with_steps(steps: &str) -> Folder {
        let folder = Folder::new();
        folder.write("a.swf", &four_jobs());
        folder.write("steps.toml", steps);
        folder
    }

    fn shape(&self, more: &[&str]) -> Done {
        self.run(&[&["shape", "a.swf", "--steps", "steps.toml"], more].concat())
    }
}

/// The records of a log, field by field.
fn records(text: &str) -> Vec<Vec<&str>> {
    let records = text.lines().filter(|line| !line.starts_with(';'));
    records.map(|line| line.split(' ').collect()).collect()
}

const FILTER: &str = "[[step]]\nkind = \"filter\"\nkeep = \"procs > 1\"\n";

#[test]
fn steps_are_printed_one_per_line_and_noted_in_the_header() {
    let folder = Folder::with_steps(&format!("{FILTER}[[step]]\nkind = \"shift\"\nby = \"1m\"\n"));
    let done = folder.shape(&["-o", "b.swf"]);
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    let told = "filter: 1 of 4 jobs left out (keep=\"procs > 1\")\nshift: 3 of 3 jobs moved by 60 s (by=\"1m\")\n\
                3 records written to b.swf\n";
    assert_eq!(done.err, told);
    let written = folder.read("b.swf");
    assert!(
        written.starts_with(
            "; MaxProcs: 4\n; Note: shaped by filter keep=\"procs > 1\": 1 of 4 jobs left out\n"
        )
    );
    let submits: Vec<&str> = records(&written).iter().map(|record| record[1]).collect();
    assert_eq!(submits, ["60", "61", "62"]);
    let quiet = folder.shape(&["-o", "-", "-q"]);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), (written.as_str(), ""));
    let piped = folder.run_with_input(&["shape", "a.swf", "--steps", "-", "-o", "-", "-q"], FILTER);
    assert_eq!(records(piped.succeeded()).len(), 3);
}

#[test]
fn further_columns_are_written_as_extended_swf_and_read_back_exactly() {
    let steps = "[[step]]\nkind = \"resource\"\nname = \"gpu\"\nunit = \"card\"\nscope = \"node\"\ncapacity = 4\n\
                 law = \"uniform\"\nmax = 4\n\
                 [[step]]\nkind = \"resource\"\nname = \"io\"\nlaw = \"lognormal\"\nmedian = 0.1\nsigma = 1.0\n\
                 fraction = true\ncorrelate = \"run\"\nrho = 0.6\n";
    let folder = Folder::with_steps(steps);
    let done = folder.shape(&["-o", "b.swf"]);
    done.succeeded();
    assert!(done.err.contains("; Spearman correlation with run "), "{}", done.err);
    let written = folder.read("b.swf");
    assert!(
        written
            .contains("; Resource: 1 gpu card capacity=4 scope=node\n; Resource: 2 io ppm capacity=1000000")
    );
    assert!(records(&written).iter().all(|record| record.len() == 20));
    assert_eq!(folder.run(&["convert", "b.swf", "-o", "-", "-q"]).succeeded(), written);
    let other = folder.shape(&["-o", "-", "-q", "--seed", "2"]);
    assert_ne!(records(&other.out), records(&written));
    let replayed = folder.run(&["replay", "b.swf", "--policy", "easy", "--capacity", "io=1000000", "-q"]);
    assert!(replayed.succeeded().contains("io 1,000,000"), "{}", replayed.out);
}

#[test]
fn a_split_writes_numbered_files_and_all_or_none_of_them() {
    let folder = Folder::with_steps("[[step]]\nkind = \"split\"\njobs = 2\n");
    let done = folder.shape(&["-o", "part.swf.gz"]);
    done.succeeded();
    assert!(done.err.ends_with("2 records written to part-01.swf.gz\n2 records written to part-02.swf.gz\n"));
    assert_eq!(folder.files(), ["a.swf", "part-01.swf.gz", "part-02.swf.gz", "steps.toml"]);
    let second = folder.run(&["convert", "part-02.swf.gz", "-o", "-", "-q"]);
    assert_eq!(records(second.succeeded())[0][..3], ["3", "2", "0"]);
    folder.shape(&["-o", "-"]).failed(2, "a split writes several files");
    folder.shape(&["-o", "no/part.swf"]).failed(3, "cannot write no/part-01.swf: ");
}

#[test]
fn wrong_steps_exit_with_2_and_their_line_and_write_nothing() {
    let cases = [
        ("[[step]]\nkind = filter\n", "steps.toml:2:8: "),
        ("[[step]]\nkind = \"filer\"\n", "steps.toml:2:8: unknown step `filer` (did you mean `filter`?)"),
        (
            "[[step]]\nkind = \"filter\"\nkeeps = \"true\"\n",
            "steps.toml:3:1: unknown key `keeps` (did you mean `keep`?); known are keep, drop, kind",
        ),
        ("[[step]]\nkind = \"filter\"\nkeep = \"procs >\"\n", "steps.toml:3:8: `keep` is not an expression"),
        (
            "[[step]]\nkind = \"filter\"\nkeep = \"gpu > 1\"\n",
            "steps.toml:3:8: step `filter`: its expression cannot be used\ngpu > 1\n^^^\n",
        ),
    ];
    for (steps, words) in cases {
        let folder = Folder::with_steps(steps);
        folder.shape(&["-o", "b.swf"]).failed(2, words);
        assert_eq!(folder.files(), ["a.swf", "steps.toml"]);
    }
}

#[test]
fn steps_that_do_not_fit_the_log_exit_with_3_and_an_older_file_stays() {
    let folder = Folder::with_steps("[[step]]\nkind = \"filter\"\nkeep = \"procs > 99\"\n");
    folder.write("b.swf", "old");
    folder.shape(&["-o", "b.swf"]).failed(3, "steps.toml:1:1: step `filter`: none of 4 jobs is left");
    assert_eq!((folder.read("b.swf"), folder.files().len()), ("old".into(), 3));
    let missing = folder.run(&["shape", "a.swf", "--steps", "none.toml", "-o", "b.swf"]);
    missing.failed(3, "cannot read none.toml: ");
    folder.write("steps.toml", "[[step]]\nkind = \"merge\"\nwith = \"none.swf\"\n");
    folder.shape(&["-o", "b.swf"]).failed(3, "step `merge`: cannot read none.swf: ");
    folder.run(&["shape", "-", "--steps", "-", "-o", "b.swf"]).failed(2, "only one of log and steps");
}

#[test]
fn other_logs_are_looked_for_beside_the_steps() {
    let folder = Folder::with_steps("");
    std::fs::create_dir(folder.path("study")).unwrap();
    folder.write("study/other.swf", &log(8, &[(1, 0, 5, 8, 9, 1)]));
    folder.write("study/steps.toml", "[[step]]\nkind = \"merge\"\nwith = \"other.swf\"\n");
    let done = folder.run(&["shape", "a.swf", "--steps", "study/steps.toml", "-o", "-"]);
    assert!(done.succeeded().starts_with("; MaxProcs: 12\n"), "{}", done.out);
    assert!(done.err.starts_with("merge: 1 added to 4 jobs (with=\"other.swf\")\n"), "{}", done.err);
    let sources: Vec<&str> = records(&done.out).iter().map(|record| record[18]).collect();
    assert_eq!(sources, ["0", "0", "1", "0", "0"]);
}

#[test]
fn a_calibration_replays_a_policy_until_its_queue_is_as_long_as_asked() {
    let steps = "[[step]]\nkind = \"arrivals\"\nqueue = 5\npolicy = \"easy\"\npilots = 2\ntolerance = 0.05\n";
    let folder = Folder::with_log();
    folder.write("steps.toml", steps);
    let done = folder.run(&["shape", "week.swf", "--steps", "steps.toml", "-o", "b.swf"]);
    done.succeeded();
    assert!(done.err.contains("\n  trial 2: mean gap "), "{}", done.err);
    assert!(done.err.contains(", within the tolerance of 5 %\n"), "{}", done.err);
    let gap = |done: &Done| {
        let taken = done.err.split("taken: mean gap ").nth(1).unwrap().split(' ').next().unwrap();
        taken.parse::<f64>().unwrap()
    };
    // Each job takes a third of the resource, so at most three run at once.
    let scarce =
        "[[step]]\nkind = \"resource\"\nname = \"licence\"\nlaw = \"constant\"\nvalue = 1\ncapacity = 3\n";
    folder.write("steps.toml", &format!("{scarce}{steps}"));
    let with_scarce = folder.run(&["shape", "week.swf", "--steps", "steps.toml", "-o", "b.swf"]);
    with_scarce.succeeded();
    assert!(gap(&with_scarce) > 1.5 * gap(&done), "{}{}", done.err, with_scarce.err);
    folder.write("steps.toml", &steps.replace("easy", "esay"));
    let unknown = folder.run(&["shape", "week.swf", "--steps", "steps.toml", "-o", "b.swf"]);
    unknown.failed(3, "step `arrivals`: ");
    assert!(unknown.err.contains("did you mean `easy`?"), "{}", unknown.err);
}

#[test]
fn replay_and_its_kin_shape_the_log_first() {
    let folder = Folder::with_steps(FILTER);
    folder.shape(&["-o", "b.swf"]).succeeded();
    let row = |done: &Done| done.succeeded().lines().last().map(str::to_owned);
    let csv = ["--policy", "fcfs", "--format", "csv", "--metrics", "mean_wait,jobs", "--schedule", "s.csv"];
    let shaped = folder.run(&[&["replay", "a.swf", "--steps", "steps.toml"], &csv[..]].concat());
    assert!(shaped.err.starts_with("filter: 1 of 4 jobs left out"), "{}", shaped.err);
    let schedule = folder.read("s.csv");
    let plain = folder.run(&[&["replay", "b.swf"], &csv[..]].concat());
    assert_eq!(schedule, folder.read("s.csv"));
    let values =
        |done: &Done| row(done).map(|row| row.split(',').take(3).map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(values(&shaped), values(&plain));
    let table = folder.run(&["replay", "a.swf", "--steps", "steps.toml", "--policy", "fcfs", "-q"]);
    assert!(table.succeeded().contains("; steps steps.toml"), "{}", table.out);
    let steps = ["--steps", "steps.toml", "-q"];
    folder.run(&[&["verify", "a.swf", "s.csv"], &steps[..]].concat()).succeeded();
    folder.run(&[&["diff", "a.swf", "s.csv", "s.csv"], &steps[..]].concat()).succeeded();
    let gone = folder.run(&[&["explain", "a.swf", "4"], &steps[..]].concat());
    gone.failed(2, "job 4 is not among the 3 jobs that are replayed");
    folder.write("steps.toml", "[[step]]\nkind = \"split\"\njobs = 2\n");
    folder
        .run(&["replay", "a.swf", "--steps", "steps.toml", "--policy", "fcfs"])
        .failed(2, "one log is wanted");
}

#[test]
fn the_steps_that_are_listed_are_those_that_there_are() {
    let folder = Folder::with_steps("[[step]]\nkind = \"none of these\"\n");
    let listed = folder.run(&["list", "steps"]);
    let refused = folder.shape(&["-o", "b.swf"]).err;
    let known = refused.split("the steps are ").nth(1).unwrap().trim();
    let names: Vec<&str> = listed.succeeded().lines().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(names.join(", "), known);
    let full = folder.run(&["list", "steps", "resource"]);
    assert!(full.succeeded().contains("Leinberger, Karypis and Kumar 1999"), "{}", full.out);
}
