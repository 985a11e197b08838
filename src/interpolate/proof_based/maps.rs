//! Maps: what is read from a map is what was written there last.
//!
//! Under the values of a moment, maps hang together: by equalities that hold, and for one index by
//! stores at other indices. In each component an index has one element. Where two reads disagree,
//! the links between them are instantiated, one by one, for an index that the steps on the way
//! can speak about. (Lemmas on demand for maps: Brummayer, Biere, "Lemmas on demand for the
//! extensional theory of arrays", JSAT 2009; the chains: Christ, Hoenicke, "Weakly equivalent
//! arrays", FroCoS 2015.)

use std::collections::{HashMap, VecDeque};

use indexmap::IndexMap;

use super::atoms::Atom;
use super::bridge::Head;
use super::clause::Lit;
use super::instances::{Instance, Round};
use super::proof::Span;
use super::quantified::Derivation;
use super::values::Value;
use ult_core::formula::{Op, Sort, Term};

/// An element that is known.
struct Read {
    map: Term,
    index: Vec<Term>,
    element: Term,
}

/// A way from one map to another on which the element at an index does not change.
#[derive(Clone, Copy)]
struct Hop {
    from: Term,
    to: Term,
    /// The store that one of the maps is, if it is not an equality.
    store: Option<Term>,
    /// The steps that say so.
    home: Option<Span>,
}

impl Round<'_, '_> {
    /// Instances for reads that disagree.
    pub(super) fn maps(&mut self) {
        let terms = self.atoms.terms;
        let mut reads: IndexMap<Vec<Value>, Vec<Read>> = IndexMap::new();
        let mut stores: HashMap<Term, Vec<Hop>> = HashMap::new();
        for &term in &self.active {
            let args = terms.args(term);
            let (map, index, element) = match (terms.op(term), args) {
                (Op::Select, [map, index @ ..]) => (*map, index, term),
                (Op::Store, [base, index @ .., element]) => {
                    for (from, to) in [(term, *base), (*base, term)] {
                        let hop = Hop {
                            from,
                            to,
                            store: Some(term),
                            home: self.home(term),
                        };
                        stores.entry(from).or_default().push(hop);
                    }
                    (term, index, *element)
                }
                _ => continue,
            };
            if matches!(self.value(element), Value::Free(_)) {
                continue;
            }
            let value = index.iter().map(|&t| self.value(t)).collect();
            reads.entry(value).or_default().push(Read {
                map,
                index: index.to_vec(),
                element,
            });
        }
        for (index, mut reads) in reads {
            // The index that most steps can speak about is carried to the others.
            reads.sort_by_key(|read| {
                let scope = self.atoms.common_scope(read.index.iter().copied());
                std::cmp::Reverse(scope.map_or(0, |scope| scope.last - scope.first))
            });
            self.reads_of(&index, &reads, &stores);
            if self.is_full() {
                return;
            }
        }
    }

    /// The reads at one index.
    fn reads_of(&mut self, index: &[Value], reads: &[Read], stores: &HashMap<Term, Vec<Hop>>) {
        let terms = self.atoms.terms;
        let mut reached: HashMap<Term, Option<Hop>> = HashMap::new();
        for (number, read) in reads.iter().enumerate() {
            if reached.contains_key(&read.map) {
                continue;
            }
            let element = self.value(read.element);
            reached.insert(read.map, None);
            let mut queue = VecDeque::from([read.map]);
            let mut different: Vec<(Vec<Hop>, Term, Vec<Term>)> = Vec::new();
            while let Some(map) = queue.pop_front() {
                for (other, target) in reads.iter().enumerate() {
                    if other != number
                        && target.map == map
                        && self.value(target.element).differs(&element)
                    {
                        different.push((path(&reached, map), map, target.index.clone()));
                    }
                }
                if let (Op::ConstMap, &[constant]) = (terms.op(map), terms.args(map))
                    && self.value(constant).differs(&element)
                {
                    different.push((path(&reached, map), map, read.index.clone()));
                }
                let links = self.equality.links(map).iter().map(|link| Hop {
                    from: link.from,
                    to: link.to,
                    store: None,
                    home: Some(self.atoms.span(link.lit.var())),
                });
                for hop in links.chain(stores.get(&map).into_iter().flatten().copied()) {
                    let open = hop
                        .store
                        .is_none_or(|store| self.other_index(store, index).is_some());
                    if open && !reached.contains_key(&hop.to) {
                        reached.insert(hop.to, Some(hop));
                        queue.push_back(hop.to);
                    }
                }
            }
            for (path, map, target) in different {
                let mut found = Vec::new();
                let done = self.along(&path, read, map, &target, index, &mut found);
                self.commit(found, done.is_some());
                if self.is_full() {
                    return;
                }
            }
        }
    }

