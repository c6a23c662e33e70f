//! The tables with a shipped mapping file: one mapping and one entry each.

use std::sync::LazyLock;

use batchlab_traces::Header;

use super::likeness::likeness;
use super::mapping::Mapping;
use super::reader;
use crate::error::{ReadError, Result};
use crate::formats::FormatSpec;
use crate::pass::Pass;

/// Any table that the user describes.
pub const MAPPING: FormatSpec = FormatSpec {
    name: "mapping",
    summary: "any table with one job a line, described by a mapping file (--mapping FILE.toml)",
    cite: "the mapping file",
    looks_like: "lines of columns, as a mapping file describes them",
    likeness: |_| 0,
    read: read_mapped,
};

fn read_mapped(pass: &mut Pass<'_>) -> Result<Header> {
    read_described(pass, &MAPPING, "give a mapping file that describes its columns: --mapping FILE.toml")
}

/// Reads a table with the user's mapping; without one, returns the error `missing`.
pub(super) fn read_described(
    pass: &mut Pass<'_>,
    format: &'static FormatSpec,
    missing: &str,
) -> Result<Header> {
    match pass.options.mapping.clone() {
        Some(mapping) => reader::read(pass, &mapping, format),
        None => {
            let (name, why) = (pass.reporter.file.to_string(), missing.into());
            Err(ReadError::NeedsMapping { name, format: format.name, why })
        }
    }
}

/// Defines one module per table, each with its mapping file.
macro_rules! shipped {
    ($($(#[$doc:meta])+ $module:ident $name:literal {
        summary: $summary:literal,
        cite: $cite:literal,
        looks_like: $looks_like:literal,
    })+) => {
        $($(#[$doc])+
        pub mod $module {
            use super::{FormatSpec, Header, LazyLock, Mapping, Pass, Result, likeness, parsed, reader};

            /// The format's entry in [`crate::FORMATS`].
            pub const SPEC: FormatSpec = FormatSpec {
                name: $name,
                summary: $summary,
                cite: $cite,
                looks_like: $looks_like,
                likeness: |beginning| MAPPING.as_ref().map_or(0, |mapping| likeness(mapping, beginning)),
                read,
            };

            pub(super) const TEXT: &str = include_str!(concat!("mappings/", $name, ".toml"));

            static MAPPING: LazyLock<Option<Mapping>> = LazyLock::new(|| parsed(TEXT));

            fn read(pass: &mut Pass<'_>) -> Result<Header> {
                match (pass.options.mapping.clone(), &*MAPPING) {
                    (Some(own), _) => reader::read(pass, &own, &SPEC),
                    (None, Some(mapping)) => {
                        pass.refuse_other(&SPEC)?;
                        reader::read(pass, mapping, &SPEC)
                    }
                    (None, None) => super::read_described(pass, &SPEC, "its own mapping does not parse"),
                }
            }
        })+

        /// Returns the mapping file of a format that has one, as a starting point for a similar table.
        pub fn mapping_file(format: &str) -> Option<&'static str> {
            let files = [$(($name, $module::TEXT),)+ (super::paragon::SPEC.name, super::paragon::TEXT)];
            files.into_iter().find(|(name, _)| *name == format).map(|(_, text)| text)
        }
    };
}

fn parsed(text: &str) -> Option<Mapping> {
    text.parse().ok()
}

/// Whether a format is a table for which the user can give a mapping.
pub fn takes_mapping(format: &str) -> bool {
    format == MAPPING.name || mapping_file(format).is_some()
}

