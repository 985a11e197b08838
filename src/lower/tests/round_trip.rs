//! What is printed is read back as the same graph.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use num_rational::BigRational;
use petgraph::visit::EdgeRef as _;
use proptest::prelude::*;
use ult_lang::analyze_graph;

use crate::graph::lower_graphs;
use ult_core::formula::{BinderKind, BvOp, Function, Op, Sort, Term, Terms, Version};
use ult_core::graph::text::{Options, print};
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};

/// Prints the graphs, reads them back into the same store, and compares.
fn check(terms: &Terms, graphs: &[&ProgramGraph]) -> String {
    let text = print(terms, graphs, Options::default());
    let (program, diagnostics) = analyze_graph(&text);
    assert!(
        diagnostics.iter().all(|d| !d.is_error()),
        "{diagnostics:#?}\n{text}"
    );
    let read = lower_graphs(terms, &program);
    assert_eq!(read.len(), graphs.len());
    for (original, read) in graphs.iter().zip(&read) {
        assert!(
            read.unsupported.is_empty() && read.axioms_dropped.is_empty(),
            "{text}"
        );
        if let Err(difference) = same(terms, original, &read.graph) {
            panic!("{difference}\n{text}");
        }
    }
    text
}

/// Whether two graphs are the same up to the numbers of auxiliaries and bound variables.
fn same(terms: &Terms, a: &ProgramGraph, b: &ProgramGraph) -> Result<(), String> {
    let equal = |what: &str, equal: bool| match equal {
        true => Ok(()),
        false => Err(format!("{what} differ")),
    };
    equal("names", a.name == b.name)?;
    equal("variables", a.variables.iter().eq(b.variables.iter()))?;
    equal("initial locations", a.initial == b.initial)?;
    let locations = |g: &ProgramGraph| -> Vec<(Arc<str>, Option<Arc<str>>)> {
        g.graph
            .node_weights()
            .map(|l| (l.name.clone(), l.error.clone()))
            .collect()
    };
    equal("locations", locations(a) == locations(b))?;
    let functions = |g: &ProgramGraph| -> BTreeSet<Arc<Function>> {
        let roots: Vec<Term> = g
            .graph
            .edge_weights()
            .map(|e| e.transition.formula)
            .chain(g.axioms.iter().copied())
            .collect();
        terms
            .post_order(&roots)
            .into_iter()
            .filter_map(|t| match terms.op(t) {
                Op::Apply(function) => Some(function.clone()),
                _ => None,
            })
            .collect()
    };
    equal("functions", functions(a) == functions(b))?;
    equal("numbers of axioms", a.axioms.len() == b.axioms.len())?;
    for (x, y) in a.axioms.iter().zip(&b.axioms) {
        let (x, y) = (canonical(terms, *x), canonical(terms, *y));
        equal(
            &format!("axioms {} and {}", terms.display(x), terms.display(y)),
            x == y,
        )?;
    }
    equal(
        "numbers of edges",
        a.graph.edge_count() == b.graph.edge_count(),
    )?;
    for (x, y) in a.graph.edge_references().zip(b.graph.edge_references()) {
        equal("ends", (x.source(), x.target()) == (y.source(), y.target()))?;
        let (x, y) = (&x.weight().transition, &y.weight().transition);
        equal("changed variables", x.changed == y.changed)?;
        let (x, y) = (canonical(terms, x.formula), canonical(terms, y.formula));
        let shown = |t| terms.display_at_most(t, 2000);
        equal(
            &format!("formulas\n{}\nand\n{}\n", shown(x), shown(y)),
            x == y,
        )?;
    }
    Ok(())
}

