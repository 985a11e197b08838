//! Constant propagation into sizes: what functions of the library are given is computed where it is constant.
//!
//! `size_t part = 3; memcpy(to, from, part);` copies as many bytes as `memcpy(to, from, 3)`, and where a size or a distance
//! is known, what is copied, set or allocated is known much more exactly. So local variables that have one value all their
//! life are replaced by it in the arguments of functions that the program does not define.
//!
//! Such a variable is given a constant where it is declared and nothing afterwards, its address is not taken, it is not
//! volatile, and every way to where it is read leads over its declaration: it is read behind that in its block, and no jump
//! leads there from somewhere else.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use ult_lang::stack::ensure_stack;

use crate::ir::change::{self, Change};
use crate::ir::visit::{self, Visit};
use crate::ir::{Base, Callee, Expr, ExprKind, FunctionId, LabelId, Place, Stmt, StmtKind, VarId};
use crate::types::{Layout, Type};

use super::{Elaborator, fold, int};

impl Elaborator {
    /// Computes the arguments of calls that are constant once the values of such variables are put in their place. Called
    /// while functions of the library have no definition yet.
    pub(super) fn use_settled_values(&mut self) {
        let mut survey = Survey::new(&self.volatile);
        for function in &self.program.functions {
            survey.function(function.body.as_deref().unwrap_or_default());
        }
        let Survey {
            mut given, other, ..
        } = survey;
        given.retain(|id, _| !other.contains(id));
        if given.is_empty() {
            return;
        }
        let program = &mut self.program;
        let defined = (0..).zip(&program.functions);
        let defined = defined.filter(|(_, function)| function.body.is_some());
        let mut calls = Calls {
            defined: defined.map(|(number, _)| FunctionId(number)).collect(),
            settle: Settle {
                values: given,
                layout: Layout {
                    model: program.model,
                    records: &program.records,
                },
            },
        };
        for function in &mut program.functions {
            change::statements(&mut calls, function.body.as_deref_mut().unwrap_or_default());
        }
    }
}

/// What happens to local variables.
struct Survey<'e> {
    volatile: &'e HashSet<VarId>,
    /// The constants that they are given where they are declared.
    given: HashMap<VarId, i128>,
    /// Those that something else happens to.
    other: HashSet<VarId>,
    /// How many statements came before.
    now: usize,
    /// In the function of the moment, the part behind the declaration, as far as its block goes.
    scopes: HashMap<VarId, Range<usize>>,
    /// Where its labels are.
    labels: HashMap<LabelId, usize>,
    /// Where its jumps are, and where they lead.
    jumps: Vec<(usize, LabelId)>,
}

