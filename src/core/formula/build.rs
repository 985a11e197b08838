//! The constructors of terms. Each simplifies what it builds.
//!
//! The simplifications are local and cheap: constants are folded, neutral and absorbing elements
//! vanish, negation is pushed through comparisons, sums are kept as linear combinations. None of
//! them looks deeper than the arguments of the arguments.

mod bits;
mod maps;

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::eval::{euclid_div, euclid_mod};
use super::float;
use super::sort::Sort;
use super::term::{Binder, BinderKind, Builtin, Function, Node, Op, Term, Terms, Var, Version};
use super::value::Value;

/// Nested conjunctions and disjunctions are merged into their parent up to this many operands, so
/// that building a long chain step by step stays linear.
const FLATTEN_LIMIT: usize = 24;

impl Terms {
    // --- literals and symbols -----------------------------------------------------------------

    /// A truth value.
    pub fn bool(&self, value: bool) -> Term {
        self.intern(Op::Bool(value), [], Sort::Bool)
    }

    /// `true`
    pub fn tt(&self) -> Term {
        self.bool(true)
    }

    /// `false`
    pub fn ff(&self) -> Term {
        self.bool(false)
    }

    /// An integer.
    pub fn int(&self, value: impl Into<BigInt>) -> Term {
        self.intern(Op::Int(value.into()), [], Sort::Int)
    }

    /// A real number.
    pub fn real(&self, value: BigRational) -> Term {
        self.intern(Op::Real(value), [], Sort::Real)
    }

    /// A bit-vector; the value is taken modulo `2^width`.
    pub fn bitvec(&self, value: BigUint, width: u32) -> Term {
        let value = value % (BigUint::one() << width);
        self.intern(Op::BitVec(value), [], Sort::BitVec(width))
    }

    /// A variable.
    pub fn var(&self, name: impl Into<Arc<str>>, version: Version, sort: Sort) -> Term {
        let name = name.into();
        self.intern(Op::Var(Var { name, version }), [], sort)
    }

    /// The program variable `name` before a transition.
    pub fn current(&self, name: impl Into<Arc<str>>, sort: Sort) -> Term {
        self.var(name, Version::Current, sort)
    }

    /// The program variable `name` after a transition.
    pub fn next(&self, name: impl Into<Arc<str>>, sort: Sort) -> Term {
        self.var(name, Version::Next, sort)
    }

    /// An auxiliary that did not exist before; `name` is for people.
    pub fn fresh_aux(&self, name: impl Into<Arc<str>>, sort: Sort) -> Term {
        let number = self.fresh_number();
        self.var(name, Version::Aux(number), sort)
    }

    /// A bound variable that did not exist before, for [`Terms::bind`].
    pub fn fresh_bound(&self, name: impl Into<Arc<str>>, sort: Sort) -> Term {
        let number = self.fresh_number();
        self.var(name, Version::Bound(number), sort)
    }

    /// The variable behind a term, if it is one.
    pub fn as_var(&self, term: Term) -> Option<&Var> {
        match self.op(term) {
            Op::Var(var) => Some(var),
            _ => None,
        }
    }

    /// A rigid symbol applied to arguments of the sorts it declares.
    pub fn apply(&self, function: &Arc<Function>, args: &[Term]) -> Term {
        debug_assert_eq!(function.params.len(), args.len(), "{}", function.name);
        self.intern(Op::Apply(function.clone()), args, function.result.clone())
    }

    /// A function known to SMT-LIB by name. Of literals it becomes a literal, where its value is
    /// defined.
    pub fn builtin(&self, builtin: &Arc<Builtin>, args: &[Term]) -> Term {
        let values: Option<Vec<Value>> = args.iter().map(|&arg| self.as_value(arg)).collect();
        let folded = values
            .and_then(|values| float::apply(builtin, &values)?.ok())
            .and_then(|value| self.plain_value(&value))
            .filter(|&literal| *self.sort(literal) == builtin.result);
        folded.unwrap_or_else(|| self.plain_builtin(builtin.clone(), args))
    }

    pub(super) fn plain_builtin(&self, builtin: Arc<Builtin>, args: &[Term]) -> Term {
        let sort = builtin.result.clone();
        self.intern(Op::Builtin(builtin), args, sort)
    }

