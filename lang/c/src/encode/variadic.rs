//! Arguments for `...` (C11 7.16).
//!
//! Those of a call are an object: maps say of what kind its entries are, and what their values are. The function gets
//! the object's number, and a `va_list` is a pointer into it, with the index of the next argument as the offset. Of a structure,
//! the address of a copy is passed ([`Type::passed`]).

use super::body::{Body, Pointer, Value};
use super::located::Located;
use super::number::Number;
use super::{Encoder, sort_name};
use crate::alias::{Shape, pointed};
use crate::functions::plain;
use crate::ir::{Expr, Function, Place};
use crate::types::{IntType, RecordId, Type};
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

/// The parameter with the object's number.
pub const OBJECT: &str = "arguments~in";
/// Of what kind an argument is; [`END`] behind the last one.
const KIND: &str = "arguments~kind";
/// The kind of what is no argument.
const END: i64 = 0;
/// The member of a `va_list` for 64 bits that is used.
const AREA: usize = 2;

/// A call of one of these functions.
pub fn call(body: &mut Body<'_, '_>, function: &Function, args: &[Expr], result: Option<&Place>) {
    let Some(list) = args.first().and_then(|list| body.cursor(list)) else {
        body.unsupported("this use of variable arguments");
        return;
    };
    match (plain(&function.name), args) {
        ("va_start" | "c23_va_start", _) => {
            let offset = body.offset(0);
            let base = match body.function {
                Some(id) if body.enc.program.function(id).ty.variadic => body.var(OBJECT),
                _ => Term::int(0),
            };
            body.set_cursor(&list, Pointer { base, offset });
        }
        ("va_copy", [_, from]) => match body.cursor(from) {
            Some(from) => {
                let from = body.cursor_value(&from);
                body.set_cursor(&list, from);
            }
            None => body.unsupported("this use of variable arguments"),
        },
        ("va_arg", _) => {
            if let Some(place) = result {
                body.next_argument(&list, place);
            }
        }
        _ => {}
    }
}

/// The map with the values of a type, by the ends of the names of a value's parts.
fn map(suffix: &str, sort: &Sort) -> String {
    match suffix {
        "" => format!("arguments~{}", sort_name(sort)),
        suffix => format!("arguments~{}", suffix.trim_start_matches('.')),
    }
}

/// Where the kinds of structures begin.
const STRUCTURES: i64 = 1 << 20;

/// A number for each kind of values that are passed alike. Signs do not matter where the value has both types.
fn kind(enc: &Encoder<'_>, ty: &Type) -> Option<i64> {
    match ty {
        Type::Pointer(target) => Some(match target.passed_structure() {
            Some(RecordId(id)) => STRUCTURES + i64::from(id),
            None => 1,
        }),
        Type::Float(float) => Some(1000 + i64::try_from(float.size(enc.program.model)).ok()?),
        other => Some(i64::from(other.integer()?.bits)),
    }
}

impl Body<'_, '_> {
    /// Where the pointer of a `va_list` is.
    fn cursor(&mut self, list: &Expr) -> Option<Located> {
        let target = self.enc.memory.target(list)?;
        let pointer = self.pointer(list);
        let at = Located::Memory { target, pointer };
        let at = match pointed(&list.ty) {
            Type::Record(id) => at.field(self, id, AREA),
            _ => at,
        };
        Some(self.held(at))
    }

    fn cursor_value(&mut self, at: &Located) -> Pointer {
        match self.read(at, &Type::Void.pointer(), None) {
            Value::Pointer(pointer) => self.held_pointer(pointer),
            _ => Pointer {
                base: Term::int(0),
                offset: self.offset(0),
            },
        }
    }

    fn set_cursor(&mut self, at: &Located, value: Pointer) {
        self.write(at, &Type::Void.pointer(), None, Value::Pointer(value));
    }

    /// An entry of one of the maps, which is declared if it is new.
    fn argument_entry(&mut self, map: &str, sort: &Sort, at: &Pointer) -> Term {
        let sort = self.enc.region_sort(Shape::Both, sort.clone());
        self.enc.declare_global(map, &sort);
        self.entry(map, Shape::Both, at)
    }

    /// Writes a list of arguments, and gives its number.
    pub fn pass_arguments(&mut self, args: &[Expr]) -> Term {
        let object = self.temporary(Sort::Int);
        let mut entries = Vec::new();
        for (number, arg) in args.iter().enumerate() {
            let Some(kind) = kind(self.enc, &arg.ty) else {
                self.unsupported("this variable argument");
                break;
            };
            let at = Pointer {
                base: object.clone(),
                offset: self.offset(number as u64),
            };
            let parts = self.argument_parts(arg);
            entries.push((KIND.to_owned(), at.clone(), Term::int(kind)));
            entries.extend(
                parts
                    .into_iter()
                    .map(|(map, value)| (map, at.clone(), value)),
            );
        }
        let end = Pointer {
            base: object.clone(),
            offset: self.offset(args.len() as u64),
        };
        entries.push((KIND.to_owned(), end, Term::int(END)));
        self.take_object_number(&object);
        for (map, at, value) in entries {
            let entry = self.argument_entry(&map, value.ty(), &at);
            self.out.assign(&entry, &value);
        }
        object
    }

    /// The parts of an argument: in which map, and what.
    fn argument_parts(&mut self, arg: &Expr) -> Vec<(String, Term)> {
        match self.value(arg) {
            Value::Number(number) => {
                let number = self.converted(&number, signed(number.ty));
                vec![(map("", number.term.ty()), number.term)]
            }
            Value::Pointer(pointer) => vec![
                (map(".base", pointer.base.ty()), pointer.base),
                (map(".offset", pointer.offset.ty()), pointer.offset),
            ],
            Value::Float(_, term) => vec![(map("", term.ty()), term)],
            Value::Nothing => Vec::new(),
        }
    }

    /// `va_arg`: the next argument, if it is of the type that is asked for (C11 7.16.1.1p2).
    fn next_argument(&mut self, list: &Located, place: &Place) {
        let ty = &place.ty;
        let Some(wanted) = kind(self.enc, ty) else {
            self.unsupported("this variable argument");
            return;
        };
        let at = self.cursor_value(list);
        let known = self.argument_entry(KIND, &Sort::Int, &at);
        let known = known.equals(&Term::int(wanted));
        self.unsupported_unless(&known, "a variable argument of another type, or none");
        let next = Pointer {
            base: at.base.clone(),
            offset: self.moved(&at.offset, 1),
        };
        self.set_cursor(list, next);
        let word = self.enc.word_sort();
        let value = match ty {
            Type::Pointer(_) => Value::Pointer(Pointer {
                base: self.argument_entry(&map(".base", &Sort::Int), &Sort::Int, &at),
                offset: self.argument_entry(&map(".offset", &word), &word, &at),
            }),
            Type::Float(float) => {
                let sort = super::float::sort(*float);
                Value::Float(*float, self.argument_entry(&map("", &sort), &sort, &at))
            }
            other => {
                let wanted = other.integer().unwrap_or(IntType::INT);
                let kept = signed(wanted);
                let sort = self.enc.int_sort(kept.bits);
                let term = self.argument_entry(&map("", &sort), &sort, &at);
                self.assume_range(&term, kept);
                let number = Number::new(term, kept);
                Value::Number(self.converted(&number, wanted))
            }
        };
        if let Some(to) = self.access(place) {
            self.write(&to, ty, None, value);
        }
    }
}

fn signed(ty: IntType) -> IntType {
    IntType { signed: true, ..ty }
}
