//! What the Python package takes from the command line: its options, and its version.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

use batchlab::lab::Given;
use batchlab::lab::calls::{Call, CallOption, Verb, option_list};
use batchlab::parsers::Input;

const HEAD: &str = include_str!("python_head.txt");

/// The classes: name, base, what its options are of, their verb, and the verb whose options the base has.
const CLASSES: [(&str, &str, &str, Verb, Option<Verb>); 5] = [
    ("ReadOptions", "TypedDict", "reading a log", Verb::Read, None),
    ("ShapeOptions", "TypedDict", "shaping a log", Verb::Shape, None),
    ("ReplayOptions", "TypedDict", "a replay", Verb::Replay, None),
    ("CompareOptions", "ReplayOptions", "a comparison", Verb::Compare, Some(Verb::Replay)),
    ("RunOptions", "TypedDict", "an experiment", Verb::Run, None),
];

fn written() -> String {
    let mut text = HEAD.to_owned();
    for (name, base, what, verb, of_base) in CLASSES {
        let _ =
            write!(text, "\n\nclass {name}({base}, total=False):\n    \"\"\"Options of {what}.\"\"\"\n\n");
        let inherited = of_base.map(option_list).unwrap_or_default();
        let own = |option: &CallOption| inherited.iter().all(|known| known.name != option.name);
        for option in option_list(verb).iter().filter(|option| own(option)) {
            // A word of Python.
            let key = if option.name == "from" { "from_" } else { &option.name };
            let kind = if option.is_flag { "bool" } else { "Values" };
            let help = option.help.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "\\\\");
            let _ = write!(text, "    {key}: {kind}\n    \"\"\"{help}.\"\"\"\n");
        }
    }
    text
}

#[test]
fn its_options_are_those_of_the_command_line() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/batchlab/_options.py");
    if env::var_os("UPDATE_SAMPLES").is_some() {
        fs::write(&file, written()).unwrap();
    }
    assert_eq!(fs::read_to_string(file).unwrap(), written());
}

#[test]
fn options_of_output_are_no_options_of_calls() {
    let names = |verb| option_list(verb).into_iter().map(|option| option.name).collect::<Vec<_>>();
    let of_replay = names(Verb::Replay);
    for name in ["quiet", "policy", "format", "schedule", "out", "stream", "bounds", "threads"] {
        assert!(!of_replay.iter().any(|known| known == name), "{name}");
    }
    assert!(names(Verb::Compare).contains(&"bounds".to_owned()));
    assert!(names(Verb::Read).contains(&"from".to_owned()));
}

#[test]
fn a_call_hears_what_the_command_line_says() {
    let registry = batchlab::Registry::builtin();
    let said = |verb: &str, options: &[(&str, &str)]| {
        let given =
            |(name, value): &(&str, &str)| Given { name: (*name).into(), values: vec![(*value).into()] };
        let options: Vec<Given> = options.iter().map(given).collect();
        let interrupt = batchlab::replay::engine::Interrupt::default();
        let call = Call { registry: &registry, options: &options, interrupt, progress: Arc::new(|_, _| ()) };
        let failure = match verb {
            "read" => call.read_from(Input::from_bytes("a.swf", Vec::new())).err(),
            "run" => call.experiment("e.toml", None).err(),
            _ => call.replay(batchlab::traces::Trace::default(), "fcfs").err(),
        };
        let failure = failure.unwrap();
        (failure.code(), failure.to_string())
    };
    let usage = |text: &str| (2, text.to_owned());
    assert_eq!(said("replay", &[("nodez", "3")]), usage("unknown option `nodez` (did you mean `nodes`?)"));
    assert_eq!(
        said("replay", &[("task_procz", "3")]),
        usage("unknown option `task_procz` (did you mean `task_procs`?)")
    );
    assert_eq!(said("replay", &[("strict", "1")]), usage("`strict` is true or false"));
    let procs = "invalid value 'x' for '--procs <N>': `x` is not a whole number";
    assert_eq!(said("replay", &[("procs", "x")]), usage(procs));
    assert_eq!(
        said("replay", &[("procs", "3"), ("machine", "m.toml")]),
        usage("the argument '--procs <N>' cannot be used with '--machine <FILE.toml>'")
    );
    assert_eq!(
        said("replay", &[("format", "csv")]),
        usage("unknown option `format` (did you mean `foresight`?)")
    );
    assert!(
        said("read", &[("from", "x")])
            .1
            .starts_with("invalid value 'x' for '--from <FORMAT>'\n  [possible values: ")
    );
    assert_eq!(
        said("run", &[("threads", "0")]),
        usage("invalid value '0' for '--threads <T>': it must be a whole number from 1 to 1024")
    );
}