    /// A quantifier or lambda over `vars` (made by [`Terms::fresh_bound`]); `patterns` are lists
    /// of trigger terms.
    pub fn bind(
        &self,
        kind: BinderKind,
        vars: &[Term],
        body: Term,
        patterns: &[Vec<Term>],
    ) -> Term {
        if vars.is_empty() {
            return body;
        }
        let sort = match kind {
            BinderKind::Forall | BinderKind::Exists => {
                if matches!(self.op(body), Op::Bool(_)) {
                    return body;
                }
                Sort::Bool
            }
            BinderKind::Lambda => {
                let sort = Sort::map(
                    vars.iter().map(|v| self.sort(*v).clone()).collect(),
                    self.sort(body).clone(),
                );
                if !self.post_order(&[body]).iter().any(|t| vars.contains(t)) {
                    return self.const_map(sort, body);
                }
                sort
            }
        };
        let binder = Binder {
            kind,
            vars: vars.to_vec(),
            patterns: patterns.iter().map(Vec::len).collect(),
        };
        let mut args = vec![body];
        args.extend(patterns.iter().flatten());
        self.intern(Op::Bind(Arc::new(binder)), args, sort)
    }

    // --- propositional ------------------------------------------------------------------------

    /// `!a`
    pub fn not(&self, a: Term) -> Term {
        let node = self.node(a);
        match (&node.op, &*node.args) {
            (Op::Bool(value), _) => self.bool(!value),
            (Op::Not, [b]) => *b,
            (Op::Le, [b, c]) => self.lt(*c, *b),
            (Op::Lt, [b, c]) => self.le(*c, *b),
            _ => self.intern(Op::Not, [a], Sort::Bool),
        }
    }

    /// The conjunction; `true` if there is none.
    pub fn and(&self, conjuncts: impl IntoIterator<Item = Term>) -> Term {
        self.junction(true, conjuncts)
    }

    /// The disjunction; `false` if there is none.
    pub fn or(&self, disjuncts: impl IntoIterator<Item = Term>) -> Term {
        self.junction(false, disjuncts)
    }

    /// Conjunction (`neutral == true`) or disjunction (`neutral == false`).
    fn junction(&self, neutral: bool, operands: impl IntoIterator<Item = Term>) -> Term {
        let op = if neutral { Op::And } else { Op::Or };
        let mut flat = indexmap::IndexSet::new();
        for operand in operands {
            let node = self.node(operand);
            if node.op == Op::Bool(neutral) {
                continue;
            }
            if node.op == Op::Bool(!neutral) {
                return operand;
            }
            if node.op == op && node.args.len() + flat.len() <= FLATTEN_LIMIT {
                flat.extend(node.args.iter().copied());
            } else {
                flat.insert(operand);
            }
        }
        // `a && !a`; comparisons included, since `not` normalises them.
        if flat.iter().any(|&t| match &self.node(t).op {
            Op::Not => flat.contains(&self.args(t)[0]),
            Op::Le | Op::Lt => flat.contains(&self.not(t)),
            _ => false,
        }) {
            return self.bool(!neutral);
        }
        match flat.len() {
            0 => self.bool(neutral),
            1 => flat[0],
            _ => self.intern(op, flat.into_iter().collect::<Box<[Term]>>(), Sort::Bool),
        }
    }

    /// `a && b`
    pub fn and2(&self, a: Term, b: Term) -> Term {
        self.and([a, b])
    }

    /// `a || b`
    pub fn or2(&self, a: Term, b: Term) -> Term {
        self.or([a, b])
    }

