//! What there is to say about obligations that are open: the loops on ways to them, and what would prove them if it were
//! inductive.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ult_lang::span::Span;

use super::c_expression;
use super::invariants::printed;
use super::names::{is_users, qualified, users_name};
use super::source::Source;
use super::values::shown;
use ult_core::control::Control;
use ult_core::formula::{Op, Term, Terms, Var};
use ult_core::graph::{LocationId, Origin};
use ult_core::guard::guarded;
use ult_core::persistent::Set;
use ult_engine::candidate::{Candidate, Candidates};
use ult_lower::origin::{OriginInfo, Step};
use ult_lower::unit::LoweredUnit;
use ult_reduce::Reduced;
use ult_smt::Session;

/// The longest time for candidates of a unit.
const SEARCH: Duration = Duration::from_secs(1);

/// Of so many obligations candidates are looked for: people mend one after the other.
const MOST: usize = 3;

/// A longer formula is no hint.
const LONGEST: usize = 300;

/// What there is to say about an obligation that is open.
#[derive(Clone, Debug, Default)]
pub struct OpenObligation {
    /// The loops that runs to it may go through, in the order of the source.
    pub loops: Vec<Span>,
    /// What would prove it if it were inductive.
    pub candidate: Option<CandidateReport>,
}

/// What holds at a loop in all runs that were seen, and would suffice for an obligation if it were inductive. A hint, and no
/// evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateReport {
    /// The place of the loop.
    pub span: Span,
    /// The formula as an expression of the source's language.
    pub formula: String,
    /// A state in which it holds at the loop, and does not hold any more after a round.
    pub state: Vec<(String, String)>,
}

/// Where it is said.
pub struct Place<'a> {
    /// The store of the unit's terms.
    pub terms: &'a Terms,
    /// The unit.
    pub unit: &'a LoweredUnit,
    /// The text.
    pub source: &'a Source,
}

impl Place<'_> {
    /// What there is to say about these obligations, each with its locations.
    /// For those that are open because a search did not succeed (`is_about_search`), a candidate is looked for.
    pub fn describe<K: Ord + Clone>(
        &self,
        open: &[(&K, &Vec<LocationId>)],
        is_about_search: impl Fn(&K) -> bool,
        reduced: Option<&Reduced>,
        control: &Control,
    ) -> BTreeMap<K, OpenObligation> {
        let mut left = self.loops(open);
        let is_wanted =
            |key: &K| is_about_search(key) && left.get(key).is_some_and(|l| !l.loops.is_empty());
        let wanted = open.iter().filter(|(key, _)| is_wanted(key)).take(MOST);
        let wanted: Vec<_> = wanted.collect();
        let Some(reduced) = reduced.filter(|_| !wanted.is_empty()) else {
            return left;
        };
        let control = control.within(Some(SEARCH));
        // A hint is worth no trouble.
        let found = guarded(|| {
            let candidates = Candidates::new(self.terms, reduced, &control);
            let found = wanted.into_iter().filter_map(|(key, locations)| {
                let found = locations.iter().find_map(|&error| candidates.of(error))?;
                Some(((*key).clone(), self.candidate(&found, &control)?))
            });
            Ok(found.collect::<Vec<_>>())
        });
        for (key, candidate) in found.unwrap_or_default() {
            left.entry(key).or_default().candidate = Some(candidate);
        }
        left
    }

    fn info(&self, origin: Option<Origin>) -> Option<&OriginInfo> {
        self.unit.origins.get(origin?)
    }

    /// The loops on ways to the locations of these obligations.
    fn loops<K: Ord + Clone>(
        &self,
        open: &[(&K, &Vec<LocationId>)],
    ) -> BTreeMap<K, OpenObligation> {
        let graph = &self.unit.graph.graph;
        let heads: Vec<(LocationId, Span)> = (self.unit.graph.loop_heads())
            .filter_map(|location| Some((location, self.info(graph[location].origin)?.span)))
            .collect();
        // One walk for all: with one for each obligation, many of them would cost their number times the graph's size.
        let mut before = vec![Set::new(heads.len()); graph.node_count()];
        for (number, (location, _)) in heads.iter().enumerate() {
            before[location.index()].insert(number);
        }
        let mut waiting: BTreeSet<LocationId> = heads.iter().map(|(head, _)| *head).collect();
        while let Some(location) = waiting.pop_first() {
            let here = before[location.index()].clone();
            for target in graph.neighbors(location) {
                if before[target.index()].unite(&here) {
                    waiting.insert(target);
                }
            }
        }
        let left = open.iter().map(|(key, locations)| {
            let numbers = locations.iter().flat_map(|at| before[at.index()].ones());
            let spans: BTreeSet<Span> = numbers.map(|number| heads[number].1).collect();
            let left = OpenObligation {
                loops: spans.into_iter().collect(),
                candidate: None,
            };
            ((*key).clone(), left)
        });
        left.collect()
    }

    /// A candidate in the words of the source.
    fn candidate(&self, candidate: &Candidate, control: &Control) -> Option<CandidateReport> {
        let head = self.unit.graph.graph.node_weight(candidate.location)?;
        let info = self.info(head.origin)?;
        // Of Horn clauses there is no loop to write something at.
        if matches!(info.step, Step::Derive { .. }) {
            return None;
        }
        let formula = self.formula(candidate.formula, control)?;
        let values = candidate.state.iter().filter_map(|(name, value)| {
            let displayed = self.unit.displayed.get(name)?;
            let name = match self.source.is_translated {
                true if !is_users(&displayed.name) => return None,
                true => users_name(&displayed.name),
                false => qualified(displayed, &self.unit.graph.name),
            };
            Some((name, shown(value)))
        });
        let state: Vec<(String, String)> = values.collect();
        (!state.is_empty()).then_some(CandidateReport {
            span: info.span,
            formula,
            state,
        })
    }

    fn formula(&self, formula: Term, control: &Control) -> Option<String> {
        let text = match self.source.is_translated {
            // What C cannot say is left out there, and then the rest may not suffice.
            true if *self.terms.op(formula) == Op::And => return None,
            true => c_expression::for_people(self.terms, self.unit, formula)?,
            false => {
                let session = Session::new(self.terms, &[], control);
                let name = |var: &Var| match self.unit.displayed.get(&var.name) {
                    Some(displayed) => qualified(displayed, &self.unit.graph.name),
                    None => ult_core::formula::print::plain_name(var),
                };
                printed(self.terms, formula, Some(&session), &name)
            }
        };
        (text.chars().count() <= LONGEST && text != "true" && text != "false").then_some(text)
    }
}
