//! Floating point: the functions that SMT-LIB knows by name, to the solver and back, and values.

use std::str::FromStr as _;
use std::sync::Arc;

use num_bigint::BigUint;
use z3_sys::DeclKind;

use super::answer::Failure;
use super::encode::Maps;
use super::raw::{Ast, FloatLiteral, Sort as RawSort};
use super::session::Session;
use ult_core::formula::{Builtin, Float, Format, Mode, Sort, Term, Terms};

/// The number that a literal of the solver stands for; `None` for what is no literal of the
/// format.
pub(super) fn float(ast: &Ast, format: Format) -> Result<Option<Float>, Failure> {
    if ast.sort()?.float_format().ok() != Some((format.exponent(), format.significand())) {
        return Ok(None);
    }
    Ok(match ast.float()? {
        None => None,
        Some(FloatLiteral::Nan) => Some(Float::nan(format)),
        Some(FloatLiteral::Infinity { negative }) => Some(Float::infinity(format, negative)),
        Some(FloatLiteral::Zero { negative }) => Some(Float::zero(format, negative)),
        Some(FloatLiteral::Number {
            negative,
            exponent,
            significand,
        }) => {
            let part = |ast: &Ast, width: u32| {
                let digits = ast.digits()?;
                let value = BigUint::from_str(&digits).ok()?;
                (value.bits() <= u64::from(width)).then_some(value)
            };
            let stored = format.significand() - 1;
            let exponent = part(&exponent, format.exponent());
            exponent.zip(part(&significand, stored)).map(|(e, s)| {
                let sign = BigUint::from(u8::from(negative));
                let bits = (((sign << format.exponent()) | e) << stored) | s;
                Float::from_bits(format, &bits)
            })
        }
    })
}

/// The rounding mode that a constant of the solver stands for.
pub(super) fn rounding(kind: u32) -> Option<Mode> {
    const MODES: [(DeclKind, Mode); 5] = [
        (DeclKind::FpaRmNearestTiesToEven, Mode::NearestEven),
        (DeclKind::FpaRmNearestTiesToAway, Mode::NearestAway),
        (DeclKind::FpaRmTowardPositive, Mode::TowardPositive),
        (DeclKind::FpaRmTowardNegative, Mode::TowardNegative),
        (DeclKind::FpaRmTowardZero, Mode::TowardZero),
    ];
    let found = MODES.iter().find(|(other, _)| *other as u32 == kind);
    found.map(|(_, mode)| *mode)
}

/// The term for an operator of the solver on floating-point numbers; `None` if it is none that is
/// known, or the arguments do not fit. `result` is the sort of the whole.
pub(super) fn decoded(terms: &Terms, kind: u32, args: &[Term], result: &Sort) -> Option<Term> {
    /// Name, and how many arguments.
    const FUNCTIONS: &[(DeclKind, &str, usize)] = &[
        (DeclKind::FpaAdd, "fp.add", 3),
        (DeclKind::FpaSub, "fp.sub", 3),
        (DeclKind::FpaNeg, "fp.neg", 1),
        (DeclKind::FpaMul, "fp.mul", 3),
        (DeclKind::FpaDiv, "fp.div", 3),
        (DeclKind::FpaRem, "fp.rem", 2),
        (DeclKind::FpaAbs, "fp.abs", 1),
        (DeclKind::FpaMin, "fp.min", 2),
        (DeclKind::FpaMax, "fp.max", 2),
        (DeclKind::FpaFma, "fp.fma", 4),
        (DeclKind::FpaSqrt, "fp.sqrt", 2),
        (DeclKind::FpaRoundToIntegral, "fp.roundToIntegral", 2),
        (DeclKind::FpaEq, "fp.eq", 2),
        (DeclKind::FpaLt, "fp.lt", 2),
        (DeclKind::FpaGt, "fp.gt", 2),
        (DeclKind::FpaLe, "fp.leq", 2),
        (DeclKind::FpaGe, "fp.geq", 2),
        (DeclKind::FpaIsNan, "fp.isNaN", 1),
        (DeclKind::FpaIsInf, "fp.isInfinite", 1),
        (DeclKind::FpaIsZero, "fp.isZero", 1),
        (DeclKind::FpaIsNormal, "fp.isNormal", 1),
        (DeclKind::FpaIsSubnormal, "fp.isSubnormal", 1),
        (DeclKind::FpaIsNegative, "fp.isNegative", 1),
        (DeclKind::FpaIsPositive, "fp.isPositive", 1),
    ];
    let Some((_, name, arity)) = FUNCTIONS.iter().find(|(k, ..)| *k as u32 == kind) else {
        return converted(terms, kind, args, result);
    };
    let rounded = *arity > 2 || matches!(*name, "fp.sqrt" | "fp.roundToIntegral");
    let (modes, floats) = args.split_at_checked(usize::from(rounded))?;
    let format = terms.sort(*floats.first()?);
    let fits = args.len() == *arity
        && modes.iter().all(|&m| *terms.sort(m) == Sort::RoundingMode)
        && matches!(format, Sort::Float(..))
        && floats.iter().all(|&f| terms.sort(f) == format)
        && (result == format || *result == Sort::Bool);
    let builtin = Builtin {
        name: (*name).into(),
        indices: Vec::new(),
        result: result.clone(),
    };
    fits.then(|| terms.builtin(&Arc::new(builtin), args))
}

