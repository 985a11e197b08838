//! Expressions of floating types, with bounds of what they may be.

use super::{Expression, Kind, LARGEST_REAL, Variable, Writer, read, reals_of, wider};

impl Writer {
    pub(super) fn real_constant(&mut self) -> Expression {
        let value = match self.below(4) {
            0 => f64::from(i16::try_from(self.below(1000)).unwrap_or(1)) / 8.0,
            1 => -f64::from(i16::try_from(self.below(1000)).unwrap_or(1)) / 10.0,
            2 => f64::from(i16::try_from(self.below(9)).unwrap_or(1)) * 1e6 + 0.3,
            _ => f64::from(i16::try_from(self.below(20)).unwrap_or(1)),
        };
        let is_float = self.chance(30);
        Expression {
            text: format!("{value:?}{}", if is_float { "f" } else { "" }),
            kind: if is_float { Kind::Float } else { Kind::Double },
            low: 0,
            high: 0,
            reals: wider(value, value),
        }
    }

    pub(super) fn real(&mut self, depth: usize) -> Expression {
        let variables: Vec<Variable> = self
            .variables
            .iter()
            .filter(|variable| matches!(variable.kind, Kind::Float | Kind::Double))
            .cloned()
            .collect();
        if depth == 0 || self.chance(15) {
            return match self.pick(&variables) {
                Some(variable) if self.chance(70) => read(&variable),
                _ => self.real_constant(),
            };
        }
        if self.chance(25) {
            let inner = self.integer(1);
            let kind = if self.chance(50) {
                Kind::Float
            } else {
                Kind::Double
            };
            let reals = reals_of(&inner);
            if reals.0 < -LARGEST_REAL || reals.1 > LARGEST_REAL {
                return self.real_constant();
            }
            return Expression {
                text: format!("({}){}", Writer::name_of(kind), inner.text),
                kind,
                low: 0,
                high: 0,
                reals,
            };
        }
        let (left, right) = (self.real(depth - 1), self.real(depth - 1));
        let operator = self.pick(&["+", "-", "*", "/"]).unwrap_or("+");
        let (a, b) = (left.reals, right.reals);
        let corners: Vec<f64> = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)]
            .into_iter()
            .map(|(x, y)| match operator {
                "+" => x + y,
                "-" => x - y,
                "*" => x * y,
                _ => x / y,
            })
            .collect();
        let low = corners.iter().copied().fold(f64::INFINITY, f64::min);
        let high = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_divided = operator == "/";
        if is_divided && b.0 <= 1e-6 && b.1 >= -1e-6
            || !(low > -LARGEST_REAL && high < LARGEST_REAL)
        {
            return left;
        }
        let kind = match (left.kind, right.kind) {
            (Kind::Float, Kind::Float) => Kind::Float,
            _ => Kind::Double,
        };
        Expression {
            text: format!("({} {operator} {})", left.text, right.text),
            kind,
            low: 0,
            high: 0,
            reals: wider(low, high),
        }
    }

    /// A floating-point number that an integer can hold.
    pub(super) fn real_as_integer(&mut self, limits: (i128, i128)) -> Expression {
        let value = self.real(2);
        let (low, high) = value.reals;
        if low - 1.0 <= limits.0 as f64 || high + 1.0 >= limits.1 as f64 {
            return self.integer(2);
        }
        Expression {
            low: (low - 1.0) as i128,
            high: (high + 1.0) as i128,
            ..value
        }
    }
}
