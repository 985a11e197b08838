//! Terms as code: variables are slots, and what a machine can do in a register is done there.

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::Zero as _;
use ult_core::formula::eval::{apply_op, euclid_div, euclid_mod};
use ult_core::formula::{BvOp, Op, Sort, Term, Terms, Value, Var};

use super::inputs::mask;
use super::plan::Put;
use super::value::{Map, Val};
use crate::limits;

/// A term as code.
#[derive(Debug)]
pub(super) enum Expr {
    /// A constant.
    Const(Val),
    /// The value in a slot.
    Slot(usize),
    /// What several terms share: its number in [`Code::shared`].
    Shared(usize),
    /// What cannot be computed.
    Unknown(Unknown),
    Not(Box<Expr>),
    And(Box<[Expr]>),
    Or(Box<[Expr]>),
    Ite(Box<[Expr; 3]>),
    /// Equality of values of the sort.
    Eq(Box<[Expr; 2]>, Sort),
    /// Equality of integers.
    IntEq(Box<[Expr; 2]>),
    Add(Box<[Expr]>),
    Mul(Box<[Expr]>),
    Div(Box<[Expr; 2]>),
    Mod(Box<[Expr; 2]>),
    Le(Box<[Expr; 2]>),
    Lt(Box<[Expr; 2]>),
    /// A bit-vector operator, with the width of its first argument and of its result.
    Bits(BvOp, u32, u32, Box<[Expr]>),
    Select(Box<Expr>, Box<[Expr]>),
    Store(Box<[Expr; 2]>, Box<[Expr]>),
    ConstMap(Box<Expr>),
    /// A rigid symbol, by number.
    Apply(usize, Box<[Expr]>),
    /// Any other operator: the core's evaluator does it.
    Other(Term, Box<[Expr]>),
}

/// Why something has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// There is no rule for it: a quantifier.
    NoRule,
    /// What arithmetic leaves open.
    Undefined,
    /// Nobody has chosen a value that it depends on.
    Open,
    /// A number that is too long to be worked with.
    Long,
}

/// What [`Expr`]s refer to.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// Expressions that occur several times.
    pub shared: Vec<Expr>,
}

/// Formulas nested deeper than this are not executed.
const DEEPEST: usize = 2000;

/// Compiles terms that belong together; `slot` says where the value of a variable is, `function`
/// the number of a rigid symbol.
///
/// `None` if a formula is nested too deeply.
pub(super) fn compile(
    terms: &Terms,
    roots: &[Term],
    slot: impl Fn(&Var) -> Option<usize>,
    function: impl Fn(&str) -> Option<usize>,
) -> Option<(Code, Vec<Expr>)> {
    let order = terms.post_order(roots);
    let mut uses: HashMap<Term, usize> = HashMap::new();
    let mut depth: HashMap<Term, usize> = HashMap::new();
    for &term in &order {
        let args = terms.args(term);
        let below = args.iter().map(|arg| depth[arg]).max().unwrap_or(0);
        if below > DEEPEST {
            return None;
        }
        depth.insert(term, below + 1);
        for &arg in args {
            *uses.entry(arg).or_default() += 1;
        }
    }
    for &root in roots {
        *uses.entry(root).or_default() += 1;
    }
    let mut code = Code::default();
    let mut done: HashMap<Term, Made> = HashMap::new();
    for &term in &order {
        let mut arg = |i: usize| take(&mut done, terms.args(term)[i]);
        let node = terms.node(term);
        let count = node.args.len();
        let expr = match &node.op {
            Op::Bool(value) => Expr::Const(Val::Bool(*value)),
            Op::Int(value) => Expr::Const(Val::int(value.clone())),
            Op::Var(var) => slot(var).map_or(Expr::Unknown(Unknown::NoRule), Expr::Slot),
            Op::Bind(_) => Expr::Unknown(Unknown::NoRule),
            _ => {
                let mut args: Vec<Expr> = (0..count).map(&mut arg).collect();
                match operator(terms, term, &mut args, &function) {
                    Some(expr) => expr,
                    None => Expr::Other(term, args.into()),
                }
            }
        };
        let is_leaf = matches!(expr, Expr::Const(_) | Expr::Slot(_) | Expr::Unknown(_));
        let made = if is_leaf {
            Made::Leaf(expr)
        } else if uses[&term] > 1 {
            code.shared.push(expr);
            Made::Shared(code.shared.len() - 1)
        } else {
            Made::Once(Some(expr))
        };
        done.insert(term, made);
    }
    let roots = roots.iter().map(|&root| take(&mut done, root)).collect();
    Some((code, roots))
}

