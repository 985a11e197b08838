//! Abstract successors: what holds after a block, said by predicates.
//!
//! The formula abstracted is `state && known && block`, for the state before the block. A question
//! about an edge is never asked twice: what the solver said is kept, as unsatisfiable cores (which
//! answer questions about other states, too) and per state.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::settings::Abstraction;
use super::state::Abstract;
use crate::blocks::Blocks;
use crate::invariants::Lemmas;
use crate::limits;
use ult_core::control::Stop;
use ult_core::formula::{Term, Value};
use ult_core::graph::{EdgeId, LocationId};
use ult_core::stats::Statistics;
use ult_smt::{Answer, Model};

/// So many models of one abstraction are enumerated. With more of them the predicates that the
/// Cartesian abstraction leaves open stay open.
const MOST_MODELS: usize = 2000;

/// Whether an edge whose target has no predicates is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feasibility {
    /// No: it counts as feasible, unless the opposite is known already (thesis, section 1.3).
    Assumed,
    /// Yes: the target is an error location, or the edge lies on an error path.
    Asked,
}

/// The edges of a graph, and what is known about them.
pub(super) struct Posts<'s, 't> {
    /// The solvers.
    pub blocks: Blocks<'s, 't>,
    /// What holds at each location anyway.
    known: Lemmas,
    memories: HashMap<EdgeId, Memory>,
}

/// What the solver said about an edge.
#[derive(Default)]
struct Memory {
    /// Sets of formulas before the step that contradict the edge.
    cores: Vec<Vec<Term>>,
    /// For a literal after the step: sets of formulas before the step from which it follows.
    implied: HashMap<Term, Vec<Vec<Term>>>,
    /// By the state formula before the step.
    views: HashMap<Term, View>,
    /// So many questions were left open.
    unanswered: u32,
}

/// What the solver said about an edge and one state before it.
#[derive(Default)]
struct View {
    /// There is a step, or it is not worth asking again.
    feasible: bool,
    /// Predicates of which neither value follows, or for which the solver did not say.
    open: HashSet<Term>,
    /// Abstractions, by their predicates.
    results: HashMap<Vec<Term>, Rc<Abstract>>,
}

/// A set of formulas that includes one of the cores.
fn includes_one(formulas: &HashSet<Term>, cores: &[Vec<Term>]) -> bool {
    cores
        .iter()
        .any(|core| core.iter().all(|formula| formulas.contains(formula)))
}

/// One abstraction under way.
struct Question<'a> {
    edge: EdgeId,
    /// What holds before the step: the conjuncts of the state, and what is known.
    before: &'a [Term],
    stats: &'a mut Statistics,
}

/// What became of one predicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Holds,
    Fails,
    Open,
    /// Not decided yet. Models showed that the predicate may hold, and that it may fail.
    Asked(bool, bool),
}

impl<'s, 't> Posts<'s, 't> {
    /// Nothing is known about any edge yet.
    pub(super) fn new(blocks: Blocks<'s, 't>, known: Lemmas) -> Posts<'s, 't> {
        Posts {
            blocks,
            known,
            memories: HashMap::new(),
        }
    }

    /// What is known to hold at a location.
    pub(super) fn known(&self, location: LocationId) -> &[Term] {
        self.known.get(&location).map_or(&[], Vec::as_slice)
    }

    /// More is known from now on.
    pub(super) fn learn(&mut self, location: LocationId, formula: Term) {
        self.known.entry(location).or_default().push(formula);
    }

    /// The abstraction of what holds after the step along `edge` from the state `before`; `None`
    /// if there is no such step.
    pub(super) fn post(
        &mut self,
        edge: EdgeId,
        before: Term,
        predicates: &[Term],
        abstraction: Abstraction,
        feasibility: Feasibility,
        stats: &mut Statistics,
    ) -> Result<Option<Rc<Abstract>>, Stop> {
        let terms = self.blocks.session.terms();
        let (source, _) = self.endpoints(edge);
        let mut formulas = terms.conjuncts(before);
        formulas.extend(self.known(source));
        let set: HashSet<Term> = formulas.iter().copied().collect();
        let memory = self.memories.entry(edge).or_default();
        if set.contains(&terms.ff()) || includes_one(&set, &memory.cores) {
            stats.cached_edges += 1;
            return Ok(None);
        }
        let view = memory.views.entry(before).or_default();
        if let Some(found) = view.results.get(predicates) {
            return Ok(Some(found.clone()));
        }
        let mut question = Question {
            edge,
            before: &formulas,
            stats,
        };
        if predicates.is_empty() {
            if feasibility == Feasibility::Assumed || view.feasible {
                return Ok(Some(Rc::default()));
            }
            let feasible = self.feasible(&mut question, &mut |_, _| ())?;
            if feasible {
                self.view(edge, before).feasible = true;
            }
            return Ok(feasible.then(Rc::default));
        }
        question.stats.abstractions += 1;
        let found = self.abstraction(&mut question, before, &set, predicates, abstraction)?;
        let Some(found) = found else {
            return Ok(None);
        };
        let found = Rc::new(found);
        let view = self.view(edge, before);
        view.feasible = true;
        view.results.insert(predicates.to_vec(), found.clone());
        Ok(Some(found))
    }

