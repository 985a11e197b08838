//! Arguments of known functions are computed, whether the function looks at them or not: in each call here one of them
//! overflows, and the translation says that, or that the call is not covered.

use std::path::Path;
use std::process::Command;

use ult_c::{Options, Properties};

const HEADERS: [&str; 8] = [
    "ctype.h", "fenv.h", "math.h", "stdio.h", "stdlib.h", "string.h", "time.h", "unistd.h",
];

/// gcc's functions that no header declares.
const BUILT_IN: [&str; 6] = [
    "void __builtin_prefetch(const void *, int, int)",
    "long __builtin_expect(long, long)",
    "void *__builtin_assume_aligned(const void *, unsigned long)",
    "void *__builtin___memcpy_chk(void *, const void *, unsigned long, unsigned long)",
    "void __atomic_store_n(char *, int, int)",
    "char __atomic_load_n(char *, int)",
];

/// A function that is declared: its name and parameters.
type Declared = (String, Vec<String>);

/// The function of a declaration, if it has parameters.
fn declared(declaration: &str) -> Option<Declared> {
    let (head, parameters) = declaration.trim().split_once('(')?;
    let name = head.rsplit([' ', '*']).next()?;
    let parameters = parameters.split(" __attribute__").next()?;
    let parameters = parameters.trim_end().strip_suffix(')')?;
    if name.is_empty() || parameters == "void" || head.contains("typedef") {
        return None;
    }
    let (mut depth, mut all) = (0, vec![String::new()]);
    for letter in parameters.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        match letter {
            ',' if depth == 0 => all.push(String::new()),
            _ => all.last_mut()?.push(letter),
        }
    }
    Some((name.to_owned(), all))
}

/// Functions that each call one of the declared ones, with an overflow in one argument, and what they call.
fn calls(declarations: &[Declared]) -> (String, Vec<String>) {
    let (mut text, mut called) = (String::new(), Vec::new());
    for (name, parameters) in declarations {
        for bad in 0..parameters.len() {
            // The format has to be known: else the call is not covered anyway.
            if parameters[bad].contains("format") {
                continue;
            }
            let arguments = parameters.iter().enumerate().map(|(index, parameter)| {
                let value = match parameter {
                    format if format.contains("format") => "\"%d\"",
                    list if list.contains("va_list") || list.contains("arguments") => "*list",
                    pointer if pointer.contains(['*', '[']) => "(void *)buffer",
                    _ => "1",
                };
                match index == bad {
                    true => format!("(z + 1 ? {value} : {value})"),
                    false => value.to_owned(),
                }
            });
            let arguments: Vec<String> = arguments.collect();
            let arguments = arguments.join(", ");
            let index = called.len();
            text += &format!(
                "void call{index}(__builtin_va_list *list, int z) {{ {name}({arguments}); }}\n"
            );
            called.push(format!("{name}({arguments})"));
        }
    }
    (text, called)
}

#[test]
fn every_argument_is_computed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("stdlib/include");
    let options = Options {
        properties: Properties {
            overflow: true,
            ..Properties::default()
        },
        ..Options::default()
    };
    let built_in = BUILT_IN.iter().filter_map(|one| declared(one)).collect();
    let mut sources: Vec<(String, Vec<Declared>)> = vec![(String::new(), built_in)];
    for header in HEADERS {
        let output = Command::new("cc")
            .args(["-E", "-P", "-w", "-nostdinc", "-I"])
            .arg(&folder)
            .arg(folder.join(header))
            .output()
            .expect("a C compiler");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let declarations = text.split(';').filter_map(declared).collect();
        sources.push((text, declarations));
    }
    let (mut checked, mut wrong) = (0, Vec::new());
    for (header, declarations) in sources {
        let (functions, called) = calls(&declarations);
        let text = format!("{header}\nlong buffer[100];\n{functions}");
        let translation = ult_c::translate(&text, &options)
            .unwrap_or_else(|refusal| panic!("{refusal:?}\n{text}"));
        let printed = ult_lang::print::typed(&translation.program);
        for (index, call) in called.iter().enumerate() {
            checked += 1;
            let start = printed.find(&format!("procedure call{index}("));
            let Some(start) = start else {
                wrong.push(format!("{call} is not translated"));
                continue;
            };
            let procedure = &printed[start..];
            let end = procedure[1..]
                .find("\nprocedure ")
                .unwrap_or(procedure.len() - 1);
            let procedure = &procedure[..=end];
            if !procedure.contains("signed overflow") && !procedure.contains(":unsupported") {
                wrong.push(format!("{call}\n{procedure}"));
            }
        }
    }
    assert!(checked > 350, "{checked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
