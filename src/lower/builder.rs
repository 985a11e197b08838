//! Builds the graph of one unit, edge by edge.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use ult_lang::hir::{Attribute, Condition, Expr, Meaning, ProcedureId};
use ult_lang::span::Span;

use super::Lowering;
use super::activation::SharedBodies;
use super::expr::ExprLowering;
use super::frame::{Frame, FrameScope, Slot};
use super::names::Names;
use super::origin::{FrameId, Origins, Step};
use super::quantified_types::{self, Goal, Position};
use super::sorts::string_argument;
use super::unit::{Abstraction, Displayed, Obligation, ObligationKind, Unsupported};
use super::unsupported::UnsupportedExpr;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::{Edge, EdgeId, Location, LocationId, Origin, ProgramGraph, Transition};

/// A graph under construction.
pub struct Builder<'l, 'a> {
    /// The program.
    pub lowering: &'l Lowering<'a>,
    /// The graph so far.
    pub graph: ProgramGraph,
    /// The obligations so far.
    pub obligations: BTreeMap<LocationId, Obligation>,
    /// The table of origins so far.
    pub origins: Origins,
    /// How variables are shown.
    pub displayed: BTreeMap<Arc<str>, Displayed>,
    /// Edges that allow too much.
    pub abstracted: BTreeMap<EdgeId, Abstraction>,
    /// Procedures this unit depends on.
    pub relies_on: BTreeSet<ProcedureId>,
    /// What could not be expressed.
    pub unsupported: Vec<Unsupported>,
    /// Names of variables.
    pub names: Names,
    /// The global variables.
    pub globals: Vec<Slot>,
    /// How often each procedure was inlined.
    pub instances: BTreeMap<ProcedureId, u32>,
    /// The frames of inlined bodies.
    pub inlined: Vec<Frame>,
    /// The bodies that are there once.
    pub shared_bodies: SharedBodies<'a>,
    /// How many edges calls of the unit itself have brought so far.
    pub brought: usize,
    /// In an inlined call of the unit itself, how many edges there were before it.
    pub before_call: Option<usize>,
    /// The procedures around the place at hand, the unit itself first.
    pub chain: Vec<ProcedureId>,
    /// Where checking starts, in a procedure of which only a part is checked.
    pub starts: BTreeSet<LocationId>,
    /// The variables of the unit's summary that failing obligations speak about, if it has one.
    failed: Option<Term>,
    location_names: Names,
    noted: HashSet<UnsupportedExpr>,
    /// Where control is; `None` behind a jump.
    at: Option<LocationId>,
}

/// An obligation about to be made.
pub struct NewObligation {
    /// What kind.
    pub kind: ObligationKind,
    /// The place to blame.
    pub span: Span,
    /// The clause, if it stands elsewhere.
    pub clause: Option<Span>,
    /// A text of the user's own.
    pub message: Option<String>,
}

impl<'l, 'a> Builder<'l, 'a> {
    /// A graph with nothing but its initial location, where control is.
    pub fn new(lowering: &'l Lowering<'a>, name: &str, names: Names) -> Self {
        let graph = ProgramGraph::new(name);
        let mut location_names = Names::default();
        location_names.reserve("start");
        Builder {
            lowering,
            at: Some(graph.initial),
            graph,
            obligations: BTreeMap::new(),
            origins: Origins::default(),
            displayed: BTreeMap::new(),
            abstracted: BTreeMap::new(),
            relies_on: BTreeSet::new(),
            unsupported: Vec::new(),
            names,
            globals: Vec::new(),
            instances: BTreeMap::new(),
            inlined: Vec::new(),
            shared_bodies: SharedBodies::default(),
            brought: 0,
            before_call: None,
            chain: Vec::new(),
            starts: BTreeSet::new(),
            failed: None,
            location_names,
            noted: HashSet::new(),
        }
    }

