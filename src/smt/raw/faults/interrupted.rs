//! A fault of Z3 that is met where it happens: an evaluation that was interrupted gives no value, and nobody looks.
//!
//! While Z3 searches for models of quantified formulas it compares values, which it evaluates before
//! (`model_evaluator::are_equal`, called so since 5.0). An interruption ends the evaluation without a value, and
//! `ast_manager::are_equal` then reads through a null pointer: the process ends with signal 11, and with it all that was not
//! asked of this solver. Limits of time are interruptions, so that comes sooner or later to everybody who has quantifiers over
//! maps.
//!
//! Here that one read is answered: values of which one is missing are not known to be equal, as the function says itself of
//! all values that it cannot compare. Z3 then goes on to where it looks whether it was interrupted. The place is known by
//! its instructions, so nothing is done where they are others: on other processors, and in a Z3 that was mended. Whatever else
//! is a segmentation fault goes where it went before.

use libc::{REG_RAX, REG_RDX, REG_RIP, REG_RSI, REG_RSP, c_int, siginfo_t};

/// How `bool ast_manager::are_equal(expr * a, expr * b) const` begins; `None` is how far a jump goes.
const START: [Option<u8>; 17] = [
    // cmp rsi, rdx; je: they are the same.
    Some(0x48),
    Some(0x39),
    Some(0xd6),
    Some(0x74),
    None,
    // cmp word [rsi + KIND], 0; jne: `a` is no application.
    Some(0x66),
    Some(0x83),
    Some(0x7e),
    Some(KIND),
    Some(0x00),
    Some(0x75),
    None,
    // cmp word [rdx + KIND], 0: nor is `b`.
    Some(0x66),
    Some(0x83),
    Some(0x7a),
    Some(KIND),
    Some(0x00),
];

/// Where an expression says of which kind it is, in bytes.
const KIND: u8 = 4;

/// Where in [`START`] an argument is read, and the register that it is in.
const READS: [(usize, c_int); 2] = [(5, REG_RSI), (12, REG_RDX)];

/// Answers a fault, if it is this one.
///
/// # Safety
/// The system has told the fault, and the state of the thread.
pub(super) unsafe fn answer(info: &siginfo_t, registers: &mut [libc::greg_t; 23]) -> bool {
    // SAFETY: what is read through the registers is code that the thread was just executing, and the place to return to, which is
    // on top of the stack before the function has pushed anything.
    unsafe {
        let is_read = info.si_addr() as usize == usize::from(KIND) && is_the_place(registers);
        if is_read {
            let stack = registers[REG_RSP as usize];
            registers[REG_RAX as usize] = 0;
            registers[REG_RIP as usize] = *(stack as *const i64);
            registers[REG_RSP as usize] = stack + 8;
        }
        is_read
    }
}

/// Whether the thread was about to read the kind of an argument that is null.
///
/// # Safety
/// The instruction pointer points to code.
unsafe fn is_the_place(registers: &[libc::greg_t; 23]) -> bool {
    let here = registers[REG_RIP as usize] as *const u8;
    READS.into_iter().any(|(offset, register)| {
        // Rest first: what stands before the start of a function need not be readable.
        let known = START.iter().enumerate();
        registers[register as usize] == 0
            && known.rev().all(|(number, byte)| {
                // SAFETY: as above, and as far as the bytes behind it are those of the function, those before are.
                let found = unsafe { *here.wrapping_add(number).wrapping_sub(offset) };
                byte.is_none_or(|byte| byte == found)
            })
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;
    use std::ptr::null_mut;

    use libc::SIGSEGV;

    use super::super::super::library::loaded;
    use super::*;

    type AreEqual = extern "sysv64" fn(*const c_void, *const u16, *const u16) -> c_int;

    /// What Z3 does where it fails: the start of its function, which goes on to return 2.
    fn are_equal() -> AreEqual {
        let start = START.map(|byte| byte.unwrap_or(0));
        let code = [&start[..], &[0xb8, 2, 0, 0, 0, 0xc3]].concat();
        // SAFETY: the page is new, and holds the code before it is called.
        unsafe {
            let page = libc::mmap(
                null_mut(),
                4096,
                libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            assert_ne!(page, libc::MAP_FAILED);
            std::ptr::copy_nonoverlapping(code.as_ptr(), page.cast(), code.len());
            std::mem::transmute::<*mut c_void, AreEqual>(page)
        }
    }

    #[test]
    fn a_value_that_is_missing_is_not_known_to_be_equal() {
        loaded().unwrap();
        let (a, b) = ([0u16; 8], [0u16; 8]);
        let compared = |a, b| are_equal()(std::ptr::null(), a, b);
        assert_eq!(compared(a.as_ptr(), b.as_ptr()), 2, "both are read");
        for _ in 0..3 {
            assert_eq!(compared(a.as_ptr(), std::ptr::null()), 0);
            assert_eq!(compared(std::ptr::null(), b.as_ptr()), 0);
        }
    }

    /// A read through null elsewhere ends the process as ever.
    #[test]
    fn other_faults_are_not_answered() {
        const CHILD: &str = "ULT_TEST_READS_NULL";
        if std::env::var_os(CHILD).is_some() {
            loaded().unwrap();
            // SAFETY: this is what is tried, in a process of its own.
            unsafe {
                std::ptr::with_exposed_provenance::<u16>(std::hint::black_box(4)).read_volatile()
            };
            return;
        }
        let name = "raw::faults::interrupted::tests::other_faults_are_not_answered";
        let own = std::env::current_exe().expect("the test");
        let status = std::process::Command::new(own)
            .args(["--exact", name])
            .env(CHILD, "1")
            .stdout(std::process::Stdio::null())
            .status()
            .expect("it starts");
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&status),
            Some(SIGSEGV)
        );
    }
}
