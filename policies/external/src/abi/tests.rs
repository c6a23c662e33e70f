//! Compares the header with the records that are written.
//!
//! The header is read as text: its constants are compared with those here, and its structures are laid out
//! as C does, so that written records can be read by field name. A C compiler, if there is one, confirms the
//! layout.

use std::process::Command;
use std::sync::Arc;

use batchlab_traces::machine::{Resource, Sharing, processors};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::workload::{Condition, Dependency, Milestone, PlainJob};
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::*;
use crate::{Asked, Asks, Begin, param_values};
use batchlab_contract::event::Event;
use batchlab_contract::needs::Needs;
use batchlab_contract::placement::Rate;
use batchlab_contract::refused::{Reason, Refused};
use batchlab_contract::spec::{ParamKind, ParamSpec, Params, Setting};
use batchlab_contract::stage::{Setup, Stage};
use batchlab_contract::{Costs, Turn};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../policies/abi");
const HEADER: &str = include_str!("../../../abi/batchlab.h");

/// The header's lines without comments.
fn code() -> String {
    let mut parts = HEADER.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| code + part.split_once("*/").unwrap().1)
}

/// Every constant with a number: `#define NAME 1`, and `NAME = 1` of an enumeration.
fn constants() -> SortedMap<String, i64> {
    let of_line = |line: &str| {
        let (name, value) = match line.trim().strip_prefix("#define ") {
            Some(rest) => rest.trim().split_once(' ')?,
            None => line.trim().split_once(" = ")?,
        };
        let number = value.trim().trim_end_matches(',').parse::<i64>().ok()?;
        name.starts_with("BATCHLAB_").then(|| (name.to_owned(), number))
    };
    code().lines().filter_map(of_line).collect()
}

/// The position of a field, and its size in bytes.
type Fields = SortedMap<String, (usize, usize)>;

/// The structures by name: their fields and their sizes. Every field is aligned to its own size.
fn structures() -> SortedMap<String, (Fields, usize)> {
    let code = code();
    let of_text = |text: &str| {
        let (body, rest) = text.split_once('}').unwrap();
        let name = rest.split(';').next().unwrap().trim().to_owned();
        let (mut fields, mut end) = (Fields::new(), 0usize);
        for declared in
            body.trim_start_matches([' ', '{', '\n']).split(';').filter(|text| !text.trim().is_empty())
        {
            let (kind, field) = declared.trim().rsplit_once(' ').unwrap();
            let bytes = match kind {
                "uint32_t" => 4,
                "int64_t" | "uint64_t" => 8,
                // The verbs of an answer, an array without a length.
                "batchlab_verb" => 0,
                other => panic!("{other} is no type of a record"),
            };
            let at = end.next_multiple_of(bytes.max(1));
            fields.insert(field.trim_end_matches("[]").into(), (at, bytes));
            end = at + bytes;
        }
        (name, (fields, end.next_multiple_of(8)))
    };
    code.split("typedef struct {").skip(1).map(of_text).collect()
}

/// A record as bytes, read by the field names of the header.
struct Record {
    bytes: Vec<u8>,
    structures: SortedMap<String, (Fields, usize)>,
}

impl Record {
    fn new(words: &[u64]) -> Record {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Record { bytes, structures: structures() }
    }

    fn of_turn(turn: &Turn<'_>, events: &[Event], asks: Asks) -> Record {
        let mut words = Vec::new();
        let asked = Asked { turn, events, refused: &[], random: 7, clairvoyant: false, asks };
        write_state(&asked, &mut words);
        Record::new(&words)
    }

    fn number(&self, at: usize, bytes: usize) -> i64 {
        let mut number = [0; 8];
        number[..bytes].copy_from_slice(&self.bytes[at..at + bytes]);
        i64::from_le_bytes(number)
    }

    /// Returns a field of the structure that begins at a position.
    fn field(&self, at: usize, structure: &str, field: &str) -> i64 {
        let (from, bytes) = self.structures[structure].0[field];
        self.number(at + from, bytes)
    }

    /// All fields of a structure in the order of the header.
    fn fields(&self, at: usize, structure: &str) -> Vec<i64> {
        let mut places: Vec<&(usize, usize)> = self.structures[structure].0.values().collect();
        places.sort();
        places.iter().map(|(from, bytes)| self.number(at + from, *bytes)).collect()
    }

