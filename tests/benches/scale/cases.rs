use batchlab::Registry;
use batchlab::policies::spec::ParamKind;
use batchlab::replay::engine::Scenario;
use batchlab::traces::capacity::CalendarFile;
use batchlab::traces::limits::LimitFile;
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::priorities::PriorityFile;
use batchlab::traces::reading::Estimate;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Findings, Machine, Provenance, Reading, Trace, Workload, seed};
use chacha20::rand_core::Rng;

pub struct Case {
    pub name: String,
    /// The policy.
    pub spec: String,
    /// Makes the setting from the plain one: a pool without limits and the like.
    pub setting: Box<dyn Fn(&Scenario) -> Scenario>,
}

/// Specs in the place of a name that needs settings or behaves differently under others.
const SPECS: [(&str, &[&str]); 5] = [
    ("conservative", &["conservative", "conservative:variant=fixed", "conservative:variant=replan"]),
    ("depth", &["depth:k=8"]),
    ("dhc", &["dhc:memory=off"]),
    ("limits", &["limits:user-jobs=20", "limits:policy=conservative,user-jobs=20"]),
    ("fcfs", &["fcfs", "fcfs:order=fairshare"]),
];

/// Predictors of run times, and one that predicts again at each decision.
const PREDICTORS: [&str; 5] = [
    "predictor=last2",
    "predictor=user-mean",
    "predictor=quantile:0.75",
    "predictor=expr(min(last, estimate))",
    "predictor=last2,predict=decision",
];

const FURTHER: [&str; 10] = [
    "fcfs",
    "first-fit",
    "easy",
    "depth:k=8",
    "conservative",
    "conservative:variant=fixed",
    "conservative:variant=replan",
    "lookahead",
    "selective",
    "bkfl",
];

/// Limits, each with its name in the table: on running jobs of each user, and of all users together; on eligible jobs.
const LIMITS: [(&str, &str); 5] = [
    ("1 running job a user", "[[limit]]\nuser = \"*\"\nrunning_jobs = 1\n"),
    ("128 procs a user", "[[limit]]\nuser = \"*\"\nprocs = 128\n"),
    ("8 running jobs", "[[limit]]\nrunning_jobs = 8\n"),
    ("1500 node hours", "[[limit]]\nnode_hours = 1500\n"),
    ("8 eligible jobs a user", "[[limit]]\nuser = \"*\"\nrunning_jobs = 8\ncount = \"eligible\"\n"),
];

/// Calendars, each with its name in the table and what policies know of it: two hours of maintenance a week of a quarter of the
/// machine, and an outage of ten processors for an hour each day.
const CALENDARS: [(&str, &str, &str); 2] = [
    (
        "known maintenance",
        "calendar",
        "[[event]]\nkind = \"maintenance\"\nfrom = 86400\nto = 93600\nevery = 604800\nprocs = 32\n",
    ),
    (
        "outages",
        "none",
        "[[event]]\nkind = \"outage\"\nfrom = 43200\nto = 46800\nevery = 86400\nprocs = 10\n",
    ),
];

/// Jobs of five users take processors from those of the others.
const PRIORITIES: &str = "[[class]]\nuser = [1, 2, 3, 4, 5]\npriority = 1\npreempts = true\n\
    [[class]]\npreempted = \"requeue\"\n";

pub fn all() -> Vec<Case> {
    let plain = |spec: String| Case { name: spec.clone(), spec, setting: Box::new(Scenario::clone) };
    let mut cases: Vec<Case> = policies().into_iter().chain(orders()).map(plain).collect();
    cases.extend(PREDICTORS.map(|predictor| plain(format!("easy:{predictor}"))));
    for spec in FURTHER {
        let mut add = |setting: &str, make: Box<dyn Fn(&Scenario) -> Scenario>| {
            cases.push(Case { name: format!("{spec} {setting}"), spec: spec.into(), setting: make });
        };
        for (limit, file) in LIMITS {
            add(&format!("within {limit}"), Box::new(move |plain| limited(plain, file)));
        }
        for (events, foresight, file) in CALENDARS {
            add(&format!("beside {events}"), Box::new(move |plain| beside(plain, foresight, file)));
        }
        add("with preemption", Box::new(preempting));
        add("on 16 nodes", Box::new(on_nodes));
        add("with K = 4", Box::new(with_resources));
    }
    cases
}