impl Session<'_> {
    /// The application of a function known to SMT-LIB by name.
    pub(super) fn encode_builtin(
        &self,
        maps: Maps,
        builtin: &Builtin,
        args: &[Ast],
    ) -> Result<Ast, Failure> {
        let context = self.context()?;
        let unsupported = || {
            let indices: String = builtin.indices.iter().map(|i| format!(" {i}")).collect();
            Failure::Unsupported(format!("the function `{}{indices}`", builtin.name))
        };
        // The float sort of the result; indices, where given, must agree with it.
        let float = || -> Result<RawSort, Failure> {
            match &builtin.result {
                Sort::Float(e, s) if builtin.indices.is_empty() || builtin.indices == [*e, *s] => {
                    self.encode_sort(maps, &builtin.result)
                }
                _ => Err(unsupported()),
            }
        };
        if !builtin.indices.is_empty()
            && !matches!(
                &*builtin.name,
                "+oo"
                    | "-oo"
                    | "+zero"
                    | "-zero"
                    | "NaN"
                    | "to_fp"
                    | "to_fp_unsigned"
                    | "fp.to_ubv"
                    | "fp.to_sbv"
            )
        {
            return Err(unsupported());
        }
        let ast = match (&*builtin.name, args) {
            ("RNE" | "roundNearestTiesToEven", []) => context.rne()?,
            ("RNA" | "roundNearestTiesToAway", []) => context.rna()?,
            ("RTP" | "roundTowardPositive", []) => context.rtp()?,
            ("RTN" | "roundTowardNegative", []) => context.rtn()?,
            ("RTZ" | "roundTowardZero", []) => context.rtz()?,
            ("+oo", []) => context.fp_infinity(&float()?, false)?,
            ("-oo", []) => context.fp_infinity(&float()?, true)?,
            ("+zero", []) => context.fp_zero(&float()?, false)?,
            ("-zero", []) => context.fp_zero(&float()?, true)?,
            ("NaN", []) => context.fp_nan(&float()?)?,
            ("fp", [sign, exponent, significand]) => {
                context.fp_make(sign, exponent, significand)?
            }
            ("fp.abs", [x]) => context.fp_abs(x)?,
            ("fp.neg", [x]) => context.fp_neg(x)?,
            ("fp.add", [rm, x, y]) => context.fp_add(rm, x, y)?,
            ("fp.sub", [rm, x, y]) => context.fp_sub(rm, x, y)?,
            ("fp.mul", [rm, x, y]) => context.fp_mul(rm, x, y)?,
            ("fp.div", [rm, x, y]) => context.fp_div(rm, x, y)?,
            ("fp.fma", [rm, x, y, z]) => context.fp_fma([rm, x, y, z])?,
            ("fp.sqrt", [rm, x]) => context.fp_sqrt(rm, x)?,
            ("fp.rem", [x, y]) => context.fp_rem(x, y)?,
            ("fp.roundToIntegral", [rm, x]) => context.fp_round(rm, x)?,
            ("fp.min", [x, y]) => context.fp_min(x, y)?,
            ("fp.max", [x, y]) => context.fp_max(x, y)?,
            ("fp.leq", [x, y]) => context.fp_leq(x, y)?,
            ("fp.lt", [x, y]) => context.fp_lt(x, y)?,
            ("fp.geq", [x, y]) => context.fp_geq(x, y)?,
            ("fp.gt", [x, y]) => context.fp_gt(x, y)?,
            ("fp.eq", [x, y]) => context.fp_eq(x, y)?,
            ("fp.isNormal", [x]) => context.fp_is_normal(x)?,
            ("fp.isSubnormal", [x]) => context.fp_is_subnormal(x)?,
            ("fp.isZero", [x]) => context.fp_is_zero(x)?,
            ("fp.isInfinite", [x]) => context.fp_is_infinite(x)?,
            ("fp.isNaN", [x]) => context.fp_is_nan(x)?,
            ("fp.isNegative", [x]) => context.fp_is_negative(x)?,
            ("fp.isPositive", [x]) => context.fp_is_positive(x)?,
            ("to_fp", [bits]) => context.fp_from_bits(bits, &float()?)?,
            ("to_fp", [rm, x]) => context.fp_round_from(rm, x, &float()?, true)?,
            ("to_fp_unsigned", [rm, x]) => context.fp_round_from(rm, x, &float()?, false)?,
            ("fp.to_ubv", [rm, x]) => match builtin.indices[..] {
                [width] => context.fp_to_bits(rm, x, width, false)?,
                _ => return Err(unsupported()),
            },
            ("fp.to_sbv", [rm, x]) => match builtin.indices[..] {
                [width] => context.fp_to_bits(rm, x, width, true)?,
                _ => return Err(unsupported()),
            },
            ("fp.to_real", [x]) => context.fp_to_real(x)?,
            _ => return Err(unsupported()),
        };
        // A wrong claim about the result sort must not go further.
        if ast.sort()?.id() != self.encode_sort(maps, &builtin.result)?.id() {
            return Err(unsupported());
        }
        Ok(ast)
    }
}

