//! The common part of the gang scheduling policies: a new matrix at every arrival and departure.

use batchlab_traces::JobId;
use rustc_hash::FxHashMap;

use super::backfilled::Backfilled;
use super::memory::ColumnMemory;
use super::options::{GangParams, INFLATE, Q};
use crate::cluster::columns::Columns;
use crate::cycle::{Checkpoint, CycleChanges};
use crate::event::Event;
use crate::placement::{Placement, Share};
use crate::policy::PolicyError;
use crate::spec::{BuildError, ParamError, Params, Setting};
use crate::support::books::Books;
use crate::support::keeper::Keeper;
use crate::support::matrix::collapse::collapse;
use crate::support::matrix::compact::{Unguarded, compact};
use crate::support::matrix::migration::{MigrationLimit, Quota};
use crate::support::matrix::replicas::Replicas;
use crate::support::matrix::schedule::{Taking, schedule};
use crate::support::matrix::{Matrix, Seat};
use crate::turn::Turn;

/// Gang scheduling in phases: Clean, Compact, Schedule and Fill; with migration also Collapse-2, Schedule-2 and Fill-2.
pub struct Gang {
    books: Books<1>,
    /// The home rows of jobs; Clean has nothing to do, since replicas are kept apart.
    matrix: Matrix,
    replicas: Replicas,
    options: GangParams,
    /// Memory of processors, if it is limited.
    memory: Option<ColumnMemory>,
    backfilled: Option<Backfilled>,
    migrating: Option<MigrationLimit>,
    /// The columns of the jobs on the machine, as in the last matrix.
    applied: FxHashMap<JobId, Columns>,
}

impl Gang {
    pub fn new(params: &Params, setting: &Setting<'_>) -> Result<Gang, BuildError> {
        let alone = !params.has(&INFLATE) && !params.has(&Q);
        let options = GangParams::new(params, setting, alone)?;
        let matrix = Matrix::of_homes(options.mpl, setting.machine.nodes());
        Ok(Gang {
            memory: ColumnMemory::of(setting),
            books: Books::new(params, setting)?,
            replicas: Replicas::new(&matrix),
            matrix,
            options,
            backfilled: None,
            migrating: None,
            applied: FxHashMap::default(),
        })
    }

    /// Adds backfilling: every waiting job holds a reservation.
    pub fn backfilling(self, params: &Params, setting: &Setting<'_>) -> Result<Gang, ParamError> {
        let width = self.matrix.width();
        Ok(Gang { backfilled: Some(Backfilled::new(params, setting, self.options.mpl, width)?), ..self })
    }

    /// Allows jobs to migrate; with a limit of 0 the phases of migration are omitted.
    pub fn migrating(self, limit: MigrationLimit) -> Gang {
        Gang { migrating: Some(limit).filter(|limit| limit.most != Some(0)), ..self }
    }
}

impl Keeper for Gang {
    type Books = Books<1>;

    fn books(&mut self) -> &mut Books<1> {
        &mut self.books
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let told = turn.events().iter().any(|event| !matches!(event, Event::Woke(_)));
        if !told {
            if let Some(backfilled) = &mut self.backfilled {
                backfilled.idles(turn, &self.books)?;
            }
            return self.books.settle(turn);
        }
        if let Some(backfilled) = &mut self.backfilled {
            backfilled.begins(turn, &self.books)?;
        }
        self.forget_the_gone(turn);
        self.compact(turn)?;
        self.books.settle(turn)?;
        self.schedule(turn)?;
        let mut quota = self.migrate(turn)?;
        let changed = self.matrix.take_changed();
        self.replicas.update(&self.matrix, &changed);
        if let Some(quota) = &mut quota {
            self.replicas.spread(&mut self.matrix, quota);
        }
        if let Some(backfilled) = &mut self.backfilled {
            backfilled.ends(turn, &self.matrix);
        }
        debug_assert_eq!(self.matrix.check(), Ok(()));
        self.apply(turn, quota.map(Quota::into_checkpoints).unwrap_or_default())
    }
}

impl Gang {
    fn forget_the_gone(&mut self, turn: &Turn<'_>) {
        for event in turn.events() {
            let (Event::Finished(job) | Event::Killed(job) | Event::Released(job)) = *event else { continue };
            if let (Some(seat), Some(memory)) = (self.matrix.remove(job), &mut self.memory) {
                memory.leave(turn.job(job), &seat);
            }
            self.applied.remove(&job);
            if let Some(backfilled) = &mut self.backfilled {
                backfilled.leaves(job);
            }
        }
    }