shipped! {
    /// Grid Workloads Format.
    gwf "gwf" {
        summary: "Grid Workloads Format: 29 columns, epoch seconds",
        cite: "A. Iosup et al., \"The Grid Workloads Archive\", Future Generation Computer Systems 24(7), 2008",
        looks_like: "comments that begin with `#`, and lines of 29 columns separated by blanks",
    }
    /// Workload traces of the Maui scheduler.
    maui "maui" {
        summary: "Maui scheduler workload trace: 44 columns, epoch seconds",
        cite: "Maui Administrator's Guide, section 16.3, \"Workload Trace\"",
        looks_like: "lines of 44 columns separated by blanks, a class such as `[batch:1]` in the eighth",
    }
    /// CERIT-SC 2013, as published for the Alea simulator.
    cerit "cerit" {
        summary: "CERIT-SC 2013: SWF with epochs, memory in bytes, hosts and node specifications",
        cite: "D. Klusacek and S. Toth, \"On Interactions among Scheduling Policies\", Euro-Par 2014 (Alea's data sets)",
        looks_like: "lines of 21 columns separated by blanks, hosts in braces in the 19th",
    }
    /// CERIT-SC with soft walltimes.
    cerit_walltime "cerit-walltime" {
        summary: "CERIT-SC log with soft walltimes: 10 columns",
        cite: "JSSPP workshop, workload collection (jsspp.org)",
        looks_like: "lines of 10 columns separated by blanks, the second of them epoch seconds",
    }
    /// The log of the Czech national grid of 2009.
    metacentrum "metacentrum" {
        summary: "MetaCentrum 2009: 13 columns between tabs",
        cite: "Parallel Workloads Archive, log METACENTRUM-2009-0",
        looks_like: "lines of 13 columns between tabs, epoch seconds from the eighth on",
    }
    /// Workloads of the Slurm simulator.
    slurmsim_swf "slurmsim-swf" {
        summary: "Slurm simulator workload: the fields of SWF between semicolons, with names",
        cite: "N. A. Simakov et al., \"A Slurm Simulator: Implementation and Parametric Analysis\", PMBS 2017",
        looks_like: "lines of 18 fields, each with a semicolon behind it",
    }
    /// Schedules of the simulator Batsim.
    batsim_jobs "batsim-jobs" {
        summary: "schedule of the simulator Batsim, as evalys reads it: PREFIX_jobs.csv",
        cite: "Batsim 4.1, src/export.cpp; evalys 4 (`JobSet.from_csv`)",
        looks_like: "a heading `job_id,workload_name,profile,submission_time,requested_number_of_resources,...`",
    }
    /// Jobs of Marconi100.
    pm100 "pm100" {
        summary: "PM100: jobs of Marconi100 in 2020, its Parquet table as CSV",
        cite: "F. Antici et al., \"PM100: A Job Power Consumption Dataset of a Large-scale Production HPC System\", SC 2023 workshops",
        looks_like: "a heading with `num_cores_req`, `num_gpus_req`, `mem_req` and `time_limit`",
    }
    /// Jobs of Fugaku.
    f_data "f-data" {
        summary: "F-DATA: jobs of Fugaku from 2021 to 2024, its Parquet tables as CSV",
        cite: "F. Antici et al., \"F-DATA: A Fugaku Workload Dataset for Job-centric Predictive Modelling in HPC Systems\", Scientific Data 12, 2025",
        looks_like: "a heading with `jid`, `usr`, `cnumr`, `adt`, `sdt` and `elpl`",
    }
    /// Alibaba's GPU cluster trace of 2023.
    openb "openb" {
        summary: "Alibaba GPU trace 2023: the table of pods (CSV)",
        cite: "Q. Weng et al., \"Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent\", USENIX ATC 2023",
        looks_like: "a heading `name,cpu_milli,memory_mib,num_gpu,...` and lines of 11 columns between commas",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FORMATS;

    #[test]
    fn every_shipped_mapping_parses() {
        for spec in FORMATS {
            let Some(text) = mapping_file(spec.name) else { continue };
            if spec.name == crate::table::paragon::SPEC.name {
                continue;
            }
            if let Err(error) = text.parse::<Mapping>() {
                panic!("{}.toml, {error}", spec.name);
            }
        }
    }
}
