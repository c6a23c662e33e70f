//! Long work beside Python: on a thread of its own, without the interpreter's lock, abandoned at a signal.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use batchlab::cli::calls::{Call, Progress};
use batchlab::cli::{Failure, Given};
use batchlab::policies::external::Fault;
use batchlab::replay::engine::Interrupt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::registry;

/// The time between two looks at Python's signals; progress is reported as often.
const LOOK: Duration = Duration::from_millis(50);

/// How long abandoned work is waited for. A replay ends at its next decision, and a policy in Python is interrupted within
/// one; what does not look, such as the reading of a log, ends by itself and its result is dropped.
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
    let course = Arc::new(Course::default());
    let (sender, receiver) = channel();
    let (asked, counted, noted) = (interrupt.clone(), course.clone(), course.clone());
    let worker = move || {
        let options: Vec<Given> = options.into_iter().map(|(name, values)| Given { name, values }).collect();
        let progress: Progress = Arc::new(move |done, total| counted.set(done, total));
        let registry = registry::now();
        let call = Call { registry: &registry, options: &options, interrupt: asked, progress };
        // Attached once, the thread need not be made known to Python for each decision of a policy in Python.
        let result = Python::attach(|py| {
            noted.thread.store(thread_of(py), Ordering::Relaxed);
            py.detach(|| task(&call))
        });
        // Nobody listens after an interrupt.
        let _ = sender.send(result);
    };
    thread::Builder::new().name("batchlab".into()).spawn(worker)?;
    // A receiver belongs to one thread, which detaching does not change, but its type cannot tell.
    let receiver = Mutex::new(receiver);
    let wait = |time: Duration| {
        py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time))
    };
    loop {
        match wait(LOOK) {
            Ok(result) => return result.map_err(|failure| exception(py, &failure)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("batchlab failed; its message is on standard error"));
            }
            Err(RecvTimeoutError::Timeout) => {
                let told = progress.map_or(Ok(()), |progress| course.tell(progress));
                if let Err(signal) = py.check_signals().and(told) {
                    interrupt.request();
                    course.interrupt(py);
                    let until = Instant::now() + PATIENCE;
                    while Instant::now() < until && matches!(wait(LOOK), Err(RecvTimeoutError::Timeout)) {}
                    return Err(signal);
                }
            }
        }
    }
}

/// What is known of the work from outside.
#[derive(Default)]
struct Course {
    done: AtomicU64,
    /// 0 if it is unknown.
    total: AtomicU64,
    /// The thread that does it, as Python numbers it; 0 before it has begun.
    thread: AtomicU64,
}

impl Course {
    fn set(&self, done: u64, total: Option<u64>) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    /// Interrupts a policy in Python that is deciding.
    fn interrupt(&self, py: Python<'_>) {
        let thread = self.thread.load(Ordering::Relaxed);
        if thread > 0 {
            let module = py.import("batchlab._errors");
            // Without it, the policy is abandoned when it returns.
            let _ = module.and_then(|module| module.call_method1("interrupt", (thread,)));
        }
    }

    fn tell(&self, progress: &Bound<'_, PyAny>) -> PyResult<()> {
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|&total| total > 0);
        progress.call1((self.done.load(Ordering::Relaxed), total)).map(|_| ())
    }
}

fn thread_of(py: Python<'_>) -> u64 {
    let identity =
        py.import("threading").and_then(|threading| threading.call_method0("get_ident")?.extract());
    identity.unwrap_or(0)
}

/// What policies in Python have raised last, with the texts of the faults made of it: the causes of exceptions to come.
static RAISED: Mutex<Vec<(String, PyErr)>> = Mutex::new(Vec::new());

/// The most exceptions of policies that are remembered.
const MOST_RAISED: usize = 8;

/// Returns what a policy raised as a fault.
pub fn fault(py: Python<'_>, error: &PyErr) -> Fault {
    let value = error.value(py);
    if let Some(traceback) = error.traceback(py) {
        let _ = value.setattr("__traceback__", traceback);
    }
    let made = py.import("batchlab._errors").and_then(|module| module.getattr("of_policy"));
    let text = made.and_then(|of_policy| of_policy.call1((value,))?.extract());
    let text: String = text.unwrap_or_else(|_| error.to_string());
    let mut raised = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
    if raised.len() == MOST_RAISED {
        raised.remove(0);
    }
    raised.push((text.clone(), error.clone_ref(py)));
    Fault::GaveUp(text)
}

/// Returns a failure as an exception of the package; what a policy raised is its cause.
pub fn exception(py: Python<'_>, failure: &Failure) -> PyErr {
    let text = failure.to_string();
    let made = py.import("batchlab._errors").and_then(|module| module.getattr("of_code"));
    let exception = match made.and_then(|of_code| of_code.call1((failure.code(), &text))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    };
    let mut raised = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(at) = raised.iter().rposition(|(of_fault, _)| text.contains(of_fault)) {
        exception.set_cause(py, Some(raised.remove(at).1));
    }
    exception
}
