//! Statements (C11 6.8).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::{BlockId, Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::{self as c, Node};
use crate::types::Type;

use super::lifetimes::Exit;
use super::{Elaborator, Operand};

impl Elaborator {
    /// A statement and its effects.
    pub(super) fn statement(&mut self, node: &Node<c::Statement>) {
        let place = node.span;
        ensure_stack(|| match &node.node {
            c::Statement::Labeled(labeled) => {
                self.set_label(&labeled.node.label);
                self.statement(&labeled.node.statement);
            }
            c::Statement::Compound(items) => {
                self.in_block(place, |this| this.block_items(items));
            }
            c::Statement::Expression(None) => {}
            c::Statement::Expression(Some(expression)) => match asserted(expression) {
                Some(condition) => {
                    let condition = self.condition(condition);
                    self.emit(StmtKind::Assert(condition), place);
                }
                None => self.full_effect(expression),
            },
            c::Statement::If(statement) => {
                self.in_block(place, |this| this.if_statement(&statement.node));
            }
            c::Statement::Switch(statement) => self.switch(&statement.node),
            c::Statement::While(statement) => {
                let statement = &statement.node;
                self.in_block(place, |this| {
                    this.loop_statement(
                        Some(&statement.expression),
                        None,
                        &statement.statement,
                        place,
                    );
                });
            }
            c::Statement::DoWhile(statement) => {
                self.in_block(place, |this| this.do_while(&statement.node, place));
            }
            c::Statement::For(statement) => self.in_block(place, |this| {
                let statement = &statement.node;
                match &statement.initializer.node {
                    c::ForInitializer::Empty => {}
                    c::ForInitializer::Expression(expression) => this.full_effect(expression),
                    c::ForInitializer::Declaration(declaration) => {
                        this.declaration(&declaration.node);
                    }
                    c::ForInitializer::StaticAssert(assertion) => {
                        this.static_assert(&assertion.node);
                    }
                }
                this.loop_statement(
                    statement.condition.as_deref(),
                    statement.step.as_deref(),
                    &statement.statement,
                    place,
                );
            }),
            c::Statement::Goto(label) => {
                if let Some(id) = self.label(&label.node.name, label.span, false) {
                    self.emit_goto(id, place);
                }
            }
            c::Statement::ComputedGoto(target) => {
                self.in_block(place, |this| this.computed_goto(target, place));
            }
            c::Statement::Continue => {
                let target = self
                    .function
                    .as_ref()
                    .and_then(|f| f.continues.last().copied());
                self.leave(target, place);
            }
            c::Statement::Break => {
                let target = self
                    .function
                    .as_ref()
                    .and_then(|f| f.breaks.last().copied());
                self.leave(target, place);
            }
            c::Statement::Return(value) => self.return_statement(value.as_deref(), place),
            c::Statement::Asm(asm) => self.asm(asm, place),
        });
    }

    pub(super) fn block_items(&mut self, items: &[Node<c::BlockItem>]) {
        for item in items {
            self.block_item(item);
        }
    }

    pub(super) fn block_item(&mut self, item: &Node<c::BlockItem>) {
        match &item.node {
            c::BlockItem::Declaration(declaration) => self.declaration(&declaration.node),
            c::BlockItem::StaticAssert(assertion) => self.static_assert(&assertion.node),
            c::BlockItem::Statement(statement) => self.statement(statement),
            c::BlockItem::Function(node) => self.nested_function(&node.node),
            c::BlockItem::LocalLabels(labels) => self.declare_local_labels(labels),
        }
    }

    /// A label, and where a switch goes on.
    pub(super) fn set_label(&mut self, label: &Node<c::Label>) {
        let place = label.span;
        match &label.node {
            c::Label::Identifier(name) => {
                if let Some(id) = self.label(&name.node.name, name.span, true) {
                    self.emit_label(id, place);
                }
            }
            c::Label::Case(value) => self.case(value, None, place),
            c::Label::CaseRange(range) => self.case(&range.node.low, Some(&range.node.high), place),
            c::Label::Default => self.default(place),
        }
    }

    fn leave(&mut self, target: Option<Exit>, place: Span) {
        match target {
            Some(exit) => {
                self.end_lives_up_to(exit, place);
                self.emit_leave(exit.block, place);
            }
            None => self.error(
                Id::C_BAD_DECLARATION,
                "a `break` or `continue` that has nothing to leave",
                place,
                "not in a loop or switch",
            ),
        }
    }

