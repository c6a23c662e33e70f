//! `--watch`: forecasts again and again, as the files of the queue change.

use std::time::Duration;

use clap::value_parser;

use crate::cli::arguments::{arguments, option, switch};
use crate::cli::terminal::rounds::Rounds;
use crate::lab::Failure;
use crate::lab::logs::growing::{GrowingLogs, is_packed};

arguments! {
    pub(super) struct WatchSettings {
        watch: bool = switch(
            "watch", "Forecast again and again: read all files anew in each round, print a block for it, and keep the forecasts \
             in the file of --record. A round whose files cannot be read is left out. Ctrl-C ends it",
        ).requires("record").excludes(&["at", "evaluate", "explain"]),
        every: Duration = option(
            "every", "TIME", "Time from the beginning of a round of --watch to that of the next one, such as 60s or 5m",
        ).default("60s").requires("watch").rare(),
        rounds: Option<u64> =
            option("rounds", "N", "Number of rounds of --watch [default: until Ctrl-C]")
                .requires("watch")
                .rare()
                .by(|arg| arg.value_parser(value_parser!(u64).range(1..))),
    }
}

impl WatchSettings {
    pub(super) fn is_asked(&self) -> bool {
        self.watch
    }

    /// Returns the rounds and the accounting of the past, of which what is appended is read on, also in the next file of a log that is
    /// rotated; the queue is read again. `None` for a single forecast.
    pub(super) fn rounds(
        &self,
        queue: &str,
        history: &[String],
    ) -> Result<Option<(Rounds, GrowingLogs)>, Failure> {
        if !self.watch {
            return Ok(None);
        }
        let history = history.iter().map(String::as_str);
        if history.clone().chain([queue]).any(|path| path == "-") {
            let what = "--watch reads the files anew in each round, and standard input can be read once only: give a file";
            return Err(Failure::Usage(what.into()));
        }
        let growing = GrowingLogs::of(history.filter(|path| !is_packed(path)));
        Ok(Some((Rounds { every: self.every, count: self.rounds }, growing)))
    }
}
