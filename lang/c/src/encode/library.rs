//! Calls of functions that are known by their names, see [`crate::functions`].

use super::body::{Body, Pointer, Value};
use super::number::Number;
use super::safety::End;
use super::variadic;
use crate::elaborate::formats::{self, Conversion, Format, NARROW, character_of};
use crate::functions::{self, Allocation, Life, Meaning, Outcome, plain};
use crate::ir::{
    Base, BinaryOp, CompareOp, Expr, ExprKind, Function, Initial, Place, Step, Storage, VarId,
};
use crate::options::Properties;
use crate::types::IntType;
use crate::undefined::Undefined;
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

/// Whether the meaning of the function does not come from its body, if it has one: calling it is
/// what must not happen.
pub fn is_special(function: &Function, properties: &Properties) -> bool {
    let meaning = functions::named(&function.name);
    (properties.error_calls || properties.assertions)
        && matches!(meaning, Some(Meaning::Violation | Meaning::FailedAssertion))
}

/// Translates the call if the function is known; tells whether it is.
pub fn call(
    body: &mut Body<'_, '_>,
    function: &Function,
    args: &[Expr],
    result: Option<&Place>,
) -> bool {
    let name = function.name.as_str();
    let meaning = match is_special(function, &body.enc.options.properties) {
        true => functions::named(name),
        false => functions::of(function),
    };
    let Some(meaning) = meaning else { return false };
    for unused in args.iter().skip(looked_at(meaning)) {
        body.evaluate(unused);
    }
    match (meaning, args) {
        (Meaning::Violation, _) => {
            if body.enc.options.properties.error_calls {
                body.assert(&Term::truth(false), &format!("{name} called"));
            }
            stop(body);
        }
        (Meaning::FailedAssertion, _) => {
            if body.enc.checks_assertions() {
                body.assert(&Term::truth(false), "assertion violated");
            }
            stop(body);
        }
        (Meaning::Assume, [condition, ..]) => {
            let condition = body.truth(condition);
            body.assume(&condition);
        }
        (Meaning::Fits, [condition]) => {
            let condition = body.truth(condition);
            body.require(Undefined::Overflow, condition);
        }
        (Meaning::Assert, [condition, ..]) => {
            let condition = body.truth(condition);
            if body.enc.checks_assertions() {
                body.assert(&condition, "assertion violated");
            }
            body.assume(&condition);
        }
        (Meaning::Arbitrary, _) => {
            if let Some(place) = result {
                body.havoc_place(place);
                if name == functions::ANY_STRING {
                    body.assume_of_library(place);
                }
                if !name.starts_with(crate::caller::ANY) {
                    body.note_outside(name, &place.ty);
                }
            }
        }
        (Meaning::Nothing, _) => {}
        (Meaning::SameObject, [left, right]) => {
            let (left, right) = (body.pointer(left), body.pointer(right));
            let same = body.number_of_truth(left.base.equals(&right.base));
            give(body, result, Value::Number(same));
        }
        (Meaning::Same, _) => {
            let number = body.same(name, args);
            give(body, result, Value::Number(number));
        }
        (Meaning::Kept, [stream]) => {
            let number = body.kept_of_stream(name, stream);
            give(body, result, Value::Number(number));
        }
        (Meaning::Keep, [stream, value]) => body.keep_of_stream(name, stream, value),
        (Meaning::Needs, [object, size]) => body.check_bytes(object, size, false),
        (Meaning::Reads, [object, size]) => body.check_bytes(object, size, true),
        (Meaning::Uses, [stream]) => body.check_stream(stream),
        (Meaning::SetErrno, [value]) => {
            let value = body.number(value);
            body.set_errno(&value);
        }
        (Meaning::MayFail, _) => body.forget_errno(),
        (Meaning::ReadsStrings, _) => {
            let properties = &body.enc.options.properties;
            if properties.dereference || properties.uninitialised {
                body.unsupported("memory safety of strings that a function of the library reads");
            }
        }
        (Meaning::Approximated, _) => {
            body.approximated(
                &Term::truth(true),
                "what a function of the library does",
                |_| {},
            );
        }
        (Meaning::InPart, _) => {
            // Only a part of it may be within the object, or may be written: nothing says which.
            let what = "a part of an object";
            if body.enc.tracks_memory() || body.enc.options.properties.uninitialised {
                body.unsupported(what);
            } else {
                body.approximated(&Term::truth(true), what, |_| {});
            }
        }
        (Meaning::Arguments, _) => variadic::call(body, function, args, result),
        // It may still be that the types are others.
        (Meaning::Mathematical, _) => {
            if !super::math::call(body, function, args, result) {
                refuse(body, name, result);
            }
        }
        (Meaning::Stop, _) => stop(body),
        (Meaning::Unreachable, _) => body.assume(&Term::truth(false)),
        (Meaning::First, [value, ..]) => match result {
            Some(_) => give_first(body, value, result),
            None => body.evaluate(value),
        },
        (Meaning::Allocate(new), _) => {
            let factors = args.get(..new.factors).unwrap_or_default();
            allocate(body, factors, result, new);
        }
        (Meaning::Reallocate, [old, size]) => reallocate(body, old, size, result),
        (Meaning::Free, [pointer]) => {
            let target = body.enc.memory.target(pointer);
            let Pointer { base, offset } = body.pointer(pointer);
            let base = body.named(base);
            let pointer = Pointer { base, offset };
            body.require_freeable(&pointer, target);
            body.end_on_heap(&pointer, target);
        }
        (Meaning::Set, [to, value, size]) => {
            super::moves::set(body, to, value, size);
            give_first(body, to, result);
        }
        (Meaning::Copy, [to, from, size]) => {
            let overlaps = functions::plain(name) == "memmove";
            super::moves::copy(body, to, from, size, overlaps);
            give_first(body, to, result);
        }
        (Meaning::Tell { format, outcome }, _) => {
            tell(body, function, args, result, format, outcome);
        }
        // Also what is called with other arguments than its own.
        _ => refuse(body, name, result),
    }
    true
}

