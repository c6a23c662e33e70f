//! Tests that logs are recognised by their content: SWF of any number of columns, and the separators of Slurm's tables.

use batchlab_parsers::{Input, Options, ReadError, detect, format, read_trace};
use batchlab_traces::{Field, Trace};

use crate::helpers::column;

/// Forty jobs of `columns` columns: submit times every minute from `zero`, sizes in fields 5 and 8.
fn swf(columns: usize, separator: &str, zero: i64, header: &str) -> String {
    let line = |job: i64| {
        let (submit, procs) = (zero + 60 * job, 1 << (job % 5));
        let fields = [job, submit, -1, 600 + job, procs, -1, -1, procs, 3600, -1, 1, job % 3 + 1, 1, -1, 1];
        let fields = fields.into_iter().chain(std::iter::repeat(-1)).take(columns);
        fields.map(|field| field.to_string()).collect::<Vec<_>>().join(separator) + "\n"
    };
    header.to_owned() + &(1..=40).map(line).collect::<String>()
}

fn read(text: &str) -> Result<Trace, ReadError> {
    read_trace(Input::from_bytes("log", text.to_owned()), &Options::default())
}

#[test]
fn swf_is_known_by_its_content_whatever_its_number_of_columns() {
    for columns in 4..=31 {
        for separator in [" ", "\t", "   "] {
            for zero in [0, 1_300_000_000] {
                for header in ["", "; MaxProcs: 64\n", "; MaxNodes : 64\n; Version: 2.2\n", "; a remark\n"] {
                    let text = swf(columns, separator, zero, header);
                    let what = format!("{columns} columns, {separator:?}, from {zero}, {header:?}");
                    assert_eq!(detect(text.as_bytes()).map(|spec| spec.name), Some("swf"), "{what}");
                    for named in [None, format("swf")] {
                        let options = Options { format: named, ..Options::default() };
                        let trace = read_trace(Input::from_bytes("log", text.clone()), &options);
                        assert_eq!(trace.map(|trace| trace.len()).ok(), Some(40), "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn ten_columns_with_words_are_those_of_cerit_and_without_them_what_the_user_says() {
    let words = "1 1300000000 10 60 4 1024,5 ann q_1d 3600 -1\n2 1300000060 0 60 4 1024,5 bob q_1d 3600 -1\n";
    assert_eq!(detect(words.as_bytes()).map(|spec| spec.name), Some("cerit-walltime"));
    let numbers = swf(10, " ", 1_300_000_000, "");
    let options = Options { format: format("cerit-walltime"), ..Options::default() };
    let trace = read_trace(Input::from_bytes("log", numbers.clone()), &options).unwrap();
    assert_eq!(trace.len(), 40);
    // A header settles it.
    let headed = Input::from_bytes("log", format!("; MaxProcs: 64\n{numbers}"));
    let refused = read_trace(headed, &options).unwrap_err().to_string();
    assert!(refused.ends_with("read it with --from swf"), "{refused}");
}

/// What `sacct` prints of two jobs and a step.
const SACCT: [&str; 4] = [
    "JobID|User|Partition|Submit|Start|End|Elapsed|State|AllocCPUS|JobName",
    "10|ann|main|2025-03-03T10:00:00|2025-03-03T10:05:00|2025-03-03T10:15:00|00:10:00|COMPLETED|4|alpha",
    "10.batch||| 2025-03-03T10:05:00|2025-03-03T10:05:00|2025-03-03T10:15:00|00:10:00|COMPLETED|4|batch",
    "11|bob|main|2025-03-03T10:01:00|2025-03-03T10:06:00|2025-03-03T10:26:00|00:20:00|TIMEOUT|8|be ta",
];

#[test]
fn sacct_is_read_with_any_separator_that_its_values_do_not_contain() {
    for separator in ["|", "\t", "@", "@@", "^", "^|^", ";", ",", "\x1f", "~", "#", "&|&", " | ", "\u{a7}"] {
        let text = SACCT.join("\n").replace('|', separator) + "\n";
        let trace = read(&text).unwrap_or_else(|error| panic!("{separator:?}: {error}"));
        assert_eq!(trace.provenance.source.format, "sacct", "{separator:?}");
        assert_eq!(column(&trace, Field::Run), [600, 1200], "{separator:?}");
        assert_eq!(column(&trace, Field::Allocated), [4, 8], "{separator:?}");
    }
}

#[test]
fn rows_without_a_heading_show_their_separator_too() {
    let columns = Some(SACCT[0].replace('|', ","));
    for separator in ["|", "\t", "@@"] {
        let text = SACCT[1..].join("\n").replace('|', separator) + "\n";
        let options = Options { format: format("sacct"), columns: columns.clone(), ..Options::default() };
        let trace = read_trace(Input::from_bytes("log", text), &options).unwrap();
        assert_eq!((trace.len(), trace.get(1, Field::Run).truncated()), (2, 1200), "{separator:?}");
    }
}

#[test]
fn separators_that_values_contain_are_refused_by_their_names() {
    let colons = SACCT.join("\n").replace('|', ":");
    let error = read(&colons).unwrap_err().to_string();
    assert!(error.contains("separated by `:`") && error.contains("sacct -P"), "{error}");
    let commas = "JobID,Submit,Start,End,AllocTRES\n1,2025-03-03T10:00:00,2025-03-03T10:05:00,2025-03-03T10:15:00,cpu=4,mem=4G\n";
    let error = read(commas).unwrap_err().to_string();
    assert!(error.contains("`,`") && error.contains("AllocTRES"), "{error}");
}

#[test]
fn squeue_is_read_with_the_separator_of_its_heading() {
    let text = "JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NAME\n\
        7|ann|RUNNING|2025-03-03T10:00:00|2025-03-03T10:05:00|5:00|1:00:00|4|x\n\
        8|bob|PENDING|2025-03-03T10:01:00|N/A|0:00|1:00:00|8|y\n";
    for separator in ["|", "\t", ";", "@@"] {
        let trace =
            read(&text.replace('|', separator)).unwrap_or_else(|error| panic!("{separator:?}: {error}"));
        let format = trace.provenance.source.format.clone();
        assert_eq!((trace.len(), format.as_str()), (2, "squeue"), "{separator:?}");
        assert_eq!(trace.get(1, Field::Requested).truncated(), 8, "{separator:?}");
    }
}
