//! Experiments: workloads × parameters × policies × units of inference, from one file.
//!
//! A [`Section`] reads the file key by key into an [`Experiment`]. An [`ExperimentPlan`] lists its single
//! replays, each with a key; an [`Execution`] runs them on several threads; a [`Frame`] holds the results.
//! Workloads come from a [`Loader`], which the command line implements: the library opens no files that a
//! user names.

pub mod checksums;
pub mod definition;
pub mod detail;
pub mod execute;
pub mod file_name;
pub mod folder;
pub mod frame;
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
pub use frame::{DesignPoint, Frame, FrameRow, Measure, Parameter, PolicyFacts, UnitKind, WorkloadFacts};
pub use keys::SectionSpec;
pub use loader::{Loaded, Loader, Survey};
pub use log_folders::LogFolders;
pub use manifest::{Manifest, Planned};
pub use measuring::{Measures, Measuring, UnitRow};
pub use origin::Origin;
pub use plan::{Batch, Entry, ExperimentPlan, PlanError, Task};
pub use profile::{profile_names, with_profile};
pub use section::{ExperimentError, Section, Sheet};
pub use stated::{Stated, lines as condition_lines};
pub use sweep::{Reading, Sweep};
pub use workload::{Cut, Source, WorkloadSpec};
