//! Which axioms deduction from a program can get to.
//!
//! A solver that instantiates quantified formulas by their triggers uses an axiom only if for one of its triggers there are
//! terms with all of its functions: in the program, or in an axiom that was used. (This is Boogie's pruning.) Here it says
//! what it means that an axiom could not be expressed: of one that is out of reach nobody who deduces would have had anything.

use std::collections::BTreeSet;

use ult_lang::hir::{Axiom, Background, Expr, ExprKind, FunctionId};

use super::walk::calls_in;

/// For each axiom, whether it can be used where these functions are applied.
pub(crate) fn in_reach(background: &Background, applied: BTreeSet<FunctionId>) -> Vec<bool> {
    let mut reached = applied;
    let mut used = vec![false; background.axioms.len()];
    loop {
        let mut any = false;
        for (axiom, used) in background.axioms.iter().zip(&mut used) {
            if !*used && matches(background, axiom, &reached) {
                (*used, any) = (true, true);
                reached.extend(applied_in(background, &axiom.formula));
            }
        }
        if !any {
            return used;
        }
    }
}

/// Whether the functions of one of an axiom's triggers are all there. One without triggers is used where it shares a
/// function with what is there, or has none.
fn matches(background: &Background, axiom: &Axiom, reached: &BTreeSet<FunctionId>) -> bool {
    if let ExprKind::Quantifier { triggers, .. } = &axiom.formula.kind {
        let mut written = triggers
            .iter()
            .filter(|trigger| trigger.positive)
            .peekable();
        if written.peek().is_some() {
            return written.any(|trigger| {
                let terms = trigger.terms.iter();
                terms
                    .flat_map(|term| applied_in(background, term))
                    .all(|function| reached.contains(&function))
            });
        }
    }
    let applied = applied_in(background, &axiom.formula);
    applied.is_empty() || !applied.is_disjoint(reached)
}

/// The functions in an expression; of one that has a body those in there, since it may be replaced by that.
fn applied_in(background: &Background, e: &Expr) -> BTreeSet<FunctionId> {
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<FunctionId> = calls_in(e).into_iter().collect();
    while let Some(function) = waiting.pop() {
        if seen.insert(function)
            && let Some(body) = has_body(background, function)
        {
            waiting.extend(calls_in(body));
        }
    }
    seen.retain(|&function| has_body(background, function).is_none());
    seen
}

fn has_body(background: &Background, function: FunctionId) -> Option<&Expr> {
    background.functions.get(function.index())?.body.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axioms_are_used_where_their_triggers_match() {
        let text = "function f(x: int): int; function g(x: int): int; function h(x: int): int; function k(x: int): int;
             function {:inline} i(x: int): int { f(x) }
             axiom (forall x: int :: {i(x)} f(x) == g(x));
             axiom (forall x: int :: {f(x), h(x)} k(x) == 0);
             axiom (forall x: int :: {k(x)} {g(x)} k(x) == 1);
             axiom h(1) == 2;
             axiom k(1) == 2;
             axiom true;";
        let (program, diagnostics) = ult_lang::analyze_boogie(text);
        assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
        let from = |number| in_reach(&program.background, [FunctionId::new(number)].into());
        assert_eq!(from(0), [true, false, true, false, true, true]);
        assert_eq!(from(2), [false, false, false, true, false, true]);
        assert_eq!(from(3), [false, false, true, false, true, true]);
    }
}
