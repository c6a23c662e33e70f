//! The inequality of users: the share of jobs and of work of the most active ones.

use batchlab_traces::Field;
use batchlab_traces::sorted::SortedMap;

use super::Subject;
use crate::info::rows::work;
use crate::plot::{Axis, Mark, Panel, Point, Stroke};

pub(super) fn panel(subject: &Subject<'_>) -> Panel {
    let title = "Users";
    let mut users: SortedMap<i64, (f64, f64)> = SortedMap::new();
    for &row in &subject.rows {
        let user = subject.trace.get(row, Field::User).truncated();
        if user >= 0 {
            let (jobs, done) = users.entry(user).or_default();
            *jobs += 1.0;
            *done += work(subject.trace, row);
        }
    }
    if users.is_empty() {
        return Panel::without(title, "no users are recorded");
    }
    let x = Axis::linear("share of users, the most active first (%)", 0.0, 100.0);
    let y = Axis::linear("their share (%)", 0.0, 100.0);
    Panel::new(title, x, y)
        .mark(Mark::Line(Stroke::Thin, vec![(0.0, 0.0), (100.0, 100.0)]))
        .line("of jobs", Stroke::Solid, concentration(users.values().map(|user| user.0).collect()))
        .line("of work", Stroke::Dashed, concentration(users.values().map(|user| user.1).collect()))
}

/// Returns the Lorenz curve of some amounts, from the greatest down, in per cent of their number and of their
/// sum; the diagonal means equality.
fn concentration(mut amounts: Vec<f64>) -> Vec<Point> {
    amounts.sort_unstable_by(|one, other| other.total_cmp(one));
    let (count, sum) = (amounts.len() as f64, amounts.iter().sum::<f64>());
    if sum <= 0.0 {
        return Vec::new();
    }
    let mut so_far = 0.0;
    let points = amounts.iter().enumerate().map(|(at, amount)| {
        so_far += amount;
        ((at + 1) as f64 * 100.0 / count, so_far * 100.0 / sum)
    });
    [(0.0, 0.0)].into_iter().chain(points).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_amounts_come_first() {
        assert_eq!(concentration(vec![1.0, 3.0]), [(0.0, 0.0), (50.0, 75.0), (100.0, 100.0)]);
        assert!(concentration(vec![0.0]).is_empty());
    }
}
