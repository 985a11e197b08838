//! Local variables with the names of others: what they hide stays within reach of pointers.
//!
//! The generators give each variable a name of its own. Here local variables take names that the function or block where they
//! live does not mention: those of variables and functions at file scope, and of variables around the block.

use std::collections::{BTreeMap, BTreeSet};

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::program::{Piece, Program, tokens};

/// What names of local variables begin with; a number follows.
const PREFIXES: [&str; 8] = ["v", "p", "h", "c", "t", "i", "to", "from"];

/// Parameters of functions that copy and the like, if nothing else has these names.
const PARAMETERS: [&str; 11] = ["to", "from", "it", "a", "b", "c", "i", "k", "n", "p", "x"];

/// Every other program with other names for local variables.
pub(super) fn shadow(mut program: Program, seed: u64) -> Program {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(5);
    if random.random_ratio(1, 2) {
        return program;
    }
    // `main` is looked for by its name. What one piece alone mentions is a variable there.
    let pieces = |name: &&String| {
        let mentions = program.pieces.iter().map(words);
        mentions.filter(|words| words.contains(&***name)).count()
    };
    let names = program.names.iter();
    let is_global = |name: &&String| *name != "main" && (!is_local(name) || pieces(name) > 1);
    let globals: BTreeSet<String> = names.filter(is_global).cloned().collect();
    let declarations = program.pieces.iter().filter(|piece| !is_function(piece));
    let others = declarations.flat_map(words);
    let others = others.chain(program.pieces.iter().flat_map(members));
    let others: BTreeSet<String> = others.map(str::to_owned).collect();
    for piece in &mut program.pieces {
        let is_parameter = |word: &str| PARAMETERS.contains(&word) && !others.contains(word);
        let is_mine =
            |word: &&str| is_local(word) && !globals.contains(*word) || is_parameter(word);
        let locals = words(piece).into_iter().filter(is_mine);
        let locals = locals.map(str::to_owned).collect();
        rename(piece, &locals, &globals, &mut random);
    }
    program
}

/// Gives local variables of a piece names from around it that it does not mention.
fn rename(
    piece: &mut Piece,
    locals: &BTreeSet<String>,
    around: &BTreeSet<String>,
    random: &mut ChaCha8Rng,
) {
    let mentioned = words(piece);
    let is_here = |name: &&String| mentioned.contains(&***name);
    let mut free: Vec<&String> = around.iter().filter(|name| !is_here(name)).collect();
    free.sort_by_key(|name| !name.starts_with('g'));
    let mut new = BTreeMap::new();
    for local in locals.iter().filter(is_here) {
        if !free.is_empty() && random.random_ratio(2, 3) {
            // Variables at file scope, rather than functions and tags: what they hide is memory.
            let variables = free.iter().filter(|name| name.starts_with('g')).count();
            let end = match variables > 0 && random.random_ratio(2, 3) {
                true => variables,
                false => free.len(),
            };
            let name = free.remove(random.random_range(0..end));
            new.insert(local.clone(), name.clone());
        }
    }
    replace(piece, &new);
    let Piece::Block(open, inner, close) = piece else {
        return;
    };
    let renamed = locals.iter().map(|local| new.get(local).unwrap_or(local));
    let around = around.iter().chain(renamed).cloned().collect();
    // What one piece alone mentions is declared there.
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let ends = [&*open, &*close].map(|text| words_of(text).collect());
    for word in ends.into_iter().chain(inner.iter().map(words)).flatten() {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    for piece in inner {
        if matches!(piece, Piece::Block(..)) {
            let is_own = |word: &&str| locals.contains(*word) && counts.get(*word) == Some(&1);
            let own = words(piece).into_iter().filter(is_own);
            let own = own.map(str::to_owned).collect();
            rename(piece, &own, &around, random);
        }
    }
}

/// Whether a piece defines a function.
fn is_function(piece: &Piece) -> bool {
    match piece {
        Piece::Text(text) | Piece::Block(text, ..) => text.contains(") {"),
        Piece::Result(..) | Piece::Claim => false,
    }
}

/// Whether a word is a variable of a function, as the generators name them.
fn is_local(word: &str) -> bool {
    let prefix = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
    prefix.len() < word.len() && PREFIXES.contains(&prefix)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).filter(|token| token.starts_with(|letter: char| letter.is_ascii_alphabetic()))
}

