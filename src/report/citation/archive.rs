//! Logs of the Parallel Workloads Archive: recognised by their names and hashes, and cited with year and authors.

use crate::experiment::Origin;

/// A log of the archive.
#[derive(Debug)]
struct ArchiveLog {
    /// The beginning of its files' names, without version.
    name: &'static str,
    /// What the archive calls it.
    title: &'static str,
    /// Who provided it, as its page in the archive or the header of its file says.
    authors: &'static str,
    /// The last part of the address of its page.
    page: &'static str,
    /// SHA-256 of known files, packed by gzip and unpacked.
    sha256: &'static [&'static str],
}

/// How a log was recognised, and what it is cited as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArchivedLog {
    /// Its title.
    pub title: String,
    /// Who provided it; empty if neither the archive's page nor the header is known to say it.
    pub authors: String,
    /// The year in which it begins.
    pub year: String,
    /// The address of its page, or of the archive.
    pub url: String,
    /// How it was recognised, in words.
    pub by: &'static str,
}

const ARCHIVE: &str = "https://www.cs.huji.ac.il/labs/parallel/workload/";

/// The logs whose pages in the archive, or whose headers, were read.
const LOGS: [ArchiveLog; 9] = [
    ArchiveLog {
        name: "NASA-iPSC-1993",
        title: "The NASA Ames iPSC/860 log",
        authors: "Nitzberg, Bill",
        page: "l_nasa_ipsc/",
        sha256: &[
            "5589ae9b2fb78e3bf92de097497cf33a91607de1ad54563e43533f7827597f29",
            "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
        ],
    },
    ArchiveLog {
        name: "LANL-CM5-1994",
        title: "The Los Alamos National Lab (LANL) CM-5 log",
        authors: "Canada, Curt",
        page: "l_lanl_cm5/",
        sha256: &[
            "71ff3dfa301b3ee1bd30ebc63c5363b5e8ec488e75f1f9398aa46d485ef23c3c",
            "4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a",
        ],
    },
    ArchiveLog {
        name: "SDSC-Par-1995",
        title: "The San Diego Supercomputer Center (SDSC) Paragon log",
        authors: "Moore, Reagan and Downey, Allen",
        page: "l_sdsc_par/",
        sha256: &[],
    },
    ArchiveLog {
        name: "CTC-SP2-1996",
        title: "The Cornell Theory Center (CTC) IBM SP2 log",
        authors: "Dwyer, Dan and Hotovy, Steve",
        page: "l_ctc_sp2/",
        sha256: &[],
    },
    ArchiveLog {
        name: "KTH-SP2-1996",
        title: "The Swedish Royal Institute of Technology (KTH) IBM SP2 log",
        authors: "Malinowsky, Lars",
        page: "l_kth_sp2/",
        sha256: &[
            "3e152f201fd2e96808a735bced6ea6eb0bb07fdc447689cafb0750d87b264c0b",
            "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
            "e87968886eef759e5164c13be9c1df1ab73bf00dec05d479106e43e746f98552",
            "df76b94e5f670db52179688a98deec3e1887d10adb39f96c900b8e92abb386ab",
        ],
    },
    ArchiveLog {
        name: "SDSC-SP2-1998",
        title: "The San Diego Supercomputer Center (SDSC) SP2 log",
        authors: "Hazlewood, Victor",
        page: "l_sdsc_sp2/",
        sha256: &[],
    },
    ArchiveLog {
        name: "SDSC-BLUE-2000",
        title: "The San Diego Supercomputer Center (SDSC) Blue Horizon log",
        authors: "Earheart, Travis and Wilkins-Diehr, Nancy",
        page: "l_sdsc_blue/",
        sha256: &[],
    },
    ArchiveLog {
        name: "ANL-Intrepid-2009",
        title: "The ANL Intrepid log",
        authors: "Coghlan, Susan and Desai, Narayan",
        page: "l_anl_int/",
        sha256: &[],
    },
    ArchiveLog {
        name: "RICC-2010",
        title: "The RIKEN Integrated Cluster of Clusters (RICC) log",
        authors: "Kurokawa, Motoyoshi",
        page: "l_ricc/",
        sha256: &[
            "38b7c5c9843d9a9f3d61a2d8b927f6d39b68b368fb713886b5f2ce3499f2ec82",
            "986a2a12df85adc3c2a2eb80a31b4ff9a056b92637526ee53fb70637b1bf0518",
        ],
    },
];

