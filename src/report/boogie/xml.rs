//! The XML of Boogie's option `/xml`: files, bodies as methods, errors and outcomes.

use std::fmt::Write as _;

use super::{Checked, Outcome, file};
use ult_driver::{ObligationReport, Source};
use ult_lang::span::Span;
use ult_lower::unit::ObligationKind;

/// The document about all bodies of a program; `command` is the command line.
pub fn document(
    checked: &[Checked<'_>],
    source: &Source,
    base_names: bool,
    command: &str,
) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    let version = format!("ult {}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(
        text,
        "<boogie version=\"{version}\" commandLine=\"{}\">",
        escaped(command)
    );
    let name = file(&source.name, base_names);
    let _ = writeln!(text, "  <file name=\"{}\">", escaped(&name));
    for found in checked {
        let _ = writeln!(text, "    <method name=\"{}\">", escaped(&found.body.name));
        for error in &found.errors {
            text += &self::error(error, source, base_names);
        }
        let _ = writeln!(text, "      <conclusion outcome=\"{}\" />", outcome(found));
        text += "    </method>\n";
    }
    text + "  </file>\n</boogie>\n"
}

fn error(obligation: &ObligationReport, source: &Source, base_names: bool) -> String {
    let what = match obligation.kind {
        ObligationKind::Requires { .. } => "precondition violation",
        ObligationKind::Ensures => "postcondition violation",
        ObligationKind::InvariantInitiation => "loop invariant entry violation",
        ObligationKind::InvariantConsecution => "loop invariant maintenance violation",
        _ => "assertion violation",
    };
    let place = place(source, obligation.span, base_names);
    let mut text = format!("      <error message=\"{what}\" {place}");
    match obligation.clause {
        Some(clause) => {
            let clause = self::place(source, clause, base_names);
            let _ = write!(text, ">\n        <related {clause} />\n      </error>\n");
        }
        None => text += " />\n",
    }
    text
}

fn outcome(checked: &Checked<'_>) -> &'static str {
    match checked.outcome {
        Outcome::Decided if checked.errors.is_empty() => "correct",
        Outcome::Decided => "errors",
        Outcome::TimedOut => "timedout",
        Outcome::OutOfMemory => "outofmemory",
        Outcome::SolverException => "solverexception",
        Outcome::Inconclusive => "inconclusive",
    }
}

fn place(source: &Source, span: Span, base_names: bool) -> String {
    let at = source.start(span);
    let name = escaped(&file(source.file(span), base_names));
    format!(
        "file=\"{name}\" line=\"{}\" column=\"{}\"",
        at.line, at.column
    )
}

/// As it may stand in an attribute. What XML has no word for is left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\t' | '\n' | '\r' => escaped.push(' '),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_escaped() {
        assert_eq!(
            super::escaped("a<\"b\"&\u{1}\n>"),
            "a&lt;&quot;b&quot;&amp; &gt;"
        );
    }
}
