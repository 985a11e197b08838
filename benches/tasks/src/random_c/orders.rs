//! Random programs with calls that conflict: the standard leaves their order open (6.5p3, 6.5.2.2p10). Each program
//! evaluates one expression three times from the same state, as it is, from the left and from the right, the last two with a
//! variable for each operand. What is claimed of all three is what one compiler does; where they differ, no claim is proved.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::program::{Piece, Program};

/// What is known after each of the three evaluations: the value and the two variables.
pub(super) const RESULTS: usize = 3;

/// The program with this number.
pub(super) fn program(seed: u64, is_32_bit: bool) -> Program {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(4);
    let mut writer = Writer {
        random,
        variables: 0,
        functions: 0,
    };
    let mut pieces = vec![Piece::text("static int x, y, cells[4];")];
    writer.functions = 1 + writer.below(3);
    for number in 0..writer.functions {
        let body = writer.body();
        let text = format!("static int f{number}(void) {{ {body} }}");
        pieces.push(Piece::Text(text));
    }
    pieces.push(Piece::text(
        "static int pair(int a, int b) { return a * 10 + b; }",
    ));
    pieces.push(Piece::text(
        "static int three(int a, int b, int c) { return a * 9 + b * 3 + c; }",
    ));
    let (first, second) = (writer.below(5), writer.below(5));
    let depth = 1 + writer.below(2);
    let expression = writer.statement(depth);
    let mut body = Vec::new();
    let mut results = Vec::new();
    for (number, text) in expression.0.iter().enumerate() {
        body.push(Piece::Text(format!(
            "x = {first}; y = {second}; cells[0] = cells[1] = cells[2] = cells[3] = 0;"
        )));
        body.push(Piece::Text(format!("int v{number} = {text};")));
        body.push(Piece::Text(format!("int x{number} = x, y{number} = y;")));
        for name in ["v", "x", "y"] {
            let name = format!("{name}{number}");
            results.push(Piece::Result(format!("r{}", results.len()), name));
        }
    }
    body.extend(results);
    body.push(Piece::Claim);
    body.push(Piece::text("return 0;"));
    pieces.push(Piece::Block("int main(void) {".into(), body, "}".into()));
    let mut names = ["main", "x", "y", "cells", "pair", "three"].map(str::to_owned);
    let functions = (0..writer.functions).map(|number| format!("f{number}"));
    Program {
        pieces,
        names: names
            .iter_mut()
            .map(std::mem::take)
            .chain(functions)
            .collect(),
        is_32_bit,
        orders: Some(RESULTS),
    }
}

/// An expression as it is written, from the left, and from the right.
#[derive(Clone, Debug)]
struct Ordered([String; 3]);

impl Ordered {
    fn same(text: &str) -> Ordered {
        Ordered([text.to_owned(), text.to_owned(), text.to_owned()])
    }
}

struct Writer {
    random: ChaCha8Rng,
    variables: usize,
    functions: usize,
}

impl Writer {
    fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end.max(1))
    }

    fn word(&mut self, of: &[&'static str]) -> &'static str {
        let index = self.below(of.len());
        of.get(index).copied().unwrap_or_default()
    }

    /// What a function does. Numbers stay small.
    fn body(&mut self) -> String {
        let count = 1 + self.below(4);
        match self.below(7) {
            0 => format!("x = (x * 2 + {count}) % 10; return x;"),
            1 => format!("return x++ % 10 + {count};"),
            2 => format!("y = (x + {count}) % 10; return y;"),
            3 => "int t = x; x = y; y = t; return x;".into(),
            4 => format!("cells[x & 3] = {count}; return cells[y & 3];"),
            // No conflict.
            5 => format!("return {count};"),
            _ => format!("return x + {count};"),
        }
    }

    fn statement(&mut self, depth: usize) -> Ordered {
        match self.below(6) {
            0 => {
                let (index, value) = (self.operand(depth - 1), self.operand(depth - 1));
                self.together(&[index, value], |parts| {
                    format!("(cells[{} & 3] = {})", parts[0], parts[1])
                })
            }
            1 => {
                let value = self.operand(depth);
                let name = self.word(&["x", "y"]);
                let Ordered(texts) = value;
                Ordered(texts.map(|text| format!("({name} = {text})")))
            }
            _ => self.operator(depth),
        }
    }

    fn operator(&mut self, depth: usize) -> Ordered {
        let rest = depth - 1;
        match self.below(8) {
            0 | 1 => {
                let parts = [self.operand(rest), self.operand(rest)];
                self.together(&parts, |parts| format!("pair({}, {})", parts[0], parts[1]))
            }
            2 => {
                let parts = [self.operand(rest), self.operand(rest), self.operand(rest)];
                self.together(&parts, |parts| {
                    format!("three({}, {}, {})", parts[0], parts[1], parts[2])
                })
            }
            3 => {
                // Sequenced: from the left in each order.
                let word = self.word(&["&&", "||", ","]);
                let parts = [self.operand(rest), self.operand(rest)];
                let mut texts = [0, 1, 2].map(|order| {
                    let [first, second] = [&parts[0].0[order], &parts[1].0[order]];
                    format!("({first} {word} {second})")
                });
                Ordered(texts.each_mut().map(std::mem::take))
            }
            4 => {
                let parts = [self.operand(rest), self.operand(rest), self.operand(rest)];
                Ordered([0, 1, 2].map(|order| {
                    let text = |number: usize| &parts[number].0[order];
                    format!("({} > 3 ? {} : {})", text(0), text(1), text(2))
                }))
            }
            _ => {
                let word = self.word(&["+", "-", "*", "<", "=="]);
                let parts = [self.operand(rest), self.operand(rest)];
                self.together(&parts, |parts| {
                    format!("({} {word} {})", parts[0], parts[1])
                })
            }
        }
    }

    fn operand(&mut self, depth: usize) -> Ordered {
        if depth > 0 {
            return self.operator(depth);
        }
        match self.below(8) {
            0 => Ordered::same("x"),
            1 => Ordered::same("y"),
            2 => Ordered::same("cells[1]"),
            3 => Ordered::same("2"),
            _ => {
                let number = self.below(self.functions);
                Ordered::same(&format!("f{number}()"))
            }
        }
    }

    /// Operands whose order is open.
    fn together(&mut self, parts: &[Ordered], text: impl Fn(&[String]) -> String) -> Ordered {
        let names: Vec<String> = (parts.iter())
            .map(|_| {
                self.variables += 1;
                format!("t{}", self.variables)
            })
            .collect();
        let of = |order: usize| -> Vec<String> {
            parts.iter().map(|part| part.0[order].clone()).collect()
        };
        let said = |order: usize| -> Vec<String> {
            let named = names.iter().zip(of(order));
            named
                .map(|(name, text)| format!("int {name} = {text};"))
                .collect()
        };
        let from_left = said(1).join(" ");
        let mut from_right = said(2);
        from_right.reverse();
        let from_right = from_right.join(" ");
        let whole = text(&names);
        Ordered([
            text(&of(0)),
            format!("({{ {from_left} {whole}; }})"),
            format!("({{ {from_right} {whole}; }})"),
        ])
    }
}