/// The formula with auxiliaries numbered by their order, and bound variables by their nesting.
fn canonical(terms: &Terms, formula: Term) -> Term {
    let mut new: HashMap<Term, Term> = HashMap::new();
    let auxiliaries = terms.free_vars(&[formula]).into_iter().filter(|&t| {
        terms
            .as_var(t)
            .is_some_and(|v| matches!(v.version, Version::Aux(_)))
    });
    for (i, auxiliary) in auxiliaries.enumerate() {
        let sort = terms.sort(auxiliary).clone();
        new.insert(
            auxiliary,
            terms.var("aux", Version::Aux(1_000_000 + i as u32), sort),
        );
    }
    // How many binders are nested in a term.
    let mut height: HashMap<Term, u32> = HashMap::new();
    for term in terms.post_order(&[formula]) {
        let node = terms.node(term);
        let nested = node.args.iter().map(|t| height[t]).max().unwrap_or(0);
        height.insert(term, nested);
        if new.contains_key(&term) {
            continue;
        }
        let args: Vec<Term> = node.args.iter().map(|t| new[t]).collect();
        let Op::Bind(binder) = &node.op else {
            new.insert(term, terms.rebuild(node, &args));
            continue;
        };
        height.insert(term, nested + 1);
        let vars: HashMap<Term, Term> = binder
            .vars
            .iter()
            .enumerate()
            .map(|(i, &var)| {
                let version = Version::Bound(1_000_000 + 100 * nested + i as u32);
                (
                    new.get(&var).copied().unwrap_or(var),
                    terms.var("v", version, terms.sort(var).clone()),
                )
            })
            .collect();
        let args: Vec<Term> = args.iter().map(|&t| terms.substitute(t, &vars)).collect();
        let mut rest = &args[1..];
        let mut patterns = Vec::new();
        for &length in &binder.patterns {
            let (pattern, after) = rest.split_at(length);
            patterns.push(pattern.to_vec());
            rest = after;
        }
        let vars: Vec<Term> = binder
            .vars
            .iter()
            .map(|v| vars[&new.get(v).copied().unwrap_or(*v)])
            .collect();
        new.insert(term, terms.bind(binder.kind, &vars, args[0], &patterns));
    }
    new[&formula]
}

/// Makes random terms; the larger the budget, the larger the term.
struct Maker<'t> {
    terms: &'t Terms,
    state: u64,
    /// Terms made before, to be used again.
    pool: Vec<Term>,
    bound: Vec<Term>,
    functions: Vec<Arc<Function>>,
}

const INTS: [&str; 3] = ["x", "error", "i"];

