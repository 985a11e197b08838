//! The typed program without C's surprises.
//!
//! Expressions have no side effects: assignments, calls, `++` and the like are statements, in the
//! order in which C evaluates them; where C leaves it open and it matters, in each. Every
//! conversion is an expression of its own. Arrays and functions do not turn into pointers in
//! silence: what does is an [`ExprKind::Address`] or [`ExprKind::Function`].

pub mod change;
pub mod visit;

use std::collections::BTreeSet;

use ult_lang::span::Span;

use crate::types::{Bits, DataModel, FunctionType, Record, RecordId, Type};
use crate::undefined::Undefined;

/// Index of a variable in [`Program::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// Index of a function in [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A label of one function: index into [`Function::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// A block or loop that can be left: unique in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// The beginning of the names of the variables whose addresses are the values of labels.
pub const LABEL_VALUE: &str = "__at_label_";

/// A C program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The sizes of types.
    pub model: DataModel,
    /// Structures and unions.
    pub records: Vec<Record>,
    /// All variables: globals, string literals, parameters, locals and temporaries.
    pub variables: Vec<Variable>,
    /// Those that are string literals, or compound literals of constants: equal ones may be one object (C11 6.4.5p7, 6.5.2.5p7).
    pub literals: BTreeSet<VarId>,
    /// Functions, defined and only declared ones.
    pub functions: Vec<Function>,
    /// Where runs start: `main`, or the caller of the functions of a program without it.
    pub main: Option<FunctionId>,
    /// In a program without `main`, the functions that are called from outside.
    pub called: Vec<String>,
    /// Functions that use volatile objects.
    pub volatile: BTreeSet<FunctionId>,
    /// The function that runs when `main` returns, as `exit` calls those that were registered (C11 5.1.2.2.3).
    pub at_end: Option<FunctionId>,
}

impl Program {
    /// The functions that run before `main`, in the order in which they run. Among those of one priority it is the order in which
    /// they are defined.
    pub fn constructors(&self) -> Vec<FunctionId> {
        let mut found: Vec<(u32, u32, FunctionId)> = (0..)
            .map(FunctionId)
            .zip(&self.functions)
            .filter(|(_, function)| function.body.is_some())
            .filter_map(|(id, function)| Some((function.constructor?, function.span.start, id)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(.., id)| id).collect()
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in C; what the translator made up has names like `t1`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it lives.
    pub storage: Storage,
    /// The place of its name.
    pub span: Span,
}

impl Variable {
    /// Whether it lives for the whole run.
    pub fn is_static(&self) -> bool {
        matches!(self.storage, Storage::Static { .. })
    }

    /// The values that are written down for it, if it is static.
    pub fn initial_values(&self) -> impl Iterator<Item = &Expr> {
        let values = match &self.storage {
            Storage::Static {
                initial: Initial::Values(values),
                ..
            } => values.as_slice(),
            _ => &[],
        };
        values.iter().map(|(_, value)| value)
    }
}

/// Where a variable lives.
#[derive(Clone, Debug)]
pub enum Storage {
    /// For the whole run: globals, static locals, string literals.
    Static {
        /// The function that sees it, for static locals.
        function: Option<FunctionId>,
        /// What it contains at the start.
        initial: Initial,
    },
    /// As long as an activation of the function.
    Automatic {
        /// The function.
        function: FunctionId,
        /// Whether it is one of its parameters.
        parameter: bool,
        /// Whether the translator made it up.
        temporary: bool,
    },
}

/// What a static variable contains at the start.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zeroes, but for the given scalars; a place occurs once. The expressions are constant:
    /// numbers, addresses of static variables and functions, and what can be computed from them.
    Values(Vec<(Vec<ConstantStep>, Expr)>),
    /// The bytes of a string literal, with its final zero if that fits.
    Bytes(Vec<u8>),
    /// Not known: declared `extern` without a definition.
    Unknown,
}

/// A step to a part of a static variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConstantStep {
    /// A member, by its number.
    Field(usize),
    /// An element.
    Index(u64),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: FunctionType,
    /// Its parameters, if it is defined.
    pub params: Vec<VarId>,
    /// Its body, if it is defined.
    pub body: Option<Vec<Stmt>>,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// The place of its name (in the definition, if there is one).
    pub span: Span,
    /// Who says what it is.
    pub origin: Origin,
    /// Whether it may return: not so if it is declared `_Noreturn` (C11 6.7.4).
    pub returns: bool,
    /// What an annotation says that it does with the lock that is its first argument.
    pub lock: Option<LockRole>,
    /// Whether it runs before `main` (gcc, attribute `constructor`): those with lower numbers go first.
    pub constructor: Option<u32>,
    /// Whether the strings that it reads were read before it is called: it is one of the library without a body.
    pub strings_are_read: bool,
}

