//! Terms as Boogie expressions.
//!
//! The printer writes from left to right over a stack of pieces, so that neither deep terms nor
//! long chains are a problem, and can stop after a given length: a shared sub-term is written out
//! wherever it occurs unless it has a name, so the full text may be much longer than the term is
//! large.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use num_rational::BigRational;
use num_traits::Signed;

use super::sort::Sort;
use super::term::{Binder, BinderKind, BvOp, Function, Op, Term, Terms, Var, Version};
use super::value::write_real;

/// A text of at most so many characters on one line; `…` stands for the rest.
pub fn cut(text: &str, limit: usize) -> String {
    let mut line: String = text
        .chars()
        .take(limit)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(limit).is_some() {
        line.pop();
        line.push('…');
    }
    line
}

/// How tightly an operator binds, as in Boogie's grammar.
mod level {
    pub(super) const IFF: u8 = 1;
    pub(super) const IMPLIES: u8 = 2;
    pub(super) const LOGICAL: u8 = 3;
    pub(super) const RELATION: u8 = 4;
    pub(super) const CONCAT: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const UNARY: u8 = 9;
    pub(super) const POSTFIX: u8 = 10;
    pub(super) const ATOM: u8 = 11;
}

/// How names are written.
pub trait Spelling {
    /// A variable.
    fn variable(&self, var: &Var) -> String;

    /// A rigid symbol.
    fn function(&self, function: &Function) -> String {
        function.name.to_string()
    }

    /// A sort.
    fn sort(&self, sort: &Sort) -> String {
        sort.to_string()
    }

    /// The function that stands for the operator of this term, which has no notation of its own:
    /// a bit-vector operator, an extension, a built-in, [`Op::Distinct`], or [`Op::Eq`] of floats
    /// (Boogie's `==` of floats is IEEE's, by which NaN differs from itself). `None` for the
    /// printer's own choice.
    fn operator(&self, _term: Term) -> Option<String> {
        None
    }

    /// The index of a constant map, which is written as a lambda, at a position.
    fn index(&self, position: usize) -> String {
        format!("_i{position}")
    }

    /// Whether reading the text must give back the very term that was printed. If not, the
    /// printer may use notation that is nicer to read and only equivalent.
    fn exact(&self) -> bool {
        false
    }
}

/// Spells variables by a function and everything else as it is.
struct ByName<'a>(&'a dyn Fn(&Var) -> String);

impl Spelling for ByName<'_> {
    fn variable(&self, var: &Var) -> String {
        (self.0)(var)
    }
}

/// Writes terms in Boogie's notation.
pub struct Printer<'a> {
    terms: &'a Terms,
    spelling: Box<dyn Spelling + 'a>,
    /// Sub-terms that have a name of their own.
    named: HashMap<Term, String>,
    /// Definitions to be written at the beginning of a binder's body, or of a whole expression.
    lets: HashMap<Term, Vec<(Term, String)>>,
}

/// A part of the text still to be written.
enum Piece<'a> {
    Text(Cow<'a, str>),
    /// A term in a place that needs this level, by its name if it has one.
    Term(Term, u8),
    /// A term written out, even if it has a name.
    Definition(Term, u8),
    /// The next piece is the body of the definitions for this term.
    Open(Term),
    /// The definitions for this term end here.
    Close,
}

/// The names that hold at a place, those of the innermost binder last.
type Scopes<'a> = Vec<HashMap<Term, &'a str>>;

/// A variable in plain notation: `x`, `x'`, `x#3`, `x@2`, `x#3@2`.
pub fn plain_name(var: &Var) -> String {
    let name = &var.name;
    match var.version {
        Version::Current | Version::Bound(_) => name.to_string(),
        Version::Next => format!("{name}'"),
        Version::Aux(number) => format!("{name}#{number}"),
        Version::At(step) => format!("{name}@{step}"),
        Version::AuxAt(step, number) => format!("{name}#{number}@{step}"),
    }
}