/// The texts of a piece, from first to last. (The name of a result is a variable, too, but no local variable takes it.)
fn texts(piece: &Piece) -> Vec<&str> {
    match piece {
        Piece::Text(text) | Piece::Result(_, text) => vec![text],
        Piece::Block(open, inner, close) => {
            let inner = inner.iter().flat_map(texts);
            [&**open]
                .into_iter()
                .chain(inner)
                .chain([&**close])
                .collect()
        }
        Piece::Claim => Vec::new(),
    }
}

/// The words of a piece.
fn words(piece: &Piece) -> BTreeSet<&str> {
    texts(piece).into_iter().flat_map(words_of).collect()
}

/// What a piece mentions as members of structures.
fn members(piece: &Piece) -> BTreeSet<&str> {
    let of_text = |text| {
        let tokens: Vec<&str> = tokens(text).collect();
        let is_selected = |pair: &&[&str]| pair[0].ends_with('.') || pair[0].ends_with("->");
        let pairs = tokens.windows(2).filter(is_selected);
        pairs.map(|pair| pair[1]).collect::<Vec<_>>()
    };
    texts(piece).into_iter().flat_map(of_text).collect()
}

/// Puts new words for old ones.
fn replace(piece: &mut Piece, new: &BTreeMap<String, String>) {
    let replaced = |text: &mut String| {
        *text = tokens(text)
            .map(|token| new.get(token).map_or(token, |name| name))
            .collect();
    };
    match piece {
        Piece::Text(text) | Piece::Result(_, text) => replaced(text),
        Piece::Block(open, inner, close) => {
            replaced(open);
            replaced(close);
            inner.iter_mut().for_each(|piece| replace(piece, new));
        }
        Piece::Claim => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_c::program::Ending;

    #[test]
    fn names_are_taken_where_they_are_not_mentioned() {
        let text = |text: &str| Piece::text(text);
        let program = Program {
            pieces: vec![
                text("static int g1 = 1, g2 = 2, x;"),
                text("static int f4(int *to, int n, int x) { return *to + n + x; }"),
                text("static int f3(int *p4) { int v5 = g2; return *p4 + v5; }"),
                Piece::Block(
                    "int main(void) {".into(),
                    vec![
                        text("int v6 = 3;"),
                        Piece::Block("{".into(), vec![text("int v7 = g1;")], "}".into()),
                        Piece::Result("r0".into(), "f3(&g1) + v6".into()),
                    ],
                    "}".into(),
                ),
            ],
            names: ["main", "f3", "f4", "g1", "g2"].map(str::to_owned).into(),
            ..Program::default()
        };
        let texts: BTreeSet<String> = (0..2000)
            .map(|seed| shadow(program.clone(), seed).render(Ending::Print))
            .collect();
        let has = |text: &str| texts.iter().any(|program| program.contains(text));
        // The same program, a function that hides what its parameter points to, and blocks that hide variables around them.
        assert!(has("int *p4) { int v5 = g2; return *p4 + v5; }"));
        assert!(has("int *p4) { int g1 = g2; return *p4 + g1; }"));
        assert!(has("int *g1) { int v5 = g2; return *g1 + v5; }"));
        assert!(has("int g2 = 3;\n  {\n    int v7 = g1;"));
        assert!(has("int v6 = 3;\n  {\n    int v6 = g1;"));
        assert!(has("f3(&g1) + g2;"));
        // Parameters, but not those with the name of something else.
        assert!(has("int f4(int *to, int g2, int x)"));
        assert!(!has("int g1)") && !has("int g2)"));
        // Nothing that is mentioned is hidden.
        assert!(!has("g2 = g2") && !has("g1 = g1") && !has("int f3 = 3"));
    }
}