/// What a function does with a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockRole {
    /// It waits for it and has it then.
    Acquire,
    /// It gives it back.
    Release,
}

/// Where a function is declared first, or defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// In the program, or nowhere.
    #[default]
    Program,
    /// In a header of the system.
    System,
    /// In the library that comes with `ult`.
    Library,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its place: of an assignment or call, the whole expression; of a branch, its condition.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// The life of a local variable begins (again): its value is arbitrary.
    Declare(VarId),
    /// A jump passes the declaration of a local variable within its block: it lives, with the value that it has. That is
    /// arbitrary if the declaration was never reached.
    Begin(VarId),
    /// The life of a local variable ends: no pointer to it may be used any more (C11 6.2.4). It may have ended before.
    End(VarId),
    /// A scalar or a whole structure or union is written. Both sides have the same type.
    Assign(Place, Expr),
    /// A value, or a whole structure or union, is computed and dropped: what matters is whether that is defined.
    Evaluate(Expr),
    /// All bytes of the object become zero.
    Zero(Place),
    /// A call. Arguments have the types of the parameters, or promoted ones behind them. The result
    /// has the type of the place.
    Call {
        /// Who is called.
        callee: Callee,
        /// The arguments, scalars or whole structures and unions.
        args: Vec<Expr>,
        /// Where the result goes.
        result: Option<Place>,
    },
    /// A branch on a scalar: whether it differs from zero.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Again and again.
    Loop(BlockId, Vec<Stmt>),
    /// Once.
    Block(BlockId, Vec<Stmt>),
    /// Leaves an enclosing loop or block.
    Leave(BlockId),
    /// A label.
    Label(LabelId),
    /// A jump.
    Goto(LabelId),
    /// Leaves the function.
    Return(Option<Expr>),
    /// An assertion of an annotation (ACSL); what the expression must not be is zero.
    Assert(Expr),
    /// Behavior is undefined here, or may be: operands without an order of which one changes what the other one uses (C11
    /// 6.5p2), or a format that does not fit (C11 7.21.6.1p9).
    Undefined {
        /// What is.
        what: Undefined,
        /// The same in words.
        words: String,
        /// Whether it is for sure, or may be.
        certain: bool,
    },
    /// Something that is not covered, in words.
    Unsupported(String),
}

/// Who is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by its name.
    Function(FunctionId),
    /// What a function pointer points to, and its type.
    Pointer(Expr, FunctionType),
}

/// An object, or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where to start.
    pub base: Base,
    /// Which part.
    pub path: Vec<Step>,
    /// The type of that part.
    pub ty: Type,
    /// The place in the text.
    pub span: Span,
}

impl Place {
    /// A variable as a whole.
    pub fn variable(id: VarId, ty: Type, span: Span) -> Place {
        Place {
            base: Base::Variable(id),
            path: Vec::new(),
            ty,
            span,
        }
    }

    /// The variable that the place is as a whole.
    pub fn whole(&self) -> Option<VarId> {
        match self.base {
            Base::Variable(id) if self.path.is_empty() => Some(id),
            _ => None,
        }
    }
}

/// Where a place starts.
#[derive(Clone, Debug)]
pub enum Base {
    /// A variable.
    Variable(VarId),
    /// What a pointer points to.
    Deref(Box<Expr>),
}

/// From an object to a part of it.
#[derive(Clone, Debug)]
pub enum Step {
    /// A member of a structure or union, by its number.
    Field(RecordId, usize),
    /// An element of an array; the index has an integer type.
    Index(Expr),
}

/// An expression without side effects.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its place.
    pub span: Span,
}

impl Expr {
    /// The pointer that the expression is the whole address of, as a number; pointers have `word` bits.
    pub fn as_address(&self, word: u32) -> Option<&Expr> {
        let ExprKind::Convert(operand) = &self.kind else {
            return None;
        };
        match (&self.ty, &operand.ty) {
            (Type::Int(int), Type::Pointer(_)) if int.bits >= word => Some(operand),
            (Type::Int(int), Type::Int(inner)) if int.bits == inner.bits => {
                operand.as_address(word)
            }
            _ => None,
        }
    }

