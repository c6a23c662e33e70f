use std::collections::VecDeque;

use batchlab_traces::JobId;

const NONE: u32 = u32::MAX;

/// Up to this number of places, their memory is kept.
const FEW: usize = 1 << 10;

/// A map from jobs to values: 4 bytes for each number from the first job to the last, and values in places that are reused,
/// so that consecutive jobs mostly have neighbouring values.
#[derive(Debug)]
pub struct ByJob<T> {
    first: usize,
    /// How many jobs at the beginning of the places are not in the map.
    gone: usize,
    places: Vec<u32>,
    values: Vec<T>,
    spare: VecDeque<u32>,
}

impl<T> Default for ByJob<T> {
    fn default() -> ByJob<T> {
        ByJob { first: 0, gone: 0, places: Vec::new(), values: Vec::new(), spare: VecDeque::new() }
    }
}

impl<T: Copy> ByJob<T> {
    #[inline]
    pub fn get(&self, job: JobId) -> Option<&T> {
        self.values.get(*self.places.get(job.index().wrapping_sub(self.first))? as usize)
    }

    #[inline]
    pub fn get_mut(&mut self, job: JobId) -> Option<&mut T> {
        self.values.get_mut(*self.places.get(job.index().wrapping_sub(self.first))? as usize)
    }

    pub fn jobs(&self) -> usize {
        self.values.len() - self.spare.len()
    }

    pub fn insert(&mut self, job: JobId, value: T) {
        if let Some(old) = self.get_mut(job) {
            *old = value;
            return;
        }
        let place = match self.spare.pop_front() {
            Some(place) => {
                self.values[place as usize] = value;
                place
            }
            None => {
                self.values.push(value);
                (self.values.len() - 1) as u32
            }
        };
        if job.index() < self.first {
            // A job of long ago comes again.
            self.places.splice(0..0, std::iter::repeat_n(NONE, self.first - job.index()));
            self.first = job.index();
        }
        let at = job.index() - self.first;
        if self.places.len() <= at {
            self.places.resize(at + 1, NONE);
        }
        self.places[at] = place;
        self.gone = self.gone.min(at);
    }

    /// Removes a job; returns its value. O(1), counted over many jobs.
    pub fn remove(&mut self, job: JobId) -> Option<T> {
        let value = *self.get(job)?;
        self.spare.push_back(std::mem::replace(&mut self.places[job.index() - self.first], NONE));
        while self.places.get(self.gone) == Some(&NONE) {
            self.gone += 1;
        }
        if self.gone > FEW && self.gone > self.places.len() / 2 {
            self.places.drain(..self.gone);
            self.first += self.gone;
            self.gone = 0;
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_jobs_that_left_are_used_again() {
        let mut map = ByJob::default();
        for job in 0..5 {
            map.insert(JobId(job), job * 10);
        }
        assert_eq!(
            (map.remove(JobId(1)), map.remove(JobId(3)), map.remove(JobId(3))),
            (Some(10), Some(30), None)
        );
        map.insert(JobId(7), 70);
        map.insert(JobId(4), 41);
        let all: Vec<Option<u32>> = (0..9).map(|job| map.get(JobId(job)).copied()).collect();
        assert_eq!(all, [Some(0), None, Some(20), None, Some(41), None, None, Some(70), None]);
        assert_eq!(map.values.len(), 5);
    }

    #[test]
    fn memory_is_that_of_the_jobs_between_the_first_and_the_last() {
        let mut map = ByJob::default();
        for job in 0..100_000 {
            map.insert(JobId(job), job);
            if job >= 10 {
                assert_eq!(map.remove(JobId(job - 10)), Some(job - 10));
            }
        }
        assert!(map.places.len() <= 2 * FEW + 20 && map.values.len() == 11);
        map.insert(JobId(5), 50);
        let all: Vec<u32> = (0..100_000).filter_map(|job| map.get(JobId(job)).copied()).collect();
        assert_eq!(all, [vec![50], (99_990..100_000).collect()].concat());
    }
}
