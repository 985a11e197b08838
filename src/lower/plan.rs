//! Which procedures are verified on their own.

use std::collections::{BTreeSet, VecDeque};

use thiserror::Error;
use ult_lang::hir::{Attribute, AttributeArgument, ExprKind, Procedure, ProcedureId, Program};

use super::options::Options;
use super::unit::{LoweredUnit, Role, UnitPlan};

/// An entry the user asked for that cannot be one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntryError {
    /// There is no procedure of this name.
    #[error("there is no procedure `{name}`{}", suggest(.suggestions))]
    Unknown {
        /// The name.
        name: String,
        /// Procedures with similar names.
        suggestions: Vec<String>,
    },
    /// The procedure has no body that could be verified.
    #[error("the procedure `{name}` has no implementation")]
    NoBody {
        /// The name.
        name: String,
    },
}

fn suggest(suggestions: &[String]) -> String {
    match suggestions {
        [] => String::new(),
        list => format!(", did you mean `{}`?", list.join("` or `")),
    }
}

/// The procedure at which translations of C programs start, those of Ultimate and ours.
pub const ULTIMATE_START: &str = "ULTIMATE.start";

/// The procedures from which runs of the program start, in the order of the source (or of the
/// options).
pub fn entries(program: &Program, options: &Options) -> Result<Vec<ProcedureId>, EntryError> {
    let find = |name: &str| program.procedures.iter().position(|p| p.name == name);
    let has_body = |&id: &usize| !program.procedures[id].implementations.is_empty();
    if options.entries.is_empty() {
        if options.selection.is_none()
            && let Some(id) = find(ULTIMATE_START).filter(has_body)
        {
            return Ok(vec![ProcedureId::new(id)]);
        }
        let selection = options.selection.clone().unwrap_or_default();
        let wanted =
            |&id: &usize| !options.modular || is_verified(program, &program.procedures[id]);
        let own = |&id: &usize| {
            let start = program.procedures[id].span.start;
            options.library_from.is_none_or(|library| start < library)
        };
        let all = (0..program.procedures.len())
            .filter(has_body)
            .filter(own)
            .filter(wanted)
            .filter(|&id| selection.has(&program.procedures[id].name));
        return Ok(all.map(ProcedureId::new).collect());
    }
    let mut found = Vec::new();
    for name in &options.entries {
        let Some(id) = find(name) else {
            return Err(EntryError::Unknown {
                name: name.clone(),
                suggestions: similar(program, name),
            });
        };
        if !has_body(&id) {
            return Err(EntryError::NoBody { name: name.clone() });
        }
        let id = ProcedureId::new(id);
        if !found.contains(&id) {
            found.push(id);
        }
    }
    Ok(found)
}

/// Whether Boogie verifies the procedure on its own: not if it is to be inlined at its calls, or if
/// `{:verify false}` says so.
fn is_verified(program: &Program, procedure: &Procedure) -> bool {
    let verify = attribute(program, procedure, "verify").and_then(|a| a.args.first());
    let off = matches!(verify, Some(AttributeArgument::Expr(e)) if e.kind == ExprKind::Bool(false));
    !off && attribute(program, procedure, "inline").is_none()
}

/// How deep calls of the procedure are inlined in the modular reading: `{:inline 3}`.
pub fn inline_depth(program: &Program, procedure: &Procedure) -> Option<u32> {
    match attribute(program, procedure, "inline")?.args.first()? {
        AttributeArgument::Expr(e) => match &e.kind {
            ExprKind::Int(depth) => u32::try_from(depth).ok(),
            _ => None,
        },
        AttributeArgument::String(_) | AttributeArgument::Opaque(_) => None,
    }
}

/// An attribute of a procedure or of one of its implementations.
fn attribute<'p>(
    program: &'p Program,
    procedure: &'p Procedure,
    name: &str,
) -> Option<&'p Attribute> {
    let bodies = procedure.implementations.iter();
    let bodies = bodies.filter_map(|id| program.implementations.get(id.index()));
    bodies
        .flat_map(|body| &body.attributes)
        .chain(&procedure.attributes)
        .find(|attribute| attribute.name == name)
}

/// Up to three procedures with a body whose names are not far from `name`.
fn similar(program: &Program, name: &str) -> Vec<String> {
    let limit = (name.chars().count() / 3).max(1);
    let mut close: Vec<(usize, &str)> = program
        .procedures
        .iter()
        .filter(|p| !p.implementations.is_empty())
        .map(|p| (distance(&p.name, name), &*p.name))
        .filter(|&(d, _)| d <= limit)
        .collect();
    close.sort();
    close.truncate(3);
    close.into_iter().map(|(_, n)| n.to_owned()).collect()
}

/// How many letters have to be added, removed or replaced (Levenshtein), upper and lower case being
/// the same.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The units still to be verified. It starts with the entries; each lowered unit adds the
/// procedures it relies on.
#[derive(Clone, Debug)]
pub struct Queue {
    waiting: VecDeque<UnitPlan>,
    seen: BTreeSet<ProcedureId>,
}

impl Queue {
    /// The entries.
    pub fn new(entries: &[ProcedureId]) -> Queue {
        Queue {
            waiting: entries
                .iter()
                .map(|&procedure| UnitPlan {
                    procedure,
                    role: Role::Entry,
                })
                .collect(),
            seen: entries.iter().copied().collect(),
        }
    }

    /// Notes what a unit relies on.
    pub fn add(&mut self, unit: &LoweredUnit) {
        for &procedure in &unit.relies_on {
            if self.seen.insert(procedure) {
                self.waiting.push_back(UnitPlan {
                    procedure,
                    role: Role::Dependency,
                });
            }
        }
    }
}

impl Iterator for Queue {
    type Item = UnitPlan;

    fn next(&mut self) -> Option<UnitPlan> {
        self.waiting.pop_front()
    }
}
