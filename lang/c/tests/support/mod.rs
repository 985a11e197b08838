//! What the documentation of the typed program promises, checked.
#![allow(dead_code)]

use ult_c::ir::{
    Base, BinaryOp, BlockId, Callee, Expr, ExprKind, Function, Initial, LabelId, Place, Program,
    Step, Stmt, StmtKind, Storage,
};
use ult_c::types::Type;

/// What is wrong with a program, in words.
pub fn flaws(program: &Program) -> Vec<String> {
    let mut checker = Checker {
        program,
        blocks: Vec::new(),
        labels: Vec::new(),
        gotos: Vec::new(),
        result: Type::Void,
        context: String::new(),
        flaws: Vec::new(),
    };
    for variable in &program.variables {
        if let Storage::Static {
            initial: Initial::Values(values),
            ..
        } = &variable.storage
        {
            checker.context = format!("static {}", variable.name);
            let mut paths: Vec<_> = values.iter().map(|(path, _)| path).collect();
            paths.sort();
            checker.that(
                paths.windows(2).all(|pair| pair[0] != pair[1]),
                "a place occurs twice",
            );
            for (_, value) in values {
                checker.expr(value);
            }
        }
    }
    for function in &program.functions {
        checker.function(function);
    }
    checker.flaws
}

struct Checker<'a> {
    program: &'a Program,
    blocks: Vec<BlockId>,
    labels: Vec<LabelId>,
    gotos: Vec<LabelId>,
    result: Type,
    context: String,
    flaws: Vec<String>,
}

