//! Reports in the words of the program `boogie`, for those who read its output.
//!
//! Boogie counts bodies: one of whose obligations none is open is verified. What did not follow from the program, and what
//! a run violates, is an *error*, for Boogie makes no difference; the first few of each body are told. What ran out of
//! time or memory, or could not be decided for another reason, has words of its own and is never verified.
//!
//! ```text
//! f.bpl(7,3): Error: this assertion could not be proved
//! f.bpl(9,1): Error: a postcondition could not be proved on this return path
//! f.bpl(3,3): Related location: this is the postcondition that could not be proved
//!
//! Boogie program verifier finished with 3 verified, 2 errors
//! ```

mod xml;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use ult_check::Verdict;
use ult_core::reason::Reason;
use ult_driver::{ObligationReport, Report, RunStep, Source, UnitReport};
use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_lang::span::Span;
use ult_lower::unit::{ObligationKind, Role};

pub use xml::document;

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many errors are told of each body; 0 for all.
    pub error_limit: usize,
    /// Whether runs into errors are shown.
    pub runs: bool,
    /// Whether files are called by the last part of their paths.
    pub base_names: bool,
    /// Whether each body is announced, with what became of it.
    pub trace: bool,
    /// The limit for each body in seconds, for the words about it.
    pub time_limit: u64,
}

/// A body that is verified on its own.
#[derive(Clone, Debug)]
pub struct Body {
    /// The name of its procedure.
    pub procedure: Arc<str>,
    /// What it is called in messages.
    pub name: Arc<str>,
    /// The place of its name.
    pub place: Span,
    /// The place of its closing brace.
    pub end: Span,
    /// What is said if it is verified.
    pub thanks: Option<String>,
}

/// What became of a body besides its errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All was decided: it is verified, or has errors.
    Decided,
    /// There was no time for something.
    TimedOut,
    /// There was no memory for something.
    OutOfMemory,
    /// The solver failed.
    SolverException,
    /// Something is open for another reason.
    Inconclusive,
}

/// What became of a body.
#[derive(Clone, Debug)]
pub struct Checked<'r> {
    /// The body.
    pub body: &'r Body,
    /// What kept obligations from being decided.
    pub outcome: Outcome,
    /// Obligations that could not be proved, in the order of the source, as many as are told.
    pub errors: Vec<&'r ObligationReport>,
    /// How many obligations there are.
    pub obligations: usize,
}

/// How many bodies there were of each kind, and how many errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bodies of which all is proved.
    pub verified: usize,
    /// Errors of all bodies together.
    pub errors: usize,
    /// Bodies of which something is open for no better reason.
    pub inconclusive: usize,
    /// Bodies for which there was no time.
    pub timed_out: usize,
    /// Bodies for which there was no memory.
    pub out_of_memory: usize,
    /// Bodies for which the solver failed.
    pub solver_exceptions: usize,
}

/// What became of each body.
pub fn checked<'r>(report: &'r Report, bodies: &'r [Body], options: &Options) -> Vec<Checked<'r>> {
    bodies
        .iter()
        .map(|body| self::body(report, body, bodies, options))
        .collect()
}

fn body<'r>(report: &'r Report, body: &'r Body, bodies: &[Body], options: &Options) -> Checked<'r> {
    let is_it =
        |unit: &&Arc<UnitReport>| unit.role == Some(Role::Entry) && unit.name == body.procedure;
    let mut checked = Checked {
        body,
        outcome: Outcome::Decided,
        errors: Vec::new(),
        obligations: 0,
    };
    let mut is_open = |outcome: Outcome| checked.outcome = checked.outcome.max(outcome);
    let Some(unit) = report.units.iter().find(is_it) else {
        is_open(report.stopped.as_ref().map_or(Outcome::Inconclusive, kept));
        return checked;
    };
    if let Some(reason) = unit.stopped.as_ref().or(report.stopped.as_ref()) {
        is_open(kept(reason));
    } else if unit.pending {
        is_open(Outcome::Inconclusive);
    }
    // What stands in none of the procedure's bodies (it was inlined) may belong to any of them.
    let holds = |body: &Body, obligation: &ObligationReport| {
        (body.place.start..=body.end.end).contains(&obligation.span.start)
    };
    let others = bodies
        .iter()
        .filter(|other| other.procedure == body.procedure);
    let others: Vec<&Body> = others.collect();
    for obligation in &unit.obligations {
        let is_own = holds(body, obligation);
        if !is_own && others.iter().any(|other| holds(other, obligation)) {
            continue;
        }
        checked.obligations += 1;
        match &obligation.verdict {
            Verdict::Safe(_) => {}
            Verdict::Unsafe(_) => checked.errors.push(obligation),
            // For the last one there is a run, though one that nobody could confirm.
            Verdict::Unknown(
                Reason::NotProved(_) | Reason::ContractTooWeak(_) | Reason::RunRejected(_),
            ) => {
                checked.errors.push(obligation);
            }
            Verdict::Unknown(reason) => {
                checked.outcome = checked.outcome.max(kept(reason));
            }
        }
    }
    checked
        .errors
        .sort_by_key(|obligation| obligation.span.start);
    if options.error_limit > 0 {
        checked.errors.truncate(options.error_limit);
    }
    checked
}

