//! Runs and invariants in the terms of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ult_lang::span::Span;

use super::c_expression;
use super::result::{InvariantReport, RunStep};
use super::source::Source;
use ult_check::{Proof, Violation};
use ult_core::formula::print::Printer;
use ult_core::formula::{Op, Term, Terms, Value, Var, Version};
use ult_core::graph::evidence::{Run, State};
use ult_core::graph::{EdgeId, Location, LocationId};
use ult_lower::origin::{OriginInfo, Step};
use ult_lower::unit::{Displayed, LoweredUnit};

/// The longest statement and the longest value that are shown.
const LIMIT: usize = 100;

/// The largest formula that is shown, in nodes and in characters of its text.
const FORMULA_LIMIT: usize = 4000;

/// Up to so many changed elements of a map are shown one by one.
const ELEMENTS: usize = 4;

/// The steps of a confirmed run of a unit. The first one gives the values at the start.
pub(crate) fn run_steps(
    terms: &Terms,
    unit: &LoweredUnit,
    source: &Source,
    violation: &Violation,
) -> Vec<RunStep> {
    let back = BackTranslation {
        terms,
        unit,
        source,
    };
    back.steps(violation.run())
}

/// The invariants to show: of Horn clauses the meaning of every predicate.
#[cfg(feature = "horn")]
fn formulas(terms: &Terms, unit: &LoweredUnit, proof: &Proof) -> BTreeMap<LocationId, Term> {
    let arguments = ult_chc::predicates(unit);
    match arguments.is_empty() {
        true => proof.invariants().clone(),
        false => ult_chc::interpretations(terms, &unit.graph, &arguments, proof.invariants()),
    }
}

#[cfg(not(feature = "horn"))]
fn formulas(_: &Terms, _: &LoweredUnit, proof: &Proof) -> BTreeMap<LocationId, Term> {
    proof.invariants().clone()
}

/// The confirmed invariants at the loop heads of a unit.
pub(crate) fn invariants(
    terms: &Terms,
    unit: &LoweredUnit,
    source: &Source,
    proof: &Proof,
) -> Vec<InvariantReport> {
    let back = |var: &Var| match unit.displayed.get(&var.name) {
        Some(displayed) => qualified(displayed, &unit.graph.name),
        None => ult_core::formula::print::plain_name(var),
    };
    let info = |location: &Location| unit.origins.get(location.origin?);
    let formulas = formulas(terms, unit, proof);
    let mut found: Vec<InvariantReport> = formulas
        .iter()
        .filter_map(|(&location, &formula)| {
            let place = unit.graph.graph.node_weight(location)?;
            if !place.loop_head {
                return None;
            }
            let predicate = info(place).and_then(|info| match &info.step {
                Step::Derive {
                    predicate,
                    arguments,
                } => Some(applied(
                    predicate,
                    arguments.iter().map(|name| name.to_string()),
                )),
                _ => None,
            });
            let c = match source.is_translated {
                true => c_expression::print(terms, unit, formula),
                false => None,
            };
            let formula = match terms.size(formula) {
                size if size > FORMULA_LIMIT => format!("too large to be shown ({size} nodes)"),
                _ => Printer::new(terms, &back).print(formula),
            };
            let length = formula.chars().count();
            Some(InvariantReport {
                location: place.name.clone(),
                predicate,
                span: info(place).map(|info| info.span),
                formula: match length {
                    length if length > FORMULA_LIMIT => {
                        format!("too large to be shown ({length} characters)")
                    }
                    _ => formula,
                },
                c,
            })
        })
        .collect();
    found.sort_by_key(|invariant| invariant.span);
    found
}

/// A variable as it is called from within the unit `inside`.
pub(super) fn qualified(displayed: &Displayed, inside: &str) -> String {
    match (&displayed.procedure, displayed.old) {
        (_, true) => format!("old({})", displayed.name),
        (Some(procedure), false) if **procedure != *inside => {
            format!("{procedure}.{}", displayed.name)
        }
        _ => displayed.name.to_string(),
    }
}

/// Variables with arbitrary values: the steps that made them so, and the places to be told.
#[derive(Default)]
struct Unset(BTreeMap<Arc<str>, (Span, Span)>);

struct BackTranslation<'a> {
    terms: &'a Terms,
    unit: &'a LoweredUnit,
    source: &'a Source,
}

