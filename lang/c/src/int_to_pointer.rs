//! Integers in which addresses travel.
//!
//! Old programs keep pointers in integers: `int p = malloc(n); ... *(char *)p`. What an address is as a number is not known
//! (`encode/address.rs`), so the pointer would be lost on the way. A variable that has the size of a pointer, and that is never
//! given anything but whole addresses, zero, and numbers near the end of the address space (which stand for errors), becomes a
//! variable of type `void *` here. Whoever reads it as a number gets the address of that pointer as before; whoever makes a pointer
//! of it gets the pointer back, as C promises of integers that hold addresses (C11 7.20.1.4).
//!
//! The points-to analysis and its checker see the changed program, so that they need no rule of their own for this.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ir::change::{self, Change};
use crate::ir::visit::{self, Visit};
use crate::ir::{Base, Expr, ExprKind, Initial, Place, Program, Stmt, StmtKind, Storage, VarId};
use crate::types::Type;

/// Numbers from here to zero are no addresses of objects.
const LOWEST_ERROR: i128 = -4095;

/// Makes pointers of the variables in which nothing but addresses travel.
pub(crate) fn carry_pointers(program: &mut Program) {
    let carriers = carriers(program);
    if carriers.is_empty() {
        return;
    }
    let mut rewriter = Rewriter {
        types: BTreeMap::new(),
    };
    for &id in &carriers {
        let variable = &mut program.variables[id.0 as usize];
        let before = std::mem::replace(&mut variable.ty, pointer_type());
        rewriter.types.insert(id, before);
    }
    for function in &mut program.functions {
        if let Some(body) = &mut function.body {
            change::statements(&mut rewriter, body);
        }
    }
}

fn pointer_type() -> Type {
    Type::Pointer(Arc::new(Type::Void))
}

/// What a variable may be given.
#[derive(Debug, PartialEq, Eq)]
enum Source {
    /// A whole address.
    Address,
    /// Zero, or a number that is no address.
    Nowhere,
    /// What another variable has.
    Variable(VarId),
}

/// The sources of a value, each a whole one; `None` if there is another.
fn sources(value: &Expr, word: u32, found: &mut Vec<Source>) -> Option<()> {
    if value.as_address(word).is_some() {
        found.push(Source::Address);
        return Some(());
    }
    let bits = value.ty.integer().filter(|_| value.ty != Type::Bool)?.bits;
    match &value.kind {
        ExprKind::Int(number) if (LOWEST_ERROR..=0).contains(number) => {
            found.push(Source::Nowhere);
            Some(())
        }
        ExprKind::Read(place) => {
            found.push(Source::Variable(place.whole()?));
            Some(())
        }
        ExprKind::Convert(operand) => {
            let inner = operand.ty.integer().filter(|_| operand.ty != Type::Bool)?;
            // A constant may be converted from another size: its value tells whether it stays what it is.
            let constant = matches!(operand.kind, ExprKind::Int(0));
            (inner.bits == bits || constant).then_some(())?;
            sources(operand, word, found)
        }
        ExprKind::Conditional(_, yes, no) => {
            sources(yes, word, found)?;
            sources(no, word, found)
        }
        _ => None,
    }
}

/// What is known of the variables that are integers of a pointer's size.
struct Survey {
    word: u32,
    /// What each of them is given.
    given: BTreeMap<VarId, Vec<Source>>,
    /// Those that are made pointers of.
    wanted: BTreeSet<VarId>,
    /// Those that something else happens to.
    other: BTreeSet<VarId>,
}

