//! The carrier `so`: shared libraries.
//!
//! A library is native code within the program. It can do anything that the program can: end it by a signal,
//! compute forever, take all memory, write to standard output among the results. Unlike a module it has
//! neither fuel nor a memory limit. Its answers are checked as those of every carrier.

#[expect(
    unsafe_code,
    reason = "native code is called by its address; nothing else in the project needs this"
)]
mod code;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::abi::{VERSION, functions, read_answer, write_setup, write_state};
use super::beside::missing;
use super::carriers::CARRIERS;
use batchlab_contract::plugin::{
    About, Allowed, Asked, Begin, Carrier, Conversation, Fault, GuestKind, Library, LoadError, Loaded, Verb,
    one_line,
};
use batchlab_contract::spec::Params;
use code::{Begun, Code, MOST_TEXT};

/// Shared libraries that implement `policies/abi/batchlab.h`.
pub const CARRIER: Carrier = Carrier {
    name: "so",
    subject: "FILE[#name]",
    ends: &[".so", ".dylib", ".dll"],
    summary: "a shared library with the functions of batchlab.h; native code, which can do anything that you can",
    contained: false,
    allowed: "by --allow-native, wherever the library is named",
    params: &[],
    load,
};

/// The first bytes of a WebAssembly module.
const MODULE: [u8; 4] = *b"\0asm";

fn load(path: &str, _: &Params, allowed: Allowed) -> Result<Loaded, LoadError> {
    // Without a folder in the path, the system would search its own library folders.
    let file = Path::new(".").join(path);
    let foreign = |why: String| LoadError::Foreign { path: path.into(), carrier: CARRIER.name, why };
    match begins(&file) {
        Err(error) => return Err(missing(path, &error, CARRIER.ends)),
        Ok(None) => return Err(foreign("it is a folder, a pipe or a device, and no file".into())),
        Ok(Some(MODULE)) => {
            return Err(foreign(format!("it is a WebAssembly module, which is named wasm:{path}")));
        }
        Ok(Some(_)) => {}
    }
    if !allowed.native {
        return Err(LoadError::Native { path: path.into() });
    }
    let code = Code::load(&file).map_err(|error| foreign(no_library(path, &error)))?;
    if code.functions().iter().all(|(_, there)| !there) {
        return Err(foreign("it is a library without any function of batchlab.h".into()));
    }
    let fault = |fault| LoadError::Fault { path: path.into(), fault };
    check_version(&code).map_err(fault)?;
    [functions::DESCRIBE, functions::INIT, functions::DEINIT]
        .into_iter()
        .try_for_each(|name| must_have(&code, name))
        .map_err(fault)?;
    let abouts = described(&code).map_err(|why| LoadError::Description { path: path.into(), why })?;
    abouts.iter().try_for_each(|about| must_have(&code, asked_through(about.kind))).map_err(fault)?;
    Ok(Loaded { abouts, library: Arc::new(Native(Arc::new(code))) })
}

/// A library that was loaded and described itself.
#[derive(Debug)]
struct Native(Arc<Code>);

impl Library for Native {
    fn begin(&self, begin: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        let null = || Fault::Answer { during: functions::INIT, why: "it is NULL".into() };
        let mut policy = self.0.init(&write_setup(begin)).ok_or_else(null)?;
        unless_it_says(&mut policy, Ok(()))?;
        Ok(Box::new(Talk { begun: policy, state: Vec::new() }))
    }
}

struct Talk {
    begun: Begun,
    state: Vec<u64>,
}

impl Conversation for Talk {
    fn order(&mut self, columns: &mut Vec<f64>, rows: usize, scores: &mut Vec<f64>) -> Result<(), Fault> {
        scores.clear();
        let answered = self.begun.order(columns, rows).map(|bytes| {
            let (words, _) = bytes.as_chunks();
            scores.extend(words.iter().map(|word| f64::from_ne_bytes(*word)));
        });
        unless_it_says(&mut self.begun, answered)
    }

    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault> {
        write_state(asked, &mut self.state);
        let answered = self.begun.decide(&self.state).and_then(|bytes| read_answer(bytes, verbs));
        unless_it_says(&mut self.begun, answered)
    }

    fn work(&self) -> u64 {
        2 + self.state.len() as u64 / 64
    }

    fn end(&mut self) -> Result<(), Fault> {
        unless_it_says(&mut self.begun, Ok(()))
    }
}

/// The plug-in's own error message takes precedence over an invalid answer.
fn unless_it_says(begun: &mut Begun, answered: Result<(), Fault>) -> Result<(), Fault> {
    match begun.fault() {
        Some(words) => Err(Fault::GaveUp(one_line(&words))),
        None => answered,
    }
}

/// The first bytes of a file; `None` if it is not a regular file, whose reading might never end.
fn begins(file: &Path) -> std::io::Result<Option<[u8; 4]>> {
    if !std::fs::metadata(file)?.is_file() {
        return Ok(None);
    }
    let mut first = Vec::new();
    std::fs::File::open(file)?.take(4).read_to_end(&mut first)?;
    first.resize(4, b' ');
    Ok(first.first_chunk().copied())
}

/// Why the system does not load a file, without repeating its name, and which carrier might.
fn no_library(path: &str, error: &libloading::Error) -> String {
    let words = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    let why = words.split_once(&format!("{path}: ")).map_or(words.as_str(), |(_, why)| why);
    let ends = |carrier: &&Carrier| carrier.ends.iter().any(|end| path.ends_with(end));
    match CARRIERS.iter().find(ends).filter(|carrier| carrier.name != CARRIER.name) {
        Some(other) => format!("{why}; by its name it is one for {}:{path}", other.name),
        None => why.to_owned(),
    }
}

fn check_version(code: &Code) -> Result<(), Fault> {
    must_have(code, functions::VERSION)?;
    match code.version() {
        Some(VERSION) => Ok(()),
        given => Err(Fault::Version { given: given.unwrap_or(0).to_string(), wanted: VERSION }),
    }
}

fn must_have(code: &Code, name: &str) -> Result<(), Fault> {
    let functions = code.functions();
    if functions.contains(&(name, true)) {
        return Ok(());
    }
    let has: Vec<&str> = functions.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
    Err(Fault::Function { name: name.into(), why: format!("it is missing; there are {}", has.join(", ")) })
}

fn described(code: &Code) -> Result<Vec<About>, String> {
    let bytes = code.describe().ok_or("batchlab_describe returns NULL")?;
    if bytes.len() == MOST_TEXT {
        return Err(format!("no 0 ends its description within {MOST_TEXT} bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|error| format!("its description is not UTF-8: {error}"))?;
    About::parse(&text)
}

fn asked_through(kind: GuestKind) -> &'static str {
    match kind {
        GuestKind::Order => functions::ORDER,
        GuestKind::Policy => functions::DECIDE,
    }
}
