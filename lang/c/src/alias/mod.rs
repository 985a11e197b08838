//! Which variables need a place in memory, and which parts of memory never overlap.
//!
//! A variable whose address is never taken is a plain variable. The rest lives in *regions*: no
//! two accesses through different regions ever touch the same bits, as long as the program stays
//! within its objects (what is beyond is undefined behaviour). Where accesses of different sizes or
//! kinds overlap, the region is one of bytes.

mod cells;
mod constraints;
mod copied;
mod external;
mod nodes;
mod parts;
mod regions;
pub mod verify;

pub use cells::{END, Kind, NodeId, Object, Target};
pub use parts::Part;
pub use regions::{Content, Region, RegionId, Shape};

use std::collections::BTreeSet;

use crate::ir::{Base, Expr, ExprKind, FunctionId, Initial, Place, Program, Step, Storage, VarId};
use crate::options::Members;
use crate::types::{IntType, Layout, Length, Type};
use nodes::Nodes;
use verify::skip::{Skip, skips};

/// Offsets in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// This one only.
    One(u64),
    /// This one, and all others that lie a multiple of the stride before or behind it.
    Every {
        /// One of them.
        first: u64,
        /// At least 1.
        stride: u64,
    },
}

/// Between which offsets in bytes something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The first one, if something lies before.
    pub first: Option<u64>,
    /// Where it ends, if something lies after it.
    pub end: Option<u64>,
}

/// The result of the analysis.
pub struct Memory<'p> {
    program: &'p Program,
    nodes: Nodes,
    /// By variable: its object. The node exists for all variables, also plain ones.
    variables: Vec<NodeId>,
    in_memory: Vec<bool>,
    /// By function: where a returned pointer may point to, as a part of an object for the result.
    results: Vec<NodeId>,
    /// Where pointers among the arguments for `...` may point to, whoever is called.
    arguments: NodeId,
    recursive: BTreeSet<FunctionId>,
    members: Members,
    regions: Vec<Region>,
    table: regions::Table,
    /// What pointers may lead to when `main` has returned.
    lasting: BTreeSet<NodeId>,
}

