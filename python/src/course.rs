//! Work in progress, which can be abandoned: each has its policies in Python, which an interrupt ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use batchlab::policies::external::Fault;
use batchlab::replay::engine::Interrupt;
use pyo3::prelude::*;

use crate::gate;
use crate::raised::{fault, locked};

/// Work in progress, as seen from outside.
#[derive(Debug, Default)]
pub struct Course {
    pub interrupt: Interrupt,
    done: AtomicU64,
    /// 0 if it is unknown.
    total: AtomicU64,
    /// The threads in which policies in Python run, as Python numbers them.
    guests: Mutex<Vec<u64>>,
}

static COURSES: Mutex<Vec<Weak<Course>>> = Mutex::new(Vec::new());

impl Course {
    /// New work, which [`abandon_all`] abandons.
    pub fn begin() -> Arc<Course> {
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

    /// Records what is done and, if known, what there is to do.
    pub fn set(&self, done: u64, total: Option<u64>) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    pub fn is_free(&self) -> bool {
        locked(&self.guests).is_empty()
    }

    /// Raises an exception in its policies in Python.
    pub fn raise(&self, py: Python<'_>, way: &str) {
        let guests = locked(&self.guests).clone();
        for thread in guests {
            gate::raise(py, way, thread);
        }
    }

    /// Calls a function with what is done and, if known, what there is to do.
    pub fn tell(&self, progress: &Bound<'_, PyAny>) -> PyResult<()> {
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|&total| total > 0);
        progress.call1((self.done.load(Ordering::Relaxed), total)).map(|_| ())
    }
}

pub fn abandon_all() {
    locked(&COURSES).iter().filter_map(Weak::upgrade).for_each(|course| course.interrupt.request());
}

/// After a fork: the work is that of the parent process.
pub fn forget_all() {
    locked(&COURSES).clear();
}