    /// The component in which the index of a store differs from an index.
    fn other_index(&self, store: Term, index: &[Value]) -> Option<usize> {
        let args = self.atoms.terms.args(store);
        (0..index.len()).find(|&i| {
            let value = self.value(args[i + 1]);
            self.values.apart(&value, &index[i])
        })
    }

    /// Instances along a path: the element that was read is the one of `map` at `target`.
    fn along(
        &mut self,
        path: &[Hop],
        read: &Read,
        map: Term,
        target: &[Term],
        value: &[Value],
        found: &mut Vec<Instance>,
    ) -> Option<()> {
        let terms = self.atoms.terms;
        let application = |map: Term, index: &[Term]| -> Vec<Term> {
            std::iter::once(map).chain(index.iter().copied()).collect()
        };
        let mut index = read.index.clone();
        for hop in path {
            let scope = self.atoms.common_scope([hop.from, hop.to])?;
            let args = application(hop.from, &index);
            let targets = application(hop.from, target);
            // Where the hop is said already, if possible: elsewhere it would be spoken about in
            // interpolants.
            let before = found.len();
            let mut there = None;
            if let Some(home) = hop.home.and_then(|home| home.meet(scope)) {
                there = self.advance(Head::Select, &args, &targets, home, found);
            }
            if there.is_none() {
                found.truncate(before);
                there = self.advance(Head::Select, &args, &targets, scope, found);
            }
            let args = there?;
            index = args[1..].to_vec();
            let scope = self.atoms.common_scope(args)?.meet(scope)?;
            let guard = match hop.store {
                None => terms.neq(hop.from, hop.to),
                Some(store) => {
                    let other = self.other_index(store, value)?;
                    terms.eq(terms.args(store)[other + 1], index[other])
                }
            };
            found.push(Instance {
                guards: vec![guard],
                left: terms.select(hop.from, &index),
                right: terms.select(hop.to, &index),
                scope,
                near: [hop.from, hop.to],
            });
        }
        let (args, targets) = (application(map, &index), application(map, target));
        self.connect(Head::Select, &args, &targets, found)
    }

    /// Maps that differ do so at some index.
    pub(super) fn witnesses(&mut self, asserted: &[Lit]) {
        let terms = self.atoms.terms;
        for lit in asserted {
            let &Atom::Same(a, b) = self.atoms.atom(lit.var()) else {
                continue;
            };
            let Sort::Map(sort) = terms.sort(a) else {
                continue;
            };
            let equal = terms.eq(a, b);
            if lit.is_positive() || !self.instances.met.insert(equal) {
                continue;
            }
            let Some(scope) = self.atoms.common_scope([a, b]) else {
                continue;
            };
            let step = self.step(scope, [equal, equal]);
            let index: Vec<Term> = sort
                .domain
                .iter()
                .map(|sort| self.atoms.local(step, "witness", sort.clone()))
                .collect();
            let (left, right) = (terms.select(a, &index), terms.select(b, &index));
            let derivation = Derivation::Maps(equal, index.clone());
            if sort.range == Sort::Bool {
                let some = terms.or([equal, left, right]);
                self.derived(step, some, derivation.clone());
                let other = terms.or([equal, terms.not(left), terms.not(right)]);
                self.derived(step, other, derivation);
            } else {
                let differ = terms.or2(equal, terms.neq(left, right));
                self.derived(step, differ, derivation);
            }
        }
    }
}

fn path(reached: &HashMap<Term, Option<Hop>>, to: Term) -> Vec<Hop> {
    let mut path = Vec::new();
    let mut end = to;
    while let Some(Some(hop)) = reached.get(&end) {
        path.push(*hop);
        end = hop.from;
    }
    path.reverse();
    path
}
