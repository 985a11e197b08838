//! The part of a formula that is true in a model, as a conjunction.

use std::collections::HashMap;

use super::solve::Scope;
use ult_core::formula::{Op, Sort, Term, Value};
use ult_smt::{Failure, Model};

/// Longer lists of different values are left as they are.
const MOST_DISTINCT: usize = 12;

/// Looks at formulas in one model.
pub(super) struct Implicant<'a, 's, 't> {
    model: &'a Model<'s, 't>,
    known: HashMap<Term, bool>,
}

impl<'a, 's, 't> Implicant<'a, 's, 't> {
    pub(super) fn new(model: &'a Model<'s, 't>) -> Self {
        Implicant {
            model,
            known: HashMap::new(),
        }
    }

    /// The truth value of a formula in the model.
    fn holds(&mut self, scope: &Scope<'_>, formula: Term) -> Result<bool, Failure> {
        if let Some(&known) = self.known.get(&formula) {
            return Ok(known);
        }
        let value = match self.model.value(scope.original(formula))? {
            Value::Bool(value) => value,
            other => {
                return Err(Failure::UnexpectedOutput(format!(
                    "`{other}` as a truth value"
                )));
            }
        };
        self.known.insert(formula, value);
        Ok(value)
    }

    /// Literals that are true in the model and together imply all of `parts`, without
    /// if-then-else and without elements of updated maps as far as the model decides these.
    pub(super) fn literals(
        &mut self,
        scope: &mut Scope<'t>,
        parts: &[Term],
    ) -> Result<Vec<Term>, Failure> {
        let t = scope.terms;
        let mut found = indexmap::IndexSet::new();
        let mut stack: Vec<(Term, bool)> = parts.iter().rev().map(|&p| (p, true)).collect();
        while let Some((term, positive)) = stack.pop() {
            let args = t.args(term);
            let literal = if positive { term } else { t.not(term) };
            match (t.op(term), positive) {
                (Op::Bool(_), _) => {
                    if *t.op(literal) == Op::Bool(false) {
                        return Err(Failure::UnexpectedOutput(
                            "a model in which the formula is false".into(),
                        ));
                    }
                }
                (Op::Not, _) => stack.push((args[0], !positive)),
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(args.iter().rev().map(|&arg| (arg, positive)));
                }
                (Op::Or, true) | (Op::And, false) => {
                    let choice = self.choice(scope, args, positive, &found)?;
                    stack.push((choice, positive));
                }
                (Op::Ite, _) => {
                    let condition = self.holds(scope, args[0])?;
                    let branch = if condition { args[1] } else { args[2] };
                    stack.push((branch, positive));
                    stack.push((args[0], condition));
                }
                (Op::Eq, _) if *t.sort(args[0]) == Sort::Bool && scope.mentions_dead(term) => {
                    if scope.solve(literal).is_some() {
                        found.insert(literal);
                        continue;
                    }
                    for &arg in args {
                        let value = self.holds(scope, arg)?;
                        stack.push((arg, value));
                    }
                }
                (Op::Distinct, true) if args.len() <= MOST_DISTINCT => {
                    for (i, &a) in args.iter().enumerate() {
                        stack.extend(args[i + 1..].iter().map(|&b| (t.eq(a, b), false)));
                    }
                }
                (Op::Distinct, false) if args.len() <= MOST_DISTINCT => {
                    for (i, &a) in args.iter().enumerate() {
                        for &b in &args[i + 1..] {
                            let equal = t.eq(a, b);
                            if self.holds(scope, equal)? {
                                stack.push((equal, true));
                            }
                        }
                    }
                }
                _ => match self.opened(scope, term, &mut stack)? {
                    Some(simpler) => stack.push((simpler, positive)),
                    None => {
                        found.insert(literal);
                    }
                },
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Of the disjuncts (with the sign) one that is true in the model: one that is needed anyway,
    /// or does not concern the variables to be eliminated, or is small.
    fn choice(
        &mut self,
        scope: &mut Scope<'t>,
        disjuncts: &[Term],
        positive: bool,
        found: &indexmap::IndexSet<Term>,
    ) -> Result<Term, Failure> {
        let t = scope.terms;
        let mut order: Vec<(bool, bool, usize, Term)> = disjuncts
            .iter()
            .map(|&d| {
                let literal = if positive { d } else { t.not(d) };
                let new = !found.contains(&literal);
                (new, scope.mentions_dead(d), t.size(d), d)
            })
            .collect();
        order.sort_unstable();
        let mut failure = None;
        for (_, _, _, disjunct) in order {
            match self.holds(scope, disjunct) {
                Ok(value) if value == positive => return Ok(disjunct),
                Ok(_) => {}
                // The model does not say; perhaps it does of another disjunct.
                Err(Failure::Stopped(stop)) => return Err(Failure::Stopped(stop)),
                Err(other) => failure = Some(other),
            }
        }
        Err(failure.unwrap_or_else(|| {
            Failure::UnexpectedOutput("a model in which no disjunct is true".into())
        }))
    }

    /// The atom without one if-then-else or map update;
    /// what that takes to be true goes onto the stack. `None` if there is nothing of that kind.
    fn opened(
        &mut self,
        scope: &mut Scope<'t>,
        atom: Term,
        stack: &mut Vec<(Term, bool)>,
    ) -> Result<Option<Term>, Failure> {
        let t = scope.terms;
        if t.has_binder(atom) || scope.solve(atom).is_some() {
            return Ok(None);
        }
        let order = t.post_order(&[atom]);
        for inner in order {
            let args = t.args(inner);
            let simpler = match t.op(inner) {
                Op::Ite => {
                    let condition = self.holds(scope, args[0])?;
                    stack.push((args[0], condition));
                    args[if condition { 1 } else { 2 }]
                }
                Op::Select if *t.op(args[0]) == Op::Store => {
                    let stored = t.args(args[0]);
                    let (indices, value) = (&args[1..], stored[stored.len() - 1]);
                    let at = &stored[1..stored.len() - 1];
                    let same = t.and(at.iter().zip(indices).map(|(&a, &b)| t.eq(a, b)));
                    let hit = self.holds(scope, same)?;
                    stack.push((same, hit));
                    if hit {
                        value
                    } else {
                        t.select(stored[0], indices)
                    }
                }
                Op::Select if *t.op(args[0]) == Op::Ite => {
                    let branches = t.args(args[0]);
                    let condition = self.holds(scope, branches[0])?;
                    stack.push((branches[0], condition));
                    let map = branches[if condition { 1 } else { 2 }];
                    t.select(map, &args[1..])
                }
                _ => continue,
            };
            return Ok(Some(t.substitute(atom, &HashMap::from([(inner, simpler)]))));
        }
        Ok(None)
    }

    /// Unequal numbers in the order that they have in the model; nothing for other literals.
    pub(super) fn ordered(
        &mut self,
        scope: &mut Scope<'t>,
        part: Term,
    ) -> Result<Option<Term>, Failure> {
        let t = scope.terms;
        if *t.op(part) != Op::Not {
            return Ok(None);
        }
        let inner = t.args(part)[0];
        match (t.op(inner), t.args(inner)) {
            (Op::Eq, &[a, b]) if t.sort(a).is_arithmetic() => {
                let less = t.lt(a, b);
                Ok(Some(match self.holds(scope, less)? {
                    true => less,
                    false => t.lt(b, a),
                }))
            }
            _ => Ok(None),
        }
    }
}
