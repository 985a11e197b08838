//! Random chains over all theories: each result is inductive by construction, before anybody
//! re-proves it.

use std::sync::Arc;
use std::time::Duration;

use num_rational::BigRational;

use super::chain;
use crate::newton::{Backward, Forward};
use crate::{Chain, Interpolator, NoInterpolants};
use ult_core::control::Control;
use ult_core::formula::{BvOp, Function, Sort, Term, Terms, Version};
use ult_smt::{Answer, Session};

/// Reproducible choices.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        // Knuth's linear congruential generator; the upper bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len() as u64) as usize]
    }
}

/// Which sorts a chain is about, besides integers and truth values.
#[derive(Clone, Copy, Debug)]
enum Theory {
    Integers,
    Reals,
    Maps,
    Functions,
    Bits,
}

struct Maker<'t> {
    t: &'t Terms,
    dice: Dice,
    theory: Theory,
}

impl Maker<'_> {
    fn sorts(&self) -> Vec<(&'static str, Sort)> {
        let map = Sort::map(vec![Sort::Int], Sort::Int);
        match self.theory {
            Theory::Bits => vec![
                ("v", Sort::BitVec(4)),
                ("w", Sort::BitVec(4)),
                ("b", Sort::Bool),
            ],
            Theory::Reals => vec![("r", Sort::Real), ("s", Sort::Real), ("x", Sort::Int)],
            Theory::Maps => vec![("m", map.clone()), ("x", Sort::Int), ("y", Sort::Int)],
            _ => vec![("x", Sort::Int), ("y", Sort::Int), ("b", Sort::Bool)],
        }
    }

    /// A term of a sort over the given variables.
    fn term(&mut self, sort: &Sort, vars: &[Term], depth: u32) -> Term {
        let t = self.t;
        let of_sort: Vec<Term> = vars
            .iter()
            .copied()
            .filter(|&v| t.sort(v) == sort)
            .collect();
        if depth == 0 || self.dice.roll(3) == 0 {
            if !of_sort.is_empty() && self.dice.roll(4) > 0 {
                return self.dice.pick(&of_sort);
            }
            let number = self.dice.roll(5) as i64 - 1;
            return match sort {
                Sort::Bool => t.bool(number > 1),
                Sort::Int => t.int(number),
                Sort::Real => t.real(BigRational::new(number.into(), 2.into())),
                Sort::BitVec(width) => t.bitvec((number.unsigned_abs()).into(), *width),
                _ => self.dice.pick(&of_sort),
            };
        }
        let mut sub = |sort: &Sort| self.term(sort, vars, depth - 1);
        match sort {
            Sort::Bool => self.condition(vars, depth - 1),
            Sort::Int => {
                let (a, b) = (sub(sort), sub(sort));
                match self.dice.roll(7) {
                    0 => t.sub(a, b),
                    1 => t.mul(&[t.int(2), a]),
                    2 => {
                        let condition = self.condition(vars, depth - 1);
                        t.ite(condition, a, b)
                    }
                    3 => t.modulo(a, t.int(2)),
                    4 if matches!(self.theory, Theory::Functions) => {
                        let f = Arc::new(Function {
                            name: "f".into(),
                            params: vec![Sort::Int],
                            result: Sort::Int,
                        });
                        t.apply(&f, &[a])
                    }
                    4 | 5 if matches!(self.theory, Theory::Maps) => {
                        let map = Sort::map(vec![Sort::Int], Sort::Int);
                        let map = self.term(&map, vars, depth - 1);
                        t.select(map, &[a])
                    }
                    _ => t.add(&[a, b]),
                }
            }
            Sort::Real => {
                let (a, b) = (sub(sort), sub(sort));
                match self.dice.roll(4) {
                    0 => t.sub(a, b),
                    1 => {
                        let x = self.term(&Sort::Int, vars, depth - 1);
                        t.to_real(x)
                    }
                    _ => t.add(&[a, b]),
                }
            }
            Sort::BitVec(width) => {
                let (a, b) = (sub(sort), sub(sort));
                let ops = [
                    BvOp::Add,
                    BvOp::Sub,
                    BvOp::Xor,
                    BvOp::And,
                    BvOp::Or,
                    BvOp::Shl,
                    BvOp::Mul,
                ];
                match self.dice.roll(10) {
                    0 => t.bv(BvOp::Not, &[a]),
                    1 => t.bv(BvOp::Concat, &[t.extract(a, 2, 0), t.extract(b, *width, 2)]),
                    2 => t.zero_extend(t.extract(a, 3, 0), width - 3),
                    _ => {
                        let op = self.dice.pick(&ops);
                        t.bv(op, &[a, b])
                    }
                }
            }
            Sort::Map(_) => {
                let map = sub(sort);
                let (at, value) = (sub(&Sort::Int), sub(&Sort::Int));
                t.store(map, &[at], value)
            }
            other => panic!("{other}"),
        }
    }

    fn condition(&mut self, vars: &[Term], depth: u32) -> Term {
        let t = self.t;
        if depth > 0 {
            match self.dice.roll(6) {
                0 => {
                    let (a, b) = (
                        self.condition(vars, depth - 1),
                        self.condition(vars, depth - 1),
                    );
                    return t.or2(a, b);
                }
                1 => {
                    let (a, b) = (
                        self.condition(vars, depth - 1),
                        self.condition(vars, depth - 1),
                    );
                    return t.and2(a, b);
                }
                2 => {
                    let a = self.condition(vars, depth - 1);
                    return t.not(a);
                }
                _ => {}
            }
        }
        let sorts = self.sorts();
        let sort = sorts[self.dice.roll(sorts.len() as u64) as usize].1.clone();
        let (a, b) = (self.term(&sort, vars, 1), self.term(&sort, vars, 1));
        match (&sort, self.dice.roll(3)) {
            (Sort::Int | Sort::Real, 0) => t.le(a, b),
            (Sort::Int | Sort::Real, 1) => t.lt(a, b),
            (Sort::BitVec(_), 0) => t.bv(BvOp::Ult, &[a, b]),
            (Sort::BitVec(_), 1) => t.bv(BvOp::Sle, &[a, b]),
            (Sort::Bool, 0) => t.not(a),
            _ => t.eq(a, b),
        }
    }

    /// Guards, assignments and auxiliaries, in one case or two.
    fn transition(&mut self) -> Term {
        let t = self.t;
        let sorts = self.sorts();
        let now: Vec<Term> = sorts
            .iter()
            .map(|(n, s)| t.current(*n, s.clone()))
            .collect();
        let mut vars = now.clone();
        vars.push(t.var("h", Version::Aux(1), sorts[0].1.clone()));
        let cases = 1 + self.dice.roll(2);
        t.or((0..cases).map(|_| {
            let mut parts = vec![self.condition(&vars, 2)];
            for (i, (name, sort)) in sorts.iter().enumerate() {
                let next = t.next(*name, sort.clone());
                match self.dice.roll(5) {
                    0 => {
                        // Any value for which something holds.
                        let mut more = vars.clone();
                        more.push(next);
                        parts.push(self.condition(&more, 1));
                    }
                    1 | 2 => parts.push(t.eq(next, now[i])),
                    _ => {
                        let value = self.term(sort, &vars, 2);
                        parts.push(t.eq(next, value));
                    }
                }
            }
            t.and(parts)
        }))
    }
}

