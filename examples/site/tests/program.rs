//! The program with its three additions, as a user starts it.

use std::process::Command;

#[test]
fn the_program_replays_the_sample_under_its_own_policy_with_its_own_metric() {
    let harbour = concat!(env!("CARGO_MANIFEST_DIR"), "/harbour.log");
    let output = Command::new(env!("CARGO_BIN_EXE_site"))
        .args(["replay", harbour, "--policy", "narrow-first:patience=1h", "--policy", "easy"])
        .args(["--metrics", "max_wait,prompt_starts", "--format", "csv", "--quiet"])
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let rows = printed.lines().map(|line| line.split(',').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert_eq!(rows[0][..3], ["policy", "max_wait", "prompt_starts"]);
    assert_eq!(rows[1][..2], ["narrow-first:patience=1h", "8400"]);
}
