//! What a policy in Python sees at a decision, and its verbs: the turns of the module `batchlab_policy`, natively.

use batchlab::policies::Event;
use batchlab::policies::external::{Asked, ToldJob, Verb};
use batchlab::policies::placement::{Placement, Rate, Share};
use batchlab::traces::capacity::Closure;
use batchlab::traces::{JobId, Time};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::job::{Job, rounded_up, seconds, time};

/// The events since the last decision, and the verbs of this one.
#[pyclass(module = "batchlab._batchlab")]
pub struct Turn {
    #[pyo3(get)]
    machine: Py<PyAny>,
    kinds: usize,
    is_pool: bool,
    /// The resource that comes in devices, and their size; `None` if the policy does not look at devices.
    devices: Option<(usize, i64)>,
    /// Every job that has not ended, by its number in this replay.
    #[pyo3(get)]
    jobs: Py<PyDict>,
    /// Node by node, of each resource.
    #[pyo3(get)]
    free: Py<PyList>,
    /// What is free of each device, node by node.
    #[pyo3(get)]
    free_devices: Py<PyList>,
    /// What is in service, node by node, of each resource.
    #[pyo3(get)]
    in_service: Py<PyList>,
    /// What is known to go out of service: beginning, end, node, amounts.
    #[pyo3(get)]
    foreseen: Py<PyList>,
    #[pyo3(get)]
    woke: bool,
    #[pyo3(get)]
    capacity_changed: bool,
    told: Told,
    /// Nodes where verbs have reduced what is free.
    touched: Vec<usize>,
    now: Time,
    random: u64,
    lists: [Listed; 5],
    ended: Vec<(JobId, Py<Job>, Time)>,
    refused: Vec<(usize, Option<JobId>, &'static str, String)>,
    verbs: Vec<Verb>,
}

#[derive(Default)]
struct Told {
    free: Vec<i64>,
    devices: Vec<i64>,
    most: usize,
    in_service: Vec<i64>,
    foreseen: Vec<Closure>,
}

/// Jobs of events of a kind. The list is made when the policy looks.
#[derive(Default)]
struct Listed {
    jobs: Vec<Py<Job>>,
    list: Option<Py<PyList>>,
}

const SUBMITTED: usize = 0;
const FINISHED: usize = 1;
const RELEASED: usize = 2;
const DISPLACED: usize = 3;
const KILLED: usize = 4;

fn no_job(job: JobId) -> PyErr {
    PyKeyError::new_err(format!("job {} is unknown or has ended", job.0))
}

impl Turn {
    /// The turn of an empty machine, before a replay begins.
    pub fn new(
        py: Python<'_>,
        machine: Py<PyAny>,
        nodes: &batchlab::traces::Machine,
        looks_at_devices: bool,
    ) -> PyResult<Turn> {
        let kinds = nodes.kinds();
        let amounts = || (0..nodes.nodes()).map(|node| nodes.capacity(node).to_vec());
        let devices = nodes.devices().filter(|_| looks_at_devices);
        let most = devices.map_or(0, |devices| devices.most());
        let of_devices: Vec<Vec<i64>> = (0..nodes.nodes())
            .map(|node| if devices.is_some() { nodes.amounts(node).split_off(kinds) } else { Vec::new() })
            .collect();
        let told = Told {
            free: amounts().flatten().collect(),
            devices: of_devices.concat(),
            most,
            in_service: amounts().flatten().collect(),
            foreseen: Vec::new(),
        };
        Ok(Turn {
            machine,
            kinds,
            is_pool: nodes.is_pool(),
            devices: devices.map(|devices| (devices.resource(), devices.size())),
            jobs: PyDict::new(py).unbind(),
            free: PyList::new(py, amounts())?.unbind(),
            free_devices: PyList::new(py, of_devices)?.unbind(),
            in_service: PyList::new(py, amounts())?.unbind(),
            foreseen: PyList::empty(py).unbind(),
            woke: false,
            capacity_changed: false,
            told,
            touched: Vec::new(),
            now: Time::ZERO,
            random: 0,
            lists: std::array::from_fn(|_| Listed::default()),
            ended: Vec::new(),
            refused: Vec::new(),
            verbs: Vec::new(),
        })
    }

