//! Interpolants for a whole path by one query to Spacer, Z3's solver for Horn clauses.
//!
//! A path `T0, T1, .., Tn-1` becomes the clauses
//! `T0 => P1(x1)`, `P1(x1) && T1 => P2(x2)`, .., `Pn-1(xn-1) && Tn-1 => error`.
//! If `error` cannot be derived, the predicates found are an inductive sequence of interpolants.
//! (Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs", 2014.)
//!
//! Spacer knows no free symbols, so rigid constants become additional arguments of the
//! predicates, and rigid functions become maps that are such arguments.
//! Quantified parts are abstracted from; see [`horn_chain`].

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use z3_sys::DeclKind;

use super::answer::{Failure, classify};
use super::decode::Decoder;
use super::encode::Maps;
use super::raw::{self, Ast, Shape, Truth};
use super::session::Session;
use crate::formula::{Function, Op, Sort, Term, Terms, Version};

/// The answer to [`horn_chain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// One formula per inner cut, over the variables at that position and rigid symbols.
    Interpolants(Vec<Term>),
    /// The path can be followed.
    Feasible,
    /// No answer.
    GaveUp(Failure),
}

/// Interpolants for the path `steps`.
///
/// `steps[i]` is a formula over [`Version::At`] `i` and `i + 1`, [`Version::AuxAt`] `i` and rigid
/// symbols. `live[i]` lists the variables at position `i` that the predicate at the cut between
/// `steps[i - 1]` and `steps[i]` may speak about; what stands for the first position and after
/// the last one is ignored, and may be missing after the last one. It should hold all variables
/// that occur on both sides of the cut.
///
/// The answer is a claim: the caller has to check each sequence. Quantified sub-formulas and
/// quantified background facts are left out (replaced by unknown values), which keeps a sequence
/// valid; if the path looks feasible then, the answer is `GaveUp`. So it is if a variable that
/// occurs on both sides of a cut is not live there.
pub fn horn_chain(
    session: &Session<'_>,
    steps: &[Term],
    live: &[Vec<Term>],
    limit: Duration,
) -> HornAnswer {
    match chain(session, steps, live, limit) {
        Ok(answer) => answer,
        Err(failure) => HornAnswer::GaveUp(failure),
    }
}

fn chain(
    session: &Session<'_>,
    steps: &[Term],
    live: &[Vec<Term>],
    limit: Duration,
) -> Result<HornAnswer, Failure> {
    let terms = session.terms();
    if steps.is_empty() {
        return Ok(HornAnswer::Feasible);
    }
    if live.len() < steps.len() {
        return Err(Failure::Unsupported(
            "a path with fewer positions than steps".into(),
        ));
    }
    let mut open = Opened::new(session);
    let mut bodies: Vec<Term> = steps.iter().map(|&step| open.formula(step)).collect();
    let facts = open.relevant_axioms();
    for body in &mut bodies {
        *body = terms.and([*body, facts]);
    }
    let spans = spans(terms, &bodies, &open);
    let all_live = nothing_lost(terms, &bodies, live, &open);

    let context = session.context()?;
    let fixedpoint = engine(context, session.allowance(Some(limit)))?;
    let bool_sort = session.encode_sort(Maps::Curried, &Sort::Bool)?;
    let mut predicates: Vec<Predicate> = Vec::new();
    for (cut, live) in live.iter().enumerate().take(steps.len()).skip(1) {
        let mut params: Vec<Term> = indexmap::IndexSet::<Term>::from_iter(live.iter().copied())
            .into_iter()
            .collect();
        params.extend(
            spans
                .iter()
                .filter(|(_, first, last)| *first < cut && cut <= *last)
                .map(|(symbol, _, _)| *symbol),
        );
        let sorts: Vec<raw::Sort> = params
            .iter()
            .map(|&t| session.encode_sort(Maps::Curried, terms.sort(t)))
            .collect::<Result<_, _>>()?;
        let args: Vec<Ast> = params
            .iter()
            .map(|&t| session.encode_with(Maps::Curried, t))
            .collect::<Result<_, _>>()?;
        let decl = context.declare(&format!("p|{cut}"), &sorts, &bool_sort)?;
        fixedpoint.register(&decl)?;
        predicates.push(Predicate {
            atom: context.apply(&decl, &args)?,
            decl,
            params,
        });
    }
    let error = context.declare("p|error", &[], &bool_sort)?;
    fixedpoint.register(&error)?;
    let error = context.apply(&error, &[])?;

    for (i, &body) in bodies.iter().enumerate() {
        let mut premises = Vec::new();
        let mut vars: BTreeSet<Term> = terms.free_vars(&[body]).into_iter().collect();
        if i > 0 {
            let before = &predicates[i - 1];
            premises.push(before.atom.clone());
            vars.extend(&before.params);
        }
        premises.push(session.encode_with(Maps::Curried, body)?);
        let head = match predicates.get(i) {
            Some(after) => {
                vars.extend(&after.params);
                &after.atom
            }
            None => &error,
        };
        let clause = context.implies(&context.and(&premises)?, head)?;
        let bound: Vec<Ast> = vars
            .into_iter()
            .map(|t| session.encode_with(Maps::Curried, t))
            .collect::<Result<_, _>>()?;
        let clause = if bound.is_empty() {
            clause
        } else {
            context.quantify(true, &bound, &[], &clause)?
        };
        fixedpoint.rule(&clause)?;
    }

    let answer = session.interruptible(|_| match fixedpoint.query(&error)? {
        Truth::Unknown => Err(classify(&fixedpoint.reason_unknown())),
        answer => Ok(answer),
    })?;
    if answer == Truth::Sat {
        return if open.abstracted {
            Err(Failure::Unsupported("quantifiers in Horn clauses".into()))
        } else if !all_live {
            Err(Failure::Incomplete(
                "a variable that occurs on both sides of a cut is not live there".into(),
            ))
        } else {
            Ok(HornAnswer::Feasible)
        };
    }
    let solution = solution(&fixedpoint.answer()?)?;
    predicates
        .iter()
        .map(|predicate| {
            let definition = solution.get(&predicate.decl.id()).ok_or_else(|| {
                Failure::UnexpectedOutput("Spacer's answer lacks a predicate".into())
            })?;
            let formula = definition.read(session, &predicate.params)?;
            let formula = open.close(formula)?;
            only_live(terms, formula, &predicate.params)?;
            Ok(formula)
        })
        .collect::<Result<Vec<Term>, Failure>>()
        .map(HornAnswer::Interpolants)
}

