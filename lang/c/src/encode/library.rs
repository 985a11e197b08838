//! Functions that are known by their names: those of verification tasks, and those of the C
//! library that are no ordinary C.

use super::body::{Body, Pointer, Value};
use super::safety::End;
use super::standard;
use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;
use super::variadic;
use crate::ir::{Base, Expr, ExprKind, Function, Initial, Origin, Place, Step, Storage};
use crate::options::Properties;
use crate::types::Type;

/// Whether the first argument's object gets what the second one's contains.
pub fn copies(name: &str) -> bool {
    matches!(
        plain(name),
        "memcpy" | "memmove" | "strcpy" | "strncpy" | "strcat" | "strncat" | "mempcpy"
    )
}

/// Whether the result is the first argument.
pub fn returns_first(name: &str) -> bool {
    copies(name) || matches!(plain(name), "memset")
}

/// Whether the result points to a new object.
pub fn allocates(name: &str) -> bool {
    matches!(
        plain(name),
        "malloc"
            | "calloc"
            | "realloc"
            | "alloca"
            | "valloc"
            | "kmalloc"
            | "kzalloc"
            | "__VERIFIER_malloc"
    )
}

/// Whether the result points to a new object that contains zeroes.
pub fn allocates_zeroes(name: &str) -> bool {
    matches!(plain(name), "calloc" | "kzalloc")
}

/// Whether an object may become larger, with its contents.
pub fn grows(name: &str) -> bool {
    plain(name) == "realloc"
}

/// Whether the life of an object may end.
pub fn frees(name: &str) -> bool {
    matches!(plain(name), "free" | "kfree" | "realloc")
}

