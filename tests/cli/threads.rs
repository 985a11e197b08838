//! A user who may start only so many threads: there is a message, or UNKNOWN with a reason, or the right verdict.

use super::{SAFE, UNSAFE};
use crate::session::Session;

/// Put before the C library: the process may have as many threads beside its first one as `THREADS` says.
const FEW_THREADS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static int live;

struct work { void *(*run)(void *); void *with; };

static void *body(void *given) {
  struct work work = *(struct work *)given;
  free(given);
  void *result = work.run(work.with);
  __sync_fetch_and_sub(&live, 1);
  return result;
}

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with) {
  create *real = (create *)dlsym(RTLD_NEXT, "pthread_create");
  if (__sync_add_and_fetch(&live, 1) > atoi(getenv("THREADS"))) {
    __sync_fetch_and_sub(&live, 1);
    return EAGAIN;
  }
  struct work *work = malloc(sizeof *work);
  work->run = run;
  work->with = with;
  return real(thread, how, body, work);
}
"#;

#[test]
#[cfg(target_os = "linux")]
#[ignore = "takes long"]
fn without_threads_there_are_reasons() {
    let second = "while read line; do case $line in\n\
                  *:name*) echo '(:name \"second\")';; *:version*) echo '(:version \"1\")';;\n\
                  *check-sat*) echo unsat;; *echo*) line=${line#*echo }; echo ${line%)};; esac; done\n";
    let session = Session::new(&[
        ("safe.bpl", SAFE),
        ("unsafe.bpl", UNSAFE),
        ("second.sh", second),
    ]);
    let library = crate::tools::shared_library(session.path(), FEW_THREADS);
    let run = |threads: u32, args: &[&str]| {
        let mut command = session.command(args);
        command.env("LD_PRELOAD", &library);
        let output = command.env("THREADS", threads.to_string()).output();
        let output = output.unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        (output.status.code(), said)
    };
    let no_thread = "Resource temporarily unavailable";
    for (args, verdict) in [
        (&["check", "safe.bpl"][..], 0),
        (&["check", "unsafe.bpl"], 1),
        (&["check", "--engine", "horn", "safe.bpl"], 0),
        (&["check", "--engine", "portfolio", "unsafe.bpl"], 1),
        (&["check", "--check-with", "sh second.sh", "safe.bpl"], 0),
        (&["run", "--inputs", "2", "safe.bpl"], 0),
        (&["graph", "safe.bpl"], 0),
        (&["doctor"], 0),
    ] {
        let args = match args {
            ["check", rest @ ..] => [&["check", "--timeout", "60"], rest].concat(),
            _ => args.to_vec(),
        };
        let mut last = None;
        for threads in [0, 1, 2, 3, 4, 5, 6, 8, 12, 100] {
            let (code, said) = run(threads, &args);
            let told = match code {
                Some(4) => said.contains("UNKNOWN("),
                // The second solver, or the doctor's.
                Some(5) => said.contains(no_thread),
                Some(101) => said.contains(no_thread),
                // One of its checks, such as that of the preprocessor, could not be made.
                Some(1) if args == ["doctor"] => said.contains(no_thread),
                _ => code == Some(verdict),
            };
            assert!(told, "{threads} threads, {args:?}: {code:?}\n{said}");
            last = code;
        }
        assert_eq!(last, Some(verdict), "{args:?}");
        let (code, said) = run(0, &args);
        assert!(code != Some(verdict) && said.contains(no_thread), "{said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_language_server_without_threads_says_why_it_ends() {
    let session = Session::new(&[]);
    let library = crate::tools::shared_library(session.path(), FEW_THREADS);
    let mut command = session.command(&["lsp"]);
    let command = command.env("LD_PRELOAD", &library).env("THREADS", "0");
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(101), "{said}");
    assert!(said.contains("Resource temporarily unavailable"), "{said}");
}
