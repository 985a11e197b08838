//! Faults inside of Z3: what ends a process elsewhere costs a question here.
//!
//! Z3 is a large program, and some questions make it read through null, or recur without an end. The thread that
//! waits for Z3 is told ([`run`]), and goes on without it. What Z3 has allocated, and its context, are lost.
//!
//! Not every fault is one of a single question. A pointer into nowhere says that memory was written that others may use: after that
//! nothing that Z3 says in this process counts any more ([`Extent::Process`]). And a fault in other code than Z3's own ends the process as ever:
//! it may be the memory's administration, with a lock that all others wait for.
//!
//! | file | idea |
//! |---|---|
//! | `mod` | the handler of signals, and what is a fault of Z3 |
//! | `alt_stack` | the stacks that Z3's functions run on, and the way off them |
//! | `interrupted` | one fault that is answered where it happens |

mod alt_stack;
mod interrupted;

use std::ffi::c_void;
use std::mem::{MaybeUninit, zeroed};
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use libc::{
    REG_RIP, REG_RSP, SA_ONSTACK, SA_SIGINFO, SIG_DFL, SIG_IGN, SIGBUS, SIGFPE, SIGILL, SIGSEGV,
    c_int, sigaction, siginfo_t, ucontext_t,
};

use self::alt_stack::AltStack;

/// Below this there is nothing in any process.
const NOTHING: usize = 1 << 16;

/// What becomes faults of hardware, in code that goes wrong.
const SIGNALS: [c_int; 4] = [SIGSEGV, SIGBUS, SIGILL, SIGFPE];

/// Whether questions are to be outlived.
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Where Z3's code begins and ends.
static CODE: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// Who handled the signals before.
static BEFORE: [OnceLock<sigaction>; SIGNALS.len()] = [const { OnceLock::new() }; SIGNALS.len()];

/// Who was called before where exceptions of C++ are caught by nobody.
static UNCAUGHT_BEFORE: AtomicUsize = AtomicUsize::new(0);

/// Why a function of Z3 has not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    cause: Cause,
    /// How far it reaches.
    pub(super) extent: Extent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Signal(c_int),
    /// There is no stack left.
    Stack,
    /// An exception that nobody catches.
    Exception,
}

/// What is spoilt by a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// What its context was asked.
    Question,
    /// All that Z3 has in this process.
    Process,
}

impl Fault {
    /// What is not known may be anything.
    const UNKNOWN: Fault = Fault {
        cause: Cause::Exception,
        extent: Extent::Process,
    };
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.cause {
            Cause::Signal(signal) => write!(f, "Z3 ended with signal {signal}"),
            Cause::Stack => f.write_str("Z3 needs more stack than there is"),
            Cause::Exception => f.write_str("an exception left Z3"),
        }
    }
}

/// From now on whoever asks Z3 is told where it dies. To be called before Z3 is loaded.
///
/// It is not done unasked, since handlers of signals belong to the whole process.
pub(crate) fn outlive() {
    IS_ASKED.store(true, Ordering::Relaxed);
}

/// Does something that Z3 may die of.
///
/// # Errors
/// If it has.
///
/// # Safety
/// It must bear to be left in the middle, and may not panic.
pub(super) unsafe fn run<T, W: FnOnce() -> T>(work: W) -> Result<T, Fault> {
    if !IS_ASKED.load(Ordering::Relaxed) {
        return Ok(work());
    }
    // SAFETY: as here.
    unsafe { alt_stack::run(work) }
}

/// Handles faults in code at these addresses, in all threads.
pub(super) fn listen(code: std::ops::Range<usize>) {
    CODE[0].store(code.start, Ordering::Relaxed);
    CODE[1].store(code.end, Ordering::Relaxed);
    let asked = IS_ASKED.load(Ordering::Relaxed);
    for (signal, before) in SIGNALS.into_iter().zip(&BEFORE) {
        if signal != SIGSEGV && !asked {
            continue;
        }
        // SAFETY: without a new action the old one is only read.
        before.get_or_init(|| unsafe {
            let mut before = MaybeUninit::uninit();
            match sigaction(signal, std::ptr::null(), before.as_mut_ptr()) {
                0 => before.assume_init(),
                _ => zeroed(),
            }
        });
        // SAFETY: the handler does only what handlers may do. It works on a stack of its own where the thread has one, which
        // those of the standard library have.
        unsafe {
            let mut action: sigaction = zeroed();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = SA_SIGINFO | SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            sigaction(signal, &raw const action, null_mut());
        }
    }
}

/// Hears of exceptions that nobody catches. `set_terminate` is C++'s function of that name.
///
/// # Safety
/// It is.
pub(super) unsafe fn listen_to_exceptions(set_terminate: unsafe extern "C" fn(usize) -> usize) {
    if IS_ASKED.load(Ordering::Relaxed) {
        // SAFETY: it takes and returns the address of a function without arguments.
        let before = unsafe { set_terminate(uncaught as *const () as usize) };
        UNCAUGHT_BEFORE.store(before, Ordering::Relaxed);
    }
}