/// The name without the compiler's prefix.
pub fn plain(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

/// Whether a call of the function is an error.
pub fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// Whether the function tells that an assertion failed.
pub fn is_failed_assertion(name: &str) -> bool {
    matches!(
        name,
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_func" | "_assert"
    )
}

/// Whether the meaning of the function does not come from its body, if it has one: calling it is
/// what must not happen.
pub fn is_special(function: &Function, properties: &Properties) -> bool {
    let name = function.name.as_str();
    (properties.error_calls || properties.assertions)
        && (is_error_function(name) || is_failed_assertion(name))
}

/// Translates the call if the function is known; tells whether it is.
pub fn call(
    body: &mut Body<'_, '_>,
    function: &Function,
    args: &[Expr],
    result: Option<&Place>,
) -> bool {
    let name = function.name.as_str();
    if function.body.is_some() && !is_special(function, &body.enc.options.properties) {
        return false;
    }
    if is_error_function(name) {
        if body.enc.options.properties.error_calls {
            body.assert(&Term::truth(false), &format!("{name} called"));
        }
        stop(body);
        return true;
    }
    if is_failed_assertion(name) {
        if body.enc.checks_assertions() {
            body.assert(&Term::truth(false), "assertion violated");
        }
        stop(body);
        return true;
    }
    if matches!(
        name,
        "__VERIFIER_assume" | "__builtin_assume" | "__ult_assume"
    ) {
        if let [condition, ..] = args {
            let condition = body.truth(condition);
            body.assume(&condition);
        }
        return true;
    }
    if name.starts_with("__VERIFIER_nondet_") || name.starts_with("__ult_any_") {
        if let Some(place) = result {
            body.havoc_place(place);
        }
        return true;
    }
    if name.starts_with("__VERIFIER_atomic_") && function.ty.params.is_empty() {
        // There is one thread.
        return true;
    }
    if name == "__ult_same_object" {
        if let ([left, right], Some(place)) = (args, result) {
            let (left, right) = (body.pointer(left), body.pointer(right));
            let same = body.number_of_truth(left.base.equals(&right.base));
            if let Some(at) = body.locate(place) {
                body.write(&at, &place.ty, None, Value::Number(same));
            }
        }
        return true;
    }
    if super::math::call(body, function, args, result) {
        return true;
    }
    if variadic::is_about_arguments(name) {
        variadic::call(body, function, args, result);
        return true;
    }
    match plain(name) {
        "abort" | "exit" | "_exit" | "_Exit" | "unreachable" | "trap" => {
            for arg in args {
                body.value(arg);
            }
            if plain(name) == "unreachable" {
                body.assume(&Term::truth(false));
            } else {
                stop(body);
            }
        }
        "__VERIFIER_assert" => {
            if let [condition, ..] = args {
                let condition = body.truth(condition);
                if body.enc.checks_assertions() {
                    body.assert(&condition, "assertion violated");
                }
                body.assume(&condition);
            }
        }
        "expect" => {
            if let [value, ..] = args {
                give_first(body, value, result);
            }
        }
        "alloca" => {
            allocate(body, args, result, Life::Activation);
        }
        "malloc" | "valloc" | "kmalloc" | "__VERIFIER_malloc" => {
            let size = args.get(..1).unwrap_or_default();
            allocate(body, size, result, Life::Heap);
        }
        "realloc" => reallocate(body, args, result),
        "calloc" => allocate(body, args, result, Life::ZeroedHeap),
        "kzalloc" => {
            let size = args.get(..1).unwrap_or_default();
            allocate(body, size, result, Life::ZeroedHeap);
        }
        "free" | "kfree" => {
            if let [pointer] = args {
                let target = body.enc.memory.target(pointer);
                let pointer = body.pointer(pointer);
                body.end_on_heap(&pointer, target);
            }
        }
        "memset" => {
            if let [to, value, size] = args {
                super::moves::set(body, to, value, size);
                give_first(body, to, result);
            }
        }
        "memcpy" | "memmove" => {
            if let [to, from, size] = args {
                super::moves::copy(body, to, from, size);
                give_first(body, to, result);
            }
        }
        other if standard::is_harmless(other) => harmless(body, name, args, result),
        other if standard::is_standard(other) => refuse(body, name, result),
        // What the library computes depends on the arguments only.
        other if is_mathematical(other) => {
            refuse(body, name, result);
        }
        // What the compiler knows has a meaning that is not known here.
        _ if name.starts_with("__builtin_")
            || name.starts_with("__sync_")
            || name.starts_with("__atomic_") =>
        {
            refuse(body, name, result);
        }
        // A header of the system declares it: it has a meaning, but here nobody knows it.
        _ if function.origin == Origin::System => refuse(body, name, result),
        _ => return false,
    }
    true
}

/// The function is not covered: if the call can be reached, nobody knows.
fn refuse(body: &mut Body<'_, '_>, name: &str, result: Option<&Place>) {
    body.unsupported(&format!("the function {name}"));
    if let Some(place) = result {
        body.havoc_place(place);
    }
}

/// A function that tells or asks the world something.
fn harmless(body: &mut Body<'_, '_>, name: &str, args: &[Expr], result: Option<&Place>) {
    let format = args.iter().find_map(|arg| literal(body, arg));
    let prints = plain(name).contains("printf") || plain(name) == "syslog";
    // `%n` writes (C11 7.21.6.1). A format that is made elsewhere is made of the program's strings.
    let writes = match format {
        Some(term) => has_count(term),
        None => body.enc.program.variables.iter().any(|variable| {
            matches!(&variable.storage, Storage::Static { initial: Initial::Bytes(term), .. } if has_count(term))
        }),
    };
    // What is read there has to be a string.
    let properties = &body.enc.options.properties;
    let reads = (properties.dereference || properties.uninitialised)
        && args.iter().any(|arg| {
            let bytes = matches!(arg.typed_pointer().1, Type::Int(_) | Type::Void);
            arg.ty.is_pointer() && bytes && literal(body, arg).is_none()
        });
    if (prints && writes) || reads {
        refuse(body, name, result);
        return;
    }
    for arg in args {
        if arg.ty.is_scalar() {
            body.value(arg);
        }
    }
    if let Some(place) = result {
        body.havoc_place(place);
    }
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
    match &body.enc.program.variable(*id).storage {
        Storage::Static {
            initial: Initial::Bytes(bytes),
            ..
        } => Some(bytes),
        _ => None,
    }
}

/// Whether it is a function of math.h, for any floating type.
fn is_mathematical(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "ceil",
        "copysign",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "fabs",
        "fdim",
        "floor",
        "fma",
        "fmax",
        "fmin",
        "fmod",
        "fpclassify",
        "frexp",
        "huge_val",
        "hypot",
        "ilogb",
        "inf",
        "isfinite",
        "isgreater",
        "isgreaterequal",
        "isinf",
        "isinf_sign",
        "isless",
        "islessequal",
        "islessgreater",
        "isnan",
        "isnormal",
        "isunordered",
        "ldexp",
        "lgamma",
        "llrint",
        "llround",
        "log",
        "log10",
        "log1p",
        "log2",
        "logb",
        "lrint",
        "lround",
        "modf",
        "nan",
        "nearbyint",
        "nextafter",
        "pow",
        "remainder",
        "remquo",
        "rint",
        "round",
        "scalbn",
        "signbit",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
        "__isnan",
        "__isinf",
        "__signbit",
        "__fpclassify",
        "__finite",
        "finite",
    ];
    let known = |name: &str| NAMES.contains(&name);
    known(name) || name.strip_suffix(['f', 'l']).is_some_and(known)
}

