//! Expressions of integer types, with the interval of what they may be.

use rand::Rng as _;

use super::super::types::Integer;
use super::{Expression, Kind, Variable, Writer, read, truth, unsigned_of};

impl Writer {
    pub(super) fn constant(&mut self, int: Integer) -> Expression {
        let (low, high) = self.range(int);
        let value = match self.below(8) {
            0 => low,
            1 => high,
            2 => high / 2 + 1,
            3 => (low + 1).min(high),
            4 => i128::from(self.random.random::<u64>()).clamp(low, high),
            _ => i128::try_from(self.below(200))
                .unwrap_or_default()
                .min(high),
        };
        let value = match int.is_signed() && value > 0 && self.chance(30) {
            true => -value,
            false => value,
        };
        let text = self.literal(value, int);
        Expression {
            text,
            kind: Kind::Int(self.promoted(int)),
            low: value,
            high: value,
            reals: (0.0, 0.0),
        }
    }

    /// A literal that has the promoted type.
    pub(super) fn literal(&self, value: i128, int: Integer) -> String {
        let suffix = match self.promoted(int) {
            Integer::Unsigned => "u",
            Integer::Long => "l",
            Integer::UnsignedLong => "ul",
            Integer::LongLong => "ll",
            Integer::UnsignedLongLong => "ull",
            _ => "",
        };
        let (low, _) = self.range(self.promoted(int));
        match value {
            value if value < 0 && value == low => format!("({}{suffix} - 1)", value + 1),
            value if value < 0 => format!("({value}{suffix})"),
            value => format!("{value}{suffix}"),
        }
    }

    pub(super) fn promoted(&self, int: Integer) -> Integer {
        match int {
            int if int.size(self.pointer) < 4 => Integer::Int,
            int => int,
        }
    }

    /// The usual arithmetic conversions.
    pub(super) fn common(&self, left: Integer, right: Integer) -> Integer {
        let (left, right) = (self.promoted(left), self.promoted(right));
        let rank = |int: Integer| match int {
            Integer::Long | Integer::UnsignedLong => 2,
            Integer::LongLong | Integer::UnsignedLongLong => 3,
            _ => 1,
        };
        if left.is_signed() == right.is_signed() {
            return if rank(left) >= rank(right) {
                left
            } else {
                right
            };
        }
        let (signed, unsigned) = if left.is_signed() {
            (left, right)
        } else {
            (right, left)
        };
        if rank(unsigned) >= rank(signed) {
            unsigned
        } else if signed.size(self.pointer) > unsigned.size(self.pointer) {
            signed
        } else {
            unsigned_of(signed)
        }
    }

    /// The range of a value when it is converted.
    pub(super) fn fit(&self, value: &Expression, int: Integer) -> (i128, i128) {
        let (low, high) = self.range(int);
        if int == Integer::Bool || value.low < low || value.high > high {
            (low, high)
        } else {
            (value.low, value.high)
        }
    }

    pub(super) fn leaf(&mut self) -> Expression {
        let readable: Vec<Variable> = self
            .variables
            .iter()
            .filter(|variable| matches!(variable.kind, Kind::Int(_)))
            .cloned()
            .collect();
        match self.pick(&readable) {
            Some(variable) if self.chance(75) => read(&variable),
            _ => {
                let int = self.some_int();
                self.constant(int)
            }
        }
    }

