//! Exit codes.

use ult_core::reason::Reason;
use ult_driver::{Conclusion, Report};
use ult_report::record::{Record, Word};

/// How the process ends. The numbers are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Every obligation of every file holds; also: the command had no verdict to give and did what
    /// it was told.
    Safe = 0,
    /// Some obligation is violated.
    Unsafe = 1,
    /// The command line was wrong, or a file that it names cannot be read or written.
    Usage = 2,
    /// An input was rejected: it is no UTF-8 text, or has errors in syntax, names or types.
    Rejected = 3,
    /// Nothing is violated as far as found, but not everything is proved; or it holds under conditions that are not.
    Unknown = 4,
    /// The solver is missing or unsuitable.
    Solver = 5,
    /// There was nothing to check, in none of the files.
    Nothing = 6,
    /// A bug in `ult`: a verdict is missing because of an internal error.
    Internal = 101,
    /// Interrupted by Ctrl-C or by a request to terminate.
    Interrupted = 130,
    /// Whoever read the output has gone away. A shell says the same of programs that the signal SIGPIPE has ended.
    BrokenPipe = 141,
}

impl Exit {
    /// All of them, in the order of their numbers.
    pub const ALL: [Exit; 10] = [
        Exit::Safe,
        Exit::Unsafe,
        Exit::Usage,
        Exit::Rejected,
        Exit::Unknown,
        Exit::Solver,
        Exit::Nothing,
        Exit::Internal,
        Exit::Interrupted,
        Exit::BrokenPipe,
    ];

    /// The code for one file. A violation found counts more than what kept another obligation
    /// undecided.
    pub fn of(report: &Report) -> Exit {
        match report.conclusion() {
            Conclusion::Safe => Exit::Safe,
            Conclusion::Nothing => Exit::Nothing,
            Conclusion::Unsafe => Exit::Unsafe,
            Conclusion::Rejected => Exit::Rejected,
            Conclusion::Conditional(Reason::Internal(_))
            | Conclusion::Unknown(Reason::Internal(_)) => Exit::Internal,
            Conclusion::Conditional(Reason::Cancelled) | Conclusion::Unknown(Reason::Cancelled) => {
                Exit::Interrupted
            }
            Conclusion::Conditional(_) | Conclusion::Unknown(_) => Exit::Unknown,
        }
    }

    /// The code for what is told about one task. What was expected is as good as a proof, and what was not is as bad as a
    /// violation; but a bug or an interruption is never what was expected.
    pub(crate) fn of_record(record: &Record) -> Exit {
        let own = match (record.verdict, record.reason.as_deref()) {
            (Word::Safe, _) => Exit::Safe,
            (Word::Nothing, _) => Exit::Nothing,
            (Word::Unsafe, _) => Exit::Unsafe,
            (Word::Rejected, _) => Exit::Rejected,
            (Word::Conditional | Word::Unknown, Some("internal")) => Exit::Internal,
            (Word::Conditional | Word::Unknown, Some("cancelled")) => Exit::Interrupted,
            (Word::Conditional | Word::Unknown, _) => Exit::Unknown,
        };
        match record.expected {
            None => own,
            Some(_) if matches!(own, Exit::Internal | Exit::Interrupted) => own,
            Some(expected) if expected == record.verdict => Exit::Safe,
            Some(_) => own.worst(Exit::Unsafe),
        }
    }

    /// What a process of `ult` says by its code.
    pub(crate) fn of_code(code: i32) -> Option<Exit> {
        let mut all = Exit::ALL.into_iter();
        all.find(|exit| i32::from(*exit as u8) == code)
    }

    /// The code for several files: that of the most urgent one.
    ///
    /// First what casts doubt on the run as a whole (a bug, an interruption, the solver), then what
    /// somebody has to mend (an input that was not even read, a violation), then what is open.
    pub fn worst(self, other: Exit) -> Exit {
        if self.urgency() >= other.urgency() {
            self
        } else {
            other
        }
    }

    fn urgency(self) -> u8 {
        match self {
            // Where something was proved elsewhere, all is well.
            Exit::Nothing => 0,
            Exit::Safe => 1,
            Exit::Unknown => 2,
            Exit::Unsafe => 3,
            Exit::Rejected => 4,
            Exit::Usage => 5,
            Exit::Solver => 6,
            Exit::Interrupted => 7,
            Exit::Internal => 8,
            // Nobody wants to know.
            Exit::BrokenPipe => 9,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::*;

    #[test]
    fn the_most_urgent_file_wins_in_any_order() {
        let ascending = [
            Nothing,
            Safe,
            Unknown,
            Unsafe,
            Rejected,
            Usage,
            Solver,
            Interrupted,
            Internal,
            BrokenPipe,
        ];
        for (i, &low) in ascending.iter().enumerate() {
            for &high in &ascending[i..] {
                assert_eq!(low.worst(high), high);
                assert_eq!(high.worst(low), high);
            }
        }
    }
}
