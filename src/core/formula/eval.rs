//! Evaluation of terms on concrete values, exact and total where SMT-LIB is.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::float;
use super::sort::Sort;
use super::term::{BvOp, Function, Node, Op, Term, Terms, Var};
use super::value::{ConstructValue, Entries, MapValue, Value};

/// Why a term has no value here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvalError {
    /// A variable without a value.
    #[error("`{0}` has no value")]
    Unbound(String),
    /// A function without a meaning.
    #[error("the function `{0}` has no meaning")]
    NoMeaning(String),
    /// A division whose result is not fixed by arithmetic.
    #[error("division by zero")]
    DivisionByZero,
    /// An operator that is not evaluated (quantifiers, lambdas, what SMT-LIB leaves open).
    #[error("{0} cannot be evaluated")]
    Unsupported(String),
    /// Equality of two maps that cannot be decided.
    #[error("equality of two maps cannot be decided")]
    UndecidedEquality,
}

/// Gives meaning to free symbols.
pub trait Interpretation {
    /// The value of a free variable.
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value>;

    /// The value of a rigid symbol at the given arguments.
    fn function(&self, function: &Arc<Function>, args: &[Value]) -> Option<Value>;

    /// Whether a map may have elements that are not known ([`Value::Open`]). If not, a map has no value where one of its elements
    /// has none.
    fn has_open_elements(&self) -> bool {
        false
    }

    /// The value of a term the evaluator has no rule for, e.g. of a quantified formula.
    fn other(&self, _term: Term) -> Option<Value> {
        None
    }
}

/// Nothing has a meaning: for what has its value without one.
pub(crate) struct NoMeaning;

impl Interpretation for NoMeaning {
    fn variable(&self, _: &Var, _: &Sort) -> Option<Value> {
        None
    }

    fn function(&self, _: &Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }
}

/// The value of `root`.
///
/// Operands that do not matter (`false && e`, the branch of an if-then-else not taken) may have
/// no value.
pub fn eval(
    terms: &Terms,
    root: Term,
    interpretation: &dyn Interpretation,
) -> Result<Value, EvalError> {
    Evaluator::new(terms, interpretation).value(root)
}

/// Evaluates many terms under one interpretation; shared sub-terms are evaluated once.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    interpretation: &'a dyn Interpretation,
    values: Values,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that has not evaluated anything yet.
    pub fn new(terms: &'a Terms, interpretation: &'a dyn Interpretation) -> Evaluator<'a> {
        Evaluator {
            terms,
            interpretation,
            values: FxHashMap::default(),
        }
    }

    /// The value of a term, as in [`eval`].
    pub fn value(&mut self, root: Term) -> Result<Value, EvalError> {
        if let Op::Bool(value) = self.terms.op(root) {
            return Ok(Value::Bool(*value));
        }
        if let Some(value) = self.of_small(root, SMALL_DEPTH) {
            return value;
        }
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.values.contains_key(&term) {
                continue;
            }
            let node = self.terms.node(term);
            if ready || node.args.is_empty() || matches!(node.op, Op::Bind(_)) {
                let operands = ByTerm {
                    args: &node.args,
                    values: &self.values,
                };
                let value = eval_node(node, term, &operands, self.interpretation);
                self.values.insert(term, value);
            } else {
                stack.push((term, true));
                stack.extend(node.args.iter().map(|&t| (t, false)));
            }
        }
        self.values[&root].clone()
    }

    /// The value of a term that is so small that a table of values would take longer than the evaluation, as the conditions of most
    /// steps of a run are; `None` if it is larger.
    fn of_small(&self, term: Term, depth: u32) -> Option<Result<Value, EvalError>> {
        let node = self.terms.node(term);
        if matches!(node.op, Op::Bind(_)) || depth == 0 && !node.args.is_empty() {
            return None;
        }
        let of = |operands: &[_]| eval_node(node, term, &InOrder(operands), self.interpretation);
        Some(match node.args[..] {
            [] => of(&[]),
            [arg] => of(&[self.of_small(arg, depth - 1)?]),
            [left, right] => of(&[
                self.of_small(left, depth - 1)?,
                self.of_small(right, depth - 1)?,
            ]),
            _ => return None,
        })
    }
}

/// How deep terms are that are evaluated without a table.
const SMALL_DEPTH: u32 = 2;

