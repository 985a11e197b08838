//! Memory safety: which objects live, and how large they are.
//!
//! Only programs for which that is asked have the variables for it.

use super::body::{Body, Pointer};
use super::located::Located;
use super::number::range;
use crate::alias::{Object, Target};
use crate::ir::visit::{self, Visit};
use crate::ir::{
    Base, BinaryOp, Callee, CompareOp, Expr, ExprKind, Place, Program, Step, Stmt, StmtKind,
    Storage, VarId,
};
use crate::library::plain;
use crate::types::{IntType, Length, Type};
use crate::undefined::Undefined;
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

/// More string literals are not told apart.
const FEW: usize = 16;

/// At the end of the program, at most this many pointers are looked at.
const POINTERS_AT_END: usize = 16;

/// Whether an object lives.
const ALIVE: &str = "alive~";
/// How many bytes an object has.
const SIZE: &str = "size~";
/// Whether an object can be freed.
const HEAP: &str = "heap~";
/// How many objects on the heap were not freed, of those to which a static variable may lead.
const ALLOCATED: &str = "allocated~";
/// How many objects on the heap were not freed, of those that are lost when `main` returns.
const LOCAL: &str = "local~";

/// Whether an object was freed: the one variable in programs for which memory safety is not asked.
const FREED: &str = "freed~";

/// The variable that says what was freed.
pub(super) fn freed() -> (String, Sort) {
    (FREED.to_owned(), Sort::map(vec![Sort::Int], Sort::Bool))
}

/// The variables.
pub(super) fn globals(word: &Sort) -> [(String, Sort); 5] {
    let by_object = |sort| Sort::map(vec![Sort::Int], sort);
    [
        (ALIVE, by_object(Sort::Bool)),
        (SIZE, by_object(word.clone())),
        (HEAP, by_object(Sort::Bool)),
        (ALLOCATED, Sort::Int),
        (LOCAL, Sort::Int),
    ]
    .map(|(name, sort)| (name.to_owned(), sort))
}

/// How a program ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// `main` has returned.
    Return,
    /// `exit`, `abort` and the like, within functions.
    Stop,
}

impl Body<'_, '_> {
    /// At the start, nothing lives.
    pub fn start_of_memory(&mut self) {
        if !self.enc.tracks_memory() {
            return;
        }
        for map in [ALIVE, HEAP] {
            let map = self.var(map);
            let none = self.enc.constant_map(map.ty(), &Term::truth(false));
            self.out.assign(&map, &none);
        }
        for counter in [ALLOCATED, LOCAL] {
            self.out.assign(&self.var(counter), &Term::int(0));
        }
    }

    /// The life of a variable in memory begins.
    pub fn begin_life(&mut self, variable: VarId) {
        self.forget_locks(variable);
        self.forget_address(variable);
        if !self.enc.tracks_memory() || !self.enc.memory.is_in_memory(variable) {
            return;
        }
        let ty = self.enc.program.variable(variable).ty.clone();
        let object = self.object(variable);
        match self.size_in_bytes(&ty) {
            Some(size) => self.begin(&object, &size),
            None => self.unsupported("memory safety of an array of unknown length"),
        }
    }

    /// An array of variable length has no more bytes than `size_t` can say: else no access to it is one
    /// to an object. GNU C lets it be empty, and C11 (6.7.6.2p5) does not.
    pub fn check_length(&mut self, ty: &Type) {
        if !self.enc.options.properties.dereference || self.size(ty).is_some() {
            return;
        }
        let wide = IntType {
            bits: 128,
            signed: false,
        };
        let mut lengths = Vec::new();
        let (mut part, mut known) = (ty, 1u64);
        while let (None, Type::Array(element, length)) = (self.size(part), part) {
            match length {
                Length::Variable(variable) => lengths.push(*variable),
                Length::Known(length) => known = length.saturating_mul(known),
                Length::Unknown => {}
            }
            part = element;
        }
        known = self.size(part).unwrap_or(1).saturating_mul(known);
        let (_, most) = range(self.enc.program.model.size_type());
        let most = self.constant(&most, wide);
        let mut bytes = self.constant(&known.into(), wide);
        let zero = self.constant(&0.into(), wide);
        let mut condition = Term::truth(true);
        let mut positive = Term::truth(true);
        for variable in lengths {
            let length = self.content(variable);
            let length = self.number(&length);
            let length = self.converted(&length, wide);
            let some = self.compare_numbers(CompareOp::Greater, &length, &zero);
            positive = positive.and(&some);
            // Below a bound in every step, it never wraps around.
            bytes = self.binary(BinaryOp::Multiply, &bytes, &length);
            let fits = self.compare_numbers(CompareOp::LessEqual, &bytes, &most);
            condition = condition.and(&fits);
        }
        self.assert_defined(
            Undefined::Dereference,
            &condition,
            "an array that is larger than memory",
        );
        if self.enc.options.properties.bounds {
            self.assert_defined(Undefined::Bounds, &positive, "an array without elements");
        }
    }

