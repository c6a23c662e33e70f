//! Long work beside Python: on a thread of its own, without the interpreter's lock, abandoned at a signal.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use batchlab::lab::calls::{Call, Progress};
use batchlab::lab::{Failure, Given};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::course::Course;
use crate::gate::{self, GateGuard};
use crate::raised::{exception, locked};
use crate::registry;

/// The time between two looks at Python's signals; progress is reported as often.
const LOOK: Duration = Duration::from_millis(50);

/// How long abandoned work is waited for. A replay ends at its next decision, and a policy in Python is interrupted within
/// one; what does not look, such as the reading of a log, ends by itself and its result is dropped.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often a policy that goes on is interrupted then, before it is held.
const INTERRUPTS: usize = 60;

/// Options as the package passes them: names with their values.
pub type TypedOptions = Vec<(String, Vec<String>)>;

/// The stack of the thread that works: that of a main thread.
const STACK: usize = 8 << 20;

/// `progress` is called with what is done and, if known, what there is to do, once in a while. An error is the failure as
/// an exception of the package, or an exception of a signal handler, such as `KeyboardInterrupt`, or of `progress`.
pub fn work<T: Send + 'static>(
    py: Python<'_>,
    options: TypedOptions,
    progress: Option<&Bound<'_, PyAny>>,
    task: impl FnOnce(&Call<'_>) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    if gate::is_closed() {
        return Err(PyRuntimeError::new_err("Python is ending: no work is begun any more"));
    }
    let _inside = GateGuard::enter();
    gate::identity(py);
    let course = Course::begin();
    let (sender, receiver) = channel();
    let worker = worker(course.clone(), options, task, sender);
    thread::Builder::new().name("batchlab".into()).stack_size(STACK).spawn(worker)?;
    // A receiver belongs to one thread, which detaching does not change, but its type cannot show.
    let receiver = Mutex::new(receiver);
    let wait = || gate::detached(py, || locked(&receiver).recv_timeout(LOOK));
    loop {
        match wait() {
            Ok(result) => return result.map_err(|failure| exception(py, &failure)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("batchlab failed; its message is on standard error"));
            }
            Err(RecvTimeoutError::Timeout) => {
                let told = progress.map_or(Ok(()), |progress| course.tell(progress));
                if let Err(signal) = look(py).and(told) {
                    course.interrupt.request();
                    let until = Instant::now() + PATIENCE;
                    while Instant::now() < until {
                        course.raise(py, "interrupt");
                        if !matches!(wait(), Err(RecvTimeoutError::Timeout)) {
                            return Err(signal);
                        }
                    }
                    end_guests(course);
                    return Err(signal);
                }
            }
        }
    }
}

fn worker<T: Send + 'static>(
    course: Arc<Course>,
    options: TypedOptions,
    task: impl FnOnce(&Call<'_>) -> Result<T, Failure> + Send + 'static,
    sender: Sender<Result<T, Failure>>,
) -> impl FnOnce() + Send + 'static {
    move || {
        let options: Vec<Given> = options.into_iter().map(|(name, values)| Given { name, values }).collect();
        let counted = course.clone();
        let progress: Progress = Arc::new(move |done, total| counted.set(done, total));
        let registry = registry::of(&course);
        let interrupt = course.interrupt.clone();
        let call = Call { registry: &registry, options: &options, interrupt, progress };
        // Attached once, the thread need not be made known to Python for each decision of a policy in Python.
        let result = gate::attached(|py| gate::detached(py, || task(&call)));
        // After an interrupt the receiver is gone, and sending fails.
        let _ = sender.send(result);
    }
}

/// Raises what signals and other threads ask for.
fn look(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    // An exception that another thread sets here is raised where Python runs.
    py.import("batchlab._errors")?.call_method0("look").map(drop)
}

/// Ends policies in Python that go on after an interrupt: some catch the first, and those that catch all are held.
fn end_guests(course: Arc<Course>) {
    let persist = move || {
        for _ in 0..INTERRUPTS {
            thread::sleep(LOOK);
            if course.is_free() {
                return;
            }
            gate::attached(|py| course.raise(py, "interrupt"));
        }
        gate::attached(|py| course.raise(py, "hold"));
    };
    // Without a thread they end with the process.
    let _ = thread::Builder::new().name("batchlab-end".into()).spawn(persist);
}
