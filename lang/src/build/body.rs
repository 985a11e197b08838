//! The body of a procedure under construction.
//!
//! Statements are written one behind the other; what opens a block (`begin_if`, `begin_loop`) is closed by `end`. All
//! that is written comes from the place that was named last.

use std::collections::{BTreeSet, HashMap};

use super::{Misfit, Term, Variable};
use crate::hir::{
    self, Attribute, AttributeArgument, BlockId, ExprKind, GlobalId, Label, LabelId, LocalId,
    ProcedureId, Stmt, StmtKind, Type, VarRef,
};
use crate::span::Span;

/// An attribute with one text, such as `{:msg "text"}`.
pub fn attribute(name: &str, text: &str, span: Span) -> Attribute {
    Attribute {
        name: name.to_owned(),
        args: vec![AttributeArgument::String(text.to_owned())],
        span,
    }
}

/// A block that is not closed yet.
#[derive(Debug)]
enum Open {
    If {
        condition: hir::Expr,
        span: Span,
        id: BlockId,
        /// The first branch, once the second one has begun.
        then: Option<Vec<Stmt>>,
    },
    Loop {
        span: Span,
        id: BlockId,
    },
}

/// The body of a procedure under construction.
#[derive(Debug)]
pub struct BodyBuilder {
    /// In-parameters, out-parameters and locals, in this order.
    variables: Vec<Variable>,
    /// How many of them are parameters.
    parameters: usize,
    names: HashMap<String, LocalId>,
    labels: Vec<Label>,
    label_names: HashMap<String, LabelId>,
    blocks: u32,
    open: Vec<(Open, Vec<Stmt>)>,
    statements: Vec<Stmt>,
    span: Span,
    writes: BTreeSet<GlobalId>,
    calls: BTreeSet<ProcedureId>,
    misfit: Option<Misfit>,
}

/// A body that is done.
pub(super) struct Done {
    pub variables: Vec<Variable>,
    pub labels: Vec<Label>,
    pub statements: Vec<Stmt>,
    pub writes: BTreeSet<GlobalId>,
    pub calls: BTreeSet<ProcedureId>,
}

impl BodyBuilder {
    /// The empty body of a procedure with these parameters, the ins before the outs.
    pub fn new(parameters: impl IntoIterator<Item = Variable>) -> BodyBuilder {
        let mut body = BodyBuilder {
            variables: Vec::new(),
            parameters: 0,
            names: HashMap::new(),
            labels: Vec::new(),
            label_names: HashMap::new(),
            blocks: 0,
            open: Vec::new(),
            statements: Vec::new(),
            span: Span::default(),
            writes: BTreeSet::new(),
            calls: BTreeSet::new(),
            misfit: None,
        };
        for parameter in parameters {
            body.local(parameter.name, parameter.ty);
        }
        body.parameters = body.variables.len();
        body
    }

    /// What follows comes from this place.
    pub fn at(&mut self, span: Span) {
        self.span = span;
    }

    /// Where what is written now comes from.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Declares a local variable. Its name must be new.
    pub fn local(&mut self, name: impl Into<String>, ty: Type) -> Term {
        let name = name.into();
        let id = LocalId::new(self.variables.len());
        if self.names.insert(name.clone(), id).is_some() {
            self.mistake(format!("two variables `{name}`"));
        }
        self.variables.push(Variable {
            name,
            ty: ty.clone(),
        });
        Term::variable(VarRef::Local(id), ty)
    }

    /// The local variable or parameter of this name.
    pub fn find(&self, name: &str) -> Option<Term> {
        let id = *self.names.get(name)?;
        let ty = self.variables.get(id.index())?.ty.clone();
        Some(Term::variable(VarRef::Local(id), ty))
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    fn mistake(&mut self, what: impl Into<String>) {
        self.misfit.get_or_insert(Misfit(what.into()));
    }

    fn expr(&mut self, term: &Term, ty: &Type) -> hir::Expr {
        match term.expr(self.span) {
            Ok(expr) if expr.ty == *ty => expr,
            Ok(expr) => {
                self.mistake(format!("{:?} where {ty:?} is wanted", expr.ty));
                hir::Expr::error(self.span)
            }
            Err(what) => {
                self.mistake(what);
                hir::Expr::error(self.span)
            }
        }
    }

    fn push(&mut self, kind: StmtKind) {
        self.statements.push(Stmt::new(kind, self.span));
    }

    fn written(&mut self, variable: VarRef) {
        if let VarRef::Global(id) = variable {
            self.writes.insert(id);
        }
    }

    /// The variable that an assignment to a place changes, and its new value: `m[i] := e` is `m := m[i := e]`.
    fn changed(&mut self, place: &Term, value: &Term) -> Option<(VarRef, hir::Expr)> {
        let (mut place, mut value) = (place.clone(), value.clone());
        while let Some((map, indices)) = place.as_element() {
            value = map.store(indices, &value);
            place = map.clone();
        }
        let Some(variable) = place.as_variable() else {
            self.mistake("an assignment to what is no variable");
            return None;
        };
        let value = self.expr(&value, place.ty());
        self.written(variable);
        Some((variable, value))
    }

    /// `place := value`: to a variable, or to an element of a map.
    pub fn assign(&mut self, place: &Term, value: &Term) {
        self.assign_all(std::iter::once((place, value)));
    }

    /// Assignments at once: all values are those before.
    pub fn assign_all<'t>(&mut self, pairs: impl IntoIterator<Item = (&'t Term, &'t Term)>) {
        let mut done: Vec<(VarRef, hir::Expr)> = Vec::new();
        for (place, value) in pairs {
            if let Some((variable, value)) = self.changed(place, value) {
                if done.iter().any(|(other, _)| *other == variable) {
                    self.mistake("two assignments to one variable at once");
                }
                done.push((variable, value));
            }
        }
        if !done.is_empty() {
            self.push(StmtKind::Assign { pairs: done });
        }
    }

