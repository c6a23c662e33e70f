//! Results of one pass over a schedule's events in order: the longest queue and the loss of capacity.

use batchlab_traces::{JobId, Time};

use super::measured::MeasuredOutcome;
use super::residency;
use super::turns::{Taken, Turns};
use super::window::Window;

/// Millionths of a processor, so that rates below full speed add up as whole numbers.
const MICRO: i64 = 1_000_000;

/// The result of one pass over a schedule's events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Idle processors × ticks over the intervals between arrivals and terminations that begin with a waiting
    /// job (Zhang et al. 2000, equation 2).
    pub idle_while_waiting: f64,
    /// Occupied processors × ticks that went to context switches in these intervals (equation 3).
    pub switching_while_waiting: f64,
    /// The greatest number of waiting jobs in the window; `None` if the window is empty.
    pub most_waiting: Option<u64>,
    /// The same with the drain.
    pub most_waiting_with_drain: Option<u64>,
}

impl Timeline {
    /// Sweeps over the events of an outcome. O(n log n).
    pub fn of(measurement: &MeasuredOutcome<'_>) -> Timeline {
        if measurement.workload().is_empty() {
            return Timeline::default();
        }
        let mut events = Events::of(measurement);
        let window = *measurement.window();
        let mut most = Most { window, waiting: None };
        let mut most_with_drain = Most { window: window.with_drain(), waiting: None };
        let capacity = i128::from(measurement.machine().procs()) * i128::from(MICRO);
        let mut state = State { at: window.first_submit.ticks(), ..State::default() };
        let mut turns = Turns::of(measurement);
        let (mut idle, mut switching) = (0_i128, 0.0);
        let mut interval = Between::default();
        while let Some(at) = events.next_instant() {
            let taken = turns.between(state.at, at);
            if state.lossy {
                let length = i128::from(at - state.at);
                let busy = state.busy * length + taken.occupied * i128::from(MICRO);
                idle += capacity * length - busy;
                interval.add(length, busy, &taken);
            }
            most.held(&state, at);
            most_with_drain.held(&state, at);
            if events.apply(at, &mut state) {
                switching += std::mem::take(&mut interval).switching();
            }
        }
        most.held(&state, i64::MAX);
        most_with_drain.held(&state, i64::MAX);
        Timeline {
            idle_while_waiting: idle as f64 / MICRO as f64,
            switching_while_waiting: switching,
            most_waiting: most.waiting,
            most_waiting_with_drain: most_with_drain.waiting,
        }
    }
}

/// The interval between two arrivals or terminations, if jobs waited.
#[derive(Default)]
struct Between {
    length: i128,
    /// Occupied millionths of processors × ticks.
    busy: i128,
    switches: i128,
    /// Processors × ticks of switches that only some jobs paid.
    paid: i128,
}

impl Between {
    fn add(&mut self, length: i128, busy: i128, taken: &Taken) {
        self.length += length;
        self.busy += busy;
        self.switches += taken.switches;
        self.paid += taken.paid;
    }

    /// Returns T · CS · s · n, where n is the mean number of occupied processors over the interval.
    fn switching(self) -> f64 {
        if self.length == 0 {
            return 0.0;
        }
        let occupied = self.busy as f64 / MICRO as f64 / self.length as f64;
        self.switches as f64 * occupied + self.paid as f64
    }
}

/// The longest queue of a window.
struct Most {
    window: Window,
    waiting: Option<u64>,
}

impl Most {
    /// Takes account of a state that held until another instant.
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
    /// Jobs that are not on the machine.
    away: i64,
    busy: i128,
    /// Whether a job waited after the decision at the last arrival or termination.
    lossy: bool,
}

/// Events of one kind in the order of time: instants, and changes of the busy millionths of processors.
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

    /// Takes all events of an instant: returns their number and the sum of their changes.
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
    /// Intervals of jobs; used only with time sharing.
    rates: Stream,
    /// Jobs that come onto the machine, or leave it.
    residency: Stream,
}

impl Events {
    fn of(measurement: &MeasuredOutcome<'_>) -> Events {
        let outcome = measurement.outcome();
        // In space sharing a job is busy from start to end; otherwise intervals and epochs show when it is.
        let whole = if outcome.shares_time() { 0 } else { MICRO };
        let busy = |job: JobId| measurement.workload().procs(job) * whole;
        let residency = residency::changes(measurement).into_iter();
        // Jobs that switch, migrate or are being read in hold processors too.
        let rates = outcome.intervals.iter().filter(|interval| interval.rate > 0.0).flat_map(|run| {
            let procs = measurement.workload().procs(run.job) as f64;
            let busy = (procs * run.rate * MICRO as f64).round() as i64;
            [(run.from, busy), (run.to, -busy)]
        });
        Events {
            arrivals: Stream::of(measurement.replayed().map(|job| (job.submit, 0))),
            starts: Stream::of(measurement.replayed().map(|job| (job.start, busy(job.job)))),
            ends: Stream::of(measurement.replayed().map(|job| (job.end, -busy(job.job)))),
            rates: Stream::of(rates),
            residency: Stream::of(residency.map(|change| (change.at, change.by))),
        }
    }

    fn next_instant(&self) -> Option<i64> {
        let streams = [&self.arrivals, &self.starts, &self.ends, &self.rates, &self.residency];
        streams.into_iter().filter_map(Stream::peek).min()
    }

    /// Applies all events of an instant; returns whether a job arrived or ended.
    fn apply(&mut self, at: i64, state: &mut State) -> bool {
        let (arrived, _) = self.arrivals.take(at);
        let (started, taken) = self.starts.take(at);
        let (ended, freed) = self.ends.take(at);
        let (_, changed) = self.rates.take(at);
        let (_, came) = self.residency.take(at);
        state.at = at;
        state.waiting += arrived - started;
        state.away += arrived - ended - came as i64;
        state.busy += taken + freed + changed;
        let is_event = arrived + ended > 0;
        if is_event {
            state.lossy = state.away > 0;
        }
        is_event
    }
}
