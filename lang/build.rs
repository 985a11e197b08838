//! Generates the parsers of the two languages from the grammars in `grammar/`, a link to the folder of the project.
//!
//! Each language's grammar is completed by `common.lalrpop`, which holds what the two share; lalrpop itself cannot
//! include files.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let grammars = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("grammar");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", grammars.display());
    let common = fs::read_to_string(grammars.join("common.lalrpop"))?;
    for language in ["boogie", "graph"] {
        let own = fs::read_to_string(grammars.join(format!("{language}.lalrpop")))?;
        let complete = out.join(format!("{language}.lalrpop"));
        let text = format!("{own}\n{common}");
        // An unchanged file keeps its date, so that lalrpop does not work in vain.
        if fs::read_to_string(&complete).is_ok_and(|old| old == text)
            && out.join(format!("{language}.rs")).exists()
        {
            continue;
        }
        fs::write(&complete, text)?;
        lalrpop::Configuration::new()
            .set_out_dir(&out)
            .emit_rerun_directives(false)
            .process_file(&complete)?;
    }
    Ok(())
}
