//! Step `equal`: equality, functions and maps.
//!
//! Sound: terms of one class have one value wherever the clause is false. Terms are merged only because an equation is assumed, because
//! both have the same truth value, because one operator is applied to arguments of the same classes, or because a `select` reads what a
//! `const` or a `store` of that class holds. A `store` is skipped only if some index has a different value. A contradiction is one class
//! with two different numbers, or with two terms that are known to differ. (Nelson, Oppen, "Fast decision procedures based on congruence
//! closure", JACM 1980; McCarthy, "Towards a mathematical science of computation", IFIP 1962, for maps.)

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::literal::{Atom, Lit, Literals};
use crate::propagate::Propagation;
use crate::term::{Graph, Id, Op, Sort};

/// A step is about no more terms than this: it takes some rounds over them.
const MOST_TERMS: usize = 4000;

/// Terms in classes.
struct Classes<'g> {
    graph: &'g Graph,
    /// All terms in question, each after its arguments.
    terms: Vec<Id>,
    parent: BTreeMap<Id, Id>,
    /// Pairs that are different.
    different: Vec<(Id, Id)>,
}

/// Checks that the clause holds, whatever the terms in it mean.
pub(crate) fn check(literals: &mut Literals, clause: &[Lit]) -> Result<(), String> {
    let mut propagation = Propagation::new(literals);
    let negated: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
    if propagation.assume(&negated).is_err() {
        return Ok(());
    }
    let known: Vec<(Atom, bool)> = propagation
        .known()
        .map(|(atom, value)| (atom.clone(), value))
        .collect();
    let graph = &literals.graph;
    let mut equal = Vec::new();
    let mut different = Vec::new();
    let mut truths: [Vec<Id>; 2] = [Vec::new(), Vec::new()];
    for (atom, value) in known {
        let pair = match atom {
            Atom::Same(left, right) => (left, right),
            Atom::Term(id) => match (&graph.node(id).op, &graph.node(id).args[..]) {
                (Op::Eq, &[left, right]) if *graph.sort(left) != Sort::Bool => (left, right),
                _ => {
                    truths[usize::from(value)].push(id);
                    continue;
                }
            },
            Atom::True | Atom::Bound(_) => continue,
        };
        match value {
            true => equal.push(pair),
            false => different.push(pair),
        }
    }
    // What is true is one class, what is false is another one.
    for same in &truths {
        equal.extend(same.windows(2).map(|pair| (pair[0], pair[1])));
    }
    if let ([no, ..], [yes, ..]) = (&truths[0][..], &truths[1][..]) {
        different.push((*no, *yes));
    }
    let roots = equal.iter().chain(&different).flat_map(|&(a, b)| [a, b]);
    let roots = roots.chain(truths.iter().flatten().copied());
    let mut classes = Classes::new(graph, roots.collect(), different)?;
    for (left, right) in equal {
        classes.merge(left, right);
    }
    while classes.grow() {
        if classes.is_contradiction() {
            return Ok(());
        }
    }
    match classes.is_contradiction() {
        true => Ok(()),
        false => Err("equality does not imply it".into()),
    }
}

