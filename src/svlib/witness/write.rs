//! What was found out about a program, as a witness.
//!
//! What is written is a claim: whoever asks for a witness puts it into the program and verifies that, before handing it out.

use std::collections::{BTreeMap, BTreeSet};

use ult_lang::diagnostic::Diagnostic;
use ult_lang::hir::VarRef;
use ult_lang::span::Span;
use ult_smtlib::sexpr::{Expr, Exprs};

use super::join::join;
use crate::export::symbols::quoted;
use crate::program::{Procedure, Property, PropertyKind, Statement, StatementKind};
use crate::reader::Reader;

/// An invariant that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The place of the loop.
    pub place: Span,
    /// Conjuncts in the names of the procedure that the loop is in.
    pub conjuncts: Vec<String>,
}

/// A step of a run at which something is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The place of the statement.
    pub place: Span,
    /// What is chosen.
    pub choice: Choice,
}

/// What is chosen at a step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A procedure starts: the values of its variables, at the first one those of global variables and constants, too.
    Start(Vec<Chosen>),
    /// Variables get these values.
    Values(Vec<Chosen>),
    /// One of two ways: whether it is the first one.
    Way(bool),
}

/// A name and its value as a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The name in the program.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// The value.
    pub value: String,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A constant that is declared and not defined.
    Constant,
    /// A global variable.
    Global,
    /// A variable of the procedure.
    Local,
}

/// A correctness witness: annotations of loops and labels that have tags of their own.
///
/// # Errors
/// In words, why there is none.
pub fn correctness(program: &str, found: &[Invariant]) -> Result<String, String> {
    let exprs = Exprs::read_all(program);
    let reader = read(&exprs)?;
    // A place may be reached by several calls: any of what was found may hold there.
    let mut ways: BTreeMap<&str, Vec<&[String]>> = BTreeMap::new();
    for procedure in &reader.procedures {
        let Some(body) = &procedure.body else {
            continue;
        };
        body.visit(&mut |statement| {
            let Some(place) = head(statement) else {
                return;
            };
            let here = found.iter().filter(|invariant| invariant.place == place);
            let here: Vec<&[String]> = here.map(|invariant| &*invariant.conjuncts).collect();
            if let Some(tag) = own_tag(&reader, statement) {
                ways.entry(tag).or_default().extend(here);
            }
        });
    }
    let mut text = String::from("(\n");
    for (tag, ways) in ways {
        let command = |conjuncts: &[&String]| {
            let all: Vec<&str> = conjuncts.iter().map(|one| one.as_str()).collect();
            let all = connected("and", &all);
            format!("(annotate-tag {} :invariant {all})", quoted(tag))
        };
        let fits = |conjuncts: &[&String]| {
            let joined = join(program, &command(conjuncts));
            joined.is_ok_and(|(joined, _)| {
                let told = crate::translate(&joined).diagnostics;
                !told.iter().any(Diagnostic::is_error)
            })
        };
        let mut said: BTreeSet<String> = BTreeSet::new();
        let mut says_nothing = ways.is_empty();
        for conjuncts in ways {
            let mut kept: Vec<&String> = conjuncts.iter().collect();
            if !fits(&kept) {
                // Functions that nobody declared, names that mean something else there.
                kept.retain(|&one| fits(&[one]));
            }
            says_nothing |= kept.is_empty();
            let kept: Vec<&str> = kept.iter().map(|one| one.as_str()).collect();
            said.insert(connected("and", &kept));
        }
        if !says_nothing {
            let said: Vec<&str> = said.iter().map(String::as_str).collect();
            let line = connected("or", &said);
            text += &format!("(annotate-tag {} :invariant {line})\n", quoted(tag));
        }
    }
    text.push_str(")\n");
    Ok(text)
}

