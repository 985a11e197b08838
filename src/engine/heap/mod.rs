//! Invariants about all objects of a heap: proofs about lists of any length.
//!
//! What a program with lists keeps to can often be said of each object and of those that it points
//! to: `forall o :: first <= o && o < next ==> color[o] != red || color[link[o]] == black`. No
//! predicate about shapes is needed, since all objects ever allocated are spoken of. Which variables
//! make up the heap is told from how they are used (`shape.rs`); literals are what the program
//! compares (`literals.rs`); candidates are the smallest disjunctions of literals that hold in all
//! states that runs go through (`clauses.rs`), about all objects and about those that variables
//! point to. The largest inductive subset is kept ([`quantified`]); if it excludes error locations,
//! they are proved.
//!
//! (Houdini: Flanagan, Leino, FME 2001. Candidates from states: Garg, Löding, Madhusudan, Neider:
//! "Learning Universally Quantified Invariants of Linear Data Structures", CAV 2013. Disjunctions
//! of literals over quantified objects: Karbyshev, Bjørner, Itzhaky, Rinetzky, Shoham:
//! "Property-Directed Inference of Universal Invariants", CAV 2015.)

mod clauses;
mod literals;
mod shape;
#[cfg(test)]
mod tests;

use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use petgraph::visit::EdgeRef as _;

use crate::blocks::Blocks;
use crate::execute::Observed;
use crate::facts::enter;
use crate::inductive::{Proof, attempt, prove};
use crate::invariants::generator::Generator;
use crate::invariants::quantified::{Candidates, Quantified};
use crate::invariants::{Auxiliary, Cursor, Facts, Lemmas, known};
use crate::limits;
use crate::live::Live;
use crate::task::{Engine, Outcome, Task, original_locations};
use crate::thread::Rank;
use literals::{Scope, Together, together};
use shape::Shape;
use ult_core::formula::{Sort, Term};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::persistent::Set;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_reduce::{ReduceOptions, reduce};
use ult_smt::Session;

/// So many candidates for all objects are tried at a location, and so many for each pointer.
const MOST_FOR_ALL: usize = 260;
const MOST_FOR_POINTER: usize = 60;

/// So many literals a disjunction has, attempt by attempt: about all objects, and about one that a
/// variable points to.
const SIZES: [(usize, usize); 2] = [(2, 2), (3, 2)];

/// So many states are kept of one location: lists differ from run to run.
const MOST_STATES: usize = 300;

/// So often claims that turned out too strong are made weaker.
const ROUNDS: usize = 3;

/// So many claims that were made weaker are tried at a location, of so many literals before.
const MOST_WEAKER: usize = 500;
const LONGEST: usize = 3;

/// Claims about all objects of a heap, and Houdini.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap {
    /// Which auxiliary invariants are there in the beginning.
    pub auxiliary: Auxiliary,
}

impl Engine for Heap {
    /// Finds proofs only, no runs. Error locations that are not excluded are undecided.
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let terms = task.terms;
        let otherwise = "no invariants over all objects of a heap exclude it";
        let Some(shape) = Shape::of(terms, task.original) else {
            return prove(task, stats, otherwise, |_, _, _| Ok(()));
        };
        let begun = shape.begun(terms);
        let reduced = reduce(terms, &counted(task, begun), &ReduceOptions::default());
        let places = original_locations(&reduced);
        let task = Task {
            graph: &reduced.graph,
            places: &places,
            facts: &Facts::default(),
            ..*task
        };
        let outcome = prove(&task, stats, otherwise, |session, proof, stats| {
            self.search(&task, &shape, session, proof, stats)
        });
        let mut original = outcome.taken_back(terms, &*reduced.back);
        let at = original.invariants.iter_mut();
        for formula in at.flat_map(|claim| claim.at.values_mut()) {
            *formula = terms.and2(*formula, begun);
        }
        Outcome {
            original,
            ..Outcome::default()
        }
    }
}

