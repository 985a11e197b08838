//! The second file: it gives the program the inputs of the run, and notes what the program does with them.
//!
//! It needs no header, since there are none where a compiler makes programs for another data model without its library.

use std::fmt::Write as _;
use std::path::Path;

use ult_c::types::DataModel;

use super::text::MARK;
use crate::{Fed, Inputs, Role};

/// What the program tells about itself, each one byte in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// It is where the violation is.
    Reached,
    /// It got the next input of the run.
    Input,
    /// It asked for another input than the run: told once.
    Other,
    /// It asked for an input although the run has no more: told once.
    More,
    /// An assumption does not hold.
    Assumption,
    /// An assertion fails, or an error function is called, somewhere else.
    Failure,
}

impl Event {
    const ALL: [(Event, char); 6] = [
        (Event::Reached, 'r'),
        (Event::Input, 'i'),
        (Event::Other, 'o'),
        (Event::More, 'm'),
        (Event::Assumption, 'a'),
        (Event::Failure, 'f'),
    ];

    /// What a byte says.
    pub(super) fn read(byte: u8) -> Option<Event> {
        let mut all = Event::ALL.iter();
        all.find(|(_, letter)| *letter as u8 == byte)
            .map(|(event, _)| *event)
    }

    fn letter(self) -> char {
        let mut all = Event::ALL.iter();
        all.find(|(event, _)| *event == self)
            .map_or('?', |(_, letter)| *letter)
    }
}

/// The file's text. Events go to the file `events`.
pub(super) fn file(inputs: &Inputs, events: &Path, model: DataModel) -> String {
    let long = match model {
        DataModel::Lp64 => 8,
        DataModel::Ilp32 => 4,
    };
    let path: String = events
        .display()
        .to_string()
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            c => vec![c],
        })
        .collect();
    let [reached, input, other, more, assumption, failure] =
        Event::ALL.map(|(event, _)| event.letter());
    let mut text = format!(
        "extern int open(const char *, int, ...);
extern __PTRDIFF_TYPE__ write(int, const void *, __SIZE_TYPE__);
extern void _exit(int) __attribute__((__noreturn__));
_Static_assert(sizeof(int) == 4 && sizeof(long) == {long} && sizeof(void *) == {long}, \"other data model\");

static void tell(char event) {{
  static int file = -1;
  if (file < 0) file = open(\"{path}\", 1);
  if (file < 0 || write(file, &event, 1) != 1) _exit(1);
}}

void {MARK}(void) {{
  tell('{reached}');
  _exit(0);
}}

void __assert_fail(const char *what, const char *file, unsigned line, const char *function) __attribute__((__weak__));
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {{
  tell('{failure}');
  _exit(0);
}}

extern void __lsan_do_leak_check(void) __attribute__((__weak__));
extern void *signal(int, void (*)(int));

static void at_abort(int number) {{
  if (__lsan_do_leak_check) __lsan_do_leak_check();
  _exit(128 + number);
}}

/* Memory that was not freed is looked for when the program returns or exits, not when it aborts. */
static void begin(void) __attribute__((__constructor__));
static void begin(void) {{
  signal(6, at_abort);
}}

static const unsigned short order[] = {{{order}0}};

static void next(unsigned short function) {{
  static unsigned at;
  static char told;
  if (told) return;
  if (at == {count}) {{
    tell('{more}');
    told = 1;
  }} else if (order[at] != function) {{
    tell('{other}');
    told = 1;
  }} else {{
    at++;
    tell('{input}');
  }}
}}
",
        order = inputs.order.iter().fold(String::new(), |mut text, index| {
            let _ = write!(text, "{index}, ");
            text
        }),
        count = inputs.order.len(),
    );
    for (index, Fed { name, role, values }) in inputs.functions.iter().enumerate() {
        let _ = match role {
            Role::Assume => writeln!(
                text,
                "\nvoid {name}(int condition) {{\n  if (condition) return;\n  tell('{assumption}');\n  _exit(0);\n}}"
            ),
            Role::Error => writeln!(
                text,
                "\nvoid {name}(void) {{\n  tell('{failure}');\n  _exit(0);\n}}"
            ),
            Role::Input(None) => writeln!(text, "\nvoid {name}() {{\n}}"),
            Role::Input(Some(ty)) => writeln!(
                text,
                "\n{ty} {name}() {{\n  static const {ty} values[] = {{{}}};\n  static unsigned at;\n  next({index});\n  return at < {} ? values[at++] : 0;\n}}",
                match values.is_empty() {
                    true => "0".to_owned(),
                    false => values.join(", "),
                },
                values.len()
            ),
            Role::NotCovered => Ok(()),
        };
    }
    text
}
