//! What assertions demand of the states before them.
//!
//! That an assertion holds may need more than intervals: that a lock is held wherever a flag is set. What it needs is its
//! weakest precondition (Dijkstra: "Guarded commands, nondeterminacy and formal derivation of programs", 1975), carried
//! back step by step until intervals imply it. A step that neither changes a variable of it nor asks for one leaves it as it
//! is, unless other ways from the same location do not demand it, so a program with many assertions about variables of their own costs a few formulas for each of them, and the sets
//! of demands at neighbouring locations share what they have in common.
//!
//! Nothing is carried over the head of a loop: what is left there is not proved. So is what grows or takes too
//! many forms on its way. Where many demands meet many conditions about the same variables, conditions are put before demands so
//! often and no more; what is demanded without them is only stronger. The limits are numbers of formulas, so that the answer is
//! always the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use petgraph::visit::EdgeRef as _;

use super::Analysis;
use crate::limits;
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::{Definition, LocationId, Transition};
use ult_core::persistent::Set;

/// The demands of a graph.
pub(super) struct Demands {
    all: Vec<Demand>,
    /// Those at each location, by number.
    at: BTreeMap<LocationId, Set>,
    /// The demands, not yet failed, that mention a variable.
    mentioning: HashMap<usize, Vec<usize>>,
    /// None of them. All sets begin as copies of it, so that what is empty in both is shared and not looked at.
    none: Set,
    /// So many there may be.
    bound: usize,
    /// So often conditions of steps are still put before one.
    looks: usize,
    /// The error locations that are not excluded.
    failed: BTreeSet<LocationId>,
}

/// A formula that has to hold at some locations.
struct Demand {
    formula: Term,
    /// The variables that it is about, each with its term.
    about: BTreeMap<Arc<str>, Term>,
    /// Who does not hold if it does not.
    wanted_by: Vec<Wanted>,
    /// How many steps have changed it on its way back.
    changes: u32,
    has_failed: bool,
}

/// What a demand is good for.
#[derive(Clone, Copy)]
enum Wanted {
    /// That no run gets to an error location.
    Excluded(LocationId),
    /// Another demand behind it.
    Implied(usize),
}

/// What a step makes of a demand behind it.
enum Before {
    /// It holds behind the step, whatever was before.
    Holds,
    /// It holds behind the step if this holds before.
    If(Term),
    /// Nothing can be said.
    Lost,
}

/// A location whose demands are being gathered.
struct Place {
    location: LocationId,
    here: Set,
    /// Those that are new here, by their formulas.
    own: HashMap<Term, usize>,
}

impl Demands {
    /// What is demanded so that no run gets to the error locations that are `open`. `order` is a reverse postorder.
    pub(super) fn new(
        terms: &Terms,
        analysis: &Analysis<'_>,
        order: &[LocationId],
        open: &BTreeSet<LocationId>,
    ) -> Demands {
        let bound = limits::DEMANDS * open.len();
        let mut demands = Demands {
            all: Vec::new(),
            at: BTreeMap::new(),
            mentioning: HashMap::new(),
            none: Set::new(bound),
            bound,
            looks: limits::DEMAND_LOOKS * open.len(),
            failed: BTreeSet::new(),
        };
        if open.is_empty() {
            return demands;
        }
        for &location in order.iter().rev() {
            let here = demands.before(terms, analysis, location, open);
            demands.at.insert(location, here);
        }
        demands.drop_failed(analysis, order);
        demands
    }

    /// Takes those that have failed out of all sets: where most have, whoever asks for what holds at a location would have to look
    /// at all of them each time. A set differs little from one behind it, and is made of that one.
    fn drop_failed(&mut self, analysis: &Analysis<'_>, order: &[LocationId]) {
        let mut left: BTreeMap<LocationId, Set> = BTreeMap::new();
        for &location in order.iter().rev() {
            let Some(here) = self.at.get(&location) else {
                continue;
            };
            let mut behind = (analysis.graph.graph.neighbors(location))
                .filter(|&target| is_handed_on(analysis, target))
                .filter_map(|target| self.at.get(&target).zip(left.get(&target)));
            let (behind, mut set) = match behind.next() {
                Some((behind, left)) => (behind, left.clone()),
                None => (&self.none, self.none.clone()),
            };
            behind.without(here).for_each(|number| set.remove(number));
            here.without(behind)
                .filter(|&number| !self.all[number].has_failed)
                .for_each(|number| set.insert(number));
            left.insert(location, set);
        }
        self.at = left;
    }

    /// Whether it is shown that no run gets to an error location that was open.
    pub(super) fn excludes(&self, error: LocationId) -> bool {
        !self.failed.contains(&error)
    }

