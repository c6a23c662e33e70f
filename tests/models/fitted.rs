//! Hyper-Erlang fits of real logs.

use batchlab::traces::models::jann::{Fit, FitOptions, Gaps, Ranges, fit};
use batchlab::traces::models::{self, jann};

use crate::lab::Log;

const LOGS: [Log; 3] = [Log::KTH, Log::KTH_CLEANED, Log::SDSC];

fn assert_matched(fit: &Fit, what: &str) {
    for class in &fit.classes {
        for matched in [&class.interarrival, &class.service] {
            assert!(matched.error() < 1e-6, "{what} {}-{}: {matched:?}", class.least, class.most);
            assert!(matched.law.p > 0.0 && matched.law.p < 1.0);
        }
    }
}

#[test]
fn three_moments_of_every_range_are_matched_to_one_in_a_million() {
    for log in LOGS {
        let Some(trace) = log.trace() else { continue };
        for ranges in [Ranges::Powers, Ranges::Width(5)] {
            for gaps in [Gaps::Inner, Gaps::Wrapped] {
                let fit = fit(&trace, &FitOptions { ranges, gaps, ..FitOptions::default() }).unwrap();
                let jobs: u64 = fit.classes.iter().map(|class| class.jobs).sum();
                assert_eq!(jobs + fit.left_out, trace.len() as u64);
                assert!(fit.classes.len() >= 7, "{} {ranges:?}: {} ranges", log.0, fit.classes.len());
                assert_matched(&fit, log.0);
            }
        }
    }
}

#[test]
fn most_ranges_need_a_low_order_as_the_paper_says() {
    for log in LOGS {
        let Some(trace) = log.trace() else { continue };
        let fit = fit(&trace, &FitOptions::default()).unwrap();
        let laws = fit.classes.iter().flat_map(|class| [class.interarrival.law, class.service.law]);
        let orders: Vec<u32> = laws.map(|law| law.order).collect();
        let low = orders.iter().filter(|&&order| order <= 2).count();
        assert!(low * 2 > orders.len(), "{}: orders {orders:?}", log.0);
    }
}

#[test]
fn jobs_drawn_from_a_fit_have_the_shares_and_the_load_of_the_log() {
    for log in LOGS {
        let Some(trace) = log.trace() else { continue };
        let model = models::find("jann97").unwrap();
        let (jobs, procs) = model.default_size(Some(&trace));
        let drawn = model.generate_from(Some(&trace), jobs, procs, 1, &["gaps=wrapped"]).unwrap();
        assert!(drawn.header.notes.iter().any(|note| note.starts_with(jann::FIT_NOTE)));
        let options = FitOptions { gaps: Gaps::Wrapped, ..FitOptions::default() };
        let [of_log, of_drawn] = [&*trace, &drawn].map(|trace| fit(trace, &options).unwrap());
        assert_matched(&of_drawn, "drawn");
        for class in of_log.classes.iter().filter(|class| class.jobs > 500) {
            let twin = of_drawn.classes.iter().find(|twin| twin.least == class.least).unwrap();
            let ratio = twin.jobs as f64 / class.jobs as f64;
            assert!((0.8..1.25).contains(&ratio), "{} {}-{}: {ratio}", log.0, class.least, class.most);
        }
    }
}
