//! The p-value of the contrast with the baseline by the exact sign-flip test, unadjusted.

use super::{Asks, CellContent, CellKind, PLAIN, PROBABILITY};

pub const KIND: CellKind = CellKind {
    name: "p_signs",
    heading: "sign-flip p",
    words: "p-value of the exact sign-flip permutation test of what is compared, as if it were the only one: a check of the \
        test of 6 to 14 units, of which it can show no p below 2/2^n",
    asks: Asks::Inference,
    format: |_| PROBABILITY,
    draw: |drawing| {
        let signs = drawing.answer.and_then(|answer| answer.compared().signs.as_ref());
        signs.map_or(CellContent::EMPTY, |signs| CellContent::number(Ok(signs.p)))
    },
    ..PLAIN
};
