//! What rules found, as `JUnit` XML: continuous integration shows it beside the tests.

use batchlab_traces::clean::{ExpectReport, Report, RuleReport};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

/// Returns a test suite named after the rules: one test per expectation, its class the log. What the rules did is
/// the suite's output. There are no times in it: the same input gives the same bytes.
pub fn xml(report: &Report, rules: &str, log: &str) -> String {
    let mut suite = TestSuite::new(rules);
    let done: Vec<String> = report.rules.iter().map(done).collect();
    if !done.is_empty() {
        suite.set_system_out(done.concat());
    }
    suite.add_test_cases(report.expectations.iter().map(|expectation| {
        let mut case = TestCase::new(expectation.id.as_str(), status(expectation));
        case.set_classname(log);
        case
    }));
    let mut page = quick_junit::Report::new("batchlab check");
    page.add_test_suite(suite);
    // Writing to memory fails only for text that XML cannot hold, and the crate leaves such characters out.
    page.to_string().unwrap_or_default() + "\n"
}

fn done(rule: &RuleReport) -> String {
    format!("{}: {} jobs: {}: {}\n", rule.id, rule.count, rule.text, rule.because)
}

fn status(expectation: &ExpectReport) -> TestCaseStatus {
    if expectation.holds {
        return TestCaseStatus::success();
    }
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type("expectation");
    status.set_message(format!("{}: {}", expectation.text, expectation.seen));
    status.set_description(expectation.to_string());
    status
}
