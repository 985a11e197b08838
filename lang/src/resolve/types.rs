//! From written types to types with synonyms expanded, and operations on those.
//!
//! Type variables live in ranges of [`TypeVarId`], so that a number tells what it is:
//! * below [`SKOLEM`]: bound by a declaration, quantifier or lambda; opaque to the type checker,
//! * from [`SKOLEM`] on: stand-ins for the bound variables of two map types that are being compared,
//! * from [`INFER`] on: unknowns of the type inference,
//! * from [`MAP_BOUND`] on: bound by a map type. They are numbered by the depth of their binder and the order of their
//!   first occurrence, so that types that differ in the names of bound variables only are equal.

use std::sync::Arc;

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::{MapType, Type, TypeVarId};
use crate::resolve::environment::{Environment, TypeName};
use crate::resolve::message::{Message, Place};
use crate::resolve::suggest::did_you_mean;
use crate::stack::ensure_stack;

/// First number of stand-ins for the bound variables of map types.
pub const SKOLEM: u32 = 1 << 29;
/// First number of unknowns of the inference.
pub const INFER: u32 = 1 << 30;
/// First number of variables bound by map types.
pub const MAP_BOUND: u32 = 1 << 31;

/// How deeply a type may be nested, synonyms expanded.
pub const MAX_DEPTH: usize = 200;
/// How many parts a type may have, synonyms expanded.
pub const MAX_SIZE: usize = 2_000;

/// Whether the variable is an unknown of the inference.
pub fn is_infer(var: TypeVarId) -> bool {
    (INFER..MAP_BOUND).contains(&var.0)
}

/// Type variables in scope, innermost last.
pub type TypeScope = Vec<(Arc<str>, TypeVarId)>;

/// Resolves written types.
pub struct TypeResolver<'a> {
    /// The declared types.
    pub env: &'a Environment,
    /// The declaration at hand.
    pub item: u32,
    /// The type variables in scope.
    pub scope: &'a mut TypeScope,
    /// Where messages go.
    pub messages: &'a mut Vec<Message>,
    /// How many variables enclosing map types bind.
    map_bound: u32,
}

impl<'a> TypeResolver<'a> {
    /// A resolver for types of one declaration.
    pub fn new(
        env: &'a Environment,
        item: u32,
        scope: &'a mut TypeScope,
        messages: &'a mut Vec<Message>,
    ) -> Self {
        Self {
            env,
            item,
            scope,
            messages,
            map_bound: 0,
        }
    }

    fn place(&self, span: crate::span::Span) -> Place {
        Place {
            item: self.item,
            span,
        }
    }

    /// The type that is written there, or [`Type::Error`] with a message.
    pub fn resolve(&mut self, written: &ast::Type) -> Type {
        let ty = self.resolve_part(written);
        if fits(&ty) {
            return canonical(&ty);
        }
        self.messages.push(
            Message::error(
                Id::TYPE_TOO_LARGE,
                "this type is too large",
                self.place(written.span),
                "too large once its synonyms are expanded",
            )
            .with_help(format!(
                "a type may be nested {MAX_DEPTH} levels deep and have {MAX_SIZE} parts; \
                         declare a type constructor or a datatype for a part of it"
            )),
        );
        Type::Error
    }

    fn resolve_part(&mut self, written: &ast::Type) -> Type {
        ensure_stack(|| match &written.kind {
            ast::TypeKind::Bool => Type::Bool,
            ast::TypeKind::Int => Type::Int,
            ast::TypeKind::Real => Type::Real,
            ast::TypeKind::BitVector(width) => Type::BitVec(*width),
            ast::TypeKind::Float(format) => Type::Float {
                significand: format.significand,
                exponent: format.exponent,
            },
            ast::TypeKind::Named { name, args } => self.named(name, args, written.span),
            ast::TypeKind::Map {
                params,
                domain,
                range,
            } => self.map(params, domain, range),
            ast::TypeKind::Error => Type::Error,
        })
    }

