//! The gate between this module's threads and the interpreter, which closes when the interpreter ends.
//!
//! A thread that needs the interpreter's lock while the interpreter ends is ended by Python where it waits for it, within
//! frames of Rust, which aborts the process. So every thread passes the gate before it takes the lock: it is inside until it
//! gives the lock back. [`close`] runs before the interpreter ends: it interrupts the threads inside, waits until they have
//! left, and keeps all others outside for good; the end of the process ends them.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::course;

/// How long threads inside may take to leave after an interrupt, and then again those that ignored it.
const PATIENCE: Duration = Duration::from_secs(1);

const PAUSE: Duration = Duration::from_millis(20);

struct Gate {
    /// The thread that has closed the gate, and passes it; 0 while the gate is open.
    closer: u64,
    /// Threads inside, each with its number in Python; 0 before it is known.
    inside: BTreeMap<u64, u64>,
}

static GATE: Mutex<Gate> = Mutex::new(Gate { closer: 0, inside: BTreeMap::new() });
static LEFT: Condvar = Condvar::new();
static NUMBERS: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The number of this thread at the gate.
    static NUMBER: u64 = NUMBERS.fetch_add(1, Ordering::Relaxed);
    /// Its number in Python; 0 before it is known.
    static IDENTITY: Cell<u64> = const { Cell::new(0) };
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

fn gate() -> MutexGuard<'static, Gate> {
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn is_closed() -> bool {
    gate().closer != 0
}

/// A thread inside, until it is dropped.
pub struct GateGuard {
    /// Whether this value has brought it inside.
    entered: bool,
}

impl GateGuard {
    /// Passes the gate; a thread that comes too late waits here for the end of the process.
    pub fn enter() -> GateGuard {
        let entered = !IS_INSIDE.get();
        if entered {
            pass();
        }
        GateGuard { entered }
    }
}

impl Drop for GateGuard {
    fn drop(&mut self) {
        if self.entered {
            leave();
        }
    }
}

fn pass() {
    let number = NUMBER.with(|number| *number);
    let mut gate = gate();
    if gate.closer != 0 && gate.closer != number {
        drop(gate);
        wait_for_the_end();
        return;
    }
    gate.inside.insert(number, IDENTITY.get());
    IS_INSIDE.set(true);
}

fn leave() {
    IS_INSIDE.set(false);
    gate().inside.remove(&NUMBER.with(|number| *number));
    LEFT.notify_all();
}

fn wait_for_the_end() {
    loop {
        thread::park();
    }
}

/// The number of this thread in Python.
pub fn identity(py: Python<'_>) -> u64 {
    if IDENTITY.get() == 0 {
        let threading = py.import("threading");
        let identity = threading.and_then(|threading| threading.call_method0("get_ident")?.extract());
        IDENTITY.set(identity.unwrap_or(0));
        if let Some(inside) = gate().inside.get_mut(&NUMBER.with(|number| *number)) {
            *inside = IDENTITY.get();
        }
    }
    IDENTITY.get()
}

pub fn attached<T>(task: impl FnOnce(Python<'_>) -> T) -> T {
    let _inside = GateGuard::enter();
    Python::attach(|py| {
        identity(py);
        task(py)
    })
}

/// Gives the interpreter's lock back for a task, and takes it again.
pub fn detached<T: Send>(py: Python<'_>, task: impl FnOnce() -> T + Send) -> T {
    let was_inside = IS_INSIDE.get();
    if was_inside {
        leave();
    }
    let done = py.detach(|| {
        let done = task();
        pass();
        done
    });
    if !was_inside {
        leave();
    }
    done
}

/// Closes the gate: `atexit` calls it, before the interpreter ends.
///
/// Work is abandoned, and policies in Python are interrupted. One that ignores this is held where it is.
#[pyfunction]
pub fn close(py: Python<'_>) {
    let own = NUMBER.with(|number| *number);
    gate().closer = own;
    course::abandon_all();
    for way in ["interrupt", "hold"] {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            let others = others(own);
            if others.is_empty() {
                break;
            }
            for identity in others {
                raise(py, way, identity);
            }
            py.detach(|| {
                let _ = LEFT.wait_timeout(gate(), PAUSE);
            });
        }
    }
    drop(batchlab::parsers::discard_unfinished());
}

/// `way` is `interrupt` or `hold`; the exception is raised where the thread runs Python.
pub fn raise(py: Python<'_>, way: &str, identity: u64) {
    if identity != 0 {
        // Without the module nothing of the package runs.
        let _ = py.import("batchlab._errors").and_then(|module| module.call_method1(way, (identity,)));
    }
}

/// The threads inside besides one, as Python numbers them.
fn others(own: u64) -> Vec<u64> {
    gate().inside.iter().filter(|(number, _)| **number != own).map(|(_, identity)| *identity).collect()
}

/// Holds the thread of a policy that ignores interrupts, until the end of the process.
#[pyfunction]
pub fn hold(py: Python<'_>) {
    leave();
    py.detach(wait_for_the_end);
}

/// Forgets the threads of the parent: `os.fork` left them behind.
#[pyfunction]
pub fn forked() {
    let mut gate = gate();
    gate.closer = 0;
    let own = NUMBER.with(|number| *number);
    gate.inside.retain(|number, _| *number == own);
    drop(gate);
    course::forget_all();
}
