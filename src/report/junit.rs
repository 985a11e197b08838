//! Reports as JUnit XML, which systems for continuous integration read.
//!
//! A suite for each file, with its time; a case for each obligation. What is violated is a failure,
//! with the run; what is open is an error, with the reason. A file that is rejected, and a unit of
//! which nothing is known, are cases with an error.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use serde::{Deserialize, Serialize};
use ult_lang::diagnostic::Severity;

use super::{steps, text};
use ult_check::Verdict;
use ult_core::reason::Reason;
use ult_driver::{ObligationReport, Report, Source};

/// Cases that belong together: those of a file, or of an exercise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suite {
    /// What it is called.
    pub name: String,
    /// The time that it took, if that is known.
    pub seconds: Option<f64>,
    /// Its cases.
    pub cases: Vec<Case>,
}

/// A test, as systems for continuous integration call it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// What it belongs to.
    pub class: String,
    /// The time that it took, if that is known.
    pub seconds: Option<f64>,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// All is well.
    Success,
    /// What was tested is wrong.
    Failure(Problem),
    /// Whether it is wrong is not known.
    Error(Problem),
    /// It does not count, and why.
    Skipped(String),
}

/// Why a test did not succeed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// The kind of problem, as a word.
    pub kind: String,
    /// In a sentence.
    pub message: String,
    /// The rest, in lines.
    pub details: Option<String>,
}

impl Problem {
    /// A problem without details.
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem {
            kind: kind.into(),
            message: message.into(),
            details: None,
        }
    }
}

/// The document about several reports.
///
/// # Errors
/// If it cannot be written, which nothing in a report is known to cause.
pub fn document(reports: &[Report]) -> io::Result<String> {
    let suites: Vec<Suite> = reports.iter().map(suite).collect();
    document_of(&suites)
}

/// The document with these suites.
///
/// # Errors
/// As [`document`].
pub fn document_of(suites: &[Suite]) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 4);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counts = Counts::of(suites.iter().flat_map(|suite| &suite.cases));
    let attributes = [("name", "ult".to_owned())].into_iter();
    let attributes = attributes.chain(counts.attributes());
    element(&mut writer, "testsuites", attributes, |writer| {
        suites
            .iter()
            .try_for_each(|suite| write_suite(writer, suite))
    })?;
    let mut text = String::from_utf8(writer.into_inner()).map_err(io::Error::other)?;
    text.push('\n');
    Ok(text)
}

/// How many cases there are of each kind.
#[derive(Default)]
struct Counts {
    tests: usize,
    skipped: usize,
    failures: usize,
    errors: usize,
}

impl Counts {
    fn of<'c>(cases: impl IntoIterator<Item = &'c Case>) -> Counts {
        let mut counts = Counts::default();
        for case in cases {
            counts.tests += 1;
            match case.outcome {
                Outcome::Success => {}
                Outcome::Failure(_) => counts.failures += 1,
                Outcome::Error(_) => counts.errors += 1,
                Outcome::Skipped(_) => counts.skipped += 1,
            }
        }
        counts
    }

    fn attributes(&self) -> [(&'static str, String); 4] {
        [
            ("tests", self.tests.to_string()),
            ("skipped", self.skipped.to_string()),
            ("failures", self.failures.to_string()),
            ("errors", self.errors.to_string()),
        ]
    }
}

type Xml = Writer<Vec<u8>>;

/// An element with what is in it.
fn element(
    writer: &mut Xml,
    name: &str,
    attributes: impl IntoIterator<Item = (&'static str, String)>,
    content: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    writer.write_event(Event::Start(start(name, attributes)))?;
    content(writer)?;
    writer.write_event(Event::End(BytesEnd::new(name)))
}

fn start(
    name: &str,
    attributes: impl IntoIterator<Item = (&'static str, String)>,
) -> BytesStart<'_> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        start.push_attribute((name, &*printable(&value)));
    }
    start
}

/// XML has no way to write most control characters.
fn printable(text: &str) -> String {
    let is_text = |c: &char| !c.is_ascii_control() || matches!(c, '\n' | '\r' | '\t');
    text.chars().filter(is_text).collect()
}

