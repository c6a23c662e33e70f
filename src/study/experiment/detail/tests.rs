use std::sync::Arc;

use batchlab_traces::capacity::{CapacityCalendar, Closure, EventTime, Evicted, Foresight};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::workload::PlainJob;
use batchlab_traces::{Machine, Time, Workload};
use serde_json::Value;

use super::density::{By, Density};
use super::distribution::{Distribution, Quantiles, SHARES};
use super::gantt::{Bar, Chart, Gantt, Piece};
use super::timeline::{STEPS, Timeline};
use super::who::Who;
use super::*;
use batchlab_engine::metrics::Catalogue;
use batchlab_engine::replay::engine::Scenario;

mod replayed;

use replayed::replayed_as;
pub use replayed::{JournalledReplay, jobs, replayed};

impl JournalledReplay {
    fn metric(&self, key: &str) -> f64 {
        Catalogue::new(&self.scenario.machine, &[]).find(key).unwrap().value(&self.measurement()).unwrap()
    }

    pub fn detail<T: DeserializeOwned>(&self, name: &str) -> Result<T, String> {
        read(&(find(name).unwrap().make)(&self.measurement(), Extent::Whole).unwrap())
    }
}

fn pool(procs: i64) -> Machine {
    Machine::pool(procs).unwrap()
}

fn mean(edges: &[f64], values: &[f64]) -> f64 {
    assert_eq!(edges.len(), values.len() + 1);
    let sum: f64 = values.iter().zip(edges.windows(2)).map(|(value, edge)| value * (edge[1] - edge[0])).sum();
    sum / (edges[edges.len() - 1] - edges[0])
}

fn assert_near(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-9 * one.abs().max(1.0), "{one} is not {other}");
}

#[test]
fn courses_keep_the_integrals_of_the_metrics_however_long_the_replay() {
    let (short, long) = (jobs(100), jobs(2000));
    for (jobs, spec) in
        [(&short, "easy"), (&long, "easy"), (&short, "gs"), (&long, "gs"), (&long, "selective-suspension")]
    {
        let done = replayed(pool(16), jobs, spec);
        let course: Timeline = done.detail("timeline").unwrap();
        assert!(course.queue.len() <= STEPS && course.resources.len() == 1);
        assert_near(mean(&course.edges, &course.resources[0].values), done.metric("utilization"));
        assert_near(mean(&course.edges, &course.queue), done.metric("mean_queue_length_makespan"));
        let grid: Density = done.detail("density").unwrap();
        assert_eq!(grid.by, By::Sizes);
        let rows = grid.rows.iter().map(|row| mean(&grid.edges, &row.values));
        assert_near(rows.sum(), done.metric("utilization"));
    }
}

#[test]
fn a_grid_of_nodes_adds_up_to_the_utilization() {
    let nodes = Machine::uniform(16, 4).unwrap();
    let jobs: Vec<PlainJob> =
        jobs(300).into_iter().map(|job| PlainJob { demand: vec![job.demand[0].min(4)], ..job }).collect();
    let done = replayed(nodes, &jobs, "easy");
    let grid: Density = done.detail("density").unwrap();
    assert_eq!((grid.by, grid.rows.len(), grid.rows[3].from), (By::Nodes, 4, 3));
    let sum: f64 = grid.rows.iter().map(|row| mean(&grid.edges, &row.values)).sum();
    assert_near(sum / 4.0, done.metric("utilization"));
}

#[test]
fn rectangles_of_a_chart_never_overlap_and_are_as_large_as_the_jobs() {
    let nodes: Vec<PlainJob> =
        jobs(60).into_iter().map(|job| PlainJob { demand: vec![job.demand[0].min(4)], ..job }).collect();
    let four = Machine::uniform(16, 4).unwrap();
    for done in [
        replayed(pool(16), &jobs(200), "easy"),
        replayed(pool(16), &jobs(20), "gs"),
        replayed(four, &nodes, "conservative"),
    ] {
        let chart: Gantt = done.detail("gantt").unwrap();
        let mut pieces: Vec<(f64, f64, i64, i64)> = Vec::new();
        for job in &chart.jobs {
            let area = |piece: &Piece| {
                piece.rows.iter().map(|row| row.1).sum::<i64>() as f64 * (piece.to - piece.from)
            };
            let workload = &done.scenario.workload;
            let id = workload.jobs().find(|&id| workload.number(id) == job.number).unwrap();
            let run = workload.run(id);
            let area: f64 = job.pieces.iter().map(area).sum();
            assert_near(area, job.procs as f64 * run.secs());
            pieces.extend(job.pieces.iter().flat_map(|piece| {
                piece.rows.iter().map(|&(first, count)| (piece.from, piece.to, first, first + count))
            }));
        }
        for (at, one) in pieces.iter().enumerate() {
            assert!(one.2 >= 0 && one.3 <= chart.procs, "{one:?}");
            for other in &pieces[at + 1..] {
                let apart = one.1 <= other.0 || other.1 <= one.0 || one.3 <= other.2 || other.3 <= one.2;
                assert!(apart, "{one:?} and {other:?}");
            }
        }
    }
}

