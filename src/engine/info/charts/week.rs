//! Daily and weekly cycles: submissions by day and hour.

use batchlab_traces::number::grouped;

use super::Subject;
use crate::plot::{Area, Axis, Fill, Panel};

/// The days, from the bottom of the panel to its top.
const DAYS: [&str; 7] = ["Sun", "Sat", "Fri", "Thu", "Wed", "Tue", "Mon"];

pub(super) fn panel(subject: &Subject<'_>) -> Panel {
    let title = "Submissions by day and hour";
    let Some(cycle) = &subject.info.arrivals.cycle else {
        return Panel::without(title, "the log does not give its date");
    };
    let most = cycle.week.iter().flatten().copied().max().unwrap_or(0).max(1);
    let mut areas = Vec::new();
    for (day, hours) in cycle.week.iter().enumerate() {
        let low = (DAYS.len() - 1 - day) as f64;
        for (hour, &jobs) in hours.iter().enumerate().filter(|&(_, &jobs)| jobs > 0) {
            let left = hour as f64;
            let fill = Fill::Shade(jobs as f64 / most as f64);
            areas.push(Area { x: (left, left + 1.0), y: (low, low + 1.0), fill });
        }
    }
    let hours = (0..24).map(|hour| if hour % 3 == 0 { format!("{hour}:00") } else { String::new() });
    let mut x = Axis::names("hour of the day, on the site's clock", hours);
    x.ticks.retain(|tick| !tick.label.is_empty());
    for tick in &mut x.ticks {
        // The label of an hour stands at the beginning of the hour.
        tick.value -= 0.5;
    }
    let mut panel = Panel::new(title, x, Axis::names("", DAYS)).areas(areas).fill("no job", Fill::Shade(0.0));
    for jobs in [most / 2, most].into_iter().filter(|&jobs| jobs > 0) {
        let noun = if jobs == 1 { "job" } else { "jobs" };
        panel = panel.fill(&format!("{} {noun}", grouped(jobs)), Fill::Shade(jobs as f64 / most as f64));
    }
    panel
}