impl<'p> Memory<'p> {
    /// Analyses the functions that may be called. `recursive` are those of which several activations
    /// may exist at a time.
    pub fn analyse(
        program: &'p Program,
        reachable: &BTreeSet<FunctionId>,
        recursive: BTreeSet<FunctionId>,
        members: Members,
    ) -> Memory<'p> {
        let mut nodes = Nodes::new(members);
        let variables = program.variables.iter().map(|_| nodes.fresh()).collect();
        let results = program.functions.iter().map(|_| nodes.fresh()).collect();
        let arguments = nodes.fresh();
        let mut memory = Memory {
            program,
            nodes,
            arguments,
            variables,
            in_memory: vec![false; program.variables.len()],
            results,
            recursive,
            members,
            regions: Vec::new(),
            table: regions::Table::default(),
            lasting: BTreeSet::new(),
        };
        constraints::generate(&mut memory, reachable);
        regions::divide(&mut memory);
        memory.lasting = memory.nodes.reachable(memory.roots_at_end());
        memory
    }

    /// Where to find pointers when `main` has returned: in static variables, and in what is not the program's.
    fn roots_at_end(&self) -> Vec<NodeId> {
        let variables = self.program.variables.iter().zip(&self.variables);
        let lasting = variables
            .filter(|(variable, _)| matches!(variable.storage, Storage::Static { .. }))
            .map(|(_, node)| *node);
        lasting.chain(self.nodes.external()).collect()
    }

    fn layout(&self) -> Layout<'p> {
        Layout {
            model: self.program.model,
            records: &self.program.records,
        }
    }

    /// Whether the variable lives in memory.
    pub fn is_in_memory(&self, variable: VarId) -> bool {
        self.in_memory[variable.0 as usize]
    }

    /// The object of a variable: where it starts in its node.
    pub fn object(&self, variable: VarId) -> Target {
        self.nodes.normal(Target {
            node: self.variables[variable.0 as usize],
            offset: 0,
        })
    }

    /// Where in their node objects start that a target may be in, in bits.
    fn starts(&self, target: Target, object: Object) -> BTreeSet<u64> {
        match object {
            Object::Single(id) | Object::Many(id) => BTreeSet::from([self.object(id).offset]),
            Object::Heap | Object::Zeroed | Object::External => {
                let all = self.nodes.starts(target.node);
                if all.is_empty() {
                    BTreeSet::from([0])
                } else {
                    all.clone()
                }
            }
        }
    }

    /// Where in its node all objects start that a target may be in, in bytes, if that is one place.
    fn start_of_all(&self, target: Target) -> Option<u64> {
        let starts = self.nodes.starts(target.node);
        match (starts.first(), starts.len()) {
            (None, _) => Some(0),
            (Some(start), 1) => start.is_multiple_of(8).then_some(start / 8),
            _ => None,
        }
    }

    /// Where in a target's node so many bytes from the start of the objects are, in bytes, if they all start at one place.
    pub fn offset_in_node(&self, target: Target, in_object: u64) -> Option<u64> {
        self.start_of_all(target)?.checked_add(in_object)
    }

    /// How many bytes from the start of the objects an offset in bytes of a target's node is, if they all start at one place.
    pub fn offset_in_objects(&self, target: Target, in_node: u64) -> Option<u64> {
        in_node.checked_sub(self.start_of_all(target)?)
    }

    /// How many bytes from the start of each of its objects an offset in bytes of a target's node is at least, if it is not
    /// before one.
    pub fn least_offset_in_objects(&self, target: Target, in_node: u64) -> Option<u64> {
        let last = self.nodes.starts(target.node).last();
        in_node.checked_sub(last.map_or(0, |bits| bits.div_ceil(8)))
    }

    /// The objects that a target may be in.
    pub fn objects(&self, target: Target) -> &BTreeSet<Object> {
        self.nodes.objects(target.node)
    }

    /// Where a pointer that is stored at a target may point to.
    pub fn pointee(&mut self, target: Target) -> Target {
        self.nodes.pointee(target)
    }

    /// The functions that a target may be.
    pub fn functions_at(&self, target: Target) -> &BTreeSet<FunctionId> {
        self.nodes.functions(target.node)
    }

    /// Whether a target may be in an object that is not the program's.
    pub fn is_external(&self, target: Target) -> bool {
        self.objects(target).contains(&Object::External)
    }

    /// The functions that a pointer may point to.
    pub fn functions(&mut self, pointer: &Expr) -> BTreeSet<FunctionId> {
        match self.target(pointer) {
            Some(target) => self.nodes.functions(target.node).clone(),
            None => BTreeSet::new(),
        }
    }

    /// A target about which nothing is known.
    pub fn nothing(&mut self) -> Target {
        Target {
            node: self.nodes.fresh(),
            offset: 0,
        }
    }

    /// Whether several objects of a variable may exist at a time.
    pub fn is_repeated(&self, variable: VarId) -> bool {
        let object = self.object(variable);
        self.objects(object).contains(&Object::Many(variable))
    }

    /// Whether two targets are in the same objects.
    pub fn same_objects(&self, a: Target, b: Target) -> bool {
        self.nodes.find(a.node) == self.nodes.find(b.node)
    }

    /// Whether pointers may lead to the objects at a target when `main` has returned.
    pub fn is_lasting(&self, target: Target) -> bool {
        self.lasting.contains(&self.nodes.find(target.node))
    }

    /// Whether something is allocated on the heap.
    pub fn has_heap(&self) -> bool {
        self.has_heap_among(self.nodes.roots())
    }

    /// Whether pointers may lead from a target to the heap.
    pub fn leads_to_heap(&self, target: Target) -> bool {
        let found = self.nodes.reachable(vec![target.node]);
        self.has_heap_among(found.into_iter())
    }

    fn has_heap_among(&self, mut nodes: impl Iterator<Item = NodeId>) -> bool {
        let is_heap = |object: &Object| matches!(object, Object::Heap | Object::Zeroed);
        nodes.any(|node| self.nodes.objects(node).iter().any(is_heap))
    }

    /// Whether all objects that a target may be in have known contents at first, and some are zeroes on the heap.
    pub fn is_zeroed(&self, target: Target) -> bool {
        let objects = self.objects(target);
        let known = |object: &Object| match object {
            Object::Zeroed => true,
            Object::Single(variable) => match &self.program.variable(*variable).storage {
                Storage::Static { initial, .. } => !matches!(initial, Initial::Unknown),
                Storage::Automatic { .. } => false,
            },
            Object::Many(_) | Object::Heap | Object::External => false,
        };
        objects.contains(&Object::Zeroed) && objects.iter().all(known)
    }

    /// The offset of a target in its node, in bits, in the first element if it is in an array.
    pub fn offset(&self, target: Target) -> u64 {
        match self.nodes.cell_of(target) {
            Some((range, residue)) => range.lo.saturating_add(residue),
            None => target.offset,
        }
    }

    /// The offsets in bytes at which there may be something like at a target, in an object that starts at another target, below
    /// some size; `None` if they are more than `most`. (In a range without a stride, there is one place.)
    pub fn offsets(&self, target: Target, start: Target, size: u64, most: u64) -> Option<Vec<u64>> {
        let bytes = self
            .region(target)
            .is_some_and(|id| matches!(self.regions[id.0 as usize].content, Content::Bytes { .. }));
        let step = match self.nodes.range(target) {
            Some(range) if range.stride > 0 && range.stride % 8 == 0 && !bytes => range.stride / 8,
            _ => 1,
        };
        let start = self.nodes.normal(start).offset;
        let first = if bytes {
            0
        } else {
            self.first_behind(start, target, step)
        };
        let count = size.saturating_sub(first).div_ceil(step);
        (count <= most).then(|| (0..count).map(|number| first + number * step).collect())
    }

    /// How many bytes behind a start, in bits, the first place is that a target stands for, if these lie `step` bytes apart.
    fn first_behind(&self, start: u64, target: Target, step: u64) -> u64 {
        let distance = i128::from(self.offset(target)) - i128::from(start);
        let first = (distance / 8).rem_euclid(i128::from(step));
        u64::try_from(first).unwrap_or_default()
    }

    /// What lies in so many bytes behind a pointer to a target, whose offset in its node may be known in bytes. `None` if
    /// that is not known, or if only a part of a scalar lies there.
    pub fn parts(&self, target: Target, offset: Option<u64>, bytes: u64) -> Option<Vec<Part>> {
        parts::behind(self, target, offset, bytes.checked_mul(8)?)
    }

    /// Nothing is kept of what objects contain: there are no regions.
    pub fn forget_contents(&mut self) {
        self.regions.clear();
        self.table = regions::Table::default();
    }

    /// The regions.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Whether some floating-point number is also used as bytes, or as an integer.
    pub fn has_bytes_of_floats(&self) -> bool {
        regions::has_bytes_of_floats(self)
    }

    /// Whether some bytes in memory may be those of a pointer.
    pub fn has_bytes_of_pointers(&self) -> bool {
        let is = |region: &Region| matches!(region.content, Content::Bytes { pointers: true });
        self.regions.iter().any(is)
    }

    /// The region of a scalar (or bit-field of `bits` bits) at a target.
    pub fn region(&self, target: Target) -> Option<RegionId> {
        regions::find(self, target)
    }

    /// A number for the objects that a target may be in.
    pub fn number(&self, target: Target) -> u32 {
        self.nodes.find(target.node).number()
    }

    /// The offsets that a target stands for in one of its objects, in bytes. They are several classes if objects of that kind
    /// start at several places.
    pub fn classes(&self, target: Target, object: Object) -> Vec<Class> {
        let starts = self.starts(target, object).into_iter();
        match self.nodes.range(target) {
            Some(range) if range.stride > 0 => {
                let stride = (range.stride / 8).max(1);
                let class = |start| Class::Every {
                    first: self.first_behind(start, target, stride),
                    stride,
                };
                starts.map(class).collect()
            }
            _ => {
                let at = self.nodes.normal(target).offset;
                let distances = starts.filter_map(|start| at.checked_sub(start));
                distances.map(|bits| Class::One(bits / 8)).collect()
            }
        }
    }

    /// Whether a pointer to a target may have been moved within an array.
    pub fn is_moved(&self, target: Target) -> bool {
        self.nodes
            .range(target)
            .is_some_and(|range| range.stride > 0)
    }

    /// Where in its node the array ends that a target is in, in bytes, if other parts of the object are known behind it.
    pub fn end_of_array(&self, target: Target) -> Option<u64> {
        let range = self.nodes.array_before_others(target)?;
        Some(range.hi / 8)
    }

    /// Between which offsets in bytes, from the start of each of its objects, an access to the array must stay that a target is
    /// in, lest it reaches other parts of them; `None` if there are none. The objects are those that are variables, and all others.
    /// Of the latter only parts that are accessed are known; the rest of a variable and of allocated zeroes has values all the same.
    pub fn array_around(&self, target: Target) -> Option<Vec<(Option<VarId>, Bounds)>> {
        let range = self.nodes.range(target).filter(|range| range.stride > 0)?;
        let is_accessed = |other: &&cells::Range| {
            let mut cells = other.cells.values();
            cells.any(|cell| !cell.accesses.is_empty())
        };
        let node = self.nodes.find(target.node);
        let others: Vec<&cells::Range> =
            self.nodes.ranges(node).iter().filter(is_accessed).collect();
        let before = others.iter().any(|other| other.hi <= range.lo);
        let after = others.iter().any(|other| other.lo >= range.hi);
        let bounds = |start: u64, size: Option<u64>| {
            let end = size.and_then(|size| start.checked_add(size.checked_mul(8)?));
            let has_before = before || (size.is_some() && start < range.lo);
            let has_after = after || end.is_some_and(|end| range.hi < end);
            Bounds {
                first: has_before.then(|| range.lo.saturating_sub(start) / 8),
                end: has_after.then(|| range.hi.saturating_sub(start) / 8),
            }
        };
        let mut all = Vec::new();
        for object in self.nodes.objects(node) {
            match object {
                Object::Single(id) => {
                    let size = self.layout().size(&self.program.variable(*id).ty);
                    all.push((Some(*id), bounds(self.object(*id).offset, size)));
                }
                Object::Many(_) | Object::Heap | Object::Zeroed | Object::External => {
                    // What is beyond the parts that are accessed is zero, and no longer so where somebody walks there.
                    let size = (*object == Object::Zeroed).then_some(LARGEST);
                    let starts = self.starts(target, *object).into_iter();
                    all.extend(starts.map(|start| (None, bounds(start, size))));
                }
            }
        }
        let is_bounded = |(_, of): &(_, Bounds)| of.first.is_some() || of.end.is_some();
        all.iter().any(is_bounded).then_some(all)
    }

    /// Where in objects that are not the program's a pointer to a target leads, in bytes from their start, if that is one place
    /// and accesses have to stay in an array of theirs.
    pub fn offset_outside(&self, target: Target) -> Option<u64> {
        let node = self.nodes.find(target.node);
        let first = |range: &cells::Range| Target {
            node,
            offset: range.lo,
        };
        let mut arrays = self.nodes.ranges(node).iter().map(first);
        match self.classes(target, Object::External)[..] {
            [Class::One(only)] if arrays.any(|array| self.array_around(array).is_some()) => {
                Some(only)
            }
            _ => None,
        }
    }

    /// Whether so many bytes at a target are a part of an element of the array that it is in.
    pub fn is_in_element(&self, target: Target, bytes: u64) -> bool {
        let found = self.nodes.cell_of(target);
        found.is_some_and(|(range, residue)| {
            residue.saturating_add(bytes.saturating_mul(8)) <= range.stride
        })
    }

    /// Whether so many elements of `size` bytes at a target may be in one array.
    pub fn is_array(&self, target: Target, size: u64, length: u64) -> bool {
        let bits = size.saturating_mul(8);
        self.nodes.range(target).is_some_and(|range| {
            range.stride > 0
                && bits.is_multiple_of(range.stride)
                && bits.saturating_mul(length) <= range.length()
        })
    }

    /// Where a place is, if it can be said.
    pub fn place(&mut self, place: &Place) -> Option<Target> {
        let (mut target, mut ty) = match &place.base {
            Base::Variable(variable) => (
                self.object(*variable),
                self.program.variable(*variable).ty.clone(),
            ),
            Base::Deref(pointer) => (self.target(pointer)?, pointed(&pointer.ty)),
        };
        for step in &place.path {
            (target, ty) = self.step(target, &ty, step);
        }
        Some(target)
    }

    /// A part of the object of type `ty` at a target.
    fn step(&mut self, target: Target, ty: &Type, step: &Step) -> (Target, Type) {
        match (step, ty) {
            (Step::Field(record, number), _) => self.field(target, *record, *number),
            (Step::Index(index), Type::Array(element, length)) => {
                if *length == Length::Known(1) && !matches!(index.kind, ExprKind::Int(0)) {
                    self.one_element(target, element);
                }
                let target = self.elements(target, element, *length);
                if self.members == Members::Flat && may_leave(index, *length) {
                    let size = self.stride(element).max(1).saturating_mul(8);
                    self.nodes.moved(target, size);
                }
                (target, (**element).clone())
            }
            (Step::Index(_), other) => (target, other.clone()),
        }
    }

    /// A member of the structure or union at a target, and its type.
    pub fn field(
        &self,
        target: Target,
        record: crate::types::RecordId,
        number: usize,
    ) -> (Target, Type) {
        let fields = self.program.record(record).fields.as_deref();
        let Some(field) = fields.and_then(|fields| fields.get(number)) else {
            return (target, Type::INT);
        };
        let bits = field.bits.map_or(0, |bits| u64::from(bits.first));
        let offset = target.offset.saturating_add(field.offset * 8 + bits);
        (Target { offset, ..target }, field.ty.clone())
    }

    /// The elements of an array at a target: all of them are one cell.
    fn elements(&mut self, target: Target, element: &Type, length: Length) -> Target {
        let size = self.stride(element).max(1) * 8;
        let whole = match length {
            Length::Known(0) => END,
            Length::Known(length) => size.saturating_mul(length),
            Length::Variable(_) | Length::Unknown => END,
        };
        // One element is no array.
        if whole != size && !skips(Skip::Elements) {
            self.nodes.declare(target, whole, size);
        }
        target
    }

    /// An array of one element that is used as if it had more, as before there were flexible array members: they are told
    /// apart by their offsets.
    fn one_element(&mut self, target: Target, element: &Type) {
        let size = self.stride(element).max(1).saturating_mul(8);
        if !skips(Skip::Elements) {
            self.nodes.declare(target, size, size);
        }
    }

    /// How far elements of the type lie apart, if that is constant; else the parts that they consist of.
    fn stride(&self, element: &Type) -> u64 {
        match (self.layout().size(element), element) {
            (Some(size), _) => size,
            (None, Type::Array(part, _)) => self.stride(part),
            (None, _) => 1,
        }
    }

    /// Where a pointer may point to.
    pub fn target(&mut self, pointer: &Expr) -> Option<Target> {
        match &pointer.kind {
            ExprKind::Int(_) => None,
            ExprKind::Address(place) => self.place(place),
            ExprKind::Function(function) => {
                let node = self.results[function.0 as usize];
                let function_object = Target {
                    node,
                    offset: FUNCTION,
                };
                let target = self.nodes.pointee(function_object);
                self.nodes.add_function(target.node, *function);
                Some(target)
            }
            ExprKind::Read(place) => {
                let target = self.place(place)?;
                Some(self.nodes.pointee(target))
            }
            ExprKind::Convert(operand) => match operand.ty {
                Type::Pointer(_) => {
                    let target = self.target(operand)?;
                    if (operand.is_moved() || self.nodes.is_within_array(target))
                        && !skips(Skip::Moved)
                        && let Some(size) = self.layout().size(&pointed(&pointer.ty))
                    {
                        self.nodes.seen_as(target, size.saturating_mul(8));
                    }
                    Some(target)
                }
                _ => self.target(operand.as_address(self.program.model.word())?),
            },
            ExprKind::Offset { pointer, index, .. } => {
                let target = self.target(pointer)?;
                let size = self.layout().size(&pointed(&pointer.ty)).unwrap_or(1) * 8;
                if !matches!(index.kind, ExprKind::Int(0)) && !skips(Skip::Moved) {
                    self.nodes.moved(target, size);
                }
                Some(target)
            }
            ExprKind::Conditional(_, a, b) => match (self.target(a), self.target(b)) {
                (Some(a), Some(b)) if !skips(Skip::Conditional) => {
                    self.nodes.unify(a, b);
                    Some(a)
                }
                (a, b) => a.or(b),
            },
            _ => None,
        }
    }
}

