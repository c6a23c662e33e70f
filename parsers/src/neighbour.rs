//! Recognises files of neighbouring programs, and files that are not logs, so that an error can say what to do.

use std::fmt;

/// A kind of file that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// What the file is.
    pub what: &'static str,
    /// What to do.
    pub advice: &'static str,
}

impl fmt::Display for Neighbour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.advice)
    }
}

/// How a kind is recognised.
struct Signs {
    /// Beginnings of the text, without blanks; one must fit.
    begins: &'static [&'static str],
    /// Further parts of the text; all must be present.
    contains: &'static [&'static str],
    neighbour: Neighbour,
}

const TABLE: &str = "write one job a line (number, submit time, run time, processors, requested time) with a heading, and \
    describe the columns in a mapping file: --mapping FILE.toml (`batchlab list formats gwf --mapping` prints one to start from)";

/// Run times are results of a simulation; statistics do not have the number of nodes, which only rigid jobs have in the workload.
const ELASTISIM: &str = "run times are not in the file: write its rigid jobs, sorted by submit time, beside the rows of ElastiSim's \
    job_statistics.csv (Makespan is the run time) as a table, and describe it in a mapping file: --mapping FILE.toml";

const PARQUET: &str = "build the program with the feature `parquet`, read it in Python, batchlab.Trace.read_parquet(FILE), or write it as \
    CSV, pandas.read_parquet(FILE).to_csv(\"jobs.csv\", index=False): the tables PM100 and F-DATA are known, for others describe the columns in \
    a mapping file: --mapping FILE.toml";

const fn signs(
    begins: &'static [&'static str],
    contains: &'static [&'static str],
    what: &'static str,
    advice: &'static str,
) -> Signs {
    Signs { begins, contains, neighbour: Neighbour { what, advice } }
}

/// The kinds, the more special ones first.
const KINDS: [Signs; 18] = [
    signs(
        &["{", "["],
        &["\"submit_time\"", "\"num_nodes\""],
        "a workload of ElastiSim (JSON), whose run times are computed from application models",
        ELASTISIM,
    ),
    signs(
        &["{", "["],
        &["\"submit_time\"", "\"application_model\""],
        "a workload of ElastiSim (JSON), whose run times are computed from application models",
        ELASTISIM,
    ),
    signs(&["{", "["], &["\"t_submit\""], "a list of jobs of Flux (`flux jobs --json`)", TABLE),
    signs(
        &["["],
        &["\"attempts\"", "\"submitted_time\"", "\"vc\""],
        "the job log of Microsoft's Philly traces (JSON)",
        TABLE,
    ),
    signs(
        &["{"],
        &["\"Jobs\"", "\"pbs_version\""],
        "the output of `qstat -f -F json`",
        "it has no ended jobs: give PBS's accounting logs, server_priv/accounting/YYYYMMDD",
    ),
    signs(
        &["Job Id:"],
        &["Job_Name ="],
        "the output of `qstat -f`",
        "it has no ended jobs: give PBS's accounting logs, server_priv/accounting/YYYYMMDD",
    ),
    signs(
        &["JOBID,", "JOBID\t", "JOBID ", "Job <"],
        &["USER", "STAT"],
        "the output of `bjobs`",
        "give LSF's accounting instead: the files lsb.acct",
    ),
    signs(
        &["Job <"],
        &["Submitted from host"],
        "the output of `bjobs -l` or `bhist`",
        "give LSF's accounting instead: the files lsb.acct",
    ),
    signs(
        &["\"JobID\",", "\"JobIDRaw\",", "\"jobid\",", "\"JobID\";", "\"JobID\"\t"],
        &[],
        "a table of sacct with names in quotes",
        "write it with sacct -P (columns between `|`, without quotes), or describe its columns in a mapping file: --mapping FILE.toml",
    ),
    signs(
        &["qname:", "==="],
        &["jobnumber"],
        "the output of `qacct -j`",
        "give Grid Engine's accounting file itself: $SGE_ROOT/default/common/accounting",
    ),
    signs(
        &["PartitionName=", "NodeName=", "ClusterName=", "SlurmctldHost=", "Configuration data as of"],
        &[],
        "a description of a Slurm installation, not of jobs",
        "give it to --slurm, beside a log: sacct -P, scontrol show job or squeue",
    ),
    signs(
        &["ReservationName="],
        &[],
        "the output of `scontrol show reservation`, not of jobs",
        "give it to --slurm, beside a log: sacct -P, scontrol show job or squeue",
    ),
    signs(&["PAR1"], &[], "a Parquet file", PARQUET),
    signs(&["SQLite format 3"], &[], "an SQLite database", TABLE),
    signs(
        &["version https://git-lfs.github.com/spec/"],
        &[],
        "a pointer of Git LFS, not the file",
        "fetch the file: git lfs pull",
    ),
    signs(
        &["<!DOCTYPE", "<!doctype", "<!Doctype", "<html", "<HTML", "<Html", "<head", "<HEAD"],
        &[],
        "a web page, not a log",
        "the address led to a page: download the file that it links to",
    ),
    signs(&["<?xml", "<"], &["</"], "a file of XML", TABLE),
    signs(&["%PDF-"], &[], "a PDF document, not a log", "download the log itself"),
];

