//! The published values of reference schedules, to every printed digit (Gaussier et al., SC'15).

use super::schedule::Schedule;

/// Checks metrics of one reference schedule against numbers as they are printed.
fn agrees(name: &str, procs: i64, expected: &[(&str, &str)]) {
    let Some(schedule) = Schedule::reference(name, procs) else { return };
    let measurement = schedule.measure(batchlab::metrics::MeasureOptions::default());
    let catalogue = batchlab::metrics::Catalogue::new(&schedule.machine, &[]);
    for (key, printed) in expected {
        let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let value = catalogue.find(key).unwrap().value(&measurement).unwrap();
        assert_eq!(format!("{value:.decimals$}"), *printed, "{key} of {name}");
    }
}

#[test]
fn kth_easy() {
    agrees(
        "KTH-SP2-1996-derived.easy.submit-first",
        100,
        &[
            ("jobs", "28481"),
            ("mean_bsld", "92.57654"),
            ("mean_wait", "6836.872"),
            ("max_bsld", "14805.2"),
            ("max_wait", "262194"),
            ("rms_bsld", "476.260"),
        ],
    );
}

#[test]
fn kth_variants() {
    let expected = [
        ("easy-actual", "71.72239", Some("6327.682")),
        ("easy-sjbf-actual", "49.84772", Some("5436.021")),
        ("easy-plus-plus", "63.50068", Some("6235.854")),
    ];
    for (policy, bsld, wait) in expected {
        let mut metrics = vec![("mean_bsld", bsld)];
        metrics.extend(wait.map(|wait| ("mean_wait", wait)));
        agrees(&format!("KTH-SP2-1996-derived.{policy}.submit-first"), 100, &metrics);
    }
}

#[test]
fn sdsc_easy() {
    agrees(
        "SDSC-SP2-1998-derived.easy.submit-first",
        128,
        &[
            ("jobs", "54006"),
            ("mean_bsld", "87.87032"),
            ("mean_wait", "20497.761"),
            ("max_bsld", "10953.0"),
            ("max_wait", "459740"),
            ("rms_bsld", "305.728"),
        ],
    );
    agrees("SDSC-SP2-1998-derived.easy.batch", 128, &[("mean_wait", "20570.875"), ("mean_bsld", "87.8055")]);
}

#[test]
fn sdsc_variants() {
    let expected = [
        ("easy-actual", "70.47794", "17337.106"),
        ("easy-sjbf-actual", "56.83622", "16307.078"),
        ("easy-plus-plus", "79.39628", "25505.534"),
    ];
    for (policy, bsld, wait) in expected {
        let name = format!("SDSC-SP2-1998-derived.{policy}.submit-first");
        agrees(&name, 128, &[("mean_bsld", bsld), ("mean_wait", wait)]);
    }
}

#[test]
fn cleaned_kth_with_zero_length_jobs() {
    let mean_wait = |policy: &str, wait: &str| {
        agrees(&format!("KTH-SP2-1996-2.1-cln.{policy}.batch"), 100, &[("mean_wait", wait)]);
    };
    mean_wait("cons-compress", "7301.354");
    mean_wait("cons-replan", "8024.040");
    let Some(schedule) = Schedule::reference("KTH-SP2-1996-2.1-cln.easy.batch", 100) else { return };
    // Eight jobs have no run time: they have a bounded slowdown but no slowdown.
    assert_eq!(schedule.workload.jobs().filter(|&job| schedule.workload.run(job).ticks() == 0).count(), 8);
    assert!(schedule.metric("max_slowdown").unwrap().is_finite());
    assert_eq!(schedule.metric("jobs"), Some(28_475.0));
}

#[test]
fn work_is_exact() {
    for (name, procs, work) in
        [("KTH-SP2-1996-derived", 100, 2_013_209_080_i128), ("SDSC-SP2-1998-derived", 128, 6_656_350_775)]
    {
        let Some(schedule) = Schedule::reference(&format!("{name}.easy.submit-first"), procs) else { return };
        assert_eq!(schedule.workload.work(0), work * 1_000_000);
        let makespan = schedule.metric("makespan").unwrap();
        let utilization = schedule.metric("utilization").unwrap();
        assert_eq!(utilization, work as f64 / (procs as f64 * makespan));
    }
}
