use chacha20::ChaCha12Rng;

use super::draw::DiscreteDistribution;
use super::{ModelParamKind, ModelSettings, Param};
use crate::seed;

pub(super) static PARAMS: [Param; 2] = [
    Param::of("users", ModelParamKind::Count { least: 0, most: 100_000 }, "0").help(
        "number of users (field 12; 0 for unknown), user k being drawn for each job with probability \
         proportional to 1/k: few users submit most jobs, as in real logs, but without their sessions",
    ),
    Param::of("groups", ModelParamKind::Count { least: 0, most: 100_000 }, "0").help(
        "number of groups, or accounts, of users (field 13; 0 for unknown): of N groups, user k is in \
         number (k-1) mod N + 1",
    ),
];

pub(super) struct Users {
    groups: i64,
    law: Option<DiscreteDistribution>,
    stream: ChaCha12Rng,
}

impl Users {
    pub(super) fn new(settings: &ModelSettings, seed: u64, class: &str) -> Users {
        let users = settings.amount("users") as u32;
        let law =
            (users > 0).then(|| DiscreteDistribution::new((1..=users).map(|user| 1.0 / f64::from(user))));
        let groups = settings.amount("groups") as i64;
        Users { groups, law, stream: seed::stream(seed, &format!("model users {class}")) }
    }

    /// Returns the user and the group of the next job, each from 1; -1 if there are none.
    pub(super) fn draw(&mut self) -> (i64, i64) {
        let Some(law) = &self.law else { return (-1, -1) };
        let user = law.draw(&mut self.stream);
        (user, if self.groups == 0 { -1 } else { (user - 1) % self.groups + 1 })
    }
}