    fn compact(&mut self, turn: &Turn<'_>) -> Result<(), PolicyError> {
        let how = self.options.gathering;
        match &mut self.backfilled {
            None => compact(&mut self.matrix, how, &mut Unguarded),
            Some(backfilled) => {
                let mut guard = backfilled.guard(turn, &self.books);
                compact(&mut self.matrix, how, &mut guard);
                return guard.end();
            }
        };
        Ok(())
    }

    fn schedule(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if let Some(backfilled) = &mut self.backfilled {
            return backfilled.schedule(turn, &mut self.books, &mut self.matrix, self.options.taking);
        }
        match &mut self.memory {
            Some(memory) => memory.start_heads(turn, &mut self.books, &mut self.matrix),
            None => start_heads(turn, &mut self.books, &mut self.matrix, self.options.taking),
        }
    }

    /// Collapse-2 and Schedule-2; returns the quota with the migrations so far.
    fn migrate(&mut self, turn: &mut Turn<'_>) -> Result<Option<Quota>, PolicyError> {
        let Some(limit) = self.migrating else { return Ok(None) };
        let mut quota = Quota::new(limit, self.options.mpl);
        let how = self.options.gathering;
        let moved = match &mut self.backfilled {
            None => collapse(&mut self.matrix, how, &mut quota, &mut Unguarded),
            Some(backfilled) => {
                let mut guard = backfilled.guard(turn, &self.books);
                let moved = collapse(&mut self.matrix, how, &mut quota, &mut guard);
                guard.end()?;
                moved
            }
        };
        // If no job has moved, scheduling again has no effect.
        if moved > 0 {
            self.schedule(turn)?;
        }
        Ok(Some(quota))
    }

    /// Passes the matrix to the machine: the rows, the jobs that are new or have moved, and the migrations.
    fn apply(&mut self, turn: &mut Turn<'_>, checkpoints: Vec<Checkpoint>) -> Result<(), PolicyError> {
        if turn.is_journalled() {
            let matrix = self.replicas.filled(&self.matrix);
            let picture = matrix.picture(|job| turn.job(job).number().to_string()).to_string();
            turn.draw(picture);
        }
        let jobs = self.replicas.take_touched();
        let seats = jobs.iter().filter_map(|&(job, _)| Some((job, self.matrix.seat(job)?)));
        let moved = seats.filter(|&(job, seat)| self.is_new_place(job, seat));
        let moved: Vec<(JobId, Columns)> = moved.map(|(job, seat)| (job, seat.columns().clone())).collect();
        let places: Vec<(JobId, Placement)> =
            moved.iter().map(|(job, columns)| (*job, placement(columns))).collect();
        self.applied.extend(moved);
        let GangParams { slice, resume, .. } = self.options;
        let changes = CycleChanges { rows: self.matrix.height(), jobs, slice, resume, checkpoints };
        Ok(turn.change_cycle(&changes, &places)?)
    }

    fn is_new_place(&self, job: JobId, seat: &Seat) -> bool {
        // Without migration, jobs keep their columns.
        let moves = |known: &Columns| self.migrating.is_some() && known != seat.columns();
        self.applied.get(&job).is_none_or(moves)
    }
}

/// Puts waiting jobs into the matrix in queue order, each in the row that it fits best, while they fit.
pub(super) fn start_heads(
    turn: &Turn<'_>,
    books: &mut Books<1>,
    matrix: &mut Matrix,
    taking: Taking,
) -> Result<(), PolicyError> {
    while let Some(head) = books.queue.head() {
        if schedule(matrix, head, size(turn, head), taking).is_none() {
            break;
        }
        books.placed(turn, head)?;
    }
    Ok(())
}

pub(super) fn size(turn: &Turn<'_>, job: JobId) -> usize {
    usize::try_from(turn.job(job).procs()).unwrap_or(0)
}

/// Returns the placement of one processor on each column's node.
fn placement(columns: &Columns) -> Placement {
    let node = |column| u32::try_from(column).unwrap_or(u32::MAX);
    Placement(columns.iter().map(|column| Share::new(node(column), 1)).collect())
}
