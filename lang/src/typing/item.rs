//! Declarations: what each kind of them contains that is to be checked.

mod implementation;

use crate::ast::{self, Decl};
use crate::diagnostic::Id;
use crate::hir::{
    self, Axiom, Condition, Constant, ConstantOrder, Datatype, Function, Global, GlobalId,
    Implementation, LocalId, Procedure, ProcedureId, Type, TypeConstructor, VarRef, Variable,
};
use crate::resolve::environment::{DatatypeInfo, Environment, Value};
use crate::resolve::message::{Message, Place};
use crate::resolve::suggest::did_you_mean;
use crate::resolve::types::declared_twice;
use crate::span::Span;

use super::{Checker, Role, State};

/// The typed form of one declaration; places and numbers of bound variables are relative to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What it declares.
    pub contents: Contents,
    /// Errors and warnings.
    pub messages: Vec<Message>,
    /// How many bound variables it has: their ids are below.
    pub bounds: u32,
    /// How many type variables it binds besides the declared ones.
    pub type_vars: u32,
    /// Globals that its statements write, and where.
    pub writes: Vec<(GlobalId, Span)>,
    /// Procedures that its statements call, and where.
    pub calls: Vec<(ProcedureId, Span)>,
}

/// What a declaration declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Type constructors.
    pub types: Vec<TypeConstructor>,
    /// Datatypes.
    pub datatypes: Vec<Datatype>,
    /// Constants.
    pub constants: Vec<Constant>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Axioms.
    pub axioms: Vec<Axiom>,
    /// Globals.
    pub globals: Vec<Global>,
    /// Procedures.
    pub procedures: Vec<Procedure>,
    /// Implementations.
    pub implementations: Vec<Implementation>,
    /// What procedures say becomes smaller from call to call.
    pub measures: Vec<Measure>,
}

/// What a procedure says becomes smaller from call to call.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Numbers and truth values, the first one first. They mean the parameters as the procedure's contract does.
    pub exprs: Vec<hir::Expr>,
}

/// Checks the declaration with this number.
pub fn check_declaration(env: &Environment, item: u32, decl: &Decl) -> Checked {
    let mut checker = Checker::new(env, item);
    let mut contents = Contents::default();
    let first = env.first_id(item);
    match decl {
        Decl::Type(decl) => checker.types(decl, first, &mut contents),
        Decl::Datatype(decl) => checker.datatype_decl(decl, first, &mut contents),
        Decl::Const(decl) => checker.constants(decl, first, &mut contents),
        Decl::Function(decl) if env.old_constructors.contains(&item) => {
            checker.old_constructor(decl, &mut contents)
        }
        Decl::Function(decl) => checker.function(decl, first, &mut contents),
        Decl::Axiom(decl) => checker.axiom(decl, &mut contents),
        Decl::Var(decl) => checker.globals(decl, first, &mut contents),
        Decl::Procedure(decl) => checker.procedure(decl, first, &mut contents),
        Decl::Implementation(decl) => checker.implementation(decl, &mut contents),
        Decl::Error(_) => {}
    }
    checker.into_checked(contents)
}

impl<'e> Checker<'e> {
    pub(super) fn into_checked(self, contents: Contents) -> Checked {
        Checked {
            contents,
            messages: self.messages,
            bounds: self.next_bound,
            type_vars: u32::try_from(self.local_type_vars.len()).unwrap_or(u32::MAX),
            writes: self.writes,
            calls: self.calls,
        }
    }

    /// `datatype` is the first datatype in Boogie's old form, if there is one among the types.
    fn types(&mut self, decl: &ast::TypeDecl, mut datatype: usize, contents: &mut Contents) {
        self.state = State::Stateless;
        for item in decl.items.iter().filter(|item| item.synonym.is_none()) {
            let attributes = self.finished_attributes(&decl.attributes);
            let span = item.name.span;
            match self.env.datatypes.get(datatype) {
                Some(info) if info.place == self.place(span) => {
                    datatype += 1;
                    let names = info.type_params.iter().map(|var| ast::Ident {
                        name: self.env.type_vars[var.index()].clone(),
                        span,
                    });
                    let names: Vec<ast::Ident> = names.collect();
                    let declared = self.declared_datatype(info, &names, attributes, span);
                    contents.datatypes.push(declared);
                    self.type_scope.clear();
                }
                _ => contents.types.push(TypeConstructor {
                    name: item.name.name.to_string(),
                    arity: item.params.len(),
                    attributes,
                    span,
                }),
            }
        }
    }

