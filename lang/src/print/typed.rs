//! The typed program as text of the Boogie language.
//!
//! The declarations are turned back into syntax trees one by one, and these are printed; so there is one place that
//! knows where the grammar needs parentheses. Reading the text gives the same typed program again, up to places, the
//! numbers of bound variables, of blocks and labels, and
//!
//! * names that would be read as another variable ([`names`]),
//! * labels that a `break` needs and the program does not have,
//! * negative numbers, which become negations, and fractions that are no decimal numbers, which become quotients,
//! * calls and statements which are not supported and whose contents the typed program does not keep.
//!
//! What has no text, such as an expression with an error, becomes a comment at a place where a comment alone is no
//! correct text: nothing is ever read as something else.

mod expr;
mod literal;
mod names;
mod stmt;
mod types;

use super::Printer;
use crate::ast::{self, Decl, Ident, Spec, SpecKind, TypedIdents, VarDecl};
use crate::hir::{
    self, Background, Condition, GlobalId, Implementation, Procedure, Program, TypeParameter,
    Variable,
};
use crate::span::Span;
use crate::token::Language;
use names::Names;
use std::sync::Arc;
use stmt::Labels;
use types::Types;

const NOWHERE: Span = Span { start: 0, end: 0 };

fn ident(name: Arc<str>) -> Ident {
    Ident::new(name, NOWHERE)
}

/// A typed program as text, which takes time in proportion to the program's size.
///
/// The order of the text is: types, datatypes, constants, functions, axioms, globals, and procedures with their
/// implementations.
pub fn typed(program: &Program) -> String {
    let mut printer = Printer::new(Language::Boogie);
    let mut before = None;
    Converter::new(program).decls(&mut |decl| {
        printer.next_decl(before, &decl);
        before = Some(std::mem::discriminant(&decl));
    });
    printer.out
}

/// Turns the typed program into syntax trees.
struct Converter<'p> {
    program: &'p Program,
    background: &'p Background,
    names: Names,
    types: Types,
    /// Those of the body at hand.
    labels: Labels,
}

impl<'p> Converter<'p> {
    fn new(program: &'p Program) -> Self {
        Converter {
            program,
            background: &program.background,
            names: Names::new(program),
            types: Types::new(&program.background),
            labels: Labels::default(),
        }
    }

    fn decls(&mut self, print: &mut dyn FnMut(Decl)) {
        let program = self.program;
        for ty in &self.background.types {
            print(self.type_constructor(ty));
        }
        for datatype in &self.background.datatypes {
            print(self.datatype(datatype));
        }
        for constant in &self.background.constants {
            print(self.constant(constant));
        }
        for function in &self.background.functions {
            print(self.function(function));
        }
        for axiom in &self.background.axioms {
            self.names.axiom(axiom);
            print(Decl::Axiom(ast::AxiomDecl {
                attributes: self.attributes(&axiom.attributes),
                expr: self.expr(&axiom.formula),
                span: NOWHERE,
            }));
        }
        for global in &program.globals {
            self.names.global(global);
            print(Decl::Var(VarDecl {
                attributes: self.attributes(&global.attributes),
                groups: vec![self.typed_name(
                    global.name.as_str().into(),
                    &global.ty,
                    global.where_clause.as_ref(),
                )],
                span: NOWHERE,
            }));
        }
        // Implementations keep their order. A body that can stands with its procedure.
        let mut rest = program.implementations.iter().enumerate().peekable();
        for procedure in &program.procedures {
            let body = body_of(program, procedure);
            if let Some(body) = body.filter(|body| rest.peek().is_some_and(|next| next.0 <= *body))
            {
                while let Some((_, other)) = rest.next_if(|next| next.0 < body) {
                    print(self.implementation(other));
                }
                let own = rest.next().map(|(_, implementation)| implementation);
                print(self.procedure(procedure, own));
            } else {
                print(self.procedure(procedure, None));
            }
        }
        for (_, implementation) in rest {
            print(self.implementation(implementation));
        }
    }

