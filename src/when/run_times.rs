//! What is known of the run times of jobs that have not ended.

use batchlab_policies::JobView;
use batchlab_policies::external::Fault;
use batchlab_policies::support::predictor::Predictor;
use batchlab_policies::support::similar::{FEW, SimilarJobs};
use batchlab_traces::{JobId, Time, Workload};
use rand_chacha::rand_core::Rng;

/// What is known of run times at an instant, from those of the jobs that have ended by then.
///
/// By default a run time is drawn from those of similar jobs ([`SimilarJobs`]): the first group with at least 8 jobs that ran
/// longer than the job has run already is drawn from, each of its last 64 jobs with the same probability. A job that has run
/// longer than all similar ones ends at any instant up to its limit, with equal probability. Without history, jobs run as long
/// as requested.
///
/// With a predictor, each job runs as long as predicted. One that has run longer already runs as long as requested, and one
/// beyond its request ends at once.
pub struct RunTimes {
    /// Whether no job has ended.
    is_empty: bool,
    source: Source,
}

enum Source {
    Drawn(SimilarJobs),
    /// Without a predictor, jobs run as long as requested.
    Predicted(Option<Box<Predictor>>),
}

/// The run times that a job may have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Candidates {
    /// One of these, with equal probability.
    Some(Vec<Time>),
    /// Any between these.
    Between(Time, Time),
}

impl Default for RunTimes {
    fn default() -> RunTimes {
        RunTimes { is_empty: true, source: Source::Drawn(SimilarJobs::default()) }
    }
}

impl RunTimes {
    /// Returns run times that are predicted, or as requested without a predictor; no job has ended yet.
    pub fn predicted(predictor: Option<Predictor>) -> RunTimes {
        RunTimes { is_empty: true, source: Source::Predicted(predictor.map(Box::new)) }
    }

    /// Whether no job has ended.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Learns the run time of a job that has ended. O(1).
    pub fn learn(&mut self, workload: &Workload, job: JobId) {
        let (view, run) = (JobView::new(workload, job), workload.run(job));
        if view.estimate() <= Time::ZERO {
            return;
        }
        self.is_empty = false;
        match &mut self.source {
            Source::Drawn(similar) => similar.learn(view.user(), view.estimate(), run),
            Source::Predicted(Some(predictor)) => predictor.learn(view, run),
            Source::Predicted(None) => {}
        }
    }

    /// Returns the possible run times of a job that has run for `elapsed`, which is zero if it waits.
    ///
    /// # Errors
    /// When a plug-in that predicts misbehaves.
    pub(super) fn candidates(
        &mut self,
        workload: &Workload,
        job: JobId,
        elapsed: Time,
    ) -> Result<Candidates, Fault> {
        let view = JobView::new(workload, job);
        let estimate = view.estimate();
        // A job beyond its request is expected to end at once.
        let requested = || Candidates::Some(vec![estimate.max(elapsed.saturating_add(Time::SECOND))]);
        match &mut self.source {
            Source::Drawn(similar) => {
                for shares in similar.shares(view.user(), estimate) {
                    let runs = shares.iter().map(|share| Time::from_secs_f64(share * estimate.secs()));
                    let longer: Vec<Time> =
                        runs.filter(|&run| run > elapsed || elapsed == Time::ZERO).collect();
                    if longer.len() >= FEW {
                        return Ok(Candidates::Some(longer));
                    }
                }
                let known = !similar.is_empty() && estimate > elapsed;
                Ok(if known { Candidates::Between(elapsed, estimate) } else { requested() })
            }
            Source::Predicted(predictor) => {
                let prediction = match predictor {
                    Some(predictor) => predictor.predict(view)?,
                    None => None,
                };
                let ahead = prediction.filter(|&run| run > elapsed);
                Ok(ahead.map_or_else(requested, |run| Candidates::Some(vec![run])))
            }
        }
    }
}

