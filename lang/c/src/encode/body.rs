//! A procedure body under construction.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use ult_lang::span::Span;

use ult_lang::build::body::attribute;
use ult_lang::build::{BodyBuilder, Term};
use ult_lang::hir::{Attribute, Type as Sort};

use super::Encoder;
use super::number::{Number, range};
use crate::ir::{BlockId, FunctionId, LabelId};
use crate::options::SignedOverflow;
use crate::types::{FloatType, IntType, Type};
use crate::undefined::Undefined;

/// A procedure body under construction.
pub struct Body<'e, 'p> {
    /// What all bodies share.
    pub enc: &'e mut Encoder<'p>,
    /// The function; `None` for the start of the program.
    pub function: Option<FunctionId>,
    /// The statements.
    pub out: BodyBuilder,
    /// How many local variables were made up.
    temporaries: usize,
    /// Under which conditions the expression at hand is evaluated.
    guard: Vec<Term>,
    /// Whether the expression at hand stands in an annotation.
    pub in_annotation: bool,
    /// Loops around, the innermost last.
    pub loops: Vec<BlockId>,
    /// Blocks and loops that are left by a jump.
    pub left: BTreeSet<BlockId>,
    /// For each call of `alloca`, the variable that has its object.
    pub allocas: Vec<Term>,
    /// How many of these calls were translated.
    pub allocas_seen: usize,
    /// Plain scalars for which there is a variable that says whether they were written.
    pub shadowed: BTreeSet<String>,
    /// The names of labels.
    pub labels: BTreeMap<LabelId, String>,
}

impl<'e, 'p> Body<'e, 'p> {
    /// An empty body; `out` has the parameters.
    pub fn new(
        enc: &'e mut Encoder<'p>,
        function: Option<FunctionId>,
        out: BodyBuilder,
    ) -> Body<'e, 'p> {
        Body {
            enc,
            function,
            out,
            temporaries: 0,
            guard: Vec::new(),
            in_annotation: false,
            loops: Vec::new(),
            left: BTreeSet::new(),
            allocas: Vec::new(),
            allocas_seen: 0,
            shadowed: BTreeSet::new(),
            labels: BTreeMap::new(),
        }
    }

    /// A variable of the procedure or a global one, by its name.
    pub fn var(&self, name: &str) -> Term {
        let local = self.out.find(name);
        local.unwrap_or_else(|| self.enc.global(name))
    }

    /// Whether integers are bit-vectors.
    pub fn bits(&self) -> bool {
        self.enc.bits
    }

    /// Whether a signed overflow is not simply wrap-around.
    pub fn minds_overflow(&self) -> bool {
        self.in_annotation
            || self.checks_overflow()
            || self.enc.options.signed_overflow == SignedOverflow::Undefined
    }

    /// Whether a signed overflow is a violation.
    pub fn checks_overflow(&self) -> bool {
        self.enc.options.properties.overflow
    }

    /// A new local variable.
    pub fn temporary(&mut self, sort: Sort) -> Term {
        self.temporaries += 1;
        self.out.local(format!("t~{}", self.temporaries), sort)
    }

    /// The same value, small enough to be written twice.
    pub fn named(&mut self, term: Term) -> Term {
        match term.is_small() {
            true => term,
            false => self.kept(&term),
        }
    }

    /// The value that an expression has now, whatever is written meanwhile.
    pub fn copied(&mut self, term: Term) -> Term {
        match term.is_constant() {
            true => term,
            false => self.kept(&term),
        }
    }

    fn kept(&mut self, term: &Term) -> Term {
        let variable = self.temporary(term.ty().clone());
        self.out.assign(&variable, term);
        variable
    }

    /// A new local variable with an arbitrary value.
    pub fn fresh(&mut self, sort: Sort) -> Term {
        let variable = self.temporary(sort);
        self.out.havoc(&variable);
        variable
    }