/// Returns a log on a pool of 128 processors, with a load of 8 times its capacity.
pub fn plain(trace: &Trace, estimate: Estimate) -> Scenario {
    let reading = Reading { estimate, load: 6.0, ..Reading::default() };
    let (mut findings, mut provenance) = (trace.findings.clone(), trace.provenance.clone());
    let machine = Machine::pool(128).unwrap();
    let workload = Workload::read(trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    Scenario::new(machine, workload)
}

fn policies() -> Vec<String> {
    let registry = Registry::builtin();
    let of = |name: &str| {
        let known = SPECS.iter().find(|(known, _)| *known == name);
        known.map_or_else(
            || vec![name.to_owned()],
            |(_, specs)| specs.iter().map(|&spec| spec.into()).collect(),
        )
    };
    registry.policies().specs().iter().flat_map(|spec| of(spec.name)).collect()
}

/// Returns EASY in each order, of the queue and of the candidates.
fn orders() -> Vec<String> {
    let registry = Registry::builtin();
    let easy = registry.policies().specs().iter().find(|spec| spec.name == "easy").unwrap();
    let order = easy.params.iter().find(|param| param.name == "order").unwrap();
    let ParamKind::Order(names) = order.kind else { panic!("{} is no order", order.name) };
    let ordered = names.iter().filter(|&&name| name != "fcfs").map(|name| format!("easy:order={name}"));
    ordered
        .chain(
            ["easy:candidates=sjf", "easy:order=expr(-wait/estimate)", "easy:threshold=20h"]
                .map(str::to_owned),
        )
        .collect()
}

fn limited(plain: &Scenario, file: &str) -> Scenario {
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let (jobs, file) = (Workload::clone(&plain.workload), LimitFile::parse(file, "limits.toml").unwrap());
    let applied = file.apply(jobs, &Trace::default(), &plain.machine, &mut findings, &mut provenance);
    let (workload, limits) = applied.unwrap();
    Scenario { workload: workload.into(), limits: Some(limits.into()), ..plain.clone() }
}

fn beside(plain: &Scenario, foresight: &str, file: &str) -> Scenario {
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let (jobs, file) =
        (Workload::clone(&plain.workload), CalendarFile::parse(file, "calendar.toml").unwrap());
    let foresight = foresight.parse().unwrap();
    let applied =
        file.apply(jobs, &Trace::default(), &plain.machine, foresight, &mut findings, &mut provenance);
    let (workload, calendar) = applied.unwrap();
    Scenario { workload: workload.into(), capacity: Some(calendar.into()), ..plain.clone() }
}

fn preempting(plain: &Scenario) -> Scenario {
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let (jobs, file) =
        (Workload::clone(&plain.workload), PriorityFile::parse(PRIORITIES, "priorities.toml").unwrap());
    let applied = file.apply(jobs, &plain.machine, &Trace::default(), &mut findings, &mut provenance);
    let (workload, priorities) = applied.unwrap();
    Scenario { workload: workload.into(), priorities: Some(priorities.into()), ..plain.clone() }
}

/// The same jobs in tasks of one processor, on nodes of eight.
fn on_nodes(plain: &Scenario) -> Scenario {
    let workload = Workload::clone(&plain.workload).in_tasks_of(1);
    Scenario::new(Machine::uniform(128, 16).unwrap(), workload)
}

/// The same jobs with up to a quarter of each of three further resources.
fn with_resources(plain: &Scenario) -> Scenario {
    let mut stream = seed::stream(1, "resources");
    let mut draw = || (stream.next_u64() % 250) as i64;
    let workload = &plain.workload;
    let jobs = workload.jobs().map(|job| PlainJob {
        submit: workload.submit(job),
        run: workload.run(job),
        estimate: workload.estimate(job),
        demand: vec![workload.demand(job)[0], draw(), draw(), draw()],
        user: 1 + i64::from(job.0 % 50),
        partition: -1,
    });
    let jobs: Vec<PlainJob> = jobs.collect();
    let further = |kind| Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space };
    let resources = std::iter::once(processors()).chain((1..4).map(further)).collect();
    Scenario::new(
        Machine::new(resources, &[vec![128, 1000, 1000, 1000]]).unwrap(),
        Workload::from_jobs(&jobs),
    )
}
