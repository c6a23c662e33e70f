//! Alternates: processors that are idle in a slot run jobs of other slots.

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedSet;

use crate::cluster::columns::Columns;

/// A job with its position in the order of arrival on the board.
pub type Ranked = (u64, JobId);

/// The jobs that may be alternates, by their processors.
///
/// Feitelson (Packing Schemes for Gang Scheduling, JSSPP 1996) finds that mapping by buddies depends on
/// alternates: the processors that a job leaves idle in its block, and blocks without a job, are given to
/// jobs mapped elsewhere. Which jobs get them is this project's rule: row by row, the job that is in the
/// fewest rows so far comes first, among equals the job that came first. A row without a job of its own
/// takes no turn, and gets no alternates.
///
/// If several jobs have the same processors, a row takes only one of them, and by the rule they take turns: each row asks
/// one job.
///
/// A row is filled again only if something has changed since it was filled last: its own jobs, or a group that fits into it
/// and that has other jobs, or got another number of rows before this one.
#[derive(Clone, Debug)]
pub struct Alternates {
    groups: Vec<Group>,
    unused: Vec<u32>,
    /// The groups by the lowest of their processors.
    lowest: Vec<Vec<u32>>,
    /// The groups whose change may affect rows.
    changed: Vec<u32>,
    /// Whether every row is to be filled again.
    all: bool,
    asked: Vec<Asked>,
}

/// Jobs on the same processors; there may be none left since rows were filled last.
#[derive(Clone, Debug)]
struct Group {
    columns: Columns,
    size: usize,
    /// In the order of arrival.
    jobs: Vec<Ranked>,
    /// The number of rows that they have got, including the turns of jobs passed over.
    turns: usize,
    /// The number of rows that they had got up to the same row when rows were filled last.
    before: usize,
    /// Whether the jobs on these processors have changed since rows were filled last.
    has_changed: bool,
    is_listed: bool,
}

/// A job that would fit into a row, in the order in which jobs get rows: by the further rows it is in, then by its arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    rows: usize,
    job: Ranked,
    group: u32,
}

/// A row of the board: the jobs that are mapped to it, and those that it runs.
#[derive(Clone, Debug)]
pub struct SlotRow {
    /// Its own jobs in the order of arrival.
    pub own: Vec<Ranked>,
    /// The processors that its own jobs do not use.
    pub free: Columns,
    /// The jobs that it runs in the order of arrival, as of the last filling.
    pub filled: Vec<Ranked>,
    groups: Vec<u32>,
    /// Whether its own jobs have changed since.
    pub has_changed: bool,
}

impl SlotRow {
    pub fn new(procs: usize) -> SlotRow {
        let (own, filled, groups) = (Vec::new(), Vec::new(), Vec::new());
        SlotRow { own, free: Columns::all(procs), filled, groups, has_changed: true }
    }
}

impl Group {
    /// Passes over jobs that cannot run; returns how many further rows the next job is in, and the job.
    fn next(&mut self, idle: &SortedSet<JobId>) -> Option<(usize, Ranked)> {
        for _ in 0..self.jobs.len() {
            let next = self.jobs[self.turns % self.jobs.len()];
            if idle.is_empty() || !idle.contains(&next.1) {
                return Some((self.turns / self.jobs.len(), next));
            }
            self.turns += 1;
        }
        None
    }

    /// Whether it may get another row than when rows were filled last.
    fn differs(&self) -> bool {
        self.has_changed || self.turns != self.before
    }
}

impl Alternates {
    pub fn new(procs: usize) -> Alternates {
        let (groups, unused, changed, asked) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Alternates { groups, unused, lowest: vec![Vec::new(); procs], changed, all: false, asked }
    }

    /// A job is mapped to processors; jobs must enter in the order of arrival.
    pub fn enter(&mut self, job: Ranked, columns: &Columns) {
        let Some(lowest) = columns.iter().next() else { return };
        let group = self.find(lowest, columns).unwrap_or_else(|| {
            let group = self.add(columns);
            self.lowest[lowest].push(group);
            group
        });
        self.groups[group as usize].jobs.push(job);
        self.touch(group);
    }

    pub fn leave(&mut self, job: Ranked, columns: &Columns) {
        let Some(lowest) = columns.iter().next() else { return };
        let Some(group) = self.find(lowest, columns) else { return };
        self.groups[group as usize].jobs.retain(|&other| other != job);
        self.touch(group);
    }

    /// Returns the group of jobs on these processors, given the lowest processor.
    fn find(&self, lowest: usize, columns: &Columns) -> Option<u32> {
        let mut groups = self.lowest[lowest].iter().copied();
        groups.find(|&group| self.groups[group as usize].columns == *columns)
    }