    /// A jump passes the declaration of a variable in its block.
    pub fn pass_declaration(&mut self, variable: VarId) {
        if self.enc.memory.is_in_memory(variable) && self.enc.memory.is_repeated(variable) {
            self.unsupported("a jump past a declaration in a recursive function");
            return;
        }
        self.begin_life(variable);
    }

    /// The life of a variable in memory ends.
    pub fn end_life(&mut self, variable: VarId) {
        if !self.enc.tracks_memory() || !self.enc.memory.is_in_memory(variable) {
            return;
        }
        let object = self.object(variable);
        self.set(ALIVE, &object, &Term::truth(false));
        self.enc.reborn |= self.enc.options.properties.dereference
            && !self.enc.memory.is_repeated(variable)
            && self.may_return_here();
    }

    /// Whether what is here may run again: then the variables of the block have other lives, but the same numbers.
    fn may_return_here(&self) -> bool {
        let is_jump = |label: &String| !label.starts_with("case ") && label != "default";
        self.function.is_some_and(|id| {
            let labels = &self.enc.program.function(id).labels;
            Some(id) != self.enc.program.main
                || !self.loops.is_empty()
                || labels.iter().any(is_jump)
        })
    }

    /// A value that nobody uses: what matters is whether computing it is defined.
    pub fn evaluate(&mut self, value: &Expr) {
        match (&value.ty, &value.kind) {
            (Type::Record(_), ExprKind::Read(place)) => {
                self.access(place);
            }
            (Type::Record(_), ExprKind::Conditional(condition, yes, no)) => {
                let truth = self.truth(condition);
                self.under(truth.clone(), |body| body.evaluate(yes));
                self.under(truth.not(), |body| body.evaluate(no));
            }
            (Type::Record(_), _) => self.unsupported("this value of a structure"),
            _ => {
                self.value(value);
            }
        }
    }

    pub(super) fn begin(&mut self, object: &Term, size: &Term) {
        self.set(ALIVE, object, &Term::truth(true));
        self.set(SIZE, object, size);
    }

    /// What a map says about an object.
    fn about(&self, map: &str, object: &Term) -> Term {
        self.var(map).select(std::slice::from_ref(object))
    }

    fn set(&mut self, map: &str, object: &Term, value: &Term) {
        self.out.assign(&self.about(map, object), value);
    }

    /// An activation ends, and with it the lives of its variables in memory.
    pub fn end_lives(&mut self) {
        let (Some(function), true) = (self.function, self.enc.tracks_memory()) else {
            return;
        };
        for variable in self.enc.locals_in_memory(function) {
            self.end_life(variable);
        }
        for object in self.allocas.clone() {
            // If it was not called, that is the null pointer.
            self.set(ALIVE, &object, &Term::truth(false));
        }
    }

    /// Makes variables for the objects of `alloca`, one for each call in the function.
    pub fn declare_allocas(&mut self) {
        let (Some(function), true) = (self.function, self.enc.tracks_memory()) else {
            return;
        };
        let mut calls = Allocas {
            program: self.enc.program,
            count: 0,
        };
        let body = self.enc.program.function(function).body.as_deref();
        calls.statements(body.unwrap_or_default());
        for _ in 0..calls.count {
            let object = self.temporary(Sort::Int);
            self.out.assign(&object, &Term::int(0));
            self.allocas.push(object);
        }
    }

    /// A new object that lives as long as the activation.
    pub fn begin_in_activation(&mut self, object: &Term, size: &Term) {
        if !self.enc.tracks_memory() {
            return;
        }
        let Some(known) = self.allocas.get(self.allocas_seen).cloned() else {
            self.unsupported("memory safety of alloca here");
            return;
        };
        self.allocas_seen += 1;
        let first = known.equals(&Term::int(0));
        self.unsupported_unless(&first, "memory safety of alloca in a loop");
        self.begin(object, size);
        self.out.assign(&known, object);
    }

    /// A new object on the heap, to which the result points at some target.
    pub fn begin_on_heap(&mut self, object: &Term, size: &Term, target: Option<Target>) {
        if !self.enc.tracks_memory() {
            return;
        }
        self.begin(object, size);
        self.set(HEAP, object, &Term::truth(true));
        self.count(target, 1);
    }

