//! Calls: what the body does, or what the contract says.

use std::collections::BTreeMap;

use ult_lang::hir::visit::mutable::VisitMut;
use ult_lang::hir::{Expr, LocalId, ProcedureId, StmtKind, VarRef};
use ult_lang::span::Span;

use super::{Body, Substitute, var};
use crate::program::{Moment, Part, Property, PropertyKind};

impl Body<'_> {
    pub(super) fn call(&mut self, callee: usize, args: &[Expr], results: &[VarRef], span: Span) {
        let reader = self.context.reader;
        let Some(target) = reader.procedures.get(callee) else {
            return;
        };
        if !target.has_contract() || self.context.counter.is_some() {
            let kind = StmtKind::Call {
                callee: ProcedureId::new(callee),
                type_args: Vec::new(),
                args: args.to_vec(),
                results: results.to_vec(),
                free: false,
                attributes: Vec::new(),
            };
            return self.push(kind, span);
        }
        let mut values = BTreeMap::new();
        let mut given = Vec::new();
        for (index, (arg, param)) in args.iter().zip(&target.ins).enumerate() {
            let name = format!("{}.{}", target.name, param.name);
            let temporary = self.temporary(&name, &param.ty, span);
            given.push((temporary, arg.clone()));
            let value = var(temporary, &param.ty, span);
            values.insert(VarRef::Local(LocalId::new(index)), value);
        }
        self.assign(given, span);
        let mut given = Vec::new();
        for (index, out) in target.outs.iter().enumerate() {
            let name = format!("{}.{}", target.name, out.name);
            let temporary = self.temporary(&name, &out.ty, span);
            given.push(temporary);
            let id = LocalId::new(target.ins.len() + index);
            values.insert(VarRef::Local(id), var(temporary, &out.ty, span));
        }
        // What global variables were before the call.
        let first = target.variables().count();
        let mut before = Vec::new();
        let mut known = vec![Part::In, Part::Out];
        let mut all_known = true;
        for (index, snapshot) in target.snapshots.iter().enumerate() {
            let at_start = match &snapshot.moment {
                Moment::Entry => true,
                Moment::Tag(tag) => target.is_start(tag),
            };
            if at_start && matches!(snapshot.variable, VarRef::Global(_)) {
                let temporary = self.temporary(&snapshot.name, &snapshot.ty, span);
                before.push((temporary, var(snapshot.variable, &snapshot.ty, span)));
                let value = var(temporary, &snapshot.ty, span);
                values.insert(VarRef::Local(LocalId::new(first + index)), value);
            } else {
                all_known = false;
            }
        }
        if all_known {
            known.push(Part::Snapshot);
        }
        for property in target.contract() {
            let Some(condition) = &property.condition else {
                continue;
            };
            let parts = match property.kind {
                PropertyKind::Requires => &[Part::In][..],
                _ => &known[..],
            };
            if !self.is_about(condition, target, parts) {
                self.unsupported(
                    "a contract that mentions what callers do not know",
                    property.span,
                );
                // All that is left is to execute it.
                let kind = StmtKind::Unsupported {
                    what: "a contract that mentions what callers do not know",
                };
                return self.push(kind, span);
            }
        }
        let said = |property: &Property| {
            let mut condition = property.condition.clone();
            if let Some(condition) = &mut condition {
                Substitute(&values).visit_expr(condition);
            }
            condition
        };
        for property in target.contract() {
            if property.kind == PropertyKind::Requires
                && let Some(condition) = said(property)
            {
                let what = format!(":requires of `{}`", target.name);
                self.assert(condition, &what, span);
            }
        }
        self.assign(before, span);
        let globals = self.context.effects.get(callee).into_iter().flatten();
        let globals: Vec<VarRef> = globals.map(|&id| VarRef::Global(id)).collect();
        self.havoc(given.iter().copied().chain(globals), span);
        for property in target.contract() {
            if property.kind == PropertyKind::Ensures
                && let Some(condition) = said(property)
            {
                self.assume(condition, span);
            }
        }
        let pairs = results.iter().zip(given).map(|(&result, given)| {
            let ty = self.type_of(given);
            (result, var(given, &ty, span))
        });
        let pairs = pairs.collect();
        self.assign(pairs, span);
    }
}
