//! Which state variable holds which argument of which predicate.
//!
//! Arguments of one sort that clauses hand on unchanged share a variable, as registers are shared
//! in a compiler: a step then changes little. What is left is put where there is room, so that
//! there are no more variables than the widest predicate needs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::names::{Predicate, PredicateId};
use ult_core::formula::Sort;
use ult_lower::names::Names;

/// An argument of a predicate.
pub(super) type Position = (PredicateId, usize);

/// The state variables.
#[derive(Debug)]
pub(super) struct Slots {
    /// Names and sorts.
    pub variables: Vec<(Arc<str>, Sort)>,
    /// For each predicate the variables of its arguments; no two are the same.
    pub of: Vec<Vec<usize>>,
}

/// What is known about the arguments.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// How often a clause hands an argument on unchanged as another one.
    flows: BTreeMap<(Position, Position), u32>,
    /// How often an argument has a name in the text.
    names: HashMap<Position, BTreeMap<Arc<str>, u32>>,
}

impl Hints {
    /// A clause hands an argument on.
    pub(crate) fn flow(&mut self, from: Position, to: Position) {
        if from != to {
            *self.flows.entry((from, to)).or_default() += 1;
        }
    }

    /// A clause calls an argument so.
    pub(crate) fn name(&mut self, position: Position, name: &Arc<str>) {
        let names = self.names.entry(position).or_default();
        *names.entry(name.clone()).or_default() += 1;
    }
}

/// A group of arguments that share a variable.
struct Group {
    members: Vec<Position>,
    predicates: HashSet<PredicateId>,
    sort: Sort,
}

impl Slots {
    /// Distributes the arguments. Names in `reserved` are not used.
    pub(crate) fn new(predicates: &[Predicate], hints: &Hints, reserved: &mut Names) -> Slots {
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of: HashMap<Position, usize> = HashMap::new();
        for (id, predicate) in predicates.iter().enumerate() {
            for (i, sort) in predicate.params.iter().enumerate() {
                group_of.insert((id, i), groups.len());
                groups.push(Group {
                    members: vec![(id, i)],
                    predicates: HashSet::from([id]),
                    sort: sort.clone(),
                });
            }
        }
        let mut flows: Vec<_> = hints.flows.iter().collect();
        // The same numbers in the order of the text.
        flows.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
        for (&(from, to), _) in flows {
            if let (Some(&a), Some(&b)) = (group_of.get(&from), group_of.get(&to)) {
                merge(&mut groups, &mut group_of, a, b);
            }
        }
        let mut by_first: Vec<usize> = (0..groups.len())
            .filter(|&g| !groups[g].members.is_empty())
            .collect();
        by_first.sort_by_key(|&g| groups[g].members.iter().min().copied());
        // The groups that got a variable: what is put to them lives in other predicates.
        let mut variables: Vec<usize> = Vec::new();
        for g in by_first {
            match variables.iter().position(|&v| fits(&groups, v, g)) {
                Some(i) => variables[i] = merge(&mut groups, &mut group_of, variables[i], g),
                None => variables.push(g),
            }
        }
        let number: HashMap<usize, usize> =
            variables.iter().enumerate().map(|(i, &g)| (g, i)).collect();
        let named = variables
            .iter()
            .map(|&g| {
                let name = name(&groups[g], hints);
                let name = match name {
                    Some(name) => reserved.fresh(&name),
                    None => reserved.numbered("x"),
                };
                (name, groups[g].sort.clone())
            })
            .collect();
        let of = predicates
            .iter()
            .enumerate()
            .map(|(id, predicate)| {
                (0..predicate.params.len())
                    .map(|i| number[&group_of[&(id, i)]])
                    .collect()
            })
            .collect();
        Slots {
            variables: named,
            of,
        }
    }
}

fn fits(groups: &[Group], a: usize, b: usize) -> bool {
    let (a, b) = (&groups[a], &groups[b]);
    let (small, large) = match a.predicates.len() < b.predicates.len() {
        true => (a, b),
        false => (b, a),
    };
    a.sort == b.sort && small.predicates.is_disjoint(&large.predicates)
}

/// Puts two groups together, if no predicate has arguments in both. The larger one keeps its
/// number, which is returned.
fn merge(
    groups: &mut [Group],
    group_of: &mut HashMap<Position, usize>,
    a: usize,
    b: usize,
) -> usize {
    if a == b || !fits(groups, a, b) {
        return a;
    }
    let (into, from) = match groups[a].members.len() >= groups[b].members.len() {
        true => (a, b),
        false => (b, a),
    };
    let members = std::mem::take(&mut groups[from].members);
    let predicates = std::mem::take(&mut groups[from].predicates);
    for &member in &members {
        group_of.insert(member, into);
    }
    groups[into].members.extend(members);
    groups[into].predicates.extend(predicates);
    into
}

/// The name that most clauses use for the arguments of a group, if they agree.
fn name(group: &Group, hints: &Hints) -> Option<Arc<str>> {
    let mut counts: BTreeMap<&Arc<str>, u32> = BTreeMap::new();
    let mut all = 0;
    for member in &group.members {
        for (name, count) in hints.names.get(member).into_iter().flatten() {
            *counts.entry(name).or_default() += count;
            all += count;
        }
    }
    let (name, count) = counts
        .into_iter()
        .max_by_key(|&(name, count)| (count, std::cmp::Reverse(name)))?;
    (2 * count > all).then(|| name.clone())
}
