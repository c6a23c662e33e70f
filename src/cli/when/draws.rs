use batchlab_policies::support::predictor::PREDICTOR;
use batchlab_traces::number::grouped;
use clap::value_parser;

use crate::cli::arguments::{arguments, option};
use crate::when::Forecast;

arguments! {
    pub(super) struct DrawSettings {
        predictor: Option<String> = option(
            "predictor", "PREDICTOR", "Predict one run time for each job instead of drawing many: none (the request), last2, \
             user-mean, quantile:Q, expr(...) or a plug-in, as the parameter `predictor` of policies; see `batchlab list \
             policies easy`",
        ).excludes(&["draws"]).policy().rare(),
        draws: u32 = option("draws", "N", "Number of replays with drawn run times")
            .default("200")
            .by(|arg| arg.value_parser(value_parser!(u32).range(10..=100_000))),
    }
}

impl DrawSettings {
    pub(super) fn predictor(&self) -> Option<&str> {
        self.predictor.as_deref()
    }

    /// Returns the number of replays at an instant: predictions do not differ from draw to draw.
    pub(super) fn replays(&self) -> u32 {
        if self.predictor.is_some() { 1 } else { self.draws }
    }
}

pub(super) fn predictor<'a>(forecast: &Forecast<'a>) -> Option<&'a str> {
    forecast.predictor.map(|chosen| chosen.params().text(PREDICTOR.name))
}

/// Returns in words where run times are from.
pub(super) fn run_times(forecast: &Forecast<'_>) -> String {
    match predictor(forecast) {
        None => format!("{} replays with drawn run times", grouped(u64::from(forecast.draws))),
        Some("none") => "run times as requested".into(),
        Some(predictor) => format!("run times predicted by {predictor}"),
    }
}
