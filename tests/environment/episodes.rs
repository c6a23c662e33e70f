//! Episodes are windows of the log, drawn by seed.

use batchlab::environment::{Environment, EnvironmentOptions};

use super::{eight, environment, first_valid, jobs, starts};

#[test]
fn the_same_seed_gives_the_same_episode_and_the_stream_goes_on_without_one() {
    let rows: Vec<_> = (0..100).map(|at| (10 * at, 25 + at % 7, 40, 1 + at % 4, at % 3)).collect();
    let mut agent = environment(&jobs(4, &rows), EnvironmentOptions { length: Some(10), ..eight() });
    let first = agent.jobs();
    assert_eq!(first.len(), 10);

    let mut episodes = |seed| {
        agent.reset(Some(seed)).unwrap();
        let three = (0..3).map(|_| {
            let drawn = agent.jobs();
            first_valid(&mut agent);
            let starts = starts(&agent);
            agent.reset(None).unwrap();
            (drawn, starts)
        });
        three.collect::<Vec<_>>()
    };
    let (one, again, two) = (episodes(1), episodes(1), episodes(2));
    assert_eq!(one, again);
    assert_ne!(one, two);
    assert_eq!(one[0].0, first, "a new environment is reset with the seed of the scenario, 1");
    assert_ne!(one[0].0, one[1].0);
    for (jobs, starts) in one.into_iter().chain(two) {
        assert!(starts.iter().all(|&start| start >= rows[jobs.start].0 as f64));
    }
}

#[test]
fn without_a_length_an_episode_is_the_whole_log() {
    let mut agent = environment(&jobs(4, &[(0, 5, 5, 4, 1), (0, 5, 5, 4, 1)]), eight());
    assert_eq!(agent.jobs(), 0..2);
    first_valid(&mut agent);
    assert_eq!(starts(&agent), [0.0, 5.0]);
}

#[test]
fn a_prefix_is_scheduled_as_easy_does_and_the_episode_begins_at_an_instant() {
    // Four processors: the agent gets the jobs from the third one on, when the machine is busy with the first.
    let rows = [(0, 100, 100, 3, 1), (0, 10, 10, 4, 1), (50, 5, 5, 1, 1), (50, 5, 5, 4, 1), (60, 5, 5, 1, 2)];
    let with = |prefix_jobs| environment(&jobs(4, &rows), EnvironmentOptions { prefix_jobs, ..eight() });
    let agent = with(2);
    assert_eq!(
        (agent.jobs(), agent.prefix().secs(), agent.now().map(batchlab::traces::Time::secs)),
        (2..5, 50.0, Some(50.0))
    );
    let started: Vec<_> = agent.starts().iter().map(|&(job, start)| (job.0, start.secs())).collect();
    assert_eq!(started, [(0, 0.0)], "the second job waits for the first");

    // Jobs that were submitted together with the first job of the episode are measured, too.
    assert_eq!(with(3).jobs(), 2..5);
    assert_eq!(with(4).jobs(), 4..5);
    let too_many =
        Environment::new(&jobs(4, &rows).scenario, EnvironmentOptions { prefix_jobs: 5, ..eight() });
    let error = too_many.err().unwrap().to_string();
    assert_eq!(error, "prefix_jobs=5 leaves too few of the 5 jobs of the log for an episode");
}
