//! Plug-ins in Rust, version 1: the records of `batchlab.h`, and a macro that exports a policy.
//!
//! Copy this file beside your own; no crate and no Cargo are needed. One source makes a WebAssembly module and a shared
//! library, with Rust 1.63 or later:
//!
//! ```text
//! rustup target add wasm32-unknown-unknown
//! rustc --edition 2021 -O --crate-type cdylib --target wasm32-unknown-unknown -o mine.wasm mine.rs
//! rustc --edition 2021 -O --crate-type cdylib -o mine.so mine.rs
//! ```
//!
//! A panic ends the replay of the policy; its message becomes the program's error message. Times are whole
//! ticks of a microsecond. Jobs are numbered from 0 in the order of submission.

#![allow(dead_code, clippy::all)]
#![warn(unsafe_op_in_unsafe_fn)]

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::mem::size_of;
use std::os::raw::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use std::sync::{Mutex, Once, PoisonError};

pub const VERSION: u32 = 1;
/// One second in ticks.
pub const SECOND: i64 = 1_000_000;
/// The rate of full speed, in parts; divisible by 1 to 16.
pub const FULL_SPEED: i64 = 720_720;

/// The record `batchlab_setup`.
#[repr(C)]
pub struct SetupRecord {
    pub version: u32,
    pub policy: u32,
    pub kinds: u32,
    pub nodes: u32,
    pub overrun: u32,
    pub periodic: u32,
    pub capacity_at: u32,
    pub params_at: u32,
    pub machine_at: u32,
    pub bytes: u32,
}

/// The record `batchlab_event`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub kind: u32,
    pub job: u32,
    pub at: i64,
}

pub const SUBMITTED: u32 = 1;
pub const RELEASED: u32 = 2;
pub const FINISHED: u32 = 3;
pub const KILLED: u32 = 4;
pub const DISPLACED: u32 = 5;
pub const WOKE: u32 = 6;
pub const REFUSED: u32 = 7;
pub const LOADED: u32 = 8;
pub const CAPACITY: u32 = 9;

/// The record `batchlab_job`: what is known of a job at its submission; -1 stands for an unknown value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    pub job: u32,
    pub reserved: u32,
    pub number: i64,
    pub submit: i64,
    pub estimate: i64,
    pub procs: i64,
    pub task_procs: i64,
    pub memory: i64,
    pub run: i64,
    pub user: i64,
    pub group: i64,
    pub executable: i64,
    pub queue: i64,
    pub partition: i64,
}

/// The record `batchlab_state`.
#[repr(C)]
pub struct StateRecord {
    pub now: i64,
    pub random: u64,
    pub events: u32,
    pub jobs: u32,
    pub kinds: u32,
    pub nodes: u32,
    pub events_at: u32,
    pub jobs_at: u32,
    pub demand_at: u32,
    pub free_at: u32,
    pub bytes: u32,
    pub more_at: u32,
}

/// The record `batchlab_more`: what a policy sees only if its needs ask for it.
#[repr(C)]
pub struct MoreRecord {
    pub service_at: u32,
    pub foreseen: u32,
    pub foreseen_at: u32,
    pub amounts_at: u32,
    pub shapes_at: u32,
    pub sites_at: u32,
    pub preceding: u32,
    pub preceding_at: u32,
    pub devices_at: u32,
    pub even_at: u32,
}

/// The record `batchlab_devices`: a resource that comes in devices, such as GPUs; on a node a job has a part of one device,
/// or whole devices.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    /// The position of the resource.
    pub resource: u32,
    /// The devices of the node with most of them.
    pub most: u32,
    /// Units of each device.
    pub size: i64,
}

/// The record `batchlab_closure`: an interval in which a part of a node, or of the pool, is out of service.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closure {
    pub from: i64,
    pub to: i64,
    pub node: u64,
}

