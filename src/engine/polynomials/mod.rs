//! Polynomial equalities: guessed from runs, then proved.
//!
//! Where a program multiplies, its invariants are often equalities between products of variables,
//! which interpolants do not say. Runs of the program give states at each location; the polynomial
//! equalities that hold of all of them (`ideal.rs`) are candidates. (Sharma et al.: "A Data Driven
//! Approach for Algebraic Loop Invariants", ESOP 2013.) The largest set that algebra (`algebra.rs`) or the
//! solver proves inductive, together with what is known, is published; if it excludes error locations, they are
//! proved. It is tried again when somebody has found more.

mod algebra;
mod ideal;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use num_bigint::BigInt;
use num_traits::Signed as _;
use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use crate::blocks::Blocks;
use crate::execute::{Points, samples};
use crate::facts::enter;
use crate::inductive::{Proof, prove};
use crate::invariants::generator::Generator;
use crate::invariants::templates::read_variables;
use crate::invariants::{Auxiliary, Cursor, Lemmas, known};
use crate::limits;
use crate::task::{Engine, Outcome, Task};
use crate::thread::Rank;
use algebra::{Case, cases_of};
use ideal::{Equality, equalities, monomials};
use ult_core::formula::{Op, Sort, Term, Terms};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::{Answer, Session};

/// More monomials than these are not looked at; then the degree is smaller.
const MOST_MONOMIALS: usize = 130;

/// Equalities of higher degrees are not looked for.
const DEGREE: usize = 3;

/// More equalities at one location are not tried.
const MOST_EQUALITIES: usize = 24;

/// Polynomial equalities guessed from runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polynomials {
    /// Which auxiliary invariants are there in the beginning.
    pub auxiliary: Auxiliary,
}

impl Engine for Polynomials {
    /// Finds proofs only, no runs. Error locations that are not excluded are undecided.
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let otherwise = "no polynomial equalities exclude it";
        prove(task, stats, otherwise, |session, proof, stats| {
            self.search(task, session, proof, stats)
        })
    }
}

impl Polynomials {
    fn search(
        &self,
        task: &Task<'_>,
        session: &Session<'_>,
        proof: &mut Proof,
        stats: &mut Statistics,
    ) -> Result<(), Reason> {
        if !multiplies(task.terms, task.original) {
            return Ok(());
        }
        let mut candidates = guesses(task, stats);
        if candidates.values().all(Vec::is_empty) {
            return Ok(());
        }
        let mut blocks = Blocks::new(session, task.graph);
        let generator = Generator::start(task, Rank::Second);
        let mut cases = Cases::default();
        let mut cursor = Cursor::default();
        let mut all = known(task, &mut blocks, self.auxiliary, stats);
        let mut news = true;
        loop {
            task.control.check()?;
            // Asked before the pool is read: what is published last must not be missed.
            let over = generator.is_over();
            news |= enter(&mut all, task.facts.since(task.terms, &mut cursor));
            if news {
                news = false;
                let mut attempt = Attempt {
                    blocks: &mut blocks,
                    known: &all,
                    cases: &mut cases,
                    deadline: Instant::now() + limits::POLYNOMIALS,
                };
                let proved = attempt.inductive(&candidates);
                if proved.values().any(|formulas| !formulas.is_empty()) {
                    task.facts.publish(task.terms, &proved);
                    for (location, formulas) in &proved {
                        let open = candidates.entry(*location).or_default();
                        open.retain(|formula| !formulas.contains(formula));
                        all.entry(*location).or_default().extend(formulas);
                    }
                }
                let mut attempt = Attempt {
                    blocks: &mut blocks,
                    known: &all,
                    cases: &mut cases,
                    deadline: Instant::now() + limits::POLYNOMIALS,
                };
                if proof.improve(Some(attempt.proof())) {
                    break;
                }
            } else if over {
                break;
            } else {
                std::thread::sleep(limits::NAP_CELLS);
            }
        }
        generator.end(stats);
        Ok(())
    }
}

/// Whether some step multiplies values that are no constants.
fn multiplies(terms: &Terms, graph: &ProgramGraph) -> bool {
    let edges = graph.graph.edge_weights();
    let formulas: Vec<Term> = edges.map(|edge| edge.transition.formula).collect();
    terms.post_order(&formulas).into_iter().any(|term| {
        let factors = terms.args(term).iter();
        *terms.op(term) == Op::Mul
            && *terms.sort(term) == Sort::Int
            && factors.filter(|&&t| terms.as_number(t).is_none()).count() > 1
    })
}

