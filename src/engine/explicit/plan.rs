//! The formula of an edge, laid out for evaluation.

use std::cell::OnceCell;
use std::collections::HashMap;

use ult_core::formula::{Op, Term, Terms, Version};
use ult_core::graph::{EdgeId, ProgramGraph, Transition};

/// What a node of the formula is computed from.
pub(super) enum From {
    /// Nothing: it is the same in every step.
    Itself,
    /// The state before, by the number of the variable.
    Current(usize),
    /// The state after.
    Next(usize),
    /// A choice; the number of the auxiliary.
    Aux(u32),
    /// Other nodes, by their places.
    Nodes(Box<[usize]>),
}

/// A node of an edge's formula.
pub(super) struct Node {
    /// The node as it stands in the formula.
    pub term: Term,
    /// What its value is computed from.
    pub from: From,
}

/// What to do for a step along an edge.
pub(super) struct Plan {
    /// Everything that is computed, arguments first.
    pub nodes: Vec<Node>,
    /// So many of the nodes are for new values; the others may ask for these.
    pub for_values: usize,
    /// Variables with a new value: the place of its node; none if the value is chosen.
    pub changed: Vec<(usize, Option<usize>)>,
    /// The places of the conditions.
    pub conditions: Vec<usize>,
    /// The variables that are read; `None` if something is chosen, or if they are many.
    pub reads: Option<Box<[usize]>>,
}

/// So many variables are few.
const FEW: usize = 8;

impl Plan {
    /// Lays out a transition of the graph.
    pub(super) fn of(terms: &Terms, graph: &ProgramGraph, transition: &Transition) -> Plan {
        let number = |name: &str| graph.variables.get_index_of(name);
        let (definitions, rest) = transition.definitions(terms);
        let values: Vec<Term> = definitions.iter().map(|d| d.value).collect();
        let for_values = terms.post_order(&values).len();
        let roots: Vec<Term> = values.iter().chain(&rest).copied().collect();
        let order = terms.post_order(&roots);
        let places: HashMap<Term, usize> = order.iter().enumerate().map(|(n, &t)| (t, n)).collect();
        let from = |term: Term| -> From {
            if let Op::Var(var) = terms.op(term) {
                let variable = number(&var.name);
                return match (var.version, variable) {
                    (Version::Current, Some(variable)) => From::Current(variable),
                    (Version::Next, Some(variable)) => From::Next(variable),
                    (Version::Aux(aux), _) => From::Aux(aux),
                    _ => From::Itself,
                };
            }
            match terms.args(term) {
                [] => From::Itself,
                args => From::Nodes(args.iter().map(|arg| places[arg]).collect()),
            }
        };
        let mut changed: Vec<(usize, Option<usize>)> = Vec::new();
        for name in &transition.changed {
            if let Some(variable) = number(name) {
                let definition = definitions.iter().find(|d| d.variable == *name);
                changed.push((variable, definition.map(|d| places[&d.value])));
            }
        }
        let nodes: Vec<Node> = (order.iter())
            .map(|&term| Node {
                term,
                from: from(term),
            })
            .collect();
        let is_chosen = changed.iter().any(|(_, value)| value.is_none())
            || nodes.iter().any(|node| matches!(node.from, From::Aux(_)));
        let reads = nodes.iter().filter_map(|node| match node.from {
            From::Current(variable) => Some(variable),
            _ => None,
        });
        let reads: Box<[usize]> = reads.collect();
        Plan {
            reads: (!is_chosen && reads.len() <= FEW).then_some(reads),
            nodes,
            for_values,
            changed,
            conditions: rest.iter().map(|condition| places[condition]).collect(),
        }
    }

    /// Whether a variable gets a new value that is chosen.
    pub(super) fn chooses(&self, variable: usize) -> bool {
        self.changed.contains(&(variable, None))
    }
}

/// The plans of a graph's edges, each made when it is first asked for.
pub(super) struct Plans<'t> {
    terms: &'t Terms,
    graph: &'t ProgramGraph,
    made: Vec<OnceCell<Plan>>,
}

impl<'t> Plans<'t> {
    pub(super) fn new(terms: &'t Terms, graph: &'t ProgramGraph) -> Plans<'t> {
        let edges = graph.graph.edge_count();
        let made = std::iter::repeat_with(OnceCell::new).take(edges).collect();
        Plans { terms, graph, made }
    }

    /// The plan of an edge.
    pub(super) fn of(&self, edge: EdgeId) -> &Plan {
        let transition = &self.graph.graph[edge].transition;
        self.made[edge.index()].get_or_init(|| Plan::of(self.terms, self.graph, transition))
    }
}
