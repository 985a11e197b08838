//! What is copied by a constant number of bytes lies at both places alike.
//!
//! The objects do not become one: only the parts that are copied are divided in the same way, and lead to the same places. A
//! name in a structure that is filled from a string literal leaves the rest of the structure as it is.

use super::nodes::{Cell, Nodes};
use super::{Memory, Target};
use crate::ir::{Base, Expr, ExprKind, Step};
use crate::types::Type;

/// So many bits that are copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    /// Where to.
    pub to: Target,
    /// Where from.
    pub from: Target,
    /// How many.
    pub bits: u64,
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
            if self.find(to.node) == self.find(from.node) {
                // Within an object, what is behind the end may be copied before it.
                changed |= !self.is_same(*to, *from);
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
