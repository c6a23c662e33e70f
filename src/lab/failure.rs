use std::{fmt, io};

use batchlab_parsers::{PlaceError, ReadError};
use batchlab_policies::external::LoadError;
use batchlab_policies::registry::SpecError;
use batchlab_policies::spec::BuildError;
use batchlab_slurm::reader::SystemError;
use batchlab_traces::Refusal;
use batchlab_traces::capacity::Unsuited;
use batchlab_traces::clean::RulesError;
use batchlab_traces::limits::LimitsError;
use batchlab_traces::machine::{ChoiceError, MachineError, MachineFileError};
use batchlab_traces::models::ModelError;
use batchlab_traces::shape::ShapeError;
use batchlab_traces::workload::ReadingError;

use crate::catalogue::CatalogueError;
use crate::info::columns::UnknownColumn;
use crate::metrics::{OutcomeMismatch, UnknownClasses, UnknownMetric};
use crate::outcome::StopError;
use crate::replay::capability::Unmet;
use crate::replay::comparison::ComparisonError;
use crate::replay::engine::ReplayError;
use crate::schedule::{ScheduleError, UnknownScheduleColumn};
use crate::table::UnknownFormat;

/// The reason why a verb failed, with its exit code.
#[derive(Debug)]
pub enum Failure {
    /// 1: a check failed; the failure has been printed.
    Check(String),
    /// 2: wrong usage.
    Usage(String),
    /// 3: the input cannot be used.
    Input(String),
    /// 3: the input has no job to replay.
    NoJobs(String),
    /// 4: a policy or plug-in misbehaved.
    Policy(String),
    /// 130: the caller asked to abandon the work.
    Interrupted(String),
    ClosedPipe,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Check(text)
            | Failure::Usage(text)
            | Failure::Input(text)
            | Failure::NoJobs(text)
            | Failure::Policy(text)
            | Failure::Interrupted(text) => f.write_str(text),
            Failure::ClosedPipe => Ok(()),
        }
    }
}

