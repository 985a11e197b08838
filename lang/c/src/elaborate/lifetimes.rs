//! The lifetimes of local variables (C11 6.2.4): from when their block is entered to when it is left, in whatever way.
//!
//! A block that ends, `break` and `continue` end the lifetimes at once. Where a `goto` leads is known only at the end of the
//! function: until then it is a jump with a number of its own, see [`Elaborator::settle`].

use std::collections::{BTreeSet, HashMap};

use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::visit::{self, Visit};
use crate::ir::{Base, BlockId, Expr, ExprKind, LabelId, Place, Stmt, StmtKind, Storage, VarId};
use crate::syntax::{self as c, Node};
use crate::types::Type;

use super::{Elaborator, Operand, read};

/// The blocks of a function whose body is read.
#[derive(Default)]
pub(super) struct Lifetimes {
    /// The outermost block is not among them: its variables live until the function returns.
    blocks: Vec<Block>,
    /// The innermost block.
    current: Option<usize>,
    labels: HashMap<LabelId, Point>,
    jumps: Vec<(LabelId, Point)>,
    /// Where the variables of the outermost block are declared.
    outermost: Vec<VarId>,
    /// Objects that end with the full expression of the moment.
    temporaries: Vec<VarId>,
}

/// A block.
struct Block {
    parent: Option<usize>,
    variables: Vec<VarId>,
}

/// A place in the text, and the block that it is in.
#[derive(Clone, Copy)]
struct Point {
    block: Option<usize>,
    at: u32,
}

/// What `break` or `continue` leaves.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub(super) block: BlockId,
    /// The innermost block of the text around it.
    around: Option<usize>,
}

/// The numbers of jumps begin here, far above those of labels.
const JUMPS: u32 = 1 << 31;

impl Lifetimes {
    /// The blocks from one to the outermost one.
    fn path(&self, block: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(block, |&at| self.blocks[at].parent)
    }

    /// The variables of the blocks around one point that are not around the other.
    fn only(&self, block: Option<usize>, other: Option<usize>) -> Vec<VarId> {
        let around: BTreeSet<usize> = self.path(other).collect();
        let left = self.path(block).filter(|at| !around.contains(at));
        left.flat_map(|at| self.blocks[at].variables.iter().copied())
            .collect()
    }

    /// The variables of the blocks around both points.
    fn common(&self, block: Option<usize>, other: Option<usize>) -> Vec<VarId> {
        let around: BTreeSet<usize> = self.path(other).collect();
        let both = self.path(block).filter(|at| around.contains(at));
        both.flat_map(|at| self.blocks[at].variables.iter().copied())
            .chain(self.outermost.iter().copied())
            .collect()
    }
}

impl Elaborator {
    fn lifetimes(&mut self) -> Option<&mut Lifetimes> {
        self.function.as_mut().map(|context| &mut context.lifetimes)
    }

    /// Runs `f` in a block of its own, at whose end the lives of its variables end.
    pub(super) fn in_block<R>(&mut self, place: Span, f: impl FnOnce(&mut Elaborator) -> R) -> R {
        let Some(lifetimes) = self.lifetimes() else {
            return self.scoped(f);
        };
        let parent = lifetimes.current;
        let own = lifetimes.blocks.len();
        lifetimes.blocks.push(Block {
            parent,
            variables: Vec::new(),
        });
        lifetimes.current = Some(own);
        let result = self.scoped(f);
        if let Some(lifetimes) = self.lifetimes() {
            lifetimes.current = parent;
            let variables = lifetimes.blocks[own].variables.clone();
            self.end_all(&variables, place);
        }
        result
    }

    /// A variable belongs to the block of the moment.
    pub(super) fn lives_here(&mut self, variable: VarId) {
        if self.unevaluated > 0 {
            return;
        }
        let Some(lifetimes) = self.lifetimes() else {
            return;
        };
        match lifetimes.current {
            Some(block) => lifetimes.blocks[block].variables.push(variable),
            None => lifetimes.outermost.push(variable),
        }
    }

    /// The value that a block gives, which must not depend on its variables.
    pub(super) fn out_of_block(&mut self, operand: Operand) -> Operand {
        let value = match operand {
            Operand::Place(object) if !matches!(object.ty, Type::Array(..) | Type::Void) => {
                read(object)
            }
            Operand::Value(value) => value,
            other => return other,
        };
        let lifetimes = self.function.as_ref().map(|context| &context.lifetimes);
        let ends = lifetimes.is_some_and(|lifetimes| {
            let own = lifetimes.current.map(|block| &lifetimes.blocks[block]);
            own.is_some_and(|block| !block.variables.is_empty())
        });
        Operand::Value(if ends && value.ty != Type::Void && accesses(&value) {
            self.save(value)
        } else {
            value
        })
    }

