//! The axioms of a program, and their instances at the types that are in use.

use super::super::expr::ExprLowering;
use super::super::quantified_types::{self, Position};
use super::super::reach;
use super::super::sorts::TypeEnv;
use super::super::unsupported::UnsupportedExpr;
use super::super::walk::{self, calls_in};
use super::{NO_PLACE, NoVariables, Symbols};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use ult_core::formula::{Function, Sort, Term};
use ult_lang::hir::{ConstantId, Expr, ExprKind, QuantifierKind, Type, TypeParameter};
use ult_lang::span::Span;

/// So many instances of axioms that quantify over types are made.
const MAX_INSTANCES: usize = 400;

/// So many of them, if their triggers can match.
const MAX_MATCHING: usize = 4000;

/// So often types that came up in instances make further instances.
const INSTANCE_ROUNDS: usize = 4;

/// A use of a polymorphic function or map.
struct Use {
    /// The types at which it is used, with type parameters in them.
    wanted: Vec<Type>,
    /// The types at which the function or map is there.
    there: Vec<Vec<Sort>>,
}

impl<'a> Symbols<'a> {
    pub(super) fn collect_axioms(&self) {
        for (number, axiom) in self.background.axioms.iter().enumerate() {
            if self.definitions.has_axiom(number) {
                continue;
            }
            if type_params(&axiom.formula).is_some() {
                // See `instantiate`. An axiom about no polymorphic function says something about the
                // types themselves, also about those that do not occur.
                let functions = &self.background.functions;
                let mut called = calls_in(&axiom.formula).into_iter();
                if !called.any(|id| !functions[id.index()].type_params.is_empty()) {
                    let missed = match walk::has_polymorphic_maps(&axiom.formula) {
                        // It is said where these maps are used.
                        true => &self.approximated,
                        false => &self.dropped,
                    };
                    let what = UnsupportedExpr::new(quantified_types::WHAT, axiom.formula.span);
                    missed.borrow_mut().push(what);
                }
                continue;
            }
            self.add_formula(&axiom.formula, &TypeEnv::new(), axiom.span);
        }
        let mut unique: BTreeMap<Sort, Vec<(Term, Span)>> = BTreeMap::new();
        for (i, constant) in self.background.constants.iter().enumerate() {
            if constant
                .order
                .as_ref()
                .is_some_and(|o| o.parents.is_some() || o.complete)
            {
                self.dropped.borrow_mut().push(UnsupportedExpr::new(
                    format!("the place of `{}` in the order `<:`", constant.name),
                    constant.span,
                ));
            }
            if constant.unique {
                match self.constant(ConstantId::new(i), constant.span) {
                    Ok(term) => unique
                        .entry(self.terms.sort(term).clone())
                        .or_default()
                        .push((term, constant.span)),
                    Err(unsupported) => self.dropped.borrow_mut().push(unsupported),
                }
            }
        }
        for group in unique.into_values() {
            if let [(_, first), .., (_, last)] = group[..] {
                let all: Vec<Term> = group.iter().map(|&(t, _)| t).collect();
                self.add_axiom(Ok(self.terms.distinct(&all)), first.join(last));
            }
        }
    }

    /// Makes the axioms that quantify over types for types that functions were applied to so
    /// far. Type quantifiers range over the types that occur in the program, as in Boogie's
    /// monomorphisation; there could be no run with other types in it.
    ///
    /// First come those that an axiom's triggers can match: they are what proofs need. If these are not
    /// many, the others follow.
    pub fn instantiate(&self) {
        self.instantiate_with(MAX_MATCHING, |axiom, params| self.matching(axiom, params));
        self.instantiate_with(MAX_INSTANCES, |_, params| {
            choices(&self.types_of_functions(), params.len()).collect()
        });
    }

    /// The types that functions were applied to.
    fn types_of_functions(&self) -> Vec<Sort> {
        let (functions, expansions) = (self.functions.borrow(), self.expansions.borrow());
        let instances = functions.keys().chain(expansions.keys().map(|(i, _)| i));
        let types: BTreeSet<Sort> = instances.flat_map(|(_, types)| types.clone()).collect();
        types.into_iter().collect()
    }

