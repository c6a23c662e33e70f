//! Tests of experiments that are run in parts and merged.

use super::{SMALL, small, tree};

#[test]
fn shards_joined_in_any_order_are_the_single_run() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "whole", "-q"]).succeeded();
    for shard in ["1/3", "2/3", "3/3"] {
        let out = format!("s{}", &shard[..1]);
        folder.run(&["run", "small.toml", "--out", &out, "--shard", shard, "-q"]).succeeded();
    }
    for order in [["s1", "s2", "s3"], ["s3", "s1", "s2"], ["s2", "s3", "s1"]] {
        let joined = order.join("-");
        folder.run(&[&["merge"], &order[..], &["-o", &joined, "-q"]].concat()).succeeded();
        assert_eq!(tree(&folder, &joined), tree(&folder, "whole"), "{joined}");
    }
    // Merging into the same folder again changes nothing and is not an error.
    folder.run(&["merge", "s1", "s2", "s3", "-o", "s3-s1-s2", "-q"]).succeeded();
    assert_eq!(tree(&folder, "s3-s1-s2"), tree(&folder, "whole"));
}

#[test]
fn a_missing_shard_is_reported_and_can_be_run_later() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "s1", "--shard", "1/2", "-q"]).succeeded();
    let done = folder.run(&["merge", "s1", "-o", "joined"]);
    done.failed(3, "replays are missing, the first with key ");
    assert!(!folder.path("joined").exists(), "nothing half-written");
    folder.run(&["merge", "s1", "-o", "joined", "--partial", "-q"]).succeeded();
    folder.run(&["run", "small.toml", "--out", "joined", "--resume", "-q"]).succeeded();
    folder.run(&["run", "small.toml", "--out", "whole", "-q"]).succeeded();
    assert_eq!(tree(&folder, "joined"), tree(&folder, "whole"));
}

#[test]
fn shards_of_other_experiments_and_damaged_ones_are_refused() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "s1", "--shard", "1/2", "-q"]).succeeded();
    folder.write("other.toml", &SMALL.replace("seed = 7", "seed = 8"));
    folder.run(&["run", "other.toml", "--out", "s2", "--shard", "2/2", "-q"]).succeeded();
    folder
        .run(&["merge", "s1", "s2", "-o", "j"])
        .failed(3, "s2 is of another experiment, or another version");
    folder.run(&["run", "small.toml", "--out", "again", "--shard", "1/2", "-q"]).succeeded();
    let damaged = folder.read("again/results.csv").replacen(",EASY,easy,0,", ",EASY,easy,4,", 1);
    folder.write("again/results.csv", &damaged);
    folder
        .run(&["merge", "s1", "again", "-o", "j"])
        .failed(3, "again/results.csv: the rows of 1 replay are torn");
    // A folder of an older version has no checksums.
    std::fs::remove_file(folder.path("again/checksums.csv")).unwrap();
    folder.run(&["merge", "s1", "again", "-o", "j"]).failed(3, "has other values in again than in s1");
    folder.run(&["merge", "nowhere", "-o", "j"]).failed(3, "nowhere: no results of batchlab are there");
    folder.run(&["run", "small.toml", "--shard", "3/2"]).failed(2, "it is I/N");
}
