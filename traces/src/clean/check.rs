use super::error::{CheckError, RulesError};
use super::report::CleaningReport;
use super::rules::Rules;
use crate::trace::Trace;

impl Rules {
    /// Asserts that a trace is as expected: one line of a test. The rules are applied to a copy first.
    ///
    /// # Errors
    /// [`CheckError::Failed`] with the jobs that are not as expected; [`CheckError::Rules`] when an expression
    /// cannot be used with this trace.
    pub fn check(&self, trace: &Trace) -> Result<CleaningReport, CheckError> {
        let report = self.report(trace)?;
        if report.holds() { Ok(report) } else { Err(CheckError::Failed(Box::new(report))) }
    }

    /// Returns what the rules would do to a trace and which expectations hold, without judging.
    pub fn report(&self, trace: &Trace) -> Result<CleaningReport, RulesError> {
        Ok(self.apply(trace)?.report)
    }
}
