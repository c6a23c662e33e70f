//! What an agent sees.

use batchlab::environment::{
    EnvironmentOptions, JOB_FEATURES, MACHINE_FEATURES, ObservationLayout, ObservationShape,
};

use super::{choice, eight, environment, first_valid, scene};
use crate::lab::windows;

const ALL: [ObservationLayout; 3] =
    [ObservationLayout::Native, ObservationLayout::RlScheduler, ObservationLayout::CqGym];

fn log(secs: f64) -> f32 {
    (secs.ln_1p() / (30.0_f64 * 86_400.0).ln_1p()) as f32
}

#[test]
fn the_native_layout_describes_jobs_and_machine() {
    let mut agent = environment(&scene(), EnvironmentOptions { window: 4, ..eight() });
    agent.step(choice(&agent, 1)).unwrap();
    agent.step(choice(&agent, 2)).unwrap();
    agent.step(choice(&agent, 3)).unwrap();
    // Job 3 has taken the four free processors, and has ended at 50 s. Jobs 2, 4 and 5 wait, and any may be the head.
    agent.step(choice(&agent, 2)).unwrap();
    let mut seen = vec![9.0; agent.shape().size()];
    agent.observe(&mut seen);
    assert_eq!(agent.shape(), ObservationShape { jobs: [4, JOB_FEATURES], machine: [1, MACHINE_FEATURES] });
    let (jobs, machine) = seen.split_at(4 * JOB_FEATURES);
    let rows: Vec<&[f32]> = jobs.chunks(JOB_FEATURES).collect();
    // A job, wait, request, processors, fits, may be chosen, is the head, its user's running jobs.
    assert_eq!(rows[0], [1.0, log(49.0), log(50.0), 0.8, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(rows[1], [1.0, log(49.0), log(299.0), 0.2, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(rows[2], [1.0, log(49.0), log(199.0), 0.4, 1.0, 0.0, 0.0, 0.6]);
    assert_eq!(rows[3], [0.0; JOB_FEATURES]);
    // Free now; queue; free in 1 min and later, when job 1 has ended; the reservation: at 100 s, two extra processors.
    let (free, queue) = (0.4, 3.0 / 7.0);
    assert_eq!(machine, [free, queue, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, log(50.0), 0.2]);
}

#[test]
fn the_box_of_rlscheduler_has_eight_values_a_job() {
    let mut agent =
        environment(&scene(), EnvironmentOptions { layout: ObservationLayout::RlScheduler, ..eight() });
    agent.step(choice(&agent, 1)).unwrap();
    let mut seen = vec![9.0; agent.shape().size()];
    agent.observe(&mut seen);
    assert_eq!(agent.shape(), ObservationShape { jobs: [8, 8], machine: [0, 0] });
    let (most, least) = (1.0 - 1e-5_f32, 1e-5_f32);
    // Job 2: no wait, 50 s of at most 299 s, eight of ten processors, no memory known, the last user, no group, no
    // executable, does not fit. Job 3: user 1 of 2, fits.
    assert_eq!(seen[..8], [0.0, (50.0 / 299.0) as f32, 0.8, 1.0, most, 1.0, 1.0, least]);
    assert_eq!(seen[8..16], [0.0, (49.0 / 299.0) as f32, 0.4, 1.0, 0.5, 1.0, 1.0, most]);
    assert_eq!(seen[56..], [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn the_matrix_of_cqgym_has_two_rows_a_job_and_one_a_processor() {
    let mut agent = environment(&scene(), EnvironmentOptions { layout: ObservationLayout::CqGym, ..eight() });
    agent.step(choice(&agent, 1)).unwrap();
    let mut seen = vec![9.0; agent.shape().size()];
    agent.observe(&mut seen);
    assert_eq!(agent.shape(), ObservationShape { jobs: [16, 2], machine: [10, 2] });
    assert_eq!(seen[..8], [0.8, (50.0 / 299.0) as f32, 0.0, 0.0, 0.4, (49.0 / 299.0) as f32, 0.0, 0.0]);
    let (free, busy) = ([1.0, 0.0], [0.0, (99.0 / 299.0) as f32]);
    assert_eq!(seen[32..], [[free; 4].concat(), [busy; 6].concat()].concat());
}

#[test]
fn every_value_is_within_0_and_1() {
    for (log, play) in windows(200, 2.0) {
        for layout in ALL {
            let mut agent = environment(&play, EnvironmentOptions { layout, length: Some(100), ..eight() });
            let mut seen = vec![9.0; agent.shape().size()];
            while agent.outcome().is_none() {
                agent.observe(&mut seen);
                assert!(seen.iter().all(|value| (0.0..=1.0).contains(value)), "{layout} on {log}: {seen:?}");
                let action = agent.mask().iter().position(|&valid| valid).unwrap();
                agent.step(action).unwrap();
            }
            agent.observe(&mut seen);
            assert!(seen.iter().all(|value| (0.0..=1.0).contains(value)), "{layout} on {log}");
        }
    }
}

#[test]
fn layouts_have_names() {
    for layout in ALL {
        assert_eq!(layout.to_string().parse(), Ok(layout));
    }
    assert!(
        "box".parse::<ObservationLayout>().unwrap_err().to_string().contains("native, rlscheduler, cqgym")
    );
    let mut agent = environment(&scene(), eight());
    first_valid(&mut agent);
}