/// How many arguments count for what the function does. The others are only computed, which may be undefined.
fn looked_at(meaning: Meaning) -> usize {
    match meaning {
        Meaning::Violation
        | Meaning::FailedAssertion
        | Meaning::Arbitrary
        | Meaning::Nothing
        | Meaning::Stop
        | Meaning::Unreachable => 0,
        Meaning::Assume | Meaning::Assert | Meaning::First => 1,
        Meaning::Allocate(new) => new.factors,
        _ => usize::MAX,
    }
}

/// The function is not covered: if the call can be reached, nobody knows.
fn refuse(body: &mut Body<'_, '_>, name: &str, result: Option<&Place>) {
    body.unsupported(&format!("the function {name}"));
    if let Some(place) = result {
        body.havoc_place(place);
    }
}

/// A function that tells or asks the world something.
fn tell(
    body: &mut Body<'_, '_>,
    function: &Function,
    args: &[Expr],
    result: Option<&Place>,
    format: Option<usize>,
    outcome: Outcome,
) {
    let name = function.name.as_str();
    let counts = format.is_some_and(|index| may_count(body, name, args, index));
    // What is read there has to be a string.
    let properties = &body.enc.options.properties;
    let reads = (properties.dereference || properties.uninitialised)
        && !function.strings_are_read
        && reads_unknown(body, name, args, format);
    if counts || reads {
        refuse(body, name, result);
        return;
    }
    for arg in args {
        body.evaluate(arg);
    }
    if let Some(stream) = stream(name).and_then(|index| args.get(index)) {
        body.check_stream(stream);
    }
    body.forget_errno();
    let Some(place) = result else { return };
    let length = format
        .filter(|_| outcome == Outcome::Any && !name.contains("wprintf"))
        .and_then(|index| literal(body, args.get(index)?));
    match (place.ty.integer(), outcome) {
        (Some(ty), outcome) if outcome != Outcome::Any => {
            let number = Number::new(body.anything(ty), ty);
            obey(body, &number, args, outcome);
            give(body, result, Value::Number(number));
        }
        (Some(ty), _) if length.is_some() => {
            let number = Number::new(body.anything(ty), ty);
            has_length(body, &number, length.unwrap_or_default());
            give(body, result, Value::Number(number));
        }
        _ => {
            body.havoc_place(place);
            body.assume_of_library(place);
        }
    }
    match (plain(name), args) {
        ("fopen" | "fdopen" | "popen" | "tmpfile", _) => body.begin_stream(place),
        ("getenv", [question]) => match literal(body, question) {
            Some(text) => body.same_pointer("getenv", text, place),
            None => {
                let what = "which variable of the environment is asked for";
                body.approximated(&Term::truth(true), what, |_| {});
            }
        },
        _ => {}
    }
}

