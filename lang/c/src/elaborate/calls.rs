//! Calls (C11 6.5.2.2).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::{Callee, Expr, ExprKind, Step, StmtKind};
use crate::syntax::{self as c, Node};
use crate::types::{FunctionType, Type};

use super::{Elaborator, Operand, int, read, unsupported, void};

impl Elaborator {
    pub(super) fn call(&mut self, call: &c::CallExpression, used: bool, place: Span) -> Operand {
        let name = match &call.callee.node {
            c::Expression::Identifier(name) => Some(name.node.name.as_str()),
            _ => None,
        };
        if name == Some(crate::source::ASSERTION) {
            return self.annotation(&call.arguments, place);
        }
        if name == Some(crate::functions::UNSUPPORTED) {
            let words = call.arguments.first().map(|words| match &words.node {
                c::Expression::StringLiteral(text) => text.node.concat(),
                _ => String::new(),
            });
            let words = words.unwrap_or_default().replace('"', "");
            self.emit(StmtKind::Unsupported(words), place);
            return Operand::Value(void(place));
        }
        if name == Some("asm") && self.lookup("asm").is_none() {
            // The parser takes this spelling for a name.
            self.emit(StmtKind::Unsupported("inline assembly".to_owned()), place);
            return Operand::Value(void(place));
        }
        if let Some(name) = name
            && name.starts_with("__builtin_")
            && let Some(result) = self.builtin_call(name, &call.arguments, used, place)
        {
            return result;
        }
        if let Some(name) = name
            && self.lookup(name).is_none()
            && let Some(result) = self.atomic_call(name, &call.arguments, place)
        {
            return result;
        }
        let start = self.out.len();
        let callee = match name {
            Some(name) => self.implicit_function(name, call.callee.span),
            None => self.operand(&call.callee, true),
        };
        let (mut callee, ty) = match callee {
            Operand::Function(id, _) => {
                (Callee::Function(id), self.program.function(id).ty.clone())
            }
            other => {
                let value = self.decay(other);
                match called(&value.ty) {
                    Some(ty) => (Callee::Pointer(value, ty.clone()), ty),
                    None => {
                        self.mismatch(&value, "only functions can be called".to_owned());
                        for argument in &call.arguments {
                            self.effect(argument);
                        }
                        return Operand::Value(unsupported(
                            "a call of no function",
                            Type::INT,
                            place,
                        ));
                    }
                }
            }
        };
        let mark = self.out.len();
        let args = match &callee {
            Callee::Pointer(pointer, _) => {
                let pointer = pointer.clone();
                self.arguments(&call.arguments, &ty, Some((start, &pointer)), place)
            }
            Callee::Function(_) => self.arguments(&call.arguments, &ty, None, place),
        };
        if let Callee::Pointer(pointer, ty) = callee {
            callee = Callee::Pointer(self.keep(pointer, mark), ty);
        }
        self.emit_call(callee, args, ty.result, used, place)
    }

    /// An assertion in a comment.
    fn annotation(&mut self, arguments: &[Node<c::Expression>], place: Span) -> Operand {
        let mark = self.out.len();
        for argument in arguments {
            let condition = self.condition(argument);
            if self.out.len() > mark {
                self.out.truncate(mark);
                let words = "an assertion with side effects".to_owned();
                self.emit(StmtKind::Unsupported(words), place);
                break;
            }
            self.emit(StmtKind::Assert(condition), place);
        }
        Operand::Value(void(place))
    }

    /// The statement of a call, and its result.
    pub(super) fn emit_call(
        &mut self,
        callee: Callee,
        args: Vec<Expr>,
        result: Type,
        used: bool,
        place: Span,
    ) -> Operand {
        let object = (used && result != Type::Void).then(|| self.temporary(result, place));
        self.emit(
            StmtKind::Call {
                callee,
                args,
                result: object.clone(),
            },
            place,
        );
        Operand::Value(match object {
            Some(object) => read(object),
            None => void(place),
        })
    }

    /// The values of arguments, converted to the types of the parameters. Of the callee, where its
    /// statements begin and what it is, if it is computed.
    fn arguments(
        &mut self,
        nodes: &[Node<c::Expression>],
        ty: &FunctionType,
        callee: Option<(usize, &Expr)>,
        place: Span,
    ) -> Vec<Expr> {
        if ty.prototyped {
            let (found, needed) = (nodes.len(), ty.params.len());
            if found < needed || (found > needed && !ty.variadic) {
                self.error(
                    Id::C_TYPES,
                    format!("a call with {found} arguments of a function with {needed} parameters"),
                    place,
                    "the numbers differ",
                );
            }
        }
        let start = self.out.len();
        let mut values: Vec<(Expr, usize)> = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let value = self.value(node);
            let value = match ty.params.get(index) {
                Some(param) if ty.prototyped => self.argument(value, param),
                _ if value.ty == Type::Void => {
                    self.mismatch(&value, "an argument needs a value".to_owned());
                    unsupported("an argument without a value", Type::INT, value.span)
                }
                // Functions for all types, as `__builtin_isnormal`: a `float` stays one.
                _ if !ty.prototyped && ty.variadic && matches!(value.ty, Type::Float(_)) => value,
                _ => {
                    let value = self.promote_argument(value);
                    match value.ty {
                        Type::Record(_) if ty.prototyped && ty.variadic => self.passed_copy(value),
                        _ => value,
                    }
                }
            };
            let mark = self.out.len();
            values.push((value, mark));
        }
        let (start, callee) = callee.map_or((start, None), |(first, callee)| (first, Some(callee)));
        self.arguments_in_any_order(start, callee, values)
    }

    /// A structure for `...`: the address of a copy, see [`crate::types::Type::passed`].
    fn passed_copy(&mut self, value: Expr) -> Expr {
        let place = value.span;
        let object = self.temporary(value.ty.passed(), place);
        let mut element = object.clone();
        element.path.push(Step::Index(int(0, Type::INT, place)));
        element.ty = value.ty.clone();
        self.emit(StmtKind::Assign(element, value), place);
        self.address(object)
    }

    /// Values that were computed one after the other, each with the number of statements at that time: those that
    /// later statements could change are saved.
    pub(super) fn keep_all(&mut self, values: Vec<(Expr, usize)>) -> Vec<Expr> {
        let mut inserted = 0;
        let mut result = Vec::new();
        for (value, mark) in values {
            let before = self.out.len();
            result.push(self.keep(value, mark + inserted));
            inserted += self.out.len() - before;
        }
        result
    }

    fn argument(&mut self, value: Expr, param: &Type) -> Expr {
        if let Type::Record(id) = param
            && value.ty != *param
            && let Some(converted) = self.cast_to_union(&value, *id, value.span)
        {
            // `transparent_union`
            return converted;
        }
        self.assign_convert(value, param, "this argument")
    }
}

/// The function type behind a pointer.
fn called(ty: &Type) -> Option<FunctionType> {
    match ty {
        Type::Pointer(target) => match &**target {
            Type::Function(ty) => Some((**ty).clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the value is a constant, as `__builtin_constant_p` has it.
pub(super) fn is_constant(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_))
}
