//! Calls under construction: what is called, the copy of the callee's variables, and the bodies that calls share.

use std::collections::BTreeMap;

use ult_lang::hir::{Attribute, Expr, ImplementationId, Procedure, ProcedureId, Type, VarRef};
use ult_lang::span::Span;

use super::frame::Frame;
use super::sorts::TypeEnv;
use ult_core::graph::{EdgeId, LocationId, Origin, Transition};

/// A call statement.
pub struct Call<'p> {
    /// The procedure.
    pub callee: ProcedureId,
    /// What its type parameters stand for.
    pub type_args: &'p [Type],
    /// The values of its in-parameters.
    pub args: &'p [Expr],
    /// The variables for its out-parameters.
    pub results: &'p [VarRef],
    /// Whether its preconditions are not checked.
    pub free: bool,
    /// `{:attribute ...}`.
    pub attributes: &'p [Attribute],
    /// The statement.
    pub span: Span,
}

/// A copy of a callee's variables, with the bodies to choose from.
#[derive(Clone, Debug)]
pub struct Activation<'a> {
    /// The procedure.
    pub callee: &'a Procedure,
    /// Its parameters.
    pub frame: Frame,
    /// Its bodies, with their local variables.
    pub bodies: Vec<(Frame, ImplementationId)>,
}

/// What distinguishes bodies of one procedure: the meaning of its types, and whether its obligations are to be proved.
pub(super) type Key = (ProcedureId, TypeEnv, bool);

/// The bodies that are in the graph once.
#[derive(Debug, Default)]
pub struct SharedBodies<'a>(pub(super) BTreeMap<Key, Body<'a>>);

/// A body, and its calls.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub(super) activation: Activation<'a>,
    /// Where it begins.
    pub(super) entry: LocationId,
    /// Where it ends, once it is there.
    pub(super) exit: Option<LocationId>,
    pub(super) sites: Vec<Site>,
}

/// A call of such a body.
#[derive(Debug)]
pub(super) struct Site {
    /// The edge on which the parameters get their values.
    pub(super) entry: EdgeId,
    /// The edge back, without the condition that the call came from here.
    pub(super) results: Transition,
    pub(super) origin: Origin,
    /// Where the caller goes on.
    pub(super) after: LocationId,
}