#[test]
fn first_promises_are_those_of_the_journal_and_kept() {
    let done = replayed(pool(16), &jobs(150), "conservative");
    let chart: Gantt = done.detail("gantt").unwrap();
    let promised = chart.jobs.iter().filter_map(|job| Some((job.promised?, job.start)));
    assert!(promised.clone().count() > 20 && promised.clone().any(|(promised, start)| promised > start));
    assert!(promised.into_iter().all(|(promised, start)| start <= promised));
}

#[test]
fn what_cannot_be_told_is_declined_with_its_reason() {
    let instant = PlainJob { run: Time::ZERO, ..jobs(1).remove(0) };
    let done = replayed(pool(16), &[instant], "fcfs");
    assert_eq!(done.detail::<Timeline>("timeline").unwrap_err(), "no time passes in the replay");
    assert!(done.detail::<Gantt>("gantt").is_ok());
    let nobody = replayed(pool(16), &[], "fcfs");
    assert!(DETAILS.iter().all(|spec| (spec.make)(&nobody.measurement(), Extent::Whole).is_none()));
    let damaged = read::<Timeline>(&Value::from(3)).unwrap_err();
    assert!(damaged.starts_with("the detail of the replay is damaged: "), "{damaged}");
}

fn part(done: &JournalledReplay, extent: Extent) -> Result<Chart, String> {
    read(&Wanted { spec: &gantt::GANTT, extent }.make(&done.measurement()).unwrap())
}

fn gantt(done: &JournalledReplay, extent: Extent) -> Gantt {
    match part(done, extent) {
        Ok(Chart::Jobs(gantt)) => gantt,
        other => panic!("{other:?}"),
    }
}

fn bars(done: &JournalledReplay, extent: Extent) -> Vec<Bar> {
    gantt(done, extent).jobs
}

/// Replays jobs (submission, run time, processors) under EASY with closures (node, processors, from, to).
fn closed(
    machine: Machine,
    jobs: &[[i64; 3]],
    evicted: Evicted,
    closures: &[(usize, i64, [i64; 2])],
) -> Gantt {
    let seconds = Time::from_secs;
    let job = |&[submit, run, procs]: &[i64; 3]| {
        let (submit, run, demand) = (seconds(submit), seconds(run), vec![procs]);
        PlainJob { submit, run, estimate: run, demand, user: 1, partition: -1 }
    };
    let jobs: Vec<PlainJob> = jobs.iter().map(job).collect();
    let closure = |&(node, procs, [from, to]): &(usize, i64, [i64; 2])| Closure {
        from: seconds(from),
        to: seconds(to),
        node,
        amounts: vec![procs],
        evicted,
        known: Time::MAX,
        kept_for: None,
        event: EventTime::default(),
    };
    let closures = closures.iter().map(closure).collect();
    let calendar = CapacityCalendar { closures, foresight: Foresight::None, ..CapacityCalendar::default() };
    let scenario = Scenario::new(machine, Workload::from_jobs(&jobs));
    let scenario = Scenario { capacity: Some(Arc::new(calendar)), ..scenario };
    gantt(&replayed_as(scenario, "easy"), Extent::Whole)
}

fn piece(from: f64, to: f64, first: i64, count: i64) -> Piece {
    Piece { from, to, rows: vec![(first, count)] }
}

