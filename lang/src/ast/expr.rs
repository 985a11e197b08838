//! Expressions.

use super::{Attribute, FloatFormat, Ident, Stmt, Type, TypedIdents, VarDecl};
use crate::span::Span;
use crate::stack::ensure_stack;
use num_bigint::BigUint;

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// Which expression.
    pub kind: ExprKind,
    /// Where it stands. Enclosing parentheses belong to it, except those of a trigger, call or guard.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A variable, constant, parameter or bound variable.
    Ident(Ident),
    /// `x'`, the value behind an edge. Only in the graph language.
    Primed(Ident),
    /// `f(e, ...)`: a function or a datatype's constructor.
    Call {
        /// The function.
        name: Ident,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `op e`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: Box<Expr>,
    },
    /// `e0 op1 e1 op2 e2 ...`: operators of one [`Precedence`], at least one.
    ///
    /// Read from the left, except `==>` and `**`, which are read from the right. `a && b || c` and the like, which
    /// Boogie wants parenthesised, are never one chain. Comparisons are chains of exactly one operator.
    Chain {
        /// The leftmost operand.
        first: Box<Expr>,
        /// The further operators with their right operands.
        rest: Vec<ChainLink>,
    },
    /// `m[i, j]`
    Select {
        /// The map.
        map: Box<Expr>,
        /// The indices.
        indices: Vec<Expr>,
    },
    /// `m[i, j := e]`: the map with one element replaced.
    Store {
        /// The map.
        map: Box<Expr>,
        /// The indices.
        indices: Vec<Expr>,
        /// The new element.
        value: Box<Expr>,
    },
    /// `e[hi:lo]`: the bits `lo..hi`, `hi` excluded, so that the width is `hi - lo`.
    Extract {
        /// The bit-vector.
        operand: Box<Expr>,
        /// Number of the bit behind the highest.
        high: u32,
        /// Number of the lowest bit.
        low: u32,
    },
    /// `e->f`: a field of a datatype's value.
    Field {
        /// The value.
        operand: Box<Expr>,
        /// The field.
        field: Ident,
    },
    /// `e->(f := v)`: the value with one field replaced.
    FieldUpdate {
        /// The value.
        operand: Box<Expr>,
        /// The field.
        field: Ident,
        /// Its new value.
        value: Box<Expr>,
    },
    /// `e is C`: whether the value was built by the constructor.
    Is {
        /// The value.
        operand: Box<Expr>,
        /// The constructor.
        constructor: Ident,
    },
    /// `if c then a else if d then b else e`
    IfThenElse {
        /// The conditions with their values, at least one.
        branches: Vec<(Expr, Expr)>,
        /// The value when no condition holds.
        otherwise: Box<Expr>,
    },
    /// `old(e)`
    Old(Box<Expr>),
    /// `int(e)`: the real number rounded down.
    ToInt(Box<Expr>),
    /// `real(e)`: the integer as a real number.
    ToReal(Box<Expr>),
    /// `e: T`, a type ascription.
    Ascription {
        /// The expression.
        operand: Box<Expr>,
        /// Its type.
        ty: Type,
    },
    /// `(forall<a> x: T :: {t} e)`, `(exists ...)`, `(lambda ...)`
    Quantifier(Box<Quantifier>),
    /// `(var x, y := e, f; body)`
    Let(Box<Let>),
    /// `|{ var x: int; A: ...; return e; }|`
    Code(Box<CodeExpr>),
    /// What was written is no expression; a diagnostic says so.
    Error,
}

/// An operator in a chain and its right operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainLink {
    /// The operator.
    pub op: BinaryOp,
    /// Where the operator stands.
    pub op_span: Span,
    /// The operand to its right.
    pub operand: Expr,
}

/// Literals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// `true`, `false`
    Bool(bool),
    /// `42`
    Int(BigUint),
    /// `1.5`, `1e5`, `1.5e-3`
    Real(Decimal),
    /// `5bv8`. The value may be too large for the width: then it is an error that the type checker reports.
    BitVector {
        /// The value.
        value: BigUint,
        /// The width.
        width: u32,
    },
    /// `0x1.8e0f24e8` and the special values.
    Float(FloatLiteral),
    /// `"text"`, with the escapes `\"` and `\\` replaced.
    String(String),
    /// `RNE` or `roundNearestTiesToEven`, ...
    RoundingMode(RoundingMode),
}

/// The decimal number `mantissa * 10^exponent`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// All digits, without the point.
    pub mantissa: BigUint,
    /// The power of ten; its absolute value is at most [`crate::parse::MAX_EXPONENT`].
    pub exponent: i32,
}

/// A floating-point literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatLiteral {
    /// The value.
    pub value: FloatValue,
    /// The format.
    pub format: FloatFormat,
}

/// The value of a floating-point literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FloatValue {
    /// `0x1.8e-2f24e8`: `mantissa * 16^(exponent - fraction_digits)`.
    Hex {
        /// All hexadecimal digits, without the point.
        mantissa: BigUint,
        /// How many of the digits stand behind the point.
        fraction_digits: u32,
        /// The power of 16; its absolute value is at most [`crate::parse::MAX_EXPONENT`].
        exponent: i32,
    },
    /// `0NaN24e8`
    NaN,
    /// `0+oo24e8`, or `0-oo24e8` if negative.
    Infinity {
        /// Whether it is minus infinity.
        negative: bool,
    },
}

