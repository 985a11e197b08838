//! How long things may take here, in one table.
//!
//! Limits of questions come from those who ask them. What is here are the solver's own affairs.
//!
//! | limit | of what | why so much | at the limit |
//! |---|---|---|---|
//! | [`FLOATS`] | Z3's question about floating-point numbers | what it decides by itself it decides in this time | boxes are tried, then Z3 gets the rest |
//! | [`ALONE`] | a question in the incremental session, before it is asked with other tactics | nearly all questions are answered sooner | the other tactics begin |
//! | [`READING`] | for each formula of the question, as long again | before it searches, Z3 reads them all, in a fresh solver once more | the other tactics begin |
//! | [`SLICE`] | one of several tactics that take turns, at first; doubled each time | there may be no second core | the next tactic |
//! | [`GLANCE`] | between two looks whether the run goes on, while another thread works | nobody notices | it is looked again |
//! | [`OBEY`] | until a thread that was told to stop has stopped | Z3 looks at its flag often | the thread is left alone, and ends by itself |
//! | [`STARTING`] | another solver's start, until it said who it is | a slow machine, a large program | the solver counts as missing |
//! | [`REST`] | what is left of another solver's answer, once it has begun | it has the answer, and only has to say it | it is no answer, and the solver is ended |
//! | [`ALIVE`] | between two looks whether another solver that is silent still lives | nobody notices | it is looked again |
//! | [`DYING`] | between two looks whether a solver that ended has said why | it is a few turns at most | it is looked again |
//! | [`AGAIN`] | between two rings of an alarm that is due | who is to hear it may not listen yet | it rings again |
//! | [`SECOND`], [`STEPS`], [`STEPS_PER_QUESTION`] | where Z3's steps count and not the time: how many are a second, and how many a question takes besides | as many as Z3 takes in about a second | as at a limit of time |
//! | [`EARLY`] | how much before the run's deadline Z3's clock may ring | its clock counts milliseconds, and starts first | an interruption counts as the end of the run |

use std::time::Duration;

/// Where steps of Z3 count and not the time, this many stand for a second. It takes Z3 about that long.
pub(crate) const SECOND: Duration = Duration::from_secs(1);
pub(crate) const STEPS: u32 = 4_000_000;

/// A question counts as this many steps besides those that Z3 takes: it is written, and its answer is read.
pub(crate) const STEPS_PER_QUESTION: u64 = 400;

/// For Z3's first try at a question about floating-point numbers.
pub(crate) const FLOATS: Duration = Duration::from_secs(2);

/// For a question in the incremental session, alone.
pub(crate) const ALONE: Duration = Duration::from_millis(500);

/// For each formula of such a question, besides.
pub(crate) const READING: Duration = Duration::from_micros(20);

/// For one of several tactics that take turns, at first.
pub(crate) const SLICE: Duration = Duration::from_secs(2);

/// Between two looks whether the run goes on.
pub(crate) const GLANCE: Duration = Duration::from_millis(20);

/// For a thread that was told to stop.
pub(crate) const OBEY: Duration = Duration::from_millis(500);

/// For another solver to start and to say who it is.
pub(crate) const STARTING: Duration = Duration::from_secs(10);

/// For another solver to end an answer that it has begun.
pub(crate) const REST: Duration = Duration::from_secs(10);

/// Between two looks whether a silent solver still lives.
pub(crate) const ALIVE: Duration = Duration::from_millis(100);

/// Between two looks at the last words of a solver that ended.
pub(crate) const DYING: Duration = Duration::from_millis(5);

/// Between two rings of an alarm that is due.
pub(crate) const AGAIN: Duration = Duration::from_millis(5);

/// An interruption so shortly before the run's deadline is the run's end.
pub(crate) const EARLY: Duration = Duration::from_millis(20);
