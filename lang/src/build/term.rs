//! Expressions under construction.
//!
//! Terms share their parts, so that a copy costs nothing. Operations on constants are done at once, and so are the
//! simplifications that a person would do (`x + 0`, `!!a`, `if true then a else b`).

use std::rc::Rc;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::hir::{
    BinaryOp, Expr, ExprKind, FloatLiteral, FunctionId, NaryOp, RoundingMode, Type, VarRef,
};
use crate::span::Span;
use crate::stack::ensure_stack;
use crate::typing::float_bits;

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Term {
    node: Rc<Node>,
    ty: Type,
}

#[derive(Debug)]
struct Node(Kind);

#[derive(Debug, PartialEq)]
enum Kind {
    Bool(bool),
    Int(BigInt),
    Real(BigRational),
    BitVec(BigUint),
    Float(FloatLiteral),
    RoundingMode(RoundingMode),
    Variable(VarRef),
    Not(Term),
    Neg(Term),
    Nary(NaryOp, Term, Term),
    Binary(BinaryOp, Term, Term),
    Concat(Term, Term),
    Extract(Term, u32, u32),
    Select(Term, Vec<Term>),
    Store(Term, Vec<Term>, Term),
    Call(FunctionId, Vec<Term>),
    If(Term, Term, Term),
    IntToReal(Term),
    RealToInt(Term),
    Misfit(String),
}

impl Drop for Node {
    /// Terms may be nested very deeply.
    fn drop(&mut self) {
        if !matches!(
            self.0,
            Kind::Bool(_) | Kind::Int(_) | Kind::BitVec(_) | Kind::Variable(_)
        ) {
            let kind = std::mem::replace(&mut self.0, Kind::Bool(false));
            ensure_stack(|| drop(kind));
        }
    }
}

impl Eq for Term {}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        Rc::ptr_eq(&self.node, &other.node)
            || self.ty == other.ty && ensure_stack(|| self.node.0 == other.node.0)
    }
}

impl Term {
    fn new(kind: Kind, ty: Type) -> Term {
        Term {
            node: Rc::new(Node(kind)),
            ty,
        }
    }

    fn kind(&self) -> &Kind {
        &self.node.0
    }

    /// Its type.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// What stands for a mistake of the translator, in words. A program with it is refused.
    pub fn misfit(what: impl Into<String>) -> Term {
        Term::new(Kind::Misfit(what.into()), Type::Error)
    }

    /// The operation does not fit these operands.
    fn unfit(operation: &str, operands: &[&Term]) -> Term {
        for operand in operands {
            if matches!(operand.kind(), Kind::Misfit(_)) {
                return (*operand).clone();
            }
        }
        let types: Vec<String> = operands.iter().map(|o| format!("{:?}", o.ty)).collect();
        Term::misfit(format!("{operation} of {}", types.join(" and ")))
    }

    /// A variable.
    pub fn variable(variable: VarRef, ty: Type) -> Term {
        Term::new(Kind::Variable(variable), ty)
    }

    /// An integer.
    pub fn int(value: impl Into<BigInt>) -> Term {
        Term::new(Kind::Int(value.into()), Type::Int)
    }

    /// A real number.
    pub fn real(value: impl Into<BigInt>) -> Term {
        let value = BigRational::from_integer(value.into());
        Term::new(Kind::Real(value), Type::Real)
    }

    /// A truth value.
    pub fn truth(value: bool) -> Term {
        Term::new(Kind::Bool(value), Type::Bool)
    }

    /// A bit-vector: a number modulo 2^width.
    pub fn bit_vector(value: &BigInt, width: u32) -> Term {
        let value = value.mod_floor(&(BigInt::one() << width));
        Term::new(Kind::BitVec(value.magnitude().clone()), Type::BitVec(width))
    }

    /// A rounding mode.
    pub fn rounding_mode(mode: RoundingMode) -> Term {
        Term::new(Kind::RoundingMode(mode), Type::RoundingMode)
    }

    /// An infinity, or what is no number.
    pub fn special_float(value: FloatLiteral, significand: u32, exponent: u32) -> Term {
        let ty = Type::Float {
            significand,
            exponent,
        };
        Term::new(Kind::Float(value), ty)
    }

