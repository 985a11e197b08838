//! Strings that functions of the library read: where memory safety is asked for, each is read up to its end before the call.
//!
//! `printf("%s\n", name)` becomes `__ult_read_string(name); printf("%s\n", name)`. The function that is called then is marked
//! ([`Function::strings_are_read`](crate::ir::Function::strings_are_read)): what it reads was looked at.

use std::collections::HashMap;

use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::{Callee, Expr, FunctionId, Stmt, StmtKind};
use crate::library::{self, READ_STRING, READ_WIDE_STRING, Strings};
use crate::types::Type;

use super::Elaborator;
use super::formats::{self, Format};

/// What reads strings, and what reads those of wide characters.
#[derive(Clone, Copy)]
struct Readers {
    narrow: FunctionId,
    wide: Option<FunctionId>,
}

/// An argument, by number, that is read as a string by a function.
struct Read {
    number: usize,
    reader: FunctionId,
}

impl Elaborator {
    /// Puts reads of strings before the calls in a function.
    pub(super) fn read_strings(
        &mut self,
        index: usize,
        marked: &mut HashMap<FunctionId, FunctionId>,
    ) {
        let Some(&narrow) = self
            .functions
            .get(READ_STRING)
            .filter(|_| self.checks_strings)
        else {
            return;
        };
        let wide = self.functions.get(READ_WIDE_STRING).copied();
        if let Some(mut body) = self.program.functions[index].body.take() {
            self.read_before_calls(&mut body, Readers { narrow, wide }, marked);
            self.program.functions[index].body = Some(body);
        }
    }

    fn read_before_calls(
        &mut self,
        statements: &mut Vec<Stmt>,
        readers: Readers,
        marked: &mut HashMap<FunctionId, FunctionId>,
    ) {
        ensure_stack(|| {
            for mut stmt in std::mem::take(statements) {
                match &mut stmt.kind {
                    StmtKind::If(_, then, otherwise) => {
                        self.read_before_calls(then, readers, marked);
                        self.read_before_calls(otherwise, readers, marked);
                    }
                    StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                        self.read_before_calls(body, readers, marked);
                    }
                    StmtKind::Call {
                        callee: Callee::Function(id),
                        args,
                        ..
                    } => {
                        if let Some(read) = self.strings_of_call(*id, args, readers) {
                            let span = stmt.span;
                            statements.extend(read.into_iter().map(|one| {
                                self.read_string(one.reader, args[one.number].clone(), span)
                            }));
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
    fn strings_of_call(
        &self,
        id: FunctionId,
        args: &[Expr],
        readers: Readers,
    ) -> Option<Vec<Read>> {
        let function = self.program.function(id);
        if function.body.is_some() || function.strings_are_read {
            return None;
        }
        let narrow = |&number: &usize| Read {
            number,
            reader: readers.narrow,
        };
        let read = match library::strings(&function.name)? {
            Strings::At(arguments) => arguments.iter().map(narrow).collect(),
            Strings::Format(argument) => {
                let character = formats::character_of(&function.name);
                let format = Format::at(&self.program, args.get(argument)?, character)?;
                converted(&format, argument, readers)?
            }
        };
        let mut unknown = Vec::new();
        for one in read {
            let text = args.get(one.number)?;
            let bits = |ty: Type| Some(ty.integer()?.bits);
            let reads = self.program.function(one.reader).ty.params.first()?;
            let reads = bits(crate::alias::pointed(reads))?;
            if !text.ty.is_pointer() || bits(text.typed_pointer().1) != Some(reads) {
                return None;
            }
            if !Format::at(&self.program, text, reads).is_some_and(|text| text.ends) {
                unknown.push(one);
            }
        }
        (!unknown.is_empty()).then_some(unknown)
    }
}

/// The arguments that a format, which is this argument, converts as strings.
fn converted(format: &Format, argument: usize, readers: Readers) -> Option<Vec<Read>> {
    let (_, conversions) = formats::conversions(&format.text).filter(|_| format.ends)?;
    let mut strings = Vec::new();
    for (number, one) in conversions.iter().enumerate() {
        let reader = match one.character_of_text() {
            // A number more is an argument, or a part of the string is read.
            _ if one.star => return None,
            None if one.letter == 'n' => return None,
            None => continue,
            Some(_) if one.precision.is_some() => return None,
            Some(formats::WIDE) => readers.wide?,
            Some(_) if one.length.is_empty() => readers.narrow,
            Some(_) => return None,
        };
        let number = argument + 1 + number;
        strings.push(Read { number, reader });
    }
    Some(strings)
}
