//! Experiments: workloads × parameters × policies × units of inference, from one file.
//!
//! Each [`Section`] of the file is read as the keys that are declared of it ([`keys`]), and all into an [`Experiment`].
//! An [`ExperimentPlan`] lists its single replays, each with a key; an [`Execution`] runs them on several threads; a
//! [`Frame`] holds the results. Workloads come from a [`Loader`], which the command line implements: the library opens no
//! files that a user names.
//!
//! A task is one replay, with a *key*: a hash of everything that determines its result (program version, files, options,
//! unit, seed, policy, measurement). Labels, tables, plots and the number of replications are not part of it. A replay
//! with known results is never run again. The seed of a unit comes from the seed of the experiment, the name of the
//! workload and the number of the unit, so every policy at every point uses common random numbers.
//!
//! A unit is loaded by the first task that needs it and dropped by the last, so memory does not grow with the number of
//! tasks. When all results are in the journal, `results.csv` is written in the order of the plan, so that results do not
//! depend on threads, interruptions and shards. If replays failed, the journal stays.

pub mod checksums;
pub mod definition;
pub mod detail;
pub mod execute;
pub mod file_name;
pub mod folder;
pub mod frame;
pub mod inputs;
pub mod journal;
pub mod keys;
pub mod loader;
pub mod lock;
pub mod log_folders;
pub mod manifest;
pub mod measuring;
pub mod origin;
pub mod plan;
pub mod profile;
pub mod results;
pub mod section;
pub mod slurm;
pub mod stated;
pub mod sweep;
pub mod workload;

pub use definition::{Experiment, MeasureText, PolicyText};
pub use execute::{Done, Execution, Failed, Sink};
pub use folder::{Folder, FolderError};
pub use frame::{
    AbsentPolicy, DesignPoint, EVERY, Frame, FrameRow, Measure, Parameter, PolicyFacts, STARTS, UnitKind,
    WorkloadFacts,
};
pub use inputs::InputFile;
pub use keys::SectionSpec;
pub use loader::{Loaded, Loader, Survey};
pub use log_folders::LogFolders;
pub use manifest::{Manifest, Planned};
pub use measuring::{Measures, Measuring, UnitRow};
pub use origin::Origin;
pub use plan::{Batch, ExperimentPlan, PlanError, ReplayPlace, Task};
pub use profile::{profile_names, with_profile};
pub use section::{ExperimentError, Section};
pub use stated::{Stated, WorkloadCondition, lines as condition_lines, words as condition_words};
pub use sweep::{PaperReading, Sweep};
pub use workload::{Cut, JobSource, WorkloadSpec};
