//! Random terms over every operator: Z3's value of a term in a model is the one our own evaluator
//! computes, translation there and back keeps the meaning, and the text says the same.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use num_rational::BigRational;
use proptest::prelude::*;

use super::models::InModel;
use crate::decode::Decoder;
use crate::encode::Maps;
use crate::smtlib::tests::Both;
use crate::{Answer, Failure, Session};
use ult_core::control::Control;
use ult_core::formula::{BvOp, Function, Sort, Term, Terms, Value, eval};

/// One step of a recipe: an operator and where to take the arguments from.
type Step = (u8, u8, u8, u8);

/// Terms by sort, grown step by step.
struct Pool<'t> {
    t: &'t Terms,
    bools: Vec<Term>,
    ints: Vec<Term>,
    reals: Vec<Term>,
    bits: Vec<Term>,
    maps: Vec<Term>,
    wide: Vec<Term>,
    elements: Vec<Term>,
    f: Arc<Function>,
}

const WIDTH: u32 = 6;

fn wide_sort() -> Sort {
    Sort::map(vec![Sort::Int, Sort::BitVec(WIDTH)], Sort::Bool)
}

fn function(name: &str, params: Vec<Sort>, result: Sort) -> Arc<Function> {
    Arc::new(Function {
        name: name.into(),
        params,
        result,
    })
}

impl<'t> Pool<'t> {
    fn new(t: &'t Terms) -> Pool<'t> {
        let map = Sort::map(vec![Sort::Int], Sort::Int);
        let element = Sort::Uninterpreted("E".into());
        let var = |n: &str, sort: &Sort| t.current(n, sort.clone());
        let constant = t.apply(&function("k", vec![], Sort::Int), &[]);
        Pool {
            t,
            bools: vec![var("p", &Sort::Bool), var("q", &Sort::Bool)],
            ints: vec![
                var("x", &Sort::Int),
                var("y", &Sort::Int),
                constant,
                t.int(3),
                t.int(-2),
            ],
            reals: vec![
                var("r", &Sort::Real),
                t.real(BigRational::new((-3).into(), 2.into())),
            ],
            bits: vec![
                var("v", &Sort::BitVec(WIDTH)),
                var("w", &Sort::BitVec(WIDTH)),
                t.bitvec(37u32.into(), WIDTH),
            ],
            maps: vec![var("m", &map), var("n", &map), t.const_map(map, t.int(7))],
            wide: vec![var("a", &wide_sort()), t.const_map(wide_sort(), t.tt())],
            elements: vec![var("d", &element), var("e", &element), var("g", &element)],
            f: function("f", vec![Sort::Int, Sort::Bool], Sort::Int),
        }
    }

    fn grow(&mut self, (op, a, b, c): Step) {
        let t = self.t;
        let at = |pool: &[Term], i: u8| pool[i as usize % pool.len()];
        let int = |i| at(&self.ints, i);
        let bool = |i| at(&self.bools, i);
        let real = |i| at(&self.reals, i);
        let bits = |i| at(&self.bits, i);
        let map = |i| at(&self.maps, i);
        let wide = |i| at(&self.wide, i);
        let element = |i| at(&self.elements, i);
        match op % 38 {
            0 => self.bools.push(t.not(bool(a))),
            1 => self.bools.push(t.and([bool(a), bool(b), bool(c)])),
            2 => self.bools.push(t.or([bool(a), bool(b), bool(c)])),
            3 => self.bools.push(t.ite(bool(a), bool(b), bool(c))),
            4 => self.bools.push(t.eq(bool(a), bool(b))),
            5 => self.bools.push(t.eq(int(a), int(b))),
            6 => self.bools.push(t.eq(real(a), real(b))),
            7 => self.bools.push(t.eq(bits(a), bits(b))),
            8 => self.bools.push(t.eq(map(a), map(b))),
            9 => self.bools.push(t.eq(wide(a), wide(b))),
            10 => self.bools.push(t.eq(element(a), element(b))),
            11 => self
                .bools
                .push(t.distinct(&[element(a), element(b), element(c)])),
            12 => self.bools.push(t.distinct(&[int(a), int(b), int(c)])),
            13 => self.bools.push(t.le(int(a), int(b))),
            14 => self.bools.push(t.lt(int(a), int(b))),
            15 => self.bools.push(t.le(real(a), real(b))),
            16 => self.bools.push(t.lt(real(a), real(b))),
            17 => {
                let op = BvOp::COMPARISONS[c as usize % BvOp::COMPARISONS.len()];
                self.bools.push(t.bv(op, &[bits(a), bits(b)]));
            }
            18 => self.ints.push(t.add(&[int(a), int(b), int(c)])),
            19 => self.ints.push(t.mul(&[t.int(i64::from(c) - 100), int(a)])),
            20 => self.ints.push(t.mul(&[int(a), int(b)])),
            21 => self.ints.push(t.div(int(a), t.int(i64::from(b) - 100))),
            22 => self.ints.push(t.modulo(int(a), t.int(i64::from(b) - 100))),
            23 => self.ints.push(t.ite(bool(a), int(b), int(c))),
            24 => self.ints.push(t.to_int(real(a))),
            25 => self.reals.push(t.to_real(int(a))),
            26 => self.reals.push(t.add(&[real(a), real(b)])),
            27 => {
                let divisor = BigRational::new((i64::from(b) - 100).into(), 7.into());
                self.reals.push(t.real_div(real(a), t.real(divisor)));
            }
            28 => {
                let op = BvOp::FUNCTIONS[c as usize % BvOp::FUNCTIONS.len()];
                let unary = matches!(op, BvOp::Not | BvOp::Neg);
                let args = [bits(a), bits(b)];
                self.bits
                    .push(t.bv(op, if unary { &args[..1] } else { &args }));
            }
            29 => {
                let both = t.bv(BvOp::Concat, &[bits(a), bits(b)]);
                let low = u32::from(c) % WIDTH;
                self.bits.push(t.extract(both, low + WIDTH, low));
            }
            30 => self
                .bits
                .push(t.extract(t.zero_extend(bits(a), 3), WIDTH + 3, 3)),
            31 => self
                .bits
                .push(t.extract(t.sign_extend(bits(a), 3), WIDTH + 3, 3)),
            32 => self.maps.push(t.store(map(a), &[int(b)], int(c))),
            33 => self.maps.push(t.ite(bool(a), map(b), map(c))),
            34 => self.ints.push(t.select(map(a), &[int(b)])),
            35 => self
                .wide
                .push(t.store(wide(a), &[int(b), bits(c)], bool(a))),
            36 => self.bools.push(t.select(wide(a), &[int(b), bits(c)])),
            _ => self.ints.push(t.apply(&self.f, &[int(a), bool(b)])),
        }
    }

    fn all(&self) -> Vec<Term> {
        [
            &self.bools,
            &self.ints,
            &self.reals,
            &self.bits,
            &self.maps,
            &self.wide,
            &self.elements,
        ]
        .into_iter()
        .flatten()
        .copied()
        .collect()
    }
}

fn recipe() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(any::<Step>(), 1..40)
}

