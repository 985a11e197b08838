//! What a first look at a graph tells about who may decide it.

use std::fmt;

use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::ProgramGraph;

/// Features of a reduced graph. They cost one walk over the graph and its formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Edges.
    pub edges: usize,
    /// Locations at which loops begin: targets of back edges of a depth-first search.
    pub loops: usize,
    /// Different subterms of all transition formulas together.
    pub size: usize,
    /// Comparisons of a number with a number.
    pub comparisons: usize,
    /// Those of them in which both are more than literals.
    pub relations: usize,
    /// Some formula speaks about a map.
    pub maps: bool,
    /// Some formula speaks about floating-point numbers.
    pub floats: bool,
    /// Some step has premises, which only Horn clauses take in.
    pub trees: bool,
    /// The deterministic run, see [`run_deterministic`](crate::execute::run_deterministic).
    pub deterministic: Deterministic,
}

/// What the deterministic run is like: the run up to the first choice that matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deterministic {
    /// It ends at a choice.
    #[default]
    Choice,
    /// It is long.
    Long,
    /// It is short and ends with the program: there is no other way.
    Whole,
}

impl Features {
    /// Those of a graph, without its premises.
    pub fn of(terms: &Terms, graph: &ProgramGraph, deterministic: Deterministic) -> Features {
        let weights = graph.graph.edge_weights();
        let formulas: Vec<Term> = weights.map(|edge| edge.transition.formula).collect();
        let all = terms.post_order(&formulas);
        let has = |is: fn(&Sort) -> bool| all.iter().any(|&term| is(terms.sort(term)));
        let compared: Vec<bool> = all
            .iter()
            .filter_map(|&term| with_literal(terms, term))
            .collect();
        Features {
            edges: graph.graph.edge_count(),
            loops: graph.cycle_heads().len(),
            size: all.len(),
            comparisons: compared.len(),
            relations: compared.iter().filter(|&&plain| !plain).count(),
            maps: has(|sort| matches!(sort, Sort::Map(_))),
            floats: has(|sort| matches!(sort, Sort::Float(..))),
            trees: false,
            deterministic,
        }
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = |count, what| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let (edges, loops) = (some(self.edges, "edge"), some(self.loops, "loop"));
        write!(f, "{edges}, {loops}, {}", some(self.size, "term"))?;
        write!(f, ", {}", some(self.comparisons, "comparison"))?;
        if self.relations > 0 {
            write!(f, " ({} of variables with each other)", self.relations)?;
        }
        let more = [
            (self.maps, ", maps"),
            (self.floats, ", floating-point numbers"),
            (self.trees, ", traces are trees"),
            (
                self.deterministic == Deterministic::Long,
                ", a long execution without inputs",
            ),
            (
                self.deterministic == Deterministic::Whole,
                ", one way from start to end",
            ),
        ];
        more.into_iter()
            .filter(|(there, _)| *there)
            .try_for_each(|(_, what)| f.write_str(what))
    }
}

/// Whether a comparison of numbers is one with a literal; `None` for other terms, and for what only
/// says what a variable is after the step.
fn with_literal(terms: &Terms, term: Term) -> Option<bool> {
    if !matches!(terms.op(term), Op::Eq | Op::Le | Op::Lt) {
        return None;
    }
    let args = terms.args(term);
    let is_next =
        |arg: &Term| matches!(terms.op(*arg), Op::Var(var) if var.version == Version::Next);
    let is_number = |arg: &Term| matches!(terms.sort(*arg), Sort::Int | Sort::BitVec(_));
    if args.iter().any(is_next) || !args.iter().all(is_number) {
        return None;
    }
    let is_literal = |arg: &Term| matches!(terms.op(*arg), Op::Int(_) | Op::BitVec(_));
    Some(args.iter().any(is_literal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_core::graph::{Edge, Location, Transition};

    #[test]
    fn loops_are_counted_once_each() {
        let terms = Terms::new();
        let mut graph = ProgramGraph::new("nested");
        let outer = graph.graph.add_node(Location::named("outer"));
        let inner = graph.graph.add_node(Location::named("inner"));
        let out = graph.graph.add_node(Location::named("out"));
        let m = terms.current("m", Sort::map(vec![Sort::Int], Sort::Int));
        let formula = terms.eq(terms.select(m, &[terms.int(0)]), terms.int(1));
        // Two ways back to the outer loop's head, a join without a loop.
        let start = graph.initial;
        for (from, to) in [
            (start, outer),
            (outer, inner),
            (inner, inner),
            (inner, outer),
            (outer, outer),
            (outer, out),
            (inner, out),
        ] {
            let transition = Transition::assume(formula);
            let origin = None;
            graph
                .graph
                .add_edge(from, to, Edge::new(transition, origin));
        }
        let features = Features::of(&terms, &graph, Deterministic::Long);
        assert_eq!((features.edges, features.loops), (7, 2));
        assert!(features.maps && !features.floats);
        assert_eq!(
            features.to_string(),
            "7 edges, 2 loops, 5 terms, 1 comparison, maps, a long execution without inputs"
        );
    }
}
