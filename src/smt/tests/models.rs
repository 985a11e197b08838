//! Values in models.

use std::sync::Arc;

use num_rational::BigRational;

use crate::{Answer, Failure, Model, Session};
use ult_core::control::Control;
use ult_core::formula::{
    BinderKind, EvalError, Function, Interpretation, Sort, Term, Terms, Value, Var, eval,
};

/// The model's values for variables and rigid symbols, for the evaluator.
pub(super) struct InModel<'a, 's, 't> {
    pub(super) terms: &'t Terms,
    pub(super) model: &'a Model<'s, 't>,
}

impl Interpretation for InModel<'_, '_, '_> {
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value> {
        let term = self.terms.var(var.name.clone(), var.version, sort.clone());
        self.model.value(term).ok()
    }
    fn function(&self, function: &Arc<Function>, args: &[Value]) -> Option<Value> {
        let table = self.model.function(function).ok()?;
        Some(table.entries.get(args).unwrap_or(&table.default).clone())
    }
}

/// Asserts that the formula has a model in which our own evaluator finds it true.
pub(super) fn evaluates_to_true(t: &Terms, formula: Term) {
    let session = Session::new(t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver.assert(formula).unwrap();
    assert_eq!(
        solver.check(&[], None),
        Answer::Sat,
        "{}",
        t.display(formula)
    );
    let model = solver.model().unwrap();
    let value = eval(
        t,
        formula,
        &InModel {
            terms: t,
            model: &model,
        },
    );
    assert_eq!(value, Ok(Value::Bool(true)), "{}", t.display(formula));
}

#[test]
fn numbers_are_exact() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let (x, r) = (t.current("x", Sort::Int), t.current("r", Sort::Real));
    let v = t.current("v", Sort::BitVec(200));
    let big: num_bigint::BigInt = num_bigint::BigInt::from(-7) << 300usize;
    let third = BigRational::new((-1).into(), 3.into());
    let bits = (num_bigint::BigUint::from(1u32) << 199usize) + 5u32;
    solver.assert(t.eq(x, t.int(big.clone()))).unwrap();
    solver.assert(t.eq(r, t.real(third.clone()))).unwrap();
    solver.assert(t.eq(v, t.bitvec(bits.clone(), 200))).unwrap();
    assert_eq!(solver.check(&[], None), Answer::Sat);
    let model = solver.model().unwrap();
    assert_eq!(model.value(x), Ok(Value::Int(big)));
    assert_eq!(model.value(r), Ok(Value::Real(third)));
    assert_eq!(model.value(v), Ok(Value::BitVec(bits, 200)));
    // What is not mentioned has some value.
    assert!(model.value(t.current("other", Sort::Int)).is_ok());
}

#[test]
fn irrational_numbers_have_no_value() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let r = t.current("r", Sort::Real);
    let two = t.real(BigRational::from_integer(2.into()));
    solver.assert(t.eq(t.mul(&[r, r]), two)).unwrap();
    assert_eq!(solver.check(&[], None), Answer::Sat);
    let model = solver.model().unwrap();
    assert!(matches!(model.value(r), Err(Failure::Unsupported(_))));
}

#[test]
fn maps_are_tables() {
    let t = Terms::new();
    for domain in [
        vec![Sort::Int],
        vec![Sort::Int, Sort::Int],
        vec![Sort::Bool, Sort::Int, Sort::BitVec(4)],
    ] {
        let sort = Sort::map(domain.clone(), Sort::Int);
        let m = t.current("m", sort.clone());
        let n = t.current("n", sort.clone());
        let index = |i: i64| -> Vec<Term> {
            domain
                .iter()
                .map(|sort| match sort {
                    Sort::Bool => t.bool(i % 2 == 0),
                    Sort::BitVec(width) => t.bitvec((i as u32).into(), *width),
                    _ => t.int(i),
                })
                .collect()
        };
        evaluates_to_true(
            &t,
            t.and([
                t.eq(n, t.store(m, &index(3), t.int(7))),
                t.lt(t.select(m, &index(3)), t.select(m, &index(4))),
                t.lt(t.select(n, &index(5)), t.select(m, &index(3))),
                t.neq(m, n),
            ]),
        );
        let everywhere = t.const_map(sort, t.current("c", Sort::Int));
        evaluates_to_true(
            &t,
            t.and([
                t.eq(m, t.store(everywhere, &index(1), t.int(9))),
                t.lt(t.int(20), t.select(m, &index(2))),
                t.eq(n, everywhere),
            ]),
        );
    }
}

#[test]
fn maps_of_maps_and_maps_to_bool() {
    let t = Terms::new();
    let row = Sort::map(vec![Sort::Int], Sort::Bool);
    let m = t.current("m", Sort::map(vec![Sort::Int], row.clone()));
    let read = |i: i64, j: i64| t.select(t.select(m, &[t.int(i)]), &[t.int(j)]);
    evaluates_to_true(
        &t,
        t.and([read(1, 2), t.not(read(1, 3)), t.not(read(2, 2)), read(3, 3)]),
    );
    let r = t.current("r", row);
    evaluates_to_true(
        &t,
        t.and([t.eq(t.select(m, &[t.int(1)]), r), t.select(r, &[t.int(5)])]),
    );
}