impl Terms {
    /// The term as a Boogie expression, for people. Shared sub-terms are written out each time,
    /// so the text can be much larger than the term: see [`Terms::size`] first, or use
    /// [`Terms::display_at_most`].
    pub fn display(&self, term: Term) -> String {
        Printer::new(self, &plain_name).print(term)
    }

    /// Like [`Terms::display`], but at most about `limit` characters; `…` stands for the rest.
    pub fn display_at_most(&self, term: Term, limit: usize) -> String {
        Printer::new(self, &plain_name).print_at_most(term, limit)
    }
}

/// Text without brackets of its own, and how tightly its outermost operator binds.
type Expansion<'a> = (u8, Vec<Piece<'a>>);

impl<'a> Printer<'a> {
    /// A printer that writes variables by `name`.
    pub fn new(terms: &'a Terms, name: &'a dyn Fn(&Var) -> String) -> Printer<'a> {
        Printer::with_spelling(terms, ByName(name))
    }

    /// A printer that writes all names as `spelling` says.
    pub fn with_spelling(terms: &'a Terms, spelling: impl Spelling + 'a) -> Printer<'a> {
        Printer {
            terms,
            spelling: Box::new(spelling),
            named: HashMap::new(),
            lets: HashMap::new(),
        }
    }

    /// From now on `term` is written as `name`, except where it is itself what is printed.
    pub fn name_term(&mut self, term: Term, name: String) {
        self.named.insert(term, name);
    }

    /// Writes `(var name := term; ...)` for each definition, in order, around the body of the
    /// binder `place`, or around `place` itself where it is no binder and is what is printed.
    /// Within, the terms are written by their names, except in the binder's triggers.
    pub fn define_in(&mut self, place: Term, definitions: Vec<(Term, String)>) {
        self.lets.insert(place, definitions);
    }

    /// The term as an expression.
    pub fn print(&self, term: Term) -> String {
        self.print_at_most(term, usize::MAX)
    }

    /// The term as an expression of at most about `limit` characters; `…` stands for the rest.
    pub fn print_at_most(&self, term: Term, limit: usize) -> String {
        self.run(Piece::Definition(term, 0), Some(term), limit)
    }

    /// The term as an operand of a conjunction.
    pub fn print_conjunct(&self, term: Term) -> String {
        self.run(Piece::Term(term, level::RELATION), None, usize::MAX)
    }

    fn run(&self, first: Piece<'_>, root: Option<Term>, limit: usize) -> String {
        let mut out = String::new();
        let mut stack = vec![first];
        let mut scopes: Scopes<'_> = Vec::new();
        if let Some(root) = root
            && !matches!(self.terms.op(root), Op::Bind(_))
        {
            stack.push(Piece::Open(root));
        }
        while let Some(piece) = stack.pop() {
            if out.len() > limit {
                let mut end = limit.saturating_sub(1);
                while !out.is_char_boundary(end) {
                    end -= 1;
                }
                out.truncate(end);
                out.push('…');
                return out;
            }
            let (term, needed, by_name) = match piece {
                Piece::Text(text) => {
                    out += &text;
                    continue;
                }
                Piece::Open(place) => {
                    self.open(place, &mut stack, &mut scopes);
                    continue;
                }
                Piece::Close => {
                    scopes.pop();
                    continue;
                }
                Piece::Term(term, needed) => (term, needed, true),
                Piece::Definition(term, needed) => (term, needed, false),
            };
            if by_name && let Some(name) = self.name_of(term, &scopes) {
                out += name;
                continue;
            }
            if let Op::Bind(binder) = self.terms.op(term) {
                out.push('(');
                stack.push(Piece::Text(")".into()));
                self.binder(term, binder, &mut stack);
                continue;
            }
            let (level, pieces) = self.expand(term, &scopes);
            if level < needed {
                out.push('(');
                stack.push(Piece::Text(")".into()));
            }
            stack.extend(pieces.into_iter().rev());
        }
        out
    }

    /// Puts the definitions for `place` around the piece on top of the stack.
    fn open<'s>(&'s self, place: Term, stack: &mut Vec<Piece<'s>>, scopes: &mut Scopes<'s>) {
        let Some(definitions) = self.lets.get(&place) else {
            return;
        };
        let Some(body) = stack.pop() else { return };
        stack.push(Piece::Close);
        stack.push(Piece::Text(")".repeat(definitions.len()).into()));
        stack.push(body);
        // All names hold at once: a definition is written out where it is defined, and none
        // occurs in one before it.
        for (term, name) in definitions.iter().rev() {
            stack.push(Piece::Text("; ".into()));
            stack.push(Piece::Definition(*term, 0));
            stack.push(Piece::Text(format!("(var {name} := ").into()));
        }
        let names = definitions
            .iter()
            .map(|(t, name)| (*t, name.as_str()))
            .collect();
        scopes.push(names);
    }

    fn name_of<'s>(&'s self, term: Term, scopes: &Scopes<'s>) -> Option<&'s str> {
        scopes
            .iter()
            .rev()
            .find_map(|names| names.get(&term).copied())
            .or_else(|| self.named.get(&term).map(String::as_str))
    }

    /// The inside of a quantifier's or lambda's brackets. The definitions of its body do not hold
    /// in the triggers.
    fn binder(&self, term: Term, binder: &Binder, stack: &mut Vec<Piece<'_>>) {
        let keyword = match binder.kind {
            BinderKind::Forall => "forall",
            BinderKind::Exists => "exists",
            BinderKind::Lambda => "lambda",
        };
        let mut head = format!("{keyword} ");
        for (i, &var) in binder.vars.iter().enumerate() {
            let name = match self.terms.as_var(var) {
                Some(var) => self.spelling.variable(var),
                None => "?".to_owned(),
            };
            let sort = self.spelling.sort(self.terms.sort(var));
            let _ = write!(head, "{}{name}: {sort}", if i > 0 { ", " } else { "" });
        }
        head += " :: ";
        let args = self.terms.args(term);
        stack.push(Piece::Term(args[0], 0));
        stack.push(Piece::Open(term));
        let mut rest = &args[1..];
        let mut triggers = Vec::new();
        for &length in &binder.patterns {
            let (trigger, after) = rest.split_at(length.min(rest.len()));
            triggers.push(Piece::Text("{".into()));
            separated(&mut triggers, trigger, ", ", 0);
            triggers.push(Piece::Text("} ".into()));
            rest = after;
        }
        stack.extend(triggers.into_iter().rev());
        stack.push(Piece::Text(head.into()));
    }

    /// The pieces of a term that is no binder.
    fn expand<'s>(&'s self, term: Term, scopes: &Scopes<'s>) -> Expansion<'s> {
        let node = self.terms.node(term);
        let args = &*node.args;
        let plain = |term: Term| self.name_of(term, scopes).is_none();
        match &node.op {
            Op::Bool(value) => atom(value.to_string()),
            Op::Int(value) => literal(value.to_string()),
            Op::Real(value) => {
                let mut text = String::new();
                let _ = write_real(&mut text, value);
                literal(text)
            }
            Op::BitVec(value) => atom(match node.sort {
                Sort::BitVec(width) => format!("{value}bv{width}"),
                _ => value.to_string(),
            }),
            Op::Var(var) => atom(self.spelling.variable(var)),
            Op::Apply(function) if function.params.is_empty() => {
                atom(self.spelling.function(function))
            }
            Op::Apply(function) => call(self.spelling.function(function), args),
            Op::Not => match (self.terms.op(args[0]), self.terms.args(args[0])) {
                (Op::Eq, sides) if plain(args[0]) && self.equality(args[0]).is_none() => {
                    infix("!=", sides, level::RELATION, level::CONCAT, level::CONCAT)
                }
                _ => prefix("!", args[0]),
            },
            Op::And => infix("&&", args, level::LOGICAL, level::RELATION, level::RELATION),
            Op::Or => self.implication(args, scopes).unwrap_or_else(|| {
                infix("||", args, level::LOGICAL, level::RELATION, level::RELATION)
            }),
            Op::Ite => {
                let mut pieces = vec![Piece::Text("(if ".into())];
                for (i, &arg) in args.iter().enumerate() {
                    pieces.push(Piece::Term(arg, 0));
                    pieces.push(Piece::Text([" then ", " else ", ")"][i.min(2)].into()));
                }
                (level::ATOM, pieces)
            }
            Op::Eq if *self.terms.sort(args[0]) == Sort::Bool => {
                infix("<==>", args, level::IFF, level::IMPLIES, level::IMPLIES)
            }
            Op::Eq => match self.equality(term) {
                Some(name) => call(name, args),
                None => infix("==", args, level::RELATION, level::CONCAT, level::CONCAT),
            },
            Op::Distinct => match self.spelling.operator(term) {
                Some(name) => call(name, args),
                None => {
                    let mut pieces = Vec::new();
                    for (i, &left) in args.iter().enumerate() {
                        for &right in &args[i + 1..] {
                            if !pieces.is_empty() {
                                pieces.push(Piece::Text(" && ".into()));
                            }
                            separated(&mut pieces, &[left, right], " != ", level::CONCAT);
                        }
                    }
                    (level::LOGICAL, pieces)
                }
            },
            Op::Add => self.sum(args, scopes),
            Op::Mul => match self.negated_factor(term) {
                Some((factor, [rest])) if factor == -BigRational::from_integer(1.into()) => {
                    prefix("-", *rest)
                }
                _ => infix("*", args, level::PRODUCT, level::PRODUCT, level::UNARY),
            },
            Op::Div => infix("div", args, level::PRODUCT, level::PRODUCT, level::UNARY),
            Op::Mod => infix("mod", args, level::PRODUCT, level::PRODUCT, level::UNARY),
            Op::RealDiv => infix("/", args, level::PRODUCT, level::PRODUCT, level::UNARY),
            Op::Le => infix("<=", args, level::RELATION, level::CONCAT, level::CONCAT),
            Op::Lt => infix("<", args, level::RELATION, level::CONCAT, level::CONCAT),
            Op::ToReal => call("real", args),
            Op::ToInt => call("int", args),
            Op::Bv(BvOp::Concat) => infix("++", args, level::CONCAT, level::CONCAT, level::SUM),
            Op::Bv(_) | Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Builtin(_) => {
                let name = self.spelling.operator(term);
                call(name.unwrap_or_else(|| operator_name(&node.op)), args)
            }
            Op::Extract { high, low } => (
                level::POSTFIX,
                vec![
                    Piece::Term(args[0], level::POSTFIX),
                    Piece::Text(format!("[{high}:{low}]").into()),
                ],
            ),
            Op::Select => {
                let mut pieces = vec![
                    Piece::Term(args[0], level::POSTFIX),
                    Piece::Text("[".into()),
                ];
                separated(&mut pieces, &args[1..], ", ", 0);
                pieces.push(Piece::Text("]".into()));
                (level::POSTFIX, pieces)
            }
            Op::Store => {
                let (indices, value) = args[1..].split_at(args.len() - 2);
                let mut pieces = vec![
                    Piece::Term(args[0], level::POSTFIX),
                    Piece::Text("[".into()),
                ];
                separated(&mut pieces, indices, ", ", 0);
                pieces.push(Piece::Text(" := ".into()));
                separated(&mut pieces, value, ", ", 0);
                pieces.push(Piece::Text("]".into()));
                (level::POSTFIX, pieces)
            }
            Op::ConstMap => {
                let mut head = "(lambda ".to_owned();
                if let Sort::Map(map) = &node.sort {
                    for (i, sort) in map.domain.iter().enumerate() {
                        let name = self.spelling.index(i);
                        let sort = self.spelling.sort(sort);
                        let _ = write!(head, "{}{name}: {sort}", if i > 0 { ", " } else { "" });
                    }
                }
                head += " :: ";
                let pieces = vec![
                    Piece::Text(head.into()),
                    Piece::Term(args[0], 0),
                    Piece::Text(")".into()),
                ];
                (level::ATOM, pieces)
            }
            Op::Construct(_) => call(self.constructor(&node.sort, &node.op), args),
            Op::Field { .. } => (
                level::POSTFIX,
                vec![
                    Piece::Term(args[0], level::POSTFIX),
                    Piece::Text(
                        format!("->{}", self.constructor(self.terms.sort(args[0]), &node.op))
                            .into(),
                    ),
                ],
            ),
            Op::Is(_) => (
                level::ATOM,
                vec![
                    Piece::Text("(".into()),
                    Piece::Term(args[0], level::POSTFIX),
                    Piece::Text(
                        format!(
                            " is {})",
                            self.constructor(self.terms.sort(args[0]), &node.op)
                        )
                        .into(),
                    ),
                ],
            ),
            // Binders are written by `binder`.
            Op::Bind(_) => atom("?"),
        }
    }

    /// The name of the constructor or field in an operator on values of a datatype.
    fn constructor(&self, sort: &Sort, op: &Op) -> String {
        let Sort::Datatype(datatype) = sort else {
            return "?".into();
        };
        let number = match op {
            Op::Construct(number) | Op::Is(number) => *number,
            Op::Field { constructor, .. } => *constructor,
            _ => return "?".into(),
        };
        let constructor = datatype.constructor(number);
        let name = match (constructor, op) {
            (Some(constructor), Op::Field { field, .. }) => {
                let field = constructor.fields().nth(*field as usize);
                field.map(|(name, _)| name)
            }
            (constructor, _) => constructor.map(|constructor| constructor.name()),
        };
        name.map_or("?".into(), |name| name.to_string())
    }

    /// The function that stands for an equation which is not what `==` means.
    fn equality(&self, term: Term) -> Option<String> {
        match self.terms.sort(self.terms.args(term)[0]) {
            Sort::Float(..) => self.spelling.operator(term),
            _ => None,
        }
    }

    /// `!a || b` reads better as an implication, `!a || !b || c` as one from a conjunction.
    fn implication<'s>(&'s self, args: &[Term], scopes: &Scopes<'s>) -> Option<Expansion<'s>> {
        let (&last, premises) = args.split_last()?;
        if premises.len() > 1 && self.spelling.exact() {
            return None;
        }
        let negated = |term: &Term| {
            self.name_of(*term, scopes).is_none()
                && matches!(self.terms.op(*term), Op::Not)
                && !matches!(self.terms.op(self.terms.args(*term)[0]), Op::Eq)
        };
        if !premises.iter().all(negated) || negated(&last) {
            return None;
        }
        let needed = match premises {
            [_] => level::LOGICAL,
            _ => level::RELATION,
        };
        let premises: Vec<Term> = premises.iter().map(|&t| self.terms.args(t)[0]).collect();
        let mut pieces = Vec::new();
        separated(&mut pieces, &premises, " && ", needed);
        pieces.push(Piece::Text(" ==> ".into()));
        pieces.push(Piece::Term(last, level::LOGICAL));
        Some((level::IMPLIES, pieces))
    }

    /// The negative factor of a product, and the other factors.
    fn negated_factor(&self, term: Term) -> Option<(BigRational, &[Term])> {
        match (self.terms.op(term), self.terms.args(term)) {
            (Op::Mul, [first, rest @ ..]) => {
                let factor = self.terms.as_number(*first)?;
                factor.is_negative().then_some((factor, rest))
            }
            _ => None,
        }
    }

    /// A sum, with `- x` for negative summands.
    fn sum<'s>(&'s self, args: &[Term], scopes: &Scopes<'s>) -> Expansion<'s> {
        let mut pieces = Vec::new();
        for (i, &term) in args.iter().enumerate() {
            if i == 0 {
                pieces.push(Piece::Term(term, level::PRODUCT));
                continue;
            }
            let unnamed = self.name_of(term, scopes).is_none();
            let real = *self.terms.sort(term) == Sort::Real;
            if unnamed
                && let Some(value) = self.terms.as_number(term)
                && value.is_negative()
            {
                pieces.push(Piece::Text(format!(" - {}", number(&-value, real)).into()));
            } else if unnamed && let Some((factor, rest)) = self.negated_factor(term) {
                let factor = -factor;
                pieces.push(Piece::Text(" - ".into()));
                if factor != BigRational::from_integer(1.into()) {
                    pieces.push(Piece::Text(format!("{} * ", number(&factor, real)).into()));
                }
                separated(&mut pieces, rest, " * ", level::UNARY);
            } else {
                pieces.push(Piece::Text(" + ".into()));
                pieces.push(Piece::Term(term, level::PRODUCT));
            }
        }
        (level::SUM, pieces)
    }
}

