//! Boogie text under construction: expressions with as few parentheses as needed, and statements
//! that know where they come from.

use std::fmt::{self, Write as _};

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero as _};
use ult_lang::span::Span;

/// How tightly the outermost operator of an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Conditional,
    Implies,
    Or,
    And,
    Compare,
    Concat,
    Add,
    Multiply,
    Unary,
    Atom,
}

/// A Boogie expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    text: String,
    level: Level,
    /// If it is an integer constant or a truth value.
    constant: Option<Constant>,
    /// If it is a negation: of what.
    negated: Option<Box<Text>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Constant {
    Int(BigInt),
    Bool(bool),
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Text {
    fn new(text: String, level: Level) -> Text {
        Text {
            text,
            level,
            constant: None,
            negated: None,
        }
    }

    /// A name, or something else that needs no parentheses anywhere.
    pub fn atom(text: impl Into<String>) -> Text {
        Text::new(text.into(), Level::Atom)
    }

    /// An integer.
    pub fn int(value: impl Into<BigInt>) -> Text {
        let value = value.into();
        let level = match value.is_negative() {
            true => Level::Unary,
            false => Level::Atom,
        };
        Text {
            constant: Some(Constant::Int(value.clone())),
            ..Text::new(value.to_string(), level)
        }
    }

    /// A truth value.
    pub fn truth(value: bool) -> Text {
        Text {
            constant: Some(Constant::Bool(value)),
            ..Text::atom(value.to_string())
        }
    }

    /// The value, if it is an integer constant.
    pub fn as_int(&self) -> Option<&BigInt> {
        match &self.constant {
            Some(Constant::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// The value, if it is a truth value.
    pub fn as_truth(&self) -> Option<bool> {
        match self.constant {
            Some(Constant::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether writing it twice costs nothing.
    pub fn is_small(&self) -> bool {
        self.level == Level::Atom && !self.text.contains(['(', '[']) || self.constant.is_some()
    }

    fn within(&self, level: Level) -> String {
        if self.level >= level {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    fn binary(left: &Text, operator: &str, right: &Text, level: Level) -> Text {
        // What stands to the right of an operator of the same level needs parentheses, and so does
        // everything beside a comparison that is one.
        let next = match level {
            Level::Compare => Level::Concat,
            Level::Add => Level::Multiply,
            Level::Multiply => Level::Unary,
            other => other,
        };
        let first = if level == Level::Compare { next } else { level };
        let text = format!("{} {operator} {}", left.within(first), right.within(next));
        Text::new(text, level)
    }

    /// `left + right`
    pub fn add(&self, right: &Text) -> Text {
        match (self.as_int(), right.as_int()) {
            (Some(a), Some(b)) => Text::int(a + b),
            (Some(zero), None) if zero.is_zero() => right.clone(),
            (None, Some(zero)) if zero.is_zero() => self.clone(),
            (None, Some(b)) if b.is_negative() => {
                Text::binary(self, "-", &Text::int(-b), Level::Add)
            }
            _ => Text::binary(self, "+", right, Level::Add),
        }
    }

    /// `left - right`
    pub fn subtract(&self, right: &Text) -> Text {
        match (self.as_int(), right.as_int()) {
            (Some(a), Some(b)) => Text::int(a - b),
            (None, Some(zero)) if zero.is_zero() => self.clone(),
            (None, Some(b)) if b.is_negative() => {
                Text::binary(self, "+", &Text::int(-b), Level::Add)
            }
            (Some(zero), None) if zero.is_zero() => right.negate(),
            _ => Text::binary(self, "-", right, Level::Add),
        }
    }

    /// `-operand`
    pub fn negate(&self) -> Text {
        match self.as_int() {
            Some(value) => Text::int(-value),
            None => Text::new(format!("-{}", self.within(Level::Atom)), Level::Unary),
        }
    }

    /// `left * right`
    pub fn multiply(&self, right: &Text) -> Text {
        match (self.as_int(), right.as_int()) {
            (Some(a), Some(b)) => Text::int(a * b),
            (Some(one), None) if one.is_one() => right.clone(),
            (None, Some(one)) if one.is_one() => self.clone(),
            (Some(zero), None) | (None, Some(zero)) if zero.is_zero() => Text::int(0),
            _ => Text::binary(self, "*", right, Level::Multiply),
        }
    }

    /// `left div right`, Boogie's (rounded down for a positive divisor).
    pub fn div(&self, right: &Text) -> Text {
        match right.as_int() {
            Some(one) if one.is_one() => self.clone(),
            _ => Text::binary(self, "div", right, Level::Multiply),
        }
    }

    /// `left mod right`, Boogie's (never negative).
    pub fn modulo(&self, right: &Text) -> Text {
        Text::binary(self, "mod", right, Level::Multiply)
    }

    /// A comparison.
    pub fn compare(&self, operator: &str, right: &Text) -> Text {
        if let (Some(a), Some(b)) = (self.as_int(), right.as_int()) {
            return Text::truth(match operator {
                "==" => a == b,
                "!=" => a != b,
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                _ => a >= b,
            });
        }
        Text::binary(self, operator, right, Level::Compare)
    }

    /// `left == right`
    pub fn equals(&self, right: &Text) -> Text {
        self.compare("==", right)
    }

    /// `!operand`
    pub fn not(&self) -> Text {
        match self.as_truth() {
            Some(value) => Text::truth(!value),
            None => match &self.negated {
                Some(operand) => (**operand).clone(),
                None => Text {
                    negated: Some(Box::new(self.clone())),
                    ..Text::new(format!("!{}", self.within(Level::Atom)), Level::Unary)
                },
            },
        }
    }

    /// `left && right`
    pub fn and(&self, right: &Text) -> Text {
        match (self.as_truth(), right.as_truth()) {
            (Some(true), _) => right.clone(),
            (_, Some(true)) => self.clone(),
            (Some(false), _) | (_, Some(false)) => Text::truth(false),
            _ => Text::binary(self, "&&", right, Level::And),
        }
    }

    /// `left || right`
    pub fn or(&self, right: &Text) -> Text {
        match (self.as_truth(), right.as_truth()) {
            (Some(false), _) => right.clone(),
            (_, Some(false)) => self.clone(),
            (Some(true), _) | (_, Some(true)) => Text::truth(true),
            _ => {
                // Boogie does not mix `&&` and `||` without parentheses.
                let part = |text: &Text| match text.level {
                    Level::And => Text::atom(format!("({text})")),
                    _ => text.clone(),
                };
                Text::binary(&part(self), "||", &part(right), Level::Or)
            }
        }
    }

    /// Whether two truth values differ.
    pub fn differs(&self, right: &Text) -> Text {
        let part = |text: &Text| Text::atom(text.within(Level::Atom));
        Text::binary(&part(self), "!=", &part(right), Level::Compare)
    }

    /// `left ==> right`
    pub fn implies(&self, right: &Text) -> Text {
        match (self.as_truth(), right.as_truth()) {
            (Some(true), _) => right.clone(),
            (Some(false), _) | (_, Some(true)) => Text::truth(true),
            (_, Some(false)) => self.not(),
            _ => Text::new(
                format!("{} ==> {}", self.within(Level::Or), right.within(Level::Or)),
                Level::Implies,
            ),
        }
    }

    /// `if self then yes else no`
    pub fn choose(&self, yes: &Text, no: &Text) -> Text {
        match self.as_truth() {
            Some(true) => yes.clone(),
            Some(false) => no.clone(),
            None if yes == no => yes.clone(),
            None => match (yes.as_truth(), no.as_truth()) {
                (Some(true), Some(false)) => self.clone(),
                (Some(false), Some(true)) => self.not(),
                (Some(true), None) => self.or(no),
                (None, Some(false)) => self.and(yes),
                (Some(false), None) => self.not().and(no),
                (None, Some(true)) => self.not().or(yes),
                _ => Text::new(
                    format!("if {self} then {yes} else {no}"),
                    Level::Conditional,
                ),
            },
        }
    }

    /// `function(arguments)`
    pub fn call(function: &str, arguments: &[&Text]) -> Text {
        Text::atom(format!("{function}({})", list(arguments)))
    }

    /// `map[indices]`; the map itself without indices.
    pub fn select(map: &str, indices: &[Text]) -> Text {
        if indices.is_empty() {
            return Text::atom(map);
        }
        let indices: Vec<&Text> = indices.iter().collect();
        Text::atom(format!("{map}[{}]", list(&indices)))
    }

    /// `self[high:low]` of a bit-vector.
    pub fn extract(&self, high: u32, low: u32) -> Text {
        Text::atom(format!("{}[{high}:{low}]", self.within(Level::Atom)))
    }

    /// `high ++ low` of bit-vectors.
    pub fn concat(&self, low: &Text) -> Text {
        Text::binary(self, "++", low, Level::Concat)
    }
}

fn list(items: &[&Text]) -> String {
    let items: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
    items.join(", ")
}

/// Boogie text with its places in the C text.
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
    places: Vec<(u32, Span)>,
    depth: usize,
    span: Span,
}

impl Writer {
    /// What follows comes from this place.
    pub fn at(&mut self, span: Span) {
        self.span = span;
    }

    /// Where what is written now comes from.
    pub fn span(&self) -> Span {
        self.span
    }

    /// A line.
    pub fn line(&mut self, text: impl fmt::Display) {
        let offset = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        match self.places.last_mut() {
            Some((_, span)) if *span == self.span => {}
            Some((last, span)) if *last == offset => *span = self.span,
            _ => self.places.push((offset, self.span)),
        }
        let indent = self.depth * 2;
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    /// A line that opens something, such as `{`; what follows is indented.
    pub fn open(&mut self, text: impl fmt::Display) {
        self.line(text);
        self.depth += 1;
    }

    /// A line that closes it.
    pub fn close(&mut self, text: impl fmt::Display) {
        self.depth = self.depth.saturating_sub(1);
        self.line(text);
    }

    /// Adds what another one wrote.
    pub fn append(&mut self, other: Writer) {
        let offset = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.text.push_str(&other.text);
        self.places.extend(
            other
                .places
                .into_iter()
                .map(|(at, span)| (at.saturating_add(offset), span)),
        );
    }

    /// Another one, empty, for what is indented in the same way.
    pub fn part(&self) -> Writer {
        Writer {
            depth: self.depth,
            span: self.span,
            ..Writer::default()
        }
    }

    /// What follows is indented.
    pub fn indent(&mut self) {
        self.depth += 1;
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text and its places.
    pub fn finish(mut self) -> (String, Vec<(u32, Span)>) {
        if self.places.first().is_none_or(|&(offset, _)| offset != 0) {
            self.places.insert(0, (0, Span::default()));
        }
        (self.text, self.places)
    }
}
