//! What needs a schedule's events in the order of time: the queue's maximum and the loss of capacity.

use batchlab_traces::{JobId, Time};

use super::measurement::Measurement;
use super::window::Window;
use crate::outcome::IntervalKind;

/// Millionths of a processor, so that rates below full speed sum as whole numbers.
const MICRO: i64 = 1_000_000;

/// What one pass over a schedule's events found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Idle processors × ticks over the intervals between arrivals and terminations that begin with a
    /// waiting job (Zhang et al. 2000, equation 2).
    pub idle_while_waiting: f64,
    /// Most jobs that wait at a time of the window; `None` when the window is empty.
    pub most_waiting: Option<u64>,
    /// The same with the drain.
    pub most_waiting_with_drain: Option<u64>,
}

impl Timeline {
    /// Sweeps over the events of an outcome. O(n log n).
    pub fn of(measurement: &Measurement<'_>) -> Timeline {
        if measurement.workload().is_empty() {
            return Timeline::default();
        }
        let mut events = Events::of(measurement);
        let window = *measurement.window();
        let mut most = Most { window, waiting: None };
        let mut most_with_drain = Most { window: window.with_drain(), waiting: None };
        let capacity = i128::from(measurement.machine().procs()) * i128::from(MICRO);
        let mut state = State { at: window.first_submit.ticks(), ..State::default() };
        let mut idle = 0_i128;
        while let Some(at) = events.next_instant() {
            if state.lossy {
                idle += (capacity - state.busy) * i128::from(at - state.at);
            }
            most.held(&state, at);
            most_with_drain.held(&state, at);
            events.apply(at, &mut state);
        }
        most.held(&state, i64::MAX);
        most_with_drain.held(&state, i64::MAX);
        Timeline {
            idle_while_waiting: idle as f64 / MICRO as f64,
            most_waiting: most.waiting,
            most_waiting_with_drain: most_with_drain.waiting,
        }
    }
}

/// The longest queue of a window.
struct Most {
    window: Window,
    waiting: Option<u64>,
}

impl Most {
    /// Takes in a state that held from its instant until another one.
    fn held(&mut self, state: &State, until: i64) {
        let (from, to) = (self.window.from.ticks(), self.window.to.ticks());
        if from <= to && until > from && state.at <= to {
            self.waiting = self.waiting.max(Some(state.waiting.max(0) as u64));
        }
    }
}

/// The system after the events of an instant.
#[derive(Default)]
struct State {
    at: i64,
    waiting: i64,
    busy: i128,
    /// Whether a job waited after the decision at the last arrival or termination.
    lossy: bool,
}

/// Events of one kind in the order of time: instants and changes of busy millionths of processors.
struct Stream {
    events: Vec<(i64, i64)>,
    next: usize,
}

impl Stream {
    fn of(events: impl Iterator<Item = (Time, i64)>) -> Stream {
        let mut events: Vec<(i64, i64)> = events.map(|(at, change)| (at.ticks(), change)).collect();
        if !events.is_sorted_by_key(|event| event.0) {
            events.sort_unstable_by_key(|event| event.0);
        }
        Stream { events, next: 0 }
    }

    fn peek(&self) -> Option<i64> {
        self.events.get(self.next).map(|event| event.0)
    }

    /// Takes all events of an instant: their number and the sum of their changes.
    fn take(&mut self, at: i64) -> (i64, i128) {
        let begin = self.next;
        let mut change = 0;
        while let Some(event) = self.events.get(self.next).filter(|event| event.0 == at) {
            change += i128::from(event.1);
            self.next += 1;
        }
        ((self.next - begin) as i64, change)
    }
}

struct Events {
    arrivals: Stream,
    starts: Stream,
    ends: Stream,
    /// Stretches of jobs' lives, in time sharing only.
    rates: Stream,
}

impl Events {
    fn of(measurement: &Measurement<'_>) -> Events {
        let intervals = &measurement.outcome().intervals;
        // In space sharing a job is busy from start to end; otherwise the intervals tell.
        let whole = if intervals.is_empty() { MICRO } else { 0 };
        let busy = |job: JobId| measurement.workload().procs(job) * whole;
        let running = intervals.iter().filter(|interval| interval.kind == IntervalKind::Run);
        let rates = running.flat_map(|run| {
            let procs = measurement.workload().procs(run.job) as f64;
            let busy = (procs * run.rate * MICRO as f64).round() as i64;
            [(run.from, busy), (run.to, -busy)]
        });
        Events {
            arrivals: Stream::of(measurement.replayed().map(|job| (job.submit, 0))),
            starts: Stream::of(measurement.replayed().map(|job| (job.start, busy(job.job)))),
            ends: Stream::of(measurement.replayed().map(|job| (job.end, -busy(job.job)))),
            rates: Stream::of(rates),
        }
    }

    fn next_instant(&self) -> Option<i64> {
        [&self.arrivals, &self.starts, &self.ends, &self.rates].into_iter().filter_map(Stream::peek).min()
    }

    fn apply(&mut self, at: i64, state: &mut State) {
        let (arrived, _) = self.arrivals.take(at);
        let (started, taken) = self.starts.take(at);
        let (ended, freed) = self.ends.take(at);
        let (_, changed) = self.rates.take(at);
        state.at = at;
        state.waiting += arrived - started;
        state.busy += taken + freed + changed;
        if arrived + ended > 0 {
            state.lossy = state.waiting > 0;
        }
    }
}