/// The value of a node's operator on values for its arguments; `None` if it has none, or is a
/// symbol.
pub fn apply_op(node: &Node, args: &[Value]) -> Option<Value> {
    if node.args.len() != args.len() {
        return None;
    }
    let operands: Vec<_> = args.iter().cloned().map(Ok).collect();
    // Only a symbol's meaning depends on which term it is.
    eval_node(node, Term(u32::MAX), &InOrder(&operands), &NoMeaning).ok()
}

type Values = FxHashMap<Term, Result<Value, EvalError>>;

/// The values of a node's arguments, in order.
pub(super) trait Operands {
    /// The value of an argument, or why it has none.
    fn operand(&self, index: usize) -> &Result<Value, EvalError>;
}

/// Arguments whose values are known by term.
struct ByTerm<'a> {
    args: &'a [Term],
    values: &'a Values,
}

impl Operands for ByTerm<'_> {
    fn operand(&self, index: usize) -> &Result<Value, EvalError> {
        &self.values[&self.args[index]]
    }
}

/// Arguments whose values are at hand.
struct InOrder<'a>(&'a [Result<Value, EvalError>]);

impl Operands for InOrder<'_> {
    fn operand(&self, index: usize) -> &Result<Value, EvalError> {
        &self.0[index]
    }
}

