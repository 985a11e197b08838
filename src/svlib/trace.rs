//! One trace of a program, said by its choices.

use ult_lang::hir::{Axiom, Expr, GlobalId, LocalId};
use ult_lang::span::Span;

/// A trace of the program.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// What the model says about constants.
    pub model: Vec<Axiom>,
    /// Global variables and their first values.
    pub globals: Vec<(GlobalId, Expr)>,
    /// The procedure that it starts in.
    pub entry: usize,
    /// What decides where it goes, in order.
    pub steps: Vec<Step>,
    /// The places of the properties that do not hold at its end.
    pub violated: Vec<Span>,
    /// The whole.
    pub span: Span,
}

/// Something that decides how it goes on.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The first values of outputs and local variables.
    Start {
        procedure: usize,
        values: Vec<(LocalId, Expr)>,
    },
    /// The values that a `havoc` gives; whose variables they are says the procedure.
    Havoc(Vec<(String, Expr)>),
    /// The number of the statement that is chosen.
    Choice(usize),
    /// A jump into a state that the annotations of a tag allow.
    Leap {
        tag: String,
        values: Vec<(String, Expr)>,
    },
}
