//! Inputs that lead where no run got to, by the solver.
//!
//! A run is followed up to a branch at which it could have taken another edge, which no run took
//! yet; whether there are values with which it does is a question about one path. The model is the
//! beginning of the next run. (Godefroid, Klarlund, Sen: "DART: Directed Automated Random Testing",
//! PLDI 2005.)

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use ult_core::formula::{Term, Var, Version};
use ult_core::graph::evidence::RigidMeaning;
use ult_core::graph::{EdgeId, ProgramGraph};
use ult_core::stats::Statistics;
use ult_smt::{Answer, Failure, Session};

use super::machine::Experience;
use super::program::Program;
use super::value::Val;
use crate::limits;

/// Paths longer than this are not asked about.
const LONGEST: usize = 400;

/// So many ways through known edges are tried at a time.
const OTHERS: u64 = 2;

/// Asks for the ways that runs did not take.
pub(super) struct Concolic<'s, 't> {
    session: &'s Session<'t>,
    graph: &'s ProgramGraph,
    /// The paths that were asked about, by hash.
    asked: HashSet<u64>,
    /// How many questions are left.
    left: u64,
}

impl<'s, 't> Concolic<'s, 't> {
    /// Nothing was asked yet.
    pub(super) fn new(session: &'s Session<'t>, graph: &'s ProgramGraph) -> Concolic<'s, 't> {
        Concolic {
            session,
            graph,
            asked: HashSet::new(),
            left: limits::QUESTIONS,
        }
    }

    /// A run along the beginning of this one and then elsewhere, if the solver finds one: to where no
    /// run was, or, of a run that got stuck, on.
    pub(super) fn other(
        &mut self,
        program: &Program<'_>,
        edges: &[u32],
        experience: &Experience,
        stats: &mut Statistics,
    ) -> Option<Inputs> {
        let mut path: Vec<EdgeId> = Vec::new();
        let mut hash = 0u64;
        let mut at = self.graph.initial;
        let mut candidates: Vec<(bool, usize, EdgeId, u64)> = Vec::new();
        for number in 0..=edges.len().min(LONGEST) {
            let taken = edges.get(number).map(|&edge| EdgeId::new(edge as usize));
            for &edge in program.ways(at) {
                let is_open = !experience.is_closed(program.target(edge));
                if Some(edge) != taken && is_open {
                    let is_known = experience.covered[edge.index()] && taken.is_some();
                    candidates.push((is_known, number, edge, mixed(hash, edge)));
                }
            }
            let Some(edge) = taken else { break };
            path.push(edge);
            hash = mixed(hash, edge);
            at = program.target(edge);
        }
        // What is new first, and of that what comes first: its paths are short. Of what is known, a
        // few: other ways through the same edges.
        candidates.sort_by_key(|&(is_known, number, _, hash)| match is_known {
            true => (true, hash),
            false => (false, number as u64),
        });
        let mut others = 0;
        for (is_known, number, edge, hash) in candidates {
            if self.left == 0 {
                return None;
            }
            if !self.asked.insert(hash) {
                continue;
            }
            others += u64::from(is_known);
            if others > OTHERS {
                return None;
            }
            self.left -= 1;
            stats.paths += 1;
            let mut way = path[..number.min(path.len())].to_vec();
            way.push(edge);
            match self.inputs(program, &way) {
                Ok(Some(inputs)) => return Some(inputs),
                Ok(None) => {}
                // The whole run was stopped.
                Err(Failure::Stopped(_)) => self.left = 0,
                // What takes long counts for several.
                Err(_) => self.left = self.left.saturating_sub(9),
            }
        }
        None
    }

    /// Inputs with which a run takes a path; `None` if there are none. Only what the path speaks of
    /// is written down, and of that what is chosen: there may be many variables.
    fn inputs(&self, program: &Program<'_>, way: &[EdgeId]) -> Result<Option<Inputs>, Failure> {
        let terms = self.session.terms();
        let mut solver = self.session.brief_solver();
        // At how many steps each variable was changed last.
        let mut changed: HashMap<&Arc<str>, u32> = HashMap::new();
        let mut open: Vec<(Option<usize>, usize, Term)> = Vec::new();
        let mut seen = HashSet::new();
        for (number, &edge) in way.iter().enumerate() {
            let transition = &self.graph.graph[edge].transition;
            let position = u32::try_from(number).unwrap_or(u32::MAX);
            let step = terms.with_versions(transition.formula, |var| match var.version {
                Version::Current => Version::At(changed.get(&var.name).copied().unwrap_or(0)),
                Version::Next => Version::At(position + 1),
                Version::Aux(number) => Version::AuxAt(position, number),
                other => other,
            });
            changed.extend(transition.changed.iter().map(|name| (name, position + 1)));
            solver.assert(step)?;
            for term in terms.free_vars(&[step]) {
                let Some(var) = terms.as_var(term).filter(|_| seen.insert(term)) else {
                    continue;
                };
                let (when, version) = match var.version {
                    Version::At(0) => (None, Version::Current),
                    Version::At(after) => (Some(after as usize - 1), Version::Next),
                    Version::AuxAt(_, aux) => (Some(number), Version::Aux(aux)),
                    _ => continue,
                };
                let slot = program.slots.slot(&Var {
                    version,
                    ..var.clone()
                });
                let is_chosen = |slot| {
                    let plan = when.and_then(|number| program.plan(way[number]));
                    when.is_none() || plan.is_some_and(|plan| plan.chosen.contains(&slot))
                };
                if let Some(slot) = slot
                    && is_chosen(slot)
                {
                    open.push((when, slot, term));
                }
            }
        }
        match solver.check(&[], Some(limits::INPUTS)) {
            Answer::Sat => {}
            Answer::Unsat => return Ok(None),
            Answer::Unknown(failure) => return Err(failure),
        }
        let model = solver.model()?;
        let mut inputs = Inputs {
            start: Values::new(),
            steps: way.iter().map(|&edge| (edge, Values::new())).collect(),
            rigid: RigidMeaning::default(),
        };
        for (when, slot, term) in open {
            let value = Val::of(&model.value(term)?, program.slots.sort(slot));
            let Some(value) = value else { continue };
            match when.and_then(|number| inputs.steps.get_mut(number)) {
                Some((_, values)) => values.insert(slot, value),
                None => inputs.start.insert(slot, value),
            };
        }
        for function in &self.graph.functions {
            let meaning = model.function(function)?;
            inputs
                .rigid
                .functions
                .insert(function.name.clone(), meaning);
        }
        Ok(Some(inputs))
    }
}

/// Values by slot.
pub(super) type Values = BTreeMap<usize, Val>;

/// The beginning of a run.
pub(super) struct Inputs {
    /// Of the state at the start; what is missing may have any value.
    pub start: Values,
    /// The edges to take, with what is chosen there.
    pub steps: Vec<(EdgeId, Values)>,
    /// What the symbols mean.
    pub rigid: RigidMeaning,
}

impl Inputs {
    /// Only so many steps.
    pub(super) fn beginning(&self, steps: usize) -> Inputs {
        Inputs {
            start: self.start.clone(),
            steps: self.steps[..steps].to_vec(),
            rigid: self.rigid.clone(),
        }
    }
}

/// A hash of a path, from that of the path without its last edge.
fn mixed(hash: u64, edge: EdgeId) -> u64 {
    let mixed = hash.rotate_left(7) ^ (edge.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
