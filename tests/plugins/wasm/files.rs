//! Tests of files that are not plug-ins, and of specs with unknown names.

use super::{POLICY, ROOMY, folder, module, replay};

/// Asserts that a replay fails with this code and these words before it begins.
fn fails(file: &[u8], spec: &str, code: i32, words: &str) {
    let folder = folder(ROOMY, "");
    std::fs::write(folder.path("bad.wat"), file).unwrap();
    let done = replay(&folder, spec);
    done.failed(code, words);
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    assert_eq!(folder.files(), ["a.swf", "bad.wat"]);
}

#[test]
fn a_file_that_is_not_there() {
    let plain = module(POLICY, &[]);
    fails(plain.as_bytes(), "wasm:bda.wat", 3, "bda.wat: there is no such file; this folder holds bad.wat");
    fails(
        plain.as_bytes(),
        "wasm:no/bad.wat",
        3,
        "no/bad.wat: there is no such file; no is no folder that can be read",
    );
    fails(
        plain.as_bytes(),
        "wasm:.",
        3,
        ". is no plug-in for `wasm`: it is a folder, a pipe or a device, and no file",
    );
}

#[test]
fn a_file_that_is_no_module() {
    fails(b"", "wasm:bad.wat", 3, "bad.wat is no plug-in for `wasm`: the file is empty");
    fails(
        b"\x7fELF\xff\xfe",
        "wasm:bad.wat",
        3,
        "it is neither a binary module, which begins with \\0asm, nor text",
    );
    fails(
        b"def decide(state):\n    return []\n",
        "wasm:bad.wat",
        3,
        "bad.wat is no plug-in for `wasm`: line 1, column 1: ",
    );
    fails(
        b"(module\n  (func $a (result i32) (i32.cosnt 1)))",
        "wasm:bad.wat",
        3,
        "line 2, column 26: unknown operator",
    );
    fails(b"(module (func (result i32)))", "wasm:bad.wat", 3, "type mismatch");
    fails(b"\0asm\x01\0\0\0\x01", "wasm:bad.wat", 3, "bad.wat is no plug-in for `wasm`: ");
    fails(b"\0asm\x0d\0\x01\0", "wasm:bad.wat", 3, "bad.wat is no plug-in for `wasm`: ");
    let mut long = b"(module)".to_vec();
    long.resize((16 << 20) + 1, b' ');
    fails(&long, "wasm:bad.wat", 3, "it is longer than 16 MiB");
}

#[test]
fn a_module_that_is_no_plugin() {
    fails(b"(module)", "wasm:bad.wat", 3, "it exports no `batchlab_version`; it exports nothing");
    let other = br#"(module (memory (export "memory") 1) (func (export "run")))"#;
    fails(other, "wasm:bad.wat", 3, "it exports no `batchlab_version`; it exports memory, run");
    let imports = module(
        POLICY,
        &[(
            "memory",
            r#"(import "env" "print" (func (param i32)))
        (import "wasi_snapshot_preview1" "fd_write" (func)) (memory (export "memory") 1)"#,
        )],
    );
    let words = "it imports env.print, wasi_snapshot_preview1.fd_write; a plug-in may import nothing";
    fails(imports.as_bytes(), "wasm:bad.wat", 3, words);
}

#[test]
fn a_name_that_it_does_not_hold() {
    let two = r#"[{"name": "eager", "kind": "policy"}, {"name": "lazy", "kind": "policy"}]"#;
    let two = module(two, &[]);
    let words = "bad.wat holds no policy called `eagre` (did you mean `eager`?); it holds: eager, lazy";
    fails(two.as_bytes(), "wasm:bad.wat#eagre", 2, words);
    let words = "bad.wat holds several policies: eager, lazy; say which, as in wasm:bad.wat#eager";
    fails(two.as_bytes(), "wasm:bad.wat", 2, words);
}

#[test]
fn a_parameter_that_it_does_not_know() {
    let about = r#"{"name": "a", "kind": "policy",
        "params": [{"name": "depth", "kind": "count", "default": "3", "least": 1}]}"#;
    let module = module(about, &[]);
    let words =
        "`wasm:bad.wat` has no parameter `detph` (did you mean `depth`?); it has: depth, fuel, memory";
    fails(module.as_bytes(), "wasm:bad.wat,detph=3", 2, words);
    fails(module.as_bytes(), "wasm:bad.wat,depth=0", 2, "depth takes a whole number from 1");
    fails(module.as_bytes(), "wasm:bad.wat,fuel=0", 2, "fuel takes a whole number from 1");
    fails(module.as_bytes(), "wasm:", 2, "`wasm:` wants something to load, as in wasm:policy.wasm");
}
