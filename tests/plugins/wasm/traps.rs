//! Tests of modules that stop unexpectedly.

use super::{ORDER, POLICY, decide, misbehaves, module};

fn trapped(function: &str) -> String {
    format!("the plug-in trapped in `{function}`: it came to an `unreachable` instruction")
}

#[test]
fn a_trap_in_start() {
    let start = "(start $start) (func $start unreachable)";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("start", start)]), &trapped("start"));
}

#[test]
fn a_trap_in_describe() {
    let describe = r#"(func (export "batchlab_describe") (result i32) unreachable)"#;
    let module = module(POLICY, &[("describe", describe)]);
    misbehaves("wasm:bad.wat", &module, &format!("error: bad.wat: {}", trapped("batchlab_describe")));
}

#[test]
fn a_trap_in_init() {
    let init = r#"(func (export "batchlab_init") (param i32) (result i32) unreachable)"#;
    let module = module(POLICY, &[("init", init)]);
    misbehaves("wasm:bad.wat", &module, &format!("policy `wasm:bad.wat`: {}", trapped("batchlab_init")));
}

#[test]
fn a_trap_in_room() {
    let room = r#"(func (export "batchlab_room") (param i32) (result i32) unreachable)"#;
    misbehaves("wasm:bad.wat", &module(POLICY, &[("room", room)]), &trapped("batchlab_room"));
}

#[test]
fn a_trap_in_decide() {
    let words = format!("policy `wasm:bad.wat` at 0 s: {}", trapped("batchlab_decide"));
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &decide("unreachable"))]), &words);
}

#[test]
fn a_trap_in_order() {
    let order = r#"(func (export "batchlab_order") (param i32 i32 i32) (result i32) unreachable)"#;
    let module = module(ORDER, &[("order", order)]);
    misbehaves("easy:order=(wasm:bad.wat)", &module, &trapped("batchlab_order"));
}

#[test]
fn a_trap_in_deinit() {
    let deinit = r#"(func (export "batchlab_deinit") (param i32) unreachable)"#;
    misbehaves("wasm:bad.wat", &module(POLICY, &[("deinit", deinit)]), &trapped("batchlab_deinit"));
}

#[test]
fn the_message_of_a_panic_is_reported_instead_of_the_trap() {
    // The code that languages generate for a panic: it stores the message and then stops at `unreachable`.
    let panics = "(i32.store (i32.const 2048) (i32.const 3000)) unreachable";
    let fault = |body: &str| {
        format!(
            r#"(data (i32.const 3000) "panicked at mine.rs:7:9: no job 3\00")
            (func (export "batchlab_fault") (param i32) (result i32) {body})"#
        )
    };
    let kept = fault("(i32.load (i32.const 2048))");
    let words = "at 0 s: the plug-in trapped in `batchlab_decide`: panicked at mine.rs:7:9: no job 3\n";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &decide(panics)), ("fault", &kept)]), words);
    let init = format!(r#"(func (export "batchlab_init") (param i32) (result i32) {panics})"#);
    let words = "the plug-in trapped in `batchlab_init`: panicked at mine.rs:7:9: no job 3\n";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("init", &init), ("fault", &kept)]), words);
    // If the fault function traps too, or has no message, the original trap is reported.
    for (body, function) in [("unreachable", "batchlab_fault"), ("(i32.const 0)", "batchlab_decide")] {
        let module = module(POLICY, &[("decide", &decide("unreachable")), ("fault", &fault(body))]);
        misbehaves("wasm:bad.wat", &module, &trapped(function));
    }
}

#[test]
fn each_kind_of_trap_is_described_in_words() {
    let said = |body: &str, words: &str| {
        misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &decide(body))]), words);
    };
    said("(i32.load (i32.const 65533))", "it read or wrote outside its memory");
    said("(i32.div_s (i32.const 1) (i32.const 0))", "it divided a whole number by zero");
    said(
        "(i32.trunc_f64_s (f64.const nan))",
        "it converted a number that is not representable to a whole number",
    );
}