    fn type_constructor(&mut self, ty: &hir::TypeConstructor) -> Decl {
        self.names.attributes_only(&ty.attributes);
        Decl::Type(ast::TypeDecl {
            attributes: self.attributes(&ty.attributes),
            finite: false,
            items: vec![ast::TypeDeclItem {
                name: ident(ty.name.as_str().into()),
                params: self.types.parameters(ty.arity),
                synonym: None,
                span: NOWHERE,
            }],
            span: NOWHERE,
        })
    }

    fn datatype(&mut self, datatype: &hir::Datatype) -> Decl {
        self.names.attributes_only(&datatype.attributes);
        let attributes = self.attributes(&datatype.attributes);
        let type_params = self.types.enter(&datatype.type_params);
        let constructors = datatype
            .constructors
            .iter()
            .map(|constructor| ast::Constructor {
                name: ident(constructor.name.as_str().into()),
                fields: constructor
                    .fields
                    .iter()
                    .filter_map(|field| datatype.fields.get(*field))
                    .map(|field| self.typed_name(field.name.as_str().into(), &field.ty, None))
                    .collect(),
                span: NOWHERE,
            })
            .collect();
        self.types.leave(&type_params);
        Decl::Datatype(ast::DatatypeDecl {
            attributes,
            name: ident(datatype.name.as_str().into()),
            type_params,
            constructors,
            span: NOWHERE,
        })
    }

    fn constant(&mut self, constant: &hir::Constant) -> Decl {
        self.names.attributes_only(&constant.attributes);
        let parents = constant.order.as_ref().and_then(|order| {
            let parents = order.parents.as_ref()?.iter();
            Some(
                parents
                    .map(|(parent, unique)| ast::ConstParent {
                        unique: *unique,
                        name: ident(self.names.of(hir::VarRef::Constant(*parent))),
                    })
                    .collect(),
            )
        });
        Decl::Const(ast::ConstDecl {
            attributes: self.attributes(&constant.attributes),
            unique: constant.unique,
            names: vec![ident(constant.name.as_str().into())],
            ty: self.types.ty(&constant.ty),
            parents,
            complete: constant.order.as_ref().is_some_and(|order| order.complete),
            uses: Vec::new(),
            span: NOWHERE,
        })
    }

    fn function(&mut self, function: &hir::Function) -> Decl {
        self.names.function(function);
        let type_params = self.types.enter(&function.type_params);
        let params = function
            .params
            .iter()
            .map(|param| {
                let name = self.bound_name(param);
                self.typed_name(name, &param.ty, None)
            })
            .collect();
        let decl = ast::FunctionDecl {
            attributes: self.attributes(&function.attributes),
            name: ident(function.name.as_str().into()),
            type_params,
            params,
            result: self.typed_name("".into(), &function.result, None).into(),
            body: function.body.as_ref().map(|body| self.expr(body)),
            uses: Vec::new(),
            span: NOWHERE,
        };
        self.types.leave(&decl.type_params);
        Decl::Function(decl)
    }

    fn procedure(&mut self, procedure: &Procedure, body: Option<&Implementation>) -> Decl {
        self.names.procedure(procedure, body);
        let type_params = self.types.enter(&procedure.type_params);
        let outs = procedure.ins.len();
        let signature = ast::Signature {
            attributes: self.attributes(&procedure.attributes),
            name: ident(procedure.name.as_str().into()),
            type_params,
            params: self.parameters(&procedure.ins, 0),
            results: self.parameters(&procedure.outs, outs),
            span: NOWHERE,
        };
        let mut specs = self.specs(&procedure.requires, SpecKind::Requires);
        if !procedure.declared_modifies.is_empty() {
            let name = |id: &GlobalId| ident(self.names.of(hir::VarRef::Global(*id)));
            let names = procedure.declared_modifies.iter().map(name).collect();
            specs.push(Spec {
                free: false,
                attributes: Vec::new(),
                kind: SpecKind::Modifies(names),
                span: NOWHERE,
            });
        }
        specs.extend(self.specs(&procedure.ensures, SpecKind::Ensures));
        let body = body.map(|implementation| self.body(implementation));
        self.types.leave(&signature.type_params);
        Decl::Procedure(ast::ProcedureDecl {
            pure_: false,
            signature,
            specs,
            body,
            span: NOWHERE,
        })
    }

