use std::collections::BTreeSet;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::{Folder, lines, small, tree};

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
