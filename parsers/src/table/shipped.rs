//! The tables that are described here: a mapping file and an entry each.

use std::sync::LazyLock;

use batchlab_traces::Header;

use super::likeness::likeness;
use super::mapping::Mapping;
use super::reader;
use crate::error::ReadError;
use crate::format::FormatSpec;
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

fn read_mapped(pass: &mut Pass<'_>) -> Result<Header, ReadError> {
    read_described(pass, &MAPPING, "a mapping file says what its columns are: --mapping FILE.toml")
}

/// Reads a table as the user's mapping describes it; without one, says what it should describe.
pub(super) fn read_described(
    pass: &mut Pass<'_>,
    format: &'static FormatSpec,
    missing: &str,
) -> Result<Header, ReadError> {
    match pass.options.mapping.clone() {
        Some(mapping) => reader::read(pass, &mapping, format),
        None => {
            let (name, why) = (pass.desk.file.to_string(), missing.into());
            Err(ReadError::NeedsMapping { name, format: format.name, why })
        }
    }
}

/// Defines one table a module, each with its mapping file.
macro_rules! shipped {
    ($($(#[$doc:meta])+ $module:ident $name:literal {
        summary: $summary:literal,
        cite: $cite:literal,
        looks_like: $looks_like:literal,
    })+) => {
        $($(#[$doc])+
        pub mod $module {
            use super::{FormatSpec, Header, LazyLock, Mapping, Pass, ReadError, likeness, parsed, reader};

            /// The format's entry in [`crate::FORMATS`].
            pub const SPEC: FormatSpec = FormatSpec {
                name: $name,
                summary: $summary,
                cite: $cite,
                looks_like: $looks_like,
                likeness: |beginning| MAPPING.as_ref().map_or(0, |mapping| likeness(mapping, beginning)),
                read,
            };

            /// The mapping file.
            pub(super) const TEXT: &str = include_str!(concat!("mappings/", $name, ".toml"));

            static MAPPING: LazyLock<Option<Mapping>> = LazyLock::new(|| parsed(TEXT));

            fn read(pass: &mut Pass<'_>) -> Result<Header, ReadError> {
                match (pass.options.mapping.clone(), &*MAPPING) {
                    (Some(own), _) => reader::read(pass, &own, &SPEC),
                    (None, Some(mapping)) => reader::read(pass, mapping, &SPEC),
                    (None, None) => super::read_described(pass, &SPEC, "its own mapping does not parse"),
                }
            }
        })+

        /// Returns the mapping file of a format that has one: the one to begin with for a table much like it.
        pub fn mapping_file(format: &str) -> Option<&'static str> {
            let files = [$(($name, $module::TEXT),)+ (super::paragon::SPEC.name, super::paragon::TEXT)];
            files.into_iter().find(|(name, _)| *name == format).map(|(_, text)| text)
        }
    };
}

/// A shipped mapping: a test sees to it that all of them parse.
fn parsed(text: &str) -> Option<Mapping> {
    text.parse().ok()
}

/// Whether a format is a table, which a mapping of the user's describes.
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
