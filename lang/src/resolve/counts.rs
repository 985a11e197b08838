//! How many declarations of a kind there were so far.

use crate::ast::Decl;
use crate::resolve::old_datatypes::OldDatatypes;

/// Counts what the declarations declare, by kind.
#[derive(Default)]
pub(super) struct Counts {
    datatypes: u32,
    constants: u32,
    functions: u32,
    globals: u32,
    procedures: u32,
}

impl Counts {
    /// The first id of the declaration in the vector of its kind.
    pub(super) fn next(&mut self, item: u32, decl: &Decl, old: &OldDatatypes<'_>) -> u32 {
        let take = |counter: &mut u32, number: usize| {
            let first = *counter;
            *counter = counter.saturating_add(u32::try_from(number).unwrap_or(u32::MAX));
            first
        };
        match decl {
            Decl::Type(decl) => take(&mut self.datatypes, old.count(decl)),
            Decl::Datatype(_) => take(&mut self.datatypes, 1),
            Decl::Const(decl) => take(&mut self.constants, decl.names.len()),
            Decl::Function(_) => take(&mut self.functions, usize::from(!old.has(item))),
            Decl::Var(decl) => take(
                &mut self.globals,
                decl.groups.iter().map(|group| group.names.len()).sum(),
            ),
            Decl::Procedure(_) => take(&mut self.procedures, 1),
            Decl::Axiom(_) | Decl::Implementation(_) | Decl::Error(_) => 0,
        }
    }
}
