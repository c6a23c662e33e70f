use super::{POLICY, misbehaves, module, works};

fn described(about: &str, words: &str) {
    misbehaves(
        "wasm:bad.wat",
        &module(about, &[]),
        &format!("error: bad.wat describes itself wrongly: {words}"),
    );
}

#[test]
fn a_description_that_is_no_json() {
    described("shortest job first", "expected value at line 1 column 1");
    described("", "EOF while parsing");
    described("[]", "it describes no policy");
    described(r#"{"name": "a", "kind": "policy", "speed": 3}"#, "unknown field `speed`");
}

#[test]
fn a_description_with_unknown_values() {
    described(r#"{"name": "a b", "kind": "policy"}"#, "`a b` is not a name");
    described(r#"{"name": "a", "kind": "wish"}"#, "unknown variant `wish`");
    described(r#"{"name": "a", "kind": "policy", "needs": ["luck"]}"#, "it needs `luck`; known are");
}

#[test]
fn a_parameter_that_every_module_has() {
    let about = r#"{"name": "a", "kind": "policy",
        "params": [{"name": "fuel", "kind": "count", "default": "3"}]}"#;
    described(about, "its parameter `fuel` is one of every `wasm`");
}

#[test]
fn a_description_that_is_no_text() {
    let describe = |body: &str| format!(r#"(func (export "batchlab_describe") (result i32) {body})"#);
    let said = |body: &str, words: &str| {
        let memory = r#"(memory (export "memory") 20)"#;
        misbehaves(
            "wasm:bad.wat",
            &module(POLICY, &[("memory", memory), ("describe", &describe(body))]),
            words,
        );
    };
    said("(i32.store (i32.const 9) (i32.const -1)) (i32.const 8)", "the description is not UTF-8");
    said("(i32.const 0)", "`batchlab_describe` returned NULL");
    said("(i32.const 1310720)", "the text at 1310720 reaches beyond its memory of 1310720 bytes");
    let fill = "(memory.fill (i32.const 8) (i32.const 32) (i32.const 1310700)) (i32.const 8)";
    said(fill, "the text has no end within 1048576 bytes");
}

#[test]
fn another_version() {
    let version = r#"(func (export "batchlab_version") (result i32) (i32.const 2))"#;
    let words = "error: bad.wat: the plug-in speaks version 2 of the interface, and this program version 1";
    // The version is checked first: the rest of the module may have the form of its version.
    let describe = r#"(func (export "batchlab_describe") (param i32) unreachable)"#;
    misbehaves("wasm:bad.wat", &module(POLICY, &[("version", version), ("describe", describe)]), words);
}

#[test]
fn functions_that_are_missing_or_of_another_type() {
    let said = |part: &str, text: &str, words: &str| {
        misbehaves("wasm:bad.wat", &module(POLICY, &[(part, text)]), words);
    };
    let exported = "it is not exported; it exports batchlab_deinit, batchlab_describe, batchlab_init, \
                    batchlab_order, batchlab_room, batchlab_version, memory";
    said("decide", "", &format!("has no usable `batchlab_decide`: {exported}"));
    said("deinit", "", "has no usable `batchlab_deinit`: it is not exported");
    let version = r#"(func (export "batchlab_version") (result i64) (i64.const 1))"#;
    said("version", version, "has no usable `batchlab_version`: it is () -> i64, and () -> i32 is wanted");
    let decide = r#"(func (export "batchlab_decide") (param i32 f64))"#;
    said("decide", decide, "`batchlab_decide`: it is (i32, f64) -> (), and (i32, i32) -> i32 is wanted");
    let fault = r#"(global (export "batchlab_fault") i32 (i32.const 1))"#;
    said("fault", fault, "has no usable `batchlab_fault`: it is no function");
    said("memory", "(memory 1)", "has no usable `memory`: no memory is exported under this name");
    // A complete policy needs no functions of orders.
    works("wasm:bad.wat", &module(POLICY, &[("order", "")]));
}
