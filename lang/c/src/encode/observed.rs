//! Of which answers more matters than their sign.
//!
//! What `isalpha` or `strcmp` give is open but for their sign, and the same for the same arguments. That takes a map of all
//! answers, which makes proofs harder; where programs only ask for the sign, as most do, an arbitrary answer is as good.

use std::collections::{BTreeMap, BTreeSet};

use super::Encoder;
use crate::functions::SAME;
use crate::ir::visit::{self, Visit};
use crate::ir::{
    Base, Callee, CompareOp, Expr, ExprKind, Function, FunctionId, Origin, Place, Program, Stmt,
    StmtKind, Storage, VarId,
};
use crate::types::Type;

/// Whether a program may look at more than the sign of what a function `__ult_same_NAME` gives.
pub(super) fn observes(enc: &mut Encoder<'_>, function: &str) -> bool {
    let program = enc.program;
    let observed = &mut enc.observed;
    observed
        .get_or_insert_with(|| all(program))
        .contains(function)
}

/// The functions `__ult_same_NAME` of which more than the sign matters.
fn all(program: &Program) -> BTreeSet<String> {
    let mut uses = Uses::of(program);
    for (function, index) in program.functions.iter().zip(0..) {
        uses.me = FunctionId(index);
        uses.statements(function.body.as_deref().unwrap_or_default());
    }
    for variable in &program.variables {
        for value in variable.initial_values() {
            uses.expr(value);
        }
    }
    uses.follow_copies();
    let names = program.functions.iter().map(|function| &function.name);
    let names: BTreeSet<&String> = names.filter(|name| name.starts_with(SAME)).collect();
    let is_observed = |name: &&String| uses.reach(name).iter().any(|id| uses.is_observed(*id));
    names.into_iter().filter(is_observed).cloned().collect()
}

/// What is done with values.
struct Uses<'p> {
    program: &'p Program,
    me: FunctionId,
    /// Who calls whom, within the library.
    callers: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// Where programs put results.
    results: BTreeMap<FunctionId, Vec<Option<VarId>>>,
    /// Functions whose addresses are taken.
    addressed: BTreeSet<FunctionId>,
    /// Variables of which more than the sign is read.
    looked_at: BTreeSet<VarId>,
    /// From which variable which others are copied.
    copies: BTreeMap<VarId, BTreeSet<VarId>>,
}

impl<'p> Uses<'p> {
    fn of(program: &'p Program) -> Self {
        Uses {
            program,
            me: FunctionId(0),
            callers: BTreeMap::new(),
            results: BTreeMap::new(),
            addressed: BTreeSet::new(),
            looked_at: BTreeSet::new(),
            copies: BTreeMap::new(),
        }
    }

    fn function(&self, id: FunctionId) -> &'p Function {
        self.program.function(id)
    }

    /// The variable that gets a value and of which all reads are seen.
    fn local(&self, place: &Place) -> Option<VarId> {
        let id = place.whole()?;
        let storage = &self.program.variable(id).storage;
        matches!(storage, Storage::Automatic { .. }).then_some(id)
    }

    /// A value of which only the sign matters here.
    fn sign(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::Read(place) if self.local(place).is_some() => {}
            // No bit is lost.
            ExprKind::Convert(operand) if is_as_wide(&node.ty, &operand.ty) => self.sign(operand),
            _ => self.expr(node),
        }
    }

    /// More than the sign of what is copied matters where it does for the copy.
    fn follow_copies(&mut self) {
        loop {
            let copies = self.copies.iter();
            let more: Vec<VarId> = copies
                .filter(|(from, _)| !self.looked_at.contains(from))
                .filter(|(_, to)| !to.is_disjoint(&self.looked_at))
                .map(|(from, _)| *from)
                .collect();
            if more.is_empty() {
                return;
            }
            self.looked_at.extend(more);
        }
    }

    /// The functions of the library whose answers may come from a function.
    fn reach(&self, name: &str) -> BTreeSet<FunctionId> {
        let all = self.program.functions.iter().zip(0..);
        let mut work: Vec<FunctionId> = all
            .filter(|(function, _)| function.name == name)
            .map(|(_, index)| FunctionId(index))
            .collect();
        let mut found: BTreeSet<FunctionId> = work.iter().copied().collect();
        while let Some(id) = work.pop() {
            for &caller in self.callers.get(&id).into_iter().flatten() {
                if found.insert(caller) {
                    work.push(caller);
                }
            }
        }
        found
    }

    fn is_observed(&self, id: FunctionId) -> bool {
        let is_looked_at =
            |result: &Option<VarId>| result.is_none_or(|id| self.looked_at.contains(&id));
        self.addressed.contains(&id)
            || (self.results.get(&id)).is_some_and(|results| results.iter().any(is_looked_at))
    }
}

impl Visit for Uses<'_> {
    fn statement(&mut self, node: &Stmt) {
        match &node.kind {
            StmtKind::Call {
                callee: Callee::Function(id),
                args,
                result,
            } => {
                if self.function(self.me).origin == Origin::Library {
                    self.callers.entry(*id).or_default().insert(self.me);
                } else if let Some(place) = result {
                    let local = self.local(place);
                    self.results.entry(*id).or_default().push(local);
                }
                for arg in args {
                    self.expr(arg);
                }
                if let Some(place) = result {
                    visit::place(self, place);
                }
            }
            StmtKind::Assign(place, value) => {
                let from = match &value.kind {
                    ExprKind::Read(from) => self.local(from),
                    _ => None,
                };
                match (from, self.local(place)) {
                    (Some(from), Some(to)) => {
                        self.copies.entry(from).or_default().insert(to);
                    }
                    _ => self.expr(value),
                }
                visit::place(self, place);
            }
            StmtKind::If(condition, yes, no) => {
                self.sign(condition);
                self.statements(yes);
                self.statements(no);
            }
            StmtKind::Evaluate(value) => self.sign(value),
            _ => visit::statement(self, node),
        }
    }

    fn place(&mut self, node: &Place) {
        if let Base::Variable(id) = &node.base {
            self.looked_at.insert(*id);
        }
        visit::place(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::Function(id) => {
                self.addressed.insert(*id);
            }
            ExprKind::Compare(op, left, right) if is_zero(right) && is_about_sign(*op, left) => {
                self.sign(left);
            }
            ExprKind::Compare(op, left, right) if is_zero(left) && is_about_sign(*op, right) => {
                self.sign(right);
            }
            ExprKind::Not(operand) => self.sign(operand),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.sign(left);
                self.sign(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.sign(condition);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Convert(operand) if node.ty == Type::Bool => self.sign(operand),
            _ => visit::expr(self, node),
        }
    }
}

/// Whether a comparison with zero tells no more than the sign.
fn is_about_sign(op: CompareOp, operand: &Expr) -> bool {
    matches!(op, CompareOp::Equal | CompareOp::NotEqual) || operand.ty.integer().is_some()
}

/// Whether no bit of an integer is lost.
fn is_as_wide(to: &Type, from: &Type) -> bool {
    match (to.integer(), from.integer()) {
        (Some(to), Some(from)) => to.bits >= from.bits,
        _ => false,
    }
}

fn is_zero(node: &Expr) -> bool {
    match &node.kind {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Convert(operand) => node.ty.integer().is_some() && is_zero(operand),
        _ => false,
    }
}
