//! Floating-point numbers: the solver's IEEE arithmetic, rounding to nearest (ties to even), or as the program says where it
//! calls `fesetround`.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::body::Body;
use super::math::ROUNDING;
use super::number::{Number, range};
use crate::ir::{BinaryOp, CompareOp};
use crate::types::{FloatType, IntType};
use crate::undefined::Undefined;
use ult_lang::build::Term;
use ult_lang::hir::{FloatLiteral, Type as Sort};

/// The Boogie type.
pub fn sort(float: FloatType) -> Sort {
    let (significand, exponent) = float.format();
    Sort::Float {
        significand,
        exponent,
    }
}

/// What is no number.
pub fn nan(float: FloatType) -> Term {
    let (significand, exponent) = float.format();
    Term::special_float(FloatLiteral::NaN, significand, exponent)
}

/// An infinity.
pub fn infinity(float: FloatType, negative: bool) -> Term {
    let (significand, exponent) = float.format();
    let value = FloatLiteral::Infinity { negative };
    Term::special_float(value, significand, exponent)
}

/// A literal; without a value the infinity. `None` for what is no number of the format.
pub fn literal(float: FloatType, value: Option<&BigRational>) -> Option<Term> {
    let (significand, exponent) = float.format();
    match value {
        Some(value) => Term::float(value, significand, exponent),
        None => Some(infinity(float, false)),
    }
}

/// A literal for an integer; `None` if the format does not have it.
fn exact(float: FloatType, value: &BigInt) -> Option<Term> {
    let (significand, exponent) = float.format();
    let zeros = value.trailing_zeros().unwrap_or(0);
    let fits =
        value.bits() - zeros <= u64::from(significand) && value.bits() <= 1 << (exponent - 1);
    fits.then(|| literal(float, Some(&value.clone().into())))?
}

impl Body<'_, '_> {
    fn float_function(
        &mut self,
        name: &str,
        builtin: &str,
        arguments: &[&Term],
        result: &Sort,
    ) -> Term {
        self.enc
            .solver_function(name, ("builtin", builtin), arguments, result)
    }

    /// A function of floating-point numbers of one type that does not round.
    pub fn float_plain(
        &mut self,
        float: FloatType,
        name: &str,
        builtin: &str,
        arguments: &[&Term],
    ) -> Term {
        let name = self.float_name(name, float);
        self.float_function(&name, builtin, arguments, &sort(float))
    }

    /// A function of floating-point numbers of one type that rounds to nearest, whatever the program says: its result is exact.
    pub fn float_exact(
        &mut self,
        float: FloatType,
        name: &str,
        builtin: &str,
        arguments: &[&Term],
    ) -> Term {
        self.float_plain(float, name, &format!("{builtin} RNE"), arguments)
    }

    /// A question about a floating-point number.
    pub fn float_test(&mut self, float: FloatType, name: &str, builtin: &str, a: &Term) -> Term {
        let name = self.float_name(name, float);
        self.float_function(&name, builtin, &[a], &Sort::Bool)
    }

    /// A function of floating-point numbers of one type that rounds.
    pub fn float_rounded(
        &mut self,
        float: FloatType,
        name: &str,
        builtin: &str,
        arguments: &[&Term],
    ) -> Term {
        let name = self.float_name(name, float);
        self.rounding_function(&name, builtin, arguments, &sort(float))
    }

    /// Rounds to an integer, in the same type, by one mode always.
    pub fn float_integral(&mut self, float: FloatType, mode: &str, a: &Term) -> Term {
        let name = format!("fround{mode}");
        self.float_plain(float, &name, &format!("fp.roundToIntegral {mode}"), &[a])
    }

    /// A function that rounds by the mode of the program.
    fn rounding_function(
        &mut self,
        name: &str,
        builtin: &str,
        arguments: &[&Term],
        result: &Sort,
    ) -> Term {
        if !self.enc.rounding {
            let builtin = format!("{builtin} RNE");
            return self.float_function(name, &builtin, arguments, result);
        }
        let mode = self.var(ROUNDING);
        let arguments: Vec<&Term> = std::iter::once(&mode)
            .chain(arguments.iter().copied())
            .collect();
        // The mode may change before the value is used.
        let value = self.float_function(name, builtin, &arguments, result);
        self.named(value)
    }

    fn float_name(&self, operation: &str, float: FloatType) -> String {
        let (significand, exponent) = float.format();
        format!("{operation}{}", significand + exponent)
    }

    /// `-a`
    pub fn float_negated(&mut self, float: FloatType, a: &Term) -> Term {
        let name = self.float_name("fneg", float);
        self.float_function(&name, "fp.neg", &[a], &sort(float))
    }

    /// An operation; `None` if there is none for floating-point numbers.
    pub fn float_binary(
        &mut self,
        float: FloatType,
        op: BinaryOp,
        a: &Term,
        b: &Term,
    ) -> Option<Term> {
        let (name, builtin) = match op {
            BinaryOp::Add => ("fadd", "fp.add"),
            BinaryOp::Subtract => ("fsub", "fp.sub"),
            BinaryOp::Multiply => ("fmul", "fp.mul"),
            BinaryOp::Divide => ("fdiv", "fp.div"),
            _ => return None,
        };
        Some(self.float_rounded(float, name, builtin, &[a, b]))
    }