impl Heap {
    fn search(
        &self,
        task: &Task<'_>,
        shape: &Shape,
        session: &Session<'_>,
        proof: &mut Proof,
        stats: &mut Statistics,
    ) -> Result<(), Reason> {
        let Some(observed) = Observed::of(task, MOST_STATES, stats) else {
            return Ok(());
        };
        let guesses = Guesses {
            task,
            shape,
            observed: &observed,
            live: Live::new(task.terms, task.graph),
            object: task.terms.fresh_bound("o", Sort::Int),
        };
        let mut blocks = Blocks::new(session, task.graph);
        let generator = Generator::start(task, Rank::First);
        let mut all = known(task, &mut blocks, self.auxiliary, stats);
        let enough = task.control.within(Some(limits::UNDER_OBJECTS));
        if !guesses.prove(&mut blocks, &mut all, proof)? {
            // Claims may depend on what is found without quantifiers, which takes longer.
            while !generator.is_over() && enough.check().is_ok() {
                std::thread::sleep(limits::NAP_CELLS);
            }
            let news = task.facts.since(task.terms, &mut Cursor::default());
            if enter(&mut all, news) {
                guesses.prove(&mut blocks, &mut all, proof)?;
            }
        }
        generator.end(stats);
        Ok(())
    }
}

/// Where claims come from.
struct Guesses<'a> {
    task: &'a Task<'a>,
    shape: &'a Shape,
    observed: &'a Observed<'a>,
    live: Live,
    /// The bound variable.
    object: Term,
}

impl Guesses<'_> {
    /// Tries claims, longer and longer ones. `all` is what holds; what is found is added. Tells
    /// whether the proof is complete.
    fn prove(
        &self,
        blocks: &mut Blocks<'_, '_>,
        all: &mut Lemmas,
        proof: &mut Proof,
    ) -> Result<bool, Reason> {
        let task = self.task;
        for sizes in SIZES {
            let mut candidates = Candidates::new();
            for location in task.graph.graph.node_indices() {
                task.control.check()?;
                candidates.insert(location, self.at(location).candidates(sizes));
            }
            for _ in 0..ROUNDS {
                task.control.check()?;
                let found = attempt(task, blocks, all, candidates.clone());
                if proof.improve(found.proof) {
                    return Ok(true);
                }
                let Some(left) = found.left else { break };
                let mut news = enter(all, found.more);
                for (&location, candidates) in &mut candidates {
                    let left = left.get(&location).map_or(&[][..], Vec::as_slice);
                    news |= self.at(location).weaken(candidates, left);
                }
                if !news {
                    break;
                }
            }
        }
        Ok(false)
    }

    fn at(&self, location: LocationId) -> Place<'_> {
        Place {
            task: self.task,
            shape: self.shape,
            observed: self.observed,
            live: self.live.at(location),
            location,
            object: self.object,
        }
    }
}

/// The graph, with `begun`, that objects are counted, as a condition before error locations. There
/// it always holds; it is a part of what is claimed, so the checker will know. Without it the
/// reductions would drop the counter where nothing is allocated any more.
fn counted(task: &Task<'_>, begun: Term) -> ProgramGraph {
    let mut graph = task.original.clone();
    for edge in task.original.graph.edge_references() {
        if graph.graph[edge.target()].error.is_some() {
            let formula = &mut graph.graph[edge.id()].transition.formula;
            *formula = task.terms.and2(*formula, begun);
        }
    }
    graph
}

/// A location whose objects are spoken of.
struct Place<'a> {
    task: &'a Task<'a>,
    shape: &'a Shape,
    observed: &'a Observed<'a>,
    live: &'a Set,
    location: LocationId,
    /// The bound variable.
    object: Term,
}

