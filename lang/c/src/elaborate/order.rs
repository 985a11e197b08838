//! The order of evaluation (C11 6.5, paragraphs 2 and 3), where C leaves it open.
//!
//! Operands are elaborated from left to right. Where that is not all that may happen, it is known at the end only: which
//! functions change what. So a program in which it matters is elaborated twice; pairs of operands have numbers, and the second
//! time it is known which of them conflict ([`Conflict`]):
//!
//! * Where both change and use the same variable themselves, behavior is undefined, which is a statement of its own.
//! * Where one calls functions that change what the other one uses, either may be first: both orders are statements, and
//!   which of them runs is any choice. Where more than one action of an operand matters, they might alternate: that is not
//!   covered.
//! * Where one may stop the program and the other one fail, the one that fails is first.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::{Base, Expr, FunctionId, Place, Stmt, StmtKind, VarId};
use crate::options::Evaluation;
use crate::types::Type;
use crate::undefined::Undefined;

use super::effects::{Conflict, Effects, Orders, Summaries};
use super::renumber::Numbers;
use super::{Elaborator, read};

/// More statements are not written twice.
const FEW: usize = 64;

/// What is not covered.
const ORDER: &str = "the order in which operands are evaluated";

/// What may be undefined.
pub(super) const PERHAPS: &str = "operands that may change what the other one uses";

/// Two operands that are evaluated in any order, of which one has effects.
pub(super) struct Pair {
    id: PairId,
    left: Effects,
    right: Effects,
}

/// A place in the text where a pair is: the same one in each elaboration, and in each copy of a function of the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PairId {
    /// The function of the library; empty for the program itself.
    function: String,
    number: usize,
}

/// How many pairs there were in each function of the library, copy by copy, and in the program itself.
type Counts = BTreeMap<String, BTreeSet<usize>>;

/// The pairs of operands that have no order.
#[derive(Default)]
pub(super) struct Pairs {
    /// The function of the library that is elaborated; empty for the program itself.
    function: String,
    /// How many pairs there were in it.
    count: usize,
    counts: Counts,
    looked_at: Vec<Pair>,
    /// The functions of the library that calls of a function were led to.
    led: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// From an elaboration before: the pairs that conflict.
    conflicts: BTreeMap<PairId, Conflict>,
    evaluation: Evaluation,
}

impl Pairs {
    /// For an elaboration that knows which of them conflict.
    pub(super) fn knowing(conflicts: BTreeMap<PairId, Conflict>, evaluation: Evaluation) -> Pairs {
        Pairs {
            conflicts,
            evaluation,
            ..Pairs::default()
        }
    }

    /// The next pair, and why its order matters, as far as that is known.
    fn next(&mut self) -> (PairId, Option<Conflict>) {
        let id = PairId {
            function: self.function.clone(),
            number: self.count,
        };
        self.count += 1;
        let conflict = self.conflicts.get(&id).copied();
        (id, conflict)
    }

    /// Elaborates a copy of a function of the library.
    pub(super) fn in_copy<R>(
        elaborator: &mut Elaborator,
        function: &str,
        work: impl FnOnce(&mut Elaborator) -> R,
    ) -> R {
        let pairs = &mut elaborator.pairs;
        let outer = (
            std::mem::replace(&mut pairs.function, function.to_owned()),
            std::mem::take(&mut pairs.count),
        );
        let result = work(elaborator);
        let pairs = &mut elaborator.pairs;
        let known = pairs.counts.entry(function.to_owned()).or_default();
        known.insert(pairs.count);
        (pairs.function, pairs.count) = outer;
        result
    }

    /// Gives what pairs are about its new numbers.
    pub(super) fn renumber(&mut self, numbers: &Numbers) {
        for pair in &mut self.looked_at {
            pair.left.renumber(numbers);
            pair.right.renumber(numbers);
        }
        let led = std::mem::take(&mut self.led).into_iter();
        let renumbered =
            |ids: BTreeSet<FunctionId>| ids.into_iter().map(|id| numbers.function(id)).collect();
        self.led = led
            .map(|(id, copies)| (numbers.function(id), renumbered(copies)))
            .collect();
    }

