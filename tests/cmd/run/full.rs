use std::process::Command;

use super::{small, tree};

/// Runs the experiment on disks of several sizes in KiB, each separate, then resumes with enough room; in
/// between, it lists the files left after the disk was full.
const SCRIPT: &str = include_str!("full.sh");

#[test]
fn a_full_disk_is_reported_and_the_run_resumes_with_room() {
    let folder = small();
    let can_mount = Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|done| done.success());
    if !can_mount {
        eprintln!("skipped: nothing can be mounted here");
        return;
    }
    let binary = env!("CARGO_BIN_EXE_batchlab");
    let run = ["-rm", "sh", "-c", SCRIPT, binary];
    let done = Command::new("unshare").args(run).current_dir(folder.path("")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    folder.run(&["run", "small.toml", "--out", "whole", "-q"]).succeeded();
    let whole = tree(&folder, "whole");
    let mut refused = 0;
    for size in [8, 24, 40, 56, 72, 88] {
        let read = |what: &str| folder.read(&format!("{what}-{size}"));
        assert_eq!(read("hidden"), "", "{size} KiB: a temporary file is left over");
        if read("code").trim() != "0" {
            refused += 1;
            assert_eq!(read("code").trim(), "3", "{size} KiB: {}", read("told"));
            assert!(read("told").contains("No space left on device"), "{size} KiB: {}", read("told"));
        }
        assert_eq!(tree(&folder, &format!("later-{size}")), whole, "{size} KiB");
    }
    assert!(refused >= 3, "{refused} of 6 disks were too small");
}