/// A compiled term.
enum Made {
    Leaf(Expr),
    Shared(usize),
    Once(Option<Expr>),
}

fn take(done: &mut HashMap<Term, Made>, term: Term) -> Expr {
    match done.get_mut(&term) {
        Some(Made::Leaf(Expr::Const(value))) => Expr::Const(value.clone()),
        Some(Made::Leaf(Expr::Slot(slot))) => Expr::Slot(*slot),
        Some(Made::Shared(number)) => Expr::Shared(*number),
        Some(Made::Once(expr)) => expr.take().unwrap_or(Expr::Unknown(Unknown::NoRule)),
        Some(Made::Leaf(_)) | None => Expr::Unknown(Unknown::NoRule),
    }
}

/// An operator with code of its own. Takes the arguments if there is one.
fn operator(
    terms: &Terms,
    term: Term,
    args: &mut Vec<Expr>,
    function: &impl Fn(&str) -> Option<usize>,
) -> Option<Expr> {
    let node = terms.node(term);
    let sort = |i: usize| terms.sort(node.args[i]);
    let is_int = || node.args.iter().all(|&arg| *terms.sort(arg) == Sort::Int);
    let is_small = |sort: &Sort| matches!(sort, Sort::BitVec(width) if *width <= 64);
    let is_plain = |sort: &Sort| match sort {
        Sort::Map(map) => !map.domain.iter().any(Sort::has_maps),
        _ => false,
    };
    let all = |args: &mut Vec<Expr>| -> Box<[Expr]> { std::mem::take(args).into() };
    let two = |args: &mut Vec<Expr>| -> Option<Box<[Expr; 2]>> {
        Box::<[Expr; 2]>::try_from(std::mem::take(args).into_boxed_slice()).ok()
    };
    Some(match &node.op {
        Op::BitVec(value) if is_small(&node.sort) => {
            let value = Value::BitVec(value.clone(), 64);
            Expr::Const(Val::of(&value, &node.sort)?)
        }
        Op::Real(value) => Expr::Const(Val::Other(Rc::new(Value::Real(value.clone())))),
        Op::Not => Expr::Not(Box::new(args.pop()?)),
        Op::And => Expr::And(all(args)),
        Op::Or => Expr::Or(all(args)),
        Op::Ite => {
            Expr::Ite(Box::<[Expr; 3]>::try_from(std::mem::take(args).into_boxed_slice()).ok()?)
        }
        Op::Eq if is_int() => Expr::IntEq(two(args)?),
        Op::Eq => Expr::Eq(two(args)?, sort(0).clone()),
        Op::Add if is_int() => Expr::Add(all(args)),
        Op::Mul if is_int() => Expr::Mul(all(args)),
        Op::Div => Expr::Div(two(args)?),
        Op::Mod => Expr::Mod(two(args)?),
        Op::Le if is_int() => Expr::Le(two(args)?),
        Op::Lt if is_int() => Expr::Lt(two(args)?),
        Op::Bv(op)
            if node.args.iter().all(|&arg| is_small(terms.sort(arg)))
                && (node.sort == Sort::Bool || is_small(&node.sort))
                && bits(*op, 1, 1, 1, 1).is_some() =>
        {
            let width = |sort: &Sort| match sort {
                Sort::BitVec(width) => *width,
                _ => 0,
            };
            Expr::Bits(*op, width(sort(0)), width(&node.sort), all(args))
        }
        Op::Select if is_plain(sort(0)) => {
            let indices = args.split_off(1);
            Expr::Select(Box::new(args.pop()?), indices.into())
        }
        Op::Store if is_plain(sort(0)) => {
            let value = args.pop()?;
            let indices = args.split_off(1);
            Expr::Store(Box::new([args.pop()?, value]), indices.into())
        }
        Op::ConstMap if is_plain(&node.sort) => Expr::ConstMap(Box::new(args.pop()?)),
        Op::Apply(symbol) => {
            let number = function(&symbol.name)?;
            Expr::Apply(number, all(args))
        }
        _ => return None,
    })
}

/// What evaluation needs.
pub(super) struct Evaluation<'e> {
    pub terms: &'e Terms,
    /// The values of variables.
    pub slots: &'e [Val],
    /// The rigid symbols, by number.
    pub functions: &'e [Table],
    /// What belongs to the expressions.
    pub code: &'e Code,
    /// The values of shared expressions that are known.
    pub known: &'e mut Vec<Option<Val>>,
}

