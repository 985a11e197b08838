//! Step `equal`: equality, functions and maps.
//!
//! Sound: terms of one class have one value wherever the clause is false. Terms are merged only because an equation is assumed, because
//! both have the same truth value or are the same sum, because one operator is applied to arguments of the same classes, or because a `select` reads what a
//! `const` or a `store` of that class holds. A `store` is skipped only if some index has a different value. A contradiction is one class
//! with two different numbers, or with two terms that are known to differ, or one bound about classes that is true and false. (Nelson, Oppen, "Fast decision procedures based on congruence
//! closure", JACM 1980; McCarthy, "Towards a mathematical science of computation", IFIP 1962, for maps.)

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use num_rational::BigRational;
use num_traits::One as _;

use crate::linear::{Bound, Comparison, Sum, at_most_zero};
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

/// What a round begins with. Classes only grow meanwhile, so it stays true.
struct Round<'g> {
    /// Pairs of classes that are different, in both orders.
    different: HashSet<(Id, Id)>,
    /// By class: its number.
    numbers: HashMap<Id, &'g BigRational>,
    /// By class: the terms `store` and `const` in it.
    maps: HashMap<Id, Vec<Id>>,
    /// By the classes of the map and of the indices: a `select`.
    reads: HashMap<Vec<Id>, Id>,
}

/// Checks that the clause holds, whatever the terms in it mean.
pub(crate) fn check(literals: &mut Literals, clause: &[Lit]) -> Result<(), String> {
    let negated: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
    let mut propagation = Propagation::new(literals);
    if propagation.assume(&negated).is_err() {
        return Ok(());
    }
    let known: BTreeSet<Lit> = propagation.known().collect();
    let (mut equal, mut different, mut roots) = (Vec::new(), Vec::new(), BTreeSet::new());
    for &lit in &known {
        let mut pairs = Vec::new();
        match literals.atom(lit) {
            Atom::Same(left, right) => pairs.push((*left, *right)),
            Atom::Equation(..) => {
                let written = literals.written(lit).iter();
                let args = written.map(|&id| &literals.graph.node(id).args[..]);
                pairs.extend(args.map(|args| (args[0], args[1])));
            }
            Atom::Term(id) => _ = roots.insert(*id),
            Atom::Bound(bound) => roots.extend(bound.form.iter().map(|(id, _)| *id)),
            Atom::True | Atom::Bits(_) => {}
        }
        roots.extend(pairs.iter().flat_map(|&(left, right)| [left, right]));
        let list = if lit.is_positive() {
            &mut equal
        } else {
            &mut different
        };
        list.extend(pairs);
    }
    let terms = with_arguments(&literals.graph, roots)?;
    // What is true is one class, what is false is another one.
    let mut truths: [Option<Id>; 2] = [None, None];
    for &id in &terms {
        if *literals.graph.sort(id) != Sort::Bool {
            continue;
        }
        let lit = literals.of(id);
        for (value, lit) in [!lit, lit].into_iter().enumerate() {
            if known.contains(&lit) {
                let first = *truths[value].get_or_insert(id);
                equal.push((first, id));
            }
        }
    }
    // Numbers that are the same sum are equal.
    let mut sums = HashMap::new();
    for &id in &terms {
        if literals.graph.sort(id).is_arithmetic() {
            let mut sum = Sum::default();
            sum.add_term(&literals.graph, &BigRational::one(), id);
            let key = (literals.graph.sort(id), sum.factors, sum.constant);
            equal.push((*sums.entry(key).or_insert(id), id));
        }
    }
    if let [Some(no), Some(yes)] = truths {
        different.push((no, yes));
    }
    let mut classes = Classes {
        graph: &literals.graph,
        parent: terms.iter().map(|&id| (id, id)).collect(),
        terms,
        different,
    };
    for (left, right) in equal {
        classes.merge(left, right);
    }
    loop {
        let Some(round) = classes.round() else {
            return Ok(());
        };
        if !classes.grow(&round) {
            break;
        }
    }
    let mut bounds = HashMap::new();
    for &lit in &known {
        let Atom::Bound(bound) = literals.atom(lit) else {
            continue;
        };
        let is_contradiction = match classes.bound(bound) {
            Comparison::Constant(value) => value != lit.is_positive(),
            Comparison::Bound(bound, is_positive) => {
                let value = lit.is_positive() == is_positive;
                *bounds.entry(bound).or_insert(value) != value
            }
        };
        if is_contradiction {
            return Ok(());
        }
    }
    Err("equality does not imply it".into())
}

