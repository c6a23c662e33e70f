//! Classes of jobs, for metrics by class: presets of the literature, or any condition on jobs.

use std::fmt;
use std::sync::Arc;

use batchlab_traces::expr::{Expr, ExprError, Program, Vocabulary};
use batchlab_traces::{Citation, JobId, Time, Workload};

/// A predicate that decides whether a job belongs to a class.
pub type Predicate = Arc<dyn Fn(&Workload, JobId) -> bool + Send + Sync>;

/// A predicate that decides for all jobs of a workload at once.
pub type WholePredicate = Arc<dyn Fn(&Workload) -> Vec<bool> + Send + Sync>;

/// A named class of jobs.
#[derive(Clone)]
pub struct Class {
    /// Name, as tables and files print it.
    pub name: String,
    /// Its definition, in words.
    pub definition: String,
    membership: Membership,
}

#[derive(Clone)]
enum Membership {
    Predicate(Predicate),
    Condition(Arc<Program>),
    Whole(WholePredicate),
}

impl Class {
    /// Returns a class.
    pub fn new(name: impl Into<String>, definition: impl Into<String>, predicate: Predicate) -> Class {
        let membership = Membership::Predicate(predicate);
        Class { name: name.into(), definition: definition.into(), membership }
    }

    /// Returns a class whose membership depends on all jobs of the workload together.
    pub fn of_whole(
        name: impl Into<String>,
        definition: impl Into<String>,
        predicate: WholePredicate,
    ) -> Class {
        Class { name: name.into(), definition: definition.into(), membership: Membership::Whole(predicate) }
    }

    /// Returns the class of the jobs for which a condition holds, such as `procs > 32 and run > 4h`.
    ///
    /// # Errors
    /// If the text is not a condition that the vocabulary supports; [`Vocabulary::jobs`] is that of jobs.
    pub fn of(name: impl Into<String>, condition: &str, vocabulary: &Vocabulary) -> Result<Class, ExprError> {
        let expr = Expr::parse(condition)?;
        let membership = Membership::Condition(Arc::new(expr.condition(vocabulary)?));
        Ok(Class { name: name.into(), definition: expr.to_string(), membership })
    }

