//! Variants of the bounded slowdown; they differ for short jobs, so a paper must name the one it uses.

use batchlab_traces::Citation;

use crate::metrics::served::ratio;
use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

pub static BSLD_RAW: MetricSpec = MetricSpec {
    name: "bsld_raw",
    unit: Unit::Ratio,
    bound: Bound::NoWait,
    definition: "response / max(run, tau), below 1 for short jobs",
    cite: Citation::of("Sheikhalishahi et al. 2015", &["sheikhalishahi15"]),
    compute: Compute::PerJob(&RAW),
    ..MetricSpec::OF_JOBS
};

pub static BSLD_YUAN: MetricSpec = MetricSpec {
    name: "bsld_yuan",
    unit: Unit::Ratio,
    domain: Domain::FromOne,
    bound: Bound::NoWait,
    definition: "(wait + max(run, tau)) / max(run, tau)",
    cite: Citation::of("Yuan et al., PV-EASY", &["yuan10"]),
    compute: Compute::PerJob(&YUAN),
    ..MetricSpec::OF_JOBS
};

pub static BSLD_PP: MetricSpec = MetricSpec {
    name: "bsld_pp",
    unit: Unit::Ratio,
    domain: Domain::FromOne,
    bound: Bound::NoWait,
    definition: "per-processor bounded slowdown: max(1, response / (procs * max(run, tau)))",
    cite: Citation::of(
        "Zotkin and Keleher 1999, Job-Length Estimation and Performance in Backfilling Schedulers",
        &["zotkin99"],
    ),
    compute: Compute::PerJob(&PER_PROCESSOR),
    ..MetricSpec::OF_JOBS
};

static RAW: Quantity = Quantity {
    name: "bsld_raw",
    value: JobValue::Ratio(|job, options| ratio(job.response(), job.run.max(options.tau))),
};

static YUAN: Quantity = Quantity {
    name: "bsld_yuan",
    value: JobValue::Ratio(|job, options| {
        let run = job.run.max(options.tau);
        ratio(job.wait() + run, run)
    }),
};

static PER_PROCESSOR: Quantity = Quantity {
    name: "bsld_pp",
    value: JobValue::Ratio(|job, options| {
        let slowdown = ratio(job.response(), job.run.max(options.tau))?;
        (job.procs > 0).then(|| (slowdown / job.procs as f64).max(1.0))
    }),
};

#[cfg(test)]
mod tests {
    use batchlab_traces::{JobId, Time};

    use super::*;
    use crate::metrics::{MeasureOptions, Served};

    fn value(quantity: &Quantity, job: &Served) -> f64 {
        match quantity.value {
            JobValue::Ratio(ratio) => ratio(job, &MeasureOptions::default()).unwrap(),
            JobValue::Time(_) => unreachable!("all forms are ratios"),
        }
    }

    #[test]
    fn the_forms_of_a_short_job_differ() {
        let secs = Time::from_secs;
        // Waits 3 s, runs 2 s on 4 processors; tau = 10 s.
        let short = Served {
            job: JobId(0),
            submit: secs(5),
            start: secs(8),
            end: secs(10),
            run: secs(2),
            procs: 4,
            predicted: None,
            service: None,
        };
        assert_eq!(value(&RAW, &short), 0.5);
        assert_eq!(value(&YUAN, &short), 1.3);
        assert_eq!(value(&PER_PROCESSOR, &short), 1.0);
        let long = Served { end: secs(88), ..short };
        assert_eq!((value(&RAW, &long), value(&PER_PROCESSOR, &long)), (8.3, 2.075));
    }
}