    /// `havoc variable;`
    pub fn havoc(&mut self, variable: &Term) {
        self.havoc_all(std::slice::from_ref(variable));
    }

    /// `havoc a, b;`: one step.
    pub fn havoc_all(&mut self, variables: &[Term]) {
        let found: Option<Vec<_>> = variables.iter().map(Term::as_variable).collect();
        let Some(variables) = found else {
            self.mistake("havoc of what is no variable");
            return;
        };
        for &variable in &variables {
            self.written(variable);
        }
        self.push(StmtKind::Havoc(variables));
    }

    /// `assume {:attribute} condition;`
    pub fn assume(&mut self, condition: &Term, attributes: Vec<Attribute>) {
        let condition = self.expr(condition, &Type::Bool);
        self.push(StmtKind::Assume {
            condition,
            attributes,
        });
    }

    /// `assert {:attribute} condition;`
    pub fn assert(&mut self, condition: &Term, attributes: Vec<Attribute>) {
        let condition = self.expr(condition, &Type::Bool);
        self.push(StmtKind::Assert {
            condition,
            attributes,
        });
    }

    fn block(&mut self) -> BlockId {
        self.blocks += 1;
        BlockId(self.blocks - 1)
    }

    fn begin(&mut self, open: Open) {
        let before = std::mem::take(&mut self.statements);
        self.open.push((open, before));
    }

    /// `if (condition) {`
    pub fn begin_if(&mut self, condition: &Term) {
        let condition = self.expr(condition, &Type::Bool);
        let (span, id) = (self.span, self.block());
        self.begin(Open::If {
            condition,
            span,
            id,
            then: None,
        });
    }

    /// `} else {`
    pub fn begin_else(&mut self) {
        match self.open.last_mut() {
            Some((Open::If { then, .. }, _)) if then.is_none() => {
                *then = Some(std::mem::take(&mut self.statements));
            }
            _ => self.mistake("else without if"),
        }
    }

    /// `while (true) {`
    pub fn begin_loop(&mut self) {
        let (span, id) = (self.span, self.block());
        self.begin(Open::Loop { span, id });
    }

    /// `}`
    pub fn end(&mut self) {
        let Some((open, before)) = self.open.pop() else {
            self.mistake("an end without a beginning");
            return;
        };
        let last = std::mem::replace(&mut self.statements, before);
        let (kind, span) = match open {
            Open::If {
                condition,
                span,
                id,
                then,
            } => {
                let (then, otherwise) = match then {
                    Some(then) => (then, last),
                    None => (last, Vec::new()),
                };
                let condition = Some(condition);
                let kind = StmtKind::If {
                    id,
                    condition,
                    then,
                    otherwise,
                };
                (kind, span)
            }
            Open::Loop { span, id } => {
                let condition = hir::Expr::new(ExprKind::Bool(true), Type::Bool, span);
                let kind = StmtKind::While {
                    id,
                    condition: Some(condition),
                    invariants: Vec::new(),
                    body: last,
                };
                (kind, span)
            }
        };
        self.statements.push(Stmt::new(kind, span));
    }

    /// `break;` out of the innermost loop.
    pub fn leave_loop(&mut self) {
        let innermost = self.open.iter().rev().find_map(|(open, _)| match open {
            Open::Loop { id, .. } => Some(*id),
            Open::If { .. } => None,
        });
        match innermost {
            Some(id) => self.push(StmtKind::Break(id)),
            None => self.mistake("break without a loop"),
        }
    }

    fn label_id(&mut self, name: &str) -> LabelId {
        if let Some(id) = self.label_names.get(name) {
            return *id;
        }
        let id = LabelId::new(self.labels.len());
        self.labels.push(Label {
            name: name.to_owned(),
            span: self.span,
        });
        self.label_names.insert(name.to_owned(), id);
        id
    }

    /// `name:`
    pub fn label(&mut self, name: &str) {
        let id = self.label_id(name);
        if let Some(label) = self.labels.get_mut(id.index()) {
            label.span = self.span;
        }
        self.push(StmtKind::Label(id));
    }

    /// `goto name;`
    pub fn goto(&mut self, name: &str) {
        let id = self.label_id(name);
        self.push(StmtKind::Goto(vec![id]));
    }

    /// `return;`
    pub fn give_back(&mut self) {
        self.push(StmtKind::Return);
    }

    /// `call results := callee(args);` The types are looked at when the program is finished.
    pub fn call(&mut self, callee: ProcedureId, args: &[Term], results: &[Term]) {
        let args = args
            .iter()
            .map(|arg| self.expr(arg, &arg.ty().clone()))
            .collect();
        let mut variables = Vec::new();
        for result in results {
            match result.as_variable() {
                Some(variable) => {
                    self.written(variable);
                    variables.push(variable);
                }
                None => self.mistake("the result of a call that is no variable"),
            }
        }
        self.calls.insert(callee);
        self.push(StmtKind::Call {
            callee,
            type_args: Vec::new(),
            args,
            results: variables,
            free: false,
            attributes: Vec::new(),
        });
    }

    pub(super) fn parameters(&self) -> &[Variable] {
        self.variables.get(..self.parameters).unwrap_or_default()
    }

    pub(super) fn done(mut self) -> Result<Done, Misfit> {
        if !self.open.is_empty() {
            self.mistake("a beginning without an end");
        }
        match self.misfit {
            Some(misfit) => Err(misfit),
            None => Ok(Done {
                variables: self.variables,
                labels: self.labels,
                statements: self.statements,
                writes: self.writes,
                calls: self.calls,
            }),
        }
    }
}