    /// What holds at a location.
    pub(super) fn formulas(&self, location: LocationId) -> impl Iterator<Item = Term> + '_ {
        let here = self.at.get(&location).into_iter();
        let here = here.flat_map(|here| here.without(&self.none));
        here.map(|number| self.all[number].formula)
    }

    /// What is demanded at a location by what is demanded behind it.
    fn before(
        &mut self,
        terms: &Terms,
        analysis: &Analysis<'_>,
        location: LocationId,
        open: &BTreeSet<LocationId>,
    ) -> Set {
        let graph = analysis.graph;
        let mut place = Place {
            location,
            here: self.none.clone(),
            own: HashMap::new(),
        };
        let mut ways: Vec<(&Transition, Set)> = Vec::new();
        for edge in graph.graph.edges(location) {
            let (target, transition) = (edge.target(), &edge.weight().transition);
            if open.contains(&target) {
                let demanded = without_other_values(terms, transition.formula)
                    .map_or(Before::Lost, |guard| Before::If(terms.not(guard)));
                let wanted = Wanted::Excluded(target);
                self.add(terms, analysis, &mut place, (demanded, wanted, 0));
            } else if is_handed_on(analysis, target)
                && let Some(behind) = self.at.get(&target)
            {
                ways.push((transition, behind.clone()));
            }
        }
        for number in 0..ways.len() {
            self.along(terms, analysis, &mut place, &ways, number);
        }
        let here = place.here;
        if location == graph.initial || analysis.heads.contains(&location) {
            for number in here.without(&self.none.clone()) {
                if !analysis.implies(terms, location, self.all[number].formula) {
                    self.fail(Wanted::Implied(number));
                }
            }
            return self.none.clone();
        }
        here
    }

    /// Adds what is demanded by one of the ways from a location, each a step with what is demanded behind it.
    ///
    /// What all ways demand and a step has nothing to do with is demanded as it is. What only some demand is demanded under
    /// their conditions.
    fn along(
        &mut self,
        terms: &Terms,
        analysis: &Analysis<'_>,
        place: &mut Place,
        ways: &[(&Transition, Set)],
        way: usize,
    ) {
        let (transition, ref behind) = ways[way];
        let mut step = Step::new(terms, transition);
        if self.looks == 0 {
            step.guards.clear();
        }
        if step.is_idle() {
            place.here.unite(behind);
            return;
        }
        let mut kept = behind.clone();
        let concerned = self.concerned(terms, analysis, transition, behind);
        let others = ways.iter().enumerate().filter(|(other, _)| *other != way);
        let alone: BTreeSet<usize> = others
            .flat_map(|(_, (_, other))| behind.without(other))
            .collect();
        for &number in concerned.union(&alone) {
            let demand = &self.all[number];
            let is_concerned = concerned.contains(&number);
            let is_alone = alone.contains(&number);
            let may_change = demand.changes < limits::DEMAND_CHANGES;
            let is_changed = is_concerned || is_alone && may_change;
            if demand.has_failed || !is_changed {
                continue;
            }
            self.looks = self.looks.saturating_sub(1);
            let demanded = step.through(terms, demand, is_alone);
            if matches!(demanded, Before::If(same) if same == demand.formula) {
                continue;
            }
            kept.remove(number);
            let news = (demanded, Wanted::Implied(number), demand.changes + 1);
            self.add(terms, analysis, place, news);
        }
        place.here.unite(&kept);
    }

    /// Those in a set that are about variables of a step. What has failed is taken off the lists.
    fn concerned(
        &mut self,
        terms: &Terms,
        analysis: &Analysis<'_>,
        transition: &Transition,
        behind: &Set,
    ) -> BTreeSet<usize> {
        let mut names: BTreeSet<_> = terms
            .names_of(&[transition.formula], Version::Current)
            .into_keys()
            .collect();
        names.extend(transition.changed.iter().cloned());
        let mut found = BTreeSet::new();
        for name in names {
            let number = analysis.graph.variables.get_index_of(&name);
            if let Some(list) = number.and_then(|number| self.mentioning.get_mut(&number)) {
                list.retain(|&demand| !self.all[demand].has_failed);
                found.extend(
                    list.iter()
                        .copied()
                        .filter(|&demand| behind.contains(demand)),
                );
            }
        }
        found
    }

    /// Demands at a location what somebody wants there, unless intervals imply it.
    fn add(
        &mut self,
        terms: &Terms,
        analysis: &Analysis<'_>,
        place: &mut Place,
        (demanded, wanted, changes): (Before, Wanted, u32),
    ) {
        let formula = match demanded {
            Before::Holds => return,
            Before::Lost => return self.fail(wanted),
            Before::If(formula) => formula,
        };
        if formula == terms.tt() || analysis.implies(terms, place.location, formula) {
            return;
        }
        if let Some(&number) = place.own.get(&formula) {
            self.all[number].wanted_by.push(wanted);
            return;
        }
        let is_too_much = self.all.len() >= self.bound
            || changes > limits::DEMAND_CHANGES
            || !is_small(terms, formula)
            || !is_plain(terms, formula);
        if is_too_much {
            return self.fail(wanted);
        }
        let number = self.all.len();
        let about = terms.names_of(&[formula], Version::Current);
        for name in about.keys() {
            if let Some(variable) = analysis.graph.variables.get_index_of(name) {
                self.mentioning.entry(variable).or_default().push(number);
            }
        }
        self.all.push(Demand {
            formula,
            about,
            wanted_by: vec![wanted],
            changes,
            has_failed: false,
        });
        place.own.insert(formula, number);
        place.here.insert(number);
    }

    /// What is wanted does not hold, nor does what wants it.
    fn fail(&mut self, wanted: Wanted) {
        let mut work = vec![wanted];
        while let Some(wanted) = work.pop() {
            match wanted {
                Wanted::Excluded(error) => {
                    self.failed.insert(error);
                }
                Wanted::Implied(number) => {
                    let demand = &mut self.all[number];
                    if !std::mem::replace(&mut demand.has_failed, true) {
                        work.extend(&demand.wanted_by);
                    }
                }
            }
        }
    }
}