    /// A floating-point number with this value; `None` if the format has no such number.
    pub fn float(value: &BigRational, significand: u32, exponent: u32) -> Option<Term> {
        let shift = value.denom().bits().saturating_sub(1);
        if value.denom() != &(BigInt::one() << shift) {
            return None;
        }
        let magnitude = value.numer().magnitude();
        let power = -shift.to_i64()?;
        let bits = float_bits(magnitude, power, significand, exponent).ok()?;
        let literal = Term::special_float(FloatLiteral::Bits(bits), significand, exponent);
        Some(match value.is_negative() {
            true => Term::new(Kind::Neg(literal.clone()), literal.ty.clone()),
            false => literal,
        })
    }

    /// The value, if it is an integer constant.
    pub fn as_int(&self) -> Option<&BigInt> {
        match self.kind() {
            Kind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if it is a bit-vector constant, unsigned.
    pub fn as_bit_vector(&self) -> Option<&BigUint> {
        match self.kind() {
            Kind::BitVec(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if it is a truth value.
    pub fn as_truth(&self) -> Option<bool> {
        match self.kind() {
            Kind::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether it is a variable.
    pub fn as_variable(&self) -> Option<VarRef> {
        match self.kind() {
            Kind::Variable(variable) => Some(*variable),
            _ => None,
        }
    }

    /// Whether it is a variable or a constant: to have it twice costs nothing.
    pub fn is_small(&self) -> bool {
        match self.kind() {
            Kind::Bool(_)
            | Kind::Int(_)
            | Kind::Real(_)
            | Kind::BitVec(_)
            | Kind::Float(_)
            | Kind::RoundingMode(_)
            | Kind::Variable(_) => true,
            // A negative number is written as a negation.
            Kind::Neg(operand) => matches!(operand.kind(), Kind::Float(_)),
            _ => false,
        }
    }

    /// Whether it is a constant.
    pub fn is_constant(&self) -> bool {
        self.is_small() && !matches!(self.kind(), Kind::Variable(_))
    }

    /// A map and the indices of its element, if the term is one.
    pub fn as_element(&self) -> Option<(&Term, &[Term])> {
        match self.kind() {
            Kind::Select(map, indices) => Some((map, indices)),
            _ => None,
        }
    }

    fn both_numbers(&self, right: &Term) -> bool {
        self.ty == right.ty && self.ty.is_numeric()
    }

    /// `self + right`, of ints, reals or floats.
    pub fn add(&self, right: &Term) -> Term {
        if !self.both_numbers(right) {
            return Term::unfit("the sum", &[self, right]);
        }
        match (self.as_int(), right.as_int()) {
            (Some(a), Some(b)) => Term::int(a + b),
            (Some(zero), None) if zero.is_zero() => right.clone(),
            (None, Some(zero)) if zero.is_zero() => self.clone(),
            (None, Some(b)) if b.is_negative() => self.arithmetic(BinaryOp::Sub, &Term::int(-b)),
            _ => self.chain(NaryOp::Add, right),
        }
    }

    /// `self - right`, of ints, reals or floats.
    pub fn subtract(&self, right: &Term) -> Term {
        if !self.both_numbers(right) {
            return Term::unfit("the difference", &[self, right]);
        }
        match (self.as_int(), right.as_int()) {
            (Some(a), Some(b)) => Term::int(a - b),
            (None, Some(zero)) if zero.is_zero() => self.clone(),
            (None, Some(b)) if b.is_negative() => self.chain(NaryOp::Add, &Term::int(-b)),
            (Some(zero), None) if zero.is_zero() => right.negate(),
            _ => self.arithmetic(BinaryOp::Sub, right),
        }
    }

    /// `self * right`, of ints, reals or floats.
    pub fn multiply(&self, right: &Term) -> Term {
        if !self.both_numbers(right) {
            return Term::unfit("the product", &[self, right]);
        }
        match (self.as_int(), right.as_int()) {
            (Some(a), Some(b)) => Term::int(a * b),
            (Some(one), None) if one.is_one() => right.clone(),
            (None, Some(one)) if one.is_one() => self.clone(),
            (Some(zero), None) | (None, Some(zero)) if zero.is_zero() => Term::int(0),
            _ => self.chain(NaryOp::Mul, right),
        }
    }

    fn chain(&self, op: NaryOp, right: &Term) -> Term {
        Term::new(Kind::Nary(op, self.clone(), right.clone()), self.ty.clone())
    }

    fn arithmetic(&self, op: BinaryOp, right: &Term) -> Term {
        Term::new(
            Kind::Binary(op, self.clone(), right.clone()),
            self.ty.clone(),
        )
    }

    /// `-self`
    pub fn negate(&self) -> Term {
        match self.as_int() {
            Some(value) => Term::int(-value),
            None if self.ty.is_numeric() => Term::new(Kind::Neg(self.clone()), self.ty.clone()),
            None => Term::unfit("the negation", &[self]),
        }
    }

    /// `self div right` of ints: rounded down for a positive divisor.
    pub fn div(&self, right: &Term) -> Term {
        match right.as_int() {
            Some(one) if one.is_one() => self.clone(),
            _ => self.quotient(BinaryOp::IntDiv, right),
        }
    }

    /// `self mod right` of ints: never negative.
    pub fn modulo(&self, right: &Term) -> Term {
        self.quotient(BinaryOp::IntMod, right)
    }

    fn quotient(&self, op: BinaryOp, right: &Term) -> Term {
        match (&self.ty, &right.ty) {
            (Type::Int, Type::Int) => self.arithmetic(op, right),
            _ => Term::unfit("the quotient", &[self, right]),
        }
    }

    /// A comparison: by `==`, `!=`, `<`, `<=`, `>` or `>=`.
    pub fn compare(&self, op: BinaryOp, right: &Term) -> Term {
        let fits = match op {
            BinaryOp::Eq | BinaryOp::Neq => self.ty == right.ty && self.ty != Type::Error,
            _ => self.both_numbers(right),
        };
        if !fits {
            return Term::unfit("the comparison", &[self, right]);
        }
        if let (Some(a), Some(b)) = (self.as_int(), right.as_int()) {
            return Term::truth(match op {
                BinaryOp::Eq => a == b,
                BinaryOp::Neq => a != b,
                BinaryOp::Lt => a < b,
                BinaryOp::Le => a <= b,
                BinaryOp::Gt => a > b,
                _ => a >= b,
            });
        }
        Term::new(Kind::Binary(op, self.clone(), right.clone()), Type::Bool)
    }

    /// `self == right`
    pub fn equals(&self, right: &Term) -> Term {
        self.compare(BinaryOp::Eq, right)
    }

    /// `self != right`
    pub fn differs(&self, right: &Term) -> Term {
        self.compare(BinaryOp::Neq, right)
    }

    /// `self < right`
    pub fn less(&self, right: &Term) -> Term {
        self.compare(BinaryOp::Lt, right)
    }

    /// `self <= right`
    pub fn at_most(&self, right: &Term) -> Term {
        self.compare(BinaryOp::Le, right)
    }

    /// `self > right`
    pub fn greater(&self, right: &Term) -> Term {
        self.compare(BinaryOp::Gt, right)
    }

    /// `self >= right`
    pub fn at_least(&self, right: &Term) -> Term {
        self.compare(BinaryOp::Ge, right)
    }

    /// `!self`
    pub fn not(&self) -> Term {
        match self.kind() {
            Kind::Bool(value) => Term::truth(!value),
            Kind::Not(operand) => operand.clone(),
            _ if self.ty == Type::Bool => Term::new(Kind::Not(self.clone()), Type::Bool),
            _ => Term::unfit("the negation", &[self]),
        }
    }

    fn both_truths(&self, right: &Term) -> bool {
        self.ty == Type::Bool && right.ty == Type::Bool
    }

    /// `self && right`
    pub fn and(&self, right: &Term) -> Term {
        match (self.as_truth(), right.as_truth()) {
            _ if !self.both_truths(right) => Term::unfit("the conjunction", &[self, right]),
            (Some(true), _) => right.clone(),
            (_, Some(true)) => self.clone(),
            (Some(false), _) | (_, Some(false)) => Term::truth(false),
            _ => self.chain(NaryOp::And, right),
        }
    }

    /// `self || right`
    pub fn or(&self, right: &Term) -> Term {
        match (self.as_truth(), right.as_truth()) {
            _ if !self.both_truths(right) => Term::unfit("the disjunction", &[self, right]),
            (Some(false), _) => right.clone(),
            (_, Some(false)) => self.clone(),
            (Some(true), _) | (_, Some(true)) => Term::truth(true),
            _ => self.chain(NaryOp::Or, right),
        }
    }

    /// `self ==> right`
    pub fn implies(&self, right: &Term) -> Term {
        match (self.as_truth(), right.as_truth()) {
            _ if !self.both_truths(right) => Term::unfit("the implication", &[self, right]),
            (Some(true), _) => right.clone(),
            (Some(false), _) | (_, Some(true)) => Term::truth(true),
            (_, Some(false)) => self.not(),
            _ => Term::new(
                Kind::Binary(BinaryOp::Implies, self.clone(), right.clone()),
                Type::Bool,
            ),
        }
    }

    /// `if self then yes else no`
    pub fn choose(&self, yes: &Term, no: &Term) -> Term {
        if self.ty != Type::Bool || yes.ty != no.ty || yes.ty == Type::Error {
            return Term::unfit("the choice", &[self, yes, no]);
        }
        match self.as_truth() {
            Some(true) => yes.clone(),
            Some(false) => no.clone(),
            None if yes == no => yes.clone(),
            None => match (yes.as_truth(), no.as_truth()) {
                (Some(true), Some(false)) => self.clone(),
                (Some(false), Some(true)) => self.not(),
                (Some(true), None) => self.or(no),
                (None, Some(false)) => self.and(yes),
                (Some(false), None) => self.not().and(no),
                (None, Some(true)) => self.not().or(yes),
                _ => Term::new(
                    Kind::If(self.clone(), yes.clone(), no.clone()),
                    yes.ty.clone(),
                ),
            },
        }
    }

    /// The range of a map, if the indices fit its domain.
    fn element_type(&self, indices: &[Term]) -> Option<Type> {
        let Type::Map(map) = &self.ty else {
            return None;
        };
        let fits = map.type_params.is_empty()
            && map.domain.len() == indices.len()
            && map.domain.iter().zip(indices).all(|(ty, i)| *ty == i.ty);
        fits.then(|| map.range.clone())
    }

    /// `self[indices]`; the term itself without indices.
    pub fn select(&self, indices: &[Term]) -> Term {
        if indices.is_empty() {
            return self.clone();
        }
        match self.element_type(indices) {
            Some(ty) => Term::new(Kind::Select(self.clone(), indices.to_vec()), ty),
            None => {
                let operands: Vec<&Term> = std::iter::once(self).chain(indices).collect();
                Term::unfit("the element", &operands)
            }
        }
    }

    /// `self[indices := value]`; the value itself without indices.
    pub fn store(&self, indices: &[Term], value: &Term) -> Term {
        if indices.is_empty() {
            return value.clone();
        }
        match self.element_type(indices) {
            Some(ty) if ty == value.ty => {
                let kind = Kind::Store(self.clone(), indices.to_vec(), value.clone());
                Term::new(kind, self.ty.clone())
            }
            _ => {
                let operands = std::iter::once(self).chain(indices);
                let operands: Vec<&Term> = operands.chain([value]).collect();
                Term::unfit("the update", &operands)
            }
        }
    }

    /// The application of a function that is declared with these types of parameters and this result.
    pub fn call(function: FunctionId, params: &[Type], result: &Type, args: &[&Term]) -> Term {
        let fits =
            params.len() == args.len() && params.iter().zip(args).all(|(ty, arg)| *ty == arg.ty);
        if !fits {
            return Term::unfit("the application of a function", args);
        }
        let args = args.iter().map(|arg| (*arg).clone()).collect();
        Term::new(Kind::Call(function, args), result.clone())
    }

    /// `self[high:low]`: the bits from `low` on below `high`.
    pub fn extract(&self, high: u32, low: u32) -> Term {
        match self.ty {
            Type::BitVec(width) if low <= high && high <= width => Term::new(
                Kind::Extract(self.clone(), high, low),
                Type::BitVec(high - low),
            ),
            _ => Term::unfit("bits", &[self]),
        }
    }

    /// `self ++ low`, of bit-vectors.
    pub fn concat(&self, low: &Term) -> Term {
        match (&self.ty, &low.ty) {
            (Type::BitVec(a), Type::BitVec(b)) => {
                let ty = Type::BitVec(a + b);
                Term::new(Kind::Concat(self.clone(), low.clone()), ty)
            }
            _ => Term::unfit("the concatenation", &[self, low]),
        }
    }

    /// An int as a real number.
    pub fn int_to_real(&self) -> Term {
        match self.ty {
            Type::Int => Term::new(Kind::IntToReal(self.clone()), Type::Real),
            _ => Term::unfit("the conversion to a real number", &[self]),
        }
    }

    /// The greatest int that is not above a real number.
    pub fn real_to_int(&self) -> Term {
        match self.ty {
            Type::Real => Term::new(Kind::RealToInt(self.clone()), Type::Int),
            _ => Term::unfit("the conversion of a real number", &[self]),
        }
    }

    /// As an expression of the typed program, all of it at one place; or the mistake in it.
    ///
    /// # Errors
    /// What the translator did wrong.
    pub fn expr(&self, span: Span) -> Result<Expr, String> {
        ensure_stack(|| {
            let kind = self.expr_kind(span)?;
            Ok(Expr::new(kind, self.ty.clone(), span))
        })
    }

    fn boxed(&self, span: Span) -> Result<Box<Expr>, String> {
        self.expr(span).map(Box::new)
    }

    fn expr_kind(&self, span: Span) -> Result<ExprKind, String> {
        let all = |terms: &[Term]| -> Result<Vec<Expr>, String> {
            terms.iter().map(|term| term.expr(span)).collect()
        };
        Ok(match self.kind() {
            Kind::Bool(value) => ExprKind::Bool(*value),
            // As the front end reads it: there are no negative literals.
            Kind::Int(value) if value.is_negative() => {
                let magnitude = ExprKind::Int(-value);
                ExprKind::Neg(Box::new(Expr::new(magnitude, Type::Int, span)))
            }
            Kind::Int(value) => ExprKind::Int(value.clone()),
            Kind::Real(value) => ExprKind::Real(value.clone()),
            Kind::BitVec(value) => match self.ty {
                Type::BitVec(width) => ExprKind::BitVec {
                    value: value.clone(),
                    width,
                },
                _ => return Err("a bit-vector of another type".to_owned()),
            },
            Kind::Float(value) => ExprKind::Float(value.clone()),
            Kind::RoundingMode(mode) => ExprKind::RoundingMode(*mode),
            Kind::Variable(variable) => ExprKind::Var(*variable),
            Kind::Not(operand) => ExprKind::Not(operand.boxed(span)?),
            Kind::Neg(operand) => ExprKind::Neg(operand.boxed(span)?),
            Kind::Nary(op, ..) => {
                let mut operands = Vec::new();
                for operand in self.operands(*op) {
                    operands.push(operand.expr(span)?);
                }
                ExprKind::Nary(*op, operands)
            }
            Kind::Binary(op, left, right) => {
                ExprKind::Binary(*op, left.boxed(span)?, right.boxed(span)?)
            }
            Kind::Concat(high, low) => ExprKind::Concat(high.boxed(span)?, low.boxed(span)?),
            Kind::Extract(value, high, low) => ExprKind::Extract {
                value: value.boxed(span)?,
                high: *high,
                low: *low,
            },
            Kind::Select(map, indices) => ExprKind::Select {
                map: map.boxed(span)?,
                type_args: Vec::new(),
                indices: all(indices)?,
            },
            Kind::Store(map, indices, value) => ExprKind::Store {
                map: map.boxed(span)?,
                type_args: Vec::new(),
                indices: all(indices)?,
                value: value.boxed(span)?,
            },
            Kind::Call(function, args) => ExprKind::Call {
                function: *function,
                type_args: Vec::new(),
                args: all(args)?,
            },
            Kind::If(condition, yes, no) => ExprKind::If {
                condition: condition.boxed(span)?,
                then: yes.boxed(span)?,
                otherwise: no.boxed(span)?,
            },
            Kind::IntToReal(operand) => ExprKind::IntToReal(operand.boxed(span)?),
            Kind::RealToInt(operand) => ExprKind::RealToInt(operand.boxed(span)?),
            Kind::Misfit(what) => return Err(what.clone()),
        })
    }

    /// The operands of a chain, as the front end reads it: sums and products from the left only.
    fn operands(&self, op: NaryOp) -> Vec<&Term> {
        let mut found = Vec::new();
        let mut work = vec![self];
        while let Some(term) = work.pop() {
            match term.kind() {
                Kind::Nary(same, left, right) if *same == op => {
                    match right.kind() {
                        // `a + (b + c)` stays as it is: its operands are not those of the chain.
                        Kind::Nary(inner, ..)
                            if *inner == op && matches!(op, NaryOp::Add | NaryOp::Mul) =>
                        {
                            found.push(right);
                        }
                        Kind::Nary(inner, ..) if *inner == op => {
                            work.push(left);
                            work.push(right);
                            continue;
                        }
                        _ => found.push(right),
                    }
                    work.push(left);
                }
                _ => found.push(term),
            }
        }
        found.reverse();
        found
    }
}
