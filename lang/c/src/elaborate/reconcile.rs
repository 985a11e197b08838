//! Calls that were read before the function's definition or prototype: their arguments get the types of the parameters.

use ult_lang::stack::ensure_stack;

use crate::ir::{Callee, Expr, ExprKind, FunctionId, Stmt, StmtKind};
use crate::types::{FloatType, FunctionType, Type};

use super::{Elaborator, unsupported};

impl Elaborator {
    pub(super) fn reconcile(&mut self) {
        let types: Vec<FunctionType> = self
            .program
            .functions
            .iter()
            .map(|function| function.ty.clone())
            .collect();
        let defined: Vec<bool> = self
            .program
            .functions
            .iter()
            .map(|function| function.body.is_some())
            .collect();
        for index in 0..self.program.functions.len() {
            let body = self.program.functions[index].body.take();
            let body = body.map(|mut body| {
                self.reconcile_all(&mut body, &types, &defined);
                body
            });
            self.program.functions[index].body = body;
        }
    }

    fn reconcile_all(&mut self, body: &mut Vec<Stmt>, types: &[FunctionType], defined: &[bool]) {
        ensure_stack(|| {
            for mut stmt in std::mem::take(body) {
                match &mut stmt.kind {
                    StmtKind::If(_, then, otherwise) => {
                        self.reconcile_all(then, types, defined);
                        self.reconcile_all(otherwise, types, defined);
                    }
                    StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                        self.reconcile_all(body, types, defined);
                    }
                    StmtKind::Call {
                        callee: Callee::Function(FunctionId(id)),
                        args,
                        result,
                    } => {
                        let ty = &types[*id as usize];
                        let name = self.program.functions[*id as usize].name.clone();
                        if name.starts_with("__builtin_va_") {
                            body.push(stmt);
                            continue;
                        }
                        // What a definition without parameters is given, it does not see.
                        if defined[*id as usize] && !ty.prototyped && args.len() > ty.params.len() {
                            let unseen = args.split_off(ty.params.len());
                            body.extend(self.computed(unseen));
                        }
                        let known = ty.prototyped || !ty.params.is_empty();
                        let fits = result.as_ref().is_none_or(|place| place.ty == ty.result)
                            && (!known
                                || ty.params.len() == args.len()
                                || (ty.variadic && ty.params.len() < args.len()));
                        let converted: Option<Vec<Expr>> = args
                            .iter()
                            .enumerate()
                            .map(|(index, arg)| match ty.params.get(index) {
                                Some(param) => self.as_parameter(arg, param),
                                None => Some(arg.clone()),
                            })
                            .collect();
                        match converted {
                            Some(converted) if fits => *args = converted,
                            _ => {
                                let words =
                                    format!("a call of `{name}` that does not fit its declaration");
                                stmt.kind = StmtKind::Unsupported(words);
                            }
                        }
                    }
                    _ => {}
                }
                body.push(stmt);
            }
        });
    }

    /// An argument that was promoted, as the function takes it: if the types fit as C11 6.5.2.2, paragraph 6, asks for.
    fn as_parameter(&mut self, arg: &Expr, param: &Type) -> Option<Expr> {
        if arg.ty == *param || matches!(arg.kind, ExprKind::Unsupported(_)) {
            return Some(arg.clone());
        }
        let fits = match (&arg.ty, param) {
            (Type::Int(a), Type::Int(b)) => *a == b.promoted() || a.bits == b.bits,
            (Type::Int(_), Type::Bool) => true,
            (Type::Float(FloatType::Double), Type::Float(FloatType::Single)) => true,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            // The null pointer as a plain zero, which is passed in a whole register.
            (Type::Int(_), Type::Pointer(_)) if matches!(arg.kind, ExprKind::Int(0)) => true,
            (Type::Int(int), Type::Pointer(_)) => int.bits == self.program.model.word(),
            (Type::Pointer(_), Type::Int(int)) => int.bits == self.program.model.word(),
            _ => false,
        };
        if fits {
            return Some(self.convert(arg.clone(), param));
        }
        match (&arg.ty, param) {
            (Type::Record(_), Type::Record(_)) => {
                Some(unsupported("another structure", param.clone(), arg.span))
            }
            _ => None,
        }
    }
}
