//! Functions that grow: a meaning to try where a solver finds none.
//!
//! Solvers look for models in which a function has few values. `forall i :: g(i) > i` has none of these, and many others: one is
//! the argument plus a number.

use std::collections::HashMap;
use std::sync::Arc;

use ult_core::formula::{Function, Op, Sort, Term, Terms};

/// The formula with each symbol for integers replaced by the sum of its arguments that are integers, and
/// a number that is left open. `None` if there is no such symbol. Where the result has a model, so has the formula.
pub(super) fn growing(terms: &Terms, formula: Term) -> Option<Term> {
    let mut done: HashMap<Term, Term> = HashMap::new();
    let mut numbers: HashMap<Arc<Function>, Term> = HashMap::new();
    for term in terms.post_order(&[formula]) {
        let node = terms.node(term);
        let args: Vec<Term> = node.args.iter().map(|arg| done[arg]).collect();
        let made = match &node.op {
            Op::Apply(function)
                if function.result == Sort::Int && function.params.contains(&Sort::Int) =>
            {
                let number = numbers
                    .entry(function.clone())
                    .or_insert_with(|| terms.fresh_aux(&*function.name, Sort::Int));
                let integers = args.iter().filter(|&&arg| *terms.sort(arg) == Sort::Int);
                let parts: Vec<Term> = integers.copied().chain([*number]).collect();
                terms.add(&parts)
            }
            // Patterns would mention symbols that are gone.
            Op::Bind(binder) => terms.bind(binder.kind, &binder.vars, args[0], &[]),
            _ => terms.rebuild(node, &args),
        };
        done.insert(term, made);
    }
    (!numbers.is_empty()).then(|| done[&formula])
}