/// Whether a function may read a string that nobody knows, or where none is.
fn reads_unknown(body: &Body<'_, '_>, name: &str, args: &[Expr], format: Option<usize>) -> bool {
    // It never reads what is not there.
    if plain(name) == "prefetch" {
        return false;
    }
    let stream = stream(name).or((name == "fflush").then_some(0));
    let program = body.enc.program;
    let text = |arg: &Expr, character| Format::at(program, arg, character).filter(|text| text.ends);
    let is_unknown = |(index, arg): &(usize, &Expr)| {
        let is_known = || Some(*index) == format || text(arg, NARROW).is_some();
        arg.ty.is_pointer() && Some(*index) != stream && !is_known()
    };
    let mut unknown = args.iter().enumerate().filter(is_unknown);
    let given = format.and_then(|index| text(args.get(index)?, character_of(name)));
    let conversions = given.and_then(|given| formats::conversions(&given.text));
    let (Some(index), Some((_, conversions))) = (format, conversions) else {
        return unknown.next().is_some() || format.is_some();
    };
    // Only what is converted as a string is read.
    let more = args.get(index + 1..).unwrap_or_default();
    let is_read_well = |one: &Conversion, arg: Option<&Expr>| match one.character_of_text() {
        Some(character) => arg.is_some_and(|arg| text(arg, character).is_some()),
        None => true,
    };
    let mut numbered = conversions.iter().enumerate();
    let are_known = match conversions.iter().any(|one| one.star) {
        // A number more is an argument.
        true => (conversions.iter()).all(|one| more.iter().all(|arg| is_read_well(one, Some(arg)))),
        false => numbered.all(|(number, one)| is_read_well(one, more.get(number))),
    };
    unknown.any(|(place, _)| place < index) || !are_known
}

/// Which argument is a stream that may not be null.
fn stream(name: &str) -> Option<usize> {
    match name {
        "fprintf" | "vfprintf" | "fwprintf" | "fclose" | "fileno" | "ftell" | "pclose"
        | "closedir" => Some(0),
        "fputc" | "putc" | "fputs" | "fputwc" | "putwc" => Some(1),
        _ => None,
    }
}

/// What `printf` gives for a format: the number of characters, or something negative (C11 7.21.6.1p14).
fn has_length(body: &mut Body<'_, '_>, result: &Number, format: &[u8]) {
    let mut within = Term::truth(true);
    let bounds = [
        (CompareOp::GreaterEqual, formats::shortest(format)),
        (CompareOp::LessEqual, formats::longest(format)),
    ];
    for (op, bound) in bounds {
        if let Some(bound) = bound {
            let bound = body.constant(&bound.into(), result.ty);
            within = within.and(&body.compare_numbers(op, result, &bound));
        }
    }
    let zero = body.constant(&0.into(), result.ty);
    let failed = body.compare_numbers(CompareOp::Less, result, &zero);
    body.assume(&failed.or(&within));
}

