//! Terms, their nodes, and the store that shares them.

use std::fmt;
use std::sync::Arc;

use elsa::FrozenIndexSet;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use super::sort::Sort;

/// A handle to a term of one [`Terms`] store.
///
/// Handles are ordered by creation, so sorting by them is deterministic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(super) u32);

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// Which copy of a program variable (or which auxiliary) a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// `x`: the value before a transition, or simply the value in a state.
    Current,
    /// `x'`: the value after a transition.
    Next,
    /// An auxiliary of one transition formula, existentially quantified there. The number makes
    /// it unique within a program graph.
    Aux(u32),
    /// The value of the program variable at position `i` of a path.
    At(u32),
    /// The auxiliary with this number (second) in the transition that leaves position (first) of
    /// a path.
    AuxAt(u32, u32),
    /// A variable bound by a quantifier or lambda. The number is unique within the store, so no
    /// substitution can capture it.
    Bound(u32),
}

/// A free or bound variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var {
    /// The name; unique among the variables of one program graph.
    pub name: Arc<str>,
    /// Which copy.
    pub version: Version,
}

/// A rigid symbol: an uninterpreted function (a constant if it has no parameters), with the same
/// meaning in every state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function {
    /// The name; unique among the rigid symbols of one program.
    pub name: Arc<str>,
    /// The parameter sorts.
    pub params: Vec<Sort>,
    /// The result sort.
    pub result: Sort,
}

/// A function known to SMT-LIB by name, with indices, as in `(_ to_fp 8 24)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Builtin {
    /// SMT-LIB's name.
    pub name: Arc<str>,
    /// The indices, empty for a plain name.
    pub indices: Vec<u32>,
    /// The result sort.
    pub result: Sort,
}

/// What binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinderKind {
    /// A universal quantifier; body and term are boolean.
    Forall,
    /// An existential quantifier; body and term are boolean.
    Exists,
    /// A map from the bound variables to the body.
    Lambda,
}

/// A binder: the node's arguments are the body and then all pattern terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binder {
    /// What binds.
    pub kind: BinderKind,
    /// The bound variables (terms with [`Version::Bound`]); never empty.
    pub vars: Vec<Term>,
    /// The lengths of the patterns (triggers) for the solver.
    pub patterns: Vec<usize>,
}

/// Operators on bit-vectors, with SMT-LIB's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum BvOp {
    Not,
    Neg,
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    Concat,
}

impl BvOp {
    /// Those whose result is as wide as their arguments.
    pub const FUNCTIONS: [BvOp; 19] = [
        BvOp::Not,
        BvOp::Neg,
        BvOp::And,
        BvOp::Or,
        BvOp::Xor,
        BvOp::Nand,
        BvOp::Nor,
        BvOp::Xnor,
        BvOp::Add,
        BvOp::Sub,
        BvOp::Mul,
        BvOp::Udiv,
        BvOp::Urem,
        BvOp::Sdiv,
        BvOp::Srem,
        BvOp::Smod,
        BvOp::Shl,
        BvOp::Lshr,
        BvOp::Ashr,
    ];

    /// Those whose result is a truth value.
    pub const COMPARISONS: [BvOp; 4] = [BvOp::Ult, BvOp::Ule, BvOp::Slt, BvOp::Sle];
}

