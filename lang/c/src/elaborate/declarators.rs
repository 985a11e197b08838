//! Declarators and type names (C11 6.7.6, 6.7.7).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::{ExprKind, StmtKind};
use crate::syntax::{self as c, Node};
use crate::types::{FunctionType, Length, Type};

use super::Elaborator;
use super::attributes::Attributes;
use super::scope::Scope;
use super::specifiers::with_mode;

/// What a declarator declares.
pub(super) struct Declared {
    /// The name and its place; `None` for an abstract declarator.
    pub(super) name: Option<(String, Span)>,
    pub(super) ty: Type,
    /// The parameters, if the name is that of a function.
    pub(super) parameters: Option<Parameters>,
    /// Whether the type is another one than that of the specifiers.
    pub(super) derived: bool,
}

/// The parameters of a function declarator.
pub(super) struct Parameters {
    pub(super) names: Vec<Option<(String, Span)>>,
    /// What its prototype declares: tags and the like.
    pub(super) scope: Scope,
}

impl Elaborator {
    pub(super) fn type_name(&mut self, name: &c::TypeName) -> Type {
        self.aligned_type_name(name).0
    }

    /// A type, with the alignment that a typedef gives it.
    pub(super) fn aligned_type_name(&mut self, name: &c::TypeName) -> (Type, Option<u64>) {
        ensure_stack(|| {
            let specifiers = self.qualified_specifiers(&name.specifiers);
            if let Some(what) = &specifiers.attributes.unsupported {
                let what = what.clone();
                self.not_covered(&what, specifiers.span);
            }
            let ty = match &name.declarator {
                Some(declarator) => self.declarator(specifiers.ty.clone(), &declarator.node).ty,
                None => specifiers.ty.clone(),
            };
            let align = self.align_of_elements(&specifiers, &ty);
            (ty, align)
        })
    }

    /// Applies a declarator to the type of the specifiers.
    pub(super) fn declarator(&mut self, base: Type, declarator: &c::Declarator) -> Declared {
        ensure_stack(|| {
            let mut ty = base;
            let mut parameters = None;
            // Pointers bind weaker than arrays and functions.
            let is_pointer = |derived: &Node<c::DerivedDeclarator>| {
                matches!(derived.node, c::DerivedDeclarator::Pointer(_))
            };
            for derived in &declarator.derived {
                let c::DerivedDeclarator::Pointer(qualifiers) = &derived.node else {
                    continue;
                };
                for qualifier in qualifiers {
                    if let c::PointerQualifier::Extension(extensions) = &qualifier.node {
                        self.refuse_within(extensions, derived.span);
                    }
                }
                ty = ty.pointer();
                parameters = None;
            }
            // Lengths are computed in the order in which they are written.
            let mut suffixes = Vec::new();
            for derived in declarator
                .derived
                .iter()
                .filter(|derived| !is_pointer(derived))
            {
                suffixes.push((self.suffix(derived), derived));
            }
            for (suffix, derived) in suffixes.into_iter().rev() {
                let place = derived.span;
                match suffix {
                    Suffix::Array(length) => {
                        ty = self.array(ty, length, place);
                        parameters = None;
                    }
                    Suffix::Function(types, variadic, prototyped, found) => {
                        if matches!(ty, Type::Array(..) | Type::Function(_)) {
                            self.error(
                                Id::C_BAD_DECLARATION,
                                "a function that returns an array or a function",
                                place,
                                "it could return a pointer",
                            );
                            ty = ty.pointer();
                        }
                        ty = Type::Function(
                            FunctionType {
                                result: ty,
                                params: types,
                                variadic,
                                prototyped,
                            }
                            .into(),
                        );
                        parameters = Some(found);
                    }
                }
            }
            let derived = !declarator.derived.is_empty();
            match &declarator.kind.node {
                c::DeclaratorKind::Abstract => Declared {
                    name: None,
                    ty,
                    parameters,
                    derived,
                },
                c::DeclaratorKind::Identifier(identifier) => Declared {
                    name: Some((identifier.node.name.clone(), identifier.span)),
                    ty,
                    parameters,
                    derived,
                },
                c::DeclaratorKind::Declarator(inner) => {
                    self.refuse_within(&inner.node.extensions, inner.span);
                    let mut declared = self.declarator(ty, &inner.node);
                    if !declared.derived {
                        declared.parameters = parameters;
                    }
                    declared.derived |= derived;
                    declared
                }
            }
        })
    }

    /// Attributes within a declarator that would change a type there.
    fn refuse_within(&mut self, extensions: &[Node<c::Extension>], place: Span) {
        let mut attributes = Attributes::default();
        self.attributes(extensions, &mut attributes);
        let what = attributes.unsupported.or_else(|| {
            let align = attributes.align.map(|_| "aligned");
            let name = align.or(attributes.mode.map(|_| "mode"))?;
            Some(format!("the attribute `{name}` within a declarator"))
        });
        if let Some(what) = what {
            self.not_covered(&what, place);
        }
    }

    fn suffix(&mut self, derived: &Node<c::DerivedDeclarator>) -> Suffix {
        match &derived.node {
            c::DerivedDeclarator::Array(array) => Suffix::Array(self.length(&array.node.size)),
            c::DerivedDeclarator::Function(function) => self.prototype(&function.node),
            c::DerivedDeclarator::KRFunction(names) => {
                let names: Vec<_> = names
                    .iter()
                    .map(|name| Some((name.node.name.clone(), name.span)))
                    .collect();
                // The types come with the declarations behind, if it is a definition.
                Suffix::Function(
                    Vec::new(),
                    false,
                    false,
                    Parameters {
                        names,
                        scope: Scope::default(),
                    },
                )
            }
            c::DerivedDeclarator::Pointer(_) => Suffix::Array(Length::Unknown),
        }
    }

