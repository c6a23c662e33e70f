//! The K-resource policies compared with their definitions, and the cases in which they equal others.

mod by_definition;

use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, event_orders, options, overruns, queue_orders, samples};
use crate::lab::{Play, overrun, play};
use by_definition::{ByDefinition, Rule};

/// Further resources of a machine, with the jobs' demands.
#[derive(Clone, Debug)]
struct Further {
    capacity: Vec<i64>,
    demand: Vec<[i64; 3]>,
}

/// Up to three resources, with amounts that often make fractions equal, and sometimes a resource of capacity 0.
fn further() -> impl Strategy<Value = Further> {
    let capacity = prop::collection::vec(select(vec![0i64, 2, 4, 6, 16]), 0..=3);
    let demand = prop::collection::vec(prop::array::uniform3(0i64..=16), 40);
    (capacity, demand).prop_map(|(capacity, demand)| Further { capacity, demand })
}

fn scene(sample: &Sample, further: &Further, rule: Overrun) -> Play {
    let with = |(job, amounts): (&PlainJob, &[i64; 3])| {
        let amounts = further.capacity.iter().zip(amounts).map(|(capacity, amount)| amount % (capacity + 1));
        let demand = job.demand.iter().copied().chain(amounts).collect();
        overrun(rule, &PlainJob { demand, ..job.clone() })
    };
    let jobs: Vec<PlainJob> = sample.jobs.iter().zip(&further.demand).map(with).collect();
    let resource = |kind: usize| match kind {
        0 => processors(),
        _ => Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space },
    };
    let amounts: Vec<i64> = std::iter::once(sample.procs).chain(further.capacity.iter().copied()).collect();
    let machine = Machine::new((0..amounts.len()).map(resource).collect(), &[amounts]).unwrap();
    Play { overrun: rule, ..Play::new(machine, Workload::from_jobs(&jobs)) }
}

fn starts(scene: &Play, spec: &str) -> Vec<Time> {
    play(scene, spec).0.start
}

/// Options of BL, with the equivalent rule.
fn windows() -> impl Strategy<Value = (String, Rule)> {
    let miss = select(vec!["relax", "ff", "stop"]);
    let least = select(vec!["lowest", "any", "none"]);
    (0usize..=4, any::<bool>(), miss, any::<bool>(), least, any::<bool>()).prop_map(
        |(w, ordered, miss, full, least, largest)| {
            let text = format!(
                "w={w},match={},miss={miss},fullness={},least-tied={least},largest-tied={}",
                if ordered { "ordered" } else { "set" },
                if full { "among-matches" } else { "off" },
                if largest { "yes" } else { "no" },
            );
            (text, Rule::Lowest { w, ordered, miss, full, least, largest })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn candidates_are_those_of_the_definition(
        sample in samples(),
        further in further(),
        (window, lowest) in windows(),
    ) {
        let scene = scene(&sample, &further, Overrun::Raise);
        let bl = format!("bl-easy:{window}");
        let balanced = |full| Rule::Balanced { full };
        for (spec, rule) in [
            ("ff-easy", Rule::FirstFit),
            ("bb-easy", balanced(true)),
            ("bb-easy:fullness=off", balanced(false)),
            (bl.as_str(), lowest),
        ] {
            let (outcome, _) = scene.with(batchlab::policies::Needs::POOL, &mut ByDefinition(rule)).unwrap();
            prop_assert_eq!(&outcome.start, &starts(&scene, spec), "{}", spec);
        }
    }

    #[test]
    fn first_fit_is_easy_depth_and_conservative_by_other_names(
        sample in samples(),
        further in further(),
        order in queue_orders(),
        events in event_orders(),
        overrun in overruns(),
        protect in 1u32..5,
    ) {
        let scene = scene(&sample, &further, overrun).events(events);
        let same = |left: &str, right: &str| {
            let (left, right) = (format!("{left}order={order}"), format!("{right}order={order}"));
            prop_assert_eq!(starts(&scene, &left), starts(&scene, &right), "{} and {}", left, right);
            Ok(())
        };
        same("ff-easy:", "easy:")?;
        same("ff-cons:", "conservative:")?;
        same(&format!("ff-easy:protect={protect},"), &format!("depth:k={protect},"))?;
        for all in ["ff-easy", "bl-easy", "bb-easy"] {
            same(&format!("{all}:protect=inf,"), "conservative:variant=replan,")?;
        }
        same(&format!("bl-easy:w=0,protect={protect},"), &format!("ff-easy:protect={protect},"))?;
    }

    /// With one resource the balance is always one, and the job that fills the machine most is next.
    #[test]
    fn with_one_resource_bb_takes_the_largest_and_bl_the_first(
        sample in samples(),
        (window, _) in windows(),
        events in event_orders(),
        overrun in overruns(),
        protect in select(vec!["1", "2", "inf"]),
    ) {
        let scene = sample.play(overrun).events(events);
        let bb = starts(&scene, &format!("bb-easy:protect={protect}"));
        prop_assert_eq!(bb, starts(&scene, &format!("depth:k={protect},candidates=lqf")));
        let bl = starts(&scene, &format!("bl-easy:protect={protect},{window}"));
        prop_assert_eq!(bl, starts(&scene, &format!("ff-easy:protect={protect}")));
        if protect == "1" {
            prop_assert_eq!(starts(&scene, "bb-easy"), starts(&scene, "easy:candidates=lqf"));
        }
    }

    /// The shadow time of a pool and the plan of one node accept the same candidates.
    #[test]
    fn one_node_is_a_pool_with_any_resources(
        sample in samples(),
        further in further(),
        (window, _) in windows(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let pool = scene(&sample, &further, overrun).events(events);
        let node = Play { by_node: true, general: true, ..pool.clone() };
        let (order, behind) = options.split_once(",candidates=").unwrap();
        let options = format!("{order}{}", &behind[behind.find(",threshold=").unwrap()..]);
        for spec in [format!("bb-easy:{options}"), format!("bl-easy:{window},{options}"), "ff-easy".into()] {
            prop_assert_eq!(starts(&pool, &spec), starts(&node, &spec), "{} in {}", spec, events);
        }
    }
}