/// Equalities at locations of the graph that held in all runs that were tried.
pub(crate) fn guesses(task: &Task<'_>, stats: &mut Statistics) -> Lemmas {
    let (terms, graph) = (task.terms, task.graph);
    let mut variables = read_variables(terms, graph);
    variables.retain(|&var| *terms.sort(var) == Sort::Int);
    let name = |&var: &Term| terms.as_var(var).map(|var| var.name.clone());
    let names: Vec<Arc<str>> = variables.iter().filter_map(name).collect();
    let mut places: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    for (&location, &original) in task.places {
        if location != graph.initial && graph.graph[location].error.is_none() {
            places.entry(original).or_default().push(location);
        }
    }
    let wanted = places.keys().map(|&place| (place, names.clone())).collect();
    let points = samples(task, &wanted, stats);
    let mut found = Lemmas::new();
    for (place, points) in &points {
        let formulas = guessed(terms, &variables, points);
        for &location in places.get(place).into_iter().flatten() {
            found.insert(location, formulas.clone());
        }
    }
    found
}

/// The equalities that hold at all points.
fn guessed(terms: &Terms, variables: &[Term], points: &Points) -> Vec<Term> {
    let points: Vec<Vec<BigInt>> = points.iter().cloned().collect();
    let linear = equalities(&points, &monomials(variables.len(), 1));
    // What is a linear combination of the others says nothing more in products.
    let dependent: BTreeSet<usize> = (linear.iter())
        .filter_map(|equality| equality.first()?.0.first().copied())
        .collect();
    let independent: Vec<usize> = (0..variables.len())
        .filter(|number| !dependent.contains(number))
        .collect();
    let projected: Vec<Vec<BigInt>> = (points.iter())
        .map(|point| independent.iter().map(|&v| point[v].clone()).collect())
        .collect();
    let mut formulas: Vec<Term> = Vec::new();
    for equality in &linear {
        formulas.extend(formula(terms, variables, equality));
    }
    let own: Vec<Term> = independent.iter().map(|&v| variables[v]).collect();
    let degrees = (2..=DEGREE).rev();
    let monomials = degrees
        .map(|degree| monomials(own.len(), degree))
        .find(|monomials| monomials.len() <= MOST_MONOMIALS);
    for equality in equalities(&projected, &monomials.unwrap_or_default()) {
        formulas.extend(formula(terms, &own, &equality));
    }
    formulas.truncate(MOST_EQUALITIES);
    formulas
}

/// An equality with positive factors on both sides.
fn formula(terms: &Terms, variables: &[Term], equality: &Equality) -> Option<Term> {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (monomial, factor) in equality {
        let mut product = vec![terms.int(factor.abs())];
        for &variable in monomial {
            product.push(*variables.get(variable)?);
        }
        match factor.is_positive() {
            true => left.push(terms.mul(&product)),
            false => right.push(terms.mul(&product)),
        }
    }
    let sum = |parts: Vec<Term>| match parts.is_empty() {
        true => terms.int(0),
        false => terms.add(&parts),
    };
    Some(terms.eq(sum(left), sum(right)))
}

/// In how many ways each edge may be taken, as far as it was asked.
#[derive(Default)]
pub(crate) struct Cases(BTreeMap<EdgeId, Option<Rc<Vec<Case>>>>);

impl Cases {
    /// Whether an equality holds after a step, by algebra; the solver is asked about single cases only,
    /// which may be impossible.
    pub(crate) fn follow(
        &mut self,
        blocks: &Blocks<'_, '_>,
        edge: EdgeId,
        before: &[Term],
        after: Term,
    ) -> bool {
        let session = blocks.session;
        let terms = session.terms();
        let formula = blocks.graph.graph[edge].transition.formula;
        let cases = self.0.entry(edge);
        let cases = cases.or_insert_with(|| cases_of(terms, formula).map(Rc::new));
        let Some(cases) = cases.clone() else {
            return false;
        };
        cases.iter().all(|case| {
            case.follows(terms, before, after) || {
                let mut solver = session.brief_solver();
                let all = case.literals.iter().chain(before).copied();
                let mut question = all.chain([terms.not(after)]);
                question.all(|formula| solver.assert(formula).is_ok())
                    && solver.check(&[], Some(limits::POLYNOMIAL_CASE)) == Answer::Unsat
            }
        })
    }
}

/// Questions under what is known.
struct Attempt<'a, 's, 't> {
    blocks: &'a mut Blocks<'s, 't>,
    known: &'a Lemmas,
    cases: &'a mut Cases,
    deadline: Instant,
}

