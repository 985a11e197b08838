//! Both strategies on chains of all theories.

mod random;

use std::sync::Arc;
use std::time::Instant;

use num_rational::BigRational;

use super::super::{Strategy, sequence};
use crate::Chain;
use crate::samples::chain;
use ult_core::control::Control;
use ult_core::formula::{BvOp, Function, Sort, Term, Terms, Version};
use ult_core::stats::Statistics;
use ult_smt::{Answer, Session};

/// The first transition, the one that is repeated, the last one.
pub(super) type Loop = [Term; 3];

/// The chain that enters a loop, goes round so many times, and leaves it.
fn unrolled(t: &Terms, [enter, round, leave]: Loop, rounds: usize) -> Chain {
    let mut transitions = vec![enter];
    transitions.extend(std::iter::repeat_n(round, rounds));
    transitions.push(leave);
    chain(t, &transitions)
}

/// Interpolants that a solver of its own found to be inductive.
fn checked(t: &Terms, strategy: &Strategy, chain: &Chain, what: &str) -> Vec<Term> {
    let session = Session::new(t, &[], &Control::unlimited());
    let mut stats = Statistics::default();
    let start = Instant::now();
    let result = sequence(strategy, &session, chain, &mut stats)
        .unwrap_or_else(|why| panic!("{strategy} on {what}: {why:?}"));
    let size: usize = result.iter().map(|&i| t.size(i)).sum();
    println!("{strategy} {what}: {:?}, size {size}", start.elapsed());
    assert_eq!(result.len(), chain.cuts.len());
    let session = Session::new(t, &[], &Control::unlimited());
    let mut before = t.tt();
    for (i, &step) in chain.steps.iter().enumerate() {
        let after = result.get(i).map_or(t.ff(), |&state| {
            let cut = &chain.cuts[i];
            let instances = cut.state.iter().map(|(&at, &var)| (var, at)).collect();
            let placed = t.substitute(state, &instances);
            for var in t.free_vars(&[placed]) {
                assert!(cut.live.contains(&var), "{}", t.display(state));
            }
            placed
        });
        assert_eq!(
            session.solver().check(&[before, step, t.not(after)], None),
            Answer::Unsat,
            "{strategy} on {what}: {} does not lead to {}",
            t.display(before),
            t.display(after)
        );
        before = after;
    }
    result
}

/// Both strategies on a loop, unrolled some times, with a bound for the nodes of one interpolant.
fn both(loop_of: impl Fn(&Terms) -> Loop, what: &str, rounds: &[usize], most: usize) {
    for strategy in [Strategy::Forward, Strategy::Backward] {
        for &rounds in rounds {
            let t = Terms::new();
            let chain = unrolled(&t, loop_of(&t), rounds);
            let result = checked(&t, &strategy, &chain, &format!("{what} {rounds}"));
            for &interpolant in &result {
                assert!(
                    t.size(interpolant) <= most,
                    "{strategy} on {what} {rounds}: {}",
                    t.display(interpolant)
                );
            }
            if std::env::var_os("SHOW").is_some() {
                for &i in &result {
                    println!("    {}", t.display(i));
                }
            }
        }
    }
}

fn int(t: &Terms, name: &str) -> (Term, Term) {
    (t.current(name, Sort::Int), t.next(name, Sort::Int))
}

fn unchanged(t: &Terms, vars: &[(Term, Term)]) -> Term {
    t.and(vars.iter().map(|&(now, then)| t.eq(then, now)))
}

/// Program P of the paper in large blocks.
fn seed(t: &Terms) -> Loop {
    let [(n, n1), (x, x1), (y, y1), (z, z1)] = ["n", "x", "y", "z"].map(|v| int(t, v));
    let zero = t.int(0);
    let aux = |name, number| t.var(name, Version::Aux(number), Sort::Int);
    let moved = |up: Term, up1: Term, down: Term, down1: Term| {
        t.or([
            unchanged(t, &[(up, up1), (down, down1)]),
            t.and([
                t.eq(up1, t.add(&[up, t.int(1)])),
                t.eq(down1, t.sub(down, t.int(1))),
            ]),
        ])
    };
    let (xa, ya, za) = (aux("x", 1), aux("y", 2), aux("z", 3));
    [
        t.and([t.eq(n1, x1), t.eq(y1, zero), t.eq(z1, zero)]),
        t.and([
            t.neq(x, zero),
            moved(x, xa, y, ya),
            moved(ya, y1, z, za),
            moved(za, z1, xa, x1),
            t.eq(n1, n),
        ]),
        t.and([t.eq(x, zero), t.neq(n, t.add(&[y, z]))]),
    ]
}

#[test]
fn the_papers_program() {
    both(seed, "seed", &[1, 2, 3], 120);
}

