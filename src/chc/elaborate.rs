//! SMT-LIB terms to formulas: names get their meaning, sorts are checked.

use std::collections::HashMap;
use std::rc::Rc;
use ult_lang::diagnostic::{Id, Messages, Reported};

use smtlib_lowlevel::ast::{self, Identifier, Index, QualIdentifier, SpecConstant};

use super::datatypes::tested;
use super::formula::{Atom, Formula, Formulas};
use super::names::{Global, Macro, Names, PredicateId, SortName, Value};
use super::tree::{Text, Tree, plain, simple};
use super::unspecified::renamed;
use ult_core::formula::{Sort, Term, Terms};
use ult_lower::division::TotalDivision;
use ult_smtlib::sexpr::Expr;
use ult_smtlib::theory::{self, Divide, DivisionOperator, Theory, integer};

/// So many nested uses of definitions are expanded.
const MOST_EXPANSIONS: usize = 1_000_000;

/// Reads the terms of one text.
pub(super) struct Elaborator<'a> {
    /// The store of terms.
    pub terms: &'a Terms,
    /// The text.
    pub text: Text<'a>,
    /// What names mean.
    pub names: Names<'a>,
    /// The formulas read so far.
    pub formulas: Formulas,
    /// What was wrong.
    pub messages: Messages,
    /// How a division is expressed.
    divide: Box<Divide<'static>>,
    /// How often a definition was expanded.
    expansions: usize,
}

