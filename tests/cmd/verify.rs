//! Tests of `batchlab verify` on our own schedules and on foreign ones.

use super::{Done, Folder, four_jobs};

/// The columns, and EASY's schedule of the four jobs.
const EASY: &str = "job_id,submit,start,end,procs\n1,0,0,100,2\n2,1,100,150,4\n3,2,2,22,2\n4,200,200,210,1\n";

fn verify(schedule: &str, options: &[&str]) -> Done {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    folder.write("s.csv", schedule);
    folder.run(&[&["verify", "a.swf", "s.csv"], options].concat())
}

#[test]
fn a_legal_schedule_is_measured() {
    let done = verify(EASY, &[]);
    let row = done.succeeded().lines().find(|line| line.starts_with("s.csv ")).unwrap();
    assert_eq!(row.split_whitespace().nth(1), Some("24.8"), "{}", done.out);
    assert_eq!(done.err, "legal: 4 jobs checked\n");
    assert_eq!(verify(EASY, &["--quiet"]).err, "");
    let csv = verify(EASY, &["--format", "csv", "--metrics", "mean_wait,makespan"]);
    assert!(csv.succeeded().contains("\ns.csv,24.75,210,a.swf,"), "{}", csv.out);
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let other =
        "end,procs,note,job_id,start\r\n210,1,,4,200\r\n22,2,x,3,2.0\r\n150,4,,2,100\r\n100,2,,1,0\r\n";
    assert_eq!(verify(other, &[]).out, verify(EASY, &[]).out);
    verify("job_id,start\n1,0\n", &[]).failed(3, "s.csv: the schedule has no column `end`");
    verify("", &[]).failed(3, "s.csv: the schedule has no column `job_id`");
}

#[test]
fn many_violations_of_one_kind_are_cut_short() {
    let rows = ["1", "2", "3", "4", "5", "6", "7", "8"].map(|job| format!("{job},0,11\n")).concat();
    let folder = Folder::new();
    folder.write("a.swf", &super::log(8, &[(0, -1, 10, 1, 10, 1); 8]));
    folder.write("s.csv", &format!("job_id,start,end\n{rows}"));
    let done = folder.run(&["verify", "a.swf", "s.csv", "-q"]);
    assert_eq!((done.code, done.err.matches("it runs for 11 s instead of 10 s").count()), (1, 5));
    assert!(
        done.err.contains("and 3 more of this kind\nerror: s.csv is not legal: 8 violations"),
        "{}",
        done.err
    );
}

#[test]
fn schedules_of_statistics_programs_are_read() {
    let quoted = "\"\",\"job_id\",\"start\",\"end\",\"procs\"\n\"1\",1,0,100,2\n\"2\",2,100,150,4\n\"3\",3,2,22,2\n\"4\",4,200,210,NA\n";
    let named = quoted.replace("\"\",", "");
    for text in [quoted, &named] {
        assert_eq!(verify(text, &[]).succeeded(), verify(EASY, &[]).out, "{text}");
    }
}

/// Two jobs without run time among jobs that share time in rows of slices.
fn brief() -> String {
    super::log(4, &[(0, 0, 10, 2, 20, 1), (3, 0, 0, 2, 20, 1), (3, 0, 100, 4, 120, 1), (20, 0, 0, 4, 120, 1)])
}

#[test]
fn an_earlier_file_of_intervals_is_removed() {
    let folder = Folder::new();
    folder.write("a.swf", &brief());
    let replay = |policy: &str, to: &[&str]| {
        folder.run(&[&["replay", "a.swf", "-q", "--policy", policy], to].concat()).succeeded();
    };
    for name in ["s.csv", "t.csv.gz"] {
        replay("gs", &["--schedule", name]);
        replay("easy", &["--schedule", name]);
        folder.run(&["verify", "a.swf", name, "-q"]).succeeded();
    }
    replay("gs", &["--out", "o"]);
    std::fs::rename(folder.path("o/gs.intervals.csv"), folder.path("o/easy.intervals.csv")).unwrap();
    replay("easy", &["--out", "o"]);
    assert!(!folder.path("o/easy.intervals.csv").exists());
    assert_eq!(folder.files(), ["a.swf", "o", "s.csv", "t.csv.gz"]);
    // What this program did not write stays.
    folder.write("s.intervals.csv", "mine\n");
    replay("easy", &["--schedule", "s.csv"]);
    assert_eq!(folder.read("s.intervals.csv"), "mine\n");
}
