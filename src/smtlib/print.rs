//! Terms as SMT-LIB text, of a size linear in the number of their nodes.
//!
//! Shared and deep sub-terms get a name: by `define-fun` outside of binders, by `let` inside.
//! Symbols are written in bars, with everything but plain characters escaped, and with the same
//! prefixes as for Z3, so no two of them collide.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use super::{Unsupported, sequences};
use ult_core::formula::print::bv_name;
use ult_core::formula::{BinderKind, BvOp, DatatypeSort, Function, Op, Sort, Term, Terms, Version};

/// A sub-term nested deeper than this gets a name, for parsers that recurse.
const DEEPEST: usize = 60;

/// A longer pattern of a quantifier is left out. It would be a hint only.
const LONGEST_PATTERN: usize = 4000;

/// Formulas as text.
pub struct Script {
    /// Declarations of everything that occurs, and definitions of what the formulas share.
    pub preamble: String,
    /// The formulas, in the order given.
    pub formulas: Vec<String>,
    /// The symbols that are declared and defined, without their bars.
    pub names: HashMap<String, Named>,
}

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub enum Named {
    /// A sort.
    Sort(Sort),
    /// A rigid symbol, constants included.
    Function(Arc<Function>),
    /// A variable, or a sub-term that was given a name.
    Term(Term),
}

/// A complete question: whether the formulas can hold together.
pub fn question(terms: &Terms, formulas: &[Term]) -> Result<String, Unsupported> {
    let script = script(terms, formulas)?;
    Ok(format!("(set-logic ALL)\n{script}(check-sat)\n"))
}

/// Declarations, definitions and assertions for the formulas.
pub fn script(terms: &Terms, formulas: &[Term]) -> Result<String, Unsupported> {
    let Script {
        preamble: mut out,
        formulas,
        ..
    } = parts(terms, formulas)?;
    for formula in formulas {
        let _ = writeln!(out, "(assert {formula})");
    }
    Ok(out)
}

/// The formulas as text, apart from each other.
pub fn parts(terms: &Terms, formulas: &[Term]) -> Result<Script, Unsupported> {
    let mut preamble = String::new();
    let mut names = declarations(terms, formulas, &mut preamble)?;
    let mut printer = Printer {
        terms,
        next_name: 0,
    };
    let scope = printer.scope(formulas, true)?;
    for definition in scope.definitions {
        let sort = sort_text(terms.sort(definition.term))?;
        let Definition { name, text, term } = definition;
        let _ = writeln!(preamble, "(define-fun {name} () {sort} {text})");
        names.insert(plain(&name), Named::Term(term));
    }
    Ok(Script {
        preamble,
        formulas: scope.roots,
        names,
    })
}

/// A symbol without its bars.
fn plain(symbol: &str) -> String {
    symbol.trim_matches('|').to_string()
}

/// A symbol in bars. `kind` is a prefix without a dot; symbols of different kinds or names are different.
pub fn symbol(kind: &str, name: &str) -> String {
    let mut text = format!("|{kind}.");
    for c in name.chars() {
        if c.is_ascii_graphic() && !"|\\%".contains(c) {
            text.push(c);
        } else {
            let _ = write!(text, "%{:x}%", u32::from(c));
        }
    }
    text.push('|');
    text
}

/// A variable; `None` for a term that is none.
pub fn variable(terms: &Terms, term: Term) -> Option<String> {
    let var = terms.as_var(term)?;
    let kind = match var.version {
        Version::Current => "c".to_string(),
        Version::Next => "n".to_string(),
        Version::Aux(number) => format!("a.{number}"),
        Version::At(step) => format!("s.{step}"),
        Version::AuxAt(step, number) => format!("q.{step}.{number}"),
        Version::Bound(number) => format!("b.{number}"),
    };
    Some(symbol(&kind, &var.name))
}

