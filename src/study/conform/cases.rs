//! Random cases; they depend on the seed only, not on the policy.

mod draw;
mod machine;
mod scene;

use batchlab_support::spec::Chosen;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::capacity::Foresight;
use batchlab_traces::header::RemarkedCount;
use batchlab_traces::reading::{Dependencies, Overrun};
use batchlab_traces::{Field, Header, Number, Record, Time, models};

use super::case::Case;
use batchlab_engine::replay::engine::{Budget, EventOrder};
use draw::Draw;
use machine::DrawnMachine;

/// The kinds of cases to draw; what is `None` is drawn for each case.
#[derive(Clone, Debug)]
pub struct Kinds {
    pub events: Option<EventOrder>,
    pub overrun: Option<Overrun>,
    /// The most resources of machines, including processors; `None` means all known kinds.
    pub resources: Option<usize>,
    pub budget: Budget,
    pub scenes: Scenes,
}

/// What cases may have beside jobs and a machine, as far as the policies take it.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Scenes {
    pub dependencies: bool,
    /// A layout of its own for each job.
    pub layouts: bool,
    pub calendars: bool,
    pub devices: bool,
    /// What is known of the calendar in advance; what is `None` is drawn for each case.
    pub foresight: Option<Foresight>,
}

impl Scenes {
    /// Returns what policies take, and all of it if there are none. Policies that pause or move jobs take no calendar; a
    /// plug-in that decides takes what its description asks for. If only one of two policies plans around known changes,
    /// neither learns of changes in advance.
    #[expect(clippy::needless_pass_by_value, reason = "callers pass iterators")]
    pub fn of<'a>(policies: impl IntoIterator<Item = &'a Chosen> + Clone) -> Scenes {
        let every = |takes: &dyn Fn(&Chosen) -> bool| policies.clone().into_iter().all(takes);
        let asks = |chosen: &Chosen| {
            let plugin = chosen.params().plugin().filter(|plugin| !plugin.is_order());
            plugin.map(|plugin| plugin.about.asks())
        };
        let foresees = |chosen: &Chosen| chosen.needs().foresees;
        let alike = every(&foresees) || every(&|chosen| !foresees(chosen));
        Scenes {
            dependencies: true,
            layouts: every(&|chosen| asks(chosen).is_none_or(|asks| asks.layout)),
            calendars: every(&|chosen| {
                !chosen.needs().time_sharing && asks(chosen).is_none_or(|asks| asks.capacity)
            }),
            devices: every(&|chosen| {
                !chosen.needs().time_sharing && asks(chosen).is_none_or(|asks| asks.devices)
            }),
            foresight: (!alike).then_some(Foresight::None),
        }
    }
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds {
            events: None,
            overrun: None,
            resources: None,
            budget: Budget::of_a_case(),
            scenes: Scenes::default(),
        }
    }
}

/// Draws cases of all kinds; see [`Kinds::cases`].
pub fn cases(count: usize, seed: u64) -> Vec<Case> {
    Kinds::default().cases(count, seed)
}

impl Kinds {
    /// Draws cases: mostly up to 40 jobs with few distinct times, so that many events coincide; one case in twelve has 300 jobs
    /// of Lublin and Feitelson's model, so that queues get long. The first cases do not depend on `count`.
    pub fn cases(&self, count: usize, seed: u64) -> Vec<Case> {
        let one = |index| {
            let draw = |stream| Draw::new(seed, index, stream);
            let case = case(&mut draw(""), self.clone(), seed);
            let case = scene::set_devices(case, &mut draw(", its devices"), self.scenes);
            scene::set(case, &mut draw(", beside its jobs"), self.scenes)
        };
        (0..count).map(one).collect()
    }
}

fn case(draw: &mut Draw, kinds: Kinds, seed: u64) -> Case {
    let order = draw.pick(&[
        EventOrder::Batch,
        EventOrder::SubmitFirst,
        EventOrder::FinishFirst,
        EventOrder::Periodic(Time::from_secs(7)),
    ]);
    let overrun = draw.pick(&[Overrun::Raise, Overrun::Kill, Overrun::Overdue]);
    let (order, overrun) = (kinds.events.unwrap_or(order), kinds.overrun.unwrap_or(overrun));
    let (drawn, mut records) =
        if draw.one_in(12) { long(draw) } else { short(draw, kinds.resources.unwrap_or(usize::MAX)) };
    let max_procs = Some(RemarkedCount { count: drawn.procs(), remark: String::new() });
    let header = Header { max_procs, resources: drawn.declared(), ..Header::default() };
    for (record, number) in records.iter_mut().zip(1..) {
        record.set_whole(Field::Job, number);
        record.set_whole(Field::Status, 1);
        people(draw, record);
        drawn.fill(draw, record);
    }
    Case {
        header,
        records,
        machine: drawn.file(),
        calendar: None,
        foresight: Foresight::default(),
        dependencies: Dependencies::default(),
        layout: None,
        order,
        overrun,
        seed,
        budget: kinds.budget,
    }
}

/// Draws user, group and partition of a job, which log and policy can use.
fn people(draw: &mut Draw, record: &mut Record) {
    record.set_whole(Field::User, draw.between(1, 3));
    record.set_whole(Field::Group, draw.between(1, 2));
}

/// A few jobs that interact: equal times, zero length, the whole machine, and estimates too short, exact or too long.
fn short(draw: &mut Draw, most: usize) -> (DrawnMachine, Vec<Record>) {
    let drawn = DrawnMachine::small(draw, most);
    let count = if draw.one_in(4) { draw.between(1, 4) } else { draw.between(2, 40) };
    let fractions = draw.one_in(6);
    let mut jobs: Vec<Record> = (0..count).map(|_| job(draw, drawn.procs(), fractions)).collect();
    jobs.arrange_by_key(|record| record.get(Field::Submit).to_micro());
    (drawn, jobs)
}

