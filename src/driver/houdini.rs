//! Which candidate annotations hold: constants with `{:existential true}`.
//!
//! `const {:existential true} b: bool;` says that a value for `b` is to be found with which the program is correct, and `b ==> e`
//! as a precondition, postcondition, invariant or assertion makes a candidate of `e`. As in Boogie, all constants are true at
//! first; a candidate that is not proved in the modular reading makes its constant false, until all others are proved (Flanagan,
//! Leino: "Houdini, an annotation assistant for ESC/Java", FME 2001). The result is the largest set of candidates that is inductive. Then
//! the program is verified with these values, as any other, and they are told.
//!
//! A constant has a value found for it only if it stands nowhere but before `==>` in something that is checked. Then its being false
//! makes each contract weaker and each assertion weaker, so it cannot make a proof vacuous, as `assume b` would. Everywhere else
//! (`assume`, `free`, axioms, negations, code) a value that we choose would be an assumption that nobody checks. Such a constant
//! stays one of which nothing is known.

use std::collections::{BTreeMap, BTreeSet};

use ult_check::Verdict;
use ult_lang::hir::visit::mutable::{VisitMut, walk_expr as change_expr};
use ult_lang::hir::visit::{Visit, walk_attribute, walk_procedure, walk_stmt};
use ult_lang::hir::{
    Attribute, AttributeArgument, BinaryOp, Condition, ConstantId, Expr, ExprKind, NaryOp,
    Procedure, Program, Stmt, StmtKind, Type, VarRef,
};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::context::Context;
use super::progress::Progress;
use super::result::Report;
use super::schedule::{LEAST_SHARE, programs};
use ult_engine::verify::Method;
use ult_lower::Options as Reading;
use ult_lower::plan::EntryError;

/// The program with values for its constants with `{:existential true}`, which are told in the report. If the run is stopped
/// meanwhile, they are not the last word, and nothing will be decided with them.
pub(crate) fn valued(
    report: &mut Report,
    program: Program,
    context: Context<'_>,
) -> Result<Program, EntryError> {
    let Some(mut candidates) = Candidates::of(&program) else {
        return Ok(program);
    };
    let mut settings = context.settings.clone();
    // What stands in a contract is believed elsewhere, so all bodies are looked at.
    settings.reading = Reading {
        modular: true,
        ..Reading::default()
    };
    settings.verify.search_by(Method::Portfolio);
    settings.verify.after_deduction = Some(LEAST_SHARE);
    settings.verify.check.no_warnings = true;
    settings.kept = None;
    let context = Context {
        settings: &settings,
        progress: &Progress::default(),
        ..context
    };
    loop {
        let valued = candidates.applied(&program);
        let mut tried = Report::new(report.source.clone(), report.language);
        programs(&mut tried, &valued, context)?;
        report.statistics.add(&tried.statistics);
        if !candidates.weaken(&tried) || context.control.check().is_err() {
            break;
        }
    }
    let (values, sentences) = candidates.values_and_sentences(&program);
    report.basis.assumptions.extend(sentences);
    report.basis.inferred = values;
    Ok(candidates.applied(&program))
}

/// The candidates of a program, and what is thought of them.
#[derive(Debug)]
struct Candidates {
    values: BTreeMap<ConstantId, bool>,
    /// For each annotation with candidates, by its place: the constants before it.
    annotations: BTreeMap<Span, Vec<ConstantId>>,
}

impl Candidates {
    /// All that a program has; `None` if there are none.
    fn of(program: &Program) -> Option<Candidates> {
        let constants = program.background.constants.iter().enumerate();
        let declared: BTreeSet<ConstantId> = constants
            .filter(|(_, constant)| {
                constant.ty == Type::Bool
                    && !constant.unique
                    && constant.attributes.iter().any(is_existential)
            })
            .map(|(number, _)| ConstantId::new(number))
            .collect();
        if declared.is_empty() {
            return None;
        }
        let mut uses = Uses {
            declared: &declared,
            annotations: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
            is_unchecked: false,
        };
        uses.visit_program(program);
        if uses.is_unchecked {
            return None;
        }
        let values: BTreeMap<ConstantId, bool> = declared
            .difference(&uses.elsewhere)
            .map(|&constant| (constant, true))
            .collect();
        let mut annotations = uses.annotations;
        for before in annotations.values_mut() {
            before.retain(|constant| values.contains_key(constant));
        }
        (!values.is_empty()).then_some(Candidates {
            values,
            annotations,
        })
    }

    /// The program with these values.
    fn applied(&self, program: &Program) -> Program {
        let mut program = program.clone();
        Valued(&self.values).visit_program(&mut program);
        program
    }

    /// Makes false what a report does not prove. Tells whether that was anything.
    fn weaken(&mut self, report: &Report) -> bool {
        let mut any = false;
        let units = report.units.iter();
        for obligation in units.flat_map(|unit| &unit.obligations) {
            if matches!(obligation.verdict, Verdict::Safe(_)) {
                continue;
            }
            let places = [Some(obligation.span), obligation.clause];
            for place in places.into_iter().flatten() {
                let before = self.annotations.get(&place).into_iter().flatten();
                let mut open = before.filter(|constant| self.values.get(constant) == Some(&true));
                if let Some(&first) = open.next() {
                    self.values.insert(first, false);
                    any = true;
                    break;
                }
            }
        }
        any
    }

