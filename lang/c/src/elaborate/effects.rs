//! What pieces of program do: which parts of memory they use and change, and whom they call.
//!
//! What functions do together with those that they call is known at the end only ([`Summaries`]).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ult_lang::stack::ensure_stack;

use crate::functions::{KEEP, KEPT, Meaning, named, plain};
use crate::ir::visit::{self, Visit};
use crate::ir::{
    Base, Callee, Expr, ExprKind, Function, FunctionId, Place, Program, Step, Stmt, StmtKind,
    Storage, VarId,
};
use crate::types::{RecordId, Type};

use super::renumber::Numbers;

/// Larger operands are not looked at: the order may matter.
const LARGE: usize = 2000;

/// Why the order of two operands may matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
    /// Whether both may use an object themselves that one of them changes: if they do, behavior is undefined.
    pub(super) unsequenced: bool,
    /// Which orders there are.
    pub(super) orders: Option<Orders>,
}

/// The orders of two operands that may lead elsewhere than from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Orders {
    /// One action of each matters: one order or the other.
    Both,
    /// More actions, which may alternate.
    Many,
    /// The left one may stop the program and the right one may fail: from right to left shows it.
    Turned,
}

impl Conflict {
    /// Where one of two may be there.
    pub(super) fn or(self, other: Conflict) -> Conflict {
        let orders = match (self.orders, other.orders) {
            (Some(one), Some(two)) if one != two => Some(Orders::Many),
            (one, two) => one.or(two),
        };
        Conflict {
            unsequenced: self.unsequenced || other.unsequenced,
            orders,
        }
    }
}

/// What a piece of program does.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// How often each is read.
    reads: HashMap<Cell, usize>,
    writes: HashSet<Cell>,
    /// What is read or written whatever happens.
    surely_read: HashSet<Cell>,
    surely_written: HashSet<Cell>,
    /// How often each is called.
    calls: BTreeMap<FunctionId, usize>,
    /// How often it calls through a pointer.
    indirect: usize,
    /// Whether an error function is called or an assertion may fail.
    fails: bool,
    /// Whether it may not come to an end.
    stops: bool,
    size: usize,
}

/// A part of a variable, or what a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    /// The variable.
    base: Option<VarId>,
    /// Of a variable: which part, as far as it is constant.
    path: Vec<Part>,
    /// Of memory: the member of a structure.
    member: Option<(RecordId, usize)>,
    /// The type of a scalar that no union contains.
    ty: Option<Type>,
}

/// A step to a part of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Field(usize),
    Index(i128),
    /// One that is computed, or a member of a union.
    Any,
}

impl Effects {
    /// What statements do, and expressions behind them.
    pub(super) fn of(program: &Program, statements: &[Stmt], values: &[&Expr]) -> Effects {
        let mut effects = Effects::default();
        let mut collector = Collector(program, &mut effects, 0);
        statements
            .iter()
            .for_each(|statement| collector.statement(statement));
        values.iter().for_each(|value| collector.expr(value));
        effects
    }

    /// What writing an object does, but for what leads to it.
    pub(super) fn of_write(program: &Program, object: &Place) -> Effects {
        let writes = cell(program, object).into_iter().collect();
        Effects {
            writes,
            ..Effects::default()
        }
    }

    /// What is written without a call.
    pub(super) fn only_writes(self) -> Effects {
        Effects {
            writes: self.writes,
            size: self.size,
            ..Effects::default()
        }
    }

    /// Leaves out what is done to a variable by its name.
    pub(super) fn forget(&mut self, variable: VarId) {
        self.reads.retain(|cell, _| cell.base != Some(variable));
        self.writes.retain(|cell| cell.base != Some(variable));
    }

    /// Gives what it is about its new numbers.
    pub(super) fn renumber(&mut self, numbers: &Numbers) {
        let reads = std::mem::take(&mut self.reads).into_iter();
        self.reads = reads
            .map(|(cell, times)| (cell.renumbered(numbers), times))
            .collect();
        let writes = std::mem::take(&mut self.writes).into_iter();
        self.writes = writes.map(|cell| cell.renumbered(numbers)).collect();
        let calls = std::mem::take(&mut self.calls).into_iter();
        self.calls = calls
            .map(|(id, times)| (numbers.function(id), times))
            .collect();
    }
}