/// A sort. Sorts with names, datatypes among them, are for the caller to declare: [`symbol`] with the prefix `t`.
///
/// # Errors
/// [`Unsupported`] for bit-vectors without bits.
pub fn sort_text(sort: &Sort) -> Result<String, Unsupported> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        Ok(match sort {
            Sort::Bool => "Bool".into(),
            Sort::Int => "Int".into(),
            Sort::Real => "Real".into(),
            Sort::BitVec(0) => {
                return Err(Unsupported("a bit-vector of width 0".into()));
            }
            Sort::BitVec(width) => format!("(_ BitVec {width})"),
            Sort::Float(exponent, significand) => {
                format!("(_ FloatingPoint {exponent} {significand})")
            }
            Sort::RoundingMode => "RoundingMode".into(),
            Sort::Seq(element) => format!("(Seq {})", sort_text(element)?),
            Sort::String => "String".into(),
            Sort::RegEx => "RegLan".into(),
            Sort::Uninterpreted(name) => symbol("t", name),
            Sort::Datatype(datatype) => symbol("t", datatype.name()),
            Sort::Map(map) => {
                let mut text = sort_text(&map.range)?;
                for index in map.domain.iter().rev() {
                    text = format!("(Array {} {text})", sort_text(index)?);
                }
                text
            }
        })
    })
}

/// The constructor with this number of a datatype.
pub fn constructor(datatype: &DatatypeSort, number: u32) -> String {
    symbol(&format!("k.{number}"), datatype.name())
}

/// The function that gives a field of a constructor of a datatype, both by their numbers.
pub fn selector(datatype: &DatatypeSort, constructor: u32, field: u32) -> String {
    symbol(&format!("s.{constructor}.{field}"), datatype.name())
}

/// The sorts with names that occur in a sort, without those in the fields of datatypes.
pub fn sort_names(sort: &Sort, found: &mut BTreeMap<String, Sort>) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match sort {
        Sort::Uninterpreted(name) => {
            found.insert(symbol("t", name), sort.clone());
        }
        Sort::Datatype(datatype) => {
            found.insert(symbol("t", datatype.name()), sort.clone());
        }
        Sort::Map(map) => {
            map.domain.iter().for_each(|s| sort_names(s, found));
            sort_names(&map.range, found);
        }
        Sort::Seq(element) => sort_names(element, found),
        _ => {}
    });
}

/// Other solvers are asked about sorts without structure only.
pub fn uninterpreted(sort: &Sort) -> Result<(), Unsupported> {
    match sort {
        Sort::Datatype(datatype) => Err(Unsupported(format!(
            "the datatype `{}` for another solver",
            datatype.name()
        ))),
        _ => Ok(()),
    }
}

fn declarations(
    terms: &Terms,
    formulas: &[Term],
    out: &mut String,
) -> Result<HashMap<String, Named>, Unsupported> {
    let order = terms.post_order(formulas);
    let mut sorts = BTreeMap::new();
    let mut functions = indexmap::IndexSet::new();
    for &term in &order {
        sort_names(terms.sort(term), &mut sorts);
        match terms.op(term) {
            Op::Bind(binder) => {
                for &var in &binder.vars {
                    sort_names(terms.sort(var), &mut sorts);
                }
            }
            Op::Apply(function) => {
                for sort in &function.params {
                    sort_names(sort, &mut sorts);
                }
                functions.insert(function);
            }
            _ => {}
        }
    }
    let mut names = HashMap::new();
    for (name, sort) in sorts {
        uninterpreted(&sort)?;
        let _ = writeln!(out, "(declare-sort {name} 0)");
        names.insert(plain(&name), Named::Sort(sort));
    }
    for function in functions {
        let name = symbol("f", &function.name);
        let params: Result<Vec<String>, Unsupported> =
            function.params.iter().map(sort_text).collect();
        let params = params?.join(" ");
        let _ = writeln!(
            out,
            "(declare-fun {name} ({params}) {})",
            sort_text(&function.result)?
        );
        let meaning = Named::Function(function.clone());
        if names.insert(plain(&name), meaning).is_some() {
            return Err(Unsupported(format!(
                "two functions named `{}`",
                function.name
            )));
        }
    }
    for term in terms.free_vars(formulas) {
        let Some(name) = variable(terms, term) else {
            continue;
        };
        let _ = writeln!(
            out,
            "(declare-fun {name} () {})",
            sort_text(terms.sort(term))?
        );
        if names.insert(plain(&name), Named::Term(term)).is_some() {
            return Err(Unsupported(format!(
                "two variables named `{}`",
                terms.display(term)
            )));
        }
    }
    Ok(names)
}