    /// What stands at a constructor and is not its type's.
    fn old_constructor(&mut self, decl: &ast::FunctionDecl, contents: &mut Contents) {
        self.finished_attributes(&decl.attributes);
        for axiom in &decl.uses {
            self.axiom(axiom, contents);
        }
    }

    fn datatype_decl(&mut self, decl: &ast::DatatypeDecl, first: usize, contents: &mut Contents) {
        let Some(info) = self.env.datatypes.get(first) else {
            return;
        };
        let attributes = self.finished_attributes(&decl.attributes);
        let datatype = self.declared_datatype(info, &decl.type_params, attributes, decl.name.span);
        contents.datatypes.push(datatype);
    }

    fn declared_datatype(
        &mut self,
        info: &DatatypeInfo,
        type_params: &[ast::Ident],
        attributes: Vec<hir::Attribute>,
        span: Span,
    ) -> Datatype {
        // What another declaration says of the datatype has no place in this one.
        let own = |place: Place| match place.item == self.item {
            true => place.span,
            false => span,
        };
        Datatype {
            name: info.name.to_string(),
            constructors: info
                .constructors
                .iter()
                .map(|constructor| hir::Constructor {
                    name: constructor.name.to_string(),
                    fields: constructor.fields.clone(),
                    span: own(constructor.place),
                })
                .collect(),
            fields: info
                .fields
                .iter()
                .map(|field| hir::Field {
                    name: field.name.to_string(),
                    ty: field.ty.clone(),
                    positions: field.positions.clone(),
                    span: own(field.place),
                })
                .collect(),
            type_params: self.declared_type_params(type_params, &info.type_params),
            attributes,
            span,
        }
    }

    fn constants(&mut self, decl: &ast::ConstDecl, first: usize, contents: &mut Contents) {
        let attributes = self.finished_attributes(&decl.attributes);
        let order = (decl.parents.is_some() || decl.complete).then(|| ConstantOrder {
            parents: decl.parents.as_ref().map(|parents| {
                parents
                    .iter()
                    .filter_map(|parent| self.parent(parent))
                    .collect()
            }),
            complete: decl.complete,
        });
        for (index, name) in decl.names.iter().enumerate() {
            let ty = self
                .env
                .constants
                .get(first + index)
                .map_or(Type::Error, |info| info.ty.clone());
            contents.constants.push(Constant {
                name: name.name.to_string(),
                ty,
                unique: decl.unique,
                order: order.clone(),
                attributes: attributes.clone(),
                span: name.span,
            });
        }
        for axiom in &decl.uses {
            self.axiom(axiom, contents);
        }
    }

    fn parent(&mut self, parent: &ast::ConstParent) -> Option<(hir::ConstantId, bool)> {
        let name = &parent.name;
        if let Some((Value::Constant(id), _)) = self.env.value(&name.name) {
            return Some((id, parent.unique));
        }
        let help = did_you_mean(
            &name.name,
            self.env.constants.iter().map(|info| &*info.name),
        );
        let message = Message::error(
            Id::UNKNOWN_VARIABLE,
            format!("there is no constant `{}`", name.name),
            self.place(name.span),
            "a parent must be a constant",
        )
        .with_optional_help(help);
        self.messages.push(message);
        None
    }

    fn function(&mut self, decl: &ast::FunctionDecl, first: usize, contents: &mut Contents) {
        let Some(info) = self.env.functions.get(first) else {
            return;
        };
        let type_params = self.declared_type_params(&decl.type_params, &info.type_params);
        let mark = self.mark();
        let mut params = Vec::new();
        let mut types = info.params.iter();
        for group in &decl.params {
            if group.names.is_empty() {
                let ty = types.next().cloned().unwrap_or(Type::Error);
                params.push(self.new_bound("", ty, group.ty.span));
            }
            for name in &group.names {
                let ty = types.next().cloned().unwrap_or(Type::Error);
                let bound = self.new_bound(&name.name, ty.clone(), name.span);
                self.bind(name, VarRef::Bound(bound.id), ty, Role::Parameter);
                params.push(bound);
            }
        }
        let attributes = self.finished_attributes(&decl.attributes);
        self.state = State::Stateless;
        let body = decl.body.as_ref().map(|body| {
            let mut body = self.expr(body);
            self.expect(
                &body,
                &info.result,
                &format!("the body of `{}`", decl.name.name),
            );
            self.finish(&mut body);
            body
        });
        self.release(mark);
        self.type_scope.clear();
        contents.functions.push(Function {
            name: decl.name.name.to_string(),
            type_params,
            params,
            result: info.result.clone(),
            body,
            attributes,
            span: decl.name.span,
        });
        for axiom in &decl.uses {
            self.axiom(axiom, contents);
        }
    }

