//! What Boogie demands of functions that it replaces by their bodies: there is one, and it ends.

use std::collections::{BTreeMap, BTreeSet};

use ult_lang::hir::{AttributeArgument, Background, ExprKind, Function, FunctionId};
use ult_lang::span::Span;
use ult_lower::walk::calls_in;

/// What is wrong with functions, with the places of their names.
pub(super) fn mistakes(background: &Background) -> Vec<(Span, String)> {
    let mut mistakes = Vec::new();
    let mut calls: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (number, function) in background.functions.iter().enumerate() {
        let Some(attribute) = replacing(function) else {
            continue;
        };
        match &function.body {
            Some(body) => {
                let called = calls_in(body).into_iter().map(FunctionId::index);
                calls.insert(number, called.collect());
            }
            None => mistakes.push((
                function.span,
                format!("Function with :{attribute} attribute must have a body"),
            )),
        }
    }
    let mut told: BTreeSet<usize> = BTreeSet::new();
    for &number in calls.keys() {
        let reached = reached(&calls, number);
        if !reached.contains(&number) || told.contains(&number) {
            continue;
        }
        // Those that lead back here.
        let cycle: Vec<usize> = reached
            .into_iter()
            .filter(|&other| self::reached(&calls, other).contains(&number))
            .collect();
        let names = cycle
            .iter()
            .filter_map(|&other| background.functions.get(other));
        let names: Vec<&str> = names.map(|function| &*function.name).collect();
        mistakes.push((
            background.functions[number].span,
            format!("Call cycle detected among functions: {}", names.join(", ")),
        ));
        told.extend(cycle);
    }
    mistakes
}

/// The attribute for which a function is replaced by its body, if it has one.
fn replacing(function: &Function) -> Option<&str> {
    let mut attributes = function.attributes.iter();
    let attribute = attributes.find(|a| matches!(&*a.name, "inline" | "define"))?;
    let is_off = |argument: &AttributeArgument| match argument {
        AttributeArgument::Expr(e) => e.kind == ExprKind::Bool(false),
        AttributeArgument::String(_) | AttributeArgument::Opaque(_) => false,
    };
    (!attribute.args.iter().any(is_off)).then_some(&*attribute.name)
}

/// What is called from a function, also by way of others.
fn reached(calls: &BTreeMap<usize, BTreeSet<usize>>, from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(next) = waiting.pop() {
        for &called in calls.get(&next).into_iter().flatten() {
            if calls.contains_key(&called) && reached.insert(called) {
                waiting.push(called);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    fn told(text: &str) -> Vec<String> {
        let (program, diagnostics) = ult_lang::analyze_boogie(text);
        assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
        let mistakes = super::mistakes(&program.background);
        mistakes.into_iter().map(|(_, words)| words).collect()
    }

    #[test]
    fn functions_that_are_replaced_for_ever_are_refused() {
        let cycle = "function {:inline} f(x: int): int { g(x) }\n\
                     function {:define} g(x: int): int { h(x) + f(x) }\n\
                     function {:inline} h(x: int): int { x }\n";
        assert_eq!(told(cycle), ["Call cycle detected among functions: f, g"]);
        let through_another = "function {:inline} f(x: int): int { g(x) }\n\
                               function g(x: int): int { f(x) }\n\
                               function {:inline false} i(x: int): int { i(x) }\n";
        assert!(told(through_another).is_empty());
        assert_eq!(
            told("function {:inline} f(x: int): int;"),
            ["Function with :inline attribute must have a body"]
        );
    }
}
