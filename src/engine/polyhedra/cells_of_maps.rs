//! Cells of maps as variables of their own: what `size[p]` is matters where `size` is a map over all objects and `p` a pointer.
//!
//! For each read of a map at a variable or a number that the program mentions, there is a variable that has the same value. Steps
//! that change the map or the index say what becomes of it, where that can be said.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexSet;

use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::{Definition, ProgramGraph, Transition};

/// So many cells there may be; more are left out.
const MOST_CELLS: usize = 256;

/// Writes in one step are looked through so often.
const DEPTH: u32 = 16;

/// A graph with variables for cells.
pub(super) struct WithCells {
    pub(super) graph: ProgramGraph,
    /// What each of these variables stands for.
    pub(super) meaning: HashMap<Term, Term>,
}

/// A map and an index, each a variable or, the index, without any.
type Cell = (Term, Term);

/// The graph with a variable for each cell of some sorts.
pub(super) fn with_cells(
    terms: &Terms,
    graph: &ProgramGraph,
    is_followed: impl Fn(&Sort) -> bool,
) -> WithCells {
    let cells = cells(terms, graph, is_followed);
    let mut new = graph.clone();
    let mut variables: HashMap<Term, Term> = HashMap::new();
    let mut named: Vec<(Cell, Arc<str>, Term)> = Vec::new();
    for &(map, index) in &cells {
        let read = terms.select(map, &[index]);
        let name: Arc<str> = terms.display(read).into();
        let sort = terms.sort(read).clone();
        if new.variables.contains_key(&name) {
            continue;
        }
        new.variables.insert(name.clone(), sort.clone());
        let variable = terms.current(name.clone(), sort);
        variables.insert(read, variable);
        named.push(((map, index), name, variable));
    }
    for edge in new.graph.edge_weights_mut() {
        let transition = &edge.transition;
        let (definitions, _) = transition.definitions(terms);
        let mut conjuncts = vec![terms.substitute(transition.formula, &variables)];
        let mut changed = transition.changed.clone();
        for (cell, name, variable) in &named {
            if !(is_changed(terms, transition, cell.0) || is_changed(terms, transition, cell.1)) {
                continue;
            }
            let value = after(terms, transition, &definitions, cell.0)
                .zip(after(terms, transition, &definitions, cell.1))
                .and_then(|(map, index)| read(terms, map, index, 0))
                .map(|value| terms.substitute(value, &variables));
            if value == Some(*variable) {
                continue;
            }
            changed.insert(name.clone());
            if let Some(value) = value {
                let next = terms.next(name.clone(), terms.sort(*variable).clone());
                conjuncts.push(terms.eq(next, value));
            }
        }
        edge.transition = Transition {
            formula: terms.and(conjuncts),
            changed,
        };
    }
    let meaning = variables
        .into_iter()
        .map(|(read, variable)| (variable, read));
    WithCells {
        graph: new,
        meaning: meaning.collect(),
    }
}

/// The cells that are read somewhere, and those that become one of these by a copy of the index.
fn cells(
    terms: &Terms,
    graph: &ProgramGraph,
    is_followed: impl Fn(&Sort) -> bool,
) -> IndexSet<Cell> {
    let formulas: Vec<Term> = graph
        .graph
        .edge_weights()
        .map(|edge| edge.transition.formula)
        .collect();
    let is_variable = |term: Term| {
        let variable = terms.as_var(term);
        variable
            .is_some_and(|v| v.version == Version::Current && graph.variables.contains_key(&v.name))
    };
    let is_index = |term: Term| is_variable(term) || matches!(terms.op(term), Op::Int(_));
    let mut cells = IndexSet::new();
    for term in terms.post_order(&formulas) {
        if let (Op::Select, &[map, index]) = (terms.op(term), terms.args(term))
            && is_followed(terms.sort(term))
            && is_variable(map)
            && is_index(index)
        {
            cells.insert((map, index));
        }
    }
    let mut copies: Vec<(Term, Term)> = Vec::new();
    for edge in graph.graph.edge_weights() {
        for definition in edge.transition.definitions(terms).0 {
            let sort = terms.sort(definition.value).clone();
            let to = terms.current(definition.variable, sort);
            let indices = made_of(terms, definition.value).into_iter();
            let indices = indices.filter(|&choice| is_index(choice));
            copies.extend(indices.map(|from| (to, from)));
        }
    }
    let mut number = 0;
    while number < cells.len() && cells.len() < MOST_CELLS {
        let (map, index) = cells[number];
        for &(to, from) in &copies {
            if to == index {
                cells.insert((map, from));
            }
        }
        number += 1;
    }
    cells.truncate(MOST_CELLS);
    cells
}

/// What the value of a term may be made of: it is chosen by conditions, or a map with some cells written.
pub(super) fn made_of(terms: &Terms, term: Term) -> IndexSet<Term> {
    let mut found = IndexSet::from([term]);
    let mut number = 0;
    while let Some(&term) = found.get_index(number) {
        match (terms.op(term), terms.args(term)) {
            (Op::Store, &[base, ..]) => found.extend([base]),
            (Op::Ite, &[_, yes, no]) => found.extend([yes, no]),
            _ => {}
        }
        number += 1;
    }
    found
}

fn is_changed(terms: &Terms, transition: &Transition, variable: Term) -> bool {
    let variable = terms.as_var(variable);
    variable.is_some_and(|variable| transition.changed.contains(&variable.name))
}

/// What a variable (or a number) is after a step, by what was before it.
fn after(
    terms: &Terms,
    transition: &Transition,
    definitions: &[Definition],
    term: Term,
) -> Option<Term> {
    if !is_changed(terms, transition, term) {
        return Some(term);
    }
    let name = &terms.as_var(term)?.name;
    let definition = definitions.iter().find(|found| found.variable == *name)?;
    let is_before = terms
        .names_of(&[definition.value], Version::Next)
        .is_empty();
    is_before.then_some(definition.value)
}

/// What a map holds at an index, by what the maps that it is made of hold. Nothing if that is not known.
fn read(terms: &Terms, map: Term, index: Term, depth: u32) -> Option<Term> {
    if depth > DEPTH {
        return None;
    }
    if let (Op::Ite, &[condition, yes, no]) = (terms.op(index), terms.args(index)) {
        let (yes, no) = (
            read(terms, map, yes, depth + 1)?,
            read(terms, map, no, depth + 1)?,
        );
        return Some(terms.ite(condition, yes, no));
    }
    match (terms.op(map), terms.args(map)) {
        (Op::Store, &[_, at, value]) if at == index => Some(value),
        (Op::Store, &[base, at, value]) => {
            let other = read(terms, base, index, depth + 1)?;
            Some(terms.ite(terms.eq(index, at), value, other))
        }
        (Op::Ite, &[condition, yes, no]) => {
            let (yes, no) = (
                read(terms, yes, index, depth + 1)?,
                read(terms, no, index, depth + 1)?,
            );
            Some(terms.ite(condition, yes, no))
        }
        _ => Some(terms.select(map, &[index])),
    }
}