    fn endpoints(&self, edge: EdgeId) -> (LocationId, LocationId) {
        self.blocks
            .graph
            .graph
            .edge_endpoints(edge)
            .expect("edges of the graph are not removed")
    }

    fn memory(&mut self, edge: EdgeId) -> &mut Memory {
        self.memories.entry(edge).or_default()
    }

    fn view(&mut self, edge: EdgeId, before: Term) -> &mut View {
        self.memory(edge).views.entry(before).or_default()
    }

    /// Whether there is a step; `look` sees the model if there is one. A question without an
    /// answer counts as yes.
    fn feasible(
        &mut self,
        question: &mut Question<'_>,
        look: &mut dyn FnMut(&Model<'_, '_>, &mut Statistics),
    ) -> Result<bool, Stop> {
        match self.ask(question, None)? {
            Some(Answer::Sat) => {
                if let Some(model) = self.model(question.edge) {
                    look(&model, question.stats);
                }
                Ok(true)
            }
            Some(Answer::Unsat) => {
                let core = self.core(question.edge);
                self.memory(question.edge).cores.push(core);
                Ok(false)
            }
            _ => Ok(true),
        }
    }

    /// Whether there is a step after which `after` holds (a formula over the variables after the
    /// step). `None` if the solver does not understand the edge.
    fn ask(
        &mut self,
        question: &mut Question<'_>,
        after: Option<Term>,
    ) -> Result<Option<Answer>, Stop> {
        let mut assumptions = question.before.to_vec();
        assumptions.extend(after);
        let unanswered = self.memory(question.edge).unanswered;
        let limit = (limits::POST / 4u32.pow(unanswered.min(4))).max(limits::POST_LEAST);
        let Some(solver) = self.blocks.solver(question.edge) else {
            return Ok(None);
        };
        let answer = solver.check(&assumptions, Some(limit));
        if matches!(answer, Answer::Unknown(_)) {
            self.blocks.session.control().check()?;
            self.memory(question.edge).unanswered += 1;
        }
        Ok(Some(answer))
    }

    fn model(&mut self, edge: EdgeId) -> Option<Model<'s, 't>> {
        self.blocks.solver(edge)?.model().ok()
    }

    fn core(&mut self, edge: EdgeId) -> Vec<Term> {
        self.blocks
            .solver(edge)
            .map(|solver| solver.core())
            .unwrap_or_default()
    }

    fn abstraction(
        &mut self,
        question: &mut Question<'_>,
        before: Term,
        set: &HashSet<Term>,
        predicates: &[Term],
        abstraction: Abstraction,
    ) -> Result<Option<Abstract>, Stop> {
        let edge = question.edge;
        let after: Vec<Term> = predicates
            .iter()
            .map(|&predicate| self.blocks.after(edge, predicate))
            .collect();
        let terms = self.blocks.session.terms();
        let memory = self.memories.entry(edge).or_default();
        let view = memory.views.entry(before).or_default();
        let mut fates: Vec<Fate> = predicates
            .iter()
            .zip(&after)
            .map(|(&predicate, &after)| {
                let follows = |literal: Term| {
                    let cores = memory.implied.get(&literal);
                    cores.is_some_and(|cores| includes_one(set, cores))
                };
                // What the step leaves alone, and what holds before it.
                let stays = |literal: Term| predicate == after && set.contains(&literal);
                let negation = terms.not(predicate);
                if follows(predicate) || stays(predicate) {
                    Fate::Holds
                } else if follows(negation) || stays(negation) {
                    Fate::Fails
                } else if view.open.contains(&predicate) || abstraction == Abstraction::Boolean {
                    Fate::Open
                } else {
                    Fate::Asked(false, false)
                }
            })
            .collect();
        if !view.feasible {
            let feasible = self.feasible(question, &mut |model, stats| {
                note_model(model, &after, &mut fates, stats);
            })?;
            if !feasible {
                return Ok(None);
            }
        }
        for i in 0..predicates.len() {
            let Fate::Asked(may_hold, _) = fates[i] else {
                continue;
            };
            // The value that no model had, if there is one.
            for value in [!may_hold, may_hold] {
                let Fate::Asked(may_hold, may_fail) = fates[i] else {
                    break;
                };
                if if value { may_hold } else { may_fail } {
                    continue;
                }
                let wanted = if value { after[i] } else { terms.not(after[i]) };
                match self.ask(question, Some(wanted))? {
                    Some(Answer::Unsat) => {
                        fates[i] = if value { Fate::Fails } else { Fate::Holds };
                        let core = self.core(edge).into_iter();
                        let core = core.filter(|&part| part != wanted).collect();
                        let literal = if value {
                            terms.not(predicates[i])
                        } else {
                            predicates[i]
                        };
                        let implied = &mut self.memory(edge).implied;
                        implied.entry(literal).or_default().push(core);
                    }
                    Some(Answer::Sat) => {
                        if let Some(model) = self.model(edge) {
                            note_model(&model, &after, &mut fates, question.stats);
                        }
                        // Also where the model did not say.
                        if let Fate::Asked(may_hold, may_fail) = fates[i] {
                            fates[i] = asked(may_hold || value, may_fail || !value);
                        }
                    }
                    _ => fates[i] = Fate::Open,
                }
            }
        }
        let of_fate = |wanted: Fate| {
            let fates = fates.iter().enumerate();
            fates
                .filter(move |&(_, &fate)| fate == wanted)
                .map(|(i, _)| i)
        };
        let open: Vec<usize> = of_fate(Fate::Open).collect();
        let mut literals: Vec<Term> = of_fate(Fate::Holds).map(|i| predicates[i]).collect();
        literals.extend(of_fate(Fate::Fails).map(|i| terms.not(predicates[i])));
        if abstraction != Abstraction::Boolean {
            let view = self.view(edge, before);
            view.open.extend(open.iter().map(|&i| predicates[i]));
        }
        // One predicate that may hold and may fail has nothing to say.
        let enumerated = match abstraction {
            Abstraction::Cartesian => false,
            Abstraction::Boolean => !open.is_empty(),
            Abstraction::CartesianThenBoolean => open.len() > 1,
        };
        let mut cubes = Vec::new();
        if enumerated {
            let both: Vec<(Term, Term)> = open.iter().map(|&i| (predicates[i], after[i])).collect();
            cubes = self.cubes(question, &both)?.unwrap_or_default();
        }
        Ok(Some(Abstract { literals, cubes }))
    }

