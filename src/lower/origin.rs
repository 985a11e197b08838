//! Where locations and edges come from.
//!
//! Graphs carry only [`Origin`] numbers; this table says what they mean, for those who print runs
//! and verdicts. Engines never see it.

use std::fmt;
use std::sync::Arc;

use ult_lang::hir::ProcedureId;
use ult_lang::span::Span;

use ult_core::graph::Origin;

/// An entry: a place in the source and what happens there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginInfo {
    /// The place.
    pub span: Span,
    /// What a step from here does.
    pub step: Step,
    /// In which activation of a procedure.
    pub frame: FrameId,
}

/// What an edge does, in the source's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Enters the unit.
    Start,
    /// Assumes a precondition or a `where` clause at the entry.
    Precondition,
    /// Assumes a `where` clause behind a havoc.
    Where,
    /// `assume`
    Assume,
    /// Assumes that behavior is defined, which the property of this name checks.
    Defined(Arc<str>),
    /// Passes an obligation: the condition held.
    Passed,
    /// Fails an obligation and enters its error location.
    Violated,
    /// An assignment.
    Assign,
    /// `havoc`
    Havoc,
    /// Takes a branch of a condition: whether it held, or which one of a free choice (`*`).
    Branch {
        /// Whether it is the branch for `true`, or the first one.
        taken: bool,
        /// Whether the choice is free.
        free: bool,
    },
    /// Goes to a loop head: in for the first time or around again.
    Loop,
    /// Assumes a loop invariant at the head.
    Invariant,
    /// Gives the variables that a loop changes arbitrary values (modular reading).
    ForgetLoop,
    /// Jumps to a label.
    Goto,
    /// Passes a label or the end of a block.
    Skip,
    /// Enters an inlined procedure.
    Call(Arc<str>),
    /// Chooses one of several implementations.
    Choose,
    /// Leaves an inlined procedure.
    Return(Arc<str>),
    /// Leaves the procedure.
    ReturnStatement,
    /// A call through a contract.
    Contract(Arc<str>),
    /// A postcondition that is assumed.
    Postcondition,
    /// A step that could not be expressed: anything may happen.
    Unsupported,
    /// An axiom or another declaration; no step.
    Declaration,
    /// An edge of a program-graph text.
    Edge,
    /// Derives an atom by a Horn clause.
    Derive {
        /// The predicate.
        predicate: Arc<str>,
        /// The variables that hold its arguments.
        arguments: Vec<Arc<str>>,
    },
}

impl fmt::Display for Step {
    /// A word or two for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Step::Start => "start",
            Step::Precondition => "precondition",
            Step::Where => "where",
            Step::Assume | Step::Defined(_) => "assume",
            Step::Passed => "holds",
            Step::Violated => "violated",
            Step::Assign => "assign",
            Step::Havoc => "havoc",
            Step::Branch { free: true, .. } => "choice",
            Step::Branch { taken: true, .. } => "condition true",
            Step::Branch { taken: false, .. } => "condition false",
            Step::Loop => "loop",
            Step::Invariant => "invariant",
            Step::ForgetLoop => "any number of rounds",
            Step::Goto => "goto",
            Step::Skip => "skip",
            Step::Call(callee) => return write!(f, "call {callee}"),
            Step::Choose => "choice of an implementation",
            Step::Return(callee) => return write!(f, "return from {callee}"),
            Step::ReturnStatement => "return",
            Step::Contract(callee) => return write!(f, "call {callee} by its contract"),
            Step::Postcondition => "postcondition",
            Step::Unsupported => "unsupported",
            Step::Declaration => "declaration",
            Step::Edge => "edge",
            Step::Derive { predicate, .. } => return write!(f, "derives {predicate}"),
        };
        f.write_str(text)
    }
}

/// Index of an activation in [`Origins::frames`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub u32);

/// An activation of a procedure: the unit itself, or an inlined call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameInfo {
    /// The procedure; `None` for a program-graph text.
    pub procedure: Option<ProcedureId>,
    /// Its name (that of the graph, for a program-graph text).
    pub name: Arc<str>,
    /// The call, with the frame of the caller in it; `None` for the unit itself.
    pub call: Option<Origin>,
}

/// The table behind the [`Origin`] numbers of one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    entries: Vec<OriginInfo>,
    frames: Vec<FrameInfo>,
}

impl Origins {
    /// A new origin.
    pub fn add(&mut self, span: Span, step: Step, frame: FrameId) -> Origin {
        let origin = Origin(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.entries.push(OriginInfo { span, step, frame });
        origin
    }

    /// A new activation.
    pub fn add_frame(
        &mut self,
        procedure: Option<ProcedureId>,
        name: Arc<str>,
        call: Option<Origin>,
    ) -> FrameId {
        let id = FrameId(u32::try_from(self.frames.len()).unwrap_or(u32::MAX));
        self.frames.push(FrameInfo {
            procedure,
            name,
            call,
        });
        id
    }

    /// The entry of an origin.
    pub fn get(&self, origin: Origin) -> Option<&OriginInfo> {
        self.entries.get(origin.0 as usize)
    }

    /// An activation.
    pub fn frame(&self, id: FrameId) -> Option<&FrameInfo> {
        self.frames.get(id.0 as usize)
    }

    /// How many calls are around what a call enters, by the place of the body. Bodies that are in the graph once have their place
    /// with the first call.
    pub fn depth_inside(&self, call: Origin) -> Option<usize> {
        let Step::Call(callee) = &self.get(call)?.step else {
            return None;
        };
        let own = self.frames.iter().find(|frame| frame.call == Some(call));
        let first = || {
            self.frames
                .iter()
                .find(|frame| frame.name == *callee && frame.call.is_some())
        };
        let entered = own.or_else(first)?.call?;
        Some(self.call_stack(entered).len() + 1)
    }

    /// The calls through which an origin is reached, the outermost first; empty in the unit itself.
    pub fn call_stack(&self, origin: Origin) -> Vec<Origin> {
        let mut stack = Vec::new();
        let mut at = Some(origin);
        while let Some(origin) = at {
            at = self
                .get(origin)
                .and_then(|info| self.frame(info.frame))
                .and_then(|frame| frame.call);
            stack.extend(at);
        }
        stack.reverse();
        stack
    }
}
