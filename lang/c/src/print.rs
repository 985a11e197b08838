//! The typed program as text: like C, with every conversion and side effect written out. For tests and for people.

use std::fmt::Write as _;

use ult_lang::stack::ensure_stack;

use crate::ir::{
    Base, BinaryOp, Callee, CompareOp, ConstantStep, Expr, ExprKind, Function, Initial, Place,
    Program, Step, Stmt, StmtKind, Storage, UnaryOp, VarId,
};
use crate::types::{FloatType, IntType, Length, Type};

/// A program as text.
pub fn program(program: &Program) -> String {
    let mut printer = Printer {
        program,
        out: String::new(),
        depth: 0,
    };
    printer.records();
    for (index, variable) in program.variables.iter().enumerate() {
        if matches!(variable.storage, Storage::Static { .. }) {
            printer.static_variable(VarId(index as u32));
        }
    }
    for function in &program.functions {
        printer.function(function);
    }
    printer.out
}

/// The name of a type, in the words of C as far as they suffice.
pub fn type_name(program: &Program, ty: &Type) -> String {
    match ty {
        Type::Void => "void".to_owned(),
        Type::Bool => "_Bool".to_owned(),
        Type::Int(int) => int_name(*int),
        Type::Float(float) => match float {
            FloatType::Single => "float",
            FloatType::Double => "double",
            FloatType::Extended => "long double",
            FloatType::Quad => "__float128",
        }
        .to_owned(),
        Type::Pointer(target) => ensure_stack(|| format!("{}*", type_name(program, target))),
        Type::Array(element, length) => {
            let length = match length {
                Length::Known(length) => length.to_string(),
                Length::Variable(id) => variable_name(program, *id),
                Length::Unknown => String::new(),
            };
            // The outermost length comes first, as in C.
            let mut inner = ensure_stack(|| type_name(program, element));
            let at = match &**element {
                Type::Array(..) => inner.find('[').unwrap_or(inner.len()),
                _ => inner.len(),
            };
            inner.insert_str(at, &format!("[{length}]"));
            inner
        }
        Type::Record(id) => {
            let record = program.record(*id);
            let kind = if record.union { "union" } else { "struct" };
            format!("{kind} {}", record.name)
        }
        Type::Function(ty) => ensure_stack(|| {
            let mut params: Vec<String> = ty
                .params
                .iter()
                .map(|param| type_name(program, param))
                .collect();
            if ty.variadic {
                params.push("...".to_owned());
            }
            let params = match (params.is_empty(), ty.prototyped) {
                (true, true) => "void".to_owned(),
                _ => params.join(", "),
            };
            let old = if ty.prototyped { "" } else { "?" };
            format!("{}({params}){old}", type_name(program, &ty.result))
        }),
    }
}

fn int_name(int: IntType) -> String {
    match (int.bits, int.signed) {
        (8, true) => "char".to_owned(),
        (8, false) => "unsigned char".to_owned(),
        (16, true) => "short".to_owned(),
        (16, false) => "unsigned short".to_owned(),
        (32, true) => "int".to_owned(),
        (32, false) => "unsigned".to_owned(),
        (bits, true) => format!("int{bits}"),
        (bits, false) => format!("uint{bits}"),
    }
}

/// The name of a variable; with its number where it is not the first of that name.
fn variable_name(program: &Program, id: VarId) -> String {
    let variable = program.variable(id);
    let earlier = program.variables[..id.0 as usize]
        .iter()
        .any(|other| other.name == variable.name);
    if earlier {
        format!("{}#{}", variable.name, id.0)
    } else {
        variable.name.clone()
    }
}

