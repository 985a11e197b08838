//! What a compiled program takes from outside, and whether it can do any harm with it.
//!
//! The list has functions that change nothing but the program's own memory and its standard streams (which lead nowhere
//! here), tell the program something, or end it. Nothing on it opens a file or a connection, starts a process, or sends
//! anything to one. The names are those that the compiler left to the linker, so it does not matter how the text calls
//! them: by a pointer, an alias, another name.

use crate::Inputs;

/// Functions that do the same whenever they get the same.
const PURE: &str = "
    abs labs llabs imaxabs div ldiv lldiv imaxdiv ffs ffsl ffsll abort exit _exit _Exit atexit at_quick_exit quick_exit
    malloc calloc realloc reallocarray free aligned_alloc memalign posix_memalign valloc alloca malloc_usable_size
    memchr memcmp memcpy memmove mempcpy memset memccpy memmem memrchr rawmemchr bcmp bcopy bzero explicit_bzero
    stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul strcmp strcpy strcspn strdup strlcat strlcpy strlen
    strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strsep strspn strstr strtok strtok_r index rindex
    __strdup __strndup __memcpy_chk __memmove_chk __memset_chk __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk
    atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof strtold bsearch qsort qsort_r
    isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii
    tolower toupper _tolower _toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location
    acos acosf acosl asin asinf asinl atan atan2 atan2f atan2l atanf atanl cbrt ceil ceilf ceill copysign copysignf
    copysignl cos cosf cosh cosl erf exp exp2 expf expl expm1 fabs fabsf fabsl fdim fdimf fdiml floor floorf floorl fma
    fmaf fmal fmax fmaxf fmaxl fmin fminf fminl fmod fmodf fmodl frexp hypot ilogb ldexp ldexpf log log10 log1p log2 logb
    logf logl lrint lrintf llrint llrintf lround lroundf llround llroundf modf modff modfl nan nanf nanl nearbyint
    nearbyintf nearbyintl nextafter nextafterf pow powf powl remainder remainderf remainderl remquo rint rintf rintl round
    roundf roundl scalbn sin sinf sinh sinl sqrt sqrtf sqrtl tan tanf tanh tanl tgamma trunc truncf truncl
    __fpclassify __fpclassifyf __fpclassifyl __isinf __isinff __isinfl __isnan __isnanf __isnanl __signbit __signbitf
    __signbitl __finite __finitef __finitel isinf isinff isinfl isnan isnanf isnanl finite finitef finitel
    fegetround fesetround feclearexcept feraiseexcept fetestexcept
    setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp
    printf puts putchar putchar_unlocked fprintf fputs fputc putc fwrite fflush perror vprintf vfprintf sprintf snprintf
    vsprintf vsnprintf __printf_chk __fprintf_chk __sprintf_chk __snprintf_chk wprintf putwchar stdout stderr sscanf
    __isoc99_sscanf __assert_fail __assert __stack_chk_fail __cxa_atexit
    btowc fputwc fputws putwc swprintf wcscat wcschr wcscmp wcscpy wcscspn wcsdup wcslen wcsncat wcsncmp wcsncpy wcsnlen
    wcspbrk wcsrchr wcsspn wcsstr wctob wmemchr wmemcmp wmemcpy wmemmove wmempcpy wmemset
";

/// Functions whose answers depend on more than their arguments.
const TELLING: &str = "
    rand srand rand_r random srandom drand48 lrand48 mrand48 srand48 time clock gettimeofday clock_gettime times difftime
    getenv secure_getenv getpid getppid getuid geteuid getgid getegid isatty sysconf sleep usleep nanosleep sched_yield
    getchar getchar_unlocked getc fgetc fgets gets getline getdelim ungetc fread scanf fscanf vscanf vfscanf read feof ferror
    clearerr stdin __isoc99_scanf __isoc99_fscanf getw signal raise localtime gmtime mktime asctime ctime strftime
    strerror setlocale setvbuf setbuf write fgetwc fgetws getwc getwchar
    pthread_create pthread_join pthread_detach pthread_exit pthread_self pthread_equal pthread_once pthread_mutex_init
    pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_destroy pthread_cond_init
    pthread_cond_wait pthread_cond_signal pthread_cond_broadcast pthread_cond_destroy
";

/// What the compiler itself takes from its own libraries.
const COMPILER: [&str; 6] = [
    "__asan_",
    "__ubsan_",
    "__lsan_",
    "__sanitizer_",
    "__tls_get",
    "_GLOBAL_",
];

fn is_in(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}

