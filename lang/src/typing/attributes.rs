//! Attributes: their arguments, and what the few that have a meaning of their own demand.

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::{Attribute, AttributeArgument, Type};
use crate::resolve::types::count;

use super::{Checker, State};

impl Checker<'_> {
    /// Attributes. What their arguments mean is up to whoever uses them, so arguments that name something unknown are no
    /// errors; those whose types do not fit are.
    pub(super) fn attributes(&mut self, attributes: &[ast::Attribute]) -> Vec<Attribute> {
        attributes
            .iter()
            .map(|attribute| {
                let args = attribute.args.iter();
                let args: Vec<_> = args.map(|arg| self.attribute_argument(arg)).collect();
                self.takes_these(attribute, &args);
                Attribute {
                    name: attribute.name.name.to_string(),
                    args,
                    span: attribute.span,
                }
            })
            .collect()
    }

    fn attribute_argument(&mut self, arg: &ast::Expr) -> AttributeArgument {
        if let ast::ExprKind::Literal(ast::Literal::String(text)) = &arg.kind {
            return AttributeArgument::String(text.clone());
        }
        let mark = self.messages.len();
        let state = std::mem::replace(&mut self.state, State::Two);
        let trigger = std::mem::replace(&mut self.in_trigger, false);
        let expr = self.expr(arg);
        self.state = state;
        self.in_trigger = trigger;
        if self.has_errors_since(mark) {
            let mut errors = self.messages[mark..].iter().filter(|m| m.is_error());
            if !errors.all(|message| message.id.is_about_types()) {
                self.messages.truncate(mark);
            }
            return AttributeArgument::Opaque(arg.span);
        }
        AttributeArgument::Expr(expr)
    }

    /// Reports arguments that the attribute does not take.
    fn takes_these(&mut self, attribute: &ast::Attribute, args: &[AttributeArgument]) {
        let name = &*attribute.name.name;
        let (wanted, fits): (&str, fn(&Type) -> bool) = match name {
            "minimize" | "maximize" => ("a number or a bit-vector", |ty| {
                matches!(
                    ty,
                    Type::Int | Type::Real | Type::BitVec(_) | Type::Var(_) | Type::Error
                )
            }),
            "verified_under" => ("a bool", |ty| {
                matches!(ty, Type::Bool | Type::Var(_) | Type::Error)
            }),
            _ => return,
        };
        let fits = match args {
            [AttributeArgument::Expr(expr)] => fits(&self.infer.shallow(&expr.ty)),
            [AttributeArgument::Opaque(_)] => true,
            _ => false,
        };
        if !fits {
            self.error(
                Id::ATTRIBUTE_ARGUMENT,
                format!("`{{:{name}}}` takes one argument, {wanted}"),
                attribute.span,
                match args {
                    [_] => "the argument is of another type".to_owned(),
                    args => format!("there are {} here", count(args.len(), "argument")),
                },
            );
        }
    }

    /// Attributes outside of a formula, complete with types.
    pub(super) fn finished_attributes(&mut self, attributes: &[ast::Attribute]) -> Vec<Attribute> {
        let mut attributes = self.attributes(attributes);
        self.finish_attributes(&mut attributes);
        attributes
    }
}