/// A predicate to be found, at one cut.
struct Predicate {
    decl: raw::Decl,
    /// Applied to its parameters.
    atom: Ast,
    params: Vec<Term>,
}

/// Spacer with the parameters that give the shortest interpolants on chains of large blocks:
/// without the transformations that remove predicates, and with global guidance.
fn engine(context: &raw::Context, limit: Option<Duration>) -> Result<raw::Fixedpoint, Failure> {
    let fixedpoint = context.fixedpoint()?;
    let params = context.params()?;
    params.set_symbol("engine", "spacer")?;
    params.set_bool("xform.inline_eager", false)?;
    params.set_bool("xform.inline_linear", false)?;
    params.set_bool("xform.slice", false)?;
    params.set_number("spacer.iuc", 0)?;
    params.set_bool("spacer.global", true)?;
    params.set_number("spacer.random_seed", 0)?;
    if let Some(limit) = limit {
        let millis = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX - 1);
        params.set_number("timeout", millis.max(1))?;
    }
    fixedpoint.set(&params)?;
    Ok(fixedpoint)
}

/// Formulas prepared for Spacer: rigid symbols turned into variables, binders left out.
struct Opened<'a, 't> {
    session: &'a Session<'t>,
    /// The variable for each rigid symbol met, and back.
    symbols: indexmap::IndexMap<Arc<Function>, Term>,
    back: HashMap<Term, Arc<Function>>,
    /// Something was left out.
    abstracted: bool,
}

impl<'a, 't> Opened<'a, 't> {
    fn new(session: &'a Session<'t>) -> Self {
        Opened {
            session,
            symbols: indexmap::IndexMap::new(),
            back: HashMap::new(),
            abstracted: false,
        }
    }

    fn formula(&mut self, formula: Term) -> Term {
        let terms = self.session.terms();
        // Binders first: what is inside them is gone with them.
        let mut abstracted = false;
        let plain = terms.rewrite(formula, |t| {
            matches!(terms.op(t), Op::Bind(_)).then(|| {
                abstracted = true;
                self.session.placeholder(t)
            })
        });
        self.abstracted |= abstracted;
        let order = terms.post_order(&[plain]);
        let mut new: HashMap<Term, Term> = HashMap::with_capacity(order.len());
        for t in order {
            let node = terms.node(t);
            let args: Vec<Term> = node.args.iter().map(|a| new[a]).collect();
            let result = match &node.op {
                Op::Apply(function) => {
                    let symbol = self.symbol(function);
                    if args.is_empty() {
                        symbol
                    } else {
                        terms.select(symbol, &args)
                    }
                }
                _ if args.is_empty() => t,
                _ => terms.rebuild(node, &args),
            };
            new.insert(t, result);
        }
        new[&plain]
    }

