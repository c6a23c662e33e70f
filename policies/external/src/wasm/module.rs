//! Loads a module from a file, in binary or text form.

use std::fs::File;
use std::io::{self, Read};

use wasmi::{Engine, ExternType, Module};
use wast::Wat;
use wast::parser::{ParseBuffer, parse};

use crate::abi::functions;
use crate::beside::missing;
use batchlab_contract::plugin::{LoadError, one_line};

pub const ENDS: &[&str] = &[".wasm", ".wat"];

/// The first bytes of a binary module.
const MAGIC: &[u8] = b"\0asm";

/// The most bytes of a file.
const MOST: u64 = 16 << 20;

/// Reads and compiles a module, which must import nothing and export a version.
pub fn load(path: &str, engine: &Engine) -> Result<Module, LoadError> {
    let foreign = |why: String| LoadError::Foreign { path: path.into(), carrier: "wasm", why };
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // Reading a pipe may never end.
        return Err(foreign("it is a folder, a pipe or a device, and no file".into()));
    }
    let bytes = read(path).map_err(|error| missing(path, &error, ENDS))?;
    if bytes.is_empty() {
        return Err(foreign("the file is empty".into()));
    }
    if bytes.len() as u64 > MOST {
        return Err(foreign(format!("it is longer than {} MiB", MOST >> 20)));
    }
    let binary = if bytes.starts_with(MAGIC) { bytes } else { encode(&bytes).map_err(foreign)? };
    let module =
        Module::new(engine, binary).map_err(|error| foreign(one_line(error.to_string().as_bytes())))?;
    let imports: Vec<String> =
        module.imports().map(|import| format!("{}.{}", import.module(), import.name())).collect();
    if !imports.is_empty() {
        return Err(foreign(format!("it imports {}; a plug-in may import nothing", imports.join(", "))));
    }
    if module.get_export(functions::VERSION).is_none() {
        return Err(foreign(format!("it exports no `{}`; {}", functions::VERSION, exports(&module))));
    }
    Ok(module)
}

/// Up to slightly more than the longest allowed.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn encode(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| "it is neither a binary module, which begins with \\0asm, nor text".to_owned())?;
    let said = |error: wast::Error| {
        let (line, column) = error.span().linecol_in(text);
        let message = one_line(error.message().as_bytes());
        format!("line {}, column {}: {message}", line + 1, column + 1)
    };
    let buffer = ParseBuffer::new(text).map_err(said)?;
    parse::<Wat<'_>>(&buffer).and_then(|mut wat| wat.encode()).map_err(said)
}

pub fn exports(module: &Module) -> String {
    let names: Vec<&str> = module.exports().map(|export| export.name()).collect();
    if names.is_empty() { "it exports nothing".into() } else { format!("it exports {}", names.join(", ")) }
}

/// Checks that a module exports a function of a type such as `(i32, i32) -> i32`.
pub fn check(module: &Module, name: &str, wanted: &str) -> Result<(), String> {
    let found = match module.get_export(name) {
        None => return Err(format!("it is not exported; {}", exports(module))),
        Some(ExternType::Func(found)) => {
            let list = |types: &[wasmi::ValType]| {
                let types = types.iter().map(|kind| format!("{kind:?}").to_lowercase());
                types.collect::<Vec<_>>().join(", ")
            };
            let results = list(found.results());
            format!("({}) -> {}", list(found.params()), if results.is_empty() { "()" } else { &results })
        }
        Some(_) => return Err("it is no function".into()),
    };
    if found != wanted {
        return Err(format!("it is {found}, and {wanted} is wanted"));
    }
    Ok(())
}
