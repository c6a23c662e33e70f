use batchlab_support::JobView;
use batchlab_support::external::Fault;
use batchlab_support::predictor::Predictor;
use batchlab_traces::{JobId, Time, Workload, seed};
use chacha20::rand_core::Rng;

use super::similar::{Likeness, SimilarRuns};

/// What is known of run times at an instant, from those of the jobs that have ended by then.
///
/// By default a run time is drawn from those of similar jobs that ran longer than the job has run already: of its user with the same
/// name and request; with the same request; of its user; with a request of the same magnitude; of all. A group of `n` such jobs has the share `n / (n + 4)` of what the groups before it leave; within it each of
/// its last 64 jobs has the same share. So a few similar jobs count a little, and many count for nearly everything: the predictive
/// distribution of nested Dirichlet processes with a concentration of 4 each (Teh, Jordan, Beal, Blei, JASA 101, 2006), with the counts
/// of the survivors. What all groups leave is any instant up to the limit, with equal probability. A job of a group that ran beyond its
/// request stands for one that does so by as many seconds. Without history, jobs run as long as requested.
///
/// With a predictor, each job runs as long as predicted. One that has run longer already runs as long as requested, and one
/// beyond its request ends at once.
pub struct RunTimes {
    /// Whether no job has ended.
    is_empty: bool,
    source: Source,
}

enum Source {
    Drawn(SimilarRuns),
    /// Without a predictor, jobs run as long as requested.
    Predicted(Option<Box<Predictor>>),
}

/// How many jobs the groups of less similar jobs count for, together.
const OTHERS: f64 = 4.0;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidates {
    /// Run times, each with the share of itself and all before it.
    runs: Vec<(f64, Time)>,
    /// What else it may be: any between these.
    between: (Time, Time),
}

impl Default for RunTimes {
    fn default() -> RunTimes {
        RunTimes { is_empty: true, source: Source::Drawn(SimilarRuns::default()) }
    }
}

impl RunTimes {
    /// Returns run times that are predicted, or as requested without a predictor; no job has ended yet.
    pub fn predicted(predictor: Option<Predictor>) -> RunTimes {
        RunTimes { is_empty: true, source: Source::Predicted(predictor.map(Box::new)) }
    }

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
            Source::Drawn(similar) => similar.learn(Likeness::of(view), run),
            Source::Predicted(Some(predictor)) => predictor.learn(view, run),
            Source::Predicted(None) => {}
        }
    }

    /// Returns the possible run times of a job that has run for `elapsed`, which is zero if it waits.
    pub(super) fn candidates(
        &mut self,
        workload: &Workload,
        job: JobId,
        elapsed: Time,
    ) -> Result<Candidates, Fault> {
        let view = JobView::new(workload, job);
        let estimate = view.estimate();
        // A job beyond its request is expected to end at once.
        let requested = || Candidates::one(estimate.max(elapsed.saturating_add(Time::SECOND)));
        match &mut self.source {
            Source::Drawn(similar) if similar.is_empty() => Ok(requested()),
            Source::Drawn(similar) => {
                let soon = elapsed.saturating_add(Time::SECOND);
                Ok(Candidates::of(similar.longer(Likeness::of(view), elapsed), (elapsed, estimate.max(soon))))
            }
            Source::Predicted(predictor) => {
                let prediction = match predictor {
                    Some(predictor) => predictor.predict(view)?,
                    None => None,
                };
                let ahead = prediction.filter(|&run| run > elapsed);
                Ok(ahead.map_or_else(requested, Candidates::one))
            }
        }
    }
}

impl Candidates {
    pub(super) fn one(run: Time) -> Candidates {
        Candidates { runs: vec![(1.0, run)], between: (run, run) }
    }

    /// Returns the run times of groups of similar jobs, from the most similar on.
    fn of(groups: Vec<Vec<Time>>, between: (Time, Time)) -> Candidates {
        let (mut runs, mut left) = (Vec::new(), 1.0);
        for group in groups {
            let each = left / (group.len() as f64 + OTHERS);
            for run in group {
                left -= each;
                runs.push((1.0 - left, run));
            }
        }
        Candidates { runs, between }
    }

