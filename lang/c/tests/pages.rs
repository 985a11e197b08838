//! The pages of `ult explain` about C: their examples do what they say.

use ult_c::{Options, Refusal, translate};
use ult_lang::diagnostic::{Diagnostic, TABLE};

#[test]
fn the_examples_of_the_pages_do_what_they_say() {
    let mut checked = 0;
    for info in TABLE.iter().filter(|info| info.id.is_about_c()) {
        let id = info.id;
        let heading = format!("# {id}: {}\n", info.title);
        assert!(info.page.starts_with(&heading), "{id}");
        let examples = info.examples();
        assert!(examples.len() >= 2, "{id} has no example and mend");
        for (index, (language, text)) in examples.into_iter().enumerate() {
            assert_eq!(language, "c", "{id}");
            let found = match translate(text, &Options::default()) {
                Ok(translation) => translation.diagnostics,
                Err(Refusal::Rejected(diagnostics)) => diagnostics,
                Err(Refusal::Internal(mistake)) => panic!("{id}: {mistake}"),
            };
            if index == 0 {
                assert!(found.iter().any(|d| d.id == id), "{id}: {found:?}");
            } else {
                assert!(!found.iter().any(Diagnostic::is_error), "{id}: {found:?}");
            }
        }
        checked += 1;
    }
    assert!(checked >= 11);
}
