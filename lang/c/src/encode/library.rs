//! Functions that are known by their names: those of verification tasks, and those of the C
//! library that are no ordinary C.

use super::body::{Body, Pointer, Value};
use super::text::Text;
use crate::alias::pointed;
use crate::ir::{Expr, ExprKind, Function, Place};
use crate::options::Properties;
use crate::types::{Length, Type};

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
            body.assert(&Text::truth(false), &format!("{name} called"));
        }
        stop(body);
        return true;
    }
    if is_failed_assertion(name) {
        if body.enc.checks_assertions() {
            body.assert(&Text::truth(false), "assertion violated");
        }
        stop(body);
        return true;
    }
    if name == "__VERIFIER_assume" || name == "__builtin_assume" {
        if let [condition, ..] = args {
            let condition = body.truth(condition);
            body.assume(&condition);
        }
        return true;
    }
    if name.starts_with("__VERIFIER_nondet_") {
        if let Some(place) = result {
            body.havoc_place(place);
        }
        return true;
    }
    if name.starts_with("__VERIFIER_atomic_") && function.ty.params.is_empty() {
        // There is one thread.
        return true;
    }
    if super::math::call(body, function, args, result) {
        return true;
    }
    match plain(name) {
        "abort" | "exit" | "_exit" | "_Exit" | "unreachable" | "trap" => {
            for arg in args {
                body.value(arg);
            }
            if name.ends_with("exit") {
                body.end_of_memory();
            }
            stop(body);
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
            if body.enc.tracks_memory() {
                body.unsupported("memory safety of alloca");
            }
            allocate(body, args, result, false);
        }
        "malloc" | "valloc" | "kmalloc" | "__VERIFIER_malloc" => {
            let size = args.get(..1).unwrap_or_default();
            allocate(body, size, result, false);
        }
        "calloc" => allocate(body, args, result, true),
        "kzalloc" => allocate(body, args.get(..1).unwrap_or_default(), result, true),
        "free" | "kfree" => {
            if let [pointer] = args {
                let pointer = body.pointer(pointer);
                body.end_on_heap(&pointer);
            }
        }
        "memset" => return set(body, args, result),
        "memcpy" | "memmove" => return copy(body, args, result),
        "printf" | "puts" | "putchar" | "fprintf" | "fflush" | "perror" | "fputs" | "putc"
        | "fputc" | "srand" | "assume_aligned" | "prefetch" => {
            for arg in args {
                if arg.ty.is_scalar() {
                    body.value(arg);
                }
            }
            if let Some(place) = result {
                body.havoc_place(place);
            }
        }
        "realloc" | "strcpy" | "strncpy" | "strcat" | "strncat" | "mempcpy" | "longjmp"
        | "setjmp" | "_setjmp" | "sigsetjmp" | "siglongjmp" | "va_start" | "va_end" | "va_copy"
        | "va_arg" | "pthread_create" | "scanf" | "sscanf" | "fscanf" | "fgets" | "gets"
        | "read" | "sprintf" | "snprintf" | "vsnprintf" | "qsort" | "atexit" | "bcopy"
        | "bzero" | "signal" | "fork" | "fesetround" | "fegetround" | "fegetenv" | "fesetenv"
        | "feupdateenv" | "feholdexcept" | "fetestexcept" | "feclearexcept" | "feraiseexcept"
        | "fegetexceptflag" | "fesetexceptflag" | "strlen" | "strnlen" | "strcmp" | "strncmp"
        | "strcasecmp" | "strchr" | "strrchr" | "strstr" | "strtok" | "strdup" | "strspn"
        | "strcspn" | "strpbrk" | "memcmp" | "memchr" | "atoi" | "atol" | "atoll" | "strtol"
        | "strtoul" | "strtod" | "atof" | "abs" | "labs" | "llabs" | "toupper" | "tolower"
        | "isdigit" | "isalpha" | "isalnum" | "isspace" | "isupper" | "islower" | "isxdigit"
        | "ispunct" | "isprint" | "bsearch" | "div" | "ldiv" | "clz" | "ctz" | "popcount"
        | "ffs" | "bswap16" | "bswap32" | "bswap64" | "add_overflow" | "sub_overflow"
        | "mul_overflow" | "object_size" | "memalign" | "posix_memalign" | "aligned_alloc"
        | "strsep" | "bcmp" | "wcslen" | "wmemset" => {
            refuse(body, name, result);
        }
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

/// The run ends.
fn stop(body: &mut Body<'_, '_>) {
    body.out.line("assume false;");
}

/// A new object. Its size matters for memory safety only.
fn allocate(body: &mut Body<'_, '_>, sizes: &[Expr], result: Option<&Place>, zero: bool) {
    let mut size = None;
    for factor in sizes {
        let factor = body.number(factor);
        size = Some(match size {
            Some(size) => body.binary(crate::ir::BinaryOp::Multiply, &size, &factor),
            None => factor,
        });
    }
    let Some(place) = result else { return };
    let next = super::NEXT_OBJECT;
    let base = body.temporary("int");
    body.note_write(next);
    body.out.line(format_args!("{base} := {next};"));
    body.out.line(format_args!("{next} := {next} + 1;"));
    let object = Text::atom(base);
    if let Some(size) = &size {
        let size = body.word(size);
        body.begin_on_heap(&object, &size);
    }
    if zero && let Some(target) = body.enc.memory.place(place) {
        body.zero_object(target, &object);
    }
    let offset = body.offset(0);
    let mut pointer = Pointer {
        base: object,
        offset,
    };
    if body.enc.options.malloc_may_fail && body.enc.tracks_memory() {
        body.unsupported("memory safety with an allocation that may fail");
    }
    if body.enc.options.malloc_may_fail {
        let fails = body.temporary("bool");
        body.out.line(format_args!("havoc {fails};"));
        pointer.base = Text::atom(fails).choose(&Text::int(0), &pointer.base);
    }
    if let Some(at) = body.locate(place) {
        body.write(&at, &place.ty, None, Value::Pointer(pointer));
    }
}

/// The pointer behind conversions between pointer types, and the type of its objects.
fn typed(expr: &Expr) -> (&Expr, Type) {
    match &expr.kind {
        ExprKind::Convert(inner) if matches!(inner.ty, Type::Pointer(_)) => {
            let (found, ty) = typed(inner);
            match ty {
                Type::Void => (expr, pointed(&expr.ty)),
                ty => (found, ty),
            }
        }
        _ => (expr, pointed(&expr.ty)),
    }
}

/// How many objects of a type fit into a constant number of bytes; their array type.
fn objects(body: &Body<'_, '_>, ty: &Type, size: &Expr) -> Option<Type> {
    let ExprKind::Int(bytes) = size.kind else {
        return None;
    };
    let bytes = u64::try_from(bytes).ok()?;
    let one = body.size(ty).filter(|&one| one > 0)?;
    (bytes % one == 0)
        .then(|| Type::Array(std::sync::Arc::new(ty.clone()), Length::Known(bytes / one)))
}

fn set(body: &mut Body<'_, '_>, args: &[Expr], result: Option<&Place>) -> bool {
    let [to, value, size] = args else {
        return false;
    };
    let (typed_to, ty) = typed(to);
    let array = objects(body, &ty, size);
    let zero = matches!(value.kind, ExprKind::Int(0))
        || matches!(&value.kind, ExprKind::Convert(inner) if matches!(inner.kind, ExprKind::Int(0)));
    match (array, body.enc.memory.target(typed_to)) {
        (Some(array), Some(target)) if zero => {
            let pointer = body.pointer(typed_to);
            let at = super::place::Located::Memory { target, pointer };
            let at = body.held(at);
            body.zero(&at, &array, None);
        }
        _ => body.unsupported("this use of memset"),
    }
    give_first(body, to, result);
    true
}

fn copy(body: &mut Body<'_, '_>, args: &[Expr], result: Option<&Place>) -> bool {
    let [to, from, size] = args else { return false };
    let ((typed_to, ty), (typed_from, other)) = (typed(to), typed(from));
    let array = objects(body, &ty, size).filter(|_| ty == other);
    let targets = (
        body.enc.memory.target(typed_to),
        body.enc.memory.target(typed_from),
    );
    match (array, targets) {
        (Some(array), (Some(to), Some(from))) => {
            let place = |body: &mut Body<'_, '_>, target, expr| {
                let pointer = body.pointer(expr);
                body.held(super::place::Located::Memory { target, pointer })
            };
            let to = place(body, to, typed_to);
            let from = place(body, from, typed_from);
            body.copy(&to, &from, &array);
        }
        _ => body.unsupported("this use of memcpy"),
    }
    give_first(body, to, result);
    true
}

fn give_first(body: &mut Body<'_, '_>, first: &Expr, result: Option<&Place>) {
    if let Some(place) = result {
        let value = body.value(first);
        if let Some(at) = body.locate(place) {
            body.write(&at, &place.ty, None, value);
        }
    }
}
