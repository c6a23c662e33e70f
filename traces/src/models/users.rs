//! User numbers for models that have none.

use rand_chacha::ChaCha12Rng;

use super::param::{Kind, Param};
use super::settings::Settings;
use crate::seed;

/// What can be set about users, for every model.
pub(super) static PARAMS: [Param; 1] = [Param {
    name: "users",
    kind: Kind::Count { least: 0, most: 100_000 },
    default: "0",
    help: "number of users (field 12; 0 for unknown), user k being drawn for each job with probability \
           proportional to 1/k: few users submit most jobs, as in real logs, but without their sessions",
}];

/// Draws the users of one class of jobs.
pub(super) struct Users {
    /// Share of the users up to each.
    cumulated: Vec<f64>,
    stream: ChaCha12Rng,
}

impl Users {
    /// Returns the drawer of a class of jobs.
    pub(super) fn new(settings: &Settings, seed: u64, class: &str) -> Users {
        let users = settings.number("users").unwrap_or(0.0) as u32;
        let mut sum = 0.0;
        let mut cumulated: Vec<f64> = (1..=users)
            .map(|user| {
                sum += 1.0 / f64::from(user);
                sum
            })
            .collect();
        for share in &mut cumulated {
            *share /= sum;
        }
        Users { cumulated, stream: seed::stream(seed, &format!("model users {class}")) }
    }

    /// Returns the user of the next job, from 1; -1 without users.
    pub(super) fn draw(&mut self) -> i64 {
        if self.cumulated.is_empty() {
            return -1;
        }
        let u = seed::unit(&mut self.stream);
        self.cumulated.partition_point(|&share| share <= u) as i64 + 1
    }
}