    pub(super) fn emit_leave(&mut self, block: BlockId, place: Span) {
        if let Some(context) = &mut self.function {
            context.left.insert(block);
        }
        self.emit(StmtKind::Leave(block), place);
    }

    fn is_left(&self, block: BlockId) -> bool {
        self.function
            .as_ref()
            .is_some_and(|context| context.left.contains(&block))
    }

    fn if_statement(&mut self, statement: &c::IfStatement) {
        let place = statement.condition.span;
        let condition = self.full_value(&statement.condition, Elaborator::condition);
        let (then, ()) = self
            .collect(|this| this.in_block(place, |this| this.statement(&statement.then_statement)));
        let (otherwise, ()) = self.collect(|this| {
            if let Some(statement) = &statement.else_statement {
                this.in_block(place, |this| this.statement(statement));
            }
        });
        self.emit_if(condition, then, otherwise, place);
    }

    /// A branch. Where the condition is a constant, the other branch is left out unless something jumps into it.
    pub(super) fn emit_if(
        &mut self,
        condition: Expr,
        mut then: Vec<Stmt>,
        mut otherwise: Vec<Stmt>,
        place: Span,
    ) {
        if let ExprKind::Int(constant) = condition.kind {
            let (mut taken, dropped) = if constant != 0 {
                (then, otherwise)
            } else {
                (otherwise, then)
            };
            if !has_label(&dropped) {
                self.out.append(&mut taken);
                return;
            }
            (then, otherwise) = if constant != 0 {
                (taken, dropped)
            } else {
                (dropped, taken)
            };
        }
        self.emit(StmtKind::If(condition, then, otherwise), place);
    }

    /// Leaves the loop unless the condition holds.
    fn leave_unless(&mut self, condition: &Node<c::Expression>, block: BlockId) {
        let place = condition.span;
        let value = self.full_value(condition, Elaborator::condition);
        match value.kind {
            ExprKind::Int(0) => self.emit_leave(block, place),
            ExprKind::Int(_) => {}
            _ => {
                let (leave, ()) = self.collect(|this| this.emit_leave(block, place));
                self.emit(StmtKind::If(value, Vec::new(), leave), place);
            }
        }
    }

    /// The body of a loop, which `continue` leaves and `break` leaves with the loop.
    fn loop_body(&mut self, body: &Node<c::Statement>, block: BlockId) {
        let place = body.span;
        let inner = self.new_block();
        let (whole, once) = (self.exit(block), self.exit(inner));
        if let Some(context) = &mut self.function {
            context.breaks.push(whole);
            context.continues.push(once);
        }
        let (mut statements, ()) =
            self.collect(|this| this.in_block(place, |this| this.statement(body)));
        if let Some(context) = &mut self.function {
            context.breaks.pop();
            context.continues.pop();
        }
        if self.is_left(inner) {
            self.emit(StmtKind::Block(inner, statements), place);
        } else {
            self.out.append(&mut statements);
        }
    }

    /// `while` and `for`.
    fn loop_statement(
        &mut self,
        condition: Option<&Node<c::Expression>>,
        step: Option<&Node<c::Expression>>,
        body: &Node<c::Statement>,
        place: Span,
    ) {
        let block = self.new_block();
        let (statements, ()) = self.collect(|this| {
            if let Some(condition) = condition {
                this.leave_unless(condition, block);
            }
            this.loop_body(body, block);
            if let Some(step) = step {
                this.full_effect(step);
            }
        });
        let place = condition.map_or(place, |condition| condition.span);
        self.emit(StmtKind::Loop(block, statements), place);
    }

    fn do_while(&mut self, statement: &c::DoWhileStatement, place: Span) {
        let block = self.new_block();
        let (mut statements, ()) = self.collect(|this| this.loop_body(&statement.statement, block));
        let (mut test, value) =
            self.collect(|this| this.full_value(&statement.expression, Elaborator::condition));
        if test.is_empty() && matches!(value.kind, ExprKind::Int(0)) {
            // `do … while (0)` runs once.
            if self.is_left(block) {
                self.emit(StmtKind::Block(block, statements), place);
            } else {
                self.out.append(&mut statements);
            }
            return;
        }
        statements.append(&mut test);
        let condition_place = statement.expression.span;
        let (mut leave, ()) = self.collect(|this| match value.kind {
            ExprKind::Int(0) => this.emit_leave(block, condition_place),
            ExprKind::Int(_) => {}
            _ => {
                let (leave, ()) = this.collect(|this| this.emit_leave(block, condition_place));
                this.emit(StmtKind::If(value, Vec::new(), leave), condition_place);
            }
        });
        statements.append(&mut leave);
        self.emit(StmtKind::Loop(block, statements), condition_place);
    }

