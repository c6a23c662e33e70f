//! Boards drawn as pictures: a line for each slot, jobs by name, primes for alternates.

use batchlab_traces::Workload;
use batchlab_traces::machine::{Resource, Sharing, processors};
use batchlab_traces::workload::PlainJob;

use super::*;
use crate::support::matrix::{Matrix, Seat};
use proptest::prelude::*;

const FEASIBLE: Rules = Rules {
    slots: None,
    batch: None,
    map: Map::LeastLoadedFeasible,
    within: SubBlockRule::Lowest,
    returns: ReturnRule::Any,
    alternate: false,
};

struct Scene {
    board: Board,
    names: Vec<char>,
    /// The rows of each job, as they have been reported.
    told: SortedMap<JobId, Vec<u32>>,
}

fn scene(memory: &[i64], rules: Rules) -> Scene {
    let resource = Resource { name: "memory".into(), unit: String::new(), sharing: Sharing::Space };
    let nodes: Vec<Vec<i64>> = memory.iter().map(|&memory| vec![1, memory]).collect();
    let machine = Machine::new(vec![processors(), resource], &nodes).unwrap();
    Scene { board: Board::new(&machine, rules), names: Vec::new(), told: SortedMap::new() }
}

impl Scene {
    /// Requests processors, and memory on each of them, for a batch job.
    fn request(&self, procs: i64, memory: i64) -> BlockRequest {
        let job = PlainJob::secs(0, 1, vec![procs, procs * memory]);
        let workload = Workload::from_jobs(&[job]);
        self.board.request(JobView::new(&workload, JobId(0)), true)
    }

    fn put(&mut self, name: char, procs: i64, memory: i64) -> bool {
        let request = self.request(procs, memory);
        self.put_as(name, &request)
    }

    fn put_as(&mut self, name: char, request: &BlockRequest) -> bool {
        self.names.push(name);
        self.board.place(JobId(self.names.len() as u32 - 1), request).is_some()
    }

    fn leave(&mut self, name: char) {
        let at = self.names.iter().position(|&known| known == name).unwrap();
        assert!(self.board.leave(JobId(at as u32)).is_some());
    }

    /// The jobs of each row; the reported rows of each job agree.
    #[track_caller]
    fn rows(&mut self, can_run: impl Fn(JobId) -> bool) -> Vec<Vec<JobId>> {
        self.told.extend(self.board.fill(can_run));
        self.told.retain(|_, rows| !rows.is_empty());
        let rows = self.board.rows.iter().map(|row| row.filled.iter().map(|&(_, job)| job).collect());
        let rows: Vec<Vec<JobId>> = rows.collect();
        let mut shown: SortedMap<JobId, Vec<u32>> = SortedMap::new();
        for (at, row) in rows.iter().enumerate() {
            for &job in row {
                shown.entry(job).or_default().push(at as u32);
            }
        }
        assert_eq!(self.told, shown);
        rows
    }

    #[track_caller]
    fn shows(&mut self, lines: &[&str]) {
        let matrix = matrix(&self.board, |_| true);
        let name = |job: JobId| self.names[job.index()].to_string();
        let drawn = matrix.picture(name).to_string();
        assert_eq!(drawn.lines().collect::<Vec<_>>(), lines);
        assert_eq!(self.rows(|_| true), matrix.cycle());
    }
}

/// The rows by the rule: all jobs go to their slots in the order of arrival; then, row by row, every job is asked, the jobs
/// in the fewest rows so far first.
fn matrix(board: &Board, can_run: impl Fn(JobId) -> bool) -> Matrix {
    let mut matrix = Matrix::new(board.slots.len(), board.batch.len());
    let mut jobs: Vec<(JobId, &Home)> = board.homes().filter(|&(job, _)| can_run(job)).collect();
    jobs.sort_unstable_by_key(|(_, home)| home.rank);
    for (job, home) in jobs {
        assert!(matrix.put(job, home.columns.clone(), home.slot), "blocks of a slot do not overlap");
    }
    for row in (0..matrix.height()).filter(|_| board.rules.alternate) {
        if !matrix.row(row).is_empty() {
            let mut jobs = matrix.in_order();
            jobs.sort_by_key(|&job| matrix.seat(job).map_or(0, |seat: &Seat| seat.rows().len()));
            for job in jobs {
                matrix.replicate(job, row);
            }
        }
    }
    matrix
}