    pub(super) fn integer(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.chance(12) {
            return self.leaf();
        }
        match self.below(14) {
            0 => {
                let int = self.some_int();
                let inner = self.integer(depth - 1);
                self.cast(int, &inner)
            }
            1 => {
                let inner = self.integer(depth - 1);
                self.unary(&inner)
            }
            2 => {
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                self.comparison(&left, &right)
            }
            3 => {
                let condition = self.integer(depth - 1);
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                let (Kind::Int(first), Kind::Int(second)) = (left.kind, right.kind) else {
                    return left;
                };
                let kind = self.common(first, second);
                let (a, b) = (self.fit(&left, kind), self.fit(&right, kind));
                Expression {
                    text: format!("({} ? {} : {})", condition.text, left.text, right.text),
                    kind: Kind::Int(kind),
                    low: a.0.min(b.0),
                    high: a.1.max(b.1),
                    reals: (0.0, 0.0),
                }
            }
            4 => {
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                let operator = if self.chance(50) { "&&" } else { "||" };
                truth(format!("({} {operator} {})", left.text, right.text))
            }
            5 if self.chance(40) => {
                let (left, right) = (self.integer(1), self.integer(depth - 1));
                Expression {
                    text: format!("({}, {})", left.text, right.text),
                    ..right
                }
            }
            6 if self.chance(50) => {
                let int = self.some_int();
                let size = i128::from(int.size(self.pointer));
                Expression {
                    text: format!("sizeof({})", int.name()),
                    kind: Kind::Int(match self.pointer {
                        4 => Integer::Unsigned,
                        _ => Integer::UnsignedLong,
                    }),
                    low: size,
                    high: size,
                    reals: (0.0, 0.0),
                }
            }
            7 if !self.functions.is_empty() => self.call(depth - 1),
            8 if self.with_reals => {
                let (left, right) = (self.real(1), self.real(1));
                let operator = self
                    .pick(&["<", "<=", ">", ">=", "==", "!="])
                    .unwrap_or("<");
                truth(format!("({} {operator} {})", left.text, right.text))
            }
            _ => {
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                let operators = ["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>"];
                let operator = self.pick(&operators).unwrap_or("+");
                match self.binary(operator, &left, &right, true) {
                    Some(value) => value,
                    None => left,
                }
            }
        }
    }

    pub(super) fn cast(&self, int: Integer, inner: &Expression) -> Expression {
        let (low, high) = self.fit(inner, int);
        Expression {
            text: format!("({}){}", int.name(), inner.text),
            kind: Kind::Int(int),
            low,
            high,
            reals: (0.0, 0.0),
        }
    }

    pub(super) fn call(&mut self, depth: usize) -> Expression {
        let Some((name, kinds, result)) = self.pick(&self.functions.clone()) else {
            return self.leaf();
        };
        let arguments: Vec<String> = kinds.iter().map(|_| self.integer(depth).text).collect();
        let (low, high) = match result {
            Kind::Int(int) => self.range(int),
            Kind::Float | Kind::Double => (0, 0),
        };
        Expression {
            text: format!("{name}({})", arguments.join(", ")),
            kind: result,
            low,
            high,
            reals: (0.0, 0.0),
        }
    }

    pub(super) fn unary(&mut self, inner: &Expression) -> Expression {
        let Kind::Int(int) = inner.kind else {
            return inner.clone();
        };
        let kind = self.promoted(int);
        let (low, high) = self.range(kind);
        match self.below(3) {
            0 => truth(format!("(!{})", inner.text)),
            1 if kind.is_signed() && inner.low > low => Expression {
                text: format!("(-{})", inner.text),
                kind: Kind::Int(kind),
                low: -inner.high,
                high: -inner.low,
                reals: (0.0, 0.0),
            },
            1 if !kind.is_signed() => Expression {
                text: format!("(-{})", inner.text),
                kind: Kind::Int(kind),
                low,
                high,
                reals: (0.0, 0.0),
            },
            _ => Expression {
                text: format!("(~{})", inner.text),
                kind: Kind::Int(kind),
                low: if kind.is_signed() {
                    -1 - inner.high
                } else {
                    high - inner.high
                },
                high: if kind.is_signed() {
                    -1 - inner.low
                } else {
                    high - inner.low
                },
                reals: (0.0, 0.0),
            },
        }
    }

    pub(super) fn comparison(&mut self, left: &Expression, right: &Expression) -> Expression {
        let operator = self
            .pick(&["<", "<=", ">", ">=", "==", "!="])
            .unwrap_or("<");
        truth(format!("({} {operator} {})", left.text, right.text))
    }

