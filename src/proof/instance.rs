//! Steps `inst`, `skolem` and `ext`: instances of quantified formulas, and terms for what there is.
//!
//! Sound: an instance is the body with each bound variable replaced by its term everywhere, and no variable of such a term is bound by a
//! quantifier further in. What holds for all values holds for those of the terms, and what holds for them holds for some. A *witness* is a
//! variable of the proof that is a witness once only. It has a higher number than the terms that it is for, so they do not depend on it, and no
//! witness depends on itself. So it can be given a value that fits: one for which the body is true, or false, if there is one, or an index at
//! which two maps differ. No sort is empty.

use std::collections::{HashMap, HashSet};

use crate::term::{Graph, Id, Op};

/// Checks that a term is the body of a quantified formula with these terms for its variables.
pub(crate) fn check(graph: &Graph, whole: Id, instance: Id, terms: &[Id]) -> Result<(), String> {
    let (Op::Forall | Op::Exists, [body, vars @ ..]) = split(graph, whole) else {
        return Err(format!("term {whole} is not quantified"));
    };
    if vars.len() != terms.len() {
        return Err("there is not one term for each variable".into());
    }
    // What becomes of each term.
    let mut becomes: HashMap<Id, Id> = HashMap::new();
    for (&var, &term) in vars.iter().zip(terms) {
        if graph.sort(var) != graph.sort(term) || becomes.insert(var, term).is_some() {
            return Err("a term does not fit a variable".into());
        }
    }
    let mut inner: HashSet<Id> = HashSet::new();
    let mut open = vec![(*body, instance)];
    while let Some((from, to)) = open.pop() {
        match becomes.get(&from) {
            Some(&known) if known == to => continue,
            Some(_) => return Err(format!("term {from} does not become {to}")),
            None => _ = becomes.insert(from, to),
        }
        let ((op, args), (new_op, new_args)) = (split(graph, from), split(graph, to));
        let is_same = op == new_op && graph.sort(from) == graph.sort(to);
        if !is_same || args.len() != new_args.len() || args.is_empty() && from != to {
            return Err(format!("term {from} does not become {to}"));
        }
        if let (Op::Forall | Op::Exists, [_, bound @ ..]) = (op, args) {
            if bound.iter().any(|var| vars.contains(var)) {
                return Err("a variable is bound twice".into());
            }
            inner.extend(bound);
        }
        open.extend(args.iter().copied().zip(new_args.iter().copied()));
    }
    let mut open = terms.to_vec();
    let mut seen = HashSet::new();
    while let Some(term) = open.pop() {
        if inner.contains(&term) {
            return Err(format!("variable {term} would be bound"));
        }
        if seen.insert(term) {
            open.extend(split(graph, term).1);
        }
    }
    Ok(())
}

/// Checks that two terms are equations of two maps, and of their elements at these indices.
pub(crate) fn differ(graph: &Graph, maps: Id, elements: Id, indices: &[Id]) -> Result<(), String> {
    let (Op::Eq, &[a, b]) = split(graph, maps) else {
        return Err("no equation of maps".into());
    };
    let (Op::Eq, &[left, right]) = split(graph, elements) else {
        return Err("no equation of elements".into());
    };
    let reads = |select: Id, map: Id| {
        let (op, args) = split(graph, select);
        *op == Op::Select && args[0] == map && args[1..] == *indices
    };
    match reads(left, a) && reads(right, b) {
        true => Ok(()),
        false => Err("not the elements of these maps".into()),
    }
}

fn split(graph: &Graph, id: Id) -> (&Op, &[Id]) {
    let node = graph.node(id);
    (&node.op, &node.args)
}