fn chain_of(t: &Terms, theory: Theory, seed: u64) -> Chain {
    let dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut maker = Maker { t, dice, theory };
    let steps = 2 + maker.dice.roll(3);
    let transitions: Vec<Term> = (0..steps).map(|_| maker.transition()).collect();
    chain(t, &transitions)
}

/// Tries both strategies on the infeasible ones of so many chains. Returns how many results there
/// were, and how many failures.
fn attempts(theory: Theory, chains: u64) -> (u32, u32) {
    let (mut results, mut failures) = (0, 0);
    let limit = Duration::from_secs(2);
    for seed in 0..chains {
        let t = Terms::new();
        let chain = chain_of(&t, theory, seed);
        let session = Session::new(&t, &[], &Control::unlimited());
        let whole = session.solver().check(&chain.steps, Some(limit));
        if !matches!(whole, Answer::Unsat) {
            continue;
        }
        for strategy in [&Forward as &dyn Interpolator, &Backward] {
            let what = format!("{theory:?} {seed} {}", strategy.name());
            match strategy.interpolate(&session, &chain, limit) {
                Ok(claim) => {
                    assert_inductive(&t, &chain, &claim, &what);
                    results += 1;
                }
                Err(NoInterpolants::Refused(why)) if why == "too many cubes" => failures += 1,
                Err(NoInterpolants::Failed(why)) => {
                    println!("{what}: {why}");
                    failures += 1;
                }
                Err(other) => panic!("{what}: {other}"),
            }
        }
    }
    println!("{theory:?}: {results} results, {failures} failures");
    (results, failures)
}

fn assert_inductive(t: &Terms, chain: &Chain, claim: &[Term], what: &str) {
    let session = Session::new(t, &[], &Control::unlimited());
    let mut before = t.tt();
    for (i, &step) in chain.steps.iter().enumerate() {
        let after = claim.get(i).copied().unwrap_or(t.ff());
        if let Some(cut) = chain.cuts.get(i) {
            for var in t.free_vars(&[after]) {
                assert!(cut.live.contains(&var), "{what}: {}", t.display(after));
            }
        }
        let question = [before, step, t.not(after)];
        let answer = session
            .solver()
            .check(&question, Some(Duration::from_secs(2)));
        assert_ne!(
            answer,
            Answer::Sat,
            "{what}: {} does not lead to {} by {}",
            t.display(before),
            t.display(after),
            t.display(step)
        );
        before = after;
    }
}

#[test]
fn chains_of_integers() {
    let (results, failures) = attempts(Theory::Integers, 60);
    assert!(results >= 20 && failures * 10 <= results);
}

#[test]
fn chains_of_reals() {
    let (results, failures) = attempts(Theory::Reals, 60);
    assert!(results >= 20 && failures * 10 <= results);
}

#[test]
fn chains_of_maps() {
    let (results, failures) = attempts(Theory::Maps, 60);
    assert!(results >= 20 && failures * 10 <= results);
}

#[test]
fn chains_of_functions() {
    let (results, failures) = attempts(Theory::Functions, 60);
    assert!(results >= 20 && failures * 10 <= results);
}

#[test]
fn chains_of_bits() {
    let (results, failures) = attempts(Theory::Bits, 60);
    assert!(results >= 20 && failures * 10 <= results);
}
