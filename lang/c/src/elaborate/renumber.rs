//! Other numbers for records, variables and functions, in all of the program: where several translation units speak of the
//! same thing, it has one number in the end.

use std::collections::BTreeMap;

use crate::ir::change::{self, Change};
use crate::ir::{
    Base, Callee, Expr, ExprKind, FunctionId, Initial, Place, Step, Stmt, StmtKind, Storage, VarId,
};
use crate::types::{FunctionType, RecordId, Type};

use super::Elaborator;
use super::compatible_types::{renumbered, renumbered_function};
use super::refused::Symbol;

/// The new numbers, by the old ones. What is not listed keeps its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub(super) records: Vec<RecordId>,
    pub(super) variables: Vec<VarId>,
    pub(super) functions: Vec<FunctionId>,
    /// The types of enumerations that were incomplete structures before their definition.
    pub(super) enumerations: BTreeMap<RecordId, Type>,
}

impl Numbers {
    pub(super) fn record(&self, id: RecordId) -> RecordId {
        self.records.get(id.0 as usize).copied().unwrap_or(id)
    }

    pub(super) fn variable(&self, id: VarId) -> VarId {
        self.variables.get(id.0 as usize).copied().unwrap_or(id)
    }

    pub(super) fn function(&self, id: FunctionId) -> FunctionId {
        self.functions.get(id.0 as usize).copied().unwrap_or(id)
    }

    pub(super) fn symbol(&self, symbol: Symbol) -> Symbol {
        match symbol {
            Symbol::Variable(id) => Symbol::Variable(self.variable(id)),
            Symbol::Function(id) => Symbol::Function(self.function(id)),
        }
    }

    fn changes_types(&self) -> bool {
        !self.records.is_empty() || !self.enumerations.is_empty()
    }

    fn type_of(&self, id: RecordId) -> Type {
        let enumeration = self.enumerations.get(&id).cloned();
        enumeration.unwrap_or_else(|| Type::Record(self.record(id)))
    }

    pub(super) fn change_type(&self, ty: &mut Type) {
        if self.changes_types() && !matches!(ty, Type::Int(_) | Type::Float(_)) {
            *ty = renumbered(ty, &|id| self.type_of(id));
        }
    }

    fn change_function_type(&self, ty: &mut FunctionType) {
        if self.changes_types() {
            *ty = renumbered_function(ty, &|id| self.type_of(id));
        }
    }
}

impl Change for &Numbers {
    fn expr(&mut self, node: &mut Expr) {
        self.change_type(&mut node.ty);
        if let ExprKind::Function(id) = &mut node.kind {
            *id = self.function(*id);
        }
    }

    fn statement(&mut self, node: &mut Stmt) {
        match &mut node.kind {
            StmtKind::Declare(id) | StmtKind::Begin(id) | StmtKind::End(id) => {
                *id = self.variable(*id);
            }
            StmtKind::Call { callee, .. } => match callee {
                Callee::Function(id) => *id = self.function(*id),
                Callee::Pointer(_, ty) => self.change_function_type(ty),
            },
            _ => {}
        }
    }

    fn place(&mut self, node: &mut Place) {
        self.change_type(&mut node.ty);
        if let Base::Variable(id) = &mut node.base {
            *id = self.variable(*id);
        }
        for step in &mut node.path {
            if let Step::Field(id, _) = step {
                *id = self.record(*id);
            }
        }
    }
}

impl Elaborator {
    /// Gives everything its new number.
    pub(super) fn renumber(&mut self, numbers: &Numbers) {
        for record in &mut self.program.records {
            for field in record.fields.iter_mut().flatten() {
                numbers.change_type(&mut field.ty);
            }
        }
        let mut change = numbers;
        for variable in &mut self.program.variables {
            numbers.change_type(&mut variable.ty);
            if let Storage::Static {
                initial: Initial::Values(values),
                ..
            } = &mut variable.storage
            {
                for (_, value) in values {
                    change::expr(&mut change, value);
                }
            }
        }
        for function in &mut self.program.functions {
            numbers.change_function_type(&mut function.ty);
            change::statements(
                &mut change,
                function.body.as_deref_mut().unwrap_or_default(),
            );
        }
        self.pairs.renumber(numbers);
        if let Some(ty) = &mut self.va_list {
            numbers.change_type(ty);
        }
        let known = self.volatile_records.iter();
        self.volatile_records = known.map(|id| numbers.record(*id)).collect();
        let originals = self.without_elements.iter();
        self.without_elements = originals
            .map(|(id, original)| (numbers.record(*id), numbers.record(*original)))
            .collect();
        self.volatile = self
            .volatile
            .iter()
            .map(|id| numbers.variable(*id))
            .collect();
        self.symbols.renumber(numbers);
    }
}
