//! Reports as text, for people.

use std::fmt::Write as _;
use ult_lang::diagnostic::Diagnostic;
use ult_lang::span::Span;

use super::diagnostic;
use super::json;
use super::open;
use super::steps;
use super::style::{Tone, paint};
use super::trace;
use ult_check::Verdict;
use ult_core::graph::evidence::Argument;
use ult_core::reason::Reason;
use ult_driver::{Certified, Conclusion, ObligationReport, Report, Source, UnitReport};
use ult_lower::unit::{ObligationKind, Role};

/// What is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether to use colours.
    pub color: bool,
    /// Whether to show loop invariants.
    pub invariants: bool,
    /// Whether to show which engines of the portfolio worked, and why.
    pub portfolio: bool,
    /// Whether to show how the engines came to it, as far as that was recorded.
    pub trace: bool,
    /// Whether to show counters and times.
    pub statistics: bool,
    /// Whether to show the last line only.
    pub brief: bool,
    /// Whether the search went on after a violation.
    pub keeps_going: bool,
}

/// The report on a file. It ends with [`last_line`].
pub fn report(report: &Report, options: &Options) -> String {
    let mut text = String::new();
    if !options.brief {
        for words in diagnostic::render(&report.diagnostics, &report.source, options.color) {
            text += &words;
            text.push('\n');
        }
        for unit in &report.units {
            text += &self::unit(unit, &report.source, options);
        }
        text += &basis(report);
        text += &stability(report);
        text += &certified(report);
        for code in codes(report) {
            let _ = writeln!(text, "help: `ult explain {code}` says more");
        }
        if options.statistics {
            text += &statistics(report);
        }
    }
    text += &last_line(report, options.color);
    text.push('\n');
    text
}

/// What is said of proofs that need nothing of what is in memory.
const OVERAPPROX: &str = "proved whatever is in memory: in an over-approximation (-Z overapprox)";

/// What the verdict rests on, for translated programs.
fn basis(report: &Report) -> String {
    let mut text = String::new();
    if !report.basis.linked.is_empty() {
        let files = report.basis.linked.join(", ");
        let _ = writeln!(text, "linked: {files}: one program");
    }
    if let Some(checked) = &report.basis.checked {
        let _ = writeln!(text, "checked: {checked}");
    }
    if report.basis.overapprox {
        let _ = writeln!(text, "{OVERAPPROX}");
    }
    for assumption in &report.basis.assumptions {
        let _ = writeln!(text, "assumed: {assumption}");
    }
    if !report.basis.unknown_functions.is_empty() {
        let names = report.basis.unknown_functions.join(", ");
        let _ = writeln!(
            text,
            "assumed: functions without a body return anything and change nothing else: {names}"
        );
    }
    text
}

/// What of the proof needs no solver.
fn certified(report: &Report) -> String {
    match report.certified {
        Some(Certified { proved, asked }) => {
            format!(
                "certified: {proved} of {asked} questions have a proof that was checked without a solver\n"
            )
        }
        None => String::new(),
    }
}

/// What became of the verdicts under other seeds.
fn stability(report: &Report) -> String {
    let Some(stability) = &report.stability else {
        return String::new();
    };
    let runs = stability.runs as usize;
    let mut text = match stability.unstable.is_empty() {
        true => "stable: the same verdicts in ".to_owned(),
        false => "not stable: not the same verdicts in ".to_owned(),
    };
    text += &count(runs, ("other run", "other runs"));
    if stability.runs < stability.wanted {
        let _ = write!(text, " ({} wanted)", stability.wanted);
    }
    text.push('\n');
    for unstable in &stability.unstable {
        let place = place(&report.source, Some(unstable.span));
        let _ = writeln!(
            text,
            "  {place}: {}: decided in {} of {}",
            unstable.description,
            unstable.decided,
            count(runs + 1, ("run", "runs")),
        );
        for (seed, reason) in &unstable.open {
            let run = match seed {
                0 => "the first run".to_owned(),
                seed => format!("seed {seed}"),
            };
            let _ = writeln!(text, "    {run}: {reason}");
        }
    }
    text
}

