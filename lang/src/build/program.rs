//! Declarations under construction.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::body::{BodyBuilder, Done, attribute};
use super::{Misfit, Term};
use crate::hir::visit::statements;
use crate::hir::{
    self, Attribute, Bound, BoundId, Expr, Function, FunctionId, Global, GlobalId, Implementation,
    ImplementationId, Procedure, ProcedureId, Program, StmtKind, Type, VarRef,
};
use crate::span::Span;

/// A variable: its name and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: Type,
}

/// A program under construction.
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    program: Program,
    globals: HashMap<String, GlobalId>,
    functions: HashMap<String, FunctionId>,
    bodies: BTreeMap<ProcedureId, (BodyBuilder, Span)>,
    bound: u32,
}

impl ProgramBuilder {
    /// Declares a global variable, or gives the one of this name that is declared already.
    pub fn global(&mut self, name: &str, ty: &Type) -> Term {
        if let Some(known) = self.find_global(name) {
            return match known.ty() == ty {
                true => known,
                false => Term::misfit(format!("two types of the variable `{name}`")),
            };
        }
        let id = GlobalId::new(self.program.globals.len());
        self.program.globals.push(Global {
            name: name.to_owned(),
            ty: ty.clone(),
            where_clause: None,
            attributes: Vec::new(),
            span: Span::default(),
        });
        self.globals.insert(name.to_owned(), id);
        Term::variable(VarRef::Global(id), ty.clone())
    }

    /// The global variable of this name.
    pub fn find_global(&self, name: &str) -> Option<Term> {
        let id = *self.globals.get(name)?;
        let ty = self.program.globals.get(id.index())?.ty.clone();
        Some(Term::variable(VarRef::Global(id), ty))
    }

    /// Declares a function that the solver knows, unless it is declared already: `kind` is `bvbuiltin` or `builtin`, and
    /// `builtin` what the solver calls it.
    pub fn solver_function(
        &mut self,
        name: &str,
        (kind, builtin): (&str, &str),
        params: &[Type],
        result: &Type,
    ) {
        if self.functions.contains_key(name) {
            return;
        }
        let span = Span::default();
        let mut bound = |ty: &Type| {
            self.bound += 1;
            Bound {
                id: BoundId(self.bound - 1),
                name: String::new(),
                ty: ty.clone(),
                attributes: Vec::new(),
                span,
            }
        };
        let params = params.iter().map(&mut bound).collect();
        let id = FunctionId::new(self.program.background.functions.len());
        self.program.background.functions.push(Function {
            name: name.to_owned(),
            type_params: Vec::new(),
            params,
            result: result.clone(),
            body: None,
            attributes: vec![attribute(kind, builtin, span)],
            span,
        });
        self.functions.insert(name.to_owned(), id);
    }

    /// The application of a function that is declared.
    pub fn apply(&self, name: &str, args: &[&Term]) -> Term {
        let function = self.functions.get(name).and_then(|id| {
            let function = self.program.background.functions.get(id.index())?;
            Some((*id, function))
        });
        let Some((id, function)) = function else {
            return Term::misfit(format!("the function `{name}` is not declared"));
        };
        let params: Vec<Type> = function.params.iter().map(|p| p.ty.clone()).collect();
        Term::call(id, &params, &function.result, args)
    }

    /// Declares a procedure. Its body may follow ([`ProgramBuilder::define`]).
    pub fn procedure(
        &mut self,
        name: &str,
        ins: &[Variable],
        outs: &[Variable],
        attributes: Vec<Attribute>,
        span: Span,
    ) -> ProcedureId {
        let id = ProcedureId::new(self.program.procedures.len());
        let variables = |all: &[Variable]| all.iter().map(|v| variable(v, span)).collect();
        self.program.procedures.push(Procedure {
            name: name.to_owned(),
            type_params: Vec::new(),
            ins: variables(ins),
            outs: variables(outs),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            declared_modifies: Vec::new(),
            attributes,
            implementations: Vec::new(),
            span,
        });
        id
    }

    /// Gives a procedure its body.
    pub fn define(&mut self, procedure: ProcedureId, body: BodyBuilder, end: Span) {
        self.bodies.insert(procedure, (body, end));
    }

