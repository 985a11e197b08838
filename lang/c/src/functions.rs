//! What is known of functions by their names: those of verification tasks, of the compiler, and those of the C library
//! that are no ordinary C.
//!
//! This is the one place for it: the points-to analysis ([`crate::alias`]) and the encoder ([`crate::encode`]) both ask
//! [`of`], so that they cannot disagree about what a call does. A function that has a body means what that says; the part
//! of the library that is written in C is [`crate::library`].

use crate::ir::{Function, Origin};
use crate::types::Type;

/// What a call of a known function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It is an error.
    Violation,
    /// It tells that an assertion failed.
    FailedAssertion,
    /// Runs in which the argument is zero do not count.
    Assume,
    /// The argument must not be zero.
    Assert,
    /// Any value of its type.
    Arbitrary,
    /// Nothing, since there is one thread.
    Nothing,
    /// Whether two pointers point into the same object.
    SameObject,
    /// A number that is always the same for the same arguments.
    Same,
    /// What is kept of a stream.
    Kept,
    /// Something is kept of a stream.
    Keep,
    /// There have to be so many bytes.
    Needs,
    /// It reads so many bytes.
    Reads,
    /// It uses a stream.
    Uses,
    /// `errno` gets the value of the argument.
    SetErrno,
    /// `errno` may become any number but zero.
    MayFail,
    /// A number fits into its type: else behavior is undefined.
    Fits,
    /// It reads strings that nobody names.
    ReadsStrings,
    /// What follows allows more than the program does.
    Approximated,
    /// The same where an element is written in part.
    InPart,
    /// About the arguments for `...` (C11 7.16).
    Arguments,
    /// Of math.h or fenv.h.
    Mathematical,
    /// The program ends.
    Stop,
    /// It is never called.
    Unreachable,
    /// The result is the first argument, and that is all.
    First,
    /// A new object.
    Allocate(Allocation),
    /// `realloc`
    Reallocate,
    /// `free`
    Free,
    /// `memset`
    Set,
    /// `memcpy` and `memmove`
    Copy,
    /// It tells the world something, or asks for something that a program cannot see: it changes nothing of the
    /// program's but `errno`.
    Tell {
        /// Which argument is a format (C11 7.21.6.1).
        format: Option<usize>,
        /// What the standards say of the result.
        outcome: Outcome,
    },
    /// It has a meaning, but nobody knows it here: the verdict is unknown where it is called.
    Unsupported,
}

/// A new object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// When it ends.
    pub life: Life,
    /// Whether it contains zeroes.
    pub zeroed: bool,
    /// How many arguments, multiplied, are its size.
    pub factors: usize,
}

/// When the life of a new object ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// When it is freed.
    Heap,
    /// When the function returns.
    Activation,
}

/// What is known of a result that comes from the world. A pointer is null or points to something of the system's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing.
    Any,
    /// It is not below a number.
    From(i32),
    /// It is between two numbers.
    Within(i32, i32),
    /// It is not below a number, and not above the argument.
    UpTo(i32, usize),
    /// It is the argument as an `unsigned char`, or EOF.
    Character(usize),
}

impl Meaning {
    /// Whether the object that the first argument points to gets what the one of the second contains.
    pub fn copies(self) -> bool {
        self == Meaning::Copy
    }

    /// Whether the result may point to what the first argument points to.
    pub fn returns_first(self) -> bool {
        matches!(
            self,
            Meaning::First | Meaning::Copy | Meaning::Set | Meaning::Reallocate
        )
    }

    /// The new object that the result points to.
    pub fn allocates(self) -> Option<Allocation> {
        match self {
            Meaning::Allocate(allocation) => Some(allocation),
            Meaning::Reallocate => Some(heap(1)),
            _ => None,
        }
    }

    /// Whether a pointer in the result may point to what is not the program's, or to what it gave away.
    pub fn comes_from_outside(self) -> bool {
        !self.returns_first() && self.allocates().is_none() && self != Meaning::Arguments
    }
}

/// A new object on the heap, whose size is the product of so many arguments.
pub fn heap(factors: usize) -> Allocation {
    Allocation {
        life: Life::Heap,
        zeroed: false,
        factors,
    }
}