struct Printer<'t> {
    terms: &'t Terms,
    next_name: usize,
}

/// A named sub-term.
struct Definition {
    term: Term,
    name: String,
    text: String,
}

/// Some terms and what has to be defined before them, in order.
struct Scope {
    definitions: Vec<Definition>,
    roots: Vec<String>,
}

impl Printer<'_> {
    /// Prints terms up to the binders in them, whose bodies are scopes of their own. Without
    /// `naming` nothing is defined, and what gets long is given up.
    fn scope(&mut self, roots: &[Term], naming: bool) -> Result<Scope, Unsupported> {
        let terms = self.terms;
        let args = |t: Term| match terms.op(t) {
            Op::Bind(_) => &[],
            _ => terms.args(t),
        };
        let mut uses: HashMap<Term, usize> = HashMap::new();
        let mut order = Vec::new();
        let mut stack: Vec<(Term, bool)> = Vec::new();
        for &root in roots.iter().rev() {
            *uses.entry(root).or_default() += 1;
            stack.push((root, false));
        }
        let mut seen = HashSet::new();
        while let Some((term, done)) = stack.pop() {
            if done {
                order.push(term);
            } else if seen.insert(term) {
                stack.push((term, true));
                for &arg in args(term).iter().rev() {
                    *uses.entry(arg).or_default() += 1;
                    stack.push((arg, false));
                }
            }
        }
        let mut definitions = Vec::new();
        // Text and depth of the terms printed; those used once are taken out when used.
        let mut texts: HashMap<Term, (String, usize)> = HashMap::new();
        for term in order {
            let mut depth = 0;
            let mut parts = Vec::with_capacity(args(term).len());
            for arg in args(term) {
                let part = if uses[arg] == 1 {
                    texts.remove(arg)
                } else {
                    texts.get(arg).cloned()
                };
                let (text, below) = part.ok_or_else(|| ill_formed(terms, term))?;
                depth = depth.max(below + 1);
                parts.push(text);
            }
            let mut text = self.node(term, &parts)?;
            if !naming {
                if text.len() > LONGEST_PATTERN {
                    return Err(Unsupported("a long pattern".into()));
                }
            } else if (uses[&term] > 1 && !terms.args(term).is_empty()) || depth > DEEPEST {
                let name = format!("|e.{}|", self.next_name);
                self.next_name += 1;
                definitions.push(Definition {
                    term,
                    name: name.clone(),
                    text,
                });
                text = name;
                depth = 0;
            }
            texts.insert(term, (text, depth));
        }
        let roots = roots
            .iter()
            .map(|root| texts.get(root).map(|(text, _)| text.clone()))
            .collect::<Option<Vec<String>>>()
            .unwrap_or_default();
        Ok(Scope { definitions, roots })
    }

    fn binder(&mut self, term: Term) -> Result<String, Unsupported> {
        let terms = self.terms;
        let Op::Bind(binder) = terms.op(term) else {
            return Err(ill_formed(terms, term));
        };
        let args = terms.args(term);
        let (&body, patterns) = args.split_first().ok_or_else(|| ill_formed(terms, term))?;
        let (scope, patterns) = stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            // Annotations stand outside of the names defined for the body.
            let mut texts = Vec::new();
            let mut rest = patterns;
            for &length in &binder.patterns {
                let (pattern, after) = rest
                    .split_at_checked(length)
                    .ok_or_else(|| ill_formed(terms, term))?;
                texts.extend(self.scope(pattern, false).ok().map(|scope| scope.roots));
                rest = after;
            }
            Ok::<_, Unsupported>((self.scope(&[body], true)?, texts))
        })?;
        let mut vars = Vec::new();
        for &var in &binder.vars {
            let name = variable(terms, var).ok_or_else(|| ill_formed(terms, term))?;
            vars.push(format!("({name} {})", sort_text(terms.sort(var))?));
        }
        let mut text = match binder.kind {
            BinderKind::Forall => format!("(forall ({}) ", vars.join(" ")),
            BinderKind::Exists => format!("(exists ({}) ", vars.join(" ")),
            // An array of arrays for several indices.
            BinderKind::Lambda => vars.iter().map(|v| format!("(lambda ({v}) ")).collect(),
        };
        let closing = match binder.kind {
            BinderKind::Lambda => vars.len(),
            _ => 1,
        };
        if !patterns.is_empty() {
            text += "(! ";
        }
        for Definition {
            name, text: value, ..
        } in &scope.definitions
        {
            let _ = write!(text, "(let (({name} {value})) ");
        }
        text.extend(scope.roots);
        text.extend(std::iter::repeat_n(')', scope.definitions.len()));
        for pattern in &patterns {
            let _ = write!(text, " :pattern ({})", pattern.join(" "));
        }
        if !patterns.is_empty() {
            text.push(')');
        }
        text.extend(std::iter::repeat_n(')', closing));
        Ok(text)
    }

    fn node(&mut self, term: Term, args: &[String]) -> Result<String, Unsupported> {
        let terms = self.terms;
        let node = terms.node(term);
        let call = |name: &str| {
            if args.is_empty() {
                name.to_string()
            } else {
                format!("({name} {})", args.join(" "))
            }
        };
        let width = |t: Option<&Term>| match t.map(|t| terms.sort(*t)) {
            Some(Sort::BitVec(width)) => Ok(*width),
            _ => Err(ill_formed(terms, term)),
        };
        Ok(match &node.op {
            Op::Bool(value) => value.to_string(),
            Op::Int(value) => integer(value, ""),
            Op::Real(value) if value.is_integer() => integer(value.numer(), ".0"),
            Op::Real(value) => format!("(/ {} {}.0)", integer(value.numer(), ".0"), value.denom()),
            Op::BitVec(value) => match node.sort {
                Sort::BitVec(width @ 1..) => format!("(_ bv{value} {width})"),
                _ => return Err(Unsupported("a bit-vector of width 0".into())),
            },
            Op::Var(_) => variable(terms, term).ok_or_else(|| ill_formed(terms, term))?,
            Op::Apply(function) => call(&symbol("f", &function.name)),
            Op::Builtin(builtin) => {
                let name = sequences::smtlib_name(builtin, &sort_text(&builtin.result)?);
                let name = name.or_else(|| crate::float::smtlib_name(builtin));
                call(&name.ok_or_else(|| Unsupported(format!("the function `{}`", builtin.name)))?)
            }
            Op::Not => call("not"),
            Op::And => call("and"),
            Op::Or => call("or"),
            Op::Ite => call("ite"),
            Op::Eq => call("="),
            Op::Distinct => call("distinct"),
            Op::Add => call("+"),
            Op::Mul => call("*"),
            Op::Div => call("div"),
            Op::Mod => call("mod"),
            Op::RealDiv => call("/"),
            Op::Le => call("<="),
            Op::Lt => call("<"),
            Op::ToReal => call("to_real"),
            Op::ToInt => call("to_int"),
            Op::Bv(BvOp::Concat) => {
                // Two at a time: not all solvers read more.
                let mut parts = args.iter();
                let first = parts.next().ok_or_else(|| ill_formed(terms, term))?;
                parts.fold(first.clone(), |left, right| {
                    format!("(concat {left} {right})")
                })
            }
            Op::Bv(op) => call(bv_name(*op)),
            Op::Extract { high, low } => {
                let highest = high
                    .checked_sub(1)
                    .filter(|h| h >= low)
                    .ok_or_else(|| ill_formed(terms, term))?;
                width(node.args.first())?;
                call(&format!("(_ extract {highest} {low})"))
            }
            Op::ZeroExtend(by) => call(&format!("(_ zero_extend {by})")),
            Op::SignExtend(by) => call(&format!("(_ sign_extend {by})")),
            Op::Select => {
                let (map, indices) = args.split_first().ok_or_else(|| ill_formed(terms, term))?;
                indices
                    .iter()
                    .fold(map.clone(), |row, index| format!("(select {row} {index})"))
            }
            Op::Store => {
                let (value, rest) = args.split_last().ok_or_else(|| ill_formed(terms, term))?;
                let (map, indices) = rest.split_first().ok_or_else(|| ill_formed(terms, term))?;
                store(map, indices, value)
            }
            Op::ConstMap => {
                let Sort::Map(map) = &node.sort else {
                    return Err(ill_formed(terms, term));
                };
                let mut sort = sort_text(&map.range)?;
                let mut text = args.first().cloned().unwrap_or_default();
                for index in map.domain.iter().rev() {
                    sort = format!("(Array {} {sort})", sort_text(index)?);
                    text = format!("((as const {sort}) {text})");
                }
                text
            }
            Op::Construct(number) => match &node.sort {
                Sort::Datatype(datatype) => call(&constructor(datatype, *number)),
                _ => return Err(ill_formed(terms, term)),
            },
            Op::Field {
                constructor: number,
                field,
            } => match node.args.first().map(|&arg| terms.sort(arg)) {
                Some(Sort::Datatype(datatype)) => call(&selector(datatype, *number, *field)),
                _ => return Err(ill_formed(terms, term)),
            },
            Op::Is(number) => match node.args.first().map(|&arg| terms.sort(arg)) {
                Some(Sort::Datatype(datatype)) => {
                    call(&format!("(_ is {})", constructor(datatype, *number)))
                }
                _ => return Err(ill_formed(terms, term)),
            },
            Op::Bind(_) => self.binder(term)?,
        })
    }
}

