//! Programs in the form in which they are run: names are places in vectors, control flow is jumps.

use std::rc::Rc;

use ult_lang::hir::Type;
use ult_lang::span::Span;

use crate::float::FloatOp;
use crate::value::Value;

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Variable {
    /// One of the program: globals, then constants.
    Global(u32),
    /// One of the activation at hand.
    Local(u32),
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    /// A literal.
    Value(Value),
    /// The value of a variable.
    Variable(Variable),
    /// Negation of a truth value.
    Not(Box<Expr>),
    /// Conjunction, from the left, as far as needed.
    And(Box<[Expr]>),
    /// Disjunction, from the left, as far as needed.
    Or(Box<[Expr]>),
    /// `if`
    If(Box<[Expr; 3]>),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands.
    Binary(Binary, Box<[Expr; 2]>),
    /// An operator on floats and rounding modes.
    Float(FloatOp, Box<[Expr]>),
    /// `map[indices]`
    Select(Box<Expr>, Box<[Expr]>),
    /// `map[indices := value]`
    Store(Box<Expr>, Box<[Expr]>, Box<Expr>),
    /// A map whose elements are all equal.
    ConstantMap(Box<Expr>),
    /// A function of the program.
    Call(u32, Box<[Expr]>),
    /// A map given by an expression.
    Lambda(Rc<Lambda>),
    /// A quantified formula.
    Quantifier(Rc<Quantifier>),
    /// `let`: values are given to local variables.
    Let(Box<[(u32, Expr)]>, Box<Expr>),
    /// A value of a datatype.
    Construct(usize, Box<[Expr]>),
    /// A field: where it is, by constructor.
    Field(Box<[(usize, usize)]>, Box<Expr>),
    /// A value with another value of a field.
    FieldUpdate(Box<[(usize, usize)]>, Box<[Expr; 2]>),
    /// Whether a constructor made the value.
    Is(usize, Box<Expr>),
    /// An expression below which it gets deep.
    Deep(Box<Expr>),
    /// What cannot be evaluated, in words.
    Unsupported(Rc<str>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unary {
    /// `-` of an integer or real.
    Neg,
    /// Bits `low..` of a bit-vector, so many.
    Extract {
        /// The first bit.
        low: u32,
        /// How many.
        width: u32,
    },
    /// From a signed vector of so many bits to a wider one.
    SignExtend {
        /// The width of the operand.
        from: u32,
        /// The width of the result.
        to: u32,
    },
    /// Bitwise negation in so many bits.
    BitNot(u32),
    /// Two's complement in so many bits.
    BitNeg(u32),
    /// Rotation to the left within a width.
    RotateLeft {
        /// By how many bits; less than the width.
        by: u32,
        /// The width.
        width: u32,
    },
    /// Integer to real.
    ToReal,
    /// Real to integer, rounded down.
    ToInt,
    /// The number that a bit-vector is; the width if it is signed.
    BitsToInt(Option<u32>),
    /// A number modulo 2^width as bit-vector.
    IntToBits(u32),
    /// The absolute value of an integer.
    Abs,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Binary {
    /// `==`
    Eq,
    /// `!=`
    Neq,
    /// `<` on integers or reals.
    Lt,
    /// `<=`
    Le,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `div`, 0 for a divisor 0.
    Div,
    /// `mod`, 0 for a divisor 0.
    Mod,
    /// `/` of reals, 0 for a divisor 0.
    RealDiv,
    /// Concatenation; the width of the right operand.
    Concat(u32),
    /// An operator on bit-vectors of a width.
    Bits(BitsOp, u32),
}

/// Operators of SMT-LIB on two bit-vectors of one width.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BitsOp {
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
    Comp,
}

/// A map given by an expression.
#[derive(Debug)]
pub(crate) struct Lambda {
    /// The variables of the surroundings that it reads, and in which of its own locals it does.
    pub captures: Vec<(Variable, u32)>,
    /// How many indices; the first of its locals.
    pub indices: usize,
    /// The element at those indices.
    pub body: Expr,
    /// How many locals it has.
    pub locals: usize,
}

/// A quantified formula.
#[derive(Debug)]
pub(crate) struct Quantifier {
    /// Whether it is `forall`.
    pub forall: bool,
    /// The locals of the bound variables.
    pub bound: Vec<Bound>,
    /// A formula without quantifiers at its head.
    pub body: Expr,
    /// If it says that all elements in a row of a map are one value.
    pub row: Option<Row>,
}

/// A bound variable and what it can be.
#[derive(Debug)]
pub(crate) struct Bound {
    /// Where its value is.
    pub local: u32,
    /// All values, if they are few.
    pub all: Option<Vec<Value>>,
    /// Expressions which, where the body matters, are not above it.
    pub low: Vec<Expr>,
    /// Expressions which, where the body matters, are above it.
    pub high: Vec<Expr>,
}

/// `forall o, p :: map[a, o, b, p] == value`
#[derive(Debug)]
pub(crate) struct Row {
    /// The map.
    pub map: Expr,
    /// The indices; `None` for the bound ones, which differ.
    pub indices: Vec<Option<Expr>>,
    /// What the elements are.
    pub value: Expr,
}

/// A function of the program.
#[derive(Debug)]
pub(crate) struct Function {
    /// Its name.
    pub name: Rc<str>,
    /// How many locals its body needs; the parameters are the first.
    pub locals: usize,
    /// Its definition.
    pub body: Option<Expr>,
    /// The type of its value.
    pub result: Rc<Type>,
}

/// A variable, or an element of a map that it is, gets a value.
#[derive(Debug)]
pub(crate) struct Write {
    /// The variable.
    pub variable: Variable,
    /// The indices of the element: of the map, of the map that is its element, and so on.
    pub path: Box<[Box<[Expr]>]>,
    /// The value.
    pub value: Expr,
}

/// An obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// `assert`
    Assert,
    /// A loop invariant.
    Invariant,
    /// A precondition.
    Requires,
    /// A postcondition.
    Ensures,
    /// An error location is reached.
    Location,
}

/// A statement.
#[derive(Debug)]
pub(crate) enum Instr {
    /// An assignment.
    Write(Write),
    /// A parallel assignment.
    Writes(Box<[Write]>),
    /// `assume`
    Assume(Expr),
    /// An axiom: as [`Instr::Assume`], but passed over if it cannot be evaluated.
    Axiom(Expr),
    /// `assert`
    Assert {
        /// What has to hold.
        condition: Expr,
        /// What it is.
        obligation: Obligation,
        /// The user's message.
        message: Option<Rc<str>>,
    },
    /// The condition holds, or nobody knows how to go on.
    Supported {
        /// The condition.
        condition: Expr,
        /// What is not supported.
        what: Rc<str>,
    },
    /// Variables get any values.
    Havoc(Box<Havoc>),
    /// A call.
    Call {
        /// The bodies.
        bodies: Box<[u32]>,
        /// The arguments.
        args: Box<[Expr]>,
        /// Where the results go.
        results: Box<[Variable]>,
        /// Whether preconditions are left out.
        free: bool,
    },
    /// Go on there.
    Jump(usize),
    /// Go on there unless the condition holds.
    Unless(Expr, usize),
    /// Go on at any of them.
    Choose(Box<[usize]>),
    /// Back to the caller.
    Leave,
    /// Not supported, in words.
    Unsupported(Rc<str>),
}

/// Variables get any values.
#[derive(Debug)]
pub(crate) struct Havoc {
    /// The variables and their types.
    pub variables: Vec<(Variable, Rc<Type>)>,
    /// What assumptions behind say about the variable with this number.
    pub hints: Vec<Hint>,
    /// So many instructions behind are worth a look before values are chosen.
    pub look: usize,
    /// Whether the values are inputs of the program.
    pub input: bool,
}

/// A comparison of a variable with something else.
#[derive(Debug)]
pub(crate) struct Hint {
    /// The number of the variable in [`Havoc::variables`].
    pub number: usize,
    /// How it compares.
    pub relation: Relation,
    /// With what: an expression of the state before.
    pub with: Expr,
}

/// How a variable compares with something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It is equal.
    Equal,
    /// It is not less.
    AtLeast,
    /// It is not more.
    AtMost,
    /// It is more.
    Above,
    /// It is less.
    Below,
}

