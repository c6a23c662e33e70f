//! Multi-capacity bin-packing on small machines with nodes.

use batchlab::policies::{Needs, Registry};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::naive::Naive;
use super::samples::{Sample, event_orders, overruns, samples, values};
use crate::lab::{Play, overrun, play};

/// Jobs on equal nodes of 4 processors, 8 of memory and 12 of disk, in tasks of 1, 2 or 4.
#[derive(Clone, Debug)]
struct Nodes {
    sample: Sample,
    /// Memory and disk per processor, job by job.
    more: Vec<[i64; 2]>,
    count: usize,
    task: i64,
}

/// Up to 40 jobs on up to four nodes; four processors need at most the memory and disk of a node.
fn on_nodes() -> impl Strategy<Value = Nodes> {
    let more = prop::collection::vec([0i64..=2, 0i64..=3], 40);
    (samples(), more, 1usize..=4, select(vec![1i64, 2, 4])).prop_map(|(mut sample, more, nodes, task)| {
        sample.procs = 4 * nodes as i64;
        for job in &mut sample.jobs {
            job.demand[0] = (job.demand[0] - 1) % sample.procs + 1;
        }
        Nodes { sample, more, count: nodes, task }
    })
}

impl Nodes {
    fn play(&self, rule: Overrun) -> Play {
        self.with(rule, [4, 8, 12], |procs, [memory, disk]| vec![procs, procs * memory, procs * disk])
    }

    fn with(&self, rule: Overrun, capacity: [i64; 3], demand: impl Fn(i64, [i64; 2]) -> Vec<i64>) -> Play {
        let jobs = self.sample.jobs.iter().zip(&self.more);
        let jobs: Vec<PlainJob> = jobs
            .map(|(job, &more)| {
                overrun(rule, &PlainJob { demand: demand(job.demand[0], more), ..job.clone() })
            })
            .collect();
        let space = |name: &str| Resource { name: name.into(), unit: String::new(), sharing: Sharing::Space };
        let kinds = vec![processors(), space("memory"), space("disk")];
        let machine = Machine::new(kinds, &vec![capacity.to_vec(); self.count]).unwrap();
        let workload = Workload::from_jobs(&jobs).in_tasks_of(self.task);
        Play { overrun: rule, by_node: true, general: true, ..Play::new(machine, workload) }
    }
}

fn starts(scene: &Play, spec: &str) -> Vec<Time> {
    play(scene, spec).0.start
}

fn hosts() -> impl Strategy<Value = &'static str> {
    select(vec!["first-fit", "best-fit", "worst-fit", "dot", "l2", "mcbp"])
}

