//! Rules that concern several declarations at once: ids of statements, assumption variables, datatypes without values.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::Id;
use crate::hir::visit::{self, Visit};
use crate::hir::well_founded::without_values;
use crate::hir::{
    Attribute, AttributeArgument, Condition, Expr, ExprKind, Implementation, NaryOp, Program, Stmt,
    StmtKind, Type, VarRef,
};
use crate::resolve::message::{Message, Place};
use crate::span::Span;

/// Reports what breaks the rules. The places in the program are those of the text.
pub(super) fn check(program: &Program, messages: &mut Vec<Message>) {
    for number in without_values(&program.background.datatypes) {
        let Some(datatype) = program.background.datatypes.get(number) else {
            continue;
        };
        let message = Message::error(
            Id::EMPTY_DATATYPE,
            format!("the datatype `{}` has no values", datatype.name),
            place(datatype.span),
            "to make a value of it one needs a value of it",
        );
        messages.push(message.with_help("add a constructor whose fields can be had without one"));
    }
    let mut rules = Rules {
        program,
        messages,
        body: None,
        ids: HashMap::new(),
        assigned: HashSet::new(),
    };
    for global in &program.globals {
        let is_restricted = global.where_clause.is_some();
        rules.declared(&global.attributes, &global.ty, is_restricted, global.span);
    }
    for implementation in &program.implementations {
        rules.body = Some(implementation);
        rules
            .assigned
            .retain(|var| matches!(var, VarRef::Global(_)));
        for local in &implementation.locals {
            let is_restricted = local.where_clause.is_some();
            rules.declared(&local.attributes, &local.ty, is_restricted, local.span);
        }
        for stmt in &implementation.body {
            rules.visit_stmt(stmt);
        }
    }
}

/// A place of the whole text: there is no declaration with this number, so it counts from the start.
fn place(span: Span) -> Place {
    Place {
        item: u32::MAX,
        span,
    }
}

struct Rules<'p, 'm> {
    program: &'p Program,
    messages: &'m mut Vec<Message>,
    /// The body at hand.
    body: Option<&'p Implementation>,
    /// The ids of statements so far.
    ids: HashMap<&'p str, Span>,
    /// Assumption variables that were assigned to.
    assigned: HashSet<VarRef>,
}

impl<'p> Rules<'p, '_> {
    fn declared(&mut self, attributes: &[Attribute], ty: &Type, is_restricted: bool, span: Span) {
        if !is_assumption(attributes) {
            return;
        }
        if is_restricted {
            self.misused("an assumption variable has no where clause", span);
        }
        if !matches!(ty, Type::Bool | Type::Error) {
            self.misused("an assumption variable is of type `bool`", span);
        }
    }

    fn misused(&mut self, text: impl Into<String>, span: Span) {
        let label = "not as it is for a variable with `{:assumption}`";
        self.messages.push(Message::error(
            Id::ASSUMPTION_VARIABLE,
            text,
            place(span),
            label,
        ));
    }

    /// The name of a variable if it is an assumption variable.
    fn assumption(&self, var: VarRef) -> Option<&'p str> {
        let (name, attributes) = match var {
            VarRef::Global(id) => {
                let global = self.program.globals.get(id.index())?;
                (&global.name, &global.attributes)
            }
            VarRef::Local(id) => {
                let local = self.body?.variable(id)?;
                (&local.name, &local.attributes)
            }
            _ => return None,
        };
        is_assumption(attributes).then_some(name)
    }

    fn assigned(&mut self, var: VarRef, value: &Expr, span: Span) {
        let Some(name) = self.assumption(var) else {
            return;
        };
        let is_stronger = match &value.kind {
            ExprKind::Nary(op, args) => {
                *op == NaryOp::And && args.first().is_some_and(|a| a.kind == ExprKind::Var(var))
            }
            ExprKind::Error => true,
            _ => false,
        };
        if !is_stronger {
            let text = format!("what is assigned to `{name}` must be `{name} && ...`");
            self.misused(text, span);
        } else if !self.assigned.insert(var) {
            self.misused(format!("`{name}` is assigned to more than once"), span);
        }
    }

    fn identified(&mut self, attributes: &'p [Attribute], span: Span) {
        for attribute in attributes.iter().filter(|a| a.name == "id") {
            let Some(AttributeArgument::String(id)) = attribute.args.first() else {
                continue;
            };
            if let Some(first) = self.ids.insert(id, span) {
                let message = Message::error(
                    Id::STATEMENT_ID,
                    format!("there are two statements with the id `{id}`"),
                    place(span),
                    "the second one",
                );
                self.messages
                    .push(message.with_label(place(first), "the first one"));
            }
        }
    }
}

impl<'p> Visit<'p> for Rules<'p, '_> {
    fn visit_stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Assert { attributes, .. }
            | StmtKind::Assume { attributes, .. }
            | StmtKind::Call { attributes, .. } => self.identified(attributes, stmt.span),
            StmtKind::Assign { pairs } => {
                for (var, value) in pairs {
                    self.assigned(*var, value, stmt.span);
                }
            }
            _ => {}
        }
        visit::walk_stmt(self, stmt);
    }

    fn visit_condition(&mut self, condition: &'p Condition) {
        self.identified(&condition.attributes, condition.span);
    }

    fn visit_expr(&mut self, _: &'p Expr) {}
}

/// Whether a variable is declared as an assumption variable.
fn is_assumption(attributes: &[Attribute]) -> bool {
    let is_off = |argument: &AttributeArgument| matches!(argument, AttributeArgument::Expr(e) if e.kind == ExprKind::Bool(false));
    attributes
        .iter()
        .any(|a| a.name == "assumption" && !a.args.iter().any(is_off))
}