    /// A structure or union that is no object, as a call gives one: with an array in it, it is one until the full expression
    /// ends (C11 6.2.4p8).
    pub(super) fn temporary_object(&mut self, value: Expr, object: Place) -> Place {
        let function = self.function.as_ref().map(|context| context.id);
        let Some(function) =
            function.filter(|_| self.unevaluated == 0 && self.has_array(&value.ty))
        else {
            return object;
        };
        let place = value.span;
        self.names += 1;
        let storage = Storage::Automatic {
            function,
            parameter: false,
            // It has an address.
            temporary: false,
        };
        let name = format!("temporary{}", self.names);
        let id = self.new_variable(name, value.ty.clone(), storage, place);
        self.emit(StmtKind::Declare(id), place);
        let object = self.variable_place(id, place);
        self.emit_assign(object.clone(), value, place);
        if let Some(lifetimes) = self.lifetimes() {
            lifetimes.temporaries.push(id);
        }
        object
    }

    /// Whether a structure or union has an array in it.
    fn has_array(&self, ty: &Type) -> bool {
        let Type::Record(id) = ty else { return false };
        let mut fields = self.program.record(*id).fields.iter().flatten();
        fields.any(|field| matches!(field.ty, Type::Array(..)) || self.has_array(&field.ty))
    }

    /// Runs `f` for a full expression (C11 6.8p4), and ends what lives as long.
    fn full<R>(&mut self, place: Span, f: impl FnOnce(&mut Elaborator) -> R) -> R {
        let start = self
            .lifetimes()
            .map_or(0, |lifetimes| lifetimes.temporaries.len());
        let result = f(self);
        if let Some(lifetimes) = self.lifetimes() {
            let ended = lifetimes
                .temporaries
                .split_off(start.min(lifetimes.temporaries.len()));
            self.end_all(&ended, place);
        }
        result
    }

    /// The side effects of a full expression.
    pub(super) fn full_effect(&mut self, node: &Node<c::Expression>) {
        self.full(node.span, |this| this.effect(node));
    }

    /// The value of a full expression, as `read` computes it.
    pub(super) fn full_value(
        &mut self,
        node: &Node<c::Expression>,
        read: impl FnOnce(&mut Elaborator, &Node<c::Expression>) -> Expr,
    ) -> Expr {
        self.full(node.span, |this| {
            let start = this
                .lifetimes()
                .map_or(0, |lifetimes| lifetimes.temporaries.len());
            let value = read(this, node);
            let ends = this
                .lifetimes()
                .is_some_and(|lifetimes| lifetimes.temporaries.len() > start);
            if ends && value.ty.is_scalar() {
                this.save(value)
            } else {
                value
            }
        })
    }

    /// The initialiser of a local variable.
    pub(super) fn full_initialiser(&mut self, object: Place, node: &Node<c::Initializer>) {
        let place = object.span;
        self.full(place, |this| this.automatic_initialiser(object, node));
    }

    fn end_all(&mut self, variables: &[VarId], place: Span) {
        for &variable in variables {
            self.emit(StmtKind::End(variable), place);
        }
    }

    /// What a `break` or `continue` is to leave from here on.
    pub(super) fn exit(&self, block: BlockId) -> Exit {
        let lifetimes = self.function.as_ref().map(|context| &context.lifetimes);
        Exit {
            block,
            around: lifetimes.and_then(|lifetimes| lifetimes.current),
        }
    }

    /// Ends the lives of the variables of all blocks that are left.
    pub(super) fn end_lives_up_to(&mut self, exit: Exit, place: Span) {
        let Some(lifetimes) = self.lifetimes() else {
            return;
        };
        let ended = lifetimes.only(lifetimes.current, exit.around);
        self.end_all(&ended, place);
    }

    /// A label.
    pub(super) fn emit_label(&mut self, label: LabelId, place: Span) {
        if let Some(lifetimes) = self.lifetimes() {
            let block = lifetimes.current;
            let at = place.start;
            lifetimes.labels.insert(label, Point { block, at });
        }
        self.emit(StmtKind::Label(label), place);
    }