    /// All combinations of values that the predicates, given with what they read like after the
    /// step, may have. `None` if there are too many of them or the solver did not answer.
    fn cubes(
        &mut self,
        question: &mut Question<'_>,
        predicates: &[(Term, Term)],
    ) -> Result<Option<Vec<Vec<Term>>>, Stop> {
        let Some(solver) = self.blocks.solver(question.edge) else {
            return Ok(None);
        };
        solver.push();
        let cubes = self.enumerate(question, predicates);
        if let Some(solver) = self.blocks.solver(question.edge) {
            solver.pop();
        }
        cubes
    }

    /// Asks for models; each one found is excluded from then on.
    fn enumerate(
        &mut self,
        question: &mut Question<'_>,
        predicates: &[(Term, Term)],
    ) -> Result<Option<Vec<Vec<Term>>>, Stop> {
        let terms = self.blocks.session.terms();
        let mut cubes = Vec::new();
        loop {
            self.blocks.session.control().check()?;
            match self.ask(question, None)? {
                Some(Answer::Unsat) => return Ok(Some(cubes)),
                Some(Answer::Sat) if cubes.len() < MOST_MODELS => {}
                _ => return Ok(None),
            }
            let Some(model) = self.model(question.edge) else {
                return Ok(None);
            };
            question.stats.models += 1;
            let mut cube = Vec::with_capacity(predicates.len());
            let mut excluded = Vec::with_capacity(predicates.len());
            for &(predicate, after) in predicates {
                match model.value(after) {
                    Ok(Value::Bool(true)) => {
                        cube.push(predicate);
                        excluded.push(terms.not(after));
                    }
                    Ok(Value::Bool(false)) => {
                        cube.push(terms.not(predicate));
                        excluded.push(after);
                    }
                    _ => return Ok(None),
                }
            }
            cubes.push(cube);
            let Some(solver) = self.blocks.solver(question.edge) else {
                return Ok(None);
            };
            if solver.assert(terms.or(excluded)).is_err() {
                return Ok(None);
            }
        }
    }
}

/// A predicate that may hold, may fail, or both.
fn asked(may_hold: bool, may_fail: bool) -> Fate {
    match (may_hold, may_fail) {
        (true, true) => Fate::Open,
        _ => Fate::Asked(may_hold, may_fail),
    }
}

/// Looks which values the undecided predicates have in a model.
fn note_model(model: &Model<'_, '_>, after: &[Term], fates: &mut [Fate], stats: &mut Statistics) {
    let mut used = false;
    for (fate, &after) in fates.iter_mut().zip(after) {
        if let Fate::Asked(may_hold, may_fail) = *fate
            && let Ok(Value::Bool(value)) = model.value(after)
        {
            *fate = asked(may_hold || value, may_fail || !value);
            used = true;
        }
    }
    stats.models += u64::from(used);
}
