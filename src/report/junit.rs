//! Reports as JUnit XML, which systems for continuous integration read.
//!
//! A suite for each file, with its time; a case for each obligation. What is violated is a failure,
//! with the run; what is open is an error, with the reason. A file that is rejected, and a unit of
//! which nothing is known, are cases with an error.

use std::time::Duration;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use ult_lang::diagnostic::Severity;

use super::text;
use ult_check::Verdict;
use ult_core::reason::Reason;
use ult_driver::{ObligationReport, Report, Source};

/// The document about several reports.
///
/// # Errors
/// If it cannot be written, which nothing in a report is known to cause.
pub fn document(reports: &[Report]) -> Result<String, quick_junit::SerializeError> {
    document_of(reports.iter().map(suite))
}

/// The document with these suites.
///
/// # Errors
/// As [`document`].
pub fn document_of(
    suites: impl IntoIterator<Item = TestSuite>,
) -> Result<String, quick_junit::SerializeError> {
    let mut document = quick_junit::Report::new("ult");
    document.add_test_suites(suites);
    document.to_string()
}

/// The suite about a report.
pub fn suite(report: &Report) -> TestSuite {
    let source = &report.source;
    let mut suite = TestSuite::new(&*source.name);
    suite.set_time(Duration::try_from_secs_f64(report.seconds).unwrap_or_default());
    let errors = report
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error);
    for diagnostic in errors {
        let place = text::place(source, diagnostic.place());
        let name = format!("{place}: {}", diagnostic.message);
        suite.add_test_case(error(
            name,
            &source.name,
            diagnostic.id.as_str(),
            &diagnostic.message,
        ));
    }
    for unit in &report.units {
        suite.add_test_cases(unit.obligations.iter().map(|o| case(o, source, &unit.name)));
        if let Some(reason) = &unit.stopped {
            suite.add_test_case(stopped(&unit.name, &unit.name, reason));
        }
    }
    if let Some(reason) = &report.stopped {
        suite.add_test_case(stopped(&source.name, &source.name, reason));
    }
    if report.is_trivial() {
        let mut status = TestCaseStatus::skipped();
        status.set_message("nothing to check");
        let mut case = TestCase::new("nothing to check", status);
        case.set_classname(&*source.name);
        suite.add_test_case(case);
    }
    suite
}

fn case(obligation: &ObligationReport, source: &Source, unit: &str) -> TestCase {
    let place = text::place(source, Some(obligation.span));
    let what = text::subject(obligation);
    let found = text::finding(obligation, false);
    let status = match &obligation.verdict {
        Verdict::Safe(_) => TestCaseStatus::success(),
        Verdict::Unsafe(_) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("violated");
            status.set_message(format!("{place}: {found}"));
            status.set_description(text::run(&obligation.run, source, false));
            status
        }
        Verdict::Unknown(reason) => {
            error_status(reason.code(), &format!("{place}: {found}: {reason}"))
        }
    };
    let mut case = TestCase::new(format!("{place}: {what}"), status);
    case.set_classname(unit);
    case
}

fn stopped(name: &str, class: &str, reason: &Reason) -> TestCase {
    error(name.to_owned(), class, reason.code(), &reason.to_string())
}

fn error(name: String, class: &str, kind: &str, message: &str) -> TestCase {
    let mut case = TestCase::new(name, error_status(kind, message));
    case.set_classname(class);
    case
}

fn error_status(kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(kind);
    status.set_message(message);
    status
}
