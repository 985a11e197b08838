//! How long things may take here, in one table.
//!
//! | limit | of what | why so much | at the limit |
//! |---|---|---|---|
//! | [`PROOF_ALONE`] | a strategy that makes one proof, where it is the only one | what it finds it finds early | there are no interpolants |
//! | [`SEARCH_ALONE`] | a strategy that asks step by step, where it is the only one | many questions | there are no interpolants |
//! | [`EXTERNAL`] | another solver | it starts, and reads everything anew | there are no interpolants |
//! | [`AUTO_PROOF`] | the proof of our own, first of several strategies | single milliseconds are usual | the next strategy |
//! | [`AUTO_HORN`] | the Horn query, as one of several | it is the best on long paths | the next strategy |
//! | [`AUTO_CUBES`] | projection, as one of several on numbers and maps | it is the last that is sure to end | the next strategy |
//! | [`AUTO_OTHER`] | any other one of several | others wait | the next strategy |
//! | [`TURN`] | a strategy that begins out of order | it may be the wrong one | the next strategy |
//! | [`CONFIRM`] | one step of a claimed sequence, re-proved | a solver has proved it before | the claim is refused |
//! | [`CORE`] | a core of the path | leaving something out is a help, no need | all of the path stays |
//! | [`LEMMA`] | one lemma of the proof of our own, by projection | a path may have many | the proof-based proof fails |
//! | [`MODEST`] | a question about a whole path that makes the result smaller | an eighth of what is left, at most | the larger result |
//! | [`SHORT`] | a question that makes the result nicer | there are many | the result as it is |
//! | [`STEP`] | the same about a single step | it is smaller | the result as it is |
//! | [`SIMPLIFY`] | whether a part of a formula says nothing new | there are many | the part stays |

use std::time::Duration;

/// For a strategy that makes one proof, alone.
pub(crate) const PROOF_ALONE: Duration = Duration::from_secs(10);

/// For a strategy that asks step by step, alone.
pub(crate) const SEARCH_ALONE: Duration = Duration::from_secs(20);

/// For another solver.
pub(crate) const EXTERNAL: Duration = Duration::from_secs(30);

/// For the proof of our own, with others behind it.
pub(crate) const AUTO_PROOF: Duration = Duration::from_secs(4);

/// For the Horn query, among others.
pub(crate) const AUTO_HORN: Duration = Duration::from_secs(10);

/// For projection, among others, where there are no bit-vectors.
pub(crate) const AUTO_CUBES: Duration = Duration::from_secs(20);

/// For any other strategy, among others.
pub(crate) const AUTO_OTHER: Duration = Duration::from_secs(5);

/// For a strategy that begins out of order.
pub(crate) const TURN: Duration = Duration::from_secs(3);

/// For one step of a claimed sequence.
pub(crate) const CONFIRM: Duration = Duration::from_secs(5);

/// For each question after a core of a path.
pub(crate) const CORE: Duration = Duration::from_secs(2);

/// For one lemma of a proof, by projection.
pub(crate) const LEMMA: Duration = Duration::from_secs(2);

/// For a question without whose answer there is a larger result.
pub(crate) const MODEST: Duration = Duration::from_secs(1);

/// For a question whose answer only makes a result nicer.
pub(crate) const SHORT: Duration = Duration::from_millis(200);

/// For such a question about a single step.
pub(crate) const STEP: Duration = Duration::from_millis(100);

/// For a question about a part of a formula.
pub(crate) const SIMPLIFY: Duration = Duration::from_millis(100);