/// The range of addresses that code lies in, with all that was loaded together with it.
pub(super) fn code_around(address: usize) -> std::ops::Range<usize> {
    let mut found = (address, 0..0);
    // SAFETY: the function is called with what it takes, and as long as `found` is there.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
    found.1
}

unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader describes a library with its headers; `found` is from `code_around`.
    let (info, found) = unsafe {
        (
            &*info,
            &mut *found.cast::<(usize, std::ops::Range<usize>)>(),
        )
    };
    // SAFETY: as above.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let code = headers
        .iter()
        .filter(|header| header.p_flags & libc::PF_X != 0)
        .map(|header| {
            let start = (info.dlpi_addr + header.p_vaddr) as usize;
            start..start + header.p_memsz as usize
        });
    match { code }.find(|code| code.contains(&found.0)) {
        Some(code) => {
            found.1 = code;
            1
        }
        None => 0,
    }
}

unsafe extern "C" fn handle(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system calls this with a fault and the state of the thread.
    unsafe {
        let registers = &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs;
        let is_answered = signal == SIGSEGV && interrupted::answer(&*info, registers);
        if !is_answered && !leave(signal, &*info, registers) {
            hand_on(signal, info, context);
        }
    }
}

/// Has the thread go on behind the call, if it was Z3 that failed.
fn leave(signal: c_int, info: &siginfo_t, registers: &mut [libc::greg_t; 23]) -> bool {
    let Some(stack) = AltStack::of(registers[REG_RSP as usize] as usize) else {
        return false;
    };
    let code = registers[REG_RIP as usize] as usize;
    let [start, end] = [&CODE[0], &CODE[1]].map(|place| place.load(Ordering::Relaxed));
    // A call of what is not there has left Z3's code already.
    let is_z3s = (start..end).contains(&code) || code < NOTHING;
    // Others may send signals, too; those are no faults.
    if !is_z3s || info.si_code <= 0 {
        return false;
    }
    // SAFETY: a fault has an address.
    let address = unsafe { info.si_addr() } as usize;
    // An address that no pointer can be is told as 0.
    let is_told = info.si_code != libc::SI_KERNEL;
    let (cause, extent) = match signal {
        SIGSEGV if is_told && stack.forbids(address) => (Cause::Stack, Extent::Question),
        SIGSEGV if is_told && address < NOTHING => (Cause::Signal(signal), Extent::Question),
        SIGFPE | SIGILL => (Cause::Signal(signal), Extent::Question),
        _ => (Cause::Signal(signal), Extent::Process),
    };
    let Some(waits) = stack.give_up(Fault { cause, extent }) else {
        return false;
    };
    registers[REG_RSP as usize] = waits as i64;
    registers[REG_RIP as usize] = alt_stack::gone as *const () as i64;
    true
}

/// Called instead of an end of the process where an exception is caught by nobody.
unsafe extern "C" fn uncaught() -> ! {
    let here = 0u8;
    let fault = Fault {
        cause: Cause::Exception,
        extent: Extent::Question,
    };
    let waits = AltStack::of(&raw const here as usize).and_then(|stack| stack.give_up(fault));
    // SAFETY: this is called on that stack, and there is nothing on it that has to be dropped. What was there before is a function as this one.
    unsafe {
        if let Some(waits) = waits {
            alt_stack::leave(waits);
        }
        let before = UNCAUGHT_BEFORE.load(Ordering::Relaxed);
        if before != 0 {
            std::mem::transmute::<usize, unsafe extern "C" fn()>(before)();
        }
        libc::abort()
    }
}

