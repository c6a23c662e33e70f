use std::sync::Arc;

use batchlab_traces::{Field, Trace};

use super::Mapping;
use crate::read::read_explained;
use crate::{Explanation, Input, Options, read_trace};

const TIMES: &str = "{ at = 1, to = \"submit\" }, { at = 2, to = \"run\" }";

fn read_with(mapping: &str, table: &str) -> (Trace, Explanation) {
    let mapping: Mapping = mapping.parse().unwrap();
    let options = Options { mapping: Some(Arc::new(mapping)), explain: 9, ..Options::default() };
    read_explained(Input::from_bytes("table", table.to_owned()), &options).unwrap()
}

fn error(mapping: &str) -> String {
    mapping.parse::<Mapping>().map(|_| ()).unwrap_err().to_string()
}

fn codes(trace: &Trace) -> Vec<(&'static str, u64)> {
    trace.findings.list().iter().map(|finding| (finding.kind.code, finding.count)).collect()
}

fn column(trace: &Trace, field: Field) -> Vec<String> {
    (0..trace.len()).map(|row| trace.get(row, field).to_string()).collect()
}

#[test]
fn a_wrong_key_is_reported_with_its_line_and_the_nearest_valid_one() {
    assert_eq!(
        error("separator = \",\"\ncolumn = [\n  { at = 1, to = \"submit\", fromat = \"iso\" },\n]\n"),
        "line 3: unknown key `fromat` (did you mean `format`?); known are at, name, span, optional, looks, pattern, group, \
         also, to, format, unit, per, factor, times, times_default, missing, never, values, others, capacity"
    );
    assert!(error("column = [\n").starts_with("line "));
    assert_eq!(error("skip = \"x\""), "line 1: `skip` must be a whole number from 0");
}

#[test]
fn contradictions_are_refused_with_both_lines() {
    let twice = "column = [\n { at = 1, to = \"submit\" },\n { at = 2, to = \"requested_memory\" },\n \
                 { at = 3, to = \"requested_memory\", unit = \"MB\" },\n]\n";
    assert_eq!(
        error(twice),
        "line 4: `requested_memory` is given here and on line 3; drop one of them, or make it a check"
    );
    assert_eq!(
        error("column = [\n { at = 1, to = \"submit\" },\n { at = 1, to = \"start\" },\n]\n"),
        "line 3: column `1` is described here and on line 2; use `also` for a second destination"
    );
    assert_eq!(
        error(
            "column = [\n{ at = 1, to = \"submit\" },\n{ at = 2, to = \"start\" },\n{ at = 3, to = \"wait\" }]"
        ),
        "line 4: wait time is given here and by start on line 3; make it `check wait`"
    );
    let clash =
        "column = [{ at = 1, to = \"submit\" }, { at = 2, to = \"node_spec\" }, { at = 3, to = \"nodes\" }]";
    assert!(error(clash).contains("given here and on line 1"));
}

#[test]
fn missing_and_senseless_settings_are_reported() {
    for case in include_str!("tests/refused.txt").trim_end().split("\n\n").skip(1) {
        let (mapping, expected) = case.split_once("-> ").unwrap();
        let found = error(mapping);
        assert!(found.contains(expected), "{case}: {found}");
    }
}

#[test]
fn two_columns_of_a_date_and_a_time_are_one_text() {
    let mapping = "zone = \"UTC\"\ncolumn = [{ at = 2, span = 2, to = \"start\", format = \"us_date\" }]";
    let (trace, explanation) = read_with(mapping, "a 10/19/93  18:06:10 x\n");
    assert_eq!(trace.header.unix_start_time, Some(751_053_970));
    let to: Vec<&str> = explanation.lines[0].cells.iter().map(|cell| cell.to.as_str()).collect();
    assert_eq!(to, ["not used", "start", "start", "not used"]);
}

#[test]
fn amounts_are_multiplied_divided_and_never_lost() {
    let mapping = format!(
        "zero = \"own\"\ncolumn = [{TIMES}, {{ at = 3, to = \"requested\", times = [4], times_default = 1 }}, \
         {{ at = 5, to = \"requested_memory\", unit = \"B\", per = \"job\" }}, \
         {{ at = 6, to = \"cpu\", per = \"job\", unit = \"min\" }}, \
         {{ at = 7, to = \"allocated\", factor = 0.001 }}]"
    );
    let (trace, _) = read_with(&mapping, "0 60 3 2 7000 12 6000\n5 60 3 - 1025 1.5 1001\n");
    assert_eq!(column(&trace, Field::Requested), ["6", "3"]);
    assert_eq!(column(&trace, Field::Allocated), ["6", "2"]);
    assert_eq!(column(&trace, Field::Cpu), ["120", "45"]);
    assert_eq!(column(&trace, Field::RequestedMemory), ["1.139323", "0.333659"]);
    let memory = trace.resource("memory").unwrap();
    assert_eq!([memory.whole(0), memory.whole(1)], [7, 2]);
}

