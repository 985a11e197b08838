//! The analysis of pointers misses nothing in the programs of the corpus.

use std::path::Path;
use std::process::Command;

use ult_c::types::DataModel;
use ult_c::{Members, Options, Properties, elaborate, encode, library, parse};

/// What is missed, and whether the program is one.
fn missed(text: &str, options: &Options) -> Option<Vec<String>> {
    let parsed = parse::parse(&library::completed(text));
    parsed.with_stack(|| {
        let (mut program, diagnostics) = elaborate(&parsed, options.model);
        if diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
            return None;
        }
        ult_c::caller::add(&mut program, options).ok()?;
        let missed = encode::missed(&program, options).into_iter();
        Some(missed.map(|missed| missed.what).collect())
    })
}

#[test]
#[ignore = "takes long"]
fn nothing_is_missed_in_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let assertions = Properties {
        assertions: true,
        ..Properties::default()
    };
    let (mut checked, mut wrong) = (0, Vec::new());
    let folders = ["tests/corpus/c", "tests/corpus/c/undefined"];
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| path.is_file()) {
        for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
            let output = Command::new("cc")
                .args(["-E", "-P", "-w", "-nostdinc", flag, "-I"])
                .arg(root.join("stdlib/include"))
                .arg(&path)
                .output()
                .expect("a C compiler");
            let text = String::from_utf8_lossy(&output.stdout);
            let variants = [Properties::default(), assertions.clone()]
                .map(|properties| (properties, Members::Apart));
            let flat = (assertions.clone(), Members::Flat);
            for (properties, members) in variants.into_iter().chain([flat]) {
                let options = Options {
                    model,
                    properties,
                    members,
                    ..Options::default()
                };
                let Some(missed) = missed(&text, &options) else {
                    continue;
                };
                checked += 1;
                if !missed.is_empty() {
                    wrong.push(format!("{}: {missed:?}", path.display()));
                }
            }
        }
    }
    assert!(checked > 200, "{checked}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
