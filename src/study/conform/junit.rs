//! Results of rules and of the conformance suite as `JUnit` XML, which continuous integration shows with its tests.

use batchlab_traces::clean::{CleaningReport, ExpectReport, RuleReport};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use crate::conform::{self, CheckReport};

/// Returns a test suite named after the rules: one test for each expectation, whose class is the log; the report of the rules
/// is its output. It contains no times, so the same input gives the same bytes.
pub fn xml(report: &CleaningReport, rules: &str, log: &str) -> String {
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
    text("batchlab check", suite)
}

/// Returns a test suite named after the policy: one test for each check, with the log that demonstrates a failure.
pub fn conformance(report: &conform::ConformanceReport) -> String {
    let mut suite = TestSuite::new(report.policy.as_str());
    suite.add_test_cases(report.checks.iter().map(|check| {
        let mut case = TestCase::new(check.name, conformance_status(check));
        case.set_classname(report.policy.as_str());
        case
    }));
    text("batchlab conform", suite)
}

fn text(verb: &str, suite: TestSuite) -> String {
    let mut page = quick_junit::Report::new(verb);
    page.add_test_suite(suite);
    // Writing to memory fails only for characters that XML cannot hold, and the crate leaves these out.
    page.to_string().unwrap_or_default() + "\n"
}

fn conformance_status(check: &CheckReport) -> TestCaseStatus {
    let Some(found) = &check.found else {
        if check.held > 0 {
            return TestCaseStatus::success();
        }
        let mut status = TestCaseStatus::skipped();
        if let Some(skip) = check.skipped.first() {
            status.set_message(skip.why.as_str());
        }
        return status;
    };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type("conformance");
    status.set_message(found.what.as_str());
    let log = found.witness.as_ref().map_or("", |witness| &witness.swf);
    let files = found.witness.iter().flat_map(|witness| [&witness.machine, &witness.calendar]);
    let files: String = files.flatten().map(String::as_str).collect();
    status.set_description([check.what, "\n", log, &files, &found.again.join("\n")].concat());
    status
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
