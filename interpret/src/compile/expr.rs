//! Expressions.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use ult_lang::hir;
use ult_lang::hir::{BinaryOp, ExprKind, FloatLiteral, NaryOp, QuantifierKind, Type, VarRef};
use ult_lang::stack::ensure_stack;

use super::builtin;
use super::scope::Scope;
use crate::code::{Binary, Bound, Expr, Lambda, Quantifier, Row, Unary};
use crate::float::{self, FloatKind, FloatOp, Format};
use crate::ops::WIDEST;
use crate::value::Value;

/// Below so many levels the evaluator looks after its stack.
const DEEP: u32 = 64;

/// Bound variables of types with up to so many values are tried one by one.
const FEW: u32 = 8;

/// Compiles expressions of a program.
pub(crate) struct Expressions<'p> {
    /// What the names of functions and datatypes mean.
    pub background: &'p hir::Background,
}

fn boxed(exprs: Vec<Expr>) -> Box<[Expr]> {
    exprs.into_boxed_slice()
}

/// What cannot be evaluated.
pub(crate) fn unsupported(what: impl Into<Rc<str>>) -> Expr {
    Expr::Unsupported(what.into())
}

impl Expressions<'_> {
    /// An expression.
    pub(crate) fn expr(&self, scope: &mut Scope, e: &hir::Expr) -> Expr {
        self.at(scope, e, 1)
    }

    fn at(&self, scope: &mut Scope, e: &hir::Expr, depth: u32) -> Expr {
        if depth.is_multiple_of(DEEP) {
            return ensure_stack(|| Expr::Deep(Box::new(self.kind(scope, e, depth + 1))));
        }
        self.kind(scope, e, depth + 1)
    }

    fn all(&self, scope: &mut Scope, exprs: &[hir::Expr], depth: u32) -> Box<[Expr]> {
        exprs.iter().map(|e| self.at(scope, e, depth)).collect()
    }

    fn kind(&self, scope: &mut Scope, e: &hir::Expr, depth: u32) -> Expr {
        let sub = |scope: &mut Scope, e: &hir::Expr| self.at(scope, e, depth);
        match &e.kind {
            ExprKind::Bool(value) => Expr::Value(Value::Bool(*value)),
            ExprKind::Int(value) => Expr::Value(Value::int(value.clone())),
            ExprKind::Real(value) => Expr::Value(Value::Real(Rc::new(value.clone()))),
            ExprKind::BitVec { value, width } => match value.to_u128() {
                Some(bits) if *width <= WIDEST => Expr::Value(Value::Bits(bits)),
                _ => too_wide(),
            },
            ExprKind::Float(literal) => float_literal(literal, &e.ty),
            ExprKind::String(text) => Expr::Value(Value::Text(text.as_str().into())),
            ExprKind::RoundingMode(mode) => Expr::Value(Value::Rounding(*mode)),
            ExprKind::Var(var) => match scope.resolve(*var) {
                Some(variable) => Expr::Variable(variable),
                None => unsupported("a name that has no value here"),
            },
            ExprKind::Old(inner) => {
                let before = std::mem::replace(&mut scope.old, true);
                let inner = sub(scope, inner);
                scope.old = before;
                inner
            }
            ExprKind::Not(a) => Expr::Not(Box::new(sub(scope, a))),
            ExprKind::Neg(a) => match Format::of(&e.ty) {
                Some(format) => self.float(scope, FloatKind::Neg, format, &[a], depth),
                None if is_float(&e.ty) => no_format(),
                None => Expr::Unary(Unary::Neg, Box::new(sub(scope, a))),
            },
            ExprKind::Nary(op, args) => self.nary(scope, *op, args, &e.ty, depth),
            ExprKind::Binary(op, a, b) => self.binary(scope, *op, a, b, depth),
            ExprKind::Concat(a, b) => match (&e.ty, &b.ty) {
                (Type::BitVec(0..=WIDEST), Type::BitVec(low)) => Expr::Binary(
                    Binary::Concat(*low),
                    Box::new([sub(scope, a), sub(scope, b)]),
                ),
                _ => too_wide(),
            },
            ExprKind::Extract { value, high, low } => match &value.ty {
                Type::BitVec(0..=WIDEST) => Expr::Unary(
                    Unary::Extract {
                        low: *low,
                        width: high - low,
                    },
                    Box::new(sub(scope, value)),
                ),
                _ => too_wide(),
            },
            ExprKind::Select {
                map,
                type_args,
                indices,
            } if type_args.is_empty() => {
                Expr::Select(Box::new(sub(scope, map)), self.all(scope, indices, depth))
            }
            ExprKind::Store {
                map,
                type_args,
                indices,
                value,
            } if type_args.is_empty() => Expr::Store(
                Box::new(sub(scope, map)),
                self.all(scope, indices, depth),
                Box::new(sub(scope, value)),
            ),
            ExprKind::Select { .. } | ExprKind::Store { .. } => unsupported("a polymorphic map"),
            ExprKind::Call { function, args, .. } => {
                let Some(declared) = self.background.functions.get(function.index()) else {
                    return unsupported("a function that is not declared");
                };
                let types: Vec<&Type> = args.iter().map(|arg| &arg.ty).collect();
                let args = self.all(scope, args, depth);
                match builtin::named(&declared.attributes) {
                    Some(text) => builtin::apply(&text, &types, args, &e.ty),
                    None => Expr::Call(function.0, args),
                }
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => Expr::If(Box::new([
                sub(scope, condition),
                sub(scope, then),
                sub(scope, otherwise),
            ])),
            ExprKind::Quantifier {
                kind,
                type_params,
                bound,
                body,
                ..
            } if type_params.is_empty() => self.quantifier(scope, *kind, bound, body, depth),
            ExprKind::Lambda {
                type_params,
                bound,
                body,
                ..
            } if type_params.is_empty() => self.lambda(scope, bound, body, depth),
            ExprKind::Quantifier { .. } | ExprKind::Lambda { .. } => unsupported("a bound type"),
            ExprKind::Let {
                bound,
                values,
                body,
                ..
            } => {
                let values: Vec<Expr> = values.iter().map(|value| sub(scope, value)).collect();
                let bindings = bound
                    .iter()
                    .zip(values)
                    .map(|(bound, value)| (scope.bind(bound.id), value))
                    .collect();
                Expr::Let(bindings, Box::new(sub(scope, body)))
            }
            ExprKind::IntToReal(a) => Expr::Unary(Unary::ToReal, Box::new(sub(scope, a))),
            ExprKind::RealToInt(a) => Expr::Unary(Unary::ToInt, Box::new(sub(scope, a))),
            ExprKind::Construct {
                constructor, args, ..
            } => Expr::Construct(*constructor, self.all(scope, args, depth)),
            ExprKind::Field {
                datatype,
                field,
                value,
            } => Expr::Field(
                self.positions(*datatype, *field),
                Box::new(sub(scope, value)),
            ),
            ExprKind::FieldUpdate {
                datatype,
                field,
                value,
                new,
            } => Expr::FieldUpdate(
                self.positions(*datatype, *field),
                Box::new([sub(scope, value), sub(scope, new)]),
            ),
            ExprKind::Is {
                constructor, value, ..
            } => Expr::Is(*constructor, Box::new(sub(scope, value))),
            ExprKind::Code { .. } => unsupported("a code expression"),
            ExprKind::Unsupported { what } => unsupported(*what),
            ExprKind::Error => unsupported("an expression with an error"),
        }
    }

    fn positions(&self, datatype: hir::DatatypeId, field: usize) -> Box<[(usize, usize)]> {
        self.background
            .datatypes
            .get(datatype.index())
            .and_then(|datatype| datatype.fields.get(field))
            .map(|field| field.positions.clone().into_boxed_slice())
            .unwrap_or_default()
    }

    fn float(
        &self,
        scope: &mut Scope,
        kind: FloatKind,
        format: Format,
        args: &[&hir::Expr],
        depth: u32,
    ) -> Expr {
        let args = args.iter().map(|arg| self.at(scope, arg, depth)).collect();
        Expr::Float(FloatOp { kind, format }, args)
    }

    fn nary(
        &self,
        scope: &mut Scope,
        op: NaryOp,
        args: &[hir::Expr],
        ty: &Type,
        depth: u32,
    ) -> Expr {
        match op {
            NaryOp::And => return Expr::And(self.all(scope, args, depth)),
            NaryOp::Or => return Expr::Or(self.all(scope, args, depth)),
            NaryOp::Add | NaryOp::Mul => {}
        }
        if is_float(ty) && Format::of(ty).is_none() {
            return no_format();
        }
        // From the left; a balanced tree would not be the same on floats.
        let mut all = self.all(scope, args, depth).into_vec().into_iter();
        let Some(mut sum) = all.next() else {
            return unsupported("an operator without operands");
        };
        for (number, arg) in all.enumerate() {
            sum = match (op, Format::of(ty)) {
                (NaryOp::Add, None) => Expr::Binary(Binary::Add, Box::new([sum, arg])),
                (_, None) => Expr::Binary(Binary::Mul, Box::new([sum, arg])),
                (op, Some(format)) => {
                    let kind = match op {
                        NaryOp::Add => FloatKind::Add,
                        _ => FloatKind::Mul,
                    };
                    Expr::Float(FloatOp { kind, format }, boxed(vec![sum, arg]))
                }
            };
            if (number + 1).is_multiple_of(DEEP as usize) {
                sum = Expr::Deep(Box::new(sum));
            }
        }
        sum
    }

    fn binary(
        &self,
        scope: &mut Scope,
        op: BinaryOp,
        a: &hir::Expr,
        b: &hir::Expr,
        depth: u32,
    ) -> Expr {
        let format = Format::of(&a.ty);
        if is_float(&a.ty) && !matches!(op, BinaryOp::Eq | BinaryOp::Neq) {
            let kind = match op {
                BinaryOp::Lt => FloatKind::Lt,
                BinaryOp::Le => FloatKind::Le,
                BinaryOp::Gt => FloatKind::Gt,
                BinaryOp::Ge => FloatKind::Ge,
                BinaryOp::Sub => FloatKind::Sub,
                BinaryOp::FloatDiv => FloatKind::Div,
                _ => return unsupported("this operator on floats"),
            };
            return match format {
                Some(format) => self.float(scope, kind, format, &[a, b], depth),
                None => no_format(),
            };
        }
        let (left, right) = (self.at(scope, a, depth), self.at(scope, b, depth));
        let plain = |op, left, right| Expr::Binary(op, Box::new([left, right]));
        match op {
            BinaryOp::Implies => Expr::Or(boxed(vec![Expr::Not(Box::new(left)), right])),
            BinaryOp::Iff | BinaryOp::Eq => plain(Binary::Eq, left, right),
            BinaryOp::Neq => plain(Binary::Neq, left, right),
            BinaryOp::Lt => plain(Binary::Lt, left, right),
            BinaryOp::Le => plain(Binary::Le, left, right),
            BinaryOp::Gt => plain(Binary::Lt, right, left),
            BinaryOp::Ge => plain(Binary::Le, right, left),
            BinaryOp::Sub => plain(Binary::Sub, left, right),
            BinaryOp::IntDiv => plain(Binary::Div, left, right),
            BinaryOp::IntMod => plain(Binary::Mod, left, right),
            BinaryOp::RealDiv => plain(Binary::RealDiv, left, right),
            BinaryOp::FloatDiv => unsupported("this operator on floats"),
            BinaryOp::Pow => unsupported("the operator `**`"),
            BinaryOp::PartialOrder => unsupported("the operator `<:`"),
        }
    }

    fn lambda(
        &self,
        scope: &mut Scope,
        bound: &[hir::Bound],
        body: &hir::Expr,
        depth: u32,
    ) -> Expr {
        let mut uses = false;
        body.visit(&mut |e| {
            uses |= matches!(e.kind, ExprKind::Var(VarRef::Bound(id)) if bound.iter().any(|b| b.id == id));
        });
        if !uses {
            return Expr::ConstantMap(Box::new(self.at(scope, body, depth)));
        }
        scope.enter();
        for variable in bound {
            scope.bind(variable.id);
        }
        let body = self.at(scope, body, depth);
        let (captures, locals) = scope.leave();
        Expr::Lambda(Rc::new(Lambda {
            captures,
            indices: bound.len(),
            body,
            locals,
        }))
    }

    fn quantifier(
        &self,
        scope: &mut Scope,
        kind: QuantifierKind,
        bound: &[hir::Bound],
        body: &hir::Expr,
        depth: u32,
    ) -> Expr {
        let forall = kind == QuantifierKind::Forall;
        let mut compiled: Vec<Bound> = bound
            .iter()
            .map(|variable| Bound {
                local: scope.bind(variable.id),
                all: all_values(&variable.ty),
                low: Vec::new(),
                high: Vec::new(),
            })
            .collect();
        let mut facts = Vec::new();
        restrictions(body, forall, &mut facts);
        for (number, variable) in bound.iter().enumerate() {
            if variable.ty != Type::Int {
                continue;
            }
            for fact in &facts {
                self.limits(scope, fact, bound, number, &mut compiled[number], depth);
            }
        }
        let row = self.row(scope, forall, bound, body, depth);
        let body = self.at(scope, body, depth);
        Expr::Quantifier(Rc::new(Quantifier {
            forall,
            bound: compiled,
            body,
            row,
        }))
    }

    /// What a conjunct says about the limits of a bound variable, in terms of those before it.
    fn limits(
        &self,
        scope: &mut Scope,
        fact: &hir::Expr,
        bound: &[hir::Bound],
        number: usize,
        limits: &mut Bound,
        depth: u32,
    ) {
        let ExprKind::Binary(op, a, b) = &fact.kind else {
            return;
        };
        let is_it = |e: &hir::Expr| matches!(e.kind, ExprKind::Var(VarRef::Bound(id)) if id == bound[number].id);
        let is_known = |e: &hir::Expr| {
            let mut known = true;
            e.visit(&mut |e| {
                if let ExprKind::Var(VarRef::Bound(id)) = e.kind {
                    known &= bound[number..].iter().all(|later| later.id != id);
                }
            });
            known
        };
        let one = |e: Expr| {
            Expr::Binary(
                Binary::Add,
                Box::new([e, Expr::Value(Value::int(BigInt::from(1)))]),
            )
        };
        let (op, other) = match op {
            op if is_it(a) && is_known(b) => (*op, b),
            op if is_it(b) && is_known(a) => (
                match op {
                    BinaryOp::Lt => BinaryOp::Gt,
                    BinaryOp::Le => BinaryOp::Ge,
                    BinaryOp::Gt => BinaryOp::Lt,
                    BinaryOp::Ge => BinaryOp::Le,
                    other => *other,
                },
                a,
            ),
            _ => return,
        };
        let mut other = || self.at(scope, other, depth);
        match op {
            BinaryOp::Lt => limits.high.push(other()),
            BinaryOp::Le => limits.high.push(one(other())),
            BinaryOp::Gt => limits.low.push(one(other())),
            BinaryOp::Ge => limits.low.push(other()),
            BinaryOp::Eq => {
                limits.low.push(other());
                limits.high.push(one(other()));
            }
            _ => {}
        }
    }

    /// Whether a formula says that the elements in a row of a map are equal.
    fn row(
        &self,
        scope: &mut Scope,
        forall: bool,
        bound: &[hir::Bound],
        body: &hir::Expr,
        depth: u32,
    ) -> Option<Row> {
        let ExprKind::Binary(BinaryOp::Eq, a, b) = &body.kind else {
            return None;
        };
        let is_free = |e: &hir::Expr| {
            let mut free = true;
            e.visit(&mut |e| {
                if let ExprKind::Var(VarRef::Bound(id)) = e.kind {
                    free &= bound.iter().all(|bound| bound.id != id);
                }
            });
            free
        };
        let (select, value) = if is_free(b) { (a, b) } else { (b, a) };
        let ExprKind::Select {
            map,
            type_args,
            indices,
        } = &select.kind
        else {
            return None;
        };
        if !forall || !is_free(value) || !is_free(map) || !type_args.is_empty() {
            return None;
        }
        let mut used = Vec::new();
        let mut row = Vec::new();
        for index in indices {
            match index.kind {
                ExprKind::Var(VarRef::Bound(id))
                    if bound.iter().any(|bound| bound.id == id) && !used.contains(&id) =>
                {
                    used.push(id);
                    row.push(None);
                }
                _ if is_free(index) => row.push(Some(self.at(scope, index, depth))),
                _ => return None,
            }
        }
        Some(Row {
            map: self.at(scope, map, depth),
            indices: row,
            value: self.at(scope, value, depth),
        })
    }
}

