//! Expressions as terms.

use std::borrow::Cow;
use std::collections::HashMap;

use num_traits::{One, Signed, ToPrimitive};
use ult_lang::hir::{
    BinaryOp, Bound, BoundId, Expr, ExprKind, FloatLiteral, NaryOp, QuantifierKind, RoundingMode,
    Trigger, Type, TypeParameter, VarRef,
};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::quantified_types::{Position, WHAT, extended};
use super::sorts::{MAX_WIDTH, TypeEnv};
use super::symbols::Symbols;
use super::unsupported::UnsupportedExpr;
use super::{builtin, datatypes, sequences};
use ult_core::formula::{BinderKind, BvOp, Op, Sort, Term};

/// `x ** n` is multiplied out up to this exponent.
const MAX_EXPONENT: u32 = 64;

/// Gives meaning to the variables of an expression.
pub trait Scope {
    /// The term of a variable that is neither bound nor a constant; `old` says whether it stands
    /// below `old`. The error says what the variable is, in words.
    fn variable(&self, variable: VarRef, old: bool) -> Result<Term, String>;
}

/// Lowers expressions in one scope.
pub struct ExprLowering<'s, 'a> {
    pub(super) symbols: &'s Symbols<'a>,
    scope: &'s dyn Scope,
    types: Cow<'s, TypeEnv>,
    /// What the next expression is for.
    pub(super) position: Position,
    /// Whether formulas say what expressions mean, neither more nor less.
    pub exact: bool,
    bound: HashMap<BoundId, Result<Term, String>>,
    old: bool,
    /// Whether binders get new variables each time, for text that may end up inside itself.
    pub fresh_binders: bool,
}

/// The name of a bound variable; parameters of functions may have none.
pub fn binder_name(name: &str) -> &str {
    if name.is_empty() { "x" } else { name }
}

type Lowered = Result<Term, UnsupportedExpr>;

impl<'s, 'a> ExprLowering<'s, 'a> {
    /// Lowers expressions whose variables are given by `scope` and whose type parameters stand
    /// for what `types` says.
    pub fn new(symbols: &'s Symbols<'a>, scope: &'s dyn Scope, types: &'s TypeEnv) -> Self {
        ExprLowering {
            symbols,
            scope,
            types: Cow::Borrowed(types),
            position: Position::Exact,
            exact: true,
            bound: HashMap::new(),
            old: false,
            fresh_binders: false,
        }
    }

    /// From now on the bound variable means `term`.
    pub fn bind(&mut self, id: BoundId, term: Term) {
        self.bound.insert(id, Ok(term));
    }

    /// The term of an expression, or the first part of it that has none.
    pub fn lower(&mut self, e: &Expr) -> Lowered {
        self.lower_at(Position::Exact, e)
    }

    /// A formula for a purpose.
    pub fn lower_at(&mut self, position: Position, e: &Expr) -> Lowered {
        self.position = position;
        self.lower_here(e)
    }

    pub(super) fn lower_here(&mut self, e: &Expr) -> Lowered {
        ensure_stack(|| self.expr(e))
    }

    fn all(&mut self, list: &[Expr]) -> Result<Vec<Term>, UnsupportedExpr> {
        self.all_at(Position::Exact, list)
    }

    fn all_at(&mut self, position: Position, list: &[Expr]) -> Result<Vec<Term>, UnsupportedExpr> {
        list.iter().map(|e| self.lower_at(position, e)).collect()
    }

    /// The same with types for type parameters.
    pub(super) fn with_types(&self, params: &[TypeParameter], types: Vec<Sort>) -> Self {
        ExprLowering {
            symbols: self.symbols,
            scope: self.scope,
            types: Cow::Owned(extended(&self.types, params, types)),
            position: Position::Exact,
            exact: self.exact,
            bound: self.bound.clone(),
            old: self.old,
            fresh_binders: self.fresh_binders,
        }
    }

    /// The variables of the binders around.
    pub(super) fn bound_variables(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.bound.values().flatten().copied().collect();
        all.retain(|&term| self.symbols.terms.as_var(term).is_some());
        all.sort_unstable();
        all
    }

