//! A check of what the analysis found, by other code than what found it.
//!
//! The encoding gives each region a map of its own, so a proof is about the program only if no pointer ever leads where
//! the analysis does not see it. Here a finished solution is read, and nothing is unified: for each way in which C (and
//! the encoding) can move a pointer or access memory, the solution has to have it. That is a condition on each piece of
//! the program alone, as types are, so one pass does.
//!
//! What a solution claims: objects of a node are divided into *classes* of offsets. A pointer that is stored at a class
//! leads to the class of the cell's pointee, or nowhere; whoever accesses an object at an offset uses a target of that
//! node and class. Pointers within an array stay in it (C11 6.5.6p8), where the array is what the pointer's type says,
//! or all of the object that another pointer type is about (6.3.2.3p7).
//!
//! | module | idea |
//! |---|---|
//! | `value` | where the value of an expression may point to, and where places are |
//! | `flow` | what statements store where |
//! | `copied` | what `memcpy` and the like store where |
//! | `access` | what is read or written is a cell, with a region |
//! | `outside` | objects that are not the program's |
//! | `objects` | what has to hold of nodes, ranges and regions whatever the program does |

mod access;
mod copied;
mod flow;
mod objects;
mod outside;
pub mod skip;
#[cfg(test)]
mod tests;
mod value;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ult_lang::span::Span;

use super::cells::{Cell, NodeId, Range};
use super::{Memory, Target};
use crate::ir::{FunctionId, Program, VarId};
use crate::types::{Layout, Type};

/// Something that the analysis does not know of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The place in the program.
    pub span: Span,
    /// What happens there.
    pub what: String,
}

/// What a solution for the functions that may be called does not cover. If that is nothing, it is right.
pub fn missed(
    program: &Program,
    reachable: &BTreeSet<FunctionId>,
    memory: &Memory<'_>,
) -> Vec<Missed> {
    let bodies = reachable
        .iter()
        .filter_map(|&id| program.function(id).body.as_deref());
    let mut checker = Checker {
        used: bodies.flat_map(crate::ir::visit::mentioned).collect(),
        program,
        memory,
        reachable,
        function: None,
        span: Span::default(),
        missed: Vec::new(),
        mentioned: BTreeSet::new(),
        waiting: Vec::new(),
        calls: BTreeMap::new(),
        views: HashMap::new(),
        narrowed: HashMap::new(),
        moves: HashMap::new(),
        by_type: HashMap::new(),
    };
    checker.outside_variables();
    for &id in reachable {
        checker.function_body(id);
    }
    checker.static_variables();
    checker.whole_views();
    checker.objects();
    checker.missed
}

/// Offsets in the objects of a node that the solution does not tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Class {
    node: NodeId,
    /// The start of the range and the offset modulo its stride; for one in no range, only itself.
    range: Option<u64>,
    offset: u64,
}

struct Checker<'c, 'p> {
    program: &'c Program,
    memory: &'c Memory<'p>,
    reachable: &'c BTreeSet<FunctionId>,
    /// The function at hand.
    function: Option<FunctionId>,
    /// The place at hand.
    span: Span,
    missed: Vec<Missed>,
    /// Variables that occur in statements.
    used: BTreeSet<VarId>,
    /// Variables that occur, and those whose initial values wait to be looked at.
    mentioned: BTreeSet<VarId>,
    waiting: Vec<VarId>,
    /// Who calls whom.
    calls: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// Pointers that are converted to other types: how large the objects on the larger side are.
    views: HashMap<Class, Vec<View>>,
    /// The sizes of what they become pointers to (in bits, and whether that is `void`).
    narrowed: HashMap<Class, BTreeSet<(u64, bool)>>,
    /// By which such steps pointers are moved.
    moves: HashMap<Class, BTreeSet<(u64, bool)>>,
    /// Objects that are not the program's, by their types.
    by_type: HashMap<Type, Target>,
}

/// An object of so many bits that is seen in two ways.
struct View {
    start: u64,
    bits: u64,
    span: Span,
}

impl Checker<'_, '_> {
    fn miss(&mut self, what: impl Into<String>) {
        self.missed.push(Missed {
            span: self.span,
            what: what.into(),
        });
    }

    fn layout(&self) -> Layout<'_> {
        Layout {
            model: self.program.model,
            records: &self.program.records,
        }
    }

    /// The size of a type in bits, if it is constant.
    fn bits(&self, ty: &Type) -> Option<u64> {
        self.layout().size(ty)?.checked_mul(8)
    }

    fn root(&self, node: NodeId) -> NodeId {
        self.memory.nodes.find(node)
    }

    fn range(&self, target: Target) -> Option<&Range> {
        self.memory.nodes.range(target)
    }

    fn class(&self, target: Target) -> Class {
        let range = self.range(target);
        Class {
            node: self.root(target.node),
            range: range.map(|range| range.lo),
            offset: range.map_or(target.offset, |range| residue(range, target.offset)),
        }
    }

    fn cell(&self, target: Target) -> Option<&Cell> {
        let range = self.range(target)?;
        range.cells.get(&residue(range, target.offset))
    }

    /// Where pointers that are stored at a target may point to.
    fn pointee(&self, target: Target) -> Option<Target> {
        self.cell(target)?.pointee()
    }

    fn is_same(&self, a: Target, b: Target) -> bool {
        self.class(a) == self.class(b)
    }

    /// Whether a pointer may have one of two targets where the other one is known: all that lies at some distance from them
    /// is the same. That two elements of an array are one class says nothing about what is behind it.
    fn is_one(&self, a: Target, b: Target) -> bool {
        let nodes = &self.memory.nodes;
        let is_all = || nodes.ranges(self.root(a.node)).len() == 1;
        nodes.normal(a) == nodes.normal(b) || self.is_same(a, b) && is_all()
    }

    /// The object of a variable: where it starts in its node.
    fn object(&self, variable: VarId) -> Target {
        self.memory.nodes.normal(Target {
            node: self.memory.variables[variable.0 as usize],
            offset: 0,
        })
    }

    /// The result of a function.
    fn result(&self, function: FunctionId) -> Target {
        Target {
            node: self.memory.results[function.0 as usize],
            offset: 0,
        }
    }

    /// The arguments for `...`.
    fn arguments(&self) -> Target {
        Target {
            node: self.memory.arguments,
            offset: 0,
        }
    }
}

/// Where in its range's period an offset is.
fn residue(range: &Range, offset: u64) -> u64 {
    let distance = offset - range.lo;
    match range.stride {
        0 => distance,
        stride => distance % stride,
    }
}
