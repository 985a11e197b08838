//! Moves the typed form of a declaration to its place in the program, and a program to another text.

use crate::hir::visit::mutable::VisitMut;
use crate::hir::{BoundId, Program, TypeVarId};
use crate::resolve::types::SKOLEM;
use crate::span::Span;
use crate::visit::each;

use super::item::Contents;

/// Where spans go.
#[derive(Clone, Copy)]
pub(super) enum Move<'p> {
    /// So many bytes forward: to where the declaration starts in the text.
    By(u32),
    /// To the places of another text.
    To(&'p dyn Fn(Span) -> Span),
}

/// How far to move what a declaration contains.
#[derive(Clone, Copy)]
pub(super) struct Rebase<'p> {
    /// Where spans go.
    pub places: Move<'p>,
    /// How many bound variables come before.
    pub bounds: u32,
    /// Type variables from this number on were bound inside of the declaration.
    pub first_type_var: u32,
    /// How many of those come before.
    pub type_vars: u32,
}

/// Puts another span in the place of each span of the program: for a program that was made of a text in another language,
/// and whose places are to be those of that text.
pub fn relocate(program: &mut Program, place: &dyn Fn(Span) -> Span) {
    let mut rebase = Rebase {
        places: Move::To(place),
        bounds: 0,
        first_type_var: 0,
        type_vars: 0,
    };
    rebase.visit_program(program);
}

impl Rebase<'_> {
    pub(super) fn contents(&mut self, contents: &mut Contents) {
        let Contents {
            types,
            datatypes,
            constants,
            functions,
            axioms,
            globals,
            procedures,
            implementations,
            measures,
        } = contents;
        each!(self.visit_type_constructor(types));
        each!(self.visit_datatype(datatypes));
        each!(self.visit_constant(constants));
        each!(self.visit_function(functions));
        each!(self.visit_axiom(axioms));
        each!(self.visit_global(globals));
        each!(self.visit_procedure(procedures));
        each!(self.visit_implementation(implementations));
        for measure in measures {
            each!(self.visit_expr(&mut measure.exprs));
        }
    }
}

impl VisitMut for Rebase<'_> {
    fn visit_span(&mut self, span: &mut Span) {
        *span = match self.places {
            Move::By(start) => Span::new(
                span.start.saturating_add(start),
                span.end.saturating_add(start),
            ),
            Move::To(place) => place(*span),
        };
    }

    fn visit_bound_id(&mut self, id: &mut BoundId) {
        id.0 = id.0.saturating_add(self.bounds);
    }

    // What map types bind is numbered inside of the type, and above the numbers of skolem constants.
    fn visit_type_var(&mut self, id: &mut TypeVarId) {
        if (self.first_type_var..SKOLEM).contains(&id.0) {
            id.0 = id.0.saturating_add(self.type_vars);
        }
    }
}