    /// An operation, with casts and masks where it would not be defined, if that is allowed.
    pub(super) fn binary(
        &mut self,
        operator: &str,
        left: &Expression,
        right: &Expression,
        may_change: bool,
    ) -> Option<Expression> {
        let (Kind::Int(first), Kind::Int(second)) = (left.kind, right.kind) else {
            return None;
        };
        let is_shift = operator == "<<" || operator == ">>";
        let kind = match is_shift {
            true => self.promoted(first),
            false => self.common(first, second),
        };
        let (low, high) = self.range(kind);
        let a = self.fit(left, kind);
        let b = match is_shift {
            true => (right.low, right.high),
            false => self.fit(right, kind),
        };
        let plain = |low: i128, high: i128| Expression {
            text: format!("({} {operator} {})", left.text, right.text),
            kind: Kind::Int(kind),
            low,
            high,
            reals: (0.0, 0.0),
        };
        let corners = |of: &dyn Fn(i128, i128) -> Option<i128>| {
            let all = [of(a.0, b.0)?, of(a.0, b.1)?, of(a.1, b.0)?, of(a.1, b.1)?];
            Some((all.into_iter().min()?, all.into_iter().max()?))
        };
        let bounds = match operator {
            "+" => corners(&|x, y| x.checked_add(y)),
            "-" => corners(&|x, y| x.checked_sub(y)),
            "*" => corners(&|x, y| x.checked_mul(y)),
            "<<" if b.0 >= 0 && b.1 < 8 * i128::from(kind.size(self.pointer)) => {
                match kind.is_signed() && a.0 < 0 {
                    true => None,
                    false => corners(&|x, y| {
                        let factor = 1_i128.checked_shl(u32::try_from(y).ok()?)?;
                        x.checked_mul(factor)
                    }),
                }
            }
            ">>" if b.0 >= 0 && b.1 < 8 * i128::from(kind.size(self.pointer)) => {
                Some((a.0.min(0), a.1.max(0)))
            }
            "&" if a.0 >= 0 || b.0 >= 0 => {
                let bound = match (a.0 >= 0, b.0 >= 0) {
                    (true, true) => a.1.min(b.1),
                    (true, false) => a.1,
                    _ => b.1,
                };
                Some((0, bound))
            }
            "&" | "|" | "^" => Some((low, high)),
            "/" | "%" if (b.0 > 0 || b.1 < 0) && !(a.0 == low && b.0 <= -1 && b.1 >= -1) => {
                let most = a.0.abs().max(a.1.abs());
                Some((if a.0 >= 0 && b.0 > 0 { 0 } else { -most }, most))
            }
            _ => None,
        };
        match bounds {
            Some((from, to)) if from >= low && to <= high => return Some(plain(from, to)),
            Some(_) if !kind.is_signed() => return Some(plain(low, high)),
            None if !kind.is_signed() && matches!(operator, "+" | "-" | "*") => {
                return Some(plain(low, high));
            }
            _ if !may_change => return None,
            _ => {}
        }
        // Now with other operands.
        let unsigned = self.cast(unsigned_of(kind), left);
        match operator {
            "+" | "-" | "*" => self.binary(operator, &unsigned, right, false),
            "<<" | ">>" if b.0 >= 0 && b.1 < 8 * i128::from(kind.size(self.pointer)) => {
                self.binary(operator, &unsigned, right, false)
            }
            "<<" | ">>" => {
                let masked = Expression {
                    text: format!("({} & 7)", right.text),
                    low: 0,
                    high: 7,
                    kind: Kind::Int(self.promoted(second)),
                    ..right.clone()
                };
                self.binary(operator, left, &masked, false)
                    .or_else(|| self.binary(operator, &unsigned, &masked, false))
            }
            "/" | "%" => {
                let divisor = self.constant(second);
                match divisor.low {
                    0 | -1 => None,
                    _ => self.binary(operator, left, &divisor, false),
                }
            }
            _ => None,
        }
    }
}
