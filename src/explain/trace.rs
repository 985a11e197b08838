//! Confirmed traces in the terms of the source.

mod unset;

use std::cell::{LazyCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

use ult_lang::span::Span;

use self::unset::Unset;
use super::c_expression;
use super::call_depth::CallDepth;
use super::cause::{self, Cause};
use super::invariants::FORMULA_LIMIT;
use super::names::{inside, is_memory, is_users, qualified, users_name, within};
use super::pretty::bound_names;
pub use super::run_step::RunStep;
use super::source::Source;
use super::translated::{as_c, assigned, is_call, is_zero, translated};
use super::values::{LIMIT, atom, change, differ, element, shown};
use ult_check::Violation;
use ult_core::formula::print::Printer;
use ult_core::formula::{Op, Term, Terms, Value, Var, Version};
use ult_core::graph::evidence::{Plans, Run, Walk};
use ult_core::graph::{Definition, EdgeId};
use ult_lower::origin::{OriginInfo, Step};
use ult_lower::plan::ULTIMATE_START;
use ult_lower::unit::LoweredUnit;

/// Of a longer run, so many steps at its beginning and at its end are told, and those with inputs.
const SHOWN_AT_ENDS: RangeInclusive<usize> = 20..=5000;

/// The runs to all obligations of a unit together are told with about so many steps at each end: where a thousand assertions
/// are violated one after the other, the runs in full would be a million steps.
const SHOWN_OF_ALL: usize = 50_000;

/// So many inputs are told of those between.
const MOST_INPUTS: usize = 5000;

/// The variables that a formula reads before the step, and the constants in it.
struct Mentioned {
    variables: Vec<Arc<str>>,
    constants: Vec<Arc<str>>,
}

/// Tells the confirmed runs of one unit.
pub struct BackTranslation<'a> {
    terms: &'a Terms,
    unit: &'a LoweredUnit,
    source: &'a Source,
    /// What all runs share.
    pub(super) plans: RefCell<Plans<'a>>,
    mentioned: RefCell<HashMap<EdgeId, Rc<Mentioned>>>,
    /// Whether what is chosen is told in full.
    #[cfg_attr(
        not(feature = "svlib"),
        expect(dead_code, reason = "only the witnesses of SV-LIB ask")
    )]
    is_exact: bool,
}