impl<'a> Elaborator<'a> {
    pub(crate) fn new(terms: &'a Terms, text: Text<'a>, division: TotalDivision) -> Elaborator<'a> {
        Elaborator {
            terms,
            text,
            names: Names::default(),
            formulas: Formulas::default(),
            messages: Messages::default(),
            divide: Box::new(move |terms, operator, a, b| {
                Ok(match operator {
                    DivisionOperator::Div => division.div(terms, a, b),
                    DivisionOperator::Mod => division.modulo(terms, a, b),
                    DivisionOperator::Real => division.real_div(terms, a, b),
                })
            }),
            expansions: 0,
        }
    }

    /// The meaning of a term.
    pub(crate) fn value(&mut self, tree: Tree<'a>) -> Result<Value, Reported> {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.value_here(tree))
    }

    fn value_here(&mut self, tree: Tree<'a>) -> Result<Value, Reported> {
        match tree.term {
            ast::Term::SpecConstant(constant) => self.literal(constant, tree.at).map(Value::Term),
            ast::Term::Identifier(name) => self.constant(name, tree.at),
            ast::Term::Application(head, args) => self.application(head, args, tree.at),
            ast::Term::Annotation(term, _) => self.value(Tree {
                term,
                at: self.text.part(tree.at, 1),
            }),
            ast::Term::Let(bindings, body) => self.bindings(bindings, body, tree.at),
            ast::Term::Forall(variables, body) => self.quantifier(true, variables, body, tree.at),
            ast::Term::Exists(variables, body) => self.quantifier(false, variables, body, tree.at),
            ast::Term::Match(..) => Err(self.not_supported("`match`", tree.at)),
        }
    }

    pub(super) fn plain_term(&mut self, value: Value) -> Result<Term, Reported> {
        match value {
            Value::Term(term) => Ok(term),
            Value::Formula(id) => self.formulas.term(self.terms, id, &mut self.messages),
        }
    }

    fn literal(&mut self, constant: &SpecConstant<'a>, at: Expr) -> Result<Term, Reported> {
        let terms = self.terms;
        let text = match constant {
            SpecConstant::Numeral(_) => "",
            SpecConstant::Decimal(decimal) => decimal.0,
            SpecConstant::Binary(binary) => binary.0.trim_start_matches("#b"),
            SpecConstant::Hexadecimal(nibbles) => nibbles.0.trim_start_matches("#x"),
            SpecConstant::String(_) => return Err(self.not_supported("a string", at)),
        };
        let theory = self.theory();
        let result = match constant {
            SpecConstant::Numeral(numeral) => {
                integer(&numeral.to_string()).map(|value| terms.int(value))
            }
            SpecConstant::Binary(_) => theory.bits(text, 2, 1),
            SpecConstant::Hexadecimal(_) => theory.bits(text, 16, 4),
            _ => theory.decimal(text),
        };
        result.map_err(|what| self.unfit(&what, at))
    }

    fn constant(&mut self, name: &QualIdentifier<'a>, at: Expr) -> Result<Value, Reported> {
        match name {
            QualIdentifier::Identifier(Identifier::Simple(symbol)) => self.named(plain(symbol), at),
            QualIdentifier::Identifier(Identifier::Indexed(symbol, indices)) => {
                let width = match indices {
                    [Index::Numeral(width)] => width.to_string().parse().ok(),
                    _ => None,
                };
                let result = self.theory().indexed_literal(plain(symbol), width);
                result
                    .map(Value::Term)
                    .map_err(|what| self.unfit(&what, at))
            }
            QualIdentifier::Sorted(..) => Err(self.not_supported("a qualified name", at)),
        }
    }

    fn named(&mut self, name: &str, at: Expr) -> Result<Value, Reported> {
        if let Some(value) = self.names.local(name) {
            return Ok(value);
        }
        match self.names.global(name).cloned() {
            Some(Global::Predicate(id)) => self.atom(id, Vec::new(), at),
            Some(Global::Macro(definition)) => self.expand(name, &definition, Vec::new(), at),
            Some(Global::Variable(term)) => Ok(Value::Term(term)),
            Some(Global::Constructor(sort, number)) => {
                self.construct(name, &sort, number, Vec::new(), at)
            }
            Some(Global::Selector(..)) => Err(self.arguments(name, 1, 0, at)),
            Some(Global::Broken) => Err(Reported),
            None => match name {
                "true" => Ok(Value::Term(self.terms.tt())),
                "false" => Ok(Value::Term(self.terms.ff())),
                _ => Err(self.unknown(name, at)),
            },
        }
    }

    fn application(
        &mut self,
        head: &QualIdentifier<'a>,
        args: &'a [&'a ast::Term<'a>],
        at: Expr,
    ) -> Result<Value, Reported> {
        let args: Vec<Tree<'a>> = args
            .iter()
            .enumerate()
            .map(|(i, term)| Tree {
                term,
                at: self.text.part(at, i + 1),
            })
            .collect();
        let Some(name) = simple(head) else {
            return self.special(head, &args, at).map(Value::Term);
        };
        if self.names.local(name).is_some() {
            let place = self.text.place(self.text.part(at, 0));
            let message = format!("`{name}` is a variable here and takes no arguments");
            return Err(self
                .messages
                .error(Id::HORN_SORTS, message, place, "no function"));
        }
        let args = self.values(&args)?;
        match self.names.global(name).cloned() {
            Some(Global::Predicate(id)) => self.atom(id, args, at),
            Some(Global::Macro(definition)) => self.expand(name, &definition, args, at),
            Some(Global::Variable(_)) => {
                let message = format!("`{name}` is a variable and takes no arguments");
                let place = self.text.place(self.text.part(at, 0));
                Err(self
                    .messages
                    .error(Id::HORN_SORTS, message, place, "no function"))
            }
            Some(Global::Constructor(sort, number)) => {
                self.construct(name, &sort, number, args, at)
            }
            Some(Global::Selector(sort, constructor, field)) => {
                self.select_field(name, &sort, (constructor, field), args, at)
            }
            Some(Global::Broken) => Err(Reported),
            None => match self.tester(name) {
                Some((sort, number)) => self.test(name, &sort, number, args, at),
                None => self.operator(name, args, at),
            },
        }
    }

    /// All arguments; what is wrong with one does not hide what is wrong with the others.
    fn values(&mut self, args: &[Tree<'a>]) -> Result<Vec<(Value, Expr)>, Reported> {
        let mut values = Vec::with_capacity(args.len());
        let mut failed = None;
        for &arg in args {
            match self.value(arg) {
                Ok(value) => values.push((value, arg.at)),
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(values), Err)
    }

    fn plain_terms(&mut self, args: Vec<(Value, Expr)>) -> Result<Vec<Term>, Reported> {
        let mut found = Vec::with_capacity(args.len());
        let mut failed = None;
        for (value, _) in args {
            match self.plain_term(value) {
                Ok(term) => found.push(term),
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(found), Err)
    }

    /// `((_ extract 3 0) x)`, `((as const S) x)`
    fn special(
        &mut self,
        head: &QualIdentifier<'a>,
        args: &[Tree<'a>],
        at: Expr,
    ) -> Result<Term, Reported> {
        let args = self.values(args)?;
        if let Some(name) = tested(head) {
            return self.test_by_name(name, args, at);
        }
        let args = self.plain_terms(args)?;
        let result = match (head, &args[..]) {
            (QualIdentifier::Identifier(Identifier::Indexed(symbol, indices)), &[arg]) => {
                let numbers: Option<Vec<u32>> = indices
                    .iter()
                    .map(|index| match index {
                        Index::Numeral(number) => number.to_string().parse().ok(),
                        Index::Symbol(_) => None,
                    })
                    .collect();
                match numbers {
                    Some(numbers) => self.theory().indexed(plain(symbol), &numbers, arg),
                    None => Err(format!("`(_ {})`", plain(symbol))),
                }
            }
            (QualIdentifier::Sorted(Identifier::Simple(symbol), sort), &[arg])
                if plain(symbol) == "const" =>
            {
                let at_sort = self.text.part(self.text.part(at, 0), 2);
                let sort = self.sort(sort, at_sort)?;
                self.theory().constant_map(&sort, arg)
            }
            _ => Err("an application of an expression".into()),
        };
        result.map_err(|what| self.unfit(&what, at))
    }

    fn atom(
        &mut self,
        predicate: PredicateId,
        args: Vec<(Value, Expr)>,
        at: Expr,
    ) -> Result<Value, Reported> {
        let declared = self.names.predicates[predicate].clone();
        if args.len() != declared.params.len() {
            let reported = self.arguments(&declared.name, declared.params.len(), args.len(), at);
            self.messages.also(declared.place, "declared here");
            return Err(reported);
        }
        let mut found = Vec::with_capacity(args.len());
        let mut failed = None;
        for ((value, at), sort) in args.into_iter().zip(&declared.params) {
            match self.of_sort(value, sort, at) {
                Ok(term) => found.push(term),
                Err(reported) => failed = Some(reported),
            }
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        let place = self.text.place(at);
        let atom = Atom {
            predicate,
            args: found,
            place: place.clone(),
        };
        Ok(Value::Formula(
            self.formulas.add(Formula::Atom(atom), place),
        ))
    }

    /// A value as a term of a sort; integers become reals where those are needed.
    pub(super) fn of_sort(
        &mut self,
        value: Value,
        sort: &Sort,
        at: Expr,
    ) -> Result<Term, Reported> {
        let term = self.plain_term(value)?;
        let result = self.theory().of_sort(term, sort, "a term");
        result.map_err(|_| {
            let message = format!(
                "expected a term of sort {}, not {}",
                smtlib(sort),
                smtlib(self.terms.sort(term))
            );
            let label = format!("of sort {}", smtlib(self.terms.sort(term)));
            self.messages
                .error(Id::HORN_SORTS, message, self.text.place(at), label)
        })
    }

    /// A definition applied to arguments.
    fn expand(
        &mut self,
        name: &str,
        definition: &Rc<Macro<'a>>,
        args: Vec<(Value, Expr)>,
        at: Expr,
    ) -> Result<Value, Reported> {
        let place = self.text.place(at);
        if args.len() != definition.params.len() {
            return Err(self.arguments(name, definition.params.len(), args.len(), at));
        }
        let mut bound = Vec::new();
        for ((value, at), (param, sort)) in args.into_iter().zip(&definition.params) {
            let value = match value {
                Value::Formula(id) if *sort == Sort::Bool => Value::Formula(id),
                value => Value::Term(self.of_sort(value, sort, at)?),
            };
            bound.push((param.clone(), value));
        }
        if let Some((params, value)) = &definition.value {
            let args: Option<Vec<Term>> = bound
                .iter()
                .map(|(_, value)| match value {
                    Value::Term(term) => Some(*term),
                    Value::Formula(_) => None,
                })
                .collect();
            match (value, args) {
                (value, _) if params.is_empty() => return Ok(*value),
                (Value::Term(term), Some(args)) => {
                    let mut map: HashMap<Term, Term> = params.iter().copied().zip(args).collect();
                    renamed(self.terms, *term, &mut map);
                    return Ok(Value::Term(self.terms.substitute(*term, &map)));
                }
                _ => {}
            }
        }
        self.expansions += 1;
        if self.expansions > MOST_EXPANSIONS {
            let message = format!("definitions are used more than {MOST_EXPANSIONS} times");
            return Err(self
                .messages
                .error(Id::HORN_LIMIT, message, place, "too many"));
        }
        let body = definition.body;
        Names::outside(self, |me| &mut me.names, &bound, |me| me.value(body))
    }

    /// Reads a definition.
    pub(crate) fn define(
        &mut self,
        params: Vec<(String, Sort)>,
        result: Sort,
        body: Tree<'a>,
    ) -> Result<Macro<'a>, Reported> {
        let terms = self.terms;
        let variables: Vec<Term> = params
            .iter()
            .map(|(name, sort)| terms.fresh_aux(&**name, sort.clone()))
            .collect();
        let bound: Vec<(String, Value)> = params
            .iter()
            .zip(&variables)
            .map(|((name, _), &variable)| (name.clone(), Value::Term(variable)))
            .collect();
        let value = Names::outside(self, |me| &mut me.names, &bound, |me| me.value(body))?;
        let value = match value {
            Value::Formula(id) if result == Sort::Bool => Value::Formula(id),
            value => Value::Term(self.of_sort(value, &result, body.at)?),
        };
        let known = params.is_empty() || matches!(value, Value::Term(_));
        Ok(Macro {
            params,
            body,
            value: known.then_some((variables, value)),
        })
    }

    fn bindings(
        &mut self,
        bindings: &'a [ast::VarBinding<'a>],
        body: &'a ast::Term<'a>,
        at: Expr,
    ) -> Result<Value, Reported> {
        let list = self.text.part(at, 1);
        let mut bound = Vec::with_capacity(bindings.len());
        let mut failed = None;
        for (i, ast::VarBinding(name, term)) in bindings.iter().enumerate() {
            let at = self.text.part(self.text.part(list, i), 1);
            match self.value(Tree { term, at }) {
                Ok(value) => bound.push((plain(name), value)),
                Err(reported) => failed = Some(reported),
            }
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        self.names.bind(bound.iter().copied());
        let result = self.value(Tree {
            term: body,
            at: self.text.part(at, 2),
        });
        self.names.unbind(bound.iter().map(|(name, _)| *name));
        result
    }

    fn quantifier(
        &mut self,
        universal: bool,
        variables: &'a [ast::SortedVar<'a>],
        body: &'a ast::Term<'a>,
        at: Expr,
    ) -> Result<Value, Reported> {
        let list = self.text.part(at, 1);
        let mut bound = Vec::with_capacity(variables.len());
        let mut failed = None;
        for (i, ast::SortedVar(name, sort)) in variables.iter().enumerate() {
            let at = self.text.part(self.text.part(list, i), 1);
            match self.sort(sort, at) {
                Ok(sort) => bound.push((plain(name), self.terms.fresh_aux(plain(name), sort))),
                Err(reported) => failed = Some(reported),
            }
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        self.names
            .bind(bound.iter().map(|&(name, term)| (name, Value::Term(term))));
        let body_at = self.text.part(at, 2);
        let result = self.value(Tree {
            term: body,
            at: body_at,
        });
        self.names.unbind(bound.iter().map(|(name, _)| *name));
        let value = result?;
        let body = self.formula(value, body_at)?;
        let formula = Formula::Quantified {
            universal,
            variables: bound.into_iter().map(|(_, term)| term).collect(),
            body,
        };
        let place = self.text.place(at);
        Ok(Value::Formula(self.formulas.add(formula, place)))
    }

    /// A value as a formula.
    pub(crate) fn formula(
        &mut self,
        value: Value,
        at: Expr,
    ) -> Result<super::formula::FormulaId, Reported> {
        if let Value::Term(term) = value {
            self.of_sort(Value::Term(term), &Sort::Bool, at)?;
        }
        Ok(self.formulas.of(value, self.text.place(at)))
    }

    /// An operator of the logic or of a theory.
    fn operator(
        &mut self,
        name: &str,
        args: Vec<(Value, Expr)>,
        at: Expr,
    ) -> Result<Value, Reported> {
        let is_formula = |&(value, _): &(Value, Expr)| matches!(value, Value::Formula(_));
        if args.iter().any(is_formula)
            && let Some(formula) = self.connective(name, &args)?
        {
            let place = self.text.place(at);
            return Ok(Value::Formula(self.formulas.add(formula, place)));
        }
        let args = self.plain_terms(args)?;
        let known = args.len();
        if name == "select" {
            return self.select(&args, at).map(Value::Term);
        }
        let result = self.theory().apply(name, args);
        result.map(Value::Term).map_err(|what| {
            if what == theory::unknown(name) {
                return self.unknown(name, self.text.part(at, 0));
            }
            debug_assert!(known > 0);
            self.unfit(&what, at)
        })
    }

    fn select(&mut self, args: &[Term], at: Expr) -> Result<Term, Reported> {
        if let &[map, index] = args
            && let Sort::Map(sort) = self.terms.sort(map)
            && let [domain] = &sort.domain[..]
        {
            let index = self.theory().of_sort(index, domain, "an index");
            return index
                .map(|index| self.terms.select(map, &[index]))
                .map_err(|what| self.unfit(&what, at));
        }
        Err(self.unfit("`select` on these arguments", at))
    }

    /// A connective on formulas; `None` if it is none that a clause can have over predicates.
    fn connective(
        &mut self,
        name: &str,
        args: &[(Value, Expr)],
    ) -> Result<Option<Formula>, Reported> {
        if !matches!(name, "and" | "or" | "not" | "=>" | "ite") {
            return Ok(None);
        }
        if name == "ite" {
            let &[(Value::Term(condition), at), a, b] = args else {
                return Ok(None);
            };
            let condition = self.of_sort(Value::Term(condition), &Sort::Bool, at)?;
            let a = self.formula(a.0, a.1)?;
            let b = self.formula(b.0, b.1)?;
            return Ok(Some(Formula::Ite(condition, a, b)));
        }
        let mut parts = Vec::with_capacity(args.len());
        for &(value, at) in args {
            parts.push(self.formula(value, at)?);
        }
        Ok(match (name, &parts[..]) {
            ("and", _) => Some(Formula::And(parts)),
            ("or", _) => Some(Formula::Or(parts)),
            ("not", &[inner]) => Some(Formula::Not(inner)),
            ("=>", [premises @ .., conclusion]) if !premises.is_empty() => {
                let mut disjuncts = Vec::with_capacity(parts.len());
                for &premise in premises {
                    let place = self.formulas.place(premise);
                    disjuncts.push(self.formulas.add(Formula::Not(premise), place));
                }
                disjuncts.push(*conclusion);
                Some(Formula::Or(disjuncts))
            }
            _ => None,
        })
    }

    /// The meaning of a sort.
    pub(crate) fn sort(&mut self, sort: &ast::Sort<'a>, at: Expr) -> Result<Sort, Reported> {
        self.sort_in(sort, at, &HashMap::new())
    }

    fn sort_in(
        &mut self,
        sort: &ast::Sort<'a>,
        at: Expr,
        params: &HashMap<String, Sort>,
    ) -> Result<Sort, Reported> {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            let (identifier, args): (_, &[ast::Sort<'a>]) = match sort {
                ast::Sort::Sort(identifier) => (identifier, &[]),
                ast::Sort::Parametric(identifier, args) => (identifier, args),
            };
            let mut sorts = Vec::new();
            for (i, arg) in args.iter().enumerate() {
                let at = self.text.part(at, i + 1);
                sorts.push(self.sort_in(arg, at, params)?);
            }
            let name = match identifier {
                Identifier::Simple(symbol) => plain(symbol),
                Identifier::Indexed(symbol, indices) => {
                    return match (plain(symbol), indices) {
                        ("BitVec", [Index::Numeral(width)]) => {
                            match width.to_string().parse::<u32>() {
                                Ok(width @ 1..=theory::WIDEST) => Ok(Sort::BitVec(width)),
                                _ => Err(self.unfit("a bit-vector of this width", at)),
                            }
                        }
                        _ => Err(self.not_supported("this sort", at)),
                    };
                }
            };
            if let (Some(sort), []) = (params.get(name), &sorts[..]) {
                return Ok(sort.clone());
            }
            match self.names.sort(name).cloned() {
                Some(SortName::Broken) => return Err(Reported),
                Some(SortName::Datatype(sort)) if sorts.is_empty() => return Ok(sort),
                Some(SortName::Datatype(_)) => {
                    return Err(self.unfit("a sort with these arguments", at));
                }
                Some(SortName::Synonym(definition)) => {
                    let (names, body) = &*definition;
                    if names.len() != sorts.len() {
                        return Err(self.unfit("a sort with these arguments", at));
                    }
                    let params = names.iter().cloned().zip(sorts).collect();
                    return self.sort_in(body, at, &params);
                }
                None => {}
            }
            match (name, &sorts[..]) {
                ("Bool", []) => Ok(Sort::Bool),
                ("Int", []) => Ok(Sort::Int),
                ("Real", []) => Ok(Sort::Real),
                ("Array", [domain, range]) => Ok(Sort::map(vec![domain.clone()], range.clone())),
                ("Bool" | "Int" | "Real" | "Array", _) => {
                    Err(self.unfit("a sort with these arguments", at))
                }
                (
                    "String" | "RegLan" | "RoundingMode" | "Float16" | "Float32" | "Float64"
                    | "Seq" | "List",
                    _,
                ) => Err(self.not_supported(&format!("the sort `{name}`"), at)),
                _ => {
                    let place = self.text.place(at);
                    let message = format!("the sort `{name}` is not declared");
                    Err(self
                        .messages
                        .error(Id::HORN_UNKNOWN_NAME, message, place, "unknown"))
                }
            }
        })
    }

    fn theory(&self) -> Theory<'_> {
        Theory {
            terms: self.terms,
            divide: &*self.divide,
        }
    }

    pub(super) fn unknown(&mut self, name: &str, at: Expr) -> Reported {
        let help = match name.strip_prefix('-') {
            Some(digits) if digits.chars().all(|c| c.is_ascii_digit() || c == '.') => {
                Some(format!("write (- {digits}) for the negative number"))
            }
            _ => None,
        };
        self.messages.error_with_help(
            Id::HORN_UNKNOWN_NAME,
            format!("`{name}` is not declared"),
            self.text.place(at),
            "unknown",
            help.as_deref(),
        )
    }

    /// Says that something takes another number of arguments.
    pub(super) fn arguments(&mut self, name: &str, takes: usize, not: usize, at: Expr) -> Reported {
        let message = format!("`{name}` takes {takes} arguments, not {not}");
        let place = self.text.place(at);
        self.messages
            .error(Id::HORN_SORTS, message, place, "other arguments")
    }

    fn unfit(&mut self, what: &str, at: Expr) -> Reported {
        let place = self.text.place(at);
        let message = format!("{what} does not fit");
        self.messages.error(
            Id::HORN_SORTS,
            message,
            place,
            "sorts or numbers do not fit",
        )
    }

    /// Says that something is not supported.
    pub(crate) fn not_supported(&mut self, what: &str, at: Expr) -> Reported {
        let place = self.text.place(at);
        let message = format!("{what} is not supported");
        self.messages
            .error(Id::HORN_NOT_SUPPORTED, message, place, "not supported")
    }
}

/// A sort as SMT-LIB writes it.
pub(super) fn smtlib(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Int => "Int".into(),
        Sort::Real => "Real".into(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Map(map) => {
            let mut text = smtlib(&map.range);
            for domain in map.domain.iter().rev() {
                text = format!("(Array {} {text})", smtlib(domain));
            }
            text
        }
        other => other.to_string(),
    }
}
