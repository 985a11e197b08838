//! Maps over sorts that a quantifier makes finite: what solvers say of them must not be believed.

use super::*;
use ult_core::formula::{BinderKind, ConstructorSort, Op};

/// `assume k == (lambda y: T :: 0); if (k[c := 1] == (lambda y: T :: 1)) error`, under the axiom that
/// each element of T is one of the given constants.
fn all_ones(elements: &[&str]) -> Scene {
    let element = Sort::Uninterpreted("T".into());
    let map = Sort::map(vec![element.clone()], Sort::Int);
    let mut s = Scene::new(&[("k", map.clone())]);
    let constants: Vec<Term> = (elements.iter())
        .map(|&name| {
            let function = Arc::new(Function {
                name: name.into(),
                params: Vec::new(),
                result: element.clone(),
            });
            s.graph.functions.push(function.clone());
            s.terms.apply(&function, &[])
        })
        .collect();
    let t = &s.terms;
    let x = t.fresh_bound("x", element);
    let one_of = t.or(constants.iter().map(|&c| t.eq(x, c)).collect::<Vec<_>>());
    let few = t.bind(BinderKind::Forall, &[x], one_of, &[]);
    let different = t.distinct(&constants);
    let k = t.current("k", map.clone());
    let same = |value: i64| t.const_map(map.clone(), t.int(value));
    let stored = t.store(k, &[constants[0]], t.int(1));
    let (zero, one) = (t.eq(k, same(0)), t.eq(stored, same(1)));
    s.graph.axioms.extend([few, different]);
    s.edge("start", Transition::assume(zero), "mid");
    s.edge("mid", Transition::assume(one), "err");
    s
}

#[test]
fn the_only_element_may_be_all_that_differs() {
    let s = all_ones(&["c"]);
    let refused = s.confirm(&s.claim(&[]));
    assert!(refused.is_err(), "{refused:?}");
}

#[test]
fn with_another_element_it_is_proved() {
    let s = all_ones(&["c", "d"]);
    s.confirm(&s.claim(&[])).expect("d has the old value");
}

#[test]
fn a_lambda_inside_of_a_quantifier_becomes_a_function() {
    // forall x :: f(x) == (lambda y :: if x == y then 1 else 0); T = {c}; f(c) == (lambda y :: 1)
    let element = Sort::Uninterpreted("T".into());
    let map = Sort::map(vec![element.clone()], Sort::Int);
    let mut s = Scene::new(&[]);
    let declared = |name: &str, params: Vec<Sort>, result: &Sort| {
        let result = result.clone();
        Arc::new(Function {
            name: name.into(),
            params,
            result,
        })
    };
    let c = declared("c", Vec::new(), &element);
    let f = declared("f", vec![element.clone()], &map);
    s.graph.functions.extend([c.clone(), f.clone()]);
    let t = &s.terms;
    let c = t.apply(&c, &[]);
    let (x, y, z) = (
        t.fresh_bound("x", element.clone()),
        t.fresh_bound("y", element.clone()),
        t.fresh_bound("z", element),
    );
    let body = t.ite(t.eq(x, y), t.int(1), t.int(0));
    let indicator = t.bind(BinderKind::Lambda, &[y], body, &[]);
    let fx = t.apply(&f, &[x]);
    let axiom = t.bind(BinderKind::Forall, &[x], t.eq(fx, indicator), &[vec![fx]]);
    let only = t.bind(BinderKind::Forall, &[z], t.eq(z, c), &[]);
    let fc = t.apply(&f, &[c]);
    let at_c = t.select(fc, &[c]);
    let ones = t.const_map(map, t.int(1));
    let (possible, impossible) = (t.eq(fc, ones), t.neq(at_c, t.int(1)));
    s.graph.axioms.extend([axiom, only]);
    s.edge("start", Transition::assume(possible), "err");
    s.edge("start", Transition::assume(impossible), "err2");
    let refused = s.confirm(&s.claim(&[]));
    assert!(refused.is_err(), "{refused:?}");
    let error = s.find("err").expect("it was made");
    let mut claim = s.claim(&[]);
    claim.exempt.insert(error);
    s.confirm(&claim).expect("f(c)[c] is 1");
}

