//! What a tool answers, and whether that is right.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The expected verdict of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// No run violates the property.
    True,
    /// Some run does.
    False,
    /// The input is wrong and must be refused.
    Reject,
    /// Nobody knows, so nothing is right or wrong.
    Open,
}

impl Expected {
    /// Reads the column `expected`.
    pub(crate) fn from_column(text: &str) -> Expected {
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "safe" | "sat" => Expected::True,
            "false" | "unsafe" | "unsat" => Expected::False,
            "reject" => Expected::Reject,
            _ => Expected::Open,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Expected::True => "true",
            Expected::False => "false",
            Expected::Reject => "reject",
            Expected::Open => "open",
        })
    }
}

/// What a tool answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    /// Safe.
    True,
    /// Unsafe.
    False,
    /// The input was refused.
    Reject,
    /// The tool did not decide, and said so.
    Unknown,
    /// The runner had to end the tool: it kept neither its time nor its memory limit.
    Killed,
    /// The tool ended in another way than it should: by a signal, with an undocumented exit code, or without an
    /// understandable answer.
    Crash,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Answer::True => "true",
            Answer::False => "false",
            Answer::Reject => "reject",
            Answer::Unknown => "unknown",
            Answer::Killed => "killed",
            Answer::Crash => "crash",
        })
    }
}

/// An answer compared with the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Judgement {
    /// As expected.
    Right,
    /// A definite answer, but not the expected one.
    Wrong,
    /// No definite answer.
    Unknown,
    /// No answer at all.
    Crashed,
    /// A definite answer to an open task.
    Open,
}

impl Judgement {
    /// Compares.
    pub(crate) fn of(expected: Expected, answer: Answer) -> Judgement {
        match (expected, answer) {
            (_, Answer::Crash) => Judgement::Crashed,
            (_, Answer::Unknown | Answer::Killed) => Judgement::Unknown,
            (Expected::Open, Answer::True | Answer::False | Answer::Reject) => Judgement::Open,
            (Expected::True, Answer::True)
            | (Expected::False, Answer::False)
            | (Expected::Reject, Answer::Reject) => Judgement::Right,
            (
                Expected::True | Expected::False | Expected::Reject,
                Answer::True | Answer::False | Answer::Reject,
            ) => Judgement::Wrong,
        }
    }
}

impl Judgement {
    /// Compares where a loop is what its invariants say, and a call what the contract says. There, `false` is expected of what
    /// does not follow from them, and whether a run violates it as well is another question.
    pub(crate) fn of_modular(expected: Expected, answer: Answer, reason: &str) -> Judgement {
        let does_not_follow = matches!(reason, "not-proved" | "contract-too-weak");
        match (expected, answer) {
            (Expected::False, Answer::Unknown) if does_not_follow => Judgement::Right,
            _ => Judgement::of(expected, answer),
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Judgement::Right => "right",
            Judgement::Wrong => "WRONG",
            Judgement::Unknown => "unknown",
            Judgement::Crashed => "CRASHED",
            Judgement::Open => "open",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_follow_is_expected_of_a_wrong_program_where_only_that_is_asked() {
        let unknown = |expected, reason| Judgement::of_modular(expected, Answer::Unknown, reason);
        assert_eq!(unknown(Expected::False, "not-proved"), Judgement::Right);
        assert_eq!(
            unknown(Expected::False, "contract-too-weak"),
            Judgement::Right
        );
        assert_eq!(unknown(Expected::False, "timeout"), Judgement::Unknown);
        assert_eq!(unknown(Expected::False, "unsupported"), Judgement::Unknown);
        // It may follow all the same, and nobody has found out how.
        assert_eq!(unknown(Expected::True, "not-proved"), Judgement::Unknown);
        for (expected, answer, judgement) in [
            (Expected::False, Answer::False, Judgement::Right),
            (Expected::False, Answer::True, Judgement::Wrong),
            (Expected::True, Answer::False, Judgement::Wrong),
            (Expected::False, Answer::Crash, Judgement::Crashed),
        ] {
            assert_eq!(
                Judgement::of_modular(expected, answer, "not-proved"),
                judgement
            );
        }
    }
}
