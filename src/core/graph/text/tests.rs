//! Tests of the text form.

use std::sync::Arc;

use num_bigint::BigUint;
use num_rational::BigRational;
use ult_lang::parse::parse_graph;

use super::*;
use crate::formula::{BinderKind, Builtin};
use crate::graph::{Location, LocationId, Transition};

/// A graph to which locations and edges are added by name.
struct Builder<'t> {
    terms: &'t Terms,
    graph: ProgramGraph,
}

impl<'t> Builder<'t> {
    fn new(terms: &'t Terms, name: &str, variables: &[(&str, Sort)]) -> Builder<'t> {
        let mut graph = ProgramGraph::new(name);
        for (name, sort) in variables {
            graph.variables.insert((*name).into(), sort.clone());
        }
        Builder { terms, graph }
    }

    fn location(&mut self, name: &str) -> LocationId {
        self.graph.graph.add_node(Location::named(name))
    }

    fn error(&mut self, name: &str, what: &str) -> LocationId {
        let id = self.location(name);
        self.graph.graph[id].error = Some(what.into());
        id
    }

    fn edge(&mut self, from: LocationId, to: LocationId, formula: Term, changed: &[&str]) {
        let transition = Transition {
            formula,
            changed: changed.iter().map(|&name| Arc::from(name)).collect(),
        };
        let edge = Edge::new(transition, Some(Origin(from.index() as u32)));
        self.graph.graph.add_edge(from, to, edge);
    }

    fn text(&self) -> String {
        assert_eq!(self.graph.check(self.terms), Ok(()));
        let text = print(self.terms, &[&self.graph], Options::default());
        self.reads_back(&text);
        text
    }

    /// The text is a text of the language and has the parts of the graph.
    fn reads_back(&self, text: &str) {
        let (file, diagnostics) = parse_graph(text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
        let [graph] = &file.graphs[..] else {
            panic!("one graph")
        };
        assert_eq!(graph.name.name, self.graph.name);
        let variables: Vec<&str> = graph
            .vars
            .iter()
            .flat_map(|group| &group.names)
            .map(|n| &*n.name)
            .collect();
        let expected: Vec<&str> = self.graph.variables.keys().map(|n| &**n).collect();
        assert_eq!(variables, expected);
        let locations: Vec<&str> = graph.locations.iter().map(|l| &*l.name.name).collect();
        assert_eq!(locations.len(), self.graph.graph.node_count());
        assert_eq!(graph.edges.len(), self.graph.graph.edge_count());
        for (read, edge) in graph.edges.iter().zip(self.graph.graph.edge_references()) {
            assert_eq!(&*read.from.name, locations[edge.source().index()]);
            assert_eq!(&*read.to.name, locations[edge.target().index()]);
            let formula = edge.weight().transition.formula;
            let primed = self.terms.names_of(&[formula], Version::Next);
            let changed: BTreeSet<Arc<str>> = read
                .havocs
                .iter()
                .map(|n| n.name.clone())
                .chain(primed.into_keys())
                .collect();
            assert_eq!(changed, edge.weight().transition.changed);
        }
    }
}

fn function(name: &str, params: &[Sort], result: Sort) -> Arc<Function> {
    Arc::new(Function {
        name: name.into(),
        params: params.to_vec(),
        result,
    })
}

#[test]
fn a_loop() {
    let t = Terms::new();
    let mut b = Builder::new(
        &t,
        "main",
        &[("x", Sort::Int), ("y", Sort::Int), ("b", Sort::Bool)],
    );
    let (x, y) = (t.current("x", Sort::Int), t.current("y", Sort::Int));
    let (x1, y1) = (t.next("x", Sort::Int), t.next("y", Sort::Int));
    let start = b.graph.initial;
    let head = b.location("loop");
    b.graph.graph[head].loop_head = true;
    let bad = b.error("bad", "assertion \"x == y\" may be\nviolated");
    b.edge(
        start,
        head,
        t.and([t.eq(x1, t.int(0)), t.eq(y1, t.int(0))]),
        &["x", "y"],
    );
    let step = t.and([
        t.eq(x1, t.add(&[x, t.int(1)])),
        t.eq(y1, t.add(&[y, t.int(1)])),
    ]);
    b.edge(head, head, step, &["x", "y", "b"]);
    b.edge(head, head, t.tt(), &["b"]);
    b.edge(head, bad, t.neq(x, y), &[]);
    let comment = |origin: Origin| (origin.0 > 0).then(|| format!("line {}", origin.0));
    let options = Options {
        comment: Some(&comment),
    };
    insta::assert_snapshot!(print(&t, &[&b.graph], options), @r#"
    graph main {
      var x, y: int;
      var b: bool;
      init start;
      location {:loop_head} loop;
      error bad "assertion \"x == y\" may be violated";

      start -> loop: x' == 0 && y' == 0;
      loop -> loop { // line 1
        havoc b;
        x' == x + 1 && y' == y + 1
      }
      loop -> loop { havoc b; } // line 1
      loop -> bad: x != y; // line 1
    }
    "#);
}

#[test]
fn auxiliaries_and_shared_terms_are_named() {
    let t = Terms::new();
    let mut b = Builder::new(
        &t,
        "main",
        &[("x", Sort::Int), ("y", Sort::Int), ("d1", Sort::Int)],
    );
    let (x, y) = (t.current("x", Sort::Int), t.current("y", Sort::Int));
    let (x1, y1) = (t.next("x", Sort::Int), t.next("y", Sort::Int));
    let (a, c) = (t.fresh_aux("x", Sort::Int), t.fresh_aux("x#7", Sort::Int));
    let shared = t.ite(t.lt(x, y), t.add(&[a, c]), t.mul(&[x, y]));
    let formula = t.and([
        t.eq(x1, t.add(&[shared, t.int(1)])),
        t.eq(y1, t.sub(t.int(0), shared)),
        t.lt(a, c),
    ]);
    let start = b.graph.initial;
    b.edge(start, start, formula, &["x", "y"]);
    insta::assert_snapshot!(b.text(), @r#"
    graph main {
      var x, y, d1: int;
      init start;

      start -> start {
        local x#1: int;
        local x#7: int;
        let d1#1 := (if x < y then x#1 + x#7 else x * y);
        x' == d1#1 + 1 && y' == -d1#1 && x#1 < x#7
      }
    }
    "#);
}

#[test]
fn unusual_names_are_quoted_and_clashes_avoided() {
    let t = Terms::new();
    let list = Sort::Uninterpreted("List int".into());
    let map = Sort::map(
        vec![Sort::Int, list.clone()],
        Sort::map(vec![Sort::Bool], Sort::Real),
    );
    let mut b = Builder::new(
        &t,
        "a`b",
        &[
            ("error", Sort::Int),
            ("c", map.clone()),
            ("l'", list.clone()),
        ],
    );
    let constant = function("c", &[], Sort::Int);
    let head = function("List.head", std::slice::from_ref(&list), Sort::Int);
    b.graph.functions = vec![constant.clone(), head.clone()];
    let l = t.next("l'", list.clone());
    let error = t.next("error", Sort::Int);
    let start = b.graph.initial;
    let other = b.location("start");
    let formula = t.and([
        t.eq(error, t.apply(&constant, &[])),
        t.eq(t.apply(&head, &[l]), error),
    ]);
    b.edge(start, other, formula, &["error", "l'"]);
    insta::assert_snapshot!(b.text(), @r#"
    type `List int`;
    const c#1: int;
    function List.head(`List int`) returns (int);

    graph `a``b` {
      var `error`: int;
      var c: [int, `List int`][bool]real;
      var `l'`: `List int`;
      init start;
      location start#1;

      start -> start#1: `error`' == c#1 && `error`' == List.head(`l'`');
    }
    "#);
}

#[test]
fn operators_without_notation_are_declared() {
    let t = Terms::new();
    let byte = Sort::BitVec(8);
    let float = Sort::Float(8, 24);
    let mut b = Builder::new(
        &t,
        "main",
        &[
            ("x", byte.clone()),
            ("w", Sort::BitVec(32)),
            ("f", float.clone()),
            ("bvadd8", Sort::Bool),
        ],
    );
    let x = t.current("x", byte.clone());
    let w1 = t.next("w", Sort::BitVec(32));
    let f1 = t.next("f", float.clone());
    let sum = t.bv(BvOp::Add, &[x, t.bitvec(BigUint::from(200u32), 8)]);
    let to_fp = Arc::new(Builtin {
        name: "to_fp".into(),
        indices: vec![8, 24],
        result: float,
    });
    let consts: Vec<Term> = ["p", "q", "r"]
        .iter()
        .map(|name| t.apply(&function(name, &[], Sort::Int), &[]))
        .collect();
    b.graph.axioms = vec![t.distinct(&consts)];
    let formula = t.and([
        t.eq(w1, t.zero_extend(sum, 24)),
        t.eq(f1, t.builtin(&to_fp, &[w1])),
        t.bv(
            BvOp::Slt,
            &[
                t.extract(w1, 12, 4),
                t.bv(BvOp::Concat, &[t.extract(x, 4, 0), t.extract(x, 8, 4)]),
            ],
        ),
    ]);
    let start = b.graph.initial;
    b.edge(start, start, formula, &["w", "f"]);
    insta::assert_snapshot!(b.text(), @r#"
    const p: int;
    const q: int;
    const r: int;
    function {:bvbuiltin "bvadd"} bvadd8#1(bv8, bv8) returns (bv8);
    function {:bvbuiltin "zero_extend 24"} zero_extend_8_32(bv8) returns (bv32);
    function {:builtin "(_ to_fp 8 24)"} to_fp_8_24(bv32) returns (float24e8);
    function {:bvbuiltin "bvslt"} bvslt8(bv8, bv8) returns (bool);
    function {:builtin "distinct"} distinct(int, int, int) returns (bool);
    axiom distinct(p, q, r);

    graph main {
      var x: bv8;
      var w: bv32;
      var f: float24e8;
      var bvadd8: bool;
      init start;

      start -> start {
        w' == zero_extend_8_32(bvadd8#1(x, 200bv8))
        && f' == to_fp_8_24(w')
        && bvslt8(w'[12:4], x[4:0] ++ x[8:4])
      }
    }
    "#);
}

#[test]
fn binders_and_numbers() {
    let t = Terms::new();
    let map = Sort::map(vec![Sort::Int], Sort::Int);
    let mut b = Builder::new(
        &t,
        "main",
        &[("m", map.clone()), ("i", Sort::Int), ("r", Sort::Real)],
    );
    let m = t.current("m", map.clone());
    let m1 = t.next("m", map.clone());
    let f = function("f", &[Sort::Int], Sort::Int);
    // The sub-term m[j] + f(j) + 2 is shared within the quantifier only.
    let (j, k) = (t.fresh_bound("i", Sort::Int), t.fresh_bound("i", Sort::Int));
    let shared = t.add(&[t.select(m, &[j]), t.apply(&f, &[j]), t.int(2)]);
    let body = t.and([t.lt(shared, t.int(9)), t.lt(t.int(-3), shared)]);
    let quantified = t.bind(BinderKind::Forall, &[j], body, &[vec![t.select(m, &[j])]]);
    let lambda = t.bind(BinderKind::Lambda, &[k], t.sub(t.int(0), k), &[]);
    let real = |n: i64, d: i64| t.real(BigRational::new(n.into(), d.into()));
    let r = t.current("r", Sort::Real);
    let i = t.current("i", Sort::Int);
    let remainder = t.modulo(t.neg(i), t.int(3));
    let formula = t.and([
        quantified,
        t.or([t.eq(m1, lambda), t.eq(m1, t.const_map(map, t.int(-1)))]),
        t.le(t.mul(&[real(1, 3), r]), t.add(&[r, real(-7, 2)])),
        t.eq(t.to_real(t.add(&[i, remainder])), t.real_div(real(1, 1), r)),
        t.eq(
            t.select(t.store(m, &[i], t.int(1)), &[t.div(i, t.int(2))]),
            t.to_int(r),
        ),
    ]);
    let start = b.graph.initial;
    b.edge(start, start, formula, &["m"]);
    let x = t.fresh_bound("x", Sort::Int);
    let fx = t.apply(&f, &[x]);
    let body = t.implies(
        t.lt(t.int(0), x),
        t.and([t.lt(t.int(0), fx), t.eq(t.apply(&f, &[fx]), x)]),
    );
    b.graph.axioms = vec![t.bind(BinderKind::Forall, &[x], body, &[vec![fx]])];
    insta::assert_snapshot!(b.text(), @r#"
    function f(int) returns (int);
    axiom (forall x: int :: {f(x)} x <= 0 || (0 < f(x) && x == f(f(x))));

    graph main {
      var m: [int]int;
      var i: int;
      var r: real;
      init start;

      start -> start {
        (forall i#1: int :: {m[i#1]} (var e1 := m[i#1] + f(i#1) + 2; e1 < 9 && -3 < e1))
        && (m' == (lambda i#2: int :: -i#2) || m' == (lambda _i0: int :: -1))
        && 1.0 / 3.0 * r <= r - 3.5
        && real(i + -i mod 3) == 1.0 / r
        && m[i := 1][i div 2] == int(r)
      }
    }
    "#);
}

#[test]
fn long_formulas_are_written_over_lines() {
    let t = Terms::new();
    let names: Vec<String> = (0..9).map(|i| format!("variable_{i}")).collect();
    let variables: Vec<(&str, Sort)> = names.iter().map(|n| (n.as_str(), Sort::Int)).collect();
    let mut b = Builder::new(&t, "main", &variables);
    let formula = t.and(names.windows(2).map(|pair| {
        t.or([
            t.le(
                t.current(&*pair[0], Sort::Int),
                t.current(&*pair[1], Sort::Int),
            ),
            t.eq(t.next(&*pair[0], Sort::Int), t.int(0)),
        ])
    }));
    let changed: Vec<&str> = names[..8].iter().map(String::as_str).collect();
    let start = b.graph.initial;
    b.edge(start, start, formula, &changed);
    insta::assert_snapshot!(b.text(), @r#"
    graph main {
      var variable_0, variable_1, variable_2, variable_3, variable_4, variable_5, variable_6, variable_7: int;
      var variable_8: int;
      init start;

      start -> start {
        (variable_0 <= variable_1 || variable_0' == 0)
        && (variable_1 <= variable_2 || variable_1' == 0)
        && (variable_2 <= variable_3 || variable_2' == 0)
        && (variable_3 <= variable_4 || variable_3' == 0)
        && (variable_4 <= variable_5 || variable_4' == 0)
        && (variable_5 <= variable_6 || variable_5' == 0)
        && (variable_6 <= variable_7 || variable_6' == 0)
        && (variable_7 <= variable_8 || variable_7' == 0)
      }
    }
    "#);
}

#[test]
fn the_text_of_a_shared_term_is_linear() {
    let t = Terms::new();
    let mut b = Builder::new(&t, "main", &[("x", Sort::Int), ("y", Sort::Int)]);
    let mut term = t.current("x", Sort::Int);
    let y = t.current("y", Sort::Int);
    for i in 0..2000 {
        term = t.ite(
            t.lt(term, t.int(i)),
            t.mul(&[term, y]),
            t.add(&[term, t.int(1)]),
        );
    }
    let start = b.graph.initial;
    b.edge(start, start, t.eq(t.next("x", Sort::Int), term), &["x"]);
    let text = b.text();
    assert!(text.len() < 2000 * 80, "{} characters", text.len());
}

#[test]
fn shared_terms_within_quantifiers_are_linear() {
    let t = Terms::new();
    let mut b = Builder::new(&t, "main", &[("x", Sort::Int)]);
    let f = function("f", &[Sort::Int, Sort::Int], Sort::Int);
    let mut body = t.tt();
    for _ in 0..3 {
        let i = t.fresh_bound("i", Sort::Int);
        let mut term = t.add(&[i, t.current("x", Sort::Int)]);
        for _ in 0..60 {
            term = t.apply(&f, &[term, term]);
        }
        body = t.bind(
            BinderKind::Exists,
            &[i],
            t.and([body, t.le(term, i)]),
            &[vec![t.apply(&f, &[i, i])]],
        );
    }
    let start = b.graph.initial;
    b.edge(start, start, body, &[]);
    let text = b.text();
    assert!(text.len() < 20_000, "{} characters", text.len());
}

#[test]
fn deep_terms_do_not_overflow_and_are_cut_into_shallow_ones() {
    let t = Terms::new();
    let mut b = Builder::new(&t, "main", &[("p", Sort::Bool), ("x", Sort::Int)]);
    let mut formula = t.current("p", Sort::Bool);
    let x = t.current("x", Sort::Int);
    for i in 0..50_000 {
        let q = t.le(x, t.int(i));
        formula = if i % 2 == 0 {
            t.implies(q, formula)
        } else {
            t.not(t.and2(q, formula))
        };
    }
    let start = b.graph.initial;
    b.edge(start, start, formula, &[]);
    let text = b.text();
    assert!(text.len() < 50_000 * 60, "{} characters", text.len());
    for line in text.lines() {
        assert!(line.len() < 4000, "{} characters on a line", line.len());
    }
}

#[test]
fn cut_texts_say_so() {
    let t = Terms::new();
    let mut term = t.current("äöü", Sort::Int);
    for i in 0..200 {
        term = t.ite(
            t.lt(term, t.int(i)),
            t.mul(&[term, term]),
            t.add(&[term, t.int(1)]),
        );
    }
    for limit in 1..60 {
        let text = t.display_at_most(term, limit);
        assert!(text.ends_with('…') && text.len() <= limit + 3, "{text}");
    }
}