/// As [`decoded`], for the operators between sorts.
fn converted(terms: &Terms, kind: u32, args: &[Term], result: &Sort) -> Option<Term> {
    let is = |k: DeclKind| kind == k as u32;
    let sorts: Vec<&Sort> = args.iter().map(|&arg| terms.sort(arg)).collect();
    let (name, indices) = match (&sorts[..], result) {
        (
            [Sort::BitVec(1), Sort::BitVec(e), Sort::BitVec(s)],
            Sort::Float(exponent, significand),
        ) if is(DeclKind::FpaFp) && e == exponent && s.checked_add(1)? == *significand => {
            ("fp", Vec::new())
        }
        ([Sort::BitVec(width)], Sort::Float(e, s))
            if is(DeclKind::FpaToFp) && *width == e.checked_add(*s)? =>
        {
            ("to_fp", vec![*e, *s])
        }
        (
            [
                Sort::RoundingMode,
                Sort::Float(..) | Sort::Real | Sort::BitVec(_),
            ],
            Sort::Float(e, s),
        ) if is(DeclKind::FpaToFp) => ("to_fp", vec![*e, *s]),
        ([Sort::RoundingMode, Sort::BitVec(_)], Sort::Float(e, s))
            if is(DeclKind::FpaToFpUnsigned) =>
        {
            ("to_fp_unsigned", vec![*e, *s])
        }
        ([Sort::RoundingMode, Sort::Float(..)], Sort::BitVec(width)) if is(DeclKind::FpaToUbv) => {
            ("fp.to_ubv", vec![*width])
        }
        ([Sort::RoundingMode, Sort::Float(..)], Sort::BitVec(width)) if is(DeclKind::FpaToSbv) => {
            ("fp.to_sbv", vec![*width])
        }
        ([Sort::Float(..)], Sort::Real) if is(DeclKind::FpaToReal) => ("fp.to_real", Vec::new()),
        _ => return None,
    };
    let builtin = Builtin {
        name: name.into(),
        indices,
        result: result.clone(),
    };
    Some(terms.builtin(&Arc::new(builtin), args))
}
