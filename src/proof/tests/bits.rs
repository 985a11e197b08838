//! Wires and gates hold, and say all: for all words of up to five bits they are compared with what [`Kind`] says, and the operators with
//! the evaluator of `ult-core`.

use num_bigint::BigUint;
use ult_core::formula::print::bv_name;
use ult_core::formula::{BvOp, Op, Term, Terms};

use crate::bits::{BINARY, Bit, Kind, Part, Word, Words, gate, wire};

/// Terms by their places: how they are made, their widths, and their values.
#[derive(Clone, Default)]
struct Table {
    words: Vec<Word<usize>>,
    widths: Vec<u32>,
    values: Vec<u64>,
}

impl Words for Table {
    type Term = usize;

    fn width(&self, term: usize) -> u32 {
        self.widths[term]
    }

    fn word(&self, term: usize) -> Word<usize> {
        self.words[term]
    }

    fn bit_of_number(&self, term: usize, at: u32) -> bool {
        self.values[term] >> at & 1 == 1
    }
}

impl Table {
    fn add(&mut self, word: Word<usize>, width: u32, value: u64) {
        self.words.push(word);
        self.widths.push(width);
        self.values.push(value);
    }

    /// All operators on two words, with the values that `ult-core` gives. Each word is once a number, once not known.
    fn of(width: u32, a: u64, b: u64, is_number: [bool; 2]) -> Table {
        let terms = Terms::new();
        let constant = |value: u64, width: u32| terms.bitvec(BigUint::from(value), width);
        let value = |term: Term| match terms.op(term) {
            Op::BitVec(value) => u64::try_from(value).expect("a small number"),
            other => panic!("{other:?} is no number"),
        };
        let kind = |is_number| if is_number { Word::Number } else { Word::Other };
        let (x, y) = (constant(a, width), constant(b, width));
        let mut table = Table::default();
        table.add(kind(is_number[0]), width, a);
        table.add(kind(is_number[1]), width, b);
        for name in BINARY {
            let mut all = BvOp::FUNCTIONS.iter();
            let op = all.find(|&&op| bv_name(op) == name).expect("an operator");
            let result = value(terms.bv(*op, &[x, y]));
            table.add(Word::Binary(name, 0, 1), width, result);
        }
        table.add(Word::Not(0), width, value(terms.bv(BvOp::Not, &[x])));
        table.add(Word::Neg(0), width, value(terms.bv(BvOp::Neg, &[x])));
        let both = value(terms.bv(BvOp::Concat, &[x, y]));
        table.add(Word::Concat(0, 1), 2 * width, both);
        table.add(
            Word::ZeroExtend(0),
            width + 2,
            value(terms.zero_extend(x, 2)),
        );
        table.add(
            Word::SignExtend(0),
            width + 2,
            value(terms.sign_extend(x, 2)),
        );
        for low in 0..width {
            let part = value(terms.extract(x, width, low));
            table.add(Word::Extract(low, 0), width - low, part);
        }
        for (condition, chosen) in [(0, b), (1, a)] {
            // The condition is a word of one bit here.
            table.add(Word::Other, 1, condition);
            table.add(Word::Ite(table.words.len() - 1, 0, 1), width, chosen);
        }
        table
    }

