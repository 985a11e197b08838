//! Writes the typed program of a preprocessed C file as plain C: compiled, it must behave as the file itself does.
//!
//! Every conversion is written as a cast, every local variable begins with arbitrary bytes, and the layout of structures
//! is written out, so that what elaboration gets wrong shows in a comparison of the two programs' behaviour.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a program"
)]

use std::fmt::Write as _;

use ult_c::ir::{
    Base, Callee, CompareOp, ConstantStep, Expr, ExprKind, Function, Initial, Place, Program, Step,
    Stmt, StmtKind, Storage, UnaryOp, VarId,
};
use ult_c::types::{DataModel, FloatType, FunctionType, Length, RecordId, Type};

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).expect("the file is readable");
        let text = String::from_utf8_lossy(&text).into_owned();
        let parsed = ult_c::parse::parse(&text);
        let (program, elaborated) = ult_c::elaborate(&parsed, DataModel::Lp64);
        let diagnostics = [parsed.diagnostics, elaborated].concat();
        let mut wrong = false;
        for diagnostic in &diagnostics {
            let line = text[..diagnostic.span().start as usize]
                .matches('\n')
                .count()
                + 1;
            eprintln!("{path}:{line}: {} {}", diagnostic.id, diagnostic.message);
            wrong |= diagnostic.is_error();
        }
        if wrong {
            std::process::exit(3);
        }
        print!("{}", Writer { program: &program }.program());
    }
}

struct Writer<'a> {
    program: &'a Program,
}

