//! Which variable of the running program a name means.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use ult_lang::hir::{BoundId, VarRef};

use crate::code::Variable;

/// Where an expression stands: a procedure, a function, or a lambda expression within one.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    levels: Vec<Level>,
    /// Constants come behind so many globals.
    globals: u32,
    /// Whether globals mean their old values.
    pub old: bool,
    /// The globals whose old values are needed, and in which local they are.
    pub olds: BTreeMap<u32, u32>,
    /// Names of an edge that have a value by now, and in which local it is.
    pub of_edge: FxHashMap<VarRef, u32>,
}

/// A lambda expression, or what is around all of them.
#[derive(Debug, Default)]
struct Level {
    bound: FxHashMap<BoundId, u32>,
    locals: u32,
    captures: Vec<(Variable, u32)>,
}

impl Scope {
    /// A scope with so many locals already, in a program with so many globals.
    pub(crate) fn new(locals: usize, globals: usize) -> Scope {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Scope {
            levels: vec![Level {
                locals: count(locals),
                ..Level::default()
            }],
            globals: count(globals),
            ..Scope::default()
        }
    }

    /// A new local.
    pub(crate) fn local(&mut self) -> u32 {
        let Some(level) = self.levels.last_mut() else {
            return 0;
        };
        level.locals += 1;
        level.locals - 1
    }

    /// A new local for a bound variable.
    pub(crate) fn bind(&mut self, id: BoundId) -> u32 {
        let local = self.local();
        if let Some(level) = self.levels.last_mut() {
            level.bound.insert(id, local);
        }
        local
    }

    /// How many locals there are.
    pub(crate) fn locals(&self) -> usize {
        self.levels.last().map_or(0, |level| level.locals as usize)
    }

    /// What follows is within a lambda expression.
    pub(crate) fn enter(&mut self) {
        self.levels.push(Level::default());
    }

    /// The end of a lambda expression: what it captures, and how many locals it has.
    pub(crate) fn leave(&mut self) -> (Vec<(Variable, u32)>, usize) {
        let level = self.levels.pop().unwrap_or_default();
        (level.captures, level.locals as usize)
    }

    /// The variable; `None` for names that are not covered here.
    pub(crate) fn resolve(&mut self, var: VarRef) -> Option<Variable> {
        self.resolve_at(var, self.levels.len().checked_sub(1)?)
    }

    fn resolve_at(&mut self, var: VarRef, depth: usize) -> Option<Variable> {
        if let VarRef::Constant(id) = var {
            return Some(Variable::Global(self.globals + id.0));
        }
        if let VarRef::Bound(id) = var
            && let Some(local) = self.levels[depth].bound.get(&id)
        {
            return Some(Variable::Local(*local));
        }
        if depth == 0 {
            return match var {
                VarRef::Global(id) if self.old => Some(Variable::Local(self.old_value(id.0))),
                VarRef::Global(id) => Some(Variable::Global(id.0)),
                VarRef::Local(id) => Some(Variable::Local(id.0)),
                VarRef::Unprimed(id) => Some(Variable::Global(id.0)),
                name => self.of_edge.get(&name).copied().map(Variable::Local),
            };
        }
        let outer = self.resolve_at(var, depth - 1)?;
        let level = &mut self.levels[depth];
        if let Some((_, local)) = level.captures.iter().find(|(known, _)| *known == outer) {
            return Some(Variable::Local(*local));
        }
        let local = level.locals;
        level.locals += 1;
        level.captures.push((outer, local));
        Some(Variable::Local(local))
    }

    fn old_value(&mut self, global: u32) -> u32 {
        if let Some(local) = self.olds.get(&global) {
            return *local;
        }
        let level = &mut self.levels[0];
        let local = level.locals;
        level.locals += 1;
        self.olds.insert(global, local);
        local
    }
}
