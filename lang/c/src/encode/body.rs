//! A procedure body under construction.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use ult_lang::span::Span;

use super::Encoder;
use super::number::{Number, range};
use super::text::{Text, Writer};
use crate::ir::{BlockId, FunctionId, LabelId};
use crate::options::SignedOverflow;
use crate::types::{FloatType, IntType, Type};

/// What C leaves undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// A signed operation whose result is not in the range of its type (C11 6.5).
    Overflow,
    /// A division by zero (C11 6.5.5).
    Division,
    /// A shift by a negative number or by the width or more (C11 6.5.7).
    Shift,
    /// The same for a signed number to the left, which an overflow is as well.
    SignedShiftLeft,
    /// A floating number too large for an integer type (C11 6.3.1.4).
    Conversion,
    /// An access to no live object (C11 6.5.3.2).
    Dereference,
    /// A read of what was not written (C11 6.3.2.1p2).
    Read,
}

/// A procedure body under construction.
pub struct Body<'e, 'p> {
    /// What all bodies share.
    pub enc: &'e mut Encoder<'p>,
    /// The function; `None` for the start of the program.
    pub function: Option<FunctionId>,
    /// The statements.
    pub out: Writer,
    /// Local variables that were made up, with their types, in order.
    pub temporaries: Vec<(String, String)>,
    /// Under which conditions the expression at hand is evaluated.
    guard: Vec<Text>,
    /// Global variables that are written.
    pub writes: BTreeSet<String>,
    /// Functions that are called.
    pub calls: BTreeSet<FunctionId>,
    /// Whether the expression at hand stands in an annotation.
    pub in_annotation: bool,
    /// Loops around, the innermost last.
    pub loops: Vec<BlockId>,
    /// Blocks and loops that are left by a jump.
    pub left: BTreeSet<BlockId>,
    /// For each call of `alloca`, the variable that has its object.
    pub allocas: Vec<String>,
    /// How many of these calls were translated.
    pub allocas_seen: usize,
    /// Plain scalars for which there is a variable that says whether they were written.
    pub shadowed: BTreeSet<String>,
    /// The names of labels.
    pub labels: BTreeMap<LabelId, String>,
}

