//! What the program says of cells, as conditions on states.
//!
//! What is asserted comes first, then what is stored and what is compared. What happens in the
//! middle of a step is read as a condition on the values at its ends.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use num_bigint::BigInt;
use num_traits::{One as _, Signed as _};
use petgraph::visit::EdgeRef as _;

use super::instances::{indices_of, linear_in};
use crate::invariants::templates::of_state;
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::ProgramGraph;

/// Conditions larger than this are not taken as a whole.
const LARGEST: usize = 40;

/// So many conditions under which something else holds of a cell.
const MOST_EXCEPTIONS: usize = 4;

/// The formulas of the edges, those into error locations first.
pub(super) fn formulas(graph: &ProgramGraph) -> Vec<Term> {
    let leads_to_error =
        |edge: &petgraph::graph::EdgeReference<'_, _>| graph.graph[edge.target()].error.is_some();
    let edges = graph.graph.edge_references();
    let (last, first): (Vec<_>, Vec<_>) = edges.partition(|edge| !leads_to_error(edge));
    let all = first.into_iter().chain(last);
    all.map(|edge| edge.weight().transition.formula).collect()
}

/// What the program asserts, stores and compares of cells whose index moves.
pub(super) fn claims(terms: &Terms, graph: &ProgramGraph) -> IndexSet<Term> {
    let mut found = Found {
        terms,
        graph,
        claims: IndexSet::new(),
    };
    let formulas = formulas(graph);
    let order = terms.post_order(&formulas);
    let exceptions = exceptions(terms, graph, &order);
    for &term in &order {
        match terms.op(term) {
            Op::Or | Op::And => found.condition(term),
            Op::Le | Op::Lt | Op::Eq => found.condition(term),
            _ => {}
        }
    }
    let compared = found.claims.clone();
    found.stores(&order);
    for claim in compared {
        // What is compared may hold of all cells but some.
        if let Op::Eq = terms.op(claim) {
            let variables = index_variables(terms, claim);
            for &exception in &exceptions {
                let mentioned = terms.free_vars(&[exception]);
                if mentioned
                    .iter()
                    .any(|variable| variables.contains(variable))
                {
                    found.claims.insert(terms.or2(exception, claim));
                }
            }
        }
    }
    found.claims
}

struct Found<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    claims: IndexSet<Term>,
}

impl Found<'_> {
    fn insert(&mut self, claim: Term) {
        let terms = self.terms;
        let is_of_maps = |part: &Term| match (terms.op(*part), terms.args(*part)) {
            (Op::Store, _) => true,
            (Op::Eq, [left, _]) => matches!(terms.sort(*left), Sort::Map(_)),
            _ => false,
        };
        if !terms.post_order(&[claim]).iter().any(is_of_maps)
            && !matches!(terms.op(claim), Op::Bool(_))
            && !index_variables(terms, claim).is_empty()
        {
            self.claims.insert(claim);
        }
    }

    /// A condition and its negation.
    fn condition(&mut self, term: Term) {
        let terms = self.terms;
        if terms.size(term) > LARGEST {
            return;
        }
        let Some(claim) = of_state(terms, self.graph, term) else {
            return;
        };
        if !is_limit(terms, claim) {
            let claim = plain(terms, claim);
            self.insert(terms.normalised(claim));
            self.insert(terms.normalised(terms.not(claim)));
        }
    }

    /// What is stored is what is found there.
    fn stores(&mut self, order: &[Term]) {
        let (terms, graph) = (self.terms, self.graph);
        let mut stored: Vec<(Term, Term)> = Vec::new();
        let mut numbers: BTreeMap<Term, Vec<(Term, Term)>> = BTreeMap::new();
        for &term in order {
            let (Op::Store, [map, indices @ .., value]) = (terms.op(term), terms.args(term)) else {
                continue;
            };
            let map = written(terms, *map);
            let read = terms.select(map, indices);
            if let Some(read) = of_state(terms, graph, read)
                && matches!(terms.op(*value), Op::Int(_))
            {
                let place = of_state(terms, graph, map).unwrap_or(map);
                numbers.entry(place).or_default().push((read, *value));
            }
            let Some(claim) = of_state(terms, graph, terms.eq(read, *value)) else {
                continue;
            };
            self.insert(claim);
            if let (Op::Eq, &[left, right], Sort::Int) =
                (terms.op(claim), terms.args(claim), terms.sort(*value))
            {
                self.insert(terms.le(left, right));
                self.insert(terms.le(right, left));
            }
            let read = of_state(terms, graph, read);
            for &(other, claimed) in &stored {
                if Some(other) == read && claimed != claim {
                    self.insert(terms.or2(claimed, claim));
                }
            }
            stored.extend(read.map(|read| (read, claim)));
        }
        self.between(&numbers);
    }

    /// Where numbers are stored, what is found lies between them.
    fn between(&mut self, numbers: &BTreeMap<Term, Vec<(Term, Term)>>) {
        let terms = self.terms;
        let reads: Vec<Term> = (self.claims.iter())
            .flat_map(|&claim| terms.post_order(&[claim]))
            .filter(|&term| matches!(terms.op(term), Op::Select))
            .collect::<IndexSet<Term>>()
            .into_iter()
            .collect();
        for (&map, stored) in numbers {
            let values = stored
                .iter()
                .filter_map(|&(_, value)| terms.as_number(value));
            let (Some(low), Some(high)) = (values.clone().min(), values.max()) else {
                continue;
            };
            for &read in reads.iter().filter(|&&read| terms.args(read)[0] == map) {
                let numbers = [low.clone(), high.clone()];
                if let [Some(low), Some(high)] = numbers.map(|n| terms.number(n, &Sort::Int)) {
                    self.insert(terms.le(low, read));
                    self.insert(terms.le(read, high));
                }
            }
        }
    }
}

