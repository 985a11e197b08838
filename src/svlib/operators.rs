//! The functions that SMT-LIB knows.

use num_bigint::BigInt;
use ult_lang::hir::{BinaryOp, Expr, ExprKind, NaryOp, Type};
use ult_lang::span::Span;
use ult_smtlib::sexpr;

use crate::reader::Reader;
use crate::terms::float;
use ult_lang::diagnostic::Reported;

/// A function of SMT-LIB with its indices.
pub(crate) struct Applied<'n> {
    pub name: &'n str,
    pub indices: &'n [u32],
}

/// An integer as a real.
pub(crate) fn real(expr: Expr) -> Expr {
    let span = expr.span;
    Expr::new(ExprKind::IntToReal(Box::new(expr)), Type::Real, span)
}

fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
    Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
}

/// A chain of an operator; one operand stands for itself.
pub(crate) fn nary(op: NaryOp, mut operands: Vec<Expr>, ty: Type, span: Span) -> Expr {
    match (operands.len(), operands.pop()) {
        (1, Some(only)) => only,
        (_, Some(last)) => {
            operands.push(last);
            Expr::new(ExprKind::Nary(op, operands), ty, span)
        }
        (_, None) => Expr::new(ExprKind::Bool(op == NaryOp::And), Type::Bool, span),
    }
}

/// The conjunction of formulas.
pub(crate) fn all(formulas: Vec<Expr>, span: Span) -> Expr {
    nary(NaryOp::And, formulas, Type::Bool, span)
}

/// The negation of a formula.
pub(crate) fn not(formula: Expr, span: Span) -> Expr {
    Expr::new(ExprKind::Not(Box::new(formula)), Type::Bool, span)
}

/// `a == b`
pub(crate) fn equal(a: Expr, b: Expr, span: Span) -> Expr {
    let op = match a.ty {
        Type::Bool => BinaryOp::Iff,
        _ => BinaryOp::Eq,
    };
    binary(op, a, b, Type::Bool, span)
}

/// Integers become reals if there is a real among the operands.
fn reals_if_any(args: Vec<Expr>) -> Vec<Expr> {
    match args.iter().any(|arg| arg.ty == Type::Real) {
        true => args
            .into_iter()
            .map(|arg| match arg.ty {
                Type::Int => real(arg),
                _ => arg,
            })
            .collect(),
        false => args,
    }
}

/// `f` of each operand and the next.
fn chain(args: Vec<Expr>, span: Span, f: impl Fn(Expr, Expr) -> Expr) -> Expr {
    let next = args.get(1..).unwrap_or_default().to_vec();
    let pairs = args.into_iter().zip(next);
    all(pairs.map(|(a, b)| f(a, b)).collect(), span)
}