/// Whether what is demanded at a location is demanded of the steps to it.
fn is_handed_on(analysis: &Analysis<'_>, location: LocationId) -> bool {
    !analysis.heads.contains(&location) && analysis.graph.graph[location].error.is_none()
}

/// What demands behind a step need to know of it: found out once for all of them.
struct Step<'s> {
    transition: &'s Transition,
    definitions: Vec<Definition>,
    /// The conditions about the values before it, each with the variables that it is about.
    guards: Vec<(Term, BTreeSet<Arc<str>>)>,
}

impl<'s> Step<'s> {
    fn new(terms: &Terms, transition: &'s Transition) -> Step<'s> {
        let (definitions, rest) = transition.definitions(terms);
        let names = |guard| terms.names_of(&[guard], Version::Current).into_keys();
        let guards = (rest.into_iter())
            .filter_map(|conjunct| without_other_values(terms, conjunct))
            .map(|guard| (guard, names(guard).collect()));
        Step {
            transition,
            definitions,
            guards: guards.collect(),
        }
    }

    /// Whether what holds before it is what holds behind it.
    fn is_idle(&self) -> bool {
        self.transition.changed.is_empty() && self.guards.is_empty()
    }

    /// The weakest precondition of a demand, as far as it can be said without quantifiers: under the conditions of the step that
    /// are about the same variables, or under all of them.
    fn through(&self, terms: &Terms, demand: &Demand, under_all: bool) -> Before {
        let mut map = HashMap::new();
        for (name, &variable) in &demand.about {
            if !self.transition.changed.contains(name) {
                continue;
            }
            let definition = (self.definitions.iter()).find(|found| found.variable == *name);
            let Some(value) = definition.and_then(|found| without_other_values(terms, found.value))
            else {
                return Before::Lost;
            };
            map.insert(variable, value);
        }
        let changed = (!map.is_empty()).then(|| {
            let after = terms.substitute(demand.formula, &map);
            (after, terms.names_of(&[after], Version::Current))
        });
        let (after, about) = match &changed {
            Some((after, about)) => (*after, about),
            None => (demand.formula, &demand.about),
        };
        if after == terms.tt() {
            return Before::Holds;
        }
        let guards: Vec<Term> = (self.guards.iter())
            .filter(|(_, names)| under_all || names.iter().any(|name| about.contains_key(name)))
            .map(|(guard, _)| *guard)
            .collect();
        if guards.is_empty() {
            return Before::If(after);
        }
        let guarded = terms.implies(terms.and(guards), after);
        match is_small(terms, guarded) {
            true => Before::If(guarded),
            false => Before::If(after),
        }
    }
}

/// The formula, if it is about the values before a step alone.
fn without_other_values(terms: &Terms, formula: Term) -> Option<Term> {
    let is_current = |term: Term| {
        let variable = terms.as_var(term);
        variable.is_some_and(|variable| variable.version == Version::Current)
    };
    let free = terms.free_vars(&[formula]);
    free.into_iter().all(is_current).then_some(formula)
}

/// Whether a formula is about numbers and truth values alone and has no products of variables and no quantifiers: with others the
/// checker's questions might take long.
fn is_plain(terms: &Terms, formula: Term) -> bool {
    let is_literal = |&term: &Term| terms.args(term).is_empty() && terms.as_var(term).is_none();
    terms.post_order(&[formula]).into_iter().all(|term| {
        let is_scalar = matches!(terms.sort(term), Sort::Bool | Sort::Int | Sort::Real);
        let is_linear = match terms.op(term) {
            Op::Bind(_) => false,
            Op::Mul => {
                terms
                    .args(term)
                    .iter()
                    .filter(|arg| !is_literal(arg))
                    .count()
                    <= 1
            }
            Op::Div | Op::Mod => terms.args(term).iter().skip(1).all(is_literal),
            _ => true,
        };
        is_scalar && is_linear
    })
}

/// Whether a formula has few nodes.
fn is_small(terms: &Terms, formula: Term) -> bool {
    terms.size(formula) <= limits::DEMAND_SIZE
}
