use batchlab_traces::workload::PlainJob;
use batchlab_traces::{JobId, Machine, Time, Workload};
use proptest::prelude::*;

use crate::front::{Need, Room};
use crate::ledger::Ledger;
use crate::order::{ORDER, Order};
use crate::params::{BOOKED, params};
use crate::queue::{Queue, Rank, need};
use crate::spec::{ParamSpec, Params, Setting};
use crate::view::JobView;
use crate::wait_limit::WaitLimit;

const DECLARED: &[ParamSpec] = params![&[ORDER], BOOKED];

/// Arrivals (user, processors, estimate), and what happens to a waiting job at a position: it starts, or it is withdrawn.
type Step = (Vec<(i64, i64, i64)>, Vec<(usize, bool)>);

fn step() -> impl Strategy<Value = Step> {
    let jobs = prop::collection::vec((-2i64..4, 1i64..6, 1i64..7), 0..8);
    (jobs, prop::collection::vec((0usize..30, any::<bool>()), 0..4))
}

proptest! {
    /// Every search and every walk gives the result of a sorted list. A started job ends at the next step.
    #[test]
    fn a_queue_ranked_by_user_answers_as_a_sorted_list(
        name in prop::sample::select(vec!["drf", "fairshare"]),
        limit in prop::sample::select(vec![5i64, 1000]),
        (free, window, extra, from) in (0i64..7, 0i64..7, 0i64..7, 0usize..30),
        steps in prop::collection::vec(step(), 1..12),
    ) {
        let machine = Machine::pool(8).unwrap();
        let setting = Setting::new(&machine);
        let params = Params::check("ordered", DECLARED, &[(ORDER.name.into(), name.into())]).unwrap();
        let plain = |(at, (jobs, _)): (usize, &Step)| {
            let submit = Time::from_secs(at as i64);
            let job = |&(user, procs, estimate): &(i64, i64, i64)| PlainJob { estimate: Time::from_secs(estimate), user, ..PlainJob::new(submit, Time::SECOND, vec![procs]) };
            jobs.iter().map(job).collect::<Vec<_>>()
        };
        let workload = Workload::from_jobs(&steps.iter().enumerate().flat_map(plain).collect::<Vec<_>>());
        let know = |job: JobId| { let view = JobView::new(&workload, job); (view, view.estimate()) };
        let order = Order::from_params(&params, ORDER.name, &setting).unwrap().unwrap();
        let mut queue: Queue<1> = Queue::new(order, WaitLimit::After(Time::from_secs(limit)));
        let mut ledger: Ledger<1> = Ledger::new(&machine, Some(Time::from_secs(3)));
        let room = Room { free: [free], window: Time::from_secs(window), extra: [extra.min(free)] };
        let (mut waiting, mut running, mut next): (Vec<JobId>, Vec<JobId>, u32) = (Vec::new(), Vec::new(), 0);
        for (at, (arrive, leave)) in steps.iter().enumerate() {
            let now = Time::from_secs(at as i64);
            running.drain(..).for_each(|job| ledger.ends(know(job).0, now));
            for _ in arrive {
                let (view, expected) = know(JobId(next));
                queue.push(view, expected);
                waiting.push(view.id());
                next += 1;
            }
            queue.look(now, (&[free], &ledger), know).unwrap();
            for left in 0..=leave.len() {
                let ranked = |&job: &JobId| { let (view, expected) = know(job); (queue.rank(view, expected), need(view, expected)) };
                let mut sorted: Vec<(Rank, Need<1>)> = waiting.iter().map(ranked).collect();
                sorted.sort_by_key(|(rank, _)| *rank);
                let from = sorted.get(from).map(|(rank, _)| *rank);
                let after = || sorted.iter().filter(|(rank, _)| from.is_none_or(|from| *rank >= from));
                let first = |found: Option<&(Rank, Need<1>)>| found.map(|(rank, _)| *rank);
                prop_assert_eq!(queue.len(), sorted.len());
                prop_assert_eq!(queue.first(), first(sorted.first()));
                prop_assert_eq!(queue.find(from, &room), first(after().find(|(_, need)| need.fits(&room))));
                if let Some(from) = from {
                    prop_assert_eq!(queue.at_or_after(from.next()), first(after().nth(1)));
                }
                prop_assert_eq!(queue.jobs(), sorted.iter().map(|(rank, _)| rank.job()).collect::<Vec<_>>());
                let Some(&(position, starts)) = leave.get(left) else { break };
                let Some((rank, _)) = sorted.get(position) else { continue };
                let (view, expected) = know(rank.job());
                prop_assert!(queue.remove(view, expected));
                waiting.retain(|job| *job != rank.job());
                if starts {
                    ledger.starts(view, now);
                    running.push(rank.job());
                    if queue.order().is_fluid() {
                        queue.look(now, (&[free], &ledger), know).unwrap();
                    }
                }
            }
        }
    }
}
