//! Which maps have the same cells, and which.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;

use super::{Layout, MOST_CELLS, MOST_INDICES, Ranges};
use ult_core::control::Control;
use ult_core::formula::{BinderKind, Op, Sort, Term, Terms, Value, Version};
use ult_core::graph::ProgramGraph;
use ult_core::reason::Reason;

/// What may be a map.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Variable(Arc<str>),
    Aux(u32),
    Term(Term),
}

/// Maps that are equal somewhere, or made of each other, in one class.
#[derive(Default)]
struct Class {
    /// The class that it was merged into.
    merged: Option<usize>,
    /// The sort of the maps.
    sort: Option<Sort>,
    /// The class of its elements, if these are maps.
    element: Option<usize>,
    /// What it is used with, by position of the index.
    indices: Vec<Indices>,
    /// Some cell is read. If none is, it does not matter what they hold.
    read: bool,
    /// It stays a map.
    kept: bool,
}

/// The values of an index, as far as they are known.
#[derive(Clone, Default)]
struct Indices {
    values: BTreeSet<Value>,
    /// There may be others.
    open: bool,
    /// There are too many.
    many: bool,
}

/// The cells of all maps of a graph.
pub(super) struct Classes {
    keys: HashMap<Key, usize>,
    layouts: HashMap<usize, Rc<Layout>>,
    roots: Vec<usize>,
    /// Whether some index may be another than the cells there are.
    pub(super) open: bool,
}

impl Classes {
    /// Looks at all formulas.
    pub(super) fn of(
        terms: &Terms,
        graph: &ProgramGraph,
        ranges: &Ranges,
        control: &Control,
    ) -> Result<Classes, Reason> {
        let mut merging = Merging {
            terms,
            ranges,
            keys: HashMap::new(),
            classes: Vec::new(),
        };
        let formulas: Vec<Term> = (graph.graph.edge_weights())
            .map(|edge| edge.transition.formula)
            .collect();
        let all = terms.post_order(&formulas);
        control.check()?;
        // What is bound by a quantifier has no value as long as the quantifier stands.
        let binders = all
            .iter()
            .filter(|&&term| matches!(terms.op(term), Op::Bind(_)));
        let bodies: Vec<Term> = binders
            .flat_map(|&term| terms.args(term).to_vec())
            .collect();
        for part in terms.post_order(&bodies) {
            merging.keep(part);
        }
        for &term in &all {
            merging.look(term);
        }
        control.check()?;
        Ok(merging.finish())
    }

    /// The layout of a variable.
    pub(super) fn of_variable(&self, name: &Arc<str>, sort: &Sort) -> Rc<Layout> {
        self.layout(&Key::Variable(name.clone()), sort)
    }

    /// The layout of a term.
    pub(super) fn of_term(&self, terms: &Terms, term: Term) -> Rc<Layout> {
        self.layout(&key(terms, term), terms.sort(term))
    }

    fn layout(&self, key: &Key, sort: &Sort) -> Rc<Layout> {
        let class = self.keys.get(key).map(|&class| self.roots[class]);
        let layout = class.and_then(|class| self.layouts.get(&class).cloned());
        layout.unwrap_or_else(|| Rc::new(Layout::Whole(sort.clone())))
    }
}

fn key(terms: &Terms, term: Term) -> Key {
    match terms.as_var(term) {
        Some(var) => match var.version {
            Version::Current | Version::Next => Key::Variable(var.name.clone()),
            Version::Aux(number) => Key::Aux(number),
            _ => Key::Term(term),
        },
        None => Key::Term(term),
    }
}

struct Merging<'a> {
    terms: &'a Terms,
    ranges: &'a Ranges,
    keys: HashMap<Key, usize>,
    classes: Vec<Class>,
}