/// The record `batchlab_shape`: how a job lies on nodes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub smaller: i64,
    pub smaller_procs: i64,
    pub per_node: i64,
    pub exclusive: i64,
}

/// The record `batchlab_preceding`: a job on which another depended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preceding {
    pub job: u32,
    /// 1: it had to start; 2: it had to end.
    pub milestone: u32,
    pub number: i64,
}

/// The record `batchlab_verb`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerbRecord {
    pub verb: u32,
    pub job: u32,
    pub value: i64,
}

const _: () = assert!(size_of::<SetupRecord>() == 40 && size_of::<StateRecord>() == 56);
const _: () = assert!(size_of::<Event>() == 16 && size_of::<Job>() == 104 && size_of::<VerbRecord>() == 16);
const _: () = assert!(size_of::<MoreRecord>() == 40 && size_of::<Closure>() == 24 && size_of::<Shape>() == 32);
const _: () = assert!(size_of::<Preceding>() == 16 && size_of::<Devices>() == 16);

/// What a policy gets at the beginning of a replay: machine and parameters.
pub struct Setup<'a>(&'a SetupRecord);

impl<'a> Setup<'a> {
    /// Returns the record.
    pub fn record(&self) -> &'a SetupRecord {
        self.0
    }

    /// Returns the capacities, node by node, one amount per resource, processors first.
    pub fn capacity(&self) -> &'a [i64] {
        unsafe { part(self.0, self.0.capacity_at, self.0.nodes as usize * self.0.kinds as usize) }
    }

    /// Returns the value of a parameter declared in the description.
    pub fn param(&self, name: &str) -> &'a str {
        let mut at = self.0.params_at;
        loop {
            let text = unsafe { text(self.0, at) };
            if text.is_empty() {
                panic!("the description declares no parameter `{name}`");
            }
            match text.split_once('=') {
                Some((key, value)) if key == name => return value,
                _ => at += text.len() as u32 + 1,
            }
        }
    }

    /// Returns the machine as JSON: resources, nodes, partitions.
    pub fn machine(&self) -> &'a str {
        unsafe { text(self.0, self.0.machine_at) }
    }
}

/// The state of the replay at a decision, as the policy sees it.
pub struct State<'a>(&'a StateRecord);

impl<'a> State<'a> {
    /// Returns the instant.
    pub fn now(&self) -> i64 {
        self.0.now
    }

    /// Returns a random number below 2^53, derived from the seed of the replay.
    pub fn random(&self) -> u64 {
        self.0.random
    }

