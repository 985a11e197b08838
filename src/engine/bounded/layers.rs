//! Instances of the program variables in the layers of an unrolling, and segments between them.

use std::collections::BTreeSet;

use petgraph::visit::EdgeRef as _;

use ult_core::formula::{Sort, Term, Terms, Version};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

/// One layer: which instance holds the value of each variable there, in the order of declaration.
///
/// All locations of a layer share the instances, since a run is at one location at a time; and a
/// variable that no edge between two layers changes keeps its instance.
#[derive(Clone, Debug)]
pub struct Layer {
    /// How many layers are between this one and the first.
    pub position: u32,
    instances: Vec<u32>,
}

/// Edges with their ends, and the variables that they change, by number.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The edge.
    pub edge: EdgeId,
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    changed: BTreeSet<usize>,
}

/// Writes formulas over layers.
#[derive(Clone, Copy)]
pub struct Writer<'s> {
    /// The store of all formulas.
    pub terms: &'s Terms,
    /// The graph that is unrolled.
    pub graph: &'s ProgramGraph,
}

impl<'s> Writer<'s> {
    /// All edges of the graph, in order, without those that no run can take.
    pub fn segments(&self) -> Vec<Segment> {
        let edges = self.graph.graph.edge_references();
        edges
            .filter(|edge| edge.weight().transition.formula != self.terms.ff())
            .map(|edge| Segment {
                edge: edge.id(),
                source: edge.source(),
                target: edge.target(),
                changed: edge
                    .weight()
                    .transition
                    .changed
                    .iter()
                    .filter_map(|name| self.graph.variables.get_index_of(name))
                    .collect(),
            })
            .collect()
    }

    /// The layer that an unrolling starts with.
    pub fn first_layer(&self) -> Layer {
        Layer {
            position: 0,
            instances: vec![0; self.graph.variables.len()],
        }
    }

    /// The layer next to `layer`, when these are all segments between the two: new instances for
    /// what some of them changes.
    pub fn next_layer(&self, layer: &Layer, segments: &[&Segment]) -> Layer {
        let mut next = layer.clone();
        next.position += 1;
        for segment in segments {
            for &index in &segment.changed {
                next.instances[index] = next.position;
            }
        }
        next
    }

    /// A new boolean that occurs nowhere else.
    pub fn literal(&self, name: &str) -> Term {
        self.terms.fresh_aux(name, Sort::Bool)
    }

    /// A state formula (or term) about the state at a layer.
    pub fn state(&self, layer: &Layer, formula: Term) -> Term {
        self.renamed(layer, layer, layer.position, formula)
    }

    /// The instance of a variable, by number.
    pub fn instance(&self, layer: &Layer, index: usize) -> Option<Term> {
        let (name, sort) = self.graph.variables.get_index(index)?;
        let version = Version::At(layer.instances[index]);
        Some(self.terms.var(name.clone(), version, sort.clone()))
    }

    /// That an edge is taken from one layer to a neighbouring one. `position` distinguishes the
    /// auxiliaries of this pair of layers from those of others.
    pub fn segment(&self, segment: &Segment, before: &Layer, after: &Layer, position: u32) -> Term {
        let transition = &self.graph.graph[segment.edge].transition;
        let formula = self.renamed(before, after, position, transition.formula);
        let kept = (0..before.instances.len())
            .filter(|i| before.instances[*i] != after.instances[*i])
            .filter(|i| !segment.changed.contains(i))
            .filter_map(|i| {
                let (old, new) = (self.instance(before, i)?, self.instance(after, i)?);
                Some(self.terms.eq(new, old))
            });
        self.terms.and([formula].into_iter().chain(kept))
    }

    /// The auxiliaries of an edge by the numbers that they have in its formula.
    pub fn auxiliaries(&self, edge: EdgeId, position: u32) -> Vec<(u32, Term)> {
        let formula = self.graph.graph[edge].transition.formula;
        let vars = self.terms.free_vars(&[formula]);
        vars.into_iter()
            .filter_map(|term| {
                let var = self.terms.as_var(term)?;
                let Version::Aux(number) = var.version else {
                    return None;
                };
                let sort = self.terms.sort(term).clone();
                let version = Version::AuxAt(position, number);
                Some((number, self.terms.var(var.name.clone(), version, sort)))
            })
            .collect()
    }

    fn renamed(&self, before: &Layer, after: &Layer, position: u32, formula: Term) -> Term {
        let at = |layer: &Layer, name: &str| {
            let index = self.graph.variables.get_index_of(name);
            index.map(|index| Version::At(layer.instances[index]))
        };
        self.terms.with_versions(formula, |var| match var.version {
            Version::Current => at(before, &var.name).unwrap_or(var.version),
            Version::Next => at(after, &var.name).unwrap_or(var.version),
            Version::Aux(number) => Version::AuxAt(position, number),
            other => other,
        })
    }
}