/// Whether an index may be none of an array's.
pub fn may_leave(index: &Expr, length: Length) -> bool {
    match (&index.kind, length) {
        (ExprKind::Int(index), Length::Known(length)) => !(0..i128::from(length)).contains(index),
        _ => true,
    }
}

/// Where the node of a function's results keeps where the function itself is: behind all results.
const FUNCTION: u64 = 1 << 60;

/// More bytes than an object has; as many bits are a number.
const LARGEST: u64 = u64::MAX / 16;

/// What a pointer type points to.
pub fn pointed(ty: &Type) -> Type {
    match ty {
        Type::Pointer(to) => (**to).clone(),
        _ => Type::Void,
    }
}

/// The integer type that represents a scalar's bits.
pub fn stored(ty: &Type, word: u32) -> (u64, Kind, IntType) {
    match ty {
        Type::Float(float) => {
            let (significand, exponent) = float.format();
            let bits = u64::from(significand + exponent);
            (bits, Kind::float(*float), IntType::BYTE)
        }
        Type::Pointer(_) | Type::Function(_) => (u64::from(word), Kind::Pointer, IntType::BYTE),
        other => {
            let int = other.integer().unwrap_or(IntType::BYTE);
            (u64::from(int.bits), Kind::Int, int)
        }
    }
}