    /// Begins a decision. O(events + nodes · K).
    pub fn begin(&mut self, py: Python<'_>, asked: &Asked<'_, '_>) -> PyResult<()> {
        (self.now, self.random) = (asked.turn.now(), asked.random);
        for listed in &mut self.lists {
            listed.jobs.clear();
            listed.list = None;
        }
        self.ended.clear();
        (self.woke, self.capacity_changed) = (false, false);
        let refused = asked.refused.iter().map(|(at, refused)| {
            (*at, self.verbs.get(*at).and_then(Verb::job), refused.reason.code(), refused.to_string())
        });
        self.refused = refused.collect();
        self.verbs.clear();
        for event in asked.events {
            self.happened(py, asked, *event)?;
        }
        self.tell_free(py, asked)?;
        self.tell_capacity(py, asked)
    }

    pub fn verbs(&self) -> &[Verb] {
        &self.verbs
    }

    fn happened(&mut self, py: Python<'_>, asked: &Asked<'_, '_>, event: Event) -> PyResult<()> {
        let jobs = self.jobs.bind(py);
        let known = |job: JobId| -> PyResult<Py<Job>> {
            let found = jobs.get_item(job.0)?.ok_or_else(|| no_job(job))?;
            Ok(found.cast_into::<Job>()?.unbind())
        };
        match event {
            Event::Submitted(id) => {
                let job = Py::new(py, Job::new(ToldJob::new(asked, id)))?;
                jobs.set_item(id.0, &job)?;
                self.lists[SUBMITTED].jobs.push(job);
            }
            Event::Finished(id) | Event::Killed(id) => {
                let job = known(id)?;
                jobs.del_item(id.0)?;
                if matches!(event, Event::Killed(_)) {
                    self.lists[KILLED].jobs.push(job.clone_ref(py));
                }
                self.lists[FINISHED].jobs.push(job.clone_ref(py));
                self.ended.push((id, job, asked.turn.ended(id).unwrap_or(self.now)));
            }
            Event::Released(id) => self.lists[RELEASED].jobs.push(known(id)?),
            Event::Displaced(id) => self.lists[DISPLACED].jobs.push(known(id)?),
            Event::Capacity(_) if asked.asks.capacity => self.capacity_changed = true,
            Event::Capacity(_)
            | Event::Woke(_)
            | Event::Loaded(_)
            | Event::Suspended(_)
            | Event::Resumed(_) => self.woke = true,
        }
        Ok(())
    }

    fn tell_free(&mut self, py: Python<'_>, asked: &Asked<'_, '_>) -> PyResult<()> {
        let (free, kinds) = (self.free.bind(py), self.kinds);
        if self.is_pool {
            self.touched.clear();
            return free.set_item(0, PyList::new(py, &asked.turn.free(0)[..kinds])?);
        }
        for (node, told) in self.told.free.chunks_mut(kinds).enumerate() {
            let now = &asked.turn.free(node)[..kinds];
            if now != told {
                told.copy_from_slice(now);
                self.touched.push(node);
            }
        }
        let most = self.told.most;
        if most > 0 {
            for (node, told) in self.told.devices.chunks_mut(most).enumerate() {
                let now = &asked.turn.room(node)[kinds..];
                if now != told {
                    told.copy_from_slice(now);
                    self.touched.push(node);
                }
            }
        }
        for node in self.touched.drain(..) {
            free.set_item(node, PyList::new(py, &self.told.free[node * kinds..][..kinds])?)?;
            if most > 0 {
                let devices = PyList::new(py, &self.told.devices[node * most..][..most])?;
                self.free_devices.bind(py).set_item(node, devices)?;
            }
        }
        Ok(())
    }

