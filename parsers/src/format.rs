//! The formats that can be read: one file and one line here for each.

use crate::formats::Formats;
pub use crate::formats::{FormatSpec, LIKELY, SURE, share_of_lines};

/// All built-in formats; of equal likeness, the first is chosen.
pub static FORMATS: &[FormatSpec] = &[
    crate::swf::SPEC,
    crate::swf::csv::SPEC,
    crate::slurm::SACCT,
    crate::slurm::SACCT_JSON,
    crate::slurm::JOBCOMP,
    crate::slurm::SHOW_JOB,
    crate::slurm::SQUEUE,
    crate::slurm::SQUEUE_JSON,
    crate::pbs::SPEC,
    crate::pbs::COBALT,
    crate::lsf::SPEC,
    crate::sge::SPEC,
    crate::sge::UNIVA,
    crate::batsim::SPEC,
    crate::table::shipped::batsim_jobs::SPEC,
    crate::nas::SPEC,
    crate::sdsc::joblog::SPEC,
    crate::sdsc::blue::SPEC,
    crate::table::shipped::gwf::SPEC,
    crate::table::shipped::maui::SPEC,
    crate::table::shipped::cerit::SPEC,
    crate::table::shipped::cerit_walltime::SPEC,
    crate::table::shipped::metacentrum::SPEC,
    crate::table::shipped::slurmsim_swf::SPEC,
    crate::table::shipped::pm100::SPEC,
    crate::table::shipped::f_data::SPEC,
    crate::table::shipped::openb::SPEC,
    crate::table::paragon::SPEC,
    crate::table::MAPPING,
];

impl Formats {
    /// Returns the built-in formats.
    pub fn builtin() -> Formats {
        Formats::of(FORMATS)
    }
}

impl Default for Formats {
    fn default() -> Formats {
        Formats::builtin()
    }
}

/// Returns the built-in format of a name.
pub fn format(name: &str) -> Option<&'static FormatSpec> {
    Formats::builtin().named(name)
}

/// Returns the built-in format that a file beginning with these (unpacked) bytes looks most like, if it is likely.
pub fn detect(beginning: &[u8]) -> Option<&'static FormatSpec> {
    Formats::builtin().detect(beginning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_described_and_found_by_its_name() {
        for spec in FORMATS {
            assert!(![spec.summary, spec.cite, spec.looks_like].contains(&""), "{}", spec.name);
            assert_eq!(format(&spec.name.to_uppercase()).map(|found| found.name), Some(spec.name));
        }
    }

    #[test]
    fn files_that_are_not_logs_are_not_detected() {
        for other in [&b""[..], b"<html>\n<body>1 2 3</body>", b"\xff\xd8\xff\xe0\x00\x10JFIF", b"a,b\n1,2\n"]
        {
            assert!(detect(other).is_none(), "{other:?}");
        }
    }
}
