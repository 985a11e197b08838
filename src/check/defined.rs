//! Axioms that only define a symbol.
//!
//! `forall n :: f(n) == if n < 2 then n else f(n - 1) + f(n - 2)` has infinitely many different values, so solvers find no model of it. But
//! it needs none that somebody writes down: `f` at some arguments is said by what `f` is at smaller ones, so there is exactly one
//! such function, whatever the other symbols mean (definition by well-founded recursion). An axiom of this form can be left out
//! where the question is whether all axioms can be true, if no other one speaks of the symbol that it defines.
//!
//! Arguments are smaller by a *measure*: an integer that is not negative where `f` is asked for again, and less there. Measures are
//! guessed from the parameters and the numbers in the definition; that they decrease is asked of the solvers, with what must
//! hold where `f` is asked for again (the conditions of `if`, the other parts of a conjunction or disjunction, as far as they
//! do not speak of `f` themselves).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::prover::Provers;
use ult_core::formula::{BinderKind, Function, Op, Sort, Term, Terms};

/// A definition with more parts is not looked at.
const LARGEST: usize = 2000;

/// So many measures are tried.
const MEASURES: usize = 24;

/// The axioms that are left when those are taken out that only define a symbol which no other one speaks of. If what is left has
/// a model, all have one.
pub(super) fn without_definitions(
    terms: &Terms,
    axioms: &[Term],
    provers: &mut Provers,
) -> Vec<Term> {
    let symbols = |axiom: Term| terms.functions(&[axiom]);
    // In how many axioms each symbol occurs.
    let mut occurs: HashMap<Arc<Function>, usize> = HashMap::new();
    for symbol in axioms.iter().flat_map(|&axiom| symbols(axiom)) {
        *occurs.entry(symbol).or_default() += 1;
    }
    let mut refused = HashSet::new();
    let mut left = axioms.to_vec();
    loop {
        let before = left.len();
        left.retain(|&axiom| {
            let is_alone = |symbol: &Arc<Function>| occurs.get(symbol) == Some(&1);
            let Some(definition) = Definition::of(terms, axiom, &is_alone) else {
                return true;
            };
            if refused.contains(&axiom) || !definition.is_total(terms, provers) {
                refused.insert(axiom);
                return true;
            }
            for symbol in symbols(axiom) {
                occurs.entry(symbol).and_modify(|number| *number -= 1);
            }
            false
        });
        if left.len() == before {
            return left;
        }
    }
}

/// `symbol(parameters) == value`, for all values of the parameters.
struct Definition {
    symbol: Arc<Function>,
    parameters: Vec<Term>,
    value: Term,
}

/// The symbol is asked for again: with which arguments, and what holds there.
struct Again {
    arguments: Vec<Term>,
    conditions: Vec<Term>,
}

impl Definition {
    /// An axiom as the definition of a symbol that fits. Bound variables become free ones.
    fn of(terms: &Terms, axiom: Term, fits: &dyn Fn(&Arc<Function>) -> bool) -> Option<Definition> {
        let (bound, equation) = match terms.op(axiom) {
            Op::Bind(binder) if binder.kind == BinderKind::Forall => {
                (&binder.vars[..], *terms.args(axiom).first()?)
            }
            _ => (&[][..], axiom),
        };
        let (Op::Eq, &[left, right]) = (terms.op(equation), terms.args(equation)) else {
            return None;
        };
        [(left, right), (right, left)]
            .into_iter()
            .find_map(|(defined, value)| {
                let Op::Apply(symbol) = terms.op(defined) else {
                    return None;
                };
                let parameters = terms.args(defined);
                let different: BTreeSet<Term> = parameters.iter().copied().collect();
                let are_bound = different.len() == parameters.len()
                    && different == bound.iter().copied().collect();
                if !are_bound || !fits(symbol) {
                    return None;
                }
                let free = |&bound: &Term| (bound, free(terms, bound));
                let free: HashMap<Term, Term> = parameters.iter().map(free).collect();
                Some(Definition {
                    symbol: symbol.clone(),
                    parameters: parameters.iter().map(|bound| free[bound]).collect(),
                    value: terms.substitute(value, &free),
                })
            })
    }

    /// Whether there is such a function, as far as the solvers say so.
    fn is_total(&self, terms: &Terms, provers: &mut Provers) -> bool {
        let Some(again) = self.again(terms) else {
            return false;
        };
        if again.is_empty() {
            return true;
        }
        self.measures(terms).into_iter().any(|measure| {
            again.iter().all(|again| {
                let own = self.parameters.iter().copied();
                let there: HashMap<Term, Term> = own.zip(again.arguments.iter().copied()).collect();
                let less = terms.lt(terms.substitute(measure, &there), measure);
                let decreases = terms.and([terms.le(terms.int(0), measure), less]);
                let fails = [terms.not(decreases)];
                provers
                    .refute(&[&again.conditions[..], &fails[..]].concat())
                    .is_ok()
            })
        })
    }

