//! How far maps are true from zero on: an array is written up to where the loop that fills it has come.
//!
//! For each map of truth values that a loop fills, there is one more variable, the end of a prefix: the map is true at each
//! multiple of a stride from zero to there. In a claim, that is a universal quantifier.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};
use petgraph::algo::tarjan_scc;
use petgraph::visit::EdgeRef as _;

use super::bounds::{Side, beyond};
use super::cells_of_maps::made_of;
use ult_core::formula::{BinderKind, Op, Sort, Term, Terms, Version};
use ult_core::graph::{Definition, ProgramGraph, Transition};

/// More maps are not followed.
const MOST_MAPS: usize = 64;

/// Writes in one step are looked through so often.
const DEPTH: u32 = 16;

/// The end of a map that is true everywhere: after each address that there is.
const EVERYWHERE: u128 = 1 << 65;

/// A graph with variables for prefixes.
pub(super) struct WithPrefixes {
    pub(super) graph: ProgramGraph,
    /// Terms that have to do with each other: an index, and the end of a prefix.
    pub(super) related: Vec<(Term, Term)>,
    pub(super) prefixes: IndexMap<Term, Prefix>,
}

/// The prefix of a map.
pub(super) struct Prefix {
    /// The variable for its end, a multiple of the stride.
    pub(super) name: Arc<str>,
    end: Term,
    stride: BigInt,
}

/// The graph with variables for the prefixes of maps that it reads.
pub(super) fn with_prefixes(terms: &Terms, graph: &ProgramGraph) -> WithPrefixes {
    let mut with = WithPrefixes {
        graph: graph.clone(),
        related: Vec::new(),
        prefixes: IndexMap::new(),
    };
    let edges = || graph.graph.edge_weights().map(|edge| &edge.transition);
    let definitions: Vec<Vec<Definition>> = edges().map(|step| step.definitions(terms).0).collect();
    let values = Values::new(&definitions);
    let filled = filled(terms, graph, &definitions);
    let mut reads: IndexSet<Term> = IndexSet::new();
    for term in terms.post_order(&edges().map(|step| step.formula).collect::<Vec<_>>()) {
        let (Op::Select, &[map, index]) = (terms.op(term), terms.args(term)) else {
            continue;
        };
        let is_plain = *terms.sort(term) == Sort::Bool
            && *terms.sort(index) == Sort::Int
            && is_current(terms, map)
            && terms.names_of(&[index], Version::Next).is_empty();
        if is_plain && with.follow(terms, map, &values, &filled) {
            with.related.push((index, with.prefixes[&map].end));
            reads.insert(term);
        }
    }
    let reads: HashMap<Term, Term> = reads
        .into_iter()
        .map(|read| {
            let prefix = &with.prefixes[&terms.args(read)[0]];
            let index = terms.args(read)[1];
            let is_before = terms.lt(index, prefix.end);
            let is_within = terms.and([is_before, prefix.is_counted(terms, index)]);
            (read, terms.or([read, is_within]))
        })
        .collect();
    let steps: Vec<Transition> = edges()
        .zip(&definitions)
        .map(|(step, definitions)| with.step(terms, step, definitions, &reads))
        .collect();
    for (edge, step) in with.graph.graph.edge_weights_mut().zip(steps) {
        edge.transition = step;
    }
    with
}