impl Cell {
    fn renumbered(mut self, numbers: &Numbers) -> Cell {
        self.base = self.base.map(|id| numbers.variable(id));
        self.member = self.member.map(|(id, number)| (numbers.record(id), number));
        if let Some(ty) = &mut self.ty {
            numbers.change_type(ty);
        }
        self
    }
}

impl Effects {
    /// A variable that one operand changes itself and the other one uses itself, for sure.
    pub(super) fn clash(&self, other: &Effects) -> Option<VarId> {
        let certain = |cell: &&Cell| cell.base.is_some() && !cell.path.contains(&Part::Any);
        let used = |cell: &&Cell| {
            other.surely_read.contains(*cell) || other.surely_written.contains(*cell)
        };
        let both = self.surely_written.iter().filter(certain).filter(used);
        both.filter_map(|cell| cell.base).min()
    }

    fn add(&mut self, other: &Effects) -> bool {
        let count = |effects: &Effects| {
            (
                effects.reads.len() + effects.writes.len() + effects.calls.len(),
                effects.indirect,
                effects.fails,
                effects.stops,
            )
        };
        let before = count(self);
        // They are counted or joined, in any order.
        #[allow(clippy::iter_over_hash_type)]
        for cell in other.reads.keys() {
            self.reads.entry(cell.clone()).or_insert(1);
        }
        self.writes.extend(other.writes.iter().cloned());
        for callee in other.calls.keys() {
            self.calls.entry(*callee).or_insert(1);
        }
        self.indirect |= other.indirect;
        self.fails |= other.fails;
        self.stops |= other.stops;
        count(self) != before
    }
}

/// The last is how many conditions enclose.
struct Collector<'a>(&'a Program, &'a mut Effects, usize);

impl Collector<'_> {
    fn write(&mut self, place: &Place) {
        if let Some(cell) = cell(self.0, place) {
            if self.2 == 0 {
                self.1.surely_written.insert(cell.clone());
            }
            self.1.writes.insert(cell);
        }
        self.place(place);
    }

    /// What happens under a condition.
    fn perhaps(&mut self, look: impl FnOnce(&mut Self)) {
        self.2 += 1;
        look(self);
        self.2 -= 1;
    }
}

impl Visit for Collector<'_> {
    fn statement(&mut self, node: &Stmt) {
        self.1.size += 1;
        match &node.kind {
            StmtKind::Assign(place, value) => {
                self.write(place);
                return self.expr(value);
            }
            StmtKind::Zero(place) => return self.write(place),
            StmtKind::Call { callee, result, .. } => {
                match callee {
                    Callee::Function(id) => {
                        *self.1.calls.entry(*id).or_default() += 1;
                    }
                    Callee::Pointer(..) => self.1.indirect += 1,
                }
                if let Some(place) = result {
                    self.write(place);
                }
            }
            StmtKind::Loop(..) | StmtKind::Goto(_) => self.1.stops = true,
            StmtKind::Assert(_) => self.1.fails = true,
            _ => {}
        }
        if self.1.size >= LARGE {
            return;
        }
        match &node.kind {
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.perhaps(|this| {
                    this.statements(then);
                    this.statements(otherwise);
                });
            }
            StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                self.perhaps(|this| this.statements(body));
            }
            _ => visit::statement(self, node),
        }
    }

    fn expr(&mut self, node: &Expr) {
        self.1.size += 1;
        if let ExprKind::Read(place) = &node.kind
            && let Some(cell) = cell(self.0, place)
        {
            if self.2 == 0 {
                self.1.surely_read.insert(cell.clone());
            }
            *self.1.reads.entry(cell).or_default() += 1;
        }
        if self.1.size >= LARGE {
            return;
        }
        match &node.kind {
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                ensure_stack(|| self.expr(left));
                self.perhaps(|this| ensure_stack(|| this.expr(right)));
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                ensure_stack(|| self.expr(condition));
                self.perhaps(|this| {
                    ensure_stack(|| this.expr(then));
                    ensure_stack(|| this.expr(otherwise));
                });
            }
            _ => visit::expr(self, node),
        }
    }
}

