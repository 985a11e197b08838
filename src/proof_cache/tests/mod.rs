//! Texts and back, keys, and stores that somebody has been at.

mod hostile;
mod keys;
mod round_trip;
mod stores;

use std::collections::BTreeMap;
use std::sync::Arc;

use ult_core::formula::{
    BinderKind, Builtin, ConstructorSort, Function, Sort, Term, Terms, Version,
};
use ult_core::graph::evidence::{Argument, Invariants};
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};

use super::Evidence;

/// A graph with variables of many sorts, a function, an axiom about it, and a loop.
struct Example {
    terms: Terms,
    graph: ProgramGraph,
    head: LocationId,
    error: LocationId,
}

fn pair() -> Sort {
    Sort::datatype(
        "a pair",
        vec![
            ConstructorSort {
                name: "none".into(),
                fields: Vec::new(),
            },
            ConstructorSort {
                name: "both %".into(),
                fields: vec![
                    ("x".into(), Sort::Int.into()),
                    ("y".into(), Sort::Bool.into()),
                ],
            },
        ],
    )
}

fn function() -> Arc<Function> {
    Arc::new(Function {
        name: "f é".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    })
}

fn example() -> Example {
    let terms = Terms::new();
    let mut graph = ProgramGraph::new("p");
    let int = Sort::Int;
    for (name, sort) in [
        ("n", int.clone()),
        ("r", Sort::Real),
        ("b", Sort::BitVec(32)),
        ("d", Sort::Float(8, 24)),
        ("m", Sort::map(vec![int.clone(), Sort::Bool], int.clone())),
        ("u", Sort::Uninterpreted("T".into())),
        ("p", pair()),
    ] {
        graph.variables.insert(name.into(), sort);
    }
    graph.functions.push(function());
    let x = terms.fresh_bound("x", int.clone());
    let applied = terms.apply(&function(), &[x]);
    let body = terms.le(x, applied);
    graph
        .axioms
        .push(terms.bind(BinderKind::Forall, &[x], body, &[vec![applied]]));
    let head = graph.graph.add_node(Location::named("head"));
    let error = graph.graph.add_node(Location {
        error: Some("bad".into()),
        ..Location::named("bad")
    });
    let n = terms.current("n", int.clone());
    let aux = terms.fresh_aux("any", int.clone());
    let step = terms.and([
        terms.eq(terms.next("n", int.clone()), terms.add(&[n, aux])),
        terms.le(terms.int(0), aux),
        terms.le(aux, terms.apply(&function(), &[n])),
    ]);
    let edges = [
        (
            graph.initial,
            head,
            Transition::assume(terms.eq(n, terms.int(0))),
        ),
        (
            head,
            head,
            Transition {
                formula: step,
                changed: [Arc::from("n")].into(),
            },
        ),
        (head, error, Transition::assume(terms.lt(n, terms.int(0)))),
    ];
    for (from, to, transition) in edges {
        let edge = Edge::new(transition, None);
        graph.graph.add_edge(from, to, edge);
    }
    Example {
        terms,
        graph,
        head,
        error,
    }
}

impl Example {
    fn variable(&self, name: &str) -> Term {
        let sort = self.graph.variables[name].clone();
        self.terms.var(name, Version::Current, sort)
    }

    /// A formula with all kinds of operators.
    fn formula(&self) -> Term {
        let t = &self.terms;
        let [n, r, b, d, m, p] = ["n", "r", "b", "d", "m", "p"].map(|name| self.variable(name));
        let x = t.fresh_bound("x y", Sort::Int);
        let y = t.fresh_bound("x y", Sort::Int);
        let at = t.select(m, &[x, t.tt()]);
        let inner = t.bind(
            BinderKind::Exists,
            &[y],
            t.lt(t.select(m, &[y, t.ff()]), t.mul(&[at, n])),
            &[],
        );
        let all = t.bind(
            BinderKind::Forall,
            &[x],
            t.or2(inner, t.lt(x, n)),
            &[vec![at], vec![x]],
        );
        let lambda = t.bind(
            BinderKind::Lambda,
            &[x, t.fresh_bound("q", Sort::Bool)],
            t.add(&[x, n]),
            &[],
        );
        let is_nan = Arc::new(Builtin {
            name: "fp.isNaN".into(),
            indices: Vec::new(),
            result: Sort::Bool,
        });
        t.and([
            all,
            t.eq(m, t.store(lambda, &[n, t.tt()], t.int(-7))),
            t.neq(m, t.const_map(t.sort(m).clone(), t.modulo(n, t.int(3)))),
            t.builtin(&is_nan, &[d]),
            t.or2(t.is(p, 1), t.lt(t.field(p, 1, 0), t.to_int(r))),
            t.eq(
                p,
                t.construct(&pair(), 1, &[t.apply(&function(), &[n]), t.tt()]),
            ),
            t.lt(
                r,
                t.real_div(
                    t.to_real(n),
                    t.real(num_rational::BigRational::new((-2).into(), 3.into())),
                ),
            ),
            t.bv(
                ult_core::formula::BvOp::Slt,
                &[t.extract(b, 16, 8), t.bitvec(200u32.into(), 8)],
            ),
            t.distinct(&[
                n,
                t.div(n, t.int(2)),
                t.int(num_bigint::BigInt::from(1) << 90),
            ]),
            t.eq(
                t.sign_extend(b, 4),
                t.bv(
                    ult_core::formula::BvOp::Add,
                    &[t.zero_extend(b, 4), t.sign_extend(b, 4)],
                ),
            ),
            t.ite(t.lt(n, t.int(5)), t.eq(n, t.int(1)), t.eq(n, t.int(2))),
        ])
    }

    /// A proof with that formula, and everything else that a proof may have.
    fn evidence(&self) -> Evidence {
        Evidence {
            proofs: vec![Invariants {
                at: BTreeMap::from([(self.head, self.formula())]),
                exempt: [self.head].into(),
                arguments: [(
                    self.error,
                    Argument::Inductive(3.try_into().unwrap_or(std::num::NonZeroU32::MIN)),
                )]
                .into(),
            }],
            runs: BTreeMap::new(),
        }
    }
}