    /// Draws a run time. O(log runs).
    pub(super) fn draw(&self, random: &mut impl Rng) -> Time {
        let fraction = seed::unit(random);
        let at = self.runs.partition_point(|&(share, _)| share <= fraction);
        if let Some(&(_, run)) = self.runs.get(at) {
            return run;
        }
        let (least, most) = self.between;
        let known = self.runs.last().map_or(0.0, |&(share, _)| share);
        let fraction = if known < 1.0 { (fraction - known) / (1.0 - known) } else { 0.0 };
        let whole = Time::from_secs_f64(least.secs() + fraction * (most - least).secs());
        whole.max(least.saturating_add(Time::TICK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_support::Setting;
    use batchlab_support::params::BOOKED;
    use batchlab_support::predictor::PREDICTOR;
    use batchlab_support::spec::Params;
    use batchlab_traces::Machine;
    use batchlab_traces::workload::PlainJob;

    fn jobs(jobs: &[(i64, i64, i64)]) -> Workload {
        let job = |&(user, run, estimate): &(i64, i64, i64)| PlainJob {
            estimate: Time::from_secs(estimate),
            user,
            ..PlainJob::secs(0, run, vec![1])
        };
        Workload::from_jobs(&jobs.iter().map(job).collect::<Vec<_>>())
    }

    fn learned(workload: &Workload) -> RunTimes {
        let mut known = RunTimes::default();
        workload.jobs().for_each(|job| known.learn(workload, job));
        known
    }

    /// Returns the share of draws at most as long as some seconds each.
    fn shares(candidates: &Candidates, at_most: &[i64]) -> Vec<f64> {
        let mut random = seed::stream(1, "test");
        let drawn: Vec<Time> = (0..10_000).map(|_| candidates.draw(&mut random)).collect();
        let within = |&most: &i64| drawn.iter().filter(|&&run| run <= Time::from_secs(most)).count();
        at_most.iter().map(|most| (within(most) as f64 / 1000.0).round() / 10.0).collect()
    }

    #[test]
    fn groups_of_similar_jobs_count_for_as_much_as_they_have_jobs() {
        // User 1 has 12 jobs of 100 s that ran for half of it, user 2 has 12 jobs of 300 s that ran to the end.
        let past: Vec<_> = (0..12).flat_map(|_| [(1, 50, 100), (2, 300, 300)]).collect();
        let mut known = learned(&jobs(&past));
        let ahead = jobs(&[(1, 0, 100), (1, 0, 1000), (3, 0, 256)]);
        let mut of = |job: u32| known.candidates(&ahead, JobId(job), Time::ZERO).unwrap();
        // The 12 jobs of the user with the request have 12 / 16; of the rest, those of 64 to 127 s have 12 / 16 once more, and of what
        // these leave all jobs 24 / 28.
        let with_request = of(0);
        assert_eq!(with_request.runs[11], (0.75, Time::from_secs(50)));
        assert_eq!(with_request.runs[23], (0.9375, Time::from_secs(50)));
        let all = with_request.runs[24..].iter().filter(|&&(_, run)| run == Time::from_secs(100)).count();
        assert_eq!((with_request.runs.len(), all), (48, 12));
        // No job of the user requested 1,000 s.
        assert_eq!(shares(&of(1), &[499, 500]), [0.0, 0.9]);
        // Of a new user, the jobs of 256 to 511 s come first.
        assert_eq!(shares(&of(2), &[127, 128, 255]), [0.0, 0.1, 0.1]);
    }

    #[test]
    fn a_running_job_runs_longer_than_it_has() {
        let past: Vec<_> = (1..=20).map(|tenth| (1, tenth * 5, 100)).collect();
        let mut known = learned(&jobs(&past));
        let ahead = jobs(&[(1, 0, 100)]);
        let mut after = |elapsed: i64| known.candidates(&ahead, JobId(0), Time::from_secs(elapsed)).unwrap();
        let least = |candidates: &Candidates| candidates.runs.iter().map(|&(_, run)| run).min();
        assert_eq!(least(&after(57)), Some(Time::from_secs(60)));
        // Two of the 20 ran longer than 90 s; what they leave is any instant up to the limit.
        assert_eq!(least(&after(90)), Some(Time::from_secs(95)));
        assert_eq!(after(90).between, (Time::from_secs(90), Time::from_secs(100)));
        let mut random = seed::stream(1, "test");
        for _ in 0..1000 {
            let run = after(90).draw(&mut random);
            assert!(run > Time::from_secs(90) && run <= Time::from_secs(100));
        }
        // Beyond its limit it ends at once.
        assert!(after(130).runs.is_empty());
        assert_eq!(shares(&after(130), &[130, 131]), [0.0, 1.0]);
    }

    #[test]
    fn a_job_beyond_its_limit_may_run_on_as_others_did() {
        let past: Vec<_> = (0..16).map(|_| (1, 120, 60)).collect();
        let mut known = learned(&jobs(&past));
        let ahead = jobs(&[(1, 0, 600)]);
        let mut after = |elapsed: i64| known.candidates(&ahead, JobId(0), Time::from_secs(elapsed)).unwrap();
        assert_eq!(shares(&after(0), &[659, 660]), [0.0, 1.0], "a minute beyond its limit");
        assert_eq!(after(650).runs.len(), 32);
        assert!(after(660).runs.is_empty());
    }

    #[test]
    fn without_history_jobs_run_as_long_as_requested() {
        let ahead = jobs(&[(1, 0, 100)]);
        let mut known = RunTimes::default();
        assert_eq!(known.candidates(&ahead, JobId(0), Time::ZERO), Ok(Candidates::one(Time::from_secs(100))));
    }

    #[test]
    fn a_prediction_stands_until_the_job_outlives_it() {
        let machine = Machine::pool(1).unwrap();
        let params = Params::check("any", BOOKED, &[(PREDICTOR.name.into(), "last2".into())]).unwrap();
        let predictor = Predictor::from_params(&params, &Setting::new(&machine)).unwrap();
        let mut known = RunTimes::predicted(predictor);
        let past = jobs(&[(1, 40, 100), (1, 61, 100)]);
        past.jobs().for_each(|job| known.learn(&past, job));
        let ahead = jobs(&[(1, 0, 100), (2, 0, 300)]);
        let mut run = |job: u32, elapsed: i64| {
            let known = known.candidates(&ahead, JobId(job), Time::from_secs(elapsed));
            known.unwrap().runs.iter().map(|(_, run)| run.secs()).collect::<Vec<_>>()
        };
        assert_eq!((run(0, 0), run(0, 49)), (vec![50.0], vec![50.0]));
        assert_eq!((run(0, 50), run(0, 130)), (vec![100.0], vec![131.0]), "the request, and a second more");
        assert_eq!(run(1, 0), [300.0], "a user without ended jobs");
    }
}
