//! What policies in Python raise, as faults, and failures as exceptions of the package.

use std::sync::{Mutex, MutexGuard, PoisonError};

use batchlab::lab::Failure;
use batchlab::policies::external::Fault;
use pyo3::prelude::*;

/// A thread that panicked left what it held consistent: each change is one call.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What policies in Python have raised last, with the texts of the faults made of it: the causes of exceptions to come.
static RAISED: Mutex<Vec<(String, PyErr)>> = Mutex::new(Vec::new());

const MOST_RAISED: usize = 8;

/// What a policy raised, as a fault.
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

/// A failure as an exception of the package; what a policy raised is its cause.
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