    /// Returns what happened since the last decision.
    pub fn events(&self) -> &'a [Event] {
        unsafe { part(self.0, self.0.events_at, self.0.events as usize) }
    }

    /// Returns the jobs submitted since the last decision.
    pub fn jobs(&self) -> &'a [Job] {
        unsafe { part(self.0, self.0.jobs_at, self.0.jobs as usize) }
    }

    /// Returns what each of these jobs demands of each resource.
    pub fn demands(&self) -> &'a [i64] {
        unsafe { part(self.0, self.0.demand_at, self.0.jobs as usize * self.0.kinds as usize) }
    }

    /// Returns the free amounts, node by node, one per resource, processors first.
    pub fn free(&self) -> &'a [i64] {
        unsafe { part(self.0, self.0.free_at, self.0.nodes as usize * self.0.kinds as usize) }
    }

    /// Returns what is in service, as [`State::free`]; empty unless the description needs `capacity`.
    pub fn in_service(&self) -> &'a [i64] {
        let count = self.0.nodes as usize * self.0.kinds as usize;
        self.more().map_or(&[], |more| unsafe { self.asked(more.service_at, count) })
    }

    /// Returns the closures that are known and not over, and the amounts of each resource that each takes out of service;
    /// empty unless the description needs `foresight`.
    pub fn foreseen(&self) -> (&'a [Closure], &'a [i64]) {
        let (closures, amounts, count) =
            self.more().map_or((0, 0, 0), |more| (more.foreseen_at, more.amounts_at, more.foreseen as usize));
        unsafe { (self.asked(closures, count), self.asked(amounts, count * self.0.kinds as usize)) }
    }

    /// Returns how each of these jobs lies on nodes; empty unless the description needs `layout`.
    pub fn shapes(&self) -> &'a [Shape] {
        self.more().map_or(&[], |more| unsafe { self.asked(more.shapes_at, self.0.jobs as usize) })
    }

    /// Returns for each of these jobs the resources of which every node of the job has the same part, as bits by position;
    /// empty unless the description needs `layout`.
    pub fn even(&self) -> &'a [u64] {
        self.more().map_or(&[], |more| unsafe { self.asked(more.even_at, self.0.jobs as usize) })
    }

    /// Returns the devices of nodes, and what is free of each, node by node, `most` for each; `None` unless the description
    /// needs `devices` and the machine has some.
    pub fn devices(&self) -> Option<(Devices, &'a [i64])> {
        let at = self.more()?.devices_at;
        let devices: &[Devices] = unsafe { self.asked(at, 1) };
        let devices = *devices.first()?;
        let count = self.0.nodes as usize * devices.most as usize;
        Some((devices, unsafe { self.asked(at + size_of::<Devices>() as u32, count) }))
    }

    /// Whether the job at a position among these may be on a node; true unless the description needs `layout`.
    pub fn may_be_on(&self, job: usize, node: usize) -> bool {
        let words = (self.0.nodes as usize + 63) / 64;
        let at = self.more().map_or(0, |more| more.sites_at);
        let sites: &[u64] = unsafe { self.asked(at, self.0.jobs as usize * words) };
        sites.get(job * words + node / 64).map_or(true, |bits| bits >> (node % 64) & 1 == 1)
    }

    /// Returns the jobs on which these jobs depended; empty unless the description needs `dependencies`.
    pub fn preceding(&self) -> &'a [Preceding] {
        self.more().map_or(&[], |more| unsafe { self.asked(more.preceding_at, more.preceding as usize) })
    }

    fn more(&self) -> Option<&'a MoreRecord> {
        let at = self.0.more_at;
        unsafe { part::<StateRecord, MoreRecord>(self.0, at, usize::from(at > 0)) }.first()
    }

    /// Returns values that the description may not ask for, at position 0 then.
    unsafe fn asked<T>(&self, at: u32, count: usize) -> &'a [T] {
        if at == 0 { &[] } else { unsafe { part(self.0, at, count) } }
    }
}

/// The verbs of a decision, in the order in which they are to be applied.
#[derive(Default)]
pub struct Answer(Vec<VerbRecord>);

impl Answer {
    pub fn start(&mut self, job: u32) {
        self.say(1, job, 0);
    }

    /// Places a job on nodes, each with its number of processors, at a rate in parts of [`FULL_SPEED`].
    pub fn place(&mut self, job: u32, shares: &[(u32, i64)], rate: i64) {
        self.say(2, job, rate);
        shares.iter().for_each(|&(node, procs)| self.say(3, node, procs));
    }

    pub fn rate(&mut self, job: u32, rate: i64) {
        self.say(4, job, rate);
    }

    pub fn run_only(&mut self, jobs: &[u32]) {
        self.say(5, 0, 0);
        jobs.iter().for_each(|&job| self.say(6, job, 0));
    }

    pub fn displace(&mut self, job: u32, keep: bool) {
        self.say(7, job, keep.into());
    }

    pub fn kill(&mut self, job: u32) {
        self.say(8, job, 0);
    }

    pub fn wake(&mut self, at: i64) {
        self.say(9, 0, at);
    }

    pub fn expect(&mut self, job: u32, duration: i64) {
        self.say(10, job, duration);
    }

    pub fn promise(&mut self, job: u32, at: i64) {
        self.say(11, job, at);
    }

    fn say(&mut self, verb: u32, job: u32, value: i64) {
        self.0.push(VerbRecord { verb, job, value });
    }
}

