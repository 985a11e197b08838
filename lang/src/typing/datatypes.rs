//! Fields and testers of datatypes.

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::{DatatypeId, Expr, ExprKind, Type};
use crate::resolve::environment::DatatypeInfo;
use crate::resolve::message::Message;
use crate::resolve::suggest::did_you_mean;
use crate::resolve::types::substitute_params;
use crate::span::Span;

use super::Checker;

impl<'e> Checker<'e> {
    /// The datatype of an expression with its type arguments; `what` needs one.
    fn datatype(
        &mut self,
        operand: &Expr,
        what: &str,
    ) -> Option<(DatatypeId, &'e DatatypeInfo, Vec<Type>)> {
        match self.infer.shallow(&operand.ty) {
            Type::Datatype(id, args) => Some((id, self.env.datatypes.get(id.index())?, args)),
            Type::Error => None,
            ty if self.infer.is_unknown(&ty) => {
                self.unknown_type(operand.span);
                None
            }
            ty => {
                let shown = self.show(&ty);
                self.error(
                    Id::NOT_A_DATATYPE,
                    format!("{what} needs a datatype, but `{shown}` is none"),
                    operand.span,
                    format!("this is of type `{shown}`"),
                );
                None
            }
        }
    }

    /// The index and type of a field.
    fn lookup_field(
        &mut self,
        operand: &Expr,
        name: &ast::Ident,
    ) -> Option<(DatatypeId, usize, Type)> {
        let (id, info, args) = self.datatype(operand, "`->`")?;
        let Some(index) = info.fields.iter().position(|field| field.name == name.name) else {
            let help = did_you_mean(&name.name, info.fields.iter().map(|field| &*field.name));
            let message = Message::error(
                Id::UNKNOWN_FIELD,
                format!("the datatype `{}` has no field `{}`", info.name, name.name),
                self.place(name.span),
                "unknown field",
            )
            .with_label(info.place, "the datatype is declared here")
            .with_optional_help(help);
            self.messages.push(message);
            return None;
        };
        let ty = substitute_params(&info.fields[index].ty, &info.type_params, &args);
        Some((id, index, ty))
    }

    /// `operand->field`
    pub(super) fn field(&mut self, operand: Expr, name: &ast::Ident, span: Span) -> Expr {
        match self.lookup_field(&operand, name) {
            Some((datatype, field, ty)) => Expr::new(
                ExprKind::Field {
                    datatype,
                    field,
                    value: Box::new(operand),
                },
                ty,
                span,
            ),
            None => Expr::error(span),
        }
    }

    /// `operand->(field := new)`
    pub(super) fn field_update(
        &mut self,
        operand: Expr,
        name: &ast::Ident,
        new: Expr,
        span: Span,
    ) -> Expr {
        let ty = operand.ty.clone();
        match self.lookup_field(&operand, name) {
            Some((datatype, field, wanted)) => {
                self.expect(
                    &new,
                    &wanted,
                    &format!("the new value of the field `{}`", name.name),
                );
                let (value, new) = (Box::new(operand), Box::new(new));
                Expr::new(
                    ExprKind::FieldUpdate {
                        datatype,
                        field,
                        value,
                        new,
                    },
                    ty,
                    span,
                )
            }
            None => Expr::error(span),
        }
    }

    /// The one argument, which is of the datatype, of a function that belongs to a datatype in Boogie's old form; with the
    /// datatype's type arguments.
    pub(super) fn old_datatype(
        &mut self,
        datatype: DatatypeId,
        name: &ast::Ident,
        mut args: Vec<Expr>,
        span: Span,
    ) -> Option<(Expr, &'e DatatypeInfo, Vec<Type>)> {
        let info = self.env.datatypes.get(datatype.index())?;
        let type_args = self.instantiate(&info.type_params, span);
        let params = [Type::Datatype(datatype, type_args.clone())];
        if !self.arguments("function", name, &params, &args, info.place, span) {
            return None;
        }
        Some((args.pop()?, info, type_args))
    }

    /// `operand is constructor`
    pub(super) fn is(&mut self, operand: Expr, name: &ast::Ident, span: Span) -> Expr {
        let mut error = Expr::error(span);
        error.ty = Type::Bool;
        let Some((datatype, info, _)) = self.datatype(&operand, "`is`") else {
            return error;
        };
        let Some(constructor) = info
            .constructors
            .iter()
            .position(|known| known.name == name.name)
        else {
            let help = did_you_mean(
                &name.name,
                info.constructors.iter().map(|known| &*known.name),
            );
            let message = Message::error(
                Id::UNKNOWN_CONSTRUCTOR,
                format!(
                    "the datatype `{}` has no constructor `{}`",
                    info.name, name.name
                ),
                self.place(name.span),
                "unknown constructor",
            )
            .with_label(info.place, "the datatype is declared here")
            .with_optional_help(help);
            self.messages.push(message);
            return error;
        };
        Expr::new(
            ExprKind::Is {
                datatype,
                constructor,
                value: Box::new(operand),
            },
            Type::Bool,
            span,
        )
    }
}
