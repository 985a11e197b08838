//! Random terms: the translation has the value of the original, and so has the way back.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use proptest::prelude::*;

use super::super::classes::Signs;
use super::super::context::Context;
use super::super::to_bits::ToBits;
use super::super::to_integers::{ToIntegers, Value as Translated};
use ult_core::formula::eval::signed;
use ult_core::formula::value::{Entries, MapValue};
use ult_core::formula::{
    BvOp, Function, Interpretation, Op, Sort, Term, Terms, Value, Var, Version, eval,
};

const WIDTH: u32 = 5;

const OPERATORS: &[BvOp] = &[
    BvOp::Not,
    BvOp::Neg,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Nand,
    BvOp::Nor,
    BvOp::Xnor,
    BvOp::Add,
    BvOp::Add,
    BvOp::Sub,
    BvOp::Sub,
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::Smod,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
];

type Recipe = Vec<(u8, u8, u8, u8)>;

fn sort() -> Sort {
    Sort::BitVec(WIDTH)
}

fn function() -> Arc<Function> {
    Arc::new(Function {
        name: "f".into(),
        params: vec![sort()],
        result: sort(),
    })
}

/// Grows terms; the last one of each kind is the most interesting.
fn grow(t: &Terms, recipe: &Recipe) -> (Vec<Term>, Vec<Term>) {
    let var = |name: &str, sort| t.var(name, Version::At(0), sort);
    let map = var("m", Sort::map(vec![sort()], sort()));
    let mut bits = vec![
        var("x", sort()),
        var("y", sort()),
        var("z", sort()),
        t.bitvec(1u32.into(), WIDTH),
        t.bitvec(30u32.into(), WIDTH),
        t.bitvec(12u32.into(), WIDTH),
    ];
    let mut bools = vec![var("p", Sort::Bool), t.bv(BvOp::Ult, &[bits[0], bits[5]])];
    for &(op, a, b, c) in recipe {
        let at = |pool: &[Term], i: u8| pool[usize::from(i) % pool.len()];
        let (x, y) = (at(&bits, a), at(&bits, b));
        let (p, q) = (at(&bools, a), at(&bools, b));
        match op % 14 {
            0..=3 => {
                let op = OPERATORS[usize::from(c) % OPERATORS.len()];
                let args = if matches!(op, BvOp::Not | BvOp::Neg) {
                    vec![x]
                } else {
                    vec![x, y]
                };
                bits.push(t.bv(op, &args));
            }
            4 | 5 => {
                let op = BvOp::COMPARISONS[usize::from(c) % BvOp::COMPARISONS.len()];
                bools.push(t.bv(op, &[x, y]));
            }
            6 => bools.push(t.eq(x, y)),
            7 => bools.push(t.and([p, q])),
            8 => bools.push(t.or([p, t.not(q)])),
            9 => bits.push(t.ite(at(&bools, c), x, y)),
            10 => {
                let both = t.bv(BvOp::Concat, &[x, y]);
                let low = u32::from(c) % WIDTH;
                bits.push(t.extract(both, low + WIDTH, low));
            }
            11 => {
                let by = u32::from(c) % WIDTH;
                let wide = if b % 2 == 0 {
                    t.zero_extend(x, by)
                } else {
                    t.sign_extend(x, by)
                };
                bits.push(t.extract(wide, WIDTH + by, by));
            }
            12 => bits.push(t.apply(&function(), &[x])),
            _ => bits.push(t.select(t.store(map, &[x], y), &[at(&bits, c)])),
        }
    }
    (bits, bools)
}

/// Values for the original variables.
#[derive(Clone, Debug)]
struct Original {
    values: [u32; 3],
    flag: bool,
}

impl Interpretation for Original {
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value> {
        let at = ["x", "y", "z"].iter().position(|&name| *name == *var.name);
        Some(match (at, sort) {
            (Some(at), _) => Value::BitVec(self.values[at].into(), WIDTH),
            (_, Sort::Bool) => Value::Bool(self.flag),
            _ => Value::Map(Arc::new(MapValue {
                domain: vec![Sort::BitVec(WIDTH)],
                default: Value::BitVec(3u32.into(), WIDTH),
                entries: Entries::from_iter([(
                    vec![Value::BitVec(1u32.into(), WIDTH)],
                    Value::BitVec(30u32.into(), WIDTH),
                )]),
            })),
        })
    }

    fn function(&self, _: &Arc<Function>, args: &[Value]) -> Option<Value> {
        match args {
            [Value::BitVec(x, _)] => Some(Value::BitVec(
                (x * 3u32 + 1u32) % BigUint::from(1u32 << WIDTH),
                WIDTH,
            )),
            _ => None,
        }
    }
}

/// The same values for the translation; opaque variables have the value of what they stand for.
struct OfIntegers<'a, 't> {
    way: &'a ToIntegers<'t>,
    original: &'a Original,
}

