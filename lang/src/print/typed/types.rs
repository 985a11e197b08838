//! Types, and the names of type variables.

use super::{NOWHERE, ident};
use crate::ast::{FloatFormat, Ident, Type, TypeKind};
use crate::hir::{self, TypeParameter, TypeVarId};
use crate::resolve::types::free_vars;
use crate::stack::ensure_stack;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The names of types and of the type variables in scope.
pub(super) struct Types {
    constructors: Vec<Arc<str>>,
    datatypes: Vec<Arc<str>>,
    /// Names of type variables.
    variables: HashMap<TypeVarId, Arc<str>>,
    /// All names that mean a type where the printer is.
    taken: HashSet<Arc<str>>,
}

impl Types {
    pub(super) fn new(background: &hir::Background) -> Types {
        let constructors: Vec<Arc<str>> = background
            .types
            .iter()
            .map(|ty| ty.name.as_str().into())
            .collect();
        let datatypes: Vec<Arc<str>> = background
            .datatypes
            .iter()
            .map(|datatype| datatype.name.as_str().into())
            .collect();
        let taken = constructors.iter().chain(&datatypes).cloned().collect();
        Types {
            constructors,
            datatypes,
            variables: HashMap::new(),
            taken,
        }
    }

    /// A name for a type variable, and notes that it is in use.
    fn take(&mut self, wanted: &str) -> Arc<str> {
        let mut name: Arc<str> = wanted.into();
        while !self.taken.insert(name.clone()) {
            name = format!("{name}~").into();
        }
        name
    }

    fn release(&mut self, names: &[Ident]) {
        for name in names {
            self.taken.remove(&name.name);
        }
    }

    /// Brings type parameters into scope, under the names that come back.
    pub(super) fn enter(&mut self, params: &[TypeParameter]) -> Vec<Ident> {
        params
            .iter()
            .map(|param| {
                let name = self.take(&param.name);
                self.variables.insert(param.id, name.clone());
                Ident::new(name, NOWHERE)
            })
            .collect()
    }

    /// Ends the scope of type parameters.
    pub(super) fn leave(&mut self, names: &[Ident]) {
        self.release(names);
    }

    /// Names for the parameters of a type constructor, which mean nothing.
    pub(super) fn parameters(&mut self, count: usize) -> Vec<Ident> {
        let names: Vec<Ident> = (1..=count)
            .map(|number| Ident::new(self.take(&format!("t{number}")), NOWHERE))
            .collect();
        self.release(&names);
        names
    }

    pub(super) fn ty(&mut self, ty: &hir::Type) -> Type {
        Type::new(ensure_stack(|| self.kind(ty)), NOWHERE)
    }

    fn kind(&mut self, ty: &hir::Type) -> TypeKind {
        match ty {
            hir::Type::Bool => TypeKind::Bool,
            hir::Type::Int => TypeKind::Int,
            hir::Type::Real => TypeKind::Real,
            hir::Type::BitVec(width) => TypeKind::BitVector(*width),
            hir::Type::Float {
                significand,
                exponent,
            } => TypeKind::Float(FloatFormat {
                significand: *significand,
                exponent: *exponent,
            }),
            hir::Type::String => named("string".into(), Vec::new()),
            hir::Type::Regex => named("regex".into(), Vec::new()),
            hir::Type::RoundingMode => named("rmode".into(), Vec::new()),
            hir::Type::Constructor(id, args) => {
                let name = self.constructors.get(id.index()).cloned();
                self.applied(name, args)
            }
            hir::Type::Datatype(id, args) => {
                let name = self.datatypes.get(id.index()).cloned();
                self.applied(name, args)
            }
            hir::Type::Map(map) => {
                let params: Vec<Ident> = map
                    .type_params
                    .iter()
                    .enumerate()
                    .map(|(index, var)| {
                        let name = self.take(&format!("t{index}"));
                        self.variables.insert(*var, name.clone());
                        Ident::new(name, NOWHERE)
                    })
                    .collect();
                let domain = map.domain.iter().map(|part| self.ty(part)).collect();
                let range = self.ty(&map.range).into();
                self.release(&params);
                TypeKind::Map {
                    params,
                    domain,
                    range,
                }
            }
            hir::Type::Var(var) => match self.variables.get(var) {
                Some(name) => named(name.clone(), Vec::new()),
                None => TypeKind::Error,
            },
            hir::Type::Error => TypeKind::Error,
        }
    }

    fn applied(&mut self, name: Option<Arc<str>>, args: &[hir::Type]) -> TypeKind {
        match name {
            Some(name) => named(name, args.iter().map(|arg| self.ty(arg)).collect()),
            None => TypeKind::Error,
        }
    }
}

fn named(name: Arc<str>, args: Vec<Type>) -> TypeKind {
    TypeKind::Named {
        name: ident(name),
        args,
    }
}

/// Whether types of these forms tell what the type variables stand for.
pub(super) fn determine<'t>(
    parts: impl IntoIterator<Item = &'t hir::Type>,
    vars: impl IntoIterator<Item = TypeVarId>,
) -> bool {
    let mut free = Vec::new();
    for part in parts {
        free_vars(part, &mut free);
    }
    vars.into_iter().all(|var| free.contains(&var))
}
