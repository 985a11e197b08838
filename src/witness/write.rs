//! From a report to a witness.

use std::fmt::Write as _;

use hmac_sha256::Hash as Sha256;
use ult_c::outline::Outline;

use super::Location;
use super::place::Places;
use ult_check::Verdict;
use ult_driver::{Conclusion, Report, RunStep};

/// What a witness says about its task.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// The name of the program's file.
    pub file: String,
    /// Its content.
    pub content: Vec<u8>,
    /// The property, as in property files: `CHECK( init(main()), LTL(G ! overflow) )`.
    pub specification: String,
    /// `ILP32` or `LP64`
    pub data_model: &'static str,
    /// When: seconds since 1970.
    pub time: u64,
    /// Whether the report is about what the preprocessor made of the file.
    pub is_preprocessed: bool,
}

/// The witness for a verdict; `None` if there is none.
pub fn write(report: &Report, metadata: &Metadata) -> Option<String> {
    let places = Places {
        source: &report.source,
        is_preprocessed: metadata.is_preprocessed,
    };
    let outline = ult_c::outline::outline(&report.source.text);
    let writer = Writer {
        places,
        outline: &outline,
        file: &metadata.file,
    };
    let (kind, content) = match report.conclusion() {
        Conclusion::Safe => ("invariant_set", writer.invariants(report)),
        Conclusion::Unsafe => ("violation_sequence", writer.violation(report)?),
        Conclusion::Nothing
        | Conclusion::Conditional(_)
        | Conclusion::Unknown(_)
        | Conclusion::Rejected => return None,
    };
    let hash = hexadecimal(&Sha256::hash(&metadata.content));
    let identity = format!("{kind}{hash}{content}{}", metadata.time);
    let identity = hexadecimal(&Sha256::hash(identity.as_bytes()));
    let mut text = format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n");
    // A random number by its form (RFC 9562, version 8): made of what the witness says.
    let _ = writeln!(
        text,
        "    uuid: \"{}-{}-8{}-8{}-{}\"",
        &identity[..8],
        &identity[8..12],
        &identity[12..15],
        &identity[15..18],
        &identity[18..30]
    );
    let _ = writeln!(text, "    creation_time: \"{}\"", date(metadata.time));
    let _ = writeln!(
        text,
        "    producer:\n      name: \"ult\"\n      version: \"{}\"",
        env!("CARGO_PKG_VERSION")
    );
    let file = quoted(&metadata.file);
    let _ = writeln!(
        text,
        "    task:\n      input_files:\n      - {file}\n      input_file_hashes:\n        {file}: \"{hash}\""
    );
    let _ = writeln!(
        text,
        "      specification: {}",
        quoted(&metadata.specification)
    );
    let _ = writeln!(
        text,
        "      data_model: {}\n      language: C",
        metadata.data_model
    );
    if content.is_empty() {
        text += "  content: []\n";
    } else {
        text += "  content:\n";
        text += &content;
    }
    Some(text)
}

/// The hash of a file as witnesses have it.
pub(super) fn hash(content: &[u8]) -> String {
    hexadecimal(&Sha256::hash(content))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A string of JSON is one of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// `2026-11-21T21:00:00Z`
fn date(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86400, seconds % 86400);
    // Civil date of a day number, with years that begin in March.
    days += 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

struct Writer<'a> {
    places: Places<'a>,
    outline: &'a Outline,
    file: &'a str,
}

impl Writer<'_> {
    fn location(&self, offset: u32, indent: &str) -> Option<String> {
        let Location { line, column } = self.places.location(offset)?;
        let mut text = format!(
            "{indent}location:\n{indent}  file_name: {}\n",
            quoted(self.file)
        );
        let _ = writeln!(text, "{indent}  line: {line}");
        if let Some(column) = column {
            let _ = writeln!(text, "{indent}  column: {column}");
        }
        if let Some(function) = self.outline.function(offset) {
            let _ = writeln!(text, "{indent}  function: {function}");
        }
        Some(text)
    }

    fn invariants(&self, report: &Report) -> String {
        let mut text = String::new();
        for invariant in report.units.iter().flat_map(|unit| &unit.invariants) {
            let (Some(formula), Some(span)) = (&invariant.c, invariant.span) else {
                continue;
            };
            let Some(known) = self.outline.loop_at(span.start) else {
                continue;
            };
            let inside = self.outline.function(known.span.start);
            if !formula.function.is_empty() && inside != Some(&*formula.function) {
                continue;
            }
            let place = known.span.start;
            let Some(value) = formula.where_known(|name| self.outline.is_in_scope(name, place))
            else {
                continue;
            };
            let Some(location) = self.location(known.span.start, "      ") else {
                continue;
            };
            text += "  - invariant:\n      type: loop_invariant\n";
            text += &location;
            let _ = writeln!(
                text,
                "      value: {}\n      format: c_expression",
                quoted(&value)
            );
        }
        text
    }

    fn violation(&self, report: &Report) -> Option<String> {
        let violated = report
            .obligations()
            .find(|obligation| obligation.verdict.is_unsafe())?;
        debug_assert!(matches!(violated.verdict, Verdict::Unsafe(_)));
        let mut text = String::new();
        for step in violated.run.iter() {
            text += &self.input(step).unwrap_or_default();
        }
        let last = violated.run.last()?;
        let at = self
            .outline
            .statement(last.span.start)
            .map_or(last.span.start, |statement| statement.span.start);
        text += "  - segment:\n    - waypoint:\n        type: target\n        action: follow\n";
        text += &self.location(at, "        ")?;
        Some(text)
    }

    /// The value that a call returned.
    fn input(&self, step: &RunStep) -> Option<String> {
        let (call, input) = step.input.as_ref()?;
        let callee = self.places.source.text.get(call.range())?;
        let equation = match input.as_str() {
            // Equal to nothing, itself included.
            "nan" => "\\result != \\result".to_owned(),
            _ => format!("\\result == {}", constant(callee, input)?),
        };
        let mut text = String::from(
            "  - segment:\n    - waypoint:\n        type: function_return\n        action: follow\n",
        );
        let _ = writeln!(
            text,
            "        constraint:\n          value: {}\n          format: acsl_expression",
            quoted(&equation)
        );
        text += &self.location(call.end - 1, "        ")?;
        Some(text)
    }
}