    /// The program; what procedures modify is what their bodies do, also through calls.
    ///
    /// # Errors
    /// The first mistake of the translator.
    pub fn finish(mut self) -> Result<Program, Misfit> {
        let mut effects: BTreeMap<ProcedureId, BTreeSet<GlobalId>> = BTreeMap::new();
        let mut calls = Vec::new();
        for (procedure, (body, end)) in std::mem::take(&mut self.bodies) {
            let parameters = body.parameters().len();
            let done = body.done()?;
            effects.insert(procedure, done.writes.clone());
            calls.push((procedure, done.calls.clone()));
            self.implement(procedure, parameters, done, end)?;
        }
        loop {
            let mut changed = false;
            for (caller, callees) in &calls {
                let mut all = effects.get(caller).cloned().unwrap_or_default();
                let before = all.len();
                for callee in callees {
                    all.extend(effects.get(callee).into_iter().flatten().copied());
                }
                if all.len() > before {
                    changed = true;
                    effects.insert(*caller, all);
                }
            }
            if !changed {
                break;
            }
        }
        for (procedure, globals) in effects {
            if let Some(procedure) = self.program.procedures.get_mut(procedure.index()) {
                procedure.modifies = globals.iter().copied().collect();
                procedure.declared_modifies = procedure.modifies.clone();
            }
        }
        for implementation in &self.program.implementations {
            self.check_calls(implementation)?;
        }
        Ok(self.program)
    }

    fn implement(
        &mut self,
        id: ProcedureId,
        parameters: usize,
        done: Done,
        end: Span,
    ) -> Result<(), Misfit> {
        let implementation = ImplementationId::new(self.program.implementations.len());
        let Some(procedure) = self.program.procedures.get_mut(id.index()) else {
            return Err(Misfit("a body without a procedure".to_owned()));
        };
        let declared = procedure.ins.iter().chain(&procedure.outs);
        let same = |(have, want): (&hir::Variable, &Variable)| {
            have.name == want.name && have.ty == want.ty
        };
        if procedure.ins.len() + procedure.outs.len() != parameters
            || !declared.zip(&done.variables).all(same)
        {
            let name = &procedure.name;
            return Err(Misfit(format!("other parameters in the body of `{name}`")));
        }
        procedure.implementations.push(implementation);
        let span = procedure.span;
        let locals = done.variables.get(parameters..).unwrap_or_default();
        let implementation = Implementation {
            procedure: id,
            ins: procedure.ins.clone(),
            outs: procedure.outs.clone(),
            locals: locals.iter().map(|local| variable(local, span)).collect(),
            labels: done.labels,
            body: done.statements,
            attributes: procedure.attributes.clone(),
            span,
            end,
        };
        check_labels(&implementation)?;
        self.program.implementations.push(implementation);
        Ok(())
    }

    /// Arguments and results fit what is called.
    fn check_calls(&self, within: &Implementation) -> Result<(), Misfit> {
        let type_of = |variable: &VarRef| match variable {
            VarRef::Local(id) => within.variable(*id).map(|v| &v.ty),
            VarRef::Global(id) => self.program.globals.get(id.index()).map(|g| &g.ty),
            _ => None,
        };
        let mut wrong = None;
        statements(&within.body, &mut |statement| {
            let StmtKind::Call {
                callee,
                args,
                results,
                ..
            } = &statement.kind
            else {
                return;
            };
            let Some(procedure) = self.program.procedures.get(callee.index()) else {
                wrong.get_or_insert_with(|| Misfit("a call of no procedure".to_owned()));
                return;
            };
            let ins = procedure.ins.iter().map(|v| &v.ty);
            let outs = procedure.outs.iter().map(|v| Some(&v.ty));
            if !ins.eq(args.iter().map(|arg: &Expr| &arg.ty))
                || !outs.eq(results.iter().map(type_of))
            {
                let name = &procedure.name;
                wrong.get_or_insert_with(|| Misfit(format!("a call does not fit `{name}`")));
            }
        });
        wrong.map_or(Ok(()), Err)
    }
}

/// Every label stands exactly once.
fn check_labels(implementation: &Implementation) -> Result<(), Misfit> {
    let mut found = vec![0; implementation.labels.len()];
    statements(&implementation.body, &mut |statement| {
        if let StmtKind::Label(id) = &statement.kind
            && let Some(number) = found.get_mut(id.index())
        {
            *number += 1;
        }
    });
    match found.iter().position(|number| *number != 1) {
        None => Ok(()),
        Some(index) => {
            let name = implementation.labels.get(index).map(|l| l.name.as_str());
            let name = name.unwrap_or_default();
            Err(Misfit(format!(
                "the label `{name}` stands not exactly once"
            )))
        }
    }
}

fn variable(variable: &Variable, span: Span) -> hir::Variable {
    hir::Variable {
        name: variable.name.clone(),
        ty: variable.ty.clone(),
        where_clause: None,
        attributes: Vec::new(),
        span,
    }
}