    fn size(&self, structure: &str) -> usize {
        self.structures[structure].1
    }

    fn text(&self, at: usize) -> &str {
        let rest = &self.bytes[at..];
        let end = rest.iter().position(|byte| *byte == 0).unwrap();
        std::str::from_utf8(&rest[..end]).unwrap()
    }

    fn numbers(&self, at: usize, count: usize) -> Vec<i64> {
        (0..count).map(|index| self.number(at + 8 * index, 8)).collect()
    }
}

/// A machine of two nodes with processors and memory.
fn machine() -> Machine {
    let memory = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
    Machine::new(vec![processors(), memory], &[vec![4, 100], vec![2, 50]]).unwrap()
}

fn job(demand: Vec<i64>) -> PlainJob {
    let (submit, run, estimate) = (Time::ZERO, Time::SECOND, Time::SECOND);
    PlainJob { submit, run, estimate, demand, user: 1, partition: -1 }
}

/// A stage on which all jobs of a log have been submitted.
fn stage(machine: Machine, log: Workload, needs: Needs) -> Stage {
    let setup = Setup {
        policy: "script".into(),
        needs,
        seed: 1,
        passing: false,
        journal: false,
        general: true,
        suspends: None,
        costs: Costs::default(),
    };
    let log = Arc::new(log);
    let mut stage = Stage::new(&Arc::new(machine), &log, &setup);
    log.jobs().for_each(|job| stage.cluster.submit(job));
    stage
}

#[test]
fn the_constants_are_those_of_the_header() {
    let ours: &[(&str, i64)] = &[
        ("BATCHLAB_VERSION", VERSION.into()),
        ("BATCHLAB_TICKS_PER_SECOND", Time::SECOND.ticks()),
        ("BATCHLAB_FULL_SPEED", Rate::WHOLE.into()),
        ("BATCHLAB_MOST_VERBS", MOST_VERBS.into()),
        ("BATCHLAB_SUBMITTED", events::SUBMITTED.into()),
        ("BATCHLAB_RELEASED", events::RELEASED.into()),
        ("BATCHLAB_FINISHED", events::FINISHED.into()),
        ("BATCHLAB_KILLED", events::KILLED.into()),
        ("BATCHLAB_DISPLACED", events::DISPLACED.into()),
        ("BATCHLAB_WOKE", events::WOKE.into()),
        ("BATCHLAB_LOADED", events::LOADED.into()),
        ("BATCHLAB_REFUSED", events::REFUSED.into()),
        ("BATCHLAB_CAPACITY", events::CAPACITY.into()),
        ("BATCHLAB_AFTER_START", milestones::START.into()),
        ("BATCHLAB_AFTER_END", milestones::END.into()),
        ("BATCHLAB_NO_ROOM", reasons::OVERSUBSCRIBED),
        ("BATCHLAB_NO_STATE", reasons::STATE),
        ("BATCHLAB_NO_PLACEMENT", reasons::PLACEMENT),
        ("BATCHLAB_NO_PAST", reasons::PAST),
        ("BATCHLAB_NO_NEED", reasons::UNDECLARED),
        ("BATCHLAB_START", verbs::START.into()),
        ("BATCHLAB_PLACE", verbs::PLACE.into()),
        ("BATCHLAB_SHARE", verbs::SHARE.into()),
        ("BATCHLAB_RATE", verbs::RATE.into()),
        ("BATCHLAB_RUN_ONLY", verbs::RUN_ONLY.into()),
        ("BATCHLAB_ROW", verbs::ROW.into()),
        ("BATCHLAB_DISPLACE", verbs::DISPLACE.into()),
        ("BATCHLAB_KILL", verbs::KILL.into()),
        ("BATCHLAB_WAKE", verbs::WAKE.into()),
        ("BATCHLAB_EXPECT", verbs::EXPECT.into()),
        ("BATCHLAB_PROMISE", verbs::PROMISE.into()),
    ];
    let ours: SortedMap<String, i64> = ours.iter().map(|&(name, value)| (name.into(), value)).collect();
    assert_eq!(constants(), ours);
}