/// The last line. It has a fixed grammar:
///
/// ```text
/// line     = "ult: " verdict " " place ": " words
/// verdict  = "SAFE" | "UNSAFE" | "CONDITIONAL(" reason ")" | "UNKNOWN(" reason ")" | "REJECTED" | "NOTHING"
/// place    = file | file ":" line ":" column
/// reason   = "timeout" | "memory" | "cancelled" | "unsupported" | ...   (Reason::code)
/// ```
///
/// The words are for people; everything before them is stable. There is a line and a column where
/// the verdict is about one place: the first violated obligation, the first one that is open.
///
/// ```text
/// ult: SAFE seed.bpl: 1 obligation proved in 1 procedure
/// ult: NOTHING empty.bpl: nothing to check
/// ult: UNSAFE sum.bpl:12:5: 1 of 3 obligations violated
/// ult: CONDITIONAL(timeout) sum.c:12:5: 3 assertions hold, if line 12 has no signed overflow (not proved)
/// ult: UNKNOWN(timeout) sum.bpl:12:5: 1 of 3 obligations open
/// ult: REJECTED sum.bpl:3:7: 2 errors
/// ```
pub fn last_line(report: &Report, color: bool) -> String {
    let conclusion = report.conclusion();
    let all = report.obligations().count();
    let violated: Vec<&ObligationReport> = report
        .obligations()
        .filter(|o| o.verdict.is_unsafe())
        .collect();
    let open: Vec<&ObligationReport> = report
        .obligations()
        .filter(|o| o.verdict.reason().is_some())
        .collect();
    let (verdict, tone, span, words) = match &conclusion {
        Conclusion::Nothing | Conclusion::Safe if all == 0 => {
            let tone = match conclusion {
                Conclusion::Safe => Tone::Good,
                _ => Tone::Unclear,
            };
            (
                conclusion.to_string(),
                tone,
                None,
                match report.basis.checked {
                    Some(_) => "nothing in it could be undefined".into(),
                    None => "nothing to check".into(),
                },
            )
        }
        Conclusion::Nothing => ("NOTHING".to_owned(), Tone::Unclear, None, String::new()),
        Conclusion::Safe => {
            let with = report.units.iter().filter(|u| !u.obligations.is_empty());
            let what = match report.units.iter().all(|unit| unit.role.is_some()) {
                true => ("procedure", "procedures"),
                false => ("graph", "graphs"),
            };
            let words = format!(
                "{} in {}",
                proved(report.obligations()),
                count(with.count(), what)
            );
            ("SAFE".to_owned(), Tone::Good, None, words)
        }
        Conclusion::Conditional(reason) => {
            let first = open.iter().find(|o| o.verdict.reason() == Some(reason));
            let (asked, _) = asked_and_conditions(report.obligations());
            let words = format!(
                "{}, if {}",
                match asked {
                    1 => "1 assertion holds".to_owned(),
                    several => format!("{several} assertions hold"),
                },
                unproved(&open, report)
            );
            let verdict = format!("CONDITIONAL({})", reason.code());
            (verdict, Tone::Unclear, first.map(|o| o.span), words)
        }
        Conclusion::Unsafe => {
            let first = violated.first().map(|o| o.span);
            let words = format!("{} violated", part(violated.len(), all));
            ("UNSAFE".to_owned(), Tone::Bad, first, words)
        }
        Conclusion::Unknown(reason) => {
            // The place of the reason that is told; it may be about no obligation.
            let first = open.iter().find(|o| o.verdict.reason() == Some(reason));
            let first = first.map(|o| o.span);
            let words = match open.len() {
                0 => reason.to_string(),
                open => format!("{} open", part(open, all)),
            };
            let verdict = format!("UNKNOWN({})", reason.code());
            (verdict, Tone::Unclear, first, words)
        }
        Conclusion::Rejected => {
            let is_error = |n: &&Diagnostic| n.severity == ult_lang::diagnostic::Severity::Error;
            let first = report
                .diagnostics
                .iter()
                .find(is_error)
                .and_then(|n| n.place());
            let words = count(report.errors(), ("error", "errors"));
            ("REJECTED".to_owned(), Tone::Bad, first, words)
        }
    };
    let verdict = paint(color, tone, &verdict);
    format!(
        "ult: {verdict} {}: {}",
        place(&report.source, span),
        one_line(&words)
    )
}

