//! Operations on operands whose types are not known when they are read.
//!
//! What a type parameter stands for may be determined by what comes later: `p[] ++ q[] == c`, `p[][13 := false] == m`. What
//! the operation demands of the types is kept until the formula or statement is complete. What is not determined even
//! then is chosen, with a warning: an operand of `++` has no bits, what bits are taken out of has as many as it must, and
//! a map is an ordinary one.

use std::sync::Arc;

use crate::diagnostic::Id;
use crate::hir::{Expr, ExprKind, Type};
use crate::resolve::message::Message;
use crate::resolve::types::substitute_params;
use crate::span::Span;

use super::Checker;

/// What the type parameters of maps are called, whose names are not kept.
pub(super) const OF_A_MAP: &str = "of a map";

/// What has to be so of types that are not all known.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    kind: Kind,
    span: Span,
}

#[derive(Clone, Debug)]
enum Kind {
    /// `high ++ low` is of type `result`.
    Concatenation { high: Type, low: Type, result: Type },
    /// `value` has at least so many bits.
    Bits { value: Type, least: u32 },
    /// A map has such elements at such indices.
    Element {
        map: Type,
        indices: Vec<Type>,
        element: Type,
    },
}

impl Checker<'_> {
    /// Whether a shallow type is one that may yet turn out to be any.
    pub(super) fn may_be_any(&self, shallow: &Type) -> bool {
        self.infer.is_unknown(shallow) && !self.infer.is_numeric_unknown(shallow)
    }

    /// Whether a shallow type may turn out to be one of bit-vectors.
    pub(super) fn may_be_bits(&self, shallow: &Type) -> bool {
        matches!(shallow, Type::BitVec(_)) || self.may_be_any(shallow)
    }

    fn demand(&mut self, kind: Kind, span: Span) {
        self.demands.push(Demand { kind, span });
    }

    /// The type of a concatenation of types that are not both known.
    pub(super) fn concatenation(&mut self, high: Type, low: Type, span: Span) -> Type {
        let result = self.infer.fresh(span, "++".into());
        let of = result.clone();
        self.demand(Kind::Concatenation { high, low, result }, span);
        of
    }

    /// Demands that a type is one of bit-vectors with at least so many bits.
    pub(super) fn bits_at_least(&mut self, value: Type, least: u32, span: Span) {
        self.demand(Kind::Bits { value, least }, span);
    }

    /// The type of the elements of a map whose type is not known.
    pub(super) fn element(&mut self, map: Type, indices: &[Expr], span: Span) -> Type {
        let element = self.infer.fresh(span, OF_A_MAP.into());
        let of = element.clone();
        let indices = indices.iter().map(|index| index.ty.clone()).collect();
        let kind = Kind::Element {
            map,
            indices,
            element,
        };
        self.demand(kind, span);
        of
    }

    /// Sees to all demands of a formula or statement that is complete.
    pub(super) fn settle(&mut self) {
        let mut open = std::mem::take(&mut self.demands);
        while !open.is_empty() {
            let before = open.len();
            open.retain(|demand| !self.is_settled(demand));
            if open.len() == before {
                self.choose(&open);
            }
        }
    }

    /// Sees to a demand if enough is known by now. Whether it was; there may be a message then.
    fn is_settled(&mut self, demand: &Demand) -> bool {
        let span = demand.span;
        match &demand.kind {
            Kind::Concatenation { high, low, result } => {
                let [h, l, r] = [high, low, result].map(|ty| self.infer.shallow(ty));
                let (third, width) = match (&h, &l, &r) {
                    (Type::Error, ..) | (_, Type::Error, _) | (.., Type::Error) => return true,
                    (Type::BitVec(h), Type::BitVec(l), _) => (result, h.checked_add(*l)),
                    (Type::BitVec(h), _, Type::BitVec(r)) => (low, r.checked_sub(*h)),
                    (_, Type::BitVec(l), Type::BitVec(r)) => (high, r.checked_sub(*l)),
                    _ if [&h, &l, &r].iter().all(|ty| self.may_be_bits(ty)) => return false,
                    _ => (result, None),
                };
                if !width.is_some_and(|width| self.infer.unify(third, &Type::BitVec(width))) {
                    let [h, l, r] = [high, low, result].map(|ty| self.show(ty));
                    self.error(
                        Id::OPERAND_TYPES,
                        format!("`++` does not make a `{r}` of `{h}` and `{l}`"),
                        span,
                        "bit-vectors are needed whose widths add up",
                    );
                }
                true
            }
            Kind::Bits { value, least } => match self.infer.shallow(value) {
                Type::BitVec(width) if *least <= width => true,
                Type::Error => true,
                ty if self.may_be_any(&ty) => false,
                ty => {
                    self.no_such_bits(&ty, *least, span);
                    true
                }
            },
            Kind::Element {
                map,
                indices,
                element,
            } => {
                let shallow = self.infer.shallow(map);
                if self.may_be_any(&shallow) {
                    return false;
                }
                if let Some((_, _, range)) = self.instance(map, indices, span)
                    && !self.infer.unify(element, &range)
                {
                    let [map, element] = [map, element].map(|ty| self.show(ty));
                    self.error(
                        Id::TYPE_MISMATCH,
                        format!("the map is a `{map}`, and its element here a `{element}`"),
                        span,
                        "no such element",
                    );
                }
                true
            }
        }
    }

    /// A map type with unknowns for its type parameters: these, and what elements are then of. The indices have the
    /// types that it demands, or there is a message.
    fn instance(
        &mut self,
        map: &Type,
        indices: &[Type],
        span: Span,
    ) -> Option<(Type, Vec<Type>, Type)> {
        let map = self.infer.shallow(map);
        let shown = self.show(&map);
        let Type::Map(ty) = &map else {
            if map != Type::Error {
                self.error(
                    Id::NOT_A_MAP,
                    format!("`{shown}` is not a map"),
                    span,
                    "it has no elements",
                );
            }
            return None;
        };
        let fresh = |_| self.infer.fresh(span, OF_A_MAP.into());
        let type_args: Vec<Type> = ty.type_params.iter().map(fresh).collect();
        let wanted = ty.domain.iter();
        let wanted = wanted.map(|ty_| substitute_params(ty_, &ty.type_params, &type_args));
        let wanted: Vec<Type> = wanted.collect();
        let fits = wanted.len() == indices.len()
            && wanted
                .iter()
                .zip(indices)
                .all(|(wanted, index)| self.infer.unify(wanted, index));
        if !fits {
            let indices: Vec<String> = indices.iter().map(|index| self.show(index)).collect();
            self.error(
                Id::TYPE_MISMATCH,
                format!(
                    "the map is a `{shown}`, and its indices here are of type `{}`",
                    indices.join("`, `")
                ),
                span,
                "no such element",
            );
            return None;
        }
        let range = substitute_params(&ty.range, &ty.type_params, &type_args);
        Some((map, type_args, range))
    }

    /// Chooses a type that nothing determines. The outermost concatenation whose result is known has all bits in its
    /// first operand; where no result is known, the first operand that is not known has no bits.
    fn choose(&mut self, open: &[Demand]) {
        let is_known = |ty: &Type| matches!(self.infer.shallow(ty), Type::BitVec(_));
        let concatenations = || {
            open.iter().filter_map(|demand| match &demand.kind {
                Kind::Concatenation { high, low, result } => Some((high, low, result)),
                _ => None,
            })
        };
        let outermost = concatenations().rfind(|(.., result)| is_known(result));
        let operand = outermost.map(|(_, low, _)| low).or_else(|| {
            let mut operands = concatenations().flat_map(|(high, low, _)| [high, low]);
            operands.find(|ty| !is_known(ty))
        });
        let others = || {
            open.iter().rev().find_map(|demand| match &demand.kind {
                Kind::Concatenation { .. } => None,
                Kind::Bits { value, least } => Some((value, Type::BitVec(*least))),
                Kind::Element {
                    map,
                    indices,
                    element,
                } => Some((map, Type::map(indices.clone(), element.clone()))),
            })
        };
        let choice = operand.map(|ty| (ty, Type::BitVec(0))).or_else(others);
        let Some((unknown, chosen)) = choice else {
            return;
        };
        let shallow = self.infer.shallow(unknown);
        let origin = self.infer.origin(&shallow);
        if !self.infer.unify(unknown, &chosen) {
            // A type that contains itself.
            self.infer.unify(unknown, &Type::Error);
            if let Some((span, _)) = origin {
                self.unknown_type(span);
            }
        } else if let Some((span, name)) = origin {
            self.tell_ambiguous(&name, &chosen, span);
        }
    }

    /// Warns of a type parameter that nothing determines.
    pub(super) fn tell_ambiguous(&mut self, name: &Arc<str>, taken: &Type, span: Span) {
        let taken = self.show(taken);
        let which = match &**name {
            OF_A_MAP => name.to_string(),
            name => format!("`{name}`"),
        };
        let message = Message::warning(
            Id::AMBIGUOUS_TYPE,
            format!("nothing determines the type parameter {which}; it is taken to be `{taken}`"),
            self.place(span),
            "this use fits any type",
        )
        .with_help("say the type by an ascription: `(e: T)`");
        self.messages.push(message);
    }

    /// What the type parameters of a map stand for, where that was not known when the access was read. All types in the
    /// expression are final.
    pub(super) fn complete(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let (map, type_args, indices, element) = match &mut expr.kind {
            ExprKind::Select {
                map,
                type_args,
                indices,
            } => (map, type_args, indices, &expr.ty),
            ExprKind::Store {
                map,
                type_args,
                indices,
                value,
            } => (map, type_args, indices, &value.ty),
            _ => return,
        };
        let Type::Map(ty) = &map.ty else { return };
        if ty.type_params.len() == type_args.len() {
            return;
        }
        let indices: Vec<Type> = indices.iter().map(|index| index.ty.clone()).collect();
        if let Some((_, unknowns, range)) = self.instance(&map.ty, &indices, span)
            && self.infer.unify(&range, element)
        {
            let mut ambiguous = Vec::new();
            let all = unknowns.iter();
            *type_args = all
                .map(|ty| self.infer.finish(ty, &mut ambiguous))
                .collect();
        }
    }
}