    /// Where the value depends on the symbol itself; `None` if that is too much, or cannot be told.
    fn again(&self, terms: &Terms) -> Option<Vec<Again>> {
        // The terms that depend on the symbol.
        let mut recursive = HashSet::new();
        self.mark(terms, self.value, &mut recursive);
        let mut found = Vec::new();
        let mut seen = 0;
        let mut waiting = vec![(self.value, Vec::new())];
        while let Some((term, conditions)) = waiting.pop() {
            if !recursive.contains(&term) {
                continue;
            }
            seen += 1;
            if seen > LARGEST {
                return None;
            }
            let args = terms.args(term);
            let is_plain = |term: &Term| !recursive.contains(term);
            let with = |holds: Option<Term>| -> Vec<Term> {
                conditions.iter().copied().chain(holds).collect()
            };
            match terms.op(term) {
                Op::Apply(function) if *function == self.symbol => {
                    if !args.iter().all(is_plain) {
                        return None;
                    }
                    found.push(Again {
                        arguments: args.to_vec(),
                        conditions,
                    });
                }
                Op::Ite => {
                    let (&[condition, yes, no], true) = (args, args.len() == 3) else {
                        return None;
                    };
                    let holds = Some(condition).filter(is_plain);
                    waiting.push((condition, conditions.clone()));
                    waiting.push((yes, with(holds)));
                    waiting.push((no, with(holds.map(|condition| terms.not(condition)))));
                }
                Op::And | Op::Or => {
                    // It depends on a part only if the others do not decide.
                    let is_and = matches!(terms.op(term), Op::And);
                    let plain = args.iter().copied().filter(is_plain);
                    let others = plain.map(|part| match is_and {
                        true => part,
                        false => terms.not(part),
                    });
                    let conditions: Vec<Term> = conditions.iter().copied().chain(others).collect();
                    let parts = args.iter().filter(|part| recursive.contains(*part));
                    waiting.extend(parts.map(|&part| (part, conditions.clone())));
                }
                // For each value of the bound variables; the conditions so far do not speak of these.
                Op::Bind(binder) => {
                    let body = *args.first()?;
                    let free: HashMap<Term, Term> = binder
                        .vars
                        .iter()
                        .map(|&bound| (bound, free(terms, bound)))
                        .collect();
                    let body = terms.substitute(body, &free);
                    self.mark(terms, body, &mut recursive);
                    waiting.push((body, conditions));
                }
                _ => waiting.extend(args.iter().map(|&arg| (arg, conditions.clone()))),
            }
        }
        Some(found)
    }

    /// Adds what depends on the symbol within a term.
    fn mark(&self, terms: &Terms, root: Term, recursive: &mut HashSet<Term>) {
        for term in terms.post_order(&[root]) {
            let is_own = matches!(terms.op(term), Op::Apply(function) if *function == self.symbol);
            if is_own || terms.args(term).iter().any(|arg| recursive.contains(arg)) {
                recursive.insert(term);
            }
        }
    }

    /// Integers that may be less where the symbol is asked for again.
    fn measures(&self, terms: &Terms) -> Vec<Term> {
        let integers = self.parameters.iter().copied();
        let integers: Vec<Term> = integers
            .filter(|&parameter| *terms.sort(parameter) == Sort::Int)
            .collect();
        let mut numbers = vec![terms.int(0)];
        for term in terms.post_order(&[self.value]) {
            if *terms.sort(term) == Sort::Int
                && terms.as_number(term).is_some()
                && !numbers.contains(&term)
            {
                numbers.push(term);
            }
        }
        let mut found: Vec<Term> = integers.clone();
        for &parameter in &integers {
            let others = integers.iter().filter(|&&other| other != parameter);
            found.extend(others.map(|&other| terms.sub(other, parameter)));
        }
        for &number in &numbers {
            for &parameter in &integers {
                found.push(terms.sub(number, parameter));
                found.push(terms.sub(parameter, number));
            }
        }
        found.truncate(MEASURES);
        found
    }
}

/// A variable that occurs nowhere else, in place of a bound one.
fn free(terms: &Terms, bound: Term) -> Term {
    terms.fresh_aux("argument", terms.sort(bound).clone())
}
