//! The translations of the C corpus as typed programs: printed and read again, they are the same; and they have no
//! quantifier and no lambda, which solvers answer slowly or not at all.

use std::path::Path;
use ult_c::{IntegerEncoding, Options, Properties};

/// As much of the language as can be had: all that may be checked, with integers of both kinds.
fn options() -> [Options; 2] {
    [IntegerEncoding::Math, IntegerEncoding::Bits].map(|integers| Options {
        integers,
        properties: Properties {
            overflow: true,
            dereference: true,
            free: true,
            track: true,
            division: true,
            shift: true,
            uninitialised: true,
            ..Properties::default()
        },
        ..Options::default()
    })
}

#[test]
fn translations_of_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/c");
    let mut checked = 0;
    let folders = [folder.clone(), folder.join("undefined")];
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| path.is_file()) {
        // The headers of the library only declare what the translation knows.
        let text: String = std::fs::read_to_string(&path)
            .unwrap()
            .lines()
            .filter(|line| !line.starts_with("#include"))
            .map(|line| format!("{line}\n"))
            .collect();
        for options in options().iter().chain([&Options::default()]) {
            let Ok(translation) = ult_c::translate(&text, options) else {
                continue;
            };
            let printed = ult_lang::print::typed(&translation.program);
            // Labels and blocks are numbered by whoever makes them: the texts say whether the programs are the same.
            let (read, diagnostics) = ult_lang::analyze_boogie(&printed);
            let error = diagnostics.iter().find(|d| d.is_error());
            assert_eq!(error, None, "{}", path.display());
            assert!(
                ult_lang::print::typed(&read) == printed,
                "{}",
                path.display()
            );
            // Memory is maps of maps: whole objects are copied and zeroed as elements.
            for word in ["lambda", "forall", "exists"] {
                let found = printed.lines().find(|line| line.contains(word));
                assert_eq!(found, None, "{}", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}
