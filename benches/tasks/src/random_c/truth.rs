//! What the C compiler says: the values of the results of programs, if they are defined.
//!
//! Each program is compiled twice: with the sanitizers, and without them at another level of optimisation. What is not
//! initialised is a pattern in one and zero in the other, so that a program whose results depend on it is not counted.
//! Many programs are one file, each with names of its own, and each is run in a process of its own: starting the
//! compiler and the linker takes longer than most of the programs.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::program::{Ending, Program};
use crate::process::{End, Limits, run};

/// The compilers.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    /// The command, with arguments.
    pub command: Vec<String>,
    /// Programs for 32 bits.
    pub is_32_bit: bool,
    /// Pointers may leave the member they began in: nothing is optimized, and only leaving an object is an error.
    pub is_flat: bool,
}

/// What is known of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// The values of its results.
    Values(Vec<i64>),
    /// It is not compiled; with the first message.
    NotCompiled(String),
    /// A sanitizer ends it, it does not end, or its results depend on what was never written.
    Undefined(String),
}

/// The sanitizers, and what stands in memory that is not initialised.
const CHECKED: &[&str] = &[
    "-O0",
    "-fsanitize=address,undefined,float-cast-overflow,pointer-compare,pointer-subtract",
    "-fno-sanitize-recover=all",
    "-ftrivial-auto-var-init=pattern",
];

/// Without them.
const PLAIN: &[&str] = &["-O1", "-ftrivial-auto-var-init=zero"];

/// The sanitizer that knows objects, not members.
const FLAT: &[&str] = &[
    "-O0",
    "-fsanitize=address",
    "-ftrivial-auto-var-init=pattern",
];

/// Without it.
const FLAT_PLAIN: &[&str] = &["-O0", "-ftrivial-auto-var-init=zero"];

/// What all programs share. Programs read objects as words of other types; that is left out of what is undefined.
const ALWAYS: &[&str] = &[
    "-w",
    "-std=gnu11",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-builtin",
];

const CHECKED_ENVIRONMENT: &str = "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:\
detect_invalid_pointer_pairs=2:max_malloc_fill_size=100000:malloc_fill_byte=90";

/// Whether a program can be compiled and run.
pub(super) fn works(compiler: &Compiler, stop: &AtomicBool) -> bool {
    let program = Program {
        pieces: vec![super::program::Piece::Block(
            "int main(void) {".into(),
            vec![
                super::program::Piece::Result("r0".into(), "7".into()),
                super::program::Piece::Claim,
            ],
            "return 0; }".into(),
        )],
        names: ["main".to_owned()].into(),
        is_32_bit: compiler.is_32_bit,
        orders: None,
    };
    values(compiler, &[&program], stop).first() == Some(&Truth::Values(vec![7]))
}

/// The values of the results of each program.
pub(super) fn values(compiler: &Compiler, programs: &[&Program], stop: &AtomicBool) -> Vec<Truth> {
    match together(compiler, programs, stop) {
        Ok(truths) => truths,
        // One of them is at fault: find it.
        Err(why) => match programs {
            [] => Vec::new(),
            [_] => vec![Truth::NotCompiled(why)],
            _ => {
                let (first, second) = programs.split_at(programs.len() / 2);
                let mut truths = values(compiler, first, stop);
                truths.extend(values(compiler, second, stop));
                truths
            }
        },
    }
}

fn together(
    compiler: &Compiler,
    programs: &[&Program],
    stop: &AtomicBool,
) -> Result<Vec<Truth>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    std::fs::write(folder.path().join("all.c"), unit(programs))
        .map_err(|error| error.to_string())?;
    let (checked, plain) = match compiler.is_flat {
        true => (FLAT, FLAT_PLAIN),
        false => (CHECKED, PLAIN),
    };
    let checked = outputs(compiler, checked, folder.path(), programs.len(), stop)?;
    let plain = outputs(compiler, plain, folder.path(), programs.len(), stop)?;
    Ok(checked
        .into_iter()
        .zip(plain)
        .zip(programs)
        .map(|((checked, plain), program)| match (checked, plain) {
            (Ok(first), Ok(second))
                if first == second && first.len() == program.results().len() =>
            {
                Truth::Values(first)
            }
            (Ok(_), Ok(_)) => Truth::Undefined("the results are not determined".into()),
            (Err(why), _) => Truth::Undefined(why),
            (_, Err(why)) => Truth::Undefined(format!("without sanitizers: {why}")),
        })
        .collect())
}