impl<'e> Survey<'e> {
    fn new(volatile: &'e HashSet<VarId>) -> Survey<'e> {
        Survey {
            volatile,
            given: HashMap::new(),
            other: HashSet::new(),
            now: 0,
            scopes: HashMap::new(),
            labels: HashMap::new(),
            jumps: Vec::new(),
        }
    }

    /// All statements of a function.
    fn function(&mut self, body: &[Stmt]) {
        self.statements(body);
        let labels = std::mem::take(&mut self.labels);
        for (from, label) in std::mem::take(&mut self.jumps) {
            let to = labels.get(&label);
            let passed = |scope: &Range<usize>| {
                to.is_none_or(|to| scope.contains(to)) && !scope.contains(&from)
            };
            let scopes = self.scopes.iter();
            let passed = scopes.filter(|(_, scope)| passed(scope));
            self.other.extend(passed.map(|(id, _)| *id));
        }
        self.scopes.clear();
    }

    /// If the first two statements declare a variable and give it a constant: both.
    fn settled(&self, nodes: &[Stmt]) -> Option<(VarId, i128)> {
        let [declaration, assignment, ..] = nodes else {
            return None;
        };
        match (&declaration.kind, &assignment.kind) {
            (StmtKind::Declare(declared), StmtKind::Assign(place, value)) => {
                let id = place.whole().filter(|id| id == declared)?;
                let is_integer = matches!(place.ty, Type::Int(_) | Type::Bool);
                match value.kind {
                    ExprKind::Int(number) if is_integer && !self.volatile.contains(&id) => {
                        Some((id, number))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Something is written, or may be.
    fn changed(&mut self, place: &Place) {
        if let Base::Variable(id) = place.base {
            self.other.insert(id);
        }
    }
}

impl Visit for Survey<'_> {
    fn statements(&mut self, nodes: &[Stmt]) {
        let mut declared = Vec::new();
        let mut rest = nodes;
        while let [first, behind @ ..] = rest {
            self.now += 1;
            match self.settled(rest) {
                // What is declared twice, the second time perhaps by a jump, is left alone.
                Some((id, number)) if self.given.insert(id, number).is_none() => {
                    self.scopes.insert(id, self.now..usize::MAX);
                    declared.push(id);
                    rest = &behind[1..];
                }
                _ => {
                    ensure_stack(|| self.statement(first));
                    rest = behind;
                }
            }
        }
        self.now += 1;
        for id in declared {
            if let Some(scope) = self.scopes.get_mut(&id) {
                scope.end = self.now;
            }
        }
    }

    fn statement(&mut self, node: &Stmt) {
        match &node.kind {
            StmtKind::Declare(id) | StmtKind::Begin(id) => {
                self.other.insert(*id);
            }
            StmtKind::Assign(place, _) | StmtKind::Zero(place) => self.changed(place),
            StmtKind::Call {
                result: Some(place),
                ..
            } => self.changed(place),
            StmtKind::Label(label) => {
                self.labels.insert(*label, self.now);
            }
            StmtKind::Goto(label) => self.jumps.push((self.now, *label)),
            _ => {}
        }
        visit::statement(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::Address(place) => self.changed(place),
            ExprKind::Read(place) => {
                if let Base::Variable(id) = place.base {
                    let scope = self.scopes.get(&id);
                    if !scope.is_some_and(|scope| scope.contains(&self.now)) {
                        self.other.insert(id);
                    }
                }
            }
            _ => {}
        }
        visit::expr(self, node);
    }
}

/// Changes what functions that are not defined are given.
struct Calls<'e> {
    defined: HashSet<FunctionId>,
    settle: Settle<'e>,
}

impl Change for Calls<'_> {
    fn expr(&mut self, _: &mut Expr) {}

    fn statement(&mut self, node: &mut Stmt) {
        if let StmtKind::Call {
            callee: Callee::Function(function),
            args,
            ..
        } = &mut node.kind
            && !self.defined.contains(function)
        {
            for argument in args {
                change::expr(&mut self.settle, argument);
            }
        }
    }
}

/// Puts values in the place of variables.
struct Settle<'e> {
    values: HashMap<VarId, i128>,
    layout: Layout<'e>,
}

impl Change for Settle<'_> {
    fn expr(&mut self, node: &mut Expr) {
        let (ty, span) = (&node.ty, node.span);
        let computed = match &node.kind {
            ExprKind::Read(place) => {
                let value = place.whole().and_then(|id| self.values.get(&id));
                value.map(|&value| int(value, ty.clone(), span))
            }
            ExprKind::Convert(operand) => fold::convert(operand, ty, self.layout),
            ExprKind::Unary(op, operand) => {
                let kind = fold::unary(*op, operand);
                kind.map(|kind| Expr {
                    kind,
                    ty: ty.clone(),
                    span,
                })
            }
            ExprKind::Binary(op, left, right) => {
                fold::binary(*op, left, right).map(|value| int(value, ty.clone(), span))
            }
            ExprKind::Compare(op, left, right) => fold::compare(*op, left, right)
                .map(|truth| int(i128::from(truth), ty.clone(), span)),
            _ => None,
        };
        if let Some(computed) = computed {
            *node = Expr { span, ..computed };
        }
    }
}
