//! What contrasts compare.

use crate::experiment::DesignPoint;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    pub design_point: DesignPoint,
    pub policy: usize,
}

/// A contrast in question: two policies at one design point, or two design points under one policy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    pub side: Side,
    /// Has the same workload, so that its units are of the same kind.
    pub baseline: Side,
    pub measure: usize,
}

impl Question {
    pub fn of_policies(
        design_point: &DesignPoint,
        [policy, baseline]: [usize; 2],
        measure: usize,
    ) -> Question {
        let [side, baseline] =
            [policy, baseline].map(|policy| Side { design_point: design_point.clone(), policy });
        Question { side, baseline, measure }
    }

    pub fn design_point(&self) -> &DesignPoint {
        &self.side.design_point
    }

    /// Returns the two sides in an order of their own: that of A to B and of B to A is one test.
    pub(super) fn hypothesis(&self) -> ([&Side; 2], usize) {
        let mut sides = [&self.side, &self.baseline];
        sides.sort();
        (sides, self.measure)
    }
}
