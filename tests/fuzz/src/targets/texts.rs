//! Texts written by users: expressions, specs, TOML files.

use batchlab::Registry;
use batchlab::experiment::Experiment;
use batchlab_parsers::{Input, Mapping, Options, read_trace};
use batchlab_policies::Setting;
use batchlab_traces::clean::Rules;
use batchlab_traces::expr::{Expr, Vocabulary};
use batchlab_traces::machine::MachineFile;
use batchlab_traces::shape::Steps;
use batchlab_traces::{Header, Machine, Trace, models};

pub fn log() -> Trace {
    const LOG: &str = "; MaxProcs: 8\n; UnixStartTime: 1704067200\n; Queue: 1 batch\n; Resource: 1 memory KB capacity=4096\n\
                       1 0 5 10 1 9 7 1 20 8 1 1 1 1 1 1 -1 -1 64\n\
                       2 3 -1 100 8 -1 -1 8 60 -1 0 2 1 2 1 1 -1 -1 -1\n\
                       3 3 0 0 2 -1 -1 2 -1 -1 5 1 2 -1 1 1 2 5 128\n";
    read_trace(Input::from_bytes("log", LOG), &Options::default()).expect("a log")
}

/// Expressions over a log and over waiting jobs: a valid expression has a value for each job.
pub fn expressions(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(expr) = Expr::parse(text) else { return };
    let trace = log();
    let machine = Machine::pool(8).expect("a machine");
    for vocabulary in [Vocabulary::trace(&trace), Vocabulary::trace(&trace).drawing(1, "fuzz")] {
        if let Ok(program) = expr.condition(&vocabulary) {
            assert_eq!(program.bools(&trace).len(), trace.len());
        }
        if let Ok(program) = expr.number(&vocabulary) {
            assert_eq!(program.numbers(&trace).len(), trace.len());
        }
    }
    let _ = expr.compile(&Vocabulary::jobs(&machine));
    let _ = expr.compile(&Vocabulary::policy(&machine));
}

/// Specs of policies: valid specs are built, and their canonical text selects the same policy.
pub fn specs(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // Specs that load a file or start a process are skipped.
    if ["exec", "batsim", "wasm", "so:", ".so", ".dll", ".dylib"].iter().any(|word| text.contains(word)) {
        return;
    }
    let registry = Registry::builtin();
    let Ok(chosen) = registry.choose(text) else { return };
    let canonical = chosen.canonical();
    let again = registry.choose(&canonical).unwrap_or_else(|error| panic!("{canonical}: {error}"));
    assert_eq!(again.canonical(), canonical);
    let _ = chosen.build(&Setting::new(&Machine::pool(8).expect("a machine")));
}

/// Settings of models, one per line below the model's name: a few jobs are drawn.
pub fn models(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut lines = text.lines();
    let Ok(model) = models::find(lines.next().unwrap_or_default()) else { return };
    let settings: Vec<&str> = lines.collect();
    if let Ok(trace) = model.generate(3, 16, 1, &settings) {
        assert_eq!(trace.len(), 3);
    }
}

pub fn rules(bytes: &[u8]) {
    let Ok(rules) = String::from_utf8_lossy(bytes).parse::<Rules>() else { return };
    if let Ok(cleaned) = rules.apply(&log()) {
        assert!(cleaned.trace.len() <= 3);
    }
}

pub fn steps(bytes: &[u8]) {
    let _ = Steps::parse(&String::from_utf8_lossy(bytes), "steps.toml");
}

pub fn mapping_files(bytes: &[u8]) {
    let _ = String::from_utf8_lossy(bytes).parse::<Mapping>();
}

pub fn machines(bytes: &[u8]) {
    let Ok(file) = MachineFile::parse(&String::from_utf8_lossy(bytes), "machine.toml") else { return };
    let _ = file.machine(&Header::default());
}

pub fn experiments(bytes: &[u8]) {
    let _ =
        Experiment::read(&String::from_utf8_lossy(bytes), "experiment.toml", &["estimate", "size", "stop"]);
}