/// The operator of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A rational number, of sort real.
    Real(BigRational),
    /// A bit-vector; the width is that of the node's sort, the value is below `2^width`.
    BitVec(BigUint),
    /// A variable.
    Var(Var),
    /// A rigid symbol applied to its arguments.
    Apply(Arc<Function>),
    /// A function known to SMT-LIB by name.
    Builtin(Arc<Builtin>),
    /// Negation.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// If-then-else at any sort.
    Ite,
    /// Equality at any sort, `Bool` included.
    Eq,
    /// Pairwise distinct, of three or more.
    Distinct,
    /// Sum of two or more integers or reals.
    Add,
    /// Product of two or more integers or reals.
    Mul,
    /// Integer division, Euclidean; meaningful only for a divisor that is not zero.
    Div,
    /// Integer remainder, Euclidean; meaningful only for a divisor that is not zero.
    Mod,
    /// Division of reals; meaningful only for a divisor that is not zero.
    RealDiv,
    /// `<=` on integers or reals.
    Le,
    /// `<` on integers or reals.
    Lt,
    /// From integer to real.
    ToReal,
    /// From real to integer: the floor.
    ToInt,
    /// A bit-vector operator.
    Bv(BvOp),
    /// The bits `high-1 .. low` of a bit-vector (Boogie's `[high:low]`, exclusive upper end).
    Extract {
        /// One above the highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
    },
    /// Adds zero bits at the top.
    ZeroExtend(u32),
    /// Repeats the sign bit at the top.
    SignExtend(u32),
    /// Map, then indices.
    Select,
    /// Map, then indices, then the new value.
    Store,
    /// The map (of the node's sort) with the argument everywhere.
    ConstMap,
    /// A constructor, by its number in the datatype that is the node's sort.
    Construct(u32),
    /// A field of a value of a datatype; meaningful only for values made by that constructor.
    Field {
        /// The number of the constructor.
        constructor: u32,
        /// The number of the field in the constructor.
        field: u32,
    },
    /// Whether a value of a datatype is made by the constructor with this number.
    Is(u32),
    /// A quantifier or lambda.
    Bind(Arc<Binder>),
}

/// One node of the shared graph of terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The operator.
    pub op: Op,
    /// The arguments.
    pub args: Box<[Term]>,
    /// The sort of the whole.
    pub sort: Sort,
}

/// The store of terms. It only grows; handles stay valid as long as it lives.
///
/// A store belongs to one thread at a time. In a clone, every handle of the original has the same
/// meaning, so another thread can work with what was built so far; what it builds itself comes
/// back by [`Terms::import`].
#[derive(Clone, Default)]
pub struct Terms {
    nodes: FrozenIndexSet<Box<Node>>,
    len: std::cell::Cell<usize>,
    fresh: std::cell::Cell<u32>,
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Terms({} nodes)", self.len())
    }
}

impl Terms {
    /// An empty store.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// The node of a term.
    pub fn node(&self, term: Term) -> &Node {
        // Handles are made by `intern` alone, so the index exists in the store that made it.
        &self.nodes[term.0 as usize]
    }

    /// The node under a handle that may be of another store.
    pub(super) fn get(&self, term: Term) -> Option<&Node> {
        self.nodes.get_index(term.0 as usize)
    }

    /// The operator of a term.
    pub fn op(&self, term: Term) -> &Op {
        &self.node(term).op
    }

    /// The arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        &self.node(term).args
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> &Sort {
        &self.node(term).sort
    }

    /// How many different terms the store holds.
    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Whether nothing was built yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A number that no earlier call returned: for auxiliaries and bound variables.
    pub fn fresh_number(&self) -> u32 {
        let number = self.fresh.get();
        self.fresh.set(number + 1);
        number
    }

    /// Makes [`Terms::fresh_number`] give out no number up to this one.
    pub(super) fn skip_fresh(&self, number: u32) {
        self.fresh.set(self.fresh.get().max(number + 1));
    }

    /// The shared term for a node, as it stands: use the constructors of [`super::build`], which
    /// simplify, unless the node is known to be in simplest form.
    pub(super) fn intern(&self, op: Op, args: impl Into<Box<[Term]>>, sort: Sort) -> Term {
        let (index, _) = self.nodes.insert_full(Box::new(Node {
            op,
            args: args.into(),
            sort,
        }));
        self.len.set(self.len.get().max(index + 1));
        Term(u32::try_from(index).expect("fewer than 2^32 terms"))
    }
}
