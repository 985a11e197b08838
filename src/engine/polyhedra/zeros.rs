//! Where maps hold zero: a string ends at one, so a loop that goes on to the end of a string stays within its array.
//!
//! For each map that is read, there are two more variables: where a zero was written last, and whether it is still there. Where a
//! value was read that turns out not to be zero, it was read elsewhere. In a claim, that there is such a place is an existential
//! quantifier. For maps that begin with zeros only, there are two more such variables: from where on nothing else was written. That
//! is a universal quantifier.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use super::bounds::{Side, beyond};
use super::cells_of_maps::made_of;
use ult_core::formula::{BinderKind, Op, Sort, Term, Terms, Version};
use ult_core::graph::{Definition, ProgramGraph, Transition};

/// More reads are not followed.
const MOST_READS: usize = 64;

/// Writes in one step are looked through so often.
const DEPTH: u32 = 16;

/// A graph with variables for zeros.
pub(super) struct WithZeros {
    pub(super) graph: ProgramGraph,
    /// Terms that have to do with each other: an index that is read, and where there is a zero.
    pub(super) related: Vec<(Term, Term)>,
    /// Variables of the graph that no claim is about.
    pub(super) scratch: Vec<Arc<str>>,
    /// The one for values that are read in conditions.
    value: Term,
    looked_up: IndexSet<(Term, Term)>,
    zeros: IndexMap<(Term, Zeros), Zero>,
}

/// Which zeros of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Zeros {
    /// The one that was written last.
    Last,
    /// All from some place on.
    Rest,
}

/// Zeros of a map.
struct Zero {
    /// Where they are, or begin.
    place: Term,
    /// Whether they are there.
    exists: Term,
    /// The names of both.
    names: [Arc<str>; 2],
}

/// `variable := map[index]`, and all variables that get their value from that.
struct Read {
    map: Term,
    index: Term,
    variable: Arc<str>,
    copies: BTreeSet<Arc<str>>,
    /// The index that was read, as a variable.
    place: Term,
}

/// The graph with variables for the zeros of maps that it reads.
pub(super) fn with_zeros(terms: &Terms, graph: &ProgramGraph) -> WithZeros {
    let mut new = graph.clone();
    let mut add = |name: &Arc<str>, sort: Sort| {
        new.variables.insert(name.clone(), sort.clone());
        terms.current(name.clone(), sort)
    };
    let edges = || graph.graph.edge_weights().map(|edge| &edge.transition);
    let (definitions, conditions): (Vec<Vec<Definition>>, Vec<Vec<Term>>) = edges()
        .map(|transition| transition.definitions(terms))
        .unzip();
    let looked_up = looked_up(terms, graph, &definitions);
    let mut reads = reads(terms, &looked_up, &definitions);
    let mut maps: IndexSet<Term> = looked_up.iter().map(|&(map, _)| map).collect();
    let mut number = 0;
    while let Some(&map) = maps.get_index(number) {
        let all = definitions.iter().flatten();
        let of_map =
            all.filter(|found| terms.as_var(map).is_some_and(|v| v.name == found.variable));
        for definition in of_map {
            let sources = made_of(terms, definition.value).into_iter();
            maps.extend(sources.filter(|&source| is_current(terms, source)));
        }
        number += 1;
    }
    let is_cleared = definitions.iter().flatten().any(|found| {
        let mut parts = made_of(terms, found.value).into_iter();
        parts.any(|part| is_all_zero(terms, part))
    });
    let kinds: &[Zeros] = match is_cleared {
        true => &[Zeros::Last, Zeros::Rest],
        false => &[Zeros::Last],
    };
    let mut zeros = IndexMap::new();
    for &map in &maps {
        for &kind in kinds {
            let what = match kind {
                Zeros::Last => ["zero", "has zero"],
                Zeros::Rest => ["rest", "has rest"],
            };
            let names = what.map(|what| format!("{}: {what}", terms.display(map)).into());
            let place = add(&names[0], Sort::Int);
            let exists = add(&names[1], Sort::Bool);
            let zero = Zero {
                place,
                exists,
                names,
            };
            zeros.insert((map, kind), zero);
        }
    }
    for (number, read) in reads.iter_mut().enumerate() {
        read.place = add(
            &format!("{}: read {number}", read.variable).into(),
            Sort::Int,
        );
    }
    let value = add(&"value that is read".into(), Sort::Int);
    let scratch = reads.iter().map(|read| read.place).chain([value]);
    let mut with = WithZeros {
        related: Vec::new(),
        scratch: scratch.filter_map(|term| name_of(terms, term)).collect(),
        value,
        looked_up: IndexSet::new(),
        zeros,
        graph: new,
    };
    with.related = looked_up
        .iter()
        .flat_map(|&(map, index)| with.of(map).map(move |(_, zero)| (index, zero.place)))
        .collect();
    if looked_up.is_empty() {
        return with;
    }
    with.looked_up = looked_up;
    let steps: Vec<Transition> = edges()
        .zip(definitions.iter().zip(&conditions))
        .map(|(transition, parts)| with.step(terms, transition, parts, &reads))
        .collect();
    for (edge, step) in with.graph.graph.edge_weights_mut().zip(steps) {
        edge.transition = step;
    }
    with
}

