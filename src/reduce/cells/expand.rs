//! Formulas about maps as formulas about cells.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;

use super::classes::Classes;
use super::shadows::Shadows;
use super::{Elsewhere, Layout, MOST_WORK, Row, literal};
use ult_core::formula::{Op, Sort, Term, Terms, Value, Version};
use ult_core::graph::Transition;

/// Rewrites transitions.
pub(super) struct Expansion<'a> {
    pub(super) terms: &'a Terms,
    pub(super) classes: &'a Classes,
    variables: &'a IndexMap<Arc<str>, Row<Arc<str>>>,
    pub(super) shadows: &'a Shadows,
    elsewhere: Elsewhere,
    /// The cells of auxiliaries.
    pub(super) aux: HashMap<u32, Row<u32>>,
    /// Whether the new transitions allow what the given ones do: no index turned out to be none of
    /// the cells', and no maps are compared, which may differ elsewhere.
    pub(super) exact: bool,
    work: usize,
}

/// A transition over cells.
pub(super) struct Expanded {
    pub(super) transition: Transition,
    /// For [`Elsewhere::Fails`]: the steps that may read what has no cell.
    pub(super) elsewhere: Option<Transition>,
}

/// The cells of terms, in order; one for a term that is no map.
type CellsOf = HashMap<Term, Rc<[Term]>>;

/// What is known while one transition is rewritten.
pub(super) struct Edge<'t> {
    pub(super) changed: &'t BTreeSet<Arc<str>>,
    /// Whether shadows are what they stand for where the step begins.
    pub(super) is_followed: bool,
    /// What variables are behind it, where that is known.
    defined: HashMap<Arc<str>, Term>,
    known: CellsOf,
    /// Cells of changed maps that keep their values.
    kept: BTreeSet<Arc<str>>,
    /// That indices are those of cells.
    within: Vec<Term>,
    /// Those of them that nothing says.
    doubted: Vec<Term>,
    /// What terms read where there are no cells.
    unknown: HashMap<Term, Vec<Term>>,
}

impl Edge<'_> {
    /// A variable behind the step, in the given graph's terms.
    pub(super) fn after(&self, terms: &Terms, name: &Arc<str>, current: Term) -> Term {
        match self.defined.get(name) {
            _ if !self.changed.contains(name) => current,
            Some(&value) => value,
            None => terms.next(name.clone(), terms.sort(current).clone()),
        }
    }

    /// What a term is as far as its maps' cells do not say it.
    fn unknown(&mut self, terms: &Terms, term: Term, layout: &Layout) -> &[Term] {
        self.unknown.entry(term).or_insert_with(|| {
            let each =
                (0..layout.len()).map(|_| terms.fresh_aux("elsewhere", layout.sort().clone()));
            each.collect()
        })
    }
}