    fn named(&mut self, name: &ast::Ident, args: &[ast::Type], span: crate::span::Span) -> Type {
        let args_span = span;
        let args: Vec<Type> = args.iter().map(|arg| self.resolve_part(arg)).collect();
        if let Some((_, var)) = self
            .scope
            .iter()
            .rev()
            .find(|(known, _)| *known == name.name)
        {
            let var = *var;
            self.check_arity("type variable", name, 0, args.len(), args_span);
            return Type::Var(var);
        }
        match self.env.types.get(&name.name) {
            Some(TypeName::Constructor(id)) => {
                let arity = self
                    .env
                    .constructors
                    .get(id.index())
                    .map_or(0, |info| info.arity);
                if !self.check_arity("type constructor", name, arity, args.len(), args_span) {
                    return Type::Error;
                }
                Type::Constructor(*id, args)
            }
            Some(TypeName::Datatype(id)) => {
                let arity = self
                    .env
                    .datatypes
                    .get(id.index())
                    .map_or(0, |info| info.type_params.len());
                if !self.check_arity("datatype", name, arity, args.len(), args_span) {
                    return Type::Error;
                }
                Type::Datatype(*id, args)
            }
            Some(TypeName::Synonym(index)) => {
                let Some(synonym) = self.env.synonyms.get(*index) else {
                    return Type::Error;
                };
                if !self.check_arity(
                    "type synonym",
                    name,
                    synonym.params.len(),
                    args.len(),
                    args_span,
                ) {
                    return Type::Error;
                }
                // The size of the expansion is bounded by that of its parts, each of which is within the limit.
                if !args.iter().all(fits) {
                    return Type::Error;
                }
                substitute_params(&synonym.body, &synonym.params, &args)
            }
            None => self.builtin(name, &args, args_span),
        }
    }

    /// The types whose names are not reserved.
    fn builtin(&mut self, name: &ast::Ident, args: &[Type], span: crate::span::Span) -> Type {
        let ty = match &*name.name {
            "string" => Type::String,
            "regex" => Type::Regex,
            "rmode" => Type::RoundingMode,
            _ => {
                let known = self
                    .env
                    .types
                    .keys()
                    .chain(self.scope.iter().map(|(name, _)| name))
                    .map(|name| &**name)
                    .chain(["bool", "int", "real", "string", "regex", "rmode"]);
                let other = match &*name.name.to_lowercase() {
                    "integer" | "int32" | "int64" | "nat" | "long" => Some("int"),
                    "boolean" => Some("bool"),
                    "float" => Some("float24e8"),
                    "double" => Some("float53e11"),
                    _ => None,
                };
                let help = match other {
                    Some(other) => format!("did you mean `{other}`?"),
                    None => did_you_mean(&name.name, known)
                        .unwrap_or_else(|| format!("a type is declared by `type {};`", name.name)),
                };
                self.messages.push(
                    Message::error(
                        Id::UNKNOWN_TYPE,
                        format!("there is no type `{}`", name.name),
                        self.place(name.span),
                        "unknown type",
                    )
                    .with_help(help),
                );
                return Type::Error;
            }
        };
        self.check_arity("type", name, 0, args.len(), span);
        ty
    }

    fn check_arity(
        &mut self,
        what: &str,
        name: &ast::Ident,
        wanted: usize,
        given: usize,
        span: crate::span::Span,
    ) -> bool {
        if wanted == given {
            return true;
        }
        self.messages.push(Message::error(
            Id::TYPE_ARGUMENTS,
            format!(
                "the {what} `{}` takes {}, not {given}",
                name.name,
                count(wanted, "argument")
            ),
            self.place(span),
            format!("{} given", count(given, "argument")),
        ));
        false
    }

