//! Initialisers (C11 6.7.9): to assignments for automatic variables, to contents for static ones.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use ult_lang::span::Span;

use super::Elaborator;
use super::initialiser_lists::Items;
use super::literals::Text;
use crate::ir::{Base, ConstantStep, Expr, Initial, Place, Stmt, StmtKind, Storage};
use crate::syntax::{self as c, Node};
use crate::types::{IntType, Length, Type};

/// Where the values go.
pub(super) struct Sink {
    /// The contents of a static variable; `None` for an automatic one, which is assigned to.
    pub(super) values: Option<IndexMap<Vec<ConstantStep>, Expr>>,
    /// How many scalars were written.
    pub(super) written: u64,
    /// Which members of unions have values.
    pub(super) members: HashMap<Vec<ConstantStep>, u64>,
    /// Whether something may have been written twice.
    pub(super) again: bool,
    /// How many elements the outermost array has at least.
    pub(super) length: u64,
    /// How many elements a flexible array member has at least.
    pub(super) flexible: u64,
    /// Structures that were written by one value.
    pub(super) whole: HashSet<Vec<ConstantStep>>,
    /// Where the statements of each value of an automatic variable begin.
    pub(super) starts: Vec<usize>,
}

/// An object that is initialised, and its place in the variable.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) object: Place,
    pub(super) path: Vec<ConstantStep>,
}

impl Sink {
    fn new(is_static: bool) -> Sink {
        Sink {
            values: is_static.then(IndexMap::new),
            written: 0,
            members: HashMap::new(),
            again: false,
            length: 0,
            flexible: 0,
            whole: HashSet::new(),
            starts: Vec::new(),
        }
    }

    /// An array whose length is not given has so many elements at least, whatever their values are.
    pub(super) fn reach(&mut self, target: &Target, count: u64) {
        if target.path.is_empty() {
            self.length = self.length.max(count);
        } else if matches!(target.object.ty, Type::Array(_, Length::Unknown)) {
            self.flexible = self.flexible.max(count);
        }
    }
}

impl Elaborator {
    /// Assigns to an automatic variable, whose type gets its length if it has none.
    pub(super) fn automatic_initialiser(&mut self, object: Place, node: &Node<c::Initializer>) {
        let place = node.span;
        let mark = self.out.len();
        let mut sink = Sink::new(false);
        let target = Target {
            object: object.clone(),
            path: Vec::new(),
        };
        self.initialiser(&target, &node.node, place, &mut sink);
        if let (Base::Variable(id), [_, _, ..]) = (&object.base, &sink.starts[..]) {
            self.initialised(*id, &sink.starts, place);
        }
        let object = self.with_length(object, sink.length);
        let aggregate = matches!(object.ty, Type::Array(..) | Type::Record(_));
        let covered = !sink.again && self.scalars(&object.ty) == Some(sink.written);
        if aggregate && !covered {
            self.out.insert(
                mark,
                Stmt {
                    kind: StmtKind::Zero(object),
                    span: place,
                },
            );
        }
    }

    /// The contents of a static variable, whose type gets its length if it has none.
    pub(super) fn static_values(&mut self, object: Place, node: &Node<c::Initializer>) -> Initial {
        let place = node.span;
        if let Type::Array(element, _) = &object.ty
            && **element == Type::Int(IntType::CHAR)
            && let Some(text) = self.literal_of(&node.node)
            && text.element == IntType::CHAR
        {
            let mut bytes: Vec<u8> = text.elements.iter().map(|&byte| byte as u8).collect();
            let object = self.with_length(object, bytes.len() as u64 + 1);
            if let Type::Array(_, Length::Known(length)) = object.ty {
                bytes.resize(usize::try_from(length).unwrap_or(0).min(bytes.len() + 1), 0);
            }
            return Initial::Bytes(bytes);
        }
        let mut sink = Sink::new(true);
        let target = Target {
            object: object.clone(),
            path: Vec::new(),
        };
        let before = std::mem::replace(&mut self.constants_are_values, true);
        self.initialiser(&target, &node.node, place, &mut sink);
        self.constants_are_values = before;
        self.with_length(object.clone(), sink.length);
        self.with_flexible(&object, sink.flexible);
        Initial::Values(sink.values.unwrap_or_default().into_iter().collect())
    }

    /// The object, with the length of its initialiser if its type has none.
    pub(super) fn with_length(&mut self, mut object: Place, length: u64) -> Place {
        if let (Type::Array(element, Length::Unknown), Base::Variable(id)) =
            (&object.ty, &object.base)
        {
            let ty = Type::Array(element.clone(), Length::Known(length));
            self.program.variables[id.0 as usize].ty = ty.clone();
            object.ty = ty;
        }
        object
    }