    fn tell_capacity(&mut self, py: Python<'_>, asked: &Asked<'_, '_>) -> PyResult<()> {
        if self.capacity_changed {
            for (node, told) in self.told.in_service.chunks_mut(self.kinds).enumerate() {
                let now = asked.in_service(node);
                if now != told {
                    told.copy_from_slice(&now);
                    self.in_service.bind(py).set_item(node, PyList::new(py, now)?)?;
                }
            }
        }
        if asked.asks.foresight && asked.turn.foreseen() != self.told.foreseen {
            self.told.foreseen = asked.turn.foreseen().to_vec();
            let list = PyList::empty(py);
            for closure in &self.told.foreseen {
                let (from, to) = (seconds(py, closure.from)?, seconds(py, closure.to)?);
                list.append((from, to, closure.node, &closure.amounts[..self.kinds]))?;
            }
            self.foreseen = list.unbind();
        }
        Ok(())
    }

    fn list(&mut self, py: Python<'_>, which: usize) -> PyResult<Py<PyList>> {
        let Listed { jobs, list } = &mut self.lists[which];
        if list.is_none() {
            *list = Some(PyList::new(py, &*jobs)?.unbind());
        }
        list.as_ref().map(|list| list.clone_ref(py)).ok_or_else(|| PyTypeError::new_err("no list"))
    }

    fn amounts<'py>(&self, py: Python<'py>, node: usize) -> PyResult<Bound<'py, PyList>> {
        Ok(self.free.bind(py).get_item(node)?.cast_into()?)
    }

    /// Reduces the free amounts of a node by what a job takes there.
    fn take(&mut self, py: Python<'_>, node: usize, job: &Job, procs: i64) -> PyResult<()> {
        let free = self.amounts(py, node)?;
        let alone = job.told().exclusive && !self.is_pool;
        for kind in 0..job.kinds().min(self.kinds) {
            let left: i64 = free.get_item(kind)?.extract()?;
            let mut part = if alone { left } else { job.held(kind, procs) };
            if self.devices.is_some_and(|(resource, _)| resource == kind) {
                let of_each: Vec<i64> = self.free_devices.bind(py).get_item(node)?.extract()?;
                let taken = self.devices(py, node, part)?.unwrap_or_else(|| vec![0; of_each.len()]);
                let rest: Vec<i64> = of_each.iter().zip(&taken).map(|(left, here)| left - here).collect();
                self.free_devices.bind(py).set_item(node, rest)?;
                part = taken.iter().sum();
            }
            free.set_item(kind, left - part)?;
        }
        self.touched.push(node);
        Ok(())
    }

    fn push(&mut self, verb: Verb) -> PyResult<()> {
        verb.check_times().map_err(|why| PyValueError::new_err(format!("the verb {why}")))?;
        self.verbs.push(verb);
        Ok(())
    }
}

fn rate_of(given: f64) -> PyResult<Rate> {
    if (0.0..=1.0).contains(&given) {
        Ok(Rate::from_parts((given * f64::from(Rate::WHOLE)).round() as u32))
    } else {
        Err(PyValueError::new_err(format!("a rate of {given}; it is a number from 0 to 1")))
    }
}