/// `file`, or `file:12:5`.
pub(super) fn place(source: &Source, span: Option<Span>) -> String {
    match span {
        Some(span) => {
            let place = source.start(span);
            format!("{}:{}:{}", source.file(span), place.line, place.column)
        }
        None => source.name.to_string(),
    }
}

/// `line 12`, or `line 12 of file` if it is not the source's own.
pub(super) fn line_of(source: &Source, span: Span) -> String {
    let line = source.start(span).line;
    match source.other_file(span) {
        Some(file) => format!("line {line} of {file}"),
        None => format!("line {line}"),
    }
}

fn count(number: usize, (one, several): (&str, &str)) -> String {
    let word = if number == 1 { one } else { several };
    format!("{number} {word}")
}

/// How many obligations are about what was asked, and how many are conditions besides.
fn asked_and_conditions<'r>(
    obligations: impl IntoIterator<Item = &'r ObligationReport>,
) -> (usize, usize) {
    let mut counts = (0, 0);
    for obligation in obligations {
        match obligation.is_condition {
            true => counts.1 += 1,
            false => counts.0 += 1,
        }
    }
    counts
}

/// What was proved: `3 assertions proved, and 41 conditions that C leaves to the programmer`.
fn proved<'r>(obligations: impl IntoIterator<Item = &'r ObligationReport>) -> String {
    match asked_and_conditions(obligations) {
        (all, 0) => format!("{} proved", count(all, ("obligation", "obligations"))),
        (asked, conditions) => format!(
            "{} proved, and {} that C leaves to the programmer",
            count(asked, ("assertion", "assertions")),
            count(conditions, ("condition", "conditions"))
        ),
    }
}

/// Under which conditions assertions hold: `line 12 has no signed overflow (not proved)`.
fn unproved(open: &[&ObligationReport], report: &Report) -> String {
    let Some((first, others)) = open.split_first() else {
        let why = report.unchecked.as_ref().map(Reason::to_string);
        let why = why.unwrap_or_else(|| "no time".to_owned());
        return format!("no behavior is undefined (not checked: {why})");
    };
    let line = line_of(&report.source, first.span);
    let what = match first.kind {
        ObligationKind::Unsupported { .. } => format!("{line} is defined (not understood)"),
        _ => format!("{line} has {} (not proved)", subject(first)),
    };
    match others.len() {
        0 => what,
        1 => format!("{what}, and 1 more condition holds"),
        more => format!("{what}, and {more} more conditions hold"),
    }
}

fn part(number: usize, all: usize) -> String {
    format!("{number} of {}", count(all, ("obligation", "obligations")))
}

/// Texts of solvers and programs may contain anything; the last line is one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The verdict on a unit, in words: `SAFE, 2 obligations proved`.
pub fn unit_verdict(unit: &UnitReport, color: bool) -> String {
    let all = unit.obligations.len();
    let violated = unit.obligations.iter().filter(|o| o.verdict.is_unsafe());
    let open = unit
        .obligations
        .iter()
        .filter(|o| o.verdict.reason().is_some());
    let conclusion = unit.conclusion();
    let (tone, words) = match &conclusion {
        Conclusion::Nothing => return "nothing to check".to_owned(),
        Conclusion::Safe if all == 0 => return "nothing to check".to_owned(),
        Conclusion::Safe => (Tone::Good, proved(&unit.obligations)),
        Conclusion::Unsafe => {
            let mut words = format!("{} violated", part(violated.count(), all));
            let open = open.count();
            if open > 0 {
                words += &format!(", {open} open");
            }
            (Tone::Bad, words)
        }
        Conclusion::Conditional(reason) | Conclusion::Unknown(reason) => {
            let words = match open.count() {
                0 => reason.to_string(),
                open => format!("{} open", part(open, all)),
            };
            (Tone::Unclear, words)
        }
        Conclusion::Rejected => (Tone::Bad, "rejected".to_owned()),
    };
    format!("{}, {words}", paint(color, tone, &conclusion.to_string()))
}

/// Whether evidence of an earlier run was enough.
fn reuse(unit: &UnitReport) -> &'static str {
    match (unit.reuse.reused, unit.reuse.found) {
        (0, _) => "",
        (_, 0) => " (kept evidence, checked again)",
        _ => " (in part from kept evidence, checked again)",
    }
}