proptest! {
    /// Jobs come and leave; some cannot run for now. A number is a job to come, with its processors, or one to leave.
    #[test]
    fn rows_are_those_of_the_rule(
        procs in 1usize..12,
        most_free: bool,
        some_idle: bool,
        steps in prop::collection::vec((any::<bool>(), 1i64..9, 0i64..4, 0u32..30), 1..90),
    ) {
        let within = if most_free { SubBlockRule::MostFree } else { SubBlockRule::Lowest };
        let mut scene = scene(&vec![12; procs], Rules { within, alternate: true, ..FEASIBLE });
        let mut here: Vec<JobId> = Vec::new();
        for (at, (comes, size, memory, index)) in steps.into_iter().enumerate() {
            let job = JobId(at as u32);
            if comes && scene.board.place(job, &scene.request(size, memory)).is_some() {
                here.push(job);
            } else if !comes && !here.is_empty() {
                let job = here.remove(index as usize % here.len());
                prop_assert!(scene.board.leave(job).is_some());
            }
            for idle in [None, some_idle.then_some(index % 4)] {
                let can_run = |job: JobId| Some(job.0 % 4) != idle;
                prop_assert_eq!(scene.rows(can_run), matrix(&scene.board, can_run).cycle());
            }
        }
    }
}

#[test]
fn jobs_go_to_the_least_loaded_blocks_of_their_size_and_the_leftmost_of_equals() {
    let mut scene = scene(&[9; 8], FEASIBLE);
    for (name, procs) in [('a', 4), ('b', 2), ('c', 2), ('d', 8), ('e', 1), ('f', 4)] {
        assert!(scene.put(name, procs, 1));
    }
    // When e comes, all processors are loaded alike; when f comes, the right half is less loaded.
    scene.shows(&["0: a a a a b b c c", "1: d d d d d d d d", "2: e . . . f f f f"]);
}

#[test]
fn a_job_has_its_block_to_itself_and_the_lowest_processors_of_it() {
    let mut scene = scene(&[9; 7], FEASIBLE);
    assert!(scene.put('a', 3, 1) && scene.put('b', 1, 1) && scene.put('c', 2, 1));
    // Processor 3 belongs to a's block, so b is placed beyond it. The only other block of two is b's, so c
    // is placed below a.
    scene.shows(&["0: a a a . b . .", "1: c c . . . . ."]);
    assert!(scene.put('d', 1, 1) && scene.put('e', 1, 1) && scene.put('f', 1, 1));
    // 5 and 6 are not loaded; of the controllers with one slot used, 2 is the leftmost.
    scene.shows(&["0: a a a . b d e", "1: c c f . . . ."]);
}

#[test]
fn larger_than_the_largest_block_is_too_large() {
    let scene = scene(&[9; 7], FEASIBLE);
    let misfit = |procs, memory| scene.board.misfit(&scene.request(procs, memory));
    assert_eq!(misfit(4, 9), None);
    assert_eq!(misfit(5, 1), Some("larger than the largest block of buddies"));
    assert_eq!(misfit(70, 0), misfit(5, 1));
    assert_eq!(misfit(1, 10), Some("with more memory per processor than their processors have"));
}

#[test]
fn memory_is_held_in_all_slots_and_a_block_without_it_is_passed_over() {
    let mut board = scene(&[10; 4], FEASIBLE);
    assert!(board.put('a', 2, 6) && board.put('b', 1, 3) && board.put('c', 1, 3));
    // The blocks 0-1 and 2-3 have one slot used each; processors 0 and 1 have less than 6 memory free.
    assert!(board.put('d', 2, 6));
    board.shows(&["0: a a b c", "1: . . d d"]);
    assert!(!board.put('e', 2, 5) && board.put('f', 2, 4));
    board.shows(&["0: a a b c", "1: f f d d"]);
    // A departure frees the memory and the slot of the job.
    board.leave('a');
    assert!(board.put('g', 2, 6));
    board.shows(&["0: g g b c", "1: f f d d"]);
}

#[test]
fn the_least_loaded_or_none() {
    let only = Rules { map: Map::LeastLoadedOnly, ..FEASIBLE };
    let mut board = scene(&[10; 4], only);
    assert!(board.put('a', 2, 8) && board.put('b', 2, 2) && board.put('c', 2, 1));
    // 2-3 has one slot used and 0-1 two: only 2-3 is tried, which has 8 free.
    assert!(!board.put('d', 2, 9) && board.put('e', 2, 8));
    board.shows(&["0: a a b b", "1: c c e e"]);
    // Now 0-1 is equally loaded and the leftmost, with 1 free. After e has left, 2-3 is tried again.
    assert!(!board.put('f', 2, 2));
    board.leave('e');
    assert!(board.put('g', 2, 2));
    board.shows(&["0: a a b b", "1: c c g g"]);
}

