//! Small functions that handle pointers get a copy of their own for each call.
//!
//! The points-to analysis knows no contexts: what two calls give to a function, or get from it, is the same for it. Behind a
//! function that allocates, or that copies bytes, all objects of a program would be one. With a copy of the function for each
//! call they are as far apart as if it stood there itself ("heap cloning": Lattner, Lenharth, Adve, PLDI 2007). The copies do
//! what the function does, share its static variables, and lie at its places in the text; calls are inlined later anyway.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::change::{self, Change};
use crate::ir::visit::{self, Visit};
use crate::ir::{
    Base, Callee, Expr, ExprKind, FunctionId, Place, Program, Stmt, StmtKind, Storage, VarId,
};
use crate::types::{Length, Type};

/// More statements make no small function.
const SMALL: usize = 50;
/// So many statements are copied altogether.
const MOST: usize = 10_000;

/// Makes the copies.
pub(crate) fn copy_small_functions(program: &mut Program) {
    let Some(main) = program.main else { return };
    let small = small_functions(program);
    let mut automatic: BTreeMap<FunctionId, Vec<VarId>> = BTreeMap::new();
    for (number, variable) in (0..).zip(&program.variables) {
        if let Storage::Automatic { function, .. } = variable.storage {
            automatic.entry(function).or_default().push(VarId(number));
        }
    }
    let mut copier = Copier {
        called: small.addressed,
        statements: small.statements,
        automatic,
        left: MOST,
        program,
        made: Vec::new(),
    };
    let mut seen = BTreeSet::new();
    let roots = copier.program.constructors();
    let mut work: Vec<FunctionId> = roots.into_iter().chain(copier.program.at_end).collect();
    work.push(main);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let index = id.0 as usize;
        let Some(mut body) = copier.program.functions[index].body.take() else {
            continue;
        };
        change::statements(&mut copier, &mut body);
        let mut callees = Mentioned::default();
        callees.statements(&body);
        copier.program.functions[index].body = Some(body);
        copier.finish();
        work.extend(callees.called.into_iter().chain(callees.addressed));
    }
}

/// The functions that may be copied.
struct Small {
    /// How many statements they have.
    statements: BTreeMap<FunctionId, usize>,
    /// Functions whose address is taken, which may be called from anywhere.
    addressed: BTreeSet<FunctionId>,
}

fn small_functions(program: &Program) -> Small {
    let mut all: BTreeMap<FunctionId, Mentioned> = BTreeMap::new();
    let mut addressed = BTreeSet::new();
    for (number, function) in (0..).zip(&program.functions) {
        let mut mentioned = Mentioned::default();
        mentioned.statements(function.body.as_deref().unwrap_or_default());
        addressed.extend(mentioned.addressed.iter().copied());
        all.insert(FunctionId(number), mentioned);
    }
    for variable in &program.variables {
        let mut mentioned = Mentioned::default();
        for value in variable.initial_values() {
            mentioned.expr(value);
        }
        addressed.extend(mentioned.addressed);
    }
    for variable in program
        .variables
        .iter()
        .filter(|variable| varies(&variable.ty))
    {
        if let Storage::Automatic { function, .. } = &variable.storage
            && let Some(mentioned) = all.get_mut(function)
        {
            mentioned.varies = true;
        }
    }
    let is_small = |id: FunctionId, known: &BTreeMap<FunctionId, usize>| {
        let (function, own) = (program.function(id), &all[&id]);
        let pointers = function.ty.result.is_pointer()
            || function
                .params
                .iter()
                .any(|param| program.variable(*param).ty.is_pointer());
        let plain = function.body.is_some()
            && !function.ty.variadic
            && function.constructor.is_none()
            && function.lock.is_none()
            && ![program.main, program.at_end].contains(&Some(id));
        // Whom it calls is small as well, so none of them calls itself.
        let leaves = own
            .called
            .iter()
            .all(|callee| program.function(*callee).body.is_none() || known.contains_key(callee));
        plain && pointers && leaves && !own.indirect && !own.varies && own.count <= SMALL
    };
    let mut callers: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
    for (caller, mentioned) in &all {
        for callee in &mentioned.called {
            callers.entry(*callee).or_default().push(*caller);
        }
    }
    let mut statements = BTreeMap::new();
    let mut work: Vec<FunctionId> = all.keys().copied().collect();
    while let Some(id) = work.pop() {
        if !statements.contains_key(&id) && is_small(id, &statements) {
            statements.insert(id, all[&id].count);
            work.extend(callers.get(&id).into_iter().flatten());
        }
    }
    Small {
        statements,
        addressed,
    }
}

