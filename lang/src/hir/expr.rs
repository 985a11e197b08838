//! Expressions of the typed program.

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use super::visit::mutable::VisitMut;
use super::visit::{self, Visit};
use super::{
    BoundId, ConstantId, DatatypeId, EdgeLetId, EdgeLocalId, FunctionId, GlobalId, GraphVariableId,
    LocalId, Type, TypeParameter,
};
use crate::span::Span;
use crate::stack::ensure_stack;

/// An expression with its type and its place.
///
/// Expressions may be nested very deeply, so cloning, comparing, printing and dropping one grow the stack on demand.
/// Because of the `Drop` implementation the fields cannot be moved out; see [`Expr::into_kind`].
pub struct Expr {
    /// What the expression is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its place in the source.
    pub span: Span,
}

/// The kinds of expressions.
///
/// Operands are already of the sorts which the operator wants: where the source relies on a reading of `/` by its
/// context, the operator here says which one it is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `true` or `false`.
    Bool(bool),
    /// An integer literal.
    Int(BigInt),
    /// A real literal, exact.
    Real(BigRational),
    /// A bit-vector literal `5bv8`; the value is below `2^width`.
    BitVec {
        /// The unsigned value.
        value: BigUint,
        /// The width in bits.
        width: u32,
    },
    /// A floating point literal; its format is in the expression's type.
    Float(FloatLiteral),
    /// A string literal, without its quotes, escapes undone.
    String(String),
    /// A rounding mode literal.
    RoundingMode(RoundingMode),
    /// A variable, constant or let-name.
    Var(VarRef),
    /// `old(e)`: the value of `e` where globals are those at the procedure's entry.
    Old(Box<Expr>),
    /// Logical negation.
    Not(Box<Expr>),
    /// Arithmetic negation of an int, real or float.
    Neg(Box<Expr>),
    /// A chain of an operator, read from the left; at least two operands.
    Nary(NaryOp, Vec<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Bit-vector concatenation `high ++ low`.
    Concat(Box<Expr>, Box<Expr>),
    /// Bits `low..high` of a bit-vector, `e[high:low]`; `low <= high`, the width is `high - low`.
    Extract {
        /// The bit-vector.
        value: Box<Expr>,
        /// First bit beyond the taken ones.
        high: u32,
        /// First taken bit.
        low: u32,
    },
    /// `map[indices]`.
    Select {
        /// The map.
        map: Box<Expr>,
        /// What the type parameters of a polymorphic map stand for here; empty for an ordinary map.
        type_args: Vec<Type>,
        /// The indices, as many as the map type has domains.
        indices: Vec<Expr>,
    },
    /// `map[indices := value]`.
    Store {
        /// The map.
        map: Box<Expr>,
        /// What the type parameters of a polymorphic map stand for here; empty for an ordinary map.
        type_args: Vec<Type>,
        /// The indices, as many as the map type has domains.
        indices: Vec<Expr>,
        /// The new element.
        value: Box<Expr>,
    },
    /// A function application.
    Call {
        /// The function.
        function: FunctionId,
        /// What the function's type parameters stand for here.
        type_args: Vec<Type>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `if condition then then else otherwise`.
    If {
        /// A bool.
        condition: Box<Expr>,
        /// The value if the condition holds.
        then: Box<Expr>,
        /// The value if not.
        otherwise: Box<Expr>,
    },
    /// A quantified formula.
    Quantifier {
        /// `forall` or `exists`.
        kind: QuantifierKind,
        /// Bound type parameters.
        type_params: Vec<TypeParameter>,
        /// Bound variables; may be empty if there are type parameters.
        bound: Vec<Bound>,
        /// The triggers.
        triggers: Vec<Trigger>,
        /// The body, a bool.
        body: Box<Expr>,
        /// `{:attribute ...}`.
        attributes: Vec<Attribute>,
    },
    /// A map given by an expression.
    Lambda {
        /// Bound type parameters.
        type_params: Vec<TypeParameter>,
        /// The indices of the map.
        bound: Vec<Bound>,
        /// The element at those indices.
        body: Box<Expr>,
        /// `{:attribute ...}`.
        attributes: Vec<Attribute>,
    },
    /// `(var x, y := e, f; body)`; the values do not see the names.
    Let {
        /// The names.
        bound: Vec<Bound>,
        /// Their values, one each.
        values: Vec<Expr>,
        /// Where the names hold.
        body: Box<Expr>,
        /// `{:attribute ...}`.
        attributes: Vec<Attribute>,
    },
    /// `real(e)` of an int.
    IntToReal(Box<Expr>),
    /// `int(e)` of a real: the greatest integer not above it.
    RealToInt(Box<Expr>),
    /// A datatype value made by a constructor. The datatype's arguments are in the expression's type.
    Construct {
        /// The datatype.
        datatype: DatatypeId,
        /// Index into its constructors.
        constructor: usize,
        /// The values of the constructor's fields, in order.
        args: Vec<Expr>,
    },
    /// `value->field`.
    Field {
        /// The datatype.
        datatype: DatatypeId,
        /// Index into [`super::Datatype::fields`].
        field: usize,
        /// A value of the datatype.
        value: Box<Expr>,
    },
    /// `value->(field := new)`.
    FieldUpdate {
        /// The datatype.
        datatype: DatatypeId,
        /// Index into [`super::Datatype::fields`].
        field: usize,
        /// A value of the datatype.
        value: Box<Expr>,
        /// The new value of the field.
        new: Box<Expr>,
    },
    /// `value is Constructor`.
    Is {
        /// The datatype.
        datatype: DatatypeId,
        /// Index into its constructors.
        constructor: usize,
        /// A value of the datatype.
        value: Box<Expr>,
    },
    /// `|{ ... }|`, a piece of code without loops that returns a bool, as two formulas. They agree where there is one way
    /// through it.
    Code {
        /// All ways through it return true. What has to be proved, as in Boogie.
        all: Box<Expr>,
        /// Some way through it returns true. What is assumed, as in Boogie.
        some: Box<Expr>,
    },
    /// Something that has a type but that no later stage understands, such as a code expression with calls. Whatever
    /// depends on it can only be answered with "unknown".
    Unsupported {
        /// What it is, in words: "code expression".
        what: &'static str,
    },
    /// An expression with a type error; there is an error diagnostic for it.
    Error,
}

/// What a name in an expression refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VarRef {
    /// A global variable.
    Global(GlobalId),
    /// An in- or out-parameter or a local variable of the procedure at hand.
    Local(LocalId),
    /// A constant.
    Constant(ConstantId),
    /// A variable bound in the expression, or a parameter of the function at hand.
    Bound(BoundId),
    /// Graph programs: a variable before the step.
    Unprimed(GraphVariableId),
    /// Graph programs: a variable after the step.
    Primed(GraphVariableId),
    /// Graph programs: a variable of the edge at hand.
    EdgeLocal(EdgeLocalId),
    /// Graph programs: a named formula of the edge at hand.
    EdgeLet(EdgeLetId),
}

