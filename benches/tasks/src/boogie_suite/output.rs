//! What an output of Boogie says, whoever wrote it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// What is said of a postcondition, today and by Boogie 2.
const RETURN: [&str; 2] = [
    "a postcondition could not be proved on this return path",
    "A postcondition might not hold on this return path.",
];

/// The numbers of the last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Verified bodies.
    pub verified: u64,
    /// Errors.
    pub errors: u64,
}

/// What an output says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Output {
    /// How many errors there are on each line, by file and line. Those about postconditions are on the line of the clause:
    /// several ways to return may be one for somebody else.
    pub errors: BTreeMap<(String, u64), u64>,
    /// The program was rejected.
    pub rejected: bool,
    /// Something is open: no time, no memory, inconclusive.
    pub open: bool,
    /// The last line.
    pub counts: Option<Counts>,
    /// Boogie itself failed.
    pub failed: bool,
    /// Only some lines of the output are known.
    pub partial: bool,
    /// The line before was about a postcondition.
    pub returned: bool,
}

static ERROR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:.*/)?([^/(]+)\((\d+),(\d+)\): Error(?: BP\d+)?: "));
static RELATED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:.*/)?([^/(]+)\((\d+),(\d+)\): Related location: "));
static TRAILER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"finished with (\d+) verified, (\d+) errors?(.*)$"));
static REJECTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\d+ (?:parse|name resolution|type checking) errors? detected"));
static FAILED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:Fatal Error|Prover error|Unable to monomorphize|Error opening|Datatypes only|Functions with :define)",
    )
});
static RELATIVE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\$\{LINE(?::([+-]\d+))?\}"));

/// The patterns are constants.
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("{error}"))
}

impl Output {
    /// Reads an output.
    pub(super) fn of(text: &str) -> Output {
        let mut output = Output::default();
        for line in text.lines() {
            output.line(line.trim_end());
        }
        output.returned = false;
        output
    }

    /// Reads the lines of an output that a file names behind `CHECK`; `None` if there are none about verdicts.
    pub(super) fn of_checks(path: &Path, text: &str) -> Option<Output> {
        let name = path.file_name()?.to_string_lossy();
        let mut output = Output {
            partial: true,
            ..Output::default()
        };
        for (number, line) in text.lines().enumerate() {
            let Some((head, words)) = line
                .split_once(": ")
                .filter(|(head, _)| head.contains("CHECK"))
            else {
                continue;
            };
            if head.contains("CHECK-NOT") {
                continue;
            }
            let words = words.trim().replace("${CHECKFILE_NAME}", &name);
            let words = RELATIVE.replace_all(&words, |found: &regex::Captures<'_>| {
                let behind = found.get(1).and_then(|n| n.as_str().parse::<i64>().ok());
                let number = i64::try_from(number).unwrap_or(i64::MAX - 1);
                (number + 1 + behind.unwrap_or(0)).to_string()
            });
            let words = match head.contains("CHECK-L") {
                true => words.into_owned(),
                // A regular expression; parentheses and points are escaped where they stand for themselves.
                false => words.replace('\\', ""),
            };
            output.line(&words);
        }
        output.returned = false;
        output.says_something().then_some(output)
    }

    /// Whether there is anything about verdicts.
    pub(super) fn says_something(&self) -> bool {
        self.counts.is_some() || self.rejected || !self.errors.is_empty()
    }

    /// Some steps reject a program without a last line, where there is one otherwise.
    pub(super) fn settled(mut self, quiet: bool) -> Output {
        let is_short = self.counts.is_none() && !self.errors.is_empty();
        self.rejected |= is_short && !self.partial && !quiet;
        self
    }

    fn line(&mut self, line: &str) {
        let returned = std::mem::take(&mut self.returned);
        let (error, related) = (ERROR.captures(line), RELATED.captures(line));
        if let Some(found) = related.filter(|_| returned).or(error) {
            self.returned = RETURN.iter().any(|words| line.ends_with(words));
            // The clause is told on the next line, except where only some lines are known.
            if !self.returned || self.partial {
                let place = (found[1].trim().to_owned(), found[2].parse().unwrap_or(0));
                *self.errors.entry(place).or_default() += 1;
                self.returned = false;
            }
        } else if let Some(found) = TRAILER.captures(line) {
            let number = |i: usize| found[i].parse().unwrap_or(0);
            let before = self.counts.unwrap_or(Counts {
                verified: 0,
                errors: 0,
            });
            // There may be several programs.
            self.counts = Some(Counts {
                verified: before.verified + number(1),
                errors: before.errors + number(2),
            });
            self.open |= !found[3].trim().is_empty();
        } else if REJECTED.is_match(line) {
            self.rejected = true;
        } else if FAILED.is_match(line) {
            self.failed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_counted_by_line() {
        let output = Output::of(
            "d/a.bpl(3,5): Error: this assertion could not be proved\n\
             a.bpl(3,9): Error: a postcondition could not be proved on this return path\n\
             a.bpl(1,3): Related location: this is the postcondition that could not be proved\n\
             Execution trace:\n    a.bpl(2,1): anon0\n\n\
             Boogie program verifier finished with 1 verified, 2 errors, 1 time out\n",
        );
        let file = || "a.bpl".to_owned();
        assert_eq!(output.errors, [((file(), 3), 1), ((file(), 1), 1)].into());
        let counts = Counts {
            verified: 1,
            errors: 2,
        };
        assert_eq!(output.counts, Some(counts));
        assert!(output.open && !output.rejected && !output.partial);
        let older = Output::of(
            "a.bpl(3,9): Error BP5003: A postcondition might not hold on this return path.\n\
             a.bpl(1,3): Related location: This is the postcondition that might not hold.\n",
        );
        assert_eq!(older.errors, [((file(), 1), 1)].into());
        assert!(Output::of("2 type checking errors detected in a.bpl\n").rejected);
        let short = || Output::of("a.bpl(1,1): Error: a function calls itself\n");
        assert!(short().settled(false).rejected && !short().settled(true).rejected);
    }

    #[test]
    fn checks_name_lines() {
        let text = "// RUN: x\n// CHECK-L: ${CHECKFILE_NAME}(${LINE:+1},3): Error: this\nassert false;\n\
                    // CHECK: .*finished with 0 verified, 1 error\n// CHECK-NOT: verified\n";
        let output = Output::of_checks(Path::new("d/a.bpl"), text).unwrap();
        assert_eq!(output.errors, [(("a.bpl".to_owned(), 3), 1)].into());
        assert!(output.partial && output.counts.is_some());
        assert_eq!(
            Output::of_checks(Path::new("a.bpl"), "// CHECK-L: split 1"),
            None
        );
    }
}