thread_local! {
    static BOTH: RefCell<Both> = RefCell::new(Both::new(Duration::from_secs(1)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_in_models(recipe in recipe()) {
        let t = Terms::new();
        let mut pool = Pool::new(&t);
        recipe.into_iter().for_each(|step| pool.grow(step));
        let session = Session::new(&t, &[], &Control::unlimited());
        let mut solver = session.solver();
        let limit = Some(Duration::from_millis(500));
        let goal = *pool.bools.last().unwrap();
        let answer = match solver.check(&[goal], limit) {
            Answer::Unsat => solver.check(&[t.not(goal)], limit),
            other => other,
        };
        if answer != Answer::Sat {
            return Ok(());
        }
        let model = solver.model().unwrap();
        let interpretation = InModel { terms: &t, model: &model };
        for term in pool.all() {
            // Divisions by zero, and maps whose equality is not decided, have no value.
            let Ok(expected) = eval(&t, term, &interpretation) else { continue };
            match model.value(term) {
                Ok(value) => prop_assert_eq!(
                    value.same(&expected).unwrap_or(true),
                    true,
                    "{}: Z3 {}, ours {}", t.display(term), value, expected
                ),
                // A map that Z3 does not write as a table.
                Err(Failure::Unsupported(_)) => prop_assert!(matches!(expected, Value::Map(_))),
                Err(other) => prop_assert!(false, "{}: {}", t.display(term), other),
            }
        }
    }

    #[test]
    fn ways_agree(recipe in recipe()) {
        let t = Terms::new();
        let mut pool = Pool::new(&t);
        recipe.into_iter().for_each(|step| pool.grow(step));
        let limit = Some(Duration::from_millis(500));
        let goals = pool.bools[pool.bools.len().saturating_sub(3)..].to_vec();
        let answers = crate::portfolio::tests::by_all_tactics(&t, &goals, limit);
        let known: Vec<&Answer> = answers
            .iter()
            .filter(|answer| !matches!(answer, Answer::Unknown(_)))
            .collect();
        for pair in known.windows(2) {
            prop_assert_eq!(pair[0], pair[1], "{}", t.display(t.and(goals.iter().copied())));
        }
    }

    #[test]
    fn there_and_back(recipe in recipe()) {
        let t = Terms::new();
        let mut pool = Pool::new(&t);
        recipe.into_iter().for_each(|step| pool.grow(step));
        let session = Session::new(&t, &[], &Control::unlimited());
        let mut solver = session.solver();
        for term in pool.all() {
            for maps in [Maps::Direct, Maps::Curried] {
                // Of constant maps with several indices Z3 makes lambdas.
                let ast = session.encode_with(maps, term).unwrap();
                let Ok(back) = Decoder::new(&session, maps, &[]).decode(&ast) else {
                    let wide = t.post_order(&[term]).into_iter().any(|s| *t.sort(s) == wide_sort());
                    use ult_core::formula::Op;
                    let by_zero = t.post_order(&[term]).into_iter().any(|s| {
                        matches!(t.op(s), Op::Div | Op::Mod | Op::RealDiv)
                            && t.as_number(t.args(s)[1]).is_some_and(|n| num_traits::Zero::is_zero(&n))
                    });
                    prop_assert!(wide || by_zero, "{}: {}", t.display(term), ast);
                    continue;
                };
                prop_assert_eq!(t.sort(back), t.sort(term));
                if back != term {
                    let answer = solver.check(&[t.neq(back, term)], Some(Duration::from_millis(500)));
                    prop_assert_ne!(answer, Answer::Sat, "{} {}", t.display(term), t.display(back));
                }
            }
        }
    }

    #[test]
    fn text_and_native_answers(recipe in recipe()) {
        let t = Terms::new();
        let mut pool = Pool::new(&t);
        recipe.into_iter().for_each(|step| pool.grow(step));
        let goals = pool.bools[pool.bools.len().saturating_sub(3)..].to_vec();
        BOTH.with(|both| {
            let mut both = both.borrow_mut();
            both.check(&t, t.and(goals.iter().copied()));
            both.check(&t, t.not(goals[0]));
        });
    }
}