/// A policy: implement `decide` for the kind `policy`, `order` for the kind `order`.
pub trait Policy: Sized {
    /// The description, as JSON.
    const ABOUT: &'static str;

    /// Creates the policy for one replay; an error says why it cannot work on this machine.
    fn begin(setup: &Setup<'_>) -> Result<Self, String>;

    /// Adds the verbs of this decision to the answer.
    fn decide(&mut self, _state: &State<'_>, _answer: &mut Answer) {
        panic!("this policy only ranks");
    }

    /// Writes the score of each row; the lowest score is served first. `columns[c][row]` is the value of
    /// column c of the description.
    fn order(&mut self, _columns: &[&[f64]], _scores: &mut [f64]) {
        panic!("this policy ranks nothing");
    }
}

/// Exports a policy.
#[macro_export]
macro_rules! export {
    ($policy:ty) => {
        type Guest = $crate::batchlab::Guest<$policy>;

        #[no_mangle]
        extern "C" fn batchlab_version() -> u32 {
            $crate::batchlab::VERSION
        }

        #[no_mangle]
        extern "C" fn batchlab_describe() -> *const std::os::raw::c_char {
            Guest::describe()
        }

        #[no_mangle]
        unsafe extern "C" fn batchlab_init(setup: *const $crate::batchlab::SetupRecord) -> *mut Guest {
            Guest::init(setup)
        }

        #[no_mangle]
        unsafe extern "C" fn batchlab_fault(guest: *mut Guest) -> *const std::os::raw::c_char {
            Guest::fault(guest)
        }

        #[no_mangle]
        unsafe extern "C" fn batchlab_order(guest: *mut Guest, columns: *const f64, rows: u32) -> *const f64 {
            Guest::order(guest, columns, rows)
        }

        #[no_mangle]
        unsafe extern "C" fn batchlab_decide(
            guest: *mut Guest,
            state: *const $crate::batchlab::StateRecord,
        ) -> *const u64 {
            Guest::decide(guest, state)
        }

        #[no_mangle]
        unsafe extern "C" fn batchlab_deinit(guest: *mut Guest) {
            Guest::deinit(guest)
        }

        #[cfg(target_family = "wasm")]
        #[no_mangle]
        extern "C" fn batchlab_room(bytes: u32) -> *mut u64 {
            $crate::batchlab::room(bytes)
        }
    };
}

/// A policy in one replay, with its last answer.
pub struct Guest<P> {
    policy: Option<P>,
    fault: Option<CString>,
    scores: Vec<f64>,
    answer: Answer,
    /// The answer as `batchlab_answer`: the number of verbs, then the verbs, two words each.
    words: Vec<u64>,
    /// Columns of the description.
    columns: usize,
}

impl<P: Policy> Guest<P> {
    pub fn describe() -> *const c_char {
        static TEXT: Mutex<Option<CString>> = Mutex::new(None);
        let mut text = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
        text.get_or_insert_with(|| words(P::ABOUT)).as_ptr()
    }

