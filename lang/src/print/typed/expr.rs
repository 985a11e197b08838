//! Expressions: chains of operators become flat again, and types are ascribed where nothing else determines them.

use super::types::determine;
use super::{Converter, NOWHERE, ident, literal};
use crate::ast::{self, BinaryOp, ChainLink, Expr, ExprKind, Literal, Precedence, TypedIdents};
use crate::hir::{self, AttributeArgument, Bound, NaryOp, Type, VarRef};
use crate::stack::ensure_stack;
use std::sync::Arc;

/// An argument of an attribute that has no meaning names something that is declared nowhere.
const OPAQUE: &str = "?opaque";

/// An expression that the language cannot express: a comment, in parentheses so that no context makes it readable.
fn inexpressible(what: &str) -> ExprKind {
    ExprKind::Ident(ident(format!("(/* {what} */)").into()))
}

fn chain(first: Expr, rest: Vec<ChainLink>) -> ExprKind {
    ExprKind::Chain {
        first: first.into(),
        rest,
    }
}

fn link(op: BinaryOp, operand: Expr) -> ChainLink {
    ChainLink {
        op,
        op_span: NOWHERE,
        operand,
    }
}

fn nary(op: NaryOp) -> BinaryOp {
    match op {
        NaryOp::And => BinaryOp::And,
        NaryOp::Or => BinaryOp::Or,
        NaryOp::Add => BinaryOp::Add,
        NaryOp::Mul => BinaryOp::Mul,
    }
}

fn binary(op: hir::BinaryOp) -> BinaryOp {
    match op {
        hir::BinaryOp::Implies => BinaryOp::Implies,
        hir::BinaryOp::Iff => BinaryOp::Iff,
        hir::BinaryOp::Eq => BinaryOp::Eq,
        hir::BinaryOp::Neq => BinaryOp::Neq,
        hir::BinaryOp::Lt => BinaryOp::Less,
        hir::BinaryOp::Le => BinaryOp::LessEq,
        hir::BinaryOp::Gt => BinaryOp::Greater,
        hir::BinaryOp::Ge => BinaryOp::GreaterEq,
        hir::BinaryOp::Sub => BinaryOp::Sub,
        hir::BinaryOp::IntDiv => BinaryOp::IntDiv,
        hir::BinaryOp::IntMod => BinaryOp::Mod,
        hir::BinaryOp::RealDiv | hir::BinaryOp::FloatDiv => BinaryOp::Div,
        hir::BinaryOp::Pow => BinaryOp::Pow,
        hir::BinaryOp::PartialOrder => BinaryOp::Subtype,
    }
}

impl<'p> Converter<'p> {
    pub(super) fn expr(&mut self, expr: &hir::Expr) -> Expr {
        Expr::new(ensure_stack(|| self.kind(expr)), NOWHERE)
    }