/// Operators that come in chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NaryOp {
    /// Conjunction of bools.
    And,
    /// Disjunction of bools.
    Or,
    /// Sum of ints, reals or floats (see the expression's type).
    Add,
    /// Product of ints, reals or floats.
    Mul,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `a ==> b`.
    Implies,
    /// `a <==> b`.
    Iff,
    /// `a == b`, operands of one type (for polymorphic operands: of types that can be made equal).
    Eq,
    /// `a != b`.
    Neq,
    /// `a < b` on ints, reals or floats (see the operands' type).
    Lt,
    /// `a <= b`.
    Le,
    /// `a > b`.
    Gt,
    /// `a >= b`.
    Ge,
    /// `a - b` on ints, reals or floats.
    Sub,
    /// Integer division: `div`, or `/` where an int is wanted.
    IntDiv,
    /// Integer remainder `mod` or `%`.
    IntMod,
    /// `/` on reals; int operands have been wrapped in [`ExprKind::IntToReal`].
    RealDiv,
    /// `/` on floats.
    FloatDiv,
    /// `**` on reals.
    Pow,
    /// `a <: b`, the partial order declared by constants.
    PartialOrder,
}

/// `forall` or `exists`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuantifierKind {
    /// Universal.
    Forall,
    /// Existential.
    Exists,
}

/// A bound variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Its id, unique in the program.
    pub id: BoundId,
    /// Its name in the source (`""` for an unnamed parameter of a function).
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// `{:attribute ...}` of the variable, such as `{:pool "name"}`; none of parameters and let-names.
    pub attributes: Vec<Attribute>,
    /// The place of its name (of its type, if unnamed).
    pub span: Span,
}

