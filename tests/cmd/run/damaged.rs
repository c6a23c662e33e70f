//! Tests of folders of results that a power cut, a full disk or a hand has damaged.

use std::fs;

use super::{Folder, SMALL, small, tree};

/// Two policies on a log, measured in blocks of half a day.
const BLOCKS: &str = "[experiment]\nname = \"blocks\"\n[[workload]]\nname = \"log\"\ntrace = \"week.swf\"\nblocks = \"12h\"\n\
                      [[policy]]\nspec = \"easy\"\n[[policy]]\nspec = \"fcfs\"\n";

fn to_run(err: &str) -> &str {
    err.lines().find(|line| line.ends_with("to run")).unwrap_or_else(|| panic!("{err}"))
}

/// The results of an experiment that have ended in `r`.
fn ended(text: &str) -> Folder {
    let folder = small();
    folder.write("e.toml", text);
    folder.run(&["run", "e.toml", "--out", "r", "-q"]).succeeded();
    folder
}

/// Damages the results, and asserts that every reader refuses them with advice, and that the advice mends them: as many
/// replays are run again.
fn mended(folder: &Folder, damage: impl Fn(&mut Vec<u8>), told: &str, again: &str) {
    let whole = tree(folder, "r");
    let file = folder.path("r/results.csv");
    let mut bytes = fs::read(&file).unwrap();
    damage(&mut bytes);
    fs::write(&file, &bytes).unwrap();
    for verb in
        [&["report", "r", "-o", "r.html"][..], &["table", "r"], &["cite", "r"], &["merge", "r", "-o", "m"]]
    {
        let done = folder.run(verb);
        assert!(done.code == 3 && done.err.contains(told), "{verb:?}: {} {}", done.code, done.err);
        assert!(
            done.err.contains("`batchlab run EXPERIMENT.toml --resume --out r` replays them"),
            "{}",
            done.err
        );
    }
    let done = folder.run(&["run", "e.toml", "--out", "r", "--resume"]);
    assert_eq!((done.code, to_run(&done.err)), (0, again), "{}", done.err);
    assert!(done.err.contains(told), "{}", done.err);
    assert_eq!(tree(folder, "r"), whole);
    folder.run(&["report", "r", "-o", "r.html"]).succeeded();
}

fn lines_of(bytes: &[u8]) -> Vec<usize> {
    let behind = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(behind).collect()
}

#[test]
fn torn_rows_are_told_and_run_again() {
    let folder = ended(SMALL);
    let all = folder.read("r/plan.csv").lines().count() - 1;
    let last_is_torn = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 4);
    mended(&folder, last_is_torn, "the rows of 1 replay are torn or missing", "1 replay to run");
    let in_the_middle = |bytes: &mut Vec<u8>| {
        let lines = lines_of(bytes);
        bytes.truncate(lines[all - 1] + 30);
    };
    mended(&folder, in_the_middle, "the rows of 2 replays are torn or missing (line ", "2 replays to run");
    let every = format!("{all} replays to run");
    mended(
        &folder,
        Vec::clear,
        &format!("{all} replays are torn or missing (there is no column `key`)"),
        &every,
    );
    mended(&folder, |bytes| bytes.fill(0), "there is no column `key`", &every);
    let nothing = |bytes: &mut Vec<u8>| {
        let lines = lines_of(bytes);
        bytes.truncate(lines[1]);
    };
    mended(&folder, nothing, &format!("{all} replays are torn or missing"), &every);
    let zeros = |bytes: &mut Vec<u8>| {
        let lines = lines_of(bytes);
        bytes[lines[2]..lines[3]].fill(0);
    };
    mended(&folder, zeros, "rows of 2 replays are torn or missing (line 3: `\\0\\0", "2 replays to run");
    let no_text = |bytes: &mut Vec<u8>| {
        let lines = lines_of(bytes);
        bytes[lines[2] + 1] = 0xff;
    };
    mended(&folder, no_text, "torn or missing (", "1 replay to run");
    let quote = |bytes: &mut Vec<u8>| {
        let lines = lines_of(bytes);
        bytes.insert(lines[all], b'"');
    };
    mended(&folder, quote, "torn or missing (", "1 replay to run");
}