/// Verbs and views have the names and the meaning that they have in `batchlab_policy.Turn`.
#[pymethods]
impl Turn {
    #[getter]
    fn now<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        seconds(py, self.now)
    }

    #[getter]
    fn random(&self) -> f64 {
        self.random as f64 / (1u64 << 53) as f64
    }

    #[getter]
    fn submitted(&mut self, py: Python<'_>) -> PyResult<Py<PyList>> {
        self.list(py, SUBMITTED)
    }

    #[getter]
    fn finished(&mut self, py: Python<'_>) -> PyResult<Py<PyList>> {
        self.list(py, FINISHED)
    }

    #[getter]
    fn released(&mut self, py: Python<'_>) -> PyResult<Py<PyList>> {
        self.list(py, RELEASED)
    }

    #[getter]
    fn displaced(&mut self, py: Python<'_>) -> PyResult<Py<PyList>> {
        self.list(py, DISPLACED)
    }

    #[getter]
    fn killed(&mut self, py: Python<'_>) -> PyResult<Py<PyList>> {
        self.list(py, KILLED)
    }

    #[getter]
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let ended = PyDict::new(py);
        for (_, job, at) in &self.ended {
            ended.set_item(job, seconds(py, *at)?)?;
        }
        Ok(ended)
    }

    #[getter]
    fn refused<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let told = |(verb, job, code, reason): &(usize, Option<JobId>, &str, String)| {
            let refused = PyDict::new(py);
            refused.set_item("verb", verb)?;
            if let Some(job) = job {
                refused.set_item("job", job.0)?;
            }
            refused.set_item("code", code)?;
            refused.set_item("reason", reason)?;
            Ok(refused)
        };
        self.refused.iter().map(told).collect()
    }

    #[pyo3(signature = (job, node = 0))]
    fn fits(&self, py: Python<'_>, job: &Bound<'_, Job>, node: usize) -> PyResult<bool> {
        let (job, free) = (job.get(), self.amounts(py, node)?);
        if self.kinds > 1
            && let Some((resource, _)) = self.devices
            && self.devices(py, node, job.need(resource))?.is_none()
        {
            return Ok(false);
        }
        for kind in 0..job.kinds().min(self.kinds) {
            if job.need(kind) > free.get_item(kind)?.extract()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn start(&mut self, py: Python<'_>, job: &Bound<'_, Job>) -> PyResult<()> {
        let job = job.get();
        self.take(py, 0, job, job.told().procs)?;
        self.push(Verb::Start(job.told().job))
    }

    #[pyo3(signature = (job, shares, rate = 1.0))]
    fn place(
        &mut self,
        py: Python<'_>,
        job: &Bound<'_, Job>,
        shares: &Bound<'_, PyAny>,
        rate: f64,
    ) -> PyResult<()> {
        let job = job.get();
        let mut placement = Vec::new();
        for share in shares.try_iter()? {
            let [node, procs]: [i64; 2] = share?.extract()?;
            let node = u32::try_from(node).map_err(|_| PyValueError::new_err(format!("no node {node}")))?;
            placement.push(Share::new(node, procs));
        }
        let rate = rate_of(rate)?;
        for share in &placement {
            self.take(py, share.node as usize, job, share.procs)?;
        }
        self.push(Verb::Place { job: job.told().job, placement: Placement(placement), rate })
    }

    fn rate(&mut self, job: &Bound<'_, Job>, rate: f64) -> PyResult<()> {
        let rate = rate_of(rate)?;
        self.push(Verb::Rate { job: job.get().told().job, rate })
    }

    fn run_only(&mut self, jobs: Vec<Py<Job>>) -> PyResult<()> {
        self.push(Verb::RunOnly(jobs.iter().map(|job| job.get().told().job).collect()))
    }

    #[pyo3(signature = (job, keep = true))]
    fn displace(&mut self, job: &Bound<'_, Job>, keep: bool) -> PyResult<()> {
        self.push(Verb::Displace { job: job.get().told().job, keep })
    }

    fn kill(&mut self, job: &Bound<'_, Job>) -> PyResult<()> {
        self.push(Verb::Kill(job.get().told().job))
    }

    fn wake(&mut self, at: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push(Verb::Wake(time(at)?))
    }

    fn expect(&mut self, job: &Bound<'_, Job>, duration: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push(Verb::Expect { job: job.get().told().job, duration: time(duration)? })
    }

    fn promise(&mut self, job: &Bound<'_, Job>, at: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push(Verb::Promise { job: job.get().told().job, at: time(at)? })
    }

    fn devices(&self, py: Python<'_>, node: usize, amount: i64) -> PyResult<Option<Vec<i64>>> {
        let Some((_, size)) = self.devices else { return Ok(Some(Vec::new())) };
        let free: Vec<i64> = self.free_devices.bind(py).get_item(node)?.extract()?;
        let mut taken = vec![0; free.len()];
        if (1..=size).contains(&amount) {
            let fitting = free.iter().enumerate().filter(|(_, left)| **left >= amount);
            let Some((device, _)) = fitting.min_by_key(|(_, left)| **left) else { return Ok(None) };
            taken[device] = amount;
        } else if amount > size {
            let needed = rounded_up(amount, size) as usize;
            let whole: Vec<usize> = (0..free.len()).filter(|&at| free[at] == size).take(needed).collect();
            if whole.len() < needed {
                return Ok(None);
            }
            for device in whole {
                taken[device] = size;
            }
        }
        Ok(Some(taken))
    }
}