/// The meaning of a rigid symbol.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The value where there is no entry.
    pub default: Val,
    /// The exceptions, by arguments as an index.
    pub list: Vec<(Val, Val)>,
}

type Result<T> = std::result::Result<T, Unknown>;

/// A value that was read, if it was ever chosen.
fn chosen(value: Val) -> Result<Val> {
    match value {
        Val::Open => Err(Unknown::Open),
        value => Ok(value),
    }
}

impl Evaluation<'_> {
    /// The value of an integer expression, computed in machine words only; `None` if that does not
    /// do, for whatever reason.
    fn word(&mut self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(Val::Int(value)) => Some(*value),
            Expr::Slot(slot) => match self.slots[*slot] {
                Val::Int(value) => Some(value),
                _ => None,
            },
            Expr::Add(all) => {
                let mut sum = 0i64;
                for part in all {
                    sum = sum.checked_add(self.word(part)?)?;
                }
                Some(sum)
            }
            Expr::Mul(all) => {
                let mut product = 1i64;
                for part in all {
                    product = product.checked_mul(self.word(part)?)?;
                }
                Some(product)
            }
            Expr::Div(both) => self
                .word(&both[0])?
                .checked_div_euclid(self.word(&both[1])?),
            Expr::Mod(both) => self
                .word(&both[0])?
                .checked_rem_euclid(self.word(&both[1])?),
            Expr::Ite(parts) => {
                let way = if self.truth(&parts[0]).ok()? { 1 } else { 2 };
                self.word(&parts[way])
            }
            Expr::Shared(_) | Expr::Select(..) | Expr::Apply(..) => match self.value(expr) {
                Ok(Val::Int(value)) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where a map is changed, and what the element is then.
    pub(super) fn change(&mut self, put: &Put, exprs: &[Expr]) -> Result<(Vec<Val>, Val)> {
        let mut path = Vec::with_capacity(put.path.len());
        for index in &put.path {
            path.push(match index[..] {
                [only] => self.result(&exprs[only])?,
                _ => {
                    let all = index.iter().map(|&number| self.result(&exprs[number]));
                    Val::index(all.collect::<Result<_>>()?)
                }
            });
        }
        Ok((path, self.stored(&exprs[put.value])?))
    }

    /// The value that a step sets: as [`Evaluation::value`], where a part has a short way.
    pub(super) fn result(&mut self, expr: &Expr) -> Result<Val> {
        match expr {
            Expr::Add(_) | Expr::Mul(_) | Expr::Div(_) | Expr::Mod(_) | Expr::Ite(_) => {
                match self.word(expr) {
                    Some(value) => Ok(Val::Int(value)),
                    None => self.value(expr),
                }
            }
            _ => self.value(expr),
        }
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Val> {
        Ok(match expr {
            Expr::Const(value) => value.clone(),
            Expr::Slot(slot) => return chosen(self.slots[*slot].clone()),
            Expr::Shared(number) => {
                if let Some(Some(value)) = self.known.get(*number) {
                    return Ok(value.clone());
                }
                let code = self.code;
                let value = self.value(&code.shared[*number])?;
                if self.known.len() <= *number {
                    self.known.resize(*number + 1, None);
                }
                self.known[*number] = Some(value.clone());
                value
            }
            Expr::Unknown(unknown) => return Err(*unknown),
            Expr::Not(_)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Eq(..)
            | Expr::IntEq(_)
            | Expr::Le(_)
            | Expr::Lt(_) => Val::Bool(self.truth(expr)?),
            Expr::Ite(parts) => {
                let way = if self.truth(&parts[0])? { 1 } else { 2 };
                return self.value(&parts[way]);
            }
            Expr::Add(all) => self.fold(all, i64::checked_add, |x, y| x + y)?,
            Expr::Mul(all) => self.fold(all, i64::checked_mul, |x, y| x * y)?,
            Expr::Div(both) => self.divide(both, i64::checked_div_euclid, euclid_div)?,
            Expr::Mod(both) => self.divide(both, i64::checked_rem_euclid, euclid_mod)?,
            Expr::Bits(op, width, result, args) => {
                let x = self.bits(&args[0])?;
                let (y, last) = match args.get(1) {
                    Some(arg) => (self.bits(arg)?, result.saturating_sub(*width)),
                    None => (x, 0),
                };
                let value = bits(*op, x, y, *width, last).ok_or(Unknown::NoRule)?;
                match op {
                    BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => Val::Bool(value == 1),
                    _ => Val::Bits(value & mask(*result)),
                }
            }
            Expr::Select(map, indices) => {
                let index = self.index(indices)?;
                return self.in_map(map, &mut |map| chosen(map.get(&index)));
            }
            Expr::Store(parts, indices) => {
                let index = self.index(indices)?;
                let value = self.stored(&parts[1])?;
                match self.value(&parts[0])? {
                    Val::Map(map) => Val::Map(Rc::new(map.with(index, value))),
                    _ => return Err(Unknown::NoRule),
                }
            }
            Expr::ConstMap(value) => Val::Map(Rc::new(Map::constant(self.value(value)?))),
            Expr::Apply(number, args) => {
                let table = self.functions.get(*number).ok_or(Unknown::Open)?;
                if table.list.is_empty() {
                    return Ok(table.default.clone());
                }
                let index = self.index(args)?;
                let found = table.list.iter().find(|(key, _)| *key == index);
                found.map_or(&table.default, |(_, value)| value).clone()
            }
            Expr::Other(term, args) => return self.other(*term, args),
        })
    }

    /// The value of a formula.
    pub(super) fn truth(&mut self, expr: &Expr) -> Result<bool> {
        Ok(match expr {
            Expr::Not(inner) => !self.truth(inner)?,
            Expr::And(all) => self.junction(all, false)?,
            Expr::Or(all) => self.junction(all, true)?,
            Expr::IntEq(both) => match self.words(both) {
                Some((x, y)) => x == y,
                None => self.value(&both[0])? == self.value(&both[1])?,
            },
            Expr::Eq(both, sort) => {
                let (x, y) = (self.value(&both[0])?, self.value(&both[1])?);
                x.same(&y, sort).ok_or(Unknown::NoRule)?
            }
            Expr::Le(both) => self.compare(both)?.is_le(),
            Expr::Lt(both) => self.compare(both)?.is_lt(),
            other => match self.value(other)? {
                Val::Bool(value) => value,
                _ => return Err(Unknown::NoRule),
            },
        })
    }

    /// One absorbing operand decides, even if others have no value.
    fn junction(&mut self, all: &[Expr], absorbing: bool) -> Result<bool> {
        let mut unknown = None;
        for part in all {
            match self.truth(part) {
                Ok(value) if value == absorbing => return Ok(absorbing),
                Ok(_) => {}
                Err(why) => unknown = Some(why),
            }
        }
        unknown.map_or(Ok(!absorbing), Err)
    }

    /// The value of what becomes an element of a map: if it is open, the other elements are what they
    /// were.
    pub(super) fn stored(&mut self, expr: &Expr) -> Result<Val> {
        match self.result(expr) {
            Err(Unknown::Open) => Ok(Val::Open),
            value => value,
        }
    }

    /// What is found in a map. Maps in maps are looked at where they are.
    fn in_map(&mut self, map: &Expr, find: &mut dyn FnMut(&Map) -> Result<Val>) -> Result<Val> {
        let mut within = |value: &Val| match value {
            Val::Map(map) => find(map),
            Val::Open => Err(Unknown::Open),
            _ => Err(Unknown::NoRule),
        };
        match map {
            Expr::Slot(slot) => within(&self.slots[*slot]),
            Expr::Select(outer, indices) => {
                let index = self.index(indices)?;
                self.in_map(outer, &mut |outer| match outer.element(&index) {
                    Some(value) => within(value),
                    None => within(&outer.get(&index)),
                })
            }
            other => within(&self.value(other)?),
        }
    }

    fn words(&mut self, both: &[Expr; 2]) -> Option<(i64, i64)> {
        Some((self.word(&both[0])?, self.word(&both[1])?))
    }

    fn compare(&mut self, both: &[Expr; 2]) -> Result<std::cmp::Ordering> {
        if let Some((x, y)) = self.words(both) {
            return Ok(x.cmp(&y));
        }
        match (self.value(&both[0])?, self.value(&both[1])?) {
            (Val::Int(x), Val::Int(y)) => Ok(x.cmp(&y)),
            (x, y) => {
                let (x, y) = (x.to_int(), y.to_int());
                Ok(x.ok_or(Unknown::NoRule)?.cmp(&y.ok_or(Unknown::NoRule)?))
            }
        }
    }

    fn fold(
        &mut self,
        all: &[Expr],
        small: impl Fn(i64, i64) -> Option<i64>,
        large: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Result<Val> {
        let (first, rest) = all.split_first().ok_or(Unknown::NoRule)?;
        let mut result = self.value(first)?;
        for part in rest {
            let next = self.value(part)?;
            if let (Val::Int(x), Val::Int(y)) = (&result, &next)
                && let Some(value) = small(*x, *y)
            {
                result = Val::Int(value);
                continue;
            }
            let (x, y) = (result.to_int(), next.to_int());
            let value = large(x.ok_or(Unknown::NoRule)?, y.ok_or(Unknown::NoRule)?);
            if value.bits() > limits::NUMBER {
                return Err(Unknown::Long);
            }
            result = Val::int(value);
        }
        Ok(result)
    }

    fn divide(
        &mut self,
        both: &[Expr; 2],
        small: impl Fn(i64, i64) -> Option<i64>,
        large: impl Fn(&BigInt, &BigInt) -> BigInt,
    ) -> Result<Val> {
        let (x, y) = (self.value(&both[0])?, self.value(&both[1])?);
        if let (Val::Int(x), Val::Int(y)) = (&x, &y)
            && let Some(value) = small(*x, *y)
        {
            return Ok(Val::Int(value));
        }
        let x = x.to_int().ok_or(Unknown::NoRule)?;
        let y = y.to_int().ok_or(Unknown::NoRule)?;
        match y.is_zero() {
            true => Err(Unknown::Undefined),
            false => Ok(Val::int(large(&x, &y))),
        }
    }

    fn bits(&mut self, expr: &Expr) -> Result<u64> {
        match self.value(expr)? {
            Val::Bits(value) => Ok(value),
            _ => Err(Unknown::NoRule),
        }
    }

    fn index(&mut self, indices: &[Expr]) -> Result<Val> {
        match indices {
            [only] => self.value(only),
            all => {
                let all: Result<Vec<Val>> = all.iter().map(|index| self.value(index)).collect();
                Ok(Val::index(all?))
            }
        }
    }

    fn other(&mut self, term: Term, args: &[Expr]) -> Result<Val> {
        let node = self.terms.node(term);
        let mut values = Vec::with_capacity(args.len());
        for (expr, &arg) in args.iter().zip(&node.args) {
            let value = self.value(expr)?.to_value(self.terms.sort(arg));
            values.push(value.ok_or(Unknown::NoRule)?);
        }
        let value = apply_op(node, &values).ok_or(Unknown::Undefined)?;
        if let Value::Real(value) = &value
            && value.numer().bits().max(value.denom().bits()) > limits::NUMBER
        {
            return Err(Unknown::Long);
        }
        Val::of(&value, &node.sort).ok_or(Unknown::NoRule)
    }
}

/// A bit-vector operator on values of at most 64 bits, wrapped by the caller; `None` if there is no
/// code for it.
fn bits(op: BvOp, x: u64, y: u64, width: u32, last: u32) -> Option<u64> {
    let shift = 64 - width.clamp(1, 64);
    let signed = |value: u64| (value << shift).cast_signed() >> shift;
    let (sx, sy) = (signed(x), signed(y));
    Some(match op {
        BvOp::Not => !x,
        BvOp::Neg => x.wrapping_neg(),
        BvOp::And => x & y,
        BvOp::Or => x | y,
        BvOp::Xor => x ^ y,
        BvOp::Nand => !(x & y),
        BvOp::Nor => !(x | y),
        BvOp::Xnor => !(x ^ y),
        BvOp::Add => x.wrapping_add(y),
        BvOp::Sub => x.wrapping_sub(y),
        BvOp::Mul => x.wrapping_mul(y),
        BvOp::Udiv => x.checked_div(y).unwrap_or(u64::MAX),
        BvOp::Urem => x.checked_rem(y).unwrap_or(x),
        BvOp::Sdiv => match sy {
            0 if sx < 0 => 1,
            0 => u64::MAX,
            _ => sx.wrapping_div(sy).cast_unsigned(),
        },
        BvOp::Srem => match sy {
            0 => x,
            _ => sx.wrapping_rem(sy).cast_unsigned(),
        },
        BvOp::Shl if y < u64::from(width) => x << y,
        BvOp::Lshr if y < u64::from(width) => x >> y,
        BvOp::Shl | BvOp::Lshr => 0,
        BvOp::Ashr => (sx >> y.min(63)).cast_unsigned(),
        BvOp::Ult => u64::from(x < y),
        BvOp::Ule => u64::from(x <= y),
        BvOp::Slt => u64::from(sx < sy),
        BvOp::Sle => u64::from(sx <= sy),
        BvOp::Concat => (x << last) | y,
        BvOp::Smod => return None,
    })
}