    /// The values, by name; and what there is to say about those that matter to something.
    fn values_and_sentences(&self, program: &Program) -> (Vec<(String, bool)>, Vec<String>) {
        let constants = &program.background.constants;
        let (mut values, mut sentences) = (Vec::new(), Vec::new());
        for (id, &value) in &self.values {
            let Some(constant) = constants.get(id.index()) else {
                continue;
            };
            values.push((constant.name.clone(), value));
            if self.annotations.values().any(|before| before.contains(id)) {
                sentences.push(format!("`{}` is {value}, as inferred", constant.name));
            }
        }
        (values, sentences)
    }
}

fn is_existential(attribute: &Attribute) -> bool {
    attribute.name == "existential"
        && match &attribute.args[..] {
            [] => true,
            [AttributeArgument::Expr(value)] => value.kind == ExprKind::Bool(true),
            _ => false,
        }
}

/// Where candidates' constants are.
struct Uses<'c> {
    declared: &'c BTreeSet<ConstantId>,
    annotations: BTreeMap<Span, Vec<ConstantId>>,
    /// The constants that stand where no value may be chosen for them.
    elsewhere: BTreeSet<ConstantId>,
    /// Whether something is not checked that looks as if it were.
    is_unchecked: bool,
}

/// Attributes by which something is assumed that is not checked, or not where it is assumed.
const UNCHECKED: [&str; 6] = [
    "always_assume",
    "only",
    "selective_checking",
    "start_checking_here",
    "verified_under",
    "verify",
];

impl Uses<'_> {
    /// What is checked, at this place.
    fn checked(&mut self, place: Span, condition: &Expr) {
        let mut before = Vec::new();
        let mut rest = condition;
        while let ExprKind::Binary(BinaryOp::Implies, premise, conclusion) = &rest.kind
            && self.are_candidates(premise, &mut before)
        {
            rest = conclusion;
        }
        self.visit_expr(rest);
        // Two annotations at one place cannot be told from each other.
        if !before.is_empty() && self.annotations.insert(place, before.clone()).is_some() {
            self.elsewhere.extend(before);
        }
    }

    /// Whether a premise is made of candidates' constants alone, which are added to the list.
    fn are_candidates(&self, premise: &Expr, found: &mut Vec<ConstantId>) -> bool {
        let known = found.len();
        let mut waiting = vec![premise];
        while let Some(part) = waiting.pop() {
            match &part.kind {
                ExprKind::Var(VarRef::Constant(constant)) if self.declared.contains(constant) => {
                    found.push(*constant);
                }
                ExprKind::Nary(NaryOp::And, parts) => waiting.extend(parts.iter().rev()),
                _ => {
                    found.truncate(known);
                    return false;
                }
            }
        }
        true
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.visit_attribute(attribute);
        }
    }

    fn conditions(&mut self, conditions: &[Condition], are_checked: bool) {
        for condition in conditions {
            match are_checked && !condition.free {
                true => {
                    self.attributes(&condition.attributes);
                    self.checked(condition.span, &condition.expr);
                }
                false => self.visit_condition(condition),
            }
        }
    }
}

impl Visit<'_> for Uses<'_> {
    fn visit_procedure(&mut self, procedure: &Procedure) {
        self.conditions(&procedure.requires, true);
        // Without a body nobody checks them.
        self.conditions(&procedure.ensures, !procedure.implementations.is_empty());
        let rest = Procedure {
            requires: Vec::new(),
            ensures: Vec::new(),
            ..procedure.clone()
        };
        walk_procedure(self, &rest);
    }

    fn visit_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assert {
                condition,
                attributes,
            } => {
                self.attributes(attributes);
                self.checked(stmt.span, condition);
            }
            StmtKind::While {
                invariants,
                condition,
                body,
                ..
            } => {
                self.conditions(invariants, true);
                condition.iter().for_each(|guard| self.visit_expr(guard));
                ensure_stack(|| body.iter().for_each(|stmt| self.visit_stmt(stmt)));
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        self.is_unchecked |= UNCHECKED.contains(&attribute.name.as_str());
        walk_attribute(self, attribute);
    }

    fn visit_var(&mut self, variable: &VarRef) {
        if let VarRef::Constant(constant) = variable
            && self.declared.contains(constant)
        {
            self.elsewhere.insert(*constant);
        }
    }
}

/// Puts values in the place of constants.
struct Valued<'v>(&'v BTreeMap<ConstantId, bool>);

impl VisitMut for Valued<'_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Var(VarRef::Constant(constant)) = &expr.kind
            && let Some(&value) = self.0.get(constant)
        {
            expr.kind = ExprKind::Bool(value);
            return;
        }
        change_expr(self, expr);
    }
}
