//! The parameters that gang scheduling policies share.

use batchlab_traces::Time;

use super::prediction::{From, Prediction};
use crate::cycle::Resume;
use crate::needs::Needs;
use crate::spec::{BuildError, ParamError, ParamKind, ParamSpec, Params, Setting, Words};
use crate::support::matrix::compact::{Gathering, RowJobOrder, RowRanking};
use crate::support::matrix::migration::{MigrationLimit, MigrationScope, MigrationUnit};
use crate::support::matrix::schedule::Taking;
use crate::words;

/// The needs of gang scheduling: the columns of a matrix are the equal processors of a pool.
pub const NEEDS: Needs = Needs { pool: true, ..Needs::GANG };

pub const MPL: ParamSpec = ParamSpec {
    name: "mpl",
    kind: ParamKind::Count { least: 1, infinite: false },
    default: "5",
    help: "multiprogramming level: number of rows of the matrix, and so the most slices of a cycle",
    ..ParamSpec::PLAIN
};

pub const SLICE: ParamSpec = ParamSpec {
    name: "slice",
    kind: ParamKind::Span { words: &[] },
    default: "200",
    help: "length of a time slice",
    ..ParamSpec::PLAIN
};

/// What follows a slice that is cut short.
///
/// The paper does not say. `continue` keeps the cycle as even as events allow; with `first`, late rows of
/// the cycle starve if events are frequent.
pub const AFTER: ParamSpec = ParamSpec {
    name: "after-event",
    kind: ParamKind::Choice(Resume::WORDS),
    default: "continue",
    help: "what follows a slice that an event cuts short: the rest of it, the next row's, or the first row's",
    ..ParamSpec::PLAIN
};

pub const RANK: ParamSpec = ParamSpec {
    name: "rank",
    kind: ParamKind::Choice(RowRanking::WORDS),
    default: "once",
    help: "when rows are ranked by how populated they are: once before jobs are moved, or after each move",
    ..ParamSpec::PLAIN
};

pub const WITHIN: ParamSpec = ParamSpec {
    name: "within",
    kind: ParamKind::Choice(RowJobOrder::WORDS),
    default: "start",
    help: "in which order the jobs of a row are moved: as they started, or the largest first",
    ..ParamSpec::PLAIN
};

pub const COLUMNS: ParamSpec = ParamSpec {
    name: "columns",
    kind: ParamKind::Choice(Taking::WORDS),
    default: "lowest",
    help: "which free columns of its row a new job takes: the lowest, or those that the fewest rows use",
    ..ParamSpec::PLAIN
};

pub const INFLATE: ParamSpec = ParamSpec {
    name: "inflate",
    kind: ParamKind::Choice(&["mpl", "mpl+cs"]),
    default: "mpl",
    help: "factor of estimates: mpl, or mpl with the time of switches, plus one migration",
    ..ParamSpec::PLAIN
};

pub const FROM: ParamSpec = ParamSpec {
    name: "from",
    kind: ParamKind::Choice(From::WORDS),
    default: "start",
    help: "predicted end: the inflated estimate counts from the first start, or its unexecuted part counts from now",
    ..ParamSpec::PLAIN
};

pub const Q: ParamSpec = ParamSpec {
    name: "q",
    kind: ParamKind::Count { least: 0, infinite: true },
    default: "inf",
    help: "the most tasks that migrate; 0 omits Collapse-2, Schedule-2 and Fill-2",
    ..ParamSpec::PLAIN
};

/// The unit of Q.
///
/// Jobs move as a whole, and the paper bounds tasks: `jobs` is what moves. Where Q = 64 is a small part of the machine, as
/// in Figure 15, whole jobs above Q never move; with `tasks` they do if they only graze others.
pub const QUNIT: ParamSpec = ParamSpec {
    name: "qunit",
    kind: ParamKind::Choice(MigrationUnit::WORDS),
    default: "jobs",
    help: "q counts all tasks of the jobs that move, or only the tasks whose place another one takes",
    ..ParamSpec::PLAIN
};

pub const QSCOPE: ParamSpec = ParamSpec {
    name: "qscope",
    kind: ParamKind::Choice(MigrationScope::WORDS),
    default: "event",
    help: "q limits all tasks that migrate at an event, or those of each row",
    ..ParamSpec::PLAIN
};

words!(From { Start = "start", Remaining = "remaining" });

/// The most rows; more are refused as a mistake.
const MOST_ROWS: u64 = 1024;

#[derive(Clone, Copy, Debug)]
pub struct GangParams {
    pub mpl: usize,
    pub slice: Time,
    pub resume: Resume,
    pub gathering: Gathering,
    pub taking: Taking,
}

impl GangParams {
    /// Reads the parameters. Plain gang scheduling, `alone`, also takes memory and other resources of
    /// processors into account.
    pub fn new(params: &Params, setting: &Setting<'_>, alone: bool) -> Result<GangParams, BuildError> {
        if let Some(other) = setting.machine.resources().get(1).filter(|_| !alone) {
            let name = &other.name;
            return Err(BuildError::Unfit(format!(
                "reservations and migration share out processors and nothing else, and this machine has {name}: leave it \
                 out with --capacity {name}=none, or take `gs` or `dhc`"
            )));
        }
        let mpl = params.count(MPL.name).filter(|&mpl| mpl <= MOST_ROWS);
        let mpl = mpl.and_then(|mpl| usize::try_from(mpl).ok()).ok_or_else(|| {
            params.unfit(MPL.name, format_args!("a matrix has {MOST_ROWS} rows at most; try mpl=5"))
        })?;
        let slice = params.duration(SLICE.name).unwrap_or(Time::from_secs(200));
        let resume = params.word(&AFTER)?;
        let gathering = Gathering { ranking: params.word(&RANK)?, within: params.word(&WITHIN)? };
        let taking = params.word(&COLUMNS)?;
        Ok(GangParams { mpl, slice, resume, gathering, taking })
    }
}

/// Reads how ends are predicted.
pub fn prediction(params: &Params, setting: &Setting<'_>, mpl: usize) -> Result<Prediction, ParamError> {
    let prediction = Prediction::new(mpl, params.word(&FROM)?);
    if params.is(&INFLATE, "mpl+cs")? {
        return Ok(prediction.with_overheads(setting.costs.switch.to_f64(), setting.costs.migrate));
    }
    Ok(prediction)
}

/// Reads how many tasks may migrate, and how they are counted.
///
/// # Errors
/// When a migration takes longer than a slice: a job that migrates at each event would never run.
pub fn quota(params: &Params, setting: &Setting<'_>) -> Result<MigrationLimit, BuildError> {
    let (migrate, slice) = (setting.costs.migrate, params.duration(SLICE.name).unwrap_or(Time::MAX));
    if migrate > slice {
        return Err(BuildError::Unfit(format!(
            "c={migrate}: a migration takes longer than a slice ({slice} s); try c=10, or slice={migrate}"
        )));
    }
    Ok(MigrationLimit {
        most: params.count(Q.name),
        scope: params.word(&QSCOPE)?,
        unit: params.word(&QUNIT)?,
    })
}
