//! Random programs about expressions: promotions, conversions between all integer types, shifts, floating-point numbers,
//! bit-fields, enumerations, and the statements that hold them. What each expression may be is known as an interval, so
//! that only what is defined is written.

mod operations;
mod reals;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::program::{Piece, Program};
use super::types::Integer;

/// So many results at most.
const MOST_RESULTS: usize = 6;

/// A type of values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Int(Integer),
    Float,
    Double,
}

/// An expression, its type, and the smallest and largest value it may have.
#[derive(Clone, Debug)]
struct Expression {
    text: String,
    kind: Kind,
    low: i128,
    high: i128,
    /// The same for floating-point numbers.
    reals: (f64, f64),
}

/// A variable, or member, that can be read and written.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Kind,
    /// What its type can hold.
    limits: (i128, i128),
    now: (i128, i128),
    reals: (f64, f64),
    /// Counters of loops are not written.
    is_fixed: bool,
    /// A bit-field: its value is promoted by its width.
    is_bits: bool,
}

/// Floating-point numbers stay below this.
const LARGEST_REAL: f64 = 1e15;

/// The program with this number.
pub(super) fn program(seed: u64, is_32_bit: bool) -> Program {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(2);
    let mut writer = Writer {
        random,
        pointer: if is_32_bit { 4 } else { 8 },
        variables: Vec::new(),
        functions: Vec::new(),
        top: Vec::new(),
        names: 0,
        with_reals: false,
        written: Vec::new(),
    };
    writer.with_reals = writer.chance(35);
    let mut names = writer.begin();
    let mut body = Vec::new();
    for _ in 0..1 + writer.below(3) {
        let piece = writer.declare(false);
        body.push(piece);
    }
    for _ in 0..2 + writer.below(5) {
        let piece = writer.statement(2);
        body.push(piece);
    }
    let mut shown: Vec<Variable> = writer
        .variables
        .iter()
        .filter(|variable| matches!(variable.kind, Kind::Int(_)))
        .cloned()
        .collect();
    let mut results = Vec::new();
    while !shown.is_empty() && results.len() < MOST_RESULTS - 2 {
        let index = writer.below(shown.len());
        results.push(shown.swap_remove(index).name);
    }
    for _ in 0..2 {
        let expression = writer.integer(3);
        results.push(expression.text);
    }
    for (index, text) in results.into_iter().enumerate() {
        body.push(Piece::Result(format!("r{index}"), text));
    }
    body.push(Piece::Claim);
    body.push(Piece::text("return 0;"));
    let mut pieces = writer.top;
    pieces.push(Piece::Block("int main(void) {".into(), body, "}".into()));
    names.push("main".into());
    Program {
        pieces,
        names: names.into_iter().collect(),
        is_32_bit,
        orders: None,
    }
}

struct Writer {
    random: ChaCha8Rng,
    pointer: u64,
    variables: Vec<Variable>,
    functions: Vec<(String, Vec<Kind>, Kind)>,
    top: Vec<Piece>,
    names: usize,
    with_reals: bool,
    /// The variables that were written since the last loop or switch began.
    written: Vec<usize>,
}