    /// An arbitrary value of an integer type.
    pub fn anything(&mut self, ty: IntType) -> Term {
        let term = self.fresh(self.enc.int_sort(ty.bits));
        self.assume_range(&term, ty);
        term
    }

    /// Integers are in the range of their type.
    pub fn assume_range(&mut self, term: &Term, ty: IntType) {
        if self.bits() {
            return;
        }
        let (low, high) = range(ty);
        self.assume_between(term, &low, &high);
    }

    /// An integer (with the math encoding) is between two numbers.
    pub fn assume_between(&mut self, term: &Term, low: &BigInt, high: &BigInt) {
        let low = Term::int(low.clone()).at_most(term);
        let high = term.at_most(&Term::int(high.clone()));
        self.assume(&low.and(&high));
    }

    /// Runs without this do not count (where the guard holds).
    pub fn assume(&mut self, condition: &Term) {
        self.assume_with(condition, Vec::new());
    }

    fn assume_with(&mut self, condition: &Term, attributes: Vec<Attribute>) {
        let condition = self.guarded(condition);
        if condition.as_truth() != Some(true) {
            self.out.assume(&condition, attributes);
        }
    }

    /// What must hold, in words that say what is violated else (where the guard holds).
    pub fn assert(&mut self, condition: &Term, message: &str) {
        let message = attribute("msg", message, self.out.span());
        self.assert_with(condition, vec![message]);
    }

    fn assert_with(&mut self, condition: &Term, attributes: Vec<Attribute>) {
        let condition = self.guarded(condition);
        if condition.as_truth() != Some(true) {
            self.out.assert(&condition, attributes);
        }
    }

    fn guarded(&self, condition: &Term) -> Term {
        let all = self
            .guard
            .iter()
            .fold(Term::truth(true), |all, part| all.and(part));
        all.implies(condition)
    }

    /// Evaluates something that is only evaluated if a condition holds.
    pub fn under<T>(&mut self, condition: Term, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        self.guard.push(condition);
        let result = evaluate(self);
        self.guard.pop();
        result
    }

    /// Something not covered: if it can be reached, nobody knows.
    pub fn unsupported(&mut self, what: &str) {
        self.enc.has_gaps |= self.never(what);
    }

    /// What the translation claims not to happen: if it can be reached, this translation says nothing.
    pub fn claim(&mut self, what: &str) {
        self.enc.has_claims |= self.never(what);
    }

    /// Tells whether it is evaluated at all.
    fn never(&mut self, what: &str) -> bool {
        let condition = self.guarded(&Term::truth(false));
        let is_evaluated = condition.as_truth() != Some(true);
        if is_evaluated {
            let what = attribute("unsupported", what, self.out.span());
            self.out.assert(&condition, vec![what]);
        }
        is_evaluated
    }

    /// Statements for where something does not fail, if it can.
    pub fn unless(&mut self, fails: Option<&Term>, work: impl FnOnce(&mut Self)) {
        if let Some(fails) = fails {
            self.out.begin_if(&fails.not());
        }
        work(self);
        if fails.is_some() {
            self.out.end();
        }
    }

    /// Where a condition holds, some work that allows more than the program does: a proof counts, but no run that gets there.
    pub fn approximated(&mut self, condition: &Term, what: &str, work: impl FnOnce(&mut Self)) {
        let guard = std::mem::take(&mut self.guard);
        let all = guard
            .iter()
            .fold(condition.clone(), |all, part| part.and(&all));
        if all.as_truth() != Some(false) {
            self.out.begin_if(&all);
            let what = attribute("approximated", what, self.out.span());
            self.out.assume(&Term::truth(true), vec![what]);
            work(self);
            self.out.end();
        }
        self.guard = guard;
    }

