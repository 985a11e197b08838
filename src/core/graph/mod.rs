//! Program graphs: locations, and edges labelled with transition formulas.
//!
//! A program graph is the core data structure of `ult` (Ermis, Hoenicke, Podelski, Schäf:
//! "Slicing Abstraction using Path Formulas", section 3): `(Loc, l_init, l_err, delta)`. Every
//! front end produces it, every reduction maps it to a smaller one, every engine decides it.
//!
//! | module | idea |
//! |---|---|
//! | [`evidence`] | invariants and traces, as claims |
//! | [`text`] | graphs as `.ult` text |
//! | `walk`, `definitions` | along a trace; values that an edge defines are computed, not stored |
//! | `accelerated_path`, `iterations` | long traces whose steps repeat themselves, written once |
//! | `relevance` | which axioms matter to a graph |
//! | [`partial`] | states of which some values are known |
//! | `stated` | what a graph says of its loops |
//! | [`analysis`] | orders, cycles and loop heads, by the form of a graph |

mod accelerated_path;
pub mod analysis;
mod definitions;
pub mod evidence;
mod iterations;
pub mod partial;
mod relevance;
mod stated;
pub mod text;
mod walk;

pub use definitions::Definition;
pub use relevance::Relevance;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};

use crate::formula::{Function, Op, Sort, Term, Terms, Version};

/// A location of one program graph.
pub type LocationId = NodeIndex<u32>;

/// An edge of one program graph.
pub type EdgeId = EdgeIndex<u32>;

/// A place in the user's input, opaque here: an index into a table that the front end keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(pub u32);

/// What a location stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The name, unique within the graph.
    pub name: Arc<str>,
    /// Where it comes from.
    pub origin: Option<Origin>,
    /// For an error location: what is violated when it is reached.
    pub error: Option<Arc<str>>,
    /// For an error location: its obligation, by number, if there may be several for one. An assertion
    /// in a procedure that is inlined twice has two: it holds if neither is reached, and is violated
    /// if one is.
    pub obligation: Option<u32>,
    /// Whether a loop starts here in the user's program (its invariants are worth showing).
    pub loop_head: bool,
    /// The procedure whose body the location belongs to, where there are several in the graph.
    pub procedure: Option<Arc<str>>,
}

/// The label of an edge: which pairs of states a step may connect.
///
/// `formula` speaks about the program variables before ([`Version::Current`]) and after
/// ([`Version::Next`]) the step, rigid symbols, and auxiliaries ([`Version::Aux`]), which are
/// existentially quantified. The frame condition: a program variable that is not in `changed`
/// keeps its value. One that is in `changed` and not constrained by the formula becomes
/// arbitrary. Examples:
///
/// * `x := x + 1` is formula `x' == x + 1`, changed `{x}`;
/// * `assume x > 0` is formula `x > 0`, changed `{}`;
/// * `havoc x` is formula `true`, changed `{x}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The transition formula. A variable occurs as [`Version::Next`] only if it is in `changed`.
    pub formula: Term,
    /// The names of the variables that may change.
    pub changed: BTreeSet<Arc<str>>,
}

impl Transition {
    /// Lets through exactly the states that satisfy `condition`, unchanged.
    pub fn assume(condition: Term) -> Transition {
        Transition {
            formula: condition,
            changed: BTreeSet::new(),
        }
    }

    /// Whether a step changes nothing and is possible in all states.
    pub fn is_idle(&self, terms: &Terms) -> bool {
        self.changed.is_empty() && *terms.op(self.formula) == Op::Bool(true)
    }

    /// `x := value`
    pub fn assign(terms: &Terms, name: &Arc<str>, value: Term) -> Transition {
        let next = terms.next(name.clone(), terms.sort(value).clone());
        Transition {
            formula: terms.eq(next, value),
            changed: BTreeSet::from([name.clone()]),
        }
    }

    /// A state formula as it reads after the step: the variables that the step may change are
    /// primed; the others keep their value, so they need no copy.
    pub fn after(&self, terms: &Terms, formula: Term) -> Term {
        terms.with_versions(formula, |var| match var.version {
            Version::Current if self.changed.contains(&var.name) => Version::Next,
            other => other,
        })
    }