    /// A jump to a label, which may be defined later.
    pub(super) fn emit_goto(&mut self, label: LabelId, place: Span) {
        let Some(lifetimes) = self.lifetimes() else {
            return;
        };
        let number = JUMPS.saturating_add(u32::try_from(lifetimes.jumps.len()).unwrap_or(0));
        let block = lifetimes.current;
        let at = place.start;
        lifetimes.jumps.push((label, Point { block, at }));
        self.emit(StmtKind::Goto(LabelId(number)), place);
    }

    /// The statements of a function with its jumps: each ends the lives of the variables whose blocks it leaves, and begins
    /// those of blocks that it enters. What nobody has the address of needs no end.
    pub(super) fn settle(&self, body: Vec<Stmt>) -> Vec<Stmt> {
        let Some(context) = &self.function else {
            return body;
        };
        let mut addressed = Addressed::default();
        addressed.statements(&body);
        let settler = Settler {
            elaborator: self,
            lifetimes: &context.lifetimes,
            addressed: addressed.0,
        };
        settler.statements(body)
    }
}

/// Whether an expression reads through a pointer or an index: whether that is defined depends on what lives.
fn accesses(value: &Expr) -> bool {
    struct Accesses(bool);
    impl Visit for Accesses {
        fn place(&mut self, node: &Place) {
            self.0 |= matches!(node.base, Base::Deref(_)) || !node.path.is_empty();
            visit::place(self, node);
        }
    }
    let mut found = Accesses(false);
    found.expr(value);
    found.0
}

/// The variables whose address is taken.
#[derive(Default)]
struct Addressed(BTreeSet<VarId>);

impl Visit for Addressed {
    fn expr(&mut self, node: &Expr) {
        if let ExprKind::Address(place) = &node.kind
            && let Base::Variable(variable) = place.base
        {
            self.0.insert(variable);
        }
        visit::expr(self, node);
    }
}

struct Settler<'e> {
    elaborator: &'e Elaborator,
    lifetimes: &'e Lifetimes,
    addressed: BTreeSet<VarId>,
}

impl Settler<'_> {
    fn statements(&self, statements: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(statements.len());
        for statement in statements {
            ensure_stack(|| self.statement(statement, &mut out));
        }
        out
    }

    fn statement(&self, mut statement: Stmt, out: &mut Vec<Stmt>) {
        match &mut statement.kind {
            StmtKind::End(variable) if !self.addressed.contains(variable) => return,
            StmtKind::Goto(number) => {
                let place = statement.span;
                let jump = number.0.checked_sub(JUMPS);
                let jump = jump.and_then(|jump| self.lifetimes.jumps.get(jump as usize));
                if let Some((label, from)) = jump {
                    *number = *label;
                    if let Some(to) = self.lifetimes.labels.get(label) {
                        self.jump(*from, *to, place, out);
                    }
                }
            }
            StmtKind::If(_, then, otherwise) => {
                *then = self.statements(std::mem::take(then));
                *otherwise = self.statements(std::mem::take(otherwise));
            }
            StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                *body = self.statements(std::mem::take(body));
            }
            _ => {}
        }
        out.push(statement);
    }

    /// What a jump does to the lives of variables.
    fn jump(&self, from: Point, to: Point, place: Span, out: &mut Vec<Stmt>) {
        let mut emit = |kind| out.push(Stmt { kind, span: place });
        for variable in self.lifetimes.only(from.block, to.block) {
            if self.addressed.contains(&variable) {
                emit(StmtKind::End(variable));
            }
        }
        // An array of variable length lives from its declaration on only; no jump leads past that.
        let length = |variable: VarId| {
            let ty = &self.elaborator.program.variable(variable).ty;
            self.elaborator.is_variable(ty)
        };
        for variable in self.lifetimes.only(to.block, from.block) {
            // A block that is entered anew has new variables, whose values are not those from before.
            if !length(variable) {
                emit(StmtKind::Declare(variable));
            }
        }
        for variable in self.lifetimes.common(from.block, to.block) {
            let at = self.elaborator.program.variable(variable).span.start;
            if length(variable) {
                if to.at < at && at < from.at && self.addressed.contains(&variable) {
                    emit(StmtKind::End(variable));
                }
            } else if from.at < at && at < to.at && self.needs_life(variable) {
                emit(StmtKind::Begin(variable));
            }
        }
    }

    /// Whether the variable may be in memory.
    fn needs_life(&self, variable: VarId) -> bool {
        let ty = &self.elaborator.program.variable(variable).ty;
        self.addressed.contains(&variable) || !ty.is_scalar()
    }
}