    /// A new object on the heap whose address nobody keeps.
    pub fn lose_on_heap(&mut self) {
        if self.enc.tracks_memory() {
            let nobody = self.enc.memory.nothing();
            self.count(Some(nobody), 1);
        }
    }

    fn count(&mut self, target: Option<Target>, change: i32) {
        let counter = match target {
            // An address among numbers or bytes may come back as a pointer.
            Some(target) if !self.enc.exposes && !self.enc.memory.is_lasting(target) => {
                self.enc.allocates_locally = true;
                LOCAL
            }
            _ => ALLOCATED,
        };
        let counter = self.var(counter);
        self.out.assign(&counter, &counter.add(&Term::int(change)));
    }

    /// What is freed was allocated, and not freed before (C11 7.22.3.3p2). The pointer points to some target.
    pub fn require_freeable(&mut self, pointer: &Pointer, target: Option<Target>) {
        let null = self.is_null(pointer);
        let start = pointer.offset.equals(&self.offset(0));
        let outside = self.points_outside(pointer, target);
        if !self.enc.tracks_memory() {
            let first = self.enc.first_free_object();
            let allocated = Term::int(first).at_most(&pointer.base).and(&start);
            let fine = allocated.or(&outside);
            let freed = self.about(FREED, &pointer.base);
            self.require(Undefined::Free, null.or(&freed.not().and(&fine)));
            return;
        }
        let fine = start
            .and(&self.about(HEAP, &pointer.base))
            .and(&self.about(ALIVE, &pointer.base));
        self.unsupported_unless(&outside.not(), "free of memory that is not the program's");
        if target.is_none() {
            self.unsupported_unless(&null, "free of memory that is not known");
        }
        self.require(Undefined::Free, null.or(&outside).or(&fine));
    }

    /// `free(pointer)`, which points to some target: the object's life ends.
    pub fn end_on_heap(&mut self, pointer: &Pointer, target: Option<Target>) {
        let base = &pointer.base;
        if !self.enc.tracks_memory() {
            self.set(FREED, base, &Term::truth(true));
            return;
        }
        let null = self.is_null(pointer);
        self.out.begin_if(&null.not());
        self.set(ALIVE, base, &Term::truth(false));
        self.count(target, -1);
        self.out.end();
    }

    /// A new object was not freed, in programs that do not track memory otherwise.
    pub fn begin_not_freed(&mut self, object: &Term) {
        if !self.enc.tracks_memory() && self.enc.frees {
            let freed = self.about(FREED, object);
            self.assume(&freed.not());
        }
    }

    /// The program ends.
    pub fn end_of_memory(&mut self, end: End) {
        if !self.enc.tracks_memory() {
            return;
        }
        let properties = &self.enc.options.properties;
        let (cleanup, track) = (properties.cleanup, properties.track);
        let (lasting, local) = (self.var(ALLOCATED), self.var(LOCAL));
        let none = Term::int(0);
        if cleanup {
            let freed = lasting.equals(&none).and(&local.equals(&none));
            self.assert(&freed, "memory is not freed");
        } else if track {
            let left = match end {
                End::Return if !self.enc.gives_away => {
                    if self.enc.allocates_locally {
                        // In a branch: where no run gets here, that needs no warning.
                        self.out.begin_if(&local.equals(&none).not());
                        self.assert(&Term::truth(false), "memory is lost");
                        self.out.end();
                    }
                    lasting
                }
                // The variables of the functions that have not returned may lead to it, or those of somebody else.
                End::Return | End::Stop => lasting.add(&local),
            };
            let held = self.pointed_to_at(end);
            // An obligation of its own: what else the program does is not in doubt for it.
            let what = "memory that only other memory or other functions lead to";
            self.approximated(&left.at_most(&held).not(), what, |body| {
                body.assert(&Term::truth(false), "memory is lost");
            });
        }
    }