/// One file with all programs, and a function that runs each of them in a process of its own.
fn unit(programs: &[&Program]) -> String {
    let mut text = String::from(
        "int printf(const char *, ...);\nint fflush(void *);\nint fork(void);\nint waitpid(int, int *, int);\n\
         unsigned alarm(unsigned);\nvoid _exit(int);\n",
    );
    for (number, program) in programs.iter().enumerate() {
        for name in &program.names {
            let _ = writeln!(text, "#define {name} {name}_of_{number}");
        }
        text += &program.render(Ending::Print);
        for name in &program.names {
            let _ = writeln!(text, "#undef {name}");
        }
    }
    text += "static int (*const all[])(void) = {";
    for number in 0..programs.len() {
        let _ = write!(text, " main_of_{number},");
    }
    let _ = write!(
        text,
        " }};\nint main(void) {{\n  for (int i = 0; i < {}; i++) {{\n    int status = 1;\n    \
         printf(\"\\nprogram %d \", i);\n    fflush(0);\n    int child = fork();\n    if (child == 0) {{ alarm(4); \
         all[i](); fflush(0); _exit(0); }}\n    waitpid(child, &status, 0);\n    printf(\"end %d\", status);\n  }}\n  \
         return 0;\n}}\n",
        programs.len()
    );
    text
}

type Output = Result<Vec<i64>, String>;

fn outputs(
    compiler: &Compiler,
    options: &[&str],
    folder: &Path,
    count: usize,
    stop: &AtomicBool,
) -> Result<Vec<Output>, String> {
    let call = |command: &[String], seconds: u64| {
        let limits = Limits {
            time: Duration::from_secs(seconds),
            memory: 8 << 30,
        };
        run(command, Some(folder), limits, stop).map_err(|error| error.to_string())
    };
    let mut command = compiler.command.clone();
    if compiler.is_32_bit {
        command.extend(["-m32", "-msse2", "-mfpmath=sse"].map(str::to_owned));
    }
    let fixed = ALWAYS.iter().chain(options).chain(&["all.c", "-o", "all"]);
    command.extend(fixed.map(|option| (*option).to_owned()));
    let compiled = call(&command, 300)?;
    if compiled.end != End::Code(0) {
        let message = compiled
            .stderr
            .lines()
            .find(|line| line.contains("error"))
            .unwrap_or_else(|| compiled.stderr.lines().next_back().unwrap_or_default());
        return Err(message.to_owned());
    }
    let command: Vec<String> = ["env", CHECKED_ENVIRONMENT, "./all"]
        .map(str::to_owned)
        .to_vec();
    let finished = call(&command, 300)?;
    let mut outputs: Vec<Output> = vec![Err("no output".into()); count];
    for part in finished.stdout.split("\nprogram ").skip(1) {
        let Some((number, rest)) = part.split_once(' ') else {
            continue;
        };
        let Some(output) = number
            .parse::<usize>()
            .ok()
            .and_then(|number| outputs.get_mut(number))
        else {
            continue;
        };
        let Some((values, status)) = rest.rsplit_once("end ") else {
            continue;
        };
        *output = match status.trim() {
            "0" => values
                .split_whitespace()
                .map(|value| value.parse::<i64>().map_err(|error| error.to_string()))
                .collect(),
            status => Err(format!("it ends with status {status}")),
        };
    }
    // Which sanitizer says no is told in the order of the programs.
    let mut reasons = finished.stderr.lines().filter(|line| {
        line.contains("runtime error: ") || line.contains("ERROR: AddressSanitizer")
    });
    for output in outputs.iter_mut().filter(|output| output.is_err()) {
        if let Some(reason) = reasons.next() {
            *output = Err(short(reason));
        }
    }
    Ok(outputs)
}

/// The kind of what a sanitizer says.
fn short(reason: &str) -> String {
    let text = match reason.split_once("runtime error: ") {
        Some((_, text)) => text.to_owned(),
        None => reason
            .split_once("AddressSanitizer: ")
            .map_or(reason, |(_, text)| text)
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    text.split(|letter: char| letter.is_ascii_digit())
        .next()
        .unwrap_or_default()
        .trim()
        .to_owned()
}
