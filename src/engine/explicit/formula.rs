//! Many states as one formula.

use std::collections::{BTreeMap, BTreeSet};

use ult_core::formula::{Term, Terms};

/// The disjunction of conjunctions, as a tree: what is asked first has few answers, and what follows
/// from several answers stands there once (as in decision diagrams; Bryant: "Graph-Based Algorithms
/// for Boolean Function Manipulation", 1986).
pub(super) fn any_of(terms: &Terms, states: Vec<Vec<Term>>) -> Term {
    // Conjuncts about the same variables are answers to one question.
    let mut answers: BTreeMap<Vec<Term>, BTreeSet<Term>> = BTreeMap::new();
    let mut subjects: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
    for &conjunct in states.iter().flatten() {
        let subject = subjects
            .entry(conjunct)
            .or_insert_with(|| terms.free_vars(&[conjunct]));
        answers.entry(subject.clone()).or_default().insert(conjunct);
    }
    let mut questions: Vec<(usize, Vec<Term>)> = (answers.into_iter())
        .map(|(subject, answers)| (answers.len(), subject))
        .collect();
    questions.sort();
    let numbers: BTreeMap<Vec<Term>, usize> = (questions.into_iter().enumerate())
        .map(|(number, (_, subject))| (subject, number))
        .collect();
    let mut rows: Vec<Vec<Term>> = (states.into_iter())
        .map(|state| {
            let mut row = vec![Vec::new(); numbers.len()];
            for conjunct in state {
                row[numbers[&subjects[&conjunct]]].push(conjunct);
            }
            row.into_iter()
                .map(|conjuncts| terms.and(conjuncts))
                .collect()
        })
        .collect();
    rows.sort();
    rows.dedup();
    tree(terms, &rows, 0)
}

/// The disjunction of sorted rows, whose answers before `from` are the same.
fn tree(terms: &Terms, rows: &[Vec<Term>], from: usize) -> Term {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return terms.ff();
    };
    // Sorted: what the first and the last have in common, all have.
    let same = (first.iter().zip(last).skip(from))
        .take_while(|(a, b)| a == b)
        .count();
    let differs = from + same;
    let common = first[from..differs].iter().copied();
    if differs == first.len() {
        return terms.and(common);
    }
    let mut alike: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
    for group in rows.chunk_by(|a, b| a[differs] == b[differs]) {
        let rest = tree(terms, group, differs + 1);
        alike.entry(rest).or_default().push(group[0][differs]);
    }
    let branches = alike
        .into_iter()
        .map(|(rest, answers)| terms.and2(terms.or(answers), rest));
    let branches = terms.or(branches);
    terms.and(common.chain([branches]))
}