    fn implementation(&mut self, implementation: &Implementation) -> Decl {
        let procedure = self
            .program
            .procedures
            .get(implementation.procedure.index());
        let (name, type_params): (&str, &[TypeParameter]) = match procedure {
            Some(procedure) => (&procedure.name, &procedure.type_params),
            None => ("?missing", &[]),
        };
        self.names.implementation(implementation);
        let type_params = self.types.enter(type_params);
        let outs = implementation.ins.len();
        let signature = ast::Signature {
            attributes: self.attributes(&implementation.attributes),
            name: ident(name.into()),
            type_params,
            params: self.parameters(&implementation.ins, 0),
            results: self.parameters(&implementation.outs, outs),
            span: NOWHERE,
        };
        let body = self.body(implementation);
        self.types.leave(&signature.type_params);
        Decl::Implementation(ast::ImplementationDecl {
            signature,
            body,
            span: NOWHERE,
        })
    }

    fn body(&mut self, implementation: &Implementation) -> ast::Body {
        self.labels = Labels::of(implementation);
        let first = implementation.ins.len() + implementation.outs.len();
        let mut locals = Vec::with_capacity(implementation.locals.len());
        for (index, variable) in implementation.locals.iter().enumerate() {
            let mut group = self.parameter(variable, first + index);
            locals.push(VarDecl {
                attributes: std::mem::take(&mut group.attributes),
                groups: vec![group],
                span: NOWHERE,
            });
        }
        ast::Body {
            locals,
            block: self.block(&implementation.body),
            span: NOWHERE,
        }
    }

    fn parameters(&mut self, variables: &[Variable], first: usize) -> Vec<TypedIdents> {
        variables
            .iter()
            .enumerate()
            .map(|(index, variable)| self.parameter(variable, first + index))
            .collect()
    }

    fn parameter(&mut self, variable: &Variable, index: usize) -> TypedIdents {
        let name = self.names.of(hir::VarRef::Local(hir::LocalId::new(index)));
        let mut group = self.typed_name(name, &variable.ty, variable.where_clause.as_ref());
        group.attributes = self.attributes(&variable.attributes);
        group
    }

    fn typed_name(
        &mut self,
        name: Arc<str>,
        ty: &hir::Type,
        where_clause: Option<&hir::Expr>,
    ) -> TypedIdents {
        let names = match name.is_empty() {
            true => Vec::new(),
            false => vec![ident(name)],
        };
        TypedIdents {
            attributes: Vec::new(),
            names,
            ty: self.types.ty(ty),
            where_clause: where_clause.map(|clause| self.expr(clause)),
            span: NOWHERE,
        }
    }

    fn specs(&mut self, conditions: &[Condition], kind: fn(ast::Expr) -> SpecKind) -> Vec<Spec> {
        conditions
            .iter()
            .map(|condition| Spec {
                free: condition.free,
                attributes: self.attributes(&condition.attributes),
                kind: kind(self.expr(&condition.expr)),
                span: NOWHERE,
            })
            .collect()
    }
}

/// The first implementation of the procedure, if it differs in nothing that a body behind the contract shares with it.
fn body_of(program: &Program, procedure: &Procedure) -> Option<usize> {
    let index = procedure.implementations.first()?.index();
    let implementation = program.implementations.get(index)?;
    let same = |own: &[Variable], shared: &[Variable]| {
        own.len() == shared.len()
            && own.iter().zip(shared).all(|(own, shared)| {
                own.where_clause.is_none()
                    && own.name == shared.name
                    && own.ty == shared.ty
                    && own.attributes == shared.attributes
            })
    };
    (implementation.attributes == procedure.attributes
        && same(&implementation.ins, &procedure.ins)
        && same(&implementation.outs, &procedure.outs))
    .then_some(index)
}