    fn add(&mut self, columns: &Columns) -> u32 {
        let (columns, size) = (columns.clone(), columns.len());
        let group = Group {
            columns,
            size,
            jobs: Vec::new(),
            turns: 0,
            before: 0,
            has_changed: false,
            is_listed: false,
        };
        if let Some(unused) = self.unused.pop() {
            self.groups[unused as usize] = group;
            return unused;
        }
        self.groups.push(group);
        self.groups.len() as u32 - 1
    }

    fn touch(&mut self, group: u32) {
        self.groups[group as usize].has_changed = true;
        self.list(group);
    }

    fn list(&mut self, group: u32) {
        if !std::mem::replace(&mut self.groups[group as usize].is_listed, true) {
            self.changed.push(group);
        }
    }

    /// Fills rows, from the first on: each gets its own jobs that can run and, if the rules say so, alternates. `columns`
    /// returns the processors of the `idle` jobs, which cannot run. `visit` gets each row whose jobs change: its place, the
    /// jobs before, and the jobs now.
    ///
    /// O(jobs in rows + rows · groups that have changed); for each row that is filled again, and for each job that it gets,
    /// O(groups that begin at a free processor and fit).
    pub fn fill<'a>(
        &mut self,
        rows: &mut [SlotRow],
        with_alternates: bool,
        idle: &SortedSet<JobId>,
        columns: impl Fn(JobId) -> &'a Columns,
        mut visit: impl FnMut(usize, &[Ranked], &[Ranked]),
    ) {
        // Jobs that cannot run count as turns that no row shows, so that the next filling cannot continue from this one.
        let all = std::mem::replace(&mut self.all, !idle.is_empty()) || !idle.is_empty();
        self.groups.iter_mut().for_each(|group| (group.turns, group.before) = (0, 0));
        for (at, row) in rows.iter_mut().enumerate() {
            if !all && !row.has_changed && !self.changed.iter().any(|&group| self.fits(group, row)) {
                for &group in &row.groups {
                    let group = &mut self.groups[group as usize];
                    (group.turns, group.before) = (group.turns + 1, group.before + 1);
                }
                continue;
            }
            let before = std::mem::take(&mut row.filled);
            let mut free = row.free.clone();
            for &job in &row.own {
                if idle.contains(&job.1) {
                    free.add(columns(job.1));
                } else {
                    row.filled.push(job);
                }
            }
            let groups = std::mem::take(&mut row.groups);
            if with_alternates && !row.filled.is_empty() {
                self.add_alternates(row, free, idle);
            }
            self.compare(&groups, &row.groups);
            if row.filled != before {
                visit(at, &before, &row.filled);
            }
            row.has_changed = false;
        }
        self.settle();
    }

    fn fits(&self, group: u32, row: &SlotRow) -> bool {
        self.groups[group as usize].columns.is_within(&row.free)
    }

    /// Lists the groups whose number of rows so far differs from the last filling, after a row whose alternates changed from
    /// some groups to others.
    fn compare(&mut self, before: &[u32], now: &[u32]) {
        for &group in before {
            self.groups[group as usize].before += 1;
            self.list(group);
        }
        for &group in now {
            self.list(group);
        }
        let Alternates { groups, changed, .. } = self;
        changed.retain(|&group| {
            let group = &mut groups[group as usize];
            group.is_listed = group.differs();
            group.is_listed
        });
    }

    /// Begins the record of changes for the next filling; groups without jobs go.
    fn settle(&mut self) {
        for group in std::mem::take(&mut self.changed) {
            let known = &mut self.groups[group as usize];
            (known.has_changed, known.is_listed) = (false, false);
            if known.jobs.is_empty()
                && let Some(lowest) = known.columns.iter().next()
            {
                self.lowest[lowest].retain(|&other| other != group);
                self.unused.push(group);
            }
        }
    }

    /// Adds jobs whose processors are all free, except jobs that cannot run.
    fn add_alternates(&mut self, row: &mut SlotRow, mut free: Columns, idle: &SortedSet<JobId>) {
        let mut left = free.len();
        let Alternates { groups, lowest, asked, .. } = self;
        asked.clear();
        for &at in free.iter().flat_map(|column| &lowest[column]) {
            let group = &mut groups[at as usize];
            if group.size <= left
                && group.columns.is_within(&free)
                && let Some((rows, job)) = group.next(idle)
            {
                asked.push(Asked { rows, job, group: at });
            }
        }
        // Only a few jobs get the row: after each choice most others no longer fit.
        while let Some(&Asked { job, group: at, .. }) = asked.iter().min() {
            let group = &mut groups[at as usize];
            free.take(&group.columns);
            left -= group.size;
            group.turns += 1;
            row.filled.push(job);
            row.groups.push(at);
            let fits = |group: &Group| group.size <= left && group.columns.is_within(&free);
            asked.retain(|asked| fits(&groups[asked.group as usize]));
        }
        if !row.groups.is_empty() {
            row.filled.sort_unstable();
        }
    }
}
