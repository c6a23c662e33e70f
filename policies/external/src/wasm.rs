//! The carrier `wasm`: policies in WebAssembly, `wasm:FILE[#name][,key=value]…`.
//!
//! The file is a module, binary or text, that exports its memory as `memory` and the functions of
//! `policies/abi/batchlab.h`, and imports nothing. Two to be copied are in `policies/abi/wat`.
//!
//! # What a module may rely on
//!
//! Each replay has its own instance with its own memory, whose functions are called one at a time. The
//! program writes its records to the buffer returned by `batchlab_room`; it requests a new buffer only if it
//! needs more than before, and then at least twice the size, so that a module may free the old buffer or
//! keep it. The same module, log and seed give the same schedule on any machine: there are no clocks, no
//! files, no threads, no vector instructions, and every NaN that arises has the same bits. A job whose score
//! is NaN is served last.
//!
//! # Limits
//!
//! | what | how much |
//! |---|---|
//! | fuel | `fuel=` units for each call, that of the start function, `batchlab_describe` and `batchlab_init` too |
//! | memory | `memory=` MiB, linear memory and tables together |
//! | calls within calls | 10,000, with 8 MiB of values |
//! | the file | 16 MiB |
//! | a description, a reason | 1 MiB, 64 KiB |
//! | an answer | [`abi::MOST_VERBS`] verbs |
//!
//! A unit of fuel is an instruction (the control markers `block`, `loop`, `else`, `end`, `return` are free),
//! or 8 bytes of `memory.copy`, `memory.fill` and `memory.grow`. The default of 500 million is about half a
//! second of computing. Reading one number of a job in a queue and comparing it takes some 13 units: a
//! policy of O(n) may scan 38 million jobs in one decision, and a policy of O(n²) should not have more than
//! 6,000 waiting jobs. Built-in policies use no fuel; the overhead of a module's decision, beside its own
//! work, is less than a microsecond (`cargo bench --bench carriers`).
//!
//! `memory.grow` beyond the limit returns -1, as the standard requires. A module that continues without the
//! memory is not stopped; if it traps or gives up in the same call, the error is that it wanted too much
//! memory.

mod guest;
mod limits;
mod module;
mod talk;

use std::sync::Arc;

use super::abi::{self, functions};
use batchlab_contract::plugin::{
    About, Allowed, Begin, Carrier, Conversation, Fault, GuestKind, Library, LoadError, Loaded, one_line,
};
use batchlab_contract::spec::{ParamKind, ParamSpec, Params};
use guest::{CompiledModule, Guest};
use talk::Talk;

pub const CARRIER: Carrier = Carrier {
    name: "wasm",
    subject: "FILE",
    ends: module::ENDS,
    summary: "WebAssembly, binary or text: contained, limited, the same on any machine",
    contained: true,
    allowed: "always: a module cannot touch anything but its own memory",
    params: &[
        ParamSpec {
            name: "fuel",
            kind: ParamKind::Count { least: 1, infinite: false },
            default: "500000000",
            help: "instructions that one call may take",
            ..ParamSpec::PLAIN
        },
        ParamSpec {
            name: "memory",
            kind: ParamKind::Count { least: 1, infinite: false },
            default: "256",
            help: "memory in MiB",
            ..ParamSpec::PLAIN
        },
    ],
    load,
};

/// The most bytes of a description.
const LONGEST: usize = 1 << 20;

fn load(path: &str, options: &Params, _: Allowed) -> Result<Loaded, LoadError> {
    let engine = limits::engine();
    let module = module::load(path, &engine)?;
    let option = |name| options.count(name).unwrap_or(u64::MAX);
    let source = CompiledModule { engine, module, fuel: option("fuel"), memory: option("memory") };
    let told = describe(&source).map_err(|fault| LoadError::Fault { path: path.into(), fault })?;
    let wrong = |why: String| LoadError::Description { path: path.into(), why };
    let text = std::str::from_utf8(&told).map_err(|_| wrong("the description is not UTF-8".into()))?;
    let abouts = About::parse(text).map_err(|why| wrong(one_line(why.as_bytes())))?;
    check(&source, &abouts).map_err(|fault| LoadError::Fault { path: path.into(), fault })?;
    Ok(Loaded { abouts, library: Arc::new(source) })
}

/// Checks the version, and then reads the description.
fn describe(source: &CompiledModule) -> Result<Vec<u8>, Fault> {
    usable(source, functions::VERSION, "() -> i32")?;
    let mut guest = Guest::new(source)?;
    let version = guest.function(functions::VERSION)?;
    let given: u32 = guest.call(functions::VERSION, version, ())?;
    if given != abi::VERSION {
        return Err(Fault::Version { given: given.to_string(), wanted: abi::VERSION });
    }
    usable(source, functions::DESCRIBE, "() -> i32")?;
    let describe = guest.function(functions::DESCRIBE)?;
    let at: u32 = guest.call(functions::DESCRIBE, describe, ())?;
    if at == 0 {
        return Err(guest.gave_up(functions::DESCRIBE, None, 0));
    }
    guest.text(functions::DESCRIBE, at, LONGEST).map(<[u8]>::to_vec)
}

/// Checks the functions that its policies use.
fn check(source: &CompiledModule, abouts: &[About]) -> Result<(), Fault> {
    usable(source, functions::INIT, "(i32) -> i32")?;
    usable(source, functions::DEINIT, "(i32) -> ()")?;
    usable(source, functions::ROOM, "(i32) -> i32")?;
    let holds = |kind| abouts.iter().any(|about| about.kind == kind);
    let wanted = [
        (functions::ORDER, "(i32, i32, i32) -> i32", holds(GuestKind::Order)),
        (functions::DECIDE, "(i32, i32) -> i32", holds(GuestKind::Policy)),
        (functions::FAULT, "(i32) -> i32", false),
    ];
    for (name, kind, needed) in wanted {
        if needed || source.module.get_export(name).is_some() {
            usable(source, name, kind)?;
        }
    }
    Ok(())
}

fn usable(source: &CompiledModule, name: &str, wanted: &str) -> Result<(), Fault> {
    module::check(&source.module, name, wanted).map_err(|why| Fault::Function { name: name.into(), why })
}

impl Library for CompiledModule {
    fn begin(&self, begin: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        Ok(Box::new(Talk::begin(self, begin)?))
    }
}
