//! Structures and unions (C11 6.7.2.1, 6.7.2.3).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::Step;
use crate::syntax::{self as c, Node};
use crate::types::{Length, Record, RecordId, Type};

use super::Elaborator;
use super::attributes::Attributes;
use super::layout::{self, Member};
use super::scope::Tag;

impl Elaborator {
    pub(super) fn record_specifier(
        &mut self,
        specifier: &c::StructType,
        place: Span,
        attributes: &Attributes,
    ) -> Type {
        let union = matches!(specifier.kind.node, c::StructKind::Union);
        let tag = specifier
            .identifier
            .as_ref()
            .map(|identifier| identifier.node.name.as_str());
        let Some(declarations) = &specifier.declarations else {
            return self.record_by_tag(tag, union, place);
        };
        let id = match tag.and_then(|tag| self.own_tag(tag).cloned()) {
            Some(Tag::Record(id)) if self.program.record(id).fields.is_none() => id,
            Some(_) => {
                self.error(
                    Id::C_BAD_DECLARATION,
                    format!("the tag `{}` is defined twice", tag.unwrap_or_default()),
                    place,
                    "it is defined above",
                );
                self.new_record(tag, union)
            }
            None => {
                let id = self.new_record(tag, union);
                if let Some(tag) = tag {
                    self.bind_tag(tag, Tag::Record(id));
                }
                id
            }
        };
        let mut members = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                c::StructDeclaration::Field(field) => {
                    if self.member(&field.node, &mut members) {
                        self.volatile_records.insert(id);
                    }
                }
                c::StructDeclaration::StaticAssert(assertion) => {
                    self.static_assert(&assertion.node);
                }
            }
        }
        let mut names: Vec<&str> = members
            .iter()
            .map(|member| member.name.as_str())
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        let twice = names
            .windows(2)
            .find(|pair| pair[0] == pair[1])
            .map(|pair| pair[0].to_owned());
        if let Some(name) = twice {
            self.error(
                Id::C_BAD_DECLARATION,
                format!("two members are called `{name}`"),
                place,
                "in this declaration",
            );
        }
        let placed = layout::place(
            members,
            union,
            attributes.packed,
            attributes.align,
            self.packs.at(place.end.saturating_sub(1)),
            self.layout(),
        );
        match placed {
            Some(placed) => {
                let record = &mut self.program.records[id.0 as usize];
                record.fields = Some(placed.fields);
                record.size = placed.size;
                record.align = placed.align;
            }
            None => self.error(
                Id::C_BAD_DECLARATION,
                "a structure whose size is not known",
                place,
                "a member is incomplete or too large",
            ),
        }
        Type::Record(id)
    }

    /// `struct tag` without members.
    fn record_by_tag(&mut self, tag: Option<&str>, union: bool, place: Span) -> Type {
        let Some(tag) = tag else {
            self.error(
                Id::C_BAD_DECLARATION,
                "a structure without a tag and members",
                place,
                "there is nothing here",
            );
            return Type::INT;
        };
        match self.lookup_tag(tag).cloned() {
            Some(Tag::Record(id)) if self.program.record(id).union == union => Type::Record(id),
            Some(_) => {
                self.error(
                    Id::C_BAD_DECLARATION,
                    format!("the tag `{tag}` is one of another kind"),
                    place,
                    "structures, unions and enumerations share their tags",
                );
                Type::INT
            }
            None => {
                let id = self.new_record(Some(tag), union);
                self.bind_tag(tag, Tag::Record(id));
                Type::Record(id)
            }
        }
    }

    /// `struct tag;` declares a tag of the innermost scope.
    pub(super) fn forward_record(&mut self, specifier: &c::StructType) {
        if specifier.declarations.is_some() {
            return;
        }
        if let Some(identifier) = &specifier.identifier {
            let tag = &identifier.node.name;
            if self.own_tag(tag).is_none() {
                let union = matches!(specifier.kind.node, c::StructKind::Union);
                let id = self.new_record(Some(tag), union);
                self.bind_tag(tag, Tag::Record(id));
            }
        }
    }

    /// A record that is still incomplete.
    pub(super) fn new_record(&mut self, tag: Option<&str>, union: bool) -> RecordId {
        let id = RecordId(self.program.records.len() as u32);
        let name = match tag {
            Some(tag) => tag.to_owned(),
            None => {
                self.names += 1;
                format!("anonymous{}", self.names)
            }
        };
        self.program.records.push(Record {
            name,
            union,
            fields: None,
            size: 0,
            align: 1,
        });
        id
    }

    /// A member; whether it is volatile.
    fn member(&mut self, field: &c::StructField, members: &mut Vec<Member>) -> bool {
        let specifiers = self.qualified_specifiers(&field.specifiers);
        let volatile = specifiers.volatile;
        if let Some(what) = &specifiers.attributes.unsupported {
            let what = what.clone();
            self.not_covered(&what, specifiers.span);
        }
        if field.declarators.is_empty() {
            // An anonymous structure or union; anything else declares nothing.
            let anonymous = field
                .specifiers
                .iter()
                .find_map(tagless)
                .unwrap_or_default();
            if anonymous && matches!(specifiers.ty, Type::Record(_)) {
                members.push(Member {
                    name: String::new(),
                    ty: specifiers.ty,
                    type_align: specifiers.align,
                    align: specifiers.attributes.align,
                    packed: specifiers.attributes.packed,
                    width: None,
                    unnamed: false,
                });
            }
            return volatile;
        }
        for declarator in &field.declarators {
            let place = declarator.span;
            let mut attributes = specifiers.attributes.clone();
            let (name, ty) = match &declarator.node.declarator {
                Some(node) => {
                    let declared = self.declarator(specifiers.ty.clone(), &node.node);
                    self.attributes(&node.node.extensions, &mut attributes);
                    (declared.name, declared.ty)
                }
                None => (None, specifiers.ty.clone()),
            };
            if let Some(what) = &attributes.unsupported {
                let what = what.clone();
                self.not_covered(&what, place);
            }
            let type_align = self.align_of_elements(&specifiers, &ty);
            let ty = match attributes.mode {
                Some(mode) => super::specifiers::with_mode(&ty, mode),
                None => ty,
            };
            let width = &declarator.node.bit_width;
            let width = match width {
                Some(width) => match self.bit_width(width, &ty, name.is_some()) {
                    Some(width) => Some(width),
                    None => continue,
                },
                None => None,
            };
            let flexible = matches!(ty, Type::Array(_, Length::Unknown)) || self.is_variable(&ty);
            let complete = flexible || self.layout().size(&ty).is_some();
            if !complete || matches!(ty, Type::Void | Type::Function(_)) {
                self.error(
                    Id::C_BAD_DECLARATION,
                    format!("a member of the type `{}`", self.show(&ty)),
                    place,
                    "its size is not known",
                );
                continue;
            }
            let ty = if self.is_variable(&ty) {
                self.not_covered("structures of variable length", place);
                Type::Array(Type::INT.into(), Length::Known(0))
            } else {
                ty
            };
            members.push(Member {
                unnamed: name.is_none(),
                name: name.map(|(name, _)| name).unwrap_or_default(),
                ty,
                type_align,
                align: attributes.align,
                packed: attributes.packed,
                width,
            });
        }
        volatile
    }

    fn bit_width(&mut self, width: &Node<c::Expression>, ty: &Type, named: bool) -> Option<u32> {
        let value = self.constant_expression(width)?;
        let most = match ty {
            Type::Bool => 1,
            Type::Int(int) => int.bits,
            _ => 0,
        };
        match u32::try_from(value) {
            Ok(value) if value <= most && (value > 0 || !named) => Some(value),
            _ => {
                self.error(
                    Id::C_BAD_DECLARATION,
                    format!("a bit-field of {value} bits"),
                    width.span,
                    format!("its type has {most}, and a name needs at least one"),
                );
                None
            }
        }
    }

    /// The steps to a member, through anonymous structures and unions, and its type.
    pub(super) fn find_member(&self, id: RecordId, name: &str) -> Option<(Vec<Step>, Type)> {
        let fields = self.program.record(id).fields.as_ref()?;
        for (number, field) in fields.iter().enumerate() {
            if field.name == name {
                return Some((vec![Step::Field(id, number)], field.ty.clone()));
            }
            if field.name.is_empty()
                && let Type::Record(inner) = field.ty
                && let Some((mut steps, ty)) = self.find_member(inner, name)
            {
                steps.insert(0, Step::Field(id, number));
                return Some((steps, ty));
            }
        }
        None
    }
}

/// If the specifier is a structure or union, whether it is one without a tag.
fn tagless(specifier: &Node<c::SpecifierQualifier>) -> Option<bool> {
    match &specifier.node {
        c::SpecifierQualifier::TypeSpecifier(ty) => match &ty.node {
            c::TypeSpecifier::Struct(node) => Some(node.node.identifier.is_none()),
            _ => None,
        },
        _ => None,
    }
}