impl Candidates {
    /// Draws a run time.
    pub(super) fn draw(&self, random: &mut impl Rng) -> Time {
        // 53 bits are a fraction in [0, 1).
        let fraction = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        match self {
            Candidates::Some(runs) => {
                let at = (fraction * runs.len() as f64) as usize;
                runs[at.min(runs.len() - 1)]
            }
            Candidates::Between(least, most) => {
                let whole = Time::from_secs_f64(least.secs() + fraction * (*most - *least).secs());
                whole.max(*least + Time::TICK)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_policies::{Registry, Setting};
    use batchlab_traces::workload::PlainJob;
    use batchlab_traces::{Machine, seed};

    fn jobs(jobs: &[(i64, i64, i64)]) -> Workload {
        let job = |&(user, run, estimate): &(i64, i64, i64)| PlainJob {
            submit: Time::ZERO,
            run: Time::from_secs(run),
            estimate: Time::from_secs(estimate),
            demand: vec![1],
            user,
            partition: -1,
        };
        Workload::from_jobs(&jobs.iter().map(job).collect::<Vec<_>>())
    }

    fn learned(workload: &Workload) -> RunTimes {
        let mut known = RunTimes::default();
        workload.jobs().for_each(|job| known.learn(workload, job));
        known
    }

    #[test]
    fn the_most_similar_group_with_enough_jobs_is_drawn_from() {
        // User 1 has 8 jobs of 100 s that ran for half of it, user 2 has 8 jobs of 300 s that ran to the end.
        let past: Vec<_> = (0..8).flat_map(|_| [(1, 50, 100), (2, 300, 300)]).collect();
        let mut known = learned(&jobs(&past));
        let ahead = jobs(&[(1, 0, 100), (1, 0, 1000), (3, 0, 256), (3, 0, 9000)]);
        let mut candidates = |job: u32| match known.candidates(&ahead, JobId(job), Time::ZERO).unwrap() {
            Candidates::Some(mut runs) => {
                runs.dedup();
                runs.iter().map(|run| run.secs()).collect::<Vec<_>>()
            }
            Candidates::Between(..) => vec![],
        };
        assert_eq!(candidates(0), [50.0], "the user's jobs with the same request");
        assert_eq!(candidates(1), [500.0], "the user's jobs");
        assert_eq!(candidates(2), [256.0], "jobs of 256 to 511 s");
        assert_eq!(candidates(3)[..2], [4500.0, 9000.0], "all jobs");
    }

    #[test]
    fn a_running_job_runs_longer_than_it_has() {
        let past: Vec<_> = (1..=20).map(|tenth| (1, tenth * 5, 100)).collect();
        let mut known = learned(&jobs(&past));
        let ahead = jobs(&[(1, 0, 100)]);
        let mut after = |elapsed: i64| known.candidates(&ahead, JobId(0), Time::from_secs(elapsed)).unwrap();
        let Candidates::Some(runs) = after(57) else { panic!("nine jobs ran longer") };
        assert_eq!(
            runs.iter().map(|run| run.secs()).collect::<Vec<_>>(),
            [60.0, 65.0, 70.0, 75.0, 80.0, 85.0, 90.0, 95.0, 100.0]
        );
        assert_eq!(after(90), Candidates::Between(Time::from_secs(90), Time::from_secs(100)));
        assert_eq!(after(130), Candidates::Some(vec![Time::from_secs(131)]));
        let mut random = seed::stream(1, "test");
        for _ in 0..1000 {
            let run = after(90).draw(&mut random);
            assert!(run > Time::from_secs(90) && run <= Time::from_secs(100));
        }
    }

    #[test]
    fn without_history_jobs_run_as_long_as_requested() {
        let ahead = jobs(&[(1, 0, 100)]);
        let mut known = RunTimes::default();
        assert_eq!(
            known.candidates(&ahead, JobId(0), Time::ZERO),
            Ok(Candidates::Some(vec![Time::from_secs(100)]))
        );
    }

    #[test]
    fn a_prediction_stands_until_the_job_outlives_it() {
        let machine = Machine::pool(1).unwrap();
        let chosen = Registry::builtin().choose_predictor("last2").unwrap();
        let predictor = Predictor::from_params(chosen.params(), &Setting::new(&machine)).unwrap();
        let mut known = RunTimes::predicted(predictor);
        let past = jobs(&[(1, 40, 100), (1, 61, 100)]);
        past.jobs().for_each(|job| known.learn(&past, job));
        let ahead = jobs(&[(1, 0, 100), (2, 0, 300)]);
        let mut run = |job: u32, elapsed: i64| {
            let known = known.candidates(&ahead, JobId(job), Time::from_secs(elapsed));
            let Ok(Candidates::Some(runs)) = known else { panic!("a prediction is one run time") };
            runs.iter().map(|run| run.secs()).collect::<Vec<_>>()
        };
        assert_eq!((run(0, 0), run(0, 49)), (vec![50.0], vec![50.0]));
        assert_eq!((run(0, 50), run(0, 130)), (vec![100.0], vec![131.0]), "the request, and a second more");
        assert_eq!(run(1, 0), [300.0], "a user without ended jobs");
    }
}
