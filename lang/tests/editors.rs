//! The words in the editors' files are those of the languages.

use std::collections::BTreeSet;
use std::path::Path;

use ult_lang::token::{Language, Token};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../editors")
        .join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words of the languages, but for names of types and truth values, which have colours of their own.
fn words(languages: &[Language]) -> BTreeSet<&'static str> {
    let is_known = |word: &Token| {
        languages
            .iter()
            .any(|language| Token::keyword(word.text(), *language).is_some())
    };
    let is_plain = |word: &Token| {
        use Token::{BoolType, False, IntType, RealType, True};
        !matches!(word, BoolType | IntType | RealType | True | False)
    };
    Token::WORDS
        .iter()
        .filter(|word| is_known(word) && is_plain(word))
        .map(|word| word.text())
        .collect()
}

#[test]
fn grammars_for_colours_know_all_words() {
    for (file, language) in [
        ("vscode/syntaxes/boogie.tmLanguage.json", Language::Boogie),
        ("vscode/syntaxes/ult.tmLanguage.json", Language::Graph),
    ] {
        let text = read(file);
        let rule = text
            .split_once("\"name\": \"keyword.control\",\n      \"match\": \"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(rule, _)| rule)
            .expect("a rule for keywords");
        let list = rule
            .split(['(', ')'])
            .find(|part| part.contains("type|"))
            .expect("a list of words");
        let found: BTreeSet<&str> = list.split('|').collect();
        assert_eq!(found, words(&[language]), "{file}");
    }
}

#[test]
fn the_emacs_mode_knows_all_words() {
    let text = read("emacs/ult-mode.el");
    let list = text
        .split_once("(defconst ult-keywords\n  '(")
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(list, _)| list)
        .expect("a list of words");
    let found: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(found, words(&[Language::Boogie, Language::Graph]));
}