/// A digit less is a value, too.
#[test]
fn a_changed_value_is_told_and_run_again() {
    let folder = ended(SMALL);
    let digit = |bytes: &mut Vec<u8>| {
        let at = lines_of(bytes)[3];
        let end = at + bytes[at..].iter().position(|byte| *byte == b'\n').unwrap();
        let last = bytes[..end].iter().rposition(u8::is_ascii_digit).unwrap();
        bytes[last] = if bytes[last] == b'1' { b'2' } else { b'1' };
    };
    mended(&folder, digit, "are not those that were written", "1 replay to run");
}

#[test]
fn a_missing_row_of_a_replay_in_blocks_is_told_and_made_again() {
    let folder = ended(BLOCKS);
    let rows = folder.read("r/results.csv").lines().count();
    assert!(rows > 6, "{rows}");
    let told = format!("has {} of its {} rows", (rows - 1) / 2 - 1, (rows - 1) / 2);
    for line in [1, 2, rows - 1] {
        let row = |bytes: &mut Vec<u8>| {
            let lines = lines_of(bytes);
            bytes.drain(lines[line]..lines[line + 1]);
        };
        mended(&folder, row, &told, "1 replay to run");
    }
}

/// Folders of older versions have no checksums: what is no row is found.
#[test]
fn without_checksums_a_last_line_that_is_cut_off_is_found() {
    let folder = ended(SMALL);
    let whole = tree(&folder, "r");
    fs::remove_file(folder.path("r/checksums.csv")).unwrap();
    folder.run(&["table", "r"]).succeeded();
    let results = folder.read("r/results.csv");
    folder.write("r/results.csv", &results[..results.len() - 1]);
    folder.run(&["table", "r"]).failed(3, "1 replay are torn or missing (the last line is cut off)");
    let done = folder.run(&["run", "e.toml", "--out", "r", "--resume"]);
    assert_eq!((done.code, to_run(&done.err)), (0, "1 replay to run"), "{}", done.err);
    assert_eq!(tree(&folder, "r"), whole);
}

#[test]
fn torn_checksums_manifests_plans_and_details_are_written_again() {
    let folder = ended(SMALL);
    let whole = tree(&folder, "r");
    let detail = whole.keys().find(|name| name.starts_with("details/")).unwrap().clone();
    for (file, told) in [
        ("checksums.csv", "are torn or missing"),
        ("manifest.json", "manifest.json is torn"),
        ("plan.csv", ""),
        ("experiment.toml", ""),
        (detail.as_str(), ""),
    ] {
        for keep in [0, whole[file].len() / 2, whole[file].len() - 3] {
            fs::write(folder.path(&format!("r/{file}")), &whole[file][..keep]).unwrap();
            let done = folder.run(&["run", "e.toml", "--out", "r", "--resume"]);
            assert!(done.code == 0 && done.err.contains(told), "{file} of {keep} bytes: {}", done.err);
            assert!(tree(&folder, "r") == whole, "{file} of {keep} bytes is not what it was");
        }
    }
    fs::write(folder.path("r/manifest.json"), "{").unwrap();
    folder.run(&["table", "r"]).failed(3, "`batchlab run EXPERIMENT.toml --resume --out r` writes it again");
    // A value of a detail that was changed.
    let bytes = String::from_utf8(whole[&detail].clone()).unwrap();
    let digit = bytes.rfind(|letter: char| letter.is_ascii_digit()).unwrap();
    let other = if &bytes[digit..=digit] == "7" { "8" } else { "7" };
    folder.write(&format!("r/{detail}"), &format!("{}{other}{}", &bytes[..digit], &bytes[digit + 1..]));
    let done = folder.run(&["run", "e.toml", "--out", "r", "--resume"]);
    assert_eq!((done.code, to_run(&done.err)), (0, "1 replay to run"));
    assert!(tree(&folder, "r") == whole);
}

