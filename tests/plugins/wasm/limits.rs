//! Modules that want more than they may have.

use super::{POLICY, decide, misbehaves, module, works};

const ENDLESS: &str = "(loop $again (br $again)) unreachable";

/// Grows the memory by a page until it cannot be grown.
const GREEDY: &str = "(loop $again (br_if $again (i32.ne (i32.const -1) (memory.grow (i32.const 1)))))";

#[test]
fn a_loop_without_end_in_decide() {
    let words =
        "did not come to an end in `batchlab_decide` within 1000000000 units of fuel; fuel= allows more";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &decide(ENDLESS))]), words);
}

#[test]
fn a_loop_without_end_in_start() {
    let start = format!("(start $start) (func $start {ENDLESS})");
    let words = "did not come to an end in `start` within 50000 units of fuel";
    misbehaves("wasm:bad.wat,fuel=50000", &module(POLICY, &[("start", &start)]), words);
}

#[test]
fn each_call_has_the_fuel_anew() {
    let busy = "(local $i i32)
        (loop $again
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $again (i32.ne (local.get $i) (i32.const 2000))))";
    let init = format!(r#"(func (export "batchlab_init") (param i32) (result i32) {busy} (i32.const 1))"#);
    let deinit = format!(r#"(func (export "batchlab_deinit") (param i32) {busy})"#);
    let module = module(POLICY, &[("init", &init), ("deinit", &deinit)]);
    works("wasm:bad.wat,fuel=20000", &module);
    misbehaves("wasm:bad.wat,fuel=2000", &module, "did not come to an end in `batchlab_init`");
}

#[test]
fn recursion_without_end() {
    let down = "(call $down (i32.const 0)))
        (func $down (param i32) (result i32)
          (i32.add (i32.const 1) (call $down (local.get 0)))";
    let words = "trapped in `batchlab_decide`: its calls are nested more than 10000 deep";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &decide(down))]), words);
}

#[test]
fn allocation_without_end() {
    let fails = decide(&format!("{GREEDY} unreachable"));
    let words = "the plug-in wants more memory than 256 MiB; memory= allows more";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("decide", &fails)]), words);
    let words = "the plug-in wants more memory than 2 MiB";
    misbehaves("wasm:bad.wat,memory=2", &module(POLICY, &[("decide", &fails)]), words);
    let gives_up = decide(&format!("{GREEDY} (i32.const 0)"));
    misbehaves("wasm:bad.wat,memory=2", &module(POLICY, &[("decide", &gives_up)]), words);
    let tables = r#"(table $t 1 funcref) (start $start) (func $start
        (drop (table.grow $t (ref.null func) (i32.const 0x100000))) unreachable)"#;
    misbehaves("wasm:bad.wat,memory=2", &module(POLICY, &[("start", tables)]), words);
}

#[test]
fn memory_that_is_wanted_from_the_start() {
    let memory = r#"(memory (export "memory") 5000)"#;
    let words = "error: bad.wat: the plug-in wants more memory than 256 MiB; memory= allows more";
    misbehaves("wasm:bad.wat", &module(POLICY, &[("memory", memory)]), words);
    works("wasm:bad.wat,memory=313", &module(POLICY, &[("memory", memory)]));
}

/// What a module does without the memory that it did not get is its own business.
#[test]
fn a_module_may_go_on_without_more_memory() {
    let init = format!(r#"(func (export "batchlab_init") (param i32) (result i32) {GREEDY} (i32.const 1))"#);
    works("wasm:bad.wat,memory=2", &module(POLICY, &[("init", &init)]));
    // A trap in a later call is not for want of memory.
    let module = module(POLICY, &[("init", &init), ("decide", &decide("unreachable"))]);
    misbehaves("wasm:bad.wat,memory=2", &module, "it came to an `unreachable` instruction");
}
