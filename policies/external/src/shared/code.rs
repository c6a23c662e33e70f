//! Native code: the only `unsafe` code of the project.
//!
//! It cannot be checked that a library's functions have the types of `policies/abi/batchlab.h` and follow
//! its rules; the user vouches for that with `--allow-native`. Checked are the presence of each function,
//! NULL results, and the length that an answer states. The content of an answer is read by safe code, in
//! `abi`.

#![warn(clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block)]

use std::ffi::{c_char, c_void};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

#[cfg(unix)]
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
#[cfg(windows)]
use libloading::os::windows::Library;

use crate::abi::{answer_bytes, functions};
use batchlab_contract::plugin::Fault;

/// The most bytes read of a text; a longer text is truncated.
pub const MOST_TEXT: usize = 1 << 20;

/// A shared library with the functions of the interface that it has.
#[derive(Debug)]
pub struct Code {
    version: Option<unsafe extern "C" fn() -> u32>,
    describe: Option<unsafe extern "C" fn() -> *const c_char>,
    init: Option<unsafe extern "C" fn(*const u64) -> *mut c_void>,
    fault: Option<unsafe extern "C" fn(*mut c_void) -> *const c_char>,
    order: Option<unsafe extern "C" fn(*mut c_void, *const f64, u32) -> *const u8>,
    decide: Option<unsafe extern "C" fn(*mut c_void, *const u64) -> *const u8>,
    deinit: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Keeps the functions loaded.
    _library: Library,
}

/// A policy of a library, begun. Dropping it ends the policy; the library stays loaded until then.
#[derive(Debug)]
pub struct Begun {
    code: Arc<Code>,
    policy: NonNull<c_void>,
}

// SAFETY: by the header a policy belongs to one replay and to no thread. It is called through exclusive
// references only, so by one thread at a time.
unsafe impl Send for Begun {}

impl Code {
    /// Looks up the functions of a library. The system searches its library folders for a path without a folder.
    pub fn load(path: &Path) -> Result<Code, libloading::Error> {
        let library = open(path)?;
        Ok(Code {
            version: look_up(&library, functions::VERSION),
            describe: look_up(&library, functions::DESCRIBE),
            init: look_up(&library, functions::INIT),
            fault: look_up(&library, functions::FAULT),
            order: look_up(&library, functions::ORDER),
            decide: look_up(&library, functions::DECIDE),
            deinit: look_up(&library, functions::DEINIT),
            _library: library,
        })
    }

    /// The functions of the interface, each with whether the library has it.
    pub fn functions(&self) -> [(&'static str, bool); 7] {
        [
            (functions::VERSION, self.version.is_some()),
            (functions::DESCRIBE, self.describe.is_some()),
            (functions::INIT, self.init.is_some()),
            (functions::FAULT, self.fault.is_some()),
            (functions::ORDER, self.order.is_some()),
            (functions::DECIDE, self.decide.is_some()),
            (functions::DEINIT, self.deinit.is_some()),
        ]
    }

    pub fn version(&self) -> Option<u32> {
        let version = self.version?;
        // SAFETY: the user vouches for the function's type.
        Some(unsafe { version() })
    }

    /// `None` if the function returns NULL.
    pub fn describe(&self) -> Option<Vec<u8>> {
        let describe = self.describe?;
        // SAFETY: the user vouches for the function's type.
        text(unsafe { describe() })
    }

    /// `None` if the function returns NULL.
    pub fn init(self: &Arc<Code>, setup: &[u64]) -> Option<Begun> {
        let init = self.init?;
        // SAFETY: the user vouches for the function's type; the record is whole, and outlives the call.
        let policy = unsafe { init(setup.as_ptr()) };
        NonNull::new(policy).map(|policy| Begun { code: Arc::clone(self), policy })
    }
}

impl Begun {
    pub fn fault(&mut self) -> Option<Vec<u8>> {
        let fault = self.code.fault?;
        // SAFETY: the policy is what the library's `batchlab_init` returned, and has not been ended.
        text(unsafe { fault(self.policy.as_ptr()) })
    }

    /// The bytes of one score for each row.
    pub fn order(&mut self, columns: &[f64], rows: usize) -> Result<&[u8], Fault> {
        let order = self.code.order.ok_or_else(|| null(functions::ORDER))?;
        // SAFETY: the policy is what the library's `batchlab_init` returned, and has not been ended; the columns
        // outlive the call.
        let scores = unsafe { order(self.policy.as_ptr(), columns.as_ptr(), rows as u32) };
        let scores = NonNull::new(scores.cast_mut()).ok_or_else(|| null(functions::ORDER))?;
        // SAFETY: by the header there is a score for each row, valid until the next call of the policy; this
        // function borrows the policy exclusively.
        Ok(unsafe { std::slice::from_raw_parts(scores.as_ptr(), rows * size_of::<f64>()) })
    }

    /// The bytes of a whole answer.
    pub fn decide(&mut self, state: &[u64]) -> Result<&[u8], Fault> {
        let decide = self.code.decide.ok_or_else(|| null(functions::DECIDE))?;
        // SAFETY: the policy is what the library's `batchlab_init` returned, and has not been ended; the record is
        // whole, and outlives the call.
        let answer = unsafe { decide(self.policy.as_ptr(), state.as_ptr()) };
        let answer = NonNull::new(answer.cast_mut()).ok_or_else(|| null(functions::DECIDE))?;
        // SAFETY: by the header an answer begins with 8 bytes; the read needs no alignment.
        let head = unsafe { answer.cast::<[u8; 8]>().read() };
        let bytes = answer_bytes(head)?;
        // SAFETY: by the header the answer is as long as it states, and valid until the next call of the
        // policy; this function borrows the policy exclusively.
        Ok(unsafe { std::slice::from_raw_parts(answer.as_ptr(), bytes) })
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(deinit) = self.code.deinit {
            // SAFETY: the policy is what the library's `batchlab_init` returned, and is not used after this
            // call.
            unsafe { deinit(self.policy.as_ptr()) }
        }
    }
}

/// Loads a library with its dependencies; its symbols stay local.
#[cfg(unix)]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: the user vouches for the code that a library runs when it is loaded and unloaded.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
}

#[cfg(windows)]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: the user vouches for the code that a library runs when it is loaded and unloaded.
    unsafe { Library::new(path) }
}

/// A function of the library, of the type that the header gives it. The pointer must not outlive the library.
fn look_up<F: Copy>(library: &Library, name: &str) -> Option<F> {
    // SAFETY: `F` is a pointer to a function, which may be NULL; the user vouches for the function's type.
    let found = unsafe { library.get::<Option<F>>(name) };
    found.ok().and_then(|symbol| *symbol)
}

/// Copies a text up to its terminating 0.
fn text(at: *const c_char) -> Option<Vec<u8>> {
    let first = NonNull::new(at.cast_mut())?.cast::<u8>().as_ptr();
    let mut bytes = Vec::new();
    while bytes.len() < MOST_TEXT {
        let next = first.wrapping_add(bytes.len());
        // SAFETY: by the header a 0 ends the text, and none has been read yet, so this byte belongs to the
        // text.
        match unsafe { next.read() } {
            0 => break,
            byte => bytes.push(byte),
        }
    }
    Some(bytes)
}

fn null(during: &'static str) -> Fault {
    Fault::Answer { during, why: "it is NULL".into() }
}
