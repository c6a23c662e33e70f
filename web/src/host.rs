//! The functions that the host calls and the one that it provides.
//!
//! The host writes into buffers and reads from them; no pointer is followed here. `unsafe` marks names that the linker must keep
//! as they are, and a function whose type only the host can vouch for.
#![expect(
    unsafe_code,
    reason = "the linker keeps names only by such an attribute; no pointer is dereferenced"
)]

use std::cell::RefCell;

use crate::{Answer, Laboratory};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Reports what is done, and what there is to do if it is known, else 0.
    safe fn progress(done: f64, total: f64);
}

/// What a worker has: its laboratory, and the buffers of a question and of its answer.
struct State {
    laboratory: Laboratory,
    /// The question, as JSON.
    question: Vec<u8>,
    /// The bytes that come with a question.
    payload: Vec<u8>,
    answer: Answer,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State {
        laboratory: Laboratory::new(|done, total| progress(done as f64, total.unwrap_or(0) as f64)),
        question: Vec::new(),
        payload: Vec::new(),
        answer: Answer::default(),
    });
}

/// Makes room for a question of `len` bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn question(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| room(&mut state.question, len))
}

/// Makes room for `len` bytes that come with a question and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn payload(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| room(&mut state.payload, len))
}

/// Answers the question.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    STATE.with_borrow_mut(|state| {
        state.answer = Answer::default();
        let (question, payload) = (std::mem::take(&mut state.question), std::mem::take(&mut state.payload));
        state.answer = state.laboratory.answer(&question, payload);
    });
}

/// Returns the address of the answer's JSON.
#[unsafe(no_mangle)]
pub extern "C" fn json() -> *const u8 {
    STATE.with_borrow(|state| state.answer.json.as_ptr())
}

/// Returns the length of the answer's JSON.
#[unsafe(no_mangle)]
pub extern "C" fn json_len() -> usize {
    STATE.with_borrow(|state| state.answer.json.len())
}

/// Returns the address of the answer's bytes.
#[unsafe(no_mangle)]
pub extern "C" fn bytes() -> *const u8 {
    STATE.with_borrow(|state| state.answer.bytes.as_ptr())
}

/// Returns the length of the answer's bytes.
#[unsafe(no_mangle)]
pub extern "C" fn bytes_len() -> usize {
    STATE.with_borrow(|state| state.answer.bytes.len())
}

fn room(buffer: &mut Vec<u8>, len: usize) -> *mut u8 {
    *buffer = vec![0; len];
    buffer.as_mut_ptr()
}
