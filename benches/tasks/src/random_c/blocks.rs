//! Statements in functions and branches of their own.

use super::model::Value;
use super::program::Piece;
use super::types::Type;
use super::writer::{Variable, Writer};

impl Writer {
    /// Statements in a function of their own, that gets at the objects by its parameters only.
    pub(super) fn outline(&mut self, depth: usize) -> Vec<Piece> {
        let name = self.global_name("part");
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        let mut inner = Vec::new();
        for _ in 0..1 + self.below(3) {
            let of = match self.chance(40) {
                true => self.favourite_pointer(),
                false => self.some_type().pointer(),
            };
            if matches!(&of, Type::Pointer(to) if matches!(**to, Type::Array(..))) {
                continue;
            }
            let Some((text, target)) = self.pointer_value(&of) else {
                continue;
            };
            let parameter = self.name("p");
            parameters.push(self.types.declare(&of, &parameter));
            arguments.push(text);
            let place = self.memory.create(of, Value::Pointer(target));
            inner.push(Variable {
                name: parameter,
                place,
            });
        }
        if inner.is_empty() {
            return Vec::new();
        }
        let outer = std::mem::replace(&mut self.locals, inner);
        let mut body = Vec::new();
        for _ in 0..1 + self.below(3) {
            body.extend(self.statement(depth));
        }
        let result = Type::pointer(Type::Int(self.favourite));
        let returned = match self.chance(60) {
            true => self.pointer_value(&result),
            false => None,
        };
        let locals = std::mem::replace(&mut self.locals, outer);
        for variable in &locals {
            self.memory.end(variable.place.object);
        }
        let call = format!("{name}({})", arguments.join(", "));
        let (head, call) = match returned {
            Some((text, target)) => {
                body.push(Piece::text(format!("return {text};")));
                let variable = self.name("v");
                let declared = self.types.declare(&result, &variable);
                let place = self.memory.create(result.clone(), Value::Pointer(target));
                self.locals.push(Variable {
                    name: variable,
                    place,
                });
                (
                    self.types.declare(&result, &name),
                    format!("{declared} = {call};"),
                )
            }
            None => (format!("void {name}"), format!("{call};")),
        };
        self.top.push(Piece::Block(
            format!("static {head}({}) {{", parameters.join(", ")),
            body,
            "}".into(),
        ));
        vec![Piece::Text(call)]
    }

    /// A condition whose outcome is known: the other branch is never taken.
    pub(super) fn condition(&mut self, depth: usize) -> Vec<Piece> {
        let name = self.global_name("sel");
        let is_taken = self.chance(60);
        self.top.push(Piece::text(format!(
            "static int {name} = {};",
            u8::from(is_taken)
        )));
        let known = self.locals.len();
        let before = (self.memory.clone(), self.allocated.clone());
        let mut first = Vec::new();
        for _ in 0..1 + self.below(2) {
            first.extend(self.statement(depth));
        }
        self.leave(known);
        let after = (self.memory.clone(), self.allocated.clone());
        (self.memory, self.allocated) = before;
        let mut second = Vec::new();
        for _ in 0..1 + self.below(2) {
            second.extend(self.statement(depth));
        }
        self.leave(known);
        if is_taken {
            (self.memory, self.allocated) = after;
        }
        vec![
            Piece::Block(format!("if ({name}) {{"), first, "}".into()),
            Piece::Block(format!("if (!{name}) {{"), second, "}".into()),
        ]
    }

    /// The end of a block: the variables after the first so many are gone.
    fn leave(&mut self, known: usize) {
        for variable in self.locals.drain(known.min(self.locals.len())..) {
            self.memory.end(variable.place.object);
        }
    }
}