/// Functions of the compiler's library of arithmetic, `__udivti3` and the like.
fn is_arithmetic(name: &str) -> bool {
    name.strip_prefix("__").is_some_and(|inner| {
        let kind = inner.trim_end_matches(|c: char| c.is_ascii_digit());
        [
            "si", "di", "ti", "sf", "df", "xf", "tf", "hf", "sc", "dc", "xc", "tc",
        ]
        .iter()
        .any(|mode| kind.ends_with(mode))
            && [
                "add", "sub", "mul", "div", "udiv", "mod", "umod", "neg", "fix", "float", "extend",
                "trunc", "ash", "lsh", "cmp", "ucmp", "eq", "ne", "lt", "le", "gt", "ge", "unord",
                "pow", "popcount", "parity", "clz", "ctz", "ffs", "bswap",
            ]
            .iter()
            .any(|operation| kind.starts_with(operation))
    })
}

/// The names that stand for something outside which may do harm.
pub(super) fn foreign<'a>(symbols: &'a [String], inputs: &Inputs) -> Vec<&'a str> {
    let is_fed = |name: &str| inputs.functions.iter().any(|fed| fed.name == name);
    symbols
        .iter()
        .map(String::as_str)
        .filter(|name| {
            !(is_fed(name)
                || *name == super::text::MARK
                || is_in(PURE, name)
                || is_in(TELLING, name)
                || is_arithmetic(name)
                || COMPILER.iter().any(|start| name.starts_with(start)))
        })
        .collect()
}

/// The names of functions whose answers nobody here can foresee.
pub(super) fn telling(symbols: &[String]) -> Vec<&str> {
    let names = symbols.iter().map(String::as_str);
    names.filter(|name| is_in(TELLING, name)).collect()
}

/// What in a text can do anything without a name that the linker knows, if there is such a thing: assembler code, and
/// data among the code. (A name in the assembler for a function, `int f(int) __asm__("g");` outside of functions, is
/// none: the linker's names tell.)
pub(super) fn hidden(text: &str) -> Option<&'static str> {
    if text.contains("\\\n") {
        // Words may be cut there.
        return Some("lines that are joined by a backslash");
    }
    let bytes = text.as_bytes();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let (mut at, mut depth, mut last) = (0, 0_i64, 0_u8);
    while at < bytes.len() {
        let byte = bytes[at];
        let rest = &bytes[at..];
        if byte == b'"' || byte == b'\'' {
            at += 1;
            while at < bytes.len() && bytes[at] != byte && bytes[at] != b'\n' {
                at += 1 + usize::from(bytes[at] == b'\\');
            }
        } else if rest.starts_with(b"/*") {
            let end = rest.windows(2).skip(2).position(|two| two == b"*/");
            at += end.map_or(rest.len(), |end| end + 4);
            continue;
        } else if rest.starts_with(b"//") {
            at += rest
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(rest.len());
            continue;
        } else if is_letter(byte) {
            let start = at;
            while at < bytes.len() && is_letter(bytes[at]) {
                at += 1;
            }
            match &bytes[start..at] {
                b"asm" | b"__asm" | b"__asm__" if depth > 0 || last != b')' => {
                    return Some("assembler code");
                }
                b"section" | b"__section__" => return Some("the word `section`"),
                _ => {}
            }
            last = b'a';
            continue;
        } else if byte == b'{' || rest.starts_with(b"<%") {
            depth += 1;
        } else if byte == b'}' || rest.starts_with(b"%>") {
            depth -= 1;
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_names_are_told_from_others() {
        let names = [
            "malloc",
            "system",
            "__asan_init",
            "__udivti3",
            "socket",
            "fopen",
            "f",
            "rand",
            "__libc_system",
        ];
        let symbols: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let found = foreign(&symbols, &Inputs::default());
        assert_eq!(found, ["system", "socket", "fopen", "f", "__libc_system"]);
        assert_eq!(telling(&symbols), ["rand"]);
    }

    #[test]
    fn no_function_is_in_two_lists() {
        for name in PURE.split_ascii_whitespace() {
            assert!(!is_in(TELLING, name), "{name}");
        }
    }

    #[test]
    fn assembler_code_is_seen() {
        for text in [
            "int main(void) { __asm__(\"syscall\"); }",
            "asm(\".globl f\");",
            "int x; asm (\"\");",
            "void f(void) { if (1) asm volatile(\"nop\"); }",
            "register int x asm(\"rsp\");",
            "int main(void) <% if (1) asm(\"nop\"); %>",
            "int main(void) { as\\\nm(\"nop\"); }",
            "const char f[] __attribute__((section(\".text\"))) = \"x\";",
        ] {
            assert!(hidden(text).is_some(), "{text}");
        }
        for text in [
            "extern int f(int) __asm__(\"\" \"g\"); int main(void) { return f(1); }",
            "// asm(\"\")\nchar *s = \"asm\"; /* { asm */ int plasma;",
            "char c = '\"'; char d = '{';",
        ] {
            assert_eq!(hidden(text), None, "{text}");
        }
    }
}
