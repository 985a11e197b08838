//! Initialisers (C11 6.7.9): to assignments for automatic variables, to contents for static ones.

use indexmap::IndexMap;
use lang_c::ast as c;
use lang_c::span::Node;
use ult_lang::diagnostic::Id;
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::{
    Base, ConstantStep, Expr, ExprKind, Initial, Place, Step, Stmt, StmtKind, Storage,
};
use crate::types::{IntType, Length, Type};

use super::literals::Text;
use super::{Elaborator, int, read, span};

/// More elements than this are not written out one by one.
const MOST_ELEMENTS: u64 = 1 << 16;

/// Where the values go.
struct Sink {
    /// The contents of a static variable; `None` for an automatic one, which is assigned to.
    values: Option<IndexMap<Vec<ConstantStep>, Expr>>,
    /// How many scalars were written.
    written: u64,
    /// Whether something may have been written twice.
    again: bool,
    /// How many elements the outermost array has at least.
    length: u64,
}

/// An object that is initialised, and its place in the variable.
#[derive(Clone)]
struct Target {
    object: Place,
    path: Vec<ConstantStep>,
}

/// The items of a list that are not used yet.
struct Items<'a> {
    list: &'a [Node<c::InitializerListItem>],
    /// The value of the first item, if it was computed to see its type.
    value: Option<Expr>,
}

impl<'a> Items<'a> {
    fn next(&mut self) -> Option<&'a c::InitializerListItem> {
        let (first, rest) = self.list.split_first()?;
        self.list = rest;
        Some(&first.node)
    }
}

impl Sink {
    fn new(is_static: bool) -> Sink {
        Sink {
            values: is_static.then(IndexMap::new),
            written: 0,
            again: false,
            length: 0,
        }
    }
}

impl Elaborator {
    /// Assigns to an automatic variable, whose type gets its length if it has none.
    pub(super) fn automatic_initialiser(&mut self, object: Place, node: &Node<c::Initializer>) {
        let place = span(node.span);
        let mark = self.out.len();
        let mut sink = Sink::new(false);
        let target = Target {
            object: object.clone(),
            path: Vec::new(),
        };
        self.initialiser(&target, &node.node, place, &mut sink);
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
        let place = span(node.span);
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
        self.with_length(object, sink.length);
        Initial::Values(sink.values.unwrap_or_default().into_iter().collect())
    }

    /// The object, with the length of its initialiser if its type has none.
    fn with_length(&mut self, mut object: Place, length: u64) -> Place {
        if let (Type::Array(element, Length::Unknown), Base::Variable(id)) =
            (&object.ty, &object.base)
        {
            let ty = Type::Array(element.clone(), Length::Known(length));
            self.program.variables[id.0 as usize].ty = ty.clone();
            object.ty = ty;
        }
        object
    }