/// Constant maps with 0 and with 1, and a map between them that has 1 at these indices.
fn stored(index: &Sort, at: &dyn Fn(&Terms) -> Vec<Term>) -> Scene {
    let map = Sort::map(vec![index.clone()], Sort::Int);
    let mut s = Scene::new(&[("k", map.clone())]);
    let t = &s.terms;
    let same = |value: i64| t.const_map(map.clone(), t.int(value));
    let k = t.current("k", map.clone());
    let stores = at(t).into_iter();
    let all = stores.fold(k, |map, index| t.store(map, &[index], t.int(1)));
    let (zero, one) = (t.eq(k, same(0)), t.eq(all, same(1)));
    s.edge("start", Transition::assume(zero), "mid");
    s.edge("mid", Transition::assume(one), "err");
    s
}

/// One constructor without fields.
fn unit() -> Sort {
    let unit = ConstructorSort {
        name: "unit".into(),
        fields: Vec::new(),
    };
    Sort::datatype("Unit", vec![unit])
}

#[test]
fn there_is_one_map_to_one_value() {
    for domain in [
        Sort::Int,
        Sort::BitVec(64),
        Sort::BitVec(8),
        Sort::RoundingMode,
    ] {
        let index = Sort::map(vec![domain], unit());
        let mut s = stored(&index, &|t| vec![t.current("m", index.clone())]);
        s.graph.variables.insert("m".into(), index.clone());
        let refused = s.confirm(&s.claim(&[]));
        assert!(refused.is_err(), "{index}: {refused:?}");
    }
}

#[test]
fn two_constant_maps_may_say_that_there_is_one_element() {
    let index = Sort::Uninterpreted("T".into());
    let mut s = stored(&index, &|t| vec![t.current("c", index.clone())]);
    s.graph.variables.insert("c".into(), index.clone());
    let refused = s.confirm(&s.claim(&[]));
    assert!(refused.is_err(), "{refused:?}");
}

/// Whether the equation of a constant map and of one with these stores is said element by element.
fn is_said_by_elements(index: &Sort, at: &dyn Fn(&Terms) -> Vec<Term>) -> bool {
    let terms = Terms::new();
    let map = Sort::map(vec![index.clone()], Sort::Int);
    let ones = terms.const_map(map.clone(), terms.int(1));
    let stores = at(&terms).into_iter();
    let all = stores.fold(terms.current("k", map), |map, index| {
        terms.store(map, &[index], terms.int(1))
    });
    let said = crate::finite::FiniteMaps::new(&terms).question(&[terms.eq(all, ones)]);
    let is_constant = |term: Term| matches!(terms.op(term), Op::ConstMap);
    !terms.post_order(&said).into_iter().any(is_constant)
}

#[test]
fn as_many_stores_as_indices_leave_nothing_elsewhere() {
    // With ten bits the solver counts the indices.
    for (width, stores, by_elements) in [(11, 2048, true), (11, 2047, false), (10, 1024, false)] {
        let every = |terms: &Terms| {
            let indices = (0..stores as u32).map(|index| terms.bitvec(index.into(), width));
            indices.collect()
        };
        let said = is_said_by_elements(&Sort::BitVec(width), &every);
        assert_eq!(said, by_elements, "{stores} stores, {width} bits");
    }
}

#[test]
fn maps_to_one_value_are_said_by_elements() {
    for (range, by_elements) in [(unit(), true), (Sort::Bool, false)] {
        let index = Sort::map(vec![Sort::Int], range);
        let at = |terms: &Terms| vec![terms.current("m", index.clone())];
        assert_eq!(is_said_by_elements(&index, &at), by_elements, "{index}");
    }
}
