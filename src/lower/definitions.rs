//! What functions are defined as: by their bodies, or by an axiom that is a definition.
//!
//! `axiom (forall x: int :: f(x) == x + 1);` says what `f` is at every place. As a definition it
//! is unfolded where `f` is applied, and runs need no value for `f`, which no finite table is.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ult_lang::hir::{
    Axiom, Background, BinaryOp, BoundId, Expr, ExprKind, FunctionId, QuantifierKind, VarRef,
};

use super::walk::calls_in;

/// The definition of a function.
pub(crate) struct Definition<'a> {
    /// The parameters, as the body means them.
    pub(crate) params: Vec<BoundId>,
    /// The value.
    pub(crate) body: &'a Expr,
}

/// The definitions of a program.
pub(crate) struct Definitions<'a> {
    functions: HashMap<FunctionId, Definition<'a>>,
    /// The axioms that are definitions, by their numbers.
    axioms: BTreeSet<usize>,
}

impl<'a> Definitions<'a> {
    /// Those of a background.
    pub(crate) fn new(background: &'a Background) -> Definitions<'a> {
        let mut functions = HashMap::new();
        for (number, function) in background.functions.iter().enumerate() {
            if let Some(body) = &function.body {
                let params = function.params.iter().map(|p| p.id).collect();
                functions.insert(FunctionId::new(number), Definition { params, body });
            }
        }
        let mut axioms = BTreeSet::new();
        let mentions = mentions(background);
        for (number, axiom) in background.axioms.iter().enumerate() {
            let Some((id, definition)) = definition(axiom) else {
                continue;
            };
            let function = &background.functions[id.index()];
            // Who wrote triggers for the function, or relies on those the solver finds, wants its
            // applications to stay.
            let elsewhere = mentions.get(&id) != Some(&1);
            if elsewhere || function.body.is_some() || !function.attributes.is_empty() {
                continue;
            }
            functions.insert(id, definition);
            axioms.insert(number);
        }
        Definitions { functions, axioms }
    }

    /// The definition of a function, if it has one.
    pub(crate) fn of(&self, id: FunctionId) -> Option<&Definition<'a>> {
        self.functions.get(&id)
    }

    /// Whether an axiom is said by a definition already.
    pub(crate) fn has_axiom(&self, number: usize) -> bool {
        self.axioms.contains(&number)
    }
}

/// In how many axioms and bodies each function is applied.
fn mentions(background: &Background) -> BTreeMap<FunctionId, usize> {
    let bodies = background.functions.iter().filter_map(|f| f.body.as_ref());
    let axioms = background.axioms.iter().map(|axiom| &axiom.formula);
    let mut count = BTreeMap::new();
    for id in bodies.chain(axioms).flat_map(calls_in) {
        *count.entry(id).or_default() += 1;
    }
    count
}

/// The function that an axiom defines: `forall x, y :: f(x, y) == body`, without triggers, and
/// without `f` in the body.
fn definition(axiom: &Axiom) -> Option<(FunctionId, Definition<'_>)> {
    let ExprKind::Quantifier {
        kind: QuantifierKind::Forall,
        type_params,
        bound,
        triggers,
        body,
        attributes,
    } = &axiom.formula.kind
    else {
        return None;
    };
    let plain = type_params.is_empty() && triggers.is_empty();
    if !plain || !attributes.is_empty() || !axiom.attributes.is_empty() {
        return None;
    }
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) = &body.kind else {
        return None;
    };
    let bound: BTreeSet<BoundId> = bound.iter().map(|b| b.id).collect();
    [(&**left, &**right), (right, left)]
        .into_iter()
        .find_map(|(application, body)| {
            let (id, params) = application_to(application, &bound)?;
            (!calls_in(body).contains(&id)).then_some((id, Definition { params, body }))
        })
}

/// The function and its arguments, if these are all the bound variables, each once.
fn application_to(e: &Expr, bound: &BTreeSet<BoundId>) -> Option<(FunctionId, Vec<BoundId>)> {
    let ExprKind::Call {
        function,
        type_args,
        args,
    } = &e.kind
    else {
        return None;
    };
    let params: Option<Vec<BoundId>> = args
        .iter()
        .map(|arg| match arg.kind {
            ExprKind::Var(VarRef::Bound(id)) => Some(id),
            _ => None,
        })
        .collect();
    let params = params.filter(|params| {
        let each: BTreeSet<BoundId> = params.iter().copied().collect();
        each.len() == params.len() && each == *bound
    })?;
    type_args.is_empty().then_some((*function, params))
}