fn number(value: &BigRational, real: bool) -> String {
    let mut text = String::new();
    let _ = match real {
        true => write_real(&mut text, value),
        false => write!(text, "{}", value.numer()),
    };
    text
}

fn atom<'a>(text: impl Into<Cow<'a, str>>) -> Expansion<'a> {
    (level::ATOM, vec![Piece::Text(text.into())])
}

/// A number, which may be negative or a quotient.
fn literal<'a>(text: String) -> Expansion<'a> {
    let level = if text.contains('/') {
        level::PRODUCT
    } else if text.starts_with('-') {
        level::UNARY
    } else {
        level::ATOM
    };
    (level, vec![Piece::Text(text.into())])
}

fn call<'a>(name: impl Into<Cow<'a, str>>, args: &[Term]) -> Expansion<'a> {
    let mut pieces = vec![Piece::Text(name.into()), Piece::Text("(".into())];
    separated(&mut pieces, args, ", ", 0);
    pieces.push(Piece::Text(")".into()));
    (level::POSTFIX, pieces)
}

fn prefix<'a>(symbol: &'static str, arg: Term) -> Expansion<'a> {
    let pieces = vec![Piece::Text(symbol.into()), Piece::Term(arg, level::UNARY)];
    (level::UNARY, pieces)
}