#[test]
fn the_functions_are_those_of_the_header() {
    let code = code();
    let declared = code.split("BATCHLAB_EXPORT ").skip(1).filter_map(|text| {
        let (before, _) = text.split_once('(')?;
        before.rsplit(['*', ' ']).next().filter(|name| name.starts_with("batchlab_"))
    });
    let mut declared: Vec<&str> = declared.collect();
    declared.sort_unstable();
    use functions::{DECIDE, DEINIT, DESCRIBE, FAULT, INIT, ORDER, ROOM, VERSION};
    let mut ours = [VERSION, DESCRIBE, INIT, FAULT, ORDER, DECIDE, DEINIT, ROOM];
    ours.sort_unstable();
    assert_eq!(declared, ours);
}

#[test]
fn a_setup_is_laid_out_as_the_header_says() {
    let machine = machine();
    let declared = [
        ParamSpec {
            name: "k",
            kind: ParamKind::Count { least: 1, infinite: false },
            default: "3",
            help: "",
            ..ParamSpec::PLAIN
        },
        ParamSpec { name: "how", kind: ParamKind::Text, default: "plain", help: "", ..ParamSpec::PLAIN },
    ];
    let params = Params::check("script", &declared, &[("k".into(), "7".into())]).unwrap();
    let setting = Setting {
        overrun: batchlab_traces::reading::Overrun::Overdue,
        periodic: true,
        ..Setting::new(&machine)
    };
    let words =
        write_setup(&Begin { which: 5, params: &param_values(&params, &declared), setting: &setting });
    let record = Record::new(&words);
    let field = |name| record.field(0, "batchlab_setup", name);
    let fixed = ["version", "policy", "kinds", "nodes", "overrun", "periodic"].map(field);
    assert_eq!(fixed, [i64::from(VERSION), 5, 2, 2, 2, 1]);
    assert_eq!(field("bytes") as usize, record.bytes.len());
    assert_eq!(field("capacity_at") as usize, record.size("batchlab_setup"));
    assert_eq!(record.numbers(field("capacity_at") as usize, 4), [4, 100, 2, 50]);
    let params = field("params_at") as usize;
    assert_eq!(record.text(params), "k=7");
    assert_eq!(record.text(params + 4), "how=plain");
    assert_eq!(record.text(params + 4 + 10), "");
    let told: serde_json::Value = serde_json::from_str(record.text(field("machine_at") as usize)).unwrap();
    assert_eq!(told["nodes"][1][1], 50);
}

#[test]
fn a_state_is_laid_out_as_the_header_says() {
    let job = |user, estimate, procs| PlainJob {
        submit: Time::from_secs(3),
        run: Time::from_secs(5),
        estimate: Time::from_secs(estimate),
        demand: vec![procs, 10 * procs],
        user,
        partition: -1,
    };
    let workload = Workload::from_jobs(&[job(8, 6, 1), job(9, 7, 2)]);
    let mut stage = stage(machine(), workload, Needs { clairvoyance: true, ..Needs::NONE });
    let refused = Refused { verb: "wake", job: 0, at: Time::ZERO, reason: Reason::Past(Time::ZERO) };
    let happened = [Event::Submitted(JobId(1)), Event::Woke(Time::from_secs(4)), Event::Submitted(JobId(0))];
    let turn = stage.turn(Time::from_secs(4), &happened);
    let refused = [(6, refused)];
    let asks = Asks::default();
    let asked = |clairvoyant| Asked {
        turn: &turn,
        events: &happened,
        refused: &refused,
        random: 77,
        clairvoyant,
        asks,
    };
    let mut words = vec![1; 3];
    write_state(&asked(false), &mut words);
    let record = Record::new(&words);
    let field = |name| record.field(0, "batchlab_state", name);
    let fixed = ["now", "random", "events", "jobs", "kinds", "nodes", "more_at"].map(field);
    assert_eq!(fixed, [4_000_000, 77, 4, 2, 2, 2, 0]);
    assert_eq!(field("bytes") as usize, record.bytes.len());
    assert_eq!(field("events_at") as usize, record.size("batchlab_state"));
    let event = |index| {
        record.fields(field("events_at") as usize + index * record.size("batchlab_event"), "batchlab_event")
    };
    assert_eq!(event(0), [events::REFUSED.into(), 6, reasons::PAST]);
    assert_eq!(event(1), [events::SUBMITTED.into(), 1, 3_000_000]);
    assert_eq!(event(2), [events::WOKE.into(), 0, 4_000_000]);
    let job = |index| {
        record.fields(field("jobs_at") as usize + index * record.size("batchlab_job"), "batchlab_job")
    };
    let view = turn.job(JobId(1));
    let expected =
        [1, 0, view.number(), 3_000_000, 7_000_000, 2, view.layout().task, -1, -1, 9, -1, -1, -1, -1];
    assert_eq!(job(0), expected);
    assert_eq!(job(1)[0], 0);
    assert_eq!(record.numbers(field("demand_at") as usize, 4), [2, 20, 1, 10]);
    assert_eq!(record.numbers(field("free_at") as usize, 4), [4, 100, 2, 50]);
    // Run times are written only for a policy that declared clairvoyance.
    write_state(&asked(true), &mut words);
    let record = Record::new(&words);
    assert_eq!(record.field(field("jobs_at") as usize, "batchlab_job", "run"), 5_000_000);
}

