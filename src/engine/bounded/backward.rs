//! The last passages before an error: the step case of k-induction.
//!
//! Layers are counted from the end. One more passage adds a layer before the others and takes
//! nothing back, so one solver keeps all it learned. Auxiliary invariants are assumed at every
//! location of every layer.
//!
//! That no earlier location is an error location needs no formula: nothing leaves those, so every
//! other edge of a run already says that the assertions before it hold.

use std::collections::BTreeMap;

use super::layers::{Layer, Passage, Writer};
use crate::formula::Term;
use crate::graph::LocationId;
use crate::invariants::Known;
use crate::solver::{Failure, Session, Solver};

/// The last passages.
pub struct Backward<'s, 't> {
    writer: Writer<'s>,
    passages: Vec<Passage>,
    /// Knows everything about the layers so far.
    pub solver: Solver<'s, 't>,
    layers: Vec<Layer>,
    /// For each layer, its locations.
    here: Vec<BTreeMap<LocationId, Term>>,
    /// What is assumed at locations.
    known: Known,
}

impl<'s, 't> Backward<'s, 't> {
    /// No passage yet: only the error locations.
    pub fn new(session: &'s Session<'t>, writer: Writer<'s>) -> Backward<'s, 't> {
        let errors = writer.graph.errors();
        Backward {
            passages: writer.passages(),
            solver: session.solver(),
            layers: vec![writer.first_layer()],
            here: vec![errors.map(|e| (e, writer.literal("here"))).collect()],
            known: Known::new(),
            writer,
        }
    }

    /// The number of passages.
    pub fn depth(&self) -> u32 {
        self.layers[self.layers.len() - 1].position
    }

    /// That the walk ends in an error location.
    pub fn ends_in(&self, error: LocationId) -> Option<Term> {
        self.here[0].get(&error).copied()
    }

    /// One passage more before the others.
    pub fn extend(&mut self) -> Result<(), Failure> {
        let first = self.layers.len() - 1;
        let terms = self.writer.terms;
        let after = &self.layers[first];
        let possible: Vec<&Passage> = self
            .passages
            .iter()
            .filter(|passage| self.here[first].contains_key(&passage.target))
            .collect();
        let before = self.writer.next_layer(after, &possible);
        let mut here: BTreeMap<LocationId, Term> = BTreeMap::new();
        let mut ways: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
        for passage in possible {
            let from = *here
                .entry(passage.source)
                .or_insert_with(|| self.writer.literal("here"));
            let formula = self.writer.passage(passage, &before, after, after.position);
            let literal = self.writer.literal("taken");
            self.solver
                .assert(terms.implies(literal, terms.and2(from, formula)))?;
            ways.entry(passage.target).or_default().push(literal);
        }
        for (&location, &literal) in &self.here[first] {
            // A location that no edge leads to ends the walk before it has enough passages.
            let ways = terms.or(ways.remove(&location).unwrap_or_default());
            self.solver.assert(terms.implies(literal, ways))?;
        }
        for (&location, &literal) in &here {
            for &formula in self.known.get(&location).into_iter().flatten() {
                let formula = self.writer.state(&before, formula);
                self.solver.assert(terms.implies(literal, formula))?;
            }
        }
        self.layers.push(before);
        self.here.push(here);
        Ok(())
    }

    /// Assumes more at every location.
    pub fn assume(&mut self, news: &Known) -> Result<(), Failure> {
        let terms = self.writer.terms;
        for (layer, here) in self.layers.iter().zip(&self.here).skip(1) {
            for (location, &literal) in here {
                for &formula in news.get(location).into_iter().flatten() {
                    let formula = self.writer.state(layer, formula);
                    self.solver.assert(terms.implies(literal, formula))?;
                }
            }
        }
        for (&location, formulas) in news {
            self.known.entry(location).or_default().extend(formulas);
        }
        Ok(())
    }

    /// Everything that is assumed.
    pub fn known(&self) -> &Known {
        &self.known
    }
}
