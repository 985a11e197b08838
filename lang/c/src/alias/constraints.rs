//! From statements to equations between targets.

use std::collections::BTreeSet;

use ult_lang::stack::ensure_stack;

use super::cells::{Step, Walks};
use super::copied::{Copy, End};
use super::external::Outside;
use super::verify::skip::{Skip, skips};
use super::{Memory, Object, Target, may_leave, pointed, stored};
use crate::functions::{self, Meaning};
use crate::ir::visit::{self, Visit};
use crate::ir::{
    self, Base, Callee, ConstantStep, Expr, ExprKind, FunctionId, Initial, Place, Stmt, StmtKind,
    Storage, VarId,
};
use crate::options::Members;
use crate::types::{Length, Type};

/// Generates and solves all constraints.
pub(super) fn generate(memory: &mut Memory<'_>, reachable: &BTreeSet<FunctionId>) {
    let program = memory.program;
    for number in 0..program.variables.len() {
        let id = VarId(u32::try_from(number).unwrap_or(u32::MAX));
        let variable = program.variable(id);
        let object = match &variable.storage {
            Storage::Automatic { function, .. } if memory.recursive.contains(function) => {
                Object::Many(id)
            }
            _ => Object::Single(id),
        };
        memory.nodes.add_object(memory.object(id), object);
        if has_union(memory, &variable.ty) && !skips(Skip::Union) {
            memory.in_memory[number] = true;
        }
    }
    // Calls through pointers may find new callees, also in a round that came to the call before it came to the function.
    let mut known = None;
    let mut initialised = BTreeSet::new();
    let mut outside = Outside::default();
    let bodies = reachable
        .iter()
        .filter_map(|&id| program.function(id).body.as_deref());
    let mentioned: BTreeSet<VarId> = bodies.flat_map(visit::mentioned).collect();
    outside.variables(memory);
    loop {
        let mut generator = Generator {
            memory,
            calls: BTreeSet::new(),
            indirect: false,
            walks: Walks::default(),
            spread: false,
            numbers: Vec::new(),
            copies: Vec::new(),
            mentioned: &mentioned,
            seen: &mut initialised,
            outside: &mut outside,
        };
        for &id in reachable {
            let function = program.function(id);
            if let Some(body) = &function.body {
                // Whoever calls writes the whole parameter, whatever the body then does with it.
                for &param in &function.params {
                    let target = generator.memory.object(param);
                    if !skips(Skip::ParameterAccess) {
                        generator.touch_parts(target, &program.variable(param).ty, None);
                    }
                }
                generator.statements(id, body);
            }
        }
        let Generator {
            calls,
            indirect,
            walks,
            spread,
            numbers,
            copies,
            ..
        } = generator;
        let moved = memory.nodes.move_waiting();
        let copied = memory.nodes.copy_parts(&copies);
        let walks = memory.nodes.walk_over(&walks);
        let overlaps = memory.nodes.unify_overlapping();
        let carriers = keep_carriers_in_memory(memory);
        let outsiders = outside.spread(memory);
        // What was found later in this round counts for all copies.
        let spread = spread || numbers.iter().any(|from| memory.nodes.carries(*from));
        let is_new = match &known {
            None => indirect && !skips(Skip::SecondRound),
            Some(known) => !calls.is_subset(known),
        };
        let changed =
            is_new || moved || copied || walks || spread || overlaps || carriers || outsiders;
        // What becomes one then may be new to others.
        if !changed && !memory.nodes.end_waiting() {
            break;
        }
        known.get_or_insert_default().extend(calls);
    }
    memory.nodes.spread_external();
    memory.nodes.land();
}

/// Integer variables that bytes of pointers are copied through live in memory, where bytes can be what they are. Tells
/// whether there is a new one.
fn keep_carriers_in_memory(memory: &mut Memory<'_>) -> bool {
    let mut changed = false;
    for number in 0..memory.variables.len() {
        if memory.in_memory[number] {
            continue;
        }
        let id = VarId(u32::try_from(number).unwrap_or(u32::MAX));
        let is_integer = matches!(memory.program.variable(id).ty, Type::Int(_));
        if is_integer && memory.nodes.carries(memory.object(id)) {
            memory.in_memory[number] = true;
            changed = true;
        }
    }
    changed
}