impl<'g> Classes<'g> {
    fn new(
        graph: &'g Graph,
        roots: BTreeSet<Id>,
        different: Vec<(Id, Id)>,
    ) -> Result<Classes<'g>, String> {
        let mut open: Vec<Id> = roots.into_iter().collect();
        let mut terms = BTreeSet::new();
        while let Some(id) = open.pop() {
            if terms.insert(id) {
                open.extend(&graph.node(id).args);
            }
            if terms.len() > MOST_TERMS {
                return Err("too many terms".into());
            }
        }
        Ok(Classes {
            graph,
            parent: terms.iter().map(|&id| (id, id)).collect(),
            terms: terms.into_iter().collect(),
            different,
        })
    }

    fn find(&self, id: Id) -> Id {
        let mut id = id;
        while let Some(&parent) = self.parent.get(&id).filter(|&&parent| parent != id) {
            id = parent;
        }
        id
    }

    /// Puts two terms into one class. Tells whether they were in two.
    fn merge(&mut self, left: Id, right: Id) -> bool {
        let (left, right) = (self.find(left), self.find(right));
        // The smaller one becomes the root. Which one does makes no difference.
        self.parent.insert(left.max(right), left.min(right));
        left != right
    }

    fn are_equal(&self, left: &[Id], right: &[Id]) -> bool {
        left.len() == right.len()
            && left
                .iter()
                .zip(right)
                .all(|(&a, &b)| self.find(a) == self.find(b))
    }

    /// Whether two terms have different values.
    fn are_different(&self, left: Id, right: Id) -> bool {
        let (left, right) = (self.find(left), self.find(right));
        let numbers = (self.number_in(left), self.number_in(right));
        matches!(numbers, (Some(one), Some(other)) if self.graph.number(one) != self.graph.number(other))
            || self.different.iter().any(|&(a, b)| {
                let pair = (self.find(a), self.find(b));
                pair == (left, right) || pair == (right, left)
            })
    }

    /// A number in a class.
    fn number_in(&self, class: Id) -> Option<Id> {
        let mut members = self.terms.iter().copied();
        members.find(|&id| self.graph.number(id).is_some() && self.find(id) == class)
    }

    /// Merges what has to be merged now. Tells whether something was.
    fn grow(&mut self) -> bool {
        let mut is_new = false;
        // The terms of one class have one sort.
        let mut seen: HashMap<(&Op, &Sort, Vec<Id>), Id> = HashMap::new();
        for &id in &self.terms.clone() {
            let node = self.graph.node(id);
            if node.op == Op::Free {
                continue;
            }
            let args = node.args.iter().map(|&arg| self.find(arg));
            let key = (&node.op, &node.sort, args.collect());
            let other = *seen.entry(key).or_insert(id);
            is_new |= self.merge(id, other);
            if let (Op::Select, [map, indices @ ..]) = (&node.op, &node.args[..]) {
                is_new |= self.read(id, *map, indices);
            }
        }
        is_new
    }

    /// What is read at an index of a map: what was written there last, past all that was written elsewhere.
    fn read(&mut self, select: Id, map: Id, indices: &[Id]) -> bool {
        let mut found = Vec::new();
        let mut open = vec![self.find(map)];
        let mut seen = BTreeSet::new();
        while let Some(class) = open.pop() {
            if !seen.insert(class) {
                continue;
            }
            for &id in &self.terms {
                let node = self.graph.node(id);
                match (&node.op, &node.args[..]) {
                    (Op::Const, &[value]) if self.find(id) == class => found.push(value),
                    (Op::Store, [before, written @ .., value]) if self.find(id) == class => {
                        let mut pairs = written.iter().zip(indices);
                        if self.are_equal(written, indices) {
                            found.push(*value);
                        } else if pairs.any(|(&a, &b)| self.are_different(a, b)) {
                            open.push(self.find(*before));
                        }
                    }
                    (Op::Select, [other, places @ ..])
                        if self.find(*other) == class && self.are_equal(places, indices) =>
                    {
                        found.push(id);
                    }
                    _ => {}
                }
            }
        }
        let merge = |is_new, value| self.merge(select, value) || is_new;
        found.into_iter().fold(false, merge)
    }

    fn is_contradiction(&self) -> bool {
        let mut numbers: HashMap<Id, Id> = HashMap::new();
        for &id in &self.terms {
            if self.graph.number(id).is_some() {
                let other = *numbers.entry(self.find(id)).or_insert(id);
                if self.graph.number(other) != self.graph.number(id) {
                    return true;
                }
            }
        }
        let mut different = self.different.iter();
        different.any(|&(a, b)| self.find(a) == self.find(b))
    }
}