    fn map(&mut self, params: &[ast::Ident], domain: &[ast::Type], range: &ast::Type) -> Type {
        let scope = self.scope.len();
        let first = self.map_bound;
        let mut type_params = Vec::new();
        for param in params {
            if self.scope[scope..]
                .iter()
                .any(|(name, _)| *name == param.name)
            {
                self.messages
                    .push(declared_twice("type variable", param, self.item, None));
                continue;
            }
            let var = TypeVarId(MAP_BOUND.saturating_add(self.map_bound));
            self.map_bound = self.map_bound.saturating_add(1);
            self.scope.push((param.name.clone(), var));
            type_params.push(var);
        }
        let domain: Vec<Type> = domain.iter().map(|part| self.resolve_part(part)).collect();
        let range = self.resolve_part(range);
        self.scope.truncate(scope);
        self.map_bound = first;
        let mut free = Vec::new();
        for part in domain.iter().chain([&range]) {
            free_vars(part, &mut free);
        }
        for (param, var) in params.iter().zip(&type_params) {
            if !free.contains(var) && !domain.contains(&Type::Error) && range != Type::Error {
                self.messages.push(unused_type_variable(
                    param,
                    self.item,
                    "the types of the map's indices or elements",
                ));
            }
        }
        Type::Map(Box::new(MapType {
            type_params,
            domain,
            range,
        }))
    }
}

/// "more than one declaration" with the first one's place, if known.
pub fn declared_twice(what: &str, name: &ast::Ident, item: u32, first: Option<Place>) -> Message {
    let message = Message::error(
        Id::DECLARED_TWICE,
        format!("the {what} `{}` is declared twice", name.name),
        Place {
            item,
            span: name.span,
        },
        "declared again here",
    );
    match first {
        Some(first) => message.with_label(first, "first declared here"),
        None => message,
    }
}

/// A type variable that nothing can determine.
pub fn unused_type_variable(name: &ast::Ident, item: u32, where_: &str) -> Message {
    Message::error(
        Id::UNUSED_TYPE_VARIABLE,
        format!(
            "the type variable `{}` does not occur in {where_}",
            name.name
        ),
        Place {
            item,
            span: name.span,
        },
        "nothing determines what it stands for",
    )
}

/// "1 argument", "2 arguments".
pub fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// Replaces type parameters by arguments.
pub fn substitute_params(ty: &Type, params: &[TypeVarId], args: &[Type]) -> Type {
    if params.is_empty() {
        return ty.clone();
    }
    substitute(ty, &|var| {
        let index = params.iter().position(|param| *param == var)?;
        args.get(index).cloned()
    })
}

/// Replaces free type variables; `None` leaves one as it is. The replacements must not contain variables that are
/// bound by map types, except inside of those.
pub fn substitute(ty: &Type, replace: &dyn Fn(TypeVarId) -> Option<Type>) -> Type {
    ensure_stack(|| match ty {
        Type::Var(var) => replace(*var).unwrap_or_else(|| ty.clone()),
        Type::Map(map) => ty.map_parts(&mut |part| {
            substitute(part, &|var| {
                let is_bound = map.type_params.contains(&var);
                if is_bound { None } else { replace(var) }
            })
        }),
        _ => ty.map_parts(&mut |part| substitute(part, replace)),
    })
}

/// Adds the free variables of the type, in order of first occurrence.
pub fn free_vars(ty: &Type, vars: &mut Vec<TypeVarId>) {
    ensure_stack(|| match ty {
        Type::Var(var) if vars.contains(var) => {}
        Type::Var(var) => vars.push(*var),
        Type::Map(map) => {
            let mut inner = Vec::new();
            ty.parts().for_each(|part| free_vars(part, &mut inner));
            for var in inner {
                if !map.type_params.contains(&var) && !vars.contains(&var) {
                    vars.push(var);
                }
            }
        }
        _ => ty.parts().for_each(|part| free_vars(part, vars)),
    })
}

/// Whether the type is within [`MAX_DEPTH`] and [`MAX_SIZE`].
pub fn fits(ty: &Type) -> bool {
    fn walk(ty: &Type, depth: usize, size: &mut usize) -> bool {
        *size += 1;
        depth <= MAX_DEPTH
            && *size <= MAX_SIZE
            && ty.parts().all(|part| walk(part, depth + 1, size))
    }
    walk(ty, 1, &mut 0)
}

