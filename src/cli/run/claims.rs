//! What came of claims, on standard output.

use crate::claims::{Checked, Verdict};
use crate::cli::form::print;
use crate::cli::{Failure, text};

/// Prints what came of claims.
///
/// # Errors
/// When one does not hold; one that cannot be checked is no failure.
pub fn tell(claims: &[Checked]) -> Result<(), Failure> {
    for claim in claims {
        print(&format!("{claim}\n"))?;
    }
    let failed = claims.iter().filter(|claim| claim.verdict == Verdict::DoesNotHold).count() as u64;
    match failed {
        0 => Ok(()),
        1 => Err(Failure::Check(format!(
            "one of {} does not hold",
            text::counted(claims.len() as u64, "claim")
        ))),
        _ => Err(Failure::Check(format!(
            "{} of {} do not hold",
            text::count(failed),
            text::counted(claims.len() as u64, "claim")
        ))),
    }
}
