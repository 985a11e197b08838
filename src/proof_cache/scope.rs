//! The symbols that a text may name: those of the graphs that it is about.
//!
//! Nothing is declared by a text. A datatype or a function that looked like one of the program's and were another one could
//! confuse a solver, so there are none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use ult_core::formula::{DatatypeSort, Function, Op, Sort, Terms};
use ult_core::graph::ProgramGraph;

/// The symbols of some graphs.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(crate) variables: IndexMap<Arc<str>, Sort>,
    pub(crate) functions: BTreeMap<Arc<str>, Arc<Function>>,
    pub(crate) datatypes: BTreeMap<Arc<str>, DatatypeSort>,
    pub(crate) types: BTreeSet<Arc<str>>,
    pub(crate) builtins: BTreeSet<Arc<str>>,
}

impl Scope {
    /// The symbols and the variables of a graph.
    pub fn of_graph(terms: &Terms, graph: &ProgramGraph) -> Scope {
        Scope {
            variables: graph.variables.clone(),
            ..Scope::of_graphs(terms, [graph])
        }
    }

    /// The symbols of graphs, and no variables.
    pub fn of_graphs<'g>(
        terms: &Terms,
        graphs: impl IntoIterator<Item = &'g ProgramGraph>,
    ) -> Scope {
        let mut scope = Scope::default();
        let mut roots = Vec::new();
        for graph in graphs {
            for sort in graph.variables.values() {
                scope.add_sort(sort);
            }
            for function in &graph.functions {
                scope.add_function(function);
            }
            let edges = graph.graph.edge_weights();
            roots.extend(edges.map(|edge| edge.transition.formula));
            roots.extend(&graph.axioms);
        }
        let mut sorts = BTreeSet::new();
        for term in terms.post_order(&roots) {
            let node = terms.node(term);
            if sorts.insert(&node.sort) {
                scope.add_sort(&node.sort);
            }
            match &node.op {
                Op::Apply(function) => scope.add_function(function),
                Op::Builtin(builtin) => {
                    scope.builtins.insert(builtin.name.clone());
                }
                _ => {}
            }
        }
        scope
    }

    /// The same symbols, and these variables.
    #[must_use]
    pub fn with_variables(
        mut self,
        variables: impl IntoIterator<Item = (Arc<str>, Sort)>,
    ) -> Scope {
        self.variables = variables.into_iter().collect();
        let sorts: Vec<Sort> = self.variables.values().cloned().collect();
        sorts.iter().for_each(|sort| self.add_sort(sort));
        self
    }

    fn add_function(&mut self, function: &Arc<Function>) {
        if self.functions.contains_key(&function.name) {
            return;
        }
        self.functions
            .insert(function.name.clone(), function.clone());
        function.params.iter().for_each(|sort| self.add_sort(sort));
        self.add_sort(&function.result);
    }

    fn add_sort(&mut self, sort: &Sort) {
        for part in sort.parts() {
            match part {
                Sort::Uninterpreted(name) => {
                    self.types.insert(name);
                }
                Sort::Datatype(datatype) => {
                    self.datatypes.insert(datatype.name().clone(), datatype);
                }
                _ => {}
            }
        }
    }

    /// Whether a function of SMT-LIB may be named: the graphs have it, or it is one on floating-point numbers, which
    /// interpolants are made of.
    pub(crate) fn knows_builtin(&self, name: &str) -> bool {
        const FLOATS: &[&str] = &[
            "+oo",
            "-oo",
            "+zero",
            "-zero",
            "NaN",
            "fp",
            "to_fp",
            "to_fp_unsigned",
            "RNE",
            "RNA",
            "RTP",
            "RTN",
            "RTZ",
        ];
        let is_float = |name: &str| {
            name.strip_prefix("fp.")
                .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        };
        self.builtins.contains(name) || FLOATS.contains(&name) || is_float(name)
    }
}