/// The type with the bound variables of its map types numbered canonically. The type must be within the limits.
pub fn canonical(ty: &Type) -> Type {
    fn walk(ty: &Type, level: u32, renamed: &mut Vec<(TypeVarId, TypeVarId)>) -> Type {
        match ty {
            Type::Var(var) => Type::Var(
                renamed
                    .iter()
                    .rev()
                    .find(|(from, _)| from == var)
                    .map_or(*var, |(_, to)| *to),
            ),
            Type::Map(map) => {
                let mark = renamed.len();
                let mut order = Vec::new();
                ty.parts().for_each(|part| free_vars(part, &mut order));
                let mut type_params = Vec::new();
                let mut level = level;
                for var in order
                    .iter()
                    .filter(|var| map.type_params.contains(var))
                    .chain(map.type_params.iter().filter(|var| !order.contains(var)))
                {
                    let to = TypeVarId(MAP_BOUND.saturating_add(level));
                    level = level.saturating_add(1);
                    renamed.push((*var, to));
                    type_params.push(to);
                }
                let domain = map
                    .domain
                    .iter()
                    .map(|part| walk(part, level, renamed))
                    .collect();
                let range = walk(&map.range, level, renamed);
                renamed.truncate(mark);
                Type::Map(Box::new(MapType {
                    type_params,
                    domain,
                    range,
                }))
            }
            _ => ty.map_parts(&mut |part| walk(part, level, renamed)),
        }
    }
    walk(ty, 0, &mut Vec::new())
}

/// Writes a type as the source would; `names` tells the names of the variables below [`SKOLEM`].
pub fn show(env: &Environment, names: &dyn Fn(TypeVarId) -> Option<Arc<str>>, ty: &Type) -> String {
    let mut out = String::new();
    write_type(env, names, ty, false, &mut out);
    out
}

fn write_type(
    env: &Environment,
    names: &dyn Fn(TypeVarId) -> Option<Arc<str>>,
    ty: &Type,
    atomic: bool,
    out: &mut String,
) {
    ensure_stack(|| match ty {
        Type::Bool => out.push_str("bool"),
        Type::Int => out.push_str("int"),
        Type::Real => out.push_str("real"),
        Type::BitVec(width) => out.push_str(&format!("bv{width}")),
        Type::Float {
            significand,
            exponent,
        } => out.push_str(&format!("float{significand}e{exponent}")),
        Type::String => out.push_str("string"),
        Type::Regex => out.push_str("regex"),
        Type::RoundingMode => out.push_str("rmode"),
        Type::Error => out.push('?'),
        Type::Var(var) => match names(*var) {
            Some(name) => out.push_str(&name),
            None if var.0 >= MAP_BOUND => out.push_str(&format!("t{}", var.0 - MAP_BOUND)),
            None => out.push('_'),
        },
        Type::Constructor(id, args) => {
            let name = env
                .constructors
                .get(id.index())
                .map_or("?", |info| &*info.name);
            write_application(env, names, name, args, atomic, out);
        }
        Type::Datatype(id, args) => {
            let name = env
                .datatypes
                .get(id.index())
                .map_or("?", |info| &*info.name);
            write_application(env, names, name, args, atomic, out);
        }
        Type::Map(map) => {
            if atomic {
                out.push('(');
            }
            if !map.type_params.is_empty() {
                let params: Vec<String> = map
                    .type_params
                    .iter()
                    .map(|var| format!("t{}", var.0.saturating_sub(MAP_BOUND)))
                    .collect();
                out.push_str(&format!("<{}>", params.join(", ")));
            }
            out.push('[');
            for (index, part) in map.domain.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_type(env, names, part, false, out);
            }
            out.push(']');
            write_type(env, names, &map.range, false, out);
            if atomic {
                out.push(')');
            }
        }
    })
}

fn write_application(
    env: &Environment,
    names: &dyn Fn(TypeVarId) -> Option<Arc<str>>,
    name: &str,
    args: &[Type],
    atomic: bool,
    out: &mut String,
) {
    let brackets = atomic && !args.is_empty();
    if brackets {
        out.push('(');
    }
    out.push_str(name);
    for arg in args {
        out.push(' ');
        write_type(env, names, arg, true, out);
    }
    if brackets {
        out.push(')');
    }
}
