//! `--watch`: forecasts again and again, as the files of the queue change.

use std::time::Duration;

use clap::value_parser;

use super::When;
use crate::Registry;
use crate::cli::arguments::{arguments, option, switch};
use crate::cli::terminal::rounds::{Rounds, Said};
use crate::lab::Failure;
use crate::lab::logs::growing::{GrowingLogs, is_packed};
use crate::lab::replays::result_tables::TableForm;

arguments! {
    pub(super) struct WatchSettings {
        pub watch: bool = switch(
            "watch", "Forecast again and again: read all files anew in each round, print a block for it, and keep the forecasts \
             in the file of --record. A round whose files cannot be read is left out. Ctrl-C ends it",
        ).requires("record").excludes(&["at", "evaluate", "explain"]),
        every: Duration = option(
            "every", "TIME", "Time from the beginning of a round of --watch to that of the next one, such as 60s or 5m",
        ).default("60s").requires("watch"),
        rounds: Option<u64> =
            option("rounds", "N", "Number of rounds of --watch [default: until Ctrl-C]")
                .requires("watch")
                .by(|arg| arg.value_parser(value_parser!(u64).range(1..))),
    }
}

impl When {
    /// Forecasts round after round. What is appended to the accounting of the past is read on, also in the next file of a log that
    /// is rotated; the queue is read again.
    pub(super) fn watch(&mut self, registry: &Registry, form: TableForm) -> Result<(), Failure> {
        if [&self.scenario.trace].into_iter().chain(&self.history).any(|path| path == "-") {
            let what = "--watch reads the files anew in each round, and standard input can be read once only: give a file";
            return Err(Failure::Usage(what.into()));
        }
        let growing =
            GrowingLogs::of(self.history.iter().map(String::as_str).filter(|path| !is_packed(path)));
        self.scenario.source.growing = growing.clone();
        let mut before = Said::default();
        Rounds { every: self.watch.every, count: self.watch.rounds }.run(|_| {
            growing.update()?;
            self.round(registry, form, &mut before)
        })
    }
}
