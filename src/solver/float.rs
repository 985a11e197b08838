//! Functions that SMT-LIB knows by name: floating point.

use super::answer::Failure;
use super::encode::Maps;
use super::raw::{Ast, Sort as RawSort};
use super::session::Session;
use crate::formula::{Builtin, Sort};

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

/// How a function known by name is written in SMT-LIB; `None` for one that is not known here.
pub(super) fn smtlib_name(builtin: &Builtin) -> Option<String> {
    let name = &*builtin.name;
    let indices = &builtin.indices[..];
    match name {
        "+oo" | "-oo" | "+zero" | "-zero" | "NaN" | "to_fp" | "to_fp_unsigned" => {
            let Sort::Float(e, s) = builtin.result else {
                return None;
            };
            (indices.is_empty() || indices == [e, s]).then(|| format!("(_ {name} {e} {s})"))
        }
        "fp.to_ubv" | "fp.to_sbv" => match indices {
            [width] => Some(format!("(_ {name} {width})")),
            _ => None,
        },
        "RNE"
        | "RNA"
        | "RTP"
        | "RTN"
        | "RTZ"
        | "roundNearestTiesToEven"
        | "roundNearestTiesToAway"
        | "roundTowardPositive"
        | "roundTowardNegative"
        | "roundTowardZero"
        | "fp"
        | "fp.abs"
        | "fp.neg"
        | "fp.add"
        | "fp.sub"
        | "fp.mul"
        | "fp.div"
        | "fp.fma"
        | "fp.sqrt"
        | "fp.rem"
        | "fp.roundToIntegral"
        | "fp.min"
        | "fp.max"
        | "fp.leq"
        | "fp.lt"
        | "fp.geq"
        | "fp.gt"
        | "fp.eq"
        | "fp.isNormal"
        | "fp.isSubnormal"
        | "fp.isZero"
        | "fp.isInfinite"
        | "fp.isNaN"
        | "fp.isNegative"
        | "fp.isPositive"
        | "fp.to_real"
            if indices.is_empty() =>
        {
            Some(name.to_string())
        }
        _ => None,
    }
}