/// Which part of memory a place is; nothing for temporaries.
fn cell(program: &Program, place: &Place) -> Option<Cell> {
    let in_union = |step: &Step| matches!(step, Step::Field(id, _) if program.record(*id).union);
    let plain = place.ty.is_scalar() && !place.path.iter().any(in_union);
    let ty = plain.then(|| place.ty.clone());
    let base = match place.base {
        Base::Variable(id) => match program.variable(id).storage {
            Storage::Automatic {
                temporary: true, ..
            } => return None,
            _ => Some(id),
        },
        Base::Deref(_) => None,
    };
    let member = match place.path.last() {
        Some(Step::Field(id, number)) if plain => Some((*id, *number)),
        _ => None,
    };
    let part = |step: &Step| match step {
        Step::Field(..) if in_union(step) => Part::Any,
        Step::Field(_, number) => Part::Field(*number),
        Step::Index(index) => match index.kind {
            ExprKind::Int(index) => Part::Index(index),
            _ => Part::Any,
        },
    };
    Some(Cell {
        base,
        path: base.map_or_else(Vec::new, |_| place.path.iter().map(part).collect()),
        member,
        ty,
    })
}

/// What the functions of a program do, together with those that they call.
pub(super) struct Summaries {
    functions: BTreeMap<FunctionId, Effects>,
    /// What all functions do whose address is taken.
    indirect: Effects,
    /// Variables whose address is taken.
    addressed: BTreeSet<VarId>,
}

impl Summaries {
    /// Calls of some functions were led to those of the library.
    pub(super) fn of(
        program: &Program,
        led: &BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    ) -> Summaries {
        let mut addresses = Addresses::default();
        let mut functions = BTreeMap::new();
        let errno = errno(program);
        for (function, id) in program.functions.iter().zip((0..).map(FunctionId)) {
            let mut effects = match &function.body {
                Some(body) => {
                    addresses.statements(body);
                    of_body(program, body)
                }
                None => of_name(function, errno),
            };
            let copies = led.get(&id).into_iter().flatten();
            effects.calls.extend(copies.map(|&copy| (copy, 1)));
            functions.insert(id, effects);
        }
        for variable in &program.variables {
            variable
                .initial_values()
                .for_each(|value| addresses.expr(value));
        }
        let mut summaries = Summaries {
            functions,
            indirect: Effects::default(),
            addressed: addresses.variables,
        };
        summaries.close(&addresses.functions);
        summaries
    }

    /// Adds what the called functions do.
    fn close(&mut self, addressed: &BTreeSet<FunctionId>) {
        loop {
            let mut changed = false;
            let ids: Vec<FunctionId> = self.functions.keys().copied().collect();
            for id in ids {
                let Some(mut own) = self.functions.remove(&id) else {
                    continue;
                };
                for callee in own.calls.clone().into_keys() {
                    match self.functions.get(&callee) {
                        Some(effects) => changed |= own.add(effects),
                        // It calls itself.
                        None => own.stops = true,
                    }
                }
                if own.indirect > 0 {
                    let all = self.indirect.clone();
                    changed |= own.add(&all);
                }
                if addressed.contains(&id) {
                    changed |= self.indirect.add(&own);
                }
                self.functions.insert(id, own);
            }
            if !changed {
                return;
            }
        }
    }

    /// What the functions do that an operand calls.
    fn called(&self, effects: &Effects) -> Effects {
        let mut called = Effects::default();
        for callee in effects.calls.keys() {
            if let Some(effects) = self.functions.get(callee) {
                called.add(effects);
            }
        }
        if effects.indirect > 0 {
            called.add(&self.indirect);
        }
        called
    }

    /// Whether and why the order of two operands may matter.
    pub(super) fn conflict(&self, left: &Effects, right: &Effects) -> Option<Conflict> {
        if left.size >= LARGE || right.size >= LARGE {
            return Some(Conflict {
                unsequenced: true,
                orders: Some(Orders::Many),
            });
        }
        let unsequenced = self.meets(left, right);
        let orders = self.orders(left, right);
        (unsequenced || orders.is_some()).then_some(Conflict {
            unsequenced,
            orders,
        })
    }

