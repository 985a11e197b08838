//! What is told about one task, in all forms at once, as data that goes from process to process and is kept in files.
//!
//! A record is made of a report, once, and says what that says. It is no verdict and never becomes one again: whoever
//! reads it back can only put it together with others, in any of the forms ([`json`], [`sarif`], [`junit`], [`text`]).
//!
//! A line of a file is a record with a checksum ([`Record::line`]), so that one which was not written to its end, or was
//! changed, is noticed.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::junit::{Case, Outcome, Problem, Suite};
use super::sarif::Part;
use super::{json, junit, sarif, text};
use ult_driver::{Conclusion, Report};

/// A verdict in one word, without what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Word {
    /// Every obligation holds.
    Safe,
    /// Some obligation is violated.
    Unsafe,
    /// What was asked holds if behavior is defined, which is not proved.
    Conditional,
    /// Something is open.
    Unknown,
    /// The text has errors.
    Rejected,
    /// There is nothing to check.
    Nothing,
}

impl Word {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Word; 6] = [
        Word::Safe,
        Word::Unsafe,
        Word::Conditional,
        Word::Unknown,
        Word::Rejected,
        Word::Nothing,
    ];
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Word::Safe => "SAFE",
            Word::Unsafe => "UNSAFE",
            Word::Conditional => "CONDITIONAL",
            Word::Unknown => "UNKNOWN",
            Word::Rejected => "REJECTED",
            Word::Nothing => "NOTHING",
        })
    }
}

impl From<&Conclusion> for Word {
    fn from(conclusion: &Conclusion) -> Word {
        match conclusion {
            Conclusion::Safe => Word::Safe,
            Conclusion::Unsafe => Word::Unsafe,
            Conclusion::Conditional(_) => Word::Conditional,
            Conclusion::Unknown(_) => Word::Unknown,
            Conclusion::Rejected => Word::Rejected,
            Conclusion::Nothing => Word::Nothing,
        }
    }
}

/// What is told about one task: a file, or a procedure of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The file, as it was named.
    pub file: String,
    /// The procedure, if the task is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The SHA-256 of the text that the report is about: for C behind the preprocessor, for Boogie with its libraries.
    pub content: String,
    /// Other files that parts of this text come from.
    pub others: Vec<String>,
    /// The verdict.
    pub verdict: Word,
    /// Why it is UNKNOWN or CONDITIONAL, if it is: [`code`](ult_core::reason::Reason::code).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What somebody expects the verdict to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Word>,
    /// The time spent on it.
    pub seconds: f64,
    /// The object of [`json`].
    pub json: Value,
    /// The part of a log.
    pub sarif: Part,
    /// The suite of JUnit XML.
    pub junit: Suite,
    /// The text.
    pub text: String,
}

impl Record {
    /// What a report says.
    pub fn new(
        report: &Report,
        entry: Option<&str>,
        style: &text::Options,
        more: json::More,
    ) -> Record {
        let conclusion = report.conclusion();
        let mut suite = junit::suite(report);
        let mut object = json::with_more(report, more);
        if let Some(entry) = entry {
            object["entry"] = entry.into();
            suite.name = format!("{}: {entry}", report.source.name);
        }
        let mut others: Vec<String> = Vec::new();
        let files = report.source.markers().iter();
        for file in files.filter_map(|marker| marker.file.as_deref()) {
            if file != &*report.source.name && !others.iter().any(|known| known == file) {
                others.push(file.to_owned());
            }
        }
        Record {
            file: report.source.name.to_string(),
            entry: entry.map(str::to_owned),
            content: digest(&report.source.text),
            others,
            verdict: Word::from(&conclusion),
            reason: match &conclusion {
                Conclusion::Conditional(reason) | Conclusion::Unknown(reason) => {
                    Some(reason.code().to_owned())
                }
                Conclusion::Safe
                | Conclusion::Unsafe
                | Conclusion::Rejected
                | Conclusion::Nothing => None,
            },
            expected: None,
            seconds: report.seconds,
            json: object,
            sarif: sarif::part(report),
            junit: suite,
            text: text::report(report, style),
        }
    }

    /// What the task is called: the file, or the file and the procedure.
    pub fn name(&self) -> String {
        match &self.entry {
            Some(entry) => format!("{}: {entry}", self.file),
            None => self.file.clone(),
        }
    }

    /// The verdict with the reason: `UNKNOWN(timeout)`.
    pub fn verdict_text(&self) -> String {
        match &self.reason {
            Some(reason) => format!("{}({reason})", self.verdict),
            None => self.verdict.to_string(),
        }
    }

    /// Whether the verdict is another one than was expected.
    pub fn is_unexpected(&self) -> bool {
        self.expected
            .is_some_and(|expected| expected != self.verdict)
    }