impl Visit for Survey {
    fn statement(&mut self, node: &Stmt) {
        match &node.kind {
            StmtKind::Assign(place, value) => {
                if let Some(id) = place.whole() {
                    let mut found = Vec::new();
                    match sources(value, self.word, &mut found) {
                        Some(()) => self.given.entry(id).or_default().extend(found),
                        None => {
                            self.other.insert(id);
                        }
                    }
                }
            }
            // What a call returns is a number.
            StmtKind::Call { result, .. } => {
                self.other.extend(result.as_ref().and_then(Place::whole))
            }
            _ => {}
        }
        visit::statement(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        match &node.kind {
            // It may be written as something else.
            ExprKind::Address(place) => {
                if let Base::Variable(id) = place.base {
                    self.other.insert(id);
                }
            }
            ExprKind::Convert(operand) if node.ty.is_pointer() && !operand.ty.is_pointer() => {
                let mut found = Vec::new();
                if sources(operand, self.word, &mut found).is_some() {
                    self.wanted
                        .extend(found.iter().filter_map(|source| match source {
                            Source::Variable(id) => Some(*id),
                            Source::Address | Source::Nowhere => None,
                        }));
                }
            }
            _ => {}
        }
        visit::expr(self, node);
    }
}

/// The variables that carry addresses, and that somebody makes a pointer of.
fn carriers(program: &Program) -> BTreeSet<VarId> {
    let mut survey = Survey {
        word: program.model.word(),
        given: BTreeMap::new(),
        wanted: BTreeSet::new(),
        other: BTreeSet::new(),
    };
    for function in &program.functions {
        if let Some(body) = &function.body {
            survey.statements(body);
        }
    }
    for variable in &program.variables {
        variable
            .initial_values()
            .for_each(|value| survey.expr(value));
    }
    let Survey {
        word,
        given,
        mut wanted,
        other,
    } = survey;
    let mut fit: BTreeSet<VarId> = given
        .keys()
        .filter(|id| !other.contains(id) && may_carry(program, **id, word))
        .copied()
        .collect();
    let from = |id: &VarId| given[id].iter();
    // Who is given what another variable has carries no more than that one.
    loop {
        let unfit: Vec<VarId> = (fit.iter())
            .filter(|id| from(id).any(|s| matches!(s, Source::Variable(v) if !fit.contains(v))))
            .copied()
            .collect();
        if unfit.is_empty() {
            break;
        }
        fit.retain(|id| !unfit.contains(id));
    }
    let mut carrying = BTreeSet::new();
    loop {
        let carries = |s: &Source| match s {
            Source::Address => true,
            Source::Nowhere => false,
            Source::Variable(other) => carrying.contains(other),
        };
        let more: Vec<VarId> = (fit.iter())
            .filter(|id| !carrying.contains(*id) && from(id).any(carries))
            .copied()
            .collect();
        if more.is_empty() {
            break;
        }
        carrying.extend(more);
    }
    // Who is asked for a pointer asks those that it has its value from.
    loop {
        let asked = wanted.intersection(&carrying).flat_map(from);
        let more: Vec<VarId> = asked
            .filter_map(|source| match source {
                Source::Variable(id) if !wanted.contains(id) => Some(*id),
                _ => None,
            })
            .collect();
        if more.is_empty() {
            break;
        }
        wanted.extend(more);
    }
    carrying.intersection(&wanted).copied().collect()
}

/// Whether nobody else writes the variable, and it has room for a pointer and no more.
fn may_carry(program: &Program, id: VarId, word: u32) -> bool {
    let variable = program.variable(id);
    let kept = match &variable.storage {
        Storage::Automatic { parameter, .. } => !parameter,
        Storage::Static { initial, .. } => {
            matches!(initial, Initial::Values(values) if values.is_empty())
        }
    };
    kept && matches!(variable.ty, Type::Int(int) if int.bits == word)
}

/// Gives the variables their new type wherever they occur.
struct Rewriter {
    /// The types that they had.
    types: BTreeMap<VarId, Type>,
}

impl Change for Rewriter {
    /// What is read is the address of the pointer.
    fn expr(&mut self, node: &mut Expr) {
        let ExprKind::Read(place) = &mut node.kind else {
            return;
        };
        let Some(before) = place.whole().and_then(|id| self.types.get(&id)) else {
            return;
        };
        place.ty = pointer_type();
        let read = Expr {
            kind: ExprKind::Read(place.clone()),
            ty: pointer_type(),
            span: node.span,
        };
        *node = Expr {
            kind: ExprKind::Convert(Box::new(read)),
            ty: before.clone(),
            span: node.span,
        };
    }

    /// What is written is a pointer.
    fn statement(&mut self, node: &mut Stmt) {
        let place = match &mut node.kind {
            StmtKind::Assign(place, _) | StmtKind::Zero(place) => place,
            _ => return,
        };
        if !place.whole().is_some_and(|id| self.types.contains_key(&id)) {
            return;
        }
        place.ty = pointer_type();
        if let StmtKind::Assign(_, value) = &mut node.kind {
            *value = as_pointer(value);
        }
    }
}

/// A value of [`sources`] as a pointer.
fn as_pointer(value: &Expr) -> Expr {
    let kind = match &value.kind {
        ExprKind::Int(0) => ExprKind::Int(0),
        ExprKind::Conditional(condition, yes, no) => ExprKind::Conditional(
            condition.clone(),
            Box::new(as_pointer(yes)),
            Box::new(as_pointer(no)),
        ),
        ExprKind::Convert(operand) if matches!(operand.ty, Type::Int(_)) => {
            return as_pointer(operand);
        }
        _ => ExprKind::Convert(Box::new(value.clone())),
    };
    Expr {
        kind,
        ty: pointer_type(),
        span: value.span,
    }
}
