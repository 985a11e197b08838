//! Functions that the source declares as the solver's own, `{:bvbuiltin "bvadd"}`.

use ult_lang::hir::{Attribute, AttributeArgument, ExprKind, RoundingMode, Type};

use super::expr::{no_format, too_wide, unsupported};
use crate::code::{Binary, BitsOp, Expr, Unary};
use crate::float::{FloatKind, FloatOp, Format};
use crate::ops::WIDEST;
use crate::value::Value;

/// A name as it stands in the attribute, taken apart.
pub(crate) struct Named {
    text: String,
    name: String,
    indices: Vec<u32>,
    mode: Option<RoundingMode>,
}

/// What the attributes name, if they do.
pub(crate) fn named(attributes: &[Attribute]) -> Option<Named> {
    let wanted = |attribute: &&Attribute| matches!(&*attribute.name, "bvbuiltin" | "builtin");
    let attribute = attributes.iter().find(wanted)?;
    let Some(AttributeArgument::String(text)) = attribute.args.first() else {
        return None;
    };
    let mut named = Named {
        text: text.clone(),
        name: String::new(),
        indices: Vec::new(),
        mode: None,
    };
    for word in text.split([' ', '(', ')']).filter(|word| !word.is_empty()) {
        if word == "_" {
            continue;
        }
        if let Ok(index) = word.parse() {
            named.indices.push(index);
        } else if let Some(mode) = rounding(word) {
            named.mode = Some(mode);
        } else if named.name.is_empty() {
            named.name = word.into();
        } else {
            // Nothing that is known has two names.
            named.name = text.clone();
        }
    }
    let extra = attributes
        .iter()
        .filter(|attribute| attribute.name == "indices")
        .flat_map(|attribute| &attribute.args);
    for argument in extra {
        if let AttributeArgument::Expr(expr) = argument
            && let ExprKind::Int(value) = &expr.kind
            && let Ok(value) = u32::try_from(value)
        {
            named.indices.push(value);
        }
    }
    Some(named)
}

fn rounding(word: &str) -> Option<RoundingMode> {
    Some(match word {
        "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestTiesToEven,
        "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestTiesToAway,
        "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
        "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
        "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
        _ => return None,
    })
}

/// The function on arguments of these types.
pub(crate) fn apply(named: &Named, types: &[&Type], args: Box<[Expr]>, result: &Type) -> Expr {
    let wide = |ty: &Type| matches!(ty, Type::BitVec(width) if *width > WIDEST);
    if types.iter().any(|ty| wide(ty)) || wide(result) {
        return too_wide();
    }
    let call = Call {
        named,
        types,
        result,
    };
    let args = match call.bits(args).and_then_else(|args| call.plain(args)) {
        Ok(expr) => return expr,
        Err(args) => args,
    };
    match call.float(args) {
        Some(expr) => expr,
        None => unsupported(format!("the built-in function `{}`", named.text)),
    }
}

/// Tries the next way if there is no expression yet.
trait OrElse {
    fn and_then_else(self, next: impl FnOnce(Box<[Expr]>) -> Made) -> Made;
}

/// The expression, or the arguments again.
type Made = Result<Expr, Box<[Expr]>>;

impl OrElse for Made {
    fn and_then_else(self, next: impl FnOnce(Box<[Expr]>) -> Made) -> Made {
        match self {
            Ok(expr) => Ok(expr),
            Err(args) => next(args),
        }
    }
}

fn one(args: Box<[Expr]>) -> Result<Box<Expr>, Box<[Expr]>> {
    <Box<[Expr; 1]>>::try_from(args).map(|args| {
        let [arg] = *args;
        Box::new(arg)
    })
}

fn two(args: Box<[Expr]>) -> Result<Box<[Expr; 2]>, Box<[Expr]>> {
    <Box<[Expr; 2]>>::try_from(args)
}

fn swapped(mut args: Box<[Expr; 2]>) -> Box<[Expr; 2]> {
    args.swap(0, 1);
    args
}

struct Call<'a> {
    named: &'a Named,
    types: &'a [&'a Type],
    result: &'a Type,
}

