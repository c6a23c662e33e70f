use serde::de::DeserializeOwned;

use super::{Env, Settings, ShapeError, ShapedTrace, StepError};
use crate::citation::Citation;
use crate::located::keys;

/// A step: its name, source and parameters, and how it is read from a table of the file.
#[derive(Clone, Copy, Debug)]
pub struct StepSpec {
    /// Its name, the `kind` in files.
    pub name: &'static str,
    /// What it does, in one sentence without a full stop.
    pub summary: &'static str,
    /// The publication that it follows, or that defines its convention.
    pub cite: Citation,
    /// Whether some of its settings draw at random; the seed is then recorded.
    pub draws: bool,
    /// Its parameters.
    pub params: &'static [Param],
    /// The keys of its table in a file, in the order of the parameters.
    pub(super) keys: fn() -> &'static [&'static str],
    pub(super) build: fn(&Settings<'_>) -> Result<Box<dyn Step>, ShapeError>,
}

/// The parameters of a step as a file states them, declared with `parameters!`.
pub(super) trait Parameters: DeserializeOwned {
    const PARAMS: &'static [Param];
}

pub(super) trait StepText: Parameters {
    /// Creates the step. Fails when a parameter is missing, or does not go with the others.
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError>;
}

impl StepSpec {
    /// Returns a step of batchlab's own that does not draw.
    pub(super) const fn of<T: StepText>(name: &'static str, summary: &'static str) -> StepSpec {
        StepSpec {
            name,
            summary,
            cite: Citation::of("batchlab's own", &[]),
            draws: false,
            params: T::PARAMS,
            keys: keys::<T>,
            build: |settings| settings.read::<T>()?.step(settings),
        }
    }
}

/// A parameter of a step.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// Its value if it is not set, or `none`.
    pub default: &'static str,
    /// The values it accepts, in words.
    pub takes: &'static str,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
}

/// Declares the parameters of a step: a struct that is read from a table of a file, and the list of its parameters. Each
/// parameter has a key, the type of its value, its default, and in words the values that it accepts and what it does; or it
/// is a parameter that several steps share. A key that is a keyword is written `r#for`.
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident;
        $($key:ident: $type:ty = $($about:expr),+;)*
    ) => {
        $(#[$meta])*
        #[derive(Default, serde::Deserialize)]
        #[serde(default)]
        $vis struct $name {
            $($key: $type,)*
        }

        impl $crate::shape::spec::Parameters for $name {
            const PARAMS: &'static [$crate::shape::spec::Param] =
                &[$($crate::shape::spec::parameter!($key, $($about),+)),*];
        }
    };
}
pub(super) use parameters;

/// A parameter of several steps, or one of a step.
macro_rules! parameter {
    ($key:ident, $shared:expr) => {
        $shared
    };
    ($key:ident, $default:expr, $takes:expr, $help:expr) => {
        $crate::shape::spec::Param {
            name: $crate::located::key_of_field(stringify!($key)),
            default: $default,
            takes: $takes,
            help: $help,
        }
    };
}
pub(super) use parameter;

/// A step with its parameters, ready to be applied.
pub(super) trait Step: Send + Sync {
    fn apply(&self, work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError>;
}

pub(super) struct StepOutput {
    /// The resulting traces: one, unless the step splits.
    pub parts: Vec<TracePart>,
    /// Whether it split the trace; its parts are then numbered, even a single one.
    pub splits: bool,
    /// The number of jobs it touched.
    pub count: u64,
    /// What happened to them, to follow the count: "of 28,489 jobs left out".
    pub words: String,
    /// Further lines, such as the path of a search.
    pub trail: Vec<String>,
}

/// A resulting trace, with its number among the parts, from 1.
pub(super) struct TracePart {
    pub number: usize,
    pub work: ShapedTrace,
}

impl StepOutput {
    pub fn one(work: ShapedTrace, count: u64, words: impl Into<String>) -> StepOutput {
        StepOutput {
            parts: vec![TracePart { number: 1, work }],
            splits: false,
            count,
            words: words.into(),
            trail: Vec::new(),
        }
    }
}