    fn array(&mut self, element: Type, length: Length, place: Span) -> Type {
        let incomplete = match &element {
            Type::Void | Type::Function(_) | Type::Array(_, Length::Unknown) => true,
            Type::Record(id) => self.program.record(*id).fields.is_none(),
            _ => false,
        };
        // Parameters of prototypes may leave out lengths that only matter inside of the function.
        if incomplete && self.prototypes == 0 && !matches!(element, Type::Record(_)) {
            self.error(
                Id::C_BAD_DECLARATION,
                format!("an array of `{}`", self.show(&element)),
                place,
                "the size of its elements is not known",
            );
            return Type::Array(Type::INT.into(), length);
        }
        Type::Array(element.into(), length)
    }

    /// The length of an array; computed now if it is not constant.
    fn length(&mut self, size: &c::ArraySize) -> Length {
        let expression = match size {
            c::ArraySize::Unknown | c::ArraySize::VariableUnknown => return Length::Unknown,
            c::ArraySize::VariableExpression(expression)
            | c::ArraySize::StaticExpression(expression) => expression,
        };
        let place = expression.span;
        let unknown = self.function.is_none() || self.prototypes > 0;
        let value = if unknown {
            self.unevaluated(|this| this.value(expression))
        } else {
            self.value(expression)
        };
        if !value.ty.is_integer() {
            self.mismatch(&value, "the length of an array needs an integer".to_owned());
            return Length::Known(1);
        }
        match value.kind {
            ExprKind::Int(number) => match u64::try_from(number) {
                Ok(number) => Length::Known(number),
                Err(_) => {
                    self.error(
                        Id::C_BAD_DECLARATION,
                        format!("an array of {number} elements"),
                        place,
                        "a length is not negative",
                    );
                    Length::Known(1)
                }
            },
            ExprKind::Unsupported(_) if unknown => Length::Unknown,
            _ if self.prototypes > 0 => Length::Unknown,
            _ if unknown => {
                self.error(
                    Id::C_CONSTANT,
                    "the length of an array outside of functions must be a constant",
                    place,
                    "its value is not known before the program runs",
                );
                Length::Unknown
            }
            _ => {
                let size = Type::Int(self.program.model.size_type());
                let value = self.convert(value, &size);
                let length = self.temporary(size, place);
                let crate::ir::Base::Variable(id) = length.base else {
                    return Length::Unknown;
                };
                self.emit(StmtKind::Assign(length, value), place);
                Length::Variable(id)
            }
        }
    }

    fn prototype(&mut self, function: &c::FunctionDeclarator) -> Suffix {
        self.scopes.push(Scope::default());
        self.prototypes += 1;
        let mut types = Vec::new();
        let mut names = Vec::new();
        for parameter in &function.parameters {
            let (name, ty) = self.parameter(&parameter.node);
            let place = parameter.span;
            if matches!(ty, Type::Void) && name.is_none() && function.parameters.len() == 1 {
                break;
            }
            if let Some((name, _)) = &name {
                // Lengths of later parameters may mention it.
                self.bind(name, super::scope::Binding::Parameter(ty.clone()));
            }
            if matches!(ty, Type::Void) {
                self.error(
                    Id::C_BAD_DECLARATION,
                    "a parameter of the type `void`",
                    place,
                    "it has no value",
                );
            }
            types.push(ty);
            names.push(name);
        }
        self.prototypes -= 1;
        let mut scope = self.scopes.pop().unwrap_or_default();
        scope
            .names
            .retain(|_, binding| !matches!(binding, super::scope::Binding::Parameter(_)));
        let variadic = matches!(function.ellipsis, c::Ellipsis::Some);
        Suffix::Function(types, variadic, true, Parameters { names, scope })
    }

    /// The name and type of a parameter, after arrays and functions became pointers.
    pub(super) fn parameter(
        &mut self,
        parameter: &c::ParameterDeclaration,
    ) -> (Option<(String, Span)>, Type) {
        let specifiers = self.declaration_specifiers(&parameter.specifiers);
        let mut attributes = specifiers.attributes.clone();
        self.attributes(&parameter.extensions, &mut attributes);
        let (name, mut ty) = match &parameter.declarator {
            Some(declarator) => {
                self.attributes(&declarator.node.extensions, &mut attributes);
                let declared = self.declarator(specifiers.ty, &declarator.node);
                (declared.name, declared.ty)
            }
            None => (None, specifiers.ty),
        };
        if let Some(what) = &attributes.unsupported {
            self.not_covered(what, specifiers.span);
        }
        if let Some(mode) = attributes.mode {
            ty = with_mode(&ty, mode);
        }
        (name, adjusted(ty))
    }
}

/// C11 6.7.6.3, paragraphs 7 and 8.
pub(super) fn adjusted(ty: Type) -> Type {
    match ty {
        Type::Array(element, _) => Type::Pointer(element),
        Type::Function(_) => ty.pointer(),
        other => other,
    }
}

/// An array or function part of a declarator.
enum Suffix {
    Array(Length),
    Function(Vec<Type>, bool, bool, Parameters),
}