    fn symbol(&mut self, function: &Arc<Function>) -> Term {
        if let Some(&symbol) = self.symbols.get(function) {
            return symbol;
        }
        let symbol = self.session.rigid_variable(function);
        self.symbols.insert(function.clone(), symbol);
        self.back.insert(symbol, function.clone());
        symbol
    }

    /// The background facts that share symbols, directly or through others, with the formulas
    /// opened so far.
    fn relevant_axioms(&mut self) -> Term {
        let terms = self.session.terms();
        let rigid = |t: Term| -> Vec<Arc<Function>> {
            terms
                .post_order(&[t])
                .into_iter()
                .filter_map(|t| match terms.op(t) {
                    Op::Apply(function) => Some(function.clone()),
                    _ => None,
                })
                .collect()
        };
        let mut rest: Vec<(Term, Vec<Arc<Function>>)> = self
            .session
            .axioms()
            .iter()
            .map(|&axiom| (axiom, rigid(axiom)))
            .collect();
        let mut chosen = Vec::new();
        loop {
            let (near, far): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|(_, used)| used.iter().any(|f| self.symbols.contains_key(f)));
            if near.is_empty() {
                return terms.and(chosen);
            }
            for (axiom, _) in near {
                if terms.has_binder(axiom) {
                    self.abstracted = true;
                } else {
                    chosen.push(self.formula(axiom));
                }
            }
            rest = far;
        }
    }

    /// The variables that stand for rigid symbols turned back.
    fn close(&self, formula: Term) -> Result<Term, Failure> {
        let terms = self.session.terms();
        let order = terms.post_order(&[formula]);
        let mut new: HashMap<Term, Term> = HashMap::with_capacity(order.len());
        let lost = || Failure::Unsupported("a rigid function as a value in an interpolant".into());
        for t in order {
            let node = terms.node(t);
            let result = match (&node.op, self.back.get(&t)) {
                (_, Some(function)) if function.params.is_empty() => {
                    Some(terms.apply(function, &[]))
                }
                // The map of a function means something only where it is read.
                (_, Some(_)) => None,
                (Op::Select, _) if self.back.contains_key(&node.args[0]) => {
                    let function = &self.back[&node.args[0]];
                    let args: Option<Vec<Term>> =
                        node.args[1..].iter().map(|a| new.get(a).copied()).collect();
                    Some(terms.apply(function, &args.ok_or_else(lost)?))
                }
                _ if node.args.is_empty() => Some(t),
                _ => {
                    let args: Option<Vec<Term>> =
                        node.args.iter().map(|a| new.get(a).copied()).collect();
                    Some(terms.rebuild(node, &args.ok_or_else(lost)?))
                }
            };
            if let Some(result) = result {
                new.insert(t, result);
            }
        }
        new.get(&formula).copied().ok_or_else(lost)
    }
}

impl Session<'_> {
    /// The variable that stands for a rigid symbol in Horn clauses: of the result sort for a
    /// constant, a map for a function.
    fn rigid_variable(&self, function: &Arc<Function>) -> Term {
        let terms = self.terms();
        *self
            .rigid_variables
            .borrow_mut()
            .entry(function.clone())
            .or_insert_with(|| {
                let sort = if function.params.is_empty() {
                    function.result.clone()
                } else {
                    Sort::map(function.params.clone(), function.result.clone())
                };
                terms.fresh_aux(function.name.clone(), sort)
            })
    }

    /// The variable that stands for a quantified formula or lambda that is left out.
    fn placeholder(&self, binder: Term) -> Term {
        let terms = self.terms();
        *self
            .placeholders
            .borrow_mut()
            .entry(binder)
            .or_insert_with(|| terms.fresh_aux("quantified", terms.sort(binder).clone()))
    }
}

/// For each variable that stands for a rigid symbol, the first and last step it occurs in. At the
/// cuts between them it is passed on.
fn spans(terms: &Terms, bodies: &[Term], open: &Opened<'_, '_>) -> Vec<(Term, usize, usize)> {
    let mut spans: Vec<(Term, usize, usize)> = open
        .symbols
        .values()
        .map(|&symbol| (symbol, usize::MAX, 0))
        .collect();
    for (i, &body) in bodies.iter().enumerate() {
        let used: BTreeSet<Term> = terms.free_vars(&[body]).into_iter().collect();
        for (symbol, first, last) in &mut spans {
            if used.contains(symbol) {
                *first = (*first).min(i);
                *last = i;
            }
        }
    }
    spans
}