struct Printer<'a> {
    program: &'a Program,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn ty(&self, ty: &Type) -> String {
        type_name(self.program, ty)
    }

    fn name(&self, id: VarId) -> String {
        variable_name(self.program, id)
    }

    fn records(&mut self) {
        for record in &self.program.records {
            let kind = if record.union { "union" } else { "struct" };
            let Some(fields) = &record.fields else {
                self.line(&format!("{kind} {};", record.name));
                continue;
            };
            self.line(&format!(
                "{kind} {} {{ // size {}, align {}",
                record.name, record.size, record.align
            ));
            self.depth += 1;
            for field in fields {
                let mut text = format!("{} {}", self.ty(&field.ty), field.name);
                match field.bits {
                    Some(bits) => {
                        let _ = write!(
                            text,
                            " : {}; // at {}, bit {}",
                            bits.width, field.offset, bits.first
                        );
                    }
                    None => {
                        let _ = write!(text, "; // at {}", field.offset);
                    }
                }
                self.line(&text);
            }
            self.depth -= 1;
            self.line("}");
        }
    }

    fn static_variable(&mut self, id: VarId) {
        let variable = self.program.variable(id);
        let Storage::Static { function, initial } = &variable.storage else {
            return;
        };
        let mut text = format!("static {} {}", self.ty(&variable.ty), self.name(id));
        if let Some(function) = function {
            let _ = write!(text, " /* in {} */", self.program.function(*function).name);
        }
        match initial {
            Initial::Unknown => text.push_str(" = unknown"),
            Initial::Bytes(bytes) => {
                let _ = write!(text, " = \"{}\"", bytes.escape_ascii());
            }
            Initial::Values(values) => {
                let values: Vec<String> = values
                    .iter()
                    .map(|(path, value)| {
                        let path: String = path
                            .iter()
                            .map(|step| match step {
                                ConstantStep::Field(number) => format!(".{number}"),
                                ConstantStep::Index(index) => format!("[{index}]"),
                            })
                            .collect();
                        let separator = if path.is_empty() { "" } else { " = " };
                        format!("{path}{separator}{}", self.expr(value))
                    })
                    .collect();
                let _ = write!(text, " = {{{}}}", values.join(", "));
            }
        }
        text.push(';');
        self.line(&text);
    }

    fn function(&mut self, function: &Function) {
        let ty = &function.ty;
        let mut params: Vec<String> = if function.body.is_some() {
            function
                .params
                .iter()
                .map(|&id| {
                    format!(
                        "{} {}",
                        self.ty(&self.program.variable(id).ty),
                        self.name(id)
                    )
                })
                .collect()
        } else {
            ty.params.iter().map(|param| self.ty(param)).collect()
        };
        if ty.variadic {
            params.push("...".to_owned());
        }
        let old = if ty.prototyped {
            ""
        } else {
            " /* old style */"
        };
        let head = format!(
            "{} {}({}){old}",
            self.ty(&ty.result),
            function.name,
            params.join(", ")
        );
        let Some(body) = &function.body else {
            self.line(&format!("{head};"));
            return;
        };
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.statements(body, function);
        self.depth -= 1;
        self.line("}");
    }

    fn statements(&mut self, statements: &[Stmt], function: &Function) {
        for stmt in statements {
            ensure_stack(|| self.statement(stmt, function));
        }
    }

    fn statement(&mut self, stmt: &Stmt, function: &Function) {
        match &stmt.kind {
            StmtKind::Declare(id) => {
                let text = format!(
                    "{} {};",
                    self.ty(&self.program.variable(*id).ty),
                    self.name(*id)
                );
                self.line(&text);
            }
            StmtKind::Begin(id) => self.line(&format!("begin {};", self.name(*id))),
            StmtKind::End(id) => self.line(&format!("end {};", self.name(*id))),
            StmtKind::Evaluate(value) => {
                let text = format!("evaluate {};", self.expr(value));
                self.line(&text);
            }
            StmtKind::Assign(place, value) => {
                let text = format!("{} = {};", self.place(place), self.expr(value));
                self.line(&text);
            }
            StmtKind::Zero(place) => {
                let text = format!("zero {};", self.place(place));
                self.line(&text);
            }
            StmtKind::Call {
                callee,
                args,
                result,
            } => {
                let callee = match callee {
                    Callee::Function(id) => self.program.function(*id).name.clone(),
                    Callee::Pointer(pointer, _) => format!("(*{})", self.expr(pointer)),
                };
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                let result = match result {
                    Some(place) => format!("{} = ", self.place(place)),
                    None => String::new(),
                };
                self.line(&format!("{result}call {callee}({});", args.join(", ")));
            }
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.expr(condition);
                self.line(&format!("if ({condition}) {{"));
                self.depth += 1;
                self.statements(then, function);
                self.depth -= 1;
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.depth += 1;
                    self.statements(otherwise, function);
                    self.depth -= 1;
                }
                self.line("}");
            }
            StmtKind::Loop(block, body) | StmtKind::Block(block, body) => {
                let word = match &stmt.kind {
                    StmtKind::Loop(..) => "loop",
                    _ => "block",
                };
                self.line(&format!("{word} b{} {{", block.0));
                self.depth += 1;
                self.statements(body, function);
                self.depth -= 1;
                self.line("}");
            }
            StmtKind::Leave(block) => self.line(&format!("leave b{};", block.0)),
            StmtKind::Label(label) => {
                self.line(&format!("label {}:", function.labels[label.0 as usize]));
            }
            StmtKind::Goto(label) => {
                self.line(&format!("goto {};", function.labels[label.0 as usize]));
            }
            StmtKind::Return(value) => {
                let text = match value {
                    Some(value) => format!("return {};", self.expr(value)),
                    None => "return;".to_owned(),
                };
                self.line(&text);
            }
            StmtKind::Assert(value) => {
                let text = format!("assert {};", self.expr(value));
                self.line(&text);
            }
            StmtKind::Undefined { words, .. } => self.line(&format!("undefined \"{words}\";")),
            StmtKind::Unsupported(words) => self.line(&format!("unsupported \"{words}\";")),
        }
    }

    fn place(&self, place: &Place) -> String {
        ensure_stack(|| {
            let mut text = match &place.base {
                Base::Variable(id) => self.name(*id),
                Base::Deref(pointer) => format!("(*{})", self.expr(pointer)),
            };
            for step in &place.path {
                match step {
                    Step::Field(record, number) => {
                        let fields = self.program.record(*record).fields.as_deref();
                        match fields.and_then(|fields| fields.get(*number)) {
                            Some(field) if !field.name.is_empty() => {
                                let _ = write!(text, ".{}", field.name);
                            }
                            _ => {
                                let _ = write!(text, ".{number}");
                            }
                        }
                    }
                    Step::Index(index) => {
                        let _ = write!(text, "[{}]", self.expr(index));
                    }
                }
            }
            text
        })
    }

    fn expr(&self, expr: &Expr) -> String {
        ensure_stack(|| match &expr.kind {
            ExprKind::Int(value) => match &expr.ty {
                Type::Int(ty) => format!("{value}{}", suffix(*ty)),
                Type::Pointer(_) => "null".to_owned(),
                _ => format!("({}){value}", self.ty(&expr.ty)),
            },
            ExprKind::Float(Some(value)) => {
                let suffix = match expr.ty {
                    Type::Float(FloatType::Single) => "f",
                    Type::Float(FloatType::Extended) => "L",
                    Type::Float(FloatType::Quad) => "Q",
                    _ => "",
                };
                if value.is_integer() {
                    format!("{}.0{suffix}", value.numer())
                } else {
                    format!("{}/{}{suffix}", value.numer(), value.denom())
                }
            }
            ExprKind::Float(None) => "infinity".to_owned(),
            ExprKind::Read(place) => self.place(place),
            ExprKind::Address(place) => format!("&{}", self.place(place)),
            ExprKind::Function(id) => format!("&{}", self.program.function(*id).name),
            ExprKind::Unary(UnaryOp::Negate, operand) => format!("-{}", self.expr(operand)),
            ExprKind::Unary(UnaryOp::Complement, operand) => format!("~{}", self.expr(operand)),
            ExprKind::Not(operand) => format!("!{}", self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(left), symbol(*op), self.expr(right))
            }
            ExprKind::Compare(op, left, right) => {
                let op = match op {
                    CompareOp::Equal => "==",
                    CompareOp::NotEqual => "!=",
                    CompareOp::Less => "<",
                    CompareOp::LessEqual => "<=",
                    CompareOp::Greater => ">",
                    CompareOp::GreaterEqual => ">=",
                };
                format!("({} {op} {})", self.expr(left), self.expr(right))
            }
            ExprKind::And(left, right) => {
                format!("({} && {})", self.expr(left), self.expr(right))
            }
            ExprKind::Or(left, right) => format!("({} || {})", self.expr(left), self.expr(right)),
            ExprKind::Conditional(condition, then, otherwise) => format!(
                "({} ? {} : {})",
                self.expr(condition),
                self.expr(then),
                self.expr(otherwise)
            ),
            ExprKind::Convert(operand) => {
                format!("({}){}", self.ty(&expr.ty), self.expr(operand))
            }
            ExprKind::Offset {
                pointer,
                index,
                back,
            } => {
                let op = if *back { "-" } else { "+" };
                format!("({} {op} {})", self.expr(pointer), self.expr(index))
            }
            ExprKind::Difference(left, right) => {
                format!("({} - {})", self.expr(left), self.expr(right))
            }
            ExprKind::Unsupported(words) => format!("unsupported(\"{words}\")"),
        })
    }
}

/// How C writes an operator.
pub(crate) fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}

/// What tells the type of an integer.
fn suffix(ty: IntType) -> String {
    match (ty.bits, ty.signed) {
        (32, true) => String::new(),
        (32, false) => "u".to_owned(),
        (bits, true) => format!("i{bits}"),
        (bits, false) => format!("u{bits}"),
    }
}