impl Call<'_> {
    fn bits(&self, args: Box<[Expr]>) -> Made {
        let &Some(&&Type::BitVec(width)) = &self.types.first() else {
            return Err(args);
        };
        let widths_agree = self.types.iter().all(|ty| *ty == self.types[0]);
        let op = match (&*self.named.name, &self.named.indices[..]) {
            ("bvnot", []) => return Ok(Expr::Unary(Unary::BitNot(width), one(args)?)),
            ("bvneg", []) => return Ok(Expr::Unary(Unary::BitNeg(width), one(args)?)),
            ("bv2nat" | "ubv_to_int" | "bv2int", []) if *self.result == Type::Int => {
                return Ok(Expr::Unary(Unary::BitsToInt(None), one(args)?));
            }
            ("sbv_to_int", []) if *self.result == Type::Int => {
                return Ok(Expr::Unary(Unary::BitsToInt(Some(width)), one(args)?));
            }
            // What is above the width is zero anyway.
            ("zero_extend", [_]) => {
                let all = Unary::Extract {
                    low: 0,
                    width: WIDEST,
                };
                return Ok(Expr::Unary(all, one(args)?));
            }
            ("sign_extend", &[by]) => {
                let to = width.saturating_add(by);
                if to > WIDEST {
                    return Ok(too_wide());
                }
                return Ok(Expr::Unary(
                    Unary::SignExtend { from: width, to },
                    one(args)?,
                ));
            }
            ("extract", &[high, low]) if low <= high && high < width => {
                let width = high + 1 - low;
                return Ok(Expr::Unary(Unary::Extract { low, width }, one(args)?));
            }
            ("rotate_left", &[by]) if width > 0 => {
                let by = by % width;
                return Ok(Expr::Unary(Unary::RotateLeft { by, width }, one(args)?));
            }
            ("rotate_right", &[by]) if width > 0 => {
                let by = (width - by % width) % width;
                return Ok(Expr::Unary(Unary::RotateLeft { by, width }, one(args)?));
            }
            ("concat", []) => {
                let Some(&&Type::BitVec(low)) = self.types.get(1) else {
                    return Err(args);
                };
                return Ok(Expr::Binary(Binary::Concat(low), two(args)?));
            }
            ("bvugt", []) if widths_agree => {
                return Ok(Expr::Binary(
                    Binary::Bits(BitsOp::Ult, width),
                    swapped(two(args)?),
                ));
            }
            ("bvuge", []) if widths_agree => {
                return Ok(Expr::Binary(
                    Binary::Bits(BitsOp::Ule, width),
                    swapped(two(args)?),
                ));
            }
            ("bvsgt", []) if widths_agree => {
                return Ok(Expr::Binary(
                    Binary::Bits(BitsOp::Slt, width),
                    swapped(two(args)?),
                ));
            }
            ("bvsge", []) if widths_agree => {
                return Ok(Expr::Binary(
                    Binary::Bits(BitsOp::Sle, width),
                    swapped(two(args)?),
                ));
            }
            ("bvand", []) => BitsOp::And,
            ("bvor", []) => BitsOp::Or,
            ("bvxor", []) => BitsOp::Xor,
            ("bvnand", []) => BitsOp::Nand,
            ("bvnor", []) => BitsOp::Nor,
            ("bvxnor", []) => BitsOp::Xnor,
            ("bvadd", []) => BitsOp::Add,
            ("bvsub", []) => BitsOp::Sub,
            ("bvmul", []) => BitsOp::Mul,
            ("bvudiv", []) => BitsOp::Udiv,
            ("bvurem", []) => BitsOp::Urem,
            ("bvsdiv", []) => BitsOp::Sdiv,
            ("bvsrem", []) => BitsOp::Srem,
            ("bvsmod", []) => BitsOp::Smod,
            ("bvshl", []) => BitsOp::Shl,
            ("bvlshr", []) => BitsOp::Lshr,
            ("bvashr", []) => BitsOp::Ashr,
            ("bvult", []) => BitsOp::Ult,
            ("bvule", []) => BitsOp::Ule,
            ("bvslt", []) => BitsOp::Slt,
            ("bvsle", []) => BitsOp::Sle,
            ("bvcomp", []) => BitsOp::Comp,
            _ => return Err(args),
        };
        if !widths_agree {
            return Err(args);
        }
        Ok(Expr::Binary(Binary::Bits(op, width), two(args)?))
    }

    /// Truth values, integers, reals and maps.
    fn plain(&self, args: Box<[Expr]>) -> Made {
        let int_bits = match (self.types.first(), &self.named.indices[..], self.result) {
            (Some(Type::Int), &[width], &Type::BitVec(result)) if width == result => Some(width),
            _ => None,
        };
        let binary = |op, args| Ok(Expr::Binary(op, two(args)?));
        match &*self.named.name {
            "int2bv" | "nat2bv" | "int_to_bv" if int_bits.is_some() => Ok(Expr::Unary(
                Unary::IntToBits(int_bits.unwrap_or_default()),
                one(args)?,
            )),
            "true" if args.is_empty() => Ok(Expr::Value(Value::Bool(true))),
            "false" if args.is_empty() => Ok(Expr::Value(Value::Bool(false))),
            "not" => Ok(Expr::Not(one(args)?)),
            "and" => Ok(Expr::And(args)),
            "or" => Ok(Expr::Or(args)),
            "=>" => {
                let [a, b] = *two(args)?;
                Ok(Expr::Or(Box::new([Expr::Not(Box::new(a)), b])))
            }
            "=" => binary(Binary::Eq, args),
            "distinct" | "xor" => binary(Binary::Neq, args),
            "ite" => Ok(Expr::If(<Box<[Expr; 3]>>::try_from(args)?)),
            "+" => binary(Binary::Add, args),
            "*" => binary(Binary::Mul, args),
            "-" if args.len() == 1 => Ok(Expr::Unary(Unary::Neg, one(args)?)),
            "-" => binary(Binary::Sub, args),
            "<" => binary(Binary::Lt, args),
            "<=" => binary(Binary::Le, args),
            ">" => Ok(Expr::Binary(Binary::Lt, swapped(two(args)?))),
            ">=" => Ok(Expr::Binary(Binary::Le, swapped(two(args)?))),
            "div" => binary(Binary::Div, args),
            "mod" => binary(Binary::Mod, args),
            "/" => binary(Binary::RealDiv, args),
            "abs" => Ok(Expr::Unary(Unary::Abs, one(args)?)),
            "to_real" => Ok(Expr::Unary(Unary::ToReal, one(args)?)),
            "to_int" => Ok(Expr::Unary(Unary::ToInt, one(args)?)),
            "MapConst" => Ok(Expr::ConstantMap(one(args)?)),
            _ => Err(args),
        }
    }

    fn float(&self, args: Box<[Expr]>) -> Option<Expr> {
        use FloatKind as K;
        // The rounding mode may be an argument; results are rounded to nearest only.
        let (mode, args) = match args.first() {
            Some(Expr::Value(Value::Rounding(mode))) => {
                (Some(*mode), args.into_vec().into_iter().skip(1).collect())
            }
            _ => (self.named.mode, args),
        };
        let operand = self
            .types
            .iter()
            .find(|ty| !matches!(ty, Type::RoundingMode));
        let nearest = mode.is_none_or(|mode| mode == RoundingMode::NearestTiesToEven);
        let name = &*self.named.name;
        let format = match Format::of(self.result).or_else(|| Format::of(operand?)) {
            Some(format) => format,
            None => return Some(no_format()),
        };
        let kind = match (name, operand?, nearest) {
            ("fp.neg", ..) => K::Neg,
            ("fp.abs", ..) => K::Abs,
            ("fp.add", _, true) => K::Add,
            ("fp.sub", _, true) => K::Sub,
            ("fp.mul", _, true) => K::Mul,
            ("fp.div", _, true) => K::Div,
            ("fp.sqrt", _, true) => K::Sqrt,
            ("fp.rem", ..) => K::Rem,
            ("fp.min", ..) => K::Min,
            ("fp.max", ..) => K::Max,
            ("fp.eq", ..) => K::Eq,
            ("fp.lt", ..) => K::Lt,
            ("fp.leq", ..) => K::Le,
            ("fp.gt", ..) => K::Gt,
            ("fp.geq", ..) => K::Ge,
            ("fp.isNaN", ..) => K::IsNaN,
            ("fp.isInfinite", ..) => K::IsInfinite,
            ("fp.isZero", ..) => K::IsZero,
            ("fp.isNormal", ..) => K::IsNormal,
            ("fp.isSubnormal", ..) => K::IsSubnormal,
            ("fp.isNegative", ..) => K::IsNegative,
            ("fp.isPositive", ..) => K::IsPositive,
            ("fp.roundToIntegral", ..) => K::RoundToIntegral(mode?),
            ("fp.to_real", ..) => K::ToReal,
            ("fp.to_ubv" | "fp.to_sbv", ..) => K::ToBits {
                signed: name == "fp.to_sbv",
                width: *self.named.indices.first()?,
                mode: mode?,
            },
            ("to_fp", Type::BitVec(_), _) if mode.is_none() => K::Reinterpret,
            ("to_fp", Type::BitVec(width), true) => K::FromBits {
                signed: true,
                width: *width,
            },
            ("to_fp_unsigned", Type::BitVec(width), true) => K::FromBits {
                signed: false,
                width: *width,
            },
            ("to_fp", Type::Real, true) => K::FromReal,
            ("to_fp", ty @ Type::Float { .. }, true) => match Format::of(ty) {
                Some(from) => K::Convert { from },
                None => return Some(no_format()),
            },
            _ => return None,
        };
        if !fits(kind, self.types, self.result) {
            return None;
        }
        Some(Expr::Float(FloatOp { kind, format }, args))
    }
}

/// Whether the result has the type that the function has.
fn fits(kind: FloatKind, types: &[&Type], result: &Type) -> bool {
    use FloatKind as K;
    let operands = types
        .iter()
        .filter(|ty| !matches!(ty, Type::RoundingMode))
        .count();
    match kind {
        K::Add | K::Sub | K::Mul | K::Div | K::Rem | K::Min | K::Max => {
            operands == 2 && matches!(result, Type::Float { .. })
        }
        K::Eq | K::Lt | K::Le | K::Gt | K::Ge => operands == 2 && *result == Type::Bool,
        K::IsNaN
        | K::IsInfinite
        | K::IsZero
        | K::IsNormal
        | K::IsSubnormal
        | K::IsNegative
        | K::IsPositive => operands == 1 && *result == Type::Bool,
        K::ToBits { width, .. } => operands == 1 && *result == Type::BitVec(width),
        K::ToReal => operands == 1 && *result == Type::Real,
        K::Neg
        | K::Abs
        | K::Sqrt
        | K::RoundToIntegral(_)
        | K::Convert { .. }
        | K::Reinterpret
        | K::FromBits { .. }
        | K::FromReal => operands == 1 && matches!(result, Type::Float { .. }),
    }
}