impl Interpretation for OfIntegers<'_, '_> {
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value> {
        let terms = self.way.terms;
        let term = terms.var(var.name.clone(), var.version, sort.clone());
        let Some(leaf) = self.way.leaves.get(&term) else {
            return self.original.variable(var, sort);
        };
        match eval(terms, leaf.original, self.original).ok()? {
            Value::BitVec(value, _) if *sort == Sort::Bool => {
                Some(Value::Bool(value == 1u32.into()))
            }
            Value::BitVec(value, width) if self.way.reading(term) => {
                Some(Value::Int(signed(&value, width)))
            }
            Value::BitVec(value, _) => Some(Value::int(value)),
            Value::Map(map) => {
                let number = |value: &Value| match value {
                    Value::BitVec(value, _) => Value::int(value.clone()),
                    other => other.clone(),
                };
                Some(Value::Map(Arc::new(MapValue {
                    domain: vec![Sort::Int],
                    default: number(&map.default),
                    entries: map
                        .entries
                        .iter()
                        .map(|(key, value)| (key.iter().map(number).collect(), number(value)))
                        .collect(),
                })))
            }
            other => Some(other),
        }
    }

    fn function(&self, _: &Arc<Function>, args: &[Value]) -> Option<Value> {
        match args {
            [Value::Int(x)] => {
                let result = x * 3 + 1;
                let modulus = BigInt::from(1u32 << WIDTH);
                Some(Value::Int(((result % &modulus) + &modulus) % modulus))
            }
            _ => None,
        }
    }
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Int(value) => value.to_i64().unwrap_or(i64::MAX),
        Value::BitVec(value, _) => value.to_i64().unwrap_or(i64::MAX),
        _ => i64::MIN,
    }
}

fn recipe() -> impl Strategy<Value = Recipe> {
    proptest::collection::vec(any::<(u8, u8, u8, u8)>(), 1..25)
}

fn original() -> impl Strategy<Value = Original> {
    (any::<[u32; 3]>(), any::<bool>()).prop_map(|(values, flag)| Original {
        values: values.map(|v| v % (1 << WIDTH)),
        flag,
    })
}

fn translation<'t>(t: &'t Terms, formulas: &[Term], all_signed: bool) -> ToIntegers<'t> {
    let mut way = ToIntegers::new(t, formulas);
    if all_signed {
        way.signs = Signs::everywhere();
    }
    way
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_are_kept(recipe in recipe(), original in original(), read_signed in any::<bool>()) {
        let t = Terms::new();
        let (bits, bools) = grow(&t, &recipe);
        let mut way = translation(&t, &bits, read_signed);
        let mut context = Context::default();
        for term in bits {
            let expected = eval(&t, term, &original).unwrap();
            let (sum, width) = way.bits_of(term, &mut context);
            for signed_reading in [false, true] {
                let exact = way.exact(&sum, width, signed_reading, &mut context);
                let value = eval(&t, exact, &OfIntegers { way: &way, original: &original }).unwrap();
                let mut wanted = number(&expected);
                if signed_reading && wanted >= 1 << (WIDTH - 1) {
                    wanted -= 1 << WIDTH;
                }
                prop_assert_eq!(number(&value), wanted, "{}: {}", t.display(term), t.display(exact));
                let range = way.range(exact, &mut context);
                let (low, high) = range.both().unwrap();
                prop_assert!(low.to_i64() <= Some(wanted) && Some(wanted) <= high.to_i64());
            }
        }
        for term in bools {
            let expected = eval(&t, term, &original).unwrap();
            let Translated::Plain(translated) = way.value(term, &mut context) else {
                panic!("a formula became a number");
            };
            let value = eval(&t, translated, &OfIntegers { way: &way, original: &original });
            prop_assert_eq!(value, Ok(expected), "{}", t.display(term));
        }
    }

    /// Bounds that conjuncts and guards of branches give each other change no truth value, and
    /// what is stated about opaque integers is true.
    #[test]
    fn steps_keep_their_truth(recipe in recipe(), original in original(), read_signed in any::<bool>()) {
        let t = Terms::new();
        let (_, bools) = grow(&t, &recipe);
        let mut way = translation(&t, &bools, read_signed);
        let last: Vec<Term> = bools.iter().rev().take(6).copied().collect();
        let guarded = t.or([t.and(last[..1].iter().copied()), t.and(last.iter().copied())]);
        for formula in [t.and(last.iter().copied()), t.and2(bools[1], guarded)] {
            let expected = eval(&t, formula, &original).unwrap();
            let step = way.step(formula);
            let value = eval(&t, step, &OfIntegers { way: &way, original: &original });
            prop_assert_eq!(
                value, Ok(expected.clone()),
                "{} became {}", t.display(formula), t.display(step)
            );
            let mut to_bits = ToBits::new(&way);
            if let Ok(back) = to_bits.formula(step) {
                let inside = t.post_order(&[back]);
                prop_assert!(inside.iter().all(|&s| !matches!(t.op(s), Op::Int(_))));
                let value = eval(&t, back, &original);
                prop_assert_eq!(
                    value, Ok(expected),
                    "{} became {} became {}", t.display(formula), t.display(step), t.display(back)
                );
            }
        }
    }
}