    fn boxed(&mut self, expr: &hir::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    pub(super) fn exprs(&mut self, exprs: &[hir::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn kind(&mut self, expr: &hir::Expr) -> ExprKind {
        match &expr.kind {
            hir::ExprKind::Bool(value) => ExprKind::Literal(Literal::Bool(*value)),
            hir::ExprKind::Int(value) => literal::int(value),
            hir::ExprKind::Real(value) => literal::real(value),
            hir::ExprKind::BitVec { value, width } => ExprKind::Literal(Literal::BitVector {
                value: value.clone(),
                width: *width,
            }),
            hir::ExprKind::Float(value) => literal::float(value, &expr.ty)
                .unwrap_or_else(|| inexpressible("a number that its type does not have")),
            hir::ExprKind::String(text) if text.contains('\n') => {
                inexpressible("a string with a line break")
            }
            hir::ExprKind::String(text) => ExprKind::Literal(Literal::String(text.clone())),
            hir::ExprKind::RoundingMode(mode) => {
                ExprKind::Literal(Literal::RoundingMode(match mode {
                    hir::RoundingMode::NearestTiesToEven => ast::RoundingMode::NearestTiesToEven,
                    hir::RoundingMode::NearestTiesToAway => ast::RoundingMode::NearestTiesToAway,
                    hir::RoundingMode::TowardPositive => ast::RoundingMode::TowardPositive,
                    hir::RoundingMode::TowardNegative => ast::RoundingMode::TowardNegative,
                    hir::RoundingMode::TowardZero => ast::RoundingMode::TowardZero,
                }))
            }
            hir::ExprKind::Var(var) => ExprKind::Ident(ident(self.names.of(*var))),
            hir::ExprKind::Old(e) => ExprKind::Old(self.boxed(e)),
            hir::ExprKind::Not(e) => self.unary(ast::UnaryOp::Not, e),
            hir::ExprKind::Neg(e) => self.unary(ast::UnaryOp::Neg, e),
            hir::ExprKind::Nary(op @ (NaryOp::And | NaryOp::Or), args) => {
                self.logical(nary(*op), args)
            }
            hir::ExprKind::Nary(op, _) => self.arithmetic(nary(*op).precedence(), expr),
            hir::ExprKind::Binary(op, left, right) => self.binary(expr, *op, left, right),
            hir::ExprKind::Concat(..) => self.left_chain(BinaryOp::Concat, expr),
            hir::ExprKind::Extract { value, high, low } => ExprKind::Extract {
                operand: self.boxed(value),
                high: *high,
                low: *low,
            },
            hir::ExprKind::Select { map, indices, .. } => {
                let select = ExprKind::Select {
                    map: self.boxed(map),
                    indices: self.exprs(indices),
                };
                let known = match &map.ty {
                    Type::Map(map) => determine(&map.domain, map.type_params.iter().copied()),
                    _ => true,
                };
                self.ascribed(select, known, &expr.ty)
            }
            hir::ExprKind::Store {
                map,
                indices,
                value,
                ..
            } => ExprKind::Store {
                map: self.boxed(map),
                indices: self.exprs(indices),
                value: self.boxed(value),
            },
            hir::ExprKind::Call { function, args, .. } => {
                let Some(function) = self.background.functions.get(function.index()) else {
                    return inexpressible("a function that is missing");
                };
                let call = ExprKind::Call {
                    name: ident(function.name.as_str().into()),
                    args: self.exprs(args),
                };
                let known = determine(
                    function.params.iter().map(|param| &param.ty),
                    function.type_params.iter().map(|param| param.id),
                );
                self.ascribed(call, known, &expr.ty)
            }
            hir::ExprKind::If { .. } => self.if_then_else(expr),
            hir::ExprKind::Quantifier {
                kind,
                type_params,
                bound,
                triggers,
                body,
                attributes,
            } => {
                let binder = match kind {
                    hir::QuantifierKind::Forall => ast::Binder::Forall,
                    hir::QuantifierKind::Exists => ast::Binder::Exists,
                };
                self.quantifier(binder, type_params, bound, triggers, body, attributes)
            }
            hir::ExprKind::Lambda {
                type_params,
                bound,
                body,
                attributes,
            } => {
                let binder = ast::Binder::Lambda;
                self.quantifier(binder, type_params, bound, &[], body, attributes)
            }
            hir::ExprKind::Let {
                bound,
                values,
                body,
                attributes,
            } => ExprKind::Let(Box::new(ast::Let {
                names: bound
                    .iter()
                    .map(|bound| (Vec::new(), ident(self.bound_name(bound))))
                    .collect(),
                values: self.exprs(values),
                attributes: self.attributes(attributes),
                body: self.expr(body),
            })),
            hir::ExprKind::IntToReal(e) => ExprKind::ToReal(self.boxed(e)),
            hir::ExprKind::RealToInt(e) => ExprKind::ToInt(self.boxed(e)),
            hir::ExprKind::Construct {
                datatype,
                constructor,
                args,
            } => {
                let Some((datatype, constructor)) = self.constructor(*datatype, *constructor)
                else {
                    return inexpressible("a constructor that is missing");
                };
                let call = ExprKind::Call {
                    name: ident(constructor.name.as_str().into()),
                    args: self.exprs(args),
                };
                let fields = constructor.fields.iter();
                let known = determine(
                    fields.filter_map(|field| Some(&datatype.fields.get(*field)?.ty)),
                    datatype.type_params.iter().map(|param| param.id),
                );
                self.ascribed(call, known, &expr.ty)
            }
            hir::ExprKind::Field {
                datatype,
                field,
                value,
            } => ExprKind::Field {
                operand: self.boxed(value),
                field: ident(self.field(*datatype, *field)),
            },
            hir::ExprKind::FieldUpdate {
                datatype,
                field,
                value,
                new,
            } => ExprKind::FieldUpdate {
                operand: self.boxed(value),
                field: ident(self.field(*datatype, *field)),
                value: self.boxed(new),
            },
            hir::ExprKind::Is {
                datatype,
                constructor,
                value,
            } => match self.constructor(*datatype, *constructor) {
                Some((_, constructor)) => ExprKind::Is {
                    operand: self.boxed(value),
                    constructor: ident(constructor.name.as_str().into()),
                },
                None => inexpressible("a constructor that is missing"),
            },
            // What it does is lost. A loop is what nobody understands, so nobody takes it for something else.
            hir::ExprKind::Code { .. }
            | hir::ExprKind::Unsupported {
                what: "code expression",
            } => {
                let forever = || ident("forever".into());
                let kinds = [
                    ast::StmtKind::Label(forever()),
                    ast::StmtKind::Goto(vec![forever()]),
                ];
                let stmts = kinds.map(|kind| ast::Stmt {
                    kind,
                    attributes: Vec::new(),
                    span: NOWHERE,
                });
                ExprKind::Code(Box::new(ast::CodeExpr {
                    locals: Vec::new(),
                    stmts: stmts.into(),
                }))
            }
            hir::ExprKind::Unsupported { what } => inexpressible(what),
            hir::ExprKind::Error => inexpressible("an expression with an error"),
        }
    }

    fn constructor(
        &self,
        datatype: hir::DatatypeId,
        constructor: usize,
    ) -> Option<(&'p hir::Datatype, &'p hir::Constructor)> {
        let datatype = self.background.datatypes.get(datatype.index())?;
        Some((datatype, datatype.constructors.get(constructor)?))
    }

    fn field(&self, datatype: hir::DatatypeId, field: usize) -> Arc<str> {
        let datatype = self.background.datatypes.get(datatype.index());
        let field = datatype.and_then(|datatype| datatype.fields.get(field));
        field.map_or("?missing", |field| &field.name).into()
    }

    pub(super) fn bound_name(&self, bound: &Bound) -> Arc<str> {
        self.names.of(VarRef::Bound(bound.id))
    }

    /// The expression with its type behind it, unless the type is known without.
    fn ascribed(&mut self, kind: ExprKind, known: bool, ty: &Type) -> ExprKind {
        if known {
            return kind;
        }
        ExprKind::Ascription {
            operand: Box::new(Expr::new(kind, NOWHERE)),
            ty: self.types.ty(ty),
        }
    }

    fn unary(&mut self, op: ast::UnaryOp, operand: &hir::Expr) -> ExprKind {
        ExprKind::Unary {
            op,
            operand: self.boxed(operand),
        }
    }

    fn logical(&mut self, op: BinaryOp, args: &[hir::Expr]) -> ExprKind {
        match args {
            [] => ExprKind::Literal(Literal::Bool(op == BinaryOp::And)),
            [only] => self.kind(only),
            [first, rest @ ..] => chain(
                self.expr(first),
                rest.iter().map(|arg| link(op, self.expr(arg))).collect(),
            ),
        }
    }

    fn binary(
        &mut self,
        expr: &hir::Expr,
        op: hir::BinaryOp,
        left: &hir::Expr,
        right: &hir::Expr,
    ) -> ExprKind {
        let op = binary(op);
        match op.precedence() {
            Precedence::Iff => self.left_chain(op, expr),
            Precedence::Implies | Precedence::Power => self.right_chain(op, expr),
            precedence @ (Precedence::Sum | Precedence::Product) => {
                self.arithmetic(precedence, expr)
            }
            _ => chain(self.expr(left), vec![link(op, self.expr(right))]),
        }
    }

    /// `(a op b) op c` as `a op b op c`.
    fn left_chain(&mut self, op: BinaryOp, expr: &hir::Expr) -> ExprKind {
        let mut rest = Vec::new();
        let mut first = expr;
        while let Some((left, right)) = operands(op, first) {
            rest.push(link(op, self.expr(right)));
            first = left;
        }
        rest.reverse();
        chain(self.expr(first), rest)
    }

    /// `a op (b op c)` as `a op b op c`.
    fn right_chain(&mut self, op: BinaryOp, expr: &hir::Expr) -> ExprKind {
        let Some((first, mut last)) = operands(op, expr) else {
            return inexpressible("an operator without operands");
        };
        let first = self.expr(first);
        let mut rest = Vec::new();
        while let Some((left, right)) = operands(op, last) {
            rest.push(link(op, self.expr(left)));
            last = right;
        }
        rest.push(link(op, self.expr(last)));
        chain(first, rest)
    }

    /// A sum or a product. Runs of `+` and of `*` are one node each, so a run that begins with a run needs parentheses.
    fn arithmetic(&mut self, level: Precedence, expr: &hir::Expr) -> ExprKind {
        let mut rest = Vec::new();
        let mut first = expr;
        let mut in_run = false;
        loop {
            match &first.kind {
                hir::ExprKind::Nary(op, args) if nary(*op).precedence() == level && !in_run => {
                    let Some((head, tail)) = args.split_first() else {
                        break;
                    };
                    for arg in tail.iter().rev() {
                        rest.push(link(nary(*op), self.expr(arg)));
                    }
                    in_run = true;
                    first = head;
                }
                hir::ExprKind::Binary(op, left, right) if binary(*op).precedence() == level => {
                    rest.push(link(binary(*op), self.expr(right)));
                    in_run = false;
                    first = left;
                }
                _ => break,
            }
        }
        rest.reverse();
        match &first.kind {
            hir::ExprKind::Nary(_, args) if args.is_empty() => inexpressible("an empty sum"),
            _ if rest.is_empty() => self.kind(first),
            _ => chain(self.expr(first), rest),
        }
    }

    /// `if a then x else if b then y else z`
    fn if_then_else(&mut self, expr: &hir::Expr) -> ExprKind {
        let mut branches = Vec::new();
        let mut last = expr;
        while let hir::ExprKind::If {
            condition,
            then,
            otherwise,
        } = &last.kind
        {
            branches.push((self.expr(condition), self.expr(then)));
            last = otherwise;
        }
        ExprKind::IfThenElse {
            branches,
            otherwise: self.boxed(last),
        }
    }

    fn quantifier(
        &mut self,
        binder: ast::Binder,
        type_params: &[hir::TypeParameter],
        bound: &[Bound],
        triggers: &[hir::Trigger],
        body: &hir::Expr,
        attributes: &[hir::Attribute],
    ) -> ExprKind {
        let type_params = self.types.enter(type_params);
        let mut attributes = self.attributes(attributes);
        for trigger in triggers.iter().filter(|trigger| !trigger.positive) {
            attributes.push(ast::Attribute {
                name: ident("nopats".into()),
                args: self.exprs(&trigger.terms),
                span: NOWHERE,
            });
        }
        let quantifier = ast::Quantifier {
            binder,
            vars: self.group(bound),
            attributes,
            triggers: triggers
                .iter()
                .filter(|trigger| trigger.positive)
                .map(|trigger| ast::Trigger {
                    exprs: self.exprs(&trigger.terms),
                    span: NOWHERE,
                })
                .collect(),
            body: self.expr(body),
            type_params,
        };
        self.types.leave(&quantifier.type_params);
        ExprKind::Quantifier(Box::new(quantifier))
    }

    /// Bound variables; neighbours of one type and with the same attributes share them.
    fn group(&mut self, bound: &[Bound]) -> Vec<TypedIdents> {
        bound
            .chunk_by(|a, b| a.ty == b.ty && a.attributes == b.attributes)
            .map(|same| TypedIdents {
                attributes: self.attributes(&same[0].attributes),
                names: same
                    .iter()
                    .map(|bound| ident(self.bound_name(bound)))
                    .collect(),
                ty: self.types.ty(&same[0].ty),
                where_clause: None,
                span: NOWHERE,
            })
            .collect()
    }

    pub(super) fn attributes(&mut self, attributes: &[hir::Attribute]) -> Vec<ast::Attribute> {
        attributes
            .iter()
            .map(|attribute| ast::Attribute {
                name: ident(attribute.name.as_str().into()),
                args: attribute
                    .args
                    .iter()
                    .map(|arg| match arg {
                        // A string ends on its line.
                        AttributeArgument::String(text) => Expr::new(
                            ExprKind::Literal(Literal::String(text.replace('\n', " "))),
                            NOWHERE,
                        ),
                        AttributeArgument::Expr(expr) => self.expr(expr),
                        AttributeArgument::Opaque(_) => {
                            Expr::new(ExprKind::Ident(ident(OPAQUE.into())), NOWHERE)
                        }
                    })
                    .collect(),
                span: NOWHERE,
            })
            .collect()
    }
}

/// The operands, if this is an application of the operator.
fn operands(op: BinaryOp, expr: &hir::Expr) -> Option<(&hir::Expr, &hir::Expr)> {
    match &expr.kind {
        hir::ExprKind::Binary(own, left, right) if binary(*own) == op => Some((left, right)),
        hir::ExprKind::Concat(left, right) if op == BinaryOp::Concat => Some((left, right)),
        _ => None,
    }
}
