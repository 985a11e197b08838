//! Declaration specifiers (C11 6.7.1 to 6.7.5).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::StmtKind;
use crate::syntax::{self as c, Node};
use crate::types::{FloatType, IntType, Type};

use super::Elaborator;
use super::attributes::{Attributes, Mode};
use super::scope::Binding;

/// A storage class that matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Class {
    /// None, `auto` or `register`.
    #[default]
    None,
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
}

/// What specifiers say.
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    pub(super) class: Class,
    pub(super) ty: Type,
    /// An alignment other than the type's own one: of a typedef, an attribute or `_Alignas`.
    pub(super) align: Option<u64>,
    pub(super) constant: bool,
    pub(super) volatile: bool,
    pub(super) inline: bool,
    /// `auto`
    pub(super) automatic: bool,
    pub(super) thread: bool,
    /// gcc's `__auto_type`: the type is that of the initialiser.
    pub(super) deduced: bool,
    pub(super) attributes: Attributes,
    pub(super) span: Span,
}

/// Specifiers of declarations and of members and type names alike.
pub(super) enum Specifier<'a> {
    Type(&'a Node<c::TypeSpecifier>),
    Qualifier(&'a c::TypeQualifier),
    Extension(&'a [Node<c::Extension>]),
    Class(&'a Node<c::StorageClassSpecifier>),
    Function(&'a c::FunctionSpecifier),
    Alignment(&'a c::AlignmentSpecifier),
}

/// How often each word of a basic type occurs.
#[derive(Default)]
struct Words {
    char: u32,
    short: u32,
    int: u32,
    long: u32,
    float: u32,
    double: u32,
    signed: u32,
    unsigned: u32,
    any: bool,
}

impl Elaborator {
    pub(super) fn declaration_specifiers(
        &mut self,
        specifiers: &[Node<c::DeclarationSpecifier>],
    ) -> Specifiers {
        let list: Vec<(Specifier<'_>, Span)> = specifiers
            .iter()
            .map(|specifier| {
                let kind = match &specifier.node {
                    c::DeclarationSpecifier::StorageClass(class) => Specifier::Class(class),
                    c::DeclarationSpecifier::TypeSpecifier(ty) => Specifier::Type(ty),
                    c::DeclarationSpecifier::TypeQualifier(qualifier) => {
                        Specifier::Qualifier(&qualifier.node)
                    }
                    c::DeclarationSpecifier::Function(function) => {
                        Specifier::Function(&function.node)
                    }
                    c::DeclarationSpecifier::Alignment(alignment) => {
                        Specifier::Alignment(&alignment.node)
                    }
                    c::DeclarationSpecifier::Extension(extension) => {
                        Specifier::Extension(extension)
                    }
                };
                (kind, specifier.span)
            })
            .collect();
        self.specifiers(&list)
    }

    pub(super) fn qualified_specifiers(
        &mut self,
        specifiers: &[Node<c::SpecifierQualifier>],
    ) -> Specifiers {
        let list: Vec<(Specifier<'_>, Span)> = specifiers
            .iter()
            .map(|specifier| {
                let kind = match &specifier.node {
                    c::SpecifierQualifier::TypeSpecifier(ty) => Specifier::Type(ty),
                    c::SpecifierQualifier::TypeQualifier(qualifier) => {
                        Specifier::Qualifier(&qualifier.node)
                    }
                    c::SpecifierQualifier::Alignment(alignment) => {
                        Specifier::Alignment(&alignment.node)
                    }
                    c::SpecifierQualifier::Extension(extension) => Specifier::Extension(extension),
                };
                (kind, specifier.span)
            })
            .collect();
        self.specifiers(&list)
    }

    fn specifiers(&mut self, list: &[(Specifier<'_>, Span)]) -> Specifiers {
        let place = list
            .iter()
            .map(|(_, span)| *span)
            .reduce(Span::join)
            .unwrap_or_default();
        let mut result = Specifiers {
            class: Class::None,
            ty: Type::INT,
            align: None,
            constant: false,
            volatile: false,
            inline: false,
            automatic: false,
            thread: false,
            deduced: false,
            attributes: Attributes::default(),
            span: place,
        };
        self.attributes_of(list, &mut result.attributes);
        let mut words = Words::default();
        let mut named = None;
        let mut atomic = false;
        for (index, (specifier, place)) in list.iter().enumerate() {
            match specifier {
                Specifier::Class(class) => match class.node {
                    c::StorageClassSpecifier::Typedef => result.class = Class::Typedef,
                    c::StorageClassSpecifier::Extern => result.class = Class::Extern,
                    c::StorageClassSpecifier::Static => result.class = Class::Static,
                    c::StorageClassSpecifier::ThreadLocal => result.thread = true,
                    c::StorageClassSpecifier::Auto => result.automatic = true,
                    c::StorageClassSpecifier::Register => {}
                },
                Specifier::Qualifier(qualifier) => {
                    result.constant |= matches!(qualifier, c::TypeQualifier::Const);
                    result.volatile |= matches!(qualifier, c::TypeQualifier::Volatile);
                    atomic |= matches!(qualifier, c::TypeQualifier::Atomic);
                }
                Specifier::Function(function) => {
                    result.inline |= matches!(function, c::FunctionSpecifier::Inline);
                    result.attributes.no_return |=
                        matches!(function, c::FunctionSpecifier::Noreturn);
                }
                Specifier::Alignment(alignment) => {
                    let align = match alignment {
                        c::AlignmentSpecifier::Type(name) => {
                            let ty = self.unevaluated(|this| this.type_name(&name.node));
                            Some(self.layout().align(&ty, true))
                        }
                        c::AlignmentSpecifier::Constant(value) => self
                            .constant_expression(value)
                            .and_then(|align| u64::try_from(align).ok()),
                    };
                    result.attributes.align = result
                        .attributes
                        .align
                        .max(align.filter(|align| align.is_power_of_two()));
                }
                Specifier::Extension(_) => {}
                Specifier::Type(ty) => {
                    atomic |= matches!(ty.node, c::TypeSpecifier::Atomic(_));
                    if let Some(ty) =
                        self.type_specifier(ty, *place, &mut words, &mut result, &list[index + 1..])
                    {
                        named = Some(ty);
                    }
                }
            }
        }
        result.ty = match named {
            // `unsigned __int128`
            Some(Type::Int(int)) if words.unsigned > 0 => Type::Int(IntType {
                signed: false,
                ..int
            }),
            Some(ty) => ty,
            None if words.any => self.basic_type(&words, place),
            None => {
                if !list.is_empty() {
                    self.warning(
                        Id::C_IMPLICIT_INT,
                        "a declaration without a type",
                        place,
                        "taken as `int`",
                    );
                }
                Type::INT
            }
        };
        if let Some(mode) = result.attributes.mode {
            result.ty = with_mode(&result.ty, mode);
        }
        if atomic {
            result.align = self.atomic_align(&result);
        }
        result
    }

    /// The alignment that a typedef asks for, for what a declarator makes of its type: arrays are aligned as their elements are.
    pub(super) fn align_of_elements(
        &mut self,
        specifiers: &Specifiers,
        declared: &Type,
    ) -> Option<u64> {
        let mut ty = declared;
        while *ty != specifiers.ty {
            let Type::Array(element, _) = ty else {
                return None;
            };
            ty = element;
        }
        let align = specifiers.align?;
        let is_record = matches!(ty, Type::Record(_));
        if ty != declared && is_record && align > self.layout().align(ty, true) {
            // gcc does not keep it if it is that of an atomic structure.
            self.not_covered(
                "an array of structures with a larger alignment",
                specifiers.span,
            );
        }
        Some(align)
    }

    /// The alignment of an atomic type: gcc raises it to its size, where that is the one of a machine word.
    fn atomic_align(&self, specifiers: &Specifiers) -> Option<u64> {
        let natural = self.layout().align(&specifiers.ty, true);
        match self.layout().size(&specifiers.ty) {
            Some(size @ (1 | 2 | 4 | 8 | 16)) => {
                let align = specifiers.align.unwrap_or(natural);
                (align < size).then_some(size).or(specifiers.align)
            }
            _ => specifiers.align,
        }
    }

    fn attributes_of(&mut self, list: &[(Specifier<'_>, Span)], attributes: &mut Attributes) {
        for (specifier, _) in list {
            if let Specifier::Extension(extensions) = specifier {
                self.attributes(extensions, attributes);
            }
        }
    }

    /// The type that a specifier names; basic types are words to be counted.
    fn type_specifier(
        &mut self,
        specifier: &Node<c::TypeSpecifier>,
        place: Span,
        words: &mut Words,
        result: &mut Specifiers,
        behind: &[(Specifier<'_>, Span)],
    ) -> Option<Type> {
        let mut word = |count: fn(&mut Words) -> &mut u32| {
            *count(words) += 1;
            words.any = true;
            None
        };
        match &specifier.node {
            c::TypeSpecifier::Void => Some(Type::Void),
            c::TypeSpecifier::Bool => Some(Type::Bool),
            c::TypeSpecifier::Char => word(|words| &mut words.char),
            c::TypeSpecifier::Short => word(|words| &mut words.short),
            c::TypeSpecifier::Int => word(|words| &mut words.int),
            c::TypeSpecifier::Long => word(|words| &mut words.long),
            c::TypeSpecifier::Float => word(|words| &mut words.float),
            c::TypeSpecifier::Double => word(|words| &mut words.double),
            c::TypeSpecifier::Signed => word(|words| &mut words.signed),
            c::TypeSpecifier::Unsigned => word(|words| &mut words.unsigned),
            c::TypeSpecifier::Complex => {
                self.not_covered("complex numbers", place);
                Some(Type::Float(FloatType::Double))
            }
            c::TypeSpecifier::Atomic(name) => Some(self.type_name(&name.node)),
            c::TypeSpecifier::Struct(node) => {
                // Those behind the members are part of the type, others of what is declared.
                let mut attributes = Attributes::default();
                self.attributes_of(behind, &mut attributes);
                let ty = self.record_specifier(&node.node, place, &attributes);
                if node.node.declarations.is_some() {
                    self.refuse_of_tag(&attributes, place);
                    result.attributes.packed &= !attributes.packed;
                    if attributes.align.is_some() {
                        result.attributes.align = None;
                    }
                }
                Some(ty)
            }
            c::TypeSpecifier::Enum(node) => {
                let mut attributes = Attributes::default();
                self.attributes_of(behind, &mut attributes);
                if !node.node.enumerators.is_empty() {
                    self.refuse_of_tag(&attributes, place);
                }
                Some(self.enum_specifier(&node.node, place, &attributes))
            }
            c::TypeSpecifier::TypedefName(name) => {
                let (ty, align) = self.typedef_name(&name.node.name, name.span);
                result.align = align;
                Some(ty)
            }
            c::TypeSpecifier::TypeOf(node) => Some(match &node.node {
                c::TypeOf::Type(name) => self.type_name(&name.node),
                c::TypeOf::Expression(expression) => self.evaluated_type_of(expression, true),
            }),
            c::TypeSpecifier::Int128 => Some(Type::Int(IntType {
                bits: 128,
                signed: true,
            })),
            c::TypeSpecifier::Auto => {
                result.deduced = true;
                Some(Type::INT)
            }
            c::TypeSpecifier::Fixed(fixed) => {
                let ty = fixed_float(*fixed).unwrap_or_else(|| {
                    self.not_covered("this floating type", place);
                    FloatType::Double
                });
                Some(Type::Float(ty))
            }
        }
    }

    /// Attributes of a tag that hold for all that is declared with it.
    fn refuse_of_tag(&mut self, attributes: &Attributes, place: Span) {
        if let Some(what) = &attributes.unsupported {
            self.not_covered(what, place);
        }
    }

    /// Says that a type is not covered: where the function's body is evaluated, only runs that come there are lost.
    pub(super) fn not_covered(&mut self, what: &str, place: Span) {
        if self.function.is_some() && self.prototypes == 0 && self.unevaluated == 0 {
            self.emit(StmtKind::Unsupported(what.to_owned()), place);
            return;
        }
        self.error(
            Id::C_BAD_DECLARATION,
            format!("not covered: {what}"),
            place,
            "not understood",
        );
    }

    fn typedef_name(&mut self, name: &str, place: Span) -> (Type, Option<u64>) {
        match self.lookup(name) {
            Some(Binding::Typedef(ty, align)) => return (ty.clone(), *align),
            Some(_) => {}
            None => {
                let built_in = match name {
                    "__builtin_va_list" | "__gnuc_va_list" => Some(self.va_list_type()),
                    "__float80" => Some(Type::Float(FloatType::Extended)),
                    _ => None,
                };
                if let Some(ty) = built_in {
                    return (ty, None);
                }
            }
        }
        self.error(
            Id::C_UNDECLARED,
            format!("there is no type `{name}`"),
            place,
            "not declared",
        );
        (Type::INT, None)
    }

    /// C11 6.7.2, paragraph 2.
    fn basic_type(&mut self, words: &Words, place: Span) -> Type {
        let word = self.program.model.word();
        let integers = words.char + words.short + words.int + words.long;
        let signs = words.signed + words.unsigned;
        let ty = match words {
            Words {
                float: 1,
                double: 0,
                ..
            } if integers + signs == 0 => Some(Type::Float(FloatType::Single)),
            Words {
                float: 0,
                double: 1,
                long,
                ..
            } if integers + signs == *long && *long < 2 => Some(Type::Float(if *long == 1 {
                FloatType::Extended
            } else {
                FloatType::Double
            })),
            Words {
                float: 0,
                double: 0,
                ..
            } if signs < 2 && words.int < 2 => {
                let bits = match (words.char, words.short, words.long) {
                    (0, 0, 0) => Some(32),
                    (1, 0, 0) if words.int == 0 => Some(8),
                    (0, 1, 0) => Some(16),
                    (0, 0, 1) => Some(word),
                    (0, 0, 2) => Some(64),
                    _ => None,
                };
                bits.map(|bits| {
                    Type::Int(IntType {
                        bits,
                        signed: words.unsigned == 0,
                    })
                })
            }
            _ => None,
        };
        ty.unwrap_or_else(|| {
            self.error(
                Id::C_BAD_DECLARATION,
                "words that do not make a type together",
                place,
                "there is no such type",
            );
            Type::INT
        })
    }
}

/// A floating type of a fixed width, if it is covered.
pub(super) fn fixed_float(fixed: c::FixedFloat) -> Option<FloatType> {
    match (fixed.width, fixed.extended) {
        _ if fixed.decimal => None,
        (32, false) => Some(FloatType::Single),
        (64, false) | (32, true) => Some(FloatType::Double),
        (128, false) => Some(FloatType::Quad),
        (64, true) => Some(FloatType::Extended),
        _ => None,
    }
}

/// The type of the same kind in another machine mode.
pub(super) fn with_mode(ty: &Type, mode: Mode) -> Type {
    match (ty, mode) {
        (Type::Int(int), Mode::Int(bits)) => Type::Int(IntType {
            bits,
            signed: int.signed,
        }),
        (Type::Float(_), Mode::Float(32)) => Type::Float(FloatType::Single),
        (Type::Float(_), Mode::Float(64)) => Type::Float(FloatType::Double),
        (Type::Float(_), Mode::Float(80)) => Type::Float(FloatType::Extended),
        (Type::Float(_), Mode::Float(_)) => Type::Float(FloatType::Quad),
        _ => ty.clone(),
    }
}
