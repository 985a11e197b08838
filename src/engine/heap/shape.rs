//! Which variables of a program make up a heap, told from how they are used.
//!
//! Objects are numbered in the order in which they are allocated: a variable counts them, and its
//! values flow into the indices of maps. A map whose cells flow there as well holds pointers. (So
//! memory looks that was translated from C; models that are written by hand often look the same.)

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, ToPrimitive as _};

use ult_core::formula::{Op, Sort, Term, Terms};
use ult_core::graph::{Definition, ProgramGraph};

/// More numbers than these are not looked at for one kind of value.
const MOST_NUMBERS: usize = 6;

/// The heap of a program.
pub(super) struct Shape {
    /// The variable that counts objects: the number of the next one.
    pub counter: Arc<str>,
    /// The number of the first object.
    pub first: BigInt,
    /// Integer variables that hold pointers.
    pub pointers: BTreeSet<Arc<str>>,
    /// Maps from objects to pointers.
    pub links: BTreeSet<Arc<str>>,
    /// Other maps that are read or written at pointers.
    pub cells: BTreeSet<Arc<str>>,
    /// For each variable and map: which ones its values, or those of its cells, flow to or are
    /// compared with, by a number for each such family.
    families: BTreeMap<Arc<str>, usize>,
    /// For each family: the numbers that its values are compared with or set to.
    numbers: BTreeMap<usize, BTreeSet<BigInt>>,
    /// The families whose values are compared by order.
    ordered: BTreeSet<usize>,
}

impl Shape {
    /// Reads a graph in small steps; `None` if there is no heap.
    pub(super) fn of(terms: &Terms, graph: &ProgramGraph) -> Option<Shape> {
        let mut definitions: Vec<Definition> = Vec::new();
        let mut conditions: Vec<Term> = Vec::new();
        let mut chosen: BTreeSet<&str> = BTreeSet::new();
        for edge in graph.graph.edge_weights() {
            let (own, rest) = edge.transition.definitions(terms);
            let is_defined = |name: &str| own.iter().any(|d| &*d.variable == name);
            let changed = edge.transition.changed.iter().map(|name| &**name);
            chosen.extend(changed.filter(|name| !is_defined(name)));
            definitions.extend(own);
            conditions.extend(rest);
        }
        let values = definitions.iter().map(|definition| definition.value);
        let formulas: Vec<Term> = values.chain(conditions.iter().copied()).collect();
        let order = terms.post_order(&formulas);
        let mut flow = Flow {
            terms,
            pointers: BTreeSet::new(),
            links: BTreeSet::new(),
        };
        flow.close(&definitions, &order);
        let (counter, first) = counter(terms, graph, &definitions, &flow.pointers, &chosen)?;
        if flow.links.is_empty() {
            return None;
        }
        let mut cells = BTreeSet::new();
        for &term in &order {
            if let Some((map, index)) = access(terms, term)
                && flow.is_pointer(index)
            {
                cells.extend(variables_of(terms, map));
            }
        }
        cells.retain(|map| !flow.links.contains(map));
        let mut shape = Shape {
            counter,
            first,
            pointers: flow.pointers,
            links: flow.links,
            cells,
            families: BTreeMap::new(),
            numbers: BTreeMap::new(),
            ordered: BTreeSet::new(),
        };
        shape.find_families(terms, graph, &definitions, &order);
        Some(shape)
    }

    /// That the number of the next object is none below that of the first one.
    pub(super) fn begun(&self, terms: &Terms) -> Term {
        let counter = terms.current(self.counter.clone(), Sort::Int);
        terms.le(terms.int(self.first.clone()), counter)
    }

    /// The numbers that the values of a variable, or of a map's cells, are compared with or set to;
    /// and whether they are compared by order.
    pub(super) fn numbers(&self, name: &str) -> (Vec<BigInt>, bool) {
        let Some(family) = self.families.get(name) else {
            return (Vec::new(), false);
        };
        let numbers = self.numbers.get(family).into_iter().flatten();
        let numbers = numbers.take(MOST_NUMBERS).cloned().collect();
        (numbers, self.ordered.contains(family))
    }