impl<'a> Expansion<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        classes: &'a Classes,
        variables: &'a IndexMap<Arc<str>, Row<Arc<str>>>,
        shadows: &'a Shadows,
        elsewhere: Elsewhere,
    ) -> Expansion<'a> {
        Expansion {
            terms,
            classes,
            variables,
            shadows,
            elsewhere,
            aux: HashMap::new(),
            exact: true,
            work: 0,
        }
    }

    /// A transition over cells; `None` if this is too much work. Where runs start, shadows may have any value.
    pub(super) fn transition(
        &mut self,
        transition: &Transition,
        is_start: bool,
    ) -> Option<Expanded> {
        let terms = self.terms;
        let (definitions, rest) = transition.definitions(terms);
        let mut edge = Edge {
            changed: &transition.changed,
            is_followed: !is_start,
            defined: HashMap::new(),
            known: CellsOf::new(),
            kept: BTreeSet::new(),
            within: Vec::new(),
            doubted: Vec::new(),
            unknown: HashMap::new(),
        };
        let mut conjuncts = Vec::new();
        let values = definitions.iter();
        edge.defined = values.map(|d| (d.variable.clone(), d.value)).collect();
        for definition in &definitions {
            let values = self.cells(&mut edge, definition.value)?;
            let Some(row) = self.variables.get(&definition.variable) else {
                let sort = terms.sort(definition.value).clone();
                let next = terms.next(definition.variable.clone(), sort);
                conjuncts.push(terms.eq(next, values[0]));
                continue;
            };
            for (cell, &value) in row.cells.iter().zip(values.iter()) {
                let sort = row.layout.sort();
                if value == terms.current(cell.clone(), sort.clone()) {
                    edge.kept.insert(cell.clone());
                } else {
                    let next = terms.next(cell.clone(), sort.clone());
                    conjuncts.push(terms.eq(next, value));
                }
            }
        }
        // Now it is known which cells keep their values.
        edge.known.clear();
        let mut defined: BTreeSet<Arc<str>> = definitions.into_iter().map(|d| d.variable).collect();
        for conjunct in rest {
            // What the evaluator cannot compute is as good as a definition here: `m' == lambda ...`.
            match self.defined(&mut defined, conjunct) {
                Some((variable, value)) => {
                    let (left, right) = (
                        self.cells(&mut edge, variable)?,
                        self.cells(&mut edge, value)?,
                    );
                    let pairs = left.iter().zip(right.iter());
                    conjuncts.extend(pairs.map(|(&cell, &value)| terms.eq(cell, value)));
                }
                None => conjuncts.push(self.cells(&mut edge, conjunct)?[0]),
            }
        }
        let followed = self.follow(&mut edge)?;
        let mut shadowed = Vec::new();
        for (name, value) in followed {
            let next = terms.next(name.clone(), terms.sort(value).clone());
            conjuncts.push(terms.eq(next, value));
            shadowed.push(name);
        }
        let within = terms.and(edge.within);
        let doubted = terms.and(edge.doubted);
        let kept = edge.kept;
        let changed = transition.changed.iter().flat_map(|name| {
            let names = match self.variables.get(name) {
                Some(row) => row.cells.as_slice(),
                None => std::slice::from_ref(name),
            };
            names.iter().cloned()
        });
        let changed: BTreeSet<Arc<str>> = (changed.filter(|name| !kept.contains(name)))
            .chain(shadowed)
            .collect();
        let fails = self.elsewhere == Elsewhere::Fails && doubted != terms.tt();
        let elsewhere = fails.then(|| Transition {
            // What reads a map may be otherwise where it has no cell.
            formula: terms.and(self.without_maps(transition).chain([terms.not(doubted)])),
            changed: changed.clone(),
        });
        let transition = Transition {
            formula: terms.and(conjuncts.into_iter().chain([within])),
            changed,
        };
        Some(Expanded {
            transition,
            elsewhere,
        })
    }

    /// The conjuncts of a formula that do not speak of maps.
    fn without_maps(&self, transition: &Transition) -> impl Iterator<Item = Term> {
        let terms = self.terms;
        let is_map = |&term: &Term| matches!(terms.sort(term), Sort::Map(_));
        let conjuncts = terms.conjuncts(transition.formula).into_iter();
        conjuncts.filter(move |&conjunct| !terms.post_order(&[conjunct]).iter().any(is_map))
    }

    /// A conjunct that says what a map is after the step, if no other has said it.
    fn defined(&self, defined: &mut BTreeSet<Arc<str>>, conjunct: Term) -> Option<(Term, Term)> {
        let terms = self.terms;
        let [left, right] = *terms.args(conjunct) else {
            return None;
        };
        if !matches!(terms.op(conjunct), Op::Eq) {
            return None;
        }
        [(left, right), (right, left)]
            .into_iter()
            .find(|&(variable, value)| {
                let Some(var) = terms.as_var(variable) else {
                    return false;
                };
                let is_next = |term: &Term| {
                    let var = terms.as_var(*term);
                    var.is_some_and(|var| var.version == Version::Next)
                };
                var.version == Version::Next
                    && self.variables.contains_key(&var.name)
                    && !terms.post_order(&[value]).iter().any(is_next)
                    && defined.insert(var.name.clone())
            })
    }

    /// The cells of a term.
    pub(super) fn cells(&mut self, edge: &mut Edge<'_>, root: Term) -> Option<Rc<[Term]>> {
        if let Some(cells) = edge.known.get(&root) {
            return Some(cells.clone());
        }
        for term in self.terms.post_order(&[root]) {
            if !edge.known.contains_key(&term) {
                let cells = self.node(edge, term);
                self.work += cells.len();
                if self.work > MOST_WORK {
                    return None;
                }
                edge.known.insert(term, cells.into());
            }
        }
        edge.known.get(&root).cloned()
    }

    fn node(&mut self, edge: &mut Edge<'_>, term: Term) -> Vec<Term> {
        let terms = self.terms;
        let node = terms.node(term);
        let arg = |number: usize| edge.known[&node.args[number]].clone();
        match &node.op {
            Op::Var(var) => {
                let row = match var.version {
                    Version::Current | Version::Next => self.variables.get(&var.name),
                    Version::Aux(number) => return self.auxiliary(term, &var.name, number),
                    _ => None,
                };
                let Some(row) = row else { return vec![term] };
                let is_next = var.version == Version::Next && edge.changed.contains(&var.name);
                let cells = row.cells.iter().map(|cell| {
                    let version = match is_next && !edge.kept.contains(cell) {
                        true => Version::Next,
                        false => Version::Current,
                    };
                    terms.var(cell.clone(), version, row.layout.sort().clone())
                });
                cells.collect()
            }
            Op::Select => {
                let layout = self.classes.of_term(terms, node.args[0]);
                let indices: Vec<Term> =
                    (1..node.args.len()).map(|number| arg(number)[0]).collect();
                match &*layout {
                    Layout::Whole(_) => vec![terms.select(arg(0)[0], &indices)],
                    Layout::Cells {
                        indices: tuples,
                        element,
                        open,
                        ..
                    } => {
                        let conditions = self.conditions(tuples, &indices);
                        let within = terms.or(conditions.iter().copied());
                        let is_unknown = self.is_unknown(*open, within);
                        if !is_unknown && within != terms.tt() {
                            edge.within.push(within);
                            if *open {
                                edge.doubted.push(within);
                            }
                        }
                        if edge.is_followed
                            && let Some(shadow) = self.shadows.of_read(term)
                        {
                            return vec![shadow];
                        }
                        let cells = arg(0);
                        self.chosen(edge, Some(term), &conditions, element, *open, &cells)
                    }
                }
            }
            Op::Store => {
                let layout = self.classes.of_term(terms, term);
                let last = node.args.len() - 1;
                let indices: Vec<Term> = (1..last).map(|number| arg(number)[0]).collect();
                match &*layout {
                    Layout::Whole(_) => vec![terms.store(arg(0)[0], &indices, arg(last)[0])],
                    Layout::Cells {
                        indices: tuples, ..
                    } => {
                        let conditions = self.conditions(tuples, &indices);
                        let value = arg(last);
                        let cells = arg(0);
                        let parts = cells.chunks(value.len()).zip(conditions);
                        let parts = parts.flat_map(|(part, condition)| {
                            let pairs = part.iter().zip(value.iter());
                            pairs.map(move |(&cell, &value)| terms.ite(condition, value, cell))
                        });
                        parts.collect()
                    }
                }
            }
            Op::ConstMap => match &*self.classes.of_term(terms, term) {
                Layout::Whole(sort) => vec![terms.const_map(sort.clone(), arg(0)[0])],
                Layout::Cells { indices, .. } => {
                    let value = arg(0);
                    (indices.iter().flat_map(|_| value.iter().copied())).collect()
                }
            },
            Op::Bind(binder) => match &*self.classes.of_term(terms, term) {
                Layout::Cells { indices, .. } => {
                    let body = node.args[0];
                    let each = indices.iter().map(|tuple| {
                        let values = tuple.iter().filter_map(|value| literal(terms, value));
                        let map = binder.vars.iter().copied().zip(values).collect();
                        terms.substitute(body, &map)
                    });
                    each.collect()
                }
                Layout::Whole(_) => vec![term],
            },
            Op::Ite if matches!(node.sort, Sort::Map(_)) => {
                let (condition, a, b) = (arg(0)[0], arg(1), arg(2));
                let pairs = a.iter().zip(b.iter());
                pairs.map(|(&a, &b)| terms.ite(condition, a, b)).collect()
            }
            Op::Eq => {
                let (a, b) = (arg(0), arg(1));
                let is_compared = matches!(
                    &*self.classes.of_term(terms, node.args[0]),
                    Layout::Cells { .. }
                );
                self.exact &= !is_compared;
                let pairs = a.iter().zip(b.iter());
                let pairs = pairs.map(|(&a, &b)| terms.eq(a, b));
                match is_compared && self.elsewhere == Elsewhere::Anything {
                    true => {
                        let layout = Layout::Whole(Sort::Bool);
                        let elsewhere = edge.unknown(terms, term, &layout)[0];
                        vec![terms.and(pairs.chain([elsewhere]))]
                    }
                    false => vec![terms.and(pairs)],
                }
            }
            _ => {
                let args: Vec<Term> = (0..node.args.len()).map(|number| arg(number)[0]).collect();
                match args == *node.args {
                    true => vec![term],
                    false => vec![terms.rebuild(node, &args)],
                }
            }
        }
    }

    /// The cells of an auxiliary.
    fn auxiliary(&mut self, term: Term, name: &Arc<str>, number: u32) -> Vec<Term> {
        let terms = self.terms;
        let layout = self.classes.of_term(terms, term);
        if let Layout::Whole(_) = &*layout {
            return vec![term];
        }
        let row = self.aux.entry(number).or_insert_with(|| Row {
            cells: (0..layout.len()).map(|_| terms.fresh_number()).collect(),
            layout,
        });
        let cells = row.cells.iter().map(|&cell| {
            let sort = row.layout.sort().clone();
            terms.var(name.clone(), Version::Aux(cell), sort)
        });
        cells.collect()
    }

    /// Whether an index that none of the cells has means anything.
    fn is_unknown(&self, open: bool, within: Term) -> bool {
        open && self.elsewhere == Elsewhere::Anything && within != self.terms.tt()
    }

    /// The elements whose indices these are, one for each condition. `term` is what is read, if the step says it.
    pub(super) fn chosen(
        &mut self,
        edge: &mut Edge<'_>,
        term: Option<Term>,
        conditions: &[Term],
        element: &Layout,
        open: bool,
        cells: &[Term],
    ) -> Vec<Term> {
        let terms = self.terms;
        let is_unknown = self.is_unknown(open, terms.or(conditions.iter().copied()));
        self.work += cells.len();
        let choice = |offset: usize| {
            let each = conditions.iter().enumerate().rev();
            let each = each.filter(|(_, c)| **c != terms.ff());
            let mut values = each.map(|(n, &c)| (c, cells[n * element.len() + offset]));
            let last = match (is_unknown, term) {
                (true, Some(term)) => edge.unknown(terms, term, element)[offset],
                (true, None) => terms.fresh_aux("elsewhere", element.sort().clone()),
                (false, _) => values.next().map_or(cells[offset], |(_, cell)| cell),
            };
            values.fold(last, |rest, (c, cell)| terms.ite(c, cell, rest))
        };
        (0..element.len()).map(choice).collect()
    }

    /// For each cell, that the indices are its own. If that cannot be, some step is not there.
    fn conditions(&mut self, tuples: &[Vec<Value>], indices: &[Term]) -> Vec<Term> {
        let conditions = self.conditions_of(tuples, indices);
        let terms = self.terms;
        self.exact &= self.elsewhere == Elsewhere::Fails
            || conditions.iter().any(|&condition| condition != terms.ff());
        conditions
    }

    /// For each cell, that the indices are its own.
    pub(super) fn conditions_of(&mut self, tuples: &[Vec<Value>], indices: &[Term]) -> Vec<Term> {
        let terms = self.terms;
        self.work += tuples.len();
        let conditions = tuples.iter().map(|tuple| {
            let pairs = tuple.iter().zip(indices);
            terms.and(
                pairs.filter_map(|(value, &index)| Some(terms.eq(index, literal(terms, value)?))),
            )
        });
        conditions.collect()
    }
}