    /// How many scalars a type consists of, if that is worth counting.
    fn scalars(&self, ty: &Type) -> Option<u64> {
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
        self.names += 1;
        let name = format!("literal{}", self.names);
        let node = Node::new(
            c::Initializer::List(literal.initializer_list.clone()),
            lang_c::span::Span::span(place.start as usize, place.end as usize),
        );
        let Some(function) = self.function.as_ref().map(|context| context.id) else {
            let storage = Storage::Static {
                function: None,
                initial: Initial::Values(Vec::new()),
            };
            let id = self.new_variable(name, ty, storage, place);
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
        self.emit(StmtKind::Declare(id), place);
        let object = self.variable_place(id, place);
        self.automatic_initialiser(object, &node);
        self.variable_place(id, place)
    }

    fn initialiser(
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

    /// `{ … }` for an object.
    fn braced(
        &mut self,
        target: &Target,
        list: &[Node<c::InitializerListItem>],
        place: Span,
        sink: &mut Sink,
    ) {
        ensure_stack(|| match &target.object.ty {
            Type::Array(element, _) => {
                // A string in braces.
                if let [item] = list
                    && item.node.designation.is_empty()
                    && let Some(text) = self.literal_of(&item.node.initializer.node)
                    && fits(&text, element)
                {
                    self.text_to(target, &text, sink);
                    return;
                }
                self.whole_list(target, list, place, sink);
            }
            Type::Record(_) => self.whole_list(target, list, place, sink),
            _ => match list.first() {
                Some(item) => {
                    let at = span(item.span);
                    self.initialiser(target, &item.node.initializer.node, at, sink);
                }
                None => {
                    let zero = int(0, Type::INT, place);
                    self.write(target, zero, sink);
                }
            },
        });
    }

    fn whole_list(
        &mut self,
        target: &Target,
        list: &[Node<c::InitializerListItem>],
        place: Span,
        sink: &mut Sink,
    ) {
        if sink.again {
            self.clear(target, place, sink);
        }
        let mut items = Items { list, value: None };
        self.fill(target, &mut items, true, &[], sink);
        if let Some(rest) = items.list.first() {
            self.error(
                Id::C_BAD_DECLARATION,
                "more values than there is room for",
                span(rest.span),
                format!("nothing is left of `{}`", self.show(&target.object.ty)),
            );
        }
    }

    /// What was written into an object before does not count any more.
    fn clear(&mut self, target: &Target, place: Span, sink: &mut Sink) {
        match &mut sink.values {
            Some(values) => values.retain(|path, _| !path.starts_with(&target.path)),
            None => {
                if !target.path.is_empty() {
                    self.emit(StmtKind::Zero(target.object.clone()), place);
                }
            }
        }
    }

    /// Fills the parts of an aggregate one after the other, from the designated one on.
    fn fill(
        &mut self,
        target: &Target,
        items: &mut Items<'_>,
        braced: bool,
        designators: &[Node<c::Designator>],
        sink: &mut Sink,
    ) {
        let mut position = 0;
        let mut designators = designators;
        loop {
            if designators.is_empty() {
                if items.value.is_none() {
                    let Some(item) = items.list.first() else {
                        return;
                    };
                    if !item.node.designation.is_empty() {
                        if !braced {
                            return;
                        }
                        designators = &item.node.designation;
                        sink.again = true;
                    }
                }
            }
            let mut last = None;
            let mut rest: &[Node<c::Designator>] = &[];
            if let Some(first) = designators.first() {
                match self.designated(&target.object.ty, first) {
                    Some((from, to, consumed)) => {
                        position = from;
                        last = to;
                        rest = &designators[usize::from(consumed)..];
                    }
                    None => {
                        items.next();
                        designators = &[];
                        continue;
                    }
                }
            }
            designators = &[];
            let Some(part) = self.part(target, position) else {
                return;
            };
            if target.path.is_empty() {
                sink.length = sink.length.max(last.unwrap_or(position).saturating_add(1));
            }
            if let Type::Record(id) = target.object.ty
                && self.program.record(id).union
                && sink.again
            {
                self.clear(target, part.object.span, sink);
            }
            if rest.is_empty() {
                self.next_element(&part, items, sink);
            } else {
                self.fill(&part, items, false, rest, sink);
            }
            if let Some(last) = last {
                self.repeat(target, position, last, sink);
                position = last;
            }
            position = position.saturating_add(1);
            if let Type::Record(id) = target.object.ty
                && self.program.record(id).union
            {
                // Only one member of a union has a value.
                position = u64::MAX;
            }
        }
    }

    /// A part of an aggregate by its number.
    fn part(&self, target: &Target, position: u64) -> Option<Target> {
        let mut part = target.clone();
        let at = part.object.span;
        match &target.object.ty {
            Type::Array(element, length) => {
                if matches!(length, Length::Known(length) if position >= *length)
                    || position == u64::MAX
                {
                    return None;
                }
                let index = Type::Int(self.program.model.size_type());
                part.object
                    .path
                    .push(Step::Index(int(i128::from(position), index, at)));
                part.object.ty = (**element).clone();
                part.path.push(ConstantStep::Index(position));
            }
            Type::Record(id) => {
                let number = usize::try_from(position).ok()?;
                let field = self.program.record(*id).fields.as_ref()?.get(number)?;
                part.object.path.push(Step::Field(*id, number));
                part.object.ty = field.ty.clone();
                part.path.push(ConstantStep::Field(number));
            }
            _ => return None,
        }
        Some(part)
    }

    /// The number of the designated part, the last one of a range, and whether the designator is used up: a member of
    /// an anonymous structure is found at the next level again.
    fn designated(
        &mut self,
        ty: &Type,
        designator: &Node<c::Designator>,
    ) -> Option<(u64, Option<u64>, bool)> {
        let place = span(designator.span);
        let index = |this: &mut Elaborator, expression| {
            this.constant_expression(expression)
                .and_then(|index| u64::try_from(index).ok())
        };
        let found = match (&designator.node, ty) {
            (c::Designator::Index(expression), Type::Array(..)) => {
                index(self, expression).map(|index| (index, None, true))
            }
            (c::Designator::Range(range), Type::Array(..)) => {
                let from = index(self, &range.node.from);
                let to = index(self, &range.node.to);
                match (from, to) {
                    (Some(from), Some(to)) if from <= to => Some((from, Some(to), true)),
                    _ => None,
                }
            }
            (c::Designator::Member(name), Type::Record(id)) => self
                .find_member(*id, &name.node.name)
                .and_then(|(steps, _)| match steps.first() {
                    Some(Step::Field(_, number)) => Some((*number as u64, None, steps.len() == 1)),
                    _ => None,
                }),
            _ => None,
        };
        let room = match (&found, ty) {
            (Some((from, to, _)), Type::Array(_, Length::Known(length))) => {
                to.unwrap_or(*from) < *length
            }
            (found, _) => found.is_some(),
        };
        if !room {
            self.error(
                Id::C_BAD_DECLARATION,
                format!("there is no such part of `{}`", self.show(ty)),
                place,
                "this designates nothing",
            );
            return None;
        }
        found
    }

    /// Initialises a part with the next item.
    fn next_element(&mut self, target: &Target, items: &mut Items<'_>, sink: &mut Sink) {
        if let Some(value) = items.value.take() {
            self.value_to(target, value, items, sink);
            return;
        }
        let Some(item) = items.next() else {
            return;
        };
        let place = span(item.initializer.span);
        match &item.initializer.node {
            c::Initializer::List(list) => self.braced(target, list, place, sink),
            c::Initializer::Expression(expression) => {
                self.element(target, expression, items, sink);
            }
        }
    }

    /// Initialises a part with an expression, and if that is only for the first scalar of it, with the items behind.
    fn element(
        &mut self,
        target: &Target,
        expression: &Node<c::Expression>,
        items: &mut Items<'_>,
        sink: &mut Sink,
    ) {
        let place = span(expression.span);
        if let c::Expression::CompoundLiteral(literal) = &expression.node
            && matches!(target.object.ty, Type::Record(_) | Type::Array(..))
        {
            let ty = self.unevaluated(|this| this.type_name(&literal.node.type_name.node));
            if ty == target.object.ty
                || matches!((&ty, &target.object.ty), (Type::Array(a, _), Type::Array(b, _)) if a == b)
            {
                self.braced(target, &literal.node.initializer_list, place, sink);
                return;
            }
        }
        if let c::Expression::StringLiteral(parts) = &expression.node {
            match &target.object.ty {
                Type::Array(element, _) => {
                    let text = self.string(&parts.node, place);
                    if fits(&text, element) {
                        self.text_to(target, &text, sink);
                        return;
                    }
                }
                Type::Record(_) => {
                    // It may be for an array of characters inside.
                    if let Some(part) = self.part(target, 0) {
                        self.element(&part, expression, items, sink);
                        self.rest(target, items, sink);
                    }
                    return;
                }
                _ => {}
            }
            if let Type::Array(..) = target.object.ty
                && let Some(part) = self.part(target, 0)
            {
                self.element(&part, expression, items, sink);
                self.rest(target, items, sink);
                return;
            }
        }
        let mark = self.out.len();
        let value = self.value(expression);
        if sink.values.is_some() && self.out.len() > mark {
            self.out.truncate(mark);
            self.not_constant(place);
            return;
        }
        self.value_to(target, value, items, sink);
    }

    /// The parts behind the first one.
    fn rest(&mut self, target: &Target, items: &mut Items<'_>, sink: &mut Sink) {
        if let Type::Record(id) = target.object.ty
            && self.program.record(id).union
        {
            return;
        }
        let mut position = 1;
        while items
            .list
            .first()
            .is_some_and(|item| item.node.designation.is_empty())
            && let Some(part) = self.part(target, position)
        {
            if target.path.is_empty() {
                sink.length = sink.length.max(position + 1);
            }
            self.next_element(&part, items, sink);
            position += 1;
        }
    }

    /// A value for an object or for its first scalar.
    fn value_to(&mut self, target: &Target, value: Expr, items: &mut Items<'_>, sink: &mut Sink) {
        match &target.object.ty {
            Type::Record(_) if value.ty == target.object.ty => self.write(target, value, sink),
            Type::Record(_) | Type::Array(..) => {
                if target.path.is_empty() && items.list.is_empty() {
                    let shown = self.show(&target.object.ty);
                    self.mismatch(
                        &value,
                        format!("a `{shown}` needs an initialiser in braces"),
                    );
                    return;
                }
                let Some(part) = self.part(target, 0) else {
                    return;
                };
                ensure_stack(|| self.value_to(&part, value, items, sink));
                self.rest(target, items, sink);
            }
            _ => self.write(target, value, sink),
        }
    }

    /// Writes a scalar, or a whole structure.
    fn write(&mut self, target: &Target, value: Expr, sink: &mut Sink) {
        let place = value.span;
        let value = self.assign_convert(value, &target.object.ty, "this initialiser");
        sink.written = sink
            .written
            .saturating_add(self.scalars(&target.object.ty).unwrap_or(0));
        match &mut sink.values {
            Some(values) => {
                let zero = matches!(value.kind, ExprKind::Int(0));
                let constant = self.is_address_constant(&value);
                if sink.again {
                    values.retain(|path, _| !path.starts_with(&target.path));
                }
                if !constant {
                    if !matches!(value.kind, ExprKind::Unsupported(_)) {
                        self.not_constant(place);
                    }
                } else if !zero {
                    values.insert(target.path.clone(), value);
                }
            }
            None => self.emit_assign(target.object.clone(), value, place),
        }
    }

    fn not_constant(&mut self, place: Span) {
        self.error(
            Id::C_CONSTANT,
            "the initialiser of a static variable must be a constant",
            place,
            "its value is not known before the program runs",
        );
    }

    /// A string literal for an array.
    fn text_to(&mut self, target: &Target, text: &Text, sink: &mut Sink) {
        let Type::Array(element, length) = &target.object.ty else {
            return;
        };
        let element = (**element).clone();
        let room = match length {
            Length::Known(length) => *length,
            _ => text.elements.len() as u64 + 1,
        };
        if target.path.is_empty() {
            sink.length = room;
        }
        let place = target.object.span;
        if sink.again {
            self.clear(target, place, sink);
        }
        for index in 0..text
            .elements
            .len()
            .min(usize::try_from(room).unwrap_or(usize::MAX))
        {
            if let Some(part) = self.part(target, index as u64) {
                let value = int(text.value(index), Type::Int(text.element), place);
                let value = self.convert(value, &element);
                self.write(&part, value, sink);
            }
        }
        if text.elements.len() as u64 + 1 == room
            && sink.values.is_none()
            && let Some(part) = self.part(target, text.elements.len() as u64)
        {
            let zero = int(0, element, place);
            self.write(&part, zero, sink);
        }
    }

    /// Gives the elements behind the first one of a range the same values.
    fn repeat(&mut self, target: &Target, from: u64, to: u64, sink: &mut Sink) {
        let place = target.object.span;
        if to - from > MOST_ELEMENTS {
            self.not_covered("ranges of so many elements", place);
            return;
        }
        let Some(first) = self.part(target, from) else {
            return;
        };
        if let Some(values) = &mut sink.values {
            let same: Vec<(Vec<ConstantStep>, Expr)> = values
                .iter()
                .filter(|(path, _)| path.starts_with(&first.path))
                .map(|(path, value)| (path.clone(), value.clone()))
                .collect();
            let depth = target.path.len();
            for index in from + 1..=to {
                let mut prefix = first.path.clone();
                prefix[depth] = ConstantStep::Index(index);
                values.retain(|path, _| !path.starts_with(&prefix));
                for (path, value) in &same {
                    let mut path = path.clone();
                    path[depth] = ConstantStep::Index(index);
                    values.insert(path, value.clone());
                }
            }
            return;
        }
        if matches!(first.object.ty, Type::Array(..)) {
            let words = "a range of arrays in an initialiser".to_owned();
            self.emit(StmtKind::Unsupported(words), place);
            return;
        }
        for index in from + 1..=to {
            if let Some(part) = self.part(target, index) {
                let value = read(first.object.clone());
                self.emit(StmtKind::Assign(part.object, value), place);
            }
        }
    }

    /// The string literal that an initialiser is.
    fn literal_of(&mut self, initialiser: &c::Initializer) -> Option<Text> {
        match initialiser {
            c::Initializer::Expression(expression) => match &expression.node {
                c::Expression::StringLiteral(parts) => {
                    Some(self.string(&parts.node, span(expression.span)))
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

    /// Whether a value is known before the program runs, but for the addresses of static objects (C11 6.6).
    fn is_address_constant(&self, value: &Expr) -> bool {
        ensure_stack(|| match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => true,
            ExprKind::Read(_) | ExprKind::Unsupported(_) => false,
            ExprKind::Address(place) => {
                let base = match &place.base {
                    Base::Variable(id) => {
                        matches!(self.program.variable(*id).storage, Storage::Static { .. })
                    }
                    Base::Deref(pointer) => self.is_address_constant(pointer),
                };
                base && place.path.iter().all(|step| match step {
                    Step::Field(..) => true,
                    Step::Index(index) => self.is_address_constant(index),
                })
            }
            ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
                self.is_address_constant(operand)
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Difference(left, right) => {
                self.is_address_constant(left) && self.is_address_constant(right)
            }
            ExprKind::Conditional(condition, then, otherwise) => [condition, then, otherwise]
                .into_iter()
                .all(|part| self.is_address_constant(part)),
            ExprKind::Offset { pointer, index, .. } => {
                self.is_address_constant(pointer) && self.is_address_constant(index)
            }
        })
    }
}

/// Whether a string literal may initialise an array with such elements (C11 6.7.9, paragraphs 14 and 15).
fn fits(text: &Text, element: &Type) -> bool {
    element
        .integer()
        .is_some_and(|ty| ty.bits == text.element.bits && *element != Type::Bool)
}
