//! Classes of equal waiting jobs, and where they are known to find no room.

use batchlab_traces::Time;
use rustc_hash::FxHashMap;

use super::openings::Openings;
use crate::support::profile::Profile;

/// The classes of waiting jobs by need and duration. Logs contain many equal jobs: if one of them found no
/// room, the others need not search until room is given back, and then only near it.
#[derive(Debug, Default)]
pub struct Classes<const K: usize> {
    known: FxHashMap<([i64; K], Time), usize>,
    all: Vec<Class<K>>,
    spare: Vec<usize>,
}

#[derive(Debug)]
struct Class<const K: usize> {
    need: [i64; K],
    duration: Time,
    jobs: usize,
    /// No job of the class can start before this instant, unless its stay overlaps an opening that it has not seen.
    before: Time,
    /// How many openings there were at the last search.
    seen: u64,
}

impl<const K: usize> Classes<K> {
    /// A job begins to wait; returns its class.
    pub fn enters(&mut self, openings: &Openings, need: [i64; K], duration: Time) -> usize {
        let class = *self.known.entry((need, duration)).or_insert_with(|| {
            let class = Class { need, duration, jobs: 0, before: Time::ZERO, seen: openings.count() };
            match self.spare.pop() {
                Some(index) => {
                    self.all[index] = class;
                    index
                }
                None => {
                    self.all.push(class);
                    self.all.len() - 1
                }
            }
        });
        self.all[class].jobs += 1;
        class
    }

    /// A job of a class no longer waits.
    pub fn leaves(&mut self, class: usize) {
        let Class { need, duration, jobs, .. } = &mut self.all[class];
        *jobs -= 1;
        if *jobs == 0 {
            self.known.remove(&(*need, *duration));
            self.spare.push(class);
        }
    }

    /// Returns the earliest start of a job of a class, if it is not after an instant.
    pub fn search(
        &mut self,
        class: usize,
        profile: &Profile<K>,
        openings: &Openings,
        last: Time,
    ) -> Option<Time> {
        let Class { need, duration, before, seen, .. } = &mut self.all[class];
        let (begin, tick) = (profile.begin(), Time::from_ticks(1));
        *before = begin.max(*before);
        if let Some((from, to)) = openings.since(*seen, need[0]) {
            let (first, end) = (begin.max(from - *duration + tick), to - tick);
            if first < *before {
                *before = match profile.search(first, last.min(end), *need, *duration) {
                    // Beyond the openings nothing has changed.
                    Err(at) if at > end => at.max(*before),
                    Ok(at) | Err(at) => at,
                };
            }
        }
        *seen = openings.count();
        if *before > last {
            return None;
        }
        match profile.search(*before, last, *need, *duration) {
            Ok(at) => {
                *before = at;
                Some(at)
            }
            Err(at) => {
                *before = at;
                None
            }
        }
    }
}
