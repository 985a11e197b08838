//! Objects that may alias, and the parts into which accesses divide them.
//!
//! A node stands for a set of objects that some pointer may point to; nodes are unified when one
//! pointer may point to both (Steensgaard, "Points-to analysis in almost linear time", POPL 1996).
//! Each node is divided by offsets, as in data structure analysis (Lattner, Lenharth, Adve, "Making
//! context-sensitive points-to analysis with heap cloning practical", PLDI 2007): a *range* of
//! offsets has a stride, and the parts at the same offset modulo the stride are one *cell*.
//!
//! All offsets and sizes are in bits, so that bit-fields are parts like others.
//!
//! What a pointer points to may turn out to be a member of something. So a node *floats* as long as it has no objects: its
//! offsets say how far its parts lie apart, not where they are. When it is unified with a node that has objects, its
//! offsets are shifted by the distance between the two targets (as graphs are merged at an offset in data structure
//! analysis).
//!
//! Also objects need not all start at the same offset of their node: one pointer may point to a variable, and to a member
//! of a structure (the head of a list, and the links in its items). Then the one starts where the member of the other is,
//! and each part of both stays one by itself. Only an object that one pointer may point to at different offsets loses the
//! parts between.

use std::collections::{BTreeMap, BTreeSet};

use num_integer::Integer as _;

use super::cells::{
    Cell, END, Kind, NodeId, Object, Range, Step, Target, Walks, covers, merge_cells, merged,
    shifted,
};
use super::verify::skip::{Skip, skips};
use crate::ir::FunctionId;
use crate::options::Members;
use crate::types::IntType;

/// Where pointers to a node that floats point to, if nothing else is known: so far from both ends that there is room for
/// what lies before.
const MIDDLE: u64 = 1 << 56;

/// Objects that start farther apart than so many bits lose their parts.
const FARTHEST: u64 = 1 << 40;

#[derive(Clone, Debug, Default)]
struct Node {
    ranges: Vec<Range>,
    objects: BTreeSet<Object>,
    /// Where objects start, but for those that are not the program's: of them any part may be anywhere.
    starts: BTreeSet<u64>,
    functions: BTreeSet<FunctionId>,
    /// Whether offsets are not those in objects yet.
    floats: bool,
}

/// What a node has become a part of: itself, if it is a representative.
#[derive(Clone, Copy, Debug)]
struct Parent {
    node: u32,
    /// What is added to offsets.
    shift: i64,
}

/// All nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    parent: Vec<Parent>,
    nodes: Vec<Node>,
    /// Pairs that have to become one.
    pending: Vec<(Target, Target)>,
    /// Pointers to nodes that float and are moved, and the size of what they point to.
    waiting: BTreeSet<(NodeId, u64, u64)>,
    /// Whether all is found: then nothing floats.
    settled: bool,
    /// Whether pointers that are moved walk over all of their objects, and not only over the array that they are in.
    flat: bool,
}

impl Nodes {
    /// Without nodes yet.
    pub(super) fn new(members: Members) -> Nodes {
        Nodes {
            flat: members == Members::Flat,
            ..Nodes::default()
        }
    }

    /// A new node without objects; whoever points to it points to its start.
    pub(super) fn fresh(&mut self) -> NodeId {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.parent.push(Parent { node: id, shift: 0 });
        self.nodes.push(Node::default());
        NodeId(id)
    }

    /// Somewhere in objects that are not known yet.
    fn somewhere(&mut self) -> Target {
        let node = self.fresh();
        let floats = !self.settled;
        self.node_mut(node).floats = floats;
        let offset = if floats { MIDDLE } else { 0 };
        Target { node, offset }
    }

    /// The representative.
    pub(super) fn find(&self, node: NodeId) -> NodeId {
        self.normal(Target { node, offset: 0 }).node
    }

    /// The same target, of a representative.
    pub(super) fn normal(&self, target: Target) -> Target {
        let Target { node, mut offset } = target;
        let mut at = node.0;
        loop {
            let parent = self.parent[at as usize];
            if parent.node == at {
                return Target {
                    node: NodeId(at),
                    offset,
                };
            }
            offset = shifted(offset, parent.shift);
            at = parent.node;
        }
    }