    fn orders(&self, left: &Effects, right: &Effects) -> Option<Orders> {
        let called = (self.called(left), self.called(right));
        let actions = self.actions(left, &called.1, right);
        let others = self.actions(right, &called.0, left);
        if actions > 0 || others > 0 {
            let few = actions <= 1 && others <= 1;
            return Some(if few { Orders::Both } else { Orders::Many });
        }
        let fails = |own: &Effects, called: &Effects| own.fails || called.fails;
        let stops = |own: &Effects, called: &Effects| own.stops || called.stops;
        let first = fails(left, &called.0) && stops(right, &called.1);
        let later = stops(left, &called.0) && fails(right, &called.1);
        match (first, later) {
            // What comes first is not kept from failing.
            (_, false) => None,
            (false, true) => Some(Orders::Turned),
            (true, true) => Some(Orders::Both),
        }
    }

    /// Whether one changes what the other one uses.
    fn meets(&self, one: &Effects, other: &Effects) -> bool {
        let changes = |one: &Effects, other: &Effects| {
            one.writes.iter().any(|written| {
                let mut used = other.reads.keys().chain(&other.writes);
                used.any(|used| self.meet(written, used))
            })
        };
        changes(one, other) || changes(other, one)
    }

    /// How many actions of an operand it matters for when the calls of the other one come, or for whose calls it matters
    /// when the other one acts.
    fn actions(&self, own: &Effects, called: &Effects, other: &Effects) -> usize {
        let mut count = 0;
        // With respect to calls, `x++` is one action (C11 6.5.2.4p2).
        let changed = |cell: &Cell| own.writes.contains(cell);
        // They are counted or joined, in any order.
        #[allow(clippy::iter_over_hash_type)]
        for (cell, times) in &own.reads {
            let read = called.writes.iter().any(|written| self.meet(written, cell));
            count += if read && !changed(cell) { *times } else { 0 };
        }
        // They are counted or joined, in any order.
        #[allow(clippy::iter_over_hash_type)]
        for cell in &own.writes {
            let mut used = called.reads.keys().chain(&called.writes);
            count += usize::from(used.any(|used| self.meet(cell, used)));
        }
        let mut others = called.clone();
        others.add(other);
        let pointed = (own.indirect > 0).then_some((&self.indirect, own.indirect));
        let callees = own
            .calls
            .iter()
            .filter_map(|(callee, times)| Some((self.functions.get(callee)?, *times)));
        for (effects, times) in callees.chain(pointed) {
            count += if self.meets(effects, &others) {
                times
            } else {
                0
            };
        }
        count
    }

    /// Whether two cells may be parts of the same object.
    fn meet(&self, a: &Cell, b: &Cell) -> bool {
        let addressed = |cell: &Cell| cell.base.is_none_or(|id| self.addressed.contains(&id));
        match (a.base, b.base) {
            (Some(x), Some(y)) if x == y => {
                let apart = |(a, b): (&Part, &Part)| a != b && *a != Part::Any && *b != Part::Any;
                !a.path.iter().zip(&b.path).any(apart)
            }
            (Some(_), Some(_)) => false,
            _ if !addressed(a) || !addressed(b) => false,
            _ => match (&a.ty, &b.ty) {
                (Some(x), Some(y)) => {
                    let members = match (a.member, b.member) {
                        (Some(x), Some(y)) => x == y,
                        _ => true,
                    };
                    members && may_be_one(x, y)
                }
                _ => true,
            },
        }
    }
}

/// Whether an object may be accessed by both types (C11 6.5, paragraph 7).
fn may_be_one(a: &Type, b: &Type) -> bool {
    let is_byte = |ty: &Type| matches!(ty, Type::Int(int) if int.bits == 8);
    match (a, b) {
        _ if is_byte(a) || is_byte(b) => true,
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (Type::Int(a), Type::Int(b)) => a.bits == b.bits,
        (a, b) => a == b,
    }
}

/// What a body does to what others see: its own variables are new in each activation.
fn of_body(program: &Program, body: &[Stmt]) -> Effects {
    let mut effects = Effects::default();
    for statement in body {
        // Bodies are looked at once each, whatever their size.
        effects.size = 0;
        Collector(program, &mut effects, 0).statement(statement);
        if effects.size >= LARGE {
            effects.writes.insert(anything());
        }
    }
    let lasting = |cell: &Cell| {
        cell.base
            .is_none_or(|id| matches!(program.variable(id).storage, Storage::Static { .. }))
    };
    effects.reads.retain(|cell, _| lasting(cell));
    effects.writes.retain(lasting);
    effects.size = 0;
    effects
}

