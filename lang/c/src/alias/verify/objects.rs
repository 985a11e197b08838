//! What has to hold of nodes, ranges and regions whatever the program does.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Cell, Checker, residue};
use crate::alias::cells::Range;
use crate::alias::{Content, NodeId, Object, RegionId, Shape, Target};
use crate::ir::{FunctionId, Storage, VarId};
use crate::types::Type;

impl Checker<'_, '_> {
    /// All of it.
    pub(super) fn objects(&mut self) {
        let roots: Vec<NodeId> = self.memory.nodes.roots().collect();
        self.variables(&roots);
        for &node in &roots {
            self.span = self.place_of(node);
            self.ranges(node);
            self.closed(node);
        }
        self.regions();
    }

    /// A place for what is said about a node.
    fn place_of(&self, node: NodeId) -> ult_lang::span::Span {
        let objects = self.memory.nodes.objects(node).iter();
        let mut variables = objects.filter_map(|object| match object {
            Object::Single(id) | Object::Many(id) => Some(*id),
            _ => None,
        });
        let first = variables.next();
        first.map_or_else(Default::default, |id| self.program.variable(id).span)
    }

    /// Each variable is an object of one node, its own, as often as it exists.
    fn variables(&mut self, roots: &[NodeId]) {
        let mut homes: HashMap<VarId, Vec<(NodeId, bool)>> = HashMap::new();
        for &node in roots {
            for object in self.memory.nodes.objects(node) {
                let (id, many) = match object {
                    Object::Single(id) => (*id, false),
                    Object::Many(id) => (*id, true),
                    _ => continue,
                };
                homes.entry(id).or_default().push((node, many));
            }
        }
        let repeated = self.repeated();
        for id in self.mentioned.clone() {
            let variable = self.program.variable(id);
            self.span = variable.span;
            let own = self.root(self.object(id).node);
            let (one, many) = match homes.get(&id).map(Vec::as_slice) {
                Some([(node, many)]) => (*node == own, *many),
                _ => (false, false),
            };
            let start = self.object(id).offset;
            if !one || !self.memory.nodes.starts(own).contains(&start) {
                self.miss("where a variable lives");
            }
            let Storage::Automatic { function, .. } = variable.storage else {
                continue;
            };
            let in_memory = self.memory.is_in_memory(id);
            if in_memory && repeated.contains(&function) && !many {
                self.miss("a variable of which several exist at a time");
            }
            if !in_memory && self.has_union(&variable.ty) {
                self.miss("a union that is no bytes");
            }
        }
    }