/// A value of a run as a constant expression of C; `None` for what is no number.
pub(super) fn constant(callee: &str, value: &str) -> Option<String> {
    number(callee, value)
        .map(literal)
        .or_else(|| floating(value))
}

/// A floating-point number as a constant expression of C. C has no literals for those that are none.
fn floating(value: &str) -> Option<String> {
    match value {
        "nan" => return Some("(0.0 / 0.0)".into()),
        "inf" => return Some("(1.0 / 0.0)".into()),
        "-inf" => return Some("(-1.0 / 0.0)".into()),
        _ => {}
    }
    let magnitude = value.strip_prefix('-').unwrap_or(value);
    let digits = magnitude.strip_suffix(['f', 'L', 'Q']).unwrap_or(magnitude);
    let hexadecimal = digits.starts_with("0x") && digits.contains('p');
    let decimal = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.parse::<f64>().is_ok()
        && digits.contains(['.', 'e']);
    (hexadecimal || decimal).then(|| value.to_owned())
}

/// The value of an integer in Boogie's notation; bit-vectors are read as the function's name says.
pub(super) fn number(callee: &str, value: &str) -> Option<i128> {
    let Some((digits, width)) = value.split_once("bv") else {
        return value.parse().ok();
    };
    let bits: i128 = digits.parse().ok()?;
    let width: u32 = width.parse().ok()?;
    let kind = callee
        .strip_prefix("__VERIFIER_nondet_")
        .unwrap_or_default();
    let unsigned = ["u", "size_t", "bool", "pointer"]
        .iter()
        .any(|start| kind.starts_with(start));
    let signed = width < 127 && !unsigned && bits >> (width.checked_sub(1)?) == 1;
    Some(if signed {
        bits - (1_i128 << width)
    } else {
        bits
    })
}

/// An integer as a constant of C.
pub(super) fn literal(value: i128) -> String {
    match value {
        // The smallest number is no literal of C.
        value if value == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
        value if i32::try_from(value).is_ok() && value != i128::from(i32::MIN) => value.to_string(),
        value if i64::try_from(value).is_ok() => format!("{value}LL"),
        value => format!("{value}ULL"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(date(1_795_294_800), "2026-11-21T21:00:00Z");
    }

    #[test]
    fn numbers_have_the_sign_of_their_type() {
        let read = |callee, value| literal(number(callee, value).unwrap());
        assert_eq!(read("__VERIFIER_nondet_int()", "-3"), "-3");
        assert_eq!(read("__VERIFIER_nondet_int()", "4294967293bv32"), "-3");
        assert_eq!(
            read("__VERIFIER_nondet_uint()", "4294967293bv32"),
            "4294967293LL"
        );
        assert_eq!(
            read("f()", "-9223372036854775808"),
            "(-9223372036854775807LL - 1)"
        );
        assert_eq!(number("f()", "0x1.0e0f24e8"), None);
    }

    #[test]
    fn floating_numbers_are_constants_of_c() {
        for value in ["0.1f", "-2.0", "1e30", "-1.5e-7f", "3.25L", "0x3p-20000"] {
            assert_eq!(constant("f()", value).as_deref(), Some(value));
        }
        assert_eq!(constant("f()", "inf").as_deref(), Some("(1.0 / 0.0)"));
        assert_eq!(constant("f()", "-inf").as_deref(), Some("(-1.0 / 0.0)"));
        assert_eq!(constant("f()", "nan").as_deref(), Some("(0.0 / 0.0)"));
        for value in [
            "RNE",
            "[1 := 2.0, else 3.0]",
            "0x1.0e0f24e8",
            "infinity",
            "E!3",
            "-",
            "",
        ] {
            assert_eq!(constant("f()", value), None, "{value}");
        }
    }
}
