//! Functions of the C library and of POSIX, by their names.

/// Functions that only tell the world something, or ask for something that a program cannot see: their result is
/// arbitrary, a pointer to something of the system's if it is one, and they change nothing of the program's.
const HARMLESS: &str = "
    access alarm assume_aligned chdir chmod clearerr clock close closedir closelog dprintf dup dup2 fclose fdopen
    feof ferror fflush fileno fopen fprintf fputc fputs fputwc freopen fseek fsync ftell ftruncate fwprintf fwrite
    getegid geteuid getgid getpid getppid getuid isatty lseek mkdir nice opendir openlog pclose perror popen
    prefetch printf putc putchar putchar_unlocked puts putwc remove rename rewind rmdir sched_yield sleep srand
    srandom sync syslog tmpfile umask ungetc unlink usleep vfprintf vprintf wprintf write
";

/// Functions that have an effect on the program's memory or on the way it takes, or a result that is not arbitrary: the
/// library of C11 (7.3 to 7.31) and what programs use of POSIX. Those of math.h are elsewhere, and so are names that
/// programs like to use for functions of their own: the headers tell about them.
const OTHERS: &str = "
    _Exit __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location __h_errno_location __sigsetjmp
    __stack_chk_fail _exit _longjmp _setjmp _tolower _toupper abort abs aligned_alloc alloca arc4random asctime
    asctime_r asprintf at_quick_exit atexit atof atoi atol atoll bcmp bcopy brk bsd_signal bsearch btowc bzero
    call_once calloc clearenv clock_getres clock_gettime clock_nanosleep clock_settime cnd_broadcast cnd_destroy
    cnd_init cnd_signal cnd_timedwait cnd_wait confstr creat ctermid ctime ctime_r cuserid difftime div dlclose
    dlerror dlopen dlsym drand48 epoll_wait erand48 execl execle execlp execv execve execvp exit explicit_bzero
    fcntl feclearexcept fedisableexcept feenableexcept fegetenv fegetexceptflag fegetround feholdexcept
    feraiseexcept fesetenv fesetexceptflag fesetround fetestexcept feupdateenv ffs ffsl ffsll fgetc fgetpos fgets
    fgetwc fgetws fmemopen fnmatch fork fpathconf fputws fread free freeaddrinfo fscanf fsetpos fstat fstatat ftw
    fwscanf gai_strerror getaddrinfo getc getc_unlocked getchar getchar_unlocked getcwd getdelim getenv getgrgid
    getgrnam getgroups gethostbyaddr gethostbyname gethostname getitimer getline getlogin getopt getopt_long
    getopt_long_only getpeername getpgid getpwnam getpwuid getrlimit getrusage gets getsockname getsockopt
    gettimeofday getw getwc getwchar getwd glob globfree gmtime gmtime_r hcreate hdestroy hsearch iconv
    iconv_close iconv_open imaxabs imaxdiv index inet_addr inet_aton inet_ntoa inet_ntop inet_pton initstate
    insque ioctl isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper
    iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper
    iswxdigit isxdigit jrand48 kill killpg labs ldiv lfind llabs lldiv localeconv localtime localtime_r longjmp
    lrand48 lsearch lstat malloc mblen mbrlen mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc memalign memccpy memchr
    memcmp memcpy memmem memmove mempcpy memrchr memset mkdtemp mkstemp mktemp mktime mmap mprotect mrand48 mremap
    msync mtx_destroy mtx_init mtx_lock mtx_timedlock mtx_trylock mtx_unlock munmap nanosleep nftw nl_langinfo
    nrand48 open open_memstream openat pathconf pipe pipe2 posix_memalign pread pselect pthread_atfork
    pthread_attr_destroy pthread_attr_init pthread_attr_setdetachstate pthread_attr_setstacksize
    pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait pthread_cancel pthread_cleanup_pop
    pthread_cleanup_push pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal
    pthread_cond_timedwait pthread_cond_wait pthread_create pthread_detach pthread_equal pthread_exit
    pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_kill pthread_mutex_destroy
    pthread_mutex_init pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_trylock pthread_mutex_unlock
    pthread_mutexattr_destroy pthread_mutexattr_init pthread_mutexattr_settype pthread_once pthread_rwlock_destroy
    pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock
    pthread_rwlock_unlock pthread_rwlock_wrlock pthread_self pthread_setcancelstate pthread_setcanceltype
    pthread_setspecific pthread_sigmask pthread_spin_destroy pthread_spin_init pthread_spin_lock
    pthread_spin_trylock pthread_spin_unlock pthread_testcancel putenv putw putwchar pvalloc pwrite qsort qsort_r
    quick_exit raise rand rand_r random rawmemchr read readdir readdir_r readlink readv realloc reallocarray
    reallocf realpath recv recvfrom recvmsg regcomp regerror regexec regfree remque rewinddir rindex sbrk scanf
    secure_getenv sem_close sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait sem_wait
    sendmsg sendto setbuf setenv setitimer setjmp setlinebuf setlocale setrlimit setsid setsockopt setstate
    settimeofday setvbuf shm_open shmat shmctl shmdt shmget sigaction sigaddset sigaltstack sigdelset sigemptyset
    sigfillset sigismember siglongjmp signal sigpending sigprocmask sigsetjmp sigsuspend sigwait snprintf socket
    socketpair sprintf srand48 sscanf stat stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul strcmp
    strcoll strcpy strcspn strdup strerror strerror_r strftime strlcat strlcpy strlen strncasecmp strncat strncmp
    strncpy strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod strtof strtoimax strtok
    strtok_r strtol strtold strtoll strtoul strtoull strtoumax strxfrm swprintf swscanf sysconf system tdelete
    tempnam tfind thrd_create thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep thrd_yield time
    timegm timespec_get tmpnam toascii tolower toupper towctrans towlower towupper tsearch tss_create tss_delete
    tss_get tss_set ttyname twalk tzset uname unsetenv va_arg va_copy va_end va_start valloc vasprintf vfork
    vfscanf vscanf vsnprintf vsprintf vsscanf vswprintf wait3 wait4 waitpid wcrtomb wcscat wcschr wcscmp wcscoll
    wcscpy wcscspn wcsdup wcsftime wcslen wcsncat wcsncmp wcsncpy wcsnlen wcspbrk wcsrchr wcsrtombs wcsspn wcsstr
    wcstod wcstof wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull wctob wctomb wctrans wctype wmemchr
    wmemcmp wmemcpy wmemmove wmemset wordexp wordfree writev wscanf
";

/// Whether a function's result is arbitrary and it changes nothing, even though it belongs to the library.
pub fn is_harmless(name: &str) -> bool {
    HARMLESS.split_ascii_whitespace().any(|known| known == name)
}

/// Whether the library has a function of this name, apart from the harmless ones and those of math.h.
pub fn is_standard(name: &str) -> bool {
    OTHERS.split_ascii_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_in_both_tables() {
        for name in OTHERS.split_ascii_whitespace() {
            assert!(!is_harmless(name), "{name}");
        }
        assert!(is_harmless("puts") && is_standard("longjmp"));
    }
}
