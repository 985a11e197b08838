//! Implementations, which have to fit their procedures.

use super::super::{Checker, Role, State};
use crate::ast::{self};
use crate::diagnostic::Id;
use crate::hir::{Implementation, ProcedureId, Type, TypeParameter};
use crate::resolve::environment::ProcedureInfo;
use crate::resolve::message::{Message, Place};
use crate::resolve::suggest::did_you_mean;
use crate::resolve::types::{count, declared_twice};
use std::collections::HashMap;

use super::{Contents, end_of};

impl<'e> Checker<'e> {
    pub(super) fn implementation(
        &mut self,
        decl: &ast::ImplementationDecl,
        contents: &mut Contents,
    ) {
        let signature = &decl.signature;
        let name = &signature.name;
        let known = self.env.procedure(&name.name);
        if known.is_none() {
            let help = did_you_mean(
                &name.name,
                self.env.procedure_names.keys().map(|name| &**name),
            );
            let message = Message::error(
                Id::IMPLEMENTATION_WITHOUT_PROCEDURE,
                format!("there is no procedure `{}` to implement", name.name),
                self.place(name.span),
                "unknown procedure",
            )
            .with_optional_help(help);
            self.messages.push(message);
        }
        let type_params = match known {
            Some((_, info)) if info.type_params.len() == signature.type_params.len() => {
                self.declared_type_params(&signature.type_params, &info.type_params)
            }
            _ => self.new_type_params(&signature.type_params),
        };
        let ins = self.written_types(&signature.params);
        let outs = self.written_types(&signature.results);
        for group in signature.params.iter().chain(&signature.results) {
            if let Some(clause) = &group.where_clause {
                self.error(
                    Id::MISPLACED_WHERE,
                    "an implementation has no where clauses",
                    clause.span,
                    "those of the procedure hold",
                );
            }
        }
        if let Some((_, info)) = known {
            self.pure_ = info.pure_;
            self.matches(signature, info, &type_params, &ins, &outs);
        }
        let mark = self.mark();
        self.state = State::One;
        self.new_parameters(mark, &signature.params);
        self.bind_parameters(&signature.params, &ins, 0, Role::In);
        let in_variables = self.parameters(&signature.params, &ins);
        self.new_parameters(mark, &signature.results);
        self.bind_parameters(&signature.results, &outs, ins.len(), Role::Out);
        let out_variables = self.parameters(&signature.results, &outs);
        let implementation = Implementation {
            procedure: known.map_or(ProcedureId(u32::MAX), |(id, _)| id),
            ins: in_variables,
            outs: out_variables,
            locals: Vec::new(),
            labels: Vec::new(),
            body: Vec::new(),
            attributes: self.finished_attributes(&signature.attributes),
            span: name.span,
            end: end_of(decl.body.span),
        };
        let implementation = self.body(implementation, &decl.body, mark);
        self.release(mark);
        if known.is_some() {
            contents.implementations.push(implementation);
        }
    }

    /// Reports parameters of an implementation that are declared twice.
    pub(super) fn new_parameters(&mut self, mark: usize, groups: &[ast::TypedIdents]) {
        let mut own: HashMap<&str, Place> = HashMap::new();
        for name in groups.iter().flat_map(|group| &group.names) {
            let first = self
                .bound_since(mark, &name.name)
                .or(own.get(&*name.name).copied());
            if let Some(first) = first {
                self.messages
                    .push(declared_twice("parameter", name, self.item, Some(first)));
            }
            own.insert(&name.name, self.place(name.span));
        }
    }

    pub(super) fn written_types(&mut self, groups: &[ast::TypedIdents]) -> Vec<Type> {
        let mut types = Vec::new();
        for group in groups {
            let ty = self.resolve_type(&group.ty);
            types.extend(group.names.iter().map(|_| ty.clone()));
        }
        types
    }

    /// Checks the head of an implementation against its procedure. Names may differ, types may not.
    pub(super) fn matches(
        &mut self,
        signature: &ast::Signature,
        info: &ProcedureInfo,
        type_params: &[TypeParameter],
        ins: &[Type],
        outs: &[Type],
    ) {
        let place = self.place(signature.name.span);
        let mismatch = |text: String, place: Place, label: String| {
            Message::error(Id::IMPLEMENTATION_MISMATCH, text, place, label)
                .with_label(info.place, "the procedure")
        };
        if type_params.len() != info.type_params.len() {
            self.messages.push(mismatch(
                format!(
                    "the implementation of `{}` has {}, its procedure {}",
                    info.name,
                    count(type_params.len(), "type parameter"),
                    info.type_params.len()
                ),
                place,
                "does not match".to_owned(),
            ));
            return;
        }
        let sides = [
            ("in-parameter", ins, &info.ins, &signature.params),
            ("out-parameter", outs, &info.outs, &signature.results),
        ];
        for (what, own, declared, written) in sides {
            if own.len() != declared.len() {
                self.messages.push(mismatch(
                    format!(
                        "the implementation of `{}` has {}, its procedure {}",
                        info.name,
                        count(own.len(), what),
                        declared.len()
                    ),
                    place,
                    "does not match".to_owned(),
                ));
                continue;
            }
            let names = written.iter().flat_map(|group| &group.names);
            for ((own, declared), name) in own.iter().zip(declared).zip(names) {
                if *own == declared.ty || *own == Type::Error || declared.ty == Type::Error {
                    continue;
                }
                let (own, wanted) = (self.show(own), self.show(&declared.ty));
                let place = self.place(name.span);
                self.messages.push(mismatch(
                    format!(
                        "the {what} `{}` is of type `{own}`, but of type `{wanted}` in the procedure",
                        name.name
                    ),
                    place,
                    format!("expected `{wanted}`"),
                ));
            }
        }
    }
}