    /// The representatives.
    pub(super) fn roots(&self) -> impl Iterator<Item = NodeId> + '_ {
        let all = (0..).zip(&self.parent);
        all.filter(|(id, parent)| *id == parent.node)
            .map(|(id, _)| NodeId(id))
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[self.find(node).0 as usize]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        let root = self.find(node);
        &mut self.nodes[root.0 as usize]
    }

    /// The objects of a node.
    pub(super) fn objects(&self, node: NodeId) -> &BTreeSet<Object> {
        &self.node(node).objects
    }

    /// The offsets at which objects of a node start: of variables, and of what is allocated.
    pub(super) fn starts(&self, node: NodeId) -> &BTreeSet<u64> {
        &self.node(node).starts
    }

    /// The functions of a node.
    pub(super) fn functions(&self, node: NodeId) -> &BTreeSet<FunctionId> {
        &self.node(node).functions
    }

    /// Adds an object that begins at a target.
    pub(super) fn add_object(&mut self, target: Target, object: Object) {
        let start = Target {
            node: match self.normal(target) {
                Target { node, offset: 0 } if !self.node(node).floats => node,
                _ => self.fresh(),
            },
            offset: 0,
        };
        let node = self.node_mut(start.node);
        node.objects.insert(object);
        node.starts.insert(0);
        self.unify(target, start);
    }

    /// Adds objects that are not the program's, of which a target may be any part.
    pub(super) fn add_external(&mut self, node: NodeId) {
        self.node_mut(node).objects.insert(Object::External);
    }

    /// Adds a function.
    pub(super) fn add_function(&mut self, node: NodeId, function: FunctionId) {
        self.node_mut(node).functions.insert(function);
    }

    /// The ranges of a node, disjoint, in no order.
    pub(super) fn ranges(&self, node: NodeId) -> &[Range] {
        &self.node(node).ranges
    }

    /// Nothing starts at a target any more.
    #[cfg(test)]
    pub(super) fn forget_start(&mut self, target: Target) {
        self.node_mut(target.node).starts.remove(&target.offset);
    }

    /// Does damage to the ranges of a node.
    #[cfg(test)]
    pub(super) fn damage(&mut self, node: NodeId, damage: impl FnOnce(&mut Vec<Range>)) {
        damage(&mut self.node_mut(node).ranges);
    }

    /// The range and the cell's offset in it that a target is in, if something is known about it.
    pub(super) fn range(&self, target: Target) -> Option<&Range> {
        let target = self.normal(target);
        let ranges = &self.node(target.node).ranges;
        ranges
            .iter()
            .find(|r| r.lo <= target.offset && target.offset < r.hi)
    }

    /// The range that a target is in, and where its cell lies in that.
    pub(super) fn cell_of(&self, target: Target) -> Option<(&Range, u64)> {
        let range = self.range(target)?;
        Some((range, range.residue(self.normal(target).offset)))
    }

    /// All parts of the next `length` bits that lie `stride` apart are the same cell; the length may be [`END`]. With stride 0
    /// it is a part by itself.
    pub(super) fn declare(&mut self, target: Target, length: u64, stride: u64) {
        let Target { node, offset } = self.normal(target);
        self.declare_without_settling(node, offset, offset.saturating_add(length), stride);
        self.settle();
    }

    /// Whether that is known already.
    pub(super) fn is_declared(&self, target: Target, length: u64, stride: u64) -> bool {
        let end = self.normal(target).offset.saturating_add(length);
        let range = self.range(target);
        range.is_some_and(|range| end <= range.hi && covers(range.stride, stride))
    }

    /// All parts of a node's objects that lie `stride` apart are the same cell.
    fn declare_whole(&mut self, node: NodeId, stride: u64) {
        self.declare_without_settling(node, 0, END, stride);
        self.settle();
    }

    fn declare_without_settling(&mut self, node: NodeId, lo: u64, hi: u64, stride: u64) {
        let root = self.find(node);
        let node = &mut self.nodes[root.0 as usize];
        if node
            .ranges
            .iter()
            .any(|r| r.lo <= lo && hi <= r.hi && covers(r.stride, stride))
        {
            return;
        }
        let new = Range {
            lo,
            hi,
            stride,
            cells: BTreeMap::new(),
        };
        let (meet, mut apart): (Vec<Range>, Vec<Range>) = std::mem::take(&mut node.ranges)
            .into_iter()
            .partition(|r| r.lo < hi && lo < r.hi);
        let mut pairs = Vec::new();
        let mut merged = meet.into_iter().fold(new, |a, b| merged(a, b, &mut pairs));
        // The larger one may meet others now.
        while let Some(i) = apart
            .iter()
            .position(|r| r.lo < merged.hi && merged.lo < r.hi)
        {
            let other = apart.swap_remove(i);
            merged = self::merged(merged, other, &mut pairs);
        }
        apart.push(merged);
        self.nodes[root.0 as usize].ranges = apart;
        self.pending.extend(pairs);
    }

    /// An access to a part.
    pub(super) fn access(&mut self, target: Target, size: u64, kind: Kind, ty: IntType) {
        self.declare(target, size.max(1), 0);
        self.with_cell(target, |cell| {
            let known = cell.accesses.entry((size, kind)).or_insert(ty);
            // Signed wins: the order of accesses must not matter.
            known.signed |= ty.signed;
        });
    }

    fn with_cell<T>(&mut self, target: Target, work: impl FnOnce(&mut Cell) -> T) -> T {
        let target = self.normal(target);
        let node = self.node_mut(target.node);
        let position = node
            .ranges
            .iter()
            .position(|r| r.lo <= target.offset && target.offset < r.hi);
        let index = position.unwrap_or_else(|| {
            node.ranges.push(Range {
                lo: target.offset,
                hi: target.offset.saturating_add(1),
                stride: 0,
                cells: BTreeMap::new(),
            });
            node.ranges.len() - 1
        });
        let range = &mut node.ranges[index];
        let residue = range.residue(target.offset);
        work(range.cells.entry(residue).or_default())
    }

    /// What a cell is known to be, another one is, too. Tells whether that was new.
    pub(super) fn add_to_cell(&mut self, target: Target, cell: Cell) -> bool {
        for (size, _) in cell.accesses.keys() {
            self.declare(target, (*size).max(1), 0);
        }
        let known = self.with_cell(target, |known| known.clone());
        let is_known = |(key, ty): (&(u64, Kind), &IntType)| {
            let own = known.accesses.get(key);
            own.is_some_and(|own| own.signed || !ty.signed)
        };
        let pointees = match (known.pointee, cell.pointee) {
            (Some(a), Some(b)) => self.is_one(a, b),
            (known, new) => known.is_some() || new.is_none(),
        };
        if pointees && cell.accesses.iter().all(is_known) {
            return false;
        }
        let pair = self.with_cell(target, |known| merge_cells(known, cell));
        self.pending.extend(pair);
        self.settle();
        true
    }

    /// A pointer to elements of `size` bits is moved by an unknown number of them.
    pub(super) fn moved(&mut self, target: Target, size: u64) {
        let target = self.normal(target);
        match self.range(target) {
            // What is larger than the array is not a part of it, but begins with it.
            Some(range)
                if range.stride > 0 && !range.is_smaller_array(size) && !self.walks_out(range) =>
            {
                let (lo, hi) = (range.lo, range.hi);
                let stride = range.stride.gcd(&size);
                self.declare_without_settling(target.node, lo, hi, stride);
                self.settle();
            }
            // It may turn out to be a part of an array, which is not left then.
            _ if self.node(target.node).floats => {
                self.waiting.insert((target.node, target.offset, size));
            }
            range => {
                let stride = range.map_or(0, |range| range.stride);
                self.declare_whole(target.node, size.max(8).gcd(&stride));
            }
        }
    }

    /// Whether pointers in an array are not kept in it.
    fn walks_out(&self, range: &Range) -> bool {
        self.flat && !(range.is_whole() && range.hi == END)
    }

    /// Whether a target is in an array, but not in its first element: the pointer may be at the first one all the same.
    pub(super) fn is_within_array(&self, target: Target) -> bool {
        let offset = self.normal(target).offset;
        let range = self.range(target);
        range.is_some_and(|range| range.stride > 0 && offset - range.lo >= range.stride)
    }

    /// A pointer that was moved becomes one to something of `size` bits. If that is larger than the array in which it was, it
    /// was moved out of it, as from a member to the structure around it.
    pub(super) fn seen_as(&mut self, target: Target, size: u64) {
        let range = self.range(target);
        if range.is_some_and(|range| range.is_smaller_array(size)) {
            self.moved(target, size);
        }
    }

    /// Pointers that were moved before it was known in what. Tells whether something became known.
    pub(super) fn move_waiting(&mut self) -> bool {
        let mut changed = false;
        for (node, offset, size) in std::mem::take(&mut self.waiting) {
            let (target, waits) = (Target { node, offset }, self.waiting.len());
            self.moved(target, size);
            changed |= self.waiting.len() == waits;
        }
        changed
    }

    /// Pointers that were moved in what nothing more becomes known of walk over all of it. Tells whether there were any.
    pub(super) fn end_waiting(&mut self) -> bool {
        let waiting = std::mem::take(&mut self.waiting);
        for (node, _, size) in &waiting {
            let root = self.find(*node);
            self.declare_whole(root, (*size).max(8));
        }
        !waiting.is_empty()
    }

    /// All is found: what still floats lies at the start of whatever it is, and all targets are of representatives.
    pub(super) fn land(&mut self) {
        self.settled = true;
        let shifts: Vec<i64> = self.nodes.iter().map(Node::way_to_start).collect();
        let roots: Vec<NodeId> = self.roots().collect();
        let landed = |nodes: &Nodes, target: Target| {
            let Target { node, offset } = nodes.normal(target);
            let offset = shifted(offset, shifts[node.0 as usize]);
            Target { node, offset }
        };
        for root in roots {
            let mut ranges = std::mem::take(&mut self.node_mut(root).ranges);
            for cell in ranges.iter_mut().flat_map(|range| range.cells.values_mut()) {
                cell.pointee = cell.pointee.map(|to| landed(self, to));
            }
            let by = shifts[root.0 as usize];
            let node = self.node_mut(root);
            node.ranges = ranges.into_iter().map(|range| range.shifted(by)).collect();
            node.floats = false;
        }
    }

    /// Where a pointer that was converted is moved by steps smaller than an object that is seen there, it walks over all of
    /// that object (C11 6.3.2.3p7). Tells whether that was new.
    pub(super) fn walk_over(&mut self, walks: &Walks) -> bool {
        let by_part = |pairs: &[(Target, Step)]| -> BTreeSet<_> {
            let pairs = pairs.iter();
            let places = pairs.filter_map(|(target, step)| Some((self.part(*target)?, *step)));
            places.collect()
        };
        let (steps, moves) = (by_part(&walks.steps), by_part(&walks.moves));
        // By part, the smallest step.
        let mut least: BTreeMap<_, Step> = BTreeMap::new();
        for (place, step) in steps.intersection(&moves) {
            least.entry(*place).or_insert(*step);
        }
        let mut found = Vec::new();
        for (target, bits) in &walks.views {
            let target = self.normal(*target);
            let step = self.part(target).and_then(|place| least.get(&place));
            if let (Some(step), Some(range)) = (step, self.range(target)) {
                let end = target.offset.saturating_add(*bits);
                if step.bits < *bits && range.hi < end {
                    let Target { node, .. } = target;
                    let start = Target {
                        node,
                        offset: range.lo,
                    };
                    found.push((start, end - range.lo, step.bits.max(8)));
                }
            }
        }
        if skips(Skip::Walk) {
            return false;
        }
        for (start, length, step) in &found {
            self.declare(*start, *length, *step);
        }
        !found.is_empty()
    }

    /// The part that a target is in, if it is in a range: node, start of the range, and offset in it.
    fn part(&self, target: Target) -> Option<(NodeId, u64, u64)> {
        let (range, residue) = self.cell_of(target)?;
        Some((self.find(target.node), range.lo, residue))
    }

    /// Where the pointers in a part may point to.
    pub(super) fn pointee(&mut self, target: Target) -> Target {
        let known = self.with_cell(target, |cell| cell.pointee);
        known.unwrap_or_else(|| {
            let new = self.somewhere();
            self.with_cell(target, |cell| cell.pointee = Some(new));
            new
        })
    }

    /// Whether what lies at a target is read or written by somebody, in whatever way.
    pub(super) fn is_accessed(&self, target: Target) -> bool {
        self.range(target).is_some_and(|range| {
            let mut cells = range.cells.values();
            cells.any(|cell| !cell.accesses.is_empty())
        })
    }

    /// Whether pointers (or their bytes) that are known to point somewhere may be stored at a target.
    pub(super) fn carries(&self, target: Target) -> bool {
        let cell = self.cell_of(target);
        let cell = cell.and_then(|(range, residue)| range.cells.get(&residue));
        cell.is_some_and(|cell| self.points(cell))
    }

    /// Whether pointers in a cell are known to point somewhere.
    pub(super) fn points(&self, cell: &Cell) -> bool {
        cell.pointee.is_some_and(|to| {
            let node = self.node(to.node);
            !node.objects.is_empty() || !node.functions.is_empty()
        })
    }

    /// What is written through one cell is read through another that it overlaps: pointers in both point to the same.
    /// Tells whether that was new.
    pub(super) fn unify_overlapping(&mut self) -> bool {
        if skips(Skip::Overlapping) {
            return false;
        }
        let mut changed = false;
        loop {
            let mut pairs = Vec::new();
            let mut without = Vec::new();
            for node in self.roots() {
                for range in self.ranges(node) {
                    for residues in super::regions::overlapping(range) {
                        let cells = || residues.iter().filter_map(|r| range.cells.get(r));
                        let targets: Vec<Target> = cells().filter_map(|c| c.pointee).collect();
                        pairs.extend(targets.windows(2).map(|pair| (pair[0], pair[1])));
                        let points = cells().find(|cell| self.points(cell));
                        let Some(pointee) = points.and_then(|cell| cell.pointee) else {
                            continue;
                        };
                        let lacks =
                            |r: &&u64| range.cells.get(r).is_some_and(|c| c.pointee.is_none());
                        without.extend(residues.iter().filter(lacks).map(|residue| {
                            let offset = range.lo.saturating_add(*residue);
                            (Target { node, offset }, pointee)
                        }));
                    }
                }
            }
            pairs.retain(|&(a, b)| !self.is_one(a, b));
            if pairs.is_empty() && without.is_empty() {
                return changed;
            }
            changed = true;
            for (cell, pointee) in without {
                self.with_cell(cell, |cell| {
                    cell.pointee.get_or_insert(pointee);
                });
            }
            for (a, b) in pairs {
                self.unify(a, b);
            }
        }
    }

    /// Whether two targets are one cell.
    fn is_same(&self, a: Target, b: Target) -> bool {
        let (a, b) = (self.normal(a), self.normal(b));
        let part = self.part(a);
        a == b || part.is_some() && part == self.part(b)
    }

    /// Whether whatever lies at a distance from one of two targets is one cell with what lies there from the other one. Two
    /// elements of an array are one cell, but what is behind the array is not as far from the one as from the other.
    pub(super) fn is_one(&self, a: Target, b: Target) -> bool {
        let (a, b) = (self.normal(a), self.normal(b));
        let is_all = |range: &Range| {
            range.is_whole() && range.hi == END || skips(Skip::Behind) && range.stride > 0
        };
        a == b || self.range(a).is_some_and(is_all) && self.is_same(a, b)
    }

    /// What pointers in external objects point to may be external, too.
    pub(super) fn spread_external(&mut self) {
        if skips(Skip::Spread) {
            return;
        }
        for node in self.reachable(self.external().collect()) {
            self.node_mut(node).objects.insert(Object::External);
        }
    }

    /// The representatives that may be objects that are not the program's.
    pub(super) fn external(&self) -> impl Iterator<Item = NodeId> + '_ {
        let roots = self.roots();
        roots.filter(|node| self.objects(*node).contains(&Object::External))
    }

    /// The representatives of nodes, and of those to which pointers in them may lead, through others too.
    pub(super) fn reachable(&self, from: Vec<NodeId>) -> BTreeSet<NodeId> {
        let mut found = BTreeSet::new();
        let mut work = from;
        while let Some(node) = work.pop() {
            let node = self.find(node);
            if !found.insert(node) {
                continue;
            }
            let cells = self
                .ranges(node)
                .iter()
                .flat_map(|range| range.cells.values());
            work.extend(cells.filter_map(|cell| cell.pointee).map(|to| to.node));
        }
        found
    }

    /// Two targets that one pointer may have.
    pub(super) fn unify(&mut self, a: Target, b: Target) {
        self.pending.push((a, b));
        self.settle();
    }

    fn settle(&mut self) {
        while let Some((a, b)) = self.pending.pop() {
            let (a, b) = (self.normal(a), self.normal(b));
            let (a, b) = match a.node == b.node {
                true => (a, b),
                false => self.merge(a, b),
            };
            if !self.is_one(a, b) {
                // The same pointer at different offsets: they are one cell, and so is all else that
                // lies as far apart.
                self.declare_without_settling(a.node, 0, END, a.offset.abs_diff(b.offset));
            }
        }
    }

    /// Makes the nodes of two targets one, shifted so that the targets are the same if possible. Both targets in that.
    fn merge(&mut self, a: Target, b: Target) -> (Target, Target) {
        let (into, other, shift) = self.aligned(a, b);
        self.parent[other.node.0 as usize] = Parent {
            node: into.node.0,
            shift,
        };
        let old = std::mem::take(&mut self.nodes[other.node.0 as usize]);
        let node = &mut self.nodes[into.node.0 as usize];
        node.objects.extend(old.objects);
        let starts = old.starts.into_iter();
        node.starts
            .extend(starts.map(|start| shifted(start, shift)));
        node.functions.extend(old.functions);
        for range in old.ranges {
            let range = range.shifted(shift);
            self.declare_without_settling(into.node, range.lo, range.hi, range.stride);
            for (offset, cell) in range.cells {
                let target = Target {
                    node: into.node,
                    offset: range.lo + offset,
                };
                let pair = self.with_cell(target, |known| merge_cells(known, cell));
                self.pending.extend(pair);
            }
        }
        (into, self.normal(other))
    }

    /// Which of two targets' nodes becomes a part of the other one, the second, and how far it has to be shifted so that the
    /// targets are the same.
    fn aligned(&self, a: Target, b: Target) -> (Target, Target, i64) {
        let floats = |target: Target| self.node(target.node).floats;
        // What is the program's stays where it is; else what was first.
        let (into, other) = match (floats(a), floats(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ if a.node < b.node => (a, b),
            _ => (b, a),
        };
        let distance = i128::from(into.offset) - i128::from(other.offset);
        let by = i64::try_from(distance).unwrap_or(0);
        if floats(other) {
            // Unless something would lie before the start of the objects.
            let fits = |range: &Range| range.can_shift(by);
            let fit = self.node(other.node).ranges.iter().all(fits);
            return (into, other, if fit { by } else { 0 });
        }
        // Pointers are to whole bytes. When all is found, what is known stays where it is.
        let far = by.unsigned_abs() > FARTHEST || by % 8 != 0;
        match by {
            _ if far || self.settled => (into, other, 0),
            by if by < 0 => (other, into, -by),
            by => (into, other, by),
        }
    }
}

impl Node {
    /// How far its parts have to be shifted to lie at the start of objects, if it floats.
    fn way_to_start(&self) -> i64 {
        if !self.floats {
            return 0;
        }
        let parts = self.ranges.iter().filter(|range| !range.is_whole());
        let first = parts.map(|range| range.lo).min();
        let first = first.unwrap_or(MIDDLE).min(MIDDLE);
        i64::try_from(first).map_or(0, |first| -first)
    }
}
