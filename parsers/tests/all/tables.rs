//! Any table, any mapping file: nothing panics, no record is lost, written traces read back the same.

use std::sync::Arc;

use batchlab_parsers::table::mapping_file;
use batchlab_parsers::{Input, Mapping, Options, ReadError, format, read_trace, swf};
use batchlab_traces::header::{ColumnScope, Named, ResourceDeclaration};
use batchlab_traces::provenance::Source;
use batchlab_traces::trace::TraceBuilder;
use batchlab_traces::{Field, Findings, Header, Record, RecordSink, Trace};
use proptest::prelude::*;

use crate::helpers::{column, content as rows};
use crate::samples::samples;

const FORMATS: [&str; 13] = [
    "nas",
    "sdsc-joblog",
    "sdsc-blue",
    "gwf",
    "maui",
    "cerit",
    "cerit-walltime",
    "metacentrum",
    "slurmsim-swf",
    "openb",
    "sdsc-paragon",
    "mapping",
    "swf",
];

fn again(trace: &Trace) -> Result<Trace, ReadError> {
    let mut bytes = Vec::new();
    swf::write(trace, &mut bytes).unwrap();
    read_trace(Input::from_bytes("again", bytes), &Options { format: format("swf"), ..Options::default() })
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    let strange = prop::sample::select(b"\0\n\r\t ;,.-+:/#\"eE0189x\xff{}[]".to_vec());
    prop::collection::vec((any::<prop::sample::Index>(), strange, 0..3_u8), 0..16)
}

fn changed(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    for (at, byte, how) in changes {
        let at = at.index(bytes.len());
        match how {
            0 => bytes[at] = *byte,
            1 => bytes.insert(at, *byte),
            // An empty file is not a changed sample.
            _ if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => {}
        }
    }
    bytes
}

/// A mapping that uses most features, for tables with any separator.
fn mapping(separator: &str) -> Arc<Mapping> {
    let text = format!(
        "separator = \"{separator}\"\nquoted = true\ncomment = [\"#\"]\nzone = \"Europe/Stockholm\"\ncolumn = [\n\
         {{ at = 1, to = \"job\" }}, {{ at = 2, to = \"submit\" }}, {{ at = 3, to = \"start\", format = \"iso\" }},\n\
         {{ at = 4, to = \"end\", format = \"%d.%m.%Y %H:%M\", span = 2 }}, {{ at = 6, to = \"run\", unit = \"clock\" }},\n\
         {{ at = 7, to = \"cpu\", per = \"job\", unit = \"d\", factor = 1e8 }},\n\
         {{ at = 8, to = \"requested\", times = [1, 2, 6], times_default = 7 }},\n\
         {{ at = 9, to = \"requested_memory\", unit = \"TB\", per = \"node\" }},\n\
         {{ at = 10, to = \"used_memory\", unit = \"suffixed\", per = \"job\" }}, {{ at = 11, to = \"node_spec\" }},\n\
         {{ at = 12, to = \"queue\", pattern = '(?<a>[0-9]+)(?<b>.*)', group.a = {{ to = \"allocated\" }}, \
         group.b = {{ to = \"resource b s node\" }} }},\n]\n"
    );
    Arc::new(text.parse().unwrap())
}

proptest! {
    // Each case is made of all samples.
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn changed_samples_never_panic_and_what_is_read_of_them_round_trips(changes in changes()) {
        for sample in samples() {
            let bytes = changed(sample.bytes.clone(), &changes);
            let options = Options { format: Some(sample.format), explain: 2, ..sample.options() };
            let lenient = read_trace(Input::from_bytes("sample", bytes.clone()), &options);
            if let Ok(trace) = &lenient {
                prop_assert_eq!(rows(&again(trace).unwrap()), rows(trace), "{}", sample.name());
            }
            let strict = read_trace(Input::from_bytes("sample", bytes), &Options { strict: true, ..options });
            if let (Ok(strict), Ok(lenient)) = (strict, lenient) {
                prop_assert_eq!(rows(&strict), rows(&lenient));
            }
        }
    }
}