    fn axiom(&mut self, decl: &ast::AxiomDecl, contents: &mut Contents) {
        let attributes = self.finished_attributes(&decl.attributes);
        self.state = State::Stateless;
        self.infer.clear();
        let formula = self.condition(&decl.expr, "an axiom");
        contents.axioms.push(Axiom {
            formula,
            attributes,
            span: decl.span,
        });
    }

    fn globals(&mut self, decl: &ast::VarDecl, first: usize, contents: &mut Contents) {
        let attributes = self.finished_attributes(&decl.attributes);
        self.state = State::One;
        let mut index = first;
        for group in &decl.groups {
            let mut all = attributes.clone();
            all.extend(self.finished_attributes(&group.attributes));
            let where_clause = self.where_clause(group);
            for name in &group.names {
                let ty = self
                    .env
                    .globals
                    .get(index)
                    .map_or(Type::Error, |info| info.ty.clone());
                index += 1;
                contents.globals.push(Global {
                    name: name.name.to_string(),
                    ty,
                    where_clause: where_clause.clone(),
                    attributes: all.clone(),
                    span: name.span,
                });
            }
        }
    }

    fn where_clause(&mut self, group: &ast::TypedIdents) -> Option<hir::Expr> {
        let clause = group.where_clause.as_ref()?;
        self.infer.clear();
        Some(self.condition(clause, "a where clause"))
    }

    /// Brings parameters into scope, their ids counted from `first`.
    fn bind_parameters(
        &mut self,
        groups: &[ast::TypedIdents],
        types: &[Type],
        first: usize,
        role: Role,
    ) {
        let names = groups.iter().flat_map(|group| &group.names);
        for (index, name) in names.enumerate() {
            let ty = types.get(index).cloned().unwrap_or(Type::Error);
            self.bind(name, VarRef::Local(LocalId::new(first + index)), ty, role);
        }
    }

    /// The typed form of parameters that are in scope.
    fn parameters(&mut self, groups: &[ast::TypedIdents], types: &[Type]) -> Vec<Variable> {
        let mut result = Vec::new();
        for group in groups {
            let attributes = self.finished_attributes(&group.attributes);
            let where_clause = self.where_clause(group);
            for name in &group.names {
                let ty = types.get(result.len()).cloned().unwrap_or(Type::Error);
                result.push(Variable {
                    name: name.name.to_string(),
                    ty,
                    where_clause: where_clause.clone(),
                    attributes: attributes.clone(),
                    span: name.span,
                });
            }
        }
        result
    }

    fn procedure(&mut self, decl: &ast::ProcedureDecl, first: usize, contents: &mut Contents) {
        let Some(info) = self.env.procedures.get(first) else {
            return;
        };
        let signature = &decl.signature;
        self.pure_ = decl.pure_;
        let type_params = self.declared_type_params(&signature.type_params, &info.type_params);
        let (ins, outs) = (types_of(&info.ins), types_of(&info.outs));
        let one = if decl.pure_ {
            State::Stateless
        } else {
            State::One
        };
        let two = if decl.pure_ {
            State::Stateless
        } else {
            State::Two
        };

        // Preconditions and the ins' where clauses do not see the outs.
        let mark = self.mark();
        self.state = one;
        self.hidden_outs = signature
            .results
            .iter()
            .flat_map(|group| &group.names)
            .map(|name| name.name.clone())
            .collect();
        self.bind_parameters(&signature.params, &ins, 0, Role::In);
        let in_variables = self.parameters(&signature.params, &ins);
        let requires = self.specs(&decl.specs, "a precondition", |kind| match kind {
            ast::SpecKind::Requires(expr) => Some(expr),
            _ => None,
        });
        let measures = decl.specs.iter().filter_map(|spec| match &spec.kind {
            ast::SpecKind::Measure(exprs) => Some((&exprs[..], spec.span)),
            _ => None,
        });
        let measures: Vec<_> = measures.collect();
        let measure = self.only_measure(&measures);
        self.hidden_outs.clear();
        self.bind_parameters(&signature.results, &outs, ins.len(), Role::Out);
        let out_variables = self.parameters(&signature.results, &outs);
        self.state = two;
        let ensures = self.specs(&decl.specs, "a postcondition", |kind| match kind {
            ast::SpecKind::Ensures(expr) => Some(expr),
            _ => None,
        });
        let attributes = self.finished_attributes(&signature.attributes);
        let id = ProcedureId::new(first);
        if !measure.is_empty() {
            let exprs = measure;
            contents.measures.push(Measure {
                procedure: id,
                exprs,
            });
        }
        if let Some(body) = &decl.body {
            let implementation = Implementation {
                procedure: id,
                ins: without_where(&in_variables),
                outs: without_where(&out_variables),
                locals: Vec::new(),
                labels: Vec::new(),
                body: Vec::new(),
                attributes: attributes.clone(),
                span: signature.name.span,
                end: end_of(body.span),
            };
            let implementation = self.body(implementation, body, mark);
            contents.implementations.push(implementation);
        }
        self.release(mark);
        contents.procedures.push(Procedure {
            name: signature.name.name.to_string(),
            type_params,
            ins: in_variables,
            outs: out_variables,
            requires,
            ensures,
            modifies: info.modifies.clone(),
            declared_modifies: info.modifies.clone(),
            attributes,
            implementations: Vec::new(),
            span: signature.name.span,
        });
    }