    /// The store of terms.
    pub fn terms(&self) -> &'a Terms {
        self.lowering.symbols.terms
    }

    // --- variables ----------------------------------------------------------------------------

    /// Adds a variable to the graph under a name of its own.
    pub fn declare(&mut self, wish: &str, sort: Sort, displayed: Displayed) -> Arc<str> {
        let name = self.names.fresh(wish);
        self.declare_as(name, sort, displayed)
    }

    /// Adds a variable whose name is already reserved.
    pub fn declare_as(&mut self, name: Arc<str>, sort: Sort, displayed: Displayed) -> Arc<str> {
        self.graph.variables.insert(name.clone(), sort);
        self.displayed.insert(name.clone(), displayed);
        name
    }

    // --- locations ----------------------------------------------------------------------------

    /// A new location. Its name is `wish`, if nobody else has it.
    pub fn location(&mut self, wish: &str) -> LocationId {
        let name = self.location_names.fresh(wish);
        self.add_location(name)
    }

    /// A new location called `stem` with a number.
    pub fn numbered_location(&mut self, stem: &str) -> LocationId {
        let name = self.location_names.numbered(stem);
        self.add_location(name)
    }

    fn add_location(&mut self, name: Arc<str>) -> LocationId {
        let procedure = self.procedure();
        self.graph.graph.add_node(Location {
            procedure,
            ..Location::named(name)
        })
    }

    /// The procedure whose body is being lowered.
    pub fn procedure(&self) -> Option<Arc<str>> {
        let procedure = self
            .lowering
            .program
            .procedures
            .get(self.chain.last()?.index())?;
        Some((&*procedure.name).into())
    }

    fn plain_location(&mut self) -> LocationId {
        self.numbered_location("l")
    }

    /// Where control is. Behind a jump this is a location that no edge leads to.
    pub fn here(&mut self) -> LocationId {
        match self.at {
            Some(at) => at,
            None => {
                let at = self.plain_location();
                self.at = Some(at);
                at
            }
        }
    }

    /// Whether control can be somewhere, as far as is known.
    pub fn is_live(&self) -> bool {
        self.at.is_some()
    }

    /// Continues at a location.
    pub fn go_on_at(&mut self, location: LocationId) {
        self.at = Some(location);
    }

    /// Control is nowhere: the edges of a jump are made.
    pub fn gone(&mut self) {
        self.at = None;
    }

    // --- edges --------------------------------------------------------------------------------

    /// An edge from here to `target`; control stays here.
    pub fn edge_to(
        &mut self,
        target: LocationId,
        transition: Transition,
        origin: Origin,
    ) -> EdgeId {
        let here = self.here();
        let location = &mut self.graph.graph[here];
        if location.origin.is_none() {
            location.origin = Some(origin);
        }
        self.graph
            .graph
            .add_edge(here, target, Edge::new(transition, Some(origin)))
    }

    /// An edge to a new location, where control then is.
    pub fn step(&mut self, transition: Transition, origin: Origin) -> EdgeId {
        let target = self.plain_location();
        let edge = self.edge_to(target, transition, origin);
        self.at = Some(target);
        edge
    }

    /// An edge to `target`, with which control is gone.
    pub fn jump(&mut self, target: LocationId, origin: Origin) {
        let skip = Transition::assume(self.terms().tt());
        self.edge_to(target, skip, origin);
        self.at = None;
    }

    /// From now on the edges of violated obligations say this, too.
    pub fn mark_failures(&mut self, failed: Option<Term>) {
        self.failed = failed;
    }

    /// What the edges of violated obligations say besides.
    pub fn failed(&self) -> Option<Term> {
        self.failed
    }

    // --- conditions ---------------------------------------------------------------------------

    /// The term of an expression in a frame.
    pub fn expr(&self, frame: &Frame, e: &Expr) -> Result<Term, UnsupportedExpr> {
        self.with_lowering(frame, |lowering| lowering.lower(e))
    }

    /// A condition as it may be assumed, and whether that is all it says.
    pub fn assumption(&self, frame: &Frame, e: &Expr) -> Result<(Term, bool), UnsupportedExpr> {
        self.with_lowering(frame, |lowering| assumption(lowering, e))
    }

    /// A condition that has to hold.
    pub fn goal(&self, frame: &Frame, e: &Expr) -> Result<Goal, UnsupportedExpr> {
        self.with_lowering(frame, |lowering| goal(lowering, e))
    }

    fn with_lowering<T>(
        &self,
        frame: &Frame,
        lower: impl FnOnce(&mut ExprLowering<'_, '_>) -> T,
    ) -> T {
        let scope = FrameScope {
            terms: self.terms(),
            globals: &self.globals,
            frame,
        };
        lower(&mut ExprLowering::new(
            &self.lowering.symbols,
            &scope,
            &frame.types,
        ))
    }

    /// Notes that something cannot be expressed.
    pub fn note(&mut self, unsupported: &UnsupportedExpr, frame: FrameId) -> Abstraction {
        let what: Arc<str> = (&*unsupported.what).into();
        // Once for each place, however often it is inlined.
        if self.noted.insert(unsupported.clone()) {
            let origin = self.origins.add(unsupported.span, Step::Unsupported, frame);
            self.unsupported.push(Unsupported {
                what: what.clone(),
                origin,
            });
        }
        Abstraction::Unsupported { what }
    }

    /// Lets through the states that satisfy the condition; all, marked as too many, if it cannot
    /// be expressed.
    pub fn assume(
        &mut self,
        condition: Result<Term, UnsupportedExpr>,
        span: Span,
        step: Step,
        frame: FrameId,
    ) {
        match condition {
            Ok(condition) => {
                let origin = self.origins.add(span, step, frame);
                self.step(Transition::assume(condition), origin);
            }
            Err(unsupported) => {
                let why = self.note(&unsupported, frame);
                let origin = self.origins.add(span, step, frame);
                let edge = self.step(Transition::assume(self.terms().tt()), origin);
                self.abstracted.insert(edge, why);
            }
        }
    }

    /// Assumes a clause in a frame.
    pub fn assume_expr(&mut self, frame: &Frame, e: &Expr, span: Span, step: Step) {
        match self.assumption(frame, e) {
            Ok((condition, exact)) => {
                let origin = self.origins.add(span, step, frame.id);
                let edge = self.step(Transition::assume(condition), origin);
                if !exact {
                    let what = quantified_types::WHAT.into();
                    self.abstracted.insert(edge, Abstraction::Weakened { what });
                }
            }
            Err(unsupported) => self.assume(Err(unsupported), span, step, frame.id),
        }
    }

    /// A run over the edge is none of the program, if the condition there is not exact.
    fn mark_inexact(&mut self, edge: EdgeId, goal: Goal) {
        let what = || quantified_types::WHAT.into();
        let why = match goal {
            Goal { exact: true, .. } => return,
            Goal { said: true, .. } => Abstraction::Weakened { what: what() },
            Goal { said: false, .. } => Abstraction::Unsupported { what: what() },
        };
        self.abstracted.insert(edge, why);
    }

    /// Makes an obligation of the condition and goes on where it holds. If the condition cannot be
    /// expressed, reaching this place is what must not happen, and all states go on.
    ///
    /// In a frame that is not `checked` the condition is only assumed.
    pub fn oblige(
        &mut self,
        frame: &Frame,
        condition: Result<Goal, UnsupportedExpr>,
        obligation: NewObligation,
    ) {
        let terms = self.terms();
        if !frame.checked {
            match condition {
                Ok(goal) => {
                    let origin = self.origins.add(obligation.span, Step::Passed, frame.id);
                    let edge = self.step(Transition::assume(goal.assumed), origin);
                    self.mark_inexact(edge, goal);
                }
                Err(unsupported) => {
                    self.assume(Err(unsupported), obligation.span, Step::Passed, frame.id);
                }
            }
            return;
        }
        let (kind, condition, why) = match condition {
            Ok(goal) => (obligation.kind, goal, None),
            Err(unsupported) => {
                let why = self.note(&unsupported, frame.id);
                let what = (&*unsupported.what).into();
                let never = Goal::from(terms.ff());
                (ObligationKind::Unsupported { what }, never, Some(why))
            }
        };
        let violated = self.origins.add(obligation.span, Step::Violated, frame.id);
        let text: Arc<str> = obligation
            .message
            .unwrap_or_else(|| kind.to_string())
            .into();
        let error = self.numbered_location("error");
        self.graph.graph[error].error = Some(text.clone());
        self.graph.graph[error].origin = Some(violated);
        let fails = terms.not(condition.proved);
        let violation = terms.and(self.failed.into_iter().chain([fails]));
        let edge = self.edge_to(error, Transition::assume(violation), violated);
        self.mark_inexact(edge, condition);
        self.obligations.insert(
            error,
            Obligation {
                kind,
                origin: violated,
                clause: obligation.clause,
                text,
            },
        );
        let passed = self.origins.add(obligation.span, Step::Passed, frame.id);
        let after = match why {
            Some(_) => terms.tt(),
            None => condition.assumed,
        };
        let edge = self.step(Transition::assume(after), passed);
        self.mark_inexact(edge, condition);
        if let Some(why) = why {
            self.abstracted.insert(edge, why);
        }
    }

    /// Gives the same number to all error locations of one obligation of the source: those that blame
    /// the same place for the same thing.
    pub fn number_obligations(&mut self) {
        let mut numbers = HashMap::new();
        for (&error, obligation) in &self.obligations {
            let Some(info) = self.origins.get(obligation.origin) else {
                continue;
            };
            let Obligation {
                kind, clause, text, ..
            } = obligation;
            let what = (info.span, *clause, format!("{kind:?}"), text.clone());
            // There are fewer of them than locations.
            let number = numbers.len() as u32;
            let number = *numbers.entry(what).or_insert(number);
            self.graph.graph[error].obligation = Some(number);
        }
    }

    /// A postcondition where a body that is verified on its own ends.
    pub fn at_end(&mut self, frame: &Frame, clause: &Condition, span: Span) {
        match clause.at_end(self.lowering.options.reading()) {
            Meaning::Owed => self.oblige_clause(frame, clause, ObligationKind::Ensures, span),
            Meaning::Assumed => {
                self.assume_expr(frame, &clause.expr, clause.span, Step::Passed);
            }
            Meaning::Nothing => {}
        }
    }

    /// An obligation from a contract or invariant clause. As in Boogie, the attributes of a postcondition do not say whether
    /// it is to be proved.
    pub fn oblige_clause(
        &mut self,
        frame: &Frame,
        clause: &Condition,
        kind: ObligationKind,
        span: Span,
    ) {
        let mut condition = self.goal(frame, &clause.expr);
        if kind != ObligationKind::Ensures {
            condition = self.under(frame, &clause.attributes, condition);
        }
        let obligation = NewObligation {
            kind,
            span,
            clause: Some(clause.span),
            message: message(&clause.attributes),
        };
        self.oblige(frame, condition, obligation);
    }
}

/// A condition as it may be assumed, and whether that is all it says.
pub fn assumption(
    lowering: &mut ExprLowering<'_, '_>,
    e: &Expr,
) -> Result<(Term, bool), UnsupportedExpr> {
    let condition = lowering.lower_at(Position::Assumed, e)?;
    Ok((condition, lowering.exact))
}

/// A condition that has to hold.
pub fn goal(lowering: &mut ExprLowering<'_, '_>, e: &Expr) -> Result<Goal, UnsupportedExpr> {
    let proved = lowering.lower_at(Position::Obliged, e)?;
    if lowering.exact {
        return Ok(proved.into());
    }
    let always = lowering.symbols.terms.tt();
    let assumed = lowering.lower_at(Position::Assumed, e).ok();
    Ok(Goal {
        proved,
        assumed: assumed.unwrap_or(always),
        exact: false,
        said: assumed.is_some(),
    })
}

/// The text of `{:msg "..."}`.
pub fn message(attributes: &[Attribute]) -> Option<String> {
    string_argument(attributes, "msg")
}