impl BackTranslation<'_> {
    fn steps(&self, run: &Run) -> Vec<RunStep> {
        let mut steps = vec![self.start(run)];
        let mut before = &run.start;
        let mut unset = Unset::default();
        for step in &run.steps {
            let told = self.step(step.edge, before, &step.state);
            let call = told.as_ref().and_then(|told| told.input.as_ref());
            let call = call.map(|(call, _)| *call);
            let read = match self.source.is_translated {
                true => self.reads_unset(step.edge, call, &mut unset),
                false => Vec::new(),
            };
            steps.extend(told.map(|told| RunStep {
                unset: read,
                ..told
            }));
            before = &step.state;
        }
        if let Some(last) = steps.last_mut().filter(|last| !last.violation) {
            // In a program-graph text the last edge just leads to the error location.
            last.violation = true;
            last.minor = false;
            last.remark = Some("enters the error location".into());
        }
        if self.source.is_translated {
            steps = translated(steps);
        }
        steps
    }

    /// The values that the run reads before it writes them: inputs, and the constants.
    fn start(&self, run: &Run) -> RunStep {
        let mut written: BTreeSet<&Arc<str>> = BTreeSet::new();
        let mut read: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut constants: BTreeSet<Arc<str>> = BTreeSet::new();
        for step in &run.steps {
            let Some(edge) = self.unit.graph.graph.edge_weight(step.edge) else {
                continue;
            };
            let formula = edge.transition.formula;
            for name in self
                .terms
                .names_of(&[formula], Version::Current)
                .into_keys()
            {
                if !written.contains(&name) {
                    read.insert(name);
                }
            }
            for term in self.terms.post_order(&[formula]) {
                if let Op::Apply(function) = self.terms.op(term)
                    && function.params.is_empty()
                {
                    constants.insert(function.name.clone());
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
            Some((displayed.name.to_string(), shown(value)))
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
        }
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

    fn step(&self, edge: EdgeId, before: &State, after: &State) -> Option<RunStep> {
        let origin = self.unit.graph.graph.edge_weight(edge)?.origin?;
        let info = self.unit.origins.get(origin)?;
        let frame = self.unit.origins.frame(info.frame);
        let procedure = frame.map_or_else(|| self.unit.graph.name.clone(), |f| f.name.clone());
        let text = self.source.excerpt(info.span, LIMIT);
        let is_sure = || {
            let edge = self.unit.graph.graph.edge_weight(edge);
            edge.is_some_and(|edge| edge.transition.formula == self.terms.tt())
        };
        let changes = match &info.step {
            // The values are among the arguments.
            Step::Derive { .. } => Vec::new(),
            step => self.changes(edge, step, before, after),
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
                let minor = self.source.is_translated && !is_users(&procedure);
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
            } => (atom(predicate, arguments, after), None, false),
            Step::Assume | Step::Assign | Step::Havoc | Step::Call(_) | Step::Edge => {
                (text, None, false)
            }
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
        let input = match (&info.step, changes.as_slice()) {
            (Step::Havoc, [(_, value)]) if self.source.is_translated => {
                self.call(info.span).map(|call| (call, value.clone()))
            }
            _ => None,
        };
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
        })
    }

    /// The variables with arbitrary values that a step reads, and what it leaves of them. Maps are left out: their
    /// elements have histories of their own. `call` is the call whose result the step makes arbitrary, if it is one.
    fn reads_unset(
        &self,
        edge: EdgeId,
        call: Option<Span>,
        unset: &mut Unset,
    ) -> Vec<(String, Span)> {
        let Some(edge_weight) = self.unit.graph.graph.edge_weight(edge) else {
            return Vec::new();
        };
        let transition = &edge_weight.transition;
        let formula = [transition.formula];
        let Some(info) = self.origin(edge) else {
            return Vec::new();
        };
        let mut read = Vec::new();
        if !unset.0.is_empty() {
            for name in self.terms.names_of(&formula, Version::Current).into_keys() {
                // The assumption that the value is one of the type belongs to the place that makes it arbitrary.
                let is_range =
                    |made: &Span| matches!(info.step, Step::Assume) && *made == info.span;
                let Some((step, made)) = unset.0.get(&name).filter(|(step, _)| !is_range(step))
                else {
                    continue;
                };
                debug_assert!(step.start <= made.start);
                let shown = self.unit.displayed.get(&name);
                let shown = shown.map_or(name.to_string(), |shown| shown.name.to_string());
                read.push((shown, *made));
            }
        }
        let constrained = self.terms.names_of(&formula, Version::Next);
        let is_havoc = matches!(info.step, Step::Havoc);
        for name in &transition.changed {
            let is_map = self
                .unit
                .graph
                .variables
                .get(name)
                .is_none_or(|sort| matches!(sort, ult_core::formula::Sort::Map(..)));
            if is_havoc && !is_map && !constrained.contains_key(name) {
                unset
                    .0
                    .insert(name.clone(), (info.span, call.unwrap_or(info.span)));
            } else {
                unset.0.remove(name);
            }
        }
        read
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

    fn changes(
        &self,
        edge: EdgeId,
        step: &Step,
        before: &State,
        after: &State,
    ) -> Vec<(String, String)> {
        let Some(edge) = self.unit.graph.graph.edge_weight(edge) else {
            return Vec::new();
        };
        let transition = &edge.transition;
        let constrained: BTreeMap<Arc<str>, _> =
            self.terms.names_of(&[transition.formula], Version::Next);
        let mut changes = Vec::new();
        for name in self.unit.graph.variables.keys() {
            let Some(displayed) = self.unit.displayed.get(name) else {
                continue;
            };
            if displayed.old || !transition.changed.contains(name) {
                continue;
            }
            let (old, Some(new)) = (before.get(name), after.get(name)) else {
                continue;
            };
            let wanted = match step {
                // All variables of the callee become arbitrary; its parameters get values.
                Step::Call(_) => constrained.contains_key(name),
                Step::Contract(_) | Step::ForgetLoop | Step::Edge | Step::Unsupported => {
                    old != Some(new)
                }
                _ => true,
            };
            if wanted {
                changes.extend(change(&displayed.name, old, new));
            }
        }
        changes
    }
}

/// Whether a variable of a translated program is one that the user wrote.
fn is_users(name: &str) -> bool {
    !name.contains('~')
}

/// Whether a text is a call, `f(...)`.
fn is_call(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = text.trim_start_matches(is_word);
    rest.len() < text.len() && rest.trim_start().starts_with('(') && rest.ends_with(')')
}

/// The run of a translated program without the translator's own variables; steps that belong to one expression of the
/// source are one step.
fn translated(steps: Vec<RunStep>) -> Vec<RunStep> {
    let mut merged: Vec<RunStep> = Vec::new();
    for mut step in steps {
        step.changes.retain(|(name, _)| is_users(name));
        for (name, _) in &mut step.changes {
            // Variables of the same name are told apart by a number.
            if let Some(end) = name.find('#') {
                let behind = name[end + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
                *name = format!("{}{behind}", &name[..end]);
            }
        }
        let again = |name: &String, last: &RunStep| last.changes.iter().any(|(old, _)| old == name);
        match merged.last_mut() {
            Some(last)
                if last.span == step.span
                    && last.depth == step.depth
                    && last.procedure == step.procedure
                    && last.statement == step.statement
                    && !last.violation
                    && last.remark.is_none()
                    && (last.input.is_none() || step.input.is_none())
                    && !step.changes.iter().any(|(name, _)| again(name, last)) =>
            {
                last.changes.append(&mut step.changes);
                last.unset.append(&mut step.unset);
                last.remark = step.remark;
                last.input = last.input.take().or(step.input);
                last.minor &= step.minor;
                last.violation = step.violation;
            }
            _ => merged.push(step),
        }
    }
    for step in &mut merged {
        if let (Some((_, value)), true, None) = (&step.input, step.changes.is_empty(), &step.remark)
        {
            step.remark = Some(format!("returns {value}"));
        }
    }
    merged
}

/// A predicate applied to values of a state.
fn atom(predicate: &str, arguments: &[Arc<str>], state: &State) -> String {
    let value = |name: &Arc<str>| state.get(name).map_or("?".into(), shown);
    applied(predicate, arguments.iter().map(value))
}

fn applied(predicate: &str, arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    match arguments.is_empty() {
        true => predicate.to_owned(),
        false => format!("{predicate}({})", arguments.join(", ")),
    }
}

/// `name = value`, or for a map that changed at a few places these places; nothing for a map that stays as it was.
fn change(name: &str, old: Option<&Value>, new: &Value) -> Vec<(String, String)> {
    if let (Some(Value::Map(old)), Value::Map(new)) = (old, new)
        && old.default == new.default
    {
        let indices: BTreeSet<&Vec<Value>> = old.entries.keys().chain(new.entries.keys()).collect();
        let different: Vec<_> = indices
            .into_iter()
            .filter(|index| old.get(index) != new.get(index))
            .collect();
        if different.len() <= ELEMENTS {
            return different
                .into_iter()
                .map(|index| {
                    let parts: Vec<String> = index.iter().map(shown).collect();
                    (
                        format!("{name}[{}]", parts.join(", ")),
                        shown(new.get(index)),
                    )
                })
                .collect();
        }
    }
    vec![(name.to_owned(), shown(new))]
}

/// A value, shortened.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= LIMIT {
        return text;
    }
    let start: String = text.chars().take(LIMIT - 3).collect();
    format!("{start}...")
}
