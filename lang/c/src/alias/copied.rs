//! What is copied by a constant number of bytes lies at both places alike.
//!
//! The objects do not become one: only the parts that are copied are divided in the same way, and lead to the same places. A
//! name in a structure that is filled from a string literal leaves the rest of the structure as it is.

use super::cells::{Cell, Range};
use super::nodes::Nodes;
use super::{Memory, Target};
use crate::ir::{Base, Expr, ExprKind, Step};
use crate::types::Type;

/// So many bits that are copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    /// Where to.
    pub to: End,
    /// Where from.
    pub from: End,
    /// How many.
    pub bits: u64,
}

/// One of the two places of a copy.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// The pointer leads to this offset.
    Exact(Target),
    /// It may lead to any offset that the target stands for.
    Any(Target),
}

/// What lies at a distance behind a place.
struct Piece {
    distance: u64,
    /// Of elements: how far they reach, and how far they lie apart.
    elements: Option<(u64, u64)>,
    cells: Vec<(u64, Cell)>,
}

impl Nodes {
    /// Divides both places of copies in the same way. Tells whether something was new.
    pub(super) fn copy_parts(&mut self, copies: &[Copy]) -> bool {
        let mut changed = false;
        for Copy { to, from, bits } in copies {
            let (to, from) = (&self.first(*to, *bits), &self.first(*from, *bits));
            if self.find(to.node) == self.find(from.node) {
                // Within an object, what is behind the end may be copied before it.
                changed |= !self.is_one(*to, *from);
                self.unify(*to, *from);
                continue;
            }
            while self.find(to.node) != self.find(from.node) {
                let there = self.pieces(*from, *bits);
                let new = self.is_divided_like(*to, there);
                let here = self.pieces(*to, *bits);
                if !(self.is_divided_like(*from, here) | new) {
                    break;
                }
                changed = true;
            }
        }
        changed
    }

    /// Where the first bit is that is copied.
    fn first(&self, end: End, bits: u64) -> Target {
        match end {
            End::Exact(target) => target,
            End::Any(target) => match self.start(target, bits) {
                Some(offset) => Target {
                    offset,
                    ..self.normal(target)
                },
                None => target,
            },
        }
    }

    /// The array that a target is in, if other parts of the object are known behind it.
    pub(super) fn array_before_others(&self, target: Target) -> Option<&Range> {
        let range = self.range(target).filter(|range| range.stride > 0)?;
        let mut others = self.ranges(self.find(target.node)).iter();
        others.any(|other| other.lo >= range.hi).then_some(range)
    }

    /// The offset at which so many bits behind a target begin, if they are more than the array has that it is in: at the
    /// start of the array. (That is a guess: they may begin at another element, and end farther behind the array.)
    fn start(&self, target: Target, bits: u64) -> Option<u64> {
        let range = self.array_before_others(target)?;
        let residue = range.residue(self.normal(target).offset);
        (residue == 0 && range.is_smaller_array(bits)).then_some(range.lo)
    }

    fn pieces(&self, at: Target, bits: u64) -> Vec<Piece> {
        let at = self.normal(at);
        let end = at.offset.saturating_add(bits);
        let mut pieces = Vec::new();
        for range in self.ranges(at.node) {
            let (start, stop) = (range.lo.max(at.offset), range.hi.min(end));
            if start >= stop {
                continue;
            }
            let distance = start - at.offset;
            let first = |residue: u64| match range.stride {
                0 => range.lo.saturating_add(residue).checked_sub(at.offset),
                stride => {
                    let passed = (start - range.lo) % stride;
                    Some(distance + (residue + stride - passed) % stride)
                }
            };
            let cells = range.cells.iter();
            let cells = cells.filter_map(|(residue, cell)| Some((first(*residue)?, cell.clone())));
            pieces.push(Piece {
                distance,
                elements: (range.stride > 0).then_some((stop - start, range.stride)),
                cells: cells.filter(|(place, _)| *place < bits).collect(),
            });
        }
        pieces
    }

    fn is_divided_like(&mut self, place: Target, pieces: Vec<Piece>) -> bool {
        let place = self.normal(place);
        let mut changed = false;
        for piece in pieces {
            let at = |distance: u64| Target {
                offset: place.offset.saturating_add(distance),
                ..place
            };
            if let Some((length, stride)) = piece.elements
                && !self.is_declared(at(piece.distance), length, stride)
            {
                self.declare(at(piece.distance), length, stride);
                changed = true;
            }
            for (distance, cell) in piece.cells {
                changed |= self.add_to_cell(at(distance), cell);
            }
        }
        changed
    }
}

impl Memory<'_> {
    /// The offset in bytes at which so many bytes begin that are copied from or to a target, if that is the start of an array
    /// behind which they end. The analysis takes that for granted where it does not know better: whoever copies has to
    /// make sure of it.
    pub fn start(&self, target: Target, bytes: u64) -> Option<u64> {
        let start = self.nodes.start(target, bytes.checked_mul(8)?)?;
        start.is_multiple_of(8).then_some(start / 8)
    }

    /// Where exactly a pointer leads, if it leads to one offset.
    pub fn exact(&mut self, pointer: &Expr) -> Option<Target> {
        match &pointer.kind {
            ExprKind::Convert(operand) if operand.ty.is_pointer() => self.exact(operand),
            ExprKind::Address(place) => {
                let (mut target, mut ty) = match &place.base {
                    Base::Variable(variable) => {
                        let ty = self.program.variable(*variable).ty.clone();
                        (self.object(*variable), ty)
                    }
                    Base::Deref(pointer) => (self.exact(pointer)?, super::pointed(&pointer.ty)),
                };
                for step in &place.path {
                    (target, ty) = match (step, &ty) {
                        (Step::Field(record, number), _) => self.field(target, *record, *number),
                        (Step::Index(index), Type::Array(element, _)) => {
                            let ExprKind::Int(index) = index.kind else {
                                return None;
                            };
                            let bits = self.layout().size(element)?.checked_mul(8)?;
                            let distance = u64::try_from(index).ok()?.checked_mul(bits)?;
                            let offset = target.offset.checked_add(distance)?;
                            (Target { offset, ..target }, (**element).clone())
                        }
                        _ => return None,
                    };
                }
                Some(target)
            }
            ExprKind::Read(_) => {
                let target = self.target(pointer)?;
                (!self.is_moved(target)).then_some(target)
            }
            _ => None,
        }
    }
}
