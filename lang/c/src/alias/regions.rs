//! From cells to regions.

use std::collections::{BTreeMap, BTreeSet};

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
pub struct Table(BTreeMap<Key, RegionId>);

/// Divides all nodes.
pub fn divide(memory: &mut Memory<'_>) {
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
            for group in groups(range) {
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
pub fn find(memory: &Memory<'_>, target: Target) -> Option<RegionId> {
    let node = memory.nodes.find(target.node);
    let range = memory.nodes.range(target)?;
    let key = (node, range.lo, range.residue(target.offset));
    memory.table.0.get(&key).copied()
}

/// Whether some scalar of this kind is also used as something else: its region consists of bytes.
pub fn has_bytes_of(memory: &Memory<'_>, asked: impl Fn(Kind) -> bool) -> bool {
    memory.nodes.roots().any(|node| {
        memory.nodes.ranges(node).iter().any(|range| {
            let groups = groups(range);
            let mut bytes = groups.iter().filter(|group| group.content.is_bytes());
            bytes.any(|group| group.kinds(range).into_iter().any(&asked))
        })
    })
}

struct Group {
    residues: Vec<u64>,
    content: Content,
}

impl Group {
    /// The kinds of the scalars in it.
    fn kinds(&self, range: &super::nodes::Range) -> BTreeSet<Kind> {
        let cells = self.residues.iter();
        let cells = cells.filter_map(|residue| range.cells.get(residue));
        let kinds = cells.flat_map(|cell| cell.accesses.keys().map(|(_, kind)| *kind));
        kinds.collect()
    }
}

/// Cells that overlap belong together.
fn groups(range: &super::nodes::Range) -> Vec<Group> {
    let mut groups = overlapping(range);
    for group in &mut groups {
        if group.content.is_bytes() {
            let pointers = group.kinds(range).contains(&Kind::Pointer);
            group.content = Content::Bytes { pointers };
        }
    }
    groups
}

fn overlapping(range: &super::nodes::Range) -> Vec<Group> {
    let bytes = Content::Bytes { pointers: false };
    let mut groups: Vec<(u64, Group)> = Vec::new();
    let period = match range.stride {
        0 => END,
        stride => stride,
    };
    let mut wraps = false;
    for (&residue, cell) in &range.cells {
        let Some((&(size, kind), &ty)) = cell.accesses.iter().next_back() else {
            continue;
        };
        let end = cell
            .accesses
            .keys()
            .map(|(size, _)| residue.saturating_add(*size))
            .max()
            .unwrap_or(residue);
        wraps |= end > period;
        let content = match cell.accesses.len() {
            1 => Content::Scalar {
                bits: size,
                kind,
                ty,
            },
            _ => bytes,
        };
        match groups.last_mut() {
            Some((last, group)) if *last > residue => {
                group.residues.push(residue);
                group.content = bytes;
                *last = end.max(*last);
            }
            _ => groups.push((
                end,
                Group {
                    residues: vec![residue],
                    content,
                },
            )),
        }
    }
    if wraps {
        let residues = groups.into_iter().flat_map(|(_, group)| group.residues);
        return vec![Group {
            residues: residues.collect(),
            content: bytes,
        }];
    }
    groups.into_iter().map(|(_, group)| group).collect()
}
