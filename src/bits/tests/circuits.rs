//! Circuits say what the evaluator says.

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use crate::aig::{Aig, Lit};
use crate::blast::{Bits, Blaster, Environment};
use crate::sat::{Answer, Choice, Circuit};
use crate::words::{self, Word};
use std::sync::Arc;
use ult_core::control::Control;
use ult_core::formula::{BvOp, Function, Interpretation, Sort, Term, Terms, Value, Var, eval};

/// Variables as words of leaves.
#[derive(Default)]
struct Leaves {
    words: HashMap<Arc<str>, Word>,
    widths: HashMap<Arc<str>, usize>,
}

impl Environment for &mut Leaves {
    fn variable(&mut self, aig: &mut Aig, var: &Var, sort: &Sort) -> Bits {
        let width = match sort {
            Sort::BitVec(width) => *width as usize,
            Sort::Int => self.widths[&var.name],
            _ => 1,
        };
        let word = self.words.entry(var.name.clone());
        let word = word.or_insert_with(|| (0..width).map(|_| aig.leaf()).collect());
        Bits::word(word.clone())
    }

    fn symbol(&mut self, name: &str, _: &Sort) -> Bits {
        Bits::Opaque(name.into())
    }

    fn opaque(&mut self, _: &mut Aig, why: &Rc<str>) -> Lit {
        panic!("no circuit for {why}")
    }
}

/// Values of variables by name.
struct Named(HashMap<Arc<str>, Value>);

impl Interpretation for Named {
    fn variable(&self, var: &Var, _: &Sort) -> Option<Value> {
        self.0.get(&var.name).cloned()
    }

    fn function(&self, _: &Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }
}

/// Evaluates a term both ways for all values of its variables, which have this many bits.
fn compare(terms: &Terms, term: Term, widths: &[(&str, usize)], sorts: &[Sort]) {
    let mut aig = Aig::new();
    let mut leaves = Leaves {
        widths: widths
            .iter()
            .map(|&(name, width)| (name.into(), width))
            .collect(),
        ..Leaves::default()
    };
    let bits = Blaster::new(terms, &mut aig, &mut leaves).bits(term);
    let Bits::Word(word) = bits else {
        panic!("no circuit")
    };
    let total: usize = widths.iter().map(|(_, width)| width).sum();
    for all in 0u64..1 << total {
        let mut rest = all;
        let mut values = HashMap::new();
        let mut leaf = vec![false; aig.leaves().len()];
        for ((name, width), sort) in widths.iter().zip(sorts) {
            let bits: Vec<bool> = (0..*width).map(|bit| rest >> bit & 1 == 1).collect();
            rest >>= width;
            for (position, &lit) in leaves.words.get(*name).into_iter().flatten().enumerate() {
                let crate::aig::Node::Leaf(number) = aig.node(lit.node()) else {
                    panic!("a leaf")
                };
                leaf[number as usize] = bits[position];
            }
            let value = match sort {
                Sort::BitVec(width) => Value::BitVec(words::number(bits), *width),
                Sort::Int => Value::Int(words::signed_number(&bits)),
                _ => Value::Bool(bits[0]),
            };
            values.insert(Arc::from(*name), value);
        }
        let Ok(expected) = eval(terms, term, &Named(values.clone())) else {
            // Division by zero has no meaning for integers.
            continue;
        };
        let found = aig.values(|number| leaf[number as usize]);
        let found: Vec<bool> = word.iter().map(|&lit| found.of(lit)).collect();
        let found = match terms.sort(term) {
            Sort::BitVec(width) => Value::BitVec(words::number(found), *width),
            Sort::Int => Value::Int(words::signed_number(&found)),
            _ => Value::Bool(found[0]),
        };
        assert_eq!(found, expected, "{:?} with {values:?}", terms.node(term));
    }
}