    /// Whether this is a pointer that was moved just now, whatever type it has become.
    pub fn is_moved(&self) -> bool {
        match &self.kind {
            ExprKind::Offset { index, .. } => !matches!(index.kind, ExprKind::Int(0)),
            ExprKind::Convert(operand) => operand.ty.is_pointer() && operand.is_moved(),
            _ => false,
        }
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer; of pointer type, the null pointer.
    Int(i128),
    /// A floating constant, rounded to its type: its value as a fraction (`None` for an infinity
    /// that the rounding made).
    Float(Option<num_rational::BigRational>),
    /// The value of an object: a scalar, or a whole structure or union.
    Read(Place),
    /// The address of an object. For an array that decays, its first element is the object.
    Address(Place),
    /// The address of a function.
    Function(FunctionId),
    /// An operation on a number of this type.
    Unary(UnaryOp, Box<Expr>),
    /// An operation on two numbers of this type; for shifts, the right one may be of another type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A comparison of two scalars of the same type; an `int`. All pointer types count as the same.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// Whether a scalar is zero; an `int`.
    Not(Box<Expr>),
    /// Whether two scalars differ from zero; an `int`. The second one matters only if the first
    /// one does.
    And(Box<Expr>, Box<Expr>),
    /// Whether one of two scalars differs from zero; an `int`. The second one matters only if the
    /// first one is zero.
    Or(Box<Expr>, Box<Expr>),
    /// The second if the first differs from zero, else the third; both have this type.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The operand converted to this type: between scalars, or to `void`.
    Convert(Box<Expr>),
    /// A pointer moved by a number of elements of what it points to.
    Offset {
        /// The pointer.
        pointer: Box<Expr>,
        /// An integer.
        index: Box<Expr>,
        /// Whether it is moved backwards.
        back: bool,
    },
    /// How many elements lie between two pointers, of type `ptrdiff_t`.
    Difference(Box<Expr>, Box<Expr>),
    /// Something that is not covered, in words; an arbitrary value of its type.
    Unsupported(String),
}

/// An operation on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    Complement,
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Expr {
    /// The object whose bytes the value of an integer is, unchanged: what is assigned from it is a copy of these bytes, also
    /// if they are those of a pointer (C11 6.2.6.1).
    pub fn copied(&self) -> Option<&Place> {
        self.copied_as(self.ty.integer()?.bits)
    }

    fn copied_as(&self, bits: u32) -> Option<&Place> {
        let own = self.ty.integer().filter(|_| self.ty != Type::Bool)?.bits;
        match &self.kind {
            ExprKind::Read(place) if own == bits => Some(place),
            // There and back again: the lower bits stay.
            ExprKind::Convert(operand) if own >= bits => operand.copied_as(bits),
            _ => None,
        }
    }

    /// A number of bytes, if it is constant and no part of it is too large for its type.
    pub fn count(&self) -> Option<u64> {
        let value = match &self.kind {
            ExprKind::Int(value) => u64::try_from(*value).ok()?,
            ExprKind::Convert(operand) => operand.count()?,
            ExprKind::Binary(BinaryOp::Multiply, left, right) => {
                left.count()?.checked_mul(right.count()?)?
            }
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                left.count()?.checked_add(right.count()?)?
            }
            _ => return None,
        };
        let int = self.ty.integer().filter(|_| self.ty != Type::Bool)?;
        let bits = int.bits - u32::from(int.signed);
        (bits >= 64 || value >> bits == 0).then_some(value)
    }

    /// The pointer behind conversions between pointer types, and the type of its objects.
    pub fn typed_pointer(&self) -> (&Expr, Type) {
        let own = match &self.ty {
            Type::Pointer(to) => (**to).clone(),
            _ => Type::Void,
        };
        match &self.kind {
            ExprKind::Convert(inner) if inner.ty.is_pointer() => match inner.typed_pointer() {
                (_, Type::Void) => (self, own),
                found => found,
            },
            _ => (self, own),
        }
    }
}

impl Program {
    /// A variable.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A structure or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// If the place is a bit-field, its bits.
    pub fn bit_field(&self, place: &Place) -> Option<Bits> {
        match place.path.last()? {
            Step::Field(record, number) => self.record(*record).fields.as_ref()?.get(*number)?.bits,
            Step::Index(_) => None,
        }
    }
}
