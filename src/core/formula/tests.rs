//! Unit tests of the term store, the simplifier, the evaluator and the printer.

use std::collections::HashMap;
use std::sync::Arc;

use super::*;

fn xy(t: &Terms) -> (Term, Term) {
    (t.current("x", Sort::Int), t.current("y", Sort::Int))
}

#[test]
fn equal_terms_share_a_handle() {
    let t = Terms::new();
    let (x, y) = xy(&t);
    assert_eq!(t.add(&[x, y]), t.add(&[y, x]));
    assert_eq!(t.eq(x, y), t.eq(y, x));
    assert_eq!(t.not(t.not(t.eq(x, y))), t.eq(x, y));
}

#[test]
fn sums_are_linear_combinations() {
    let t = Terms::new();
    let (x, y) = xy(&t);
    let sum = t.sub(t.add(&[x, y, t.int(3)]), t.add(&[y, t.int(5)]));
    assert_eq!(t.display(sum), "x - 2");
    assert_eq!(
        t.display(t.mul(&[t.int(-2), t.add(&[x, t.int(1)])])),
        "-2 * x - 2"
    );
    assert_eq!(t.sub(x, x), t.int(0));
}

#[test]
fn contradictions_are_seen() {
    let t = Terms::new();
    let (x, y) = xy(&t);
    assert_eq!(t.and([t.le(x, y), t.lt(y, x)]), t.ff());
    assert_eq!(t.or([t.eq(x, y), t.neq(x, y)]), t.tt());
}

#[test]
fn reading_a_map_sees_through_other_places() {
    let t = Terms::new();
    let (x, _) = xy(&t);
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    let m = t.current("m", sort);
    let stored = t.store(t.store(m, &[t.int(1)], x), &[t.int(2)], t.int(7));
    assert_eq!(t.select(stored, &[t.int(1)]), x);
    assert_eq!(t.select(stored, &[t.int(3)]), t.select(m, &[t.int(3)]));
    let unknown = t.select(stored, &[x]);
    assert!(matches!(t.op(unknown), Op::Select));
}

#[test]
fn printing_follows_boogies_precedence() {
    let t = Terms::new();
    let (x, y) = xy(&t);
    let a = t.le(x, y);
    let b = t.eq(x, t.int(-1));
    assert_eq!(
        t.display(t.and([t.or([a, b]), t.neq(x, y)])),
        "(x <= y || x == -1) && x != y"
    );
    assert_eq!(t.display(t.implies(t.eq(x, y), b)), "x != y || x == -1");
    let p = t.current("p", Sort::Bool);
    assert_eq!(t.display(t.implies(p, b)), "p ==> x == -1");
    assert_eq!(
        t.display(t.mul(&[t.int(2), t.modulo(x, y)])),
        "2 * (x mod y)"
    );
}

#[test]
fn deep_terms_do_not_overflow() {
    let t = Terms::new();
    let (x, _) = xy(&t);
    let mut f = t.current("p", Sort::Bool);
    for i in 0..50_000 {
        f = t.not(t.and2(f, t.le(x, t.int(i))));
    }
    assert!(t.size(f) > 50_000);
    let g = t.primed(f);
    assert_ne!(f, g);
}

struct Fixed;
impl Interpretation for Fixed {
    fn variable(&self, var: &Var, _: &Sort) -> Option<Value> {
        (&*var.name == "x").then(|| Value::int(-7))
    }
    fn function(&self, _: &std::sync::Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }
}

#[test]
fn division_is_euclidean() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    for (by, quotient, remainder) in [(2, -4, 1), (-2, 4, 1), (7, -1, 0)] {
        assert_eq!(
            eval(&t, t.div(x, t.int(by)), &Fixed),
            Ok(Value::int(quotient))
        );
        assert_eq!(
            eval(&t, t.modulo(x, t.int(by)), &Fixed),
            Ok(Value::int(remainder))
        );
    }
}

