//! What becomes of a C program: a Boogie program, or why there is none.

use std::collections::BTreeMap;

use ult_lang::diagnostic::Diagnostic;
use ult_lang::hir;

use crate::encode::elements::Elements;

/// A C program in Boogie.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The Boogie program. Its places are those of the C text.
    pub program: hir::Program,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What a verdict rests on, in sentences: "signed overflow does not happen".
    pub assumptions: Vec<String>,
    /// Functions without a body that return anything and change nothing else.
    pub unknown_functions: Vec<String>,
    /// What lies in variables of the Boogie program that are maps by offsets.
    pub elements: BTreeMap<String, Elements>,
    /// Whether something in the program is not covered, so that a proof may need an over-approximation.
    pub has_gaps: bool,
    /// Whether the translation claims somewhere that an access does not leave its array: [`LEAVES`].
    pub has_claims: bool,
}

/// What the obligations are about that an access does not leave the array that it is in.
pub const LEAVES: &str = "an access that leaves its array for another part of the object";

/// Why there is no translation.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The program is no C program, or none that is read: the diagnostics, of which one is an error at least.
    Rejected(Vec<Diagnostic>),
    /// The translator made a mistake.
    Internal(String),
}