    /// How many living objects on the heap variables that outlive the end point to, at least. That may be all that there are.
    fn pointed_to_at(&mut self, end: End) -> Term {
        let function = self.function.filter(|_| end == End::Stop);
        let function = function.map(|id| self.enc.program.function(id));
        // Of its other variables it is not known whether their blocks were left.
        let living = function.map_or(&[][..], |function| &function.params);
        let variables = (0..).map(VarId).zip(&self.enc.program.variables);
        let pointers: Vec<VarId> = variables
            .filter(|(id, variable)| {
                let lives =
                    matches!(variable.storage, Storage::Static { .. }) || living.contains(id);
                lives && variable.ty.is_pointer()
            })
            .map(|(id, _)| id)
            .filter(|&id| {
                let target = self.enc.memory.target(&self.content(id));
                target.is_some_and(|target| self.enc.memory.leads_to_heap(target))
            })
            .take(POINTERS_AT_END)
            .collect();
        let mut bases: Vec<Term> = Vec::new();
        let mut held = Term::int(0);
        for pointer in pointers {
            let pointer = self.pointer(&self.content(pointer));
            let base = self.named(pointer.base);
            let lives = self.about(HEAP, &base).and(&self.about(ALIVE, &base));
            let is_other = bases.iter().map(|other| other.equals(&base).not());
            let counts = is_other.fold(lives, |all, part| all.and(&part));
            held = held.add(&counts.choose(&Term::int(1), &Term::int(0)));
            bases.push(base);
        }
        held
    }

    /// Where a place is, for an access to it.
    pub fn access(&mut self, place: &Place) -> Option<Located> {
        let at = self.locate_within(place)?;
        if !self.enc.options.properties.dereference {
            return Some(at);
        }
        let indexed = place.path.iter().any(|step| matches!(step, Step::Index(_)));
        if let Located::Memory { target, pointer } = &at
            && (matches!(place.base, Base::Deref(_)) || indexed)
        {
            let bits = self.enc.program.bit_field(place);
            let size = bits.map(|bits| bits.bytes());
            match size.or_else(|| self.size(&place.ty)) {
                Some(size) => self.check_access(pointer, *target, size),
                None => self.unsupported("memory safety of an object without a constant size"),
            }
        }
        Some(at)
    }

    /// An access to so many bytes at a pointer.
    pub fn check_access(&mut self, pointer: &Pointer, target: Target, size: u64) {
        if !self.enc.options.properties.dereference || size == 0 {
            return;
        }
        let outside = self.points_outside(pointer, Some(target));
        self.unsupported_unless(&outside.not(), "memory that is not the program's");
        let condition = outside.or(&self.is_valid(pointer, size));
        self.require(Undefined::Dereference, condition);
    }

    /// A run that writes through a null pointer is none (C11 6.5.3.2p4), nor one that writes to a string literal (6.4.5p7).
    /// Numbers as addresses may be those of what is not the program's. For reads, the first one costs too many proofs.
    pub fn assume_writable(&mut self, place: &Place, at: &Located) {
        let (Base::Deref(_), Located::Memory { target, pointer }) = (&place.base, at) else {
            return;
        };
        // Where memory safety is asked for, that was said already.
        if !self.enc.options.properties.dereference && !self.enc.numeric_pointers {
            let null = pointer.base.equals(&Term::int(0));
            self.require(Undefined::Dereference, null.not());
        }
        let literals: Vec<VarId> = self
            .enc
            .memory
            .objects(*target)
            .iter()
            .filter_map(|object| match object {
                Object::Single(id) if self.enc.program.literals.contains(id) => Some(*id),
                _ => None,
            })
            .collect();
        if literals.len() > FEW {
            return;
        }
        for id in literals {
            let literal = self.object(id);
            let other = pointer.base.equals(&literal).not();
            self.require(Undefined::Dereference, other);
        }
    }

    /// Whether a pointer points to so many bytes of a live object.
    pub fn is_valid(&mut self, pointer: &Pointer, size: u64) -> Term {
        let size = self.offset(size);
        self.is_valid_for(pointer, &size)
    }

    /// The same for a number of bytes that is computed.
    pub fn is_valid_for(&mut self, pointer: &Pointer, size: &Term) -> Term {
        let alive = self.about(ALIVE, &pointer.base);
        let whole = self.about(SIZE, &pointer.base);
        let within = if self.bits() {
            let bits = self.enc.program.model.word();
            let last = self.bit_binary("bvsub", bits, &whole, size);
            let enough = self.bit_relation("bvule", bits, size, &whole);
            enough.and(&self.bit_relation("bvule", bits, &pointer.offset, &last))
        } else {
            let end = pointer.offset.add(size);
            Term::int(0)
                .at_most(&pointer.offset)
                .and(&end.at_most(&whole))
        };
        alive.and(&within)
    }
}

/// The calls of `alloca`.
struct Allocas<'p> {
    program: &'p Program,
    count: usize,
}

impl Visit for Allocas<'_> {
    fn statement(&mut self, node: &Stmt) {
        if let StmtKind::Call {
            callee: Callee::Function(id),
            ..
        } = &node.kind
            && plain(&self.program.function(*id).name) == "alloca"
        {
            self.count += 1;
        }
        visit::statement(self, node);
    }
}
