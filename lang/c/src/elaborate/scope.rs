//! Names and what they stand for (C11 6.2.1, 6.2.3).

use std::collections::HashMap;

use crate::ir::{FunctionId, VarId};
use crate::types::{RecordId, Type};

use super::Elaborator;

/// What an ordinary identifier stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A variable.
    Variable(VarId),
    /// A function.
    Function(FunctionId),
    /// A type, with the alignment that attributes gave it.
    Typedef(Type, Option<u64>),
    /// A parameter of a prototype, which has no value.
    Parameter(Type),
    /// A function within a function, of this type.
    Nested(Type),
    /// An enumeration constant.
    Constant(i128, Type),
}

/// What a tag stands for.
#[derive(Clone, Debug)]
pub(super) enum Tag {
    /// A structure or union.
    Record(RecordId),
    /// An enumeration, by the integer type that represents it.
    Enum(Type),
}

/// The names of one block, file or prototype.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) names: HashMap<String, Binding>,
    pub(super) tags: HashMap<String, Tag>,
}

impl Elaborator {
    /// Runs `f` in a scope of its own.
    pub(super) fn scoped<R>(&mut self, f: impl FnOnce(&mut Elaborator) -> R) -> R {
        let labels = |this: &Elaborator| {
            this.function
                .as_ref()
                .map_or(0, |context| context.local_labels.len())
        };
        let outer = labels(self);
        self.scopes.push(Scope::default());
        let result = f(self);
        self.scopes.pop();
        if let Some(context) = &mut self.function {
            context.local_labels.truncate(outer);
        }
        result
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Binding> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name))
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<&Tag> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.tags.get(name))
    }

    /// The tag in the innermost scope.
    pub(super) fn own_tag(&self, name: &str) -> Option<&Tag> {
        self.scopes.last()?.tags.get(name)
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_owned(), binding);
        }
    }

    pub(super) fn bind_tag(&mut self, name: &str, tag: Tag) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(name.to_owned(), tag);
        }
    }

    /// Binds a name in the scope of the file.
    pub(super) fn bind_global(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.first_mut() {
            scope.names.insert(name.to_owned(), binding);
        }
    }

    /// Whether declarations belong to the file rather than to a function.
    pub(super) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }
}
