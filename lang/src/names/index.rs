//! The names of a whole text.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Declaration, Kind, Names, Occurrence, Space, Target, Usage};
use crate::span::Span;

/// The names of a text: those of its declarations, each with the place where the declaration starts.
#[derive(Clone, Debug)]
pub struct Index<'n> {
    parts: Vec<(u32, &'n Names)>,
}

/// Something that has a name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// What has this name at top level, in this name space.
    Global(Space, Arc<str>),
    /// The local with this index of the part with this number.
    Local(usize, usize),
}

/// A name at a place of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The place.
    pub span: Span,
    /// What it means.
    pub symbol: Symbol,
    /// What happens to it there.
    pub usage: Usage,
}

impl<'n> Index<'n> {
    /// The index of parts in the order of the text.
    pub fn new(parts: Vec<(u32, &'n Names)>) -> Index<'n> {
        Index { parts }
    }

    /// The name at an offset; at the end of a name it counts as well.
    pub fn at(&self, offset: u32) -> Option<Found> {
        let behind = self.parts.partition_point(|(start, _)| *start <= offset);
        // The part before may end where this one starts.
        (behind.saturating_sub(2)..behind)
            .rev()
            .find_map(|part| self.in_part(part, offset))
    }

    fn in_part(&self, part: usize, offset: u32) -> Option<Found> {
        let (start, names) = self.parts.get(part)?;
        let relative = offset.checked_sub(*start)?;
        let all = &names.occurrences;
        let behind = all.partition_point(|occurrence| occurrence.span.start <= relative);
        let last = all.get(..behind)?.last()?;
        (relative <= last.span.end).then(|| self.found(part, last))
    }

    fn found(&self, part: usize, occurrence: &Occurrence) -> Found {
        Found {
            span: self.absolute(part, occurrence.span),
            symbol: match occurrence.target {
                Target::Global(space) => Symbol::Global(space, occurrence.name.clone()),
                Target::Local(index) => Symbol::Local(part, index),
            },
            usage: occurrence.usage,
        }
    }

    fn absolute(&self, part: usize, span: Span) -> Span {
        let start = self.parts.get(part).map_or(0, |(start, _)| *start);
        Span::new(
            span.start.saturating_add(start),
            span.end.saturating_add(start),
        )
    }

    /// All names of the text, in order.
    pub fn all(&self) -> impl Iterator<Item = Found> {
        self.parts
            .iter()
            .enumerate()
            .flat_map(move |(part, (_, names))| {
                let occurrences = names.occurrences.iter();
                occurrences.map(move |occurrence| self.found(part, occurrence))
            })
    }

    /// The places where a symbol occurs, in order.
    pub fn occurrences(&self, symbol: &Symbol) -> Vec<Found> {
        self.all().filter(|found| found.symbol == *symbol).collect()
    }

    /// The declarations of a symbol, with absolute places: none, one, or several after a mistake, or for fields.
    pub fn declarations(&self, symbol: &Symbol) -> Vec<Declaration> {
        match symbol {
            Symbol::Local(part, index) => {
                let names = self.parts.get(*part).map(|(_, names)| *names);
                let local = names.and_then(|names| names.locals.get(*index));
                local
                    .map(|local| self.moved(*part, local))
                    .into_iter()
                    .collect()
            }
            Symbol::Global(space, name) => {
                let mut found = Vec::new();
                for (part, (_, names)) in self.parts.iter().enumerate() {
                    let globals = names.globals.iter();
                    found.extend(
                        globals
                            .filter(|(own, global)| own == space && global.name == *name)
                            .map(|(_, global)| self.moved(part, global)),
                    );
                }
                found
            }
        }
    }

    /// What the symbols of the text stand for.
    pub fn kinds(&self) -> HashMap<Symbol, Kind> {
        let mut kinds = HashMap::new();
        for (part, (_, names)) in self.parts.iter().enumerate() {
            for (space, global) in &names.globals {
                let symbol = Symbol::Global(*space, global.name.clone());
                kinds.entry(symbol).or_insert(global.kind);
            }
            for (index, local) in names.locals.iter().enumerate() {
                kinds.insert(Symbol::Local(part, index), local.kind);
            }
        }
        kinds
    }

    /// What is declared at top level, with absolute places.
    pub fn globals(&self) -> impl Iterator<Item = (Space, Declaration)> {
        self.parts
            .iter()
            .enumerate()
            .flat_map(move |(part, (_, names))| {
                let globals = names.globals.iter();
                globals.map(move |(space, global)| (*space, self.moved(part, global)))
            })
    }

    /// What is declared inside of declarations, with absolute places.
    pub fn locals(&self) -> impl Iterator<Item = Declaration> {
        self.parts
            .iter()
            .enumerate()
            .flat_map(move |(part, (_, names))| {
                let locals = names.locals.iter();
                locals.map(move |local| self.moved(part, local))
            })
    }

    /// The locals that can be used at an offset, innermost last.
    pub fn visible(&self, offset: u32) -> Vec<Declaration> {
        let mut found = Vec::new();
        for (part, (start, names)) in self.parts.iter().enumerate() {
            let Some(relative) = offset.checked_sub(*start) else {
                break;
            };
            let in_scope = |local: &&Declaration| {
                local
                    .scope
                    .is_some_and(|scope| scope.start <= relative && relative <= scope.end)
            };
            let locals = names.locals.iter().filter(in_scope);
            found.extend(locals.map(|local| self.moved(part, local)));
        }
        found
    }

    fn moved(&self, part: usize, declaration: &Declaration) -> Declaration {
        Declaration {
            span: self.absolute(part, declaration.span),
            extent: self.absolute(part, declaration.extent),
            scope: declaration.scope.map(|scope| self.absolute(part, scope)),
            ..declaration.clone()
        }
    }
}
