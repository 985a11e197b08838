//! From cells to regions.

use std::collections::BTreeMap;

use super::{END, Kind, Memory, Object, Target};
use crate::types::IntType;

/// Index of a region in [`Memory::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u32);

/// A part of memory.
#[derive(Clone, Debug)]
pub struct Region {
    /// A target in it, for names.
    pub target: Target,
    /// How a place in it is found.
    pub shape: Shape,
    /// What is at one place.
    pub content: Content,
}

/// How a place in a region is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// There is only one.
    One,
    /// One object: by the offset in bytes.
    ByOffset,
    /// One place in each object: by the object.
    ByObject,
    /// By object and offset in bytes.
    Both,
}

/// What is at one place of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A scalar of so many bits (fewer than its type's in a bit-field).
    Scalar {
        /// Its size.
        bits: u64,
        /// Its kind.
        kind: Kind,
        /// If it is an integer, its type.
        ty: IntType,
    },
    /// A byte of something larger.
    Bytes {
        /// Whether that may be a pointer.
        pointers: bool,
    },
}

impl Content {
    fn is_bytes(self) -> bool {
        matches!(self, Content::Bytes { .. })
    }
}

/// Where to find the region of a cell: node, start of the range, residue.
type Key = (super::NodeId, u64, u64);

/// The regions by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Table(BTreeMap<Key, RegionId>);

impl Table {
    /// The cells (node, start of the range, residue) and their regions.
    pub(super) fn cells(&self) -> impl Iterator<Item = ((super::NodeId, u64, u64), RegionId)> + '_ {
        self.0.iter().map(|(key, region)| (*key, *region))
    }
}

/// Divides all nodes.
pub(super) fn divide(memory: &mut Memory<'_>) {
    let mut table = Table::default();
    let mut regions = Vec::new();
    let mut roots: Vec<super::NodeId> = memory.nodes.roots().collect();
    roots.sort();
    for node in roots {
        let objects = memory.nodes.objects(node);
        let plain = |object: &Object| match object {
            Object::Single(variable) | Object::Many(variable) => !memory.is_in_memory(*variable),
            Object::Heap | Object::Zeroed | Object::External => false,
        };
        if !objects.is_empty() && objects.iter().all(plain) {
            continue;
        }
        let single = matches!(objects.iter().collect::<Vec<_>>()[..], [Object::Single(_)]);
        for range in memory.nodes.ranges(node) {
            for group in groups(memory, range) {
                let shape = match (single, range.stride == 0 && !group.content.is_bytes()) {
                    (true, true) => Shape::One,
                    (true, false) => Shape::ByOffset,
                    (false, true) => Shape::ByObject,
                    (false, false) => Shape::Both,
                };
                let id = RegionId(u32::try_from(regions.len()).unwrap_or(u32::MAX));
                let first = group.residues.first().copied().unwrap_or_default();
                regions.push(Region {
                    target: Target {
                        node,
                        offset: range.lo.saturating_add(first),
                    },
                    shape,
                    content: group.content,
                });
                for residue in group.residues {
                    table.0.insert((node, range.lo, residue), id);
                }
            }
        }
    }
    memory.regions = regions;
    memory.table = table;
}

/// The region of a target.
pub(super) fn find(memory: &Memory<'_>, target: Target) -> Option<RegionId> {
    let node = memory.nodes.find(target.node);
    let (range, residue) = memory.nodes.cell_of(target)?;
    at(memory, node, range, residue)
}

/// The region of a cell.
pub(super) fn at(
    memory: &Memory<'_>,
    node: super::NodeId,
    range: &super::cells::Range,
    residue: u64,
) -> Option<RegionId> {
    memory.table.0.get(&(node, range.lo, residue)).copied()
}

/// Whether some floating-point number is also used as something else: its region consists of bytes.
pub(super) fn has_bytes_of_floats(memory: &Memory<'_>) -> bool {
    memory.nodes.roots().any(|node| {
        memory.nodes.ranges(node).iter().any(|range| {
            let groups = groups(memory, range);
            let mut bytes = groups.iter().filter(|group| group.content.is_bytes());
            bytes.any(|group| {
                let cells = group.residues.iter();
                let mut cells = cells.filter_map(|residue| range.cells.get(residue));
                cells.any(|cell| {
                    let mut kinds = cell.accesses.keys().map(|(_, kind)| *kind);
                    kinds.any(|kind| matches!(kind, Kind::Float(_)))
                })
            })
        })
    })
}

/// Cells of one region.
pub(super) struct Group {
    /// Where they are, from the start of their range.
    pub residues: Vec<u64>,
    /// What they contain.
    pub content: Content,
}

/// Cells that overlap belong together.
pub(super) fn groups(memory: &Memory<'_>, range: &super::cells::Range) -> Vec<Group> {
    overlapping(range)
        .into_iter()
        .map(|residues| {
            let content = content(memory, range, &residues);
            Group { residues, content }
        })
        .collect()
}

/// What cells that belong together contain.
fn content(memory: &Memory<'_>, range: &super::cells::Range, residues: &[u64]) -> Content {
    let cells = || {
        residues
            .iter()
            .filter_map(|residue| range.cells.get(residue))
    };
    let pointers = cells().any(|cell| {
        let accesses = cell.accesses.keys();
        accesses
            .map(|(_, kind)| kind)
            .any(|kind| *kind == Kind::Pointer)
            || memory.nodes.points(cell)
    });
    let bytes = Content::Bytes { pointers };
    let mut accesses = cells().flat_map(|cell| &cell.accesses);
    let (Some((&(bits, kind), &ty)), None, [_]) = (accesses.next(), accesses.next(), residues)
    else {
        return bytes;
    };
    // Beyond its period it would overlap itself.
    let wraps = range.stride > 0 && residues[0].saturating_add(bits) > range.stride;
    if wraps || kind == Kind::Int && pointers {
        return bytes;
    }
    Content::Scalar { bits, kind, ty }
}

/// The cells of a range that are accessed, those that overlap together: by their offsets from its start.
pub(super) fn overlapping(range: &super::cells::Range) -> Vec<Vec<u64>> {
    let mut groups: Vec<(u64, Vec<u64>)> = Vec::new();
    let period = match range.stride {
        0 => END,
        stride => stride,
    };
    let mut wraps = false;
    for (&residue, cell) in &range.cells {
        let ends = cell.accesses.keys();
        let Some(end) = ends.map(|(size, _)| residue.saturating_add(*size)).max() else {
            continue;
        };
        wraps |= end > period;
        match groups.last_mut() {
            Some((last, group)) if *last > residue => {
                group.push(residue);
                *last = end.max(*last);
            }
            _ => groups.push((end, vec![residue])),
        }
    }
    let groups = groups.into_iter().map(|(_, residues)| residues);
    match wraps {
        true => vec![groups.flatten().collect()],
        false => groups.collect(),
    }
}
