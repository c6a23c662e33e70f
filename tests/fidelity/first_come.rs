//! Reference schedules of policies that reserve for no job or for the head, in the default event order.

use crate::lab::{Case, Log};

#[test]
fn sdsc_easy_and_fcfs() {
    let fcfs = Case::new(Log::SDSC, "fcfs").agrees_with("fcfs.batch");
    let easy = Case::new(Log::SDSC, "easy").agrees_with("easy.batch");
    let (Some(_), Some(easy)) = (fcfs, easy) else { return };
    easy.wait("20570.875").bsld("87.8055");
}

#[test]
fn kth_queue_orders() {
    Case::new(Log::KTH_CLEANED, "fcfs").agrees_with("fcfs.batch");
    Case::new(Log::KTH_CLEANED, "fcfs:order=sjf").agrees_with("sjf.batch");
    Case::new(Log::KTH_CLEANED, "first-fit").agrees_with("firstfit.batch");
}

#[test]
fn kth_easy_and_shortest_job_backfilled_first() {
    Case::new(Log::KTH_CLEANED, "easy").agrees_with("easy.batch");
    Case::new(Log::KTH_CLEANED, "easy:candidates=sjf").agrees_with("easy-sjbf.batch");
    // One reservation, made in a profile instead of by a shadow time, is the same policy.
    Case::new(Log::KTH_CLEANED, "depth:k=1").agrees_with("easy.batch");
}