/// The program ends, in good order or not.
fn stop(body: &mut Body<'_, '_>) {
    body.end_of_memory(End::Stop);
    body.assume(&Term::truth(false));
}

/// Where a new object lives, and what it contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    /// Until it is freed.
    Heap,
    /// Until it is freed; zeroes.
    ZeroedHeap,
    /// Until the function returns.
    Activation,
}

/// A new object. Its size matters for memory safety only.
fn allocate(body: &mut Body<'_, '_>, sizes: &[Expr], result: Option<&Place>, life: Life) {
    let mut size = None;
    for factor in sizes {
        let factor = body.number(factor);
        size = Some(match size {
            Some(size) => body.binary(crate::ir::BinaryOp::Multiply, &size, &factor),
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
    let constant = size.as_ref().and_then(|size| u64::try_from(size.constant()?).ok());
    let size = size.map(|size| body.word(&size));
    match (&size, life) {
        (Some(size), Life::Activation) => body.begin_in_activation(&object, size),
        (Some(size), Life::Heap | Life::ZeroedHeap) => {
            let target = body.enc.memory.place(place);
            let target = target.map(|at| body.enc.memory.pointee(at));
            body.begin_on_heap(&object, size, target);
        }
        (None, _) => {}
    }
    if life == Life::ZeroedHeap
        && let Some(target) = body.enc.memory.place(place)
    {
        let target = body.enc.memory.pointee(target);
        body.zero_allocated(target, &object, constant);
    }
    let offset = body.offset(0);
    let mut pointer = Pointer {
        base: object,
        offset,
    };
    let may_fail = body.enc.options.malloc_may_fail && life != Life::Activation;
    if may_fail && body.enc.tracks_memory() {
        body.unsupported("memory safety with an allocation that may fail");
    }
    if may_fail {
        let fails = body.fresh(Sort::Bool);
        pointer.base = fails.choose(&Term::int(0), &pointer.base);
    }
    if let Some(at) = body.locate(place) {
        body.write(&at, &place.ty, None, Value::Pointer(pointer));
    }
}

/// `realloc` (C11 7.22.3.5): a new object with the contents of the old one, whose life ends. What is behind the end of the
/// old one is arbitrary there, too.
fn reallocate(body: &mut Body<'_, '_>, args: &[Expr], result: Option<&Place>) {
    let [old, size] = args else {
        body.unsupported("this use of realloc");
        return;
    };
    if body.enc.options.malloc_may_fail {
        body.unsupported("realloc where allocations may fail");
    }
    let number = body.number(size);
    let zero = body.constant(&0.into(), number.ty);
    // It may free the object or not.
    let empty = body.compare_numbers(crate::ir::CompareOp::Equal, &number, &zero);
    body.unsupported_unless(&empty.not(), "realloc to nothing");
    let Some(place) = result else {
        body.unsupported("realloc without a use of its result");
        return;
    };
    let freed = body.enc.memory.target(old);
    let old = body.pointer(old);
    let old = body.held_pointer(old);
    allocate(body, std::slice::from_ref(size), Some(place), Life::Heap);
    if let (Some(target), Some(at)) = (body.enc.memory.place(place), body.locate(place))
        && let Value::Pointer(new) = body.read(&at, &place.ty, None)
    {
        let target = body.enc.memory.pointee(target);
        body.copy_object(target, &old.base, &new.base);
    }
    body.end_on_heap(&old, freed);
}

fn give_first(body: &mut Body<'_, '_>, first: &Expr, result: Option<&Place>) {
    if let Some(place) = result {
        let value = body.value(first);
        if let Some(at) = body.locate(place) {
            body.write(&at, &place.ty, None, value);
        }
    }
}
