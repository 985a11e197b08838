//! Constant propagation: variables that have one known value whenever a run is at a location.
//!
//! The analysis is conditional (Wegman, Zadeck: "Constant propagation with conditional
//! branches"): an edge whose formula becomes `false` under the known values passes nothing on. A
//! value becomes known by an assignment of something that can be computed, or by a condition
//! `x == c`.

use std::collections::{BTreeSet, HashMap};

use super::effect::{Effect, Use, Vars};
use super::liveness::Liveness;
use super::{Reduced, WayBack};
use ult_core::formula::{Op, Term, Terms};
use ult_core::graph::analysis::{Adjacency, Order, target};
use ult_core::graph::evidence::{Invariants, Run};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::persistent::Vector;

/// The known values at a location: a literal for some variables, by their numbers.
type Constants = Vector<Option<Term>>;

/// Bounds the work to this many visits of each edge on average. Chains of copies around a loop
/// could otherwise take quadratic time. Beyond it nothing is propagated.
const VISITS_PER_EDGE: usize = 30;

/// How often the equations of one edge are used to simplify each other.
const ROUNDS: usize = 4;

/// Substitutes known values into the formulas of the edges. Edges that cannot be passed get the
/// formula `false`.
pub fn constants(terms: &Terms, graph: &ProgramGraph) -> Reduced {
    let adjacency = Adjacency::of(graph);
    let order = Order::of(graph, &adjacency);
    let vars = Vars::of(terms, graph);
    let analysis = Analysis {
        terms,
        graph,
        adjacency: &adjacency,
        order: &order,
        vars: &vars,
    };
    let mut smaller = graph.clone();
    let Some((known, formulas)) = analysis.solve() else {
        return Reduced {
            graph: smaller,
            back: Box::new(Back {
                known: Vec::new(),
                liveness: None,
                vars,
            }),
        };
    };
    for (edge, formula) in graph.graph.edge_indices().zip(formulas) {
        smaller.graph[edge].transition.formula = formula;
    }
    let effects: Vec<Effect> = graph
        .graph
        .edge_weights()
        .map(|edge| Effect::of(terms, &vars, &edge.transition))
        .collect();
    let liveness = Liveness::of(graph, &adjacency, &order, &effects);
    Reduced {
        back: Box::new(Back {
            known,
            liveness: Some(liveness),
            vars,
        }),
        graph: smaller,
    }
}

struct Analysis<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    adjacency: &'a Adjacency,
    order: &'a Order,
    vars: &'a Vars,
}