fn unit(unit: &UnitReport, source: &Source, options: &Options) -> String {
    let color = options.color;
    let all = unit.obligations.len();
    let mut text = format!(
        "{}: {}{}\n",
        unit.name,
        unit_verdict(unit, color),
        reuse(unit)
    );
    if unit.role == Some(Role::Dependency) && all > 0 {
        text += "  (not an entry: looked at because the entries rely on its contract)\n";
    }
    let (told, counted) = open::parts(unit);
    for obligation in told {
        text += &self::obligation(obligation, source, options);
    }
    text += &open::rest(unit, &counted, source, options.keeps_going);
    text += &open::of(unit, source);
    if let Some(contract) = unit.contract.as_ref().filter(|_| options.invariants) {
        // What is always true says nothing.
        let clauses = [
            ("requires", &contract.requires),
            ("ensures", &contract.ensures),
        ];
        let mut clauses = clauses.iter().filter(|(_, e)| *e != "true").peekable();
        if clauses.peek().is_some() {
            text += "  inferred contract:\n";
        }
        for (kind, e) in clauses {
            let _ = writeln!(text, "    {kind} {e}");
        }
    }
    if options.invariants && !unit.invariants.is_empty() {
        for invariant in &unit.invariants {
            let place = match invariant.span {
                Some(span) => line_of(source, span),
                None => format!("location {}", invariant.location),
            };
            let _ = match &invariant.predicate {
                Some(predicate) => writeln!(text, "  {predicate}, declared at {place}:"),
                None => writeln!(text, "  invariant of the loop at {place}:"),
            };
            let _ = writeln!(text, "    {}", invariant.formula);
        }
        for argument in unit.arguments() {
            text += &format!("  {}\n", beyond(argument));
        }
    }
    if let Some(plan) = unit.portfolio.as_ref().filter(|_| options.portfolio) {
        text += "  portfolio: ";
        let lines = plan.to_string();
        text += &lines.trim_end().replace('\n', "\n    ");
        text.push('\n');
    }
    if options.trace {
        text += &trace::unit(unit);
    }
    text
}

/// What a proof says beyond its invariants.
fn beyond(argument: Argument) -> String {
    match argument {
        Argument::Inductive(k) => {
            format!("with these, violations are excluded by k-induction, k = {k}")
        }
        Argument::Bounded(k) => {
            format!("and no trace passes more than {k} loop heads: all of them were examined")
        }
        Argument::Explored => {
            "all traces were followed to their end: that needs no invariant".to_owned()
        }
    }
}

/// What an obligation is about, in words: `assertion "x is positive"`.
pub(super) fn subject(obligation: &ObligationReport) -> String {
    let kind = obligation.kind.to_string();
    // In C, what is not true is not said twice.
    let description = obligation
        .description
        .strip_suffix(" violated")
        .unwrap_or(&obligation.description);
    if matches!(obligation.kind, ObligationKind::Condition { .. }) {
        return format!("no {}", obligation.description);
    }
    match description == kind.as_str() {
        _ if obligation.code() == "location" => obligation.description.to_string(),
        true => kind,
        false => format!("{kind} \"{}\"", obligation.description),
    }
}

/// What was found out about an obligation, in words: `assertion violated`, `assertion: unknown (timeout)`.
pub fn finding(obligation: &ObligationReport, color: bool) -> String {
    let what = subject(obligation);
    match &obligation.verdict {
        Verdict::Safe(_) => format!("{what} {}", paint(color, Tone::Good, "proved")),
        Verdict::Unknown(reason) => {
            let words = match reason {
                Reason::NotProved(_) => "not proved".into(),
                other => format!("unknown ({})", other.code()),
            };
            format!("{what}: {}", paint(color, Tone::Unclear, &words))
        }
        Verdict::Unsafe(_) if matches!(obligation.kind, ObligationKind::Condition { .. }) => {
            let words = paint(color, Tone::Bad, "undefined behavior");
            format!("{words}: {}", obligation.description)
        }
        Verdict::Unsafe(_) => format!("{what} {}", paint(color, Tone::Bad, "violated")),
    }
}

