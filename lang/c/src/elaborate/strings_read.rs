//! Strings that functions of the library read: where memory safety is asked for, each is read up to its end before the call.
//!
//! `printf("%s\n", name)` becomes `__ult_read_string(name); printf("%s\n", name)`. The function that is called then is marked
//! ([`Function::strings_are_read`](crate::ir::Function::strings_are_read)): what it reads was looked at.

use std::collections::HashMap;

use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::{Callee, Expr, FunctionId, Stmt, StmtKind};
use crate::library::{self, READ_STRING, Strings};
use crate::types::{IntType, Type};

use super::Elaborator;
use super::formats::{self, Format};

impl Elaborator {
    /// Puts reads of strings before the calls in a function.
    pub(super) fn read_strings(
        &mut self,
        index: usize,
        marked: &mut HashMap<FunctionId, FunctionId>,
    ) {
        let Some(&reader) = self
            .functions
            .get(READ_STRING)
            .filter(|_| self.checks_strings)
        else {
            return;
        };
        if let Some(mut body) = self.program.functions[index].body.take() {
            self.read_before_calls(&mut body, reader, marked);
            self.program.functions[index].body = Some(body);
        }
    }

    fn read_before_calls(
        &mut self,
        statements: &mut Vec<Stmt>,
        reader: FunctionId,
        marked: &mut HashMap<FunctionId, FunctionId>,
    ) {
        ensure_stack(|| {
            for mut stmt in std::mem::take(statements) {
                match &mut stmt.kind {
                    StmtKind::If(_, then, otherwise) => {
                        self.read_before_calls(then, reader, marked);
                        self.read_before_calls(otherwise, reader, marked);
                    }
                    StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                        self.read_before_calls(body, reader, marked);
                    }
                    StmtKind::Call {
                        callee: Callee::Function(id),
                        args,
                        ..
                    } => {
                        if let Some(read) = self.strings_of_call(*id, args) {
                            let texts = read.into_iter().map(|number| args[number].clone());
                            let span = stmt.span;
                            statements
                                .extend(texts.map(|text| self.read_string(reader, text, span)));
                            *id = self.marked(*id, marked);
                        }
                    }
                    _ => {}
                }
                statements.push(stmt);
            }
        });
    }

    fn read_string(&mut self, reader: FunctionId, text: Expr, span: Span) -> Stmt {
        let text = match self.program.function(reader).ty.params.first() {
            Some(ty) => {
                let ty = ty.clone();
                self.convert(text, &ty)
            }
            None => text,
        };
        let kind = StmtKind::Call {
            callee: Callee::Function(reader),
            args: vec![text],
            result: None,
        };
        Stmt { kind, span }
    }

    /// The function, where the strings that it reads were read before.
    fn marked(
        &mut self,
        id: FunctionId,
        marked: &mut HashMap<FunctionId, FunctionId>,
    ) -> FunctionId {
        *marked.entry(id).or_insert_with(|| {
            let mut function = self.program.function(id).clone();
            function.strings_are_read = true;
            self.program.functions.push(function);
            FunctionId(u32::try_from(self.program.functions.len() - 1).unwrap_or(u32::MAX))
        })
    }

    /// The arguments of a call that are read as strings up to their ends, literals aside; `None` if nothing else may be read, or
    /// it is not known what is.
    fn strings_of_call(&self, id: FunctionId, args: &[Expr]) -> Option<Vec<usize>> {
        let function = self.program.function(id);
        if function.body.is_some() || function.strings_are_read {
            return None;
        }
        let read = match library::strings(&function.name)? {
            Strings::At(arguments) => arguments.to_vec(),
            Strings::Format(argument) => self.converted(args, argument)?,
        };
        let mut unknown = Vec::new();
        for number in read {
            let text = args.get(number)?;
            if formats::literal(&self.program, text).is_some() {
                continue;
            }
            let (_, element) = text.typed_pointer();
            let is_text = matches!(element, Type::Int(IntType { bits: 8, .. }));
            if !text.ty.is_pointer() || !is_text {
                return None;
            }
            unknown.push(number);
        }
        (!unknown.is_empty()).then_some(unknown)
    }

    /// The arguments that a format converts as strings.
    fn converted(&self, args: &[Expr], format: usize) -> Option<Vec<usize>> {
        let text = Format::narrow(&self.program, args.get(format)?).filter(|format| format.ends)?;
        let (_, conversions) = formats::conversions(&text.text)?;
        let mut strings = Vec::new();
        for (number, one) in conversions.iter().enumerate() {
            match one.letter {
                // A number more is an argument, or a part of the string is read.
                _ if one.star => return None,
                's' if one.precision.is_some() || !one.length.is_empty() => return None,
                's' => strings.push(format + 1 + number),
                'n' | 'S' => return None,
                _ => {}
            }
        }
        Some(strings)
    }
}