    /// A call of one function is now one of another.
    pub(super) fn lead(&mut self, from: FunctionId, to: FunctionId) {
        self.led.entry(from).or_default().insert(to);
    }

    /// How many there were.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = self.counts.clone();
        counts.entry(String::new()).or_default().insert(self.count);
        counts
    }

    /// Whether all pairs were met before, in the same places: copies of functions of the library may be more or fewer.
    pub(super) fn are_among(&self, before: &Counts) -> bool {
        let none = BTreeSet::new();
        let counts = self.counts();
        let mut counts = counts.iter();
        counts.all(|(function, counts)| counts.is_subset(before.get(function).unwrap_or(&none)))
    }

    /// The pairs that conflict in a program.
    pub(super) fn conflicts(&self, program: &crate::ir::Program) -> BTreeMap<PairId, Conflict> {
        let mut conflicts = BTreeMap::new();
        if self.looked_at.is_empty() {
            return conflicts;
        }
        let summaries = Summaries::of(program, &self.led);
        for pair in &self.looked_at {
            if let Some(conflict) = summaries.conflict(&pair.left, &pair.right) {
                let joined = match conflicts.get(&pair.id) {
                    Some(other) => conflict.or(*other),
                    None => conflict,
                };
                conflicts.insert(pair.id.clone(), joined);
            }
        }
        conflicts
    }
}

impl Elaborator {
    /// Two operands without an order, evaluated from left to right: the statements of each and what is evaluated behind them.
    /// If other orders are to be written, which.
    fn unordered(
        &mut self,
        left: (Range<usize>, &[&Expr]),
        right: (Range<usize>, &[&Expr]),
        place: Span,
    ) -> Option<Orders> {
        if self.function.is_none() || self.unevaluated > 0 {
            return None;
        }
        let (id, conflict) = self.pairs.next();
        if let Some(conflict) = conflict {
            let is_assumed = self.is_order_assumed();
            if conflict.unsequenced || is_assumed {
                self.unsequenced(PERHAPS, false, place);
            }
            return conflict.orders.filter(|_| !is_assumed);
        }
        if !(self.acts(left.0.clone()) || self.acts(right.0.clone())) {
            return None;
        }
        let effects = |(range, values): (Range<usize>, &[&Expr])| {
            Effects::of(&self.program, &self.out[range], values)
        };
        let (left, right) = (effects(left), effects(right));
        if let Some(variable) = left.clash(&right).or_else(|| right.clash(&left)) {
            self.clash(variable, place);
        } else {
            self.pairs.looked_at.push(Pair { id, left, right });
        }
        None
    }

    /// The values of two operands, whose statements are those from `start` and `mark` on: what the other one changes is saved.
    pub(super) fn in_any_order(
        &mut self,
        start: usize,
        left: Expr,
        mark: usize,
        right: Expr,
        place: Span,
    ) -> (Expr, Expr) {
        let end = self.out.len();
        match self.unordered((start..mark, &[&left]), (mark..end, &[&right]), place) {
            None => (self.keep(left, mark), right),
            Some(orders) => self.in_orders(
                orders,
                (start, mark),
                place,
                |this| this.settled(left),
                |this| this.settled(right),
            ),
        }
    }

    /// The object on the left of an assignment and the value on the right.
    pub(super) fn object_in_any_order(
        &mut self,
        start: usize,
        object: Place,
        mark: usize,
        value: Expr,
        place: Span,
    ) -> (Place, Expr) {
        let mut parts: Vec<&Expr> = Vec::new();
        if let Base::Deref(pointer) = &object.base {
            parts.push(pointer);
        }
        for step in &object.path {
            if let crate::ir::Step::Index(index) = step {
                parts.push(index);
            }
        }
        let end = self.out.len();
        match self.unordered((start..mark, &parts), (mark..end, &[&value]), place) {
            None => (self.keep_place(object, mark), value),
            Some(orders) => self.in_orders(
                orders,
                (start, mark),
                place,
                |this| this.fix_place(object),
                |this| this.settled(value),
            ),
        }
    }

