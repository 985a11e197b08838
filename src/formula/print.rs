//! Terms as Boogie expressions.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::sort::Sort;
use super::term::{BinderKind, BvOp, Op, Term, Terms, Var, Version};
use super::value::write_real;

/// How tightly an operator binds, as in Boogie's grammar.
mod level {
    pub const IFF: u8 = 1;
    pub const IMPLIES: u8 = 2;
    pub const LOGICAL: u8 = 3;
    pub const RELATION: u8 = 4;
    pub const CONCAT: u8 = 5;
    pub const SUM: u8 = 6;
    pub const PRODUCT: u8 = 7;
    pub const UNARY: u8 = 9;
    pub const POSTFIX: u8 = 10;
    pub const ATOM: u8 = 11;
}

/// A rendered expression and how tightly its outermost operator binds.
#[derive(Clone)]
struct Text {
    text: String,
    level: u8,
}

impl Text {
    fn atom(text: impl Into<String>) -> Text {
        Text {
            text: text.into(),
            level: level::ATOM,
        }
    }

    fn new(level: u8, text: String) -> Text {
        Text { text, level }
    }

    /// The text for a place that needs at least this level.
    fn at(&self, level: u8) -> String {
        if self.level >= level {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
}

/// Writes terms in Boogie's notation.
pub struct Printer<'a> {
    terms: &'a Terms,
    /// How a variable is written.
    name: &'a dyn Fn(&Var) -> String,
    /// Sub-terms that have a name of their own.
    named: HashMap<Term, String>,
}

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
    /// so the text can be much larger than the term: see [`Terms::size`] first.
    pub fn display(&self, term: Term) -> String {
        Printer::new(self, &plain_name).print(term)
    }
}

