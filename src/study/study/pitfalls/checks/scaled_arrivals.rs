//! Load changed by compressing submit times, which breaks the daily cycle.

use batchlab_traces::Level;

use crate::study::pitfalls::figure::number;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

/// Ratio of the busiest hour to the mean hour from which there is a daily cycle.
const CYCLE: f64 = 1.25;

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "scaled-interarrivals",
    level: Level::Note,
    title: "interarrival times multiplied to change the load, and the day with them",
    misleads: "The cycles of day and week are stretched or squeezed while run times stay: a queue has less \
        or more of a night to drain in. Part of the apparent effect of the load is due to this.",
    advice: "Compare with a load that keeps the clock: a machine of another size (machine in a scale step), more or fewer \
             users or weeks drawn from the log (sample steps).",
    cite: "Frachtenberg and Feitelson 2005; Zakay and Feitelson 2013",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let load = setting.shaping.load;
    let hours = number((240.0 / load).round() / 10.0);
    let day = format!("load \u{d7} {}: a day of the log lasts {hours} h", number(load));
    match setting.arrivals.daily {
        _ if load == 1.0 => None,
        Some((busiest, _)) if busiest < CYCLE => None,
        Some((busiest, _)) => {
            let times = number(busiest);
            Some(format!("{day}, and its busiest hour has {times} times the jobs of a mean hour"))
        }
        // A log that does not record the time of day still has days.
        None => (!setting.is_model).then_some(day),
    }
}
