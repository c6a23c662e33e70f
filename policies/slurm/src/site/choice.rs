//! The choice of the machine on which a log is replayed, if a Slurm installation may describe it.

use batchlab_traces::machine::{ChoiceError, Described, MachineChoice};
use batchlab_traces::workload::MEMORY;
use batchlab_traces::{Findings, Header, Machine, Reading, Trace};

use super::{Installation, SlurmSystem};

/// The requested machine: the machine of an installation, or a machine that is chosen without an installation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteChoice {
    /// A Slurm installation, instead of a size or a machine file.
    pub slurm: Option<Installation>,
    /// What is requested besides.
    pub plain: MachineChoice,
}

impl SiteChoice {
    /// Returns the machine for a log; the findings about the files of the installation are reported with it.
    pub fn machine(
        &self,
        trace: &Trace,
        reading: &Reading,
        findings: &mut Findings,
    ) -> Result<Machine, ChoiceError> {
        let Some(installation) = &self.slurm else { return self.plain.machine(trace, reading, findings) };
        findings.extend(installation.findings.clone());
        self.plain.described(&*installation.system, trace, findings)
    }
}

impl Described for SlurmSystem {
    fn machine(&self, header: &Header) -> Result<Machine, ChoiceError> {
        Ok(SlurmSystem::machine(self, header)?)
    }

    fn lacks(&self, resource: &str) -> Option<&'static str> {
        // Slurm allocates memory only if SelectTypeParameters says so, and licences belong to no node.
        let is_known = resource == MEMORY && !self.select.memory || self.has_licence(resource);
        (!is_known).then_some("no node of slurm.conf has it")
    }
}
