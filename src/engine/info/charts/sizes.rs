//! The number of jobs by size, in powers of two.

use super::Subject;
use crate::info::rows::share;
use crate::plot::{Area, Axis, Fill, Panel};

pub(super) fn panel(subject: &Subject<'_>) -> Panel {
    let classes = &subject.info.size_classes;
    let title = "Sizes";
    if classes.is_empty() {
        return Panel::without(title, "no sizes are recorded");
    }
    let jobs: u64 = classes.iter().map(|class| class.jobs).sum();
    let mut areas = Vec::new();
    let mut high = 1.0_f64;
    for (at, class) in classes.iter().enumerate() {
        let [powers, all, work] =
            [share(class.powers_of_two, jobs), class.job_share, class.work_share].map(|share| share * 100.0);
        let left = at as f64;
        areas.push(Area { x: (left + 0.1, left + 0.5), y: (0.0, powers), fill: Fill::Dark });
        areas.push(Area { x: (left + 0.1, left + 0.5), y: (powers, all), fill: Fill::Light });
        areas.push(Area { x: (left + 0.5, left + 0.9), y: (0.0, work), fill: Fill::Hatched });
        high = high.max(all).max(work);
    }
    let names = classes.iter().map(|class| class.to.to_string());
    let x = Axis::names("processors, up to", names);
    Panel::new(title, x, Axis::linear("share (%)", 0.0, high * 1.05))
        .areas(areas)
        .fill("jobs of a power of two", Fill::Dark)
        .fill("other jobs", Fill::Light)
        .fill("work", Fill::Hatched)
}
