//! A map from jobs to values for jobs that are looked up in the order of their numbers.

use std::collections::VecDeque;

use batchlab_traces::JobId;

/// No place.
const NONE: u32 = u32::MAX;

/// A map from jobs to values: 4 bytes for each number of a job, and values in places that are reused, so that
/// jobs that came one after another mostly lie one after another.
#[derive(Debug)]
pub struct ByJob<T> {
    places: Vec<u32>,
    values: Vec<T>,
    spare: VecDeque<u32>,
}

impl<T> Default for ByJob<T> {
    fn default() -> ByJob<T> {
        ByJob { places: Vec::new(), values: Vec::new(), spare: VecDeque::new() }
    }
}

impl<T: Copy> ByJob<T> {
    /// Returns a job's value.
    #[inline]
    pub fn get(&self, job: JobId) -> Option<&T> {
        self.values.get(*self.places.get(job.index())? as usize)
    }

    /// Returns a job's value.
    #[inline]
    pub fn get_mut(&mut self, job: JobId) -> Option<&mut T> {
        self.values.get_mut(*self.places.get(job.index())? as usize)
    }

    /// Adds a job, or replaces its value.
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
        if self.places.len() <= job.index() {
            self.places.resize(job.index() + 1, NONE);
        }
        self.places[job.index()] = place;
    }

    /// Removes a job; returns its value.
    pub fn remove(&mut self, job: JobId) -> Option<T> {
        let value = *self.get(job)?;
        self.spare.push_back(std::mem::replace(&mut self.places[job.index()], NONE));
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
}
