//! Expressions.

use crate::ast::{self, ExprKind as Ast};
use crate::diagnostic::Id;
use crate::hir::{Expr, ExprKind, Type, TypeVarId, VarRef};
use crate::resolve::environment::Callable;
use crate::resolve::message::Message;
use crate::resolve::types::{count, substitute_params};
use crate::span::Span;
use crate::stack::ensure_stack;

use super::deferred::OF_A_MAP;
use super::{Checker, State};

impl Checker<'_> {
    /// The typed form of an expression; its types may contain unknowns until [`Checker::finish`].
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        ensure_stack(|| self.expr_kind(expr))
    }

    fn expr_kind(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            Ast::Literal(literal) => self.literal(literal, span),
            Ast::Ident(name) => match self.variable(name) {
                Some((var, ty)) => Expr::new(ExprKind::Var(var), ty, span),
                None => Expr::error(span),
            },
            Ast::Primed(name) => self.primed(name, span),
            Ast::Call { name, args } => self.call(name, args, span),
            Ast::Unary { op, operand } => self.unary(*op, operand, span),
            Ast::Chain { first, rest } => self.chain(first, rest, span),
            Ast::Select { map, indices } => {
                let map = self.expr(map);
                let indices = self.exprs(indices);
                self.select(map, indices, span)
            }
            Ast::Store {
                map,
                indices,
                value,
            } => {
                let map = self.expr(map);
                let indices = self.exprs(indices);
                let value = self.expr(value);
                self.store(map, indices, value, span)
            }
            Ast::Extract { operand, high, low } => self.extract(operand, *high, *low, span),
            Ast::Field { operand, field } => {
                let operand = self.expr(operand);
                self.field(operand, field, span)
            }
            Ast::FieldUpdate {
                operand,
                field,
                value,
            } => {
                let operand = self.expr(operand);
                let value = self.expr(value);
                self.field_update(operand, field, value, span)
            }
            Ast::Is {
                operand,
                constructor,
            } => {
                let operand = self.expr(operand);
                self.is(operand, constructor, span)
            }
            Ast::IfThenElse {
                branches,
                otherwise,
            } => self.if_then_else(branches, otherwise, span),
            Ast::Old(inner) => self.old(inner, span),
            Ast::ToInt(inner) => {
                let inner = self.expr(inner);
                self.expect(&inner, &Type::Real, "`int(...)` converts a real");
                Expr::new(ExprKind::RealToInt(Box::new(inner)), Type::Int, span)
            }
            Ast::ToReal(inner) => {
                let inner = self.expr(inner);
                self.expect(&inner, &Type::Int, "`real(...)` converts an int");
                Expr::new(ExprKind::IntToReal(Box::new(inner)), Type::Real, span)
            }
            Ast::Ascription { operand, ty } => {
                let mut inner = self.expr(operand);
                let ty = self.resolve_type(ty);
                if !self.expect(
                    &inner,
                    &ty,
                    "the expression does not have the type it is said to have",
                ) {
                    inner = Expr::error(span);
                    inner.ty = ty;
                }
                inner.span = span;
                inner
            }
            Ast::Quantifier(quantifier) => self.quantifier(quantifier, span),
            Ast::Let(binding) => self.let_(binding, span),
            Ast::Code(code) => self.code(code, span),
            Ast::Error => Expr::error(span),
        }
    }

    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// A primed variable of a program graph.
    fn primed(&mut self, name: &ast::Ident, span: Span) -> Expr {
        if let Some(entry) = self.entry(&name.name)
            && let VarRef::Unprimed(id) = entry.var
        {
            return Expr::new(ExprKind::Var(VarRef::Primed(id)), entry.ty.clone(), span);
        }
        if let Some(entry) = self.entry(&name.name) {
            let words = entry.role.words();
            self.error(
                Id::PRIMED,
                format!("`{}'` is no variable of the graph", name.name),
                span,
                format!(
                    "`{}` is a {words}; only state variables have a value after the edge",
                    name.name
                ),
            );
        } else if self.env.values.contains_key(&name.name) {
            self.error(
                Id::PRIMED,
                format!("`{}'` is no variable of the graph", name.name),
                span,
                "a constant has one value only; only state variables have a value after the edge",
            );
        } else {
            self.unknown_variable(name);
        }
        Expr::error(span)
    }

    /// New unknowns for type parameters.
    pub(super) fn instantiate(&mut self, params: &[TypeVarId], span: Span) -> Vec<Type> {
        params
            .iter()
            .map(|param| {
                let name = self.type_var_name(*param).unwrap_or_else(|| "_".into());
                self.infer.fresh(span, name)
            })
            .collect()
    }

    fn call(&mut self, name: &ast::Ident, args: &[ast::Expr], span: Span) -> Expr {
        let args = self.exprs(args);
        let Some(callable) = self.env.callables.get(&name.name).copied() else {
            self.unknown_function(name);
            return Expr::error(span);
        };
        match callable {
            Callable::Function(id) => {
                let Some(info) = self.env.functions.get(id.index()) else {
                    return Expr::error(span);
                };
                let type_args = self.instantiate(&info.type_params, span);
                let params: Vec<Type> = info
                    .params
                    .iter()
                    .map(|ty| substitute_params(ty, &info.type_params, &type_args))
                    .collect();
                let ty = substitute_params(&info.result, &info.type_params, &type_args);
                if !self.arguments("function", name, &params, &args, info.place, span) {
                    let mut error = Expr::error(span);
                    if type_args.is_empty() {
                        error.ty = ty;
                    }
                    return error;
                }
                Expr::new(
                    ExprKind::Call {
                        function: id,
                        type_args,
                        args,
                    },
                    ty,
                    span,
                )
            }
            Callable::Constructor(datatype, constructor) => {
                let Some(info) = self.env.datatypes.get(datatype.index()) else {
                    return Expr::error(span);
                };
                let Some(constructor_info) = info.constructors.get(constructor) else {
                    return Expr::error(span);
                };
                let type_args = self.instantiate(&info.type_params, span);
                let params: Vec<Type> = constructor_info
                    .fields
                    .iter()
                    .filter_map(|field| info.fields.get(*field))
                    .map(|field| substitute_params(&field.ty, &info.type_params, &type_args))
                    .collect();
                let known = type_args.is_empty();
                let ty = Type::Datatype(datatype, type_args);
                if !self.arguments(
                    "constructor",
                    name,
                    &params,
                    &args,
                    constructor_info.place,
                    span,
                ) {
                    let mut error = Expr::error(span);
                    if known {
                        error.ty = ty;
                    }
                    return error;
                }
                Expr::new(
                    ExprKind::Construct {
                        datatype,
                        constructor,
                        args,
                    },
                    ty,
                    span,
                )
            }
            Callable::Field(datatype, field) => {
                let value = self.old_datatype(datatype, name, args, span);
                value.map_or(Expr::error(span), |(value, info, type_args)| {
                    let ty = &info.fields[field].ty;
                    let ty = substitute_params(ty, &info.type_params, &type_args);
                    let kind = ExprKind::Field {
                        datatype,
                        field,
                        value: Box::new(value),
                    };
                    Expr::new(kind, ty, span)
                })
            }
            Callable::Is(datatype, constructor) => {
                let value = self.old_datatype(datatype, name, args, span);
                value.map_or(Expr::error(span), |(value, _, _)| {
                    let kind = ExprKind::Is {
                        datatype,
                        constructor,
                        value: Box::new(value),
                    };
                    Expr::new(kind, Type::Bool, span)
                })
            }
        }
    }

    pub(super) fn unknown_function(&mut self, name: &ast::Ident) {
        let help = if self.env.procedure_names.contains_key(&name.name) {
            Some(format!(
                "`{0}` is a procedure; it is run by a statement: `call {0}(...);`",
                name.name
            ))
        } else if &*name.name == "not" {
            // With parentheses it is no mistake in syntax.
            Some("negation is written `!`: `!(x == 1)`".to_owned())
        } else {
            self.suggest(&name.name, |checker| {
                checker.env.callables.keys().map(|name| &**name).collect()
            })
        };
        let message = Message::error(
            Id::UNKNOWN_FUNCTION,
            format!("there is no function `{}`", name.name),
            self.place(name.span),
            "unknown function",
        )
        .with_optional_help(help);
        self.messages.push(message);
    }

    /// Checks arguments against parameters.
    pub(super) fn arguments(
        &mut self,
        what: &str,
        name: &ast::Ident,
        params: &[Type],
        args: &[Expr],
        declared: crate::resolve::Place,
        span: Span,
    ) -> bool {
        if params.len() != args.len() {
            let message = Message::error(
                Id::ARGUMENT_COUNT,
                format!(
                    "the {what} `{}` takes {}, not {}",
                    name.name,
                    count(params.len(), "argument"),
                    args.len()
                ),
                self.place(span),
                format!("{} given", count(args.len(), "argument")),
            )
            .with_label(declared, "declared here");
            self.messages.push(message);
            return false;
        }
        let mut good = true;
        for (index, (param, arg)) in params.iter().zip(args).enumerate() {
            good &= self.expect(
                arg,
                param,
                &format!("argument {} of `{}`", index + 1, name.name),
            );
        }
        good
    }

    /// The map type of an expression with fresh instances of its type parameters: type arguments and range. Where the type
    /// is not known yet, it has to be such a map, and the type arguments are for [`Checker::complete`].
    fn map_instance(
        &mut self,
        map: &Expr,
        indices: &[Expr],
        span: Span,
    ) -> Option<(Vec<Type>, Type)> {
        let map_type = match self.infer.shallow(&map.ty) {
            Type::Map(map_type) => map_type,
            Type::Error => return None,
            ty if self.may_be_any(&ty) => {
                return Some((Vec::new(), self.element(ty, indices, span)));
            }
            ty => {
                let shown = self.show(&ty);
                self.error(
                    Id::NOT_A_MAP,
                    format!("`{shown}` is not a map"),
                    map.span,
                    format!("this is of type `{shown}`, which has no elements"),
                );
                return None;
            }
        };
        if map_type.domain.len() != indices.len() {
            let shown = self.show(&map.ty);
            self.error(
                Id::INDEX_COUNT,
                format!(
                    "this map takes {}, not {}",
                    if map_type.domain.len() == 1 {
                        "1 index".to_owned()
                    } else {
                        format!("{} indices", map_type.domain.len())
                    },
                    indices.len()
                ),
                span,
                format!("the map is of type `{shown}`"),
            );
            return None;
        }
        let type_args: Vec<Type> = map_type
            .type_params
            .iter()
            .map(|_| self.infer.fresh(span, OF_A_MAP.into()))
            .collect();
        let mut good = true;
        for (index, wanted) in indices.iter().zip(&map_type.domain) {
            let wanted = substitute_params(wanted, &map_type.type_params, &type_args);
            good &= self.expect(index, &wanted, "the index of a map");
        }
        let range = substitute_params(&map_type.range, &map_type.type_params, &type_args);
        (good || map_type.type_params.is_empty()).then_some((type_args, range))
    }

    /// `map[indices]`
    pub(super) fn select(&mut self, map: Expr, indices: Vec<Expr>, span: Span) -> Expr {
        match self.map_instance(&map, &indices, span) {
            Some((type_args, ty)) => Expr::new(
                ExprKind::Select {
                    map: Box::new(map),
                    type_args,
                    indices,
                },
                ty,
                span,
            ),
            None => Expr::error(span),
        }
    }

    /// `map[indices := value]`
    pub(super) fn store(&mut self, map: Expr, indices: Vec<Expr>, value: Expr, span: Span) -> Expr {
        let ty = map.ty.clone();
        match self.map_instance(&map, &indices, span) {
            Some((type_args, range)) => {
                self.expect(&value, &range, "the new element of a map");
                let value = Box::new(value);
                Expr::new(
                    ExprKind::Store {
                        map: Box::new(map),
                        type_args,
                        indices,
                        value,
                    },
                    ty,
                    span,
                )
            }
            None => Expr::error(span),
        }
    }

    /// "The type is not known here."
    pub(super) fn unknown_type(&mut self, span: Span) {
        let message = Message::error(
            Id::TYPE_NOT_KNOWN,
            "the type of this expression is not known here",
            self.place(span),
            "nothing to the left of here determines its type",
        )
        .with_help("say it by an ascription: `(e: T)`");
        self.messages.push(message);
    }

    /// "There are not so many bits."
    pub(super) fn no_such_bits(&mut self, ty: &Type, high: u32, span: Span) {
        let shown = self.show(ty);
        self.error(
            Id::BIT_RANGE,
            format!("bits up to {high} cannot be taken out of `{shown}`"),
            span,
            format!("the operand must be a bit-vector of at least {high} bits"),
        );
    }

    fn extract(&mut self, operand: &ast::Expr, high: u32, low: u32, span: Span) -> Expr {
        let operand = self.expr(operand);
        if low > high {
            self.error(
                Id::BIT_RANGE,
                format!("the bit range [{high}:{low}] ends below its start"),
                span,
                "written as [end:start]; the end is excluded",
            );
            return Expr::error(span);
        }
        match self.infer.shallow(&operand.ty) {
            Type::BitVec(width) if high <= width => Expr::new(
                ExprKind::Extract {
                    value: Box::new(operand),
                    high,
                    low,
                },
                Type::BitVec(high - low),
                span,
            ),
            Type::Error => Expr::error(span),
            ty if self.may_be_any(&ty) => {
                self.bits_at_least(ty, high, span);
                Expr::new(
                    ExprKind::Extract {
                        value: Box::new(operand),
                        high,
                        low,
                    },
                    Type::BitVec(high - low),
                    span,
                )
            }
            ty => {
                self.no_such_bits(&ty, high, span);
                let mut error = Expr::error(span);
                error.ty = Type::BitVec(high - low);
                error
            }
        }
    }

    fn if_then_else(
        &mut self,
        branches: &[(ast::Expr, ast::Expr)],
        otherwise: &ast::Expr,
        span: Span,
    ) -> Expr {
        let branches: Vec<(Expr, Expr)> = branches
            .iter()
            .map(|(condition, value)| {
                let condition = self.expr(condition);
                self.expect(&condition, &Type::Bool, "the condition of `if`");
                (condition, self.expr(value))
            })
            .collect();
        let mut result = self.expr(otherwise);
        for (condition, value) in branches.into_iter().rev() {
            if !self.infer.unify(&value.ty, &result.ty) {
                let (then, other) = (self.show(&value.ty), self.show(&result.ty));
                let message = Message::error(
                    Id::TYPE_MISMATCH,
                    format!("the branches of `if` have the types `{then}` and `{other}`"),
                    self.place(value.span),
                    format!("this is of type `{then}`"),
                )
                .with_label(
                    self.place(result.span),
                    format!("this is of type `{other}`"),
                );
                self.messages.push(message);
                return Expr::error(span);
            }
            let ty = value.ty.clone();
            let span = Span {
                start: condition.span.start.min(span.end),
                end: span.end,
            };
            result = Expr::new(
                ExprKind::If {
                    condition: Box::new(condition),
                    then: Box::new(value),
                    otherwise: Box::new(result),
                },
                ty,
                span,
            );
        }
        result.span = span;
        result
    }

    fn old(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        let allowed = self.state == State::Two;
        let inner = self.expr(inner);
        if !allowed {
            let message = Message::error(
                Id::OLD_NOT_ALLOWED,
                "`old` has no meaning here",
                self.place(span),
                "there is no earlier state to refer to",
            )
            .with_help(
                "`old` may stand in ensures clauses and in bodies of procedures that are not pure",
            );
            self.messages.push(message);
            return Expr::new(ExprKind::Error, inner.ty.clone(), span);
        }
        let ty = inner.ty.clone();
        Expr::new(ExprKind::Old(Box::new(inner)), ty, span)
    }
}
