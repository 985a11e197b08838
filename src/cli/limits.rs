//! How long things may take here, in one table.
//!
//! | limit | of what | why so much | at the limit |
//! |---|---|---|---|
//! | [`TICK`] | between two looks of the watching thread | nobody notices | it looks again |
//! | [`GRACE`] | work that was told to stop | an engine asks several times in a second | the process ends without it |
//! | [`EXHAUSTED`] | a thread for which there is no memory | the watching thread reports what is known and ends all | it ends the process without a report |
//! | [`WORKER`] | a process that was told to stop, or has ended | as [`GRACE`], and a report | nobody waits for it any more |
//! | [`LOOK`] | between two looks of `ult watch` at its files | nobody notices; thousands of files cost milliseconds | it looks again |
//! | [`PROGRESS`] | between two versions of the line that says what is done | it shall be readable | it is written anew |
//! | [`DEFAULT_TIME`] | one file, if the user says nothing | what takes longer is seldom decided | what is open is UNKNOWN, and the limit is told |
//! | [`AFTER_VIOLATION`] | the rest of a unit that violates something, or as long as that took | somebody waits for the violation | what is open is UNKNOWN, and `--keep-going` is named |
//! | [`AFTER_DEDUCTION`] | engines beside `ult boogie`'s proof by triggers, or as long as that took | Boogie would have given up | what they have not decided is not proved |
//! | [`SOLVER`], [`SOLVER_LEAST`] | loading the solver's library: as long as the command may take, within these bounds | a second at most; some machines are busy | the library hangs |
//! | [`VERSION`] | the same, where only its version is asked for | somebody waits for a line | there is none |
//! | [`DOCTOR_LOOK`] | one look of `ult doctor` at what is installed | it reads a version and a few files | the look has failed |
//! | [`DOCTOR_QUESTION`] | one of its questions to the solver | a second at most; some machines are busy | the solver hangs |
//! | [`DOCTOR_STOP`] | how late a question may end that it stops | the same | the solver cannot be stopped |
//! | [`DOCTOR_VERDICT`] | one verdict on one of its programs | a second at most; some machines are busy | it is UNKNOWN |
//! | [`DOCTOR_PROGRAM`] | one of its programs, with two verdicts | twice that, and the preprocessor | something hangs |

use std::time::Duration;

/// Between two looks of the watching thread.
pub(crate) const TICK: Duration = Duration::from_millis(20);

/// For one file of `ult check` without `--timeout`.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(600);

/// For what is open in a unit that violates something, at least.
pub(crate) const AFTER_VIOLATION: Duration = Duration::from_secs(5);

/// For work that was told to stop.
pub(crate) const GRACE: Duration = Duration::from_millis(1500);

/// For a process of ours that was told to stop, and for what one that has ended has still to say.
pub(crate) const WORKER: Duration = Duration::from_secs(5);

/// For a thread for which there is no memory.
pub(crate) const EXHAUSTED: Duration = Duration::from_secs(10);

/// Between two looks at files that may change.
pub(crate) const LOOK: Duration = Duration::from_millis(250);

/// Before the line that says what is done is shown, and between two versions of it.
pub(crate) const PROGRESS: Duration = Duration::from_millis(250);

/// For engines, where `ult boogie` has tried to prove all by triggers.
pub(crate) const AFTER_DEDUCTION: Duration = Duration::from_millis(250);

/// For loading the solver's library, at most.
pub(crate) const SOLVER: Duration = Duration::from_secs(60);

/// For loading the solver's library, at least: a busy machine is no broken library.
pub(crate) const SOLVER_LEAST: Duration = Duration::from_secs(8);

/// For loading the solver's library where only its version is asked for.
pub(crate) const VERSION: Duration = Duration::from_secs(5);

/// For one look of the doctor at what is installed.
pub(crate) const DOCTOR_LOOK: Duration = Duration::from_secs(10);

/// For one of the doctor's questions to the solver.
pub(crate) const DOCTOR_QUESTION: Duration = Duration::from_secs(60);

/// For the end of a question that the doctor stops.
pub(crate) const DOCTOR_STOP: Duration = Duration::from_secs(20);

/// For one verdict on one of the doctor's programs.
pub(crate) const DOCTOR_VERDICT: Duration = Duration::from_secs(60);

/// For one of the doctor's programs.
pub(crate) const DOCTOR_PROGRAM: Duration = Duration::from_secs(150);
