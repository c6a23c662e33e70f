use proptest::prelude::*;

use super::naive::worth;
use super::sample::{compiled, trace};
use super::trees::{conditions, numbers};
use crate::expr::{Expr, ExprType, Scratch};

/// Returns the numbers as bits, with a single pattern for all NaNs.
fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
}

proptest! {
    #[test]
    fn programs_agree_with_a_naive_interpreter(tree in prop_oneof![conditions(4), numbers(4)]) {
        let trace = trace();
        let naive: Vec<f64> = (0..trace.len()).map(|row| worth(&tree, &trace, row)).collect();
        let program = compiled(&tree.to_string());
        let program = program.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(bits(&program.numbers(&trace)), bits(&naive), "{}", tree);
        if program.kind() == ExprType::Condition {
            let holds: Vec<bool> = naive.iter().map(|value| *value != 0.0).collect();
            prop_assert_eq!(program.bools(&trace), holds);
        }
    }

    #[test]
    fn what_is_printed_back_is_the_same_program(tree in prop_oneof![conditions(4), numbers(4)]) {
        let text = tree.to_string();
        let printed = Expr::parse(&text).unwrap().to_string();
        prop_assert!(printed.len() <= text.len(), "{} is longer than {}", printed, text);
        // Compared as printed, since NaN equals nothing.
        let (program, again) = (compiled(&text).unwrap(), compiled(&printed).unwrap());
        prop_assert_eq!(format!("{program:?}"), format!("{again:?}"), "{}", printed);
        prop_assert_eq!(Expr::parse(&printed).unwrap().to_string(), printed);
    }

    #[test]
    fn blocks_and_ranges_change_no_value(tree in numbers(3), start in 0usize..2600, rows in 0usize..2600) {
        let long = trace().select(&(0..2600).map(|row| row % 4).collect::<Vec<u32>>());
        let program = compiled(&tree.to_string()).unwrap();
        let of_four = program.numbers(&trace());
        let range = start..(start + rows).min(2600);
        let (mut scratch, mut seen) = (Scratch::default(), Vec::new());
        program.visit(&long, range.clone(), &mut scratch, |rows, values| {
            assert_eq!(rows.len(), values.len());
            seen.extend(rows.zip(values.iter().copied()));
        });
        let expected: Vec<f64> = range.clone().map(|row| of_four[row % 4]).collect();
        let (rows, values): (Vec<usize>, Vec<f64>) = seen.into_iter().unzip();
        prop_assert_eq!(rows, range.collect::<Vec<_>>());
        prop_assert_eq!(bits(&values), bits(&expected));
    }
}
