//! What the graph of the points-to analysis is made of: nodes by name, places in them, and the parts of objects.

use std::collections::BTreeMap;

use num_integer::Integer as _;

use crate::ir::VarId;
use crate::types::{FloatType, IntType, Type};

/// Index of a node; several may stand for the same one after unification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The index.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Where a pointer may point to: an offset in the objects of a node. The pointer may point to any
/// offset of the same range that is the same modulo the range's stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The objects.
    pub node: NodeId,
    /// In bits.
    pub offset: u64,
}

/// The end of a range that reaches to the end of the objects.
pub const END: u64 = u64::MAX;

/// What an access reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An integer, whatever its sign.
    Int,
    /// A pointer.
    Pointer,
    /// A floating-point number.
    Float(u32),
}

impl Kind {
    /// The kind of a floating type.
    pub fn float(ty: FloatType) -> Kind {
        let (significand, exponent) = ty.format();
        Kind::Float(significand + exponent)
    }
}

/// An abstract object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// A variable that exists once at a time.
    Single(VarId),
    /// A variable of which several may exist at a time: a local of a recursive function.
    Many(VarId),
    /// What is allocated on the heap.
    Heap,
    /// What is allocated on the heap, with zeroes in it.
    Zeroed,
    /// What is not the program's: what functions without a body return, and what `main` is given.
    External,
}

/// The parts at one offset of a range.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// Where pointers that are stored here may point to.
    pub pointee: Option<Target>,
    /// The accesses: size in bits, kind, and the type if it is an integer.
    pub accesses: BTreeMap<(u64, Kind), IntType>,
}

impl Cell {
    /// Where pointers that are stored here may point to, if anybody asked.
    pub(super) fn pointee(&self) -> Option<Target> {
        self.pointee
    }
}

/// By what a pointer is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    /// The size of what it points to.
    pub bits: u64,
    /// Whether it is a pointer to `void`.
    pub void: bool,
}

impl Step {
    /// For pointers to a type of this many bytes.
    pub(super) fn of(ty: &Type, bytes: u64) -> Step {
        Step {
            bits: bytes.saturating_mul(8),
            void: *ty == Type::Void,
        }
    }
}

/// Which pointers may walk over objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Walks {
    /// Where pointers are converted, and how many bits the objects on the larger side have.
    pub views: Vec<(Target, u64)>,
    /// Where pointers are converted, and the steps of what they become.
    pub steps: Vec<(Target, Step)>,
    /// Where pointers are moved.
    pub moves: Vec<(Target, Step)>,
}

/// A range of offsets.
#[derive(Clone, Debug)]
pub(super) struct Range {
    /// Where it starts.
    pub lo: u64,
    /// Where it ends, or [`END`].
    pub hi: u64,
    /// Cells repeat after this many bits; 0 if they do not.
    pub stride: u64,
    /// By offset from the start, less than the stride.
    pub cells: BTreeMap<u64, Cell>,
}

impl Range {
    /// An offset as the start of a cell.
    pub(super) fn residue(&self, offset: u64) -> u64 {
        let relative = offset.wrapping_sub(self.lo);
        match self.stride {
            0 => relative,
            stride => relative % stride,
        }
    }
}

impl Range {
    /// How many bits it has.
    pub(super) fn length(&self) -> u64 {
        self.hi - self.lo
    }

    /// Whether it is an array, and smaller than this many bits.
    pub(super) fn is_smaller_array(&self, bits: u64) -> bool {
        self.stride > 0 && bits > self.length()
    }

    /// Whether it can be shifted: what has a stride and begins at 0 reaches to the start of the objects wherever that is.
    pub(super) fn can_shift(&self, by: i64) -> bool {
        self.is_whole() || self.lo.checked_add_signed(by).is_some()
    }

    pub(super) fn is_whole(&self) -> bool {
        self.lo == 0 && self.stride > 0
    }

    /// The same cells, farther behind.
    pub(super) fn shifted(self, by: i64) -> Range {
        if by == 0 {
            return self;
        }
        if self.is_whole() {
            let period = i128::from(self.stride);
            let place = |residue: u64| {
                let place = (i128::from(residue) + i128::from(by)).rem_euclid(period);
                u64::try_from(place).unwrap_or_default()
            };
            let cells = self.cells.into_iter();
            return Range {
                cells: cells.map(|(at, cell)| (place(at), cell)).collect(),
                ..self
            };
        }
        Range {
            lo: shifted(self.lo, by),
            hi: shifted(self.hi, by),
            ..self
        }
    }
}

/// An offset farther behind; the end stays the end.
pub(super) fn shifted(offset: u64, by: i64) -> u64 {
    match offset {
        END => END,
        offset => offset.saturating_add_signed(by),
    }
}

/// Whether cells that repeat after `fine` bits are at least as coarse as those of `asked`.
pub(super) fn covers(fine: u64, asked: u64) -> bool {
    match (fine, asked) {
        (_, 0) => true,
        (0, _) => false,
        (fine, asked) => asked % fine == 0,
    }
}

/// Both ranges as one.
pub(super) fn merged(a: Range, b: Range, pairs: &mut Vec<(Target, Target)>) -> Range {
    let lo = a.lo.min(b.lo);
    let hi = a.hi.max(b.hi);
    let stride = a.stride.gcd(&b.stride);
    // With a stride, parts beside the strided ones join in: they may be at any distance.
    let mut all = Range {
        lo,
        hi,
        stride,
        cells: BTreeMap::new(),
    };
    // A shift of the start changes residues only; cells keep their distances.
    for range in [a, b] {
        for (offset, cell) in range.cells {
            let residue = all.residue(range.lo + offset);
            pairs.extend(merge_cells(all.cells.entry(residue).or_default(), cell));
        }
    }
    all
}

pub(super) fn merge_cells(into: &mut Cell, cell: Cell) -> Option<(Target, Target)> {
    for (key, ty) in cell.accesses {
        into.accesses.entry(key).or_insert(ty).signed |= ty.signed;
    }
    match (into.pointee, cell.pointee) {
        (Some(a), Some(b)) => Some((a, b)),
        (None, b) => {
            into.pointee = b;
            None
        }
        (Some(_), None) => None,
    }
}