    /// gcc lets the flexible array member of a static variable have elements: the variable gets a type of its own with
    /// that many.
    fn with_flexible(&mut self, object: &Place, count: u64) {
        let (Type::Record(id), Base::Variable(variable)) = (&object.ty, &object.base) else {
            return;
        };
        let mut record = self.program.record(*id).clone();
        let Some(field) = record.fields.as_mut().and_then(|fields| fields.last_mut()) else {
            return;
        };
        let Type::Array(element, Length::Unknown) = &field.ty else {
            return;
        };
        let size = self
            .layout()
            .size(element)
            .and_then(|size| size.checked_mul(count));
        let Some(end) = size.and_then(|size| size.checked_add(field.offset)) else {
            return;
        };
        if count == 0 {
            return;
        }
        field.ty = Type::Array(element.clone(), Length::Known(count));
        // What rounds up the size of a structure is not there behind its elements.
        record.size = record.size.max(end);
        let original = *id;
        let id = crate::types::RecordId(self.program.records.len() as u32);
        self.program.records.push(record);
        self.without_elements.insert(id, original);
        self.program.variables[variable.0 as usize].ty = Type::Record(id);
    }

    /// A variable as a whole, with the type that it was declared with: elements of a flexible array member are no part of
    /// its value (C11 6.7.2.1p18).
    pub(super) fn as_declared(&mut self, object: Place) -> Place {
        let original = match &object.ty {
            Type::Record(id) => self.without_elements.get(id).copied(),
            _ => None,
        };
        let Some(original) = original else {
            return object;
        };
        let span = object.span;
        let ty = Type::Record(original);
        let address = self.address(object);
        let pointer = self.convert(address, &ty.clone().pointer());
        Place {
            base: Base::Deref(Box::new(pointer)),
            path: Vec::new(),
            ty,
            span,
        }
    }

    /// How many scalars a type consists of, if that is worth counting.
    pub(super) fn scalars(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Array(element, Length::Known(length)) => {
                self.scalars(element)?.checked_mul(*length)
            }
            Type::Array(..) => None,
            Type::Record(id) => {
                let record = self.program.record(*id);
                if record.union {
                    return None;
                }
                record
                    .fields
                    .as_ref()?
                    .iter()
                    .try_fold(0u64, |sum, field| sum.checked_add(self.scalars(&field.ty)?))
            }
            _ => Some(1),
        }
    }

    /// The object of a compound literal (C11 6.5.2.5).
    pub(super) fn compound_literal(&mut self, literal: &c::CompoundLiteral, place: Span) -> Place {
        let ty = self.type_name(&literal.type_name.node);
        // They may be one object with others, as string literals may (C11 6.5.2.5p7).
        let constant = is_constant(&literal.type_name.node);
        self.names += 1;
        let name = format!("literal{}", self.names);
        let node = Node::new(
            c::Initializer::List(literal.initializer_list.clone()),
            place,
        );
        let Some(function) = self.function.as_ref().map(|context| context.id) else {
            let storage = Storage::Static {
                function: None,
                initial: Initial::Values(Vec::new()),
            };
            let id = self.new_variable(name, ty, storage, place);
            if constant {
                self.program.literals.insert(id);
            }
            let object = self.variable_place(id, place);
            let initial = self.static_values(object, &node);
            if let Storage::Static { initial: known, .. } =
                &mut self.program.variables[id.0 as usize].storage
            {
                *known = initial;
            }
            return self.variable_place(id, place);
        };
        let storage = Storage::Automatic {
            function,
            parameter: false,
            // It can be written through pointers.
            temporary: false,
        };
        let id = self.new_variable(name, ty, storage, place);
        if constant {
            self.program.literals.insert(id);
        }
        self.lives_here(id);
        self.emit(StmtKind::Declare(id), place);
        let object = self.variable_place(id, place);
        self.automatic_initialiser(object, &node);
        self.variable_place(id, place)
    }

    pub(super) fn initialiser(
        &mut self,
        target: &Target,
        initialiser: &c::Initializer,
        place: Span,
        sink: &mut Sink,
    ) {
        match initialiser {
            c::Initializer::List(list) => self.braced(target, list, place, sink),
            c::Initializer::Expression(expression) => {
                let mut items = Items {
                    list: &[],
                    value: None,
                };
                self.element(target, expression, &mut items, sink);
            }
        }
    }

    /// The string literal that an initialiser is.
    pub(super) fn literal_of(&mut self, initialiser: &c::Initializer) -> Option<Text> {
        match initialiser {
            c::Initializer::Expression(expression) => match &expression.node {
                c::Expression::StringLiteral(parts) => {
                    Some(self.string(&parts.node, expression.span))
                }
                _ => None,
            },
            c::Initializer::List(list) => match list.as_slice() {
                [item] if item.node.designation.is_empty() => {
                    self.literal_of(&item.node.initializer.node)
                }
                _ => None,
            },
        }
    }
}

/// Whether objects of a type are `const`, as far as its name tells: not what a `typedef` hides.
fn is_constant(name: &c::TypeName) -> bool {
    let constant =
        |qualifier: &Node<c::TypeQualifier>| matches!(qualifier.node, c::TypeQualifier::Const);
    let declarator = name.declarator.as_ref().map(|node| &node.node);
    let derived = declarator.iter().flat_map(|node| &node.derived);
    let mut pointers = derived.filter_map(|derived| match &derived.node {
        c::DerivedDeclarator::Pointer(qualifiers) => Some(qualifiers),
        _ => None,
    });
    match pointers.next_back() {
        Some(qualifiers) => qualifiers.iter().any(|qualifier| {
            matches!(&qualifier.node, c::PointerQualifier::TypeQualifier(qualifier) if constant(qualifier))
        }),
        None => name.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, c::SpecifierQualifier::TypeQualifier(qualifier) if constant(qualifier))
        }),
    }
}