impl Merging<'_> {
    fn is_map(&self, term: Term) -> bool {
        matches!(self.terms.sort(term), Sort::Map(_))
    }

    fn root(&self, mut class: usize) -> usize {
        while let Some(next) = self.classes[class].merged {
            class = next;
        }
        class
    }

    fn new_class(&mut self, sort: Option<Sort>) -> usize {
        self.classes.push(Class {
            sort,
            ..Class::default()
        });
        self.classes.len() - 1
    }

    fn class(&mut self, term: Term) -> usize {
        let key = key(self.terms, term);
        let class = match self.keys.get(&key) {
            Some(&class) => class,
            None => {
                let class = self.new_class(Some(self.terms.sort(term).clone()));
                self.keys.insert(key, class);
                class
            }
        };
        self.root(class)
    }

    fn element(&mut self, class: usize) -> usize {
        let class = self.root(class);
        if let Some(element) = self.classes[class].element {
            return self.root(element);
        }
        let range = match &self.classes[class].sort {
            Some(Sort::Map(map)) => Some(map.range.clone()),
            _ => None,
        };
        let element = self.new_class(range);
        self.classes[class].element = Some(element);
        element
    }

    /// The maps have the same cells.
    fn merge(&mut self, a: usize, b: usize) {
        let mut waiting = vec![(a, b)];
        while let Some((a, b)) = waiting.pop() {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                continue;
            }
            let gone = std::mem::take(&mut self.classes[b]);
            self.classes[b].merged = Some(a);
            let class = &mut self.classes[a];
            class.kept |= gone.kept;
            class.read |= gone.read;
            match (class.element, gone.element) {
                (Some(a), Some(b)) => waiting.push((a, b)),
                (None, element) => class.element = element,
                (Some(_), None) => {}
            }
            for (position, indices) in gone.indices.into_iter().enumerate() {
                self.add(a, position, indices);
            }
        }
    }

    fn add(&mut self, class: usize, position: usize, more: Indices) {
        let known = &mut self.classes[class].indices;
        if known.len() <= position {
            known.resize_with(position + 1, Indices::default);
        }
        let known = &mut known[position];
        known.open |= more.open;
        known.many |= more.many;
        if !known.many {
            known.values.extend(more.values);
        }
    }

    /// A term stays as it is, if it is a map.
    fn keep(&mut self, term: Term) {
        if self.is_map(term) {
            let class = self.class(term);
            self.classes[class].kept = true;
        }
    }

    fn use_at(&mut self, class: usize, indices: &[Term]) {
        for (position, &index) in indices.iter().enumerate() {
            let indices = self.indices(index);
            let class = self.root(class);
            self.add(class, position, indices);
        }
    }

    /// Takes in what a term says of maps.
    fn look(&mut self, term: Term) {
        let terms = self.terms;
        let args = terms.args(term);
        match (terms.op(term), args) {
            (Op::Select, [map, indices @ ..]) => {
                let class = self.class(*map);
                self.classes[class].read = true;
                self.use_at(class, indices);
                if self.is_map(term) {
                    let (element, selected) = (self.element(class), self.class(term));
                    self.merge(element, selected);
                }
            }
            (Op::Store, [map, indices @ .., value]) => {
                let class = self.class(*map);
                self.use_at(class, indices);
                if self.is_map(*value) {
                    let (element, stored) = (self.element(class), self.class(*value));
                    self.merge(element, stored);
                }
                let (before, after) = (self.class(*map), self.class(term));
                self.merge(before, after);
            }
            (Op::ConstMap, [value]) if self.is_map(*value) => {
                let class = self.class(term);
                let (element, value) = (self.element(class), self.class(*value));
                self.merge(element, value);
            }
            (Op::Ite, [_, a, b]) if self.is_map(term) => {
                for &branch in [a, b] {
                    let (whole, branch) = (self.class(term), self.class(branch));
                    self.merge(whole, branch);
                }
            }
            (Op::Eq, [a, b]) if self.is_map(*a) => {
                let (a, b) = (self.class(*a), self.class(*b));
                self.merge(a, b);
            }
            (Op::Bind(binder), [body, ..]) if binder.kind == BinderKind::Lambda => {
                if self.is_map(*body) {
                    let class = self.class(term);
                    let (element, body) = (self.element(class), self.class(*body));
                    self.merge(element, body);
                }
            }
            (Op::Var(var), _) => {
                if matches!(var.version, Version::Bound(_)) {
                    self.keep(term);
                }
            }
            (Op::ConstMap, _) => {}
            (_, args) => {
                self.keep(term);
                for &arg in args {
                    self.keep(arg);
                }
            }
        }
    }

    /// The values that an index may have.
    fn indices(&self, index: Term) -> Indices {
        let mut found = Indices::default();
        match self.terms.sort(index) {
            Sort::Int => match self.range(index) {
                Some((low, high)) => {
                    let count = (&high - &low).to_usize().unwrap_or(usize::MAX);
                    found.many = count >= MOST_INDICES;
                    if !found.many {
                        let values = (0..=count).map(|offset| Value::Int(&low + offset));
                        found.values.extend(values);
                    }
                }
                None => found.open = true,
            },
            Sort::BitVec(width) => match self.terms.op(index) {
                Op::BitVec(value) => {
                    found.values.insert(Value::BitVec(value.clone(), *width));
                }
                _ if *width <= 6 => {
                    let all = (0..1u32 << width).map(|v| Value::BitVec(v.into(), *width));
                    found.values.extend(all);
                }
                _ => found.open = true,
            },
            Sort::Bool => found.values.extend([false, true].map(Value::Bool)),
            _ => found.many = true,
        }
        found
    }

    /// Between which numbers an integer lies.
    fn range(&self, term: Term) -> Option<(BigInt, BigInt)> {
        let terms = self.terms;
        let args = terms.args(term);
        match terms.op(term) {
            Op::Int(value) => Some((value.clone(), value.clone())),
            Op::Var(var) if matches!(var.version, Version::Current | Version::Next) => {
                self.ranges.get(&var.name).cloned()
            }
            Op::Add => {
                let mut sum = (BigInt::ZERO, BigInt::ZERO);
                for &arg in args {
                    let (low, high) = self.range(arg)?;
                    sum = (sum.0 + low, sum.1 + high);
                }
                Some(sum)
            }
            Op::Mul => match args {
                [a, b] => {
                    let (a, b) = (self.range(*a)?, self.range(*b)?);
                    let products = [&a.0 * &b.0, &a.0 * &b.1, &a.1 * &b.0, &a.1 * &b.1];
                    let high = products.iter().max()?.clone();
                    Some((products.into_iter().min()?, high))
                }
                _ => None,
            },
            Op::Ite => {
                let (a, b) = (self.range(args[1])?, self.range(args[2])?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            Op::Mod => match terms.op(args[1]) {
                Op::Int(by) if *by > BigInt::ZERO => Some((BigInt::ZERO, by - 1)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A class of maps stays as it is, and so do their elements.
    fn keep_all(&mut self, class: usize) {
        let mut next = Some(class);
        while let Some(class) = next {
            let class = self.root(class);
            self.classes[class].kept = true;
            next = self.classes[class].element;
        }
    }

    fn finish(mut self) -> Classes {
        let roots: Vec<usize> = (0..self.classes.len()).map(|c| self.root(c)).collect();
        let named: BTreeSet<usize> = self.keys.values().map(|&class| roots[class]).collect();
        for &class in &named {
            if self.classes[class].kept {
                self.keep_all(class);
            }
        }
        // A map that turns out to have too many cells has elements that stay as they are, which may
        // be elements of others, too.
        let mut layouts = HashMap::new();
        loop {
            layouts.clear();
            let mut kept = Vec::new();
            for &class in named.iter().filter(|&&class| !self.classes[class].kept) {
                match layout(&self.classes, &roots, class) {
                    Some(layout) => {
                        layouts.insert(class, layout);
                    }
                    None => kept.push(class),
                }
            }
            if kept.is_empty() {
                break;
            }
            for class in kept {
                self.keep_all(class);
            }
        }
        let open = layouts.keys().any(|&class| {
            let mut indices = self.classes[class].indices.iter();
            indices.any(|indices| indices.open)
        });
        Classes {
            keys: self.keys,
            layouts,
            roots,
            open,
        }
    }
}

/// The cells of a class of maps; `None` if they stay maps.
fn layout(classes: &[Class], roots: &[usize], class: usize) -> Option<Rc<Layout>> {
    let known = &classes[class];
    let Some(Sort::Map(map)) = &known.sort else {
        return None;
    };
    if known.kept || !known.read || known.indices.len() != map.domain.len() {
        return None;
    }
    let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
    for (indices, sort) in known.indices.iter().zip(&map.domain) {
        let values = indices.cells(sort)?;
        if tuples.len().saturating_mul(values.len()) > MOST_CELLS {
            return None;
        }
        let longer = tuples.iter().flat_map(|tuple| {
            let values = values.iter();
            values.map(move |value| [tuple.as_slice(), std::slice::from_ref(value)].concat())
        });
        tuples = longer.collect();
    }
    let element = known.element.map(|element| roots[element]);
    let element = element.and_then(|element| layout(classes, roots, element));
    let element = element.unwrap_or_else(|| Rc::new(Layout::Whole(map.range.clone())));
    (tuples.len().saturating_mul(element.len()) <= MOST_CELLS).then(|| {
        Rc::new(Layout::Cells {
            sort: map.clone(),
            indices: tuples,
            element,
            open: known.indices.iter().any(|indices| indices.open),
        })
    })
}

/// So many cells there are at least where an index may be anything.
const LEAST: u32 = 8;

impl Indices {
    /// The values that get a cell, in order; `None` if there are too many. Where an index may be
    /// anything, these are the numbers between those that are known, and some more.
    fn cells(&self, sort: &Sort) -> Option<Vec<Value>> {
        if self.many || self.values.len() > MOST_INDICES {
            return None;
        }
        if !self.open {
            return Some(self.values.iter().cloned().collect());
        }
        let first = self.values.first();
        let last = self.values.last();
        match sort {
            Sort::Int => {
                let number = |value: Option<&Value>| match value {
                    Some(Value::Int(number)) => number.clone(),
                    _ => BigInt::ZERO,
                };
                let low = number(first);
                let high = number(last).max(&low + (LEAST - 1));
                let count = (&high - &low).to_usize()?;
                (count < MOST_INDICES).then(|| {
                    (0..=count)
                        .map(|offset| Value::Int(&low + offset))
                        .collect()
                })
            }
            Sort::BitVec(width) => {
                let mut values = self.values.clone();
                let all = (0..LEAST).map(|v| Value::BitVec(BigUint::from(v), *width));
                values.extend(all);
                Some(values.into_iter().collect())
            }
            _ => None,
        }
    }
}