    fn sort(&self, ty: &Type, span: Span) -> Result<Sort, UnsupportedExpr> {
        self.symbols
            .sort(ty, &self.types)
            .map_err(|what| UnsupportedExpr::new(what, span))
    }

    fn expr(&mut self, e: &Expr) -> Lowered {
        let t = self.symbols.terms;
        let unsupported = |what: &str| Err(UnsupportedExpr::new(what, e.span));
        let position = std::mem::take(&mut self.position);
        match &e.kind {
            ExprKind::Bool(value) => Ok(t.bool(*value)),
            ExprKind::Int(value) => Ok(t.int(value.clone())),
            ExprKind::Real(value) => Ok(t.real(value.clone())),
            ExprKind::BitVec { value, width } => match width {
                1..=MAX_WIDTH => Ok(t.bitvec(value.clone(), *width)),
                _ => unsupported(&format!("a bit-vector of width {width}")),
            },
            ExprKind::Float(literal) => self.float_literal(literal, e),
            ExprKind::String(characters) => match sequences::literal(t, characters) {
                Some(literal) => Ok(literal),
                None => unsupported("a string with characters that SMT-LIB escapes"),
            },
            ExprKind::RoundingMode(mode) => Ok(builtin::plain(
                t,
                mode_name(*mode),
                &[],
                &[],
                Sort::RoundingMode,
            )),
            ExprKind::Var(variable) => self.variable(*variable, e.span),
            ExprKind::Old(inner) => {
                let before = std::mem::replace(&mut self.old, true);
                let result = self.lower(inner);
                self.old = before;
                result
            }
            ExprKind::Not(a) => Ok(t.not(self.lower_at(position.negated(), a)?)),
            ExprKind::Neg(a) => {
                let a = self.lower(a)?;
                match t.sort(a) {
                    Sort::Int | Sort::Real => Ok(t.neg(a)),
                    sort @ Sort::Float(..) => {
                        Ok(builtin::plain(t, "fp.neg", &[], &[a], sort.clone()))
                    }
                    _ => unsupported("this negation"),
                }
            }
            ExprKind::Nary(op, operands) => {
                let below = match op {
                    NaryOp::And => position,
                    NaryOp::Or => position.alternative(),
                    _ => Position::Exact,
                };
                let operands = self.all_at(below, operands)?;
                self.nary(*op, &operands, e)
            }
            ExprKind::Binary(BinaryOp::Pow, a, b) => {
                let (a, b) = (self.lower(a)?, self.lower(b)?);
                self.power(a, b, e.span)
            }
            ExprKind::Binary(BinaryOp::PartialOrder, ..) => unsupported("the operator `<:`"),
            ExprKind::Binary(BinaryOp::Implies, a, b) => {
                let left = self.lower_at(position.negated(), a)?;
                let right = self.lower_at(position, b)?;
                self.binary(BinaryOp::Implies, left, right, e.span)
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.lower(a)?, self.lower(b)?);
                self.binary(*op, left, right, e.span)
            }
            ExprKind::Concat(a, b) => {
                self.sort(&e.ty, e.span)?;
                let (a, b) = (self.lower(a)?, self.lower(b)?);
                Ok(t.bv(BvOp::Concat, &[a, b]))
            }
            ExprKind::Extract { value, high, low } => {
                self.sort(&e.ty, e.span)?;
                let value = self.lower(value)?;
                match t.sort(value) {
                    Sort::BitVec(width) if low < high && high <= width => {
                        Ok(t.extract(value, *high, *low))
                    }
                    _ => unsupported("this selection of bits"),
                }
            }
            ExprKind::Select {
                map,
                type_args,
                indices,
            } => {
                let place = self.place(map, type_args, e.span)?;
                let map = self.lower(map)?;
                let map = place.map_or(map, |(place, _)| t.field(map, 0, place));
                let indices = self.all(indices)?;
                if indices.is_empty() {
                    self.only_element(map, e.span)?;
                    return Ok(t.field(map, 0, 0));
                }
                self.check_indices(map, &indices, None, e.span)?;
                Ok(t.select(map, &indices))
            }
            ExprKind::Store {
                map,
                type_args,
                indices,
                value,
            } => {
                let place = self.place(map, type_args, e.span)?;
                let whole = self.lower(map)?;
                let map = place
                    .as_ref()
                    .map_or(whole, |(place, _)| t.field(whole, 0, *place));
                let indices = self.all(indices)?;
                let value = self.lower(value)?;
                let stored = if indices.is_empty() {
                    if self.only_element(map, e.span)? != *t.sort(value) {
                        return unsupported("this use of a map");
                    }
                    t.construct(&t.sort(map).clone(), 0, &[value])
                } else {
                    self.check_indices(map, &indices, Some(value), e.span)?;
                    t.store(map, &indices, value)
                };
                let Some((place, aliases)) = place else {
                    return Ok(stored);
                };
                let mut all = vec![whole];
                all.extend(&indices);
                all.push(value);
                let sort = t.sort(whole).clone();
                let fields = match &sort {
                    Sort::Datatype(record) => record
                        .constructor(0)
                        .map_or(0, |record| record.sorts().len()),
                    _ => return unsupported("this use of a map"),
                };
                let fields: Vec<Term> = (0u32..)
                    .take(fields)
                    .map(|i| match i == place {
                        true => stored,
                        false if aliases.contains(&i) => {
                            let field = t.field(whole, 0, i);
                            self.symbols.blur(place, i, &all, t.sort(field), e.span)
                        }
                        false => t.field(whole, 0, i),
                    })
                    .collect();
                Ok(t.construct(&sort, 0, &fields))
            }
            ExprKind::Call {
                function,
                type_args,
                args,
            } => {
                let args = self.all(args)?;
                let type_args = type_args
                    .iter()
                    .map(|ty| self.sort(ty, e.span))
                    .collect::<Result<Vec<_>, _>>()?;
                self.symbols.call(*function, &type_args, &args, e.span)
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.lower(condition)?;
                let (then, otherwise) = (self.lower(then)?, self.lower(otherwise)?);
                if t.sort(then) != t.sort(otherwise) {
                    return unsupported("an if-then-else with branches of different types");
                }
                Ok(t.ite(condition, then, otherwise))
            }
            ExprKind::Quantifier {
                kind,
                type_params,
                bound,
                triggers,
                body,
                ..
            } => {
                // Those of axioms are lowered for each choice of types by itself.
                if !type_params.iter().all(|p| self.types.contains_key(&p.id)) {
                    return match kind {
                        QuantifierKind::Forall => self.for_all_types(type_params, e, position),
                        QuantifierKind::Exists => unsupported(WHAT),
                    };
                }
                let vars = self.binders(bound)?;
                let below = match kind {
                    QuantifierKind::Forall => position,
                    QuantifierKind::Exists => position.alternative(),
                };
                let body = self.lower_at(below, body)?;
                if vars.is_empty() {
                    return Ok(body);
                }
                let patterns = self.patterns(triggers, &vars);
                let kind = match kind {
                    QuantifierKind::Forall => BinderKind::Forall,
                    QuantifierKind::Exists => BinderKind::Exists,
                };
                Ok(t.bind(kind, &vars, body, &patterns))
            }
            ExprKind::Lambda {
                type_params,
                bound,
                body,
                ..
            } => {
                if let (false, Type::Map(map)) = (type_params.is_empty(), &e.ty) {
                    return self.polymorphic_lambda(type_params, bound, body, map, e.span);
                }
                if bound.is_empty() {
                    return unsupported("a lambda without indices");
                }
                let vars = self.binders(bound)?;
                let body = self.lower(body)?;
                Ok(t.bind(BinderKind::Lambda, &vars, body, &[]))
            }
            ExprKind::Let {
                bound,
                values,
                body,
                ..
            } => {
                // A value that is not understood matters only where it is used.
                let values: Vec<_> = values.iter().map(|v| self.lower(v)).collect();
                for (bound, value) in bound.iter().zip(values) {
                    self.bound.insert(bound.id, value.map_err(|u| u.what));
                }
                self.lower_at(position, body)
            }
            ExprKind::IntToReal(a) => Ok(t.to_real(self.lower(a)?)),
            ExprKind::RealToInt(a) => Ok(t.to_int(self.lower(a)?)),
            ExprKind::Construct {
                constructor, args, ..
            } => {
                let sort = self.sort(&e.ty, e.span)?;
                let args = self.all(args)?;
                datatypes::construct(self.symbols, &sort, *constructor, &args)
                    .map_err(|what| UnsupportedExpr::new(what, e.span))
            }
            ExprKind::Field {
                datatype,
                field,
                value,
            } => {
                let value = self.lower(value)?;
                datatypes::field(self.symbols, *datatype, *field, value)
                    .map_err(|what| UnsupportedExpr::new(what, e.span))
            }
            ExprKind::FieldUpdate {
                datatype,
                field,
                value,
                new,
            } => {
                let (value, new) = (self.lower(value)?, self.lower(new)?);
                datatypes::update(self.symbols, *datatype, *field, value, new)
                    .map_err(|what| UnsupportedExpr::new(what, e.span))
            }
            ExprKind::Is {
                constructor, value, ..
            } => {
                let value = self.lower(value)?;
                datatypes::is(self.symbols, value, *constructor)
                    .map_err(|what| UnsupportedExpr::new(what, e.span))
            }
            ExprKind::Code { all, some } => match position {
                Position::Obliged => self.lower_at(position, all),
                Position::Assumed => self.lower_at(position, some),
                Position::Exact => {
                    let (all, some) = (self.lower(all)?, self.lower(some)?);
                    match all == some {
                        true => Ok(all),
                        false => unsupported("a code expression with several ways"),
                    }
                }
            },
            ExprKind::Unsupported { what } => unsupported(what),
            ExprKind::Error => unsupported("an erroneous expression"),
        }
    }

    /// Where in the record of a polymorphic map an instance is, and other instances that may be the
    /// same one; `None` for ordinary maps.
    fn place(
        &self,
        map: &Expr,
        type_args: &[Type],
        span: Span,
    ) -> Result<Option<(u32, Vec<u32>)>, UnsupportedExpr> {
        if type_args.is_empty() {
            return Ok(None);
        }
        self.symbols
            .place_in_record(&map.ty, type_args, &self.types)
            .map(Some)
            .map_err(|what| UnsupportedExpr::new(what, span))
    }

    fn variable(&mut self, variable: VarRef, span: Span) -> Lowered {
        match variable {
            VarRef::Constant(id) => self.symbols.constant(id, span),
            VarRef::Bound(id) => match self.bound.get(&id) {
                Some(Ok(term)) => Ok(*term),
                Some(Err(what)) => Err(UnsupportedExpr::new(what, span)),
                None => Err(UnsupportedExpr::new("a bound variable out of scope", span)),
            },
            other => self
                .scope
                .variable(other, self.old)
                .map_err(|what| UnsupportedExpr::new(what, span)),
        }
    }

    /// Variables for the bound ones of a quantifier or lambda.
    pub(super) fn binders(&mut self, bound: &[Bound]) -> Result<Vec<Term>, UnsupportedExpr> {
        bound
            .iter()
            .map(|b| {
                let sort = self.sort(&b.ty, b.span)?;
                let name = binder_name(&b.name);
                let var = if self.fresh_binders {
                    self.symbols.terms.fresh_bound(name, sort)
                } else {
                    self.symbols.binder(b.id, name, sort)
                };
                self.bound.insert(b.id, Ok(var));
                Ok(var)
            })
            .collect()
    }

    /// The triggers that solvers can use. A trigger is a hint, so one that cannot be used, because
    /// it mentions too few variables or operators without a symbol of their own, is left out.
    fn patterns(&mut self, triggers: &[Trigger], vars: &[Term]) -> Vec<Vec<Term>> {
        let t = self.symbols.terms;
        let mut patterns = Vec::new();
        for trigger in triggers.iter().filter(|t| t.positive) {
            let Ok(pattern) = self.all(&trigger.terms) else {
                continue;
            };
            let inside = t.post_order(&pattern);
            let usable = pattern.iter().all(|&p| {
                matches!(t.op(p), Op::Apply(f) if !f.params.is_empty()) || *t.op(p) == Op::Select
            }) && vars.iter().all(|v| inside.contains(v))
                && inside.iter().all(|&p| {
                    !matches!(
                        t.op(p),
                        Op::Bind(_) | Op::Not | Op::And | Op::Or | Op::Ite | Op::Eq | Op::Distinct
                    )
                });
            if usable {
                patterns.push(pattern);
            }
        }
        patterns
    }

    /// The sort of the element of a map without indices.
    fn only_element(&self, map: Term, span: Span) -> Result<Sort, UnsupportedExpr> {
        if let Sort::Datatype(datatype) = self.symbols.terms.sort(map)
            && let Some(constructor) = datatype.constructor(0)
            && datatype.constructors().len() == 1
            && let (Some(element), 1) = (constructor.sorts().next(), constructor.sorts().len())
        {
            return Ok(element);
        }
        Err(UnsupportedExpr::new("this use of a map", span))
    }

    fn check_indices(
        &self,
        map: Term,
        indices: &[Term],
        value: Option<Term>,
        span: Span,
    ) -> Result<(), UnsupportedExpr> {
        let t = self.symbols.terms;
        let fits = match t.sort(map) {
            Sort::Map(sort) => {
                indices.iter().map(|&i| t.sort(i)).eq(&sort.domain)
                    && value.is_none_or(|v| *t.sort(v) == sort.range)
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(UnsupportedExpr::new("this use of a map", span))
        }
    }

    fn nary(&self, op: NaryOp, operands: &[Term], e: &Expr) -> Lowered {
        let t = self.symbols.terms;
        let Some(&first) = operands.first() else {
            return Err(UnsupportedExpr::new("an operator without operands", e.span));
        };
        Ok(match (op, t.sort(first)) {
            (NaryOp::And, Sort::Bool) => t.and(operands.iter().copied()),
            (NaryOp::Or, Sort::Bool) => t.or(operands.iter().copied()),
            (NaryOp::Add, Sort::Int | Sort::Real) => t.add(operands),
            (NaryOp::Mul, Sort::Int | Sort::Real) => t.mul(operands),
            (NaryOp::Add | NaryOp::Mul, sort @ Sort::Float(..)) => {
                let name = if op == NaryOp::Add {
                    "fp.add"
                } else {
                    "fp.mul"
                };
                operands[1..].iter().fold(first, |sum, &operand| {
                    builtin::plain(t, name, &[], &[self.nearest(), sum, operand], sort.clone())
                })
            }
            _ => return Err(UnsupportedExpr::new("this operator", e.span)),
        })
    }

    /// The rounding mode of Boogie's operators on floats.
    fn nearest(&self) -> Term {
        builtin::plain(self.symbols.terms, "RNE", &[], &[], Sort::RoundingMode)
    }

    fn binary(&self, op: BinaryOp, a: Term, b: Term, span: Span) -> Lowered {
        let t = self.symbols.terms;
        let sort = t.sort(a);
        if sort != t.sort(b) {
            // Values of different types are different.
            let is_open = self.symbols.is_open(sort) || self.symbols.is_open(t.sort(b));
            if let (BinaryOp::Eq | BinaryOp::Neq, false) = (op, is_open) {
                return Ok(t.bool(op == BinaryOp::Neq));
            }
            return Err(UnsupportedExpr::new("an operator on different types", span));
        }
        let float = |name: &str, args: &[Term], sort: &Sort| {
            builtin::plain(t, name, &[], args, sort.clone())
        };
        Ok(match (op, sort) {
            (BinaryOp::Implies, Sort::Bool) => t.implies(a, b),
            (BinaryOp::Iff, Sort::Bool) => t.eq(a, b),
            // On floats too this is identity, as in Boogie: NaN equals itself, 0.0 is not -0.0.
            // IEEE's equality is the function `fp.eq`.
            (BinaryOp::Eq, _) => t.eq(a, b),
            (BinaryOp::Neq, _) => t.neq(a, b),
            (BinaryOp::Lt, Sort::Int | Sort::Real) => t.lt(a, b),
            (BinaryOp::Le, Sort::Int | Sort::Real) => t.le(a, b),
            (BinaryOp::Gt, Sort::Int | Sort::Real) => t.gt(a, b),
            (BinaryOp::Ge, Sort::Int | Sort::Real) => t.ge(a, b),
            (BinaryOp::Sub, Sort::Int | Sort::Real) => t.sub(a, b),
            (BinaryOp::Lt, Sort::Float(..)) => float("fp.lt", &[a, b], &Sort::Bool),
            (BinaryOp::Le, Sort::Float(..)) => float("fp.leq", &[a, b], &Sort::Bool),
            (BinaryOp::Gt, Sort::Float(..)) => float("fp.lt", &[b, a], &Sort::Bool),
            (BinaryOp::Ge, Sort::Float(..)) => float("fp.leq", &[b, a], &Sort::Bool),
            (BinaryOp::Sub, Sort::Float(..)) => float("fp.sub", &[self.nearest(), a, b], sort),
            (BinaryOp::FloatDiv, Sort::Float(..)) => float("fp.div", &[self.nearest(), a, b], sort),
            (BinaryOp::IntDiv, Sort::Int) => self.symbols.division.div(t, a, b),
            (BinaryOp::IntMod, Sort::Int) => self.symbols.division.modulo(t, a, b),
            (BinaryOp::RealDiv, Sort::Real) => self.symbols.division.real_div(t, a, b),
            _ => return Err(UnsupportedExpr::new("this operator", span)),
        })
    }

    /// `base ** exponent` for small natural exponents; `x ** 0` only where `x` is not zero for
    /// sure.
    fn power(&self, base: Term, exponent: Term, span: Span) -> Lowered {
        let t = self.symbols.terms;
        let exponent = t
            .as_number(exponent)
            .filter(|n| n.is_integer() && !n.is_negative())
            .and_then(|n| n.to_integer().to_u32())
            .filter(|n| *n <= MAX_EXPONENT);
        let nonzero = t.as_number(base).is_some_and(|n| n != num_traits::zero());
        match (exponent, t.sort(base)) {
            (Some(0), Sort::Real) if nonzero => Ok(t.real(num_rational::BigRational::one())),
            (Some(n @ 1..), Sort::Real) => Ok(t.mul(&vec![base; n as usize])),
            _ => Err(UnsupportedExpr::new("the operator `**`", span)),
        }
    }

    fn float_literal(&self, literal: &FloatLiteral, e: &Expr) -> Lowered {
        let t = self.symbols.terms;
        let sort = self.sort(&e.ty, e.span)?;
        let Sort::Float(exponent, significand) = sort else {
            return Err(UnsupportedExpr::new("a float of this type", e.span));
        };
        let special = |name| {
            Ok(builtin::plain(
                t,
                name,
                &[exponent, significand],
                &[],
                sort.clone(),
            ))
        };
        match literal {
            FloatLiteral::NaN => special("NaN"),
            FloatLiteral::Infinity { negative: false } => special("+oo"),
            FloatLiteral::Infinity { negative: true } => special("-oo"),
            FloatLiteral::Bits(bits) => {
                let all = t.bitvec(bits.clone(), exponent + significand);
                let (top, middle) = (exponent + significand, significand - 1);
                let parts = [
                    t.extract(all, top, top - 1),
                    t.extract(all, top - 1, middle),
                    t.extract(all, middle, 0),
                ];
                Ok(builtin::plain(t, "fp", &[], &parts, sort.clone()))
            }
        }
    }
}

fn mode_name(mode: RoundingMode) -> &'static str {
    match mode {
        RoundingMode::NearestTiesToEven => "RNE",
        RoundingMode::NearestTiesToAway => "RNA",
        RoundingMode::TowardPositive => "RTP",
        RoundingMode::TowardNegative => "RTN",
        RoundingMode::TowardZero => "RTZ",
    }
}
