//! Cycles that are passed as changes are those that are passed as a whole.

use batchlab::Outcome;
use batchlab::policies::policy::PolicyError;
use batchlab::policies::{
    Checkpoint, Cycle, CycleChanges, Needs, Placement, Policy, Resume, Share, SwitchCharge, Turn,
};
use batchlab::traces::{JobId, Machine, Time};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

use super::script::on as scene;

const PROCS: usize = 6;

/// The decisions after which jobs stay where they are and the first of them is in a row, so that all end.
const LEFT_TO_CHANCE: u32 = 60;

/// Brings jobs to processors and rows by chance, the same for the same seed, at every event.
struct Chance {
    seed: u64,
    decisions: u32,
    rows: usize,
    resume: Resume,
    /// Whether only the changes are passed.
    changes: bool,
    places: BTreeMap<JobId, BTreeSet<usize>>,
    known: BTreeMap<JobId, Vec<u32>>,
}

impl Chance {
    fn draw(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % below
    }

    /// Returns the processors of a job from a random one on.
    fn columns(&mut self, size: usize) -> BTreeSet<usize> {
        let first = self.draw(PROCS);
        (first..first + size).map(|column| column % PROCS).collect()
    }

    /// Returns the jobs of each row: of those in random order whose processors are free, some.
    fn cycle(&mut self) -> Vec<Vec<JobId>> {
        let mut rows = vec![Vec::new(); self.rows];
        for row in &mut rows {
            let mut taken: BTreeSet<usize> = BTreeSet::new();
            let mut jobs: Vec<JobId> = self.places.keys().copied().collect();
            while !jobs.is_empty() {
                let job = jobs.swap_remove(self.draw(jobs.len()));
                if self.places[&job].is_disjoint(&taken) && self.draw(4) > 0 {
                    taken.extend(&self.places[&job]);
                    row.push(job);
                }
            }
        }
        rows
    }
}

fn placement(columns: &BTreeSet<usize>) -> Placement {
    Placement(columns.iter().map(|&column| Share::new(column as u32, 1)).collect())
}

impl Policy for Chance {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.places.retain(|&job, _| turn.ended(job).is_none());
        self.known.retain(|&job, _| turn.ended(job).is_none());
        self.decisions += 1;
        let is_late = self.decisions > LEFT_TO_CHANCE;
        let residents: Vec<JobId> = self.places.keys().copied().collect();
        let moves = |_: &JobId| !is_late && self.draw(5) == 0;
        let moving: Vec<JobId> = residents.iter().copied().filter(moves).collect();
        let coming: Vec<JobId> = turn.waiting().collect();
        let mut placed = Vec::new();
        for &job in moving.iter().chain(&coming) {
            let columns = self.columns(turn.job(job).procs() as usize);
            placed.push((job, placement(&columns)));
            self.places.insert(job, columns);
        }
        let stays = residents.iter().copied().filter(|job| !moving.contains(job)).collect();
        let checkpoints = vec![Checkpoint { leaving: moving, waiting: stays }];
        let mut rows = self.cycle();
        if is_late {
            rows[0] = self.places.keys().copied().take(1).collect();
        }
        let mut now: BTreeMap<JobId, Vec<u32>> = self.places.keys().map(|&job| (job, Vec::new())).collect();
        for (at, row) in rows.iter().enumerate() {
            for job in row {
                now.entry(*job).or_default().push(at as u32);
            }
        }
        let (slice, resume) = (Time::from_secs(3), self.resume);
        if self.changes {
            let jobs = now.iter().filter(|&(job, rows)| self.known.get(job) != Some(rows));
            let jobs = jobs.map(|(&job, rows)| (job, rows.clone())).collect();
            let changes = CycleChanges { rows: self.rows, jobs, slice, resume, checkpoints };
            turn.change_cycle(&changes, &placed)?;
        } else {
            turn.cycle(&Cycle { rows, slice, resume, checkpoints }, &placed)?;
        }
        self.known = now;
        if !self.places.is_empty() {
            // Rows that leave out a job are drawn again.
            turn.wake_at(turn.now() + Time::from_secs(7))?;
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn cycles_by_changes_are_those_passed_as_a_whole(
        jobs in prop::collection::vec((0i64..40, 0i64..15, 1i64..=PROCS as i64), 1..15),
        seed in any::<u64>(),
        rows in 1usize..4,
        resume in prop::sample::select(vec![Resume::Continue, Resume::Next, Resume::First]),
        switch in prop::sample::select(vec!["0", "0.2"]),
        migrate in 0i64..3,
        changed in any::<bool>(),
    ) {
        let mut jobs = jobs;
        jobs.sort_unstable();
        let mut play = scene(Machine::pool(PROCS as i64).unwrap().by_processor(), &jobs);
        play.scenario.costs = format!("switch={switch},migrate={migrate}").parse().unwrap();
        if changed {
            play.scenario.costs.charge = SwitchCharge::Changed;
        }
        let replay = |changes: bool| -> Outcome {
            let (places, known) = (BTreeMap::new(), BTreeMap::new());
            let mut policy = Chance { seed, decisions: 0, rows, resume, changes, places, known };
            play.with(Needs::GANG, &mut policy).unwrap().0
        };
        let (whole, parts) = (replay(false), replay(true));
        prop_assert!(!whole.epochs.is_empty() || jobs.iter().all(|&(_, run, _)| run == 0));
        prop_assert_eq!((&whole.start, &whole.end), (&parts.start, &parts.end));
        prop_assert_eq!(&whole.services, &parts.services);
        prop_assert_eq!(whole.all_intervals(), parts.all_intervals());
        prop_assert!(whole.epochs.iter().eq(parts.epochs.iter()));
    }
}
