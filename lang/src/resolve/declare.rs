//! From the heads of declarations to the [`Environment`].

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{self, Decl};
use crate::diagnostic::Id;
use crate::hir::{
    ConstantId, DatatypeId, FunctionId, GlobalId, ProcedureId, Type, TypeId, TypeVarId,
};
use crate::resolve::counts::Counts;
use crate::resolve::environment::{
    Callable, ConstructorInfo, DatatypeConstructorInfo, DatatypeInfo, Environment, FieldInfo,
    FunctionInfo, ProcedureInfo, Synonym, TypeName, Value, ValueInfo,
};
use crate::resolve::message::{Message, Place};
use crate::resolve::old_datatypes::OldDatatypes;
use crate::resolve::suggest::did_you_mean;
use crate::resolve::types::{
    TypeResolver, TypeScope, declared_twice, free_vars, unused_type_variable,
};
use crate::span::Span;

/// Builds the environment of a text from its declarations, of which it looks at the heads only.
///
/// Spans in the declarations may be relative to whatever the caller likes; they come back in [`Place`]s with the
/// number of the declaration.
pub fn declare<'a>(decls: impl IntoIterator<Item = &'a Decl>) -> (Environment, Vec<Message>) {
    let decls: Vec<&Decl> = decls.into_iter().collect();
    let mut builder = Builder {
        old: OldDatatypes::of(&decls),
        decls,
        ..Builder::default()
    };
    builder.type_names();
    builder.synonyms();
    builder.signatures();
    (builder.env, builder.messages)
}

#[derive(Default)]
pub(super) struct Builder<'a> {
    decls: Vec<&'a Decl>,
    pub(super) old: OldDatatypes<'a>,
    pub(super) env: Environment,
    pub(super) messages: Vec<Message>,
    /// The written form of the synonyms.
    pub(super) written_synonyms: Vec<(u32, &'a ast::TypeDeclItem)>,
    /// Names that only an `{:extern}` declaration has declared so far.
    extern_names: BTreeMap<(Space, Arc<str>), ()>,
}

/// The name spaces of the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    Type,
    Value,
    Callable,
    Procedure,
}

pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl<'a> Builder<'a> {
    /// Whether the name map shall be set to the new declaration; reports one that is declared twice.
    pub(super) fn admit(
        &mut self,
        space: Space,
        what: &str,
        name: &ast::Ident,
        item: u32,
        attributes: &[ast::Attribute],
        first: Option<Place>,
    ) -> bool {
        let key = (space, name.name.clone());
        // It gives way to another declaration of the same name.
        let extern_now = ast::has_attribute(attributes, "extern");
        match first {
            None => {
                if extern_now {
                    self.extern_names.insert(key, ());
                }
                true
            }
            Some(_) if extern_now => false,
            Some(_) if self.extern_names.remove(&key).is_some() => true,
            Some(first) => {
                self.messages
                    .push(declared_twice(what, name, item, Some(first)));
                false
            }
        }
    }

    fn type_place(&self, name: &str) -> Option<Place> {
        match self.env.types.get(name)? {
            TypeName::Constructor(id) => {
                self.env.constructors.get(id.index()).map(|info| info.place)
            }
            TypeName::Synonym(index) => self.env.synonyms.get(*index).map(|info| info.place),
            TypeName::Datatype(id) => self.env.datatypes.get(id.index()).map(|info| info.place),
        }
    }

    pub(super) fn callable_place(&self, name: &str) -> Option<Place> {
        match self.env.callables.get(name)? {
            Callable::Function(id) => self.env.functions.get(id.index()).map(|info| info.place),
            Callable::Constructor(id, constructor) | Callable::Is(id, constructor) => {
                let datatype = self.env.datatypes.get(id.index())?;
                datatype
                    .constructors
                    .get(*constructor)
                    .map(|info| info.place)
            }
            Callable::Field(id, field) => {
                let datatype = self.env.datatypes.get(id.index())?;
                datatype.fields.get(*field).map(|info| info.place)
            }
        }
    }

    /// Binds type parameters; the result has one variable for each, also for one that is declared twice.
    pub(super) fn type_params(
        &mut self,
        params: &[ast::Ident],
        item: u32,
        scope: &mut TypeScope,
    ) -> Vec<TypeVarId> {
        let mut vars = Vec::new();
        for param in params {
            let var = TypeVarId::new(self.env.type_vars.len());
            self.env.type_vars.push(param.name.clone());
            vars.push(var);
            if let Some(message) = type_variable_clash(&self.env, scope, param, item) {
                self.messages.push(message);
                continue;
            }
            scope.push((param.name.clone(), var));
        }
        vars
    }

    pub(super) fn resolve(&mut self, ty: &ast::Type, item: u32, scope: &mut TypeScope) -> Type {
        TypeResolver::new(&self.env, item, scope, &mut self.messages).resolve(ty)
    }

    fn type_names(&mut self) {
        let decls = self.decls.clone();
        for (index, decl) in decls.into_iter().enumerate() {
            let item = number(index);
            match decl {
                Decl::Type(decl) => {
                    for ty in &decl.items {
                        self.type_name(decl, ty, item);
                    }
                }
                Decl::Datatype(decl) => {
                    let place = Place {
                        item,
                        span: decl.name.span,
                    };
                    let first = self.type_place(&decl.name.name);
                    let id = DatatypeId::new(self.env.datatypes.len());
                    if self.admit(
                        Space::Type,
                        "type",
                        &decl.name,
                        item,
                        &decl.attributes,
                        first,
                    ) {
                        self.env
                            .types
                            .insert(decl.name.name.clone(), TypeName::Datatype(id));
                    }
                    let type_params = self.type_params(&decl.type_params, item, &mut Vec::new());
                    self.env.datatypes.push(DatatypeInfo {
                        name: decl.name.name.clone(),
                        type_params,
                        constructors: Vec::new(),
                        fields: Vec::new(),
                        place,
                    });
                }
                _ => {}
            }
        }
    }

    fn type_name(&mut self, decl: &'a ast::TypeDecl, ty: &'a ast::TypeDeclItem, item: u32) {
        let place = Place {
            item,
            span: ty.name.span,
        };
        if is_built_in(&ty.name.name) {
            self.messages.push(Message::error(
                Id::DECLARED_TWICE,
                format!("the type `{}` is built in", ty.name.name),
                place,
                "declared again here",
            ));
        }
        let first = self.type_place(&ty.name.name);
        let admitted = self.admit(Space::Type, "type", &ty.name, item, &decl.attributes, first);
        let meaning = if ty.synonym.is_some() {
            self.written_synonyms.push((item, ty));
            self.env.synonyms.push(Synonym {
                name: ty.name.name.clone(),
                params: Vec::new(),
                body: Type::Error,
                place,
            });
            TypeName::Synonym(self.env.synonyms.len() - 1)
        } else if let Some([(_, first), ..]) = self.old.constructors_of(decl, ty) {
            self.old_datatype_name(ty, first, place)
        } else {
            self.env.constructors.push(ConstructorInfo {
                name: ty.name.name.clone(),
                arity: ty.params.len(),
                place,
            });
            TypeName::Constructor(TypeId::new(self.env.constructors.len() - 1))
        };
        if admitted {
            self.env.types.insert(ty.name.name.clone(), meaning);
        }
    }

    fn signatures(&mut self) {
        let decls = self.decls.clone();
        // Values first: `modifies` clauses mention globals.
        for (index, decl) in decls.iter().enumerate() {
            let item = number(index);
            match decl {
                Decl::Const(decl) => self.constants(decl, item),
                Decl::Var(decl) => self.globals(decl, item),
                _ => {}
            }
        }
        let mut counts = Counts::default();
        let mut datatype = 0;
        for (index, decl) in decls.into_iter().enumerate() {
            let item = number(index);
            self.env.first_ids.push(counts.next(item, decl, &self.old));
            match decl {
                Decl::Datatype(decl) => {
                    self.datatype(decl, DatatypeId::new(datatype), item);
                    datatype += 1;
                }
                Decl::Type(decl) => {
                    self.old_datatypes(decl, datatype);
                    datatype += self.old.count(decl);
                }
                Decl::Function(_) if self.old.has(item) => {
                    self.env.old_constructors.insert(item);
                }
                Decl::Function(decl) => self.function(decl, item),
                Decl::Procedure(decl) => self.procedure(decl, item),
                _ => {}
            }
        }
    }

    fn constants(&mut self, decl: &ast::ConstDecl, item: u32) {
        let ty = self.resolve(&decl.ty, item, &mut Vec::new());
        for name in &decl.names {
            let first = self.env.value(&name.name).map(|(_, info)| info.place);
            let id = ConstantId::new(self.env.constants.len());
            if self.admit(
                Space::Value,
                "constant",
                name,
                item,
                &decl.attributes,
                first,
            ) {
                self.env
                    .values
                    .insert(name.name.clone(), Value::Constant(id));
            }
            self.env.constants.push(value_info(name, ty.clone(), item));
        }
    }

    fn globals(&mut self, decl: &ast::VarDecl, item: u32) {
        for group in &decl.groups {
            let ty = self.resolve(&group.ty, item, &mut Vec::new());
            for name in &group.names {
                let first = self.env.value(&name.name).map(|(_, info)| info.place);
                let id = GlobalId::new(self.env.globals.len());
                if self.admit(
                    Space::Value,
                    "global variable",
                    name,
                    item,
                    &decl.attributes,
                    first,
                ) {
                    self.env.values.insert(name.name.clone(), Value::Global(id));
                }
                self.env.globals.push(value_info(name, ty.clone(), item));
            }
        }
    }

    fn datatype(&mut self, decl: &ast::DatatypeDecl, id: DatatypeId, item: u32) {
        let Some(info) = self.env.datatypes.get(id.index()) else {
            return;
        };
        let mut scope: TypeScope = decl
            .type_params
            .iter()
            .map(|param| param.name.clone())
            .zip(info.type_params.iter().copied())
            .collect();
        let mut fields: Vec<FieldInfo> = Vec::new();
        let mut constructors: Vec<DatatypeConstructorInfo> = Vec::new();
        for (index, constructor) in decl.constructors.iter().enumerate() {
            let name = &constructor.name;
            let own = constructors
                .iter()
                .find(|info| info.name == name.name)
                .map(|info| info.place);
            let first = own.or_else(|| self.callable_place(&name.name));
            if self.admit(
                Space::Callable,
                "constructor",
                name,
                item,
                &decl.attributes,
                first,
            ) {
                self.env
                    .callables
                    .insert(name.name.clone(), Callable::Constructor(id, index));
            }
            let mut own_fields: Vec<usize> = Vec::new();
            for group in &constructor.fields {
                let ty = self.resolve(&group.ty, item, &mut scope);
                for name in &group.names {
                    let position = own_fields.len();
                    let known = fields.iter().position(|field| field.name == name.name);
                    match known {
                        Some(field) if own_fields.contains(&field) => {
                            let first = fields[field].place;
                            self.messages
                                .push(declared_twice("field", name, item, Some(first)));
                            // A field of its own, so that the constructor keeps its number of arguments.
                            own_fields.push(fields.len());
                            fields.push(field_info(name, ty.clone(), (index, position), item));
                        }
                        Some(field) => {
                            if fields[field].ty != ty {
                                self.messages.push(
                                    Message::error(
                                        Id::FIELD_TYPES,
                                        format!("the field `{}` has two types", name.name),
                                        Place { item, span: name.span },
                                        "another type than in the first constructor with this field",
                                    )
                                    .with_label(fields[field].place, "first declared here"),
                                );
                            }
                            fields[field].positions.push((index, position));
                            own_fields.push(field);
                        }
                        None => {
                            own_fields.push(fields.len());
                            fields.push(field_info(name, ty.clone(), (index, position), item));
                        }
                    }
                }
            }
            constructors.push(DatatypeConstructorInfo {
                name: name.name.clone(),
                fields: own_fields,
                place: Place {
                    item,
                    span: name.span,
                },
            });
        }
        if let Some(info) = self.env.datatypes.get_mut(id.index()) {
            info.constructors = constructors;
            info.fields = fields;
        }
    }

    fn function(&mut self, decl: &ast::FunctionDecl, item: u32) {
        let name = &decl.name;
        let first = self.callable_place(&name.name);
        let id = FunctionId::new(self.env.functions.len());
        if self.admit(
            Space::Callable,
            "function",
            name,
            item,
            &decl.attributes,
            first,
        ) {
            self.env
                .callables
                .insert(name.name.clone(), Callable::Function(id));
        }
        let mut scope = Vec::new();
        let type_params = self.type_params(&decl.type_params, item, &mut scope);
        let mut params = Vec::new();
        let mut names: Vec<&ast::Ident> = Vec::new();
        for group in &decl.params {
            let ty = self.resolve(&group.ty, item, &mut scope);
            params.resize(params.len() + group.names.len().max(1), ty);
            names.extend(&group.names);
        }
        names.extend(&decl.result.names);
        self.distinct("parameter", &names, item);
        let result = self.resolve(&decl.result.ty, item, &mut scope);
        self.used_type_params(
            &decl.type_params,
            &type_params,
            params.iter().chain([&result]),
            item,
        );
        self.env.functions.push(FunctionInfo {
            name: name.name.clone(),
            type_params,
            params,
            result,
            place: Place {
                item,
                span: name.span,
            },
        });
    }

    fn procedure(&mut self, decl: &ast::ProcedureDecl, item: u32) {
        let signature = &decl.signature;
        let name = &signature.name;
        let known = self.env.procedure(&name.name).map(|(_, info)| info.place);
        let id = ProcedureId::new(self.env.procedures.len());
        if self.admit(
            Space::Procedure,
            "procedure",
            name,
            item,
            &signature.attributes,
            known,
        ) {
            self.env.procedure_names.insert(name.name.clone(), id);
        }
        let mut scope = Vec::new();
        let type_params = self.type_params(&signature.type_params, item, &mut scope);
        let ins = self.parameters(&signature.params, item, &mut scope);
        let outs = self.parameters(&signature.results, item, &mut scope);
        let names: Vec<&ast::Ident> = signature
            .params
            .iter()
            .chain(&signature.results)
            .flat_map(|group| &group.names)
            .collect();
        self.distinct("parameter", &names, item);
        self.used_type_params(
            &signature.type_params,
            &type_params,
            ins.iter().chain(&outs).map(|info| &info.ty),
            item,
        );
        let mut modifies = Vec::new();
        let mut has_modifies = false;
        for spec in &decl.specs {
            if let ast::SpecKind::Modifies(names) = &spec.kind {
                has_modifies = true;
                if decl.pure_ && !names.is_empty() {
                    self.messages.push(Message::error(
                        Id::PURE_PROCEDURE,
                        format!("the pure procedure `{}` has a modifies clause", name.name),
                        Place {
                            item,
                            span: name.span,
                        },
                        "a pure procedure changes no global variable",
                    ));
                }
                for name in names {
                    self.modified(name, item, &mut modifies);
                }
            }
        }
        modifies.sort_unstable();
        modifies.dedup();
        self.env.procedures.push(ProcedureInfo {
            name: name.name.clone(),
            type_params,
            ins,
            outs,
            modifies,
            has_modifies,
            pure_: decl.pure_,
            place: Place {
                item,
                span: name.span,
            },
        });
    }

    fn modified(&mut self, name: &ast::Ident, item: u32, modifies: &mut Vec<GlobalId>) {
        let place = Place {
            item,
            span: name.span,
        };
        match self.env.value(&name.name) {
            Some((Value::Global(id), _)) => modifies.push(id),
            Some((Value::Constant(_), info)) => {
                let declared = info.place;
                self.messages.push(
                    Message::error(
                        Id::MODIFIES_CONSTANT,
                        format!("the modifies clause names the constant `{}`", name.name),
                        place,
                        "a constant never changes",
                    )
                    .with_label(declared, "declared as a constant here"),
                );
            }
            None => {
                let globals = self.env.globals.iter().map(|info| &*info.name);
                let help = did_you_mean(&name.name, globals);
                self.messages.push(
                    Message::error(
                        Id::UNKNOWN_VARIABLE,
                        format!("there is no global variable `{}`", name.name),
                        place,
                        "unknown variable",
                    )
                    .with_optional_help(help),
                );
            }
        }
    }

    fn parameters(
        &mut self,
        groups: &[ast::TypedIdents],
        item: u32,
        scope: &mut TypeScope,
    ) -> Vec<ValueInfo> {
        let mut infos = Vec::new();
        for group in groups {
            let ty = self.resolve(&group.ty, item, scope);
            infos.extend(
                group
                    .names
                    .iter()
                    .map(|name| value_info(name, ty.clone(), item)),
            );
        }
        infos
    }

    /// Reports names that occur twice in the list.
    pub(super) fn distinct(&mut self, what: &str, names: &[&ast::Ident], item: u32) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            if let Some(first) = seen.get(&*name.name) {
                let first = Place { item, span: *first };
                self.messages
                    .push(declared_twice(what, name, item, Some(first)));
            } else {
                seen.insert(&name.name, name.span);
            }
        }
    }

    /// Reports type parameters that no argument or result determines.
    fn used_type_params<'t>(
        &mut self,
        written: &[ast::Ident],
        vars: &[TypeVarId],
        types: impl Iterator<Item = &'t Type>,
        item: u32,
    ) {
        if vars.is_empty() {
            return;
        }
        let mut free = Vec::new();
        for ty in types {
            if *ty == Type::Error {
                return;
            }
            free_vars(ty, &mut free);
        }
        for (name, var) in written.iter().zip(vars) {
            if !free.contains(var) {
                self.messages.push(unused_type_variable(
                    name,
                    item,
                    "the types of the parameters or results",
                ));
            }
        }
    }
}

