//! User numbers for models that have none.

use rand_chacha::ChaCha12Rng;

use super::draw::Table;
use super::param::{Kind, Param};
use super::settings::Settings;
use crate::seed;

/// The parameter of users, for every model.
pub(super) static PARAMS: [Param; 1] = [Param {
    name: "users",
    kind: Kind::Count { least: 0, most: 100_000 },
    default: "0",
    help: "number of users (field 12; 0 for unknown), user k being drawn for each job with probability \
           proportional to 1/k: few users submit most jobs, as in real logs, but without their sessions",
}];

/// Draws the users of one class of jobs.
pub(super) struct Users {
    law: Option<Table>,
    stream: ChaCha12Rng,
}

impl Users {
    /// Returns the source of users for a class of jobs.
    pub(super) fn new(settings: &Settings, seed: u64, class: &str) -> Users {
        let users = settings.amount("users") as u32;
        let law = (users > 0).then(|| Table::new((1..=users).map(|user| 1.0 / f64::from(user))));
        Users { law, stream: seed::stream(seed, &format!("model users {class}")) }
    }

    /// Returns the user of the next job, from 1; -1 without users.
    pub(super) fn draw(&mut self) -> i64 {
        self.law.as_ref().map_or(-1, |law| law.draw(&mut self.stream))
    }
}
