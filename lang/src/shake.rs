//! The same program, written in another way: its declarations in another order, its symbols under other names.
//!
//! What is true of a program depends on neither. What a prover makes of it may: whether it finds a proof in time depends on the
//! order of formulas, and on how their symbols compare. All places stay those of the text, so that what is said of two such
//! programs can be compared.
//!
//! What provers do not hear of, or what has a meaning by its name, keeps it: types, datatypes with all that belongs to them,
//! procedures, labels.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::ast::visit::mutable::VisitMut;
use crate::ast::visit::{self, Role, Visit};
use crate::ast::{
    ConstDecl, DatatypeDecl, Decl, FunctionDecl, Ident, Program, TypedIdents, has_attribute,
};

/// Changes the order and the names; how, depends on the seed.
pub(crate) fn shake(program: &mut Program, seed: u64) {
    let mut names = Names::default();
    names.visit_program(program);
    let Names { kept, free, all } = names;
    let prefix = prefix(&all, seed);
    let names = free.difference(&kept).cloned().collect();
    Renamed { names, prefix }.visit_program(program);
    let mut decls: Vec<(usize, Decl)> = program.decls.drain(..).enumerate().collect();
    decls.sort_by_cached_key(|(number, _)| (number_of(&(seed, *number)), *number));
    program
        .decls
        .extend(decls.into_iter().map(|(_, decl)| decl));
}

/// The same for the same in every run.
fn number_of(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// What no name begins with.
fn prefix(names: &BTreeSet<Arc<str>>, seed: u64) -> String {
    let first = number_of(&seed) % 26;
    let mut prefix: String = ('a'..='z').nth(first as usize).into_iter().collect();
    prefix += &format!("{seed}_");
    while names.iter().any(|name| name.starts_with(&prefix)) {
        prefix.push('_');
    }
    prefix
}

/// The names that there are.
#[derive(Default)]
struct Names {
    /// Those that stay: what is declared in other ways.
    kept: BTreeSet<Arc<str>>,
    /// Those of constants, functions and variables of all kinds.
    free: BTreeSet<Arc<str>>,
    all: BTreeSet<Arc<str>>,
}

impl Names {
    fn free(&mut self, names: &[Ident]) {
        self.free.extend(names.iter().map(|name| name.name.clone()));
        self.all.extend(names.iter().map(|name| name.name.clone()));
    }
}

impl Visit<'_> for Names {
    fn visit_datatype_decl(&mut self, decl: &DatatypeDecl) {
        let mut inside = Names::default();
        visit::walk_datatype_decl(&mut inside, decl);
        self.all.extend(inside.all.iter().cloned());
        self.kept.extend(inside.all);
    }

    fn visit_const_decl(&mut self, decl: &ConstDecl) {
        self.free(&decl.names);
        // Its other names are those of others.
        visit::walk_type(self, &decl.ty);
        for axiom in &decl.uses {
            self.visit_axiom_decl(axiom);
        }
    }

    fn visit_typed_idents(&mut self, group: &TypedIdents) {
        self.free(&group.names);
        visit::walk_type(self, &group.ty);
        if let Some(clause) = &group.where_clause {
            self.visit_expr(clause);
        }
    }

    fn visit_function_decl(&mut self, decl: &FunctionDecl) {
        let mut inside = Names::default();
        visit::walk_function_decl(&mut inside, decl);
        inside.kept.remove(&decl.name.name);
        self.kept.extend(inside.kept);
        self.free.extend(inside.free);
        self.all.extend(inside.all.iter().cloned());
        // Those of old datatypes are declared as functions, and the names of their fields are parts of others.
        match decl.attributes.is_empty() {
            true => self.free(std::slice::from_ref(&decl.name)),
            false => self.kept.extend([decl.name.name.clone()]),
        };
        if has_attribute(&decl.attributes, "constructor") {
            self.kept.extend(inside.all);
        }
    }

    fn visit_ident(&mut self, ident: &Ident, role: Role) {
        self.all.insert(ident.name.clone());
        if matches!(role, Role::Declared | Role::TypeParameter) {
            self.kept.insert(ident.name.clone());
        }
    }
}

/// Gives names.
struct Renamed {
    names: BTreeSet<Arc<str>>,
    prefix: String,
}

impl VisitMut for Renamed {
    fn visit_ident(&mut self, ident: &mut Ident, role: Role) {
        let is_symbol = matches!(
            role,
            Role::Declared | Role::Read | Role::Written | Role::Global | Role::Callable
        );
        if is_symbol && self.names.contains(&ident.name) {
            ident.name = format!("{}{}", self.prefix, ident.name).into();
        }
    }
}
