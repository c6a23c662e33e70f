use batchlab_traces::expr::{Program, Scratch};
use batchlab_traces::workload::PlainJob;
use batchlab_traces::{JobId, Machine, Time, Workload};
use proptest::prelude::*;

use crate::expressions::{Waiting, number, vocabulary};
use crate::front::{Need, Room};
use crate::order::{ORDER, Order};
use crate::params::{BOOKED, params};
use crate::queue::{Queue, Rank, need};
use crate::spec::{ParamSpec, Params, Setting};
use crate::view::JobView;
use crate::wait_limit::WaitLimit;

const DECLARED: &[ParamSpec] = params![&[ORDER], BOOKED];

const ORDERS: [(&str, &str); 10] = [
    ("wfp3", "-procs*(wait/max(estimate,1))^3"),
    ("unicef", "-wait/(log2(max(procs,2))*max(estimate,1))"),
    ("expansion", "-(wait+max(estimate,1))/max(estimate,1)"),
    // Expressions of the form, with and without jobs that have no line.
    ("", "100*procs - wait"),
    ("", "-(2 + wait/estimate)^2/procs"),
    ("", "-(procs*(wait + estimate - 2)^3)"),
    ("", "-(wait/(procs - 2))"),
    ("", "-(wait * ln(procs - 2))^2"),
    ("", "wait*(estimate - 2)"),
    ("", "-(wait*1000000 + procs - 0.001*estimate)/1000"),
];

fn params(order: &str) -> Params {
    Params::check("ordered", DECLARED, &[(ORDER.name.into(), order.into())]).unwrap()
}

/// The changes of the queue between two instants, and the question at the second.
#[derive(Clone, Debug)]
struct Step {
    /// Seconds since the step before.
    passed: i64,
    /// Arrivals: processors and estimate.
    arrive: Vec<(i64, i64)>,
    leave: Vec<usize>,
    free: i64,
    window: i64,
    extra: i64,
    /// A position in the queue from which jobs are looked for.
    from: usize,
}

/// Few different values, so that scores tie and nearly tie.
fn step() -> impl Strategy<Value = Step> {
    let jobs = prop::collection::vec((1i64..6, 1i64..7), 0..8);
    let leave = prop::collection::vec(0usize..40, 0..4);
    (0i64..4, jobs, leave, 0i64..7, 0i64..7, 0i64..7, 0usize..40).prop_map(
        |(passed, arrive, leave, free, window, extra, from)| Step {
            passed,
            arrive,
            leave,
            free,
            window,
            extra: extra.min(free),
            from,
        },
    )
}

/// The ranks of jobs by an expression, in order.
fn ranked(program: &Program, limit: i64, jobs: &[(JobView<'_>, Time)], now: Time) -> Vec<(Rank, Need<1>)> {
    let mut ranks = Vec::new();
    program.visit(&Waiting { jobs, now }, 0..jobs.len(), &mut Scratch::default(), |rows, scores| {
        for (&(job, expected), &score) in jobs[rows].iter().zip(scores) {
            let over = now - job.submit() >= Time::from_secs(limit);
            let rank = if over { Rank::new(false, 0.0, job.id()) } else { Rank::new(true, score, job.id()) };
            ranks.push((rank, need(job, expected)));
        }
    });
    ranks.sort_by_key(|(rank, _)| *rank);
    ranks
}

fn arriving(steps: &[Step]) -> Workload {
    let (mut now, mut plain) = (Time::ZERO, Vec::new());
    for step in steps {
        now += Time::from_secs(step.passed);
        plain.extend(step.arrive.iter().map(|&(procs, estimate)| PlainJob {
            estimate: Time::from_secs(estimate),
            user: 1,
            ..PlainJob::new(now, Time::SECOND, vec![procs])
        }));
    }
    Workload::from_jobs(&plain)
}

proptest! {
    /// Every search and every walk gives the result of a sorted list.
    #[test]
    fn a_queue_of_growing_scores_answers_as_a_sorted_list(
        which in 0..ORDERS.len(),
        limit in prop::sample::select(vec![9i64, 1000]),
        steps in prop::collection::vec(step(), 1..12),
    ) {
        let machine = Machine::pool(8).unwrap();
        let setting = Setting::new(&machine);
        let (name, formula) = ORDERS[which];
        let formula = format!("expr({formula})");
        let order = params(if name.is_empty() { &formula } else { name });
        let program = number(&params(&formula), ORDER.name, &vocabulary(&setting)).unwrap().unwrap();
        let workload = arriving(&steps);
        let order = Order::from_params(&order, ORDER.name, &setting).unwrap().unwrap();
        prop_assert!(order.links().is_some(), "{} is not of the form", formula);
        let mut queue: Queue<1> = Queue::new(order, WaitLimit::After(Time::from_secs(limit)));
        let know = |job: JobId| { let view = JobView::new(&workload, job); (view, view.estimate()) };
        let (mut waiting, mut next): (Vec<JobId>, u32) = (Vec::new(), 0);
        let mut now = Time::ZERO;
        for step in &steps {
            now += Time::from_secs(step.passed);
            for _ in &step.arrive {
                let (view, expected) = know(JobId(next));
                queue.push(view, expected);
                waiting.push(view.id());
                next += 1;
            }
            queue.refresh(now, know).unwrap();
            let room = Room {
                free: [step.free],
                window: Time::from_secs(step.window),
                extra: [step.extra],
            };
            for left in 0..=step.leave.len() {
                let jobs: Vec<(JobView<'_>, Time)> = waiting.iter().map(|&job| know(job)).collect();
                let sorted = ranked(&program, limit, &jobs, now);
                let from = sorted.get(step.from).map(|(rank, _)| *rank);
                let after = || sorted.iter().filter(|(rank, _)| from.is_none_or(|from| *rank >= from));
                let first = |found: Option<&(Rank, Need<1>)>| found.map(|(rank, _)| *rank);
                prop_assert_eq!(queue.len(), sorted.len());
                prop_assert_eq!(queue.first(), first(sorted.first()));
                prop_assert_eq!(queue.find(from, &room), first(after().find(|(_, need)| need.fits(&room))));
                if let Some(from) = from {
                    prop_assert_eq!(queue.at_or_after(from.next()), first(after().nth(1)));
                }
                let Some(leave) = step.leave.get(left) else { break };
                if left == 1 {
                    // Sorts the queue, which must then follow removals.
                    prop_assert_eq!(queue.jobs(), sorted.iter().map(|(rank, _)| rank.job()).collect::<Vec<_>>());
                }
                let Some((rank, _)) = sorted.get(*leave) else { continue };
                let (view, expected) = know(rank.job());
                prop_assert_eq!(queue.rank(view, expected), *rank);
                prop_assert!(queue.remove(view, expected));
                waiting.retain(|job| *job != rank.job());
            }
        }
    }
}