proptest! {
    #[test]
    fn no_format_panics_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..1500), strict in any::<bool>()) {
        for name in FORMATS {
            let options = Options { strict, explain: 3, format: format(name), ..Options::default() };
            let _ = read_trace(Input::from_bytes("bytes", bytes.clone()), &options);
        }
        for separator in ["blank", "tab", ","] {
            let options = Options { strict, mapping: Some(mapping(separator)), ..Options::default() };
            let _ = read_trace(Input::from_bytes("bytes", bytes.clone()), &options);
        }
    }

    #[test]
    fn tables_of_any_words_become_records_that_round_trip(
        words in prop::collection::vec(
            prop_oneof![
                "-?[0-9]{1,20}", "[0-9]{1,12}[.,][0-9]{0,9}", "20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:00",
                "[0-3][0-9][.][01][0-9][.]20[0-9]{2}", "[0-2][0-9]:[0-5][0-9]", "[0-9]{1,5}-?[0-9]:[0-9]{2}:[0-9]{2}",
                "[0-9]{1,9}[kmgtpe]b", "[0-9]{1,9}:ppn=[0-9]{1,9}(:gpus=[0-9]{1,9})?(\\+[0-9]:ppn=2)?", "\\PC{0,6}",
            ],
            0..150,
        ),
    ) {
        let table = words.chunks(12).map(|line| line.join("\t") + "\n").collect::<String>();
        let options = Options { mapping: Some(mapping("tab")), ..Options::default() };
        if let Ok(trace) = read_trace(Input::from_bytes("table", table), &options) {
            prop_assert_eq!(rows(&again(&trace).unwrap()), rows(&trace));
        }
    }

    #[test]
    fn changed_mapping_files_are_mappings_or_errors_with_a_line(changes in changes(), bytes in "\\PC{0,200}") {
        let _ = bytes.parse::<Mapping>();
        for name in FORMATS {
            let Some(text) = mapping_file(name) else { continue };
            let text = String::from_utf8_lossy(&changed(text.into(), &changes)).into_owned();
            if let Err(error) = text.parse::<Mapping>() {
                prop_assert!((1..=text.lines().count() + 1).contains(&error.line), "{error}");
            }
        }
    }
}

/// A word of a header line: no blanks, and no characters used for capacities.
fn word() -> impl Strategy<Value = String> {
    "[!-<>-~¡-ÿ]{1,12}"
}

/// Any text that fits a line and does not begin or end with blanks.
fn line() -> impl Strategy<Value = String> {
    "\\PC{1,20}".prop_map(|text| text.trim().to_owned()).prop_filter("empty", |text| !text.is_empty())
}

fn resources() -> impl Strategy<Value = Vec<ResourceDeclaration>> {
    let unit = prop_oneof![Just(String::new()), word()];
    let one = (word(), unit, prop::option::of(0..=i64::MAX), 0..3_usize);
    prop::collection::vec(one, 0..5).prop_map(|resources| {
        let mut unique: Vec<ResourceDeclaration> = Vec::new();
        for (name, unit, capacity, scope) in resources {
            if unique.iter().all(|other| other.name != name) {
                let scope = ColumnScope::NAMES[scope].0;
                unique.push(ResourceDeclaration { name, unit, capacity, scope });
            }
        }
        unique
    })
}

