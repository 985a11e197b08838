//! The first segments of all runs: the unrolling of bounded model checking.
//!
//! `here(l, d)` says that a run is at `l` after `d` segments, and `taken(e, d)` that it takes the
//! edge `e` then:
//!
//! * `here(m, d + 1) ==> OR over edges e into m:  taken(e, d)`,
//! * `taken(e, d) ==> here(source of e, d) && formula of e, from layer d to layer d + 1`.
//!
//! A model in which `here(l, d)` is true contains a whole run, found by following true `taken`
//! backward. Everything asserted holds when all these literals are false, so the solver is never
//! emptied; what is asked comes as an assumption.

use std::collections::{BTreeMap, BTreeSet};

use super::layers::{Layer, Segment, Writer};
use crate::path::run_of_model;
use ult_core::formula::{Term, Value};
use ult_core::graph::evidence::Run;
use ult_core::graph::{EdgeId, LocationId};
use ult_smt::{Failure, Model, Session, Solver};

/// The first segments.
pub struct Forward<'s, 't> {
    writer: Writer<'s>,
    segments: Vec<Segment>,
    /// Knows everything about the layers so far.
    pub solver: Solver<'s, 't>,
    layers: Vec<Layer>,
    /// For each layer, its locations.
    here: Vec<BTreeMap<LocationId, Term>>,
    /// For each layer but the last, the edges that leave it, by number, and whether each is taken.
    taken: Vec<Vec<(usize, Term)>>,
}

impl<'s, 't> Forward<'s, 't> {
    /// No segment yet.
    pub fn new(session: &'s Session<'t>, writer: Writer<'s>) -> Forward<'s, 't> {
        Forward {
            segments: writer.segments(),
            solver: session.solver(),
            layers: vec![writer.first_layer()],
            here: vec![BTreeMap::from([(writer.graph.initial, writer.terms.tt())])],
            taken: Vec::new(),
            writer,
        }
    }

    /// The number of segments.
    pub fn depth(&self) -> u32 {
        self.layers[self.layers.len() - 1].position
    }

    /// One segment more, to the locations of interest.
    pub fn extend(&mut self, of_interest: &BTreeSet<LocationId>) -> Result<(), Failure> {
        let last = self.layers.len() - 1;
        let terms = self.writer.terms;
        let possible: Vec<usize> = (0..self.segments.len())
            .filter(|&number| {
                let segment = &self.segments[number];
                self.here[last].contains_key(&segment.source)
                    && of_interest.contains(&segment.target)
            })
            .collect();
        let between: Vec<&Segment> = possible.iter().map(|&n| &self.segments[n]).collect();
        let before = &self.layers[last];
        let after = self.writer.next_layer(before, &between);
        let mut ways: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
        let mut taken = Vec::new();
        for number in possible {
            self.solver.session().control().check()?;
            let segment = &self.segments[number];
            let literal = self.writer.literal("taken");
            let formula = self
                .writer
                .segment(segment, before, &after, before.position);
            let from = self.here[last][&segment.source];
            self.solver
                .assert(terms.implies(literal, terms.and2(from, formula)))?;
            ways.entry(segment.target).or_default().push(literal);
            taken.push((number, literal));
        }
        let mut here = BTreeMap::new();
        for (location, ways) in ways {
            let literal = self.writer.literal("here");
            let ways = terms.or(ways);
            self.solver.assert(terms.implies(literal, ways))?;
            here.insert(location, literal);
        }
        self.layers.push(after);
        self.here.push(here);
        self.taken.push(taken);
        Ok(())
    }

    /// The locations that the last segment may end at, with the literals that say that it does.
    pub fn last(&self) -> &BTreeMap<LocationId, Term> {
        &self.here[self.here.len() - 1]
    }

    /// The edges along which a model gets to one of the last locations.
    pub fn edges(
        &self,
        model: &Model<'_, '_>,
        location: LocationId,
    ) -> Result<Vec<EdgeId>, Failure> {
        let mut edges = Vec::new();
        let mut at = location;
        for taken in self.taken.iter().rev() {
            let mut way = None;
            for &(number, literal) in taken {
                let segment = &self.segments[number];
                if segment.target == at && is_true(model, literal)? {
                    way = Some(segment);
                    break;
                }
            }
            let segment = way.ok_or_else(|| {
                Failure::UnexpectedOutput("a model of no way into a location".into())
            })?;
            edges.push(segment.edge);
            at = segment.source;
        }
        edges.reverse();
        Ok(edges)
    }

    /// The run along these edges that a model describes. Fails if the model has values that cannot
    /// be written down exactly.
    pub fn run(&self, model: &Model<'_, '_>, edges: &[EdgeId]) -> Result<Run, Failure> {
        let graph = self.writer.graph;
        run_of_model(
            graph,
            edges,
            model,
            |position, name, _| {
                let index = graph.variables.get_index_of(name)?;
                self.writer.instance(&self.layers[position], index)
            },
            |step| {
                let position = self.layers[step].position;
                self.writer.auxiliaries(edges[step], position)
            },
        )
    }
}

/// Whether a literal is true in a model.
pub fn is_true(model: &Model<'_, '_>, literal: Term) -> Result<bool, Failure> {
    Ok(model.value(literal)? == Value::Bool(true))
}