    /// A comparison: of what is no number, all but `!=` are false.
    pub fn float_compare(&mut self, float: FloatType, op: CompareOp, a: &Term, b: &Term) -> Term {
        let (name, builtin, a, b) = match op {
            CompareOp::Equal | CompareOp::NotEqual => ("feq", "fp.eq", a, b),
            CompareOp::Less => ("flt", "fp.lt", a, b),
            CompareOp::LessEqual => ("fle", "fp.leq", a, b),
            CompareOp::Greater => ("flt", "fp.lt", b, a),
            CompareOp::GreaterEqual => ("fle", "fp.leq", b, a),
        };
        let name = self.float_name(name, float);
        let term = self.float_function(&name, builtin, &[a, b], &Sort::Bool);
        match op {
            CompareOp::NotEqual => term.not(),
            _ => term,
        }
    }

    /// A floating-point number in another format.
    pub fn float_of_float(&mut self, to: FloatType, from: FloatType, a: &Term) -> Term {
        if to == from {
            return a.clone();
        }
        let (significand, exponent) = to.format();
        let name = format!(
            "f{}to{}",
            from.format().0 + from.format().1,
            significand + exponent
        );
        let builtin = format!("(_ to_fp {exponent} {significand})");
        self.rounding_function(&name, &builtin, &[a], &sort(to))
    }

    /// An integer as a floating-point number.
    pub fn float_of_number(&mut self, to: FloatType, number: &Number) -> Term {
        if let Some(value) = number.constant()
            && value.bits() < u64::from(to.format().0)
            && let Some(term) = literal(to, Some(&value.clone().into()))
        {
            return term;
        }
        let (significand, exponent) = to.format();
        if !self.bits() {
            let real = number.term.int_to_real();
            let name = self.float_name("realtof", to);
            let builtin = format!("(_ to_fp {exponent} {significand})");
            return self.rounding_function(&name, &builtin, &[&real], &sort(to));
        }
        let (sign, operation) = match number.ty.signed {
            true => ("s", "to_fp"),
            false => ("u", "to_fp_unsigned"),
        };
        let name = self.float_name(&format!("{sign}bv{}tof", number.ty.bits), to);
        let builtin = format!("(_ {operation} {exponent} {significand})");
        self.rounding_function(&name, &builtin, &[&number.term], &sort(to))
    }

    /// A floating-point number rounded towards zero. What does not fit is undefined (C11 6.3.1.4).
    pub fn number_of_float(&mut self, from: FloatType, a: &Term, to: IntType) -> Number {
        let a = self.named(a.clone());
        let (least, greatest) = range(to);
        // Whatever rounds into the range fits; NaN is in no order.
        let below = BigInt::from(1);
        let low = match exact(from, &(&least - &below)) {
            Some(bound) => self.float_compare(from, CompareOp::Less, &bound, &a),
            // No number of the format lies between.
            None => {
                let bound = exact(from, &least).unwrap_or_else(|| infinity(from, true));
                self.float_compare(from, CompareOp::LessEqual, &bound, &a)
            }
        };
        // A power of two.
        let bound = exact(from, &(greatest + below)).unwrap_or_else(|| infinity(from, false));
        let high = self.float_compare(from, CompareOp::Less, &a, &bound);
        self.require(Undefined::Conversion, low.and(&high));
        if self.bits() {
            let (sign, operation) = match to.signed {
                true => ("s", "fp.to_sbv"),
                false => ("u", "fp.to_ubv"),
            };
            let name = self.float_name(&format!("fto{sign}bv{}of", to.bits), from);
            let builtin = format!("(_ {operation} {}) RTZ", to.bits);
            let term = self.float_function(&name, &builtin, &[&a], &Sort::BitVec(to.bits));
            return Number::new(term, to);
        }
        let name = self.float_name("ftoreal", from);
        let real = self.float_function(&name, "fp.to_real", &[&a], &Sort::Real);
        let real = self.named(real);
        let down = real.real_to_int();
        let up = real.negate().real_to_int().negate();
        let term = real.at_least(&Term::real(0)).choose(&down, &up);
        let number = Number::new(self.named(term), to);
        self.assume_range(&number.term.clone(), to);
        number
    }

    /// The floating-point number with these bits.
    pub fn float_of_bits(&mut self, float: FloatType, bits: &Term) -> Term {
        let (significand, exponent) = float.format();
        let name = self.float_name("fofbits", float);
        let builtin = format!("(_ to_fp {exponent} {significand})");
        self.float_function(&name, &builtin, &[bits], &sort(float))
    }

    /// The bits of a floating-point number (of what is no number: some).
    pub fn bits_of_float(&mut self, float: FloatType, term: Term) -> Number {
        let (significand, exponent) = float.format();
        let bits = significand + exponent;
        let ty = IntType {
            bits,
            signed: false,
        };
        let number = Number::new(self.anything(ty), ty);
        let back = self.float_of_bits(float, &number.term);
        let same = back.equals(&term);
        self.assume(&same);
        number
    }
}
