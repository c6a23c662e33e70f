//! Zhang, Franke, Moreira and Sivasubramaniam 2000, section 3: conservative backfilling that is planned anew at each event.

use super::{Clock, Job, equal_starts, is_stated, jobs, replayed};
use crate::cmd::Folder;

struct Profile(Vec<(i64, i64)>);

impl Profile {
    fn add(&mut self, [from, to]: [i64; 2], procs: i64) {
        for at in [from, to] {
            let behind = self.0.partition_point(|&(time, _)| time <= at);
            if self.0[behind - 1].0 != at {
                self.0.insert(behind, (at, self.0[behind - 1].1));
            }
        }
        self.0.iter_mut().filter(|(time, _)| (from..to).contains(time)).for_each(|(_, free)| *free += procs);
    }

    /// Returns the first instant from which as many are free for as long.
    fn earliest(&self, procs: i64, long: i64) -> i64 {
        let suits = |(from, _): &&(i64, i64)| {
            let within = |(at, (time, _)): (usize, &(i64, i64))| {
                *time < *from + long && self.0.get(at + 1).is_none_or(|&(next, _)| next > *from)
            };
            self.0
                .iter()
                .enumerate()
                .filter(|&(at, step)| within((at, step)))
                .all(|(_, (_, free))| *free >= procs)
        };
        self.0.iter().find(suits).unwrap().0
    }
}

fn simulated(jobs: &[Job]) -> Vec<i64> {
    let (mut clock, mut queue) = (Clock::new(jobs, vec![320]), Vec::<usize>::new());
    while let Some((now, here)) = clock.next() {
        queue.extend(here);
        let mut profile = Profile(vec![(now, 320)]);
        for &job in clock.ends.keys() {
            // A job that has outlived its estimate is taken to end at once.
            profile.add([now, (clock.starts[job] + jobs[job].estimate).max(now + 1)], -jobs[job].needs[0]);
        }
        for job in std::mem::take(&mut queue) {
            let Job { estimate, needs, .. } = &jobs[job];
            let start = profile.earliest(needs[0], *estimate);
            profile.add([start, start + estimate], -needs[0]);
            if start == now {
                clock.start(job, now);
            } else {
                queue.push(job);
            }
        }
    }
    clock.starts
}

#[test]
fn backfilling_of_zhang_is_recomputed() {
    let folder = Folder::new();
    let mut count = 0;
    for seed in ["1", "2"] {
        let options = ["--jobs", "800", "--seed", seed, "--set", "workload=6"];
        assert_eq!(
            folder.run(&[&["generate", "zhang2000", "-o", "a.swf", "-q"], &options[..]].concat()).code,
            0
        );
        let jobs = jobs(&folder.read("a.swf"));
        count += equal_starts(&jobs, &simulated(&jobs), &replayed(&folder, "a.swf", &[], "bf"), "bf");
    }
    is_stated("zhang00", count, "BF");
}