impl Analysis<'_> {
    /// What is known at each location, by its index (nothing at all where no run comes), and the
    /// formulas of the edges under it. `None` if the analysis takes too long.
    fn solve(&self) -> Option<(Vec<Option<Constants>>, Vec<Term>)> {
        let graph = self.graph;
        let edges = graph.graph.edge_weights();
        let mut formulas: Vec<Term> = edges.map(|edge| edge.transition.formula).collect();
        let mut known: Vec<Option<Constants>> = vec![None; graph.graph.node_count()];
        // A run starts in any state.
        known[graph.initial.index()] = Some(Constants::new(graph.variables.len(), None));
        let mut waiting = BTreeSet::from([0]);
        let mut visits = VISITS_PER_EDGE * (graph.graph.edge_count() + 1);
        while let Some(place) = waiting.pop_first() {
            let location = self.order.locations[place];
            let Some(here) = known[location.index()].clone() else {
                continue;
            };
            for &edge in &self.adjacency.out[location.index()] {
                visits = visits.checked_sub(1)?;
                // The last visit is the one under what is finally known.
                let Some((formula, after)) = self.pass(edge, &here) else {
                    formulas[edge.index()] = self.terms.ff();
                    continue;
                };
                formulas[edge.index()] = formula;
                let target = target(graph, edge);
                let changed = match &mut known[target.index()] {
                    Some(there) => there.merge(&after, |x, y| if x == y { x } else { None }),
                    there => {
                        *there = Some(after);
                        true
                    }
                };
                if changed {
                    waiting.extend(self.order.position[target.index()]);
                }
            }
        }
        Some((known, formulas))
    }

    /// The formula of an edge under known values before it, and what is known after it; `None` if
    /// it cannot be passed.
    fn pass(&self, edge: EdgeId, known: &Constants) -> Option<(Term, Constants)> {
        let (terms, vars) = (self.terms, self.vars);
        let transition = &self.graph.graph[edge].transition;
        let formula = terms.rewrite(transition.formula, |term| {
            match vars.which(terms, term)? {
                Use::Current(var) => known.get(var),
                Use::Next(_) | Use::Aux(_) => None,
            }
        });
        let falsum = terms.ff();
        if formula == falsum {
            return None;
        }
        // Values that the formula itself fixes.
        let mut fixed: HashMap<Term, Term> = HashMap::new();
        let mut simplified = formula;
        for _ in 0..ROUNDS {
            let before = fixed.len();
            for conjunct in terms.conjuncts(simplified) {
                if let Some((variable, value)) = self.as_fact(conjunct) {
                    fixed.entry(variable).or_insert(value);
                }
            }
            if fixed.len() == before {
                break;
            }
            simplified = terms.substitute(formula, &fixed);
            if simplified == falsum {
                return None;
            }
        }
        let mut after = known.clone();
        #[allow(clippy::iter_over_hash_type, reason = "each sets one variable")]
        for (&variable, &value) in &fixed {
            if let Some(Use::Current(var)) = vars.which(terms, variable) {
                after.set(var, Some(value));
            }
        }
        for var in transition
            .changed
            .iter()
            .filter_map(|name| vars.number(name))
        {
            after.set(var, fixed.get(&vars.next(var)).copied());
        }
        Some((formula, after))
    }

    /// A conjunct that fixes the value of a program variable before or after the step.
    fn as_fact(&self, conjunct: Term) -> Option<(Term, Term)> {
        let terms = self.terms;
        let (variable, value) = match (terms.op(conjunct), terms.args(conjunct)) {
            (Op::Var(_), _) => (conjunct, terms.tt()),
            (Op::Not, [inner]) => (*inner, terms.ff()),
            (Op::Eq, [left, right]) if is_literal(terms, *right) => (*left, *right),
            (Op::Eq, [left, right]) if is_literal(terms, *left) => (*right, *left),
            _ => return None,
        };
        match self.vars.which(terms, variable)? {
            Use::Current(_) | Use::Next(_) => Some((variable, value)),
            Use::Aux(_) => None,
        }
    }
}

fn is_literal(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Bool(_) | Op::Int(_) | Op::Real(_) | Op::BitVec(_) => true,
        Op::Builtin(_) => terms.as_float(term).is_some(),
        _ => false,
    }
}

/// The way back: locations, edges and runs are the same.
struct Back {
    /// What is known at each location, by its index.
    known: Vec<Option<Constants>>,
    /// Which variables matter there.
    liveness: Option<Liveness>,
    vars: Vars,
}

impl Back {
    /// What is known about the live variables of a location.
    fn facts(&self, terms: &Terms, location: LocationId) -> Term {
        let known = self.known.get(location.index());
        let known = known.into_iter().flatten().flat_map(Vector::iter);
        let facts = known.enumerate().filter_map(|(var, value)| {
            let value = value?;
            let is_live = self.liveness.as_ref()?.is_live(location, var);
            is_live.then(|| terms.eq(self.vars.current(var), value))
        });
        terms.and(facts)
    }
}

impl WayBack for Back {
    fn location(&self, reduced: LocationId) -> LocationId {
        reduced
    }

    /// The known values are part of each invariant. Locations without an invariant get none:
    /// known values there follow from those at the locations before, and an invariant that says
    /// nothing else would lose what is known about other variables.
    fn invariants(&self, terms: &Terms, reduced: &Invariants) -> Invariants {
        let mut invariants = reduced.clone();
        for (&location, formula) in &mut invariants.at {
            *formula = terms.and2(self.facts(terms, location), *formula);
        }
        invariants
    }

    fn run(&self, _terms: &Terms, reduced: Run) -> Result<Run, String> {
        Ok(reduced)
    }
}