/// What is known of the result of such a function holds.
fn obey(body: &mut Body<'_, '_>, result: &Number, args: &[Expr], outcome: Outcome) {
    let wide = IntType::WIDEST;
    let arg = |body: &mut Body<'_, '_>, index: usize, ty: Option<IntType>| {
        let arg = args.get(index).filter(|arg| arg.ty.is_integer())?;
        let number = body.number(arg);
        let number = match ty {
            Some(ty) => body.converted(&number, ty),
            None => number,
        };
        Some(body.converted(&number, wide))
    };
    let result = body.converted(result, wide);
    let from = |body: &mut Body<'_, '_>, low: i32| {
        let low = body.constant(&low.into(), wide);
        body.compare_numbers(CompareOp::LessEqual, &low, &result)
    };
    let condition = match outcome {
        Outcome::Any => return,
        Outcome::From(low) => from(body, low),
        Outcome::Within(low, high) => {
            let high = body.constant(&high.into(), wide);
            let below = body.compare_numbers(CompareOp::LessEqual, &result, &high);
            from(body, low).and(&below)
        }
        Outcome::UpTo(low, index) => {
            let above = from(body, low);
            let Some(most) = arg(body, index, None) else {
                return;
            };
            above.and(&body.compare_numbers(CompareOp::LessEqual, &result, &most))
        }
        Outcome::Character(index) => {
            let Some(byte) = arg(body, index, Some(IntType::BYTE)) else {
                return;
            };
            let end = body.constant(&(-1).into(), wide);
            let is_end = body.compare_numbers(CompareOp::Equal, &result, &end);
            body.compare_numbers(CompareOp::Equal, &result, &byte)
                .or(&is_end)
        }
    };
    body.assume(&condition);
}

/// Whether a call may have the conversion `%n`, which writes (C11 7.21.6.1p8).
fn may_count(body: &mut Body<'_, '_>, name: &str, args: &[Expr], index: usize) -> bool {
    let Some(format) = args.get(index) else {
        return true;
    };
    if let Some(text) = Format::at(body.enc.program, format, character_of(name)) {
        return has_count(&text.text);
    }
    // It writes where arguments point to.
    let pointers = args.iter().skip(index + 1);
    if pointers.clone().all(|arg| arg.ty.is_arithmetic()) {
        return false;
    }
    let program = body.enc.program;
    let counts = |id: &VarId| matches!(&program.variable(*id).storage, Storage::Static { initial: Initial::Bytes(text), .. } if has_count(text));
    if program.literals.iter().any(counts) {
        return true;
    }
    body.enc.made_formats = true;
    false
}

/// Whether a format has the conversion `%n`.
fn has_count(format: &[u8]) -> bool {
    format.split(|byte| *byte == b'%').skip(1).any(|rest| {
        let modifiers = b"-+ #0123456789.*$hlLjztq";
        let conversion = rest.iter().find(|byte| !modifiers.contains(byte));
        conversion == Some(&b'n')
    })
}

/// The bytes of the string literal that a pointer points to.
fn literal<'p>(body: &Body<'_, 'p>, pointer: &Expr) -> Option<&'p [u8]> {
    let ExprKind::Address(place) = &pointer.typed_pointer().0.kind else {
        return None;
    };
    let first =
        |step: &Step| matches!(step, Step::Index(index) if matches!(index.kind, ExprKind::Int(0)));
    let Base::Variable(id) = &place.base else {
        return None;
    };
    if !place.path.iter().all(first) {
        return None;
    }
    if !body.enc.program.literals.contains(id) {
        return None;
    }
    match &body.enc.program.variable(*id).storage {
        Storage::Static {
            initial: Initial::Bytes(bytes),
            ..
        } => Some(bytes),
        _ => None,
    }
}

/// The program ends, in good order or not.
fn stop(body: &mut Body<'_, '_>) {
    body.end_of_memory(End::Stop);
    body.assume(&Term::truth(false));
}