proptest! {
    #[test]
    fn resources_of_every_scope_and_odd_names_survive_writing_and_reading(
        resources in resources(),
        names in prop::collection::vec((0..99_i64, line()), 0..4),
        texts in prop::collection::vec(line(), 4),
        values in prop::collection::vec(prop::collection::vec(-1..9_000_000_000_000_i64, 5), 1..9),
    ) {
        let queue: Vec<Named> = names.into_iter().map(|(number, name)| Named { number, name }).collect();
        let header = Header {
            computer: Some(texts[0].clone()),
            installation: Some(texts[1].clone()),
            notes: texts[2..].to_vec(),
            partition: queue.clone(),
            queue,
            resources: resources.clone(),
            ..Header::default()
        };
        let mut builder = TraceBuilder::new();
        for (number, values) in values.iter().enumerate() {
            let mut record = Record { extra: values[..resources.len()].to_vec(), ..Record::default() };
            record.set_whole(Field::Job, number as i64 + 1);
            record.set_whole(Field::Submit, number as i64);
            builder.record(&record);
        }
        let trace = builder.finish(header, Source::default(), Findings::lenient()).unwrap();
        let first = again(&trace).unwrap();
        prop_assert_eq!(rows(&first), rows(&trace));
        prop_assert_eq!(&Header { lines: Vec::new(), ..first.header.clone() }, &trace.header);
        prop_assert_eq!(first.findings.list(), []);
        let second = again(&first).unwrap();
        prop_assert_eq!((rows(&second), &second.header), (rows(&first), &first.header));
    }
}

#[test]
fn abbreviations_of_zones_are_offsets_or_refused_by_their_names() {
    let read = |zone: &str, rows: &str| {
        let columns = ["submit", "start", "end"]
            .iter()
            .zip(2..)
            .map(|(to, at)| format!("{{ at = {at}, to = \"{to}\", format = \"%Y-%m-%d %H:%M:%S %Z\" }}"));
        let columns = columns.collect::<Vec<_>>().join(", ");
        let text = format!("separator = \",\"\n{zone}column = [{{ at = 1, to = \"job\" }}, {columns}]");
        let mapping: Mapping = text.parse().unwrap();
        let options = Options { mapping: Some(Arc::new(mapping)), ..Options::default() };
        read_trace(Input::from_bytes("a.csv", rows.to_owned()), &options).unwrap()
    };
    // On 5 November 2017 clocks showed the hour from one to two twice.
    let back = "1,2017-11-05 00:50:00 PDT,2017-11-05 00:55:00 PDT,2017-11-05 01:40:00 PDT\n\
                2,2017-11-05 01:30:00 PDT,2017-11-05 01:50:00 PDT,2017-11-05 01:10:00 PST\n";
    for zone in ["zone = \"America/Los_Angeles\"\n", ""] {
        let trace = read(zone, back);
        assert_eq!(column(&trace, Field::Submit), [0, 2400], "{zone}");
        assert_eq!(column(&trace, Field::Run), [2700, 1200], "{zone}");
        assert_eq!(trace.findings.list(), [], "{zone}");
    }
    let several = "1,2017-07-01 00:00:00 UTC,2017-07-01 00:05:00 UTC,2017-07-01 00:10:00 UTC\n\
                   2,2017-07-01 04:00:00 CEST,2017-07-01 04:05:00 CEST,2017-07-01 04:20:00 CEST\n\
                   3,2017-07-01 12:00:00 JST,2017-07-01 12:05:00 JST,2017-07-01 12:20:00 JST\n";
    assert_eq!(column(&read("", several), Field::Submit), [0, 7200, 10_800]);
    let british = "1,2017-07-01 01:00:00 BST,2017-07-01 01:05:00 BST,2017-07-01 01:10:00 BST\n\
                   2,2017-07-01 02:00:00 UTC,2017-07-01 02:05:00 UTC,2017-07-01 02:10:00 UTC\n";
    let london = read("zone = \"Europe/London\"\n", british);
    assert_eq!((column(&london, Field::Submit), london.findings.list().len()), (vec![0, 7200], 0));
    let unclear = read("", british);
    let told = &unclear.findings.list()[0];
    assert_eq!((told.kind.code, told.count), ("table-zone-unclear", 3));
    assert!(told.examples[0].detail.starts_with("`BST`"), "{}", told.examples[0].detail);
    // China's standard time, which is not that of Chicago.
    let china = "1,2017-07-01 08:00:00 CST,2017-07-01 08:00:00 CST,2017-07-01 08:10:00 CST\n";
    assert_eq!(read("zone = \"Asia/Shanghai\"\n", china).header.unix_start_time, Some(1_498_867_200));
}