/// Whether every variable is live at all cuts between the steps it occurs in.
fn nothing_lost(terms: &Terms, bodies: &[Term], live: &[Vec<Term>], open: &Opened<'_, '_>) -> bool {
    let mut last_seen: HashMap<Term, usize> = HashMap::new();
    for (i, &body) in bodies.iter().enumerate() {
        for var in terms.free_vars(&[body]) {
            if open.back.contains_key(&var) {
                continue;
            }
            if let Some(before) = last_seen.insert(var, i)
                && !(before + 1..=i).all(|cut| live[cut].contains(&var))
            {
                return false;
            }
        }
    }
    true
}

/// What Spacer found for one predicate: a body over its arguments.
struct Definition {
    body: Option<Ast>,
    /// Without a body: the truth value.
    truth: bool,
    /// For each parameter, the de Bruijn index of the argument.
    indices: Vec<u32>,
    bound: usize,
}

impl Definition {
    fn read(&self, session: &Session<'_>, params: &[Term]) -> Result<Term, Failure> {
        let Some(body) = &self.body else {
            return Ok(session.terms().bool(self.truth));
        };
        let wrong = || Failure::UnexpectedOutput("an odd definition of a predicate".into());
        if self.indices.len() != params.len() {
            return Err(wrong());
        }
        let mut bound: Vec<Option<Term>> = vec![None; self.bound];
        for (&index, &param) in self.indices.iter().zip(params) {
            let place = bound.get_mut(index as usize).ok_or_else(wrong)?;
            if place.replace(param).is_some() {
                return Err(wrong());
            }
        }
        let bound: Vec<Term> = bound.into_iter().collect::<Option<_>>().ok_or_else(wrong)?;
        Decoder::new(session, Maps::Curried, &bound).decode(body)
    }
}

/// Spacer's answer, a conjunction of `forall args. P(args) = body`, by the predicates.
fn solution(answer: &Ast) -> Result<HashMap<u32, Definition>, Failure> {
    let mut found = HashMap::new();
    let mut rest = vec![answer.clone()];
    while let Some(conjunct) = rest.pop() {
        let (bound, inner) = match conjunct.shape() {
            Shape::Forall => {
                let (sorts, body) = conjunct.binder()?;
                (sorts.len(), body)
            }
            Shape::App => (0, conjunct),
            _ => return Err(odd(&conjunct)),
        };
        let kind = inner.decl()?.kind();
        let args = inner.args()?;
        let is = |k: DeclKind| kind == k as u32;
        if is(DeclKind::True) {
            continue;
        }
        if is(DeclKind::And) && bound == 0 {
            rest.extend(args);
            continue;
        }
        let (atom, body, truth) = if is(DeclKind::Eq) || is(DeclKind::Iff) {
            match &args[..] {
                [left, right] if is_predicate(left) => (left.clone(), Some(right.clone()), true),
                [left, right] if is_predicate(right) => (right.clone(), Some(left.clone()), true),
                _ => return Err(odd(&inner)),
            }
        } else if is(DeclKind::Not) {
            match &args[..] {
                [atom] if is_predicate(atom) => (atom.clone(), None, false),
                _ => return Err(odd(&inner)),
            }
        } else if is_predicate(&inner) {
            (inner.clone(), None, true)
        } else {
            return Err(odd(&inner));
        };
        let indices: Vec<u32> = atom
            .args()?
            .iter()
            .map(|arg| match arg.shape() {
                Shape::Bound(index) => Ok(index),
                _ => Err(odd(&atom)),
            })
            .collect::<Result<_, _>>()?;
        let definition = Definition {
            body,
            truth,
            indices,
            bound,
        };
        if found.insert(atom.decl()?.id(), definition).is_some() {
            return Err(odd(&atom));
        }
    }
    Ok(found)
}

fn is_predicate(ast: &Ast) -> bool {
    ast.decl().is_ok_and(|decl| {
        decl.kind() == DeclKind::Uninterpreted as u32 && decl.name().starts_with("p|")
    })
}

fn odd(ast: &Ast) -> Failure {
    let text: String = ast.to_string().chars().take(200).collect();
    Failure::UnexpectedOutput(format!("a conjunct of Spacer's answer: {text}"))
}

/// The formula speaks about its cut and rigid symbols only.
fn only_live(terms: &Terms, formula: Term, live: &[Term]) -> Result<(), Failure> {
    let foreign = terms.free_vars(&[formula]).into_iter().find(|t| {
        !live.contains(t)
            || terms
                .as_var(*t)
                .is_some_and(|v| !matches!(v.version, Version::At(_)))
    });
    match foreign {
        None => Ok(()),
        Some(t) => Err(Failure::UnexpectedOutput(format!(
            "an interpolant about `{}`",
            terms.display(t)
        ))),
    }
}