/// A new object. Its size matters for memory safety only.
fn allocate(body: &mut Body<'_, '_>, sizes: &[Expr], result: Option<&Place>, new: Allocation) {
    let life = new.life;
    let mut size = None;
    for factor in sizes {
        let factor = body.number(factor);
        size = Some(match size {
            Some(size) => body.binary(BinaryOp::Multiply, &size, &factor),
            None => factor,
        });
    }
    let Some(place) = result else {
        if life != Life::Activation {
            body.lose_on_heap();
        }
        return;
    };
    let object = body.temporary(Sort::Int);
    body.take_object_number(&object);
    if let Some(target) = body.enc.memory.place(place) {
        let target = body.enc.memory.pointee(target);
        body.note_made(&object, target);
    }
    let constant = size
        .as_ref()
        .and_then(|size| u64::try_from(size.constant()?).ok());
    let size = size.map(|size| body.word(&size));
    let may_fail = body.enc.options.malloc_may_fail && life != Life::Activation;
    let fails = may_fail.then(|| body.fresh(Sort::Bool));
    match (&size, life) {
        (Some(size), Life::Activation) => body.begin_in_activation(&object, size),
        (Some(size), Life::Heap) => {
            let target = body.enc.memory.place(place);
            let target = target.map(|at| body.enc.memory.pointee(at));
            body.unless(fails.as_ref(), |body| {
                body.begin_on_heap(&object, size, target);
            });
        }
        (None, _) => {}
    }
    if new.zeroed
        && let Some(target) = body.enc.memory.place(place)
    {
        let target = body.enc.memory.pointee(target);
        body.zero_allocated(target, &object, constant);
    }
    if life == Life::Heap {
        body.begin_not_freed(&object);
    }
    let offset = body.offset(0);
    let mut pointer = Pointer {
        base: object,
        offset,
    };
    if let Some(fails) = fails {
        body.forget_errno();
        pointer.base = fails.choose(&Term::int(0), &pointer.base);
    }
    if let Some(at) = body.locate(place) {
        body.write(&at, &place.ty, None, Value::Pointer(pointer));
    }
}

/// `realloc` (C11 7.22.3.5): a new object with the contents of the old one, whose life ends. What is behind the end of the
/// old one is arbitrary there, too. Where there is no memory, the old one stays.
fn reallocate(body: &mut Body<'_, '_>, old: &Expr, size: &Expr, result: Option<&Place>) {
    let number = body.number(size);
    let zero = body.constant(&0.into(), number.ty);
    // It may free the object or not.
    let empty = body.compare_numbers(CompareOp::Equal, &number, &zero);
    body.unsupported_unless(&empty.not(), "realloc to nothing");
    let Some(place) = result else {
        body.unsupported("realloc without a use of its result");
        return;
    };
    let freed = body.enc.memory.target(old);
    let old = body.pointer(old);
    let old = body.held_pointer(old);
    body.require_freeable(&old, freed);
    allocate(
        body,
        std::slice::from_ref(size),
        Some(place),
        functions::heap(1),
    );
    let at = body.enc.memory.place(place).zip(body.locate(place));
    let new = at.and_then(|(target, at)| match body.read(&at, &place.ty, None) {
        Value::Pointer(new) => Some((body.enc.memory.pointee(target), new)),
        _ => None,
    });
    let may_fail = new.as_ref().filter(|_| body.enc.options.malloc_may_fail);
    let fails = may_fail.map(|(_, new)| body.is_null(new));
    body.unless(fails.as_ref(), |body| {
        if let Some((target, new)) = &new {
            body.copy_object(*target, &old.base, &new.base);
        }
        body.end_on_heap(&old, freed);
    });
}

fn give(body: &mut Body<'_, '_>, result: Option<&Place>, value: Value) {
    if let Some(place) = result {
        let value = match (value, place.ty.integer()) {
            (Value::Number(number), Some(ty)) => Value::Number(body.converted(&number, ty)),
            (value, _) => value,
        };
        if let Some(at) = body.locate(place) {
            body.write(&at, &place.ty, None, value);
        }
    }
}

fn give_first(body: &mut Body<'_, '_>, first: &Expr, result: Option<&Place>) {
    if let Some(place) = result {
        let value = body.value(first);
        if let Some(at) = body.locate(place) {
            body.write(&at, &place.ty, None, value);
        }
    }
}
