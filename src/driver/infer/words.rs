//! Invariants in the words of a program: functions that stand for operators, and candidates that the text itself suggests.

use std::collections::BTreeMap;

use ult_lang::ast::{BinaryOp, Decl, Expr, ExprKind, Literal, Program};

/// Which functions of a program stand for which operator of SMT-LIB, by their attributes.
#[derive(Debug, Default)]
pub(super) struct Words(BTreeMap<String, Vec<String>>);

/// So many ways to write a formula are tried.
const WAYS: usize = 16;

impl Words {
    pub(super) fn of(tree: &Program) -> Words {
        let mut words = Words::default();
        for decl in &tree.decls {
            let Decl::Function(function) = decl else {
                continue;
            };
            for attribute in &function.attributes {
                if let "builtin" | "bvbuiltin" = &*attribute.name.name
                    && let [argument] = &attribute.args[..]
                    && let ExprKind::Literal(Literal::String(operator)) = &argument.kind
                {
                    let names = words.0.entry(operator.to_string()).or_default();
                    names.push(function.name.name.to_string());
                }
            }
        }
        words
    }

    /// The formula as it is, and with functions in the place of operators, which may have several widths.
    pub(super) fn ways(&self, formula: &str) -> Vec<String> {
        let mut ways = vec![formula.to_owned()];
        for (operator, names) in &self.0 {
            if !ways.iter().any(|way| applied(way, operator).is_some()) {
                continue;
            }
            let others = ways.iter().flat_map(|way| {
                let replaced = |name: &String| replaced(way, operator, name);
                names.iter().map(replaced).collect::<Vec<_>>()
            });
            ways = others.take(WAYS).collect();
        }
        ways
    }
}

/// Where an operator is applied in a text for the first time.
fn applied(text: &str, operator: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || "_~#$.?!'".contains(c);
    let called = format!("{operator}(");
    let mut places = text.match_indices(&called).map(|(place, _)| place);
    places.find(|&place| !text[..place].ends_with(is_word))
}

fn replaced(text: &str, operator: &str, name: &str) -> String {
    let (mut made, mut rest) = (String::new(), text);
    while let Some(place) = applied(rest, operator) {
        made.push_str(&rest[..place]);
        made.push_str(name);
        rest = &rest[place + operator.len()..];
        // The parenthesis is no word, so nothing is seen twice.
    }
    made + rest
}

/// What a loop often keeps: its guard, and what is true when that is false for the first time.
pub(super) fn of_guard(guard: &Expr, text: &str) -> Vec<String> {
    let (mut found, mut waiting) = (Vec::new(), vec![guard]);
    while let Some(expr) = waiting.pop() {
        let ExprKind::Chain { first, rest } = &expr.kind else {
            continue;
        };
        let [link] = &rest[..] else {
            waiting.push(first);
            waiting.extend(rest.iter().map(|link| &link.operand));
            continue;
        };
        let operators: &[&str] = match link.op {
            BinaryOp::Less | BinaryOp::LessEq => &["<="],
            BinaryOp::Greater | BinaryOp::GreaterEq => &[">="],
            BinaryOp::Neq => &["<=", ">="],
            BinaryOp::And | BinaryOp::Or => {
                waiting.extend([&**first, &link.operand]);
                continue;
            }
            _ => continue,
        };
        let sides = (
            text.get(first.span.range()),
            text.get(link.operand.span.range()),
        );
        let (Some(left), Some(right)) = sides else {
            continue;
        };
        found.extend(
            operators
                .iter()
                .map(|operator| format!("{left} {operator} {right}")),
        );
        if link.op == BinaryOp::LessEq {
            found.push(format!("{left} <= {right} + 1"));
        } else if link.op == BinaryOp::GreaterEq {
            found.push(format!("{left} + 1 >= {right}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_lang::parse::parse_boogie;

    #[test]
    fn operators_have_the_names_that_the_program_gives_them() {
        let text = "function {:bvbuiltin \"bvadd\"} add32(bv32, bv32): bv32;
            function {:bvbuiltin \"bvadd\"} add8(bv8, bv8): bv8;
            function {:builtin \"bvult\"} ~lt(bv8, bv8): bool;";
        let words = Words::of(&parse_boogie(text).0);
        assert_eq!(words.ways("x == y"), ["x == y"]);
        assert_eq!(
            words.ways("bvult(bvadd(x, bvadd(y, z)), my_bvadd(x))"),
            [
                "~lt(add32(x, add32(y, z)), my_bvadd(x))",
                "~lt(add8(x, add8(y, z)), my_bvadd(x))"
            ]
        );
    }
}