impl Reader<'_> {
    /// A function of SMT-LIB applied to arguments.
    pub(crate) fn operator(
        &mut self,
        applied: &Applied<'_>,
        args: Vec<Expr>,
        at: sexpr::Expr,
    ) -> Result<Expr, Reported> {
        let span = self.span(at);
        let given: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
        let result = match applied.indices {
            [] => core(applied.name, args, span),
            _ => Err(args),
        };
        let result = result.or_else(|args| bits(applied, args, span));
        let args = match result {
            Ok(expr) => return Ok(expr),
            Err(args) => args,
        };
        if let Some((head, ty)) = self.solvers(applied, &given) {
            let function = self.names.builtin(&head, &given, &ty);
            let kind = ExprKind::Call {
                function,
                type_args: Vec::new(),
                args,
            };
            return Ok(Expr::new(kind, ty, span));
        }
        let name = applied.name;
        if !is_known(name) {
            return Err(self.unknown("function", name, at));
        }
        let sorts: Vec<String> = given.iter().map(|ty| self.written(ty)).collect();
        let message = match sorts.is_empty() {
            true => format!("`{name}` takes arguments"),
            false => format!("`{name}` does not apply to {}", sorts.join(", ")),
        };
        Err(self.sorts(message, at, "arguments of other sorts or of another number"))
    }

    /// What the solver calls a function of bit-vectors or floating-point numbers, and the type of its value.
    fn solvers(&self, applied: &Applied<'_>, args: &[Type]) -> Option<(String, Type)> {
        let name = applied.name;
        let plain = |ty: Type| Some((name.to_owned(), ty));
        let indexed = |ty: Type| {
            let indices: Vec<String> = applied.indices.iter().map(u32::to_string).collect();
            Some((format!("(_ {name} {})", indices.join(" ")), ty))
        };
        let mode = Type::RoundingMode;
        match (name, args, applied.indices) {
            ("bvnot" | "bvneg", [a @ Type::BitVec(_)], []) => plain(a.clone()),
            (
                "bvand" | "bvor" | "bvxor" | "bvnand" | "bvnor" | "bvxnor" | "bvadd" | "bvsub"
                | "bvmul" | "bvudiv" | "bvurem" | "bvsdiv" | "bvsrem" | "bvsmod" | "bvshl"
                | "bvlshr" | "bvashr",
                [a @ Type::BitVec(_), b],
                [],
            ) if a == b => plain(a.clone()),
            (
                "bvult" | "bvule" | "bvslt" | "bvsle" | "bvugt" | "bvuge" | "bvsgt" | "bvsge",
                [a @ Type::BitVec(_), b],
                [],
            ) if a == b => plain(Type::Bool),
            ("bvcomp", [a @ Type::BitVec(_), b], []) if a == b => plain(Type::BitVec(1)),
            ("zero_extend" | "sign_extend", [Type::BitVec(width)], &[more]) => {
                indexed(Type::BitVec(width.checked_add(more)?))
            }
            ("rotate_left" | "rotate_right", [a @ Type::BitVec(_)], &[_]) => indexed(a.clone()),
            ("repeat", [Type::BitVec(width)], &[times]) if times > 0 => {
                indexed(Type::BitVec(width.checked_mul(times)?))
            }
            ("bv2nat" | "bv2int" | "ubv_to_int" | "sbv_to_int", [Type::BitVec(_)], []) => {
                plain(Type::Int)
            }
            ("int2bv" | "nat2bv" | "int_to_bv", [Type::Int], &[width]) if width > 0 => {
                indexed(Type::BitVec(width))
            }
            ("fp", [Type::BitVec(1), Type::BitVec(e), Type::BitVec(s)], []) => {
                plain(float(*e, s.checked_add(1)?))
            }
            ("fp.abs" | "fp.neg", [a @ Type::Float { .. }], []) => plain(a.clone()),
            ("fp.rem" | "fp.min" | "fp.max", [a @ Type::Float { .. }, b], []) if a == b => {
                plain(a.clone())
            }
            (
                "fp.add" | "fp.sub" | "fp.mul" | "fp.div",
                [Type::RoundingMode, a @ Type::Float { .. }, b],
                [],
            ) if a == b => plain(a.clone()),
            ("fp.fma", [m, a @ Type::Float { .. }, b, c], []) if *m == mode && a == b && a == c => {
                plain(a.clone())
            }
            ("fp.sqrt" | "fp.roundToIntegral", [m, a @ Type::Float { .. }], []) if *m == mode => {
                plain(a.clone())
            }
            (
                "fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq",
                [a @ Type::Float { .. }, b],
                [],
            ) if a == b => plain(Type::Bool),
            (
                "fp.isNormal" | "fp.isSubnormal" | "fp.isZero" | "fp.isInfinite" | "fp.isNaN"
                | "fp.isNegative" | "fp.isPositive",
                [Type::Float { .. }],
                [],
            ) => plain(Type::Bool),
            ("to_fp", [Type::BitVec(width)], &[e, s]) if e.checked_add(s) == Some(*width) => {
                indexed(float(e, s))
            }
            (
                "to_fp",
                [
                    Type::RoundingMode,
                    Type::Float { .. } | Type::Real | Type::BitVec(_),
                ],
                &[e, s],
            )
            | ("to_fp_unsigned", [Type::RoundingMode, Type::BitVec(_)], &[e, s])
                if e > 1 && s > 1 =>
            {
                indexed(float(e, s))
            }
            ("fp.to_ubv" | "fp.to_sbv", [m, Type::Float { .. }], &[width])
                if *m == mode && width > 0 =>
            {
                indexed(Type::BitVec(width))
            }
            ("fp.to_real", [Type::Float { .. }], []) => plain(Type::Real),
            _ => None,
        }
    }
}

