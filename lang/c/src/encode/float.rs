//! Floating numbers: the solver's IEEE arithmetic, rounding to nearest (ties to even), or as the program says where it
//! calls `fesetround`.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, ToPrimitive as _};

use super::body::{Body, Undefined};
use super::math::ROUNDING;
use super::number::{Number, range};
use super::text::Text;
use crate::ir::{BinaryOp, CompareOp};
use crate::types::{FloatType, IntType};

/// The Boogie type.
pub fn sort(float: FloatType) -> String {
    let (significand, exponent) = float.format();
    format!("float{significand}e{exponent}")
}

/// `nan`, or an infinity: `+oo`, `-oo`.
pub fn constant(float: FloatType, name: &str) -> Text {
    let (significand, exponent) = float.format();
    Text::atom(format!("0{name}{significand}e{exponent}"))
}

/// A literal; without a value the infinity. `None` for what is no number of the format.
pub fn literal(float: FloatType, value: Option<&BigRational>) -> Option<Text> {
    let (significand, exponent) = float.format();
    let Some(value) = value else {
        return Some(constant(float, "+oo"));
    };
    let mut numerator = value.numer().clone();
    let mut power: i64 = 0;
    // The denominator is a power of two; make it one of sixteen.
    let shift = value.denom().bits().saturating_sub(1);
    if value.denom() != &(BigInt::one() << shift) {
        return None;
    }
    let digits = shift.div_ceil(4);
    numerator <<= digits * 4 - shift;
    power -= digits.to_i64()?;
    let sign = if numerator.is_negative() { "-" } else { "" };
    let magnitude = numerator.abs().to_str_radix(16);
    Some(Text::atom(format!(
        "{sign}0x{magnitude}.0e{power}f{significand}e{exponent}"
    )))
}