/// Recognises a log: by the hash of its file, by its name, or by a name like those that the archive gives its files.
pub(super) fn recognise(origin: &Origin) -> Option<ArchivedLog> {
    let file = origin.log.as_deref()?;
    let stem = file.strip_suffix(".gz").unwrap_or(file);
    let stem = stem.strip_suffix(".swf").unwrap_or(stem);
    let hash = origin.sha256.first().map_or("", String::as_str);
    let by_hash = LOGS.iter().find(|log| log.sha256.contains(&hash));
    let by_name = || LOGS.iter().find(|log| parts(stem).is_some_and(|(name, ..)| name == log.name));
    let known = |log: &ArchiveLog, by| ArchivedLog {
        title: log.title.into(),
        authors: log.authors.into(),
        year: year(log.name).unwrap_or_default().into(),
        url: format!("{ARCHIVE}{}", log.page),
        by,
    };
    if let Some(log) = by_hash {
        return Some(known(log, "Recognised by its SHA-256"));
    }
    if let Some(log) = by_name() {
        return Some(known(log, "Recognised by its name; the SHA-256 is not among those known here"));
    }
    // Other files of the archive: their names have a year and a version, and their headers name who provided them.
    let (name, version) = parts(stem).filter(|_| !origin.acknowledge.is_empty())?;
    let is_version = version.starts_with(|first: char| first.is_ascii_digit());
    is_version.then(|| ArchivedLog {
        title: format!("The log {name}"),
        authors: origin.acknowledge.iter().map(|whom| person(whom)).collect::<Vec<_>>().join(" and "),
        year: year(name).unwrap_or_default().into(),
        url: ARCHIVE.into(),
        by: "Recognised by the form of its name; authors are those of its header",
    })
}

/// Splits the name of a file of the archive, `SITE-SYSTEM-YEAR-VERSION`, into what is before the version and the version.
fn parts(stem: &str) -> Option<(&str, &str)> {
    let (at, _) = stem.match_indices('-').find(|(at, _)| year(&stem[..*at]).is_some())?;
    Some((&stem[..at], &stem[at + 1..]))
}

/// Returns the year at the end of a log's name.
fn year(name: &str) -> Option<&str> {
    let (site, year) = name.rsplit_once('-')?;
    let is_year = year.len() == 4
        && (year.starts_with("19") || year.starts_with("20"))
        && year.bytes().all(|byte| byte.is_ascii_digit());
    (is_year && !site.is_empty()).then_some(year)
}

/// Returns the name of a person without address and employer: "A. Person (person@site), Institute".
fn person(whom: &str) -> String {
    let name = whom.split(['(', ',', ';']).next().unwrap_or(whom);
    name.split_once(" from ").map_or(name, |(name, _)| name).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(file: &str, hash: &str, thanks: &[&str]) -> Option<ArchivedLog> {
        let acknowledge = thanks.iter().map(|whom| (*whom).to_owned()).collect();
        let sha256 = vec![hash.to_owned()];
        recognise(&Origin { log: Some(file.into()), sha256, acknowledge, ..Origin::default() })
    }

    #[test]
    fn logs_of_the_archive_are_recognised_by_name_and_by_hash() {
        let kth = of("KTH-SP2-1996-2.1-cln.swf.gz", "00", &[]).unwrap();
        assert_eq!((kth.authors.as_str(), kth.year.as_str()), ("Malinowsky, Lars", "1996"));
        assert!(kth.url.ends_with("/l_kth_sp2/") && kth.by.contains("by its name"), "{kth:?}");
        let renamed = of("kth.swf", LOGS[4].sha256[1], &[]).unwrap();
        assert_eq!((renamed.title, renamed.by), (kth.title, "Recognised by its SHA-256"));
        let other =
            of("HPC-Site-2007-1.1-cln.swf", "00", &["A. Person (p@site), Institute", "B. Else"]).unwrap();
        assert_eq!((other.authors.as_str(), other.year.as_str()), ("A. Person and B. Else", "2007"));
        assert_eq!(of("HPC-Site-2007-1.1-cln.swf", "00", &[]), None);
        assert_eq!(of("site-log.swf", "00", &["A. Person"]), None);
        assert_eq!(of("run-2024-final.swf", "00", &["A. Person"]), None);
    }

    #[test]
    fn every_known_log_has_a_year_and_whole_hashes() {
        for log in &LOGS {
            assert!(year(log.name).is_some() && !log.authors.is_empty(), "{log:?}");
            assert!(log.sha256.iter().all(|hash| hash.len() == 64), "{log:?}");
        }
    }
}