/// The rounding modes of floating-point arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RoundingMode {
    /// `RNE`, to the nearest, ties to even.
    NearestTiesToEven,
    /// `RNA`, to the nearest, ties away from zero.
    NearestTiesToAway,
    /// `RTP`, towards plus infinity.
    TowardPositive,
    /// `RTN`, towards minus infinity.
    TowardNegative,
    /// `RTZ`, towards zero.
    TowardZero,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `<==>`
    Iff,
    /// `==>`
    Implies,
    /// `<==`
    Explies,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==`
    Eq,
    /// `!=`
    Neq,
    /// `<`
    Less,
    /// `<=`
    LessEq,
    /// `>`
    Greater,
    /// `>=`
    GreaterEq,
    /// `<:`, the partial order of constants
    Subtype,
    /// `++`, concatenation of bit-vectors
    Concat,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`: of reals or floats; of integers in Ultimate's older reading
    Div,
    /// `div`: of integers, Euclidean
    IntDiv,
    /// `mod`, also written `%`
    Mod,
    /// `**`
    Pow,
}

/// How strongly an operator binds, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Precedence {
    /// `<==>`
    Iff,
    /// `==>`, `<==`; the two do not mix without parentheses
    Implies,
    /// `&&`, `||`; the two do not mix without parentheses
    Logical,
    /// `== != < <= > >= <:`; no chains
    Relation,
    /// `++`
    Concat,
    /// `+ -`
    Sum,
    /// `* / div mod`
    Product,
    /// `**`
    Power,
    /// `is`
    Is,
    /// `! -` before an operand
    Unary,
    /// `e: T`
    Ascription,
    /// `e[...]`, `e->f`
    Postfix,
    /// Names, literals, everything in brackets
    Atom,
}

impl BinaryOp {
    /// How strongly it binds.
    pub fn precedence(self) -> Precedence {
        use BinaryOp::*;
        match self {
            Iff => Precedence::Iff,
            Implies | Explies => Precedence::Implies,
            And | Or => Precedence::Logical,
            Eq | Neq | Less | LessEq | Greater | GreaterEq | Subtype => Precedence::Relation,
            Concat => Precedence::Concat,
            Add | Sub => Precedence::Sum,
            Mul | Div | IntDiv | Mod => Precedence::Product,
            Pow => Precedence::Power,
        }
    }

    /// Whether `a op b op c` means `a op (b op c)`.
    pub fn is_right_associative(self) -> bool {
        matches!(self, BinaryOp::Implies | BinaryOp::Pow)
    }

    /// How it is written, in ASCII.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Iff => "<==>",
            Implies => "==>",
            Explies => "<==",
            And => "&&",
            Or => "||",
            Eq => "==",
            Neq => "!=",
            Less => "<",
            LessEq => "<=",
            Greater => ">",
            GreaterEq => ">=",
            Subtype => "<:",
            Concat => "++",
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            IntDiv => "div",
            Mod => "mod",
            Pow => "**",
        }
    }
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binder {
    /// `forall`, `∀`
    Forall,
    /// `exists`, `∃`
    Exists,
    /// `lambda`, `λ`: a map
    Lambda,
}

/// `(forall<a> x: T, y: U :: {:attr} {trigger} body)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantifier {
    /// Which quantifier.
    pub binder: Binder,
    /// The type variables it binds.
    pub type_params: Vec<Ident>,
    /// The variables it binds; empty only if `type_params` is not.
    pub vars: Vec<TypedIdents>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its triggers, each a nonempty list of expressions.
    pub triggers: Vec<Trigger>,
    /// The body.
    pub body: Expr,
}

/// A trigger `{e, f}` of a quantifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trigger {
    /// The expressions, at least one.
    pub exprs: Vec<Expr>,
    /// From brace to brace.
    pub span: Span,
}

/// `(var x, y := e, f; body)`: as many names as values if the program is right, which a later stage checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Let {
    /// The names, each with its attributes.
    pub names: Vec<(Vec<Attribute>, Ident)>,
    /// The values, which do not see the names.
    pub values: Vec<Expr>,
    /// Attributes behind the semicolon.
    pub attributes: Vec<Attribute>,
    /// The body, which sees the names.
    pub body: Expr,
}

/// `|{ ... }|`: a piece of code that returns a truth value, Boogie's code expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeExpr {
    /// Its local variables.
    pub locals: Vec<VarDecl>,
    /// Its statements; `return e;` occurs only here.
    pub stmts: Vec<Stmt>,
}

impl Expr {
    /// The expression at the place.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, span }
    }

    /// Takes the expression apart. (Its fields cannot be moved out, because `Expr` has a `Drop`.)
    pub fn into_kind(mut self) -> ExprKind {
        std::mem::replace(&mut self.kind, ExprKind::Error)
    }
}

impl Clone for Expr {
    fn clone(&self) -> Expr {
        ensure_stack(|| Expr {
            kind: self.kind.clone(),
            span: self.span,
        })
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.span == other.span && ensure_stack(|| self.kind == other.kind)
    }
}

impl Eq for Expr {}

impl Drop for Expr {
    fn drop(&mut self) {
        if !matches!(
            self.kind,
            ExprKind::Literal(_) | ExprKind::Ident(_) | ExprKind::Primed(_) | ExprKind::Error
        ) {
            let kind = std::mem::replace(&mut self.kind, ExprKind::Error);
            ensure_stack(|| drop(kind));
        }
    }
}
