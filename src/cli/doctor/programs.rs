//! Small programs of every language, whose verdicts are known.

use ult_c::types::DataModel;

use super::{Check, Ill, REPORT};
use crate::args::CArgs;
use crate::limits;
use crate::preprocess;
use ult_core::control::Control;
use ult_driver::{Conclusion, Language, Progress, Settings, Source, check};

const BOOGIE: &str = "\
procedure main(n: int)
  requires n >= 0;
{
  var i, twice: int;
  i, twice := 0, 0;
  while (i < n) { i, twice := i + 1, twice + 2; }
  assert twice == 2 * n;
}
";

const GRAPH: &str = "\
graph lights {
  var red, green: bool;
  init start;
  error both \"both lights are on\";
  start -> on: red' && !green';
  on -> on: red' == green && green' == red;
  on -> both: red && green;
}
";

const CLAUSES: &str = "\
(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (loop x y))))
(assert (forall ((x Int) (y Int)) (=> (loop x y) (loop (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (loop x y) (= y (* 2 x)))))
(check-sat)
";

/// Without directives, so that no preprocessor is needed.
const C: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) s += 2;
  if (s != 2 * n) __VERIFIER_error();
  return 0;
}
";

/// With directives, and with something that depends on the sizes of types.
const C_WITH_DIRECTIVES: &str = "\
#include <assert.h>
#include <limits.h>
int main(void) {
  assert(LONG_MAX / 2 + 1 == 1L << (sizeof(long) * CHAR_BIT - 2) && sizeof(long) == LONG_BYTES);
}
";

/// The checks.
pub(super) fn checks() -> Vec<Check> {
    let plain = [
        (
            "Boogie (.bpl)",
            Language::Boogie,
            BOOGIE,
            ("twice == 2", "twice != 2"),
        ),
        (
            "program graphs (.ult)",
            Language::Graph,
            GRAPH,
            ("red && green;", "red;"),
        ),
        (
            "Horn clauses (.smt2)",
            Language::Horn,
            CLAUSES,
            ("(* 2 x)", "(* 3 x)"),
        ),
    ];
    let mut checks: Vec<Check> = plain
        .into_iter()
        .map(|(name, language, text, change)| Check {
            claim: format!("{name}: SAFE and UNSAFE"),
            attempt: Box::new(move || {
                both(
                    language,
                    &Settings::default(),
                    &|text| Ok(Source::new("doctor", text)),
                    text,
                    change,
                )
            }),
        })
        .collect();
    checks.push(Check {
        claim: "C (.c): SAFE and UNSAFE".into(),
        attempt: Box::new(|| {
            let source = |text: &str| Ok(Source::c("doctor.c", text));
            both(
                Language::C,
                &Settings::default(),
                &source,
                C,
                ("s != 2", "s == 2"),
            )
        }),
    });
    for (model, name) in [(DataModel::Ilp32, "ilp32"), (DataModel::Lp64, "lp64")] {
        checks.push(Check {
            claim: format!("C with #include, --data-model {name}: SAFE and UNSAFE"),
            attempt: Box::new(move || {
                let args = CArgs {
                    data_model: model,
                    ..CArgs::default()
                };
                let bytes = match args.data_model {
                    DataModel::Ilp32 => "4",
                    DataModel::Lp64 => "8",
                };
                let settings = Settings {
                    c: args.options(),
                    ..Settings::default()
                };
                let source = |text: &str| preprocessed(text, &args);
                let text = C_WITH_DIRECTIVES.replace("LONG_BYTES", bytes);
                let change = (&*format!("== {bytes})"), &*format!("!= {bytes})"));
                both(Language::C, &settings, &source, &text, change)
            }),
        });
    }
    checks
}

/// The program behind the preprocessor.
fn preprocessed(text: &str, args: &CArgs) -> Result<Source, Ill> {
    match preprocess::preprocessed(None, text.to_owned(), args) {
        Ok(Ok((text, _))) => Ok(Source::c("doctor.c", &text)),
        Ok(Err(failure)) => Err(Ill {
            what: failure.diagnostic.message,
            remedy: "install a C compiler (Debian: `apt-get install gcc`), or name one in the variable CC or with the option \
                     --cpp \"gcc -E\"; C files without directives are read without one"
                .into(),
        }),
        Err(_) => Err(Ill {
            what: "the headers of the C library cannot be written to the folder for temporary files".into(),
            remedy: "set the variable TMPDIR to a folder that can be written".into(),
        }),
    }
}

/// The program is SAFE, and UNSAFE with the change.
fn both(
    language: Language,
    settings: &Settings,
    source: &dyn Fn(&str) -> Result<Source, Ill>,
    text: &str,
    (good, bad): (&str, &str),
) -> Result<Option<String>, Ill> {
    let changed = text.replace(good, bad);
    for (text, expected) in [(text, Conclusion::Safe), (&changed, Conclusion::Unsafe)] {
        let source = source(text)?;
        let control = Control::unlimited().within(Some(limits::DOCTOR_VERDICT));
        let found = match check(&source, language, settings, &control, &Progress::default()) {
            Ok(report) if report.conclusion() == expected => continue,
            Ok(report) => match (report.conclusion(), report.diagnostics.first()) {
                (Conclusion::Unknown(reason), _) => format!("UNKNOWN ({reason})"),
                (Conclusion::Rejected, Some(notice)) => format!("REJECTED ({})", notice.message),
                (other, _) => other.to_string(),
            },
            Err(error) => error.to_string(),
        };
        return Err(Ill {
            what: format!("the verdict should be {expected}, and is {found}"),
            remedy: REPORT.to_owned(),
        });
    }
    Ok(None)
}
