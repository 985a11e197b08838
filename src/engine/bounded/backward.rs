//! The last segments before an error: the step case of k-induction.
//!
//! Layers are counted from the end. One more segment adds a layer before the others and takes
//! nothing back, so one solver keeps all it learned. Auxiliary invariants are assumed at every
//! location of every layer.
//!
//! That no earlier location is an error location needs no formula: nothing leaves those, so every
//! other edge of a run already says that the assertions before it hold.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use super::layers::{Layer, Segment, Writer};
use crate::invariants::Lemmas;
use ult_core::formula::{Op, Term};
use ult_core::graph::LocationId;
use ult_smt::{Answer, Failure, Session, Solver};

/// The last segments.
pub struct Backward<'s, 't> {
    writer: Writer<'s>,
    segments: Vec<Segment>,
    /// Knows everything about the layers so far. To be asked by [`Backward::check`].
    pub solver: Solver<'s, 't>,
    layers: Vec<Layer>,
    /// For each layer, its locations.
    here: Vec<BTreeMap<LocationId, Term>>,
    facts: Vec<Fact>,
}

/// An auxiliary invariant.
struct Fact {
    location: LocationId,
    formula: Term,
    /// It is assumed wherever this holds.
    assumed: Term,
}

impl<'s, 't> Backward<'s, 't> {
    /// No segment yet: only the error locations.
    pub fn new(session: &'s Session<'t>, writer: Writer<'s>) -> Backward<'s, 't> {
        let errors = writer.graph.errors();
        Backward {
            segments: writer.segments(),
            solver: session.solver(),
            layers: vec![writer.first_layer()],
            here: vec![errors.map(|e| (e, writer.literal("here"))).collect()],
            facts: Vec::new(),
            writer,
        }
    }

    /// The number of segments.
    pub fn depth(&self) -> u32 {
        self.layers[self.layers.len() - 1].position
    }

    /// That the walk ends in an error location.
    pub fn ends_in(&self, error: LocationId) -> Option<Term> {
        self.here[0].get(&error).copied()
    }

    /// One segment more before the others.
    pub fn extend(&mut self) -> Result<(), Failure> {
        let first = self.layers.len() - 1;
        let terms = self.writer.terms;
        let after = &self.layers[first];
        let possible: Vec<&Segment> = self
            .segments
            .iter()
            .filter(|segment| self.here[first].contains_key(&segment.target))
            .collect();
        let before = self.writer.next_layer(after, &possible);
        let mut here: BTreeMap<LocationId, Term> = BTreeMap::new();
        let mut ways: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
        for segment in possible {
            self.solver.session().control().check()?;
            let from = *here
                .entry(segment.source)
                .or_insert_with(|| self.writer.literal("here"));
            let formula = self.writer.segment(segment, &before, after, after.position);
            let literal = self.writer.literal("taken");
            self.solver
                .assert(terms.implies(literal, terms.and2(from, formula)))?;
            ways.entry(segment.target).or_default().push(literal);
        }
        for (&location, &literal) in &self.here[first] {
            // A location that no edge leads to ends the walk before it has enough segments.
            let ways = terms.or(ways.remove(&location).unwrap_or_default());
            self.solver.assert(terms.implies(literal, ways))?;
        }
        self.layers.push(before);
        self.here.push(here);
        for fact in 0..self.facts.len() {
            self.assert_fact(fact, first + 1)?;
        }
        Ok(())
    }

    /// Tells the solver of a fact in one layer.
    fn assert_fact(&mut self, fact: usize, layer: usize) -> Result<(), Failure> {
        let terms = self.writer.terms;
        let fact = &self.facts[fact];
        if let Some(&here) = self.here[layer].get(&fact.location) {
            let formula = self.writer.state(&self.layers[layer], fact.formula);
            let premises = terms.and2(fact.assumed, here);
            self.solver.assert(terms.implies(premises, formula))?;
        }
        Ok(())
    }

    /// Assumes more at every location.
    pub fn assume(&mut self, news: &Lemmas) -> Result<(), Failure> {
        for (&location, formulas) in news {
            for &formula in formulas {
                self.facts.push(Fact {
                    location,
                    formula,
                    assumed: self.writer.literal("assumed"),
                });
                for layer in 1..self.layers.len() {
                    self.assert_fact(self.facts.len() - 1, layer)?;
                }
            }
        }
        Ok(())
    }

    /// Whether some walk ends in one of the error locations, by their literals.
    pub fn check(&mut self, any: Term, limit: Option<Duration>) -> Answer {
        let facts = self.facts.iter().map(|fact| fact.assumed);
        let assumptions: Vec<Term> = [any].into_iter().chain(facts).collect();
        self.solver.check(&assumptions, limit)
    }

    /// The facts that the last check, if unsatisfiable, made use of.
    pub fn used(&self) -> impl Iterator<Item = (LocationId, Term)> {
        let core: HashSet<Term> = self.solver.core().into_iter().collect();
        self.facts
            .iter()
            .filter(move |fact| core.contains(&fact.assumed))
            .map(|fact| (fact.location, fact.formula))
    }

    /// The locations that are not reached by what is assumed.
    pub fn dead(&self) -> BTreeSet<LocationId> {
        let dead = |fact: &&Fact| *self.writer.terms.op(fact.formula) == Op::Bool(false);
        self.facts
            .iter()
            .filter(dead)
            .map(|fact| fact.location)
            .collect()
    }

    /// Everything that is assumed.
    pub fn known(&self) -> Lemmas {
        let mut known = Lemmas::new();
        for fact in &self.facts {
            known.entry(fact.location).or_default().push(fact.formula);
        }
        known
    }
}