/// Two jobs of three processors, of which the second waits for the start of the first, and a closure of the second node.
fn two_jobs_and_a_closure() -> (Workload, Stage) {
    let job = job(vec![3, 10]);
    let log = Workload::from_jobs(&[job.clone(), job]).laid_out(&[
        batchlab_traces::Layout::on_nodes(3, 2, 1),
        batchlab_traces::Layout::on_nodes(3, 2, 1).exclusively().evenly(2),
    ]);
    let on = Dependency { on: JobId(0), milestone: Milestone::Start, delay: Time::ZERO };
    let log = log.with_conditions(vec![(JobId(1), Condition::all(Time::ZERO, vec![on]))]);
    let mut entered = log.before_entries();
    for job in log.jobs() {
        entered.enter(&log, job, Time::ZERO);
    }
    let mut stage = stage(machine(), entered, Needs::FORESIGHT);
    stage.cluster.take_out(1, &[2, 50], false);
    stage.foreseen.add(batchlab_traces::capacity::Closure {
        from: Time::ZERO,
        to: Time::from_secs(9),
        node: 1,
        amounts: vec![2, 50],
        evicted: batchlab_traces::capacity::Evicted::Killed,
        known: Time::ZERO,
        kept_for: None,
        event: batchlab_traces::capacity::EventTime::default(),
    });
    (log, stage)
}

#[test]
fn what_a_policy_asks_for_is_laid_out_as_the_header_says() {
    let (log, mut stage) = two_jobs_and_a_closure();
    let happened = [Event::Submitted(JobId(0)), Event::Submitted(JobId(1)), Event::Capacity(Time::ZERO)];
    let turn = stage.turn(Time::ZERO, &happened);
    let write = |asks| Record::of_turn(&turn, &happened, asks);
    let plain = write(Asks::default());
    let all =
        write(Asks { capacity: true, foresight: true, layout: true, dependencies: true, devices: true });
    let more_at = all.field(0, "batchlab_state", "more_at") as usize;
    // The record of a policy that asks for nothing is the beginning of this one, except for the length and the kind of an event.
    assert_eq!((plain.field(0, "batchlab_state", "more_at"), plain.bytes.len()), (0, more_at));
    assert_eq!(plain.bytes[more_at - 32..], all.bytes[more_at - 32..more_at]);
    let event = |record: &Record| {
        let third = 2 * record.size("batchlab_event");
        record.fields(record.field(0, "batchlab_state", "events_at") as usize + third, "batchlab_event")[0]
    };
    assert_eq!([event(&plain), event(&all)], [events::WOKE, events::CAPACITY].map(i64::from));
    let more = |name| all.field(more_at, "batchlab_more", name) as usize;
    assert_eq!(all.numbers(more("service_at"), 4), [4, 100, 0, 0]);
    assert_eq!(more("foreseen"), 1);
    assert_eq!(all.fields(more("foreseen_at"), "batchlab_closure"), [0, 9_000_000, 1]);
    assert_eq!(all.numbers(more("amounts_at"), 2), [2, 50]);
    let shape = |at| all.fields(more("shapes_at") + at * all.size("batchlab_shape"), "batchlab_shape");
    assert_eq!([shape(0), shape(1)], [[1, 1, 1, 0], [1, 1, 1, 1]]);
    assert_eq!(all.numbers(more("sites_at"), 2), [3, 3]);
    assert_eq!(all.numbers(more("even_at"), 2), [0, 2]);
    assert_eq!(more("devices_at"), 0, "the machine has none");
    assert_eq!(more("preceding"), 1);
    let preceding = all.fields(more("preceding_at"), "batchlab_preceding");
    assert_eq!(preceding, [1, milestones::START.into(), log.number(JobId(0))]);
    assert_eq!(more("preceding_at") + all.size("batchlab_preceding"), all.bytes.len());
}

