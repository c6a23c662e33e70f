//! Tests of modules with unusable answers.

use super::{ORDER, POLICY, ROOMY, decide, misbehaves, misbehaves_on, module};

fn answers(body: &str, words: &str) {
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &decide(body))]), words);
}

fn scores(body: &str, words: &str) {
    let order = format!(r#"(func (export "batchlab_order") (param i32 i32 i32) (result i32) {body})"#);
    misbehaves("easy:order=(wasm:bad.wat)", &module(ORDER, &[("order", &order)]), words);
}

#[test]
fn a_job_with_an_unknown_number() {
    let words = "policy `wasm:bad.wat` at 0 s: cannot place job 77 at 0 s: it";
    answers("(call $verb (i32.const 0) (i32.const 1) (i32.const 77)) (call $answer (i32.const 1))", words);
}

#[test]
fn more_jobs_than_fit() {
    let jobs = [ROOMY, &[(6, -1, 10, 8, 10, 1)]].concat();
    let words = "cannot place job 4 at 6 s: it needs 8 procs on node 0, where 2 are free";
    misbehaves_on(&jobs, "wasm:bad.wat", &module(POLICY, &[]), words);
}

#[test]
fn a_job_that_is_started_twice() {
    let body = "(call $verb (i32.const 0) (i32.const 1) (i32.const 0))
        (call $verb (i32.const 1) (i32.const 1) (i32.const 0))
        (call $answer (i32.const 2))";
    answers(body, "cannot place job 1 at 0 s: it");
}

#[test]
fn an_answer_that_the_memory_cuts_off() {
    let words =
        "answer to `batchlab_decide` cannot be used: 8 bytes at 65532 reach beyond its memory of 65536 bytes";
    answers("(i32.const 65532)", words);
    let body = "(i32.store (i32.const 65528) (i32.const 2)) (i32.const 65528)";
    answers(body, "40 bytes at 65528 reach beyond its memory of 65536 bytes");
    answers("(i32.const -8)", "8 bytes at 4294967288 reach beyond");
    scores("(i32.const 65529)", "bytes at 65529 reach beyond its memory of 65536 bytes");
}

#[test]
fn garbage() {
    let body = "(call $verb (i32.const 0) (i32.const 99) (i32.const 0)) (call $answer (i32.const 1))";
    answers(body, "record 0 (verb 99) is no verb");
    // The module's description, read as an answer.
    answers("(i32.const 8)", "verbs, and 1048576 are taken at most");
}

#[test]
fn an_answer_of_too_many_verbs() {
    answers("(call $answer (i32.const -1))", "it has 4294967295 verbs, and 1048576 are taken at most");
    answers("(call $answer (i32.const 0x100001))", "it has 1048577 verbs, and 1048576 are taken at most");
}

#[test]
fn no_answer() {
    answers("(i32.const 0)", "the plug-in gave up: `batchlab_decide` returned NULL, and no reason was given");
    scores("(i32.const 0)", "the plug-in gave up: `batchlab_order` returned NULL, and no reason was given");
    let init = r#"(func (export "batchlab_init") (param i32) (result i32) (i32.const 0))"#;
    let words = "the plug-in gave up: `batchlab_init` returned NULL, and no reason was given";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("init", init)]), words);
    let room = r#"(func (export "batchlab_room") (param i32) (result i32) (i32.const 0))"#;
    let words = "the plug-in gave up: `batchlab_room` returned NULL, and no reason was given";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("room", room)]), words);
}

#[test]
fn a_reason_is_printed_on_one_line() {
    let fault = |body: &str| {
        format!(
            r#"(data (i32.const 3000) "no luck\n\1b[31mtoday\00")
            (func (export "batchlab_fault") (param i32) (result i32) {body})"#
        )
    };
    let null = decide("(i32.store (i32.const 2048) (i32.const 3000)) (i32.const 0)");
    let later = fault("(i32.load (i32.const 2048))");
    let words = "the plug-in gave up: no luck \\u{1b}[31mtoday";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("fault", &later), ("decide", &null)]), words);
    // A reason given right after init counts as a failure even though init returned a value.
    let at_once = fault("(i32.const 3000)");
    let words = "policy `wasm:bad.wat`: the plug-in gave up: no luck \\u{1b}[31mtoday";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("fault", &at_once)]), words);
}

#[test]
fn a_reason_without_an_end() {
    let memory = r#"(memory (export "memory") 3)"#;
    let fault = r#"(func (export "batchlab_fault") (param i32) (result i32)
        (memory.fill (i32.const 65536) (i32.const 97) (i32.const 131072)) (i32.const 65536))"#;
    let words = "answer to `batchlab_fault` cannot be used: the text has no end within 65536 bytes";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("memory", memory), ("fault", fault)]), words);
    let outside = fault.replace("(i32.const 65536))", "(i32.const 196600))");
    let words = "the text at 196600 reaches beyond its memory of 196608 bytes";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("memory", memory), ("fault", &outside)]), words);
}

#[test]
fn room_that_is_none() {
    let room =
        |at: &str| format!(r#"(func (export "batchlab_room") (param i32) (result i32) (i32.const {at}))"#);
    let said = |at, words| misbehaves("wasm:bad.wat", &module(POLICY, &[("room", &room(at))]), words);
    said("8193", "answer to `batchlab_room` cannot be used: 8193 is not a multiple of 8");
    said("65528", "4096 bytes at 65528 reach beyond its memory of 65536 bytes");
}
