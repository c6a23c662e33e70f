//! Tests of schedules that are kept beside the results.

use std::collections::BTreeSet;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::{Folder, SMALL, lines, small, tree};

fn kept(folder: &Folder, key: &str) -> String {
    let file = folder.path(&format!("whole/schedules/{key}.csv.gz"));
    let mut text = String::new();
    MultiGzDecoder::new(std::fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn every_replay_has_its_schedule_from_runs_keys_and_shards() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "whole", "--schedules", "-q"]).succeeded();
    let keys: BTreeSet<String> =
        lines(&folder, "whole/plan.csv").iter().map(|line| line["key"].clone()).collect();
    let files = std::fs::read_dir(folder.path("whole/schedules")).unwrap();
    assert_eq!(files.count(), keys.len());
    for key in keys.iter().take(3) {
        folder.run(&["run", "small.toml", "--key", key, "--schedule", "again.csv"]).succeeded();
        assert_eq!(kept(&folder, key), folder.read("again.csv"), "{key}");
    }
    // The columns for plots of one's own.
    let schedule = kept(&folder, keys.first().unwrap());
    assert!(
        schedule.starts_with("job_id,submit,start,end,procs,user,queue,estimate,run,wait,bsld"),
        "{schedule:.200}"
    );
    let options = ["--schedule", "few.csv", "--schedule-columns", "wait"];
    let key = keys.first().unwrap();
    folder.run(&[&["run", "small.toml", "--key", key][..], &options].concat()).succeeded();
    assert!(folder.read("few.csv").starts_with("job_id,submit,start,end,procs,wait\n"));
    for shard in ["1/2", "2/2"] {
        let out = format!("s{}", &shard[..1]);
        folder.run(&["run", "small.toml", "--out", &out, "--shard", shard, "--schedules", "-q"]).succeeded();
    }
    folder.run(&["merge", "s1", "s2", "-o", "joined", "-q"]).succeeded();
    assert_eq!(tree(&folder, "joined"), tree(&folder, "whole"));
}

#[test]
fn schedules_can_be_asked_for_later() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "whole", "--schedules", "-q"]).succeeded();
    folder.run(&["run", "small.toml", "--out", "later", "-q"]).succeeded();
    assert!(!folder.path("later/schedules").exists());
    let done = folder.run(&["run", "small.toml", "--out", "later", "--resume", "--schedules"]);
    assert!(done.err.contains("32 replays to run"), "{}", done.err);
    assert_eq!(tree(&folder, "later"), tree(&folder, "whole"));
    let done = folder.run(&["run", "small.toml", "--out", "later", "--resume", "--schedules"]);
    assert!(done.err.contains("0 replays to run"), "{}", done.err);
}

#[test]
fn sections_no_longer_declared_are_removed() {
    const DECLARED: &str = r#"
[[table]]
name = "a.table"
[[plot]]
name = "a.plot"
kind = "bars"
metric = "mean_wait"
[[claim]]
name = "a-claim"
says = "no more than all of the machine is used"
source = "arithmetic"
let = { u = { policy = "EASY", metric = "utilization" } }
expect = "u <= 1"
"#;
    let folder = small();
    folder.write("declared.toml", &format!("{SMALL}{DECLARED}"));
    folder.run(&["run", "declared.toml", "--out", "r", "--schedules", "-q"]).succeeded();
    for made in ["tables/a.table.md", "tables/claims.md", "plots/a.plot.svg", "claims.json", "claims.txt"] {
        assert!(folder.path(&format!("r/{made}")).is_file(), "{made}");
    }
    let fewer = SMALL.replace("[0.7, 0.9]", "[0.7]");
    folder.write("fewer.toml", &fewer);
    folder.run(&["run", "fewer.toml", "--out", "r", "--resume", "-q"]).succeeded();
    folder.run(&["run", "fewer.toml", "--out", "fresh", "--schedules", "-q"]).succeeded();
    assert_eq!(tree(&folder, "r"), tree(&folder, "fresh"));
}