impl<'a> Printer<'a> {
    /// A printer that writes variables by `name`.
    pub fn new(terms: &'a Terms, name: &'a dyn Fn(&Var) -> String) -> Printer<'a> {
        Printer {
            terms,
            name,
            named: HashMap::new(),
        }
    }

    /// From now on `term` is written as `name`.
    pub fn name_term(&mut self, term: Term, name: String) {
        self.named.insert(term, name);
    }

    /// The term as an expression.
    pub fn print(&self, term: Term) -> String {
        self.render(term).text
    }

    fn render(&self, root: Term) -> Text {
        let mut done: HashMap<Term, Text> = HashMap::new();
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            if let Some(name) = self.named.get(&term)
                && term != root
            {
                done.insert(term, Text::atom(name.clone()));
            } else if ready {
                let args: Vec<&Text> = self.terms.args(term).iter().map(|t| &done[t]).collect();
                let text = self.node(term, &args);
                done.insert(term, text);
            } else {
                stack.push((term, true));
                stack.extend(self.terms.args(term).iter().map(|&t| (t, false)));
            }
        }
        done.remove(&root).unwrap_or_else(|| Text::atom("?"))
    }

    fn node(&self, term: Term, args: &[&Text]) -> Text {
        let node = self.terms.node(term);
        let infix = |symbol: &str, level: u8, left: u8, right: u8| {
            let mut text = String::new();
            for (i, arg) in args.iter().enumerate() {
                if i > 0 {
                    let _ = write!(text, " {symbol} ");
                }
                text += &arg.at(if i == 0 { left } else { right });
            }
            Text::new(level, text)
        };
        let call = |name: &str, args: &[&Text]| {
            let list: Vec<String> = args.iter().map(|a| a.text.clone()).collect();
            Text::new(level::POSTFIX, format!("{name}({})", list.join(", ")))
        };
        match &node.op {
            Op::Bool(value) => Text::atom(value.to_string()),
            Op::Int(value) if value.sign() == num_bigint::Sign::Minus => {
                Text::new(level::UNARY, value.to_string())
            }
            Op::Int(value) => Text::atom(value.to_string()),
            Op::Real(value) => {
                let mut text = String::new();
                let _ = write_real(&mut text, value);
                let level = if text.contains('/') {
                    level::PRODUCT
                } else if text.starts_with('-') {
                    level::UNARY
                } else {
                    level::ATOM
                };
                Text::new(level, text)
            }
            Op::BitVec(value) => Text::atom(match node.sort {
                Sort::BitVec(width) => format!("{value}bv{width}"),
                _ => value.to_string(),
            }),
            Op::Var(var) => Text::atom((self.name)(var)),
            Op::Apply(function) if args.is_empty() && function.params.is_empty() => {
                Text::atom(&*function.name)
            }
            Op::Apply(function) => call(&function.name, args),
            Op::Builtin(builtin) => {
                let indices: String = builtin.indices.iter().map(|i| format!("_{i}")).collect();
                call(&format!("{}{indices}", builtin.name), args)
            }
            Op::Not => match self.terms.op(node.args[0]) {
                Op::Eq => {
                    let inner = self.terms.args(node.args[0]);
                    let parts: Vec<Text> = inner.iter().map(|&t| self.operand(t)).collect();
                    Text::new(
                        level::RELATION,
                        format!(
                            "{} != {}",
                            parts[0].at(level::CONCAT),
                            parts[1].at(level::CONCAT)
                        ),
                    )
                }
                _ => Text::new(level::UNARY, format!("!{}", args[0].at(level::UNARY))),
            },
            Op::And => infix("&&", level::LOGICAL, level::RELATION, level::RELATION),
            Op::Or => self.implication(term).unwrap_or_else(|| {
                infix("||", level::LOGICAL, level::RELATION, level::RELATION)
            }),
            Op::Ite => Text::new(
                level::ATOM,
                format!(
                    "(if {} then {} else {})",
                    args[0].text, args[1].text, args[2].text
                ),
            ),
            Op::Eq if *self.terms.sort(node.args[0]) == Sort::Bool => {
                infix("<==>", level::IFF, level::IMPLIES, level::IMPLIES)
            }
            Op::Eq => infix("==", level::RELATION, level::CONCAT, level::CONCAT),
            Op::Distinct => {
                let mut pairs = Vec::new();
                for (i, left) in args.iter().enumerate() {
                    for right in &args[i + 1..] {
                        pairs.push(format!(
                            "{} != {}",
                            left.at(level::CONCAT),
                            right.at(level::CONCAT)
                        ));
                    }
                }
                Text::new(level::LOGICAL, pairs.join(" && "))
            }
            Op::Add => self.sum(&node.args, args),
            Op::Mul => {
                let minus_one = self.terms.as_number(node.args[0]).is_some_and(|n| {
                    n == num_rational::BigRational::from_integer((-1).into())
                });
                if minus_one && args.len() == 2 {
                    Text::new(level::UNARY, format!("-{}", args[1].at(level::UNARY)))
                } else {
                    infix("*", level::PRODUCT, level::PRODUCT, level::UNARY)
                }
            }
            Op::Div => infix("div", level::PRODUCT, level::PRODUCT, level::UNARY),
            Op::Mod => infix("mod", level::PRODUCT, level::PRODUCT, level::UNARY),
            Op::RealDiv => infix("/", level::PRODUCT, level::PRODUCT, level::UNARY),
            Op::Le => infix("<=", level::RELATION, level::CONCAT, level::CONCAT),
            Op::Lt => infix("<", level::RELATION, level::CONCAT, level::CONCAT),
            Op::ToReal => call("real", args),
            Op::ToInt => call("int", args),
            Op::Bv(BvOp::Concat) => infix("++", level::CONCAT, level::CONCAT, level::SUM),
            Op::Bv(op) => call(bv_name(*op), args),
            Op::Extract { high, low } => Text::new(
                level::POSTFIX,
                format!("{}[{high}:{low}]", args[0].at(level::POSTFIX)),
            ),
            Op::ZeroExtend(by) => call(&format!("zero_extend_{by}"), args),
            Op::SignExtend(by) => call(&format!("sign_extend_{by}"), args),
            Op::Select => {
                let list: Vec<String> = args[1..].iter().map(|a| a.text.clone()).collect();
                Text::new(
                    level::POSTFIX,
                    format!("{}[{}]", args[0].at(level::POSTFIX), list.join(", ")),
                )
            }
            Op::Store => {
                let (value, index) = args[1..].split_last().expect("a store has a value");
                let list: Vec<String> = index.iter().map(|a| a.text.clone()).collect();
                Text::new(
                    level::POSTFIX,
                    format!(
                        "{}[{} := {}]",
                        args[0].at(level::POSTFIX),
                        list.join(", "),
                        value.text
                    ),
                )
            }
            Op::ConstMap => {
                let Sort::Map(sort) = &node.sort else {
                    return Text::atom(args[0].text.clone());
                };
                let vars: Vec<String> = sort
                    .domain
                    .iter()
                    .enumerate()
                    .map(|(i, s)| format!("_i{i}: {s}"))
                    .collect();
                Text::atom(format!("(lambda {} :: {})", vars.join(", "), args[0].text))
            }
            Op::Bind(binder) => {
                let keyword = match binder.kind {
                    BinderKind::Forall => "forall",
                    BinderKind::Exists => "exists",
                    BinderKind::Lambda => "lambda",
                };
                let vars: Vec<String> = binder
                    .vars
                    .iter()
                    .map(|&v| format!("{}: {}", self.operand(v).text, self.terms.sort(v)))
                    .collect();
                let mut patterns = String::new();
                let mut next = 1;
                for &length in &binder.patterns {
                    let list: Vec<String> = args[next..next + length]
                        .iter()
                        .map(|a| a.text.clone())
                        .collect();
                    let _ = write!(patterns, "{{{}}} ", list.join(", "));
                    next += length;
                }
                Text::atom(format!(
                    "({keyword} {} :: {patterns}{})",
                    vars.join(", "),
                    args[0].text
                ))
            }
        }
    }

    /// An operand of an argument, which the walk has not rendered on its own.
    fn operand(&self, term: Term) -> Text {
        match self.named.get(&term) {
            Some(name) => Text::atom(name.clone()),
            None => self.render(term),
        }
    }

    /// `!a || b` with something to the left reads better as an implication.
    fn implication(&self, term: Term) -> Option<Text> {
        let args = self.terms.args(term);
        let (&last, premises) = args.split_last()?;
        let negated = |t: &Term| matches!(self.terms.op(*t), Op::Not) && !self.is_disequality(*t);
        if !premises.iter().all(negated) || negated(&last) {
            return None;
        }
        let parts: Vec<String> = premises
            .iter()
            .map(|&t| {
                let level = if premises.len() == 1 {
                    level::LOGICAL
                } else {
                    level::RELATION
                };
                self.operand(self.terms.args(t)[0]).at(level)
            })
            .collect();
        Some(Text::new(
            level::IMPLIES,
            format!(
                "{} ==> {}",
                parts.join(" && "),
                self.operand(last).at(level::LOGICAL)
            ),
        ))
    }

    fn is_disequality(&self, term: Term) -> bool {
        matches!(self.terms.op(term), Op::Not)
            && matches!(self.terms.op(self.terms.args(term)[0]), Op::Eq)
    }

    /// A sum, with `- x` for negative summands.
    fn sum(&self, terms: &[Term], args: &[&Text]) -> Text {
        let mut text = String::new();
        for (i, (&term, arg)) in terms.iter().zip(args).enumerate() {
            let rendered = arg.at(level::PRODUCT);
            let named = self.named.contains_key(&term);
            match rendered.strip_prefix('-') {
                Some(positive) if i > 0 && !named => {
                    let _ = write!(text, " - {positive}");
                }
                _ => {
                    if i > 0 {
                        text += " + ";
                    }
                    text += &rendered;
                }
            }
        }
        Text::new(level::SUM, text)
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