    /// Whether values of one are compared with those of another, or flow there.
    pub(super) fn are_compared(&self, one: &str, other: &str) -> bool {
        let family = self.families.get(one);
        family.is_some() && family == self.families.get(other)
    }

    fn find_families(
        &mut self,
        terms: &Terms,
        graph: &ProgramGraph,
        definitions: &[Definition],
        order: &[Term],
    ) {
        let names: Vec<Arc<str>> = graph.variables.keys().cloned().collect();
        let number = |name: &Arc<str>| graph.variables.get_index_of(name);
        let mut parents: Vec<usize> = (0..names.len()).collect();
        let mut constants: Vec<(usize, BigInt)> = Vec::new();
        let mut compared: Vec<usize> = Vec::new();
        let mut meet = |of: &[Term], is_ordered: bool| {
            let mut first: Option<usize> = None;
            let mut found = Vec::new();
            for &value in of {
                for leaf in leaves(terms, value) {
                    match terms.op(leaf) {
                        Op::Int(value) => found.push(value.clone()),
                        Op::Var(_) | Op::Select => {
                            let map = access(terms, leaf).map_or(leaf, |(map, _)| map);
                            for name in variables_of(terms, map) {
                                let Some(own) = number(&name) else { continue };
                                match first {
                                    None => first = Some(own),
                                    Some(first) => {
                                        let (a, b) = (root(&parents, first), root(&parents, own));
                                        parents[a] = b;
                                    }
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            let Some(first) = first else { return };
            constants.extend(found.into_iter().map(|value| (first, value)));
            if is_ordered {
                compared.push(first);
            }
        };
        for definition in definitions {
            let sort = graph.variables.get(&definition.variable);
            if sort == Some(&Sort::Int) {
                let variable = terms.current(definition.variable.clone(), Sort::Int);
                meet(&[variable, definition.value], false);
            }
        }
        for &term in order {
            match (terms.op(term), terms.args(term)) {
                (Op::Store, &[map, _, value]) => {
                    for name in variables_of(terms, map) {
                        let sort = graph.variables.get(&name);
                        if let (Some(sort), Sort::Int) = (sort, terms.sort(value)) {
                            meet(&[terms.current(name, sort.clone()), value], false);
                        }
                    }
                }
                (Op::Eq, &[left, right]) if *terms.sort(left) == Sort::Int => {
                    meet(&[left, right], false);
                }
                (Op::Le | Op::Lt, &[left, right]) if *terms.sort(left) == Sort::Int => {
                    // What a type allows is no news.
                    let is_limit = [left, right]
                        .iter()
                        .any(|&side| matches!(terms.op(side), Op::Int(n) if n.bits() >= 30));
                    if !is_limit {
                        meet(&[left, right], true);
                    }
                }
                _ => {}
            }
        }
        for (index, name) in names.into_iter().enumerate() {
            self.families.insert(name, root(&parents, index));
        }
        for (member, value) in constants {
            if value.bits() < 30 {
                let numbers = self.numbers.entry(root(&parents, member)).or_default();
                numbers.insert(value);
            }
        }
        let compared = compared.into_iter();
        self.ordered
            .extend(compared.map(|member| root(&parents, member)));
    }
}

fn root(parents: &[usize], mut member: usize) -> usize {
    while parents[member] != member {
        member = parents[member];
    }
    member
}

/// Which variables and maps hold pointers.
struct Flow<'t> {
    terms: &'t Terms,
    pointers: BTreeSet<Arc<str>>,
    links: BTreeSet<Arc<str>>,
}

impl Flow<'_> {
    /// Follows the values of indices back to where they come from.
    fn close(&mut self, definitions: &[Definition], order: &[Term]) {
        loop {
            let before = (self.pointers.len(), self.links.len());
            for &term in order {
                if let Some((map, index)) = access(self.terms, term) {
                    self.enter(index);
                    if let (Op::Store, &[_, _, value]) =
                        (self.terms.op(term), self.terms.args(term))
                    {
                        let mut maps = variables_of(self.terms, map).into_iter();
                        if maps.any(|map| self.links.contains(&map)) {
                            self.enter(value);
                        }
                    }
                }
            }
            // Backwards, as values flow: then few rounds are enough.
            for definition in definitions.iter().rev() {
                if self.pointers.contains(&definition.variable) {
                    self.enter(definition.value);
                }
            }
            if before == (self.pointers.len(), self.links.len()) {
                return;
            }
        }
    }

    /// A value that is a pointer.
    fn enter(&mut self, value: Term) {
        for leaf in leaves(self.terms, value) {
            match access(self.terms, leaf) {
                Some((map, _)) => self.links.extend(variables_of(self.terms, map)),
                None => self.pointers.extend(variables_of(self.terms, leaf)),
            }
        }
    }

    fn is_pointer(&self, value: Term) -> bool {
        leaves(self.terms, value).into_iter().any(|leaf| {
            let (all, part) = match access(self.terms, leaf) {
                Some((map, _)) => (&self.links, map),
                None => (&self.pointers, leaf),
            };
            let mut names = variables_of(self.terms, part).into_iter();
            names.any(|name| all.contains(&name))
        })
    }
}

/// The variable that counts objects, and where it begins: one that is only ever set to numbers and
/// counted up, and whose values are pointers; `chosen` are those that are set to anything.
fn counter(
    terms: &Terms,
    graph: &ProgramGraph,
    definitions: &[Definition],
    pointers: &BTreeSet<Arc<str>>,
    chosen: &BTreeSet<&str>,
) -> Option<(Arc<str>, BigInt)> {
    let mut begins: BTreeMap<&Arc<str>, BigInt> = BTreeMap::new();
    let mut counts: BTreeMap<&Arc<str>, usize> = BTreeMap::new();
    let mut other: BTreeSet<&str> = BTreeSet::new();
    for definition in definitions {
        let name = &definition.variable;
        if graph.variables.get(name) != Some(&Sort::Int) {
            continue;
        }
        let (parts, constant) = terms.linear(definition.value);
        let value = constant.to_integer();
        match &parts[..] {
            [] => {
                let begin = begins.entry(name).or_insert_with(|| value.clone());
                if value < *begin {
                    *begin = value;
                }
            }
            [(base, factor)]
                if factor.is_one()
                    && !value.is_negative()
                    && terms.as_var(*base).is_some_and(|var| var.name == *name) =>
            {
                *counts.entry(name).or_default() += usize::from(value.is_positive());
            }
            _ => {
                other.insert(name);
            }
        }
    }
    counts.retain(|&name, &mut count| {
        // What is chosen anew counts nothing.
        let is_other = other.contains(&**name) || chosen.contains(&**name);
        count > 0 && begins.contains_key(name) && !is_other && pointers.contains(name)
    });
    let (&name, _) = counts.iter().max_by_key(|&(_, count)| count)?;
    let first = begins.remove(name)?;
    first.to_i64()?;
    Some((name.clone(), first))
}

/// The map and the index, if a term reads or writes a cell at one integer.
fn access(terms: &Terms, term: Term) -> Option<(Term, Term)> {
    match (terms.op(term), terms.args(term)) {
        (Op::Select, &[map, index]) | (Op::Store, &[map, index, _])
            if *terms.sort(index) == Sort::Int =>
        {
            Some((map, index))
        }
        _ => None,
    }
}

/// What a value may be, where it depends on conditions.
fn leaves(terms: &Terms, value: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match (terms.op(value), terms.args(value)) {
            (Op::Ite, &[_, yes, no]) => waiting.extend([yes, no]),
            _ => found.push(value),
        }
    }
    found
}

/// The variables that a map, or a variable, stands for: behind writes and conditions.
fn variables_of(terms: &Terms, value: Term) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match (terms.op(value), terms.args(value)) {
            (Op::Ite, &[_, yes, no]) => waiting.extend([yes, no]),
            (Op::Store, &[map, ..]) => waiting.push(map),
            (Op::Var(var), _) => found.push(var.name.clone()),
            _ => {}
        }
    }
    found
}
