//! What the library of C remembers: answers that stay the same for the same arguments, and what is known of streams.
//!
//! Both are maps that only the functions of `stdlib` use: `__ult_same_NAME(..)` reads an entry of a map of which nothing is
//! known and that nobody writes; `__ult_kept_NAME(stream)` and `__ult_keep_NAME(stream, value)` read and write an entry that
//! is zero at the start.

use super::Encoder;
use super::body::{Body, Pointer, Value};
use super::number::Number;
use super::observed::observes;
use super::reach::Reach;
use crate::functions::{KEEP, KEPT, SAME};
use crate::ir::{CompareOp, Expr, Initial, Place, Storage, VarId};
use crate::types::{IntType, Type};
use crate::undefined::Undefined;
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

/// What is kept of each stream.
const OF_STREAMS: [&str; 4] = ["ended", "failed", "pushed", "unread"];

/// The streams that are open at the start (C11 7.21.3p7).
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];

/// The object of the stream that was opened last: those that are opened later have lower numbers.
const LAST_OPENED: &str = "opened~last";

/// The name of the map behind a function.
fn map_name(kind: &str, name: &str) -> String {
    format!("{kind}~{name}")
}

impl Encoder<'_> {
    /// The first number below those of the streams that are open at the start.
    pub(super) fn number_behind_streams(&self) -> i64 {
        -(self.program.functions.len() as i64 + 1 + STANDARD.len() as i64)
    }
}

impl Body<'_, '_> {
    /// The answer of a function that depends on nothing but the arguments. It may depend on where these lie, too, but no run
    /// counts in which it does: compilers compute some of the answers, for what the arguments contain.
    pub fn same(&mut self, function: &str, args: &[Expr]) -> Number {
        let (mut places, mut numbers) = (Vec::new(), Vec::new());
        for arg in args {
            match self.value(arg) {
                Value::Pointer(pointer) => places.extend([pointer.base, pointer.offset]),
                other => numbers.extend(other.into_terms()),
            }
        }
        let ty = IntType::INT;
        if !observes(self.enc, function) {
            return Number::new(self.anything(ty), ty);
        }
        let name = function.trim_start_matches(SAME);
        let answer = self.answer(name, &numbers);
        if places.is_empty() {
            return Number::new(answer, ty);
        }
        let result = self.temporary(answer.ty().clone());
        self.out.assign(&result, &answer);
        places.extend(numbers);
        let there = Number::new(self.answer(&format!("{name}~there"), &places), ty);
        let is_usual = self.answer(&format!("{name}~usual"), &places);
        let zero = self.constant(&0.into(), ty);
        let depends = self.compare_numbers(CompareOp::Equal, &Number::new(is_usual, ty), &zero);
        let what = "an answer that depends on where the arguments lie";
        self.approximated(&depends, what, |body| {
            body.out.assign(&result, &there.term);
        });
        Number::new(result, ty)
    }

    /// The answer to a question: an entry of a map that nobody writes.
    fn answer(&mut self, name: &str, keys: &[Term]) -> Term {
        let name = map_name("same", name);
        let range = self.enc.int_sort(IntType::INT.bits);
        let entry = match keys {
            [] => self.enc.declare_global(&name, &range),
            _ => {
                let domain = keys.iter().map(|key| key.ty().clone()).collect();
                let map = self.enc.declare_global(&name, &Sort::map(domain, range));
                map.select(keys)
            }
        };
        let entry = self.named(entry);
        self.assume_range(&entry, IntType::INT);
        entry
    }

    /// The answer to a question about the environment that the text of a literal asks: always the same pointer.
    pub fn same_pointer(&mut self, question: &str, text: &[u8], place: &Place) {
        let text: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = map_name(question, &text);
        let base = self.enc.declare_global(&format!("{name}.base"), &Sort::Int);
        let word = self.enc.word_sort();
        let offset = self.enc.declare_global(&format!("{name}.offset"), &word);
        let Some(at) = self.locate(place) else { return };
        if let Value::Pointer(answer) = self.read(&at, &place.ty, None) {
            let same = answer
                .base
                .equals(&base)
                .and(&answer.offset.equals(&offset));
            self.assume(&same);
        }
    }

    /// What is kept of a stream.
    pub fn kept_of_stream(&mut self, function: &str, stream: &Expr) -> Number {
        let entry = self.entry_of_stream(function.trim_start_matches(KEPT), stream);
        let entry = self.copied(entry);
        Number::new(entry, IntType::INT)
    }

    /// Something is kept of a stream from now on.
    pub fn keep_of_stream(&mut self, function: &str, stream: &Expr, value: &Expr) {
        let value = self.number(value);
        let value = self.converted(&value, IntType::INT);
        let entry = self.entry_of_stream(function.trim_start_matches(KEEP), stream);
        self.out.assign(&entry, &value.term);
    }

    fn entry_of_stream(&mut self, name: &str, stream: &Expr) -> Term {
        let Pointer { base, .. } = self.pointer(stream);
        let standard = self.standard_input();
        let null = base.equals(&Term::int(0));
        let key = self.named(null.choose(&standard, &base));
        self.map_of_streams(name).select(&[key])
    }

    fn map_of_streams(&mut self, name: &str) -> Term {
        let sort = Sort::map(vec![Sort::Int], self.enc.int_sort(IntType::INT.bits));
        self.enc.declare_global(&map_name("kept", name), &sort)
    }