impl Place<'_> {
    /// Disjunctions of so many literals at most.
    fn candidates(&self, (for_all, for_pointer): (usize, usize)) -> Vec<Quantified> {
        let terms = self.task.terms;
        if self.observed.states(self.location) == 0 {
            return Vec::new();
        }
        let scope = self.scope();
        let of_state = scope.of_state();
        let mut found = Vec::new();
        let begun = self.shape.begun(terms);
        found.push(Quantified::new(terms, Vec::new(), terms.tt(), begun));
        for &pointer in &scope.pointers {
            let literals = scope
                .about(pointer)
                .into_iter()
                .chain(of_state.iter().copied());
            let all = self.smallest(literals.collect(), None, for_pointer, MOST_FOR_POINTER);
            found
                .extend(all.into_iter().map(|clause| {
                    Quantified::new(terms, Vec::new(), terms.tt(), terms.or(clause))
                }));
        }
        let literals = scope.about(self.object).into_iter().chain(of_state);
        let range = scope.is_object(self.object);
        let probes = [scope.first(), scope.counter()];
        let all = self.smallest(
            literals.collect(),
            Some((range, probes)),
            for_all,
            MOST_FOR_ALL,
        );
        found.extend(
            all.into_iter()
                .map(|clause| Quantified::new(terms, vec![self.object], range, terms.or(clause))),
        );
        found
    }

    fn scope(&self) -> Scope<'_> {
        let variables = self.task.graph.variables.iter().enumerate();
        let live = variables.filter(|(number, _)| self.live.contains(*number));
        Scope::new(
            self.task.terms,
            self.shape,
            live.map(|(_, variable)| variable),
        )
    }

    /// Replaces those claims about all objects that are not left by weaker ones, which except
    /// objects that stand somewhere. Tells whether there are new ones. (States that were seen let the
    /// strongest claims through, and of these some hold in those states only.)
    fn weaken(&self, candidates: &mut Vec<Quantified>, left: &[Quantified]) -> bool {
        let terms = self.task.terms;
        let standings = self.scope().standings(self.object);
        let mut weaker: IndexSet<Term> = IndexSet::new();
        let mut range = None;
        for claim in candidates.iter() {
            if claim.bound().is_empty() || left.contains(claim) {
                continue;
            }
            range = Some(claim.range());
            let literals = terms.disjuncts(claim.body());
            if literals.len() > LONGEST {
                continue;
            }
            for &standing in &standings {
                let is_apart =
                    |&literal: &Term| together(terms, literal, standing) == Together::Apart;
                if literals.iter().all(is_apart) {
                    weaker.insert(terms.or2(standing, claim.body()));
                }
            }
        }
        // What follows from a claim that is left says nothing new.
        let kept: Vec<IndexSet<Term>> = (left.iter())
            .map(|claim| terms.disjuncts(claim.body()).into_iter().collect())
            .collect();
        weaker.retain(|&body| {
            let literals = terms.disjuncts(body);
            let is_part = |kept: &IndexSet<Term>| kept.iter().all(|part| literals.contains(part));
            !kept.iter().any(is_part)
        });
        weaker.truncate(MOST_WEAKER);
        candidates.clear();
        candidates.extend(left.iter().cloned());
        let bound = || vec![self.object];
        if let Some(range) = range {
            let weaker = weaker.iter();
            candidates.extend(weaker.map(|&body| Quantified::new(terms, bound(), range, body)));
        }
        candidates.len() > left.len()
    }

    /// The smallest disjunctions that no state that was seen contradicts, for any object in the range.
    fn smallest(
        &self,
        literals: IndexSet<Term>,
        objects: Option<(Term, [Term; 2])>,
        most: usize,
        limit: usize,
    ) -> Vec<Vec<Term>> {
        let terms = self.task.terms;
        let literals: Vec<Term> = (literals.into_iter())
            .filter(|&literal| literals::is_said(terms, literal))
            .collect();
        let mut formulas = literals.clone();
        formulas.extend(objects.map(|(range, _)| range));
        let bound = [self.object];
        let (bound, probes) = match &objects {
            Some((_, probes)) => (&bound[..], &probes[..]),
            None => (&[][..], &[][..]),
        };
        let Some(mut table) = self.observed.table(self.location, &formulas, bound, probes) else {
            return Vec::new();
        };
        let rows = table.first().map_or(0, FixedBitSet::len);
        let inside = match objects {
            Some(_) => table.pop().unwrap_or_default(),
            None => {
                let mut all = FixedBitSet::with_capacity(rows);
                all.insert_range(..);
                all
            }
        };
        let fails = table.into_iter().map(|holds| {
            let mut fails = inside.clone();
            fails.difference_with(&holds);
            fails
        });
        let literals: Vec<(Term, FixedBitSet)> = literals.into_iter().zip(fails).collect();
        clauses::smallest(terms, &literals, most, limit)
    }
}