    /// What a truth value about words says.
    fn meaning(&self, bit: Bit<usize>) -> bool {
        let Bit { kind, k, i, a, b } = bit;
        let width = self.widths[a];
        let (x, y) = (self.values[a], self.values[b]);
        let low = |value: u64, bits: u32| value % (1 << bits);
        let is_set = |value: u64, at: u32| value >> at & 1 == 1;
        let signed = |value: u64| value as i64 - (i64::from(is_set(value, width - 1)) << width);
        let abs = |value: u64| signed(value).unsigned_abs();
        let product = |k: u32| low(x * low(y, k), width);
        let rest = |x: u64, y: u64, k: u32| (x >> k).checked_rem(y).unwrap_or(x >> k);
        let borrow = |x: u64, y: u64| {
            let dividend = 2 * rest(x, y, k + 1) + u64::from(is_set(x, k));
            low(dividend, i) < low(y, i)
        };
        match kind {
            Kind::Bit => is_set(x, i),
            Kind::Carry => low(x, i) + low(y, i) >= 1 << i,
            Kind::Borrow => low(x, i) < low(y, i),
            Kind::Less => signed(x) < signed(y),
            Kind::Agree => low(x, i) == low(y, i),
            Kind::Product => is_set(product(k), i),
            Kind::ProductCarry => {
                let row = if is_set(y, k - 1) { x << (k - 1) } else { 0 };
                low(product(k - 1), i) + low(row, i) >= 1 << i
            }
            Kind::Abs => is_set(abs(x), i),
            Kind::Rest => is_set(rest(x, y, k), i),
            Kind::RestBorrow => borrow(x, y),
            Kind::AbsRest => is_set(rest(abs(x), abs(y), k), i),
            Kind::AbsRestBorrow => borrow(abs(x), abs(y)),
            Kind::Shifted => {
                let Word::Binary(op, x, y) = self.words[a] else {
                    panic!("no shift");
                };
                let (x, by) = (self.values[x], low(self.values[y], k).min(63));
                let shifted = match op {
                    "bvshl" => x << by,
                    "bvlshr" => x >> by,
                    _ => (signed(x) >> by) as u64,
                };
                is_set(shifted, i)
            }
        }
    }

    fn part(&self, part: Part<usize>) -> bool {
        match part {
            Part::Constant(value) => value,
            Part::Bit(bit, is_positive) => self.meaning(bit) == is_positive,
            Part::Truth(term) => self.values[term] == 1,
        }
    }

    /// All truth values about the words.
    fn bits(&self) -> Vec<Bit<usize>> {
        let mut bits = Vec::new();
        for (a, word) in self.words.iter().enumerate() {
            let width = self.widths[a];
            bits.extend((0..width).map(|i| Bit::of(a, i)));
            let shifts = ["bvshl", "bvlshr", "bvashr"];
            if matches!(word, Word::Binary(op, ..) if shifts.contains(op)) {
                for (k, i) in (0..=width).flat_map(|k| (0..width).map(move |i| (k, i))) {
                    bits.push(Bit {
                        kind: Kind::Shifted,
                        k,
                        i,
                        a,
                        b: a,
                    });
                }
            }
        }
        let width = self.widths[0];
        for (a, b) in [(0, 1), (1, 0), (0, 0)] {
            bits.push(Bit::about(Kind::Less, 0, a, b));
            bits.extend((0..width).map(|i| Bit::about(Kind::Abs, i, a, a)));
            for i in 0..=width {
                let kinds = [Kind::Carry, Kind::Borrow, Kind::Agree];
                bits.extend(kinds.map(|kind| Bit::about(kind, i, a, b)));
            }
            for (k, i) in (0..=width).flat_map(|k| (0..=width + 1).map(move |i| (k, i))) {
                let mut add = |kind: Kind, is_there: bool| {
                    bits.extend(is_there.then_some(Bit { kind, k, i, a, b }));
                };
                add(Kind::Product, i < width);
                add(Kind::ProductCarry, k >= 1 && i < width);
                add(Kind::Rest, i < width);
                add(Kind::AbsRest, i < width);
                add(Kind::RestBorrow, k < width);
                add(Kind::AbsRestBorrow, k < width);
            }
        }
        bits
    }
}

#[test]
fn wires_and_gates_are_what_the_operators_mean() {
    for width in 1..=5 {
        for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
            for is_number in [[false, false], [true, false], [false, true], [true, true]] {
                let table = Table::of(width, a, b, is_number);
                for bit in table.bits() {
                    let here = || format!("{bit:?} of {a} and {b}, width {width}");
                    let value = table.meaning(bit);
                    assert_eq!(table.part(wire(&table, bit)), value, "wire {}", here());
                    let Part::Bit(bit, _) = wire(&table, bit) else {
                        continue;
                    };
                    let gate = gate(&table, bit);
                    let is_open = bit.kind == Kind::Bit && table.words[bit.a] == Word::Other;
                    assert_eq!(gate.is_none(), is_open, "gate {}", here());
                    let Some((parts, fits)) = gate else { continue };
                    let mut values = vec![table.meaning(bit)];
                    values.extend(parts.into_iter().map(|part| table.part(part)));
                    assert!(fits(&values), "gate {}", here());
                    values[0] = !values[0];
                    assert!(!fits(&values), "gate {}", here());
                }
            }
        }
    }
}