    /// The object of the stream that is standard input now.
    fn standard_input(&mut self) -> Term {
        let variables = (0..).map(VarId).zip(&self.enc.program.variables);
        let known = variables
            .filter(|(_, variable)| is_stream(&variable.name, &variable.storage, &variable.ty))
            .find(|(id, variable)| variable.name == STANDARD[0] && self.has_variable(*id));
        if let Some((id, variable)) = known {
            let place = Place::variable(id, variable.ty.clone(), self.out.span());
            if let Some(at) = self.locate(&place)
                && let Value::Pointer(pointer) = self.read(&at, &place.ty, None)
            {
                return pointer.base;
            }
        }
        Term::int(self.standard(0))
    }

    fn has_variable(&self, id: VarId) -> bool {
        match self.enc.memory.is_in_memory(id) {
            true => self.enc.objects.contains_key(&id),
            false => {
                let name = format!("{}.base", self.enc.variable_name(id));
                self.enc.has_global(&name)
            }
        }
    }

    /// The number of the object that a stream is which is open at the start.
    fn standard(&self, index: usize) -> i64 {
        -(self.enc.program.functions.len() as i64 + 1 + index as i64)
    }

    /// The standard streams are three objects of the library's.
    pub fn start_of_streams(&mut self, reach: &Reach) {
        for &id in &reach.variables {
            let variable = self.enc.program.variable(id);
            if !is_stream(&variable.name, &variable.storage, &variable.ty) {
                continue;
            }
            let index = STANDARD.iter().position(|name| *name == variable.name);
            let place = Place::variable(id, variable.ty.clone(), self.out.span());
            if let (Some(at), Some(index)) = (self.locate(&place), index)
                && let Value::Pointer(stream) = self.read(&at, &place.ty, None)
            {
                let number = Term::int(self.standard(index));
                let start = stream.offset.equals(&self.offset(0));
                self.assume(&stream.base.equals(&number).and(&start));
            }
        }
        if self.enc.has_global(LAST_OPENED) {
            // Behind the arguments of the program.
            let last =
                Term::int(self.enc.number_behind_streams() - super::arguments::OBJECTS as i64);
            self.out.assign(&self.var(LAST_OPENED), &last);
        }
        for name in OF_STREAMS {
            if self.enc.has_global(&map_name("kept", name)) {
                let map = self.map_of_streams(name);
                let zero = self.constant(&0.into(), IntType::INT).term;
                let zeroes = self.enc.constant_map(map.ty(), &zero);
                self.out.assign(&map, &zeroes);
            }
        }
    }

    /// A stream that was opened just now is none of those before, and nothing is known of it. A pointer to one that is closed
    /// has no value any more (C11 7.21.3p4).
    pub fn begin_stream(&mut self, place: &Place) {
        let Some(at) = self.locate(place) else { return };
        let Value::Pointer(stream) = self.read(&at, &place.ty, None) else {
            return;
        };
        let null = stream.base.equals(&Term::int(0));
        let last = self.enc.declare_global(LAST_OPENED, &Sort::Int);
        self.assume(&null.or(&stream.base.less(&last)));
        self.out.assign(&last, &null.choose(&last, &stream.base));
        let functions = &self.enc.program.functions;
        if functions.iter().any(|one| one.name.starts_with(KEPT)) {
            let zero = self.constant(&0.into(), IntType::INT).term;
            for name in OF_STREAMS {
                let entry = self
                    .map_of_streams(name)
                    .select(std::slice::from_ref(&stream.base));
                self.out.assign(&entry, &zero);
            }
        }
    }

    /// A function of the library needs so many bytes, and reads them.
    pub fn check_bytes(&mut self, object: &Expr, size: &Expr, reads: bool) {
        let target = self.enc.memory.target(object);
        let pointer = self.pointer(object);
        let number = self.number(size);
        let zero = self.constant(&0.into(), number.ty);
        let none = self.compare_numbers(CompareOp::Equal, &number, &zero);
        let properties = &self.enc.options.properties;
        let (dereference, uninitialised) =
            (properties.dereference, properties.uninitialised && reads);
        if dereference {
            let outside = self.points_outside(&pointer, target);
            let fine = outside.not().or(&none);
            self.unsupported_unless(&fine, "memory that is not the program's");
            let size = self.word(&number);
            let valid = self.is_valid_for(&pointer, &size);
            self.require(Undefined::Dereference, none.or(&outside).or(&valid));
        }
        if uninitialised {
            let what = "whether bytes that a function of the library reads were written";
            self.unsupported_unless(&none, what);
        }
    }

    /// A function of the library uses a stream, which may not be null (C11 7.1.4).
    pub fn check_stream(&mut self, stream: &Expr) {
        let pointer = self.pointer(stream);
        if self.enc.options.properties.dereference {
            let some = pointer.base.equals(&Term::int(0)).not();
            self.require(Undefined::Dereference, some);
        }
    }
}

/// Whether a variable is a stream of the library's.
fn is_stream(name: &str, storage: &Storage, ty: &Type) -> bool {
    let outside = matches!(
        storage,
        Storage::Static {
            initial: Initial::Unknown,
            ..
        }
    );
    outside && ty.is_pointer() && is_standard(name)
}

/// Whether it is the name of a standard stream.
pub(super) fn is_standard(name: &str) -> bool {
    STANDARD.contains(&name)
}