    /// Again and again all instances that are wanted, until there are so many.
    fn instantiate_with(
        &self,
        most: usize,
        wanted: impl Fn(&Expr, &[TypeParameter]) -> Vec<Option<Vec<Sort>>>,
    ) {
        for round in 0.. {
            let mut new = Vec::new();
            for (number, axiom) in self.background.axioms.iter().enumerate() {
                let Some(params) = type_params(&axiom.formula) else {
                    continue;
                };
                for types in wanted(&axiom.formula, params) {
                    let Some(types) = types else {
                        self.truncate(axiom.span, most);
                        break;
                    };
                    let key = (number, types);
                    if !self.instances.borrow().contains(&key) {
                        new.push(key);
                    }
                }
            }
            if new.is_empty() {
                return;
            }
            for (number, types) in new {
                let axiom = &self.background.axioms[number];
                if round >= INSTANCE_ROUNDS || self.instances.borrow().len() >= most {
                    self.truncate(axiom.span, most);
                    return;
                }
                let params = type_params(&axiom.formula).unwrap_or_default();
                let ids = params.iter().map(|param| param.id);
                let env: TypeEnv = ids.zip(types.iter().cloned()).collect();
                self.instances.borrow_mut().insert((number, types));
                match most {
                    MAX_MATCHING => self.add_formula(&axiom.formula, &env, axiom.span),
                    // Nothing asked for it: what is said of the types that an axiom's triggers match is as it was.
                    _ => self.add_if_possible(&axiom.formula, &env, axiom.span),
                }
            }
        }
    }

    /// The choices of types for which the functions and polymorphic maps in the triggers of an axiom (or in all of it, if it has
    /// none) are there.
    fn matching(&self, axiom: &Expr, params: &[TypeParameter]) -> Vec<Option<Vec<Sort>>> {
        let mut uses: Vec<Use> = Vec::new();
        let mut collect = |root: &Expr| root.visit(&mut |e| uses.extend(self.use_at_types(e)));
        match &axiom.kind {
            ExprKind::Quantifier { triggers, .. } if !triggers.is_empty() => {
                let terms = triggers.iter().flat_map(|trigger| &trigger.terms);
                terms.for_each(&mut collect);
            }
            _ => collect(axiom),
        }
        let mut found: BTreeSet<TypeEnv> = BTreeSet::from([TypeEnv::new()]);
        let sorts = self.sorts.borrow();
        for Use { wanted, there } in uses {
            let mut more = Vec::new();
            for types in &there {
                for choice in &found {
                    let mut choice = choice.clone();
                    let mut pairs = wanted.iter().zip(types);
                    let fits = pairs.all(|(ty, sort)| sorts.matches(ty, sort, &mut choice));
                    if fits {
                        more.push(choice);
                    }
                }
            }
            if found.len() + more.len() > MAX_INSTANCES {
                break;
            }
            found.extend(more);
        }
        let complete = found.into_iter().filter_map(|choice| {
            let types = params.iter().map(|param| choice.get(&param.id).cloned());
            types.collect::<Option<Vec<Sort>>>()
        });
        complete.map(Some).collect()
    }

    /// The use of something polymorphic that an expression is, leaving aside what it consists of.
    fn use_at_types(&self, e: &Expr) -> Option<Use> {
        let wanted = walk::types_at(e)?;
        let there = match &e.kind {
            ExprKind::Call { function, .. } => {
                let functions = self.functions.borrow();
                let instances = functions.keys().filter(|(id, _)| id == function);
                instances.map(|(_, types)| types.clone()).collect()
            }
            ExprKind::Select { map, .. } | ExprKind::Store { map, .. } => match &map.ty {
                Type::Map(map) => self.record(map).ok()?.choices,
                _ => return None,
            },
            _ => return None,
        };
        Some(Use {
            wanted: wanted.to_vec(),
            there,
        })
    }

    /// Notes that some instances of an axiom are missing.
    fn truncate(&self, span: Span, most: usize) {
        if !self.truncated.replace(true) {
            let what = UnsupportedExpr::new("a quantifier over too many types", span);
            let missed = match most {
                MAX_MATCHING => &self.dropped,
                // Those that triggers ask for are there.
                _ => &self.approximated,
            };
            missed.borrow_mut().push(what);
        }
    }