impl WithZeros {
    /// The zeros of a map.
    fn of(&self, map: Term) -> impl Iterator<Item = (Zeros, &Zero)> {
        let kinds = [Zeros::Last, Zeros::Rest].into_iter();
        kinds.filter_map(move |kind| Some((kind, self.zeros.get(&(map, kind))?)))
    }

    /// The variables of the graph that say where there are zeros.
    pub(super) fn variables(&self) -> impl Iterator<Item = &Arc<str>> {
        self.zeros.values().flat_map(|zero| &zero.names)
    }

    /// A formula about the variables of this graph, but for scratch, as one about those of the program: what it says of zeros is
    /// that there are some.
    pub(super) fn closed(&self, terms: &Terms, formula: Term) -> Term {
        let conjuncts = terms.conjuncts(formula);
        let mut about: Vec<Vec<Term>> = vec![Vec::new(); self.zeros.len()];
        let mut closed = Vec::new();
        for &conjunct in &conjuncts {
            let free = terms.free_vars(&[conjunct]);
            let found: Vec<usize> = (self.zeros.values().enumerate())
                .filter(|(_, zero)| free.contains(&zero.place) || free.contains(&zero.exists))
                .map(|(number, _)| number)
                .collect();
            match found[..] {
                [] => closed.push(conjunct),
                [one] if !free.contains(&self.zeros[one].exists) => about[one].push(conjunct),
                _ => {}
            }
        }
        for (((map, kind), zero), about) in self.zeros.iter().zip(about) {
            if !conjuncts.contains(&zero.exists) {
                continue;
            }
            let place = terms.fresh_bound("zero", Sort::Int);
            let read = terms.select(*map, &[place]);
            let holds = terms.eq(read, terms.int(0));
            let at = |formula: Term, place: Term| {
                terms.substitute(formula, &[(zero.place, place)].into())
            };
            if *kind == Zeros::Last {
                let body = terms.and([at(terms.and(about), place), holds]);
                closed.push(terms.bind(BinderKind::Exists, &[place], body, &[]));
                continue;
            }
            // Where it would be too late for the rest to begin one further, it has begun.
            let next = terms.add(&[place, terms.int(1)]);
            for bound in about {
                if let Some(late) = beyond(terms, bound, zero.place, Side::Above) {
                    let body = terms.implies(at(late, next), holds);
                    closed.push(terms.bind(BinderKind::Forall, &[place], body, &[vec![read]]));
                }
            }
        }
        terms.and(closed)
    }