#[test]
fn a_start_can_make_room_where_only_the_least_loaded_is_asked() {
    let mut board = scene(&[10; 4], Rules { map: Map::LeastLoadedOnly, ..FEASIBLE });
    assert!(board.put('a', 2, 9));
    let request = board.request(2, 4);
    assert!(board.put('b', 2, 6) && !board.put_as('c', &request));
    // At first 0-1 was the leftmost of equals and too full; with d on it, 2-3 is the least loaded.
    assert!(board.put('d', 2, 1) && board.put_as('e', &request));
    board.shows(&["0: a a b b", "1: d d e e"]);
}

#[test]
fn blocks_of_processors_without_enough_memory_at_all_are_not_asked() {
    let only = Rules { map: Map::LeastLoadedOnly, ..FEASIBLE };
    for rules in [FEASIBLE, only] {
        let mut board = scene(&[2, 9, 9, 2, 9, 9, 9, 9], rules);
        // 0-1 and 2-3 have one processor with 5 each; only 4-5 and 6-7 have two.
        assert!(board.put('a', 2, 5) && board.put('b', 1, 5) && board.put('c', 3, 4));
        board.shows(&["0: . b . . a a . .", "1: . . . . c c c ."]);
        assert!(board.board.misfit(&board.request(4, 9)).is_none());
        assert!(board.board.misfit(&board.request(7, 9)).is_some());
    }
}

#[test]
fn smaller_jobs_may_take_the_processors_with_most_free_memory() {
    let most_free = Rules { within: SubBlockRule::MostFree, ..FEASIBLE };
    let mut lowest = scene(&[10; 4], FEASIBLE);
    let mut free = scene(&[10; 4], most_free);
    for board in [&mut lowest, &mut free] {
        assert!(board.put('a', 3, 6));
    }
    assert!(!lowest.put('b', 3, 5) && lowest.put('c', 3, 4));
    lowest.shows(&["0: a a a .", "1: c c c ."]);
    assert!(!free.put('b', 3, 5) && free.put('c', 3, 4));
    free.shows(&["0: a a a .", "1: c c . c"]);
}

#[test]
fn slots_and_batch_jobs_on_a_processor_may_be_limited() {
    let mut two = scene(&[10; 2], Rules { slots: Some(2), ..FEASIBLE });
    assert!(two.put('a', 2, 0) && two.put('b', 1, 0) && two.put('c', 1, 0) && !two.put('d', 1, 0));
    two.shows(&["0: a a", "1: b c"]);
    two.leave('a');
    assert!(two.put('e', 1, 0) && two.put('f', 1, 0) && !two.put('g', 1, 0));
    two.shows(&["0: e f", "1: b c"]);
    let mut one = scene(&[10; 2], Rules { batch: Some(1), ..FEASIBLE });
    let interactive = BlockRequest { batch: false, ..one.request(2, 0) };
    assert!(one.put('a', 1, 0) && one.put_as('i', &interactive) && one.put_as('j', &interactive));
    assert!(!one.put('b', 2, 0) && one.put('c', 1, 0) && !one.put('d', 1, 0));
    one.shows(&["0: a c", "1: i i", "2: j j"]);
}

#[test]
fn alternates_run_where_all_their_processors_are_idle() {
    let alternate = Rules { alternate: true, ..FEASIBLE };
    let mut board = scene(&[9; 4], alternate);
    assert!(board.put('a', 3, 1) && board.put('b', 4, 1) && board.put('c', 1, 1) && board.put('d', 2, 1));
    board.shows(&["0: a a a .", "1: b b b b", "2: c . d d"]);
    board.leave('b');
    // Row 1 is empty and takes no turn. In row 0 no job fits beside a; in row 2 no job fits beside c and d.
    board.shows(&["0: a a a .", "1: . . . .", "2: c . d d"]);
    board.leave('a');
    // Now a's slot is free: c and d run alone.
    board.shows(&["0: . . . .", "1: . . . .", "2: c . d d"]);
    assert!(board.put('e', 1, 1));
    board.shows(&["0: c' e  d' d'", "1: .  .  .  .", "2: c  e' d  d"]);
}

#[test]
fn of_those_who_could_be_alternates_who_runs_least_goes_first() {
    let mut board = scene(&[9; 4], Rules { alternate: true, ..FEASIBLE });
    for (name, procs) in [('a', 2), ('b', 2), ('c', 2), ('d', 2), ('e', 4)] {
        assert!(board.put(name, procs, 1));
    }
    board.leave('b');
    board.leave('d');
    // Row 0 has 2-3 idle, where no other job is mapped; row 1 as well.
    board.shows(&["0: a a . .", "1: c c . .", "2: e e e e"]);
    assert!(board.put('f', 2, 1));
    board.shows(&["0: a  a  f  f", "1: c  c  f' f'", "2: e  e  e  e"]);
    board.leave('a');
    // c is in one row so far, like e.
    board.shows(&["0: c' c' f  f", "1: c  c  f' f'", "2: e  e  e  e"]);
}