    /// Says in all forms what the verdict was expected to be: what was expected is no failure, what was not is one.
    pub fn expect(&mut self, expected: Word) {
        self.expected = Some(expected);
        self.json["expected"] = expected.to_string().into();
        if expected == self.verdict {
            for result in &mut self.sarif.results {
                result["suppressions"] = serde_json::json!([{
                    "kind": "external",
                    "justification": format!("the verdict {expected} is expected"),
                }]);
            }
            return;
        }
        let words = format!(
            "expected {expected}, but the verdict is {}",
            self.verdict_text()
        );
        self.sarif.results.push(serde_json::json!({
            "ruleId": UNEXPECTED,
            "level": "error",
            "message": { "text": words },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": sarif::uri(&self.file) },
            } }],
        }));
        // The last line stays the last one.
        let end = self.text.trim_end_matches('\n').rfind('\n');
        let end = end.map_or(0, |newline| newline + 1);
        self.text.insert_str(end, &format!("UNEXPECTED: {words}\n"));
    }

    /// The suite of JUnit XML, with a case about what was expected, if anything was.
    pub fn suite(&self) -> Suite {
        let mut suite = self.junit.clone();
        let Some(expected) = self.expected else {
            return suite;
        };
        let outcome = match self.is_unexpected() {
            true => {
                let message = format!("the verdict is {}", self.verdict_text());
                Outcome::Failure(Problem::new(UNEXPECTED, message))
            }
            false => {
                for case in &mut suite.cases {
                    if matches!(case.outcome, Outcome::Failure(_) | Outcome::Error(_)) {
                        let message = format!("the verdict {expected} is expected");
                        case.outcome = Outcome::Skipped(message);
                    }
                }
                Outcome::Success
            }
        };
        suite.cases.push(Case {
            name: format!("{}: {expected} is expected", self.name()),
            class: self.file.clone(),
            seconds: None,
            outcome,
        });
        suite
    }

    /// The record as one line of a file, with its end.
    ///
    /// # Errors
    /// If it is no JSON, which nothing in a record is known to cause.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        Ok(sealed(&serde_json::to_string(self)?))
    }

    /// The record that a line holds; `None` if it does not hold one whole.
    pub fn of_line(line: &str) -> Option<Record> {
        serde_json::from_str(unsealed(line)?).ok()
    }
}

/// The rule of verdicts that are not the expected ones.
pub const UNEXPECTED: &str = "unexpected-verdict";

/// The SHA-256 of a text, in hexadecimal letters.
pub fn digest(text: &str) -> String {
    let sum = hmac_sha256::Hash::hash(text.as_bytes());
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An object of JSON in one line, with its checksum.
pub fn sealed(object: &str) -> String {
    format!("{{\"sha256\":\"{}\",\"of\":{object}}}\n", digest(object))
}

/// The object of a line, if its checksum is right.
pub fn unsealed(line: &str) -> Option<&str> {
    let rest = line.trim_end_matches(['\r', '\n']);
    let rest = rest.strip_prefix("{\"sha256\":\"")?;
    let (sum, rest) = rest.split_once("\",\"of\":")?;
    let object = rest.strip_suffix('}')?;
    (digest(object) == sum).then_some(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_driver::{Language, Source};

    fn record() -> Record {
        let mut report = Report::new(Source::new("a <b>.bpl", "text"), Language::Boogie);
        report.stopped = Some(ult_core::reason::Reason::Internal(
            "a & \"b\" ]]> \u{7}".into(),
        ));
        report.seconds = 0.1 + 0.2;
        Record::new(
            &report,
            None,
            &text::Options::default(),
            json::More::default(),
        )
    }

    #[test]
    fn a_line_says_what_the_record_says_or_nothing() {
        let record = record();
        let line = record.line().unwrap();
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(Record::of_line(&line), Some(record));
        for end in [0, 1, line.len() / 2, line.len() - 2] {
            assert_eq!(Record::of_line(&line[..end]), None, "{end}");
        }
        assert_eq!(Record::of_line(&line.replace("UNKNOWN", "SAFE")), None);
        assert_eq!(Record::of_line(&format!("{line}{line}")), None);
    }

    #[test]
    fn what_xml_cannot_say_is_left_out() {
        let document = junit::document_of(&[record().suite()]).unwrap();
        assert!(document.contains("<testsuite name=\"a &lt;b&gt;.bpl\" tests=\"1\""));
        assert!(
            document.contains("a &amp; &quot;b&quot; ]]&gt; "),
            "{document}"
        );
        assert!(!document.contains('\u{7}'));
    }

    /// How many cases there are, how many are errors, and how many failures.
    fn counts(suite: &Suite) -> (usize, usize, usize) {
        let count = |is: fn(&Outcome) -> bool| {
            let cases = suite.cases.iter();
            cases.filter(|case| is(&case.outcome)).count()
        };
        let errors = count(|outcome| matches!(outcome, Outcome::Error(_)));
        let failures = count(|outcome| matches!(outcome, Outcome::Failure(_)));
        (suite.cases.len(), errors, failures)
    }

    #[test]
    fn what_is_expected_is_no_failure() {
        let mut expected = record();
        expected.expect(Word::Unknown);
        assert_eq!(counts(&expected.suite()), (2, 0, 0));
        let mut unexpected = record();
        unexpected.expect(Word::Safe);
        assert_eq!(counts(&unexpected.suite()), (2, 1, 1));
        assert!(unexpected.is_unexpected() && !expected.is_unexpected());
        let lines: Vec<&str> = unexpected.text.lines().collect();
        assert_eq!(
            lines[lines.len() - 2],
            "UNEXPECTED: expected SAFE, but the verdict is UNKNOWN(internal)"
        );
    }
}