/// Whether a name is that of bit-vectors or floating-point numbers of some width: where it is used, it means those.
fn is_built_in(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let format = || name.strip_prefix("float")?.split_once('e');
    name.strip_prefix("bv").is_some_and(is_number)
        || format()
            .is_some_and(|(significand, exponent)| is_number(significand) && is_number(exponent))
}

/// The complaint about a type variable whose name is taken.
pub fn type_variable_clash(
    env: &Environment,
    scope: &TypeScope,
    name: &ast::Ident,
    item: u32,
) -> Option<Message> {
    if scope.iter().any(|(known, _)| *known == name.name) {
        return Some(declared_twice("type variable", name, item, None));
    }
    let place = match env.types.get(&name.name)? {
        TypeName::Constructor(id) => env.constructors.get(id.index())?.place,
        TypeName::Synonym(index) => env.synonyms.get(*index)?.place,
        TypeName::Datatype(id) => env.datatypes.get(id.index())?.place,
    };
    Some(
        Message::error(
            Id::DECLARED_TWICE,
            format!("the type variable `{}` has the name of a type", name.name),
            Place {
                item,
                span: name.span,
            },
            "declared as a type variable here",
        )
        .with_label(place, "declared as a type here"),
    )
}

fn value_info(name: &ast::Ident, ty: Type, item: u32) -> ValueInfo {
    ValueInfo {
        name: name.name.clone(),
        ty,
        place: Place {
            item,
            span: name.span,
        },
    }
}

pub(super) fn field_info(
    name: &ast::Ident,
    ty: Type,
    position: (usize, usize),
    item: u32,
) -> FieldInfo {
    FieldInfo {
        name: name.name.clone(),
        ty,
        positions: vec![position],
        place: Place {
            item,
            span: name.span,
        },
    }
}