#[test]
fn functions_are_tables() {
    let t = Terms::new();
    let f = Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int, Sort::Bool],
        result: Sort::Int,
    });
    let apply = |i: i64, b: bool| t.apply(&f, &[t.int(i), t.bool(b)]);
    evaluates_to_true(
        &t,
        t.and([
            t.lt(apply(1, true), apply(1, false)),
            t.lt(apply(1, false), apply(2, true)),
            t.eq(t.apply(&f, &[apply(2, true), t.tt()]), t.int(-4)),
        ]),
    );
    let constant = Arc::new(Function {
        name: "k".into(),
        params: vec![],
        result: Sort::Int,
    });
    evaluates_to_true(&t, t.lt(t.int(3), t.apply(&constant, &[])));
}

#[test]
fn elements_are_numbered_consistently() {
    let t = Terms::new();
    let sort = Sort::Uninterpreted("Ref".into());
    let [a, b, c] = ["a", "b", "c"].map(|n| t.current(n, sort.clone()));
    let heap = t.current("heap", Sort::map(vec![sort], Sort::Int));
    evaluates_to_true(
        &t,
        t.and([
            t.neq(a, b),
            t.eq(a, c),
            t.lt(t.select(heap, &[a]), t.select(heap, &[b])),
        ]),
    );
}

#[test]
fn lambdas_are_tables_where_they_can_be() {
    let t = Terms::new();
    let m = t.current("m", Sort::map(vec![Sort::Int], Sort::Int));
    let i = t.fresh_bound("i", Sort::Int);
    let table = t.ite(t.eq(i, t.int(4)), t.int(1), t.int(0));
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver
        .assert(t.eq(m, t.bind(BinderKind::Lambda, &[i], table, &[])))
        .unwrap();
    assert_eq!(solver.check(&[], None), Answer::Sat);
    let model = solver.model().unwrap();
    if let Ok(Value::Map(map)) = model.value(m) {
        assert_eq!(map.get(&[Value::int(4)]), &Value::int(1));
        assert_eq!(map.get(&[Value::int(5)]), &Value::int(0));
    }
    // The identity is no finite table.
    let identity = t.bind(BinderKind::Lambda, &[i], i, &[]);
    assert!(matches!(
        model.value(identity),
        Err(Failure::Unsupported(_))
    ));
    // An error of the evaluator is told apart from a value.
    let interpretation = InModel {
        terms: &t,
        model: &model,
    };
    assert!(matches!(
        eval(&t, identity, &interpretation),
        Err(EvalError::Unsupported(_))
    ));
}

/// Z3 computes the values of `results` for all values of `inputs`, and so do we.
fn same_values(t: &Terms, inputs: &[(Term, Vec<Term>)], results: &[Term]) {
    let session = Session::new(t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let mut chosen = vec![0; inputs.len()];
    loop {
        let assumptions: Vec<Term> = inputs
            .iter()
            .zip(&chosen)
            .map(|((input, values), &i)| t.eq(*input, values[i]))
            .collect();
        assert_eq!(solver.check(&assumptions, None), Answer::Sat);
        let model = solver.model().unwrap();
        let interpretation = InModel {
            terms: t,
            model: &model,
        };
        for &result in results {
            match eval(t, result, &interpretation) {
                Err(EvalError::DivisionByZero) => {}
                expected => assert_eq!(
                    model.value(result).ok(),
                    expected.ok(),
                    "{} where {}",
                    t.display(result),
                    t.display(t.and(assumptions.iter().copied()))
                ),
            }
        }
        // The next combination, like an odometer.
        let Some(place) = (0..chosen.len()).find(|&i| chosen[i] + 1 < inputs[i].1.len()) else {
            return;
        };
        chosen[..place].fill(0);
        chosen[place] += 1;
    }
}

#[test]
fn every_operator_on_bit_vectors() {
    use ult_core::formula::BvOp::*;
    let t = Terms::new();
    let [v, w] = ["v", "w"].map(|n| t.current(n, Sort::BitVec(3)));
    let values: Vec<Term> = (0..8u32).map(|n| t.bitvec(n.into(), 3)).collect();
    let mut results = vec![t.bv(Not, &[v]), t.bv(Neg, &[v])];
    for op in [
        And, Or, Xor, Nand, Nor, Xnor, Add, Sub, Mul, Udiv, Urem, Sdiv, Srem, Smod, Shl, Lshr,
        Ashr, Ult, Ule, Slt, Sle, Concat,
    ] {
        results.push(t.bv(op, &[v, w]));
    }
    results.push(t.extract(v, 2, 1));
    results.push(t.extract(v, 3, 2));
    results.push(t.zero_extend(v, 2));
    results.push(t.sign_extend(v, 2));
    same_values(&t, &[(v, values.clone()), (w, values)], &results);
}

#[test]
fn division_and_rounding() {
    let t = Terms::new();
    let [x, y] = ["x", "y"].map(|n| t.current(n, Sort::Int));
    let r = t.current("r", Sort::Real);
    let ints: Vec<Term> = [-7, -3, -1, 0, 1, 2, 7].map(|n| t.int(n)).to_vec();
    let reals: Vec<Term> = [-3, -2, -1, 0, 1, 3]
        .map(|n| t.real(BigRational::new(n.into(), 2.into())))
        .to_vec();
    let results = [
        t.div(x, y),
        t.modulo(x, y),
        t.real_div(r, t.to_real(y)),
        t.to_int(r),
        t.to_real(x),
        t.mul(&[x, y]),
        t.lt(t.to_real(x), r),
        t.le(t.to_real(x), r),
    ];
    same_values(&t, &[(x, ints.clone()), (y, ints), (r, reals)], &results);
}
