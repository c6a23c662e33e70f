//! The algorithms of the five papers written once more from their texts, with plain data and nothing of the engine: the
//! schedules are those of the program, start by start. Times are whole microseconds.

mod backfilling;
mod gangs;
mod hierarchical;
mod packing;
mod resources;
mod rigid;

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;

use crate::cmd::Folder;

#[derive(Clone, Debug)]
struct Job {
    number: u32,
    submit: i64,
    run: i64,
    estimate: i64,
    /// Processors, then the log's other resources.
    needs: Vec<i64>,
    /// KB on each processor.
    memory: i64,
    queue: i64,
}

/// The end of time.
const NEVER: i64 = i64::MAX / 4;

fn micros(seconds: &str) -> i64 {
    (seconds.parse::<f64>().unwrap() * 1e6).round() as i64
}

/// Reads the jobs of an SWF log: requested processors and time, and the columns behind the eighteenth.
fn jobs(swf: &str) -> Vec<Job> {
    let job = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let needs = [&fields[7..8], &fields[18..]].concat();
        let (run, requested) = (micros(fields[3]), micros(fields[8]));
        Job {
            number: fields[0].parse().unwrap(),
            submit: micros(fields[1]),
            run,
            estimate: if requested < 0 { run } else { requested.max(run) },
            needs: needs.iter().map(|need| need.parse().unwrap()).collect(),
            memory: fields[9].parse().unwrap(),
            queue: fields[14].parse().unwrap(),
        }
    };
    swf.lines().filter(|line| !line.starts_with(';')).map(job).collect()
}

/// Start and end of each job in the schedule of a policy, by job number.
fn replayed(folder: &Folder, log: &str, options: &[&str], policy: &str) -> BTreeMap<u32, [i64; 2]> {
    let fixed = ["replay", log, "--policy", policy, "--schedule", "s.csv", "-q"];
    let done = folder.run(&[&fixed[..], options].concat());
    assert_eq!(done.code, 0, "{policy}: {}", done.err);
    let text = folder.read("s.csv");
    let mut rows = text.lines();
    let names: Vec<&str> = rows.next().unwrap().split(',').collect();
    let at = |name: &str| names.iter().position(|known| *known == name).unwrap();
    let (id, start, end) = (at("job_id"), at("start"), at("end"));
    let row = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        (cells[id].parse().unwrap(), [micros(cells[start]), micros(cells[end])])
    };
    rows.map(row).collect()
}

/// Asserts that the starts of a simulation are those of the schedule, and returns their number.
#[track_caller]
fn equal_starts(jobs: &[Job], ours: &[i64], theirs: &BTreeMap<u32, [i64; 2]>, policy: &str) -> usize {
    let differ: Vec<String> = jobs
        .iter()
        .zip(ours)
        .filter(|(job, start)| theirs[&job.number][0] != **start)
        .map(|(job, start)| format!("job {}: {start}, not {}", job.number, theirs[&job.number][0]))
        .collect();
    assert!(differ.is_empty(), "{policy}: {} of {} differ, first {}", differ.len(), jobs.len(), differ[0]);
    jobs.len()
}

/// Asserts that the page of a paper states what was compared.
#[track_caller]
fn is_stated(paper: &str, count: usize, what: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/papers").join(paper).join("paper.toml");
    let digits = count.to_string();
    let grouped = if count > 999 {
        format!("{},{}", &digits[..digits.len() - 3], &digits[digits.len() - 3..])
    } else {
        digits
    };
    let sentence = format!("{grouped} of {grouped} starts under {what}");
    let text = fs::read_to_string(file).unwrap().replace("\\\n", "");
    assert!(text.contains(&sentence), "{paper}: {sentence}");
}

/// Jobs that arrive and end one after another on a machine: what the simulations have in common.
struct Clock<'a> {
    jobs: &'a [Job],
    /// Jobs that have not arrived, in the order of submission.
    coming: VecDeque<usize>,
    ends: BTreeMap<usize, i64>,
    starts: Vec<i64>,
    free: Vec<i64>,
}

impl<'a> Clock<'a> {
    fn new(jobs: &'a [Job], free: Vec<i64>) -> Clock<'a> {
        let coming = (0..jobs.len()).collect();
        Clock { jobs, coming, ends: BTreeMap::new(), starts: vec![NEVER; jobs.len()], free }
    }

    /// Returns the next instant at which jobs end or arrive, and those that arrive; what has ended is free then.
    fn next(&mut self) -> Option<(i64, Vec<usize>)> {
        let first = self.coming.front().map(|&job| self.jobs[job].submit);
        let now = self.ends.values().copied().chain(first).min()?;
        let over: Vec<usize> =
            self.ends.iter().filter(|(_, end)| **end == now).map(|(&job, _)| job).collect();
        for job in over {
            self.ends.remove(&job);
            self.free.iter_mut().zip(&self.jobs[job].needs).for_each(|(free, need)| *free += need);
        }
        let mut here = Vec::new();
        while self.coming.front().is_some_and(|&job| self.jobs[job].submit == now) {
            here.extend(self.coming.pop_front());
        }
        Some((now, here))
    }

    fn fits(&self, job: usize) -> bool {
        self.jobs[job].needs.iter().zip(&self.free).all(|(need, free)| need <= free)
    }

    fn start_heads(&mut self, queue: &mut Vec<usize>, now: i64) {
        while let Some(&head) = queue.first().filter(|&&head| self.fits(head)) {
            queue.remove(0);
            self.start(head, now);
        }
    }

    fn start(&mut self, job: usize, now: i64) {
        self.starts[job] = now;
        self.ends.insert(job, now + self.jobs[job].run);
        self.free.iter_mut().zip(&self.jobs[job].needs).for_each(|(free, need)| *free -= need);
    }
}
