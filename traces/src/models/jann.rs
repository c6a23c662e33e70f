//! The model of Jann et al. 1997: hyper-Erlang interarrival and service times by size, fitted to any log.
//!
//! [`fit()`] fits it, [`Fit`] describes the quality of the fit; the models `jann97` and `zhang2000` draw from it.

mod classes;
mod draw;
mod erlang;
mod fit;

use super::{Fitted, GeneratedJobs, ModelClass, ModelError, ModelParamKind, ModelSpec, Param, Request};
use crate::citation::Citation;
use crate::reading::Size;
pub(super) use draw::{Generator, LoadScaling};
pub use erlang::HyperErlang;
pub use fit::{ClassFit, FIT_NOTE, Fit, FitOptions, Gaps, Matched, Ranges, fit};

/// The parameters that the authors fitted to the log of the CTC SP2 are not available, so the model has no defaults and is fitted
/// to a log. Orders are tried from 1 upwards; the first order for which three moments can be matched is used, in closed form.
pub(super) const SPEC: ModelSpec = ModelSpec {
    name: "jann97",
    summary: "rigid jobs as a log has them: per range of sizes, interarrival and run times of hyper-Erlang \
              laws that match three moments",
    cite: Citation::of(
        "Jann, Pattnaik, Franke, Wang, Skovira and Riordan, Modeling of workload in MPPs, JSSPP 1997 (LNCS \
           1291); moments matched after Johnson and Taaffe, Stochastic Models 5(4), 1989",
        &["jann97", "johnson89"],
    ),
    jobs: 0,
    procs: 0,
    fitted: Fitted::Always,
    params: &PARAMS,
    draw: draw_like_the_log,
};

pub(super) const FIT_PARAMS: [Param; 3] = [
    Param::of("gaps", ModelParamKind::Word(&["inner", "wrapped"]), "inner").help(
        "interarrival times of a range: those between its jobs (inner), or with one more from its last job \
         round to its first as if the log began again (wrapped), which keeps the number of jobs of ranges \
         that are active for a part of the log only",
    ),
    Param::of("max-order", ModelParamKind::Count { least: 1, most: 1_000_000 }, "1000").help(
        "the highest order that is tried; a range that needs a higher one is pooled with its neighbour",
    ),
    Param::of("size", ModelParamKind::Word(&["requested", "allocated"]), "requested")
        .help("which size of a job of the log counts where both are known"),
];

static PARAMS: [Param; 6] = [
    Param::of(
        "ranges",
        ModelParamKind::Form {
            expected: "pow2 or a width such as 5",
            valid: |text| text == "pow2" || width(text).is_some(),
        },
        "pow2",
    )
    .help("ranges of sizes: 1, 2, 3-4, 5-8 and so on, or of one width: 1-5, 6-10 and so on"),
    Param::of("sizes", ModelParamKind::Word(&["observed", "top"]), "observed").help(
        "sizes within a range: as often as the log has them, or its upper end, as far as the machine \
         reaches",
    ),
    Param::of(
        "load",
        ModelParamKind::Form {
            expected: "log or a number from 0.001 to 100",
            valid: |text| text == "log" || load(text).is_some(),
        },
        "log",
    )
    .help("offered load, reached by dividing interarrival times; log leaves them as fitted"),
    FIT_PARAMS[0],
    FIT_PARAMS[1],
    FIT_PARAMS[2],
];

fn draw_like_the_log(request: &Request<'_>) -> Result<GeneratedJobs, ModelError> {
    let settings = request.settings;
    let ranges = width(settings.value("ranges")).map_or(Ranges::Powers, Ranges::Width);
    let top = settings.value("sizes") == "top";
    let fit = fit_of(request, ranges)?;
    let change = LoadScaling { load: load(settings.value("load")), run: 1.0, top };
    let mut generator = Generator::new(&fit, request, change)?;
    Ok(GeneratedJobs {
        jobs: generator.jobs(request.jobs),
        classes: vec![ModelClass::only(request, &PARAMS)],
        notes: fit.notes(),
        ..GeneratedJobs::default()
    })
}

/// Fits the log of a request by its settings. Fails when there is no log, or it has too few jobs.
pub(super) fn fit_of(request: &Request<'_>, ranges: Ranges) -> Result<Fit, ModelError> {
    let settings = request.settings;
    let Some(log) = request.log else { return Err(ModelError::NoLog { model: SPEC.name }) };
    let options = FitOptions {
        ranges,
        gaps: if settings.value("gaps") == "wrapped" { Gaps::Wrapped } else { Gaps::Inner },
        size: if settings.value("size") == "allocated" { Size::Allocated } else { Size::Requested },
        max_order: settings.amount("max-order") as u32,
    };
    fit(log, &options)
}

/// Parses an offered load; `None` for the load of the log.
pub(super) fn load(text: &str) -> Option<f64> {
    text.parse().ok().filter(|load| (0.001..=100.0).contains(load))
}

fn width(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&width| width > 0)
}

#[cfg(test)]
mod tests;
