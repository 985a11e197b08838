//! A constant number of bytes that is copied: the pointers in it are known where they get to.

use super::{Checker, residue};
use crate::alias::Target;
use crate::ir::{Base, Expr, ExprKind, Place, Step};
use crate::types::Type;

/// Where bytes begin that are copied.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// At this offset.
    At(u64),
    /// Where a pointer leads that says nothing about that by itself: somewhere in what the analysis knows.
    Pointer,
    /// At some offset of which the translation may know more.
    Unknown,
}

impl Checker<'_, '_> {
    /// Whether the pointers in so many bits behind one target are known behind another one, which is in another object.
    pub(super) fn is_copied(
        &self,
        to: Target,
        from: Target,
        bits: u64,
        starts: (Start, Start),
    ) -> bool {
        if self.root(to.node) == self.root(from.node) {
            return false;
        }
        let strided = |target: Target| self.range(target).is_some_and(|range| range.stride > 0);
        // Whoever may begin at each element of an array copies what all of them have at that distance, and nothing beyond:
        // the encoding does not cover that.
        let start = |start: Start, at: Target| match start {
            Start::At(offset) => Some(offset),
            Start::Pointer => self.start_of_array(at, bits),
            Start::Unknown => None,
        };
        let starts = (start(starts.0, to), start(starts.1, from));
        let begin = match starts.1 {
            None if strided(from) => None,
            known => Some(known.unwrap_or(from.offset)),
        };
        let there = |distance: u64| match (starts.0, self.range(to)) {
            (None, Some(range)) if range.stride > 0 => {
                range.lo + (residue(range, to.offset) + distance) % range.stride
            }
            (start, _) => start.unwrap_or(to.offset).saturating_add(distance),
        };
        let end = begin.unwrap_or_default().saturating_add(bits);
        for range in self.memory.nodes.ranges(self.root(from.node)) {
            let own = range.lo <= from.offset && from.offset < range.hi;
            for (&place, cell) in &range.cells {
                let Some(points) = cell.pointee().filter(|to| self.leads_somewhere(*to)) else {
                    continue;
                };
                let mut distances: Vec<u64> = Vec::new();
                match (begin, range.stride) {
                    (Some(begin), 0) => distances.extend((range.lo + place).checked_sub(begin)),
                    (Some(begin), stride) => {
                        let mut at = range.lo + place;
                        if at < begin {
                            at += (begin - at).div_ceil(stride) * stride;
                        }
                        let stop = range.hi.min(end);
                        while at < stop {
                            distances.push(at - begin);
                            at = at.saturating_add(stride);
                        }
                    }
                    (None, stride) if own && stride > 0 => {
                        let class = residue(range, from.offset);
                        let mut distance = (place + stride - class) % stride;
                        while distance < bits {
                            distances.push(distance);
                            distance += stride;
                        }
                    }
                    (None, _) => {}
                }
                let inside = distances.into_iter().filter(|distance| *distance < bits);
                for distance in inside {
                    let offset = there(distance);
                    let known = self.pointee(Target { offset, ..to });
                    if !known.is_some_and(|known| self.is_one(known, points)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// More than an array has begins at its start: the translation makes sure of it where the pointer does not say so.
    fn start_of_array(&self, at: Target, bits: u64) -> Option<u64> {
        let range = self.range(at)?;
        let mut others = self.memory.nodes.ranges(self.root(at.node)).iter();
        let goes_on = others.any(|other| range.hi <= other.lo);
        let is_start = residue(range, at.offset) == 0;
        (range.is_smaller_array(bits) && goes_on && is_start).then_some(range.lo)
    }

    /// Where bytes begin that a pointer leads to.
    pub(super) fn begins(&self, pointer: &Expr) -> Start {
        match (self.start(pointer), &pointer.kind) {
            (Some(offset), _) => Start::At(offset),
            (None, ExprKind::Convert(operand)) if operand.ty.is_pointer() => self.begins(operand),
            (None, ExprKind::Read(_)) => Start::Pointer,
            (None, _) => Start::Unknown,
        }
    }

    /// The offset to which a pointer leads exactly: that of a member, or of a numbered element, of what another one leads to
    /// exactly.
    fn start(&self, pointer: &Expr) -> Option<u64> {
        match &pointer.kind {
            ExprKind::Convert(operand) if operand.ty.is_pointer() => self.start(operand),
            ExprKind::Address(place) => {
                let (mut start, mut ty) = match &place.base {
                    Base::Variable(id) => {
                        let ty = self.program.variable(*id).ty.clone();
                        (self.object(*id).offset, ty)
                    }
                    Base::Deref(pointer) => match &pointer.ty {
                        Type::Pointer(to) => (self.start(pointer)?, (**to).clone()),
                        _ => return None,
                    },
                };
                for step in &place.path {
                    let (distance, part) = match (step, &ty) {
                        (Step::Field(record, number), _) => self.member(*record, *number)?,
                        (Step::Index(index), Type::Array(element, _)) => {
                            let ExprKind::Int(index) = index.kind else {
                                return None;
                            };
                            let index = u64::try_from(index).ok()?;
                            let bits = self.bits(element)?;
                            (index.checked_mul(bits)?, (**element).clone())
                        }
                        _ => return None,
                    };
                    start = start.checked_add(distance)?;
                    ty = part;
                }
                Some(start)
            }
            ExprKind::Read(place) => {
                let at = self.known_place(place)?;
                let to = self.pointee(at)?;
                match self.range(to) {
                    Some(range) if range.stride > 0 => None,
                    _ => Some(to.offset),
                }
            }
            _ => None,
        }
    }

    /// Where a place is, if that is one target.
    fn known_place(&self, place: &Place) -> Option<Target> {
        let mut target = match &place.base {
            Base::Variable(id) => self.object(*id),
            Base::Deref(pointer) => match &pointer.kind {
                ExprKind::Read(inner) => self.pointee(self.known_place(inner)?)?,
                _ => return None,
            },
        };
        for step in &place.path {
            if let Step::Field(record, number) = step {
                let (distance, _) = self.member(*record, *number)?;
                target.offset = target.offset.checked_add(distance)?;
            }
        }
        Some(target)
    }
}