    /// What a step says besides.
    fn step(
        &self,
        terms: &Terms,
        transition: &Transition,
        (definitions, conditions): (&Vec<Definition>, &Vec<Term>),
        reads: &[Read],
    ) -> Transition {
        let mut conjuncts = vec![transition.formula];
        let mut changed = transition.changed.clone();
        let mut set = |variable: Term, value: Option<Term>| {
            let Some(name) = name_of(terms, variable) else {
                return;
            };
            let next = terms.next(name.clone(), terms.sort(variable).clone());
            changed.insert(name);
            conjuncts.extend(value.map(|value| terms.eq(next, value)));
        };
        let value_of = |name: &str| definitions.iter().find(|found| *found.variable == *name);
        let is_changed = |term: Term| {
            name_of(terms, term).is_some_and(|name| transition.changed.contains(&name))
        };
        let mut moved: BTreeSet<Term> = BTreeSet::new();
        for (&(map, kind), zero) in self.zeros.iter().filter(|((map, _), _)| is_changed(*map)) {
            let value = name_of(terms, map).and_then(|name| value_of(&name));
            let (place, exists) = match value {
                Some(definition) => self.after(terms, definition.value, kind, 0),
                None => (None, terms.ff()),
            };
            if (place, exists) != (Some(zero.place), zero.exists) {
                set(zero.place, place);
                set(zero.exists, Some(exists));
                moved.insert(map);
            }
        }
        for read in reads {
            let is_here = value_of(&read.variable).is_some_and(|found| {
                (terms.op(found.value), terms.args(found.value))
                    == (&Op::Select, &[read.map, read.index])
            });
            if is_here {
                set(read.place, Some(read.index));
            } else if moved.contains(&read.map) || transition.changed.contains(&read.variable) {
                set(read.place, None);
            }
        }
        let about = terms.names_of(conditions, Version::Current);
        let elsewhere = |value: Term, map: Term, place: Term| {
            let is_zero = terms.eq(value, terms.int(0));
            let of_each = self.of(map).map(move |(kind, zero)| {
                let is_elsewhere = match kind {
                    Zeros::Last => terms.neq(place, zero.place),
                    Zeros::Rest => terms.lt(place, zero.place),
                };
                terms.or([is_zero, terms.not(zero.exists), is_elsewhere])
            });
            terms.and(of_each)
        };
        let mut facts = Vec::new();
        for read in reads {
            if about.keys().any(|name| read.copies.contains(name)) {
                let value = terms.current(read.variable.clone(), Sort::Int);
                facts.push(elsewhere(value, read.map, read.place));
            }
        }
        let looked_up = terms.post_order(conditions).into_iter().filter_map(|term| {
            let (Op::Select, &[map, index]) = (terms.op(term), terms.args(term)) else {
                return None;
            };
            let is_known = self.looked_up.contains(&(map, index));
            is_known.then_some((term, map, index))
        });
        let looked_up: Vec<(Term, Term, Term)> = looked_up.collect();
        for &(term, map, index) in &looked_up {
            facts.push(elsewhere(term, map, index));
        }
        // What differs from zero is below or above: convex sets know no third.
        let facts = terms.and(facts);
        conjuncts.push(facts);
        for &condition in conditions {
            if let (Op::Not, &[equation]) = (terms.op(condition), terms.args(condition))
                && let (Op::Eq, &[a, b]) = (terms.op(equation), terms.args(equation))
                && *terms.sort(a) == Sort::Int
                && *terms.op(facts) != Op::Bool(true)
            {
                let (below, above) = (terms.lt(a, b), terms.lt(b, a));
                let sides = [below, above].map(|side| terms.and([side, facts]));
                conjuncts.push(terms.or(sides));
            }
        }
        let mut formula = terms.and(conjuncts);
        // At an index that is a variable or a number, it is a cell.
        let is_computed =
            |index: Term| terms.as_var(index).is_none() && !matches!(terms.op(index), Op::Int(_));
        if let [(term, _, index)] = looked_up[..]
            && is_computed(index)
        {
            formula = terms.substitute(formula, &[(term, self.value)].into());
            changed.extend(name_of(terms, self.value));
        }
        Transition { formula, changed }
    }