/// What a reason for UNKNOWN is for Boogie.
fn kept(reason: &Reason) -> Outcome {
    match reason {
        Reason::Timeout => Outcome::TimedOut,
        Reason::Memory => Outcome::OutOfMemory,
        Reason::SolverFailed(_) => Outcome::SolverException,
        _ => Outcome::Inconclusive,
    }
}

impl Checked<'_> {
    /// Whether all obligations are proved.
    pub fn is_verified(&self) -> bool {
        self.outcome == Outcome::Decided && self.errors.is_empty()
    }

    /// The outcome in one word or two, as `/trace` shows it.
    fn words(&self) -> &'static str {
        match self.outcome {
            Outcome::Decided if self.errors.is_empty() => "verified",
            Outcome::Decided => "error",
            Outcome::TimedOut => "timed out",
            Outcome::OutOfMemory => "out of memory",
            Outcome::SolverException => "solver exception",
            Outcome::Inconclusive => "inconclusive",
        }
    }
}

impl Counts {
    /// Of these bodies.
    pub fn of(checked: &[Checked<'_>]) -> Counts {
        let with = |outcome| checked.iter().filter(|c| c.outcome == outcome).count();
        Counts {
            verified: checked.iter().filter(|c| c.is_verified()).count(),
            errors: checked.iter().map(|c| c.errors.len()).sum(),
            inconclusive: with(Outcome::Inconclusive),
            timed_out: with(Outcome::TimedOut),
            out_of_memory: with(Outcome::OutOfMemory),
            solver_exceptions: with(Outcome::SolverException),
        }
    }

    /// The last line of the output.
    pub fn trailer(&self) -> String {
        let plural = |number: usize| if number == 1 { "" } else { "s" };
        let mut text = format!(
            "\nBoogie program verifier finished with {} verified, {} error{}",
            self.verified,
            self.errors,
            plural(self.errors)
        );
        let others = [
            (
                self.inconclusive,
                " inconclusive",
                plural(self.inconclusive),
            ),
            (self.timed_out, " time out", plural(self.timed_out)),
            (self.out_of_memory, " out of memory", ""),
            (self.solver_exceptions, " solver exceptions", ""),
        ];
        for (number, words, end) in others {
            if number > 0 {
                let _ = write!(text, ", {number}{words}{end}");
            }
        }
        text.push('\n');
        text
    }
}

/// What there is to say about bodies, without the last line.
pub fn messages(checked: &[Checked<'_>], source: &Source, options: &Options) -> String {
    let mut text = String::new();
    for found in checked {
        let body = found.body;
        if options.trace {
            let _ = writeln!(text, "\nVerifying {} ...", body.name);
            let obligations = found.obligations;
            let plural = if obligations == 1 { "" } else { "s" };
            let words = found.words();
            let _ = writeln!(text, "  [{obligations} proof obligation{plural}]  {words}");
        }
        let name = &body.name;
        let sentence = match found.outcome {
            Outcome::Decided => None,
            Outcome::TimedOut => Some(format!(
                "Verification of '{name}' timed out after {} seconds",
                options.time_limit
            )),
            Outcome::OutOfMemory => Some(format!("Verification out of memory ({name})")),
            Outcome::SolverException => Some(format!(
                "Verification encountered solver exception ({name})"
            )),
            Outcome::Inconclusive => Some(format!("Verification inconclusive ({name})")),
        };
        if let Some(sentence) = sentence {
            let place = self::place(source, body.place, options.base_names);
            let _ = writeln!(text, "{place}: {sentence}");
        }
        if let Some(thanks) = body.thanks.as_ref().filter(|_| found.is_verified()) {
            let _ = writeln!(text, "{thanks}");
        }
        for error in &found.errors {
            text += &self::error(error, source, options);
        }
    }
    text
}

/// An obligation that could not be proved.
fn error(obligation: &ObligationReport, source: &Source, options: &Options) -> String {
    let at = |span: Span| place(source, span, options.base_names);
    let mut text = match own_words(obligation) {
        Some(words) => format!("{words}\n"),
        None => {
            let (what, related) = words(&obligation.kind);
            let mut text = format!("{}: Error: {what}\n", at(obligation.span));
            if let (Some(related), Some(clause)) = (related, obligation.clause) {
                let _ = writeln!(text, "{}: Related location: {related}", at(clause));
            }
            text
        }
    };
    let steps = obligation.run.iter().filter(|step| !step.minor);
    let steps: Vec<&RunStep> = steps.collect();
    if options.runs && !steps.is_empty() {
        text += "Execution trace:\n";
        for step in steps {
            let _ = writeln!(text, "    {}: {}", at(step.span), step.text());
        }
    }
    text
}

/// The text that the program gives for the case that the obligation does not hold.
fn own_words(obligation: &ObligationReport) -> Option<&str> {
    let kind = obligation.kind.to_string();
    Some(&*obligation.description).filter(|words| *words != kind)
}

/// What is said of an obligation that could not be proved, and of the clause that it comes from.
fn words(kind: &ObligationKind) -> (&'static str, Option<&'static str>) {
    match kind {
        ObligationKind::Requires { .. } => (
            "a precondition for this call could not be proved",
            Some("this is the precondition that could not be proved"),
        ),
        ObligationKind::Ensures => (
            "a postcondition could not be proved on this return path",
            Some("this is the postcondition that could not be proved"),
        ),
        ObligationKind::InvariantInitiation => {
            ("this loop invariant could not be proved on entry", None)
        }
        ObligationKind::InvariantConsecution => (
            "this invariant could not be proved to be maintained by the loop",
            None,
        ),
        ObligationKind::Assert
        | ObligationKind::Inferred { .. }
        | ObligationKind::Location
        | ObligationKind::Query
        | ObligationKind::Condition { .. }
        | ObligationKind::Unsupported { .. } => ("this assertion could not be proved", None),
    }
}

/// `file(line,column)`.
fn place(source: &Source, span: Span, base_names: bool) -> String {
    let at = source.start(span);
    let file = file(source.file(span), base_names);
    format!("{file}({},{})", at.line, at.column)
}

/// A file as it is called in messages.
pub fn file(name: &str, base_names: bool) -> String {
    let base = Path::new(name).file_name().filter(|_| base_names);
    base.map_or_else(
        || name.to_owned(),
        |base| base.to_string_lossy().into_owned(),
    )
}

/// At which step a text was found to be no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Parsing,
    Names,
    Types,
}

/// Messages about the text, and, if it is rejected, how many errors the first step found that found some. Changes of
/// globals without leave are errors unless `infer_modifies`.
pub fn rejection(
    diagnostics: &[Diagnostic],
    source: &Source,
    infer_modifies: bool,
    base_names: bool,
) -> (String, bool) {
    let is_error = |diagnostic: &Diagnostic| {
        diagnostic.is_error() || diagnostic.id == Id::MODIFIES_MISSING && !infer_modifies
    };
    let errors = diagnostics.iter().filter(|diagnostic| is_error(diagnostic));
    let first = errors.clone().map(|diagnostic| step(diagnostic.id)).min();
    let mut text = String::new();
    for diagnostic in diagnostics {
        let error = is_error(diagnostic);
        let is_told = match first {
            Some(first) if error => step(diagnostic.id) == first,
            _ => !error && is_about_text(diagnostic),
        };
        if is_told {
            let what = match (error, step(diagnostic.id)) {
                (true, Step::Parsing) => "error",
                (true, _) => "Error",
                (false, _) => "Warning",
            };
            let place = place(source, diagnostic.span(), base_names);
            let _ = writeln!(text, "{place}: {what}: {}", diagnostic.message);
        }
    }
    if let Some(first) = first {
        let count = errors.filter(|d| step(d.id) == first).count();
        let what = match first {
            Step::Parsing => "parse",
            Step::Names => "name resolution",
            Step::Types => "type checking",
        };
        let name = file(&source.name, base_names);
        let _ = writeln!(text, "{count} {what} errors detected in {name}");
    }
    (text, first.is_some())
}

/// What else is wrong with a text, each with its place.
pub fn mistakes(mistakes: &[(Span, String)], source: &Source, base_names: bool) -> String {
    let lines = mistakes.iter().map(|(span, words)| {
        let place = place(source, *span, base_names);
        format!("{place}: Error: {words}\n")
    });
    lines.collect()
}

/// Whether a warning is about the text alone, and one that Boogie would give in its way.
fn is_about_text(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Warning && diagnostic.id == Id::AMBIGUOUS_TYPE
}

fn step(id: Id) -> Step {
    let id = id.as_str();
    if id.starts_with("E02") {
        Step::Names
    } else if id.starts_with("E03") || id.starts_with('W') {
        Step::Types
    } else {
        Step::Parsing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts_what_there_is() {
        let mut counts = Counts {
            verified: 2,
            errors: 1,
            ..Counts::default()
        };
        assert_eq!(
            counts.trailer(),
            "\nBoogie program verifier finished with 2 verified, 1 error\n"
        );
        counts.errors = 0;
        counts.inconclusive = 1;
        counts.timed_out = 2;
        counts.out_of_memory = 1;
        assert_eq!(
            counts.trailer(),
            "\nBoogie program verifier finished with 2 verified, 0 errors, 1 inconclusive, 2 time outs, 1 out of memory\n"
        );
    }

    fn obligation(kind: ObligationKind, at: u32, reason: Reason) -> ObligationReport {
        ObligationReport {
            description: kind.to_string().into(),
            kind,
            span: Span::new(at, at + 1),
            clause: None,
            verdict: Verdict::Unknown(reason),
            is_condition: false,
            pending: false,
            reason_span: None,
            run: Arc::default(),
            missing: Vec::new(),
            loops: Vec::new(),
            candidate: None,
            confirmation: None,
        }
    }

    fn body(start: u32, end: u32) -> Body {
        Body {
            procedure: "p".into(),
            name: "p".into(),
            place: Span::new(start, start + 1),
            end: Span::new(end, end + 1),
            thanks: None,
        }
    }

    fn report(obligations: Vec<ObligationReport>) -> Report {
        let source = Source::new("d/f.bpl", "0123456789\n0123456789\n");
        let mut report = Report::new(source, ult_driver::Language::Boogie);
        report.units.push(Arc::new(UnitReport {
            name: "p".into(),
            role: Some(Role::Entry),
            obligations,
            pending: false,
            stopped: None,
            invariants: Vec::new(),
            contract: None,
            steps: 0,
            portfolio: None,
            explanation: None,
            reuse: ult_driver::Reuse::default(),
        }));
        report
    }

    const OPTIONS: Options = Options {
        error_limit: 2,
        runs: true,
        base_names: true,
        trace: false,
        time_limit: 10,
    };

    #[test]
    fn what_is_open_is_never_verified() {
        let not_proved = || Reason::NotProved("why".into());
        let report = report(vec![
            obligation(ObligationKind::Assert, 2, not_proved()),
            obligation(ObligationKind::Assert, 15, Reason::Timeout),
        ]);
        let bodies = [body(0, 9), body(11, 20)];
        let checked = checked(&report, &bodies, &OPTIONS);
        let text = messages(&checked, &report.source, &OPTIONS);
        assert_eq!(
            text,
            "f.bpl(1,3): Error: this assertion could not be proved\n\
             f.bpl(2,1): Verification of 'p' timed out after 10 seconds\n"
        );
        let counts = Counts::of(&checked);
        assert_eq!(
            (counts.verified, counts.errors, counts.timed_out),
            (0, 1, 1)
        );
    }

    #[test]
    fn what_stands_in_no_body_may_belong_to_any() {
        let reason = Reason::Unsupported("it".into(), None);
        let report = report(vec![obligation(ObligationKind::Assert, 21, reason)]);
        let bodies = [body(0, 5), body(11, 15)];
        let checked = checked(&report, &bodies, &OPTIONS);
        assert_eq!(Counts::of(&checked).inconclusive, 2);
        let missing = [Body {
            procedure: "q".into(),
            ..body(0, 9)
        }];
        let checked = self::checked(&report, &missing, &OPTIONS);
        assert_eq!(Counts::of(&checked).inconclusive, 1);
    }

    #[test]
    fn as_many_errors_are_told_as_the_limit_says() {
        let open = |at| obligation(ObligationKind::Ensures, at, Reason::NotProved("".into()));
        let report = report(vec![open(8), open(3), open(5)]);
        let bodies = [body(0, 9)];
        let count = |error_limit| {
            let options = Options {
                error_limit,
                ..OPTIONS
            };
            Counts::of(&checked(&report, &bodies, &options)).errors
        };
        assert_eq!([count(0), count(1), count(2), count(5)], [3, 1, 2, 3]);
        let found = checked(&report, &bodies, &OPTIONS);
        assert_eq!(found[0].errors[0].span.start, 3);
    }
}