/// A variable as people know it.
#[derive(Debug)]
pub(crate) struct Named {
    /// Its name.
    pub name: Rc<str>,
    /// Its type.
    pub ty: Rc<Type>,
}

/// The body of a procedure.
#[derive(Debug)]
pub(crate) struct Body {
    /// The name of the procedure.
    pub name: Rc<str>,
    /// How many parameters it gets: the first locals.
    pub ins: usize,
    /// How many results it gives: the next locals.
    pub outs: usize,
    /// The variables that have names; the first of the locals.
    pub variables: Vec<Named>,
    /// All locals, also those for bound variables and old values.
    pub locals: usize,
    /// Globals whose values at the beginning are kept: which, and in which local.
    pub olds: Vec<(u32, u32)>,
    /// The statements.
    pub instrs: Vec<Instr>,
    /// Their places.
    pub spans: Vec<Span>,
    /// Where to begin if preconditions are not checked.
    pub free_start: usize,
}

/// A program.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// Global variables, then constants.
    pub globals: Vec<Named>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Bodies of procedures.
    pub bodies: Vec<Body>,
}

impl Expr {
    /// Calls `f` with each variable of the surroundings that the expression reads.
    pub(crate) fn for_each_variable(&self, f: &mut dyn FnMut(Variable)) {
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Value(_) | Expr::Unsupported(_) => {}
                Expr::Variable(variable) => f(*variable),
                Expr::Not(a)
                | Expr::Unary(_, a)
                | Expr::ConstantMap(a)
                | Expr::Field(_, a)
                | Expr::Is(_, a)
                | Expr::Deep(a) => open.push(a),
                Expr::And(all)
                | Expr::Or(all)
                | Expr::Float(_, all)
                | Expr::Call(_, all)
                | Expr::Construct(_, all) => open.extend(all),
                Expr::If(all) => open.extend(&**all),
                Expr::Binary(_, all) | Expr::FieldUpdate(_, all) => open.extend(&**all),
                Expr::Select(map, indices) => {
                    open.push(map);
                    open.extend(indices);
                }
                Expr::Store(map, indices, value) => {
                    open.extend([&**map, &**value]);
                    open.extend(indices);
                }
                Expr::Lambda(lambda) => {
                    for (variable, _) in &lambda.captures {
                        f(*variable);
                    }
                }
                Expr::Quantifier(quantifier) => {
                    open.push(&quantifier.body);
                    for bound in &quantifier.bound {
                        open.extend(bound.low.iter().chain(&bound.high));
                    }
                }
                Expr::Let(bindings, body) => {
                    open.extend(bindings.iter().map(|(_, value)| value));
                    open.push(body);
                }
            }
        }
    }
}
