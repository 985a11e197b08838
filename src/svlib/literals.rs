//! Literals.

use num_bigint::BigInt;
use num_rational::BigRational;
use ult_lang::hir::RoundingMode;

pub(crate) fn decimal(text: &str) -> Option<BigRational> {
    let (whole, fraction) = text.split_once('.')?;
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(digits, scale))
}

/// A number with a sign.
pub(crate) enum Signed {
    Int(BigInt),
    Real(BigRational),
}

pub(crate) fn signed(name: &str) -> Option<Signed> {
    let digits = name.strip_prefix('-')?;
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let Some(value) = decimal(digits) {
        return Some(Signed::Real(-value));
    }
    digits.parse::<BigInt>().ok().map(|n| Signed::Int(-n))
}

pub(crate) fn rounding_mode(name: &str) -> Option<RoundingMode> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestTiesToEven,
        "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestTiesToAway,
        "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
        "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
        "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
        _ => return None,
    })
}