/// Some part of memory.
fn anything() -> Cell {
    Cell {
        base: None,
        path: Vec::new(),
        member: None,
        ty: None,
    }
}

/// The variable for errors, if the program uses it.
fn errno(program: &Program) -> Option<VarId> {
    let is_static = |storage: &Storage| matches!(storage, Storage::Static { function: None, .. });
    let mut variables = program.variables.iter();
    let number =
        variables.position(|variable| variable.name == "errno" && is_static(&variable.storage));
    Some(VarId(u32::try_from(number?).ok()?))
}

/// What a function without a body does, by its name.
fn of_name(function: &Function, errno: Option<VarId>) -> Effects {
    let (name, returns) = (&*function.name, function.returns);
    let mut effects = Effects::default();
    let known = plain(name);
    let known = known.strip_prefix("__").unwrap_or(known);
    let known = known.strip_suffix("_chk").unwrap_or(known);
    effects.fails = matches!(
        named(name),
        Some(Meaning::Violation | Meaning::FailedAssertion)
    );
    effects.stops = !effects.fails
        && (!returns
            || [
                "abort",
                "exit",
                "_exit",
                "_Exit",
                "quick_exit",
                "VERIFIER_assume",
                "longjmp",
            ]
            .contains(&known)
            || ["trap", "unreachable"].contains(&known));
    let writes = [
        "memcpy",
        "memmove",
        "memset",
        "mempcpy",
        "memccpy",
        "bcopy",
        "bzero",
        "strcpy",
        "strncpy",
        "strcat",
        "strncat",
        "stpcpy",
        "stpncpy",
        "strtok",
        "strtok_r",
        "sprintf",
        "snprintf",
        "vsprintf",
        "vsnprintf",
        "swprintf",
        "vswprintf",
        "scanf",
        "sscanf",
        "fscanf",
        "gets",
        "fgets",
        "fread",
        "getline",
        "qsort",
        "free",
        "kfree",
        "realloc",
        "va_arg",
        "va_start",
        "va_end",
        "va_copy",
        "strtol",
        "strtoul",
        "strtod",
        "VERIFIER_nondet_memory",
    ];
    let meaning = named(name);
    let tells = matches!(meaning, Some(Meaning::Tell { .. }));
    let is_mathematical = meaning == Some(Meaning::Mathematical);
    let may_fail = matches!(
        meaning,
        Some(Meaning::SetErrno | Meaning::MayFail | Meaning::Allocate(_) | Meaning::Reallocate)
    );
    if let Some(errno) = errno.filter(|_| tells || is_mathematical || may_fail) {
        effects.writes.insert(Cell {
            base: Some(errno),
            ty: Some(Type::INT),
            ..anything()
        });
    }
    // `frexp` and the like give a second result; `nan` reads a string.
    let has_pointer = is_mathematical && function.ty.params.iter().any(Type::is_pointer);
    let reads_tag = has_pointer && known.starts_with("nan");
    let gives_more = has_pointer && !reads_tag;
    if gives_more || writes.contains(&known) {
        effects.writes.insert(anything());
        effects.reads.insert(anything(), 1);
    }
    // What is known of streams is kept where nothing else is.
    let streams = || Cell {
        ty: Some(Type::Void),
        ..anything()
    };
    if name.starts_with(KEEP) || name.starts_with(KEPT) {
        effects.reads.insert(streams(), 1);
    }
    if name.starts_with(KEEP) {
        effects.writes.insert(streams());
    }
    let reads = matches!(meaning, Some(Meaning::Reads | Meaning::ReadsStrings));
    let reads_by_name = known.starts_with("str") || known.starts_with("mem");
    if tells || reads || reads_tag || reads_by_name || known.contains("print") {
        effects.reads.insert(anything(), 1);
    }
    effects
}

/// What has its address taken.
#[derive(Default)]
struct Addresses {
    variables: BTreeSet<VarId>,
    functions: BTreeSet<FunctionId>,
}

impl Visit for Addresses {
    fn expr(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::Address(place) => {
                if let Base::Variable(id) = place.base {
                    self.variables.insert(id);
                }
            }
            ExprKind::Function(id) => {
                self.functions.insert(*id);
            }
            _ => {}
        }
        visit::expr(self, node);
    }
}