/// What a call of the function does, if it has no body and is known. For all others it is assumed that they change
/// nothing, which is told with the verdict (`encode::unknown`).
pub fn of(function: &Function) -> Option<Meaning> {
    if function.body.is_some() {
        return None;
    }
    match named(&function.name) {
        // What asks for arguments may do something with them.
        Some(Meaning::Arbitrary | Meaning::Nothing) if !function.ty.params.is_empty() => {
            Some(Meaning::Unsupported)
        }
        Some(Meaning::Arbitrary) if function.ty.result == Type::Void => Some(Meaning::Unsupported),
        // A header of the system declares it: it has a meaning, but here nobody knows it.
        None if function.origin == Origin::System => Some(Meaning::Unsupported),
        known => known,
    }
}

/// Whether some function of these makes objects larger, with their contents.
pub fn some_grow<'f>(mut functions: impl Iterator<Item = &'f Function>) -> bool {
    functions.any(|function| named(&function.name) == Some(Meaning::Reallocate))
}

/// Whether the life of objects on the heap may end.
pub fn some_free<'f>(mut functions: impl Iterator<Item = &'f Function>) -> bool {
    functions.any(|function| {
        let meaning = named(&function.name);
        matches!(meaning, Some(Meaning::Free | Meaning::Reallocate))
    })
}

/// Whether a call of a function of this name is an error.
pub fn is_error_function(name: &str) -> bool {
    named(name) == Some(Meaning::Violation)
}

/// The name without the compiler's prefix.
pub fn plain(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

/// What names begin with that are reserved for verification or the compiler: a function of such a name always has a
/// meaning.
const RESERVED: &[&str] = &[
    "__VERIFIER_",
    "__CPROVER_",
    "__builtin_",
    "__sync_",
    "__atomic_",
    "__c11_atomic_",
    "__ult_",
];

/// What the names of functions begin with that give the same number for the same arguments.
pub const SAME: &str = "__ult_same_";

/// A call of this one gives a text of the system's, or null.
pub const ANY_STRING: &str = "__ult_any_string";

/// What the names of functions begin with that tell what is kept of a stream.
pub const KEPT: &str = "__ult_kept_";

/// A call of this one, with words, is where a function of the library is not covered.
pub const UNSUPPORTED: &str = "__ult_unsupported";

/// What the names of functions begin with that keep something of a stream.
pub const KEEP: &str = "__ult_keep_";

/// What a function of this name does if nobody defines it.
pub fn named(name: &str) -> Option<Meaning> {
    let reserved = |prefix: &&str| name.starts_with(*prefix);
    verification(name)
        .or_else(|| name.strip_prefix("__builtin_").and_then(compiler))
        .or_else(|| of_library(plain(name)))
        .or_else(|| {
            RESERVED
                .iter()
                .any(reserved)
                .then_some(Meaning::Unsupported)
        })
}

/// Functions of verification tasks, and those that the library in C is built on.
fn verification(name: &str) -> Option<Meaning> {
    Some(match name {
        "reach_error" | "__VERIFIER_error" => Meaning::Violation,
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_func" | "_assert" => {
            Meaning::FailedAssertion
        }
        "__VERIFIER_assume" | "__ult_assume" => Meaning::Assume,
        "__VERIFIER_assert" => Meaning::Assert,
        "__VERIFIER_malloc" => Meaning::Allocate(heap(1)),
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Meaning::Nothing,
        "__ult_same_object" => Meaning::SameObject,
        "__ult_needs" => Meaning::Needs,
        "__ult_reads" => Meaning::Reads,
        "__ult_uses" => Meaning::Uses,
        _ if name.starts_with(SAME) => Meaning::Same,
        _ if name.starts_with(KEPT) => Meaning::Kept,
        _ if name.starts_with(KEEP) => Meaning::Keep,
        "__ult_set_errno" => Meaning::SetErrno,
        "__ult_may_fail" => Meaning::MayFail,
        "__ult_fits" => Meaning::Fits,
        "__ult_reads_strings" => Meaning::ReadsStrings,
        "__ult_approximated" => Meaning::Approximated,
        "__ult_in_part" => Meaning::InPart,
        // It is defined in C; where that does not fit, nobody knows.
        "__VERIFIER_nondet_memory" => Meaning::Unsupported,
        _ if name.starts_with("__VERIFIER_nondet_") || name.starts_with("__ult_any_") => {
            Meaning::Arbitrary
        }
        _ => return None,
    })
}