    fn specs(
        &mut self,
        specs: &[ast::Spec],
        why: &str,
        select: impl Fn(&ast::SpecKind) -> Option<&ast::Expr>,
    ) -> Vec<Condition> {
        let mut result = Vec::new();
        for spec in specs {
            let Some(expr) = select(&spec.kind) else {
                continue;
            };
            self.infer.clear();
            result.push(Condition {
                expr: self.condition(expr, why),
                free: spec.free,
                attributes: self.finished_attributes(&spec.attributes),
                span: spec.span,
            });
        }
        result
    }

    /// Locals and statements. The parameters are in scope since `mark`.
    fn body(
        &mut self,
        mut implementation: Implementation,
        body: &ast::Body,
        mark: usize,
    ) -> Implementation {
        let first = implementation.ins.len() + implementation.outs.len();
        let mut types = Vec::new();
        for group in body.locals.iter().flat_map(|decl| &decl.groups) {
            let ty = self.resolve_type(&group.ty);
            for name in &group.names {
                if let Some(known) = self.bound_since(mark, &name.name) {
                    self.messages.push(declared_twice(
                        "local variable",
                        name,
                        self.item,
                        Some(known),
                    ));
                }
                let id = LocalId::new(first + types.len());
                self.bind(name, VarRef::Local(id), ty.clone(), Role::Local);
                types.push(ty.clone());
            }
        }
        self.state = if self.pure_ {
            State::Stateless
        } else {
            State::One
        };
        let mut types = types.into_iter();
        for decl in &body.locals {
            let attributes = self.finished_attributes(&decl.attributes);
            for group in &decl.groups {
                let mut all = attributes.clone();
                all.extend(self.finished_attributes(&group.attributes));
                let where_clause = self.where_clause(group);
                for name in &group.names {
                    implementation.locals.push(Variable {
                        name: name.name.to_string(),
                        ty: types.next().unwrap_or(Type::Error),
                        where_clause: where_clause.clone(),
                        attributes: all.clone(),
                        span: name.span,
                    });
                }
            }
        }
        self.state = if self.pure_ {
            State::Stateless
        } else {
            State::Two
        };
        self.infer.clear();
        self.body.first_free = first + implementation.locals.len();
        implementation.body = self.statements(&body.block.stmts);
        implementation.locals.append(&mut self.body.invented);
        implementation.labels = std::mem::take(&mut self.body.labels);
        implementation
    }
}

fn types_of(infos: &[crate::resolve::environment::ValueInfo]) -> Vec<Type> {
    infos.iter().map(|info| info.ty.clone()).collect()
}

fn without_where(variables: &[Variable]) -> Vec<Variable> {
    variables
        .iter()
        .map(|variable| Variable {
            where_clause: None,
            ..variable.clone()
        })
        .collect()
}

/// The closing brace of a body.
fn end_of(body: Span) -> Span {
    Span {
        start: body.end.saturating_sub(1).max(body.start),
        end: body.end,
    }
}