/// The value of a node whose arguments have been evaluated.
pub(super) fn eval_node(
    node: &Node,
    term: Term,
    operands: &impl Operands,
    interpretation: &dyn Interpretation,
) -> Result<Value, EvalError> {
    let arg = |i: usize| operands.operand(i).as_ref().map_err(EvalError::clone);
    let all = || -> Result<Vec<Value>, EvalError> {
        (0..node.args.len()).map(|i| arg(i).cloned()).collect()
    };
    match &node.op {
        Op::Bool(value) => Ok(Value::Bool(*value)),
        Op::Int(value) => Ok(Value::Int(value.clone())),
        Op::Real(value) => Ok(Value::Real(value.clone())),
        Op::BitVec(value) => match node.sort {
            Sort::BitVec(width) => Ok(Value::BitVec(value.clone(), width)),
            _ => Err(EvalError::Unsupported("a bit-vector".into())),
        },
        Op::Var(var) => interpretation
            .variable(var, &node.sort)
            .ok_or_else(|| EvalError::Unbound(var.name.to_string())),
        Op::Apply(function) => {
            let args = all()?;
            interpretation
                .function(function, &args)
                .ok_or_else(|| EvalError::NoMeaning(function.name.to_string()))
        }
        Op::Builtin(builtin) => {
            let args = all()?;
            float::apply(builtin, &args)
                .filter(|result| match result {
                    Ok(value) => is_scalar_of(value, &node.sort),
                    Err(_) => true,
                })
                .or_else(|| interpretation.other(term).map(Ok))
                .unwrap_or_else(|| Err(EvalError::Unsupported(format!("`{}`", builtin.name))))
        }
        Op::Bind(_) => interpretation
            .other(term)
            .ok_or_else(|| EvalError::Unsupported("a quantifier or lambda".into())),
        Op::Not => Ok(Value::Bool(!bool_of(arg(0)?)?)),
        Op::And => junction(node, operands, false),
        Op::Or => junction(node, operands, true),
        Op::Ite => {
            if bool_of(arg(0)?)? {
                arg(1).cloned()
            } else {
                arg(2).cloned()
            }
        }
        Op::Eq => Ok(Value::Bool(
            arg(0)?.same(arg(1)?).ok_or(EvalError::UndecidedEquality)?,
        )),
        Op::Distinct => {
            let args = all()?;
            for (i, left) in args.iter().enumerate() {
                for right in &args[i + 1..] {
                    if left.same(right).ok_or(EvalError::UndecidedEquality)? {
                        return Ok(Value::Bool(false));
                    }
                }
            }
            Ok(Value::Bool(true))
        }
        Op::Add => numeric(node, operands, |x, y| x + y, |x, y| x + y),
        Op::Mul => product(node, operands),
        Op::Div | Op::Mod => {
            let (Value::Int(x), Value::Int(y)) = (arg(0)?, arg(1)?) else {
                return Err(ill_sorted(node));
            };
            if y.is_zero() {
                return Err(EvalError::DivisionByZero);
            }
            Ok(Value::Int(match node.op {
                Op::Div => euclid_div(x, y),
                _ => euclid_mod(x, y),
            }))
        }
        Op::RealDiv => {
            let (Value::Real(x), Value::Real(y)) = (arg(0)?, arg(1)?) else {
                return Err(ill_sorted(node));
            };
            if y.is_zero() {
                return Err(EvalError::DivisionByZero);
            }
            Ok(Value::Real(x / y))
        }
        Op::Le | Op::Lt => {
            let strict = node.op == Op::Lt;
            let holds = match (arg(0)?, arg(1)?) {
                (Value::Int(x), Value::Int(y)) => x < y || (!strict && x == y),
                (Value::Real(x), Value::Real(y)) => x < y || (!strict && x == y),
                _ => return Err(ill_sorted(node)),
            };
            Ok(Value::Bool(holds))
        }
        Op::ToReal => match arg(0)? {
            Value::Int(x) => Ok(Value::Real(BigRational::from_integer(x.clone()))),
            _ => Err(ill_sorted(node)),
        },
        Op::ToInt => match arg(0)? {
            Value::Real(x) => Ok(Value::Int(x.numer().div_floor(x.denom()))),
            _ => Err(ill_sorted(node)),
        },
        Op::Bv(op) => {
            let bits = |i: usize| match arg(i)? {
                Value::BitVec(value, width) => Ok((value, *width)),
                _ => Err(ill_sorted(node)),
            };
            let (x, width) = bits(0)?;
            let (y, last) = if node.args.len() > 1 {
                bits(1)?
            } else {
                (x, width)
            };
            Ok(match node.sort {
                Sort::Bool => Value::Bool(bv_compare(*op, x, y, width)),
                Sort::BitVec(result) => {
                    let value = bv_function(*op, x, y, width, last);
                    Value::BitVec(value % (BigUint::one() << result), result)
                }
                _ => return Err(ill_sorted(node)),
            })
        }
        Op::Extract { high, low } => match arg(0)? {
            Value::BitVec(value, _) => Ok(Value::BitVec(
                (value >> *low) % (BigUint::one() << (high - low)),
                high - low,
            )),
            _ => Err(ill_sorted(node)),
        },
        Op::ZeroExtend(by) => match arg(0)? {
            Value::BitVec(value, width) => Ok(Value::BitVec(value.clone(), width + by)),
            _ => Err(ill_sorted(node)),
        },
        Op::SignExtend(by) => match arg(0)? {
            Value::BitVec(value, width) => Ok(Value::BitVec(
                sign_extend(value, *width, width + by),
                width + by,
            )),
            _ => Err(ill_sorted(node)),
        },
        Op::Select => {
            let index = (1..node.args.len())
                .map(|i| arg(i).cloned())
                .collect::<Result<Vec<Value>, _>>()?;
            match arg(0)? {
                Value::Map(map) => match map_get(map, &index)? {
                    Value::Open => Err(EvalError::Unbound(String::new())),
                    value => Ok(value),
                },
                _ => Err(ill_sorted(node)),
            }
        }
        Op::Store => {
            let last = node.args.len().saturating_sub(1);
            let index = (1..last)
                .map(|i| arg(i).cloned())
                .collect::<Result<Vec<Value>, _>>()?;
            let value = match (arg(last), &node.sort) {
                (Err(_), Sort::Map(map)) if interpretation.has_open_elements() => {
                    Value::open(&map.range)
                }
                (value, _) => value?.clone(),
            };
            match arg(0)? {
                Value::Map(map) => {
                    // An index that may equal another one makes the table ambiguous.
                    map_get(map, &index)?;
                    let mut map = MapValue::clone(map);
                    map.entries.insert_mut(index, value);
                    Ok(Value::Map(Arc::new(map)))
                }
                _ => Err(ill_sorted(node)),
            }
        }
        Op::ConstMap => match &node.sort {
            Sort::Map(sort) => Ok(Value::Map(Arc::new(MapValue {
                domain: sort.domain.clone(),
                default: arg(0)?.clone(),
                entries: Entries::default(),
            }))),
            _ => Err(ill_sorted(node)),
        },
        Op::Construct(constructor) => match &node.sort {
            Sort::Datatype(datatype) => {
                let declared = datatype.constructor(*constructor);
                let declared = declared.ok_or_else(|| ill_sorted(node))?;
                Ok(Value::Construct(Arc::new(ConstructValue {
                    constructor: *constructor,
                    name: declared.name().clone(),
                    fields: all()?,
                })))
            }
            _ => Err(ill_sorted(node)),
        },
        Op::Field { constructor, field } => match arg(0)? {
            Value::Construct(value) if value.constructor == *constructor => {
                let field = value.fields.get(*field as usize);
                field.cloned().ok_or_else(|| ill_sorted(node))
            }
            Value::Construct(_) => Err(EvalError::NoMeaning(
                "a field of another constructor".into(),
            )),
            _ => Err(ill_sorted(node)),
        },
        Op::Is(constructor) => match arg(0)? {
            Value::Construct(value) => Ok(Value::Bool(value.constructor == *constructor)),
            _ => Err(ill_sorted(node)),
        },
    }
}