fn drawn_specs() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any::<Index>(), 10).prop_map(|draws| {
        let registry = Registry::builtin();
        let ours = registry.specs().iter().filter(|spec| spec.family == "Sheikhalishahi 2015");
        let text = ours.map(|spec| {
            // Jobs with more tasks than nodes cannot run under share=false.
            let params = spec.params.iter().filter(|param| param.name != "share").zip(&draws);
            let pairs = params.map(|(param, draw)| {
                let values = values(param);
                format!("{}={}", param.name, values[draw.index(values.len())])
            });
            format!("{}:{}", spec.name, pairs.collect::<Vec<_>>().join(","))
        });
        text.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Every replay is checked while it runs.
    #[test]
    fn schedules_are_feasible_under_every_reading(
        nodes in on_nodes(),
        specs in drawn_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        prop_assert_eq!(specs.len(), 2);
        for spec in specs {
            let scene = nodes.play(overrun).events(events);
            let plain = starts(&scene, &spec);
            let journalled = Play { journal: true, ..scene };
            prop_assert_eq!(plain, starts(&journalled, &spec), "{} in {}", spec, events);
        }
    }

    #[test]
    fn tasks_that_share_no_node_still_run(nodes in on_nodes(), place in hosts(), overrun in overruns()) {
        let mut nodes = nodes;
        let most = nodes.count as i64 * nodes.task;
        nodes.sample.jobs.iter_mut().for_each(|job| job.demand[0] = job.demand[0].min(most));
        for policy in ["mcbp", "bkfl"] {
            play(&nodes.play(overrun), &format!("{policy}:share=false,place={place},reservations=2"));
        }
    }

    /// The paper's algorithms as loops over a table of seconds make the same decisions.
    #[test]
    fn the_policies_are_the_printed_algorithms(
        nodes in on_nodes(),
        (ranked, printed, raw) in (any::<bool>(), any::<bool>(), any::<bool>()),
        reservations in 0usize..4,
        overrun in overruns(),
    ) {
        let scene = nodes.play(overrun);
        let spec = format!(
            "{}:reservations={reservations},pairs={},req={}",
            if ranked { "mcbp" } else { "bkfl" },
            if printed { "printed" } else { "all" },
            if raw { "raw" } else { "normalised" },
        );
        let mut naive = Naive { ranked, printed, raw, reservations, running: Vec::new() };
        let (expected, _) = scene.with(Needs::NONE, &mut naive).unwrap();
        prop_assert_eq!(starts(&scene, &spec), expected.start, "{}", spec);
    }

    /// The baseline equals other policies with the same choice of hosts.
    #[test]
    fn the_baseline_is_depth_and_without_reservations_first_fit(
        nodes in on_nodes(),
        place in hosts(),
        reservations in select(vec!["1", "2", "3", "inf"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = nodes.play(overrun).events(events);
        let baseline = starts(&scene, &format!("bkfl:reservations={reservations},place={place}"));
        prop_assert_eq!(&baseline, &starts(&scene, &format!("depth:k={reservations},place={place}")));
        if reservations == "1" {
            prop_assert_eq!(baseline, starts(&scene, &format!("easy:place={place}")));
        }
        let none = starts(&scene, &format!("bkfl:reservations=0,place={place}"));
        prop_assert_eq!(none, starts(&scene, &format!("first-fit:place={place}")));
    }

    /// If all resources are equally free, all scores are equal.
    #[test]
    fn without_imbalance_the_queue_is_first_come_first_served(
        nodes in on_nodes(),
        pool in samples(),
        options in select(vec!["", ",pairs=printed", ",req=raw", ",per=job", ",reservations=2"]),
        overrun in overruns(),
    ) {
        let same = nodes.with(overrun, [4, 8, 12], |procs, _| vec![procs, 2 * procs, 3 * procs]);
        let ours = |scene: &Play| starts(scene, &format!("mcbp:cycle=none{options}"));
        let baseline = |scene: &Play| starts(scene, &format!("bkfl:cycle=none{}", options.replace(",per=job", "")));
        for scene in [same, pool.play(overrun), pool.play_with(overrun, 3)] {
            prop_assert_eq!(ours(&scene), baseline(&scene));
        }
    }

    /// With two resources there is one pair, and it is printed; with equal capacities, units are fractions.
    #[test]
    fn readings_coincide_where_they_say_the_same(nodes in on_nodes(), overrun in overruns()) {
        let two = nodes.with(overrun, [4, 8, 0], |procs, [memory, _]| vec![procs, procs * memory, 0]);
        prop_assert_eq!(starts(&two, "mcbp"), starts(&two, "mcbp:pairs=printed"));
        let equal = nodes.with(overrun, [4, 4, 4], |procs, [memory, disk]| vec![procs, procs * memory / 2, procs * disk / 3]);
        prop_assert_eq!(starts(&equal, "mcbp"), starts(&equal, "mcbp:req=raw"));
    }

    /// If jobs are kept overdue, expectations change with time alone, and idle cycles are skipped.
    #[test]
    fn a_cycle_is_the_periodic_order_of_events(
        nodes in on_nodes(),
        options in select(vec!["", ",keep=true", ",reservations=inf"]),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let scene = nodes.play(overrun);
        for policy in ["mcbp", "bkfl"] {
            let cycles = starts(&scene, &format!("{policy}:cycle=7{options}"));
            let periodic = starts(&scene.events("periodic:7"), &format!("{policy}:cycle=none{options}"));
            prop_assert_eq!(cycles, periodic, "{}{}", policy, options);
        }
    }

    /// With the job as one task, a machine of one node is a pool.
    #[test]
    fn one_node_is_a_pool(
        nodes in on_nodes(),
        keep in select(vec!["keep=true", "keep=false"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let mut one = Nodes { count: 1, task: 4, ..nodes };
        one.sample.jobs.iter_mut().for_each(|job| job.demand[0] = (job.demand[0] - 1) % 4 + 1);
        let node = one.play(overrun).events(events);
        let pool = Play { by_node: false, general: false, ..node.clone() };
        for spec in [format!("mcbp:{keep}"), format!("bkfl:{keep}"), format!("mcbp:reservations=2,pairs=printed,{keep}")] {
            prop_assert_eq!(starts(&node, &spec), starts(&pool, &spec), "{}", spec);
        }
    }

    /// Kept reservations never start later than promised.
    #[test]
    fn kept_reservations_are_kept(
        nodes in on_nodes(),
        reservations in select(vec!["1", "3", "inf"]),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let scene = Play { journal: true, ..nodes.play(overrun) };
        for policy in ["mcbp", "bkfl"] {
            let (outcome, journal) = play(&scene, &format!("{policy}:keep=true,reservations={reservations}"));
            let broken = batchlab::schedule::verify::promises(&scene.scenario, &outcome, &journal);
            prop_assert!(broken.is_empty(), "{}: {:?}", policy, broken.iter().map(ToString::to_string).collect::<Vec<_>>());
            prop_assert_eq!(outcome.tallies.get("slipped reservations"), None);
        }
    }
}
