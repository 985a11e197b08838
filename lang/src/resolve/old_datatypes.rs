//! Datatypes in Boogie's old form: `type {:datatype} T _;`, and functions with `{:constructor}` that result in it.
//!
//! A field `f` of the constructor `C` is read by the function `f#C` there, and the function `is#C` says whether a value was built
//! by `C`. So `T` is a datatype as any other, whose fields are called `f#C`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ast::{self, Decl, TypeKind, has_attribute};
use crate::diagnostic::Id;
use crate::hir::{DatatypeId, Type, TypeVarId};
use crate::resolve::declare::{Builder, Space, field_info, number};
use crate::resolve::environment::{
    Callable, DatatypeConstructorInfo, DatatypeInfo, FieldInfo, TypeName,
};
use crate::resolve::message::{Message, Place};
use crate::resolve::types::substitute_params;

/// Which types and functions of a text are datatypes and constructors of the old form.
#[derive(Default)]
pub(super) struct OldDatatypes<'a> {
    /// The constructors by the names of their types, in the order of the text, with the numbers of their declarations.
    constructors: BTreeMap<Arc<str>, Vec<(u32, &'a ast::FunctionDecl)>>,
    items: BTreeSet<u32>,
}

impl<'a> OldDatatypes<'a> {
    /// Looks at all declarations. A datatype without constructors is a type as any other.
    pub(super) fn of(decls: &[&'a Decl]) -> OldDatatypes<'a> {
        let types: BTreeSet<&str> = decls
            .iter()
            .filter_map(|decl| match decl {
                Decl::Type(decl) if has_attribute(&decl.attributes, "datatype") => {
                    Some(&decl.items)
                }
                _ => None,
            })
            .flatten()
            .filter(|item| item.synonym.is_none())
            .map(|item| &*item.name.name)
            .collect();
        let mut old = OldDatatypes::default();
        for (index, decl) in decls.iter().enumerate() {
            let Decl::Function(decl) = decl else { continue };
            let Some((name, _)) = result(decl) else {
                continue;
            };
            let is_constructor =
                has_attribute(&decl.attributes, "constructor") && decl.body.is_none();
            if is_constructor && types.contains(&*name.name) {
                let item = number(index);
                let constructors = old.constructors.entry(name.name.clone()).or_default();
                constructors.push((item, decl));
                old.items.insert(item);
            }
        }
        old
    }

    /// Whether the declaration with this number is one of a constructor.
    pub(super) fn has(&self, item: u32) -> bool {
        self.items.contains(&item)
    }

    /// How many datatypes a declaration of types declares.
    pub(super) fn count(&self, decl: &ast::TypeDecl) -> usize {
        decl.items
            .iter()
            .filter(|item| self.constructors_of(decl, item).is_some())
            .count()
    }

    /// The constructors of a datatype; `None` for another type.
    pub(super) fn constructors_of(
        &self,
        decl: &ast::TypeDecl,
        item: &ast::TypeDeclItem,
    ) -> Option<&[(u32, &'a ast::FunctionDecl)]> {
        let is_datatype = item.synonym.is_none() && has_attribute(&decl.attributes, "datatype");
        let constructors = self.constructors.get(&item.name.name)?;
        is_datatype.then_some(constructors)
    }
}

/// The named type that a function results in.
fn result(decl: &ast::FunctionDecl) -> Option<(&ast::Ident, &[ast::Type])> {
    match &decl.result.ty.kind {
        TypeKind::Named { name, args } => Some((name, args)),
        _ => None,
    }
}

/// What the first constructor calls the type parameters, as a name of each place that it has one for.
fn parameter_names(constructor: &ast::FunctionDecl, number: usize) -> Vec<Arc<str>> {
    let args = result(constructor).map_or(&[][..], |(_, args)| args);
    let name_of = |index: usize| match args.get(index).map(|arg| &arg.kind) {
        Some(TypeKind::Named { name, args }) if args.is_empty() => name.name.clone(),
        _ => format!("t{index}").into(),
    };
    (0..number).map(name_of).collect()
}

impl<'a> Builder<'a> {
    /// The name and the type parameters of a datatype.
    pub(super) fn old_datatype_name(
        &mut self,
        ty: &ast::TypeDeclItem,
        first: &ast::FunctionDecl,
        place: Place,
    ) -> TypeName {
        let names = parameter_names(first, ty.params.len());
        let next = self.env.type_vars.len();
        let type_params = (next..next + names.len()).map(TypeVarId::new).collect();
        self.env.type_vars.extend(names);
        let id = DatatypeId::new(self.env.datatypes.len());
        self.env.datatypes.push(DatatypeInfo {
            name: ty.name.name.clone(),
            type_params,
            constructors: Vec::new(),
            fields: Vec::new(),
            place,
        });
        TypeName::Datatype(id)
    }

    /// The constructors of the datatypes that a declaration declares, of which the first one has the given number.
    pub(super) fn old_datatypes(&mut self, decl: &ast::TypeDecl, mut datatype: usize) {
        for item in &decl.items {
            let Some(constructors) = self.old.constructors_of(decl, item) else {
                continue;
            };
            let constructors = constructors.to_vec();
            let id = DatatypeId::new(datatype);
            datatype += 1;
            // Of two datatypes with one name the constructors are those of the one that the name means.
            if self.env.types.get(&item.name.name) == Some(&TypeName::Datatype(id)) {
                for (item, constructor) in constructors {
                    self.old_constructor(id, constructor, item);
                }
            }
        }
    }

    fn old_constructor(&mut self, id: DatatypeId, decl: &ast::FunctionDecl, item: u32) {
        let name = &decl.name;
        let place = Place {
            item,
            span: name.span,
        };
        let mut scope = Vec::new();
        let own = self.type_params(&decl.type_params, item, &mut scope);
        let result = self.resolve(&decl.result.ty, item, &mut scope);
        let Some(info) = self.env.datatypes.get(id.index()) else {
            return;
        };
        let (params, index) = (info.type_params.clone(), info.constructors.len());
        let first = info.fields.len();
        let meant = meanings(&result, &own, &params).unwrap_or_else(|| {
            if result != Type::Error {
                let place = Place {
                    item,
                    span: decl.result.ty.span,
                };
                let what = format!(
                    "the constructor `{}` is one of some `{}` only",
                    name.name, info.name
                );
                let label =
                    "this has to be the datatype with each type parameter of the function once";
                self.messages
                    .push(Message::error(Id::OLD_CONSTRUCTOR, what, place, label));
            }
            vec![Type::Error; own.len()]
        });
        let mut fields: Vec<FieldInfo> = Vec::new();
        for group in &decl.params {
            let ty = self.resolve(&group.ty, item, &mut scope);
            let ty = substitute_params(&ty, &own, &meant);
            let names = group.names.iter().map(Some);
            for field in names.chain(group.names.is_empty().then_some(None)) {
                let position = fields.len();
                let called = ast::Ident {
                    name: match field {
                        Some(field) => format!("{}#{}", field.name, name.name).into(),
                        None => format!("arg{position}#{}", name.name).into(),
                    },
                    span: field.map_or(group.ty.span, |field| field.span),
                };
                fields.push(field_info(&called, ty.clone(), (index, position), item));
            }
        }
        let names: Vec<&ast::Ident> = decl.params.iter().flat_map(|group| &group.names).collect();
        self.distinct("parameter", &names, item);
        let callables = fields
            .iter()
            .enumerate()
            .map(|(field, info)| (info.name.clone(), Callable::Field(id, first + field)))
            .chain([
                (name.name.clone(), Callable::Constructor(id, index)),
                (format!("is#{}", name.name).into(), Callable::Is(id, index)),
            ]);
        for (called, callable) in callables {
            let called = ast::Ident {
                name: called,
                span: name.span,
            };
            let known = self.callable_place(&called.name);
            let attributes = &decl.attributes;
            if self.admit(
                Space::Callable,
                "function",
                &called,
                item,
                attributes,
                known,
            ) {
                self.env.callables.insert(called.name, callable);
            }
        }
        if let Some(info) = self.env.datatypes.get_mut(id.index()) {
            info.constructors.push(DatatypeConstructorInfo {
                name: name.name.clone(),
                fields: (first..first + fields.len()).collect(),
                place,
            });
            info.fields.extend(fields);
        }
    }
}

/// What the constructor's type parameters are in terms of those of its datatype, if it results in the datatype with each of its
/// own once.
fn meanings(result: &Type, own: &[TypeVarId], params: &[TypeVarId]) -> Option<Vec<Type>> {
    let Type::Datatype(_, args) = result else {
        return None;
    };
    let position = |var: &TypeVarId| args.iter().position(|arg| *arg == Type::Var(*var));
    let positions: Vec<usize> = own.iter().map(position).collect::<Option<_>>()?;
    let is_each_once = positions.len() == args.len() && args.len() == params.len();
    is_each_once.then(|| positions.iter().map(|at| Type::Var(params[*at])).collect())
}