impl<'t> Maker<'t> {
    fn new(terms: &'t Terms, seed: u64) -> Maker<'t> {
        let function = |name: &str, params: Vec<Sort>, result: Sort| {
            Arc::new(Function {
                name: name.into(),
                params,
                result,
            })
        };
        let list = Sort::Uninterpreted("List int".into());
        Maker {
            terms,
            state: seed | 1,
            pool: Vec::new(),
            bound: Vec::new(),
            functions: vec![
                function("c", vec![], Sort::Int),
                function("f", vec![Sort::Int, Sort::Bool], Sort::Int),
                function("div0", vec![Sort::Int], Sort::Int),
                function("nil", vec![], list.clone()),
                function("length of", vec![list], Sort::Int),
            ],
        }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % limit
    }

    fn map_sort() -> Sort {
        Sort::map(vec![Sort::Int], Sort::Int)
    }

    /// A variable before or after the step, or an auxiliary.
    fn variable(&mut self, name: &str, sort: Sort) -> Term {
        match self.below(3) {
            0 => self.terms.next(name, sort),
            _ => self.terms.current(name, sort),
        }
    }

    fn again(&mut self, sort: &Sort) -> Option<Term> {
        if self.pool.is_empty() || self.below(3) > 0 {
            return None;
        }
        let index = self.below(self.pool.len() as u64) as usize;
        // A term that mentions a bound variable must stay under its binder.
        let term = self.pool[index];
        let closed = self.terms.post_order(&[term]).iter().all(|t| {
            !matches!(self.terms.as_var(*t), Some(v) if matches!(v.version, Version::Bound(_)))
                || self.bound.contains(t)
        });
        (closed && self.terms.sort(term) == sort && !self.terms.has_binder(term)).then_some(term)
    }

    fn make(&mut self, sort: &Sort, budget: u32) -> Term {
        if let Some(term) = self.again(sort) {
            return term;
        }
        let term = match sort {
            Sort::Bool => self.bool(budget),
            Sort::Int => self.int(budget),
            Sort::Real => self.real(budget),
            Sort::BitVec(_) => self.bits(budget),
            _ => self.map(budget),
        };
        self.pool.push(term);
        term
    }

    fn bool(&mut self, budget: u32) -> Term {
        let t = self.terms;
        if budget == 0 {
            return self.variable("b", Sort::Bool);
        }
        let next = budget - 1;
        let pick = self.below(14);
        let int = |m: &mut Self| m.make(&Sort::Int, next);
        let bool = |m: &mut Self| m.make(&Sort::Bool, next);
        match pick {
            0 => t.not(bool(self)),
            1 | 2 => {
                let count = 2 + self.below(4);
                let parts: Vec<Term> = (0..count).map(|_| bool(self)).collect();
                t.and(parts)
            }
            3 | 4 => t.or2(bool(self), bool(self)),
            5 => t.implies(bool(self), bool(self)),
            6 => t.eq(bool(self), bool(self)),
            7 => t.le(int(self), int(self)),
            8 => t.lt(self.make(&Sort::Real, next), self.make(&Sort::Real, next)),
            9 => t.eq(int(self), int(self)),
            10 => {
                let parts: Vec<Term> = (0..3).map(|_| int(self)).collect();
                t.distinct(&parts)
            }
            11 => {
                let op = if self.below(2) == 0 {
                    BvOp::Ult
                } else {
                    BvOp::Sle
                };
                t.bv(
                    op,
                    &[
                        self.make(&Sort::BitVec(8), next),
                        self.make(&Sort::BitVec(8), next),
                    ],
                )
            }
            12 => t.neq(
                self.make(&Self::map_sort(), next),
                self.make(&Self::map_sort(), next),
            ),
            _ => {
                let var = t.fresh_bound("i", Sort::Int);
                self.bound.push(var);
                let body = self.make(&Sort::Bool, next);
                self.bound.pop();
                let m = t.current("m", Self::map_sort());
                let body = t.or2(body, t.lt(t.select(m, &[var]), var));
                let patterns = match self.below(2) {
                    0 => vec![vec![t.select(m, &[var])]],
                    _ => vec![],
                };
                let kind = match self.below(2) {
                    0 => BinderKind::Forall,
                    _ => BinderKind::Exists,
                };
                t.bind(kind, &[var], body, &patterns)
            }
        }
    }

    fn int(&mut self, budget: u32) -> Term {
        let t = self.terms;
        if budget == 0 {
            return match self.below(4) {
                0 => t.int(self.below(9) as i64 - 4),
                1 if !self.bound.is_empty() => {
                    let index = self.below(self.bound.len() as u64) as usize;
                    self.bound[index]
                }
                _ => {
                    let name = INTS[self.below(3) as usize];
                    self.variable(name, Sort::Int)
                }
            };
        }
        let next = budget - 1;
        let int = |m: &mut Self| m.make(&Sort::Int, next);
        match self.below(11) {
            0 | 1 => t.add(&[int(self), int(self), int(self)]),
            2 => t.sub(int(self), int(self)),
            3 => t.mul(&[t.int(self.below(7) as i64 - 3), int(self)]),
            4 => t.mul(&[int(self), int(self)]),
            5 => t.modulo(t.neg(int(self)), t.int(1 + self.below(5) as i64)),
            6 => {
                // As lowering makes it.
                let (a, b) = (int(self), t.current("x", Sort::Int));
                let at_zero = t.apply(&self.functions[2].clone(), &[a]);
                t.ite(t.eq(b, t.int(0)), at_zero, t.div(a, b))
            }
            7 => t.ite(self.make(&Sort::Bool, next), int(self), int(self)),
            8 => t.select(self.make(&Self::map_sort(), next), &[int(self)]),
            9 => t.to_int(self.make(&Sort::Real, next)),
            _ => match self.below(3) {
                0 => t.apply(&self.functions[0].clone(), &[]),
                1 => {
                    let args = [int(self), self.make(&Sort::Bool, next)];
                    t.apply(&self.functions[1].clone(), &args)
                }
                _ => {
                    let nil = t.apply(&self.functions[3].clone(), &[]);
                    t.apply(&self.functions[4].clone(), &[nil])
                }
            },
        }
    }

    fn real(&mut self, budget: u32) -> Term {
        let t = self.terms;
        let numerator = self.below(21) as i64 - 10;
        let denominator = 1 + self.below(6) as i64;
        let number = t.real(BigRational::new(numerator.into(), denominator.into()));
        if budget == 0 {
            return number;
        }
        let next = budget - 1;
        match self.below(4) {
            0 => self.variable("r", Sort::Real),
            1 => t.to_real(self.make(&Sort::Int, next)),
            2 => t.add(&[self.make(&Sort::Real, next), number]),
            _ => t.mul(&[number, self.make(&Sort::Real, next)]),
        }
    }

    fn bits(&mut self, budget: u32) -> Term {
        let t = self.terms;
        if budget == 0 {
            return match self.below(2) {
                0 => t.bitvec((self.below(256) as u32).into(), 8),
                _ => self.variable("w", Sort::BitVec(8)),
            };
        }
        let next = budget - 1;
        let bits = |m: &mut Self| m.make(&Sort::BitVec(8), next);
        match self.below(5) {
            0 => t.bv(BvOp::Add, &[bits(self), bits(self)]),
            1 => t.bv(BvOp::Not, &[bits(self)]),
            2 => t.extract(t.zero_extend(bits(self), 3), 10, 2),
            3 => t.extract(t.sign_extend(bits(self), 1), 9, 1),
            _ => t.bv(
                BvOp::Concat,
                &[t.extract(bits(self), 4, 0), t.extract(bits(self), 8, 4)],
            ),
        }
    }

    fn map(&mut self, budget: u32) -> Term {
        let t = self.terms;
        if budget == 0 {
            return self.variable("m", Self::map_sort());
        }
        let next = budget - 1;
        match self.below(4) {
            0 => {
                let (map, at) = (
                    self.make(&Self::map_sort(), next),
                    self.make(&Sort::Int, next),
                );
                t.store(map, &[at], self.make(&Sort::Int, next))
            }
            1 => t.const_map(Self::map_sort(), self.make(&Sort::Int, next)),
            2 => {
                let var = t.fresh_bound("_i0", Sort::Int);
                self.bound.push(var);
                let body = t.add(&[self.make(&Sort::Int, next), var]);
                self.bound.pop();
                t.bind(BinderKind::Lambda, &[var], body, &[])
            }
            _ => self.variable("m", Self::map_sort()),
        }
    }

    fn transition(&mut self, budget: u32) -> Transition {
        let mut formula = self.make(&Sort::Bool, budget);
        // Some of the variables become auxiliaries.
        for name in ["x", "i"] {
            if self.below(2) == 0 {
                let auxiliary = self.terms.fresh_aux(name, Sort::Int);
                let old = self.terms.current(name, Sort::Int);
                formula = self
                    .terms
                    .substitute(formula, &HashMap::from([(old, auxiliary)]));
            }
        }
        let primed = self.terms.names_of(&[formula], Version::Next);
        let mut changed: BTreeSet<Arc<str>> = primed.into_keys().collect();
        for name in ["x", "b", "m"] {
            if self.below(4) == 0 {
                changed.insert(name.into());
            }
        }
        Transition { formula, changed }
    }
}

/// A random graph over a few variables with names of all kinds.
fn random_graph(terms: &Terms, seed: u64) -> ProgramGraph {
    let mut maker = Maker::new(terms, seed);
    let mut graph = ProgramGraph::new("random graph");
    for name in INTS {
        graph.variables.insert(name.into(), Sort::Int);
    }
    graph.variables.insert("b".into(), Sort::Bool);
    graph.variables.insert("r".into(), Sort::Real);
    graph.variables.insert("w".into(), Sort::BitVec(8));
    graph.variables.insert("m".into(), Maker::map_sort());
    for name in ["L 1", "loop", "L`2"] {
        graph.graph.add_node(Location::named(name));
    }
    let bad = graph.graph.add_node(Location {
        error: Some("\"x\" is \\ wrong".into()),
        ..Location::named("error")
    });
    let places = graph.graph.node_count() as u64;
    for _ in 0..5 {
        let mut end = || LocationId::new(maker.below(places) as usize);
        let (from, to) = (end(), end());
        if from != bad {
            let transition = maker.transition(4);
            graph.graph.add_edge(from, to, Edge::new(transition, None));
        }
    }
    let (c, nil) = (maker.functions[0].clone(), maker.functions[4].clone());
    let var = terms.fresh_bound("l", nil.params[0].clone());
    let length = terms.apply(&nil, &[var]);
    let body = terms.le(terms.apply(&c, &[]), length);
    graph.axioms = vec![terms.bind(BinderKind::Forall, &[var], body, &[vec![length]])];
    graph
}

proptest! {
    #[test]
    fn random_graphs_are_read_back(seed in any::<u64>()) {
        let terms = Terms::new();
        let graph = random_graph(&terms, seed);
        prop_assert_eq!(graph.check(&terms), Ok(()));
        check(&terms, &[&graph]);
    }
}

#[test]
fn several_graphs_share_a_header() {
    let terms = Terms::new();
    let mut graphs = [random_graph(&terms, 7), random_graph(&terms, 8)];
    graphs[1].name = "other".into();
    graphs[1].axioms = graphs[0].axioms.clone();
    check(&terms, &[&graphs[0], &graphs[1]]);
}

#[test]
fn printing_what_was_read_gives_the_same_text() {
    let terms = Terms::new();
    let text = "\
type Ref;
function next(Ref) returns (Ref);
const null: Ref;
function {:bvbuiltin \"bvadd\"} bvadd8(bv8, bv8) returns (bv8);
axiom (forall r: Ref :: {next(r)} r != next(next(r)) || r == null);

graph main {
  var x, y: int;
  var r: Ref;
  var w: bv8;
  init start;
  location {:loop_head} loop;
  error bad \"r is null\";

  start -> loop: x' == 0 && w' == 0bv8;
  loop -> loop {
    local a: int;
    havoc y;
    let d1 := (if a < x then a * x else a + y);
    x' == d1 + 1 && a < d1 && w' == bvadd8(w, 1bv8) && r' == next(r)
  }
  loop -> bad: null == r;
}
";
    let (program, diagnostics) = analyze_graph(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let read = lower_graphs(&terms, &program);
    assert_eq!(check(&terms, &[&read[0].graph]), text);
}

#[test]
fn large_shared_and_deep_formulas_are_read_back() {
    let terms = Terms::new();
    let mut graph = ProgramGraph::new("main");
    graph.variables.insert("x".into(), Sort::Int);
    graph.variables.insert("p".into(), Sort::Bool);
    let mut number = terms.current("x", Sort::Int);
    for i in 0..300 {
        let test = terms.lt(number, terms.int(i));
        number = terms.ite(
            test,
            terms.mul(&[number, number]),
            terms.add(&[number, terms.int(i + 1)]),
        );
    }
    let mut truth = terms.current("p", Sort::Bool);
    for i in 0..3000 {
        let q = terms.le(terms.current("x", Sort::Int), terms.int(i));
        truth = if i % 2 == 0 {
            terms.implies(q, truth)
        } else {
            terms.not(terms.and2(q, truth))
        };
    }
    let chain =
        terms.and((0..5000).map(|i| terms.neq(terms.current("x", Sort::Int), terms.int(i))));
    for formula in [terms.eq(terms.next("x", Sort::Int), number), truth, chain] {
        let primed = terms.names_of(&[formula], Version::Next);
        let transition = Transition {
            formula,
            changed: primed.into_keys().collect(),
        };
        graph
            .graph
            .add_edge(graph.initial, graph.initial, Edge::new(transition, None));
    }
    check(&terms, &[&graph]);
}

#[test]
fn equality_of_floats_is_not_ieees() {
    let terms = Terms::new();
    let float = Sort::Float(8, 24);
    let mut graph = ProgramGraph::new("main");
    graph.variables.insert("x".into(), float.clone());
    graph.variables.insert("y".into(), float.clone());
    let (x, y) = (terms.next("x", float.clone()), terms.current("y", float));
    let formula = terms.or2(terms.neq(x, y), terms.eq(x, y));
    let formula = terms.ite(terms.eq(x, y), formula, terms.neq(x, y));
    for formula in [terms.eq(x, y), terms.neq(x, y), formula] {
        let primed = terms.names_of(&[formula], Version::Next);
        let transition = Transition {
            formula,
            changed: primed.into_keys().collect(),
        };
        let edge = Edge::new(transition, None);
        graph.graph.add_edge(graph.initial, graph.initial, edge);
    }
    let text = check(&terms, &[&graph]);
    assert!(
        !text.contains("same_float24e8") && !text.contains("fp.eq"),
        "{text}"
    );
}