    /// The values of arguments, each with the number of statements when it was there, and of a callee that is computed, whose
    /// first statement is the one at `start`.
    pub(super) fn arguments_in_any_order(
        &mut self,
        start: usize,
        callee: Option<&Expr>,
        values: Vec<(Expr, usize)>,
    ) -> Vec<Expr> {
        let total = self.out.len();
        let mut before: Vec<(Expr, usize)> = Vec::new();
        let mut behind = start;
        for (value, mark) in values {
            // Statements behind this argument stay as they are.
            let rest = total - mark;
            let mark = self.out.len() - rest;
            let mut known: Vec<&Expr> = callee.into_iter().collect();
            known.extend(before.iter().map(|(value, _)| value));
            let place = value.span;
            let orders = match known.is_empty() {
                true => None,
                false => self.unordered((start..behind, &known), (behind..mark, &[&value]), place),
            };
            let mark = self.out.len() - rest;
            let Some(orders) = orders else {
                before.push((value, mark));
                behind = mark;
                continue;
            };
            if callee.is_some() {
                let statement = StmtKind::Unsupported(ORDER.to_owned());
                self.out.insert(
                    mark,
                    Stmt {
                        kind: statement,
                        span: place,
                    },
                );
                before.push((value, mark));
                behind = mark + 1;
                continue;
            }
            let later = self.out.split_off(mark);
            let (saved, value) = self.in_orders(
                orders,
                (start, behind),
                place,
                |this| {
                    let values = before.into_iter();
                    values
                        .map(|(value, _)| this.settled(value))
                        .collect::<Vec<_>>()
                },
                |this| this.settled(value),
            );
            behind = self.out.len();
            self.out.extend(later);
            let values = saved.into_iter().chain([value]);
            before = values.map(|value| (value, behind)).collect();
        }
        self.keep_all(before)
    }

    /// The initialisers of an object, which have no order between them (C11 6.7.9p23): the statements of each begin where
    /// `starts` says.
    pub(super) fn initialised(&mut self, object: VarId, starts: &[usize], place: Span) {
        let ends = starts.iter().skip(1).copied().chain([self.out.len()]);
        let ranges: Vec<Range<usize>> = starts
            .iter()
            .zip(ends)
            .map(|(start, end)| *start..end)
            .collect();
        // Most only write their part of the object.
        let plain = |statement: &Stmt| match &statement.kind {
            StmtKind::Assign(place, _) | StmtKind::Zero(place) => {
                matches!(place.base, Base::Variable(id) if id == object || self.is_temporary(id))
            }
            _ => false,
        };
        let acts = |range: &Range<usize>| !self.out[range.clone()].iter().all(plain);
        let acting: Vec<usize> = (0..ranges.len())
            .filter(|index| acts(&ranges[*index]))
            .collect();
        for index in acting.into_iter().take(FEW) {
            let own = ranges[index].clone();
            let (first, last) = (ranges[0].start, self.out.len());
            for other in [first..own.start, own.end..last] {
                self.indeterminate(object, other, own.clone(), place);
            }
        }
    }

    /// Statements of which either may be first, but which do not alternate.
    fn indeterminate(
        &mut self,
        object: VarId,
        left: Range<usize>,
        right: Range<usize>,
        place: Span,
    ) {
        if self.function.is_none() || self.unevaluated > 0 {
            return;
        }
        let (id, conflict) = self.pairs.next();
        if conflict.is_some() {
            match self.is_order_assumed() {
                true => self.unsequenced(PERHAPS, false, place),
                false => self.emit(StmtKind::Unsupported(ORDER.to_owned()), place),
            }
            return;
        }
        let [left, mut right] =
            [left, right].map(|range| Effects::of(&self.program, &self.out[range], &[]));
        // A part that is written twice has the later value.
        right.forget(object);
        self.pairs.looked_at.push(Pair { id, left, right });
    }