impl Writer {
    fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end.max(1))
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent.min(100), 100)
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        let index = self.below(of.len());
        of.get(index).cloned()
    }

    fn some_int(&mut self) -> Integer {
        self.pick(&Integer::ALL).unwrap_or(Integer::Int)
    }

    fn some_kind(&mut self) -> Kind {
        match self.with_reals && self.chance(25) {
            true if self.chance(40) => Kind::Float,
            true => Kind::Double,
            false => Kind::Int(self.some_int()),
        }
    }

    fn range(&self, int: Integer) -> (i128, i128) {
        int.range(self.pointer)
    }

    /// Types, global variables and functions; the names at file scope.
    fn begin(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        if self.chance(40) {
            names.extend(["bits".to_owned(), "field".to_owned()]);
            let mut members = String::new();
            for index in 0..2 + self.below(3) {
                let int = self
                    .pick(&[
                        Integer::Int,
                        Integer::Unsigned,
                        Integer::Unsigned,
                        Integer::Bool,
                    ])
                    .unwrap_or(Integer::Int);
                let width = match int {
                    Integer::Bool => 1,
                    _ => 1 + self.below(31),
                };
                let sign = if int == Integer::Int { "signed " } else { "" };
                members += &format!(" {sign}{} m{index} : {width};", int.name());
                let limits = match int {
                    Integer::Int => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
                    _ => (0, (1_i128 << width) - 1),
                };
                self.variables.push(Variable {
                    name: format!("field.m{index}"),
                    // Narrow members are promoted to `int`.
                    kind: Kind::Int(Integer::Int),
                    limits,
                    now: (0, 0),
                    reals: (0.0, 0.0),
                    is_fixed: false,
                    is_bits: true,
                });
            }
            self.top.push(Piece::text(format!(
                "struct bits {{{members} }};\nstruct bits field;"
            )));
        }
        if self.chance(20) {
            names.extend(["color".to_owned(), "RED".into(), "BLUE".into()]);
            let (red, blue) = (self.below(9), 10 + self.below(300));
            self.top.push(Piece::text(format!(
                "enum color {{ RED = {red}, BLUE = {blue} }};"
            )));
            for (name, value) in [("RED", red), ("BLUE", blue)] {
                let value = i128::try_from(value).unwrap_or_default();
                self.variables.push(Variable {
                    name: name.into(),
                    kind: Kind::Int(Integer::Int),
                    limits: (value, value),
                    now: (value, value),
                    reals: (0.0, 0.0),
                    is_fixed: true,
                    is_bits: false,
                });
            }
        }
        for _ in 0..2 + self.below(3) {
            let piece = self.declare(true);
            self.top.push(piece);
        }
        for _ in 0..self.below(3) {
            self.function();
        }
        names.extend(
            self.variables
                .iter()
                .filter(|variable| variable.name.starts_with('g'))
                .map(|variable| variable.name.clone()),
        );
        names.extend(self.functions.iter().map(|(name, ..)| name.clone()));
        names
    }

    fn name_of(kind: Kind) -> &'static str {
        match kind {
            Kind::Int(int) => int.name(),
            Kind::Float => "float",
            Kind::Double => "double",
        }
    }

    fn declare(&mut self, is_global: bool) -> Piece {
        self.names += 1;
        let name = format!("{}{}", if is_global { "g" } else { "v" }, self.names);
        let kind = self.some_kind();
        let value = match kind {
            Kind::Int(int) if is_global || self.chance(50) => self.constant(int),
            Kind::Int(_) => self.integer(2),
            Kind::Float | Kind::Double => self.real_constant(),
        };
        let text = format!("{} {name} = {};", Writer::name_of(kind), value.text);
        let limits = match kind {
            Kind::Int(int) => self.range(int),
            Kind::Float | Kind::Double => (0, 0),
        };
        let (now, reals) = self.converted(&value, kind, limits);
        self.variables.push(Variable {
            name,
            kind,
            limits,
            now,
            reals,
            is_fixed: false,
            is_bits: false,
        });
        Piece::Text(text)
    }

    /// What a variable may be after it was given a value.
    fn converted(
        &self,
        value: &Expression,
        kind: Kind,
        limits: (i128, i128),
    ) -> ((i128, i128), (f64, f64)) {
        match kind {
            Kind::Int(Integer::Bool) => ((0, 1), (0.0, 0.0)),
            Kind::Int(_) if value.low >= limits.0 && value.high <= limits.1 => {
                ((value.low, value.high), (0.0, 0.0))
            }
            Kind::Int(_) => (limits, (0.0, 0.0)),
            Kind::Float | Kind::Double => ((0, 0), reals_of(value)),
        }
    }

    /// A function of its parameters and the global variables.
    fn function(&mut self) {
        self.names += 1;
        let name = format!("f{}", self.names);
        let kinds: Vec<Kind> = (0..1 + self.below(2))
            .map(|_| Kind::Int(self.some_int()))
            .collect();
        let result = Kind::Int(self.some_int());
        let outer = self.variables.clone();
        for variable in &mut self.variables {
            variable.now = variable.limits;
        }
        self.variables
            .retain(|variable| matches!(variable.kind, Kind::Int(_)));
        let mut parameters = Vec::new();
        for (index, kind) in kinds.iter().enumerate() {
            let Kind::Int(int) = *kind else {
                continue;
            };
            let limits = self.range(int);
            parameters.push(format!("{} p{index}", int.name()));
            self.variables.push(Variable {
                name: format!("p{index}"),
                kind: *kind,
                limits,
                now: limits,
                reals: (0.0, 0.0),
                is_fixed: true,
                is_bits: false,
            });
        }
        let value = self.integer(3);
        self.variables = outer;
        self.top.push(Piece::text(format!(
            "static {} {name}({}) {{ return {}; }}",
            Writer::name_of(result),
            parameters.join(", "),
            value.text
        )));
        self.functions.push((name, kinds, result));
    }

    // Statements.

    fn statement(&mut self, depth: usize) -> Piece {
        match self.below(12) {
            0 if depth > 0 => self.branch(depth - 1),
            1 if depth > 0 => self.switch(depth - 1),
            2 if depth > 0 => self.repeat(depth - 1),
            3 => self.step(),
            4 | 5 => self.compound(),
            6 => self.declare_inner(),
            _ => self.assignment(),
        }
    }

    /// A declaration would be gone after a branch: an assignment where there may be one.
    fn declare_inner(&mut self) -> Piece {
        self.assignment()
    }

    fn target(&mut self) -> Option<usize> {
        let all: Vec<usize> = self
            .variables
            .iter()
            .enumerate()
            .filter(|(_, variable)| !variable.is_fixed)
            .map(|(index, _)| index)
            .collect();
        self.pick(&all)
    }

    fn write(&mut self, index: usize, value: &Expression) {
        self.written.push(index);
        let Some(variable) = self.variables.get(index).cloned() else {
            return;
        };
        let (now, reals) = match variable.limits {
            (0, 1) if variable.is_bits => ((0, 1), (0.0, 0.0)),
            limits => self.converted(value, variable.kind, limits),
        };
        if let Some(variable) = self.variables.get_mut(index) {
            variable.now = now;
            variable.reals = reals;
        }
    }

    fn assignment(&mut self) -> Piece {
        let Some(index) = self.target() else {
            return Piece::text(";");
        };
        let Some(variable) = self.variables.get(index).cloned() else {
            return Piece::text(";");
        };
        let value = match variable.kind {
            Kind::Int(_) if self.with_reals && self.chance(25) => {
                self.real_as_integer(variable.limits)
            }
            Kind::Int(_) => self.integer(4),
            Kind::Float | Kind::Double => self.real(3),
        };
        self.write(index, &value);
        Piece::text(format!("{} = {};", variable.name, value.text))
    }

    /// `x op= e`, where `x op e` is defined.
    fn compound(&mut self) -> Piece {
        let Some(index) = self.target() else {
            return Piece::text(";");
        };
        let Some(variable) = self.variables.get(index).cloned() else {
            return Piece::text(";");
        };
        let Kind::Int(_) = variable.kind else {
            return self.assignment();
        };
        let left = read(&variable);
        let right = self.integer(2);
        let operators = ["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>"];
        let operator = self.pick(&operators).unwrap_or("+");
        match self.binary(operator, &left, &right, false) {
            // The operands must be as they are: `x op= e` converts nothing else.
            Some(value) if value.text == format!("({} {operator} {})", left.text, right.text) => {
                self.write(index, &value);
                Piece::text(format!("{} {operator}= {};", variable.name, right.text))
            }
            _ => self.assignment(),
        }
    }

    fn step(&mut self) -> Piece {
        let Some(index) = self.target() else {
            return Piece::text(";");
        };
        let Some(variable) = self.variables.get(index).cloned() else {
            return Piece::text(";");
        };
        let (Kind::Int(int), true) = (variable.kind, !variable.is_bits) else {
            return self.assignment();
        };
        let (low, high) = variable.now;
        let operator = match self.chance(50) {
            true if high < variable.limits.1 || !int.is_signed() || int.size(8) < 4 => "++",
            _ if low > variable.limits.0 || !int.is_signed() || int.size(8) < 4 => "--",
            _ => return self.assignment(),
        };
        let by = if operator == "++" { 1 } else { -1 };
        let after = Expression {
            text: String::new(),
            kind: variable.kind,
            low: low + by,
            high: high + by,
            reals: (0.0, 0.0),
        };
        // The value before or after goes to another variable, sometimes.
        let text = match self.chance(50) {
            true => format!("{}{operator}", variable.name),
            false => format!("{operator}{}", variable.name),
        };
        let other = self.target();
        let line = match other {
            Some(other) if other != index && self.chance(60) => {
                let name = self.variables.get(other).map(|other| other.name.clone());
                let value = Expression {
                    low: low.min(after.low),
                    high: high.max(after.high),
                    ..after.clone()
                };
                let value = match value.low < variable.limits.0 || value.high > variable.limits.1 {
                    true => Expression {
                        low: variable.limits.0,
                        high: variable.limits.1,
                        ..value
                    },
                    false => value,
                };
                self.write(other, &value);
                format!("{} = {text};", name.unwrap_or_default())
            }
            _ => format!("{text};"),
        };
        self.write(index, &after);
        Piece::Text(line)
    }

    fn condition(&mut self) -> String {
        match self.below(3) {
            0 => self.integer(2).text,
            _ => {
                let (left, right) = (self.integer(2), self.integer(2));
                self.comparison(&left, &right).text
            }
        }
    }

    fn branch(&mut self, depth: usize) -> Piece {
        let condition = self.condition();
        let before = self.variables.clone();
        let mut first = Vec::new();
        for _ in 0..1 + self.below(2) {
            first.push(self.statement(depth));
        }
        let after = std::mem::replace(&mut self.variables, before);
        let mut second = Vec::new();
        if self.chance(60) {
            second.push(self.statement(depth));
        }
        for (variable, other) in self.variables.iter_mut().zip(after) {
            variable.now = (
                variable.now.0.min(other.now.0),
                variable.now.1.max(other.now.1),
            );
            variable.reals = (
                variable.reals.0.min(other.reals.0),
                variable.reals.1.max(other.reals.1),
            );
        }
        let mut parts = vec![Piece::Block(
            format!("if ({condition}) {{"),
            first,
            "}".into(),
        )];
        if !second.is_empty() {
            parts.push(Piece::Block("else {".into(), second, "}".into()));
        }
        Piece::Block("{".into(), parts, "}".into())
    }

    /// Before what is run in an order or number that is not known.
    fn widen(&mut self) -> Vec<Variable> {
        let before = self.variables.clone();
        for variable in &mut self.variables {
            if !variable.is_fixed {
                variable.now = variable.limits;
            }
            if variable.kind != Kind::Float && variable.kind != Kind::Double {
                continue;
            }
            // Floating-point numbers do not change there: they have no limits to widen to.
            variable.is_fixed = true;
        }
        before
    }

    /// After it: what was written may be anything, the others are as they were.
    fn narrow(&mut self, before: &[Variable]) {
        for (index, (variable, before)) in self.variables.iter_mut().zip(before).enumerate() {
            variable.is_fixed = before.is_fixed;
            variable.now = match self.written.contains(&index) {
                true => variable.limits,
                false => before.now,
            };
        }
    }

    fn switch(&mut self, depth: usize) -> Piece {
        let on = self.integer(2);
        let outer = std::mem::take(&mut self.written);
        let before = self.widen();
        let mut parts = Vec::new();
        for case in 0..2 + self.below(2) {
            self.widen();
            parts.push(Piece::text(format!("case {case}:")));
            parts.push(self.statement(depth));
            if self.chance(70) {
                parts.push(Piece::text("break;"));
            }
        }
        self.widen();
        parts.push(Piece::text("default:"));
        parts.push(self.statement(depth));
        self.narrow(&before);
        self.written.extend(outer);
        let on = match self.chance(80) {
            true => format!("({}) & 3", on.text),
            false => on.text,
        };
        Piece::Block(format!("switch ({on}) {{"), parts, "}".into())
    }

    fn repeat(&mut self, depth: usize) -> Piece {
        let outer = std::mem::take(&mut self.written);
        let before = self.widen();
        self.names += 1;
        let name = format!("i{}", self.names);
        let count = 1 + self.below(4);
        let high = i128::try_from(count - 1).unwrap_or_default();
        let int = self
            .pick(&[
                Integer::Int,
                Integer::Unsigned,
                Integer::UnsignedChar,
                Integer::Short,
            ])
            .unwrap_or(Integer::Int);
        self.variables.push(Variable {
            name: name.clone(),
            kind: Kind::Int(int),
            limits: (0, high),
            now: (0, high),
            reals: (0.0, 0.0),
            is_fixed: true,
            is_bits: false,
        });
        let mut body = Vec::new();
        for _ in 0..1 + self.below(2) {
            body.push(self.statement(depth));
        }
        self.variables.pop();
        self.narrow(&before);
        self.written.extend(outer);
        Piece::Block(
            format!(
                "for ({} {name} = 0; {name} < {count}; {name}++) {{",
                int.name()
            ),
            body,
            "}".into(),
        )
    }
}

fn unsigned_of(int: Integer) -> Integer {
    match int {
        Integer::Long | Integer::UnsignedLong => Integer::UnsignedLong,
        Integer::LongLong | Integer::UnsignedLongLong => Integer::UnsignedLongLong,
        _ => Integer::Unsigned,
    }
}

fn read(variable: &Variable) -> Expression {
    Expression {
        text: variable.name.clone(),
        kind: variable.kind,
        low: variable.now.0,
        high: variable.now.1,
        reals: variable.reals,
    }
}

fn truth(text: String) -> Expression {
    Expression {
        text,
        kind: Kind::Int(Integer::Int),
        low: 0,
        high: 1,
        reals: (0.0, 0.0),
    }
}

fn reals_of(value: &Expression) -> (f64, f64) {
    match value.kind {
        Kind::Int(_) => wider(value.low as f64, value.high as f64),
        Kind::Float | Kind::Double => value.reals,
    }
}

/// Rounding is not looked at.
fn wider(low: f64, high: f64) -> (f64, f64) {
    let by = low.abs().max(high.abs()) * 1e-6;
    (low - by, high + by)
}
