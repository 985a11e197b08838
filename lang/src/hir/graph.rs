//! The typed form of program-graph texts (`.ult`).

use super::{
    Attribute, Background, EdgeLetId, EdgeLocalId, Expr, GraphVariableId, LocationId, Type,
};
use crate::span::Span;

/// A typed program-graph text: rigid symbols and graphs over them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphProgram {
    /// Types, constants, functions and axioms.
    pub background: Background,
    /// The graphs.
    pub graphs: Vec<Graph>,
}

/// A program graph: locations, and edges labelled with transition formulas.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The name.
    pub name: String,
    /// The state variables.
    pub variables: Vec<GraphVariable>,
    /// The locations.
    pub locations: Vec<Location>,
    /// Where runs start.
    pub initial: Vec<LocationId>,
    /// Locations that no run should reach.
    pub errors: Vec<LocationId>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
}

/// A state variable.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphVariable {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the name.
    pub span: Span,
}

/// A location.
#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    /// The name.
    pub name: String,
    /// Its description, for an error location what is violated there.
    pub description: Option<String>,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the name where it is declared (or first used).
    pub span: Span,
}

/// An edge with its transition formula.
///
/// A step from `source` to `target` is allowed from a state to a state if values of the locals exist such that the
/// formula holds, where [`super::VarRef::Unprimed`] means the state before and [`super::VarRef::Primed`] the state
/// after. Frame: a variable that occurs primed neither in the formula nor in a let, and is not in `havoc`, keeps its
/// value.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where the edge starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    /// Variables of this edge alone, existentially quantified.
    pub locals: Vec<EdgeLocal>,
    /// Named sub-formulas, each of which may use the ones before it.
    pub lets: Vec<EdgeLet>,
    /// Variables that may take any value in the step.
    pub havoc: Vec<GraphVariableId>,
    /// A bool; see [`super::VarRef`].
    pub formula: Expr,
    /// `{:attribute ...}`.
    pub attributes: Vec<Attribute>,
    /// The place of the edge.
    pub span: Span,
}

/// An existentially quantified variable of an edge.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeLocal {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The place of the name.
    pub span: Span,
}

/// A named term of an edge; shared wherever the name is used.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeLet {
    /// The name.
    pub name: String,
    /// What the name stands for; it carries the type.
    pub value: Expr,
    /// The place of the name.
    pub span: Span,
}

impl Edge {
    /// The local with this id.
    pub fn local(&self, id: EdgeLocalId) -> Option<&EdgeLocal> {
        self.locals.get(id.index())
    }

    /// The let with this id.
    pub fn let_(&self, id: EdgeLetId) -> Option<&EdgeLet> {
        self.lets.get(id.index())
    }
}

impl Graph {
    /// The variable with this id.
    pub fn variable(&self, id: GraphVariableId) -> Option<&GraphVariable> {
        self.variables.get(id.index())
    }
}