    /// A condition without which behavior is undefined: a violation, if that is asked for; else
    /// traces without it do not count.
    pub fn require(&mut self, what: Undefined, condition: Term) {
        if self.in_annotation {
            // Annotations speak about mathematical integers: nothing is undefined in them.
            self.under(condition.not(), |body| {
                body.unsupported("an overflow or the like in an annotation");
            });
        } else if self.enc.options.properties.checks(what) {
            self.assert_defined(what, &condition, what.violation());
        } else {
            self.enc.assumed.insert(what);
            let property = self.undefined(what);
            self.assume_with(&condition, property.into_iter().collect());
        }
    }

    /// Says which property is about a condition.
    fn undefined(&self, what: Undefined) -> Option<Attribute> {
        let span = self.out.span();
        let property = what.property();
        property.map(|name| attribute("undefined", name, span))
    }

    /// A condition without which behavior is undefined, as an assertion, in words that say what is violated else.
    pub fn assert_defined(&mut self, what: Undefined, condition: &Term, violation: &str) {
        let message = attribute("msg", violation, self.out.span());
        let property = self.undefined(what);
        self.assert_with(condition, [message].into_iter().chain(property).collect());
    }

    /// Behaviour that is not looked for: it is told that there is none, and runs with it are not left out.
    pub fn trust(&mut self, what: Undefined) {
        self.enc.assumed.insert(what);
    }

    /// Notes a place for what follows.
    pub fn at(&mut self, span: Span) {
        self.out.at(span);
    }

    /// An operation on bit-vectors.
    pub fn bit_binary(&mut self, operation: &str, bits: u32, a: &Term, b: &Term) -> Term {
        let sort = Sort::BitVec(bits);
        let name = format!("{operation}{bits}");
        self.bit_function(&name, operation, &[a, b], &sort)
    }

    /// An operation on one bit-vector.
    pub fn bit_unary(&mut self, operation: &str, bits: u32, a: &Term) -> Term {
        let sort = Sort::BitVec(bits);
        let name = format!("{operation}{bits}");
        self.bit_function(&name, operation, &[a], &sort)
    }

    /// A relation between bit-vectors.
    pub fn bit_relation(&mut self, operation: &str, bits: u32, a: &Term, b: &Term) -> Term {
        let name = format!("{operation}{bits}");
        self.bit_function(&name, operation, &[a, b], &Sort::Bool)
    }

    /// The application of a function on bit-vectors that the solver knows.
    pub fn bit_function(
        &mut self,
        name: &str,
        builtin: &str,
        arguments: &[&Term],
        result: &Sort,
    ) -> Term {
        self.enc
            .solver_function(name, ("bvbuiltin", builtin), arguments, result)
    }
}

/// Values in Boogie.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer.
    Number(Number),
    /// A pointer.
    Pointer(Pointer),
    /// A floating-point number.
    Float(FloatType, Term),
    /// Of type `void`.
    Nothing,
}

impl Value {
    /// The parts, as in [`parts`].
    pub fn into_terms(self) -> Vec<Term> {
        match self {
            Value::Number(number) => vec![number.term],
            Value::Pointer(pointer) => vec![pointer.base, pointer.offset],
            Value::Float(_, term) => vec![term],
            Value::Nothing => Vec::new(),
        }
    }
}

/// A pointer in Boogie: an object and an offset in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The number of the object, an `int`; 0 is none, functions have negative numbers.
    pub base: Term,
    /// In bytes, a number of the width of pointers in the encoding of integers.
    pub offset: Term,
}

/// One Boogie variable for each part of a value of a scalar type: how its name ends, and its type.
pub fn parts(enc: &Encoder<'_>, ty: &Type) -> Vec<(&'static str, Sort)> {
    match ty {
        Type::Pointer(_) | Type::Function(_) => {
            vec![(".base", Sort::Int), (".offset", enc.word_sort())]
        }
        Type::Float(float) => vec![("", super::float::sort(*float))],
        other => {
            let bits = other.integer().map_or(32, |int| int.bits);
            vec![("", enc.int_sort(bits))]
        }
    }
}
