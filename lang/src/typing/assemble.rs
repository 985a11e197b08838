//! Puts the checked declarations of a text together.

use crate::diagnostic::Diagnostic;
use crate::hir::{Background, ImplementationId, Program};
use crate::resolve::environment::Environment;
use crate::resolve::message::Message;

use super::item::{Checked, Contents};
use super::measures;
use super::modifies::{self, Modifies};
use super::rebase::{Move, Rebase};
use super::rules;

/// Running numbers while declarations are put together.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    bounds: u32,
    type_vars: u32,
}

impl Offsets {
    /// Where the next declaration goes.
    pub(super) fn next(
        &mut self,
        env: &Environment,
        start: u32,
        bounds: u32,
        type_vars: u32,
    ) -> Rebase<'static> {
        let rebase = Rebase {
            places: Move::By(start),
            bounds: self.bounds,
            first_type_var: u32::try_from(env.type_vars.len()).unwrap_or(u32::MAX),
            type_vars: self.type_vars,
        };
        self.bounds = self.bounds.saturating_add(bounds);
        self.type_vars = self.type_vars.saturating_add(type_vars);
        rebase
    }
}

/// The typed program, given its declarations in order and where each of them starts in the text. The diagnostics are
/// those of the declarations and of the checks that concern several of them, in the order of their places.
pub fn assemble(
    env: &Environment,
    declared: &[Message],
    checked: &[&Checked],
    starts: &[u32],
    policy: Modifies,
) -> (Program, Vec<Diagnostic>) {
    let mut program = Program::default();
    let mut messages: Vec<Message> = declared.to_vec();
    let mut offsets = Offsets::default();
    // For each implementation the declaration that it stands in.
    let mut items = Vec::new();
    let mut measures = Vec::new();
    for (item, checked) in checked.iter().enumerate() {
        messages.extend(checked.messages.iter().cloned());
        let start = starts.get(item).copied().unwrap_or(0);
        let mut contents = checked.contents.clone();
        offsets
            .next(env, start, checked.bounds, checked.type_vars)
            .contents(&mut contents);
        add_background(&mut program.background, &mut contents);
        measures.append(&mut contents.measures);
        program.globals.append(&mut contents.globals);
        program.procedures.append(&mut contents.procedures);
        for implementation in contents.implementations {
            items.push((item, implementation.procedure));
            program.implementations.push(implementation);
        }
    }
    for (index, implementation) in program.implementations.iter().enumerate() {
        if let Some(procedure) = program.procedures.get_mut(implementation.procedure.index()) {
            procedure.implementations.push(ImplementationId::new(index));
        }
    }
    modifies::check(env, policy, checked, &items, &mut program, &mut messages);
    rules::check(&program, &mut messages);
    measures::oblige(&mut program, &measures, &mut messages);
    (program, diagnostics(&messages, starts))
}

/// Moves the rigid part of the contents.
pub(super) fn add_background(background: &mut Background, contents: &mut Contents) {
    background.types.append(&mut contents.types);
    background.datatypes.append(&mut contents.datatypes);
    background.constants.append(&mut contents.constants);
    background.functions.append(&mut contents.functions);
    background.axioms.append(&mut contents.axioms);
}

/// The messages with absolute places, in the order of these.
pub(super) fn diagnostics(messages: &[Message], starts: &[u32]) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> = messages
        .iter()
        .map(|message| message.to_diagnostic(starts))
        .collect();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span().start, diagnostic.span().end));
    diagnostics
}