impl Checker<'_> {
    fn that(&mut self, condition: bool, words: &str) {
        if !condition {
            self.flaws.push(format!("{}: {words}", self.context));
        }
    }

    fn function(&mut self, function: &Function) {
        let Some(body) = &function.body else { return };
        self.context = function.name.clone();
        self.result = function.ty.result.clone();
        self.that(
            function.params.len() == function.ty.params.len(),
            "the parameters have types",
        );
        self.labels.clear();
        self.gotos.clear();
        self.statements(body);
        let labels = std::mem::take(&mut self.labels);
        for goto in std::mem::take(&mut self.gotos) {
            let found = labels.iter().filter(|label| **label == goto).count();
            self.that(found == 1, "a goto to a label that is not there once");
        }
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for stmt in statements {
            self.context = format!(
                "{} {:?}",
                self.context.split(' ').next().unwrap_or_default(),
                stmt.span
            );
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Label(label) => self.labels.push(*label),
            StmtKind::Goto(label) => self.gotos.push(*label),
            StmtKind::Declare(_)
            | StmtKind::Begin(_)
            | StmtKind::End(_)
            | StmtKind::Undefined { .. }
            | StmtKind::Unsupported(_)
            | StmtKind::Return(None) => {}
            StmtKind::Evaluate(value) => self.expr(value),
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.expr(value);
                self.that(place.ty == value.ty, "an assignment of another type");
                self.that(
                    place.ty.is_scalar() || matches!(place.ty, Type::Record(_)),
                    "an assignment to what has no value",
                );
            }
            StmtKind::Zero(place) => self.place(place),
            StmtKind::Call {
                callee,
                args,
                result,
            } => {
                let (ty, name) = match callee {
                    Callee::Function(id) => {
                        let function = self.program.function(*id);
                        (&function.ty, function.name.as_str())
                    }
                    Callee::Pointer(pointer, ty) => {
                        self.expr(pointer);
                        self.that(
                            pointer.ty == Type::Function(ty.clone().into()).pointer(),
                            "a call through a pointer to something else",
                        );
                        (ty, "")
                    }
                };
                for arg in args {
                    self.expr(arg);
                }
                if let Some(place) = result {
                    self.place(place);
                    self.that(
                        place.ty == ty.result || name == "__builtin_va_arg",
                        "a result of another type",
                    );
                }
                for (param, arg) in ty.params.iter().zip(args) {
                    self.that(*param == arg.ty, "an argument of another type");
                }
                if ty.prototyped {
                    self.that(
                        args.len() == ty.params.len()
                            || (ty.variadic && args.len() > ty.params.len()),
                        "the number of arguments",
                    );
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.that(condition.ty.is_scalar(), "a branch on no scalar");
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::Loop(block, body) | StmtKind::Block(block, body) => {
                self.blocks.push(*block);
                self.statements(body);
                self.blocks.pop();
            }
            StmtKind::Leave(block) => {
                let inside = self.blocks.contains(block);
                self.that(inside, "leaves what does not enclose it");
            }
            StmtKind::Return(Some(value)) => {
                self.expr(value);
                self.that(value.ty == self.result, "returns another type");
            }
            StmtKind::Assert(value) => {
                self.expr(value);
                self.that(value.ty.is_scalar(), "an assertion of no scalar");
            }
        }
    }

    fn place(&mut self, place: &Place) {
        let mut ty = match &place.base {
            Base::Variable(id) => self.program.variable(*id).ty.clone(),
            Base::Deref(pointer) => {
                self.expr(pointer);
                match &pointer.ty {
                    Type::Pointer(target) => (**target).clone(),
                    _ => return self.that(false, "a dereference of no pointer"),
                }
            }
        };
        for step in &place.path {
            ty = match (step, &ty) {
                (Step::Field(record, number), Type::Record(id)) => {
                    self.that(record == id, "a member of another record");
                    match self.program.record(*record).fields.as_ref() {
                        Some(fields) if *number < fields.len() => fields[*number].ty.clone(),
                        _ => return self.that(false, "a member that does not exist"),
                    }
                }
                (Step::Index(index), Type::Array(element, _)) => {
                    self.expr(index);
                    self.that(index.ty.is_integer(), "an index of no integer type");
                    (**element).clone()
                }
                _ => return self.that(false, "a step into what has no such parts"),
            };
        }
        // The length of an array may have become known later.
        let same = ty == place.ty || matches!((&ty, &place.ty), (Type::Array(..), Type::Array(..)));
        self.that(same, "a place of another type");
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(value) => match &expr.ty {
                Type::Int(ty) => self.that(ty.contains(*value), "a number beyond its type"),
                Type::Bool => self.that((0..=1).contains(value), "a truth value"),
                Type::Pointer(_) => self.that(*value == 0, "a pointer constant"),
                _ => self.that(false, "a number of no integer type"),
            },
            ExprKind::Float(_) => {
                self.that(matches!(expr.ty, Type::Float(_)), "a fraction's type");
            }
            ExprKind::Read(place) => {
                self.place(place);
                self.that(place.ty == expr.ty, "a read of another type");
                self.that(
                    expr.ty.is_scalar() || matches!(expr.ty, Type::Record(_)),
                    "a read of what has no value",
                );
            }
            ExprKind::Address(place) => {
                self.place(place);
                self.that(
                    expr.ty == place.ty.clone().pointer(),
                    "an address of another type",
                );
                self.that(
                    self.program.bit_field(place).is_none(),
                    "the address of a bit-field",
                );
            }
            ExprKind::Function(id) => {
                let ty = &self.program.function(*id).ty;
                let is_function = matches!(&expr.ty, Type::Pointer(target) if matches!(**target, Type::Function(_)));
                self.that(is_function, &format!("a function's address: {ty:?}"));
            }
            ExprKind::Unary(_, operand) => {
                self.expr(operand);
                self.that(operand.ty == expr.ty, "an operand of another type");
                self.arithmetic(&expr.ty);
            }
            ExprKind::Binary(op, left, right) => {
                self.expr(left);
                self.expr(right);
                let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
                self.that(left.ty == expr.ty, "a left operand of another type");
                self.that(
                    right.ty == expr.ty || (shift && right.ty.is_integer()),
                    "a right operand of another type",
                );
                self.arithmetic(&expr.ty);
            }
            ExprKind::Compare(_, left, right) => {
                self.expr(left);
                self.expr(right);
                let pointers = left.ty.is_pointer() && right.ty.is_pointer();
                self.that(
                    left.ty.is_scalar() && (left.ty == right.ty || pointers),
                    "a comparison of different types",
                );
                self.that(expr.ty == Type::INT, "a comparison is an int");
            }
            ExprKind::Not(operand) => {
                self.expr(operand);
                self.that(operand.ty.is_scalar(), "a truth value of no scalar");
                self.that(expr.ty == Type::INT, "a truth value is an int");
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.expr(left);
                self.expr(right);
                self.that(
                    left.ty.is_scalar() && right.ty.is_scalar(),
                    "a truth value of no scalar",
                );
                self.that(expr.ty == Type::INT, "a truth value is an int");
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
                self.that(condition.ty.is_scalar(), "a choice on no scalar");
                self.that(
                    then.ty == expr.ty && otherwise.ty == expr.ty,
                    "a choice between other types",
                );
            }
            ExprKind::Convert(operand) => {
                self.expr(operand);
                self.that(
                    operand.ty.is_scalar() && expr.ty.is_scalar(),
                    "a conversion of no scalar",
                );
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.expr(pointer);
                self.expr(index);
                self.that(
                    pointer.ty == expr.ty && expr.ty.is_pointer() && index.ty.is_integer(),
                    "an offset",
                );
            }
            ExprKind::Difference(left, right) => {
                self.expr(left);
                self.expr(right);
                let difference = Type::Int(self.program.model.difference_type());
                self.that(
                    left.ty.is_pointer() && right.ty.is_pointer() && expr.ty == difference,
                    "a difference",
                );
            }
            ExprKind::Unsupported(_) => {}
        }
    }

    fn arithmetic(&mut self, ty: &Type) {
        let promoted = match ty {
            Type::Int(ty) => ty.bits >= 32,
            Type::Float(_) => true,
            _ => false,
        };
        self.that(promoted, "arithmetic on what was not promoted");
    }
}