/// A literal for an integer; `None` if the format does not have it.
fn exact(float: FloatType, value: &BigInt) -> Option<Text> {
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
        params: &[String],
        result: &str,
        arguments: &[&Text],
    ) -> Text {
        self.enc
            .declare_builtin("builtin", name, builtin, params, result);
        Text::call(name, arguments)
    }

    /// A function of floating numbers of one type that does not round.
    pub fn float_plain(
        &mut self,
        float: FloatType,
        name: &str,
        builtin: &str,
        arguments: &[&Text],
    ) -> Text {
        let name = self.float_name(name, float);
        let sort = sort(float);
        let params = vec![sort.clone(); arguments.len()];
        self.float_function(&name, builtin, &params, &sort, arguments)
    }

    /// A function of floating numbers of one type that rounds to nearest, whatever the program says: its result is exact.
    pub fn float_exact(
        &mut self,
        float: FloatType,
        name: &str,
        builtin: &str,
        arguments: &[&Text],
    ) -> Text {
        self.float_plain(float, name, &format!("{builtin} RNE"), arguments)
    }

    /// A question about a floating number.
    pub fn float_test(&mut self, float: FloatType, name: &str, builtin: &str, a: &Text) -> Text {
        let name = self.float_name(name, float);
        self.float_function(&name, builtin, &[sort(float)], "bool", &[a])
    }

    /// A function of floating numbers of one type that rounds.
    pub fn float_rounded(
        &mut self,
        float: FloatType,
        name: &str,
        builtin: &str,
        arguments: &[&Text],
    ) -> Text {
        let name = self.float_name(name, float);
        let params = vec![sort(float); arguments.len()];
        self.rounding_function(&name, builtin, &params, &sort(float), arguments)
    }

    /// Rounds to an integer, in the same type, by one mode always.
    pub fn float_integral(&mut self, float: FloatType, mode: &str, a: &Text) -> Text {
        let name = format!("fround{mode}");
        self.float_plain(float, &name, &format!("fp.roundToIntegral {mode}"), &[a])
    }

    /// A function that rounds by the mode of the program.
    fn rounding_function(
        &mut self,
        name: &str,
        builtin: &str,
        params: &[String],
        result: &str,
        arguments: &[&Text],
    ) -> Text {
        if !self.enc.rounding {
            let builtin = format!("{builtin} RNE");
            return self.float_function(name, &builtin, params, result, arguments);
        }
        let mode = Text::atom(ROUNDING);
        let params: Vec<String> = std::iter::once("rmode".to_owned())
            .chain(params.iter().cloned())
            .collect();
        let arguments: Vec<&Text> = std::iter::once(&mode)
            .chain(arguments.iter().copied())
            .collect();
        // The mode may change before the value is used.
        let value = self.float_function(name, builtin, &params, result, &arguments);
        self.named_as(value, result)
    }

    fn float_name(&self, operation: &str, float: FloatType) -> String {
        let (significand, exponent) = float.format();
        format!("{operation}{}", significand + exponent)
    }

    /// `-a`
    pub fn float_negated(&mut self, float: FloatType, a: &Text) -> Text {
        let name = self.float_name("fneg", float);
        let sort = sort(float);
        self.float_function(&name, "fp.neg", std::slice::from_ref(&sort), &sort, &[a])
    }

    /// An operation; `None` if there is none for floating numbers.
    pub fn float_binary(
        &mut self,
        float: FloatType,
        op: BinaryOp,
        a: &Text,
        b: &Text,
    ) -> Option<Text> {
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
    pub fn float_compare(&mut self, float: FloatType, op: CompareOp, a: &Text, b: &Text) -> Text {
        let (name, builtin, a, b) = match op {
            CompareOp::Equal | CompareOp::NotEqual => ("feq", "fp.eq", a, b),
            CompareOp::Less => ("flt", "fp.lt", a, b),
            CompareOp::LessEqual => ("fle", "fp.leq", a, b),
            CompareOp::Greater => ("flt", "fp.lt", b, a),
            CompareOp::GreaterEqual => ("fle", "fp.leq", b, a),
        };
        let name = self.float_name(name, float);
        let sort = sort(float);
        let text = self.float_function(&name, builtin, &[sort.clone(), sort], "bool", &[a, b]);
        match op {
            CompareOp::NotEqual => text.not(),
            _ => text,
        }
    }

    /// A floating number in another format.
    pub fn float_of_float(&mut self, to: FloatType, from: FloatType, a: &Text) -> Text {
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
        self.rounding_function(&name, &builtin, &[sort(from)], &sort(to), &[a])
    }

    /// An integer as a floating number.
    pub fn float_of_number(&mut self, to: FloatType, number: &Number) -> Text {
        if let Some(value) = number.constant()
            && value.bits() < u64::from(to.format().0)
            && let Some(text) = literal(to, Some(&value.clone().into()))
        {
            return text;
        }
        let (significand, exponent) = to.format();
        if !self.bits() {
            let real = Text::call("real", &[&number.text]);
            let name = self.float_name("realtof", to);
            let builtin = format!("(_ to_fp {exponent} {significand})");
            return self.rounding_function(&name, &builtin, &["real".into()], &sort(to), &[&real]);
        }
        let (sign, operation) = match number.ty.signed {
            true => ("s", "to_fp"),
            false => ("u", "to_fp_unsigned"),
        };
        let name = self.float_name(&format!("{sign}bv{}tof", number.ty.bits), to);
        let builtin = format!("(_ {operation} {exponent} {significand})");
        let params = [format!("bv{}", number.ty.bits)];
        self.rounding_function(&name, &builtin, &params, &sort(to), &[&number.text])
    }

    /// A floating number rounded towards zero. What does not fit is undefined (C11 6.3.1.4).
    pub fn number_of_float(&mut self, from: FloatType, a: &Text, to: IntType) -> Number {
        let a = self.named_as(a.clone(), &sort(from));
        let (least, greatest) = range(to);
        // Whatever rounds into the range fits; NaN is in no order.
        let below = BigInt::from(1);
        let low = match exact(from, &(&least - &below)) {
            Some(bound) => self.float_compare(from, CompareOp::Less, &bound, &a),
            // No number of the format lies between.
            None => {
                let bound = exact(from, &least).unwrap_or_else(|| constant(from, "-oo"));
                self.float_compare(from, CompareOp::LessEqual, &bound, &a)
            }
        };
        // A power of two.
        let bound = exact(from, &(greatest + below)).unwrap_or_else(|| constant(from, "+oo"));
        let high = self.float_compare(from, CompareOp::Less, &a, &bound);
        self.require(Undefined::Conversion, low.and(&high));
        if self.bits() {
            let (sign, operation) = match to.signed {
                true => ("s", "fp.to_sbv"),
                false => ("u", "fp.to_ubv"),
            };
            let name = self.float_name(&format!("fto{sign}bv{}of", to.bits), from);
            let builtin = format!("(_ {operation} {}) RTZ", to.bits);
            let result = format!("bv{}", to.bits);
            let text = self.float_function(&name, &builtin, &[sort(from)], &result, &[&a]);
            return Number::new(text, to);
        }
        let name = self.float_name("ftoreal", from);
        let real = self.float_function(&name, "fp.to_real", &[sort(from)], "real", &[&a]);
        let real = self.named_as(real, "real");
        let down = Text::call("int", &[&real]);
        let up = Text::call("int", &[&real.negate()]).negate();
        let text = real.compare(">=", &Text::atom("0.0")).choose(&down, &up);
        let number = Number::new(self.named(text), to);
        self.assume_range(&number.text.clone(), to);
        number
    }

    /// The floating number with these bits.
    pub fn float_of_bits(&mut self, float: FloatType, bits: &Text) -> Text {
        let (significand, exponent) = float.format();
        let name = self.float_name("fofbits", float);
        let builtin = format!("(_ to_fp {exponent} {significand})");
        let params = [format!("bv{}", significand + exponent)];
        self.float_function(&name, &builtin, &params, &sort(float), &[bits])
    }

    /// The bits of a floating number (of what is no number: some).
    pub fn bits_of_float(&mut self, float: FloatType, text: Text) -> Number {
        let (significand, exponent) = float.format();
        let bits = significand + exponent;
        let ty = IntType {
            bits,
            signed: false,
        };
        let number = Number::new(self.anything(ty), ty);
        let back = self.float_of_bits(float, &number.text);
        let same = back.equals(&text);
        self.assume(&same);
        number
    }
}
