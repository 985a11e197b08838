//! What an output is beside the one that is expected.

use std::collections::BTreeSet;
use std::fmt;

use super::output::Output;
use crate::process::End;

/// A class of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// The same verdict, with errors on the same lines.
    Agrees,
    /// Something is proved that Boogie cannot prove, as somebody has looked at and written down.
    ProvesMore,
    /// Errors that Boogie reports are missing, and nothing is said to be open: to be looked at.
    Misses,
    /// There are errors where Boogie has none.
    FalseAlarm,
    /// Something is open.
    Unknown,
    /// Boogie accepts the program.
    Rejected,
    /// Boogie rejects the program.
    Accepted,
    /// It ended by a signal or with an internal error.
    Crash,
}

impl Class {
    /// All of them, in the order of the table.
    pub(super) const ALL: [Class; 8] = [
        Class::Agrees,
        Class::ProvesMore,
        Class::Misses,
        Class::FalseAlarm,
        Class::Unknown,
        Class::Rejected,
        Class::Accepted,
        Class::Crash,
    ];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Class::Agrees => "agrees",
            Class::ProvesMore => "proves more",
            Class::Misses => "misses",
            Class::FalseAlarm => "false alarm",
            Class::Unknown => "unknown",
            Class::Rejected => "rejected",
            Class::Accepted => "accepted",
            Class::Crash => "crash",
        })
    }
}

/// Compares an output with the expected one. `is_known` says of a line that what is expected there was looked at: Boogie
/// cannot prove what holds.
pub(super) fn judge(
    expected: &Output,
    got: &Output,
    end: End,
    is_known: &dyn Fn(&str, u64) -> bool,
) -> (Class, String) {
    match end {
        End::Code(0 | 1) => {}
        End::Time | End::Memory | End::Stopped => return (Class::Unknown, "it was ended".into()),
        End::Code(code) => return (Class::Crash, format!("it ended with {code}")),
        End::Signal(signal) => return (Class::Crash, format!("it ended by signal {signal}")),
    }
    match (expected.rejected, got.rejected) {
        (true, true) => return (Class::Agrees, String::new()),
        (true, false) => return (Class::Accepted, String::new()),
        (false, true) => return (Class::Rejected, String::new()),
        (false, false) => {}
    }
    if got.counts.is_none() && expected.counts.is_some() {
        return (Class::Crash, "there is no last line".into());
    }
    let lines =
        |output: &Output| -> BTreeSet<(String, u64)> { output.errors.keys().cloned().collect() };
    let (wanted, found) = (lines(expected), lines(got));
    let missing: Vec<_> = wanted.difference(&found).collect();
    let extra: Vec<_> = match expected.partial {
        // It may be one that is not named.
        true => Vec::new(),
        false => found.difference(&wanted).collect(),
    };
    let list = |lines: &[&(String, u64)]| {
        let numbers: Vec<String> = lines.iter().map(|(_, line)| line.to_string()).collect();
        numbers.join(", ")
    };
    let words = match (missing.is_empty(), extra.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("no error on {}", list(&missing)),
        (true, false) => format!("errors on {}", list(&extra)),
        (false, false) => format!("errors on {}, none on {}", list(&extra), list(&missing)),
    };
    if !extra.is_empty() {
        return (Class::FalseAlarm, words);
    }
    if got.open && !expected.open {
        return (Class::Unknown, words);
    }
    if !missing.is_empty() {
        let known = missing.iter().all(|(file, line)| is_known(file, *line));
        return match known {
            true => (Class::ProvesMore, words),
            false => (Class::Misses, words),
        };
    }
    match (expected.counts, got.counts) {
        (Some(wanted), Some(found)) if expected.partial && wanted.errors > found.errors => (
            Class::Misses,
            format!("{} errors instead of {}", found.errors, wanted.errors),
        ),
        (Some(wanted), Some(found)) if expected.partial && wanted.errors < found.errors => (
            Class::FalseAlarm,
            format!("{} errors instead of {}", found.errors, wanted.errors),
        ),
        (Some(wanted), Some(found)) if wanted != found => (
            Class::Agrees,
            format!(
                "counts {} and {} instead of {} and {}",
                found.verified, found.errors, wanted.verified, wanted.errors
            ),
        ),
        _ => (Class::Agrees, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[u64], verified: u64, rest: &str) -> Output {
        let mut text = String::new();
        for line in lines {
            text += &format!("a.bpl({line},1): Error: x\n");
        }
        let errors = lines.len();
        text += &format!(
            "Boogie program verifier finished with {verified} verified, {errors} errors{rest}\n"
        );
        Output::of(&text)
    }

    fn class(expected: &Output, got: &Output) -> Class {
        judge(expected, got, End::Code(0), &|_, line| line == 7).0
    }

    #[test]
    fn the_worst_difference_counts() {
        let rejected = Output::of("1 parse errors detected in a.bpl");
        let nothing = Output::default();
        for (expected, got, answer) in [
            (of(&[3], 1, ""), of(&[3], 1, ""), Class::Agrees),
            (of(&[3], 0, ""), of(&[], 1, ""), Class::Misses),
            (of(&[7], 0, ""), of(&[], 1, ""), Class::ProvesMore),
            (of(&[3, 7], 0, ""), of(&[], 1, ""), Class::Misses),
            (of(&[3], 0, ""), of(&[], 0, ", 1 time out"), Class::Unknown),
            (
                of(&[3], 0, ""),
                of(&[4], 0, ", 1 time out"),
                Class::FalseAlarm,
            ),
            (
                of(&[], 0, ", 1 inconclusive"),
                of(&[], 0, ", 1 inconclusive"),
                Class::Agrees,
            ),
            (rejected.clone(), of(&[], 1, ""), Class::Accepted),
            (of(&[], 1, ""), rejected.clone(), Class::Rejected),
            (rejected.clone(), rejected.clone(), Class::Agrees),
            (of(&[], 1, ""), nothing, Class::Crash),
        ] {
            assert_eq!(class(&expected, &got), answer, "{expected:?} {got:?}");
        }
        let same = of(&[], 1, "");
        for (end, answer) in [
            (End::Signal(11), Class::Crash),
            (End::Code(101), Class::Crash),
            (End::Time, Class::Unknown),
        ] {
            assert_eq!(judge(&same, &same, end, &|_, _| false).0, answer);
        }
    }

    #[test]
    fn what_is_expected_in_part_may_have_more_errors() {
        let expected = Output {
            partial: true,
            counts: None,
            ..of(&[3], 0, "")
        };
        assert_eq!(class(&expected, &of(&[3, 4], 0, "")), Class::Agrees);
        assert_eq!(class(&expected, &of(&[4], 0, "")), Class::Misses);
    }
}