impl<'e, 'p> Body<'e, 'p> {
    /// An empty body.
    pub fn new(enc: &'e mut Encoder<'p>, function: Option<FunctionId>) -> Body<'e, 'p> {
        let mut out = Writer::default();
        // Bodies are indented.
        out.indent();
        Body {
            enc,
            function,
            out,
            temporaries: Vec::new(),
            guard: Vec::new(),
            writes: BTreeSet::new(),
            calls: BTreeSet::new(),
            in_annotation: false,
            loops: Vec::new(),
            left: BTreeSet::new(),
            allocas: Vec::new(),
            allocas_seen: 0,
            shadowed: BTreeSet::new(),
            labels: BTreeMap::new(),
        }
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
    pub fn temporary(&mut self, sort: &str) -> String {
        let name = format!("t~{}", self.temporaries.len() + 1);
        self.temporaries.push((name.clone(), sort.to_owned()));
        name
    }

    /// The same value, small enough to be written twice.
    pub fn named(&mut self, text: Text) -> Text {
        self.named_as(text, "int")
    }

    /// As [`Body::named`], for a value of some sort.
    pub fn named_as(&mut self, text: Text, sort: &str) -> Text {
        if text.is_small() {
            return text;
        }
        let name = self.temporary(sort);
        self.out.line(format_args!("{name} := {text};"));
        Text::atom(name)
    }

    /// An arbitrary value of an integer type.
    pub fn anything(&mut self, ty: IntType) -> Text {
        let sort = self.enc.int_sort(ty.bits);
        let name = self.temporary(&sort);
        self.out.line(format_args!("havoc {name};"));
        let text = Text::atom(name);
        self.assume_range(&text, ty);
        text
    }

    /// Integers are in the range of their type.
    pub fn assume_range(&mut self, text: &Text, ty: IntType) {
        if self.bits() {
            return;
        }
        let (low, high) = range(ty);
        self.assume_between(text, &low, &high);
    }

    /// An integer (with the math encoding) is between two numbers.
    pub fn assume_between(&mut self, text: &Text, low: &BigInt, high: &BigInt) {
        let low = Text::int(low.clone()).compare("<=", text);
        let high = text.compare("<=", &Text::int(high.clone()));
        self.assume(&low.and(&high));
    }

    /// Runs without this do not count (where the guard holds).
    pub fn assume(&mut self, condition: &Text) {
        let condition = self.guarded(condition);
        if condition.as_truth() != Some(true) {
            self.out.line(format_args!("assume {condition};"));
        }
    }

    /// What must hold, in words that say what is violated else (where the guard holds).
    pub fn assert(&mut self, condition: &Text, message: &str) {
        let condition = self.guarded(condition);
        if condition.as_truth() != Some(true) {
            self.out
                .line(format_args!("assert {{:msg \"{message}\"}} {condition};"));
        }
    }

    fn guarded(&self, condition: &Text) -> Text {
        let all = self
            .guard
            .iter()
            .fold(Text::truth(true), |all, part| all.and(part));
        all.implies(condition)
    }

    /// Evaluates something that is only evaluated if a condition holds.
    pub fn under<T>(&mut self, condition: Text, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        self.guard.push(condition);
        let result = evaluate(self);
        self.guard.pop();
        result
    }

    /// Something not covered: if it can be reached, nobody knows.
    pub fn unsupported(&mut self, what: &str) {
        let condition = self.guarded(&Text::truth(false));
        if condition.as_truth() != Some(true) {
            self.out.line(format_args!(
                "assert {{:unsupported \"{what}\"}} {condition};"
            ));
        }
    }

    /// Where a condition holds, some work that allows more than the program does: a proof counts, but no run that gets there.
    pub fn approximated(&mut self, condition: &Text, what: &str, work: impl FnOnce(&mut Self)) {
        let guard = std::mem::take(&mut self.guard);
        let all = guard
            .iter()
            .fold(condition.clone(), |all, part| part.and(&all));
        if all.as_truth() != Some(false) {
            self.out.open(format_args!("if ({all}) {{"));
            self.out
                .line(format_args!("assume {{:approximated \"{what}\"}} true;"));
            work(self);
            self.out.close("}");
        }
        self.guard = guard;
    }

    /// A condition without which behaviour is undefined: a violation, if that is asked for; else
    /// runs without it do not count.
    pub fn require(&mut self, what: Undefined, condition: Text) {
        let properties = &self.enc.options.properties;
        let (checked, message) = match what {
            Undefined::Overflow => (properties.overflow, "signed overflow"),
            Undefined::Division => (properties.division, "division by zero"),
            Undefined::Shift => (properties.shift, "shift by a negative or too large number"),
            Undefined::SignedShiftLeft => (
                properties.shift || properties.overflow,
                "shift by a negative or too large number",
            ),
            Undefined::Conversion => (false, ""),
            Undefined::Dereference => (properties.dereference, "invalid dereference"),
            Undefined::Read => (properties.uninitialised, "read of what was not written"),
        };
        if self.in_annotation {
            // Annotations speak about mathematical integers: nothing is undefined in them.
            self.under(condition.not(), |body| {
                body.unsupported("an overflow or the like in an annotation");
            });
        } else if checked {
            self.assert(&condition, message);
        } else {
            self.enc.assumed.insert(what as u8);
            self.assume(&condition);
        }
    }

    /// Notes a place for what follows.
    pub fn at(&mut self, span: Span) {
        self.out.at(span);
    }

    /// An operation on bit-vectors.
    pub fn bit_binary(&mut self, operation: &str, bits: u32, a: &Text, b: &Text) -> Text {
        let sort = format!("bv{bits}");
        let name = format!("{operation}{bits}");
        self.bit_function(&name, operation, &[sort.clone(), sort.clone()], &sort);
        Text::call(&name, &[a, b])
    }

    /// An operation on one bit-vector.
    pub fn bit_unary(&mut self, operation: &str, bits: u32, a: &Text) -> Text {
        let sort = format!("bv{bits}");
        let name = format!("{operation}{bits}");
        self.bit_function(&name, operation, std::slice::from_ref(&sort), &sort);
        Text::call(&name, &[a])
    }

    /// A relation between bit-vectors.
    pub fn bit_relation(&mut self, operation: &str, bits: u32, a: &Text, b: &Text) -> Text {
        let sort = format!("bv{bits}");
        let name = format!("{operation}{bits}");
        self.bit_function(&name, operation, &[sort.clone(), sort], "bool");
        Text::call(&name, &[a, b])
    }

    /// Declares a function that the solver knows.
    pub fn bit_function(&mut self, name: &str, builtin: &str, params: &[String], result: &str) {
        self.enc
            .declare_builtin("bvbuiltin", name, builtin, params, result);
    }
}

/// Values in Boogie.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer.
    Number(Number),
    /// A pointer.
    Pointer(Pointer),
    /// A floating number.
    Float(FloatType, Text),
    /// Of type `void`.
    Nothing,
}

/// A pointer in Boogie: an object and an offset in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The number of the object, an `int`; 0 is none, functions have negative numbers.
    pub base: Text,
    /// In bytes, a number of the width of pointers in the encoding of integers.
    pub offset: Text,
}

/// One Boogie variable for each part of a value of a scalar type: how its name ends, and its type.
pub fn parts(enc: &Encoder<'_>, ty: &Type) -> Vec<(&'static str, String)> {
    match ty {
        Type::Pointer(_) | Type::Function(_) => vec![
            (".base", "int".to_owned()),
            (".offset", enc.int_sort(enc.program.model.word())),
        ],
        Type::Float(float) => vec![("", super::float::sort(*float))],
        other => {
            let bits = other.integer().map_or(32, |int| int.bits);
            vec![("", enc.int_sort(bits))]
        }
    }
}