/// `(if c then 1 else 0) == 0` as `!c`, and so on: how conditions look that were values.
fn plain(terms: &Terms, claim: Term) -> Term {
    terms.rewrite(claim, |term| {
        let (Op::Eq, &[left, right]) = (terms.op(term), terms.args(term)) else {
            return None;
        };
        let both = [(left, right), (right, left)];
        let (choice, number) = both.into_iter().find(|(choice, number)| {
            matches!(terms.op(*choice), Op::Ite) && matches!(terms.op(*number), Op::Int(_))
        })?;
        let &[condition, yes, no] = terms.args(choice) else {
            return None;
        };
        let (yes, no) = (terms.eq(yes, number), terms.eq(no, number));
        let is_known = |term: Term| matches!(terms.op(term), Op::Bool(_));
        (is_known(yes) && is_known(no)).then(|| terms.ite(condition, yes, no))
    })
}

/// Equations about indices that the program compares, without a look at cells.
fn exceptions(terms: &Terms, graph: &ProgramGraph, order: &[Term]) -> Vec<Term> {
    let has_cells = |term: Term| {
        let parts = terms.post_order(&[term]);
        parts
            .iter()
            .any(|&part| !indices_of(terms, part).is_empty())
    };
    // An assignment is none.
    let is_compared = |term: Term| {
        let variables = terms.free_vars(&[term]);
        let mut variables = variables
            .iter()
            .filter_map(|&variable| terms.as_var(variable));
        variables.all(|variable| variable.version == Version::Current)
    };
    let found: IndexSet<Term> = (order.iter())
        .filter(|&&term| {
            let is_equation = matches!(terms.op(term), Op::Eq) && is_compared(term);
            is_equation && *terms.sort(terms.args(term)[0]) == Sort::Int && !has_cells(term)
        })
        .filter_map(|&term| of_state(terms, graph, term))
        .collect();
    let is_open = |term: &Term| !terms.free_vars(&[*term]).is_empty();
    found
        .into_iter()
        .filter(is_open)
        .take(MOST_EXCEPTIONS)
        .collect()
}

/// Whether a condition compares with a limit of machine integers: that is no news of a cell.
fn is_limit(terms: &Terms, claim: Term) -> bool {
    let parts = terms.post_order(&[claim]);
    parts.iter().any(|&part| is_huge(terms, part))
}

/// Whether a term is a number that is no index of an array.
pub(super) fn is_huge(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Int(number) if number.abs() >= BigInt::one() << 30u32)
}

/// The map that a chain of writes begins with.
fn written(terms: &Terms, mut map: Term) -> Term {
    while let (Op::Store, [inner, ..]) = (terms.op(map), terms.args(map)) {
        map = *inner;
    }
    map
}

/// The integer variables in indices of a formula, where the index is linear in them.
pub(super) fn index_variables(terms: &Terms, formula: Term) -> IndexSet<Term> {
    let mut found = IndexSet::new();
    for term in terms.post_order(&[formula]) {
        if !matches!(terms.op(term), Op::Select) {
            continue;
        }
        for &index in indices_of(terms, term) {
            if *terms.sort(index) != Sort::Int {
                continue;
            }
            let variables = terms.free_vars(&[index]);
            found.extend(variables.into_iter().filter(|&variable| {
                *terms.sort(variable) == Sort::Int && linear_in(terms, index, variable).is_some()
            }));
        }
    }
    found
}