#[test]
fn operands_that_do_not_matter_may_lack_a_value() {
    let t = Terms::new();
    let (x, y) = xy(&t);
    let negative = t.lt(x, t.int(0));
    assert_eq!(
        eval(&t, t.or([t.eq(y, t.int(1)), negative]), &Fixed),
        Ok(Value::Bool(true))
    );
    assert_eq!(eval(&t, t.ite(negative, x, y), &Fixed), Ok(Value::int(-7)));
    assert_eq!(eval(&t, y, &Fixed), Err(EvalError::Unbound("y".into())));
}

#[test]
fn maps_over_finite_domains_compare_by_all_entries() {
    let sort = vec![Sort::BitVec(1)];
    let bit = |v: u32| Value::BitVec(v.into(), 1);
    let map = |default: i32, entries: &[(u32, i32)]| {
        Value::Map(std::sync::Arc::new(MapValue {
            domain: sort.clone(),
            default: Value::int(default),
            entries: entries
                .iter()
                .map(|&(k, v)| (vec![bit(k)], Value::int(v)))
                .collect(),
        }))
    };
    assert_eq!(map(0, &[(0, 5), (1, 5)]).same(&map(5, &[])), Some(true));
    assert_eq!(map(0, &[(0, 5)]).same(&map(5, &[])), Some(false));
}

#[test]
fn values_of_finite_sorts_are_counted() {
    let count = |sort: Sort| sort.cardinality().map(|count| count.to_string());
    let some = |count: &str| Some(count.to_owned());
    let of_bool = Sort::map(vec![Sort::Bool], Sort::Bool);
    assert_eq!(count(of_bool.clone()), some("4"));
    assert_eq!(
        count(Sort::map(vec![of_bool, Sort::Bool], Sort::Bool)),
        some("256")
    );
    assert_eq!(count(Sort::Float(2, 3)), some("27"));
    assert_eq!(count(Sort::Float(2, 2)), some("15"));
    assert_eq!(
        count(Sort::map(vec![Sort::Int], Sort::BitVec(0))),
        some("1")
    );
    assert_eq!(count(Sort::map(vec![Sort::Int], Sort::Bool)), None);
    assert_eq!(count(Sort::map(vec![Sort::BitVec(64)], Sort::Bool)), None);
}

#[test]
fn reals_print_exactly() {
    let t = Terms::new();
    let real =
        |n: i64, d: i64| t.display(t.real(num_rational::BigRational::new(n.into(), d.into())));
    assert_eq!(real(1, 4), "0.25");
    assert_eq!(real(-3, 2), "-1.5");
    assert_eq!(real(2, 1), "2.0");
    assert_eq!(real(1, 3), "1.0 / 3.0");
}

#[test]
fn a_negative_operand_is_no_negative_summand() {
    let t = Terms::new();
    let (x, y) = xy(&t);
    let remainder = t.modulo(t.neg(x), y);
    assert_eq!(t.display(t.add(&[y, remainder])), "y + -x mod y");
    assert_eq!(t.display(t.sub(y, t.mul(&[t.int(3), x]))), "-3 * x + y");
    assert_eq!(t.display(t.sub(x, t.mul(&[t.int(3), y]))), "x - 3 * y");
}

#[test]
fn long_implications_print_without_recursion() {
    let t = Terms::new();
    let p = t.current("p", Sort::Bool);
    let mut f = t.current("q", Sort::Bool);
    for i in 0..50_000 {
        f = t.implies(t.not(t.apply(&constant(i), &[])), f);
        f = t.implies(p, t.not(f));
    }
    assert!(t.display(f).len() > 50_000);
}

fn constant(number: usize) -> std::sync::Arc<Function> {
    std::sync::Arc::new(Function {
        name: format!("c{number}").into(),
        params: vec![],
        result: Sort::Bool,
    })
}

