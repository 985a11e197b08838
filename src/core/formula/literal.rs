//! Literals: values as terms, and terms that are values.

use std::sync::Arc;

use super::float::{self, Float, Mode};
use super::sort::Sort;
use super::term::{Builtin, Op, Term, Terms};
use super::value::Value;

impl Terms {
    /// A floating-point number: `NaN`, `+oo`, `-oo`, or its bits in the three parts of `fp`.
    pub fn float(&self, value: &Float) -> Term {
        let format = value.format();
        let (exponent, significand) = (format.exponent(), format.significand());
        let builtin = |name: &str, indices: &[u32]| {
            Arc::new(Builtin {
                name: name.into(),
                indices: indices.to_vec(),
                result: Sort::Float(exponent, significand),
            })
        };
        let special = match (value.is_nan(), value.is_infinite(), value.is_negative()) {
            (true, _, _) => "NaN",
            (_, true, false) => "+oo",
            (_, true, true) => "-oo",
            _ => {
                let bits = value.bits();
                let parts = [
                    self.bitvec(bits >> (format.width() - 1), 1),
                    self.bitvec(bits >> (significand - 1), exponent),
                    self.bitvec(bits.clone(), significand - 1),
                ];
                return self.plain_builtin(builtin("fp", &[]), &parts);
            }
        };
        self.plain_builtin(builtin(special, &[exponent, significand]), &[])
    }

    /// A rounding mode.
    pub fn rounding(&self, mode: Mode) -> Term {
        let builtin = Builtin {
            name: mode.name().into(),
            indices: Vec::new(),
            result: Sort::RoundingMode,
        };
        self.plain_builtin(Arc::new(builtin), &[])
    }

    /// The value of a literal floating-point number or rounding mode.
    pub(super) fn float_value(&self, term: Term) -> Option<Value> {
        let node = self.node(term);
        let Op::Builtin(builtin) = &node.op else {
            return None;
        };
        let args: Vec<Value> = match (&*builtin.name, &*node.args) {
            (_, []) => Vec::new(),
            ("fp", args) => args
                .iter()
                .map(|&arg| match (self.op(arg), self.sort(arg)) {
                    (Op::BitVec(bits), Sort::BitVec(width)) => {
                        Some(Value::BitVec(bits.clone(), *width))
                    }
                    _ => None,
                })
                .collect::<Option<_>>()?,
            _ => return None,
        };
        float::apply(builtin, &args)?.ok()
    }

    /// Of the floating-point number with some bits and a literal: these bits, and those of the literal. The two numbers are equal
    /// exactly if these are. Of NaN, which has many bits, there is no answer.
    pub(super) fn only_bits(&self, number: Term, literal: Term) -> Option<(Term, Term)> {
        let node = self.node(number);
        let (Op::Builtin(builtin), &[bits]) = (&node.op, &*node.args) else {
            return None;
        };
        let Sort::BitVec(width) = *self.sort(bits) else {
            return None;
        };
        let value = self.as_float(literal)?;
        let is_number = &*builtin.name == "to_fp" && node.sort == *self.sort(literal);
        (is_number && value.format().width() == width && !value.is_nan())
            .then(|| (bits, self.bitvec(value.bits().clone(), width)))
    }

    /// The value of a literal floating-point number.
    pub fn as_float(&self, term: Term) -> Option<Float> {
        match self.float_value(term)? {
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a literal of a sort without parts.
    pub fn as_value(&self, term: Term) -> Option<Value> {
        Some(match (self.op(term), self.sort(term)) {
            (Op::Bool(value), _) => Value::Bool(*value),
            (Op::Int(value), _) => Value::Int(value.clone()),
            (Op::Real(value), _) => Value::Real(value.clone()),
            (Op::BitVec(value), Sort::BitVec(width)) => Value::BitVec(value.clone(), *width),
            (Op::Builtin(_), _) => return self.float_value(term),
            _ => return None,
        })
    }

    /// The literal for a value of a sort without parts; `None` for others.
    pub fn plain_value(&self, value: &Value) -> Option<Term> {
        Some(match value {
            Value::Bool(value) => self.bool(*value),
            Value::Int(value) => self.int(value.clone()),
            Value::Real(value) => self.real(value.clone()),
            Value::BitVec(value, width) => self.bitvec(value.clone(), *width),
            Value::Float(value) => self.float(value),
            Value::Rounding(mode) => self.rounding(*mode),
            Value::Element(..) | Value::Map(_) | Value::Construct(_) | Value::Open => return None,
        })
    }
}
