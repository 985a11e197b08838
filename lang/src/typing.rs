//! Types: from the syntax of a declaration to its typed form.
//!
//! Each declaration is checked on its own, given the [`Environment`]. The result has places relative to the
//! declaration and counts bound variables from zero, so that it stays the same wherever the declaration moves to;
//! [`assemble`] puts the results of a text together.
//!
//! A `Checker` walks over the syntax once. Names are resolved on the way; types contain unknowns ([`infer`]) until the
//! formula or statement is complete and `finish` replaces them.

pub mod assemble;
mod assign;
mod attributes;
mod binders;
mod call;
mod code;
mod datatypes;
mod deferred;
mod expr;
mod finish;
pub mod graph;
pub mod infer;
mod item;
mod literal;
mod measures;
mod modifies;
mod operators;
mod rebase;
mod rules;
mod stmt;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::{
    Bound, BoundId, Expr, GlobalId, ProcedureId, Type, TypeParameter, TypeVarId, VarRef,
};
use crate::resolve::declare::type_variable_clash;
use crate::resolve::environment::{Environment, Value};
use crate::resolve::message::{Message, Place};
use crate::resolve::suggest::did_you_mean;
use crate::resolve::types::{self, TypeResolver, TypeScope, is_infer, substitute};
use crate::span::Span;
use deferred::Demand;
use infer::Infer;

pub(crate) use assign::MAX_PATH;
pub use item::{Checked, Contents, check_declaration};
pub(crate) use literal::float_bits;
pub use modifies::Modifies;
pub use rebase::relocate;

/// How many unknown names of one declaration get a suggestion; searching for one looks at all names.
const MAX_SUGGESTIONS: usize = 20;

/// Which variables an expression may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No state at all: axioms, function bodies, pure procedures.
    Stateless,
    /// One state: preconditions, where clauses.
    One,
    /// Also the state at the procedure's entry, by `old`.
    Two,
}

/// What kind of variable a name in scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    In,
    Out,
    Local,
    Parameter,
    Bound,
    Let,
    State,
    EdgeLocal,
    EdgeLet,
}

impl Role {
    fn words(self) -> &'static str {
        match self {
            Role::In => "in-parameter",
            Role::Out => "out-parameter",
            Role::Local => "local variable",
            Role::Parameter => "parameter",
            Role::Bound => "bound variable",
            Role::Let => "let-bound name",
            Role::State => "state variable",
            Role::EdgeLocal => "variable of the edge",
            Role::EdgeLet => "name of a formula",
        }
    }
}

/// A name in scope that is not declared at top level.
#[derive(Clone, Debug)]
struct Entry {
    var: VarRef,
    ty: Type,
    role: Role,
    place: Place,
    /// Its index in [`Checker::bound_names`].
    index: usize,
}

/// Checks one declaration.
struct Checker<'e> {
    env: &'e Environment,
    item: u32,
    messages: Vec<Message>,
    infer: Infer,
    /// What operations demand of types that are not known yet.
    demands: Vec<Demand>,
    /// What each name means, innermost last.
    names: HashMap<Arc<str>, Vec<Entry>>,
    /// The names in the order in which they were bound.
    bound_names: Vec<Arc<str>>,
    type_scope: TypeScope,
    /// Names of the type variables that this declaration binds inside expressions.
    local_type_vars: Vec<Arc<str>>,
    next_bound: u32,
    state: State,
    /// Whether a trigger is being checked.
    in_trigger: bool,
    /// Whether the declaration is (an implementation of) a pure procedure.
    pure_: bool,
    /// Out-parameters while they are not visible yet.
    hidden_outs: Vec<Arc<str>>,
    /// Whether a graph is being checked.
    in_graph: bool,
    /// The body at hand, if statements are being checked.
    body: stmt::Body,
    /// Globals that the statements write, and where.
    writes: Vec<(GlobalId, Span)>,
    /// Procedures that the statements call, and where.
    calls: Vec<(ProcedureId, Span)>,
    suggestions: usize,
    /// Whether the declaration has been warned about a division that is read as one of integers.
    warned_division: bool,
}