    /// `a ==> b`
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or([self.not(a), b])
    }

    /// `if condition then a else b`, at any sort.
    pub fn ite(&self, condition: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        match (self.op(condition), self.op(a), self.op(b)) {
            (Op::Bool(true), _, _) => return a,
            (Op::Bool(false), _, _) => return b,
            (Op::Not, _, _) => return self.ite(self.args(condition)[0], b, a),
            (_, Op::Bool(true), _) => return self.or2(condition, b),
            (_, Op::Bool(false), _) => return self.and2(self.not(condition), b),
            (_, _, Op::Bool(true)) => return self.or2(self.not(condition), a),
            (_, _, Op::Bool(false)) => return self.and2(condition, a),
            _ => {}
        }
        // A branch that asks the same again knows the answer.
        match (self.op(a), self.args(a), self.op(b), self.args(b)) {
            (Op::Ite, [inner, x, _], _, _) if *inner == condition => {
                return self.ite(condition, *x, b);
            }
            (_, _, Op::Ite, [inner, _, y]) if *inner == condition => {
                return self.ite(condition, a, *y);
            }
            _ => {}
        }
        self.intern(Op::Ite, [condition, a, b], self.sort(a).clone())
    }

    /// `a == b`, at any sort.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        if a == b {
            return self.tt();
        }
        let (left, right) = (self.node(a), self.node(b));
        if let Some(equal) = distinct_literals(left, right) {
            return self.bool(equal);
        }
        if let (Some(left), Some(right)) = (self.float_value(a), self.float_value(b)) {
            return self.bool(left == right);
        }
        match (&left.op, &right.op) {
            (Op::Bool(true), _) => return b,
            (Op::Bool(false), _) => return self.not(b),
            (_, Op::Bool(true)) => return a,
            (_, Op::Bool(false)) => return self.not(a),
            _ => {}
        }
        if let Some((bits, value)) = self.only_bits(a, b).or_else(|| self.only_bits(b, a)) {
            return self.eq(bits, value);
        }
        // One order for both ways of writing it, with literals on the right.
        let (a, b) = match (is_literal(&left.op), is_literal(&right.op)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        };
        self.intern(Op::Eq, [a, b], Sort::Bool)
    }

    /// `a != b`
    pub fn neq(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }

    /// All different from each other.
    pub fn distinct(&self, terms: &[Term]) -> Term {
        match terms {
            [] | [_] => self.tt(),
            [a, b] => self.neq(*a, *b),
            _ => self.intern(Op::Distinct, terms, Sort::Bool),
        }
    }

    // --- arithmetic ---------------------------------------------------------------------------

    /// A number of an arithmetic sort; a fraction makes no sense as an integer and is refused.
    pub fn number(&self, value: BigRational, sort: &Sort) -> Option<Term> {
        match sort {
            Sort::Int => value.is_integer().then(|| self.int(value.to_integer())),
            Sort::Real => Some(self.real(value)),
            _ => None,
        }
    }

    /// The value of a numeric literal.
    pub fn as_number(&self, term: Term) -> Option<BigRational> {
        match self.op(term) {
            Op::Int(value) => Some(BigRational::from_integer(value.clone())),
            Op::Real(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// The sum of one or more terms of one arithmetic sort, as a linear combination: like terms
    /// are added up, the constant stands last.
    pub fn add(&self, summands: &[Term]) -> Term {
        let sort = self.sort(summands[0]).clone();
        let mut constant = BigRational::zero();
        let mut coefficients: BTreeMap<Term, BigRational> = BTreeMap::new();
        for &summand in summands {
            let parts = match self.op(summand) {
                Op::Add => self.args(summand),
                _ => std::slice::from_ref(&summand),
            };
            for &part in parts {
                if let Some(value) = self.as_number(part) {
                    constant += value;
                } else {
                    let (factor, base) = self.split_factor(part);
                    *coefficients.entry(base).or_insert_with(BigRational::zero) += factor;
                }
            }
        }
        let mut parts: Vec<Term> = coefficients
            .into_iter()
            .filter(|(_, factor)| !factor.is_zero())
            .map(|(base, factor)| self.scale(factor, base))
            .collect();
        if !constant.is_zero() || parts.is_empty() {
            // Sums of integers have integer constants.
            parts.extend(self.number(constant, &sort));
        }
        match parts.len() {
            1 => parts[0],
            _ => self.intern(Op::Add, parts, sort),
        }
    }

    /// `factor * base` as stored: the factor is the first argument of a product.
    pub(super) fn split_factor(&self, term: Term) -> (BigRational, Term) {
        if let (Op::Mul, [first, rest @ ..]) = (self.op(term), self.args(term))
            && let Some(factor) = self.as_number(*first)
        {
            let base = match rest {
                [base] => *base,
                _ => self.intern(Op::Mul, rest, self.sort(term).clone()),
            };
            return (factor, base);
        }
        (BigRational::one(), term)
    }

    /// `factor * base` for a base without a factor of its own.
    fn scale(&self, factor: BigRational, base: Term) -> Term {
        if factor.is_one() {
            return base;
        }
        let sort = self.sort(base).clone();
        let Some(literal) = self.number(factor, &sort) else {
            return base; // Cannot be: factors of integers are integers.
        };
        let mut args = vec![literal];
        match self.op(base) {
            Op::Mul => args.extend(self.args(base)),
            _ => args.push(base),
        }
        self.intern(Op::Mul, args, sort)
    }

    /// `a - b`
    pub fn sub(&self, a: Term, b: Term) -> Term {
        self.add(&[a, self.neg(b)])
    }

    /// `-a`
    pub fn neg(&self, a: Term) -> Term {
        let minus_one = BigRational::from_integer(BigInt::from(-1));
        let literal = match self.sort(a) {
            Sort::Real => self.real(minus_one),
            _ => self.int(-1),
        };
        self.mul(&[literal, a])
    }

    /// The product of one or more terms of one arithmetic sort. A constant factor stands first
    /// and is distributed over a sum.
    pub fn mul(&self, factors: &[Term]) -> Term {
        let sort = self.sort(factors[0]).clone();
        let mut constant = BigRational::one();
        let mut bases: Vec<Term> = Vec::new();
        for &factor in factors {
            let parts = match self.op(factor) {
                Op::Mul => self.args(factor),
                _ => std::slice::from_ref(&factor),
            };
            for &part in parts {
                match self.as_number(part) {
                    Some(value) => constant *= value,
                    None => bases.push(part),
                }
            }
        }
        if constant.is_zero() || bases.is_empty() {
            return match sort {
                Sort::Real => self.real(constant),
                _ => self.int(constant.to_integer()),
            };
        }
        bases.sort_unstable();
        if let [base] = bases[..] {
            if let Op::Add = self.op(base) {
                let parts: Vec<Term> = self
                    .args(base)
                    .to_vec()
                    .into_iter()
                    .map(|part| match self.as_number(part) {
                        Some(value) => match sort {
                            Sort::Real => self.real(value * &constant),
                            _ => self.int((value * &constant).to_integer()),
                        },
                        None => {
                            let (factor, base) = self.split_factor(part);
                            self.scale(factor * &constant, base)
                        }
                    })
                    .collect();
                return self.add(&parts);
            }
            return self.scale(constant, base);
        }
        let product = self.intern(Op::Mul, bases, sort);
        self.scale(constant, product)
    }

    /// Integer division, Euclidean as in SMT-LIB. A divisor that may be zero must be guarded by
    /// the caller.
    pub fn div(&self, a: Term, b: Term) -> Term {
        if let (Op::Int(x), Op::Int(y)) = (self.op(a), self.op(b))
            && !y.is_zero()
        {
            return self.int(euclid_div(x, y));
        }
        if matches!(self.op(b), Op::Int(y) if y.is_one()) {
            return a;
        }
        self.intern(Op::Div, [a, b], Sort::Int)
    }

    /// Integer remainder, Euclidean: never negative. A divisor that may be zero must be guarded
    /// by the caller.
    pub fn modulo(&self, a: Term, b: Term) -> Term {
        if let (Op::Int(x), Op::Int(y)) = (self.op(a), self.op(b))
            && !y.is_zero()
        {
            return self.int(euclid_mod(x, y));
        }
        if matches!(self.op(b), Op::Int(y) if y.is_one()) {
            return self.int(0);
        }
        self.intern(Op::Mod, [a, b], Sort::Int)
    }

    /// Division of reals. A divisor that may be zero must be guarded by the caller.
    pub fn real_div(&self, a: Term, b: Term) -> Term {
        if let Op::Real(y) = self.op(b)
            && !y.is_zero()
        {
            return self.mul(&[self.real(y.recip()), a]);
        }
        self.intern(Op::RealDiv, [a, b], Sort::Real)
    }

    /// `a <= b`
    pub fn le(&self, a: Term, b: Term) -> Term {
        if a == b {
            return self.tt();
        }
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            return self.bool(x <= y);
        }
        self.intern(Op::Le, [a, b], Sort::Bool)
    }

    /// `a < b`
    pub fn lt(&self, a: Term, b: Term) -> Term {
        if a == b {
            return self.ff();
        }
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            return self.bool(x < y);
        }
        self.intern(Op::Lt, [a, b], Sort::Bool)
    }

    /// `a >= b`
    pub fn ge(&self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }

    /// `a > b`
    pub fn gt(&self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    /// An integer as a real.
    pub fn to_real(&self, a: Term) -> Term {
        match self.op(a) {
            Op::Int(value) => self.real(BigRational::from_integer(value.clone())),
            _ => self.intern(Op::ToReal, [a], Sort::Real),
        }
    }

    /// The floor of a real.
    pub fn to_int(&self, a: Term) -> Term {
        match self.op(a) {
            Op::Real(value) => self.int(value.numer().div_floor(value.denom())),
            Op::ToReal => self.args(a)[0],
            _ => self.intern(Op::ToInt, [a], Sort::Int),
        }
    }

    // --- bit-vectors --------------------------------------------------------------------------

    // --- maps ---------------------------------------------------------------------------------

    // --- datatypes ----------------------------------------------------------------------------

    // --- any ----------------------------------------------------------------------------------

    /// A node like `node` over other arguments of the same sorts, simplified.
    pub fn rebuild(&self, node: &Node, args: &[Term]) -> Term {
        match &node.op {
            Op::Bool(_) | Op::Int(_) | Op::Real(_) | Op::BitVec(_) | Op::Var(_) => {
                self.intern(node.op.clone(), [], node.sort.clone())
            }
            Op::Apply(function) => self.apply(function, args),
            Op::Builtin(builtin) => self.builtin(builtin, args),
            Op::Not => self.not(args[0]),
            Op::And => self.and(args.iter().copied()),
            Op::Or => self.or(args.iter().copied()),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Distinct => self.distinct(args),
            Op::Add => self.add(args),
            Op::Mul => self.mul(args),
            Op::Div => self.div(args[0], args[1]),
            Op::Mod => self.modulo(args[0], args[1]),
            Op::RealDiv => self.real_div(args[0], args[1]),
            Op::Le => self.le(args[0], args[1]),
            Op::Lt => self.lt(args[0], args[1]),
            Op::ToReal => self.to_real(args[0]),
            Op::ToInt => self.to_int(args[0]),
            Op::Bv(op) => self.bv(*op, args),
            Op::Extract { high, low } => self.extract(args[0], *high, *low),
            Op::ZeroExtend(by) => self.zero_extend(args[0], *by),
            Op::SignExtend(by) => self.sign_extend(args[0], *by),
            Op::Select => self.select(args[0], &args[1..]),
            Op::Store => self.store(args[0], &args[1..args.len() - 1], args[args.len() - 1]),
            Op::ConstMap => self.const_map(node.sort.clone(), args[0]),
            Op::Construct(constructor) => self.construct(&node.sort, *constructor, args),
            Op::Field { constructor, field } => self.field(args[0], *constructor, *field),
            Op::Is(constructor) => self.is(args[0], *constructor),
            Op::Bind(binder) => {
                let mut rest = &args[1..];
                let mut patterns = Vec::new();
                for &length in &binder.patterns {
                    let (pattern, after) = rest.split_at(length);
                    patterns.push(pattern.to_vec());
                    rest = after;
                }
                self.bind(binder.kind, &binder.vars, args[0], &patterns)
            }
        }
    }
}

/// Whether the operator is a literal of its sort.
pub(super) fn is_literal(op: &Op) -> bool {
    matches!(op, Op::Bool(_) | Op::Int(_) | Op::Real(_) | Op::BitVec(_))
}

/// Whether two literals are equal; `None` if one is no literal.
fn distinct_literals(a: &Node, b: &Node) -> Option<bool> {
    (is_literal(&a.op) && is_literal(&b.op) && a.sort == b.sort).then(|| a.op == b.op)
}
