//! Expressions.

use super::{Begun, Builder, Hint};
use crate::ast::*;
use crate::diagnostic::{Diagnostic, Id};
use crate::span::Span;
use crate::token;

impl Builder<'_> {
    pub(in crate::parse) fn expr(&self, l: u32, kind: ExprKind, r: u32) -> Expr {
        self.quiet.set(0);
        Expr::new(kind, Span::new(l, r))
    }

    /// A chain of operators of one level, checked for mixtures that the language does not read.
    pub(in crate::parse) fn chain(&self, l: u32, begun: Begun, last: Expr, r: u32) -> Expr {
        let Begun {
            first,
            op,
            mut rest,
        } = begun;
        rest.push(ChainLink {
            op: op.0,
            op_span: op.1,
            operand: last,
        });
        let op = rest[0].op;
        match op.precedence() {
            Precedence::Relation if rest.len() > 1 => self.chained_comparison(&rest),
            Precedence::Logical => {
                if let Some(other) = rest.iter().find(|link| link.op != op) {
                    self.mixed_operators(&rest[0], other);
                }
            }
            Precedence::Implies => return self.implications(l, first, rest, r),
            _ => {}
        }
        self.expr(
            l,
            ExprKind::Chain {
                first: first.into(),
                rest,
            },
            r,
        )
    }

    /// `a ==> b ==> c` is read from the right, `a <== b <== c` from the left; `a ==> b <== c` is `a ==> (b <== c)`,
    /// and `a <== b ==> c` is nothing.
    fn implications(&self, l: u32, first: Expr, mut rest: Vec<ChainLink>, r: u32) -> Expr {
        let implies = rest
            .iter()
            .take_while(|link| link.op == BinaryOp::Implies)
            .count();
        if let Some(other) = rest[implies..]
            .iter()
            .find(|link| link.op == BinaryOp::Implies)
        {
            self.mixed_operators(&rest[implies], other);
        } else if implies > 0 && implies < rest.len() {
            let explies = rest.split_off(implies);
            if let Some(mut last) = rest.pop() {
                let start = last.operand.span.start;
                last.operand = self.expr(
                    start,
                    ExprKind::Chain {
                        first: last.operand.into(),
                        rest: explies,
                    },
                    r,
                );
                rest.push(last);
            }
        }
        self.expr(
            l,
            ExprKind::Chain {
                first: first.into(),
                rest,
            },
            r,
        )
    }

    fn mixed_operators(&self, one: &ChainLink, other: &ChainLink) {
        let (a, b) = (one.op.text(), other.op.text());
        self.report(
            Diagnostic::error(
                Id::MIXED_OPERATORS,
                format!("`{a}` and `{b}` do not mix without parentheses"),
                other.op_span,
                format!("`{b}` after `{a}`"),
            )
            .with_label(one.op_span, format!("the first `{a}`"))
            .with_help(format!("write `(p {a} q) {b} r` or `p {a} (q {b} r)`")),
        );
    }

    fn chained_comparison(&self, rest: &[ChainLink]) {
        let (a, b) = (rest[0].op.text(), rest[1].op.text());
        self.report(
            Diagnostic::error(
                Id::CHAINED_COMPARISON,
                "comparisons do not form chains",
                rest[1].op_span,
                "the second comparison",
            )
            .with_label(rest[0].op_span, "the first comparison")
            .with_help(format!("write `x {a} y && y {b} z`")),
        );
    }

    /// `e[hi:lo]`. The bounds are numerals; `hi` was read as an expression because it could have become an ascription.
    pub(in crate::parse) fn extract(
        &self,
        l: u32,
        operand: Expr,
        high: Expr,
        low: Span,
        r: u32,
    ) -> Expr {
        let span = Span::new(l, r);
        let high_span = high.span;
        let is_numeral = matches!(high.kind, ExprKind::Literal(Literal::Int(_)))
            && self
                .slice(high_span.start, high_span.end)
                .bytes()
                .all(|b| b.is_ascii_digit());
        let help = "bits are taken out by `e[high:low]` with two numerals, from bit `low` up to but without bit `high`";
        if !is_numeral {
            self.report(
                Diagnostic::error(
                    Id::BAD_BIT_RANGE,
                    "the bounds of a bit range are numerals",
                    high_span,
                    "not a numeral",
                )
                .with_help(help),
            );
            return Expr::new(ExprKind::Error, span);
        }
        let bounds = token::parse_size(self.slice(high_span.start, high_span.end))
            .and_then(|high| Ok((high, token::parse_size(self.slice(low.start, low.end))?)));
        match bounds {
            Ok((high, low)) if high >= low => Expr::new(
                ExprKind::Extract {
                    operand: operand.into(),
                    high,
                    low,
                },
                span,
            ),
            Ok(_) => {
                self.report(
                    Diagnostic::error(
                        Id::BAD_BIT_RANGE,
                        "this bit range ends before it begins",
                        high_span.join(low),
                        "high bound first",
                    )
                    .with_help(help),
                );
                Expr::new(ExprKind::Error, span)
            }
            Err(reason) => {
                self.bad_literal(high_span.join(low), reason);
                Expr::new(ExprKind::Error, span)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(in crate::parse) fn quantifier(
        &self,
        l: u32,
        binder: Binder,
        type_params: Vec<Ident>,
        vars: Vec<TypedIdents>,
        hints: Vec<Hint>,
        body: Expr,
        r: u32,
    ) -> Expr {
        let (mut attributes, mut triggers) = (vec![], vec![]);
        for hint in hints {
            match hint {
                Hint::Attribute(attribute) => attributes.push(attribute),
                Hint::Trigger(trigger) => triggers.push(trigger),
            }
        }
        let vars = self.without_where(vars);
        self.expr(
            l,
            ExprKind::Quantifier(
                Quantifier {
                    binder,
                    type_params,
                    vars,
                    attributes,
                    triggers,
                    body,
                }
                .into(),
            ),
            r,
        )
    }

    /// Reports where clauses at names that cannot have one.
    pub(in crate::parse) fn without_where(&self, mut groups: Vec<TypedIdents>) -> Vec<TypedIdents> {
        for group in &mut groups {
            if let Some(clause) = group.where_clause.take() {
                self.report(
                    Diagnostic::error(
                        Id::MISPLACED_WHERE,
                        "no where clause is allowed here",
                        clause.span,
                        "this condition",
                    )
                    .with_help(
                        "only variables, parameters and results of procedures have where clauses",
                    ),
                );
            }
        }
        groups
    }
}