fn has_union(memory: &Memory<'_>, ty: &Type) -> bool {
    match ty {
        Type::Array(element, _) => has_union(memory, element),
        Type::Record(id) => {
            let record = memory.program.record(*id);
            record.union
                || record
                    .fields
                    .iter()
                    .flatten()
                    .any(|field| has_union(memory, &field.ty))
        }
        _ => false,
    }
}

struct Generator<'m, 'p> {
    memory: &'m mut Memory<'p>,
    /// Calls through pointers: where, and whom.
    calls: BTreeSet<(u32, FunctionId)>,
    /// Whether there are such calls, also of nobody.
    indirect: bool,
    /// Which pointers may walk over objects.
    walks: Walks,
    /// Whether bytes of pointers were found to get somewhere else.
    spread: bool,
    /// Where numbers were copied from that are nothing else, for all that is known.
    numbers: Vec<Target>,
    /// What is copied by a constant number of bytes.
    copies: Vec<Copy>,
    /// Variables that occur in statements.
    mentioned: &'m BTreeSet<VarId>,
    /// Static variables whose initial values were looked at.
    seen: &'m mut BTreeSet<VarId>,
    outside: &'m mut Outside,
}

/// Of expressions: what they read, and whose address they take.
impl Visit for Generator<'_, '_> {
    fn expr(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::Read(place) => {
                self.parts(place);
                if !skips(Skip::Read) {
                    self.touch(place);
                }
            }
            ExprKind::Address(place) => {
                self.parts(place);
                if let Base::Variable(variable) = place.base
                    && !skips(Skip::AddressTaken)
                {
                    self.put_in_memory(variable);
                }
                self.memory.place(place);
            }
            _ => visit::expr(self, node),
        }
        match &node.kind {
            ExprKind::Convert(operand) if node.ty.is_pointer() => {
                if let Some(target) = self.memory.target(node) {
                    let word = self.memory.program.model.word();
                    let from = operand.as_address(word).unwrap_or(operand);
                    if !pointed(&node.ty).shows_bytes_of(&pointed(&from.ty)) {
                        self.outside.conversion(target, &node.ty);
                    }
                    self.view(target, operand, &node.ty);
                }
            }
            ExprKind::Offset { pointer, index, .. } => {
                if let Some(target) = self.memory.target(node)
                    && !matches!(index.kind, ExprKind::Int(0))
                {
                    let to = pointed(&pointer.ty);
                    let step = self.memory.layout().size(&to).unwrap_or(1);
                    let step = Step::of(&to, step);
                    self.walks.moves.push((target, step));
                }
            }
            ExprKind::Conditional(..) => {
                self.memory.target(node);
            }
            _ => {}
        }
    }
}

impl Generator<'_, '_> {
    /// A pointer is converted to one to objects of another size.
    fn view(&mut self, target: Target, operand: &Expr, ty: &Type) {
        let word = self.memory.program.model.word();
        let from = match operand.ty {
            Type::Pointer(_) => pointed(&operand.ty),
            _ => operand
                .as_address(word)
                .map_or(Type::Void, |from| pointed(&from.ty)),
        };
        let (layout, to) = (self.memory.layout(), pointed(ty));
        if let (Some(size), Some(step)) = (layout.size(&from), layout.size(&to))
            && from != to
        {
            self.walks
                .views
                .push((target, size.max(step).saturating_mul(8)));
            self.walks.steps.push((target, Step::of(&to, step)));
        }
    }

    fn statements(&mut self, function: FunctionId, statements: &[Stmt]) {
        for statement in statements {
            ensure_stack(|| self.statement(function, statement));
        }
    }