#[test]
fn every_operator_on_bit_vectors_is_smt_libs() {
    let terms = Terms::new();
    for width in 1..=4u32 {
        let sort = Sort::BitVec(width);
        let (a, b) = (
            terms.current("a", sort.clone()),
            terms.current("b", sort.clone()),
        );
        let bits = width as usize;
        let both = [("a", bits), ("b", bits)];
        let sorts = [sort.clone(), sort.clone()];
        for op in BvOp::FUNCTIONS.into_iter().chain(BvOp::COMPARISONS) {
            match op {
                BvOp::Not | BvOp::Neg => {
                    compare(&terms, terms.bv(op, &[a]), &both[..1], &sorts[..1]);
                }
                _ => compare(&terms, terms.bv(op, &[a, b]), &both, &sorts),
            }
            // Constants take other ways.
            if !matches!(op, BvOp::Not | BvOp::Neg) {
                for value in 0..1u32 << width {
                    let constant = terms.bitvec(BigUint::from(value), width);
                    let term = terms.bv(op, &[a, constant]);
                    compare(&terms, term, &both[..1], &sorts[..1]);
                    let term = terms.bv(op, &[constant, a]);
                    compare(&terms, term, &both[..1], &sorts[..1]);
                }
            }
        }
        compare(&terms, terms.bv(BvOp::Concat, &[a, b]), &both, &sorts);
        compare(&terms, terms.eq(a, b), &both, &sorts);
        for by in 1..=2 {
            compare(&terms, terms.zero_extend(a, by), &both[..1], &sorts[..1]);
            compare(&terms, terms.sign_extend(a, by), &both[..1], &sorts[..1]);
        }
        for high in 1..=width {
            for low in 0..high {
                compare(&terms, terms.extract(a, high, low), &both[..1], &sorts[..1]);
            }
        }
    }
}

#[test]
fn integers_never_overflow() {
    let terms = Terms::new();
    let (a, b) = (terms.current("a", Sort::Int), terms.current("b", Sort::Int));
    let c = terms.current("c", Sort::Bool);
    let sorts = [Sort::Int, Sort::Int];
    for (left, right) in [(1, 3), (3, 1), (3, 3), (4, 3)] {
        let both = [("a", left), ("b", right)];
        for term in [
            terms.add(&[a, b]),
            terms.sub(a, b),
            terms.mul(&[a, b]),
            terms.div(a, b),
            terms.modulo(a, b),
            terms.le(a, b),
            terms.lt(a, b),
            terms.eq(a, b),
        ] {
            compare(&terms, term, &both, &sorts);
        }
        for constant in -9..10 {
            let number = terms.int(BigInt::from(constant));
            for term in [
                terms.div(a, number),
                terms.modulo(a, number),
                terms.mul(&[a, number]),
                terms.add(&[a, number]),
                terms.le(a, number),
            ] {
                compare(&terms, term, &both[..1], &sorts[..1]);
            }
        }
        let three = [("a", left), ("b", right), ("c", 1)];
        let sorts = [Sort::Int, Sort::Int, Sort::Bool];
        compare(&terms, terms.ite(c, a, b), &three, &sorts);
        let distinct = terms.distinct(&[a, b, terms.int(BigInt::from(1))]);
        compare(&terms, distinct, &both, &sorts);
    }
}

#[test]
fn integers_as_words_and_back() {
    for value in -300..300 {
        let value = BigInt::from(value);
        let word = words::integer(&value);
        let bits: Vec<bool> = word.iter().map(|lit| *lit == Lit::TRUE).collect();
        assert_eq!(words::signed_number(&bits), value);
    }
}

/// How to build a circuit: each step combines two earlier literals.
fn recipes() -> impl Strategy<Value = Vec<(u8, usize, usize, bool)>> {
    let step = (0u8..4, 0usize..64, 0usize..64, any::<bool>());
    proptest::collection::vec(step, 1..40)
}