impl Attempt<'_, '_, '_> {
    /// The largest subset that is proved to be inductive: Houdini, with a question for each formula,
    /// since one that is too hard must not keep others from being proved.
    fn inductive(&mut self, candidates: &Lemmas) -> Lemmas {
        let graph = self.blocks.graph;
        let mut alive = candidates.clone();
        let mut stable = false;
        while !stable {
            stable = true;
            for edge in graph.graph.edge_references() {
                let target = alive.get(&edge.target()).cloned().unwrap_or_default();
                for formula in target {
                    let after = self.blocks.after(edge.id(), formula);
                    let fails = self.blocks.session.terms().not(after);
                    // Mostly the equalities suffice, and the solver is faster without inequalities.
                    let own = alive.get(&edge.source()).cloned().unwrap_or_default();
                    let all = [own.clone(), self.facts(edge.source())].concat();
                    let mut holds = self.cases.follow(self.blocks, edge.id(), &own, after)
                        || self.refuted(edge.id(), &own, Some(fails)).is_some();
                    if !holds && all.len() > own.len() {
                        holds = self.refuted(edge.id(), &all, Some(fails)).is_some();
                    }
                    if !holds {
                        let all = alive.entry(edge.target()).or_default();
                        all.retain(|&other| other != formula);
                        stable = false;
                    }
                }
            }
        }
        alive
    }

    /// The error locations that what is known excludes, and invariants that say so.
    fn proof(&mut self) -> Proof {
        let graph = self.blocks.graph;
        let terms = self.blocks.session.terms();
        let mut open = BTreeSet::new();
        let mut needed: BTreeSet<(LocationId, Term)> = BTreeSet::new();
        'errors: for error in graph.errors() {
            let mut used = BTreeSet::new();
            for edge in graph.graph.edges_directed(error, Direction::Incoming) {
                let assumed = self.facts(edge.source());
                match self.refuted(edge.id(), &assumed, None) {
                    Some(core) => used.extend(core.into_iter().map(|f| (edge.source(), f))),
                    None => {
                        open.insert(error);
                        continue 'errors;
                    }
                }
            }
            needed.append(&mut used);
        }
        let needed = self.closure(needed).unwrap_or_else(|| {
            let known = self.known.iter();
            let known = known.flat_map(|(&l, all)| all.iter().map(move |&f| (l, f)));
            known.collect()
        });
        let mut at: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
        for location in graph.graph.node_indices() {
            if location != graph.initial && graph.graph[location].error.is_none() {
                at.insert(location, Vec::new());
            }
        }
        for (location, formula) in needed {
            at.entry(location).or_default().push(formula);
        }
        let at = at.into_iter();
        Proof {
            at: at
                .map(|(location, all)| (location, terms.and(all)))
                .collect(),
            open,
        }
    }

    /// What is needed to prove what is needed; `None` if some question is too hard now.
    fn closure(
        &mut self,
        mut needed: BTreeSet<(LocationId, Term)>,
    ) -> Option<BTreeSet<(LocationId, Term)>> {
        let graph = self.blocks.graph;
        let mut waiting: Vec<(LocationId, Term)> = needed.iter().copied().collect();
        while let Some((location, formula)) = waiting.pop() {
            for edge in graph.graph.edges_directed(location, Direction::Incoming) {
                let after = self.blocks.after(edge.id(), formula);
                let fails = self.blocks.session.terms().not(after);
                let assumed = self.facts(edge.source());
                for used in self.refuted(edge.id(), &assumed, Some(fails))? {
                    if needed.insert((edge.source(), used)) {
                        waiting.push((edge.source(), used));
                    }
                }
            }
        }
        Some(needed)
    }

    fn facts(&self, location: LocationId) -> Vec<Term> {
        self.known.get(&location).cloned().unwrap_or_default()
    }

    /// What of the assumptions it takes to show that the step is impossible, or that nothing after it
    /// makes `fails` true; `None` if that was not shown.
    fn refuted(
        &mut self,
        edge: EdgeId,
        assumed: &[Term],
        fails: Option<Term>,
    ) -> Option<Vec<Term>> {
        let left = self.deadline.checked_duration_since(Instant::now())?;
        self.blocks.session.control().check().ok()?;
        let question: Vec<Term> = assumed.iter().copied().chain(fails).collect();
        let solver = self.blocks.solver(edge)?;
        if solver.check(&question, Some(left.min(limits::POLYNOMIAL))) != Answer::Unsat {
            return None;
        }
        let core = solver.core().into_iter();
        Some(core.filter(|formula| assumed.contains(formula)).collect())
    }
}
