//! All steps together.

use std::borrow::Cow;

use ult_lang::diagnostic::Diagnostic;

use crate::ir::Program;
use crate::options::Options;
use crate::parse::{parse, told, written};
use crate::translation::{Refusal, Translation};

/// Translates a preprocessed text to Boogie, with what it needs of the library: places behind its end lead into the text
/// of [`crate::library::completed`].
///
/// # Errors
/// See [`Refusal`].
pub fn translate(text: &str, options: &Options) -> Result<Translation, Refusal> {
    translate_completed(&crate::library::completed(text), options)
}

/// Translates a preprocessed text that has behind it what it needs of the library.
///
/// # Errors
/// See [`Refusal`].
pub fn translate_completed(text: &str, options: &Options) -> Result<Translation, Refusal> {
    let parsed = parse(text);
    let checks = options.properties.dereference || options.properties.uninitialised;
    parsed.with_stack(|| {
        let mut diagnostics = parsed.diagnostics.clone();
        let (mut program, more) =
            crate::elaborate::elaborate_in(options.evaluation, checks, &parsed, options.model);
        name_as_written(&mut program);
        diagnostics.extend(more);
        diagnostics.extend(crate::caller::add(&mut program, options).err());
        if let Some(arguments) = &options.arguments {
            crate::arguments::add(&mut program, arguments);
        }
        crate::int_to_pointer::carry_pointers(&mut program);
        crate::cloning::copy_small_functions(&mut program);
        if diagnostics.iter().any(Diagnostic::is_error) {
            let diagnostics = diagnostics.into_iter().map(told);
            return Err(Refusal::Rejected(diagnostics.collect()));
        }
        let mut translation = crate::encode::encode(&program, options)
            .map_err(|mistake| Refusal::Internal(mistake.0))?;
        diagnostics.append(&mut translation.diagnostics);
        translation.diagnostics = diagnostics.into_iter().map(told).collect();
        Ok(translation)
    })
}

/// Gives things the names that the user gave them, where the parser knew them by others. What is meant is known by numbers here.
fn name_as_written(program: &mut Program) {
    let records = program.records.iter_mut().flat_map(|record| {
        let fields = record.fields.iter_mut().flatten();
        std::iter::once(&mut record.name).chain(fields.map(|field| &mut field.name))
    });
    let variables = program
        .variables
        .iter_mut()
        .map(|variable| &mut variable.name);
    let functions = program
        .functions
        .iter_mut()
        .map(|function| &mut function.name);
    for name in records.chain(variables).chain(functions) {
        if let Cow::Owned(written) = written(name) {
            *name = written;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_completed_or_has_been() {
        let text =
            "unsigned long strlen(const char *);\nint main(void) { return (int) strlen(\"a\"); }\n";
        let options = Options::default();
        let translated = translate(text, &options).unwrap();
        let completed = crate::library::completed(text);
        let once = translate_completed(&completed, &options).unwrap();
        assert_eq!(once.program, translated.program);
        // Nothing is appended to what was said to be complete.
        let lacking = translate_completed(text, &options).unwrap();
        assert_ne!(lacking.program, translated.program);
    }

    #[test]
    fn deep_programs_do_not_overflow_the_stack() {
        for (open, close) in [
            ("(", ")"),
            ("- ", ""),
            ("!(", ")"),
            ("x ? 1 : ", ""),
            ("(int)", ""),
            ("1 + (", ")"),
            ("x = ", ""),
        ] {
            let text = format!(
                "int main(void) {{ int x = 1; return {}x{}; }}",
                open.repeat(1400),
                close.repeat(1400)
            );
            let told = translate(&text, &Options::default());
            assert!(told.is_ok(), "{open}: {:?}", told.err());
        }
        for (open, close) in [
            ("{", "}"),
            ("if (x) ; else ", ""),
            ("while (x) ", ""),
            ("do ", " while (x);"),
            ("if (x) { x = 2; } else ", ""),
        ] {
            let text = format!(
                "int main(void) {{ int x = 1; {} ; {} }}",
                open.repeat(700),
                close.repeat(700)
            );
            let told = translate(&text, &Options::default());
            assert!(told.is_ok(), "{open}: {:?}", told.err());
        }
    }
}