/// Functions that only exist with the compiler's prefix.
fn compiler(bare: &str) -> Option<Meaning> {
    Some(match bare {
        "assume" => Meaning::Assume,
        "unreachable" => Meaning::Unreachable,
        "trap" => Meaning::Stop,
        "expect" | "assume_aligned" => Meaning::First,
        "va_start" | "c23_va_start" | "va_arg" | "va_copy" | "va_end" => Meaning::Arguments,
        "prefetch" => Meaning::Tell {
            format: None,
            outcome: Outcome::Any,
        },
        _ => return None,
    })
}

/// Whether the C library has a function of this name that is known here.
pub fn is_of_library(name: &str) -> bool {
    of_library(name).is_some()
}

/// Functions of the C library and of POSIX.
fn of_library(name: &str) -> Option<Meaning> {
    Some(match name {
        "abort" | "exit" | "_exit" | "_Exit" => Meaning::Stop,
        "malloc" | "valloc" | "kmalloc" => Meaning::Allocate(heap(1)),
        "calloc" => Meaning::Allocate(Allocation {
            zeroed: true,
            ..heap(2)
        }),
        "kzalloc" => Meaning::Allocate(Allocation {
            zeroed: true,
            ..heap(1)
        }),
        "alloca" => Meaning::Allocate(Allocation {
            life: Life::Activation,
            ..heap(1)
        }),
        "realloc" => Meaning::Reallocate,
        "free" | "kfree" => Meaning::Free,
        "memset" => Meaning::Set,
        "memcpy" | "memmove" => Meaning::Copy,
        "va_start" | "va_arg" | "va_copy" | "va_end" => Meaning::Arguments,
        _ if is_mathematical(name) => Meaning::Mathematical,
        _ if is_among(name, OTHERS) => Meaning::Unsupported,
        _ => {
            let (format, outcome) = reporting(name)?;
            Meaning::Tell { format, outcome }
        }
    })
}

/// For a function that tells or asks the world something: which argument is a format, and what is known of the result.
fn reporting(name: &str) -> Option<(Option<usize>, Outcome)> {
    let format = match name {
        "printf" | "vprintf" | "wprintf" => Some(0),
        "fprintf" | "dprintf" | "vfprintf" | "fwprintf" | "syslog" => Some(1),
        _ => None,
    };
    let outcome = match name {
        // The number of characters, or something negative (C11 7.21.6).
        "printf" | "vprintf" | "wprintf" | "fprintf" | "dprintf" | "vfprintf" | "fwprintf"
        | "syslog" => Outcome::Any,
        // The character, or EOF (C11 7.21.7).
        "fputc" | "putc" | "putchar" | "putchar_unlocked" => Outcome::Character(0),
        // Zero, or EOF or -1.
        "access" | "chdir" | "chmod" | "close" | "closedir" | "fclose" | "fflush" | "fsync"
        | "ftruncate" | "mkdir" | "rmdir" | "unlink" | "usleep" => Outcome::Within(-1, 0),
        // Something that is not negative, or EOF or -1.
        "dup" | "dup2" | "fileno" | "fputs" | "ftell" | "lseek" | "pclose" | "puts" => {
            Outcome::From(-1)
        }
        "getppid" => Outcome::From(0),
        "isatty" => Outcome::Within(0, 1),
        "sleep" => Outcome::UpTo(0, 0),
        "alarm" | "closelog" | "getenv" | "fdopen" | "fopen" | "fputwc" | "getegid" | "geteuid"
        | "getgid" | "getuid" | "nice" | "opendir" | "openlog" | "perror" | "popen" | "putwc"
        | "remove" | "rename" | "sched_yield" | "sync" | "tmpfile" | "umask" => Outcome::Any,
        _ => return None,
    };
    Some((format, outcome))
}