fn time(seconds: Option<f64>) -> Option<(&'static str, String)> {
    seconds.map(|seconds| ("time", format!("{seconds:.3}")))
}

fn write_suite(writer: &mut Xml, suite: &Suite) -> io::Result<()> {
    let attributes = [("name", suite.name.clone())].into_iter();
    let attributes = attributes.chain(Counts::of(&suite.cases).attributes());
    let attributes = attributes.chain(time(suite.seconds));
    element(writer, "testsuite", attributes, |writer| {
        suite
            .cases
            .iter()
            .try_for_each(|case| write_case(writer, case))
    })
}

fn write_case(writer: &mut Xml, case: &Case) -> io::Result<()> {
    let attributes = [
        ("name", case.name.clone()),
        ("classname", case.class.clone()),
    ];
    let attributes = attributes.into_iter().chain(time(case.seconds));
    let (tag, problem) = match &case.outcome {
        Outcome::Success => {
            return writer.write_event(Event::Empty(start("testcase", attributes)));
        }
        Outcome::Skipped(message) => {
            return element(writer, "testcase", attributes, |writer| {
                let message = [("message", message.clone())];
                writer.write_event(Event::Empty(start("skipped", message)))
            });
        }
        Outcome::Failure(problem) => ("failure", problem),
        Outcome::Error(problem) => ("error", problem),
    };
    element(writer, "testcase", attributes, |writer| {
        let attributes = [
            ("message", problem.message.clone()),
            ("type", problem.kind.clone()),
        ];
        match &problem.details {
            None => writer.write_event(Event::Empty(start(tag, attributes))),
            Some(details) => element(writer, tag, attributes, |writer| {
                writer.write_event(Event::Text(BytesText::new(&printable(details))))
            }),
        }
    })
}

/// The suite about a report.
pub fn suite(report: &Report) -> Suite {
    let source = &report.source;
    let mut cases = Vec::new();
    let errors = report
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error);
    for diagnostic in errors {
        let place = text::place(source, diagnostic.place());
        let name = format!("{place}: {}", diagnostic.message);
        let id = diagnostic.id.as_str();
        cases.push(error(name, &source.name, id, &diagnostic.message));
    }
    for unit in &report.units {
        cases.extend(unit.obligations.iter().map(|o| case(o, source, &unit.name)));
        if let Some(reason) = &unit.stopped {
            cases.push(stopped(&unit.name, &unit.name, reason));
        }
    }
    if let Some(reason) = &report.stopped {
        cases.push(stopped(&source.name, &source.name, reason));
    }
    if report.is_trivial() {
        let nothing = "nothing to check".to_owned();
        cases.push(Case {
            name: nothing.clone(),
            class: source.name.to_string(),
            seconds: None,
            outcome: Outcome::Skipped(nothing),
        });
    }
    Suite {
        name: source.name.to_string(),
        seconds: Some(report.seconds),
        cases,
    }
}

fn case(obligation: &ObligationReport, source: &Source, unit: &str) -> Case {
    let place = text::place(source, Some(obligation.span));
    let what = text::subject(obligation);
    let found = text::finding(obligation, false);
    let outcome = match &obligation.verdict {
        Verdict::Safe(_) => Outcome::Success,
        Verdict::Unsafe(_) => Outcome::Failure(Problem {
            details: Some(steps::run(&obligation.run, source, false)),
            ..Problem::new("violated", format!("{place}: {found}"))
        }),
        Verdict::Unknown(reason) => Outcome::Error(Problem::new(
            reason.code(),
            format!("{place}: {found}: {reason}"),
        )),
    };
    Case {
        name: format!("{place}: {what}"),
        class: unit.to_owned(),
        seconds: None,
        outcome,
    }
}

fn stopped(name: &str, class: &str, reason: &Reason) -> Case {
    error(name.to_owned(), class, reason.code(), &reason.to_string())
}

fn error(name: String, class: &str, kind: &str, message: &str) -> Case {
    Case {
        name,
        class: class.to_owned(),
        seconds: None,
        outcome: Outcome::Error(Problem::new(kind, message)),
    }
}