impl WithPrefixes {
    /// Whether there is a variable for a map. It gets one, and so does each map that it may be a copy of, if a loop fills one of
    /// them.
    fn follow(
        &mut self,
        terms: &Terms,
        map: Term,
        values: &Values,
        filled: &[(Term, Term)],
    ) -> bool {
        if self.prefixes.contains_key(&map) {
            return true;
        }
        let sources = values.sources(terms, map);
        let indices = filled.iter().filter(|(map, _)| sources.contains(map));
        let indices: Vec<Term> = indices.map(|&(_, index)| index).collect();
        if indices.is_empty() || self.prefixes.len() + sources.len() > MOST_MAPS {
            return false;
        }
        let strides = indices.iter().map(|&index| values.stride(terms, index));
        let stride = strides.fold(BigInt::zero(), |all, one| all.gcd(&one));
        let stride = if stride.is_zero() {
            BigInt::one()
        } else {
            stride
        };
        for source in sources {
            let name: Arc<str> = format!("{}: end", terms.display(source)).into();
            let end = terms.current(name.clone(), Sort::Int);
            self.graph.variables.insert(name.clone(), Sort::Int);
            self.related
                .extend(indices.iter().map(|&index| (index, end)));
            let stride = stride.clone();
            let prefix = Prefix { name, end, stride };
            self.prefixes.entry(source).or_insert(prefix);
        }
        true
    }

    /// What a step says besides.
    fn step(
        &self,
        terms: &Terms,
        transition: &Transition,
        definitions: &[Definition],
        reads: &HashMap<Term, Term>,
    ) -> Transition {
        let mut conjuncts = vec![terms.substitute(transition.formula, reads)];
        let mut changed = transition.changed.clone();
        for (&map, prefix) in &self.prefixes {
            let Some(variable) = terms.as_var(map) else {
                continue;
            };
            if !transition.changed.contains(&variable.name) {
                continue;
            }
            let mut found = definitions.iter();
            let end = match found.find(|found| found.variable == variable.name) {
                Some(found) => self.end(terms, found.value, &prefix.stride, 0),
                None => terms.int(0),
            };
            if end != prefix.end {
                let next = terms.next(prefix.name.clone(), Sort::Int);
                conjuncts.push(terms.eq(next, end));
                changed.insert(prefix.name.clone());
            }
        }
        Transition {
            formula: terms.and(conjuncts),
            changed,
        }
    }

    /// The end of a prefix of a map.
    fn end(&self, terms: &Terms, map: Term, stride: &BigInt, depth: u32) -> Term {
        let nothing = terms.int(0);
        if let Some(prefix) = self.prefixes.get(&map) {
            return if prefix.stride == *stride {
                prefix.end
            } else {
                nothing
            };
        }
        if depth > DEPTH {
            return nothing;
        }
        let of = |map: Term| self.end(terms, map, stride, depth + 1);
        match (terms.op(map), terms.args(map)) {
            (Op::ConstMap, &[value]) if value == terms.tt() => terms.int(EVERYWHERE),
            (Op::Store, &[base, at, value]) if value == terms.tt() => {
                let end = of(base);
                let longer = terms.add(&[end, terms.int(stride.clone())]);
                terms.ite(terms.eq(at, end), longer, end)
            }
            (Op::Ite, &[condition, yes, no]) => terms.ite(condition, of(yes), of(no)),
            _ => nothing,
        }
    }
}

impl Prefix {
    /// Whether an index is one of those that the prefix is about.
    fn is_counted(&self, terms: &Terms, index: Term) -> Term {
        let zero = terms.int(0);
        let remainder = terms.modulo(index, terms.int(self.stride.clone()));
        terms.and([terms.le(zero, index), terms.eq(remainder, zero)])
    }

    /// Where a map is true if a comparison holds that says where the prefix ends at the earliest. Nothing if it says something else.
    pub(super) fn closed(&self, terms: &Terms, map: Term, comparison: Term) -> Option<Term> {
        let before = beyond(terms, comparison, self.end, Side::Below)?;
        let at = |index: Term| terms.substitute(before, &[(self.end, index)].into());
        if at(terms.int(0)) == terms.ff() {
            return None;
        }
        let index = terms.fresh_bound("index", Sort::Int);
        let is_within = terms.and([self.is_counted(terms, index), at(index)]);
        let read = terms.select(map, &[index]);
        let body = terms.implies(is_within, read);
        Some(terms.bind(BinderKind::Forall, &[index], body, &[vec![read]]))
    }
}

