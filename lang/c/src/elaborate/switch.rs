//! `switch` (C11 6.8.4.2): comparisons that jump into the body.

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::{CompareOp, Expr, ExprKind, LabelId, StmtKind};
use crate::syntax::{self as c, Node};
use crate::types::Type;

use super::{Elaborator, int};

/// The labels of a `switch` whose body is read.
pub(super) struct Switch {
    /// The promoted type of its expression.
    ty: Type,
    /// The first and last value, the label and its place.
    cases: Vec<(i128, i128, LabelId, Span)>,
    default: Option<LabelId>,
}

impl Elaborator {
    pub(super) fn switch(&mut self, statement: &c::SwitchStatement) {
        let place = statement.expression.span;
        self.in_block(place, |this| this.switch_in_block(statement));
    }

    fn switch_in_block(&mut self, statement: &c::SwitchStatement) {
        let place = statement.expression.span;
        let value = self.full_value(&statement.expression, Elaborator::value);
        let value = self.promote(value);
        let value = if value.ty.is_integer() {
            value
        } else {
            self.mismatch(&value, "`switch` needs an integer".to_owned());
            super::unsupported("a `switch` on no integer", Type::INT, place)
        };
        let value = if self.is_stable(&value)
            && matches!(value.kind, ExprKind::Int(_) | ExprKind::Read(_))
        {
            value
        } else {
            self.save(value)
        };
        let block = self.new_block();
        let exit = self.exit(block);
        if let Some(context) = &mut self.function {
            context.breaks.push(exit);
            context.switches.push(Switch {
                ty: value.ty.clone(),
                cases: Vec::new(),
                default: None,
            });
        }
        let (mut body, ()) =
            self.collect(|this| this.in_block(place, |this| this.statement(&statement.statement)));
        let switch = self.function.as_mut().and_then(|context| {
            context.breaks.pop();
            context.switches.pop()
        });
        let Some(switch) = switch else {
            return;
        };
        self.check_cases(&switch);
        let (mut statements, ()) = self.collect(|this| {
            for &(low, high, label, place) in &switch.cases {
                let condition = this.in_range(&value, low, high, place);
                let (jump, ()) = this.collect(|this| this.emit_goto(label, place));
                this.emit_if(condition, jump, Vec::new(), place);
            }
            match switch.default {
                Some(label) => this.emit_goto(label, place),
                None => this.emit_leave(block, place),
            }
        });
        statements.append(&mut body);
        self.emit(StmtKind::Block(block, statements), place);
    }

    fn in_range(&mut self, value: &Expr, low: i128, high: i128, place: Span) -> Expr {
        let mut compare = |op, constant| {
            let constant = int(constant, value.ty.clone(), place);
            self.compare_values(op, value.clone(), constant, place)
        };
        if low == high {
            return compare(CompareOp::Equal, low);
        }
        let above = compare(CompareOp::GreaterEqual, low);
        let below = compare(CompareOp::LessEqual, high);
        Expr {
            kind: ExprKind::And(Box::new(above), Box::new(below)),
            ty: Type::INT,
            span: place,
        }
    }

    pub(super) fn case(
        &mut self,
        low: &Node<c::Expression>,
        high: Option<&Node<c::Expression>>,
        place: Span,
    ) {
        let Some(ty) = self
            .function
            .as_ref()
            .and_then(|context| context.switches.last())
            .map(|switch| switch.ty.clone())
        else {
            self.stray("case", place);
            return;
        };
        let Some(ty) = ty.integer() else { return };
        let Some(low) = self.constant_expression(low) else {
            return;
        };
        let high = match high {
            Some(high) => match self.constant_expression(high) {
                Some(high) => high,
                None => return,
            },
            None => low,
        };
        let (low, high) = (ty.wrap(low), ty.wrap(high));
        let label = self.new_label(if low == high {
            format!("case {low}")
        } else {
            format!("case {low} ... {high}")
        });
        self.emit_label(label, place);
        if let Some(switch) = self
            .function
            .as_mut()
            .and_then(|context| context.switches.last_mut())
            // An empty range is never taken.
            && low <= high
        {
            switch.cases.push((low, high, label, place));
        }
    }

    pub(super) fn default(&mut self, place: Span) {
        let label = self.new_label("default".to_owned());
        let switch = self
            .function
            .as_mut()
            .and_then(|context| context.switches.last_mut());
        match switch {
            Some(switch) if switch.default.is_none() => {
                switch.default = Some(label);
                self.emit_label(label, place);
            }
            Some(_) => self.error(
                Id::C_BAD_DECLARATION,
                "a second `default` in one `switch`",
                place,
                "there is one above",
            ),
            None => self.stray("default", place),
        }
    }

    fn stray(&mut self, what: &str, place: Span) {
        self.error(
            Id::C_BAD_DECLARATION,
            format!("a `{what}` outside of `switch`"),
            place,
            "there is nothing to choose from",
        );
    }

    fn check_cases(&mut self, switch: &Switch) {
        let mut cases: Vec<_> = switch
            .cases
            .iter()
            .map(|&(low, high, _, place)| (low, high, place))
            .collect();
        cases.sort();
        for pair in cases.windows(2) {
            let ((_, high, first), (low, _, second)) = (pair[0], pair[1]);
            if low <= high {
                let place = first.max(second);
                self.error(
                    Id::C_BAD_DECLARATION,
                    format!("the case {low} occurs twice"),
                    place,
                    "in the same `switch`",
                );
            }
        }
    }
}