/// Gives a signal to whoever handled it before.
///
/// # Safety
/// As for a handler.
unsafe fn hand_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let place = SIGNALS.iter().position(|&other| other == signal);
    match place.and_then(|place| BEFORE[place].get()) {
        Some(before) if ![SIG_DFL, SIG_IGN].contains(&before.sa_sigaction) => {
            // SAFETY: a handler that the process has installed, with what it asks for.
            unsafe {
                if before.sa_flags & SA_SIGINFO == 0 {
                    let handler: extern "C" fn(c_int) = std::mem::transmute(before.sa_sigaction);
                    handler(signal);
                } else {
                    let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                        std::mem::transmute(before.sa_sigaction);
                    handler(signal, info, context);
                }
            }
        }
        // The instruction is tried again, and the process ends.
        _ => unsafe {
            // SAFETY: an action without a handler.
            let mut action: sigaction = zeroed();
            action.sa_sigaction = SIG_DFL;
            sigaction(signal, &raw const action, null_mut());
        },
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    const CHILD: &str = "ULT_TEST_FAULTS";

    /// `xor eax, eax; mov eax, [rax]`
    const NULL: &[u8] = &[0x31, 0xc0, 0x8b, 0x00];
    /// `xor eax, eax; call rax`
    const CALL_OF_NULL: &[u8] = &[0x31, 0xc0, 0xff, 0xd0];
    /// `xor ecx, ecx; xor edx, edx; div ecx`
    const DIVISION: &[u8] = &[0x31, 0xc9, 0x31, 0xd2, 0xf7, 0xf1];
    /// `ud2`
    const NO_CODE: &[u8] = &[0x0f, 0x0b];
    /// A call of itself.
    const RECURSION: &[u8] = &[0xe8, 0xfb, 0xff, 0xff, 0xff];
    /// `mov rax, ADDRESS; mov eax, [rax]`, where nothing is.
    const NOWHERE: &[u8] = &[0x48, 0xb8, 0, 0, 0x34, 0x12, 0, 0x10, 0, 0, 0x8b, 0x00];
    /// The same with what is no address.
    const NO_ADDRESS: &[u8] = &[0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x8b, 0x00];
    /// `mov eax, 7; ret`
    const SEVEN: &[u8] = &[0xb8, 7, 0, 0, 0, 0xc3];

    type Code = unsafe extern "C" fn() -> u32;

    /// A page with code.
    fn page() -> *mut c_void {
        // SAFETY: it is new.
        let page = unsafe {
            libc::mmap(
                null_mut(),
                4096,
                libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(page, libc::MAP_FAILED);
        page
    }

    fn ran(page: *mut c_void, code: &[u8]) -> Result<u32, Fault> {
        // SAFETY: the page belongs to this test. What the code may do is what is tried.
        unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), page.cast(), code.len());
            let code = std::mem::transmute::<*mut c_void, Code>(page);
            run(|| code())
        }
    }

    /// How a process ends that does what the test of this name does with [`CHILD`] set.
    fn child(test: &str) -> std::process::ExitStatus {
        std::process::Command::new(std::env::current_exe().expect("the test"))
            .args([
                "--exact",
                &format!(
                    "{}::{test}",
                    module_path!().split_once("::").expect("a crate").1
                ),
            ])
            .env(CHILD, "1")
            .stdout(std::process::Stdio::null())
            .status()
            .expect("it starts")
    }

    fn is_child() -> bool {
        std::env::var_os(CHILD).is_some()
    }

    #[test]
    fn what_z3_dies_of_is_told() {
        if !is_child() {
            assert!(child("what_z3_dies_of_is_told").success());
            return;
        }
        outlive();
        let page = page();
        listen(page as usize..page as usize + 4096);
        let question = |cause| {
            Err(Fault {
                cause,
                extent: Extent::Question,
            })
        };
        let segv = |extent| {
            Err(Fault {
                cause: Cause::Signal(SIGSEGV),
                extent,
            })
        };
        for (code, expected) in [
            (NULL, segv(Extent::Question)),
            (CALL_OF_NULL, segv(Extent::Question)),
            (DIVISION, question(Cause::Signal(SIGFPE))),
            (NO_CODE, question(Cause::Signal(SIGILL))),
            (RECURSION, question(Cause::Stack)),
            (NOWHERE, segv(Extent::Process)),
            (NO_ADDRESS, segv(Extent::Process)),
        ] {
            for _ in 0..3 {
                assert_eq!(ran(page, code), expected, "{code:x?}");
                assert_eq!(ran(page, SEVEN), Ok(7));
            }
            let elsewhere = page as usize;
            let elsewhere = std::thread::spawn(move || ran(elsewhere as *mut c_void, code));
            assert_eq!(elsewhere.join().expect("no panic"), expected, "{code:x?}");
        }
        // As C++ calls it.
        // SAFETY: there is nothing on the stack that needs an end.
        let died: Result<(), Fault> = unsafe { run(|| uncaught()) };
        let exception = Fault {
            cause: Cause::Exception,
            extent: Extent::Question,
        };
        assert_eq!(died, Err(exception));
    }

    /// What is not Z3's ends the process.
    #[test]
    fn other_code_is_not_outlived() {
        if is_child() {
            outlive();
            let (own, other) = (page(), page());
            listen(own as usize..own as usize + 4096);
            let _ = ran(other, NULL);
            return;
        }
        assert_eq!(child("other_code_is_not_outlived").signal(), Some(SIGSEGV));
    }

    /// Nobody outlives anything unasked.
    #[test]
    fn faults_are_not_outlived_unasked() {
        if is_child() {
            let page = page();
            listen(page as usize..page as usize + 4096);
            let _ = ran(page, NULL);
            return;
        }
        assert_eq!(
            child("faults_are_not_outlived_unasked").signal(),
            Some(SIGSEGV)
        );
    }

    #[test]
    fn the_code_around_an_address_is_that_of_its_library() {
        let own = code_around(code_around as *const () as usize);
        assert!(own.contains(&(page as *const () as usize)), "{own:x?}");
        assert!(
            !own.contains(&(libc::abort as *const () as usize)),
            "{own:x?}"
        );
        assert_eq!(code_around(1), 0..0);
    }
}
