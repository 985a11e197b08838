//! Lists of initialisers: which item is for which part (C11 6.7.9, paragraphs 17 to 23).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::initialisers::{Sink, Target};
use super::literals::Text;
use super::{Elaborator, int};
use crate::ir::{ConstantStep, Expr, Step};
use crate::syntax::{self as c, Node};
use crate::types::{Length, Type};

/// The items of a list that are not used yet.
pub(super) struct Items<'a> {
    pub(super) list: &'a [Node<c::InitializerListItem>],
    /// The value of the first item, if it was computed to see its type.
    pub(super) value: Option<Expr>,
}

impl<'a> Items<'a> {
    fn next(&mut self) -> Option<&'a c::InitializerListItem> {
        let (first, rest) = self.list.split_first()?;
        self.list = rest;
        Some(&first.node)
    }
}

impl Elaborator {
    /// `{ … }` for an object.
    pub(super) fn braced(
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
                    let at = item.span;
                    self.initialiser(target, &item.node.initializer.node, at, sink);
                }
                None => {
                    let zero = int(0, Type::INT, place);
                    self.write(target, zero, sink);
                }
            },
        });
    }

    pub(super) fn whole_list(
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
                rest.span,
                format!("nothing is left of `{}`", self.show(&target.object.ty)),
            );
        }
    }

    /// Fills the parts of an aggregate one after the other, from the designated one on.
    pub(super) fn fill(
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
            if designators.is_empty() && items.value.is_none() {
                let Some(item) = items.list.first() else {
                    return;
                };
                if !item.node.designation.is_empty() {
                    if !braced {
                        return;
                    }
                    designators = &item.node.designation;
                }
            }
            let mut last = None;
            let mut rest: &[Node<c::Designator>] = &[];
            if let Some(first) = designators.first() {
                match self.designated(&target.object.ty, first) {
                    Some((from, to, consumed)) => {
                        rest = &designators[usize::from(consumed)..];
                        // Behind all that was filled, nothing is written twice.
                        sink.again |= from < position || !rest.is_empty();
                        position = from;
                        last = to;
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
            sink.reach(target, last.unwrap_or(position).saturating_add(1));
            if let Type::Record(id) = target.object.ty
                && self.program.record(id).union
                && sink
                    .members
                    .insert(target.path.clone(), position)
                    .is_some_and(|member| member != position)
            {
                // Another member had a value before.
                sink.again = true;
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
    pub(super) fn part(&self, target: &Target, position: u64) -> Option<Target> {
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
    pub(super) fn designated(
        &mut self,
        ty: &Type,
        designator: &Node<c::Designator>,
    ) -> Option<(u64, Option<u64>, bool)> {
        let place = designator.span;
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
    pub(super) fn next_element(&mut self, target: &Target, items: &mut Items<'_>, sink: &mut Sink) {
        if let Some(value) = items.value.take() {
            self.value_to(target, value, items, sink);
            return;
        }
        let Some(item) = items.next() else {
            return;
        };
        let place = item.initializer.span;
        match &item.initializer.node {
            c::Initializer::List(list) => self.braced(target, list, place, sink),
            c::Initializer::Expression(expression) => {
                self.element(target, expression, items, sink);
            }
        }
    }

    /// Initialises a part with an expression, and if that is only for the first scalar of it, with the items behind.
    pub(super) fn element(
        &mut self,
        target: &Target,
        expression: &Node<c::Expression>,
        items: &mut Items<'_>,
        sink: &mut Sink,
    ) {
        let place = expression.span;
        if let c::Expression::CompoundLiteral(literal) = &expression.node
            && matches!(target.object.ty, Type::Record(_) | Type::Array(..))
        {
            let ty = self.unevaluated(|this| this.type_name(&literal.node.type_name.node));
            if ty == target.object.ty
                || matches!((&ty, &target.object.ty), (Type::Array(a, _), Type::Array(b, _)) if a == b)
            {
                self.braced(target, &literal.node.initializer_list, place, sink);
                sink.whole.insert(target.path.clone());
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
        if sink.values.is_none() {
            sink.starts.push(mark);
        }
        let value = self.value(expression);
        if sink.values.is_some() && self.out.len() > mark {
            self.out.truncate(mark);
            self.not_constant(place);
            return;
        }
        self.value_to(target, value, items, sink);
    }

    /// The parts behind the first one.
    pub(super) fn rest(&mut self, target: &Target, items: &mut Items<'_>, sink: &mut Sink) {
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
            sink.reach(target, position + 1);
            self.next_element(&part, items, sink);
            position += 1;
        }
    }

    /// A value for an object or for its first scalar.
    pub(super) fn value_to(
        &mut self,
        target: &Target,
        value: Expr,
        items: &mut Items<'_>,
        sink: &mut Sink,
    ) {
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
}

/// Whether a string literal may initialise an array with such elements (C11 6.7.9, paragraphs 14 and 15).
fn fits(text: &Text, element: &Type) -> bool {
    element
        .integer()
        .is_some_and(|ty| ty.bits == text.element.bits && *element != Type::Bool)
}