#[test]
fn comparisons_have_one_normal_form() {
    let t = Terms::new();
    let (x, y) = xy(&t);
    let normal = |f: Term| t.display(t.normalised(f));
    let diff = t.sub(x, y);
    assert_eq!(
        normal(t.and([t.lt(t.int(-1), diff), t.lt(diff, t.int(1))])),
        "x == y"
    );
    assert_eq!(normal(t.lt(t.mul(&[t.int(2), x]), t.int(5))), "x <= 2");
    assert_eq!(normal(t.eq(t.mul(&[t.int(2), x]), t.int(5))), "false");
    assert_eq!(normal(t.le(t.int(3), t.sub(x, y))), "y + 3 <= x");
    assert_eq!(normal(t.le(t.sub(t.int(-3), y), t.int(0))), "-3 <= y");
    let r = t.current("r", Sort::Real);
    let half = t.real(num_rational::BigRational::new(1.into(), 2.into()));
    assert_eq!(
        normal(t.lt(t.mul(&[half, r]), t.to_real(x))),
        "r < 2.0 * real(x)"
    );
}

#[test]
fn terms_of_a_clone_come_back() {
    let here = Terms::new();
    let x = here.current("x", Sort::Int);
    let shared = here.le(here.int(0), x);
    let there = here.clone();
    // Both go on by themselves, so the same handles mean different things.
    let own = here.eq(x, here.int(41));
    let bound = there.fresh_bound("i", Sort::Int);
    let y = there.current("y", Sort::Int);
    let foreign = there.and2(
        shared,
        there.bind(
            BinderKind::Exists,
            &[bound],
            there.eq(bound, there.add(&[y, x])),
            &[],
        ),
    );
    let back = here.import(&there, foreign);
    assert_eq!(
        here.display(back).to_string(),
        there.display(foreign).to_string()
    );
    assert!(here.conjuncts(back).contains(&shared));
    assert_eq!(here.import(&there, shared), shared);
    assert_eq!(here.display(own).to_string(), "x == 41");
    let fresh = here.fresh_bound("i", Sort::Int);
    assert!(!here.post_order(&[back]).contains(&fresh));
    // Into a store that knows nothing of it.
    let empty = Terms::new();
    let copy = empty.import(&there, foreign);
    assert_eq!(
        empty.display(copy).to_string(),
        there.display(foreign).to_string()
    );
}

#[test]
fn bits_of_bits_are_bits_of_the_whole() {
    let t = Terms::new();
    let (v, w) = (
        t.current("v", Sort::BitVec(6)),
        t.current("w", Sort::BitVec(3)),
    );
    let both = t.bv(BvOp::Concat, &[v, w]);
    let (one, other) = (0b10_1101u32, 0b011u32);
    let values = [(v, t.bitvec(one.into(), 6)), (w, t.bitvec(other.into(), 3))];
    let values: HashMap<Term, Term> = values.into_iter().collect();
    let is = |term: Term, value: u32, what: &str| {
        let Sort::BitVec(width) = *t.sort(term) else {
            panic!("{what} has no bits");
        };
        let expected = t.bitvec((value & ((1 << width) - 1)).into(), width);
        assert_eq!(t.substitute(term, &values), expected, "{what}");
    };
    let whole = one << 3 | other;
    for low in 0..9 {
        for high in low + 1..=9 {
            let part = t.extract(both, high, low);
            is(part, whole >> low, "a part of two");
            for start in 0..high - low {
                for end in start + 1..=high - low {
                    let inner = t.extract(part, end, start);
                    is(inner, whole >> (low + start), "a part of a part");
                }
            }
            for middle in low + 1..high {
                let parts = [t.extract(both, high, middle), t.extract(both, middle, low)];
                is(t.bv(BvOp::Concat, &parts), whole >> low, "neighbours");
            }
        }
    }
    // All bytes of a number are the number; others are not.
    let bytes = [t.extract(v, 6, 4), t.extract(v, 4, 2), t.extract(v, 2, 0)];
    let back = |high, middle, low| {
        let below = t.bv(BvOp::Concat, &[middle, low]);
        t.bv(BvOp::Concat, &[high, below])
    };
    assert_eq!(back(bytes[0], bytes[1], bytes[2]), v);
    is(
        back(bytes[2], bytes[1], bytes[0]),
        0b01_1110,
        "turned round",
    );
    is(
        t.bv(BvOp::Concat, &[t.extract(v, 6, 4), t.extract(v, 2, 0)]),
        0b1001,
        "with a gap",
    );
}