impl<'e> Checker<'e> {
    fn new(env: &'e Environment, item: u32) -> Self {
        Self {
            env,
            item,
            messages: Vec::new(),
            infer: Infer::default(),
            demands: Vec::new(),
            names: HashMap::new(),
            bound_names: Vec::new(),
            type_scope: Vec::new(),
            local_type_vars: Vec::new(),
            next_bound: 0,
            state: State::Stateless,
            in_trigger: false,
            pure_: false,
            hidden_outs: Vec::new(),
            in_graph: false,
            body: stmt::Body::default(),
            writes: Vec::new(),
            calls: Vec::new(),
            suggestions: 0,
            warned_division: false,
        }
    }

    fn place(&self, span: Span) -> Place {
        Place {
            item: self.item,
            span,
        }
    }

    fn error(&mut self, id: Id, text: impl Into<String>, span: Span, label: impl Into<String>) {
        let message = Message::error(id, text, self.place(span), label);
        self.messages.push(message);
    }

    fn has_errors_since(&self, mark: usize) -> bool {
        self.messages.iter().skip(mark).any(Message::is_error)
    }

    /// A type as the source would write it.
    fn show(&self, ty: &Type) -> String {
        let ty = self.infer.expand(ty);
        // The unknown type of a division will be `real` unless somebody wants an int.
        let ty = substitute(&ty, &|var| {
            (is_infer(var) && self.infer.is_numeric_unknown(&Type::Var(var))).then_some(Type::Real)
        });
        types::show(self.env, &|var| self.type_var_name(var), &ty)
    }

    fn type_var_name(&self, var: TypeVarId) -> Option<Arc<str>> {
        let declared = self.env.type_vars.len();
        match var.index().checked_sub(declared) {
            None => self.env.type_vars.get(var.index()).cloned(),
            Some(local) => self.local_type_vars.get(local).cloned(),
        }
    }

    fn resolve_type(&mut self, ty: &ast::Type) -> Type {
        TypeResolver::new(
            self.env,
            self.item,
            &mut self.type_scope,
            &mut self.messages,
        )
        .resolve(ty)
    }

    // Scopes.

    fn mark(&self) -> usize {
        self.bound_names.len()
    }

    fn bind(&mut self, name: &ast::Ident, var: VarRef, ty: Type, role: Role) {
        let place = self.place(name.span);
        let index = self.bound_names.len();
        self.names
            .entry(name.name.clone())
            .or_default()
            .push(Entry {
                var,
                ty,
                role,
                place,
                index,
            });
        self.bound_names.push(name.name.clone());
    }

    fn release(&mut self, mark: usize) {
        for name in self.bound_names.drain(mark..) {
            if let Some(entries) = self.names.get_mut(&name) {
                entries.pop();
            }
        }
    }

    /// Where a name was bound since the mark, for "declared twice".
    fn bound_since(&self, mark: usize, name: &str) -> Option<Place> {
        self.entry(name)
            .filter(|entry| entry.index >= mark)
            .map(|entry| entry.place)
    }

    /// A new bound variable.
    fn new_bound(&mut self, name: &str, ty: Type, span: Span) -> Bound {
        let id = BoundId(self.next_bound);
        self.next_bound += 1;
        Bound {
            id,
            name: name.to_owned(),
            ty,
            attributes: Vec::new(),
            span,
        }
    }

    /// Binds type parameters to new type variables.
    fn new_type_params(&mut self, params: &[ast::Ident]) -> Vec<TypeParameter> {
        let mut result = Vec::new();
        for param in params {
            if let Some(message) = type_variable_clash(self.env, &self.type_scope, param, self.item)
            {
                self.messages.push(message);
                continue;
            }
            let id = TypeVarId::new(self.env.type_vars.len() + self.local_type_vars.len());
            self.local_type_vars.push(param.name.clone());
            self.type_scope.push((param.name.clone(), id));
            result.push(TypeParameter {
                id,
                name: param.name.to_string(),
                span: param.span,
            });
        }
        result
    }

    /// Brings the type parameters of a declaration into scope.
    fn declared_type_params(
        &mut self,
        params: &[ast::Ident],
        vars: &[TypeVarId],
    ) -> Vec<TypeParameter> {
        let mut result = Vec::new();
        for (param, id) in params.iter().zip(vars) {
            self.type_scope.push((param.name.clone(), *id));
            result.push(TypeParameter {
                id: *id,
                name: param.name.to_string(),
                span: param.span,
            });
        }
        result
    }