/// The element at an index. Indices that are maps themselves are compared with [`Value::same`],
/// since different tables may stand for the same map.
fn map_get(map: &MapValue, index: &[Value]) -> Result<Value, EvalError> {
    let plain = !map.domain.iter().any(Sort::has_maps);
    if plain {
        return Ok(map.get(index).clone());
    }
    for (key, value) in &map.entries {
        let mut equal = true;
        for (x, y) in key.iter().zip(index) {
            equal &= x.same(y).ok_or(EvalError::UndecidedEquality)?;
        }
        if equal {
            if key == index {
                return Ok(value.clone());
            }
            // The same map written in another way: a store would make a second entry.
            return Err(EvalError::UndecidedEquality);
        }
    }
    Ok(map.default.clone())
}

/// Whether a number or truth value belongs to a sort: what a function known by name says about its
/// result is not checked elsewhere.
fn is_scalar_of(value: &Value, sort: &Sort) -> bool {
    match (value, sort) {
        (Value::Float(value), Sort::Float(exponent, significand)) => {
            let format = value.format();
            format.exponent() == *exponent && format.significand() == *significand
        }
        (Value::BitVec(bits, width), Sort::BitVec(expected)) => {
            width == expected && bits.bits() <= u64::from(*width)
        }
        (Value::Bool(_), Sort::Bool)
        | (Value::Int(_), Sort::Int)
        | (Value::Real(_), Sort::Real)
        | (Value::Rounding(_), Sort::RoundingMode) => true,
        _ => false,
    }
}

fn ill_sorted(node: &Node) -> EvalError {
    EvalError::Unsupported(format!("{:?} on these arguments", node.op))
}

fn bool_of(value: &Value) -> Result<bool, EvalError> {
    match value {
        Value::Bool(value) => Ok(*value),
        other => Err(EvalError::Unsupported(format!("{other} as a truth value"))),
    }
}

/// `&&` (`absorbing == false`) or `||` (`absorbing == true`): one absorbing operand decides, even
/// if others have no value.
fn junction(node: &Node, operands: &impl Operands, absorbing: bool) -> Result<Value, EvalError> {
    let mut error = None;
    for index in 0..node.args.len() {
        match operands.operand(index) {
            Ok(Value::Bool(value)) if *value == absorbing => return Ok(Value::Bool(absorbing)),
            Ok(Value::Bool(_)) => {}
            Ok(_) => return Err(ill_sorted(node)),
            Err(e) => error = Some(e.clone()),
        }
    }
    error.map_or(Ok(Value::Bool(!absorbing)), Err)
}

/// Products of products soon have more digits than there is memory.
const MOST_BITS: u64 = 1 << 17;

fn product(node: &Node, operands: &impl Operands) -> Result<Value, EvalError> {
    let mut bits = 0;
    for index in 0..node.args.len() {
        bits += match operands.operand(index) {
            Ok(Value::Int(x)) => x.bits(),
            Ok(Value::Real(x)) => x.numer().bits().max(x.denom().bits()),
            _ => 0,
        };
    }
    if bits > MOST_BITS {
        return Err(EvalError::Unsupported(format!("a product of {bits} bits")));
    }
    numeric(node, operands, |x, y| x * y, |x, y| x * y)
}

fn numeric(
    node: &Node,
    operands: &impl Operands,
    ints: impl Fn(&BigInt, &BigInt) -> BigInt,
    reals: impl Fn(&BigRational, &BigRational) -> BigRational,
) -> Result<Value, EvalError> {
    let arg = |i: usize| operands.operand(i).as_ref().map_err(EvalError::clone);
    if node.args.is_empty() {
        return Err(EvalError::Unsupported("an empty sum".into()));
    }
    let mut result = arg(0)?.clone();
    for index in 1..node.args.len() {
        result = match (&result, arg(index)?) {
            (Value::Int(x), Value::Int(y)) => Value::Int(ints(x, y)),
            (Value::Real(x), Value::Real(y)) => Value::Real(reals(x, y)),
            _ => return Err(EvalError::Unsupported("mixed arithmetic".into())),
        };
    }
    Ok(result)
}

