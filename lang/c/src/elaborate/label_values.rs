//! Labels as values and computed jumps (gcc, "Labels as Values").
//!
//! The value of a label is the address of a variable that nothing else names: all that programs may do with it is to compare it
//! and to jump there. A computed jump compares with the values of all labels of its function. What gcc allows beyond this,
//! differences of such addresses, is not covered: how far labels lie apart is for the compiler to choose.

use ult_lang::span::Span;

use crate::ir::{CompareOp, Expr, Initial, LABEL_VALUE, StmtKind, Storage, VarId};
use crate::syntax::{self as c, Node};
use crate::types::{IntType, Type};

use super::{Elaborator, unsupported};

/// What is said of the rest.
const ELSEWHERE: &str = "a computed jump to no label of its function";

impl Elaborator {
    /// The variables whose addresses are the values of the labels of a function.
    pub(super) fn declare_label_values(&mut self, labels: &[Node<c::Identifier>]) {
        let Some(function) = self.function.as_ref().map(|context| context.id) else {
            return;
        };
        let mut values = Vec::new();
        for label in labels {
            let name = &label.node.name;
            let storage = Storage::Static {
                function: Some(function),
                initial: Initial::Values(Vec::new()),
            };
            let id = self.new_variable(
                format!("{LABEL_VALUE}{name}"),
                Type::Int(IntType::CHAR),
                storage,
                label.span,
            );
            values.push((name.clone(), id));
        }
        if let Some(context) = &mut self.function {
            context.label_values = values;
        }
    }

    /// `&&label`
    pub(super) fn label_address(&mut self, label: &Node<c::Identifier>, place: Span) -> Expr {
        let values = self.function.as_ref().map(|context| &context.label_values);
        let known =
            values.and_then(|values| values.iter().find(|(name, _)| *name == label.node.name));
        let is_local = self.own_label(&label.node.name) != label.node.name;
        match known.map(|(_, id)| *id) {
            Some(_) if is_local => {
                let words = "the address of one of several labels of a name";
                unsupported(words, Type::Void.pointer(), place)
            }
            Some(id) => {
                // It has to be a label.
                self.label(&label.node.name, label.span, false);
                self.label_value(id, place)
            }
            None => unsupported("a label outside of functions", Type::Void.pointer(), place),
        }
    }

    fn label_value(&mut self, id: VarId, place: Span) -> Expr {
        let object = self.variable_place(id, place);
        let address = self.address(object);
        self.convert(address, &Type::Void.pointer())
    }

    /// `goto *e;`
    pub(super) fn computed_goto(&mut self, target: &Node<c::Expression>, place: Span) {
        let target = self.full_value(target, Elaborator::value);
        let target = self.convert(target, &Type::Void.pointer());
        let target = self.save(target);
        let values = self
            .function
            .as_ref()
            .map(|context| context.label_values.clone());
        for (name, id) in values.unwrap_or_default() {
            let value = self.label_value(id, place);
            let is_it = self.comparison(CompareOp::Equal, target.clone(), value, place);
            let (jump, ()) = self.collect(|this| {
                let labels = this.function.as_ref().map(|context| &context.labels);
                let label = match labels.and_then(|labels| labels.get(&name)) {
                    Some((label, _)) => Some(*label),
                    None if this.own_label(&name) == name => this.label(&name, place, false),
                    None => None,
                };
                if let Some(label) = label {
                    this.emit_goto(label, place);
                }
            });
            self.emit_if(is_it, jump, Vec::new(), place);
        }
        self.emit(StmtKind::Unsupported(ELSEWHERE.to_owned()), place);
    }
}
