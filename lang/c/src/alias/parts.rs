//! What lies behind a pointer, as far as a number of bytes reaches.

use std::collections::BTreeSet;

use super::cells::Range;
use super::regions::{self, Group};
use super::{Content, Memory, RegionId, Target};

/// A scalar, or a byte of a region of bytes, at a constant distance from a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Its region.
    pub region: RegionId,
    /// How many bytes behind the pointer the first byte lies that it has bits in.
    pub distance: u64,
}

/// Where pieces of a group begin in their range, and how many bits they have.
struct Pieces {
    region: RegionId,
    starts: BTreeSet<u64>,
    bits: u64,
}

fn pieces(memory: &Memory<'_>, target: Target, range: &Range) -> Option<Vec<Pieces>> {
    let node = memory.nodes.find(target.node);
    let mut all = Vec::new();
    for group in regions::groups(memory, range) {
        let first = *group.residues.first()?;
        let region = regions::at(memory, node, range, first)?;
        let (starts, bits) = match group.content {
            Content::Scalar { bits, .. } => (group.residues.into_iter().collect(), bits),
            Content::Bytes { .. } => (bytes(range, &group), 8),
        };
        all.push(Pieces {
            region,
            starts,
            bits,
        });
    }
    Some(all)
}

/// Where the bytes of a region of bytes begin.
fn bytes(range: &Range, group: &Group) -> BTreeSet<u64> {
    let mut starts = BTreeSet::new();
    for residue in &group.residues {
        let accesses = range.cells.get(residue).map(|cell| cell.accesses.keys());
        let size = accesses.into_iter().flatten().map(|(size, _)| *size).max();
        let end = residue.saturating_add(size.unwrap_or(0));
        let mut start = residue / 8 * 8;
        while start < end {
            starts.insert(match range.stride {
                0 => start,
                stride => start % stride,
            });
            start += 8;
        }
    }
    starts
}

/// See [`Memory::parts`]; offsets in bytes, the length in bits.
pub(super) fn behind(
    memory: &Memory<'_>,
    target: Target,
    offset: Option<u64>,
    length: u64,
) -> Option<Vec<Part>> {
    let target = memory.nodes.normal(target);
    let own = memory.nodes.range(target);
    let repeats = own.is_some_and(|own| own.stride > 0);
    let start = match offset {
        Some(bytes) => Some(bytes.checked_mul(8)?),
        None if !repeats => Some(target.offset),
        None => None,
    };
    let mut parts = BTreeSet::new();
    for range in memory.nodes.ranges(memory.nodes.find(target.node)) {
        if range.stride % 8 != 0 {
            return None;
        }
        let pieces = pieces(memory, target, range)?;
        let is_own = own.is_some_and(|own| own.lo == range.lo);
        for piece in &pieces {
            for begin in &piece.starts {
                let found = match (start, own) {
                    (Some(start), _) => from_start(range, *begin, piece.bits, start, length)?,
                    (None, Some(own)) if is_own => {
                        let class = target.offset.wrapping_sub(own.lo) % own.stride;
                        from_class(own.stride, *begin, piece.bits, class, length)?
                    }
                    // The pointer may be at any element of its array: what is more than a part of one may reach behind that
                    // array.
                    (None, Some(own)) if range.lo >= own.hi => {
                        let class = target.offset.wrapping_sub(own.lo) % own.stride;
                        if class.checked_add(length)? > own.stride {
                            return None;
                        }
                        Vec::new()
                    }
                    (None, _) => Vec::new(),
                };
                parts.extend(found.into_iter().map(|bits| Part {
                    region: piece.region,
                    distance: bits / 8,
                }));
            }
        }
    }
    Some(parts.into_iter().collect())
}

/// The distances of all pieces that begin at `begin` of a range, of a pointer to bit `start` of the object. `None` if one is
/// there in part only.
fn from_start(range: &Range, begin: u64, bits: u64, start: u64, length: u64) -> Option<Vec<u64>> {
    let end = start.checked_add(length)?;
    let mut at = range.lo.checked_add(begin)?;
    if range.stride > 0 && at < start {
        // The last one that begins before.
        at += (start - at) / range.stride * range.stride;
    }
    let mut found = Vec::new();
    while at < end && at < range.hi {
        if at >= start {
            if at.checked_add(bits)? > end {
                return None;
            }
            // From the byte on that the pointer leads to.
            found.push(at - start);
        } else if at.checked_add(bits)? > start {
            return None;
        }
        if range.stride == 0 {
            break;
        }
        at = at.checked_add(range.stride)?;
    }
    Some(found)
}

/// The same for a pointer to any place of a class modulo the stride.
fn from_class(stride: u64, begin: u64, bits: u64, class: u64, length: u64) -> Option<Vec<u64>> {
    let mut at = (begin + stride - class) % stride;
    if length > 0 && at.checked_add(bits)? > stride {
        return None;
    }
    let mut found = Vec::new();
    while at < length {
        if at.checked_add(bits)? > length {
            return None;
        }
        found.push(at);
        at = at.checked_add(stride)?;
    }
    Some(found)
}
