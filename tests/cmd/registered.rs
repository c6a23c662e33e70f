//! Tests that a user's format and metric are detected, read, listed, measured and named like built-in ones.

use batchlab::table::{Better, Unit};
use batchlab::traces::{Citation, Header, Time};

use batchlab::metrics::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};
use batchlab::parsers::entry::AccountingEntry;
use batchlab::parsers::format::share_of_lines;
use batchlab::parsers::lines::Line;
use batchlab::parsers::normal::{LogPlan, Normaliser, counted};
use batchlab::parsers::pass::LineReader;
use batchlab::parsers::reporter::Reporter;
use batchlab::parsers::{Explanation, FormatSpec, Pass, ReadError};
use batchlab::policies::{Needs, PolicySpec};
use batchlab::traces::notation::whole;
use batchlab::{RegisterError, Registry};
use serde_json::Value;

use super::{Done, Folder, four_jobs};

/// Jobs of one processor on a machine of two, one per line: a plus sign, submit, start and end.
const TALLY: FormatSpec = FormatSpec {
    name: "tally",
    summary: "a plus sign and three times",
    cite: "this test",
    looks_like: "lines that begin with a plus sign",
    likeness: |beginning| share_of_lines(beginning, |line| line.starts_with(b"+ ")),
    read: read_tally,
};

fn read_tally(pass: &mut Pass<'_>) -> Result<Header, ReadError> {
    let header = Header { max_procs: counted(2), ..Header::default() };
    let mut tally = Tally(Normaliser::new(LogPlan { header, relative: true, ..LogPlan::default() }));
    pass.lines(&mut tally)?;
    pass.finish(tally.0, None, &TALLY, "no line begins with a plus sign")
}

struct Tally(Normaliser);

impl LineReader for Tally {
    fn line(
        &mut self,
        line: &Line<'_>,
        reporter: &mut Reporter<'_>,
        explanation: &mut Explanation,
    ) -> Result<(), ReadError> {
        if !line.bytes.starts_with(b"+ ") {
            return Ok(());
        }
        let mut words =
            line.bytes.split(|&byte| byte == b' ').skip(1).map(|word| whole(word).map(Time::from_secs));
        let [submit, start, end] = [(); 3].map(|()| words.next().flatten());
        let one = Some(1);
        let times = AccountingEntry { line: line.number, submit, start, end, ..AccountingEntry::default() };
        self.0.entry(&AccountingEntry { allocated: one, requested: one, status: one, ..times }, reporter)?;
        if let Some(explained) = explanation.line(line.number) {
            explained.cell("all", line.bytes, "the tally");
        }
        Ok(())
    }
}

/// Twice the wait, with the same label as the wait itself.
const DOUBLE_WAIT: MetricSpec = MetricSpec {
    name: "double_wait",
    unit: Unit::Seconds,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "2 x wait",
    cite: Citation::foreign("this test"),
    compute: Compute::PerJob(&Quantity {
        name: "wait",
        value: JobValue::Time(|job| job.wait() + job.wait()),
    }),
};

fn registry() -> Registry {
    let mut registry = Registry::builtin();
    registry.register_format(&TALLY).unwrap();
    registry.register_metric(&DOUBLE_WAIT).unwrap();
    registry
}

/// Not a test by itself: the program with this format and metric, which the tests below run in a separate process.
#[test]
fn program() {
    super::program(&registry());
}

/// Three jobs of 10 s on two processors; the third waits for 9 s, also under FCFS.
const LOG: &str = "+ 0 0 10\n+ 0 0 10\n+ 1 10 20\n";

fn run(arguments: &str) -> Done {
    let folder = Folder::new();
    folder.write("log.txt", LOG);
    folder.write("a.swf", &four_jobs());
    folder.run_test("cmd::registered::program", arguments)
}

#[test]
fn a_registered_format_is_detected_in_every_verb_that_reads() {
    let folder = Folder::new();
    folder.write("log.txt", LOG);
    folder.write("twice.toml", "[[step]]\nkind = \"merge\"\nwith = \"log.txt\"\n");
    let run = |arguments: &str| folder.run_test("cmd::registered::program", arguments);
    assert!(run("info log.txt").succeeded().starts_with("log.txt (tally, 28 bytes)\n"));
    let replayed = run("replay log.txt --policy fcfs -q --format csv --metrics mean_wait,max_wait");
    assert_eq!(replayed.succeeded().lines().nth(1).map(|row| &row[..9]), Some("fcfs,3,9,"));
    let converted = run("convert log.txt -o out.swf --explain=1");
    assert!(converted.succeeded().contains("the tally"), "{}", converted.out);
    assert!(converted.err.contains("3 records converted from log.txt (tally)"), "{}", converted.err);
    run("shape log.txt --steps twice.toml -o twice.swf").succeeded();
    let rows = folder.read("twice.swf").lines().filter(|line| !line.starts_with(';')).count();
    assert_eq!(rows, 6);
    // A program without the format lists the formats it looked for.
    let words = "log.txt: no known kind of log";
    folder.run(&["info", "log.txt"]).failed(3, words);
    let looked_for = |more: usize| format!("looked for {} formats", batchlab::parsers::FORMATS.len() + more);
    folder.run(&["info", "log.txt"]).failed(3, &looked_for(0));
    folder.write("other.txt", "so long\n");
    run("info other.txt").failed(3, &looked_for(1));
}