/// A term as one expression, with `let` for what it shares.
///
/// # Errors
/// [`Unsupported`] for what SMT-LIB cannot say.
pub fn expression(terms: &Terms, formula: Term) -> Result<String, Unsupported> {
    let mut printer = Printer {
        terms,
        next_name: 0,
    };
    let scope = printer.scope(&[formula], true)?;
    let mut text = String::new();
    for Definition {
        name, text: value, ..
    } in &scope.definitions
    {
        let _ = write!(text, "(let (({name} {value})) ");
    }
    text.extend(scope.roots);
    text.extend(std::iter::repeat_n(')', scope.definitions.len()));
    Ok(text)
}

fn ill_formed(terms: &Terms, term: Term) -> Unsupported {
    Unsupported(format!("an ill-formed term: {:?}", terms.op(term)))
}

fn integer(value: &num_bigint::BigInt, suffix: &str) -> String {
    match value.sign() {
        num_bigint::Sign::Minus => format!("(- {}{suffix})", value.magnitude()),
        _ => format!("{value}{suffix}"),
    }
}

/// `m[i, j := v]` as `m[i := m[i][j := v]]`, where map and index are named, being used twice.
/// The names may be bound again further inside: texts of sub-terms have no free names of theirs.
fn store(map: &str, indices: &[String], value: &str) -> String {
    match indices {
        [] => value.to_string(),
        [index] => format!("(store {map} {index} {value})"),
        [index, rest @ ..] => {
            let row = store("(select |e.map| |e.at|)", rest, value);
            format!("(let ((|e.map| {map}) (|e.at| {index})) (store |e.map| |e.at| {row}))")
        }
    }
}
