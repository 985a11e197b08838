//! Floating point: the names of SMT-LIB's functions.

use ult_core::formula::{Builtin, Sort};

/// How a function known by name is written in SMT-LIB; `None` for one that is not known here.
pub(crate) fn smtlib_name(builtin: &Builtin) -> Option<String> {
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