#[test]
fn a_registered_format_can_be_named_and_is_listed() {
    assert!(run("info log.txt --from TALLY").succeeded().contains("(tally, "));
    run("info a.swf --from tally").failed(3, "not a tally log: no line begins with a plus sign");
    run("info log.txt --from taly").failed(2, "a similar value exists: 'tally'");
    run("info log.txt --from tally --mapping m.toml").failed(2, "--from tally takes no mapping");
    assert!(run("list formats").succeeded().lines().any(|line| line.starts_with("tally ")));
    assert!(run("list formats tally").succeeded().contains("lines that begin with a plus sign"));
    for arguments in ["info --help", "completions bash", "man"] {
        assert!(run(arguments).succeeded().contains("tally"), "{arguments}");
    }
    let folder = Folder::new();
    folder.run(&["info", "a.swf", "--from", "tally"]).failed(2, "invalid value 'tally'");
}

#[test]
fn a_registered_metric_is_measured_and_stands_in_the_summary() {
    let metrics = "mean_wait,mean_double_wait,max_double_wait";
    let done = run(&format!("replay a.swf --policy fcfs -q --bounds --format csv --metrics {metrics}"));
    let rows: Vec<&str> = done.succeeded().lines().collect();
    assert!(rows[0].starts_with("policy,mean_wait,mean_double_wait,max_double_wait,"), "{}", rows[0]);
    assert!(rows[1].starts_with("fcfs,61.75,123.5,296,"), "{}", rows[1]);
    assert!(rows[3].contains(",0,0,0,"), "{}", rows[3]);
    // The table without --metrics is unchanged; the summary has all metrics.
    let plain = run("replay a.swf --policy fcfs -q --format csv");
    assert!(!plain.succeeded().contains("double_wait"), "{}", plain.out);
    let json: Value =
        serde_json::from_str(run("replay a.swf --policy fcfs -q --format json").succeeded()).unwrap();
    let text = json.to_string();
    assert!(text.contains("\"mean_double_wait\":123.5"), "{text}");
}

#[test]
fn a_registered_metric_is_listed_and_named_in_errors() {
    let list = run("list metrics");
    assert!(
        list.succeeded().lines().any(|line| line.trim_start().starts_with("double_wait ")),
        "{}",
        list.out
    );
    let full = run("list metrics double_wait");
    assert!(full.succeeded().contains("_double_wait\n"), "{}", full.out);
    run("list metrics duble_wait").failed(2, "did you mean `double_wait`?");
    run("replay a.swf --policy fcfs -q --metrics mean_duble_wait").failed(2, "did you mean mean_double_wait");
}

#[test]
fn a_name_already_taken_is_refused() {
    const SWF: FormatSpec = FormatSpec { name: "Swf", ..TALLY };
    const MEAN: MetricSpec =
        MetricSpec { name: "mean_wait", compute: Compute::Value(|_| None), ..DOUBLE_WAIT };
    const EASY: PolicySpec = PolicySpec {
        name: "easy",
        family: "taken",
        summary: "",
        cite: Citation::foreign("this test"),
        rule: "",
        params: &[],
        needs: Needs::POOL,
        build: |_, _| Err(batchlab::policies::spec::BuildError::Unfit("never built".into())),
    };
    let mut registry = registry();
    let said = |refused: Result<(), RegisterError>| refused.unwrap_err().to_string();
    assert_eq!(said(registry.register_policy(EASY)), "a policy called `easy` is registered already");
    assert_eq!(said(registry.register_format(&SWF)), "a format called `Swf` is registered already");
    assert_eq!(said(registry.register_format(&TALLY)), "a format called `tally` is registered already");
    assert_eq!(
        said(registry.register_metric(&DOUBLE_WAIT)),
        "a metric called `double_wait` is registered already"
    );
    let taken = "the metric `mean_wait` would have the key `mean_wait`, which is one of the metric `wait`";
    assert_eq!(said(registry.register_metric(&MEAN)), taken);
    // The built-in entries are unchanged.
    assert_eq!(registry.policies().specs().len(), Registry::builtin().policies().specs().len());
    assert!(registry.choose("easy").is_ok());
}
