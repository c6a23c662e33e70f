//! Long work beside Python: on a thread of its own, without the interpreter's lock, abandoned at a signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use batchlab::cli::calls::{Call, Progress};
use batchlab::cli::{Failure, Given};
use batchlab::replay::engine::Interrupt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::REGISTRY;

/// The time between two looks at Python's signals; progress is reported as often.
const LOOK: Duration = Duration::from_millis(50);

/// How long abandoned work is waited for. A replay ends at its next decision; what does not look, such as the reading of a
/// log, ends by itself and its result is dropped.
const PATIENCE: Duration = Duration::from_millis(500);

/// Options as the package passes them: names with their values.
pub type Options = Vec<(String, Vec<String>)>;

/// Does work with options, and returns its result.
///
/// `progress` is called with what is done and, if known, what there is to do, once in a while.
///
/// # Errors
/// The failure as an exception of the package; the exception of a signal handler, such as `KeyboardInterrupt`, or of
/// `progress`.
pub fn work<T: Send + 'static>(
    py: Python<'_>,
    options: Options,
    progress: Option<&Bound<'_, PyAny>>,
    task: impl FnOnce(&Call<'_>) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let interrupt = Interrupt::default();
    let done = Arc::new(Done::default());
    let (sender, receiver) = channel();
    let (asked, counted) = (interrupt.clone(), done.clone());
    let worker = move || {
        let options: Vec<Given> = options.into_iter().map(|(name, values)| Given { name, values }).collect();
        let progress: Progress = Arc::new(move |done, total| counted.set(done, total));
        let call = Call { registry: &REGISTRY, options: &options, interrupt: asked, progress };
        // Nobody listens after an interrupt.
        let _ = sender.send(task(&call));
    };
    thread::Builder::new().name("batchlab".into()).spawn(worker)?;
    // A receiver belongs to one thread, which detaching does not change, but its type cannot tell.
    let receiver = std::sync::Mutex::new(receiver);
    let wait = |time: Duration| {
        py.detach(|| receiver.lock().unwrap_or_else(std::sync::PoisonError::into_inner).recv_timeout(time))
    };
    loop {
        match wait(LOOK) {
            Ok(result) => return result.map_err(|failure| exception(py, &failure)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("batchlab failed; its message is on standard error"));
            }
            Err(RecvTimeoutError::Timeout) => {
                let told = progress.map_or(Ok(()), |progress| done.tell(progress));
                if let Err(signal) = py.check_signals().and(told) {
                    interrupt.request();
                    let until = Instant::now() + PATIENCE;
                    while Instant::now() < until && matches!(wait(LOOK), Err(RecvTimeoutError::Timeout)) {}
                    return Err(signal);
                }
            }
        }
    }
}

/// What is done of the work.
#[derive(Default)]
struct Done {
    done: AtomicU64,
    /// 0 if it is unknown.
    total: AtomicU64,
}

impl Done {
    fn set(&self, done: u64, total: Option<u64>) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    fn tell(&self, progress: &Bound<'_, PyAny>) -> PyResult<()> {
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|&total| total > 0);
        progress.call1((self.done.load(Ordering::Relaxed), total)).map(|_| ())
    }
}

/// Returns a failure as an exception of the package.
pub fn exception(py: Python<'_>, failure: &Failure) -> PyErr {
    let made = py.import("batchlab._errors").and_then(|module| module.getattr("of_code"));
    match made.and_then(|of_code| of_code.call1((failure.code(), failure.to_string()))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
