//! Calls of procedures.

use crate::ast;
use crate::diagnostic::Id;
use crate::hir::{Expr, ProcedureId, Type, VarRef};
use crate::resolve::environment::ProcedureInfo;
use crate::resolve::message::Message;
use crate::resolve::types::{count, substitute_params};
use crate::span::Span;

use super::Checker;

impl<'e> Checker<'e> {
    fn callee(&mut self, name: &ast::Ident) -> Option<(ProcedureId, &'e ProcedureInfo)> {
        if let Some(found) = self.env.procedure(&name.name) {
            if self.pure_ && !found.1.pure_ {
                let message = Message::error(
                    Id::PURE_PROCEDURE,
                    format!("a pure procedure calls `{}`, which is not pure", name.name),
                    self.place(name.span),
                    "only pure procedures may be called here",
                )
                .with_label(found.1.place, "declared here");
                self.messages.push(message);
            }
            return Some(found);
        }
        let help = if self.env.callables.contains_key(&name.name) {
            Some(format!(
                "`{0}` is a function; use it in an expression: `x := {0}(...);`",
                name.name
            ))
        } else {
            self.suggest(&name.name, |checker| {
                checker
                    .env
                    .procedure_names
                    .keys()
                    .map(|name| &**name)
                    .collect()
            })
        };
        let message = Message::error(
            Id::UNKNOWN_PROCEDURE,
            format!("there is no procedure `{}`", name.name),
            self.place(name.span),
            "unknown procedure",
        )
        .with_optional_help(help);
        self.messages.push(message);
        None
    }

    fn wrong_count(
        &mut self,
        call: Span,
        info: &ProcedureInfo,
        what: &str,
        wanted: usize,
        given: usize,
    ) {
        let message = Message::error(
            Id::ARGUMENT_COUNT,
            format!(
                "the procedure `{}` has {}, not {given}",
                info.name,
                count(wanted, what)
            ),
            self.place(call),
            format!("{} given", count(given, what)),
        )
        .with_label(info.place, "declared here");
        self.messages.push(message);
    }

    #[expect(clippy::type_complexity, reason = "the parts of one call")]
    pub(super) fn call_statement(
        &mut self,
        call: &ast::Call,
    ) -> Option<(ProcedureId, Vec<Type>, Vec<Expr>, Vec<VarRef>)> {
        let mut args = self.exprs(&call.args);
        let targets: Vec<Option<(VarRef, Type)>> =
            call.targets.iter().map(|name| self.target(name)).collect();
        let (written, names): (Vec<_>, Vec<_>) = call
            .targets
            .iter()
            .zip(&targets)
            .filter_map(|(name, target)| {
                let (var, _) = target.as_ref()?;
                Some(((*var, name.span), name))
            })
            .unzip();
        self.written_once(&written, &names);
        let (callee, info) = self.callee(&call.name)?;
        self.calls.push((callee, call.span));
        let mut counts = true;
        if args.len() != info.ins.len() {
            self.wrong_count(call.span, info, "in-parameter", info.ins.len(), args.len());
            counts = false;
        }
        if targets.len() != info.outs.len() {
            self.wrong_count(
                call.span,
                info,
                "out-parameter",
                info.outs.len(),
                targets.len(),
            );
            counts = false;
        }
        if !counts {
            return None;
        }
        let mut type_args = self.instantiate(&info.type_params, call.span);
        for (arg, param) in args.iter().zip(&info.ins) {
            let wanted = substitute_params(&param.ty, &info.type_params, &type_args);
            self.expect(
                arg,
                &wanted,
                &format!("the in-parameter `{}` of `{}`", param.name, info.name),
            );
        }
        let mut results = Vec::new();
        for ((target, param), name) in targets.into_iter().zip(&info.outs).zip(&call.targets) {
            let Some((var, ty)) = target else { continue };
            let given = substitute_params(&param.ty, &info.type_params, &type_args);
            if !self.infer.unify(&given, &ty) {
                let (given, shown) = (self.show(&given), self.show(&ty));
                self.error(
                    Id::TYPE_MISMATCH,
                    format!(
                        "the out-parameter `{}` of `{}` is of type `{given}`, but `{}` is of type `{shown}`",
                        param.name, info.name, name.name
                    ),
                    name.span,
                    format!("this is of type `{shown}`"),
                );
            }
            results.push(var);
        }
        for arg in &mut args {
            self.finish(arg);
        }
        for ty in &mut type_args {
            self.finish_type(ty);
        }
        (results.len() == info.outs.len()).then_some((callee, type_args, args, results))
    }

    pub(super) fn call_forall(
        &mut self,
        name: &ast::Ident,
        args: &[ast::CallArg],
        span: Span,
    ) -> Option<(ProcedureId, Vec<Type>, Vec<Option<Expr>>)> {
        let mut args: Vec<Option<Expr>> = args
            .iter()
            .map(|arg| match arg {
                ast::CallArg::Any(_) => None,
                ast::CallArg::Expr(expr) => Some(self.expr(expr)),
            })
            .collect();
        let (callee, info) = self.callee(name)?;
        if args.len() != info.ins.len() {
            self.wrong_count(span, info, "in-parameter", info.ins.len(), args.len());
            return None;
        }
        if !info.modifies.is_empty() || !info.outs.is_empty() {
            let message = Message::error(
                Id::CALL_FORALL,
                format!("`{}` is no lemma", info.name),
                self.place(name.span),
                "`call forall` needs a procedure without out-parameters and modified globals",
            )
            .with_label(info.place, "declared here");
            self.messages.push(message);
            return None;
        }
        let mut type_args = self.instantiate(&info.type_params, span);
        for (arg, param) in args.iter().zip(&info.ins) {
            let wanted = substitute_params(&param.ty, &info.type_params, &type_args);
            if let Some(arg) = arg {
                self.expect(
                    arg,
                    &wanted,
                    &format!("the in-parameter `{}` of `{}`", param.name, info.name),
                );
            }
        }
        for arg in args.iter_mut().flatten() {
            self.finish(arg);
        }
        for ty in &mut type_args {
            self.finish_type(ty);
        }
        Some((callee, type_args, args))
    }
}