fn job(draw: &mut Draw, procs: i64, fractions: bool) -> Record {
    let mut record = Record::default();
    let submit = if draw.one_in(2) { draw.pick(&[0, 5, 10, 20]) } else { draw.between(0, 59) };
    let run = length(draw);
    let mut set = |draw: &mut Draw, field, seconds: i64| {
        let ticks = if fractions && seconds > 0 { draw.pick(&[0, 500_000, 1, 250_000]) } else { 0 };
        record.set(field, Number::from_micro(seconds * 1_000_000 + ticks));
    };
    set(draw, Field::Submit, submit);
    set(draw, Field::Run, run);
    let request = if draw.one_in(2) { run } else { length(draw) };
    if request > 0 {
        set(draw, Field::RequestedTime, request);
    }
    let size = match draw.below(3) {
        0 => 1,
        1 => procs,
        _ => draw.between(1, procs),
    };
    record.set_whole(Field::Requested, size);
    record
}

fn length(draw: &mut Draw) -> i64 {
    match draw.below(8) {
        0 | 1 => 0,
        2..=5 => draw.pick(&[1, 5, 10, 20]),
        _ => draw.between(0, 29),
    }
}

/// Jobs of a workload model, more than the machine can run at once.
fn long(draw: &mut Draw) -> (DrawnMachine, Vec<Record>) {
    let procs = draw.pick(&[16, 64, 128]);
    let drawn = DrawnMachine::large(draw, procs);
    let seed = draw.below(1 << 32) as u64;
    let settings = ["load=1.5", "estimates=phi:0.3"];
    let trace = models::find("lublin").and_then(|model| model.generate(300, procs as u32, seed, &settings));
    let mut jobs = Vec::new();
    if let Ok(trace) = trace {
        for row in 0..trace.len() {
            let mut record = Record::default();
            for field in [Field::Submit, Field::Run, Field::RequestedTime, Field::Requested] {
                record.set(field, trace.get(row, field));
            }
            jobs.push(record);
        }
    }
    (drawn, jobs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_engine::replay::engine::Scenario;

    #[test]
    fn cases_are_of_every_kind_and_the_same_for_the_same_seed() {
        let all = cases(200, 1);
        let texts = |cases: &[Case]| cases.iter().map(|case| case.swf().unwrap()).collect::<Vec<_>>();
        assert_eq!(texts(&cases(200, 1)), texts(&all));
        assert_eq!(texts(&cases(20, 1)), texts(&all[..20]), "more cases leave the first as they are");
        assert_ne!(texts(&cases(20, 2)), texts(&all[..20]));
        let plays: Vec<_> = all.iter().map(|case| case.play().unwrap()).collect();
        let some = |what: &str, kind: &dyn Fn(&crate::conform::Play) -> bool| {
            let count = plays.iter().filter(|play| kind(play)).count();
            assert!(count >= 5, "{what}: {count}");
        };
        for order in ["batch", "submit-first", "finish-first", "periodic:7"] {
            some(order, &|play| play.scenario.order.to_string() == order);
        }
        for overrun in ["raise", "kill", "overdue"] {
            some(overrun, &|play| play.overrun.to_string() == overrun);
        }
        for kinds in 1..=4 {
            some("pools", &|play| play.scenario.machine.is_pool() && play.scenario.machine.kinds() == kinds);
            some("nodes", &|play| !play.scenario.machine.is_pool() && play.scenario.machine.kinds() == kinds);
        }
        some("partitions", &|play| play.scenario.machine.is_partitioned());
        some("queues", &|play| play.scenario.workload.len() == 300);
        let plain = Kinds {
            events: Some(EventOrder::Batch),
            overrun: Some(Overrun::Kill),
            resources: Some(1),
            ..Kinds::default()
        };
        for play in plain.cases(40, 1).iter().map(|case| case.play().unwrap()) {
            let Scenario { machine, order, .. } = &play.scenario;
            assert_eq!((machine.kinds(), *order, play.overrun), (1, EventOrder::Batch, Overrun::Kill));
        }
        some("one job", &|play| play.scenario.workload.len() < 3);
    }

    #[test]
    fn scenes_are_set_beside_the_jobs() {
        let scenes =
            Scenes { dependencies: true, layouts: true, calendars: true, devices: true, foresight: None };
        let all = Kinds { scenes, ..Kinds::default() }.cases(250, 1);
        let some = |what: &str, is_so: &dyn Fn(&crate::conform::Play) -> bool| {
            let count = all.iter().filter(|case| is_so(&case.play().unwrap())).count();
            assert!(count >= 5, "{what}: {count}");
        };
        some("dependencies", &|play| play.scenario.workload.is_closed());
        some("layouts", &|play| play.scenario.workload.has_own_layouts());
        some("devices", &|play| play.scenario.machine.devices().is_some());
        for foresight in [Foresight::Calendar, Foresight::None, Foresight::Reservations] {
            some("calendars", &|play| {
                play.scenario.capacity.as_ref().is_some_and(|calendar| calendar.foresight == foresight)
            });
        }
        for (with, without) in all.iter().zip(cases(250, 1)) {
            assert_eq!(with.play().unwrap().scenario.workload.len(), without.records.len(), "every job fits");
            let submits =
                |case: &Case| case.records.iter().map(|record| record.get(Field::Submit)).collect::<Vec<_>>();
            assert_eq!(submits(with), submits(&without));
        }
    }
}
