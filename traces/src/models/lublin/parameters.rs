//! The constants of the model, and their settings.

use std::fmt;

use crate::models::{ModelError, ModelParamKind, ModelSettings, Param, Request};

const SHARE: ModelParamKind = ModelParamKind::Number { least: 0.0, most: 1.0 };
const LOG_SIZE: ModelParamKind = ModelParamKind::Number { least: 0.0, most: 32.0 };
const SHAPE: ModelParamKind = ModelParamKind::Number { least: 0.01, most: 10_000.0 };
const SCALE: ModelParamKind = ModelParamKind::Number { least: 0.0001, most: 1000.0 };
const SLOPE: ModelParamKind = ModelParamKind::Number { least: -1.0, most: 1.0 };
const LEVEL: ModelParamKind = ModelParamKind::Number { least: -100.0, most: 100.0 };
const RATIO: ModelParamKind = ModelParamKind::Number { least: 0.01, most: 100.0 };

/// Processors of the machine of the published sets.
const PUBLISHED_PROCS: u32 = 128;

/// Generates the three published sets and their parameters from one table.
macro_rules! sets {
    ($($key:ident $batch:literal $interactive:literal $untyped:literal $kind:ident $help:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(super) struct LublinClass {
            $(#[doc = $help] pub(super) $key: f64,)+
        }

        const BATCH: LublinClass = LublinClass { $($key: $batch,)+ };
        const INTERACTIVE: LublinClass = LublinClass { $($key: $interactive,)+ };
        const UNTYPED: LublinClass = LublinClass { $($key: $untyped,)+ };

        pub(super) static PARAMS: [Param; 2 + 3 * [$(stringify!($key)),+].len()] = [
            Param::of("types", ModelParamKind::Word(&["both", "batch", "interactive", "untyped"]), "both").help("which jobs: interactive and batch ones as independent streams merged by arrival, one of them \
         alone, or one stream fitted to all jobs together (queue 0)"),
            Param::of("load", ModelParamKind::Number { least: 0.01, most: 100.0 }, "1").help("offered load * F: times between arrivals are divided by F before the daily cycle is laid over \
         them, so a day keeps its 24 hours"),
            $(
                Param { name: concat!("batch.", stringify!($key)), kind: $kind, default: stringify!($batch), help: $help },
                Param { name: concat!("interactive.", stringify!($key)), kind: $kind, default: stringify!($interactive), help: $help },
                Param { name: concat!("untyped.", stringify!($key)), kind: $kind, default: stringify!($untyped), help: $help },
            )+
        ];

        impl LublinClass {
            fn published(class: &str) -> LublinClass {
                match class {
                    "batch" => BATCH,
                    "interactive" => INTERACTIVE,
                    _ => UNTYPED,
                }
            }

            fn change(&mut self, class: &str, settings: &ModelSettings) {
                $(if let Some(value) = settings.number(&format!("{class}.{}", stringify!($key))) {
                    self.$key = value;
                })+
            }
        }

        /// Writes `key=value` of all parameters, separated by blanks.
        impl fmt::Display for LublinClass {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let all = [$(format!("{}={}", stringify!($key), self.$key)),+];
                f.write_str(&all.join(" "))
            }
        }
    };
}

sets! {
    // key batch interactive untyped
    serial 0.2927 0.1541 0.244 SHARE "share of jobs with one processor";
    pow2 0.6686 0.625 0.576 SHARE "share of jobs whose size is rounded to a power of two";
    ulow 1.2 1.0 0.8 LOG_SIZE "log2 of the smallest parallel size; above umed (small machines) umed is taken";
    umed 5.0 3.0 4.5 LOG_SIZE "log2 of the size where the two uniform stages meet; where uhi is not the \
        published one uhi-2.5, or uhi/2 if that is more";
    uhi 7.0 5.5 7.0 LOG_SIZE "log2 of the largest size; on another machine than the published one of 128 \
        processors log2 of its processors, 1.5 less for interactive jobs (1 at least)";
    uprob 0.875 0.705 0.86 SHARE "probability of the lower of the two uniform stages";
    a1 6.57 3.8351 4.2 SHAPE "shape of the first gamma of ln(run time)";
    b1 0.823 0.6605 0.94 SCALE "scale of the first gamma of ln(run time)";
    a2 639.1 7.073 312.0 SHAPE "shape of the second gamma of ln(run time)";
    b2 0.0156 0.6856 0.03 SCALE "scale of the second gamma of ln(run time)";
    pa -0.003 -0.0118 -0.0054 SLOPE "the first gamma has the probability pa*processors+pb, kept within 0 and 1";
    pb 0.6986 0.9156 0.78 LEVEL "the first gamma has the probability pa*processors+pb, kept within 0 and 1";
    aarr 6.0415 6.5510 10.2303 SHAPE "shape of the gamma of ln(time between arrivals) in the rush hours";
    barr 0.8531 0.6621 0.4871 SCALE "scale of the gamma of ln(time between arrivals)";
    anum 6.1271 8.9186 8.1737 SHAPE "shape of the gamma of the daily cycle, in half hours";
    bnum 5.2740 3.6680 3.9631 SCALE "scale of the gamma of the daily cycle, in half hours";
    arar 1.0519 0.9797 1.0225 RATIO "ratio by which aarr is multiplied to hold for the whole day";
}

impl LublinClass {
    /// Returns the parameters of a class on a machine, as published or set.
    ///
    /// For other machines the program's comments give: `uhi` is the log2 of the size; `umed` is 2.5 below it (1.5 to 3.5), and
    /// half of it on a machine of 8. Interactive jobs keep their published limit of 2^-1.5 of the machine.
    pub(super) fn of(class: &str, request: &Request<'_>) -> LublinClass {
        let published = LublinClass::published(class);
        let mut set = published;
        if request.procs != PUBLISHED_PROCS {
            let machine = f64::from(request.procs).log2();
            set.uhi = (machine + published.uhi - UNTYPED.uhi).max(machine.min(1.0));
        }
        set.change(class, request.settings);
        if set.uhi != published.uhi {
            set.umed = (set.uhi - 2.5).max(set.uhi / 2.0);
            set.change(class, request.settings);
            if set.ulow == published.ulow {
                set.ulow = set.ulow.min(set.umed);
            }
        }
        set
    }
}

/// Refuses settings of classes that are not drawn.
pub(super) fn check_all_used(settings: &ModelSettings, types: &str) -> Result<(), ModelError> {
    for (param, _) in settings.given() {
        let Some((class, _)) = param.name.split_once('.') else { continue };
        if class != types && (types != "both" || class == "untyped") {
            return Err(ModelError::NoEffect { key: param.name, with: format!("types={types}") });
        }
    }
    Ok(())
}