#[test]
fn an_outage_is_drawn_on_its_nodes_and_so_are_the_runs_that_it_ended() {
    // Job 1 is on the nodes 0 and 1, which fail, and starts again when they are back.
    let jobs = [[0, 100, 4], [0, 300, 2]];
    let outage = [(0, 2, [50, 150]), (1, 2, [50, 150])];
    let gantt = closed(Machine::uniform(8, 4).unwrap(), &jobs, Evicted::Requeued, &outage);
    assert_eq!(gantt.closed, [piece(50.0, 150.0, 0, 2), piece(50.0, 150.0, 2, 2)]);
    assert_eq!(gantt.jobs[0].lost, [piece(0.0, 50.0, 0, 4)]);
    assert_eq!(gantt.jobs[0].pieces, [piece(150.0, 250.0, 0, 4)]);
    assert_eq!((gantt.jobs[1].lost.len(), &gantt.jobs[1].pieces[..]), (0, &[piece(0.0, 300.0, 4, 2)][..]));
}

#[test]
fn a_drain_is_drawn_as_running_jobs_leave() {
    // Of four processors two are free at 50 s, and two when job 1 ends at 100 s. Job 2 gets the other four.
    let jobs = [[0, 100, 6], [150, 100, 4]];
    let gantt = closed(pool(8), &jobs, Evicted::Drained, &[(0, 4, [50, 200])]);
    assert_eq!(gantt.closed, [piece(50.0, 200.0, 6, 2), piece(100.0, 200.0, 0, 2)]);
    assert_eq!(gantt.jobs[1].pieces, [piece(150.0, 250.0, 2, 4)]);
    assert!(gantt.jobs.iter().all(|job| job.lost.is_empty()));
}

#[test]
fn a_window_has_the_jobs_that_run_in_it() {
    let done = replayed(pool(16), &jobs(2000), "easy");
    let of = |numbers: &[Bar]| numbers.iter().map(|job| job.number).collect::<Vec<_>>();
    let whole = bars(&done, Extent::Whole);
    assert_eq!(whole.len(), 2000);
    let hour = bars(&done, Extent::Between(10_000.0, Some(13_600.0)));
    let runs_in = |job: &&Bar| job.start < 13_600.0 && job.end > 10_000.0;
    let expected: Vec<i64> = whole.iter().filter(runs_in).map(|job| job.number).collect();
    assert!(expected.len() > 50 && of(&hour) == expected);
    // A job is in the window around it even if it runs much later.
    let late =
        whole.iter().max_by(|one, next| (one.start - one.submit).total_cmp(&(next.start - next.submit)));
    let (late, submit) = late.map(|job| (job.number, job.submit)).unwrap();
    let around = bars(&done, Extent::Around(late, 1.0));
    assert!(of(&around).contains(&late), "{around:?}");
    assert!(
        around.iter().all(|job| job.number == late || job.start < submit + 1.0 && job.end > submit - 1.0)
    );
    let missing = part(&done, Extent::Around(999_999, 60.0)).unwrap_err();
    assert_eq!(missing, "the workload has no job 999999");
    let after = part(&done, Extent::Between(1e9, None)).unwrap_err();
    assert_eq!(after, "no job runs in the window");
}

#[test]
fn a_window_of_time_slices_is_cut_from_a_long_replay() {
    let done = replayed(pool(16), &jobs(4000), "gs:slice=5");
    assert!(matches!(part(&done, Extent::Whole), Ok(Chart::Density { .. })));
    let shown = bars(&done, Extent::Between(1000.0, Some(1600.0)));
    let turns: usize = shown.iter().map(|job| job.pieces.len()).sum();
    assert!(turns >= shown.len() && shown.len() > 5, "{turns} of {}", shown.len());
}

#[test]
fn more_jobs_than_a_chart_has_are_shown_as_the_share_in_use() {
    let done = replayed(pool(16), &jobs(5001), "easy");
    let Ok(Chart::Density { reason, grid, .. }) = part(&done, Extent::Whole) else { panic!("rectangles") };
    assert_eq!(reason, "5001 jobs are too many for rectangles, 5000 are the most");
    let whole: Density = done.detail("density").unwrap();
    assert_eq!(grid, whole);
    // The same window from the share in use: 40 000 s of about 160 000 s.
    let window = (Time::from_secs(10_000), Time::from_secs(50_000));
    let first = done.measurement().window().first_submit;
    let cut = density::within(&done.measurement(), (first + window.0, first + window.1)).unwrap();
    assert_eq!((cut.edges[0], cut.edges[cut.edges.len() - 1]), (10_000.0, 50_000.0));
}