    /// Gives the variables arbitrary values.
    pub fn havoc(terms: &Terms, names: impl IntoIterator<Item = Arc<str>>) -> Transition {
        Transition {
            formula: terms.tt(),
            changed: names.into_iter().collect(),
        }
    }
}

/// What a step takes for granted besides the state that it is taken in: that another location is reached too, by a trace of its
/// own.
///
/// Steps with premises make trees out of traces. A Horn clause with several predicates among its premises is such a step; so is a
/// call that is described by what reaches the end of the procedure. Whoever ignores premises looks at a graph with more traces:
/// good enough for proofs, and never for counterexamples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The other location. It is not an error location.
    pub location: LocationId,
    /// The values of program variables there, as terms over what the transition formula may speak about. The other variables may
    /// have any values there.
    pub state: BTreeMap<Arc<str>, Term>,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The label.
    pub transition: Transition,
    /// What has to be reached besides the source.
    pub premises: Vec<Premise>,
    /// Where it comes from.
    pub origin: Option<Origin>,
}

impl Edge {
    /// An edge without premises.
    pub fn new(transition: Transition, origin: Option<Origin>) -> Edge {
        Edge {
            transition,
            premises: Vec::new(),
            origin,
        }
    }

    /// The transition formula, and the terms that say what holds at the premises.
    pub fn terms(&self) -> Vec<Term> {
        let there = (self.premises.iter()).flat_map(|premise| premise.state.values());
        there.copied().chain([self.transition.formula]).collect()
    }
}

/// A program graph.
///
/// Invariants, checked by [`ProgramGraph::check`]: formulas are boolean; free variables are
/// program variables with the declared sorts or auxiliaries; `Next` occurs only for changed
/// variables; error locations have no outgoing edges.
#[derive(Clone, Debug)]
pub struct ProgramGraph {
    /// The name: of the procedure, usually.
    pub name: Arc<str>,
    /// The program variables.
    pub variables: IndexMap<Arc<str>, Sort>,
    /// The rigid symbols that formulas may use.
    pub functions: Vec<Arc<Function>>,
    /// Closed formulas about rigid symbols that hold in every execution.
    pub axioms: Vec<Term>,
    /// Locations and edges.
    pub graph: DiGraph<Location, Edge>,
    /// Where every run starts, in any state.
    pub initial: LocationId,
}

impl ProgramGraph {
    /// A graph with one location, the initial one.
    pub fn new(name: impl Into<Arc<str>>) -> ProgramGraph {
        let mut graph = DiGraph::new();
        let initial = graph.add_node(Location::named("start"));
        ProgramGraph {
            name: name.into(),
            variables: IndexMap::new(),
            functions: Vec::new(),
            axioms: Vec::new(),
            graph,
            initial,
        }
    }

    /// A graph with the same name, variables, rigid symbols and axioms, and no location. Its
    /// initial location has to be set.
    pub fn without_locations(&self) -> ProgramGraph {
        ProgramGraph {
            name: self.name.clone(),
            variables: self.variables.clone(),
            functions: self.functions.clone(),
            axioms: self.axioms.clone(),
            graph: DiGraph::new(),
            initial: LocationId::default(),
        }
    }

