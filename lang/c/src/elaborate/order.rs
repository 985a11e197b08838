//! The order of evaluation (C11 6.5, paragraphs 2 and 3): operands are evaluated from left to right here, where C leaves
//! the order open.
//!
//! Where two operands change and use the same variable themselves, behaviour is undefined: that is not covered. Where one
//! calls functions that change what the other one uses (or that may stop the program, where the other one may fail), other
//! orders may lead elsewhere: that is told as an assumption, see [`crate::ir::Program::left_to_right`]. Which functions
//! change what is known at the end only; until then, pairs of operands are kept.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use lang_c::ast as c;
use lang_c::span::Node;
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::functions::{Meaning, named, plain};
use crate::ir::visit::{self, Visit};
use crate::ir::{
    Base, Callee, Expr, ExprKind, FunctionId, Initial, Place, Program, Step, Stmt, StmtKind,
    Storage, VarId,
};
use crate::types::{RecordId, Type};

use super::Elaborator;
use super::renumber::Numbers;

/// Larger operands are not looked at: the order may matter.
const LARGE: usize = 2000;

/// Two operands that are evaluated in any order, of which one has effects.
pub(super) struct Pair {
    function: FunctionId,
    left: Effects,
    right: Effects,
}

impl Pair {
    /// Gives what it is about its new numbers.
    pub(super) fn renumber(&mut self, numbers: &Numbers) {
        self.function = numbers.function(self.function);
        for effects in [&mut self.left, &mut self.right] {
            for cells in [&mut effects.reads, &mut effects.writes] {
                let old = std::mem::take(cells).into_iter();
                *cells = old.map(|cell| cell.renumbered(numbers)).collect();
            }
            let calls = effects.calls.iter();
            effects.calls = calls.map(|id| numbers.function(*id)).collect();
        }
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

/// What a piece of program does.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    reads: HashSet<Cell>,
    writes: HashSet<Cell>,
    calls: BTreeSet<FunctionId>,
    /// Whether it calls through a pointer.
    indirect: bool,
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

impl Elaborator {
    /// Notes two operands without an order: the statements of each, and what is evaluated behind them.
    pub(super) fn unordered(
        &mut self,
        left: (Range<usize>, &[&Expr]),
        right: (Range<usize>, &[&Expr]),
        place: Span,
    ) {
        let Some(function) = self.function.as_ref().map(|context| context.id) else {
            return;
        };
        if self.unevaluated > 0 || !(self.acts(left.0.clone()) || self.acts(right.0.clone())) {
            return;
        }
        let effects = |(range, values): (Range<usize>, &[&Expr])| {
            let mut effects = Effects::default();
            for statement in &self.out[range] {
                Collector(&self.program, &mut effects).statement(statement);
            }
            for value in values {
                Collector(&self.program, &mut effects).expr(value);
            }
            effects
        };
        let (left, right) = (effects(left), effects(right));
        if let Some(variable) = left.clash(&right).or_else(|| right.clash(&left)) {
            self.unsequenced(variable, place);
        }
        self.pairs.push(Pair {
            function,
            left,
            right,
        });
    }

    fn unsequenced(&mut self, variable: VarId, place: Span) {
        let name = &self.program.variable(variable).name;
        let words = format!("side effects on {name} without an order");
        self.emit(StmtKind::Unsupported(words), place);
    }

    /// Whether statements do more than compute.
    fn acts(&self, range: Range<usize>) -> bool {
        self.out[range]
            .iter()
            .any(|statement| match &statement.kind {
                StmtKind::Assign(place, _) => {
                    !matches!(place.base, Base::Variable(id) if self.is_temporary(id))
                }
                StmtKind::Evaluate(_) | StmtKind::Declare(_) | StmtKind::End(_) => false,
                _ => true,
            })
    }

    /// An assignment to a variable whose right side changes it as well, without a sequence point behind (C11 6.5.16).
    pub(super) fn assigned_twice(
        &mut self,
        left: &Node<c::Expression>,
        right: &Node<c::Expression>,
        place: Span,
    ) {
        let c::Expression::Identifier(name) = &left.node else {
            return;
        };
        if self.function.is_some()
            && changes(right, &name.node.name)
            && let Some(super::scope::Binding::Variable(id)) = self.lookup(&name.node.name)
        {
            self.unsequenced(*id, place);
        }
    }

    /// Tells in which functions the order of operands may matter.
    pub(super) fn order(&mut self) {
        if self.pairs.is_empty() {
            return;
        }
        let summaries = Summaries::of(&self.program);
        let pairs = std::mem::take(&mut self.pairs);
        for pair in pairs {
            if !self.program.left_to_right.contains(&pair.function)
                && summaries.matters(&pair.left, &pair.right)
            {
                self.program.left_to_right.insert(pair.function);
            }
        }
    }
}

/// Whether evaluating the expression changes the variable without a sequence point between that and its value.
fn changes(node: &Node<c::Expression>, name: &str) -> bool {
    let is_it = |node: &Node<c::Expression>| super::selection::is_name(node, name);
    ensure_stack(|| match &node.node {
        c::Expression::UnaryOperator(operation) => {
            use c::UnaryOperator as Op;
            let step = matches!(
                operation.node.operator.node,
                Op::PostIncrement | Op::PostDecrement | Op::PreIncrement | Op::PreDecrement
            );
            (step && is_it(&operation.node.operand)) || changes(&operation.node.operand, name)
        }
        c::Expression::BinaryOperator(operation) => {
            use c::BinaryOperator as Op;
            let (left, right) = (&operation.node.lhs, &operation.node.rhs);
            match operation.node.operator.node {
                Op::LogicalAnd | Op::LogicalOr => changes(right, name),
                Op::Assign
                | Op::AssignMultiply
                | Op::AssignDivide
                | Op::AssignModulo
                | Op::AssignPlus
                | Op::AssignMinus
                | Op::AssignShiftLeft
                | Op::AssignShiftRight
                | Op::AssignBitwiseAnd
                | Op::AssignBitwiseXor
                | Op::AssignBitwiseOr => is_it(left) || changes(left, name) || changes(right, name),
                _ => changes(left, name) || changes(right, name),
            }
        }
        c::Expression::Cast(cast) => changes(&cast.node.expression, name),
        c::Expression::Conditional(conditional) => {
            changes(&conditional.node.then_expression, name)
                || changes(&conditional.node.else_expression, name)
        }
        c::Expression::Comma(list) => list.last().is_some_and(|last| changes(last, name)),
        c::Expression::Member(member) => changes(&member.node.expression, name),
        _ => false,
    })
}

impl Effects {
    /// A variable that one operand changes itself and the other one uses itself, for sure.
    fn clash(&self, other: &Effects) -> Option<VarId> {
        let certain = |cell: &&Cell| cell.base.is_some() && !cell.path.contains(&Part::Any);
        let used = |cell: &&Cell| other.reads.contains(*cell) || other.writes.contains(*cell);
        let both = self.writes.iter().filter(certain).filter(used);
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
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
        self.calls.extend(&other.calls);
        self.indirect |= other.indirect;
        self.fails |= other.fails;
        self.stops |= other.stops;
        count(self) != before
    }
}

struct Collector<'a>(&'a Program, &'a mut Effects);

impl Collector<'_> {
    fn write(&mut self, place: &Place) {
        if let Some(cell) = cell(self.0, place) {
            self.1.writes.insert(cell);
        }
        self.place(place);
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
                        self.1.calls.insert(*id);
                    }
                    Callee::Pointer(..) => self.1.indirect = true,
                }
                if let Some(place) = result {
                    self.write(place);
                }
            }
            StmtKind::Loop(..) | StmtKind::Goto(_) => self.1.stops = true,
            StmtKind::Assert(_) => self.1.fails = true,
            _ => {}
        }
        if self.1.size < LARGE {
            visit::statement(self, node);
        }
    }

    fn expr(&mut self, node: &Expr) {
        self.1.size += 1;
        if let ExprKind::Read(place) = &node.kind
            && let Some(cell) = cell(self.0, place)
        {
            self.1.reads.insert(cell);
        }
        if self.1.size < LARGE {
            visit::expr(self, node);
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
struct Summaries {
    functions: BTreeMap<FunctionId, Effects>,
    /// What all functions do whose address is taken.
    indirect: Effects,
    /// Variables whose address is taken.
    addressed: BTreeSet<VarId>,
}

impl Summaries {
    fn of(program: &Program) -> Summaries {
        let mut addresses = Addresses::default();
        let mut functions = BTreeMap::new();
        for (function, number) in program.functions.iter().zip(0..) {
            let effects = match &function.body {
                Some(body) => {
                    addresses.statements(body);
                    of_body(program, body)
                }
                None => of_name(&function.name, function.returns),
            };
            functions.insert(FunctionId(number), effects);
        }
        for variable in &program.variables {
            if let Storage::Static {
                initial: Initial::Values(values),
                ..
            } = &variable.storage
            {
                values.iter().for_each(|(_, value)| addresses.expr(value));
            }
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
                for callee in own.calls.clone() {
                    match self.functions.get(&callee) {
                        Some(effects) => changed |= own.add(effects),
                        // It calls itself.
                        None => own.stops = true,
                    }
                }
                if own.indirect {
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

    fn whole(&self, effects: &Effects) -> Effects {
        let mut whole = effects.clone();
        for callee in &effects.calls {
            if let Some(effects) = self.functions.get(callee) {
                whole.add(effects);
            }
        }
        if effects.indirect {
            whole.add(&self.indirect);
        }
        whole
    }

    /// Whether it may matter which of two operands is evaluated first.
    fn matters(&self, left: &Effects, right: &Effects) -> bool {
        if left.size >= LARGE || right.size >= LARGE {
            return true;
        }
        let (left, right) = (self.whole(left), self.whole(right));
        let changes = |one: &Effects, other: &Effects| {
            one.writes.iter().any(|written| {
                let used = other.reads.iter().chain(&other.writes);
                used.into_iter().any(|used| self.meet(written, used))
            })
        };
        changes(&left, &right)
            || changes(&right, &left)
            || (left.fails && right.stops)
            || (left.stops && right.fails)
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
        Collector(program, &mut effects).statement(statement);
        if effects.size >= LARGE {
            effects.writes.insert(anything());
        }
    }
    let lasting = |cell: &Cell| {
        cell.base
            .is_none_or(|id| matches!(program.variable(id).storage, Storage::Static { .. }))
    };
    effects.reads.retain(lasting);
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

/// What a function without a body does, by its name.
fn of_name(name: &str, returns: bool) -> Effects {
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
    if writes.contains(&known) {
        effects.writes.insert(anything());
        effects.reads.insert(anything());
    }
    if known.starts_with("str") || known.starts_with("mem") || known.contains("print") {
        effects.reads.insert(anything());
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
