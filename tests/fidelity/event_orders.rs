//! The number of jobs affected by the order of simultaneous events, as given in the replay semantics.

use crate::lab::{Case, Log, Replayed};

fn differing(left: &Replayed, right: &Replayed) -> usize {
    left.outcome.start.iter().zip(&right.outcome.start).filter(|(left, right)| left != right).count()
}

fn easy_in_two_orders(log: Log) -> Option<(usize, usize)> {
    let (batch, pyss) = (Case::new(log, "easy").replay()?, Case::new(log, "easy").submit_first().replay()?);
    Some((differing(&batch, &pyss), batch.workload.len()))
}

#[test]
fn kth_easy_starts_462_jobs_at_other_times() {
    let Some((differing, _)) = easy_in_two_orders(Log::KTH_CLEANED) else { return };
    assert_eq!(differing, 462);
}

#[test]
fn sdsc_easy_starts_4_4_percent_at_other_times() {
    let Some((differing, jobs)) = easy_in_two_orders(Log::SDSC) else { return };
    assert_eq!(format!("{:.1}", 100.0 * differing as f64 / jobs as f64), "4.4");
}

#[test]
fn counting_extra_processors_up_to_the_first_fit_moves_8_8_percent() {
    let case = |spec| Case::new(Log::KTH, spec).kill().replay();
    let (Some(all), Some(first)) = (case("easy"), case("easy:extra=first")) else { return };
    let share = 100.0 * differing(&all, &first) as f64 / all.workload.len() as f64;
    assert_eq!(format!("{share:.1}"), "8.8");
}
