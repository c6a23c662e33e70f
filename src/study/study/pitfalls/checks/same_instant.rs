//! Simultaneous events.

use batchlab_traces::Level;
use batchlab_traces::sorted::SortedSet;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "same-instant-order",
    level: Level::Note,
    title: "one order of simultaneous events",
    misleads: "Which job comes first at an instant is a convention of each simulator. Other conventions were measured to \
               move the average bounded slowdown of EASY by -1.5 % to +2.4 %: differences of that size between tools \
               or papers, and between policies on one log, mean nothing.",
    advice: "Name the order in the paper, and sweep it to see its effect: events = [\"batch\", \
        \"submit-first\"].",
    cite: "own measurements",
    in_replay: false,
    look,
};

fn look(evidence: &Evidence<'_>) -> Vec<Case> {
    let orders: SortedSet<String> =
        evidence.settings.iter().map(|setting| setting.events.to_string()).collect();
    if orders.is_empty() || evidence.sweeps("events") {
        return Vec::new();
    }
    let orders: Vec<String> = orders.into_iter().collect();
    vec![Case::of_all(format!("events = {} for every result", orders.join(" and ")))]
}

#[cfg(test)]
mod tests {
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn it_is_told_unless_orders_are_swept() {
        let mut experiment = Experiment::clean();
        experiment.frame.parameters[0].values.truncate(1);
        experiment.frame.rows.retain(|row| row.point == [0]);
        assert!(experiment.only("same-instant-order").ends_with("\n  events = batch for every result"));
    }
}