fn infix<'a>(symbol: &str, args: &[Term], level: u8, first: u8, others: u8) -> Expansion<'a> {
    let mut pieces = Vec::with_capacity(2 * args.len());
    for (i, &arg) in args.iter().enumerate() {
        if i > 0 {
            pieces.push(Piece::Text(format!(" {symbol} ").into()));
        }
        pieces.push(Piece::Term(arg, if i == 0 { first } else { others }));
    }
    (level, pieces)
}

fn separated(pieces: &mut Vec<Piece<'_>>, terms: &[Term], separator: &'static str, level: u8) {
    for (i, &term) in terms.iter().enumerate() {
        if i > 0 {
            pieces.push(Piece::Text(separator.into()));
        }
        pieces.push(Piece::Term(term, level));
    }
}

/// The name of an operator that is written as a function: SMT-LIB's, indices behind `_`.
pub fn operator_name(op: &Op) -> String {
    match op {
        Op::Bv(op) => bv_name(*op).to_owned(),
        Op::ZeroExtend(by) => format!("zero_extend_{by}"),
        Op::SignExtend(by) => format!("sign_extend_{by}"),
        Op::Distinct => "distinct".to_owned(),
        Op::Eq => "=".to_owned(),
        Op::Builtin(builtin) => {
            let indices: String = builtin.indices.iter().map(|i| format!("_{i}")).collect();
            format!("{}{indices}", builtin.name)
        }
        _ => "?".to_owned(),
    }
}
/// SMT-LIB's name of an operator on bit-vectors.
pub fn bv_name(op: BvOp) -> &'static str {
    match op {
        BvOp::Not => "bvnot",
        BvOp::Neg => "bvneg",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Nand => "bvnand",
        BvOp::Nor => "bvnor",
        BvOp::Xnor => "bvxnor",
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::Udiv => "bvudiv",
        BvOp::Urem => "bvurem",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Srem => "bvsrem",
        BvOp::Smod => "bvsmod",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
        BvOp::Ult => "bvult",
        BvOp::Ule => "bvule",
        BvOp::Slt => "bvslt",
        BvOp::Sle => "bvsle",
        BvOp::Concat => "concat",
    }
}