    /// The locations that are heads of loops.
    pub fn loop_heads(&self) -> impl Iterator<Item = LocationId> + '_ {
        let all = self.graph.node_indices();
        all.filter(|&location| self.graph[location].loop_head)
    }

    /// Whether steps or axioms speak about sequences, strings or regular languages, of which runs are not told.
    pub fn has_sequences(&self, terms: &Terms) -> bool {
        let steps = self.graph.edge_weights();
        let steps = steps.map(|edge| edge.transition.formula);
        let formulas: Vec<Term> = steps.chain(self.axioms.iter().copied()).collect();
        let parts = terms.post_order(&formulas);
        parts
            .into_iter()
            .any(|term| terms.sort(term).has_sequences())
    }

    /// Whether some step has premises, so that traces are trees.
    pub fn has_premises(&self) -> bool {
        let mut edges = self.graph.edge_weights();
        edges.any(|edge| !edge.premises.is_empty())
    }

    /// The graph without premises. It has all traces of this one, and more.
    pub fn without_premises(&self) -> Cow<'_, ProgramGraph> {
        if !self.has_premises() {
            return Cow::Borrowed(self);
        }
        let mut graph = self.clone();
        for edge in graph.graph.edge_weights_mut() {
            edge.premises.clear();
        }
        Cow::Owned(graph)
    }

    /// A premise in words: `at f with n == m - 1, r == a`.
    pub fn premise_text(&self, terms: &Terms, premise: &Premise) -> String {
        let values: Vec<String> = (premise.state.iter())
            .map(|(name, &value)| format!("{name} == {}", terms.display(value)))
            .collect();
        let name = &self.graph[premise.location].name;
        match values.is_empty() {
            true => format!("at {name}"),
            false => format!("at {name} with {}", values.join(", ")),
        }
    }

    /// The error locations, in order.
    pub fn errors(&self) -> impl Iterator<Item = LocationId> + '_ {
        self.graph
            .node_indices()
            .filter(|&l| self.graph[l].error.is_some())
    }

    /// The term of a program variable in a version; `None` if there is no such variable.
    pub fn variable(&self, terms: &Terms, name: &str, version: Version) -> Option<Term> {
        let (name, sort) = self.variables.get_key_value(name)?;
        Some(terms.var(name.clone(), version, sort.clone()))
    }

    /// The conjunction of `x' == x` for all variables an edge does not change, restricted to the
    /// given names.
    pub fn frame<'a>(
        &self,
        terms: &Terms,
        transition: &Transition,
        names: impl IntoIterator<Item = &'a Arc<str>>,
    ) -> Term {
        terms.and(names.into_iter().filter_map(|name| {
            if transition.changed.contains(name) {
                return None;
            }
            let before = self.variable(terms, name, Version::Current)?;
            let after = self.variable(terms, name, Version::Next)?;
            Some(terms.eq(after, before))
        }))
    }

    /// What is wrong with the graph, if anything: a front end or a reduction has a bug.
    pub fn check(&self, terms: &Terms) -> Result<(), String> {
        for edge in self.graph.edge_references() {
            use petgraph::visit::EdgeRef as _;
            let transition = &edge.weight().transition;
            let place = || {
                format!(
                    "edge {} -> {} of {}",
                    self.graph[edge.source()].name,
                    self.graph[edge.target()].name,
                    self.name
                )
            };
            if *terms.sort(transition.formula) != Sort::Bool {
                return Err(format!("{}: the formula is not boolean", place()));
            }
            if self.graph[edge.source()].error.is_some() {
                return Err(format!("{}: leaves an error location", place()));
            }
            if let Some(name) = transition
                .changed
                .iter()
                .find(|name| !self.variables.contains_key(*name))
            {
                return Err(format!("{}: changes the unknown `{name}`", place()));
            }
            for term in terms.free_vars(&edge.weight().terms()) {
                let Some(var) = terms.as_var(term) else {
                    continue;
                };
                let fine = match var.version {
                    Version::Aux(_) => true,
                    Version::Current => self.variables.get(&var.name) == Some(terms.sort(term)),
                    Version::Next => {
                        transition.changed.contains(&var.name)
                            && self.variables.get(&var.name) == Some(terms.sort(term))
                    }
                    Version::At(_) | Version::AuxAt(..) | Version::Bound(_) => false,
                };
                if !fine {
                    return Err(format!("{}: stray variable {var:?}", place()));
                }
            }
            for premise in &edge.weight().premises {
                self.check_premise(terms, premise)
                    .map_err(|what| format!("{}: {what}", place()))?;
            }
        }
        Ok(())
    }

    fn check_premise(&self, terms: &Terms, premise: &Premise) -> Result<(), String> {
        match self.graph.node_weight(premise.location) {
            None => return Err("a premise at a location that does not exist".into()),
            Some(location) if location.error.is_some() => {
                return Err("a premise at an error location".into());
            }
            Some(_) => {}
        }
        for (name, &term) in &premise.state {
            if self.variables.get(name) != Some(terms.sort(term)) {
                return Err(format!("a premise about `{name}` of another sort"));
            }
        }
        Ok(())
    }
}

impl Location {
    /// A location with a name and nothing else.
    pub fn named(name: impl Into<Arc<str>>) -> Location {
        Location {
            name: name.into(),
            origin: None,
            error: None,
            obligation: None,
            loop_head: false,
            procedure: None,
        }
    }
}
