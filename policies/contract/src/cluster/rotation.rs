//! The arithmetic of turns: how much of an elapsed time rows and jobs get, and when a job has had enough.
//! All formulas are closed: no slice is iterated over.
//!
//! Rows take turns from an instant on, which is time 0 here. Slice 0 is the rest of the current slice, every
//! further slice is whole; slice k belongs to row k mod m. Times are ticks.

use batchlab_traces::Time;

use crate::costs::SwitchCharge;

/// Rows that take turns, from an instant on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// The number of rows that are not empty; they count from the row of slice 0.
    pub count: usize,
    /// Length of slice 0.
    pub first: Time,
    /// Length of every other slice.
    pub slice: Time,
    /// Length of a context switch.
    pub switch: Time,
    /// Which jobs pay for it.
    pub charge: SwitchCharge,
    /// How much of its slice the first row had used before slice 0, which continues it.
    pub spent: Time,
}

/// One job's part in a rotation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Its rows, counted from the row of slice 0, ascending.
    pub rows: Vec<usize>,
    /// The part of slice 0 that the switch takes, if slice 0 belongs to the job.
    pub first_switch: Time,
}

/// A point in a rotation: the slice, and the time since its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The slice, from 0.
    pub slice: i64,
    /// Time since its beginning; less than its length.
    pub into: i64,
}

impl Turns {
    /// Returns how often the job stops, given how often the slices of each row end.
    pub(super) fn suspensions(&self, stops: &[i64]) -> i64 {
        let next = self.rows.iter().skip(1).chain(self.rows.first());
        let stopped = self.rows.iter().zip(next).filter(|&(row, next)| (row + 1) % stops.len() != *next);
        stopped.map(|(&row, _)| stops[row]).sum()
    }
}

impl Rotation {
    fn count(&self) -> i64 {
        self.count as i64
    }

    /// Returns the row of a slice.
    pub fn row_of(&self, slice: i64) -> usize {
        (slice % self.count().max(1)) as usize
    }

    /// Returns when a slice begins.
    pub fn begin_of(&self, slice: i64) -> i64 {
        if slice == 0 { 0 } else { self.first.ticks() + (slice - 1) * self.slice.ticks() }
    }

    /// Returns the length of a slice.
    pub fn length_of(&self, slice: i64) -> i64 {
        if slice == 0 { self.first.ticks() } else { self.slice.ticks() }
    }

    /// Returns the point reached after a time; the end of a slice is the beginning of the next.
    pub fn point(&self, elapsed: i64) -> Point {
        let first = self.first.ticks();
        if elapsed < first {
            return Point { slice: 0, into: elapsed };
        }
        let (slice, into) = ((elapsed - first) / self.slice.ticks(), (elapsed - first) % self.slice.ticks());
        Point { slice: 1 + slice, into }
    }

    /// Returns how many of the slices before this one belong to a row, not counting slice 0.
    fn whole(&self, row: usize, before: i64) -> i64 {
        let row = if row == 0 { self.count() } else { row as i64 };
        let last = before - 1;
        if last < row { 0 } else { (last - row) / self.count() + 1 }
    }

    /// Returns how many of the slices before this one belong to a row, counting slice 0.
    pub fn slices_before(&self, row: usize, before: i64) -> i64 {
        self.whole(row, before) + i64::from(row == 0 && before > 0)
    }

    /// Returns how many slices have begun strictly before a time.
    pub fn begun(&self, elapsed: i64) -> i64 {
        let Point { slice, into } = self.point(elapsed);
        slice + i64::from(into > 0)
    }

    /// Returns for each row how often its slices end within an elapsed time, so that another row runs.
    pub(super) fn stops(&self, elapsed: i64) -> Vec<i64> {
        // The last slice that has begun is still running, or the slice after it is not known yet.
        let followed = self.begun(elapsed) - 1;
        (0..self.count).map(|row| self.slices_before(row, followed)).collect()
    }

    /// Returns how much of an elapsed time belongs to a row.
    pub fn time_of(&self, row: usize, elapsed: i64) -> i64 {
        let Point { slice, into } = self.point(elapsed);
        let part = if self.row_of(slice) == row { into } else { 0 };
        let zeroth = if row == 0 && slice > 0 { self.first.ticks() } else { 0 };
        zeroth + self.whole(row, slice) * self.slice.ticks() + part
    }

    /// Returns the parts that the switch takes of a job's slices in a row, except slice 0.
    fn switch_in(&self, turns: &Turns, row: usize) -> i64 {
        let before = (row + self.count - 1) % self.count.max(1);
        let goes_on = self.charge == SwitchCharge::Changed && turns.rows.contains(&before);
        if goes_on { 0 } else { self.switch.min(self.slice).ticks() }
    }

    /// Returns the part that the switch takes of a slice of a job.
    pub fn switch_of(&self, turns: &Turns, slice: i64) -> i64 {
        if slice == 0 { turns.first_switch.ticks() } else { self.switch_in(turns, self.row_of(slice)) }
    }

    /// Returns the service that a job gets in an elapsed time: its slices without the switches. O(rows).
    pub fn service(&self, turns: &Turns, elapsed: i64) -> i64 {
        let Point { slice, into } = self.point(elapsed);
        let net = |length: i64, switch: i64| (length - switch).max(0);
        let mut service = 0;
        for &row in &turns.rows {
            if row == 0 && slice > 0 {
                service += net(self.first.ticks(), turns.first_switch.ticks());
            }
            service += self.whole(row, slice) * net(self.slice.ticks(), self.switch_in(turns, row));
            if self.row_of(slice) == row {
                service += net(into, self.switch_of(turns, slice));
            }
        }
        service
    }