#[test]
fn devices_are_laid_out_as_the_header_says() {
    let gpu = Resource { name: "gpu".into(), unit: String::new(), sharing: Sharing::Space };
    let machine = Machine::new(vec![processors(), gpu], &[vec![4, 2000], vec![4, 1000]]).unwrap();
    let machine = machine.with_devices(1, 1000).unwrap();
    let amounts = machine.amounts(1);
    let mut stage = stage(machine, Workload::from_jobs(&[job(vec![1, 600])]), Needs::FORESIGHT);
    stage.cluster.take_out(1, &amounts, false);
    let happened = [Event::Submitted(JobId(0)), Event::Capacity(Time::ZERO)];
    let turn = stage.turn(Time::ZERO, &happened);
    let write = |asks| Record::of_turn(&turn, &happened, asks);
    let more = |record: &Record, name| {
        let more_at = record.field(0, "batchlab_state", "more_at") as usize;
        record.field(more_at, "batchlab_more", name) as usize
    };
    let all = write(Asks { capacity: true, devices: true, ..Asks::default() });
    assert_eq!(all.numbers(more(&all, "service_at"), 4), [4, 2000, 0, 0], "of resources only");
    let at = more(&all, "devices_at");
    assert_eq!(all.fields(at, "batchlab_devices"), [1, 2, 1000]);
    assert_eq!(all.numbers(at + all.size("batchlab_devices"), 4), [1000, 1000, 0, 0]);
    let without = write(Asks { capacity: true, ..Asks::default() });
    assert_eq!(more(&without, "devices_at"), 0);
}

#[test]
fn an_answer_is_laid_out_as_the_header_says() {
    let structures = structures();
    assert_eq!(structures["batchlab_answer"].0["count"], (0, 4));
    assert_eq!(structures["batchlab_answer"].0["verb"], (8, 0));
    let verb = &structures["batchlab_verb"];
    assert_eq!((verb.0["verb"], verb.0["job"], verb.0["value"], verb.1), ((0, 4), (4, 4), (8, 8), 16));
    assert_eq!(answer_bytes([2, 0, 0, 0, 0, 0, 0, 0]), Ok(8 + 2 * verb.1));
}

#[test]
#[expect(clippy::print_stderr, reason = "says why it was skipped")]
fn a_compiler_lays_the_records_out_alike() {
    let mut lines = Vec::new();
    let head = "#include <stdio.h>\n#include <stddef.h>\n#include \"batchlab.h\"\nint main(void) {\n";
    let mut program = vec![head.to_owned()];
    for (name, (fields, size)) in structures() {
        program.push(format!("printf(\"{name} %zu\\n\", sizeof({name}));\n"));
        lines.push(format!("{name} {size}"));
        for (field, (at, _)) in fields {
            program.push(format!("printf(\"{name}.{field} %zu\\n\", offsetof({name}, {field}));\n"));
            lines.push(format!("{name}.{field} {at}"));
        }
    }
    program.push("return 0;\n}\n".into());
    let folder = std::env::temp_dir().join(format!("batchlab-layout-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&source, program.concat()).unwrap();
    let compile =
        |compiler| Command::new(compiler).arg("-I").arg(FOLDER).arg("-o").arg(&binary).arg(&source).output();
    match ["cc", "clang", "gcc"].into_iter().find_map(|compiler| compile(compiler).ok()) {
        None => eprintln!("skipped: no C compiler is at hand"),
        Some(compiled) => {
            assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
            let printed = Command::new(&binary).output().unwrap();
            assert_eq!(String::from_utf8(printed.stdout).unwrap().lines().collect::<Vec<_>>(), lines);
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