/// The conjuncts that hold wherever the truth of the body matters: the premises of a `forall`, the parts of an `exists`.
fn restrictions<'e>(body: &'e hir::Expr, forall: bool, facts: &mut Vec<&'e hir::Expr>) {
    match &body.kind {
        ExprKind::Binary(BinaryOp::Implies, premise, rest) if forall => {
            conjuncts(premise, facts);
            ensure_stack(|| restrictions(rest, forall, facts));
        }
        _ if !forall => conjuncts(body, facts),
        _ => {}
    }
}

/// The parts of a conjunction.
pub(crate) fn conjuncts<'e>(formula: &'e hir::Expr, parts: &mut Vec<&'e hir::Expr>) {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match &formula.kind {
            ExprKind::Nary(NaryOp::And, args) => open.extend(args.iter().rev()),
            _ => parts.push(formula),
        }
    }
}

/// All values of a type, if they are few.
fn all_values(ty: &Type) -> Option<Vec<Value>> {
    match ty {
        Type::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Type::BitVec(width @ 0..=FEW) => Some((0..1 << width).map(Value::Bits).collect()),
        _ => None,
    }
}

fn is_float(ty: &Type) -> bool {
    matches!(ty, Type::Float { .. })
}

/// For floats of other formats.
pub(crate) fn no_format() -> Expr {
    unsupported("floats that are neither of single nor of double precision")
}

/// For wide bit-vectors.
pub(crate) fn too_wide() -> Expr {
    unsupported("bit-vectors of more than 128 bits")
}

fn float_literal(literal: &FloatLiteral, ty: &Type) -> Expr {
    let Some(format) = Format::of(ty) else {
        return no_format();
    };
    Expr::Value(match literal {
        FloatLiteral::Bits(bits) => float::literal(bits.to_u128().unwrap_or_default(), format),
        FloatLiteral::Infinity { negative: false } => float::special(f64::INFINITY, format),
        FloatLiteral::Infinity { negative: true } => float::special(f64::NEG_INFINITY, format),
        FloatLiteral::NaN => float::special(f64::NAN, format),
    })
}