#[test]
fn sums_by_user_and_week_are_those_of_the_means() {
    let done = replayed(pool(16), &jobs(500), "easy");
    let who: Who = done.detail("who").unwrap();
    assert_eq!((who.all.jobs, who.users.len(), who.other_users.0, who.weeks.len()), (500, 7, 0, 1));
    assert_near(who.all.wait / 500.0, done.metric("mean_wait"));
    assert_near(who.all.bsld / 500.0, done.metric("mean_bsld"));
    assert_near(who.users.iter().map(|(_, sums)| sums.bsld).sum(), who.all.bsld);
    assert!(who.users.is_sorted_by(|one, next| one.1.bsld >= next.1.bsld));
    assert!(who.top_jobs.jobs == 5 && who.top_jobs.bsld_share > 0.01 && who.top_jobs.bsld_share < 1.0);
}

#[test]
fn quantiles_end_with_the_metrics() {
    let done = replayed(pool(16), &jobs(777), "easy");
    let told: Distribution = done.detail("distribution").unwrap();
    let last: SortedMap<&str, f64> =
        told.quantities.iter().map(|of| (of.name.as_str(), of.values[SHARES - 1])).collect();
    for name in ["wait", "response", "bsld", "slowdown"] {
        assert_near(last[name], done.metric(&format!("max_{name}")));
    }
    let is_ascending = |of: &Quantiles| of.values.is_sorted() && of.jobs == 777;
    assert!(told.quantities.iter().all(is_ascending));
}

#[test]
fn details_are_small_and_the_same_to_the_byte() {
    let done = [(); 2].map(|()| replayed(pool(16), &jobs(5000), "easy"));
    for spec in DETAILS {
        let [told, again] = done
            .each_ref()
            .map(|done| serde_json::to_string(&(spec.make)(&done.measurement(), Extent::Whole)).unwrap());
        let most = match spec.name {
            "gantt" => 1_500_000,
            "points" => 200_000,
            _ => 100_000,
        };
        assert!(told.len() < most && told == again, "{}: {} bytes", spec.name, told.len());
    }
}

/// Values of the metrics about promised starts: the share, mean and median error, mean delay.
fn promised(jobs: &[PlainJob], spec: &str) -> [Option<f64>; 4] {
    let done = replayed(pool(16), jobs, spec);
    let (catalogue, measurement) = (Catalogue::new(&done.scenario.machine, &[]), done.measurement());
    ["promised_share", "mean_promise_error", "median_promise_error", "mean_promise_delay"]
        .map(|key| catalogue.find(key).unwrap().value(&measurement))
}

#[test]
fn reservations_of_conservative_backfilling_hold_and_are_exact_if_estimates_are() {
    let inexact = jobs(200);
    let exact: Vec<PlainJob> =
        jobs(200).into_iter().map(|job| PlainJob { estimate: job.run, ..job }).collect();
    let [share, error, median, delay] = promised(&exact, "conservative");
    assert!(share.is_some_and(|share| share > 0.3 && share <= 1.0), "{share:?}");
    assert_eq!([error, median, delay], [Some(0.0); 3]);
    // Jobs that end before their estimates let others start early, never late.
    let [_, error, median, delay] = promised(&inexact, "conservative");
    assert!(error > Some(0.0) && median.is_some(), "{error:?} {median:?}");
    assert_eq!(delay, Some(0.0));
    assert_eq!(promised(&inexact, "fcfs"), [Some(0.0), None, None, None], "nothing is promised");
}

#[test]
fn the_quantiles_of_promises_are_those_of_their_errors() {
    let done = replayed(pool(16), &jobs(200), "conservative");
    let detail: Distribution = done.detail("promises").unwrap();
    let [quantiles] = &detail.quantities[..] else { panic!("{detail:?}") };
    assert_eq!((quantiles.name.as_str(), detail.jobs), ("promise_error", 200));
    assert_eq!(quantiles.jobs as f64 / 200.0, done.metric("promised_share"));
    assert!(quantiles.values.windows(2).all(|pair| pair[0] <= pair[1]) && quantiles.values[0] >= 0.0);
    let refused = replayed(pool(16), &jobs(20), "fcfs").detail::<Distribution>("promises").unwrap_err();
    assert_eq!(refused, "the policy promised no measured job a start");
}