/// What a piece of program mentions.
#[derive(Default)]
struct Mentioned {
    called: BTreeSet<FunctionId>,
    addressed: BTreeSet<FunctionId>,
    indirect: bool,
    /// Whether some type depends on a variable.
    varies: bool,
    count: usize,
}

fn varies(ty: &Type) -> bool {
    match ty {
        Type::Array(_, Length::Variable(_)) => true,
        Type::Array(inner, _) | Type::Pointer(inner) => varies(inner),
        _ => false,
    }
}

impl Visit for Mentioned {
    fn statement(&mut self, node: &Stmt) {
        self.count += 1;
        match &node.kind {
            StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } => {
                self.called.insert(*id);
            }
            StmtKind::Call { .. } => self.indirect = true,
            _ => {}
        }
        visit::statement(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        if let ExprKind::Function(id) = node.kind {
            self.addressed.insert(id);
        }
        self.varies |= varies(&node.ty);
        visit::expr(self, node);
    }

    fn place(&mut self, node: &Place) {
        self.varies |= varies(&node.ty);
        visit::place(self, node);
    }
}

struct Copier<'p> {
    program: &'p mut Program,
    /// Functions that have a call already.
    called: BTreeSet<FunctionId>,
    /// Of small functions: how many statements they have.
    statements: BTreeMap<FunctionId, usize>,
    automatic: BTreeMap<FunctionId, Vec<VarId>>,
    /// How many statements may still be copied.
    left: usize,
    /// Copies that have no body yet: of whom.
    made: Vec<(FunctionId, FunctionId)>,
}

impl Change for Copier<'_> {
    fn expr(&mut self, _: &mut Expr) {}

    fn statement(&mut self, node: &mut Stmt) {
        let StmtKind::Call {
            callee: Callee::Function(id),
            ..
        } = &mut node.kind
        else {
            return;
        };
        let Some(&statements) = self.statements.get(id) else {
            return;
        };
        if self.called.insert(*id) || statements > self.left {
            return;
        }
        self.left -= statements;
        let copy = FunctionId(u32::try_from(self.program.functions.len()).unwrap_or(u32::MAX));
        let mut function = self.program.function(*id).clone();
        function.body = None;
        self.program.functions.push(function);
        self.made.push((copy, *id));
        *id = copy;
    }
}

impl Copier<'_> {
    /// Gives bodies to the copies. (The function that calls them has its own back.)
    fn finish(&mut self) {
        for (copy, of) in std::mem::take(&mut self.made) {
            let variables = self.automatic.get(&of).cloned().unwrap_or_default();
            let mut renamed = BTreeMap::new();
            for id in variables {
                let mut variable = self.program.variable(id).clone();
                if let Storage::Automatic { function, .. } = &mut variable.storage {
                    *function = copy;
                }
                let new = VarId(u32::try_from(self.program.variables.len()).unwrap_or(u32::MAX));
                self.program.variables.push(variable);
                renamed.insert(id, new);
            }
            let original = self.program.function(of);
            let (mut body, mut params) = (original.body.clone(), original.params.clone());
            let mut renamer = Renamer(renamed);
            change::statements(&mut renamer, body.as_deref_mut().unwrap_or_default());
            for param in &mut params {
                renamer.rename(param);
            }
            let function = &mut self.program.functions[copy.0 as usize];
            (function.body, function.params) = (body, params);
            for known in [&mut self.program.volatile] {
                if known.contains(&of) {
                    known.insert(copy);
                }
            }
        }
    }
}

/// Gives local variables other numbers.
struct Renamer(BTreeMap<VarId, VarId>);

impl Renamer {
    fn rename(&self, id: &mut VarId) {
        if let Some(new) = self.0.get(id) {
            *id = *new;
        }
    }
}

impl Change for Renamer {
    fn expr(&mut self, _: &mut Expr) {}

    fn statement(&mut self, node: &mut Stmt) {
        if let StmtKind::Declare(id) | StmtKind::Begin(id) | StmtKind::End(id) = &mut node.kind {
            self.rename(id);
        }
    }

    fn place(&mut self, node: &mut Place) {
        if let Base::Variable(id) = &mut node.base {
            self.rename(id);
        }
    }
}