#[test]
fn counters_and_parity() {
    let even = |t: &Terms| -> Loop {
        let (x, x1) = int(t, "x");
        [
            t.eq(x1, t.int(0)),
            t.eq(x1, t.add(&[x, t.int(2)])),
            t.eq(x, t.int(1)),
        ]
    };
    both(even, "even", &[1, 2, 3, 5], 20);
    let modulo = |t: &Terms| -> Loop {
        let [(x, x1), (y, y1)] = ["x", "y"].map(|v| int(t, v));
        let (two, three) = (t.int(2), t.int(3));
        [
            t.and([t.eq(t.modulo(x1, two), t.int(0)), t.eq(y1, t.int(0))]),
            t.and([
                t.eq(x1, t.add(&[x, two])),
                t.eq(y1, t.modulo(t.add(&[y, t.int(1)]), three)),
            ]),
            t.or([t.eq(t.modulo(x, two), t.int(1)), t.lt(t.int(2), y)]),
        ]
    };
    both(modulo, "modulo", &[1, 2, 3, 5], 60);
    let sum = |t: &Terms| -> Loop {
        let [(x, x1), (y, y1), (s, s1)] = ["x", "y", "s"].map(|v| int(t, v));
        let aux = t.var("d", Version::Aux(7), Sort::Int);
        [
            t.and([x1, y1, s1].map(|v| t.eq(v, t.int(0)))),
            t.and([
                t.le(t.int(0), aux),
                t.le(aux, t.int(3)),
                t.eq(x1, t.add(&[x, aux])),
                t.eq(y1, t.add(&[y, t.int(1)])),
                t.eq(s1, t.add(&[s, aux, t.int(1)])),
            ]),
            t.neq(s, t.add(&[x, y])),
        ]
    };
    both(sum, "sum", &[1, 2, 3, 5], 40);
}

#[test]
fn reals() {
    let decay = |t: &Terms| -> Loop {
        let (r, r1) = (t.current("r", Sort::Real), t.next("r", Sort::Real));
        let number = |a: i64, b: i64| t.real(BigRational::new(a.into(), b.into()));
        let step = t.var("h", Version::Aux(1), Sort::Real);
        [
            t.and([t.lt(number(0, 1), r1), t.le(r1, number(1, 1))]),
            t.and([
                t.lt(number(0, 1), step),
                t.le(step, number(1, 2)),
                t.eq(
                    r1,
                    t.add(&[t.mul(&[number(1, 2), r]), t.mul(&[number(1, 2), step])]),
                ),
            ]),
            t.lt(number(3, 2), r),
        ]
    };
    both(decay, "decay", &[1, 2, 3, 5], 30);
}

#[test]
fn maps() {
    let map = Sort::map(vec![Sort::Int], Sort::Int);
    let fill = |t: &Terms| -> Loop {
        let (m, m1) = (t.current("m", map.clone()), t.next("m", map.clone()));
        let [(i, i1), (k, k1)] = ["i", "k"].map(|v| int(t, v));
        [
            t.and([t.eq(i1, t.int(0)), t.le(t.int(0), k1)]),
            t.and([
                t.eq(m1, t.store(m, &[i], t.int(7))),
                t.eq(i1, t.add(&[i, t.int(1)])),
                t.eq(k1, k),
            ]),
            t.and([t.lt(k, i), t.neq(t.select(m, &[k]), t.int(7))]),
        ]
    };
    both(fill, "fill", &[1, 2, 3, 5], 120);
    let guarded = |t: &Terms| -> Loop {
        let (m, m1) = (t.current("m", map.clone()), t.next("m", map.clone()));
        let (i, i1) = int(t, "i");
        [
            t.and([
                t.eq(t.select(m1, &[t.int(1)]), t.int(5)),
                t.eq(i1, t.int(2)),
            ]),
            t.and([
                t.eq(m1, t.store(m, &[i], t.add(&[i, t.select(m, &[i])]))),
                t.eq(i1, t.add(&[i, t.int(2)])),
            ]),
            t.neq(t.select(m, &[t.int(1)]), t.int(5)),
        ]
    };
    both(guarded, "guarded", &[1, 2, 3, 5], 60);
}

#[test]
fn uninterpreted_functions() {
    let walk = |t: &Terms| -> Loop {
        let function = |name: &str| {
            Arc::new(Function {
                name: name.into(),
                params: vec![Sort::Int],
                result: Sort::Int,
            })
        };
        let f = function("f");
        let [(x, x1), (y, y1)] = ["x", "y"].map(|v| int(t, v));
        let of = |x: Term| t.apply(&f, &[x]);
        [
            t.eq(x1, y1),
            t.and([t.eq(x1, of(x)), t.eq(y1, of(y))]),
            t.neq(x, y),
        ]
    };
    both(walk, "walk", &[1, 2, 3, 5], 20);
    let fixed = |t: &Terms| -> Loop {
        let f = Arc::new(Function {
            name: "f".into(),
            params: vec![Sort::Int],
            result: Sort::Int,
        });
        let (x, x1) = int(t, "x");
        let of = |x: Term| t.apply(&f, &[x]);
        [
            t.and([
                t.eq(of(of(x1)), x1),
                t.lt(t.int(0), x1),
                t.lt(t.int(0), of(x1)),
            ]),
            t.eq(x1, of(x)),
            t.le(x, t.int(0)),
        ]
    };
    both(fixed, "fixed", &[1, 2, 3, 5], 40);
}