/// Functions of the theories of truth values, numbers and arrays. `Err` gives the arguments back.
fn core(name: &str, args: Vec<Expr>, span: Span) -> Result<Expr, Vec<Expr>> {
    let all_of = |ty: &Type, args: &[Expr]| args.iter().all(|arg| arg.ty == *ty);
    let is_bool = !args.is_empty() && all_of(&Type::Bool, &args);
    match name {
        "not" | "and" | "or" | "xor" | "=>" if !is_bool => return Err(args),
        "+" | "-" | "*" | "/" | "<" | "<=" | ">" | ">=" | "=" | "distinct" | "ite" => {}
        _ => return rest(name, args, span),
    }
    let truth = |op: NaryOp, args| Ok(nary(op, args, Type::Bool, span));
    let args = match name {
        "+" | "-" | "*" | "<" | "<=" | ">" | ">=" | "=" | "distinct" => reals_if_any(args),
        "/" => args
            .into_iter()
            .map(|arg| match arg.ty {
                Type::Int => real(arg),
                _ => arg,
            })
            .collect(),
        _ => args,
    };
    let is_number = matches!(args.first(), Some(first)
        if matches!(first.ty, Type::Int | Type::Real) && all_of(&first.ty, &args));
    let ty = args.first().map_or(Type::Error, |first| first.ty.clone());
    let compare = |op: BinaryOp| move |a, b| binary(op, a, b, Type::Bool, span);
    match (name, args.len()) {
        ("+", 1..) if is_number => Ok(nary(NaryOp::Add, args, ty, span)),
        ("*", 1..) if is_number => Ok(nary(NaryOp::Mul, args, ty, span)),
        ("-", 1) if is_number => {
            let mut args = args;
            match args.pop() {
                Some(only) => Ok(Expr::new(ExprKind::Neg(Box::new(only)), ty, span)),
                None => truth(NaryOp::And, Vec::new()),
            }
        }
        ("-", 2..) if is_number => Ok(fold(BinaryOp::Sub, args, ty, span)),
        ("/", 2..) if is_number && ty == Type::Real => Ok(fold(BinaryOp::RealDiv, args, ty, span)),
        ("<", 2..) if is_number => Ok(chain(args, span, compare(BinaryOp::Lt))),
        ("<=", 2..) if is_number => Ok(chain(args, span, compare(BinaryOp::Le))),
        (">", 2..) if is_number => Ok(chain(args, span, compare(BinaryOp::Gt))),
        (">=", 2..) if is_number => Ok(chain(args, span, compare(BinaryOp::Ge))),
        ("=", 2..) if all_of(&ty, &args) => Ok(chain(args, span, |a, b| equal(a, b, span))),
        ("distinct", 2..) if all_of(&ty, &args) => {
            let mut different = Vec::new();
            for (i, a) in args.iter().enumerate() {
                for b in args.get(i + 1..).unwrap_or_default() {
                    different.push(not(equal(a.clone(), b.clone(), span), span));
                }
            }
            Ok(all(different, span))
        }
        ("ite", 3) => match <[Expr; 3]>::try_from(args) {
            Ok([condition, yes, no]) if condition.ty == Type::Bool => {
                let mut branches = reals_if_any(vec![yes, no]);
                match (branches.pop(), branches.pop()) {
                    (Some(otherwise), Some(then)) if then.ty == otherwise.ty => {
                        let ty = then.ty.clone();
                        let kind = ExprKind::If {
                            condition: Box::new(condition),
                            then: Box::new(then),
                            otherwise: Box::new(otherwise),
                        };
                        Ok(Expr::new(kind, ty, span))
                    }
                    (no, yes) => Err(std::iter::once(condition).chain(yes).chain(no).collect()),
                }
            }
            Ok(args) => Err(args.into()),
            Err(args) => Err(args),
        },
        _ => Err(args),
    }
}

fn fold(op: BinaryOp, args: Vec<Expr>, ty: Type, span: Span) -> Expr {
    let folded = args
        .into_iter()
        .reduce(|a, b| binary(op, a, b, ty.clone(), span));
    folded.unwrap_or_else(|| Expr::error(span))
}

