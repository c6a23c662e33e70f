//! Long work beside Python: on a thread of its own, without the interpreter's lock, abandoned at a signal.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use batchlab::lab::calls::{Call, Progress};
use batchlab::lab::{Failure, Given};
use batchlab::policies::external::Fault;
use batchlab::replay::engine::Interrupt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::gate::{self, GateGuard};
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

/// Does work with options, and returns its result.
///
/// `progress` is called with what is done and, if known, what there is to do, once in a while.
///
/// # Errors
/// The failure as an exception of the package; the exception of a signal handler, such as `KeyboardInterrupt`, or of
/// `progress`.
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

/// Returns what the thread does that works.
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
            if locked(&course.guests).is_empty() {
                return;
            }
            gate::attached(|py| course.raise(py, "interrupt"));
        }
        gate::attached(|py| course.raise(py, "hold"));
    };
    // Without a thread they end with the process.
    let _ = thread::Builder::new().name("batchlab-end".into()).spawn(persist);
}

/// Work in progress, as seen from outside.
#[derive(Debug, Default)]
pub struct Course {
    /// The request to abandon it.
    interrupt: Interrupt,
    done: AtomicU64,
    /// 0 if it is unknown.
    total: AtomicU64,
    /// The threads in which policies in Python run, as Python numbers them.
    guests: Mutex<Vec<u64>>,
}

/// All work on its way.
static COURSES: Mutex<Vec<Weak<Course>>> = Mutex::new(Vec::new());

impl Course {
    fn begin() -> Arc<Course> {
        let course = Arc::new(Course::default());
        let mut courses = locked(&COURSES);
        courses.retain(|course| course.strong_count() > 0);
        courses.push(Arc::downgrade(&course));
        course
    }

    /// Runs a part of a policy in Python, which an interrupt ends.
    pub fn guest<T>(&self, part: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, Fault> {
        if self.interrupt.is_requested() {
            return Err(Fault::GaveUp("the work was abandoned".into()));
        }
        gate::attached(|py| {
            let thread = gate::identity(py);
            locked(&self.guests).push(thread);
            let done = part(py).map_err(|error| fault(py, &error));
            let mut guests = locked(&self.guests);
            if let Some(at) = guests.iter().rposition(|guest| *guest == thread) {
                guests.swap_remove(at);
            }
            done
        })
    }

    fn set(&self, done: u64, total: Option<u64>) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    /// Raises an exception in its policies in Python.
    fn raise(&self, py: Python<'_>, way: &str) {
        let guests = locked(&self.guests).clone();
        for thread in guests {
            gate::raise(py, way, thread);
        }
    }

    fn tell(&self, progress: &Bound<'_, PyAny>) -> PyResult<()> {
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|&total| total > 0);
        progress.call1((self.done.load(Ordering::Relaxed), total)).map(|_| ())
    }
}

/// Abandons all work.
pub fn abandon_all() {
    locked(&COURSES).iter().filter_map(Weak::upgrade).for_each(|course| course.interrupt.request());
}

/// Forgets all work, which a parent process does.
pub fn forget_all() {
    locked(&COURSES).clear();
}

/// A thread that panicked left what it held consistent: each change is one call.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    let mut raised = locked(&RAISED);
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
    let mut raised = locked(&RAISED);
    if let Some(at) = raised.iter().rposition(|(of_fault, _)| text.contains(of_fault)) {
        exception.set_cause(py, Some(raised.remove(at).1));
    }
    exception
}
