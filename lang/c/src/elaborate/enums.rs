//! Enumerations (C11 6.7.2.2), with the representing types that gcc chooses.

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::change;
use crate::syntax as c;
use crate::types::{IntType, RecordId, Type};

use super::Elaborator;
use super::attributes::Attributes;
use super::renumber::Numbers;
use super::scope::{Binding, Tag};
use super::specifiers::with_mode;

impl Elaborator {
    pub(super) fn enum_specifier(
        &mut self,
        specifier: &c::EnumType,
        place: Span,
        attributes: &Attributes,
    ) -> Type {
        let tag = specifier
            .identifier
            .as_ref()
            .map(|identifier| identifier.node.name.clone());
        if specifier.enumerators.is_empty() {
            let found = tag.as_deref().and_then(|tag| self.lookup_tag(tag).cloned());
            return match (found, tag) {
                (Some(Tag::Enum(ty)), _) => ty,
                (Some(_), Some(tag)) => {
                    self.error(
                        Id::C_BAD_DECLARATION,
                        format!("the tag `{tag}` is one of another kind"),
                        place,
                        "structures, unions and enumerations share their tags",
                    );
                    Type::INT
                }
                (_, tag) => {
                    // Defined later, which gcc allows: until then, an incomplete type.
                    let ty = Type::Record(self.new_record(tag.as_deref(), false));
                    if let Some(tag) = tag {
                        self.bind_tag(&tag, Tag::Enum(ty.clone()));
                    }
                    ty
                }
            };
        }
        let mut next: i128 = 0;
        let (mut least, mut greatest) = (0, 0);
        let mut values = Vec::new();
        for enumerator in &specifier.enumerators {
            if let Some(expression) = &enumerator.node.expression
                && let Some(value) = self.constant_expression(expression)
            {
                next = value;
            }
            let name = &enumerator.node.identifier.node.name;
            if let Some(Binding::Constant(..)) =
                self.scopes.last().and_then(|scope| scope.names.get(name))
            {
                self.error(
                    Id::C_BAD_DECLARATION,
                    format!("the constant `{name}` is declared twice"),
                    enumerator.span,
                    "it is declared above",
                );
            }
            let ty = if IntType::INT.contains(next) {
                Type::INT
            } else {
                Type::Int(representing(next.min(0), next.max(0), false))
            };
            self.bind(name, Binding::Constant(next, ty));
            values.push((name, next));
            least = least.min(next);
            greatest = greatest.max(next);
            next += 1;
        }
        let mut ty = Type::Int(representing(least, greatest, attributes.packed));
        if let Some(mode) = attributes.mode {
            ty = with_mode(&ty, mode);
        }
        for (name, value) in values {
            // C11 says `int`; gcc gives those beyond the type of the enumeration.
            if !IntType::INT.contains(value) {
                self.bind(name, Binding::Constant(value, ty.clone()));
            }
        }
        if let Some(tag) = tag {
            if let Some(Tag::Enum(Type::Record(id))) = self.own_tag(&tag) {
                let id = *id;
                self.complete_enumeration(id, &ty);
            }
            self.bind_tag(&tag, Tag::Enum(ty.clone()));
        }
        ty
    }

    /// An enumeration that was used before is defined: what was declared with it gets its type.
    fn complete_enumeration(&mut self, id: RecordId, ty: &Type) {
        let numbers = Numbers {
            enumerations: [(id, ty.clone())].into(),
            ..Numbers::default()
        };
        self.renumber(&numbers);
        change::statements(&mut &numbers, &mut self.out);
        if let Some(context) = &mut self.function {
            numbers.change_type(&mut context.result);
        }
        for scope in &mut self.scopes {
            // Each for itself, so in any order.
            #[allow(clippy::iter_over_hash_type)]
            for binding in scope.names.values_mut() {
                if let Binding::Typedef(ty, _) | Binding::Parameter(ty) = binding {
                    numbers.change_type(ty);
                }
            }
        }
    }
}

/// The integer type that represents an enumeration with these values.
fn representing(least: i128, greatest: i128, packed: bool) -> IntType {
    let signed = least < 0;
    [8, 16, 32, 64]
        .into_iter()
        .filter(|bits| packed || *bits >= 32)
        .map(|bits| IntType { bits, signed })
        .find(|ty| ty.contains(least) && ty.contains(greatest))
        .unwrap_or(IntType { bits: 128, signed })
}
