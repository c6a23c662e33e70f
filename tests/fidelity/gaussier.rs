//! Gaussier, Glesser, Reis, Trystram, SC 2015: complete schedules of EASY, EASY-SJBF and EASY++.

use crate::lab::{Case, Log};

const SJBF: &str = "easy:candidates=sjf";
const PLUS_PLUS: &str = "easy:candidates=sjf,predictor=last2,corrector=increment";
const REQUEST: &str = "easy:candidates=sjf,predictor=last2,corrector=request";
const DOUBLE: &str = "easy:candidates=sjf,predictor=last2,corrector=double";

fn case(log: Log, spec: &'static str) -> Case {
    Case::new(log, spec).submit_first()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn root_mean_square(values: &[f64]) -> f64 {
    (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt()
}

#[test]
fn kth_easy() {
    let Some(result) = case(Log::KTH, "easy").agrees_with("easy.submit-first") else { return };
    assert_eq!(result.workload.work(0), 2_013_209_080 * 1_000_000);
    let (waits, bslds) = (result.waits(), result.bounded_slowdowns());
    result
        .bsld("92.57654")
        .wait("6836.872")
        .same("longest wait", largest(&waits), "262194")
        .same("largest bsld", largest(&bslds), "14805.2")
        .same("rms bsld", root_mean_square(&bslds), "476.260");
}

#[test]
fn kth_easy_with_exact_run_times() {
    let Some(result) = case(Log::KTH, "easy").exact().agrees_with("easy-actual.submit-first") else { return };
    result.bsld("71.72239").wait("6327.682");
}

#[test]
fn kth_shortest_job_backfilled_first() {
    let exact = case(Log::KTH, SJBF).exact().agrees_with("easy-sjbf-actual.submit-first");
    let (Some(exact), Some(users)) = (exact, case(Log::KTH, SJBF).replay()) else { return };
    exact.bsld("49.84772").wait("5436.021");
    users.bsld("69.40540");
}

#[test]
fn kth_easy_plus_plus() {
    let Some(result) = case(Log::KTH, PLUS_PLUS).agrees_with("easy-plus-plus.submit-first") else { return };
    result.bsld("63.50068").wait("6235.854");
}

#[test]
fn kth_easy_plus_plus_with_other_correctors() {
    let (request, double) = (case(Log::KTH, REQUEST).replay(), case(Log::KTH, DOUBLE).replay());
    let (Some(request), Some(double)) = (request, double) else { return };
    request.bsld("62.85688");
    double.bsld("64.52747");
}

#[test]
fn sdsc_easy() {
    let Some(result) = case(Log::SDSC, "easy").agrees_with("easy.submit-first") else { return };
    assert_eq!(result.workload.work(0), 6_656_350_775 * 1_000_000);
    let (waits, bslds) = (result.waits(), result.bounded_slowdowns());
    result
        .bsld("87.87032")
        .wait("20497.761")
        .same("longest wait", largest(&waits), "459740")
        .same("largest bsld", largest(&bslds), "10953.0")
        .same("rms bsld", root_mean_square(&bslds), "305.728");
}

#[test]
fn sdsc_easy_with_exact_run_times() {
    let Some(result) = case(Log::SDSC, "easy").exact().agrees_with("easy-actual.submit-first") else {
        return;
    };
    result.bsld("70.47794").wait("17337.106");
}

#[test]
fn sdsc_shortest_job_backfilled_first() {
    let exact = case(Log::SDSC, SJBF).exact().agrees_with("easy-sjbf-actual.submit-first");
    let (Some(exact), Some(users)) = (exact, case(Log::SDSC, SJBF).replay()) else { return };
    exact.bsld("56.83622").wait("16307.078");
    users.bsld("84.88894");
}

#[test]
fn sdsc_easy_plus_plus() {
    let Some(result) = case(Log::SDSC, PLUS_PLUS).agrees_with("easy-plus-plus.submit-first") else { return };
    result.bsld("79.39628").wait("25505.534");
}

#[test]
fn sdsc_easy_plus_plus_with_other_correctors() {
    let (request, double) = (case(Log::SDSC, REQUEST).replay(), case(Log::SDSC, DOUBLE).replay());
    let (Some(request), Some(double)) = (request, double) else { return };
    request.bsld("65.06360");
    double.bsld("98.00316");
}