    /// Returns for each job whether it belongs to the class.
    pub fn members(&self, workload: &Workload) -> Vec<bool> {
        match &self.membership {
            Membership::Predicate(predicate) => workload.jobs().map(|job| predicate(workload, job)).collect(),
            Membership::Condition(program) => program.bools(workload),
            Membership::Whole(predicate) => predicate(workload),
        }
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Class")
            .field("name", &self.name)
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

/// A set of classes from the literature.
#[derive(Debug)]
pub struct ClassPreset {
    /// Name, as `--classes` takes it.
    pub name: &'static str,
    /// Its definition, in one line.
    pub summary: &'static str,
    /// Its source.
    pub cite: Citation,
    /// Makes the classes.
    pub classes: fn() -> Vec<Class>,
}

/// An unknown preset of classes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown classes `{given}`; known are {}, and NAME=CONDITION defines one", names())]
pub struct UnknownClasses {
    /// The given name.
    pub given: String,
}

impl ClassPreset {
    /// Returns the preset with a given name.
    pub fn find(name: &str) -> Result<&'static ClassPreset, UnknownClasses> {
        let preset = CLASS_PRESETS.iter().find(|preset| preset.name == name);
        preset.ok_or_else(|| UnknownClasses { given: name.into() })
    }
}

fn names() -> String {
    CLASS_PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

/// All presets.
pub static CLASS_PRESETS: &[ClassPreset] = &[
    ClassPreset {
        name: "zhang",
        summary: "small: at most 32 processors; large: more",
        cite: Citation::of("Zhang et al. 2000, section 2.3", &["zhang01"]),
        classes: zhang,
    },
    ClassPreset {
        name: "zhang-runtime",
        summary: "short: a run time below the median of all jobs; long: the others",
        cite: Citation::of("Zhang et al. 2000, section 5.5", &["zhang01"]),
        classes: zhang_runtime,
    },
    ClassPreset {
        name: "zhang-accuracy",
        summary: "run time / estimate: ten classes, 0 from 0 to 10 %, 9 above 90 %",
        cite: Citation::of("Zhang et al. 2000, section 3", &["zhang01"]),
        classes: zhang_accuracy,
    },
    ClassPreset {
        name: "feitelson4x4",
        summary: "run time (VS <= 10 min < S <= 1 h < L <= 8 h < VL) x processors (Seq 1, N 2-8, W 9-32, \
                  VW > 32)",
        cite: Citation::of(
            "Kettimuthu et al. 2005, Selective Preemption Strategies for Parallel Job Scheduling",
            &["kettimuthu05"],
        ),
        classes: feitelson4x4,
    },
    ClassPreset {
        name: "interactive",
        summary: "interactive jobs; batch jobs (--interactive says which are which)",
        cite: Citation::of("Setia, Squillante and Naik 1999, section 3", &["setia99"]),
        classes: interactive,
    },
];

const MOST: i64 = i64::MAX;

/// Upper limits of run time and of processors, included in each of the four by four classes.
const RUNS: [(&str, &str, i64); 4] = [
    ("VS", "run <= 10 min", 600),
    ("S", "10 min < run <= 1 h", 3600),
    ("L", "1 h < run <= 8 h", 28_800),
    ("VL", "run > 8 h", MOST),
];
const SIZES: [(&str, &str, i64); 4] = [
    ("Seq", "1 processor", 1),
    ("N", "2 to 8 processors", 8),
    ("W", "9 to 32 processors", 32),
    ("VW", "more than 32 processors", MOST),
];

fn zhang() -> Vec<Class> {
    let small = |workload: &Workload, job| workload.procs(job) <= 32;
    vec![
        Class::new("small", "procs <= 32", Arc::new(small)),
        Class::new("large", "procs > 32", Arc::new(move |workload, job| !small(workload, job))),
    ]
}

fn zhang_runtime() -> Vec<Class> {
    let class = |name, definition: &str, below: bool| {
        let members = move |workload: &Workload| {
            let mut runs: Vec<Time> = workload.jobs().map(|job| workload.run(job)).collect();
            runs.sort_unstable();
            // Twice the median, as the median may lie between two ticks.
            let twice = |at: usize| runs.get(at).map_or(0, |run| i128::from(run.ticks()));
            let median = twice(runs.len().saturating_sub(1) / 2) + twice(runs.len() / 2);
            let is_below = |job| 2 * i128::from(workload.run(job).ticks()) < median;
            workload.jobs().map(|job| is_below(job) == below).collect()
        };
        Class::of_whole(name, definition, Arc::new(members))
    };
    vec![class("short", "run < median run", true), class("long", "run >= median run", false)]
}

fn zhang_accuracy() -> Vec<Class> {
    // Class i: above i * 10 %, up to (i + 1) * 10 %. A job with zero run time and zero estimate is estimated exactly.
    let class_of = |workload: &Workload, job| {
        let (run, estimate) =
            (i128::from(workload.run(job).ticks()), i128::from(workload.estimate(job).ticks()));
        if run >= estimate { 9 } else { (10 * run - 1).div_euclid(estimate).clamp(0, 9) }
    };
    let class = |index: i128| {
        let (from, to) = (index * 10, index * 10 + 10);
        let words = match index {
            0 => "run <= 10 % of estimate".into(),
            9 => "run > 90 % of estimate".into(),
            _ => format!("{from} % of estimate < run <= {to} %"),
        };
        let contains = move |workload: &Workload, job| class_of(workload, job) == index;
        Class::new(format!("accuracy-{index}"), words, Arc::new(contains))
    };
    (0..10).map(class).collect()
}

fn interactive() -> Vec<Class> {
    let is = |workload: &Workload, job| workload.is_interactive(job);
    vec![
        Class::new("interactive", "jobs that --interactive calls so", Arc::new(is)),
        Class::new("batch", "all others", Arc::new(move |workload, job| !is(workload, job))),
    ]
}

fn feitelson4x4() -> Vec<Class> {
    let mut classes = Vec::new();
    let mut above_run = Time::from_ticks(-1);
    for (length, run_words, run) in RUNS {
        let mut above_size = i64::MIN;
        for (width, size_words, size) in SIZES {
            let (runs, sizes) = ((above_run, Time::from_secs(run)), (above_size, size));
            let contains = move |workload: &Workload, job| {
                let (run, procs) = (workload.run(job), workload.procs(job));
                runs.0 < run && run <= runs.1 && sizes.0 < procs && procs <= sizes.1
            };
            let definition = format!("{run_words}, {size_words}");
            classes.push(Class::new(format!("{length}-{width}"), definition, Arc::new(contains)));
            above_size = size;
        }
        above_run = Time::from_secs(run);
    }
    classes
}

#[cfg(test)]
mod tests {
    use batchlab_traces::workload::PlainJob;

    use super::*;

    fn workload(jobs: &[(i64, i64)]) -> Workload {
        let job = |&(run, procs): &(i64, i64)| PlainJob { user: 1, ..PlainJob::secs(0, run, vec![procs]) };
        Workload::from_jobs(&jobs.iter().map(job).collect::<Vec<_>>())
    }

    fn classes_of(preset: &ClassPreset, workload: &Workload, job: JobId) -> Vec<String> {
        (preset.classes)()
            .iter()
            .filter(|class| class.members(workload)[job.index()])
            .map(|class| class.name.clone())
            .collect()
    }

    #[test]
    fn every_job_is_in_exactly_one_class_of_a_preset() {
        let mut jobs = Vec::new();
        for run in [0, 1, 600, 601, 3600, 3601, 28_800, 28_801, 1 << 40] {
            jobs.extend([1, 2, 8, 9, 32, 33, 1 << 40].map(|procs| (run, procs)));
        }
        let workload = workload(&jobs);
        for preset in CLASS_PRESETS {
            for job in workload.jobs() {
                assert_eq!(classes_of(preset, &workload, job).len(), 1, "{} {job:?}", preset.name);
            }
        }
    }

    #[test]
    fn unknown_classes_list_the_known_ones() {
        let error = ClassPreset::find("zang").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown classes `zang`; known are zhang, zhang-runtime, zhang-accuracy, feitelson4x4, \
                interactive, and NAME=CONDITION defines one"
        );
        assert_eq!(ClassPreset::find("zhang").unwrap().name, "zhang");
    }

    #[test]
    fn a_condition_is_a_class() {
        let workload = workload(&[(600, 1), (3601, 33), (3601, 8)]);
        let vocabulary = Vocabulary::jobs(&batchlab_traces::Machine::pool(64).unwrap());
        let class = Class::of("wide", "run>1h and procs>32", &vocabulary).unwrap();
        assert_eq!(class.members(&workload), [false, true, false]);
        assert_eq!(class.definition, "run > 1h and procs > 32");
        let error = Class::of("late", "wait > 1h", &vocabulary).unwrap_err().to_string();
        assert!(error.contains("no recorded schedule"), "{error}");
    }

    #[test]
    fn zhangs_short_jobs_run_below_the_median_and_classes_of_accuracy_are_open_below() {
        // The median of 1, 3, 5 and 8 s is 4 s.
        let of = |preset: &str, runs: &[(i64, i64)]| -> Vec<String> {
            let job = |&(run, estimate): &(i64, i64)| PlainJob {
                estimate: Time::from_secs(estimate),
                user: 1,
                ..PlainJob::secs(0, run, vec![1])
            };
            let workload = Workload::from_jobs(&runs.iter().map(job).collect::<Vec<_>>());
            let preset = ClassPreset::find(preset).unwrap();
            workload.jobs().flat_map(|job| classes_of(preset, &workload, job)).collect()
        };
        let runs = [(1, 1), (8, 1), (5, 1), (3, 1)];
        assert_eq!(of("zhang-runtime", &runs), ["short", "long", "long", "short"]);
        assert_eq!(of("zhang-runtime", &runs[..3]), ["short", "long", "long"]);
        let accuracies = [(0, 100), (10, 100), (11, 100), (90, 100), (91, 100), (100, 100), (0, 0)];
        let classes = ["0", "0", "1", "8", "9", "9", "9"].map(|class| format!("accuracy-{class}"));
        assert_eq!(of("zhang-accuracy", &accuracies), classes);
    }

    #[test]
    fn limits_belong_to_the_lower_class() {
        let workload = workload(&[(600, 1), (3601, 33)]);
        assert_eq!(classes_of(ClassPreset::find("feitelson4x4").unwrap(), &workload, JobId(0)), ["VS-Seq"]);
        assert_eq!(classes_of(ClassPreset::find("feitelson4x4").unwrap(), &workload, JobId(1)), ["L-VW"]);
        assert_eq!(classes_of(&CLASS_PRESETS[0], &workload, JobId(1)), ["large"]);
    }
}