    /// The value, of which no statement behind changes anything.
    fn settled(&mut self, value: Expr) -> Expr {
        let void = matches!(value.ty, Type::Void);
        if void || self.is_stable(&value) {
            value
        } else {
            self.save(value)
        }
    }

    /// Writes the statements of two operands in both orders, each with what is to be done behind it.
    fn in_orders<A, B>(
        &mut self,
        orders: Orders,
        (start, mark): (usize, usize),
        place: Span,
        left: impl FnOnce(&mut Elaborator) -> A,
        right: impl FnOnce(&mut Elaborator) -> B,
    ) -> (A, B) {
        let mut second = self.out.split_off(mark);
        let mut first = self.out.split_off(start);
        let (mut more, left) = self.collect(left);
        first.append(&mut more);
        let (mut more, right) = self.collect(right);
        second.append(&mut more);
        let simple = |statements: &[Stmt]| size(statements).is_some_and(|size| size <= FEW);
        let both = simple(&first) && simple(&second);
        match orders {
            Orders::Turned => {
                self.out.append(&mut second);
                self.out.append(&mut first);
            }
            Orders::Both if both => {
                let choice = self.temporary(Type::Bool, place);
                if let Base::Variable(id) = choice.base {
                    self.emit(StmtKind::Declare(id), place);
                }
                let turned = second.iter().chain(&first).cloned().collect();
                first.append(&mut second);
                self.emit(StmtKind::If(read(choice), first, turned), place);
            }
            _ => {
                self.out.append(&mut first);
                self.out.append(&mut second);
                self.emit(StmtKind::Unsupported(ORDER.to_owned()), place);
            }
        }
        (left, right)
    }

    /// Whether operands do not conflict, as the user says.
    pub(super) fn is_order_assumed(&self) -> bool {
        self.pairs.evaluation == Evaluation::LeftToRight
    }

    /// Whether the object may be one that the statements from `mark` on write; `false` as long as that is not known.
    pub(super) fn may_be_written(&mut self, object: &Place, mark: usize) -> bool {
        let (id, conflict) = self.pairs.next();
        if conflict.is_some() {
            return true;
        }
        let left = Effects::of_write(&self.program, object);
        let right = Effects::of(&self.program, &self.out[mark..], &[]).only_writes();
        self.pairs.looked_at.push(Pair { id, left, right });
        false
    }

    /// Other pairs were met than before: no function is covered.
    pub(super) fn refuse_orders(&mut self) {
        for function in &mut self.program.functions {
            let span = function.span;
            if let Some(body) = &mut function.body {
                let kind = StmtKind::Unsupported(ORDER.to_owned());
                body.insert(0, Stmt { kind, span });
            }
        }
    }

    pub(super) fn clash(&mut self, variable: VarId, place: Span) {
        let name = &self.program.variable(variable).name;
        let words = format!("side effects on {name} without an order");
        self.unsequenced(&words, true, place);
    }

    pub(super) fn unsequenced(&mut self, words: &str, certain: bool, place: Span) {
        self.emit(
            StmtKind::Undefined {
                what: Undefined::Order,
                words: words.to_owned(),
                certain,
            },
            place,
        );
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
}

/// How many statements there are; nothing if they cannot be written twice.
fn size(statements: &[Stmt]) -> Option<usize> {
    ensure_stack(|| {
        statements
            .iter()
            .try_fold(0, |sum, statement| match &statement.kind {
                StmtKind::Loop(..)
                | StmtKind::Block(..)
                | StmtKind::Leave(_)
                | StmtKind::Label(_)
                | StmtKind::Goto(_) => None,
                StmtKind::If(_, then, otherwise) => Some(sum + 1 + size(then)? + size(otherwise)?),
                _ => Some(sum + 1),
            })
    })
}
