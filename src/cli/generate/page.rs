use std::fmt::Write;

use batchlab_traces::Description;
use batchlab_traces::describe::{Bin, HourOrigin, Moments};

use crate::cli::terminal::text::duration;

/// Returns the description: a line for each number and a few lines for the histograms.
pub fn page(told: &Description) -> String {
    let mut page = String::new();
    let mut line = |label: &str, text: &str| {
        let _ = writeln!(page, "{label:13}  {text}");
    };
    let spread = |moments: &Moments, form: &dyn Fn(f64) -> String| {
        format!("mean {}, CV {:.2}", form(moments.mean), moments.cv)
    };
    if let Some(gap) = &told.interarrival {
        let memory = told.interarrival_lag1.map(|lag1| format!(", lag-1 autocorrelation {lag1:.3}"));
        // A deviation of 0.1 covers the statistical error; arrivals of real logs are burstier than that.
        let poisson =
            if (gap.cv - 1.0).abs() < 0.1 { " (as a Poisson stream; real logs are burstier)" } else { "" };
        line("interarrival", &format!("{}{poisson}{}", spread(gap, &duration), memory.unwrap_or_default()));
    }
    if let Some(run) = &told.run {
        line("run time", &spread(run, &duration));
    }
    if let Some(size) = &told.size {
        line("processors", &spread(size, &|mean| format!("{mean:.1}")));
    }
    if let Some(load) = told.load {
        line("offered load", &format!("{load:.3}"));
    }
    histograms(told, &mut line);
    page
}

fn histograms(told: &Description, line: &mut impl FnMut(&str, &str)) {
    let midnight = match told.clock {
        HourOrigin::Site => "",
        HourOrigin::Zero => ", time 0 being midnight",
    };
    for (half, hours) in told.hours.chunks(12).enumerate() {
        let label = if half == 0 { "jobs by hour" } else { "" };
        let shares: Vec<String> = hours.iter().map(|share| percent(*share)).collect();
        let from = half * 12;
        let note = if half == 0 { midnight } else { "" };
        line(label, &format!("{} % from {from} to {} h{note}", shares.join(" "), from + 12));
    }
    let sizes = told.sizes.iter().map(|bin| (range(bin), bin));
    line("by processors", &bins(sizes));
    let runs = told.runs.iter().map(|bin| (format!("<{}", duration(bin.below)), bin));
    line("by run time", &bins(runs));
}

fn bins<'a>(bins: impl Iterator<Item = (String, &'a Bin)>) -> String {
    let shown = bins.map(|(label, bin)| format!("{label}: {} %", percent(bin.share).trim_start()));
    shown.collect::<Vec<_>>().join(", ")
}

/// Returns the sizes of a bin: `3-4`.
fn range(bin: &Bin) -> String {
    let (from, most) = (bin.from.max(1.0), bin.below - 1.0);
    if from == most { format!("{from}") } else { format!("{from}-{most}") }
}

fn percent(share: f64) -> String {
    format!("{:4.1}", share * 100.0)
}