#[test]
fn a_torn_schedule_is_made_again() {
    let folder = small();
    let run = ["run", "small.toml", "--out", "r", "--schedules", "--resume"];
    folder.run(&run).succeeded();
    let whole = tree(&folder, "r");
    let schedule = whole.keys().find(|name| name.starts_with("schedules/")).unwrap();
    for keep in [0, 100, whole[schedule].len() - 1] {
        fs::write(folder.path(&format!("r/{schedule}")), &whole[schedule][..keep]).unwrap();
        let done = folder.run(&run);
        assert_eq!((done.code, to_run(&done.err)), (0, "1 replay to run"), "{keep}");
        assert!(tree(&folder, "r") == whole, "{keep}");
    }
}

/// A folder that another process writes to is left alone; the process is named.
#[test]
fn a_second_run_or_merge_into_a_folder_is_refused() {
    let folder = ended(SMALL);
    let whole = tree(&folder, "r");
    let lock = fs::File::create(folder.path("r/.lock")).unwrap();
    lock.try_lock().unwrap();
    fs::write(folder.path("r/.lock"), "process 4711 on somewhere\n").unwrap();
    let told = "another run or merge is writing to r: process 4711 on somewhere; wait until it has ended, or name another \
                folder with --out";
    folder.run(&["run", "e.toml", "--out", "r", "--resume"]).failed(3, told);
    fs::rename(folder.path("r"), folder.path("s")).unwrap();
    for (name, bytes) in tree(&folder, "s").into_iter().filter(|(name, _)| name != ".lock") {
        let path = folder.path("t").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder.run(&["merge", "t", "-o", "s"]).failed(3, "another run or merge is writing to s: process 4711");
    drop(lock);
    // What a killed process left behind is no lock.
    folder.run(&["run", "e.toml", "--out", "s", "--resume", "-q"]).succeeded();
    assert_eq!(tree(&folder, "s"), whole);
}

/// Many runs at once into one folder: each ends, is refused as the second, or finds the results.
#[test]
fn of_runs_at_the_same_time_one_writes() {
    let folder = small();
    let start = || {
        std::process::Command::new(folder.command().get_program())
            .args(["run", "small.toml", "--out", "r", "-q", "--threads", "1"])
            .current_dir(folder.path(""))
            .output()
            .unwrap()
    };
    let done: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(start)).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let mut ended = 0;
    for done in done {
        let told = String::from_utf8_lossy(&done.stderr);
        match done.status.code() {
            Some(0) => ended += 1,
            Some(3) => assert!(told.contains("another run or merge is writing to r: "), "{told}"),
            Some(2) => assert!(told.contains("--resume continues with them"), "{told}"),
            other => panic!("{other:?}: {told}"),
        }
    }
    assert_eq!(ended, 1);
    folder.run(&["run", "small.toml", "--out", "whole", "-q"]).succeeded();
    assert_eq!(tree(&folder, "r"), tree(&folder, "whole"));
}

/// Names of folders need not be text.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_has_the_same_results() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = ended(SMALL);
    let whole = tree(&folder, "r");
    let name = OsStr::from_bytes(b"r\xe9sultats");
    let run = |before: &[&str], after: &[&str]| {
        let mut command = std::process::Command::new(folder.command().get_program());
        command.args(before).arg(name).args(after).current_dir(folder.path("")).output().unwrap()
    };
    let done = run(&["run", "e.toml", "-q", "--out"], &[]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let done = run(&["run", "e.toml", "--resume", "--out"], &[]);
    assert_eq!(to_run(&String::from_utf8_lossy(&done.stderr)), "0 replays to run");
    assert!(run(&["table"], &[]).status.success());
    assert!(run(&["report"], &["-o", "r.html"]).status.success());
    assert!(run(&["merge", "r", "-q", "-o"], &[]).status.success());
    // No folder of a name that is like it.
    let names: Vec<_> =
        fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.iter().filter(|name| name.as_bytes().ends_with(b"sultats")).count(), 1);
    fs::rename(folder.path("").join(name), folder.path("s")).unwrap();
    assert_eq!(tree(&folder, "s"), whole);
}
