//! Episodes are windows of the log, drawn by seed.

use batchlab::environment::EnvironmentOptions;

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