impl<'a> BackTranslation<'a> {
    /// If runs are to be exact, what is chosen at each step is told in full.
    pub fn new(
        terms: &'a Terms,
        unit: &'a LoweredUnit,
        source: &'a Source,
        is_exact: bool,
    ) -> BackTranslation<'a> {
        BackTranslation {
            plans: RefCell::new(Plans::new(terms, &unit.graph)),
            mentioned: RefCell::default(),
            terms,
            unit,
            source,
            is_exact,
        }
    }

    /// The steps of a confirmed run. The first one gives the values at the start.
    pub fn trace(&self, violation: &Violation) -> Vec<RunStep> {
        let run = violation.run();
        match run.branches.is_empty() {
            true => self.steps(run),
            false => self.tree(run),
        }
    }

    fn steps(&self, run: &Run) -> Vec<RunStep> {
        let mut steps = vec![self.start(run)];
        let mut plans = self.plans.borrow_mut();
        let mut walk = Walk::new(&mut plans, run);
        let mut unset = Unset::default();
        let mut reads = HashMap::new();
        let (mut left_out, mut inputs) = (0_u64, 0);
        let ends = self.shown_at_ends();
        let mut depth = CallDepth::default();
        let decisive = self.decisive(run);
        let mut cause = None;
        for (number, step) in run.steps.iter().enumerate() {
            // It was confirmed.
            if walk.step(step).is_err() {
                break;
            }
            if let Some(accelerated) = step.accelerated() {
                depth.forget();
                left_out = accelerated.length().saturating_add(left_out);
                if self.source.is_translated {
                    for edge in accelerated.edges() {
                        self.reads_unset(edge, None, &mut unset, &mut reads);
                    }
                }
            }
            if Some(number) == decisive {
                cause = self.cause(step.edge, &walk);
            }
            let origin = self
                .unit
                .graph
                .graph
                .edge_weight(step.edge)
                .and_then(|edge| edge.origin);
            let around = origin.map(|origin| depth.pass(&self.unit.origins, origin));
            let is_shown = number < ends || run.steps.len() - number <= ends;
            let told = match is_shown || self.may_be_input(step.edge) {
                true => self.step(step.edge, &walk),
                false => None,
            };
            let call = told.as_ref().and_then(|told| told.input.as_ref());
            let call = call.map(|(call, _)| *call);
            let read = match self.source.is_translated {
                true => self.reads_unset(step.edge, call, &mut unset, &mut reads),
                false => Vec::new(),
            };
            let is_told = is_shown || call.is_some() && inputs < MOST_INPUTS;
            match told {
                Some(told) if is_told => {
                    inputs += usize::from(call.is_some());
                    let left_out = std::mem::take(&mut left_out);
                    steps.push(RunStep {
                        depth: told.depth.saturating_add_signed(around.unwrap_or(0)),
                        unset: read,
                        left_out,
                        ..told
                    });
                }
                _ => left_out = left_out.saturating_add(u64::from(!is_shown)),
            }
        }
        if let Some(last) = steps.last_mut().filter(|last| !last.violation) {
            // In a program-graph text the last edge just leads to the error location.
            last.violation = true;
            last.minor = false;
            last.remark = Some("enters the error location".into());
        }
        // The second step of forgetting a loop forgets nothing any more.
        let mut before: Option<(Span, usize)> = None;
        for step in &mut steps {
            let here =
                (step.abstracted && step.remark.is_some()).then_some((step.span, step.depth));
            step.minor |= here.is_some() && here == before && step.changes.is_empty();
            before = here;
        }
        if self.source.is_translated {
            steps = translated(steps, self.source);
        }
        self.told_once(&mut steps);
        if let Some(last) = steps.last_mut() {
            last.cause = cause;
        }
        steps
    }

    /// What is violated often has a step before it in the same place: the call whose precondition it is, which sets parameters, or
    /// the condition of an assertion in C. Such a place stands in the run once.
    fn told_once(&self, steps: &mut [RunStep]) {
        let Some((last, before)) = steps.split_last_mut() else {
            return;
        };
        // Parts of what a macro became come from the same place of the file.
        let place = |step: &RunStep| (self.source.start(step.span), step.depth);
        let same = before.iter_mut().rev().find(|step| !step.minor);
        let is_same = |step: &&mut RunStep| {
            matches!(step.remark.as_deref(), None | Some("false"))
                && step.statement == last.statement
                && place(step) == place(last)
        };
        if let Some(same) = same.filter(is_same) {
            same.minor = true;
            last.changes.splice(0..0, std::mem::take(&mut same.changes));
        }
    }

    /// How many steps at each end of a run are told. It depends on nothing but the unit, so that it does not matter which run is
    /// found first.
    fn shown_at_ends(&self) -> usize {
        let (least, most) = SHOWN_AT_ENDS.into_inner();
        (SHOWN_OF_ALL / self.unit.obligations.len().max(1)).clamp(least, most)
    }

    /// The step by which a run goes wrong: the last one where something does not hold that the place of the violation says.
    pub(super) fn decisive(&self, run: &Run) -> Option<usize> {
        let blamed = self.origin(run.steps.last()?.edge)?;
        let blamed = (
            self.source.start(blamed.span),
            self.source.excerpt(blamed.span, LIMIT),
        );
        let is_there = |span: Span| {
            self.source.start(span) == blamed.0 && self.source.excerpt(span, LIMIT) == blamed.1
        };
        let is_decisive = |edge: EdgeId| {
            let formula = self.unit.graph.graph.edge_weight(edge)?.transition.formula;
            let info = self.origin(edge)?;
            let may = match info.step {
                Step::Violated => true,
                // In C, the condition of an assertion is one of a statement.
                Step::Branch { free: false, .. } => self.source.is_translated,
                _ => false,
            };
            (may && formula != self.terms.tt() && is_there(info.span)).then_some(())
        };
        // A condition is evaluated just before.
        let last = run.steps.len();
        let near = last.saturating_sub(self.shown_at_ends())..last;
        near.rev()
            .find(|&number| is_decisive(run.steps[number].edge).is_some())
    }

    /// Why the formula of the step taken last, which says what is violated, is true.
    pub(super) fn cause(&self, edge: EdgeId, walk: &Walk<'_, '_>) -> Option<Cause> {
        let formula = self.unit.graph.graph.edge_weight(edge)?.transition.formula;
        let failed = cause::failed(self.terms, formula, walk)?;
        let displayed = |var: &Var| {
            let displayed = self.unit.displayed.get(&var.name)?;
            match self.source.is_translated {
                true => is_users(&displayed.name).then(|| displayed.name.to_string()),
                false => Some(qualified(displayed, &self.unit.graph.name)),
            }
        };
        let free = self.terms.free_vars(&[failed.conjunct]);
        let free = free.iter().filter_map(|&var| self.terms.as_var(var));
        let taken = free.filter_map(displayed).collect();
        let bound = bound_names(self.terms, failed.conjunct, &taken);
        let name = |var: &Var| match var.version {
            Version::Bound(number) => bound.get(&number).cloned(),
            _ => displayed(var),
        };
        let mentioned = self.terms.free_vars(&[failed.conjunct]).into_iter();
        let function = self.procedure(self.origin(edge)?);
        let mentioned: Vec<String> = mentioned
            .filter_map(|term| displayed(self.terms.as_var(term)?))
            .map(|name| within(&function, &users_name(&name)).to_owned())
            .collect();
        let text = self.source.excerpt(self.origin(edge)?.span, FORMULA_LIMIT);
        let written = cause::written(&text, &failed, &mentioned);
        let conjunct = match self.source.is_translated {
            _ if written.is_some() => written,
            true => c_expression::for_people(self.terms, self.unit, failed.conjunct),
            false => {
                let text = |var: &Var| name(var).unwrap_or_else(|| var.name.to_string());
                let text = Printer::new(self.terms, &text).print(failed.conjunct);
                (text.chars().count() <= 2 * LIMIT).then_some(text)
            }
        };
        let elements = |map: &str, index: &[Value]| element(map, index, self.source);
        let words = cause::Words {
            name: &name,
            shown: &shown,
            element: &elements,
        };
        let mut values = failed.values(self.terms, walk, &words);
        if self.source.is_translated {
            // Parts of a pointer mean nothing to people, but that there is no object.
            values.retain_mut(|(name, value)| {
                let is_null = name.strip_suffix(".base").filter(|_| is_zero(value));
                let Some(pointer) = is_null.map(str::to_owned) else {
                    return !name.ends_with(".base") && !name.ends_with(".offset");
                };
                (*name, *value) = (pointer, "NULL".into());
                true
            });
            for (name, value) in &mut values {
                *name = within(&function, &users_name(name)).to_owned();
                *value = as_c(value);
            }
        }
        (conjunct.is_some() || !values.is_empty()).then_some(Cause { conjunct, values })
    }

    /// Whether the result of a call may be chosen there.
    fn may_be_input(&self, edge: EdgeId) -> bool {
        let is_havoc = |info: &OriginInfo| matches!(info.step, Step::Havoc);
        self.source.is_translated && self.origin(edge).is_some_and(is_havoc)
    }

    /// The values that the run reads before it writes them: inputs, and the constants.
    pub(super) fn start(&self, run: &Run) -> RunStep {
        let mut written: BTreeSet<&Arc<str>> = BTreeSet::new();
        let mut read: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut constants: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut seen = vec![false; self.unit.graph.graph.edge_count()];
        for taken in run.edges() {
            let Some(edge) = self.unit.graph.graph.edge_weight(taken) else {
                continue;
            };
            // What an edge reads again was read or written before.
            let seen = &mut seen[taken.index()];
            if std::mem::replace(seen, true) || edge.transition.is_idle(self.terms) {
                continue;
            }
            let mentioned = self.mentioned(taken, edge.transition.formula);
            for name in &mentioned.variables {
                if !written.contains(name) && !read.contains(name) {
                    read.insert(name.clone());
                }
            }
            for name in &mentioned.constants {
                if !constants.contains(name) {
                    constants.insert(name.clone());
                }
            }
            written.extend(&edge.transition.changed);
        }
        let constants = constants.into_iter().filter_map(|name| {
            let value = run.rigid.apply(&name, &[])?;
            Some((name.to_string(), shown(&value)))
        });
        let variables = self.unit.graph.variables.keys().filter_map(|name| {
            let displayed = self.unit.displayed.get(name)?;
            let own = displayed
                .procedure
                .as_ref()
                .is_none_or(|procedure| *procedure == self.unit.graph.name);
            let wanted = own && !displayed.old && read.contains(name);
            let value = run.start.get(name).filter(|_| wanted)?;
            // In C, what is not initialised is zero.
            let is_told = !self.source.is_translated || !matches!(value, Value::Map(_));
            is_told.then(|| (displayed.name.to_string(), shown(value)))
        });
        RunStep {
            span: self.first_span(run),
            procedure: self.unit.graph.name.clone(),
            depth: 0,
            statement: "start".into(),
            remark: None,
            changes: constants.chain(variables).collect(),
            minor: false,
            violation: false,
            input: None,
            unset: Vec::new(),
            abstracted: false,
            cause: None,
            left_out: 0,
            #[cfg(feature = "svlib")]
            chosen: None,
        }
    }

    /// What an edge's formula mentions, which is looked for once for all runs.
    fn mentioned(&self, edge: EdgeId, formula: Term) -> Rc<Mentioned> {
        let mut known = self.mentioned.borrow_mut();
        let found = known.entry(edge).or_insert_with(|| {
            let variables = self.terms.names_of(&[formula], Version::Current);
            let constant = |term| match self.terms.op(term) {
                Op::Apply(function) if function.params.is_empty() => Some(function.name.clone()),
                _ => None,
            };
            let parts = self.terms.post_order(&[formula]).into_iter();
            Rc::new(Mentioned {
                variables: variables.into_keys().collect(),
                constants: parts.filter_map(constant).collect(),
            })
        });
        found.clone()
    }

    fn first_span(&self, run: &Run) -> Span {
        run.steps
            .iter()
            .find_map(|step| Some(self.origin(step.edge)?.span))
            .unwrap_or_default()
    }

    fn origin(&self, edge: EdgeId) -> Option<&OriginInfo> {
        let origin = self.unit.graph.graph.edge_weight(edge)?.origin?;
        self.unit.origins.get(origin)
    }

    /// The procedure that a place is in.
    fn procedure(&self, info: &OriginInfo) -> Arc<str> {
        let frame = self.unit.origins.frame(info.frame);
        let name = frame.map_or(&self.unit.graph.name, |frame| &frame.name);
        self.source.users_name(name).into()
    }

    pub(super) fn step(&self, edge: EdgeId, walk: &Walk<'_, '_>) -> Option<RunStep> {
        let origin = self.unit.graph.graph.edge_weight(edge)?.origin?;
        let info = self.unit.origins.get(origin)?;
        let procedure = self.procedure(info);
        let text = self.source.excerpt(info.span, LIMIT);
        let is_sure = || {
            let edge = self.unit.graph.graph.edge_weight(edge);
            edge.is_some_and(|edge| edge.transition.formula == self.terms.tt())
        };
        // What variables of the C library are called means nothing to people.
        let is_library = self.source.is_in_c_library(info.span);
        let frame = self.unit.origins.frame(info.frame);
        let function = frame.map_or(&self.unit.graph.name, |frame| &frame.name);
        let changes = match &info.step {
            // The values are among the arguments.
            Step::Derive { .. } => Vec::new(),
            step => self.changes(edge, step, walk, is_library.then_some(function)),
        };
        // Memory that several objects share has no name: what is written is called as the statement calls it.
        let changes = match &changes[..] {
            // Whether it is written: C has no truth values in memory.
            [(name, value)]
                if self.source.is_translated
                    && is_memory(name)
                    && matches!(&**value, "true" | "false") =>
            {
                Vec::new()
            }
            [(name, value)] if self.source.is_translated && is_memory(name) => {
                match assigned(&text) {
                    Some(written) if is_library => vec![(inside(written), value.clone())],
                    Some(written) => vec![(written.to_owned(), value.clone())],
                    None => changes,
                }
            }
            _ => changes,
        };
        let (statement, remark, minor) = match &info.step {
            Step::Start
            | Step::Loop
            | Step::Goto
            | Step::Skip
            | Step::Choose
            | Step::Declaration => return None,
            // The loop that a translator wrote.
            Step::Branch { .. } if self.source.is_translated && is_sure() => return None,
            Step::Precondition | Step::Where | Step::Postcondition | Step::Invariant => {
                (text, Some(format!("{} holds", info.step)), true)
            }
            Step::Passed => (text, Some("holds".into()), true),
            Step::ReturnStatement => ("return".into(), None, true),
            Step::Branch { taken, free: false } => {
                let way = if *taken { "true" } else { "false" };
                // The choice of a caller that nobody wrote.
                let is_made_up = !is_users(&procedure) || &*procedure == ULTIMATE_START;
                let minor = self.source.is_translated && is_made_up;
                (text, Some(way.into()), minor)
            }
            Step::Branch { taken, free: true } => {
                let way = if *taken { "first" } else { "second" };
                ("*".into(), Some(format!("takes the {way} branch")), true)
            }
            Step::Violated => (text, Some("VIOLATED".into()), false),
            Step::Return(callee) => (format!("return from {callee}"), None, changes.is_empty()),
            Step::Contract(callee) => (text, Some(format!("by the contract of {callee}")), false),
            Step::ForgetLoop => (text, Some("after any number of rounds".into()), false),
            Step::Unsupported => (text, Some("not understood".into()), false),
            Step::Derive {
                predicate,
                arguments,
            } => (atom(predicate, arguments, walk), None, false),
            Step::Assume
            | Step::Defined(_)
            | Step::Assign
            | Step::Havoc
            | Step::Call(_)
            | Step::Edge => (text, None, false),
        };
        let procedure = match procedure.strip_suffix('~') {
            // Nobody wrote it, and people read it.
            Some(name) => name.into(),
            None => procedure,
        };
        // What a translator made of a statement is told once, by what it does to the user's variables.
        let silent = self.source.is_translated
            && remark.is_none()
            && !matches!(info.step, Step::Call(_))
            && !changes.iter().any(|(name, _)| is_users(name));
        let value = match (&info.step, changes.as_slice()) {
            (Step::Havoc, [(_, value)]) => Some(value.clone()),
            // A pointer: an address is no number that means anything to the user.
            (Step::Havoc, [(_, base), (_, offset)]) if is_zero(base) && is_zero(offset) => {
                Some(base.clone())
            }
            (Step::Havoc, [_, _]) => Some("an address".to_owned()),
            _ => None,
        };
        let value = value.filter(|_| self.source.is_translated);
        let input = value.and_then(|value| Some((self.call(info.span)?, value)));
        let minor = minor || silent && input.is_none();
        Some(RunStep {
            span: info.span,
            procedure,
            depth: self.unit.origins.call_stack(origin).len(),
            statement,
            remark,
            changes,
            minor,
            violation: matches!(info.step, Step::Violated),
            input,
            unset: Vec::new(),
            abstracted: matches!(info.step, Step::Contract(_) | Step::ForgetLoop),
            cause: None,
            left_out: 0,
            #[cfg(feature = "svlib")]
            chosen: match self.is_exact {
                true => super::sv_lib::chosen(self.unit, edge, info, walk),
                false => None,
            },
        })
    }

    /// The call at the end of a place, if this is a call, or an assignment of a call's result.
    fn call(&self, place: Span) -> Option<Span> {
        let text = self.source.text.get(place.range())?.trim_end();
        let end = place.start + u32::try_from(text.len()).ok()?;
        let call = match text.rfind('=').map(|at| text[at + 1..].trim_start()) {
            Some(right) if is_call(right) => right,
            _ if is_call(text) => text,
            _ => return None,
        };
        let length = u32::try_from(call.len()).ok()?;
        Some(Span::new(end - length, end))
    }

    /// What a step changes. The local variables of the function `library` are marked as such.
    fn changes(
        &self,
        edge: EdgeId,
        step: &Step,
        walk: &Walk<'_, '_>,
        library: Option<&Arc<str>>,
    ) -> Vec<(String, String)> {
        let Some(edge) = self.unit.graph.graph.edge_weight(edge) else {
            return Vec::new();
        };
        let transition = &edge.transition;
        let constrained: BTreeMap<Arc<str>, _> =
            self.terms.names_of(&[transition.formula], Version::Next);
        let definitions = LazyCell::new(|| transition.definitions(self.terms).0);
        let mut changes = Vec::new();
        for name in self.unit.graph.variables.keys() {
            let Some(displayed) = self.unit.displayed.get(name) else {
                continue;
            };
            let is_told = !displayed.old && !displayed.is_made_up();
            if !is_told || !transition.changed.contains(name) {
                continue;
            }
            let (old, Some(new)) = (walk.before(name), walk.now(name)) else {
                continue;
            };
            let wanted = match step {
                // All variables of the callee become arbitrary; its parameters get values.
                Step::Call(_) => constrained.contains_key(name),
                Step::Contract(_) | Step::ForgetLoop | Step::Edge | Step::Unsupported => {
                    old.is_none_or(|old| differ(old, new))
                }
                // What the caller had before the call is no result of it.
                Step::Return(_) => {
                    let mut found = definitions.iter().filter(|d| d.variable == *name);
                    found.all(|definition| self.terms.as_var(definition.value).is_some())
                }
                _ => true,
            };
            if wanted {
                let stored = match new {
                    Value::Map(_) => self.stored(&definitions, name, walk),
                    _ => None,
                };
                let is_inside = library.is_some() && displayed.procedure.as_ref() == library;
                let name = match is_inside {
                    true => &*inside(&displayed.name),
                    false => &displayed.name,
                };
                changes.extend(change(name, old, new, stored, self.source));
            }
        }
        changes
    }

    /// The indices at which a step puts elements into a map, if that is all it does to it.
    fn stored(
        &self,
        definitions: &[Definition],
        name: &Arc<str>,
        walk: &Walk<'_, '_>,
    ) -> Option<BTreeSet<Vec<Value>>> {
        let mut value = definitions.iter().find(|d| d.variable == *name)?.value;
        let mut indices = BTreeSet::new();
        while let (Op::Store, [map, parts @ .., _]) = (self.terms.op(value), self.terms.args(value))
        {
            let index = parts.iter().map(|&part| walk.evaluate(part).ok());
            indices.insert(index.collect::<Option<_>>()?);
            value = *map;
        }
        let var = self.terms.as_var(value)?;
        (var.name == *name && var.version == Version::Current).then_some(indices)
    }
}