/// Kinds that are only guessed. If a format refuses a file, the format's own error is more precise.
const GUESSES: [Signs; 3] = [
    signs(
        &["[machine]", "[[policy]]", "[experiment]", "[[workload]]", "name ="],
        &["="],
        "a file of TOML, not a log",
        "give a machine to --machine, a mapping to --mapping and an experiment to `batchlab run`",
    ),
    signs(
        &["{", "["],
        &["\":"],
        "JSON of a kind that is not read (sacct --json and squeue --json are)",
        TABLE,
    ),
    signs(
        &[
            "timestamp,",
            "JobId,",
            "JobID,",
            "JOBID,",
            "ClusterId,",
            "job_id,",
            "jobid,",
            "job id,",
            "id,",
            "job,",
            "Job,",
            "user,",
            "submit",
        ],
        &["\n"],
        "a table with a heading, whose columns are not known",
        "describe them in a mapping file: --mapping FILE.toml (`batchlab list formats openb --mapping` prints one to start from)",
    ),
];

/// The bytes in which signs are searched.
const MOST: usize = 64 << 10;

/// Whether a file begins as a page or another document of the web: markup, or PDF. No log does.
pub fn is_page(beginning: &[u8]) -> bool {
    let text = text_of(beginning);
    text.starts_with(b"<") || text.starts_with(b"%PDF-")
}

/// Returns what follows the byte order mark and white space.
fn text_of(beginning: &[u8]) -> &[u8] {
    beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning).trim_ascii_start()
}

/// Returns the kind of a file that begins with these bytes, if it is certainly a kind that is not read.
pub(crate) fn certain_neighbour(beginning: &[u8]) -> Option<Neighbour> {
    find(&KINDS, beginning)
}

/// Returns the kind of a file that begins with these bytes, if it is a known kind that is not read.
pub(crate) fn neighbour(beginning: &[u8]) -> Option<Neighbour> {
    certain_neighbour(beginning).or_else(|| find(&GUESSES, beginning))
}

fn find(kinds: &[Signs], beginning: &[u8]) -> Option<Neighbour> {
    let text = text_of(beginning);
    let text = &text[..text.len().min(MOST)];
    let contains = |sign: &&str| memchr::memmem::find(text, sign.as_bytes()).is_some();
    let begins = |sign: &&str| text.starts_with(sign.as_bytes());
    let fits = |signs: &&Signs| signs.begins.iter().any(begins) && signs.contains.iter().all(contains);
    kinds.iter().find(fits).map(|signs| signs.neighbour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_named() {
        let elastisim = r#"{"jobs": [{"type": "rigid", "submit_time": 0, "num_nodes": 2, "application_model": "a.json"}]}"#;
        for (text, word) in [
            (elastisim, "ElastiSim"),
            (" [{\"status\": 1}]", "JSON"),
            ("\"JobID\",\"User\"\n\"1\",\"ann\"\n", "sacct"),
            ("<html><body>", "web page"),
            ("PAR1\x15\x04", "Parquet"),
            ("PartitionName=a Nodes=b\n", "--slurm"),
            ("job_id,submit,start\n1,2,3\n", "mapping file"),
        ] {
            let found = neighbour(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert!(found.to_string().contains(word), "{text}: {found}");
        }
        assert_eq!(neighbour(b"1 2 3\n"), None);
    }
}