    fn has_union(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.has_union(element),
            Type::Record(id) => {
                let record = self.program.record(*id);
                let mut fields = record.fields.iter().flatten();
                record.union || fields.any(|field| self.has_union(&field.ty))
            }
            _ => false,
        }
    }

    /// Functions that may be called while they are active: those on cycles of calls.
    fn repeated(&self) -> BTreeSet<FunctionId> {
        let none = BTreeSet::new();
        let callees = |id: FunctionId| self.calls.get(&id).unwrap_or(&none);
        let mut back: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
        for (caller, callees) in &self.calls {
            for callee in callees {
                back.entry(*callee).or_default().push(*caller);
            }
        }
        // Kosaraju's way to strongly connected components: functions by when they are left, then against the calls.
        let (mut seen, mut left) = (BTreeSet::new(), Vec::new());
        for &start in self.calls.keys() {
            let mut work = vec![(start, false)];
            while let Some((id, done)) = work.pop() {
                if done {
                    left.push(id);
                } else if seen.insert(id) {
                    work.push((id, true));
                    work.extend(callees(id).iter().map(|callee| (*callee, false)));
                }
            }
        }
        let (mut seen, mut repeated) = (BTreeSet::new(), BTreeSet::new());
        for start in left.into_iter().rev() {
            let (mut component, mut work) = (Vec::new(), vec![start]);
            while let Some(id) = work.pop() {
                if seen.insert(id) {
                    component.push(id);
                    work.extend(back.get(&id).into_iter().flatten());
                }
            }
            if component.len() > 1 || callees(start).contains(&start) {
                repeated.extend(component);
            }
        }
        repeated
    }

    /// Ranges are disjoint, cells lie in them, and those that overlap are one region of bytes with the same pointers.
    fn ranges(&mut self, node: NodeId) {
        let memory = self.memory;
        let mut ranges: Vec<&Range> = memory.nodes.ranges(node).iter().collect();
        ranges.sort_by_key(|range| range.lo);
        let apart = ranges.windows(2).all(|pair| pair[0].hi <= pair[1].lo);
        if !apart || ranges.iter().any(|range| range.lo >= range.hi) {
            self.miss("parts of an object that overlap");
        }
        for range in ranges {
            self.cells(node, range);
        }
    }

    fn cells(&mut self, node: NodeId, range: &Range) {
        let region = |start: u64| {
            let offset = range.lo.saturating_add(start);
            self.memory.region(Target { node, offset })
        };
        let mut intervals: Vec<(u64, u64, u64)> = Vec::new();
        let mut wrong = false;
        for (&start, cell) in &range.cells {
            let Some(size) = cell.accesses.keys().map(|(size, _)| *size).max() else {
                continue;
            };
            let end = start.saturating_add(size);
            wrong |= end > range.length() || residue(range, range.lo + start) != start;
            match range.stride {
                0 => intervals.push((start, end, start)),
                stride => {
                    // It goes on in the next period, or all over itself.
                    let whole = size >= stride;
                    if whole {
                        intervals.push((0, stride, start));
                    } else if end > stride {
                        intervals.push((start, stride, start));
                        intervals.push((0, end - stride, start));
                    } else {
                        intervals.push((start, end, start));
                    }
                    // Plain variables have no region.
                    let own = region(start);
                    wrong |= size > stride && own.is_some() && !self.is_bytes(own);
                }
            }
        }
        intervals.sort();
        // Those that overlap, also through others: where they end, their region, and where their pointers lead.
        let mut last: Option<(u64, u64, Option<Target>)> = None;
        for (start, end, cell) in intervals {
            let pointee = range.cells.get(&cell).and_then(Cell::pointee);
            last = match last {
                Some((reach, other, known)) if start < reach => {
                    let (a, b) = (region(cell), region(other));
                    wrong |= a != b || cell != other && a.is_some() && !self.is_bytes(a);
                    wrong |= matches!((known, pointee), (Some(a), Some(b)) if !self.is_one(a, b));
                    Some((reach.max(end), other, known.or(pointee)))
                }
                _ => Some((end, cell, pointee)),
            };
        }
        if wrong {
            self.miss("accesses that overlap");
        }
    }

    fn is_bytes(&self, region: Option<RegionId>) -> bool {
        let regions = self.memory.regions();
        let region = region.and_then(|id| regions.get(id.0 as usize));
        region.is_some_and(|region| matches!(region.content, Content::Bytes { .. }))
    }

    /// What pointers lead to from outside is outside; what they lead to from what lasts, lasts.
    fn closed(&mut self, node: NodeId) {
        let memory = self.memory;
        let objects = memory.nodes.objects(node);
        let is_static = |object: &Object| match object {
            Object::Single(id) => {
                matches!(self.program.variable(*id).storage, Storage::Static { .. })
            }
            Object::External => true,
            _ => false,
        };
        let lasts = memory.lasting.contains(&node);
        let outside = objects.contains(&Object::External);
        let mut wrong = (false, objects.iter().any(is_static) && !lasts);
        for range in memory.nodes.ranges(node) {
            for to in range.cells.values().filter_map(|cell| cell.pointee()) {
                let to = self.root(to.node);
                wrong.0 |= outside && !memory.nodes.objects(to).contains(&Object::External);
                wrong.1 |= lasts && !memory.lasting.contains(&to);
            }
        }
        if wrong.0 {
            self.miss("objects that are not the program's");
        }
        if wrong.1 {
            self.miss("objects that last");
        }
    }

    /// A region is of one node; its shape says what tells places in it apart, and its content what they contain.
    fn regions(&mut self) {
        let memory = self.memory;
        let mut cells: BTreeMap<RegionId, Vec<(NodeId, u64, u64)>> = BTreeMap::new();
        for (key, region) in memory.table.cells() {
            cells.entry(region).or_default().push(key);
        }
        for (number, region) in (0..).zip(memory.regions()) {
            let own = cells.get(&RegionId(number)).map_or(&[][..], Vec::as_slice);
            let Some(&(node, lo, start)) = own.first() else {
                continue;
            };
            self.span = self.place_of(node);
            let range = memory
                .nodes
                .ranges(node)
                .iter()
                .find(|range| range.lo == lo);
            let in_one = own.iter().all(|key| (key.0, key.1) == (node, lo))
                && self.root(region.target.node) == node;
            let (Some(range), true) = (range, in_one && self.root(node) == node) else {
                self.miss("where a region is");
                continue;
            };
            let objects: Vec<&Object> = memory.nodes.objects(node).iter().collect();
            let single = matches!(objects[..], [Object::Single(_)]);
            let scalar = match region.content {
                Content::Bytes { .. } => false,
                Content::Scalar { bits, kind, .. } => {
                    let cell = range.cells.get(&start);
                    let keys = cell.into_iter().flat_map(|cell| cell.accesses.keys());
                    if own.len() > 1 || !keys.eq([&(bits, kind)]) {
                        self.miss("what a region contains");
                    }
                    true
                }
            };
            let one_place = range.stride == 0 && scalar;
            let fits = match region.shape {
                Shape::One => single && one_place,
                Shape::ByOffset => single,
                Shape::ByObject => one_place,
                Shape::Both => true,
            };
            if !fits {
                self.miss("the shape of a region");
            }
        }
    }
}