    /// Adds a formula as an axiom. If it says less than is meant, that is noted.
    fn add_formula(&self, formula: &Expr, env: &TypeEnv, span: Span) {
        let mut lowering = ExprLowering::new(self, &NoVariables, env);
        let lowered = lowering.lower_at(Position::Assumed, formula);
        let exact = lowering.exact;
        let less_is_said = || {
            let what = UnsupportedExpr::new(quantified_types::WHAT, span);
            self.approximated.borrow_mut().push(what);
        };
        match lowered {
            // The program has no such elements, and this would say something of them.
            Err(unsupported) if unsupported.what == NO_PLACE => less_is_said(),
            lowered => {
                if lowered.is_ok() && !exact {
                    less_is_said();
                }
                self.add_axiom(lowered, span);
            }
        }
    }

    /// The same of one that proofs will hardly need: if it cannot be said, that is one thing less that is known.
    fn add_if_possible(&self, formula: &Expr, env: &TypeEnv, span: Span) {
        let mut lowering = ExprLowering::new(self, &NoVariables, env);
        match lowering.lower_at(Position::Assumed, formula) {
            Ok(lowered) if lowering.exact => self.add_axiom(Ok(lowered), span),
            lowered => {
                let what = UnsupportedExpr::new(quantified_types::WHAT, span);
                self.approximated.borrow_mut().push(what);
                if lowered.is_ok() {
                    self.add_axiom(lowered, span);
                }
            }
        }
    }

    pub(super) fn add_axiom(&self, formula: Result<Term, UnsupportedExpr>, span: Span) {
        match formula {
            Ok(formula) if formula == self.terms.tt() => {}
            Ok(formula) => self.axioms.borrow_mut().push((formula, span)),
            Err(unsupported) => self.dropped.borrow_mut().push(unsupported),
        }
    }

    /// The axioms so far, with their places.
    pub fn axioms(&self) -> Vec<(Term, Span)> {
        self.axioms.borrow().clone()
    }

    /// Axioms that could not be expressed. A violation found without them may be spurious.
    pub fn dropped(&self) -> Vec<UnsupportedExpr> {
        self.dropped.borrow().clone()
    }

    /// The same, apart: those that deduction gets to from where these functions are applied, and those that it does not.
    pub fn dropped_for<'f>(
        &self,
        applied: impl IntoIterator<Item = &'f Arc<Function>>,
    ) -> (Vec<UnsupportedExpr>, Vec<UnsupportedExpr>) {
        let dropped = self.dropped();
        if dropped.is_empty() {
            return (dropped, Vec::new());
        }
        let names: BTreeSet<&str> = applied
            .into_iter()
            .map(|function| &*function.name)
            .collect();
        let functions = self.functions.borrow();
        let known = functions
            .iter()
            .filter(|(_, made)| names.contains(&*made.name));
        let applied = known.map(|((function, _), _)| *function).collect();
        let in_reach = reach::in_reach(self.background, applied);
        let is_in_reach = |unsupported: &UnsupportedExpr| {
            let mut axioms = self.background.axioms.iter().zip(&in_reach);
            // What belongs to no axiom may be of use everywhere.
            axioms
                .find(|(axiom, _)| {
                    let (whole, part) = (axiom.formula.span, unsupported.span);
                    whole.start <= part.start && part.end <= whole.end
                })
                .is_none_or(|(_, &in_reach)| in_reach)
        };
        dropped.into_iter().partition(is_in_reach)
    }
}

/// The type parameters of a universal quantifier, if it has any.
fn type_params(formula: &Expr) -> Option<&[TypeParameter]> {
    match &formula.kind {
        ExprKind::Quantifier {
            kind: QuantifierKind::Forall,
            type_params,
            ..
        } if !type_params.is_empty() => Some(type_params),
        _ => None,
    }
}

/// All lists of so many types; `None` in the end if there are too many.
fn choices(universe: &[Sort], length: usize) -> impl Iterator<Item = Option<Vec<Sort>>> + '_ {
    let base = universe.len();
    let count = u32::try_from(length)
        .ok()
        .and_then(|length| base.checked_pow(length))
        .unwrap_or(usize::MAX);
    let list = move |mut number: usize| {
        let mut types = Vec::with_capacity(length);
        for _ in 0..length {
            types.push(universe[number % base].clone());
            number /= base;
        }
        Some(types)
    };
    let kept = count.min(MAX_INSTANCES);
    (0..kept).map(list).chain((kept < count).then_some(None))
}