/// The functions with their own numbers of arguments.
fn rest(name: &str, args: Vec<Expr>, span: Span) -> Result<Expr, Vec<Expr>> {
    let types: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
    let mut args = args;
    match (name, types.as_slice()) {
        ("and", [_, ..]) => Ok(nary(NaryOp::And, args, Type::Bool, span)),
        ("or", [_, ..]) => Ok(nary(NaryOp::Or, args, Type::Bool, span)),
        ("not", [_]) => match args.pop() {
            Some(only) => Ok(not(only, span)),
            None => Err(args),
        },
        ("xor", [_, _, ..]) => {
            let folded = args.into_iter().reduce(|a, b| not(equal(a, b, span), span));
            Ok(folded.unwrap_or_else(|| Expr::error(span)))
        }
        ("=>", [_, _, ..]) => {
            let folded = args
                .into_iter()
                .rev()
                .reduce(|right, left| binary(BinaryOp::Implies, left, right, Type::Bool, span));
            Ok(folded.unwrap_or_else(|| Expr::error(span)))
        }
        ("div", [Type::Int, Type::Int, rest @ ..]) if rest.iter().all(|t| *t == Type::Int) => {
            Ok(fold(BinaryOp::IntDiv, args, Type::Int, span))
        }
        ("mod", [Type::Int, Type::Int]) => Ok(fold(BinaryOp::IntMod, args, Type::Int, span)),
        ("abs", [Type::Int]) => match args.pop() {
            Some(only) => {
                let zero = Expr::new(ExprKind::Int(BigInt::ZERO), Type::Int, span);
                let negated = Expr::new(ExprKind::Neg(Box::new(only.clone())), Type::Int, span);
                let kind = ExprKind::If {
                    condition: Box::new(binary(BinaryOp::Lt, only.clone(), zero, Type::Bool, span)),
                    then: Box::new(negated),
                    otherwise: Box::new(only),
                };
                Ok(Expr::new(kind, Type::Int, span))
            }
            None => Err(args),
        },
        ("to_real", [Type::Int]) => args.pop().map(real).ok_or(args),
        ("to_real", [Type::Real]) => args.pop().ok_or(args),
        ("to_int", [Type::Real]) => match args.pop() {
            Some(only) => Ok(floor(only, span)),
            None => Err(args),
        },
        ("is_int", [Type::Real]) => match args.pop() {
            Some(only) => Ok(equal(real(floor(only.clone(), span)), only, span)),
            None => Err(args),
        },
        ("select", [Type::Map(map), index]) if map.domain.as_slice() == [index.clone()] => {
            let range = map.range.clone();
            let indices = args.split_off(1);
            match args.pop() {
                Some(map) => {
                    let kind = ExprKind::Select {
                        map: Box::new(map),
                        type_args: Vec::new(),
                        indices,
                    };
                    Ok(Expr::new(kind, range, span))
                }
                None => Err(indices),
            }
        }
        ("store", [Type::Map(map), index, value])
            if map.domain.as_slice() == [index.clone()] && map.range == *value =>
        {
            let ty = types.first().cloned().unwrap_or(Type::Error);
            match <[Expr; 3]>::try_from(args) {
                Ok([map, index, value]) => {
                    let kind = ExprKind::Store {
                        map: Box::new(map),
                        type_args: Vec::new(),
                        indices: vec![index],
                        value: Box::new(value),
                    };
                    Ok(Expr::new(kind, ty, span))
                }
                Err(args) => Err(args),
            }
        }
        _ => Err(args),
    }
}

fn floor(expr: Expr, span: Span) -> Expr {
    Expr::new(ExprKind::RealToInt(Box::new(expr)), Type::Int, span)
}

/// Selections and concatenations of bits.
fn bits(applied: &Applied<'_>, args: Vec<Expr>, span: Span) -> Result<Expr, Vec<Expr>> {
    let types: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
    match (applied.name, types.as_slice(), applied.indices) {
        ("extract", [Type::BitVec(width)], &[high, low]) if low <= high && high < *width => {
            let mut args = args;
            match args.pop() {
                Some(value) => {
                    let kind = ExprKind::Extract {
                        value: Box::new(value),
                        high: high + 1,
                        low,
                    };
                    Ok(Expr::new(kind, Type::BitVec(high - low + 1), span))
                }
                None => Err(args),
            }
        }
        ("concat", [Type::BitVec(_), Type::BitVec(_)], []) => match <[Expr; 2]>::try_from(args) {
            Ok([high, low]) => {
                let width = match (&high.ty, &low.ty) {
                    (Type::BitVec(a), Type::BitVec(b)) => a.checked_add(*b),
                    _ => None,
                };
                match width {
                    Some(width) => Ok(Expr::new(
                        ExprKind::Concat(Box::new(high), Box::new(low)),
                        Type::BitVec(width),
                        span,
                    )),
                    None => Err(vec![high, low]),
                }
            }
            Err(args) => Err(args),
        },
        _ => Err(args),
    }
}

/// Whether SMT-LIB has a function of this name that is read here.
pub(crate) fn is_known(name: &str) -> bool {
    const NAMES: [&str; 34] = [
        "not",
        "and",
        "or",
        "xor",
        "=>",
        "=",
        "distinct",
        "ite",
        "+",
        "-",
        "*",
        "/",
        "<",
        "<=",
        ">",
        ">=",
        "div",
        "mod",
        "abs",
        "to_real",
        "to_int",
        "is_int",
        "select",
        "store",
        "extract",
        "concat",
        "zero_extend",
        "sign_extend",
        "rotate_left",
        "rotate_right",
        "repeat",
        "to_fp",
        "to_fp_unsigned",
        "fp",
    ];
    NAMES.contains(&name) || name.starts_with("bv") || name.starts_with("fp.")
}