fn obligation(obligation: &ObligationReport, source: &Source, options: &Options) -> String {
    let color = options.color;
    let place = place(source, Some(obligation.span));
    let clause = obligation
        .clause
        .filter(|clause| *clause != obligation.span)
        .map(|clause| {
            let line = source.start(clause).line;
            let place = match source.other_file(clause) {
                Some(file) => format!("{file}:{line}"),
                None => line.to_string(),
            };
            format!("    {place}: {}\n", source.excerpt(clause, 80))
        })
        .unwrap_or_default();
    match &obligation.verdict {
        Verdict::Safe(_) => String::new(),
        Verdict::Unknown(reason) => {
            let mut text = format!("  {place}: {}\n{clause}", finding(obligation, color));
            text += &explain(reason, obligation, source);
            for (span, invariant) in &obligation.missing {
                let line = line_of(source, *span);
                let what = match invariant.starts_with("ensures ") {
                    true => "a postcondition",
                    false => "an invariant",
                };
                let _ = writeln!(
                    text,
                    "    it is proved with {what} that was inferred, at {line}: {invariant}"
                );
            }
            let is_shown = matches!(reason, Reason::NotProved(_)) && !obligation.run.is_empty();
            if is_shown {
                text += &cause(obligation);
            }
            if obligation.confirmation.is_some() || is_shown {
                text += &steps::run(&obligation.run, source, color);
            }
            text + &confirmation(obligation)
        }
        Verdict::Unsafe(_) => {
            let mut text = format!("  {place}: {}\n{clause}", finding(obligation, color));
            text += &cause(obligation);
            text += &steps::run(&obligation.run, source, color);
            text + &confirmation(obligation)
        }
    }
}

/// Which conjunct is false, and by which values.
fn cause(obligation: &ObligationReport) -> String {
    match obligation.cause() {
        Some(cause) => format!("    {}\n", one_line(&cause.sentence())),
        None => String::new(),
    }
}

/// What the compiled program did.
fn confirmation(obligation: &ObligationReport) -> String {
    let Some(told) = &obligation.confirmation else {
        return String::new();
    };
    let mut text = format!("    {}\n", one_line(&told.sentence()));
    for reason in &told.reasons {
        let _ = writeln!(text, "      possible reason: {}", one_line(reason));
    }
    text
}

/// The reasons that there are pages on, each once.
fn codes(report: &Report) -> Vec<&'static str> {
    // After a violation, nobody asks why the rest is open.
    let is_counted = |reason: &Reason| reason.is_limit() || reason.is_about_search();
    let is_wanted = |reason: &&Reason| !(report.has_violation() && is_counted(reason));
    let mut codes: Vec<&str> = report
        .reasons()
        .filter(is_wanted)
        .map(Reason::code)
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// What there is to say about a reason beyond its code.
fn explain(reason: &Reason, obligation: &ObligationReport, source: &Source) -> String {
    let words = one_line(&reason.to_string());
    match (reason, obligation.reason_span) {
        _ if reason.is_limit() => String::new(),
        (_, Some(span)) if span != obligation.span => {
            format!(
                "    {words}, at {}: {}\n",
                line_of(source, span),
                source.excerpt(span, 80)
            )
        }
        _ => format!("    {words}\n"),
    }
}

fn statistics(report: &Report) -> String {
    let mut text = String::from("statistics:\n");
    if let serde_json::Value::Object(fields) = json::statistics(&report.statistics) {
        // Lists, one entry for each step of a search, are for programs.
        let fields = fields.iter().filter(|(_, value)| !value.is_array());
        for (name, value) in fields {
            let value = match value {
                serde_json::Value::Object(parts) => parts
                    .iter()
                    .map(|(name, value)| format!("{} {}", name.replace('_', " "), quantity(value)))
                    .collect::<Vec<_>>()
                    .join(", "),
                other => quantity(other),
            };
            if !value.is_empty() {
                let _ = writeln!(text, "  {:<24} {value}", name.replace('_', " "));
            }
        }
    }
    let _ = writeln!(text, "  {:<24} {:.4} s", "wall time", report.seconds);
    text
}

/// A count, or a time.
fn quantity(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Number(number) if number.is_f64() => {
            format!("{:.4} s", number.as_f64().unwrap_or_default())
        }
        other => other.to_string(),
    }
}