/// A violation witness: the choices of a run that ends where something at this place is violated.
///
/// # Errors
/// In words, why there is none.
pub fn violation(program: &str, events: &[Event], violated: Span) -> Result<String, String> {
    let exprs = Exprs::read_all(program);
    let reader = read(&exprs)?;
    if reader.trace.is_some() {
        return Err("the program has a trace already".to_owned());
    }
    let places = Places::of(&reader.procedures);
    let [call] = reader.calls.as_slice() else {
        return Err("the program has not exactly one `verify-call`".to_owned());
    };
    let Some((
        Event {
            place,
            choice: Choice::Start(first),
        },
        rest,
    )) = events.split_first()
    else {
        return Err(NO_CALL.to_owned());
    };
    let Some(entry) = reader.procedures.get(call.procedure) else {
        return Err(NO_CALL.to_owned());
    };
    if *place != call.span {
        return Err(NO_CALL.to_owned());
    }
    let of = |role: Role| first.iter().filter(move |chosen| chosen.role == role);
    let mut model = String::new();
    for constant in of(Role::Constant) {
        let declared = reader.names.background.constants.iter();
        let mut declared = declared.filter(|known| known.name == constant.name);
        if let Some(known) = declared.next() {
            let (name, sort) = (quoted(&constant.name), reader.written(&known.ty));
            model += &format!("\n  (define-fun {name} () {sort} {})", constant.value);
        }
    }
    let globals = of(Role::Global);
    let globals = globals.filter(|chosen| {
        let declared = reader.names.globals.iter();
        declared.clone().any(|global| global.name == chosen.name)
    });
    let globals = pairs(globals);
    let mut steps = vec![start(entry, first)];
    for event in rest {
        steps.extend(step(&reader, &places, event)?);
    }
    let (annotation, more) = annotation(program, &exprs.0, &reader, &places, violated)?;
    steps.extend(more);
    Ok(format!(
        "((select-trace\n (model{model})\n (init-global-vars{globals})\n (entry-proc {})\n (steps\n  {})\n {annotation}))\n",
        quoted(&entry.name),
        steps.join("\n  ")
    ))
}

const NO_CALL: &str = "what is violated is a contract, for calls of which none is known to be made by a `verify-call`";

type Read = (Exprs, Vec<Expr>, Vec<ult_smtlib::sexpr::Unreadable>);

fn read(exprs: &Read) -> Result<Reader<'_>, String> {
    let (exprs, commands, _) = exprs;
    let mut reader = Reader::new(exprs);
    reader.script(commands);
    let told = std::mem::take(&mut reader.messages).finish();
    match told.iter().find(|found| found.is_error()) {
        Some(wrong) => Err(wrong.message.clone()),
        None => Ok(reader),
    }
}

/// `(and a b)`, where there are several.
fn connected(op: &str, parts: &[&str]) -> String {
    match parts {
        [] => (op == "and").to_string(),
        [only] => (*only).to_owned(),
        several => format!("({op} {})", several.join(" ")),
    }
}

/// The place by which a loop is known, of a statement that may have an `:invariant` and has none.
fn head(statement: &Statement) -> Option<Span> {
    let is_invariant = |property: &Property| property.kind == PropertyKind::Invariant;
    if statement.properties.iter().any(is_invariant) {
        return None;
    }
    match &statement.kind {
        StatementKind::While { condition, .. } => Some(condition.span),
        StatementKind::Label(_) => Some(statement.span),
        _ => None,
    }
}

/// A tag that only this statement has: what is said of a tag is said of all statements that have it.
fn own_tag<'r>(reader: &Reader<'_>, statement: &'r Statement) -> Option<&'r str> {
    let mut tags = statement.tags.iter();
    let is_own = |tag: &&String| {
        let mut count = 0;
        for body in reader.procedures.iter().filter_map(|p| p.body.as_ref()) {
            body.visit(&mut |other| count += usize::from(other.tags.contains(tag)));
        }
        count == 1
    };
    tags.find(is_own).map(String::as_str)
}

/// Statements by their places.
struct Places<'r> {
    statements: BTreeMap<Span, (&'r Procedure, &'r Statement)>,
    /// Alternatives by the places where they are chosen, with their number, and whether only one is left behind them.
    alternatives: BTreeMap<Span, (usize, bool)>,
}

impl<'r> Places<'r> {
    fn of(procedures: &'r [Procedure]) -> Places<'r> {
        let mut places = Places {
            statements: BTreeMap::new(),
            alternatives: BTreeMap::new(),
        };
        for procedure in procedures {
            let Some(body) = &procedure.body else {
                continue;
            };
            body.visit(&mut |statement| {
                places
                    .statements
                    .insert(statement.span, (procedure, statement));
                if let StatementKind::Choice(parts) = &statement.kind {
                    for (number, part) in parts.iter().enumerate() {
                        let is_last_but_one = number + 2 == parts.len();
                        let place = crate::emit::alternative(statement.span, part.span);
                        places.alternatives.insert(place, (number, is_last_but_one));
                    }
                }
            });
        }
        places
    }
}

/// ` (x 1) (y 2)`
fn pairs<'c>(chosen: impl Iterator<Item = &'c Chosen>) -> String {
    let pair = |chosen: &Chosen| format!(" ({} {})", quoted(&chosen.name), chosen.value);
    chosen.map(pair).collect()
}

/// The start of a procedure, with the values of what has none by then.
fn start(procedure: &Procedure, chosen: &[Chosen]) -> String {
    let own = chosen.iter().filter(|chosen| {
        let mut own = procedure.outs.iter().chain(&procedure.locals);
        chosen.role == Role::Local && own.any(|variable| variable.name == chosen.name)
    });
    format!("(init-proc-vars {}{})", quoted(&procedure.name), pairs(own))
}