fn is_among(name: &str, names: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

/// Whether it is a function of math.h or fenv.h that `encode::math` may know, for any floating type.
fn is_mathematical(name: &str) -> bool {
    let known = |name: &str| is_among(name, MATHEMATICAL);
    known(name) || name.strip_suffix(['f', 'l']).is_some_and(known)
}

/// The functions of math.h and fenv.h.
const MATHEMATICAL: &str = "
    __finite __fpclassify __isinf __isnan __signbit acos acosh asin asinh atan atan2 atanh cbrt ceil copysign
    cos cosh erf erfc exp exp2 expm1 fabs fdim fegetround fesetround finite floor fma fmax fmin fmod
    fpclassify frexp huge_val hypot ilogb inf isfinite isgreater isgreaterequal isinf isinf_sign isless
    islessequal islessgreater isnan isnormal isunordered ldexp lgamma llrint llround log log10 log1p log2 logb
    lrint lround modf nan nearbyint nextafter pow remainder remquo rint round roundeven scalbn signbit sin
    sinh sqrt tan tanh tgamma trunc
";

/// Functions that have an effect on the program's memory or on the way it takes, or a result that is not arbitrary: the
/// library of C11 (7.3 to 7.31) and what programs use of POSIX. Some are defined in C where that fits. Names that programs
/// like to use for functions of their own are not here: the headers tell about them.
const OTHERS: &str = "
    __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location __h_errno_location __sigsetjmp
    __stack_chk_fail _longjmp _setjmp _tolower _toupper abs aligned_alloc arc4random asctime asctime_r
    asprintf at_quick_exit atexit atof atoi atol atoll bcmp bcopy brk bsd_signal bsearch btowc bzero
    call_once clearenv clearerr clock clock_getres clock_gettime clock_nanosleep clock_settime cnd_broadcast
    cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait confstr creat ctermid ctime ctime_r cuserid
    difftime div dlclose dlerror dlopen dlsym drand48 epoll_wait erand48 execl execle execlp execv execve
    execvp explicit_bzero fcntl feclearexcept fedisableexcept feenableexcept fegetenv fegetexceptflag
    feholdexcept feof feraiseexcept ferror fesetenv fesetexceptflag fetestexcept feupdateenv ffs ffsl ffsll
    fgetc fgetpos fgets fgetwc fgetws fmemopen fnmatch fork fpathconf fputws fread freeaddrinfo freopen
    fscanf fseek fsetpos fstat fstatat ftw fwrite fwscanf gai_strerror getaddrinfo getc getc_unlocked
    getchar getchar_unlocked getcwd getdelim getgrgid getgrnam getgroups gethostbyaddr gethostbyname
    gethostname getitimer getline getlogin getopt getopt_long getopt_long_only getpeername getpgid getpid
    getpwnam getpwuid getrlimit getrusage gets getsockname getsockopt gettimeofday getw getwc getwchar getwd
    glob globfree gmtime gmtime_r hcreate hdestroy hsearch iconv iconv_close iconv_open imaxabs imaxdiv
    index inet_addr inet_aton inet_ntoa inet_ntop inet_pton initstate insque ioctl isalnum isalpha isascii
    isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper iswalnum iswalpha iswblank
    iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit
    jrand48 kill killpg labs ldiv lfind llabs lldiv localeconv localtime localtime_r longjmp lrand48 lsearch
    lstat mblen mbrlen mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc memalign memccpy memchr memcmp memmem
    mempcpy memrchr mkdtemp mkstemp mktemp mktime mmap mprotect mrand48 mremap msync mtx_destroy mtx_init
    mtx_lock mtx_timedlock mtx_trylock mtx_unlock munmap nanosleep nftw nl_langinfo nrand48 open
    open_memstream openat pathconf pipe pipe2 posix_memalign pread pselect pthread_atfork
    pthread_attr_destroy pthread_attr_init pthread_attr_setdetachstate pthread_attr_setstacksize
    pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait pthread_cancel pthread_cleanup_pop
    pthread_cleanup_push pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal
    pthread_cond_timedwait pthread_cond_wait pthread_create pthread_detach pthread_equal pthread_exit
    pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_kill
    pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_timedlock
    pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_init
    pthread_mutexattr_settype pthread_once pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock
    pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_wrlock
    pthread_self pthread_setcancelstate pthread_setcanceltype pthread_setspecific pthread_sigmask
    pthread_spin_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock
    pthread_testcancel putenv putw putwchar pvalloc pwrite qsort qsort_r quick_exit raise rand rand_r random
    rawmemchr read readdir readdir_r readlink readv reallocarray reallocf realpath recv recvfrom recvmsg
    regcomp regerror regexec regfree remque rewind rewinddir rindex sbrk scanf secure_getenv sem_close
    sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait sem_wait sendmsg sendto
    setbuf setegid setenv seteuid setgid setitimer setjmp setlinebuf setlocale setregid setresgid setresuid
    setreuid setrlimit setsid setsockopt setstate settimeofday setuid setvbuf shm_open shmat shmctl shmdt
    shmget sigaction sigaddset sigaltstack sigdelset sigemptyset sigfillset sigismember siglongjmp signal
    sigpending sigprocmask sigsetjmp sigsuspend sigwait snprintf socket socketpair sprintf srand srand48
    srandom sscanf stat stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul strcmp strcoll strcpy
    strcspn strdup strerror strerror_r strftime strlcat strlcpy strlen strncasecmp strncat strncmp strncpy
    strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod strtof strtoimax strtok
    strtok_r strtol strtold strtoll strtoul strtoull strtoumax strxfrm swprintf swscanf sysconf system
    tdelete tempnam tfind thrd_create thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep
    thrd_yield time timegm timespec_get tmpnam toascii tolower toupper towctrans towlower towupper tsearch
    tss_create tss_delete tss_get tss_set ttyname twalk tzset uname ungetc unsetenv vasprintf vfork vfscanf
    vscanf vsnprintf vsprintf vsscanf vswprintf wait3 wait4 waitpid wcrtomb wcscat wcschr wcscmp wcscoll
    wcscpy wcscspn wcsdup wcsftime wcslen wcsncat wcsncmp wcsncpy wcsnlen wcspbrk wcsrchr wcsrtombs wcsspn
    wcsstr wcstod wcstof wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull wctob wctomb wctrans wctype
    wmemchr wmemcmp wmemcpy wmemmove wmemset wordexp wordfree write writev wscanf
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_in_two_tables() {
        for name in OTHERS.split_ascii_whitespace() {
            assert!(
                reporting(name).is_none() && !is_mathematical(name),
                "{name}"
            );
            assert_eq!(named(name), Some(Meaning::Unsupported), "{name}");
        }
        for name in MATHEMATICAL.split_ascii_whitespace() {
            assert_eq!(named(name), Some(Meaning::Mathematical), "{name}");
        }
    }

    #[test]
    fn reserved_names_always_have_a_meaning() {
        for name in [
            "__VERIFIER_nondet_memory",
            "__VERIFIER_something",
            "__VERIFIER_atomic_something",
            "__builtin_something",
            "__sync_something",
            "__atomic_something",
            "__CPROVER_assume",
            "__ult_something",
        ] {
            assert_eq!(named(name), Some(Meaning::Unsupported), "{name}");
        }
        for name in ["something", "expect", "trap", "unreachable", "prefetch"] {
            assert_eq!(named(name), None, "{name}");
        }
        assert_eq!(named("__builtin_malloc"), named("malloc"));
    }

    #[test]
    fn what_flows_is_what_is_done() {
        let named = |name| named(name).unwrap();
        for name in ["memcpy", "memmove"] {
            assert!(named(name).copies() && named(name).returns_first());
        }
        assert!(!named("memset").copies() && named("memset").returns_first());
        let zeroed = |name| named(name).allocates().map(|new| new.zeroed);
        assert_eq!(zeroed("malloc"), Some(false));
        assert_eq!(zeroed("calloc"), Some(true));
        assert_eq!(zeroed("realloc"), Some(false));
        assert_eq!(zeroed("fopen"), None);
        assert!(named("realloc").returns_first());
        assert!(named("fopen").comes_from_outside());
        assert!(named("__VERIFIER_nondet_pointer").comes_from_outside());
        assert!(!named("malloc").comes_from_outside());
    }
}