    fn return_statement(&mut self, value: Option<&Node<c::Expression>>, place: Span) {
        let Some(result) = self.function.as_ref().map(|context| context.result.clone()) else {
            return;
        };
        let value = match value {
            Some(expression) if result == Type::Void => {
                self.effect(expression);
                None
            }
            Some(expression) => {
                let value = self.value(expression);
                Some(self.assign_convert(value, &result, "this `return`"))
            }
            None => None,
        };
        self.emit(StmtKind::Return(value), place);
    }

    /// Inline assembly without an instruction moves values at most: it keeps the compiler from knowing them.
    fn asm(&mut self, asm: &Node<c::AsmStatement>, place: Span) {
        let asm = &asm.node;
        let is_blank = |part: &String| part.trim_matches(['"', ' ', '\t']).is_empty();
        let covered = asm.template.node.iter().all(is_blank)
            && (asm.outputs.iter().enumerate())
                .all(|(number, output)| Moved::of(number, output, &asm.inputs).is_some());
        if !covered {
            self.emit(StmtKind::Unsupported("inline assembly".to_owned()), place);
            return;
        }
        let is_plain = |ty: &Type| matches!(ty, Type::Int(_) | Type::Pointer(_));
        let mut values = Vec::new();
        for input in &asm.inputs {
            let moves = input.node.constraints.node.concat();
            let is_moved = moves
                .trim_matches('"')
                .starts_with(|c: char| c.is_ascii_digit());
            values.push(match is_moved {
                true => {
                    let value = self.value(&input.node.variable_name);
                    Some(self.save(value))
                }
                false => {
                    self.effect(&input.node.variable_name);
                    None
                }
            });
        }
        for (number, output) in asm.outputs.iter().enumerate() {
            let Some(Moved::From(input)) = Moved::of(number, output, &asm.inputs) else {
                self.effect(&output.node.variable_name);
                continue;
            };
            match (
                self.operand(&output.node.variable_name, true),
                values[input].clone(),
            ) {
                // The same bits are the same value.
                (Operand::Place(object), Some(value))
                    if is_plain(&object.ty)
                        && is_plain(&value.ty)
                        && self.layout().size(&object.ty) == self.layout().size(&value.ty) =>
                {
                    let value = self.assign_convert(value, &object.ty, "this operand");
                    self.emit_assign(object, value, place);
                }
                _ => self.emit(StmtKind::Unsupported("inline assembly".to_owned()), place),
            }
        }
    }
}

/// Where the value of an output comes from, without an instruction that computes it.
enum Moved {
    /// It is what it was: `"+r"`.
    Kept,
    /// The input of this number is in the same register: `"0"`.
    From(usize),
}

impl Moved {
    fn of(
        number: usize,
        output: &Node<c::AsmOperand>,
        inputs: &[Node<c::AsmOperand>],
    ) -> Option<Moved> {
        let constraints = |operand: &Node<c::AsmOperand>| operand.node.constraints.node.concat();
        if constraints(output).starts_with("\"+") {
            return Some(Moved::Kept);
        }
        let same = format!("\"{number}\"");
        let input = inputs.iter().position(|input| constraints(input) == same)?;
        Some(Moved::From(input))
    }
}

/// Whether one can jump into the statements.
pub(super) fn has_label(statements: &[Stmt]) -> bool {
    ensure_stack(|| {
        statements.iter().any(|stmt| match &stmt.kind {
            StmtKind::Label(_) => true,
            StmtKind::If(_, then, otherwise) => has_label(then) || has_label(otherwise),
            StmtKind::Loop(_, body) | StmtKind::Block(_, body) => has_label(body),
            _ => false,
        })
    })
}

/// The condition, if the expression stands for an assertion in a comment.
fn asserted(expression: &Node<c::Expression>) -> Option<&Node<c::Expression>> {
    let c::Expression::Call(call) = &expression.node else {
        return None;
    };
    match (&call.node.callee.node, &call.node.arguments[..]) {
        (c::Expression::Identifier(name), [condition])
            if name.node.name == crate::source::ASSERTION =>
        {
            Some(condition)
        }
        _ => None,
    }
}