    fn statement(&mut self, function: FunctionId, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                self.write(place);
                self.expr(value);
                if let Some(target) = self.memory.place(place)
                    && !skips(Skip::Assignment)
                {
                    self.store(target, &place.ty, value);
                }
            }
            StmtKind::Zero(place) => self.write(place),
            StmtKind::Call {
                callee,
                args,
                result,
            } => self.call(statement, callee, args, result.as_ref()),
            StmtKind::If(condition, yes, no) => {
                self.expr(condition);
                self.statements(function, yes);
                self.statements(function, no);
            }
            StmtKind::Loop(_, body) | StmtKind::Block(_, body) => self.statements(function, body),
            StmtKind::Return(Some(value)) => {
                self.expr(value);
                let target = Target {
                    node: self.memory.results[function.0 as usize],
                    offset: 0,
                };
                let ty = &self.memory.program.function(function).ty.result;
                if !skips(Skip::Return) {
                    self.store(target, ty, value);
                }
            }
            StmtKind::Assert(value) | StmtKind::Evaluate(value) => self.expr(value),
            StmtKind::Declare(_)
            | StmtKind::Begin(_)
            | StmtKind::End(_)
            | StmtKind::Leave(_)
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Return(None)
            | StmtKind::Undefined { .. }
            | StmtKind::Unsupported(_) => {}
        }
    }

    fn call(&mut self, statement: &Stmt, callee: &Callee, args: &[Expr], result: Option<&Place>) {
        for arg in args {
            self.expr(arg);
        }
        if let Some(place) = result {
            self.write(place);
        }
        match callee {
            Callee::Function(id) => self.call_of(*id, args, result),
            Callee::Pointer(pointer, _) => {
                self.indirect = true;
                self.expr(pointer);
                for id in self.memory.functions(pointer) {
                    if skips(Skip::Call) {
                        continue;
                    }
                    self.calls.insert((statement.span.start, id));
                    self.call_of(id, args, result);
                }
            }
        }
    }

    fn call_of(&mut self, id: FunctionId, args: &[Expr], result: Option<&Place>) {
        let function = self.memory.program.function(id);
        let meaning = functions::of(function);
        if function.body.is_some() {
            for (&param, arg) in function.params.iter().zip(args) {
                let target = self.memory.object(param);
                let ty = &self.memory.program.variable(param).ty;
                // Where a parameter points to does not matter that nobody mentions.
                if self.mentioned.contains(&param) && !skips(Skip::Argument) {
                    self.store(target, ty, arg);
                }
            }
            if function.ty.variadic && !skips(Skip::More) {
                let more = args.get(function.params.len()..).unwrap_or_default();
                for arg in more {
                    self.store(self.argument(), &arg.ty, arg);
                }
            }
        } else if meaning == Some(Meaning::Arguments) {
            for list in args {
                if let Some(target) = self.memory.target(list)
                    && !skips(Skip::ListAccess)
                {
                    self.touch_parts(target, &super::pointed(&list.ty), None);
                }
            }
            if let Some(target) = result.and_then(|place| self.memory.place(place)) {
                let ty = result.map_or(Type::Void, |place| place.ty.clone());
                if !skips(Skip::VariableArgument) {
                    self.copy(target, self.argument(), &ty);
                }
            }
            return;
        } else if meaning.is_some_and(Meaning::copies) && !skips(Skip::MemoryCopy) {
            // What the first argument points to gets what the second one points to.
            if let [to, from, count @ ..] = args {
                self.copy_memory(to, from, count.first());
            }
        }
        let Some(place) = result else {
            return;
        };
        let Some(target) = self.memory.place(place) else {
            return;
        };
        if let Some(allocation) = meaning.and_then(Meaning::allocates)
            && !skips(Skip::Allocation)
        {
            let object = self.memory.nodes.pointee(target);
            let new = match allocation.zeroed {
                true => Object::Zeroed,
                false => Object::Heap,
            };
            self.memory.nodes.add_object(object, new);
        }
        if meaning.is_some_and(Meaning::returns_first) {
            if let Some(first) = args.first().and_then(|arg| self.memory.target(arg))
                && !skips(Skip::First)
            {
                let object = self.memory.nodes.pointee(target);
                self.memory.nodes.unify(object, first);
            }
        } else if function.body.is_some() {
            let from = Target {
                node: self.memory.results[id.0 as usize],
                offset: 0,
            };
            if !skips(Skip::Result) {
                self.copy(target, from, &place.ty);
            }
        } else if meaning.is_none_or(Meaning::comes_from_outside) {
            let results = Target {
                node: self.memory.results[id.0 as usize],
                offset: 0,
            };
            self.copy(target, results, &place.ty);
            self.outside.pointers(self.memory, target, &place.ty);
        }
    }

    /// `memcpy` and the like.
    fn copy_memory(&mut self, to: &Expr, from: &Expr, count: Option<&Expr>) {
        let (Some(there), Some(here)) = (self.memory.target(to), self.memory.target(from)) else {
            return;
        };
        let bits = count
            .and_then(Expr::count)
            .and_then(|count| count.checked_mul(8));
        match bits {
            Some(bits) => {
                let mut end = |pointer, target| match self.memory.exact(pointer) {
                    Some(exact) => End::Exact(exact),
                    None => End::Any(target),
                };
                let (to, from) = (end(to, there), end(from, here));
                self.copies.push(Copy { to, from, bits });
            }
            None => self.memory.nodes.unify(there, here),
        }
    }

    /// An argument for `...`.
    fn argument(&self) -> Target {
        Target {
            node: self.memory.arguments,
            offset: 0,
        }
    }

    /// A value of type `ty` gets to a target.
    fn store(&mut self, target: Target, ty: &Type, value: &Expr) {
        match ty {
            Type::Record(_) => match &value.kind {
                ExprKind::Read(from) => {
                    if let Some(from) = self.memory.place(from)
                        && !skips(Skip::StructureCopy)
                    {
                        self.copy(target, from, ty);
                    }
                }
                ExprKind::Conditional(_, yes, no) => {
                    self.store(target, ty, yes);
                    self.store(target, ty, no);
                }
                _ => {}
            },
            Type::Pointer(_) => {
                if let Some(value) = self.memory.target(value) {
                    let pointee = self.memory.nodes.pointee(target);
                    self.memory.nodes.unify(pointee, value);
                }
            }
            // Bytes of a pointer travel as integers, too.
            Type::Int(_) => {
                if let Some(from) = value.copied()
                    && let Some(from) = self.memory.place(from)
                    && !skips(Skip::IntegerCopy)
                {
                    self.copy(target, from, ty);
                }
            }
            _ => {}
        }
    }

    /// The pointers in an object of type `ty` get to another one.
    fn copy(&mut self, to: Target, from: Target, ty: &Type) {
        match ty {
            Type::Pointer(_) => {
                let (to, from) = (
                    self.memory.nodes.pointee(to),
                    self.memory.nodes.pointee(from),
                );
                self.memory.nodes.unify(to, from);
            }
            Type::Float(_) if skips(Skip::FloatCopy) => {}
            Type::Int(_) | Type::Bool | Type::Float(_) => self.copy_bytes(to, from),
            Type::Array(element, length) => {
                let to = self.memory.elements(to, element, *length);
                let from = self.memory.elements(from, element, *length);
                self.copy(to, from, element);
            }
            Type::Record(id) => {
                let fields = self.memory.program.record(*id).fields.as_deref();
                for number in 0..fields.map_or(0, <[_]>::len) {
                    let (to, ty) = self.memory.field(to, *id, number);
                    let (from, _) = self.memory.field(from, *id, number);
                    self.copy(to, from, &ty);
                }
            }
            _ => {}
        }
    }

    /// Numbers are copied. Where they come from, other members of a union, or other views of an object, may be pointers:
    /// then the bytes of these are copied. (Most numbers are nothing but numbers: so it matters which way they go.)
    fn copy_bytes(&mut self, to: Target, from: Target) {
        if !self.memory.nodes.carries(from) {
            self.numbers.push(from);
            return;
        }
        let to = self.memory.nodes.pointee(to);
        let from = self.memory.nodes.pointee(from);
        if !self.memory.nodes.is_one(to, from) {
            self.memory.nodes.unify(to, from);
            self.spread = true;
        }
    }

    /// Whether an index may leave an array that is a part of a variable.
    fn may_leave_part(&self, variable: VarId, place: &Place) -> bool {
        let mut ty = self.memory.program.variable(variable).ty.clone();
        for (position, step) in place.path.iter().enumerate() {
            ty = match (step, ty) {
                (ir::Step::Field(record, number), _) => {
                    let fields = self.memory.program.record(*record).fields.as_deref();
                    let field = fields.and_then(|fields| fields.get(*number));
                    field.map_or(Type::Void, |field| field.ty.clone())
                }
                (ir::Step::Index(index), Type::Array(element, length)) => {
                    if position > 0 && may_leave(index, length) {
                        return true;
                    }
                    (*element).clone()
                }
                (ir::Step::Index(_), other) => other,
            };
        }
        false
    }

    fn put_in_memory(&mut self, variable: VarId) {
        self.memory.in_memory[variable.0 as usize] = true;
    }

    fn write(&mut self, place: &Place) {
        self.parts(place);
        if !skips(Skip::Written) {
            self.touch(place);
        }
    }

    /// The expressions within a place.
    fn parts(&mut self, place: &Place) {
        if let Base::Variable(variable) = &place.base {
            self.initial(*variable);
            if self.memory.members == Members::Flat && self.may_leave_part(*variable, place) {
                self.put_in_memory(*variable);
            }
        }
        visit::place(self, place);
    }

    /// The scalars of a place are read or written.
    fn touch(&mut self, place: &Place) {
        let bits = self.memory.program.bit_field(place);
        if let Some(target) = self.memory.place(place) {
            self.touch_parts(target, &place.ty, bits.map(|bits| u64::from(bits.width)));
        }
    }

    fn touch_parts(&mut self, target: Target, ty: &Type, bits: Option<u64>) {
        match ty {
            Type::Record(id) => {
                let fields = self.memory.program.record(*id).fields.as_deref();
                for (number, field) in fields.unwrap_or_default().iter().enumerate() {
                    let (target, ty) = self.memory.field(target, *id, number);
                    let bits = field.bits.map(|bits| u64::from(bits.width));
                    self.touch_parts(target, &ty, bits);
                }
            }
            Type::Array(element, length) => {
                let target = self.memory.elements(target, element, *length);
                if *length != Length::Known(0) {
                    self.touch_parts(target, element, None);
                }
            }
            Type::Void => {}
            scalar => {
                let (size, kind, int) = stored(scalar, self.memory.program.model.word());
                self.memory
                    .nodes
                    .access(target, bits.unwrap_or(size), kind, int);
            }
        }
    }

    /// What a static variable contains at the start.
    fn initial(&mut self, variable: VarId) {
        if !self.seen.insert(variable) {
            return;
        }
        let known = self.memory.program.variable(variable);
        let Storage::Static { initial, .. } = &known.storage else {
            return;
        };
        let object = self.memory.object(variable);
        if !skips(Skip::InitialAccess) {
            self.touch_parts(object, &known.ty, None);
        }
        let Initial::Values(values) = initial else {
            return;
        };
        for (path, value) in values {
            self.expr(value);
            let (mut target, mut ty) = (object, known.ty.clone());
            for step in path {
                (target, ty) = match (step, &ty) {
                    (ConstantStep::Field(number), Type::Record(id)) => {
                        self.memory.field(target, *id, *number)
                    }
                    (ConstantStep::Index(_), Type::Array(element, length)) => (
                        self.memory.elements(target, element, *length),
                        (**element).clone(),
                    ),
                    _ => (target, ty),
                };
            }
            if !skips(Skip::Initial) {
                self.store(target, &ty, value);
            }
        }
    }
}