#[test]
fn words_have_the_meaning_that_they_are_given() {
    let mapping = format!(
        "column = [{TIMES}, {{ at = 3, to = \"status\", values = {{ C = \"completed\", W = \"waiting\" }}, \
         others = \"failed\" }}, {{ at = 4, to = \"queue\", values = {{ 0 = \"batch\" }} }}]\n\
         [queues]\nnight = 9\n"
    );
    let table = "1000000000 5 C 0\n1000000001 5 W night\n1000000002 5 ? x\n1000000003 5 Q x\n";
    let (trace, _) = read_with(&mapping, table);
    assert_eq!(column(&trace, Field::Status), ["1", "-1", "-1", "0"]);
    assert_eq!(column(&trace, Field::Run), ["5", "-1", "5", "5"]);
    assert_eq!(column(&trace, Field::Queue), ["10", "9", "11", "11"]);
}

#[test]
fn a_pattern_takes_a_text_apart() {
    let mapping = format!(
        "zero = \"own\"\ncolumn = [{TIMES}, {{ at = 3, to = \"queue\", pattern = '^q(?<fat>f?)(?<nodes>\\d+)(?<length>[sml])$', \
         group.nodes = {{ to = \"requested\" }}, group.length = {{ to = \"requested_time\", values = {{ s = 3600, \
         m = 14400, l = 43200 }} }} }}]"
    );
    let (trace, explanation) = read_with(&mapping, "1 5 q16m\n2 5 qf8s\n3 5 standby\n");
    assert_eq!(column(&trace, Field::Requested), ["16", "8", "-1"]);
    assert_eq!(column(&trace, Field::RequestedTime), ["14400", "3600", "-1"]);
    assert_eq!(codes(&trace), [("table-no-match", 1)]);
    assert_eq!(explanation.lines[0].cells[2].to, "queue, requested time, requested processors");
}

#[test]
fn checks_are_counted_and_change_nothing() {
    let mapping =
        format!("column = [{TIMES}, {{ at = 3, to = \"start\" }}, {{ at = 4, to = \"check wait\" }}]");
    let (trace, _) = read_with(&mapping, "1000000000 5 1000000010 10.9\n1000000000 5 1000000010 12\n");
    assert_eq!(column(&trace, Field::Wait), ["10", "10"]);
    assert_eq!(codes(&trace), [("table-check-differs", 1)]);
}

#[test]
fn lines_with_other_counts_are_kept_or_left_out_by_the_mapping() {
    let table = "1000000000 5\n1000000001 5 6 7\nnot a job at all\n";
    for (how, records, expected) in [
        ("keep", 2, [("table-column-count", 1), ("table-no-job", 1)]),
        ("leave_out", 1, [("table-left-out", 2), ("", 0)]),
    ] {
        let mapping = format!("columns = 2\nother_counts = \"{how}\"\ncolumn = [{TIMES}]");
        let (trace, _) = read_with(&mapping, table);
        let expected: Vec<_> = expected.into_iter().filter(|(_, count)| *count > 0).collect();
        assert_eq!((trace.len(), codes(&trace)), (records, expected));
    }
}

#[test]
fn without_a_heading_that_fits_or_a_mapping_there_is_no_table() {
    let mapping: Mapping =
        "heading = true\nseparator = \",\"\ncolumn = [{ name = \"Submit\", to = \"submit\" }]"
            .parse()
            .unwrap();
    let options = Options { mapping: Some(Arc::new(mapping)), ..Options::default() };
    let refused =
        |options: &Options| read_trace(Input::from_bytes("t.csv", "a,b\n"), options).unwrap_err().to_string();
    assert!(
        refused(&options).contains("its heading has none of the columns: `a,b`"),
        "{}",
        refused(&options)
    );
    let none = Options { format: crate::format("sdsc-paragon"), ..Options::default() };
    assert!(refused(&none).contains("the order of its columns after the third is not published"));
}

#[test]
fn the_template_of_the_paragon_wants_to_be_filled_in() {
    let text = super::mapping_file("sdsc-paragon").unwrap();
    assert!(error(text).contains("fill in where column `nodes` is"), "{}", error(text));
}

#[test]
fn the_example_of_the_manual_is_read_as_it_says() {
    let manual = include_str!("../../MAPPINGS.md");
    let block = |language: &str| {
        let rest = manual.split(&format!("```{language}\n")).nth(1).unwrap();
        rest.split("```").next().unwrap()
    };
    let (trace, _) = read_with(block("toml"), block("text"));
    let fields = [Field::Submit, Field::Run, Field::Requested, Field::RequestedTime, Field::Status];
    assert_eq!(fields.map(|field| trace.get(0, field).truncated()), [0, 3600, 16, 14_400, 1]);
    assert_eq!(trace.header.unix_start_time, Some(1_612_163_400));
    assert_eq!(trace.resource("memory").unwrap().whole(0), 2_048_000);
}