/// What variables may be.
struct Values {
    /// All that is assigned to each, but for what is not known.
    by_name: BTreeMap<Arc<str>, Vec<Term>>,
}

impl Values {
    fn new(definitions: &[Vec<Definition>]) -> Values {
        let mut by_name: BTreeMap<Arc<str>, Vec<Term>> = BTreeMap::new();
        for found in definitions.iter().flatten() {
            let values = by_name.entry(found.variable.clone()).or_default();
            values.push(found.value);
        }
        Values { by_name }
    }

    fn of(&self, terms: &Terms, variable: Term) -> &[Term] {
        let found = terms
            .as_var(variable)
            .and_then(|v| self.by_name.get(&v.name));
        found.map_or(&[], |values| values)
    }

    /// A map, and all that it may be made of.
    fn sources(&self, terms: &Terms, map: Term) -> IndexSet<Term> {
        let mut sources = IndexSet::from([map]);
        let mut number = 0;
        while let Some(&source) = sources.get_index(number) {
            for &value in self.of(terms, source) {
                let parts = made_of(terms, value).into_iter();
                sources.extend(parts.filter(|&part| is_current(terms, part)));
            }
            number += 1;
        }
        sources
    }

    /// A number of which an index is a multiple as far as it is seen; 0 for 0.
    fn stride(&self, terms: &Terms, index: Term) -> BigInt {
        self.stride_of(terms, index, &mut BTreeSet::new())
    }

    fn stride_of(&self, terms: &Terms, term: Term, seen: &mut BTreeSet<Term>) -> BigInt {
        let all = |terms_of: &[Term], seen: &mut BTreeSet<Term>| {
            let mut strides = terms_of
                .iter()
                .map(|&part| self.stride_of(terms, part, seen));
            strides.try_fold(BigInt::zero(), |all, one| {
                let all = all.gcd(&one);
                if all.is_one() { Err(all) } else { Ok(all) }
            })
        };
        let strides = match (terms.op(term), terms.args(term)) {
            (Op::Int(value), _) => return value.abs(),
            (Op::Add, parts) => all(parts, seen),
            (Op::Ite, parts) => all(&parts[1..], seen),
            (Op::Mul, &[a, b]) => {
                return self.stride_of(terms, a, seen) * self.stride_of(terms, b, seen);
            }
            (Op::Var(_), _) if !seen.insert(term) => return BigInt::zero(),
            (Op::Var(_), _) if !self.of(terms, term).is_empty() => all(self.of(terms, term), seen),
            _ => return BigInt::one(),
        };
        strides.unwrap_or_else(|one| one)
    }
}

fn is_current(terms: &Terms, term: Term) -> bool {
    let variable = terms.as_var(term);
    variable.is_some_and(|variable| variable.version == Version::Current)
}

/// The maps that become true in a loop, each with an index.
fn filled(
    terms: &Terms,
    graph: &ProgramGraph,
    definitions: &[Vec<Definition>],
) -> Vec<(Term, Term)> {
    let mut component = BTreeMap::new();
    for (number, locations) in tarjan_scc(&graph.graph).into_iter().enumerate() {
        component.extend(locations.into_iter().map(|location| (location, number)));
    }
    let mut filled = Vec::new();
    for (edge, definitions) in graph.graph.edge_references().zip(definitions) {
        if component[&edge.source()] != component[&edge.target()] {
            continue;
        }
        for found in definitions {
            let map = terms.current(found.variable.clone(), terms.sort(found.value).clone());
            for part in made_of(terms, found.value) {
                if let (Op::Store, &[_, at, value]) = (terms.op(part), terms.args(part))
                    && value == terms.tt()
                    && *terms.sort(at) == Sort::Int
                    && !matches!(terms.op(at), Op::Int(_))
                {
                    filled.push((map, at));
                }
            }
        }
    }
    filled
}