#[test]
fn flags_and_states() {
    let locks = |t: &Terms| -> Loop {
        let pairs: Vec<[(Term, Term); 2]> = (0..10)
            .map(|i| {
                ["p", "l"].map(|v| {
                    let name = format!("{v}{i}");
                    (
                        t.current(name.clone(), Sort::Bool),
                        t.next(name, Sort::Bool),
                    )
                })
            })
            .collect();
        // A lock is taken under its condition, and given back under it; else an error.
        let round = t.and(pairs.iter().map(|&[(p, p1), (l, l1)]| {
            let _ = l;
            t.and([t.eq(l1, p), t.or([p1, t.not(p1)]), t.eq(p1, p)])
        }));
        let error = t.or(pairs.iter().map(|&[(p, _), (l, _)]| t.and([p, t.not(l)])));
        let enter = t.and(pairs.iter().map(|&[(_, p1), (_, l1)]| t.eq(p1, l1)));
        [enter, round, error]
    };
    both(locks, "locks", &[1, 2, 3], 120);
    both(|t| machine(t, 12), "machine", &[1, 2, 3, 5], 300);
}

/// A state machine that goes from state to state and counts; some states set a flag that others
/// ask for.
fn machine(t: &Terms, states: i64) -> Loop {
    let [(s, s1), (c, c1)] = ["s", "c"].map(|v| int(t, v));
    let (b, b1) = (t.current("b", Sort::Bool), t.next("b", Sort::Bool));
    let moves = t.or((0..states).map(|i| {
        let next = t.int((i + 1) % states);
        let (count, flag) = match i % 3 {
            0 => (t.eq(c1, t.add(&[c, t.int(1)])), b1),
            1 => (t.eq(c1, c), t.eq(b1, b)),
            _ => (t.eq(c1, t.add(&[c, t.int(2)])), t.and([b, t.not(b1)])),
        };
        t.and([t.eq(s, t.int(i)), t.eq(s1, next), count, flag])
    }));
    [
        t.and([t.eq(s1, t.int(0)), t.eq(c1, t.int(0)), t.not(b1)]),
        moves,
        t.or([t.lt(c, t.int(0)), t.and([t.eq(s, t.int(1)), t.not(b)])]),
    ]
}

#[test]
fn bit_vectors() {
    let bits = |t: &Terms, n: u32, width: u32| t.bitvec(n.into(), width);
    for width in [8, 32] {
        let sort = Sort::BitVec(width);
        let even = |t: &Terms| -> Loop {
            let (x, x1) = (t.current("x", sort.clone()), t.next("x", sort.clone()));
            [
                t.eq(x1, bits(t, 0, width)),
                t.eq(x1, t.bv(BvOp::Add, &[x, bits(t, 2, width)])),
                t.eq(x, bits(t, 1, width)),
            ]
        };
        both(even, &format!("bv{width} even"), &[1, 2, 3, 5], 40);
        let bounded = |t: &Terms| -> Loop {
            let (x, x1) = (t.current("x", sort.clone()), t.next("x", sort.clone()));
            [
                t.eq(x1, bits(t, 0, width)),
                t.and([
                    t.bv(BvOp::Ult, &[x, bits(t, 100, width)]),
                    t.eq(x1, t.bv(BvOp::Add, &[x, bits(t, 1, width)])),
                ]),
                t.bv(BvOp::Ult, &[bits(t, 100, width), x]),
            ]
        };
        both(bounded, &format!("bv{width} bounded"), &[1, 2, 3, 5], 40);
        let equal = |t: &Terms| -> Loop {
            let pair = |v: &str| (t.current(v, sort.clone()), t.next(v, sort.clone()));
            let [(x, x1), (y, y1), (n, n1)] = ["x", "y", "n"].map(pair);
            let one = bits(t, 1, width);
            [
                t.and([t.eq(x1, n1), t.eq(y1, bits(t, 0, width))]),
                t.and([
                    t.neq(x, bits(t, 0, width)),
                    t.eq(x1, t.bv(BvOp::Sub, &[x, one])),
                    t.eq(y1, t.bv(BvOp::Add, &[y, one])),
                    t.eq(n1, n),
                ]),
                t.and([t.eq(x, bits(t, 0, width)), t.neq(y, n)]),
            ]
        };
        both(equal, &format!("bv{width} equal"), &[1, 2, 3, 5], 60);
    }
}