    // Names.

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.names.get(name).and_then(|entries| entries.last())
    }

    /// What a variable's name means, with its type; reports an unknown name and a global where none may be read.
    fn variable(&mut self, name: &ast::Ident) -> Option<(VarRef, Type)> {
        if let Some(entry) = self.entry(&name.name) {
            return Some((entry.var, entry.ty.clone()));
        }
        match self.env.value(&name.name) {
            Some((Value::Constant(id), info)) => Some((VarRef::Constant(id), info.ty.clone())),
            Some((Value::Global(id), info)) => {
                if self.state == State::Stateless {
                    let (where_, help) = if self.pure_ {
                        (
                            "a pure procedure",
                            "drop `pure`, or pass the value as a parameter",
                        )
                    } else if self.in_trigger || self.in_graph {
                        (
                            "this formula",
                            "only constants and functions may occur here",
                        )
                    } else {
                        (
                            "an axiom or a function",
                            "pass the value as a parameter of the function, or use a constant",
                        )
                    };
                    let message = Message::error(
                        Id::GLOBAL_NOT_ALLOWED,
                        format!("{where_} cannot read the global variable `{}`", name.name),
                        self.place(name.span),
                        "a global variable has no value here",
                    )
                    .with_label(info.place, "declared as a variable here")
                    .with_help(help);
                    self.messages.push(message);
                    return None;
                }
                Some((VarRef::Global(id), info.ty.clone()))
            }
            None => {
                self.unknown_variable(name);
                None
            }
        }
    }

    fn unknown_variable(&mut self, name: &ast::Ident) {
        let help = if self.env.callables.contains_key(&name.name) {
            Some(format!(
                "`{0}` is a function; apply it: `{0}(...)`",
                name.name
            ))
        } else if self.hidden_outs.contains(&name.name) {
            Some(format!(
                "the out-parameter `{}` has no value before the procedure has run",
                name.name
            ))
        } else {
            self.suggest(&name.name, |checker| {
                let mut known: Vec<&str> = checker
                    .names
                    .iter()
                    .filter(|(_, entries)| !entries.is_empty())
                    .map(|(name, _)| &**name)
                    .collect();
                known.sort_unstable();
                known.extend(checker.env.values.keys().map(|name| &**name));
                known
            })
        };
        let message = Message::error(
            Id::UNKNOWN_VARIABLE,
            format!("there is no variable or constant `{}`", name.name),
            self.place(name.span),
            "unknown name",
        )
        .with_optional_help(help);
        self.messages.push(message);
    }

    fn suggest(&mut self, name: &str, known: impl FnOnce(&Self) -> Vec<&str>) -> Option<String> {
        self.suggestions += 1;
        if self.suggestions > MAX_SUGGESTIONS {
            return None;
        }
        did_you_mean(name, known(self))
    }

    // Types of expressions.

    /// Demands that the expression has the type; `why` says what for.
    fn expect(&mut self, expr: &Expr, wanted: &Type, why: &str) -> bool {
        if self.infer.unify(&expr.ty, wanted) {
            return true;
        }
        let found = self.show(&expr.ty);
        let wanted_text = self.show(wanted);
        let mut message = Message::error(
            Id::TYPE_MISMATCH,
            format!("{why}: expected `{wanted_text}`, found `{found}`"),
            self.place(expr.span),
            format!("this is of type `{found}`"),
        );
        let shallow = (self.infer.shallow(&expr.ty), self.infer.shallow(wanted));
        message.help = match shallow {
            (Type::Int, Type::Real) => {
                Some("an int becomes a real by `real(e)`; a real literal has a point: `1.0`".into())
            }
            (Type::Real, Type::Int) => {
                Some("a real becomes an int by `int(e)`, which rounds down".into())
            }
            _ => None,
        };
        self.messages.push(message);
        false
    }

    /// A complete formula that must be a bool.
    fn condition(&mut self, expr: &ast::Expr, why: &str) -> Expr {
        let mut expr = self.expr(expr);
        self.expect(&expr, &Type::Bool, why);
        self.finish(&mut expr);
        expr
    }
}