/// What a trace says of a step, if anything.
fn step(reader: &Reader<'_>, places: &Places<'_>, event: &Event) -> Result<Option<String>, String> {
    let known = places.statements.get(&event.place);
    Ok(match (&event.choice, known) {
        (Choice::Start(chosen), Some((_, statement))) => match &statement.kind {
            StatementKind::Call { callee, .. } => {
                let callee = reader.procedures.get(*callee);
                callee.map(|callee| start(callee, chosen))
            }
            _ => None,
        },
        (Choice::Start(_), None) => return Err(NO_CALL.to_owned()),
        (Choice::Values(chosen), Some((procedure, statement))) => {
            let is_local = |chosen: &&Chosen| match chosen.role {
                Role::Local => procedure.find(&chosen.name).is_some(),
                Role::Global => true,
                Role::Constant => false,
            };
            let is_invariant = |property: &Property| property.kind == PropertyKind::Invariant;
            match &statement.kind {
                StatementKind::Havoc(variables) => {
                    let names = variables.iter().map(|variable| match variable {
                        VarRef::Global(id) => {
                            let global = reader.names.globals.get(id.index());
                            (Role::Global, global.map(|global| global.name.as_str()))
                        }
                        VarRef::Local(id) => {
                            let local = procedure.variables().nth(id.index());
                            (Role::Local, local.map(|local| local.name.as_str()))
                        }
                        _ => (Role::Constant, None),
                    });
                    let names: Vec<_> = names.collect();
                    let own = |chosen: &&Chosen| names.contains(&(chosen.role, Some(&chosen.name)));
                    Some(format!("(havoc{})", pairs(chosen.iter().filter(own))))
                }
                StatementKind::While { .. } | StatementKind::Label(_)
                    if statement.properties.iter().any(is_invariant) =>
                {
                    let Some(tag) = statement.tags.first() else {
                        return Err("the trace leaps over a loop that has no tag".to_owned());
                    };
                    let values = pairs(chosen.iter().filter(is_local));
                    Some(format!("(leap {}{values})", quoted(tag)))
                }
                _ => {
                    return Err(
                        "the trace knows what a statement does by its contract only".to_owned()
                    );
                }
            }
        }
        (Choice::Values(_), None) => None,
        (Choice::Way(first), _) => match (places.alternatives.get(&event.place), first) {
            (Some((number, _)), true) => Some(format!("(choice {number})")),
            (Some((number, true)), false) => Some(format!("(choice {})", number + 1)),
            (Some((_, false)), false) | (None, _) => None,
        },
    })
}

/// What is violated, in the words of the program, and the step that comes before.
fn annotation(
    program: &str,
    exprs: &Exprs,
    reader: &Reader<'_>,
    places: &Places<'_>,
    violated: Span,
) -> Result<(String, Option<String>), String> {
    let written = |properties: &[&Property]| {
        let words = properties.iter().map(|property| {
            let value = program.get(exprs.place(property.value?))?;
            Some(format!(":{} {value}", property.kind.keyword()))
        });
        words.collect::<Option<Vec<String>>>()
    };
    let told = |tags: &[String], properties: &[&Property]| {
        let tag = tags.first()?;
        let words = written(properties).filter(|words| !words.is_empty())?;
        Some(format!(
            "(incorrect-annotation {} {})",
            quoted(tag),
            words.join(" ")
        ))
    };
    const NO_TAG: &str = "what is violated has no tag by which a witness could name it";
    // A precondition is to blame on the call.
    if let Some((_, statement)) = places.statements.get(&violated)
        && let StatementKind::Call { callee, .. } = &statement.kind
        && let Some(callee) = reader.procedures.get(*callee)
    {
        let requires = callee.contract();
        let requires = requires.filter(|property| property.kind == PropertyKind::Requires);
        let requires: Vec<&Property> = requires.collect();
        let tags = callee.body.iter().flat_map(|body| body.tags.clone());
        let tags: Vec<String> = tags.collect();
        let told = told(&tags, &requires).ok_or(NO_TAG)?;
        return Ok((told, Some(start(callee, &[]))));
    }
    let mut found = None;
    for body in reader.procedures.iter().filter_map(|p| p.body.as_ref()) {
        body.visit(&mut |statement| {
            let mut properties = statement.properties.iter();
            if let Some(property) = properties.find(|property| property.span == violated) {
                found = found.take().or_else(|| told(&statement.tags, &[property]));
            }
        });
    }
    Ok((found.ok_or(NO_TAG)?, None))
}