impl Failure {
    pub fn code(&self) -> u8 {
        match self {
            Failure::ClosedPipe => 0,
            Failure::Check(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Input(_) | Failure::NoJobs(_) => 3,
            Failure::Policy(_) => 4,
            Failure::Interrupted(_) => 130,
        }
    }

    /// Returns the same failure with text appended to its message.
    #[must_use]
    pub fn with(self, words: &str) -> Failure {
        match self {
            Failure::Check(text) => Failure::Check(text + words),
            Failure::Usage(text) => Failure::Usage(text + words),
            Failure::Input(text) => Failure::Input(text + words),
            Failure::NoJobs(text) => Failure::NoJobs(text + words),
            Failure::Policy(text) => Failure::Policy(text + words),
            Failure::Interrupted(text) => Failure::Interrupted(text + words),
            Failure::ClosedPipe => Failure::ClosedPipe,
        }
    }

    /// Returns the failure to write a file; a closed pipe is not a failure.
    pub fn writing(path: &str, error: io::Error) -> Failure {
        match Failure::from(error) {
            Failure::Input(error) if path == "-" => {
                Failure::Input(format!("cannot write to standard output: {error}"))
            }
            Failure::Input(error) => Failure::Input(format!("cannot write {path}: {error}")),
            other => other,
        }
    }
}

impl From<ChoiceError> for Failure {
    fn from(error: ChoiceError) -> Failure {
        match error {
            ChoiceError::Reading(error) => error.into(),
            other => Failure::Usage(other.to_string()),
        }
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Failure {
        if error.is_usage() { Failure::Usage(error.to_string()) } else { Failure::Input(error.to_string()) }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<ComparisonError> for Failure {
    fn from(error: ComparisonError) -> Failure {
        match error {
            ComparisonError::Unmet(error) => error.into(),
            ComparisonError::Build(error) => error.into(),
            ComparisonError::Replay(error) => error.into(),
            ComparisonError::Measure(error) => error.into(),
        }
    }
}

/// A spec is wrong, a file is invalid, or a plug-in misbehaves.
impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Failure {
        let text = error.to_string();
        match error {
            _ if error.is_fault() => Failure::Policy(text),
            SpecError::Load(LoadError::Missing { .. } | LoadError::Foreign { .. }) => Failure::Input(text),
            _ => Failure::Usage(text),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        match error {
            BuildError::Fault { .. } => Failure::Policy(error.to_string()),
            _ => Failure::Usage(error.to_string()),
        }
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Failure {
        match error {
            ReplayError::Interrupted { .. } => Failure::Interrupted(error.to_string()),
            _ => Failure::Policy(error.to_string()),
        }
    }
}

impl From<ReadingError> for Failure {
    fn from(error: ReadingError) -> Failure {
        match error {
            ReadingError::NoJobs { .. } => Failure::NoJobs(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<Unsuited> for Failure {
    fn from(error: Unsuited) -> Failure {
        match error {
            Unsuited::File(_) => Failure::Usage(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<CatalogueError> for Failure {
    fn from(error: CatalogueError) -> Failure {
        if error.is_usage() { Failure::Usage(error.to_string()) } else { Failure::Input(error.to_string()) }
    }
}

impl From<LimitsError> for Failure {
    fn from(error: LimitsError) -> Failure {
        match error {
            LimitsError::File(_) => Failure::Usage(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

/// Maps error types to exit codes, one line each.
macro_rules! ends_with {
    ($($error:ty => $failure:ident),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::$failure(error.to_string())
            }
        })+
    };
}

ends_with! {
    ReadError => Input,
    PlaceError => Input,
    Refusal => Input,
    SystemError => Input,
    ScheduleError => Input,
    Unmet => Input,
    StopError => Usage,
    MachineError => Usage,
    MachineFileError => Usage,
    ModelError => Usage,
    RulesError => Usage,
    UnknownMetric => Usage,
    UnknownScheduleColumn => Usage,
    UnknownClasses => Usage,
    UnknownFormat => Usage,
    UnknownColumn => Usage,
    OutcomeMismatch => Input,
}

#[cfg(test)]
mod tests {
    use batchlab_traces::reading::{Estimate, Reading};
    use batchlab_traces::workload::machine_size;
    use batchlab_traces::{Findings, Machine, Time, Trace};

    use super::*;
    use crate::Registry;

    fn code(failure: impl Into<Failure>) -> u8 {
        failure.into().code()
    }

    #[test]
    fn every_failure_has_its_code() {
        let words = String::new;
        assert_eq!(Failure::Check(words()).code(), 1);
        assert_eq!(Failure::Usage(words()).code(), 2);
        assert_eq!(Failure::Input(words()).code(), 3);
        assert_eq!(Failure::Policy(words()).code(), 4);
        assert_eq!(Failure::ClosedPipe.code(), 0);
    }

    #[test]
    fn what_the_user_typed_is_2_what_the_log_holds_is_3_what_a_policy_does_is_4() {
        let registry = Registry::builtin();
        assert_eq!(code(registry.choose("esay").unwrap_err()), 2);
        assert_eq!(code(registry.choose("easy:order=").unwrap_err()), 2);
        assert_eq!(code(BuildError::Unfit("it needs nodes".into())), 2);
        assert_eq!(code(ComparisonError::Build(BuildError::Unfit("it needs nodes".into()))), 2);
        assert_eq!(code(Machine::pool(0).unwrap_err()), 2);
        assert_eq!(code(UnknownFormat { given: "xml".into() }), 2);
        let reading = Reading { estimate: Estimate::Actual, ..Reading::default() };
        let unknown = machine_size(&Trace::default(), &reading, &mut Findings::lenient());
        assert_eq!(code(unknown.unwrap_err()), 3);
        assert_eq!(code(ScheduleError::Column("end")), 3);
        let stuck = ReplayError::Stuck { policy: "idle".into(), waiting: 1, first: 1 };
        assert_eq!(code(stuck.clone()), 4);
        assert_eq!(code(ComparisonError::Replay(stuck)), 4);
        let endless = ReplayError::Endless { policy: "idle".into(), at: Time::ZERO, decisions: 9 };
        assert_eq!(code(endless), 4);
    }

    #[test]
    fn what_cannot_be_written_is_named_unless_nobody_reads_it() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(Failure::writing("a.csv", full()).to_string().starts_with("cannot write a.csv: "));
        assert!(Failure::writing("-", full()).to_string().starts_with("cannot write to standard output: "));
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!((code(full()), code(closed()), Failure::writing("-", closed()).code()), (3, 0, 0));
    }
}
