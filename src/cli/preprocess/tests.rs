//! What a preprocessor is given, compared with gcc where it is installed.

use super::*;

#[test]
fn reserved_names_that_are_not_defined_are_told() {
    let complaints = "a.c: In function 'f':\na.c:3:5: warning: \"__FOO\" is not defined, evaluates to 0 [-Wundef]\n\
                      a.c:4:5: warning: \"MINE\" is not defined, evaluates to 0 [-Wundef]\n\
                      b.h:9:6: warning: 'INT32_MAX' is not defined, evaluates to 0 [-Wundef]\n";
    assert_eq!(
        undefined(complaints),
        "# 3 \"a.c\"\n#pragma ult undefined __FOO\n# 9 \"b.h\"\n#pragma ult undefined INT32_MAX\n"
    );
}

#[test]
fn the_tables_are_those_of_gcc() {
    for (model, table) in PREDEFINED {
        let arguments = [
            "-dM",
            "-E",
            "-std=gnu11",
            "-fsigned-char",
            "-x",
            "c",
            "/dev/null",
        ];
        let said = Command::new("gcc")
            .args(arguments)
            .args(machine(model))
            .output();
        let Some(said) = said.ok().filter(|said| said.status.success()) else {
            continue;
        };
        let said = String::from_utf8_lossy(&said.stdout);
        let gcc: BTreeSet<&str> = said.lines().collect();
        if !gcc.contains("#define __GNUC__ 12") || !gcc.contains("#define __linux__ 1") {
            continue;
        }
        let differ: Vec<&str> = table
            .lines()
            .filter(|line| {
                !gcc.contains(line)
                    && !line.contains("__VERSION__")
                    && !line.contains("_PATCHLEVEL__")
            })
            .collect();
        assert!(differ.is_empty(), "{differ:?}");
    }
}

/// Headers whose constants are those of glibc.
const FAMILIES: [&str; 15] = [
    "stdint.h",
    "inttypes.h",
    "limits.h",
    "float.h",
    "errno.h",
    "wchar.h",
    "math.h",
    "time.h",
    "signal.h",
    "stddef.h",
    "stdlib.h",
    "stdio.h",
    "fenv.h",
    "unistd.h",
    "sys/types.h",
];

/// What gcc makes of a text; none if it does not accept it.
fn gcc(arguments: &[String], text: &str) -> Option<String> {
    let arguments: Vec<OsString> = ["-std=gnu11", "-x", "c"]
        .iter()
        .map(OsString::from)
        .chain(arguments.iter().map(OsString::from))
        .chain(["-".into()])
        .collect();
    let output = start("gcc", &arguments, Some(text)).ok()?;
    let made = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(made)
}

/// The names of macros without parameters that are nobody's own.
fn constants(arguments: &[String], text: &str) -> Option<BTreeSet<String>> {
    let made = gcc(&[arguments, &["-dM".into(), "-E".into()]].concat(), text)?;
    let names = made.lines().filter_map(|line| line.split(' ').nth(1));
    let names = names.filter(|name| !name.starts_with('_') && !name.contains('('));
    Some(names.map(str::to_owned).collect())
}

/// What these macros stand for in the end.
fn values(arguments: &[String], header: &str, names: &[&String]) -> Option<Vec<String>> {
    let mut text = format!("#include <{header}>\n");
    for name in names {
        text += &format!("@{name}@ {name}\n");
    }
    let made = gcc(&[arguments, &["-P".into(), "-E".into()]].concat(), &text)?;
    let lines = made.lines().filter(|line| line.starts_with('@'));
    let values = lines.filter_map(|line| Some(line.splitn(3, '@').nth(2)?.trim().to_owned()));
    Some(values.collect())
}

/// Whether a value consists of numbers, operators and strings, so that it means the same everywhere.
fn is_plain(value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_hexdigit() || "xXuUlLpP.+-()<>|~ ".contains(c);
    let is_text = value
        .split('"')
        .step_by(2)
        .all(|outside| outside.trim().is_empty());
    !value.is_empty() && (value.contains('"') && is_text || value.chars().all(is_plain))
}

#[test]
fn constants_of_headers_are_those_of_glibc() {
    let folder = headers_folder().unwrap();
    let other = tempfile::tempdir().unwrap();
    // The file that is missing where there is no library for 32 bits.
    std::fs::create_dir(other.path().join("gnu")).unwrap();
    std::fs::write(other.path().join("gnu/stubs-32.h"), "").unwrap();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let machine: Vec<String> = machine(model)
            .iter()
            .map(|word| (*word).to_owned())
            .collect();
        let headers = folder.path().join(HEADERS_FOLDER).display().to_string();
        let ours = [&machine[..], &["-nostdinc".into(), "-I".into(), headers]].concat();
        let mut theirs = machine.clone();
        if model == DataModel::Ilp32 {
            let folders = [
                other.path().display().to_string(),
                "/usr/include/x86_64-linux-gnu".into(),
            ];
            theirs.extend(folders.map(|folder| format!("-I{folder}")));
        }
        for header in FAMILIES {
            let include = format!("#include <{header}>\n");
            let is_glibc = |text: &str| text.contains("#define __GLIBC__ 2");
            let all = gcc(
                &[&theirs[..], &["-dM".into(), "-E".into()]].concat(),
                &format!("{include}#include <stdio.h>\n"),
            );
            if !all.is_some_and(|text| is_glibc(&text)) {
                continue;
            }
            let Some(wanted) = constants(&theirs, &include) else {
                continue;
            };
            let own = constants(&ours, &include).unwrap();
            let names: Vec<&String> = wanted.iter().collect();
            let (Some(theirs), known) = (values(&theirs, header, &names), own) else {
                continue;
            };
            let mut checks = String::new();
            let ours = values(&ours, header, &names).unwrap();
            assert_eq!(
                (theirs.len(), ours.len()),
                (names.len(), names.len()),
                "{header}"
            );
            for ((name, their), our) in names.iter().zip(&theirs).zip(&ours) {
                // What the system says about its own structures and registers is nobody's business.
                if !is_plain(their)
                    || *name == "NGREG"
                    || name.starts_with("FP_XSTATE_")
                    || name.starts_with("X86_")
                {
                    continue;
                }
                assert!(
                    known.contains(*name),
                    "{model:?}: `{name}` is missing in <{header}>"
                );
                checks += &match their.contains('"') {
                    true => {
                        format!("_Static_assert(!__builtin_strcmp({their}, {our}), \"{name}\");\n")
                    }
                    false => format!(
                        "_Static_assert(__builtin_types_compatible_p(__typeof__({their}), __typeof__({our})) && ({their}) == ({our}), \"{name}\");\n"
                    ),
                };
            }
            let said = gcc(
                &[
                    &machine[..],
                    &["-S".into(), "-o".into(), "/dev/null".into()],
                ]
                .concat(),
                &checks,
            );
            assert!(
                said.is_some(),
                "{model:?}: <{header}> has other values:\n{checks}"
            );
        }
    }
}