#[test]
fn equal_to_a_floating_point_number_is_to_have_its_bits() {
    let t = Terms::new();
    let sort = Sort::Float(3, 4);
    let bits = t.current("b", Sort::BitVec(7));
    let number = |bits: Term| {
        let of_bits = Builtin {
            name: "to_fp".into(),
            indices: vec![3, 4],
            result: sort.clone(),
        };
        t.builtin(&Arc::new(of_bits), &[bits])
    };
    for value in 0u32..128 {
        let literal = number(t.bitvec(value.into(), 7));
        let float = t.as_float(literal).expect("a literal");
        let equal = [t.eq(number(bits), literal), t.eq(literal, number(bits))];
        for equal in equal {
            // NaN has many bits.
            assert_eq!(*t.op(t.args(equal)[0]) == *t.op(bits), !float.is_nan());
            for other in 0u32..128 {
                let other = t.bitvec(other.into(), 7);
                let is_equal = t.substitute(equal, &HashMap::from([(bits, other)]));
                assert_eq!(is_equal, t.bool(number(other) == literal), "{value}");
            }
        }
    }
}

/// Trees and lists of trees: `node(label, sub)`, and `more(first, rest)` or `empty`.
fn forest() -> Vec<DatatypeSort> {
    let constructor = |name: &str, fields: Vec<FieldSort>| ConstructorSort {
        name: name.into(),
        fields: fields.into_iter().map(|sort| ("f".into(), sort)).collect(),
    };
    let tree = DatatypeDeclaration {
        name: "Tree".into(),
        constructors: vec![constructor(
            "node",
            vec![Sort::Int.into(), FieldSort::Member(1)],
        )],
    };
    let forest = DatatypeDeclaration {
        name: "Forest".into(),
        constructors: vec![
            constructor("more", vec![FieldSort::Member(0), FieldSort::Member(1)]),
            constructor("empty", Vec::new()),
        ],
    };
    DatatypeSort::family(vec![tree, forest]).expect("both have values")
}

#[test]
fn datatypes_contain_each_other() {
    let family = forest();
    let [tree, forest] = &family[..] else {
        panic!("two");
    };
    assert!(tree.is_recursive() && forest.is_recursive());
    assert_eq!(tree.field(0, 1), Some(Sort::Datatype(forest.clone())));
    assert_eq!(forest.field(0, 0), Some(Sort::Datatype(tree.clone())));
    assert_eq!(tree.field(0, 2), None);
    // The least values: an empty forest, and a tree with one.
    assert_eq!((tree.lowest(), forest.lowest()), (Some(0), Some(1)));
    let value = Value::any_of(&Sort::Datatype(tree.clone()));
    assert_eq!(value.expect("a value").to_string(), "node(0, empty())");
    let sort = Sort::Datatype(tree.clone());
    assert_eq!((sort.cardinality(), sort.has_maps()), (None, false));
    let parts: Vec<String> = sort.parts().map(|sort| sort.to_string()).collect();
    assert_eq!(parts, ["Tree", "Forest", "Forest", "Tree", "int"]);
}

#[test]
fn what_has_no_values_is_no_datatype() {
    let endless = DatatypeDeclaration {
        name: "Endless".into(),
        constructors: vec![ConstructorSort {
            name: "again".into(),
            fields: vec![("f".into(), FieldSort::Member(0))],
        }],
    };
    assert_eq!(DatatypeSort::family(vec![endless.clone()]), None);
    let mut stranger = endless;
    stranger.constructors[0].fields[0].1 = FieldSort::Member(1);
    assert_eq!(DatatypeSort::family(vec![stranger]), None);
}
