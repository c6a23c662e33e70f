//! Versions of Slurm, whose defaults differ.

use std::fmt;

/// A version, such as 22.05.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlurmVersion {
    /// Year since 2000.
    pub year: u16,
    pub month: u16,
}

/// The version that is assumed if no file states one: the newest whose rules this program follows.
impl Default for SlurmVersion {
    fn default() -> SlurmVersion {
        SlurmVersion { year: 25, month: 5 }
    }
}

impl SlurmVersion {
    /// Reads `22.05.8` or `slurm 22.05`; `None` if the text is no version.
    pub fn parse(text: &str) -> Option<SlurmVersion> {
        let text = text.trim().trim_start_matches("slurm").trim();
        let mut parts = text.split(['.', '-']);
        let mut next = || parts.next()?.parse::<u16>().ok();
        let (year, month) = (next()?, next()?);
        ((2..=99).contains(&year) && (1..=12).contains(&month)).then_some(SlurmVersion { year, month })
    }

    /// Whether this version is the given one or a later one.
    pub fn from(self, year: u16, month: u16) -> bool {
        self >= SlurmVersion { year, month }
    }
}

impl fmt::Display for SlurmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.year, self.month)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_year_and_month() {
        let version = |text| SlurmVersion::parse(text).unwrap();
        assert_eq!(version("22.05.8").to_string(), "22.05");
        assert!(version("23.11.1") > version("23.02.7") && version("slurm 20.11").from(20, 11));
        for wrong in ["", "slurm", "22", "22.13", "22.x"] {
            assert_eq!(SlurmVersion::parse(wrong), None, "{wrong}");
        }
    }
}
