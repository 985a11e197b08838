//! Attributes of Boogie that say which obligations there are, in the modular reading.
//!
//! * `{:verified_under A}` at an assertion, an invariant or a call: where `A` holds, somebody else has verified it. With several
//!   of them all have to hold. Behind it the condition is assumed as ever.
//! * `{:subsumption 0}` at an assertion: behind it nothing is assumed.
//! * `{:selective_checking}` at a procedure: only what can be reached from a statement `assume {:start_checking_here} true;`
//!   is checked, all else is assumed.
//! * `{:always_assume}` at a free clause: whoever checks the clauses behind it assumes it.
//! * `{:assumption}` at a variable: it is true at the start of a body, and `havoc` makes it false at most.

use std::collections::BTreeSet;

use ult_lang::hir::{Attribute, AttributeArgument, ExprKind, LocalId, Reading, Type, VarRef};
use ult_lang::span::Span;

use super::builder::Builder;
use super::frame::Frame;
use super::origin::Step;
use super::quantified_types::Goal;
use super::unit::{Obligation, ObligationKind};
use super::unsupported::UnsupportedExpr;
use ult_core::formula::{Sort, Term, Version};
use ult_core::graph::LocationId;

/// The attribute of procedures of which only a part is checked.
const SELECTIVE: &str = "selective_checking";

/// The attribute of assumptions behind which it begins.
pub(super) const START: &str = "start_checking_here";

/// The attribute of variables that collect assumptions.
const ASSUMPTION: &str = "assumption";

/// Whether the attribute says that an assertion is not assumed behind it.
fn is_forgotten(attribute: &Attribute) -> bool {
    let argument = match &attribute.args[..] {
        [AttributeArgument::Expr(e)] => &e.kind,
        _ => return false,
    };
    attribute.name == "subsumption" && matches!(argument, ExprKind::Int(n) if n.to_string() == "0")
}

impl Builder<'_, '_> {
    fn hears_attributes(&self) -> bool {
        self.lowering.options.reading().hears_attributes()
    }

    /// The local variables of a body that collect assumptions are true at its start. Boogie forgets that where it inlines.
    pub fn assumptions_hold(&mut self, frame: &Frame, locals: std::ops::Range<usize>, span: Span) {
        let holds = match self.lowering.options.reading() {
            Reading::Whole => false,
            Reading::Stated => true,
            Reading::Modular => self.chain.len() == 1,
        };
        if !holds {
            return;
        }
        for local in locals {
            let variable = VarRef::Local(LocalId::new(local));
            if let Some(current) = self.assumption_variable(frame, variable, Version::Current) {
                self.assume(Ok(current), span, Step::Assume, frame.id);
            }
        }
    }

    /// What `havoc` says besides: a variable that collects assumptions is true only if it was.
    pub fn assumptions_stay(&self, frame: &Frame, variables: &[VarRef], formula: Term) -> Term {
        if !self.hears_attributes() {
            return formula;
        }
        let terms = self.terms();
        let stays = variables.iter().filter_map(|&variable| {
            let before = self.assumption_variable(frame, variable, Version::Current)?;
            let after = self.assumption_variable(frame, variable, Version::Next)?;
            Some(terms.or([terms.not(after), before]))
        });
        let stays: Vec<Term> = stays.collect();
        terms.and([formula].into_iter().chain(stays))
    }

    /// A variable that collects assumptions, if it is one.
    fn assumption_variable(
        &self,
        frame: &Frame,
        variable: VarRef,
        version: Version,
    ) -> Option<Term> {
        if !self.has_attribute(frame, variable, ASSUMPTION) {
            return None;
        }
        let (name, sort) = self.slot(frame, variable)?.as_ref().ok()?;
        (*sort == Sort::Bool).then(|| self.terms().var(name.clone(), version, sort.clone()))
    }

    /// The condition, as far as its attributes leave it to be proved here. An attribute that is no condition leaves all of it.
    pub fn under(
        &self,
        frame: &Frame,
        attributes: &[Attribute],
        goal: Result<Goal, UnsupportedExpr>,
    ) -> Result<Goal, UnsupportedExpr> {
        if !self.hears_attributes() {
            return goal;
        }
        let terms = self.terms();
        let goal = match attributes.iter().any(is_forgotten) {
            true => goal.map(|goal| Goal {
                assumed: terms.tt(),
                ..goal
            }),
            false => goal,
        };
        let mut elsewhere = Vec::new();
        for attribute in attributes.iter().filter(|a| a.name == "verified_under") {
            match &attribute.args[..] {
                [AttributeArgument::Expr(e)] if e.ty == Type::Bool => match self.expr(frame, e) {
                    Ok(condition) => elsewhere.push(condition),
                    // Whether it holds is not known, and so neither what is left to be proved.
                    Err(unsupported) => return Err(unsupported),
                },
                _ => return goal,
            }
        }
        if elsewhere.is_empty() {
            return goal;
        }
        goal.map(|goal| Goal {
            proved: terms.or([terms.and(elsewhere), goal.proved]),
            ..goal
        })
    }

    /// Control is behind an assumption: what follows is checked, where that is not so of everything.
    pub fn start_checking(&mut self) {
        let here = self.here();
        self.starts.insert(here);
    }

    /// Drops the obligations that are not checked, if the procedure's attributes say that there are such.
    pub fn select(&mut self, attributes: &[Attribute]) {
        let is_selective = attributes.iter().any(|a| a.name == SELECTIVE);
        if !self.hears_attributes() || !is_selective {
            return;
        }
        let graph = &self.graph.graph;
        let mut reached: BTreeSet<LocationId> = self.starts.clone();
        let mut waiting: Vec<LocationId> = reached.iter().copied().collect();
        while let Some(location) = waiting.pop() {
            for next in graph.neighbors(location) {
                if reached.insert(next) {
                    waiting.push(next);
                }
            }
        }
        // What cannot be expressed makes proofs doubtful wherever it is.
        let is_dropped = |error: &LocationId, obligation: &Obligation| {
            let is_unsupported = matches!(obligation.kind, ObligationKind::Unsupported { .. });
            !is_unsupported && !reached.contains(error)
        };
        let all = self.obligations.iter();
        let dropped = all.filter(|(error, obligation)| is_dropped(error, obligation));
        let dropped: Vec<LocationId> = dropped.map(|(&error, _)| error).collect();
        for error in dropped {
            self.obligations.remove(&error);
            self.graph.graph[error].error = None;
        }
    }
}