impl Writer<'_> {
    fn program(&self) -> String {
        let mut out = String::new();
        for (index, record) in self.program.records.iter().enumerate() {
            if record.fields.is_some() {
                self.record(index, &mut vec![], &mut out);
            }
        }
        let mut out = dedup_definitions(&out);
        for (index, variable) in self.program.variables.iter().enumerate() {
            if let Storage::Static { initial, .. } = &variable.storage {
                let ty = self.ty(&variable.ty);
                let _ = match initial {
                    Initial::Unknown => writeln!(out, "extern {ty} {};", variable.name),
                    _ => writeln!(out, "static {ty} v{index};"),
                };
            }
        }
        for function in &self.program.functions {
            if !function.name.starts_with("__builtin_") {
                let head = self.head(function);
                let _ = writeln!(out, "{head};");
            }
        }
        out += "__attribute__((constructor)) static void initial_values(void) {\n";
        for (index, variable) in self.program.variables.iter().enumerate() {
            if let Storage::Static { initial, .. } = &variable.storage {
                self.initial(index, initial, &mut out);
            }
        }
        out += "}\n";
        for (index, function) in self.program.functions.iter().enumerate() {
            if let Some(body) = &function.body {
                let _ = writeln!(out, "{} {{", self.head(function));
                for (number, variable) in self.program.variables.iter().enumerate() {
                    if let Storage::Automatic {
                        function: owner,
                        parameter: false,
                        ..
                    } = variable.storage
                        && owner.0 as usize == index
                    {
                        let ty = if is_variable(&variable.ty) {
                            "void *".to_owned()
                        } else {
                            self.ty(&variable.ty)
                        };
                        let _ = writeln!(out, "  {ty} v{number};");
                    }
                }
                self.statements(body, function, &mut out);
                out += "}\n";
            }
        }
        out
    }

    fn record(&self, index: usize, above: &mut Vec<usize>, out: &mut String) {
        let record = &self.program.records[index];
        if above.contains(&index) {
            return;
        }
        above.push(index);
        let fields = record.fields.as_deref().unwrap_or_default();
        for field in fields {
            let mut ty = &field.ty;
            while let Type::Array(element, _) = ty {
                ty = element;
            }
            if let Type::Record(RecordId(inner)) = ty {
                self.record(*inner as usize, above, out);
            }
        }
        above.pop();
        let kind = if record.union { "union" } else { "struct" };
        let mut text = format!("{kind} R{index} {{ ");
        let mut position = 0;
        let layout = ult_c::types::Layout {
            model: self.program.model,
            records: &self.program.records,
        };
        for (number, field) in fields.iter().enumerate() {
            let start = field.offset * 8 + u64::from(field.bits.map_or(0, |bits| bits.first));
            if record.union {
                position = 0;
            }
            while position < start {
                let step = (8 - position % 8).min(start - position);
                let _ = write!(text, "char : {step}; ");
                position += step;
            }
            let _ = write!(text, "{} m{number}", self.ty(&field.ty));
            match field.bits {
                Some(bits) => {
                    let _ = write!(text, " : {}", bits.width);
                    position += u64::from(bits.width);
                }
                None => position += 8 * layout.size(&field.ty).unwrap_or(0),
            }
            text += "; ";
        }
        if !record.union {
            let end = record.size * 8;
            while position < end {
                let step = (8 - position % 8).min(end - position);
                let _ = write!(text, "char : {step}; ");
                position += step;
            }
        }
        let align = record.align;
        let _ = writeln!(text, "}} __attribute__((packed, aligned({align})));");
        let _ = writeln!(
            text,
            "_Static_assert(sizeof({kind} R{index}) == {}, \"size\");",
            record.size
        );
        *out += &text;
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Int(int) => {
                let sign = if int.signed { "signed" } else { "unsigned" };
                let word = match int.bits {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    64 => "long",
                    _ => "__int128",
                };
                format!("{sign} {word}")
            }
            Type::Float(float) => match float {
                FloatType::Single => "float",
                FloatType::Double => "double",
                FloatType::Extended => "long double",
                FloatType::Quad => "__float128",
            }
            .to_owned(),
            Type::Pointer(target) => format!("__typeof__({}) *", self.ty(target)),
            Type::Array(element, length) => {
                let length = match length {
                    Length::Known(length) => length.to_string(),
                    Length::Variable(id) => format!("v{}", id.0),
                    Length::Unknown => String::new(),
                };
                format!("__typeof__(__typeof__({})[{length}])", self.ty(element))
            }
            Type::Record(id) => {
                let kind = if self.program.record(*id).union {
                    "union"
                } else {
                    "struct"
                };
                format!("{kind} R{}", id.0)
            }
            Type::Function(ty) => format!(
                "__typeof__(__typeof__({})({}))",
                self.ty(&ty.result),
                self.params(ty)
            ),
        }
    }

    fn params(&self, ty: &FunctionType) -> String {
        let mut params: Vec<String> = ty.params.iter().map(|param| self.ty(param)).collect();
        if ty.variadic {
            params.push("...".to_owned());
        }
        match (params.is_empty(), ty.prototyped) {
            (true, true) => "void".to_owned(),
            (_, false) => String::new(),
            _ => params.join(", "),
        }
    }

    fn function_name(&self, function: &Function) -> String {
        if function.body.is_none() || function.name == "main" {
            function.name.clone()
        } else {
            format!("f_{}", function.name)
        }
    }

    fn head(&self, function: &Function) -> String {
        let ty = &function.ty;
        let params = if function.body.is_some() {
            let mut params: Vec<String> = function
                .params
                .iter()
                .zip(&ty.params)
                .map(|(id, ty)| format!("{} v{}", self.ty(ty), id.0))
                .collect();
            if ty.variadic {
                params.push("...".to_owned());
            }
            if params.is_empty() {
                "void".to_owned()
            } else {
                params.join(", ")
            }
        } else {
            self.params(ty)
        };
        format!(
            "{} {}({params})",
            self.ty(&ty.result),
            self.function_name(function)
        )
    }

    fn initial(&self, index: usize, initial: &Initial, out: &mut String) {
        match initial {
            Initial::Unknown => {}
            Initial::Bytes(bytes) => {
                for (at, byte) in bytes.iter().enumerate() {
                    let _ = writeln!(out, "  v{index}[{at}] = {};", *byte as i8);
                }
            }
            Initial::Values(values) => {
                for (path, value) in values {
                    let path: String = path
                        .iter()
                        .map(|step| match step {
                            ConstantStep::Field(number) => format!(".m{number}"),
                            ConstantStep::Index(index) => format!("[{index}]"),
                        })
                        .collect();
                    let _ = writeln!(out, "  v{index}{path} = {};", self.expr(value));
                }
            }
        }
    }

    fn statements(&self, statements: &[Stmt], function: &Function, out: &mut String) {
        for stmt in statements {
            self.statement(stmt, function, out);
        }
    }

    fn statement(&self, stmt: &Stmt, function: &Function, out: &mut String) {
        let _ = match &stmt.kind {
            StmtKind::Declare(id) => {
                let ty = &self.program.variable(*id).ty;
                let shown = self.ty(ty);
                if is_variable(ty) {
                    writeln!(out, "v{} = __builtin_alloca(sizeof({shown}));", id.0)
                } else {
                    writeln!(out, "__builtin_memset(&v{}, 0x5a, sizeof({shown}));", id.0)
                }
            }
            StmtKind::Begin(_) | StmtKind::End(_) => Ok(()),
            StmtKind::Evaluate(value) => writeln!(out, "(void)({});", self.expr(value)),
            StmtKind::Assign(place, value) => {
                writeln!(out, "{} = {};", self.place(place), self.expr(value))
            }
            StmtKind::Zero(place) => {
                let place = self.place(place);
                writeln!(out, "__builtin_memset(&({place}), 0, sizeof({place}));")
            }
            StmtKind::Call {
                callee,
                args,
                result,
            } => {
                let text = self.call(callee, args, result.as_ref(), function);
                writeln!(out, "{text};")
            }
            StmtKind::If(condition, then, otherwise) => {
                let _ = writeln!(out, "if ({}) {{", self.expr(condition));
                self.statements(then, function, out);
                *out += "} else {\n";
                self.statements(otherwise, function, out);
                writeln!(out, "}}")
            }
            StmtKind::Loop(block, body) => {
                *out += "for (;;) {\n";
                self.statements(body, function, out);
                writeln!(out, "}}\nleave{}: ;", block.0)
            }
            StmtKind::Block(block, body) => {
                *out += "{\n";
                self.statements(body, function, out);
                writeln!(out, "}}\nleave{}: ;", block.0)
            }
            StmtKind::Leave(block) => writeln!(out, "goto leave{};", block.0),
            StmtKind::Label(label) => writeln!(out, "label{}: ;", label.0),
            StmtKind::Goto(label) => writeln!(out, "goto label{};", label.0),
            StmtKind::Return(Some(value)) => writeln!(out, "return {};", self.expr(value)),
            StmtKind::Return(None) => writeln!(out, "return;"),
            StmtKind::Assert(value) => {
                writeln!(out, "if (!{}) __builtin_abort();", self.expr(value))
            }
            StmtKind::Unsequenced { certain: false, .. } => Ok(()),
            StmtKind::Unsequenced { words, .. } | StmtKind::Unsupported(words) => {
                writeln!(out, "__builtin_trap(); /* {words} */")
            }
        };
    }

    fn call(
        &self,
        callee: &Callee,
        args: &[Expr],
        result: Option<&Place>,
        function: &Function,
    ) -> String {
        let list: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
        let va_list = |at: usize| format!("*(__builtin_va_list *)({})", list[at]);
        let call = match callee {
            Callee::Function(id) => {
                let callee = self.program.function(*id);
                match callee.name.as_str() {
                    "__builtin_va_start" => format!(
                        "__builtin_va_start({}, v{})",
                        va_list(0),
                        function.params.last().map_or(0, |id| id.0)
                    ),
                    "__builtin_va_end" => format!("__builtin_va_end({})", va_list(0)),
                    "__builtin_va_copy" => {
                        format!("__builtin_va_copy({}, {})", va_list(0), va_list(1))
                    }
                    "__builtin_va_arg" => format!(
                        "__builtin_va_arg({}, {})",
                        va_list(0),
                        result.map_or("int".to_owned(), |place| self.ty(&place.ty))
                    ),
                    _ => format!("{}({})", self.function_name(callee), list.join(", ")),
                }
            }
            Callee::Pointer(pointer, _) => {
                format!("({})({})", self.expr(pointer), list.join(", "))
            }
        };
        match result {
            Some(place) => format!("{} = {call}", self.place(place)),
            None => call,
        }
    }

    fn variable(&self, id: VarId) -> String {
        let variable = self.program.variable(id);
        match &variable.storage {
            Storage::Static {
                initial: Initial::Unknown,
                ..
            } => variable.name.clone(),
            _ if is_variable(&variable.ty) => {
                format!("(*(__typeof__({}) *)v{})", self.ty(&variable.ty), id.0)
            }
            _ => format!("v{}", id.0),
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut text = match &place.base {
            Base::Variable(id) => self.variable(*id),
            Base::Deref(pointer) => format!("(*{})", self.expr(pointer)),
        };
        for step in &place.path {
            let _ = match step {
                Step::Field(_, number) => write!(text, ".m{number}"),
                Step::Index(index) => write!(text, "[{}]", self.expr(index)),
            };
        }
        text
    }

    fn expr(&self, expr: &Expr) -> String {
        let ty = self.ty(&expr.ty);
        let text = match &expr.kind {
            ExprKind::Int(value) => match i64::try_from(*value) {
                Ok(i64::MIN) => "(-9223372036854775807L - 1)".to_owned(),
                Ok(value) => format!("{value}L"),
                Err(_) => {
                    let (high, low) = ((*value >> 64) as i64, *value as u64);
                    format!("((__int128)(({high}L) * ((__int128)1 << 64)) | {low}UL)")
                }
            },
            // Exact: both are integers that `long double` or a division of powers of two give.
            ExprKind::Float(Some(value)) => hexadecimal(value),
            ExprKind::Float(None) => "__builtin_inf()".to_owned(),
            ExprKind::Read(place) => {
                let text = self.place(place);
                // What is read keeps its type; a cast would not be valid for structures.
                return match &expr.ty {
                    Type::Record(_) => text,
                    _ => format!("(({ty}){text})"),
                };
            }
            ExprKind::Address(place) => format!("&{}", self.place(place)),
            ExprKind::Function(id) => {
                format!("&{}", self.function_name(self.program.function(*id)))
            }
            ExprKind::Unary(UnaryOp::Negate, operand) => format!("-{}", self.expr(operand)),
            ExprKind::Unary(UnaryOp::Complement, operand) => format!("~{}", self.expr(operand)),
            ExprKind::Not(operand) => format!("!{}", self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                use ult_c::ir::BinaryOp as Op;
                let op = match op {
                    Op::Add => "+",
                    Op::Subtract => "-",
                    Op::Multiply => "*",
                    Op::Divide => "/",
                    Op::Remainder => "%",
                    Op::ShiftLeft => "<<",
                    Op::ShiftRight => ">>",
                    Op::And => "&",
                    Op::Or => "|",
                    Op::Xor => "^",
                };
                assert_eq!(left.ty, expr.ty, "operands have the type of the operation");
                format!("({} {op} {})", self.expr(left), self.expr(right))
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
                let pointers = left.ty.is_pointer() && right.ty.is_pointer();
                assert!(left.ty == right.ty || pointers, "a comparison of one type");
                let cast = if pointers { "(char *)" } else { "" };
                format!(
                    "({cast}{} {op} {cast}{})",
                    self.expr(left),
                    self.expr(right)
                )
            }
            ExprKind::And(left, right) => format!("({} && {})", self.expr(left), self.expr(right)),
            ExprKind::Or(left, right) => format!("({} || {})", self.expr(left), self.expr(right)),
            ExprKind::Conditional(condition, then, otherwise) => {
                assert_eq!(then.ty, expr.ty, "the first value has the type");
                assert_eq!(otherwise.ty, expr.ty, "the second value has the type");
                format!(
                    "({} ? {} : {})",
                    self.expr(condition),
                    self.expr(then),
                    self.expr(otherwise)
                )
            }
            ExprKind::Convert(operand) => self.expr(operand),
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
            ExprKind::Unsupported(words) => {
                return match &expr.ty {
                    Type::Record(_) => {
                        format!("(*({{ __builtin_trap(); /* {words} */ ({ty} *)0; }}))")
                    }
                    _ => format!("({{ __builtin_trap(); /* {words} */ ({ty})0; }})"),
                };
            }
        };
        format!("(({ty}){text})")
    }
}

/// A dyadic fraction as a hexadecimal floating constant.
fn hexadecimal(value: &num_rational::BigRational) -> String {
    let exponent = value.denom().bits() - 1;
    let number = value.numer();
    let sign = if number.sign() == num_bigint::Sign::Minus {
        "-"
    } else {
        ""
    };
    let digits = number.magnitude().to_str_radix(16);
    format!("({sign}0x{digits}p-{exponent}L)")
}

fn is_variable(ty: &Type) -> bool {
    match ty {
        Type::Array(_, Length::Variable(_)) => true,
        Type::Array(element, _) => is_variable(element),
        _ => false,
    }
}

/// Keeps the first definition of each record: those of inner ones come before each of the outer ones.
fn dedup_definitions(text: &str) -> String {
    let mut seen = std::collections::HashSet::new();
    text.lines()
        .filter(|line| seen.insert(line.to_owned()))
        .map(|line| format!("{line}\n"))
        .collect()
}
