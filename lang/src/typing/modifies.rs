//! Modifies clauses: what a procedure changes must be declared, and what it calls must not change more.
//!
//! Boogie rejects a procedure that changes a global which no `modifies` clause of it names. Many programs written for
//! Ultimate omit the clauses. So a procedure without any `modifies` clause whose text has none at all is accepted with a
//! warning, and its [`Procedure::modifies`](crate::hir::Procedure::modifies) is completed by what its implementations
//! change; in all other cases the undeclared change is an error.

use std::collections::BTreeSet;

use crate::diagnostic::{Id, Severity};
use crate::hir::{GlobalId, ProcedureId, Program};
use crate::resolve::environment::Environment;
use crate::resolve::message::{Message, Place};
use crate::resolve::types::count;
use crate::span::Span;

use super::item::Checked;

pub(super) fn check(
    env: &Environment,
    checked: &[&Checked],
    implementations: &[(usize, ProcedureId)],
    program: &mut Program,
    messages: &mut Vec<Message>,
) {
    // What each procedure changes, also through calls: the least fixpoint. The callers wait for their callees.
    let mut changed: Vec<BTreeSet<GlobalId>> =
        env.procedures.iter().map(|info| info.modifies.iter().copied().collect()).collect();
    let mut callers: Vec<Vec<ProcedureId>> = vec![Vec::new(); env.procedures.len()];
    let mut pending: Vec<ProcedureId> = Vec::new();
    for (item, procedure) in implementations {
        let (Some(checked), Some(own)) = (checked.get(*item), changed.get_mut(procedure.index())) else { continue };
        own.extend(checked.writes.iter().map(|(global, _)| *global));
        for (callee, _) in &checked.calls {
            if let Some(callers) = callers.get_mut(callee.index()) {
                callers.push(*procedure);
            }
        }
    }
    pending.extend((0..env.procedures.len()).map(ProcedureId::new));
    while let Some(callee) = pending.pop() {
        let Some(waiting) = callers.get(callee.index()) else { continue };
        for caller in waiting.clone() {
            let more: Vec<GlobalId> =
                changed[callee.index()].difference(&changed[caller.index()]).copied().collect();
            if !more.is_empty() {
                changed[caller.index()].extend(more);
                pending.push(caller);
            }
        }
    }

    for (item, procedure) in implementations {
        let Some(checked) = checked.get(*item) else { continue };
        report(env, checked, *item, *procedure, &changed, messages);
    }
    for (procedure, changed) in program.procedures.iter_mut().zip(changed) {
        procedure.modifies = changed.into_iter().collect();
    }
}

/// Complains about what an implementation changes beyond its procedure's clauses.
fn report(
    env: &Environment,
    checked: &Checked,
    item: usize,
    procedure: ProcedureId,
    changed: &[BTreeSet<GlobalId>],
    messages: &mut Vec<Message>,
) {
    let Some(info) = env.procedures.get(procedure.index()) else { return };
    if info.pure_ {
        return;
    }
    let lenient = !env.any_modifies;
    let place = |span: Span| Place { item: u32::try_from(item).unwrap_or(u32::MAX), span };
    let name = |global: GlobalId| env.globals.get(global.index()).map_or("?", |info| &*info.name);
    let declared = |global: &GlobalId| info.modifies.binary_search(global).is_ok();
    let help = |names: &str| format!("add `modifies {names};` to the procedure `{}`", info.name);

    if lenient {
        let missing: Vec<&str> = changed
            .get(procedure.index())
            .into_iter()
            .flatten()
            .filter(|global| !declared(global))
            .map(|global| name(*global))
            .collect();
        if !missing.is_empty() {
            let mut message = Message::error(
                Id::MODIFIES_MISSING,
                format!(
                    "the procedure `{}` changes {} and has no modifies clause",
                    info.name,
                    count(missing.len(), "global variable")
                ),
                info.place,
                "taken to modify what its body changes",
            )
            .with_help(help(&missing.join(", ")));
            message.severity = Severity::Warning;
            messages.push(message);
        }
        return;
    }
    for (global, span) in &checked.writes {
        if !declared(global) {
            let name = name(*global);
            messages.push(
                Message::error(
                    Id::NOT_IN_MODIFIES,
                    format!("`{name}` is changed, but not in a modifies clause of `{}`", info.name),
                    place(*span),
                    "changed here",
                )
                .with_label(info.place, "the procedure")
                .with_help(help(name)),
            );
        }
    }
    for (callee, span) in &checked.calls {
        let Some(callee_info) = env.procedures.get(callee.index()) else { continue };
        let missing: Vec<&str> =
            callee_info.modifies.iter().filter(|global| !declared(global)).map(|global| name(*global)).collect();
        if !missing.is_empty() {
            let names = missing.join("`, `");
            messages.push(
                Message::error(
                    Id::NOT_IN_MODIFIES,
                    format!(
                        "`{}` may change `{names}`, which is not in a modifies clause of `{}`",
                        callee_info.name, info.name
                    ),
                    place(*span),
                    "called here",
                )
                .with_label(info.place, "the calling procedure")
                .with_help(help(&missing.join(", "))),
            );
        }
    }
}