    /// Returns when a job's first slice begins; `None` if it has no slice.
    pub fn opening(&self, turns: &Turns) -> Option<i64> {
        turns.rows.first().map(|&row| self.begin_of(row as i64))
    }

    /// Returns when a job will have had this much service; `None` if never. O(rows).
    pub fn reached(&self, turns: &Turns, need: i64) -> Option<i64> {
        let opening = *turns.rows.first()? as i64;
        let mut need = need.max(0);
        if need == 0 {
            return Some(
                self.begin_of(opening) + self.switch_of(turns, opening).min(self.length_of(opening)),
            );
        }
        if opening == 0 {
            let (length, switch) = (self.first.ticks(), turns.first_switch.ticks());
            if length - switch >= need {
                return Some(switch + need);
            }
            need -= (length - switch).max(0);
        }
        let net = |row: usize| (self.slice.ticks() - self.switch_in(turns, row)).max(0);
        let per_cycle: i64 = turns.rows.iter().map(|&row| net(row)).sum();
        if per_cycle == 0 {
            return None;
        }
        let cycles = (need - 1) / per_cycle;
        need -= cycles * per_cycle;
        // Slices 1 to m of that cycle; the row of slice 0 comes last.
        let first = usize::from(opening == 0);
        for &row in turns.rows[first..].iter().chain(&turns.rows[..first]) {
            if need <= net(row) {
                let step = if row == 0 { self.count() } else { row as i64 };
                let slice = cycles.checked_mul(self.count())?.checked_add(step)?;
                let begin = (slice - 1).checked_mul(self.slice.ticks())?.checked_add(self.first.ticks())?;
                return begin.checked_add(self.switch_in(turns, row) + need);
            }
            need -= net(row);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rotation of some rows; `first` is the length of slice 0.
    fn rotation(rows: &[&[u32]], first: i64, slice: i64, switch: i64, charge: SwitchCharge) -> Rotation {
        Rotation {
            count: rows.len(),
            first: Time::from_ticks(first),
            slice: Time::from_ticks(slice),
            switch: Time::from_ticks(switch),
            charge,
            spent: Time::ZERO,
        }
    }

    fn turns(rows: &[&[u32]], job: u32, first_switch: i64) -> Turns {
        let rows = (0..rows.len()).filter(|&row| rows[row].contains(&job)).collect();
        Turns { rows, first_switch: Time::from_ticks(first_switch) }
    }

    #[test]
    fn three_rows_with_a_cut_first_slice() {
        // Slices: row 0 [0,4), row 1 [4,14), row 2 [14,24), row 0 [24,34), ...
        let jobs: &[&[u32]] = &[&[1], &[2], &[1, 3]];
        let (rows, one) = (rotation(jobs, 4, 10, 2, SwitchCharge::All), turns(jobs, 1, 2));
        assert_eq!(
            (rows.point(4), rows.point(23)),
            (Point { slice: 1, into: 0 }, Point { slice: 2, into: 9 })
        );
        // [2,4), [16,24), [26,34), [46,54): the second half of each cycle.
        let service: Vec<i64> = [2, 4, 14, 17, 24, 27, 34, 46].map(|at| rows.service(&one, at)).into();
        assert_eq!(service, [0, 2, 2, 3, 10, 11, 18, 18]);
        assert_eq!(rows.reached(&one, 18), Some(34));
        assert_eq!(rows.reached(&one, 19), Some(47));
        assert_eq!((rows.begun(24), rows.slices_before(0, 3), rows.slices_before(0, 4)), (3, 1, 2));
        assert_eq!((rows.slices_before(2, 3), rows.time_of(0, 30)), (1, 10));
    }

    #[test]
    fn with_changed_a_job_that_continues_pays_nothing() {
        // Job 1 is in both rows: it pays once, and never again.
        let jobs: &[&[u32]] = &[&[1, 2], &[1, 3]];
        let rows = rotation(jobs, 10, 10, 3, SwitchCharge::Changed);
        assert_eq!(rows.reached(&turns(jobs, 1, 3), 27), Some(30));
        assert_eq!(rows.reached(&turns(jobs, 2, 3), 8), Some(24));
        assert_eq!(rows.reached(&turns(jobs, 3, 0), 7), Some(20));
    }

    #[test]
    fn the_end_is_the_first_tick_with_enough_service() {
        for (first, slice, switch) in [(1, 5, 0), (5, 5, 2), (3, 7, 3), (2, 4, 3)] {
            for charge in [SwitchCharge::All, SwitchCharge::Changed] {
                let jobs: &[&[u32]] = &[&[1, 4], &[2, 4], &[3], &[1]];
                let rows = rotation(jobs, first, slice, switch, charge);
                for job in 1..=4 {
                    let turns = turns(jobs, job, switch.min(first));
                    for need in 1..40 {
                        let end = rows.reached(&turns, need).unwrap();
                        let (at, before) = (rows.service(&turns, end), rows.service(&turns, end - 1));
                        assert_eq!((at, before), (need, need - 1), "job {job}, {need} at {end} of {rows:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn who_has_no_row_or_no_time_never_ends() {
        let jobs: &[&[u32]] = &[&[1]];
        let rows = rotation(jobs, 10, 10, 0, SwitchCharge::All);
        assert_eq!(rows.reached(&turns(jobs, 2, 0), 5), None);
        assert_eq!((rows.opening(&turns(jobs, 2, 0)), rows.reached(&turns(jobs, 1, 0), 0)), (None, Some(0)));
    }
}
