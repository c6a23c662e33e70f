use super::{Folder, SHORT_LINE};

#[test]
fn a_generated_log_survives_packing_piping_and_reading_again() {
    let folder = Folder::with_log();
    let log = folder.read("week.swf");
    folder.run(&["convert", "week.swf", "-o", "week.swf.gz"]).succeeded();
    let packed = std::fs::read(folder.path("week.swf.gz")).unwrap();
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    let twice = [&packed[..], &packed[..]].concat();
    assert_eq!(folder.run_with_input(&["convert", "-", "-o", "-"], packed).succeeded(), log);
    // The members of a packed file are concatenated; the second header is among the jobs then.
    let done = folder.run_with_input(&["convert", "-", "-o", "-"], twice);
    assert_eq!(done.succeeded().lines().filter(|line| !line.starts_with(';')).count(), 400);
    assert!(done.err.contains("swf-late-header"), "{}", done.err);
}

#[test]
fn a_strict_refusal_leaves_no_file_and_an_older_one_as_it_was() {
    let folder = Folder::new();
    folder.write("a.swf", SHORT_LINE);
    let refused = || folder.run(&["convert", "a.swf", "-o", "b.swf", "--strict"]);
    refused().failed(3, "refused by --strict: warning[swf-short-line]");
    assert_eq!(folder.files(), ["a.swf"]);
    folder.write("b.swf", "old");
    refused().failed(3, "a.swf:3");
    assert_eq!((folder.files().len(), folder.read("b.swf")), (2, "old".into()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let folder = Folder::with_log();
    let done = folder.run(&["convert", "week.swf", "-o", "/dev/full"]);
    done.failed(3, "cannot write /dev/full: ");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(folder.command().get_program());
    let command = command.args(["convert", "week.swf", "-o", "-"]).current_dir(folder.0.path());
    let done = command.stdout(full).output().unwrap();
    let reason = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(3));
    assert!(reason.starts_with("error: cannot write to standard output: "), "{reason}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = Folder::new();
    folder.run(&["generate", "lublin", "-o", "long.swf", "--jobs", "20000"]).succeeded();
    let done = folder.run_and_leave(&["convert", "long.swf", "-o", "-", "-q"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}

/// A table of two jobs and its mapping.
fn table() -> Folder {
    let folder = Folder::new();
    let jobs = "who;began;took;cpus\nann;01.02.2021 08:00;60;4\nbob;01.02.2021 09:00;90;8\n";
    folder.write("jobs.csv", jobs);
    folder.write(
        "site.toml",
        "separator = \";\"\nheading = true\ncolumn = [\n  { name = \"who\", to = \"user\" },\n  \
         { name = \"began\", to = \"submit\", format = \"%d.%m.%Y %H:%M\" },\n  \
         { name = \"took\", to = \"run\", unit = \"min\" },\n  { name = \"cpus\", to = \"requested\" },\n]\n",
    );
    folder
}

#[test]
fn an_explanation_gives_the_destination_of_each_column() {
    let folder = table();
    let mapped = ["--mapping", "site.toml", "-q"];
    let done = folder.run(&[&["convert", "jobs.csv", "--explain=1"][..], &mapped].concat());
    let expected = "jobs.csv:2\n\
                    \x20 column  text              went to               value\n\
                    \x20 who     ann               user                  1\n\
                    \x20 began   01.02.2021 08:00  submit time           0\n\
                    \x20 took    60                run time              3600\n\
                    \x20 cpus    4                 requested processors  4\n";
    assert_eq!((done.succeeded(), folder.files().len()), (expected, 2));
    let both = folder.run(&[&["convert", "jobs.csv", "--explain", "-o", "a.swf"][..], &mapped].concat());
    assert!(both.succeeded().starts_with(expected) && both.out.contains("\njobs.csv:3\n"), "{}", both.out);
    assert!(folder.read("a.swf").contains("\n1 0 -1 3600 "));
    folder.run(&["convert", "jobs.csv", "--explain", "-o", "-"]).failed(2, "name a file");
    folder.write("a.swf", SHORT_LINE);
    let swf = folder.run(&["convert", "a.swf", "--explain"]);
    assert!(swf.succeeded().contains("\na.swf:3\n"), "{}", swf.out);
    assert!(swf.err.ends_with("3 records read from a.swf (swf)\n"), "{}", swf.err);
}

#[test]
fn the_mapping_of_a_format_is_one_to_begin_with() {
    let folder = Folder::new();
    let text = folder.run(&["list", "formats", "openb", "--mapping"]).succeeded().to_owned();
    folder.write("own.toml", &text.replace("to = \"requested\" }", "to = \"requested\", factor = 0.001 }"));
    let heading = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time";
    folder.write("pods.csv", &format!("{heading}\npod-1,3152,1024,0,0,,LS,Succeeded,0,60,0\n"));
    let processors = |more: &[&str]| {
        let args = [&["convert", "pods.csv", "-o", "-", "-q"][..], more].concat();
        folder.run(&args).succeeded().lines().last().unwrap().split(' ').nth(7).unwrap().to_owned()
    };
    assert_eq!((processors(&[]), processors(&["--mapping", "own.toml"])), ("3152".into(), "4".into()));
    folder.run(&["list", "formats", "swf", "--mapping"]).failed(2, "`swf` has no mapping file");
}

/// A table has all that decides about a schedule, its machine included, and gives the same log back.
#[test]
fn a_table_reads_back_to_the_same_log_and_the_same_schedule() {
    let folder = Folder::with_log();
    let log = folder.read("week.swf");
    folder.run(&["convert", "week.swf", "--to", "csv", "-o", "week.csv"]).succeeded();
    let table = folder.read("week.csv");
    let heading = table.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(heading.starts_with("job,submit,wait,run,allocated,cpu,"), "{heading}");
    assert!(!table.lines().any(|line| line.contains("-1")), "what is unknown is empty");
    assert_eq!(folder.run(&["convert", "week.csv", "-o", "-"]).succeeded(), log);
    for (input, schedule) in [("week.swf", "one.csv"), ("week.csv", "other.csv")] {
        folder.run(&["replay", input, "--policy", "easy", "-q", "--schedule", schedule]).succeeded();
    }
    assert_eq!(folder.read("one.csv"), folder.read("other.csv"));
}

#[test]
fn accounting_of_slurm_reads_back_to_the_same_schedule_and_says_what_it_lacks() {
    let folder = Folder::new();
    folder.write(
        "a.swf",
        "; UnixStartTime: 1000000000\n; MaxProcs: 8\n; Resource: 1 site  scope=job\n\
         1 0 5 60 4 -1 -1 4 120 1024 1 3 -1 -1 2 -1 -1 -1 7\n\
         2 10.5 -1 30.25 8 15 -1 8 86460 -1 0 4 -1 -1 -1 -1 1 -1 7\n\
         3 20 100 -1 -1 -1 -1 2 60 -1 5 3 -1 -1 -1 -1 -1 -1 7\n",
    );
    folder.write(
        "queues.swf",
        "1 0 5 60 4 -1 -1 4 120 -1 1 3 -1 -1 2 1 -1 -1\n2 9 5 60 4 -1 -1 4 120 -1 1 3 -1 -1 3 1 -1 -1\n",
    );
    let queues = folder.run(&["convert", "queues.swf", "--to", "sacct", "-o", "queues.txt"]);
    let lost = "columns left out, which sacct does not have: queue (beside the partition)\n";
    assert!(queues.err.contains(lost), "{}", queues.err);
    let done = folder.run(&["convert", "a.swf", "--to", "sacct", "-o", "sacct.txt"]);
    done.succeeded();
    for note in [
        "parts of a second left out of 1 record: accounting has whole seconds\n",
        "the wait of 1 record is unknown: the submit time stands for the start\n",
        "columns left out, which sacct does not have: site, preceding job\n",
        "accounting does not have the size of the machine: replay it with --procs 8\n",
    ] {
        assert!(done.err.contains(note), "{}", done.err);
    }
    let rows = folder.read("sacct.txt");
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    assert_eq!(
        rows,
        [
            "1||user3||queue2|COMPLETED|1000000000|1000000000|1000000005|1000000065|00:01:00|00:02:00||4|4|cpu=4,mem=4096K|\
             cpu=4,mem=4096K||",
            "2||user4|||FAILED|1000000010|1000000010|1000000010|1000000040|00:00:30|1-00:01:00||8|8|cpu=8|cpu=8||00:02:00",
            "3||user3|||CANCELLED|1000000020|1000000020|Unknown|1000000120||00:01:00||2||cpu=2|||",
        ]
    );
    let replay = |log, schedule| {
        let replay = ["replay", log, "--procs", "8", "--policy", "easy", "-q", "--schedule", schedule];
        folder.run(&replay).succeeded();
        folder.read(schedule)
    };
    let log = folder.read("a.swf").replace("10.5", "10").replace("30.25", "30");
    folder.write("a.swf", &log);
    assert_eq!(replay("sacct.txt", "one.csv"), replay("a.swf", "other.csv"));
}

#[test]
#[cfg(not(feature = "parquet"))]
fn without_its_feature_parquet_is_refused_and_the_error_says_how_to_get_it() {
    let folder = Folder::with_log();
    let done = folder.run(&["convert", "week.swf", "--to", "parquet", "-o", "week.parquet"]);
    done.failed(2, "build it with `cargo build --features parquet`");
    folder.write("jobs.parquet", "PAR1\u{15}\u{4}and so on");
    folder.run(&["info", "jobs.parquet"]).failed(3, "build the program with the feature `parquet`");
    assert!(!folder.path("week.parquet").exists());
}