/// Terms and all their arguments, in order.
fn with_arguments(graph: &Graph, roots: BTreeSet<Id>) -> Result<Vec<Id>, String> {
    let mut open: Vec<Id> = roots.into_iter().collect();
    let mut terms = BTreeSet::new();
    while let Some(id) = open.pop() {
        // What is bound has no value.
        if terms.insert(id) && !graph.node(id).is_quantified() {
            open.extend(&graph.node(id).args);
        }
        if terms.len() > MOST_TERMS {
            return Err("too many terms".into());
        }
    }
    Ok(terms.into_iter().collect())
}

impl<'g> Classes<'g> {
    fn find(&self, id: Id) -> Id {
        let mut id = id;
        while let Some(&parent) = self.parent.get(&id).filter(|&&parent| parent != id) {
            id = parent;
        }
        id
    }

    fn classes_of(&self, ids: &[Id]) -> Vec<Id> {
        ids.iter().map(|&id| self.find(id)).collect()
    }

    /// Puts two terms into one class. Tells whether they were in two.
    fn merge(&mut self, left: Id, right: Id) -> bool {
        let (left, right) = (self.find(left), self.find(right));
        // The smaller one becomes the root. Which one does makes no difference.
        self.parent.insert(left.max(right), left.min(right));
        left != right
    }

    /// A bound, about one term of each class.
    fn bound(&self, bound: &Bound) -> Comparison {
        let mut sum = Sum {
            constant: -&bound.limit,
            ..Sum::default()
        };
        for (id, factor) in &bound.form {
            sum.add_base(self.find(*id), factor.clone().into());
        }
        at_most_zero(self.graph, &sum, bound.is_strict)
    }

    /// What is known now; none if it is contradictory.
    fn round(&mut self) -> Option<Round<'g>> {
        let graph = self.graph;
        let mut round = Round {
            different: HashSet::new(),
            numbers: HashMap::new(),
            maps: HashMap::new(),
            reads: HashMap::new(),
        };
        for &id in &self.terms {
            let class = self.find(id);
            self.parent.insert(id, class);
            let node = graph.node(id);
            match &node.op {
                Op::Number(value) if *round.numbers.entry(class).or_insert(value) != value => {
                    return None;
                }
                Op::Store | Op::Const => round.maps.entry(class).or_default().push(id),
                Op::Select => _ = round.reads.entry(self.classes_of(&node.args)).or_insert(id),
                _ => {}
            }
        }
        for &(left, right) in &self.different {
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                return None;
            }
            round.different.extend([(left, right), (right, left)]);
        }
        Some(round)
    }

    /// Merges what has to be merged now. Tells whether something was.
    fn grow(&mut self, round: &Round<'_>) -> bool {
        let graph = self.graph;
        let mut is_new = false;
        // The terms of one class have one sort.
        let mut seen: HashMap<(&Op, &Sort, Vec<Id>), Id> = HashMap::new();
        for &id in &self.terms.clone() {
            let node = graph.node(id);
            if node.op == Op::Free || node.is_quantified() {
                continue;
            }
            let key = (&node.op, &node.sort, self.classes_of(&node.args));
            let other = *seen.entry(key).or_insert(id);
            is_new |= self.merge(id, other);
            if let (Op::Select, [map, indices @ ..]) = (&node.op, &node.args[..]) {
                is_new |= self.read(id, *map, indices, round);
            }
        }
        is_new
    }

    /// What is read at an index of a map: what was written there last, past all that was written elsewhere.
    fn read(&mut self, select: Id, map: Id, indices: &[Id], round: &Round<'_>) -> bool {
        let indices = self.classes_of(indices);
        let mut is_new = false;
        let mut open = vec![self.find(map)];
        let mut seen = BTreeSet::new();
        while let Some(class) = open.pop() {
            if !seen.insert(class) {
                continue;
            }
            let place: Vec<Id> = [&[class], &indices[..]].concat();
            if let Some(&other) = round.reads.get(&place) {
                is_new |= self.merge(select, other);
            }
            for &id in round.maps.get(&class).into_iter().flatten() {
                let args = &self.graph.node(id).args[..];
                let (before, written, value) = match args {
                    [before, written @ .., value] => (*before, self.classes_of(written), *value),
                    _ => (id, indices.clone(), args[0]),
                };
                let mut pairs = written.iter().copied().zip(indices.iter().copied());
                if written == indices {
                    is_new |= self.merge(select, value);
                } else if pairs.any(|pair| round.differ(pair)) {
                    open.push(self.find(before));
                }
            }
        }
        is_new
    }
}

impl Round<'_> {
    /// Whether two classes have different values.
    fn differ(&self, (left, right): (Id, Id)) -> bool {
        let numbers = (self.numbers.get(&left), self.numbers.get(&right));
        matches!(numbers, (Some(one), Some(other)) if one != other)
            || self.different.contains(&(left, right))
    }
}