/// A trigger of a quantifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// `false` for `{:nopats ...}`: terms that must not be used.
    pub positive: bool,
    /// The terms that must all match.
    pub terms: Vec<Expr>,
    /// Its place.
    pub span: Span,
}

/// `{:name arg, arg}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name without the colon.
    pub name: String,
    /// The arguments.
    pub args: Vec<AttributeArgument>,
    /// Its place.
    pub span: Span,
}

/// An argument of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeArgument {
    /// A string without its quotes.
    String(String),
    /// A typed expression.
    Expr(Expr),
    /// An expression that has no meaning where it stands (it names something unknown). Attributes are free-form, so
    /// this is no error; whoever needs the argument must treat the attribute as not understood.
    Opaque(Span),
}

/// A floating point literal; the format is in the type of the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FloatLiteral {
    /// The IEEE 754 bits of a finite number, `1 + (exponent bits) + (significand bits - 1)` of them.
    Bits(BigUint),
    /// An infinity.
    Infinity {
        /// Whether it is the negative one.
        negative: bool,
    },
    /// Not a number.
    NaN,
}

/// The rounding modes of IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundingMode {
    /// `RNE`.
    NearestTiesToEven,
    /// `RNA`.
    NearestTiesToAway,
    /// `RTP`.
    TowardPositive,
    /// `RTN`.
    TowardNegative,
    /// `RTZ`.
    TowardZero,
}

impl Expr {
    /// An expression.
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Self {
        Self { kind, ty, span }
    }

    /// The kind, taken out.
    pub fn into_kind(mut self) -> ExprKind {
        std::mem::replace(&mut self.kind, ExprKind::Error)
    }

    /// The expression that stands for a mistake.
    pub fn error(span: Span) -> Self {
        Self::new(ExprKind::Error, Type::Error, span)
    }
}

/// Calls a closure with each direct sub-expression.
struct Children<F>(F);

impl<'e, F: FnMut(&'e Expr)> Visit<'e> for Children<F> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        self.0(expr);
    }

    fn visit_attribute(&mut self, _: &'e Attribute) {}
    fn visit_type(&mut self, _: &'e Type) {}
}

impl<F: FnMut(&mut Expr)> VisitMut for Children<F> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        self.0(expr);
    }

    fn visit_attribute(&mut self, _: &mut Attribute) {}
    fn visit_type(&mut self, _: &mut Type) {}
}

impl Expr {
    /// Calls `f` with each direct sub-expression: operands, triggers, bodies; not with arguments of attributes.
    pub fn for_each_child<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        visit::walk_expr_kind(&mut Children(f), &self.kind);
    }

    /// As [`Expr::for_each_child`], and the sub-expressions may be changed.
    pub fn for_each_child_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        visit::mutable::walk_expr_kind(&mut Children(f), &mut self.kind);
    }

    /// Calls `f` with the expression and everything inside it, outermost first; not with arguments of attributes.
    /// Needs no stack in proportion to the depth.
    pub fn visit<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            f(expr);
            let first = open.len();
            expr.for_each_child(&mut |child| open.push(child));
            open[first..].reverse();
        }
    }
}

impl ExprKind {
    /// Whether the expression has no sub-expressions that could be nested deeply.
    fn is_leaf(&self) -> bool {
        matches!(
            self,
            ExprKind::Bool(_)
                | ExprKind::Int(_)
                | ExprKind::Real(_)
                | ExprKind::BitVec { .. }
                | ExprKind::Float(_)
                | ExprKind::String(_)
                | ExprKind::RoundingMode(_)
                | ExprKind::Var(_)
                | ExprKind::Unsupported { .. }
                | ExprKind::Error
        )
    }
}

impl Drop for Expr {
    fn drop(&mut self) {
        if !self.kind.is_leaf() {
            let kind = std::mem::replace(&mut self.kind, ExprKind::Error);
            ensure_stack(|| drop(kind));
        }
    }
}

impl Clone for Expr {
    fn clone(&self) -> Self {
        let kind = if self.kind.is_leaf() {
            self.kind.clone()
        } else {
            ensure_stack(|| self.kind.clone())
        };
        Self::new(kind, self.ty.clone(), self.span)
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span && self.ty == other.ty && ensure_stack(|| self.kind == other.kind)
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ensure_stack(|| {
            f.debug_struct("Expr")
                .field("kind", &self.kind)
                .field("ty", &self.ty)
                .field("span", &self.span)
                .finish()
        })
    }
}