    pub unsafe fn init(setup: *const SetupRecord) -> *mut Guest<P> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            std::panic::set_hook(Box::new(|panic| {
                let said = words(&panic.to_string().replace(":\n", ": "));
                PANIC.with(|last| last.replace(Some(said)));
            }));
        });
        let mut guest = Guest::<P> {
            policy: None,
            fault: None,
            scores: Vec::new(),
            answer: Answer::default(),
            words: Vec::new(),
            columns: columns(P::ABOUT),
        };
        guest.guarded(|guest| match P::begin(&Setup(unsafe { &*setup })) {
            Ok(policy) => guest.policy = Some(policy),
            Err(why) => guest.fault = Some(words(&why)),
        });
        Box::into_raw(Box::new(guest))
    }

    /// Returns the message of the last error. The program calls this after a trap of a module too, with NULL
    /// if `init` trapped.
    pub unsafe fn fault(guest: *mut Guest<P>) -> *const c_char {
        static TOLD: Mutex<Option<CString>> = Mutex::new(None);
        if let Some(fault) = unsafe { guest.as_ref() }.and_then(|guest| guest.fault.as_ref()) {
            return fault.as_ptr();
        }
        // A panic in a library is caught and stored with the replay it belongs to.
        let panic = if cfg!(target_family = "wasm") { PANIC.with(RefCell::take) } else { None };
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        panic.map_or(std::ptr::null(), |panic| told.insert(panic).as_ptr())
    }

    pub unsafe fn order(guest: *mut Guest<P>, columns: *const f64, rows: u32) -> *const f64 {
        let (guest, rows) = (unsafe { &mut *guest }, rows as usize);
        let all = unsafe { slice::from_raw_parts(columns, rows * guest.columns) };
        guest.scores.clear();
        guest.scores.resize(rows, f64::NAN);
        let columns: Vec<&[f64]> = all.chunks_exact(rows.max(1)).collect();
        guest.guarded(|Guest { policy, scores, .. }| policy.as_mut().unwrap().order(&columns, scores));
        guest.scores.as_ptr()
    }

    pub unsafe fn decide(guest: *mut Guest<P>, state: *const StateRecord) -> *const u64 {
        let (guest, state) = unsafe { (&mut *guest, State(&*state)) };
        guest.answer.0.clear();
        guest.guarded(|Guest { policy, answer, .. }| policy.as_mut().unwrap().decide(&state, answer));
        let Guest { words, answer, .. } = guest;
        words.clear();
        words.push(answer.0.len() as u64);
        let two = |verb: &VerbRecord| [u64::from(verb.verb) | u64::from(verb.job) << 32, verb.value as u64];
        words.extend(answer.0.iter().flat_map(two));
        words.as_ptr()
    }

    pub unsafe fn deinit(guest: *mut Guest<P>) {
        drop(unsafe { Box::from_raw(guest) });
    }

    /// Runs code that may panic. In a module a panic is a trap; in a library it must not cross the function
    /// boundary.
    fn guarded(&mut self, work: impl FnOnce(&mut Guest<P>)) {
        if catch_unwind(AssertUnwindSafe(|| work(&mut *self))).is_err() {
            self.fault = Some(PANIC.with(RefCell::take).unwrap_or_else(|| words("it panicked")));
        }
    }
}

thread_local! {
    /// The message of the last panic of this thread.
    static PANIC: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Returns a buffer for data that the program passes in; the previous buffer is released.
pub fn room(bytes: u32) -> *mut u64 {
    static ROOM: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let mut room = ROOM.lock().unwrap_or_else(PoisonError::into_inner);
    room.resize((bytes as usize + 7) / 8, 0);
    room.as_mut_ptr()
}

/// Returns a text as a C string, without zero bytes inside it.
fn words(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// Counts the columns of a description: the strings in the array after `"columns"`.
fn columns(about: &str) -> usize {
    let rest = about.split_once("\"columns\"").and_then(|(_, rest)| rest.split_once('['));
    let array = rest.and_then(|(_, rest)| rest.split_once(']')).map_or("", |(array, _)| array);
    array.matches('"').count() / 2
}

/// Returns `count` values at byte offset `at` of a record.
unsafe fn part<'a, R, T>(record: &'a R, at: u32, count: usize) -> &'a [T] {
    let record = record as *const R;
    unsafe { slice::from_raw_parts(record.cast::<u8>().add(at as usize).cast::<T>(), count) }
}

/// Returns the zero-terminated text at byte offset `at` of a record.
unsafe fn text<'a, R>(record: &'a R, at: u32) -> &'a str {
    let record = record as *const R;
    let text = unsafe { CStr::from_ptr(record.cast::<u8>().add(at as usize).cast()) };
    text.to_str().unwrap_or_default()
}
