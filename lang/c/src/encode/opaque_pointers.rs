//! Opaque pointers: pointer variables that are never followed.
//!
//! A number that becomes a pointer may be the address of an object, and then nobody knows which (see `address`). That does not
//! matter for a variable that is only ever made a number again, or compared with null: the number in it is all that is seen.

use std::collections::BTreeSet;

use super::body::{Body, Pointer, Value};
use crate::ir::visit::{self, Visit};
use crate::ir::{Base, Expr, ExprKind, Place, Program, Stmt, StmtKind, VarId};
use crate::types::Type;
use ult_lang::build::Term;

/// The variables.
pub(super) fn opaque_pointers(program: &Program) -> BTreeSet<VarId> {
    let mut followed = Followed::default();
    for function in &program.functions {
        followed.statements(function.body.as_deref().unwrap_or_default());
    }
    let pointers = (0..).map(VarId).zip(&program.variables);
    let pointers = pointers.filter(|(_, variable)| variable.ty.is_pointer());
    let all = pointers.map(|(id, _)| id);
    all.filter(|id| !followed.0.contains(id)).collect()
}

fn is_whole_read(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Read(place) if place.whole().is_some())
}

/// Variables whose value, or address, is used for more than its number.
#[derive(Default)]
struct Followed(BTreeSet<VarId>);

impl Visit for Followed {
    fn statement(&mut self, node: &Stmt) {
        match &node.kind {
            // What is written does not matter; only where a place is.
            StmtKind::Assign(place, value) if place.whole().is_some() => self.expr(value),
            _ => visit::statement(self, node),
        }
    }

    fn place(&mut self, node: &Place) {
        if let Base::Variable(id) = &node.base {
            self.0.insert(*id);
        }
        visit::place(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::Convert(pointer)
                if matches!(node.ty, Type::Int(_)) && is_whole_read(pointer) => {}
            ExprKind::Not(pointer) if is_whole_read(pointer) => {}
            ExprKind::Compare(_, pointer, null) if is_whole_read(pointer) && is_null(null) => {}
            ExprKind::Compare(_, null, pointer) if is_whole_read(pointer) && is_null(null) => {}
            _ => visit::expr(self, node),
        }
    }
}

fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(0) => true,
        ExprKind::Convert(operand) => is_null(operand),
        _ => false,
    }
}

impl Body<'_, '_> {
    /// What a pointer variable gets that nobody follows, if that is a number.
    pub(super) fn opaque_pointer_value(&mut self, place: &Place, value: &Expr) -> Option<Value> {
        let ExprKind::Convert(number) = &value.kind else {
            return None;
        };
        let is_opaque = place
            .whole()
            .is_some_and(|id| self.enc.opaque_pointers.contains(&id));
        if !is_opaque || !value.ty.is_pointer() || !matches!(number.ty, Type::Int(_)) {
            return None;
        }
        let word = self.word_type();
        if number.as_address(word.bits).is_some() {
            return None;
        }
        let number = self.number(number);
        Some(Value::Pointer(Pointer {
            base: Term::int(0),
            offset: self.converted(&number, word).term,
        }))
    }
}