/// Euclidean division: the remainder is never negative. The divisor is not zero.
pub fn euclid_div(x: &BigInt, y: &BigInt) -> BigInt {
    let quotient = x.div_floor(&y.abs());
    if y.is_negative() { -quotient } else { quotient }
}

/// The Euclidean remainder, `0 <= r < |y|`. The divisor is not zero.
pub fn euclid_mod(x: &BigInt, y: &BigInt) -> BigInt {
    x.mod_floor(&y.abs())
}

/// The value as a signed number in two's complement.
pub fn signed(value: &BigUint, width: u32) -> BigInt {
    let value = BigInt::from_biguint(Sign::Plus, value.clone());
    if width > 0 && value.bit(u64::from(width) - 1) {
        value - (BigInt::one() << width)
    } else {
        value
    }
}

/// A number modulo `2^width`.
fn wrapped(value: &BigInt, width: u32) -> BigUint {
    value
        .mod_floor(&(BigInt::one() << width))
        .to_biguint()
        .unwrap_or_default()
}

/// Repeats the sign bit.
pub(super) fn sign_extend(value: &BigUint, width: u32, to: u32) -> BigUint {
    wrapped(&signed(value, width), to)
}

/// A bit-vector operator with a bit-vector result; `y` is ignored by unary ones. `width` is that
/// of `x`, `last` that of `y`. The result is below `2^width` except for concatenation.
pub(super) fn bv_function(op: BvOp, x: &BigUint, y: &BigUint, width: u32, last: u32) -> BigUint {
    let modulus = BigUint::one() << width;
    let mask = &modulus - 1u32;
    let not = |v: &BigUint| &mask ^ v;
    let (sx, sy) = (signed(x, width), signed(y, width));
    match op {
        BvOp::Not => not(x),
        BvOp::Neg => (&modulus - x) % &modulus,
        BvOp::And => x & y,
        BvOp::Or => x | y,
        BvOp::Xor => x ^ y,
        BvOp::Nand => not(&(x & y)),
        BvOp::Nor => not(&(x | y)),
        BvOp::Xnor => not(&(x ^ y)),
        BvOp::Add => (x + y) % &modulus,
        BvOp::Sub => (x + &modulus - y) % &modulus,
        BvOp::Mul => (x * y) % &modulus,
        BvOp::Udiv => {
            if y.is_zero() {
                mask
            } else {
                x / y
            }
        }
        BvOp::Urem => {
            if y.is_zero() {
                x.clone()
            } else {
                x % y
            }
        }
        BvOp::Sdiv => {
            if sy.is_zero() {
                // SMT-LIB: bvudiv on the absolute values, sign adjusted.
                wrapped(&BigInt::from(if sx.is_negative() { 1 } else { -1 }), width)
            } else {
                let quotient = sx.abs() / sy.abs();
                let negative = sx.is_negative() != sy.is_negative();
                wrapped(&if negative { -quotient } else { quotient }, width)
            }
        }
        BvOp::Srem => {
            if sy.is_zero() {
                x.clone()
            } else {
                let rest = sx.abs() % sy.abs();
                wrapped(&if sx.is_negative() { -rest } else { rest }, width)
            }
        }
        BvOp::Smod => {
            if sy.is_zero() {
                x.clone()
            } else {
                wrapped(&sx.mod_floor(&sy), width)
            }
        }
        BvOp::Shl | BvOp::Lshr | BvOp::Ashr => {
            let by = if *y >= BigUint::from(width) {
                width
            } else {
                y.iter_u32_digits().next().unwrap_or(0)
            };
            match op {
                BvOp::Shl => (x << by) % &modulus,
                BvOp::Lshr => x >> by,
                _ => wrapped(&(sx >> by), width),
            }
        }
        BvOp::Concat => (x << last) | y,
        BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => {
            BigUint::from(u32::from(bv_compare(op, x, y, width)))
        }
    }
}

/// A comparison of two bit-vectors of one width; false for other operators.
pub(super) fn bv_compare(op: BvOp, x: &BigUint, y: &BigUint, width: u32) -> bool {
    match op {
        BvOp::Ult => x < y,
        BvOp::Ule => x <= y,
        BvOp::Slt => signed(x, width) < signed(y, width),
        BvOp::Sle => signed(x, width) <= signed(y, width),
        _ => false,
    }
}