    /// Where a map has zeros that is the value of a term, if that is known, and when it has some.
    fn after(&self, terms: &Terms, map: Term, kind: Zeros, depth: u32) -> (Option<Term>, Term) {
        let unknown = (None, terms.ff());
        if let Some(zero) = self.zeros.get(&(map, kind)) {
            return (Some(zero.place), zero.exists);
        }
        if depth > DEPTH {
            return unknown;
        }
        let of = |map: Term| self.after(terms, map, kind, depth + 1);
        let zero = terms.int(0);
        match (terms.op(map), terms.args(map)) {
            _ if is_all_zero(terms, map) => (Some(zero), terms.tt()),
            (Op::Store, &[base, at, value]) if *terms.sort(at) == Sort::Int => {
                if kind == Zeros::Last && value == zero {
                    return (Some(at), terms.tt());
                }
                let (Some(place), exists) = of(base) else {
                    return unknown;
                };
                let is_zero = match terms.op(value) {
                    Op::Int(_) => terms.ff(),
                    _ => terms.eq(value, zero),
                };
                if kind == Zeros::Last {
                    let stays = terms.or([terms.neq(at, place), is_zero]);
                    return (Some(place), terms.and([exists, stays]));
                }
                let is_beyond = terms.and([terms.le(place, at), terms.not(is_zero)]);
                let next = terms.add(&[at, terms.int(1)]);
                (Some(terms.ite(is_beyond, next, place)), exists)
            }
            (Op::Ite, &[condition, yes, no]) => match (of(yes), of(no)) {
                ((Some(one), has_one), (Some(other), has_other)) => (
                    Some(terms.ite(condition, one, other)),
                    terms.ite(condition, has_one, has_other),
                ),
                _ => unknown,
            },
            _ => unknown,
        }
    }
}

/// Whether a map holds zero everywhere.
fn is_all_zero(terms: &Terms, map: Term) -> bool {
    matches!((terms.op(map), terms.args(map)), (Op::ConstMap, &[value]) if value == terms.int(0))
}

fn name_of(terms: &Terms, variable: Term) -> Option<Arc<str>> {
    terms.as_var(variable).map(|variable| variable.name.clone())
}

fn is_current(terms: &Terms, term: Term) -> bool {
    let variable = terms.as_var(term);
    variable.is_some_and(|variable| variable.version == Version::Current)
}

/// The maps of numbers over numbers of which some become zero, with the indices at which they are read.
fn looked_up(
    terms: &Terms,
    graph: &ProgramGraph,
    definitions: &[Vec<Definition>],
) -> IndexSet<(Term, Term)> {
    let zero = terms.int(0);
    let is_zeroed = |map: Term| {
        let name = name_of(terms, map);
        definitions.iter().flatten().any(|found| {
            Some(&found.variable) == name.as_ref()
                && match (terms.op(found.value), terms.args(found.value)) {
                    (Op::Store, &[_, _, value]) => value == zero,
                    _ => is_all_zero(terms, found.value),
                }
        })
    };
    let formulas: Vec<Term> = graph
        .graph
        .edge_weights()
        .map(|edge| edge.transition.formula)
        .collect();
    let mut zeroed: IndexMap<Term, bool> = IndexMap::new();
    let mut found = IndexSet::new();
    for term in terms.post_order(&formulas) {
        let (Op::Select, &[map, index]) = (terms.op(term), terms.args(term)) else {
            continue;
        };
        let is_plain = *terms.sort(term) == Sort::Int
            && *terms.sort(index) == Sort::Int
            && is_current(terms, map)
            && terms.names_of(&[index], Version::Next).is_empty();
        if is_plain && *zeroed.entry(map).or_insert_with(|| is_zeroed(map)) {
            found.insert((map, index));
        }
        if found.len() >= MOST_READS {
            break;
        }
    }
    found
}

/// The reads whose values variables get.
fn reads(
    terms: &Terms,
    looked_up: &IndexSet<(Term, Term)>,
    definitions: &[Vec<Definition>],
) -> Vec<Read> {
    let mut reads: IndexMap<(Term, Term, Arc<str>), Read> = IndexMap::new();
    let all = || definitions.iter().flatten();
    for definition in all() {
        let (Op::Select, &[map, index]) =
            (terms.op(definition.value), terms.args(definition.value))
        else {
            continue;
        };
        if looked_up.contains(&(map, index)) {
            let variable = definition.variable.clone();
            let read = Read {
                map,
                index,
                variable: variable.clone(),
                copies: BTreeSet::from([variable.clone()]),
                place: index,
            };
            reads.insert((map, index, variable), read);
        }
    }
    let mut reads: Vec<Read> = reads.into_values().collect();
    for read in &mut reads {
        loop {
            let known = read.copies.len();
            for definition in all() {
                let from = name_of(terms, definition.value);
                if from.is_some_and(|from| read.copies.contains(&from)) {
                    read.copies.insert(definition.variable.clone());
                }
            }
            if read.copies.len() == known {
                break;
            }
        }
    }
    reads
}