proptest! {
    /// The rules that simplify do not change what a circuit says, and neither do clauses.
    #[test]
    fn gates_are_what_they_are_made_of(recipe in recipes(), inputs in 0u8..32) {
        let mut aig = Aig::new();
        let mut lits: Vec<Lit> = (0..5).map(|_| aig.leaf()).collect();
        let mut values: Vec<bool> = (0..5).map(|bit| inputs >> bit & 1 == 1).collect();
        for (op, a, b, inverted) in recipe {
            let (i, j) = (a % lits.len(), b % lits.len());
            let (a, b) = (lits[i].invert_if(inverted), lits[j]);
            let (x, y) = (values[i] != inverted, values[j]);
            let (lit, value) = match op {
                0 => (aig.and(a, b), x && y),
                1 => (aig.or(a, b), x || y),
                2 => (aig.xor(a, b), x != y),
                _ => {
                    let (k, z) = (lits[lits.len() / 2], values[values.len() / 2]);
                    (aig.ite(a, b, k), if x { y } else { z })
                }
            };
            lits.push(lit);
            values.push(value);
        }
        let found = aig.values(|leaf| inputs >> leaf & 1 == 1);
        for (lit, value) in lits.iter().zip(&values) {
            prop_assert_eq!(found.of(*lit), *value);
        }
        for &choice in Choice::ALL {
            let mut circuit = Circuit::new(choice.solver(&Control::unlimited()));
            let mut assumed = Vec::new();
            for (position, &leaf) in lits[..5].iter().enumerate() {
                let lit = circuit.lit(&aig, leaf);
                assumed.push(lit.invert_if(!values[position]));
            }
            let last = lits.len() - 1;
            let lit = circuit.lit(&aig, lits[last]).invert_if(!values[last]);
            assumed.push(!lit);
            prop_assert_eq!(circuit.solve(&assumed), Answer::Unsat);
            assumed.pop();
            assumed.push(lit);
            prop_assert_eq!(circuit.solve(&assumed), Answer::Sat);
        }
    }
}

#[test]
fn what_was_assumed_in_vain_is_told() {
    for &choice in Choice::ALL {
        let mut solver = choice.solver(&Control::unlimited());
        let lits: Vec<_> = (0..4).map(|_| solver.variable()).collect();
        solver.add(&[!lits[0], !lits[2]]);
        assert_eq!(solver.solve(&lits), Answer::Unsat);
        let used: Vec<bool> = lits.iter().map(|&lit| solver.is_used(lit)).collect();
        assert_eq!(used, [true, false, true, false], "{}", choice.name());
        assert_eq!(solver.solve(&lits[1..]), Answer::Sat);
        assert!(solver.value(lits[3]) && !solver.value(lits[0]) || solver.value(lits[1]));
    }
}

#[test]
fn a_solver_stops_when_told_to() {
    for &choice in Choice::ALL {
        let control = Control::unlimited();
        let mut solver = choice.solver(&control);
        // Eleven pigeons in ten holes take their time.
        let at: Vec<Vec<_>> = (0..11)
            .map(|_| (0..10).map(|_| solver.variable()).collect())
            .collect();
        for pigeon in &at {
            solver.add(pigeon);
        }
        for (position, first) in at.iter().enumerate() {
            for second in &at[..position] {
                for (&one, &other) in first.iter().zip(second) {
                    solver.add(&[!one, !other]);
                }
            }
        }
        control.stop(ult_core::control::Stop::Timeout);
        assert_eq!(solver.solve(&[]), Answer::Stopped, "{}", choice.name());
    }
}

/// What the solver decides first shows in its model: of two literals that exclude each other, the one
/// of the higher rank is true.
#[test]
#[cfg(feature = "cadical")]
fn ranks_reach_the_solver() {
    use crate::sat::{Phase, SatLit};
    let control = Control::unlimited();
    let choice = Choice::with_ranks().expect("a solver with ranks");
    for first in [false, true] {
        let mut solver = choice.solver(&control);
        let others: Vec<SatLit> = (0..40).map(|_| solver.variable()).collect();
        let [a, b] = [solver.variable(), solver.variable()];
        solver.add(&[!a, !b]);
        for pair in others.windows(2) {
            solver.add(&[pair[0], pair[1]]);
            solver.add(&[!pair[0], a, b]);
        }
        let ranks = if first { [2, 1] } else { [1, 2] };
        solver.decide_first(a, ranks[0], Phase::True);
        solver.decide_first(b, ranks[1], Phase::True);
        // It stays so in later questions, and with more clauses.
        for question in 0..3 {
            assert_eq!(solver.solve(&[others[question]]), Answer::Sat);
            assert_eq!((solver.value(a), solver.value(b)), (first, !first));
            assert!(solver.counts().ranked > question as u64);
            let more = solver.variable();
            solver.add(&[more, others[question]]);
        }
        // Assumptions come before ranks.
        let other = if first { b } else { a };
        assert_eq!(solver.solve(&[other]), Answer::Sat);
        assert!(solver.value(other));
        assert_eq!(solver.solve(&[a, b]), Answer::Unsat);
    }
}
